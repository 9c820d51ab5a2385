//! State spaces: transition systems that are given by functions instead of lists.
//!
//! A state is a fixed number of words. A space says where it begins and what the steps of a state are; nobody else
//! knows what the words mean. The work is divided in two, since what computes most steps can be shared by threads, and
//! what can compute all of them often cannot: [`Steps`] is the part for everybody, [`StateSpace`] the part for one.
//!
//! Laws. Every implementation keeps them, and every explorer relies on them:
//!
//! - *One form.* Within one space two states are equal iff their words are. If states are matched by something coarser,
//!   they are matched iff the words of [`Steps::key`] are equal, and these are a function of the state.
//! - *Same steps, same order.* What is reported for some words never changes, and neither does its order: it does not
//!   depend on the thread, on the scratch, or on what was asked before.
//! - *Nothing is lost.* Each step of a state is reported as [`Next::State`] or [`Next::Beyond`], or is one of those
//!   that a [`Next::Open`] stands for, or comes of asking for the label of a [`Next::Ask`].
//! - *Nothing is made up.* A state or a beyond that is reported is a step that can be taken.

use std::ops::Range;
use tertium_support::{Context, StopReason};

/// Says who moves, and how: a command, or a way through one. Small, and the same for all states.
pub type StepLabel = u32;

/// Something that can happen at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<'a> {
    /// A step with this label leads to the state with these words.
    State(StepLabel, &'a [u64]),
    /// A step with this label leads to a state that has no words.
    Beyond(StepLabel),
    /// Steps with this label were not looked for: there may be any number of them, none included, and they may lead
    /// anywhere.
    Open(StepLabel),
    /// Steps with this label, in this place of the order, have to be asked for, see [`StateSpace::ask`].
    Ask(StepLabel),
}

/// What computes the steps of states, for several threads at once.
pub trait Steps: Sync {
    /// What a thread keeps from state to state. It has no meaning, only memory.
    type Scratch: Default + Send + Sync;
    /// Why a state has no meaning.
    type Fault;

    /// How many words a state has.
    fn n_words(&self) -> usize;

    /// The words that states are matched by.
    fn key(&self) -> Range<usize> {
        0..self.n_words()
    }

    /// Reports what can happen at a state, in order.
    fn successors(
        &self,
        words: &[u64],
        scratch: &mut Self::Scratch,
        report: impl FnMut(Next<'_>),
    ) -> Result<(), Stop<Self::Fault>>;

    /// Whether an exploration should end when it has followed this state; nothing if that has to be asked.
    fn is_goal(&self, _words: &[u64], _scratch: &mut Self::Scratch) -> Option<bool> {
        Some(false)
    }
}

/// Some initial states, one after the other in one list of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InitialWords {
    /// The words of the states, each given once.
    pub words: Vec<u64>,
    /// How many states these are.
    pub n_states: usize,
    /// Whether these are all.
    pub complete: bool,
}

/// Why an exploration stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop<F> {
    /// A limit was reached.
    Limit(StopReason),
    /// A state has no meaning.
    Fault(F),
}

impl<F> From<StopReason> for Stop<F> {
    fn from(reason: StopReason) -> Self {
        Self::Limit(reason)
    }
}

/// Why an exploration of this space stops.
pub type StopOf<S> = Stop<<<S as StateSpace>::Steps as Steps>::Fault>;

/// A transition system given by functions on words. What it learns while it is asked, such as numbers that do not fit
/// into words, it keeps for itself.
pub trait StateSpace: Sized {
    /// What computes most of its steps.
    type Steps: Steps;

    /// What computes most of its steps.
    fn steps(&self) -> &Self::Steps;

    /// Up to `most` initial states.
    fn initial(&self, context: &Context, most: usize) -> Result<InitialWords, StopOf<Self>>;

    /// Reports the steps with a label that [`Steps::successors`] left to be asked for; it reports no [`Next::Ask`].
    /// Nothing is left unless a space says so.
    fn ask(
        &self,
        _words: &[u64],
        _label: StepLabel,
        _report: &mut dyn FnMut(Next<'_>),
    ) -> Result<(), StopOf<Self>> {
        Ok(())
    }

    /// Whether an exploration should end when it has followed this state, where [`Steps::is_goal`] cannot tell.
    fn ask_goal(&self, _words: &[u64]) -> bool {
        false
    }

    /// Whether there are steps that [`StateSpace::further`] reports.
    fn has_further(&self) -> bool {
        false
    }

    /// Reports steps that only one can find, after all others of the state.
    fn further(&self, _words: &[u64], _report: &mut dyn FnMut(Next<'_>)) -> Result<(), StopReason> {
        Ok(())
    }
}
