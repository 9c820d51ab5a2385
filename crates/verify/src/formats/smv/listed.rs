//! The reachable states of a model, one by one, and what its expressions say of them.

use super::shown::shown;
use super::{Smv, failure};
use crate::{Halt, ListedStates, Logic, PropertyId, Shown};
use std::convert::Infallible;
use std::sync::Arc;
use tertium_check::fair::{GraphEvidence, Propositions};
use tertium_explore::{Listing, list};
use tertium_front_smv::{Evidence, Expr, Interpreter, SmvSpace, SpecificationKind};
use tertium_support::{Context, Id};
use tertium_system::{StateGraph, StateId, StepFairness, StepId, StepSet};

/// The states.
pub(super) struct Listed<'m> {
    model: &'m Smv,
    space: SmvSpace<'m>,
    listing: Listing,
}

impl<'m> Listed<'m> {
    pub(super) fn new(context: &Context, model: &'m Smv, most: usize) -> Result<Self, Halt> {
        let space = SmvSpace::new(context, Arc::new(Interpreter::new(&model.flat)));
        let listing = list(context, &space, most).map_err(|stop| failure(&model.flat, stop))?;
        Ok(Self { model, space, listing })
    }

    /// Evidence about the states and inputs behind numbers.
    pub(super) fn decoded(&self, evidence: GraphEvidence) -> Option<Evidence> {
        let mut state = |state: StateId| Ok::<_, Infallible>(self.space.state(self.listing.words(state)));
        let mut input = |step: StepId| Ok(self.space.input(self.listing.step(step.index()).0));
        let Ok(decoded) = evidence.try_map(&mut state, &mut input);
        decoded
    }
}

impl ListedStates for Listed<'_> {
    fn graph(&self) -> &Listing {
        &self.listing
    }

    fn has_inputs(&self) -> bool {
        true
    }

    fn fairness(&self, context: &Context) -> Result<StepFairness, Halt> {
        let found = self.space.fairness(context, &self.listing);
        found.map_err(|halt| failure(&self.model.flat, halt.into()))
    }

    fn propositions(&self, context: &Context, property: PropertyId) -> Result<Propositions, Halt> {
        let specification = &self.model.specifications[property.index()];
        let exprs: Vec<&Expr> = specification.atoms.iter().map(|atom| &atom.expr).collect();
        let sets = match specification.kind {
            // On a path, propositions may read the input of the step.
            SpecificationKind::Ltl(_) => self.space.step_sets(context, &self.listing, &exprs),
            _ => {
                let sets = self.space.state_sets(context, &self.listing, &exprs);
                sets.map(|sets| sets.into_iter().map(StepSet::From).collect())
            }
        };
        let sets = sets.map_err(|halt| failure(&self.model.flat, halt.into()))?;
        Ok(specification.atoms.iter().map(|atom| atom.name.clone()).zip(sets).collect())
    }

    fn show<'s>(
        &'s self,
        property: PropertyId,
        logic: &Logic,
        evidence: GraphEvidence,
        holds: bool,
    ) -> Result<Option<Shown<'s>>, Halt> {
        let specification = self.model.specification(property, logic);
        let decoded = self.decoded(evidence);
        Ok(decoded.and_then(|evidence| shown(self.space.interpreter(), specification, evidence, holds)))
    }
}
