//! Judges a set of states that is said to be inductive and to imply a claim.
//!
//! Every obligation is one question to a solver without memory of the others, asked with growing patience or with all at once. A solver
//! that gives up leaves the obligation open, and so does a limit: the set then does not stand, and neither does it fail.

use crate::obligation::{Obligation, Question, obligations};
use crate::patience::Patience;
use tertium_expr::{Term, Terms};
use tertium_program::{DefinedSet, Predicate, TermSystem};
use tertium_solve::{Answer, Model, Solver, Z3};
use tertium_support::{Context, StopReason};

/// What the judge says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// All obligations were shown.
    Stands,
    /// An obligation fails.
    Fails {
        /// Which.
        obligation: Obligation,
        /// A state, or a step, at which it does; missing if its values cannot be told.
        model: Option<Model>,
    },
    /// The set is not one of states of the system: its definitions are circular, or read something else.
    Malformed,
    /// The solver did not answer this.
    GaveUp(Obligation),
    /// A limit of the run was reached. Nothing is said about the set.
    Stopped(StopReason),
}

/// Whether a set, together with what the system demands of every state, holds all initial states, is left by no step, and
/// implies the claim.
pub fn check_inductive(
    context: &Context,
    terms: &Terms,
    system: &TermSystem,
    set: &DefinedSet,
    claim: &Predicate,
    patience: Patience,
) -> Finding {
    if !set.is_well_formed(terms, system) {
        return Finding::Malformed;
    }
    all_shown(context, terms, &obligations(terms, system, set, claim), patience)
}

/// Asks one question after the other until one is not answered by "no".
fn all_shown(context: &Context, terms: &Terms, questions: &[Question], patience: Patience) -> Finding {
    for question in questions {
        let obligation = question.obligation;
        match ask(context, terms, &question.with_equations(terms), patience) {
            Ok(None) => {}
            Ok(Some(model)) => return Finding::Fails { obligation, model },
            Err(None) => return Finding::GaveUp(obligation),
            Err(Some(reason)) => return Finding::Stopped(reason),
        }
    }
    Finding::Stands
}

/// Whether terms cannot hold together: nothing, or how they can. If that is not known, why not: nothing if the solver gave up.
fn ask(
    context: &Context,
    terms: &Terms,
    together: &[Term],
    patience: Patience,
) -> Result<Option<Option<Model>>, Option<StopReason>> {
    if together.iter().any(|&part| terms.as_bool(part) == Some(false)) {
        return Ok(None);
    }
    // What has products of variables is assumed instead of asserted: solvers are given less time for such assumptions.
    let (assumed, asserted): (Vec<Term>, Vec<Term>) =
        together.iter().copied().partition(|&part| terms.is_nonlinear(part));
    for steps in patience.tries() {
        context.poll().map_err(Some)?;
        let mut solver = Z3::with_steps(steps);
        asserted.iter().for_each(|&part| solver.assert(terms, part));
        // The solver counts its work, and waits if the share in it is used up.
        match solver.check(context, terms, &assumed) {
            Answer::Unsatisfiable => return Ok(None),
            Answer::Satisfiable => return Ok(Some(solver.model(terms))),
            Answer::GaveUp => {}
            Answer::Stopped(reason) => return Err(Some(reason)),
        }
    }
    Err(context.poll().err())
}
