//! Whether a concrete system refines a partial one through its domain: the definition, read off clause by clause.
//!
//! A concrete system B refines M when for every concrete state c and every state a that stands for it
//! - *labels*: every literal of a holds at c;
//! - *may*: every step of c goes to some d that a may successor of a stands for;
//! - *must*: for every must of a into X, c has a step to some d with d ∈ γ(X).
//!
//! Only the given relation is checked, not the greatest one [Wei09, Def. 2.12]. Labels point from the abstract state to
//! the concrete one.

use super::ConcreteBts;
use crate::{ActionId, ConcreteId, PartialSystem, PropId, StateId};

/// What a concrete state owes to a state that stands for it, and does not give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefinementClause {
    /// The proposition has another value than the one claimed.
    Label(PropId),
    /// This step is not permitted.
    May(ActionId, ConcreteId),
    /// No step goes into what these states stand for.
    Must(ActionId, Vec<StateId>),
}

/// Why a concrete system does not refine a partial one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefinementViolation {
    /// The concrete state.
    pub concrete: ConcreteId,
    /// The state that stands for it.
    pub state: StateId,
    /// What is violated.
    pub clause: RefinementClause,
}

impl RefinementViolation {
    /// The violation in words, with the names of `system`, the partial system.
    pub fn describe(&self, system: &PartialSystem) -> String {
        let domain = system.domain_or_flat();
        let concrete = |c: ConcreteId| domain.concrete().name(c);
        let (c, a) = (concrete(self.concrete), system.state_name(self.state));
        match &self.clause {
            RefinementClause::Label(p) => {
                format!("`{}` has another value at `{c}` than at `{a}`", system.labels().names().name(*p))
            }
            RefinementClause::May(_, d) => {
                format!("the step from `{c}` to `{}` is not one that `{a}` permits", concrete(*d))
            }
            RefinementClause::Must(_, targets) => {
                let names: Vec<_> = targets.iter().map(|&t| format!("`{}`", system.state_name(t))).collect();
                format!("`{c}` has no step into {} as `{a}` demands", names.join(" or "))
            }
        }
    }
}

/// The first violation, or `None` if `concrete` refines `system`.
pub fn refinement_violation(concrete: &ConcreteBts, system: &PartialSystem) -> Option<RefinementViolation> {
    let domain = system.domain_or_flat();
    system.states().find_map(|state| {
        domain.gamma(state).iter().find_map(|c| {
            let label = label_violation(concrete, system, c, state);
            let clause = label
                .or_else(|| {
                    system.actions().ids().find_map(|action| {
                        let targets = system.may(state).filter(|&(a, _)| a == action).map(|(_, t)| t);
                        let allowed = domain.gamma_of(targets);
                        let stray = concrete.successors(c, action).iter().find(|&d| !allowed.contains(d));
                        stray.map(|d| RefinementClause::May(action, d))
                    })
                })
                .or_else(|| {
                    let unmet = system.must_sets(state).find(|(action, targets)| {
                        let demanded = domain.gamma_of(targets.iter().copied());
                        concrete.successors(c, *action).is_disjoint(&demanded)
                    });
                    unmet.map(|(action, targets)| RefinementClause::Must(action, targets.to_vec()))
                })?;
            Some(RefinementViolation { concrete: c, state, clause })
        })
    })
}

fn label_violation(
    concrete: &ConcreteBts,
    system: &PartialSystem,
    c: ConcreteId,
    state: StateId,
) -> Option<RefinementClause> {
    let violated = |&p: &PropId| {
        let value = system.labels().get(p, state);
        let holds = concrete.holds(p).contains(c);
        (value.must() && !holds) || (!value.may() && holds)
    };
    system.labels().names().ids().find(violated).map(RefinementClause::Label)
}
