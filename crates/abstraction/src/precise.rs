//! The most precise vectors over 0, 1 and * with a property that weaker vectors have too, by asking.
//!
//! From above, by refuted guesses: all vectors in question lie below some candidates. A candidate that has the property
//! is one of those wanted. One that has not comes with a reason, ideally all that one concrete state allows; then every
//! candidate is replaced by what it has in common with that. So there is one question for each vector wanted, and one
//! for each reason that rules out the best guess, however many components there are.
//!
//! Where reasons are missing or there are too many candidates, from below: a vector is the set of its known components,
//! and a more precise one is a larger set, so these are largest sets of a family that is closed downwards. Cost: for
//! each of them at most two questions for each component, and those that show that there are no more.

use indexmap::IndexSet;
use tertium_support::maximal_sets::{ElementId, ElementSet, maximal_sets};
use tertium_support::{Id, StopReason};
use tertium_truth::{Kleene, TriVector};

/// With more candidates than this, the search is from below: more questions, the same vectors.
const MOST_CANDIDATES: usize = 1000;

/// Whether a vector has the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// It has.
    Yes,
    /// It has not, and neither has any other that is not below one of these.
    Only(Vec<TriVector>),
    /// It has not, or nobody knows; nothing is said of weaker ones.
    No,
}

/// What is known of the property before it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    /// All vectors that have it are below one of these, if that is known.
    pub(crate) above: Option<Vec<TriVector>>,
    /// These have it.
    pub(crate) below: Vec<TriVector>,
    /// Vectors with more known components do not count.
    pub(crate) depth: usize,
}

/// The most precise vectors with a property.
#[derive(Clone, Debug)]
pub(crate) struct Sharpest {
    /// These are, or would be if they were all.
    pub(crate) vectors: Vec<TriVector>,
    /// Whether they are all. Otherwise there were too many sets of components to ask about.
    pub(crate) complete: bool,
}

/// The most precise vectors of this length with a property. If a vector has it, all weaker ones have it.
pub(crate) fn most_precise(
    length: usize,
    bounds: &Bounds,
    mut ask: impl FnMut(&TriVector) -> Result<Reply, StopReason>,
) -> Result<Sharpest, StopReason> {
    debug_assert!(
        bounds.below.iter().chain(bounds.above.iter().flatten()).all(|vector| vector.len() == length),
        "bounds have the length of what is looked for"
    );
    let mut found = maximal(bounds.below.clone());
    let mut reasons: Vec<Vec<TriVector>> = Vec::new();
    let mut refused: Vec<TriVector> = Vec::new();
    let above = bounds.above.iter().flatten().flat_map(|vector| parts(vector, bounds.depth));
    let above: IndexSet<TriVector> = above.take(MOST_CANDIDATES + 1).collect();
    let mut few = bounds.above.is_some() && above.len() <= MOST_CANDIDATES;
    let mut candidates = if few { maximal(above.into_iter().collect()) } else { Vec::new() };
    while few {
        candidates.retain(|vector| !is_below(vector, &found));
        let Some(candidate) = candidates.pop() else {
            debug_assert!(is_antichain(&found), "none is below another");
            return Ok(Sharpest { vectors: found, complete: true });
        };
        debug_assert!(known_components(&candidate).count() <= bounds.depth, "candidates are not too deep");
        match ask(&candidate)? {
            Reply::Yes => {
                found.retain(|known| !known.info_le(&candidate));
                found.push(candidate);
            }
            Reply::Only(allowed) => {
                candidates.push(candidate);
                candidates = within(candidates, &allowed);
                reasons.push(allowed);
            }
            Reply::No => {
                candidates.push(candidate.clone());
                candidates = without(candidates, &candidate);
                refused.push(candidate);
            }
        }
        few = candidates.len() <= MOST_CANDIDATES && refused.len() <= length;
    }
    let known = found.clone();
    let (more, complete) = from_below(length, |vector| {
        if is_below(vector, &known) {
            return Ok(true);
        }
        if known_components(vector).count() > bounds.depth
            || bounds.above.as_ref().is_some_and(|above| !is_below(vector, above))
            || reasons.iter().any(|allowed| !is_below(vector, allowed))
            || refused.iter().any(|other| other.info_le(vector))
        {
            return Ok(false);
        }
        match ask(vector)? {
            Reply::Yes => return Ok(true),
            Reply::Only(allowed) => reasons.push(allowed),
            Reply::No => refused.push(vector.clone()),
        }
        Ok(false)
    })?;
    found.extend(more);
    let found = maximal(found);
    debug_assert!(is_antichain(&found), "none is below another");
    Ok(Sharpest { vectors: found, complete })
}

fn is_below(vector: &TriVector, others: &[TriVector]) -> bool {
    others.iter().any(|other| vector.info_le(other))
}

/// Whether none is below another; of many, the first ones are looked at.
fn is_antichain(vectors: &[TriVector]) -> bool {
    let some = &vectors[..vectors.len().min(64)];
    some.iter().enumerate().all(|(n, a)| some[n + 1..].iter().all(|b| !a.info_le(b) && !b.info_le(a)))
}

/// Those that are not below another one.
fn maximal(mut vectors: Vec<TriVector>) -> Vec<TriVector> {
    vectors.sort_by_key(|vector| std::cmp::Reverse(known_components(vector).count()));
    let mut kept: Vec<TriVector> = Vec::new();
    for vector in vectors {
        if !is_below(&vector, &kept) {
            kept.push(vector);
        }
    }
    kept
}

/// The most precise vectors below the candidates and one of those allowed.
fn within(candidates: Vec<TriVector>, allowed: &[TriVector]) -> Vec<TriVector> {
    let (mut kept, others): (Vec<_>, Vec<_>) =
        candidates.into_iter().partition(|vector| is_below(vector, allowed));
    kept.extend(others.iter().flat_map(|vector| allowed.iter().map(|other| vector.align(other))));
    maximal(kept)
}

/// The most precise vectors below the candidates that do not say all that `refused` says.
fn without(candidates: Vec<TriVector>, refused: &TriVector) -> Vec<TriVector> {
    let (others, mut kept): (Vec<_>, Vec<_>) =
        candidates.into_iter().partition(|vector| refused.info_le(vector));
    for vector in &others {
        for at in known_components(refused) {
            let mut components = vector.components().to_vec();
            components[at] = Kleene::Unknown;
            kept.push(TriVector::new(components));
        }
    }
    maximal(kept)
}

/// The components that are not open.
fn known_components(vector: &TriVector) -> impl Iterator<Item = usize> + '_ {
    let components = vector.components().iter().enumerate();
    components.filter(|(_, component)| **component != Kleene::Unknown).map(|(at, _)| at)
}

/// The most precise vectors below one with at most `depth` known components, one after the other.
fn parts(vector: &TriVector, depth: usize) -> impl Iterator<Item = TriVector> + '_ {
    let known: Vec<usize> = known_components(vector).collect();
    let size = depth.min(known.len());
    let mut chosen: Option<Vec<usize>> = Some((0..size).collect());
    std::iter::from_fn(move || {
        let now = chosen.take()?;
        let mut components = vec![Kleene::Unknown; vector.len()];
        now.iter().for_each(|&n| components[known[n]] = vector.components()[known[n]]);
        // The next choice in order: the last place that can move on does, and the others follow it.
        if let Some(place) = (0..size).rev().find(|&place| now[place] + size - place < known.len()) {
            let mut next = now;
            let start = next[place] + 1;
            (place..size).for_each(|at| next[at] = start + at - place);
            chosen = Some(next);
        }
        Some(TriVector::new(components))
    })
}

/// The same from below, and whether these are all.
fn from_below(
    length: usize,
    mut is_one: impl FnMut(&TriVector) -> Result<bool, StopReason>,
) -> Result<(Vec<TriVector>, bool), StopReason> {
    let ask = |sets: &[ElementSet]| {
        let answer = |set: &ElementSet| vector(length, set).map_or(Ok(false), |vector| is_one(&vector));
        sets.iter().map(answer).collect()
    };
    // If there are too many to be sure that these are all, fewer are known to be targets than are.
    let (sets, complete) = maximal_sets(2 * length, usize::MAX, 1, ask)?;
    Ok((sets.iter().filter_map(|set| vector(length, set)).collect(), complete))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::all_vectors;
    use tertium_support::Rng;
    use tertium_testkit::random_cases;

    fn bits(rng: &mut Rng, length: usize) -> TriVector {
        TriVector::new((0..length).map(|_| Kleene::from(rng.chance(0.5))).collect())
    }

    /// States as what they are led to; all are led to a vector if each has something above it.
    fn has(states: &[Vec<TriVector>], vector: &TriVector) -> bool {
        states.iter().all(|ends| is_below(vector, ends))
    }

    fn sorted(vectors: Vec<TriVector>) -> Vec<String> {
        let mut names: Vec<String> = vectors.iter().map(ToString::to_string).collect();
        names.sort();
        names
    }

    #[test]
    fn the_most_precise_vectors_are_those_of_the_definition_however_they_are_asked_for() {
        random_cases(300, |rng| {
            let length = rng.between(0, 4);
            let states: Vec<Vec<TriVector>> = (0..rng.between(1, 5))
                .map(|_| (0..rng.between(1, 4)).map(|_| bits(rng, length)).collect())
                .collect();
            let depth = if rng.chance(0.5) { length } else { rng.between(0, length) };
            let all = all_vectors(length).into_iter();
            let shallow = all.filter(|vector| known_components(vector).count() <= depth);
            let expected = maximal(shallow.filter(|vector| has(&states, vector)).collect());
            let above = rng.chance(0.8).then(|| states.concat());
            let known = expected.iter().filter(|_| rng.chance(0.3)).cloned().collect();
            let bounds = Bounds { above, below: known, depth };
            let open = rng.chance(0.3);
            let mut n_asked = 0;
            let found = most_precise(length, &bounds, |vector| {
                n_asked += 1;
                let against = states.iter().find(|ends| !is_below(vector, ends));
                Ok(match against {
                    None => Reply::Yes,
                    Some(_) if open => Reply::No,
                    Some(ends) => Reply::Only(ends.clone()),
                })
            });
            let found = found.expect("nobody stops it");
            assert!(found.complete);
            assert_eq!(sorted(found.vectors), sorted(expected.clone()));
            if bounds.above.is_some() && !open {
                assert!(n_asked <= expected.len() + states.len(), "{n_asked} questions");
            }
        });
    }

    /// With many targets that have little in common, more sets are open than are kept; what is found has the property all the same.
    #[test]
    fn a_search_that_ends_early_says_so() {
        let mut rng = Rng::seeded(7);
        let length = 24;
        let ends: Vec<TriVector> = (0..40).map(|_| bits(&mut rng, length)).collect();
        let bounds = Bounds { above: None, below: Vec::new(), depth: length };
        let ask = |vector: &TriVector| Ok(if is_below(vector, &ends) { Reply::Yes } else { Reply::No });
        let found = most_precise(length, &bounds, ask).expect("nobody stops it");
        assert!(!found.complete && !found.vectors.is_empty());
        assert!(found.vectors.iter().all(|vector| ends.contains(vector)));
    }

    #[test]
    fn nothing_is_asked_about_what_is_known() {
        let vector: TriVector = "0*1".parse().expect("a vector");
        let bounds = Bounds { above: Some(vec![vector.clone()]), below: vec![vector.clone()], depth: 3 };
        let found = most_precise(3, &bounds, |_| panic!("no question is left"));
        assert_eq!(found.expect("nobody stops it").vectors, [vector]);
    }
}
