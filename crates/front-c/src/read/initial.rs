//! Initialisers: a plan is carried out, by instructions or as initial values of the program.

use super::elaborate::{Elaborator, Outcome};
use super::expression::{Access, Operand};
use super::plan::{Item, PartStep, Plan, Source};
use crate::ir::{Base, Expression, ExpressionKind, Initial, InstructionKind, Place, Step, Type, TypeId};
use lang_c::ast;
use rustc_hash::FxHashSet;
use tertium_support::{Id, Span};

/// Objects with more parts than this are cleared first, even if all parts are written.
const FEW_PARTS: u64 = 64;

impl Elaborator<'_> {
    /// Writes the values of a plan to a local that lives from here on.
    pub(super) fn initialise(&mut self, place: &Place, plan: &Plan<'_>, span: Span) -> Outcome<()> {
        if let ([Item { source: Source::Expression(expression), path, .. }], true) =
            (plan.items.as_slice(), self.types.is_scalar(place.ty))
        {
            debug_assert!(path.is_empty(), "a scalar has no parts");
            let mark = self.draft.mark();
            let value = self.scalar(expression)?;
            let value = self.assigned(value, place.ty, "this initialiser")?;
            if let Base::Local(local) = place.base
                && reads_local(&value, local)
            {
                let live = crate::ir::Instruction { kind: InstructionKind::Live(local), span };
                if self.draft.unevaluated == 0 {
                    self.draft.blocks[mark.block].instructions.insert(mark.index, live);
                }
            }
            self.write(place.clone(), value, span);
            return Ok(());
        }
        if let Some(what) = plan.unsupported {
            let number = self.unsupported(span, what);
            self.draft.emit(InstructionKind::Unsupported(number), span);
            return Ok(());
        }
        let is_cleared = !self.is_covered(place.ty, plan);
        if is_cleared {
            self.draft.emit(InstructionKind::Clear(place.clone()), span);
        }
        for item in &plan.items {
            let part = self.part(place, &item.path, item.ty);
            match &item.source {
                Source::Text(bytes, span) => self.text_elements(&part, bytes, is_cleared, *span),
                Source::Expression(expression) => {
                    let span = self.span(expression.span);
                    if self.types.is_composite(item.ty) {
                        let from = self.operand(expression)?;
                        self.copy(&part, from, span)?;
                        continue;
                    }
                    let value = self.scalar(expression)?;
                    let value = self.assigned(value, item.ty, "this initialiser")?;
                    if !(is_cleared && !plan.has_designators && is_zero(&value)) {
                        self.write(part, value, span);
                    }
                }
            }
        }
        Ok(())
    }

    /// Notes the values of a plan as those that a global has at the beginning.
    pub(super) fn initialise_static(&mut self, place: &Place, plan: &Plan<'_>) -> Outcome<()> {
        if let Some(what) = plan.unsupported {
            self.from_start.push((place.span, what.to_owned()));
            return Ok(());
        }
        for item in &plan.items {
            let part = self.part(place, &item.path, item.ty);
            match &item.source {
                Source::Text(bytes, span) => {
                    for (place, value) in self.text_values(&part, bytes, !plan.has_designators, *span) {
                        self.initial.push(Initial { to: place, value });
                    }
                }
                Source::Expression(expression) => self.static_part(part, expression, plan.has_designators)?,
            }
        }
        Ok(())
    }

    fn static_part(
        &mut self,
        part: Place,
        expression: &lang_c::span::Node<ast::Expression>,
        has_designators: bool,
    ) -> Outcome<()> {
        let span = self.span(expression.span);
        if self.types.is_composite(part.ty) {
            return self.static_copy(&part, expression);
        }
        let had_effects = std::mem::take(&mut self.draft.has_effects);
        let before = self.draft.mark();
        let value = self.scalar(expression);
        let after = self.draft.mark();
        let has_effects = std::mem::replace(&mut self.draft.has_effects, had_effects)
            || (before.block, before.index) != (after.block, after.index);
        let value = self.assigned(value?, part.ty, "this initialiser")?;
        let value = self.known(value);
        if has_effects || !self.is_constant(&value) {
            return Err(self.error(span, "this initialiser must be constant"));
        }
        if has_designators || !is_zero(&value) {
            self.initial.push(Initial { to: part, value });
        }
        Ok(())
    }

    /// Values of constant globals that are known already, as compilers take them.
    fn known(&mut self, value: Expression) -> Expression {
        match value.kind {
            ExpressionKind::Read(place) => match (&place.base, place.path.is_empty()) {
                (Base::Global(global), true) if self.global_states[global.index()].has_initial => {
                    let found = self.initial.iter().find(|initial| {
                        initial.to.path.is_empty()
                            && matches!(initial.to.base, Base::Global(own) if own == *global)
                    });
                    match found {
                        Some(initial) => initial.value.clone(),
                        None => {
                            let zero = self.int(0, value.span);
                            self.convert(zero, value.ty)
                        }
                    }
                }
                _ => Expression { kind: ExpressionKind::Read(place), ..value },
            },
            ExpressionKind::Convert(operand) => {
                let operand = self.known(*operand);
                self.convert(operand, value.ty)
            }
            ExpressionKind::Unary(operator, operand) => {
                let operand = self.known(*operand);
                self.unary(operator, operand, value.ty, value.span)
            }
            ExpressionKind::Binary(operator, one, other) => {
                let (one, other) = (self.known(*one), self.known(*other));
                self.binary(operator, one, other, value.ty, value.span)
            }
            kind => Expression { kind, ..value },
        }
    }

    /// A structure from another constant one: only compound literals are.
    fn static_copy(&mut self, part: &Place, expression: &lang_c::span::Node<ast::Expression>) -> Outcome<()> {
        let span = self.span(expression.span);
        let mut literal = &expression.node;
        while let ast::Expression::Cast(cast) = literal {
            literal = &cast.node.expression.node;
        }
        let ast::Expression::CompoundLiteral(literal) = literal else {
            return Err(self.error(span, "this initialiser must be constant"));
        };
        let declared = self.type_name(&literal.node.type_name)?;
        if declared.ty != part.ty {
            return Err(self.error(span, "this initialiser has another type"));
        }
        let (plan, _) = self.plan_list(part.ty, &literal.node.initializer_list, span)?;
        self.initialise_static(part, &plan)
    }

    /// A part of a place.
    fn part(&mut self, place: &Place, path: &[PartStep], ty: TypeId) -> Place {
        let mut part = place.clone();
        for step in path {
            part.path.push(match step {
                PartStep::Member(number) => Step::Member(*number),
                PartStep::Element(number) => {
                    let index = self.int(i128::from(*number), place.span);
                    Step::Element(index)
                }
            });
        }
        part.ty = ty;
        part
    }

    /// The elements of an array of characters that a text fills, and their values.
    fn text_values(
        &mut self,
        array: &Place,
        bytes: &[u8],
        skips_zeros: bool,
        span: Span,
    ) -> Vec<(Place, Expression)> {
        let Type::Array(element, _) = *self.types.get(array.ty) else { unreachable!("texts are for arrays") };
        let integer = self.types.integer(element).expect("texts are for characters");
        let width = self.types.stride(element) as usize;
        let mut values = Vec::new();
        for (number, unit) in bytes.chunks_exact(width).enumerate() {
            let value = unit.iter().rev().fold(0i128, |value, byte| (value << 8) | i128::from(*byte));
            if value == 0 && skips_zeros {
                continue;
            }
            let index = self.int(number as i128, span);
            let mut place = Place { span, ..array.clone() };
            place.path.push(Step::Element(index));
            place.ty = element;
            values.push((place, self.integer(integer.wrap(value), element, span)));
        }
        values
    }

    fn text_elements(&mut self, array: &Place, bytes: &[u8], is_cleared: bool, span: Span) {
        for (place, value) in self.text_values(array, bytes, is_cleared, span) {
            self.assign(place, value, span);
        }
    }

    /// Whether a plan writes every part of a small object.
    fn is_covered(&self, ty: TypeId, plan: &Plan<'_>) -> bool {
        let Some(n) = self.n_parts(ty) else { return false };
        if n > FEW_PARTS {
            return false;
        }
        let paths: FxHashSet<&[PartStep]> = plan.items.iter().map(|item| item.path.as_slice()).collect();
        let mut written = 0;
        for item in &plan.items {
            if (0..item.path.len()).any(|n| paths.contains(&item.path[..n])) {
                // It is a part of what is written as a whole.
                continue;
            }
            let own = match &item.source {
                Source::Text(bytes, _) => match *self.types.get(item.ty) {
                    Type::Array(element, _) => Some(bytes.len() as u64 / self.types.stride(element)),
                    _ => None,
                },
                Source::Expression(_) => self.n_parts(item.ty),
            };
            let Some(own) = own else { return false };
            written += own;
        }
        written == n
    }

    /// How many scalars a type holds; nothing if that is not clear.
    fn n_parts(&self, ty: TypeId) -> Option<u64> {
        match self.types.get(ty) {
            Type::Array(element, length) => self.n_parts(*element)?.checked_mul((*length)?),
            Type::Composite(id) => {
                let own = self.types.composite(*id);
                if own.is_union || self.types.fields[id.index()].len() != own.members.as_ref()?.len() {
                    return None;
                }
                own.members.as_ref()?.iter().map(|member| self.n_parts(member.ty)).sum()
            }
            _ => Some(1),
        }
    }

    /// `(type){…}`.
    pub(super) fn compound_literal(
        &mut self,
        literal: &ast::CompoundLiteral,
        span: Span,
    ) -> Outcome<Operand> {
        let declared = self.type_name(&literal.type_name)?;
        if declared.length.is_some() {
            return Err(self.error(span, "this cannot have variable length"));
        }
        let (plan, ty) = self.plan_list(declared.ty, &literal.initializer_list, span)?;
        self.needs_size(ty, span)?;
        let access = Access { constness: declared.constness, ..Access::default() };
        if self.draft.is_outside() {
            let global = self.new_global(format!(".literal{}", self.globals.len()), ty, span);
            self.global_states[global.index()].is_defined = true;
            let place = self.global_place(global, span);
            if self.draft.unevaluated == 0 {
                self.initialise_static(&place, &plan)?;
            }
            return Ok(Operand::Place(place, access));
        }
        let local = self.draft.add_local(format!("literal.{}", self.draft.locals.len()), ty, span);
        let place = self.local_place(local, span);
        self.initialise(&place, &plan, span)?;
        Ok(Operand::Place(place, access))
    }
}

fn is_zero(value: &Expression) -> bool {
    match value.kind {
        ExpressionKind::Integer(value) => value == 0,
        ExpressionKind::Float(value) => value == 0.0 && value.is_sign_positive(),
        _ => false,
    }
}

/// Whether an expression reads a local directly.
fn reads_local(value: &Expression, local: crate::ir::LocalId) -> bool {
    let in_place = |place: &Place| {
        matches!(place.base, Base::Local(own) if own == local)
            || matches!(&place.base, Base::Pointer(pointer) if reads_local(pointer, local))
            || place.path.iter().any(|step| matches!(step, Step::Element(index) if reads_local(index, local)))
    };
    match &value.kind {
        ExpressionKind::Read(place) | ExpressionKind::AddressOf(place) => in_place(place),
        ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => reads_local(operand, local),
        ExpressionKind::Binary(_, one, other)
        | ExpressionKind::Offset(one, other, _)
        | ExpressionKind::Distance(one, other, _) => reads_local(one, local) || reads_local(other, local),
        ExpressionKind::Conditional(one, two, three) => {
            [one, two, three].iter().any(|part| reads_local(part, local))
        }
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Function(_)
        | ExpressionKind::Unsupported(_) => false,
    }
}
