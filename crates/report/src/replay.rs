//! How written runs went on a model, as text and as JSON.

use crate::Detail;
use crate::json::{Message, SCHEMA, ToolInfo};
use crate::json_path::PathReport;
use crate::names::{count, placed_step, plain};
use crate::page::Page;
use crate::written::cut;
use serde::Serialize;
use tertium_evidence::Names;
use tertium_support::Id;
use tertium_system::ActionId;

/// How all runs of a file went.
#[derive(Clone, Debug, Serialize)]
pub struct ReplayReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Which program wrote this.
    pub tool: ToolInfo,
    /// The command.
    pub command: &'static str,
    /// The model, as given.
    pub file: String,
    /// The file with the runs, as given.
    pub run: String,
    /// One entry for each property or test.
    pub results: Vec<ReplayEntry>,
    /// What was to be said about the model.
    pub messages: Vec<Message>,
    /// `true` if every run fits and still shows what it did, else `false`.
    pub result: String,
    /// The exit status.
    pub exit_status: u8,
}

/// How the runs of one property went.
#[derive(Clone, Debug, Serialize)]
pub struct ReplayEntry {
    /// The property, or the test.
    pub property: String,
    /// What was said of it, `true` or `false`; `null` if it was open, or for a test.
    pub verdict: Option<bool>,
    /// `fits`, `differs`, or `nothing` if there is no run.
    pub outcome: &'static str,
    /// How many steps were replayed.
    pub steps: usize,
    /// Whether the run still shows the verdict; `null` if that was not judged.
    pub shows: Option<bool>,
    /// What does not fit, why there is no run, or why the verdict was not judged; else `null`.
    pub reason: Option<String>,
    /// Where a run does not fit; else `null`.
    pub misfit: Option<MisfitReport>,
    /// What is counted: `step`, or of a witness `waypoint` or `invariant`.
    #[serde(skip)]
    pub counted: &'static str,
}

/// Where a run does not fit any more.
#[derive(Clone, Debug, Serialize)]
pub struct MisfitReport {
    /// The number of the step, from 1; 0 if the model does not begin there.
    pub step: usize,
    /// The run up to the state before it.
    #[serde(flatten)]
    pub path: PathReport,
    /// The step that does not fit, as it was written.
    #[serde(skip)]
    words: String,
    /// How many steps the run has.
    #[serde(skip)]
    n_steps: usize,
}

impl MisfitReport {
    /// The step of a path that does not fit.
    pub fn new(path: &PathReport, step: usize) -> Self {
        debug_assert!(step <= path.steps.len(), "it is a step of the path");
        let name = |at: usize| placed_step(&Names::step(path, ActionId::new(at)));
        let words = step.checked_sub(1).map_or(String::new(), name);
        let shown = PathReport {
            states: path.states[..step.max(1)].to_vec(),
            steps: path.steps[..step.saturating_sub(1)].to_vec(),
            loop_start: None,
        };
        Self { step, path: shown, words, n_steps: path.steps.len() }
    }
}

impl ReplayEntry {
    fn is_of_witness(&self) -> bool {
        self.counted != "step"
    }

    fn write(&self, detail: Detail, page: &mut Page) {
        let name = cut(&self.property);
        let steps = count(self.steps, self.counted);
        let verdict = self.verdict.map_or("open", |holds| if holds { "true" } else { "false" });
        let reason = self.reason.as_deref().map(plain).unwrap_or_default();
        match (&self.misfit, self.shows) {
            (Some(misfit), _) => {
                let place = match misfit.step {
                    0 => "the start no longer fits".to_owned(),
                    step => format!("step {step} of {} no longer fits", misfit.n_steps),
                };
                page.line(0, &format!("DIFFERS   {name}: {place}: {reason}"));
                misfit.path.write(detail, page);
                if misfit.step > 0 {
                    page.line(4, format!("{}  {}   does not fit", misfit.step, misfit.words).trim_end());
                }
            }
            (None, _) if self.outcome == "differs" => {
                page.line(0, &format!("DIFFERS   {name}: {reason}"));
            }
            (None, _) if self.outcome == "nothing" => {
                page.line(0, &format!("NOTHING   {name}: there is no run to replay: {reason}"));
            }
            (None, Some(true)) => {
                page.line(
                    0,
                    &format!("REPLAYED  {name}: {steps}; it still shows that the property is {verdict}"),
                );
            }
            (None, Some(false)) => {
                let line = format!("{name}: {steps}, but it no longer shows that the property is {verdict}");
                page.line(0, &format!("REPLAYED  {line}: {reason}"));
            }
            (None, None) => {
                let judged = if reason.is_empty() { String::new() } else { format!("; {reason}") };
                page.line(0, &format!("REPLAYED  {name}: {steps}{judged}"));
            }
        }
    }
}

impl ReplayReport {
    /// A report on all runs.
    pub fn new(file: String, run: String, results: Vec<ReplayEntry>, messages: Vec<Message>) -> Self {
        let fits = results.iter().all(|entry| entry.misfit.is_none() && entry.shows != Some(false));
        let is_open = results.iter().any(|entry| entry.is_of_witness() && entry.shows.is_none());
        let result = if fits && is_open { "unknown".to_owned() } else { fits.to_string() };
        Self {
            schema: SCHEMA,
            tool: ToolInfo::default(),
            command: "replay",
            file,
            run,
            results,
            messages,
            result,
            exit_status: 0,
        }
    }

    /// Whether nothing differs, and there is a witness of which it was not found out whether it shows what it says.
    pub fn is_open(&self) -> bool {
        self.result == "unknown"
    }

    /// Whether every run fits and still shows what it did.
    pub fn is_as_before(&self) -> bool {
        self.result == "true"
    }

    /// All but the line of the result.
    pub fn text(&self, detail: Detail) -> String {
        let mut page = Page::default();
        self.results.iter().for_each(|entry| entry.write(detail, &mut page));
        let those = |outcome| self.results.iter().filter(|entry| entry.outcome == outcome).count();
        let (fit, differ) = (those("fits"), those("differs"));
        let verb = if fit + differ == 1 { "fits" } else { "fit" };
        let all = match self.results.iter().any(ReplayEntry::is_of_witness) {
            true if fit + differ == 1 => "1 witness".to_owned(),
            true => format!("{} witnesses", fit + differ),
            false => count(fit + differ, "run"),
        };
        page.line(0, &format!("REPLAY  {fit} of {all} {verb}"));
        page.into_text()
    }
}
