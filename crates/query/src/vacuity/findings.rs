//! What was found out about the parts of a property.

use tertium_logic::{PartId, Syntax, Written};

/// How much of a property does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every atom matters.
    None,
    /// Some do not.
    Some,
    /// None does by itself.
    All,
}

/// A verdict and the vacuous ones among the marked parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// Whether the property holds.
    pub holds: bool,
    /// The parts that were looked at.
    pub marked: Vec<PartId>,
    /// Those that do not matter, each by itself.
    pub vacuous: Vec<PartId>,
    /// How many passes of the checker it took.
    pub runs: usize,
    /// How many formulas these passes decided.
    pub witnesses: usize,
}

impl Findings {
    /// How many of the atoms of the formula are vacuous or inside something that is.
    pub fn extent<F: Syntax>(&self, written: &Written<F>) -> Extent {
        let atoms = written.atoms();
        let is_vacuous = |atom: &&PartId| self.vacuous.iter().any(|&part| written.is_inside(**atom, part));
        match atoms.iter().filter(is_vacuous).count() {
            0 => Extent::None,
            n if n == atoms.len() => Extent::All,
            _ => Extent::Some,
        }
    }

    /// Whether a part is vacuous, or inside one that is.
    pub fn covers<F: Syntax>(&self, written: &Written<F>, part: PartId) -> bool {
        self.vacuous.iter().any(|&vacuous| written.is_inside(part, vacuous))
    }

    /// The verdict in words: `Non-Vacuously True`, `Vacuously True in {a, b}`, `Vacuously True`, and the same for false.
    pub fn verdict<F: Syntax>(&self, written: &Written<F>, text: impl Fn(PartId) -> String) -> String {
        let truth = if self.holds { "True" } else { "False" };
        match self.extent(written) {
            Extent::None => format!("Non-Vacuously {truth}"),
            Extent::All => format!("Vacuously {truth}"),
            Extent::Some => {
                let parts: Vec<String> = self.vacuous.iter().map(|&part| text(part)).collect();
                format!("Vacuously {truth} in {{{}}}", parts.join(", "))
            }
        }
    }
}

/// Which parts can be replaced together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutualFindings {
    /// Whether the property holds.
    pub holds: bool,
    /// The parts that were looked at.
    pub marked: Vec<PartId>,
    /// The largest sets of parts that can be replaced by anything all at once. No set contains another.
    pub largest: Vec<Vec<PartId>>,
    /// Whether these are all such sets; otherwise there were too many to list.
    pub complete: bool,
}

impl MutualFindings {
    /// The findings with these largest sets; the empty one says nothing.
    pub(crate) fn new(
        holds: bool,
        marked: &[PartId],
        sets: impl Iterator<Item = Vec<PartId>>,
        complete: bool,
    ) -> Self {
        let mut largest: Vec<Vec<PartId>> = sets.filter(|set| !set.is_empty()).collect();
        largest.sort();
        let inside = |a: &[PartId], b: &[PartId]| a.iter().all(|part| b.contains(part));
        debug_assert!(
            largest
                .iter()
                .enumerate()
                .all(|(n, a)| { largest[n + 1..].iter().all(|b| !inside(a, b) && !inside(b, a)) }),
            "no largest set is inside another"
        );
        debug_assert!(
            largest.iter().flatten().all(|part| marked.contains(part)),
            "only marked parts are replaced"
        );
        Self { holds, marked: marked.to_vec(), largest, complete }
    }
}
