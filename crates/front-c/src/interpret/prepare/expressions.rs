//! Code for expressions and places.
//!
//! The code is what a walk with a stack of operands would do, but every operand has its register once and for all: a local or constant
//! stands where it is, a result goes to the first temporary that is free. The walk keeps what is left to do as tasks, so that
//! `a + b + c + ...` may be as long as it likes.

use super::super::arithmetic;
use super::super::code::{Cell, Element, Op, Reg};
use super::super::ending::IntegerModel;
use super::super::inputs::Holder;
use super::super::memory::Access;
use super::super::scalar::{Pointer, Scalar, from_float};
use super::function::{FunctionBuilder, KEPT};
use super::{Home, function_pointer};
use crate::ir::UnaryOperator;
use crate::ir::{Base, BinaryOperator, Expression, ExpressionKind, Integer, Place, Rank, Step, Type, TypeId};
use tertium_support::{Id, Span};

/// What a place is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is read or written.
    Access,
    /// It is written, and its indices are kept for the observer.
    Target,
    /// A pointer to it is made.
    Address,
}

/// An operand that was computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// Its value; or the pointer to begin with, of a place in memory.
    pub(super) register: Reg,
    /// Bytes behind the pointer, of a place in memory.
    pub(super) offset: u64,
    /// Whether it is a place in memory, and not a value or a register.
    pub(super) is_memory: bool,
    /// The first temporary that was free before.
    pub(super) free: Reg,
}

/// Something left to do.
pub(super) enum Task<'u> {
    Value(&'u Expression),
    Place(&'u Place, Use),
    /// The steps of a place from this one on; the type of what was reached.
    Steps(&'u Place, usize, TypeId, Use),
    /// The index of this step was computed.
    Element(&'u Place, usize, TypeId, Use),
    /// The index was computed, and the observer may want it.
    Keep(Span),
    /// The place was found.
    Read(&'u Place),
    Address(Span),
    /// The operands were computed.
    Finish(&'u Expression, bool),
    /// The first operand of `&&` or `||` was computed.
    Second(&'u Expression),
    /// The second one was.
    Joined(&'u Expression, Label),
    /// The condition was computed, then the second, then the third.
    Then(&'u Expression),
    Else(&'u Expression, Label),
    Chosen(&'u Expression, Label),
}

/// A target that is not yet known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label(pub(super) u32);

impl<'u> FunctionBuilder<'_, 'u> {
    /// Code for a value; its operand is on top of the items then.
    pub(super) fn value(&mut self, expression: &'u Expression) -> Reg {
        self.run(Task::Value(expression));
        self.items.last().expect("a value leaves an operand").register
    }

    /// Code for a place; it is on top of the items then.
    pub(super) fn place(&mut self, place: &'u Place, used: Use) -> Item {
        self.run(Task::Place(place, used));
        *self.items.last().expect("a place leaves an operand")
    }

    fn run(&mut self, task: Task<'u>) {
        let mut tasks = vec![task];
        while let Some(task) = tasks.pop() {
            self.step(task, &mut tasks);
        }
    }

    fn step(&mut self, task: Task<'u>, tasks: &mut Vec<Task<'u>>) {
        match task {
            Task::Value(expression) => self.begin(expression, tasks),
            Task::Place(place, used) => self.begin_place(place, used, tasks),
            Task::Steps(place, from, ty, used) => self.steps(place, from, ty, used, tasks),
            Task::Element(place, at, array, used) => self.element(place, at, array, used, tasks),
            Task::Keep(span) => self.keep_index(span),
            Task::Read(place) => self.read(place),
            Task::Address(span) => self.address(span),
            Task::Finish(expression, is_access) => self.finish(expression, is_access),
            Task::Second(expression) => self.second(expression, tasks),
            Task::Joined(expression, label) => self.joined(expression, label),
            Task::Then(expression) => self.then(expression, tasks),
            Task::Else(expression, label) => self.otherwise(expression, label, tasks),
            Task::Chosen(expression, label) => {
                let value = self.pop();
                let to = self.temporary();
                self.emit(Op::Move { to, from: value.register }, expression.span);
                self.bind(label);
                self.items.push(Item { register: to, offset: 0, is_memory: false, free: value.free });
            }
        }
    }

    /// What comes first for an expression.
    fn begin(&mut self, expression: &'u Expression, tasks: &mut Vec<Task<'u>>) {
        match &expression.kind {
            ExpressionKind::Integer(value) => {
                let value = match self.scalar(expression.ty) {
                    Some(Scalar::Pointer) => {
                        let mask = u64::MAX >> (64 - 8 * self.unit().data_model.word());
                        Pointer::number((*value as u64 & mask) as i64).pack()
                    }
                    _ => *value,
                };
                self.push_constant(value);
            }
            ExpressionKind::Float(value) => {
                let value = match self.scalar(expression.ty) {
                    Some(Scalar::Float(kind)) => arithmetic::rounded(kind, *value),
                    _ => *value,
                };
                self.push_constant(from_float(value));
            }
            ExpressionKind::Function(function) => self.push_constant(function_pointer(*function)),
            ExpressionKind::Unsupported(which) => {
                self.emit(Op::Unsupported(*which as u32), expression.span);
                self.push_constant(0);
            }
            ExpressionKind::Read(place) => tasks.extend([Task::Read(place), Task::Place(place, Use::Access)]),
            ExpressionKind::AddressOf(place) => {
                tasks.extend([Task::Address(expression.span), Task::Place(place, Use::Address)]);
            }
            ExpressionKind::Unary(_, a) | ExpressionKind::Convert(a) => {
                tasks.extend([Task::Finish(expression, false), Task::Value(a)]);
            }
            ExpressionKind::Binary(BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr, a, _) => {
                tasks.extend([Task::Second(expression), Task::Value(a)]);
            }
            ExpressionKind::Binary(_, a, b)
            | ExpressionKind::Offset(a, b, _)
            | ExpressionKind::Distance(a, b, _) => {
                tasks.extend([Task::Finish(expression, false), Task::Value(b), Task::Value(a)]);
            }
            ExpressionKind::Conditional(condition, ..) => {
                tasks.extend([Task::Then(expression), Task::Value(condition)]);
            }
        }
    }

    fn begin_place(&mut self, place: &'u Place, used: Use, tasks: &mut Vec<Task<'u>>) {
        let home = match &place.base {
            Base::Global(id) => (self.builder.globals[id.index()], self.unit().globals[id.index()].ty),
            Base::Local(id) => (self.home(*id), self.function().locals[id.index()].ty),
            Base::Text(id) => (Home::Memory(self.builder.texts[id.index()]), place.ty),
            Base::Pointer(pointer) => {
                let ty = match self.unit().ty(pointer.ty) {
                    Type::Pointer(to) if !place.path.is_empty() => *to,
                    _ => place.ty,
                };
                tasks.push(Task::Steps(place, 0, ty, used));
                match &pointer.kind {
                    ExpressionKind::Offset(base, index, _) if used != Use::Address => {
                        tasks.push(Task::Finish(pointer, true));
                        if used == Use::Target {
                            tasks.push(Task::Keep(place.span));
                        }
                        tasks.extend([Task::Value(index), Task::Value(base)]);
                    }
                    _ => tasks.push(Task::Value(pointer)),
                }
                return;
            }
        };
        let (register, is_memory) = match home.0 {
            Home::Register(register) => (register, false),
            Home::Memory(register) => (register, true),
        };
        self.items.push(Item { register, offset: 0, is_memory, free: self.next });
        if is_memory {
            tasks.push(Task::Steps(place, 0, home.1, used));
        }
    }

    fn steps(&mut self, place: &'u Place, from: usize, ty: TypeId, used: Use, tasks: &mut Vec<Task<'u>>) {
        let mut ty = ty;
        self.items.last_mut().expect("the base was found").is_memory = true;
        for (at, step) in place.path.iter().enumerate().skip(from) {
            match step {
                Step::Member(number) => {
                    let Some((offset, of)) = self.member(ty, *number) else {
                        return self.give_up(place.span);
                    };
                    self.items.last_mut().expect("the base was found").offset += offset;
                    ty = of;
                }
                Step::Element(index) => {
                    if let (ExpressionKind::Integer(value), Some((element, length))) =
                        (&index.kind, self.array_at(place, at, ty))
                        && let Some(size) = self.unit().size_of(element)
                        && length.is_some_and(|length| (0..i128::from(length)).contains(value))
                    {
                        self.items.last_mut().expect("the base was found").offset += *value as u64 * size;
                        ty = element;
                        continue;
                    }
                    return tasks.extend([Task::Element(place, at, ty, used), Task::Value(index)]);
                }
            }
        }
    }

    fn element(&mut self, place: &'u Place, at: usize, array: TypeId, used: Use, tasks: &mut Vec<Task<'u>>) {
        let Some((element, length)) = self.array_at(place, at, array) else {
            return self.give_up(place.span);
        };
        if used == Use::Target {
            self.keep_index(place.span);
        }
        let (base, index) = self.pop_two();
        let to = self.temporary();
        // A last member with at most one element is the old way to write a flexible one.
        let is_open = length.is_some_and(|length| length <= 1) && at > 0;
        let is_open = is_open && matches!(place.path[at - 1], Step::Member(_));
        let what = Element {
            offset: base.offset,
            size: self.unit().size_of(element).unwrap_or(0),
            length: length.filter(|_| !is_open),
            may_be_end: used == Use::Address && at + 1 == place.path.len(),
        };
        self.builder.code.elements.push(what);
        let number = (self.builder.code.elements.len() - 1) as u32;
        let op = Op::Element { to, pointer: base.register, index: index.register, element: number };
        self.emit(op, place.span);
        self.items.push(Item { register: to, offset: 0, is_memory: true, free: base.free });
        tasks.push(Task::Steps(place, at + 1, element, used));
    }

    /// Sees to it that the index on top of the items is there for the observer when the assignment is done.
    fn keep_index(&mut self, span: Span) {
        let register = self.items.last().expect("the index was computed").register;
        let kept = if !self.is_temporary(register) {
            Some(register)
        } else if self.n_kept < KEPT {
            let to = self.n_locals + self.n_kept;
            self.n_kept += 1;
            self.emit(Op::Move { to, from: register }, span);
            Some(to)
        } else {
            None
        };
        self.indices.push(kept);
    }

    fn read(&mut self, place: &'u Place) {
        let item = self.pop();
        let Some(scalar) = self.scalar(place.ty) else { return self.give_up(place.span) };
        if item.is_memory {
            let access = self.access(place, scalar, item.offset);
            let to = self.temporary();
            let access = self.access_number(access);
            self.emit(Op::Load { to, pointer: item.register, access }, place.span);
            return self.items.push(Item { register: to, offset: 0, is_memory: false, free: item.free });
        }
        let holder = match place.base {
            Base::Global(id) if self.unit().external.contains(&id) => Some(Holder::Global(id)),
            Base::Local(id) if !self.is_known(id) => Some(Holder::Local(self.function, id)),
            _ => None,
        };
        if let Some(holder) = holder {
            self.builder.code.cells.push(Cell { holder, scalar });
            let cell = (self.builder.code.cells.len() - 1) as u32;
            self.emit(Op::Known { at: item.register, cell }, place.span);
        }
        self.items.push(item);
    }

    fn address(&mut self, span: Span) {
        let item = self.pop();
        let register = if item.offset == 0 {
            // The register of a temporary stays taken: the result is there.
            if self.is_temporary(item.register) {
                self.next = self.next.max(item.register + 1);
            }
            item.register
        } else {
            let to = self.temporary();
            self.emit(Op::Plus { to, pointer: item.register, bytes: item.offset }, span);
            to
        };
        self.items.push(Item { register, offset: 0, is_memory: false, free: item.free });
    }

    /// The operands are there; of `pointer + index`, also whether that is accessed at once.
    fn finish(&mut self, expression: &'u Expression, is_access: bool) {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Unary(operator, a) => self.unary(*operator, expression, a),
            ExpressionKind::Convert(a) => self.convert(expression, a),
            ExpressionKind::Binary(operator, of, _) => {
                let (a, b) = self.pop_two();
                let (Some(scalar), to) = (self.scalar(of.ty), self.temporary()) else {
                    return self.give_up(span);
                };
                let op = self.binary(*operator, scalar, to, a.register, b.register);
                self.emit(op, span);
                self.push_temporary(to, a.free);
            }
            ExpressionKind::Offset(_, _, size) => {
                let (a, b) = self.pop_two();
                let to = self.temporary();
                let (pointer, index) = (a.register, b.register);
                self.emit(Op::Offset { to, pointer, index, size: *size, is_access }, span);
                self.push_temporary(to, a.free);
            }
            ExpressionKind::Distance(_, _, size) => {
                let (a, b) = self.pop_two();
                let to = self.temporary();
                self.emit(Op::Distance { to, a: a.register, b: b.register, size: *size }, span);
                self.push_temporary(to, a.free);
            }
            _ => unreachable!("other expressions have tasks of their own"),
        }
    }

    fn unary(&mut self, operator: UnaryOperator, expression: &'u Expression, of: &'u Expression) {
        let item = self.pop();
        let (to, a) = (self.temporary(), item.register);
        let op = match (operator, self.scalar(of.ty)) {
            (UnaryOperator::Not, Some(Scalar::Float(_))) => Op::FloatNot { to, a },
            (UnaryOperator::Not, _) => Op::Not { to, a },
            (UnaryOperator::Negate, Some(Scalar::Float(_))) => Op::FloatNegate { to, a },
            (UnaryOperator::Negate, Some(Scalar::Integer(ty))) => Op::Negate { ty, to, a },
            (UnaryOperator::Complement, Some(Scalar::Integer(ty))) => Op::Complement { ty, to, a },
            _ => return self.give_up(expression.span),
        };
        self.emit(op, expression.span);
        self.push_temporary(to, item.free);
    }

    fn binary(&self, operator: BinaryOperator, scalar: Scalar, to: Reg, a: Reg, b: Reg) -> Op {
        let is_machine = self.builder.model == IntegerModel::Machine;
        match (operator, scalar) {
            (_, Scalar::Float(kind)) => Op::Float { operator, kind, to, a, b },
            (_, Scalar::Integer(ty)) if is_machine && ty.bits == 128 => {
                Op::Integer { operator, ty, to, a, b }
            }
            (BinaryOperator::Equal, _) => Op::Equal { to, a, b },
            (BinaryOperator::NotEqual, _) => Op::NotEqual { to, a, b },
            (_, Scalar::Pointer) => Op::PointerOrder { operator, to, a, b },
            (BinaryOperator::Less, _) => Op::Less { to, a, b },
            (BinaryOperator::AtMost, _) => Op::AtMost { to, a, b },
            (BinaryOperator::And, _) if is_machine => Op::And { to, a, b },
            (BinaryOperator::Or, _) if is_machine => Op::Or { to, a, b },
            (BinaryOperator::Xor, _) if is_machine => Op::Xor { to, a, b },
            (_, Scalar::Integer(ty)) => match (operator, ty.bits, ty.signed, is_machine) {
                (BinaryOperator::Add, 32, true, true) => Op::AddInt { to, a, b },
                (BinaryOperator::Subtract, 32, true, true) => Op::SubtractInt { to, a, b },
                (BinaryOperator::Multiply, 32, true, true) => Op::MultiplyInt { to, a, b },
                (BinaryOperator::Add, 32, false, true) => Op::AddUnsigned { to, a, b },
                (BinaryOperator::Subtract, 32, false, true) => Op::SubtractUnsigned { to, a, b },
                (BinaryOperator::Add, 64, true, true) => Op::AddLong { to, a, b },
                (BinaryOperator::Subtract, 64, true, true) => Op::SubtractLong { to, a, b },
                _ => Op::Integer { operator, ty, to, a, b },
            },
        }
    }

    fn convert(&mut self, expression: &'u Expression, of: &'u Expression) {
        let item = *self.items.last().expect("the operand was computed");
        let (Some(from), Some(to)) = (self.scalar(of.ty), self.scalar(expression.ty)) else { return };
        let a = item.register;
        let is_mathematical = self.builder.model == IntegerModel::Mathematical;
        let make: Box<dyn Fn(Reg) -> Op> = match (from, to) {
            (Scalar::Integer(_) | Scalar::Pointer, Scalar::Integer(Integer { rank: Rank::Bool, .. })) => {
                Box::new(move |to| Op::Truth { to, a })
            }
            (Scalar::Integer(from), Scalar::Integer(ty)) => {
                if is_mathematical || holds_all(ty, from) {
                    return;
                }
                Box::new(move |to| Op::Wrap { ty, to, a })
            }
            (Scalar::Integer(from), Scalar::Float(kind)) => {
                Box::new(move |to| Op::IntegerToFloat { from, kind, to, a })
            }
            (Scalar::Float(_), Scalar::Integer(ty)) => Box::new(move |to| Op::FloatToInteger { ty, to, a }),
            (Scalar::Float(_), Scalar::Float(crate::ir::Float::Single)) => {
                Box::new(move |to| Op::Round { to, a })
            }
            (Scalar::Float(_), Scalar::Float(_)) | (Scalar::Pointer, Scalar::Pointer) => return,
            (Scalar::Pointer, Scalar::Integer(ty)) => Box::new(move |to| Op::PointerToInteger { ty, to, a }),
            (Scalar::Integer(_), Scalar::Pointer) => Box::new(move |to| Op::IntegerToPointer { to, a }),
            (Scalar::Pointer, Scalar::Float(_)) | (Scalar::Float(_), Scalar::Pointer) => {
                return self.give_up(expression.span);
            }
        };
        self.pop();
        let to = self.temporary();
        self.emit(make(to), expression.span);
        self.push_temporary(to, item.free);
    }

    /// The top of the items as a truth value that a branch can ask: an integer or pointer, not zero where it holds.
    pub(super) fn pop_condition(&mut self, of: &Expression) -> Item {
        let item = self.pop();
        if let Some(Scalar::Float(_)) = self.scalar(of.ty) {
            let to = self.temporary();
            self.emit(Op::FloatTruth { to, a: item.register }, of.span);
            self.next = item.free;
            return Item { register: to, ..item };
        }
        item
    }

    fn second(&mut self, expression: &'u Expression, tasks: &mut Vec<Task<'u>>) {
        let ExpressionKind::Binary(operator, a, b) = &expression.kind else {
            unreachable!("it has two operands")
        };
        let item = self.pop_condition(a);
        let (more, over) = (self.label(), self.label());
        let to = self.temporary();
        let is_and = *operator == BinaryOperator::LogicalAnd;
        let given = self.builder.constant(i128::from(!is_and));
        let known = self.label();
        let (then, otherwise) = if is_and { (more, known) } else { (known, more) };
        self.emit(Op::Branch { a: item.register, then: then.0, otherwise: otherwise.0 }, expression.span);
        self.bind(known);
        self.emit(Op::Move { to, from: given }, expression.span);
        self.emit(Op::Jump { target: over.0 }, expression.span);
        self.bind(more);
        self.next = item.free;
        tasks.extend([Task::Joined(expression, over), Task::Value(b)]);
    }

    fn joined(&mut self, expression: &'u Expression, over: Label) {
        let ExpressionKind::Binary(_, _, b) = &expression.kind else { unreachable!("it has two operands") };
        let item = self.pop();
        let (to, a) = (self.temporary(), item.register);
        let is_float = matches!(self.scalar(b.ty), Some(Scalar::Float(_)));
        self.emit(if is_float { Op::FloatTruth { to, a } } else { Op::Truth { to, a } }, expression.span);
        self.bind(over);
        self.push_temporary(to, item.free);
    }

    fn then(&mut self, expression: &'u Expression, tasks: &mut Vec<Task<'u>>) {
        let ExpressionKind::Conditional(condition, second, _) = &expression.kind else {
            unreachable!("it has a condition")
        };
        let item = self.pop_condition(condition);
        let (then, otherwise) = (self.label(), self.label());
        self.emit(Op::Branch { a: item.register, then: then.0, otherwise: otherwise.0 }, expression.span);
        self.bind(then);
        self.next = item.free;
        tasks.extend([Task::Else(expression, otherwise), Task::Value(second)]);
    }

    fn otherwise(&mut self, expression: &'u Expression, otherwise: Label, tasks: &mut Vec<Task<'u>>) {
        let ExpressionKind::Conditional(_, _, third) = &expression.kind else {
            unreachable!("it has a third")
        };
        let item = self.pop();
        let to = self.temporary();
        let over = self.label();
        self.emit(Op::Move { to, from: item.register }, expression.span);
        self.emit(Op::Jump { target: over.0 }, expression.span);
        self.bind(otherwise);
        self.next = item.free;
        tasks.extend([Task::Chosen(expression, over), Task::Value(third)]);
    }

    /// How a scalar in memory is accessed; a place that ends in a bit-field is that field.
    pub(super) fn access(&self, place: &Place, scalar: Scalar, offset: u64) -> Access {
        let size = self.unit().size_of(place.ty).unwrap_or(0) as u32;
        let plain = Access { scalar, offset, size, bit_field: None };
        let Some((first, bits)) = self.bit_field(place) else { return plain };
        let (skipped, first) = (first / 8, first % 8);
        let size = (first + bits).div_ceil(8);
        Access { offset: offset + u64::from(skipped), size, bit_field: Some((first, bits)), ..plain }
    }

    pub(super) fn access_number(&mut self, access: Access) -> u32 {
        self.builder.code.accesses.push(access);
        (self.builder.code.accesses.len() - 1) as u32
    }

    fn bit_field(&self, place: &Place) -> Option<(u32, u32)> {
        let Some(Step::Member(last)) = place.path.last() else { return None };
        let mut ty = match &place.base {
            Base::Global(id) => self.unit().globals[id.index()].ty,
            Base::Local(id) => self.function().locals[id.index()].ty,
            Base::Text(_) => return None,
            Base::Pointer(pointer) => match self.unit().ty(pointer.ty) {
                Type::Pointer(to) => *to,
                _ => return None,
            },
        };
        for step in &place.path[..place.path.len() - 1] {
            ty = match step {
                Step::Member(number) => self.member(ty, *number)?.1,
                Step::Element(_) => self.array(ty)?.0,
            };
        }
        let Type::Composite(id) = self.unit().ty(ty) else { return None };
        self.unit().composite(*id).members.as_ref()?.get(*last)?.bit_field
    }

    fn member(&self, ty: TypeId, number: usize) -> Option<(u64, TypeId)> {
        let Type::Composite(id) = self.unit().ty(ty) else { return None };
        let member = self.unit().composite(*id).members.as_ref()?.get(number)?;
        Some((member.offset, member.ty))
    }

    /// The array that the step with this number goes into. A text is one of the characters that are looked at.
    fn array_at(&self, place: &Place, at: usize, ty: TypeId) -> Option<(TypeId, Option<u64>)> {
        match (&place.base, at) {
            (Base::Text(id), 0) => Some((place.ty, Some(self.unit().strings[id.index()].len() as u64))),
            _ => self.array(ty),
        }
    }

    fn array(&self, ty: TypeId) -> Option<(TypeId, Option<u64>)> {
        match self.unit().ty(ty) {
            Type::Array(element, length) => Some((*element, *length)),
            _ => None,
        }
    }

    pub(super) fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        Scalar::of(self.unit(), ty)
    }

    fn push_constant(&mut self, value: i128) {
        let register = self.builder.constant(value);
        self.items.push(Item { register, offset: 0, is_memory: false, free: self.next });
    }

    fn push_temporary(&mut self, register: Reg, free: Reg) {
        self.items.push(Item { register, offset: 0, is_memory: false, free });
    }

    /// Takes an operand; its temporary is free then.
    pub(super) fn pop(&mut self) -> Item {
        let item = self.items.pop().expect("an operand was computed");
        self.next = item.free;
        item
    }

    fn pop_two(&mut self) -> (Item, Item) {
        let b = self.pop();
        let a = self.pop();
        (a, b)
    }

    /// The form of a program has a place or an operand that no reader makes: the run ends there.
    fn give_up(&mut self, span: Span) {
        debug_assert!(false, "an expression has a form that cannot be");
        self.emit(Op::Undefined(crate::ir::Undefined::Unreachable), span);
        self.push_constant(0);
    }
}

/// Whether a type has all values of another.
fn holds_all(ty: Integer, other: Integer) -> bool {
    match (ty.signed, other.signed) {
        (true, false) => other.bits < ty.bits,
        (false, true) => false,
        _ => other.bits <= ty.bits,
    }
}
