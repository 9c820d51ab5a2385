//! The greatest simulation or refinement by counting matches: each pair that falls tells the steps it matched.
//!
//! Same relation and same rounds as `naive`. For every step that wants a match we count the matches that are left;
//! when the count reaches zero, the pairs that relied on it fall. This is the idea of counting support used for
//! simulations by \[HHK95\], applied to both clauses of refinement:
//! - a may step into p' under action x is matched at q by `count(p', q, x)` successors of q;
//! - a must (x, X) of the right system (an *obligation*) is met at p by `count(p, X)` musts (x, Y) of p (*offers*),
//!   those whose every y is covered by X; y is covered while `cover(y, X)` members of X are related to it.
//!
//! Pairs are processed round by round, and counters see only earlier rounds, so a pair falls in the same round as in
//! the naive version. Time O(n₁·m₂ + m₁·n₂) for single musts (n states, m transitions), times the sizes of hyper
//! targets otherwise; memory one bit per pair and four bytes per (left state, right (state, action)) and per (left
//! state, obligation).

use super::joint::JointActions;
use super::may_clause::MayClause;
use super::must_clause::MustClause;
use super::naive::Clauses;
use super::{Relation, Rounds};
use crate::{ActionId, PartialSystem, StateId};
use tertium_support::{Context, Id, StopReason};

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
pub(super) struct Falling<'a> {
    pub(super) relation: Relation,
    rounds: Option<&'a mut Rounds>,
    round: usize,
    next: Vec<(StateId, StateId)>,
}

impl Falling<'_> {
    pub(super) fn remove(&mut self, p: StateId, q: StateId) {
        if self.relation.remove(p, q) {
            if let Some(rounds) = &mut self.rounds {
                rounds.set(p, q, self.round);
            }
            self.next.push((p, q));
        }
    }
}

/// Items in rows, in the order in which they were given.
pub(super) struct Rows<T> {
    offsets: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy> Rows<T> {
    pub(super) fn new(n_rows: usize, pairs: &[(StateId, T)]) -> Self {
        let mut offsets = vec![0; n_rows + 1];
        pairs.iter().for_each(|(row, _)| offsets[row.index() + 1] += 1);
        for row in 0..n_rows {
            offsets[row + 1] += offsets[row];
        }
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|&at| pairs[at].0);
        debug_assert_eq!(offsets[n_rows], pairs.len(), "every item is in a row");
        Self { offsets, items: order.into_iter().map(|at| pairs[at].1).collect() }
    }

    pub(super) fn row(&self, row: StateId) -> &[T] {
        &self.items[self.offsets[row.index()]..self.offsets[row.index() + 1]]
    }
}

impl<T: Copy> Rows<(ActionId, T)> {
    /// Rows sorted by action.
    pub(super) fn by_action(n_rows: usize, mut pairs: Vec<(StateId, (ActionId, T))>) -> Self {
        pairs.sort_by_key(|&(_, (action, _))| action);
        let rows = Self::new(n_rows, &pairs);
        debug_assert!(
            StateId::first(n_rows).all(|row| rows.row(row).is_sorted_by_key(|&(action, _)| action)),
            "rows are searched by action"
        );
        rows
    }

    /// The items of a row with this action; only for rows sorted by action.
    pub(super) fn with(&self, row: StateId, action: ActionId) -> &[(ActionId, T)] {
        let row = self.row(row);
        let start = row.partition_point(|&(a, _)| a < action);
        let end = start + row[start..].partition_point(|&(a, _)| a == action);
        &row[start..end]
    }
}

/// Tables from this size on are compared with the memory limit before they are made.
pub(super) const LARGE_TABLE: u64 = 1 << 20;

/// A table of counters, if there is memory for it.
pub(super) fn zeros(context: &Context, rows: usize, columns: usize) -> Result<Vec<u32>, StopReason> {
    let bytes = rows as u64 * columns as u64 * size_of::<u32>() as u64;
    // Asking the operating system takes longer than filling a small table.
    if bytes >= LARGE_TABLE {
        context.reserve(bytes)?;
    }
    Ok(vec![0; rows * columns])
}
