//! What globals are where the program begins.
//!
//! A value that is not followed is any value. Then more runs begin than those of the program, so the first steps of all runs count as
//! steps that only may be there.

use super::Lowering;
use super::layout::ObjectKind;
use super::layout::{Content, Key, Slot, SlotId};
use super::memory::Storage;
use super::state::State;
use super::value::Value;
use crate::ir::{ExpressionKind, Initial, Step, Type};
use std::collections::BTreeMap;
use tertium_expr::Term;
use tertium_support::Id;

/// Arrays with more initial values are anything: each value is a term around those before it.
const MOST_WRITTEN: usize = 10_000;

impl Lowering<'_> {
    /// Says what globals are that were used: what their initialisers say, else zero; external ones are anything.
    pub(super) fn set_initial(&mut self) {
        // What is not followed, and why.
        let mut open = State::default();
        let mut by_slot: BTreeMap<SlotId, Vec<(i128, Value)>> = BTreeMap::new();
        for initial in &self.unit.initial {
            if let Some((slot, number)) = self.part(initial)
                && self.storage[slot.index()].is_some()
            {
                let mut state = State::default();
                let value = self.value(&mut state, &initial.value);
                let value = self.seen_as(&mut state, value, initial.value.ty, initial.to.ty);
                let value = match self.layout.slot(slot).content {
                    Content::Integer(ty) if self.bits_width(slot).is_some() => {
                        Value::Bits(self.as_bits(&mut state, value, ty))
                    }
                    _ => value,
                };
                if matches!(value, Value::Unknown) {
                    self.approximate(&mut state, "an initial value", initial.value.span);
                }
                open.take_over(state);
                by_slot.entry(slot).or_default().push((number, value));
            }
        }
        let mut parts = Vec::new();
        for number in 0..self.layout.slots().len() {
            let slot = self.layout.slots()[number].clone();
            let Some(storage) = self.storage[number].clone() else { continue };
            let mut written = by_slot.remove(&SlotId::new(number)).unwrap_or_default();
            match self.layout.of(slot.object).kind {
                ObjectKind::Global(id) if !self.unit.external.contains(&id) => {}
                ObjectKind::Text(id) => {
                    let text = self.unit.strings[id.index()].iter().enumerate();
                    let Content::Integer(ty) = slot.content else { continue };
                    written = text
                        .filter(|&(_, &byte)| byte != 0)
                        .map(|(at, &byte)| {
                            let value = ty.wrap(i128::from(byte));
                            let value = match self.bits_width(SlotId::new(number)) {
                                Some(_) => Value::Bits(self.bits_of(value, ty)),
                                None => Value::Number(self.constant(value, ty)),
                            };
                            (at as i128, value)
                        })
                        .collect();
                }
                _ => continue,
            }
            if written.len() > MOST_WRITTEN && matches!(storage, Storage::Arrays(_)) {
                let span = self.layout.of(slot.object).span;
                self.approximate(&mut open, "an array with very many initial values", span);
                continue;
            }
            parts.extend(self.equations(&slot, &storage, &written));
        }
        self.icfg.initial = self.icfg.terms.and(parts);
        if !open.doubts.is_empty() || open.is_approximate {
            for edge in self.icfg.point(self.icfg.procedure(self.icfg.main).entry).leaving.clone() {
                self.icfg.over_approximate(edge);
                self.note_doubts(edge, &open);
            }
        }
    }

    /// The slot that an initialiser writes, and the number of the element.
    fn part(&self, initial: &Initial) -> Option<(SlotId, i128)> {
        let place = &initial.to;
        let (object, path) = super::ranges::direct(self.layout, self.function, place)?;
        let mut ty = self.layout.of(object).ty;
        let mut number = 0i128;
        for step in &place.path {
            match (step, self.unit.ty(ty)) {
                (Step::Member(at), Type::Composite(own)) => {
                    ty = self.unit.composite(*own).members.as_ref()?.get(*at)?.ty;
                }
                (Step::Element(index), Type::Array(element, length)) => {
                    let ExpressionKind::Integer(index) = index.kind else { return None };
                    number = number * i128::from((*length)?) + index;
                    ty = *element;
                }
                _ => return None,
            }
        }
        Some((self.layout.find(object, &path)?, number))
    }

    /// That the variables of a slot are zero but for what is written.
    fn equations(&self, slot: &Slot, storage: &Storage, written: &[(i128, Value)]) -> Vec<Term> {
        let terms = &self.icfg.terms;
        let zero = || (terms.integer(0), terms.integer(0));
        let term = |value: &Value| match value {
            Value::Number(number) => Some((number.term, terms.integer(0))),
            Value::Truth(holds) => {
                Some((terms.ite(*holds, terms.integer(1), terms.integer(0)), terms.integer(0)))
            }
            Value::Pointer(pointer) => Some((pointer.code, pointer.index)),
            Value::Bits(bits) => Some((*bits, terms.integer(0))),

            Value::Unknown => None,
        };
        let mut parts = Vec::new();
        match storage {
            Storage::Nothing => {}
            Storage::Cells(cells) => {
                for (number, cell) in cells.iter().enumerate() {
                    let last = written
                        .iter()
                        .rev()
                        .find(|(at, _)| *at == number as i128 || slot.dimensions.is_empty());
                    let own = match last {
                        None => Some(zero()),
                        Some((_, value)) => term(value),
                    };
                    let Some((value, index)) = own else { continue };
                    let is_bits = matches!(terms.sort_of(cell.value), tertium_expr::Sort::Bits(_));
                    let value = if is_bits && last.is_none() {
                        self.zero_of(&terms.sort_of(cell.value))
                    } else {
                        value
                    };
                    parts.push(terms.equal(terms.variable(cell.value), value));
                    parts.extend(cell.index.map(|own| terms.equal(terms.variable(own), index)));
                }
            }
            Storage::Arrays(cell) => {
                let start = |variable| self.zero_of(&terms.sort_of(variable));
                let mut value = start(cell.value);
                let mut index = cell.index.map(start);
                for (at, own) in written {
                    let at = terms.integer(*at);
                    let Some((own, place)) = term(own) else {
                        // Nothing is said of an element that is not followed, so nothing of the array.
                        return Vec::new();
                    };
                    value = terms.store(value, at, own);
                    index = index.map(|index| terms.store(index, at, place));
                }
                parts.push(terms.equal(terms.variable(cell.value), value));
                parts.extend(
                    cell.index.zip(index).map(|(own, index)| terms.equal(terms.variable(own), index)),
                );
            }
        }
        debug_assert!(slot.dimensions.is_empty() || slot.path.contains(&Key::Any), "arrays are on the way");
        parts
    }
}
