//! What an expression denotes, as terms: values of each sort, and sets of them under guards.
//!
//! At a point (values of all variables) a [`Meaning`] stands for the set of the values of those alternatives whose guard holds
//! there. Where `fault` holds the expression has no meaning, and the alternatives say nothing. An expression without sets has one
//! alternative per sort of its values.

use crate::{SymbolId, Value};
use std::rc::Rc;
use tertium_expr::{BitOperation, Sort as TermSort, Term, Terms};
use tertium_program::Predicate;

/// A value of one sort that depends on the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    /// A truth value.
    Boolean(Term),
    /// An integer.
    Integer(Integer),
    /// A symbol.
    Symbol(Symbol),
    /// A bit vector.
    Word(Word),
}

/// An integer with bounds on its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Integer {
    pub(super) term: Term,
    pub(super) low: i128,
    pub(super) high: i128,
}

/// A symbol: where it is each of those that it can be, sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) cases: Rc<[(SymbolId, Term)]>,
    /// The same as a value of an enumeration, if it is one.
    pub(super) whole: Option<Term>,
}

/// A bit vector, and whether it is read in two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) bits: Term,
    pub(super) width: u32,
    pub(super) signed: bool,
}

/// The sort of a scalar: only those of equal sorts can be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Boolean,
    Integer,
    Symbol,
    Word(u32, bool),
}

impl Integer {
    pub(super) fn constant(terms: &Terms, value: i128) -> Self {
        Self { term: terms.integer(value), low: value, high: value }
    }

    /// Where it lies outside of these bounds.
    pub(super) fn outside(&self, terms: &Terms, low: i128, high: i128) -> Term {
        let mut cases = Vec::new();
        if self.low < low {
            cases.push(terms.less(self.term, terms.integer(low)));
        }
        if self.high > high {
            cases.push(terms.less(terms.integer(high), self.term));
        }
        terms.or(cases)
    }

    fn or_else(&self, other: &Self, terms: &Terms, condition: Term) -> Self {
        let term = terms.ite(condition, self.term, other.term);
        Self { term, low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

impl Symbol {
    fn equal(&self, other: &Self, terms: &Terms) -> Term {
        if let (Some(a), Some(b)) = (self.whole, other.whole)
            && terms.sort(a) == terms.sort(b)
        {
            return terms.equal(a, b);
        }
        let both = self.cases.iter().filter_map(|(symbol, here)| {
            let at = other.cases.binary_search_by_key(symbol, |(symbol, _)| *symbol).ok()?;
            Some(terms.and([*here, other.cases[at].1]))
        });
        terms.or(both)
    }

    fn or_else(&self, other: &Self, terms: &Terms, condition: Term) -> Self {
        let mut symbols: Vec<SymbolId> =
            self.cases.iter().chain(other.cases.iter()).map(|(symbol, _)| *symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let never = terms.boolean(false);
        let find = |of: &Self, symbol| {
            let at = of.cases.binary_search_by_key(&symbol, |(symbol, _)| *symbol);
            at.map_or(never, |at| of.cases[at].1)
        };
        let cases = symbols
            .into_iter()
            .map(|symbol| (symbol, terms.ite(condition, find(self, symbol), find(other, symbol))))
            .filter(|(_, here)| *here != never)
            .collect();
        let whole = match (self.whole, other.whole) {
            (Some(a), Some(b)) if terms.sort(a) == terms.sort(b) => Some(terms.ite(condition, a, b)),
            _ => None,
        };
        Self { cases, whole }
    }
}

impl Word {
    /// The same number in another width; what does not fit is cut.
    pub(super) fn resized(&self, terms: &Terms, width: u32) -> Term {
        match width {
            _ if width == self.width => self.bits,
            _ if width < self.width => terms.bitwise(BitOperation::Extract(width - 1, 0), &[self.bits]),
            _ if self.signed => terms.bitwise(BitOperation::ExtendSign(width - self.width), &[self.bits]),
            _ => terms.bitwise(BitOperation::ExtendZeros(width - self.width), &[self.bits]),
        }
    }
}

impl Scalar {
    /// A constant.
    pub(super) fn constant(terms: &Terms, value: Value) -> Self {
        match value {
            Value::Boolean(b) => Self::Boolean(terms.boolean(b)),
            Value::Integer(n) => Self::Integer(Integer::constant(terms, n.into())),
            Value::Symbol(symbol) => {
                Self::Symbol(Symbol { cases: Rc::new([(symbol, terms.boolean(true))]), whole: None })
            }
            Value::Word { bits, width, signed } => {
                Self::Word(Word { bits: terms.bits(width, bits.into()), width, signed })
            }
        }
    }

    fn sort(&self) -> Sort {
        match self {
            Self::Boolean(_) => Sort::Boolean,
            Self::Integer(_) => Sort::Integer,
            Self::Symbol(_) => Sort::Symbol,
            Self::Word(word) => Sort::Word(word.width, word.signed),
        }
    }

    /// Where both have the same value.
    pub(super) fn equal(&self, other: &Self, terms: &Terms) -> Term {
        match (self, other) {
            (Self::Boolean(a), Self::Boolean(b)) => terms.equal(*a, *b),
            (Self::Integer(a), Self::Integer(b)) if a.high < b.low || b.high < a.low => terms.boolean(false),
            (Self::Integer(a), Self::Integer(b)) => terms.equal(a.term, b.term),
            (Self::Symbol(a), Self::Symbol(b)) => a.equal(b, terms),
            (Self::Word(a), Self::Word(b)) if self.sort() == other.sort() => terms.equal(a.bits, b.bits),
            _ => terms.boolean(false),
        }
    }

    /// `if condition then self else other`; both are of the same sort.
    fn or_else(&self, other: &Self, terms: &Terms, condition: Term) -> Self {
        match (self, other) {
            (Self::Boolean(yes), Self::Boolean(no)) => Self::Boolean(terms.ite(condition, *yes, *no)),
            (Self::Integer(yes), Self::Integer(no)) => Self::Integer(yes.or_else(no, terms, condition)),
            (Self::Symbol(yes), Self::Symbol(no)) => Self::Symbol(yes.or_else(no, terms, condition)),
            (Self::Word(yes), Self::Word(no)) => {
                Self::Word(Word { bits: terms.ite(condition, yes.bits, no.bits), ..*yes })
            }
            _ => unreachable!("alternatives are merged by their sorts"),
        }
    }
}

/// A value that is possible where the guard holds.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) guard: Term,
    pub(super) scalar: Scalar,
}

/// What an expression denotes.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    pub(super) alternatives: Vec<Alternative>,
    /// Where it has no meaning.
    pub(super) fault: Term,
}

/// A Boolean meaning: where it can be true and false, and where it has no meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Truth {
    pub(super) yes: Term,
    pub(super) no: Term,
    pub(super) fault: Term,
}

impl Meaning {
    /// One value everywhere.
    pub(super) fn one(terms: &Terms, scalar: Scalar) -> Self {
        let always = Alternative { guard: terms.boolean(true), scalar };
        Self { alternatives: vec![always], fault: terms.boolean(false) }
    }

    /// No meaning anywhere.
    pub(super) fn nothing(terms: &Terms) -> Self {
        Self { alternatives: Vec::new(), fault: terms.boolean(true) }
    }

    /// Every term that it is made of.
    pub(super) fn each_term(&self, mut visit: impl FnMut(Term)) {
        visit(self.fault);
        for Alternative { guard, scalar } in &self.alternatives {
            visit(*guard);
            match scalar {
                Scalar::Boolean(term) => visit(*term),
                Scalar::Integer(number) => visit(number.term),
                Scalar::Word(word) => visit(word.bits),
                Scalar::Symbol(symbol) => {
                    symbol.cases.iter().map(|(_, here)| *here).chain(symbol.whole).for_each(&mut visit);
                }
            }
        }
    }

    /// As a set of truth values. Other values have no meaning here.
    pub(super) fn truth(&self, terms: &Terms) -> Truth {
        let (mut yes, mut no, mut fault) = (Vec::new(), Vec::new(), vec![self.fault]);
        for Alternative { guard, scalar } in &self.alternatives {
            match scalar {
                Scalar::Boolean(value) => {
                    yes.push(terms.and([*guard, *value]));
                    no.push(terms.and([*guard, terms.not(*value)]));
                }
                _ => fault.push(*guard),
            }
        }
        Truth { yes: terms.or(yes), no: terms.or(no), fault: terms.or(fault) }
    }

    /// The alternatives of this set of truth values: one if it is always a single value.
    pub(super) fn from_truth(terms: &Terms, truth: Truth) -> Self {
        let Truth { yes, no, fault } = truth;
        let alternatives = if no == terms.not(yes) {
            vec![Alternative { guard: terms.boolean(true), scalar: Scalar::Boolean(yes) }]
        } else {
            let under = |guard, value| Alternative { guard, scalar: Scalar::Boolean(terms.boolean(value)) };
            vec![under(yes, true), under(no, false)]
        };
        Self { alternatives, fault }
    }

    /// `if condition then self else other`, alternative by alternative of the same sort.
    pub(super) fn or_else(&self, other: &Self, terms: &Terms, condition: Term) -> Self {
        let fault = terms.ite(condition, self.fault, other.fault);
        let mut left: Vec<&Alternative> = other.alternatives.iter().collect();
        let mut alternatives = Vec::new();
        for yes in &self.alternatives {
            match left.iter().position(|no| no.scalar.sort() == yes.scalar.sort()) {
                Some(at) => {
                    let no = left.remove(at);
                    let scalar = yes.scalar.or_else(&no.scalar, terms, condition);
                    let guard = terms.ite(condition, yes.guard, no.guard);
                    alternatives.push(Alternative { guard, scalar });
                }
                None => {
                    let guard = terms.and([condition, yes.guard]);
                    alternatives.push(Alternative { guard, scalar: yes.scalar.clone() });
                }
            }
        }
        for no in left {
            let guard = terms.and([terms.not(condition), no.guard]);
            alternatives.push(Alternative { guard, scalar: no.scalar.clone() });
        }
        let never = terms.boolean(false);
        alternatives.retain(|alternative| alternative.guard != never);
        Self { alternatives, fault }
    }
}

impl Truth {
    /// Where there is exactly one truth value, and which; several are a fault.
    pub(super) fn determined(self, terms: &Terms) -> Predicate {
        let both = if self.no == terms.not(self.yes) {
            terms.boolean(false)
        } else {
            terms.and([self.yes, self.no])
        };
        Predicate { holds: self.yes, fault: terms.or([self.fault, both]) }
    }
}

/// Whether a term is a bit-vector of one bit that is set.
pub(super) fn is_set(terms: &Terms, bits: Term, place: u32) -> Term {
    debug_assert!(matches!(terms.sort(bits), TermSort::Bits(width) if place < width), "the bit is there");
    terms.equal(terms.bitwise(BitOperation::Extract(place, place), &[bits]), terms.bits(1, 1))
}
