//! The fast checker on large systems: time against parsing, growth, memory, and the price of the third value.

use crate::MEMORY;
use crate::families::{self, Generated};
use crate::table::{Table, exponent, median_of_three, timed};
use tertium_check::{Prepared, Record, Settings, check, label};
use tertium_logic::{Formula, FormulaGraph, parse};
use tertium_support::{Context, Rng, Source};
use tertium_system::format::{AutMode, read_aut};
use tertium_system::{Modality, PartialSystem, SystemBuilder};

/// Sizes in transitions.
const SIZES: [usize; 5] = [100_000, 300_000, 1_000_000, 2_000_000, 5_000_000];

/// Formulas that make sense for every family: `any` ranges over all actions of a family, `some` is one of them.
fn formulas(family: &str, deepest: usize) -> Vec<(&'static str, Formula)> {
    let some = match family {
        "random" => "act0",
        "grid" => "north",
        "ring" => "pass",
        _ => "ready",
    };
    let texts = [
        ("no deadlock", "[true*]<true>true".to_owned()),
        ("reachable", format!("<true*><{some}>true")),
        ("always reachable", format!("[true*]<true*><{some}>true")),
        ("inevitable", format!("mu X. [!{some}]X && <true>true")),
        ("infinitely often", format!("nu X. mu Y. <{some}>X || <!{some}>Y")),
        ("fair response", format!("nu X. mu Y. ([{some}]X && [!{some}]Y) || <!{some}>(X && <{some}>true)")),
        ("depth 3", format!("mu X. nu Y. mu Z. (<{some}>X || [!{some}]Y) && (<true>Z || [{some}]Y)")),
    ];
    let formulas = texts.map(|(name, text)| (name, parse(&Source::new(name, text)).expect("a formula")));
    formulas
        .into_iter()
        .filter(|(_, formula)| FormulaGraph::new(formula).alternation_depth() <= deepest)
        .collect()
}

/// Growth of one formula on one family: transitions against seconds, and against steps looked at.
struct Growth {
    name: String,
    time: Vec<(f64, f64)>,
    steps: Vec<(f64, f64)>,
}

/// Runs the suite on systems of at most `largest` transitions, with formulas of alternation depth at most `deepest`.
pub(crate) fn run(largest: usize, deepest: usize) {
    let mut speed = Table::new([
        "family",
        "transitions",
        "states",
        "formula",
        "depth",
        "verdict",
        "parse s",
        "check s",
        "check/parse",
        "bytes beyond",
        "allowed",
    ]);
    let mut growth: Vec<Growth> = Vec::new();
    for size in SIZES.into_iter().filter(|&size| size <= largest) {
        for generated in families::all(size) {
            measure(&generated, deepest, &mut speed, &mut growth);
        }
    }
    speed.print(
        "Checking against parsing; bytes are the peak of the heap beyond the text, per transition and state",
    );
    let mut exponents = Table::new(["family and formula", "points", "exponent of time", "exponent of steps"]);
    for Growth { name, time, steps } in &growth {
        // Some questions are answered almost without looking; then there is no growth to speak of.
        let looked = steps.iter().all(|&(transitions, steps)| steps > transitions / 10.0);
        exponents.row([
            name.clone(),
            time.len().to_string(),
            format!("{:.2}", exponent(time)),
            if looked { format!("{:.2}", exponent(steps)) } else { "-".into() },
        ]);
    }
    exponents.print("Growth with the number of transitions, alternation depth 1; steps are those that propagation looked at");
    third_value(largest.min(2_000_000), deepest);
}

fn load(context: &Context, text: &str) -> PartialSystem {
    read_aut(context, text.as_bytes(), AutMode::Plain).unwrap_or_else(|error| panic!("{error:?}"))
}

const SETTINGS: Settings = Settings { semantics: tertium_check::Semantics::Sis, record: Record::Values };

fn measure(generated: &Generated, deepest: usize, table: &mut Table, growth: &mut Vec<Growth>) {
    let context = Context::default();
    let (_, parse_time) = median_of_three(|| load(&context, &generated.text));
    for (name, formula) in formulas(generated.family, deepest) {
        let depth = FormulaGraph::new(&formula).alternation_depth();
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let system = load(&context, &generated.text);
        let answer = |system: &PartialSystem| {
            let prepared = Prepared::new(&context, system).expect("no limit");
            check(&context, &prepared, &formula, &SETTINGS)
        };
        let (outcome, first) = timed(|| answer(&system));
        let peak = MEMORY.peak_usage() - before;
        let time = if first < 2.0 { median_of_three(|| answer(&system)).1 } else { first };
        let (transitions, states) = (system.transitions().len(), system.n_states());
        let allowed = 24 * transitions + 32 * states;
        table.row([
            generated.family.into(),
            transitions.to_string(),
            states.to_string(),
            name.into(),
            depth.to_string(),
            outcome.verdict.to_string(),
            format!("{parse_time:.3}"),
            format!("{time:.3}"),
            format!("{:.2}", time / parse_time),
            format!("{peak}"),
            format!("{:.0} %", 100.0 * peak as f64 / allowed as f64),
        ]);
        if depth == 1 {
            let key = format!("{}, {name}", generated.family);
            let at = growth.iter().position(|known| known.name == key).unwrap_or_else(|| {
                growth.push(Growth { name: key, time: Vec::new(), steps: Vec::new() });
                growth.len() - 1
            });
            let steps = outcome.statistics.get("steps looked at").unwrap_or_default();
            growth[at].time.push((transitions as f64, time));
            growth[at].steps.push((transitions as f64, steps as f64));
        }
    }
}

/// The same system, with a tenth of its transitions as `open` says: may-only, ordinary, or left out.
fn with_tenth(system: &PartialSystem, open: Option<Modality>) -> PartialSystem {
    let mut rng = Rng::seeded(2);
    let mut builder = SystemBuilder::numbered(system.n_states());
    system.initial().iter().for_each(|&state| builder.initial(state));
    system.actions().names().for_each(|name| {
        builder.action(name);
    });
    for state in system.states() {
        for edge in system.edges(state) {
            let modality = if rng.chance(0.1) { open } else { Some(Modality::Both) };
            if let Some(modality) = modality {
                builder.edge(state, edge.action, edge.other, modality);
            }
        }
    }
    builder.build()
}

/// Both bounds on a partial system against one answer on ordinary systems of the same shape: its greatest refinement,
/// which is the system it was made from, and its least.
fn third_value(size: usize, deepest: usize) {
    let mut table = Table::new([
        "family",
        "formula",
        "greatest s",
        "least s",
        "both bounds s",
        "to greatest",
        "to their mean",
    ]);
    let context = Context::default();
    let mut row = |family: &str, name: &str, [greatest, least, both]: [f64; 3]| {
        table.row([
            family.into(),
            name.into(),
            format!("{greatest:.3}"),
            format!("{least:.3}"),
            format!("{both:.3}"),
            format!("{:.2}", both / greatest),
            format!("{:.2}", 2.0 * both / (greatest + least)),
        ]);
    };
    let mut totals = [0.0; 3];
    for generated in families::all(size) {
        let system = load(&context, &generated.text);
        let [partial, least, greatest] =
            [Some(Modality::May), None, Some(Modality::Both)].map(|open| with_tenth(&system, open));
        for (name, formula) in formulas(generated.family, deepest) {
            let ordinary = |system: &PartialSystem| {
                let answer = || {
                    let prepared = Prepared::new(&context, system).expect("no limit");
                    check(&context, &prepared, &formula, &SETTINGS).verdict
                };
                median_of_three(answer).1
            };
            let (_, both) = median_of_three(|| {
                let prepared = Prepared::new(&context, &partial).expect("no limit");
                label(&context, &prepared, &formula, SETTINGS.semantics)
            });
            let times = [ordinary(&greatest), ordinary(&least), both];
            totals.iter_mut().zip(times).for_each(|(total, time)| *total += time);
            row(generated.family, name, times);
        }
    }
    row("all", "", totals);
    table.print(
        "Both bounds where a tenth of the transitions is may-only, \
         against one answer where it is certain (greatest) or absent (least)",
    );
}
