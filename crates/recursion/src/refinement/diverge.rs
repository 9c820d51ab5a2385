//! The loop for non-termination: explore everything; if no abstract state may begin an infinite run, all runs end; if one of the
//! initial ones must, a run is played from there. Else a lasso is looked at that may be one, and the conditions on it become predicates.

use super::lasso::{Lasso, Lassos};
use super::play::play;
use super::refiner::{Followed, Refiner};
use super::symbolic::execute;
use super::{Evidence, Obstacle};
use crate::abstraction::partial;
use crate::demand::{Diverging, Side};
use tertium_support::StopReason;
use tertium_truth::Kleene;

/// So often a cycle is gone round to find predicates on it.
const MOST_ROUNDS: usize = 3;
/// So many lassos are tried before predicates are given up for.
const MOST_LASSOS: usize = 8;

impl Refiner<'_, '_, '_, '_> {
    /// Whether some run never ends.
    pub(super) fn diverge(&mut self) -> Result<(Kleene, Evidence), StopReason> {
        let mut lassos = Lassos::default();
        while self.rounds < self.settings.rounds {
            self.rounds += 1;
            self.context.poll()?;
            let Some((found, partial)) = self.partial()? else {
                return Ok((Kleene::Unknown, Evidence::Open(Obstacle::Nodes(self.settings.nodes))));
            };
            let may = Diverging::solve(self.context, &partial, Side::May)?;
            if !may.holds() {
                return Ok((Kleene::False, Evidence::Ends));
            }
            let must = Diverging::solve(self.context, &partial, Side::Must)?;
            let played = match must.holds() {
                true => play(self.context, self.scopes, &self.sites, &found, &must)?,
                false => None,
            };
            if let Some((run, cycle)) = played {
                return Ok((Kleene::True, Evidence::Diverges { run, cycle }));
            }
            let mut last = None;
            let mut any = false;
            for _ in 0..MOST_LASSOS {
                let is_alive = |node| may.contains(partial::state(node));
                let lasso = lassos.find(self.context, &found, &is_alive, self.settings.path)?;
                let Some(lasso) = lasso else { break };
                any = self.learn(&lasso)?;
                last = Some(lasso);
                if any {
                    break;
                }
            }
            if !any {
                let edges = |moves: &[(_, _)]| moves.iter().map(|&(_, edge)| edge).take(1000).collect();
                let obstacle = last.map_or(Obstacle::Nodes(found.nodes.len()), |lasso| Obstacle::Lasso {
                    stem: edges(&lasso.stem),
                    cycle: edges(&lasso.cycle),
                });
                return Ok((Kleene::Unknown, Evidence::Open(obstacle)));
            }
        }
        Ok((Kleene::Unknown, Evidence::Open(Obstacle::Rounds(self.rounds))))
    }

    /// Adds predicates from going round a lasso. Says whether any is news.
    fn learn(&mut self, lasso: &Lasso) -> Result<bool, StopReason> {
        let mut moves = lasso.stem.clone();
        for _ in 0..MOST_ROUNDS {
            moves.extend(&lasso.cycle);
            if moves.len() > self.settings.path {
                return Ok(false);
            }
            let executed = execute(self.context, self.scopes, &moves)?;
            match self.follow(&moves, &executed)? {
                Followed::Impossible(core) => return self.exclude(&moves, &executed, &core),
                Followed::Run(_) | Followed::Open => {
                    let wanted = self.explain(&moves, &executed, &executed.conditions)?;
                    if self.add_all(&wanted) {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
