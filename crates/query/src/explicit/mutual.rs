//! Mutual vacuity on explicit systems: the largest sets of parts that can be replaced all at once.
//!
//! Replacing more changes the verdict more easily, also where it becomes open in between, so the sets that leave it are closed downwards.
//! Sets are asked many at a time, each an instance.

use super::border::{Set, largest_sets};
use super::vacuity::{ExplicitVacuity, fresh_names, rigid};
use crate::vacuity::{Direction, MutualFindings, unless};
use tertium_check::{Further, check_instances};
use tertium_logic::{Formula, PartId, Written};
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
        let direction = Direction::against(holds);
        let verdict = if holds { Verdict::True } else { Verdict::False };
        let names = fresh_names(written.formula(), marked.len());
        let formula = written.replace(marked, |part, polarity, own| {
            let at = marked.iter().position(|&other| other == part).expect("a marked part");
            unless(own, Formula::proposition(names[at].clone()), direction, polarity)
        });
        let ask = |sets: &[Set]| {
            let replaced = |element: usize| {
                (0..sets.len())
                    .filter(move |&instance| sets[instance].iter().any(|own| own.index() == element))
            };
            let further: Vec<Further<'_>> =
                (0..marked.len()).map(|at| rigid(names[at].clone(), sets.len(), replaced(at))).collect();
            let instances = check_instances(self.context, self.prepared, &formula, &further, sets.len())?;
            Ok::<_, StopReason>((0..sets.len()).map(|at| instances.verdict(at) == verdict).collect())
        };
        let (sets, complete) = largest_sets(marked.len(), most, ask)?;
        let named = |set: Set| set.iter().map(|element| marked[element.index()]).collect::<Vec<PartId>>();
        let mut largest: Vec<Vec<PartId>> =
            sets.into_iter().map(named).filter(|set| !set.is_empty()).collect();
        largest.sort();
        Ok(MutualFindings { holds, marked: marked.to_vec(), largest, complete })
    }
}
