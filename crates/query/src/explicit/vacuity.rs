//! Vacuity of properties of explicit systems: naive, VAQUOT \[Bob09\], and the largest vacuous parts.
//!
//! As on models, a part is vacuous if neither replacement changes the verdict, which is monotone in it. Here the
//! verdict has three values. If it is definite, a part whose replacement leaves it open may be vacuous or not: it is
//! *open*. If the verdict itself is open, nothing is vacuous, but a part is *decisive* if the property is false with
//! the one replacement and true with the other: then it matters, however what is open is settled. Definite values stay
//! when a system is refined, so all that is said here stays as well.

use crate::vacuity::{Direction, Findings, instance, unless};
use rustc_hash::FxHashMap;
use tertium_check::{Further, FurtherValues, Prepared, Record, Semantics, Settings, check, check_instances};
use tertium_logic::{Formula, PartId, Written};
use tertium_support::{Context, Id, StopReason};
use tertium_truth::{Cause, Verdict};

/// What was found out about the parts of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitFindings {
    /// The verdict on the property.
    pub verdict: Verdict,
    /// The parts that were looked at.
    pub marked: Vec<PartId>,
    /// Those that do not matter, each by itself.
    pub vacuous: Vec<PartId>,
    /// Those of which the system does not say whether they matter.
    pub open: Vec<PartId>,
    /// If the verdict is open: those that matter nevertheless.
    pub decisive: Vec<PartId>,
    /// How many passes of the checker it took.
    pub runs: usize,
    /// How many formulas these passes decided.
    pub witnesses: usize,
}

impl ExplicitFindings {
    /// The findings about a property that is true or false.
    pub fn definite(&self) -> Option<Findings> {
        let holds = match self.verdict {
            Verdict::True => true,
            Verdict::False => false,
            Verdict::Unknown(_) => return None,
        };
        let (marked, vacuous) = (self.marked.clone(), self.vacuous.clone());
        Some(Findings { holds, marked, vacuous, runs: self.runs, witnesses: self.witnesses })
    }

    /// From the verdict on the property, and for each marked part those with the worst and with the best replacement.
    fn new(verdict: Verdict, marked: &[PartId], replaced: &[(Verdict, Verdict)], runs: usize) -> Self {
        debug_assert_eq!(marked.len(), replaced.len(), "every marked part was replaced");
        debug_assert!(
            !replaced.contains(&(Verdict::True, Verdict::False)),
            "the best replacement is no worse than the worst"
        );
        let (mut vacuous, mut open, mut decisive) = (Vec::new(), Vec::new(), Vec::new());
        let is_open = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(_));
        for (&part, (worst, best)) in marked.iter().zip(replaced) {
            if is_open(&verdict) {
                let matters = (*worst, *best) == (Verdict::False, Verdict::True);
                // Nothing follows from a contradiction.
                let matters = matters && verdict == Verdict::Unknown(Cause::Imprecise);
                if matters { &mut decisive } else { &mut open }.push(part);
            } else if *worst == verdict && *best == verdict {
                vacuous.push(part);
            } else if is_open(worst) || is_open(best) {
                open.push(part);
            }
        }
        let witnesses = 2 * marked.len() + 1;
        Self { verdict, marked: marked.to_vec(), vacuous, open, decisive, runs, witnesses }
    }

    /// These findings, and those of a further run on other parts.
    fn and_then(mut self, other: Self) -> Self {
        debug_assert_eq!(self.verdict, other.verdict, "runs agree on the verdict");
        self.marked.extend(other.marked);
        self.vacuous.extend(other.vacuous);
        self.open.extend(other.open);
        self.decisive.extend(other.decisive);
        self.runs += other.runs;
        self.witnesses += other.witnesses;
        self
    }
}

/// Asks one system about the parts of properties.
#[derive(Clone, Copy, Debug)]
pub struct ExplicitVacuity<'a> {
    /// Limits.
    pub context: &'a Context,
    /// The system.
    pub prepared: &'a Prepared<'a>,
}

impl ExplicitVacuity<'_> {
    /// The vacuous ones among the marked parts, one check for each replacement.
    pub fn naive(&self, written: &Written, marked: &[PartId]) -> Result<ExplicitFindings, StopReason> {
        let verdict = self.verdict(written.formula())?;
        let with = |part: PartId, direction| self.verdict(&instance(written, &[part], direction));
        let replaced: Vec<(Verdict, Verdict)> = marked
            .iter()
            .map(|&part| Ok((with(part, Direction::Worst)?, with(part, Direction::Best)?)))
            .collect::<Result<_, StopReason>>()?;
        let runs = 2 * marked.len() + 1;
        Ok(ExplicitFindings::new(verdict, marked, &replaced, runs))
    }

    /// The vacuous ones among the marked parts, all replacements in one pass. Instance 0 is the property itself; the part number i has
    /// its worst replacement in instance 2i + 1 and its best in 2i + 2.
    pub fn vaquot(&self, written: &Written, marked: &[PartId]) -> Result<ExplicitFindings, StopReason> {
        let n = 2 * marked.len() + 1;
        let names = fresh_names(written.formula(), n);
        let numbers: FxHashMap<PartId, usize> =
            marked.iter().enumerate().map(|(at, &part)| (part, at)).collect();
        let formula = written.replace(marked, |part, polarity, own| {
            let at = numbers[&part];
            let with = |formula, number: usize, direction| {
                unless(formula, Formula::proposition(names[number].clone()), direction, polarity)
            };
            with(with(own, 2 * at + 1, Direction::Worst), 2 * at + 2, Direction::Best)
        });
        let further: Vec<Further<'_>> =
            (1..n).map(|number| rigid(names[number].clone(), n, [number])).collect();
        let instances = check_instances(self.context, self.prepared, &formula, &further, n)?;
        let replaced: Vec<(Verdict, Verdict)> = (0..marked.len())
            .map(|at| (instances.verdict(2 * at + 1), instances.verdict(2 * at + 2)))
            .collect();
        Ok(ExplicitFindings::new(instances.verdict(0), marked, &replaced, 1))
    }

    /// The vacuous parts that are in no other vacuous part, level by level; of the open parts also the largest, of the decisive ones the
    /// smallest. The whole is not looked at.
    pub fn refine(&self, written: &Written) -> Result<ExplicitFindings, StopReason> {
        let mut frontier = questions_below(written, &[PartId::new(0)]);
        if frontier.is_empty() {
            return self.vaquot(written, &written.atoms());
        }
        let mut total: Option<ExplicitFindings> = None;
        while !frontier.is_empty() {
            let found = self.vaquot(written, &frontier)?;
            frontier.retain(|part| !found.vacuous.contains(part));
            frontier = questions_below(written, &frontier);
            total = Some(match total {
                None => found,
                Some(before) => before.and_then(found),
            });
        }
        let mut total = total.expect("there was a first level");
        // Of parts inside each other, the largest open ones and the smallest decisive ones say most.
        let (open, decisive) = (total.open.clone(), total.decisive.clone());
        total.open.retain(|&part| !open.iter().any(|&other| other != part && written.is_inside(part, other)));
        total
            .decisive
            .retain(|&part| !decisive.iter().any(|&other| other != part && written.is_inside(other, part)));
        Ok(total)
    }

    /// The verdict of the ordinary checker.
    fn verdict(&self, formula: &Formula) -> Result<Verdict, StopReason> {
        let settings = Settings { semantics: Semantics::Sis, record: Record::Values };
        settled(check(self.context, self.prepared, formula, &settings).verdict)
    }
}

/// A verdict, unless a limit was reached.
pub(super) fn settled(verdict: Verdict) -> Result<Verdict, StopReason> {
    match verdict {
        Verdict::Unknown(Cause::Time) => Err(StopReason::TimeLimit),
        Verdict::Unknown(Cause::Work) => Err(StopReason::WorkLimit),
        Verdict::Unknown(Cause::Memory) => Err(StopReason::MemoryLimit),
        Verdict::Unknown(Cause::Nodes) => Err(StopReason::NodeLimit),
        Verdict::Unknown(Cause::Interrupted) => Err(StopReason::Interrupted),
        settled => Ok(settled),
    }
}

/// So many names that no proposition of the formula has.
pub(super) fn fresh_names(formula: &Formula, n: usize) -> Vec<String> {
    let mut mark = "?".to_owned();
    while formula.propositions().iter().any(|(name, _)| name.starts_with(&mark)) {
        mark.push('?');
    }
    (0..n).map(|number| format!("{mark}{number}")).collect()
}

/// A proposition that holds in these of `n` instances, at every state.
pub(super) fn rigid(name: String, n: usize, instances: impl IntoIterator<Item = usize>) -> Further<'static> {
    let mut words = vec![0; n.div_ceil(64)];
    for instance in instances {
        debug_assert!(instance < n, "one of the instances");
        words[instance / 64] |= 1 << (instance % 64);
    }
    Further { name, values: FurtherValues::Rigid(words) }
}

fn questions_below(written: &Written, parts: &[PartId]) -> Vec<PartId> {
    let children = parts.iter().flat_map(|&part| written.part(part).children.iter().copied());
    children.filter(|&child| written.part(child).is_question).collect()
}
