//! The `compare` suite: two binaries side by side, on all models that come with Tertium and on the corpus.
//!
//! Verdicts and counts are compared model by model. Processor time is the median of five runs, which alternate: what else the machine
//! does bears on both. Counts are those that `--stats` shows, summed over the properties of a model.

use crate::models::{Checked, Model, check, shipped};
use crate::table::Table;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Seconds for each run unless something else is asked for.
pub(crate) const LIMIT: u64 = 20;
/// Every run is made so often.
const RUNS: usize = 5;
/// Runs that take longer, in seconds, are made once.
const LONG: f64 = 5.0;
/// The counters that are compared.
const COUNTS: [&str; 5] = ["states", "reachable states", "abstract states", "peak nodes", "solver calls"];
/// A count that is larger by less than this is not told.
const NEGLIGIBLE: f64 = 1.0;

/// Both binaries on one model.
struct Pair {
    old: Checked,
    new: Checked,
    old_seconds: f64,
    new_seconds: f64,
}

/// Prints the tables. False if a definite verdict of the old binary is another one of the new.
pub(crate) fn run(old: &str, new: &str, limit: u64, part: &str) -> bool {
    let mut right = true;
    let mut larger = Table::new(["model", "count", "old", "new", "ratio"]);
    let mut verdicts = Table::new(["model", "old", "new"]);
    let mut suites: BTreeMap<String, (usize, f64, f64)> = BTreeMap::new();
    let mut totals: BTreeMap<(String, &str), (f64, f64)> = BTreeMap::new();
    let (mut n_larger, mut n_verdicts) = (0, 0);
    for model in shipped(part) {
        let Some(pair) = pair(Path::new(old), Path::new(new), &model, Duration::from_secs(limit)) else {
            println!("compare: {} cannot be run", model.name);
            right = false;
            continue;
        };
        let (before, after) = (pair.old.verdicts(), pair.new.verdicts());
        if before != after {
            n_verdicts += 1;
            right &= !lost(&before, &after);
            verdicts.row([model.name.clone(), before.join(" "), after.join(" ")]);
        }
        let suite = suites.entry(model.suite.clone()).or_default();
        *suite = (suite.0 + 1, suite.1 + pair.old_seconds, suite.2 + pair.new_seconds);
        for counter in COUNTS {
            let (Some(before), Some(after)) = (pair.old.counted(counter), pair.new.counted(counter)) else {
                continue;
            };
            let total = totals.entry((model.suite.clone(), counter)).or_default();
            *total = (total.0 + before, total.1 + after);
            if after > before + NEGLIGIBLE {
                n_larger += 1;
                let ratio = format!("{:.2}", after / before.max(1.0));
                larger.row([
                    model.name.clone(),
                    counter.into(),
                    before.to_string(),
                    after.to_string(),
                    ratio,
                ]);
            }
        }
    }
    verdicts.print(&format!("Verdicts that differ: {n_verdicts} models"));
    larger.print(&format!("Counts that are larger in the new one: {n_larger}"));
    let mut table = Table::new(["suite", "models", "old s", "new s", "ratio"]);
    table.rows(suites.iter().map(|(suite, (n, before, after))| {
        let ratio = format!("{:.2}", after / before.max(1e-3));
        [suite.clone(), n.to_string(), format!("{before:.2}"), format!("{after:.2}"), ratio]
    }));
    table.print("Processor time, medians summed up; the aim is a ratio of at most 1.2");
    let mut table = Table::new(["suite", "count", "old", "new", "ratio"]);
    table.rows(totals.iter().map(|((suite, word), (before, after))| {
        let ratio = format!("{:.2}", after / before.max(1.0));
        [suite.clone(), (*word).to_owned(), before.to_string(), after.to_string(), ratio]
    }));
    table.print("Counts, summed up where both have them");
    right
}

/// Whether a definite verdict is another one, or none.
fn lost(before: &[String], after: &[String]) -> bool {
    let definite = |verdict: &str| verdict == "true" || verdict == "false";
    before.len() != after.len()
        || before.iter().zip(after).any(|(before, after)| definite(before) && before != after)
}

/// Runs both in turns.
fn pair(old: &Path, new: &Path, model: &Model, limit: Duration) -> Option<Pair> {
    let (mut old_runs, mut new_runs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        old_runs.push(check(old, model, &[], limit)?);
        new_runs.push(check(new, model, &[], limit)?);
        let last = old_runs.iter().chain(&new_runs).map(|run| run.processor);
        if last.fold(0.0, f64::max) > LONG {
            break;
        }
    }
    let median = |runs: &[Checked]| {
        let mut seconds: Vec<f64> = runs.iter().map(|run| run.processor).collect();
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2]
    };
    let (old_seconds, new_seconds) = (median(&old_runs), median(&new_runs));
    Some(Pair { old: old_runs.swap_remove(0), new: new_runs.swap_remove(0), old_seconds, new_seconds })
}
