//! What was listed of a state space: numbered states, with their steps in rows.
//!
//! Checkers that need all states at hand see this. A graph may be cut: then some states are *open*, which means that
//! they have, or may have, steps that are not listed. Everything that is listed is really there.

use crate::{StateId, StateSet, StepLabel};
use std::ops::Range;
use tertium_support::{Id, IdSet, define_id};

define_id!(
    /// A step of a graph.
    StepId
);

/// States and steps. The first states are the initial ones.
pub trait StateGraph {
    /// How many states there are.
    fn n_states(&self) -> usize;

    /// How many of them are initial: the first ones.
    fn n_initial(&self) -> usize;

    /// Whether all initial states are listed.
    fn has_all_initial(&self) -> bool;

    /// How many steps there are.
    fn n_steps(&self) -> usize;

    /// The steps from a state, by their numbers.
    fn steps(&self, state: StateId) -> Range<usize>;

    /// The label of a step, and where it leads; nothing if that is not listed, or the step may not exist.
    fn step(&self, step: usize) -> (StepLabel, Option<StateId>);

    /// Whether all steps of a state were looked for.
    fn is_followed(&self, state: StateId) -> bool;

    /// The words of a state.
    fn words(&self, state: StateId) -> &[u64];

    /// The states with steps that are not listed, or may have such.
    fn open_states(&self) -> StateSet {
        StateSet::filter(self.n_states(), |state| {
            !self.is_followed(state) || self.steps(state).any(|step| self.step(step).1.is_none())
        })
    }

    /// The states that are surely without steps.
    fn deadlocks(&self) -> StateSet {
        StateSet::filter(self.n_states(), |state| self.is_followed(state) && self.steps(state).is_empty())
    }
}

/// Some steps of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepSet {
    /// All steps from these states. It can be asked of states alone.
    From(StateSet),
    /// These steps.
    Steps(IdSet<StepId>),
}

impl StepSet {
    /// Whether a step from a state is one of them.
    #[inline]
    pub fn contains(&self, state: StateId, step: usize) -> bool {
        match self {
            Self::From(states) => states.contains(state),
            Self::Steps(steps) => steps.contains(StepId::new(step)),
        }
    }

    /// The states, if all steps of each state are in it or none.
    pub fn states(&self) -> Option<&StateSet> {
        match self {
            Self::From(states) => Some(states),
            Self::Steps(_) => None,
        }
    }
}

/// Which infinite paths count.
#[derive(Clone, Debug, Default)]
pub struct StepFairness {
    /// Justice: a fair path takes steps of each set infinitely often.
    pub justice: Vec<StepSet>,
    /// Compassion: if it takes steps of the first infinitely often, then of the second, too.
    pub compassion: Vec<(StepSet, StepSet)>,
}
