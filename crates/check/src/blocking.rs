//! What keeps an answer unknown: a may-only transition or an unknown label.
//!
//! A claim is open if it is neither proved nor refuted. From an open claim an open claim or a blocking step can be
//! reached: at a diamond, a may-only transition into where the body is not refuted; at a box, one into where the body
//! is not proved; at a literal, the unknown label itself. (If no open claim had one, the pessimistic and the optimistic
//! game would be the same game among the open claims, and would not differ.) A breadth-first search from the root at
//! an initial state finds one that is near, with the steps that lead to it.

use crate::equations::{EquationId, Equations, Operator};
use crate::necessity::Necessity;
use tertium_evidence::{Blocking, Culprit};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{ActionId, Domain, PartialSystem, StateId, StateSet};

/// The two halves of an answer, for the same equations and their dual.
pub(crate) struct Halves<'a> {
    pub(crate) system: &'a PartialSystem,
    pub(crate) domain: Option<&'a Domain>,
    pub(crate) equations: &'a Equations,
    pub(crate) proved: &'a Necessity,
    pub(crate) refuted: &'a Necessity,
}

type Claim = (EquationId, StateId);

/// The nearest culprit for the root at `start`, which must be open there. `None` only for mixed systems, whose musts
/// outside may can hide it.
pub(crate) fn find(
    context: &Context,
    halves: &Halves<'_>,
    start: StateId,
) -> Result<Option<Blocking>, StopReason> {
    let mut ticker = context.ticker("looking for what is open");
    let n = halves.system.n_states();
    let mut seen: Vec<StateSet> = vec![StateSet::empty(0); halves.equations.len()];
    let mut is_new = |(id, state): Claim| {
        let row = &mut seen[id.index()];
        if row.universe() == 0 {
            *row = StateSet::empty(n);
        }
        row.insert(state)
    };
    let root = (halves.equations.root(), start);
    debug_assert!(halves.is_open(root), "what is neither proved nor refuted is open");
    is_new(root);
    let mut queue = vec![Found { claim: root, parent: 0, by: None }];
    let mut next: Vec<(Claim, Option<ActionId>)> = Vec::new();
    let mut at = 0;
    while at < queue.len() {
        let claim = queue[at].claim;
        next.clear();
        if let Some(culprit) = halves.inspect(claim, &mut next) {
            return Ok(Some(Blocking { start, steps: steps(&queue, at), culprit }));
        }
        ticker.tick(1 + next.len())?;
        for &(child, by) in &next {
            if halves.is_open(child) && is_new(child) {
                queue.push(Found { claim: child, parent: at, by });
            }
        }
        at += 1;
    }
    Ok(None)
}

/// A claim of the search, and where it was found.
struct Found {
    claim: Claim,
    /// The place of the claim that depends on it; the root is its own.
    parent: usize,
    /// The step that leads to it, if one does.
    by: Option<ActionId>,
}

fn steps(queue: &[Found], mut at: usize) -> Vec<(ActionId, StateId)> {
    let mut steps = Vec::new();
    while at != 0 {
        let Found { claim, parent, by } = &queue[at];
        debug_assert!(*parent < at, "a claim is found after the one that depends on it");
        steps.extend(by.map(|action| (action, claim.1)));
        at = *parent;
    }
    steps.reverse();
    steps
}

impl Halves<'_> {
    fn is_proved(&self, (id, state): Claim) -> bool {
        self.proved.contains(id, state)
    }

    fn is_refuted(&self, (id, state): Claim) -> bool {
        self.refuted.contains(id, state)
    }

    fn is_open(&self, claim: Claim) -> bool {
        !self.is_proved(claim) && !self.is_refuted(claim)
    }

    /// The culprit at an open claim, or else the claims it depends on.
    fn inspect(&self, (id, state): Claim, next: &mut Vec<(Claim, Option<ActionId>)>) -> Option<Culprit> {
        match self.equations.operator(id) {
            Operator::Constant(_) => None,
            Operator::Literal { prop: Some(proposition), .. } => {
                Some(Culprit::Label { state, proposition: *proposition })
            }
            Operator::Literal { prop: None, .. } => Some(Culprit::MissingProposition { state }),
            Operator::And(operands) | Operator::Or(operands) => {
                next.extend(operands.iter().map(|&operand| ((operand, state), None)));
                None
            }
            Operator::Fixpoint { body, .. } => {
                next.push(((*body, state), None));
                None
            }
            Operator::Diamond(set, body) | Operator::Box(set, body) => {
                let diamond = matches!(self.equations.operator(id), Operator::Diamond(..));
                let actions = self.equations.actions(*set);
                for edge in self.system.edges(state).filter(|edge| actions.contains(edge.action)) {
                    let claim = (*body, edge.other);
                    let matters = if diamond { !self.is_refuted(claim) } else { !self.is_proved(claim) };
                    if matters && !edge.modality.is_must() {
                        return Some(Culprit::MayOnly {
                            source: state,
                            action: edge.action,
                            target: edge.other,
                        });
                    }
                    next.push((claim, Some(edge.action)));
                }
                for (action, targets) in self.system.hyper_musts().of(state) {
                    if actions.contains(action) {
                        next.extend(targets.iter().map(|&target| ((*body, target), Some(action))));
                    }
                }
                None
            }
            Operator::Cover(body) => {
                let domain = self.domain.expect("covers occur only where a domain is given");
                let near = self
                    .system
                    .states()
                    .filter(|&other| !domain.gamma(other).is_disjoint(domain.gamma(state)));
                next.extend(near.map(|other| ((*body, other), None)));
                None
            }
        }
    }
}
