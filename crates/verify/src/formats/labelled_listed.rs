//! The reachable states of a given system, for properties of linear time; and the replay of lassos on its transitions.
//!
//! Only systems that leave nothing open have such properties: in them a path is a path. A proposition is one of the system; `<a>`
//! holds of a path that begins with a step `a`.

use super::labelled::Labelled;
use crate::{Flaw, Halt, ListedStates, Logic, OffersStates, PropertyId, Replay, Shown};
use std::convert::Infallible;
use std::sync::Arc;
use tertium_check::fair::{GraphEvidence, Propositions};
use tertium_evidence::{Evidence, Trace};
use tertium_explore::{Listing, list};
use tertium_logic::{Ltl, holds_on_lasso};
use tertium_support::{Context, Id, IdSet};
use tertium_system::{
    ActionId, InitialWords, Next, PartialSystem, StateGraph, StateId, StateSet, StateSpace, StepFairness,
    StepId, StepSet, Steps, Stop,
};

/// Where the atom of linear time that begins at `start` ends, if it is an action: `<a>`.
pub(super) fn action_end(text: &str, start: usize) -> Option<usize> {
    let inner = text[start..].strip_prefix('<')?;
    let end = match inner.trim_start().starts_with('"') {
        true => {
            let open = inner.find('"')? + 1;
            open + inner[open..].find('"')? + 1
        }
        false => 0,
    };
    Some(start + 1 + end + inner[end..].find('>')? + 1)
}

/// The action that an atom speaks of.
pub(super) fn action_of(atom: &str) -> Option<&str> {
    let name = atom.strip_prefix('<')?.strip_suffix('>')?.trim();
    Some(name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name))
}

/// A system as a state space: a state is its number, a label an action.
struct SystemSpace(Arc<PartialSystem>);

impl Steps for SystemSpace {
    type Scratch = ();
    type Fault = Infallible;

    fn n_words(&self) -> usize {
        1
    }

    fn successors(
        &self,
        words: &[u64],
        (): &mut (),
        mut report: impl FnMut(Next<'_>),
    ) -> Result<(), Stop<Infallible>> {
        for edge in self.0.edges(state_of(words)) {
            report(Next::State(edge.action.index() as u32, &[edge.other.index() as u64]));
        }
        Ok(())
    }
}

fn state_of(words: &[u64]) -> StateId {
    StateId::new(words[0] as usize)
}

impl StateSpace for SystemSpace {
    type Steps = Self;

    fn steps(&self) -> &Self {
        self
    }

    fn initial(&self, _: &Context, most: usize) -> Result<InitialWords, Stop<Infallible>> {
        let all = self.0.initial();
        let words: Vec<u64> = all.iter().take(most).map(|state| state.index() as u64).collect();
        Ok(InitialWords { n_states: words.len(), complete: words.len() == all.len(), words })
    }
}

/// The states.
struct ListedSystem<'m> {
    own: &'m Labelled,
    listing: Listing,
}

impl OffersStates for Labelled {
    fn list<'m>(&'m self, context: &'m Context, most: usize) -> Result<Box<dyn ListedStates + 'm>, Halt> {
        debug_assert!(self.system.is_complete(), "an open system has no properties of linear time");
        let space = SystemSpace(Arc::clone(&self.system));
        let listing = list(context, &space, most).map_err(|stop| match stop {
            Stop::Limit(reason) => Halt::Stopped(reason),
            Stop::Fault(never) => match never {},
        })?;
        Ok(Box::new(ListedSystem { own: self, listing }))
    }
}

impl ListedSystem<'_> {
    fn state(&self, state: StateId) -> StateId {
        state_of(self.listing.words(state))
    }

    fn action(&self, step: usize) -> ActionId {
        ActionId::new(self.listing.step(step).0 as usize)
    }

    /// Where an atom holds. One that is not of the system holds nowhere.
    fn steps_where(&self, atom: &str) -> StepSet {
        let (system, n_states) = (&self.own.system, self.listing.n_states());
        if let Some(action) = action_of(atom) {
            let action = system.actions().get(action);
            let is_such = |step: StepId| Some(self.action(step.index())) == action;
            return StepSet::Steps(IdSet::filter(self.listing.n_steps(), is_such));
        }
        let proposition = system.labels().names().get(atom);
        let holds = |state| proposition.is_some_and(|own| system.labels().get(own, self.state(state)).must());
        StepSet::From(StateSet::filter(n_states, holds))
    }
}

impl ListedStates for ListedSystem<'_> {
    fn graph(&self) -> &Listing {
        &self.listing
    }

    fn fairness(&self, _: &Context) -> Result<StepFairness, Halt> {
        Ok(StepFairness::default())
    }

    fn propositions(&self, _: &Context, property: PropertyId) -> Result<Propositions, Halt> {
        let Logic::Linear(formula) = &self.own.logic(property) else {
            return Err(Halt::Bug("only properties of linear time are asked of listed states".to_owned()));
        };
        Ok(formula.propositions().map(|(name, _)| (name.to_owned(), self.steps_where(name))).collect())
    }

    fn show<'s>(
        &'s self,
        _: PropertyId,
        logic: &Logic,
        evidence: GraphEvidence,
        _: bool,
    ) -> Result<Option<Shown<'s>>, Halt> {
        let mut state = |state: StateId| Ok::<_, Infallible>(self.state(state));
        let mut action = |step: StepId| Ok(self.action(step.index()));
        let Ok(decoded) = evidence.try_map(&mut state, &mut action);
        let (Some(Evidence::Trace(trace)), Logic::Linear(formula)) = (decoded, logic) else {
            return Ok(None);
        };
        let replay = Box::new(LassoReplay {
            system: Arc::clone(&self.own.system),
            formula: formula.clone(),
            trace: trace.clone(),
        });
        Ok(Some(Shown { names: Arc::clone(&self.own.names) as _, evidence: Evidence::Trace(trace), replay }))
    }
}

/// A lasso that is said to break a property.
struct LassoReplay {
    system: Arc<PartialSystem>,
    formula: Ltl,
    trace: Trace,
}

impl Replay for LassoReplay {
    fn by(&self) -> &'static str {
        "the transitions of the system"
    }

    fn replay(&self, _: &Context) -> Result<(), Flaw> {
        let wrong = |what: &str| Err(Flaw::Wrong(what.to_owned()));
        let (system, trace) = (&self.system, &self.trace);
        let Some(loop_start) = trace.loop_start.filter(|_| trace.is_well_formed()) else {
            return wrong("the path does not go on for ever");
        };
        if !system.initial().contains(&trace.states[0]) {
            return wrong("the path does not begin in an initial state");
        }
        for (at, &action) in trace.steps.iter().enumerate() {
            let target = trace.states[trace.target(at)];
            if !system.edges(trace.states[at]).any(|edge| edge.action == action && edge.other == target) {
                return wrong("a step of the path is none of the system");
            }
        }
        let at = |place: usize, name: &str| match action_of(name) {
            Some(action) => system.actions().name(trace.steps[place]) == action,
            None => {
                let proposition = system.labels().names().get(name);
                proposition.is_some_and(|own| system.labels().get(own, trace.states[place]).must())
            }
        };
        match holds_on_lasso(&self.formula, trace.states.len(), loop_start, at) {
            true => wrong("the property holds on the path"),
            false => Ok(()),
        }
    }
}
