//! Expressions without side effects, and the places they read.
//!
//! All conversions of the standard are written out as [`ExpressionKind::Convert`]; the operands of an arithmetic operator have one type,
//! which is that of the result (shifts: the type of the left operand; comparisons: `int` of equal operand types). Calls, assignments
//! and increments are instructions; an operand whose evaluation needs one was put into a temporary before.
//!
//! Evaluation goes from left to right and may meet undefined behaviour. `&&`, `||` and `?:` evaluate what the standard says and no more.

use super::{FunctionId, GlobalId, LocalId, StringId, TypeId};
use tertium_support::Span;

/// An expression of scalar type: integers, floating numbers, pointers.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it computes.
    pub kind: ExpressionKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// An integer constant, of integer or pointer type.
    Integer(i128),
    /// A floating constant.
    Float(f64),
    /// The value in a place.
    Read(Box<Place>),
    /// A pointer to a place.
    AddressOf(Box<Place>),
    /// A pointer to a function.
    Function(FunctionId),
    /// One operand.
    Unary(UnaryOperator, Box<Expression>),
    /// Two operands.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// A pointer plus an integer times the size of what it points to: pointer, integer, size in bytes. Negative integers go back.
    Offset(Box<Expression>, Box<Expression>, u64),
    /// The difference of two pointers divided by a size in bytes.
    Distance(Box<Expression>, Box<Expression>, u64),
    /// The value converted to the type of the expression.
    Convert(Box<Expression>),
    /// The second where the first is not zero, else the third.
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// Something that is not supported has this value; [`super::Unit::unsupported`] says what.
    Unsupported(usize),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `-`; undefined where a signed result has no room.
    Negate,
    /// `~`.
    Complement,
    /// `!`: 1 of zero, else 0.
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `+`; undefined where a signed result has no room, as for `-` and `*`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, towards zero; undefined for zero, and where a signed result has no room.
    Divide,
    /// `%`, with the sign of the left operand; undefined where `/` is.
    Remainder,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
    /// `<<`; undefined for counts that are negative or not below the width. Of signed operands as machines do it, see
    /// [`super::Undefined::Shift`].
    ShiftLeft,
    /// `>>`; of negative values it keeps the sign.
    ShiftRight,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`, of pointers within one object.
    Less,
    /// `<=`.
    AtMost,
    /// `&&`, of any scalars; the second is evaluated only if the first is not zero.
    LogicalAnd,
    /// `||`, likewise.
    LogicalOr,
}

/// A place in memory: an object, or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it begins.
    pub base: Base,
    /// The way from there.
    pub path: Vec<Step>,
    /// The type of what is there.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// Where a place begins.
#[derive(Clone, Debug)]
pub enum Base {
    /// A global, or a static local.
    Global(GlobalId),
    /// A local of the current call, parameters among them.
    Local(LocalId),
    /// What a pointer points to.
    Pointer(Expression),
    /// A string literal.
    Text(StringId),
}

/// A step from a place into a part of it.
#[derive(Clone, Debug)]
pub enum Step {
    /// The member with this number of the structure or union that is there.
    Member(usize),
    /// The element with this number of the array that is there.
    Element(Expression),
}
