//! The `games` suite: the parity game solver on random games, on games like those of model checking, and on families
//! made to be hard, beside its slow twin. Every solution is validated. Seeds are fixed; times are for people.

use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tertium_check::game::families::{
    GameShape, clique, core_counter, jurdzinski, ladder, product_game, promotion_counter, random_game,
    recursive_ladder, small_counter, two_counters,
};
use tertium_check::game::{
    Arena, ParityGame, Player, check_solution, naive_regions, read_pgsolver, solve, write_pgsolver,
};
use tertium_support::{Cancel, Context, Limits, Rng};

/// How long the slow twin may run on one game, and how long the solver may.
const NAIVE_CAP: Duration = Duration::from_millis(500);
const CAP: Duration = Duration::from_secs(20);
/// The slow twin recurses once per priority: beyond this it is not even started.
const NAIVE_PRIORITIES: usize = 2_000;

/// Prints the table.
#[allow(clippy::print_stdout, reason = "printing tables is what this program is for")]
pub(crate) fn run() {
    println!(
        "{:<34} {:>9} {:>9} {:>10} {:>11} {:>11} {:>10}",
        "family", "vertices", "edges", "priorities", "naive ms", "fast ms", "validated"
    );
    for (name, game) in games() {
        println!("{}", row(&name, &game()));
    }
    println!("\n{}", reading());
}

type Make = Box<dyn Fn() -> ParityGame>;

/// The games, made one at a time: together they would be large.
fn games() -> Vec<(String, Make)> {
    let mut games: Vec<(String, Make)> = Vec::new();
    let mut add = |name: String, make: Make| games.push((name, make));
    for (vertices, degree, priorities) in [
        (500_000, (1, 3), 3),
        (500_000, (1, 3), 1_000),
        (500_000, (1, 3), 500_000),
        (333_000, (2, 4), 5),
        (100_000, (1, 2), 100_000),
        (10_000, (50, 150), 3),
        (10_000, (50, 150), 10_000),
        (1_000, (1, 4), 10),
    ] {
        let shape = GameShape { vertices, degree, priorities };
        let name = format!("random, degree {}-{}", degree.0, degree.1);
        add(name, Box::new(move || random_game(&mut Rng::seeded(7), shape)));
    }
    for (states, degree, priorities, locality) in [
        (200_000, 3, 2, 199_999),
        (200_000, 3, 4, 199_999),
        (200_000, 3, 4, 3),
        (1_000_000, 1, 2, 2),
        (1_000_000, 1, 3, 1),
    ] {
        let name = format!("product, degree {degree}, reach {locality}");
        add(name, Box::new(move || product_game(&mut Rng::seeded(3), states, degree, priorities, locality)));
    }
    add("clique".into(), Box::new(|| clique(1_000)));
    add("ladder".into(), Box::new(|| ladder(250_000)));
    for (levels, width) in [(10, 100), (100, 100)] {
        add(format!("jurdzinski {levels} x {width}"), Box::new(move || jurdzinski(levels, width)));
    }
    for n in [10, 20, 100, 10_000] {
        add(format!("recursive ladder {n}"), Box::new(move || recursive_ladder(n)));
    }
    for n in [10, 20, 100] {
        add(format!("core counter {n}"), Box::new(move || core_counter(n, false)));
    }
    for n in [10, 20, 40] {
        add(format!("core counter {n}, robust"), Box::new(move || core_counter(n, true)));
    }
    for n in [10, 20, 100, 1_000] {
        add(format!("promotion counter {n}"), Box::new(move || promotion_counter(n)));
    }
    for n in [10, 20, 100] {
        add(format!("small counter {n}"), Box::new(move || small_counter(n)));
    }
    for n in [6, 8, 10, 12] {
        add(format!("two counters {n}"), Box::new(move || two_counters(n)));
    }
    games
}

fn row(name: &str, game: &ParityGame) -> String {
    let priorities = game.n_priorities();
    let mut row = format!("{name:<34} {:>9} {:>9} {priorities:>10}", game.n_vertices(), game.n_edges());
    let started = Instant::now();
    let even =
        (priorities <= NAIVE_PRIORITIES).then(|| naive_regions(&capped(NAIVE_CAP), game).ok()).flatten();
    let naive = even.as_ref().map_or("stopped".into(), |_| millis(started));
    let started = Instant::now();
    let solution = solve(&capped(CAP), game);
    let fast = solution.as_ref().map_or("stopped".into(), |_| millis(started));
    let validated = match solution {
        Ok(solution) if even.is_some_and(|even| even != solution.region(Player::Even)) => "DIFFERENT",
        Ok(solution) if check_solution(game, &solution).is_ok() => "yes",
        Ok(_) => "NO",
        Err(_) => "-",
    };
    write!(row, " {naive:>11} {fast:>11} {validated:>10}").expect("a string takes everything");
    row
}

/// How fast a large game is read.
fn reading() -> String {
    let shape = GameShape { vertices: 500_000, degree: (1, 3), priorities: 100 };
    let mut text = Vec::new();
    write_pgsolver(&random_game(&mut Rng::seeded(7), shape), &mut text).expect("a vector takes everything");
    let text = String::from_utf8(text).expect("the format is text");
    let started = Instant::now();
    let file = read_pgsolver(&text).expect("what is written is right");
    format!("reading {} edges, {} bytes of text: {} ms", file.game.n_edges(), text.len(), millis(started))
}

fn capped(time: Duration) -> Context {
    Context::new(Limits { time: Some(time), ..Limits::default() }, Cancel::default())
}

fn millis(started: Instant) -> String {
    format!("{:.2}", started.elapsed().as_secs_f64() * 1e3)
}
