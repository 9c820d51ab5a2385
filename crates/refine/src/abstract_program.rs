//! What a program is seen through, in either kind of abstraction.
//!
//! Both give systems of vectors; those of bits have no stars. Vectors grow by predicates without asking again what is known, and no definite
//! verdict is lost on the way \[GHJ01\]; bits begin anew with each round.

use tertium_abstraction::{
    AbstractSystem, CartesianAbstraction, Form, Musts, PredicateAbstraction, Predicates, TriState,
    concretise, explore, explore_cartesian,
};
use tertium_check::Semantics;
use tertium_expr::Term;
use tertium_program::Program;
use tertium_solve::{Prover, ProverStatistics};
use tertium_support::{Context, StopReason};
use tertium_truth::Kleene;

/// Which abstraction is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// Each predicate holds or does not: predicate abstraction.
    Bits(Musts),
    /// Each predicate holds, does not, or is left open: cartesian abstraction.
    Vectors {
        /// Which steps there are.
        form: Form,
        /// How many predicates a question about a target may look at together, if not all.
        depth: Option<usize>,
    },
}

impl Default for Abstraction {
    fn default() -> Self {
        Self::Bits(Musts::default())
    }
}

/// A program seen through predicates.
pub(crate) enum AbstractProgram<'p> {
    Bits(PredicateAbstraction<'p>, Musts),
    Vectors(CartesianAbstraction<'p>, Form, Semantics),
}

impl<'p> AbstractProgram<'p> {
    /// The program through these predicates. Reduced semantics has to know what states stand for.
    pub(crate) fn new(
        program: &'p Program,
        predicates: Predicates,
        prover: Prover<'p>,
        (abstraction, semantics): (Abstraction, Semantics),
    ) -> Self {
        let bits = PredicateAbstraction::new(program, predicates, prover);
        match abstraction {
            Abstraction::Bits(musts) => Self::Bits(bits, musts),
            Abstraction::Vectors { form, depth: None } => {
                Self::Vectors(CartesianAbstraction::new(bits), form, semantics)
            }
            Abstraction::Vectors { form, depth: Some(depth) } => {
                Self::Vectors(CartesianAbstraction::limited(bits, depth), form, semantics)
            }
        }
    }

    /// The program through more predicates; the first are as before.
    pub(crate) fn extend(self, predicates: Predicates) -> Self {
        match self {
            Self::Bits(bits, musts) => {
                let program = bits.program();
                Self::Bits(PredicateAbstraction::new(program, predicates, bits.into_prover()), musts)
            }
            Self::Vectors(vectors, form, semantics) => {
                Self::Vectors(vectors.extend(predicates), form, semantics)
            }
        }
    }

    pub(crate) fn predicates(&self) -> &Predicates {
        match self {
            Self::Bits(bits, _) => bits.predicates(),
            Self::Vectors(vectors, ..) => vectors.predicates(),
        }
    }

    pub(crate) fn statistics(&self) -> ProverStatistics {
        match self {
            Self::Bits(bits, _) => bits.statistics(),
            Self::Vectors(vectors, ..) => vectors.statistics(),
        }
    }

    pub(crate) fn prover(&mut self) -> &mut Prover<'p> {
        match self {
            Self::Bits(bits, _) => bits.prover(),
            Self::Vectors(vectors, ..) => vectors.prover(),
        }
    }

    /// The abstract system, as far as it can be reached.
    pub(crate) fn explore(
        &mut self,
        context: &Context,
        propositions: &[(String, Term)],
    ) -> Result<AbstractSystem<TriState>, StopReason> {
        match self {
            Self::Bits(bits, musts) => {
                explore(context, bits, propositions, *musts).map(AbstractSystem::into_vectors)
            }
            Self::Vectors(vectors, form, semantics) => {
                let found = explore_cartesian(context, vectors, propositions, *form)?;
                match semantics {
                    Semantics::Sis => Ok(found),
                    Semantics::Ris | Semantics::Thorough => concretise(context, vectors, found),
                }
            }
        }
    }

    /// What all concrete states of an abstract one agree on.
    pub(crate) fn value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene {
        match self {
            Self::Bits(bits, _) => bits.tri_value(context, state, term),
            Self::Vectors(vectors, ..) => vectors.value(context, state, term),
        }
    }
}
