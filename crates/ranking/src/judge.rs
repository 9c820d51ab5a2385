//! What a rank does on a hop, asked of a solver.
//!
//! Cost: at most three questions. Where the solver gives up, the rank does not fall and may grow: a proof can only get weaker by that.

use crate::Relation;
use tertium_expr::{Term, Terms};
use tertium_solve::{Answer, Prover};
use tertium_support::{Context, StopReason};

/// What a rank does on a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is not negative before, and smaller after.
    Falls,
    /// It is at most what it was.
    DoesNotGrow,
    /// Perhaps it grows.
    MayGrow,
}

/// What a rank does on a hop, where it is `before` at the source and `after` at the target, both over the variables there.
pub fn judge(
    context: &Context,
    terms: &Terms,
    prover: &mut Prover<'_>,
    relation: &Relation,
    before: Term,
    after: Term,
) -> Result<Change, StopReason> {
    let then = relation.after(terms, after);
    let mut excluded = |condition: Term| {
        if terms.as_bool(condition) == Some(false) {
            return Ok(true);
        }
        let together = relation.given.iter().copied().chain([condition]);
        prover.check(context, terms, together).unless_stopped().map(|answer| answer == Answer::Unsatisfiable)
    };
    if !excluded(terms.less(before, then))? {
        return Ok(Change::MayGrow);
    }
    let stays = terms.equal(before, then);
    let negative = terms.less(before, terms.integer(0));
    Ok(if excluded(stays)? && excluded(negative)? { Change::Falls } else { Change::DoesNotGrow })
}
