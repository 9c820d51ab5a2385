//! Random flat models with few states: all types, kinds and constructs, most of them without faults.

use crate::common::{any_of, boolean, case, empty, expr, int, next, number, test, var, variable};
use tertium_front_smv::{
    Assign, AssignTime, BinaryOp, Define, DefineId, Expr, ExprKind, FlatModel, Type, UnaryOp, Value, VarId,
    VarKind,
};
use tertium_support::{Id, Rng, Span};

/// What an expression may read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The variables of one state.
    State,
    /// Inputs as well.
    Input,
    /// Also the next state.
    Step,
}

const COMPARISONS: [BinaryOp; 6] = [
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
];

/// A model with at most this many states and inputs.
pub(crate) fn random_model(rng: &mut Rng, most_states: usize) -> FlatModel {
    let mut model = empty();
    let [a, b, c] = ["a", "b", "c"].map(|name| Value::Symbol(model.symbols.intern(name)));
    let types = [
        Type::Boolean,
        Type::Range(0, 2),
        Type::Range(-2, 1),
        Type::Enumeration(vec![a, b, c]),
        Type::Enumeration(vec![b, Value::Integer(1), a]),
        Type::Word { width: 2, signed: false },
        Type::Word { width: 2, signed: true },
    ];
    let mut n_states = 1;
    loop {
        let ty = rng.pick(&types).clone();
        n_states *= size(&ty);
        if n_states > most_states {
            break;
        }
        let kind = if rng.chance(0.15) { VarKind::Frozen } else { VarKind::State };
        let name = format!("x{}", model.variables.len());
        variable(&mut model, &name, kind, ty);
    }
    if rng.chance(0.4) {
        variable(&mut model, "i", VarKind::Input, rng.pick(&types).clone());
    }
    if rng.chance(0.3) {
        let processes = ["p", "q", "r"].map(|name| Value::Symbol(model.symbols.intern(name)));
        let ty = Type::Enumeration(processes.to_vec());
        model.selector = Some(variable(&mut model, "selector", VarKind::Input, ty));
    }
    if rng.chance(0.5) {
        let body = random_truth(rng, &model, Scope::State, 2);
        model.defines.push(Define { name: "d".to_owned(), body });
    }
    assignments(rng, &mut model);
    for (chance, scope) in [(0.3, Scope::State), (0.25, Scope::State), (0.3, Scope::Step)] {
        let constraint = rng.chance(chance).then(|| match scope {
            Scope::Step if rng.chance(0.5) => random_moves(rng, &model),
            _ => random_truth(rng, &model, scope, 2),
        });
        match (scope, chance < 0.3) {
            (Scope::Step, _) => model.trans.extend(constraint),
            (_, false) => model.init.extend(constraint),
            (_, true) => model.invar.extend(constraint),
        }
    }
    model
}

/// A disjunction of moves that keep most variables.
fn random_moves(rng: &mut Rng, model: &FlatModel) -> Expr {
    let moves = (0..rng.between(2, 4)).map(|_| {
        let guard = random_truth(rng, model, Scope::Step, 1);
        let states = VarId::first(model.variables.len())
            .filter(|id| model.variables[id.index()].kind != VarKind::Input);
        states.fold(guard, |all, id| match rng.below(4) {
            0 => all,
            1 => test(BinaryOp::And, test(BinaryOp::Equal, var(model, id), next(var(model, id))), all),
            _ => test(BinaryOp::And, all, test(BinaryOp::Equal, next(var(model, id)), var(model, id))),
        })
    });
    let moves: Vec<Expr> = moves.collect();
    moves.into_iter().reduce(|some, other| test(BinaryOp::Or, some, other)).expect("there are two at least")
}

fn size(ty: &Type) -> usize {
    match ty {
        Type::Boolean => 2,
        Type::Range(low, high) => (high - low + 1) as usize,
        Type::Enumeration(values) => values.len(),
        Type::Word { width, .. } => 1 << width,
    }
}

fn assignments(rng: &mut Rng, model: &mut FlatModel) {
    for id in VarId::first(model.variables.len()) {
        if Some(id) == model.selector {
            continue;
        }
        let kind = model.variables[id.index()].kind;
        let add = |model: &mut FlatModel, rng: &mut Rng, time, process: Option<&str>| {
            let scope = if time == AssignTime::Next { Scope::Step } else { Scope::State };
            // Current values depend on earlier variables only.
            let below = if time == AssignTime::Next { model.variables.len() } else { id.index() };
            let value = random_assigned(rng, model, &model.variables[id.index()].ty.clone(), scope, below);
            let process = process.map(|name| model.symbols.intern(name));
            let span = Span::point(model.assigns.len());
            model.assigns.push(Assign { target: id, time, value, process, span });
        };
        if kind == VarKind::Input {
            continue;
        }
        if kind == VarKind::State && rng.chance(0.15) {
            add(model, rng, AssignTime::Current, None);
            continue;
        }
        if rng.chance(0.6) {
            add(model, rng, AssignTime::Init, None);
        }
        if kind == VarKind::Frozen {
            continue;
        }
        if model.selector.is_some() && rng.chance(0.7) {
            for process in ["p", "q", "r"] {
                if rng.chance(0.5) {
                    add(model, rng, AssignTime::Next, Some(process));
                }
            }
        } else if rng.chance(0.7) {
            add(model, rng, AssignTime::Next, None);
        }
    }
}

fn constant(value: Value) -> Expr {
    let ty = match value {
        Value::Boolean(_) => Type::Boolean,
        Value::Integer(n) => Type::Range(n, n),
        Value::Symbol(_) => Type::Enumeration(vec![value]),
        Value::Word { width, signed, .. } => Type::Word { width, signed },
    };
    expr(ExprKind::Constant(value), ty)
}

/// Some value of a type.
pub(crate) fn random_value(rng: &mut Rng, ty: &Type) -> Value {
    match ty {
        Type::Boolean => Value::Boolean(rng.chance(0.5)),
        Type::Range(low, high) => Value::Integer(low + rng.below((high - low + 1) as usize) as i64),
        Type::Enumeration(values) => *rng.pick(values),
        Type::Word { width, signed } => {
            Value::Word { bits: rng.below(1 << width) as u64, width: *width, signed: *signed }
        }
    }
}

/// A value for a variable: a set, a case, an expression; seldom one that leaves the type.
fn random_assigned(rng: &mut Rng, model: &FlatModel, ty: &Type, scope: Scope, below: usize) -> Expr {
    let reader = Reader { model, scope, below };
    match rng.below(5) {
        0 => {
            let elements = (0..rng.between(1, 3)).map(|_| reader.leaf(rng, ty)).collect();
            any_of(elements)
        }
        1 | 2 => {
            let mut branches: Vec<(Expr, Expr)> = (0..rng.between(1, 2))
                .map(|_| (reader.truth(rng, 1), random_assigned(rng, model, ty, scope, below)))
                .collect();
            if rng.chance(0.95) {
                branches.push((boolean(true), reader.leaf(rng, ty)));
            }
            case(branches)
        }
        _ => reader.of_type(rng, ty),
    }
}

/// A Boolean expression.
pub(crate) fn random_truth(rng: &mut Rng, model: &FlatModel, scope: Scope, depth: usize) -> Expr {
    Reader { model, scope, below: model.variables.len() }.truth(rng, depth)
}

struct Reader<'m> {
    model: &'m FlatModel,
    scope: Scope,
    /// Only variables before this one.
    below: usize,
}

impl Reader<'_> {
    /// Some variable that may be read here.
    fn variable(&self, rng: &mut Rng, wanted: impl Fn(&Type) -> bool) -> Option<Expr> {
        let fits = |id: &VarId| {
            let variable = &self.model.variables[id.index()];
            wanted(&variable.ty) && (variable.kind != VarKind::Input || self.scope != Scope::State)
        };
        let ids: Vec<VarId> = VarId::first(self.below).filter(fits).collect();
        if ids.is_empty() {
            return None;
        }
        let id = *rng.pick(&ids);
        let read = var(self.model, id);
        let is_input = self.model.variables[id.index()].kind == VarKind::Input;
        Some(if self.scope == Scope::Step && !is_input && rng.chance(0.15) { next(read) } else { read })
    }

    /// A constant or a variable of a type.
    fn leaf(&self, rng: &mut Rng, ty: &Type) -> Expr {
        let known = if rng.chance(0.5) { self.variable(rng, |other| other == ty) } else { None };
        known.unwrap_or_else(|| constant(random_value(rng, ty)))
    }

    fn of_type(&self, rng: &mut Rng, ty: &Type) -> Expr {
        match ty {
            Type::Boolean => self.truth(rng, 2),
            Type::Range(low, high) => {
                let value = self.integer(rng, 2);
                if rng.chance(0.1) {
                    return value;
                }
                let inside = any_of((*low..=*high).map(int).collect());
                let condition = test(BinaryOp::In, value.clone(), inside);
                case(vec![(condition, value), (boolean(true), self.leaf(rng, ty))])
            }
            Type::Enumeration(_) => self.leaf(rng, ty),
            Type::Word { width, signed } => self.word(rng, *width, *signed, 2),
        }
    }

    fn integer(&self, rng: &mut Rng, depth: usize) -> Expr {
        if depth == 0 {
            let known = self.variable(rng, |ty| matches!(ty, Type::Range(..)));
            return known.unwrap_or_else(|| int(rng.below(6) as i64 - 3));
        }
        match rng.below(8) {
            0 => int(rng.below(6) as i64 - 3),
            1 => {
                let word = self.word(rng, 2, rng.clone().chance(0.5), depth - 1);
                expr(ExprKind::Unary(UnaryOp::ToInteger, Box::new(word)), Type::Range(-2, 3))
            }
            2 => expr(ExprKind::Count(vec![self.truth(rng, 0), self.truth(rng, 0)]), Type::Range(0, 2)),
            3 => {
                let operator = *rng.pick(&[BinaryOp::Divide, BinaryOp::Modulo]);
                let by = if rng.chance(0.9) { int(rng.between(1, 3) as i64) } else { self.integer(rng, 0) };
                number(operator, self.integer(rng, depth - 1), by)
            }
            4 => case(vec![
                (self.truth(rng, 0), self.integer(rng, depth - 1)),
                (boolean(true), self.integer(rng, 0)),
            ]),
            _ => {
                let operator = *rng.pick(&[BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply]);
                number(operator, self.integer(rng, depth - 1), self.integer(rng, depth - 1))
            }
        }
    }

    fn word(&self, rng: &mut Rng, width: u32, signed: bool, depth: usize) -> Expr {
        let ty = Type::Word { width, signed };
        if depth == 0 {
            return self.leaf(rng, &ty);
        }
        let binary = |operator, left, right| {
            expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)), ty.clone())
        };
        match rng.below(6) {
            0 => expr(ExprKind::Unary(UnaryOp::Resize, Box::new(self.word(rng, 3, signed, depth - 1))), ty),
            1 => {
                let operator = *rng.pick(&[BinaryOp::ShiftLeft, BinaryOp::ShiftRight]);
                binary(operator, self.word(rng, width, signed, depth - 1), int(rng.below(4) as i64))
            }
            2 => {
                let operator = *rng.pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor, BinaryOp::Xnor]);
                let left = self.word(rng, width, signed, depth - 1);
                binary(operator, left, self.word(rng, width, signed, depth - 1))
            }
            3 => expr(
                ExprKind::Unary(
                    *rng.pick(&[UnaryOp::Not, UnaryOp::Minus]),
                    Box::new(self.word(rng, width, signed, depth - 1)),
                ),
                ty,
            ),
            _ => {
                let operator = *rng.pick(&[BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply]);
                let left = self.word(rng, width, signed, depth - 1);
                binary(operator, left, self.word(rng, width, signed, depth - 1))
            }
        }
    }

    fn truth(&self, rng: &mut Rng, depth: usize) -> Expr {
        if depth == 0 {
            return match rng.below(4) {
                0 if self.below == self.model.variables.len() && !self.model.defines.is_empty() => {
                    expr(ExprKind::Define(DefineId::new(0)), Type::Boolean)
                }
                0 => self.leaf(rng, &Type::Boolean),
                1 => {
                    let Some(left) = self.variable(rng, |_| true) else { return boolean(rng.chance(0.5)) };
                    let right = constant(random_value(rng, &left.ty.clone()));
                    test(*rng.pick(&[BinaryOp::Equal, BinaryOp::NotEqual]), left, right)
                }
                2 => {
                    let Some(left) = self.variable(rng, |_| true) else { return boolean(rng.chance(0.5)) };
                    let ty = left.ty.clone();
                    let left = if rng.chance(0.3) { any_of(vec![left, self.leaf(rng, &ty)]) } else { left };
                    test(BinaryOp::In, left, any_of(vec![self.leaf(rng, &ty), self.leaf(rng, &ty)]))
                }
                _ => test(*rng.pick(&COMPARISONS), self.integer(rng, 1), self.integer(rng, 0)),
            };
        }
        let operators =
            [BinaryOp::And, BinaryOp::Or, BinaryOp::Xor, BinaryOp::Xnor, BinaryOp::Implies, BinaryOp::Or];
        test(*rng.pick(&operators), self.truth(rng, depth - 1), self.truth(rng, depth - 1))
    }
}
