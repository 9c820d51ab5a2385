//! Greatest simulation and refinement: the fast version is the naive one, the laws hold, formulas distinguish.

use super::eval::{evaluate, modal_depth, necessarily, random_formula};
use super::{pair, small, unlimited};
use std::cell::Cell;
use tertium_logic::{Formula, parse};
use tertium_support::{Id, Rng, Source};
use tertium_system::relation::{
    LabelMatch, Refinement, Relation, bisimulation, check_refinement, greatest_refinement,
    greatest_refinement_naive, greatest_simulation, greatest_simulation_naive, refines,
};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_testkit::{SystemShape, random_cases, random_system};

#[test]
fn the_fast_refinement_is_the_naive_one() {
    let (related, apart) = (Cell::new(0), Cell::new(0));
    let run = random_cases(3000, |rng| {
        let (a, b) = pair(rng);
        let (naive, rounds) = greatest_refinement_naive(&unlimited(), &a, &b).unwrap();
        let fast = greatest_refinement(&unlimited(), &a, &b).unwrap();
        assert_eq!(fast, naive);
        for p in a.states() {
            for q in b.states() {
                assert_eq!(rounds.fell(p, q).is_none(), naive.contains(p, q));
            }
        }
        related.set(related.get() + naive.count());
        apart.set(apart.get() + a.n_states() * b.n_states() - naive.count());
    });
    run.enough(related.get() > 3000 && apart.get() > 3000, (related.get(), apart.get()));
}

#[test]
fn the_fast_simulation_is_the_naive_one_under_every_label_rule() {
    random_cases(2000, |rng| {
        let (a, b) = pair(rng);
        for rule in [LabelMatch::Information, LabelMatch::Equal, LabelMatch::Ignored] {
            let naive = greatest_simulation_naive(&unlimited(), &a, &b, rule).unwrap().0;
            assert_eq!(greatest_simulation(&unlimited(), &a, &b, rule).unwrap(), naive);
        }
    });
}

#[test]
fn the_greatest_refinement_is_one_and_contains_every_other() {
    let others = Cell::new(0);
    let run = random_cases(2000, |rng| {
        let (a, b) = pair(rng);
        let greatest = greatest_refinement(&unlimited(), &a, &b).unwrap();
        assert_eq!(check_refinement(&a, &b, &greatest), Ok(()));
        let pairs = a.states().flat_map(|p| b.states().map(move |q| (p, q)));
        let some = Relation::from_pairs(a.n_states(), b.n_states(), pairs.filter(|_| rng.chance(0.2)));
        if check_refinement(&a, &b, &some).is_ok() {
            others.set(others.get() + some.count());
            assert!(some.is_subset(&greatest));
        }
    });
    run.enough(others.get() > 50, others.get());
}

#[test]
fn refinement_is_reflexive_and_transitive() {
    random_cases(1500, |rng| {
        let (a, b) = pair(rng);
        let c = super::mutant(rng, &b);
        let go = |x, y| greatest_refinement(&unlimited(), x, y).unwrap();
        assert!(Relation::identity(a.n_states()).is_subset(&go(&a, &a)));
        assert!(go(&a, &b).then(&go(&b, &c)).is_subset(&go(&a, &c)));
    });
}

#[test]
fn on_complete_systems_refinement_is_bisimulation() {
    random_cases(1500, |rng| {
        let shape = SystemShape { propositions: rng.below(2), ..SystemShape::complete(rng.between(1, 8)) };
        let system = random_system(rng, shape);
        let refinement = greatest_refinement(&unlimited(), &system, &system).unwrap();
        let blocks = bisimulation(&unlimited(), &system).unwrap();
        for p in system.states() {
            for q in system.states() {
                assert_eq!(refinement.contains(p, q), blocks.block_of(p) == blocks.block_of(q));
            }
        }
    });
}

#[test]
fn without_musts_on_the_right_refinement_is_simulation() {
    random_cases(1000, |rng| {
        let (a, _) = pair(rng);
        let shape = SystemShape { may_only: 1.0, propositions: 1, ..SystemShape::kmts(rng.between(1, 6)) };
        let b = random_system(rng, shape);
        assert_eq!(
            greatest_refinement(&unlimited(), &a, &b).unwrap(),
            greatest_simulation(&unlimited(), &a, &b, LabelMatch::Information).unwrap()
        );
    });
}

#[test]
fn what_is_necessary_is_necessary_in_every_refinement() {
    random_cases(3000, |rng| {
        let (a, b) = pair(rng);
        let depth = rng.between(1, 5);
        let formula = random_formula(rng, &["p", "q"], depth);
        let (of_a, of_b) = (evaluate(&a, &formula), evaluate(&b, &formula));
        for (p, q) in greatest_refinement(&unlimited(), &a, &b).unwrap().pairs() {
            assert!(of_b[q.index()].info_le(of_a[p.index()]), "{formula:?}");
        }
    });
}

/// Makes `state` the only initial state.
fn from(system: &PartialSystem, states: &[StateId]) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(system.n_states());
    for name in system.actions().names() {
        builder.action(name);
    }
    for s in system.states() {
        system.edges(s).for_each(|e| builder.edge(s, e.action, e.other, e.modality));
        system.hyper_musts().of(s).for_each(|(x, targets)| builder.hyper_must(s, x, targets.to_vec()));
    }
    for (name, prop) in system.labels().names().names().zip(system.labels().names().ids()) {
        let new = builder.proposition(name, tertium_truth::Belnap::Unknown);
        system.states().for_each(|s| builder.label(s, new, system.labels().get(prop, s)));
    }
    states.iter().for_each(|&s| builder.initial(s));
    builder.build()
}

fn read(text: &str) -> Formula {
    let source = Source::new("formula", text);
    parse(&source).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

fn some_states(rng: &mut Rng, system: &PartialSystem) -> Vec<StateId> {
    (0..rng.between(1, 3)).map(|_| StateId::new(rng.below(system.n_states()))).collect()
}

#[test]
fn the_answer_comes_with_a_relation_or_with_a_formula_that_tells_the_systems_apart() {
    let (holds, fails, deep) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let run = random_cases(6000, |rng| {
        let (a, b) = pair(rng);
        let (a, b) = (from(&a, &some_states(rng, &a)), from(&b, &some_states(rng, &b)));
        let (greatest, rounds) = greatest_refinement_naive(&unlimited(), &a, &b).unwrap();
        let matched = |p: &StateId| b.initial().iter().any(|&q| greatest.contains(*p, q));
        match refines(&unlimited(), &a, &b).unwrap() {
            Refinement::Holds { relation } => {
                holds.set(holds.get() + 1);
                assert_eq!(relation, greatest);
                assert!(a.initial().iter().all(matched));
            }
            Refinement::Fails { unmatched, formula } => {
                fails.set(fails.get() + 1);
                let formula = formula.expect("small systems have small formulas");
                assert!(a.initial().contains(&unmatched) && !matched(&unmatched));
                assert!(!necessarily(&a, &formula, unmatched), "{formula:?}");
                assert!(b.initial().iter().all(|&q| necessarily(&b, &formula, q)), "{formula:?}");
                let rounds = b.initial().iter().map(|&q| rounds.fell(unmatched, q).unwrap());
                assert!(modal_depth(&formula) <= rounds.max().unwrap());
                assert_eq!(read(&formula.to_string()), formula, "a formula can be printed and read back");
                deep.set(deep.get() + usize::from(modal_depth(&formula) > 2));
            }
        }
    });
    let counts = (holds.get(), fails.get(), deep.get());
    run.enough(counts.0 > 500 && counts.1 > 500 && counts.2 > 50, counts);
}

/// A chain of `n` steps whose last state is labelled, or not.
fn chain(n: usize, last: bool) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(n + 1);
    let step = builder.action("");
    let end = builder.proposition("end", false.into());
    for i in 0..n {
        builder.edge(StateId::new(i), step, StateId::new(i + 1), Modality::Both);
    }
    builder.label(StateId::new(n), end, last.into());
    builder.initial(StateId::new(0));
    builder.build()
}

#[test]
fn a_formula_that_would_be_too_deep_is_left_out_and_the_answer_stays() {
    let formula = |n| match refines(&unlimited(), &chain(n, false), &chain(n, true)).unwrap() {
        Refinement::Fails { formula, .. } => formula,
        Refinement::Holds { .. } => panic!("the ends differ"),
    };
    let short = formula(240).expect("240 modalities are written out");
    assert_eq!(modal_depth(&short), 240);
    assert_eq!(read(&short.to_string()), short);
    assert_eq!(formula(241), None);
}

#[test]
fn an_interrupted_run_says_so() {
    let cancel = tertium_support::Cancel::default();
    cancel.cancel();
    let context = tertium_support::Context::new(Default::default(), cancel);
    let system = chain(400, true);
    assert!(refines(&context, &system, &system).is_err());
    assert!(greatest_refinement_naive(&context, &system, &system).is_err());
}

#[test]
fn a_system_without_states_refines_everything_and_is_refined_by_nothing_else() {
    let empty = SystemBuilder::numbered(0).build();
    let other = small(&mut Rng::seeded(1));
    assert!(matches!(refines(&unlimited(), &empty, &other).unwrap(), Refinement::Holds { .. }));
    let Refinement::Fails { unmatched, formula } = refines(&unlimited(), &other, &empty).unwrap() else {
        panic!("an initial state has no partner")
    };
    assert!(!necessarily(&other, &formula.unwrap(), unmatched));
}
