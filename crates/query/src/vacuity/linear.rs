//! Vacuity of formulas of linear time: which of their parts do not matter.
//!
//! A formula holds in a model iff all fair paths from initial states satisfy it. On every single path its truth is monotone in a part
//! of pure polarity, so the verdict is, too, and two replacements decide as for branching time \[KV03\]. A true formula is
//! challenged by the strongest replacement: if all paths satisfy even that, they satisfy every other. A false one is challenged by the
//! weakest, which is not the strongest one of its negation: that the formula is false means that some path violates it, not
//! that all do. If some path violates even the weakest replacement, that path violates every other.
//!
//! There is no evaluation of many instances at once here: each is checked by a tableau of its own. The checker remembers obligations
//! that it has decided, so only those that a replacement changes are looked at. Atoms come first and settle most of the parts around
//! them; see `largest`.

use super::largest::largest_parts;
use super::{Direction, Findings, MutualFindings, instance, strengthened};
use tertium_check::symbolic::{SymbolicChecker, SymbolicError};
use tertium_logic::{Ltl, PartId, Syntax, Written};
use tertium_support::Id;
use tertium_support::maximal_sets::{ElementSet, maximal_sets};

/// Asks one model about the parts of formulas of linear time.
#[derive(Debug)]
pub struct LinearVacuity<'c, 'm> {
    checker: &'c mut SymbolicChecker<'m>,
}

impl<'c, 'm> LinearVacuity<'c, 'm> {
    /// Asks this checker.
    pub fn new(checker: &'c mut SymbolicChecker<'m>) -> Self {
        Self { checker }
    }

    /// The vacuous ones among the marked parts, by checking the formula and both replacements of each.
    pub fn naive(&mut self, written: &Written<Ltl>, marked: &[PartId]) -> Result<Findings, SymbolicError> {
        let holds = self.holds(written.formula())?;
        let mut vacuous = Vec::new();
        for &part in marked {
            let worst = self.holds(&instance(written, &[part], Direction::Worst))?;
            let best = self.holds(&instance(written, &[part], Direction::Best))?;
            if worst == holds && best == holds {
                vacuous.push(part);
            }
        }
        let witnesses = 2 * marked.len() + 1;
        Ok(Findings { holds, marked: marked.to_vec(), vacuous, runs: witnesses, witnesses })
    }

    /// The same, where only the replacement is checked that can change the verdict.
    pub fn one_sided(
        &mut self,
        written: &Written<Ltl>,
        marked: &[PartId],
    ) -> Result<Findings, SymbolicError> {
        let holds = self.holds(written.formula())?;
        let mut vacuous = Vec::new();
        for &part in marked {
            if self.holds(&instance(written, &[part], Direction::against(holds)))? == holds {
                vacuous.push(part);
            }
        }
        let (runs, witnesses) = (marked.len() + 1, 2 * marked.len() + 1);
        Ok(Findings { holds, marked: marked.to_vec(), vacuous, runs, witnesses })
    }

    /// The vacuous parts that are in no other vacuous part. The whole is looked at only if it is an atom.
    pub fn refine(&mut self, written: &Written<Ltl>) -> Result<Findings, SymbolicError> {
        let holds = self.holds(written.formula())?;
        let found = largest_parts(written, holds, |changed| decide(self.checker, &changed).map(Some))?;
        Ok(Findings {
            holds,
            marked: written.questions().collect(),
            vacuous: found.vacuous,
            runs: found.n_decided + 1,
            witnesses: 2 * found.n_decided + 1,
        })
    }

    /// The largest sets of the marked parts that can be replaced all at once, up to `most` of them.
    pub fn mutual(
        &mut self,
        written: &Written<Ltl>,
        marked: &[PartId],
        most: usize,
    ) -> Result<MutualFindings, SymbolicError> {
        let holds = self.holds(written.formula())?;
        let direction = Direction::against(holds);
        let (mut inside, mut outside): (Vec<ElementSet>, Vec<ElementSet>) = (Vec::new(), Vec::new());
        let named =
            |set: &ElementSet| set.iter().map(|element| marked[element.index()]).collect::<Vec<PartId>>();
        let mut stays = |set: &ElementSet| {
            // Replacing more changes the verdict more easily.
            if inside.iter().any(|larger| set.is_subset(larger)) {
                return Ok(true);
            }
            if outside.iter().any(|smaller| smaller.is_subset(set)) {
                return Ok(false);
            }
            let stays = self.holds(&instance(written, &named(set), direction))? == holds;
            if stays { &mut inside } else { &mut outside }.push(set.clone());
            Ok::<bool, SymbolicError>(stays)
        };
        let ask = |sets: &[ElementSet]| sets.iter().map(&mut stays).collect();
        let (sets, complete) = maximal_sets(marked.len(), most, 1, ask)?;
        Ok(MutualFindings::new(holds, marked, sets.iter().map(named), complete))
    }

    /// What is left when the vacuous parts are replaced; see [`super::VacuityChecker::strengthen`].
    pub fn strengthen(
        &mut self,
        written: &Written<Ltl>,
        findings: &Findings,
    ) -> Result<(Ltl, Vec<PartId>), SymbolicError> {
        strengthened(written, findings, |formula| decide(self.checker, formula))
    }

    fn holds(&mut self, formula: &Ltl) -> Result<bool, SymbolicError> {
        decide(self.checker, formula)
    }
}

/// Whether the model has the property, without its superfluous constants.
fn decide(checker: &mut SymbolicChecker<'_>, formula: &Ltl) -> Result<bool, SymbolicError> {
    checker.decide_ltl(&formula.folded())
}
