//! The solver against its slow twin, and every strategy against the validator: exhaustively on the smallest games, on
//! thousands of random ones, and on the corner cases by hand.

use tertium_check::game::families::{
    GameShape, clique, core_counter, jurdzinski, ladder, product_game, promotion_counter, random_game,
    recursive_ladder, small_counter, two_counters,
};
use tertium_check::game::{Arena, ParityGame, Player, VertexId, check_solution, naive_regions, solve};
use tertium_support::{Cancel, Context, Id, Limits, Rng, StopReason};

/// Solves `game`, checks the solution, compares it with the slow twin, and gives who wins each vertex.
fn winners(game: &ParityGame, note: &str) -> Vec<Player> {
    let solution = solve(&Context::default(), game).expect("there is no limit");
    assert_eq!(check_solution(game, &solution), Ok(()), "{note}\n{game:?}");
    let even = naive_regions(&Context::default(), game).expect("there is no limit");
    assert_eq!(solution.region(Player::Even), even, "{note}\n{game:?}");
    VertexId::first(game.n_vertices()).map(|v| solution.winner(v)).collect()
}

fn game(vertices: &[(u32, Player)], edges: &[(u32, u32)]) -> ParityGame {
    let v = VertexId::from_raw;
    ParityGame::new(vertices, &edges.iter().map(|&(a, b)| (v(a), v(b))).collect::<Vec<_>>())
}

use Player::{Even, Odd};

#[test]
fn a_game_without_vertices_has_a_solution() {
    assert_eq!(winners(&game(&[], &[]), ""), []);
}

#[test]
fn whoever_cannot_move_loses() {
    assert_eq!(winners(&game(&[(0, Even), (1, Odd)], &[]), ""), [Odd, Even]);
    // Even moves into the vertex where Odd is stuck; Odd must not, and has another way.
    let edges = [(0, 1), (0, 0), (2, 1), (2, 2)];
    assert_eq!(winners(&game(&[(1, Even), (1, Odd), (1, Odd)], &edges), ""), [Even, Even, Odd]);
}

#[test]
fn a_self_loop_is_won_by_its_parity_unless_the_owner_has_a_better_move() {
    assert_eq!(winners(&game(&[(4, Odd)], &[(0, 0)]), ""), [Even]);
    assert_eq!(winners(&game(&[(4, Odd), (3, Even)], &[(0, 0), (0, 1), (1, 1)]), ""), [Odd, Odd]);
}

#[test]
fn repeated_edges_and_unreachable_parts_change_nothing() {
    let edges = [(0, 1), (0, 1), (1, 0), (1, 0), (2, 2), (2, 2)];
    assert_eq!(winners(&game(&[(2, Odd), (1, Even), (7, Even)], &edges), ""), [Even, Even, Odd]);
}

#[test]
fn the_highest_priorities_there_are_do_no_harm() {
    let edges = [(0, 1), (1, 0), (1, 1)];
    assert_eq!(winners(&game(&[(u32::MAX, Odd), (u32::MAX - 1, Even)], &edges), ""), [Even, Even]);
}

#[test]
fn all_games_of_two_vertices_and_four_priorities_are_solved_right() {
    let kinds: Vec<_> = (0..4).flat_map(|p| [(p, Even), (p, Odd)]).collect();
    for (&a, &b) in kinds.iter().flat_map(|a| kinds.iter().map(move |b| (a, b))) {
        for choice in 0..16u32 {
            let all = [(0, 0), (0, 1), (1, 0), (1, 1)];
            let edges: Vec<_> = (0..4).filter(|at| choice >> at & 1 == 1).map(|at| all[at]).collect();
            winners(&game(&[a, b], &edges), "");
        }
    }
}

#[test]
fn all_games_of_three_vertices_with_distinct_priorities_are_solved_right() {
    for owners in 0..8u32 {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let owner = |at: u32| if owners >> at & 1 == 0 { Even } else { Odd };
            let vertices: Vec<_> = (0..3).map(|at| (order[at as usize], owner(at))).collect();
            for choice in 0..512u32 {
                let edges: Vec<_> =
                    (0..9).filter(|at| choice >> at & 1 == 1).map(|at| (at / 3, at % 3)).collect();
                winners(&game(&vertices, &edges), "");
            }
        }
    }
}

#[test]
fn the_solver_agrees_with_its_slow_twin_on_random_games() {
    for seed in 0..6000 {
        let mut rng = Rng::seeded(seed);
        let least = rng.below(3);
        let shape = GameShape {
            vertices: rng.below(16),
            degree: (least, least + rng.below(3)),
            priorities: rng.between(1, 12),
        };
        winners(&random_game(&mut rng, shape), &format!("seed {seed}, {shape:?}"));
    }
}

#[test]
fn a_vertex_between_a_won_and_a_lost_neighbour_goes_to_its_owner_in_every_order() {
    // Even chooses at 0 between 1, where Odd escapes to a win, and 2, where Even does; both can also stay.
    let vertices = [(0, Even), (0, Odd), (1, Even), (0, Even), (0, Odd)];
    let edges = [(0, 1), (0, 2), (1, 0), (2, 0), (1, 2), (2, 1), (1, 3), (2, 4)];
    for seed in 0..500 {
        let mut rng = Rng::seeded(seed);
        let mut place: Vec<u32> = (0..5).collect();
        rng.shuffle(&mut place);
        let mut shuffled = edges.map(|(v, w)| (place[v], place[w]));
        rng.shuffle(&mut shuffled);
        let mut renamed = vertices;
        (0..5).for_each(|v| renamed[place[v] as usize] = vertices[v]);
        assert_eq!(winners(&game(&renamed, &shuffled), &format!("seed {seed}"))[place[0] as usize], Even);
    }
}

#[test]
fn games_in_which_both_players_force_at_once_are_solved_right() {
    for seed in 0..600 {
        let mut rng = Rng::seeded(seed);
        let (states, degree) = (rng.between(2, 25), rng.between(1, 3));
        let (priorities, locality) = (rng.between(1, 4), rng.between(1, 8));
        let game = product_game(&mut rng, states, degree, priorities, locality);
        winners(&game, &format!("seed {seed}"));
    }
}

#[test]
fn small_members_of_the_hard_families_are_solved_right() {
    for n in 1..7 {
        for (name, game) in hard_games(n) {
            winners(&game, &format!("{name} {n}"));
        }
    }
}

#[test]
fn larger_members_of_the_hard_families_are_solved_at_all() {
    for (name, game) in hard_games(10) {
        let solution = solve(&Context::default(), &game).expect("there is no limit");
        assert_eq!(check_solution(&game, &solution), Ok(()), "{name}");
    }
    for game in [core_counter(30, false), promotion_counter(60), small_counter(60), recursive_ladder(200)] {
        let solution = solve(&Context::default(), &game).expect("there is no limit");
        assert_eq!(check_solution(&game, &solution), Ok(()));
    }
}

fn hard_games(n: usize) -> [(&'static str, ParityGame); 9] {
    [
        ("clique", clique(n)),
        ("ladder", ladder(n)),
        ("jurdzinski", jurdzinski(n, n)),
        ("recursive ladder", recursive_ladder(n)),
        ("core counter", core_counter(n / 2, false)),
        ("robust core counter", core_counter(n / 2, true)),
        ("promotion counter", promotion_counter(n)),
        ("small counter", small_counter(n)),
        ("two counters", two_counters(n)),
    ]
}

#[test]
fn larger_random_games_are_solved_right() {
    for seed in 0..60 {
        let mut rng = Rng::seeded(seed);
        let shape = GameShape { vertices: 80, degree: (1, 3), priorities: *rng.pick(&[2, 3, 5, 10, 80]) };
        winners(&random_game(&mut rng, shape), &format!("seed {seed}, {shape:?}"));
    }
}

#[test]
fn a_hundred_thousand_priorities_on_one_long_cycle_need_no_deep_recursion() {
    let n = 100_000u32;
    let vertices: Vec<_> = (0..n).map(|p| (p, if p % 3 == 0 { Even } else { Odd })).collect();
    // Down by one, or two steps up: one component.
    let edges: Vec<_> = (0..n).flat_map(|v| [(v, v.saturating_sub(1)), (v, (v + 2).min(n - 1))]).collect();
    let game = game(&vertices, &edges);
    let solution = solve(&Context::default(), &game).expect("there is no limit");
    assert_eq!(check_solution(&game, &solution), Ok(()));
}

#[test]
fn a_limit_or_an_interrupt_stops_the_solver() {
    let shape = GameShape { vertices: 20_000, degree: (2, 4), priorities: 50 };
    let game = random_game(&mut Rng::seeded(1), shape);
    let cancel = Cancel::default();
    cancel.cancel();
    let context = Context::new(Limits::default(), cancel);
    assert_eq!(solve(&context, &game), Err(StopReason::Interrupted));
    assert_eq!(naive_regions(&context, &game), Err(StopReason::Interrupted));
    let context = Context::new(Limits { memory: Some(1), ..Limits::default() }, Cancel::default());
    assert_eq!(solve(&context, &game), Err(StopReason::MemoryLimit));
}
