//! The single steps of PL: their types, and the edges that they become.
//!
//! The type of an assignment of several variables is the product of one relation for each, introduced to what all depend on.
//! What leaves a domain blocks: guards say so, also before calls.

use super::lower::{Body, Lowering};
use super::tree::{Declaration, Name, Statement, StatementKind, Written};
use super::types::{Names, RelationType};
use crate::{Action, Call, Domain, Input, PointId, Step};
use std::collections::BTreeMap;
use tertium_expr::{Sort, Term, Variable};
use tertium_support::{Diagnostic, Span, nearest_names};

impl Lowering<'_> {
    pub(super) fn atomic(&mut self, body: &mut Body, statement: &Statement, written: Option<(Names, Names)>) {
        let (span, source) = (statement.span, body.at);
        let target = self.icfg.add_point(body.procedure, span);
        body.at = target;
        match &statement.kind {
            StatementKind::Skip => {
                self.extend(body, span, &RelationType::identity(Names::new()), &Names::new(), written);
                self.skip(source, target, span);
            }
            StatementKind::Assume(condition) => {
                let term = self.expression(body, condition, Some(&Sort::Bool));
                let Some(guard) = term else { return };
                self.extend(body, span, &RelationType::assume(self.locals(guard)), &Names::new(), written);
                self.guard(source, target, guard, span);
            }
            StatementKind::Kill(names) => {
                let names = self.own_only(names);
                self.extend(body, span, &RelationType::kill(names.clone()), &names, written);
                self.skip(source, target, span);
            }
            StatementKind::Var(variables) => self.var(body, span, source, variables, written),
            StatementKind::Assign(names, terms) => self.assign(body, span, source, names, terms, written),
            StatementKind::Call(takers, callee, arguments) => {
                self.call(body, span, source, takers, callee, arguments, written);
            }
            StatementKind::If(..)
            | StatementKind::While(..)
            | StatementKind::Either(..)
            | StatementKind::Scoped(..) => {
                unreachable!("only single steps are read there")
            }
        }
    }

    /// Names of variables of a scope. Globals are in none.
    fn own_only(&mut self, names: &[Name]) -> Names {
        let mut own = Names::new();
        for name in names {
            if self.globals.contains_key(&name.text) {
                self.complain(name.span, format!("`{}` is a global, and no variable of a scope", name.text));
            } else if !own.insert(name.text.clone()) {
                self.complain(name.span, format!("`{}` stands here twice", name.text));
            }
        }
        own
    }

    fn var(
        &mut self,
        body: &mut Body,
        span: Span,
        source: PointId,
        variables: &[Declaration],
        written: Option<(Names, Names)>,
    ) {
        let names: Vec<Name> = variables.iter().map(|variable| variable.name.clone()).collect();
        let names = self.own_only(&names);
        if let Some(twice) = names.iter().find(|&name| body.scope.contains(name)) {
            self.complain(span, format!("`{twice}` is in scope already"));
            return;
        }
        self.extend(body, span, &RelationType::declare(names), &Names::new(), written);
        let terms = self.icfg.terms.boolean(true);
        let mut step = Step { guard: terms, inputs: Vec::new(), updates: BTreeMap::new() };
        for declaration in variables {
            let (name, domain) = (&declaration.name, &declaration.domain);
            let variable = self.variable(body, name, domain);
            if self.icfg.cell(variable).is_some_and(|cell| cell.domain != *domain) {
                self.complain(name.span, format!("`{}` was declared with other values", name.text));
            }
            let terms = &self.icfg.terms;
            let input = terms.fresh(&format!("{}_any", name.text), &domain.sort());
            step.guard = terms.and([step.guard, domain.contains(terms, terms.variable(input))]);
            step.updates.insert(variable, terms.variable(input));
            step.inputs.push(Input { variable: input, domain: domain.clone() });
        }
        self.icfg.add_edge(source, body.at, Action::Step(step), true, span);
    }

    fn assign(
        &mut self,
        body: &mut Body,
        span: Span,
        source: PointId,
        names: &[Name],
        written_terms: &[Written],
        written: Option<(Names, Names)>,
    ) {
        if names.len() != written_terms.len() {
            let message = format!("{} variables, but {} values", names.len(), written_terms.len());
            return self.complain(span, message);
        }
        // The product of one relation for each variable, introduced to the variables of all.
        let mut terms = Vec::new();
        for (name, written) in names.iter().zip(written_terms) {
            let sort = self.sort_of(body, name);
            let Some(term) = self.expression(body, written, sort.as_ref()) else { return };
            terms.push(term);
        }
        let all: Names = terms.iter().flat_map(|&term| self.locals(term)).collect();
        let mut relation = RelationType::new(all.clone(), Names::new());
        let mut globals = Names::new();
        for (name, &term) in names.iter().zip(&terms) {
            let to = self.own(body, std::slice::from_ref(name));
            let again = to.is_empty() && !globals.insert(name.text.clone());
            let factor = RelationType::new(self.locals(term), to).introduce(&all);
            let product = relation.product(&factor);
            let Some(product) = self.typed(name.span, product) else { return };
            if again {
                return self.complain(name.span, format!("`{}` gets two values", name.text));
            }
            relation = product;
        }
        if !self.assignable(body, names, written.is_some()) {
            return;
        }
        self.extend(body, span, &relation, &Names::new(), written);
        let truth = self.icfg.terms.boolean(true);
        let mut step = Step { guard: truth, inputs: Vec::new(), updates: BTreeMap::new() };
        for (name, &term) in names.iter().zip(&terms) {
            let variable = self.variable(body, name, &Domain::Int);
            let cell = self.icfg.cell(variable).expect("variables are declared");
            let inside = cell.domain.contains(&self.icfg.terms, term);
            step.guard = self.icfg.terms.and([step.guard, inside]);
            if term != self.icfg.terms.variable(variable) {
                step.updates.insert(variable, term);
            }
        }
        self.icfg.add_edge(source, body.at, Action::Step(step), true, span);
    }

    /// Without a scope that is written out, only variables in scope get values.
    fn assignable(&mut self, body: &Body, names: &[Name], is_written: bool) -> bool {
        let missing = names
            .iter()
            .find(|name| !body.scope.contains(&name.text) && !self.globals.contains_key(&name.text));
        if let (Some(name), false) = (missing, is_written) {
            let mut mistake =
                Diagnostic::error(name.span, format!("there is no variable `{}` in scope", name.text));
            let known = body.scope.iter().chain(self.globals.keys()).map(String::as_str);
            if let Some(near) = nearest_names(&name.text, known).first() {
                mistake = mistake.with_note(format!("is `{near}` meant?"));
            }
            self.complaints.push(mistake);
            return false;
        }
        true
    }

    fn sort_of(&self, body: &Body, name: &Name) -> Option<Sort> {
        let variable = body.declared.get(&name.text).or_else(|| self.globals.get(&name.text))?;
        Some(self.icfg.terms.sort_of(*variable))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a call")]
    fn call(
        &mut self,
        body: &mut Body,
        span: Span,
        source: PointId,
        takers: &[Name],
        callee: &Name,
        arguments: &[Written],
        written: Option<(Names, Names)>,
    ) {
        let Some(&(id, tree)) = self.procedures.get(&callee.text) else {
            return self.complain(callee.span, format!("there is no procedure `{}`", callee.text));
        };
        if id == self.icfg.main {
            return self.complain(callee.span, format!("`{}` is main, and never called", callee.text));
        }
        if arguments.len() != tree.formals.len() {
            let message = format!("`{}` takes {} arguments", callee.text, tree.formals.len());
            return self.complain(span, message);
        }
        if !takers.is_empty() && takers.len() != tree.results.len() {
            let message = format!("`{}` returns {} values", callee.text, tree.results.len());
            return self.complain(span, message);
        }
        let procedure = self.icfg.procedure(id);
        let (formals, results) = (procedure.formals.clone(), procedure.results.clone());
        if formals.len() != tree.formals.len() || results.len() != tree.results.len() {
            // What is wrong there was told there.
            return;
        }
        let mut terms = Vec::new();
        let mut guard = self.icfg.terms.boolean(true);
        for (argument, &formal) in arguments.iter().zip(&formals) {
            let sort = self.icfg.terms.sort_of(formal);
            let Some(term) = self.expression(body, argument, Some(&sort)) else { return };
            if !self.is_within(term, formal) {
                let cell = self.icfg.cell(formal).expect("variables are declared");
                let inside = cell.domain.contains(&self.icfg.terms, term);
                guard = self.icfg.terms.and([guard, inside]);
            }
            terms.push(term);
        }
        let needed: Names = terms.iter().flat_map(|&term| self.locals(term)).collect();
        let mut relation = RelationType::new(needed.clone(), Names::new());
        for name in takers {
            let factor = RelationType::new(needed.clone(), self.own(body, std::slice::from_ref(name)));
            let Some(product) = self.typed(name.span, relation.product(&factor)) else { return };
            relation = product;
        }
        if !self.assignable(body, takers, written.is_some()) {
            return;
        }
        self.extend(body, span, &relation, &Names::new(), written);
        let mut taken = Vec::new();
        for (name, &result) in takers.iter().zip(&results) {
            let taker = self.variable(body, name, &Domain::Int);
            let given = self.icfg.terms.variable(result);
            if !self.is_within(given, taker) {
                let message = format!("values that `{}` returns do not fit in `{}`", callee.text, name.text);
                self.complain(name.span, message);
            }
            taken.push(Some(taker));
        }
        taken.resize(results.len(), None);
        let mut from = source;
        if self.icfg.terms.as_bool(guard) != Some(true) {
            from = self.icfg.add_point(body.procedure, span);
            self.guard(source, from, guard, span);
        }
        let call = Call { callee: id, arguments: terms, results: taken };
        self.icfg.add_edge(from, body.at, Action::Call(call), true, span);
    }

    /// Whether all values that a term can have are of the domain of a variable, as far as one look tells.
    fn is_within(&self, term: Term, variable: Variable) -> bool {
        let domain = |variable| self.icfg.cell(variable).map(|cell| cell.domain.clone());
        let Some(wanted) = domain(variable) else { return false };
        let own = self.icfg.terms.variables_of(term).into_iter().next();
        let same = own.filter(|&own| self.icfg.terms.variable(own) == term).and_then(domain);
        match (wanted, same) {
            (wanted, Some(same)) if wanted == same => true,
            (Domain::Range(low, high), Some(Domain::Range(own_low, own_high))) => {
                low <= own_low && own_high <= high
            }
            (wanted, same) => wanted.is_whole() && same.is_none_or(|same| same.sort() == wanted.sort()),
        }
    }
}
