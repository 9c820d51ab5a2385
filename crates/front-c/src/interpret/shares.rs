//! What copies of memory that nobody wrote have in common.
//!
//! An object that is not initialised has one value, any, for its life; a copy of it has the same. A byte that is copied before all of
//! its bits are known gets a share, and so does its copy; whoever is asked first tells all others through the share.
//!
//! Invariant: the bits of a byte that are not known are those of its share, at the same places. Bits that were written are known, and
//! the share does not speak of them.

use super::inputs::Holder;

/// What some bytes share; the first is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share(u32);

impl Share {
    /// No share: the byte was never copied.
    pub(super) const NONE: Self = Self(0);

    fn index(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }
}

#[derive(Clone, Debug)]
struct Shared {
    holder: Holder,
    byte: u8,
    known: u8,
}

/// All shares of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    all: Vec<Shared>,
}

impl Shares {
    /// The bytes that a share takes, with those that name it.
    pub(super) const COST: u64 = size_of::<Shared>() as u64 + 8;

    /// A new share for a byte of this holder; nothing if there are too many.
    pub(super) fn add(&mut self, holder: Holder) -> Option<Share> {
        self.all.push(Shared { holder, byte: 0, known: 0 });
        u32::try_from(self.all.len()).ok().map(Share)
    }

    /// Who held the byte that was copied first.
    pub(super) fn holder(&self, share: Share) -> Option<Holder> {
        share.index().map(|at| self.all[at].holder)
    }

    /// The bits that are known, and which these are.
    pub(super) fn known(&self, share: Share) -> (u8, u8) {
        share.index().map_or((0, 0), |at| (self.all[at].byte, self.all[at].known))
    }

    /// Some bits of a byte became known that nobody had written.
    pub(super) fn answer(&mut self, share: Share, byte: u8, bits: u8) {
        let Some(at) = share.index() else { return };
        let own = &mut self.all[at];
        debug_assert!(own.known & bits == 0, "bits that are known are not asked for");
        own.byte = own.byte & !bits | byte & bits;
        own.known |= bits;
    }
}
