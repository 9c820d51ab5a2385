//! From a solution of the clauses to a condition for each point.

use super::blocks::variables;
use super::{Clause, Horn};
use crate::{Entries, Invariants};
use std::collections::BTreeMap;
use tertium_expr::{Substitution, Term, Variable};
use tertium_program::{Action, Icfg, PointId};
use tertium_support::Id;

/// The most comparisons that are looked at to eliminate what is chosen in a clause.
const MOST_ELIMINATED: usize = 256;

impl Horn {
    /// Finds conditions for relations that have none: what the clauses need that they are in the body of. Where that cannot be said
    /// without quantifiers, it is the part that is known.
    pub(crate) fn recover(
        &self,
        icfg: &Icfg,
        found: &mut BTreeMap<usize, Term>,
        parts: &BTreeMap<usize, Term>,
    ) {
        let is_target = |number: usize| self.targets.contains(&self.relations[number].point);
        let all = self.of_point.values().copied().filter(|&number| !is_target(number));
        let mut lost: Vec<usize> = all.filter(|number| !found.contains_key(number)).collect();
        loop {
            let n_before = lost.len();
            lost.retain(|&number| match self.needed(icfg, number, found) {
                Some(condition) => {
                    found.insert(number, condition);
                    false
                }
                None => true,
            });
            if lost.len() < n_before {
                continue;
            }
            let Some(at) = lost.iter().position(|number| parts.contains_key(number)) else { return };
            let number = lost.swap_remove(at);
            found.insert(number, parts[&number]);
        }
    }

    /// What clauses need of a relation, where all others in them have conditions.
    fn needed(&self, icfg: &Icfg, relation: usize, found: &BTreeMap<usize, Term>) -> Option<Term> {
        let has_it = |clause: &&Clause| clause.body.iter().any(|own| own.relation == relation);
        let parts = self.clauses.iter().filter(has_it);
        let parts: Option<Vec<Term>> = parts.map(|own| self.needed_by(icfg, own, relation, found)).collect();
        Some(icfg.terms.and(parts?))
    }

    fn needed_by(
        &self,
        icfg: &Icfg,
        clause: &Clause,
        relation: usize,
        found: &BTreeMap<usize, Term>,
    ) -> Option<Term> {
        let terms = &icfg.terms;
        let arguments = &self.relations[relation].arguments;
        let (own, others): (Vec<_>, Vec<_>) = clause.body.iter().partition(|one| one.relation == relation);
        let is_plain = own.len() == 1
            && own[0].values.iter().zip(arguments).all(|(&value, &own)| value == terms.variable(own));
        is_plain.then_some(())?;
        let said = |relation: usize, values: &[Term]| {
            if self.targets.contains(&self.relations[relation].point) {
                return Some(terms.boolean(false));
            }
            let arguments = self.relations[relation].arguments.iter().copied();
            let mut values = Substitution::new(arguments.zip(values.iter().copied()));
            Some(values.apply(terms, *found.get(&relation)?))
        };
        let mut fails = vec![clause.condition];
        for other in others {
            fails.push(said(other.relation, &other.values)?);
        }
        if let Some(head) = &clause.head {
            fails.push(terms.not(said(head.relation, &head.values)?));
        }
        let chosen = variables(terms, clause).into_iter();
        let chosen: Vec<Variable> = chosen.filter(|variable| !arguments.contains(variable)).collect();
        Some(terms.not(terms.eliminate_all(chosen, terms.and(fails), MOST_ELIMINATED)?))
    }

    /// Conditions for all points, from those for the relations, by number, over their arguments. A relation without one may have any
    /// states. At points without relation, what holds is what the points after it need.
    pub fn completed(&self, icfg: &Icfg, entries: &Entries, found: &BTreeMap<usize, Term>) -> Invariants {
        let terms = &icfg.terms;
        let mut invariants = Invariants::default();
        for (&point, &relation) in &self.of_point {
            let condition = match found.get(&relation) {
                _ if self.targets.contains(&point) => terms.boolean(false),
                Some(&condition) => condition,
                None => terms.boolean(true),
            };
            let procedure = icfg.point(point).procedure;
            let unchanged = self.relations[relation].unchanged.iter().chain(&self.kept[procedure.index()]);
            let same = unchanged.filter_map(|&own| {
                Some(terms.equal(terms.variable(own), terms.variable(entries.ghost(own)?)))
            });
            invariants.at.insert(point, terms.and(same.chain([condition]).collect::<Vec<_>>()));
        }
        for &target in &self.targets {
            invariants.at.insert(target, terms.boolean(false));
        }
        self.inside.iter().for_each(|&point| complete(icfg, &mut invariants, point));
        invariants
    }
}

/// What the points after a point need. All that it needs is completed before; taken-out points are on no cycle of such.
fn complete(icfg: &Icfg, invariants: &mut Invariants, point: PointId) {
    let mut open = vec![point];
    while let Some(&last) = open.last() {
        if invariants.at.contains_key(&last) {
            open.pop();
            continue;
        }
        let leaving = icfg.point(last).leaving.iter().map(|&edge| icfg.edge(edge));
        let missing: Vec<PointId> = leaving
            .clone()
            .map(|edge| edge.target)
            .filter(|target| !invariants.at.contains_key(target))
            .collect();
        if !missing.is_empty() {
            debug_assert!(!missing.contains(&last), "what is taken out has no loop");
            open.extend(missing);
            continue;
        }
        let needs = leaving.filter_map(|edge| match &edge.action {
            Action::Step(step) => {
                let after = step.after(&icfg.terms, invariants.get(icfg, edge.target));
                Some(icfg.terms.implies(step.guard, after))
            }
            Action::Call(_) => None,
        });
        let needs = icfg.terms.and(needs.collect::<Vec<_>>());
        invariants.at.insert(last, needs);
        open.pop();
    }
}
