//! The largest vacuous parts of a property whose verdict is known, one replacement after the other.
//!
//! Whoever decided the property may decide its replacements: by the same checker, which knows the states and the sets of all
//! sub-formulas, or by several engines in turn. Only the replacement that can change the verdict is asked about.
//!
//! Atoms come first: a part with one that matters matters itself, by monotonicity. Where everything matters, which is what one
//! expects, there are no more questions than atoms. Then parts all of whose atoms are vacuous are looked at from above.
//!
//! A replacement that is not decided stays open and counts as a part that matters. So what is called vacuous is so, and without open
//! parts it is the largest.

use super::{Direction, instance};
use tertium_logic::{Formula, FormulaKind, PartId, Syntax, Written};
use tertium_support::Id;

/// What was found out about the largest parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LargestParts {
    /// Vacuous parts; without open ones, the largest.
    pub vacuous: Vec<PartId>,
    /// Parts whose replacement was not decided.
    pub open: Vec<PartId>,
    /// How many replacements were decided.
    pub n_decided: usize,
}

/// Looks for the largest vacuous parts of a property that holds or not. `decide` says whether a changed property holds, or nothing if
/// that is left open.
pub fn largest_parts<F: Syntax, E>(
    written: &Written<F>,
    holds: bool,
    decide: impl FnMut(F) -> Result<Option<bool>, E>,
) -> Result<LargestParts, E> {
    let mut look = Look { written, holds, decide, found: LargestParts::default() };
    look.through()?;
    Ok(look.found)
}

/// The conjunct that was changed, if it is only one: the others hold, if the whole does.
pub fn changed_conjunct<'f>(original: &Formula, changed: &'f Formula) -> &'f Formula {
    let (FormulaKind::And(before), FormulaKind::And(after)) = (&original.kind, &changed.kind) else {
        return changed;
    };
    let mut differing = before.iter().zip(after).filter(|(before, after)| before != after);
    match (differing.next(), differing.next()) {
        (Some((before, after)), None) => changed_conjunct(before, after),
        _ => changed,
    }
}

/// A search under way.
struct Look<'a, F, D> {
    written: &'a Written<F>,
    holds: bool,
    decide: D,
    found: LargestParts,
}

impl<F, D, E> Look<'_, F, D>
where
    F: Syntax,
    D: FnMut(F) -> Result<Option<bool>, E>,
{
    fn through(&mut self) -> Result<(), E> {
        let written = self.written;
        let whole = PartId::new(0);
        let mut candidates = vec![false; written.parts().len()];
        let atoms = written.atoms();
        for &atom in &atoms {
            candidates[atom.index()] = self.is_vacuous(atom)?;
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
            if candidates[part.index()] && (known || self.is_vacuous(part)?) {
                self.found.vacuous.push(part);
            } else {
                waiting.extend(&written.part(part).children);
            }
        }
        self.found.vacuous.sort_unstable();
        Ok(())
    }

    fn is_vacuous(&mut self, part: PartId) -> Result<bool, E> {
        let challenge = instance(self.written, &[part], Direction::against(self.holds));
        match (self.decide)(challenge)? {
            Some(holds) => {
                self.found.n_decided += 1;
                Ok(holds == self.holds)
            }
            None => {
                self.found.open.push(part);
                Ok(false)
            }
        }
    }
}
