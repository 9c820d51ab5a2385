//! What keeps an answer unknown: a may-only transition or an unknown label.
//!
//! A claim is open if it is neither proved nor refuted. From an open claim an open claim or a blocking step can be
//! reached: at a diamond, a may-only transition into where the body is not refuted; at a box, one into where the body
//! is not proved; at a literal, the unknown label itself. (If no open claim had one, the pessimistic and the optimistic
//! game would be the same game among the open claims, and would not differ.) A breadth-first search from the root at
//! an initial state finds one that is near, with the steps that lead to it.

use crate::equations::{EquationId, Equations, Operator};
use crate::necessity::Necessity;
use rustc_hash::FxHashMap;
use tertium_support::Id;
use tertium_system::{ActionId, Domain, PartialSystem, PropId, StateId};

/// Why the answer is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// Whether this transition exists is not known.
    MayOnly {
        /// Its source.
        source: StateId,
        /// Its action.
        action: ActionId,
        /// Its target.
        target: StateId,
    },
    /// Whether this proposition holds at this state is not known.
    Label {
        /// The state.
        state: StateId,
        /// The proposition.
        proposition: PropId,
    },
    /// The system does not have a proposition of the formula, so its value is not known anywhere.
    MissingProposition {
        /// The state where it mattered.
        state: StateId,
    },
}

/// A culprit, and how an initial state leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocking {
    /// The initial state.
    pub start: StateId,
    /// Steps from there to the state of the culprit.
    pub steps: Vec<(ActionId, StateId)>,
    /// What blocks.
    pub culprit: Culprit,
}

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
pub(crate) fn find(halves: &Halves<'_>, start: StateId) -> Option<Blocking> {
    let root = (halves.equations.root(), start);
    let mut parent: FxHashMap<Claim, Option<(Claim, Option<ActionId>)>> = FxHashMap::default();
    parent.insert(root, None);
    let mut queue = vec![root];
    let mut at = 0;
    while at < queue.len() {
        let claim = queue[at];
        at += 1;
        let mut next: Vec<(Claim, Option<ActionId>)> = Vec::new();
        if let Some(culprit) = halves.inspect(claim, &mut next) {
            return Some(Blocking { start, steps: steps(&parent, claim), culprit });
        }
        for (child, action) in next {
            if halves.is_open(child) && !parent.contains_key(&child) {
                parent.insert(child, Some((claim, action)));
                queue.push(child);
            }
        }
    }
    None
}

fn steps(
    parent: &FxHashMap<Claim, Option<(Claim, Option<ActionId>)>>,
    mut claim: Claim,
) -> Vec<(ActionId, StateId)> {
    let mut steps = Vec::new();
    while let Some((before, action)) = parent[&claim] {
        if let Some(action) = action {
            steps.push((action, claim.1));
        }
        claim = before;
    }
    steps.reverse();
    steps
}

impl Halves<'_> {
    fn is_proved(&self, (id, state): Claim) -> bool {
        self.proved.holds[id.index()].contains(state)
    }

    fn is_refuted(&self, (id, state): Claim) -> bool {
        self.refuted.holds[id.index()].contains(state)
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
