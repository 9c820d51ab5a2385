//! Predicates from invariants of path programs.
//!
//! When paths over the same edges are excluded again, a loop or a recursion is being unrolled. The part of the program at the points of
//! the path, with all its ways round, is then given to Spacer. What it suggests holds there for ever, if it is right; it is never believed,
//! only tried as predicates.

use super::refiner::{Moves, Refiner};
use crate::{Horn, Move, Suggestion, Try, candidates_for};
use std::collections::BTreeSet;
use tertium_program::{Action, EdgeId, PointId};
use tertium_solve::HornWay;
use tertium_support::StopReason;

/// Paths over the same edges are excluded so often before Spacer is asked about them.
const AGAIN: usize = 2;

impl Refiner<'_, '_, '_, '_> {
    /// Adds what Spacer suggests for the part of the program that a path to a target goes through, if it is asked. Says whether any
    /// predicate is news.
    pub(super) fn suggest(
        &mut self,
        moves: &Moves,
        target: PointId,
        is_urgent: bool,
    ) -> Result<bool, StopReason> {
        if self.settings.suggestions == 0 {
            return Ok(false);
        }
        let edges: BTreeSet<EdgeId> = moves.iter().map(|&(_, edge)| edge).collect();
        let times = self.excluded.entry(edges.into_iter().collect()).or_default();
        *times += 1;
        // Once when they come again, or when nothing else helps.
        let is_due = *times == AGAIN || (is_urgent && *times < AGAIN);
        if !is_due {
            return Ok(false);
        }
        *times = (*times).max(AGAIN);
        let (context, scopes) = (self.context, self.scopes);
        let points = self.points(moves, target);
        let mut horn = Horn::small(scopes.icfg, &scopes.entries, &[target]);
        let own: BTreeSet<usize> =
            horn.of_point.iter().filter(|(point, _)| points.contains(point)).map(|(_, &own)| own).collect();
        horn.of_point.retain(|_, relation| own.contains(relation));
        horn.clauses.retain(|clause| {
            clause.body.iter().chain(&clause.head).all(|application| own.contains(&application.relation))
        });
        self.statistics.add("suggestions asked", 1);
        // With few steps at first, in all ways.
        let most = self.settings.suggestions;
        let tries = [most / 16, most].into_iter().flat_map(|steps| HornWay::ALL.map(|way| (way, steps)));
        let tries: Vec<Try> = tries.collect();
        let suggested = candidates_for(context, scopes.icfg, &scopes.entries, &horn, &tries);
        let hints = match suggested {
            Suggestion::Proof(hints) => hints,
            Suggestion::Stopped(reason) => {
                context.poll()?;
                return Err(reason);
            }
            Suggestion::Reachable | Suggestion::Nothing => return Ok(false),
        };
        let terms = scopes.terms();
        let mut any = false;
        for (&point, &invariant) in &hints.invariants.at {
            for part in terms.conjuncts(invariant) {
                any |= self.add(point, part);
            }
        }
        if any {
            self.statistics.add("suggestions taken", 1);
        }
        Ok(any)
    }

    /// The points of a path.
    fn points(&self, moves: &Moves, target: PointId) -> BTreeSet<PointId> {
        let icfg = self.scopes.icfg;
        let mut points = BTreeSet::from([icfg.procedure(icfg.main).entry, target]);
        for &(what, edge) in moves {
            let known = icfg.edge(edge);
            match (what, &known.action) {
                (Move::Step, _) => points.extend([known.source, known.target]),
                (Move::Call, Action::Call(call)) => {
                    points.extend([known.source, icfg.procedure(call.callee).entry]);
                }
                (_, Action::Call(call)) => points.extend([known.target, icfg.procedure(call.callee).exit]),
                _ => {}
            }
        }
        points
    }
}
