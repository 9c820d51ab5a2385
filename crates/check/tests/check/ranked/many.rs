//! Many ranks, and large components.

use super::ask;
use super::by_hand::{formula, proof, step, system};
use std::sync::Arc;
use tertium_check::{Prepared, Settings, check};
use tertium_support::Context;
use tertium_system::Modality::May;
use tertium_system::{PartialSystem, RankedSteps};
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
