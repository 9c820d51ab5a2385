//! Programs in C after all that a compiler does before it makes code: the form that everything else here works on.
//!
//! The reader makes a [`Unit`] of a text, the interpreter runs it, and the lowering makes a graph of terms of it. Neither of the
//! last two knows the syntax of C.

mod expression;
mod origins;
mod print;
mod types;
mod unit;

pub use expression::{Base, BinaryOperator, Expression, ExpressionKind, Place, Step, UnaryOperator};
pub use origins::{Origins, Place as OriginalPlace};
pub use types::{Composite, CompositeId, DataModel, Float, Integer, Member, Rank, Type, TypeId};
pub use unit::{
    Argument, Asking, Block, BlockId, Body, Builtin, Callee, End, Exit, Failure, Function, FunctionId,
    GlobalId, Initial, Instruction, InstructionKind, LocalId, Object, StringId, Undefined, Unit,
    UnsupportedConstruct,
};
