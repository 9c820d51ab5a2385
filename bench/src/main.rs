//! Benchmarks that print tables: `cargo run --release -p tertium-bench -- SUITE`. See `bench/README.md`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing tables is what this program does")]

mod abstraction;
mod auto;
mod check;
mod child;
mod combined;
mod compare;
mod dd;
mod elevator;
mod explore;
mod families;
mod games;
mod growth;
mod models;
mod nusmv;
mod pasareanu;
mod procedures;
mod programs;
mod queries;
mod rechecks;
mod ris;
mod search;
mod smv;
mod smv_families;
mod table;
mod vacuity;

use peak_alloc::PeakAlloc;

/// Counts what is on the heap, so that tables can show the peak.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize| arguments.get(index).map_or("", String::as_str);
    let largest = argument(1).parse().unwrap_or(5_000_000);
    let deepest = argument(2).parse().unwrap_or(3);
    let mut right = true;
    match argument(0) {
        "abstraction" => {
            right = abstraction::run(argument(1).parse().unwrap_or(abstraction::LIMIT), argument(2));
        }
        "auto" => right = auto::run(argument(1).parse().unwrap_or(auto::LIMIT), argument(2)),
        "check" => check::run(largest, deepest),
        "combined" => {
            right = combined::run(argument(1).parse().unwrap_or(combined::LIMIT), argument(2));
        }
        "compare" => {
            let limit = argument(3).parse().unwrap_or(compare::LIMIT);
            right = compare::run(argument(1), argument(2), limit, argument(4));
        }
        "dd" => dd::run(),
        "explore" => right = explore::run(argument(1)),
        "games" => games::run(),
        "growth" => right = growth::run(&arguments[1..]),
        "pasareanu" => right = pasareanu::run(),
        "procedures" => right = procedures::run(),
        "programs" => {
            let limit = argument(2).parse().unwrap_or(programs::LIMIT);
            right = programs::run(argument(1), limit, argument(3));
        }
        programs::SPACER => programs::ask_spacer(argument(1)),
        "queries" => queries::run(argument(1).parse().unwrap_or(queries::LIMIT)),
        "rechecks" => rechecks::run(argument(1).parse().unwrap_or(rechecks::LIMIT), argument(2)),
        "ris" => {
            let sizes: Vec<usize> =
                arguments[1..].iter().filter_map(|argument| argument.parse().ok()).collect();
            ris::run(if sizes.is_empty() { &ris::SIZES } else { &sizes });
        }
        "search" => {
            let (n, most) = search::SIZE;
            right = search::run(argument(1).parse().unwrap_or(n), argument(2).parse().unwrap_or(most));
        }
        "smv" => {
            let limit = argument(1).parse().unwrap_or(smv::LIMIT);
            smv::run(limit, argument(2), arguments.get(3..).unwrap_or_default());
        }
        "vacuity" => vacuity::run(argument(1).parse().unwrap_or(vacuity::LIMIT), argument(2)),
        "all" => {
            check::run(largest, deepest);
            dd::run();
            games::run();
            queries::run(queries::LIMIT);
            ris::run(&ris::SIZES);
            smv::run(smv::LIMIT, "", &[]);
            rechecks::run(rechecks::LIMIT, "");
            vacuity::run(vacuity::LIMIT, "");
            right = abstraction::run(abstraction::LIMIT, "");
            right &= combined::run(combined::LIMIT, "");
            right &= pasareanu::run();
            right &= search::run(search::SIZE.0, search::SIZE.1);
            right &= explore::run("");
            right &= growth::run(&[]);
            right &= auto::run(auto::LIMIT, "");
            right &= programs::run("", programs::LIMIT, "");
            right &= procedures::run();
        }
        _ => {
            eprintln!(
                "usage: tertium-bench check|dd|games|all [LARGEST NUMBER OF TRANSITIONS] [DEEPEST ALTERNATION]\n       \
                 tertium-bench queries [LIMIT IN SECONDS]\n       \
                 tertium-bench abstraction|auto|combined|rechecks|vacuity [LIMIT IN SECONDS] [PART OF A NAME]\n       \
                 tertium-bench compare OLD NEW [LIMIT IN SECONDS] [PART OF A NAME]\n       \
                 tertium-bench pasareanu|procedures\n       \
                 tertium-bench programs [FOLDER] [LIMIT IN SECONDS] [PART OF A NAME]\n       \
                 tertium-bench explore|growth [PART OF A NAME]\n       \
                 tertium-bench ris [NUMBER OF BLOCKS]...\n       \
                 tertium-bench search [NUMBER OF PROCESSES] [GREATEST VALUE]\n       \
                 tertium-bench smv [LIMIT IN SECONDS] [PART OF A NAME] [OPTIONS FOR NUSMV]..."
            );
            right = false;
        }
    }
    if !right {
        std::process::exit(1);
    }
}
