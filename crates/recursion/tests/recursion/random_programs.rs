//! Random programs with procedures over few values: nested, mutual and ever-deeper calls.

use std::collections::BTreeMap;
use tertium_expr::{BigInt, Term, Terms, Variable};
use tertium_program::{Action, Call, Domain, Icfg, Input, PointId, ProcedureId, Step};
use tertium_support::{Rng, Span};

const NOWHERE: Span = Span { start: 0, end: 0 };

/// A random program. Each call has a return point of its own.
pub(crate) fn random_program(rng: &mut Rng) -> Icfg {
    let mut icfg = Icfg::new(Terms::new());
    let size = rng.between(2, 3);
    let domain = Domain::Range(BigInt::from(0), BigInt::from(size - 1));
    if rng.chance(0.6) {
        icfg.add_global("g", domain.clone(), NOWHERE);
    }
    let n = rng.between(2, 4);
    let procedures: Vec<ProcedureId> =
        (0..n).map(|index| icfg.add_procedure(&format!("f{index}"), NOWHERE)).collect();
    for (index, &procedure) in procedures.iter().enumerate() {
        for name in ["x", "y"].into_iter().take(rng.between(1, 2)) {
            icfg.add_variable(procedure, name, domain.clone(), NOWHERE);
        }
        let variables = icfg.procedure(procedure).variables.clone();
        if index > 0 {
            variables.iter().take(rng.between(0, 2)).for_each(|&formal| icfg.add_formal(procedure, formal));
            if rng.chance(0.7) {
                icfg.add_result(procedure, *rng.pick(&variables));
            }
        }
    }
    for &procedure in &procedures {
        add_body(rng, &mut icfg, procedure, &procedures, size);
    }
    if rng.chance(0.3) {
        let first = icfg.in_scope(icfg.main).next().expect("main has a variable");
        icfg.initial = icfg.terms.equal(icfg.terms.variable(first), icfg.terms.integer(0));
    }
    icfg
}

fn add_body(rng: &mut Rng, icfg: &mut Icfg, procedure: ProcedureId, procedures: &[ProcedureId], size: usize) {
    let (entry, exit) = (icfg.procedure(procedure).entry, icfg.procedure(procedure).exit);
    let mut points = vec![entry];
    points.extend((0..rng.between(1, 3)).map(|_| icfg.add_point(procedure, NOWHERE)));
    // A spine, so that most exits can be reached, with branches.
    for index in 0..points.len() {
        let source = points[index];
        let next = points.get(index + 1).copied().unwrap_or(exit);
        add_edge(rng, icfg, source, next, procedures, size);
        for _ in 0..rng.below(2) {
            let target = if rng.chance(0.3) { exit } else { *rng.pick(&points) };
            add_edge(rng, icfg, source, target, procedures, size);
        }
    }
}

fn add_edge(
    rng: &mut Rng,
    icfg: &mut Icfg,
    source: PointId,
    target: PointId,
    procedures: &[ProcedureId],
    size: usize,
) {
    let owner = icfg.point(source).procedure;
    let scope: Vec<Variable> = icfg.in_scope(owner).collect();
    if rng.chance(0.4) {
        let callee = procedures[rng.between(1, procedures.len() - 1)];
        let (n_formals, n_results) =
            (icfg.procedure(callee).formals.len(), icfg.procedure(callee).results.len());
        let arguments = (0..n_formals).map(|_| random_value(rng, icfg, &scope, size)).collect();
        let results = (0..n_results).map(|_| rng.chance(0.8).then(|| *rng.pick(&scope))).collect();
        let back = icfg.add_point(owner, NOWHERE);
        icfg.add_edge(source, back, Action::Call(Call { callee, arguments, results }), true, NOWHERE);
        let guard = random_guard(rng, icfg, &scope, size);
        let step = Step { guard, inputs: Vec::new(), updates: BTreeMap::new() };
        icfg.add_edge(back, target, Action::Step(step), true, NOWHERE);
        return;
    }
    let mut step =
        Step { guard: random_guard(rng, icfg, &scope, size), inputs: Vec::new(), updates: BTreeMap::new() };
    if rng.chance(0.6) {
        let variable = *rng.pick(&scope);
        let mut value = random_value(rng, icfg, &scope, size);
        if rng.chance(0.2) {
            let domain = Domain::Range(BigInt::from(0), BigInt::from(size - 1));
            let input = icfg.terms.fresh("in", &domain.sort());
            value = icfg.terms.variable(input);
            step.guard = icfg.terms.and([step.guard, domain.contains(&icfg.terms, value)]);
            step.inputs.push(Input { variable: input, domain });
        }
        step.updates.insert(variable, value);
    }
    icfg.add_edge(source, target, Action::Step(step), true, NOWHERE);
}

/// A value in the domain.
fn random_value(rng: &mut Rng, icfg: &Icfg, scope: &[Variable], size: usize) -> Term {
    let terms = &icfg.terms;
    let variable = terms.variable(*rng.pick(scope));
    match rng.below(3) {
        0 => terms.integer(rng.below(size)),
        1 => variable,
        _ => terms.modulo(terms.sum([variable, terms.integer(1)]), size),
    }
}

fn random_guard(rng: &mut Rng, icfg: &Icfg, scope: &[Variable], size: usize) -> Term {
    let terms = &icfg.terms;
    let variable = terms.variable(*rng.pick(scope));
    match rng.below(5) {
        0 | 1 => terms.boolean(true),
        2 => terms.equal(variable, terms.integer(rng.below(size))),
        3 => terms.not(terms.equal(variable, terms.integer(rng.below(size)))),
        _ => terms.equal(variable, terms.variable(*rng.pick(scope))),
    }
}
