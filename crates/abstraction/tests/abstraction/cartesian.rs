//! Cartesian abstraction: the worked examples with their counts and verdicts \[GHJ01\], soundness, and growth by predicates.

use crate::common::{abstraction, cartesian, context, predicates_of, program, random_predicates, vector};
use tertium_abstraction::{
    AbstractState, CartesianSystem, Form, Musts, PredicateAbstraction, TriState, explore, explore_cartesian,
};
use tertium_check::evaluate;
use tertium_expr::Term;
use tertium_logic::Formula;
use tertium_program::Interpreter;
use tertium_support::{Id, Rng, Source};
use tertium_system::relation::{self, Relation};
use tertium_system::{PartialSystem, StateId};
use tertium_testkit::{
    FormulaShape, ProgramShape, concrete_system, random_cases, random_formula, random_program,
};
use tertium_truth::{Belnap, TriVector};

fn formula(text: &str) -> Formula {
    tertium_logic::parse(&Source::new("test", text)).expect("it parses")
}

fn state_of(system: &CartesianSystem, vector: TriVector) -> StateId {
    let state = TriState { control: Box::new([]), vector };
    StateId::new(system.states.get_index_of(&state).expect("it is a state"))
}

fn n_steps(system: &PartialSystem) -> (usize, usize) {
    let may = system.states().map(|state| system.may(state).count()).sum();
    let must = system.states().map(|state| system.must(state).count()).sum();
    (may, must)
}

#[test]
fn the_literal_definition_has_the_counts_of_the_source() {
    let program = program();
    let wanted = predicates_of(&program);
    let mut three = cartesian(&program, &wanted);
    let found = explore_cartesian(&context(), &mut three, &[], Form::Literal).expect("no limits");
    assert_eq!((found.states.len(), n_steps(&found.system)), (27, (441, 75)));
    let source = state_of(&found, vector(&program, three.precision(), &wanted, "111"));
    let mut musts: Vec<StateId> = found.system.must(source).map(|(_, target)| target).collect();
    let mut expected: Vec<StateId> = ["***", "**1", "*1*", "*11"]
        .map(|text| state_of(&found, vector(&program, three.precision(), &wanted, text)))
        .into();
    musts.sort();
    expected.sort();
    assert_eq!(musts, expected);
    assert_eq!(found.system.may(source).count(), 12);

    let mut two = cartesian(&program, &wanted[1..]);
    let found = explore_cartesian(&context(), &mut two, &[], Form::Literal).expect("no limits");
    assert_eq!((found.states.len(), n_steps(&found.system)), (9, (49, 25)));
}

/// Cartesian abstraction of predicate abstraction, in two steps.
fn two_step(
    abstraction: &mut PredicateAbstraction<'_>,
    propositions: &[(String, Term)],
) -> (PartialSystem, Vec<TriVector>) {
    let exact = explore(&context(), abstraction, propositions, Musts::Single).expect("no limits");
    let n = abstraction.precision().len();
    let vectors: Vec<TriVector> = (0..3usize.pow(n as u32))
        .map(|number| {
            let digit = |at: usize| ["0", "1", "*"][number / 3usize.pow(at as u32) % 3];
            (0..n).map(digit).collect::<String>().parse().expect("a vector")
        })
        .collect();
    let pairs = exact.states.iter().enumerate().flat_map(|(s, state)| {
        let covering = vectors.iter().enumerate().filter(|(_, vector)| vector.info_le(&state.vector()));
        covering.map(move |(t, _)| (StateId::new(s), StateId::new(t))).collect::<Vec<_>>()
    });
    let related = Relation::from_pairs(exact.states.len(), vectors.len(), pairs);
    let names: Vec<String> = vectors.iter().map(ToString::to_string).collect();
    (relation::abstract_by(&exact.system, &names, &related).expect("all vectors are inhabited here"), vectors)
}

#[test]
fn in_two_steps_no_must_is_left() {
    let program = program();
    let mut three = abstraction(&program, &predicates_of(&program));
    let (system, _) = two_step(&mut three, &[]);
    assert_eq!((system.n_states(), n_steps(&system)), (27, (441, 0)));
}

#[test]
fn verdicts_at_111_are_those_of_the_table() {
    let program = program();
    let wanted = predicates_of(&program);
    let propositions: Vec<(String, Term)> =
        ["a", "b", "c"].into_iter().map(str::to_owned).zip(wanted).collect();
    let mut three = abstraction(&program, &wanted);
    let at = vector(&program, three.precision(), &wanted, "111");

    let exact = explore(&context(), &mut three, &propositions, Musts::Single).expect("no limits");
    let source = exact.states.iter().position(|state| state.vector() == at).map(StateId::new).expect("111");
    let (coarse, vectors) = two_step(&mut three, &propositions);
    let coarse_source = vectors.iter().position(|vector| *vector == at).map(StateId::new).expect("111");
    let mut systems = vec![(exact.system, source)];
    let mut three = cartesian(&program, &wanted);
    let literal = explore_cartesian(&context(), &mut three, &propositions, Form::Literal).expect("no limits");
    let source = state_of(&literal, at.clone());
    systems.push((literal.system, source));
    systems.push((coarse, coarse_source));
    for form in [Form::Reduced, Form::Mixed] {
        let found = explore_cartesian(&context(), &mut three, &propositions, form).expect("no limits");
        let source = state_of(&found, at.clone());
        systems.push((found.system, source));
    }
    use Belnap::{False as F, True as T, Unknown as U};
    for (text, expected) in [
        ("EX b", [U, T, U, T, T]),
        ("AX b", [T, U, U, T, T]),
        ("EX !b", [F, U, U, F, F]),
        ("EX true", [U, T, U, T, T]),
        ("EX (b && c)", [U, T, U, T, T]),
        ("nu Z. (b && <true>Z)", [U, T, U, T, T]),
        ("nu Z. (b && [true]Z)", [T, U, U, T, T]),
        ("EX a", [U, U, U, U, U]),
        ("AX a", [U, U, U, U, U]),
        ("EX (a || !a)", [U, U, U, U, U]),
    ] {
        let found: Vec<Belnap> =
            systems.iter().map(|(system, source)| evaluate(system, &formula(text)).at(*source)).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn definite_values_are_those_of_all_concrete_states() {
    random_cases(25, |rng| {
        let shape = ProgramShape { n_commands: 4, bounded: true, choices: rng.chance(0.5) };
        let program = random_program(rng, shape);
        let predicates = random_predicates(rng, &program, 2);
        let propositions: Vec<(String, Term)> =
            predicates.iter().enumerate().map(|(n, &term)| (format!("p{n}"), term)).collect();
        let Some(concrete) = concrete_system(&program, &propositions) else { return };
        let interpreter = Interpreter::new(&program);
        let mut abstraction = cartesian(&program, &predicates);
        for form in [Form::Literal, Form::Mixed, Form::Reduced] {
            let found =
                explore_cartesian(&context(), &mut abstraction, &propositions, form).expect("no limits");
            let names = propositions.iter().map(|(name, _)| name.clone()).collect();
            let shape = FormulaShape { propositions: names, ..FormulaShape::default() };
            for _ in 0..4 {
                let formula = random_formula(rng, &shape);
                let truth = evaluate(&concrete.system, &formula);
                let value = evaluate(&found.system, &formula);
                for (n, tri) in found.states.iter().enumerate() {
                    let value = value.at(StateId::new(n));
                    for (m, state) in concrete.states.iter().enumerate() {
                        let exact = AbstractState::of(&interpreter, abstraction.precision(), state)
                            .expect("domains are small");
                        if tri.covers(&exact) && value != Belnap::Unknown {
                            assert_eq!(value, truth.at(StateId::new(m)), "{form:?} {formula}");
                        }
                    }
                }
            }
        }
    });
}

/// How many definite values are lost when a random predicate is added to two in a random program. None may turn round.
fn lost_by_a_predicate(rng: &mut Rng, form: Form) -> usize {
    let shape = ProgramShape { n_commands: 4, bounded: false, choices: rng.chance(0.7) };
    let program = random_program(rng, shape);
    let mut predicates = random_predicates(rng, &program, 3);
    if predicates.len() < 3 {
        return 0;
    }
    let propositions: Vec<(String, Term)> =
        predicates[..2].iter().enumerate().map(|(n, &term)| (format!("p{n}"), term)).collect();
    let few = predicates[..2].to_vec();
    rng.shuffle(&mut predicates);
    let (mut before, mut after) = (cartesian(&program, &few), cartesian(&program, &predicates));
    let coarse = explore_cartesian(&context(), &mut before, &propositions, form).expect("no limits");
    let fine = explore_cartesian(&context(), &mut after, &propositions, form).expect("no limits");
    // New predicates can stand anywhere, so vectors are restricted by what the predicates are.
    let restricted = |state: &TriState| {
        let component = |predicate| {
            let id = after.precision().find(predicate).expect("predicates are only added");
            state.vector.components()[id.index()]
        };
        let vector = TriVector::new(before.precision().iter().map(component).collect());
        let state = TriState { control: state.control.clone(), vector };
        coarse.states.get_index_of(&state).map(StateId::new)
    };
    let names = propositions.iter().map(|(name, _)| name.clone()).collect();
    let shape = FormulaShape { propositions: names, ..FormulaShape::default() };
    let mut n_lost = 0;
    for _ in 0..30 {
        let formula = random_formula(rng, &shape);
        let (old, new) = (evaluate(&coarse.system, &formula), evaluate(&fine.system, &formula));
        for (n, state) in fine.states.iter().enumerate() {
            let Some(coarse_state) = restricted(state) else { continue };
            let (old, new) = (old.at(coarse_state), new.at(StateId::new(n)));
            if old != Belnap::Unknown && old != new {
                assert_eq!(new, Belnap::Unknown, "no verdict turns round: {formula}");
                n_lost += 1;
            }
        }
    }
    n_lost
}

#[test]
fn more_predicates_lose_no_verdict() {
    random_cases(30, |rng| {
        assert_eq!(lost_by_a_predicate(&mut rng.clone(), Form::Literal), 0);
        assert_eq!(lost_by_a_predicate(rng, Form::Mixed), 0);
    });
}

#[test]
fn the_reduced_form_can_lose_a_verdict() {
    // One of five cases in five hundred.
    assert!(lost_by_a_predicate(&mut Rng::seeded(11_702_636_923_160_436_268), Form::Reduced) > 0);
}
