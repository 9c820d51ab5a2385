//! What the systems on demand give beside sets of states: both sides together, summaries, and what it took.

use super::graph::Graph;
use super::pairs::Pairs;
use super::{Diverging, Goal, PartialProgram, Reaching, Side, StateId};
use std::collections::BTreeSet;
use tertium_program::ProcedureId;
use tertium_support::{Context, Id, StopReason};
use tertium_truth::Belnap;

/// A part of a summary: from an entry state the exit is reached in one of some states.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Summary {
    /// Of which procedure.
    pub procedure: ProcedureId,
    /// Where it begins.
    pub entry: StateId,
    /// One of these is reached, and one cannot choose which. On the may-side there is one.
    pub exits: Vec<StateId>,
}

impl Summary {
    /// The pairs of states that are called.
    pub(super) fn all(graph: &Graph<'_>, pairs: &Pairs) -> Vec<Self> {
        let called = StateId::first(graph.program.states().len())
            .filter(|state| !graph.callers[state.index()].is_empty());
        let summaries = called.flat_map(|entry| {
            let own = pairs.of(graph.node(entry)).iter();
            own.map(move |&pair| Self {
                procedure: graph.program.state(entry).procedure,
                entry,
                exits: pairs.set(pair).to_vec(),
            })
        });
        let mut all: Vec<Self> = summaries.collect();
        all.sort_unstable();
        all
    }
}

/// What solving a system on one side took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Pairs of a node and exits that were found.
    pub n_pairs: usize,
    /// Those at entry states.
    pub n_summaries: usize,
    /// Procedures with a summary.
    pub n_procedures: usize,
    /// Exit states that were demanded.
    pub n_demanded: usize,
    /// Sets of exits that were left out because there were too many; only on the must-side.
    pub n_left_out: usize,
}

impl Statistics {
    pub(super) fn of(graph: &Graph<'_>, pairs: &Pairs) -> Self {
        let summaries = Summary::all(graph, pairs);
        let procedures: BTreeSet<ProcedureId> = summaries.iter().map(|summary| summary.procedure).collect();
        Self {
            n_pairs: pairs.n_pairs(),
            n_summaries: summaries.len(),
            n_procedures: procedures.len(),
            n_demanded: StateId::first(graph.program.states().len())
                .filter(|&exit| pairs.is_demanded(exit))
                .count(),
            n_left_out: pairs.n_left_out,
        }
    }
}

/// Both sides of an answer.
#[derive(Debug)]
pub struct Sides<T> {
    /// What must be.
    pub must: T,
    /// What may be.
    pub may: T,
}

/// Where a goal can be reached, on both sides.
pub fn reaching<'p>(
    context: &Context,
    program: &'p PartialProgram,
    goal: &Goal,
) -> Result<Sides<Reaching<'p>>, StopReason> {
    let solve = |side| Reaching::solve(context, program, goal, side);
    Ok(Sides { must: solve(Side::Must)?, may: solve(Side::May)? })
}

/// Where infinite runs begin, on both sides.
pub fn diverging<'p>(
    context: &Context,
    program: &'p PartialProgram,
) -> Result<Sides<Diverging<'p>>, StopReason> {
    let solve = |side| Diverging::solve(context, program, side);
    Ok(Sides { must: solve(Side::Must)?, may: solve(Side::May)? })
}

impl Sides<Reaching<'_>> {
    /// Whether the goal can be reached from where the program begins.
    pub fn value(&self) -> Belnap {
        Belnap::from_bits(self.must.holds(), self.may.holds())
    }

    /// Whether it can be reached from a state.
    pub fn at(&self, state: StateId) -> Belnap {
        Belnap::from_bits(self.must.contains(state), self.may.contains(state))
    }
}

impl Sides<Diverging<'_>> {
    /// Whether there is an infinite run from where the program begins.
    pub fn value(&self) -> Belnap {
        Belnap::from_bits(self.must.holds(), self.may.holds())
    }

    /// Whether there is one from a state.
    pub fn at(&self, state: StateId) -> Belnap {
        Belnap::from_bits(self.must.contains(state), self.may.contains(state))
    }
}
