//! Reachability, invariants, lengths of paths and fair lassos on symbolic systems, against explicit twins.

use crate::symbolic_oracle::{
    Case, Explicit, Set, Shape, assert_fair_loop, contains, number, random_case, replay,
};
use tertium_check::symbolic::SymbolicTrace;
use tertium_check::symbolic::{
    Fairness, Options, Quantity, Refusal, Search, SymbolicAssumption, SymbolicChecker, SymbolicError,
    SymbolicEvidence, fair_hull, fair_lasso,
};
use tertium_logic::{ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier};
use tertium_support::{Cancel, Context, Limits, Rng, StopReason};
use tertium_testkit::{FormulaShape, random_cases, random_formula};
use tertium_truth::Verdict;

const PLAIN: Shape = Shape { justice: 0, compassion: 0, deadlocks: true };

fn boolean(rng: &mut Rng) -> Formula {
    let shape =
        FormulaShape { actions: Vec::new(), depth: 2, fixpoints: 0, ctl: false, ..FormulaShape::default() };
    loop {
        let formula = random_formula(rng, &shape);
        if formula.preorder().all(|part| !matches!(part.kind, FormulaKind::Modal(..))) {
            return formula;
        }
    }
}

fn search(rng: &mut Rng) -> Search {
    if rng.chance(0.5) { Search::Layers } else { Search::Saturated }
}

fn meet(a: &Set, b: &Set) -> Set {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

fn not(explicit: &Explicit, set: &Set) -> Set {
    meet(&explicit.valid, &set.iter().map(|member| !member).collect())
}

#[test]
fn layers_are_the_distances() {
    random_cases(300, |rng| {
        let Case { explicit, model } = random_case(rng, PLAIN);
        let context = Context::default();
        let distances = explicit.distances(&explicit.init);
        let layered = Options { search: Search::Layers, ..Options::default() };
        let mut checker = SymbolicChecker::new(&context, &model, layered);
        let reachable = checker.reachable().unwrap().clone();
        assert!(reachable.complete);
        assert_eq!(reachable.depth, distances.iter().flatten().max().copied().unwrap_or(0));
        for (s, distance) in distances.iter().enumerate() {
            assert_eq!(contains(&model, &reachable.states, s), distance.is_some());
            let layers: Vec<usize> =
                (0..reachable.layers.len()).filter(|&k| contains(&model, &reachable.layers[k], s)).collect();
            assert_eq!(layers, distance.iter().copied().collect::<Vec<_>>());
        }
        let saturated = Options { search: Search::Saturated, ..Options::default() };
        let mut saturated = SymbolicChecker::new(&context, &model, saturated);
        assert_eq!(saturated.reachable().unwrap().states, reachable.states);
        let n_reachable = distances.iter().flatten().count() as u64;
        assert_eq!(checker.statistics().get("reachable states"), Some(n_reachable));
    });
}

#[test]
fn a_relation_made_smaller_keeps_the_steps_that_matter() {
    random_cases(300, |rng| {
        let Case { model, .. } = random_case(rng, PLAIN);
        let care = &model.propositions["p"];
        let small = model.relation.within(care).unwrap();
        let from = care.and(&model.propositions["q"]).unwrap();
        let to = &model.propositions["r"];
        assert_eq!(small.image(&from).unwrap(), model.relation.image(&from).unwrap());
        let before = |relation: &tertium_dd::Relation| relation.preimage(to, care).unwrap();
        assert_eq!(before(&small), before(&model.relation));
        assert_eq!(small.steps(&from, to).unwrap(), model.relation.steps(&from, to).unwrap());
    });
}

#[test]
fn an_invariant_fails_by_a_shortest_path() {
    random_cases(600, |rng| {
        let shape = Shape { justice: rng.below(2), ..PLAIN };
        let case = random_case(rng, shape);
        let Case { explicit, model } = &case;
        let context = Context::default();
        let options = Options { search: search(rng), reachable_first: rng.chance(0.5), ..Options::default() };
        let mut checker = SymbolicChecker::new(&context, model, options);
        let distances = explicit.distances(&explicit.init);
        for _ in 0..3 {
            let formula = boolean(rng);
            let bad = not(explicit, &explicit.evaluate(&formula));
            let nearest = (0..explicit.n_states).filter(|&s| bad[s]).filter_map(|s| distances[s]).min();
            let outcome = checker.check_invariant(&formula).unwrap();
            assert_eq!(outcome.verdict == Verdict::True, nearest.is_none());
            match (outcome.evidence, nearest) {
                (None, None) => {}
                (Some(SymbolicEvidence::Trace(trace)), Some(distance)) => {
                    let states = replay(&case, &trace);
                    assert!(explicit.init[states[0]] && bad[*states.last().unwrap()]);
                    assert_eq!(states.len() - 1, distance);
                }
                other => panic!("{other:?}"),
            }
        }
    });
}

/// What a search that was stopped says about short runs, by layers and by saturation, with justice and without. The nodes end at a random
/// place, so that the search for a violation does, or what comes after it.
#[test]
fn no_violation_is_nearer_than_a_stopped_search_says() {
    let (mut n_layered, mut n_saturated, mut n_violated) = (0, 0, 0);
    let run = random_cases(6000, |rng| {
        let shape = Shape { justice: rng.below(2), ..PLAIN };
        let Case { explicit, model } = random_case(rng, shape);
        let context = Context::default();
        let options = Options { search: search(rng), ..Options::default() };
        let mut checker = SymbolicChecker::new(&context, &model, options);
        let body = boolean(rng);
        let bad = not(&explicit, &explicit.evaluate(&body));
        let distances = explicit.distances(&explicit.init);
        let nearest = (0..explicit.n_states).filter(|&s| bad[s]).filter_map(|s| distances[s]).min();
        let always = PathOperator::Globally(Box::new(body.clone()));
        let claim = Formula::from(FormulaKind::Path(PathQuantifier::All, always));
        model.manager.collect();
        model.manager.set_node_limit(model.manager.n_nodes() + rng.below(30));
        let stopped = if rng.chance(0.5) {
            checker.check_invariant(&body).is_err()
        } else {
            checker.check_ctl(&claim).is_err()
        };
        let depth = checker.clear_depth();
        assert!(stopped || depth.is_none(), "an answer needs no depth");
        if let Some(depth) = depth {
            assert!(nearest.is_none_or(|nearest| depth < nearest), "{depth} {nearest:?}");
            *if options.search == Search::Layers { &mut n_layered } else { &mut n_saturated } += 1;
            n_violated += usize::from(nearest.is_some());
        }
    });
    let met = (n_layered, n_saturated, n_violated);
    run.enough(met.0.min(met.1).min(met.2) >= run.share(100), met);
}

#[test]
fn an_invariant_may_be_temporal() {
    random_cases(200, |rng| {
        let shape = Shape { justice: rng.below(2), ..PLAIN };
        let case = random_case(rng, shape);
        let Case { explicit, model } = &case;
        let context = Context::default();
        let options = Options { reachable_first: rng.chance(0.5), ..Options::default() };
        let mut checker = SymbolicChecker::new(&context, model, options);
        let formula = Formula::from(FormulaKind::Path(
            PathQuantifier::Some,
            PathOperator::Globally(Box::new(boolean(rng))),
        ));
        let good = explicit.evaluate(&formula);
        let reachable = explicit.reachable();
        let holds = (0..explicit.n_states).all(|s| !reachable[s] || good[s]);
        let outcome = checker.check_invariant(&formula).unwrap();
        assert_eq!(outcome.verdict == Verdict::True, holds);
        if let Some(SymbolicEvidence::Trace(trace)) = outcome.evidence {
            assert!(!good[*replay(&case, &trace).last().unwrap()]);
        }
    });
}

/// The longest path to `goal` from a state, `goal` only at its end; `None` if there is none, an error if it can be avoided for
/// ever. By recursion on paths.
fn longest(explicit: &Explicit, goal: &Set, s: usize, on_path: &mut Set) -> Result<Option<u64>, ()> {
    if goal[s] {
        return Ok(Some(0));
    }
    if on_path[s] {
        return Err(());
    }
    on_path[s] = true;
    let mut best = None;
    for &(_, _, t) in explicit.edges.iter().filter(|edge| edge.0 == s) {
        let below = longest(explicit, goal, t, on_path)?;
        best = best.max(below.map(|steps| steps + 1));
    }
    on_path[s] = false;
    Ok(best)
}

#[test]
fn lengths_of_paths_agree_with_enumeration() {
    let mut seen = [0; 6];
    let run = random_cases(800, |rng| {
        let Case { explicit, model } = random_case(rng, PLAIN);
        let context = Context::default();
        let options = Options { search: search(rng), reachable_first: rng.chance(0.5), ..Options::default() };
        let mut checker = SymbolicChecker::new(&context, &model, options);
        let (from, goal) = (boolean(rng), boolean(rng));
        let start = meet(&explicit.evaluate(&from), &explicit.reachable());
        let target = explicit.evaluate(&goal);

        let distances = explicit.distances(&start);
        let nearest = (0..explicit.n_states).filter(|&s| target[s]).filter_map(|s| distances[s]).min();
        let minimum = match nearest {
            _ if !start.contains(&true) => Quantity::Undefined,
            None => Quantity::Infinite,
            Some(steps) => Quantity::Finite(steps as u64),
        };
        assert_eq!(checker.compute_minimum(&from, &goal).unwrap().quantity, minimum);

        let mut maximum = Quantity::Undefined;
        for s in (0..explicit.n_states).filter(|&s| start[s]) {
            let here = longest(&explicit, &target, s, &mut vec![false; explicit.n_states]);
            maximum = match (maximum, here) {
                (_, Err(())) | (Quantity::Infinite, _) => Quantity::Infinite,
                (before, Ok(None)) => before,
                (Quantity::Finite(before), Ok(Some(steps))) => Quantity::Finite(before.max(steps)),
                (Quantity::Undefined, Ok(Some(steps))) => Quantity::Finite(steps),
            };
        }
        assert_eq!(checker.compute_maximum(&from, &goal).unwrap().quantity, maximum);
        for (offset, quantity) in [(0, minimum), (3, maximum)] {
            let kind = match quantity {
                Quantity::Finite(_) => 0,
                Quantity::Infinite => 1,
                Quantity::Undefined => 2,
            };
            seen[offset + kind] += 1;
        }
    });
    run.enough(seen.iter().all(|&n| n > 0), format_args!("{seen:?}"));
}

#[test]
fn fair_lassos_exist_where_the_oracle_says() {
    let mut found = [0; 2];
    let run = random_cases(1500, |rng| {
        let shape = Shape { justice: rng.below(3), compassion: rng.below(4), deadlocks: rng.chance(0.5) };
        let case = random_case(rng, shape);
        let Case { explicit, model } = &case;
        let context = Context::default();
        let within = if rng.chance(0.5) { boolean(rng) } else { FormulaKind::True.into() };
        let inside = explicit.evaluate(&within);
        let expected = explicit.fair_within(&inside, true);
        let everywhere = Options { reachable_first: false, ..Options::default() };
        let set = SymbolicChecker::new(&context, model, everywhere).states_of(&within).unwrap();
        let hull = fair_hull(&context, model, &set, Fairness::of(model)).unwrap();
        for (s, &expected) in expected.iter().enumerate() {
            let single = model.state(&codes(&case, s)).unwrap();
            let lasso = fair_lasso(&context, model, &single, &set, Fairness::of(model)).unwrap();
            assert_eq!(lasso.is_some(), expected, "state {s} of {explicit:?}");
            assert!(expected || !contains(model, &hull.states, s));
            found[usize::from(lasso.is_some())] += 1;
            if let Some(trace) = lasso {
                let states = replay(&case, &trace);
                assert_eq!(states[0], s);
                assert!(states.iter().all(|&s| inside[s]));
                assert_fair_loop(&case, &trace, true);
            }
        }
        let lasso = fair_lasso(&context, model, &model.init, &set, Fairness::of(model)).unwrap();
        assert_eq!(lasso.is_some(), meet(&explicit.init, &expected).contains(&true));
    });
    run.enough(found.iter().all(|&n| n > 1000), format_args!("{found:?}"));
}

/// The codes of a state, variable by variable.
fn codes(case: &Case, state: usize) -> Vec<u64> {
    let mut left = state as u64;
    let mut codes = Vec::new();
    for variable in case.model.variables.iter().filter(|variable| !variable.is_input) {
        let width = variable.current.len();
        codes.push(left & ((1 << width) - 1));
        left >>= width;
    }
    assert_eq!(number(&case.model, &codes, false), state);
    codes
}

#[test]
fn what_has_no_meaning_is_refused() {
    random_cases(1, |rng| {
        let Case { mut model, .. } = random_case(rng, PLAIN);
        while model.relation.frame().input.is_empty() {
            model = random_case(rng, PLAIN).model;
        }
        let input = model.manager.var(model.relation.frame().input[0]).unwrap();
        model.propositions.insert("go".into(), input);
        let context = Context::default();
        let mut checker = SymbolicChecker::new(&context, &model, Options::default());
        let p = || Formula::proposition("p");
        let mut refusal = |formula: Formula| match checker.check_ctl(&formula) {
            Err(SymbolicError::Refused(refusal)) => refusal,
            other => panic!("{other:?}"),
        };
        assert_eq!(refusal(Formula::proposition("z")), Refusal::UnknownProposition("z".into()));
        assert_eq!(refusal(Formula::proposition("go")), Refusal::ReadsInput("go".into()));
        assert_eq!(refusal(Formula::variable("X")), Refusal::IllFormed);
        let named = Formula::diamond(ActionFormula::action("a"), p());
        assert_eq!(refusal(named), Refusal::NamedAction("a".into()));
    });
}

#[test]
fn a_stopped_search_goes_on_where_it_was() {
    random_cases(20, |rng| {
        let Case { model, .. } = random_case(rng, PLAIN);
        let cancel = Cancel::default();
        let stopped = Context::new(Limits::default(), cancel.clone());
        cancel.cancel();
        let layered = Options { search: Search::Layers, ..Options::default() };
        let mut checker = SymbolicChecker::new(&stopped, &model, layered);
        assert_eq!(checker.reachable().map(|_| ()), Err(StopReason::Interrupted));
        assert_eq!(checker.known_reachable().depth, 0);
        assert!(!checker.known_reachable().complete);
        assert_eq!(checker.statistics().get("depth"), Some(0));
    });
}

#[test]
fn without_room_for_evidence_there_is_only_the_verdict() {
    random_cases(100, |rng| {
        let Case { model, .. } = random_case(rng, Shape { justice: 1, compassion: 1, deadlocks: false });
        let context = Context::default();
        let formula = random_formula(rng, &FormulaShape { actions: Vec::new(), ..FormulaShape::default() });
        let mut full = SymbolicChecker::new(&context, &model, Options::default());
        let mut bare = SymbolicChecker::new(&context, &model, Options { evidence: 0, ..Options::default() });
        let (full, bare) = (full.check_ctl(&formula).unwrap(), bare.check_ctl(&formula).unwrap());
        assert_eq!(full.verdict, bare.verdict);
        assert!(bare.evidence.is_none());
        let without: Vec<&SymbolicAssumption> = full.assumptions.iter().collect();
        assert_eq!(without, bare.assumptions.iter().collect::<Vec<_>>());
    });
}

#[test]
fn a_loop_alone_is_a_lasso() {
    random_cases(50, |rng| {
        let case = random_case(rng, Shape { deadlocks: false, ..PLAIN });
        let context = Context::default();
        let lasso: Option<SymbolicTrace> =
            fair_lasso(&context, &case.model, &case.model.init, &case.model.invar, Fairness::of(&case.model))
                .unwrap();
        assert_eq!(lasso.is_some(), case.explicit.init.contains(&true), "total systems go on for ever");
        lasso.iter().for_each(|trace| assert_fair_loop(&case, trace, true));
    });
}
