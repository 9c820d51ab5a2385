//! Calls and returns, on a stack of frames beside the registers.

use super::Holder;
use super::code::{Delivery, Op, Passed, Shape};
use super::ending::{Ending, Halt};
use super::machine::{Machine, Stop};
use super::memory::{Access, Kind};
use super::scalar::{Pointer, UNKNOWN};
use crate::ir::{FunctionId, Undefined};
use tertium_support::Id;

/// What an open call costs besides its registers.
const FRAME: u64 = size_of::<Frame>() as u64;

/// An open call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) function: FunctionId,
    /// Its first register.
    pub(super) base: u32,
    /// The call instruction of the caller.
    pub(super) call: u32,
    /// How many objects of `alloca` there were before.
    pub(super) n_allocated: u32,
}

/// What a function returns.
#[derive(Clone, Copy, Debug)]
pub(super) enum Returned {
    Value(i128),
    Copied(Pointer, u64),
}

impl Machine<'_> {
    /// Room for the registers and objects of a call; its base is the next.
    pub(super) fn enter(&mut self, function: FunctionId, call: u32) -> Result<(), Stop> {
        let routine = &self.code.routines[function.index()];
        let Some(entry) = routine.entry else {
            return Err(self.end(Ending::MissingBody(function, self.span())));
        };
        if self.frames.len() >= self.limits.depth {
            return Err(Halt::Depth.into());
        }
        let base = match self.frames.last() {
            Some(frame) => self.base + self.code.routines[frame.function.index()].n_registers as usize,
            None => self.n_absolute,
        };
        let end = base + routine.n_registers as usize;
        let stack = end as u64 * 16 + self.frames.len() as u64 * FRAME;
        if self.memory.used.saturating_add(stack) > self.limits.memory || end > u32::MAX as usize {
            return Err(Halt::Memory.into());
        }
        if self.registers.len() < end {
            self.registers.resize(end, UNKNOWN);
        }
        self.registers[base..base + routine.n_locals as usize].fill(UNKNOWN);
        for &(local, size) in &routine.in_memory {
            let pointer = self.memory.allocate(Kind::Held(Holder::Local(function, local)), size, false)?;
            self.registers[base + local.index()] = pointer.pack();
        }
        let n_allocated = self.allocated.len() as u32;
        self.frames.push(Frame { function, base: self.base as u32, call, n_allocated });
        self.base = base;
        self.at = entry as usize;
        Ok(())
    }

    /// Calls a function; the next instruction is its first.
    pub(super) fn call(&mut self, function: FunctionId, site: u32, at: usize) -> Result<usize, Stop> {
        let caller = self.base;
        let code = self.code;
        let arguments = &code.sites[site as usize].arguments;
        let routine = &code.routines[function.index()];
        let is_fitting = arguments.len() == routine.parameters.len()
            || arguments.len() > routine.parameters.len() && routine.is_variadic;
        self.enter(function, at as u32)?;
        if !is_fitting {
            self.at = at;
            return Err(Undefined::InvalidCall.into());
        }
        let own = std::mem::replace(&mut self.base, caller);
        for (index, (argument, parameter)) in arguments.iter().zip(&routine.parameters).enumerate() {
            match (*argument, parameter.is_in_memory, parameter.shape) {
                (Passed::Value(register, ..), false, _) => self.registers[own + index] = self.get(register),
                (Passed::Value(register, ..), true, Shape::Scalar(scalar, size)) => {
                    let access = Access { scalar, offset: 0, size, bit_field: None };
                    let to = Pointer::unpack(self.registers[own + index]);
                    let value = self.get(register);
                    self.memory.store(to, &access, value)?;
                }
                (Passed::Copied { pointer, offset, size }, true, Shape::Bytes(expected))
                    if size == expected =>
                {
                    let to = Pointer::unpack(self.registers[own + index]);
                    let from = self.pointer(pointer).moved(offset as i64);
                    self.memory.copy(to, from, size)?;
                }
                (Passed::Copied { size: 0, .. }, ..) => {}
                _ => {
                    self.at = at;
                    return Err(Undefined::InvalidCall.into());
                }
            }
        }
        self.base = own;
        self.observer.enter(function, code.spans[at]);
        Ok(self.at)
    }

    pub(super) fn call_pointer(&mut self, pointer: Pointer, site: u32, at: usize) -> Result<usize, Stop> {
        let code = self.code;
        let function = pointer.as_function(code.routines.len()).ok_or(Undefined::InvalidCall)?;
        let (routine, site_) = (&code.routines[function.index()], &code.sites[site as usize]);
        let passed = |argument: &Passed| match *argument {
            Passed::Value(_, scalar, size) => Shape::Scalar(scalar, size),
            Passed::Copied { size, .. } => Shape::Bytes(size),
        };
        let fits = |a: Shape, b: Shape| match (a, b) {
            (Shape::Scalar(a, n), Shape::Scalar(b, m)) => {
                n == m && std::mem::discriminant(&a) == std::mem::discriminant(&b)
            }
            _ => a == b,
        };
        let all = site_.arguments.iter().zip(&routine.parameters);
        let gives = match site_.to {
            Delivery::Nowhere => routine.returns,
            Delivery::Copy { size, .. } => Shape::Bytes(size),
            Delivery::Store { access, .. } => Shape::Scalar(access.scalar, access.size),
            Delivery::Register(_) => match routine.returns {
                Shape::Scalar(..) => routine.returns,
                _ => Shape::Bytes(0),
            },
        };
        if !all.into_iter().all(|(argument, parameter)| fits(passed(argument), parameter.shape))
            || !(fits(gives, routine.returns) || routine.entry.is_none())
        {
            return Err(Undefined::InvalidCall.into());
        }
        self.call(function, site, at)
    }

    /// Returns to the caller; the next instruction is behind the call.
    pub(super) fn leave<const WATCH: bool>(&mut self, value: Option<Returned>) -> Result<usize, Stop> {
        let frame = *self.frames.last().expect("something runs");
        if frame.call == u32::MAX {
            self.observer.leave(frame.function);
            let status = match value {
                Some(Returned::Value(value)) => value,
                _ => 0,
            };
            return Err(self.end(Ending::Finished(status)));
        }
        let code = self.code;
        let site = match code.ops[frame.call as usize] {
            Op::Call { site } | Op::CallPointer { site, .. } => &code.sites[site as usize],
            _ => unreachable!("only calls are returned to"),
        };
        let own = std::mem::replace(&mut self.base, frame.base as usize);
        match (site.to, value) {
            (Delivery::Nowhere, _) => {}
            (_, None) => return Err(Undefined::MissingReturn.into()),
            (Delivery::Register(to), Some(Returned::Value(value))) => self.set(to, value),
            (Delivery::Store { pointer, access }, Some(Returned::Value(value))) => {
                self.at = frame.call as usize;
                self.memory.store(self.pointer(pointer), &access, value)?;
            }
            (Delivery::Copy { pointer, offset, size }, Some(Returned::Copied(from, n))) if n == size => {
                self.memory.copy(self.pointer(pointer).moved(offset as i64), from, size)?;
            }
            _ => return Err(Undefined::InvalidCall.into()),
        }
        for &(local, _) in &code.routines[frame.function.index()].in_memory {
            self.memory.release(Pointer::unpack(self.registers[own + local.index()]).slot);
        }
        for pointer in self.allocated.drain(frame.n_allocated as usize..) {
            self.memory.release(pointer.slot);
        }
        self.frames.pop();
        self.observer.leave(frame.function);
        if WATCH {
            let note = code.note_of[frame.call as usize];
            if note != 0 {
                self.tell(frame.call as usize, note);
            }
        }
        Ok(frame.call as usize + 1)
    }

    /// Writes the result of a library function.
    pub(super) fn deliver(&mut self, to: Delivery, value: i128) -> Result<(), Stop> {
        match to {
            Delivery::Nowhere | Delivery::Copy { .. } => {}
            Delivery::Register(to) => self.set(to, value),
            Delivery::Store { pointer, access } => {
                self.memory.store(self.pointer(pointer), &access, value)?
            }
        }
        Ok(())
    }
}
