//! The `smv` suite: Tertium and NuSMV on the same SMV files, every property in them, one run each as a child process.
//!
//! First the models of the corpus (not part of this repository: `../shared/corpus/nusmv`, skipped if it is not there), then
//! generated families of growing size, each tool up to the first size it does not finish. Tertium is the program that was
//! built beside this one; NuSMV is optional.

use crate::child::{self, Ended};
use crate::nusmv::Nusmv;
use crate::smv_families::{self, Family};
use crate::table::Table;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

/// Seconds that each tool has for one model unless something else is asked for.
pub(crate) const LIMIT: u64 = 60;

/// The tools, and how long each may take for one model.
struct Contest {
    tertium: PathBuf,
    nusmv: Option<Nusmv>,
    options: Vec<String>,
    limit: Duration,
}

/// What a tool made of one model.
enum Run {
    /// Not tried: the tool is not here, or has already failed on a smaller model of the family.
    Left,
    /// Killed at the limit.
    Stopped(Ended),
    /// Refused the model, crashed, or answered without a verdict.
    Failed(Ended),
    Done(Ended, Vec<bool>),
}

impl Run {
    fn verdicts(&self) -> Option<&[bool]> {
        if let Self::Done(_, verdicts) = self { Some(verdicts) } else { None }
    }

    fn seconds(&self) -> Option<f64> {
        if let Self::Done(ended, _) = self { Some(ended.seconds) } else { None }
    }

    fn time_cell(&self) -> String {
        match self {
            Self::Left => "-".into(),
            Self::Stopped(ended) => format!(">{:.0}", ended.seconds),
            Self::Failed(_) => "failed".into(),
            Self::Done(ended, _) => format!("{:.3}", ended.seconds),
        }
    }

    fn memory_cell(&self) -> String {
        let (Self::Stopped(ended) | Self::Failed(ended) | Self::Done(ended, _)) = self else {
            return "-".into();
        };
        ended.memory.map_or("-".into(), |kib| format!("{:.1}", kib as f64 / 1024.0))
    }
}

/// What Tertium tells about its work beyond the verdicts.
#[derive(Default)]
struct Figures {
    peak_nodes: Option<f64>,
    states: Option<f64>,
}

/// A model checked by both.
struct Pair {
    nusmv: Run,
    tertium: Run,
    figures: Figures,
}

/// Runs the suite: at most `limit` seconds per tool and model, only models whose name contains `filter`, `options` for NuSMV.
pub(crate) fn run(limit: u64, filter: &str, options: &[String]) {
    let beside = env::current_exe().unwrap_or_default().with_file_name("tertium");
    if !beside.is_file() {
        println!(
            "smv: skipped, there is no `tertium` beside this program (`cargo build --release` makes it)"
        );
        return;
    }
    let nusmv = Nusmv::find();
    match &nusmv {
        Some(nusmv) => println!("Compared with {nusmv}."),
        None => println!(
            "NuSMV is skipped: neither is `NuSMV` on the PATH nor has python3.6 or python3 the package pynusmv."
        ),
    }
    let contest =
        Contest { tertium: beside, nusmv, options: options.to_vec(), limit: Duration::from_secs(limit) };
    contest.corpus(filter);
    if let Err(error) = contest.families(filter) {
        println!("smv: the families could not be written: {error}");
    }
}

/// The files of the corpus, if it is there.
pub(crate) fn corpus() -> Option<fs::ReadDir> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above.skip(1).find_map(|folder| fs::read_dir(folder.join("shared/corpus/nusmv")).ok())
}

const HEADER: [&str; 10] = [
    "model",
    "specs",
    "agree",
    "NuSMV s",
    "Tertium s",
    "ratio",
    "NuSMV MiB",
    "Tertium MiB",
    "peak nodes",
    "states",
];

impl Contest {
    fn corpus(&self, filter: &str) {
        let Some(entries) = corpus() else {
            println!(
                "The corpus is skipped: there is no folder ../shared/corpus/nusmv beside the repository."
            );
            return;
        };
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "smv"));
        files.sort();
        let mut table = Table::new(HEADER);
        let mut pairs = Vec::new();
        for file in files {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if name.contains(filter) {
                let pair = Pair::new(self.nusmv_on(&file), self.tertium_on(&file));
                table.row(pair.cells(name));
                pairs.push(pair);
            }
        }
        if !pairs.is_empty() {
            table.print("Models of the corpus; ratio is Tertium to NuSMV");
            summary(&pairs);
        }
    }

    fn families(&self, filter: &str) -> io::Result<()> {
        let chosen: Vec<&Family> =
            smv_families::ALL.iter().filter(|family| family.name.contains(filter)).collect();
        if chosen.is_empty() {
            return Ok(());
        }
        let folder = env::temp_dir().join(format!("tertium-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let mut table = Table::new(HEADER);
        let mut furthest = Table::new(["family", "NuSMV up to", "Tertium up to"]);
        for family in chosen {
            self.climb(family, &folder, &mut table, &mut furthest)?;
        }
        table.print("Families of growing size; ratio is Tertium to NuSMV");
        furthest.print("The largest size within the limit");
        fs::remove_dir_all(&folder)
    }

    /// One family, from its smallest size to the one where both have given up.
    fn climb(
        &self,
        family: &Family,
        folder: &Path,
        table: &mut Table,
        furthest: &mut Table,
    ) -> io::Result<()> {
        let (mut nusmv, mut tertium) = (self.nusmv.is_some(), true);
        let mut reached = [None; 2];
        for &size in family.sizes {
            if !nusmv && !tertium {
                break;
            }
            let file = folder.join("model.smv");
            fs::write(&file, (family.model)(size))?;
            let pair = Pair::new(
                if nusmv { self.nusmv_on(&file) } else { Run::Left },
                if tertium { self.tertium_on(&file) } else { (Run::Left, Figures::default()) },
            );
            nusmv = pair.nusmv.seconds().is_some();
            tertium = pair.tertium.seconds().is_some();
            for (reached, done) in reached.iter_mut().zip([nusmv, tertium]) {
                *reached = done.then_some(size).or(*reached);
            }
            table.row(pair.cells(format!("{} {size}", family.name)));
        }
        let [nusmv, tertium] = reached.map(|size| size.map_or("-".into(), |size| size.to_string()));
        furthest.row([family.name.into(), nusmv, tertium]);
        Ok(())
    }

    fn nusmv_on(&self, file: &Path) -> Run {
        let Some(nusmv) = &self.nusmv else { return Run::Left };
        match nusmv.check(file, &self.options, self.limit) {
            Err(_) => Run::Left,
            Ok(answers) => match answers.verdicts {
                Some(verdicts) => Run::Done(answers.ended, verdicts),
                None if answers.ended.in_time => Run::Failed(answers.ended),
                None => Run::Stopped(answers.ended),
            },
        }
    }

    fn tertium_on(&self, file: &Path) -> (Run, Figures) {
        let mut command = Command::new(&self.tertium);
        let Ok(ended) = child::run(command.arg("check").arg(file).args(["--json", "--stats"]), self.limit)
        else {
            return (Run::Left, Figures::default());
        };
        if !ended.in_time {
            return (Run::Stopped(ended), Figures::default());
        }
        // The exit status also says what the verdicts are: only the report counts.
        let report: Value = serde_json::from_str(&ended.output).unwrap_or_default();
        let mut figures = Figures::default();
        figures.collect(&report);
        match verdicts(&report) {
            Some(verdicts) => (Run::Done(ended, verdicts), figures),
            None => (Run::Failed(ended), figures),
        }
    }
}

/// All verdicts of a report, in order; none if there is no answer or one is neither true nor false. Answers that are
/// numbers (`COMPUTE`) are left out: what NuSMV prints for them is not read either.
fn verdicts(report: &Value) -> Option<Vec<bool>> {
    let answers = report.get("results")?.as_array()?;
    let is_number = |answer: &&Value| answer.get("value").is_some_and(|value| !value.is_null());
    let judged = answers.iter().filter(|answer| !is_number(answer));
    let words = judged.filter_map(|answer| answer.get("verdict")?.as_str());
    let verdicts: Option<Vec<bool>> = words
        .map(|word| match word {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        })
        .collect();
    verdicts.filter(|_| !answers.is_empty())
}

impl Figures {
    /// The largest of each figure in all objects called `statistics`, wherever they stand.
    fn collect(&mut self, value: &Value) {
        if let Some(statistics) = value.get("statistics").and_then(Value::as_object) {
            for (name, value) in statistics {
                let place = match name.replace('_', " ").as_str() {
                    "peak nodes" => &mut self.peak_nodes,
                    "reachable states" | "states" => &mut self.states,
                    _ => continue,
                };
                let number = value.as_f64().or_else(|| value.as_str()?.parse().ok());
                *place = number.into_iter().chain(*place).reduce(f64::max);
            }
        }
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Object(fields) => fields.values().for_each(|field| self.collect(field)),
            _ => {}
        }
    }
}

impl Pair {
    fn new(nusmv: Run, (tertium, figures): (Run, Figures)) -> Self {
        Self { nusmv, tertium, figures }
    }

    fn both(&self) -> Option<(f64, f64)> {
        Some((self.nusmv.seconds()?, self.tertium.seconds()?))
    }

    /// NuSMV prints by kind and by instance, Tertium in the order of the text: where the two orders differ, the numbers of each
    /// answer are compared.
    fn agree(&self) -> Option<&'static str> {
        let (one, other) = (self.nusmv.verdicts()?, self.tertium.verdicts()?);
        let trues = |verdicts: &[bool]| verdicts.iter().filter(|&&verdict| verdict).count();
        Some(if one == other {
            "yes"
        } else if one.len() == other.len() && trues(one) == trues(other) {
            "in number"
        } else {
            "NO"
        })
    }

    fn cells(&self, name: String) -> [String; 10] {
        let specs = self.tertium.verdicts().or(self.nusmv.verdicts());
        let figure = |figure: Option<f64>| match figure {
            None => "-".into(),
            Some(number) if number < 1e9 => format!("{number:.0}"),
            Some(number) => format!("{number:.3e}"),
        };
        [
            name,
            specs.map_or("-".into(), |verdicts| verdicts.len().to_string()),
            self.agree().unwrap_or("-").into(),
            self.nusmv.time_cell(),
            self.tertium.time_cell(),
            self.both().map_or("-".into(), |(nusmv, tertium)| format!("{:.2}", tertium / nusmv)),
            self.nusmv.memory_cell(),
            self.tertium.memory_cell(),
            figure(self.figures.peak_nodes),
            figure(self.figures.states),
        ]
    }
}

/// How many each finished, and the sums over those that both finished.
fn summary(pairs: &[Pair]) {
    let finished =
        |pick: fn(&Pair) -> &Run| pairs.iter().filter(|&pair| pick(pair).seconds().is_some()).count();
    let both: Vec<(f64, f64)> = pairs.iter().filter_map(Pair::both).collect();
    let (nusmv, tertium) = both.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    println!(
        "  Of {} models NuSMV finished {}, Tertium {}, both {}; on these NuSMV took {nusmv:.2} s, Tertium {tertium:.2} s.",
        pairs.len(),
        finished(|pair| &pair.nusmv),
        finished(|pair| &pair.tertium),
        both.len(),
    );
    let different = pairs.iter().filter(|pair| pair.agree() == Some("NO")).count();
    println!("  Different verdicts: {different}.");
}
