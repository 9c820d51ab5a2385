//! `?:`: an expression where its operands are pure, else branches that meet again.

use super::elaborate::{Elaborator, Outcome};
use super::expression::{Access, Operand, Value, is_null_constant};
use super::prepare::SAME;
use super::survey::key;
use crate::ir::{Asking, End, Expression, ExpressionKind, InstructionKind, TypeId};
use lang_c::ast;
use lang_c::span::Node;
use tertium_support::Span;

impl Elaborator<'_> {
    /// `c ? f() : g()` as a statement.
    pub(super) fn conditional_statement(
        &mut self,
        conditional: &ast::ConditionalExpression,
        span: Span,
    ) -> Outcome<()> {
        if is_same(&conditional.then_expression.node) {
            let operand = self.conditional(conditional, span)?;
            drop(operand);
            return Ok(());
        }
        let condition = self.scalar(&conditional.condition)?;
        let (then, otherwise, after) =
            (self.draft.new_block(), self.draft.new_block(), self.draft.new_block());
        self.branch(condition, then, otherwise, Asking::Operator, span);
        self.draft.go_on(then);
        self.discard(&conditional.then_expression)?;
        self.draft.end(End::Goto(after), span);
        self.draft.go_on(otherwise);
        self.discard(&conditional.else_expression)?;
        self.draft.end(End::Goto(after), span);
        self.draft.go_on(after);
        Ok(())
    }

    pub(super) fn conditional(
        &mut self,
        conditional: &ast::ConditionalExpression,
        span: Span,
    ) -> Outcome<Operand> {
        let is_same = is_same(&conditional.then_expression.node);
        let condition = self.value(&conditional.condition)?;
        let is_impure =
            |this: &Self, node: &Node<ast::Expression>| this.draft.impure.contains(&key(&node.node));
        let needs_branches =
            is_impure(self, &conditional.then_expression) || is_impure(self, &conditional.else_expression);
        if is_same {
            let constness = condition.constness;
            let kept = self.in_temporary(condition.expression);
            return self.branches(
                kept.clone(),
                Some(Value { expression: kept, constness }),
                conditional,
                span,
            );
        }
        if needs_branches && !self.draft.is_outside() && self.draft.unevaluated == 0 {
            return self.branches(condition.expression, None, conditional, span);
        }
        let then = self.operand(&conditional.then_expression)?;
        let otherwise = self.operand(&conditional.else_expression)?;
        let is_special = |operand: &Operand| match operand {
            Operand::Place(place, _) => self.types.is_composite(place.ty) || self.types.is_void(place.ty),
            Operand::Void(_) => true,
            _ => false,
        };
        if is_special(&then) || is_special(&otherwise) {
            if matches!(then, Operand::Void(_)) || matches!(otherwise, Operand::Void(_)) {
                return Ok(Operand::Void(span));
            }
            return self.branches(condition.expression, None, conditional, span);
        }
        let (then, otherwise) = (self.value_of(then)?, self.value_of(otherwise)?);
        let constness = then.constness | otherwise.constness;
        let ty = self.result_type(&then.expression, &otherwise.expression, span)?;
        let then = self.convert(then.expression, ty);
        let otherwise = self.convert(otherwise.expression, ty);
        let expression = match condition.expression.kind {
            ExpressionKind::Integer(0) => otherwise,
            ExpressionKind::Integer(_) => then,
            _ => {
                let parts = (Box::new(condition.expression), Box::new(then), Box::new(otherwise));
                Expression { kind: ExpressionKind::Conditional(parts.0, parts.1, parts.2), ty, span }
            }
        };
        Ok(Operand::Value(Value { expression, constness }))
    }

    /// `?:` with operands that do something, or are structures.
    fn branches(
        &mut self,
        condition: Expression,
        same: Option<Value>,
        conditional: &ast::ConditionalExpression,
        span: Span,
    ) -> Outcome<Operand> {
        let blocks = (self.draft.new_block(), self.draft.new_block(), self.draft.new_block());
        self.branch(condition, blocks.0, blocks.1, Asking::Operator, span);
        self.draft.go_on(blocks.0);
        let then = match same {
            Some(value) => Operand::Value(value),
            None => self.operand(&conditional.then_expression)?,
        };
        let then = self.without_place(then)?;
        let end_of_then = self.draft.current;
        self.draft.go_on(blocks.1);
        let otherwise = self.operand(&conditional.else_expression)?;
        let otherwise = self.without_place(otherwise)?;
        let result = match (&then, &otherwise) {
            (Operand::Place(one, _), Operand::Place(other, _)) => {
                if one.ty != other.ty {
                    return Err(self.error(span, "the two sides have different types"));
                }
                let local = self.draft.temporary(one.ty, span);
                Some(self.local_place(local, span))
            }
            (Operand::Void(_), _) | (_, Operand::Void(_)) => None,
            _ => {
                let (one, other) = (self.value_of(then.clone())?, self.value_of(otherwise.clone())?);
                let ty = self.result_type(&one.expression, &other.expression, span)?;
                let local = self.draft.temporary(ty, span);
                Some(self.local_place(local, span))
            }
        };
        for (operand, block) in [(otherwise, None), (then, Some(end_of_then))] {
            if let Some(block) = block {
                self.draft.go_on(tertium_support::Id::new(block));
            }
            if let Some(to) = &result {
                match operand {
                    Operand::Place(from, _) => {
                        self.draft.emit(InstructionKind::Copy { to: to.clone(), from }, span);
                    }
                    other => {
                        let value = self.value_of(other)?.expression;
                        let value = self.convert(value, to.ty);
                        self.assign(to.clone(), value, span);
                    }
                }
            }
            self.draft.end(End::Goto(blocks.2), span);
        }
        self.draft.go_on(blocks.2);
        Ok(match result {
            None => Operand::Void(span),
            Some(place) if self.types.is_composite(place.ty) => {
                Operand::Place(place, Access { is_result: true, ..Access::default() })
            }
            Some(place) => self.read(place).into(),
        })
    }

    /// The type of `c ? one : other`.
    fn result_type(&mut self, one: &Expression, other: &Expression, span: Span) -> Outcome<TypeId> {
        if self.types.is_arithmetic(one.ty) && self.types.is_arithmetic(other.ty) {
            return Ok(self.types.common(one.ty, other.ty));
        }
        let is_void_pointer =
            |this: &Self, ty| this.types.pointee(ty).is_some_and(|to| this.types.is_void(to));
        let is_null = |value: &Expression| is_null_constant(value);
        match (self.types.is_pointer(one.ty), self.types.is_pointer(other.ty)) {
            (true, true) if is_null(one) && is_void_pointer(self, one.ty) => Ok(other.ty),
            (true, true) if is_null(other) && is_void_pointer(self, other.ty) => Ok(one.ty),
            (true, true) if is_void_pointer(self, other.ty) => Ok(other.ty),
            (true, _) => Ok(one.ty),
            (_, true) => Ok(other.ty),
            _ => Err(self.error(span, "the two sides do not fit together")),
        }
    }
}

/// Whether an operand stands for the condition of `a ?: b`.
fn is_same(expression: &ast::Expression) -> bool {
    matches!(expression, ast::Expression::Identifier(name) if name.node.name == SAME.trim())
}
