//! Steps between abstract states as relations between concrete ones.
//!
//! With control fixed before and after, a step of a command is a relation over the other variables: its guard, its updates, and that they
//! lead to the control after. What the abstract states know of predicates can be added.

use std::collections::BTreeMap;
use tertium_abstraction::TriState;
use tertium_program::{CommandId, Precision, Program, Role, Step};
use tertium_ranking::Relation;
use tertium_support::Id;

/// A step of a command between two valuations of the control variables, with its number. Variables are within their domains.
pub(crate) fn relations(
    program: &Program,
    from: &TriState,
    command: CommandId,
    to: &TriState,
) -> Vec<(usize, Relation)> {
    let steps = program.commands()[command.index()].steps.iter().enumerate();
    steps.filter_map(|(number, step)| Some((number, relation(program, from, step, to)?))).collect()
}

fn relation(program: &Program, from: &TriState, step: &Step, to: &TriState) -> Option<Relation> {
    let terms = &program.terms;
    let mut given = vec![from.at_control(program, step.guard)];
    for (variable, value) in controls(program).zip(&to.control) {
        let after = step.updates.get(&variable).copied().unwrap_or_else(|| terms.variable(variable));
        given.push(from.at_control(program, terms.equal(after, terms.value(value))));
    }
    let updates: BTreeMap<_, _> = step
        .updates
        .iter()
        .filter(|&(&variable, _)| !controls(program).any(|own| own == variable))
        .map(|(&variable, &term)| (variable, from.at_control(program, term)))
        .collect();
    let chosen = step.inputs.iter().map(|input| input.variable).collect();
    let mut relation = Relation { given, updates, chosen };
    for own in program.variables().iter().filter(|own| own.role != Role::Control) {
        let inside = own.domain.contains(terms, terms.variable(own.variable));
        relation = relation.from(inside).into(terms, inside);
    }
    relation.given.retain(|&part| terms.as_bool(part) != Some(true));
    let is_possible = relation.given.iter().all(|&part| terms.as_bool(part) != Some(false));
    is_possible.then_some(relation)
}

fn controls(program: &Program) -> impl Iterator<Item = tertium_expr::Variable> + '_ {
    program.control().iter().map(|id| program.variables()[id.index()].variable)
}

/// A relation with what two abstract states know of predicates before and after.
pub(crate) fn between(
    program: &Program,
    precision: &Precision,
    relation: &Relation,
    from: &TriState,
    to: &TriState,
) -> Relation {
    let terms = &program.terms;
    let before = from.literals(program, precision).map(|literal| from.at_control(program, literal));
    let after = to.literals(program, precision).map(|literal| to.at_control(program, literal));
    let all = before.fold(relation.clone(), Relation::from);
    let mut all = after.fold(all, |relation, literal| relation.into(terms, literal));
    all.given.retain(|&part| terms.as_bool(part) != Some(true));
    all
}
