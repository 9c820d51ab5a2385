//! The reachable states of a program straight from the interpreter, and the system that they make: what the explorer is
//! compared with.

use rustc_hash::{FxHashMap, FxHashSet};
use tertium_explore::{BEYOND, Gap, Taken, state_text};
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Interpreter, Program, State};
use tertium_support::Id;
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_truth::Belnap;

/// What was found, as in [`tertium_explore::Exploration`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Naive {
    pub(crate) states: Vec<State>,
    pub(crate) n_initial: usize,
    pub(crate) n_followed: usize,
    pub(crate) steps: Vec<Taken>,
    pub(crate) unfollowed: Vec<(usize, CommandId)>,
    pub(crate) gaps: Vec<Gap>,
}

/// The initial states in order, by trying all values. Nothing if there are infinitely many combinations.
pub(crate) fn start(program: &Program, most: usize) -> Option<(Vec<State>, bool)> {
    let domains = program.variables().iter().map(|own| own.domain.values(1000));
    let domains: Vec<Vec<Value>> = domains.collect::<Option<_>>()?;
    let mut all = vec![Vec::new()];
    for domain in &domains {
        let longer = |before: &Vec<Value>| {
            let before = before.clone();
            domain
                .iter()
                .map(move |value| [&before[..], std::slice::from_ref(value)].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let interpreter = Interpreter::new(program);
    let mut states: Vec<State> = all.into_iter().map(|values| State(values.into())).collect();
    states.retain(|state| interpreter.is_initial(state));
    states.sort();
    let complete = states.len() <= most;
    states.truncate(most);
    Some((states, complete))
}

/// Follows up to `most_followed` states and keeps up to `most`, from some initial states, which may be all.
pub(crate) fn explore(
    program: &Program,
    (states, complete): (Vec<State>, bool),
    most: usize,
    most_followed: usize,
) -> Naive {
    let mut found = Naive { n_initial: states.len(), states, ..Naive::default() };
    if !complete {
        found.note(Gap::Initial);
    }
    let interpreter = Interpreter::new(program);
    let mut numbers: FxHashMap<State, usize> = found.states.iter().cloned().zip(0..).collect();
    while found.n_followed < found.states.len().min(most_followed) {
        let source = found.n_followed;
        let mut taken = FxHashSet::default();
        for command in CommandId::first(program.commands().len()) {
            for step in 0..program.commands()[command.index()].steps.len() {
                let Some(successors) = interpreter.successors_by(&found.states[source], command, step) else {
                    if found.unfollowed.last() != Some(&(source, command)) {
                        found.unfollowed.push((source, command));
                    }
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
        }
        found.n_followed += 1;
    }
    if found.n_followed < found.states.len() {
        found.note(Gap::Bound);
    }
    found
}

impl Naive {
    fn note(&mut self, gap: Gap) {
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }

    /// The partial system of what was found.
    pub(crate) fn to_system(&self, program: &Program, propositions: &[(&str, Term)]) -> PartialSystem {
        let interpreter = Interpreter::new(program);
        let mut builder = SystemBuilder::named();
        let states: Vec<StateId> =
            self.states.iter().map(|state| builder.state(&state_text(program, state))).collect();
        states[..self.n_initial].iter().for_each(|&state| builder.initial(state));
        let actions: Vec<_> =
            program.commands().iter().map(|command| builder.action(&command.action)).collect();
        let beyond = (!self.gaps.is_empty()).then(|| builder.state(BEYOND));
        if let Some(beyond) = beyond {
            if self.gaps.contains(&Gap::Initial) {
                builder.initial(beyond);
            }
            for &action in &actions {
                builder.edge(beyond, action, beyond, Modality::May);
                for &state in &states[self.n_followed..] {
                    builder.edge(state, action, beyond, Modality::May);
                }
            }
            for &(source, command) in &self.unfollowed {
                builder.edge(states[source], actions[command.index()], beyond, Modality::May);
            }
        }
        for step in &self.steps {
            let target = step.target.map(|target| states[target]).or(beyond).expect("a gap");
            builder.edge(states[step.source], actions[step.command.index()], target, Modality::Both);
        }
        for &(name, term) in propositions {
            let proposition = builder.proposition(name, Belnap::Unknown);
            for (&id, state) in states.iter().zip(&self.states) {
                let value = if interpreter.holds(state, term) { Belnap::True } else { Belnap::False };
                builder.label(id, proposition, value);
            }
        }
        builder.build()
    }
}
