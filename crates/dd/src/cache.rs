//! The cache of results: direct-mapped, lossy, shared by all operations.
//!
//! An entry is 16 bytes: up to three operands and the result. Edges need 29 bits, so the operation code fits above the first
//! two operands. Results stay valid when the order of the variables changes; only entries with collected nodes go.

use crate::edge::Edge;
use tertium_support::Context;

/// The operations whose results are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    And = 1,
    Xor,
    Ite,
    Exists,
    AndExists,
    Constrain,
    Restrict,
    /// The second operand is the number of the renaming, not an edge.
    Rename,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    f: u32,
    g: u32,
    h: u32,
    result: u32,
}

/// An entry that matches nothing: no operation has code 0.
const EMPTY: Entry = Entry { f: 0, g: 0, h: 0, result: 0 };
const EDGE: u32 = (1 << Edge::BITS) - 1;

#[derive(Debug)]
pub(crate) struct Cache {
    entries: Vec<Entry>,
    /// Results that others took the place of, since the cache last grew.
    lost: usize,
}

impl Cache {
    const SMALLEST: usize = 1 << 14;
    const LARGEST: usize = 1 << 24;
    /// Long runs lose results all the time, so few nodes do not make the cache larger than this.
    const LARGEST_IF_CROWDED: usize = 1 << 22;

    pub(crate) fn new() -> Self {
        Self { entries: vec![EMPTY; Self::SMALLEST], lost: 0 }
    }

    fn key(op: Op, f: Edge, g: Edge) -> (u32, u32) {
        let code = op as u32;
        (f.raw() | (code & 7) << Edge::BITS, g.raw() | (code >> 3) << Edge::BITS)
    }

    #[inline]
    fn slot(&self, f: u32, g: u32, h: u32) -> usize {
        let mixed = (u64::from(f) << 32 | u64::from(g)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ u64::from(h).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32) as usize & (self.entries.len() - 1)
    }

    #[inline]
    pub(crate) fn get(&self, op: Op, f: Edge, g: Edge, h: Edge) -> Option<Edge> {
        let (f, g) = Self::key(op, f, g);
        let entry = &self.entries[self.slot(f, g, h.raw())];
        (entry.f == f && entry.g == g && entry.h == h.raw()).then(|| Edge::from_raw(entry.result))
    }

    #[inline]
    pub(crate) fn put(&mut self, op: Op, f: Edge, g: Edge, h: Edge, result: Edge) {
        let (f, g) = Self::key(op, f, g);
        let slot = self.slot(f, g, h.raw());
        let entry = &mut self.entries[slot];
        self.lost += usize::from(entry.f >> Edge::BITS | entry.g >> Edge::BITS != 0);
        *entry = Entry { f, g, h: h.raw(), result: result.raw() };
    }

    /// Grows to twice the number of nodes, and where more results were lost than there is room for: one operation can have
    /// far more sub-problems than there are nodes. Only as far as the memory limit allows.
    pub(crate) fn fit(&mut self, nodes: usize, context: &Context) {
        let is_crowded = self.lost > self.entries.len();
        let crowded = if is_crowded { (2 * self.entries.len()).min(Self::LARGEST_IF_CROWDED) } else { 0 };
        let wanted = (2 * nodes).next_power_of_two().clamp(Self::SMALLEST, Self::LARGEST).max(crowded);
        if is_crowded {
            self.lost = 0;
        }
        if wanted <= self.entries.len() || context.reserve((wanted * size_of::<Entry>()) as u64).is_err() {
            return;
        }
        let old = std::mem::replace(&mut self.entries, vec![EMPTY; wanted]);
        for entry in old.into_iter().filter(|entry| entry.f >> Edge::BITS != 0 || entry.g >> Edge::BITS != 0)
        {
            let slot = self.slot(entry.f, entry.g, entry.h);
            self.entries[slot] = entry;
        }
    }

    /// Drops the results of operations that `keeps` refuses, and the entries that name a node that is not alive.
    pub(crate) fn retain(&mut self, keeps: impl Fn(u32) -> bool, is_alive: impl Fn(usize) -> bool) {
        for entry in &mut self.entries {
            let code = entry.f >> Edge::BITS | (entry.g >> Edge::BITS) << 3;
            if code == 0 {
                continue;
            }
            let alive = |raw: u32| is_alive(Edge::from_raw(raw & EDGE).node());
            let second = code == Op::Rename as u32 || alive(entry.g);
            if !(keeps(code) && alive(entry.f) && second && alive(entry.h) && alive(entry.result)) {
                *entry = EMPTY;
            }
        }
    }
}
