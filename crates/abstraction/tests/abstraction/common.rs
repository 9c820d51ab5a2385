//! The program of the worked examples.

use tertium_abstraction::{CartesianAbstraction, PredicateAbstraction};
use tertium_expr::{Term, Terms};
use tertium_program::{Domain, LocId, Precision, Program, Role, Statement};
use tertium_solve::{Prover, Z3};
use tertium_support::{Cancel, Context, Id, Limits, Rng, Span};
use tertium_testkit::random_atom;
use tertium_truth::TriVector;

pub(crate) fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

/// x, y and z, begun anywhere, with the statement `x := z`.
pub(crate) fn program() -> Program {
    let mut program = Program::new(Terms::new());
    for name in ["x", "y", "z"] {
        program.add_variable(name, Domain::Int, Role::Data, Span::default());
    }
    let variable = |n: usize| program.variables()[n].variable;
    let copy = Statement::Assign(vec![(variable(0), program.terms.variable(variable(2)))]);
    program.add_command("copy", copy, Span::default());
    program
}

/// odd(x), y > 0, z < 0
pub(crate) fn predicates_of(program: &Program) -> [Term; 3] {
    let terms = &program.terms;
    let variable = |n: usize| terms.variable(program.variables()[n].variable);
    [
        terms.equal(terms.modulo(variable(0), 2), terms.integer(1)),
        terms.less(terms.integer(0), variable(1)),
        terms.less(variable(2), terms.integer(0)),
    ]
}

pub(crate) fn abstraction<'p>(program: &'p Program, wanted: &[Term]) -> PredicateAbstraction<'p> {
    let mut predicates = Precision::new();
    for &term in wanted {
        assert!(predicates.add(program, term, LocId::ANYWHERE));
    }
    PredicateAbstraction::new(program, predicates, Prover::new(Z3::new()))
}

/// The same through vectors.
pub(crate) fn cartesian<'p>(program: &'p Program, wanted: &[Term]) -> CartesianAbstraction<'p> {
    CartesianAbstraction::new(abstraction(program, wanted))
}

/// A vector over the predicates as they were given, for one that is kept negated too.
pub(crate) fn vector(program: &Program, predicates: &Precision, wanted: &[Term], text: &str) -> TriVector {
    let mut components = text.parse::<TriVector>().expect("a vector").components().to_vec();
    let given = components.clone();
    for (&term, component) in wanted.iter().zip(given) {
        let found = predicates.find_literal(&program.terms, term);
        let (id, positive) = found.expect("it is a predicate");
        components[id.index()] = if positive { component } else { component.not() };
    }
    TriVector::new(components)
}

/// Up to n predicates about the data of a random program.
pub(crate) fn random_predicates(rng: &mut Rng, program: &Program, n: usize) -> Vec<Term> {
    let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
    let mut predicates = Precision::new();
    for _ in 0..20 {
        if predicates.len() < n {
            predicates.add(program, random_atom(rng, &program.terms, &variables[1..]), LocId::ANYWHERE);
        }
    }
    predicates.iter().copied().collect()
}
