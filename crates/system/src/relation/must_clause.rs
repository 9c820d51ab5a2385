//! Clause 2 of refinement, counted: musts of the right state (*obligations*) that the left one still meets by some of
//! its own (*offers*).
//!
//! An offer (x, Y) meets an obligation (x, X) while every y in Y is covered: some member of X is related to it. An offer
//! that fails once fails for good. When the last offer of p for an obligation fails, (p, q) falls for every q that has
//! the obligation. Equal musts of several states are stored once.

use super::Relation;
use super::joint::JointActions;
use super::worklist::{Falling, Rows, zeros};
use crate::{ActionId, PartialSystem, StateId};
use rustc_hash::FxHashMap;
use tertium_support::{Context, Id, IdSet, StopReason, Ticker, define_id};

define_id!(
    /// A distinct pair (action, set of targets) of the musts of one system.
    MustId
);

/// The distinct musts of one system.
struct Musts {
    sets: Vec<(ActionId, Vec<StateId>)>,
    /// For each must, who has it.
    holders: Vec<Vec<StateId>>,
    /// For each state, the musts it is a target of, by action.
    with_target: Rows<(ActionId, MustId)>,
}

impl Musts {
    fn new(system: &PartialSystem, joint: impl Fn(ActionId) -> ActionId) -> Self {
        let mut ids: FxHashMap<(ActionId, &[StateId]), MustId> = FxHashMap::default();
        let mut sets = Vec::new();
        let mut holders: Vec<Vec<StateId>> = Vec::new();
        let mut with_target = Vec::new();
        for state in system.states() {
            for (action, targets) in system.must_sets(state) {
                let action = joint(action);
                let id = *ids.entry((action, targets)).or_insert_with(|| {
                    let id = MustId::new(sets.len());
                    sets.push((action, targets.to_vec()));
                    holders.push(Vec::new());
                    with_target.extend(targets.iter().map(|&target| (target, (action, id))));
                    id
                });
                holders[id.index()].push(state);
            }
        }
        Self { sets, holders, with_target: Rows::by_action(system.n_states(), with_target) }
    }

    fn len(&self) -> usize {
        self.sets.len()
    }
}

/// Clause 2: musts of the right state.
pub(super) struct MustClause {
    /// The musts of the left system.
    offers: Musts,
    /// The musts of the right system.
    obligations: Musts,
    /// `counts[p · |obligations| + o]`: how many offers of p meet obligation o.
    counts: Vec<u32>,
    /// For each obligation with two targets or more, its position in the rows of `cover`.
    hyper: Vec<Option<usize>>,
    n_hyper: usize,
    /// `cover[y · n_hyper + h]`: how many targets of the obligation are related to y.
    cover: Vec<u32>,
    /// For each offer with two targets or more, the obligations it does not meet. An offer with one target fails to
    /// meet an obligation once and needs no memory.
    failed: Vec<Option<IdSet<MustId>>>,
}

impl MustClause {
    pub(super) fn new(
        context: &Context,
        ticker: &mut Ticker<'_>,
        left: &PartialSystem,
        right: &PartialSystem,
        actions: &JointActions,
        initial: &Relation,
    ) -> Result<Self, StopReason> {
        let offers = Musts::new(left, |x| actions.left(x));
        let obligations = Musts::new(right, |x| actions.right(x));
        let mut n_hyper = 0;
        let hyper = obligations.sets.iter().map(|(_, targets)| {
            (targets.len() > 1).then(|| {
                n_hyper += 1;
                n_hyper - 1
            })
        });
        let hyper = hyper.collect();
        let failed = offers.sets.iter();
        let failed = failed.map(|(_, y)| (y.len() > 1).then(|| IdSet::empty(obligations.len())));
        let mut clause = Self {
            counts: zeros(context, left.n_states(), obligations.len())?,
            cover: zeros(context, left.n_states(), n_hyper)?,
            failed: failed.collect(),
            offers,
            obligations,
            hyper,
            n_hyper,
        };
        clause.count_cover(ticker, left, initial)?;
        clause.count_offers(ticker, actions, initial)?;
        Ok(clause)
    }

    fn count_cover(
        &mut self,
        ticker: &mut Ticker<'_>,
        left: &PartialSystem,
        initial: &Relation,
    ) -> Result<(), StopReason> {
        for ((_, targets), hyper) in self.obligations.sets.iter().zip(&self.hyper) {
            let Some(hyper) = hyper else { continue };
            for y in left.states() {
                ticker.tick(targets.len())?;
                let covering = targets.iter().filter(|&&x| initial.contains(y, x)).count();
                self.cover[y.index() * self.n_hyper + hyper] = covering as u32;
            }
        }
        Ok(())
    }

    fn count_offers(
        &mut self,
        ticker: &mut Ticker<'_>,
        actions: &JointActions,
        initial: &Relation,
    ) -> Result<(), StopReason> {
        let mut by_action = vec![Vec::new(); actions.names.len()];
        for (id, (action, _)) in MustId::first(self.obligations.len()).zip(&self.obligations.sets) {
            by_action[action.index()].push(id);
        }
        for (offer, (action, targets)) in self.offers.sets.iter().enumerate() {
            for &obligation in &by_action[action.index()] {
                ticker.tick(1 + targets.len())?;
                if targets.iter().all(|&y| self.covers(obligation, y, initial)) {
                    for p in &self.offers.holders[offer] {
                        self.counts[p.index() * self.obligations.len() + obligation.index()] += 1;
                    }
                } else if let Some(failed) = &mut self.failed[offer] {
                    failed.insert(obligation);
                }
            }
        }
        Ok(())
    }

    /// Whether some target of the obligation is related to `y`, at the start.
    fn covers(&self, obligation: MustId, y: StateId, initial: &Relation) -> bool {
        match self.hyper[obligation.index()] {
            Some(hyper) => self.cover[y.index() * self.n_hyper + hyper] > 0,
            None => self.obligations.sets[obligation.index()].1.iter().any(|&x| initial.contains(y, x)),
        }
    }

    /// Removes the pairs that have an unmet obligation from the start.
    pub(super) fn start(&self, ticker: &mut Ticker<'_>, falling: &mut Falling<'_>) -> Result<(), StopReason> {
        for p in StateId::first(falling.relation.n_left()) {
            ticker.tick(self.obligations.len())?;
            for (obligation, holders) in self.obligations.holders.iter().enumerate() {
                if self.counts[p.index() * self.obligations.len() + obligation] == 0 {
                    holders.iter().for_each(|&q| falling.remove(p, q));
                }
            }
        }
        Ok(())
    }

    /// Takes note that (y, x) is no longer related; gives the work done.
    pub(super) fn lose(&mut self, y: StateId, x: StateId, falling: &mut Falling<'_>) -> usize {
        let mut work = 0;
        for &(action, obligation) in self.obligations.with_target.row(x) {
            work += 1;
            if let Some(hyper) = self.hyper[obligation.index()] {
                let cover = &mut self.cover[y.index() * self.n_hyper + hyper];
                *cover -= 1;
                if *cover > 0 {
                    continue;
                }
            }
            for &(_, offer) in self.offers.with_target.with(y, action) {
                if let Some(failed) = &mut self.failed[offer.index()]
                    && !failed.insert(obligation)
                {
                    continue;
                }
                for &p in &self.offers.holders[offer.index()] {
                    work += 1;
                    let count = &mut self.counts[p.index() * self.obligations.len() + obligation.index()];
                    *count -= 1;
                    if *count == 0 {
                        let holders = &self.obligations.holders[obligation.index()];
                        holders.iter().for_each(|&q| falling.remove(p, q));
                    }
                }
            }
        }
        work
    }
}
