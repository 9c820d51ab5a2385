//! Terms as text. What is printed parses back to the same term.
//!
//! Comparisons are turned so that what is subtracted stands on the other side: `x - y <= -1` is printed as `x < y`.

use crate::{BitOperation, Sort, Term, TermKind, Terms, Variable};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::fmt;

/// How tightly what is printed binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Quantifier,
    Iff,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Prefix,
    Atom,
}

/// A term that can be displayed.
pub struct Printed<'a> {
    terms: &'a Terms,
    term: Term,
}

impl Terms {
    /// The term as text.
    pub fn print(&self, term: Term) -> Printed<'_> {
        Printed { terms: self, term }
    }
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.terms.write(f, self.term, Binding::Quantifier)
    }
}

impl Terms {
    /// Writes a term where something that binds at least as tightly is expected.
    fn write(&self, f: &mut fmt::Formatter<'_>, term: Term, least: Binding) -> fmt::Result {
        let kind = self.kind(term);
        let binding = self.binding(&kind);
        if binding < least {
            f.write_str("(")?;
        }
        match &kind {
            TermKind::Not(inner) => self.write_negation(f, *inner)?,
            TermKind::And(parts) => self.write_chain(f, parts, " && ", Binding::Comparison)?,
            TermKind::Or(parts) => self.write_chain(f, parts, " || ", Binding::And)?,
            TermKind::AtMost(form, bound) => self.write_bound(f, *form, bound, false)?,
            TermKind::Exactly(form, value) => self.write_value(f, *form, value, " = ")?,
            TermKind::Equal(left, right) => {
                let truths = self.sort(*left) == Sort::Bool;
                let (operator, inner) = if truths { (" <-> ", Binding::Or) } else { (" = ", Binding::Sum) };
                let (left, right) = self.constant_last(*left, *right);
                self.write(f, left, inner)?;
                f.write_str(operator)?;
                self.write(f, right, inner)?;
            }
            TermKind::Sum(constant, parts) => self.write_sum(f, constant, parts)?,
            TermKind::Product(factors) => self.write_chain(f, factors, "*", Binding::Prefix)?,
            TermKind::Divide(inner, divisor) => {
                self.write(f, *inner, Binding::Prefix)?;
                write!(f, " / {divisor}")?;
            }
            TermKind::Modulo(inner, divisor) => {
                self.write(f, *inner, Binding::Prefix)?;
                write!(f, " mod {divisor}")?;
            }
            TermKind::ForAll(variables, body) => self.write_quantified(f, "forall", variables, *body)?,
            _ => self.write_atom(f, &kind)?,
        }
        if binding < least {
            f.write_str(")")?;
        }
        Ok(())
    }

    /// `pc = idle` reads better than `idle = pc`.
    fn constant_last(&self, left: Term, right: Term) -> (Term, Term) {
        if self.as_value(left).is_some() { (right, left) } else { (left, right) }
    }

    fn write_atom(&self, f: &mut fmt::Formatter<'_>, kind: &TermKind) -> fmt::Result {
        match kind {
            TermKind::Bool(value) => write!(f, "{value}"),
            TermKind::Int(value) => write!(f, "{value}"),
            TermKind::Bits(width, value) => write!(f, "{width}'d{value}"),
            TermKind::Constant(of, index) => f.write_str(&of.values[*index]),
            TermKind::Variable(variable) => f.write_str(&self.name(*variable)),
            TermKind::If(condition, then, otherwise) => {
                f.write_str("(")?;
                self.write(f, *condition, Binding::Iff)?;
                f.write_str(" ? ")?;
                self.write(f, *then, Binding::Iff)?;
                f.write_str(" : ")?;
                self.write(f, *otherwise, Binding::Iff)?;
                f.write_str(")")
            }
            TermKind::Bitwise(operation, operands) => {
                match operation {
                    BitOperation::Extract(high, low) => write!(f, "extract({high}, {low}, ")?,
                    BitOperation::ExtendZeros(more) => write!(f, "zero_extend({more}, ")?,
                    BitOperation::ExtendSign(more) => write!(f, "sign_extend({more}, ")?,
                    _ => {
                        let named = BitOperation::NAMED.iter().find(|(other, _)| other == operation);
                        write!(f, "{}(", named.expect("all others have a name").1)?;
                    }
                }
                self.write_chain(f, operands, ", ", Binding::Iff)?;
                f.write_str(")")
            }
            TermKind::Select(array, index) => {
                self.write(f, *array, Binding::Atom)?;
                f.write_str("[")?;
                self.write(f, *index, Binding::Iff)?;
                f.write_str("]")
            }
            TermKind::Store(array, index, element) => {
                f.write_str("store(")?;
                self.write_chain(f, &[*array, *index, *element], ", ", Binding::Iff)?;
                f.write_str(")")
            }
            TermKind::Everywhere(index, element) => {
                write!(f, "everywhere({index}, ")?;
                self.write(f, *element, Binding::Iff)?;
                f.write_str(")")
            }
            _ => unreachable!("operators are written elsewhere"),
        }
    }

    fn binding(&self, kind: &TermKind) -> Binding {
        match kind {
            TermKind::ForAll(..) => Binding::Quantifier,
            TermKind::Or(_) => Binding::Or,
            TermKind::And(_) => Binding::And,
            TermKind::Equal(left, _) if self.sort(*left) == Sort::Bool => Binding::Iff,
            TermKind::Equal(..) | TermKind::AtMost(..) | TermKind::Exactly(..) => Binding::Comparison,
            TermKind::Not(inner) => match self.kind(*inner) {
                TermKind::AtMost(..) | TermKind::Exactly(..) => Binding::Comparison,
                TermKind::ForAll(..) => Binding::Quantifier,
                TermKind::Equal(left, _) if self.sort(left) != Sort::Bool => Binding::Comparison,
                _ => Binding::Prefix,
            },
            TermKind::Sum(constant, parts) if constant.is_zero() && parts.len() == 1 => Binding::Product,
            TermKind::Sum(..) => Binding::Sum,
            TermKind::Product(_) | TermKind::Divide(..) | TermKind::Modulo(..) => Binding::Product,
            TermKind::Int(value) if value.is_negative() => Binding::Sum,
            _ => Binding::Atom,
        }
    }

    fn write_chain(
        &self,
        f: &mut fmt::Formatter<'_>,
        parts: &[Term],
        between: &str,
        least: Binding,
    ) -> fmt::Result {
        for (n, &part) in parts.iter().enumerate() {
            if n > 0 {
                f.write_str(between)?;
            }
            self.write(f, part, least)?;
        }
        Ok(())
    }

    fn write_quantified(
        &self,
        f: &mut fmt::Formatter<'_>,
        quantifier: &str,
        variables: &[Variable],
        body: Term,
    ) -> fmt::Result {
        write!(f, "{quantifier} ")?;
        for (n, &variable) in variables.iter().enumerate() {
            let comma = if n > 0 { ", " } else { "" };
            write!(f, "{comma}{}: {}", self.name(variable), self.sort_of(variable))?;
        }
        f.write_str(". ")?;
        self.write(f, body, Binding::Quantifier)
    }

    fn write_negation(&self, f: &mut fmt::Formatter<'_>, inner: Term) -> fmt::Result {
        match self.kind(inner) {
            TermKind::AtMost(form, bound) => self.write_bound(f, form, &bound, true),
            TermKind::Exactly(form, value) => self.write_value(f, form, &value, " != "),
            TermKind::ForAll(variables, body) => {
                self.write_quantified(f, "exists", &variables, self.not(body))
            }
            TermKind::Equal(left, right) if self.sort(left) != Sort::Bool => {
                let (left, right) = self.constant_last(left, right);
                self.write(f, left, Binding::Sum)?;
                f.write_str(" != ")?;
                self.write(f, right, Binding::Sum)
            }
            _ => {
                f.write_str("!")?;
                self.write(f, inner, Binding::Prefix)
            }
        }
    }

    /// `form <= bound`, or `form > bound` if negated.
    fn write_bound(
        &self,
        f: &mut fmt::Formatter<'_>,
        form: Term,
        bound: &BigInt,
        negated: bool,
    ) -> fmt::Result {
        let strict = *bound == BigInt::from(-1);
        let (operator, bound) = match (strict, negated) {
            (false, false) => (" <= ", bound.clone()),
            (false, true) => (" > ", bound.clone()),
            (true, false) => (" < ", BigInt::zero()),
            (true, true) => (" >= ", BigInt::zero()),
        };
        self.write_value(f, form, &bound, operator)
    }

    /// The form compared with the constant, what has a negative coefficient on the right.
    fn write_value(
        &self,
        f: &mut fmt::Formatter<'_>,
        form: Term,
        value: &BigInt,
        operator: &str,
    ) -> fmt::Result {
        let parts = match self.kind(form) {
            TermKind::Sum(_, parts) => parts.into_vec(),
            _ => vec![(BigInt::one(), form)],
        };
        let (left, right): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|(coefficient, _)| coefficient.is_positive());
        let right: Vec<_> = right.into_iter().map(|(coefficient, term)| (-coefficient, term)).collect();
        // A negative constant goes to the left, unless it would stand alone on the right.
        let moved = value.is_negative() && !right.is_empty();
        let (left_constant, right_constant) =
            if moved { (-value, BigInt::zero()) } else { (BigInt::zero(), value.clone()) };
        self.write_sum(f, &left_constant, &left)?;
        f.write_str(operator)?;
        self.write_sum(f, &right_constant, &right)
    }

    fn write_sum(
        &self,
        f: &mut fmt::Formatter<'_>,
        constant: &BigInt,
        parts: &[(BigInt, Term)],
    ) -> fmt::Result {
        for (n, (coefficient, term)) in parts.iter().enumerate() {
            match (n, coefficient.is_negative()) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" - ")?,
            }
            // `-a mod 2` would be the remainder of -a, and `2*a mod 3` that of 2*a.
            let alone = coefficient.abs().is_one() && (n > 0 || coefficient.is_positive());
            if !coefficient.abs().is_one() {
                write!(f, "{}*", coefficient.abs())?;
            }
            self.write(f, *term, if alone { Binding::Product } else { Binding::Prefix })?;
        }
        match (parts.is_empty(), constant.is_negative()) {
            (true, _) => write!(f, "{constant}"),
            (false, _) if constant.is_zero() => Ok(()),
            (false, false) => write!(f, " + {constant}"),
            (false, true) => write!(f, " - {}", constant.abs()),
        }
    }
}
