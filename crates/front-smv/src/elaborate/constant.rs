//! Constants that are needed before anything else: bounds, widths, and the types made of them.

use super::instance::Entry;
use super::{Elaborator, InstanceId};
use crate::syntax::tree::{Expr, ExprKind, Function, TypeTree};
use crate::{BinaryOp, Type, UnaryOp, Value};
use rustc_hash::FxHashSet;
use tertium_support::{Diagnostic, Id, Span};

/// How far bounds are followed through definitions and parameters.
const STEPS: u32 = 100;

impl<'a> Elaborator<'a> {
    /// The integer that a bound stands for.
    pub(super) fn bound(&mut self, scope: InstanceId, expr: &Expr) -> Option<i64> {
        let mut value = self.integer(scope, expr, STEPS);
        let has_size = |part: &Expr| matches!(part.kind, ExprKind::Call(Function::SizeOf, _));
        if value.is_none() && expr.preorder().any(has_size) {
            value = match self.expr(scope, expr)?.kind {
                crate::ExprKind::Constant(Value::Integer(value)) => Some(value),
                _ => None,
            };
        }
        if value.is_none() {
            let complaint = Diagnostic::error(expr.span, "a constant integer is expected here");
            let note = "numbers, + - * / mod, and definitions and parameters that stand for such";
            self.complain(complaint.with_note(note));
        }
        value
    }

    /// The integer that an expression stands for, if it is constant.
    pub(super) fn constant_integer(&self, scope: InstanceId, expr: &Expr) -> Option<i64> {
        self.integer(scope, expr, STEPS)
    }

    fn integer(&self, scope: InstanceId, expr: &Expr, steps: u32) -> Option<i64> {
        let steps = steps.checked_sub(1)?;
        let of = |expr: &Expr| self.integer(scope, expr, steps);
        match &expr.kind {
            ExprKind::Constant(Value::Integer(value)) => Some(*value),
            ExprKind::Unary(UnaryOp::Minus, operand) => of(operand)?.checked_neg(),
            ExprKind::Chain(BinaryOp::Add, operands) => {
                operands.iter().try_fold(0_i64, |sum, operand| sum.checked_add(of(operand)?))
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (of(left)?, of(right)?);
                match op {
                    BinaryOp::Subtract => left.checked_sub(right),
                    BinaryOp::Multiply => left.checked_mul(right),
                    BinaryOp::Divide => left.checked_div(right),
                    BinaryOp::Modulo => left.checked_rem(right),
                    _ => None,
                }
            }
            ExprKind::Name(name) => match &self.instances[scope.index()].names.get(name)?.0 {
                Entry::Definition(id) => {
                    let definition = &self.definitions[id.index()];
                    self.integer(definition.scope, definition.body?, steps)
                }
                Entry::Parameter(actual, caller) => self.integer(*caller, actual, steps),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of a variable that is neither an array nor an instance.
    pub(super) fn variable_type(&mut self, scope: InstanceId, ty: &TypeTree) -> Option<Type> {
        match ty {
            TypeTree::Boolean => Some(Type::Boolean),
            TypeTree::Range(low, high) => {
                let (from, to) = (self.bound(scope, low), self.bound(scope, high));
                let (from, to) = (from?, to?);
                if from > to {
                    let message = format!("the range {from}..{to} is empty");
                    return self.refuse(Diagnostic::error(low.span.to(high.span), message));
                }
                Some(Type::Range(from, to))
            }
            TypeTree::Enumeration(elements, span) => self.enumeration(scope, elements, *span),
            TypeTree::Word { width, signed } => {
                let bits = self.bound(scope, width)?;
                match u32::try_from(bits) {
                    Ok(bits @ 1..=64) => Some(Type::Word { width: bits, signed: *signed }),
                    _ => {
                        let message = format!("words of {bits} bits are not supported");
                        let complaint = Diagnostic::error(width.span, message);
                        self.refuse(complaint.with_note("words of 1 to 64 bits are"))
                    }
                }
            }
            TypeTree::Array(..) | TypeTree::Instance { .. } => None,
        }
    }

    fn enumeration(&mut self, scope: InstanceId, elements: &[Expr], span: Span) -> Option<Type> {
        let mut values = Vec::new();
        let mut known = FxHashSet::default();
        for element in elements {
            let value = match &element.kind {
                ExprKind::Name(name) => {
                    let symbol = self.symbols.intern(name);
                    self.constants.insert(symbol);
                    Value::Symbol(symbol)
                }
                ExprKind::Constant(Value::Boolean(value)) => Value::Boolean(*value),
                _ => Value::Integer(self.bound(scope, element)?),
            };
            if !known.insert(value) {
                let message = "this value stands twice in the enumeration";
                return self.refuse(Diagnostic::error(element.span, message));
            }
            values.push(value);
        }
        let n_truth_values = values.iter().filter(|value| matches!(value, Value::Boolean(_))).count();
        match n_truth_values {
            0 => Some(Type::Enumeration(values)),
            2 if values.len() == 2 => Some(Type::Boolean),
            _ => {
                let message = "truth values cannot be mixed with other values in an enumeration";
                self.refuse(Diagnostic::error(span, message))
            }
        }
    }
}
