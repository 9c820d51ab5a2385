//! The partial system of what was found of a program.
//!
//! If nothing was left out, it is the program itself: every step is may and must, every label definite. What was left
//! out leads to one more state, [`BEYOND`], that stands for everything: its labels are open and any step may lead from
//! it to it. From states that were not followed any step may lead there. So every definite verdict on the system holds
//! for the program.
//!
//! Cost: the propositions are run as code on the packed states, and the names of states are made when they are asked
//! for. Eight bytes for each step, four for each state, and two bits for each proposition.

use crate::names::ProgramNames;
use crate::propositions::{Seen, states_where};
use crate::reachable::{Exploration, Gap};
use crate::rows::Target;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::convert::Infallible;
use std::sync::Arc;
use tertium_expr::Term;
use tertium_program::{Interpreter, Program, State};
use tertium_support::{Id, Interner};
use tertium_system::{
    ActionId, Labels, Modality, PackedLabel, PartialSystem, StateId, StateNames, StateSet, SystemParts,
    Transitions,
};

/// The state that stands for all that were not looked at.
pub const BEYOND: &str = "beyond";

/// Propositions that are the bits of a number that each state has.
pub struct CodedBits<'a> {
    /// Their names, the lowest bit first.
    pub names: Vec<String>,
    /// The number.
    pub code: &'a dyn Fn(&State) -> u64,
}

impl Exploration {
    /// The partial system of what was found, with these truth values as propositions.
    pub fn to_system<'a>(
        &self,
        program: &Program,
        propositions: impl IntoIterator<Item = (&'a str, Term)>,
    ) -> PartialSystem {
        self.to_coded_system(program, propositions, &[])
    }

    /// The same, with the bits of numbers as further propositions.
    pub fn to_coded_system<'a>(
        &self,
        program: &Program,
        propositions: impl IntoIterator<Item = (&'a str, Term)>,
        codes: &[CodedBits<'_>],
    ) -> PartialSystem {
        let mut actions: Interner<ActionId> = Interner::default();
        let by_command: Vec<ActionId> =
            program.commands().iter().map(|command| actions.intern(&command.action)).collect();
        let n_states = self.n_states() + usize::from(!self.is_complete());
        let mut initial: Vec<StateId> = StateId::first(self.n_initial()).collect();
        if self.gaps.contains(&Gap::Initial) {
            initial.push(StateId::new(self.n_states()));
        }
        let mut labels = Labels::none(n_states);
        self.add_propositions(program, propositions, &mut labels);
        self.add_codes(codes, &mut labels);
        PartialSystem::from_parts(SystemParts {
            names: StateNames::computed(Arc::new(ProgramNames::new(program, self))),
            initial,
            actions,
            transitions: self.transitions(&by_command),
            labels,
        })
    }

    fn transitions(&self, actions: &[ActionId]) -> Transitions {
        let beyond = (!self.is_complete()).then(|| StateId::new(self.n_states()));
        let to_beyond = || beyond.expect("what was left out is a gap");
        let anything = actions.iter().map(|&action| PackedLabel::new(action, Modality::May));
        let anything: Vec<PackedLabel> = anything.collect();
        let rows = (0..self.n_states() + usize::from(beyond.is_some())).map(|state| {
            let followed = state < self.n_followed();
            let open = if followed { &[][..] } else { &anything };
            let open = open.iter().map(|&label| (label, to_beyond()));
            let taken = followed.then(|| self.listing.steps.row(state)).into_iter().flatten().map(
                |(label, target)| {
                    let action = actions[self.command(label).index()];
                    match target {
                        Target::State(number) => {
                            (PackedLabel::new(action, Modality::Both), StateId::from_raw(number))
                        }
                        Target::Beyond => (PackedLabel::new(action, Modality::Both), to_beyond()),
                        // Whether it can be taken depends on the input.
                        Target::Open => (PackedLabel::new(action, Modality::May), to_beyond()),
                    }
                },
            );
            taken.chain(open)
        });
        Transitions::from_rows(self.n_steps() + anything.len(), rows)
    }

    fn add_propositions<'a>(
        &self,
        program: &Program,
        propositions: impl IntoIterator<Item = (&'a str, Term)>,
        labels: &mut Labels,
    ) {
        let mut wanted: IndexMap<&str, Term, FxBuildHasher> = IndexMap::default();
        for (name, term) in propositions {
            wanted.entry(name).or_insert(term);
        }
        let terms: Vec<Term> = wanted.values().copied().collect();
        let interpreter = Interpreter::new(program);
        let seen = Seen { interpreter: &interpreter, moves: &self.moves, wide: &self.wide };
        let Ok(sets) =
            states_where(&seen, &self.listing, labels.n_states(), &terms, |_| Ok::<_, Infallible>(()));
        for (name, must) in wanted.into_keys().zip(sets) {
            self.label(name, must, labels);
        }
    }

    fn add_codes(&self, codes: &[CodedBits<'_>], labels: &mut Labels) {
        for coded in codes {
            let mut sets = vec![StateSet::empty(labels.n_states()); coded.names.len()];
            for (state, id) in self.states().zip(StateId::first(self.n_states())) {
                let code = (coded.code)(&state);
                for (place, set) in sets.iter_mut().enumerate() {
                    if code >> place & 1 == 1 {
                        set.insert(id);
                    }
                }
            }
            for (name, must) in coded.names.iter().zip(sets) {
                self.label(name, must, labels);
            }
        }
    }

    /// Adds a proposition that holds at these states, and is open beyond.
    fn label(&self, name: &str, must: StateSet, labels: &mut Labels) {
        let mut may = must.clone();
        if !self.is_complete() {
            may.insert(StateId::new(self.n_states()));
        }
        labels.add(name, must, may);
    }
}
