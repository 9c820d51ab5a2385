//! The machine: the loop over the code, calls on a stack of its own, and what observers are told.
//!
//! A step is one instruction of the code. Limits are looked at every few thousand steps; memory and the depth of calls where they
//! grow. The loop exists twice, with and without an observer who wants to know of assignments and branches.

use super::arithmetic::{self, Fault};
use super::calls::{Frame, Returned};
use super::code::{ABSOLUTE, Cell, Code, Note, Op, Part, Reg, Stored, shown};
use super::ending::{Ending, Halt, IntegerModel, Run, RunLimits};
use super::inputs::{InputSource, InputType, Inputs, Request};
use super::memory::{Access, Loaded, Memory};
use super::observer::{Assignment, Observer};
use super::scalar::{Pointer, Scalar, UNKNOWN, from_float, to_float};
use super::{Holder, Interpreter};
use crate::ir::{BinaryOperator, Float, FunctionId, Integer, Rank, Undefined};
use tertium_support::Context;

/// How many steps are done between two looks at the limits.
const BATCH: u64 = 1 << 13;

/// Why the loop was left.
#[derive(Debug)]
pub(super) enum Stop {
    Fault(Fault),
    Ending(Box<Ending>),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Undefined> for Stop {
    fn from(undefined: Undefined) -> Self {
        Self::Fault(undefined.into())
    }
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Self {
        Self::Fault(halt.into())
    }
}

/// One run.
pub(super) struct Machine<'r> {
    pub(super) code: &'r Code,
    pub(super) model: IntegerModel,
    pub(super) main: FunctionId,
    pub(super) main_span: tertium_support::Span,
    pub(super) memory: Memory,
    pub(super) registers: Vec<i128>,
    pub(super) n_absolute: usize,
    pub(super) base: usize,
    pub(super) at: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) allocated: Vec<Pointer>,
    pub(super) context: &'r Context,
    pub(super) inputs: &'r mut dyn Inputs,
    pub(super) observer: &'r mut dyn Observer,
    pub(super) limits: RunLimits,
    pub(super) steps: u64,
    pub(super) n_inputs: u64,
    pub(super) is_machine_bound: bool,
}

impl<'r> Machine<'r> {
    pub(super) fn new(
        interpreter: &'r Interpreter,
        context: &'r Context,
        inputs: &'r mut dyn Inputs,
        observer: &'r mut dyn Observer,
        limits: RunLimits,
    ) -> Self {
        Self {
            code: &interpreter.code,
            model: interpreter.model,
            main: interpreter.main,
            main_span: interpreter.main_span,
            memory: interpreter.memory.clone().limited(limits.memory),
            registers: interpreter.absolute.clone(),
            n_absolute: interpreter.absolute.len(),
            base: interpreter.absolute.len(),
            at: 0,
            frames: Vec::new(),
            allocated: Vec::new(),
            context,
            inputs,
            observer,
            limits,
            steps: 0,
            n_inputs: 0,
            is_machine_bound: false,
        }
    }

    /// Runs the code for initial values.
    pub(super) fn initialise(&mut self, at: u32, n_registers: u32) -> Ending {
        self.at = at as usize;
        self.registers.resize(self.n_absolute + n_registers as usize, 0);
        self.frames.push(Frame {
            function: self.main,
            base: self.base as u32,
            call: u32::MAX,
            n_allocated: 0,
        });
        match self.execute::<false>() {
            Err(Stop::Ending(ending)) => *ending,
            Err(Stop::Fault(fault)) => self.ending_of(fault),
            Ok(never) => match never {},
        }
    }

    /// The absolute registers and the memory.
    pub(super) fn state(mut self) -> (Vec<i128>, Memory) {
        self.registers.truncate(self.n_absolute);
        (self.registers, self.memory)
    }

    /// Runs the program.
    pub(super) fn run(mut self) -> Run {
        let is_curious = self.observer.is_curious();
        let stop = match self.enter(self.main, u32::MAX) {
            Ok(()) => {
                self.observer.enter(self.main, self.main_span);
                if is_curious { self.execute::<true>() } else { self.execute::<false>() }
            }
            Err(stop) => Err(stop),
        };
        let ending = match stop {
            Err(Stop::Ending(ending)) => *ending,
            Err(Stop::Fault(fault)) => self.ending_of(fault),
            Ok(never) => match never {},
        };
        Run {
            ending,
            steps: self.steps,
            inputs: self.n_inputs,
            is_machine_bound: self.is_machine_bound || self.memory.addresses.were_seen,
        }
    }

    fn ending_of(&self, fault: Fault) -> Ending {
        match fault {
            Fault::Undefined(undefined) => Ending::Undefined(undefined, self.span()),
            Fault::Halt(halt) => Ending::Stopped(halt),
        }
    }

    pub(super) fn span(&self) -> tertium_support::Span {
        self.code.spans.get(self.at).copied().unwrap_or(self.main_span)
    }

    pub(super) fn function(&self) -> FunctionId {
        self.frames.last().map_or(self.main, |frame| frame.function)
    }

    #[inline(always)]
    fn index(&self, register: Reg) -> usize {
        // Absolute registers come first: for these, nothing is added.
        let is_own = (register >> 31).wrapping_sub(1) as usize;
        (register & !ABSOLUTE) as usize + (self.base & (is_own & u32::MAX as usize))
    }

    #[inline(always)]
    pub(super) fn get(&self, register: Reg) -> i128 {
        self.registers[self.index(register)]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, register: Reg, value: i128) {
        let index = self.index(register);
        self.registers[index] = value;
    }

    pub(super) fn pointer(&self, register: Reg) -> Pointer {
        Pointer::unpack(self.get(register))
    }

    #[cold]
    fn look_at_limits(&mut self) -> Result<u64, Stop> {
        self.context.spend(BATCH).map_err(Halt::Context)?;
        self.context.poll().map_err(Halt::Context)?;
        let left = self.limits.steps - self.steps;
        if left == 0 { Err(Halt::Steps.into()) } else { Ok(left.min(BATCH)) }
    }

    /// Looks at the limits now and then in a loop of a library function.
    pub(super) fn wait(&mut self, round: u64) -> Result<(), Stop> {
        if round % BATCH == BATCH - 1 {
            self.context.spend(BATCH).map_err(Halt::Context)?;
            self.context.poll().map_err(Halt::Context)?;
        }
        Ok(())
    }

    fn execute<const WATCH: bool>(&mut self) -> Result<std::convert::Infallible, Stop> {
        let mut left = 0;
        let code = self.code;
        loop {
            if left == 0 {
                left = self.look_at_limits()?;
                self.steps += left;
            }
            left -= 1;
            let at = self.at;
            let next = match self.step::<WATCH>(code, at) {
                Ok(next) => next,
                Err(stop) => {
                    self.steps -= left;
                    return Err(stop);
                }
            };
            self.at = next;
            if WATCH {
                let note = code.note_of[at];
                if note != 0 && !matches!(code.ops[at], Op::Call { .. } | Op::CallPointer { .. }) {
                    self.tell(at, note);
                }
            }
        }
    }

    /// Does one instruction and says which is next.
    #[inline(always)]
    fn step<const WATCH: bool>(&mut self, code: &Code, at: usize) -> Result<usize, Stop> {
        match code.ops[at] {
            Op::Move { to, from } => self.set(to, self.get(from)),
            Op::Forget { to } => self.set(to, UNKNOWN),
            Op::Known { at: register, cell } => {
                if self.get(register) == UNKNOWN {
                    let value = self.ask_cell(code.cells[cell as usize])?;
                    self.set(register, value);
                }
            }
            Op::AddInt { to, a, b } => {
                let value = (self.get(a) as i32).checked_add(self.get(b) as i32);
                self.set(to, value.ok_or(Undefined::Overflow)?.into());
            }
            Op::SubtractInt { to, a, b } => {
                let value = (self.get(a) as i32).checked_sub(self.get(b) as i32);
                self.set(to, value.ok_or(Undefined::Overflow)?.into());
            }
            Op::MultiplyInt { to, a, b } => {
                let value = (self.get(a) as i32).checked_mul(self.get(b) as i32);
                self.set(to, value.ok_or(Undefined::Overflow)?.into());
            }
            Op::AddUnsigned { to, a, b } => {
                self.set(to, (self.get(a) as u32).wrapping_add(self.get(b) as u32).into());
            }
            Op::SubtractUnsigned { to, a, b } => {
                self.set(to, (self.get(a) as u32).wrapping_sub(self.get(b) as u32).into());
            }
            Op::AddLong { to, a, b } => {
                let value = (self.get(a) as i64).checked_add(self.get(b) as i64);
                self.set(to, value.ok_or(Undefined::Overflow)?.into());
            }
            Op::SubtractLong { to, a, b } => {
                let value = (self.get(a) as i64).checked_sub(self.get(b) as i64);
                self.set(to, value.ok_or(Undefined::Overflow)?.into());
            }
            Op::And { to, a, b } => self.set(to, self.get(a) & self.get(b)),
            Op::Or { to, a, b } => self.set(to, self.get(a) | self.get(b)),
            Op::Xor { to, a, b } => self.set(to, self.get(a) ^ self.get(b)),
            Op::Integer { operator, ty, to, a, b } => {
                let value = arithmetic::integer(self.model, operator, ty, self.get(a), self.get(b))?;
                self.set(to, value);
            }
            Op::Equal { to, a, b } => self.set(to, (self.get(a) == self.get(b)).into()),
            Op::NotEqual { to, a, b } => self.set(to, (self.get(a) != self.get(b)).into()),
            Op::Less { to, a, b } => self.set(to, (self.get(a) < self.get(b)).into()),
            Op::AtMost { to, a, b } => self.set(to, (self.get(a) <= self.get(b)).into()),
            Op::Not { to, a } => self.set(to, (self.get(a) == 0).into()),
            Op::Truth { to, a } => self.set(to, (self.get(a) != 0).into()),
            Op::Wrap { ty, to, a } => self.set(to, ty.wrap(self.get(a))),
            Op::Offset { to, pointer, index, size, is_access } => {
                let bytes = i64::try_from(self.get(index)).ok();
                let bytes = bytes.and_then(|index| index.checked_mul(i64::try_from(size).ok()?));
                let value = self.memory.offset(self.pointer(pointer), bytes);
                let value = match value {
                    Some(value) => value,
                    None => return Err(left_object(self.pointer(pointer), is_access).into()),
                };
                self.set(to, value.pack());
            }
            Op::Plus { to, pointer, bytes } => {
                self.set(to, self.pointer(pointer).moved(bytes as i64).pack());
            }
            Op::Element { to, pointer, index, element } => {
                let element = &code.elements[element as usize];
                let index = self.get(index);
                let length = element.length.map_or(i128::MAX, i128::from);
                let length = length.saturating_add(element.may_be_end.into());
                if index < 0 && element.length.is_some() || index >= length {
                    return Err(Undefined::OutOfBounds.into());
                }
                let bytes =
                    i64::try_from(index).ok().and_then(|index| index.checked_mul(element.size as i64));
                let bytes = bytes.ok_or(Undefined::OutOfBounds)?.wrapping_add(element.offset as i64);
                self.set(to, self.pointer(pointer).moved(bytes).pack());
            }
            Op::Load { to, pointer, access } => {
                let (pointer, access) = (self.pointer(pointer), &code.accesses[access as usize]);
                let value = match self.memory.load(pointer, access)? {
                    Loaded::Value(value) => value,
                    Loaded::Unknown(holder) => self.ask_memory(pointer, access, holder)?,
                };
                self.set(to, value);
            }
            Op::Store { pointer, from, access } => {
                let value = self.get(from);
                self.memory.store(self.pointer(pointer), &code.accesses[access as usize], value)?;
            }
            Op::Jump { target } => return Ok(target as usize),
            Op::Branch { a, then, otherwise } => {
                return Ok(if self.get(a) != 0 { then } else { otherwise } as usize);
            }
            Op::BranchEqual { a, b, then, otherwise } => {
                return Ok(if self.get(a) == self.get(b) { then } else { otherwise } as usize);
            }
            Op::BranchLess { a, b, then, otherwise } => {
                return Ok(if self.get(a) < self.get(b) { then } else { otherwise } as usize);
            }
            Op::BranchAtMost { a, b, then, otherwise } => {
                return Ok(if self.get(a) <= self.get(b) { then } else { otherwise } as usize);
            }
            Op::Switch { a, table } => return Ok(code.tables[table as usize].target(self.get(a)) as usize),
            Op::Call { site } => {
                let function = code.sites[site as usize].function.expect("a direct call names its function");
                return self.call(function, site, at);
            }
            Op::Return => return self.leave::<WATCH>(None),
            Op::ReturnValue { a } => return self.leave::<WATCH>(Some(Returned::Value(self.get(a)))),
            op => self.rare::<WATCH>(code, op, at)?,
        }
        Ok(match code.ops[at] {
            Op::CallPointer { .. } | Op::ReturnCopy { .. } => self.at,
            _ => at + 1,
        })
    }

    /// Instructions that are rare, or slow anyway. Those that go elsewhere leave the place in `self.at`.
    fn rare<const WATCH: bool>(&mut self, code: &Code, op: Op, at: usize) -> Result<(), Stop> {
        match op {
            Op::Negate { ty, to, a } => {
                let value = arithmetic::negated(self.model, ty, self.get(a))?;
                self.set(to, value);
            }
            Op::Complement { ty, to, a } => {
                let value = arithmetic::complement(self.model, ty, self.get(a))?;
                self.set(to, value);
            }
            Op::Float { operator, kind, to, a, b } => {
                self.is_machine_bound |= kind == Float::Long;
                self.set(to, arithmetic::float(operator, kind, self.get(a), self.get(b)));
            }
            Op::FloatNegate { to, a } => self.set(to, from_float(-to_float(self.get(a)))),
            Op::FloatNot { to, a } => self.set(to, (to_float(self.get(a)) == 0.0).into()),
            Op::FloatTruth { to, a } => self.set(to, (to_float(self.get(a)) != 0.0).into()),
            Op::Round { to, a } => {
                self.set(to, from_float(arithmetic::rounded(Float::Single, to_float(self.get(a)))));
            }
            Op::IntegerToFloat { from, kind, to, a } => {
                self.is_machine_bound |= kind == Float::Long;
                self.set(to, from_float(arithmetic::to_floating(from, kind, self.get(a))));
            }
            Op::FloatToInteger { ty, to, a } => {
                let value = arithmetic::to_integer(self.model, ty, to_float(self.get(a)))?;
                self.set(to, value);
            }
            Op::PointerToInteger { ty, to, a } => {
                let address = self.memory.address(self.pointer(a))?;
                self.set(to, arithmetic::wrapped(self.model, ty, address.into()));
            }
            Op::IntegerToPointer { to, a } => {
                let pointer = self.as_pointer(self.get(a));
                self.set(to, pointer);
            }
            Op::PointerOrder { operator, to, a, b } => {
                let (a, b) = (self.pointer(a), self.pointer(b));
                if !a.is_beside(b) {
                    return Err(Undefined::PointerArithmetic.into());
                }
                let holds =
                    if operator == BinaryOperator::Less { a.offset < b.offset } else { a.offset <= b.offset };
                self.set(to, holds.into());
            }
            Op::Distance { to, a, b, size } => {
                let (a, b) = (self.pointer(a), self.pointer(b));
                if !a.is_beside(b) {
                    return Err(Undefined::PointerArithmetic.into());
                }
                self.set(to, (i128::from(a.offset) - i128::from(b.offset)) / i128::from(size.max(1)));
            }
            Op::Copy { to, from, bytes } => {
                let bytes = code.copies[bytes as usize];
                let to = self.pointer(to).moved(bytes.to as i64);
                let from = self.pointer(from).moved(bytes.from as i64);
                self.memory.copy(to, from, bytes.size)?;
            }
            Op::Clear { pointer, bytes } => {
                let bytes = code.copies[bytes as usize];
                self.memory.fill(self.pointer(pointer).moved(bytes.to as i64), 0, bytes.size)?;
            }
            Op::Renew { at } => {
                let pointer = self.memory.renew(self.pointer(at).slot)?;
                self.set(at, pointer.pack());
            }
            Op::Ask { to, question } => {
                let question = &code.questions[question as usize];
                let source = InputSource::Call { by: question.by.clone() };
                let value = self.ask(source, question.scalar)?;
                self.set(to, value);
            }
            Op::Assume { a } => {
                if self.get(a) == 0 {
                    return Err(self.end(Ending::AssumptionFailed(self.span())));
                }
            }
            Op::CallPointer { pointer, site } => {
                self.at = self.call_pointer(self.pointer(pointer), site, at)?
            }
            Op::Builtin { site } => self.builtin(&code.builtins[site as usize])?,
            Op::ReturnCopy { pointer, bytes } => {
                let bytes = code.copies[bytes as usize];
                let from = self.pointer(pointer).moved(bytes.to as i64);
                self.at = self.leave::<WATCH>(Some(Returned::Copied(from, bytes.size)))?;
            }
            Op::Exit(exit) => return Err(self.end(Ending::Exited(exit, self.span()))),
            Op::Fail(failure) => {
                return Err(self.end(Ending::Failed(failure, self.span(), self.function())));
            }
            Op::Undefined(undefined) => return Err(undefined.into()),
            Op::Unsupported(which) => {
                return Err(self.end(Ending::Unsupported(which as usize, self.span())));
            }
            _ => unreachable!("all others are done in the loop"),
        }
        Ok(())
    }

    pub(super) fn end(&self, ending: Ending) -> Stop {
        Stop::Ending(Box::new(ending))
    }

    /// The pointer that an integer is converted to.
    fn as_pointer(&self, value: i128) -> i128 {
        let mask = u64::MAX >> (64 - 8 * self.memory.word());
        self.memory.pointer_at(value as u64 & mask).pack()
    }

    /// Asks for a value; the answer becomes one of the type.
    pub(super) fn ask(&mut self, source: InputSource, scalar: Scalar) -> Result<i128, Stop> {
        let (ty, function, span) = (scalar.asked(), self.function(), self.span());
        let request = Request { source, ty, function, span };
        let Some(answer) = self.inputs.next(&request) else {
            return Err(self.end(Ending::OutOfInputs(request)));
        };
        if answer == UNKNOWN && self.model == IntegerModel::Mathematical {
            return Err(Halt::IntegerTooLarge.into());
        }
        self.n_inputs += 1;
        let (value, seen) = match ty {
            InputType::Integer(integer) => {
                let value = arithmetic::wrapped(self.model, integer, answer);
                (value, value)
            }
            InputType::Float(Float::Single) => (from_float(f32::from_bits(answer as u32).into()), answer),
            InputType::Float(_) => (answer as u64 as i128, answer),
            InputType::Pointer => (self.as_pointer(answer), answer),
        };
        self.observer.input(&request, seen);
        Ok(value)
    }

    #[cold]
    fn ask_cell(&mut self, cell: Cell) -> Result<i128, Stop> {
        self.ask(InputSource::Uninitialised(cell.holder), cell.scalar)
    }

    #[cold]
    fn ask_memory(&mut self, pointer: Pointer, access: &Access, holder: Holder) -> Result<i128, Stop> {
        let scalar = match access.scalar {
            Scalar::Integer(ty) => Scalar::Integer(access.integer(ty)),
            other => other,
        };
        let value = self.ask(InputSource::Uninitialised(holder), scalar)?;
        self.memory.answer(pointer, access, value)?;
        match self.memory.load(pointer, access)? {
            Loaded::Value(value) => Ok(value),
            Loaded::Unknown(_) => unreachable!("it was just written"),
        }
    }

    /// Reads a byte, and asks for it if nobody wrote it.
    pub(super) fn load(&mut self, pointer: Pointer, access: &Access) -> Result<i128, Stop> {
        match self.memory.load(pointer, access)? {
            Loaded::Value(value) => Ok(value),
            Loaded::Unknown(holder) => self.ask_memory(pointer, access, holder),
        }
    }

    /// Tells the observer of an instruction that is done.
    pub(super) fn tell(&mut self, at: usize, note: u32) {
        let code = self.code;
        let span = code.spans[at];
        match &code.notes[note as usize] {
            Note::Branched { asks, then } => self.observer.branch(*asks, self.at == *then as usize, span),
            Note::Assigned { place, value, scalar } => {
                let value = match *value {
                    Stored::Register(register) => self.get(register),
                    Stored::Memory(pointer, access) => match self.memory.load(self.pointer(pointer), &access)
                    {
                        Ok(Loaded::Value(value)) => value,
                        _ => return,
                    },
                };
                let mut name = String::new();
                for part in place {
                    match part {
                        Part::Text(text) => name.push_str(text),
                        Part::Index(register) => name.push_str(&self.get(*register).to_string()),
                    }
                }
                let value = shown(*scalar, value);
                let assignment = Assignment { function: self.function(), place: name, value, span };
                self.observer.assign(&assignment);
            }
        }
    }
}

/// What is undefined about a pointer that leaves its object.
fn left_object(pointer: Pointer, is_access: bool) -> Undefined {
    match (is_access, pointer.slot) {
        (true, 0) => Undefined::NullAccess,
        (true, _) => Undefined::OutOfBounds,
        (false, _) => Undefined::PointerArithmetic,
    }
}

/// An unsigned byte.
pub(super) const BYTE: Access = Access {
    scalar: Scalar::Integer(Integer { rank: Rank::Char, bits: 8, signed: false }),
    offset: 0,
    size: 1,
    bit_field: None,
};
