//! Slots as variables of the graph: reading, writing, and places.
//!
//! A scalar slot is one variable, with a second one for the index of a pointer into an array. All elements of an array are one variable
//! over the integers, or single variables if there are few that only constants ask for. Variables are made when they are first used.
//!
//! A place is found as [`Choice`]s: under a condition, a slot and an index. What lies outside of an object ends the path.

use super::Lowering;
use super::interval::Interval;
use super::layout::{Content, Key, Layout, ObjectId, ObjectKind, Slot, SlotId};
use super::options::{InputOrigin, Meaning, Meant, Part};
use super::state::State;
use super::value::{Number, Pointer, Value};
use crate::ir::{
    Base, Expression, ExpressionKind, FunctionId, Place, Rank, Step, Type, TypeId, Undefined, Unit,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use tertium_expr::{Sort, Term, Variable};
use tertium_program::Domain;
use tertium_support::Id;

/// Arrays that only constants ask for are single variables if they have at most so many elements.
pub(super) const MOST_CELLS: u64 = 16;

/// The variables of one scalar.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) value: Variable,
    /// Of a pointer that may point into an array.
    pub(super) index: Option<Variable>,
}

/// The variables of a slot.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// One for each element; one element if it is no array.
    Cells(Vec<Cell>),
    /// One array each.
    Arrays(Cell),
    /// It is not followed.
    Nothing,
}

/// Where a place may be.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// Where this is the one.
    pub(super) condition: Term,
    pub(super) object: ObjectId,
    pub(super) path: Vec<Key>,
    /// The number of the element, over all arrays on the way.
    pub(super) index: Number,
}

impl Lowering<'_> {
    /// The variables of a slot.
    pub(super) fn storage(&mut self, id: SlotId) -> Storage {
        if let Some(known) = &self.storage[id.index()] {
            return known.clone();
        }
        let slot = self.layout.slot(id).clone();
        let made = if self.is_followed(id) { self.make(id, &slot) } else { Storage::Nothing };
        self.storage[id.index()] = Some(made.clone());
        made
    }

    /// Whether a slot has variables.
    fn is_followed(&self, id: SlotId) -> bool {
        let slot = self.layout.slot(id);
        slot.content != Content::Unknown && !self.points_to.is_many(slot.object)
    }

    fn make(&mut self, id: SlotId, slot: &Slot) -> Storage {
        let name = self.name_of(slot);
        let has_index = slot.content == Content::Pointer && self.points_to.has_index(id);
        if slot.dimensions.is_empty() {
            return Storage::Cells(vec![self.make_cell(id, slot, &name, has_index, Part::Value)]);
        }
        if self.is_split(id) {
            let length = slot.length().unwrap_or_default();
            let cell = |number: u64| {
                let name = name.replacen("[]", &format!("[{number}]"), 1);
                self.make_cell(id, slot, &name, has_index, Part::Element(number))
            };
            return Storage::Cells((0..length).map(cell).collect());
        }
        let element = self.bits_width(id).map_or(Domain::Int, Domain::Bits);

        let value = self.declare(slot, &name, Domain::array(Domain::Int, element), Part::Value);
        let index = has_index.then(|| {
            let domain = Domain::array(Domain::Int, Domain::Int);
            self.declare(slot, &format!("{name}.index"), domain, Part::Index)
        });
        Storage::Arrays(Cell { value, index })
    }

    fn make_cell(&mut self, id: SlotId, slot: &Slot, name: &str, has_index: bool, part: Part) -> Cell {
        let domain = self.element_values(id);
        let part = if slot.content == Content::Pointer { Part::Pointee } else { part };
        let value = self.declare(slot, name, domain, part);
        let index = has_index.then(|| self.declare(slot, &format!("{name}.index"), Domain::Int, Part::Index));
        Cell { value, index }
    }

    /// The width of the bit-vectors that a slot holds, if it does.
    pub(super) fn bits_width(&self, id: SlotId) -> Option<u32> {
        match self.layout.slot(id).content {
            Content::Integer(ty) if ty.rank != Rank::Bool => {
                self.bits.contains(&self.classes.of_slot(id)).then_some(ty.bits)
            }
            _ => None,
        }
    }

    fn declare(&mut self, slot: &Slot, name: &str, domain: Domain, part: Part) -> Variable {
        let object = self.layout.of(slot.object).clone();
        let (owner, meant) = match object.kind {
            ObjectKind::Global(id) => (None, Meant::Global(id)),
            ObjectKind::Text(id) => (None, Meant::Text(id)),
            ObjectKind::Site(id, ..) => (None, Meant::Allocated(id)),
            ObjectKind::Result(id) => (Some(id), Meant::Result(id)),
            ObjectKind::Local(id, local) => {
                ((!self.points_to.is_shared(slot.object)).then_some(id), Meant::Local(id, local))
            }
        };
        let variable = match owner {
            Some(id) => self.icfg.add_variable(self.procedures[&id], name, domain, object.span),
            None => self.icfg.add_global(name, domain, object.span),
        };
        let meaning = Meaning { object: meant, path: Meaning::path_of(&slot.path), part };
        self.meanings.insert(variable, meaning);
        variable
    }

    fn name_of(&self, slot: &Slot) -> String {
        let object = self.layout.of(slot.object);
        let name = name_of_path(self.unit, self.layout, slot.object, &slot.path);
        match object.kind {
            ObjectKind::Local(function, _) if self.points_to.is_shared(slot.object) => {
                format!("{}::{name}", self.unit.function(function).name)
            }
            _ => name,
        }
    }

    /// Whether the elements of an array are single variables.
    fn is_split(&self, id: SlotId) -> bool {
        let slot = self.layout.slot(id);
        let is_small = slot.length().is_some_and(|length| length <= MOST_CELLS);
        is_small && !self.indexed.contains(&slot.object) && !self.points_to.is_pointed(slot.object)
    }

    /// The value in a slot; not known if the slot is not followed.
    pub(super) fn read_slot(&mut self, state: &mut State, id: SlotId, index: Number) -> Value {
        let slot = self.layout.slot(id).clone();
        match self.storage(id) {
            Storage::Nothing => Value::Unknown,
            Storage::Cells(cells) => {
                let terms = &self.icfg.terms;
                let number = index.local.value().and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
                let pick = |of: &dyn Fn(&Cell) -> Term| {
                    if slot.dimensions.is_empty() || index.local.value().is_some() {
                        return cells.get(number).map_or_else(|| terms.integer(0), of);
                    }
                    let mut all = cells.iter().enumerate().rev();
                    let last = all.next().map_or_else(|| terms.integer(0), |(_, cell)| of(cell));
                    all.fold(last, |rest, (at, cell)| {
                        terms.ite(terms.equal(index.term, terms.integer(at)), of(cell), rest)
                    })
                };
                let value = pick(&|cell| state.value_of(terms, cell.value));
                let element =
                    pick(&|cell| cell.index.map_or(terms.integer(0), |own| state.value_of(terms, own)));
                self.value_in(state, id, &slot, value, element)
            }
            Storage::Arrays(cell) => {
                let terms = &self.icfg.terms;
                let value = terms.select(state.value_of(terms, cell.value), index.term);
                let element = cell
                    .index
                    .map_or(terms.integer(0), |own| terms.select(state.value_of(terms, own), index.term));
                let inside = self.element_values(id).contains(terms, value);
                state.demand(terms, inside);
                self.value_in(state, id, &slot, value, element)
            }
        }
    }

    /// The values that a scalar or an element has.
    fn element_values(&self, id: SlotId) -> Domain {
        match self.layout.slot(id).content {
            Content::Integer(ty) => self.bits_width(id).map_or_else(|| self.domain_of(ty), Domain::Bits),
            _ => Domain::Range(0.into(), self.points_to.n_pointees().into()),
        }
    }

    fn value_in(&self, state: &State, id: SlotId, slot: &Slot, value: Term, index: Term) -> Value {
        match slot.content {
            Content::Integer(_) if self.bits_width(id).is_some() => Value::Bits(value),
            Content::Integer(ty) => {
                let all = self.interval_of(ty);
                let (local, flow) = if self.plain.is_followed(self.layout, id) {
                    (
                        self.plain.get(&state.local, self.layout, id),
                        self.known.get(&state.flow, self.layout, id),
                    )
                } else {
                    (all, all)
                };
                Value::Number(Number::new(value, local, flow))
            }
            Content::Pointer => Value::Pointer(Pointer { code: value, index }),
            Content::Unknown => Value::Unknown,
        }
    }

    /// Writes a value where a condition holds. The value has the type of the slot.
    pub(super) fn write_slot(
        &mut self,
        state: &mut State,
        condition: Term,
        id: SlotId,
        index: Number,
        value: Value,
    ) {
        let slot = self.layout.slot(id).clone();
        let storage = self.storage(id);
        if matches!(storage, Storage::Nothing) {
            return;
        }
        let (term, element, intervals) = self.stored(state, id, value);

        let terms = &self.icfg.terms;
        let is_always = terms.as_bool(condition) == Some(true);
        let update = |state: &mut State, variable: Variable, condition: Term, term: Term| {
            let old = state.value_of(terms, variable);
            state.set(terms, variable, terms.ite(condition, term, old));
        };
        match storage {
            Storage::Nothing => {}
            Storage::Cells(cells) => {
                for (at, cell) in cells.iter().enumerate() {
                    let is_this = match slot.dimensions.is_empty() {
                        true => terms.boolean(true),
                        false => terms.equal(index.term, terms.integer(at)),
                    };
                    let here = terms.and([condition, is_this]);
                    update(state, cell.value, here, term);
                    if let Some(own) = cell.index {
                        update(state, own, here, element);
                    }
                }
            }
            Storage::Arrays(cell) => {
                let write = |state: &mut State, variable: Variable, term: Term| {
                    let array = state.value_of(terms, variable);
                    update(state, variable, condition, terms.store(array, index.term, term));
                };
                write(state, cell.value, term);
                if let Some(own) = cell.index {
                    write(state, own, element);
                }
            }
        }
        if self.plain.is_followed(self.layout, id) {
            match intervals.filter(|_| is_always) {
                Some((local, flow)) => {
                    state.local.insert(id, local);
                    state.flow.insert(id, flow);
                }
                None => {
                    state.local.remove(&id);
                    state.flow.remove(&id);
                }
            }
        }
    }

    /// A value as terms for the variables of a slot: for an integer or pointee, and for the index.
    pub(super) fn stored(
        &mut self,
        state: &mut State,
        id: SlotId,
        value: Value,
    ) -> (Term, Term, Option<(Interval, Interval)>) {
        let zero = self.icfg.terms.integer(0);
        match self.layout.slot(id).content {
            Content::Integer(ty) if self.bits_width(id).is_some() => {
                (self.as_bits(state, value, ty), zero, None)
            }
            Content::Integer(ty) => {
                let number = self.number(state, value, ty);
                (number.term, zero, Some((number.local, number.flow)))
            }
            _ => {
                let pointer = self.pointer(state, value);
                (pointer.code, pointer.index, None)
            }
        }
    }

    /// A slot gets any value of its domain: whole arrays, too.
    pub(super) fn havoc_slot(&mut self, state: &mut State, id: SlotId, origin: &InputOrigin) {
        let cells = match self.storage(id) {
            Storage::Nothing => return,
            Storage::Cells(cells) => cells,
            Storage::Arrays(cell) => vec![cell],
        };
        for variable in cells.into_iter().flat_map(|cell| [Some(cell.value), cell.index]).flatten() {
            let domain = self.icfg.cell(variable).expect("it is a variable of the graph").domain.clone();
            let term = self.input(state, &self.icfg.terms.name(variable), domain, origin.clone());
            state.set(&self.icfg.terms, variable, term);
        }
        state.local.remove(&id);
        state.flow.remove(&id);
    }

    /// All of a slot becomes zero.
    pub(super) fn clear_slot(&mut self, state: &mut State, id: SlotId) {
        let cells = match self.storage(id) {
            Storage::Nothing => return,
            Storage::Cells(cells) => cells,
            Storage::Arrays(cell) => vec![cell],
        };
        for variable in cells.into_iter().flat_map(|cell| [Some(cell.value), cell.index]).flatten() {
            let term = self.zero_of(&self.icfg.terms.sort_of(variable));
            state.set(&self.icfg.terms, variable, term);
        }
        if self.plain.is_followed(self.layout, id) {
            state.local.insert(id, Interval::only(0));
            state.flow.insert(id, Interval::only(0));
        }
    }

    /// Zero, or an array of zeros.
    pub(super) fn zero_of(&self, sort: &Sort) -> Term {
        let terms = &self.icfg.terms;
        match sort {
            Sort::Bits(width) => terms.bits(*width, 0),
            Sort::Array(index, element) => terms.everywhere(Arc::clone(index), self.zero_of(element)),
            _ => terms.integer(0),
        }
    }

    /// Where a place is; nothing if that is not known.
    pub(super) fn locate(&mut self, state: &mut State, place: &Place) -> Option<Vec<Choice>> {
        let zero = self.constant(0, crate::lower::LONG);
        let starts = match &place.base {
            Base::Pointer(pointer) => self.pointed(state, pointer)?,
            Base::Global(id) => vec![self.start(ObjectKind::Global(*id), zero)?],
            Base::Local(id) => vec![self.start(ObjectKind::Local(self.function, *id), zero)?],
            Base::Text(id) => return self.text(state, ObjectKind::Text(*id), place),
        };
        let mut found = Vec::new();
        for (choice, ty) in starts {
            state.enter(choice.condition);
            let walked = self.walk(state, choice, ty, &place.path);
            state.leave();
            found.push(walked?);
        }
        Some(found)
    }

    /// A place in a string literal: all of it, or a character.
    fn text(&mut self, state: &mut State, kind: ObjectKind, place: &Place) -> Option<Vec<Choice>> {
        let object = self.layout.object(kind)?;
        let length = self.layout.of(object).outer.flatten()?;
        let index = match &place.path[..] {
            [] => self.constant(0, crate::lower::LONG),
            [Step::Element(index)] => {
                let number = self.index(state, index, Some(length))?;
                self.demand_inside(state, number, length);
                number
            }
            _ => return None,
        };
        let condition = self.icfg.terms.boolean(true);
        Some(vec![Choice { condition, object, path: vec![Key::Any], index }])
    }

    fn start(&self, kind: ObjectKind, index: Number) -> Option<(Choice, TypeId)> {
        let object = self.layout.object(kind)?;
        let ty = self.layout.of(object).ty;
        let condition = self.icfg.terms.boolean(true);
        let mut choice = Choice { condition, object, path: Vec::new(), index };
        self.descend(&mut choice, ty);
        Some((choice, ty))
    }

    /// Into all elements of arrays: the path names no array then.
    fn descend(&self, choice: &mut Choice, mut ty: TypeId) {
        while let Type::Array(element, length) = self.unit.ty(ty) {
            choice.path.push(Key::Any);
            let by = length.unwrap_or(1);
            choice.index = self.times(choice.index, by);
            ty = *element;
        }
    }

    pub(super) fn times(&self, number: Number, by: u64) -> Number {
        let factor = self.constant(i128::from(by), crate::lower::LONG);
        Number::with(self.icfg.terms.scaled(by, number.term), number, factor, Interval::multiply)
    }

    /// Goes on from a choice by members and elements.
    fn walk(
        &mut self,
        state: &mut State,
        mut choice: Choice,
        mut ty: TypeId,
        path: &[Step],
    ) -> Option<Choice> {
        for step in path {
            match (step, self.unit.ty(ty).clone()) {
                (Step::Member(number), Type::Composite(own)) => {
                    let own = self.unit.composite(own);
                    if own.is_union && own.members.as_ref().is_none_or(|members| members.len() != 1) {
                        // All of the union is one slot that is not followed.
                        return Some(choice);
                    }
                    ty = own.members.as_ref()?.get(*number)?.ty;
                    choice.path.push(Key::Member(*number));
                    self.descend(&mut choice, ty);
                }
                (Step::Element(index), Type::Array(element, length)) => {
                    let number = self.index(state, index, length)?;
                    if let Some(length) = length {
                        self.demand_inside(state, number, length);
                    }
                    let moved = self.times(number, self.n_elements(element)?);
                    let term = self.icfg.terms.sum([choice.index.term, moved.term]);
                    choice.index = Number::with(term, choice.index, moved, Interval::add);
                    ty = element;
                }
                _ => return None,
            }
        }
        Some(choice)
    }

    /// How many elements an array has in all that are no arrays; 1 of what is none.
    pub(super) fn n_elements(&self, mut ty: TypeId) -> Option<u64> {
        let mut all = 1u64;
        while let Type::Array(element, length) = self.unit.ty(ty) {
            all = all.checked_mul((*length)?)?;
            ty = *element;
        }
        Some(all)
    }

    /// The index of an element as a number; below a length, if there is one.
    pub(super) fn index(
        &mut self,
        state: &mut State,
        index: &Expression,
        length: Option<u64>,
    ) -> Option<Number> {
        let Type::Integer(ty) = *self.unit.ty(index.ty) else { return None };
        let is_address = std::mem::take(&mut self.is_address);
        let value = self.value(state, index);
        self.is_address = is_address;
        Some(match value {
            Value::Bits(bits) => self.bits_to_index(state, bits, ty, length),
            value => self.number(state, value, ty),
        })
    }

    /// The path goes on only where an index is below a length.
    pub(super) fn demand_inside(&mut self, state: &mut State, number: Number, length: u64) {
        // An address may be that of the element after the last.
        let length = length.saturating_add(u64::from(self.is_address));
        let last = i128::from(length) - 1;
        let terms = &self.icfg.terms;
        let above = terms.at_most(terms.integer(0), number.term);
        let below = terms.at_most(number.term, terms.integer(last));
        let is_below = number.local.is_within(Interval { low: None, high: Some(last) });
        let open = [(!number.local.is_natural()).then_some(above), (!is_below).then_some(below)];
        let inside = terms.and(open.into_iter().flatten());
        self.demand(state, inside, Undefined::OutOfBounds);
        if length == 0 {
            self.demand(state, self.icfg.terms.boolean(false), Undefined::OutOfBounds);
        }
    }

    /// The value in a place of scalar type.
    pub(super) fn read(&mut self, state: &mut State, place: &Place) -> Value {
        let Some(choices) = self.locate(state, place) else {
            return self.not_followed(state, "a read from a place that is not known", place.span);
        };
        let mut values = Vec::new();
        for choice in choices {
            state.enter(choice.condition);
            let value = match self.layout.find(choice.object, &choice.path) {
                Some(slot) => {
                    let value = self.read_slot(state, slot, choice.index);
                    self.seen_as(state, value, self.layout.slot(slot).ty, place.ty)
                }
                None => Value::Unknown,
            };
            state.leave();
            let is_float = matches!(self.unit.ty(place.ty), Type::Float(_));
            if matches!(value, Value::Unknown) && !is_float {
                let name = name_of_path(self.unit, self.layout, choice.object, &choice.path);
                let is_many = self.points_to.is_many(choice.object);
                let why = if is_many { ", of which there may be several" } else { "" };
                self.approximate(state, &format!("a read of {name}{why}"), place.span);
            }
            values.push((choice.condition, value));
        }
        let Some((_, last)) = values.pop() else { return Value::Unknown };
        values
            .into_iter()
            .rev()
            .fold(last, |rest, (condition, value)| self.either(state, condition, value, rest, place.ty))
    }

    /// Writes a value of scalar type to a place.
    pub(super) fn write(&mut self, state: &mut State, place: &Place, value: Value) {
        let Some(choices) = self.locate(state, place) else {
            return self.write_anywhere(state, place);
        };
        self.write_choices(state, &choices, place.ty, value);
    }

    /// Writes a value of scalar type to one of several places.
    pub(super) fn write_choices(&mut self, state: &mut State, choices: &[Choice], ty: TypeId, value: Value) {
        for choice in choices {
            let Some(slot) = self.layout.find(choice.object, &choice.path) else { continue };
            let own = self.layout.slot(slot).ty;
            let value = self.seen_as(state, value.clone(), ty, own);
            self.write_slot(state, choice.condition, slot, choice.index, value);
        }
    }

    /// A write to a place that is not known: to what its pointers may point to, and to all that unknown pointers may reach.
    pub(super) fn write_anywhere(&mut self, state: &mut State, place: &Place) {
        self.approximate(state, "a write to a place that is not known", place.span);
        let places = self.points_to.places(self.unit, self.layout, self.function, place);
        let objects: BTreeSet<ObjectId> = places.into_iter().map(|(object, _)| object).collect();
        let mut slots: BTreeSet<SlotId> = self.points_to.escaped_slots(self.layout).into_iter().collect();
        slots.extend(objects.into_iter().flat_map(|object| self.layout.below(object, &[])));
        self.write_all(state, slots);
    }

    /// These slots may get any value.
    pub(super) fn write_all(&mut self, state: &mut State, slots: impl IntoIterator<Item = SlotId>) {
        state.is_approximate = true;
        for slot in slots {
            self.havoc_slot(state, slot, &InputOrigin::Approximation);
        }
    }
}

/// `s.next`, `a[]`, `points[].x`.
pub(super) fn name_of_path(unit: &Unit, layout: &Layout, object: ObjectId, path: &[Key]) -> String {
    let object = layout.of(object);
    let mut name = object.name.clone();
    let mut ty = object.ty;
    let mut is_outer = object.outer.is_some();
    for key in path {
        match (key, unit.ty(ty)) {
            (Key::Any, _) if is_outer => name.push_str("[]"),
            (Key::Any, Type::Array(element, _)) => {
                name.push_str("[]");
                ty = *element;
            }
            (Key::Member(number), Type::Composite(own)) => {
                let members = unit.composite(*own).members.as_deref().unwrap_or_default();
                if let Some(member) = members.get(*number) {
                    name.push('.');
                    name.push_str(&member.name);
                    ty = member.ty;
                }
            }
            _ => {}
        }
        is_outer = false;
    }
    name
}

/// The objects with elements that are asked for other than by constants.
pub(super) fn indexed(unit: &Unit, layout: &Layout, functions: &[FunctionId]) -> BTreeSet<ObjectId> {
    let mut found = BTreeSet::new();
    for &function in functions {
        super::calls::places(unit.function(function), &mut |place| {
            let is_open = place.path.iter().any(|step| {
                matches!(step, Step::Element(index) if !matches!(constant_of(index), Some(number) if number >= 0))
            });
            if is_open && let Some((object, _)) = super::ranges::direct(layout, function, place) {
                found.insert(object);
            }
        });
    }
    found
}

/// The value of an expression that is a constant behind conversions.
fn constant_of(expression: &Expression) -> Option<i128> {
    match &expression.kind {
        ExpressionKind::Integer(number) => Some(*number),
        ExpressionKind::Convert(inner) => constant_of(inner),
        _ => None,
    }
}
