//! Types: which values may meet, and the one implicit conversion.
//!
//! Where a truth value is expected, an integer expression whose values are only 0 and 1 is read as one: old models
//! write them so. There is no conversion the other way; `toint` says it.

use super::Elaborator;
use crate::{Expr, ExprKind, Type, UnaryOp, Value};
use std::fmt::Write;
use tertium_support::{Diagnostic, Span};

/// A set or an enumeration may be written out up to this size.
pub(super) const VALUES: i128 = 1 << 16;

impl Type {
    /// The least and the greatest value, if all values are integers.
    pub(super) fn integers(&self) -> Option<(i64, i64)> {
        match self {
            Type::Range(low, high) => Some((*low, *high)),
            Type::Enumeration(values) => {
                let mut bounds: Option<(i64, i64)> = None;
                for value in values {
                    let Value::Integer(value) = *value else { return None };
                    bounds =
                        Some(bounds.map_or((value, value), |(low, high)| (low.min(value), high.max(value))));
                }
                bounds
            }
            Type::Boolean | Type::Word { .. } => None,
        }
    }

    /// Whether the values are integers and symbols.
    pub(super) fn is_scalar(&self) -> bool {
        matches!(self, Type::Range(..) | Type::Enumeration(_))
    }

    /// Whether a value belongs to it.
    pub fn contains(&self, value: Value) -> bool {
        match (self, value) {
            (Type::Boolean, Value::Boolean(_)) => true,
            (Type::Range(low, high), Value::Integer(value)) => (*low..=*high).contains(&value),
            (Type::Enumeration(values), value) => values.contains(&value),
            (Type::Word { width, signed }, Value::Word { width: w, signed: s, .. }) => {
                *width == w && *signed == s
            }
            _ => false,
        }
    }

    /// Whether some value belongs to both; exact for types of integers and symbols.
    fn meets(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Range(low, high), Type::Range(from, to)) => low <= to && from <= high,
            (Type::Enumeration(values), other) | (other, Type::Enumeration(values)) => {
                values.iter().any(|value| other.contains(*value))
            }
            _ => self == other,
        }
    }
}

impl Elaborator<'_> {
    /// The expression as a truth value.
    pub(super) fn truth(&mut self, expr: Expr) -> Option<Expr> {
        if expr.ty == Type::Boolean {
            return Some(expr);
        }
        if !expr.ty.integers().is_some_and(|(low, high)| 0 <= low && high <= 1) {
            let message = format!("a truth value is expected here, not {}", self.type_text(&expr.ty));
            return self.refuse(Diagnostic::error(expr.span, message));
        }
        let (ty, span) = (Type::Boolean, expr.span);
        let kind = match expr.kind {
            ExprKind::Constant(value) => ExprKind::Constant(Value::Boolean(value == Value::Integer(1))),
            ExprKind::Set(parts) => {
                ExprKind::Set(parts.into_iter().map(|part| self.truth(part)).collect::<Option<_>>()?)
            }
            ExprKind::Case(arms) => ExprKind::Case(
                arms.into_iter()
                    .map(|(condition, value)| Some((condition, self.truth(value)?)))
                    .collect::<Option<_>>()?,
            ),
            _ if self.is_set(&expr) => {
                let message = "a set of 0 and 1 cannot be read as truth values here";
                return self.refuse(Diagnostic::error(span, message).with_note("write {FALSE, TRUE}"));
            }
            _ => ExprKind::Unary(UnaryOp::ToBoolean, Box::new(expr)),
        };
        Some(Expr { kind, ty, span })
    }

    /// The expression, if it stands for one value.
    pub(super) fn single(&mut self, expr: Expr) -> Option<Expr> {
        if self.is_set(&expr) {
            let message = "a set cannot be an operand here";
            let note = "sets stand on the right of assignments, in `union` and beside `in`";
            return self.refuse(Diagnostic::error(expr.span, message).with_note(note));
        }
        Some(expr)
    }

    /// The expressions with a type for all of them.
    pub(super) fn unify(&mut self, exprs: Vec<Expr>) -> Option<(Vec<Expr>, Type)> {
        if exprs.iter().any(|expr| expr.ty == Type::Boolean) {
            let exprs: Vec<Option<Expr>> = exprs.into_iter().map(|expr| self.truth(expr)).collect();
            return Some((exprs.into_iter().collect::<Option<_>>()?, Type::Boolean));
        }
        let mut types = exprs.iter().map(|expr| &expr.ty);
        let mut joined = types.next().cloned()?;
        for expr in &exprs {
            match join(&joined, &expr.ty) {
                Some(ty) => joined = ty,
                None => {
                    let message = format!(
                        "{} and {} do not go together",
                        self.type_text(&joined),
                        self.type_text(&expr.ty)
                    );
                    return self.refuse(Diagnostic::error(expr.span, message));
                }
            }
        }
        Some((exprs, joined))
    }

    /// Two operands that are to be compared for equality.
    pub(super) fn comparable(&mut self, left: Expr, right: Expr, span: Span) -> Option<(Expr, Expr)> {
        if left.ty == Type::Boolean || right.ty == Type::Boolean {
            return Some((self.truth(left)?, self.truth(right)?));
        }
        if left.ty.is_scalar() && right.ty.is_scalar() {
            if !left.ty.meets(&right.ty) {
                let message = format!(
                    "the two sides are never equal: {} and {}",
                    self.type_text(&left.ty),
                    self.type_text(&right.ty)
                );
                self.complain(Diagnostic::warning(span, message));
            }
            return Some((left, right));
        }
        if left.ty == right.ty { Some((left, right)) } else { self.unlike(&left, &right, span) }
    }

    /// Complains that two operands do not go together.
    pub(super) fn unlike<T>(&mut self, left: &Expr, right: &Expr, span: Span) -> Option<T> {
        let message =
            format!("{} and {} do not go together", self.type_text(&left.ty), self.type_text(&right.ty));
        self.refuse(Diagnostic::error(span, message))
    }

    /// The value of an assignment, read with the type of the variable. Constants outside of it are refused; for the
    /// rest it is enough that some value fits.
    pub(super) fn fitting(&mut self, value: Expr, ty: &Type, variable: &str) -> Option<Expr> {
        match ty {
            Type::Boolean => self.truth(value),
            Type::Word { .. } if value.ty == *ty => Some(value),
            Type::Range(..) | Type::Enumeration(_) if value.ty.is_scalar() => {
                self.fits(&value, ty, variable, 0).then_some(value)
            }
            _ => {
                let message = format!(
                    "`{variable}` is {}, but this is {}",
                    self.type_text(ty),
                    self.type_text(&value.ty)
                );
                let mut complaint = Diagnostic::error(value.span, message);
                if value.ty == Type::Boolean && ty.integers().is_some() {
                    complaint = complaint.with_note("toint(…) makes a number of a truth value");
                }
                self.refuse(complaint)
            }
        }
    }

    fn fits(&mut self, value: &Expr, ty: &Type, variable: &str, level: u32) -> bool {
        match &value.kind {
            ExprKind::Case(arms) => arms.iter().all(|(_, value)| self.fits(value, ty, variable, level + 1)),
            ExprKind::Set(parts) => parts.iter().all(|part| self.fits(part, ty, variable, level)),
            _ if value.ty.meets(ty) => true,
            // In a case inside of another the outer one may exclude it; at the first level that would be pointless.
            ExprKind::Constant(constant) if level <= 1 => {
                let message = format!(
                    "`{}` is not a value of `{variable}`, which is {}",
                    self.value_text(*constant),
                    self.type_text(ty)
                );
                self.complain(Diagnostic::error(value.span, message));
                false
            }
            // Perhaps no state ever comes to this branch: that is seen when the model is given its meaning.
            _ if level > 0 => true,
            _ => {
                let message = format!(
                    "no value of this, which is {}, is a value of `{variable}`, which is {}",
                    self.type_text(&value.ty),
                    self.type_text(ty)
                );
                self.complain(Diagnostic::error(value.span, message));
                false
            }
        }
    }

    /// A type in words.
    pub(super) fn type_text(&self, ty: &Type) -> String {
        match ty {
            Type::Boolean => "boolean".to_owned(),
            Type::Range(low, high) if low == high => format!("the integer {low}"),
            Type::Range(low, high) => format!("the integers {low}..{high}"),
            Type::Word { width, signed: true } => format!("signed word[{width}]"),
            Type::Word { width, signed: false } => format!("unsigned word[{width}]"),
            Type::Enumeration(values) => {
                let mut text = "{".to_owned();
                for (nth, value) in values.iter().take(6).enumerate() {
                    let comma = if nth > 0 { ", " } else { "" };
                    let _ = write!(text, "{comma}{}", self.value_text(*value));
                }
                text + if values.len() > 6 { ", …}" } else { "}" }
            }
        }
    }

    fn value_text(&self, value: Value) -> String {
        crate::print::value_text(&self.symbols, value)
    }
}

/// The values of both types together.
fn join(left: &Type, right: &Type) -> Option<Type> {
    match (left, right) {
        _ if left == right => Some(left.clone()),
        (Type::Enumeration(values), Type::Enumeration(others)) => {
            let mut values = values.clone();
            let known: rustc_hash::FxHashSet<Value> = values.iter().copied().collect();
            values.extend(others.iter().copied().filter(|value| !known.contains(value)));
            Some(Type::Enumeration(values))
        }
        (Type::Range(..) | Type::Enumeration(_), Type::Range(..) | Type::Enumeration(_)) => {
            match (left.integers(), right.integers()) {
                (Some((low, high)), Some((from, to))) => Some(Type::Range(low.min(from), high.max(to))),
                _ => join(&listed(left)?, &listed(right)?),
            }
        }
        _ => None,
    }
}

/// The type with its values one by one.
fn listed(ty: &Type) -> Option<Type> {
    match ty {
        Type::Range(low, high) if i128::from(*high) - i128::from(*low) < VALUES => {
            Some(Type::Enumeration((*low..=*high).map(Value::Integer).collect()))
        }
        Type::Enumeration(_) => Some(ty.clone()),
        _ => None,
    }
}
