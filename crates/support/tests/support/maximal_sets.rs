//! The largest sets of families, against their definition.

use tertium_support::Id;
use tertium_support::maximal_sets::{ElementSet, maximal_sets};
use tertium_testkit::random_cases;

fn set(n: usize, bits: usize) -> ElementSet {
    ElementSet::filter(n, |element| bits >> element.index() & 1 == 1)
}

#[test]
fn the_largest_sets_are_those_of_the_definition() {
    random_cases(300, |rng| {
        let n = rng.between(1, 7);
        let tops: Vec<ElementSet> = (0..rng.below(5)).map(|_| set(n, rng.below(1 << n))).collect();
        let is_member = |own: &ElementSet| tops.iter().any(|top| own.is_subset(top));
        let ask = |sets: &[ElementSet]| Ok::<_, ()>(sets.iter().map(is_member).collect());
        let (mut found, complete) = maximal_sets(n, 100, rng.between(1, 5), ask).unwrap();
        let mut expected: Vec<ElementSet> = tops.clone();
        expected.retain(|top| !tops.iter().any(|other| top != other && top.is_subset(other)));
        let key = |set: &ElementSet| set.iter().map(Id::index).collect::<Vec<usize>>();
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
    let ask = |sets: &[ElementSet]| {
        n_questions += 1;
        Ok::<_, ()>(vec![true; sets.len()])
    };
    assert_eq!(maximal_sets(200, 10, 64, ask), Ok((vec![ElementSet::full(200)], true)));
    assert!(n_questions <= 6, "{n_questions}");
}
