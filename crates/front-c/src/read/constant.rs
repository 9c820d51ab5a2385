//! Conversions, and operators on constants: what is constant is computed while it is read, unless it is undefined.

use super::elaborate::{Elaborator, Outcome};
use crate::ir::{
    Base, BinaryOperator, Expression, ExpressionKind, Float, Integer, Place, Rank, Step, Type, TypeId,
    UnaryOperator,
};
use lang_c::ast;
use lang_c::span::Node;
use tertium_support::Span;

/// The result of an operator on constants; nothing if it is undefined, or cannot be computed here.
pub(super) fn fold_binary(operator: BinaryOperator, a: i128, b: i128, ty: Integer) -> Option<i128> {
    use BinaryOperator as Op;
    let truth = |truth: bool| Some(i128::from(truth));
    if ty.bits == 128 && !ty.signed {
        return None;
    }
    let value = match operator {
        Op::Add => a.checked_add(b)?,
        Op::Subtract => a.checked_sub(b)?,
        Op::Multiply if ty.signed => a.checked_mul(b)?,
        Op::Multiply => a.wrapping_mul(b),
        Op::Divide => a.checked_div(b)?,
        Op::Remainder if ty.signed && ty.wrap(a.checked_div(b)?) != a.checked_div(b)? => return None,
        Op::Remainder => a.checked_rem(b)?,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::ShiftLeft | Op::ShiftRight if !(0..i128::from(ty.bits)).contains(&b) => return None,
        // Of signed values as machines do it: bits that leave are lost.
        Op::ShiftLeft => return Some(ty.wrap(a.wrapping_shl(b as u32))),
        Op::ShiftRight => a >> b,
        Op::Equal => return truth(a == b),
        Op::NotEqual => return truth(a != b),
        Op::Less => return truth(a < b),
        Op::AtMost => return truth(a <= b),
        Op::LogicalAnd => return truth(a != 0 && b != 0),
        Op::LogicalOr => return truth(a != 0 || b != 0),
    };
    let wrapped = ty.wrap(value);
    (!ty.signed || wrapped == value).then_some(wrapped)
}

fn fold_float(operator: BinaryOperator, a: f64, b: f64) -> Option<f64> {
    match operator {
        BinaryOperator::Add => Some(a + b),
        BinaryOperator::Subtract => Some(a - b),
        BinaryOperator::Multiply => Some(a * b),
        BinaryOperator::Divide if b != 0.0 => Some(a / b),
        _ => None,
    }
}

/// A floating value as the type has it.
fn rounded(value: f64, float: Float) -> f64 {
    if float == Float::Single { f64::from(value as f32) } else { value }
}

impl Elaborator<'_> {
    /// A value converted to a type; constants are converted at once.
    pub(super) fn convert(&mut self, value: Expression, to: TypeId) -> Expression {
        if value.ty == to {
            return value;
        }
        let span = value.span;
        let kind = match (&value.kind, self.types.get(to)) {
            (ExpressionKind::Integer(number), Type::Integer(integer)) => {
                Some(ExpressionKind::Integer(integer.wrap(*number)))
            }
            (ExpressionKind::Integer(number), Type::Float(float)) => {
                Some(ExpressionKind::Float(rounded(*number as f64, *float)))
            }
            (ExpressionKind::Integer(number), Type::Pointer(_)) => {
                let bits = self.types.model.word() as u32 * 8;
                let word = Integer { rank: Rank::Long, bits, signed: false };
                Some(ExpressionKind::Integer(word.wrap(*number)))
            }
            (ExpressionKind::Float(number), Type::Float(float)) => {
                Some(ExpressionKind::Float(rounded(*number, *float)))
            }
            (ExpressionKind::Float(number), Type::Integer(integer)) if integer.rank != Rank::Bool => {
                let whole = number.trunc();
                let is_in_range =
                    whole.abs() < 1e30 && (integer.least()..=integer.greatest()).contains(&(whole as i128));
                is_in_range.then_some(ExpressionKind::Integer(whole as i128))
            }
            (ExpressionKind::Function(function), Type::Pointer(_)) if self.types.is_pointer(value.ty) => {
                // The pointer keeps its own type, so that a call sees what is called.
                let _ = function;
                None
            }
            _ => None,
        };
        let kind = kind.unwrap_or_else(|| ExpressionKind::Convert(Box::new(value)));
        Expression { kind, ty: to, span }
    }

    /// An operator of operands that were converted, with a result of this type.
    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        one: Expression,
        other: Expression,
        ty: TypeId,
        span: Span,
    ) -> Expression {
        let folded = match (&one.kind, &other.kind) {
            (ExpressionKind::Integer(a), ExpressionKind::Integer(b)) => {
                let own = self.types.integer(one.ty);
                own.and_then(|own| fold_binary(operator, *a, *b, own)).map(ExpressionKind::Integer)
            }
            (ExpressionKind::Float(a), ExpressionKind::Float(b)) => match self.types.get(ty) {
                Type::Float(float) => {
                    fold_float(operator, *a, *b).map(|value| ExpressionKind::Float(rounded(value, *float)))
                }
                _ => None,
            },
            // What is skipped is not evaluated.
            (ExpressionKind::Integer(0), _) if operator == BinaryOperator::LogicalAnd => {
                Some(ExpressionKind::Integer(0))
            }
            (ExpressionKind::Integer(a), _) if operator == BinaryOperator::LogicalOr && *a != 0 => {
                Some(ExpressionKind::Integer(1))
            }
            _ => None,
        };
        let kind = folded.unwrap_or_else(|| ExpressionKind::Binary(operator, Box::new(one), Box::new(other)));
        Expression { kind, ty, span }
    }

    /// An operator of one operand that was converted.
    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: Expression,
        ty: TypeId,
        span: Span,
    ) -> Expression {
        let integer = self.types.integer(operand.ty);
        let folded = match (&operand.kind, operator, integer) {
            (ExpressionKind::Integer(value), UnaryOperator::Negate, Some(integer)) if integer.bits < 128 => {
                let negated = integer.wrap(-*value);
                (!integer.signed || negated == -*value).then_some(ExpressionKind::Integer(negated))
            }
            (ExpressionKind::Integer(value), UnaryOperator::Complement, Some(integer)) => {
                Some(ExpressionKind::Integer(integer.wrap(!*value)))
            }
            (ExpressionKind::Integer(value), UnaryOperator::Not, _) => {
                Some(ExpressionKind::Integer(i128::from(*value == 0)))
            }
            (ExpressionKind::Float(value), UnaryOperator::Negate, _) => Some(ExpressionKind::Float(-*value)),
            _ => None,
        };
        let kind = folded.unwrap_or_else(|| ExpressionKind::Unary(operator, Box::new(operand)));
        Expression { kind, ty, span }
    }

    /// The value of a constant expression of integer type.
    pub(super) fn constant(
        &mut self,
        expression: &Node<ast::Expression>,
        what: &str,
    ) -> Outcome<(i128, TypeId)> {
        let span = self.span(expression.span);
        self.draft.unevaluated += 1;
        let value = self.value(expression);
        self.draft.unevaluated -= 1;
        let value = value?;
        match (&value.expression.kind, self.types.integer(value.expression.ty)) {
            (ExpressionKind::Integer(number), Some(_)) => Ok((*number, value.expression.ty)),
            (_, None) => Err(self.error(span, format!("{what} must be an integer"))),
            _ => match self.address_as_integer(&value.expression) {
                Some(number) => Ok((number, value.expression.ty)),
                None => Err(self.error(span, format!("{what} must be constant"))),
            },
        }
    }

    /// The value of old `offsetof` expressions: the address of a part of what the null pointer points to.
    fn address_as_integer(&self, value: &Expression) -> Option<i128> {
        match &value.kind {
            ExpressionKind::Integer(number) => Some(*number),
            ExpressionKind::Convert(operand) => {
                let number = self.address_as_integer(operand)?;
                match self.types.get(value.ty) {
                    Type::Integer(integer) => Some(integer.wrap(number)),
                    Type::Pointer(_) => Some(number),
                    _ => None,
                }
            }
            ExpressionKind::Offset(pointer, index, size) => {
                let distance = self.address_as_integer(index)?.checked_mul(i128::from(*size))?;
                self.address_as_integer(pointer)?.checked_add(distance)
            }
            ExpressionKind::Distance(one, other, size) => Some(
                (self.address_as_integer(one)? - self.address_as_integer(other)?)
                    / i128::from((*size).max(1)),
            ),
            ExpressionKind::Binary(operator, one, other) => {
                let ty = self.types.integer(one.ty)?;
                fold_binary(*operator, self.address_as_integer(one)?, self.address_as_integer(other)?, ty)
            }
            ExpressionKind::AddressOf(place) => self.place_as_integer(place),
            _ => None,
        }
    }

    fn place_as_integer(&self, place: &Place) -> Option<i128> {
        let Base::Pointer(pointer) = &place.base else { return None };
        let mut at = self.address_as_integer(pointer)?;
        let mut ty = self.types.pointee(pointer.ty)?;
        for step in &place.path {
            match (step, self.types.get(ty)) {
                (Step::Member(number), Type::Composite(id)) => {
                    let member = &self.types.composite(*id).members.as_ref()?[*number];
                    at += i128::from(member.offset);
                    ty = member.ty;
                }
                (Step::Element(index), Type::Array(element, _)) => {
                    at += self.address_as_integer(index)? * i128::from(self.types.stride(*element));
                    ty = *element;
                }
                _ => return None,
            }
        }
        Some(at)
    }

    /// Whether a value can stand in an object before the program begins.
    pub(super) fn is_constant(&self, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Function(_) => true,
            ExpressionKind::AddressOf(place) => {
                let is_static = match &place.base {
                    Base::Global(_) | Base::Text(_) => true,
                    Base::Pointer(pointer) => self.is_constant(pointer),
                    Base::Local(_) => false,
                };
                is_static
                    && place.path.iter().all(|step| match step {
                        Step::Member(_) => true,
                        Step::Element(index) => self.is_constant(index),
                    })
            }
            ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => self.is_constant(operand),
            ExpressionKind::Binary(_, one, other)
            | ExpressionKind::Offset(one, other, _)
            | ExpressionKind::Distance(one, other, _) => self.is_constant(one) && self.is_constant(other),
            ExpressionKind::Conditional(one, two, three) => {
                [one, two, three].iter().all(|part| self.is_constant(part))
            }
            ExpressionKind::Unsupported(_) => true,
            ExpressionKind::Read(_) => false,
        }
    }
}
