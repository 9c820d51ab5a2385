//! Random programs with arrays, whose indices can leave them.

use std::sync::Arc;
use tertium_expr::{BigInt, Sort, Term, Terms, Variable};
use tertium_program::{Domain, Program, Role, Statement};
use tertium_support::{Rng, Span};

/// The variables of such a program.
struct Variables {
    pc: Variable,
    /// From -1 to 1.
    i: Variable,
    /// At 0 and 1, elements from 0 to 2.
    a: Variable,
    /// At false and true, truth values.
    f: Variable,
}

/// A program with a control variable, a number and two arrays, of 216 states.
pub fn random_array_program(rng: &mut Rng, n_commands: usize) -> Program {
    let mut program = Program::new(Terms::new());
    let place = Span::default();
    let range = |low: i32, high: i32| Domain::Range(BigInt::from(low), BigInt::from(high));
    program.add_variable("pc", range(0, 1), Role::Control, place);
    program.add_variable("i", range(-1, 1), Role::Data, place);
    program.add_variable("a", Domain::array(range(0, 1), range(0, 2)), Role::Data, place);
    program.add_variable("f", Domain::array(Domain::Bool, Domain::Bool), Role::Data, place);
    let [pc, i, a, f] = [0, 1, 2, 3].map(|at| program.variables()[at].variable);
    let own = Variables { pc, i, a, f };
    program.initial = {
        let terms = &program.terms;
        let first = terms.equal(terms.variable(pc), terms.integer(0));
        terms.and([first, own.truth(rng, terms, 1)])
    };
    for n in 0..rng.between(1, n_commands) {
        let terms = &program.terms;
        let here = terms.equal(terms.variable(pc), terms.integer(rng.below(2)));
        let guard = if rng.chance(0.6) { terms.and([here, own.truth(rng, terms, 2)]) } else { here };
        let statement = own.statement(rng, terms, &program);
        program.add_command(["a", "b", "c"][n % 3], Statement::guarded(guard, statement), place);
    }
    program
}

/// A random truth value about the variables of such a program other than its control.
pub fn random_array_truth(rng: &mut Rng, program: &Program) -> Term {
    let [pc, i, a, f] = [0, 1, 2, 3].map(|at| program.variables()[at].variable);
    Variables { pc, i, a, f }.truth(rng, &program.terms, 2)
}

impl Variables {
    fn number(&self, rng: &mut Rng, terms: &Terms, depth: usize) -> Term {
        let i = terms.variable(self.i);
        match (depth, rng.below(6)) {
            (0, 0..=3) | (_, 0) => i,
            (0, _) | (_, 1) => terms.integer(rng.below(4) as i64 - 1),
            (_, 2) => terms.sum([self.number(rng, terms, depth - 1), i]),
            _ => {
                let array = self.numbers(rng, terms, depth - 1);
                terms.select(array, self.number(rng, terms, depth - 1))
            }
        }
    }

    fn truth(&self, rng: &mut Rng, terms: &Terms, depth: usize) -> Term {
        let f = terms.variable(self.f);
        match (depth, rng.below(6)) {
            (0, _) | (_, 0) => terms.select(f, terms.boolean(rng.chance(0.5))),
            (_, 1) => terms.select(f, self.truth(rng, terms, depth - 1)),
            (_, 2) => terms.not(self.truth(rng, terms, depth - 1)),
            (_, 3) => terms.equal(terms.variable(self.a), self.numbers(rng, terms, depth - 1)),
            (_, 4) => terms.or([self.truth(rng, terms, depth - 1), self.truth(rng, terms, depth - 1)]),
            _ => terms.at_most(self.number(rng, terms, depth - 1), self.number(rng, terms, depth - 1)),
        }
    }

    /// An array of numbers.
    fn numbers(&self, rng: &mut Rng, terms: &Terms, depth: usize) -> Term {
        let a = terms.variable(self.a);
        match (depth, rng.below(8)) {
            (0, _) | (_, 0..=2) => a,
            (_, 3) => terms.everywhere(Arc::new(Sort::Int), self.number(rng, terms, depth - 1)),
            (_, 4) => {
                let (one, other) = (self.numbers(rng, terms, depth - 1), self.numbers(rng, terms, depth - 1));
                terms.ite(self.truth(rng, terms, depth - 1), one, other)
            }
            _ => {
                let (at, element) = (self.number(rng, terms, depth - 1), self.number(rng, terms, depth - 1));
                terms.store(self.numbers(rng, terms, depth - 1), at, element)
            }
        }
    }

    fn statement(&self, rng: &mut Rng, terms: &Terms, program: &Program) -> Statement {
        let mut updates = Vec::new();
        if rng.chance(0.7) {
            updates.push((self.pc, terms.integer(rng.below(2))));
        }
        if rng.chance(0.4) {
            updates.push((self.i, self.number(rng, terms, 2)));
        }
        if rng.chance(0.6) {
            let written =
                terms.store(terms.variable(self.a), self.number(rng, terms, 1), self.number(rng, terms, 2));
            updates.push((self.a, if rng.chance(0.6) { written } else { self.numbers(rng, terms, 2) }));
        }
        if rng.chance(0.4) {
            let at = self.truth(rng, terms, 1);
            updates.push((self.f, terms.store(terms.variable(self.f), at, self.truth(rng, terms, 2))));
        }
        let assign = Statement::Assign(updates);
        if !rng.chance(0.4) {
            return assign;
        }
        // What is chosen may be stored as it is, be read, or be written again.
        let chosen = *rng.pick(&[self.i, self.a, self.f]);
        let domain = program.variables().iter().find(|own| own.variable == chosen).map(|own| &own.domain);
        let domain = domain.expect("a variable of the program").clone();
        let domain = match (&domain, rng.chance(0.3)) {
            (Domain::Array(index, _), true) if chosen == self.a => {
                Domain::Array(Arc::clone(index), Arc::new(Domain::Range(BigInt::from(0), BigInt::from(3))))
            }
            _ => domain,
        };
        let havoc = Statement::Havoc(chosen, domain);
        Statement::Sequence(if rng.chance(0.5) { vec![assign, havoc] } else { vec![havoc, assign] })
    }
}
