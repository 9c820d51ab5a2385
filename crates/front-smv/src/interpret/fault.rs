//! What can go wrong in evaluating a model: faults of the model, with their places.

use super::value_text;
use crate::{FlatModel, Value, VarId};
use tertium_support::{Diagnostic, Id, Span};

/// Something without a meaning in some state: a fault of the model, not of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The expression or assignment.
    pub span: Span,
    /// What is wrong.
    pub kind: FaultKind,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A division by zero, or the remainder of one.
    DivisionByZero,
    /// An integer beyond 64 bits, or a word wider than that.
    Overflow,
    /// A `case` of which no condition holds.
    NoBranch,
    /// Several values where one truth value is needed.
    NotDetermined,
    /// An assignment of a value that is not of the type of the variable.
    OutsideType(VarId, Value),
    /// A shift by a negative number of bits.
    NegativeShift,
    /// A variable is read where it has no value: an input at a state, or `next` outside of steps.
    NotGiven(VarId),
    /// An operator with values that it is not defined for.
    IllTyped,
}

impl Fault {
    /// The fault as a located complaint.
    pub fn diagnostic(&self, model: &FlatModel) -> Diagnostic {
        let name = |variable: VarId| &model.variables[variable.index()].name;
        let message = match self.kind {
            FaultKind::DivisionByZero => "division by zero in some state".to_owned(),
            FaultKind::Overflow => "a number that does not fit in 64 bits in some state".to_owned(),
            FaultKind::NoBranch => "no condition of this `case` holds in some state".to_owned(),
            FaultKind::NotDetermined => "several values where one truth value is expected".to_owned(),
            FaultKind::OutsideType(variable, value) => {
                let value = value_text(model, value);
                format!("`{}` is assigned {value}, which is not of its type", name(variable))
            }
            FaultKind::NegativeShift => "a shift by a negative number in some state".to_owned(),
            FaultKind::NotGiven(variable) => format!("`{}` has no value here", name(variable)),
            FaultKind::IllTyped => "an operator is not defined for these values".to_owned(),
        };
        let diagnostic = Diagnostic::error(self.span, message);
        match self.kind {
            FaultKind::OutsideType(variable, _) => {
                diagnostic.with_related(model.variables[variable.index()].span, "declared here")
            }
            FaultKind::NoBranch => diagnostic.with_note("add a last branch `TRUE : …;`"),
            FaultKind::NotGiven(_) => {
                diagnostic.with_note("inputs belong to steps, and a step has one `next` only")
            }
            _ => diagnostic,
        }
    }
}
