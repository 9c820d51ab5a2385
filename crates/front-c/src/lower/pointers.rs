//! Operations on pointers.
//!
//! A pointer is the number of what it points to, and an index into the arrays there; 0 is null, and the greatest number is all that is
//! outside of the program. Whoever follows a pointer goes on only where it points to something that it may point to.

use super::Lowering;
use super::interval::Interval;
use super::layout::{Content, Key, ObjectId, ObjectKind, SlotId};
use super::memory::Choice;
use super::options::InputOrigin;
use super::pointees::{Pointee, PointeeId, Pointees, seen_as, type_at};
use super::state::State;
use super::value::{Number, Pointer, Value};
use crate::ir::{
    Base, BinaryOperator, Builtin, Expression, ExpressionKind, FunctionId, Integer, Place, Step, StringId,
    Type, TypeId, Undefined,
};
use std::collections::BTreeSet;
use tertium_expr::{Sort, Term, Variable};
use tertium_program::Domain;
use tertium_support::{Id, Span};

/// A pointer to more places than this is not followed.
const MOST_CHOICES: usize = 8;

impl Lowering<'_> {
    /// What an expression may point to.
    pub(super) fn pointees_of(&self, expression: &Expression) -> Pointees {
        self.points_to.of(self.unit, self.layout, self.function, expression)
    }

    /// The number of a pointee.
    fn code(&self, id: PointeeId) -> Term {
        self.icfg.terms.integer(id.index() + 1)
    }

    /// Where a pointer may point to, with the type that it says is there; nothing if that is not known.
    pub(super) fn pointed(
        &mut self,
        state: &mut State,
        pointer: &Expression,
    ) -> Option<Vec<(Choice, TypeId)>> {
        let Type::Pointer(wanted) = *self.unit.ty(pointer.ty) else { return None };
        let pointees = self.pointees_of(pointer);
        let is_address = std::mem::take(&mut self.is_address);
        let value = self.value(state, pointer);
        self.is_address = is_address;
        if pointees.is_unknown || pointees.ids.len() > MOST_CHOICES {
            return None;
        }
        let own = self.pointer(state, value);
        let mut places = Vec::new();
        for &id in &pointees.ids {
            if let Pointee::Place(object, path) = self.points_to.pointee(id).clone() {
                let (seen, times) = seen_as(self.unit, self.layout, object, &path, wanted)?;
                places.push((id, object, path, seen, times));
            }
        }
        let terms = &self.icfg.terms;
        let conditions: Vec<Term> =
            places.iter().map(|(id, ..)| terms.equal(own.code, self.code(*id))).collect();
        let is_one = terms.or(conditions.iter().copied());
        self.demand(state, is_one, Undefined::NullAccess);
        let mut found = Vec::new();
        for ((id, object, path, seen, times), condition) in places.into_iter().zip(conditions) {
            let index = match self.points_to.is_indexed(id) {
                true => Number::new(own.index, Interval::ALL, Interval::ALL),
                false => self.constant(0, super::LONG),
            };
            let index = match self
                .icfg
                .terms
                .as_value(own.index)
                .and_then(|value| i128::try_from(value.as_int()?).ok())
            {
                Some(number) => self.constant(number, super::LONG),
                None => index,
            };
            state.enter(condition);
            let is_inside = self.demand_extent(state, index, object, &path);
            state.leave();
            is_inside?;
            found.push((Choice { condition, object, path: seen, index: self.times(index, times) }, wanted));
        }
        Some(found)
    }

    /// The path goes on only where an index is one of the elements on the way; nothing if their number is not known.
    fn demand_extent(
        &mut self,
        state: &mut State,
        index: Number,
        object: ObjectId,
        path: &[Key],
    ) -> Option<()> {
        let own = self.layout.of(object);
        let (outer, ty) = (own.outer, own.ty);
        if outer == Some(None)
            && path.first() == Some(&Key::Any)
            && path.iter().filter(|&&key| key == Key::Any).count() == 1
        {
            let length = self.length_of(object);
            let terms = &self.icfg.terms;
            let length =
                terms.sum([state.value_of(terms, length), terms.integer(i32::from(self.is_address))]);
            let inside =
                terms.and([terms.at_most(terms.integer(0), index.term), terms.less(index.term, length)]);
            self.demand(state, inside, Undefined::OutOfBounds);
            return Some(());
        }
        let mut all = outer.unwrap_or(Some(1))?;
        let mut rest = path;
        if outer.is_some() {
            rest = rest.strip_prefix(&[Key::Any])?;
        }
        let mut ty = ty;
        for key in rest {
            ty = match (key, self.unit.ty(ty)) {
                (Key::Any, Type::Array(element, length)) => {
                    all = all.checked_mul((*length)?)?;
                    *element
                }
                (Key::Member(number), Type::Composite(own)) => {
                    self.unit.composite(*own).members.as_ref()?.get(*number)?.ty
                }
                _ => return None,
            };
        }
        self.demand_inside(state, index, all);
        Some(())
    }

    /// The variable that says how many elements there are of what is allocated.
    fn length_of(&mut self, object: ObjectId) -> Variable {
        if let Some(&known) = self.lengths.get(&object) {
            return known;
        }
        let own = self.layout.of(object);
        let (name, span) = (format!("{}.length", own.name), own.span);
        let variable = self.icfg.add_global(&name, Domain::Int, span);
        self.lengths.insert(object, variable);
        variable
    }

    /// A pointer to a place.
    pub(super) fn address(&mut self, state: &mut State, place: &Place) -> Value {
        if matches!(place.base, Base::Text(id) if !self.is_text_pointed(id)) {
            return Value::Unknown;
        }
        let before = std::mem::replace(&mut self.is_address, true);
        let choices = self.locate(state, place);
        self.is_address = before;
        let Some(choices) = choices else { return self.not_followed(state, "an address", place.span) };
        let mut found: Option<Pointer> = None;
        for choice in choices.into_iter().rev() {
            let Some(id) = self.points_to.id_of(&Pointee::Place(choice.object, choice.path.clone())) else {
                return self.not_followed(state, "an address", place.span);
            };
            let index = match self.points_to.is_indexed(id) {
                true => choice.index.term,
                false => self.icfg.terms.integer(0),
            };
            let own = Pointer { code: self.code(id), index };
            found = Some(match found {
                None => own,
                Some(rest) => self.either_pointer(choice.condition, own, rest),
            });
        }
        found.map_or(Value::Unknown, Value::Pointer)
    }

    /// Whether any pointer that is kept may point to a string literal.
    fn is_text_pointed(&self, id: StringId) -> bool {
        self.layout.object(ObjectKind::Text(id)).is_some_and(|object| self.points_to.is_pointed(object))
    }

    /// A pointer to a function.
    pub(super) fn address_of_function(&self, id: FunctionId) -> Value {
        match self.points_to.id_of(&Pointee::Function(id)) {
            Some(id) => Value::Pointer(Pointer { code: self.code(id), index: self.icfg.terms.integer(0) }),
            None => Value::Unknown,
        }
    }

    /// A pointer plus an integer.
    pub(super) fn offset(
        &mut self,
        state: &mut State,
        expression: &Expression,
        pointer: &Expression,
        by: &Expression,
        size: u64,
    ) -> Value {
        let value = self.value(state, pointer);
        let number = self.index(state, by, None);
        let factor = self.elements_in(&self.pointees_of(pointer), size);
        let (Value::Pointer(own), Some(number), Some(factor)) = (value, number, factor) else {
            return self.not_followed(state, "arithmetic on a pointer", expression.span);
        };
        let terms = &self.icfg.terms;
        let index = terms.sum([own.index, terms.scaled(factor, number.term)]);
        Value::Pointer(Pointer { index, ..own })
    }

    /// How many elements a size is, if that is the same for all that a pointer may point to.
    fn elements_in(&self, pointees: &Pointees, size: u64) -> Option<u64> {
        let factor = |id: &PointeeId| {
            let pointee = self.points_to.pointee(*id);
            let Pointee::Place(object, path) = pointee else { return None };
            super::points_to::is_movable(self.unit, self.layout, pointee, size).then_some(())?;
            Some(size / self.unit.size_of(type_at(self.unit, self.layout, *object, path)?)?)
        };
        if pointees.is_unknown {
            return None;
        }
        let factors: BTreeSet<Option<u64>> = pointees.ids.iter().map(factor).collect();
        match factors.into_iter().collect::<Vec<_>>()[..] {
            [] => Some(1),
            [only] => only,
            _ => None,
        }
    }

    /// The difference of two pointers.
    pub(super) fn distance(
        &mut self,
        state: &mut State,
        span: Span,
        (left, right): (&Expression, &Expression),
        size: u64,
        ty: Integer,
    ) -> Value {
        let (one, other) = (self.value(state, left), self.value(state, right));
        let mut pointees = self.pointees_of(left);
        pointees.add(&self.pointees_of(right));
        let (Value::Pointer(one), Value::Pointer(other), Some(factor)) =
            (one, other, self.elements_in(&pointees, size))
        else {
            return self.not_followed(state, "a difference of pointers", span);
        };
        let inside = self.overlapping(&self.pointees_of(left), &self.pointees_of(right));
        if self.may_be_many(&pointees) || !inside.is_empty() {
            return self.not_followed(state, "a difference of pointers", span);
        }
        let terms = &self.icfg.terms;
        let same = terms.equal(one.code, other.code);
        let term = terms.divide(terms.difference(one.index, other.index), factor);
        self.demand(state, same, Undefined::PointerArithmetic);
        let exact = Number::new(term, Interval::ALL, Interval::ALL);
        Value::Number(self.fit(state, exact, ty, super::arithmetic::NoRoom::Ends))
    }

    /// Whether something that may be there several times is among these.
    fn may_be_many(&self, pointees: &Pointees) -> bool {
        pointees.ids.iter().any(|id| match self.points_to.pointee(*id) {
            Pointee::Place(object, _) => self.points_to.is_many(*object),
            Pointee::Function(_) => false,
        })
    }

    /// A comparison of pointers.
    pub(super) fn compare_pointers(
        &mut self,
        state: &mut State,
        operator: BinaryOperator,
        (left, one): (&Expression, Pointer),
        (right, other): (&Expression, Pointer),
    ) -> Term {
        let is_null = |this: &Self, pointer: Pointer| {
            let zero = this.icfg.terms.integer(0);
            pointer.code == zero
        };
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let negated = |this: &Self, term: Term| match operator {
            BinaryOperator::NotEqual => this.icfg.terms.not(term),
            _ => term,
        };
        if is_equality && (is_null(self, one) || is_null(self, other)) {
            return negated(self, self.icfg.terms.equal(one.code, other.code));
        }
        let mut pointees = self.pointees_of(left);
        let others = self.pointees_of(right);
        let is_unknown = pointees.is_unknown || others.is_unknown;
        let inside = self.overlapping(&pointees, &others);
        pointees.ids.retain(|id| others.ids.contains(id));
        if is_unknown {
            self.approximate(state, "a comparison of pointers that are not known", left.span);
            return self.truth(state, Value::Unknown);
        }
        // Two places of one object, which need not be the same to have the same address.
        let terms = &self.icfg.terms;
        let is_code = |own: Pointer, id: PointeeId| terms.equal(own.code, self.code(id));
        let pairs = inside.iter().map(|&(a, b)| terms.and([is_code(one, a), is_code(other, b)]));
        let near = terms.or(pairs.collect::<Vec<_>>());
        if !is_equality {
            let same = terms.or([terms.equal(one.code, other.code), near]);
            self.demand(state, same, Undefined::PointerArithmetic);
            if self.may_be_many(&pointees) || !inside.is_empty() {
                return self.truth(state, Value::Unknown);
            }
            let terms = &self.icfg.terms;
            return match operator {
                BinaryOperator::Less => terms.less(one.index, other.index),
                _ => terms.at_most(one.index, other.index),
            };
        }
        let index = terms.or([terms.equal(one.index, other.index), terms.equal(one.code, terms.integer(0))]);
        let same = terms.and([terms.equal(one.code, other.code), index]);
        if !self.may_be_many(&pointees) {
            if inside.is_empty() {
                return negated(self, same);
            }
            self.approximate(state, "a comparison of pointers into one object", left.span);
            let any = self.truth(state, Value::Unknown);
            let terms = &self.icfg.terms;
            return negated(self, terms.or([same, terms.and([near, any])]));
        }
        // Two that are one number may still be two.
        self.approximate(state, "a comparison of pointers into several objects", left.span);
        let any = self.truth(state, Value::Unknown);
        let terms = &self.icfg.terms;
        let is_null = terms.equal(one.code, terms.integer(0));
        let same = terms.and([terms.equal(one.code, other.code), terms.or([is_null, any])]);
        negated(self, terms.or([same, terms.and([near, any])]))
    }

    /// What both sides may point to that is two places of one object.
    fn overlapping(&self, left: &Pointees, right: &Pointees) -> Vec<(PointeeId, PointeeId)> {
        let object = |id: PointeeId| match self.points_to.pointee(id) {
            Pointee::Place(object, _) => Some(*object),
            Pointee::Function(_) => None,
        };
        let mut found = Vec::new();
        for &one in &left.ids {
            let own = object(one);
            let others = right.ids.iter().filter(|&&other| other != one && own.is_some());
            found.extend(others.filter(|&&other| object(other) == own).map(|&other| (one, other)));
        }
        found
    }

    /// What a library function does with memory.
    pub(super) fn builtin_of_memory(
        &mut self,
        state: &mut State,
        which: Builtin,
        arguments: &[Expression],
        to: Option<&Place>,
        span: Span,
    ) {
        let result = match which {
            Builtin::Allocate | Builtin::AllocateCleared | Builtin::AllocateLocal | Builtin::Reallocate => {
                self.allocate(state, which, arguments, span)
            }
            Builtin::Fill | Builtin::CopyBytes | Builtin::CopyText => {
                let values: Vec<Value> =
                    arguments.iter().map(|argument| self.value(state, argument)).collect();
                let first = values.into_iter().next().unwrap_or(Value::Unknown);
                self.write_bytes(state, which, arguments, first.clone(), span);
                first
            }
            Builtin::Length if self.length_of_text(arguments).is_some() => {
                let length = self.length_of_text(arguments).unwrap_or_default();
                Value::Number(self.constant(length, super::LONG))
            }
            _ => {
                arguments.iter().for_each(|argument| {
                    self.value(state, argument);
                });
                match to {
                    Some(_) => self.not_followed(state, "a library function of strings or bytes", span),
                    None => Value::Unknown,
                }
            }
        };
        if let Some(place) = to {
            let result = match (&result, self.unit.ty(place.ty)) {
                (Value::Pointer(_), Type::Pointer(_)) | (Value::Number(_), Type::Integer(_)) => result,
                _ => Value::Unknown,
            };
            self.write(state, place, result);
        }
    }

    /// What `strlen` of a string literal is.
    fn length_of_text(&self, arguments: &[Expression]) -> Option<i128> {
        let ExpressionKind::AddressOf(place) = &unconverted(arguments.first()?).kind else { return None };
        let is_start = match &place.path[..] {
            [] => true,
            [Step::Element(index)] => super::sites::constant_of(index) == Some(0),
            _ => false,
        };
        match place.base {
            Base::Text(id) if is_start => {
                let text = self.unit.strings.get(id.index())?;
                i128::try_from(text.iter().position(|&byte| byte == 0)?).ok()
            }
            _ => None,
        }
    }

    /// The one object that a pointer to its beginning points to, if these are all of its bytes.
    fn whole_object(&mut self, pointer: Value, pointees: &Pointees, size: Option<u64>) -> Option<ObjectId> {
        let Value::Pointer(pointer) = pointer else { return None };
        let only = pointees.ids.first().filter(|_| pointees.ids.len() == 1 && !pointees.is_unknown)?;
        let Pointee::Place(object, path) = self.points_to.pointee(*only) else { return None };
        let own = self.layout.of(*object);
        let bytes = self.unit.size_of(own.ty)?.checked_mul(own.outer.unwrap_or(Some(1))?)?;
        let terms = &self.icfg.terms;
        let is_start = pointer.index == terms.integer(0) && pointer.code == self.code(*only);
        let is_first = path.iter().all(|key| matches!(key, Key::Any | Key::Member(0)));
        (is_start && is_first && Some(bytes) == size && !self.points_to.is_many(*object)).then_some(*object)
    }

    /// Memory that begins to live here: any contents, or zeros.
    fn allocate(&mut self, state: &mut State, which: Builtin, arguments: &[Expression], span: Span) -> Value {
        let numbers: Vec<Option<Number>> = arguments
            .iter()
            .map(|argument| match self.unit.ty(argument.ty) {
                Type::Integer(_) => self.index(state, argument, None),
                _ => {
                    self.value(state, argument);
                    None
                }
            })
            .collect();
        let kind = ObjectKind::Site(self.function, self.at.0, self.at.1);
        let Some(object) = self.layout.object(kind) else {
            return self.not_followed(state, "memory that is allocated for several types, or for none", span);
        };
        let pointee = super::sites::first_of(self.unit, self.layout, object);
        let Some(id) = pointee.and_then(|pointee| self.points_to.id_of(&pointee)) else {
            return Value::Unknown;
        };
        if !self.points_to.is_many(object) {
            let own = self.layout.of(object).clone();
            for slot in self.layout.below(object, &[]) {
                match which {
                    Builtin::AllocateCleared => self.clear_slot(state, slot),
                    _ => self.havoc_slot(state, slot, &InputOrigin::Allocated(span)),
                }
            }
            if own.outer == Some(None)
                && let Some(size) = self.unit.size_of(own.ty).filter(|&size| size > 0)
            {
                let bytes = match (which, &numbers[..]) {
                    (Builtin::AllocateCleared, [Some(one), Some(other)]) => {
                        Some(self.icfg.terms.product(one.term, other.term))
                    }
                    (_, [Some(bytes), ..]) => Some(bytes.term),
                    _ => None,
                };
                let length = match bytes {
                    Some(bytes) => self.icfg.terms.divide(bytes, size),
                    None => self.input(state, "length", Domain::Int, InputOrigin::Approximation),
                };
                let variable = self.length_of(object);
                state.set(&self.icfg.terms, variable, length);
            }
        }
        Value::Pointer(Pointer { code: self.code(id), index: self.icfg.terms.integer(0) })
    }

    /// `memset`, `memcpy` and `strcpy`: exact where they mean one object of a type.
    fn write_bytes(
        &mut self,
        state: &mut State,
        which: Builtin,
        arguments: &[Expression],
        first: Value,
        span: Span,
    ) {
        let size =
            arguments.get(2).and_then(super::sites::constant_of).and_then(|size| u64::try_from(size).ok());
        let place = |argument: Option<&Expression>| {
            let inner = unconverted(argument?);
            let Type::Pointer(ty) = *self.unit.ty(inner.ty) else { return None };
            let is_all = self.unit.size_of(ty).is_some() && self.unit.size_of(ty) == size;
            is_all.then(|| Place { base: Base::Pointer(inner.clone()), path: Vec::new(), ty, span })
        };
        let is_zero = arguments.get(1).is_some_and(|byte| super::sites::constant_of(byte) == Some(0));
        match (which, place(arguments.first())) {
            (Builtin::Fill, Some(to)) if is_zero => return self.clear(state, &to),
            (Builtin::CopyBytes, Some(to)) => {
                if let Some(from) = place(arguments.get(1)).filter(|from| from.ty == to.ty) {
                    return match self.locate(state, &to) {
                        Some(choices) => self.copy_to(state, choices, &from),
                        None => self.write_anywhere(state, &to),
                    };
                }
            }
            _ => {}
        }
        let pointees = arguments.first().map_or_else(Pointees::unknown, |first| self.pointees_of(first));
        if pointees.is_unknown {
            self.approximate(state, "bytes that are written to a place that is not known", span);
            let escaped = self.points_to.escaped_slots(self.layout);
            self.write_all(state, escaped);
        }
        let byte = arguments.get(1).and_then(super::sites::constant_of);
        if let (Builtin::Fill, Some(byte)) = (which, byte)
            && let Some(object) = self.whole_object(first, &pointees, size)
        {
            return self
                .layout
                .below(object, &[])
                .into_iter()
                .for_each(|slot| self.fill_slot(state, slot, byte, span));
        }
        self.approximate(state, "bytes that are written by a library function", span);
        for id in pointees.ids {
            let Pointee::Place(object, _) = self.points_to.pointee(id).clone() else { continue };
            for slot in self.layout.below(object, &[]) {
                self.havoc_slot(state, slot, &InputOrigin::Approximation);
            }
        }
    }
}

impl Lowering<'_> {
    /// All bytes of a slot become one.
    fn fill_slot(&mut self, state: &mut State, slot: SlotId, byte: i128, span: Span) {
        let byte = byte & 0xff;
        let Content::Integer(ty) = self.layout.slot(slot).content else {
            if byte == 0 {
                return self.clear_slot(state, slot);
            }
            self.approximate(state, "bytes that are written by a library function", span);
            return self.havoc_slot(state, slot, &InputOrigin::Approximation);
        };
        if byte == 0 {
            return self.clear_slot(state, slot);
        }
        if self.is_bit_field(slot) {
            self.approximate(state, "bytes of bit-fields that are written by a library function", span);
            return self.havoc_slot(state, slot, &InputOrigin::Approximation);
        }
        let all = (0..ty.bits.div_ceil(8)).fold(0i128, |all, at| all | byte.wrapping_shl(8 * at));
        let value = ty.wrap(all);
        let is_bits = self.bits_width(slot).is_some();
        let term = if is_bits { self.bits_of(value, ty) } else { self.constant(value, ty).term };
        for variable in super::variables(&self.storage(slot)) {
            let term = match self.icfg.terms.sort_of(variable) {
                Sort::Array(index, _) => self.icfg.terms.everywhere(index, term),
                _ => term,
            };
            state.set(&self.icfg.terms, variable, term);
        }
        state.local.remove(&slot);
        state.flow.remove(&slot);
    }
}

impl Lowering<'_> {
    fn is_bit_field(&self, slot: SlotId) -> bool {
        let own = self.layout.slot(slot);
        let Some((Key::Member(number), outer)) = own.path.split_last() else { return false };
        let Some(ty) = type_at(self.unit, self.layout, own.object, outer) else { return true };
        let Type::Composite(id) = self.unit.ty(ty) else { return false };
        let member = self.unit.composite(*id).members.as_ref().and_then(|all| all.get(*number));
        member.is_none_or(|member| member.bit_field.is_some())
    }
}

/// An expression without conversions of pointers around it.
fn unconverted(expression: &Expression) -> &Expression {
    match &expression.kind {
        ExpressionKind::Convert(inner) => unconverted(inner),
        _ => expression,
    }
}
