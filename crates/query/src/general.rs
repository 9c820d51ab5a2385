//! The strongest solutions of a query among all propositional formulas over its variables, or the weakest.
//!
//! A formula over the variables is a set of combinations of values. Each combination j has a rigid variable y_j, and the placeholder
//! is ⋁ (j ∧ y_j): for fixed y it is the disjunction of the combinations that y chooses. One evaluation gives a function of y
//! that is monotone if the placeholder occurs positively; its minimal points are the strongest solutions \[Bob09\]. If it
//! occurs negatively, the maximal points are the weakest. If `false` is a solution, it is the only strongest one: the formula
//! is then vacuous in what stands in place of the placeholder \[SV04\].
//!
//! Cost: a variable for each combination, hence the bound; and as many steps as there are combinations for each solution, of
//! which there may be exponentially many.

use crate::form::{Direction, direction};
use crate::question::{QueryError, Question};
use tertium_check::symbolic::{Reachable, SymbolicAssumption};
use tertium_dd::{Bdd, Var};
use tertium_support::{Statistics, StopReason};

/// More combinations than this are refused.
pub const MOST_COMBINATIONS: u128 = 64;

/// The strongest or weakest solutions.
#[derive(Clone, Debug)]
pub struct Extremes {
    /// Growing: these are the strongest solutions, and everything weaker than one of them is one. Shrinking: the weakest, and
    /// everything stronger is one.
    pub direction: Direction,
    /// Each as a set of codes of the copies of the placeholder.
    pub solutions: Vec<Bdd>,
    /// Whether there are more.
    pub is_cut: bool,
    /// The states that can be reached, if they were looked for.
    pub reachable: Option<Reachable>,
    /// What the answer relies on.
    pub assumptions: Vec<SymbolicAssumption>,
    /// What was counted.
    pub statistics: Statistics,
}

/// The extreme solutions that hold at every initial state, at most `most` of them.
pub fn solve_generally(question: &Question<'_>, most: usize) -> Result<Extremes, QueryError> {
    let (model, placeholder) = (question.model, question.placeholder);
    let direction = direction(question.formula, &placeholder.name);
    if direction == Direction::Neither {
        return Err(QueryError::WrongDirection(direction));
    }
    let found = placeholder.n_candidates(model);
    if found.is_none_or(|found| found > MOST_COMBINATIONS) {
        return Err(QueryError::TooMany { found, most: MOST_COMBINATIONS });
    }
    let manager = &model.manager;
    let combinations: Vec<(Var, Vec<u64>)> =
        placeholder.candidates(model).map(|codes| (manager.add_var(), codes)).collect();
    let mut function = manager.constant(false);
    for (chosen, codes) in &combinations {
        let here = placeholder.states(model, codes)?.and(&manager.var(*chosen)?)?;
        function = function.or(&here)?;
    }
    let base = question.base()?;
    let (holds, statistics) = question.with(&base, function)?;
    let current = manager.var_set(model.relation.frame().current.iter().copied())?;
    let solves = base.initial.diff(&holds)?.exists(&current)?.not();
    let variables: Vec<Var> = combinations.iter().map(|(chosen, _)| *chosen).collect();
    let mut points = Vec::new();
    let is_cut =
        extreme_points(question, &solves, &variables, direction == Direction::Growing, most, &mut points)?;
    let mut solutions = Vec::new();
    for point in points {
        let mut set = manager.constant(false);
        for ((_, codes), _) in combinations.iter().zip(point).filter(|(_, chosen)| *chosen) {
            set = set.or(&placeholder.minterm(manager, codes)?)?;
        }
        solutions.push(set);
    }
    Ok(Extremes {
        direction,
        solutions,
        is_cut,
        reachable: base.reachable,
        assumptions: base.assumptions,
        statistics,
    })
}

/// Appends the minimal points of a monotone function, or the maximal ones of an antitone one; true if there are more than `most`.
///
/// From any point that is not above a known one, variables are switched off one by one as long as the function stays true.
fn extreme_points(
    question: &Question<'_>,
    function: &Bdd,
    variables: &[Var],
    minimal: bool,
    most: usize,
    points: &mut Vec<Vec<bool>>,
) -> Result<bool, StopReason> {
    let manager = function.manager();
    let mut left = function.clone();
    while let Some(mut point) = left.pick(variables) {
        question.context.poll()?;
        if points.len() == most {
            return Ok(true);
        }
        for place in 0..variables.len() {
            if point[place] == minimal {
                point[place] = !minimal;
                let at =
                    |var: Var| variables.iter().position(|&own| own == var).is_some_and(|own| point[own]);
                if !function.eval(at) {
                    point[place] = minimal;
                }
            }
        }
        debug_assert!(
            points
                .iter()
                .all(|known| known.iter().zip(&point).any(|(known, own)| *known == minimal && own != known)),
            "an extreme point is beyond no other"
        );
        let chosen = |var: Var| variables.iter().position(|&own| own == var).is_some_and(|own| point[own]);
        debug_assert!(function.eval(chosen), "an extreme point is a solution");
        let beyond = variables.iter().zip(&point).filter(|(_, value)| **value == minimal);
        left = left.diff(&Bdd::cube(manager, beyond.map(|(&var, _)| (var, minimal)))?)?;
        points.push(point);
    }
    Ok(false)
}
