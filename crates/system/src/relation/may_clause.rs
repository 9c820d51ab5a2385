//! Clause 1 of refinement, counted: may steps of the left state that still have a match at the right one.
//!
//! `counts(p', (q, x))` is the number of x-successors of q that are related to p'. When it reaches zero, (p, q) falls for
//! every p that has a may step with x into p'.

use super::Relation;
use super::joint::JointActions;
use super::worklist::{Falling, Rows, zeros};
use crate::{ActionId, PartialSystem, StateId, StateSet};
use tertium_support::{Context, Id, StopReason, Ticker};

/// Clause 1: may steps of the left state.
pub(super) struct MayClause {
    /// The pairs (q, x) such that q has a may step with x.
    sources: Vec<(StateId, ActionId)>,
    /// For each right state the positions in `sources` that reach it.
    into: Rows<usize>,
    /// For each left state its may predecessors, by action.
    predecessors: Rows<(ActionId, StateId)>,
    /// `counts[p' · |sources| + (q, x)]`: how many x-successors of q are related to p'.
    counts: Vec<u32>,
}

impl MayClause {
    pub(super) fn new(
        context: &Context,
        ticker: &mut Ticker<'_>,
        left: &PartialSystem,
        right: &PartialSystem,
        actions: &JointActions,
        initial: &Relation,
    ) -> Result<Self, StopReason> {
        let mut sources: Vec<(StateId, ActionId)> = Vec::new();
        let mut into = Vec::new();
        for q in right.states() {
            for (x, q_next) in right.may(q) {
                // The rows of a system are sorted by action, so equal sources are neighbours.
                let source = (q, actions.right(x));
                if sources.last() != Some(&source) {
                    sources.push(source);
                }
                into.push((q_next, sources.len() - 1));
            }
        }
        let mut predecessors = Vec::new();
        for p in left.states() {
            predecessors.extend(left.may(p).map(|(x, p_next)| (p_next, (actions.left(x), p))));
        }
        let counts = zeros(context, left.n_states(), sources.len())?;
        let mut clause = Self {
            into: Rows::new(right.n_states(), &into),
            predecessors: Rows::by_action(left.n_states(), predecessors),
            counts,
            sources,
        };
        for p in left.states() {
            ticker.tick(into.len())?;
            let counts = &mut clause.counts[p.index() * clause.sources.len()..][..clause.sources.len()];
            for &(q_next, source) in &into {
                counts[source] += u32::from(initial.contains(p, q_next));
            }
        }
        Ok(clause)
    }

    /// Removes the pairs that have an unmatched step from the start.
    pub(super) fn start(
        &self,
        ticker: &mut Ticker<'_>,
        left: &PartialSystem,
        right: &PartialSystem,
        actions: &JointActions,
        falling: &mut Falling<'_>,
    ) -> Result<(), StopReason> {
        let mut able = vec![StateSet::empty(right.n_states()); actions.names.len()];
        for &(q, x) in &self.sources {
            able[x.index()].insert(q);
        }
        for p in left.states() {
            let mut last = None;
            for (x, _) in left.may(p) {
                let x = actions.left(x);
                if last.replace(x) == Some(x) {
                    continue;
                }
                ticker.tick(right.n_states())?;
                let mut unable = falling.relation.image(p).clone();
                unable.difference_with(&able[x.index()]);
                unable.iter().for_each(|q| falling.remove(p, q));
            }
        }
        for p in left.states() {
            ticker.tick(self.sources.len())?;
            for source in 0..self.sources.len() {
                if self.counts[p.index() * self.sources.len() + source] == 0 {
                    self.unmatched(p, source, falling);
                }
            }
        }
        Ok(())
    }

    /// Takes note that (p, q) is no longer related; gives the work done.
    pub(super) fn lose(&mut self, p: StateId, q: StateId, falling: &mut Falling<'_>) -> usize {
        for &source in self.into.row(q) {
            let count = &mut self.counts[p.index() * self.sources.len() + source];
            *count -= 1;
            if *count == 0 {
                self.unmatched(p, source, falling);
            }
        }
        self.into.row(q).len()
    }

    /// A step into `p_next` has no match at the source any more.
    fn unmatched(&self, p_next: StateId, source: usize, falling: &mut Falling<'_>) {
        let (q, x) = self.sources[source];
        self.predecessors.with(p_next, x).iter().for_each(|&(_, p)| falling.remove(p, q));
    }
}
