//! Expressions: what they mean, with all side effects written as instructions in the order of the standard.
//!
//! Reading an expression gives an [`Operand`]; what it does on the way is in the draft by then. Chains of operators that associate to
//! the left are walked in a loop.

use super::elaborate::{Elaborator, Outcome};
use super::scope::Symbol;
use super::survey::key;
use crate::ir::{
    Asking, Base, BinaryOperator, BlockId, End, Expression, ExpressionKind, FunctionId, InstructionKind,
    Place, Step, Type, TypeId,
};
use lang_c::ast;
use lang_c::span::Node;
use tertium_support::{Diagnostic, Span, nearest_names};

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// A value.
    Value(Value),
    /// A place, and how it may be used. Of any type but `void` and functions.
    Place(Place, Access),
    /// A function.
    Function(FunctionId, Span),
    /// Nothing.
    Void(Span),
}

/// A scalar value.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) expression: Expression,
    /// Which levels of what it points to are `const`: the first bit is for what it points to itself.
    pub(super) constness: u32,
}

/// How a place may be used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Access {
    /// Which levels are `const`: the first bit is for the place itself.
    pub(super) constness: u32,
    /// Whether it is only the result of a call, not something that can be assigned.
    pub(super) is_result: bool,
    /// Whether it is a bit-field.
    pub(super) is_bit_field: bool,
}

impl From<Expression> for Value {
    fn from(expression: Expression) -> Self {
        Self { expression, constness: 0 }
    }
}

impl From<Expression> for Operand {
    fn from(expression: Expression) -> Self {
        Self::Value(expression.into())
    }
}

impl Elaborator<'_> {
    /// Reads an expression.
    pub(super) fn operand(&mut self, expression: &Node<ast::Expression>) -> Outcome<Operand> {
        let operand = self.operand_as_it_is(expression)?;
        let is_cut = self.draft.too_deep.contains(&key(&expression.node)) && !self.draft.is_outside();
        match operand {
            Operand::Value(value) if is_cut && self.draft.unevaluated == 0 => {
                let constness = value.constness;
                let expression = self.in_temporary(value.expression);
                Ok(Operand::Value(Value { expression, constness }))
            }
            other => Ok(other),
        }
    }

    fn operand_as_it_is(&mut self, expression: &Node<ast::Expression>) -> Outcome<Operand> {
        let span = self.span(expression.span);
        if !self.watch.goes_on(1) {
            return Err(super::elaborate::Reported);
        }
        match &expression.node {
            ast::Expression::Identifier(name) => self.name(&name.node.name, span),
            ast::Expression::Constant(constant) => match &constant.node {
                ast::Constant::Integer(integer) => Ok(self.integer_literal(integer, span)?.into()),
                ast::Constant::Float(float) => Ok(self.float_literal(float, span)?.into()),
                ast::Constant::Character(text) => Ok(self.character_literal(text, span)?.into()),
            },
            ast::Expression::StringLiteral(parts) => {
                Ok(Operand::Place(self.string_literal(&parts.node, span)?, Access::default()))
            }
            ast::Expression::Member(member) => self.member(&member.node, span),
            ast::Expression::Call(call) => self.call(&call.node, span, true),
            ast::Expression::UnaryOperator(unary) => self.unary_operator(&unary.node, span),
            ast::Expression::BinaryOperator(_) => self.binary_operator(expression, span),
            ast::Expression::Conditional(conditional) => self.conditional(&conditional.node, span),
            ast::Expression::Comma(parts) => {
                let Some((last, before)) = parts.split_last() else { return Ok(Operand::Void(span)) };
                for part in before {
                    self.discard(part)?;
                }
                let last = self.operand(last)?;
                self.without_place(last)
            }
            ast::Expression::Cast(cast) => self.cast(&cast.node, span),
            ast::Expression::SizeOfTy(size) => {
                let name = &size.node.0;
                Ok(match self.asks_alignment(span, name.span) {
                    Some(is_preferred) => self.alignment_of_type_name(name, is_preferred, span)?.into(),
                    None => self.size_of_type_name(name, span)?.into(),
                })
            }
            ast::Expression::SizeOfVal(size) => {
                let operand = &size.node.0;
                Ok(match self.asks_alignment(span, operand.span) {
                    Some(is_preferred) => self.alignment_of_operand(operand, is_preferred, span)?.into(),
                    None => self.size_of_operand(operand, span)?.into(),
                })
            }
            ast::Expression::AlignOf(align) => {
                Ok(self.alignment_of_type_name(&align.node.0, false, span)?.into())
            }
            ast::Expression::OffsetOf(offset) => Ok(self.offset_of(&offset.node, span)?.into()),
            ast::Expression::VaArg(access) => {
                let declared = self.type_name(&access.node.type_name)?;
                self.unsupported_of_type(span, "variable arguments", declared.ty)
            }
            ast::Expression::CompoundLiteral(literal) => self.compound_literal(&literal.node, span),
            ast::Expression::GenericSelection(selection) => self.generic_selection(&selection.node, span),
            ast::Expression::Statement(statement) => self.statement_expression(statement, span),
        }
    }

    /// Something of a type that is not supported.
    pub(super) fn unsupported_of_type(&mut self, span: Span, what: &str, ty: TypeId) -> Outcome<Operand> {
        if self.types.is_scalar(ty) {
            return Ok(self.unsupported_value(span, what, ty).into());
        }
        let number = self.unsupported(span, what);
        self.draft.emit(InstructionKind::Unsupported(number), span);
        if self.types.size_of(ty).is_none() {
            return Ok(Operand::Void(span));
        }
        let local = self.draft.temporary(ty, span);
        Ok(Operand::Place(self.local_place(local, span), Access { is_result: true, ..Access::default() }))
    }

    fn name(&mut self, name: &str, span: Span) -> Outcome<Operand> {
        if self.prepared.marks.label_addresses.contains(&span.start) {
            let void = self.types.void();
            let ty = self.types.pointer(void);
            return Ok(self.unsupported_value(span, "the address of a label", ty).into());
        }
        let found = self.scopes.find(name).map(|(symbol, _)| symbol);
        if matches!(found, Some(Symbol::Global(..) | Symbol::Function(_))) {
            self.uses_renamed(name, span);
        }
        match found {
            Some(Symbol::Local(local, constness)) => {
                Ok(Operand::Place(self.local_place(local, span), Access { constness, ..Access::default() }))
            }
            Some(Symbol::Global(global, constness)) => {
                Ok(Operand::Place(self.global_place(global, span), Access { constness, ..Access::default() }))
            }
            Some(Symbol::Variable(pointer, _)) => Ok(self.read_local(pointer, span).into()),
            Some(Symbol::Function(function)) => Ok(Operand::Function(function, span)),
            Some(Symbol::Constant(value, ty)) => Ok(self.integer(value, ty, span).into()),
            Some(Symbol::Type(..)) => {
                Err(self.error(span, format!("`{name}` is a type, but a value is needed here")))
            }
            Some(Symbol::Broken) => Err(super::elaborate::Reported),
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let text = format!("\"{}\"", self.draft.name);
                Ok(Operand::Place(self.string_literal(&[text], span)?, Access::default()))
            }
            None => Err(self.undeclared(name, span)),
        }
    }

    pub(super) fn undeclared(&mut self, name: &str, span: Span) -> super::elaborate::Reported {
        let near = nearest_names(name, self.scopes.names());
        let mut found = Diagnostic::error(span, format!("`{name}` is not declared"));
        if let Some(near) = near.first() {
            found = found.with_note(format!("did you mean `{near}`?"));
        }
        // Once is enough.
        self.scopes.declare(name, Symbol::Broken, span);
        self.complain(found)
    }

    /// The value of an expression: places are read, arrays and functions become pointers.
    pub(super) fn value(&mut self, expression: &Node<ast::Expression>) -> Outcome<Value> {
        let operand = self.operand(expression)?;
        self.value_of(operand)
    }

    pub(super) fn value_of(&mut self, operand: Operand) -> Outcome<Value> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Function(function, span) => Ok(self.function_value(function, span).into()),
            Operand::Void(span) => Err(self.error(span, "this has no value")),
            Operand::Place(place, access) => match self.types.get(place.ty).clone() {
                Type::Array(element, _) => {
                    let expression = self.decayed(place, element);
                    Ok(Value { expression, constness: access.constness })
                }
                Type::Composite(_) => {
                    let shown = self.types.show(place.ty);
                    Err(self.error(place.span, format!("a number or pointer is needed here, not `{shown}`")))
                }
                Type::Void => Err(self.error(place.span, "this has no value")),
                Type::Function(..) => {
                    let expression = self.address_of(place);
                    Ok(expression.into())
                }
                Type::Integer(_) | Type::Float(_) | Type::Pointer(_) => {
                    Ok(Value { expression: self.read(place), constness: access.constness >> 1 })
                }
            },
        }
    }

    /// The pointer to the first element of an array.
    pub(super) fn decayed(&mut self, mut place: Place, element: TypeId) -> Expression {
        let span = place.span;
        let index = self.int(0, span);
        self.mark_address(&place.base);
        place.path.push(Step::Element(index));
        place.ty = element;
        let ty = self.types.pointer(element);
        Expression { kind: ExpressionKind::AddressOf(Box::new(place)), ty, span }
    }

    /// The same, but not as something that can be assigned.
    pub(super) fn without_place(&mut self, operand: Operand) -> Outcome<Operand> {
        match operand {
            Operand::Place(place, access) if self.types.is_composite(place.ty) => {
                Ok(Operand::Place(place, Access { is_result: true, ..access }))
            }
            Operand::Place(place, _) if self.types.is_void(place.ty) => Ok(Operand::Void(place.span)),
            Operand::Place(..) => Ok(Operand::Value(self.value_of(operand)?)),
            other => Ok(other),
        }
    }

    /// A scalar value.
    pub(super) fn scalar(&mut self, expression: &Node<ast::Expression>) -> Outcome<Expression> {
        Ok(self.value(expression)?.expression)
    }

    /// Does what an expression does, and drops its value.
    pub(super) fn discard(&mut self, expression: &Node<ast::Expression>) -> Outcome<()> {
        let span = self.span(expression.span);
        let operand = match &expression.node {
            ast::Expression::Call(call) => self.call(&call.node, span, false)?,
            ast::Expression::UnaryOperator(unary) if super::assign::is_step(&unary.node.operator.node) => {
                return self.step(&unary.node, span, false).map(drop);
            }
            ast::Expression::BinaryOperator(binary)
                if super::assign::is_assignment(&binary.node.operator.node) =>
            {
                return self.assignment(&binary.node, span, false).map(drop);
            }
            ast::Expression::Comma(parts) => {
                return parts.iter().try_for_each(|part| self.discard(part));
            }
            ast::Expression::Cast(cast) if self.is_void_name(&cast.node.type_name) => {
                return self.discard(&cast.node.expression);
            }
            ast::Expression::Conditional(conditional)
                if self.draft.impure.contains(&key(&expression.node)) =>
            {
                return self.conditional_statement(&conditional.node, span);
            }
            _ => self.operand(expression)?,
        };
        if let Operand::Value(value) = operand
            && self.draft.unevaluated == 0
            && can_go_wrong(&value.expression)
        {
            self.draft.emit(InstructionKind::Evaluate(value.expression), span);
        }
        Ok(())
    }

    /// Ends the block by a condition; by a jump if it is constant.
    pub(super) fn branch(
        &mut self,
        condition: Expression,
        then: BlockId,
        otherwise: BlockId,
        asks: Asking,
        span: Span,
    ) {
        let end = match condition.kind {
            ExpressionKind::Integer(0) => End::Goto(otherwise),
            ExpressionKind::Integer(_) => End::Goto(then),
            _ => End::Branch { condition, then, otherwise, asks },
        };
        self.draft.end(end, span);
    }

    fn member(&mut self, member: &ast::MemberExpression, span: Span) -> Outcome<Operand> {
        let (mut place, access) = match member.operator.node {
            ast::MemberOperator::Direct => match self.operand(&member.expression)? {
                Operand::Place(place, access) => (place, access),
                _ => {
                    let inner = self.span(member.expression.span);
                    return Err(self.error(inner, "this is not a structure or union"));
                }
            },
            ast::MemberOperator::Indirect => {
                let pointer = self.value(&member.expression)?;
                match self.target(pointer, span)? {
                    Operand::Place(place, access) => (place, access),
                    _ => return Err(self.error(span, "this is not a pointer to a structure or union")),
                }
            }
        };
        let name = &member.identifier.node.name;
        let Type::Composite(id) = *self.types.get(place.ty) else {
            let shown = self.types.show(place.ty);
            let inner = self.span(member.expression.span);
            return Err(self.error(inner, format!("`{shown}` has no members")));
        };
        let own = self.types.composite(id);
        let Some(members) = &own.members else {
            let message = format!("`{}` is incomplete: its members are not known", own.name);
            return Err(self.error(span, message));
        };
        let Some(number) = members.iter().position(|member| &member.name == name) else {
            let message = format!("`{}` has no member `{name}`", own.name);
            let near = nearest_names(name, members.iter().map(|member| member.name.as_str()));
            let place = self.span(member.identifier.span);
            let mut found = Diagnostic::error(place, message);
            if let Some(near) = near.first() {
                found = found.with_note(format!("did you mean `{near}`?"));
            }
            return Err(self.complain(found));
        };
        let constness =
            self.types.member_constness[tertium_support::Id::index(id)][number] | (access.constness & 1);
        let access = Access { constness, is_bit_field: members[number].bit_field.is_some(), ..access };
        place.ty = members[number].ty;
        place.path.push(Step::Member(number));
        place.span = span;
        Ok(Operand::Place(place, access))
    }

    /// What a pointer points to.
    pub(super) fn target(&mut self, pointer: Value, span: Span) -> Outcome<Operand> {
        let Some(to) = self.types.pointee(pointer.expression.ty) else {
            let shown = self.types.show(pointer.expression.ty);
            return Err(self.error(span, format!("this needs a pointer, not `{shown}`")));
        };
        if self.types.is_function(to) {
            return Ok(Operand::Value(pointer));
        }
        let access = Access { constness: pointer.constness, ..Access::default() };
        let place = match pointer.expression.kind {
            ExpressionKind::AddressOf(place) if place.ty == to => Place { span, ..*place },
            ExpressionKind::Offset(base, index, _) if is_first_element(&base, to) => {
                let ExpressionKind::AddressOf(mut place) = base.kind else {
                    unreachable!("it was just looked at")
                };
                *place.path.last_mut().expect("it ends with an element") = Step::Element(*index);
                Place { span, ..*place }
            }
            kind => {
                let pointer = Expression { kind, ..pointer.expression };
                Place { base: Base::Pointer(pointer), path: Vec::new(), ty: to, span }
            }
        };
        Ok(Operand::Place(place, access))
    }

    fn unary_operator(&mut self, unary: &ast::UnaryOperatorExpression, span: Span) -> Outcome<Operand> {
        use crate::ir::UnaryOperator as Op;
        match &unary.operator.node {
            ast::UnaryOperator::Address => self.address(&unary.operand, span),
            ast::UnaryOperator::Indirection => {
                let pointer = self.value(&unary.operand)?;
                self.target(pointer, span)
            }
            operator if super::assign::is_step(operator) => self.step(unary, span, true),
            ast::UnaryOperator::Negate => {
                let operand = self.scalar(&unary.operand)?;
                let int = self.types.int();
                Ok(self.unary(Op::Not, operand, int, span).into())
            }
            operator => {
                let operand = self.scalar(&unary.operand)?;
                let needs_integer = *operator == ast::UnaryOperator::Complement;
                let fits = if needs_integer {
                    self.types.integer(operand.ty).is_some()
                } else {
                    self.types.is_arithmetic(operand.ty)
                };
                if !fits {
                    let shown = self.types.show(operand.ty);
                    return Err(self.error(span, format!("this operator is not for `{shown}`")));
                }
                let ty = self.types.promoted(operand.ty);
                let operand = self.convert(operand, ty);
                Ok(match operator {
                    ast::UnaryOperator::Plus => Expression { span, ..operand }.into(),
                    ast::UnaryOperator::Minus => self.unary(Op::Negate, operand, ty, span).into(),
                    _ => self.unary(Op::Complement, operand, ty, span).into(),
                })
            }
        }
    }

    fn address(&mut self, operand: &Node<ast::Expression>, span: Span) -> Outcome<Operand> {
        if let ast::Expression::Identifier(name) = &operand.node
            && let Some((Symbol::Variable(pointer, _), _)) = self.scopes.find(&name.node.name)
        {
            // The pointer to an array of variable length is that to its first element here.
            return Ok(self.read_local(pointer, span).into());
        }
        match self.operand(operand)? {
            Operand::Function(function, _) => Ok(self.function_value(function, span).into()),
            Operand::Value(value)
                if self.types.pointee(value.expression.ty).is_some_and(|to| self.types.is_function(to)) =>
            {
                Ok(Operand::Value(value))
            }
            Operand::Place(_, access) if access.is_bit_field => {
                Err(self.error(span, "a bit-field has no address"))
            }
            Operand::Place(_, access) if access.is_result => {
                Err(self.error(span, "this is the result of a call, and has no address"))
            }
            Operand::Place(place, access) => {
                let expression = self.address_of(Place { span, ..place });
                Ok(Operand::Value(Value { expression, constness: access.constness }))
            }
            Operand::Value(_) | Operand::Void(_) => Err(self.error(span, "this has no address")),
        }
    }

    /// Operators with two operands. Those that associate to the left are read in a loop.
    fn binary_operator(&mut self, expression: &Node<ast::Expression>, span: Span) -> Outcome<Operand> {
        let mut chain = Vec::new();
        let mut first = expression;
        while let ast::Expression::BinaryOperator(binary) = &first.node {
            let operator = &binary.node.operator.node;
            if *operator == ast::BinaryOperator::Index || super::assign::is_assignment(operator) {
                break;
            }
            chain.push((first, binary));
            first = &binary.node.lhs;
        }
        let Some(last) = chain.last() else {
            let ast::Expression::BinaryOperator(binary) = &expression.node else {
                unreachable!("only these come here")
            };
            return match binary.node.operator.node {
                ast::BinaryOperator::Index => self.index(&binary.node, span),
                _ => self.assignment(&binary.node, span, true),
            };
        };
        let mut value = self.value(&last.1.node.lhs)?;
        for (node, binary) in chain.iter().rev() {
            if !self.watch.goes_on(1) {
                return Err(super::elaborate::Reported);
            }
            let span = self.span(node.span);
            value = match binary.node.operator.node {
                ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr => {
                    let is_and = binary.node.operator.node == ast::BinaryOperator::LogicalAnd;
                    self.logical(is_and, value.expression, &binary.node.rhs, span)?.into()
                }
                _ => {
                    let mark = self.draft.mark();
                    let other = self.value(&binary.node.rhs)?;
                    let one = Value { expression: self.protect(mark, value.expression), ..value };
                    self.arithmetic(&binary.node.operator.node, one, other, span)?
                }
            };
            let is_cut = self.draft.too_deep.contains(&key(&node.node)) && !self.draft.is_outside();
            if is_cut && self.draft.unevaluated == 0 {
                value.expression = self.in_temporary(value.expression);
            }
        }
        Ok(Operand::Value(value))
    }

    /// `&&` and `||`: branches if the second operand does something.
    fn logical(
        &mut self,
        is_and: bool,
        one: Expression,
        other: &Node<ast::Expression>,
        span: Span,
    ) -> Outcome<Expression> {
        let int = self.types.int();
        let operator = if is_and { BinaryOperator::LogicalAnd } else { BinaryOperator::LogicalOr };
        if !self.draft.impure.contains(&key(&other.node))
            || self.draft.is_outside()
            || self.draft.unevaluated > 0
        {
            let other = self.scalar(other)?;
            return Ok(self.binary(operator, one, other, int, span));
        }
        let (more, short, after) = (self.draft.new_block(), self.draft.new_block(), self.draft.new_block());
        let (then, otherwise) = if is_and { (more, short) } else { (short, more) };
        self.branch(one, then, otherwise, Asking::Operator, span);
        let result = self.draft.temporary(int, span);
        self.draft.go_on(short);
        let value = self.int(i128::from(!is_and), span);
        self.assign(self.local_place(result, span), value, span);
        self.draft.end(End::Goto(after), span);
        self.draft.go_on(more);
        let other = self.scalar(other)?;
        let truth = self.truth(other);
        self.assign(self.local_place(result, span), truth, span);
        self.draft.end(End::Goto(after), span);
        self.draft.go_on(after);
        Ok(self.read_local(result, span))
    }

    /// 1 for values other than zero, else 0.
    pub(super) fn truth(&mut self, value: Expression) -> Expression {
        let int = self.types.int();
        if is_truth(&value) && value.ty == int {
            return value;
        }
        let span = value.span;
        let zero = self.integer(0, value.ty, span);
        let zero = match self.types.get(value.ty) {
            Type::Float(_) => Expression { kind: ExpressionKind::Float(0.0), ..zero },
            _ => zero,
        };
        self.binary(BinaryOperator::NotEqual, value, zero, int, span)
    }

    fn index(&mut self, binary: &ast::BinaryOperatorExpression, span: Span) -> Outcome<Operand> {
        // `a[i][j]…` associates to the left, but no deeper than the brackets that were counted.
        let one = self.operand(&binary.lhs)?;
        let mark = self.draft.mark();
        let other = self.operand(&binary.rhs)?;
        if let Operand::Place(place, access) = &one
            && let Type::Array(element, _) = *self.types.get(place.ty)
        {
            let index = self.value_of(other)?.expression;
            if self.types.integer(index.ty).is_none() {
                return Err(self.error(index.span, "an index must be an integer"));
            }
            let ty = self.types.promoted(index.ty);
            let index = self.convert(index, ty);
            let mut place = self.protect_place(mark, place.clone());
            place.path.push(Step::Element(index));
            place.ty = element;
            place.span = span;
            return Ok(Operand::Place(place, *access));
        }
        let one = self.value_of(one)?;
        let one = Value { expression: self.protect(mark, one.expression), ..one };
        let other = self.value_of(other)?;
        let (pointer, index) =
            if self.types.is_pointer(one.expression.ty) { (one, other) } else { (other, one) };
        if !self.types.is_pointer(pointer.expression.ty) || self.types.integer(index.expression.ty).is_none()
        {
            return Err(self.error(span, "an index needs an array or pointer, and an integer"));
        }
        let to = self.types.pointee(pointer.expression.ty).expect("it is a pointer");
        self.needs_size(to, span)?;
        let sum = self.arithmetic(&ast::BinaryOperator::Plus, pointer, index, span)?;
        self.target(sum, span)
    }

    /// Complains if steps over this type have no size.
    pub(super) fn needs_size(&mut self, ty: TypeId, span: Span) -> Outcome<()> {
        if self.types.size_of(ty).is_some() || self.types.is_void(ty) || self.types.is_function(ty) {
            return Ok(());
        }
        let shown = self.types.show(ty);
        Err(self.error(span, format!("`{shown}` is incomplete")))
    }
}

/// Whether a value is the constant zero.
pub(super) fn is_null_constant(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Integer(0) => true,
        ExpressionKind::Convert(operand) => is_null_constant(operand),
        _ => false,
    }
}

fn is_first_element(base: &Expression, ty: TypeId) -> bool {
    let ExpressionKind::AddressOf(place) = &base.kind else { return false };
    place.ty == ty
        && matches!(place.path.last(), Some(Step::Element(index)) if matches!(index.kind, ExpressionKind::Integer(0)))
}

/// Whether an expression is 0 or 1.
fn is_truth(value: &Expression) -> bool {
    use BinaryOperator::{AtMost, Equal, Less, LogicalAnd, LogicalOr, NotEqual};
    match &value.kind {
        ExpressionKind::Binary(operator, ..) => {
            matches!(operator, Equal | NotEqual | Less | AtMost | LogicalAnd | LogicalOr)
        }
        ExpressionKind::Unary(operator, _) => *operator == crate::ir::UnaryOperator::Not,
        ExpressionKind::Integer(value) => matches!(value, 0 | 1),
        _ => false,
    }
}

/// Whether the value of an expression that nobody needs may still be undefined or unsupported.
fn can_go_wrong(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Function(_) => false,
        ExpressionKind::AddressOf(place) | ExpressionKind::Read(place) => {
            !place.path.iter().all(|step| matches!(step, Step::Member(_)))
                || matches!(place.base, Base::Pointer(_))
        }
        _ => true,
    }
}
