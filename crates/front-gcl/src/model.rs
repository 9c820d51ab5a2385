//! A model: what a file says, with all names resolved.

use crate::elaborate::Names;
use crate::formula::PropertyMeaning;
use indexmap::IndexMap;
use std::sync::Arc;
use tertium_expr::{Enumeration, Term, Value};
use tertium_program::{Domain, Program, VarId};
use tertium_support::{Id, Span};

/// The action of commands without a name.
pub(crate) const UNNAMED_ACTION: &str = "tau";

/// A program and the properties it should have. Everything of a process has the name of the process and a dot before its own.
#[derive(Debug)]
pub struct Model {
    /// The program. Its commands are [`Model::commands`], in the same order.
    pub program: Program,
    /// The constants, in the order of their declaration.
    pub constants: IndexMap<String, Value>,
    /// The enumerations that have a name.
    pub enumerations: Vec<Arc<Enumeration>>,
    /// Initial values, by variable.
    pub initial_values: Vec<Option<Value>>,
    /// Initial conditions with their places. They hold together with the initial values.
    pub conditions: Vec<(Term, Span)>,
    /// The commands as written.
    pub commands: Vec<ModelCommand>,
    /// The properties, in order.
    pub properties: Vec<Property>,
    pub(crate) names: Names,
}

/// A command as written: where the guard holds, any of the alternatives.
#[derive(Clone, Debug)]
pub struct ModelCommand {
    /// The action; `tau` if the command has none.
    pub action: String,
    /// Where it can be taken.
    pub guard: Term,
    /// Where the guard stands.
    pub guard_span: Span,
    /// Simultaneous updates; at least one alternative. Of two updates of one element the later counts.
    pub alternatives: Vec<Vec<Update>>,
    /// Processes that are chosen by a variable and may not be there.
    pub(crate) absences: Vec<Absence>,
}

/// A process that is chosen by a variable. Where it is not there, what depends on it blocks; the guard says so.
#[derive(Clone, Debug)]
pub(crate) struct Absence {
    /// Where something depends on it.
    pub(crate) uncertain: Term,
    /// Its number.
    pub(crate) index: Term,
    /// That there is such a process.
    pub(crate) inside: Term,
    /// The numbers that there are.
    pub(crate) numbers: String,
    pub(crate) span: Span,
}

/// An assignment.
#[derive(Clone, Debug)]
pub struct Update {
    /// What changes.
    pub variable: VarId,
    /// Which element of it, from the outermost index; the whole variable without any.
    pub indices: Vec<Term>,
    /// What it becomes: a term, or any value of a domain.
    pub value: Result<Term, Domain>,
    /// Where it stands.
    pub span: Span,
}

impl Update {
    /// The terms that it has: its indices, and what is assigned.
    pub(crate) fn read(&self) -> impl Iterator<Item = Term> {
        self.indices.iter().chain(self.value.as_ref().ok()).copied()
    }

    /// The values that what is assigned can have.
    pub(crate) fn target<'p>(&self, program: &'p Program) -> Option<&'p Domain> {
        let whole = &program.variables()[self.variable.index()].domain;
        self.indices.iter().try_fold(whole, |domain, _| match domain {
            Domain::Array(_, element) => Some(&**element),
            _ => None,
        })
    }
}

/// How a property is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// `property f`: any formula.
    Formula,
    /// `invariant e`: holds everywhere, `AG e`.
    Invariant,
    /// `reach e`: holds somewhere, `EF e`.
    Reach,
}

/// A property of a file.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub label: Option<String>,
    /// How it is written.
    pub kind: PropertyKind,
    /// What is written, on one line, without the keyword.
    pub text: String,
    /// The formula that it means.
    pub meaning: PropertyMeaning,
    /// Where it stands.
    pub span: Span,
}

impl Property {
    /// The formula as text, in the user's words.
    pub fn formula_text(&self) -> String {
        match self.kind {
            PropertyKind::Formula => self.text.clone(),
            PropertyKind::Invariant => format!("AG ({})", self.text),
            PropertyKind::Reach => format!("EF ({})", self.text),
        }
    }
}

impl Model {
    /// The action names, in the order of the commands, each once.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        self.names.actions.iter().map(String::as_str)
    }
}
