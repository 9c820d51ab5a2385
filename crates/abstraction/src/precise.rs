//! The most precise vectors over 0, 1 and * with a property that weaker vectors have too.
//!
//! A vector is the set of its known components, and a more precise one is a larger set, so these are largest sets of a family that is closed downwards, and
//! are found by asking as such. Cost: for each of them at most two questions for each component, and those that show that there are no more.

use tertium_support::border::{ElementId, ElementSet, largest_sets};
use tertium_support::{Id, StopReason};
use tertium_truth::{Kleene, TriVector};

/// The most precise vectors of this length for which `is_one` holds. If it holds of a vector, it has to hold of all weaker ones.
pub(crate) fn most_precise(
    length: usize,
    mut is_one: impl FnMut(&TriVector) -> Result<bool, StopReason>,
) -> Result<Vec<TriVector>, StopReason> {
    let ask = |sets: &[ElementSet]| {
        let answer = |set: &ElementSet| vector(length, set).map_or(Ok(false), |vector| is_one(&vector));
        sets.iter().map(answer).collect()
    };
    // If there are too many to be sure that these are all, fewer are known to be targets than are.
    let (sets, _) = largest_sets(2 * length, usize::MAX, 1, ask)?;
    Ok(sets.iter().filter_map(|set| vector(length, set)).collect())
}

/// Element 2i says that component i is false, the next one that it is true; both together are no vector.
fn vector(length: usize, set: &ElementSet) -> Option<TriVector> {
    let has = |element: usize| set.contains(ElementId::new(element));
    let component = |at: usize| match (has(2 * at), has(2 * at + 1)) {
        (false, false) => Some(Kleene::Unknown),
        (true, false) => Some(Kleene::False),
        (false, true) => Some(Kleene::True),
        (true, true) => None,
    };
    (0..length).map(component).collect::<Option<Vec<Kleene>>>().map(TriVector::new)
}
