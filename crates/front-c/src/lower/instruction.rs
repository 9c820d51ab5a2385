//! Instructions other than calls of functions with bodies.

use super::Lowering;
use super::interval::Interval;
use super::layout::{Content, Key, SlotId};
use super::memory::Choice;
use super::options::InputOrigin;
use super::state::State;
use super::value::{Number, Value};
use crate::ir::{Builtin, Expression, InstructionKind, Place, Type, TypeId, Undefined};
use tertium_program::Domain;
use tertium_support::Span;

/// Arrays inside of arrays are copied element by element if there are at most so many.
const MOST_COPIED: u64 = 32;

impl Lowering<'_> {
    /// Does an instruction.
    pub(super) fn instruction(&mut self, state: &mut State, kind: &InstructionKind, span: Span) {
        match kind {
            InstructionKind::Assign { to, value } => {
                let from = value.ty;
                let found = self.value(state, value);
                let found = self.seen_as(state, found, from, to.ty);
                self.write(state, to, found);
            }
            InstructionKind::Copy { to, from } => match self.locate(state, to) {
                Some(choices) => self.copy_to(state, choices, from),
                None => self.write_anywhere(state, to),
            },
            InstructionKind::Clear(place) => self.clear(state, place),
            InstructionKind::Input { to, by } => {
                let origin = InputOrigin::Call { by: by.clone(), span };
                self.havoc(state, to, &origin);
            }
            InstructionKind::Evaluate(value) => {
                self.value(state, value);
            }
            InstructionKind::Live(local) => {
                if self.is_read_before_written(*local) {
                    self.live(state, *local);
                }
            }
            InstructionKind::Assume(condition) => {
                let holds = self.condition(state, condition);
                self.learn(state, condition, true);
                state.demand(&self.icfg.terms, holds);
            }
            InstructionKind::Builtin { which, arguments, to } => {
                self.builtin(state, *which, arguments, to.as_ref(), span);
            }
            // The graph of the function does these.
            InstructionKind::Call { .. } | InstructionKind::Unsupported(_) => {}
        }
    }

    /// A place of scalar type gets any value of it.
    pub(super) fn havoc(&mut self, state: &mut State, place: &Place, origin: &InputOrigin) {
        let value = match self.unit.ty(place.ty).clone() {
            Type::Integer(ty) if self.is_of_bits(place) => {
                Value::Bits(self.input(state, "value", Domain::Bits(ty.bits), origin.clone()))
            }
            Type::Integer(ty) => {
                let all = self.interval_of(ty);
                let term = self.input(state, "value", self.domain_of(ty), origin.clone());
                Value::Number(super::value::Number::new(term, all, all))
            }
            Type::Composite(_) | Type::Array(..) => {
                let Some(choices) = self.locate(state, place) else {
                    return self.write_anywhere(state, place);
                };
                for choice in choices {
                    for slot in self.layout.below(choice.object, &choice.path) {
                        self.havoc_slot(state, slot, origin);
                    }
                }
                return;
            }
            _ => Value::Unknown,
        };
        self.write(state, place, value);
    }

    /// Whether a place holds bit-vectors.
    fn is_of_bits(&self, place: &Place) -> bool {
        let places = self.points_to.places(self.unit, self.layout, self.function, place);
        let slots = places.iter().filter_map(|(object, path)| self.layout.find(*object, path));
        slots.into_iter().any(|slot| self.bits_width(slot).is_some())
    }

    /// All of a place becomes zero.
    pub(super) fn clear(&mut self, state: &mut State, place: &Place) {
        let Some(choices) = self.locate(state, place) else { return self.write_anywhere(state, place) };
        for choice in choices {
            for slot in self.layout.below(choice.object, &choice.path) {
                let is_always = self.icfg.terms.as_bool(choice.condition) == Some(true);
                if is_always && self.is_all_of(&choice, place.ty, slot) {
                    self.clear_slot(state, slot);
                    continue;
                }
                let own = self.layout.slot(slot).clone();
                let zero = match own.content {
                    Content::Integer(ty) => Value::Number(self.constant(0, ty)),
                    Content::Pointer => Value::Pointer(self.null()),
                    Content::Unknown => continue,
                };
                match self.elements(&choice, place.ty, slot) {
                    Some(elements) => {
                        for index in elements {
                            self.write_slot(state, choice.condition, slot, index, zero.clone());
                        }
                    }
                    None => self.too_many(state, slot),
                }
            }
        }
    }

    /// Whether a place of this type is all of a slot.
    fn is_all_of(&self, choice: &Choice, ty: TypeId, slot: SlotId) -> bool {
        let own = self.layout.slot(slot);
        let outer = choice.path.iter().filter(|&&key| key == Key::Any).count();
        let inner = own.dimensions[outer..].iter().try_fold(1u64, |all, &own| all.checked_mul(own?));
        let here = self.n_elements(ty).zip(inner).and_then(|(here, inner)| here.checked_mul(inner));
        own.dimensions.is_empty()
            || choice.index.local.value() == Some(0) && here.is_some() && here == own.length()
    }

    /// The numbers of the elements of a slot that lie in a place of this type, if they are not many.
    fn elements(&self, choice: &Choice, ty: TypeId, slot: SlotId) -> Option<Vec<Number>> {
        let own = self.layout.slot(slot);
        if own.dimensions.is_empty() {
            return Some(vec![choice.index]);
        }
        let outer = choice.path.iter().filter(|&&key| key == Key::Any).count();
        let inner = own.dimensions[outer..].iter().try_fold(1u64, |all, &own| all.checked_mul(own?))?;
        let here = self.n_elements(ty)?.checked_mul(inner).filter(|&here| here <= MOST_COPIED)?;
        let first = self.times(choice.index, inner);
        let element = |number: u64| {
            let number = self.constant(i128::from(number), super::LONG);
            let term = self.icfg.terms.sum([first.term, number.term]);
            Number::with(term, first, number, Interval::add)
        };
        Some((0..here).map(element).collect())
    }

    /// A part of a slot is written, of which too many elements would have to be named.
    fn too_many(&mut self, state: &mut State, slot: SlotId) {
        let span = self.layout.of(self.layout.slot(slot).object).span;
        self.approximate(state, "a part of an array, copied or cleared", span);
        self.havoc_slot(state, slot, &InputOrigin::Approximation);
    }

    /// Copies a structure, union or array to one of several places.
    pub(super) fn copy_to(&mut self, state: &mut State, to: Vec<Choice>, from: &Place) {
        let Some(sources) = self.locate(state, from) else {
            for choice in &to {
                for slot in self.layout.below(choice.object, &choice.path) {
                    self.havoc_slot(state, slot, &InputOrigin::Approximation);
                }
            }
            self.approximate(state, "a copy from a place that is not known", from.span);
            return;
        };
        // Everything is read before anything is written.
        let mut old = state.clone();
        for target in &to {
            for slot in self.layout.below(target.object, &target.path) {
                let part = self.layout.slot(slot).path[target.path.len()..].to_vec();
                self.copy_part(state, &mut old, target, &sources, &part, slot, from.ty);
            }
        }
        state.take_over(old);
    }

    /// Copies one part; it is read as it was before the copy began.
    #[allow(clippy::too_many_arguments, reason = "two sides, and what lies below them")]
    fn copy_part(
        &mut self,
        state: &mut State,
        old: &mut State,
        target: &Choice,
        sources: &[Choice],
        part: &[Key],
        slot: SlotId,
        ty: TypeId,
    ) {
        let own: Vec<Option<SlotId>> = sources
            .iter()
            .map(|source| self.layout.find(source.object, &[source.path.clone(), part.to_vec()].concat()))
            .collect();
        if let ([source], [Some(from)]) = (sources, &own[..])
            && !self.layout.slot(slot).dimensions.is_empty()
            && self.is_all_of(source, ty, *from)
            && self.is_all_of(target, ty, slot)
            && self.copy_variables(state, old, target, *from, slot)
        {
            return;
        }
        let Some(targets) = self.elements(target, ty, slot) else { return self.too_many(state, slot) };
        for (number, index) in targets.iter().enumerate() {
            let mut value: Option<Value> = None;
            for (source, from) in sources.iter().zip(&own) {
                let read = match from {
                    None => Value::Unknown,
                    Some(from) => match self.elements(source, ty, *from) {
                        Some(elements) => {
                            let read = self.read_slot(old, *from, elements[number.min(elements.len() - 1)]);
                            self.seen_as(old, read, self.layout.slot(*from).ty, self.layout.slot(slot).ty)
                        }
                        None => Value::Unknown,
                    },
                };
                value = Some(match value {
                    None => read,
                    Some(rest) => {
                        let ty = self.layout.slot(slot).ty;
                        self.either(old, source.condition, read, rest, ty)
                    }
                });
            }
            self.write_slot(state, target.condition, slot, *index, value.unwrap_or(Value::Unknown));
        }
    }

    /// Copies all variables of one slot to those of another, if they are of the same kind.
    fn copy_variables(
        &mut self,
        state: &mut State,
        old: &State,
        target: &Choice,
        from: SlotId,
        to: SlotId,
    ) -> bool {
        let (old_ones, new_ones) = (self.storage(from), self.storage(to));
        let (from, to) = (super::cells(&old_ones), super::cells(&new_ones));
        let terms = &self.icfg.terms;
        let is_same = from.len() == to.len()
            && from.iter().zip(&to).all(|(from, to)| {
                terms.sort_of(from.value) == terms.sort_of(to.value)
                    && (from.index.is_some() || to.index.is_none())
            });
        if is_same {
            for (from, to) in from.iter().zip(&to) {
                for (from, to) in [(Some(from.value), Some(to.value)), (from.index, to.index)] {
                    let (Some(from), Some(to)) = (from, to) else { continue };
                    let (value, kept) = (old.value_of(terms, from), state.value_of(terms, to));
                    state.set(terms, to, terms.ite(target.condition, value, kept));
                }
            }
        }
        is_same
    }

    /// What a library function does.
    fn builtin(
        &mut self,
        state: &mut State,
        which: Builtin,
        arguments: &[Expression],
        to: Option<&Place>,
        span: Span,
    ) {
        match which {
            Builtin::First => {
                let value = arguments.first().map_or(Value::Unknown, |first| self.value(state, first));
                arguments.iter().skip(1).for_each(|other| {
                    self.value(state, other);
                });
                if let (Some(place), Some(first)) = (to, arguments.first()) {
                    let value = self.seen_as(state, value, first.ty, place.ty);
                    self.write(state, place, value);
                }
            }
            Builtin::Print => {
                arguments.iter().for_each(|argument| {
                    self.value(state, argument);
                });
                if let Some(place) = to {
                    self.approximate(state, "the result of printing", span);
                    self.havoc(state, place, &InputOrigin::Approximation);
                }
            }
            Builtin::Free => {
                arguments.iter().for_each(|argument| {
                    self.value(state, argument);
                });
                self.assumed(Undefined::InvalidFree);
                self.assumed(Undefined::DeadAccess);
            }
            _ => self.builtin_of_memory(state, which, arguments, to, span),
        }
    }
}
