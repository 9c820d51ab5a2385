//! The loop for reachability: explore what may be reached; if that includes a target, look for a run along the path; if there is none, add
//! predicates that exclude the path.

use super::refiner::{Followed, Refiner};
use super::symbolic::execute;
use super::{Evidence, Obstacle};
use crate::abstraction::explore::{Cause, Ended, Exploration, NodeId};
use crate::abstraction::paths::{Path, path_to};
use crate::abstraction::proof::invariants;
use tertium_program::PointId;
use tertium_support::{Id, StopReason};
use tertium_truth::Kleene;

impl Refiner<'_, '_, '_, '_> {
    /// Whether some run comes to one of these points.
    pub(super) fn reach(&mut self, targets: &[PointId]) -> Result<(Kleene, Evidence), StopReason> {
        let mut is_target = vec![false; self.scopes.icfg.points().len()];
        targets.iter().for_each(|point| is_target[point.index()] = true);
        let is_target = |point: PointId| is_target[point.index()];
        while self.rounds < self.settings.rounds {
            self.rounds += 1;
            self.context.poll()?;
            let (found, ended) = self.explore(&is_target)?;
            match ended {
                Ended::Complete => {
                    let proof = invariants(self.scopes, &self.sites, &found);
                    return Ok((Kleene::False, Evidence::Proof(proof)));
                }
                Ended::TooMany => {
                    return Ok((Kleene::Unknown, Evidence::Open(Obstacle::Nodes(found.nodes.len()))));
                }
                Ended::Met => {
                    let mut obstacle = None;
                    let mut any = false;
                    for &(node, cause) in &found.met {
                        match self.towards(&found, node, cause)? {
                            Towards::New => any = true,
                            Towards::Run(answered) => return Ok(answered),
                            Towards::Blocked(own) => obstacle = obstacle.or(Some(own)),
                        }
                    }
                    if let (false, Some(obstacle)) = (any, obstacle) {
                        return Ok((Kleene::Unknown, Evidence::Open(obstacle)));
                    }
                }
            }
        }
        Ok((Kleene::Unknown, Evidence::Open(Obstacle::Rounds(self.rounds))))
    }

    /// A run to a target, or predicates that exclude the path to it; an obstacle if there is neither.
    fn towards(&mut self, found: &Exploration, node: NodeId, cause: Cause) -> Result<Towards, StopReason> {
        let target = found.node(node).point;
        let obstacle = |path: Option<&Path>| {
            let edges = path.into_iter().flat_map(|path| path.moves.iter().map(|&(_, edge)| edge));
            Ok(Towards::Blocked(Obstacle::Path { target, edges: edges.take(1000).collect() }))
        };
        let Some(path) = path_to(found, node, cause, self.settings.path) else { return obstacle(None) };
        let executed = execute(self.context, self.scopes, &path.moves)?;
        match self.follow(&path.moves, &executed)? {
            Followed::Run(run) => {
                if run.replay(self.scopes.icfg).is_ok_and(|end| end.point() == target) {
                    let is_confirmed = run.is_exact(self.scopes.icfg);
                    return Ok(Towards::Run((Kleene::True, Evidence::Run { run, is_confirmed })));
                }
                obstacle(Some(&path))
            }
            Followed::Impossible(_) if self.suggest(&path.moves, target, false)? => Ok(Towards::New),
            Followed::Impossible(core) if self.exclude(&path.moves, &executed, &core)? => Ok(Towards::New),
            _ if self.suggest(&path.moves, target, true)? => Ok(Towards::New),
            _ => obstacle(Some(&path)),
        }
    }
}

/// What became of a path to a target.
enum Towards {
    /// There are new predicates.
    New,
    /// A run goes along it.
    Run((Kleene, Evidence)),
    /// It was neither excluded nor followed.
    Blocked(Obstacle),
}
