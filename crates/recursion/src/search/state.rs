//! States of the search: a concrete state, and beside it the same state as terms over the inputs of the path.
//!
//! A value that depends on no input has no term. Activations that wait below are shared between states and never change; where
//! inputs have got other values since an activation was left, its values are computed again when control comes back.

use super::bounds::Bounds;
use super::distance::Distance;
use super::persistent::Map;
use tertium_expr::{Term, Value, Variable};
use tertium_program::{EdgeId, PointId, ProcedureId};
use tertium_support::Id;

/// A value, and the term that it is the value of where it depends on inputs.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) value: Value,
    pub(super) term: Option<Term>,
}

/// Variables that have been read or written. Others have any value of their domain.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells(Map<Seen>);

impl Cells {
    pub(super) fn get(&self, variable: Variable) -> Option<&Seen> {
        self.0.get(variable.index())
    }

    pub(super) fn insert(&mut self, variable: Variable, seen: Seen) {
        self.0.insert(variable.index(), seen);
    }

    /// Those that depend on inputs.
    pub(super) fn dependent(&self) -> Vec<(Variable, Term)> {
        let entries = self.0.entries().into_iter();
        let dependent = entries.filter_map(|(number, seen)| Some((Variable::new(number), seen.term?)));
        dependent.collect()
    }

    /// Whether all variables have the same values and terms.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let fits = |(number, seen): (usize, &Seen)| {
            other.0.get(number).is_some_and(|own| own.value == seen.value && own.term == seen.term)
        };
        self.0.is_same(&other.0) || self.0.len() == other.0.len() && self.0.entries().into_iter().all(fits)
    }
}

/// An activation that waits for the end of a call.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) frame: Frame,
    /// Which inputs its values were computed with.
    pub(super) epoch: u64,
    /// The one below.
    pub(super) below: Option<usize>,
}

/// The activation that runs.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) procedure: ProcedureId,
    pub(super) point: PointId,
    pub(super) called_by: Option<EdgeId>,
    pub(super) cells: Cells,
    /// How far it is from where the caller goes on.
    pub(super) beyond: Distance,
    /// The step of the path that began it, where its arbitrary values belong; nothing for main.
    pub(super) begun: Option<usize>,
}

/// A state.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) globals: Cells,
    pub(super) top: Frame,
    /// The activation below the top, among those that wait.
    pub(super) below: Option<usize>,
    pub(super) depth: usize,
    /// The last step of the path, among all steps.
    pub(super) path: Option<usize>,
    /// The last condition of the path, among all conditions.
    pub(super) condition: Option<usize>,
    /// What the intervals of inputs are.
    pub(super) bounds: Bounds,
    /// Values of inputs that are not the usual ones.
    pub(super) chosen: Map<Value>,
    /// Grows whenever inputs get other values.
    pub(super) epoch: u64,
    /// Another whenever a condition was added.
    pub(super) version: u64,
    /// Arbitrary values that were looked at since the last step: the step that began the activation, the variable, what stands for it.
    pub(super) looked_at: Vec<(Option<usize>, Variable, Variable)>,
    /// How many turns the run has had since it took another way, up to a bound.
    pub(super) turns: u32,
    /// How many inputs the path has.
    pub(super) n_inputs: usize,
    /// Whether all steps were exact.
    pub(super) is_exact: bool,
}
