//! The clauses of a program: one for each step, two for a call.

use super::relevant::Relevance;
use super::{Application, Clause, Horn, Relation};
use crate::Entries;
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Substitution, Term, Terms, Variable};
use tertium_program::{Action, Call, Domain, Edge, Icfg, PointId, Procedure, ProcedureId, Step};
use tertium_support::Id;

/// A relation for each point, and a clause for each way from one to another.
pub(super) fn clauses(icfg: &Icfg, entries: &Entries, targets: &[PointId]) -> Horn {
    let relevance = Relevance::new(icfg);
    let mut making = Making { icfg, terms: &icfg.terms, entries, relevance, relations: Vec::new() };
    making.relations = (0..icfg.points().len()).map(|point| making.relation(PointId::new(point))).collect();
    let mut clauses = vec![making.beginning()];
    for edge in icfg.edges() {
        match &edge.action {
            Action::Step(step) => clauses.push(making.step(edge, step)),
            Action::Call(call) => clauses.extend([making.call(edge, call), making.back(edge, call)]),
        }
    }
    for &target in targets {
        let body = vec![making.at(target)];
        let note = format!("{} is not reached", making.relations[target.index()].name);
        clauses.push(Clause { body, condition: icfg.terms.boolean(true), head: None, note });
    }
    clauses.retain(|clause| icfg.terms.as_bool(clause.condition) != Some(false));
    let of_point = (0..icfg.points().len()).map(|point| (PointId::new(point), point)).collect();
    let kept = making.kept();
    let relations = making.relations;
    Horn { relations, clauses, of_point, kept, inside: Vec::new(), targets: targets.to_vec() }
}

struct Making<'a> {
    icfg: &'a Icfg,
    terms: &'a Terms,
    entries: &'a Entries,
    relevance: Relevance<'a>,
    relations: Vec<Relation>,
}

impl Making<'_> {
    /// The ghosts of a procedure that matter: what is its own ghost, and what has another.
    fn ghosts(&self, procedure: ProcedureId) -> (Vec<Variable>, Vec<Variable>) {
        if self.icfg.calls_of(procedure).is_empty() {
            return (Vec::new(), Vec::new());
        }
        let at_entry = self.relevance.at(self.icfg.procedure(procedure).entry);
        let pairs = self.entries.of_procedure(self.icfg, procedure);
        let pairs = pairs.filter(|(variable, _)| at_entry.contains(variable));
        let (changed, unchanged): (Vec<_>, Vec<_>) =
            pairs.partition(|&(variable, _)| self.relevance.changes(procedure, variable));
        let unchanged = unchanged.into_iter().map(|(variable, _)| variable).collect();
        (unchanged, changed.into_iter().map(|(_, ghost)| ghost).collect())
    }

    fn relation(&self, point: PointId) -> Relation {
        let procedure = self.icfg.point(point).procedure;
        let of = self.icfg.procedure(procedure);
        let here = self.relevance.at(point);
        let (mut unchanged, mut ghosts) = self.ghosts(procedure);
        let place = if point == of.entry {
            "entry".to_owned()
        } else if point == of.exit {
            "exit".to_owned()
        } else {
            let number = of.points.iter().position(|&own| own == point).unwrap_or_default();
            let kind = if self.icfg.point(point).is_loop_head { "loop" } else { "point" };
            format!("{kind}{number}")
        };
        if point == of.entry && self.icfg.point(point).entering.is_empty() {
            // Everything is its own ghost here.
            let originals = ghosts.iter().filter_map(|&ghost| self.entries.original(ghost));
            unchanged.extend(originals);
            ghosts.clear();
        }
        let others = here.iter().copied().filter(|variable| !unchanged.contains(variable));
        let arguments = unchanged.iter().copied().chain(ghosts).chain(others).collect();
        // Names of procedures need not be unique.
        let is_like = |other: &&Procedure| other.name == of.name;
        let n_like = self.icfg.procedures()[..procedure.index()].iter().filter(is_like).count();
        let number = if n_like > 0 { format!("@{n_like}") } else { String::new() };
        let name = format!("{}{number}@{place}", of.name).replace(['|', '\\'], "_");
        Relation { name, point, arguments, unchanged }
    }

    /// See [`Horn::kept`].
    fn kept(&self) -> Vec<Vec<Variable>> {
        let own_ghosts: BTreeSet<Variable> =
            self.relations.iter().flat_map(|relation| relation.unchanged.iter().copied()).collect();
        let globals = self.icfg.globals().iter().filter(|global| own_ghosts.contains(global));
        let of_procedure = |number: usize| {
            let procedure = ProcedureId::new(number);
            globals.clone().copied().filter(|&global| !self.relevance.changes(procedure, global)).collect()
        };
        (0..self.icfg.procedures().len()).map(of_procedure).collect()
    }

    /// What a relation says of the state.
    fn at(&self, point: PointId) -> Application {
        let arguments = &self.relations[point.index()].arguments;
        let values = arguments.iter().map(|&variable| self.terms.variable(variable)).collect();
        Application { relation: point.index(), values }
    }

    /// A relation after variables have got new values.
    fn after(&self, point: PointId, new: &BTreeMap<Variable, Term>) -> Application {
        let arguments = &self.relations[point.index()].arguments;
        let value = |variable: &Variable| {
            new.get(variable).copied().unwrap_or_else(|| self.terms.variable(*variable))
        };
        Application { relation: point.index(), values: arguments.iter().map(value).collect() }
    }

    /// That variables are within their domains, where that is said in short.
    fn within(&self, variables: impl Iterator<Item = Variable>) -> Term {
        let is_plain = |variable: &Variable| {
            self.icfg.cell(*variable).is_some_and(|cell| !matches!(cell.domain, Domain::Array(..)))
        };
        self.icfg.within(variables.filter(is_plain))
    }

    fn beginning(&self) -> Clause {
        let main = self.icfg.main;
        let entry = self.icfg.procedure(main).entry;
        let arguments = self.relations[entry.index()].arguments.iter().copied();
        let within = self.within(arguments);
        let condition = self.terms.and([self.icfg.initial, within]);
        let forgotten = self.entries.of_procedure(self.icfg, main);
        let forgotten = forgotten.map(|(variable, ghost)| (ghost, self.terms.variable(variable))).collect();
        let head = Some(self.after(entry, &forgotten));
        Clause { body: Vec::new(), condition, head, note: "beginning".to_owned() }
    }

    /// Ghosts where the source is an entry, whose relation has none.
    fn ghosts_at(&self, point: PointId) -> BTreeMap<Variable, Term> {
        let unchanged = &self.relations[point.index()].unchanged;
        let ghost = |&own: &Variable| Some((self.entries.ghost(own)?, self.terms.variable(own)));
        unchanged.iter().filter_map(ghost).collect()
    }

    fn note(&self, what: &str, edge: &Edge) -> String {
        let name = |point: PointId| &self.relations[point.index()].name;
        format!("{what} from {} to {}", name(edge.source), name(edge.target))
    }

    fn step(&self, edge: &Edge, step: &Step) -> Clause {
        let mut new = self.ghosts_at(edge.source);
        new.extend(step.updates.iter().map(|(&variable, &term)| (variable, term)));
        let head = Some(self.after(edge.target, &new));
        let note = self.note(if edge.is_exact { "step" } else { "step, which only may be one," }, edge);
        Clause { body: vec![self.at(edge.source)], condition: step.guard, head, note }
    }

    /// What formals, their ghosts, and those of globals are for a call.
    fn given(&self, call: &Call) -> BTreeMap<Variable, Term> {
        let formals = &self.icfg.procedure(call.callee).formals;
        let mut given: BTreeMap<Variable, Term> =
            formals.iter().copied().zip(call.arguments.iter().copied()).collect();
        for (variable, ghost) in self.entries.of_procedure(self.icfg, call.callee) {
            let value = given.get(&variable).copied().unwrap_or_else(|| self.terms.variable(variable));
            given.insert(ghost, value);
        }
        given
    }

    fn fresh(&self, variable: Variable) -> Term {
        let stem = format!("{}'", self.terms.name(variable));
        self.terms.variable(self.terms.fresh(&stem, &self.terms.sort_of(variable)))
    }

    /// That arguments are of the domains of the formals that matter.
    fn arguments_within(&self, call: &Call, given: &BTreeMap<Variable, Term>) -> Term {
        let callee = self.icfg.procedure(call.callee);
        let at_entry = self.relevance.at(callee.entry);
        let formals = callee.formals.iter().copied().filter(|formal| at_entry.contains(formal));
        let within = self.within(formals);
        Substitution::new(given.iter().map(|(&own, &term)| (own, term))).apply(self.terms, within)
    }

    fn call(&self, edge: &Edge, call: &Call) -> Clause {
        let callee = self.icfg.procedure(call.callee);
        let mut given = self.given(call);
        let arguments = self.arguments_within(call, &given);
        // Locals of the callee that matter at its entry have any value, and not that of the caller's activation of the same procedure.
        let at_entry = &self.relations[callee.entry.index()].arguments;
        let others = callee.variables.iter().copied();
        let others = others.filter(|own| !callee.formals.contains(own) && at_entry.contains(own));
        let others: Vec<(Variable, Term)> = others.map(|own| (own, self.fresh(own))).collect();
        let within = self.within(others.iter().map(|&(own, _)| own));
        let within = Substitution::new(others.iter().copied()).apply(self.terms, within);
        given.extend(others);
        let head = Some(self.after(callee.entry, &given));
        let condition = self.terms.and([arguments, within]);
        let note = format!("call of {} from {}", callee.name, self.relations[edge.source.index()].name);
        Clause { body: vec![self.at(edge.source)], condition, head, note }
    }

    fn back(&self, edge: &Edge, call: &Call) -> Clause {
        let callee = self.icfg.procedure(call.callee);
        let mut given = self.given(call);
        let arguments_within = self.arguments_within(call, &given);
        let exit = &self.relations[callee.exit.index()];
        // What is its own ghost has the value that it was given; all else that matters has any.
        let mut after = self.ghosts_at(edge.source);
        let mut new = Vec::new();
        for &variable in &exit.arguments {
            if self.entries.original(variable).is_none() && !exit.unchanged.contains(&variable) {
                let value = self.fresh(variable);
                given.insert(variable, value);
                new.push((variable, value));
                if self.icfg.globals().contains(&variable) {
                    after.insert(variable, value);
                }
            }
        }
        let within = self.within(new.iter().map(|&(variable, _)| variable));
        let within = Substitution::new(new.iter().copied()).apply(self.terms, within);
        for (result, taker) in callee.results.iter().zip(&call.results) {
            if let (Some(taker), Some(&value)) = (taker, given.get(result))
                && exit.arguments.contains(result)
            {
                after.insert(*taker, value);
            }
        }
        let body = vec![self.at(edge.source), self.after(callee.exit, &given)];
        let condition = self.terms.and([arguments_within, within]);
        let note = self.note(&format!("return of {}", callee.name), edge);
        Clause { body, condition, head: Some(self.after(edge.target, &after)), note }
    }
}
