//! Written runs on transition systems: states by their names and labels, steps by their actions.

use super::labelled::Labelled;
use crate::replay::{Misfit, OffersRuns, Rereads, as_evidence, reread};
use crate::{Halt, Logic, Model, PropertyId};
use tertium_evidence::{Concrete, Evidence, Names, check_claim, is_step};
use tertium_report::{PathReport, StateReport, StepReport, cut};
use tertium_support::{Context, Id};
use tertium_system::{ActionId, Modality, PartialSystem, StateId, UNLABELLED};
use tertium_truth::Belnap;

impl OffersRuns for Labelled {
    fn follow(&self, context: &Context, path: &PathReport, begins: bool) -> Result<Option<Misfit>, Halt> {
        Ok(reread(context, &Runs(&self.system), path, begins)?.err())
    }

    fn shows(
        &self,
        context: &Context,
        property: PropertyId,
        holds: bool,
        path: &PathReport,
    ) -> Result<Result<(), String>, Halt> {
        let runs = Runs(&self.system);
        let trace = match reread(context, &runs, path, true)? {
            Ok(trace) => trace,
            Err(misfit) => return Ok(Err(misfit.why)),
        };
        let logic = &self.properties()[property.index()].logic;
        Ok(match (as_evidence(logic, holds, trace), logic) {
            (Evidence::Tree(tree), Logic::Branching(formula)) => check_claim(&runs, formula, holds, &tree),
            _ => Err("it is no property of branching time".to_owned()),
        })
    }
}

/// What written states and steps are in a system.
struct Runs<'m>(&'m PartialSystem);

impl Rereads for Runs<'_> {
    type State = StateId;
    type Step = ActionId;

    fn state(&self, written: &StateReport) -> Result<StateId, String> {
        let state = self.0.state_named(&written.name);
        let state = state.ok_or_else(|| format!("the system has no state `{}`", cut(&written.name)))?;
        let own = Names::values(self.0, state);
        for (name, value) in &written.values {
            let has = own.iter().find(|own| own.name == *name);
            let has = has.ok_or_else(|| format!("the system has no proposition `{}`", cut(name)))?;
            let value = value.as_str().unwrap_or_default();
            if has.value != value {
                return Err(format!(
                    "`{name}` is {} instead of {} at `{}`",
                    has.value,
                    cut(value),
                    written.name
                ));
            }
        }
        Ok(state)
    }

    fn begins(&self, state: &StateId) -> Result<(), String> {
        match self.0.initial().contains(state) {
            true => Ok(()),
            false => Err(format!("`{}` is not initial", self.0.state_name(*state))),
        }
    }

    fn step(&self, from: &StateId, step: &StepReport, to: &StateId) -> Result<ActionId, String> {
        let name = if step.action.is_empty() { UNLABELLED } else { &step.action };
        let action = self.0.actions().get(name);
        let action = action.ok_or_else(|| format!("the system has no action `{}`", cut(&step.action)))?;
        match is_step(self.0, *from, action, *to) {
            true => Ok(action),
            false => Err(format!(
                "no such step leads from `{}` to `{}`",
                self.0.state_name(*from),
                self.0.state_name(*to)
            )),
        }
    }
}

/// Only what is sure counts: musts, and labels that are known.
impl Concrete<StateId, ActionId> for Runs<'_> {
    fn is_initial(&self, state: &StateId) -> bool {
        self.0.initial().contains(state)
    }

    fn is_step(&self, from: &StateId, step: &ActionId, to: &StateId) -> bool {
        self.0.transitions().find(*from, *step, *to).is_some_and(Modality::is_must)
    }

    fn holds(&self, proposition: &str, state: &StateId) -> Option<bool> {
        let labels = self.0.labels();
        match labels.get(labels.names().get(proposition)?, *state) {
            Belnap::True => Some(true),
            Belnap::False => Some(false),
            Belnap::Unknown | Belnap::Inconsistent => None,
        }
    }
}
