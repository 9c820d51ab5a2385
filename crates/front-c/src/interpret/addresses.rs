//! Addresses as numbers, for those objects whose pointers are looked at as numbers.
//!
//! An object gets its address when somebody asks, and keeps it when it is dead; no two objects ever share one. So a number that was made
//! of a pointer leads back to the same object and offset. The numbers themselves mean nothing: a run that asks depends on the machine.

use super::scalar::{FUNCTIONS, Pointer};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Where the addresses of functions begin, and how far they are apart. Those of objects begin behind them.
const FUNCTION_ADDRESSES: u64 = 0x1000;
const FUNCTION_DISTANCE: u64 = 16;

/// All addresses that were given.
#[derive(Clone, Debug)]
pub(super) struct Addresses {
    /// The greatest number of a pointer.
    most: u64,
    n_functions: u64,
    next: u64,
    /// By slot and generation, and by address with the size.
    of_object: FxHashMap<(u32, u32), u64>,
    at: BTreeMap<u64, (u32, u32, u64)>,
    /// Whether an address was looked at.
    pub(super) were_seen: bool,
}

impl Addresses {
    pub(super) fn new(word: u64, n_functions: usize) -> Self {
        let n_functions = n_functions as u64;
        Self {
            most: u64::MAX >> (64 - 8 * word),
            n_functions,
            next: (FUNCTION_ADDRESSES + n_functions * FUNCTION_DISTANCE + 0xffff) & !0xffff,
            of_object: FxHashMap::default(),
            at: BTreeMap::new(),
            were_seen: false,
        }
    }

    /// The address of a pointer into an object of this size; nothing if there are no more.
    pub(super) fn of(&mut self, pointer: Pointer, size: u64) -> Option<u64> {
        let base = match pointer.slot {
            0 => return Some(pointer.offset as u64 & self.most),
            FUNCTIONS => {
                self.were_seen = true;
                return Some(FUNCTION_ADDRESSES + pointer.offset as u64 * FUNCTION_DISTANCE);
            }
            _ => self.base(pointer, size)?,
        };
        Some(base.wrapping_add(pointer.offset as u64) & self.most)
    }

    fn base(&mut self, pointer: Pointer, size: u64) -> Option<u64> {
        self.were_seen = true;
        let object = (pointer.slot, pointer.generation);
        if let Some(&base) = self.of_object.get(&object) {
            return Some(base);
        }
        let base = self.next;
        // One byte more, so that just behind one object is never where another begins.
        let next = base.saturating_add(size).saturating_add(16) & !15;
        if next > self.most {
            return None;
        }
        self.next = next;
        self.of_object.insert(object, base);
        self.at.insert(base, (pointer.slot, pointer.generation, size));
        Some(base)
    }

    /// The pointer with an address.
    pub(super) fn pointer_at(&self, address: u64) -> Pointer {
        if let Some((&base, &(slot, generation, size))) = self.at.range(..=address).next_back()
            && address - base <= size
        {
            return Pointer { slot, generation, offset: (address - base) as i64 };
        }
        let function = address.wrapping_sub(FUNCTION_ADDRESSES);
        if function.is_multiple_of(FUNCTION_DISTANCE) && function / FUNCTION_DISTANCE < self.n_functions {
            let offset = (function / FUNCTION_DISTANCE) as i64;
            return Pointer { slot: FUNCTIONS, generation: 0, offset };
        }
        Pointer::number(address as i64)
    }
}
