//! All combinations of values that solve a query, one check for each: the definition, and the oracle of the other methods.
//!
//! Cost: as many checks as there are combinations, reachable or not. The reachable states are computed once.

use crate::question::{QueryError, Question, Solutions};
use tertium_support::Statistics;

/// More combinations than this are refused.
pub const MOST_CANDIDATES: u128 = 1_000_000;

/// The solutions of a query.
pub fn solve_naively(question: &Question<'_>) -> Result<Solutions, QueryError> {
    let (model, placeholder) = (question.model, question.placeholder);
    let found = placeholder.n_candidates(model);
    if found.is_none_or(|found| found > MOST_CANDIDATES) {
        return Err(QueryError::TooMany { found, most: MOST_CANDIDATES });
    }
    let base = question.base()?;
    let mut relation = model.manager.constant(false);
    let mut statistics = Statistics::default();
    for (n_checks, codes) in placeholder.candidates(model).enumerate() {
        question.context.poll()?;
        let (holds, _) = question.with(&base, placeholder.states(model, &codes)?)?;
        if !holds.is_false() {
            relation = relation.or(&holds.and(&placeholder.minterm(&model.manager, &codes)?)?)?;
        }
        statistics.set("checks", n_checks as u64 + 1);
    }
    Ok(Solutions { initial: base.initial, relation, assumptions: base.assumptions, statistics })
}
