//! The reachable states of a program, as far as wanted, breadth first and straight from the interpreter.
//!
//! What was found makes a partial system. If nothing was left out, it is the program itself: every step is may and must, every label definite. What was
//! left out leads to one more state, [`BEYOND`], that stands for everything: its labels are open and any step may lead from it to it. So every definite
//! verdict on the system holds for the program, however small the bound.
//!
//! Here and not in `program` or `system`, which do not know each other.

use crate::code::Coded;
use crate::start::start;
use rustc_hash::{FxHashMap, FxHashSet};
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Interpreter, Program, State};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_truth::Belnap;

/// The state that stands for all that were not looked at.
pub const BEYOND: &str = "beyond";

/// A step that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// A step leads to states beyond the bound.
    Bound,
    /// This command takes an input with infinitely or too many values.
    Input(CommandId),
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The states, in the order in which they were found; the first ones are initial.
    pub states: Vec<State>,
    /// How many of them are initial.
    pub n_initial: usize,
    /// The steps, by source; those that differ only in inputs once.
    pub steps: Vec<Taken>,
    /// Commands that were not followed at a state, because of their inputs.
    pub unfollowed: Vec<(usize, CommandId)>,
    /// What was left out, each kind once.
    pub gaps: Vec<Gap>,
}

/// Finds up to `most` reachable states and all steps between them.
pub fn explore(context: &Context, program: &Program, most: usize) -> Result<Exploration, StopReason> {
    let start = start(context, program, most)?;
    let mut found =
        Exploration { n_initial: start.states.len(), states: start.states, ..Exploration::default() };
    if !start.complete {
        found.note(Gap::Initial);
    }
    follow(context, program, found, most)
}

/// All steps between these states, each given once, of which the first ones are initial. If `all` is true, the program begins nowhere else.
pub fn cut_around(
    context: &Context,
    program: &Program,
    states: Vec<State>,
    n_initial: usize,
    all: bool,
) -> Result<Exploration, StopReason> {
    let most = states.len();
    let mut found = Exploration { n_initial, states, ..Exploration::default() };
    if !all {
        found.note(Gap::Initial);
    }
    follow(context, program, found, most)
}

/// Follows the steps of all states that are known, and of up to `most` that are found.
fn follow(
    context: &Context,
    program: &Program,
    mut found: Exploration,
    most: usize,
) -> Result<Exploration, StopReason> {
    let interpreter = Interpreter::new(program);
    let mut numbers: FxHashMap<State, usize> =
        found.states.iter().enumerate().map(|(number, state)| (state.clone(), number)).collect();
    let mut ticker = context.ticker("exploring");
    let mut source = 0;
    while source < found.states.len() {
        let mut taken = FxHashSet::default();
        for command in CommandId::first(program.commands().len()) {
            ticker.tick(64)?;
            let Ok(successors) = interpreter.successors_of(&found.states[source], command) else {
                found.unfollowed.push((source, command));
                found.note(Gap::Input(command));
                continue;
            };
            for successor in successors {
                let target = match numbers.get(&successor.state) {
                    Some(&number) => Some(number),
                    None if found.states.len() < most && !successor.state.is_huge() => {
                        numbers.insert(successor.state.clone(), found.states.len());
                        found.states.push(successor.state);
                        Some(found.states.len() - 1)
                    }
                    None => {
                        found.note(Gap::Bound);
                        None
                    }
                };
                if taken.insert((command, target)) {
                    found.steps.push(Taken { source, command, target });
                }
            }
        }
        source += 1;
    }
    Ok(found)
}

impl Exploration {
    fn note(&mut self, gap: Gap) {
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }

    /// Whether nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }

    /// The partial system of what was found, with these truth values as propositions.
    pub fn to_system<'a>(
        &self,
        program: &Program,
        propositions: impl IntoIterator<Item = (&'a str, Term)>,
    ) -> PartialSystem {
        self.to_coded_system(program, propositions, &[])
    }

    /// The same, with the bits of codes as further propositions.
    pub fn to_coded_system<'a>(
        &self,
        program: &Program,
        propositions: impl IntoIterator<Item = (&'a str, Term)>,
        codes: &[Coded],
    ) -> PartialSystem {
        let interpreter = Interpreter::new(program);
        let mut builder = SystemBuilder::named();
        let states: Vec<StateId> =
            self.states.iter().map(|state| builder.state(&state_text(program, state))).collect();
        states[..self.n_initial].iter().for_each(|&state| builder.initial(state));
        let actions: Vec<_> =
            program.commands().iter().map(|command| builder.action(&command.action)).collect();
        let beyond = (!self.is_complete()).then(|| builder.state(BEYOND));
        if let Some(beyond) = beyond {
            if self.gaps.contains(&Gap::Initial) {
                builder.initial(beyond);
            }
            for &action in &actions {
                builder.edge(beyond, action, beyond, Modality::May);
            }
            // Whether it can be taken depends on the input.
            for &(source, command) in &self.unfollowed {
                builder.edge(states[source], actions[command.index()], beyond, Modality::May);
            }
        }
        for step in &self.steps {
            let target = step.target.map(|target| states[target]).or(beyond);
            let target = target.expect("what leads beyond the bound is a gap");
            builder.edge(states[step.source], actions[step.command.index()], target, Modality::Both);
        }
        for (name, term) in propositions {
            let proposition = builder.proposition(name, Belnap::Unknown);
            for (&id, state) in states.iter().zip(&self.states) {
                let value = if interpreter.holds(state, term) { Belnap::True } else { Belnap::False };
                builder.label(id, proposition, value);
            }
        }
        for coded in codes {
            let bits: Vec<_> =
                coded.bit_names().iter().map(|name| builder.proposition(name, Belnap::Unknown)).collect();
            for (&id, state) in states.iter().zip(&self.states) {
                let code = coded.code(&interpreter, state);
                for (place, &bit) in bits.iter().enumerate() {
                    let value = if code >> place & 1 == 1 { Belnap::True } else { Belnap::False };
                    builder.label(id, bit, value);
                }
            }
        }
        builder.build()
    }
}

/// The values of a state, with the names of the variables.
pub fn state_text(program: &Program, state: &State) -> String {
    let variables = program.variables().iter().map(|own| program.terms.name(own.variable));
    let values: Vec<String> =
        variables.zip(&state.0).map(|(name, value): (String, &Value)| format!("{name}={value}")).collect();
    if values.is_empty() { "start".to_owned() } else { values.join(", ") }
}
