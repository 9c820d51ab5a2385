//! Reduced inductive semantics, evaluated directly: the oracle, and the orders in which labellings are compared.
//!
//! A labelling ⟨U, O⟩ says of the concrete states in γ(U) that the formula holds, of those in γ(S∖O) that it fails.
//! Many labellings say the same. The reduction operator gives the one among them that decides most states [Wei09, §5.6]:
//!
//! ```text
//! RED_U(U) = {s | γ(s) ⊆ γ(U)}        RED_O(O) = {s | γ(s) ⊄ γ(S∖O)}
//! ```
//!
//! Reduced semantics is standard semantics with the operator applied before and after every modality. It is sound, at
//! least as precise as standard semantics, and at most as precise as thorough semantics. A state that stands for
//! nothing is in every RED_U and in no RED_O.
//!
//! On *monotone* labellings (more precise states know more) it is enough to look at best abstractions: `reduce_monotone`.
//!
//! Cost: that of the naive evaluation, times |S| · |C| at every modality. `check` is the fast one.

use crate::naive::{Labelling, evaluate_with};
use tertium_logic::Formula;
use tertium_support::{Context, StopReason};
use tertium_system::partial::Precision;
use tertium_system::{Domain, PartialSystem, StateSet};

/// The value of a closed formula at every state, by reduced inductive semantics over the domain of `system`; without
/// a domain it is the same as standard semantics.
pub fn evaluate_reduced(system: &PartialSystem, formula: &Formula) -> Labelling {
    evaluate_reduced_within(&Context::default(), system, formula).expect("there is no limit")
}

/// The same under limits.
pub(crate) fn evaluate_reduced_within(
    context: &Context,
    system: &PartialSystem,
    formula: &Formula,
) -> Result<Labelling, StopReason> {
    match system.domain() {
        // On the flat domain the operator changes nothing.
        None => evaluate_with(context, system, formula, |_, labelling| labelling),
        Some(domain) => evaluate_with(context, system, formula, |_, labelling| reduce(domain, &labelling)),
    }
}

/// The reduction operator RED: the labelling that decides most states among those that say the same.
pub fn reduce(domain: &Domain, labelling: &Labelling) -> Labelling {
    Labelling { must: reduce_must(domain, &labelling.must), may: reduce_may(domain, &labelling.may) }
}

/// RED_U: the states within `must`.
pub fn reduce_must(domain: &Domain, must: &StateSet) -> StateSet {
    let meaning = domain.gamma_of(must.iter());
    let reduced = StateSet::filter(must.universe(), |s| domain.gamma(s).is_subset(&meaning));
    debug_assert!(must.is_subset(&reduced), "the reduction decides no fewer states");
    reduced
}

/// RED_O: the states not within the complement of `may`.
pub fn reduce_may(domain: &Domain, may: &StateSet) -> StateSet {
    reduce_must(domain, &may.complement()).complement()
}

/// The operator red: the same as [`reduce`] on monotone labellings, found from the best abstractions alone.
pub fn reduce_monotone(order: &Precision, labelling: &Labelling) -> Labelling {
    let best = order.best_states();
    let within = |set: &StateSet| {
        StateSet::filter(set.universe(), |s| {
            order.finer(s).iter().filter(|&&t| best.contains(t)).all(|&t| set.contains(t))
        })
    };
    Labelling { must: within(&labelling.must), may: within(&labelling.may.complement()).complement() }
}

/// Whether more precise states know more: s ⪯ t and a proof (a refutation) at s give one at t.
pub fn is_monotone_labelling(order: &Precision, labelling: &Labelling) -> bool {
    let known_to_finer = |set: &StateSet| set.iter().all(|s| order.finer(s).iter().all(|&t| set.contains(t)));
    known_to_finer(&labelling.must) && known_to_finer(&labelling.may.complement())
}

/// Whether `b` decides every state that `a` decides, in the same way.
pub fn info_le(a: &Labelling, b: &Labelling) -> bool {
    a.must.is_subset(&b.must) && b.may.is_subset(&a.may)
}

/// Whether `b`, over the domain `b_domain`, says of every concrete state at least what `a` says over `a_domain`. The
/// two domains share their concrete states; the states may differ.
pub fn semantic_le(a_domain: &Domain, a: &Labelling, b_domain: &Domain, b: &Labelling) -> bool {
    debug_assert_eq!(a_domain.n_concrete(), b_domain.n_concrete(), "the concrete states are shared");
    let says = |domain: &Domain, set: &StateSet| domain.gamma_of(set.iter());
    says(a_domain, &a.must).is_subset(&says(b_domain, &b.must))
        && says(a_domain, &a.may.complement()).is_subset(&says(b_domain, &b.may.complement()))
}
