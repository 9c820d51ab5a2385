//! The interpreter on models made by hand, one rule of the language at a time.

use crate::common::*;
use crate::listed::Listed;
use tertium_front_smv::{
    AssignTime, BinaryOp, Expr, ExprKind, Fault, FaultKind, FlatModel, Halt, Input, Interpreter, Judgement,
    Obstacle, State, Type, Value, VarId, VarKind,
};
use tertium_support::{Context, Id, Span};
use tertium_system::{StateGraph, StateId};

fn numbers(state: &State) -> Vec<i64> {
    let number = |value: &Value| match *value {
        Value::Integer(n) => n,
        Value::Boolean(b) => i64::from(b),
        _ => panic!("a number or a truth value"),
    };
    state.0.iter().map(number).collect()
}

fn initial(model: &FlatModel) -> Vec<Vec<i64>> {
    let states = Interpreter::new(model).initial_states(&Context::default()).unwrap();
    let mut states: Vec<_> = states.iter().map(numbers).collect();
    states.sort();
    states
}

fn state(values: &[i64]) -> State {
    State(values.iter().map(|&n| Value::Integer(n)).collect())
}

fn successors(model: &FlatModel, from: &State) -> Vec<Vec<i64>> {
    let steps = Interpreter::new(model).successors(&Context::default(), from).unwrap();
    let mut states: Vec<_> = steps.iter().map(|(_, next)| numbers(next)).collect();
    states.sort();
    states
}

/// `x : 0..3`, which counts and may stay, from 0 or 1.
fn counter() -> FlatModel {
    let mut model = empty();
    let x = variable(&mut model, "x", VarKind::State, Type::Range(0, 3));
    assign(&mut model, x, AssignTime::Init, any_of(vec![int(0), int(1)]), None);
    let up = number(BinaryOp::Modulo, number(BinaryOp::Add, var(&model, x), int(1)), int(4));
    let value = any_of(vec![var(&model, x), up]);
    assign(&mut model, x, AssignTime::Next, value, None);
    model
}

#[test]
fn a_set_stands_for_any_of_its_elements() {
    let model = counter();
    assert_eq!(initial(&model), [[0], [1]]);
    assert_eq!(successors(&model, &state(&[3])), [[0], [3]]);
}

#[test]
fn a_variable_without_assignment_takes_every_value() {
    let mut model = counter();
    variable(&mut model, "y", VarKind::State, Type::Range(5, 6));
    assert_eq!(initial(&model).len(), 4);
    assert_eq!(successors(&model, &state(&[3, 5])), [[0, 5], [0, 6], [3, 5], [3, 6]]);
}

#[test]
fn constraints_cut_states_and_steps() {
    let mut model = counter();
    let x = var(&model, VarId::new(0));
    model.init.push(test(BinaryOp::NotEqual, x.clone(), int(0)));
    model.invar.push(test(BinaryOp::NotEqual, x.clone(), int(3)));
    model.trans.push(test(BinaryOp::NotEqual, next(x.clone()), x));
    assert_eq!(initial(&model), [[1]]);
    assert_eq!(successors(&model, &state(&[1])), [[2]]);
    assert_eq!(successors(&model, &state(&[2])), [[0; 1]; 0]);
    let interpreter = Interpreter::new(&model);
    let none = Input(Box::new([]));
    let why = |from, to| interpreter.is_step(&state(&[from]), &none, &state(&[to])).unwrap();
    assert_eq!(why(1, 2), Judgement::Yes);
    assert_eq!(why(0, 2), Judgement::No(Obstacle::Assignment(VarId::new(0), Span::point(1))));
    assert_eq!(why(1, 1), Judgement::No(Obstacle::Constraint(Span::default())));
    assert_eq!(why(1, 9), Judgement::No(Obstacle::Type(VarId::new(0))));
}

#[test]
fn a_current_assignment_holds_in_every_state_and_may_read_what_is_declared_later() {
    let mut model = empty();
    let twice = variable(&mut model, "twice", VarKind::State, Type::Range(0, 6));
    let x = variable(&mut model, "x", VarKind::State, Type::Range(0, 3));
    let value = number(BinaryOp::Multiply, int(2), var(&model, x));
    assign(&mut model, twice, AssignTime::Current, value, None);
    assign(&mut model, x, AssignTime::Init, int(3), None);
    assign(&mut model, x, AssignTime::Next, int(1), None);
    assert_eq!(initial(&model), [[6, 3]]);
    assert_eq!(successors(&model, &state(&[6, 3])), [[2, 1]]);
}

#[test]
fn a_next_assignment_may_read_next_values() {
    let mut model = empty();
    let x = variable(&mut model, "x", VarKind::State, Type::Range(0, 3));
    let y = variable(&mut model, "y", VarKind::State, Type::Range(0, 3));
    let value = next(var(&model, y));
    assign(&mut model, x, AssignTime::Next, value, None);
    let value = any_of(vec![int(1), int(2)]);
    assign(&mut model, y, AssignTime::Next, value, None);
    assert_eq!(successors(&model, &state(&[0, 0])), [[1, 1], [2, 2]]);
}

#[test]
fn frozen_variables_keep_their_value() {
    let mut model = counter();
    let f = variable(&mut model, "f", VarKind::Frozen, Type::Range(0, 1));
    assert_eq!(initial(&model).len(), 4);
    assert_eq!(successors(&model, &state(&[0, 1])), [[0, 1], [1, 1]]);
    let none = Input(Box::new([]));
    let judged = Interpreter::new(&model).is_step(&state(&[0, 1]), &none, &state(&[0, 0])).unwrap();
    assert_eq!(judged, Judgement::No(Obstacle::Kept(f)));
}

#[test]
fn inputs_belong_to_the_steps() {
    let mut model = empty();
    let x = variable(&mut model, "x", VarKind::State, Type::Range(0, 3));
    let i = variable(&mut model, "i", VarKind::Input, Type::Range(0, 1));
    let value = var(&model, i);
    assign(&mut model, x, AssignTime::Next, value, None);
    let interpreter = Interpreter::new(&model);
    let steps = interpreter.successors(&Context::default(), &state(&[3])).unwrap();
    assert_eq!(steps.len(), 2);
    assert!(steps.iter().all(|(input, next)| input.0 == next.0));
    // At a state alone an input has no value.
    let about_input = test(BinaryOp::Equal, var(&model, i), int(0));
    let at_state = interpreter.holds(&about_input, &state(&[0]), None).unwrap_err();
    assert_eq!(at_state.kind, FaultKind::NotGiven(i));
    assert_eq!(interpreter.holds(&about_input, &state(&[0]), Some(&steps[0].0)), Ok(true));
}

/// Two processes: `p` sets x, `q` sets y; `main` sets nothing; z is nobody's.
fn processes() -> FlatModel {
    let mut model = empty();
    let names = ["main", "p", "q"].map(|name| Value::Symbol(model.symbols.intern(name)));
    let [x, y] = ["x", "y"].map(|name| variable(&mut model, name, VarKind::State, Type::Range(0, 1)));
    variable(&mut model, "z", VarKind::State, Type::Range(0, 1));
    let selector =
        variable(&mut model, "_process_selector_", VarKind::Input, Type::Enumeration(names.to_vec()));
    model.selector = Some(selector);
    for (target, process) in [(x, "p"), (y, "q")] {
        let value = number(BinaryOp::Subtract, int(1), var(&model, target));
        assign(&mut model, target, AssignTime::Next, value, Some(process));
    }
    model
}

#[test]
fn a_process_changes_what_it_assigns_and_what_nobody_assigns() {
    let model = processes();
    let mut reached = successors(&model, &state(&[0, 0, 0]));
    reached.dedup();
    let expected = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1]];
    assert_eq!(reached, expected);
}

#[test]
fn faults_have_places_and_count_only_where_nothing_else_excludes_the_step() {
    let mut model = empty();
    let x = variable(&mut model, "x", VarKind::State, Type::Range(0, 3));
    let y = variable(&mut model, "y", VarKind::State, Type::Range(0, 3));
    let quotient = number(BinaryOp::Divide, int(3), var(&model, x));
    assign(&mut model, y, AssignTime::Next, quotient, None);
    let context = Context::default();
    let fault = Interpreter::new(&model).successors(&context, &state(&[0, 0])).unwrap_err();
    assert_eq!(fault, Halt::Fault(Fault { span: Span::default(), kind: FaultKind::DivisionByZero }));
    assert_eq!(successors(&model, &state(&[2, 0])).len(), 4);
    // With x = 0 no step is allowed at all, so the quotient does not matter.
    let positive = test(BinaryOp::Greater, var(&model, x), int(0));
    model.trans.push(positive);
    assert_eq!(successors(&model, &state(&[0, 0])), [[0; 2]; 0]);
}

#[test]
fn values_outside_the_type_sets_as_conditions_and_missing_branches_are_faults() {
    let kind = |model: &FlatModel| {
        let halt = Interpreter::new(model).successors(&Context::default(), &state(&[3])).unwrap_err();
        let Halt::Fault(fault) = halt else { panic!("a fault: {halt:?}") };
        fault.kind
    };
    let with = |value: fn(&FlatModel) -> Expr| {
        let mut model = empty();
        let x = variable(&mut model, "x", VarKind::State, Type::Range(0, 3));
        let value = value(&model);
        assign(&mut model, x, AssignTime::Next, value, None);
        model
    };
    let x = VarId::new(0);
    let beyond = with(|model| number(BinaryOp::Add, var(model, VarId::new(0)), int(1)));
    assert_eq!(kind(&beyond), FaultKind::OutsideType(x, Value::Integer(4)));
    let set = with(|_| case(vec![(any_of(vec![boolean(true), boolean(false)]), int(0))]));
    assert_eq!(kind(&set), FaultKind::NotDetermined);
    let missing = with(|_| case(vec![(boolean(false), int(0))]));
    assert_eq!(kind(&missing), FaultKind::NoBranch);
}

#[test]
fn thirty_assigned_variables_are_no_obstacle() {
    let mut model = empty();
    let first = variable(&mut model, "b0", VarKind::State, Type::Boolean);
    assign(&mut model, first, AssignTime::Init, boolean(false), None);
    let mut last = first;
    for at in 1..30 {
        let b = variable(&mut model, &format!("b{at}"), VarKind::State, Type::Boolean);
        assign(&mut model, b, AssignTime::Init, boolean(false), None);
        let value = var(&model, last);
        assign(&mut model, b, AssignTime::Next, value, None);
        last = b;
    }
    let value = not(var(&model, last));
    assign(&mut model, first, AssignTime::Next, value, None);
    assert_eq!(Listed::new(&model).size(), (60, 60));
}

#[test]
fn one_constraint_over_many_free_variables_is_refuted_before_all_have_values() {
    // (b0 & next(b1) = b0 & …) | (!b0 & …) as one disjunction, which is not cut into conjuncts.
    let mut model = empty();
    let variables: Vec<_> =
        (0..24).map(|at| variable(&mut model, &format!("b{at}"), VarKind::State, Type::Boolean)).collect();
    let [mut up, mut down] = [boolean(true), boolean(true)];
    for &b in &variables {
        up = test(BinaryOp::And, up, next(var(&model, b)));
        down = test(BinaryOp::And, down, not(next(var(&model, b))));
        let value = not(var(&model, b));
        model.init.push(value);
    }
    model.trans.push(test(BinaryOp::Or, up, down));
    assert_eq!(Listed::new(&model).size(), (2, 4));
}

#[test]
fn listing_finds_the_reachable_states_and_stops_at_its_bound() {
    let model = counter();
    let listed = Listed::new(&model);
    let Listed { space, listing, .. } = &listed;
    assert_eq!((listed.size(), listing.n_initial()), ((4, 8), 2));
    assert!(listing.is_complete());
    let states: Vec<Vec<i64>> =
        StateId::first(4).map(|id| numbers(&space.state(listing.words(id)))).collect();
    assert_eq!(states, [[0], [1], [2], [3]]);
    let system = space.to_system(&Context::default(), listing, &[]).unwrap();
    assert_eq!((system.n_states(), system.transitions().len(), system.initial().len()), (4, 8, 2));
    assert!(system.is_complete());
    let cut = Listed::within(&model, 3).unwrap().listing;
    assert_eq!((cut.n_states(), cut.n_initial(), cut.has_all_initial()), (3, 2, true));
    assert_eq!(cut.open_states().iter().map(Id::index).collect::<Vec<_>>(), [2]);
    let cut = Listed::within(&model, 1).unwrap().listing;
    assert_eq!((cut.n_initial(), cut.has_all_initial(), cut.is_complete()), (1, false, false));
}

#[test]
fn inputs_come_back_from_labels_however_many_bits_they_have() {
    for width in [3, 31, 40] {
        let mut model = empty();
        let x = variable(&mut model, "x", VarKind::State, Type::Range(0, 3));
        let word = |width| Type::Word { width, signed: false };
        let i = variable(&mut model, "i", VarKind::Input, word(width));
        variable(&mut model, "j", VarKind::Input, Type::Boolean);
        assign(&mut model, x, AssignTime::Next, any_of(vec![int(1), int(2)]), None);
        let five = expr(ExprKind::Constant(Value::Word { bits: 5, width, signed: false }), word(width));
        model.trans.push(test(BinaryOp::Equal, var(&model, i), five));
        let Listed { space, listing, .. } = Listed::new(&model);
        assert_eq!((listing.n_states(), listing.n_steps()), (4, 16));
        for state in StateId::first(4) {
            let mut inputs: Vec<Input> =
                listing.steps(state).map(|step| space.input(listing.step(step).0)).collect();
            inputs.sort();
            inputs.dedup();
            let input = |j| Input([Value::Word { bits: 5, width, signed: false }, Value::Boolean(j)].into());
            assert_eq!(inputs, [input(false), input(true)]);
        }
    }
}
