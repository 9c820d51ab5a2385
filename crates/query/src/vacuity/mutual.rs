//! Mutual vacuity: the sets of parts that can be replaced all at once.
//!
//! Each marked part gets a rigid variable of its own that says whether it is kept or replaced by what could most easily change
//! the verdict; one symbolic check answers for all sets of parts \[Bob09\]. Replacing more changes the verdict
//! more easily, so the sets that leave it are closed downwards, and the largest of them say all. The diagram may be exponential in
//! the number of parts: this is a reference for small formulas.

use super::{Direction, MutualFindings, Property, VacuityChecker};
use tertium_check::symbolic::SymbolicError;
use tertium_dd::{Bdd, Var};
use tertium_logic::{Formula, PartId, Polarity, Written};
use tertium_support::StopReason;

impl VacuityChecker<'_, '_> {
    /// The largest mutually vacuous sets of the marked parts, up to `most` of them.
    pub fn mutual(
        &mut self,
        property: Property,
        written: &Written,
        marked: &[PartId],
        most: usize,
    ) -> Result<MutualFindings, SymbolicError> {
        let holds = self.holds(property, written.formula())?;
        let manager = self.checker.model().manager.clone();
        let keep = self.rigid.vars(&manager, marked.len())?.to_vec();
        let name = |at: usize| format!("?keep {at}");
        let further = keep
            .iter()
            .enumerate()
            .map(|(at, &var)| Ok((name(at), manager.var(var)?)))
            .collect::<Result<Vec<(String, Bdd)>, StopReason>>()?;
        let direction = Direction::against(holds);
        let formula = written.replace(marked, |part, polarity, own| {
            let at = marked.iter().position(|&other| other == part).expect("a marked part");
            let kept = Formula::proposition(name(at));
            if (direction == Direction::Best) == (polarity == Polarity::Positive) {
                Formula::any(vec![own, kept.negated()])
            } else {
                Formula::all(vec![own, kept])
            }
        });
        let result = self.instances(property, &formula, &further)?;
        let allowed = if holds { result } else { result.not() };
        let (sets, complete) = largest(allowed, &keep, most)?;
        let named = |set: Vec<usize>| set.into_iter().map(|at| marked[at]).collect();
        Ok(MutualFindings::new(holds, marked, sets.into_iter().map(named), complete))
    }
}

/// The largest sets of variables, by number, that can be false together. The function must stay true when more variables are.
fn largest(allowed: Bdd, keep: &[Var], most: usize) -> Result<(Vec<Vec<usize>>, bool), StopReason> {
    let manager = allowed.manager().clone();
    let mut found = Vec::new();
    let mut left = allowed.clone();
    while let Some(mut kept) = left.pick(keep) {
        if found.len() == most {
            return Ok((found, false));
        }
        for at in 0..keep.len() {
            if std::mem::replace(&mut kept[at], false) && !value(&allowed, keep, &kept) {
                kept[at] = true;
            }
        }
        debug_assert!(value(&allowed, keep, &kept), "what is found can be replaced together");
        // Sets inside this one say nothing new: in others, something that is kept here is replaced.
        let mut other = manager.constant(false);
        for at in (0..keep.len()).filter(|&at| kept[at]) {
            other = other.or(&manager.var(keep[at])?.not())?;
        }
        left = left.and(&other)?;
        found.push((0..keep.len()).filter(|&at| !kept[at]).collect());
    }
    Ok((found, true))
}

fn value(function: &Bdd, keep: &[Var], kept: &[bool]) -> bool {
    function.eval(|var| keep.iter().position(|&own| own == var).is_some_and(|at| kept[at]))
}
