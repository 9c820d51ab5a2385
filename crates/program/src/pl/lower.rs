//! PL from the tree to a graph, with types checked on the way.
//!
//! Each statement has a relation type of its own, which is extended to the scope around: what it does not touch keeps its
//! value. Extensions that are written out are checked as they stand; the others extend from the variables in scope to these
//! and what the statement declares, without what it kills. So all rules are those of [`RelationType`].
//!
//! In the graph all variables of a procedure are there at all points: `var` gives any value, `kill` does nothing.

use super::tree::{Declaration, Name, ProcedureTree, Statement, StatementKind, Tree, Written};
use super::types::{IllTyped, Names, RelationType, Typing};
use crate::{Action, Domain, Icfg, PointId, ProcedureId, Step};
use std::collections::BTreeMap;
use tertium_expr::{Scope, Sort, Term, Terms, Variable};
use tertium_support::{Complaints, Diagnostic, Diagnostics, Span};

const MOST_COMPLAINTS: usize = 50;

/// What is wrong is in the list; the graph is of use only if nothing is.
pub(super) fn lower(tree: &Tree) -> (Icfg, Diagnostics) {
    let mut lowering = Lowering {
        icfg: Icfg::new(Terms::new()),
        globals: BTreeMap::new(),
        procedures: BTreeMap::new(),
        complaints: Complaints::at_most(MOST_COMPLAINTS),
    };
    for global in &tree.globals {
        let variable = lowering.icfg.add_global(&global.name.text, global.domain.clone(), global.name.span);
        if lowering.globals.insert(global.name.text.clone(), variable).is_some() {
            lowering.complain(global.name.span, format!("there are two globals `{}`", global.name.text));
        }
    }
    for procedure in &tree.procedures {
        lowering.declare(procedure);
    }
    for (index, procedure) in tree.procedures.iter().enumerate() {
        let main = lowering.icfg.main;
        let (id, _) = lowering.procedures[&procedure.name.text];
        if id == main && index == 0 && !(procedure.formals.is_empty() && procedure.results.is_empty()) {
            let message = format!("`{}` is main: it takes and returns nothing", procedure.name.text);
            lowering.complain(procedure.name.span, message);
        }
        lowering.body(procedure, id);
    }
    if tree.procedures.is_empty() {
        lowering.complain(Span::point(0), "there is no procedure".to_owned());
    }
    (lowering.icfg, lowering.complaints.into_list())
}

pub(super) struct Lowering<'t> {
    pub(super) icfg: Icfg,
    pub(super) globals: BTreeMap<String, Variable>,
    pub(super) procedures: BTreeMap<String, (ProcedureId, &'t ProcedureTree)>,
    pub(super) complaints: Complaints,
}

/// The body that is lowered.
pub(super) struct Body {
    pub(super) procedure: ProcedureId,
    /// All variables that were declared so far, in scope or not.
    pub(super) declared: BTreeMap<String, Variable>,
    pub(super) scope: Names,
    pub(super) at: PointId,
}

/// What expressions may speak of.
struct InScope<'a> {
    globals: &'a BTreeMap<String, Variable>,
    declared: &'a BTreeMap<String, Variable>,
    scope: &'a Names,
    terms: &'a Terms,
}

impl Scope for InScope<'_> {
    fn term(&self, name: &str) -> Option<Term> {
        let own = self.scope.contains(name).then(|| self.declared.get(name)).flatten();
        own.or_else(|| self.globals.get(name)).map(|&variable| self.terms.variable(variable))
    }

    fn sort(&self, _: &str) -> Option<Sort> {
        None
    }

    fn names(&self) -> Vec<String> {
        self.scope.iter().chain(self.globals.keys()).cloned().collect()
    }
}

impl<'t> Lowering<'t> {
    pub(super) fn complain(&mut self, span: Span, message: String) {
        self.complaints.push(Diagnostic::error(span, message));
    }

    fn declare(&mut self, tree: &'t ProcedureTree) {
        let id = self.icfg.add_procedure(&tree.name.text, tree.name.span);
        if self.procedures.insert(tree.name.text.clone(), (id, tree)).is_some() {
            self.complain(tree.name.span, format!("there are two procedures `{}`", tree.name.text));
        }
        for formal in &tree.formals {
            let name = &formal.name;
            if self.variable_of(id, &name.text).is_some() || self.globals.contains_key(&name.text) {
                self.complain(name.span, format!("there are two variables `{}`", name.text));
                continue;
            }
            let variable = self.icfg.add_variable(id, &name.text, formal.domain.clone(), name.span);
            self.icfg.add_formal(id, variable);
        }
        // Callers come before bodies: the domains of results are known first.
        for result in &tree.results {
            let variable = self.variable_of(id, &result.text).or_else(|| {
                let own = find_declaration(&tree.body, &result.text)?.domain.clone();
                Some(self.icfg.add_variable(id, &result.text, own, result.span))
            });
            match variable {
                Some(variable) if self.icfg.procedure(id).results.contains(&variable) => {
                    self.complain(result.span, format!("`{}` is returned twice", result.text));
                }
                Some(variable) => self.icfg.add_result(id, variable),
                None => self.complain(result.span, format!("there is no variable `{}`", result.text)),
            }
        }
    }

    fn variable_of(&self, procedure: ProcedureId, name: &str) -> Option<Variable> {
        let variables = self.icfg.procedure(procedure).variables.iter().copied();
        variables.into_iter().find(|&own| self.icfg.cell(own).is_some_and(|cell| cell.name == name))
    }

    fn body(&mut self, tree: &ProcedureTree, procedure: ProcedureId) {
        let own = self.icfg.procedure(procedure);
        let (at, exit) = (own.entry, own.exit);
        let name = |variable: &Variable| self.icfg.cell(*variable).map(|cell| cell.name.clone());
        let scope: Names = own.formals.iter().filter_map(name).collect();
        let declared = own.variables.iter().filter_map(|own| Some((name(own)?, *own))).collect();
        let mut body = Body { procedure, declared, scope, at };
        self.block(&mut body, &tree.body);
        for result in &tree.results {
            if !body.scope.contains(&result.text) {
                let message = format!("`{}` is returned, but not in scope here", result.text);
                self.complain(tree.end, message);
            }
        }
        self.skip(body.at, exit, tree.end);
    }

    fn block(&mut self, body: &mut Body, block: &[Statement]) {
        block.iter().for_each(|statement| self.statement(body, statement));
    }

    /// A step without effect.
    pub(super) fn skip(&mut self, source: PointId, target: PointId, span: Span) {
        let guard = self.icfg.terms.boolean(true);
        self.guard(source, target, guard, span);
    }

    pub(super) fn guard(&mut self, source: PointId, target: PointId, guard: Term, span: Span) {
        let step = Step { guard, inputs: Vec::new(), updates: BTreeMap::new() };
        self.icfg.add_edge(source, target, Action::Step(step), true, span);
    }

    pub(super) fn expression(&mut self, body: &Body, written: &Written, sort: Option<&Sort>) -> Option<Term> {
        let terms = &self.icfg.terms;
        let (globals, declared) = (&self.globals, &body.declared);
        let scope = InScope { globals, declared, scope: &body.scope, terms };
        let term = match sort {
            Some(sort) => written.expression.lower_to(terms, &scope, sort),
            None => written.expression.lower(terms, &scope),
        };
        match term {
            Ok(term) => Some(term),
            Err(mistakes) => {
                mistakes.into_iter().for_each(|mistake| self.complaints.push(mistake));
                None
            }
        }
    }

    /// The locals that a term depends on.
    pub(super) fn locals(&self, term: Term) -> Names {
        let variables = self.icfg.terms.variables_of(term).into_iter();
        let cells = variables.filter_map(|variable| self.icfg.cell(variable));
        cells.filter(|cell| cell.owner.is_some()).map(|cell| cell.name.clone()).collect()
    }

    /// Local names among these; others have to be globals.
    pub(super) fn own(&mut self, body: &Body, names: &[Name]) -> Names {
        let mut own = Names::new();
        for name in names {
            if !self.globals.contains_key(&name.text) || body.scope.contains(&name.text) {
                own.insert(name.text.clone());
            }
        }
        own
    }

    /// The variable of a name; one that is met for the first time can have all integers.
    pub(super) fn variable(&mut self, body: &mut Body, name: &Name, domain: &Domain) -> Variable {
        if let Some(&variable) = body.declared.get(&name.text).or_else(|| self.globals.get(&name.text)) {
            return variable;
        }
        let variable = self.icfg.add_variable(body.procedure, &name.text, domain.clone(), name.span);
        body.declared.insert(name.text.clone(), variable);
        variable
    }

    fn statement(&mut self, body: &mut Body, statement: &Statement) {
        for label in &statement.labels {
            let procedure = &self.icfg.procedure(body.procedure).name;
            let full = format!("{procedure}.{}", label.text);
            if self.icfg.labels.contains_key(&full) {
                self.complain(label.span, format!("there are two labels `{}`", label.text));
            }
            self.icfg.add_label(&label.text, body.at);
            self.icfg.add_label(&full, body.at);
        }
        match &statement.kind {
            StatementKind::If(condition, then, otherwise) => {
                self.branches(body, statement.span, Some(condition), &[&then[..], &otherwise[..]]);
            }
            StatementKind::Either(blocks) => {
                let blocks: Vec<&[Statement]> = blocks.iter().map(Vec::as_slice).collect();
                self.branches(body, statement.span, None, &blocks);
            }
            StatementKind::While(condition, inner) => self.while_loop(body, statement.span, condition, inner),
            StatementKind::Scoped(from, to, inner) => {
                let from = from.iter().map(|name| name.text.clone()).collect();
                let to = to.iter().map(|name| name.text.clone()).collect();
                self.atomic(body, inner, Some((from, to)));
            }
            _ => self.atomic(body, statement, None),
        }
    }

    fn branches(
        &mut self,
        body: &mut Body,
        span: Span,
        condition: Option<&Written>,
        blocks: &[&[Statement]],
    ) {
        let guard = condition.map(|condition| {
            let term = self.expression(body, condition, Some(&Sort::Bool));
            term.unwrap_or_else(|| self.icfg.terms.boolean(true))
        });
        let (before, start) = (body.scope.clone(), body.at);
        let end = self.icfg.add_point(body.procedure, span);
        let mut common: Option<RelationType> = None;
        for (index, block) in blocks.iter().enumerate() {
            let first = self.icfg.add_point(body.procedure, span);
            let terms = &self.icfg.terms;
            let own =
                guard.map_or(terms.boolean(true), |guard| if index == 0 { guard } else { terms.not(guard) });
            self.guard(start, first, own, span);
            (body.scope, body.at) = (before.clone(), first);
            self.block(body, block);
            self.skip(body.at, end, span);
            let own = RelationType::new(before.clone(), body.scope.clone());
            let typing = common.as_ref().map_or(Ok(own.clone()), |common| common.or(&own));
            common = Some(self.typed(span, typing).unwrap_or(own));
        }
        body.at = end;
    }

    fn while_loop(&mut self, body: &mut Body, span: Span, condition: &Written, inner: &[Statement]) {
        let term = self.expression(body, condition, Some(&Sort::Bool));
        let guard = term.unwrap_or_else(|| self.icfg.terms.boolean(true));
        let (head, before) = (body.at, body.scope.clone());
        self.icfg.mark_loop_head(head);
        let (first, end) =
            (self.icfg.add_point(body.procedure, span), self.icfg.add_point(body.procedure, span));
        self.guard(head, first, guard, span);
        body.at = first;
        self.block(body, inner);
        self.skip(body.at, head, span);
        // One round is composed with the loop, which begins with the scope before it.
        let round = RelationType::new(before.clone(), body.scope.clone());
        self.typed(span, round.then(&RelationType::identity(before.clone())));
        let leaves = self.icfg.terms.not(guard);
        self.guard(head, end, leaves, span);
        (body.scope, body.at) = (before, end);
    }

    pub(super) fn typed(&mut self, span: Span, typing: Typing) -> Option<RelationType> {
        match typing {
            Ok(relation) => Some(relation),
            Err(IllTyped(reason)) => {
                self.complain(span, reason);
                None
            }
        }
    }

    /// Extends a relation to the scope around, or to the one that is written out, and goes on there.
    pub(super) fn extend(
        &mut self,
        body: &mut Body,
        span: Span,
        relation: &RelationType,
        killed: &Names,
        written: Option<(Names, Names)>,
    ) {
        let is_written = written.is_some();
        let (from, to) = written.unwrap_or_else(|| {
            let after = body.scope.union(&relation.to).filter(|name| !killed.contains(*name));
            (body.scope.clone(), after.cloned().collect())
        });
        let Some(extended) = self.typed(span, relation.extend(&from, &to)) else { return };
        let around = RelationType::identity(body.scope.clone());
        if self.typed(span, around.then(&extended)).is_some() {
            if let Some(name) = extended.to.iter().find(|name| self.globals.contains_key(*name)) {
                self.complain(span, format!("`{name}` is a global, and no variable of a scope"));
            }
            if is_written {
                for name in &extended.to {
                    let name = Name { text: name.clone(), span };
                    self.variable(body, &name, &Domain::Int);
                }
            }
            body.scope = extended.to;
        }
    }
}

/// The first declaration of a name in a body.
fn find_declaration<'t>(block: &'t [Statement], name: &str) -> Option<&'t Declaration> {
    block.iter().find_map(|statement| match &statement.kind {
        StatementKind::Var(variables) => variables.iter().find(|variable| variable.name.text == name),
        StatementKind::If(_, then, otherwise) => {
            find_declaration(then, name).or_else(|| find_declaration(otherwise, name))
        }
        StatementKind::While(_, inner) => find_declaration(inner, name),
        StatementKind::Either(blocks) => blocks.iter().find_map(|block| find_declaration(block, name)),
        StatementKind::Scoped(_, _, inner) => find_declaration(std::slice::from_ref(&**inner), name),
        _ => None,
    })
}
