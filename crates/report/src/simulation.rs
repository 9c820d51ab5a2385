//! Runs that are made step by step, as text and as JSON: what can be chosen, where one is, and the run at the end.
//!
//! Everything is laid out like a path (`trace`): a choice shows its number, who moves, inputs, and only the values that change.

use crate::Detail;
use crate::json::{Message, ToolInfo};
use crate::json_path::{PathReport, StateReport, StepReport};
use crate::names::count;
use crate::page::Page;
use crate::trace::{ROOM, Walk, write_choices};
use serde::Serialize;
use std::collections::BTreeMap;

/// So many choices are shown if not all are asked for.
const SCREEN: usize = 20;

/// A step that can be taken, or a state where the model can begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The step; nothing for a beginning.
    pub step: Option<StepReport>,
    /// The state it leads to.
    pub state: StateReport,
    /// Whether the model leaves open that the step exists.
    pub unsure: bool,
}

/// All that can be chosen at one place, in an order that does not change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offer {
    /// What can be chosen.
    pub choices: Vec<Choice>,
    /// Why there may be more; nothing if these are all.
    pub more: Option<String>,
}

impl Offer {
    /// These, which are all or only the first.
    pub fn of(choices: Vec<Choice>, are_first: bool) -> Self {
        let more = are_first.then(|| format!("these are the first {}", choices.len()));
        Self { choices, more }
    }

    /// Whether it is sure that no step leads on.
    pub fn is_deadlock(&self) -> bool {
        self.choices.is_empty() && self.more.is_none()
    }
}

/// A run that was made.
#[derive(Clone, Debug, Serialize)]
pub struct SimulationReport {
    /// [`crate::SCHEMA`].
    pub schema: &'static str,
    /// Which program wrote this.
    pub tool: ToolInfo,
    /// The command.
    pub command: &'static str,
    /// The model, as given.
    pub file: String,
    /// Whether labels of steps carry modalities.
    pub modal: bool,
    /// The constants that were set, with their values.
    pub set: BTreeMap<String, String>,
    /// The seed of what was drawn.
    pub seed: u64,
    /// The run; `null` if it ended before it began.
    pub trace: Option<PathReport>,
    /// The numbers of the steps that the model leaves open, from 1.
    pub unsure: Vec<usize>,
    /// Whether no step leads on from its last state.
    pub deadlock: bool,
    /// Why not everything was considered where something was drawn; `null` if it was.
    pub cut: Option<String>,
    /// Why no step was found although there may be some.
    #[serde(skip)]
    pub stuck: Option<String>,
    /// What was to be said about the model.
    pub messages: Vec<Message>,
    /// `true` if the run went as far as was asked or could be, else `unknown` with the cause.
    pub result: String,
    /// The exit status.
    pub exit_status: u8,
}

impl SimulationReport {
    /// The run, without the line of the result.
    pub fn text(&self, detail: Detail) -> String {
        let mut page = Page::default();
        let Some(run) = &self.trace else { return "RUN  ended before it began\n".to_owned() };
        let end = match &self.stuck {
            _ if self.deadlock => ", then a deadlock: no step is enabled".to_owned(),
            Some(why) => format!("; no further step was found: {why}"),
            None => String::new(),
        };
        page.line(0, &format!("RUN  {}{end}", count(run.steps.len(), "step")));
        run.write(detail, &mut page);
        if let Some(why) = &self.cut {
            page.line(4, &format!("steps were drawn from a part of all: {why}"));
        }
        if !self.unsure.is_empty() {
            let numbers: Vec<String> = self.unsure.iter().map(ToString::to_string).collect();
            page.line(
                4,
                &format!("the system leaves open whether these steps exist: {}", numbers.join(", ")),
            );
        }
        page.into_text()
    }
}

/// The choices from a state, numbered from 1; all of them, or as many as a screen takes.
pub fn choices_text(from: Option<&StateReport>, offer: &Offer, all: bool, detail: Detail) -> String {
    let mut page = Page::default();
    let title = match (from, offer.choices.len()) {
        _ if offer.is_deadlock() => "STEPS  none: this is a deadlock",
        (_, 0) => "STEPS  none was found",
        (None, _) => "WHERE TO BEGIN",
        (Some(_), _) => "STEPS",
    };
    page.line(0, title);
    let shown = if all { offer.choices.len() } else { SCREEN.min(offer.choices.len()) };
    let paths: Vec<PathReport> = offer.choices[..shown].iter().map(|choice| path(from, choice)).collect();
    let traces: Vec<_> = paths.iter().map(PathReport::trace).collect();
    let start = Some("start").filter(|_| from.is_none());
    let mut walks = Vec::new();
    for (n, (path, trace)) in paths.iter().zip(&traces).enumerate() {
        let mark = if offer.choices[n].unsure { " (may)" } else { "" };
        let walk = Walk { names: path, trace, first: n + 1, second: n + 1, start, detail, room: ROOM };
        walks.push((walk, mark));
    }
    write_choices(&walks, &mut page, 4);
    if shown < offer.choices.len() {
        page.raw(4, &format!("… {} (`l` lists all)", count(offer.choices.len() - shown, "more choice")));
    }
    if let Some(why) = &offer.more {
        page.line(4, &format!("there may be more: {why}"));
    }
    page.into_text()
}

fn path(from: Option<&StateReport>, choice: &Choice) -> PathReport {
    let states = from.into_iter().chain([&choice.state]).cloned().collect();
    PathReport { states, steps: choice.step.clone().into_iter().collect(), loop_start: None }
}

/// The last step of a run that has begun, with its number.
pub fn place_text(run: &PathReport, detail: Detail) -> String {
    debug_assert!(!run.states.is_empty(), "the run has begun");
    let n = run.steps.len();
    let Some(before) = n.checked_sub(1) else { return state_in_full(run, "start", detail) };
    let last = PathReport {
        states: run.states[before..].to_vec(),
        steps: run.steps[before..].to_vec(),
        loop_start: None,
    };
    let mut page = Page::default();
    let trace = last.trace();
    let walk =
        Walk { names: &last, trace: &trace, first: before, second: n, start: None, detail, room: ROOM };
    walk.write(&mut page, 4);
    page.into_text()
}

/// All values of the last state of a run that has begun.
pub fn state_in_full(run: &PathReport, title: &'static str, detail: Detail) -> String {
    let n = run.steps.len();
    let last = PathReport { states: run.states[n..].to_vec(), steps: Vec::new(), loop_start: None };
    let mut page = Page::default();
    let trace = last.trace();
    let walk =
        Walk { names: &last, trace: &trace, first: n, second: n + 1, start: Some(title), detail, room: ROOM };
    walk.write(&mut page, 4);
    page.into_text()
}
