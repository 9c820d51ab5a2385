//! The `combined` suite: every property of the models of the `abstraction` suite by each engine, and by the two beside
//! each other that `auto` is.
//!
//! All runs are those of the built program, one child process each, without the search through all states that `auto`
//! begins with: only then is there something to combine.

use crate::abstraction::Expected;
use crate::child;
use crate::table::Table;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Seconds for each run unless something else is asked for.
pub(crate) const LIMIT: u64 = 10;

const ENGINES: [&str; 4] = ["search", "predicate", "cartesian", "auto"];

/// What one engine said.
struct Said {
    /// Nothing if it is open.
    verdict: Option<bool>,
    seconds: f64,
    /// Which engine `auto` took the answer from.
    by: String,
}

/// Prints the table, at most `limit` seconds for each run, only models whose name contains `filter`. False if a definite verdict is wrong.
pub(crate) fn run(limit: u64, filter: &str) -> bool {
    let tertium = env::current_exe().unwrap_or_default().with_file_name("tertium");
    if !tertium.is_file() {
        println!(
            "combined: skipped, there is no `tertium` beside this program (`cargo build --release` makes it)"
        );
        return true;
    }
    let expected = match Expected::read() {
        Ok(expected) => expected,
        Err(complaint) => {
            println!("combined: {complaint}");
            return false;
        }
    };
    let mut table = Table::new([
        "model",
        "property",
        "expected",
        "search",
        "s",
        "predicate",
        "s",
        "cartesian",
        "s",
        "auto",
        "s",
        "by",
    ]);
    let (mut right, mut n_rows, mut answered) = (true, 0, [0; 4]);
    for path in expected.models().filter(|path| path.contains(filter)) {
        let known = match expected.load(path) {
            Ok(known) => known,
            Err(complaint) => {
                println!("combined: {complaint}");
                right = false;
                continue;
            }
        };
        let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (label, value) in &known.values {
            let said = ENGINES.map(|engine| ask(&tertium, path, label, engine, limit));
            n_rows += 1;
            let mut cells = vec![name.clone(), label.clone(), value.to_string()];
            for (n, own) in said.iter().enumerate() {
                answered[n] += usize::from(own.verdict.is_some());
                right &= own.verdict.is_none_or(|verdict| verdict == *value);
                cells.push(match own.verdict {
                    None => "-".to_owned(),
                    Some(verdict) if verdict == *value => verdict.to_string(),
                    Some(verdict) => format!("{verdict} WRONG"),
                });
                cells.push(format!("{:.2}", own.seconds));
            }
            cells.push(said[3].by.clone());
            if let Ok(cells) = <[String; 12]>::try_from(cells) {
                table.row(cells);
            }
        }
    }
    table.print(&format!("Each engine by itself, and two beside each other, {limit} s for each run"));
    let counts: Vec<String> =
        ENGINES.iter().zip(answered).map(|(engine, n)| format!("{engine} {n}")).collect();
    println!(
        "  Of {n_rows} properties were answered: {}. {}",
        counts.join(", "),
        if right { "No definite verdict is wrong." } else { "SOMETHING IS WRONG." }
    );
    right
}

fn ask(tertium: &Path, path: &str, label: &str, engine: &str, limit: u64) -> Said {
    let model = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    let mut command = Command::new(tertium);
    command.arg("check").arg(model).args(["--name", label, "--engine", engine, "--quiet"]);
    command.arg("--time").arg(format!("{limit}s"));
    if engine == "auto" {
        command.args(["--states", "1"]);
    }
    let Ok(ended) = child::run(&mut command, Duration::from_secs(limit + 5)) else {
        return Said { verdict: None, seconds: 0.0, by: "-".to_owned() };
    };
    let line = ended.output.lines().next().unwrap_or_default();
    let verdict = match line.split_whitespace().next() {
        Some("TRUE") => Some(true),
        Some("FALSE") => Some(false),
        _ => None,
    };
    let by = ["search", "predicate"].into_iter().find(|engine| line.contains(&format!(" {engine}")));
    let by = by.filter(|_| verdict.is_some()).unwrap_or("-").to_owned();
    Said { verdict, seconds: ended.seconds, by }
}
