//! What names mean.

use super::Inside;
use crate::syntax::RESERVED;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;
use tertium_expr::{Enumeration, Expression, ExpressionKind, Members, Scope, Sort, Term};
use tertium_program::VarId;
use tertium_support::{Diagnostic, Diagnostics, Span};

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    /// A constant, or a value of an enumeration.
    Value(Term),
    Variable(VarId, Term),
    Proposition(Term),
}

impl Meaning {
    pub(crate) fn term(self) -> Term {
        match self {
            Self::Value(term) | Self::Variable(_, term) | Self::Proposition(term) => term,
        }
    }
}

/// A name with its meaning and the place of its declaration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) meaning: Meaning,
    pub(crate) span: Span,
}

/// All names of a model.
#[derive(Debug, Default)]
pub(crate) struct Names {
    known: IndexMap<String, Known>,
    /// Enumerations with a name, and where it is declared.
    pub(crate) sorts: FxHashMap<String, (Arc<Enumeration>, Span)>,
    /// Action names of commands, in order.
    pub(crate) actions: IndexSet<String>,
    /// How much quantifiers were written out.
    written_out: Cell<usize>,
}

impl Names {
    pub(crate) fn get(&self, name: &str) -> Option<Known> {
        self.known.get(name).copied()
    }

    /// How much quantifiers were written out.
    pub(crate) fn n_written_out(&self) -> usize {
        self.written_out.get()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Known)> {
        self.known.iter().map(|(name, known)| (name.as_str(), known))
    }

    pub(crate) fn insert(&mut self, name: String, known: Known) {
        self.known.insert(name, known);
    }
}

/// The names as they are seen inside a process, or outside of all.
pub(crate) struct View<'a> {
    pub(crate) names: &'a Names,
    process: Option<&'a Inside>,
    /// Whether propositions can stand for truth values.
    propositions: bool,
}

impl<'a> View<'a> {
    /// Outside of all processes.
    pub(crate) fn outside(names: &'a Names) -> Self {
        Self::inside(names, None)
    }

    /// Inside of a process, if there is one.
    pub(crate) fn inside(names: &'a Names, process: Option<&'a Inside>) -> Self {
        Self { names, process, propositions: false }
    }

    /// In a formula about the model.
    pub(crate) fn in_formula(names: &'a Names) -> Self {
        Self { propositions: true, ..Self::outside(names) }
    }

    /// Names of the process come first, its index among them.
    pub(crate) fn find(&self, name: &str) -> Option<Known> {
        let own = self.process.and_then(|inside| match &inside.index {
            Some((index, term)) if index == name => {
                Some(Known { meaning: Meaning::Value(*term), span: Span::default() })
            }
            _ => self.names.get(&format!("{}.{name}", inside.name)),
        });
        own.or_else(|| self.names.get(name))
    }
}

impl Scope for View<'_> {
    fn term(&self, name: &str) -> Option<Term> {
        match self.find(name)?.meaning {
            Meaning::Value(term) | Meaning::Variable(_, term) => Some(term),
            Meaning::Proposition(term) => self.propositions.then_some(term),
        }
    }

    fn sort(&self, name: &str) -> Option<Sort> {
        self.names.sorts.get(name).map(|(sort, _)| Sort::Enumeration(Arc::clone(sort)))
    }

    fn names(&self) -> Vec<String> {
        let is_term = |known: &Known| self.propositions || !matches!(known.meaning, Meaning::Proposition(_));
        let terms = self.names.iter().filter(|(_, known)| is_term(known));
        let prefix = self.process.map(|inside| format!("{}.", inside.name));
        let index = self.process.and_then(|inside| inside.index.as_ref()).map(|(index, _)| index.clone());
        terms
            .flat_map(|(name, _)| {
                let own = prefix.as_ref().and_then(|prefix| name.strip_prefix(prefix.as_str()));
                [Some(name), own].into_iter().flatten().map(str::to_owned)
            })
            .chain(index)
            .collect()
    }

    fn expands(&self, cost: usize) -> bool {
        let written_out = self.names.written_out.get() + cost;
        self.names.written_out.set(written_out);
        written_out <= MOST_WRITTEN_OUT
    }
}

/// What all quantifiers of a model stand for together is at most so long, in units of eight bytes.
const MOST_WRITTEN_OUT: usize = 1 << 20;

/// Numbers have at most so many digits.
pub(super) const MOST_DIGITS: usize = 1000;

/// Complains about what expressions in general can hold and those of programs cannot.
pub(crate) fn forbidden(expression: &Expression, view: &View<'_>) -> Result<(), Diagnostics> {
    let mut complaints = Vec::new();
    let mut open = vec![expression];
    while let Some(expression) = open.pop() {
        let mut complain = |message: String, note: &str| {
            complaints.push(Diagnostic::error(expression.span, message).with_note(note));
        };
        match &expression.kind {
            ExpressionKind::Bool(_) | ExpressionKind::Bits(..) => {}
            ExpressionKind::Number(digits) if digits.len() > MOST_DIGITS => {
                complain("this number is too long".to_owned(), "numbers have at most 1000 digits");
            }
            ExpressionKind::Number(_) => {}
            ExpressionKind::Name(name) => {
                let known = view.find(name).map(|known| known.meaning);
                if let (false, Some(Meaning::Proposition(_))) = (view.propositions, known) {
                    complain(
                        format!("`{name}` is a proposition, not a variable"),
                        "propositions are used in properties; expressions are about variables",
                    );
                } else if RESERVED.contains(&name.as_str()) {
                    complain(
                        format!("`{name}` has a meaning of its own and is no variable"),
                        "a value from outside is assigned alone: `x := input`",
                    );
                }
            }
            ExpressionKind::Quantified(..) => complain(
                "a quantifier over a type cannot stand in programs".to_owned(),
                "a quantifier over a range of numbers can: `forall i in 1..3: …`",
            ),
            ExpressionKind::Member(_, index, _) => open.push(index),
            ExpressionKind::Each(_, indices, body) => {
                open.push(body);
                open.extend(&indices.conditions);
                open.extend(indices.names.iter().flat_map(|(_, low, high)| [low, high]));
            }
            // The first operand is a type.
            ExpressionKind::Call(name, operands) if name == "everywhere" => {
                open.extend(operands.iter().skip(1))
            }
            ExpressionKind::Call(_, operands) => open.extend(operands),
            ExpressionKind::Not(inner) | ExpressionKind::Minus(inner) => open.push(inner),
            ExpressionKind::Infix(_, left, right) | ExpressionKind::Select(left, right) => {
                open.extend([&**right, &**left]);
            }
            ExpressionKind::In(element, members) => {
                open.push(element);
                match members {
                    Members::Range(low, high) => open.extend([&**low, &**high]),
                    Members::Set(members) => open.extend(members),
                }
            }
            ExpressionKind::If(condition, then, otherwise) => {
                open.extend([&**otherwise, &**then, &**condition]);
            }
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}
