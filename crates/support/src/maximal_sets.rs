//! The largest sets of a family that is closed downwards and known by asking only.
//!
//! A set that is in the family and not inside a known largest one has an element outside of each of these: it contains a minimal set that
//! meets all their complements. So these minimal sets are asked; one that is in the family is made as large as possible and gives a new
//! largest set, and if none is, all are known. Cost: the number of minimal sets that are
//! asked can be exponential in the number of largest ones.

use crate::{IdSet, define_id};

define_id!(
    /// An element of the sets.
    ElementId
);

/// A set of elements.
pub type ElementSet = IdSet<ElementId>;

/// More minimal sets than this are not kept; whoever asked is told that there may be more.
const MOST_TRIED: usize = 10_000;

/// The largest sets of a family of sets of `n` elements, at most `most`, and whether these are all. The question gives
/// for each set whether it is in the family; a set inside one that is must be, too. While a set is made larger,
/// `at_once` sets are asked together, of which all but one can be in vain: many where a question costs the same for
/// many sets, one where each set costs.
pub fn maximal_sets<E>(
    n: usize,
    most: usize,
    at_once: usize,
    mut ask: impl FnMut(&[ElementSet]) -> Result<Vec<bool>, E>,
) -> Result<(Vec<ElementSet>, bool), E> {
    let mut largest: Vec<ElementSet> = Vec::new();
    // Minimal sets that meet the complements of all largest ones, and whether they are known not to be in the family.
    let mut tried: Vec<(ElementSet, bool)> = vec![(ElementSet::empty(n), false)];
    loop {
        let asked: Vec<ElementSet> =
            tried.iter().filter(|(_, refused)| !refused).map(|(set, _)| set.clone()).collect();
        if asked.is_empty() {
            return Ok((largest, true));
        }
        let answers = ask(&asked)?;
        for (set, _) in asked.iter().zip(&answers).filter(|(_, is_member)| !**is_member) {
            tried.iter_mut().filter(|(own, _)| own == set).for_each(|(_, refused)| *refused = true);
        }
        let Some(start) = asked.into_iter().zip(answers).find(|(_, is_member)| *is_member) else {
            return Ok((largest, true));
        };
        if largest.len() == most || tried.len() > MOST_TRIED {
            return Ok((largest, false));
        }
        let found = enlarged(start.0, at_once, &mut ask)?;
        tried = meeting(tried, &found.complement());
        largest.push(found);
    }
}

/// A largest set around one of the family: elements are added in order, each if it fits.
pub fn enlarged<E>(
    mut set: ElementSet,
    at_once: usize,
    ask: &mut impl FnMut(&[ElementSet]) -> Result<Vec<bool>, E>,
) -> Result<ElementSet, E> {
    let mut left: Vec<ElementId> = set.complement().iter().collect();
    while !left.is_empty() {
        let mut prefixes: Vec<ElementSet> = Vec::new();
        for &element in left.iter().take(at_once) {
            let mut larger = prefixes.last().unwrap_or(&set).clone();
            larger.insert(element);
            prefixes.push(larger);
        }
        let n_fit = ask(&prefixes)?.iter().take_while(|is_member| **is_member).count();
        if n_fit > 0 {
            set = prefixes.swap_remove(n_fit - 1);
        }
        // The next one does not fit, and will not into anything larger.
        left.drain(..(n_fit + 1).min(left.len()).min(at_once));
    }
    Ok(set)
}

/// The minimal sets that contain one of these and meet `other` as well.
fn meeting(sets: Vec<(ElementSet, bool)>, other: &ElementSet) -> Vec<(ElementSet, bool)> {
    let (mut kept, missing): (Vec<_>, Vec<_>) =
        sets.into_iter().partition(|(set, _)| !set.is_disjoint(other));
    let mut larger: Vec<ElementSet> = Vec::new();
    for (set, _) in &missing {
        for element in other.iter() {
            let mut with = set.clone();
            with.insert(element);
            if !kept.iter().any(|(own, _)| own.is_subset(&with)) {
                larger.push(with);
            }
        }
    }
    larger.sort_by_key(ElementSet::count);
    let first = kept.len();
    for set in larger {
        if !kept[first..].iter().any(|(own, _)| own.is_subset(&set)) {
            kept.push((set, false));
        }
    }
    kept
}
