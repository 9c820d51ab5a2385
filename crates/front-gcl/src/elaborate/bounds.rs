//! Where a value depends on no element that its array does not have.
//!
//! As a term an array is total: a read outside of its indices has a value, so properties have one in every state. A step is another
//! matter: if its guard or what it assigns depends on such a read, it blocks. *Depends* is meant as in Kleene's logic: `a && b` is
//! false if one of them is false for certain, whatever the other reads, and true if both are true for certain; of `c ? a : b` only the
//! branch that is taken counts. So `i < n && a[i] = 0` and `i = n || a[i] = 0` read `a[n]` in no state.
//!
//! A process that is chosen by a variable, and may not be there, is such a read as well. It is looked for first, and alone: what is found is
//! again a truth value, about arrays.
//!
//! For a truth value `t` two terms say where it is certainly true and where it is certainly false; for other values one term says
//! where they are certain. Bounds that hold by the ranges of variables alone are not said. Costs the size of the term.

use super::choices::{Choice, Choices, extent};
use rustc_hash::FxHashMap;
use tertium_expr::{BigInt, Sort, Term, TermKind};
use tertium_program::{Domain, Program};
use tertium_support::Id;

/// Finds such terms for terms of one program.
pub(crate) struct Bounds<'p> {
    program: &'p Program,
    /// Processes that are chosen are looked for, not elements of arrays.
    choices: Option<&'p Choices>,
    /// Whether a term reads an element that may not be there.
    reads: FxHashMap<Term, bool>,
    /// Where truth values are certainly true, and certainly false.
    truth: FxHashMap<Term, (Term, Term)>,
    /// Where other values are certain.
    certain: FxHashMap<Term, Term>,
}

impl<'p> Bounds<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self {
            program,
            choices: None,
            reads: FxHashMap::default(),
            truth: FxHashMap::default(),
            certain: FxHashMap::default(),
        }
    }

    /// Where a value depends on no process that is chosen and not there.
    pub(crate) fn of_choices(program: &'p Program, choices: &'p Choices) -> Self {
        Self { choices: Some(choices), ..Self::new(program) }
    }

    /// Where a truth value is certainly true, and where it is certainly false.
    pub(crate) fn truth(&mut self, term: Term) -> (Term, Term) {
        let terms = &self.program.terms;
        debug_assert_eq!(terms.sort(term), Sort::Bool);
        if !self.reads(term) {
            return (term, terms.not(term));
        }
        if let Some(&known) = self.truth.get(&term) {
            return known;
        }
        let found = match terms.kind(term) {
            TermKind::Not(inner) => {
                let (holds, fails) = self.truth(inner);
                (fails, holds)
            }
            TermKind::And(parts) => {
                let parts: Vec<(Term, Term)> = parts.iter().map(|&part| self.truth(part)).collect();
                (terms.and(parts.iter().map(|part| part.0)), terms.or(parts.iter().map(|part| part.1)))
            }
            TermKind::Or(parts) => {
                let parts: Vec<(Term, Term)> = parts.iter().map(|&part| self.truth(part)).collect();
                (terms.or(parts.iter().map(|part| part.0)), terms.and(parts.iter().map(|part| part.1)))
            }
            _ => {
                let certain = self.whole(term);
                (terms.and([term, certain]), terms.and([terms.not(term), certain]))
            }
        };
        self.truth.insert(term, found);
        found
    }

    /// Where a value is certain.
    pub(crate) fn certain(&mut self, term: Term) -> Term {
        let terms = &self.program.terms;
        if !self.reads(term) {
            return terms.boolean(true);
        }
        if let Some(&known) = self.certain.get(&term) {
            return known;
        }
        let found = match terms.kind(term) {
            _ if terms.sort(term) == Sort::Bool => {
                let (holds, fails) = self.truth(term);
                terms.or([holds, fails])
            }
            TermKind::If(condition, then, otherwise) => {
                let (holds, fails) = self.truth(condition);
                let (then, otherwise) = (self.certain(then), self.certain(otherwise));
                terms.or([terms.and([holds, then]), terms.and([fails, otherwise])])
            }
            _ => self.whole(term),
        };
        self.certain.insert(term, found);
        found
    }

    /// Where all operands are certain, and an element that is read is there.
    fn whole(&mut self, term: Term) -> Term {
        let terms = &self.program.terms;
        let kind = terms.kind(term);
        let mut parts: Vec<Term> =
            self.operands(&kind).into_iter().map(|operand| self.certain(operand)).collect();
        parts.extend(self.demand(&kind));
        terms.and(parts)
    }

    /// Whether a term reads an element that may not be there.
    fn reads(&mut self, term: Term) -> bool {
        if let Some(&known) = self.reads.get(&term) {
            return known;
        }
        let kind = self.program.terms.kind(term);
        let inside: Vec<bool> = self.operands(&kind).into_iter().map(|operand| self.reads(operand)).collect();
        let found = inside.contains(&true) || self.demand(&kind).is_some();
        self.reads.insert(term, found);
        found
    }

    /// What a term depends on: its operands, and the number of a process that it stands for.
    fn operands(&self, kind: &TermKind) -> Vec<Term> {
        match self.choice(kind) {
            Some(choice) => vec![choice.index],
            None => kind.operands(),
        }
    }

    /// The choice that a term stands for.
    pub(crate) fn choice(&self, kind: &TermKind) -> Option<Choice> {
        match kind {
            TermKind::Variable(variable) => self.choices?.get(*variable),
            _ => None,
        }
    }

    /// That a process is there, unless it always is.
    pub(crate) fn is_there(&self, choice: &Choice) -> Option<Term> {
        let always = extent(&choice.numbers).zip(self.extremes(choice.index, DEPTH));
        let always = always.is_some_and(|((low, high), (least, most))| *low <= least && most <= *high);
        (!always).then_some(choice.inside)
    }

    /// That an element that is read is there, unless it always is.
    pub(crate) fn demand(&self, kind: &TermKind) -> Option<Term> {
        if self.choices.is_some() {
            return self.choice(kind).and_then(|choice| self.is_there(&choice));
        }
        let TermKind::Select(array, at) = *kind else { return None };
        let demand = self.is_index(array, at);
        (demand != self.program.terms.boolean(true)).then_some(demand)
    }

    /// That an array has an index.
    fn is_index(&self, array: Term, at: Term) -> Term {
        let terms = &self.program.terms;
        match terms.kind(array) {
            TermKind::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.is_index(then, at), self.is_index(otherwise, at));
                terms.and([terms.implies(condition, then), terms.or([condition, otherwise])])
            }
            TermKind::Store(array, ..) => self.is_index(array, at),
            _ => {
                let Some(Domain::Array(index, _)) = domain_of(self.program, array) else {
                    return terms.boolean(true);
                };
                match (&*index, self.extremes(at, DEPTH)) {
                    (Domain::Range(low, high), Some((least, most))) if *low <= least && most <= *high => {
                        terms.boolean(true)
                    }
                    _ => index.contains(terms, at),
                }
            }
        }
    }

    /// A number that a term is never below, and one that it is never above, by the ranges of its variables.
    fn extremes(&self, term: Term, depth: usize) -> Option<(BigInt, BigInt)> {
        let deeper = depth.checked_sub(1)?;
        match self.program.terms.kind(term) {
            TermKind::Int(number) => Some((number.clone(), number)),
            TermKind::Variable(_) | TermKind::Select(..) => match domain_of(self.program, term)? {
                Domain::Range(low, high) => Some((low, high)),
                _ => None,
            },
            TermKind::If(_, then, otherwise) => {
                let (then, otherwise) = (self.extremes(then, deeper)?, self.extremes(otherwise, deeper)?);
                Some((then.0.min(otherwise.0), then.1.max(otherwise.1)))
            }
            TermKind::Modulo(_, divisor) => Some((BigInt::from(0), divisor - 1)),
            TermKind::Sum(constant, parts) => {
                let mut sum = (constant.clone(), constant);
                for (factor, part) in parts.iter() {
                    let (least, most) = self.extremes(*part, deeper)?;
                    let ends = (factor * least, factor * most);
                    sum = (sum.0 + (&ends.0).min(&ends.1), sum.1 + (&ends.0).max(&ends.1));
                }
                Some(sum)
            }
            _ => None,
        }
    }
}

/// Indices that are nested more deeply are taken to have no bounds.
const DEPTH: usize = 8;

/// The values that a term has which is a variable or an element of one.
pub(crate) fn domain_of(program: &Program, term: Term) -> Option<Domain> {
    match program.terms.kind(term) {
        TermKind::Variable(variable) => {
            Some(program.variables()[program.id_of(variable)?.index()].domain.clone())
        }
        TermKind::Select(array, _) => match domain_of(program, array)? {
            Domain::Array(_, element) => Some(Domain::clone(&element)),
            _ => None,
        },
        _ => None,
    }
}
