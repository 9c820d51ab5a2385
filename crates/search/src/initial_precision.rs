//! The predicates that a search begins with.

use crate::{Precision, Scope, Settings, Written};
use tertium_expr::{Term, Value, Variable};
use tertium_program::{Program, Role, pinned};
use tertium_support::Id;

/// Which predicates there are at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Start {
    /// The atoms of the goal and of the guards.
    #[default]
    Guards,
    /// The atoms of the goal.
    Goal,
}

/// So many comparisons are looked at to say where inputs enable a step. What is missing here is found by refinement.
const MOST_COMPARISONS: usize = 2_000;

/// The predicates to begin with.
pub fn starting_predicates(program: &Program, goal: Term, settings: &Settings) -> Precision {
    let terms = &program.terms;
    let mut precision = Precision::new(settings.identity);
    for atom in terms.atoms_of(goal) {
        precision.add(program, Written::new(terms, atom), Scope::Everywhere);
    }
    if settings.start == Start::Guards {
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            let scopes =
                if settings.losses.by_location { locations(program, step.guard) } else { Vec::new() };
            // Where some inputs enable the step; if that cannot be said, the atoms without inputs are what is left.
            let inputs = step.inputs.iter().map(|input| input.variable);
            let enabled = terms.eliminate_all(inputs, step.guard, MOST_COMPARISONS).unwrap_or(step.guard);
            for atom in terms.atoms_of(enabled) {
                if scopes.is_empty() {
                    precision.add(program, Written::new(terms, atom), Scope::Everywhere);
                }
                for scope in &scopes {
                    precision.add(program, Written::new(terms, atom), scope.clone());
                }
            }
        }
    }
    precision
}

/// The locations that a guard asks for.
fn locations(program: &Program, guard: Term) -> Vec<Scope> {
    let terms = &program.terms;
    let control = program.variables().iter().enumerate().filter(|(_, own)| own.role == Role::Control);
    let pins: Vec<(Variable, Value)> =
        terms.conjuncts(guard).into_iter().filter_map(|part| pinned(terms, part)).collect();
    let asked = control.filter_map(|(n, own)| {
        let (_, value) = pins.iter().find(|(variable, _)| *variable == own.variable)?;
        Some(Scope::Location(Id::new(n), value.clone()))
    });
    asked.collect()
}
