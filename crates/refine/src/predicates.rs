//! Which predicates an abstraction starts with, and which candidates are worth adding.

use crate::by_predicates::Question;
use tertium_abstraction::Predicates;
use tertium_expr::{BigInt, Term, TermKind, Terms};
use tertium_program::Program;
use tertium_solve::Prover;
use tertium_support::Context;

/// The predicates that an abstraction starts with: those given, the atoms of the property, and, if asked, those of the guards. What is the same everywhere is left out.
pub(crate) fn first_predicates(
    context: &Context,
    question: &Question<'_>,
    guards: bool,
    prover: &mut Prover<'_>,
) -> Predicates {
    let program = question.program;
    let mut predicates = question.predicates.clone();
    for (_, term) in question.propositions {
        predicates.add_atoms(program, *term);
    }
    if guards {
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            let atoms = program.terms.atoms_of(step.guard).into_iter();
            let own = |&atom: &Term| {
                program.terms.variables_of(atom).into_iter().all(|variable| program.id_of(variable).is_some())
            };
            atoms.filter(own).for_each(|atom| {
                predicates.add(program, atom);
            });
        }
    }
    without_constants(context, program, prover, predicates.iter())
}

/// An equation with a number as the two bounds that it consists of. Bounds carry over from step to step where equations do not: after `y := x + 1`,
/// y is not 0 because x is not -1, and that because y was not -2; but y is above 0 because x is above -1. Remainders have few values, and stay.
pub(crate) fn as_bounds(terms: &Terms, term: Term) -> Vec<Term> {
    let plain = match terms.kind(term) {
        TermKind::Not(inner) => inner,
        _ => term,
    };
    match terms.kind(plain) {
        TermKind::Exactly(form, value) if !matches!(terms.kind(form), TermKind::Modulo(..)) => {
            let bound = |value: BigInt| terms.at_most(form, terms.integer(value));
            vec![bound(value.clone()), bound(value - 1)]
        }
        _ => vec![term],
    }
}

/// The predicates that are not the same everywhere within the domains of variables: the others say nothing.
pub(crate) fn without_constants(
    context: &Context,
    program: &Program,
    prover: &mut Prover<'_>,
    candidates: impl Iterator<Item = Term>,
) -> Predicates {
    let terms = &program.terms;
    let mut varying = Predicates::new();
    for term in candidates {
        let possible = |prover: &mut Prover<'_>, term| {
            prover.check(context, terms, [program.within(), term]).may_be_satisfiable()
        };
        if possible(prover, term) && possible(prover, terms.not(term)) {
            varying.add(program, term);
        }
    }
    varying
}
