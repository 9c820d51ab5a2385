//! Laws of checking with ranks, on random systems.

use super::agreement::random_question;
use super::{ask, random_ranks, steps, twin};
use std::sync::Arc;
use tertium_check::{Prepared, Semantics, Side, check_strategy, open_lasso, relied_on};
use tertium_evidence::{Evidence, PositionId, Ranking, Strategy};
use tertium_logic::{Formula, FormulaGraph, Node};
use tertium_support::{Context, Id, Rng};
use tertium_system::{PartialSystem, RankedSteps, StateId, Step, ranks_of};
use tertium_testkit::long_random_cases;
use tertium_truth::{Cause, Verdict};

/// The same ranks, and one more of which `change` says whether it falls and whether it may grow.
fn with_another(
    ranks: &RankedSteps,
    system: &PartialSystem,
    mut change: impl FnMut() -> (bool, bool),
) -> RankedSteps {
    let n = ranks.n_ranks();
    let names = (0..n).map(|rank| ranks.name(rank).to_owned()).chain(["another".to_owned()]);
    let mut more = RankedSteps::new(names.collect());
    for (source, action, target) in steps(system) {
        let before = ranks.of(source, action, target);
        let (falls, may_grow) = change();
        let falls = before.falls | u64::from(falls) << n;
        more.set(source, action, target, falls, before.may_grow | u64::from(may_grow) << n);
    }
    more
}

#[test]
fn another_rank_loses_no_verdict_and_one_that_always_may_grow_changes_none() {
    let mut gained = 0;
    let run = long_random_cases(4000, |rng| {
        let (system, formula, ranks) = random_question(rng);
        if system.initial().len() > 1 {
            return;
        }
        let useless = with_another(&ranks, &system, || (false, true));
        let random = with_another(&ranks, &system, || {
            let falls = rng.chance(0.4);
            (falls, !falls && rng.chance(0.3))
        });
        let before = ask(&system, &Arc::new(ranks), &formula);
        let same = ask(&system, &Arc::new(useless), &formula);
        assert_eq!(before.values, same.values, "{formula}\n{system:?}");
        let random = Arc::new(random);
        let after = ask(&system, &random, &formula);
        // Ranks at random can contradict themselves, so that the formula and its negation have proofs. The first counts.
        let negation = ask(&system, &random, &formula.clone().negated());
        if (after.verdict, negation.verdict) == (Verdict::True, Verdict::True) {
            return;
        }
        match before.verdict {
            Verdict::Unknown(Cause::Imprecise) => gained += usize::from(after.is_definite()),
            definite => assert_eq!(definite, after.verdict, "{formula}\n{system:?}"),
        }
    });
    run.enough(gained >= run.share(40), gained);
}

#[test]
fn the_validator_accepts_with_other_ranks_only_what_they_prove() {
    let (mut accepted, mut rejected) = (0, 0);
    let run = long_random_cases(12_000, |rng| {
        let (system, formula, ranks) = random_question(rng);
        let ranks = Arc::new(ranks);
        let (strategy, graph) = match ask(&system, &ranks, &formula).evidence {
            Some(Evidence::Proof(strategy)) => (strategy, FormulaGraph::new(&formula)),
            Some(Evidence::Refutation(strategy)) => (strategy, FormulaGraph::new(&formula).dual()),
            _ => return,
        };
        let Some(ranking) = strategy.ranking().cloned() else { return };
        let state = strategy.position(strategy.roots()[0]).state;
        // Some of what is relied on is not so, in the table of the system and in that of the strategy.
        let relied = relied_on(&strategy, Some(&ranks)).expect("it was accepted");
        assert!(!relied.is_empty(), "a ranking that is there is needed");
        let mut less = (*ranks).clone();
        for _ in 0..rng.between(1, 3) {
            let ((source, action, target), reliance) = *rng.pick(&relied);
            let change = less.of(source, action, target);
            let needed: Vec<usize> = ranks_of(reliance.falls | reliance.stays).collect();
            let rank = 1 << rng.pick(&needed);
            let grows = reliance.stays & rank != 0 || rng.chance(0.5);
            let may_grow = change.may_grow | if grows { rank } else { 0 };
            less.set(source, action, target, change.falls & !rank, may_grow);
        }
        let less = Arc::new(less);
        let same = strategy.clone();
        assert!(
            check_strategy(&system, Some(&less), Semantics::Sis, &same, &[state]).is_err(),
            "a strategy that thinks more of its steps than is known is refused"
        );
        let changed = strategy.with_ranking(Ranking { steps: Arc::clone(&less), ..ranking });
        match check_strategy(&system, Some(&less), Semantics::Sis, &changed, &[state]) {
            Ok(()) => {
                accepted += 1;
                let wins = twin::wins(&system, &less, &graph, state);
                assert_ne!(wins, Some(false), "{formula}\n{system:?}\n{less:?}\n{changed:?}");
            }
            Err(_) => rejected += 1,
        }
    });
    run.enough(accepted.min(rejected) >= run.share(15), (accepted, rejected));
}

#[test]
fn only_what_is_relied_on_has_to_be_right() {
    let mut used = 0;
    let run = long_random_cases(6000, |rng| {
        let (system, formula, ranks) = random_question(rng);
        let ranks = Arc::new(ranks);
        let Some(Evidence::Proof(strategy) | Evidence::Refutation(strategy)) =
            ask(&system, &ranks, &formula).evidence
        else {
            return;
        };
        let relied = relied_on(&strategy, Some(&ranks)).expect("it was accepted");
        assert_eq!(strategy.ranking().is_some(), !relied.is_empty());
        let Some(ranking) = strategy.ranking().cloned() else { return };
        used += 1;
        let mut bare =
            RankedSteps::new((0..ranks.n_ranks()).map(|rank| ranks.name(rank).to_owned()).collect());
        for &((source, action, target), reliance) in &relied {
            bare.set(source, action, target, reliance.falls, ranks.all() & !reliance.falls & !reliance.stays);
        }
        let bare = Arc::new(bare);
        let states: Vec<StateId> =
            strategy.roots().iter().map(|&root| strategy.position(root).state).collect();
        let strategy = strategy.with_ranking(Ranking { steps: Arc::clone(&bare), ..ranking });
        let accepted = check_strategy(&system, Some(&bare), Semantics::Sis, &strategy, &states);
        assert_eq!(accepted, Ok(()), "{formula}\n{system:?}\n{relied:?}");
    });
    run.enough(used >= run.share(200), used);
}

/// Whether a fixpoint can be unfolded to itself without a step.
fn has_unguarded_fixpoint(graph: &FormulaGraph) -> bool {
    let unfolds = |node: &Node| !matches!(node, Node::Diamond(..) | Node::Box(..));
    graph.nodes().any(|(start, node)| {
        let mut seen = vec![false; graph.n_nodes()];
        let mut stack = if unfolds(node) { node.children().to_vec() } else { Vec::new() };
        while let Some(at) = stack.pop() {
            if at == start {
                return true;
            }
            if !std::mem::replace(&mut seen[at.index()], true) && unfolds(graph.node(at)) {
                stack.extend(graph.node(at).children());
            }
        }
        false
    })
}

fn lasso(
    system: &PartialSystem,
    ranks: &Arc<RankedSteps>,
    formula: &Formula,
    side: Side,
    cost: &dyn Fn(Step) -> u64,
) -> Option<tertium_check::OpenLasso> {
    let context = Context::default();
    let prepared = Prepared::new(&context, system).expect("no limit").with_ranks(Arc::clone(ranks));
    open_lasso(&context, &prepared, formula, Semantics::Sis, side, cost).expect("no limit")
}

#[test]
fn an_open_lasso_is_shown_where_another_rank_would_help_and_no_rank_excludes_it() {
    let (mut shown, mut none) = (0, 0);
    let run = long_random_cases(10_000, |rng| {
        let (system, formula, ranks) = random_question(rng);
        let graph = FormulaGraph::new(&formula);
        if system.initial().len() > 1 || has_unguarded_fixpoint(&graph) {
            return;
        }
        let ranks = Arc::new(ranks);
        if ask(&system, &ranks, &formula).verdict != Verdict::Unknown(Cause::Imprecise) {
            return;
        }
        let always_falls = Arc::new(with_another(&ranks, &system, || (true, false)));
        let best = ask(&system, &always_falls, &formula).verdict;
        for (side, won) in [(Side::Proof, Verdict::True), (Side::Refutation, Verdict::False)] {
            let found = lasso(&system, &ranks, &formula, side, &|_| 1);
            let Some(found) = found else {
                assert_ne!(best, won, "{side:?} of {formula}\n{system:?}\n{ranks:?}");
                none += 1;
                continue;
            };
            shown += 1;
            // What both sides would win then, the proof wins first.
            assert!(best == won || best == Verdict::True, "{side:?} of {formula}\n{system:?}\n{found:?}");
            check_lasso(&system, &ranks, &found);
            let again = lasso(&system, &ranks, &formula, side, &|step| {
                if found.cycle.contains(&step) { 100 } else { 1 }
            });
            let again = again.expect("what steps cost changes no answer");
            check_lasso(&system, &ranks, &again);
        }
    });
    run.enough(shown.min(none) >= run.share(200), (shown, none));
}

fn check_lasso(system: &PartialSystem, ranks: &RankedSteps, found: &tertium_check::OpenLasso) {
    let all = steps(system);
    let mut at = found.start;
    for &(source, action, target) in found.stem.iter().chain(&found.cycle) {
        assert_eq!(source, at, "steps are joined: {found:?}");
        assert!(all.contains(&(source, action, target)));
        at = target;
    }
    let home = found.stem.last().map_or(found.start, |&(_, _, target)| target);
    assert!(!found.cycle.is_empty() && at == home, "the cycle comes back: {found:?}");
    let changes = found.cycle.iter().map(|&(source, action, target)| ranks.of(source, action, target));
    let (falls, may_grow) =
        changes.fold((0, 0), |(falls, grow), change| (falls | change.falls, grow | change.may_grow));
    assert_eq!(falls & !may_grow, 0, "no rank excludes it: {found:?}");
    assert!(found.cycle.iter().all(|step| found.component.binary_search(step).is_ok()), "{found:?}");
}

#[test]
fn ranks_that_strategies_do_not_need_are_not_named() {
    let mut named = 0;
    let run = long_random_cases(3000, |rng| {
        let (system, formula, ranks) = random_question(rng);
        // A rank that falls nowhere helps nobody.
        let n = ranks.n_ranks();
        let ranks = Arc::new(with_another(&ranks, &system, || (false, false)));
        let evidence = ask(&system, &ranks, &formula).evidence;
        let strategy: Strategy = match evidence {
            Some(Evidence::Proof(strategy) | Evidence::Refutation(strategy)) => strategy,
            _ => return,
        };
        let Some(ranking) = strategy.ranking() else { return };
        for (node, ranks) in &ranking.uses {
            assert!(strategy.formula().node(*node).priority() % 2 == 1 && !ranks.is_empty());
            assert!(ranks.iter().all(|&rank| rank < n));
            named += 1;
        }
        let claimed = |node| {
            let mut positions = PositionId::first(strategy.n_positions());
            positions.any(|at| strategy.position(at).node == node)
        };
        assert!(ranking.uses.iter().all(|(node, _)| claimed(*node)), "what is named is claimed");
    });
    run.enough(named >= run.share(100), named);
}

#[test]
fn random_ranks_keep_their_invariant() {
    let mut rng = Rng::seeded(3);
    let (system, ..) = random_question(&mut rng);
    let ranks = random_ranks(&mut rng, &system, 3);
    assert!(ranks.steps().iter().all(|(_, change)| change.falls & change.may_grow == 0));
    assert!(ranks.n_steps() <= steps(&system).len());
}
