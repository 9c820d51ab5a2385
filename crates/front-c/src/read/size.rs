//! Sizes, alignments, offsets of members, and `_Generic`: what depends on types alone.

use super::elaborate::{Elaborator, Outcome};
use super::expression::Operand;
use super::scope::Symbol;
use crate::ir::{BinaryOperator, Expression, Step, Type, TypeId};
use lang_c::ast;
use lang_c::span::Node;
use tertium_support::{Id, Span};

impl Elaborator<'_> {
    fn size_value(&mut self, ty: TypeId, span: Span) -> Outcome<Expression> {
        let size = match self.types.get(ty) {
            // As GNU C has it.
            Type::Void | Type::Function(..) => 1,
            _ => match self.types.size_of(ty) {
                Some(size) => size,
                None => {
                    let shown = self.types.show(ty);
                    return Err(self.error(span, format!("`{shown}` is incomplete and has no size")));
                }
            },
        };
        let own = self.types.size();
        Ok(self.integer(i128::from(size), own, span))
    }

    pub(super) fn size_of_type_name(
        &mut self,
        name: &Node<ast::TypeName>,
        span: Span,
    ) -> Outcome<Expression> {
        let declared = self.type_name(name)?;
        let size = self.size_value(declared.ty, span)?;
        match declared.length {
            None => Ok(size),
            Some(length) => {
                let ty = self.types.size();
                let length = self.convert(length, ty);
                Ok(self.binary(BinaryOperator::Multiply, length, size, ty, span))
            }
        }
    }

    pub(super) fn size_of_operand(
        &mut self,
        operand: &Node<ast::Expression>,
        span: Span,
    ) -> Outcome<Expression> {
        if let ast::Expression::Identifier(name) = &operand.node
            && let Some((Symbol::Variable(_, size), _)) = self.scopes.find(&name.node.name)
        {
            return Ok(self.read_local(size, span));
        }
        let (ty, _) = self.type_of_operand(operand, span)?;
        self.size_value(ty, span)
    }

    /// The type of what is not evaluated, and whether it is a member of something.
    fn type_of_operand(&mut self, operand: &Node<ast::Expression>, span: Span) -> Outcome<(TypeId, bool)> {
        self.draft.unevaluated += 1;
        let found = self.operand(operand);
        self.draft.unevaluated -= 1;
        Ok(match found? {
            Operand::Place(_, access) if access.is_bit_field => {
                return Err(self.error(span, "a bit-field has neither size nor alignment"));
            }
            Operand::Place(place, _) => {
                (place.ty, place.path.iter().any(|step| matches!(step, Step::Member(_))))
            }
            Operand::Value(value) => (value.expression.ty, false),
            Operand::Function(function, _) => (self.function_states[function.index()].ty, false),
            Operand::Void(_) => (self.types.void(), false),
        })
    }

    /// Whether `sizeof` stands for a word that asks for the alignment, and whether for that which gcc prefers. The expression may begin
    /// with brackets.
    pub(super) fn asks_alignment(&self, whole: Span, operand: lang_c::span::Span) -> Option<bool> {
        let before = whole.start..self.span(operand).start;
        self.prepared.marks.alignments.range(before).next_back().map(|(_, &is_preferred)| is_preferred)
    }

    pub(super) fn alignment_of_type_name(
        &mut self,
        name: &Node<ast::TypeName>,
        is_preferred: bool,
        span: Span,
    ) -> Outcome<Expression> {
        let ty = self.type_name(name)?.ty;
        Ok(self.alignment_value(ty, is_preferred, span))
    }

    pub(super) fn alignment_of_operand(
        &mut self,
        operand: &Node<ast::Expression>,
        is_preferred: bool,
        span: Span,
    ) -> Outcome<Expression> {
        let (ty, is_member) = self.type_of_operand(operand, span)?;
        Ok(self.alignment_value(ty, is_preferred && !is_member, span))
    }

    fn alignment_value(&mut self, ty: TypeId, is_preferred: bool, span: Span) -> Expression {
        let alignment =
            if is_preferred { self.types.preferred_alignment_of(ty) } else { self.types.alignment_of(ty) };
        let own = self.types.size();
        self.integer(i128::from(alignment), own, span)
    }

    pub(super) fn offset_of(&mut self, offset: &ast::OffsetOfExpression, span: Span) -> Outcome<Expression> {
        let declared = self.type_name(&offset.type_name)?;
        let mut at = 0i128;
        let mut ty = declared.ty;
        self.member_offset(&mut ty, &mut at, &offset.designator.node.base)?;
        for member in &offset.designator.node.members {
            match &member.node {
                ast::OffsetMember::Member(name) | ast::OffsetMember::IndirectMember(name) => {
                    self.member_offset(&mut ty, &mut at, name)?;
                }
                ast::OffsetMember::Index(index) => {
                    let (number, _) = self.constant(index, "the index of an offset")?;
                    let Type::Array(element, _) = *self.types.get(ty) else {
                        return Err(self.error(span, "this is not an array"));
                    };
                    at = number
                        .checked_mul(i128::from(self.types.stride(element)))
                        .and_then(|more| at.checked_add(more))
                        .ok_or_else(|| self.error(span, "this offset is too large"))?;
                    ty = element;
                }
            }
        }
        let own = self.types.size();
        Ok(self.integer(at, own, span))
    }

    fn member_offset(&mut self, ty: &mut TypeId, at: &mut i128, name: &Node<ast::Identifier>) -> Outcome<()> {
        let span = self.span(name.span);
        let members = match self.types.get(*ty) {
            Type::Composite(id) => self.types.composite(*id).members.as_deref().unwrap_or(&[]),
            _ => &[],
        };
        let Some(member) = members.iter().find(|member| member.name == name.node.name) else {
            let shown = self.types.show(*ty);
            return Err(self.error(span, format!("`{shown}` has no member `{}`", name.node.name)));
        };
        *at += i128::from(member.offset);
        *ty = member.ty;
        Ok(())
    }

    pub(super) fn generic_selection(
        &mut self,
        selection: &ast::GenericSelection,
        span: Span,
    ) -> Outcome<Operand> {
        self.draft.unevaluated += 1;
        let value = self.value(&selection.expression);
        self.draft.unevaluated -= 1;
        let ty = value?.expression.ty;
        let mut chosen = None;
        for association in &selection.associations {
            match &association.node {
                ast::GenericAssociation::Default(expression) => chosen = chosen.or(Some(expression)),
                ast::GenericAssociation::Type(own) => {
                    if self.type_name(&own.node.type_name)?.ty == ty {
                        chosen = Some(&own.node.expression);
                        break;
                    }
                }
            }
        }
        match chosen {
            Some(expression) => self.operand(expression),
            None => Err(self.error(span, "none of these types fits")),
        }
    }
}
