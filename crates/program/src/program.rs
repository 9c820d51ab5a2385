//! Programs.

use crate::{Command, Domain, Locations, Statement, Step};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use tertium_expr::{Term, Terms, Variable};
use tertium_support::{Id, Span, define_id};

define_id!(
    /// A variable of a program.
    VarId
);

define_id!(
    /// A command of a program.
    CommandId
);

/// Whether abstractions keep a variable as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Kept concrete; has finitely many values.
    Control,
    /// Seen through predicates only.
    Data,
}

/// A variable with what is known of it.
#[derive(Clone, Debug)]
pub struct ProgramVariable {
    /// As terms see it.
    pub variable: Variable,
    /// Its values.
    pub domain: Domain,
    /// Whether abstractions keep it.
    pub role: Role,
    /// Where it is declared.
    pub span: Span,
}

impl ProgramVariable {
    /// Whether abstractions keep it as it is.
    pub fn is_control(&self) -> bool {
        self.role == Role::Control
    }
}

/// A program: variables, where it begins, and what it does.
#[derive(Debug)]
pub struct Program {
    /// All terms live here.
    pub terms: Terms,
    variables: Vec<ProgramVariable>,
    ids: FxHashMap<Variable, VarId>,
    control: Vec<VarId>,
    commands: Vec<Command>,
    /// Once they were asked for.
    locations: OnceCell<Locations>,
    /// That all variables are within their domains, once it was asked for.
    within: Cell<Option<Term>>,
    /// Holds of the states where it begins; without the domains.
    pub initial: Term,
    /// Names for truth values, in the order of their declaration.
    pub propositions: IndexMap<String, Term>,
}

impl Program {
    /// A program without variables and commands that begins anywhere.
    pub fn new(terms: Terms) -> Self {
        let initial = terms.boolean(true);
        Self {
            terms,
            variables: Vec::new(),
            ids: FxHashMap::default(),
            control: Vec::new(),
            commands: Vec::new(),
            locations: OnceCell::new(),
            within: Cell::new(None),
            initial,
            propositions: IndexMap::new(),
        }
    }

    /// Adds a variable. Its name must be new, and its domain [sayable](Domain::is_sayable).
    pub fn add_variable(&mut self, name: &str, domain: Domain, role: Role, span: Span) -> VarId {
        debug_assert!(domain.is_sayable(), "no term can say that a value is of {domain}");
        let variable = self.terms.declare(name, &domain.sort());
        let id = VarId::new(self.variables.len());
        let first = self.ids.insert(variable, id).is_none();
        debug_assert!(first, "{name} is the name of two variables");
        if role == Role::Control {
            self.control.push(id);
        }
        self.variables.push(ProgramVariable { variable, domain, role, span });
        self.within.set(None);
        self.locations.take();
        id
    }

    /// Adds a command of no process, see [`Program::add_command_of`].
    pub fn add_command(&mut self, action: impl Into<String>, statement: Statement, span: Span) -> CommandId {
        self.add_command_of(None, action, statement, span)
    }

    /// Adds a command over variables that were added before, which a process takes. Assignments of values outside of the domains of
    /// variables block from here on. Costs what the statement and its steps cost, however many variables there are.
    pub fn add_command_of(
        &mut self,
        process: Option<&str>,
        action: impl Into<String>,
        statement: Statement,
        span: Span,
    ) -> CommandId {
        let steps = statement.steps(&self.terms).into_iter().map(|step| self.blocking(step)).collect();
        let assigned = statement.assigned().into_iter().filter_map(|variable| self.id_of(variable));
        let inside = assigned.map(|id| self.is_within(id));
        let within = Statement::Assume(self.terms.and(inside));
        let statement = Statement::Sequence(vec![statement, within]);
        let process = process.map(str::to_owned);
        self.commands.push(Command { process, action: action.into(), statement, steps, span });
        self.locations.take();
        CommandId::new(self.commands.len() - 1)
    }

    /// The step where what it assigns is within the domains. Before a step everything is, so its guard need not say that.
    fn blocking(&self, mut step: Step) -> Step {
        let terms = &self.terms;
        let parts: Vec<Term> =
            terms.conjuncts(step.guard).into_iter().filter(|&part| !self.is_always(&step, part)).collect();
        let known: BTreeSet<Term> = parts.iter().copied().collect();
        let kept = step.updates.iter().filter_map(|(&variable, &term)| {
            let domain = &self.variables[self.id_of(variable)?.index()].domain;
            Some(domain.keeps(terms, &known, terms.variable(variable), term))
        });
        let kept: Vec<Term> = kept.collect();
        step.guard = terms.and(parts.into_iter().chain(kept));
        step
    }

    /// Whether a part of a guard says no more than that a variable which the step leaves alone is within its domain.
    fn is_always(&self, step: &Step, part: Term) -> bool {
        let mut mentioned = self.terms.variables_of(part).into_iter();
        let (Some(only), None) = (mentioned.next(), mentioned.next()) else { return false };
        !step.updates.contains_key(&only)
            && self.id_of(only).is_some_and(|id| self.terms.conjuncts(self.is_within(id)).contains(&part))
    }

    /// All variables, by id.
    pub fn variables(&self) -> &[ProgramVariable] {
        &self.variables
    }

    /// The control variables, in order.
    pub fn control(&self) -> &[VarId] {
        &self.control
    }

    /// The locations, with the commands as edges between them. Found when it is asked for first.
    pub fn locations(&self) -> &Locations {
        self.locations.get_or_init(|| Locations::new(self))
    }

    /// All commands, by id.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// The variable of the program that a variable of terms is.
    pub fn id_of(&self, variable: Variable) -> Option<VarId> {
        self.ids.get(&variable).copied()
    }

    /// That a variable is within its domain.
    pub fn is_within(&self, id: VarId) -> Term {
        let own = &self.variables[id.index()];
        own.domain.contains(&self.terms, self.terms.variable(own.variable))
    }

    /// That all variables are within their domains.
    pub fn within(&self) -> Term {
        let all = || self.terms.and(VarId::first(self.variables.len()).map(|id| self.is_within(id)));
        let within = self.within.get().unwrap_or_else(all);
        self.within.set(Some(within));
        within
    }
}
