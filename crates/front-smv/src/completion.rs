//! Evidence from part of a model, completed to evidence from the whole of it.
//!
//! What was found on a cone of influence has values for its variables only. The interpreter supplies the others, state by
//! state along every path; see `encode::cone` for why that never fails. A loop of the part is followed until the whole
//! state at its beginning occurs for the second time. In every round the kept variables do the same, so what holds
//! on the loop, fairness included, holds on the longer one; claims about its states are made anew in every round.
//!
//! That may take as many rounds as the other variables have states, so there is a limit on the length of everything together.

use crate::interpret::{Fault, Interpreter, State};
use crate::tree::CtlTree;
use crate::validate::Trace;
use crate::{Value, VarId, VarKind};
use tertium_evidence::Support;
use tertium_support::Id;

/// Completes paths and trees over some variables.
#[derive(Debug)]
pub struct Completion<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    states: Vec<VarId>,
    inputs: Vec<VarId>,
    /// How many states may still be made.
    left: usize,
}

impl<'a, 'm> Completion<'a, 'm> {
    /// For evidence over the variables `kept`, in the order of the model; it may grow to `limit` states.
    pub fn new(interpreter: &'a Interpreter<'m>, kept: &[VarId], limit: usize) -> Self {
        let model = interpreter.model();
        let is_input = |id: &VarId| model.variables[id.index()].kind == VarKind::Input;
        let (inputs, states) = kept.iter().copied().partition(is_input);
        Self { interpreter, states, inputs, left: limit }
    }

    /// A path that starts in an initial state, completed; `None` if it gets too long.
    pub fn trace(&mut self, trace: &Trace) -> Result<Option<Trace>, Fault> {
        let Some(first) = trace.states.first() else { return Ok(None) };
        let Some(first) = self.initial(first)? else { return Ok(None) };
        Ok(self.follow(trace, first)?.map(|(trace, _)| trace))
    }

    /// Claims about an initial state, completed; `None` if they get too long.
    pub fn tree(&mut self, tree: &CtlTree) -> Result<Option<CtlTree>, Fault> {
        let Some(state) = self.initial(&tree.state)? else { return Ok(None) };
        self.subtree(tree, state)
    }

    fn initial(&self, state: &State) -> Result<Option<State>, Fault> {
        self.interpreter.complete_initial(&given(&self.states, &state.0))
    }

    fn subtree(&mut self, tree: &CtlTree, state: State) -> Result<Option<CtlTree>, Fault> {
        let support = match &tree.support {
            Support::Here => Support::Here,
            Support::AllPaths => Support::AllPaths,
            Support::Omitted => Support::Omitted,
            Support::Parts(parts) => {
                let mut completed = Vec::with_capacity(parts.len());
                for part in parts {
                    let Some(part) = self.subtree(part, state.clone())? else { return Ok(None) };
                    completed.push(part);
                }
                Support::Parts(completed)
            }
            Support::Path { trace, at } => {
                let Some((trace, places)) = self.follow(trace, state.clone())? else { return Ok(None) };
                let mut claims = Vec::with_capacity(at.len());
                for (index, place) in places.iter().enumerate() {
                    for (_, claim) in at.iter().filter(|(of, _)| of == place) {
                        let claim = self.subtree(claim, trace.states[index].clone())?;
                        let Some(claim) = claim else { return Ok(None) };
                        claims.push((index, claim));
                    }
                }
                Support::Path { trace, at: claims }
            }
        };
        Ok(Some(CtlTree { formula: tree.formula.clone(), state, support }))
    }

    /// The path from a whole state, and for each of its states the place in the path that was given.
    fn follow(&mut self, trace: &Trace, first: State) -> Result<Option<(Trace, Vec<usize>)>, Fault> {
        let mut states = vec![first];
        let mut inputs = Vec::new();
        let mut places = vec![0];
        loop {
            let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
            self.left = left;
            let (here, place) = (states.len() - 1, places[places.len() - 1]);
            let Some(input) = trace.steps.get(place) else {
                return Ok(Some((Trace { states, steps: inputs, loop_start: None }, places)));
            };
            let back = place + 1 == trace.states.len();
            let Some(next) = (if back { trace.loop_start } else { Some(place + 1) }) else { return Ok(None) };
            let target = &trace.states[next];
            let step = self.interpreter.complete_step(
                &states[here],
                &given(&self.inputs, &input.0),
                &given(&self.states, &target.0),
            )?;
            let Some((input, state)) = step else { return Ok(None) };
            inputs.push(input);
            if back {
                let before = (0..states.len()).find(|&at| places[at] == next && states[at] == state);
                if before.is_some() {
                    return Ok(Some((Trace { states, steps: inputs, loop_start: before }, places)));
                }
            }
            states.push(state);
            places.push(next);
        }
    }
}

fn given(variables: &[VarId], values: &[Value]) -> Vec<(VarId, Value)> {
    variables.iter().copied().zip(values.iter().copied()).collect()
}
