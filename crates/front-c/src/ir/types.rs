//! Types of C, with their layout.

use tertium_support::define_id;

define_id!(
    /// A type. Equal types have equal ids.
    TypeId
);

define_id!(
    /// A structure or union.
    CompositeId
);

/// How many bytes types have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 4 bytes.
    #[default]
    Ilp32,
    /// `int` has 4 bytes, `long` and pointers have 8.
    Lp64,
}

impl DataModel {
    /// The bytes of `long` and of pointers.
    pub fn word(self) -> u64 {
        match self {
            Self::Ilp32 => 4,
            Self::Lp64 => 8,
        }
    }
}

/// The rank of an integer type; what the standard calls by different names differs here, even at equal width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// `_Bool`: conversion to it asks for zero.
    Bool,
    /// `char`, signed as on the usual machines unless it is said to be unsigned; `signed char`, `unsigned char`.
    Char,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `long`.
    Long,
    /// `long long`.
    LongLong,
    /// `__int128`.
    Int128,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Integer {
    /// Its rank.
    pub rank: Rank,
    /// How many bits it has; for `_Bool` those of its storage, of which only the lowest is used. Bit-fields have fewer than their rank.
    pub bits: u32,
    /// Whether it has negative values.
    pub signed: bool,
}

impl Integer {
    /// The least value.
    pub fn least(self) -> i128 {
        if self.signed { i128::MIN >> (128 - self.bits) } else { 0 }
    }

    /// The greatest value; of unsigned types with 128 bits the greatest that the sign leaves room for is not it, see [`Integer::wrap`].
    pub fn greatest(self) -> i128 {
        match (self.rank, self.signed) {
            (Rank::Bool, _) => 1,
            (_, true) => i128::MAX >> (128 - self.bits),
            (_, false) => i128::MAX >> (127 - self.bits.min(127)),
        }
    }

    /// The value of the type that is equal modulo two to the number of bits. 128 unsigned bits are kept in two's complement.
    pub fn wrap(self, value: i128) -> i128 {
        match (self.rank, self.bits, self.signed) {
            (Rank::Bool, ..) => i128::from(value != 0),
            (_, 128, _) => value,
            (_, bits, false) => value & ((1 << bits) - 1),
            (_, bits, true) => (value << (128 - bits)) >> (128 - bits),
        }
    }
}

/// A floating type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Float {
    /// `float`.
    Single,
    /// `double`.
    Double,
    /// `long double`; computed as `double`, which is said where it is used.
    Long,
}

/// A type. Qualifiers are not kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// Integers, truth values and enumerations.
    Integer(Integer),
    /// Floating numbers.
    Float(Float),
    /// Pointers.
    Pointer(TypeId),
    /// Arrays of this element and length; of unknown length if it is incomplete or a flexible member. Arrays of variable length are
    /// pointers to what [`crate::ir::Builtin::AllocateLocal`] gives.
    Array(TypeId, Option<u64>),
    /// Structures and unions.
    Composite(CompositeId),
    /// Functions: result, parameters, and whether there may be more arguments.
    Function(TypeId, Vec<TypeId>, bool),
}

/// A member of a structure or union. Anonymous members are taken apart: theirs stand here with their full offsets.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name; of padding and unnamed bit-fields there is no member.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// For a bit-field: the first bit, counted from the lowest of the storage at the offset, and how many there are.
    pub bit_field: Option<(u32, u32)>,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Composite {
    /// `struct list`; made up for those without a tag.
    pub name: String,
    /// Whether members share their place.
    pub is_union: bool,
    /// The members, in order; nothing if the type is incomplete.
    pub members: Option<Vec<Member>>,
    /// In bytes; 0 if it is incomplete.
    pub size: u64,
    /// In bytes.
    pub alignment: u64,
}
