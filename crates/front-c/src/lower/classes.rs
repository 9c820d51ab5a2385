//! Which integers are represented alike: slots between which values flow, or that are operands of one operator.
//!
//! An operator that integers cannot express wants bit-vectors for its operands, and then for all of their class: no value goes from one
//! representation to the other, but where an index or a truth value is made of it. Nearly linear.

use super::calls::Calls;
use super::layout::{Content, Layout, ObjectKind, SlotId};
use super::points_to::PointsTo;
use super::ranges::is_truth;
use crate::ir::{
    Argument, Base, Callee, End, Expression, ExpressionKind, FunctionId, InstructionKind, LocalId, Place,
    Rank, Step, Unit,
};
use std::collections::BTreeSet;
use tertium_support::{Id, StopReason, Ticker};

/// Classes of slots.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// A slot of the same class, towards the one that stands for it.
    toward: Vec<usize>,
}

struct Finder<'a> {
    unit: &'a Unit,
    layout: &'a Layout,
    points_to: &'a PointsTo,
    calls: &'a Calls,
    toward: Vec<usize>,
    function: FunctionId,
}

impl Classes {
    /// Finds the classes of a program.
    pub(super) fn find(
        unit: &Unit,
        layout: &Layout,
        points_to: &PointsTo,
        calls: &Calls,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, StopReason> {
        let toward = (0..layout.slots().len()).collect();
        let mut finder = Finder { unit, layout, points_to, calls, toward, function: unit.main };
        for &id in &calls.functions {
            finder.function = id;
            let Some(body) = &unit.function(id).body else { continue };
            for block in &body.blocks {
                for instruction in &block.instructions {
                    ticker.tick(4)?;
                    finder.instruction(&instruction.kind);
                }
                finder.end(&block.end);
            }
        }
        for slot in 0..finder.toward.len() {
            let root = finder.root(slot);
            finder.toward[slot] = root;
        }
        Ok(Self { toward: finder.toward })
    }

    /// The slot that stands for the class of one.
    pub(super) fn of_slot(&self, slot: SlotId) -> SlotId {
        SlotId::new(self.toward[slot.index()])
    }

    /// The class of the value of an expression; nothing if it is made of constants and truth values.
    pub(super) fn of(
        &self,
        unit: &Unit,
        layout: &Layout,
        points_to: &PointsTo,
        function: FunctionId,
        expression: &Expression,
    ) -> Option<SlotId> {
        let of = |inner: &Expression| self.of(unit, layout, points_to, function, inner);
        match &expression.kind {
            ExpressionKind::Read(place) => {
                let slots = slots_of(unit, layout, points_to, function, place);
                slots.first().map(|&slot| self.of_slot(slot))
            }
            ExpressionKind::Unary(_, inner) | ExpressionKind::Convert(inner) => of(inner),
            ExpressionKind::Binary(operator, left, right) if !is_truth(*operator) => {
                of(left).or_else(|| of(right))
            }
            ExpressionKind::Conditional(_, then, otherwise) => of(then).or_else(|| of(otherwise)),
            _ => None,
        }
    }
}

/// The slots of integers, other than truth values, that a place may be.
fn slots_of(
    unit: &Unit,
    layout: &Layout,
    points_to: &PointsTo,
    function: FunctionId,
    place: &Place,
) -> Vec<SlotId> {
    let places = points_to.places(unit, layout, function, place);
    let slots = places.iter().filter_map(|(object, path)| layout.find(*object, path));
    slots.filter(|&slot| is_number(layout, slot)).collect()
}

fn is_number(layout: &Layout, slot: SlotId) -> bool {
    matches!(layout.slot(slot).content, Content::Integer(ty) if ty.rank != Rank::Bool)
}

impl Finder<'_> {
    fn root(&mut self, mut slot: usize) -> usize {
        while self.toward[slot] != slot {
            self.toward[slot] = self.toward[self.toward[slot]];
            slot = self.toward[slot];
        }
        slot
    }

    /// Two that are represented alike.
    fn join(&mut self, one: Option<usize>, other: Option<usize>) -> Option<usize> {
        let (Some(left), Some(right)) = (one, other) else { return one.or(other) };
        let (left, right) = (self.root(left), self.root(right));
        self.toward[left.max(right)] = left.min(right);
        Some(left.min(right))
    }

    fn place(&mut self, place: &Place) -> Option<usize> {
        if let Base::Pointer(pointer) = &place.base {
            self.value(pointer);
        }
        for step in &place.path {
            if let Step::Element(index) = step {
                self.value(index);
            }
        }
        let slots = slots_of(self.unit, self.layout, self.points_to, self.function, place);
        slots.into_iter().fold(None, |all, slot| self.join(all, Some(slot.index())))
    }

    fn value(&mut self, expression: &Expression) -> Option<usize> {
        match &expression.kind {
            ExpressionKind::Read(place) => self.place(place),
            ExpressionKind::AddressOf(place) => {
                self.place(place);
                None
            }
            ExpressionKind::Unary(_, inner) | ExpressionKind::Convert(inner) => self.value(inner),
            ExpressionKind::Binary(operator, left, right) => {
                let (one, other) = (self.value(left), self.value(right));
                let is_logical = matches!(
                    operator,
                    crate::ir::BinaryOperator::LogicalAnd | crate::ir::BinaryOperator::LogicalOr
                );
                if is_logical {
                    return None;
                }
                let both = self.join(one, other);
                if is_truth(*operator) { None } else { both }
            }
            ExpressionKind::Offset(left, right, _) | ExpressionKind::Distance(left, right, _) => {
                self.value(left);
                self.value(right);
                None
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.value(condition);
                let (one, other) = (self.value(then), self.value(otherwise));
                self.join(one, other)
            }
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Function(_)
            | ExpressionKind::Unsupported(_) => None,
        }
    }

    fn argument(&mut self, argument: &Argument, to: ObjectKind) {
        let Some(object) = self.layout.object(to) else { return };
        match argument {
            Argument::Value(value) => {
                let own = self.value(value);
                let slot = self.layout.find(object, &[]).filter(|&slot| is_number(self.layout, slot));
                self.join(own, slot.map(Id::index));
            }
            Argument::Copied(place) => {
                let from = self.points_to.places(self.unit, self.layout, self.function, place);
                self.copied(&[(object, Vec::new())], &from);
            }
        }
    }

    fn copied(
        &mut self,
        to: &[(super::layout::ObjectId, Vec<super::layout::Key>)],
        from: &[(super::layout::ObjectId, Vec<super::layout::Key>)],
    ) {
        for (target, path) in to {
            for slot in self.layout.below(*target, path) {
                if !is_number(self.layout, slot) {
                    continue;
                }
                let part = self.layout.slot(slot).path[path.len()..].to_vec();
                for (source, path) in from {
                    let own = self.layout.find(*source, &[path.as_slice(), &part].concat());
                    self.join(Some(slot.index()), own.map(Id::index));
                }
            }
        }
    }

    fn instruction(&mut self, kind: &InstructionKind) {
        match kind {
            InstructionKind::Assign { to, value } => {
                let (own, value) = (self.place(to), self.value(value));
                self.join(own, value);
            }
            InstructionKind::Copy { to, from } => {
                let places = |place| self.points_to.places(self.unit, self.layout, self.function, place);
                let (to, from) = (places(to), places(from));
                self.copied(&to, &from);
            }
            InstructionKind::Clear(place) | InstructionKind::Input { to: place, .. } => {
                self.place(place);
            }
            InstructionKind::Evaluate(value) | InstructionKind::Assume(value) => {
                self.value(value);
            }
            InstructionKind::Live(_) | InstructionKind::Unsupported(_) => {}
            InstructionKind::Call { callee, arguments, to } => {
                let callees: Vec<FunctionId> = match callee {
                    Callee::Function(id) => vec![*id],
                    Callee::Pointer(pointer) => {
                        self.value(pointer);
                        self.calls.pointed.iter().copied().collect()
                    }
                };
                for callee in callees {
                    for (number, argument) in arguments.iter().enumerate() {
                        self.argument(argument, ObjectKind::Local(callee, LocalId::new(number)));
                    }
                    let result = self.layout.object(ObjectKind::Result(callee));
                    if let (Some(place), Some(result)) = (to, result) {
                        let to = self.points_to.places(self.unit, self.layout, self.function, place);
                        self.place(place);
                        self.copied(&to, &[(result, Vec::new())]);
                    }
                }
            }
            InstructionKind::Builtin { which, arguments, to } => {
                let values: Vec<Option<usize>> =
                    arguments.iter().map(|argument| self.value(argument)).collect();
                let own = to.as_ref().and_then(|place| self.place(place));
                if *which == crate::ir::Builtin::First {
                    self.join(own, values.into_iter().next().flatten());
                }
            }
        }
    }

    fn end(&mut self, end: &End) {
        match end {
            End::Branch { condition, .. } => {
                self.value(condition);
            }
            End::Switch { value, .. } => {
                self.value(value);
            }
            End::Return(Some(argument)) => self.argument(argument, ObjectKind::Result(self.function)),
            _ => {}
        }
    }
}

/// The classes that want bit-vectors.
pub(super) type WantBits = BTreeSet<SlotId>;
