//! Queries about explicit systems column by column, for positive queries.
//!
//! With fewer columns the placeholder is weaker, so a combination is refuted if some part of it is. First every column is asked
//! about alone, then the first two together, the first three, and so on, each time only about combinations whose parts were not refuted
//! \[Bob09\]. What comes out is what one pass gives.

use super::question::{ExplicitQuestion, ExplicitSolutions};
use crate::form::{Direction, direction};
use crate::question::QueryError;
use tertium_dd::Bdd;

impl ExplicitQuestion<'_> {
    /// The solutions of a query whose placeholder occurs positively.
    pub fn solve_by_refinement(&self) -> Result<ExplicitSolutions, QueryError> {
        let direction = direction(self.formula, self.placeholder);
        if direction != Direction::Growing {
            return Err(QueryError::WrongDirection(direction));
        }
        let mut allowed = self.manager.constant(true);
        let (mut runs, mut n_instances) = (0, 0);
        let mut left = |solutions: &ExplicitSolutions| -> Result<Bdd, QueryError> {
            runs += 1;
            n_instances += solutions.n_instances;
            let somewhere = solutions.at_some()?;
            Ok(somewhere.definite.or(&somewhere.possible)?)
        };
        // Where the propositions of each column begin.
        let mut starts = vec![0];
        for column in &self.columns {
            starts.push(starts[starts.len() - 1] + column.bits.len());
        }
        if self.columns.len() > 1 {
            for (at, column) in self.columns.iter().enumerate() {
                let single = &self.propositions[starts[at]..starts[at + 1]];
                let solutions = self.solve_among(single, &self.valid(std::slice::from_ref(column))?)?;
                allowed = allowed.and(&left(&solutions)?)?;
            }
        }
        let mut chain = self.valid(&self.columns)?;
        for &end in starts.iter().take(self.columns.len()).skip(2) {
            let (prefix, others) = self.propositions.split_at(end);
            let others = self.manager.var_set(others.iter().map(|&(_, var)| var))?;
            let among = chain.and(&allowed)?.exists(&others)?;
            chain = chain.and(&left(&self.solve_among(prefix, &among)?)?)?;
        }
        let mut solutions = self.solve_among(&self.propositions, &chain.and(&allowed)?)?;
        left(&solutions)?;
        (solutions.runs, solutions.n_instances) = (runs, n_instances);
        Ok(solutions)
    }
}
