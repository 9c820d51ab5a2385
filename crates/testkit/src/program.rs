//! Random programs of guarded commands.

use crate::{random_number, random_truth};
use tertium_expr::{BigInt, Sort, Terms, Variable};
use tertium_program::{Domain, Program, Role, Statement};
use tertium_support::{Rng, Span};

/// What random programs look like.
#[derive(Clone, Copy, Debug)]
pub struct ProgramShape {
    /// How many commands at most, at least one.
    pub n_commands: usize,
    /// Whether integers have the range -2..2, so that there are few concrete states.
    pub bounded: bool,
    /// Whether commands may have choices and inputs.
    pub choices: bool,
}

/// A program with a control variable, two integers and a truth value.
pub fn random_program(rng: &mut Rng, shape: ProgramShape) -> Program {
    let mut program = Program::new(Terms::new());
    let place = Span::default();
    let number = match shape.bounded {
        true => Domain::Range(BigInt::from(-2), BigInt::from(2)),
        false => Domain::Int,
    };
    program.add_variable("pc", Domain::Range(BigInt::from(0), BigInt::from(2)), Role::Control, place);
    program.add_variable("x", number.clone(), Role::Data, place);
    program.add_variable("y", number, Role::Data, place);
    program.add_variable("b", Domain::Bool, Role::Data, place);
    let variables: Vec<Variable> = program.variables().iter().map(|own| own.variable).collect();
    let pc = program.terms.variable(variables[0]);
    let here =
        |program: &Program, rng: &mut Rng| program.terms.equal(pc, program.terms.integer(rng.below(3)));
    program.initial = {
        let first = program.terms.equal(pc, program.terms.integer(0));
        let rest = random_truth(rng, &program.terms, &variables[1..], 1);
        if rng.chance(0.7) { program.terms.and([first, rest]) } else { first }
    };
    for n in 0..rng.between(1, shape.n_commands) {
        let at = here(&program, rng);
        let guard = match rng.chance(0.6) {
            true => program.terms.and([at, random_truth(rng, &program.terms, &variables[1..], 1)]),
            false => at,
        };
        let branches = if shape.choices { rng.between(1, 2) } else { 1 };
        let branches =
            (0..branches).map(|_| random_update(rng, &program, &variables, shape.choices)).collect();
        program.add_command(
            ["a", "b", "c"][n % 3],
            Statement::guarded(guard, Statement::Choice(branches)),
            place,
        );
    }
    program
}

fn random_update(rng: &mut Rng, program: &Program, variables: &[Variable], inputs: bool) -> Statement {
    let terms = &program.terms;
    let mut updates = Vec::new();
    if rng.chance(0.8) {
        let target = match rng.chance(0.85) {
            true => terms.integer(rng.below(3)),
            // Control that depends on data.
            false => terms.ite(
                random_truth(rng, terms, &variables[1..], 1),
                terms.integer(rng.below(3)),
                terms.integer(rng.below(3)),
            ),
        };
        updates.push((variables[0], target));
    }
    for &variable in &variables[1..] {
        if rng.chance(0.4) {
            let term = match terms.sort_of(variable) {
                Sort::Int => random_number(rng, terms, &variables[1..], 1),
                _ => random_truth(rng, terms, &variables[1..], 1),
            };
            updates.push((variable, term));
        }
    }
    let assign = Statement::Assign(updates);
    if inputs && rng.chance(0.3) {
        let input = match rng.chance(0.5) {
            true => Statement::Havoc(variables[1], Domain::Range(BigInt::from(-1), BigInt::from(1))),
            false => Statement::Havoc(variables[3], Domain::Bool),
        };
        return Statement::Sequence(vec![assign, input]);
    }
    assign
}
