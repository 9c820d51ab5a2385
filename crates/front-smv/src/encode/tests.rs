//! Every operator on every combination of small values, against the interpreter.

use super::encoding::Encoding;
use super::layout::{Layout, code_of};
use crate::interpret::values_of;
use crate::lower::When;
use crate::{
    BinaryOp, Expr, ExprKind, FlatModel, Interpreter, Outline, State, Type, UnaryOp, Value, VarId, VarKind,
    Variable, lower,
};
use std::collections::BTreeSet;
use tertium_dd::{Bdd, Manager, Var};
use tertium_support::{Context, Id, Interner, Source, Span};

const UNARY: [UnaryOp; 8] = [
    UnaryOp::Not,
    UnaryOp::Minus,
    UnaryOp::ToBoolean,
    UnaryOp::ToWord1,
    UnaryOp::ToInteger,
    UnaryOp::ToUnsigned,
    UnaryOp::ToSigned,
    UnaryOp::Resize,
];
const BINARY: [BinaryOp; 20] = [
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Xnor,
    BinaryOp::Implies,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Modulo,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Concatenate,
    BinaryOp::In,
];

fn types(model: &mut FlatModel) -> Vec<Type> {
    let [a, b, c] = ["a", "b", "c"].map(|name| Value::Symbol(model.symbols.intern(name)));
    vec![
        Type::Boolean,
        Type::Range(-5, 4),
        Type::Range(3, 9),
        Type::Range(0, 0),
        Type::Enumeration(vec![b, a]),
        Type::Enumeration(vec![c, Value::Integer(2), b, Value::Integer(-1), Value::Boolean(true)]),
        Type::Enumeration(vec![Value::Integer(4), Value::Integer(0), Value::Integer(1)]),
        Type::Word { width: 3, signed: false },
        Type::Word { width: 3, signed: true },
        Type::Word { width: 1, signed: false },
        Type::Word { width: 4, signed: true },
    ]
}

fn model_of(types: &[Type], mut model: FlatModel) -> FlatModel {
    for (number, ty) in types.iter().enumerate() {
        let name = format!("v{number}");
        model.variables.push(Variable { name, kind: VarKind::State, ty: ty.clone(), span: Span::default() });
    }
    model
}

fn empty() -> FlatModel {
    FlatModel {
        source: Source::new("test", ""),
        symbols: Interner::default(),
        variables: Vec::new(),
        defines: Vec::new(),
        assigns: Vec::new(),
        init: Vec::new(),
        invar: Vec::new(),
        trans: Vec::new(),
        justice: Vec::new(),
        compassion: Vec::new(),
        selector: None,
        specifications: Vec::new(),
    }
}

fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::default() }
}

fn variable(model: &FlatModel, index: usize) -> Expr {
    expr(ExprKind::Variable(VarId::new(index)), model.variables[index].ty.clone())
}

fn constant(value: i64) -> Expr {
    expr(ExprKind::Constant(Value::Integer(value)), Type::Range(value, value))
}

fn any_constant(value: Value) -> Expr {
    expr(ExprKind::Constant(value), Type::Enumeration(vec![value]))
}

fn is_truth(operator: BinaryOp, left: &Type, right: &Type) -> bool {
    use BinaryOp as Op;
    match operator {
        Op::And | Op::Or | Op::Xor | Op::Xnor | Op::Implies => {
            !matches!((left, right), (Type::Word { .. }, Type::Word { .. }))
        }
        Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual | Op::In => true,
        _ => false,
    }
}

/// The type only matters for connectives, resizing and as a bound.
fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    let ty =
        if is_truth(operator, &left.ty, &right.ty) { Type::Boolean } else { Type::Range(i64::MIN, i64::MAX) };
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)), ty)
}

fn states(model: &FlatModel) -> Vec<State> {
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for variable in &model.variables {
        let values: Vec<Value> = values_of(&variable.ty).collect();
        all = all
            .into_iter()
            .flat_map(|state| values.iter().map(move |&value| [state.clone(), vec![value]].concat()))
            .collect();
    }
    all.into_iter().map(|values| State(values.into())).collect()
}

/// Compares the values that an expression denotes with what the interpreter says, at every state.
fn compare(model: &FlatModel, expressions: &[Expr]) {
    let interpreter = Interpreter::new(model);
    let manager = Manager::new(&Context::default());
    let order: Vec<VarId> = VarId::first(model.variables.len()).collect();
    let bits = super::interleave::order_bits(model, &Outline::new(model), &order);
    let layout = Layout::new(&manager, model, &bits);
    let mut encoding = Encoding::new(&manager, layout, lower(model, None));
    let states = states(model);
    for expr in expressions {
        let expected: Vec<_> =
            states.iter().map(|state| interpreter.values(expr, state, None).ok()).collect();
        let mut all: BTreeSet<Value> = expected.iter().flatten().flatten().copied().collect();
        // Where there is never a value, there is a fault for any.
        all.insert(Value::Boolean(true));
        for value in all {
            let is_one = binary(BinaryOp::In, any_constant(value), expr.clone());
            let (holds, fault) = encoding.truth(&is_one, When::Now).unwrap();
            for (state, expected) in states.iter().zip(&expected) {
                let mut bits = vec![false; manager.n_vars()];
                for (&id, &value) in order.iter().zip(&state.0) {
                    let code = code_of(&model.variables[id.index()].ty, value).unwrap();
                    let vars = encoding.layout.vars(id, When::Now).iter().enumerate();
                    vars.for_each(|(place, var)| bits[var.index()] = code >> place & 1 == 1);
                }
                let at = |function: &Bdd| function.eval(|var: Var| bits[var.index()]);
                assert_eq!(at(&fault), expected.is_none(), "{expr:?} at {state:?}");
                if let Some(expected) = expected {
                    assert_eq!(at(&holds), expected.contains(&value), "{value:?} in {expr:?} at {state:?}");
                }
            }
        }
    }
}

#[test]
fn every_operator_agrees_with_the_interpreter_on_all_small_values() {
    let mut base = empty();
    let types = types(&mut base);
    for left in &types {
        let model = model_of(std::slice::from_ref(left), base.clone());
        let mut expressions = Vec::new();
        for operator in UNARY {
            let results: &[Type] = match operator {
                UnaryOp::Resize => &types[7..],
                UnaryOp::Not if *left == Type::Boolean => &types[..1],
                _ => &types[1..2],
            };
            for ty in results {
                let kind = ExprKind::Unary(operator, Box::new(variable(&model, 0)));
                expressions.push(expr(kind, ty.clone()));
            }
        }
        for (high, low) in [(0, 0), (1, 0), (2, 1), (2, 2), (3, 1), (0, 1), (4, 4)] {
            let kind = ExprKind::Bits(Box::new(variable(&model, 0)), high, low);
            expressions.push(expr(kind, types[7].clone()));
        }
        compare(&model, &expressions);
        for right in &types {
            let model = model_of(&[left.clone(), right.clone()], base.clone());
            let pair = |operator| binary(operator, variable(&model, 0), variable(&model, 1));
            compare(&model, &BINARY.map(pair));
        }
    }
}

#[test]
fn division_and_remainder_by_constants_agree_with_the_interpreter() {
    let model = model_of(&[Type::Range(-20, 43)], empty());
    let by = |operator| move |n: i64| (operator, n);
    let all = (-9..=9).map(by(BinaryOp::Divide)).chain((-9..=9).map(by(BinaryOp::Modulo)));
    let all: Vec<Expr> =
        all.map(|(operator, n)| binary(operator, variable(&model, 0), constant(n))).collect();
    compare(&model, &all);
}

#[test]
fn division_by_many_values_agrees_with_the_interpreter() {
    let model = model_of(&[Type::Range(-9, 12), Type::Range(-140, 141)], empty());
    let divide = |operator| binary(operator, variable(&model, 0), variable(&model, 1));
    let back = |operator| binary(operator, variable(&model, 1), variable(&model, 0));
    compare(
        &model,
        &[divide(BinaryOp::Divide), divide(BinaryOp::Modulo), back(BinaryOp::Divide), back(BinaryOp::Modulo)],
    );
}

#[test]
fn operators_apply_to_every_combination_of_elements() {
    let model = model_of(&[Type::Range(-2, 2), Type::Boolean], empty());
    let set = |elements: Vec<Expr>| expr(ExprKind::Set(elements), Type::Range(-9, 9));
    let (x, b) = (variable(&model, 0), variable(&model, 1));
    let sum = binary(BinaryOp::Add, x.clone(), constant(1));
    let few = set(vec![x.clone(), constant(1), sum.clone()]);
    let kinds = ExprKind::Case(vec![
        (b.clone(), few.clone()),
        (binary(BinaryOp::Less, x.clone(), constant(1)), x.clone()),
    ]);
    let chosen = expr(kinds, Type::Range(-9, 9));
    let truths = expr(
        ExprKind::Set(vec![b.clone(), expr(ExprKind::Constant(Value::Boolean(true)), Type::Boolean)]),
        Type::Boolean,
    );
    let count = expr(
        ExprKind::Count(vec![b.clone(), binary(BinaryOp::Less, x.clone(), constant(0)), b.clone()]),
        Type::Range(0, 3),
    );
    let mut all = vec![few.clone(), chosen.clone(), truths.clone(), count];
    for operator in BINARY {
        all.push(binary(operator, few.clone(), set(vec![constant(0), constant(2)])));
        all.push(binary(operator, chosen.clone(), few.clone()));
        all.push(binary(operator, truths.clone(), b.clone()));
        // One operand may have no meaning at some states.
        let faulty = binary(BinaryOp::Less, binary(BinaryOp::Divide, constant(4), x.clone()), constant(1));
        all.push(binary(operator, faulty.clone(), b.clone()));
        all.push(binary(operator, truths.clone(), faulty));
    }
    compare(&model, &all);
}

#[test]
fn integers_beyond_64_bits_have_no_meaning() {
    let model = model_of(&[Type::Range(i64::MAX - 2, i64::MAX), Type::Range(-1, 1)], empty());
    let (x, y) = (variable(&model, 0), variable(&model, 1));
    let sum = binary(BinaryOp::Add, x.clone(), y.clone());
    let difference = binary(BinaryOp::Subtract, binary(BinaryOp::Subtract, y.clone(), x), y);
    compare(&model, &[sum, difference]);
}
