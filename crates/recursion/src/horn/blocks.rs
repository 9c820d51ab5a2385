//! Points taken out of the clauses: what leads to them is put together with what leaves from them.

use super::{Application, Clause, Horn};
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Substitution, Term, Terms, Variable};
use tertium_program::{Action, Icfg, PointId};

/// A condition that is longer than this is not made.
const LONGEST: usize = 400;

impl Horn {
    /// Takes out all points where that makes no more clauses than there were, or hardly more.
    pub(super) fn enlarge(&mut self, icfg: &Icfg) {
        let mut clauses: Vec<Option<Clause>> =
            std::mem::take(&mut self.clauses).into_iter().map(Some).collect();
        // By relation: the clauses that it is the head of, and those where it is the first of the body.
        let mut heads: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.relations.len()];
        let mut bodies = heads.clone();
        for (number, clause) in clauses.iter().enumerate() {
            note(&mut heads, &mut bodies, number, clause.as_ref().expect("all are there"));
        }
        let candidates: Vec<PointId> =
            self.of_point.keys().copied().filter(|&point| is_plain(icfg, point)).collect();
        // What was too long or too many at first may be neither once others are gone, and the other way round: one round is enough.
        for point in candidates {
            let relation = self.of_point[&point];
            let (before, after) = (heads[relation].clone(), bodies[relation].clone());
            let (n_before, n_after) = (before.len(), after.len());
            if before.intersection(&after).next().is_some()
                || n_before * n_after > (n_before + n_after).max(4)
            {
                continue;
            }
            let arguments = self.relations[relation].arguments.clone();
            let get = |number: usize| clauses[number].as_ref().expect("it is listed");
            let pairs = before.iter().flat_map(|&first| after.iter().map(move |&second| (first, second)));
            let joined: Option<Vec<Clause>> = pairs
                .map(|(first, second)| joined(&icfg.terms, &arguments, get(first), get(second), LONGEST))
                .collect();
            let Some(joined) = joined else { continue };
            for &old in before.iter().chain(&after) {
                if let Some(clause) = clauses[old].take() {
                    forget(&mut heads, &mut bodies, old, &clause);
                }
            }
            for clause in joined {
                if icfg.terms.as_bool(clause.condition) != Some(false) {
                    note(&mut heads, &mut bodies, clauses.len(), &clause);
                    clauses.push(Some(clause));
                }
            }
            self.of_point.remove(&point);
            self.inside.push(point);
        }
        self.clauses = clauses.into_iter().flatten().collect();
    }
}

/// Whether what is true of a point follows backwards, without quantifiers, from what is true after it.
fn is_plain(icfg: &Icfg, point: PointId) -> bool {
    let of = icfg.point(point);
    let procedure = icfg.procedure(of.procedure);
    let is_end = point == procedure.entry || point == procedure.exit;
    let has_inputs = of.leaving.iter().any(|&edge| match &icfg.edge(edge).action {
        Action::Step(step) => !step.inputs.is_empty(),
        Action::Call(_) => true,
    });
    !is_end && !has_inputs && !of.is_loop_head
}

fn note(heads: &mut [BTreeSet<usize>], bodies: &mut [BTreeSet<usize>], number: usize, clause: &Clause) {
    if let Some(head) = &clause.head {
        heads[head.relation].insert(number);
    }
    if let Some(first) = clause.body.first() {
        bodies[first.relation].insert(number);
    }
}

fn forget(heads: &mut [BTreeSet<usize>], bodies: &mut [BTreeSet<usize>], number: usize, clause: &Clause) {
    if let Some(head) = &clause.head {
        heads[head.relation].remove(&number);
    }
    if let Some(first) = clause.body.first() {
        bodies[first.relation].remove(&number);
    }
}

/// Two clauses as one, where the head of the first is the first relation of the second's body, which has these arguments. Nothing if
/// that is too long.
pub(super) fn joined(
    terms: &Terms,
    arguments: &[Variable],
    first: &Clause,
    second: &Clause,
    longest: usize,
) -> Option<Clause> {
    let head = first.head.as_ref().expect("it is the head of the first");
    let known: BTreeMap<Variable, Term> =
        arguments.iter().copied().zip(head.values.iter().copied()).collect();
    let of_first = variables(terms, first);
    let mut renaming = Substitution::new(known.iter().map(|(&own, &value)| (own, value)));
    for variable in variables(terms, second) {
        if !known.contains_key(&variable) && of_first.contains(&variable) {
            let fresh = terms.fresh(&terms.name(variable), &terms.sort_of(variable));
            renaming.insert(variable, terms.variable(fresh));
        }
    }
    let mut apply = |term| renaming.apply(terms, term);
    let condition = terms.and([first.condition, apply(second.condition)]);
    let mut moved = |application: &Application| Application {
        relation: application.relation,
        values: application.values.iter().map(|&value| apply(value)).collect(),
    };
    let body: Vec<Application> =
        first.body.iter().cloned().chain(second.body[1..].iter().map(&mut moved)).collect();
    let head = second.head.as_ref().map(moved);
    let clause = Clause { body, condition, head, note: notes(&first.note, &second.note) };
    let applications = clause.body.iter().chain(&clause.head).flat_map(|application| &application.values);
    let length = applications
        .chain([&clause.condition])
        .fold(0usize, |sum, &term| sum.saturating_add(terms.length_of(term, &|_| 1)));
    (length <= longest).then_some(clause)
}

/// What happens first, and then; what is between gets lost where it is much.
fn notes(first: &str, second: &str) -> String {
    let (begins, ends) = (first.split("; ").next(), second.split("; ").last());
    match (begins, ends) {
        (Some(begins), Some(ends)) if first.len() + second.len() > LONGEST => {
            format!("{begins}; ...; {ends}")
        }
        _ => format!("{first}; {second}"),
    }
}

/// The variables of a clause.
pub(super) fn variables(terms: &Terms, clause: &Clause) -> BTreeSet<Variable> {
    let applications = clause.body.iter().chain(&clause.head).flat_map(|application| &application.values);
    applications.chain([&clause.condition]).flat_map(|&term| terms.variables_of(term)).collect()
}
