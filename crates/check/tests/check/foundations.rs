//! Three foundations: the four-valued view of mixed systems, CTL against its definition by paths, and modalities over
//! relations that are not what they seem (no steps at all, empty hyper-targets).

use tertium_check::{Prepared, Semantics, check_naively, evaluate, label};
use tertium_logic::{Formula, parse};
use tertium_support::{Cancel, Context, Id, Limits, Rng, Source};
use tertium_system::{Modality, PartialSystem, StateId, StateSet, SystemBuilder};
use tertium_testkit::{FormulaShape, SystemShape, random_cases, random_formula, random_system};
use tertium_truth::{Belnap, Cause, Verdict};

fn formula(text: &str) -> Formula {
    parse(&Source::new("f", text)).expect("a formula")
}

/// The value of the transition from `s` to `t` with any action: Belnap's for the two relations.
fn transition(system: &PartialSystem, s: StateId, t: StateId) -> Belnap {
    let must = system.must(s).any(|(_, other)| other == t);
    let may = system.may(s).any(|(_, other)| other == t);
    Belnap::from_bits(must, may)
}

#[test]
fn the_four_valued_pre_image_is_the_pair_of_pre_images() {
    random_cases(2000, |rng| {
        let states = rng.between(1, 6);
        let system = random_system(rng, SystemShape::mixed(states));
        let shape = FormulaShape { propositions: vec!["p".into(), "q".into()], ..FormulaShape::default() };
        let inner = random_formula(rng, &shape);
        let value = evaluate(&system, &inner);
        let diamond = evaluate(&system, &Formula::diamond(tertium_logic::ActionFormula::True, inner));
        for s in system.states() {
            // ⋁ over t of R(s, t) ∧ Q(t), with Belnap's ∧ and ∨.
            let pre = system
                .states()
                .map(|t| transition(&system, s, t).and(value.at(t)))
                .fold(Belnap::False, Belnap::or);
            assert_eq!(diamond.at(s), pre, "{s:?}\n{system:?}");
        }
    });
}

/// A Kripke structure in which every state has a successor.
fn total_system(rng: &mut Rng) -> PartialSystem {
    let n = rng.between(1, 7);
    let system = random_system(rng, SystemShape::complete(n));
    let mut builder = system.to_builder();
    let action = builder.action("a");
    for state in system.deadlocks().collect::<Vec<_>>() {
        builder.edge(state, action, StateId::new(rng.below(n)), Modality::Both);
    }
    builder.build()
}

fn successors(system: &PartialSystem, state: StateId) -> Vec<StateId> {
    system.edges(state).map(|edge| edge.other).collect()
}

/// States with an infinite path on which `left` holds until `right` does, where `right` must come (`must_come`) or not:
/// the definition by paths. A path is searched as a lasso: a walk of at most n steps, then, if `right` need not come, a
/// walk among `left` states that is longer than there are states.
fn some_path(system: &PartialSystem, left: &StateSet, right: &StateSet, must_come: bool) -> StateSet {
    let n = system.n_states();
    let reaches = |start: StateId| -> bool {
        let mut frontier = StateSet::of(n, [start]);
        for _ in 0..=n {
            if frontier.iter().any(|s| right.contains(s)) {
                return true;
            }
            let mut next = StateSet::empty(n);
            for s in frontier.iter().filter(|&s| left.contains(s)) {
                successors(system, s).into_iter().for_each(|t| {
                    next.insert(t);
                });
            }
            frontier = next;
        }
        // n + 1 steps inside `left` were possible: some state repeated, so the path can go on forever.
        !must_come && !frontier.is_empty()
    };
    StateSet::filter(n, reaches)
}

#[test]
fn ctl_is_what_its_definition_by_paths_says() {
    random_cases(1500, |rng| {
        let system = total_system(rng);
        let n = system.n_states();
        let labels = system.labels();
        let prop = |name: &str| labels.must(labels.names().get(name).expect("declared")).clone();
        let (p, q, all, none) = (prop("p"), prop("q"), StateSet::full(n), StateSet::empty(n));
        let next = |set: &StateSet| {
            StateSet::filter(n, |s| successors(&system, s).into_iter().any(|t| set.contains(t)))
        };
        // E[f R g]: g holds up to and including where f does, or forever.
        let release =
            |f: &StateSet, g: &StateSet| some_path(&system, g, &f.intersection(g), false).intersection(g);
        let not = StateSet::complement;
        let expected = [
            ("EX p", next(&p)),
            ("AX p", not(&next(&not(&p)))),
            ("EF p", some_path(&system, &all, &p, true)),
            ("AG p", not(&some_path(&system, &all, &not(&p), true))),
            ("EG p", some_path(&system, &p, &none, false)),
            ("AF p", not(&some_path(&system, &not(&p), &none, false))),
            ("E[p U q]", some_path(&system, &p, &q, true)),
            ("E[p W q]", some_path(&system, &p, &q, false)),
            ("E[p R q]", release(&p, &q)),
            ("A[p R q]", not(&some_path(&system, &not(&p), &not(&q), true))),
            ("A[p U q]", not(&release(&not(&p), &not(&q)))),
            ("A[p W q]", not(&some_path(&system, &not(&q), &not(&p).intersection(&not(&q)), true))),
        ];
        let context = Context::default();
        let prepared = Prepared::new(&context, &system).expect("no limit");
        for (text, states) in expected {
            let value = label(&context, &prepared, &formula(text), Semantics::Sis).expect("no limit");
            assert_eq!(value.must, states, "{text}\n{system:?}");
            assert_eq!(value.may, states, "{text}\n{system:?}");
        }
    });
}

#[test]
fn ctl_at_a_deadlock_is_what_the_fixpoints_say() {
    let mut builder = SystemBuilder::numbered(1);
    builder.initial(StateId::new(0));
    builder.proposition("p", Belnap::False);
    let system = builder.build();
    for (text, expected) in [
        ("EX true", Belnap::False),
        ("EG true", Belnap::False),
        ("AX false", Belnap::True),
        ("AF p", Belnap::True),
        ("AG !p", Belnap::True),
        ("EF p", Belnap::False),
        ("EF !p", Belnap::True),
    ] {
        assert_eq!(evaluate(&system, &formula(text)).at(StateId::new(0)), expected, "{text}");
    }
}

#[test]
fn a_must_into_the_empty_set_proves_every_diamond() {
    let mut builder = SystemBuilder::numbered(1);
    let (s, a) = (StateId::new(0), builder.action("a"));
    builder.initial(s);
    builder.hyper_must(s, a, Vec::new());
    let system = builder.build();
    let context = Context::default();
    let prepared = Prepared::new(&context, &system).expect("no limit");
    for text in ["<a>false", "mu X. <a>X", "nu X. mu Y. <a>(X && Y)"] {
        let naive = evaluate(&system, &formula(text));
        assert_eq!(naive.at(s), Belnap::Inconsistent, "{text}");
        assert_eq!(
            label(&context, &prepared, &formula(text), Semantics::Sis).expect("no limit"),
            naive,
            "{text}"
        );
    }
}

#[test]
fn the_definition_is_evaluated_under_limits_too() {
    let mut builder = SystemBuilder::named();
    let states: Vec<_> = (0..50).map(|n| builder.state(&format!("s{n}"))).collect();
    let action = builder.action("a");
    for pair in states.windows(2) {
        builder.edge(pair[0], action, pair[1], Modality::Both);
    }
    builder.initial(states[0]);
    let system = builder.build();
    let nested = formula("nu X. mu Y. nu Z. mu W. <a>X || <a>Y && [a]Z || <a>W");
    let limits = Limits { work: Some(20_000), ..Limits::default() };
    let context = Context::new(limits, Cancel::default());
    let stopped = check_naively(&context, &system, &nested, Semantics::Sis);
    assert_eq!(stopped.verdict, Verdict::Unknown(Cause::Work));
}
