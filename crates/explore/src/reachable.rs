//! The reachable states of a program, as far as wanted, breadth first.
//!
//! What was found makes a partial system, see `system`: what was left out is open there, so every definite verdict on
//! it holds for the program, however small the bound, and also if the search was stopped.

use crate::Target;
use crate::explorer::Settings;
use crate::listing::{Listing, Start, list_from, list_within};
use crate::moves::Moves;
use crate::packed::Wide;
use crate::program_space::ProgramSpace;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;
use tertium_expr::Value;
use tertium_program::{CommandId, Program, State, VarId};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{StateGraph, StepLabel, Stop};

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
    pub(crate) listing: Listing,
    labels: Vec<(CommandId, usize)>,
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
    let listing = list_within(context, &space, settings).map_err(reason)?;
    Ok(Exploration::new(space, listing))
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
    let settings = Settings { kept: states.len(), ..Settings::default() };
    let start = Start { words: &words, n_states: states.len(), n_initial, complete: all };
    let listing = list_from(context, &space, &start, &settings).map_err(reason)?;
    let found = Exploration::new(space, listing);
    found.stopped().map_or(Ok(found), Err)
}

/// Programs have no faults: only a limit stops them.
fn reason(stop: Stop<Infallible>) -> StopReason {
    match stop {
        Stop::Limit(reason) => reason,
        Stop::Fault(never) => match never {},
    }
}

impl Exploration {
    fn new(space: ProgramSpace<'_>, listing: Listing) -> Self {
        let (moves, labels, wide) = space.into_parts();
        let mut found = Self { moves, wide: Arc::new(wide), listing, labels, gaps: Vec::new() };
        found.gaps = found.find_gaps();
        debug_assert!(found.n_initial() <= found.n_states(), "initial states come first");
        debug_assert!(
            !found.is_complete() || found.n_followed() == found.n_states(),
            "where nothing is left out, all states were followed"
        );
        found
    }

    /// What was left out, in order.
    fn find_gaps(&self) -> Vec<Gap> {
        let mut gaps = Vec::new();
        if !self.listing.has_all_initial() {
            gaps.push(Gap::Initial);
        }
        let n_looked_at = if self.listing.left_out() { self.n_followed() } else { 0 };
        for n in 0..n_looked_at {
            for (label, target) in self.listing.steps.row(n) {
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
        match self.listing.stopped() {
            Some(reason) => gaps.push(Gap::Stopped(reason)),
            None if self.n_followed() < self.n_states() && !gaps.contains(&Gap::Bound) => {
                gaps.push(Gap::Bound)
            }
            None => {}
        }
        gaps
    }

    /// Whether nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Why the search was stopped, if it was.
    pub fn stopped(&self) -> Option<StopReason> {
        self.listing.stopped()
    }

    /// How many states are initial.
    pub fn n_initial(&self) -> usize {
        self.listing.n_initial()
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.listing.states.len()
    }

    /// A state.
    pub fn state(&self, number: usize) -> State {
        self.moves.layout().state(&self.wide, self.listing.states.words(number))
    }

    /// The states in order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = State> + '_ {
        (0..self.n_states()).map(|number| self.state(number))
    }

    /// How a state was found: the state before it, the command, and which of its steps. Nothing for those where the
    /// search began.
    pub fn parent(&self, number: usize) -> Option<(usize, CommandId, usize)> {
        let (parent, label) = self.listing.states.parent(number)?;
        debug_assert!(parent < number, "a state is found from an earlier one");
        let (command, step) = self.labels[label as usize];
        Some((parent, command, step))
    }

    /// How many states were followed, the first ones: all, unless the search was stopped.
    pub fn n_followed(&self) -> usize {
        self.listing.n_followed()
    }

    /// The command of a label.
    pub(crate) fn command(&self, label: StepLabel) -> CommandId {
        self.labels[label as usize].0
    }

    /// The steps, by source; those that differ only in inputs or in the way through the command once.
    pub fn steps(&self) -> impl Iterator<Item = Taken> + '_ {
        (0..self.n_followed()).flat_map(|source| {
            let mut taken: Vec<Taken> = Vec::new();
            let (mut row, mut last) = (self.listing.steps.row(source), None);
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

    /// The commands that lead from a state to another, each with the way through it, as they were found; with no target, to one that is
    /// not kept.
    pub fn ways_between(
        &self,
        source: usize,
        target: Option<usize>,
    ) -> impl Iterator<Item = (CommandId, usize)> + '_ {
        let row = (source < self.n_followed()).then(|| self.listing.steps.row(source));
        row.into_iter().flatten().filter_map(move |(label, end)| {
            let leads_there = match end {
                Target::State(number) => target == Some(number as usize),
                Target::Beyond => target.is_none(),
                Target::Open => false,
            };
            leads_there.then(|| self.labels[label as usize])
        })
    }

    /// Commands that were not followed at a state, because of their inputs, by state.
    pub fn unfollowed(&self) -> impl Iterator<Item = (usize, CommandId)> + '_ {
        (0..self.n_followed()).flat_map(|source| {
            let open = self.listing.steps.row(source).filter(|&(_, target)| target == Target::Open);
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
        for words in (0..self.n_states()).map(|number| self.listing.states.words(number)) {
            if layout.place(id).is_none_or(|own| seen.insert(own.place.get(words))) {
                values.insert(layout.value(&self.wide, words, id));
            }
        }
        Some(values.into_iter().collect())
    }

    /// How many steps are kept, ways through one command apart.
    pub fn n_steps(&self) -> usize {
        self.listing.n_steps()
    }

    /// How many bytes states, parents and steps take.
    pub fn bytes(&self) -> usize {
        self.listing.bytes()
    }
}
