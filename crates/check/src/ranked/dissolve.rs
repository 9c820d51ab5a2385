//! Which cycles of a part of the game no rank excludes, where all choices are made or count as Odd's.
//!
//! For each odd priority, what has no higher priority is taken apart into components. In a component that has the
//! priority, no run goes on for ever along moves on which a rank falls that nothing there lets grow. So these moves are
//! dropped, and components are looked for again. What is left when no rank helps is lost. On the way to a component every
//! rank is dropped once at most, so each priority costs a walk for each rank.

use super::game::{Components, Game, Place, PositionId};
use crate::equations::EquationId;
use std::collections::BTreeMap;
use tertium_support::{Id, StopReason, Ticker};
use tertium_system::{RankedSteps, ranks_of};

/// A component where the highest priority is odd, and no rank helps.
pub(crate) struct Remaining {
    pub(crate) priority: u32,
    pub(crate) members: Vec<PositionId>,
    /// Moves on which one of these falls do not belong to it.
    pub(crate) dropped: u64,
}

/// What became of the cycles whose highest priority is odd.
#[derive(Default)]
pub(crate) struct Dissolved {
    /// Fixpoints with cycles that ranks exclude, with these ranks in the order of their use.
    pub(crate) uses: BTreeMap<EquationId, Vec<usize>>,
    pub(crate) remaining: Vec<Remaining>,
}

/// Takes a part of the game apart: these positions with the moves that satisfy `inside`, all of which lead among them.
pub(crate) fn dissolve(
    ticker: &mut Ticker<'_>,
    game: &Game,
    positions: &[PositionId],
    inside: &dyn Fn(usize) -> bool,
) -> Result<Dissolved, StopReason> {
    let mut odd: Vec<u32> = positions.iter().map(|&at| game.priority(at)).collect();
    odd.retain(|priority| !priority.is_multiple_of(2));
    odd.sort_unstable();
    odd.dedup();
    let mut search = Components::new(game);
    let mut part_of = vec![0u32; game.n_positions()];
    let mut n_parts = 0;
    let mut dissolved = Dissolved::default();
    for priority in odd {
        let low = positions.iter().copied().filter(|&at| game.priority(at) <= priority);
        let mut waiting = vec![(low.collect::<Vec<_>>(), 0u64)];
        while let Some((part, dropped)) = waiting.pop() {
            n_parts += 1;
            part.iter().for_each(|at| part_of[at.index()] = n_parts);
            let within = |part_of: &[u32], index: usize| {
                let target = game.move_at(index).to;
                inside(index) && part_of[target.index()] == n_parts && game.change(index).falls & dropped == 0
            };
            let components = search.of(game, &part, |index| within(&part_of, index));
            for members in components {
                ticker.tick(members.iter().map(|&at| 1 + game.moves(at).len()).sum())?;
                // Moves out of a component lead to earlier ones, which are no longer in the part.
                let moves = members.iter().flat_map(|&at| game.moves(at));
                let helps = most_helpful(game, moves.filter(|&index| within(&part_of, index)));
                members.iter().for_each(|at| part_of[at.index()] = 0);
                if !members.iter().any(|&at| game.priority(at) == priority) {
                    continue;
                }
                match helps {
                    Helps::NoCycle => {}
                    Helps::None => dissolved.remaining.push(Remaining { priority, members, dropped }),
                    Helps::Rank(rank) => {
                        for &at in members.iter().filter(|&&at| game.priority(at) == priority) {
                            let Place::Claim(id, _) = game.place(at) else { continue };
                            let ranks = dissolved.uses.entry(id).or_default();
                            if !ranks.contains(&rank) {
                                ranks.push(rank);
                            }
                        }
                        waiting.push((members, dropped | 1 << rank));
                    }
                }
            }
        }
    }
    Ok(dissolved)
}

enum Helps {
    /// There is no move at all.
    NoCycle,
    None,
    Rank(usize),
}

/// The rank that falls on most of these moves, among those that none of them lets grow.
fn most_helpful(game: &Game, moves: impl Iterator<Item = usize>) -> Helps {
    let mut counts = [0usize; RankedSteps::MOST];
    let (mut falls, mut may_grow, mut is_cycle) = (0, 0, false);
    for index in moves {
        let change = game.change(index);
        is_cycle = true;
        falls |= change.falls;
        may_grow |= change.may_grow;
        ranks_of(change.falls).for_each(|rank| counts[rank] += 1);
    }
    let best = ranks_of(falls & !may_grow).max_by_key(|&rank| (counts[rank], std::cmp::Reverse(rank)));
    match best {
        Some(rank) => Helps::Rank(rank),
        None if is_cycle => Helps::None,
        None => Helps::NoCycle,
    }
}
