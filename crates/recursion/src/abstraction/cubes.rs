//! Sets of truth values of predicates.

use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Term, Terms};
use tertium_truth::Kleene;

/// What some predicates are: true, false, or either.
pub(crate) type Cube = Box<[Kleene]>;

/// The literals of a cube over these predicates.
pub(crate) fn literals(terms: &Terms, predicates: &[Term], cube: &[Kleene]) -> Vec<Term> {
    debug_assert_eq!(predicates.len(), cube.len(), "a value for each predicate");
    let known = predicates.iter().zip(cube).filter(|(_, value)| **value != Kleene::Unknown);
    known.map(|(&term, &value)| if value == Kleene::True { term } else { terms.not(term) }).collect()
}

/// Fewer cubes with the same union, where two differ in one predicate only.
pub(crate) fn merged(cubes: impl IntoIterator<Item = Cube>) -> Vec<Cube> {
    let mut all: FxHashSet<Cube> = cubes.into_iter().collect();
    let Some(width) = all.iter().next().map(|cube| cube.len()) else { return Vec::new() };
    for at in 0..width {
        let low: Vec<Cube> = all.iter().filter(|cube| cube[at] == Kleene::False).cloned().collect();
        for cube in low {
            let mut other = cube.clone();
            other[at] = Kleene::True;
            if all.contains(&other) {
                all.remove(&cube);
                all.remove(&other);
                other[at] = Kleene::Unknown;
                all.insert(other);
            }
        }
    }
    let mut all: Vec<Cube> = all.into_iter().collect();
    all.sort_unstable_by(|one, other| one.iter().map(rank).cmp(other.iter().map(rank)));
    all
}

/// Where one of the cubes holds, as a term. Predicates that have nothing to do with each other are said apart, so that many cubes which are
/// all combinations of few need not be listed.
pub(crate) fn any_of(terms: &Terms, predicates: &[Term], cubes: &[Cube]) -> Term {
    let cubes = merged(cubes.iter().cloned());
    let parts = independent(predicates.len(), &cubes);
    let project = |part: &[usize]| -> BTreeSet<Vec<u8>> {
        cubes.iter().map(|cube| part.iter().map(|&at| rank(&cube[at])).collect()).collect()
    };
    let projected: Vec<BTreeSet<Vec<u8>>> = parts.iter().map(|part| project(part)).collect();
    let product = projected.iter().try_fold(1usize, |product, own| product.checked_mul(own.len()));
    if product != Some(cubes.len()) {
        return terms
            .or(cubes.iter().map(|cube| terms.and(literals(terms, predicates, cube))).collect::<Vec<_>>());
    }
    let said = parts.iter().zip(projected).map(|(part, own)| {
        let predicates: Vec<Term> = part.iter().map(|&at| predicates[at]).collect();
        let cubes = merged(own.into_iter().map(|values| values.into_iter().map(unranked).collect()));
        terms.or(cubes.iter().map(|cube| terms.and(literals(terms, &predicates, cube))).collect::<Vec<_>>())
    });
    terms.and(said.collect::<Vec<_>>())
}

/// Places that depend on each other, as far as two at a time tell.
fn independent(width: usize, cubes: &[Cube]) -> Vec<Vec<usize>> {
    let values = |at: usize| cubes.iter().map(|cube| rank(&cube[at])).collect::<BTreeSet<u8>>().len();
    let alone: Vec<usize> = (0..width).map(values).collect();
    let mut part: Vec<usize> = (0..width).collect();
    for one in 0..width {
        for other in one + 1..width {
            if part[one] == part[other] || alone[one] == 1 || alone[other] == 1 {
                continue;
            }
            let mut seen = [false; 9];
            cubes.iter().for_each(|cube| {
                seen[usize::from(3 * rank(&cube[one]) + rank(&cube[other]))] = true;
            });
            if seen.iter().filter(|seen| **seen).count() < alone[one] * alone[other] {
                let (from, to) = (part[other], part[one]);
                part.iter_mut().filter(|own| **own == from).for_each(|own| *own = to);
            }
        }
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, own) in part.into_iter().enumerate() {
        parts.entry(own).or_default().push(at);
    }
    parts.into_values().collect()
}

fn unranked(rank: u8) -> Kleene {
    match rank {
        0 => Kleene::False,
        1 => Kleene::Unknown,
        _ => Kleene::True,
    }
}

fn rank(value: &Kleene) -> u8 {
    match value {
        Kleene::False => 0,
        Kleene::Unknown => 1,
        Kleene::True => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cubes_merge_into_one() {
        let values = [Kleene::False, Kleene::True];
        let all = values.into_iter().flat_map(|a| values.map(|b| -> Cube { [a, b].into() }));
        assert_eq!(merged(all), [Cube::from([Kleene::Unknown; 2])]);
        let three = [[Kleene::False; 2], [Kleene::False, Kleene::True], [Kleene::True; 2]];
        assert_eq!(merged(three.map(Cube::from)).len(), 2);
    }

    #[test]
    fn combinations_are_said_apart() {
        let terms = Terms::new();
        let predicates: Vec<Term> = (0..6)
            .map(|n| terms.variable(terms.declare(&format!("p{n}"), &tertium_expr::Sort::Bool)))
            .collect();
        // Of each pair, both are true or the first is false.
        let pairs = [[Kleene::False, Kleene::Unknown], [Kleene::True, Kleene::True]];
        let cubes: Vec<Cube> =
            (0..8).map(|n: usize| (0..3).flat_map(|pair| pairs[n >> pair & 1]).collect()).collect();
        let implied = |pair: usize| terms.implies(predicates[2 * pair], predicates[2 * pair + 1]);
        let said = any_of(&terms, &predicates, &cubes);
        assert_eq!(terms.conjuncts(said).len(), 3);
        let expected = terms.and((0..3).map(implied).collect::<Vec<_>>());
        for values in 0..64 {
            let known = |variable| {
                let at = predicates.iter().position(|&own| own == terms.variable(variable))?;
                Some(tertium_expr::Value::Bool(values >> at & 1 == 1))
            };
            let value = |term| tertium_expr::evaluate(&terms, term, &known);
            assert_eq!(value(said), value(expected));
        }
    }
}
