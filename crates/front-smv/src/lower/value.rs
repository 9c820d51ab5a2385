//! The one value of an expression without sets, as a term of the sort of the variable that it is assigned to.

use super::evaluate::{Evaluator, When};
use super::scalar::{Alternative, Scalar};
use super::slot;
use crate::{Expr, Type, Value, VarId};
use tertium_expr::{Sort, Term, Terms};
use tertium_support::Id;

impl Evaluator<'_> {
    /// The value of an expression as a term of the sort of a variable. Anything where it has no meaning or no value of the type.
    pub(crate) fn value(&self, id: VarId, expr: &Expr, when: When) -> Term {
        debug_assert!(!self.has_set(expr), "only expressions without sets have one value");
        let ty = &self.model.variables[id.index()].ty;
        let sort = &self.slot(id).sort;
        let meaning = self.evaluate(expr, when);
        let mut value: Option<Term> = None;
        for Alternative { guard, scalar } in meaning.alternatives.iter().rev() {
            if let Some(here) = term_of(&self.terms, ty, sort, scalar) {
                value = Some(value.map_or(here, |rest| self.terms.ite(*guard, here, rest)));
            }
        }
        value.unwrap_or_else(|| {
            let any = crate::interpret::values_of(ty).next();
            let any = any.and_then(|any| slot::to_terms(ty, sort, any)).expect("every type has a value");
            self.terms.value(&any)
        })
    }
}

/// A scalar as a term of a sort, right wherever it is of the type. Nothing if it never is.
fn term_of(terms: &Terms, ty: &Type, sort: &Sort, scalar: &Scalar) -> Option<Term> {
    match (scalar, sort) {
        (Scalar::Boolean(term), Sort::Bool) => Some(*term),
        (Scalar::Integer(number), Sort::Int) => Some(number.term),
        (Scalar::Word(word), Sort::Bits(width)) if word.width == *width => Some(word.bits),
        (Scalar::Symbol(symbol), Sort::Enumeration(_)) => {
            if let Some(whole) = symbol.whole.filter(|&whole| terms.sort(whole) == *sort) {
                return Some(whole);
            }
            let own = symbol.cases.iter().map(|&(symbol, here)| (Value::Symbol(symbol), here));
            chosen(terms, ty, sort, own)
        }
        (_, Sort::Enumeration(_)) => {
            let Type::Enumeration(values) = ty else { return None };
            let is = |&value: &Value| (value, scalar.equal(&Scalar::constant(terms, value), terms));
            chosen(terms, ty, sort, values.iter().map(is))
        }
        _ => None,
    }
}

/// The value whose condition holds, of those that are of the type.
fn chosen(terms: &Terms, ty: &Type, sort: &Sort, cases: impl Iterator<Item = (Value, Term)>) -> Option<Term> {
    let never = terms.boolean(false);
    cases.filter(|(_, here)| *here != never).fold(None, |chosen, (value, here)| {
        let Some(value) = slot::to_terms(ty, sort, value).map(|value| terms.value(&value)) else {
            return chosen;
        };
        Some(chosen.map_or(value, |rest| terms.ite(here, value, rest)))
    })
}
