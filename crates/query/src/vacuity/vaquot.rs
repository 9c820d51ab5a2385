//! VAQUOT: the vacuous parts of a formula in one pass \[Bob09\].
//!
//! The formula is evaluated over the vacuity lattice of the marked parts. That lattice has 2k + 1 join-irreducible elements, and
//! each stands for one classical check: the formula itself, and the formula with one part replaced for the worst or for the best.
//! A lattice-valued set of states is kept as the set for the formula itself and those for the replacements that
//! differ from it. There is no limit on k, and parts may overlap, since each is replaced by itself.
//!
//! The formula itself comes first: then by monotonicity a replacement in the direction of its verdict cannot change
//! it, so half of the elements are decided, and the pass is about the others.

use super::{Direction, Findings, Property, VacuityChecker};
use rustc_hash::FxHashMap;
use tertium_check::symbolic::SymbolicError;
use tertium_logic::{Formula, PartId, Polarity, Written};

impl VacuityChecker<'_, '_> {
    /// The vacuous ones among the marked parts, all at once.
    pub fn vaquot(
        &mut self,
        property: Property,
        written: &Written,
        marked: &[PartId],
    ) -> Result<Findings, SymbolicError> {
        let (holds, _) = self.with_each(property, written.formula(), &[])?;
        let found = self.vaquot_of_known(property, written, marked, holds)?;
        // What was not evaluated is decided as well.
        Ok(Findings { witnesses: 2 * marked.len() + 1, ..found })
    }

    /// The same when the verdict is known already.
    pub fn vaquot_of_known(
        &mut self,
        property: Property,
        written: &Written,
        marked: &[PartId],
        holds: bool,
    ) -> Result<Findings, SymbolicError> {
        let direction = Direction::against(holds);
        let switches: Vec<String> = (0..marked.len()).map(|number| format!("?{number}")).collect();
        let number: FxHashMap<PartId, usize> = marked.iter().copied().zip(0..).collect();
        let formula = written.replace(marked, |part, polarity, own| {
            let switch = Formula::proposition(switches[number[&part]].clone());
            unless(own, switch, direction, polarity)
        });
        let (again, answers) = self.with_each(property, &formula, &switches)?;
        debug_assert_eq!(again, holds, "the verdict is the one that was known");
        debug_assert_eq!(answers.len(), marked.len(), "every marked part has an answer");
        let vacuous = (0..marked.len()).filter(|&at| answers[at] == holds).map(|at| marked[at]).collect();
        Ok(Findings { holds, marked: marked.to_vec(), vacuous, runs: 1, witnesses: marked.len() + 1 })
    }

    fn with_each(
        &mut self,
        property: Property,
        formula: &Formula,
        switches: &[String],
    ) -> Result<(bool, Vec<bool>), SymbolicError> {
        match property {
            Property::Ctl => self.checker.holds_with_each(formula, switches),
            Property::Invariant => self.checker.invariant_holds_with_each(formula, switches),
        }
    }
}

/// The formula, but where `instance` holds the constant that stands for the direction.
pub(crate) fn unless(
    formula: Formula,
    instance: Formula,
    direction: Direction,
    polarity: Polarity,
) -> Formula {
    if (direction == Direction::Best) == (polarity == Polarity::Positive) {
        Formula::any(vec![formula, instance])
    } else {
        Formula::all(vec![formula, instance.negated()])
    }
}
