//! What names mean.

use super::{Choices, Inside};
use crate::syntax::RESERVED;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;
use tertium_expr::{
    BigInt, Chosen, Enumeration, Expression, ExpressionKind, Members, Scope, Sort, Term, Terms, Value,
};
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
    /// By process and name: the numbers of the processes with an index that have it.
    copies: FxHashMap<(String, String), BTreeSet<BigInt>>,
    /// By variable: the first value of its domain.
    pub(crate) firsts: FxHashMap<Term, Value>,
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
        if let Some((process, number, own)) = member(&name) {
            self.copies.entry((process.to_owned(), own.to_owned())).or_default().insert(number);
        }
        self.known.insert(name, known);
    }

    /// What a name means in each process that has an index, by the index.
    pub(crate) fn copies(&self, process: &str, name: &str) -> Vec<(BigInt, Known)> {
        let numbers = self.copies.get(&(process.to_owned(), name.to_owned()));
        let known =
            |number: &BigInt| Some((number.clone(), self.get(&format!("{process}[{number}].{name}"))?));
        numbers.into_iter().flatten().filter_map(known).collect()
    }
}

/// The parts of a name in a process with an index: `p[1].x`.
fn member(name: &str) -> Option<(&str, BigInt, &str)> {
    let (process, rest) = name.split_once('[')?;
    let (number, own) = rest.split_once("].")?;
    Some((process, number.parse().ok()?, own))
}

/// The names as they are seen inside a process, or outside of all.
pub(crate) struct View<'a> {
    pub(crate) names: &'a Names,
    process: Option<&'a Inside>,
    /// Whether propositions can stand for truth values.
    propositions: bool,
    /// In a command: what stands for processes that are chosen by variables.
    choices: Option<&'a Choices>,
}

impl<'a> View<'a> {
    /// Outside of all processes.
    pub(crate) fn outside(names: &'a Names) -> Self {
        Self::inside(names, None)
    }

    /// Inside of a process, if there is one.
    pub(crate) fn inside(names: &'a Names, process: Option<&'a Inside>) -> Self {
        Self { names, process, propositions: false, choices: None }
    }

    /// In a command, where what depends on a process that is not there blocks.
    pub(crate) fn choosing(self, choices: Option<&'a Choices>) -> Self {
        Self { choices, ..self }
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

    fn copies(&self, process: &str, name: &str) -> Vec<(BigInt, Term)> {
        let is_term = |known: &Known| self.propositions || !matches!(known.meaning, Meaning::Proposition(_));
        let copies = self.names.copies(process, name).into_iter().filter(|(_, known)| is_term(known));
        copies.map(|(number, known)| (number, known.meaning.term())).collect()
    }

    fn elsewhere(&self, terms: &Terms, first: Term) -> Term {
        match self.names.firsts.get(&first) {
            Some(value) => terms.value(value),
            None => terms.value(&Value::default_of(&terms.sort(first))),
        }
    }

    fn length(&self, terms: &Terms, term: Term) -> usize {
        let of_variable = |variable| self.choices.map_or(1, |choices| choices.length(variable));
        terms.length_of(term, &of_variable)
    }

    fn chosen(&self, terms: &Terms, chosen: Chosen) -> Term {
        match self.choices {
            Some(choices) => choices.stand_in(terms, chosen),
            None => chosen.value,
        }
    }

    fn expands(&self, cost: usize) -> bool {
        let written_out = self.names.written_out.get().saturating_add(cost);
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
            ExpressionKind::Member(process, index, name) => {
                let is_proposition = |known: &Known| matches!(known.meaning, Meaning::Proposition(_));
                let copies = view.names.copies(process, name);
                if !view.propositions && copies.iter().any(|(_, known)| is_proposition(known)) {
                    complain(
                        format!("`{name}` is a proposition of `{process}`, not a variable"),
                        "propositions are used in properties; expressions are about variables",
                    );
                }
                open.push(index);
            }
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
