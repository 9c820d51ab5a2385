//! Assignments that certainly give their variable a value, in every state and with every input: told from their form.
//!
//! The answer is on the safe side. An assignment counts as certain if nothing in it can be without meaning (no division by
//! anything but a constant, no `case` without a last branch `TRUE`, no number that could leave 64 bits, no set where
//! one truth value is needed), if it has at least one value, and if all its values are of the type of the variable. Anything
//! that needs a look at the states to be decided is not certain.
//!
//! Cost: linear in the size of the model.

use crate::interpret::contains;
use crate::{Assign, BinaryOp, Expr, ExprKind, FlatModel, Type, UnaryOp, Value};
use tertium_support::Id;

/// Numbers up to this size can be added and multiplied in 64 bits.
const SMALL: i64 = 1 << 31;

/// More values than this are not looked at one by one.
const FEW: u64 = 1 << 10;

/// What is certain about expressions of a model.
pub(super) struct Certainty<'m> {
    model: &'m FlatModel,
    /// By definition: whether it certainly has exactly one value.
    single: Vec<bool>,
    /// By definition: whether it certainly has a value.
    some: Vec<bool>,
}

impl<'m> Certainty<'m> {
    pub(super) fn new(model: &'m FlatModel) -> Self {
        let mut certainty = Self { model, single: Vec::new(), some: Vec::new() };
        for define in &model.defines {
            let single = certainty.single(&define.body);
            let some = single || certainty.some(&define.body);
            certainty.single.push(single);
            certainty.some.push(some);
        }
        certainty
    }

    /// Whether the assignment certainly allows a value of its variable.
    pub(super) fn is_certain(&self, assign: &Assign) -> bool {
        let ty = &self.model.variables[assign.target.index()].ty;
        self.some(&assign.value) && self.stays_in(&assign.value, ty)
    }

    /// Whether an expression certainly has a value.
    fn some(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Set(elements) => !elements.is_empty() && elements.iter().all(|e| self.some(e)),
            ExprKind::Case(branches) => self.case(branches, Self::some),
            ExprKind::Define(id) => self.some[id.index()],
            _ => self.single(expr),
        }
    }

    /// Whether an expression certainly has exactly one value.
    fn single(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Variable(_) => true,
            ExprKind::Define(id) => self.single[id.index()],
            ExprKind::Next(e) | ExprKind::Bits(e, _, _) => self.single(e),
            ExprKind::Unary(operator, e) => self.single(e) && is_total(*operator, &e.ty),
            ExprKind::Binary(BinaryOp::In, left, right) => self.single(left) && self.some(right),
            ExprKind::Binary(operator, left, right) => {
                self.single(left) && self.single(right) && is_total_on(*operator, left, right)
            }
            ExprKind::Case(branches) => self.case(branches, Self::single),
            ExprKind::Count(operands) => operands.iter().all(|e| self.single(e)),
            ExprKind::Set(_) => false,
        }
    }

    fn case(&self, branches: &[(Expr, Expr)], of_value: fn(&Self, &Expr) -> bool) -> bool {
        let closed =
            branches.last().is_some_and(|(last, _)| last.kind == ExprKind::Constant(Value::Boolean(true)));
        closed && branches.iter().all(|(condition, value)| self.single(condition) && of_value(self, value))
    }

    /// Whether all values of an expression are certainly of a type.
    fn stays_in(&self, expr: &Expr, ty: &Type) -> bool {
        match &expr.kind {
            ExprKind::Constant(value) => contains(ty, *value),
            ExprKind::Set(elements) => elements.iter().all(|e| self.stays_in(e, ty)),
            ExprKind::Case(branches) => branches.iter().all(|(_, value)| self.stays_in(value, ty)),
            ExprKind::Next(e) => self.stays_in(e, ty),
            ExprKind::Variable(id) => is_part(&self.model.variables[id.index()].ty, ty),
            ExprKind::Define(id) => {
                let body = &self.model.defines[id.index()].body;
                is_part(&body.ty, ty) || self.stays_in(body, ty)
            }
            _ => is_part(&expr.ty, ty),
        }
    }
}

/// Whether every value of the first type is one of the second.
fn is_part(part: &Type, of: &Type) -> bool {
    match (part, of) {
        (Type::Range(low, high), Type::Range(least, most)) => least <= low && high <= most,
        (&Type::Range(low, high), _) => {
            high.abs_diff(low) <= FEW && (low..=high).all(|n| contains(of, Value::Integer(n)))
        }
        (Type::Enumeration(values), _) => values.iter().all(|&value| contains(of, value)),
        (Type::Boolean | Type::Word { .. }, _) => part == of,
    }
}

fn is_small(ty: &Type) -> bool {
    match ty {
        Type::Range(low, high) => *low >= -SMALL && *high <= SMALL,
        Type::Boolean | Type::Word { .. } => true,
        Type::Enumeration(_) => false,
    }
}

/// Whether the operator gives a value for each of this type.
fn is_total(operator: UnaryOp, ty: &Type) -> bool {
    match operator {
        UnaryOp::Minus => is_small(ty),
        UnaryOp::ToInteger => match ty {
            Type::Word { width, .. } => *width < 63,
            ty => is_small(ty),
        },
        _ => true,
    }
}

/// Whether the operator gives a value for all values of these.
fn is_total_on(operator: BinaryOp, left: &Expr, right: &Expr) -> bool {
    let small = is_small(&left.ty) && is_small(&right.ty);
    match operator {
        BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Xnor
        | BinaryOp::Implies
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Concatenate
        | BinaryOp::In => true,
        // Symbols cannot be compared.
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
            !matches!((&left.ty, &right.ty), (Type::Enumeration(_), _) | (_, Type::Enumeration(_)))
        }
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => small,
        BinaryOp::Divide | BinaryOp::Modulo => small && is_non_zero(right),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => match right.ty {
            Type::Range(low, _) => low >= 0,
            Type::Word { signed, .. } => !signed,
            _ => false,
        },
    }
}

fn is_non_zero(expr: &Expr) -> bool {
    match expr.kind {
        ExprKind::Constant(Value::Integer(n)) => n != 0,
        ExprKind::Constant(Value::Word { bits, .. }) => bits != 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use tertium_support::Source;

    /// Whether `next(x) := value` is certain, beside other variables.
    fn is_certain(value: &str) -> bool {
        let text = format!(
            "MODULE main\nDEFINE d := {{1, 2}}; e := b & x > 1;\nVAR x : 0..3; b : boolean; s : {{u, v, 2}}; w : word[4];\n\
             ASSIGN next(x) := {value};\n"
        );
        let (model, _) = read(Source::new("m.smv", text.as_str())).expect("the model is right");
        Certainty::new(&model).is_certain(&model.assigns[0])
    }

    #[test]
    fn what_always_has_a_value_of_the_type_is_certain() {
        for value in [
            "2",
            "x",
            "{0, 3}",
            "d",
            "0..3",
            "(x + 5) mod 4",
            "case b : 0; e : d; TRUE : x; esac",
            "b ? 1 : x",
            "next(b) ? 1 : 2",
            "x / 2",
            "count(b, e)",
            "case toint(w) > 3 : 1; TRUE : 0; esac",
        ] {
            assert!(is_certain(value), "{value}");
        }
    }

    #[test]
    fn what_depends_on_the_state_is_not() {
        for value in [
            "x + 1",
            "case x < 3 : x + 1; TRUE : 0; esac",
            "case b : 1; !b : 2; esac",
            "3 / x",
            "x mod (x + 0)",
            "case s = 2 : 1; x in d : x - 1; TRUE : 2; esac",
        ] {
            assert!(!is_certain(value), "{value}");
        }
    }
}
