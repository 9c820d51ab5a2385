//! What a program is prepared to: flat code for a machine with registers.
//!
//! Every scalar local or global whose address is not taken is a register; all else is in memory, and a register holds the pointer to
//! it. The registers of a call stand one after the other: its locals, then temporaries. Absolute registers hold constants and globals.
//! Places in the code are indices into one vector for the whole program.

use super::inputs::Holder;
use super::memory::Access;
use super::observer::Shown;
use super::scalar::Scalar;
use crate::ir::{
    Asking, BinaryOperator, Builtin, Exit, Failure, Float, FunctionId, Integer, LocalId, Undefined,
};

use std::sync::Arc;
use tertium_support::Span;

/// A register: of the current call, or absolute.
pub(super) type Reg = u32;

/// Marks absolute registers.
pub(super) const ABSOLUTE: Reg = 1 << 31;

/// An instruction. All operands are read before the result is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Move {
        to: Reg,
        from: Reg,
    },
    /// The register counts as not written.
    Forget {
        to: Reg,
    },
    /// Asks for a value if the register was not written; number of a [`Cell`].
    Known {
        at: Reg,
        cell: u32,
    },
    AddInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    SubtractInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    MultiplyInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    AddUnsigned {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    SubtractUnsigned {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    AddLong {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    SubtractLong {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    And {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Integer {
        operator: BinaryOperator,
        ty: Integer,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Equal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    NotEqual {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Less {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    AtMost {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// 1 of zero, else 0; of integers and pointers.
    Not {
        to: Reg,
        a: Reg,
    },
    /// 0 of zero, else 1; of integers and pointers.
    Truth {
        to: Reg,
        a: Reg,
    },
    Negate {
        ty: Integer,
        to: Reg,
        a: Reg,
    },
    Complement {
        ty: Integer,
        to: Reg,
        a: Reg,
    },
    Wrap {
        ty: Integer,
        to: Reg,
        a: Reg,
    },
    Float {
        operator: BinaryOperator,
        kind: Float,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    FloatNegate {
        to: Reg,
        a: Reg,
    },
    FloatNot {
        to: Reg,
        a: Reg,
    },
    FloatTruth {
        to: Reg,
        a: Reg,
    },
    Round {
        to: Reg,
        a: Reg,
    },
    IntegerToFloat {
        from: Integer,
        kind: Float,
        to: Reg,
        a: Reg,
    },
    FloatToInteger {
        ty: Integer,
        to: Reg,
        a: Reg,
    },
    PointerToInteger {
        ty: Integer,
        to: Reg,
        a: Reg,
    },
    IntegerToPointer {
        to: Reg,
        a: Reg,
    },
    PointerOrder {
        operator: BinaryOperator,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// `pointer + index * size`; what it is to leave the object depends on whether the place is accessed at once.
    Offset {
        to: Reg,
        pointer: Reg,
        index: Reg,
        size: u64,
        is_access: bool,
    },
    Distance {
        to: Reg,
        a: Reg,
        b: Reg,
        size: u64,
    },
    /// A part of what a pointer points to; not checked, its access is.
    Plus {
        to: Reg,
        pointer: Reg,
        bytes: u64,
    },
    /// An element of an array in what a pointer points to; number of an [`Element`].
    Element {
        to: Reg,
        pointer: Reg,
        index: Reg,
        element: u32,
    },
    /// Number of an [`Access`].
    Load {
        to: Reg,
        pointer: Reg,
        access: u32,
    },
    Store {
        pointer: Reg,
        from: Reg,
        access: u32,
    },
    /// Number of a [`Ranges`].
    Copy {
        to: Reg,
        from: Reg,
        bytes: u32,
    },
    /// Number of [`Ranges`], of which the first counts; likewise for `ReturnCopy`.
    Clear {
        pointer: Reg,
        bytes: u32,
    },
    /// The life of the object in memory that this local has begins again.
    Renew {
        at: Reg,
    },
    /// Asks for a value; number of a [`Question`].
    Ask {
        to: Reg,
        question: u32,
    },
    Assume {
        a: Reg,
    },
    Call {
        site: u32,
    },
    CallPointer {
        pointer: Reg,
        site: u32,
    },
    Builtin {
        site: u32,
    },
    Jump {
        target: u32,
    },
    Branch {
        a: Reg,
        then: u32,
        otherwise: u32,
    },
    BranchEqual {
        a: Reg,
        b: Reg,
        then: u32,
        otherwise: u32,
    },
    BranchLess {
        a: Reg,
        b: Reg,
        then: u32,
        otherwise: u32,
    },
    BranchAtMost {
        a: Reg,
        b: Reg,
        then: u32,
        otherwise: u32,
    },
    Switch {
        a: Reg,
        table: u32,
    },
    Return,
    ReturnValue {
        a: Reg,
    },
    ReturnCopy {
        pointer: Reg,
        bytes: u32,
    },
    Exit(Exit),
    Fail(Failure),
    Undefined(Undefined),
    Unsupported(u32),
}

impl Op {
    /// The register that gets the result, of operations that compute one from operands and do nothing else.
    pub(super) fn result(&mut self) -> Option<&mut Reg> {
        match self {
            Self::Move { to, .. }
            | Self::AddInt { to, .. }
            | Self::SubtractInt { to, .. }
            | Self::MultiplyInt { to, .. }
            | Self::AddUnsigned { to, .. }
            | Self::SubtractUnsigned { to, .. }
            | Self::AddLong { to, .. }
            | Self::SubtractLong { to, .. }
            | Self::And { to, .. }
            | Self::Or { to, .. }
            | Self::Xor { to, .. }
            | Self::Integer { to, .. }
            | Self::Equal { to, .. }
            | Self::NotEqual { to, .. }
            | Self::Less { to, .. }
            | Self::AtMost { to, .. }
            | Self::Not { to, .. }
            | Self::Truth { to, .. }
            | Self::Negate { to, .. }
            | Self::Complement { to, .. }
            | Self::Wrap { to, .. }
            | Self::Float { to, .. }
            | Self::FloatNegate { to, .. }
            | Self::FloatNot { to, .. }
            | Self::FloatTruth { to, .. }
            | Self::Round { to, .. }
            | Self::IntegerToFloat { to, .. }
            | Self::FloatToInteger { to, .. }
            | Self::PointerToInteger { to, .. }
            | Self::IntegerToPointer { to, .. }
            | Self::PointerOrder { to, .. }
            | Self::Offset { to, .. }
            | Self::Distance { to, .. }
            | Self::Plus { to, .. }
            | Self::Element { to, .. }
            | Self::Load { to, .. } => Some(to),
            _ => None,
        }
    }
}

/// A register that may not have been written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) holder: Holder,
    pub(super) scalar: Scalar,
}

/// An element of an array: where the array begins behind the pointer, the size of its elements, how many there are if that is known,
/// and whether the index may be their number since nothing is accessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) length: Option<u64>,
    pub(super) may_be_end: bool,
}

/// Two ranges of bytes of the same size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges {
    pub(super) to: u64,
    pub(super) from: u64,
    pub(super) size: u64,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) by: Arc<str>,
    pub(super) scalar: Scalar,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// Not there for calls through pointers.
    pub(super) function: Option<FunctionId>,
    pub(super) arguments: Vec<Passed>,
    pub(super) to: Delivery,
}

/// A call of a library function.
#[derive(Clone, Debug)]
pub(super) struct BuiltinSite {
    pub(super) which: Builtin,
    pub(super) arguments: Vec<(Reg, Scalar)>,
    pub(super) to: Delivery,
    /// The type of the result, where it goes anywhere.
    pub(super) gives: Scalar,
}

/// An argument.
#[derive(Clone, Copy, Debug)]
pub(super) enum Passed {
    /// The size of the type comes last.
    Value(Reg, Scalar, u32),
    Copied {
        pointer: Reg,
        offset: u64,
        size: u64,
    },
}

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Delivery {
    Nowhere,
    Register(Reg),
    Store { pointer: Reg, access: Access },
    Copy { pointer: Reg, offset: u64, size: u64 },
}

/// Targets by values.
#[derive(Clone, Debug)]
pub(super) enum Table {
    /// Targets of values one after the other, from the least.
    Dense { least: i128, targets: Vec<u32>, otherwise: u32 },
    /// By value, sorted.
    Sparse { cases: Vec<(i128, u32)>, otherwise: u32 },
}

impl Table {
    #[inline]
    pub(super) fn target(&self, value: i128) -> u32 {
        match self {
            Self::Dense { least, targets, otherwise } => {
                let at = value.checked_sub(*least).and_then(|at| usize::try_from(at).ok());
                at.and_then(|at| targets.get(at)).copied().unwrap_or(*otherwise)
            }
            Self::Sparse { cases, otherwise } => {
                cases.binary_search_by_key(&value, |case| case.0).map_or(*otherwise, |at| cases[at].1)
            }
        }
    }

    pub(super) fn targets(&mut self) -> impl Iterator<Item = &mut u32> {
        let (dense, sparse, otherwise) = match self {
            Self::Dense { targets, otherwise, .. } => (targets.as_mut_slice(), [].as_mut_slice(), otherwise),
            Self::Sparse { cases, otherwise } => ([].as_mut_slice(), cases.as_mut_slice(), otherwise),
        };
        dense.iter_mut().chain(sparse.iter_mut().map(|case| &mut case.1)).chain([otherwise])
    }
}

/// Something to tell an observer once an instruction is done.
#[derive(Clone, Debug)]
pub(super) enum Note {
    Assigned {
        place: Vec<Part>,
        value: Stored,
        scalar: Scalar,
    },
    /// Whether the condition holds is seen from where control went.
    Branched {
        asks: Asking,
        then: u32,
    },
}

/// Where the value that was assigned is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stored {
    Register(Reg),
    Memory(Reg, Access),
}

/// A part of the text of a place.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Text(String),
    /// The integer in a register.
    Index(Reg),
}

/// What a call of a function needs.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    /// Where its code begins; nothing if it has no body.
    pub(super) entry: Option<u32>,
    /// How many registers it has, and how many of them are for its locals.
    pub(super) n_registers: u32,
    pub(super) n_locals: u32,
    pub(super) parameters: Vec<Parameter>,
    pub(super) is_variadic: bool,
    /// Locals in memory, with their sizes.
    pub(super) in_memory: Vec<(LocalId, u64)>,
    /// What it returns, for calls through pointers.
    pub(super) returns: Shape,
}

/// A parameter: what is passed, and whether it is in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) shape: Shape,
    pub(super) is_in_memory: bool,
}

/// What is passed or returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Nothing,
    Scalar(Scalar, u32),
    Bytes(u64),
}

/// A prepared program.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) ops: Vec<Op>,
    /// Where each instruction stands in the text.
    pub(super) spans: Vec<Span>,
    /// The note of each instruction, 0 for none.
    pub(super) note_of: Vec<u32>,
    pub(super) notes: Vec<Note>,
    pub(super) routines: Vec<Routine>,
    pub(super) cells: Vec<Cell>,
    pub(super) elements: Vec<Element>,
    pub(super) accesses: Vec<Access>,
    pub(super) copies: Vec<Ranges>,
    pub(super) questions: Vec<Question>,
    pub(super) sites: Vec<Site>,
    pub(super) builtins: Vec<BuiltinSite>,
    pub(super) tables: Vec<Table>,
}

/// A value in a register, for people.
pub(super) fn shown(scalar: Scalar, value: i128) -> Shown {
    match scalar {
        Scalar::Integer(_) => Shown::Integer(value),
        Scalar::Float(_) => Shown::Float(super::scalar::to_float(value)),
        Scalar::Pointer if value == 0 => Shown::Null,
        Scalar::Pointer => Shown::Pointer,
    }
}
