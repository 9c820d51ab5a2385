//! Scalar types as the machine sees them, and values in registers.
//!
//! A register holds 128 bits; the code knows the type. Integers stand there as themselves (128 unsigned bits in two's complement),
//! floating numbers as the bits of a `double`, pointers as [`Pointer`]. One pattern that none of them has means: not written. The only
//! type that has it is `__int128`, which is kept in memory for that reason.

use super::InputType;
use crate::ir::{Float, Integer, Rank, Type, TypeId, Unit};
use tertium_support::Id;

/// The pattern of a register that was not written.
pub(super) const UNKNOWN: i128 = i128::MIN;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Integer(Integer),
    Float(Float),
    Pointer,
}

impl Scalar {
    /// The scalar type with this id; nothing if it is of another kind.
    pub(super) fn of(unit: &Unit, ty: TypeId) -> Option<Self> {
        match unit.ty(ty) {
            Type::Integer(integer) => Some(Self::Integer(*integer)),
            Type::Float(float) => Some(Self::Float(*float)),
            Type::Pointer(_) => Some(Self::Pointer),
            Type::Void | Type::Array(..) | Type::Composite(_) | Type::Function(..) => None,
        }
    }

    /// How it is asked for.
    pub(super) fn asked(self) -> InputType {
        match self {
            Self::Integer(integer) => InputType::Integer(integer),
            Self::Float(float) => InputType::Float(float),
            Self::Pointer => InputType::Pointer,
        }
    }

    /// Whether a register can hold all values and the pattern for those not written.
    pub(super) fn fits_register(self) -> bool {
        !matches!(self, Self::Integer(Integer { rank: Rank::Int128, .. }))
    }
}

/// A pointer: an object by its slot and generation, and an offset in bytes.
///
/// Slot 0 is no object: the offset is the number of an address that belongs to nothing, 0 for the null pointer. The last slot stands for
/// functions: the offset is the number of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    pub(super) slot: u32,
    pub(super) generation: u32,
    pub(super) offset: i64,
}

/// The slot that stands for functions.
pub(super) const FUNCTIONS: u32 = u32::MAX;

impl Pointer {
    pub(super) const fn number(address: i64) -> Self {
        Self { slot: 0, generation: 0, offset: address }
    }

    pub(super) fn function(function: crate::ir::FunctionId) -> Self {
        Self { slot: FUNCTIONS, generation: 0, offset: i64::from(function.raw()) }
    }

    /// The function it points to, if it does.
    pub(super) fn as_function(self, n_functions: usize) -> Option<crate::ir::FunctionId> {
        let index = usize::try_from(self.offset).ok().filter(|&index| index < n_functions)?;
        (self.slot == FUNCTIONS).then(|| Id::new(index))
    }

    #[inline]
    pub(super) fn pack(self) -> i128 {
        let high = u64::from(self.generation) << 32 | u64::from(self.slot);
        (u128::from(high) << 64 | u128::from(self.offset as u64)) as i128
    }

    #[inline]
    pub(super) fn unpack(value: i128) -> Self {
        let high = (value as u128 >> 64) as u64;
        Self { slot: high as u32, generation: (high >> 32) as u32, offset: value as i64 }
    }

    /// Whether both point into the same object, or are both numbers.
    pub(super) fn is_beside(self, other: Self) -> bool {
        (self.slot, self.generation) == (other.slot, other.generation)
    }

    #[inline]
    pub(super) fn moved(self, bytes: i64) -> Self {
        Self { offset: self.offset.wrapping_add(bytes), ..self }
    }
}

/// The number in a register.
#[inline]
pub(super) fn to_float(value: i128) -> f64 {
    f64::from_bits(value as u64)
}

/// A number for a register.
#[inline]
pub(super) fn from_float(value: f64) -> i128 {
    i128::from(value.to_bits())
}
