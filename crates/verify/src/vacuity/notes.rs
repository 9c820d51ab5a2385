//! Vacuity on the side of a check: whether a property that was just found to be true is so for no good reason.
//!
//! Only properties about all paths are looked at: of others it makes little sense to ask. Each replacement of a part is a question of
//! its own, to whoever answers questions about the file. The effort is counted in work, so the same file gives the same notes: a
//! quarter of what the checks of the file took so far, and something in any case; one replacement may take half of what is left.

use crate::{Admitted, Halt, Logic, Property, VacuityCheck, Wanted};
use tertium_evidence::{Assumption, Origin};
use tertium_logic::{PartId, Syntax, Written, fold_constants, is_universal};
use tertium_query::{changed_conjunct, largest_parts};
use tertium_report::{Comments, written_text};
use tertium_support::StopReason;
use tertium_truth::{Cause, Verdict};

/// Looking for vacuity may take this much work in any case, some tens of milliseconds,
const FREE: u64 = 1 << 23;
/// and beyond that one unit for so many that the checks took.
const CHECKED_PER_EXTRA: u64 = 4;

/// How an answer to a changed question ended, and how much work it took.
pub(crate) type Replied = (Result<Admitted, Halt>, u64);

/// Answers a changed question with at most so much work, or with any.
pub(crate) type Oracle<'o> = dyn FnMut(&Logic, Option<u64>) -> Replied + 'o;

/// The looks at all properties of a file.
pub(crate) struct VacuityNotes {
    how: VacuityCheck,
    comments: Comments,
    /// How much work went into checks.
    checked: u64,
    /// How much went into looking for vacuity.
    looked: u64,
}

impl VacuityNotes {
    /// Nothing was checked yet.
    pub(crate) fn new(how: VacuityCheck, comments: Comments) -> Self {
        Self { how, comments, checked: 0, looked: 0 }
    }

    /// What is wanted to know of a changed property. With `--strict` notes count like verdicts, and are confirmed like these.
    pub(crate) fn wanted(&self) -> Wanted {
        if self.how == VacuityCheck::Full { Wanted::Verdict } else { Wanted::Note }
    }

    /// Notes how much work a check took.
    pub(crate) fn checked(&mut self, work: u64) {
        self.checked += work;
    }

    /// Looks at a property that was answered, and adds to the answer what there is to say; with at most so much work.
    pub(crate) fn look(
        &mut self,
        own: &Property,
        admitted: &mut Admitted,
        most: Option<u64>,
        oracle: &mut Oracle<'_>,
    ) {
        if self.how == VacuityCheck::Off || admitted.answer.outcome.verdict != Verdict::True {
            return;
        }
        let free = (FREE + self.checked / CHECKED_PER_EXTRA).saturating_sub(self.looked);
        let own_limit = (self.how != VacuityCheck::Full).then_some(free);
        let left = own_limit.into_iter().chain(most).min();
        let mut look = Look { left, spent: 0, cut: false, bug: None, oracle };
        let note = look.note(own, self.comments);
        self.looked += look.spent;
        admitted.bug = admitted.bug.take().or(look.bug);
        admitted.answer.outcome.assumptions.extend(note);
    }
}

/// A look at one property.
struct Look<'a, 'o> {
    /// How much work is left for it.
    left: Option<u64>,
    spent: u64,
    /// Whether something stayed open for lack of effort.
    cut: bool,
    /// What is wrong with us.
    bug: Option<String>,
    oracle: &'a mut Oracle<'o>,
}

impl Look<'_, '_> {
    fn note(&mut self, own: &Property, comments: Comments) -> Option<Assumption> {
        let text = |span| written_text(&own.source, span, comments);
        let found = match &own.logic {
            Logic::Branching(formula) if is_universal(formula) => {
                let written = Written::new(formula);
                let changed = |f| Logic::Branching(fold_constants(changed_conjunct(written.formula(), &f)));
                self.parts(&written, changed).map(|parts| spans(&written, parts))
            }
            Logic::Invariant(formula) => {
                let written = Written::new(formula);
                let changed = |f| Logic::Invariant(fold_constants(changed_conjunct(written.formula(), &f)));
                self.parts(&written, changed).map(|parts| spans(&written, parts))
            }
            Logic::Linear(formula) => {
                let written = Written::new(formula);
                self.parts(&written, |f| Logic::Linear(f.folded())).map(|parts| spans(&written, parts))
            }
            _ => return None,
        };
        match found {
            Ok(spans) if !spans.is_empty() => {
                Some(Assumption::Vacuous(spans.into_iter().map(text).collect()))
            }
            Ok(_) => self.cut.then_some(Assumption::VacuityOpen),
            Err(reason) => Some(Assumption::VacuityUnknown(reason)),
        }
    }

    fn parts<F: Syntax>(
        &mut self,
        written: &Written<F>,
        changed: impl Fn(F) -> Logic,
    ) -> Result<Vec<PartId>, StopReason> {
        Ok(largest_parts(written, true, |formula| self.decide(&changed(formula)))?.vacuous)
    }

    /// Whether a changed property holds, as far as there is effort to spare. A limit of the run is an error.
    fn decide(&mut self, logic: &Logic) -> Result<Option<bool>, StopReason> {
        if self.left == Some(0) {
            self.cut = true;
            return Ok(None);
        }
        let (answer, work) = (self.oracle)(logic, self.left.map(|left| left.div_ceil(2)));
        self.spent += work;
        self.left = self.left.map(|left| left.saturating_sub(work));
        let (verdict, origin) = match answer {
            Ok(admitted) => {
                self.bug = self.bug.take().or(admitted.bug);
                (admitted.answer.outcome.verdict, admitted.answer.origin)
            }
            Err(Halt::Stopped(reason)) => (Verdict::Unknown(reason.into()), Origin::Model),
            Err(Halt::Bug(bug)) => {
                self.bug.get_or_insert(bug);
                return Ok(None);
            }
            // Whoever answers the property may refuse it with constants inside.
            Err(_) => return Ok(None),
        };
        match verdict {
            Verdict::True => Ok(Some(true)),
            Verdict::False => Ok(Some(false)),
            Verdict::Unknown(Cause::Time) => Err(StopReason::TimeLimit),
            Verdict::Unknown(Cause::Memory) => Err(StopReason::MemoryLimit),
            Verdict::Unknown(Cause::Interrupted) => Err(StopReason::Interrupted),
            Verdict::Unknown(_) => {
                // What a given system leaves open, no effort settles.
                self.cut |= origin != Origin::Given;
                Ok(None)
            }
        }
    }
}

/// Where parts stand.
fn spans<F: Syntax>(written: &Written<F>, parts: Vec<PartId>) -> Vec<tertium_support::Span> {
    parts.into_iter().map(|part| written.part(part).span).collect()
}
