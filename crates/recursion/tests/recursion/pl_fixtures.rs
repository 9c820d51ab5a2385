//! PL texts as finite programs, with their states by label and values.

use std::collections::BTreeSet;
use tertium_expr::Value;
use tertium_program::{Icfg, PointId, ProcedureId, pl};
use tertium_recursion::demand::Summary;
use tertium_recursion::finite::FiniteProgram;
use tertium_support::{Context, Id, Source};

pub(crate) const EX0: &str = include_str!("fixtures/ex0.pl");
pub(crate) const EX1: &str = include_str!("fixtures/ex1.pl");
pub(crate) const NESTED: &str = include_str!("fixtures/nested.pl");
pub(crate) const ACK: &str = include_str!("fixtures/ack.pl");
pub(crate) const SHIFT: &str = include_str!("fixtures/shift.pl");
pub(crate) const QUICKSORT: &str = include_str!("fixtures/quicksort.pl");

pub(crate) fn read(text: &str) -> Icfg {
    pl::read(&Context::default(), &Source::new("fixture.pl", text)).expect("the fixture is right")
}

pub(crate) fn finite(icfg: &Icfg) -> FiniteProgram<'_> {
    FiniteProgram::new(&Context::default(), icfg).expect("the fixture is finite")
}

pub(crate) fn point(icfg: &Icfg, label: &str) -> PointId {
    icfg.labels[label][0]
}

/// The procedure of this name.
pub(crate) fn procedure(icfg: &Icfg, name: &str) -> ProcedureId {
    let index = icfg.procedures().iter().position(|procedure| procedure.name == name);
    ProcedureId::new(index.expect("there is such a procedure"))
}

/// The value of a variable in a state.
pub(crate) fn value(program: &FiniteProgram<'_>, state: usize, name: &str) -> i64 {
    let owner = program.icfg().point(program.point(state)).procedure;
    let mut scope = program.icfg().in_scope(owner);
    let variable = scope.find(|&variable| program.icfg().cell(variable).is_some_and(|own| own.name == name));
    match program.value(state, variable.expect("the variable is in scope")) {
        Some(Value::Int(number)) => i64::try_from(number).expect("the number is small"),
        _ => panic!("an integer is expected"),
    }
}

/// The values of some variables in the states at a point that are in a set.
pub(crate) fn values(
    program: &FiniteProgram<'_>,
    at: PointId,
    names: &[&str],
    contains: impl Fn(usize) -> bool,
) -> BTreeSet<Vec<i64>> {
    let states = program.states_at(at).filter(|&state| contains(state));
    states.map(|state| names.iter().map(|name| value(program, state, name)).collect()).collect()
}

/// The values of a formal and of a result in the summaries of a procedure.
pub(crate) fn inputs_and_outputs(
    program: &FiniteProgram<'_>,
    of: &str,
    formal: &str,
    result: &str,
    summaries: &[Summary],
) -> BTreeSet<(i64, i64)> {
    let own = summaries.iter().filter(|summary| summary.procedure == procedure(program.icfg(), of));
    own.map(|summary| {
        let exit = summary.exits[0].index();
        (value(program, summary.entry.index(), formal), value(program, exit, result))
    })
    .collect()
}
