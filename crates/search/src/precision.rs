//! The predicates that states are matched by, everywhere or by location.
//!
//! A location is a control variable with a value. At a state those predicates count that hold for everywhere or for one of its locations
//! \[PPV07\], so what is seen of a state is a function of the state, and which predicates are seen is one of its control.

use crate::Written;
use fixedbitset::FixedBitSet;
use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use tertium_expr::{Term, Terms, Value};
use tertium_program::{Interpreter, Place, PredicateId, Program, Role, State, VarId};
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Everywhere.
    Everywhere,
    /// Where this control variable has this value.
    Location(VarId, Value),
}

impl Place for Scope {
    const ANYWHERE: Self = Self::Everywhere;
}

/// A predicate. Two are the same if they have the same name.
#[derive(Clone, Debug)]
pub struct Predicate {
    name: Name,
    /// As it is written.
    pub written: Written,
    /// As a truth value.
    pub term: Term,
    /// Whether it speaks of control, too.
    pub(crate) mixed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Name {
    Normal(Term),
    Written(Written),
}

impl PartialEq for Predicate {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Predicate {}

impl Hash for Predicate {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Borrow<Name> for Predicate {
    fn borrow(&self) -> &Name {
        &self.name
    }
}

/// Predicates with their scopes.
#[derive(Clone, Debug)]
pub struct Precision {
    identity: Identity,
    predicates: tertium_program::Precision<Predicate, Scope>,
}

/// What states are matched by: their control, and the predicates that hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The control variables, in the order of the program.
    pub control: Box<[Value]>,
    /// The predicates that count here and hold, by number.
    pub bits: FixedBitSet,
}

impl Precision {
    /// No predicates.
    pub fn new(identity: Identity) -> Self {
        Self { identity, predicates: tertium_program::Precision::new() }
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
        let mixed = roles.contains(&Role::Control);
        self.predicates.insert(Predicate { name, written, term, mixed }, scope)
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
        self.predicates.iter()
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
        self.predicates.get(PredicateId::new(number))
    }

    /// The number of a predicate.
    pub fn find(&self, terms: &Terms, written: &Written) -> Option<usize> {
        self.predicates.find(&self.name(terms, written)).map(PredicateId::index)
    }

    /// The predicates with where each counts, by number.
    pub(crate) fn scoped(&self) -> impl Iterator<Item = (&Predicate, &BTreeSet<Scope>)> {
        self.iter().zip(PredicateId::first(self.len()).map(|id| self.predicates.locations(id)))
    }

    /// Whether everything that counts somewhere in `other` counts there here too, with the same numbers.
    pub(crate) fn extends(&self, other: &Self) -> bool {
        self.predicates.extends(&other.predicates)
    }

    /// Whether all predicates count everywhere.
    pub(crate) fn is_global(&self) -> bool {
        self.predicates.is_all_global()
    }

    /// The numbers of the predicates that count at a state.
    pub fn active(&self, program: &Program, state: &State) -> Vec<usize> {
        let own = control(program, state).map(|(variable, value)| Scope::Location(variable, value.clone()));
        let active = self.predicates.counting_at([Scope::Everywhere].into_iter().chain(own));
        active.into_iter().map(PredicateId::index).collect()
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
        debug_assert!(active.is_sorted_by(|one, other| one < other), "each predicate once, in order");
        debug_assert!(key.bits.ones().all(|bit| active.contains(&bit)), "only what counts is known to hold");
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
