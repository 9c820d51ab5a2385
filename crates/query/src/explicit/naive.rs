//! Queries about explicit systems by one check for each combination of values: the definition, and the oracle.

use super::question::{ExplicitQuestion, ExplicitSolutions};
use super::vacuity::settled;
use crate::cubes::{Column, Cube};
use crate::naive::MOST_CANDIDATES;
use crate::question::QueryError;
use tertium_check::{Record, Semantics, Settings, check};
use tertium_dd::Bdd;
use tertium_logic::{Formula, FormulaKind};

impl ExplicitQuestion<'_> {
    /// The solutions, combination by combination.
    pub fn solve_naively(&self) -> Result<ExplicitSolutions, QueryError> {
        let sizes = self.columns.iter().map(|column| u128::from(column.last_code) + 1);
        let found = sizes.into_iter().try_fold(1u128, u128::checked_mul);
        if found.is_none_or(|found| found > MOST_CANDIDATES) {
            return Err(QueryError::TooMany { found, most: MOST_CANDIDATES });
        }
        let system = self.prepared.system();
        let settings = Settings { semantics: Semantics::Sis, record: Record::Values };
        let mut classes = Vec::new();
        let mut values = vec![Vec::new(); system.initial().len()];
        for codes in Cube(vec![None; self.columns.len()]).tuples(&self.columns) {
            let bits = |(column, code): (&Column, &u64)| {
                let code = *code;
                (0..column.bits.len()).map(move |place| code >> place & 1 == 1)
            };
            let example: Vec<bool> = self.columns.iter().zip(&codes).flat_map(bits).collect();
            let literals = self.propositions.iter().zip(&example).map(|(&(prop, _), &value)| {
                let literal = Formula::proposition(system.labels().names().name(prop));
                if value { literal } else { literal.negated() }
            });
            let formula = with(self.formula, self.placeholder, &Formula::all(literals.collect()));
            let outcome = check(self.context, self.prepared, &formula, &settings);
            settled(outcome.verdict)?;
            values.iter_mut().zip(outcome.values).for_each(|(values, (_, value))| values.push(value));
            let literals = self.propositions.iter().zip(&example).map(|(&(_, var), &value)| (var, value));
            let members = Bdd::cube(&self.manager, literals)?;
            classes.push(members);
        }
        let (manager, initial) = (self.manager.clone(), system.initial().to_vec());
        let runs = classes.len();
        Ok(ExplicitSolutions { manager, initial, classes, values, n_instances: runs, runs })
    }
}

/// The formula with another one for a proposition.
fn with(formula: &Formula, placeholder: &str, replacement: &Formula) -> Formula {
    match &formula.kind {
        FormulaKind::Proposition(name) if name == placeholder => replacement.clone(),
        _ => formula.map_children(|child| with(child, placeholder, replacement)),
    }
}
