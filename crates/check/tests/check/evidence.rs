//! Every definite verdict has evidence that the validator accepts; broken evidence is rejected; every unknown verdict
//! on a system with must inside may names what blocks it.

use tertium_check::{Prepared, Semantics, Settings, check, check_strategy, evaluate};
use tertium_evidence::{Culprit, Evidence, Strategy, as_trace};
use tertium_logic::{Formula, parse};
use tertium_support::{Context, Id, Rng, Source};
use tertium_system::{PartialSystem, StateId};
use tertium_testkit::{FormulaShape, SystemShape, random_cases, random_formula, random_system};
use tertium_truth::{Belnap, Cause, Verdict};

fn outcome(system: &PartialSystem, formula: &Formula) -> tertium_evidence::Outcome {
    let context = Context::default();
    let prepared = Prepared::new(&context, system).expect("no limit");
    check(&context, &prepared, formula, &Settings::default())
}

fn accept(system: &PartialSystem, strategy: &Strategy, states: &[StateId], formula: &Formula) {
    if let Err(flaw) = check_strategy(system, None, Semantics::Sis, strategy, states) {
        panic!("{flaw}\n{formula}\n{system:?}\n{strategy:?}");
    }
    if let Some(trace) = as_trace(strategy) {
        assert!(trace.is_well_formed());
        for (n, &action) in trace.steps.iter().enumerate() {
            let (from, to) = (trace.states[n], trace.states[trace.target(n)]);
            assert!(system.must(from).any(|step| step == (action, to)), "a trace takes musts");
        }
    }
}

fn random_pair(rng: &mut Rng) -> (PartialSystem, Formula) {
    let states = rng.between(1, 8);
    let families = [SystemShape::complete, SystemShape::kmts, SystemShape::mixed, SystemShape::gkmts];
    let family = rng.pick(&families)(states);
    let shape = FormulaShape { propositions: vec!["p".into(), "q".into()], ..FormulaShape::default() };
    (random_system(rng, family), random_formula(rng, &shape))
}

#[test]
fn definite_verdicts_are_right_and_their_evidence_is_accepted() {
    random_cases(3000, |rng| {
        let (system, formula) = random_pair(rng);
        let outcome = outcome(&system, &formula);
        let oracle = evaluate(&system, &formula);
        for &(state, value) in &outcome.values {
            assert_eq!(value, oracle.at(state), "{formula}\n{system:?}");
        }
        match (outcome.verdict, outcome.evidence) {
            (Verdict::True, Some(Evidence::Proof(proof))) => {
                accept(&system, &proof, system.initial(), &formula)
            }
            (Verdict::False, Some(Evidence::Refutation(refutation))) => {
                let state = refutation.position(refutation.roots()[0]).state;
                assert!(system.initial().contains(&state));
                assert_eq!(oracle.at(state), Belnap::False);
                accept(&system, &refutation, &[state], &formula);
            }
            (Verdict::Unknown(Cause::Inconsistent), Some(Evidence::Contradiction { proof, refutation })) => {
                let state = proof.position(proof.roots()[0]).state;
                accept(&system, &proof, &[state], &formula);
                accept(&system, &refutation, &[state], &formula);
            }
            (Verdict::Unknown(Cause::Imprecise), _) => {}
            (verdict, evidence) => panic!("{verdict} with {evidence:?}"),
        }
    });
}

#[test]
fn unknown_verdicts_name_what_blocks_them() {
    random_cases(2000, |rng| {
        let states = rng.between(1, 8);
        let system = random_system(rng, SystemShape::kmts(states));
        let shape = FormulaShape { propositions: vec!["p".into(), "q".into()], ..FormulaShape::default() };
        let formula = random_formula(rng, &shape);
        let outcome = outcome(&system, &formula);
        if outcome.verdict != Verdict::Unknown(Cause::Imprecise) {
            return;
        }
        let Some(Evidence::Open(blocking)) = outcome.evidence else {
            panic!("no culprit for {formula}\n{system:?}")
        };
        let mut at = blocking.start;
        for &(action, next) in &blocking.steps {
            assert!(system.edges(at).any(|edge| (edge.action, edge.other) == (action, next)));
            at = next;
        }
        match blocking.culprit {
            Culprit::MayOnly { source, action, target } => {
                assert_eq!(source, at);
                let edge = system.transitions().find(source, action, target).expect("the transition exists");
                assert!(edge.is_may() && !edge.is_must());
            }
            Culprit::Label { state, proposition } => {
                assert_eq!(state, at);
                assert_eq!(system.labels().get(proposition, state), Belnap::Unknown);
            }
            Culprit::MissingProposition { .. } => panic!("all propositions are there"),
        }
    });
}

/// The parts of a strategy, one claim changed.
fn mutate(rng: &mut Rng, strategy: &Strategy, n_states: usize) -> Strategy {
    let ids = tertium_evidence::PositionId::first(strategy.n_positions());
    let mut claims: Vec<_> = ids
        .map(|id| {
            let position = strategy.position(id);
            (position.node, position.stage, position.state, strategy.moves(id).to_vec())
        })
        .collect();
    let at = rng.below(claims.len());
    let other = tertium_evidence::PositionId::new(rng.below(claims.len()));
    let claim = &mut claims[at];
    match rng.below(3) {
        0 => claim.2 = StateId::new(rng.below(n_states)),
        1 if !claim.3.is_empty() => {
            let victim = rng.below(claim.3.len());
            claim.3.remove(victim);
        }
        _ if !claim.3.is_empty() => {
            let victim = rng.below(claim.3.len());
            claim.3[victim].to = other;
        }
        _ => {}
    }
    Strategy::from_parts(strategy.formula().clone(), claims, strategy.roots().to_vec())
}

#[test]
fn the_validator_never_accepts_a_proof_of_what_is_not_true() {
    // Claims are changed at random until something is left that proves the formula where it does not hold: there
    // must be no such strategy. Where it does hold, a changed strategy may still be right.
    let mut rejected = 0;
    let run = random_cases(1500, |rng| {
        let (system, formula) = random_pair(rng);
        let Some(Evidence::Proof(proof)) = outcome(&system, &formula).evidence else { return };
        let mut changed = mutate(rng, &proof, system.n_states());
        for _ in 0..rng.below(3) {
            changed = mutate(rng, &changed, system.n_states());
        }
        let states: Vec<StateId> = changed.roots().iter().map(|&root| changed.position(root).state).collect();
        match check_strategy(&system, None, Semantics::Sis, &changed, &states) {
            Ok(()) => {
                let oracle = evaluate(&system, &formula);
                assert!(states.iter().all(|&state| oracle.must.contains(state)), "{formula}\n{changed:?}");
            }
            Err(_) => rejected += 1,
        }
    });
    run.enough(rejected > 100, format_args!("the changes matter: {rejected}"));
}

#[test]
fn the_validator_rejects_what_does_not_exist() {
    let system = random_system(&mut Rng::seeded(1), SystemShape::complete(2));
    let formula = tertium_logic::FormulaGraph::new(&parse(&Source::new("f", "true")).expect("a formula"));
    let out = |index| {
        Strategy::from_parts(formula.clone(), Vec::new(), vec![tertium_evidence::PositionId::new(index)])
    };
    assert_eq!(
        check_strategy(&system, None, Semantics::Sis, &out(3), &[]),
        Err(tertium_check::Flaw::OutOfRange)
    );
    let claim = (formula.root(), tertium_evidence::Stage::Node, StateId::new(9), Vec::new());
    let strange =
        Strategy::from_parts(formula.clone(), vec![claim], vec![tertium_evidence::PositionId::new(0)]);
    assert_eq!(
        check_strategy(&system, None, Semantics::Sis, &strange, &[]),
        Err(tertium_check::Flaw::OutOfRange)
    );
}

#[test]
fn a_reachability_counterexample_is_a_shortest_path_and_a_liveness_one_a_lasso() {
    use tertium_system::{Modality, SystemBuilder};
    let mut builder = SystemBuilder::numbered(6);
    let step = builder.action("a");
    let bad = builder.proposition("bad", Belnap::False);
    builder.initial(StateId::new(0));
    for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 5), (0, 4), (4, 5), (5, 5), (1, 1)] {
        builder.edge(StateId::new(from), step, StateId::new(to), Modality::Both);
    }
    builder.label(StateId::new(5), bad, Belnap::True);
    let system = builder.build();
    let trace = |text: &str| {
        let formula = parse(&Source::new("f", text)).expect("a formula");
        match outcome(&system, &formula).evidence {
            Some(Evidence::Proof(strategy) | Evidence::Refutation(strategy)) => {
                as_trace(&strategy).expect("a trace")
            }
            other => panic!("{other:?}"),
        }
    };
    let path = trace("AG !bad");
    assert_eq!(path.states.iter().map(|state| state.index()).collect::<Vec<_>>(), [0, 4, 5]);
    assert_eq!(path.loop_start, None);
    assert_eq!(trace("EF bad").steps.len(), 2);
    let lasso = trace("AF bad");
    assert_eq!(lasso.states.iter().map(|state| state.index()).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(lasso.loop_start, Some(1));
}
