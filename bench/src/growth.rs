//! The `growth` suite: what it costs to come to the first step of an engine, as inputs grow.
//!
//! Every input is read, its properties are found, the engines that plain `check` would try are chosen and opened, and nobody is asked
//! anything: in a process of its own, by this program. Cost is processor time and the peak of the resident memory beyond that before
//! reading. Where properties are cheap one by one, the whole run of the built program is measured as well: what is done for each
//! property must not grow with the number of properties.

mod inputs;

use self::inputs::{ALL, Family};
use crate::child;
use crate::table::{Table, processor_seconds};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};
use tertium_support::{Context, Source};
use tertium_verify::{
    Chosen, Given, Halt, Input, Opening, Options, ReadOptions, Request, Tables, questions, read,
};

/// The exponent that no row should exceed.
const TARGET: f64 = 1.2;
/// The sizes that are compared.
const SIZES: [usize; 2] = [1_000, 10_000];
/// Every run is made so often, and the least counts.
const RUNS: usize = 3;
/// Longer runs are stopped.
const LIMIT: Duration = Duration::from_secs(120);
/// The word that makes this program the child.
const OPEN: &str = "--open";

/// Processor seconds and MiB.
type Cost = (f64, f64);

/// Prints the tables, only for names with `part` in them. False if a run failed.
pub(crate) fn run(arguments: &[String]) -> bool {
    if let [open, name, size] = arguments
        && open == OPEN
    {
        return open_one(name, size.parse().unwrap_or(SIZES[0]));
    }
    let part = arguments.first().map_or("", String::as_str);
    let mut right = true;
    let title = |what: &str| format!("{what}: from 10^3 to 10^4, the aim is an exponent of at most {TARGET}");
    let chosen = || ALL.iter().filter(|family| family.name.contains(part));
    let up_to = table(chosen(), open_in_child, &mut right);
    up_to.print(&title("Up to the first step of an engine"));
    let tertium = env::current_exe().unwrap_or_default().with_file_name("tertium");
    if tertium.is_file() {
        let whole = |family: &Family, n: usize| check_in_child(&tertium, family, n);
        table(chosen().filter(|family| family.whole), whole, &mut right)
            .print(&title("Whole runs of `check`"));
    } else {
        println!(
            "whole runs: skipped, there is no `tertium` beside this program (`cargo build --release` makes it)"
        );
    }
    right
}

fn table<'f>(
    families: impl Iterator<Item = &'f Family>,
    cost: impl Fn(&Family, usize) -> Option<Cost>,
    right: &mut bool,
) -> Table {
    let mut table =
        Table::new(["varied", "s, 10^3", "s, 10^4", "exponent", "MiB, 10^3", "MiB, 10^4", "exponent", ""]);
    for family in families {
        let least = |n: usize| {
            let runs = (0..RUNS).map(|_| cost(family, n));
            runs.reduce(|one, other| Some((one?.0.min(other?.0), one?.1.min(other?.1)))).flatten()
        };
        let (Some(small), Some(large)) = (least(SIZES[0]), least(SIZES[1])) else {
            *right = false;
            table.row([family.name, "failed", "", "", "", "", "", ""].map(str::to_owned));
            continue;
        };
        // Below a millisecond and a mebibyte there is nothing to compare.
        let exponent = |small: f64, large: f64, least: f64| (large.max(least) / small.max(least)).log10();
        let (time, memory) = (exponent(small.0, large.0, 1e-3), exponent(small.1, large.1, 1.0));
        let verdict = if time > TARGET || memory > TARGET { "above" } else { "" };
        table.row([
            family.name.into(),
            format!("{:.4}", small.0),
            format!("{:.4}", large.0),
            format!("{time:.2}"),
            format!("{:.1}", small.1),
            format!("{:.1}", large.1),
            format!("{memory:.2}"),
            verdict.into(),
        ]);
    }
    table
}

/// This program again, for one input.
fn open_in_child(family: &Family, n: usize) -> Option<Cost> {
    let mut command = Command::new(env::current_exe().ok()?);
    command.args(["growth", OPEN, family.name, &n.to_string()]);
    let ended = child::run(&mut command, LIMIT).ok()?;
    let mut numbers = ended.output.split_whitespace().map(str::parse::<f64>);
    let cost = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    (ended.in_time && ended.succeeded).then_some(cost)
}

/// The built program, for one input.
fn check_in_child(tertium: &Path, family: &Family, n: usize) -> Option<Cost> {
    let folder = env::temp_dir().join(format!("tertium-bench-growth-{}", std::process::id()));
    fs::create_dir_all(&folder).ok()?;
    let ended = check_file(tertium, family, n, &folder);
    // It is in the folder for temporary files: what is left there does no harm.
    let _ = fs::remove_dir_all(&folder);
    let ended = ended?;
    // It succeeds if every property is true.
    (ended.in_time && ended.succeeded).then_some((ended.processor, ended.memory? as f64 / 1024.0))
}

fn check_file(tertium: &Path, family: &Family, n: usize, folder: &Path) -> Option<child::Ended> {
    let file: PathBuf = folder.join(format!("model.{}", family.extension));
    let (text, given) = (family.make)(n);
    fs::write(&file, text).ok()?;
    let mut command = Command::new(tertium);
    command.arg("check").arg(&file).arg("--quiet");
    for property in &given {
        command.args(["-p", property]);
    }
    child::run(&mut command, LIMIT).ok()
}

/// Reads an input and opens the engines, and prints what that cost.
fn open_one(name: &str, n: usize) -> bool {
    let Some(family) = ALL.iter().find(|family| family.name == name) else { return false };
    let (text, given) = (family.make)(n);
    let (memory, time) = (high_water_mark(), processor_seconds());
    let opened = open(family, text, &given);
    let cost = (processor_seconds() - time, high_water_mark() - memory);
    match &opened {
        Ok(()) => println!("{} {}", cost.0, cost.1),
        Err(halt) => eprintln!("{name}: {halt:?}"),
    }
    opened.is_ok()
}

fn open(family: &Family, text: String, given: &[String]) -> Result<(), Halt> {
    let file = format!("model.{}", family.extension);
    let property =
        |text: &String| Given { written: text.clone(), source: Ok(Source::new("property", text.as_str())) };
    let request = Request {
        tables: &Tables::default(),
        context: &Context::default(),
        path: Path::new(&file),
        input: &Input { name: file.clone(), bytes: text.into_bytes(), original: None },
        read: &ReadOptions::default(),
        given: &given.iter().map(property).collect::<Vec<_>>(),
        chosen: &Chosen::default(),
        options: &Options::default(),
        time_each: None,
        work_each: None,
    };
    let (mut model, _) = read(&request)?;
    let asked = questions(model.as_mut(), request.given, request.chosen)?;
    let asked = asked.into_iter().map(|question| question.property).collect::<Result<Vec<_>, _>>()?;
    let model = model.as_ref();
    for engine in request.tables.engines.tried(model) {
        let (context, options) = (request.context, request.options);
        let opening = Opening { context, model, asked: &asked, options, growing: true };
        (engine.open)(opening, &mut |_| {})?;
    }
    Ok(())
}

/// The most memory that this process ever had, in MiB.
fn high_water_mark() -> f64 {
    child::high_water_mark("/proc/self/status").unwrap_or_default() as f64 / 1024.0
}
