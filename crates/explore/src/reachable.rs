//! The reachable states of a program, as far as wanted, breadth first.
//!
//! What was found makes a partial system, see `system`: what was left out is open there, so every definite verdict on
//! it holds for the program, however small the bound, and also if the search was stopped.

use crate::explored::{KeptSteps, States};
use crate::explorer::{Keep, Order, Settings, explore};
use crate::moves::Moves;
use crate::packed::Wide;
use crate::program_space::ProgramSpace;
use crate::{Explored, Target};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use tertium_expr::Value;
use tertium_program::{CommandId, Program, State, VarId};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{StateGraph, StateId, StateSpace, StepLabel, Stop};

/// A step that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The number of the state where it begins.
    pub source: usize,
    /// The command.
    pub command: CommandId,
    /// The number of the state where it ends; nothing if that is beyond the bound.
    pub target: Option<usize>,
}

/// Why something was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// There are, or may be, more initial states.
    Initial,
    /// A step leads to states beyond the bound, or states were not followed because of it.
    Bound,
    /// This command takes an input with infinitely or too many values.
    Input(CommandId),
    /// The search was stopped before it had followed all states that it found.
    Stopped(StopReason),
}

/// What was found. States are numbered in the order in which they were found; the first ones are initial.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    pub(crate) moves: Arc<Moves>,
    pub(crate) wide: Arc<Wide>,
    pub(crate) states: Arc<States>,
    pub(crate) steps: KeptSteps,
    labels: Vec<(CommandId, usize)>,
    /// How many states are initial.
    pub n_initial: usize,
    /// What was left out, each kind once.
    pub gaps: Vec<Gap>,
}

/// Finds up to `most` reachable states and all steps between them. Nothing if it is stopped.
pub fn reachable(context: &Context, program: &Program, most: usize) -> Result<Exploration, StopReason> {
    let found = reachable_within(context, program, &Settings { kept: most, ..Settings::default() })?;
    found.stopped().map_or(Ok(found), Err)
}

/// Finds reachable states breadth first, and keeps all steps between them; the other settings count. If it is stopped
/// after the initial states are known, what was found until then is given.
pub fn reachable_within(
    context: &Context,
    program: &Program,
    settings: &Settings,
) -> Result<Exploration, StopReason> {
    let space = ProgramSpace::new(program);
    let start = space.initial(context, settings.kept).map_err(|stop| match stop {
        Stop::Limit(reason) => reason,
        Stop::Fault(never) => match never {},
    })?;
    let settings = Settings { order: Order::Breadth, keep: Keep::All, ..*settings };
    let (n_initial, complete) = (start.n_states, start.complete);
    Ok(follow(context, space, &start.words, n_initial, n_initial, complete, &settings))
}

/// All steps between these states, each given once, of which the first ones are initial. If `all` is true, the program
/// begins nowhere else.
pub fn cut_around(
    context: &Context,
    program: &Program,
    states: &[State],
    n_initial: usize,
    all: bool,
) -> Result<Exploration, StopReason> {
    let space = ProgramSpace::new(program);
    let mut words = Vec::new();
    space.pack(states, &mut words);
    let settings = Settings { kept: states.len(), keep: Keep::All, ..Settings::default() };
    let found = follow(context, space, &words, states.len(), n_initial, all, &settings);
    found.stopped().map_or(Ok(found), Err)
}

fn follow(
    context: &Context,
    space: ProgramSpace<'_>,
    start: &[u64],
    n_start: usize,
    n_initial: usize,
    complete: bool,
    settings: &Settings,
) -> Exploration {
    let mut explored = Explored::default();
    let done = explore(context, &space, start, n_start, settings, &mut explored);
    let left_out = explored.left_out();
    let (states, steps) = explored.into_parts();
    let (moves, labels, wide) = space.into_parts();
    let mut found = Exploration {
        moves,
        wide: Arc::new(wide),
        states: Arc::new(states),
        steps,
        labels,
        n_initial,
        gaps: Vec::new(),
    };
    if !complete {
        found.gaps.push(Gap::Initial);
    }
    if left_out {
        found.note_gaps();
    }
    match done {
        Ok(()) if found.n_followed() == found.n_states() || found.gaps.contains(&Gap::Bound) => {}
        Ok(()) => found.gaps.push(Gap::Bound),
        Err(Stop::Limit(reason)) => found.gaps.push(Gap::Stopped(reason)),
        Err(Stop::Fault(never)) => match never {},
    }
    found
}

impl Exploration {
    /// Finds out what was left out, in order.
    fn note_gaps(&mut self) {
        let mut gaps = std::mem::take(&mut self.gaps);
        for n in 0..self.steps.n_followed() {
            for (label, target) in self.steps.row(n) {
                let gap = match target {
                    Target::State(_) => continue,
                    Target::Beyond => Gap::Bound,
                    Target::Open => Gap::Input(self.command(label)),
                };
                if !gaps.contains(&gap) {
                    gaps.push(gap);
                }
            }
        }
        self.gaps = gaps;
    }

    /// Whether nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Why the search was stopped, if it was.
    pub fn stopped(&self) -> Option<StopReason> {
        self.gaps.iter().find_map(|gap| match gap {
            Gap::Stopped(reason) => Some(*reason),
            _ => None,
        })
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// A state.
    pub fn state(&self, number: usize) -> State {
        self.moves.layout().state(&self.wide, self.states.words(number))
    }

    /// The states in order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = State> + '_ {
        (0..self.n_states()).map(|number| self.state(number))
    }

    /// How a state was found: the state before it, the command, and which of its steps. Nothing for those where the
    /// search began.
    pub fn parent(&self, number: usize) -> Option<(usize, CommandId, usize)> {
        let (parent, label) = self.states.parent(number)?;
        let (command, step) = self.labels[label as usize];
        Some((parent, command, step))
    }

    /// How many states were followed, the first ones: all, unless the search was stopped.
    pub fn n_followed(&self) -> usize {
        self.steps.n_followed()
    }

    /// The command of a label.
    pub(crate) fn command(&self, label: StepLabel) -> CommandId {
        self.labels[label as usize].0
    }

    /// The steps, by source; those that differ only in inputs or in the way through the command once.
    pub fn steps(&self) -> impl Iterator<Item = Taken> + '_ {
        (0..self.steps.n_followed()).flat_map(|source| {
            let mut taken: Vec<Taken> = Vec::new();
            let (mut row, mut last) = (self.steps.row(source), None);
            // The steps of a command follow each other.
            let mut first_of_command = 0;
            for (label, target) in &mut row {
                let target = match target {
                    Target::State(number) => Some(number as usize),
                    Target::Beyond => None,
                    Target::Open => continue,
                };
                let command = self.command(label);
                if last != Some(command) {
                    (last, first_of_command) = (Some(command), taken.len());
                }
                let step = Taken { source, command, target };
                if !taken[first_of_command..].contains(&step) {
                    taken.push(step);
                }
            }
            taken
        })
    }

    /// The commands that lead from a state to another, as they were found; with no target, to one that is not kept.
    pub fn commands_between(
        &self,
        source: usize,
        target: Option<usize>,
    ) -> impl Iterator<Item = CommandId> + '_ {
        let row = (source < self.n_followed()).then(|| self.steps.row(source));
        row.into_iter().flatten().filter_map(move |(label, end)| {
            let leads_there = match end {
                Target::State(number) => target == Some(number as usize),
                Target::Beyond => target.is_none(),
                Target::Open => false,
            };
            leads_there.then(|| self.command(label))
        })
    }

    /// Commands that were not followed at a state, because of their inputs, by state.
    pub fn unfollowed(&self) -> impl Iterator<Item = (usize, CommandId)> + '_ {
        (0..self.steps.n_followed()).flat_map(|source| {
            let open = self.steps.row(source).filter(|&(_, target)| target == Target::Open);
            let mut commands: Vec<_> = open.map(|(label, _)| (source, self.command(label))).collect();
            commands.dedup();
            commands
        })
    }

    /// The values that a variable has in some state, in ascending order. Nothing if there are other states.
    pub fn occurring(&self, variable: VarId) -> Option<Vec<Value>> {
        if !self.is_complete() {
            return None;
        }
        let (layout, id) = (self.moves.layout(), variable.index());
        let (mut seen, mut values) = (FxHashSet::default(), BTreeSet::new());
        for words in (0..self.n_states()).map(|number| self.states.words(number)) {
            if layout.place(id).is_none_or(|own| seen.insert(own.place.get(words))) {
                values.insert(layout.value(&self.wide, words, id));
            }
        }
        Some(values.into_iter().collect())
    }

    /// How many steps are kept, ways through one command apart.
    pub fn n_steps(&self) -> usize {
        self.steps.n_steps()
    }

    /// How many bytes states, parents and steps take.
    pub fn bytes(&self) -> usize {
        self.states.bytes() + self.steps.bytes()
    }
}

impl StateGraph for Exploration {
    fn n_states(&self) -> usize {
        self.states.len()
    }

    fn n_initial(&self) -> usize {
        self.n_initial
    }

    fn has_all_initial(&self) -> bool {
        !self.gaps.contains(&Gap::Initial)
    }

    fn n_steps(&self) -> usize {
        self.steps.n_steps()
    }

    fn steps(&self, state: StateId) -> Range<usize> {
        self.steps.range(state.index())
    }

    #[inline]
    fn step(&self, step: usize) -> (StepLabel, Option<StateId>) {
        self.steps.step(step)
    }

    fn is_followed(&self, state: StateId) -> bool {
        state.index() < self.steps.n_followed()
    }

    fn words(&self, state: StateId) -> &[u64] {
        self.states.words(state.index())
    }
}
