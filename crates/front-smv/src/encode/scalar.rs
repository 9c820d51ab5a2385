//! What an expression denotes, as functions of the variables: values of each sort, and sets of them under guards.
//!
//! At a point (values of all variables) a [`Meaning`] stands for the set of the values of those alternatives whose guard holds
//! there. An expression without sets has one alternative per sort of its values, with disjoint guards. Where `fault` holds
//! the expression has no meaning, and the alternatives say nothing.

use crate::{SymbolId, Value};
use tertium_dd::{Bdd, Manager};
use tertium_encode::diagrams::Integer;
use tertium_encode::diagrams::circuit::{self as bits, Made};

/// A value of one sort that depends on the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    /// A truth value.
    Boolean(Bdd),
    /// An integer.
    Integer(Integer),
    /// A symbol: where it is each of those that it can be, sorted.
    Symbol(Vec<(SymbolId, Bdd)>),
    /// A bit vector.
    Word {
        /// Its bits, the lowest first.
        bits: Vec<Bdd>,
        /// Whether they are read in two's complement.
        signed: bool,
    },
}

/// The sort of a scalar: only those of equal sorts can be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Boolean,
    Integer,
    Symbol,
    Word(usize, bool),
}

impl Scalar {
    /// A constant.
    pub(super) fn constant(manager: &Manager, value: Value) -> Self {
        match value {
            Value::Boolean(b) => Self::Boolean(manager.constant(b)),
            Value::Integer(n) => Self::Integer(Integer::constant(manager, &n.into())),
            Value::Symbol(symbol) => Self::Symbol(vec![(symbol, manager.constant(true))]),
            Value::Word { bits, width, signed } => {
                Self::Word { bits: bits::constant(manager, bits.into(), width as usize), signed }
            }
        }
    }

    pub(super) fn sort(&self) -> Sort {
        match self {
            Self::Boolean(_) => Sort::Boolean,
            Self::Integer(_) => Sort::Integer,
            Self::Symbol(_) => Sort::Symbol,
            Self::Word { bits, signed } => Sort::Word(bits.len(), *signed),
        }
    }

    /// Where both have the same value.
    pub(super) fn equal(&self, other: &Self, manager: &Manager) -> Made<Bdd> {
        match (self, other) {
            (Self::Boolean(a), Self::Boolean(b)) => a.iff(b),
            (Self::Integer(a), Self::Integer(b)) => a.equal(b),
            (Self::Symbol(a), Self::Symbol(b)) => {
                let mut same = manager.constant(false);
                for (symbol, here) in a {
                    if let Ok(at) = b.binary_search_by_key(symbol, |(symbol, _)| *symbol) {
                        same = same.or(&here.and(&b[at].1)?)?;
                    }
                }
                Ok(same)
            }
            (Self::Word { bits: a, signed: s }, Self::Word { bits: b, signed: t })
                if a.len() == b.len() && s == t =>
            {
                bits::equal(manager, a, b)
            }
            _ => Ok(manager.constant(false)),
        }
    }

    /// `if condition then self else other`; both are of the same sort.
    fn or_else(&self, other: &Self, condition: &Bdd) -> Made<Self> {
        Ok(match (self, other) {
            (Self::Boolean(yes), Self::Boolean(no)) => Self::Boolean(condition.ite(yes, no)?),
            (Self::Integer(yes), Self::Integer(no)) => Self::Integer(yes.or_else(no, condition)?),
            (Self::Symbol(yes), Self::Symbol(no)) => Self::Symbol(merge(yes, no, condition)?),
            (Self::Word { bits: yes, signed }, Self::Word { bits: no, .. }) => {
                Self::Word { bits: bits::ite(condition, yes, no)?, signed: *signed }
            }
            _ => unreachable!("alternatives are merged by their sorts"),
        })
    }
}

fn merge(yes: &[(SymbolId, Bdd)], no: &[(SymbolId, Bdd)], condition: &Bdd) -> Made<Vec<(SymbolId, Bdd)>> {
    let mut symbols: Vec<SymbolId> = yes.iter().chain(no).map(|(symbol, _)| *symbol).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let never = condition.manager().constant(false);
    let find = |map: &[(SymbolId, Bdd)], symbol| {
        let at = map.binary_search_by_key(&symbol, |(symbol, _)| *symbol);
        at.map_or_else(|_| never.clone(), |at| map[at].1.clone())
    };
    let both = |symbol| Ok((symbol, condition.ite(&find(yes, symbol), &find(no, symbol))?));
    symbols.into_iter().map(both).filter(|made| !matches!(made, Ok((_, here)) if here.is_false())).collect()
}

/// A value that is possible where the guard holds.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) guard: Bdd,
    pub(super) scalar: Scalar,
}

/// What an expression denotes.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    pub(super) alternatives: Vec<Alternative>,
    /// Where it has no meaning.
    pub(super) fault: Bdd,
}

/// A Boolean meaning: where it can be true and false, and where it has no meaning.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    pub(super) yes: Bdd,
    pub(super) no: Bdd,
    pub(super) fault: Bdd,
}

impl Meaning {
    /// One value everywhere.
    pub(super) fn one(manager: &Manager, scalar: Scalar) -> Self {
        let always = Alternative { guard: manager.constant(true), scalar };
        Self { alternatives: vec![always], fault: manager.constant(false) }
    }

    /// No meaning anywhere.
    pub(super) fn nothing(manager: &Manager) -> Self {
        Self { alternatives: Vec::new(), fault: manager.constant(true) }
    }

    /// The alternatives with as few members as is cheap: those of one sort that exclude each other are joined, and truth
    /// values are at most two.
    pub(super) fn gathered(manager: &Manager, alternatives: Vec<Alternative>, fault: Bdd) -> Made<Self> {
        let (truths, others): (Vec<_>, Vec<_>) =
            alternatives.into_iter().partition(|alternative| alternative.scalar.sort() == Sort::Boolean);
        let mut kept: Vec<Alternative> = Vec::new();
        for new in others {
            if new.guard.is_false() {
                continue;
            }
            let mut home = None;
            for (at, old) in kept.iter().enumerate() {
                let fits = old.scalar == new.scalar
                    || old.scalar.sort() == new.scalar.sort() && old.guard.is_disjoint(&new.guard)?;
                if fits {
                    home = Some(at);
                    break;
                }
            }
            match home {
                Some(at) => {
                    let old = &kept[at];
                    let scalar = if old.scalar == new.scalar {
                        new.scalar
                    } else {
                        new.scalar.or_else(&old.scalar, &new.guard)?
                    };
                    kept[at] = Alternative { guard: old.guard.or(&new.guard)?, scalar };
                }
                None => kept.push(new),
            }
        }
        let mut meaning = Self { alternatives: kept, fault };
        if !truths.is_empty() {
            let truth = Self { alternatives: truths, fault: meaning.fault.clone() }.truth(manager)?;
            meaning.alternatives.extend(Self::from_truth(manager, truth)?.alternatives);
        }
        Ok(meaning)
    }

    /// As a set of truth values. Other values have no meaning here.
    pub(super) fn truth(&self, manager: &Manager) -> Made<Truth> {
        let empty = manager.constant(false);
        let mut truth = Truth { yes: empty.clone(), no: empty, fault: self.fault.clone() };
        for Alternative { guard, scalar } in &self.alternatives {
            match scalar {
                Scalar::Boolean(value) => {
                    truth.yes = truth.yes.or(&guard.and(value)?)?;
                    truth.no = truth.no.or(&guard.diff(value)?)?;
                }
                _ => truth.fault = truth.fault.or(guard)?,
            }
        }
        Ok(truth)
    }

    pub(super) fn from_truth(manager: &Manager, truth: Truth) -> Made<Self> {
        let Truth { yes, no, fault } = truth;
        let alternatives = if yes.is_disjoint(&no)? {
            vec![Alternative { guard: yes.or(&no)?, scalar: Scalar::Boolean(yes) }]
        } else {
            let under =
                |guard, value| Alternative { guard, scalar: Scalar::Boolean(manager.constant(value)) };
            vec![under(yes, true), under(no, false)]
        };
        Ok(Self { alternatives, fault })
    }

    /// `if condition then self else other`, alternative by alternative of the same sort.
    pub(super) fn or_else(&self, other: &Self, condition: &Bdd) -> Made<Self> {
        let fault = condition.ite(&self.fault, &other.fault)?;
        let mut left: Vec<&Alternative> = other.alternatives.iter().collect();
        let mut alternatives = Vec::new();
        for yes in &self.alternatives {
            match left.iter().position(|no| no.scalar.sort() == yes.scalar.sort()) {
                Some(at) => {
                    let no = left.remove(at);
                    let scalar = yes.scalar.or_else(&no.scalar, condition)?;
                    alternatives.push(Alternative { guard: condition.ite(&yes.guard, &no.guard)?, scalar });
                }
                None => {
                    let guard = condition.and(&yes.guard)?;
                    alternatives.push(Alternative { guard, scalar: yes.scalar.clone() });
                }
            }
        }
        for no in left {
            let guard = no.guard.diff(condition)?;
            alternatives.push(Alternative { guard, scalar: no.scalar.clone() });
        }
        alternatives.retain(|alternative| !alternative.guard.is_false());
        Ok(Self { alternatives, fault })
    }
}

impl Truth {
    /// Where there is exactly one truth value, and which; several are a fault.
    pub(super) fn determined(self) -> Made<(Bdd, Bdd)> {
        let both = self.yes.and(&self.no)?;
        Ok((self.yes, self.fault.or(&both)?))
    }
}
