//! Relational abstraction: the system over given abstract states that a relation induces [GHJ01, Def. 6].
//!
//! With γ(b) = {a | a ρ b} for an abstract state b:
//! - b -x->may b' iff some a in γ(b) has a may step with x into γ(b');
//! - b -x->must b' iff every a in γ(b) has a must with x into γ(b');
//! - a label of b is what the labels of γ(b) agree on: their meet in information;
//! - b is initial iff some a in γ(b) is.
//!
//! The input may be abstract itself. A hyper-must of a lies in γ(b') if all its targets do. If no b' holds it, the set
//! of all abstract states of its targets is tried as a hyper-must of b: kept if every member of γ(b) has a must that it
//! covers, and no single must says more. So hyper-musts appear only where the input has some, and the result of a
//! modal transition system is one.
//!
//! Laws (ρ total on both sides): the input refines the result via ρ; if must ⊆ may in the input, so in the result,
//! because no γ(b) is empty; the result has every single must of every system that the input refines via ρ.
//! If the input has a domain, the result has the composed one: b stands for what some a in γ(b) stands for.

use super::{Relation, Side};
use crate::{ActionId, Modality, PartialSystem, StateId, StateSet, SystemBuilder};
use tertium_support::Id;
use tertium_truth::Belnap;

/// A state that the relation leaves out, so that it induces no abstraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotTotal {
    /// Whether the state is one of the system (left) or an abstract one (right).
    pub side: Side,
    /// The state.
    pub state: StateId,
}

/// The abstraction of `system` along `relation`, whose right states are the abstract ones with these names. Panics if
/// the relation is not between the states of `system` and as many states as there are names, or if names repeat.
pub fn abstract_by<N: AsRef<str>>(
    system: &PartialSystem,
    names: &[N],
    relation: &Relation,
) -> Result<PartialSystem, NotTotal> {
    assert_eq!((relation.n_left(), relation.n_right()), (system.n_states(), names.len()));
    for side in [Side::Left, Side::Right] {
        if let Some(state) = relation.first_unrelated(side) {
            return Err(NotTotal { side, state });
        }
    }
    let mut builder = SystemBuilder::named();
    names.iter().for_each(|name| {
        builder.state(name.as_ref());
    });
    assert_eq!(builder.n_states(), names.len(), "abstract states have different names");
    system.actions().names().for_each(|name| {
        builder.action(name);
    });
    let gamma = relation.converse();
    for a in system.states() {
        for (x, next) in system.may(a) {
            for b in relation.image(a).iter() {
                relation.image(next).iter().for_each(|b_next| builder.edge(b, x, b_next, Modality::May));
            }
        }
    }
    for b in StateId::first(names.len()) {
        for x in system.actions().ids() {
            add_musts(system, relation, gamma.image(b), b, x, &mut builder);
        }
    }
    for a in system.initial() {
        relation.image(*a).iter().for_each(|b| builder.initial(b));
    }
    for (prop, name) in system.labels().names().ids().zip(system.labels().names().names()) {
        let new = builder.proposition(name, Belnap::Unknown);
        for b in StateId::first(names.len()) {
            let values = gamma.image(b).iter().map(|a| system.labels().get(prop, a));
            builder.label(b, new, values.reduce(Belnap::meet).expect("the relation is total"));
        }
    }
    if let Some(domain) = system.domain() {
        domain.concrete().names().for_each(|name| {
            builder.concrete(name);
        });
        for b in StateId::first(names.len()) {
            let stands_for = domain.gamma_of(gamma.image(b).iter());
            stands_for.iter().for_each(|c| builder.concretise(b, c));
        }
    }
    Ok(builder.build())
}

/// The musts of `b` with action `x`, where `members` is γ(b).
fn add_musts(
    system: &PartialSystem,
    relation: &Relation,
    members: &StateSet,
    b: StateId,
    x: ActionId,
    builder: &mut SystemBuilder,
) {
    let of = |a: StateId| system.must_sets(a).filter(move |&(y, _)| y == x).map(|(_, targets)| targets);
    let n = relation.n_right();
    let mut common = StateSet::full(n);
    for a in members.iter() {
        let mut inside = StateSet::empty(n);
        for targets in of(a) {
            // The abstract states that stand for all the targets.
            let mut all = StateSet::full(n);
            targets.iter().for_each(|&target| all.intersect_with(relation.image(target)));
            inside.union_with(&all);
        }
        common.intersect_with(&inside);
    }
    common.iter().for_each(|b_next| builder.edge(b, x, b_next, Modality::Must));
    let meets = |ys: &[StateId], xs: &StateSet| ys.iter().all(|&y| !relation.image(y).is_disjoint(xs));
    for targets in members.iter().flat_map(of).filter(|targets| targets.len() != 1) {
        let mut image = StateSet::empty(n);
        targets.iter().for_each(|&target| image.union_with(relation.image(target)));
        let implied = !image.is_disjoint(&common);
        if !implied && members.iter().all(|a| of(a).any(|ys| meets(ys, &image))) {
            builder.hyper_must(b, x, image.iter().collect());
        }
    }
}
