//! Programs with procedures, built by hand.

use std::collections::BTreeMap;
use tertium_expr::{Term, Terms, Variable};
use tertium_program::{Action, Call, Domain, EdgeId, Icfg, Input, PointId, ProcedureId, Step};
use tertium_support::Span;

/// Builds a program; short names for what occurs all the time.
pub(crate) struct Build {
    pub(crate) icfg: Icfg,
}

impl Build {
    pub(crate) fn new() -> Self {
        Self { icfg: Icfg::new(Terms::new()) }
    }

    pub(crate) fn global(&mut self, name: &str) -> Variable {
        self.icfg.add_global(name, Domain::Int, Span::default())
    }

    /// A procedure with formals, other variables and results, by name, and its variables in this order.
    pub(crate) fn procedure(
        &mut self,
        name: &str,
        formals: &[&str],
        others: &[&str],
        results: &[&str],
    ) -> (ProcedureId, Vec<Variable>) {
        let id = self.icfg.add_procedure(name, Span::default());
        let names: Vec<&str> = formals.iter().chain(others).copied().collect();
        let variables: Vec<Variable> =
            names.iter().map(|own| self.icfg.add_variable(id, own, Domain::Int, Span::default())).collect();
        for &formal in &variables[..formals.len()] {
            self.icfg.add_formal(id, formal);
        }
        for result in results {
            let at = names.iter().position(|name| name == result).expect("results are variables");
            self.icfg.add_result(id, variables[at]);
        }
        (id, variables)
    }

    pub(crate) fn entry(&self, procedure: ProcedureId) -> PointId {
        self.icfg.procedure(procedure).entry
    }

    pub(crate) fn exit(&self, procedure: ProcedureId) -> PointId {
        self.icfg.procedure(procedure).exit
    }

    pub(crate) fn point(&mut self, procedure: ProcedureId) -> PointId {
        self.icfg.add_point(procedure, Span::default())
    }

    pub(crate) fn var(&self, variable: Variable) -> Term {
        self.icfg.terms.variable(variable)
    }

    pub(crate) fn int(&self, value: i64) -> Term {
        self.icfg.terms.integer(value)
    }

    /// A variable plus a constant.
    pub(crate) fn plus(&self, variable: Variable, value: i64) -> Term {
        self.icfg.terms.sum([self.var(variable), self.int(value)])
    }

    pub(crate) fn less(&self, left: Term, right: Term) -> Term {
        self.icfg.terms.less(left, right)
    }

    pub(crate) fn eq(&self, left: Term, right: Term) -> Term {
        self.icfg.terms.equal(left, right)
    }

    pub(crate) fn not(&self, term: Term) -> Term {
        self.icfg.terms.not(term)
    }

    pub(crate) fn step(
        &mut self,
        source: PointId,
        target: PointId,
        guard: Option<Term>,
        updates: &[(Variable, Term)],
    ) -> EdgeId {
        self.step_with(source, target, guard, updates, &[])
    }

    /// A step with inputs that are any integers.
    pub(crate) fn step_with(
        &mut self,
        source: PointId,
        target: PointId,
        guard: Option<Term>,
        updates: &[(Variable, Term)],
        inputs: &[Variable],
    ) -> EdgeId {
        let guard = guard.unwrap_or_else(|| self.icfg.terms.boolean(true));
        let updates: BTreeMap<Variable, Term> = updates.iter().copied().collect();
        let inputs = inputs.iter().map(|&variable| Input { variable, domain: Domain::Int }).collect();
        let step = Step { guard, inputs, updates };
        self.icfg.add_edge(source, target, Action::Step(step), true, Span::default())
    }

    pub(crate) fn call(
        &mut self,
        source: PointId,
        target: PointId,
        callee: ProcedureId,
        arguments: &[Term],
        results: &[Option<Variable>],
    ) -> EdgeId {
        let call = Call { callee, arguments: arguments.to_vec(), results: results.to_vec() };
        self.icfg.add_edge(source, target, Action::Call(call), true, Span::default())
    }
}
