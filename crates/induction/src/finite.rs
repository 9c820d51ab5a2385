//! The judge of inductive sets over finite domains: every obligation as clauses for a propositional solver.
//!
//! It answers as [`crate::check_inductive`] does, at a price that small models can pay: no context of Z3, and one translation that all
//! questions share. What it may cost is given in units of work. Out of them, or of what can be said in clauses, it gives up. Whether a
//! set is inductive and whether it implies a claim are two questions, so that one set can serve many claims.

use crate::check::Finding;
use crate::obligation::{Obligation, Question, claims, inductive};
use tertium_expr::Terms;
use tertium_program::{DefinedSet, Predicate, TermSystem};
use tertium_solve::{Answer, Bits, FiniteQuestion};
use tertium_support::Context;

/// Whether a set, together with what the system demands of every state, holds all initial states and is left by no step; and whether no
/// initial state and no step from the set is without meaning. With what that cost.
pub fn judge_inductive(
    context: &Context,
    terms: &Terms,
    system: &TermSystem,
    set: &DefinedSet,
    budget: u64,
) -> (Finding, u64) {
    if !set.is_well_formed(terms, system) {
        return (Finding::Malformed, 0);
    }
    let mut questions = inductive(terms, system, set);
    // The long question goes first: it needs fewer clauses about the set than the one about initial states leaves behind.
    questions.sort_by_key(|question| question.obligation == Obligation::Begins);
    debug_assert!(
        questions.last().is_some_and(|last| last.obligation == Obligation::Begins),
        "the short question goes last"
    );
    judge(context, terms, &questions, budget)
}

/// Whether a set, together with what the system demands of every state, implies a claim. With what that cost.
pub fn judge_claim(
    context: &Context,
    terms: &Terms,
    system: &TermSystem,
    set: &DefinedSet,
    claim: &Predicate,
    budget: u64,
) -> (Finding, u64) {
    if !set.is_well_formed(terms, system) {
        return (Finding::Malformed, 0);
    }
    judge(context, terms, &[claims(terms, system, set, claim)], budget)
}

fn judge(context: &Context, terms: &Terms, questions: &[Question], budget: u64) -> (Finding, u64) {
    let mut bits = Bits::new(budget);
    questions.iter().for_each(|question| bits.announce(terms, &question.together));
    for Question { obligation, together, defined } in questions {
        let finding = match bits.check(context, terms, FiniteQuestion { defined, together }) {
            Answer::Unsatisfiable => continue,
            Answer::Satisfiable => Finding::Fails { obligation: *obligation, model: Some(bits.model()) },
            Answer::GaveUp => Finding::GaveUp(*obligation),
            Answer::Stopped(reason) => Finding::Stopped(reason),
        };
        return (finding, bits.work());
    }
    (Finding::Stands, bits.work())
}
