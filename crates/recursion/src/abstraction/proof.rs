//! What an exploration proves of each point.

use super::cubes::{Cube, any_of};
use super::edges::EdgeSites;
use super::explore::Exploration;
use super::scopes::Scopes;
use crate::Invariants;
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Term, Variable};
use tertium_program::PointId;

/// The nodes at each point, as conditions; inductive if the exploration is complete.
pub(crate) fn invariants(scopes: &Scopes<'_>, sites: &EdgeSites, found: &Exploration) -> Invariants {
    let terms = scopes.terms();
    let mut cubes: BTreeMap<PointId, Vec<Cube>> = BTreeMap::new();
    for node in &found.nodes {
        let begun = &found.activations[tertium_support::Id::index(node.activation)].entry;
        let both = begun.iter().chain(&node.cube).copied().collect();
        cubes.entry(node.point).or_default().push(both);
    }
    let mut said: BTreeSet<Variable> = BTreeSet::new();
    let mut seen: BTreeSet<Term> = BTreeSet::new();
    for point in cubes.keys() {
        for &term in sites.at(*point) {
            if seen.insert(term) {
                said.extend(terms.variables_of(term));
            }
        }
    }
    let ghosts = said.clone().into_iter().filter_map(|variable| scopes.entries.original(variable));
    said.extend(ghosts);
    let condition = |(point, cubes): (PointId, Vec<Cube>)| {
        let procedure = scopes.procedure_of(point);
        let begun = sites.begun(scopes.icfg, procedure).iter().map(|&term| scopes.at_entry(procedure, term));
        let predicates: Vec<Term> = begun.chain(sites.at(point).iter().copied()).collect();
        let any = any_of(terms, &predicates, &cubes);
        (point, terms.and(scopes.frame(point, &said).into_iter().chain([any])))
    };
    Invariants { at: cubes.into_iter().map(condition).collect() }
}
