//! Runs of small programs, built by hand.

use tertium_front_c::interpret::{
    Ending, Halt, Inputs, Interpreter, ListedInputs, NoInputs, NoObserver, RunLimits, Then,
};
use tertium_front_c::ir::*;
use tertium_support::{Context, Id, Span};

fn int() -> Type {
    Type::Integer(Integer { rank: Rank::Int, bits: 32, signed: true })
}

fn at(kind: ExpressionKind) -> Expression {
    Expression { kind, ty: TypeId::new(0), span: Span::default() }
}

fn number(value: i128) -> Expression {
    at(ExpressionKind::Integer(value))
}

fn place(local: usize) -> Place {
    Place {
        base: Base::Local(LocalId::new(local)),
        path: Vec::new(),
        ty: TypeId::new(0),
        span: Span::default(),
    }
}

fn read(local: usize) -> Expression {
    at(ExpressionKind::Read(Box::new(place(local))))
}

fn binary(operator: BinaryOperator, a: Expression, b: Expression) -> Expression {
    at(ExpressionKind::Binary(operator, Box::new(a), Box::new(b)))
}

fn instruction(kind: InstructionKind) -> Instruction {
    Instruction { kind, span: Span::default() }
}

fn assign(local: usize, value: Expression) -> Instruction {
    instruction(InstructionKind::Assign { to: place(local), value })
}

fn block(instructions: Vec<Instruction>, end: End) -> Block {
    Block { instructions, end, span: Span::default(), is_loop_head: false, loop_at: None }
}

fn function(name: &str, n_parameters: usize, n_locals: usize, blocks: Vec<Block>) -> Function {
    let object = |at: usize| Object {
        name: format!("x{at}"),
        ty: TypeId::new(0),
        span: Span::default(),
        has_address: false,
    };
    Function {
        name: name.to_owned(),
        returns: TypeId::new(0),
        n_parameters,
        is_variadic: false,
        locals: (0..n_locals).map(object).collect(),
        body: Some(Body {
            blocks,
            labels: Default::default(),
            label_spans: Default::default(),
            end: Span::default(),
        }),
        span: Span::default(),
    }
}

fn unit(functions: Vec<Function>) -> Unit {
    Unit {
        data_model: DataModel::Lp64,
        types: vec![int()],
        composites: Vec::new(),
        globals: Vec::new(),
        initial: Vec::new(),
        external: Vec::new(),
        functions,
        strings: Vec::new(),
        main: FunctionId::new(0),
        unsupported: Vec::new(),
        labels: std::collections::BTreeSet::new(),
        origins: tertium_front_c::ir::Origins::default(),
    }
}

fn run(unit: &Unit, inputs: &mut dyn Inputs, limits: RunLimits) -> tertium_front_c::interpret::Run {
    let interpreter = Interpreter::new(unit).expect("it can be run");
    interpreter.run(&Context::default(), inputs, &mut NoObserver, limits)
}

fn value(expression: Expression) -> End {
    End::Return(Some(Argument::Value(expression)))
}

/// Adds the numbers below another.
fn sum(below: i128) -> Unit {
    let goto = |to| End::Goto(BlockId::new(to));
    let asks = End::Branch {
        condition: binary(BinaryOperator::Less, read(0), number(below)),
        then: BlockId::new(2),
        otherwise: BlockId::new(3),
        asks: Asking::Loop(Span::default()),
    };
    let more = vec![
        assign(1, binary(BinaryOperator::Add, binary(BinaryOperator::And, read(1), number(0xffff)), read(0))),
        assign(0, binary(BinaryOperator::Add, read(0), number(1))),
    ];
    let blocks = vec![
        block(vec![assign(0, number(0)), assign(1, number(0))], goto(1)),
        block(Vec::new(), asks),
        block(more, goto(1)),
        block(Vec::new(), value(read(1))),
    ];
    unit(vec![function("main", 0, 2, blocks)])
}

#[test]
fn a_loop_runs_to_its_end() {
    let expected = (0..1000).fold(0, |sum: i128, at| (sum & 0xffff) + at);
    let run = run(&sum(1000), &mut NoInputs, RunLimits::default());
    assert_eq!(run.ending, Ending::Finished(expected));
    assert!(run.is_whole_program());
}

#[test]
fn a_long_loop_stops_at_a_limit() {
    let limits = RunLimits { steps: 100_000, ..RunLimits::default() };
    let run = run(&sum(1_000_000_000), &mut NoInputs, limits);
    assert_eq!((run.ending, run.steps), (Ending::Stopped(Halt::Steps), 100_000));
}

/// Calls itself so often.
fn recursion(depth: i128) -> Unit {
    let call = |arguments| InstructionKind::Call {
        callee: Callee::Function(FunctionId::new(1)),
        arguments,
        to: Some(place(1)),
    };
    let main = vec![block(vec![instruction(call(vec![Argument::Value(number(depth))]))], value(read(1)))];
    let asks = End::Branch {
        condition: read(0),
        then: BlockId::new(1),
        otherwise: BlockId::new(2),
        asks: Asking::If(Span::default()),
    };
    let less = binary(BinaryOperator::Subtract, read(0), number(1));
    let blocks = vec![
        block(Vec::new(), asks),
        block(
            vec![instruction(call(vec![Argument::Value(less)]))],
            value(binary(BinaryOperator::Add, read(1), number(1))),
        ),
        block(Vec::new(), value(number(0))),
    ];
    unit(vec![function("main", 0, 2, main), function("count", 1, 2, blocks)])
}

#[test]
fn a_million_open_calls_are_no_problem() {
    let run = run(&recursion(1_000_000), &mut NoInputs, RunLimits::default());
    assert_eq!(run.ending, Ending::Finished(1_000_000));
}

#[test]
fn calls_stop_at_a_limit_on_depth_or_memory() {
    let limits = RunLimits { depth: 100, ..RunLimits::default() };
    assert_eq!(run(&recursion(1_000), &mut NoInputs, limits).ending, Ending::Stopped(Halt::Depth));
    let limits = RunLimits { memory: 10_000, ..RunLimits::default() };
    assert_eq!(run(&recursion(1_000), &mut NoInputs, limits).ending, Ending::Stopped(Halt::Memory));
}

#[test]
fn a_long_chain_of_operators_is_no_problem() {
    let chain = (0..200_000).fold(number(0), |chain, _| binary(BinaryOperator::Add, chain, number(1)));
    let mut unit = unit(vec![function("main", 0, 1, vec![block(Vec::new(), value(chain))])]);
    assert_eq!(run(&unit, &mut NoInputs, RunLimits::default()).ending, Ending::Finished(200_000));
    // To drop it would follow the chain with the stack of this test.
    std::mem::forget(std::mem::take(&mut unit.functions));
}

#[test]
fn a_local_that_was_not_written_is_asked_for_once() {
    let twice = binary(BinaryOperator::Add, read(0), read(0));
    let unit = unit(vec![function("main", 0, 1, vec![block(Vec::new(), value(twice))])]);
    let run_with = |inputs: &mut dyn Inputs| run(&unit, inputs, RunLimits::default());
    let answered = run_with(&mut ListedInputs::new(vec![21], Then::End));
    assert_eq!((answered.ending, answered.inputs), (Ending::Finished(42), 1));
    assert!(matches!(run_with(&mut NoInputs).ending, Ending::OutOfInputs(_)));
}
