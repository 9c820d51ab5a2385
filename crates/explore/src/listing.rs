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
use std::sync::Arc;
use tertium_support::{Context, Id, StopReason};
use tertium_system::{StateGraph, StateId, StateSpace, StepLabel, Steps, Stop, StopOf};

/// States with their steps.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Shared with the names of states.
    pub(crate) states: Arc<States>,
    pub(crate) steps: KeptSteps,
    n_initial: usize,
    all_initial: bool,
    left_out: bool,
    stopped: Option<StopReason>,
}

/// Where a search begins: states, the first of which are initial.
pub(crate) struct Start<'w> {
    /// The words of all of them.
    pub(crate) words: &'w [u64],
    /// How many there are.
    pub(crate) n_states: usize,
    /// How many of them are initial.
    pub(crate) n_initial: usize,
    /// Whether these are all initial states.
    pub(crate) complete: bool,
}

/// Lists the reachable states of a space, at most `most`. If a limit is reached, what was found until then is listed;
/// before the initial states are known, that is nothing.
pub fn list<S: StateSpace>(context: &Context, space: &S, most: usize) -> Result<Listing, StopOf<S>> {
    list_within(context, space, &Settings { kept: most, ..Settings::default() })
}

/// The same with other settings; breadth first, with all steps.
pub(crate) fn list_within<S: StateSpace>(
    context: &Context,
    space: &S,
    settings: &Settings,
) -> Result<Listing, StopOf<S>> {
    let start = space.initial(context, settings.kept)?;
    let (n_states, complete) = (start.n_states, start.complete);
    let start = Start { words: &start.words, n_states, n_initial: n_states, complete };
    list_from(context, space, &start, settings)
}

/// The same from these states on.
pub(crate) fn list_from<S: StateSpace>(
    context: &Context,
    space: &S,
    start: &Start<'_>,
    settings: &Settings,
) -> Result<Listing, StopOf<S>> {
    debug_assert!(start.n_initial <= start.n_states, "the first states are initial");
    debug_assert_eq!(start.words.len(), start.n_states * space.steps().n_words(), "the words of all of them");
    let settings = Settings { order: Order::Breadth, keep: Keep::All, ..*settings };
    let mut explored = Explored::default();
    let done = explore(context, space, start.words, start.n_states, &settings, &mut explored);
    let stopped = match done {
        Ok(()) => None,
        Err(Stop::Limit(reason)) => Some(reason),
        Err(fault) => return Err(fault),
    };
    // A limit may be reached while the initial states are added.
    let n_initial = start.n_initial.min(explored.n_states());
    let all_initial = start.complete && n_initial == start.n_initial;
    let left_out = explored.left_out();
    let (states, steps) = explored.into_parts();
    debug_assert!(steps.n_followed() <= states.len(), "what is followed was found");
    Ok(Listing { states: Arc::new(states), steps, n_initial, all_initial, left_out, stopped })
}

impl Listing {
    /// Why the search was stopped, if it was.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Whether some step leads to a state that is not kept, or was not followed.
    pub(crate) fn left_out(&self) -> bool {
        self.left_out
    }

    /// How many states were followed, the first ones: all, unless the search was stopped.
    pub(crate) fn n_followed(&self) -> usize {
        self.steps.n_followed()
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
        state.index() < self.n_followed()
    }

    fn words(&self, state: StateId) -> &[u64] {
        self.states.words(state.index())
    }
}
