//! Formulas that tell two states apart: for a pair (p, q) that fell, a Hennessy–Milner formula ψ(p, q) that is
//! necessarily true at q and not at p [HM85, GHJ01].
//!
//! Induction on the round in which the pair fell:
//! - labels: a literal of q that p lacks;
//! - a may step p -x-> p' that no q -x-> q' matches: `[x]` of the disjunction over q' of ψ(p', q'). Every q' satisfies
//!   its own disjunct; p' satisfies none;
//! - a must q -x-> X that no p -x-> Y meets, because some y(Y) in each Y is related to no x' in X: `<x>` of the
//!   disjunction over x' in X of the conjunction over Y of ψ(y(Y), x'). Every x' satisfies its own disjunct; each
//!   y(Y) fails one conjunct of every disjunct, so no Y lies inside.
//!
//! A may step without any match gives `[x] false`, a must without any offer `<x> true`.
//!
//! Formulas are kept small: nodes are shared, each pair has one formula, among several reasons the one with the
//! fewest parts is taken, and a disjunct (conjunct) is left out if the others already hold (fail) where it is needed.
//! Whether a node holds somewhere is evaluated on demand and remembered. The tree can still be exponential in the
//! round, hence the limits.

use super::Rounds;
use super::joint::{JointActions, joint_propositions, value_of};
use crate::{ActionId, PartialSystem, PropId, StateId, UNLABELLED};
use rustc_hash::FxHashMap;
use tertium_logic::{ActionFormula, Formula};
use tertium_support::{Context, Id, Span, StopReason, Ticker, define_id};
use tertium_truth::Belnap;

define_id!(
    /// A node of the shared formulas.
    PsiId
);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Psi {
    /// The proposition at this position of the joint vocabulary, or its negation.
    Literal {
        proposition: usize,
        negated: bool,
    },
    All(Vec<PsiId>),
    Any(Vec<PsiId>),
    Diamond(ActionId, PsiId),
    Box(ActionId, PsiId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Of {
    Left,
    Right,
}

/// Makes distinguishing formulas for pairs of states of two systems.
pub(super) struct Distinguisher<'a> {
    ticker: Ticker<'a>,
    left: &'a PartialSystem,
    right: &'a PartialSystem,
    rounds: &'a Rounds,
    actions: JointActions,
    propositions: Vec<(&'a str, Option<PropId>, Option<PropId>)>,
    nodes: Vec<Psi>,
    ids: FxHashMap<Psi, PsiId>,
    of_pair: FxHashMap<(StateId, StateId), PsiId>,
    holds: FxHashMap<(PsiId, Of, StateId), bool>,
}

impl<'a> Distinguisher<'a> {
    /// What is written here can be read back: the parser allows this much nesting and a little more.
    const MAX_DEPTH: u64 = 240;
    const MAX_SIZE: u64 = 1 << 16;

    pub(super) fn new(
        context: &'a Context,
        left: &'a PartialSystem,
        right: &'a PartialSystem,
        rounds: &'a Rounds,
    ) -> Self {
        Self {
            ticker: context.ticker("distinguish"),
            left,
            right,
            rounds,
            actions: JointActions::new(left, right),
            propositions: joint_propositions(left, right),
            nodes: Vec::new(),
            ids: FxHashMap::default(),
            of_pair: FxHashMap::default(),
            holds: FxHashMap::default(),
        }
    }

    /// A formula that is necessarily true at all of `right`, and not at `p`. All pairs must have fallen.
    pub(super) fn formula(&mut self, p: StateId, right: &[StateId]) -> Result<Option<Formula>, StopReason> {
        let fell = right.iter().map(|&q| self.rounds.fell(p, q).expect("the pair is not related"));
        // The nesting of modalities is the round, and everything below recurses that deep.
        if fell.max().unwrap_or(0) as u64 > Self::MAX_DEPTH {
            return Ok(None);
        }
        let psi = self.separate(&[p], right)?;
        debug_assert!(
            !self.holds(psi, Of::Left, p) && right.iter().all(|&q| self.holds(psi, Of::Right, q)),
            "the formula tells the states apart"
        );
        let (depth, size) = self.measure(psi);
        Ok((depth <= Self::MAX_DEPTH && size <= Self::MAX_SIZE).then(|| self.write(psi)))
    }

    /// A formula that holds at every one of `right` and at none of `left`: a disjunction of conjunctions.
    fn separate(&mut self, left: &[StateId], right: &[StateId]) -> Result<PsiId, StopReason> {
        // The hardest first: its formula often serves the easier ones.
        let mut order = right.to_vec();
        order.sort_by_key(|&q| std::cmp::Reverse(left.iter().map(|&p| self.rounds.fell(p, q)).max()));
        let mut disjuncts: Vec<PsiId> = Vec::new();
        for q in order {
            if disjuncts.iter().any(|&disjunct| self.holds(disjunct, Of::Right, q)) {
                continue;
            }
            let mut conjuncts: Vec<PsiId> = Vec::new();
            for &p in left {
                if conjuncts.iter().all(|&conjunct| self.holds(conjunct, Of::Left, p)) {
                    conjuncts.push(self.of_pair(p, q)?);
                }
            }
            disjuncts.push(self.all(conjuncts));
        }
        let mut at = 0;
        while at < disjuncts.len() {
            let needed = right.iter().any(|&q| {
                !disjuncts.iter().enumerate().any(|(other, &d)| other != at && self.holds(d, Of::Right, q))
            });
            if needed {
                at += 1;
            } else {
                disjuncts.remove(at);
            }
        }
        Ok(self.any(disjuncts))
    }

    /// ψ(p, q).
    fn of_pair(&mut self, p: StateId, q: StateId) -> Result<PsiId, StopReason> {
        if let Some(&psi) = self.of_pair.get(&(p, q)) {
            return Ok(psi);
        }
        self.ticker.tick(1)?;
        let round = self.rounds.fell(p, q).expect("the pair is not related");
        let psi = match self.reason(p, q, round) {
            Reason::Label { proposition, negated } => self.intern(Psi::Literal { proposition, negated }),
            Reason::May { action, p_next, q_next } => {
                let body = self.separate(&[p_next], &q_next)?;
                self.intern(Psi::Box(action, body))
            }
            Reason::Must { action, escapes, targets } => {
                let body = self.separate(&escapes, &targets)?;
                self.intern(Psi::Diamond(action, body))
            }
        };
        self.of_pair.insert((p, q), psi);
        Ok(psi)
    }

    /// Why the pair fell in this round; of several reasons the one with the fewest pairs to tell apart.
    fn reason(&self, p: StateId, q: StateId, round: usize) -> Reason {
        let reason = if round == 0 {
            self.label_reasons(p, q).next()
        } else {
            let may = self.may_reasons(p, q, round);
            may.chain(self.must_reasons(p, q, round)).min_by_key(Reason::parts)
        };
        reason.expect("a pair that fell has a reason")
    }

    fn label_reasons(&self, p: StateId, q: StateId) -> impl Iterator<Item = Reason> + '_ {
        let propositions = self.propositions.iter().enumerate();
        propositions.filter_map(move |(proposition, &(_, in_left, in_right))| {
            let of_p = value_of(self.left.labels(), in_left, p);
            let of_q = value_of(self.right.labels(), in_right, q);
            if of_q.must() && !of_p.must() {
                Some(Reason::Label { proposition, negated: false })
            } else if !of_q.may() && of_p.may() {
                Some(Reason::Label { proposition, negated: true })
            } else {
                None
            }
        })
    }

    fn may_reasons(&self, p: StateId, q: StateId, round: usize) -> impl Iterator<Item = Reason> + '_ {
        self.left.may(p).filter_map(move |(x, p_next)| {
            let action = self.actions.left(x);
            let q_next = self.right.may(q).filter(|&(y, _)| self.actions.right(y) == action);
            let q_next: Vec<StateId> = q_next.map(|(_, q_next)| q_next).collect();
            let unmatched = q_next.iter().all(|&q_next| self.rounds.fell_before(p_next, q_next, round));
            unmatched.then_some(Reason::May { action, p_next, q_next })
        })
    }

    fn must_reasons(&self, p: StateId, q: StateId, round: usize) -> impl Iterator<Item = Reason> + '_ {
        self.right.must_sets(q).filter_map(move |(x, targets)| {
            let action = self.actions.right(x);
            let offers = self.left.must_sets(p).filter(|&(y, _)| self.actions.left(y) == action);
            // One y of each offer that no target covers; the one that is easiest to tell from them.
            let escapes = offers.map(|(_, offer)| {
                let escaping = offer
                    .iter()
                    .copied()
                    .filter(|&y| targets.iter().all(|&target| self.rounds.fell_before(y, target, round)));
                escaping.min_by_key(|&y| targets.iter().map(|&target| self.rounds.fell(y, target)).max())
            });
            let mut escapes: Vec<StateId> = escapes.collect::<Option<_>>()?;
            escapes.sort_unstable();
            escapes.dedup();
            Some(Reason::Must { action, escapes, targets: targets.to_vec() })
        })
    }

    fn intern(&mut self, psi: Psi) -> PsiId {
        if let Some(&id) = self.ids.get(&psi) {
            return id;
        }
        debug_assert_eq!(self.ids.len(), self.nodes.len(), "every node is there once");
        let id = PsiId::new(self.nodes.len());
        self.nodes.push(psi.clone());
        self.ids.insert(psi, id);
        id
    }

    fn all(&mut self, parts: Vec<PsiId>) -> PsiId {
        if let [part] = parts[..] { part } else { self.intern(Psi::All(parts)) }
    }

    fn any(&mut self, parts: Vec<PsiId>) -> PsiId {
        if let [part] = parts[..] { part } else { self.intern(Psi::Any(parts)) }
    }

    /// Whether the node is necessarily true at a state.
    fn holds(&mut self, psi: PsiId, of: Of, state: StateId) -> bool {
        if let Some(&known) = self.holds.get(&(psi, of, state)) {
            return known;
        }
        let system = match of {
            Of::Left => self.left,
            Of::Right => self.right,
        };
        let holds = match self.nodes[psi.index()].clone() {
            Psi::Literal { proposition, negated } => {
                let (_, in_left, in_right) = self.propositions[proposition];
                let prop = if of == Of::Left { in_left } else { in_right };
                let value: Belnap = value_of(system.labels(), prop, state);
                if negated { !value.may() } else { value.must() }
            }
            Psi::All(parts) => parts.into_iter().all(|part| self.holds(part, of, state)),
            Psi::Any(parts) => parts.into_iter().any(|part| self.holds(part, of, state)),
            Psi::Box(action, body) => system
                .may(state)
                .filter(|&(x, _)| self.joint(of, x) == action)
                .collect::<Vec<_>>()
                .into_iter()
                .all(|(_, next)| self.holds(body, of, next)),
            Psi::Diamond(action, body) => system
                .must_sets(state)
                .filter(|&(x, _)| self.joint(of, x) == action)
                .collect::<Vec<_>>()
                .into_iter()
                .any(|(_, targets)| targets.iter().all(|&next| self.holds(body, of, next))),
        };
        self.holds.insert((psi, of, state), holds);
        holds
    }

    fn joint(&self, of: Of, action: ActionId) -> ActionId {
        match of {
            Of::Left => self.actions.left(action),
            Of::Right => self.actions.right(action),
        }
    }

    /// How deep the node nests operators and how many it has, when it is written out.
    fn measure(&self, root: PsiId) -> (u64, u64) {
        // Parts are made before the whole, so one pass in order suffices.
        let mut measures: Vec<(u64, u64)> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes[..=root.index()] {
            let add = |(depth, size): (u64, u64), part: &PsiId| {
                let (part_depth, part_size) = measures[part.index()];
                (depth.max(part_depth + 1), size.saturating_add(part_size))
            };
            measures.push(match node {
                Psi::Literal { .. } => (0, 1),
                Psi::All(parts) | Psi::Any(parts) => parts.iter().fold((0, 1), add),
                Psi::Diamond(_, body) | Psi::Box(_, body) => add((0, 1), body),
            });
        }
        measures[root.index()]
    }

    fn write(&self, psi: PsiId) -> Formula {
        match &self.nodes[psi.index()] {
            &Psi::Literal { proposition, negated } => {
                let literal = Formula::proposition(self.propositions[proposition].0);
                if negated { literal.negated() } else { literal }
            }
            Psi::All(parts) => Formula::all(parts.iter().map(|&part| self.write(part)).collect()),
            Psi::Any(parts) => Formula::any(parts.iter().map(|&part| self.write(part)).collect()),
            &Psi::Diamond(action, body) => Formula::diamond(self.action_formula(action), self.write(body)),
            &Psi::Box(action, body) => Formula::box_(self.action_formula(action), self.write(body)),
        }
    }

    /// The action by its name. The action without a name is written as "none of the others", so that the formula
    /// can be printed and read back.
    fn action_formula(&self, action: ActionId) -> ActionFormula {
        let by_name = |name: &str| ActionFormula::Action(name.to_owned(), Span::default());
        let name = self.actions.names.name(action);
        if name != UNLABELLED {
            return by_name(name);
        }
        let mut others: Vec<_> =
            self.actions.names.names().filter(|&name| name != UNLABELLED).map(by_name).collect();
        match others.len() {
            0 => ActionFormula::True,
            1 => ActionFormula::Not(Box::new(others.remove(0))),
            _ => ActionFormula::Not(Box::new(ActionFormula::Or(others))),
        }
    }
}

/// Why a pair (p, q) is not related.
enum Reason {
    /// A literal of q is none of p.
    Label { proposition: usize, negated: bool },
    /// p has a may step to `p_next`, and none of the may successors `q_next` of q matches it.
    May { action: ActionId, p_next: StateId, q_next: Vec<StateId> },
    /// q has a must into `targets`, and every offer of p has one of the states `escapes`, which no target covers.
    Must { action: ActionId, escapes: Vec<StateId>, targets: Vec<StateId> },
}

impl Reason {
    /// How many pairs have to be told apart.
    fn parts(&self) -> usize {
        match self {
            Reason::Label { .. } => 0,
            Reason::May { q_next, .. } => q_next.len(),
            Reason::Must { escapes, targets, .. } => escapes.len() * targets.len(),
        }
    }
}
