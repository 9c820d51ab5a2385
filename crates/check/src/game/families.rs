//! Families of games for tests and measurements: random ones, and ones made to be hard for some way of solving.
//!
//! The hard ones are small counting devices from the literature, written down anew here. In each, `x` below is the
//! player who likes the number `i` of a piece, and `y` the other.

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
    let mut plan = Plan::default();
    for _ in 0..n {
        let priority = rng.below(shape.priorities) as u32;
        plan.vertex(priority, if rng.chance(0.5) { Player::Even } else { Player::Odd });
    }
    for v in 0..n {
        for _ in 0..rng.between(shape.degree.0, shape.degree.1) {
            plan.edge(v, rng.below(n));
        }
    }
    plan.game()
}

/// A game like those of model checking: a random system of `states` states with `degree` steps each, times a cycle of
/// `priorities` sub-formulas that are `or`-like and `and`-like in turn. Sub-formula `i` looks at the steps of the
/// state, or goes on to sub-formula `i + 1`; a few atoms stop the play. `locality` bounds how far a step leads, so
/// that a small one gives long chains.
pub fn product_game(
    rng: &mut Rng,
    states: usize,
    degree: usize,
    priorities: usize,
    locality: usize,
) -> ParityGame {
    let mut plan = Plan::default();
    for s in 0..states {
        for i in 0..priorities {
            let v = plan.vertex(i as u32, likes(i + usize::from(rng.chance(0.5))));
            plan.edge(v, s * priorities + (i + 1) % priorities);
        }
    }
    let atoms = [plan.vertex(0, Player::Even), plan.vertex(0, Player::Odd)];
    for s in 0..states {
        for i in 0..priorities {
            let v = s * priorities + i;
            if rng.chance(ATOMS) {
                plan.edge(v, *rng.pick(&atoms));
            }
            for _ in 0..degree {
                let target = (s + rng.between(1, locality)) % states;
                plan.edge(v, target * priorities + i);
            }
        }
    }
    plan.game()
}

/// The share of vertices of a [`product_game`] that can stop the play.
const ATOMS: f64 = 0.02;

/// Every vertex has an edge to every other; priorities are all different, owners alternate.
pub fn clique(n: usize) -> ParityGame {
    let mut plan = Plan::default();
    for v in 0..n {
        plan.vertex(v as u32, likes(v));
    }
    for v in 0..n {
        (0..n).filter(|&w| w != v).for_each(|w| plan.edge(v, w));
    }
    plan.game()
}

/// Two rows of `n` vertices, priorities 0 and 1, owners alternating by row, each with edges to the next two vertices
/// of the round: the smallest ladder.
pub fn ladder(n: usize) -> ParityGame {
    let mut plan = Plan::default();
    for v in 0..2 * n {
        plan.vertex(v as u32 % 2, likes(v));
    }
    for v in 0..2 * n {
        plan.edge(v, (v + 1) % (2 * n));
        plan.edge(v, (v + 2 - v % 2) % (2 * n));
    }
    plan.game()
}

/// Games after those of \[Jur00\] that are hard for small progress measures: on level 0 two rows alternate between
/// the players; each higher level is a row that Odd and Even walk with an odd bait above it.
pub fn jurdzinski(levels: usize, width: usize) -> ParityGame {
    let mut plan = Plan::default();
    let left = |h: usize, w: usize| h * (3 * width + 1) + 3 * w;
    let (above, right) = (|h: usize, w: usize| left(h, w) + 1, |h: usize, w: usize| left(h, w) + 2);
    for h in 0..levels {
        let [mine, other] = if h == 0 { [Player::Even, Player::Odd] } else { [Player::Odd, Player::Even] };
        for w in 0..=width {
            plan.vertex(2 * h as u32, mine);
            if w < width {
                plan.vertex(2 * h as u32 + 1, Player::Even);
                plan.vertex(if h == 0 { 1 } else { 2 * h as u32 }, other);
            }
        }
    }
    for h in 0..levels {
        for w in 0..=width {
            if w > 0 {
                plan.edge(left(h, w), right(h, w - 1));
            }
            if w < width {
                plan.edge(left(h, w), right(h, w));
                plan.edge(above(h, w), right(h, w));
                plan.edge(right(h, w), left(h, w));
                plan.edge(right(h, w), left(h, w + 1));
                if h > 0 {
                    plan.edge(left(h, w), above(h, w));
                    plan.edge(right(h, w), right(0, w));
                    plan.edge(right(0, w), right(h, w));
                }
            }
        }
    }
    plan.game()
}

/// The recursive ladder of \[Fri11\], exponential for the recursive algorithm. Piece `i` has a two-cycle at the bottom
/// and three vertices of rising priority above it, tied to the neighbouring pieces.
pub fn recursive_ladder(n: usize) -> ParityGame {
    let mut plan = Plan::default();
    // Piece i: `a` and `b` for 1..=n, `c`, `d` and `e` for 0..n.
    let at = |i: usize, k: usize| 5 * i + k - 2;
    let [a, b, c, d, e] = [0, 1, 2, 3, 4];
    for i in 0..=n {
        let (x, y) = (likes(i), likes(i + 1));
        let top = 3 * i as u32 + 5;
        if i > 0 {
            plan.vertex(1 - i as u32 % 2, y);
            plan.vertex(1 - i as u32 % 2, x);
        }
        if i < n {
            plan.vertex(top, y);
            plan.vertex(top - 1, x);
            plan.vertex(top - 2, y);
        }
    }
    for i in 0..=n {
        if i > 0 {
            plan.edges(at(i, a), &[at(i - 1, d), at(i, b)]);
            plan.edge(at(i, b), at(i, a));
        }
        if i > 0 && i < n {
            plan.edge(at(i, b), at(i, c));
            plan.edge(at(i, d), at(i - 1, d));
        }
        if i < n {
            plan.edges(at(i, c), &[at(i + 1, b), at(i, d)]);
            plan.edge(at(i, d), at(i, e));
            plan.edges(at(i, e), &[at(i, d), at(i + 1, b)]);
        }
        if i + 1 < n {
            plan.edge(at(i, d), at(i + 1, d));
        }
    }
    plan.game()
}

/// The core family of \[BDM17\], exponential for the recursive algorithm. Piece `i` is `a → b ⇄ c` with a loop at `c`;
/// `a` has a priority above all `b` and `c`; `c` leads up to the next `a`, `b` down to the previous one.
/// With `robust`, every two pieces are tied by vertices that change nothing but defeat the usual short cuts, such as
/// decomposition into components.
pub fn core_counter(n: usize, robust: bool) -> ParityGame {
    let mut plan = Plan::default();
    let pieces = 2 * n + 1;
    for i in 0..pieces {
        let (x, y) = (likes(i), likes(i + 1));
        let a = plan.vertex((pieces + i) as u32, x);
        let b = plan.vertex(i as u32, x);
        let c = plan.vertex(i as u32, y);
        plan.edge(a, b);
        plan.edge(b, c);
        plan.edges(c, &[b, c]);
    }
    for i in 1..pieces {
        plan.edge(3 * (i - 1) + 2, 3 * i);
        plan.edge(3 * i + 1, 3 * (i - 1));
    }
    for (i, j) in (0..pieces).flat_map(|i| (i + 1..pieces).map(move |j| (i, j))).filter(|_| robust) {
        let ends = [3 * i + 2, 3 * j + 2];
        let mut tie = vec![plan.vertex(0, likes(i))];
        if (i + j) % 2 == 1 {
            tie.push(plan.vertex(0, likes(j)));
            plan.edge(tie[0], tie[1]);
            plan.edge(tie[1], tie[0]);
        }
        for (end, tie) in [(ends[0], tie[0]), (ends[1], tie[tie.len() - 1])] {
            plan.edge(end, tie);
            plan.edge(tie, end);
        }
    }
    plan.game()
}

/// A counter on which priority promotion without memory was measured to be exponential: piece `i` is a chain `a → b ⇄ c ⇄ d` in which `c`
/// leads up to the next `a`, and `b` down to the previous one.
pub fn promotion_counter(n: usize) -> ParityGame {
    let mut plan = Plan::default();
    for i in 0..=n {
        let (x, y) = (likes(i), likes(i + 1));
        let d = plan.vertex(i as u32, y);
        let c = plan.vertex(i as u32, y);
        let b = plan.vertex(i as u32, x);
        let a = plan.vertex(i as u32 + 3, x);
        plan.edge(d, c);
        plan.edges(c, &[d, b]);
        plan.edge(b, c);
        plan.edge(a, b);
    }
    for i in 0..n {
        plan.edge(4 * i + 6, 4 * i + 3);
        plan.edge(4 * i + 1, 4 * i + 7);
    }
    plan.game()
}

/// A counter with few vertices per piece: `a → b ⇄ c`, where `a` and `b` lead up to the next `a`, and `c` down.
pub fn small_counter(n: usize) -> ParityGame {
    let mut plan = Plan::default();
    for i in 0..=n {
        let (x, y) = (likes(i), likes(i + 1));
        let low = (1 - i % 2) as u32;
        let a = plan.vertex(i as u32 + 2, x);
        let b = plan.vertex(low, x);
        let c = plan.vertex(low, y);
        plan.edge(a, b);
        plan.edge(b, c);
        plan.edge(c, b);
    }
    for i in 0..n {
        plan.edge(3 * i, 3 * i + 3);
        plan.edge(3 * i + 1, 3 * i + 3);
        plan.edge(3 * i + 5, 3 * i + 2);
    }
    plan.game()
}

/// The two binary counters of \[Dij19\], `n` bits each, one per player, that distract each other: exponential for all
/// algorithms that work by attracting, tangle learning among them.
pub fn two_counters(n: usize) -> ParityGame {
    let mut plan = Plan::default();
    // Bits in the order even 0, odd 0, even 1, …; bit `i` has `high`, `low`, `input`, `rest` and 3 vertices for each
    // higher bit.
    let mut start = [vec![0; n], vec![0; n]];
    let mut size = 0;
    for i in 0..n {
        for counter in &mut start {
            counter[i] = size;
            size += 4 + 3 * i;
        }
    }
    let input = |who: usize, i: usize| start[who][i] + 2;
    let mut low = 0;
    for i in 0..n {
        low += 2 * (n + 1 - i);
        for who in 0..2 {
            let (x, y) = (likes(who), likes(who + 1));
            let top = (n + 9) * n - 2 * i - who;
            let high = plan.vertex(top as u32, x);
            let lower = plan.vertex((low + who) as u32, y);
            let gate = plan.vertex((top - 2 * n - 1) as u32, y);
            let rest = plan.vertex(0, x);
            plan.edge(lower, high);
            plan.edge(gate, lower);
            plan.edge(rest, lower);
            plan.edge(high, input(who, (i + n - 1) % n));
            for j in i + who..n {
                plan.edge(rest, input(1 - who, j));
            }
            let mut before = vec![lower];
            for j in 0..i {
                let select = plan.vertex(0, x);
                let own = plan.vertex(0, y);
                let other = plan.vertex(0, y);
                before.iter().for_each(|&v| plan.edge(v, select));
                plan.edges(select, &[own, other]);
                plan.edge(own, input(who, j));
                plan.edge(other, input(1 - who, j));
                before = vec![own, other];
            }
            before.iter().for_each(|&v| plan.edge(v, rest));
        }
    }
    plan.game()
}

/// The player who likes a priority of this parity.
fn likes(i: usize) -> Player {
    Player::of_priority((i % 2) as u32)
}

/// A game under construction.
#[derive(Default)]
struct Plan {
    vertices: Vec<(u32, Player)>,
    edges: Vec<(VertexId, VertexId)>,
}

impl Plan {
    fn vertex(&mut self, priority: u32, owner: Player) -> usize {
        self.vertices.push((priority, owner));
        self.vertices.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize) {
        self.edges.push((VertexId::new(from), VertexId::new(to)));
    }

    fn edges(&mut self, from: usize, to: &[usize]) {
        to.iter().for_each(|&to| self.edge(from, to));
    }

    fn game(self) -> ParityGame {
        ParityGame::new(&self.vertices, &self.edges)
    }
}
