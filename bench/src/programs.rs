//! The `programs` suite: C programs with known answers, beside Spacer on the clauses that Tertium writes of them.
//!
//! Three kinds of collections are understood: golden tasks of our own, task definitions `.yml` with the property `unreach-call`, and
//! folders with a file `test.desc`, as the regression tests of the CPROVER tools have them. Spacer is the one in the Z3 that this program
//! is linked with, in a process of its own; it is given the clauses that `--emit-horn` writes, and says nothing about programs that
//! are not followed exactly.

use crate::child;
use crate::table::Table;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};
use tertium_support::Source;
use tertium_testkit::{Expected, find_tasks};
use tertium_verify::Given;
use tertium_verify::specification::{TaskAsked, is_task, task_asked};
use z3::{Params, SatResult, Solver, Tactic};

/// Seconds for each run unless something else is asked for.
pub(crate) const LIMIT: u64 = 30;
/// The argument with which this program asks Spacer about one file.
pub(crate) const SPACER: &str = "spacer";

/// One question about a program.
struct Asked {
    /// The folder that it belongs to.
    set: String,
    name: String,
    program: PathBuf,
    holds: bool,
    /// Whether that is known, and not only hoped for by somebody whose tool said something else.
    is_known: bool,
    options: Vec<String>,
}

impl Asked {
    fn is_wrong(&self, row: &Row) -> bool {
        self.is_known && row.answered == Some(!self.holds)
    }
}

/// How one question was answered.
struct Row {
    answered: Option<bool>,
    /// The last line of the answer, or why there is none.
    said: String,
    seconds: f64,
    spacer: Option<bool>,
    spacer_seconds: f64,
}

/// Prints the tables for a folder, only for names with `part` in them. False if a definite verdict is wrong.
pub(crate) fn run(folder: &str, limit: u64, part: &str) -> bool {
    let tertium = env::current_exe().unwrap_or_default().with_file_name("tertium");
    if !tertium.is_file() {
        println!(
            "programs: skipped, there is no `tertium` beside this program (`cargo build --release` makes it)"
        );
        return true;
    }
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/tasks/c");
    let folder = if folder.is_empty() { own } else { PathBuf::from(folder) };
    let mut asked = golden(&folder);
    collect(&folder, &mut asked);
    asked.retain(|asked| asked.program.to_string_lossy().contains(part));
    asked.sort_by(|a, b| (&a.set, &a.name).cmp(&(&b.set, &b.name)));
    let limit = Duration::from_secs(limit);
    let rows: Vec<(Asked, Row)> = asked
        .into_iter()
        .map(|asked| {
            let row = answer(&tertium, &asked, limit);
            (asked, row)
        })
        .collect();
    let mut table = Table::new(["program", "expected", "answer", "s", "Spacer", "s"]);
    table.rows(rows.iter().map(|(asked, row)| {
        let said = match row.answered {
            Some(_) if asked.is_wrong(row) => "WRONG".to_owned(),
            Some(holds) if holds != asked.holds => format!("{holds}, disputed"),
            Some(holds) => holds.to_string(),
            None => row.said.clone(),
        };
        let spacer = match row.spacer {
            Some(holds) if holds != asked.holds => "another".to_owned(),
            Some(holds) => holds.to_string(),
            None => "-".to_owned(),
        };
        let name = format!("{}/{}", asked.set, asked.name);
        [
            name,
            asked.holds.to_string(),
            said,
            format!("{:.2}", row.seconds),
            spacer,
            format!("{:.2}", row.spacer_seconds),
        ]
    }));
    table.print(&format!("Programs, {} s for each run", limit.as_secs()));
    sets(&rows).print("By folder; seconds are processor time, summed up");
    rows.iter().all(|(asked, row)| !asked.is_wrong(row))
}

fn sets(rows: &[(Asked, Row)]) -> Table {
    let mut sets: BTreeMap<&str, Vec<&(Asked, Row)>> = BTreeMap::new();
    rows.iter().for_each(|row| sets.entry(&row.0.set).or_default().push(row));
    let mut table =
        Table::new(["folder", "programs", "right", "unknown", "wrong", "disputed", "s", "Spacer right", "s"]);
    table.rows(sets.iter().map(|(set, rows)| {
        let count =
            |is: &dyn Fn(&Asked, &Row) -> bool| rows.iter().filter(|(a, b)| is(a, b)).count().to_string();
        let sum =
            |of: &dyn Fn(&Row) -> f64| format!("{:.1}", rows.iter().map(|(_, row)| of(row)).sum::<f64>());
        [
            (*set).to_owned(),
            rows.len().to_string(),
            count(&|asked, row| row.answered == Some(asked.holds)),
            count(&|_, row| row.answered.is_none()),
            count(&|asked, row| asked.is_wrong(row)),
            count(&|asked, row| row.answered == Some(!asked.holds) && !asked.is_wrong(row)),
            sum(&|row| row.seconds),
            count(&|asked, row| row.spacer == Some(asked.holds)),
            sum(&|row| row.spacer_seconds),
        ]
    }));
    table
}

fn answer(tertium: &Path, asked: &Asked, limit: Duration) -> Row {
    let clauses = env::temp_dir().join(format!("tertium-bench-{}.smt2", std::process::id()));
    let mut command = Command::new(tertium);
    command.args(["check", "--quiet", "--time", &format!("{}s", limit.as_secs())]);
    command.args(&asked.options).arg(&asked.program);
    // A little more than the limit: what was found by then is told.
    let grace = limit + Duration::from_secs(3);
    let failed =
        |why: String| Row { answered: None, said: why, seconds: 0.0, spacer: None, spacer_seconds: 0.0 };
    let ended = match child::run(&mut command, grace) {
        Ok(ended) => ended,
        Err(error) => return failed(error.to_string()),
    };
    let last = ended.output.lines().last().unwrap_or_default();
    let said = match last.strip_prefix("RESULT: ") {
        Some(said) => said.to_owned(),
        None if ended.in_time => {
            ended.errors.lines().next().unwrap_or("no answer").chars().take(60).collect()
        }
        None => "too long".to_owned(),
    };
    let answered = said.parse().ok();
    // The clauses are asked for in a run of their own, so that they cost nothing above.
    let mut command = Command::new(tertium);
    command.args(["check", "--quiet", "--work-each", "1", "--emit-horn"]).arg(&clauses);
    command.args(&asked.options).arg(&asked.program);
    let written = child::run(&mut command, grace).is_ok() && clauses.is_file();
    let spacer = written.then(|| spacer(&clauses, limit)).flatten();
    // It is in the folder for temporary files: what is left there does no harm.
    let _ = fs::remove_file(&clauses);
    let (spacer, spacer_seconds) = spacer.unwrap_or((None, 0.0));
    Row { answered, said, seconds: ended.processor, spacer, spacer_seconds }
}

/// What Spacer says of clauses, and its processor time.
fn spacer(clauses: &Path, limit: Duration) -> Option<(Option<bool>, f64)> {
    let mut command = Command::new(env::current_exe().ok()?);
    let ended = child::run(command.arg(SPACER).arg(clauses), limit).ok()?;
    let holds = match ended.output.trim() {
        "sat" => Some(true),
        "unsat" => Some(false),
        _ => None,
    };
    Some((holds, ended.processor))
}

/// The process that asks Spacer about one file, for [`run`].
pub(crate) fn ask_spacer(file: &str) {
    let Ok(text) = fs::read_to_string(file) else { return };
    let solver: Solver = Tactic::new("horn").solver();
    let mut params = Params::new();
    params.set_symbol("engine", "spacer");
    solver.set_params(&params);
    solver.from_string(text);
    println!(
        "{}",
        match solver.check() {
            SatResult::Sat => "sat",
            SatResult::Unsat => "unsat",
            SatResult::Unknown => "unknown",
        }
    );
}

/// Golden tasks of our own.
fn golden(folder: &Path) -> Vec<Asked> {
    let mut asked = Vec::new();
    for task in find_tasks(folder) {
        let Expected::Programs(properties) = &task.expected else { continue };
        let program = task.sidecar.with_file_name(&task.input);
        for (number, property) in properties.iter().enumerate() {
            let mut options = vec!["--data-model".to_owned(), property.data_model.to_lowercase()];
            let line = property.name.as_deref().map(|name| format!("{name}.prp"));
            let standard = line.and_then(|file| tertium_verify::specification::standard_properties(&file));
            if let Some(formula) = property.formula.clone().or(standard) {
                options.extend(["-p".to_owned(), formula.trim().to_owned()]);
            }
            let mut name = stem(&program);
            if number > 0 {
                name = format!("{name} {}", number + 1);
            }
            let set = set_of(folder, &task.sidecar);
            asked.push(Asked {
                set,
                name,
                program: program.clone(),
                holds: property.holds,
                is_known: true,
                options,
            });
        }
    }
    asked
}

/// Task definitions and regression tests below a folder.
fn collect(folder: &Path, asked: &mut Vec<Asked>) {
    let mut below = vec![folder.to_owned()];
    while let Some(next) = below.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                below.push(path);
            } else if is_task(&path) {
                asked.extend(of_definition(folder, &path));
            } else if path.file_name().is_some_and(|name| name == "test.desc") {
                asked.extend(of_test(folder, &path));
            }
        }
    }
}

/// What a task definition asks about the error function, if it does.
fn of_definition(folder: &Path, path: &Path) -> Option<Asked> {
    let source = Source::new(path.display().to_string(), fs::read_to_string(path).ok()?);
    // Standard properties are known by their names.
    let TaskAsked { program, data_model, properties, .. } = task_asked(path, &source, &mut |_| None).ok()?;
    let calls = |given: &Given| given.source.as_ref().ok().map(|own| own.text().trim().to_owned());
    let (property, holds) = properties
        .iter()
        .filter_map(|(given, holds)| Some((calls(given)?, *holds)))
        .find(|(text, _)| text.contains("call("))?;
    let mut options = vec!["-p".to_owned(), property];
    if let Some(model) = data_model {
        options.extend(["--data-model".to_owned(), format!("{model:?}").to_lowercase()]);
    }
    Some(Asked {
        set: set_of(folder, path),
        name: stem(&program),
        program,
        holds: holds?,
        is_known: true,
        options,
    })
}

/// What a regression test asks: an assertion, or a label. Where it is marked as one that the tool of its author fails, what it expects
/// may be wrong.
fn of_test(folder: &Path, path: &Path) -> Option<Asked> {
    let text = fs::read_to_string(path).ok()?;
    let mut lines = text.lines().skip(1);
    let program = path.with_file_name(lines.next()?.trim());
    let flags: Vec<&str> = lines.next()?.split_whitespace().collect();
    let holds = if text.contains("VERIFICATION SUCCESSFUL") {
        true
    } else if text.contains("VERIFICATION FAILED") {
        false
    } else {
        return None;
    };
    let mut options = Vec::new();
    if let Some(at) = flags.iter().position(|&flag| flag == "--error-label") {
        options.extend(["-p".to_owned(), format!("AG !at({})", flags.get(at + 1)?)]);
    } else {
        options.extend(["--data-model".to_owned(), "lp64".to_owned()]);
    }
    let test = path.parent()?;
    let is_known = !text.starts_with("KNOWNBUG") && !text.starts_with("FUTURE");
    Some(Asked { set: set_of(folder, test), name: stem(test), program, holds, is_known, options })
}

/// The folder of a file, seen from the one that was asked about.
fn set_of(folder: &Path, file: &Path) -> String {
    let parent = file.parent().unwrap_or(file);
    parent.strip_prefix(folder).unwrap_or(parent).display().to_string()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
