//! Predicate abstraction from its definition: one solver call for each pair of abstract states.
//!
//! Exactly 2^n calls for a source, like the recursions `H_may` and `H_must` of \[GHJ01\] without their pruning. The oracle.

use crate::{AbstractState, Predicates, Targets};
use fixedbitset::FixedBitSet;
use tertium_expr::Term;
use tertium_program::{Command, Domain, Program, Role};
use tertium_solve::{Answer, Prover};
use tertium_support::Context;

/// All abstract states, satisfiable or not. For few predicates.
pub fn all_states(program: &Program, predicates: &Predicates) -> Vec<AbstractState> {
    let mut controls = vec![Vec::new()];
    for own in program.variables().iter().filter(|own| own.role == Role::Control) {
        let values =
            Domain::values(&own.domain, usize::MAX).expect("control variables have finitely many values");
        controls = controls
            .iter()
            .flat_map(|before: &Vec<_>| {
                values.iter().map(|value| [before.clone(), vec![value.clone()]].concat())
            })
            .collect();
    }
    let vector = |number: usize| {
        let mut bits = FixedBitSet::with_capacity(predicates.len());
        (0..predicates.len()).for_each(|n| bits.set(n, number >> n & 1 == 1));
        bits
    };
    let states = controls.into_iter().flat_map(|control| {
        (0..1usize << predicates.len())
            .map(move |number| AbstractState { control: control.clone().into(), bits: vector(number) })
    });
    states.collect()
}

/// Whether an abstract state stands for anything, as far as the solver knows.
pub fn may_be_inhabited(
    context: &Context,
    program: &Program,
    predicates: &Predicates,
    prover: &mut Prover<'_>,
    state: &AbstractState,
) -> bool {
    prover.check(context, &program.terms, [state.term(program, predicates)]).may_be_satisfiable()
}

/// Where a command leads: `psi and not pre(not eta)` can be satisfied for may, `psi and pre(not eta)` cannot for must. The source has to be satisfiable.
pub fn targets(
    context: &Context,
    program: &Program,
    predicates: &Predicates,
    prover: &mut Prover<'_>,
    source: &AbstractState,
    command: &Command,
) -> Targets {
    let terms = &program.terms;
    let psi = source.term(program, predicates);
    let mut targets = Targets::default();
    for target in all_states(program, predicates) {
        let eta = target.term(program, predicates);
        let avoids: Term = command.statement.pre(terms, terms.not(eta));
        if prover.check(context, terms, [psi, terms.not(avoids)]).may_be_satisfiable() {
            targets.may.insert(target.clone());
            if prover.check(context, terms, [psi, avoids]) == Answer::Unsatisfiable {
                targets.must.insert(target);
            }
        }
    }
    let nowhere = command.statement.pre(terms, terms.boolean(false));
    targets.always =
        !targets.may.is_empty() && prover.check(context, terms, [psi, nowhere]) == Answer::Unsatisfiable;
    targets
}
