//! The `explore` suite: how fast and how compact the explorer of programs is.
//!
//! Each model is explored with all its steps kept, by one thread and by two, made into a partial system, and one
//! property is checked on it by one thread; and it is explored by a loop over boxed states straight from the
//! interpreter, up to a bound. States and steps must be as many wherever all are found.

use crate::MEMORY;
use crate::search::Counters;
use crate::table::{Table, processor_timed, whole_processor_seconds};
use rustc_hash::FxHashMap;
use tertium_check::{Prepared, check};
use tertium_explore::{ProgramSpace, Settings, reachable_within};
use tertium_front_gcl::{Model, read};
use tertium_program::{Interpreter, State, initial_states};
use tertium_support::{Context, Source};
use tertium_system::{StateSpace, Steps};

/// The boxed loop ends after so many states.
const BOXED: usize = 100_000;
/// States of examples without an end.
const CUT: usize = 200_000;

/// A part of the work.
struct Row {
    part: &'static str,
    states: usize,
    steps: usize,
    processor: f64,
    /// Bytes at the peak, beside the packed words of the states and twelve for each step.
    beside: Option<f64>,
}

/// Runs the suite on models whose names have a part. False if numbers of states or steps differ.
pub(crate) fn run(part: &str) -> bool {
    let mut table = Table::new([
        "model",
        "part",
        "states",
        "steps",
        "processor s",
        "states/processor s",
        "to boxed",
        "bytes/state beside words and 12/step",
    ]);
    let mut right = true;
    for (name, text) in models().into_iter().filter(|(name, _)| name.contains(part)) {
        let (model, _) = read(&Context::default(), &Source::new(&name, text))
            .unwrap_or_else(|complaints| panic!("{name}: {complaints:?}"));
        let rows = rows(&model);
        right &= rows[0].states == rows[1].states && rows[0].steps == rows[1].steps;
        let rate = |row: &Row| row.states as f64 / row.processor.max(1e-4);
        let boxed = rate(rows.last().expect("the boxed loop is the last"));
        table.rows(rows.iter().map(|row| {
            [
                name.clone(),
                row.part.into(),
                row.states.to_string(),
                row.steps.to_string(),
                format!("{:.3}", row.processor),
                format!("{:.0}", rate(row)),
                format!("{:.1}", rate(row) / boxed),
                row.beside.map_or("-".into(), |bytes| format!("{bytes:.1}")),
            ]
        }));
    }
    table.print("Exploration of programs, all steps kept");
    if !right {
        println!("  WRONG: the numbers of states or steps differ");
    }
    right
}

/// Counters of 10^5 to 10^6 states, and examples.
fn models() -> Vec<(String, String)> {
    let mut models: Vec<(String, String)> = [(4, 7), (5, 5)]
        .map(|(n, most)| {
            (format!("ring {n} {most}"), Counters { n, most }.gcl() + "property p: AG c0 <= 15;\n")
        })
        .into();
    for most in [316, 999] {
        let text = format!(
            "var x, y: 0..{most} = 0;\n[a] x < {most} -> x := x + 1;\n[b] y < {most} -> y := y + 1;\n\
             [r] x = {most} && y = {most} -> x := 0, y := 0;\nproperty p: AG x + y <= {};\n",
            2 * most
        );
        models.push((format!("two to {most}"), text));
    }
    for name in ["bakery", "fischer"] {
        let path = format!("{}/../examples/{name}.gcl", env!("CARGO_MANIFEST_DIR"));
        models.push((name.to_owned(), std::fs::read_to_string(&path).expect("the example is there")));
    }
    models
}

fn rows(model: &Model) -> Vec<Row> {
    let (context, program) = (Context::default(), &model.program);
    let n_words = ProgramSpace::new(program).steps().n_words();
    let mut rows = Vec::new();
    let mut kept = None;
    for (part, threads) in [("explored", 1), ("by 2 threads", 2)] {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let most = if is_endless(model) { CUT } else { usize::MAX };
        let settings = Settings { kept: most, threads, ..Settings::default() };
        let started = whole_processor_seconds(false);
        let (found, alone) = processor_timed(|| reachable_within(&context, program, &settings));
        // Of threads that have ended only the whole process knows, in hundredths of a second.
        let processor = if threads == 1 { alone } else { whole_processor_seconds(false) - started };
        let found = found.expect("no limits");
        let peak = (MEMORY.peak_usage() - before) as f64;
        let (states, steps) = (found.n_states(), found.n_steps());
        let beside = (peak - 12.0 * steps as f64) / states as f64 - 8.0 * n_words as f64;
        rows.push(Row { part, states, steps, processor, beside: Some(beside) });
        kept.get_or_insert(found);
    }
    let found = kept.expect("it was explored");
    let (states, steps) = (found.n_states(), found.n_steps());
    let property = model.properties[0].meaning.branching().expect("of branching time");
    let atoms = property.atoms.iter().map(|(name, &term)| (name.as_str(), term));
    let (system, processor) = processor_timed(|| found.to_system(program, atoms));
    rows.push(Row { part: "as a system", states, steps, processor, beside: None });
    let (_, processor) = processor_timed(|| {
        let prepared = Prepared::new(&context, &system).expect("no limits");
        check(&context, &prepared, &property.formula, &tertium_check::Settings::default()).verdict
    });
    rows.push(Row { part: "checked", states, steps, processor, beside: None });
    let ((states, steps), processor) = processor_timed(|| boxed(model, BOXED.min(states)));
    rows.push(Row { part: "boxed", states, steps, processor, beside: None });
    rows
}

fn is_endless(model: &Model) -> bool {
    model.program.variables().iter().any(|own| !own.domain.is_finite())
}

/// A search as the definition says it: how many states were followed, and how many steps they have.
fn boxed(model: &Model, most: usize) -> (usize, usize) {
    let program = &model.program;
    let interpreter = Interpreter::new(program);
    let mut states = initial_states(&Context::default(), program, 1).expect("no limits").states;
    let mut numbers: FxHashMap<State, usize> = states.iter().cloned().zip(0..).collect();
    let mut steps = Vec::new();
    let mut at = 0;
    while at < states.len().min(most) {
        for successor in interpreter.successors(&states[at]).unwrap_or_default() {
            let number = *numbers.entry(successor.state.clone()).or_insert_with(|| {
                states.push(successor.state);
                states.len() - 1
            });
            steps.push((at, successor.command, number));
        }
        at += 1;
    }
    (at, steps.len())
}
