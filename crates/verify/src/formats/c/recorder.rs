//! What a run of a C program does, line by line, in the user's names.
//!
//! Everything that happens in one line of one activation, one after the other, is one step. Of a long run the beginning and the end
//! are kept, and how many steps lie between.

use std::collections::{BTreeSet, VecDeque};
use tertium_evidence::{Evidence, NamedValue, Names, StepName, Trace};
use tertium_front_c::interpret::{Assignment, InputSource, Observer, Request};
use tertium_front_c::ir::{FunctionId, Unit};
use tertium_program::Icfg;
use tertium_recursion::{IcfgRun, Move};
use tertium_support::{Id, Source, Span};
use tertium_system::{ActionId, ConcreteId, PropId, StateId};

/// So many steps are kept of the beginning, and of the end.
const KEPT: usize = 1_000;
/// The word before functions that give inputs.
const INPUT_PREFIX: &str = "__VERIFIER_";
/// Deeper calls are indented no further.
const MOST_INDENTED: usize = 8;

/// A step: what happens in one line of one activation.
#[derive(Clone, Debug, Default)]
struct Line {
    /// How many calls are open.
    depth: usize,
    /// Which activation it is, counted from the first.
    activation: usize,
    function: String,
    line: Option<usize>,
    inputs: Vec<(String, String)>,
    /// Values of places, each with whether it is a global's.
    values: Vec<(String, String, bool)>,
    /// What it is, where that is not told by values.
    note: String,
    /// How many steps before it were not kept.
    gap: usize,
}

/// A value that a run got from outside.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) request: Request,
    pub(super) value: i128,
}

/// So many values are kept for files.
const MOST_GIVEN: usize = 100_000;

/// Listens to a run.
pub(super) struct Recorder<'u> {
    unit: &'u Unit,
    source: &'u Source,
    /// The globals that have a name.
    globals: BTreeSet<&'u str>,
    head: Vec<Line>,
    tail: VecDeque<Line>,
    dropped: usize,
    /// The values from outside.
    pub(super) given: Vec<Given>,
    /// The open activations with their functions.
    open: Vec<(usize, FunctionId)>,
    n_activations: usize,
}

impl<'u> Recorder<'u> {
    pub(super) fn new(source: &'u Source, unit: &'u Unit) -> Self {
        let globals = unit.globals.iter().map(|own| own.name.as_str()).collect();
        let (head, tail, open) = (Vec::new(), VecDeque::new(), Vec::new());
        let given = Vec::new();
        Self { unit, source, globals, head, tail, dropped: 0, given, open, n_activations: 0 }
    }

    fn line_of(&self, span: Span) -> Option<usize> {
        super::shown::line_of(self.source, self.unit, span)
    }

    /// The step that goes on here: the last one if it is in the same line of the same activation, else a new one.
    fn current(&mut self, span: Span) -> &mut Line {
        let line = self.line_of(span);
        let (activation, function) = self.open.last().copied().unwrap_or((0, self.unit.main));
        let is_same =
            |last: &Line| last.line == line && last.activation == activation && last.note.is_empty();
        let last = self.tail.back().or(self.head.last());
        if !last.is_some_and(is_same) {
            let function = self.unit.function(function).name.clone();
            let depth = self.open.len().saturating_sub(1);
            self.push(Line { depth, activation, function, line, ..Line::default() });
        }
        match self.tail.back_mut() {
            Some(last) => last,
            None => self.head.last_mut().expect("one was pushed"),
        }
    }

    fn push(&mut self, line: Line) {
        if self.head.len() < KEPT {
            self.head.push(line);
            return;
        }
        if self.tail.len() == KEPT {
            self.tail.pop_front();
            self.dropped += 1;
        }
        self.tail.push_back(line);
    }

    /// The run, which ends here with what it shows.
    pub(super) fn finish(mut self, end: Span, function: FunctionId, note: &str) -> (RunNames, Evidence) {
        debug_assert_eq!(self.open.last().map(|own| own.1), Some(function), "the run ends where it is");
        self.current(end).note = note.to_owned();
        if let Some(first) = self.tail.front_mut() {
            first.gap = self.dropped;
        }
        let lines: Vec<Line> = self.head.into_iter().chain(self.tail).collect();
        let states = (0..=lines.len()).map(StateId::new).collect();
        let steps = (0..lines.len()).map(ActionId::new).collect();
        (RunNames { lines }, Evidence::Trace(Trace { states, steps, loop_start: None }))
    }
}

impl Observer for Recorder<'_> {
    fn enter(&mut self, function: FunctionId, _: Span) {
        self.open.push((self.n_activations, function));
        self.n_activations += 1;
    }

    fn leave(&mut self, _: FunctionId) {
        self.open.pop();
    }

    fn assign(&mut self, assignment: &Assignment) {
        let root = assignment.place.trim_start_matches(['*', '(']);
        let end = root.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(root.len());
        let root = &root[..end];
        let is_local = self.unit.function(assignment.function).locals.iter().any(|local| local.name == root);
        let is_global = !is_local && self.globals.contains(root);
        // Temporaries of ours begin with a dot, which no name of a program does.
        if assignment.place.starts_with('.') {
            return;
        }
        let value = assignment.value.to_string();
        let line = self.current(assignment.span);
        match line.values.iter_mut().find(|(place, ..)| *place == assignment.place) {
            Some(known) => known.1 = value,
            None => line.values.push((assignment.place.clone(), value, is_global)),
        }
    }

    fn input(&mut self, request: &Request, value: i128) {
        if self.given.len() < MOST_GIVEN {
            self.given.push(Given { request: request.clone(), value });
        }
        if let InputSource::Call { by } = &request.source {
            let name = format!("{}()", by.strip_prefix(INPUT_PREFIX).unwrap_or(by));
            self.current(request.span).inputs.push((name, value.to_string()));
        }
    }
}

/// The steps of a run, in the user's names. State n is the one after step n.
pub(super) struct RunNames {
    lines: Vec<Line>,
}

impl RunNames {
    /// The steps of a run of a graph; nothing if it is none.
    pub(super) fn of_graph(source: &Source, unit: &Unit, icfg: &Icfg, run: &IcfgRun) -> Option<Self> {
        let states = run.states(icfg).ok()?;
        let mut open = vec![0];
        let mut n_activations = 1;
        let mut lines = Vec::new();
        for (step, around) in run.steps.iter().zip(states.windows(2)) {
            let (before, after) = (&around[0], &around[1]);
            match step.what {
                Move::Call => {
                    open.push(n_activations);
                    n_activations += 1;
                }
                Move::Return => {
                    open.pop();
                }
                Move::Step => {}
            }
            let is_new = step.what == Move::Call;
            let mut values = Vec::new();
            for (&variable, value) in after.globals.iter().chain(&after.top().values) {
                let cell = icfg.cell(variable)?;
                let is_told =
                    !cell.name.starts_with('.') && (is_new || before.value(variable) != Some(value));
                if is_told {
                    values.push((cell.name.clone(), value.to_string(), cell.owner.is_none()));
                }
            }
            lines.push(Line {
                depth: after.stack.len() - 1,
                activation: open.last().copied().unwrap_or(0),
                function: icfg.procedure(after.top().procedure).name.clone(),
                line: super::shown::line_of(source, unit, icfg.edge(step.edge).span),
                values,
                ..Line::default()
            });
        }
        Some(Self { lines })
    }

    fn line(&self, state: StateId) -> Option<&Line> {
        self.lines.get(state.index().checked_sub(1)?)
    }
}

impl Names for RunNames {
    fn state(&self, state: StateId) -> String {
        self.line(state).map_or(String::new(), |line| line.note.clone())
    }

    /// What is known of the globals and of the activation that runs.
    fn values(&self, state: StateId) -> Vec<NamedValue> {
        let Some(line) = self.line(state) else { return Vec::new() };
        let mut known: Vec<(&str, &str)> = Vec::new();
        for earlier in &self.lines[..state.index()] {
            for (place, value, is_global) in &earlier.values {
                if !is_global && earlier.activation != line.activation {
                    continue;
                }
                match known.iter_mut().find(|(own, _)| own == place) {
                    Some(own) => own.1 = value,
                    None => known.push((place, value)),
                }
            }
        }
        known.into_iter().map(|(place, value)| NamedValue::of_variable(place, value)).collect()
    }

    fn changes(&self, before: Option<StateId>, state: StateId) -> Vec<NamedValue> {
        match (before, self.line(state)) {
            (Some(_), Some(line)) => {
                let values = line.values.iter();
                values.map(|(place, value, _)| NamedValue::of_variable(place, value)).collect()
            }
            _ => self.values(state),
        }
    }

    fn step(&self, step: ActionId) -> StepName {
        let line = &self.lines[step.index()];
        let indent = "  ".repeat(line.depth.min(MOST_INDENTED));
        let gap = if line.gap > 0 { format!("({} steps later) ", line.gap) } else { String::new() };
        StepName {
            action: format!("{indent}{gap}{}", line.function),
            line: line.line,
            inputs: line.inputs.clone(),
            ..StepName::default()
        }
    }

    fn proposition(&self, _: PropId) -> String {
        String::new()
    }

    fn concrete(&self, _: ConcreteId) -> String {
        String::new()
    }
}
