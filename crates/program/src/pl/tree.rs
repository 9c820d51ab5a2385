//! PL as a tree with places.

use crate::Domain;
use std::fmt;
use tertium_expr::Expression;
use tertium_support::Span;

/// A name with its place.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A variable with its values.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What it is called.
    pub name: Name,
    /// Its values: truth values, integers of a range, or all integers.
    pub domain: Domain,
}

/// An expression, as read and as written.
#[derive(Clone, Debug)]
pub struct Written {
    /// As read.
    pub expression: Expression,
    /// As written.
    pub text: String,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Variables of all procedures.
    pub globals: Vec<Declaration>,
    /// The first is main.
    pub procedures: Vec<ProcedureTree>,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct ProcedureTree {
    /// What it is called.
    pub name: Name,
    /// Its parameters.
    pub formals: Vec<Declaration>,
    /// The variables whose values it returns.
    pub results: Vec<Name>,
    /// What it does.
    pub body: Vec<Statement>,
    /// Where it ends.
    pub end: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Names of the place before it.
    pub labels: Vec<Name>,
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// Nothing.
    Skip,
    /// Variables get values, all at once.
    Assign(Vec<Name>, Vec<Written>),
    /// Goes on only where this holds.
    Assume(Written),
    /// New variables, with any values.
    Var(Vec<Declaration>),
    /// Variables are there no longer.
    Kill(Vec<Name>),
    /// A call: what takes the results, what is called, the arguments.
    Call(Vec<Name>, Name, Vec<Written>),
    /// The first if the condition holds, else the second.
    If(Written, Vec<Statement>, Vec<Statement>),
    /// Again and again while the condition holds.
    While(Written, Vec<Statement>),
    /// Any of them.
    Either(Vec<Vec<Statement>>),
    /// A statement in a scope that is written out: the variables before and after.
    Scoped(Vec<Name>, Vec<Name>, Box<Statement>),
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for global in &self.globals {
            writeln!(f, "global {global};")?;
        }
        for procedure in &self.procedures {
            let formals: Vec<String> = procedure.formals.iter().map(Declaration::to_string).collect();
            write!(f, "{}({})", procedure.name.text, formals.join(", "))?;
            if !procedure.results.is_empty() {
                write!(f, " : {}", list(&procedure.results))?;
            }
            writeln!(f, " {{")?;
            write_block(f, &procedure.body, 1)?;
            writeln!(f, "}}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.domain {
            Domain::Int => f.write_str(&self.name.text),
            domain => write!(f, "{} : {domain}", self.name.text),
        }
    }
}

fn list(names: &[Name]) -> String {
    names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn values(values: &[Written]) -> String {
    values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn write_block(f: &mut fmt::Formatter<'_>, block: &[Statement], depth: usize) -> fmt::Result {
    block.iter().try_for_each(|statement| {
        write!(f, "{:width$}", "", width = 2 * depth)?;
        write_statement(f, statement, depth)?;
        writeln!(f)
    })
}

fn write_inner(f: &mut fmt::Formatter<'_>, block: &[Statement], depth: usize) -> fmt::Result {
    writeln!(f, "{{")?;
    write_block(f, block, depth + 1)?;
    write!(f, "{:width$}}}", "", width = 2 * depth)
}

fn write_statement(f: &mut fmt::Formatter<'_>, statement: &Statement, depth: usize) -> fmt::Result {
    for label in &statement.labels {
        write!(f, "{}: ", label.text)?;
    }
    match &statement.kind {
        StatementKind::Skip => write!(f, "skip;"),
        StatementKind::Assign(names, terms) => write!(f, "{} := {};", list(names), values(terms)),
        StatementKind::Assume(condition) => write!(f, "assume({});", condition.text),
        StatementKind::Var(variables) => {
            let variables: Vec<String> = variables.iter().map(Declaration::to_string).collect();
            write!(f, "var {};", variables.join(", "))
        }
        StatementKind::Kill(names) => write!(f, "kill {};", list(names)),
        StatementKind::Call(takers, callee, arguments) => {
            if !takers.is_empty() {
                write!(f, "{} := ", list(takers))?;
            }
            write!(f, "{}({});", callee.text, values(arguments))
        }
        StatementKind::If(condition, then, otherwise) => {
            write!(f, "if ({}) ", condition.text)?;
            write_inner(f, then, depth)?;
            if otherwise.is_empty() {
                return Ok(());
            }
            write!(f, " else ")?;
            write_inner(f, otherwise, depth)
        }
        StatementKind::While(condition, body) => {
            write!(f, "while ({}) ", condition.text)?;
            write_inner(f, body, depth)
        }
        StatementKind::Either(blocks) => blocks.iter().enumerate().try_for_each(|(index, block)| {
            write!(f, "{}", if index == 0 { "either " } else { " or " })?;
            write_inner(f, block, depth)
        }),
        StatementKind::Scoped(from, to, inner) => {
            write!(f, "({{{}}} -> {{{}}}) ", list(from), list(to))?;
            write_statement(f, inner, depth)
        }
    }
}
