//! The validator: right traces pass, and each way to be wrong has its refusal.

mod common;

use common::*;
use tertium_front_smv::{
    AssignTime, BinaryOp, FlatModel, Input, Interpreter, Obstacle, Refusal, SpecificationKind, State, Trace,
    Type, Value, VarId, VarKind, validate_path, validate_refutation,
};
use tertium_logic::{Formula, Ltl, LtlUnary};
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
        inputs: inputs.iter().map(|&b| Input(Box::new([Value::Boolean(b)]))).collect(),
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
