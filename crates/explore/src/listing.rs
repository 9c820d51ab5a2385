//! All states of a space that a search finds, breadth first, with all steps between them: what checkers of explicit
//! states need.
//!
//! States are numbered in the order in which they are found, the initial ones first, and by parents every state has a
//! shortest path. A search that a limit ends leaves what it found: states that it did not follow, or that have steps to
//! states beyond the bound, are open.
//!
//! Cost: for each state its words, eight bytes for its parent and four for its row; eight bytes for each step. The tables
//! that find states by their words are given back when the search is over.

use crate::explored::{Explored, KeptSteps, States};
use crate::explorer::{Keep, Order, Settings, explore};
use std::ops::Range;
use tertium_support::{Context, Id, StopReason};
use tertium_system::{StateGraph, StateId, StateSpace, StepLabel, Stop, StopOf};

/// States with their steps.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    states: States,
    steps: KeptSteps,
    n_initial: usize,
    all_initial: bool,
    stopped: Option<StopReason>,
}

/// Lists the reachable states of a space, at most `most`. If a limit is reached, what was found until then is listed;
/// before the initial states are known, that is nothing.
pub fn list<S: StateSpace>(context: &Context, space: &S, most: usize) -> Result<Listing, StopOf<S>> {
    let start = space.initial(context, most)?;
    let settings = Settings { order: Order::Breadth, keep: Keep::All, kept: most, ..Settings::default() };
    let mut explored = Explored::default();
    let done = explore(context, space, &start.words, start.n_states, &settings, &mut explored);
    let stopped = match done {
        Ok(()) => None,
        Err(Stop::Limit(reason)) => Some(reason),
        Err(fault) => return Err(fault),
    };
    // A limit may be reached while the initial states are added.
    let n_initial = start.n_states.min(explored.n_states());
    let all_initial = start.complete && n_initial == start.n_states;
    let (states, steps) = explored.into_parts();
    Ok(Listing { states, steps, n_initial, all_initial, stopped })
}

impl Listing {
    /// Why the search was stopped, if it was.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Whether all reachable states and steps are listed.
    pub fn is_complete(&self) -> bool {
        self.all_initial && self.stopped.is_none() && self.open_states().is_empty()
    }

    /// How many bytes states, parents and steps take.
    pub fn bytes(&self) -> usize {
        self.states.bytes() + self.steps.bytes()
    }
}

impl StateGraph for Listing {
    fn n_states(&self) -> usize {
        self.states.len()
    }

    fn n_initial(&self) -> usize {
        self.n_initial
    }

    fn has_all_initial(&self) -> bool {
        self.all_initial
    }

    fn n_steps(&self) -> usize {
        self.steps.n_steps()
    }

    #[inline]
    fn steps(&self, state: StateId) -> Range<usize> {
        self.steps.range(state.index())
    }

    #[inline]
    fn step(&self, step: usize) -> (StepLabel, Option<StateId>) {
        self.steps.step(step)
    }

    fn is_followed(&self, state: StateId) -> bool {
        state.index() < self.steps.n_followed()
    }

    fn words(&self, state: StateId) -> &[u64] {
        self.states.words(state.index())
    }
}
