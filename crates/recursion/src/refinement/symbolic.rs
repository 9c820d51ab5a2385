//! Paths with calls, executed symbolically.
//!
//! Every variable has a term over the beginning and over what is chosen on the way: inputs, and variables that begin with any value. A run
//! goes along the path exactly if the conditions that were met can hold together.

use crate::abstraction::scopes::Scopes;
use crate::{IcfgRun, Move, RunStep};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tertium_expr::{Substitution, Term, Variable};
use tertium_program::{Action, Call, EdgeId, Step};
use tertium_solve::Model;
use tertium_support::{Context, StopReason};

/// A condition on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    /// How many moves come before.
    pub(crate) at: usize,
    /// Over what is in scope there, and the inputs of the next move.
    pub(crate) here: Term,
    /// Over the beginning and what was chosen.
    pub(crate) chosen: Term,
}

/// A path, executed.
pub(crate) struct Executed {
    /// What has to hold; what is plainly true is left out.
    pub(crate) conditions: Vec<Condition>,
    /// Domains of what was chosen, and what holds at the beginning.
    pub(crate) given: Vec<Term>,
    /// Each move with what was chosen in it: the variable of the program, and what stands for it.
    pub(crate) choices: Vec<Vec<(Variable, Variable)>>,
    /// The steps of the path, with inputs as they were named.
    pub(crate) steps: Vec<Option<Step>>,
    /// What the globals, formals and variables of the caller were at each call.
    pub(crate) at_calls: FxHashMap<usize, FxHashMap<Variable, Term>>,
    initial: BTreeSet<Variable>,
}

/// Values of the variables of an activation.
struct Frame {
    /// The move that began it.
    begun: Option<usize>,
    values: FxHashMap<Variable, Term>,
}

struct Execution<'a, 'p> {
    scopes: &'a Scopes<'p>,
    globals: FxHashMap<Variable, Term>,
    stack: Vec<Frame>,
    done: Executed,
}

/// Executes a path.
pub(crate) fn execute(
    context: &Context,
    scopes: &Scopes<'_>,
    moves: &[(Move, EdgeId)],
) -> Result<Executed, StopReason> {
    let terms = scopes.terms();
    let done = Executed {
        conditions: Vec::new(),
        given: terms.conjuncts(scopes.icfg.initial),
        choices: vec![Vec::new(); moves.len()],
        steps: vec![None; moves.len()],
        at_calls: FxHashMap::default(),
        initial: terms.variables_of(scopes.icfg.initial),
    };
    let stack = vec![Frame { begun: None, values: FxHashMap::default() }];
    let mut execution = Execution { scopes, globals: FxHashMap::default(), stack, done };
    let mut ticker = context.ticker("executing a path symbolically");
    for (at, &(what, edge)) in moves.iter().enumerate() {
        ticker.tick(64)?;
        match (what, &scopes.icfg.edge(edge).action) {
            (Move::Step, Action::Step(step)) => execution.step(at, step),
            (Move::Call, Action::Call(call)) => execution.call(at, call),
            (Move::Return, Action::Call(call)) => execution.come_back(call),
            _ => unreachable!("moves fit their edges"),
        }
    }
    let mut done = execution.done;
    done.given.extend(done.initial.iter().filter_map(|&variable| scopes.within(variable)));
    Ok(done)
}

/// The name of what is chosen for a variable in a move.
pub(crate) fn chosen(scopes: &Scopes<'_>, variable: Variable, at: usize) -> Variable {
    let terms = scopes.terms();
    terms.declare(&format!("{}@{at}", terms.name(variable)), &terms.sort_of(variable))
}

impl Execution<'_, '_> {
    /// A term, over the beginning and what was chosen.
    fn now(&mut self, term: Term) -> Term {
        let terms = self.scopes.terms();
        let variables = terms.variables_of(term);
        let values: Vec<(Variable, Term)> =
            variables.into_iter().map(|variable| (variable, self.value(variable))).collect();
        Substitution::new(values).apply(terms, term)
    }

    fn value(&mut self, variable: Variable) -> Term {
        let terms = self.scopes.terms();
        let Some(cell) = self.scopes.icfg.cell(variable) else { return terms.variable(variable) };
        let frame = self.stack.last_mut().expect("main is always there");
        let values = if cell.owner.is_none() { &mut self.globals } else { &mut frame.values };
        if let Some(&value) = values.get(&variable) {
            return value;
        }
        let name = match frame.begun {
            Some(at) if cell.owner.is_some() => {
                let name = chosen(self.scopes, variable, at);
                self.done.choices[at].push((variable, name));
                let inside = cell.domain.contains(terms, terms.variable(name));
                if terms.as_bool(inside) != Some(true) {
                    self.done.given.push(inside);
                }
                name
            }
            _ => {
                self.done.initial.insert(variable);
                variable
            }
        };
        values.insert(variable, terms.variable(name));
        terms.variable(name)
    }

    fn require(&mut self, at: usize, term: Term) {
        let terms = self.scopes.terms();
        for here in terms.conjuncts(term) {
            let chosen = self.now(here);
            if terms.as_bool(chosen) != Some(true) {
                self.done.conditions.push(Condition { at, here, chosen });
            }
        }
    }

    fn set(&mut self, variable: Variable, value: Term) {
        let is_global = self.scopes.icfg.cell(variable).is_some_and(|cell| cell.owner.is_none());
        let frame = self.stack.last_mut().expect("main is always there");
        let values = if is_global { &mut self.globals } else { &mut frame.values };
        values.insert(variable, value);
    }

    fn step(&mut self, at: usize, step: &Step) {
        let terms = self.scopes.terms();
        let names: Vec<(Variable, Variable)> = step
            .inputs
            .iter()
            .map(|input| (input.variable, chosen(self.scopes, input.variable, at)))
            .collect();
        let pairs = names.iter().map(|&(input, name)| (input, terms.variable(name)));
        let mut renaming = Substitution::new(pairs);
        let mut own = step.clone();
        own.guard = renamed(self.scopes, &mut renaming, step.guard);
        own.updates = step
            .updates
            .iter()
            .map(|(&variable, &term)| (variable, renamed(self.scopes, &mut renaming, term)))
            .collect();
        self.require(at, own.guard);
        let new: Vec<(Variable, Term)> =
            own.updates.iter().map(|(&variable, &term)| (variable, self.now(term))).collect();
        for (variable, value) in new {
            self.set(variable, value);
        }
        self.done.choices[at].extend(names);
        self.done.steps[at] = Some(own);
    }

    fn call(&mut self, at: usize, call: &Call) {
        let icfg = self.scopes.icfg;
        let formals = &icfg.procedure(call.callee).formals;
        let taken = icfg.within(formals.iter().copied());
        let taken = self.scopes.entering_callee(call).apply(&icfg.terms, taken);
        self.require(at, taken);
        let arguments: Vec<Term> = call.arguments.iter().map(|&argument| self.now(argument)).collect();
        let caller = self.stack.last().expect("main is always there");
        let mut before: FxHashMap<Variable, Term> = caller.values.clone();
        before.extend(self.globals.iter().map(|(&variable, &value)| (variable, value)));
        self.done.at_calls.insert(at, before);
        let values = formals.iter().copied().zip(arguments).collect();
        self.stack.push(Frame { begun: Some(at), values });
    }

    fn come_back(&mut self, call: &Call) {
        let results = &self.scopes.icfg.procedure(call.callee).results;
        let handed: Vec<(Variable, Term)> = results
            .iter()
            .zip(&call.results)
            .filter_map(|(&result, taker)| taker.map(|taker| (taker, self.value(result))))
            .collect();
        self.stack.pop();
        for (taker, value) in handed {
            self.set(taker, value);
        }
    }
}

fn renamed(scopes: &Scopes<'_>, renaming: &mut Substitution, term: Term) -> Term {
    renaming.apply(scopes.terms(), term)
}

impl Executed {
    /// The run that a model of all conditions describes.
    pub(crate) fn run(&self, scopes: &Scopes<'_>, moves: &[(Move, EdgeId)], model: &Model) -> IcfgRun {
        let terms = scopes.terms();
        let value = |variable| model.value(terms, variable);
        let initial = self.initial.iter().map(|&variable| (variable, value(variable))).collect();
        let mut depth = 1;
        let mut steps = Vec::with_capacity(moves.len());
        for (&(what, edge), choices) in moves.iter().zip(&self.choices) {
            let inputs = choices.iter().map(|&(variable, name)| (variable, value(name))).collect();
            steps.push(RunStep { edge, what, depth, inputs });
            match what {
                Move::Step => {}
                Move::Call => depth += 1,
                Move::Return => depth -= 1,
            }
        }
        IcfgRun { initial, steps }
    }
}
