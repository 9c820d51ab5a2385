//! How runs end, and what may bound them.

use super::Request;
use crate::ir::{Exit, Failure, FunctionId, Undefined};
use tertium_support::{Span, StopReason};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// `main` returned this; 0 if it returned without a value.
    Finished(i128),
    /// `exit`, `abort` or their kin were called here.
    Exited(Exit, Span),
    /// The error function was called, or an assertion failed, in this function.
    Failed(Failure, Span, FunctionId),
    /// Something undefined was done: the program may do anything from here.
    Undefined(Undefined, Span),
    /// What the program assumes does not hold here: there is no such run.
    AssumptionFailed(Span),
    /// Something unsupported, with its number in [`crate::ir::Unit::unsupported`].
    Unsupported(usize, Span),
    /// A function without body was called.
    MissingBody(FunctionId, Span),
    /// There was no answer to this request.
    OutOfInputs(Request),
    /// The run was not finished.
    Stopped(Halt),
}

/// Why a run was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A limit of the whole, or the user.
    Context(StopReason),
    /// As many steps as allowed.
    Steps,
    /// As many open calls as allowed.
    Depth,
    /// As much memory of the program as allowed.
    Memory,
    /// A mathematical integer needs more than 127 bits, or parts of one are looked at.
    IntegerTooLarge,
    /// Something is accessed that is defined elsewhere, and whose type does not say here how large it is.
    UnknownSize,
}

/// What may bound a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// How many elementary steps it may do.
    pub steps: u64,
    /// How many calls may be open at once.
    pub depth: usize,
    /// How many bytes its objects and its stack may have.
    pub memory: u64,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self { steps: u64::MAX, depth: usize::MAX, memory: 1 << 30 }
    }
}

/// What integers are in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum IntegerModel {
    /// Those of the machine: unsigned ones wrap around, signed ones that have no room are undefined.
    #[default]
    Machine,
    /// Mathematical ones, of every type but `_Bool`. What needs more than 127 bits stops the run.
    Mathematical,
}

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// How many elementary steps it did.
    pub steps: u64,
    /// How many values from outside it asked for.
    pub inputs: u64,
    /// Whether it used something that differs between machines or compilers which the standard leaves open: the number of an address, the
    /// value of a nonzero comparison of texts, more bits in `long double` than we compute with.
    pub is_machine_bound: bool,
}

impl Run {
    /// Whether the program has no other run: this one asked for nothing from outside, used nothing that the standard leaves open, and
    /// came to an end. If that end is [`Ending::Undefined`], anything may follow; so what it says holds if nothing undefined is done.
    pub fn is_only_run(&self) -> bool {
        let is_over = !matches!(
            self.ending,
            Ending::OutOfInputs(_) | Ending::Stopped(_) | Ending::Unsupported(..) | Ending::MissingBody(..)
        );
        is_over && self.inputs == 0 && !self.is_machine_bound
    }

    /// Whether this is all that the program can do: its only run, without anything undefined. Then it decides every question about
    /// what can be reached.
    pub fn is_whole_program(&self) -> bool {
        self.is_only_run() && !matches!(self.ending, Ending::Undefined(..))
    }
}
