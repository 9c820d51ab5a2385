//! Typed ids: a `StateId` is not an `ActionId`, at no cost.
//!
//! An id is a `u32` index into the arena of its kind. `define_id!` makes one; generic containers take any [`Id`].

use std::fmt::Debug;
use std::hash::Hash;

/// A typed index. Laws: `Self::new(i).index() == i` for every `i` below `u32::MAX`; the order is that of the index.
pub trait Id: Copy + Ord + Hash + Debug + 'static {
    /// The id with this index. Panics if the index does not fit in 32 bits.
    fn new(index: usize) -> Self;
    /// The index of this id.
    fn index(self) -> usize;
    /// The first `n` ids, in order.
    fn first(n: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..n).map(Self::new)
    }
}

/// Defines a typed id: `define_id!(/// A state of a system. StateId);`
#[macro_export]
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[allow(unreachable_pub, reason = "ids may be private to their module")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("an id fits in 32 bits"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        #[allow(dead_code, unreachable_pub, reason = "not every kind of id is public, or kept in compact arrays")]
        impl $name {
            /// The id as a 32-bit number, for compact arrays.
            #[inline]
            pub const fn raw(self) -> u32 {
                self.0
            }
            /// The id with this 32-bit number.
            #[inline]
            pub const fn from_raw(raw: u32) -> Self {
                Self(raw)
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Id;

    define_id!(
        /// An id for this test.
        ThingId
    );

    #[test]
    fn an_id_gives_back_its_index() {
        assert_eq!(ThingId::new(7).index(), 7);
        assert_eq!(ThingId::from_raw(7), ThingId::new(7));
        assert_eq!(ThingId::first(3).map(ThingId::index).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
