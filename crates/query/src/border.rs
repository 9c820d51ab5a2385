//! The largest sets of a family that is closed downwards and known by asking only.
//!
//! A set that is in the family and not inside a known largest one has an element outside of each of these: it contains a minimal set that
//! meets all their complements. So these minimal sets are asked; one that is in the family is made as large as possible and gives a new
//! largest set, and if none is, all are known. Many sets are asked at a time. Cost: the number of minimal sets that are
//! asked can be exponential in the number of largest ones.

use tertium_support::{IdSet, define_id};

define_id!(
    /// An element of the sets.
    ElementId
);

/// A set of elements.
pub(crate) type Set = IdSet<ElementId>;

/// More minimal sets than this are not kept.
const MOST_TRIED: usize = 10_000;

/// So many sets are asked at once while one is made larger.
const ASKED: usize = 64;

/// The largest sets of a family of sets of `n` elements, at most `most`, and whether these are all. The question gives for each set whether it
/// is in the family; a set inside one that is must be, too.
pub(crate) fn largest_sets<E>(
    n: usize,
    most: usize,
    mut ask: impl FnMut(&[Set]) -> Result<Vec<bool>, E>,
) -> Result<(Vec<Set>, bool), E> {
    let mut largest: Vec<Set> = Vec::new();
    // Minimal sets that meet the complements of all largest ones, and whether they are known not to be in the family.
    let mut tried: Vec<(Set, bool)> = vec![(Set::empty(n), false)];
    loop {
        let asked: Vec<Set> =
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
        let found = enlarged(start.0, &mut ask)?;
        tried = meeting(tried, &found.complement());
        largest.push(found);
    }
}

/// A largest set around one of the family: elements are added in order, each if it fits.
pub(crate) fn enlarged<E>(
    mut set: Set,
    ask: &mut impl FnMut(&[Set]) -> Result<Vec<bool>, E>,
) -> Result<Set, E> {
    let mut left: Vec<ElementId> = set.complement().iter().collect();
    while !left.is_empty() {
        let mut prefixes: Vec<Set> = Vec::new();
        for &element in left.iter().take(ASKED) {
            let mut larger = prefixes.last().unwrap_or(&set).clone();
            larger.insert(element);
            prefixes.push(larger);
        }
        let n_fit = ask(&prefixes)?.iter().take_while(|is_member| **is_member).count();
        if n_fit > 0 {
            set = prefixes.swap_remove(n_fit - 1);
        }
        // The next one does not fit, and will not into anything larger.
        left.drain(..(n_fit + 1).min(left.len()).min(ASKED));
    }
    Ok(set)
}

/// The minimal sets that contain one of these and meet `other` as well.
fn meeting(sets: Vec<(Set, bool)>, other: &Set) -> Vec<(Set, bool)> {
    let (mut kept, missing): (Vec<_>, Vec<_>) =
        sets.into_iter().partition(|(set, _)| !set.is_disjoint(other));
    let mut larger: Vec<Set> = Vec::new();
    for (set, _) in &missing {
        for element in other.iter() {
            let mut with = set.clone();
            with.insert(element);
            if !kept.iter().any(|(own, _)| own.is_subset(&with)) {
                larger.push(with);
            }
        }
    }
    larger.sort_by_key(Set::count);
    let first = kept.len();
    for set in larger {
        if !kept[first..].iter().any(|(own, _)| own.is_subset(&set)) {
            kept.push((set, false));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::Id;
    use tertium_testkit::random_cases;

    fn set(n: usize, bits: usize) -> Set {
        Set::filter(n, |element| bits >> element.index() & 1 == 1)
    }

    #[test]
    fn the_largest_sets_are_those_of_the_definition() {
        random_cases(300, |rng| {
            let n = rng.between(1, 7);
            let tops: Vec<Set> = (0..rng.below(5)).map(|_| set(n, rng.below(1 << n))).collect();
            let is_member = |own: &Set| tops.iter().any(|top| own.is_subset(top));
            let ask = |sets: &[Set]| Ok::<_, ()>(sets.iter().map(is_member).collect());
            let (mut found, complete) = largest_sets(n, 100, ask).unwrap();
            let mut expected: Vec<Set> = tops.clone();
            expected.retain(|top| !tops.iter().any(|other| top != other && top.is_subset(other)));
            let key = |set: &Set| set.iter().map(Id::index).collect::<Vec<usize>>();
            expected.sort_by_key(key);
            expected.dedup();
            found.sort_by_key(key);
            assert!(complete);
            assert_eq!(found, expected);
        });
    }

    #[test]
    fn many_elements_are_added_in_few_questions() {
        let mut n_questions = 0;
        let ask = |sets: &[Set]| {
            n_questions += 1;
            Ok::<_, ()>(vec![true; sets.len()])
        };
        assert_eq!(largest_sets(200, 10, ask), Ok((vec![Set::full(200)], true)));
        assert!(n_questions <= 6, "{n_questions}");
    }
}
