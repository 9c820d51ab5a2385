//! Whether a partial system has a concrete refinement at all, with a reason either way.
//!
//! Decision [Wei09, Thm 5.15 and 5.17]: take the monotone closure N and ask whether every must can be served by a may:
//! for every state a with γ(a) ≠ ∅ and every must of N from a into X there is a may of N with the same action from a
//! to some b with ∅ ≠ γ(b) ⊆ γ(X). If so, the concrete system in which c may do all that α(c) may is a refinement. If
//! not, the offending must gives a labelling under which a formula ◇p is both true and false at a.
//!
//! The theorem is stated for single musts. It holds for hyper-musts word for word: if (a) fails to serve X then no
//! c ∈ γ(a) can step into γ(X), since such a step to d would, by the may rules, be a may of N to α(d), within X. And
//! if all are served, α(c) inherits every demand on c and serves it. Neither argument uses the destination rule for
//! musts, so with hyper-musts we leave that rule, and with it the exponential part of the closure, out of N.
//!
//! A model can also have no refinement because of its labels: one state that stands for c claims p and one claims ¬p.
//! Where labels fit the domain that does not happen.
//!
//! Cost: that of the closure without hyper-musts; linear on the flat domain up to the search in rows.

use super::concrete::{as_state, concrete_builder, label};
use super::dense::{DenseRelations, bare_skeleton};
use super::monotone::{close_may_destinations, close_may_sources, close_must_sources};
use super::{PartialError, Precision, monotone_closure};
use crate::{
    ActionId, ConcreteId, Modality, PartialSystem, PropId, StateId, StateSet, SystemBuilder, UNLABELLED,
};
use std::borrow::Cow;
use tertium_logic::{ActionFormula, Formula};
use tertium_support::{Id, Interner, Span};
use tertium_truth::Belnap;

/// Whether there is a refinement.
#[derive(Clone, Debug)]
pub enum Consistency {
    /// This one: a complete system over the concrete states, under their names.
    Consistent(Box<PartialSystem>),
    /// There is none, for this reason.
    Inconsistent(Contradiction),
}

/// Why there is no refinement.
#[derive(Clone, Debug)]
pub enum Contradiction {
    /// Two states that stand for the same concrete state disagree on a proposition (they may be the same state).
    Label {
        /// What both stand for.
        concrete: ConcreteId,
        /// The proposition.
        proposition: PropId,
        /// The state where it must hold.
        holds: StateId,
        /// The state where it must not.
        fails: StateId,
    },
    /// A must that no may serves.
    Must(Box<MustContradiction>),
}

/// A must that no may serves, with a formula that the system then both proves and refutes.
#[derive(Clone, Debug)]
pub struct MustContradiction {
    /// The source, a state that stands for something. Ids are those of the system asked about.
    pub state: StateId,
    /// The action.
    pub action: ActionId,
    /// The targets; one, unless it is a hyper-must.
    pub targets: Vec<StateId>,
    /// The closed system with a labelling of the proposition `p` that fits the domain.
    pub labelled: PartialSystem,
    /// A formula ◇p. It is inconsistent at `state` in `labelled`.
    pub formula: Formula,
}

/// Decides whether `system` has a concrete refinement.
pub fn consistency(system: &PartialSystem) -> Result<Consistency, PartialError> {
    let order = Precision::of(system)?;
    if let Some(contradiction) = label_contradiction(&order) {
        return Ok(Consistency::Inconsistent(contradiction));
    }
    let closed = closed_for_decision(&order)?;
    Ok(match unserved_must(&order, &closed) {
        None => Consistency::Consistent(Box::new(build_refinement(&order, &closed))),
        Some((state, action, targets)) => {
            let labelled = witness_labelling(&order, &closed, &targets);
            let formula = Formula::diamond(just(system.actions(), action), Formula::proposition("p"));
            let witness = MustContradiction { state, action, targets, labelled, formula };
            Consistency::Inconsistent(Contradiction::Must(Box::new(witness)))
        }
    })
}

/// Whether `system` has a concrete refinement, without the reason.
pub fn is_consistent(system: &PartialSystem) -> Result<bool, PartialError> {
    let order = Precision::of(system)?;
    Ok(label_contradiction(&order).is_none() && {
        let closed = closed_for_decision(&order)?;
        unserved_must(&order, &closed).is_none()
    })
}

fn label_contradiction(order: &Precision) -> Option<Contradiction> {
    let system = order.system();
    let labels = system.labels();
    labels.names().ids().find_map(|proposition| {
        let (must, must_not) = (labels.must(proposition), labels.may(proposition).complement());
        let clash = |concrete: ConcreteId, holds: StateId, fails: StateId| Contradiction::Label {
            concrete,
            proposition,
            holds,
            fails,
        };
        let Some(domain) = order.domain() else {
            let state = must.intersection(&must_not).iter().next()?;
            return Some(clash(ConcreteId::new(state.index()), state, state));
        };
        let both = domain.gamma_of(must.iter()).intersection(&domain.gamma_of(must_not.iter()));
        let concrete = both.iter().next()?;
        let claims = |set: &StateSet| domain.abstractions(concrete).find(|&s| set.contains(s));
        Some(clash(concrete, claims(must)?, claims(&must_not)?))
    })
}

/// The monotone closure as far as the decision needs it.
fn closed_for_decision<'a>(order: &Precision<'a>) -> Result<Cow<'a, PartialSystem>, PartialError> {
    let system = order.system();
    if order.domain().is_none() {
        return Ok(Cow::Borrowed(system));
    }
    if system.hyper_musts().is_empty() {
        return monotone_closure(system).map(Cow::Owned);
    }
    let mut relations = DenseRelations::of(system);
    close_may_destinations(order, &mut relations);
    close_may_sources(order, &mut relations);
    close_must_sources(order, &mut relations);
    Ok(Cow::Owned(relations.into_system(system)))
}

/// The first must from a state that stands for something which no may of that state serves.
fn unserved_must(order: &Precision, closed: &PartialSystem) -> Option<(StateId, ActionId, Vec<StateId>)> {
    closed.states().filter(|&a| order.is_consistent(a)).find_map(|a| {
        let served = |action: ActionId, targets: &[StateId]| {
            // The usual case first, found by search in the row: one of the targets itself is a may.
            let directly = |&b: &StateId| {
                order.is_consistent(b)
                    && closed.transitions().find(a, action, b).is_some_and(Modality::is_may)
            };
            targets.iter().any(directly)
                || closed.may(a).any(|(other, b)| {
                    other == action && order.is_consistent(b) && order.is_within(b, targets)
                })
        };
        let unserved = closed.must_sets(a).find(|&(action, targets)| !served(action, targets));
        unserved.map(|(action, targets)| (a, action, targets.to_vec()))
    })
}

/// The concrete system in which c may do all that α(c) may.
fn build_refinement(order: &Precision, closed: &PartialSystem) -> PartialSystem {
    let system = order.system();
    let initial: Vec<ConcreteId> = system.initial().iter().flat_map(|&s| order.gamma(s)).collect();
    let names: Interner<ConcreteId> = match order.domain() {
        Some(domain) => domain.concrete().clone(),
        None => system.states().map(|s| system.state_name(s).into_owned()).collect(),
    };
    let mut builder = concrete_builder(&names, system.actions(), &initial);
    for c in names.ids() {
        for (action, b) in closed.may(order.best(c)) {
            for d in order.gamma(b) {
                builder.edge(as_state(c), action, as_state(d), Modality::Both);
            }
        }
    }
    let must = |p: PropId| -> Vec<bool> {
        let mut holds = vec![false; order.n_concrete()];
        let claimed = system.labels().must(p).iter().flat_map(|s| order.gamma(s));
        claimed.for_each(|c| holds[c.index()] = true);
        holds
    };
    let holds: Vec<Vec<bool>> = system.labels().names().ids().map(must).collect();
    label(&mut builder, system.labels(), order.n_concrete(), |p, c| holds[p.index()][c.index()]);
    let refinement = builder.build();
    debug_assert!(refinement.is_complete(), "a concrete system leaves nothing open");
    refinement
}

/// `closed` with a proposition `p` that is true within the targets, open at states that a state within them refines,
/// and false elsewhere. States that stand for nothing carry both literals, as everything vaguer is inherited.
fn witness_labelling(order: &Precision, closed: &PartialSystem, targets: &[StateId]) -> PartialSystem {
    let mut builder = bare_skeleton(closed);
    copy_transitions(&mut builder, closed);
    let n = closed.n_states();
    let within = StateSet::filter(n, |s| order.is_consistent(s) && order.is_within(s, targets));
    debug_assert!(
        targets.iter().all(|&target| within.contains(target) || !order.is_consistent(target)),
        "targets that stand for something are within the targets"
    );
    let p = builder.proposition("p", Belnap::Unknown);
    for state in closed.states() {
        let value = if !order.is_consistent(state) {
            Belnap::Inconsistent
        } else if within.contains(state) {
            Belnap::True
        } else if order.finer(state).iter().any(|&t| within.contains(t)) {
            Belnap::Unknown
        } else {
            Belnap::False
        };
        builder.label(state, p, value);
    }
    builder.build()
}

fn copy_transitions(builder: &mut SystemBuilder, system: &PartialSystem) {
    for state in system.states() {
        for edge in system.edges(state) {
            builder.edge(state, edge.action, edge.other, edge.modality);
        }
        for (action, targets) in system.hyper_musts().of(state) {
            builder.hyper_must(state, action, targets.to_vec());
        }
    }
}

/// The action formula of one action: all actions, where there is no other and it has no name.
fn just(actions: &Interner<ActionId>, action: ActionId) -> ActionFormula {
    match actions.name(action) {
        UNLABELLED if actions.len() == 1 => ActionFormula::True,
        name => ActionFormula::Action(name.to_owned(), Span::default()),
    }
}
