//! Checking with ranks: against a slow twin, against concrete systems, and by hand.

mod agreement;
mod by_hand;
mod laws;
mod many;
mod soundness;
mod twin;

use std::sync::Arc;
use tertium_check::{Prepared, Record, Semantics, Settings, check, check_strategy};
use tertium_evidence::{Evidence, Outcome};
use tertium_logic::Formula;
use tertium_support::{Context, Rng};
use tertium_system::{PartialSystem, RankedSteps, StateId, Step};

/// The answer with these ranks, whose evidence was validated.
pub(crate) fn ask(system: &PartialSystem, ranks: &Arc<RankedSteps>, formula: &Formula) -> Outcome {
    ask_by(system, ranks, formula, Semantics::Sis)
}

pub(crate) fn ask_by(
    system: &PartialSystem,
    ranks: &Arc<RankedSteps>,
    formula: &Formula,
    semantics: Semantics,
) -> Outcome {
    let context = Context::default();
    let prepared = Prepared::new(&context, system).expect("no limit").with_ranks(Arc::clone(ranks));
    let bare = check(&context, &prepared, formula, &Settings { semantics, record: Record::Values });
    let outcome = check(&context, &prepared, formula, &Settings { semantics, record: Record::Moves });
    assert_eq!((bare.verdict, &bare.values), (outcome.verdict, &outcome.values), "{formula}\n{system:?}");
    let accept = |strategy, states: &[StateId]| {
        if let Err(flaw) = check_strategy(system, Some(ranks), semantics, strategy, states) {
            panic!("{flaw}: {formula}\n{system:?}\n{strategy:?}");
        }
    };
    match &outcome.evidence {
        Some(Evidence::Proof(proof)) => accept(proof, system.initial()),
        Some(Evidence::Refutation(refutation)) => {
            accept(refutation, &[refutation.position(refutation.roots()[0]).state]);
        }
        _ => {}
    }
    outcome
}

/// All steps that the system may or must take, hyper-musts among them.
pub(crate) fn steps(system: &PartialSystem) -> Vec<Step> {
    let of = |source| {
        let single = system.edges(source).map(move |edge| (source, edge.action, edge.other));
        let hyper = system.hyper_musts().of(source);
        let hyper = hyper
            .flat_map(move |(action, targets)| targets.iter().map(move |&target| (source, action, target)));
        single.chain(hyper).collect::<Vec<_>>()
    };
    let mut steps: Vec<Step> = system.states().flat_map(of).collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}

/// Ranks that fall and grow at random.
pub(crate) fn random_ranks(rng: &mut Rng, system: &PartialSystem, n: usize) -> RankedSteps {
    let mut ranks = RankedSteps::new((0..n).map(|rank| format!("r{rank}")).collect());
    for (source, action, target) in steps(system) {
        let (mut falls, mut may_grow) = (0, 0);
        for rank in 0..n {
            match rng.below(10) {
                0..4 => falls |= 1 << rank,
                4..8 => {}
                _ => may_grow |= 1 << rank,
            }
        }
        if rng.chance(0.95) {
            ranks.set(source, action, target, falls, may_grow);
        }
    }
    ranks
}
