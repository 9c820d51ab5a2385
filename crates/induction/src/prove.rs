//! Claims that are inductive as they are written.

use crate::check::{Finding, check_inductive};
use crate::obligation::Obligation;
use crate::patience::Patience;
use tertium_expr::Terms;
use tertium_program::{DefinedSet, Predicate, TermSystem};
use tertium_solve::Model;
use tertium_support::{Context, StopReason};

/// What came of an attempt to prove a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The claim holds in every reachable state.
    Proved {
        /// With what the system demands of every state: where the system begins, stays, and where the claim holds.
        set: DefinedSet,
    },
    /// A reachable state violates the claim, with inputs of their domains if it reads some. That refutes an invariant; whether it
    /// refutes a formula about fair or infinite paths is another question.
    Violated {
        /// The values of the variables and inputs of the system along a run to it, state by state; missing if they cannot be told. A
        /// variable without a value can have any.
        run: Option<Vec<Model>>,
    },
    /// The claim is not inductive, or the model has no meaning somewhere: it may hold or not.
    NotInductive {
        /// What fails.
        obligation: Obligation,
        /// Where.
        model: Option<Model>,
    },
    /// The solver did not answer this.
    GaveUp(Obligation),
    /// A limit of the run was reached.
    Stopped(StopReason),
}

/// Tries the claim itself as an inductive set: one step of induction, a few questions to the solver.
pub fn prove_as_written(
    context: &Context,
    terms: &Terms,
    system: &TermSystem,
    claim: &Predicate,
    patience: Patience,
) -> Proof {
    let set = DefinedSet::plain(claim.certain(terms));
    match check_inductive(context, terms, system, &set, claim, patience) {
        Finding::Stands => Proof::Proved { set },
        Finding::Fails { obligation: Obligation::Begins, model } => match model {
            // Without a meaning the claim is not violated.
            Some(model) if model.satisfies(terms, claim.fault) != Some(false) => {
                Proof::NotInductive { obligation: Obligation::Claims, model: Some(model) }
            }
            model => Proof::Violated { run: model.map(|model| vec![model]) },
        },
        Finding::Fails { obligation, model } => Proof::NotInductive { obligation, model },
        Finding::Malformed => unreachable!("claims are about the system"),
        Finding::GaveUp(obligation) => Proof::GaveUp(obligation),
        Finding::Stopped(reason) => Proof::Stopped(reason),
    }
}
