//! The `dd` suite: the core of the crate `dd` beside OxiDD, both with complement edges, one thread, the same operations in the
//! same order of variables, in one process.
//!
//! Results of both are compared by their number of nodes, which the order determines. Seconds are processor time of the
//! process, the least of three runs, so that other programs on the machine matter less.

mod library;
mod problems;

use crate::table::{Table, processor_seconds};
use library::{Library, Ours, OxiDd};
use problems::{mix, mix_of, philosophers, queens};
use tertium_dd::Bdd;
use tertium_support::Rng;

/// Prints the table.
pub(crate) fn run() {
    let mut table = Table::new(["problem", "n", "nodes", "dd s", "oxidd s", "dd / oxidd"]);
    let mut total = (0.0, 0.0);
    let mut add = |name: &str, n: usize, ours: fn(usize) -> usize, theirs: fn(usize) -> usize| {
        let ((nodes, seconds), (other_nodes, other_seconds)) =
            (least_of_three(|| ours(n)), least_of_three(|| theirs(n)));
        assert_eq!(nodes, other_nodes, "both libraries must find the same functions");
        total = (total.0 + seconds, total.1 + other_seconds);
        let ratio = seconds / other_seconds;
        table.row([
            name.into(),
            n.to_string(),
            nodes.to_string(),
            format!("{seconds:.3}"),
            format!("{other_seconds:.3}"),
            format!("{ratio:.2}"),
        ]);
    };
    for n in 8..=11 {
        add("queens", n, queens::<Ours>, queens::<OxiDd>);
    }
    for n in [20, 30, 40] {
        add("philosophers", n, philosophers::<Ours>, philosophers::<OxiDd>);
    }
    for n in [20, 24, 28] {
        add("random mix", n, mix::<Ours>, mix::<OxiDd>);
    }
    let ratio = total.0 / total.1;
    table.row([
        "sum".into(),
        String::new(),
        String::new(),
        format!("{:.3}", total.0),
        format!("{:.3}", total.1),
        format!("{ratio:.2}"),
    ]);
    table.print("decision diagrams: the crate dd and OxiDD 0.13, one thread");
    sifting();
}

/// How much sifting gains on functions whose order was shuffled, and what it costs.
fn sifting() {
    let mut table = Table::new(["function", "variables", "nodes before", "after", "s"]);
    let mut add = |name: &str, n_vars: usize, make: &dyn Fn(&Ours) -> Vec<Bdd>| {
        let mut library = Ours::new(n_vars);
        Rng::seeded(5).shuffle(&mut library.vars);
        let functions = make(&library);
        library.manager.collect();
        let before = library.manager.n_nodes();
        let started = processor_seconds();
        library.manager.reorder().expect("no limit");
        let seconds = processor_seconds() - started;
        let after = library.manager.n_nodes();
        drop(functions);
        table.row([
            name.into(),
            n_vars.to_string(),
            before.to_string(),
            after.to_string(),
            format!("{seconds:.3}"),
        ]);
    };
    add("x1 y1 + x2 y2 + ..", 32, &|library| {
        let pair = |i: usize| library.and(&library.var(2 * i), &library.var(2 * i + 1));
        vec![(0..16).fold(library.constant(false), |sum, i| library.or(&sum, &pair(i)))]
    });
    add("bits of a sum of two numbers", 32, &|library| {
        let mut carry = library.constant(false);
        let mut bits = Vec::new();
        for i in 0..16 {
            let (x, y) = (library.var(2 * i), library.var(2 * i + 1));
            let both = library.xor(&x, &y);
            bits.push(library.xor(&both, &carry));
            carry = library.or(&library.and(&x, &y), &library.and(&both, &carry));
        }
        bits
    });
    add("a random mix", 24, &|library| mix_of(library, 24).0);
    table.print("sifting after a random order");
}

/// The result and the seconds of one run: the least of three rounds, each of as many runs as take a while.
fn least_of_three(work: impl Fn() -> usize) -> (usize, f64) {
    let round = || {
        let started = processor_seconds();
        for runs in 1.. {
            let result = work();
            let seconds = processor_seconds() - started;
            if seconds > 0.2 {
                return (result, seconds / f64::from(runs));
            }
        }
        unreachable!("time passes")
    };
    [round(), round(), round()].into_iter().min_by(|x, y| x.1.total_cmp(&y.1)).expect("three rounds")
}
