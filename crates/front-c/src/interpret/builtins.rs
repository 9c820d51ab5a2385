//! Library functions with a meaning of their own.

use super::code::BuiltinSite;
use super::inputs::{Holder, InputSource};
use super::machine::{BYTE, Machine, Stop};
use super::memory::Kind;
use super::scalar::Pointer;
use crate::ir::{Builtin, Undefined};
use std::sync::Arc;

impl Machine<'_> {
    /// Does what a library function does.
    pub(super) fn builtin(&mut self, site: &BuiltinSite) -> Result<(), Stop> {
        let value =
            |this: &Self, at: usize| site.arguments.get(at).map_or(0, |&(register, _)| this.get(register));
        let pointer = |this: &Self, at: usize| Pointer::unpack(value(this, at));
        // Sizes are unsigned; one that does not fit is larger than any object.
        let size = |this: &Self, at: usize| u64::try_from(value(this, at)).unwrap_or(u64::MAX);
        let heap = Kind::Held(Holder::Heap);
        let result = match site.which {
            Builtin::Allocate => self.memory.allocate(heap, size(self, 0), false)?.pack(),
            Builtin::AllocateCleared => {
                let n = size(self, 0).saturating_mul(size(self, 1));
                self.memory.allocate(heap, n, true)?.pack()
            }
            Builtin::Reallocate => self.reallocate(pointer(self, 0), size(self, 1))?.pack(),
            Builtin::AllocateLocal => {
                let local = self.memory.allocate(Kind::Held(Holder::Stack), size(self, 0), false)?;
                self.allocated.push(local);
                local.pack()
            }
            Builtin::Free => {
                if value(self, 0) != 0 {
                    self.memory.free(pointer(self, 0))?;
                }
                0
            }
            Builtin::Fill => {
                let (to, n) = (pointer(self, 0), size(self, 2));
                if n > 0 {
                    self.memory.fill(to, value(self, 1) as u8, n)?;
                }
                to.pack()
            }
            Builtin::CopyBytes => {
                let (to, from, n) = (pointer(self, 0), pointer(self, 1), size(self, 2));
                if n > 0 {
                    self.memory.copy(to, from, n)?;
                }
                to.pack()
            }
            Builtin::CompareBytes => {
                let n = size(self, 2);
                self.compare(pointer(self, 0), pointer(self, 1), n, false)?
            }
            Builtin::CompareTexts => self.compare(pointer(self, 0), pointer(self, 1), u64::MAX, true)?,
            Builtin::Length => self.length(pointer(self, 0))?.into(),
            Builtin::CopyText => {
                let (to, from) = (pointer(self, 0), pointer(self, 1));
                let n = self.length(from)? + 1;
                self.memory.copy(to, from, n)?;
                to.pack()
            }
            Builtin::Print => {
                if matches!(site.to, super::code::Delivery::Nowhere) {
                    return Ok(());
                }
                self.ask(InputSource::Call { by: Arc::from("printf") }, site.gives)?
            }
            Builtin::First => value(self, 0),
        };
        self.deliver(site.to, result)
    }

    fn reallocate(&mut self, old: Pointer, size: u64) -> Result<Pointer, Stop> {
        let new = self.memory.allocate(Kind::Held(Holder::Heap), size, false)?;
        if old.pack() == 0 {
            return Ok(new);
        }
        let before = self.memory.size_of(old).ok_or(Undefined::InvalidFree)?;
        if old.offset == 0 {
            self.memory.copy(new, old, before.min(size))?;
        }
        self.memory.free(old)?;
        Ok(new)
    }

    /// Below, equal or above zero: as the first bytes that differ, at most so many, of texts until their end.
    fn compare(&mut self, one: Pointer, other: Pointer, n: u64, are_texts: bool) -> Result<i128, Stop> {
        for at in 0..n {
            self.wait(at)?;
            let (a, b) = (one.moved(at as i64), other.moved(at as i64));
            let (a, b) = (self.load(a, &BYTE)?, self.load(b, &BYTE)?);
            if a != b {
                self.is_machine_bound = true;
                return Ok(if a < b { -1 } else { 1 });
            }
            if are_texts && a == 0 {
                break;
            }
        }
        Ok(0)
    }

    fn length(&mut self, text: Pointer) -> Result<u64, Stop> {
        let mut n = 0;
        while self.load(text.moved(n as i64), &BYTE)? != 0 {
            n += 1;
            self.wait(n)?;
        }
        Ok(n)
    }
}
