//! The predicates that states are matched by, everywhere or by location.
//!
//! A location is a control variable with a value. At a state those predicates count that hold for everywhere or for one of its locations
//! \[PPV07\], so what is seen of a state is a function of the state, and which predicates are seen is one of its control.

use crate::Written;
use fixedbitset::FixedBitSet;
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeSet;
use tertium_expr::{Term, Terms, Value};
use tertium_program::{Interpreter, Program, Role, State, VarId};
use tertium_support::Id;

/// When two predicates are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Identity {
    /// If they have the same normal form.
    #[default]
    Normal,
    /// If they are written alike.
    Written,
}

/// Where a predicate counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everywhere.
    Everywhere,
    /// Where this control variable has this value.
    Location(VarId, Value),
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// As it is written.
    pub written: Written,
    /// As a truth value.
    pub term: Term,
    /// Whether it speaks of control, too.
    pub(crate) mixed: bool,
    /// Where it counts.
    scopes: IndexSet<Scope>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Name {
    Normal(Term),
    Written(Written),
}

/// Predicates with their scopes.
#[derive(Clone, Debug)]
pub struct Precision {
    identity: Identity,
    predicates: IndexMap<Name, Predicate>,
}

/// What states are matched by: their control, and the predicates that hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The control variables, in the order of the program.
    pub control: Box<[Value]>,
    /// The predicates that count here and hold, by number.
    pub bits: FixedBitSet,
}

impl Predicate {
    /// Where it counts.
    pub(crate) fn scopes(&self) -> impl Iterator<Item = &Scope> {
        self.scopes.iter()
    }
}

impl Precision {
    /// No predicates.
    pub fn new(identity: Identity) -> Self {
        Self { identity, predicates: IndexMap::new() }
    }

    /// Adds a predicate about data in a scope. Says whether that is news. What mentions other variables than those of
    /// the program is no predicate.
    pub fn add(&mut self, program: &Program, written: Written, scope: Scope) -> bool {
        let terms = &program.terms;
        let term = written.term(terms);
        let roles = terms.variables_of(term).into_iter().map(|variable| {
            let id = program.id_of(variable)?;
            Some(program.variables()[id.index()].role)
        });
        let Some(roles) = roles.collect::<Option<Vec<Role>>>() else { return false };
        if !roles.contains(&Role::Data) {
            return false;
        }
        let name = self.name(terms, &written);
        let predicate = self.predicates.entry(name).or_insert_with(|| Predicate {
            written,
            term,
            mixed: mentions_control(program, term),
            scopes: IndexSet::new(),
        });
        let known = predicate.scopes.contains(&Scope::Everywhere) || predicate.scopes.contains(&scope);
        if !known {
            predicate.scopes.insert(scope);
        }
        !known
    }

    fn name(&self, terms: &Terms, written: &Written) -> Name {
        match self.identity {
            Identity::Written => Name::Written(written.clone()),
            Identity::Normal => {
                let term = written.term(terms);
                // A predicate and its negation say the same.
                let opposite = terms.not(term);
                Name::Normal(term.min(opposite))
            }
        }
    }

    /// The predicates, by number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Predicate> + '_ {
        self.predicates.values()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.predicates.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// The predicate with a number.
    pub fn get(&self, number: usize) -> &Predicate {
        &self.predicates[number]
    }

    /// The number of a predicate.
    pub fn find(&self, terms: &Terms, written: &Written) -> Option<usize> {
        self.predicates.get_index_of(&self.name(terms, written))
    }

    /// Whether all predicates count everywhere.
    pub(crate) fn is_global(&self) -> bool {
        self.iter().all(|predicate| predicate.scopes.contains(&Scope::Everywhere))
    }

    /// The numbers of the predicates that count at a state.
    pub fn active(&self, program: &Program, state: &State) -> Vec<usize> {
        let here: BTreeSet<(VarId, &Value)> = control(program, state).collect();
        let counts = |predicate: &Predicate| {
            predicate.scopes.iter().any(|scope| match scope {
                Scope::Everywhere => true,
                Scope::Location(variable, value) => here.contains(&(*variable, value)),
            })
        };
        (0..self.len()).filter(|&number| counts(self.get(number))).collect()
    }

    /// What a state is matched by.
    pub fn key(&self, interpreter: &Interpreter<'_>, state: &State) -> Key {
        let program = interpreter.program();
        let mut bits = FixedBitSet::with_capacity(self.len());
        for number in self.active(program, state) {
            bits.set(number, interpreter.holds(state, self.get(number).term));
        }
        Key { control: control(program, state).map(|(_, value)| value.clone()).collect(), bits }
    }

    /// Exactly the states that are matched with a key, of which these predicates count: all of these hold.
    pub(crate) fn knowledge(&self, program: &Program, key: &Key, active: &[usize]) -> Vec<Term> {
        let terms = &program.terms;
        let control = program.variables().iter().filter(|own| own.role == Role::Control);
        let control = control
            .zip(&key.control)
            .map(|(own, value)| terms.equal(terms.variable(own.variable), terms.value(value)));
        let literals = active.iter().map(|&number| {
            let term = self.get(number).term;
            if key.bits.contains(number) { term } else { terms.not(term) }
        });
        [program.within()].into_iter().chain(control).chain(literals).collect()
    }
}

/// The control variables of a state with their values.
pub(crate) fn control<'a>(
    program: &'a Program,
    state: &'a State,
) -> impl Iterator<Item = (VarId, &'a Value)> {
    let variables = program.variables().iter().zip(&state.0).enumerate();
    variables.filter(|(_, (own, _))| own.role == Role::Control).map(|(n, (_, value))| (VarId::new(n), value))
}

/// Whether a term speaks of control variables.
pub(crate) fn mentions_control(program: &Program, term: Term) -> bool {
    let variables =
        program.terms.variables_of(term).into_iter().filter_map(|variable| program.id_of(variable));
    variables.into_iter().any(|id| program.variables()[id.index()].role == Role::Control)
}
