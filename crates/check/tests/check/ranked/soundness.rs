//! Ranked verdicts against concrete systems: states with integers, seen through random sets of them, with what steps really do
//! to the integers.

use super::{ask_by, steps};
use std::collections::BTreeSet;
use std::sync::Arc;
use tertium_check::{Semantics, evaluate};
use tertium_logic::{Formula, parse};
use tertium_support::{Id, IdSet, Rng, Source};
use tertium_system::{
    ActionId, ConcreteId, Modality, PartialSystem, RankedSteps, StateId, StateSet, SystemBuilder,
};
use tertium_testkit::{FormulaShape, long_random_cases, random_formula};
use tertium_truth::{Belnap, Verdict};

/// A finite system whose states have integers.
struct Concrete {
    system: PartialSystem,
    /// By rank, then by state.
    values: Vec<Vec<i64>>,
}

/// States are on a line, and most steps lead down it, as in loops that count.
fn concrete(rng: &mut Rng) -> Concrete {
    let n = rng.between(2, 9);
    let mut builder = SystemBuilder::numbered(n);
    let actions = [builder.action("a"), builder.action("b")];
    builder.initial(StateId::new(rng.below(n)));
    for source in 0..n {
        for _ in 0..rng.below(3) {
            let down = rng.chance(0.8) && source > 0;
            let target = if down { rng.below(source) } else { rng.below(n) };
            let action = *rng.pick(&actions);
            builder.edge(StateId::new(source), action, StateId::new(target), Modality::Both);
        }
    }
    for (name, share) in [("p", 0.3), ("q", 0.6)] {
        let prop = builder.proposition(name, Belnap::False);
        for state in StateId::first(n) {
            let holds = if rng.chance(0.5) { state.index() * 10 < n * 3 } else { rng.chance(share) };
            builder.label(state, prop, Belnap::from(holds));
        }
    }
    let offset = rng.below(3) as i64;
    let mut values = vec![(0..n as i64).map(|at| at - offset).collect::<Vec<_>>()];
    values.extend((0..rng.below(3)).map(|_| (0..n).map(|_| rng.below(5) as i64 - 1).collect()));
    Concrete { system: builder.build(), values }
}

fn formula(rng: &mut Rng) -> Formula {
    const PATTERNS: [&str; 10] = [
        "AF p",
        "AG AF p",
        "AG EF p",
        "EF p",
        "EG !p",
        "AG (q => AF p)",
        "A[q U p]",
        "AF [](false)",
        "nu X. mu Y. (p && []X) || []Y",
        "mu X. nu Y. (q || []X) && []Y",
    ];
    if rng.chance(0.8) {
        return parse(&Source::new("f", *rng.pick(&PATTERNS))).expect("a formula");
    }
    let propositions = vec!["p".into(), "q".into()];
    random_formula(rng, &FormulaShape { propositions, depth: 4, ..FormulaShape::default() })
}

/// The concrete system seen through sets of its states, one for each abstract state.
fn seen_through(rng: &mut Rng, concrete: &Concrete, sets: &[StateSet], overlapping: bool) -> PartialSystem {
    let real = &concrete.system;
    let mut builder = SystemBuilder::numbered(sets.len());
    let abstract_states = || StateId::first(sets.len());
    real.actions().names().for_each(|name| {
        builder.action(name);
    });
    let above = |state: StateId| -> Vec<StateId> {
        abstract_states().filter(|s| sets[s.index()].contains(state)).collect()
    };
    if overlapping {
        for state in real.states() {
            let id = builder.concrete(&state.index().to_string());
            assert_eq!(id, ConcreteId::new(state.index()));
            above(state).into_iter().for_each(|s| builder.concretise(s, id));
        }
    }
    for s in abstract_states() {
        if sets[s.index()].iter().any(|state| real.initial().contains(&state)) {
            builder.initial(s);
        }
        for action in ActionId::first(real.actions().len()) {
            let after = |state| -> StateSet {
                let steps = real.may(state).filter(|(other, _)| *other == action);
                StateSet::of(real.n_states(), steps.map(|(_, target)| target))
            };
            for target in sets[s.index()].iter().flat_map(|state| after(state).iter().collect::<Vec<_>>()) {
                // One state that stands for the target is enough.
                builder.edge(s, action, *rng.pick(&above(target)), Modality::May);
            }
            let always =
                |goal: &StateSet| sets[s.index()].iter().all(|state| !after(state).is_disjoint(goal));
            for t in abstract_states().filter(|t| always(&sets[t.index()])) {
                builder.edge(s, action, t, Modality::Must);
            }
            for _ in 0..3 {
                let targets: BTreeSet<StateId> =
                    (0..rng.between(2, 3)).map(|_| StateId::new(rng.below(sets.len()))).collect();
                let mut goal = StateSet::empty(real.n_states());
                targets.iter().for_each(|t| goal.union_with(&sets[t.index()]));
                if always(&goal) {
                    builder.hyper_must(s, action, targets.into_iter().collect());
                }
            }
        }
    }
    for (prop, name) in real.labels().names().ids().zip(real.labels().names().names()) {
        let declared = builder.proposition(name, Belnap::Unknown);
        for s in abstract_states() {
            let holds = |&state: &StateId| real.labels().must(prop).contains(state);
            let all = sets[s.index()].iter().all(|state| holds(&state));
            let none = sets[s.index()].iter().all(|state| !holds(&state));
            let value = match (all, none) {
                (true, _) => Belnap::True,
                (false, true) => Belnap::False,
                (false, false) => Belnap::Unknown,
            };
            builder.label(s, declared, value);
        }
    }
    builder.build()
}

/// What abstract steps do to the ranks of all concrete steps that they stand for.
fn classified(concrete: &Concrete, sets: &[StateSet], seen: &PartialSystem) -> RankedSteps {
    let names = (0..concrete.values.len()).map(|rank| format!("r{rank}"));
    let mut ranks = RankedSteps::new(names.collect());
    for (source, action, target) in steps(seen) {
        let (mut falls, mut may_grow) = (0, 0);
        for (rank, values) in concrete.values.iter().enumerate() {
            let of = |state: StateId| values[state.index()];
            let real: Vec<(i64, i64)> = sets[source.index()]
                .iter()
                .flat_map(|state| concrete.system.may(state).map(move |step| (state, step)))
                .filter(|(_, (other, next))| *other == action && sets[target.index()].contains(*next))
                .map(|(state, (_, next))| (of(state), of(next)))
                .collect();
            let does_fall = real.iter().all(|&(before, after)| after < before && before >= 0);
            falls |= u64::from(does_fall) << rank;
            may_grow |= u64::from(real.iter().any(|&(before, after)| after > before)) << rank;
        }
        ranks.set(source, action, target, falls & !may_grow, may_grow);
    }
    ranks
}

/// Blocks of a random partition; if they may overlap, also unions of blocks.
fn random_sets(rng: &mut Rng, n: usize, overlapping: bool) -> Vec<StateSet> {
    let n_blocks = rng.between(1, n.min(4));
    let mut block: Vec<usize> = (0..n).map(|_| rng.below(n_blocks)).collect();
    if rng.chance(0.5) {
        block.sort_unstable();
    }
    let mut sets: Vec<StateSet> =
        (0..n_blocks).map(|b| StateSet::filter(n, |state: StateId| block[state.index()] == b)).collect();
    sets.retain(|set| !set.is_empty());
    if overlapping {
        for _ in 0..rng.between(1, 3) {
            let union = rng.pick(&sets).union(rng.pick(&sets));
            if !sets.contains(&union) {
                sets.push(union);
            }
        }
    }
    sets
}

fn verdicts_are_those_of_the_concrete_system(semantics: Semantics, cases: usize, least: usize) {
    let overlapping = semantics == Semantics::Ris;
    let mut by_ranks = [0; 2];
    let run = long_random_cases(cases, |rng| {
        let concrete = concrete(rng);
        let sets = random_sets(rng, concrete.system.n_states(), overlapping);
        let seen = seen_through(rng, &concrete, &sets, overlapping);
        let ranks = Arc::new(classified(&concrete, &sets, &seen));
        let formula = formula(rng);
        let truth = evaluate(&concrete.system, &formula).must;
        let outcome = ask_by(&seen, &ranks, &formula, semantics);
        for &(state, value) in &outcome.values {
            let mut states = sets[state.index()].iter();
            match value {
                Belnap::True => assert!(states.all(|state| truth.contains(state)), "{formula}\n{seen:?}"),
                Belnap::False => assert!(!states.any(|state| truth.contains(state)), "{formula}\n{seen:?}"),
                Belnap::Unknown => {}
                Belnap::Inconsistent => panic!("it stands for something: {formula}\n{seen:?}"),
            }
        }
        let nothing = Arc::new(RankedSteps::new(Vec::new()));
        let plain = ask_by(&seen, &nothing, &formula, semantics);
        match (plain.verdict, outcome.verdict) {
            (Verdict::Unknown(_), Verdict::True) => by_ranks[0] += 1,
            (Verdict::Unknown(_), Verdict::False) => by_ranks[1] += 1,
            (Verdict::Unknown(_), _) => {}
            (plain, found) => assert_eq!(plain, found, "ranks change nothing definite"),
        }
    });
    run.enough(by_ranks.iter().all(|&n| n >= run.share(least)), by_ranks);
}

#[test]
fn ranked_verdicts_hold_of_the_concrete_system() {
    verdicts_are_those_of_the_concrete_system(Semantics::Sis, 10_000, 100);
}

#[test]
fn ranked_verdicts_of_reduced_semantics_hold_of_the_concrete_system() {
    verdicts_are_those_of_the_concrete_system(Semantics::Ris, 10_000, 100);
}

#[test]
fn sets_of_concrete_states_are_what_states_stand_for() {
    let mut rng = Rng::seeded(1);
    let concrete = concrete(&mut rng);
    let sets = random_sets(&mut rng, concrete.system.n_states(), true);
    let seen = seen_through(&mut rng, &concrete, &sets, true);
    let domain = seen.domain().expect("there is one");
    for (state, set) in StateId::first(sets.len()).zip(&sets) {
        let meant: IdSet<ConcreteId> =
            IdSet::of(set.universe(), set.iter().map(|state| ConcreteId::new(state.index())));
        assert_eq!(domain.gamma(state), &meant);
    }
}
