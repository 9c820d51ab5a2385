//! Affine terms with unknown coefficients, and what is demanded of them on the cases of hops.
//!
//! That a form with unknown coefficients is at least a number wherever the rows of a case hold is itself a question of linear arithmetic:
//! by Farkas' lemma the form is then a sum of rows with multipliers that are not negative, and something left over. The multipliers are
//! unknowns like the coefficients, so that everything that is demanded is one linear system.

use crate::cases::{Case, Form};
use std::collections::BTreeMap;
use tertium_expr::{BigInt, Term, Terms};
use tertium_solve::{Comparison, LinearSystem, Sign, Unknown};

/// A sum of multiples of unknowns.
pub(crate) type Sum = BTreeMap<Unknown, BigInt>;

/// An affine term over measures: a coefficient for each, and a number.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) coefficients: Vec<Unknown>,
    pub(crate) constant: Unknown,
}

impl Template {
    /// One over so many measures.
    pub(crate) fn new(system: &mut LinearSystem, n_measures: usize) -> Self {
        let coefficients = (0..n_measures).map(|_| system.unknown(Sign::Any)).collect();
        Self { coefficients, constant: system.unknown(Sign::Any) }
    }

    /// What it is in a solution, over these measures.
    pub(crate) fn term(
        &self,
        terms: &Terms,
        measures: &[Term],
        solution: &[BigInt],
        divisor: &BigInt,
    ) -> Term {
        let parts = self.coefficients.iter().zip(measures);
        let parts =
            parts.map(|(unknown, &measure)| terms.scaled(&solution[unknown.number()] / divisor, measure));
        let constant = floor(&solution[self.constant.number()], divisor);
        terms.sum(parts.chain([terms.integer(constant)]))
    }
}

/// The quotient, rounded towards minus infinity.
fn floor(above: &BigInt, below: &BigInt) -> BigInt {
    let (quotient, rest) = (above / below, above % below);
    if rest < BigInt::ZERO { quotient - 1 } else { quotient }
}

/// A form over the columns of a case whose coefficients are sums of unknowns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbolic {
    parts: BTreeMap<Term, Sum>,
    constant: Sum,
}

fn add(sum: &mut Sum, unknown: Unknown, by: &BigInt) {
    let own = sum.entry(unknown).or_default();
    *own += by;
    if *own == BigInt::ZERO {
        sum.remove(&unknown);
    }
}

impl Symbolic {
    /// Adds a multiple of a template whose measures are these forms.
    pub(crate) fn add(&mut self, factor: i32, template: &Template, measures: &[Form]) {
        let factor = BigInt::from(factor);
        add(&mut self.constant, template.constant, &factor);
        for (&unknown, measure) in template.coefficients.iter().zip(measures) {
            add(&mut self.constant, unknown, &(&factor * &measure.constant));
            for (&column, by) in &measure.parts {
                add(self.parts.entry(column).or_default(), unknown, &(&factor * by));
            }
        }
    }

    /// Demands that it is at least a number wherever the rows of the case hold.
    pub(crate) fn demand(&self, system: &mut LinearSystem, case: &Case, at_least: i32) {
        // Rows that share no column with the form, directly or through others, cannot help: a case has a state.
        let rows = related(case, self.parts.keys().copied());
        let multipliers: Vec<Unknown> = rows
            .iter()
            .map(|(_, is_equation)| system.unknown(if *is_equation { Sign::Any } else { Sign::NotNegative }))
            .collect();
        let mut columns = self.parts.clone();
        let mut rest = self.constant.clone();
        for ((row, _), &multiplier) in rows.iter().zip(&multipliers) {
            for (&column, by) in &row.parts {
                add(columns.entry(column).or_default(), multiplier, &-by);
            }
            add(&mut rest, multiplier, &-&row.constant);
        }
        for sum in columns.values() {
            system.require(&listed(sum), Comparison::Equal, &BigInt::ZERO);
        }
        system.require(&listed(&rest), Comparison::AtLeast, &at_least.into());
    }
}

fn listed(sum: &Sum) -> Vec<(Unknown, BigInt)> {
    sum.iter().map(|(&unknown, by)| (unknown, by.clone())).collect()
}

/// The rows of a case that are about these columns, or about others that occur with them.
fn related(case: &Case, columns: impl Iterator<Item = Term>) -> Vec<&(Form, bool)> {
    let mut known: std::collections::BTreeSet<Term> = columns.collect();
    let mut rows: Vec<&(Form, bool)> = Vec::new();
    let mut others: Vec<&(Form, bool)> = case.rows.iter().collect();
    loop {
        let (near, far): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(row, _)| row.parts.keys().any(|column| known.contains(column)));
        if near.is_empty() {
            return rows;
        }
        known.extend(near.iter().flat_map(|(row, _)| row.parts.keys().copied()));
        rows.extend(near);
        others = far;
    }
}
