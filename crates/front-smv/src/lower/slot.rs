//! How variables of the flat model become variables of terms, and values become values.
//!
//! A truth value is a Boolean, a word a bit-vector of its width, a range or an enumeration of integers only an integer. Any other
//! enumeration is one of terms, with the values in their order.

use super::scalar::{Alternative, Integer, Meaning, Scalar, Symbol, Word};
use crate::{FlatModel, SymbolId, Type, Value, VarId, VarKind, value_text};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tertium_encode::diagrams::Values;
use tertium_expr::{BigInt, Enumeration, Sort, Term, Terms, Value as TermValue, Variable};
use tertium_support::Id;

/// The variables of terms that stand for a variable of the flat model.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Before a step.
    pub(super) now: Variable,
    /// After it; inputs have none.
    pub(super) next: Option<Variable>,
    pub(super) sort: Sort,
}

/// A slot for each of these variables.
pub(super) fn slots(terms: &Terms, model: &FlatModel, variables: &[VarId]) -> Vec<Slot> {
    let mut enumerations: FxHashMap<Vec<Value>, Sort> = FxHashMap::default();
    let mut slots = Vec::with_capacity(variables.len());
    for variable in variables.iter().map(|id| &model.variables[id.index()]) {
        let sort = match &variable.ty {
            Type::Enumeration(values) if !are_numbers(values) => enumerations
                .entry(values.clone())
                .or_insert_with(|| Sort::Enumeration(enumeration(model, values)))
                .clone(),
            Type::Boolean => Sort::Bool,
            Type::Range(..) | Type::Enumeration(_) => Sort::Int,
            Type::Word { width, .. } => Sort::Bits(*width),
        };
        let next = (variable.kind != VarKind::Input)
            .then(|| terms.declare(&format!("next({})", variable.name), &sort));
        slots.push(Slot { now: terms.declare(&variable.name, &sort), next, sort });
    }
    slots
}

fn enumeration(model: &FlatModel, values: &[Value]) -> Arc<Enumeration> {
    let values: Vec<String> = values.iter().map(|&value| value_text(model, value)).collect();
    Arc::new(Enumeration { name: format!("{{{}}}", values.join(", ")), values })
}

fn are_numbers(values: &[Value]) -> bool {
    values.iter().all(|value| matches!(value, Value::Integer(_)))
}

/// That a term of a slot has a value of the type.
pub(super) fn within(terms: &Terms, ty: &Type, term: Term) -> Term {
    match ty {
        Type::Range(low, high) => {
            terms.and([terms.at_most(terms.integer(*low), term), terms.at_most(term, terms.integer(*high))])
        }
        Type::Enumeration(values) if are_numbers(values) => {
            let numbers = values.iter().filter_map(|value| match value {
                Value::Integer(n) => Some(*n),
                _ => None,
            });
            among(terms, term, numbers.collect())
        }
        Type::Boolean | Type::Enumeration(_) | Type::Word { .. } => terms.boolean(true),
    }
}

/// That an integer is one of these; numbers without a gap need two comparisons only.
pub(super) fn among(terms: &Terms, term: Term, mut numbers: Vec<i64>) -> Term {
    numbers.sort_unstable();
    numbers.dedup();
    let stretches = numbers.chunk_by(|a, b| b.wrapping_sub(*a) == 1);
    terms.or(stretches.filter_map(|stretch| {
        let (low, high) = (terms.integer(*stretch.first()?), terms.integer(*stretch.last()?));
        Some(if low == high {
            terms.equal(term, low)
        } else {
            terms.and([terms.at_most(low, term), terms.at_most(term, high)])
        })
    }))
}

/// The values of a slot, in the order of their codes.
pub(super) fn values(ty: &Type, sort: &Sort) -> Values {
    match (ty, sort) {
        (Type::Boolean, _) => Values::Bool,
        (Type::Word { width, .. }, _) => Values::Bits(*width),
        (Type::Range(low, high), _) => Values::Range((*low).into(), (*high).into()),
        (Type::Enumeration(_), Sort::Enumeration(of)) => Values::Enumeration(Arc::clone(of)),
        (Type::Enumeration(values), _) => {
            let number = |value: &Value| match value {
                Value::Integer(n) => Some(BigInt::from(*n)),
                _ => None,
            };
            Values::Numbers(values.iter().filter_map(number).collect())
        }
    }
}

/// What a variable denotes.
pub(super) fn meaning(terms: &Terms, ty: &Type, sort: &Sort, variable: Variable) -> Meaning {
    let term = terms.variable(variable);
    let scalar = match (ty, sort) {
        (Type::Boolean, _) => Scalar::Boolean(term),
        (Type::Word { width, signed }, _) => {
            Scalar::Word(Word { bits: term, width: *width, signed: *signed })
        }
        (Type::Range(low, high), _) => {
            Scalar::Integer(Integer { term, low: (*low).into(), high: (*high).into() })
        }
        (Type::Enumeration(values), Sort::Enumeration(of)) => return enumerated(terms, values, of, term),
        (Type::Enumeration(values), _) => {
            let numbers = values.iter().filter_map(|value| match value {
                Value::Integer(n) => Some(i128::from(*n)),
                _ => None,
            });
            let (low, high) =
                numbers.fold((i128::MAX, i128::MIN), |(low, high), n| (low.min(n), high.max(n)));
            Scalar::Integer(Integer { term, low, high })
        }
    };
    Meaning::one(terms, scalar)
}

/// One alternative for each sort of values.
fn enumerated(terms: &Terms, values: &[Value], of: &Arc<Enumeration>, term: Term) -> Meaning {
    let mut cases: Vec<(SymbolId, Term)> = Vec::new();
    let mut others = Meaning { alternatives: Vec::new(), fault: terms.boolean(false) };
    for (index, &value) in values.iter().enumerate() {
        let constant = terms.value(&TermValue::Constant { of: Arc::clone(of), index });
        let here = terms.equal(term, constant);
        match value {
            Value::Symbol(symbol) => cases.push((symbol, here)),
            _ => others = Meaning::one(terms, Scalar::constant(terms, value)).or_else(&others, terms, here),
        }
    }
    let mut alternatives = others.alternatives;
    if !cases.is_empty() {
        cases.sort_unstable_by_key(|(symbol, _)| *symbol);
        let guard = terms.not(terms.or(alternatives.iter().map(|other| other.guard)));
        let scalar = Scalar::Symbol(Symbol { cases: cases.into(), whole: Some(term) });
        alternatives.push(Alternative { guard, scalar });
    }
    Meaning { alternatives, fault: terms.boolean(false) }
}

/// Where a scalar is not of a type.
pub(super) fn outside(terms: &Terms, ty: &Type, scalar: &Scalar) -> Term {
    match (ty, scalar) {
        (Type::Boolean, Scalar::Boolean(_)) => terms.boolean(false),
        (Type::Word { width, signed }, Scalar::Word(word))
            if *width == word.width && *signed == word.signed =>
        {
            terms.boolean(false)
        }
        (Type::Range(low, high), Scalar::Integer(number)) => {
            number.outside(terms, (*low).into(), (*high).into())
        }
        (Type::Enumeration(values), Scalar::Symbol(symbol)) => {
            let foreign = |(symbol, _): &&(SymbolId, Term)| !values.contains(&Value::Symbol(*symbol));
            terms.or(symbol.cases.iter().filter(foreign).map(|(_, here)| *here))
        }
        (Type::Enumeration(values), _) => {
            let is_one = values.iter().map(|&value| scalar.equal(&Scalar::constant(terms, value), terms));
            terms.not(terms.or(is_one))
        }
        _ => terms.boolean(true),
    }
}

/// A value of the flat model as a value of terms of this sort; `None` if it is not of the type.
pub(super) fn to_terms(ty: &Type, sort: &Sort, value: Value) -> Option<TermValue> {
    match (ty, sort, value) {
        (Type::Enumeration(values), Sort::Enumeration(of), _) => {
            let index = values.iter().position(|&other| other == value)?;
            Some(TermValue::Constant { of: Arc::clone(of), index })
        }
        (_, Sort::Bool, Value::Boolean(b)) => Some(TermValue::Bool(b)),
        (_, Sort::Int, Value::Integer(n)) => Some(TermValue::int(n)),
        (_, Sort::Bits(wanted), Value::Word { bits, width, .. }) if *wanted == width => {
            Some(TermValue::Bits { width, value: bits.into() })
        }
        _ => None,
    }
}

/// The way back; `None` if the value is not of the type.
pub(super) fn from_terms(ty: &Type, value: &TermValue) -> Option<Value> {
    let found = match (ty, value) {
        (_, TermValue::Bool(b)) => Value::Boolean(*b),
        (_, TermValue::Int(n)) => Value::Integer(i64::try_from(n.clone()).ok()?),
        (Type::Word { signed, .. }, TermValue::Bits { width, value }) => {
            Value::Word { bits: u64::try_from(*value).ok()?, width: *width, signed: *signed }
        }
        (Type::Enumeration(values), TermValue::Constant { index, .. }) => *values.get(*index)?,
        _ => return None,
    };
    crate::interpret::contains(ty, found).then_some(found)
}
