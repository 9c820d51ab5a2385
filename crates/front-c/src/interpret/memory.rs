//! Objects of a run: bytes, which of their bits are known, and what pointers stand in them.
//!
//! A pointer is an object and an offset, never a number; so every access is checked against the one object it may reach. A pointer that
//! is stored is kept beside the bytes it covers (`shadow`), and copies of the bytes copy it. Only where somebody looks at the bytes
//! or converts the pointer to an integer does the object get an address; an integer that is such an address becomes the pointer again.
//!
//! Slots of dead objects are used again with another generation: pointers of older generations are known to be dead.
//!
//! Mathematical integers that do not fit into their bytes are kept beside them as well (`wide`).
//!
//! Bits that nobody wrote have one value, which is not known yet, and a copy of them has the same: see [`super::shares`].

use super::addresses::Addresses;
use super::arithmetic::Fault;
use super::ending::Halt;
use super::inputs::Holder;
use super::scalar::{FUNCTIONS, Pointer, Scalar, from_float, to_float};
use super::shares::{Share, Shares};
use crate::ir::{Float, Integer, Rank, Undefined};
use std::collections::BTreeMap;

/// All bits of the byte are known.
const KNOWN: u8 = 0xff;
/// Marks of bytes: plain, first byte of a pointer, other byte of a pointer, and the same of a wide integer.
const PLAIN: u8 = 0;
const POINTER: u8 = 1;
const IN_POINTER: u8 = 2;
const WIDE: u8 = 3;
const IN_WIDE: u8 = 4;
/// What an object costs besides its bytes.
const OVERHEAD: u64 = 160;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Held(Holder),
    Text,
    /// Defined elsewhere, and nobody says here how large it is: nothing is known of accesses.
    Foreign,
}

#[derive(Clone, Debug)]
struct Object {
    generation: u32,
    is_alive: bool,
    kind: Kind,
    bytes: Vec<u8>,
    /// One bit for each bit of `bytes`.
    known: Vec<u8>,
    /// One mark for each byte; empty if all are plain.
    marks: Vec<u8>,
    /// The pointer that begins in each word; there is room for one, since two that do not overlap begin in different words.
    shadow: Vec<Pointer>,
    wide: BTreeMap<usize, i128>,
    /// What the bytes of copies have in common where they are not known; empty if there is nothing.
    shares: Vec<Share>,
}

/// Where a scalar stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) scalar: Scalar,
    /// Bytes after the pointer.
    pub(super) offset: u64,
    /// How many bytes.
    pub(super) size: u32,
    /// First bit and number of bits.
    pub(super) bit_field: Option<(u32, u32)>,
}

/// What a read gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loaded {
    Value(i128),
    /// Some bits are not known: of what kind of object.
    Unknown(Holder),
}

/// All objects of a run.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    objects: Vec<Object>,
    free: Vec<u32>,
    /// Bytes in living objects and what comes with them.
    pub(super) used: u64,
    limit: u64,
    word: usize,
    shares: Shares,
    pub(super) addresses: Addresses,
}

impl Memory {
    pub(super) fn new(word: u64, n_functions: usize) -> Self {
        let none = Object {
            generation: 0,
            is_alive: false,
            kind: Kind::Text,
            bytes: Vec::new(),
            known: Vec::new(),
            marks: Vec::new(),
            shadow: Vec::new(),
            wide: BTreeMap::new(),
            shares: Vec::new(),
        };
        Self {
            objects: vec![none],
            free: Vec::new(),
            used: 0,
            limit: u64::MAX,
            word: word as usize,
            shares: Shares::default(),
            addresses: Addresses::new(word, n_functions),
        }
    }

    pub(super) fn limited(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// The bytes of a pointer.
    pub(super) fn word(&self) -> usize {
        self.word
    }

    /// A new object; its bits are all known to be zero, or all unknown.
    pub(super) fn allocate(&mut self, kind: Kind, size: u64, is_known: bool) -> Result<Pointer, Fault> {
        let cost = size.saturating_mul(2).saturating_add(OVERHEAD);
        if self.used.saturating_add(cost) > self.limit {
            return Err(Halt::Memory.into());
        }
        self.used += cost;
        let n = size as usize;
        let filling = if is_known { KNOWN } else { 0 };
        let slot = match self.free.pop() {
            Some(slot) => {
                let object = &mut self.objects[slot as usize];
                object.is_alive = true;
                object.kind = kind;
                object.bytes.resize(n, 0);
                object.known.resize(n, filling);
                slot
            }
            None => {
                let slot = u32::try_from(self.objects.len()).ok().filter(|&slot| slot != FUNCTIONS);
                let slot = slot.ok_or(Halt::Memory)?;
                self.objects.push(Object {
                    generation: 1,
                    is_alive: true,
                    kind,
                    bytes: vec![0; n],
                    known: vec![filling; n],
                    marks: Vec::new(),
                    shadow: Vec::new(),
                    wide: BTreeMap::new(),
                    shares: Vec::new(),
                });
                slot
            }
        };
        Ok(Pointer { slot, generation: self.objects[slot as usize].generation, offset: 0 })
    }

    /// The life of an object ends.
    pub(super) fn release(&mut self, slot: u32) {
        let object = &mut self.objects[slot as usize];
        debug_assert!(object.is_alive, "an object dies once");
        self.used -= object.bytes.len() as u64 * 2 + OVERHEAD;
        object.is_alive = false;
        object.clear();
        object.generation += 1;
        // A slot whose generations are used up is given up: no two lives may look alike.
        if object.generation < u32::MAX >> 1 {
            self.free.push(slot);
        }
    }

    /// The life of an object ends, and one of the same size begins; its bits are unknown.
    pub(super) fn renew(&mut self, slot: u32) -> Result<Pointer, Fault> {
        let object = &self.objects[slot as usize];
        let (kind, size) = (object.kind, object.bytes.len() as u64);
        self.release(slot);
        self.allocate(kind, size, false)
    }

    /// `free`.
    pub(super) fn free(&mut self, pointer: Pointer) -> Result<(), Fault> {
        let is_heap = self.living(pointer).is_some_and(|object| object.kind == Kind::Held(Holder::Heap));
        if !is_heap || pointer.offset != 0 {
            return Err(Undefined::InvalidFree.into());
        }
        self.release(pointer.slot);
        Ok(())
    }

    fn living(&self, pointer: Pointer) -> Option<&Object> {
        let object = self.objects.get(pointer.slot as usize)?;
        (object.is_alive && object.generation == pointer.generation).then_some(object)
    }

    /// The size of the object, if it lives and has one.
    pub(super) fn size_of(&self, pointer: Pointer) -> Option<u64> {
        let object = self.living(pointer).filter(|object| object.kind != Kind::Foreign);
        object.map(|object| object.bytes.len() as u64)
    }

    /// Where so many bytes stand: slot and first byte.
    #[inline]
    fn locate(&self, pointer: Pointer, n: u64) -> Result<(usize, usize), Fault> {
        let slot = pointer.slot as usize;
        let Some(object) = self.objects.get(slot) else { return Err(Undefined::OutOfBounds.into()) };
        if object.generation != pointer.generation || !object.is_alive {
            return Err(no_object(pointer).into());
        }
        let end = (pointer.offset as u64).checked_add(n);
        if end.is_none_or(|end| end > object.bytes.len() as u64) {
            let is_foreign = object.kind == Kind::Foreign;
            return Err(if is_foreign { Halt::UnknownSize.into() } else { Undefined::OutOfBounds.into() });
        }
        Ok((slot, pointer.offset as usize))
    }

    /// `pointer + bytes`; it must stay in the object, or just behind it.
    #[inline]
    pub(super) fn offset(&self, pointer: Pointer, bytes: Option<i64>) -> Option<Pointer> {
        let bytes = bytes?;
        let offset = pointer.offset.checked_add(bytes)?;
        let moved = Pointer { offset, ..pointer };
        match pointer.slot {
            0 if pointer.offset == 0 || offset == 0 => (bytes == 0).then_some(pointer),
            0 => Some(moved),
            _ if bytes == 0 => Some(pointer),
            FUNCTIONS => None,
            _ => match self.size_of(pointer) {
                Some(size) => u64::try_from(offset).is_ok_and(|offset| offset <= size).then_some(moved),
                None => Some(moved),
            },
        }
    }

    /// Reads a scalar.
    #[inline]
    pub(super) fn load(&mut self, pointer: Pointer, access: &Access) -> Result<Loaded, Fault> {
        let pointer = pointer.moved(access.offset as i64);
        let (slot, at) = self.locate(pointer, u64::from(access.size))?;
        let object = &self.objects[slot];
        if let (Scalar::Integer(ty), None, true) = (access.scalar, access.bit_field, object.marks.is_empty())
        {
            let value = match (access.size, ty.signed) {
                (4, true) if object.known_at::<4>(at) => i32::from_le_bytes(object.at(at)).into(),
                (4, false) if object.known_at::<4>(at) => u32::from_le_bytes(object.at(at)).into(),
                (1, true) if object.known_at::<1>(at) => i8::from_le_bytes(object.at(at)).into(),
                (8, true) if object.known_at::<8>(at) => i64::from_le_bytes(object.at(at)).into(),
                (8, false) if object.known_at::<8>(at) => u64::from_le_bytes(object.at(at)).into(),
                _ => return self.load_slowly(slot, at, access),
            };
            return Ok(Loaded::Value(value));
        }
        self.load_slowly(slot, at, access)
    }

    fn load_slowly(&mut self, slot: usize, at: usize, access: &Access) -> Result<Loaded, Fault> {
        let n = access.size as usize;
        let object = &self.objects[slot];
        if !object.marks.is_empty() {
            if access.scalar == Scalar::Pointer && object.has_pointer(at, self.word) {
                return Ok(Loaded::Value(object.shadow[at / self.word].pack()));
            }
            if let Some(value) = object.wide_at(at, n) {
                return Ok(Loaded::Value(value));
            }
            self.settle(slot, at, at + n)?;
        }
        self.learn(slot, at, at + n);
        let object = &self.objects[slot];
        let (first, bits) = access.bits();
        let (bytes, known) = (object.take(&object.bytes, at, n), object.take(&object.known, at, n));
        let mask = mask(bits);
        if known >> first & mask != mask {
            let Kind::Held(own) = object.kind else { unreachable!("all bits of others are known") };
            let unknown = (!known & mask << first).trailing_zeros() as usize / 8;
            let share = object.shares.get(at + unknown).copied();
            return Ok(Loaded::Unknown(share.and_then(|share| self.shares.holder(share)).unwrap_or(own)));
        }
        let raw = bytes >> first & mask;
        Ok(Loaded::Value(match access.scalar {
            Scalar::Integer(ty) => access.integer(ty).wrap(raw as i128),
            Scalar::Float(kind) => from_bits(kind, raw),
            Scalar::Pointer => self.pointer_at(raw as u64).pack(),
        }))
    }

    /// Gives the unknown bits of a scalar the values they have in an answer.
    pub(super) fn answer(&mut self, pointer: Pointer, access: &Access, value: i128) -> Result<(), Fault> {
        let pointer = pointer.moved(access.offset as i64);
        let (slot, at) = self.locate(pointer, u64::from(access.size))?;
        let n = access.size as usize;
        let (first, bits) = access.bits();
        let object = &self.objects[slot];
        let is_unknown = object.take(&object.known, at, n) >> first & mask(bits) == 0;
        let is_shared =
            object.shares.get(at..at + n).is_some_and(|all| all.iter().any(|&own| own != Share::NONE));
        if is_unknown && !is_shared {
            return self.store(pointer.moved(-(access.offset as i64)), access, value);
        }
        if let Scalar::Integer(ty) = access.scalar
            && access.integer(ty).wrap(value) != value
        {
            return Err(Halt::IntegerTooLarge.into());
        }
        let raw = self.raw(access, value)? << first;
        let object = &mut self.objects[slot];
        for (index, byte) in raw.to_le_bytes().into_iter().take(n).enumerate() {
            let wanted = (mask(bits) << first).to_le_bytes()[index] & !object.known[at + index];
            object.bytes[at + index] = object.bytes[at + index] & !wanted | byte & wanted;
            object.known[at + index] |= wanted;
            if let Some(&share) = object.shares.get(at + index) {
                self.shares.answer(share, byte, wanted);
            }
        }
        Ok(())
    }

    /// Bits that are known of another copy become known.
    fn learn(&mut self, slot: usize, from: usize, to: usize) {
        let object = &mut self.objects[slot];
        if object.shares.is_empty() {
            return;
        }
        for at in from..to {
            let (byte, known) = self.shares.known(object.shares[at]);
            let wanted = known & !object.known[at];
            object.bytes[at] = object.bytes[at] & !wanted | byte & wanted;
            object.known[at] |= wanted;
        }
    }

    /// Sees to it that what is not known of these bytes is the same in all copies that are made of them.
    fn share(&mut self, slot: usize, from: usize, to: usize) -> Result<(), Fault> {
        let object = &mut self.objects[slot];
        let Kind::Held(holder) = object.kind else { return Ok(()) };
        if object.known[from..to].iter().all(|&known| known == KNOWN) {
            return Ok(());
        }
        if object.shares.is_empty() {
            object.shares.resize(object.bytes.len(), Share::NONE);
        }
        for at in from..to {
            if object.known[at] != KNOWN && object.shares[at] == Share::NONE {
                self.used += Shares::COST;
                if self.used > self.limit {
                    return Err(Halt::Memory.into());
                }
                object.shares[at] = self.shares.add(holder).ok_or(Halt::Memory)?;
            }
        }
        Ok(())
    }

    /// Writes a scalar.
    #[inline]
    pub(super) fn store(&mut self, pointer: Pointer, access: &Access, value: i128) -> Result<(), Fault> {
        let pointer = pointer.moved(access.offset as i64);
        let (slot, at) = self.locate(pointer, u64::from(access.size))?;
        let object = &mut self.objects[slot];
        if let (Scalar::Integer(ty), None, true, 4) =
            (access.scalar, access.bit_field, object.marks.is_empty(), access.size)
            && object.kind != Kind::Text
            && ty.wrap(value) == value
        {
            object.bytes[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
            object.known[at..at + 4].copy_from_slice(&[KNOWN; 4]);
            return Ok(());
        }
        self.store_slowly(slot, at, access, value)
    }

    fn store_slowly(&mut self, slot: usize, at: usize, access: &Access, value: i128) -> Result<(), Fault> {
        let n = access.size as usize;
        if access.bit_field.is_some() {
            self.settle(slot, at, at + n)?;
        }
        self.overwrite(slot, at, at + n)?;
        let word = self.word;
        if let (Scalar::Pointer, pointer @ Pointer { slot: 1.., .. }) =
            (access.scalar, Pointer::unpack(value))
        {
            self.objects[slot].put_pointer(at, word, pointer);
            return Ok(());
        }
        if let Scalar::Integer(ty) = access.scalar
            && access.integer(ty).wrap(value) != value
        {
            if access.bit_field.is_some() {
                return Err(Halt::IntegerTooLarge.into());
            }
            self.objects[slot].put_wide(at, n, value);
            return Ok(());
        }
        let raw = self.raw(access, value)?;
        let (first, bits) = access.bits();
        let object = &mut self.objects[slot];
        if access.bit_field.is_none() {
            // The bits that a long double has and we do not are written as zeros.
            object.known[at..at + n].fill(KNOWN);
            object.bytes[at..at + n].fill(0);
            let n = n.min(16);
            object.bytes[at..at + n].copy_from_slice(&raw.to_le_bytes()[..n]);
            return Ok(());
        }
        let (wanted, raw) = ((mask(bits) << first).to_le_bytes(), (raw << first).to_le_bytes());
        for index in 0..n {
            let byte = &mut object.bytes[at + index];
            *byte = *byte & !wanted[index] | raw[index] & wanted[index];
            object.known[at + index] |= wanted[index];
        }
        Ok(())
    }

    /// The bits of a scalar.
    fn raw(&mut self, access: &Access, value: i128) -> Result<u128, Fault> {
        Ok(match access.scalar {
            Scalar::Integer(_) => value as u128 & mask(access.bits().1),
            Scalar::Float(kind) => to_bits(kind, value),
            Scalar::Pointer => self.address(Pointer::unpack(value))?.into(),
        })
    }

    /// Before bytes are written: pointers that are only partly covered become numbers, those inside go.
    fn overwrite(&mut self, slot: usize, from: usize, to: usize) -> Result<(), Fault> {
        if self.objects[slot].kind == Kind::Text {
            return Err(Undefined::OutOfBounds.into());
        }
        let object = &self.objects[slot];
        if object.marks.is_empty() || from == to {
            return Ok(());
        }
        let is_inside = |mark: Option<&u8>| matches!(mark, Some(&(IN_POINTER | IN_WIDE)));
        if is_inside(object.marks.get(from)) {
            self.settle(slot, from, from + 1)?;
        }
        if is_inside(self.objects[slot].marks.get(to)) {
            self.settle(slot, to, to + 1)?;
        }
        let object = &mut self.objects[slot];
        object.marks[from..to].fill(PLAIN);
        if !object.wide.is_empty() {
            object.wide.retain(|&at, _| at < from || at >= to);
        }
        Ok(())
    }

    /// Writes the addresses of pointers that overlap a range into their bytes.
    fn settle(&mut self, slot: usize, from: usize, to: usize) -> Result<(), Fault> {
        let object = &self.objects[slot];
        if object.marks.is_empty() {
            return Ok(());
        }
        let mut at = from;
        while matches!(object.marks[at], IN_POINTER | IN_WIDE) {
            at -= 1;
        }
        while at < to {
            match self.objects[slot].marks[at] {
                POINTER => {
                    let pointer = self.objects[slot].shadow[at / self.word];
                    let address = self.address(pointer)?;
                    let (object, word) = (&mut self.objects[slot], self.word);
                    object.bytes[at..at + word].copy_from_slice(&address.to_le_bytes()[..word]);
                    object.marks[at..at + word].fill(PLAIN);
                    at += word;
                }
                WIDE => return Err(Halt::IntegerTooLarge.into()),
                _ => at += 1,
            }
        }
        Ok(())
    }

    /// Copies bytes with all that belongs to them; the ranges may overlap.
    pub(super) fn copy(&mut self, to: Pointer, from: Pointer, n: u64) -> Result<(), Fault> {
        let (source, start) = self.locate(from, n)?;
        let (target, at) = self.locate(to, n)?;
        let n = n as usize;
        let end = start + n;
        let is_cut =
            |object: &Object, at: usize| matches!(object.marks.get(at), Some(&(IN_POINTER | IN_WIDE)));
        if n == 0 {
            return Ok(());
        }
        if is_cut(&self.objects[source], start) {
            self.settle(source, start, start + 1)?;
        }
        if is_cut(&self.objects[source], end) {
            self.settle(source, end, end + 1)?;
        }
        self.share(source, start, end)?;
        let object = &self.objects[source];
        let (bytes, known) = (object.bytes[start..end].to_vec(), object.known[start..end].to_vec());
        let shares = object.shares.get(start..end).map(<[Share]>::to_vec);
        let (mut pointers, mut wide) = (Vec::new(), Vec::new());
        if !object.marks.is_empty() {
            let starts = (start..end).filter(|&at| object.marks[at] == POINTER);
            pointers.extend(starts.map(|at| (at - start, object.shadow[at / self.word])));
            let lengths =
                |from: usize| object.marks[from + 1..end].iter().take_while(|&&mark| mark == IN_WIDE).count();
            wide.extend(
                object.wide.range(start..end).map(|(&at, &value)| (at - start, 1 + lengths(at), value)),
            );
        }
        self.overwrite(target, at, at + n)?;
        let (object, word) = (&mut self.objects[target], self.word);
        object.bytes[at..at + n].copy_from_slice(&bytes);
        object.known[at..at + n].copy_from_slice(&known);
        object.share(at, shares);
        pointers.into_iter().for_each(|(offset, pointer)| object.put_pointer(at + offset, word, pointer));
        wide.into_iter().for_each(|(offset, n, value)| object.put_wide(at + offset, n, value));
        Ok(())
    }

    /// Fills bytes.
    pub(super) fn fill(&mut self, to: Pointer, byte: u8, n: u64) -> Result<(), Fault> {
        let (slot, at) = self.locate(to, n)?;
        let n = n as usize;
        self.overwrite(slot, at, at + n)?;
        let object = &mut self.objects[slot];
        object.bytes[at..at + n].fill(byte);
        object.known[at..at + n].fill(KNOWN);
        Ok(())
    }

    /// Writes a text into an object before the program begins.
    pub(super) fn write_text(&mut self, to: Pointer, text: &[u8]) {
        self.objects[to.slot as usize].bytes.copy_from_slice(text);
    }

    /// The address of a pointer as a number; its object is given one if it has none.
    pub(super) fn address(&mut self, pointer: Pointer) -> Result<u64, Fault> {
        let size = self.size_of(pointer).unwrap_or(0);
        self.addresses.of(pointer, size).ok_or(Halt::Memory.into())
    }

    /// The pointer with an address.
    pub(super) fn pointer_at(&self, address: u64) -> Pointer {
        self.addresses.pointer_at(address)
    }
}

/// What is undefined about an access where no object lives.
fn no_object(pointer: Pointer) -> Undefined {
    match pointer.slot {
        // Members and elements of what a null pointer points to have small addresses.
        0 if pointer.offset.unsigned_abs() < 1 << 16 => Undefined::NullAccess,
        0 => Undefined::OutOfBounds,
        _ => Undefined::DeadAccess,
    }
}

fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

fn from_bits(kind: Float, raw: u128) -> i128 {
    match kind {
        Float::Single => from_float(f64::from(f32::from_bits(raw as u32))),
        Float::Double | Float::Long => from_float(f64::from_bits(raw as u64)),
    }
}

fn to_bits(kind: Float, value: i128) -> u128 {
    match kind {
        Float::Single => (to_float(value) as f32).to_bits().into(),
        Float::Double | Float::Long => to_float(value).to_bits().into(),
    }
}

impl Access {
    /// First bit and number of bits that are looked at.
    fn bits(&self) -> (u32, u32) {
        self.bit_field.unwrap_or((
            0,
            match self.scalar {
                Scalar::Float(Float::Single) => 32,
                Scalar::Float(_) => 64,
                Scalar::Integer(_) | Scalar::Pointer => 8 * self.size,
            },
        ))
    }

    /// The type of the values that can stand there.
    pub(super) fn integer(&self, ty: Integer) -> Integer {
        match self.bit_field {
            Some((_, bits)) if ty.rank != Rank::Bool => Integer { bits, ..ty },
            _ => ty,
        }
    }
}

impl Object {
    fn clear(&mut self) {
        self.bytes.clear();
        self.known.clear();
        self.marks.clear();
        self.shadow.clear();
        self.wide.clear();
        self.shares.clear();
        if self.bytes.capacity() > 1 << 10 {
            (self.bytes, self.known, self.marks, self.shadow) = Default::default();
            self.shares = Vec::new();
        }
    }

    /// Bytes were copied: they share what the others share.
    fn share(&mut self, at: usize, shares: Option<Vec<Share>>) {
        if let Some(shares) = shares {
            self.shares.resize(self.bytes.len(), Share::NONE);
            self.shares[at..at + shares.len()].copy_from_slice(&shares);
        }
    }

    #[inline]
    fn at<const N: usize>(&self, at: usize) -> [u8; N] {
        self.bytes[at..at + N].try_into().expect("the slice has this length")
    }

    #[inline]
    fn known_at<const N: usize>(&self, at: usize) -> bool {
        self.known[at..at + N] == [KNOWN; N]
    }

    /// The number in at most 16 bytes.
    fn take(&self, from: &[u8], at: usize, n: usize) -> u128 {
        let mut taken = [0; 16];
        let n = n.min(16);
        taken[..n].copy_from_slice(&from[at..at + n]);
        u128::from_le_bytes(taken)
    }

    fn has_pointer(&self, at: usize, word: usize) -> bool {
        self.marks[at] == POINTER && self.marks[at + 1..at + word].iter().all(|&mark| mark == IN_POINTER)
    }

    fn put_pointer(&mut self, at: usize, word: usize, pointer: Pointer) {
        self.mark(at, word, POINTER, IN_POINTER);
        if self.shadow.is_empty() {
            self.shadow.resize(self.bytes.len() / word + 1, Pointer::number(0));
        }
        self.shadow[at / word] = pointer;
        self.known[at..at + word].fill(KNOWN);
    }

    fn put_wide(&mut self, at: usize, n: usize, value: i128) {
        self.mark(at, n, WIDE, IN_WIDE);
        self.wide.insert(at, value);
        self.known[at..at + n].fill(KNOWN);
    }

    fn wide_at(&self, at: usize, n: usize) -> Option<i128> {
        let is_whole = self.marks[at] == WIDE
            && self.marks[at + 1..at + n].iter().all(|&mark| mark == IN_WIDE)
            && self.marks.get(at + n) != Some(&IN_WIDE);
        is_whole.then(|| self.wide[&at])
    }

    fn mark(&mut self, at: usize, n: usize, first: u8, others: u8) {
        if self.marks.is_empty() {
            self.marks.resize(self.bytes.len(), PLAIN);
        }
        self.marks[at] = first;
        self.marks[at + 1..at + n].fill(others);
    }
}
