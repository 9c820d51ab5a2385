//! What abstract states say: where a program begins, which states stand for something, and what terms are there.

use crate::feasible::feasible;
use crate::{AbstractState, PredicateAbstraction, TriState};
use fixedbitset::FixedBitSet;
use tertium_expr::{Term, Value};
use tertium_solve::Answer;
use tertium_support::{Context, Id, StopReason};
use tertium_truth::Kleene;

impl PredicateAbstraction<'_> {
    /// The abstract states where the program may begin, each with whether it is known to stand for an initial state.
    pub fn initial(&mut self, context: &Context) -> Result<Vec<(AbstractState, bool)>, StopReason> {
        let terms = &self.program.terms;
        let mut states = Vec::new();
        let control = crate::state::control_variables(self.program);
        let mut conditions = vec![(Vec::new(), vec![self.program.initial, self.program.within()])];
        for variable in control {
            let id = self.program.id_of(variable).expect("it is a variable of the program");
            let domain = &self.program.variables()[id.index()].domain;
            let values = domain.values(usize::MAX).expect("control variables have finitely many values");
            let mut longer = Vec::new();
            for (chosen, condition) in conditions {
                for value in &values {
                    let here = terms.equal(terms.variable(variable), terms.value(value));
                    let condition: Vec<Term> = [condition.clone(), vec![here]].concat();
                    if self.prover.check(context, terms, condition.iter().copied()).may_be_satisfiable() {
                        longer.push(([chosen.clone(), vec![value.clone()]].concat(), condition));
                    }
                    context.poll()?;
                }
            }
            conditions = longer;
        }
        for (chosen, condition) in conditions {
            let posts = self.precision.terms_at(self.program, &chosen);
            let (vectors, exact) = feasible(context, &mut self.prover, terms, &condition, &posts)?;
            let control: Box<[Value]> = chosen.into();
            states.extend(
                vectors.into_iter().map(|bits| (AbstractState { control: control.clone(), bits }, exact)),
            );
        }
        Ok(states)
    }

    /// The abstract states with this control that stand for something, as far as the solver knows.
    pub fn inhabited(
        &mut self,
        context: &Context,
        control: &[Value],
    ) -> Result<Vec<AbstractState>, StopReason> {
        let sources = self.sources(context, control)?;
        let all: Vec<usize> = (0..sources.components.len()).collect();
        let valuations = sources.valuations(&all, usize::MAX).expect("any number is allowed");
        let mut states: Vec<AbstractState> = Vec::new();
        for valuation in valuations {
            context.poll()?;
            let mut bits = FixedBitSet::with_capacity(sources.before.len());
            valuation.into_iter().for_each(|(predicate, value)| bits.set(predicate, value));
            states.push(AbstractState { control: control.into(), bits });
        }
        states.sort();
        debug_assert!(states.is_sorted_by(|one, other| one < other), "valuations are different");
        Ok(states)
    }

    /// The value of a truth value at an abstract state: what all its concrete states agree on.
    pub fn value(&mut self, context: &Context, state: &AbstractState, term: Term) -> Kleene {
        let terms = &self.program.terms;
        let here = state.at_control(self.program, term);
        if let Some(value) = terms.as_bool(here) {
            return Kleene::from(value);
        }
        if let Some((place, positive)) = self.precision.find_at(self.program, &state.control, term) {
            return Kleene::from(state.bits.contains(place) == positive);
        }
        let psi = state.term(self.program, &self.precision);
        self.decided(context, psi, term)
    }

    /// The value of a truth value at a vector: what all its concrete states agree on.
    pub fn tri_value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene {
        let terms = &self.program.terms;
        let here = state.at_control(self.program, term);
        if let Some(value) = terms.as_bool(here) {
            return Kleene::from(value);
        }
        let place = self.precision.find_at(self.program, &state.control, term);
        let known = place.map(|(place, positive)| {
            let known = state.vector.components()[place];
            if positive { known } else { known.not() }
        });
        match known {
            Some(known @ (Kleene::True | Kleene::False)) => known,
            // A predicate that is left open can still follow from the others.
            Some(Kleene::Unknown) | None => {
                let psi = state.term(self.program, &self.precision);
                self.decided(context, psi, term)
            }
        }
    }

    /// What all states that satisfy `psi` agree on.
    pub(crate) fn decided(&mut self, context: &Context, psi: Term, term: Term) -> Kleene {
        let terms = &self.program.terms;
        if self.prover.check(context, terms, [psi, terms.not(term)]) == Answer::Unsatisfiable {
            Kleene::True
        } else if self.prover.check(context, terms, [psi, term]) == Answer::Unsatisfiable {
            Kleene::False
        } else {
            Kleene::Unknown
        }
    }
}
