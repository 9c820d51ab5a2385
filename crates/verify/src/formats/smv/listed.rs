//! All reachable states of a model, one by one, and what the explicit checker says of them. For small models, and to compare.

use super::shown::shown;
use super::{Smv, failure};
use crate::{Halt, ListedStates, PropertyId, Shown};
use tertium_evidence::{Assumption, Outcome};
use tertium_front_smv::{
    ExplicitAnswer, ExploreError, ExploreLimits, Explored, Interpreter, Length, Specification,
    SpecificationKind, explain_explicitly, explore, satisfying_states, steps_to_deadlock,
};
use tertium_logic::{FormulaKind, PathOperator, PathQuantifier, is_boolean};
use tertium_support::{Context, Id, Statistics};
use tertium_truth::Verdict;

/// The states.
pub(super) struct Listed<'m> {
    context: &'m Context,
    model: &'m Smv,
    interpreter: Interpreter<'m>,
    explored: Explored,
}

impl<'m> Listed<'m> {
    pub(super) fn new(context: &'m Context, model: &'m Smv) -> Result<Self, Halt> {
        let interpreter = Interpreter::new(&model.flat);
        let explored = explore(context, &interpreter, ExploreLimits::default())
            .map_err(|error| failure(error, &model.flat))?;
        Ok(Self { context, model, interpreter, explored })
    }

    /// What the answer relies on.
    fn assumptions(&self, specification: &Specification) -> Result<Vec<Assumption>, ExploreError> {
        let flat = &self.model.flat;
        let mut found = Vec::new();
        let (just, compassionate) = (!flat.justice.is_empty(), !flat.compassion.is_empty());
        let compassion = compassionate.then_some(Assumption::CompassionIgnored);
        if let SpecificationKind::ComputeMinimum(..) | SpecificationKind::ComputeMaximum(..) =
            specification.kind
        {
            found.extend(just.then_some(Assumption::JusticeIgnored));
            found.extend(compassion);
            return Ok(found);
        }
        found.extend(self.explored.initial().next().is_none().then_some(Assumption::NoInitialState));
        if let SpecificationKind::Ctl(formula) = &specification.kind {
            let unfair = just && self.has_unfair_initial_state()?;
            found.extend(unfair.then_some(Assumption::UnfairInitialStates));
            if is_boolean(formula) {
                return Ok(found);
            }
            found.extend(compassion);
        }
        if !matches!(specification.kind, SpecificationKind::Invariant(_)) {
            let deadlock = |steps| Assumption::Deadlock { state: None, steps: Some(steps), sure: true };
            found.extend(steps_to_deadlock(&self.explored).map(deadlock));
        }
        Ok(found)
    }

    fn has_unfair_initial_state(&self) -> Result<bool, ExploreError> {
        let always = PathOperator::Globally(Box::new(FormulaKind::True.into()));
        let fair = FormulaKind::Path(PathQuantifier::Some, always).into();
        let fair = satisfying_states(self.context, &self.interpreter, &self.explored, &[], &fair)?;
        Ok(self.explored.initial().any(|state| !fair.contains(state)))
    }
}

impl ListedStates for Listed<'_> {
    fn size(&self) -> (usize, usize) {
        (self.explored.n_states(), self.explored.n_edges())
    }

    fn check<'s>(
        &'s self,
        property: PropertyId,
        most_claims: usize,
    ) -> Result<(Outcome, Option<Shown<'s>>), Halt> {
        self.context.poll()?;
        let specification = &self.model.specifications[property.index()];
        let failed = |error| failure(error, &self.model.flat);
        let explained =
            explain_explicitly(self.context, &self.interpreter, &self.explored, specification, most_claims);
        let (answer, evidence) = explained.map_err(failed)?;
        let (verdict, length) = match answer {
            ExplicitAnswer::Truth(true) => (Verdict::True, None),
            ExplicitAnswer::Truth(false) => (Verdict::False, None),
            ExplicitAnswer::Length(Length::Finite(length)) => (Verdict::True, Some(length.to_string())),
            ExplicitAnswer::Length(Length::Infinite) => (Verdict::True, Some("infinite".to_owned())),
            ExplicitAnswer::Length(Length::Undefined) => (Verdict::True, Some("undefined".to_owned())),
        };
        let mut statistics = Statistics::default();
        statistics.set("states", self.explored.n_states());
        statistics.set("transitions", self.explored.n_edges());
        let mut outcome = Outcome::new(verdict, statistics);
        outcome.length = length;
        outcome.assumptions = self.assumptions(specification).map_err(failed)?;
        let holds = verdict == Verdict::True;
        let shown =
            evidence.and_then(|evidence| shown(&self.interpreter, specification.clone(), evidence, holds));
        Ok((outcome, shown))
    }
}
