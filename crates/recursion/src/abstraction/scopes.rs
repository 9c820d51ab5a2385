//! What predicates may speak of in each procedure, and what never changes there.
//!
//! A predicate at a point of a procedure speaks of globals, of variables of the procedure and of ghosts, the values that formals and
//! globals had at the entry. A variable that nothing in the activation can change is its own ghost: predicates are written with the
//! variable then. At an entry there are no ghosts, since nothing has changed yet.

use crate::Entries;
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Substitution, Term, TermKind, Terms, Variable};
use tertium_program::{Action, Call, Domain, Icfg, PointId, ProcedureId};
use tertium_support::Id;

/// The vocabularies of a program.
pub(crate) struct Scopes<'p> {
    pub(crate) icfg: &'p Icfg,
    pub(crate) entries: Entries,
    /// The globals and variables that an activation of each procedure may change.
    changed: Vec<BTreeSet<Variable>>,
    /// Values that callees hand back have names of their own while caller and callee are looked at together.
    backs: BTreeMap<Variable, Variable>,
    domains: BTreeMap<Variable, Domain>,
}

impl<'p> Scopes<'p> {
    pub(crate) fn new(icfg: &'p Icfg) -> Self {
        let entries = Entries::new(icfg);
        let (mut backs, mut domains) = (BTreeMap::new(), BTreeMap::new());
        let own = icfg.procedures().iter().flat_map(|procedure| &procedure.variables);
        for &variable in icfg.globals().iter().chain(own) {
            let domain = &icfg.cell(variable).expect("it is a variable of the program").domain;
            let name = format!("{}@back", icfg.terms.name(variable));
            let back = icfg.terms.declare(&name, &domain.sort());
            backs.insert(variable, back);
            for name in [Some(variable), Some(back), entries.ghost(variable)].into_iter().flatten() {
                domains.insert(name, domain.clone());
            }
        }
        Self { icfg, entries, changed: changed(icfg), backs, domains }
    }

    pub(crate) fn terms(&self) -> &'p Terms {
        &self.icfg.terms
    }

    /// That a variable, a ghost, or a value handed back is of its domain; nothing for other variables.
    pub(crate) fn within(&self, variable: Variable) -> Option<Term> {
        let domain = self.domains.get(&variable)?;
        let inside = domain.contains(self.terms(), self.terms().variable(variable));
        (self.terms().as_bool(inside) != Some(true)).then_some(inside)
    }

    pub(crate) fn may_change(&self, procedure: ProcedureId, variable: Variable) -> bool {
        self.changed[procedure.index()].contains(&variable)
    }

    pub(crate) fn procedure_of(&self, point: PointId) -> ProcedureId {
        self.icfg.point(point).procedure
    }

    pub(crate) fn is_entry(&self, point: PointId) -> bool {
        self.icfg.procedure(self.procedure_of(point)).entry == point
    }

    /// A predicate as it is written at a point: without negation, and with variables rather than their ghosts where these are the same.
    /// Nothing if it is constant or speaks of what is not in scope.
    pub(crate) fn predicate(&self, point: PointId, term: Term) -> Option<Term> {
        let procedure = self.procedure_of(point);
        let at_entry = self.is_entry(point);
        // How the program begins is chosen; how an activation begins, by its caller, up to what its formals and globals say.
        let is_open = !at_entry || procedure == self.icfg.main;
        let terms = self.terms();
        let formals = &self.icfg.procedure(procedure).formals;
        let mut same = BTreeMap::new();
        for variable in terms.variables_of(term) {
            if let Some(original) = self.entries.original(variable) {
                let cell = self.icfg.cell(original)?;
                (cell.owner.is_none() || formals.contains(&original)).then_some(())?;
                if at_entry || !self.may_change(procedure, original) {
                    same.insert(variable, terms.variable(original));
                }
                continue;
            }
            match self.icfg.cell(variable)?.owner {
                None => {}
                Some(owner) if owner == procedure && (is_open || formals.contains(&variable)) => {}
                Some(_) => return None,
            }
        }
        let term = Substitution::new(same).apply(terms, term);
        match terms.kind(term) {
            TermKind::Bool(_) => None,
            TermKind::Not(inner) => Some(inner),
            _ => Some(term),
        }
    }

    /// What a condition at the entry of a procedure is inside: one on ghosts, or on what is its own ghost.
    pub(crate) fn at_entry(&self, procedure: ProcedureId, term: Term) -> Term {
        let terms = self.terms();
        let pairs = self.entries.of_procedure(self.icfg, procedure);
        let changed = pairs.filter(|&(variable, _)| self.may_change(procedure, variable));
        Substitution::new(changed.map(|(variable, ghost)| (variable, terms.variable(ghost))))
            .apply(terms, term)
    }

    /// What ghosts are at a point: where an activation has just begun, what they are ghosts of.
    pub(crate) fn where_fresh(&self, point: PointId) -> Substitution {
        if self.is_fresh(point) {
            return self.entries.forgotten(self.icfg, self.procedure_of(point));
        }
        Substitution::new([])
    }

    /// What variables are at the entry of a callee, in terms of the caller at the call.
    pub(crate) fn entering_callee(&self, call: &Call) -> Substitution {
        let formals = &self.icfg.procedure(call.callee).formals;
        Substitution::new(formals.iter().copied().zip(call.arguments.iter().copied()))
    }

    /// What variables and ghosts are at the exit of a callee, in terms of the caller at the call and of what is handed back.
    pub(crate) fn out_of_callee(&self, call: &Call) -> Substitution {
        let terms = self.terms();
        let callee = self.icfg.procedure(call.callee);
        let mut replaced = BTreeMap::new();
        for &variable in self.icfg.globals() {
            let old = terms.variable(variable);
            if self.may_change(call.callee, variable) {
                replaced.insert(variable, terms.variable(self.backs[&variable]));
            }
            replaced.extend(self.entries.ghost(variable).map(|ghost| (ghost, old)));
        }
        for &variable in &callee.variables {
            replaced.insert(variable, terms.variable(self.backs[&variable]));
        }
        for (&formal, &argument) in callee.formals.iter().zip(&call.arguments) {
            if !self.may_change(call.callee, formal) {
                replaced.insert(formal, argument);
            }
            replaced.extend(self.entries.ghost(formal).map(|ghost| (ghost, argument)));
        }
        Substitution::new(replaced)
    }

    /// What variables are after a call, in terms of the caller at the call and of what is handed back.
    pub(crate) fn after_call(&self, call: &Call) -> Substitution {
        let terms = self.terms();
        let callee = self.icfg.procedure(call.callee);
        let mut out = self.out_of_callee(call);
        let mut after = BTreeMap::new();
        for &variable in self.icfg.globals() {
            if self.may_change(call.callee, variable) {
                after.insert(variable, terms.variable(self.backs[&variable]));
            }
        }
        for (result, taker) in callee.results.iter().zip(&call.results) {
            if let Some(taker) = taker {
                after.insert(*taker, out.apply(terms, terms.variable(*result)));
            }
        }
        Substitution::new(after)
    }

    /// Whether nothing has happened yet where control is at a point.
    fn is_fresh(&self, point: PointId) -> bool {
        self.is_entry(point) && self.icfg.point(point).entering.is_empty()
    }

    /// That some variables are what they were at the entry, of those that nothing has changed at a point.
    pub(crate) fn frame(&self, point: PointId, of: &BTreeSet<Variable>) -> Vec<Term> {
        let terms = self.terms();
        let procedure = self.procedure_of(point);
        let pairs = self.entries.of_procedure(self.icfg, procedure);
        let is_same = |variable| self.is_fresh(point) || !self.may_change(procedure, variable);
        let fixed = pairs.filter(|(variable, _)| of.contains(variable) && is_same(*variable));
        fixed.map(|(variable, ghost)| terms.equal(terms.variable(variable), terms.variable(ghost))).collect()
    }
}

/// What each procedure may change: what its steps and calls assign, and globals that callees change.
fn changed(icfg: &Icfg) -> Vec<BTreeSet<Variable>> {
    let mut changed = vec![BTreeSet::new(); icfg.procedures().len()];
    let mut open = Vec::new();
    for edge in icfg.edges() {
        let own: &mut BTreeSet<Variable> = &mut changed[icfg.point(edge.source).procedure.index()];
        match &edge.action {
            Action::Step(step) => own.extend(step.updates.keys()),
            Action::Call(call) => own.extend(call.results.iter().flatten()),
        }
    }
    open.extend(ProcedureId::first(changed.len()));
    while let Some(callee) = open.pop() {
        let globals: Vec<Variable> = icfg
            .globals()
            .iter()
            .copied()
            .filter(|global| changed[callee.index()].contains(global))
            .collect();
        for &call in icfg.calls_of(callee) {
            let caller = icfg.point(icfg.edge(call).source).procedure;
            let before = changed[caller.index()].len();
            changed[caller.index()].extend(&globals);
            if changed[caller.index()].len() > before {
                open.push(caller);
            }
        }
    }
    changed
}
