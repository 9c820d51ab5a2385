//! Models written for machine-check as well, by both.
//!
//! machine-check abstracts finite systems of bit vectors, three-valued, and refines; it has CTL and the mu-calculus.
//! The package in `bench/machine-check` holds the same models for it. It is built with `make bench-peer`, and run here
//! as a child process if it is there. In its systems something happens at every moment, so the models here can stay
//! where they are, too.

use super::expected::{Expected, contradicts, judged};
use super::file;
use super::runs::{by_loop, by_search};
use crate::child;
use crate::table::Table;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tertium_truth::Verdict;

/// Model, property, and what machine-check is asked.
const QUESTIONS: [(&str, &str, &str); 20] = [
    ("peterson", "mutex", "AG![p != 3 || q != 3]"),
    ("peterson", "possible", "AG![p != 2 || EF![p == 3]]"),
    ("peterson", "again", "gfp![Z, lfp![Y, p == 3 || EX![Y]] && AX![Z]]"),
    ("peterson", "contest", "EF![p == 2 && q == 2]"),
    ("peterson", "served", "AF![p == 3]"),
    ("counter", "bounded", "AG![as_unsigned(value) <= 150]"),
    ("counter", "low", "AG![as_unsigned(value) < 150]"),
    ("counter", "back", "AG![EF![value == 0]]"),
    ("counter", "up", "EF![value == 20]"),
    ("ticket", "mutex", "AG![left != 2 || right != 2]"),
    ("ticket", "possible", "AG![left != 1 || EF![left == 2]]"),
    ("ticket", "never_served", "AG![served == 0]"),
    ("mailbox", "free", "AG![full == 1 || EX![full == 1]]"),
    ("mailbox", "quiet", "AG![urgent == 0]"),
    ("mailbox", "calm", "AG![EF![urgent == 0 && full == 0]]"),
    ("mailbox", "high", "AX![AX![urgent == 0 || as_unsigned(word) >= 192]]"),
    ("buffer", "room", "AG![as_unsigned(fill) <= 4]"),
    ("buffer", "going", "AG![EF![fill == 0]]"),
    ("buffer", "balance", "AG![made == used + fill]"),
    ("buffer", "slow", "AG![as_unsigned(made) <= 6]"),
];

fn path_of(model: &str) -> String {
    format!("bench/models/peer-{model}.gcl")
}

/// Whether a model is one of those here.
pub(crate) fn is_shared(path: &str) -> bool {
    QUESTIONS.iter().any(|(model, ..)| path_of(model) == path)
}

/// What machine-check said.
enum Peer {
    NotBuilt,
    Stopped(f64),
    Failed,
    Done { verdict: Verdict, refinements: u64, states: u64, seconds: f64 },
}

impl Peer {
    fn cells(&self, expected: bool) -> [String; 4] {
        let nothing = String::new;
        match self {
            Self::NotBuilt => ["not built".into(), nothing(), nothing(), nothing()],
            Self::Stopped(seconds) => ["-".into(), nothing(), nothing(), format!(">{seconds:.0}")],
            Self::Failed => ["failed".into(), nothing(), nothing(), nothing()],
            Self::Done { verdict, refinements, states, seconds } => [
                judged(*verdict, expected),
                refinements.to_string(),
                states.to_string(),
                format!("{seconds:.2}"),
            ],
        }
    }
}

/// Prints the table, at most `limit` for each tool and row. False if a definite verdict of ours is wrong.
pub(crate) fn run(limit: Duration, filter: &str, expected: &Expected) -> bool {
    let program = file("bench/machine-check/target/release/tertium-bench-peer");
    let program = program.is_file().then_some(program);
    let mut table = Table::new([
        "model",
        "property",
        "expected",
        "loop",
        "rounds",
        "states",
        "s",
        "search",
        "s",
        "machine-check",
        "refinements",
        "states",
        "s",
        "decaying",
        "refinements",
        "states",
        "s",
    ]);
    let mut right = true;
    let mut n_rows = 0;
    for (name, label, asked) in QUESTIONS.iter().filter(|(name, ..)| path_of(name).contains(filter)) {
        let known = match expected.load(&path_of(name)) {
            Ok(known) => known,
            Err(complaint) => {
                println!("abstraction: {complaint}");
                return false;
            }
        };
        let own = known.model.properties.iter().find(|property| property.label.as_deref() == Some(*label));
        let (Some(property), Some(&value)) = (own, known.values.get(*label)) else {
            println!("abstraction: {} has no property `{label}`", path_of(name));
            return false;
        };
        let found = by_loop(&known.model, property, limit);
        let search = by_search(&known.model, property, limit);
        right &= !contradicts(found.answer.outcome.verdict, value) && !contradicts(search.verdict, value);
        right &= found.confirmed != Some(false);
        let ours = [
            (*name).to_owned(),
            (*label).to_owned(),
            value.to_string(),
            judged(found.answer.outcome.verdict, value),
            found.answer.rounds.len().to_string(),
            found.answer.rounds.last().map_or(0, |round| round.n_states).to_string(),
            format!("{:.2}", found.seconds),
            judged(search.verdict, value),
            format!("{:.2}", search.seconds),
        ];
        let theirs = ["default", "decay"]
            .map(|strategy| ask(program.as_deref(), name, asked, strategy, limit).cells(value));
        table.row::<17>(cells(ours, theirs));
        n_rows += 1;
    }
    if n_rows > 0 {
        table.print(
            "Bounded models by Tertium and by machine-check 0.7.1, the latter in a process of its own",
        );
        if program.is_none() {
            println!("  machine-check is not built: `make bench-peer` does that.");
        }
    }
    right
}

/// Ours and theirs in one row.
fn cells(ours: [String; 9], theirs: [[String; 4]; 2]) -> [String; 17] {
    let mut all = ours.into_iter().chain(theirs.into_iter().flatten());
    std::array::from_fn(|_| all.next().unwrap_or_default())
}

fn ask(program: Option<&Path>, model: &str, property: &str, strategy: &str, limit: Duration) -> Peer {
    let Some(program) = program.map(PathBuf::from) else { return Peer::NotBuilt };
    let Ok(ended) = child::run(Command::new(program).args([model, property, strategy]), limit) else {
        return Peer::Failed;
    };
    if !ended.in_time {
        return Peer::Stopped(ended.seconds);
    }
    let answer: Value = serde_json::from_str(&ended.output).unwrap_or_default();
    let verdict = match answer.pointer("/result/Ok").and_then(Value::as_str) {
        Some("True") => Verdict::True,
        Some("False") => Verdict::False,
        _ => return Peer::Failed,
    };
    let figure =
        |name: &str| answer.pointer(&format!("/stats/{name}")).and_then(Value::as_u64).unwrap_or_default();
    Peer::Done {
        verdict,
        refinements: figure("num_refinements"),
        states: figure("num_final_states"),
        seconds: ended.seconds,
    }
}
