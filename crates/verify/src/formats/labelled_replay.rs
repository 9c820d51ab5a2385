//! Written runs on transition systems: states by their names and labels, steps by their actions.

use super::labelled::{Labelled, Written};
use crate::replay::{Misfit, OffersRuns, Rereads, WrittenEvidence, WrittenTrace, reread, reread_evidence};
use crate::simulate::MOST_CHOICES;
use crate::{Halt, Logic, Model, PropertyId, Steps};
use tertium_evidence::{Concrete, Evidence, Names, check_claim, is_step};
use tertium_report::{Choice, Offer, StateReport, StepReport, cut};
use tertium_support::{Context, Id};
use tertium_system::{ActionId, Modality, PartialSystem, StateId, UNLABELLED};
use tertium_truth::Belnap;

impl OffersRuns for Labelled {
    fn steps<'m>(&'m self) -> Box<dyn Steps + 'm> {
        Box::new(Runs(&self.system, &self.names))
    }

    fn follow(
        &self,
        context: &Context,
        trace: &WrittenTrace<'_>,
        begins: bool,
    ) -> Result<Option<Misfit>, Halt> {
        Ok(reread(context, &Runs(&self.system, &self.names), trace, begins)?.err())
    }

    fn shows(
        &self,
        context: &Context,
        property: PropertyId,
        holds: bool,
        evidence: &WrittenEvidence<'_>,
    ) -> Result<Result<(), String>, Halt> {
        let runs = Runs(&self.system, &self.names);
        let evidence = match reread_evidence(context, &runs, evidence)? {
            Ok(evidence) => evidence,
            Err(misfit) => return Ok(Err(misfit.why)),
        };
        let logic = &self.properties()[property.index()].logic;
        Ok(match (evidence, logic) {
            (Evidence::Tree(tree), Logic::Branching(formula)) => check_claim(&runs, formula, holds, &tree),
            _ => Err("it is no property of branching time".to_owned()),
        })
    }
}

/// All steps are offered; those that may exist are marked, and so are those to a target of a must with several.
impl Steps for Runs<'_> {
    fn initial(&self, _: &Context) -> Result<Offer, Halt> {
        let begin = |&state: &StateId| Choice { step: None, state: self.report(state), unsure: false };
        let initial = self.0.initial();
        Ok(Offer::of(initial.iter().take(MOST_CHOICES).map(begin).collect(), initial.len() > MOST_CHOICES))
    }

    fn enabled(&self, _: &Context, state: &StateReport) -> Result<Offer, Halt> {
        let from = self.state(state).map_err(Halt::Bug)?;
        let transitions = self.0.transitions();
        let edges = transitions.edges(from).map(|edge| (edge.action, edge.other, !edge.modality.is_must()));
        let several = self
            .0
            .hyper_musts()
            .of(from)
            .flat_map(|(action, targets)| targets.iter().map(move |&target| (action, target, true)));
        let others = several.filter(|(action, target, _)| transitions.find(from, *action, *target).is_none());
        let mut all: Vec<(ActionId, StateId, bool)> = edges.chain(others).collect();
        all.sort();
        all.dedup();
        let choice = |&(action, target, unsure): &(ActionId, StateId, bool)| Choice {
            step: Some(self.1.step_between(from, action, target).into()),
            state: self.report(target),
            unsure,
        };
        Ok(Offer::of(all.iter().take(MOST_CHOICES).map(choice).collect(), all.len() > MOST_CHOICES))
    }

    fn holds(&self, _: PropertyId, proposition: &str, state: &StateReport) -> Option<bool> {
        Concrete::holds(self, proposition, &self.state(state).ok()?)
    }
}

impl Runs<'_> {
    fn report(&self, state: StateId) -> StateReport {
        let values = Names::values(self.0, state).into_iter().map(|own| (own.name, own.value.into()));
        StateReport { name: Names::state(self.0, state), values: values.collect() }
    }
}

/// What written states and steps are in a system.
struct Runs<'m>(&'m PartialSystem, &'m Written);

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
