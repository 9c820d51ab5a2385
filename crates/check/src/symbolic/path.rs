//! Paths of single states: shortest ways through a set, found forwards ring by ring and followed back.
//!
//! Ring k holds the states first met after k steps. Every state and input here is one code per variable, as in traces; sets
//! that hold a single state keep the diagrams small. Invariant: consecutive states are joined by a step of the relation, with
//! the input noted between them; debug builds look it up again when a trace is made.

use super::fair::Hull;
use super::outcome::SymbolicTrace;
use super::universe::Universe;
use tertium_dd::{Bdd, Var};
use tertium_support::StopReason;
use tertium_system::SymbolicModel;

/// A path under construction: one more state than inputs.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    states: Vec<Vec<u64>>,
    inputs: Vec<Vec<u64>>,
}

impl Walk {
    /// The path without steps.
    pub(crate) fn at(state: Vec<u64>) -> Self {
        Self { states: vec![state], inputs: Vec::new() }
    }

    /// A shortest path from a state of `from` to one of `goal`. All states but the last lie in `through`, all steps in `steps`.
    pub(crate) fn shortest(
        universe: &Universe<'_>,
        from: &Bdd,
        steps: &Bdd,
        through: &Bdd,
        goal: &Bdd,
    ) -> Result<Option<Self>, StopReason> {
        let model = universe.model;
        let mut rings = vec![from.clone()];
        let mut seen = from.clone();
        loop {
            let ring = rings.last().expect("there is the first ring");
            let found = ring.and(goal)?;
            if let Some(end) = model.pick_state(&found) {
                rings.pop();
                return Ok(Some(Self::back(model, &rings, steps, end)?));
            }
            universe.round()?;
            // Only what can be left again is kept, so rings hold nothing outside of `through` but in the last.
            let leaving = ring.and(through)?;
            let next = model.relation.image(&leaving.and(steps)?)?.diff(&seen)?;
            if next.is_false() {
                return Ok(None);
            }
            seen = seen.or(&next)?;
            *rings.last_mut().expect("there is the first ring") = leaving;
            rings.push(next);
        }
    }

    /// The path through one state of each ring to `end`.
    pub(crate) fn back(
        model: &SymbolicModel,
        rings: &[Bdd],
        steps: &Bdd,
        end: Vec<u64>,
    ) -> Result<Self, StopReason> {
        let (mut states, mut inputs) = (vec![end], Vec::new());
        for ring in rings.iter().rev() {
            let here = model.state(states.last().expect("the end is there"))?;
            let before = model.relation.preimage_by(steps, &here, ring)?;
            let state = model.pick_state(&before).expect("a ring leads to the next");
            let joining = model.relation.steps(&model.state(&state)?.and(steps)?, &here)?;
            let (_, input, _) = model.pick_step(&joining).expect("the ring leads by an allowed step");
            states.push(state);
            inputs.push(input);
        }
        states.reverse();
        inputs.reverse();
        debug_assert_eq!(states.len(), rings.len() + 1, "the path has a state of each ring, and the end");
        Ok(Self { states, inputs })
    }

    /// The index of the last state.
    pub(crate) fn end(&self) -> usize {
        self.states.len() - 1
    }

    fn last(&self) -> &[u64] {
        &self.states[self.end()]
    }

    /// Whether some step at or after `anchor` satisfies the constraint.
    pub(crate) fn meets(&self, model: &SymbolicModel, anchor: usize, constraint: &Bdd) -> bool {
        debug_assert!(anchor <= self.end(), "visits begin on the path");
        let steps = self.states.iter().zip(&self.inputs).skip(anchor);
        steps.into_iter().any(|(state, input)| holds_at(model, constraint, state, input))
    }

    /// Goes on inside the hull to a step that satisfies the constraint, and over it. Whether there is one.
    pub(crate) fn extend_by(
        &mut self,
        universe: &Universe<'_>,
        hull: &Hull,
        constraint: &Bdd,
    ) -> Result<bool, StopReason> {
        let steps = hull.steps.and(constraint)?;
        let goal = universe.before_by(&steps, &hull.states)?.and(&hull.states)?;
        let here = universe.model.state(self.last())?;
        let Some(way) = Self::shortest(universe, &here, &hull.steps, &hull.states, &goal)? else {
            return Ok(false);
        };
        self.append(way);
        self.step(universe.model, &steps, &hull.states)?;
        Ok(true)
    }

    /// Goes on inside the hull to the state at `anchor`, by a step at least if there was none yet. Whether there is a way.
    pub(crate) fn close(
        &mut self,
        universe: &Universe<'_>,
        hull: &Hull,
        anchor: usize,
    ) -> Result<bool, StopReason> {
        if anchor < self.end() && self.states[anchor] == self.last() {
            return Ok(true);
        }
        let home = universe.model.state(&self.states[anchor])?;
        let goal = universe.before_by(&hull.steps, &home)?.and(&hull.states)?;
        let here = universe.model.state(self.last())?;
        let Some(way) = Self::shortest(universe, &here, &hull.steps, &hull.states, &goal)? else {
            return Ok(false);
        };
        self.append(way);
        self.step(universe.model, &hull.steps, &home)?;
        Ok(true)
    }

    /// Takes one of `steps` into `goal`; there must be one.
    pub(crate) fn step(&mut self, model: &SymbolicModel, steps: &Bdd, goal: &Bdd) -> Result<(), StopReason> {
        let leaving = model.state(self.last())?.and(steps)?;
        let after = model.relation.image(&leaving)?.and(goal)?;
        let state = model.pick_state(&after).expect("there is a step into the goal");
        let joining = model.relation.steps(&leaving, &model.state(&state)?)?;
        let (_, input, _) = model.pick_step(&joining).expect("the step was just found");
        self.states.push(state);
        self.inputs.push(input);
        Ok(())
    }

    fn append(&mut self, way: Walk) {
        debug_assert_eq!(self.last(), way.states[0], "the way begins where the path ends");
        self.states.extend(way.states.into_iter().skip(1));
        self.inputs.extend(way.inputs);
    }

    /// The trace of a path that ends.
    pub(crate) fn into_trace(self, model: &SymbolicModel) -> SymbolicTrace {
        let trace = SymbolicTrace { states: self.states, steps: self.inputs, loop_start: None };
        debug_assert!(is_path(model, &trace), "every step is one of the relation");
        trace
    }

    /// The trace of a path whose last state is the one at `anchor` again.
    pub(crate) fn into_loop(mut self, model: &SymbolicModel, anchor: usize) -> SymbolicTrace {
        let end = self.states.pop();
        debug_assert!(end.as_ref() == self.states.get(anchor), "the path has come back");
        let trace = SymbolicTrace { states: self.states, steps: self.inputs, loop_start: Some(anchor) };
        debug_assert!(is_path(model, &trace), "every step is one of the relation");
        trace
    }
}

/// Whether a function of current and input bits holds for a state and an input; the input may be missing if it does not matter.
pub(crate) fn holds_at(model: &SymbolicModel, function: &Bdd, state: &[u64], input: &[u64]) -> bool {
    debug_assert_eq!(
        state.len(),
        model.variables.iter().filter(|variable| !variable.is_input).count(),
        "a state has a code for every variable"
    );
    let mut values = vec![false; model.manager.n_vars()];
    assign(model, state, &mut values, false);
    assign(model, input, &mut values, true);
    function.eval(|var: Var| values[var.index()])
}

fn assign(model: &SymbolicModel, codes: &[u64], values: &mut [bool], input: bool) {
    let variables = model.variables.iter().filter(|variable| variable.is_input == input);
    for (variable, code) in variables.zip(codes) {
        for (bit, var) in variable.current.iter().enumerate() {
            values[var.index()] = code >> bit & 1 == 1;
        }
    }
}

/// Whether each step is one of the relation. A limit counts as yes: then nothing is known.
fn is_path(model: &SymbolicModel, trace: &SymbolicTrace) -> bool {
    let n = trace.steps.len();
    let joined = |at: usize| -> Result<bool, StopReason> {
        let after = if at + 1 < trace.states.len() { at + 1 } else { trace.loop_start.unwrap_or(at) };
        let steps =
            model.relation.steps(&model.state(&trace.states[at])?, &model.state(&trace.states[after])?)?;
        let mut next = vec![false; model.manager.n_vars()];
        assign(model, &trace.states[at], &mut next, false);
        assign(model, &trace.steps[at], &mut next, true);
        let targets = model.variables.iter().filter(|variable| !variable.is_input);
        for (variable, code) in targets.zip(&trace.states[after]) {
            for (bit, var) in variable.next.iter().enumerate() {
                next[var.index()] = code >> bit & 1 == 1;
            }
        }
        Ok(steps.eval(|var| next[var.index()]))
    };
    (0..n).all(|at| joined(at).unwrap_or(true))
}
