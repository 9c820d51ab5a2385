//! Vacuity as it is defined: one check for every replacement \[KV03\].
//!
//! With k marked parts these are 2k + 1 formulas, each checked by itself. This is the oracle and the baseline; only the reachable
//! and the fair states are shared. As a harder baseline there is the same with the sets of all sub-formulas kept from one check to
//! the next.

use super::{Direction, Findings, Property, VacuityChecker, instance};
use tertium_check::symbolic::SymbolicError;
use tertium_logic::{Formula, PartId, Written};

impl VacuityChecker<'_, '_> {
    /// The vacuous ones among the marked parts, replacement by replacement.
    pub fn naive(
        &mut self,
        property: Property,
        written: &Written,
        marked: &[PartId],
    ) -> Result<Findings, SymbolicError> {
        self.one_by_one(written, marked, |vacuity, formula| {
            vacuity.checker.forget_formulas();
            vacuity.holds(property, formula)
        })
    }

    /// The same; equal sub-formulas of different checks are evaluated once.
    pub fn naive_with_kept_sets(
        &mut self,
        property: Property,
        written: &Written,
        marked: &[PartId],
    ) -> Result<Findings, SymbolicError> {
        self.one_by_one(written, marked, |vacuity, formula| vacuity.holds(property, formula))
    }

    fn one_by_one(
        &mut self,
        written: &Written,
        marked: &[PartId],
        mut check: impl FnMut(&mut Self, &Formula) -> Result<bool, SymbolicError>,
    ) -> Result<Findings, SymbolicError> {
        let holds = check(self, written.formula())?;
        let mut vacuous = Vec::new();
        for &part in marked {
            let worst = check(self, &instance(written, &[part], Direction::Worst))?;
            let best = check(self, &instance(written, &[part], Direction::Best))?;
            if worst == holds && best == holds {
                vacuous.push(part);
            }
        }
        let witnesses = 2 * marked.len() + 1;
        Ok(Findings { holds, marked: marked.to_vec(), vacuous, runs: witnesses, witnesses })
    }
}
