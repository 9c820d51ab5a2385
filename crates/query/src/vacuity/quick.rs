//! The largest vacuous parts of a property that was just found to be true, with as much effort as there is to spare.
//!
//! The checker that has decided the property knows the reachable and the fair states and the sets of all sub-formulas. Replacing one part
//! for the worst leaves most of them, often makes the formula simpler, and a fixpoint over operands that come out the same is found
//! again. So replacements are decided one by one, on that checker, and only in the direction that can change the verdict.
//!
//! Atoms come first: a part with one that matters matters itself, by monotonicity. Where everything matters, which is what one
//! expects, there are no more checks than atoms. Then parts all of whose atoms are vacuous are looked at from above.
//!
//! The effort is counted in steps of operations on diagrams, so the same question gives the same answer in every run. A single replacement
//! gets at most half of what is left; those that take more stay open and count as parts that matter.

use super::{Direction, Property, VacuityChecker, instance};
use tertium_check::symbolic::{SymbolicChecker, SymbolicError};
use tertium_logic::{Formula, FormulaKind, PartId, Syntax, Written, fold_constants};
use tertium_support::{Id, StopReason};

/// What was found out on the side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuickVacuity {
    /// Vacuous parts; without open ones, the largest.
    pub vacuous: Vec<PartId>,
    /// Parts that would have taken too long.
    pub open: Vec<PartId>,
    /// How many replacements were decided.
    pub n_decided: usize,
}

impl VacuityChecker<'_, '_> {
    /// Looks at the parts of a true property, with about so many steps of operations on diagrams, or as many as it takes.
    pub fn quick_vacuity(
        &mut self,
        property: Property,
        written: &Written,
        allowance: Option<u64>,
    ) -> Result<QuickVacuity, SymbolicError> {
        quick_vacuity_with(self.checker, written, true, allowance, |checker, changed| {
            let formula = fold_constants(in_question(written.formula(), changed));
            match property {
                Property::Ctl => checker.decide_ctl(&formula),
                Property::Invariant => checker.decide_invariant(&formula),
            }
        })
    }
}

/// Looks at the parts of a property that holds or not, whatever logic it is from, if `decide` says whether a changed one holds.
pub(super) fn quick_vacuity_with<'m, F: Syntax>(
    checker: &mut SymbolicChecker<'m>,
    written: &Written<F>,
    holds: bool,
    allowance: Option<u64>,
    decide: impl FnMut(&mut SymbolicChecker<'m>, &F) -> Result<bool, SymbolicError>,
) -> Result<QuickVacuity, SymbolicError> {
    let manager = checker.model().manager.clone();
    let end = allowance.map(|steps| manager.n_steps() + steps);
    let mut look = Look { checker, written, holds, end, decide, quick: QuickVacuity::default() };
    let looked = look.through();
    let quick = look.quick;
    manager.allow_steps(None);
    looked.map(|()| quick)
}

/// What is known about a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Vacuous,
    Matters,
    Open,
}

/// A quick check under way.
struct Look<'a, 'm, F, D> {
    checker: &'a mut SymbolicChecker<'m>,
    written: &'a Written<F>,
    holds: bool,
    /// At this number of steps it is enough.
    end: Option<u64>,
    decide: D,
    quick: QuickVacuity,
}

impl<'m, F, D> Look<'_, 'm, F, D>
where
    F: Syntax,
    D: FnMut(&mut SymbolicChecker<'m>, &F) -> Result<bool, SymbolicError>,
{
    fn through(&mut self) -> Result<(), SymbolicError> {
        let written = self.written;
        let whole = PartId::new(0);
        let mut candidates = vec![false; written.parts().len()];
        let atoms = written.atoms();
        for &atom in &atoms {
            candidates[atom.index()] = self.at(atom)? == Known::Vacuous;
        }
        // Parts stand after what they are in.
        for at in (1..candidates.len()).rev() {
            let children = &written.part(PartId::new(at)).children;
            let mut asked = children.iter().filter(|child| written.part(**child).is_question).peekable();
            candidates[at] |= asked.peek().is_some() && asked.all(|child| candidates[child.index()]);
        }
        // The whole is looked at only if it is an atom: it is vacuous if no initial state counts.
        let mut waiting = match atoms.contains(&whole) {
            true => vec![whole],
            false => written.part(whole).children.clone(),
        };
        while let Some(part) = waiting.pop() {
            let known = atoms.contains(&part);
            if candidates[part.index()] && (known || self.at(part)? == Known::Vacuous) {
                self.quick.vacuous.push(part);
            } else {
                waiting.extend(&written.part(part).children);
            }
        }
        self.quick.vacuous.sort_unstable();
        Ok(())
    }

    fn at(&mut self, part: PartId) -> Result<Known, SymbolicError> {
        let manager = self.checker.model().manager.clone();
        let left = self.end.map(|end| end.saturating_sub(manager.n_steps()));
        if left == Some(0) {
            self.quick.open.push(part);
            return Ok(Known::Open);
        }
        let challenge = instance(self.written, &[part], Direction::against(self.holds));
        manager.allow_steps(left.map(|left| left / 2));
        match (self.decide)(self.checker, &challenge) {
            Ok(holds) => {
                self.quick.n_decided += 1;
                Ok(if holds == self.holds { Known::Vacuous } else { Known::Matters })
            }
            Err(SymbolicError::Stopped(StopReason::NodeLimit)) => {
                self.quick.open.push(part);
                Ok(Known::Open)
            }
            Err(error) => Err(error),
        }
    }
}

/// The conjunct that was changed, if it is only one: the others hold, since the whole does.
fn in_question<'f>(original: &Formula, changed: &'f Formula) -> &'f Formula {
    let (FormulaKind::And(before), FormulaKind::And(after)) = (&original.kind, &changed.kind) else {
        return changed;
    };
    let mut differing = before.iter().zip(after).filter(|(before, after)| before != after);
    match (differing.next(), differing.next()) {
        (Some((before, after)), None) => in_question(before, after),
        _ => changed,
    }
}
