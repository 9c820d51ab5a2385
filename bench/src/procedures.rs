//! The `procedures` suite: programs with n procedures, beside the published times [Wei09, Table 4.3].
//!
//! T1 and T2 have n levels that call the next one twice, so that inlining costs 2^n; they are published with the times that stand
//! beside ours. In T1 the error is reached iff n is even; T2 goes on for ever in its last level, and its error is never reached. The third
//! family is T1 with a third call, of the level before, so that all levels call each other. A table of its own has a ring of functions
//! that keep the sign of what they are given: there each function needs a round of refinement for itself. Every run is one of the built
//! program with the engine `recursion`, with mathematical integers, as published.

use crate::child;
use crate::table::{Table, exponent};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

/// The exponent that no column should exceed.
const TARGET: f64 = 1.2;
/// Numbers of procedures; odd ones are one more.
const SIZES: [usize; 10] = [20, 50, 100, 200, 300, 400, 500, 1_000, 1_500, 2_000];
/// Published seconds for T1 `EF error`, T2 `EG !end` and T2 `EF error`, by number of procedures.
const PUBLISHED: [(usize, [f64; 3]); 7] = [
    (20, [6.5, 4.9, 4.3]),
    (50, [11.7, 8.9, 6.3]),
    (100, [20.3, 20.3, 11.1]),
    (200, [36.7, 25.2, 27.6]),
    (300, [47.6, 34.4, 42.1]),
    (400, [68.1, 43.2, 64.5]),
    (500, [105.2, 60.6, 86.6]),
];
/// Longer runs are stopped.
const LIMIT: Duration = Duration::from_secs(120);
/// Every run is made so often, and the least counts.
const RUNS: usize = 3;

/// What is asked: how it is called, the program with n procedures, the formula, and whether it holds.
struct Column {
    name: &'static str,
    program: fn(usize) -> String,
    formula: &'static str,
    holds: bool,
    /// Its place among the published times.
    published: Option<usize>,
}

/// A ring, and the numbers of functions in it.
const RING: Column =
    Column { name: "ring EF error", program: ring, formula: "EF at(ERROR)", holds: false, published: None };
const RING_SIZES: [usize; 3] = [10, 20, 40];

const COLUMNS: [Column; 5] = [
    Column { name: "T1 EF error", program: t1, formula: "EF at(ERROR)", holds: true, published: Some(0) },
    Column {
        name: "T1 odd EF error",
        program: |n| t1(n + 1),
        formula: "EF at(ERROR)",
        holds: false,
        published: None,
    },
    Column { name: "T2 EG !end", program: t2, formula: "EG !end", holds: true, published: Some(1) },
    Column { name: "T2 EF error", program: t2, formula: "EF at(ERROR)", holds: false, published: Some(2) },
    Column {
        name: "mutual EF error",
        program: |n| mutual(n + 1),
        formula: "EF at(ERROR)",
        holds: false,
        published: None,
    },
];

/// Prints the table. False if an answer is missing or wrong, or a column grows faster than the target.
pub(crate) fn run() -> bool {
    let tertium = env::current_exe().unwrap_or_default().with_file_name("tertium");
    if !tertium.is_file() {
        println!(
            "procedures: skipped, there is no `tertium` beside this program (`cargo build --release` makes it)"
        );
        return true;
    }
    let mut right = true;
    let mut table = Table::new([
        "n",
        "T1 EF error",
        "published",
        "T1 odd EF error",
        "T2 EG !end",
        "published",
        "T2 EF error",
        "published",
        "mutual EF error",
    ]);
    let mut points: Vec<Vec<(f64, f64)>> = vec![Vec::new(); COLUMNS.len()];
    for n in SIZES {
        let mut row = vec![n.to_string()];
        for (column, points) in COLUMNS.iter().zip(&mut points) {
            let answer = answer(&tertium, column, n);
            right &= answer.is_ok();
            row.push(match answer {
                Ok(seconds) => {
                    points.push((n as f64, seconds));
                    format!("{seconds:.2}")
                }
                Err(said) => said,
            });
            if let Some(place) = column.published {
                let known = PUBLISHED.iter().find(|(own, _)| *own == n);
                row.push(known.map_or("-".to_owned(), |(_, seconds)| seconds[place].to_string()));
            }
        }
        table.row::<9>(row.try_into().expect("as many cells as heads"));
    }
    table.print("Programs with n procedures, processor seconds");
    let mut growth = Table::new(["column", "exponent of all sizes", "from 500 on"]);
    for (column, points) in COLUMNS.iter().zip(&points) {
        let large: Vec<(f64, f64)> = points.iter().copied().filter(|&(n, _)| n >= 500.0).collect();
        let (all, large) = (exponent(points), exponent(&large));
        right &= all <= TARGET;
        growth.row([column.name.to_owned(), format!("{all:.2}"), format!("{large:.2}")]);
    }
    growth.print(&format!("Growth; the aim is an exponent of at most {TARGET}"));
    let mut table = Table::new(["n", RING.name]);
    let mut points = Vec::new();
    for n in RING_SIZES {
        let answer = answer(&tertium, &RING, n);
        right &= answer.is_ok();
        points.extend(answer.iter().map(|&seconds| (n as f64, seconds)));
        table.row([n.to_string(), answer.map_or_else(|said| said, |seconds| format!("{seconds:.2}"))]);
    }
    table.row(["exponent".to_owned(), format!("{:.2}", exponent(&points))]);
    table.print("A ring of functions, each with a round of its own, processor seconds");
    right
}

/// Processor seconds of the right answer, or what was said instead.
fn answer(tertium: &Path, column: &Column, n: usize) -> Result<f64, String> {
    let file = env::temp_dir().join(format!("tertium-bench-procedures-{}.c", std::process::id()));
    fs::write(&file, (column.program)(n)).map_err(|error| error.to_string())?;
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let mut command = Command::new(tertium);
        command.args(["check", "--quiet", "--engine", "recursion", "--integers", "math"]);
        command.args(["-p", column.formula]).arg(&file);
        let ended = child::run(&mut command, LIMIT).map_err(|error| error.to_string())?;
        let last = ended.output.lines().last().unwrap_or("no answer");
        if last != format!("RESULT: {}", column.holds) {
            return Err(last.to_owned());
        }
        least = least.min(ended.processor);
    }
    // It is in the folder for temporary files: what is left there does no harm.
    let _ = fs::remove_file(&file);
    Ok(least)
}

/// Levels with these bodies where `g` is positive, by number, after a sign change and before another one.
fn levels(n: usize, body: impl Fn(usize) -> String) -> String {
    let mut text = "extern int __VERIFIER_nondet_int(void);\nint g;\n".to_owned();
    let mut add = |line: String| writeln!(text, "{line}").expect("strings can be written to");
    (1..=n).for_each(|i| add(format!("void level_{i}(void);")));
    add("int main(void) { g = __VERIFIER_nondet_int(); level_1(); if (g < 0) { ERROR:; } END: return 0; }"
        .into());
    for i in 1..=n {
        let inner = body(i);
        add(format!(
            "void level_{i}(void) {{ int t = 0; g = -1 * g; if (g <= 0) {{ t = t + 1; }} else {{ {inner} }} g = -1 * g; }}"
        ));
    }
    text
}

/// Two calls of a level.
fn twice(i: usize) -> String {
    format!("level_{i}(); g = -1 * g; level_{i}();")
}

fn t1(n: usize) -> String {
    levels(n, |i| if i < n { twice(i + 1) } else { "g = -1 * g;".to_owned() })
}

fn t2(n: usize) -> String {
    levels(n, |i| twice((i + 1).min(n)))
}

/// T1 with a third call, of the level before, which gives back what it is given.
fn mutual(n: usize) -> String {
    levels(n, |i| {
        let own = if i < n { twice(i + 1) } else { "g = -1 * g;".to_owned() };
        format!("{own} if (g > 0) {{ level_{}(); }}", i.max(2) - 1)
    })
}

/// Functions in a ring, each with three calls of two others, all of which keep the sign of what they are given.
fn ring(n: usize) -> String {
    let mut text = "extern int __VERIFIER_nondet_int(void);\n".to_owned();
    let mut add = |line: String| writeln!(text, "{line}").expect("strings can be written to");
    (0..n).for_each(|i| add(format!("int f_{i}(int a);")));
    add("int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0) { return 0; } x = f_0(x); if (x < 0) { ERROR:; } return 0; }"
        .into());
    for i in 0..n {
        let (next, back) = ((i + 1) % n, if i % 2 == 0 { (i + 2) % n } else { i - 1 });
        add(format!(
            "int f_{i}(int a) {{ if (a > 0) {{ a = a - 1; if (__VERIFIER_nondet_int()) {{ a = f_{next}(a); }} \
             else {{ a = f_{back}(a); a = f_{next}(a); }} a = a + 1; }} return a; }}"
        ));
    }
    text
}
