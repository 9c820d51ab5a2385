//! More predicates for a cartesian abstraction: nothing is asked again, the result is that of a new one, and it is a refinement \[GHJ01\].

use crate::common::{cartesian, context, predicates_of, program, random_predicates, vector};
use std::collections::BTreeSet;
use tertium_abstraction::{
    AbstractState, CartesianAbstraction, CartesianSystem, Form, PredicateAbstraction, TriState, TriTargets,
    explore_cartesian, naive,
};
use tertium_expr::Term;
use tertium_program::{CommandId, LocId, Precision, Program};
use tertium_solve::{Prover, Z3};
use tertium_support::{Id, Rng};
use tertium_system::StateId;
use tertium_system::relation::{Relation, check_refinement};
use tertium_testkit::{ProgramShape, random_cases, random_program};
use tertium_truth::{Kleene, TriVector};

fn with(program: &Program, first: &Precision, more: &[Term]) -> Precision {
    let mut all = first.clone();
    more.iter().for_each(|&term| {
        all.add(program, term, LocId::ANYWHERE);
    });
    all
}

/// The inhabited bit vectors over some predicates, all controls.
fn inhabited(program: &Program, wanted: &[Term]) -> Vec<AbstractState> {
    let mut abstraction = crate::common::abstraction(program, wanted);
    let controls: Vec<_> =
        naive::all_states(program, &Precision::new()).into_iter().map(|s| s.control).collect();
    let all = controls.iter().flat_map(|control| {
        abstraction.inhabited(&context(), control).expect("no limits").into_iter().collect::<Vec<_>>()
    });
    all.collect()
}

/// A state with the first n predicates only.
fn restricted(state: &AbstractState, n: usize) -> AbstractState {
    let mut bits = fixedbitset::FixedBitSet::with_capacity(n);
    (0..n).for_each(|at| bits.set(at, state.bits.contains(at)));
    AbstractState { control: state.control.clone(), bits }
}

fn start(vector: &TriVector, n: usize) -> TriVector {
    TriVector::new(vector.components()[..n].to_vec())
}

/// How many steps from a state are not settled by what is known with n predicates: may steps into bit vectors, must steps into vectors, and
/// whether the command is always enabled.
fn n_open(n: usize, all: usize, coarse: &[(CommandId, TriTargets)]) -> usize {
    let new = 1 << (all - n);
    let open = |(_, targets): &(CommandId, TriTargets)| {
        let controls: BTreeSet<_> = targets.may.iter().map(|target| &target.control).collect();
        let carried = |control: &[tertium_expr::Value], vector: &TriVector| {
            let before = start(vector, n);
            let is_new_open = vector.components()[n..].iter().all(|c| *c == Kleene::Unknown);
            let must = targets.must.iter().filter(|target| *target.control == *control);
            let absent = !targets
                .may
                .iter()
                .any(|target| *target.control == *control && before.info_le(&target.vector()));
            absent || is_new_open && must.into_iter().any(|target| before.info_le(&target.vector))
        };
        let musts = controls
            .iter()
            .map(|control| naive::all_vectors(all).iter().filter(|v| !carried(control, v)).count());
        targets.may.len() * new + musts.sum::<usize>() + usize::from(!targets.always)
    };
    coarse.iter().map(open).sum()
}

fn same(found: &[(CommandId, TriTargets)], expected: &[(CommandId, TriTargets)]) {
    assert_eq!(found.len(), expected.len());
    for ((own, found), (other, expected)) in found.iter().zip(expected) {
        assert_eq!((own, &found.may, found.always), (other, &expected.may, expected.always));
        let set = |targets: &TriTargets| -> BTreeSet<String> {
            targets.must.iter().map(|target| format!("{target:?}")).collect()
        };
        assert_eq!(set(found), set(expected));
    }
}

#[test]
fn what_is_known_is_not_asked_again_and_the_rest_is_as_from_the_beginning() {
    let (mut n_grown, mut n_new) = (0, 0);
    let run = random_cases(25, |rng| {
        let shape = ProgramShape { n_commands: 3, bounded: false, choices: rng.chance(0.6) };
        let program = random_program(rng, shape);
        let wanted = random_predicates(rng, &program, 3);
        if wanted.len() < 3 {
            return;
        }
        let n = rng.between(1, 2);
        let mut coarse = cartesian(&program, &wanted[..n]);
        for state in inhabited(&program, &wanted[..n]) {
            coarse.targets(&context(), &TriState::exact(&state)).expect("no limits");
        }
        let states = inhabited(&program, &wanted);
        let known: Vec<_> = states
            .iter()
            .map(|state| {
                coarse.targets(&context(), &TriState::exact(&restricted(state, n))).expect("no limits")
            })
            .collect();
        let more = with(&program, coarse.precision(), &wanted);
        let mut fine = coarse.extend(more);
        let mut new = cartesian(&program, &wanted);
        for (state, known) in states.iter().zip(&known) {
            let before = fine.statistics().n_calls;
            let found = fine.targets(&context(), &TriState::exact(state)).expect("no limits");
            let calls = fine.statistics().n_calls - before;
            assert!(calls <= n_open(n, 3, known) as u64, "{calls} calls");
            n_grown += calls;
            same(&found, &new.targets(&context(), &TriState::exact(state)).expect("no limits"));
        }
        n_new += new.statistics().n_calls;
    });
    run.enough(n_grown < n_new, format_args!("{n_grown} calls, and {n_new} from the beginning"));
}

#[test]
fn predicates_that_count_at_more_locations_are_as_from_the_beginning() {
    let mut n_local = 0;
    let run = random_cases(25, |rng| {
        let shape = ProgramShape { n_commands: 3, bounded: false, choices: rng.chance(0.6) };
        let program = random_program(rng, shape);
        let any_location = |rng: &mut Rng| LocId::new(rng.below(program.locations().len()));
        let mut less = Precision::new();
        let wanted = random_predicates(rng, &program, 3);
        wanted.iter().take(2).for_each(|&term| {
            less.add(&program, term, any_location(rng));
        });
        let mut more = less.clone();
        wanted.iter().for_each(|&term| {
            more.add(&program, term, any_location(rng));
        });
        let bits = |precision: &Precision| {
            PredicateAbstraction::new(&program, precision.clone(), Prover::new(Z3::new()))
        };
        let mut coarse = CartesianAbstraction::new(bits(&less));
        explore_cartesian(&context(), &mut coarse, &[], Form::Mixed).expect("no limits");
        let (mut fine, mut new) = (coarse.extend(more.clone()), CartesianAbstraction::new(bits(&more)));
        for control in naive::all_states(&program, &Precision::new()).into_iter().map(|state| state.control) {
            for state in bits(&more).inhabited(&context(), &control).expect("no limits") {
                let state = TriState::exact(&state);
                let found = fine.targets(&context(), &state).expect("no limits");
                same(&found, &new.targets(&context(), &state).expect("no limits"));
                n_local += usize::from(state.vector.len() < more.len());
            }
        }
    });
    run.enough(n_local > 50, format_args!("{n_local} states where not all predicates count"));
}

#[test]
fn the_worked_example_grows_by_at_most_three_calls_a_source() {
    // `x := z` leaves y > 0 and z < 0 as they are; odd(x) after it is open.
    let program = program();
    let wanted = predicates_of(&program);
    let mut coarse = cartesian(&program, &wanted[1..]);
    let explored = explore_cartesian(&context(), &mut coarse, &[], Form::Mixed).expect("no limits");
    assert_eq!(explored.states.len(), 4);
    let order = [wanted[1], wanted[2], wanted[0]];
    let more = with(&program, coarse.precision(), &wanted[..1]);
    let mut fine = coarse.extend(more);
    let predicates = fine.precision().clone();
    // For each of eight sources one target of four is left, and whether x is odd there: three calls at most, for 8
    // leaves each of may and 27 of must.
    for state in inhabited(&program, &order) {
        let before = fine.statistics().n_calls;
        let targets = fine.targets(&context(), &TriState::exact(&state)).expect("no limits");
        assert!(fine.statistics().n_calls - before <= 3);
        let [(_, targets)] = &targets[..] else { panic!("one command") };
        // All that was a must step still is: y and z as they were, x open.
        let mut kept = state.vector().components().to_vec();
        kept[2] = Kleene::Unknown;
        assert_eq!(targets.must.iter().map(|t| t.vector.clone()).collect::<Vec<_>>(), [TriVector::new(kept)]);
    }
    let explored = explore_cartesian(&context(), &mut fine, &[], Form::Literal).expect("no limits");
    assert_eq!(explored.states.len(), 27);
    let source = TriState { control: Box::new([]), vector: vector(&program, &predicates, &order, "111") };
    let source = StateId::new(explored.states.get_index_of(&source).expect("it is a state"));
    assert_eq!(explored.system.must(source).count(), 4);
}

#[test]
fn a_predicate_that_has_nothing_to_do_with_the_old_ones_costs_no_call() {
    // y is not touched by `x := z`: all steps are old ones, with y as it was.
    let program = program();
    let [odd, positive, negative] = predicates_of(&program);
    let mut coarse = cartesian(&program, &[odd, negative]);
    for state in inhabited(&program, &[odd, negative]) {
        coarse.targets(&context(), &TriState::exact(&state)).expect("no limits");
    }
    let more = with(&program, coarse.precision(), &[positive]);
    let mut fine = coarse.extend(more);
    let before = fine.statistics().n_calls;
    for state in inhabited(&program, &[odd, negative, positive]) {
        let targets = fine.targets(&context(), &TriState::exact(&state)).expect("no limits");
        assert!(targets[0].1.may.iter().all(|target| target.bits.contains(2) == state.bits.contains(2)));
    }
    assert_eq!(fine.statistics().n_calls, before);
}

/// The pairs of a state and what it is through the first n predicates, or something weaker.
fn restriction(fine: &CartesianSystem, coarse: &CartesianSystem, n: usize, weaker: bool) -> Relation {
    let mut pairs = Vec::new();
    for (at, state) in fine.states.iter().enumerate() {
        let own = start(&state.vector, n);
        for (to, other) in coarse.states.iter().enumerate() {
            let related = if weaker { other.vector.info_le(&own) } else { other.vector == own };
            if state.control == other.control && related {
                pairs.push((StateId::new(at), StateId::new(to)));
            }
        }
    }
    Relation::from_pairs(fine.states.len(), coarse.states.len(), pairs)
}

fn grown<'p>(
    rng: &mut Rng,
    program: &'p Program,
    wanted: &[Term],
    n: usize,
    form: Form,
    propositions: &[(String, Term)],
) -> (CartesianSystem, CartesianSystem) {
    let mut abstraction: CartesianAbstraction<'p> = cartesian(program, &wanted[..n]);
    let coarse = explore_cartesian(&context(), &mut abstraction, propositions, form).expect("no limits");
    let mut new = wanted[n..].to_vec();
    rng.shuffle(&mut new);
    let more = with(program, abstraction.precision(), &new);
    let mut abstraction = abstraction.extend(more);
    let fine = explore_cartesian(&context(), &mut abstraction, propositions, form).expect("no limits");
    (fine, coarse)
}

#[test]
fn more_predicates_refine_the_literal_and_the_mixed_form() {
    random_cases(30, |rng| {
        let shape = ProgramShape { n_commands: 3, bounded: false, choices: rng.chance(0.6) };
        let program = random_program(rng, shape);
        let mut wanted = random_predicates(rng, &program, 3);
        if wanted.len() < 3 {
            return;
        }
        rng.shuffle(&mut wanted);
        let n = rng.between(1, 2);
        let propositions: Vec<(String, Term)> =
            wanted[..n].iter().enumerate().map(|(n, &term)| (format!("p{n}"), term)).collect();
        for (form, weaker) in [(Form::Literal, false), (Form::Literal, true), (Form::Mixed, true)] {
            let (fine, coarse) = grown(rng, &program, &wanted, n, form, &propositions);
            let related = restriction(&fine, &coarse, n, weaker);
            assert_eq!(check_refinement(&fine.system, &coarse.system, &related), Ok(()), "{form:?}");
            // Not the empty relation: every initial state is related to one.
            for &state in fine.system.initial() {
                assert!(coarse.system.initial().iter().any(|&other| related.contains(state, other)));
            }
        }
    });
}
