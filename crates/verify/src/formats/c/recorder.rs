//! What a run of a C program does, line by line, in the user's names.
//!
//! Everything that happens in one line of one activation, one after the other, is one step. Of a long run the beginning and the end
//! are kept, and how many steps lie between.

use std::collections::{BTreeSet, VecDeque};
use tertium_evidence::{Evidence, NamedValue, Names, StepName, Trace};
use tertium_front_c::interpret::{Assignment, InputSource, Observer, Request};
use tertium_front_c::ir::{FunctionId, Unit};
use tertium_program::Icfg;
use tertium_recursion::{Configuration, IcfgRun, Move};
use tertium_support::{Id, Source, Span};
use tertium_system::{ActionId, ConcreteId, PropId, StateId};

/// So many steps are kept of the beginning, and of the end.
const KEPT: usize = 1_000;
/// The word before functions that give inputs.
const INPUT_PREFIX: &str = "__VERIFIER_";

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

impl Line {
    /// Gives a place its value after the step.
    fn set(&mut self, value: (String, String, bool)) {
        match self.values.iter_mut().find(|(place, ..)| *place == value.0) {
            Some(known) => *known = value,
            None => self.values.push(value),
        }
    }
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
        self.current(assignment.span).set((assignment.place.clone(), value, is_global));
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
    /// The steps of a run of a graph, and where they go round if the run does so from this state on; nothing if it is none.
    pub(super) fn of_graph(
        source: &Source,
        unit: &Unit,
        icfg: &Icfg,
        run: &IcfgRun,
        cycle: Option<usize>,
    ) -> Option<(Self, Evidence)> {
        let mut now = Configuration::initial(icfg, &run.initial)?;
        let mut open = vec![0];
        let mut n_activations = 1;
        let mut lines: Vec<Line> = Vec::new();
        let mut loop_start = None;
        for (at, step) in run.steps.iter().enumerate() {
            if cycle == Some(at) {
                loop_start = Some(lines.len());
            }
            // What was known where control is after the step.
            let mut known = now.globals.clone();
            match step.what {
                Move::Call => {
                    open.push(n_activations);
                    n_activations += 1;
                }
                Move::Return => {
                    open.pop();
                    known.extend(now.stack.iter().rev().nth(1)?.values.clone());
                }
                Move::Step => known.extend(now.top().values.clone()),
            }
            now.follow(icfg, step)?;
            let callee = icfg.procedure(now.top().procedure);
            // Of what a call begins with, arguments are told, and values that were chosen.
            let begins_with = |variable| {
                callee.formals.contains(&variable) || step.inputs.iter().any(|(own, _)| *own == variable)
            };
            let mut values = Vec::new();
            for (&variable, value) in now.globals.iter().chain(&now.top().values) {
                let cell = icfg.cell(variable)?;
                let is_new = known.get(&variable) != Some(value);
                let is_silent = step.what == Move::Call && cell.owner.is_some() && !begins_with(variable);
                if is_new && !is_silent && !cell.name.starts_with('.') {
                    values.push((cell.name.clone(), value.to_string(), cell.owner.is_none()));
                }
            }
            let line = Line {
                depth: now.stack.len() - 1,
                activation: open.last().copied().unwrap_or(0),
                function: callee.name.clone(),
                line: super::shown::line_of(source, unit, icfg.edge(step.edge).span),
                values,
                ..Line::default()
            };
            let place = |line: &Line| (line.activation, line.line);
            let begins = loop_start == Some(lines.len());
            match lines.last_mut().filter(|last| place(last) == place(&line) && !begins) {
                Some(last) => line.values.into_iter().for_each(|value| last.set(value)),
                None => lines.push(line),
            }
        }
        let n = lines.len();
        let states = StateId::first(if loop_start.is_some() { n } else { n + 1 }).collect();
        let trace = Trace { states, steps: ActionId::first(n).collect(), loop_start };
        Some((Self { lines }, Evidence::Trace(trace)))
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
        let gap = if line.gap > 0 { format!("({} steps later) ", line.gap) } else { String::new() };
        StepName {
            action: format!("{gap}{}", line.function),
            line: line.line,
            inputs: line.inputs.clone(),
            open_calls: line.depth,
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
