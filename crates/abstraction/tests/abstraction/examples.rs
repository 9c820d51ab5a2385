//! The worked examples of the source \[GHJ01\]: one statement `x := z` over unbounded integers, seen through odd(x), y > 0 and z < 0.

use crate::common::{abstraction, context, predicates_of, program};
use tertium_abstraction::{AbstractState, Musts, PredicateAbstraction, Targets, explore, naive};
use tertium_expr::Term;
use tertium_support::Id;
use tertium_system::{StateId, relation};

/// A state from its bits, in the order of the predicates as they were given. Where a predicate is kept negated, its bit is.
fn state(abstraction: &PredicateAbstraction<'_>, wanted: &[Term], bits: &str) -> AbstractState {
    let all = naive::all_states(abstraction.program(), abstraction.precision());
    let terms = &abstraction.program().terms;
    let matches = |state: &AbstractState| {
        wanted.iter().zip(bits.chars()).all(|(&term, bit)| {
            let (id, positive) =
                abstraction.precision().find_literal(terms, term).expect("it is a predicate");
            (state.bits.contains(id.index()) == positive) == (bit == '1')
        })
    };
    all.into_iter().find(matches).expect("all combinations are there")
}

#[test]
fn three_predicates_give_eight_states_sixteen_mays_and_no_must() {
    let program = program();
    let wanted = predicates_of(&program);
    let mut abstraction = abstraction(&program, &wanted);
    let found = explore(&context(), &mut abstraction, &[], Musts::Single).expect("no limits");
    assert_eq!(found.states.len(), 8);
    assert_eq!(found.edges.len(), 16);
    assert_eq!(found.system.states().map(|s| found.system.must(s).count()).sum::<usize>(), 0);

    // From 111: x after the step is z, which is negative and odd or even; y and z stay.
    let source = state(&abstraction, &wanted, "111");
    let targets = abstraction.successors(&context(), &source).expect("no limits");
    let [(_, Targets { may, must, always })] = &targets[..] else { panic!("one command") };
    let expected = ["111", "011"].map(|bits| state(&abstraction, &wanted, bits));
    assert_eq!(*may, expected.into_iter().collect());
    assert!(must.is_empty());
    // All of them together are a must target: a set of two monomials, though no single one is.
    assert!(always);
}

#[test]
fn a_must_step_leads_into_the_two_monomials_and_none_into_one() {
    let program = program();
    let wanted = predicates_of(&program);
    let mut abstraction = abstraction(&program, &wanted);
    let found = explore(&context(), &mut abstraction, &[], Musts::Sets).expect("no limits");
    let id = |bits| {
        let state = state(&abstraction, &wanted, bits);
        StateId::new(found.states.get_index_of(&state).expect("all states are reached"))
    };
    let mut expected = vec![id("111"), id("011")];
    expected.sort();
    let musts: Vec<Vec<StateId>> =
        found.system.must_sets(id("111")).map(|(_, targets)| targets.to_vec()).collect();
    assert_eq!(musts, [expected]);
}

#[test]
fn far_fewer_calls_than_pairs_of_states_are_needed() {
    let program = program();
    let wanted = predicates_of(&program);
    let mut abstraction = abstraction(&program, &wanted);
    let source = state(&abstraction, &wanted, "111");
    abstraction.successors(&context(), &source).expect("no limits");
    let calls = abstraction.statistics().n_calls;
    // 8 leaves each for may and must without pruning.
    assert!(calls <= 4, "{calls} calls");
}

#[test]
fn two_predicates_give_four_states_that_stay_where_they_are() {
    let program = program();
    let [_, positive, negative] = predicates_of(&program);
    let mut abstraction = abstraction(&program, &[positive, negative]);
    let found = explore(&context(), &mut abstraction, &[], Musts::Single).expect("no limits");
    assert_eq!((found.states.len(), found.edges.len()), (4, 4));
    for state in found.system.states() {
        assert_eq!(found.system.must(state).map(|(_, target)| target).collect::<Vec<_>>(), [state]);
        assert_eq!(found.system.may(state).map(|(_, target)| target).collect::<Vec<_>>(), [state]);
    }
    assert!(abstraction.statistics().n_calls <= 4, "only to find the four states");
}

#[test]
fn adding_a_predicate_is_no_refinement() {
    let program = program();
    let [odd, positive, negative] = predicates_of(&program);
    let system = |wanted: &[Term]| {
        let mut abstraction = abstraction(&program, wanted);
        explore(&context(), &mut abstraction, &[], Musts::Single).expect("no limits").system
    };
    let (fine, coarse) = (system(&[odd, positive, negative]), system(&[positive, negative]));
    let related = relation::greatest_refinement(&context(), &fine, &coarse).expect("no limits");
    assert!(related.is_empty());
}
