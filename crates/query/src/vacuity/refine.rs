//! The largest vacuous parts, by refinement along the parse tree \[Bob09\].
//!
//! Every part of a vacuous part is vacuous, so it is enough to look below those that are not. Level by level the direct
//! parts of what still matters are marked and VAQUOT run on them: at most as many runs as the tree is deep, and none
//! below a vacuous part. After the first the verdict is known, which halves the instances. Conjunctions and
//! disjunctions of several are read as associating to the right.

use super::{Findings, Property, VacuityChecker};
use tertium_check::symbolic::SymbolicError;
use tertium_logic::{PartId, Written};
use tertium_support::Id;

impl VacuityChecker<'_, '_> {
    /// The vacuous parts that are in no other vacuous part. The whole is not looked at.
    pub fn refine(&mut self, property: Property, written: &Written) -> Result<Findings, SymbolicError> {
        let whole = PartId::new(0);
        let mut frontier = self.questions_below(written, &[whole]);
        if frontier.is_empty() {
            return self.vaquot(property, written, &written.atoms());
        }
        let mut total: Option<Findings> = None;
        while !frontier.is_empty() {
            let found = match &total {
                None => self.vaquot(property, written, &frontier)?,
                Some(before) => self.vaquot_of_known(property, written, &frontier, before.holds)?,
            };
            let left: Vec<PartId> =
                frontier.iter().copied().filter(|part| !found.vacuous.contains(part)).collect();
            frontier = self.questions_below(written, &left);
            total = Some(match total {
                None => found,
                Some(before) => before.and_then(found),
            });
        }
        Ok(total.expect("there was a first level"))
    }

    fn questions_below(&self, written: &Written, parts: &[PartId]) -> Vec<PartId> {
        let children = parts.iter().flat_map(|&part| written.part(part).children.iter().copied());
        children.filter(|&child| written.part(child).is_question).collect()
    }
}

impl Findings {
    /// These findings, and those of a further run on other parts.
    fn and_then(mut self, other: Self) -> Self {
        debug_assert_eq!(self.holds, other.holds, "runs agree on the verdict");
        self.marked.extend(other.marked);
        self.vacuous.extend(other.vacuous);
        self.runs += other.runs;
        self.witnesses += other.witnesses;
        self
    }
}
