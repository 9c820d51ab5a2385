//! Components abstracted one by one: what holds of their product holds of the whole program.

use crate::common::context;
use crate::product::{Component, Product, interleave};
use tertium_abstraction::{AbstractState, CartesianAbstraction, Form, PredicateAbstraction};
use tertium_check::evaluate;
use tertium_expr::{BigInt, Term, Terms, Variable};
use tertium_program::{Domain, Interpreter, LocId, Precision, Program, Role, Statement};
use tertium_solve::{Prover, Z3};
use tertium_support::{Id, Rng, Span};
use tertium_system::StateId;
use tertium_testkit::{
    FormulaShape, concrete_system, random_atom, random_cases, random_formula, random_number, random_truth,
};
use tertium_truth::Belnap;

/// Processes over two shared variables, each with a control variable of its own. What is random depends on the seed of
/// each process only, so that a process is the same wherever it occurs.
fn program_of(processes: &[(&str, u64)], beginning: u64, predicates: u64) -> Program {
    let mut program = Program::new(Terms::new());
    let place = Span::default();
    for (name, _) in processes {
        program.add_variable(name, Domain::Range(BigInt::from(0), BigInt::from(1)), Role::Control, place);
    }
    program.add_variable("x", Domain::Range(BigInt::from(-2), BigInt::from(2)), Role::Data, place);
    program.add_variable("b", Domain::Bool, Role::Data, place);
    // Made first, so that their parts have the same order in all programs, and they read the same.
    predicates_of(&program, predicates);
    let data = data_of(&program);
    let start = random_truth(&mut Rng::seeded(beginning), &program.terms, &data, 1);
    let zero = |own: usize| {
        let control = program.terms.variable(program.variables()[own].variable);
        program.terms.equal(control, program.terms.integer(0))
    };
    let controls: Vec<Term> = (0..processes.len()).map(zero).collect();
    program.initial = program.terms.and(controls.into_iter().chain([start]));
    for (own, &(_, seed)) in processes.iter().enumerate() {
        let rng = &mut Rng::seeded(seed);
        let control = program.variables()[own].variable;
        for n in 0..rng.between(1, 3) {
            let terms = &program.terms;
            let at = terms.equal(terms.variable(control), terms.integer(rng.below(2)));
            let guard =
                if rng.chance(0.5) { terms.and([at, random_truth(rng, terms, &data, 1)]) } else { at };
            let mut updates = vec![(control, terms.integer(rng.below(2)))];
            if rng.chance(0.6) {
                updates.push((data[0], random_number(rng, terms, &data, 1)));
            }
            if rng.chance(0.4) {
                updates.push((data[1], random_atom(rng, terms, &data)));
            }
            let input = Statement::Havoc(data[1], Domain::Bool);
            let assign = Statement::Assign(updates);
            let body = if rng.chance(0.3) { Statement::Sequence(vec![assign, input]) } else { assign };
            program.add_command(["a", "b", "c"][n % 3], Statement::guarded(guard, body), place);
        }
    }
    program
}

fn data_of(program: &Program) -> Vec<Variable> {
    let data = program.variables().iter().filter(|own| own.role == Role::Data);
    data.map(|own| own.variable).collect()
}

fn predicates_of(program: &Program, seed: u64) -> Precision {
    let rng = &mut Rng::seeded(seed);
    let mut predicates = Precision::new();
    for _ in 0..8 {
        if predicates.len() < 2 {
            predicates.add(program, random_atom(rng, &program.terms, &data_of(program)), LocId::ANYWHERE);
        }
    }
    predicates
}

fn at_zero(program: &Program, control: usize) -> Term {
    let variable = program.terms.variable(program.variables()[control].variable);
    program.terms.equal(variable, program.terms.integer(0))
}

/// Definite values at states of the product against those of the concrete states that they stand for. Gives how many were compared.
fn compare(rng: &mut Rng, whole: &Program, predicates: &Precision, product: &Product) -> usize {
    let mut propositions = vec![("l".to_owned(), at_zero(whole, 0)), ("r".to_owned(), at_zero(whole, 1))];
    propositions.extend(predicates.iter().enumerate().map(|(n, &term)| (format!("p{n}"), term)));
    let Some(concrete) = concrete_system(whole, &propositions) else { return 0 };
    let interpreter = Interpreter::new(whole);
    let seen: Vec<AbstractState> = concrete
        .states
        .iter()
        .map(|state| AbstractState::of(&interpreter, predicates, state).expect("domains are small"))
        .collect();
    let names = propositions.iter().map(|(name, _)| name.clone()).collect();
    let shape = FormulaShape { propositions: names, ..FormulaShape::default() };
    let mut n_definite = 0;
    for _ in 0..6 {
        let formula = random_formula(rng, &shape);
        let (truth, value) = (evaluate(&concrete.system, &formula), evaluate(&product.system, &formula));
        for (n, state) in product.states.iter().enumerate() {
            let value = value.at(StateId::new(n));
            if value == Belnap::Unknown {
                continue;
            }
            let control = state.controls.concat();
            for (m, exact) in seen.iter().enumerate() {
                if *exact.control == *control && state.vector.info_le(&exact.vector()) {
                    assert_eq!(value, truth.at(StateId::new(m)), "{formula}");
                    n_definite += 1;
                }
            }
        }
    }
    n_definite
}

#[test]
fn definite_values_of_the_product_are_those_of_the_whole_program() {
    let mut n_definite = 0;
    let run = random_cases(60, |rng| {
        let [first, second, beginning, predicates] = [0; 4].map(|_| rng.bits());
        let left = program_of(&[("l", first)], beginning, predicates);
        let right = program_of(&[("r", second)], beginning, predicates);
        let whole = program_of(&[("l", first), ("r", second)], beginning, predicates);
        let bits = |program| {
            PredicateAbstraction::new(program, predicates_of(program, predicates), Prover::new(Z3::new()))
        };
        let mut propositions =
            vec![("l".to_owned(), 0, at_zero(&left, 0)), ("r".to_owned(), 1, at_zero(&right, 0))];
        let own = predicates_of(&left, predicates);
        propositions.extend(own.iter().enumerate().map(|(n, &term)| (format!("p{n}"), 0, term)));
        let (mut one, mut other) = (bits(&left), bits(&right));
        let components: &mut [&mut dyn Component] = &mut [&mut one, &mut other];
        let product = interleave(&context(), components, &propositions).expect("no limits");
        let shared = predicates_of(&whole, predicates);
        n_definite += compare(rng, &whole, &shared, &product);

        let vectors = |program| (CartesianAbstraction::new(bits(program)), Form::Mixed);
        let (mut one, mut other) = (vectors(&left), vectors(&right));
        let components: &mut [&mut dyn Component] = &mut [&mut one, &mut other];
        let product = interleave(&context(), components, &propositions).expect("no limits");
        n_definite += compare(rng, &whole, &shared, &product);
    });
    run.enough(n_definite > 1000, format_args!("{n_definite} definite values"));
}
