//! Small flat models made by hand.

use tertium_front_smv::{
    Assign, AssignTime, Atom, BinaryOp, Expr, ExprKind, FlatModel, Specification, SpecificationKind, Type,
    UnaryOp, Value, VarId, VarKind, Variable,
};
use tertium_support::{Id, Interner, Source, Span};

/// A model without variables.
pub(crate) fn empty() -> FlatModel {
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

pub(crate) fn variable(model: &mut FlatModel, name: &str, kind: VarKind, ty: Type) -> VarId {
    model.variables.push(Variable { name: name.to_owned(), kind, ty, span: Span::default() });
    VarId::new(model.variables.len() - 1)
}

/// Adds an assignment, in the process of this name if one is given.
pub(crate) fn assign(
    model: &mut FlatModel,
    target: VarId,
    time: AssignTime,
    value: Expr,
    process: Option<&str>,
) {
    let process = process.map(|name| model.symbols.intern(name));
    // Spans tell assignments apart.
    let at = model.assigns.len();
    model.assigns.push(Assign { target, time, value, process, span: Span::point(at) });
}

pub(crate) fn specification(kind: SpecificationKind, atoms: Vec<(&str, Expr)>) -> Specification {
    let atoms = atoms.into_iter().map(|(name, expr)| Atom { name: name.to_owned(), expr }).collect();
    let (instance, text) = (String::new(), String::new());
    Specification { name: None, instance, kind, atoms, text, span: Span::default() }
}

pub(crate) fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::default() }
}

pub(crate) fn int(n: i64) -> Expr {
    expr(ExprKind::Constant(Value::Integer(n)), Type::Range(n, n))
}

pub(crate) fn boolean(b: bool) -> Expr {
    expr(ExprKind::Constant(Value::Boolean(b)), Type::Boolean)
}

pub(crate) fn var(model: &FlatModel, id: VarId) -> Expr {
    expr(ExprKind::Variable(id), model.variables[id.index()].ty.clone())
}

pub(crate) fn next(operand: Expr) -> Expr {
    let ty = operand.ty.clone();
    expr(ExprKind::Next(Box::new(operand)), ty)
}

pub(crate) fn not(operand: Expr) -> Expr {
    expr(ExprKind::Unary(UnaryOp::Not, Box::new(operand)), Type::Boolean)
}

/// A Boolean operator, or a comparison.
pub(crate) fn test(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)), Type::Boolean)
}

/// An operator on integers.
pub(crate) fn number(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)), Type::Range(i64::MIN, i64::MAX))
}

pub(crate) fn any_of(elements: Vec<Expr>) -> Expr {
    let ty = elements[0].ty.clone();
    expr(ExprKind::Set(elements), ty)
}

pub(crate) fn case(branches: Vec<(Expr, Expr)>) -> Expr {
    let ty = branches[0].1.ty.clone();
    expr(ExprKind::Case(branches), ty)
}
