//! Operators with two operands, after both were read; and conversions that the program asks for.

use super::elaborate::{Elaborator, Outcome};
use super::expression::{Operand, Value, is_null_constant};
use crate::ir::{BinaryOperator, Expression, ExpressionKind, Type, TypeId, UnaryOperator};
use lang_c::ast;
use tertium_support::Span;

impl Elaborator<'_> {
    /// Arithmetic and comparisons, with the usual conversions.
    pub(super) fn arithmetic(
        &mut self,
        operator: &ast::BinaryOperator,
        one: Value,
        other: Value,
        span: Span,
    ) -> Outcome<Value> {
        use ast::BinaryOperator as Syntax;
        let pointers = (self.types.is_pointer(one.expression.ty), self.types.is_pointer(other.expression.ty));
        match (operator, pointers) {
            (Syntax::Plus, (true, false)) => return self.moved(one, other, false, span),
            (Syntax::Plus, (false, true)) => return self.moved(other, one, false, span),
            (Syntax::Minus, (true, false)) => return self.moved(one, other, true, span),
            (Syntax::Minus, (true, true)) => return Ok(self.distance(one, other, span)?.into()),
            _ => {}
        }
        let (one, other) = (one.expression, other.expression);
        let result = match operator {
            Syntax::Less => self.comparison(BinaryOperator::Less, one, other, span)?,
            Syntax::Greater => self.comparison(BinaryOperator::Less, other, one, span)?,
            Syntax::LessOrEqual => self.comparison(BinaryOperator::AtMost, one, other, span)?,
            Syntax::GreaterOrEqual => self.comparison(BinaryOperator::AtMost, other, one, span)?,
            Syntax::Equals => self.comparison(BinaryOperator::Equal, one, other, span)?,
            Syntax::NotEquals => self.comparison(BinaryOperator::NotEqual, one, other, span)?,
            Syntax::ShiftLeft => self.shift(BinaryOperator::ShiftLeft, one, other, span)?,
            Syntax::ShiftRight => self.shift(BinaryOperator::ShiftRight, one, other, span)?,
            Syntax::Plus => self.usual(BinaryOperator::Add, one, other, span)?,
            Syntax::Minus => self.usual(BinaryOperator::Subtract, one, other, span)?,
            Syntax::Multiply => self.usual(BinaryOperator::Multiply, one, other, span)?,
            Syntax::Divide => self.usual(BinaryOperator::Divide, one, other, span)?,
            Syntax::Modulo => self.integral(BinaryOperator::Remainder, one, other, span)?,
            Syntax::BitwiseAnd => self.integral(BinaryOperator::And, one, other, span)?,
            Syntax::BitwiseOr => self.integral(BinaryOperator::Or, one, other, span)?,
            Syntax::BitwiseXor => self.integral(BinaryOperator::Xor, one, other, span)?,
            _ => unreachable!("indices, logical operators and assignments are read elsewhere"),
        };
        Ok(result.into())
    }

    fn misfit(&mut self, one: TypeId, other: TypeId, span: Span) -> super::elaborate::Reported {
        let (one, other) = (self.types.show(one), self.types.show(other));
        self.error(span, format!("this operator is not for `{one}` and `{other}`"))
    }

    fn integral(
        &mut self,
        operator: BinaryOperator,
        one: Expression,
        other: Expression,
        span: Span,
    ) -> Outcome<Expression> {
        if self.types.integer(one.ty).is_none() || self.types.integer(other.ty).is_none() {
            return Err(self.misfit(one.ty, other.ty, span));
        }
        self.usual(operator, one, other, span)
    }

    fn usual(
        &mut self,
        operator: BinaryOperator,
        one: Expression,
        other: Expression,
        span: Span,
    ) -> Outcome<Expression> {
        if !self.types.is_arithmetic(one.ty) || !self.types.is_arithmetic(other.ty) {
            return Err(self.misfit(one.ty, other.ty, span));
        }
        let ty = self.types.common(one.ty, other.ty);
        let (one, other) = (self.convert(one, ty), self.convert(other, ty));
        Ok(self.binary(operator, one, other, ty, span))
    }

    fn shift(
        &mut self,
        operator: BinaryOperator,
        one: Expression,
        other: Expression,
        span: Span,
    ) -> Outcome<Expression> {
        if self.types.integer(one.ty).is_none() || self.types.integer(other.ty).is_none() {
            return Err(self.misfit(one.ty, other.ty, span));
        }
        let (ty, count) = (self.types.promoted(one.ty), self.types.promoted(other.ty));
        let (one, other) = (self.convert(one, ty), self.convert(other, count));
        Ok(self.binary(operator, one, other, ty, span))
    }

    fn comparison(
        &mut self,
        operator: BinaryOperator,
        one: Expression,
        other: Expression,
        span: Span,
    ) -> Outcome<Expression> {
        let int = self.types.int();
        if self.types.is_arithmetic(one.ty) && self.types.is_arithmetic(other.ty) {
            let ty = self.types.common(one.ty, other.ty);
            let (one, other) = (self.convert(one, ty), self.convert(other, ty));
            return Ok(self.binary(operator, one, other, int, span));
        }
        let (a, b) = (self.types.is_pointer(one.ty), self.types.is_pointer(other.ty));
        let is_number = |value: &Expression| self.types.integer(value.ty).is_some();
        let fits = match (a, b) {
            (true, true) => true,
            (true, false) => is_number(&other),
            (false, true) => is_number(&one),
            (false, false) => false,
        };
        if !fits {
            return Err(self.misfit(one.ty, other.ty, span));
        }
        if a != b && !is_null_constant(if a { &other } else { &one }) {
            self.warn(span, "a pointer is compared with a number");
        }
        let ty = if a && !(b && is_null_constant(&one)) { one.ty } else { other.ty };
        let (one, other) = (self.convert(one, ty), self.convert(other, ty));
        Ok(self.binary(operator, one, other, int, span))
    }

    /// A pointer plus or minus an integer.
    fn moved(&mut self, pointer: Value, index: Value, is_back: bool, span: Span) -> Outcome<Value> {
        let ty = pointer.expression.ty;
        if self.types.integer(index.expression.ty).is_none() {
            return Err(self.misfit(ty, index.expression.ty, span));
        }
        let to = self.types.pointee(ty).expect("it is a pointer");
        self.needs_size(to, span)?;
        let size = self.types.stride(to);
        let mut index = index.expression;
        if is_back {
            let difference = self.types.difference();
            let wide = if self.types.size_of(index.ty) > self.types.size_of(difference) {
                self.types.promoted(index.ty)
            } else {
                difference
            };
            index = self.convert(index, wide);
            index = self.unary(UnaryOperator::Negate, index, wide, span);
        } else {
            let promoted = self.types.promoted(index.ty);
            index = self.convert(index, promoted);
        }
        if matches!(index.kind, ExpressionKind::Integer(0)) {
            return Ok(pointer);
        }
        let kind = ExpressionKind::Offset(Box::new(pointer.expression), Box::new(index), size);
        Ok(Value { expression: Expression { kind, ty, span }, constness: pointer.constness })
    }

    fn distance(&mut self, one: Value, other: Value, span: Span) -> Outcome<Expression> {
        let to = self.types.pointee(one.expression.ty).expect("it is a pointer");
        self.needs_size(to, span)?;
        let size = self.types.stride(to);
        let ty = self.types.difference();
        let other = self.convert(other.expression, one.expression.ty);
        let kind = ExpressionKind::Distance(Box::new(one.expression), Box::new(other), size);
        Ok(Expression { kind, ty, span })
    }

    /// A value as it is assigned, passed or returned: converted if the standard, or a compiler with a warning, allows it.
    pub(super) fn assigned(&mut self, value: Expression, to: TypeId, what: &str) -> Outcome<Expression> {
        let span = value.span;
        let fits = match (self.types.get(value.ty).clone(), self.types.get(to).clone()) {
            _ if value.ty == to => true,
            (Type::Integer(_) | Type::Float(_), Type::Integer(_) | Type::Float(_)) => true,
            (Type::Pointer(_), Type::Integer(integer)) if integer.rank == crate::ir::Rank::Bool => true,
            (Type::Pointer(from), Type::Pointer(into)) => {
                let is_loose = self.types.is_void(from) || self.types.is_void(into);
                if !is_loose && !self.types.compatible(from, into) && !self.is_character_pair(from, into) {
                    let (from, into) = (self.types.show(value.ty), self.types.show(to));
                    self.warn(span, format!("{what}: `{from}` becomes `{into}`"));
                }
                true
            }
            (Type::Integer(_), Type::Pointer(_)) => {
                if !is_null_constant(&value) {
                    self.warn(span, format!("{what}: a number becomes a pointer"));
                }
                true
            }
            (Type::Pointer(_), Type::Integer(_)) => {
                self.warn(span, format!("{what}: a pointer becomes a number"));
                true
            }
            _ => false,
        };
        if !fits {
            let (from, into) = (self.types.show(value.ty), self.types.show(to));
            return Err(self.error(span, format!("{what}: `{from}` does not become `{into}`")));
        }
        Ok(self.convert(value, to))
    }

    /// Whether two types are characters that differ in their signs only.
    fn is_character_pair(&self, one: TypeId, other: TypeId) -> bool {
        match (self.types.integer(one), self.types.integer(other)) {
            (Some(one), Some(other)) => one.rank == other.rank,
            _ => false,
        }
    }

    pub(super) fn cast(&mut self, cast: &ast::CastExpression, span: Span) -> Outcome<Operand> {
        let declared = self.type_name(&cast.type_name)?;
        if self.types.is_void(declared.ty) {
            self.discard(&cast.expression)?;
            return Ok(Operand::Void(span));
        }
        let operand = self.operand(&cast.expression)?;
        if let Operand::Place(place, access) = &operand
            && self.types.is_composite(place.ty)
            && place.ty == declared.ty
        {
            return Ok(Operand::Place(
                place.clone(),
                super::expression::Access { is_result: true, ..*access },
            ));
        }
        let value = self.value_of(operand)?.expression;
        let fits = match (self.types.get(value.ty), self.types.get(declared.ty)) {
            (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_)) => false,
            (_, to) => matches!(to, Type::Integer(_) | Type::Float(_) | Type::Pointer(_)),
        };
        if !fits {
            let (from, to) = (self.types.show(value.ty), self.types.show(declared.ty));
            if self.types.is_composite(declared.ty) && self.is_union(declared.ty) {
                return self.unsupported_of_type(span, "a cast to a union", declared.ty);
            }
            return Err(self.error(span, format!("`{from}` cannot be cast to `{to}`")));
        }
        let expression = self.convert(value, declared.ty);
        let expression = Expression { span, ..expression };
        Ok(Operand::Value(Value { expression, constness: declared.constness >> 1 }))
    }
}
