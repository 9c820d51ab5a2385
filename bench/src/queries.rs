//! The `queries` suite: TLQ beside one check per candidate, on networks of genes, in the shape of a published table \[Bob09\].
//!
//! The models are examples of this repository, as they are and with a gene knocked out. A candidate is a combination of
//! values that occurs in a reachable state; for the queries here no other can be a solution. Both methods begin with
//! the same encoding made anew; reachable states are part of what is measured. The naive method shares them and
//! everything that does not depend on the candidate among its checks, and only counts the solutions, which is less than
//! the relation that TLQ computes. It is stopped at a limit; the table then says how many candidates were done, and the
//! ratio is a lower bound. Every answer of the naive method is compared with that of TLQ.

use crate::table::{Table, processor_seconds, processor_timed};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use tertium_check::symbolic::{Options, SymbolicChecker};
use tertium_front_smv::{EncodeOptions, FlatModel, SpecificationKind, encode, read, read_query};
use tertium_query::{CandidateChecks, Placeholder, Question, cubes, solve, without_placeholder};
use tertium_support::{Context, Source};

/// Seconds that the naive method has for one row unless something else is asked for.
pub(crate) const LIMIT: u64 = 60;

/// Each method is run three times if that is so quick, and the shortest counts.
const SHORT: f64 = 1.0;

/// The value of `knocked_out`, a name for it, and the query.
const ROWS: [(&str, &str, &str); 7] = [
    ("none", "original", "EF AG ?"),
    ("AP1x", "without AP1", "EF AG ?"),
    ("AP3x", "without AP3", "EF AG ?"),
    ("LFYx", "without LFY", "EF AG ?"),
    ("none", "original", "AG ?"),
    ("none", "original", "EF ?"),
    ("none", "original", "AF ?"),
];

const EXAMPLES: [&str; 2] = ["flower", "arabidopsis"];

/// Prints the table; `limit` seconds for the naive method in each row.
pub(crate) fn run(limit: u64) {
    let mut table = Table::new([
        "model",
        "query",
        "candidates",
        "TLQ s",
        "naive s",
        "naive did",
        "naive / TLQ",
        "solutions",
    ]);
    for example in EXAMPLES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../examples/{example}.smv"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("queries: examples/{example}.smv is not there: skipped");
            continue;
        };
        for (gene, name, query) in ROWS {
            let text = text.replace("INIT knocked_out = none", &format!("INIT knocked_out = {gene}"));
            let (flat, _) = read(Source::new(example, text)).expect("the examples are models");
            table.row(row(&flat, format!("{example}, {name}"), query, Duration::from_secs(limit)));
        }
    }
    table.print(&format!(
        "Queries: TLQ beside one check per reachable candidate, {limit} s for the latter; solutions at some initial state"
    ));
}

fn row(flat: &FlatModel, model: String, query: &str, limit: Duration) -> [String; 8] {
    let by_tlq = || {
        with_question(flat, query, |question| {
            let (set, seconds) = processor_timed(|| {
                let found = solve(question).expect("there is no limit");
                found.at_some(question).expect("there is no limit")
            });
            let tuples = cubes(&set, question.placeholder.columns(question.model));
            let columns = question.placeholder.columns(question.model);
            let all =
                tuples.flat_map(|cube| cube.expect("there is no limit").tuples(&columns).collect::<Vec<_>>());
            (all.collect::<BTreeSet<Vec<u64>>>(), seconds)
        })
    };
    let (solutions, first) = by_tlq();
    let tlq_seconds = (0..2).map(|_| by_tlq().1).fold(first, f64::min);
    let mut naive = with_question(flat, query, |question| naively(question, limit, &solutions));
    if naive.seconds < SHORT {
        for _ in 0..2 {
            let again = with_question(flat, query, |question| naively(question, limit, &solutions));
            naive.seconds = naive.seconds.min(again.seconds);
        }
    }
    let is_done = naive.n_done == naive.n_candidates;
    assert!(!is_done || naive.n_solutions == solutions.len(), "both methods find the same solutions");
    let more = if is_done { "" } else { ">" };
    [
        model,
        query.to_owned(),
        naive.n_candidates.to_string(),
        format!("{tlq_seconds:.4}"),
        format!("{more}{:.3}", naive.seconds),
        if is_done { "all".to_owned() } else { naive.n_done.to_string() },
        format!("{more}{:.0}", naive.seconds / tlq_seconds),
        solutions.len().to_string(),
    ]
}

/// What the naive method has done.
struct Naive {
    n_candidates: usize,
    n_done: usize,
    n_solutions: usize,
    seconds: f64,
}

fn naively(question: &Question<'_>, limit: Duration, expected: &BTreeSet<Vec<u64>>) -> Naive {
    // To know the candidates costs the naive method nothing here.
    let candidates = candidates(question);
    let bare = without_placeholder(question);
    let (start, started) = (Instant::now(), processor_seconds());
    let mut checks = CandidateChecks::new(question, &bare).expect("there is no limit");
    let (mut n_done, mut n_solutions) = (0, 0);
    for codes in &candidates {
        if start.elapsed() > limit {
            break;
        }
        let holds = !checks.initial_states_of(codes).expect("there is no limit").is_false();
        assert_eq!(holds, expected.contains(codes), "both methods agree on {codes:?}");
        n_done += 1;
        n_solutions += usize::from(holds);
    }
    let seconds = processor_seconds() - started;
    Naive { n_candidates: candidates.len(), n_done, n_solutions, seconds }
}

/// The combinations of values in reachable states.
fn candidates(question: &Question<'_>) -> Vec<Vec<u64>> {
    let mut checker = SymbolicChecker::new(question.context, question.model, question.options);
    let reachable = checker.reachable().expect("there is no limit").states.clone();
    let values = question.placeholder.values_in(question.model, &reachable).expect("there is no limit");
    let columns = question.placeholder.columns(question.model);
    let all = cubes(&values, columns.clone());
    all.flat_map(|cube| cube.expect("there is no limit").tuples(&columns).collect::<Vec<_>>()).collect()
}

/// Runs `work` on an encoding of its own.
fn with_question<T>(flat: &FlatModel, query: &str, work: impl FnOnce(&Question<'_>) -> T) -> T {
    let context = Context::default();
    let query = read_query(flat, &Source::new("query", query)).expect("the queries are queries");
    let SpecificationKind::Ctl(formula) = &query.specification.kind else { panic!("queries are of CTL") };
    let options = EncodeOptions { reorder_from: Some(200_000), ..EncodeOptions::default() };
    let mut encoded = encode(&context, flat, &options).expect("the examples have a meaning");
    encoded.register(&query.specification).expect("the query has a meaning");
    let places: Vec<usize> = query.variables.iter().filter_map(|&id| encoded.symbolic(id)).collect();
    let placeholder =
        Placeholder::new(&mut encoded.model, &query.placeholder, &places).expect("there is no limit");
    let options = Options { evidence: 0, ..Options::default() };
    let question =
        Question { context: &context, model: &encoded.model, formula, placeholder: &placeholder, options };
    work(&question)
}
