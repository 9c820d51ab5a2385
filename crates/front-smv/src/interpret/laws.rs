//! What a model demands of a first state, and of a step: the one list that both the enumeration and the judge read.

use super::evaluate::When;
use crate::{Assign, AssignTime, Expr, FlatModel, Value, VarId, VarKind};
use tertium_support::Id;

/// A variable at one of the two states of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Slot {
    pub(crate) when: When,
    pub(crate) variable: VarId,
}

/// The target is one of the values of an assignment that is read at this time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule<'m> {
    pub(crate) target: Slot,
    pub(crate) when: When,
    pub(crate) assign: &'m Assign,
}

/// A Boolean expression holds, read at this time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check<'m> {
    pub(crate) when: When,
    pub(crate) expr: &'m Expr,
}

/// Everything that is demanded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Laws<'m> {
    /// Variables that have the same value before and after.
    pub(crate) kept: Vec<VarId>,
    pub(crate) rules: Vec<Rule<'m>>,
    pub(crate) checks: Vec<Check<'m>>,
}

/// What is demanded of a first state.
pub(crate) fn initial_laws(model: &FlatModel) -> Laws<'_> {
    let rules = model.assigns.iter().filter(|assign| assign.time != AssignTime::Next);
    let rules = rules.filter(|assign| !is_input(model, assign.target));
    let now = When::Now;
    Laws {
        kept: Vec::new(),
        rules: rules.map(|assign| rule(assign, now, now)).collect(),
        checks: model.init.iter().chain(&model.invar).map(|expr| Check { when: now, expr }).collect(),
    }
}

/// What is demanded of a step in which this process runs, if there are processes. The state that it leaves is taken for granted.
pub(crate) fn step_laws(model: &FlatModel, process: Option<Value>) -> Laws<'_> {
    let mut laws = Laws::default();
    // Whether some process assigns the variable, and whether the one that runs does.
    let mut assigned = vec![(false, false); model.variables.len()];
    for assign in &model.assigns {
        match assign.time {
            AssignTime::Init => {}
            AssignTime::Current if is_input(model, assign.target) => {
                laws.rules.push(rule(assign, When::Now, When::Now));
            }
            AssignTime::Current => laws.rules.push(rule(assign, When::Next, When::Next)),
            AssignTime::Next => {
                let runs = assign.process.is_none_or(|name| process == Some(Value::Symbol(name)));
                let (somewhere, here) = &mut assigned[assign.target.index()];
                (*somewhere, *here) = (true, *here || runs);
                if runs {
                    laws.rules.push(rule(assign, When::Next, When::Now));
                }
            }
        }
    }
    let kept = |&variable: &VarId| {
        let (somewhere, here) = assigned[variable.index()];
        model.variables[variable.index()].kind == VarKind::Frozen || somewhere && !here
    };
    laws.kept = VarId::first(model.variables.len()).filter(kept).collect();
    laws.checks.extend(model.trans.iter().map(|expr| Check { when: When::Now, expr }));
    laws.checks.extend(model.invar.iter().map(|expr| Check { when: When::Next, expr }));
    laws
}

fn rule(assign: &Assign, target: When, when: When) -> Rule<'_> {
    Rule { target: Slot { when: target, variable: assign.target }, when, assign }
}

fn is_input(model: &FlatModel, variable: VarId) -> bool {
    model.variables[variable.index()].kind == VarKind::Input
}
