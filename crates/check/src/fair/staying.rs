//! A graph whose paths do not end: a state without steps has one to itself.
//!
//! That is the other reading of paths that end, and shows whether an answer depends on how they are read. The steps that are new have the
//! last numbers. Sets of states say which of them they contain; sets of steps, which tell steps of one state apart, contain none.

use super::{FairChecker, FairMemory, Propositions};
use std::ops::Range;
use tertium_support::IdSet;
use tertium_system::{StateGraph, StateId, StepFairness, StepLabel, StepSet};

/// The graph with these steps.
#[derive(Debug)]
pub struct Staying<'g, G> {
    graph: &'g G,
    /// The states that stay, in order.
    ends: Vec<StateId>,
}

impl<G: StateGraph> StateGraph for Staying<'_, G> {
    fn n_states(&self) -> usize {
        self.graph.n_states()
    }

    fn n_initial(&self) -> usize {
        self.graph.n_initial()
    }

    fn has_all_initial(&self) -> bool {
        self.graph.has_all_initial()
    }

    fn n_steps(&self) -> usize {
        self.graph.n_steps() + self.ends.len()
    }

    fn steps(&self, state: StateId) -> Range<usize> {
        match self.ends.binary_search(&state) {
            Ok(at) => self.graph.n_steps() + at..self.graph.n_steps() + at + 1,
            Err(_) => self.graph.steps(state),
        }
    }

    fn step(&self, step: usize) -> (StepLabel, Option<StateId>) {
        match step.checked_sub(self.graph.n_steps()) {
            Some(at) => (StepLabel::default(), Some(self.ends[at])),
            None => self.graph.step(step),
        }
    }

    fn is_followed(&self, state: StateId) -> bool {
        self.graph.is_followed(state)
    }

    fn words(&self, state: StateId) -> &[u64] {
        self.graph.words(state)
    }
}

impl<G: StateGraph> FairChecker<'_, G> {
    /// Asks a checker of the graph whose paths do not end, which has the propositions where they hold there.
    pub fn where_ends_stay<T>(
        &self,
        propositions: &Propositions,
        ask: impl FnOnce(&mut FairChecker<'_, Staying<'_, G>>, &Propositions) -> T,
    ) -> T {
        let graph = Staying { graph: self.graph, ends: self.graph.deadlocks().iter().collect() };
        debug_assert!(graph.deadlocks().is_empty(), "no path ends");
        let longer = |set: &StepSet| match set {
            StepSet::From(states) => StepSet::From(states.clone()),
            StepSet::Steps(steps) => StepSet::Steps(IdSet::of(graph.n_steps(), steps.iter())),
        };
        let pair = |(one, other): &(StepSet, StepSet)| (longer(one), longer(other));
        let fairness = StepFairness {
            justice: self.fairness.justice.iter().map(longer).collect(),
            compassion: self.fairness.compassion.iter().map(pair).collect(),
        };
        let propositions = propositions.iter().map(|(name, set)| (name.clone(), longer(set))).collect();
        ask(&mut FairChecker::new(&graph, &fairness, &mut FairMemory::default()), &propositions)
    }
}
