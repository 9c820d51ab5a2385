//! What has to be shown so that conditions at points prove that other points are not reached, as questions whose answer should be "no".
//!
//! | question | can these hold together? |
//! |---|---|
//! | beginning | the program begins here, ghosts are what they are ghosts of, and not the condition at main's entry |
//! | step | the condition at the source, the guard, and not the condition at the target for the new values |
//! | call | the condition at the source, and not the condition at the callee's entry, where formals, ghosts of formals are arguments, ghosts of globals are globals, and all other variables are arbitrary |
//! | return | the condition at the source, the condition at the callee's exit for the same ghosts and any values, and not the condition at the target, where globals and takers of results have those values |
//! | target | the condition at a point that is not to be reached |
//!
//! Values are within their domains, which a graph promises. Where the condition at the source is false there is no question.

use crate::{Entries, Invariants};
use std::collections::BTreeMap;
use tertium_expr::{Substitution, Term, Terms, Variable};
use tertium_program::{Action, Call, Edge, EdgeId, Icfg, PointId, ProcedureId, Step};
use tertium_support::Id;

/// What has to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Obligation {
    /// The condition at main's entry holds where the program begins.
    Beginning,
    /// The condition at this point excludes all states.
    Target(PointId),
    /// The condition at the target of a step holds after it.
    Step(EdgeId),
    /// The condition at the entry of a callee holds when it is called.
    Call(EdgeId),
    /// The condition at the return point of a call holds when the callee has come to its exit.
    Return(EdgeId),
}

/// An obligation with the terms that must not hold together.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) obligation: Obligation,
    pub(crate) together: Vec<Term>,
}

/// All questions, the cheapest first; those that are answered by themselves are left out.
pub(crate) fn questions(
    icfg: &Icfg,
    entries: &Entries,
    invariants: &Invariants,
    targets: &[PointId],
) -> Vec<Question> {
    let asking = Asking { icfg, terms: &icfg.terms, entries, invariants };
    let mut all: Vec<Question> = targets.iter().map(|&target| asking.target(target)).collect();
    all.push(asking.beginning());
    for (index, edge) in icfg.edges().iter().enumerate() {
        let id = EdgeId::new(index);
        match &edge.action {
            Action::Step(step) => all.push(asking.step(id, edge, step)),
            Action::Call(call) => all.extend([asking.call(id, edge, call), asking.back(id, edge, call)]),
        }
    }
    all.retain(|question| question.together.iter().all(|&part| icfg.terms.as_bool(part) != Some(false)));
    all
}

struct Asking<'a> {
    icfg: &'a Icfg,
    terms: &'a Terms,
    entries: &'a Entries,
    invariants: &'a Invariants,
}

impl Asking<'_> {
    fn at(&self, point: PointId) -> Term {
        self.invariants.get(self.icfg, point)
    }

    fn is_nowhere(&self, point: PointId) -> bool {
        self.terms.as_bool(self.at(point)) == Some(false)
    }

    /// An obligation that nothing has to be asked for.
    fn nothing(&self, obligation: Obligation) -> Question {
        Question { obligation, together: vec![self.terms.boolean(false)] }
    }

    /// That a state of a procedure and its ghosts are within their domains.
    fn within(&self, procedure: ProcedureId) -> Term {
        let own = self.icfg.within(self.icfg.in_scope(procedure));
        let mut to_ghosts = Substitution::new(
            self.entries
                .of_procedure(self.icfg, procedure)
                .map(|(own, ghost)| (own, self.terms.variable(ghost))),
        );
        let at_entry =
            self.icfg.within(self.entries.of_procedure(self.icfg, procedure).map(|(variable, _)| variable));
        self.terms.and([own, to_ghosts.apply(self.terms, at_entry)])
    }

    /// What holds at the source of an edge.
    fn source(&self, edge: &Edge) -> Vec<Term> {
        let procedure = self.icfg.point(edge.source).procedure;
        vec![self.at(edge.source), self.within(procedure)]
    }

    fn target(&self, target: PointId) -> Question {
        let within = self.within(self.icfg.point(target).procedure);
        Question { obligation: Obligation::Target(target), together: vec![self.at(target), within] }
    }

    fn beginning(&self) -> Question {
        let main = self.icfg.main;
        let within = self.icfg.within(self.icfg.in_scope(main));
        let mut forgotten = self.entries.forgotten(self.icfg, main);
        let entry = forgotten.apply(self.terms, self.at(self.icfg.procedure(main).entry));
        let together = vec![self.icfg.initial, within, self.terms.not(entry)];
        Question { obligation: Obligation::Beginning, together }
    }

    fn step(&self, id: EdgeId, edge: &Edge, step: &Step) -> Question {
        if self.is_nowhere(edge.source) {
            return self.nothing(Obligation::Step(id));
        }
        let mut together = self.source(edge);
        together.extend([step.guard, self.terms.not(step.after(self.terms, self.at(edge.target)))]);
        Question { obligation: Obligation::Step(id), together }
    }

    /// The arguments as values of the formals, and that they are within the domains of these.
    fn arguments(&self, call: &Call) -> (BTreeMap<Variable, Term>, Term) {
        let formals = &self.icfg.procedure(call.callee).formals;
        let given: BTreeMap<Variable, Term> =
            formals.iter().copied().zip(call.arguments.iter().copied()).collect();
        let mut substitution = Substitution::new(given.iter().map(|(&formal, &argument)| (formal, argument)));
        let within = substitution.apply(self.terms, self.icfg.within(formals.iter().copied()));
        (given, within)
    }

    /// The ghosts of a callee as the caller sees them when it calls.
    fn ghosts(&self, call: &Call, given: &BTreeMap<Variable, Term>) -> Vec<(Variable, Term)> {
        let ghosts = self.entries.of_procedure(self.icfg, call.callee);
        let value = |variable| given.get(&variable).copied().unwrap_or_else(|| self.terms.variable(variable));
        ghosts.map(|(variable, ghost)| (ghost, value(variable))).collect()
    }

    fn fresh(&self, variable: Variable) -> Term {
        let name = self.terms.name(variable);
        self.terms.variable(self.terms.fresh(&name, &self.terms.sort_of(variable)))
    }

    fn call(&self, id: EdgeId, edge: &Edge, call: &Call) -> Question {
        if self.is_nowhere(edge.source) {
            return self.nothing(Obligation::Call(id));
        }
        let callee = self.icfg.procedure(call.callee);
        let (given, arguments_within) = self.arguments(call);
        let others = callee.variables.iter().filter(|variable| !given.contains_key(variable));
        let others: Vec<(Variable, Term)> =
            others.map(|&variable| (variable, self.fresh(variable))).collect();
        let within = self.icfg.within(others.iter().map(|&(variable, _)| variable));
        let mut entering =
            Substitution::new(self.ghosts(call, &given).into_iter().chain(given).chain(others));
        let entry = entering.apply(self.terms, self.at(callee.entry));
        let mut together = self.source(edge);
        together.extend([arguments_within, entering.apply(self.terms, within), self.terms.not(entry)]);
        Question { obligation: Obligation::Call(id), together }
    }

    fn back(&self, id: EdgeId, edge: &Edge, call: &Call) -> Question {
        let callee = self.icfg.procedure(call.callee);
        if self.is_nowhere(edge.source) || self.is_nowhere(callee.exit) {
            return self.nothing(Obligation::Return(id));
        }
        let (given, arguments_within) = self.arguments(call);
        let after: BTreeMap<Variable, Term> =
            self.icfg.in_scope(call.callee).map(|variable| (variable, self.fresh(variable))).collect();
        let ghosts = self.ghosts(call, &given);
        let mut leaving = Substitution::new(ghosts.into_iter().chain(after.clone()));
        let exit = leaving.apply(self.terms, self.at(callee.exit));
        let exit_within = leaving.apply(self.terms, self.icfg.within(self.icfg.in_scope(call.callee)));
        let mut changed: BTreeMap<Variable, Term> =
            self.icfg.globals().iter().map(|&global| (global, after[&global])).collect();
        for (result, taker) in callee.results.iter().zip(&call.results) {
            if let Some(taker) = taker {
                changed.insert(*taker, after[result]);
            }
        }
        let takers = self.icfg.within(changed.keys().copied());
        let mut returning = Substitution::new(changed);
        let takers_within = returning.apply(self.terms, takers);
        let target = returning.apply(self.terms, self.at(edge.target));
        let mut together = self.source(edge);
        together.extend([arguments_within, exit, exit_within, takers_within, self.terms.not(target)]);
        Question { obligation: Obligation::Return(id), together }
    }
}
