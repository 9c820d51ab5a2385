//! Families of games for tests and measurements: random ones, and ones made to be hard for some solver.

use super::{ParityGame, Player, VertexId};
use tertium_support::{Id, Rng};

/// What a random game looks like.
#[derive(Clone, Copy, Debug)]
pub struct GameShape {
    /// The number of vertices.
    pub vertices: usize,
    /// The least and the greatest number of successors; repetitions and self-loops happen.
    pub degree: (usize, usize),
    /// Priorities are drawn below this number.
    pub priorities: usize,
}

/// A random game: owner, priority and successors of each vertex drawn independently and uniformly.
pub fn random_game(rng: &mut Rng, shape: GameShape) -> ParityGame {
    let n = shape.vertices;
    let vertices: Vec<_> = (0..n).map(|_| (rng.below(shape.priorities) as u32, random_player(rng))).collect();
    let mut edges = Vec::new();
    for v in VertexId::first(n) {
        for _ in 0..rng.between(shape.degree.0, shape.degree.1) {
            edges.push((v, VertexId::new(rng.below(n))));
        }
    }
    ParityGame::new(&vertices, &edges)
}

fn random_player(rng: &mut Rng) -> Player {
    if rng.chance(0.5) { Player::Even } else { Player::Odd }
}
