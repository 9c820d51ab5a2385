//! Targets as decision diagrams: the worked example \[GHJ01\], the definitions, the number of solver calls, and fewer predicates at a time.

use crate::common::{abstraction, cartesian, context, predicates_of, program, random_predicates, vector};
use crate::target_sets::{g_may, g_must, h_may, h_must};
use crate::ternary::{Tdd, TddManager, Tri};
use tertium_abstraction::{
    AbstractState, CartesianAbstraction, PredicateAbstraction, TriState, TriTargets, naive,
};
use tertium_dd::{Bdd, Manager, Var};
use tertium_expr::{BigInt, Term, Value};
use tertium_program::{CommandId, LocId, Precision, Program};
use tertium_solve::{GivesUp, Prover, Z3};
use tertium_support::{Id, Rng};
use tertium_testkit::{ProgramShape, random_cases, random_program};
use tertium_truth::{Kleene, TriVector};

fn components(vector: &TriVector) -> Vec<Tri> {
    let component = |known: &Kleene| match known {
        Kleene::False => Tri::Zero,
        Kleene::True => Tri::One,
        Kleene::Unknown => Tri::Star,
    };
    vector.components().iter().map(component).collect()
}

fn set_of(manager: &mut TddManager<bool>, vectors: &[TriVector]) -> Tdd {
    let mut set = manager.constant(false);
    for vector in vectors {
        set = manager.insert(set, &components(vector)).expect("no limits");
    }
    set
}

/// A state of bits from its vector.
fn exact(vector: TriVector) -> AbstractState {
    TriState { control: Box::new([]), vector }.as_exact().expect("no stars")
}

#[test]
fn from_111_the_binary_diagrams_are_those_of_the_source() {
    let program = program();
    let wanted = predicates_of(&program);
    let mut three = abstraction(&program, &wanted);
    let source = exact(vector(&program, three.precision(), &wanted, "111"));
    let targets = three.successors(&context(), &source).expect("no limits").remove(0).1;
    let manager = Manager::new(&context());
    let variables: Vec<Var> = (0..3).map(|_| manager.add_var()).collect();
    // A predicate may be kept negated.
    let literal = |n: usize| -> Bdd {
        let (id, positive) =
            three.precision().find_literal(&program.terms, wanted[n]).expect("it is a predicate");
        let variable = manager.var(variables[id.index()]).expect("no limits");
        if positive { variable } else { variable.not() }
    };
    let may = h_may(&targets, &manager, &variables, &[]).expect("no limits");
    let must = h_must(&targets, &manager, &variables, &[]).expect("no limits");
    assert_eq!(may, literal(1).and(&literal(2)).expect("no limits"));
    assert!(must.is_false());
    assert_eq!(may.count(&variables).exact(), Some(2));
    assert_eq!(may.minterms(&variables).count(), 2);
}

#[test]
fn from_111_the_ternary_diagrams_tell_a_star_from_anything() {
    let program = program();
    let wanted = predicates_of(&program);
    let mut three = cartesian(&program, &wanted);
    let predicates = three.precision().clone();
    let own = |text: &str| vector(&program, &predicates, &wanted, text);
    let source = TriState { control: Box::new([]), vector: own("111") };
    let targets = three.targets(&context(), &source).expect("no limits")[0].1.clone();
    let mut manager = TddManager::new(&context(), 3);
    let must = g_must(&targets, &mut manager, &[]).expect("no limits");
    assert_eq!(must, set_of(&mut manager, &["***", "**1", "*1*", "*11"].map(own)));
    assert_eq!(manager.size(must), Some(4));
    // A must target with a star, and none with a value there.
    assert!(manager.contains(must, &components(&own("*11"))));
    assert!(!manager.contains(must, &components(&own("111"))));
    assert!(!manager.contains(must, &components(&own("011"))));
    let may = g_may(&targets, &mut manager, &[]).expect("no limits");
    assert_eq!(manager.size(may), Some(12));
    let members: Vec<Vec<Tri>> = manager.members(may).collect();
    assert_eq!(members.len(), 12);
    for vector in naive::all_vectors(3) {
        let expected = own("*11").components().iter().zip(vector.components()).all(|(wanted, known)| {
            *wanted == Kleene::Unknown || *known == Kleene::Unknown || wanted == known
        });
        assert_eq!(members.contains(&components(&vector)), expected, "{vector}");
    }
}

/// The values of the control variable of random programs.
fn controls() -> [Box<[Value]>; 3] {
    [0, 1, 2].map(|value| Box::from([Value::Int(BigInt::from(value))]))
}

fn random_state(rng: &mut Rng, n: usize) -> TriState {
    let vectors = naive::all_vectors(n);
    TriState { control: rng.pick(&controls()).clone(), vector: rng.pick(&vectors).clone() }
}

/// A random program with the predicates and a source that stands for something.
fn random_case(rng: &mut Rng, n: usize) -> (Program, Vec<Term>, Option<TriState>) {
    let shape = ProgramShape { n_commands: 3, bounded: rng.chance(0.3), choices: rng.chance(0.6) };
    let program = random_program(rng, shape);
    let wanted = random_predicates(rng, &program, n);
    let predicates = all(&program, &wanted);
    let mut prover = Prover::new(Z3::new());
    let source = (0..4).map(|_| random_state(rng, wanted.len())).find(|state| {
        prover.check(&context(), &program.terms, [state.term(&program, &predicates)]).may_be_satisfiable()
    });
    (program, wanted, source)
}

fn all(program: &Program, wanted: &[Term]) -> Precision {
    let mut predicates = Precision::new();
    wanted.iter().for_each(|&term| {
        predicates.add(program, term, LocId::ANYWHERE);
    });
    predicates
}

fn of_command(targets: &[(CommandId, TriTargets)], command: usize) -> TriTargets {
    let found = targets.iter().find(|(own, _)| own.index() == command);
    let none = TriTargets { may: Default::default(), must: Vec::new(), always: false };
    found.map_or(none, |(_, targets)| targets.clone())
}

#[test]
fn two_to_the_n_answers_give_the_may_targets_of_three_to_the_n() {
    random_cases(25, |rng| {
        let (program, wanted, source) = random_case(rng, 3);
        let Some(source) = source else { return };
        let mut fast = cartesian(&program, &wanted);
        let predicates = fast.precision().clone();
        let mut prover = Prover::new(Z3::new());
        let targets = fast.targets(&context(), &source).expect("no limits");
        let mut manager = TddManager::new(&context(), wanted.len());
        for (n, command) in program.commands().iter().enumerate() {
            let found = of_command(&targets, n);
            for control in controls() {
                let from = (&source, &*control);
                let slow =
                    naive::vector_targets(&context(), &program, &predicates, &mut prover, from, command);
                let may = g_may(&found, &mut manager, &control).expect("no limits");
                let must = g_must(&found, &mut manager, &control).expect("no limits");
                assert_eq!(may, set_of(&mut manager, &slow.may), "may from {}", source.vector);
                assert_eq!(must, set_of(&mut manager, &slow.must), "must from {}", source.vector);
            }
        }
    });
}

#[test]
fn a_source_takes_at_most_as_many_calls_as_there_are_leaves() {
    random_cases(40, |rng| {
        let shape = ProgramShape { n_commands: 1, bounded: rng.chance(0.3), choices: rng.chance(0.5) };
        let program = random_program(rng, shape);
        let wanted = random_predicates(rng, &program, 4);
        let state = (0..4).find_map(|_| {
            let state = random_state(rng, wanted.len());
            let inhabited = abstraction(&program, &wanted).inhabited(&context(), &state.control);
            let inhabited = inhabited.expect("no limits");
            (!inhabited.is_empty()).then(|| rng.pick(&inhabited).clone())
        });
        let Some(state) = state else { return };
        // One question for each leaf: each way through the command, to each control.
        let n_ways = program.commands()[0].steps.len() * controls().len();
        let (two, three) = (1u64 << wanted.len(), 3u64.pow(wanted.len() as u32));
        let mut bits = abstraction(&program, &wanted);
        bits.successors(&context(), &state).expect("no limits");
        let calls = bits.statistics().n_calls;
        assert!(calls <= 2 * two * n_ways as u64, "{calls} calls for binary targets");
        let mut vectors = cartesian(&program, &wanted);
        vectors.targets(&context(), &TriState::exact(&state)).expect("no limits");
        let calls = vectors.statistics().n_calls;
        assert!(calls <= 2 * three * n_ways as u64, "{calls} calls for ternary targets");
    });
}

#[test]
fn the_worked_example_takes_fewer_calls_than_leaves_for_every_source() {
    let program = program();
    let wanted = predicates_of(&program);
    for state in naive::all_states(&program, abstraction(&program, &wanted).precision()) {
        let mut bits = abstraction(&program, &wanted);
        bits.successors(&context(), &state).expect("no limits");
        let calls = bits.statistics().n_calls;
        assert!(calls < 8, "{calls} calls for may and must together, with 8 leaves each");
    }
    for vector in naive::all_vectors(3) {
        let mut vectors = cartesian(&program, &wanted);
        let source = TriState { control: Box::new([]), vector };
        vectors.targets(&context(), &source).expect("no limits");
        let calls = vectors.statistics().n_calls;
        assert!(calls < 27, "{calls} calls for may and must from {}, with 27 leaves each", source.vector);
    }
}

#[test]
fn fewer_predicates_at_a_time_give_more_mays_and_fewer_musts() {
    random_cases(20, |rng| {
        let (program, wanted, source) = random_case(rng, 3);
        let n = wanted.len();
        let Some(source) = source else { return };
        let predicates = all(&program, &wanted);
        let mut manager = TddManager::new(&context(), n);
        let mut prover = Prover::new(Z3::new());
        let mut slow = Vec::new();
        for command in program.commands() {
            for control in controls() {
                let from = (&source, &*control);
                slow.push(naive::vector_targets(
                    &context(),
                    &program,
                    &predicates,
                    &mut prover,
                    from,
                    command,
                ));
            }
        }
        for depth in 0..=n {
            let abstraction = PredicateAbstraction::new(&program, predicates.clone(), Prover::new(Z3::new()));
            let mut fast = CartesianAbstraction::limited(abstraction, depth);
            let targets = fast.targets(&context(), &source).expect("no limits");
            for (at, exact) in slow.iter().enumerate() {
                let found = of_command(&targets, at / 3);
                let control = &controls()[at % 3];
                let may = g_may(&found, &mut manager, control).expect("no limits");
                let must = g_must(&found, &mut manager, control).expect("no limits");
                let limited = naive::limited(exact, n, depth);
                let sets = [&exact.may, &limited.may, &exact.must, &limited.must];
                let [exact_may, most_may, exact_must, least_must] =
                    sets.map(|vectors| set_of(&mut manager, vectors));
                let mut inside = |less: Tdd, more: Tdd| {
                    let outside = manager.difference(less, more).expect("no limits");
                    manager.size(outside) == Some(0)
                };
                // At least as good as the definition, and sound.
                assert!(inside(exact_may, may) && inside(may, most_may), "may at depth {depth}");
                assert!(inside(least_must, must) && inside(must, exact_must), "must at depth {depth}");
                if depth == n {
                    assert_eq!((may, must), (exact_may, exact_must), "exact at depth {depth}");
                }
            }
        }
    });
}

#[test]
fn a_solver_that_gives_up_makes_may_grow_and_must_shrink() {
    random_cases(25, |rng| {
        let (program, wanted, source) = random_case(rng, 3);
        let Some(source) = source else { return };
        let exact = cartesian(&program, &wanted).targets(&context(), &source).expect("no limits");
        let prover = Prover::new(GivesUp::new(Z3::new(), rng.between(1, 4)));
        let weak = PredicateAbstraction::new(&program, all(&program, &wanted), prover);
        let depth = rng.chance(0.3).then_some(wanted.len());
        let mut weak = match depth {
            None => CartesianAbstraction::new(weak),
            Some(depth) => CartesianAbstraction::limited(weak, depth),
        };
        let weak = weak.targets(&context(), &source).expect("no limits");
        let mut manager = TddManager::new(&context(), wanted.len());
        for command in 0..program.commands().len() {
            let (exact, weak) = (of_command(&exact, command), of_command(&weak, command));
            assert!(exact.always || !weak.always);
            for control in controls() {
                let mut sets = |targets: &TriTargets| {
                    let may = g_may(targets, &mut manager, &control).expect("no limits");
                    (may, g_must(targets, &mut manager, &control).expect("no limits"))
                };
                let ((may, must), (weak_may, weak_must)) = (sets(&exact), sets(&weak));
                for (less, more) in [(may, weak_may), (weak_must, must), (weak_must, weak_may), (must, may)] {
                    let outside = manager.difference(less, more).expect("no limits");
                    assert_eq!(manager.size(outside), Some(0));
                }
            }
        }
    });
}
