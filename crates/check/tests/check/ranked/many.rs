//! Many ranks, and large components and systems.

use super::by_hand::{formula, proof, step, system};
use super::{ask, random_ranks};
use std::sync::Arc;
use tertium_check::{Prepared, Settings, check};
use tertium_support::Context;
use tertium_system::Modality::May;
use tertium_system::{PartialSystem, RankedSteps};
use tertium_testkit::{SystemShape, long_random_cases, random_system};
use tertium_truth::Verdict;

/// k loops inside each other: rank i falls on the way into loop i and may grow on the way out of it; done behind the outermost.
fn loops(k: usize) -> (PartialSystem, Arc<RankedSteps>) {
    let mut steps = vec![(0, k, May)];
    let mut changes = Vec::new();
    for at in 0..k {
        let inner = if at + 1 < k { at + 1 } else { at };
        steps.push((at, inner, May));
        changes.push((at, inner, 1 << at, u64::MAX.checked_shl(at as u32 + 1).unwrap_or(0)));
        if at > 0 {
            steps.push((at, at - 1, May));
            changes.push((at, at - 1, 0, 0));
        }
    }
    let names: Vec<String> = (0..k).map(|at| format!("r{at}")).collect();
    let all = if k == 64 { u64::MAX } else { (1 << k) - 1 };
    let mut ranks = RankedSteps::new(names);
    for (from, to, falls, may_grow) in changes {
        let (source, action, target) = step(from, to);
        ranks.set(source, action, target, falls, may_grow & all);
    }
    (system(k + 1, &steps), Arc::new(ranks))
}

#[test]
fn up_to_sixty_four_loops_inside_each_other_are_ranked() {
    for k in [1, 2, 3, 8, 63, 64] {
        let (system, ranks) = loops(k);
        let proof = proof(&system, &ranks, "AF done");
        let uses = &proof.ranking().expect("it relies on ranks").uses;
        assert_eq!(uses[0].1, (0..k).collect::<Vec<_>>());
        assert!(ask(&system, &ranks, &formula("EG !done")).is_definite());
    }
}

/// What it costs to prove that a loop of n states, with as many ways to cut it short, is left.
fn cost(n: usize, formula_text: &str) -> u64 {
    let mut steps = vec![(n - 1, 0, May), (0, n, May)];
    steps.extend((1..n).flat_map(|at| [(at - 1, at, May), (at, 0, May)]));
    let system = system(n + 1, &steps);
    let mut ranks = RankedSteps::new(vec!["x".into(), "y".into()]);
    for &(from, to, _) in &steps {
        let (source, action, target) = step(from, to);
        ranks.set(source, action, target, u64::from(to == 0), u64::from(to == 1) << 1);
    }
    let context = Context::default();
    let prepared = Prepared::new(&context, &system).expect("no limit").with_ranks(Arc::new(ranks));
    let settings = Settings::default();
    let outcome = check(&context, &prepared, &formula(formula_text), &settings);
    assert_eq!(outcome.verdict, Verdict::True);
    context.spent()
}

#[test]
fn the_cost_of_a_large_component_is_linear() {
    for text in ["AF done", "AG AF done"] {
        let (small, large) = (cost(2000, text), cost(20_000, text));
        assert!(large < 12 * small, "{text}: {small}, {large}");
    }
}

#[test]
fn larger_systems_with_more_ranks_have_evidence_and_their_order_does_not_matter() {
    let texts = [
        "AF p",
        "AG AF p",
        "AG EF p",
        "E[q U p]",
        "nu X. mu Y. (p && <>X) || <>Y",
        "mu X. nu Y. mu Z. <>X || ([a]Y && [b]Z)",
        "mu X. nu Y. mu Z. (<a>X || q) && ([b]Y || p || <>Z)",
    ];
    let mut decided = 0;
    let run = long_random_cases(3000, |rng| {
        let n = rng.between(10, 40);
        let shape = SystemShape { degree: 1.6, unknown: 0.1, inconsistent: 0.0, ..SystemShape::gkmts(n) };
        let system = random_system(rng, shape);
        let formula = formula(texts[rng.below(texts.len())]);
        let n_ranks = rng.between(2, 8);
        let ranks = random_ranks(rng, &system, n_ranks);
        let mut order: Vec<usize> = (0..n_ranks).collect();
        rng.shuffle(&mut order);
        let mut shuffled = RankedSteps::new(order.iter().map(|rank| format!("r{rank}")).collect());
        for ((source, action, target), change) in ranks.steps() {
            let moved = |set: u64| (0..n_ranks).fold(0, |all, at| all | (set >> order[at] & 1) << at);
            shuffled.set(source, action, target, moved(change.falls), moved(change.may_grow));
        }
        let without = ask(&system, &Arc::new(RankedSteps::new(Vec::new())), &formula);
        let found = ask(&system, &Arc::new(ranks), &formula);
        assert_eq!(ask(&system, &Arc::new(shuffled), &formula).values, found.values, "{formula}");
        decided += usize::from(found.verdict != without.verdict);
    });
    run.enough(decided >= run.share(100), decided);
}
