//! Is there a cycle whose highest priority is of the wrong parity? The core of the validator, with its own search for
//! components.
//!
//! Such a cycle exists iff for some wrong priority `p` a vertex of priority `p` lies in a non-trivial component of the
//! graph cut down to priorities at most `p`. With few wrong priorities that is asked for each of them in turn, and
//! nothing is stored per edge. With many, the priorities are halved as in \[KKV01\]: compute the components below the
//! middle; an edge inside one matters to the lower half only, and any other edge to the upper half only, where each of
//! these components may be shrunk to a point. So every edge is looked at once per halving: `m log d` steps.

use super::{Arena, Player, Solution, VertexId};
use tertium_support::Id;

/// Up to how many wrong priorities are asked for one by one.
const FEW: usize = 8;
/// The component of a vertex that was cut off.
const OUTSIDE: u32 = u32::MAX;

/// A vertex of highest priority on a cycle that `player` loses, inside the set that `player` is said to win, when
/// `player` follows the solution there.
pub(super) fn wrong_cycle(arena: &impl Arena, solution: &Solution, player: Player) -> Option<VertexId> {
    let mut wrong: Vec<u32> = Vec::new();
    for v in VertexId::first(arena.n_vertices()).filter(|&v| solution.winner(v) == player) {
        let priority = arena.priority(v);
        if Player::of_priority(priority) != player && wrong.last() != Some(&priority) {
            wrong.push(priority);
        }
    }
    wrong.sort_unstable();
    wrong.dedup();
    let found = match wrong.len() {
        0 => None,
        1..=FEW => one_by_one(arena, solution, player, &wrong),
        _ => halve(graph_of(arena, solution, player), &wrong),
    };
    found.map(VertexId::from_raw)
}

/// The moves that the solution leaves: one where the winner moves, all where the loser does.
fn allowed<A: Arena>(arena: &A, solution: &Solution) -> impl Fn(u32, u32) -> Option<(u32, u32)> + Copy {
    move |v, cursor| {
        let v = VertexId::from_raw(v);
        let (w, after) = match solution.strategy(v) {
            Some(w) if cursor == 0 => (w, 1),
            Some(_) => return None,
            None => arena.next_successor(v, cursor)?,
        };
        Some((w.raw(), after))
    }
}

/// Asks for each of the `wrong` priorities in turn.
fn one_by_one(arena: &impl Arena, solution: &Solution, player: Player, wrong: &[u32]) -> Option<u32> {
    let n = arena.n_vertices();
    let next = allowed(arena, solution);
    wrong.iter().find_map(|&p| {
        let at_most = |v: u32| {
            let v = VertexId::from_raw(v);
            solution.winner(v) == player && arena.priority(v) <= p
        };
        let part = components(n, at_most, next);
        (0..n as u32).find(|&v| {
            part[v as usize] != OUTSIDE
                && arena.priority(VertexId::from_raw(v)) == p
                && moves(v, next).any(|w| part[w as usize] == part[v as usize])
        })
    })
}

/// The allowed moves inside the set that `player` is said to win, as a list.
fn graph_of(arena: &impl Arena, solution: &Solution, player: Player) -> Graph {
    let n = arena.n_vertices();
    let next = allowed(arena, solution);
    let edges = VertexId::first(n)
        .filter(|&v| solution.winner(v) == player)
        .flat_map(|v| moves(v.raw(), next).map(move |w| (v.raw(), w)))
        .collect();
    let priority = VertexId::first(n).map(|v| arena.priority(v)).collect();
    Graph { priority, origin: (0..n as u32).collect(), edges }
}

/// The targets of `v`.
fn moves(v: u32, next: impl Fn(u32, u32) -> Option<(u32, u32)>) -> impl Iterator<Item = u32> {
    let mut cursor = 0;
    std::iter::from_fn(move || {
        let (w, after) = next(v, cursor)?;
        cursor = after;
        Some(w)
    })
}

/// A graph in which vertices may stand for whole components of an earlier one.
struct Graph {
    priority: Vec<u32>,
    /// A vertex of the game that it stands for.
    origin: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

/// A vertex on a cycle on which its priority is highest and one of `wrong`, which is sorted and not empty.
fn halve(graph: Graph, wrong: &[u32]) -> Option<u32> {
    debug_assert!(!wrong.is_empty() && wrong.is_sorted_by(|one, other| one < other), "priorities in order");
    let middle = wrong.len() / 2;
    let bound = wrong[middle.saturating_sub(1)];
    let part = {
        let rows = rows(&graph);
        let next = |v: u32, cursor: u32| {
            let at = rows.0[v as usize] + cursor;
            (at < rows.0[v as usize + 1]).then(|| (rows.1[at as usize], cursor + 1))
        };
        components(graph.priority.len(), |v| graph.priority[v as usize] <= bound, next)
    };
    let inside = |&(v, w): &(u32, u32)| part[v as usize] != OUTSIDE && part[v as usize] == part[w as usize];
    if wrong.len() == 1 {
        let edge = graph.edges.iter().find(|edge| inside(edge) && graph.priority[edge.0 as usize] == bound);
        return edge.map(|edge| graph.origin[edge.0 as usize]);
    }
    let (low, high): (Vec<_>, Vec<_>) = graph.edges.iter().partition(|edge| inside(edge));
    let low = renumber(&graph, low, |v| v);
    // The name of a component is one of its vertices, and that one is at most `bound`.
    let high = renumber(&graph, high, |v| if part[v as usize] == OUTSIDE { v } else { part[v as usize] });
    drop((graph, part));
    halve_unless_empty(low, &wrong[..middle]).or_else(|| halve_unless_empty(high, &wrong[middle..]))
}

fn halve_unless_empty(graph: Graph, wrong: &[u32]) -> Option<u32> {
    if graph.edges.is_empty() { None } else { halve(graph, wrong) }
}

/// The graph of these edges of `graph`, with each vertex `v` replaced by `image(v)`.
fn renumber(graph: &Graph, mut edges: Vec<(u32, u32)>, image: impl Fn(u32) -> u32) -> Graph {
    let mut number = vec![OUTSIDE; graph.priority.len()];
    let mut origin = Vec::new();
    let mut priority = Vec::new();
    for (v, w) in &mut edges {
        for end in [v, w] {
            let old = image(*end) as usize;
            if number[old] == OUTSIDE {
                number[old] = origin.len() as u32;
                origin.push(graph.origin[old]);
                priority.push(graph.priority[old]);
            }
            *end = number[old];
        }
    }
    Graph { priority, origin, edges }
}

/// The edges as rows: where the targets of each vertex start, and the targets.
fn rows(graph: &Graph) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0u32; graph.priority.len() + 2];
    for &(v, _) in &graph.edges {
        start[v as usize + 2] += 1;
    }
    for v in 2..start.len() {
        start[v] += start[v - 1];
    }
    let mut targets = vec![0; graph.edges.len()];
    for &(v, w) in &graph.edges {
        let place = &mut start[v as usize + 1];
        targets[*place as usize] = w;
        *place += 1;
    }
    (start, targets)
}

/// Tarjan's algorithm \[Tar72\] without recursion: the component of each vertex that satisfies `member`, named by one
/// of its vertices, and [`OUTSIDE`] for the others.
fn components(
    n: usize,
    member: impl Fn(u32) -> bool,
    next: impl Fn(u32, u32) -> Option<(u32, u32)>,
) -> Vec<u32> {
    let mut part = vec![OUTSIDE; n];
    // 0 is unseen, and u32::MAX, which lowers nothing, is complete.
    let mut number = vec![0u32; n];
    let mut count = 0;
    let mut open = Vec::new();
    // Vertex, cursor, least number seen.
    let mut calls: Vec<(u32, u32, u32)> = Vec::new();
    for root in 0..n as u32 {
        if number[root as usize] == 0 && member(root) {
            calls.push((root, 0, 0));
        }
        while let Some((v, mut cursor, mut low)) = calls.pop() {
            if number[v as usize] == 0 {
                count += 1;
                number[v as usize] = count;
                low = count;
                open.push(v);
            }
            let mut child = None;
            while let Some((w, after)) = next(v, cursor) {
                if number[w as usize] != 0 {
                    low = low.min(number[w as usize]);
                } else if member(w) {
                    child = Some(w);
                    break;
                }
                cursor = after;
            }
            if let Some(w) = child {
                // The cursor stays before `w`: its number will count when the walk is taken up again.
                calls.extend([(v, cursor, low), (w, 0, 0)]);
                continue;
            }
            if low == number[v as usize] {
                while let Some(w) = open.pop() {
                    part[w as usize] = v;
                    number[w as usize] = u32::MAX;
                    if w == v {
                        break;
                    }
                }
            } else if let Some(parent) = calls.last_mut() {
                parent.2 = parent.2.min(low);
            }
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::super::families::{GameShape, random_game};
    use super::*;
    use tertium_support::{IdSet, Rng};

    /// The definition, on sets: from some wrong vertex `v` a walk below its priority leads back to `v`.
    fn by_definition(game: &impl Arena, solution: &Solution) -> bool {
        let next = allowed(game, solution);
        VertexId::first(game.n_vertices()).filter(|&v| game.priority(v) % 2 == 1).any(|v| {
            let mut seen = vec![false; game.n_vertices()];
            let mut todo = vec![v.raw()];
            while let Some(u) = todo.pop() {
                for w in moves(u, next).filter(|&w| game.priority(VertexId::from_raw(w)) <= game.priority(v))
                {
                    if !std::mem::replace(&mut seen[w as usize], true) {
                        todo.push(w);
                    }
                }
            }
            seen[v.index()]
        })
    }

    #[test]
    fn halving_and_one_by_one_find_a_wrong_cycle_iff_there_is_one() {
        let mut found = 0;
        for seed in 0..2000 {
            let mut rng = Rng::seeded(seed);
            let vertices = rng.between(1, 20);
            let shape = GameShape { vertices, degree: (0, 2), priorities: rng.between(2, 20) };
            let game = random_game(&mut rng, shape);
            // All is claimed for Even, with some moves fixed: the claim is mostly wrong, and that is the point.
            let choice: Vec<_> = VertexId::first(vertices)
                .map(|v| Some(v).filter(|_| rng.chance(0.5)).and_then(|v| game.row(v).first().copied()))
                .collect();
            let solution = Solution::new(IdSet::empty(vertices), &choice);
            let wrong: Vec<u32> = (1..20).step_by(2).collect();
            let cycle = by_definition(&game, &solution);
            let one = one_by_one(&game, &solution, Player::Even, &wrong);
            let half = halve(graph_of(&game, &solution, Player::Even), &wrong);
            assert_eq!((one.is_some(), half.is_some()), (cycle, cycle), "seed {seed}: {game:?}");
            assert!([one, half].iter().flatten().all(|&v| game.priority(VertexId::from_raw(v)) % 2 == 1));
            found += usize::from(cycle);
        }
        assert!((200..1800).contains(&found), "both answers are common: {found}");
    }
}
