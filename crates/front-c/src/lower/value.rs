//! Values of expressions as terms.

use super::interval::Interval;
use tertium_expr::Term;

/// An integer, with intervals that hold its values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) term: Term,
    /// Holds by the guard of the step and the domains of variables alone.
    pub(super) local: Interval,
    /// Holds where the program comes by.
    pub(super) flow: Interval,
}

impl Number {
    /// A term whose values both intervals hold.
    pub(super) fn new(term: Term, local: Interval, flow: Interval) -> Self {
        Self { term, local, flow: flow.meet(local) }
    }

    /// The same operation on both kinds of intervals of two numbers.
    pub(super) fn with(
        term: Term,
        one: Self,
        other: Self,
        of: impl Fn(Interval, Interval) -> Interval,
    ) -> Self {
        Self { term, local: of(one.local, other.local), flow: of(one.flow, other.flow) }
    }
}

/// A pointer: the number of what it points to, 0 for null, and the number of the element if that is an element of an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    pub(super) code: Term,
    pub(super) index: Term,
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// An integer that is 1 where this holds, else 0.
    Truth(Term),
    Number(Number),
    /// A bit-vector of the width of its type.
    Bits(Term),
    Pointer(Pointer),
    /// Nothing is known of it.
    Unknown,
}
