//! How propagation starts: the counters, and what is forced from outside the component.

use super::{COUNTED, Propagation};
use crate::equations::{EquationId, Operator};
use crate::names::ActionSet;
use crate::necessity::{NO_MOVE, records};
use tertium_logic::Sign;
use tertium_support::{Id, IdSet, StopReason};
use tertium_system::{StateId, StateSet};

impl Propagation<'_> {
    /// Prepares the counters, and marks what is forced from outside the component.
    pub(super) fn seed(&mut self) -> Result<(), StopReason> {
        let system = self.problem.system();
        let n = system.n_states();
        for at in 0..self.parts.len() {
            self.ticker.tick(n)?;
            let operator = self.parts[at].operator;
            let own = self.is_own(operator);
            if records(self.problem.record, self.sign) && own {
                let entries = match operator {
                    Operator::Cover(_) => self.problem.domain().n_concrete(),
                    _ => n,
                };
                self.parts[at].moves = Some(vec![NO_MOVE; entries]);
            }
            match operator {
                Operator::And(operands) | Operator::Or(operands) => self.seed_boolean(at, operands, own),
                Operator::Diamond(set, _) | Operator::Box(set, _) => {
                    let actions = self.problem.equations.actions(*set);
                    self.seed_modality(at, actions, own);
                }
                Operator::Cover(_) => self.seed_cover(at),
                Operator::Fixpoint { .. } => {}
                Operator::Constant(_) | Operator::Literal { .. } => {
                    unreachable!("constants and literals are not recursive")
                }
            }
        }
        Ok(())
    }

    /// Where an equation outside the component is marked.
    fn outside(&self, id: EquationId) -> StateSet {
        let holds = &self.solution.holds[id.index()];
        debug_assert_eq!(holds.universe(), self.problem.system().n_states(), "what lies outside is solved");
        match self.sign {
            Sign::Least => holds.clone(),
            Sign::Greatest => holds.complement(),
        }
    }

    fn seed_boolean(&mut self, at: usize, operands: &[EquationId], own: bool) {
        let n = self.problem.system().n_states();
        let mut is_inner = vec![false; operands.len()];
        self.parts[at].inner.iter().for_each(|&(_, index)| is_inner[index] = true);
        let mut all = StateSet::full(n);
        for (index, operand) in operands.iter().enumerate().filter(|&(index, _)| !is_inner[index]) {
            let outside = self.outside(*operand);
            if own {
                outside.iter().for_each(|state| self.mark_now(at, state, index as u32));
            } else {
                all.intersect_with(&outside);
            }
        }
        self.parts[at].outside = (!own).then_some(all);
        let inner = self.parts[at].inner.len();
        if !own && inner > COUNTED {
            self.parts[at].open = vec![inner as u32; n];
        }
    }

    fn seed_modality(&mut self, at: usize, actions: &ActionSet, own: bool) {
        let system = self.problem.system();
        let n = system.n_states();
        let hyper = system.hyper_musts();
        let diamond = matches!(self.parts[at].operator, Operator::Diamond(..));
        if diamond {
            let targets = |position: usize| if own { hyper.at(position).1.len() as u32 } else { 1 };
            self.parts[at].hyper_open = (0..hyper.len()).map(targets).collect();
        }
        if own {
            // A hyper-must into the empty set is a step whose targets are all marked from the start.
            if diamond {
                let empty =
                    (0..hyper.len()).filter(|&h| hyper.at(h).1.is_empty() && actions.contains(hyper.at(h).0));
                for position in empty.collect::<Vec<_>>() {
                    let source = self.problem.prepared.hyper.source[position];
                    self.mark_now(at, source, (n + position) as u32);
                }
            }
            return;
        }
        let simple = self.problem.prepared.uniform && matches!(actions, ActionSet::All);
        let mut open = Vec::with_capacity(n);
        for state in system.states() {
            let single = if simple {
                system.transitions().range(state).len()
            } else {
                let (labels, _) = system.transitions().row(state);
                labels
                    .iter()
                    .filter(|label| {
                        (if diamond { label.is_must() } else { label.is_may() })
                            && actions.contains(label.action())
                    })
                    .count()
            };
            let sets =
                if diamond { hyper.of(state).filter(|&(a, _)| actions.contains(a)).count() } else { 0 };
            open.push((single + sets) as u32);
        }
        let blocked: Vec<StateId> = system.states().filter(|state| open[state.index()] == 0).collect();
        self.parts[at].open = open;
        blocked.into_iter().for_each(|state| self.mark_now(at, state, NO_MOVE));
    }

    fn seed_cover(&mut self, at: usize) {
        let domain = self.problem.domain();
        let n = self.problem.system().n_states();
        self.parts[at].covered = IdSet::empty(domain.n_concrete());
        match self.sign {
            Sign::Least => {
                self.parts[at].open =
                    StateId::first(n).map(|state| domain.gamma(state).count() as u32).collect();
                let empty: Vec<StateId> = StateId::first(n).filter(|&s| !domain.is_consistent(s)).collect();
                empty.into_iter().for_each(|state| self.mark_now(at, state, NO_MOVE));
            }
            Sign::Greatest => {
                let mut open = vec![0u32; domain.n_concrete()];
                for state in StateId::first(n) {
                    domain.gamma(state).iter().for_each(|c| open[c.index()] += 1);
                }
                self.parts[at].open = open;
            }
        }
    }
}
