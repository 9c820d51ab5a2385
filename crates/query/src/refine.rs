//! Solutions variable by variable, for positive queries: what part of the variables cannot have, all of them cannot have.
//!
//! A weaker formula of a solution is a solution, so the values of some of the variables in a solution are a solution for these
//! variables. First every variable is asked about alone; then the first two together, the first three, and so on, each time only
//! about combinations whose parts were found. If one question has no solution, there is none \[Bob09\]. What comes out is what
//! one evaluation gives; diagrams can be smaller on the way. For negative queries the argument fails: they are refused.
//!
//! Cost: at most twice as many evaluations as there are variables.

use crate::form::{Direction, direction};
use crate::question::{QueryError, Question, Solutions};
use tertium_dd::Bdd;
use tertium_support::Statistics;

/// The solutions, and what was found on the way.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The solutions.
    pub solutions: Solutions,
    /// The questions that were asked, in order.
    pub stages: Vec<Stage>,
}

/// One question about some of the variables.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Which, by their numbers among the copies of the placeholder.
    pub copies: Vec<usize>,
    /// The solutions at some initial state, in the bits of these copies.
    pub candidates: Bdd,
}

/// The solutions of a query whose placeholder occurs positively.
pub fn solve_by_refinement(question: &Question<'_>) -> Result<Refined, QueryError> {
    let (model, placeholder) = (question.model, question.placeholder);
    let direction = direction(question.formula, &placeholder.name);
    if direction != Direction::Growing {
        return Err(QueryError::WrongDirection(direction));
    }
    let base = question.base()?;
    let current = model.manager.var_set(model.relation.frame().current.iter().copied())?;
    let mut statistics = Statistics::default();
    let mut stages: Vec<Stage> = Vec::new();
    let mut ask = |copies: Vec<usize>, allowed: &Bdd| -> Result<(Bdd, Bdd), QueryError> {
        let function = placeholder.equality(model, &copies)?.and(allowed)?;
        let (holds, counted) = question.with(&base, function)?;
        let relation = holds.and(&placeholder.valid(model, &copies)?)?.and(allowed)?;
        let candidates = relation.exists(&current)?;
        stages.push(Stage { copies, candidates: candidates.clone() });
        statistics = counted;
        Ok((relation, candidates))
    };
    let anything = model.manager.constant(true);
    let mut singles = Vec::new();
    let mut found = None;
    for copy in question.everything() {
        let (relation, candidates) = ask(vec![copy], &anything)?;
        let nothing = candidates.is_false();
        singles.push(candidates);
        found = Some(relation);
        if nothing {
            break;
        }
    }
    let mut relation = found.unwrap_or_else(|| model.manager.constant(false));
    if singles.len() == placeholder.copies.len() && singles.len() > 1 {
        let mut chain = singles[0].clone();
        for (k, single) in singles.iter().enumerate().skip(1) {
            if chain.is_false() || single.is_false() {
                relation = model.manager.constant(false);
                break;
            }
            let allowed = chain.and(single)?;
            (relation, chain) = ask((0..=k).collect(), &allowed)?;
        }
    }
    statistics.set("questions", stages.len() as u64);
    let solutions = base.solutions(relation, statistics);
    Ok(Refined { solutions, stages })
}
