//! Abstract states that leave predicates open.

use crate::AbstractState;
use crate::state::{at_control, control_variables, describe};
use tertium_expr::{Term, Value};
use tertium_program::{Precision, Program};
use tertium_truth::{Kleene, TriVector};

/// A value for each control variable and a vector over the predicates that count there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TriState {
    /// The control variables, in the order of the program.
    pub control: Box<[Value]>,
    /// What is known of each predicate that counts with this control.
    pub vector: TriVector,
}

impl TriState {
    /// A state without stars.
    pub fn exact(state: &AbstractState) -> Self {
        Self { control: state.control.clone(), vector: state.vector() }
    }

    /// Whether a state of bits is one of those it stands for.
    pub fn covers(&self, state: &AbstractState) -> bool {
        self.control == state.control && self.vector.info_le(&state.vector())
    }

    /// The state of bits that it is, if it has no stars.
    pub fn as_exact(&self) -> Option<AbstractState> {
        let components = self.vector.components();
        if components.contains(&Kleene::Unknown) {
            return None;
        }
        let bits = components.iter().enumerate().filter(|(_, known)| **known == Kleene::True);
        let mut state = AbstractState {
            control: self.control.clone(),
            bits: fixedbitset::FixedBitSet::with_capacity(components.len()),
        };
        bits.for_each(|(n, _)| state.bits.insert(n));
        Some(state)
    }

    /// Exactly the concrete states that it stands for.
    pub fn term(&self, program: &Program, precision: &Precision) -> Term {
        let terms = &program.terms;
        let control = control_variables(program).into_iter().zip(&self.control);
        let control =
            control.map(|(variable, value)| terms.equal(terms.variable(variable), terms.value(value)));
        let literals = self.literals(program, precision);
        terms.and([program.within()].into_iter().chain(control).chain(literals))
    }

    /// The same in parts that have no control variables: what is known of predicates, then domains.
    pub fn conditions(&self, program: &Program, precision: &Precision) -> Vec<Term> {
        let terms = &program.terms;
        let domains =
            program.variables().iter().map(|own| own.domain.contains(terms, terms.variable(own.variable)));
        let mut here = at_control(program, &self.control);
        let parts = self.literals(program, precision).chain(domains).map(|part| here.apply(terms, part));
        parts.filter(|&part| terms.as_bool(part) != Some(true)).collect()
    }

    /// A term with the values of the control variables here.
    pub fn at_control(&self, program: &Program, term: Term) -> Term {
        at_control(program, &self.control).apply(&program.terms, term)
    }

    /// In words: the values of control variables, and the predicates that are not open as they hold, as far as there are not too many.
    pub fn describe(&self, program: &Program, precision: &Precision) -> String {
        describe(program, &self.control, self.literals(program, precision))
    }

    /// What is known of predicates.
    pub fn literals<'a>(
        &'a self,
        program: &'a Program,
        precision: &Precision,
    ) -> impl Iterator<Item = Term> + 'a {
        let predicates = precision.terms_at(program, &self.control);
        debug_assert_eq!(predicates.len(), self.vector.len(), "a component for each predicate that counts");
        predicates.into_iter().zip(self.vector.components()).filter_map(|(predicate, known)| match known {
            Kleene::True => Some(predicate),
            Kleene::False => Some(program.terms.not(predicate)),
            Kleene::Unknown => None,
        })
    }
}

/// All states that leave at least as much open.
pub(crate) fn weaker(state: &TriState) -> Vec<TriState> {
    let mut vectors = vec![Vec::new()];
    for &component in state.vector.components() {
        let options =
            if component == Kleene::Unknown { vec![component] } else { vec![component, Kleene::Unknown] };
        vectors = vectors
            .iter()
            .flat_map(|before: &Vec<Kleene>| {
                options.iter().map(|&option| [before.clone(), vec![option]].concat())
            })
            .collect();
    }
    let states = vectors
        .into_iter()
        .map(|vector| TriState { control: state.control.clone(), vector: TriVector::new(vector) });
    states.collect()
}
