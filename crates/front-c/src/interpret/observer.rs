//! Who looks at a run while it goes on.

use super::Request;
use crate::ir::{Asking, FunctionId};
use tertium_support::Span;

/// Looks at a run. All calls come in the order in which things happen.
pub trait Observer {
    /// Whether it wants to be told of assignments and branches: a run is slower with that. Asked once, before the run.
    fn is_curious(&self) -> bool {
        true
    }

    /// A function begins; called from here. For `main` the place is that of its declaration.
    fn enter(&mut self, function: FunctionId, from: Span) {
        let _ = (function, from);
    }

    /// A function returns to where it was called.
    fn leave(&mut self, function: FunctionId) {
        let _ = function;
    }

    /// A place with a name got a value.
    fn assign(&mut self, assignment: &Assignment) {
        let _ = assignment;
    }

    /// A condition was asked.
    fn branch(&mut self, asks: Asking, holds: bool, span: Span) {
        let _ = (asks, holds, span);
    }

    /// A value came from outside.
    fn input(&mut self, request: &Request, value: i128) {
        let _ = (request, value);
    }
}

/// Nobody looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn is_curious(&self) -> bool {
        false
    }
}

/// A place with a name got a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The function that is running.
    pub function: FunctionId,
    /// The place as the program names it, with the values of indices: `a[3]`, `p->next`.
    pub place: String,
    /// What it got.
    pub value: Shown,
    /// Where.
    pub span: Span,
}

/// A value to be shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    /// An integer.
    Integer(i128),
    /// A floating number.
    Float(f64),
    /// The null pointer.
    Null,
    /// Any other pointer.
    Pointer,
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Null => f.write_str("NULL"),
            Self::Pointer => f.write_str("a pointer"),
        }
    }
}
