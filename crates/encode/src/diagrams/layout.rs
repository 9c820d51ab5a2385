//! Which bits stand for which variable.

use super::circuit::{self, Made};
use super::{Integer, Values};
use crate::diagrams::Denotation;
use rustc_hash::FxHashMap;
use tertium_dd::{Bdd, Manager, Var};
use tertium_expr::Variable;
use tertium_support::Id;

/// A variable of terms as bits.
#[derive(Clone, Debug)]
pub struct Finite {
    /// Its values.
    pub values: Values,
    /// The bits of its code, the lowest first.
    pub bits: Vec<Var>,
}

impl Finite {
    /// The bits as functions.
    pub fn code(&self, manager: &Manager) -> Made<Vec<Bdd>> {
        self.bits.iter().map(|&bit| manager.var(bit)).collect()
    }

    /// Where the code stands for a value.
    pub fn valid(&self, manager: &Manager) -> Made<Bdd> {
        let code = self.code(manager)?;
        let last = circuit::constant(manager, self.values.last_code().into(), code.len());
        Ok(circuit::less_unsigned(manager, &last, &code)?.not())
    }

    /// What the variable is, as a function of its bits. Anything where the code stands for no value.
    pub(super) fn denotation(&self, manager: &Manager) -> Made<Denotation> {
        let mut code = self.code(manager)?;
        Ok(match &self.values {
            Values::Bool => Denotation::Truth(code.swap_remove(0)),
            Values::Enumeration(_) | Values::Bits(_) => Denotation::Bits(code),
            Values::Range(low, _) => {
                Denotation::Number(Integer::unsigned(manager, &code).add(&Integer::constant(manager, low))?)
            }
            Values::Numbers(numbers) => Denotation::Number(number_of(manager, numbers, &code)?),
        })
    }
}

/// The number with a code: a choice by each bit, from the highest. Codes beyond the last stand for some of the numbers.
fn number_of(manager: &Manager, numbers: &[tertium_expr::BigInt], code: &[Bdd]) -> Made<Integer> {
    let [lower @ .., highest] = code else { return Ok(Integer::constant(manager, &numbers[0])) };
    let half = 1usize << lower.len();
    let (low, high) = numbers.split_at(half.min(numbers.len()));
    if high.is_empty() {
        return number_of(manager, low, lower);
    }
    number_of(manager, high, lower)?.or_else(&number_of(manager, low, lower)?, highest)
}

/// The bits of variables of terms.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    finite: FxHashMap<Variable, Finite>,
}

impl Layout {
    /// No variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says which bits stand for a variable, as many as its codes have.
    pub fn insert(&mut self, variable: Variable, finite: Finite) {
        debug_assert_eq!(finite.bits.len(), finite.values.width(), "codes have a fixed width");
        self.finite.insert(variable, finite);
    }

    /// The bits of a variable, if it has any.
    pub fn get(&self, variable: Variable) -> Option<&Finite> {
        self.finite.get(&variable)
    }

    /// The variables with bits, in the order of their declaration.
    pub fn variables(&self) -> Vec<Variable> {
        let mut variables: Vec<Variable> = self.finite.keys().copied().collect();
        variables.sort_unstable_by_key(|variable| variable.index());
        variables
    }
}
