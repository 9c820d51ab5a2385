//! Ranks from outside: loops everybody knows, and random graphs against enumeration.

mod examples;
mod laws;

use std::collections::BTreeMap;
use tertium_expr::{Scope, Sort, Term, Terms, Variable, parse};
use tertium_ranking::{Hop, Relation};
use tertium_support::Source;

/// Integer variables by name.
struct Names<'a> {
    terms: &'a Terms,
    known: BTreeMap<String, Variable>,
}

impl<'a> Names<'a> {
    fn new(terms: &'a Terms, names: &[&str]) -> Self {
        let known = names.iter().map(|&name| (name.to_owned(), terms.declare(name, &Sort::Int)));
        Self { terms, known: known.collect() }
    }

    fn read(&self, text: &str) -> Term {
        parse(self.terms, self, &Source::new("<test>", text))
            .unwrap_or_else(|found| panic!("{text}: {found:?}"))
    }

    /// All variables, as measures.
    fn measures(&self) -> Vec<Term> {
        self.known.values().map(|&variable| self.terms.variable(variable)).collect()
    }

    /// `guard; x := e; y := e`, with what is chosen.
    fn hop(&self, source: usize, target: usize, text: &str, chosen: &[&str]) -> Hop {
        let mut parts = text.split(';').map(str::trim);
        let given = vec![self.read(parts.next().expect("there is a guard"))];
        let update = |part: &str| {
            let (name, value) = part.split_once(":=").expect("an update");
            (self.known[name.trim()], self.read(value))
        };
        let chosen = chosen.iter().map(|&name| self.known[name]).collect();
        Hop { source, target, relation: Relation { given, updates: parts.map(update).collect(), chosen } }
    }
}

impl Scope for Names<'_> {
    fn term(&self, name: &str) -> Option<Term> {
        self.known.get(name).map(|&variable| self.terms.variable(variable))
    }

    fn sort(&self, _: &str) -> Option<Sort> {
        None
    }

    fn names(&self) -> Vec<String> {
        self.known.keys().cloned().collect()
    }
}
