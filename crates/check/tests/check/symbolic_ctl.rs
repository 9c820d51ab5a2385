//! Symbolic CTL and mu-calculus against naive evaluation on explicit twins, and its evidence walked through step by step.

use crate::symbolic_oracle::{
    Case, Explicit, Set, Shape, assert_fair_loop, contains, number, random_case, replay,
};
use tertium_check::symbolic::{
    Options, Search, SymbolicAssumption, SymbolicChecker, SymbolicClaim, SymbolicEvidence,
};
use tertium_evidence::Support;
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, Staying, staying_at_ends};
use tertium_support::{Context, Rng};
use tertium_testkit::{FormulaShape, random_cases, random_formula};
use tertium_truth::Verdict;

fn formula_shape(fixpoints: usize) -> FormulaShape {
    FormulaShape {
        actions: Vec::new(),
        depth: 4,
        fixpoints,
        regular: fixpoints > 0,
        ..FormulaShape::default()
    }
}

fn random_options(rng: &mut Rng) -> Options {
    Options {
        reachable_first: rng.chance(0.7),
        search: if rng.chance(0.7) { Search::Layers } else { Search::Saturated },
        ..Options::default()
    }
}

/// Several formulas on one system: verdicts, sets and evidence.
fn compare(rng: &mut Rng, shape: Shape, formulas: &FormulaShape, n: usize) {
    let case = random_case(rng, shape);
    let context = Context::default();
    let options = random_options(rng);
    let mut checker = SymbolicChecker::new(&context, &case.model, options);
    for _ in 0..n {
        let formula = random_formula(rng, formulas);
        compare_one(&case, &mut checker, options, &formula);
    }
}

fn compare_one(case: &Case, checker: &mut SymbolicChecker<'_>, options: Options, formula: &Formula) {
    let explicit = &case.explicit;
    let expected = explicit.evaluate(formula);
    let outcome = checker.check_ctl(formula).unwrap();
    // With justice, initial states without a fair path do not count.
    let fair = explicit.fair();
    let counts = |s: &usize| explicit.init[*s] && (explicit.justice.is_empty() || fair[*s]);
    let counted: Vec<usize> = (0..explicit.n_states).filter(counts).collect();
    let holds = counted.iter().all(|&s| expected[s]);
    assert_eq!(outcome.verdict == Verdict::True, holds, "{formula}\n{explicit:?}");
    let looked_at = if options.reachable_first { explicit.reachable() } else { explicit.valid.clone() };
    let set = checker.states_of(formula).unwrap();
    for s in 0..explicit.n_states {
        assert_eq!(contains(&case.model, &set, s), looked_at[s] && expected[s], "{formula} at {s}");
    }
    if let Some(SymbolicEvidence::Tree(tree)) = &outcome.evidence {
        let root = number(&case.model, &tree.state, false);
        assert!(counted.contains(&root), "evidence is about an initial state that counts");
        assert_eq!(expected[root], holds, "{formula}: evidence for the verdict");
        walk(case, tree);
    } else {
        assert!(holds || options.evidence == 0, "a failure is explained: {formula}");
    }
    let no_state = outcome.assumptions.contains(&SymbolicAssumption::NoInitialState);
    assert_eq!(no_state, !explicit.init.contains(&true));
    let ignored = outcome.assumptions.contains(&SymbolicAssumption::CompassionIgnored);
    assert!(!ignored || !explicit.compassion.is_empty());
    deadlocks(case, formula, &outcome.assumptions);
}

fn deadlocks(case: &Case, formula: &Formula, assumptions: &[SymbolicAssumption]) {
    let explicit = &case.explicit;
    let distances = explicit.distances(&explicit.init);
    let dead = |s: usize| explicit.edges.iter().all(|edge| edge.0 != s);
    let nearest = (0..explicit.n_states).filter(|&s| dead(s)).filter_map(|s| distances[s]).min();
    let noted = assumptions.iter().find_map(|assumption| match assumption {
        SymbolicAssumption::Deadlock { state, steps, sure: true } => Some((state.clone(), *steps)),
        _ => None,
    });
    let is_unknown = assumptions.contains(&SymbolicAssumption::DeadlocksUnknown(None));
    if is_unknown {
        let has_modalities = formula.preorder().any(|part| matches!(part.kind, FormulaKind::Modal(..)));
        assert!(nearest.is_some() && has_modalities && noted.is_none(), "{formula}");
    } else {
        let verdict = |explicit: &Explicit, formula: &Formula| {
            let (values, fair) = (explicit.evaluate(formula), explicit.fair());
            let counts = |s: usize| explicit.init[s] && (explicit.justice.is_empty() || fair[s]);
            (0..explicit.n_states).all(|s| !counts(s) || values[s])
        };
        // Without justice modalities stay what they are, so the formula is read in another way, not the system.
        let other = match staying_at_ends(formula) {
            Staying::Other(other) if explicit.justice.is_empty() => verdict(explicit, &other),
            Staying::Same if explicit.justice.is_empty() => verdict(explicit, formula),
            _ => verdict(&where_ends_stay(explicit), formula),
        };
        let depends = other != verdict(explicit, formula);
        assert_eq!(noted.as_ref().and_then(|(_, steps)| *steps), nearest.filter(|_| depends), "{formula}");
    }
    if let Some((Some(state), _)) = noted {
        let state = number(&case.model, &state, false);
        assert!(dead(state) && distances[state] == nearest);
    }
}

/// The system with a step from each state without steps to itself, with every input.
fn where_ends_stay(explicit: &Explicit) -> Explicit {
    let mut other = explicit.clone();
    let dead = |s: usize| explicit.valid[s] && explicit.edges.iter().all(|edge| edge.0 != s);
    for s in (0..explicit.n_states).filter(|&s| dead(s)) {
        other.edges.extend((0..explicit.n_inputs).map(|i| (s, i, s)));
    }
    other
}

fn is_boolean(formula: &Formula) -> bool {
    formula.preorder().all(|part| {
        !matches!(part.kind, FormulaKind::Path(..) | FormulaKind::Modal(..) | FormulaKind::Fixpoint(..))
    })
}

/// Panics unless the tree shows its claim.
fn walk(case: &Case, tree: &SymbolicClaim) {
    let here = number(&case.model, &tree.state, false);
    let value = |formula: &Formula| case.explicit.evaluate(formula);
    assert!(value(&tree.formula)[here], "{} is claimed at {here}", tree.formula);
    match &tree.support {
        Support::Here => assert!(is_boolean(&tree.formula), "{} needs more than a leaf", tree.formula),
        Support::AllPaths => assert!(!shown_by_path(&tree.formula), "{} has a path", tree.formula),
        Support::Omitted => panic!("these trees are small"),
        Support::Parts(parts) => {
            let claims: Vec<&Formula> = parts.iter().map(|part| &part.formula).collect();
            assert!(implied(&tree.formula, &claims), "{} from {claims:?}", tree.formula);
            for part in parts {
                assert_eq!(part.state, tree.state, "parts speak of the same state");
                walk(case, part);
            }
        }
        Support::Path { trace, at } => {
            let states = replay(case, trace);
            assert_eq!(trace.states[0], tree.state);
            let operator = match &tree.formula.kind {
                FormulaKind::Path(PathQuantifier::Some, operator) => operator.clone(),
                FormulaKind::Modal(PathQuantifier::Some, _, f) => PathOperator::Next(f.clone()),
                _ => panic!("{} is not shown by a path", tree.formula),
            };
            let sets: Vec<Set> = operator.operands().into_iter().map(value).collect();
            follow(case, &operator, &sets, trace, &states);
            for (index, claim) in at {
                assert_eq!(claim.state, trace.states[*index]);
                walk(case, claim);
            }
            let fair_end = trace.loop_start.is_some()
                || case.explicit.justice.is_empty()
                || matches!(tree.formula.kind, FormulaKind::Modal(..))
                || at.iter().any(|(index, claim)| *index == states.len() - 1 && claim.has_path());
            assert!(fair_end, "the end of the path is shown to be fair");
        }
    }
}

fn shown_by_path(formula: &Formula) -> bool {
    matches!(
        formula.kind,
        FormulaKind::Path(PathQuantifier::Some, _) | FormulaKind::And(_) | FormulaKind::Or(_)
    )
}

/// Whether the claims are what shows a Boolean combination.
fn implied(whole: &Formula, claims: &[&Formula]) -> bool {
    match &whole.kind {
        FormulaKind::And(parts) => parts.iter().collect::<Vec<_>>() == claims,
        FormulaKind::Or(parts) => claims.len() == 1 && parts.contains(claims[0]),
        FormulaKind::Iff(..) => claims.len() == 2,
        FormulaKind::Not(inner) => matches!(inner.kind, FormulaKind::Iff(..)) && claims.len() == 2,
        _ => false,
    }
}

/// Panics unless the path satisfies the operator.
fn follow(
    case: &Case,
    operator: &PathOperator,
    sets: &[Set],
    trace: &tertium_check::symbolic::SymbolicTrace,
    states: &[usize],
) {
    let (&end, through) = states.split_last().unwrap();
    let lasso = trace.loop_start.is_some();
    if lasso {
        assert_fair_loop(case, trace, false);
    }
    match operator {
        PathOperator::Next(_) => assert!(!lasso && states.len() == 2 && sets[0][end]),
        PathOperator::Finally(_) => assert!(!lasso && sets[0][end]),
        PathOperator::Globally(_) => assert!(lasso && states.iter().all(|&s| sets[0][s])),
        PathOperator::Until(..) => assert!(!lasso && sets[1][end] && through.iter().all(|&s| sets[0][s])),
        PathOperator::WeakUntil(..) if lasso => assert!(states.iter().all(|&s| sets[0][s])),
        PathOperator::WeakUntil(..) => assert!(sets[1][end] && through.iter().all(|&s| sets[0][s])),
        PathOperator::Release(..) => {
            assert!(states.iter().all(|&s| sets[1][s]) && (lasso || sets[0][end]));
        }
    }
}

#[test]
fn ctl_agrees_with_naive_evaluation() {
    random_cases(600, |rng| {
        let shape = Shape { justice: 0, compassion: 0, deadlocks: rng.chance(0.5) };
        compare(rng, shape, &formula_shape(0), 6);
    });
}

#[test]
fn ctl_with_justice_agrees_with_naive_evaluation() {
    random_cases(800, |rng| {
        let shape =
            Shape { justice: rng.between(1, 3), compassion: rng.below(2), deadlocks: rng.chance(0.5) };
        compare(rng, shape, &formula_shape(0), 6);
    });
}

#[test]
fn the_mu_calculus_agrees_with_naive_evaluation() {
    random_cases(300, |rng| {
        let shape = Shape { justice: rng.below(2), compassion: 0, deadlocks: true };
        compare(rng, shape, &formula_shape(3), 5);
    });
}
