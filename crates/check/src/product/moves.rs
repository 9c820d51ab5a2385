//! From the solved game back to the equations: where they hold, and the moves of the prover.

use super::{Part, Place, Product};
use crate::equations::Operator;
use crate::game::{Player, Regions, Solution, VertexId};
use crate::necessity::{Moves, NO_MOVE};
use tertium_support::Id;
use tertium_system::{StateId, StateSet};

impl Product<'_> {
    /// Where each equation with vertices holds.
    pub(super) fn regions(&self, game: &Regions) -> Vec<Option<StateSet>> {
        let holds = |part: &Part<'_>| {
            let first = part.first?;
            Some(StateSet::filter(self.n_states, |state| {
                game.winner(VertexId::new(first + state.index())) == Player::Even
            }))
        };
        self.parts.iter().map(holds).collect()
    }

    /// The inlined equations, each after those it depends on.
    pub(super) fn inlined_innermost_first(&self) -> Vec<usize> {
        let mut order = Vec::new();
        for &block in &self.blocks {
            let mut stack = vec![block];
            let mut found: Vec<usize> = Vec::new();
            while let Some(at) = stack.pop() {
                let inner = self.parts[at].inner.iter().map(|&(inner, _)| inner);
                let inlined: Vec<usize> = inner.filter(|&inner| self.parts[inner].first.is_none()).collect();
                found.extend(&inlined);
                stack.extend(inlined);
            }
            order.extend(found.into_iter().rev());
        }
        debug_assert_eq!(
            order.len() + self.blocks.len(),
            self.parts.len(),
            "every equation has vertices or is inlined once"
        );
        order
    }

    /// The moves of Even where it wins, as `Necessity` records them.
    pub(super) fn moves(&self, game: &Solution) -> Vec<Option<Moves>> {
        let mut moves: Vec<Option<Moves>> = self
            .parts
            .iter()
            .map(|part| match part.operator {
                Operator::Or(_) | Operator::Diamond(..) => Some(vec![NO_MOVE; self.n_states]),
                Operator::Cover(_) => Some(vec![NO_MOVE; self.problem.domain().n_concrete()]),
                _ => None,
            })
            .collect();
        for &at in self.blocks.iter().filter(|&&at| self.parts[at].owner == Player::Even) {
            for state in StateId::first(self.n_states) {
                let v = self.vertex(at, state);
                if game.winner(v) == Player::Even
                    && let Some(target) = game.strategy(v)
                {
                    let found = self.record(at, state, target, &mut moves);
                    debug_assert!(found, "every move of the game is a move of the formula");
                }
            }
        }
        for &at in &self.auxiliaries {
            if let (Operator::Cover(_), Some(picks)) = (self.parts[at].operator, &mut moves[at]) {
                for (concrete, pick) in picks.iter_mut().enumerate() {
                    let v = self.auxiliary(at, concrete);
                    let target = game.strategy(v).filter(|_| game.winner(v) == Player::Even);
                    if let Some(Place::At(_, state)) = target.map(|target| self.place(target)) {
                        *pick = state.raw();
                    }
                }
            }
        }
        moves
    }

    /// Records the way through what is inlined at `at` that leads from `state` to `target`.
    fn record(&self, at: usize, state: StateId, target: VertexId, moves: &mut [Option<Moves>]) -> bool {
        let set = |moves: &mut [Option<Moves>], choice: usize| {
            if let Some(moves) = &mut moves[at] {
                moves[state.index()] = choice as u32;
            }
        };
        match self.parts[at].operator {
            Operator::Diamond(..) => match (self.leads_to(at, state, target), self.place(target)) {
                (true, Place::At(_, next)) => set(moves, next.index()),
                (true, Place::Auxiliary(_, hyper)) => set(moves, self.n_states + hyper),
                _ => return false,
            },
            Operator::Or(_) | Operator::Fixpoint { .. } => {
                if target == self.won()
                    && let Some((index, _)) = self.outside(at).find(|(_, holds)| holds.contains(state))
                {
                    set(moves, index);
                    return true;
                }
                let way = self.parts[at].inner.iter().find(|&&(inner, _)| {
                    if self.parts[inner].first.is_some() {
                        self.vertex(inner, state) == target
                    } else {
                        self.record(inner, state, target, moves)
                    }
                });
                let Some(&(_, index)) = way else { return false };
                set(moves, index);
            }
            _ => return false,
        }
        true
    }

    fn leads_to(&self, modality: usize, state: StateId, target: VertexId) -> bool {
        self.step(modality, state, 0, &mut |found| found == target).is_some()
    }
}
