//! Mutual vacuity on explicit systems: the largest sets of parts that can be replaced all at once.
//!
//! Replacing more changes the verdict more easily, also where it becomes open in between, so the sets that leave it are closed downwards.
//! Sets are asked many at a time, each an instance. The formula that is left when vacuous parts are replaced
//! comes from one such set.

use super::AT_ONCE;
use super::vacuity::{ExplicitVacuity, fresh_names, rigid};
use crate::vacuity::{Direction, Findings, MutualFindings, instance, unless};
use rustc_hash::FxHashMap;
use tertium_check::{Further, check_instances};
use tertium_logic::{Formula, PartId, Written, fold_constants};
use tertium_support::maximal_sets::{ElementId, ElementSet, enlarged, maximal_sets};
use tertium_support::{Id, StopReason};
use tertium_truth::Verdict;

impl ExplicitVacuity<'_> {
    /// The largest mutually vacuous sets of the marked parts of a property that is true or false, up to `most` of them.
    pub fn mutual(
        &self,
        written: &Written,
        marked: &[PartId],
        holds: bool,
        most: usize,
    ) -> Result<MutualFindings, StopReason> {
        let mut ask = self.question(written, marked, holds);
        let (sets, complete) = maximal_sets(marked.len(), most, AT_ONCE, &mut ask)?;
        let named =
            |set: ElementSet| set.iter().map(|element| marked[element.index()]).collect::<Vec<PartId>>();
        Ok(MutualFindings::new(holds, marked, sets.into_iter().map(named), complete))
    }

    /// The formula that is left when the vacuous parts are replaced by what could most easily change the verdict, one after the other
    /// as long as it stays the same. Constants are folded.
    pub fn strengthen(&self, written: &Written, findings: &Findings) -> Result<Formula, StopReason> {
        let vacuous = &findings.vacuous;
        let mut ask = self.question(written, vacuous, findings.holds);
        let replaced = enlarged(ElementSet::empty(vacuous.len()), AT_ONCE, &mut ask)?;
        let replaced: Vec<PartId> = replaced.iter().map(|element| vacuous[element.index()]).collect();
        Ok(fold_constants(&instance(written, &replaced, Direction::against(findings.holds))))
    }

    /// Asks whether the verdict stays when sets of the marked parts are replaced by what could most easily change it.
    fn question(
        &self,
        written: &Written,
        marked: &[PartId],
        holds: bool,
    ) -> impl FnMut(&[ElementSet]) -> Result<Vec<bool>, StopReason> {
        let direction = Direction::against(holds);
        let verdict = if holds { Verdict::True } else { Verdict::False };
        let names = fresh_names(written.formula(), marked.len());
        let numbers: FxHashMap<PartId, usize> =
            marked.iter().enumerate().map(|(at, &part)| (part, at)).collect();
        let formula = written.replace(marked, |part, polarity, own| {
            unless(own, Formula::proposition(names[numbers[&part]].clone()), direction, polarity)
        });
        move |sets: &[ElementSet]| {
            let replaced = |at: usize| {
                (0..sets.len()).filter(move |&instance| sets[instance].contains(ElementId::new(at)))
            };
            let further: Vec<Further<'_>> = names
                .iter()
                .enumerate()
                .map(|(at, name)| rigid(name.clone(), sets.len(), replaced(at)))
                .collect();
            let instances = check_instances(self.context, self.prepared, &formula, &further, sets.len())?;
            Ok((0..sets.len()).map(|at| instances.verdict(at) == verdict).collect())
        }
    }
}
