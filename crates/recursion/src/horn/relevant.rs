//! Which variables matter at a point: what a later guard, or a later value that matters, depends on.
//!
//! Relations over fewer variables are easier to find. A variable that does not matter can have any value without making a difference
//! to what is reached. What matters at an exit is what matters where a caller goes on; what matters at an entry is what a caller has to
//! say. A global or formal that a procedure never changes is its own ghost.

use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::Variable;
use tertium_program::{Action, Call, EdgeId, Icfg, PointId, ProcedureId};
use tertium_support::Id;

/// What matters where, and what is changed.
pub(crate) struct Relevance<'a> {
    icfg: &'a Icfg,
    at: Vec<BTreeSet<Variable>>,
    /// By procedure: what it, or something that it calls, changes.
    changed: Vec<BTreeSet<Variable>>,
}

impl<'a> Relevance<'a> {
    /// Costs edges times variables.
    pub(crate) fn new(icfg: &'a Icfg) -> Self {
        let mut relevance =
            Self { icfg, at: vec![BTreeSet::new(); icfg.points().len()], changed: changed(icfg) };
        relevance.propagate();
        relevance
    }

    /// What matters at a point.
    pub(crate) fn at(&self, point: PointId) -> &BTreeSet<Variable> {
        &self.at[point.index()]
    }

    /// Whether a procedure, or something that it calls, changes a variable.
    pub(crate) fn changes(&self, procedure: ProcedureId, variable: Variable) -> bool {
        self.changed[procedure.index()].contains(&variable)
    }

    fn propagate(&mut self) {
        let mut open: BTreeSet<PointId> = (0..self.at.len()).map(PointId::new).collect();
        while let Some(point) = open.pop_last() {
            let mut now = self.at(point).clone();
            for &edge in &self.icfg.point(point).leaving {
                self.before(edge, &mut now);
            }
            let procedure = self.icfg.point(point).procedure;
            if self.icfg.procedure(procedure).exit == point {
                for &edge in self.icfg.calls_of(procedure) {
                    self.at_exit(edge, &mut now);
                }
            }
            if now.len() == self.at(point).len() {
                continue;
            }
            self.at[point.index()] = now;
            // Who looks at this point: the sources of its edges, callers if it is an entry, and exits of callees if a call leads here.
            for &edge in &self.icfg.point(point).entering {
                open.insert(self.icfg.edge(edge).source);
                if let Action::Call(call) = &self.icfg.edge(edge).action {
                    open.insert(self.icfg.procedure(call.callee).exit);
                }
            }
            if self.icfg.procedure(procedure).entry == point {
                open.extend(self.icfg.calls_of(procedure).iter().map(|&edge| self.icfg.edge(edge).source));
            }
        }
    }

    /// Adds what matters before an edge.
    fn before(&self, edge: EdgeId, now: &mut BTreeSet<Variable>) {
        let terms = &self.icfg.terms;
        let edge = self.icfg.edge(edge);
        let after = self.at(edge.target);
        match &edge.action {
            Action::Step(step) => {
                let inputs: BTreeSet<Variable> = step.inputs.iter().map(|input| input.variable).collect();
                let mut read = terms.variables_of(step.guard);
                for variable in after {
                    match step.updates.get(variable) {
                        Some(&term) => read.extend(terms.variables_of(term)),
                        None => drop(read.insert(*variable)),
                    }
                }
                now.extend(read.difference(&inputs));
            }
            Action::Call(call) => {
                let callee = self.icfg.procedure(call.callee);
                let at_entry = self.at(callee.entry);
                for (formal, &argument) in callee.formals.iter().zip(&call.arguments) {
                    if at_entry.contains(formal) {
                        now.extend(terms.variables_of(argument));
                    }
                }
                now.extend(self.icfg.globals().iter().filter(|global| at_entry.contains(global)));
                let is_global = |variable: Variable| self.icfg.globals().contains(&variable);
                let kept = after.iter().filter(|&&own| !is_global(own) && !call.results.contains(&Some(own)));
                now.extend(kept);
            }
        }
    }

    /// Adds what matters at the exit of a callee for one call.
    fn at_exit(&self, edge: EdgeId, now: &mut BTreeSet<Variable>) {
        let edge = self.icfg.edge(edge);
        let Action::Call(call) = &edge.action else { return };
        let after = self.at(edge.target);
        let globals = self.icfg.globals().iter();
        now.extend(
            globals.filter(|&&global| after.contains(&global) && !call.results.contains(&Some(global))),
        );
        now.extend(self.taken(call, after));
    }

    /// The results whose takers are among these.
    fn taken<'b>(
        &'b self,
        call: &'b Call,
        after: &'b BTreeSet<Variable>,
    ) -> impl Iterator<Item = Variable> + 'b {
        let results = &self.icfg.procedure(call.callee).results;
        let pairs = results.iter().zip(&call.results);
        pairs.filter(|(_, taker)| taker.is_some_and(|taker| after.contains(&taker))).map(|(&own, _)| own)
    }
}

/// By procedure: what it changes, and which globals those that it calls do.
fn changed(icfg: &Icfg) -> Vec<BTreeSet<Variable>> {
    let mut changed = vec![BTreeSet::new(); icfg.procedures().len()];
    let mut callers: BTreeMap<ProcedureId, BTreeSet<ProcedureId>> = BTreeMap::new();
    for edge in icfg.edges() {
        let procedure = icfg.point(edge.source).procedure;
        let own: &mut BTreeSet<Variable> = &mut changed[procedure.index()];
        match &edge.action {
            Action::Step(step) => own.extend(step.updates.keys()),
            Action::Call(call) => {
                own.extend(call.results.iter().flatten());
                callers.entry(call.callee).or_default().insert(procedure);
            }
        }
    }
    let mut open: Vec<ProcedureId> = callers.keys().copied().collect();
    while let Some(callee) = open.pop() {
        let globals = icfg.globals().iter().copied();
        let globals: Vec<Variable> =
            globals.filter(|global| changed[callee.index()].contains(global)).collect();
        for &caller in callers.get(&callee).into_iter().flatten() {
            let before = changed[caller.index()].len();
            changed[caller.index()].extend(globals.iter().copied());
            if changed[caller.index()].len() > before {
                open.push(caller);
            }
        }
    }
    changed
}
