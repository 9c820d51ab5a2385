//! Operators: what types they take, and what type they give.
//!
//! The type of an arithmetic expression is the smallest range that interval arithmetic proves. It is computed in 128
//! bits; what does not fit in 64 is refused.

use super::Elaborator;
use super::expression::constant;
use crate::syntax::tree::Function;
use crate::{BinaryOp, Expr, ExprKind, Type, UnaryOp, Value};
use tertium_support::{Diagnostic, Span};

impl Elaborator<'_> {
    /// `!e` or `-e`.
    pub(super) fn unary(&mut self, op: UnaryOp, operand: Expr, span: Span) -> Option<Expr> {
        let (operand, ty) = match (op, &operand.ty) {
            (_, Type::Word { .. }) => {
                let ty = operand.ty.clone();
                (operand, ty)
            }
            (UnaryOp::Minus, _) => match (&operand.kind, operand.ty.integers()) {
                (ExprKind::Constant(Value::Integer(value)), _) if *value > i64::MIN => {
                    return Some(constant(Value::Integer(-value), span));
                }
                (_, Some((low, high))) => {
                    let ty = self.interval(-i128::from(high), -i128::from(low), span)?;
                    (operand, ty)
                }
                _ => {
                    let message = format!("a number is expected here, not {}", self.type_text(&operand.ty));
                    return self.refuse(Diagnostic::error(operand.span, message));
                }
            },
            _ => (self.truth(operand)?, Type::Boolean),
        };
        Some(Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span })
    }

    /// An operator with two operands.
    pub(super) fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        if op == BinaryOp::In {
            return self.membership(left, right, span);
        }
        let (left, right) = (self.single(left), self.single(right));
        let (left, right) = (left?, right?);
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Xnor | BinaryOp::Implies => {
                self.logical(op, left, right, span)
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (left, right) = self.comparable(left, right, span)?;
                Some(made(op, left, right, Type::Boolean, span))
            }
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                let ordered = left.ty.integers().is_some() && right.ty.integers().is_some()
                    || is_word(&left.ty) && left.ty == right.ty;
                if ordered {
                    Some(made(op, left, right, Type::Boolean, span))
                } else {
                    self.unlike(&left, &right, span)
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.shift(op, left, right, span),
            BinaryOp::Concatenate => self.concatenate(left, right, span),
            _ => self.arithmetic(op, left, right, span),
        }
    }

    fn membership(&mut self, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let (left, right) = self.comparable(left, right, span)?;
        Some(made(BinaryOp::In, left, right, Type::Boolean, span))
    }

    fn logical(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        if !is_word(&left.ty) && !is_word(&right.ty) {
            let (left, right) = (self.truth(left), self.truth(right));
            return Some(made(op, left?, right?, Type::Boolean, span));
        }
        if left.ty != right.ty {
            return self.unlike(&left, &right, span);
        }
        let ty = left.ty.clone();
        if op == BinaryOp::Implies {
            let span_left = left.span;
            let left =
                Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(left)), ty: ty.clone(), span: span_left };
            return Some(made(BinaryOp::Or, left, right, ty, span));
        }
        Some(made(op, left, right, ty, span))
    }

    fn shift(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let by_word = matches!(right.ty, Type::Word { signed: false, .. });
        let by_integer = right.ty.integers();
        let Type::Word { width, .. } = left.ty else { return self.unlike(&left, &right, span) };
        if !by_word && by_integer.is_none() {
            return self.unlike(&left, &right, span);
        }
        if by_integer.is_some_and(|(low, high)| high < 0 || low > i64::from(width)) {
            let message = format!("a word of {width} bits is shifted by 0 to {width} bits");
            return self.refuse(Diagnostic::error(right.span, message));
        }
        let ty = left.ty.clone();
        Some(made(op, left, right, ty, span))
    }

    fn concatenate(&mut self, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let (Type::Word { width, .. }, Type::Word { width: further, .. }) = (&left.ty, &right.ty) else {
            return self.unlike(&left, &right, span);
        };
        let width = width + further;
        if width > 64 {
            let message = format!("words of {width} bits are not supported");
            return self.refuse(Diagnostic::error(span, message).with_note("words of 1 to 64 bits are"));
        }
        Some(made(BinaryOp::Concatenate, left, right, Type::Word { width, signed: false }, span))
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        if is_word(&left.ty) && left.ty == right.ty {
            let ty = left.ty.clone();
            return Some(made(op, left, right, ty, span));
        }
        let (Some(left_bounds), Some(right_bounds)) = (left.ty.integers(), right.ty.integers()) else {
            let mut message = format!("numbers are expected here, not {}", self.type_text(&left.ty));
            if left.ty.integers().is_some() {
                message = format!("numbers are expected here, not {}", self.type_text(&right.ty));
            }
            let complaint = Diagnostic::error(span, message);
            let has_truth = left.ty == Type::Boolean || right.ty == Type::Boolean;
            let note = "toint(…) makes a number of a truth value, count(…) counts them";
            return self.refuse(if has_truth { complaint.with_note(note) } else { complaint });
        };
        if right_bounds == (0, 0) && matches!(op, BinaryOp::Divide | BinaryOp::Modulo) {
            return self.refuse(Diagnostic::error(span, "division by zero"));
        }
        let (low, high) = bounds(op, left_bounds, right_bounds);
        let ty = self.interval(low, high, span)?;
        // Constants are folded, so that an index such as `i - 1` is one when `i` is.
        if let (ExprKind::Constant(_), ExprKind::Constant(_), Type::Range(value, _)) =
            (&left.kind, &right.kind, &ty)
            && low == high
        {
            return Some(constant(Value::Integer(*value), span));
        }
        Some(made(op, left, right, ty, span))
    }

    /// The integers between the two, if they fit in 64 bits.
    fn interval(&mut self, low: i128, high: i128, span: Span) -> Option<Type> {
        match (i64::try_from(low), i64::try_from(high)) {
            (Ok(low), Ok(high)) => Some(Type::Range(low, high)),
            _ => self.refuse(Diagnostic::error(span, "these numbers can grow beyond 64 bits")),
        }
    }

    /// Functions with one argument.
    pub(super) fn cast(&mut self, function: Function, operand: Expr, span: Span) -> Option<Expr> {
        let bounds = operand.ty.integers();
        let (op, ty) = match (function, &operand.ty) {
            (Function::ToBoolean, Type::Boolean) => return Some(operand),
            (Function::ToBoolean, Type::Word { width: 1, .. }) => (UnaryOp::ToBoolean, Type::Boolean),
            (Function::ToBoolean, _) if bounds.is_some() => (UnaryOp::ToBoolean, Type::Boolean),
            (Function::ToWord1, Type::Boolean) => (UnaryOp::ToWord1, Type::Word { width: 1, signed: false }),
            (Function::ToInteger, _) if bounds.is_some() => return Some(operand),
            (Function::ToInteger, Type::Boolean) => (UnaryOp::ToInteger, Type::Range(0, 1)),
            (Function::ToInteger, Type::Word { width, signed: true }) => {
                let half = 1_i128 << (width - 1);
                (UnaryOp::ToInteger, self.interval(-half, half - 1, span)?)
            }
            (Function::ToInteger, Type::Word { width, signed: false }) => {
                (UnaryOp::ToInteger, self.interval(0, (1_i128 << width) - 1, span)?)
            }
            (Function::ToUnsigned, Type::Word { width, .. }) => {
                (UnaryOp::ToUnsigned, Type::Word { width: *width, signed: false })
            }
            (Function::ToSigned, Type::Word { width, .. }) => {
                (UnaryOp::ToSigned, Type::Word { width: *width, signed: true })
            }
            (Function::SizeOf, Type::Word { width, .. }) => {
                return Some(constant(Value::Integer(i64::from(*width)), span));
            }
            (Function::Absolute, _) if bounds.is_some() => {
                self.grow(operand.size(), span)?;
                let negative = self.unary(UnaryOp::Minus, operand.clone(), span)?;
                return self.extreme(Function::Maximum, operand, negative, span);
            }
            _ => {
                let message =
                    format!("`{}` cannot be applied to {}", function.name(), self.type_text(&operand.ty));
                return self.refuse(Diagnostic::error(span, message));
            }
        };
        Some(Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span })
    }

    /// `min` and `max` as a choice between their arguments.
    pub(super) fn extreme(
        &mut self,
        function: Function,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Option<Expr> {
        let (Some((low, high)), Some((from, to))) = (left.ty.integers(), right.ty.integers()) else {
            return self.unlike(&left, &right, span);
        };
        self.grow(left.size() + right.size(), span)?;
        let (op, ty) = if function == Function::Minimum {
            (BinaryOp::LessEqual, Type::Range(low.min(from), high.min(to)))
        } else {
            (BinaryOp::GreaterEqual, Type::Range(low.max(from), high.max(to)))
        };
        let condition = made(op, left.clone(), right.clone(), Type::Boolean, span);
        let otherwise = constant(Value::Boolean(true), span);
        Some(Expr { kind: ExprKind::Case(vec![(condition, left), (otherwise, right)]), ty, span })
    }
}

fn made(op: BinaryOp, left: Expr, right: Expr, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
}

fn is_word(ty: &Type) -> bool {
    matches!(ty, Type::Word { .. })
}

/// The least and the greatest result for operands within these bounds. Division and remainder go towards zero.
fn bounds(op: BinaryOp, left: (i64, i64), right: (i64, i64)) -> (i128, i128) {
    let (low, high) = (i128::from(left.0), i128::from(left.1));
    let (from, to) = (i128::from(right.0), i128::from(right.1));
    let hull = |values: &[i128]| {
        (values.iter().copied().min().unwrap_or(0), values.iter().copied().max().unwrap_or(0))
    };
    match op {
        BinaryOp::Add => (low + from, high + to),
        BinaryOp::Subtract => (low - to, high - from),
        BinaryOp::Multiply => hull(&[low * from, low * to, high * from, high * to]),
        BinaryOp::Divide => {
            // The quotient is monotone between divisors of one sign, so their ends suffice.
            let divisors = [from, to, -1, 1].into_iter().filter(|&by| by != 0 && from <= by && by <= to);
            hull(&divisors.flat_map(|by| [low / by, high / by]).collect::<Vec<_>>())
        }
        _ => {
            if from == to && low == high {
                return (low % from, low % from);
            }
            let most = from.abs().max(to.abs()) - 1;
            ((-most).max(low.min(0)), most.min(high.max(0)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_for_all_operands_within_them() {
        let ops = [BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply, BinaryOp::Divide, BinaryOp::Modulo];
        let ranges: Vec<(i64, i64)> =
            (-4..=4).flat_map(|low| (low..=4).map(move |high| (low, high))).collect();
        for op in ops {
            for &left in &ranges {
                for &right in &ranges {
                    if right == (0, 0) {
                        continue;
                    }
                    let (low, high) = bounds(op, left, right);
                    for x in left.0..=left.1 {
                        for y in right.0..=right.1 {
                            let value = match op {
                                BinaryOp::Add => x + y,
                                BinaryOp::Subtract => x - y,
                                BinaryOp::Multiply => x * y,
                                _ if y == 0 => continue,
                                BinaryOp::Divide => x / y,
                                _ => x % y,
                            };
                            let value = i128::from(value);
                            assert!(low <= value && value <= high, "{op:?} {left:?} {right:?}: {x} {y}");
                        }
                    }
                }
            }
        }
    }
}
