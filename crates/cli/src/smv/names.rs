//! States of a symbolic system in the names and values of the model it was made from.

use tertium_front_smv::{Encoded, FlatModel, Input, State, Trace, Value, VarId, VarKind, value_text};
use tertium_report::{Valuation, VariableRun};
use tertium_support::Id;
use tertium_system::SymbolicTrace;

/// Turns codes into values.
pub(super) struct Names<'a, 'm> {
    pub(super) encoded: &'a Encoded<'m>,
}

impl Names<'_, '_> {
    fn model(&self) -> &FlatModel {
        self.encoded.flat()
    }

    fn variables(&self, inputs: bool) -> impl Iterator<Item = VarId> + '_ {
        self.encoded.variables().iter().copied().filter(move |variable| {
            (self.model().variables[variable.index()].kind == VarKind::Input) == inputs
        })
    }

    fn values(&self, codes: &[u64], inputs: bool) -> Box<[Value]> {
        self.variables(inputs)
            .zip(codes)
            .map(|(variable, &code)| {
                self.encoded.value(variable, code).expect("codes of states and inputs stand for values")
            })
            .collect()
    }

    /// The state with these codes.
    pub(super) fn state(&self, codes: &[u64]) -> State {
        State(self.values(codes, false))
    }

    /// The trace with values, for the interpreter.
    pub(super) fn trace(&self, trace: &SymbolicTrace) -> Trace {
        Trace {
            states: trace.states.iter().map(|codes| self.state(codes)).collect(),
            inputs: trace.inputs.iter().map(|codes| Input(self.values(codes, true))).collect(),
            loop_start: trace.loop_start,
        }
    }

    fn valuation(&self, values: &[Value], inputs: bool) -> Valuation {
        let model = self.model();
        let written = |(variable, &value): (VarId, &Value)| {
            (model.variables[variable.index()].name.clone(), value_text(model, value))
        };
        self.variables(inputs).zip(values).map(written).collect()
    }

    /// A state as text.
    pub(super) fn state_text(&self, state: &State) -> Valuation {
        self.valuation(&state.0, false)
    }

    /// A trace as text.
    pub(super) fn run(&self, trace: &Trace) -> VariableRun {
        VariableRun {
            states: trace.states.iter().map(|state| self.valuation(&state.0, false)).collect(),
            inputs: trace.inputs.iter().map(|input| self.valuation(&input.0, true)).collect(),
            loop_start: trace.loop_start,
        }
    }
}
