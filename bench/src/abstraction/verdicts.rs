//! Every property of the models, by the loop and by a search, against what is expected.

use super::expected::{Expected, contradicts, judged};
use super::peer::is_shared;
use super::runs::{STATES, by_loop, by_search};
use crate::table::Table;
use std::path::Path;
use std::time::Duration;
use tertium_truth::Verdict;

/// Prints the table, at most `limit` for each method and row. False if something is wrong.
pub(crate) fn run(limit: Duration, filter: &str, expected: &Expected) -> bool {
    let mut table = Table::new([
        "model",
        "property",
        "expected",
        "loop",
        "rounds",
        "predicates",
        "states",
        "calls",
        "hits",
        "s",
        "evidence",
        "search",
        "found",
        "s",
    ]);
    let mut right = true;
    let (mut n_rows, mut n_loop, mut n_search, mut n_open) = (0, 0, 0, 0);
    for path in expected.models().filter(|path| path.contains(filter) && !is_shared(path)) {
        let known = match expected.load(path) {
            Ok(known) => known,
            Err(complaint) => {
                println!("abstraction: {complaint}");
                right = false;
                continue;
            }
        };
        let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
        for property in &known.model.properties {
            let label = property.label.as_deref().unwrap_or_default();
            let value = known.values[label];
            let found = by_loop(&known.model, property, limit);
            let search = by_search(&known.model, property, limit);
            let verdict = found.answer.outcome.verdict;
            let evidence = match found.confirmed {
                None => "-",
                Some(true) => "confirmed",
                Some(false) => "NOT CONFIRMED",
            };
            right &= !contradicts(verdict, value) && !contradicts(search.verdict, value);
            right &= found.confirmed != Some(false);
            n_rows += 1;
            let [by_loop, by_search] =
                [verdict, search.verdict].map(|verdict| !matches!(verdict, Verdict::Unknown(_)));
            n_loop += usize::from(by_loop);
            n_search += usize::from(by_search);
            n_open += usize::from(!by_loop && !by_search);
            let answer = &found.answer;
            table.row([
                name.to_string(),
                label.to_owned(),
                value.to_string(),
                judged(verdict, value),
                answer.rounds.len().to_string(),
                answer.learnt.precision.len().to_string(),
                answer.rounds.last().map_or(0, |round| round.n_states).to_string(),
                answer.learnt.solver.n_calls.to_string(),
                answer.learnt.solver.n_hits().to_string(),
                format!("{:.2}", found.seconds),
                evidence.to_owned(),
                judged(search.verdict, value),
                search.n_states.to_string(),
                format!("{:.2}", search.seconds),
            ]);
        }
    }
    if n_rows > 0 {
        table.print(&format!(
            "From model and property to verdict: the loop with {} s for each row, and a search cut at {STATES} states",
            limit.as_secs()
        ));
        println!(
            "  Of {n_rows} properties the loop decided {n_loop}, the search {n_search}, neither {n_open}. {}",
            if right { "No definite verdict is wrong." } else { "SOMETHING IS WRONG." }
        );
    }
    right
}
