//! How marks spread by steps: forwards from what is not marked, backwards from what newly is, through hyper-musts, and
//! through covers.

use super::{Part, Propagation, REVERSING};
use crate::equations::Operator;
use crate::names::ActionSet;
use crate::necessity::NO_MOVE;
use tertium_logic::Sign;
use tertium_support::{Id, StopReason};
use tertium_system::StateId;

impl Propagation<'_> {
    pub(super) fn propagate_step(
        &mut self,
        user: usize,
        actions: &ActionSet,
        batch: &[StateId],
    ) -> Result<(), StopReason> {
        let diamond = matches!(self.parts[user].operator, Operator::Diamond(..));
        let own = self.is_own(self.parts[user].operator);
        if own && self.prefers_forward(user, batch.len()) {
            self.step_forward(user, actions, diamond)?;
        } else {
            self.step_backward(user, actions, batch, diamond, own)?;
        }
        if diamond && !self.problem.prepared.hyper.source.is_empty() {
            self.propagate_hyper(user, actions, batch, own);
        }
        Ok(())
    }

    /// Whether to look for marks from the states that have none instead of going back from the new ones: when these
    /// are many, or while that is cheaper than reversing the transitions. What was spent on it counts, so that both
    /// ways together stay linear.
    fn prefers_forward(&self, user: usize, batch: usize) -> bool {
        let system = self.problem.system();
        let (n, m) = (system.n_states(), system.transitions().len());
        let degree = m / n.max(1) + 1;
        let forward = (n - self.parts[user].n_marked) * degree / 2 + n / 64;
        let reversing = if self.problem.prepared.is_reversed() { 0 } else { REVERSING * m };
        forward < batch * degree + reversing.saturating_sub(self.forward)
    }

    /// Marks the unmarked states that have a step to a marked one.
    fn step_forward(&mut self, user: usize, actions: &ActionSet, diamond: bool) -> Result<(), StopReason> {
        let transitions = self.problem.system().transitions();
        debug_assert_eq!(self.parts[user].inner.len(), 1, "a modality has one operand");
        let body = self.parts[user].inner[0].0;
        for source in StateId::first(transitions.n_states()) {
            if self.parts[user].marked.contains(source) {
                continue;
            }
            let (labels, targets) = transitions.row(source);
            let found = labels.iter().zip(targets).position(|(label, &target)| {
                self.parts[body].marked.contains(target)
                    && (if diamond { label.is_must() } else { label.is_may() })
                    && actions.contains(label.action())
            });
            let looked_at = found.map_or(targets.len(), |position| position + 1);
            self.ticker.tick(looked_at)?;
            self.looked_at += looked_at as u64;
            self.forward += looked_at;
            if let Some(position) = found {
                self.mark_next(user, source, targets[position].raw());
            }
        }
        Ok(())
    }

    /// Goes back from the newly marked states.
    fn step_backward(
        &mut self,
        user: usize,
        actions: &ActionSet,
        batch: &[StateId],
        diamond: bool,
        own: bool,
    ) -> Result<(), StopReason> {
        let prepared = self.problem.prepared;
        prepared.reverse(self.context)?;
        let reversed = prepared.reversed();
        let simple = prepared.uniform && matches!(actions, ActionSet::All);
        let was_idle = self.parts[user].next.is_empty();
        let Part { marked, n_marked, open, moves, next, .. } = &mut self.parts[user];
        let mut arrive = |source: StateId, target: StateId| {
            if own {
                if marked.insert(source) {
                    *n_marked += 1;
                    next.push(source);
                    if let Some(moves) = moves {
                        moves[source.index()] = target.raw();
                    }
                }
            } else {
                let open = &mut open[source.index()];
                *open -= 1;
                if *open == 0 && marked.insert(source) {
                    *n_marked += 1;
                    next.push(source);
                }
            }
        };
        for &state in batch {
            let steps = reversed.row(state);
            self.ticker.tick(steps.len())?;
            self.looked_at += steps.len() as u64;
            if simple {
                steps.iter().for_each(|&(_, source)| arrive(source, state));
            } else {
                for &(label, source) in steps {
                    let relevant = if diamond { label.is_must() } else { label.is_may() };
                    if relevant && actions.contains(label.action()) {
                        arrive(source, state);
                    }
                }
            }
        }
        if was_idle && !self.parts[user].next.is_empty() {
            self.active_next.push(user);
        }
        Ok(())
    }

    fn propagate_hyper(&mut self, user: usize, actions: &ActionSet, batch: &[StateId], own: bool) {
        let system = self.problem.system();
        let index = &self.problem.prepared.hyper;
        for &state in batch {
            for &position in index.reaching(state) {
                let (action, _) = system.hyper_musts().at(position as usize);
                let open = &mut self.parts[user].hyper_open[position as usize];
                if *open == 0 || !actions.contains(action) {
                    continue;
                }
                *open -= 1;
                if *open > 0 {
                    continue;
                }
                let source = index.source[position as usize];
                if own {
                    self.mark_next(user, source, system.n_states() as u32 + position);
                } else {
                    self.parts[user].open[source.index()] -= 1;
                    if self.parts[user].open[source.index()] == 0 {
                        self.mark_next(user, source, NO_MOVE);
                    }
                }
            }
        }
    }

    pub(super) fn propagate_cover(&mut self, user: usize, batch: &[StateId]) {
        let domain = self.problem.domain();
        for &state in batch {
            for concrete in domain.gamma(state).iter() {
                let settled = match self.sign {
                    Sign::Least => self.parts[user].covered.insert(concrete),
                    Sign::Greatest => {
                        self.parts[user].open[concrete.index()] -= 1;
                        self.parts[user].open[concrete.index()] == 0
                    }
                };
                if !settled {
                    continue;
                }
                if let Some(moves) = &mut self.parts[user].moves {
                    moves[concrete.index()] = state.raw();
                }
                for above in domain.abstractions(concrete).collect::<Vec<_>>() {
                    let complete = match self.sign {
                        Sign::Least => {
                            self.parts[user].open[above.index()] -= 1;
                            self.parts[user].open[above.index()] == 0
                        }
                        Sign::Greatest => true,
                    };
                    if complete {
                        self.mark_now(user, above, NO_MOVE);
                    }
                }
            }
        }
    }
}
