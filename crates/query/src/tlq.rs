//! All combinations of values that solve a query, by one evaluation of the formula \[Bob09\].
//!
//! With rigid copies x for the placeholder the set of the formula is a relation between states and values of x: (s, x) is in it
//! iff the formula holds at s with the conjunction "the variables have the values x" for the placeholder. That is so for fixed x,
//! so the polarity of the placeholder does not matter. Cost: that of one symbolic check with the bits of the
//! placeholder more; in the worst case as much as one check for each combination.

use crate::question::{QueryError, Question, Solutions};

/// The solutions of a query.
pub fn solve(question: &Question<'_>) -> Result<Solutions, QueryError> {
    let base = question.base()?;
    let all = question.everything();
    let function = question.placeholder.equality(question.model, &all)?;
    let (holds, statistics) = question.with(&base, function)?;
    let relation = holds.and(&question.placeholder.valid(question.model, &all)?)?;
    Ok(base.solutions(relation, statistics))
}
