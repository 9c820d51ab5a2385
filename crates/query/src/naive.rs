//! All combinations of values that solve a query, one check for each: the definition, and the oracle of the other methods.
//!
//! Cost: as many checks as there are combinations, reachable or not. They share what does not depend on the combination: the
//! reachable and the fair states, the relation made smaller by them, and the sets of sub-formulas without placeholder.

use crate::question::{Base, QueryError, Question, Solutions};
use tertium_check::symbolic::SymbolicChecker;
use tertium_dd::Bdd;
use tertium_support::Statistics;
use tertium_system::SymbolicModel;

/// More combinations than this are refused.
pub const MOST_CANDIDATES: u128 = 1_000_000;

/// Checks of one combination of values after the other.
#[derive(Debug)]
pub struct CandidateChecks<'a> {
    question: Question<'a>,
    checker: SymbolicChecker<'a>,
    base: Base,
}

impl<'a> CandidateChecks<'a> {
    /// Computes what the checks have in common. `bare` is the model of the question as [`without_placeholder`] gives it.
    pub fn new(question: &Question<'a>, bare: &'a SymbolicModel) -> Result<Self, QueryError> {
        let base = question.base()?;
        let mut checker = SymbolicChecker::new(question.context, bare, question.options);
        if let Some(reachable) = &base.reachable {
            checker = checker.knowing(reachable);
        }
        Ok(Self { question: *question, checker, base })
    }

    /// The initial states that count at which a combination of codes is a solution.
    pub fn initial_states_of(&mut self, codes: &[u64]) -> Result<Bdd, QueryError> {
        let Question { model, formula, placeholder, .. } = self.question;
        let states = placeholder.states(model, codes)?;
        let holds = self.checker.states_with(formula, &[(placeholder.name.clone(), states)])?;
        Ok(holds.and(&self.base.initial)?)
    }
}

/// The model of a question without a meaning for the placeholder.
pub fn without_placeholder(question: &Question<'_>) -> SymbolicModel {
    let mut bare = question.model.clone();
    bare.propositions.shift_remove(&question.placeholder.name);
    bare
}

/// The solutions of a query.
pub fn solve_naively(question: &Question<'_>) -> Result<Solutions, QueryError> {
    let (model, placeholder) = (question.model, question.placeholder);
    let found = placeholder.n_candidates(model);
    if found.is_none_or(|found| found > MOST_CANDIDATES) {
        return Err(QueryError::TooMany { found, most: MOST_CANDIDATES });
    }
    let bare = without_placeholder(question);
    let mut checks = CandidateChecks::new(question, &bare)?;
    let mut relation = model.manager.constant(false);
    let mut statistics = Statistics::default();
    for (n_checks, codes) in placeholder.candidates(model).enumerate() {
        question.context.poll()?;
        let holds = checks.initial_states_of(&codes)?;
        if !holds.is_false() {
            relation = relation.or(&holds.and(&placeholder.minterm(&model.manager, &codes)?)?)?;
        }
        statistics.set("checks", n_checks as u64 + 1);
    }
    let base = checks.base;
    Ok(base.solutions(relation, statistics))
}
