//! The `auto` suite: plain `check` beside every engine by itself, in processor time over all threads.
//!
//! Every model that comes with Tertium, and generated counters with 10^4 to 10^6 states. An engine counts on a model if it
//! settles all properties of it; the best one is what plain `check` is compared with. Where plain `check` settles
//! everything, an engine is stopped once it has taken much longer than that: it cannot be the best.

use crate::models::{Checked, Model, check, shipped};
use crate::table::Table;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

/// Seconds for each run unless something else is asked for.
pub(crate) const LIMIT: u64 = 20;
/// Plain `check` may take so much longer than the best engine, in the sum
const IN_SUM: f64 = 2.0;
/// and on each model,
const ON_EACH: f64 = 5.0;
/// and so many seconds more.
const SPARE: f64 = 0.2;
/// So many of the worst are listed.
const WORST: usize = 10;
/// Every run is made so often, and the least counts.
const RUNS: usize = 3;

/// An engine may take at least so long, however fast plain `check` was.
const LEAST: Duration = Duration::from_millis(500);

const ENGINES: [&str; 6] = ["explicit", "symbolic", "induction", "predicate", "cartesian", "search"];

struct Row {
    name: String,
    plain: f64,
    plain_definite: bool,
    /// The engine that settles everything in the least time.
    best: Option<(&'static str, f64)>,
}

impl Row {
    /// How much longer plain `check` takes than it may; nothing where no engine settles everything.
    fn excess(&self) -> Option<f64> {
        self.best.map(|(_, best)| self.plain - (ON_EACH * best + SPARE))
    }
}

/// Prints the tables, only for names with `part` in them. False if plain `check` leaves open what an engine settles.
pub(crate) fn run(limit: u64, part: &str) -> bool {
    let tertium = env::current_exe().unwrap_or_default().with_file_name("tertium");
    if !tertium.is_file() {
        println!(
            "auto: skipped, there is no `tertium` beside this program (`cargo build --release` makes it)"
        );
        return true;
    }
    let folder = env::temp_dir().join(format!("tertium-bench-auto-{}", std::process::id()));
    let mut models = shipped(part);
    models.retain(|model| !model.suite.starts_with("corpus"));
    models.extend(counters(&folder).into_iter().filter(|model| model.name.contains(part)));
    let rows: Vec<Row> =
        models.iter().map(|model| row(&tertium, model, Duration::from_secs(limit))).collect();
    // It is in the folder for temporary files: what is left there does no harm.
    let _ = fs::remove_dir_all(&folder);
    table(&rows).print(&format!(
        "Plain `check` and the best engine that settles all properties, {limit} s for each run"
    ));
    summary(&rows)
}

fn row(tertium: &Path, model: &Model, limit: Duration) -> Row {
    let least = |more: &[&str], limit: Duration| {
        let mut best: Option<Checked> = None;
        for _ in 0..RUNS {
            let Some(checked) = check(tertium, model, more, limit) else { break };
            let slow = checked.processor > 1.0 || !checked.in_time;
            if best.as_ref().is_none_or(|best| checked.processor < best.processor) {
                best = Some(checked);
            }
            if slow {
                break;
            }
        }
        best
    };
    let started = Instant::now();
    let plain = least(&[], limit);
    let took = started.elapsed();
    let settled = plain.as_ref().is_some_and(Checked::is_definite);
    let limit = if settled { limit.min(LEAST.max(took * 2)) } else { limit };
    let alone = ENGINES.iter().filter_map(|&engine| {
        let checked = least(&["--engine", engine], limit).filter(Checked::is_definite)?;
        Some((engine, checked.processor))
    });
    Row {
        name: model.name.clone(),
        plain: plain.as_ref().map_or(0.0, |plain| plain.processor),
        plain_definite: settled,
        best: alone.min_by(|one, other| one.1.total_cmp(&other.1)),
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(["model", "check s", "settled", "best engine", "s", "ratio"]);
    table.rows(rows.iter().map(|row| {
        let (engine, seconds, ratio) = match row.best {
            Some((engine, best)) => {
                (engine, format!("{best:.3}"), format!("{:.1}", row.plain / best.max(1e-3)))
            }
            None => ("-", "-".to_owned(), "-".to_owned()),
        };
        let settled = if row.plain_definite { "all" } else { "not all" };
        [row.name.clone(), format!("{:.3}", row.plain), settled.into(), engine.into(), seconds, ratio]
    }));
    table
}

fn summary(rows: &[Row]) -> bool {
    let compared = || rows.iter().filter(|row| row.best.is_some());
    let plain: f64 = compared().map(|row| row.plain).sum();
    let best: f64 = compared().filter_map(|row| row.best).map(|(_, best)| best).sum();
    println!(
        "  Sum over {} models that some engine settles: check {plain:.2} s, best engines {best:.2} s, \
         ratio {:.2}; the aim is at most {IN_SUM}.",
        compared().count(),
        plain / best.max(1e-3)
    );
    let mut worst: Vec<&Row> = compared().collect();
    worst.sort_by(|one, other| other.excess().unwrap_or(0.0).total_cmp(&one.excess().unwrap_or(0.0)));
    let beyond = worst.iter().filter(|row| row.excess().is_some_and(|excess| excess > 0.0)).count();
    let mut table = Table::new(["model", "check s", "best engine", "s", "allowed s", ""]);
    table.rows(worst.iter().take(WORST).filter_map(|row| {
        let (engine, best) = row.best?;
        let allowed = ON_EACH * best + SPARE;
        let above = if row.plain > allowed { "above" } else { "" };
        let cells = [row.name.clone(), format!("{:.3}", row.plain), engine.into()];
        let [name, plain, engine] = cells;
        Some([name, plain, engine, format!("{best:.3}"), format!("{allowed:.3}"), above.into()])
    }));
    table.print(&format!(
        "The {WORST} worst: {beyond} are above {ON_EACH} times the best engine and {SPARE} s"
    ));
    let lost: Vec<&str> = compared().filter(|row| !row.plain_definite).map(|row| row.name.as_str()).collect();
    if !lost.is_empty() {
        println!("  Plain `check` leaves open what one engine settles: {}", lost.join(", "));
    }
    lost.is_empty()
}

/// Counters with bounds: so many processes that count up to a number, and a property that needs all states.
fn counters(folder: &Path) -> Vec<Model> {
    let counter = |processes: u32, last: u32| {
        let states = (last + 1).pow(processes);
        let variables: String = (0..processes).map(|k| format!("var x{k}: 0..{last} = 0;\n")).collect();
        let steps: String = (0..processes)
            .map(|k| format!("[up] x{k} < {last} -> x{k} := x{k} + 1;\n[zero] x{k} = {last} -> x{k} := 0;\n"))
            .collect();
        let sum: Vec<String> = (0..processes).map(|k| format!("x{k}")).collect();
        let sum = sum.join(" + ");
        let most = processes * last;
        let text = format!("{variables}{steps}invariant {sum} <= {most};\nproperty AG EF {sum} = {most};\n");
        (format!("counters of {states} states"), text)
    };
    let all = [counter(1, 9_999), counter(4, 9), counter(5, 9), counter(6, 9)];
    let mut models = Vec::new();
    for (name, text) in all {
        let path: PathBuf = folder.join(format!("{}.gcl", name.replace(' ', "-")));
        if fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).is_ok() {
            models.push(Model { name, suite: "counters".to_owned(), path, properties: Vec::new() });
        }
    }
    models
}
