//! Bounds that a question implies, for integers and for arrays.
//!
//! Read off from the outside of the terms: comparisons of a *place* with a constant, conjunctions of such, and disjunctions in which every
//! part bounds it. A place is a variable, or an element of an array at a constant index. What is further inside is not looked at, so a
//! bound may be missed, and none is wrong. That an array has one value but at some indices is said by an equation, as domains do: it is the array with
//! that value everywhere and its own elements at these indices.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tertium_expr::{BigInt, Sort, Term, TermKind, Terms, Value, Variable, evaluate};

/// Bounds of an integer, as far as there are any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: Option<i128>,
    pub(super) high: Option<i128>,
}

/// The indices at which an array of integers can differ from its value elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) indices: BTreeSet<Value>,
    pub(super) elsewhere: Value,
}

/// Bounds by place.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    pub(super) integers: FxHashMap<Term, Range>,
    pub(super) arrays: FxHashMap<Term, Listed>,
}

/// How deep conjunctions and disjunctions may be inside each other.
const DEEPEST: usize = 5;

/// The bounds that terms imply if they hold together.
pub(super) fn bounds(terms: &Terms, together: &[Term]) -> Bounds {
    let parts = together.iter().map(|&term| implied(terms, term, true, DEEPEST));
    parts.fold(Bounds::default(), both)
}

/// The variable that a place is, or is an element of.
pub(super) fn variable_of(terms: &Terms, place: Term) -> Option<Variable> {
    match terms.kind(place) {
        TermKind::Variable(variable) => Some(variable),
        TermKind::Select(array, index) => terms.as_value(index).and_then(|_| variable_of(terms, array)),
        _ => None,
    }
}

/// The bounds that follow if a term holds, or does not.
fn implied(terms: &Terms, term: Term, holds: bool, depth: usize) -> Bounds {
    let Some(depth) = depth.checked_sub(1) else { return Bounds::default() };
    let bounded = |form: Term, low: Option<i128>, high: Option<i128>| {
        let mut found = Bounds::default();
        if variable_of(terms, form).is_some() {
            found.integers.insert(form, Range { low, high });
        }
        found
    };
    let number = |value: &BigInt| i128::try_from(value.clone()).ok();
    match (terms.kind(term), holds) {
        (TermKind::Not(inner), _) => implied(terms, inner, !holds, depth),
        (TermKind::AtMost(form, bound), true) => bounded(form, None, number(&bound)),
        (TermKind::AtMost(form, bound), false) => {
            bounded(form, number(&bound).and_then(|bound| bound.checked_add(1)), None)
        }
        (TermKind::Exactly(form, value), true) => bounded(form, number(&value), number(&value)),
        (TermKind::Equal(left, right), true) => {
            let mut found = Bounds::default();
            for (place, whole) in [(left, right), (right, left)] {
                found.arrays.extend(listed(terms, place, whole).map(|listed| (place, listed)));
            }
            found
        }
        (TermKind::And(parts), true) | (TermKind::Or(parts), false) => {
            let parts = parts.iter().map(|&part| implied(terms, part, holds, depth));
            parts.fold(Bounds::default(), both)
        }
        (TermKind::Or(parts), true) | (TermKind::And(parts), false) => {
            let mut found: Option<Bounds> = None;
            for &part in &parts {
                // Where a part bounds nothing, neither does the whole.
                if found.as_ref().is_some_and(Bounds::is_empty) {
                    break;
                }
                let part = implied(terms, part, holds, depth);
                found = Some(match found {
                    None => part,
                    Some(found) => either(found, &part),
                });
            }
            found.unwrap_or_default()
        }
        _ => Bounds::default(),
    }
}

/// What it says of an array of integers that it is `whole`: one value, and its own elements at some indices.
fn listed(terms: &Terms, place: Term, whole: Term) -> Option<Listed> {
    variable_of(terms, place)?;
    let (mut at, mut indices) = (whole, BTreeSet::new());
    loop {
        match terms.kind(at) {
            TermKind::Store(array, index, element) if terms.select(place, index) == element => {
                indices.insert(terms.as_value(index)?);
                at = array;
            }
            TermKind::Everywhere(index, element) if *index == Sort::Int => {
                let elsewhere = evaluate(terms, element, &|_| None).ok()?;
                return Some(Listed { indices, elsewhere });
            }
            _ => return None,
        }
    }
}

impl Bounds {
    fn is_empty(&self) -> bool {
        self.integers.is_empty() && self.arrays.is_empty()
    }
}

/// Where both hold.
fn both(mut one: Bounds, other: Bounds) -> Bounds {
    for (place, range) in other.integers {
        let own = one.integers.entry(place).or_default();
        own.low = own.low.into_iter().chain(range.low).max();
        own.high = own.high.into_iter().chain(range.high).min();
    }
    for (place, listed) in other.arrays {
        // Both are right; the domain of the array has the most indices, and says what each element can be.
        let own = one.arrays.entry(place).or_insert_with(|| listed.clone());
        if own.indices.len() < listed.indices.len() {
            *own = listed;
        }
    }
    one
}

/// Where one of both holds.
fn either(mut one: Bounds, other: &Bounds) -> Bounds {
    one.integers.retain(|place, own| {
        let Some(range) = other.integers.get(place) else { return false };
        *own = hull(*own, *range);
        own.low.is_some() || own.high.is_some()
    });
    one.arrays.retain(|place, own| {
        let listed = other.arrays.get(place).filter(|listed| listed.elsewhere == own.elsewhere);
        own.indices.extend(listed.iter().flat_map(|listed| listed.indices.iter().cloned()));
        listed.is_some()
    });
    one
}

/// The least range that has both.
pub(super) fn hull(one: Range, other: Range) -> Range {
    let low = one.low.zip(other.low).map(|(a, b)| a.min(b));
    Range { low, high: one.high.zip(other.high).map(|(a, b)| a.max(b)) }
}
