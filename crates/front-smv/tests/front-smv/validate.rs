//! The validator: right traces pass, and each way to be wrong has its refusal.

use crate::common::*;
use tertium_front_smv::{
    AssignTime, Assumptions, BinaryOp, CtlClaim, CtlPath, CtlSupport, FlatModel, Input, Interpreter,
    Obstacle, Refusal, Specification, SpecificationKind, State, Trace, Type, Value, VarId, VarKind,
    validate_claim, validate_path, validate_refutation,
};
use tertium_logic::{Formula, FormulaKind, Ltl, LtlUnary, PathOperator, PathQuantifier};
use tertium_support::Id;

/// `x : 0..2` from 0; the input `go` says whether it counts on.
fn model() -> FlatModel {
    let mut model = empty();
    let x = variable(&mut model, "x", VarKind::State, Type::Range(0, 2));
    let go = variable(&mut model, "go", VarKind::Input, Type::Boolean);
    assign(&mut model, x, AssignTime::Init, int(0), None);
    let up = number(BinaryOp::Modulo, number(BinaryOp::Add, var(&model, x), int(1)), int(3));
    let value = case(vec![(var(&model, go), up), (boolean(true), var(&model, x))]);
    assign(&mut model, x, AssignTime::Next, value, None);
    model
}

fn trace(states: &[i64], inputs: &[bool], loop_start: Option<usize>) -> Trace {
    Trace {
        states: states.iter().map(|&n| State(Box::new([Value::Integer(n)]))).collect(),
        steps: inputs.iter().map(|&b| Input(Box::new([Value::Boolean(b)]))).collect(),
        loop_start,
    }
}

#[test]
fn a_path_is_initial_and_goes_by_steps() {
    let model = model();
    let interpreter = Interpreter::new(&model);
    let check = |states: &[i64], inputs: &[bool], loop_start| {
        validate_path(&interpreter, &trace(states, inputs, loop_start))
    };
    assert_eq!(check(&[0, 1, 1], &[true, false], None), Ok(()));
    assert_eq!(check(&[0, 1, 2], &[true, true, true], Some(0)), Ok(()));
    assert!(matches!(check(&[1], &[], None), Err(Refusal::NotInitial(Obstacle::Assignment(..)))));
    assert!(matches!(check(&[0, 1], &[false], None), Err(Refusal::NoStep(0, _))));
    assert!(matches!(check(&[0, 1, 2], &[true, true, true], Some(1)), Err(Refusal::NoStep(2, _))));
    for malformed in [check(&[], &[], None), check(&[0], &[true], None), check(&[0], &[false], Some(1))] {
        assert_eq!(malformed, Err(Refusal::Malformed));
    }
}

#[test]
fn the_last_state_refutes_an_invariant() {
    let model = model();
    let interpreter = Interpreter::new(&model);
    let at_two = test(BinaryOp::Equal, var(&model, VarId::new(0)), int(2));
    let kind = SpecificationKind::Invariant(Formula::proposition("x = 2").negated());
    let specification = specification(kind, vec![("x = 2", at_two)]);
    let check = |trace| validate_refutation(&interpreter, &specification, &trace);
    assert_eq!(check(trace(&[0, 1, 2], &[true, true], None)), Ok(()));
    assert!(matches!(check(trace(&[0, 1], &[true], None)), Err(Refusal::NotShown(_))));
}

#[test]
fn a_fair_loop_refutes_a_linear_property_and_an_unfair_one_does_not() {
    let mut model = model();
    let finally_two = Ltl::unary(LtlUnary::Finally, Ltl::proposition("x = 2"));
    let at_two = test(BinaryOp::Equal, var(&model, VarId::new(0)), int(2));
    let specification = specification(SpecificationKind::Ltl(finally_two), vec![("x = 2", at_two)]);
    let stays = trace(&[0, 1], &[true, false], Some(1));
    let goes = trace(&[0, 1, 2], &[true, true, true], Some(0));
    let check = |model: &FlatModel, trace: &Trace| {
        validate_refutation(&Interpreter::new(model), &specification, trace)
    };
    assert_eq!(check(&model, &stays), Ok(()));
    assert!(matches!(check(&model, &goes), Err(Refusal::NotShown(_))));
    assert_eq!(check(&model, &trace(&[0], &[], None)), Err(Refusal::WrongKind));
    let go = var(&model, VarId::new(1));
    model.compassion.push((test(BinaryOp::Equal, var(&model, VarId::new(0)), int(1)), go.clone()));
    assert!(matches!(check(&model, &stays), Err(Refusal::Unfair(_))));
    // At x = 0 the premise never holds again.
    assert_eq!(check(&model, &trace(&[0], &[false], Some(0))), Ok(()));
    model.justice.push(go);
    assert!(matches!(check(&model, &trace(&[0], &[false], Some(0))), Err(Refusal::Unfair(_))));
}

/// `EX E[x != 2 U x = 2]` and its propositions.
fn branching(model: &FlatModel) -> (Formula, Specification) {
    let at_two = test(BinaryOp::Equal, var(model, VarId::new(0)), int(2));
    let two = || Formula::proposition("x = 2");
    let some = |operator| Formula::from(FormulaKind::Path(PathQuantifier::Some, operator));
    let until = some(PathOperator::Until(Box::new(two().negated()), Box::new(two())));
    let formula = some(PathOperator::Next(Box::new(until.clone())));
    (until, specification(SpecificationKind::Ctl(formula), vec![("x = 2", at_two)]))
}

fn evaluated(formula: Formula, holds: bool) -> CtlClaim {
    CtlClaim { formula, holds, support: CtlSupport::Evaluated }
}

/// The tree for [`branching`]: from 0 to 1, and from there to 2; `last` is what is said of the last state.
fn tree(specification: &Specification, until: Formula, last: CtlClaim) -> CtlClaim {
    tree_along(specification, until, last, trace(&[1, 2], &[true], None))
}

fn tree_along(
    specification: &Specification,
    until: Formula,
    last: CtlClaim,
    trace_of_until: Trace,
) -> CtlClaim {
    let SpecificationKind::Ctl(formula) = specification.kind.clone() else { unreachable!() };
    let not_two = Formula::proposition("x = 2").negated();
    let inner = CtlPath { trace: trace_of_until, claims: vec![vec![evaluated(not_two, true)], vec![last]] };
    let inner = CtlClaim { formula: until, holds: true, support: CtlSupport::Path(inner) };
    let outer = CtlPath { trace: trace(&[0, 1], &[true], None), claims: vec![vec![], vec![inner]] };
    CtlClaim { formula, holds: true, support: CtlSupport::Path(outer) }
}

#[test]
fn a_tree_of_claims_is_checked_down_to_its_leaves() {
    let mut model = model();
    let (until, specification) = branching(&model);
    let two = || Formula::proposition("x = 2");
    let good = tree(&specification, until.clone(), evaluated(two(), true));
    let check = |model: &FlatModel, state: i64, claim: &CtlClaim| {
        let state = State(Box::new([Value::Integer(state)]));
        validate_claim(&Interpreter::new(model), &specification, &state, claim)
    };
    assert_eq!(check(&model, 0, &good), Ok(Assumptions::default()));
    assert!(matches!(check(&model, 1, &good), Err(Refusal::NotInitial(_))));
    // The last state is said to be something that it is not; or the path ends before the until does.
    let wrong = tree(&specification, until.clone(), evaluated(two(), false));
    assert!(matches!(check(&model, 0, &wrong), Err(Refusal::NotShown(_))));
    let short = trace(&[1, 1], &[false], None);
    let endless = tree_along(&specification, until, evaluated(two(), false), short);
    assert!(matches!(check(&model, 0, &endless), Err(Refusal::NotShown(_))));
    // Another formula, and the wrong way round.
    assert!(matches!(check(&model, 0, &evaluated(two(), false)), Err(Refusal::NotShown(_))));
    assert!(matches!(
        check(&model, 0, &CtlClaim { holds: false, ..good.clone() }),
        Err(Refusal::NotShown(_))
    ));
    // With justice, both paths are said to go on fairly.
    model.justice.push(boolean(true));
    assert_eq!(check(&model, 0, &good), Ok(Assumptions { fair_ends: 2, ..Assumptions::default() }));
}

#[test]
fn what_is_so_on_all_paths_is_assumed_and_counted() {
    let model = model();
    let at_two = test(BinaryOp::Equal, var(&model, VarId::new(0)), int(2));
    let two = Formula::proposition("x = 2");
    let all = |operator| Formula::from(FormulaKind::Path(PathQuantifier::All, operator));
    let reachable = all(PathOperator::Finally(Box::new(two.clone())));
    let both = Formula::all(vec![two.clone(), reachable.clone()]);
    let specification = specification(SpecificationKind::Ctl(both.clone()), vec![("x = 2", at_two)]);
    let claim = |parts| CtlClaim { formula: both.clone(), holds: false, support: CtlSupport::Parts(parts) };
    let check = |claim: &CtlClaim| {
        let state = State(Box::new([Value::Integer(0)]));
        validate_claim(&Interpreter::new(&model), &specification, &state, claim)
    };
    assert_eq!(check(&claim(vec![evaluated(two.clone(), false)])), Ok(Assumptions::default()));
    // What has no path quantifier is evaluated, claimed or not.
    assert_eq!(check(&claim(vec![])), Ok(Assumptions::default()));
    // `AF x = 2` does not hold: a loop avoids it.
    let stay = CtlPath { trace: trace(&[0], &[false], Some(0)), claims: vec![vec![evaluated(two, false)]] };
    let avoid = CtlClaim { formula: reachable.clone(), holds: false, support: CtlSupport::Path(stay) };
    assert_eq!(check(&claim(vec![avoid])), Ok(Assumptions::default()));
    let assumed = CtlClaim { formula: reachable, holds: true, support: CtlSupport::Assumed };
    let wrong = CtlClaim { holds: true, ..claim(vec![assumed]) };
    assert!(matches!(check(&wrong), Err(Refusal::NotShown(_))));
}

#[test]
fn to_assume_a_negation_is_to_assume_the_opposite_of_what_it_negates() {
    let model = model();
    let at_two = test(BinaryOp::Equal, var(&model, VarId::new(0)), int(2));
    let two = Formula::proposition("x = 2");
    let finally = PathOperator::Finally(Box::new(two.clone()));
    let check = |formula: &Formula, holds: bool| {
        let kind = SpecificationKind::Ctl(formula.clone());
        let specification = specification(kind, vec![("x = 2", at_two.clone())]);
        let claim = CtlClaim { formula: formula.clone(), holds, support: CtlSupport::Assumed };
        let state = State(Box::new([Value::Integer(0)]));
        validate_claim(&Interpreter::new(&model), &specification, &state, &claim)
    };
    let on_all_paths = Ok(Assumptions { on_all_paths: 1, ..Assumptions::default() });
    let on_some_path = Ok(Assumptions { on_some_path: 1, ..Assumptions::default() });
    for (quantifier, all_if_it_holds) in [(PathQuantifier::All, true), (PathQuantifier::Some, false)] {
        let formula = Formula::from(FormulaKind::Path(quantifier, finally.clone()));
        for holds in [false, true] {
            let expected = if holds == all_if_it_holds { &on_all_paths } else { &on_some_path };
            assert_eq!(check(&formula, holds), *expected);
            assert_eq!(check(&formula.clone().negated(), !holds), *expected);
        }
    }
    // What can be evaluated is not assumed.
    assert!(matches!(check(&two, false), Err(Refusal::NotShown(_))));
    assert!(matches!(check(&two.negated(), true), Err(Refusal::NotShown(_))));
}
