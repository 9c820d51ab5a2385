//! The greatest simulation or refinement by counting matches: each pair that falls tells the steps it matched.
//!
//! Same relation and same rounds as `naive`. For every step that wants a match we count the matches that are left;
//! when the count reaches zero, the pairs that relied on it fall. This is the idea of counting support used for
//! simulations by [HHK95], applied to both clauses of refinement:
//! - a may step into p' under action x is matched at q by `count(p', q, x)` successors of q;
//! - a must (x, X) of the right system (an *obligation*) is met at p by `count(p, X)` musts (x, Y) of p (*offers*),
//!   those whose every y is covered by X; y is covered while `cover(y, X)` members of X are related to it.
//!
//! Pairs are processed round by round, and counters see only earlier rounds, so a pair falls in the same round as in
//! the naive version. Time O(n₁·m₂ + m₁·n₂) for single musts (n states, m transitions), times the sizes of hyper
//! targets otherwise; memory one bit per pair and four bytes per (left state, right (state, action)) and per (left
//! state, obligation).

use super::joint::JointActions;
use super::naive::Clauses;
use super::{Relation, Rounds};
use crate::{ActionId, PartialSystem, StateId, StateSet};
use rustc_hash::FxHashMap;
use tertium_support::{Context, Id, IdSet, StopReason, Ticker, define_id};

/// The greatest relation inside `initial` that satisfies the clauses. Rounds of falling pairs are noted in `rounds`,
/// which must be fresh for `initial`.
pub(super) fn greatest(
    context: &Context,
    left: &PartialSystem,
    right: &PartialSystem,
    initial: Relation,
    clauses: Clauses,
    rounds: Option<&mut Rounds>,
) -> Result<Relation, StopReason> {
    let mut ticker = context.ticker("relation");
    let actions = JointActions::new(left, right);
    let mut may = MayClause::new(context, &mut ticker, left, right, &actions, &initial)?;
    let mut must = match clauses {
        Clauses::Simulation => None,
        Clauses::Refinement => Some(MustClause::new(context, &mut ticker, left, right, &actions, &initial)?),
    };
    // All counters are set before the first pair falls: they describe `initial`.
    let mut falling = Falling { relation: initial, rounds, round: 1, next: Vec::new() };
    may.start(&mut ticker, left, right, &actions, &mut falling)?;
    if let Some(must) = &must {
        must.start(&mut ticker, &mut falling)?;
    }
    while !falling.next.is_empty() {
        falling.round += 1;
        for (p, q) in std::mem::take(&mut falling.next) {
            let mut work = 1 + may.lose(p, q, &mut falling);
            if let Some(must) = &mut must {
                work += must.lose(p, q, &mut falling);
            }
            ticker.tick(work)?;
        }
    }
    Ok(falling.relation)
}

/// The pairs left, and those that fell in this round.
struct Falling<'a> {
    relation: Relation,
    rounds: Option<&'a mut Rounds>,
    round: usize,
    next: Vec<(StateId, StateId)>,
}

impl Falling<'_> {
    fn remove(&mut self, p: StateId, q: StateId) {
        if self.relation.remove(p, q) {
            if let Some(rounds) = &mut self.rounds {
                rounds.set(p, q, self.round);
            }
            self.next.push((p, q));
        }
    }
}

/// Items in rows, in the order in which they were given.
struct Rows<T> {
    offsets: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy> Rows<T> {
    fn new(n_rows: usize, pairs: &[(StateId, T)]) -> Self {
        let mut offsets = vec![0; n_rows + 1];
        pairs.iter().for_each(|(row, _)| offsets[row.index() + 1] += 1);
        for row in 0..n_rows {
            offsets[row + 1] += offsets[row];
        }
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|&at| pairs[at].0);
        Self { offsets, items: order.into_iter().map(|at| pairs[at].1).collect() }
    }

    fn row(&self, row: StateId) -> &[T] {
        &self.items[self.offsets[row.index()]..self.offsets[row.index() + 1]]
    }
}

impl<T: Copy> Rows<(ActionId, T)> {
    /// Rows sorted by action.
    fn by_action(n_rows: usize, mut pairs: Vec<(StateId, (ActionId, T))>) -> Self {
        pairs.sort_by_key(|&(_, (action, _))| action);
        Self::new(n_rows, &pairs)
    }

    /// The items of a row with this action; only for rows sorted by action.
    fn with(&self, row: StateId, action: ActionId) -> &[(ActionId, T)] {
        let row = self.row(row);
        let start = row.partition_point(|&(a, _)| a < action);
        let end = start + row[start..].partition_point(|&(a, _)| a == action);
        &row[start..end]
    }
}

/// Clause 1: may steps of the left state.
struct MayClause {
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
    fn new(
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
    fn start(
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
    fn lose(&mut self, p: StateId, q: StateId, falling: &mut Falling<'_>) -> usize {
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
struct MustClause {
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
    fn new(
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
    fn start(&self, ticker: &mut Ticker<'_>, falling: &mut Falling<'_>) -> Result<(), StopReason> {
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
    fn lose(&mut self, y: StateId, x: StateId, falling: &mut Falling<'_>) -> usize {
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

/// Tables from this size on are compared with the memory limit before they are made.
pub(super) const LARGE_TABLE: u64 = 1 << 20;

/// A table of counters, if there is memory for it.
fn zeros(context: &Context, rows: usize, columns: usize) -> Result<Vec<u32>, StopReason> {
    let bytes = rows as u64 * columns as u64 * size_of::<u32>() as u64;
    // Asking the operating system takes longer than filling a small table.
    if bytes >= LARGE_TABLE {
        context.reserve(bytes)?;
    }
    Ok(vec![0; rows * columns])
}
