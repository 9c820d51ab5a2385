//! Queries about explicit systems proposition by proposition, for positive queries.
//!
//! With fewer propositions the placeholder is weaker, so a combination is refuted if some part of it is. First every proposition is asked
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
        if self.propositions.len() > 1 {
            for single in &self.propositions {
                let solutions =
                    self.solve_among(std::slice::from_ref(single), &self.manager.constant(true))?;
                allowed = allowed.and(&left(&solutions)?)?;
            }
        }
        let mut chain = self.manager.constant(true);
        for n in 2..self.propositions.len() {
            let prefix = &self.propositions[..n];
            let others = self.manager.var_set(self.propositions[n..].iter().map(|&(_, var)| var))?;
            let among = chain.and(&allowed.exists(&others)?)?;
            chain = left(&self.solve_among(prefix, &among)?)?;
        }
        let mut solutions = self.solve_among(&self.propositions, &chain.and(&allowed)?)?;
        left(&solutions)?;
        (solutions.runs, solutions.n_instances) = (runs, n_instances);
        Ok(solutions)
    }
}
