//! Components with fixpoints of both signs, for a block of instances.
//!
//! The fixpoints of the highest priority, which have one sign, are fixed at the bottom or the top; without them the component falls into
//! smaller ones, which are solved; what comes out for these fixpoints is put in again, until nothing changes. This is the meaning of
//! nested fixpoints, for all instances together. It needs up to one round for each state and level, so after
//! [`MOST_ROUNDS`] rounds the component is left to the parity games of the ordinary checker, one for each instance.

use super::block::{Block, Value};
use crate::equations::{EquationId, Operator};
use crate::necessity::Necessity;
use crate::product;
use tertium_logic::Sign;
use tertium_support::{Id, StopReason};
use tertium_system::StateSet;

/// After so many rounds, counted over all levels, games are played instead.
const MOST_ROUNDS: usize = 64;

impl Block<'_> {
    /// Solves a component.
    pub(super) fn alternate(&mut self, members: &[EquationId]) -> Result<(), StopReason> {
        let mut rounds = MOST_ROUNDS;
        if self.iterate(members, &mut rounds)? { Ok(()) } else { self.play(members) }
    }

    /// Solves a component by iteration; false if there were too many rounds.
    pub(super) fn iterate(&mut self, members: &[EquationId], rounds: &mut usize) -> Result<bool, StopReason> {
        let equations = &self.side.equations;
        let priority = |id: &EquationId| equations.operator(*id).priority();
        let highest = members.iter().map(priority).max().expect("a component has members");
        let (outer, inner): (Vec<EquationId>, Vec<EquationId>) =
            members.iter().partition(|&member| priority(member) == highest);
        let sign = if highest.is_multiple_of(2) { Sign::Greatest } else { Sign::Least };
        let start = if sign == Sign::Greatest { !0 } else { 0 };
        let bodies: Vec<EquationId> = outer.iter().map(|&id| body(equations.operator(id))).collect();
        outer.iter().for_each(|&id| self.set(id, Value::Rigid(start)));
        let components = equations.components_among(&inner);
        loop {
            if *rounds == 0 {
                return Ok(false);
            }
            *rounds -= 1;
            for (members, recursion) in &components {
                if !self.inner_component(members, *recursion, rounds)? {
                    return Ok(false);
                }
            }
            let mut changed = false;
            let next: Vec<Value<'_>> = bodies.iter().map(|&body| self.value(body)).collect();
            for (&id, next) in outer.iter().zip(next) {
                let before = self.value(id);
                debug_assert!(
                    self.system().states().all(|state| match sign {
                        Sign::Least => before.at(state) & !next.at(state) == 0,
                        Sign::Greatest => next.at(state) & !before.at(state) == 0,
                    }),
                    "rounds go one way"
                );
                changed |= self.system().states().any(|state| before.at(state) != next.at(state));
                self.set(id, next);
            }
            if !changed {
                return Ok(true);
            }
        }
    }

    /// Solves a component instance by instance.
    fn play(&mut self, members: &[EquationId]) -> Result<(), StopReason> {
        let equations = &self.side.equations;
        let n = self.system().n_states();
        debug_assert!(members.is_sorted(), "members are looked up");
        let operands = members.iter().flat_map(|&member| equations.operator(member).operands());
        let mut outside: Vec<EquationId> =
            operands.copied().filter(|operand| members.binary_search(operand).is_err()).collect();
        outside.sort_unstable();
        outside.dedup();
        let given: Vec<Value<'_>> = outside.iter().map(|&id| self.value(id)).collect();
        let mut found = vec![vec![0; n]; members.len()];
        for instance in 0..self.width {
            let mut solution = Necessity::unsolved(equations);
            for (id, value) in outside.iter().zip(&given) {
                solution.holds[id.index()] =
                    StateSet::filter(n, |state| value.at(state) >> instance & 1 == 1);
            }
            product::solve(self.context, &self.side.problem(), members, &mut solution)?;
            for (words, member) in found.iter_mut().zip(members) {
                for state in solution.holds[member.index()].iter() {
                    words[state.index()] |= 1 << instance;
                }
            }
        }
        for (&member, words) in members.iter().zip(found) {
            self.set(member, Value::Words(words.into()));
        }
        Ok(())
    }
}

fn body(operator: &Operator) -> EquationId {
    match operator {
        Operator::Fixpoint { body, .. } => *body,
        _ => unreachable!("only fixpoints have the highest priority of a component with both signs"),
    }
}
