//! Order of evaluation: a value that was computed before something else is done must not change by that.
//!
//! Operands are read from left to right. Pure expressions stay as they are; when a later operand writes instructions that may change
//! what an earlier one reads, the earlier one is put into a temporary at the point where it was read.

use super::draft::{Draft, Mark};
use super::elaborate::Elaborator;
use crate::ir::{Base, Expression, ExpressionKind, GlobalId, InstructionKind, LocalId, Place, Step, Type};
use rustc_hash::FxHashSet;
use tertium_support::Id;

/// What instructions may change.
#[derive(Default)]
struct Effects {
    /// Anything that has an address, and globals.
    memory: bool,
    /// Some variable of the program, in place.
    variable: bool,
    locals: FxHashSet<LocalId>,
    globals: FxHashSet<GlobalId>,
}

impl Effects {
    fn note(&mut self, draft: &Draft, place: &Place) {
        match &place.base {
            Base::Global(global) => {
                self.globals.insert(*global);
                self.variable = true;
            }
            Base::Local(local) => {
                self.locals.insert(*local);
                self.variable |= !draft.is_temporary(*local);
            }
            Base::Pointer(_) => self.memory = true,
            Base::Text(_) => {}
        }
    }

    fn since(draft: &Draft, mark: Mark) -> Self {
        let mut effects = Self::default();
        let first = &draft.blocks[mark.block].instructions[mark.index..];
        let further = draft.blocks[mark.n_blocks..].iter().flat_map(|block| &block.instructions);
        for instruction in first.iter().chain(further) {
            match &instruction.kind {
                InstructionKind::Assign { to, .. }
                | InstructionKind::Copy { to, .. }
                | InstructionKind::Clear(to)
                | InstructionKind::Input { to, .. } => effects.note(draft, to),
                InstructionKind::Call { .. }
                | InstructionKind::Builtin { .. }
                | InstructionKind::Unsupported(_) => {
                    effects.memory = true;
                }
                InstructionKind::Live(local) => {
                    effects.locals.insert(*local);
                }
                InstructionKind::Evaluate(_) | InstructionKind::Assume(_) => {}
            }
        }
        effects
    }
}

impl Elaborator<'_> {
    /// Whether something was written since a mark.
    fn has_written_since(&self, mark: Mark) -> bool {
        self.draft.current != mark.block || self.draft.blocks[mark.block].instructions.len() > mark.index
    }

    /// The value of an expression at an earlier mark.
    pub(super) fn protect(&mut self, mark: Mark, value: Expression) -> Expression {
        if !self.has_written_since(mark) || is_constant_shape(&value) {
            return value;
        }
        let effects = Effects::since(&self.draft, mark);
        if !self.may_change(&effects, &value) {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        let local = self.draft.temporary(ty, span);
        let to = self.local_place(local, span);
        let assign = crate::ir::Instruction { kind: InstructionKind::Assign { to: to.clone(), value }, span };
        self.draft.blocks[mark.block].instructions.insert(mark.index, assign);
        Expression { kind: ExpressionKind::Read(Box::new(to)), ty, span }
    }

    /// The place that was found at an earlier mark.
    pub(super) fn protect_place(&mut self, mark: Mark, mut place: Place) -> Place {
        if !self.has_written_since(mark) {
            return place;
        }
        // The last part first: each goes to the same index, so the first is then evaluated first.
        for step in place.path.iter_mut().rev() {
            if let Step::Element(index) = step {
                *index = self.protect(mark, index.clone());
            }
        }
        if let Base::Pointer(pointer) = place.base {
            place.base = Base::Pointer(self.protect(mark, pointer));
        }
        place
    }

    fn may_change(&self, effects: &Effects, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Function(_)
            | ExpressionKind::Unsupported(_) => false,
            ExpressionKind::Read(place) => {
                self.may_change_place(effects, place) || self.may_move(effects, place)
            }
            ExpressionKind::AddressOf(place) => self.may_move(effects, place),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => {
                self.may_change(effects, operand)
            }
            ExpressionKind::Binary(_, one, other)
            | ExpressionKind::Offset(one, other, _)
            | ExpressionKind::Distance(one, other, _) => {
                self.may_change(effects, one) || self.may_change(effects, other)
            }
            ExpressionKind::Conditional(one, two, three) => {
                [one, two, three].iter().any(|part| self.may_change(effects, part))
            }
        }
    }

    /// Whether what is in a place may change.
    fn may_change_place(&self, effects: &Effects, place: &Place) -> bool {
        match &place.base {
            Base::Global(global) => effects.memory || effects.globals.contains(global),
            Base::Local(local) => {
                let object = &self.draft.locals[local.index()];
                let has_address = !object.name.starts_with('.')
                    && (self.draft.address_taken.contains(&object.name)
                        || matches!(self.types.get(object.ty), Type::Array(..) | Type::Composite(_)));
                effects.locals.contains(local) || (effects.memory && has_address)
            }
            Base::Pointer(_) => effects.memory || effects.variable,
            Base::Text(_) => false,
        }
    }

    /// Whether another place may be meant.
    fn may_move(&self, effects: &Effects, place: &Place) -> bool {
        let by_index = place.path.iter().any(|step| match step {
            Step::Element(index) => self.may_change(effects, index),
            Step::Member(_) => false,
        });
        by_index || matches!(&place.base, Base::Pointer(pointer) if self.may_change(effects, pointer))
    }
}

/// Whether an expression is a constant at first sight.
fn is_constant_shape(value: &Expression) -> bool {
    matches!(value.kind, ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Function(_))
}

impl Elaborator<'_> {
    /// A structure that was read at an earlier mark.
    pub(super) fn protect_copy(&mut self, mark: Mark, place: Place) -> Place {
        if !self.has_written_since(mark) {
            return place;
        }
        let effects = Effects::since(&self.draft, mark);
        if !self.may_change_place(&effects, &place) && !self.may_move(&effects, &place) {
            return place;
        }
        let (ty, span) = (place.ty, place.span);
        let local = self.draft.temporary(ty, span);
        let to = self.local_place(local, span);
        let copy =
            crate::ir::Instruction { kind: InstructionKind::Copy { to: to.clone(), from: place }, span };
        self.draft.blocks[mark.block].instructions.insert(mark.index, copy);
        to
    }
}
