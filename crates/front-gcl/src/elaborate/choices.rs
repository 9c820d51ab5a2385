//! Processes that a variable chooses: `worker[v].x`.
//!
//! Such a read is a case distinction: the `x` of each process where `v` is its number, and where it is none, the first value of the type
//! of `x`, as with arrays. In a command that last case blocks what depends on it. So while a command is elaborated, each read is a
//! variable of its own; [`Bounds`](super::Bounds) finds where something depends on a process that is not there, and then the case
//! distinction is put in place of the variable. Nothing behind the elaboration knows of it.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use tertium_expr::{BigInt, Chosen, Substitution, Term, Terms, Variable};

/// The reads of one command.
#[derive(Debug, Default)]
pub(crate) struct Choices(RefCell<Reads>);

#[derive(Debug, Default)]
struct Reads {
    /// With the variable that stands for it; whoever is chosen by another one comes after that.
    found: IndexMap<Variable, Choice>,
    /// By the case distinction.
    known: FxHashMap<Term, Variable>,
}

/// A process that is chosen.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Its number.
    pub(crate) index: Term,
    /// That there is such a process.
    pub(crate) inside: Term,
    /// The numbers that there are.
    pub(crate) numbers: Vec<BigInt>,
    /// The case distinction.
    value: Term,
    /// How long that is as text, about.
    length: usize,
}

impl Choice {
    /// A choice between processes with these numbers, which ascend.
    pub(crate) fn new(terms: &Terms, chosen: Chosen) -> Self {
        let Chosen { index, numbers, value, length } = chosen;
        debug_assert!(numbers.is_sorted_by(|one, other| one < other), "numbers ascend");
        let inside = match extent(&numbers) {
            Some((low, high)) => terms.and([
                terms.at_most(terms.integer(low.clone()), index),
                terms.at_most(index, terms.integer(high.clone())),
            ]),
            None => terms.or(numbers.iter().map(|number| terms.equal(index, terms.integer(number.clone())))),
        };
        Self { index, inside, numbers, value, length }
    }

    /// The numbers, as one writes them.
    pub(crate) fn numbers(&self) -> String {
        match extent(&self.numbers) {
            Some((low, high)) => format!("{low}..{high}"),
            None => {
                let each: Vec<String> = self.numbers.iter().map(ToString::to_string).collect();
                format!("{{ {} }}", each.join(", "))
            }
        }
    }
}

/// The first and the last of numbers without gaps.
pub(crate) fn extent(numbers: &[BigInt]) -> Option<(&BigInt, &BigInt)> {
    let (low, high) = (numbers.first()?, numbers.last()?);
    (low + BigInt::from(numbers.len() - 1) == *high).then_some((low, high))
}

impl Choices {
    /// The variable that stands for a read.
    pub(crate) fn stand_in(&self, terms: &Terms, chosen: Chosen) -> Term {
        let mut reads = self.0.borrow_mut();
        let value = chosen.value;
        let variable = match reads.known.get(&value) {
            Some(&variable) => variable,
            None => {
                let variable = terms.fresh("chosen", &terms.sort(value));
                reads.found.insert(variable, Choice::new(terms, chosen));
                reads.known.insert(value, variable);
                variable
            }
        };
        terms.variable(variable)
    }

    /// What a variable stands for, if it does.
    pub(crate) fn get(&self, variable: Variable) -> Option<Choice> {
        self.0.borrow().found.get(&variable).cloned()
    }

    /// How long what a variable stands for is as text, about.
    pub(crate) fn length(&self, variable: Variable) -> usize {
        self.0.borrow().found.get(&variable).map_or(1, |choice| choice.length)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().found.is_empty()
    }

    /// Case distinctions in place of variables.
    pub(crate) fn written_out(&self, terms: &Terms) -> Substitution {
        let mut all = Substitution::default();
        for (variable, choice) in &self.0.borrow().found {
            let value = all.apply(terms, choice.value);
            all.insert(*variable, value);
        }
        all
    }
}
