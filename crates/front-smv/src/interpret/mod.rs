//! The meaning of a flat model, one state at a time: what expressions denote, which states are initial, which steps exist.
//!
//! This is the semantics that everything else is held against, so it is written from the definition and not for speed. An
//! expression denotes a set of values, one value unless a set is written; where one truth value is needed, a set of two is a
//! [`Fault`]. A state gives every state and frozen variable a value of its type. With `s → t` under the input `i`:
//!
//! - `init(x) := e`: x is one of e in the first state; `x := e`: in every state; `next(x) := e`: in t, with e read in s, i, t.
//! - With processes, a next assignment counts in the steps of its process; a variable that some process assigns, but not the
//!   one that runs, keeps its value. A variable that nobody assigns is free.
//! - INIT, INVAR and TRANS always hold; frozen variables never change.
//!
//! Faults are values. A conjunction with a false part is false whatever faults in the other parts, and so is the conjunction
//! of all constraints: a fault counts only for a state or step that nothing else excludes. Hence the order in which
//! the enumeration tries values cannot be seen in its result.

mod complete;
mod domain;
mod enumerate;
mod evaluate;
mod fault;
mod judge;
mod laws;
mod operate;
mod plan;

pub use complete::Given;
pub use domain::{value_from_text, value_text};
pub use enumerate::Halt;
pub use fault::{Fault, FaultKind};
pub use judge::{Judgement, Obstacle};

pub(crate) use domain::{contains, values_of};
pub(crate) use evaluate::{Buffers, Valuation, When};

use crate::reads::Reads;
use crate::{Define, Expr, ExprKind, FlatModel, Value, VarId, VarKind};
use plan::{Plan, plan_initial, plan_steps};
use tertium_support::{Context, Id};

/// The values of the state and frozen variables, in the order of the model.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub Box<[Value]>);

/// The values of the input variables, in the order of the model.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Input(pub Box<[Value]>);

/// A flat model with what is needed to run it.
#[derive(Debug)]
pub struct Interpreter<'m> {
    model: &'m FlatModel,
    /// The state and frozen variables, in the order of the model.
    state_variables: Vec<VarId>,
    /// The input variables, in the order of the model.
    input_variables: Vec<VarId>,
    reads: Reads,
    /// By node of `reads`: the definitions that it stands in.
    readers: Vec<Vec<usize>>,
    /// Definitions to evaluate first, in this order, so that long chains of definitions need no deep recursion.
    stations: Vec<usize>,
    initial: Plan<'m>,
    /// One plan per value of the selector; one plan if there are no processes.
    steps: Vec<(Option<Value>, Plan<'m>)>,
}

impl<'m> Interpreter<'m> {
    /// Prepares a model.
    pub fn new(model: &'m FlatModel) -> Self {
        let of_kind = |wanted: fn(VarKind) -> bool| {
            let ids = VarId::first(model.variables.len());
            ids.filter(|id| wanted(model.variables[id.index()].kind)).collect::<Vec<_>>()
        };
        let reads = Reads::new(model);
        let initial = plan_initial(model, &reads);
        let steps = plan_steps(model, &reads);
        Self {
            model,
            state_variables: of_kind(|kind| kind != VarKind::Input),
            input_variables: of_kind(|kind| kind == VarKind::Input),
            stations: stations(&model.defines),
            readers: reads.readers(),
            reads,
            initial,
            steps,
        }
    }

    /// The model.
    pub fn model(&self) -> &'m FlatModel {
        self.model
    }

    /// The variables whose values make a state, in their order.
    pub fn state_variables(&self) -> &[VarId] {
        &self.state_variables
    }

    /// The variables whose values make an input, in their order.
    pub fn input_variables(&self) -> &[VarId] {
        &self.input_variables
    }

    /// Whether a Boolean expression without `next` holds at a state, or at a step of it when an input is given.
    pub fn holds(&self, expr: &Expr, state: &State, input: Option<&Input>) -> Result<bool, Fault> {
        self.at(state, input).holds(expr)
    }

    /// The values that an expression without `next` may have at a state.
    pub fn values(&self, expr: &Expr, state: &State, input: Option<&Input>) -> Result<Vec<Value>, Fault> {
        self.at(state, input).values(expr)
    }

    /// A place at which many expressions are to be evaluated; definitions are evaluated once.
    pub fn at(&self, state: &State, input: Option<&Input>) -> Place<'_, 'm> {
        let mut valuation = Valuation::new(self);
        valuation.load_now(state, input);
        Place { valuation }
    }

    /// The initial states.
    pub fn initial_states(&self, context: &Context) -> Result<Vec<State>, Halt> {
        let mut found = Vec::new();
        self.for_each_initial(&mut context.ticker("initial states"), |state| found.push(state))?;
        Ok(found)
    }

    /// The steps from a state, with the inputs that lead there.
    pub fn successors(&self, context: &Context, state: &State) -> Result<Vec<(Input, State)>, Halt> {
        let mut found = Vec::new();
        let mut ticker = context.ticker("successors");
        self.for_each_successor(&mut ticker, state, |input, next| found.push((input, next)))?;
        Ok(found)
    }
}

/// A state, perhaps with an input, at which expressions are evaluated.
#[derive(Debug)]
pub struct Place<'i, 'm> {
    valuation: Valuation<'i, 'm>,
}

impl Place<'_, '_> {
    /// Whether a Boolean expression without `next` holds here.
    pub fn holds(&mut self, expr: &Expr) -> Result<bool, Fault> {
        self.valuation.truth(expr, evaluate::When::Now)
    }

    /// The values that an expression without `next` may have here.
    pub fn values(&mut self, expr: &Expr) -> Result<Vec<Value>, Fault> {
        self.valuation.evaluate(expr, evaluate::When::Now).map(|values| values.as_slice().to_vec())
    }
}

/// The direct parts of an expression.
pub(crate) fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Define(_) => Vec::new(),
        ExprKind::Next(e) | ExprKind::Unary(_, e) | ExprKind::Bits(e, _, _) => vec![e],
        ExprKind::Binary(_, left, right) => vec![left, right],
        ExprKind::Case(branches) => branches.iter().flat_map(|(c, v)| [c, v]).collect(),
        ExprKind::Set(elements) | ExprKind::Count(elements) => elements.iter().collect(),
    }
}

/// Every definition whose chain of definitions has a length divisible by this is a station.
const STATION_DISTANCE: usize = 32;

fn stations(defines: &[Define]) -> Vec<usize> {
    let mut lengths: Vec<usize> = Vec::with_capacity(defines.len());
    for define in defines {
        let mut length = 0;
        let mut waiting = vec![&define.body];
        while let Some(expr) = waiting.pop() {
            match &expr.kind {
                ExprKind::Define(id) => length = length.max(lengths[id.index()] + 1),
                _ => waiting.extend(parts(expr)),
            }
        }
        lengths.push(length);
    }
    (0..defines.len()).filter(|&at| lengths[at] > 0 && lengths[at].is_multiple_of(STATION_DISTANCE)).collect()
}
