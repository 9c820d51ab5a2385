//! From a solution of the clauses to a condition for each point.

use super::Horn;
use crate::{Entries, Invariants};
use std::collections::BTreeMap;
use tertium_expr::Term;
use tertium_program::{Action, Icfg, PointId};
use tertium_support::Id;

impl Horn {
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
