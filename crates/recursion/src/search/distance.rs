//! How far it is to targets: the fewest edges along paths whose calls and returns match.
//!
//! From a point there are two ways: *down*, to a target in this activation or one that it calls, and to the *exit*, behind which a
//! caller goes on. A state is as far as its point is down, or as far as it is to the exit and then from where the caller goes on; that part
//! is known when the call is made. So the distance is exact but for what conditions exclude, and where there is none, no run needs
//! to be followed.
//!
//! Cost: a few rounds over the edges, until nothing changes.

use tertium_program::{Action, Edge, Icfg, PointId};
use tertium_support::Id;

/// The fewest edges, if there is a way.
pub(super) type Distance = Option<u32>;

/// Distances from points.
pub(super) struct Distances {
    down: Vec<Distance>,
    exit: Vec<Distance>,
}

impl Distances {
    pub(super) fn new(icfg: &Icfg, targets: &[PointId]) -> Self {
        let mut exit = vec![None; icfg.points().len()];
        icfg.procedures().iter().for_each(|procedure| exit[procedure.exit.index()] = Some(0));
        settle(icfg, &mut exit, |exit, edge| match &edge.action {
            Action::Step(_) => longer(exit[edge.target.index()], 1),
            Action::Call(call) => over(exit, icfg.procedure(call.callee).entry, exit[edge.target.index()]),
        });
        let mut down = vec![None; icfg.points().len()];
        targets.iter().for_each(|target| down[target.index()] = Some(0));
        settle(icfg, &mut down, |down, edge| match &edge.action {
            Action::Step(_) => longer(down[edge.target.index()], 1),
            Action::Call(call) => {
                let entry = icfg.procedure(call.callee).entry;
                let inside = longer(down[entry.index()], 1);
                least(inside, over(&exit, entry, down[edge.target.index()]))
            }
        });
        Self { down, exit }
    }

    /// From a point, where it is this far from the exit of its procedure on.
    pub(super) fn from(&self, point: PointId, beyond: Distance) -> Distance {
        let up = self.exit[point.index()].zip(beyond).map(|(exit, beyond)| exit.saturating_add(beyond));
        least(self.down[point.index()], longer(up, 1))
    }
}

/// Along a call and behind it.
fn over(exit: &[Distance], entry: PointId, after: Distance) -> Distance {
    let inside = exit[entry.index()]?;
    longer(after, inside.saturating_add(2))
}

fn longer(distance: Distance, by: u32) -> Distance {
    distance.map(|distance| distance.saturating_add(by))
}

fn least(one: Distance, other: Distance) -> Distance {
    one.into_iter().chain(other).min()
}

/// Takes the least over all edges until nothing gets less.
fn settle(icfg: &Icfg, distances: &mut [Distance], along: impl Fn(&[Distance], &Edge) -> Distance) {
    let mut changed = true;
    while changed {
        changed = false;
        // Points are mostly made in the order of control.
        for edge in icfg.edges().iter().rev() {
            let now = least(distances[edge.source.index()], along(distances, edge));
            changed |= now != distances[edge.source.index()];
            distances[edge.source.index()] = now;
        }
    }
}
