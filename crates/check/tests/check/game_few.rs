//! Games with few priorities, on both paths of the solver: with and without the recursion, with and without moves, each
//! against the slow twin and the validator. Hubs, dead ends, chains of components that exhaust its patience.

use tertium_check::game::families::{GameShape, product_game, random_game};
use tertium_check::game::{
    Arena, Method, ParityGame, Player, VertexId, check_solution, naive_regions, solve_by, solve_regions,
};
use tertium_support::{Cancel, Context, Id, Limits, Rng, StopReason};

use Player::{Even, Odd};

/// Solves `game` in every way, validates the moves, and compares with the slow twin.
fn agree(game: &ParityGame, note: &str) {
    let even = naive_regions(&Context::default(), game).expect("there is no limit");
    agree_with_each_other(game, note);
    let regions = solve_regions(&Context::default(), game).expect("there is no limit");
    assert_eq!(regions.region(Even), even, "{note}\n{game:?}");
}

/// The same without the slow twin, for larger games: a solution that validates is right.
fn agree_with_each_other(game: &ParityGame, note: &str) {
    let context = Context::default();
    let regions = solve_regions(&context, game).expect("there is no limit");
    for method in [Method::Auto, Method::Promotion] {
        let solution = solve_by(&context, game, method).expect("there is no limit");
        assert_eq!(check_solution(game, &solution), Ok(()), "{note}, {method:?}");
        assert!(solution.regions() == &regions, "{note}, {method:?}");
    }
}

fn game(vertices: &[(u32, Player)], edges: &[(u32, u32)]) -> ParityGame {
    let v = VertexId::from_raw;
    ParityGame::new(vertices, &edges.iter().map(|&(a, b)| (v(a), v(b))).collect::<Vec<_>>())
}

#[test]
fn all_games_of_two_vertices_are_solved_alike() {
    let kinds: Vec<_> = (0..5).flat_map(|p| [(p, Even), (p, Odd)]).collect();
    for (&a, &b) in kinds.iter().flat_map(|a| kinds.iter().map(move |b| (a, b))) {
        for choice in 0..16u32 {
            let all = [(0, 0), (0, 1), (1, 0), (1, 1)];
            let edges: Vec<_> = (0..4).filter(|at| choice >> at & 1 == 1).map(|at| all[at]).collect();
            agree(&game(&[a, b], &edges), "");
        }
    }
}

#[test]
fn all_games_of_three_vertices_and_two_priorities_are_solved_alike() {
    for kinds in 0..64u32 {
        let kind = |at: u32| (kinds >> (2 * at) & 1, if kinds >> (2 * at + 1) & 1 == 0 { Even } else { Odd });
        let vertices = [kind(0), kind(1), kind(2)];
        for choice in 0..512u32 {
            let edges: Vec<_> =
                (0..9).filter(|at| choice >> at & 1 == 1).map(|at| (at / 3, at % 3)).collect();
            agree(&game(&vertices, &edges), "");
        }
    }
}

#[test]
fn random_games_with_few_priorities_are_solved_alike() {
    for seed in 0..6000 {
        let mut rng = Rng::seeded(seed);
        let least = rng.below(3);
        let shape = GameShape {
            vertices: rng.below(24),
            degree: (least, least + rng.below(3)),
            // Six and more need not have few classes: the border is crossed in both directions.
            priorities: rng.between(1, 7),
        };
        agree(&random_game(&mut rng, shape), &format!("seed {seed}, {shape:?}"));
    }
}

#[test]
fn games_with_hubs_are_solved_alike() {
    for seed in 0..300 {
        let mut rng = Rng::seeded(seed);
        let n = rng.between(20, 60) as u32;
        let vertex = |rng: &mut Rng| (rng.below(4) as u32, if rng.chance(0.5) { Even } else { Odd });
        let vertices: Vec<_> = (0..n).map(|_| vertex(&mut rng)).collect();
        let mut edges = Vec::new();
        for v in 0..n {
            // The first vertices lead to nearly all others; some of the others lead nowhere.
            let degree = if v < 4 { n as usize * 2 } else { rng.below(3) };
            (0..degree).for_each(|_| edges.push((v, rng.below(n as usize) as u32)));
        }
        agree(&game(&vertices, &edges), &format!("seed {seed}"));
    }
}

/// `n` components in a row. In each, the player who likes `high` can stay at `low`, or go past `high` to the next one;
/// in the last one only stay. The opponent wins everywhere, but that is seen for one component at a time.
fn row_of_components(n: u32, high: u32, low: u32) -> ParityGame {
    let (x, y) = (Player::of_priority(high), Player::of_priority(low));
    let mut vertices = Vec::new();
    let mut edges = Vec::new();
    for piece in 0..n {
        vertices.extend([(low, x), (high, y)]);
        let (rest, pass) = (2 * piece, 2 * piece + 1);
        edges.extend([(rest, rest), (rest, pass), (pass, rest + 2)]);
    }
    vertices.push((low, y));
    edges.push((2 * n, 2 * n));
    game(&vertices, &edges)
}

#[test]
fn rows_of_components_are_solved_alike_whether_patience_lasts_or_not() {
    for (high, low) in [(1, 0), (2, 1)] {
        for n in 1..40 {
            agree(&row_of_components(n, high, low), &format!("{n} pieces"));
        }
        agree_with_each_other(&row_of_components(20_000, high, low), "many pieces");
    }
}

#[test]
fn larger_games_with_few_priorities_are_solved_alike() {
    for seed in 0..12 {
        let mut rng = Rng::seeded(seed);
        let priorities = rng.between(1, 5);
        let shape = GameShape { vertices: 5_000, degree: (1, 3), priorities };
        agree_with_each_other(&random_game(&mut rng, shape), &format!("seed {seed}, {shape:?}"));
        let locality = *rng.pick(&[1, 2, 5, 1_000]);
        let degree = rng.between(1, 3);
        let product = product_game(&mut rng, 2_000, degree, priorities, locality);
        agree_with_each_other(&product, &format!("seed {seed}, product"));
    }
}

#[test]
fn priorities_of_one_parity_that_no_other_separates_count_as_one() {
    // Forty priorities, two classes.
    let vertices: Vec<_> = (0..40)
        .map(|p| (if p < 20 { 2 * p } else { 2 * p + 1 }, if p % 3 == 0 { Even } else { Odd }))
        .collect();
    for seed in 0..200 {
        let mut rng = Rng::seeded(seed);
        let edges: Vec<_> = (0..90).map(|_| (rng.below(40) as u32, rng.below(40) as u32)).collect();
        agree(&game(&vertices, &edges), &format!("seed {seed}"));
    }
}

#[test]
fn a_limit_stops_the_recursion() {
    let shape = GameShape { vertices: 20_000, degree: (2, 4), priorities: 3 };
    let game = random_game(&mut Rng::seeded(1), shape);
    let cancel = Cancel::default();
    cancel.cancel();
    let context = Context::new(Limits::default(), cancel);
    assert_eq!(solve_regions(&context, &game), Err(StopReason::Interrupted));
    let context = Context::new(Limits { memory: Some(1), ..Limits::default() }, Cancel::default());
    assert_eq!(solve_regions(&context, &game), Err(StopReason::MemoryLimit));
}

#[test]
fn walking_on_from_any_cursor_finds_the_first_that_satisfies_the_test() {
    let game = random_game(&mut Rng::seeded(5), GameShape { vertices: 30, degree: (0, 9), priorities: 2 });
    for v in VertexId::first(30) {
        let row: Vec<_> = game.successors(v).collect();
        for (from, wanted) in (0..=row.len()).flat_map(|from| (0..30).map(move |w| (from, VertexId::new(w))))
        {
            let found = game.find_successor(v, from as u32, |w| w == wanted);
            let expected = (from..row.len()).find(|&at| row[at] == wanted);
            assert_eq!(found, expected.map(|at| (wanted, at as u32 + 1)));
        }
    }
}
