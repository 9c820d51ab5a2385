//! Paths and lassos.
//!
//! A path has one step fewer than states. A lasso has as many: its last step leads back to the state `loop_start`, which is not
//! repeated.

use tertium_system::{ActionId, StateId};

/// A sequence of states with what leads from each to the next. Invariant: [`Trace::is_well_formed`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace<S = StateId, L = ActionId> {
    /// The states; at least one.
    pub states: Vec<S>,
    /// What leads from each state to the next; for a lasso, also from the last one back.
    pub steps: Vec<L>,
    /// For a lasso: the number of the state to which the last step leads back.
    pub loop_start: Option<usize>,
}

impl<S, L> Trace<S, L> {
    /// The path of one state and no step.
    pub fn at(state: S) -> Self {
        Self { states: vec![state], steps: Vec::new(), loop_start: None }
    }

    /// Whether there are as many steps as there must be, and the loop starts at a state.
    pub fn is_well_formed(&self) -> bool {
        let n = self.states.len();
        match self.loop_start {
            None => n == self.steps.len() + 1,
            Some(start) => start < n && n == self.steps.len(),
        }
    }

    /// The last state before a loop closes, or at all.
    pub fn last(&self) -> &S {
        self.states.last().expect("a path has a state")
    }

    /// The number of the state that a step leads to.
    pub fn target(&self, step: usize) -> usize {
        match self.loop_start {
            Some(start) if step + 1 == self.states.len() => start,
            _ => step + 1,
        }
    }

    /// The states around a step.
    pub fn ends(&self, step: usize) -> (&S, &S) {
        (&self.states[step], &self.states[self.target(step)])
    }

    /// The steps, each with the states around it.
    pub fn moves(&self) -> impl Iterator<Item = (&S, &L, &S)> {
        self.steps.iter().enumerate().map(|(at, step)| {
            let (from, to) = self.ends(at);
            (from, step, to)
        })
    }

    /// Goes one step further. Only for a path that is no lasso.
    pub fn push(&mut self, step: L, state: S) {
        debug_assert!(self.loop_start.is_none(), "a lasso has no end to go on from");
        self.steps.push(step);
        self.states.push(state);
    }

    /// The same path with other states and labels; the first failure ends it.
    pub fn try_map<T, M, E>(
        self,
        state: &mut impl FnMut(S) -> Result<T, E>,
        step: &mut impl FnMut(L) -> Result<M, E>,
    ) -> Result<Trace<T, M>, E> {
        Ok(Trace {
            states: self.states.into_iter().map(state).collect::<Result<_, E>>()?,
            steps: self.steps.into_iter().map(step).collect::<Result<_, E>>()?,
            loop_start: self.loop_start,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lasso_has_as_many_steps_as_states_and_leads_back() {
        let mut trace = Trace { states: vec![0, 1, 2], steps: vec!['a', 'b'], loop_start: None };
        assert!(trace.is_well_formed());
        assert_eq!((trace.target(1), *trace.last()), (2, 2));
        trace.loop_start = Some(1);
        assert!(!trace.is_well_formed());
        trace.steps.push('c');
        assert!(trace.is_well_formed());
        assert_eq!(trace.target(2), 1);
        trace.loop_start = Some(3);
        assert!(!trace.is_well_formed());
    }
}
