//! Vacuity as it is defined: one check for every replacement \[KV03\].
//!
//! With k marked parts these are 2k + 1 formulas, each checked by itself. This is the oracle and the baseline; only the reachable
//! and the fair states are shared.

use super::{Direction, Findings, Property, VacuityChecker, instance};
use tertium_check::symbolic::SymbolicError;
use tertium_logic::{PartId, Written};

impl VacuityChecker<'_, '_> {
    /// The vacuous ones among the marked parts, replacement by replacement.
    pub fn naive(
        &mut self,
        property: Property,
        written: &Written,
        marked: &[PartId],
    ) -> Result<Findings, SymbolicError> {
        let holds = self.holds(property, written.formula())?;
        let mut vacuous = Vec::new();
        for &part in marked {
            let worst = self.holds(property, &instance(written, &[part], Direction::Worst))?;
            let best = self.holds(property, &instance(written, &[part], Direction::Best))?;
            if worst == holds && best == holds {
                vacuous.push(part);
            }
        }
        let witnesses = 2 * marked.len() + 1;
        Ok(Findings { holds, marked: marked.to_vec(), vacuous, runs: witnesses, witnesses })
    }
}
