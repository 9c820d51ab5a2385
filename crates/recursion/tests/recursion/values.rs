//! One abstraction against what is so: on programs with finite domains, random predicates.

use crate::random_programs::random_program;
use tertium_program::{Icfg, PointId};
use tertium_recursion::finite::{FiniteProgram, Pushdown};
use tertium_recursion::{Question, Settings, abstract_values, decide, prover};
use tertium_support::{Context, Id, Rng};
use tertium_testkit::random_cases;
use tertium_truth::{Belnap, Kleene};

/// Guards and values of the program compared with constants, at random points.
fn predicate(rng: &mut Rng, icfg: &Icfg) -> (PointId, tertium_expr::Term) {
    let point = PointId::new(rng.below(icfg.points().len()));
    let scope: Vec<_> = icfg.in_scope(icfg.point(point).procedure).collect();
    let terms = &icfg.terms;
    let one = terms.variable(*rng.pick(&scope));
    let other = if rng.chance(0.5) { terms.variable(*rng.pick(&scope)) } else { terms.integer(rng.below(3)) };
    let is_int = |term| terms.sort(term) == tertium_expr::Sort::Int;
    let predicate = match (is_int(one), is_int(other)) {
        (true, true) if rng.chance(0.5) => terms.at_most(one, other),
        (true, true) => terms.equal(one, other),
        (false, _) => one,
        (_, false) => other,
    };
    (point, predicate)
}

#[test]
fn definite_values_are_right_and_stay() {
    let mut definite = [0; 4];
    let run = random_cases(60, |rng| {
        let icfg = random_program(rng);
        let context = Context::default();
        let finite = FiniteProgram::new(&context, &icfg).expect("domains are finite");
        let pushdown = Pushdown::new(&finite);
        let target = PointId::new(rng.below(icfg.points().len()));
        let reaching = pushdown.reaching(|state| finite.point(state) == target);
        let diverging = pushdown.diverging();
        let is_so = [&reaching, &diverging].map(|set| finite.initial().any(|state| set[state]));
        let questions = [Question::Reach(vec![target]), Question::Diverge];
        let mut settings = Settings::default();
        let mut before = vec![Belnap::Unknown; 2];
        for _ in 0..4 {
            let mut prover = prover();
            let values = abstract_values(&context, &icfg, &questions, &settings, &mut prover);
            let values = values.expect("there is no limit").expect("there are few states");
            for ((value, before), is_so) in values.iter().zip(&before).zip(is_so) {
                let right = if is_so { Belnap::True } else { Belnap::False };
                assert!(*value == Belnap::Unknown || *value == right, "{value:?} where it is {right:?}");
                assert!(*before == Belnap::Unknown || before == value, "{before:?} became {value:?}");
                definite[usize::from(is_so) + 2 * usize::from(*value != Belnap::Unknown)] += 1;
            }
            before = values;
            settings.hints.extend((0..6).map(|_| predicate(rng, &icfg)));
        }
    });
    run.enough(definite[2] > 20 && definite[3] > 20, definite);
}

#[test]
fn divergence_is_decided_right() {
    let mut counts = [0; 3];
    let run = random_cases(40, |rng| {
        let icfg = random_program(rng);
        let context = Context::default();
        let finite = FiniteProgram::new(&context, &icfg).expect("domains are finite");
        let diverging = Pushdown::new(&finite).diverging();
        let is_so = finite.initial().any(|state| diverging[state]);
        let settings = Settings { rounds: 30, ..Settings::default() };
        let mut prover = prover();
        let answer = decide(&context, &icfg, &Question::Diverge, &settings, &mut prover);
        assert!(answer.value == Kleene::Unknown || answer.value == Kleene::from(is_so), "{answer:?}");
        counts[answer.value as usize] += 1;
    });
    run.enough(counts[0] > 5 && counts[2] > 5 && counts[1] < 20, counts);
}
