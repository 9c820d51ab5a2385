//! Which bits stand for which variable.

use super::circuit::{self, Made};
use super::{Array, Denotation, Elements, Form, Integer, Values, conjoin};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use tertium_dd::{Bdd, Manager, Var};
use tertium_expr::Variable;
use tertium_support::Id;

/// A variable of terms as bits, or an element of one.
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

/// A variable of terms as bits, place by place.
#[derive(Clone, Debug)]
pub enum Placed {
    /// It has one place.
    One(Finite),
    /// It is an array; an element for each of its indices, in their order.
    Array(Arc<Elements>, Vec<Placed>),
}

impl From<Finite> for Placed {
    fn from(finite: Finite) -> Self {
        debug_assert_eq!(finite.bits.len(), finite.values.width(), "codes have a fixed width");
        Self::One(finite)
    }
}

impl Placed {
    /// A variable of a form, with the bits that are given for the values of each place in turn.
    pub fn new(form: &Form, bits: &mut dyn FnMut(&Values) -> Vec<Var>) -> Self {
        match form {
            Form::One(values) => Finite { values: values.clone(), bits: bits(values) }.into(),
            Form::Array(own) => {
                let elements = own.indices.iter().map(|_| Self::new(&own.element, bits));
                Self::Array(Arc::clone(own), elements.collect())
            }
        }
    }

    /// Its places.
    pub fn places(&self) -> Vec<&Finite> {
        match self {
            Self::One(finite) => vec![finite],
            Self::Array(_, elements) => elements.iter().flat_map(Self::places).collect(),
        }
    }

    /// The bits of all places.
    pub fn bits(&self) -> Vec<Var> {
        self.places().into_iter().flat_map(|place| place.bits.iter().copied()).collect()
    }

    /// Where all codes stand for values.
    pub fn valid(&self, manager: &Manager) -> Made<Bdd> {
        let parts = self.places().into_iter().map(|place| place.valid(manager));
        conjoin(manager, &parts.collect::<Made<Vec<Bdd>>>()?)
    }

    /// What the variable is, as a function of its bits. Anything where a code stands for no value.
    pub(super) fn denotation(&self, manager: &Manager) -> Made<Denotation> {
        match self {
            Self::One(finite) => finite.denotation(manager),
            Self::Array(form, elements) => {
                let each = form.indices.iter().zip(elements);
                let each = each.map(|(at, own)| Ok((at.clone(), own.denotation(manager)?)));
                let elements = each.collect::<Made<BTreeMap<_, _>>>()?;
                let elsewhere = form.elsewhere.as_ref().map(|value| {
                    Denotation::constant(manager, value).expect("a value of a form has few indices")
                });
                Ok(Denotation::Array(Rc::new(Array::listed(elements, elsewhere))))
            }
        }
    }
}

/// The bits of variables of terms.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    placed: FxHashMap<Variable, Placed>,
}

impl Layout {
    /// No variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says which bits stand for a variable, as many as its codes have.
    pub fn insert(&mut self, variable: Variable, placed: impl Into<Placed>) {
        self.placed.insert(variable, placed.into());
    }

    /// The bits of a variable, if it has any.
    pub fn get(&self, variable: Variable) -> Option<&Placed> {
        self.placed.get(&variable)
    }

    /// The variables with bits, in the order of their declaration.
    pub fn variables(&self) -> Vec<Variable> {
        let mut variables: Vec<Variable> = self.placed.keys().copied().collect();
        variables.sort_unstable_by_key(|variable| variable.index());
        variables
    }
}
