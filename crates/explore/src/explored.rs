//! What an exploration found: states with their parents, and the steps that were kept.

use crate::rows::{Rows, Target};
use crate::store::{Records, Store, parent_of};
use std::ops::Range;
use tertium_system::{StateId, StepLabel};

/// Which states were followed.
#[derive(Clone, Debug)]
pub(crate) enum Followed {
    /// The first ones, in order.
    First(usize),
    /// These.
    Listed(Vec<u32>),
}

impl Default for Followed {
    fn default() -> Self {
        Self::First(0)
    }
}

/// The steps that were kept, by the states that were followed.
#[derive(Clone, Debug, Default)]
pub struct KeptSteps {
    pub(crate) followed: Followed,
    pub(crate) rows: Option<Rows>,
}

impl KeptSteps {
    /// How many states were followed.
    pub fn n_followed(&self) -> usize {
        match &self.followed {
            Followed::First(n) => *n,
            Followed::Listed(list) => list.len(),
        }
    }

    /// The states that were followed, in that order; all of them unless the goal was found or the exploration was
    /// stopped or cut.
    pub fn followed(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        (0..self.n_followed()).map(|at| match &self.followed {
            Followed::First(_) => at,
            Followed::Listed(list) => list[at] as usize,
        })
    }

    /// The kept steps of the state that was followed as the n-th, in the order of the space.
    pub fn row(&self, n: usize) -> impl Iterator<Item = (StepLabel, Target)> + '_ {
        let rows = self.rows.as_ref().filter(|rows| n < rows.len());
        rows.into_iter().flat_map(move |rows| rows.row(n))
    }

    /// The numbers of the kept steps of the state that was followed as the n-th.
    pub(crate) fn range(&self, n: usize) -> Range<usize> {
        self.rows.as_ref().filter(|rows| n < rows.len()).map_or(0..0, |rows| rows.range(n))
    }

    /// The step with a number, and the state that it leads to, if that is kept.
    #[inline]
    pub(crate) fn step(&self, number: usize) -> (StepLabel, Option<StateId>) {
        let (label, target) = self.rows.as_ref().expect("there is a step").step(number);
        match target {
            Target::State(state) => (label, Some(StateId::from_raw(state))),
            Target::Beyond | Target::Open => (label, None),
        }
    }

    /// How many steps are kept.
    pub fn n_steps(&self) -> usize {
        self.rows.as_ref().map_or(0, Rows::n_steps)
    }

    /// Forgets rows of states that were not followed to the end.
    pub(crate) fn truncate(&mut self) {
        let n_followed = self.n_followed();
        if let Some(rows) = &mut self.rows {
            rows.truncate(n_followed);
            debug_assert_eq!(rows.len(), n_followed, "every state that was followed has a row");
        }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        let listed = match &self.followed {
            Followed::First(_) => 0,
            Followed::Listed(list) => list.capacity() * size_of::<u32>(),
        };
        listed + self.rows.as_ref().map_or(0, Rows::bytes)
    }
}

/// States with their parents. They can no longer be found by their words.
#[derive(Clone, Debug)]
pub struct States(Records);

impl Default for States {
    fn default() -> Self {
        Self(Records::new(1))
    }
}

impl States {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The words of a state.
    #[inline]
    pub fn words(&self, state: usize) -> &[u64] {
        let record = self.0.get(state as u32);
        &record[..record.len() - 1]
    }

    /// The state that another was found from, and by what. Nothing where the exploration began.
    pub fn parent(&self, state: usize) -> Option<(usize, StepLabel)> {
        parent_of(self.0.get(state as u32)).map(|(number, label)| (number as usize, label))
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Explored {
    pub(crate) n_words: usize,
    pub(crate) store: Store,
    pub(crate) kept: KeptSteps,
    pub(crate) left_out: bool,
    pub(crate) n_generated: usize,
    pub(crate) goal: Option<usize>,
}

impl Default for Explored {
    fn default() -> Self {
        Self::new(0, Store::new(1, 0..0), None)
    }
}

impl Explored {
    pub(crate) fn new(n_words: usize, store: Store, rows: Option<Rows>) -> Self {
        let kept = KeptSteps { rows, ..KeptSteps::default() };
        Self { n_words, store, kept, left_out: false, n_generated: 0, goal: None }
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.store.records.len()
    }

    /// The words of a state.
    #[inline]
    pub fn words(&self, state: usize) -> &[u64] {
        &self.store.records.get(state as u32)[..self.n_words]
    }

    /// The number of the state that is matched with these words.
    #[inline]
    pub fn find(&self, words: &[u64]) -> Option<usize> {
        self.store.find(words).map(|number| number as usize)
    }

    /// The state that another was found from, and by what. Nothing where the exploration began.
    pub fn parent(&self, state: usize) -> Option<(usize, StepLabel)> {
        parent_of(self.store.records.get(state as u32)).map(|(number, label)| (number as usize, label))
    }

    /// The states from a beginning to one, by parents.
    pub fn path_to(&self, state: usize) -> Vec<usize> {
        let mut path: Vec<usize> =
            std::iter::successors(Some(state), |&at| self.parent(at).map(|(parent, _)| parent)).collect();
        path.reverse();
        debug_assert!(path.is_sorted_by(|one, other| one < other), "what finds a state was found before it");
        path
    }

    /// The states that were followed, and the steps that were kept.
    pub fn steps(&self) -> &KeptSteps {
        &self.kept
    }

    /// Whether a step led beyond, or was not looked for.
    pub fn left_out(&self) -> bool {
        self.left_out
    }

    /// How many states were generated, again or not, the first ones included.
    pub fn n_generated(&self) -> usize {
        self.n_generated
    }

    /// The state where the goal holds, if one was followed; the exploration ended there.
    pub fn goal(&self) -> Option<usize> {
        self.goal
    }

    /// How many bytes the states, parents, tables and steps take.
    pub fn bytes(&self) -> usize {
        self.store.bytes() + self.kept.bytes()
    }

    /// States and steps apart; what finds states by their words is gone.
    pub fn into_parts(self) -> (States, KeptSteps) {
        (States(self.store.records), self.kept)
    }
}
