//! Programs as graphs: what their runs meet.

use crate::execute::run;
use std::collections::BTreeMap;
use tertium_expr::Value;
use tertium_front_c::ir::*;
use tertium_front_c::lower::{Assumption, InputOrigin, IntegerModel, LowerOptions, Lowered, lower};
use tertium_support::{Context, Id, Span};

const INT: TypeId = TypeId::from_raw(0);
const VOID: TypeId = TypeId::from_raw(1);
const UNSIGNED: TypeId = TypeId::from_raw(2);

/// Makes expressions and instructions where nothing is said of places in a text.
fn expression(kind: ExpressionKind) -> Expression {
    Expression { kind, ty: INT, span: Span::default() }
}

fn local(number: usize) -> Place {
    Place { base: Base::Local(LocalId::new(number)), path: Vec::new(), ty: INT, span: Span::default() }
}

fn global(number: usize) -> Place {
    Place { base: Base::Global(GlobalId::new(number)), path: Vec::new(), ty: INT, span: Span::default() }
}

fn read(place: Place) -> Expression {
    let ty = place.ty;
    Expression { ty, ..expression(ExpressionKind::Read(Box::new(place))) }
}

fn number(value: i128) -> Expression {
    expression(ExpressionKind::Integer(value))
}

fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let ty = if matches!(operator, BinaryOperator::Less | BinaryOperator::Equal) { INT } else { left.ty };
    Expression { ty, ..expression(ExpressionKind::Binary(operator, Box::new(left), Box::new(right))) }
}

fn instruction(kind: InstructionKind) -> Instruction {
    Instruction { kind, span: Span::default() }
}

fn assign(to: Place, value: Expression) -> Instruction {
    instruction(InstructionKind::Assign { to, value })
}

fn input(to: Place) -> Instruction {
    instruction(InstructionKind::Input { to, by: "__VERIFIER_nondet_int".to_owned() })
}

fn block(instructions: Vec<Instruction>, end: End) -> Block {
    Block { instructions, end, span: Span::default(), is_loop_head: false, loop_at: None }
}

fn branch(condition: Expression, then: usize, otherwise: usize) -> End {
    let (then, otherwise) = (BlockId::new(then), BlockId::new(otherwise));
    End::Branch { condition, then, otherwise, asks: Asking::If(Span::default()) }
}

fn goto(to: usize) -> End {
    End::Goto(BlockId::new(to))
}

fn object(name: &str, ty: TypeId) -> Object {
    Object { name: name.to_owned(), ty, span: Span::default(), has_address: false }
}

fn give(value: Expression) -> End {
    End::Return(Some(Argument::Value(value)))
}

fn function(name: &str, n_parameters: usize, locals: &[(&str, TypeId)], blocks: Vec<Block>) -> Function {
    Function {
        name: name.to_owned(),
        returns: INT,
        n_parameters,
        is_variadic: false,
        locals: locals.iter().map(|&(name, ty)| object(name, ty)).collect(),
        body: Some(Body {
            blocks,
            labels: BTreeMap::new(),
            label_spans: BTreeMap::new(),
            end: Span::default(),
        }),
        span: Span::default(),
    }
}

fn unit(globals: &[&str], functions: Vec<Function>) -> Unit {
    let integer = |signed: bool| Type::Integer(Integer { rank: Rank::Int, bits: 32, signed });
    Unit {
        data_model: DataModel::Ilp32,
        types: vec![integer(true), Type::Void, integer(false)],
        composites: Vec::new(),
        globals: globals.iter().map(|name| object(name, INT)).collect(),
        initial: Vec::new(),
        external: Vec::new(),
        main: FunctionId::new(functions.len() - 1),
        functions,
        strings: Vec::new(),
        unsupported: Vec::new(),
        labels: std::collections::BTreeSet::new(),
        origins: tertium_front_c::ir::Origins::default(),
    }
}

#[track_caller]
fn lowered(unit: &Unit, integers: IntegerModel) -> Lowered {
    let options = LowerOptions { integers, ..LowerOptions::default() };
    lower(&Context::default(), unit, &options).expect("there are no limits")
}

/// `f(n) = n < 2 ? 1 : n * f(n - 1)`, called with a value from outside; an error if the result is this.
fn factorial(wanted: i128) -> Unit {
    let n = || read(local(0));
    let call = instruction(InstructionKind::Call {
        callee: Callee::Function(FunctionId::new(0)),
        arguments: vec![Argument::Value(binary(BinaryOperator::Subtract, n(), number(1)))],
        to: Some(local(1)),
    });
    let f = function(
        "f",
        1,
        &[("n", INT), ("r", INT)],
        vec![
            block(Vec::new(), branch(binary(BinaryOperator::Less, n(), number(2)), 1, 2)),
            block(Vec::new(), give(number(1))),
            block(vec![call], give(binary(BinaryOperator::Multiply, n(), read(local(1))))),
        ],
    );
    let call = instruction(InstructionKind::Call {
        callee: Callee::Function(FunctionId::new(0)),
        arguments: vec![Argument::Value(read(local(0)))],
        to: Some(local(1)),
    });
    let main = function(
        "main",
        0,
        &[("x", INT), ("y", INT)],
        vec![
            block(
                vec![input(local(0)), call],
                branch(binary(BinaryOperator::Equal, read(local(1)), number(wanted)), 1, 2),
            ),
            block(Vec::new(), End::Error(Failure::ErrorCall)),
            block(Vec::new(), give(read(local(1)))),
        ],
    );
    unit(&[], vec![f, main])
}

#[test]
fn recursive_functions_are_procedures() {
    let result = lowered(&factorial(120), IntegerModel::Machine);
    let met = run(&result.icfg, &[-1, 0, 3, 4, 5], 10_000);
    assert!(met.is_complete && met.labels.contains("reach_error"), "{met:?}");
    assert_eq!(met.results, [1, 6, 24].map(Value::int).into());
    assert_eq!(result.icfg.procedures().len(), 2);
    assert!(result.icfg.edges().iter().all(|edge| edge.is_exact));
    assert!(result.assumptions.contains(&Assumption::Ends(Undefined::Overflow)));
    assert_eq!(result.inputs.len(), 1);
    assert!(
        matches!(result.inputs.values().next(), Some(InputOrigin::Call { by, .. }) if by == "__VERIFIER_nondet_int")
    );
}

#[test]
fn an_overflow_ends_the_run_but_not_among_mathematical_integers() {
    let wanted = (1..=13).product::<i128>();
    let met = run(&lowered(&factorial(wanted), IntegerModel::Machine).icfg, &[12, 13], 10_000);
    assert!(met.results.len() == 1 && met.labels.is_empty(), "{met:?}");
    let met = run(&lowered(&factorial(wanted), IntegerModel::Mathematical).icfg, &[12, 13], 10_000);
    assert!(met.results.len() == 1 && met.labels.contains("reach_error"), "{met:?}");
}

#[test]
fn a_loop_is_one_edge_for_each_way_through_it() {
    // for (i = 0; i < 10; i = i + 1) g = g + 2;
    let i = || read(local(0));
    let mut head = block(Vec::new(), branch(binary(BinaryOperator::Less, i(), number(10)), 2, 3));
    head.is_loop_head = true;
    let main = function(
        "main",
        0,
        &[("i", INT), ("r", VOID)],
        vec![
            block(vec![assign(local(0), number(0))], goto(1)),
            head,
            block(
                vec![
                    assign(global(0), binary(BinaryOperator::Add, read(global(0)), number(2))),
                    assign(local(0), binary(BinaryOperator::Add, i(), number(1))),
                ],
                goto(1),
            ),
            block(Vec::new(), give(read(global(0)))),
        ],
    );
    let result = lowered(&unit(&["g"], vec![main]), IntegerModel::Machine);
    let met = run(&result.icfg, &[], 1_000);
    assert_eq!(met.results, [20].map(Value::int).into());
    assert_eq!((result.icfg.edges().len(), result.icfg.points().len()), (3, 3));
}

#[test]
fn unsigned_sums_wrap_only_where_intervals_allow_it() {
    // unsigned i = input; i = i + 1; as it is, and below 10.
    let place = || Place { ty: UNSIGNED, ..local(0) };
    let one = Expression { ty: UNSIGNED, ..number(1) };
    let ten = Expression { ty: UNSIGNED, ..number(10) };
    let increased = || assign(place(), binary(BinaryOperator::Add, read(place()), one.clone()));
    let from = |between: Vec<Instruction>| {
        let first = [input(place())].into_iter().chain(between).chain([increased()]).collect();
        let converted =
            Expression { ty: INT, ..expression(ExpressionKind::Convert(Box::new(read(place())))) };
        unit(&[], vec![function("main", 0, &[("i", UNSIGNED)], vec![block(first, give(converted))])])
    };
    let all = lowered(&from(Vec::new()), IntegerModel::Machine);
    let met = run(&all.icfg, &[0, 5, (1 << 32) - 1], 100);
    assert_eq!(met.results, [1, 6, 0].map(Value::int).into());
    let below = instruction(InstructionKind::Assume(binary(BinaryOperator::Less, read(place()), ten)));
    let few = lowered(&from(vec![below]), IntegerModel::Machine);
    let met = run(&few.icfg, &[0, 5, (1 << 32) - 1], 100);
    assert_eq!(met.results, [1, 6].map(Value::int).into());
    let has_choice = |lowered: &Lowered| {
        let terms = &lowered.icfg.terms;
        lowered.icfg.edges().iter().any(|edge| match &edge.action {
            tertium_program::Action::Step(step) => {
                step.updates.values().any(|&term| !terms.conditions_of(term).is_empty())
            }
            tertium_program::Action::Call(_) => false,
        })
    };
    assert!(has_choice(&all) && !has_choice(&few));
}
