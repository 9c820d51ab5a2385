//! Predicate and cartesian abstraction from their definitions: one solver call for each pair of abstract states.
//!
//! Exactly 2^n calls for a source, like the recursions `H_may` and `H_must` of \[GHJ01\] without their pruning, or 3^n, like `G_may` and
//! `G_must`. The oracle.

use crate::cartesian::weaker;
use crate::{AbstractState, Targets, TriState};
use fixedbitset::FixedBitSet;
use tertium_expr::{Term, Value};
use tertium_program::{Command, Domain, Precision, Program, Role};
use tertium_solve::{Answer, Prover};
use tertium_support::Context;
use tertium_truth::{Kleene, TriVector};

/// All abstract states, satisfiable or not. For few predicates.
pub fn all_states(program: &Program, precision: &Precision) -> Vec<AbstractState> {
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
    let vector = |length: usize, number: usize| {
        let mut bits = FixedBitSet::with_capacity(length);
        (0..length).for_each(|n| bits.set(n, number >> n & 1 == 1));
        bits
    };
    let states = controls.into_iter().flat_map(|control| {
        let length = precision.at(program, &control).len();
        (0..1usize << length).map(move |number| AbstractState {
            control: control.clone().into(),
            bits: vector(length, number),
        })
    });
    states.collect()
}

/// Whether an abstract state stands for anything, as far as the solver knows.
pub fn may_be_inhabited(
    context: &Context,
    program: &Program,
    precision: &Precision,
    prover: &mut Prover<'_>,
    state: &AbstractState,
) -> bool {
    prover.check(context, &program.terms, [state.term(program, precision)]).may_be_satisfiable()
}

/// Where a command leads: `psi and not pre(not eta)` can be satisfied for may, `psi and pre(not eta)` cannot for must.
/// The source has to be satisfiable.
pub fn targets(
    context: &Context,
    program: &Program,
    precision: &Precision,
    prover: &mut Prover<'_>,
    source: &AbstractState,
    command: &Command,
) -> Targets {
    let terms = &program.terms;
    let psi = source.term(program, precision);
    let mut targets = Targets::default();
    for target in all_states(program, precision) {
        let eta = target.term(program, precision);
        let avoids: Term = command.statement.pre(terms, terms.not(eta));
        if prover.check(context, terms, [psi, terms.not(avoids)]).may_be_satisfiable() {
            targets.may.insert(target.clone());
            if prover.check(context, terms, [psi, avoids]) == Answer::Unsatisfiable {
                targets.must.insert(target);
            }
        }
    }
    let leads_to_none = command.statement.pre(terms, terms.boolean(false));
    targets.always = !targets.may.is_empty()
        && prover.check(context, terms, [psi, leads_to_none]) == Answer::Unsatisfiable;
    targets
}

/// All vectors over n predicates.
pub fn all_vectors(n: usize) -> Vec<TriVector> {
    let mut vectors = vec![Vec::new()];
    for _ in 0..n {
        let longer =
            |before: &Vec<Kleene>| Kleene::ALL.map(|component| [before.clone(), vec![component]].concat());
        vectors = vectors.iter().flat_map(longer).collect();
    }
    vectors.into_iter().map(TriVector::new).collect()
}

/// The vectors with one control that a command leads to, all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorTargets {
    /// Some concrete state may be led there.
    pub may: Vec<TriVector>,
    /// All concrete states can be led there.
    pub must: Vec<TriVector>,
}

/// Where a command leads from a vector, to states with this control. The source has to be satisfiable.
pub fn vector_targets(
    context: &Context,
    program: &Program,
    precision: &Precision,
    prover: &mut Prover<'_>,
    (source, control): (&TriState, &[Value]),
    command: &Command,
) -> VectorTargets {
    let terms = &program.terms;
    let psi = source.term(program, precision);
    let mut targets = VectorTargets::default();
    for vector in all_vectors(precision.at(program, control).len()) {
        let target = TriState { control: control.into(), vector };
        let avoids: Term = command.statement.pre(terms, terms.not(target.term(program, precision)));
        if prover.check(context, terms, [psi, terms.not(avoids)]).may_be_satisfiable() {
            targets.may.push(target.vector.clone());
        }
        if prover.check(context, terms, [psi, avoids]) == Answer::Unsatisfiable {
            targets.must.push(target.vector);
        }
    }
    targets
}

/// The same as far as questions about at most `depth` predicates together say it: a vector with more counts as a may
/// target if everything weaker with so many is one, and as no must target.
pub fn limited(exact: &VectorTargets, n: usize, depth: usize) -> VectorTargets {
    let size = |vector: &TriVector| vector.components().iter().filter(|c| **c != Kleene::Unknown).count();
    let may = |vector: &TriVector| {
        let state = TriState { control: Box::new([]), vector: vector.clone() };
        let weaker = weaker(&state).into_iter().filter(|other| size(&other.vector) == depth);
        if size(vector) <= depth {
            exact.may.contains(vector)
        } else {
            weaker.into_iter().all(|other| exact.may.contains(&other.vector))
        }
    };
    VectorTargets {
        may: all_vectors(n).into_iter().filter(may).collect(),
        must: exact.must.iter().filter(|vector| size(vector) <= depth).cloned().collect(),
    }
}
