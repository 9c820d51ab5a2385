//! What is tracked: predicates, each everywhere or at some places only.
//!
//! A place is a location, or whatever tells apart where a state is; what a predicate is told apart by is up to its type.
//! A predicate *counts* at a state if it counts at one of the places of the state. Every state is at
//! [`Place::ANYWHERE`], so a predicate that counts there counts everywhere: it is *global*. A state of a program with
//! several counters is at a location of each, and one of them is enough. Which predicates count at a state is thus a
//! function of its control, and states that differ in control share no abstract state; so nothing has to be said about
//! a predicate where it does not count.
//!
//! Invariant: a global predicate is listed at no other place, and the ids at each place ascend. Adding costs what the
//! places of the predicate cost; what counts at a state is found in time linear in the answer.

use crate::{LocId, PointId, Program, Role};
use indexmap::{Equivalent, IndexMap};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use tertium_expr::{Term, TermKind, Terms, Value};
use tertium_support::{Id, define_id};

define_id!(
    /// A predicate.
    PredicateId
);

/// Where predicates count.
pub trait Place: Clone + Ord {
    /// Where every state is.
    const ANYWHERE: Self;
}

impl Place for LocId {
    const ANYWHERE: Self = Self::ANYWHERE;
}

/// Points of procedures. No point is everywhere: what counts at a point speaks of one procedure.
impl Place for PointId {
    const ANYWHERE: Self = Self::from_raw(u32::MAX);
}

/// Predicates with the places where they count. Each is kept once. If they are terms, none is the negation of another.
#[derive(Clone, Debug)]
pub struct Precision<P = Term, L = LocId> {
    predicates: IndexMap<P, BTreeSet<L>>,
    /// What counts at each place where something does.
    counting: BTreeMap<L, Vec<PredicateId>>,
}

impl<P, L> Default for Precision<P, L> {
    fn default() -> Self {
        Self { predicates: IndexMap::new(), counting: BTreeMap::new() }
    }
}

impl<P: Eq + Hash, L: Place> Precision<P, L> {
    /// No predicates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets a predicate count at a place. Says whether it did not before.
    pub fn insert(&mut self, predicate: P, place: L) -> bool {
        let entry = self.predicates.entry(predicate);
        let id = PredicateId::new(entry.index());
        let places = entry.or_default();
        if places.contains(&L::ANYWHERE) || places.contains(&place) {
            return false;
        }
        if place == L::ANYWHERE {
            for narrower in std::mem::take(places) {
                self.counting.entry(narrower).or_default().retain(|&other| other != id);
            }
            debug_assert!(places.is_empty(), "a global predicate is listed at no other place");
        }
        places.insert(place.clone());
        let here = self.counting.entry(place).or_default();
        here.insert(here.partition_point(|&other| other < id), id);
        debug_assert!(here.is_sorted_by(|one, other| one < other), "each predicate once, in order");
        true
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.predicates.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// All, in the order in which they were added first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &P> + Clone + '_ {
        self.predicates.keys()
    }

    /// The predicate with this id.
    pub fn get(&self, id: PredicateId) -> &P {
        self.predicates.get_index(id.index()).expect("ids are given out for predicates").0
    }

    /// The id of a predicate, by what it is told apart by.
    pub fn find<Q: ?Sized + Hash + Equivalent<P>>(&self, predicate: &Q) -> Option<PredicateId> {
        self.predicates.get_index_of(predicate).map(PredicateId::new)
    }

    /// Where a predicate counts; [`Place::ANYWHERE`] alone if it is global.
    pub fn locations(&self, id: PredicateId) -> &BTreeSet<L> {
        &self.predicates[id.index()]
    }

    /// Whether a predicate counts everywhere.
    pub fn is_global(&self, id: PredicateId) -> bool {
        self.locations(id).contains(&L::ANYWHERE)
    }

    /// Whether all predicates do.
    pub fn is_all_global(&self) -> bool {
        PredicateId::first(self.len()).all(|id| self.is_global(id))
    }

    /// The predicates that count at some of these places, in order.
    pub fn counting_at(&self, places: impl IntoIterator<Item = L>) -> Vec<PredicateId> {
        let mut ids = Vec::new();
        for place in places {
            ids.extend(self.counting.get(&place).into_iter().flatten().copied());
        }
        ids.sort_unstable();
        ids.dedup();
        debug_assert!(
            ids.last().is_none_or(|id| id.index() < self.len()),
            "ids are given out for predicates"
        );
        ids
    }

    /// Whether everything that counts somewhere in `other` counts there here too, with the same ids.
    pub fn extends(&self, other: &Self) -> bool {
        let counts = |(id, (predicate, places)): (usize, (&P, &BTreeSet<L>))| {
            let Some((own, counting)) = self.predicates.get_index(id) else { return false };
            own == predicate && (counting.contains(&L::ANYWHERE) || counting.is_superset(places))
        };
        other.predicates.iter().enumerate().all(counts)
    }
}

impl Precision {
    /// The predicates that count at a state with these values of the control variables, in order.
    pub fn at(&self, program: &Program, control: &[Value]) -> Vec<PredicateId> {
        self.counting_at(program.locations().at(program, control))
    }

    /// Lets everything that counts somewhere in `other` count there.
    pub fn add_all(&mut self, other: &Self) {
        for (predicate, locations) in &other.predicates {
            for &location in locations {
                self.insert(*predicate, location);
            }
        }
    }

    /// Lets a predicate count at a location, or its negation if it is one. Says whether that is news. Constants, and predicates about
    /// control variables only, are no news: control is seen anyway.
    pub fn add(&mut self, program: &Program, term: Term, location: LocId) -> bool {
        let terms = &program.terms;
        let plain = match terms.kind(term) {
            TermKind::Not(inner) => inner,
            _ => term,
        };
        let is_data = |variable| {
            program.id_of(variable).is_some_and(|id| program.variables()[id.index()].role == Role::Data)
        };
        terms.variables_of(plain).into_iter().any(is_data) && self.insert(plain, location)
    }

    /// Adds the atoms of a truth value.
    pub fn add_atoms(&mut self, program: &Program, term: Term, location: LocId) -> bool {
        let atoms = program.terms.atoms_of(term);
        atoms.into_iter().fold(false, |any, atom| self.add(program, atom, location) | any)
    }

    /// Lets all predicates count everywhere.
    pub fn make_global(&mut self) {
        let all: Vec<Term> = self.iter().copied().collect();
        all.into_iter().for_each(|predicate| {
            self.insert(predicate, LocId::ANYWHERE);
        });
    }

    /// The predicates that count at a state with this control.
    pub fn terms_at(&self, program: &Program, control: &[Value]) -> Vec<Term> {
        self.at(program, control).into_iter().map(|id| *self.get(id)).collect()
    }

    /// Whether the predicate that a term is or negates counts at a state with this control.
    pub fn counts(&self, program: &Program, control: &[Value], term: Term) -> bool {
        self.find_at(program, control, term).is_some()
    }

    /// The place that the predicate which a term is or negates has among those that count with this control, and whether the term is the
    /// predicate itself.
    pub fn find_at(&self, program: &Program, control: &[Value], term: Term) -> Option<(usize, bool)> {
        let (id, positive) = self.find_literal(&program.terms, term)?;
        let place = self.at(program, control).binary_search(&id).ok()?;
        Some((place, positive))
    }

    /// The predicate that a term is or negates, and whether it is the predicate itself.
    pub fn find_literal(&self, terms: &Terms, term: Term) -> Option<(PredicateId, bool)> {
        match terms.kind(term) {
            TermKind::Not(inner) => Some((self.find(&inner)?, false)),
            _ => Some((self.find(&term)?, true)),
        }
    }
}
