//! The program of the worked examples, and programs state by state.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeMap;
use tertium_abstraction::{PredicateAbstraction, Predicates};
use tertium_expr::{Term, Terms, Value};
use tertium_program::{Domain, Interpreter, Program, Role, State, Statement};
use tertium_solve::{Prover, Z3};
use tertium_support::{Cancel, Context, Id, Limits, Span};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_truth::Belnap;

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

/// A complete system with what its states are.
pub(crate) struct Concrete {
    pub(crate) system: PartialSystem,
    pub(crate) states: Vec<State>,
}

/// All states of a program with bounded variables, reachable or not; all are initial.
pub(crate) fn concrete(program: &Program, propositions: &[(String, Term)]) -> Concrete {
    let interpreter = Interpreter::new(program);
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for own in program.variables() {
        let values = own.domain.values(100).expect("bounded");
        all = all
            .iter()
            .flat_map(|before| values.iter().map(|value| [before.clone(), vec![value.clone()]].concat()))
            .collect();
    }
    let states: Vec<State> = all.into_iter().map(|values| State(values.into())).collect();
    let ids: BTreeMap<&State, StateId> =
        states.iter().enumerate().map(|(n, s)| (s, StateId::new(n))).collect();
    let mut builder = SystemBuilder::numbered(states.len());
    for (state, &id) in &ids {
        builder.initial(id);
        for successor in interpreter.successors(state).expect("bounded inputs") {
            let action = builder.action(&program.commands()[successor.command.index()].action);
            builder.edge(id, action, ids[&successor.state], Modality::Both);
        }
        for (name, term) in propositions {
            let proposition = builder.proposition(name, Belnap::Unknown);
            builder.label(id, proposition, Belnap::from(interpreter.holds(state, *term)));
        }
    }
    Concrete { system: builder.build(), states }
}
