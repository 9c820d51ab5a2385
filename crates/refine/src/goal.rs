//! Properties that one finite run decides: `AG p` by a run to where p fails, `EF p` by a run to where p holds.

use tertium_expr::Term;
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, as_claim, is_boolean};
use tertium_program::{Program, initial_states};
use tertium_support::{Context, StopReason};
use tertium_truth::Verdict;

/// What to look for, and what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Goal {
    /// Holds where the run is to end.
    pub(crate) term: Term,
    /// Whether the run shows that the property holds; else that it fails.
    pub(crate) proves: bool,
}

impl Goal {
    /// The verdict that a run to the goal shows.
    pub(crate) fn shows(self) -> Verdict {
        if self.proves { Verdict::True } else { Verdict::False }
    }
}

/// The goal of a property, if it is of this kind. A Boolean property is not: it is about initial states, and a run
/// elsewhere shows nothing. With several initial states a run proves nothing of the others, so `EF p` has a goal only
/// if there is one; who asks has to see to that.
pub(crate) fn goal(program: &Program, formula: &Formula, propositions: &[(String, Term)]) -> Option<Goal> {
    let claim = as_claim(formula, true);
    match &claim.kind {
        FormulaKind::Path(PathQuantifier::All, PathOperator::Globally(inner)) if is_boolean(inner) => {
            Some(Goal { term: program.terms.not(term(program, inner, propositions)?), proves: false })
        }
        FormulaKind::Path(PathQuantifier::Some, PathOperator::Finally(inner)) if is_boolean(inner) => {
            Some(Goal { term: term(program, inner, propositions)?, proves: true })
        }
        _ => None,
    }
}

/// Whether the program has one initial state only: otherwise a run from one proves nothing of the others.
pub(crate) fn begins_once(context: &Context, program: &Program) -> Result<bool, StopReason> {
    let all = initial_states(context, program, 1)?;
    Ok(all.complete && all.states.len() == 1)
}

/// A Boolean formula as a term.
fn term(program: &Program, formula: &Formula, propositions: &[(String, Term)]) -> Option<Term> {
    let terms = &program.terms;
    let all = |parts: &[Formula]| {
        parts.iter().map(|part| term(program, part, propositions)).collect::<Option<Vec<_>>>()
    };
    Some(match &formula.kind {
        FormulaKind::True => terms.boolean(true),
        FormulaKind::False => terms.boolean(false),
        FormulaKind::Proposition(name) => propositions.iter().find(|(other, _)| other == name)?.1,
        FormulaKind::Not(inner) => terms.not(term(program, inner, propositions)?),
        FormulaKind::And(parts) => terms.and(all(parts)?),
        FormulaKind::Or(parts) => terms.or(all(parts)?),
        FormulaKind::Implies(left, right) => {
            terms.implies(term(program, left, propositions)?, term(program, right, propositions)?)
        }
        FormulaKind::Iff(left, right) => {
            terms.equal(term(program, left, propositions)?, term(program, right, propositions)?)
        }
        _ => return None,
    })
}
