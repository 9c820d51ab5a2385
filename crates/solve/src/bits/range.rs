//! Bounds of integers that a conjunction implies.
//!
//! Read off from the outside of the terms: comparisons of a variable with a constant, conjunctions of such, and
//! disjunctions in which every part bounds it. What is further inside is not looked at, so a bound may be missed, and
//! none is wrong.

use rustc_hash::FxHashMap;
use tertium_expr::{BigInt, Term, TermKind, Terms, Variable};

/// Bounds of a variable, as far as there are any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: Option<i128>,
    pub(super) high: Option<i128>,
}

/// Bounds by variable.
pub(super) type Ranges = FxHashMap<Variable, Range>;

/// How deep conjunctions and disjunctions may be inside each other.
const DEEPEST: usize = 5;

/// The bounds that terms imply if they hold together.
pub(super) fn ranges(terms: &Terms, together: &[Term]) -> Ranges {
    let parts = together.iter().map(|&term| implied(terms, term, true, DEEPEST));
    parts.fold(Ranges::default(), both)
}

/// The bounds that follow if a term holds, or does not.
fn implied(terms: &Terms, term: Term, holds: bool, depth: usize) -> Ranges {
    let Some(depth) = depth.checked_sub(1) else { return Ranges::default() };
    let bounded = |form: Term, low: Option<i128>, high: Option<i128>| match terms.kind(form) {
        TermKind::Variable(variable) => [(variable, Range { low, high })].into_iter().collect(),
        _ => Ranges::default(),
    };
    let number = |value: &BigInt| i128::try_from(value.clone()).ok();
    match (terms.kind(term), holds) {
        (TermKind::Not(inner), _) => implied(terms, inner, !holds, depth),
        (TermKind::AtMost(form, bound), true) => bounded(form, None, number(&bound)),
        (TermKind::AtMost(form, bound), false) => {
            bounded(form, number(&bound).and_then(|bound| bound.checked_add(1)), None)
        }
        (TermKind::Exactly(form, value), true) => bounded(form, number(&value), number(&value)),
        (TermKind::And(parts), true) | (TermKind::Or(parts), false) => {
            let parts = parts.iter().map(|&part| implied(terms, part, holds, depth));
            parts.fold(Ranges::default(), both)
        }
        (TermKind::Or(parts), true) | (TermKind::And(parts), false) => {
            let mut found: Option<Ranges> = None;
            for &part in &parts {
                // Where a part bounds nothing, neither does the whole.
                if found.as_ref().is_some_and(Ranges::is_empty) {
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
        _ => Ranges::default(),
    }
}

/// Where both hold.
fn both(mut one: Ranges, other: Ranges) -> Ranges {
    for (variable, range) in other {
        let own = one.entry(variable).or_default();
        own.low = own.low.into_iter().chain(range.low).max();
        own.high = own.high.into_iter().chain(range.high).min();
    }
    one
}

/// Where one of both holds.
pub(super) fn either(mut one: Ranges, other: &Ranges) -> Ranges {
    one.retain(|variable, own| {
        let Some(range) = other.get(variable) else { return false };
        *own = hull(*own, *range);
        own.low.is_some() || own.high.is_some()
    });
    one
}

/// The least range that has both.
pub(super) fn hull(one: Range, other: Range) -> Range {
    let low = one.low.zip(other.low).map(|(a, b)| a.min(b));
    Range { low, high: one.high.zip(other.high).map(|(a, b)| a.max(b)) }
}
