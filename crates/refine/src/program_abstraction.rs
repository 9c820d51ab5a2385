//! Programs seen through predicates, in either kind of abstraction.
//!
//! Both give systems of vectors; those of bits have no stars. Vectors grow by predicates without asking again what is
//! known, and no definite verdict is lost on the way \[GHJ01\]; bits begin anew with each round.

use tertium_abstraction::{
    AbstractSystem, CartesianAbstraction, Form, LeftOut, Musts, PredicateAbstraction, TriState, concretise,
    explore, explore_cartesian,
};
use tertium_check::Semantics;
use tertium_expr::Term;
use tertium_program::Precision;
use tertium_solve::{Prover, ProverStatistics};
use tertium_support::{Context, StopReason};
use tertium_truth::Kleene;

/// A program seen through predicates.
pub(crate) trait ProgramAbstraction<'p> {
    /// The program with more precision; the first predicates are as before.
    fn extend(self, precision: Precision) -> Self;

    fn precision(&self) -> &Precision;

    fn statistics(&self) -> ProverStatistics;

    /// What was left out because there was too much of it.
    fn left_out(&self) -> LeftOut;

    fn prover(&mut self) -> &mut Prover<'p>;

    /// The abstract system, as far as it can be reached.
    fn explore(
        &mut self,
        context: &Context,
        propositions: &[(String, Term)],
    ) -> Result<AbstractSystem<TriState>, StopReason>;

    /// What all concrete states of an abstract one agree on.
    fn value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene;
}

/// Each predicate holds or does not: predicate abstraction.
pub(crate) struct Bits<'p> {
    pub(crate) bits: PredicateAbstraction<'p>,
    pub(crate) musts: Musts,
}

impl<'p> ProgramAbstraction<'p> for Bits<'p> {
    fn extend(self, precision: Precision) -> Self {
        let program = self.bits.program();
        let bits = PredicateAbstraction::new(program, precision, self.bits.into_prover());
        Self { bits, musts: self.musts }
    }

    fn precision(&self) -> &Precision {
        self.bits.precision()
    }

    fn statistics(&self) -> ProverStatistics {
        self.bits.statistics()
    }

    fn left_out(&self) -> LeftOut {
        self.bits.left_out()
    }

    fn prover(&mut self) -> &mut Prover<'p> {
        self.bits.prover()
    }

    fn explore(
        &mut self,
        context: &Context,
        propositions: &[(String, Term)],
    ) -> Result<AbstractSystem<TriState>, StopReason> {
        explore(context, &mut self.bits, propositions, self.musts).map(AbstractSystem::into_vectors)
    }

    fn value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene {
        self.bits.tri_value(context, state, term)
    }
}

/// Each predicate holds, does not, or is left open: cartesian abstraction.
pub(crate) struct Vectors<'p> {
    pub(crate) vectors: CartesianAbstraction<'p>,
    pub(crate) form: Form,
    /// Reduced semantics has to know what states stand for.
    pub(crate) semantics: Semantics,
}

impl<'p> ProgramAbstraction<'p> for Vectors<'p> {
    fn extend(self, precision: Precision) -> Self {
        Self { vectors: self.vectors.extend(precision), ..self }
    }

    fn precision(&self) -> &Precision {
        self.vectors.precision()
    }

    fn statistics(&self) -> ProverStatistics {
        self.vectors.statistics()
    }

    fn left_out(&self) -> LeftOut {
        self.vectors.left_out()
    }

    fn prover(&mut self) -> &mut Prover<'p> {
        self.vectors.prover()
    }

    fn explore(
        &mut self,
        context: &Context,
        propositions: &[(String, Term)],
    ) -> Result<AbstractSystem<TriState>, StopReason> {
        let found = explore_cartesian(context, &mut self.vectors, propositions, self.form)?;
        match self.semantics {
            Semantics::Sis => Ok(found),
            Semantics::Ris | Semantics::Thorough => concretise(context, &mut self.vectors, found),
        }
    }

    fn value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene {
        self.vectors.value(context, state, term)
    }
}
