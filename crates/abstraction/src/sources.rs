//! The predicates at one location, in components that share no variables.
//!
//! Which values the predicates of a component can have together is found with the solver, once for each component; those of all predicates
//! are the product.

use crate::renamed_questions::RenamedQuestions;
use crate::site::Union;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tertium_dd::Bdd;
use tertium_expr::{Term, Terms, Variable};
use tertium_program::{Program, VarId};
use tertium_solve::Prover;
use tertium_support::{Context, StopReason};
use tertium_system::monomials::MonomialFrame;

/// Predicates that share variables, directly or through others.
#[derive(Debug)]
pub(crate) struct Component {
    /// The predicates.
    pub(crate) members: Vec<usize>,
    /// All variables that occur.
    pub(crate) variables: BTreeSet<Variable>,
    /// The values that the predicates can have together, by their place among the members.
    pub(crate) vectors: Vec<FixedBitSet>,
    /// Whether all of them certainly can.
    pub(crate) exact: bool,
}

/// The predicates at a location.
#[derive(Debug)]
pub(crate) struct Sources {
    /// What each predicate is there.
    pub(crate) before: Vec<Term>,
    pub(crate) components: Vec<Component>,
    component_of: Vec<usize>,
    places: FxHashMap<Term, usize>,
}

/// Values of some predicates.
pub(crate) type Valuation = Vec<(usize, bool)>;

impl Sources {
    pub(crate) fn new(
        context: &Context,
        program: &Program,
        prover: &mut Prover<'_>,
        questions: &mut RenamedQuestions,
        before: Vec<Term>,
    ) -> Result<Self, StopReason> {
        let terms = &program.terms;
        let mut union = Union::default();
        before.iter().for_each(|&term| union.join(terms, term));
        let mut numbers: FxHashMap<Variable, usize> = FxHashMap::default();
        let mut components: Vec<Component> = Vec::new();
        let mut component_of = Vec::new();
        for (predicate, &term) in before.iter().enumerate() {
            let variables = terms.variables_of(term);
            let fresh = components.len();
            // What is constant here is on its own.
            let number = match variables.first() {
                Some(&first) => *numbers.entry(union.root(first)).or_insert(fresh),
                None => fresh,
            };
            if number == fresh {
                components.push(Component {
                    members: Vec::new(),
                    variables: BTreeSet::new(),
                    vectors: Vec::new(),
                    exact: true,
                });
            }
            components[number].members.push(predicate);
            components[number].variables.extend(variables);
            component_of.push(number);
        }
        for component in &mut components {
            let posts: Vec<Term> = component.members.iter().map(|&member| before[member]).collect();
            let within = domains(program, &component.variables);
            let found = questions.feasible(context, prover, terms, &within, &posts)?;
            (component.vectors, component.exact) = (*found).clone();
        }
        let places = before.iter().enumerate().rev().map(|(n, &term)| (term, n)).collect();
        Ok(Self { before, components, component_of, places })
    }

    /// The predicate that a term is or negates here, and whether it is the predicate itself.
    pub(crate) fn find_literal(&self, terms: &Terms, term: Term) -> Option<(usize, bool)> {
        let as_is = self.places.get(&term).map(|&predicate| (predicate, true));
        as_is.or_else(|| self.places.get(&terms.not(term)).map(|&predicate| (predicate, false)))
    }

    /// The components of these predicates.
    pub(crate) fn of(&self, predicates: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let numbers: BTreeSet<usize> =
            predicates.into_iter().map(|predicate| self.component_of[predicate]).collect();
        numbers.into_iter().collect()
    }

    /// The components about any of these variables.
    pub(crate) fn about(&self, variables: &BTreeSet<Variable>) -> Vec<usize> {
        let about = |number: &usize| !self.components[*number].variables.is_disjoint(variables);
        (0..self.components.len()).filter(about).collect()
    }

    /// All values that the predicates of these components can have together, unless they are more than `most`.
    pub(crate) fn valuations(&self, components: &[usize], most: usize) -> Option<Vec<Valuation>> {
        let sizes = components.iter().map(|&number| self.components[number].vectors.len());
        let n = sizes.fold(1usize, |product, size| product.saturating_mul(size));
        if n > most {
            return None;
        }
        let mut all = vec![Vec::new()];
        for &number in components {
            let component = &self.components[number];
            all = all
                .iter()
                .flat_map(|before: &Valuation| {
                    component.vectors.iter().map(move |vector| {
                        let members = component.members.iter().enumerate();
                        let values = members.map(|(at, &member)| (member, vector.contains(at)));
                        before.iter().copied().chain(values).collect()
                    })
                })
                .collect();
        }
        Some(all)
    }

    /// What a valuation says, as terms.
    pub(crate) fn literals(&self, terms: &Terms, valuation: &Valuation) -> Vec<Term> {
        let literal = |&(predicate, value): &(usize, bool)| {
            if value { self.before[predicate] } else { terms.not(self.before[predicate]) }
        };
        valuation.iter().map(literal).collect()
    }

    /// The inhabited minterms, one part for each component that excludes something.
    pub(crate) fn inhabited(&self, frame: &MonomialFrame) -> Result<Vec<Bdd>, StopReason> {
        let parts =
            self.components.iter().map(|component| vectors(frame, &component.members, &component.vectors));
        let parts: Vec<Bdd> = parts.collect::<Result<_, _>>()?;
        Ok(parts.into_iter().filter(|part| !part.is_true()).collect())
    }
}

/// The minterms with one of these vectors for some predicates.
pub(crate) fn vectors(
    frame: &MonomialFrame,
    members: &[usize],
    vectors: &[FixedBitSet],
) -> Result<Bdd, StopReason> {
    vectors.iter().try_fold(frame.manager().constant(false), |any, vector| {
        let values = members.iter().enumerate().map(|(at, &member)| (member, vector.contains(at)));
        any.or(&frame.minterms(values)?)
    })
}

/// That these variables are within their domains.
pub(crate) fn domains(program: &Program, variables: &BTreeSet<Variable>) -> Vec<Term> {
    let terms = &program.terms;
    let own: BTreeSet<VarId> = variables.iter().filter_map(|&variable| program.id_of(variable)).collect();
    own.into_iter()
        .map(|id| program.is_within(id))
        .filter(|&inside| terms.as_bool(inside) != Some(true))
        .collect()
}
