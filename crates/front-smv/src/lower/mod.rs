//! From the flat model to a transition system of terms.
//!
//! The result has the states, initial states, steps and propositions that the interpreter gives one by one, and no
//! meaning exactly where the interpreter reports a fault. Several values that an assignment may take are a disjunction;
//! nothing is chosen by fresh variables. The size is linear in that of the model, but for operators on sets, which
//! apply to every combination of elements. Definitions are shared: what uses one is made of its terms.
//!
//! | file | holds |
//! |---|---|
//! | `slot` | variables and values, and what they are among terms |
//! | `scalar`, `operate` | what expressions denote, operators |
//! | `evaluate`, `sets` | expressions to what they denote |
//! | `value` | the one value of an expression as a term of the sort of a variable |
//! | `laws` | what is demanded of states and steps |
//! | `claim` | specifications to terms |
//! | `program` | the model as a program of guarded commands |
//! | `diagrams` | what bits of diagrams are among terms |

mod claim;
mod diagrams;
mod evaluate;
mod laws;
mod operate;
mod program;
mod scalar;
mod sets;
mod slot;
mod value;

pub(crate) use evaluate::{Evaluator, When};
pub use program::ProgramError;

use crate::{Expr, FlatModel, Input, Outline, State, Value, VarId, VarKind};
use laws::Law;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::{Terms, Value as TermValue, Variable};
use tertium_program::{Predicate, SystemVariable, TermSystem};
use tertium_support::Id;

/// A flat model as terms. They are made when they are asked for, each once.
#[derive(Debug)]
pub struct Lowered<'m> {
    pub(crate) evaluator: Evaluator<'m>,
    demands: OnceCell<Demands<'m>>,
}

/// What is demanded of states and steps.
#[derive(Debug)]
struct Demands<'m> {
    /// What is demanded of steps.
    steps: Vec<Law<'m>>,
    system: TermSystem,
}

/// A model as terms. With `keep`, only these variables, which must be closed under what they need: see [`crate::cone_of_influence`].
pub fn lower<'m>(model: &'m FlatModel, keep: Option<&BTreeSet<VarId>>) -> Lowered<'m> {
    lower_part(model, &Rc::new(Outline::new(model)), keep)
}

/// The same for a model with this outline. Costs what the part costs, however large the model is.
pub fn lower_part<'m>(
    model: &'m FlatModel,
    outline: &Rc<Outline>,
    keep: Option<&BTreeSet<VarId>>,
) -> Lowered<'m> {
    Lowered { evaluator: Evaluator::new(model, outline, keep), demands: OnceCell::new() }
}

fn demands<'m>(evaluator: &Evaluator<'m>) -> Demands<'m> {
    let model = evaluator.model;
    let is_state = |id: VarId| model.variables[id.index()].kind != VarKind::Input;
    let states = evaluator.state_laws(When::Now);
    let entered = evaluator.state_laws(When::Next);
    let initial: Vec<Law<'_>> = [&evaluator.initial_laws()[..], &states].concat();
    let steps: Vec<Law<'_>> = [&evaluator.step_laws()[..], &entered].concat();

    let terms = &evaluator.terms;
    let here = evaluator.domain(When::Now, is_state);
    let there = evaluator.domain(When::Next, is_state);
    let input_domain = evaluator.domain(When::Now, |id| !is_state(id));
    let around = terms.and([here, input_domain, there]);
    let (mut variables, mut inputs) = (Vec::new(), Vec::new());
    for slot in evaluator.kept.iter().map(|&id| evaluator.slot(id)) {
        match slot.next {
            Some(next) => variables.push(SystemVariable { current: slot.now, next }),
            None => inputs.push(slot.now),
        }
    }
    let system = TermSystem {
        variables,
        inputs,
        invariant: terms.and([here, laws::all(terms, &states)]),
        input_domain,
        initial: terms.and([here, laws::all(terms, &initial)]),
        step: terms.and([input_domain, there, laws::all(terms, &steps)]),
        initial_fault: laws::faults(terms, here, &initial),
        step_fault: laws::faults(terms, around, &steps),
    };
    Demands { steps, system }
}

impl<'m> Lowered<'m> {
    /// The flat model.
    pub fn flat(&self) -> &'m FlatModel {
        self.evaluator.model
    }

    fn demands(&self) -> &Demands<'m> {
        self.demands.get_or_init(|| demands(&self.evaluator))
    }

    /// The transition system. Its variables are the state and frozen variables that are kept, in the order of the model.
    pub fn system(&self) -> &TermSystem {
        &self.demands().system
    }

    /// Whether it is plain from the terms that all laws and fairness constraints have a meaning in every state. If not, it has to be looked
    /// for.
    pub fn has_plain_meaning(&self) -> bool {
        let system = self.system();
        let never = |fault| self.terms().as_bool(fault) == Some(false);
        let model = self.flat();
        let pairs = model.compassion.iter().flat_map(|(often, then)| [often, then]);
        [system.initial_fault, system.step_fault].into_iter().all(never)
            && model.justice.iter().chain(pairs).all(|constraint| never(self.atom(constraint).fault))
    }

    /// The store of all terms.
    pub fn terms(&self) -> &Terms {
        &self.evaluator.terms
    }

    /// The variable of terms that stands for a variable that is kept, before a step.
    pub fn current(&self, id: VarId) -> Variable {
        self.evaluator.slot(id).now
    }

    /// A Boolean expression without `next`. Over current copies and inputs.
    pub fn atom(&self, expr: &Expr) -> Predicate {
        self.evaluator.truth(expr, When::Now)
    }

    /// The values of the variables of terms at a state, an input and a next state, as far as given.
    pub fn values(
        &self,
        state: &State,
        input: Option<&Input>,
        next: Option<&State>,
    ) -> impl Fn(Variable) -> Option<TermValue> + use<> {
        let mut found = rustc_hash::FxHashMap::default();
        let model = self.flat();
        let (mut states, mut inputs) = (0.., 0..);
        for (id, variable) in VarId::first(model.variables.len()).zip(&model.variables) {
            let is_input = variable.kind == VarKind::Input;
            let at = if is_input { inputs.next() } else { states.next() }.expect("there are numbers enough");
            let copies = [When::Now, When::Next].map(|when| self.evaluator.copy(id, when));
            let [Some(now), after] = copies else { continue };
            let value = |value: Value| slot::to_terms(&variable.ty, &self.evaluator.slot(id).sort, value);
            if is_input {
                found.insert(now, input.and_then(|input| value(input.0[at])));
            } else {
                found.insert(now, value(state.0[at]));
                if let Some(after) = after {
                    found.insert(after, next.and_then(|next| value(next.0[at])));
                }
            }
        }
        move |variable| found.get(&variable).cloned().flatten()
    }

    /// The state that values of the current copies are; `None` if some value is not of its type. A variable without a value gets any.
    pub fn state(&self, values: &Values<'_>) -> Option<State> {
        self.decoded(values, When::Now, |kind| kind != VarKind::Input).map(State)
    }

    /// The state that values of the next copies are.
    pub fn next_state(&self, values: &Values<'_>) -> Option<State> {
        self.decoded(values, When::Next, |kind| kind != VarKind::Input).map(State)
    }

    /// The input that values are.
    pub fn input(&self, values: &Values<'_>) -> Option<Input> {
        self.decoded(values, When::Now, |kind| kind == VarKind::Input).map(Input)
    }

    fn decoded(
        &self,
        values: &Values<'_>,
        when: When,
        wanted: impl Fn(VarKind) -> bool,
    ) -> Option<Box<[Value]>> {
        let variables = &self.flat().variables;
        let wanted = VarId::first(variables.len()).filter(|id| wanted(variables[id.index()].kind));
        let decode = |id: VarId| {
            let ty = &variables[id.index()].ty;
            match self.evaluator.copy(id, when).and_then(values) {
                Some(value) => slot::from_terms(ty, &value),
                None => crate::interpret::values_of(ty).next(),
            }
        };
        wanted.map(decode).collect()
    }
}

/// Values of variables of terms.
pub type Values<'a> = dyn Fn(Variable) -> Option<TermValue> + 'a;
