//! Vacuity: which parts of a property do not matter for its verdict.
//!
//! A part is vacuous if its replacement by any formula leaves the verdict as it is \[KV03\]. The verdict is monotone in a part
//! of pure polarity, so two replacements decide: for the worst, `false` where it counts positively and `true` where it counts
//! negatively, and for the best. A part below an equivalence counts both ways; it is called vacuous if the verdict
//! stays whatever replaces it in the one direction and in the other, which is sufficient, not necessary.
//!
//! Four ways to the answer: `naive` checks every replacement by itself, `vaquot` all of them in one pass, `mutual` finds the parts
//! that can be replaced together, `refine` the largest vacuous parts. `largest` finds these by any
//! means of deciding a property, in either logic. The others are for branching time; `linear` has their questions for linear time.

mod findings;
mod largest;
mod linear;
mod mutual;
mod naive;
mod refine;
mod rigid;
mod vaquot;

pub(crate) use vaquot::unless;

pub use findings::{Extent, Findings, MutualFindings};
pub use largest::{LargestParts, changed_conjunct, largest_parts};
pub use linear::LinearVacuity;
pub use rigid::Rigid;

use tertium_check::symbolic::{SymbolicChecker, SymbolicError};
use tertium_dd::Bdd;
use tertium_logic::{Formula, PartId, Polarity, Syntax, Written};

/// What is asked of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// The formula holds at every initial state; with justice, at every one where a fair path begins.
    Ctl,
    /// The formula, which is Boolean, holds at every reachable state.
    Invariant,
}

/// What a part is replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// What makes the whole true least easily.
    Worst,
    /// What makes the whole true most easily.
    Best,
}

impl Direction {
    /// The direction that can change a verdict.
    pub(crate) fn against(holds: bool) -> Self {
        if holds { Self::Worst } else { Self::Best }
    }

    /// The constant that stands for it at a place of pure polarity.
    fn constant<F: Syntax>(self, polarity: Polarity) -> F {
        F::constant((self == Self::Best) == (polarity == Polarity::Positive))
    }
}

/// Asks one model about the parts of properties.
#[derive(Debug)]
pub struct VacuityChecker<'c, 'm> {
    checker: &'c mut SymbolicChecker<'m>,
    rigid: &'c mut Rigid,
}

impl<'c, 'm> VacuityChecker<'c, 'm> {
    /// Uses the rigid variables of earlier questions to the same model again.
    pub fn new(checker: &'c mut SymbolicChecker<'m>, rigid: &'c mut Rigid) -> Self {
        Self { checker, rigid }
    }

    /// The formula that is left when the vacuous parts are replaced by what could most easily change the verdict, one after the other as
    /// long as it stays the same: of a true formula the strongest that still holds in this way, of a false one the weakest that still
    /// fails. Constants are folded. With it, the parts that are replaced.
    pub fn strengthen(
        &mut self,
        property: Property,
        written: &Written,
        findings: &Findings,
    ) -> Result<(Formula, Vec<PartId>), SymbolicError> {
        strengthened(written, findings, |formula| self.holds(property, formula))
    }

    fn holds(&mut self, property: Property, formula: &Formula) -> Result<bool, SymbolicError> {
        Ok(self.instances(property, formula, &[])?.is_true())
    }

    fn instances(
        &mut self,
        property: Property,
        formula: &Formula,
        further: &[(String, Bdd)],
    ) -> Result<Bdd, SymbolicError> {
        match property {
            Property::Ctl => self.checker.instances_that_hold(formula, further),
            Property::Invariant => self.checker.invariant_instances_that_hold(formula, further),
        }
    }
}

/// The formula with a part replaced by what could most easily change the verdict. It has the other verdict iff the part matters.
pub fn challenge<F: Syntax>(written: &Written<F>, part: PartId, holds: bool) -> F {
    instance(written, &[part], Direction::against(holds))
}

/// The formula with vacuous parts replaced one after the other as long as `decide` gives the same verdict, and the parts.
pub fn strengthened<F: Syntax, E>(
    written: &Written<F>,
    findings: &Findings,
    mut decide: impl FnMut(&F) -> Result<bool, E>,
) -> Result<(F, Vec<PartId>), E> {
    let direction = Direction::against(findings.holds);
    let mut replaced: Vec<PartId> = Vec::new();
    for &part in &findings.vacuous {
        let mut more = replaced.clone();
        more.push(part);
        // By itself every vacuous part can go.
        if more.len() == 1 || decide(&instance(written, &more, direction))? == findings.holds {
            replaced = more;
        }
    }
    Ok((instance(written, &replaced, direction).folded(), replaced))
}

/// The formula with some parts replaced by constants.
pub(crate) fn instance<F: Syntax>(written: &Written<F>, parts: &[PartId], direction: Direction) -> F {
    written.replace(parts, |_, polarity, _| direction.constant(polarity))
}
