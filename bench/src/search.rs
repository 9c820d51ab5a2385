//! The `search` suite: how fast and how compact the explicit part of the search with abstract matching is.
//!
//! One family of models, see `counters`: searched by a loop written for it by hand, by a search that matches states by
//! themselves, by two that match them by predicates (one of them so fine that it visits the same states), without a
//! solver, by one thread and by two; and by Spin if it is there. States must be as many wherever all are visited.

mod counters;
mod spin;

use crate::MEMORY;
use crate::table::{Table, timed, whole_processor_seconds};
pub(crate) use counters::Counters;
use rustc_hash::FxHashSet;
use tertium_front_gcl::{Model, read};
use tertium_program::initial_states;
use tertium_search::{
    Identity, Machine, Matching, Order, Precision, RoundSettings, Scope, Written, search_once,
};
use tertium_support::{Context, Source};

/// Processes and greatest values unless something else is asked for.
pub(crate) const SIZE: (usize, u64) = (5, 5);

/// A row of the table.
struct Row {
    states: usize,
    generated: Option<usize>,
    seconds: f64,
    processor: f64,
    bytes: Option<usize>,
}

/// Runs the suite on `n` processes that count up to `most`. False if searches of all states found different numbers of them.
pub(crate) fn run(n: usize, most: u64) -> bool {
    let family = Counters { n, most };
    if !family.is_valid() {
        println!("search: 2 to 10 processes that count up to 15 at most");
        return false;
    }
    let mut table = Table::new([
        "search",
        "threads",
        "states",
        "generated",
        "s",
        "states/s",
        "processor s",
        "states/processor s",
        "to plain",
        "bytes/state",
    ]);
    let plain = measured(|| plain(family));
    let per_state = |row: &Row| row.processor.max(0.01) / row.states as f64;
    let mut add = |name: &str, threads: &str, row: &Row| {
        table.row([
            name.into(),
            threads.into(),
            row.states.to_string(),
            row.generated.map_or("-".into(), |generated| generated.to_string()),
            format!("{:.2}", row.seconds),
            format!("{:.0}", row.states as f64 / row.seconds),
            format!("{:.2}", row.processor),
            format!("{:.0}", 1.0 / per_state(row)),
            format!("{:.2}", per_state(row) / per_state(&plain)),
            row.bytes.map_or("-".into(), |bytes| format!("{:.1}", bytes as f64 / row.states as f64)),
        ]);
    };
    add("plain, by hand", "1", &plain);
    let mut right = true;
    let context = Context::default();
    let source = Source::new("counters", family.gcl());
    let (model, _) = read(&context, &source).unwrap_or_else(|complaints| panic!("{complaints:?}"));
    let machine = Machine::new(&model.program).expect("no inputs");
    let start = initial_states(&context, &model.program, 1).expect("no limits").states;
    let (fine, coarse) = (precision(&model, &family.predicates(1)), precision(&model, &family.predicates(2)));
    let n_fine = format!("by {} predicates", fine.len());
    let n_coarse = format!("by {} predicates", coarse.len());
    for (name, matching, is_all) in [
        ("by states", Matching::States, true),
        (n_fine.as_str(), Matching::Predicates(&fine), true),
        (n_coarse.as_str(), Matching::Predicates(&coarse), false),
    ] {
        let mut alone = None;
        for threads in [1, 2] {
            let settings = RoundSettings { order: Order::Breadth, threads, ..RoundSettings::default() };
            let row = measured(|| {
                let round = search_once(&context, &machine, &start, matching, None, settings);
                let round = round.expect("no limits");
                (round.n_visits(), round.n_generated)
            });
            right &= !is_all || row.states == plain.states;
            let counts = (row.states, row.generated);
            right &= *alone.get_or_insert(counts) == counts;
            add(name, &threads.to_string(), &row);
        }
    }
    let mut remarks = Vec::new();
    if spin::is_there() {
        for (name, order) in
            [("Spin, depth first", spin::Order::Depth), ("Spin, breadth first", spin::Order::Breadth)]
        {
            match spin::search(&family.promela(), plain.states, order) {
                Ok(found) => {
                    right &= found.states == plain.states as u64;
                    let bytes = found.memory.map(|bytes| bytes as usize);
                    let states = found.states as usize;
                    let (seconds, processor) = (found.seconds, found.processor);
                    add(name, "1", &Row { states, generated: None, seconds, processor, bytes });
                }
                Err(complaint) => remarks.push(format!("{name}: {complaint}")),
            }
        }
    } else {
        remarks.push("Spin is not here: `spin` and `cc` have to be on the PATH".to_owned());
    }
    table.print(&format!("Search of {n} processes with counters up to {most}; bytes are the peak of the heap, for Spin of its memory"));
    remarks.iter().for_each(|remark| println!("  {remark}"));
    if !right {
        println!("  WRONG: the numbers of states differ");
    }
    right
}

/// Runs a search that says how many states it found and how many it generated.
fn measured(search: impl FnOnce() -> (usize, usize)) -> Row {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let started = whole_processor_seconds(false);
    let ((states, generated), seconds) = timed(search);
    let processor = whole_processor_seconds(false) - started;
    Row { states, generated: Some(generated), seconds, processor, bytes: Some(MEMORY.peak_usage() - before) }
}

fn precision(model: &Model, predicates: &str) -> Precision {
    let terms = &model.program.terms;
    let mut precision = Precision::new(Identity::Normal);
    for (term, _) in model.predicates(&Source::new("predicates", predicates)).expect("they are well-formed") {
        for atom in terms.atoms_of(term) {
            precision.add(&model.program, Written::new(terms, atom), Scope::Everywhere);
        }
    }
    precision
}

/// A search as one would write it for this family only: a state is a word, a set says what is known, and parents are not kept.
fn plain(family: Counters) -> (usize, usize) {
    let mut known: FxHashSet<u64> = FxHashSet::default();
    let mut found = vec![0];
    known.insert(0);
    let (mut at, mut n_generated) = (0, 1);
    while at < found.len() {
        family.successors(found[at], |next| {
            n_generated += 1;
            if known.insert(next) {
                found.push(next);
            }
        });
        at += 1;
    }
    (found.len(), n_generated)
}
