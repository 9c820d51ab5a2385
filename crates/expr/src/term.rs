//! The kinds of terms, in normal form.
//!
//! Invariants, kept by the constructors: what is said at each kind. They make equality of ids as strong as it is, and nothing
//! relies on more.

use crate::Enumeration;
use num_bigint::BigInt;
use std::sync::Arc;
use tertium_support::define_id;

define_id!(
    /// A term of a store. Equal ids, equal terms.
    Term
);

define_id!(
    /// A variable of a store: a name with a sort.
    Variable
);

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A bit-vector: its width, and its value as an unsigned number.
    Bits(u32, u128),
    /// A value of an enumeration.
    Constant(Arc<Enumeration>, usize),
    /// A variable.
    Variable(Variable),
    /// Negation; never of a negation or a constant.
    Not(Term),
    /// Conjunction of at least two, in order, none of them a conjunction that is not shared, a constant, or the negation of another.
    And(Box<[Term]>),
    /// Disjunction, likewise.
    Or(Box<[Term]>),
    /// The second if the first holds, else the third; of any sort but Bool.
    If(Term, Term, Term),
    /// Equality of two terms of one sort other than Int, in order. Over Bool the first is no negation.
    Equal(Term, Term),
    /// A term of sort Int without constant part, with coprime coefficients and a positive first one, is at most this.
    AtMost(Term, BigInt),
    /// Such a term is exactly this.
    Exactly(Term, BigInt),
    /// A linear combination: the constant part, and coefficients other than zero of terms in order, which are neither sums nor constants.
    /// Not just a term.
    Sum(BigInt, Box<[(BigInt, Term)]>),
    /// A product of at least two terms in order, none of them a constant or a product.
    Product(Box<[Term]>),
    /// The quotient by a positive constant, rounded towards minus infinity.
    Divide(Term, BigInt),
    /// The remainder of that division, never negative.
    Modulo(Term, BigInt),
    /// An operation on bit-vectors.
    Bitwise(BitOperation, Box<[Term]>),
    /// The element of an array at an index.
    Select(Term, Term),
    /// An array with another element at an index.
    Store(Term, Term, Term),
    /// The array from this sort of indices with the same element everywhere.
    Everywhere(Arc<crate::Sort>, Term),
    /// Whether the last holds for all values of these variables, in order; there is at least one.
    ForAll(Box<[Variable]>, Term),
}

/// Operations on bit-vectors, as SMT-LIB defines them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BitOperation {
    /// Sum, modulo 2^width.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient of unsigned numbers; all ones if the divisor is zero.
    DivideUnsigned,
    /// Remainder of unsigned numbers; the dividend if the divisor is zero.
    RemainderUnsigned,
    /// Quotient of signed numbers, rounded towards zero.
    DivideSigned,
    /// Remainder of signed numbers, with the sign of the dividend.
    RemainderSigned,
    /// Complement of each bit.
    Not,
    /// Conjunction of each bit.
    And,
    /// Disjunction of each bit.
    Or,
    /// Exclusive disjunction of each bit.
    Xor,
    /// Shift towards the higher bits.
    ShiftLeft,
    /// Shift towards the lower bits; zeros come in.
    ShiftRight,
    /// Shift towards the lower bits; the highest bit comes in.
    ShiftRightSigned,
    /// The bits of the first above those of the second.
    Concatenate,
    /// The bits from the first number down to the second.
    Extract(u32, u32),
    /// This many zeros above.
    ExtendZeros(u32),
    /// This many copies of the highest bit above.
    ExtendSign(u32),
    /// Less, as unsigned numbers: a truth value.
    LessUnsigned,
    /// At most, as unsigned numbers.
    AtMostUnsigned,
    /// Less, as signed numbers.
    LessSigned,
    /// At most, as signed numbers.
    AtMostSigned,
}

impl BitOperation {
    /// Every operation without numbers, with its name.
    pub(crate) const NAMED: [(Self, &'static str); 19] = [
        (Self::Add, "bvadd"),
        (Self::Subtract, "bvsub"),
        (Self::Multiply, "bvmul"),
        (Self::DivideUnsigned, "bvudiv"),
        (Self::RemainderUnsigned, "bvurem"),
        (Self::DivideSigned, "bvsdiv"),
        (Self::RemainderSigned, "bvsrem"),
        (Self::Not, "bvnot"),
        (Self::And, "bvand"),
        (Self::Or, "bvor"),
        (Self::Xor, "bvxor"),
        (Self::ShiftLeft, "bvshl"),
        (Self::ShiftRight, "bvlshr"),
        (Self::ShiftRightSigned, "bvashr"),
        (Self::Concatenate, "concat"),
        (Self::LessUnsigned, "bvult"),
        (Self::AtMostUnsigned, "bvule"),
        (Self::LessSigned, "bvslt"),
        (Self::AtMostSigned, "bvsle"),
    ];

    /// How many operands it has.
    pub fn arity(self) -> usize {
        match self {
            Self::Not | Self::Extract(..) | Self::ExtendZeros(_) | Self::ExtendSign(_) => 1,
            _ => 2,
        }
    }

    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::LessUnsigned | Self::AtMostUnsigned | Self::LessSigned | Self::AtMostSigned)
    }

    /// The width of the result, if the operands of these widths go together; nothing for comparisons that do is their width.
    pub(crate) fn width(self, operands: &[u32]) -> Option<u32> {
        let width = match (self, operands) {
            (Self::Not, &[width]) => width,
            (Self::Extract(high, low), &[width]) if low <= high && high < width => high - low + 1,
            (Self::ExtendZeros(more) | Self::ExtendSign(more), &[width]) => width.checked_add(more)?,
            (Self::Concatenate, &[above, below]) => above + below,
            (_, &[left, right]) if self.arity() == 2 && self != Self::Concatenate && left == right => left,
            _ => return None,
        };
        (1..=128).contains(&width).then_some(width)
    }
}
