//! Predicates that split an abstract state by whether a step exists.

use crate::program_abstraction::ProgramAbstraction;
use tertium_abstraction::TriState;
use tertium_expr::Term;
use tertium_program::{CommandId, Program};
use tertium_support::{Context, Id};
use tertium_truth::Kleene;

/// The atoms of the condition under which a command leads from `source` to `target`, as far as they are open at the source.
pub(crate) fn split<'p>(
    context: &Context,
    program: &Program,
    seen: &mut impl ProgramAbstraction<'p>,
    source: &TriState,
    commands: &[CommandId],
    target: &TriState,
) -> Vec<Term> {
    let terms = &program.terms;
    let eta = target.term(program, seen.precision());
    let mut open = Vec::new();
    for &command in commands {
        for step in &program.commands()[command.index()].steps {
            let reaches = terms.not(step.pre(terms, terms.not(eta)));
            let reaches = source.at_control(program, reaches);
            for atom in terms.atoms_of(reaches) {
                if !open.contains(&atom) && seen.value(context, source, atom) == Kleene::Unknown {
                    open.push(atom);
                }
            }
        }
    }
    open
}
