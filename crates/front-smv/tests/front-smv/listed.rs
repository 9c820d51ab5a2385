//! The listed states of a model, with the explicit checker on them.

use std::sync::Arc;
use tertium_check::fair::{FairAnswer, FairChecker, FairError, FairMemory, Propositions};
use tertium_explore::{Listing, list};
use tertium_front_smv::{Expr, Fault, FlatModel, Interpreter, SmvSpace, Specification, SpecificationKind};
use tertium_logic::{Formula, Ltl};
use tertium_support::Context;
use tertium_system::{StateGraph, StateSet, StepFairness, StepSet, Stop};

/// All reachable states.
pub(crate) struct Listed<'m> {
    pub(crate) space: SmvSpace<'m>,
    pub(crate) listing: Listing,
    pub(crate) fairness: StepFairness,
    context: Context,
}

impl<'m> Listed<'m> {
    pub(crate) fn new(model: &'m FlatModel) -> Self {
        Self::within(model, usize::MAX).expect("the model has a meaning")
    }

    /// At most so many states.
    pub(crate) fn within(model: &'m FlatModel, most: usize) -> Result<Self, Stop<Fault>> {
        let context = Context::default();
        let space = SmvSpace::new(&context, Arc::new(Interpreter::new(model)));
        let listing = list(&context, &space, most)?;
        let fairness = space.fairness(&context, &listing)?;
        Ok(Self { space, listing, fairness, context })
    }

    /// How many states and steps there are.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.listing.n_states(), self.listing.n_steps())
    }

    pub(crate) fn propositions(&self, specification: &Specification) -> Propositions {
        let exprs: Vec<&Expr> = specification.atoms.iter().map(|atom| &atom.expr).collect();
        let sets = match specification.kind {
            SpecificationKind::Ltl(_) => self.space.step_sets(&self.context, &self.listing, &exprs).unwrap(),
            _ => {
                let sets = self.space.state_sets(&self.context, &self.listing, &exprs).unwrap();
                sets.into_iter().map(StepSet::From).collect()
            }
        };
        specification.atoms.iter().map(|atom| atom.name.clone()).zip(sets).collect()
    }

    /// The states that satisfy a formula over the atoms of a specification.
    pub(crate) fn states(&self, specification: &Specification, formula: &Formula) -> StateSet {
        let mut memory = FairMemory::default();
        let mut checker = FairChecker::new(&self.listing, &self.fairness, &mut memory);
        checker.satisfying_states(&self.context, &self.propositions(specification), formula).unwrap()
    }

    /// The answer to a linear formula over the atoms of a specification.
    pub(crate) fn linear(
        &self,
        specification: &Specification,
        formula: &Ltl,
    ) -> Result<FairAnswer, FairError> {
        let mut memory = FairMemory::default();
        let checker = FairChecker::new(&self.listing, &self.fairness, &mut memory);
        checker.check_ltl(&self.context, &self.propositions(specification), formula)
    }

    /// The answer to a specification that is true or false.
    pub(crate) fn answer(&self, specification: &Specification) -> FairAnswer {
        let propositions = self.propositions(specification);
        let mut memory = FairMemory::default();
        let mut checker = FairChecker::new(&self.listing, &self.fairness, &mut memory);
        let answer = match &specification.kind {
            SpecificationKind::Ctl(formula) => checker.check_ctl(&self.context, &propositions, formula, 100),
            SpecificationKind::Invariant(formula) => {
                checker.check_invariant(&self.context, &propositions, formula)
            }
            SpecificationKind::Ltl(formula) => checker.check_ltl(&self.context, &propositions, formula),
            other => panic!("{other:?} has no truth value"),
        };
        answer.expect("the formula is of its logic")
    }

    /// Whether a specification holds.
    pub(crate) fn holds(&self, specification: &Specification) -> bool {
        self.answer(specification).holds.expect("all states are listed")
    }
}
