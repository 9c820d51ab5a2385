//! Assignments, and `++` and `--`.

use super::elaborate::{Elaborator, Outcome};
use super::expression::{Access, Operand, Value};
use crate::ir::{Base, Expression, ExpressionKind, InstructionKind, Place, Step, Type};
use lang_c::ast;
use lang_c::span::Node;
use tertium_support::Span;

/// Whether an operator is `++` or `--`.
pub(super) fn is_step(operator: &ast::UnaryOperator) -> bool {
    use ast::UnaryOperator::{PostDecrement, PostIncrement, PreDecrement, PreIncrement};
    matches!(operator, PostDecrement | PostIncrement | PreDecrement | PreIncrement)
}

/// Whether an operator assigns.
pub(super) fn is_assignment(operator: &ast::BinaryOperator) -> bool {
    *operator == ast::BinaryOperator::Assign || plain(operator).is_some()
}

/// The operator in a compound assignment.
fn plain(operator: &ast::BinaryOperator) -> Option<ast::BinaryOperator> {
    use ast::BinaryOperator as Op;
    Some(match operator {
        Op::AssignMultiply => Op::Multiply,
        Op::AssignDivide => Op::Divide,
        Op::AssignModulo => Op::Modulo,
        Op::AssignPlus => Op::Plus,
        Op::AssignMinus => Op::Minus,
        Op::AssignShiftLeft => Op::ShiftLeft,
        Op::AssignShiftRight => Op::ShiftRight,
        Op::AssignBitwiseAnd => Op::BitwiseAnd,
        Op::AssignBitwiseXor => Op::BitwiseXor,
        Op::AssignBitwiseOr => Op::BitwiseOr,
        _ => return None,
    })
}

/// Whether a place is the same wherever it is evaluated: a variable or a fixed part of one.
fn is_fixed(place: &Place) -> bool {
    matches!(place.base, Base::Local(_) | Base::Global(_))
        && place.path.iter().all(|step| match step {
            Step::Member(_) => true,
            Step::Element(index) => matches!(index.kind, ExpressionKind::Integer(_)),
        })
}

impl Elaborator<'_> {
    /// A place that can be assigned.
    fn target_of_assignment(&mut self, expression: &Node<ast::Expression>) -> Outcome<(Place, Access)> {
        let span = self.span(expression.span);
        let (place, access) = match self.operand(expression)? {
            Operand::Place(place, access) if !access.is_result => (place, access),
            _ => return Err(self.error(span, "this cannot be assigned: it is not a place")),
        };
        if access.constness & 1 == 1 {
            return Err(self.error(span, "this is `const` and cannot be assigned"));
        }
        if matches!(self.types.get(place.ty), Type::Array(..) | Type::Function(..) | Type::Void) {
            let shown = self.types.show(place.ty);
            return Err(self.error(span, format!("`{shown}` cannot be assigned")));
        }
        self.needs_size(place.ty, span)?;
        Ok((place, access))
    }

    /// `=` and its kin. The result is of use only if it is wanted.
    pub(super) fn assignment(
        &mut self,
        binary: &ast::BinaryOperatorExpression,
        span: Span,
        is_wanted: bool,
    ) -> Outcome<Operand> {
        let (place, access) = self.target_of_assignment(&binary.lhs)?;
        let mark = self.draft.mark();
        if let Some(operator) = plain(&binary.operator.node) {
            let other = self.value(&binary.rhs)?;
            let place = self.protect_place(mark, place);
            let old = Value { expression: self.read(place.clone()), constness: access.constness >> 1 };
            let new = self.arithmetic(&operator, old, other, span)?;
            return self.store(place, access, new.expression, span, is_wanted);
        }
        if self.types.is_composite(place.ty) {
            let from = self.operand(&binary.rhs)?;
            let place = self.protect_place(mark, place);
            self.copy(&place, from, span)?;
            return Ok(Operand::Place(place, Access { is_result: true, ..access }));
        }
        let value = self.scalar(&binary.rhs)?;
        let place = self.protect_place(mark, place);
        self.store(place, access, value, span, is_wanted)
    }

    /// Copies a structure or union.
    pub(super) fn copy(&mut self, to: &Place, from: Operand, span: Span) -> Outcome<()> {
        let from = match from {
            Operand::Place(from, _) if from.ty == to.ty => from,
            _ => {
                let shown = self.types.show(to.ty);
                return Err(self.error(span, format!("only another `{shown}` can be assigned here")));
            }
        };
        if let (Base::Local(local), true, true) = (&from.base, from.path.is_empty(), is_fixed(to))
            && self.draft.retarget(*local, Some(to.clone()))
        {
            return Ok(());
        }
        self.draft.emit(InstructionKind::Copy { to: to.clone(), from }, span);
        Ok(())
    }

    /// Writes a value.
    fn store(
        &mut self,
        place: Place,
        access: Access,
        value: Expression,
        span: Span,
        is_wanted: bool,
    ) -> Outcome<Operand> {
        let constness = access.constness >> 1;
        let value = self.assigned(value, place.ty, "this assignment")?;
        if is_fixed(&place) {
            self.write(place.clone(), value, span);
            let place = Place { span, ..place };
            return Ok(Operand::Value(Value { expression: self.read(place), constness }));
        }
        let value = if is_wanted { self.in_temporary(value) } else { value };
        self.assign(place, value.clone(), span);
        Ok(Operand::Value(Value { expression: value, constness }))
    }

    /// Writes a value of the right type to a place; the call that just gave it writes it itself.
    pub(super) fn write(&mut self, place: Place, value: Expression, span: Span) {
        if let ExpressionKind::Read(from) = &value.kind
            && let (Base::Local(local), true, true) = (&from.base, from.path.is_empty(), is_fixed(&place))
            && from.ty == place.ty
            && self.draft.retarget(*local, Some(place.clone()))
        {
            return;
        }
        self.assign(place, value, span);
    }

    /// `++` and `--`.
    pub(super) fn step(
        &mut self,
        unary: &ast::UnaryOperatorExpression,
        span: Span,
        is_wanted: bool,
    ) -> Outcome<Operand> {
        use ast::UnaryOperator::{PostDecrement, PostIncrement, PreIncrement};
        let (place, access) = self.target_of_assignment(&unary.operand)?;
        if !self.types.is_scalar(place.ty) {
            let shown = self.types.show(place.ty);
            return Err(self.error(span, format!("`{shown}` has no next value")));
        }
        let is_up = matches!(unary.operator.node, PostIncrement | PreIncrement);
        let is_post = matches!(unary.operator.node, PostIncrement | PostDecrement);
        let constness = access.constness >> 1;
        let place = Place { span, ..place };
        let mut old = self.read(place.clone());
        if is_post && is_wanted {
            old = self.in_temporary(old);
        }
        let one = self.int(1, span);
        let operator = if is_up { ast::BinaryOperator::Plus } else { ast::BinaryOperator::Minus };
        let new =
            self.arithmetic(&operator, Value { expression: old.clone(), constness }, one.into(), span)?;
        let result = self.store(place, access, new.expression, span, is_wanted && !is_post)?;
        Ok(if is_post { Operand::Value(Value { expression: old, constness }) } else { result })
    }
}
