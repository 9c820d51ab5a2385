//! The program of the worked examples.

use tertium_abstraction::{PredicateAbstraction, Predicates};
use tertium_expr::{Term, Terms};
use tertium_program::{Domain, Program, Role, Statement};
use tertium_solve::{Prover, Z3};
use tertium_support::{Cancel, Context, Limits, Span};

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
    let mut predicates = Predicates::new();
    for &term in wanted {
        assert!(predicates.add(program, term));
    }
    PredicateAbstraction::new(program, predicates, Prover::new(Z3::new()))
}
