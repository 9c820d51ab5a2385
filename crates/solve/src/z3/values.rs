//! Z3's values to ours.

use super::translate::Translation;
use crate::Model;
use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_expr::{BigInt, Sort, Terms, Value};
use z3::ast::{Ast, Dynamic};
use z3::{AstKind, DeclKind};

impl Translation {
    /// The values of all variables, if each can be told: what is left out would be taken for anything.
    pub(super) fn model(&self, terms: &Terms, model: &z3::Model) -> Option<Model> {
        let mut values = Vec::new();
        for (&variable, constant) in &self.variables {
            // Without completion, what does not matter stays itself.
            let value = model.eval(constant, false)?;
            if value.ast_eq(constant.clone()) {
                continue;
            }
            values.push((variable, self.value(&terms.sort_of(variable), &value)?));
        }
        Some(Model::new(values))
    }

    fn value(&self, sort: &Sort, value: &Dynamic) -> Option<Value> {
        match sort {
            Sort::Bool => Some(Value::Bool(value.as_bool()?.as_bool()?)),
            Sort::Int => {
                let int = value.as_int()?;
                let small = int.as_i64().map(BigInt::from).or_else(|| int.as_i128().map(BigInt::from));
                small.or_else(|| written(&int.to_string())).map(Value::Int)
            }
            Sort::Bits(width) => {
                let bits = value.as_bv()?;
                let number = match bits.as_u64() {
                    Some(number) => u128::from(number),
                    None => hexadecimal(&bits.to_string())?,
                };
                Some(Value::Bits { width: *width, value: number })
            }
            Sort::Enumeration(of) => {
                let (_, constants) = self.enumerations.get(of)?;
                let index = constants.iter().position(|constant| constant.ast_eq(value.clone()))?;
                Some(Value::Constant { of: Arc::clone(of), index })
            }
            Sort::Array(index, element) => {
                let mut stores = Vec::new();
                let mut array = value.clone();
                let rest = loop {
                    // A function may also come as a lambda, which has no operands.
                    if array.kind() != AstKind::App {
                        return None;
                    }
                    let children = array.children();
                    match (array.safe_decl().ok()?.kind(), &children[..]) {
                        (DeclKind::Store, [inner, at, new]) => {
                            stores.push((self.value(index, at)?, self.value(element, new)?));
                            array = inner.clone();
                        }
                        (DeclKind::ConstArray, [rest]) => break self.value(element, rest)?,
                        _ => return None,
                    }
                };
                // The outermost store counts, so it comes last.
                let entries: BTreeMap<Value, Value> = stores.into_iter().rev().collect();
                Some(Value::array(Arc::clone(index), rest, entries))
            }
        }
    }
}

/// A number as Z3 writes it: digits, or `(- digits)`.
fn written(text: &str) -> Option<BigInt> {
    match text.strip_prefix("(- ") {
        Some(rest) => rest.strip_suffix(')')?.parse::<BigInt>().ok().map(|number| -number),
        None => text.parse().ok(),
    }
}

/// `#xff` or `#b11`
fn hexadecimal(text: &str) -> Option<u128> {
    match text.strip_prefix("#x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => u128::from_str_radix(text.strip_prefix("#b")?, 2).ok(),
    }
}
