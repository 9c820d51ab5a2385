//! VAQUOT: the vacuous parts of a formula in one pass \[Bob09\].
//!
//! The formula is evaluated over the vacuity lattice of the marked parts. That lattice has 2k + 1 join-irreducible elements, and
//! each stands for one classical check: the formula itself, and the formula with one part replaced for the worst or for the best.
//! A lattice-valued set of states is kept as the relation between states and the join-irreducible elements below its value
//! \[Bir37\]: a decision diagram over state bits and ⌈log₂(2k + 1)⌉ rigid ones. There is no limit on k, and
//! parts may overlap, since each is replaced by itself.
//!
//! Codes: 0 is the formula itself; for the part number i, 2i + 1 is the worst replacement and 2i + 2 the best. Codes beyond
//! are further copies of the formula itself.

use super::{Direction, Findings, Property, VacuityChecker};
use tertium_check::symbolic::SymbolicError;
use tertium_dd::Bdd;
use tertium_logic::{Formula, PartId, Polarity, Written};
use tertium_support::StopReason;

impl VacuityChecker<'_, '_> {
    /// The vacuous ones among the marked parts, all at once.
    pub fn vaquot(
        &mut self,
        property: Property,
        written: &Written,
        marked: &[PartId],
    ) -> Result<Findings, SymbolicError> {
        let both = [Direction::Worst, Direction::Best];
        let asked: Vec<(PartId, Direction)> =
            marked.iter().flat_map(|&part| both.map(|direction| (part, direction))).collect();
        let (holds, answers) = self.at_once(property, written, &asked)?;
        let stays = |at: &usize| answers[2 * at] == holds && answers[2 * at + 1] == holds;
        let vacuous = (0..marked.len()).filter(stays).map(|at| marked[at]).collect();
        Ok(Findings { holds, marked: marked.to_vec(), vacuous, runs: 1, witnesses: asked.len() + 1 })
    }

    /// The same with half of the instances, when the verdict is known already: by monotonicity a replacement in the other
    /// direction cannot change it.
    pub fn vaquot_of_known(
        &mut self,
        property: Property,
        written: &Written,
        marked: &[PartId],
        holds: bool,
    ) -> Result<Findings, SymbolicError> {
        let direction = Direction::against(holds);
        let asked: Vec<(PartId, Direction)> = marked.iter().map(|&part| (part, direction)).collect();
        let (again, answers) = self.at_once(property, written, &asked)?;
        debug_assert_eq!(again, holds, "the verdict is the one that was known");
        let vacuous = (0..marked.len()).filter(|&at| answers[at] == holds).map(|at| marked[at]).collect();
        Ok(Findings { holds, marked: marked.to_vec(), vacuous, runs: 1, witnesses: asked.len() + 1 })
    }

    /// Whether the formula holds, and whether it does with each of these replacements.
    fn at_once(
        &mut self,
        property: Property,
        written: &Written,
        asked: &[(PartId, Direction)],
    ) -> Result<(bool, Vec<bool>), SymbolicError> {
        let manager = self.checker.model().manager.clone();
        let n = asked.len() + 1;
        let code = self.rigid.code(&manager, n)?;
        let name = |number: usize| format!("?{number}");
        let further = (1..n)
            .map(|number| Ok((name(number), code.is(&manager, number)?)))
            .collect::<Result<Vec<(String, Bdd)>, StopReason>>()?;
        let mut parts: Vec<PartId> = asked.iter().map(|&(part, _)| part).collect();
        parts.dedup();
        let formula = written.replace(&parts, |part, polarity, own| {
            let numbered = asked.iter().enumerate().filter(|(_, (of, _))| *of == part);
            numbered.fold(own, |formula, (at, (_, direction))| {
                unless(formula, Formula::proposition(name(at + 1)), *direction, polarity)
            })
        });
        let result = self.instances(property, &formula, &further)?;
        let code = self.rigid.code(&manager, n)?;
        Ok((code.at(&result, 0), (1..n).map(|number| code.at(&result, number)).collect()))
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
