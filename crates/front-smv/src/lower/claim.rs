//! Specifications that speak of single states, as terms: an invariant, `AG` of a formula without temporal operators, `G` of one.
//!
//! Fairness only takes paths away, so what holds in all reachable states holds on all fair paths. Propositions of linear time may read
//! inputs; the claim is then one about all inputs of their types, which is more than is asked.

use super::Lowered;
use crate::{Specification, SpecificationKind};
use std::collections::BTreeMap;
use tertium_program::{Predicate, branching_claim, linear_claim, state_claim};

impl Lowered<'_> {
    /// What a specification claims of every reachable state: it holds if this does. Nothing if the specification is of another form.
    pub fn claim(&self, specification: &Specification) -> Option<Predicate> {
        if !matches!(
            specification.kind,
            SpecificationKind::Invariant(_) | SpecificationKind::Ctl(_) | SpecificationKind::Ltl(_)
        ) {
            return None;
        }
        let mut atoms: BTreeMap<&str, Predicate> = BTreeMap::new();
        for atom in &specification.atoms {
            let predicate = self.atom(&atom.expr);
            atoms.insert(&atom.name, predicate);
        }
        let terms = self.terms();
        let meaning = |name: &str| atoms.get(name).map(|atom| atom.holds);
        let holds = match &specification.kind {
            SpecificationKind::Invariant(formula) => state_claim(terms, formula, &meaning),
            SpecificationKind::Ctl(formula) => branching_claim(terms, formula, &meaning),
            SpecificationKind::Ltl(formula) => linear_claim(terms, formula, &meaning),
            SpecificationKind::ComputeMinimum(..) | SpecificationKind::ComputeMaximum(..) => None,
        };
        // Every proposition needs a meaning wherever it may be read.
        let fault = terms.or(atoms.values().map(|atom| atom.fault));
        holds.map(|holds| Predicate { holds, fault })
    }
}
