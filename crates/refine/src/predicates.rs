//! Which predicates an abstraction starts with and where, and which candidates are worth adding.

use crate::by_predicates::Question;
use tertium_expr::{BigInt, Term, TermKind, Terms};
use tertium_program::{LiveVariables, LocId, Precision, Program};
use tertium_solve::Prover;
use tertium_support::{Context, Id};

/// What an abstraction starts with: the predicates given, the atoms of the property, which count everywhere, and, if asked, those of the
/// guards, which count where their variables are live: from where they get their values to where the guard reads them. What is the same
/// everywhere is left out.
pub(crate) fn first_precision(
    context: &Context,
    question: &Question<'_>,
    live: &LiveVariables,
    guards: bool,
    prover: &mut Prover<'_>,
) -> Precision {
    let program = question.program;
    let mut precision = question.precision.clone();
    for (_, term) in question.propositions {
        precision.add_atoms(program, *term, LocId::ANYWHERE);
    }
    if guards {
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            let atoms = program.terms.atoms_of(step.guard).into_iter();
            let own = |&atom: &Term| {
                program.terms.variables_of(atom).into_iter().all(|variable| program.id_of(variable).is_some())
            };
            for atom in atoms.filter(own) {
                for location in live.locations(program, atom) {
                    precision.add(program, atom, location);
                }
            }
        }
    }
    let mut varying = Precision::new();
    for (id, &term) in precision.iter().enumerate() {
        if varies(context, program, prover, term) {
            for &location in precision.locations(Id::new(id)) {
                varying.insert(term, location);
            }
        }
    }
    varying
}

/// An equation with a number as the two bounds that it consists of. Bounds carry over from step to step where equations
/// do not: after `y := x + 1`, y is not 0 because x is not -1, and that because y was not -2; but y is above 0 because
/// x is above -1. Remainders have few values, and stay.
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

/// Whether a predicate is not the same everywhere within the domains of variables: otherwise it says nothing.
pub(crate) fn varies(context: &Context, program: &Program, prover: &mut Prover<'_>, term: Term) -> bool {
    let terms = &program.terms;
    let mut possible = |term| prover.check(context, terms, [program.within(), term]).may_be_satisfiable();
    possible(term) && possible(terms.not(term))
}
