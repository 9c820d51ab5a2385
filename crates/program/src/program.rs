//! Programs.

use crate::{Command, Domain, Statement};
use indexmap::IndexMap;
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

/// A program: variables, where it begins, and what it does.
#[derive(Debug)]
pub struct Program {
    /// All terms live here.
    pub terms: Terms,
    variables: Vec<ProgramVariable>,
    commands: Vec<Command>,
    /// Holds of the states where it begins; without the domains.
    pub initial: Term,
    /// Names for truth values, in the order of their declaration.
    pub propositions: IndexMap<String, Term>,
}

impl Program {
    /// A program without variables and commands that begins anywhere.
    pub fn new(terms: Terms) -> Self {
        let initial = terms.boolean(true);
        Self { terms, variables: Vec::new(), commands: Vec::new(), initial, propositions: IndexMap::new() }
    }

    /// Adds a variable. Its name must be new.
    pub fn add_variable(&mut self, name: &str, domain: Domain, role: Role, span: Span) -> VarId {
        let variable = self.terms.declare(name, &domain.sort());
        self.variables.push(ProgramVariable { variable, domain, role, span });
        VarId::new(self.variables.len() - 1)
    }

    /// Adds a command. Assignments of values outside of the domains of variables block from here on.
    pub fn add_command(&mut self, action: impl Into<String>, statement: Statement, span: Span) -> CommandId {
        let within = Statement::Assume(self.within());
        let statement = Statement::Sequence(vec![statement, within]);
        let steps = statement.steps(&self.terms);
        // Before the step everything is within its domain, so what the step leaves alone need not be said.
        let steps = steps
            .into_iter()
            .map(|mut step| {
                let unchanged = self.variables.iter().filter(|v| !step.updates.contains_key(&v.variable));
                let known: Vec<Term> = unchanged
                    .flat_map(|v| {
                        let inside = v.domain.contains(&self.terms, self.terms.variable(v.variable));
                        self.terms.conjuncts(inside)
                    })
                    .collect();
                let parts = self.terms.conjuncts(step.guard);
                step.guard = self.terms.and(parts.into_iter().filter(|part| !known.contains(part)));
                step
            })
            .collect();
        self.commands.push(Command { action: action.into(), statement, steps, span });
        CommandId::new(self.commands.len() - 1)
    }

    /// All variables, by id.
    pub fn variables(&self) -> &[ProgramVariable] {
        &self.variables
    }

    /// All commands, by id.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// The variable of the program that a variable of terms is.
    pub fn id_of(&self, variable: Variable) -> Option<VarId> {
        self.variables.iter().position(|own| own.variable == variable).map(VarId::new)
    }

    /// That all variables are within their domains.
    pub fn within(&self) -> Term {
        let terms = &self.terms;
        terms.and(self.variables.iter().map(|own| own.domain.contains(terms, terms.variable(own.variable))))
    }
}
