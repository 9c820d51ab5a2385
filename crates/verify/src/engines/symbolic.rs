//! The symbolic engine: decision diagrams.
//!
//! A property is checked on the part of the model that it depends on. Evidence from a part is completed to the whole model; where that
//! would get too long, the whole model is asked for its own. A true property that is about all paths is looked through for vacuity,
//! as far as that costs little beside the check itself.

use crate::vacuity::{Branching, Linear, Subject};
use crate::{
    Candidate, Encodings, Engine, Halt, Logic, Opening, PropertyId, Session, Shown, Taken, VacuityCheck, Work,
};
use tertium_check::symbolic::{
    Options, Quantity, SymbolicAssumption, SymbolicChecker, SymbolicError, SymbolicOutcome,
};
use tertium_check::{Record, Semantics};
use tertium_evidence::{Assumption, Outcome};
use tertium_logic::{Written, is_universal};
use tertium_query::Property;
use tertium_report::written_text;
use tertium_support::{Id, Statistics, StopReason};
use tertium_truth::Verdict;

/// Looking for vacuity may take this many steps of operations on diagrams in any case, some tens of milliseconds,
const FREE_STEPS: u64 = 1 << 19;
/// and beyond that one for so many that everything else took.
const STEPS_PER_EXTRA: u64 = 4;

/// The row of the table.
pub(crate) const SYMBOLIC: Engine = Engine {
    name: "symbolic",
    title: "decision diagrams",
    fits: |model| model.symbolic().is_some(),
    semantics: &[Semantics::Sis],
    takes: &[Taken::Nodes, Taken::Order, Taken::Strict, Taken::Dot],
    rank: Some(2),
    open,
    advise: |_, _| None,
};

fn open(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer = opening.model.symbolic().ok_or_else(|| Halt::Bug("the model has no diagrams".to_owned()))?;
    let encodings = offer.encode(opening.context, opening.asked, &opening.options.symbolic)?;
    // A model without meaning is no mistake of any of its properties.
    if let Some(&first) = opening.asked.first() {
        encodings.check_model(encodings.part_of(first))?;
    }
    let evidence = if opening.options.record == Record::Moves { Options::default().evidence } else { 0 };
    let options = Options { evidence, ..Options::default() };
    work(&mut Symbolic {
        opening,
        inquiry: Inquiry::new(opening, encodings.as_ref(), options),
        spent: vec![0; encodings.n_parts()],
    });
    Ok(())
}

/// The checkers of a model, one for each part of it that was asked about.
pub(crate) struct Inquiry<'e> {
    opening: Opening<'e>,
    pub(crate) encodings: &'e dyn Encodings,
    /// By part, once something was asked there.
    checkers: Vec<Option<SymbolicChecker<'e>>>,
    options: Options,
}

/// A question about a part of a model.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'l> {
    /// Whose propositions it has.
    pub(crate) property: PropertyId,
    /// What is asked, perhaps with constants in place of parts of the property.
    pub(crate) logic: &'l Logic,
    /// The part of the model.
    pub(crate) part: usize,
}

impl<'e> Inquiry<'e> {
    /// Nothing was asked yet.
    pub(crate) fn new(opening: Opening<'e>, encodings: &'e dyn Encodings, options: Options) -> Self {
        let checkers = (0..encodings.n_parts()).map(|_| None).collect();
        Self { opening, encodings, checkers, options }
    }

    /// The checker of a part.
    pub(crate) fn checker(&mut self, asked: Asked<'_>) -> Result<&mut SymbolicChecker<'e>, Halt> {
        let context = self.opening.context;
        context.poll()?;
        let model = self.encodings.model(asked.part, asked.property)?;
        let options = self.options;
        Ok(self.checkers[asked.part].get_or_insert_with(|| SymbolicChecker::new(context, model, options)))
    }

    /// The outcome of a question with a truth value.
    pub(crate) fn outcome(&mut self, asked: Asked<'_>) -> Result<SymbolicOutcome, Halt> {
        let checker = self.checker(asked)?;
        Ok(match asked.logic {
            Logic::Branching(formula) => checker.check_ctl(formula)?,
            Logic::Invariant(formula) => checker.check_invariant(formula)?,
            Logic::Linear(formula) => checker.check_ltl(formula)?,
            Logic::Shortest(..) | Logic::Longest(..) => unreachable!("lengths have no truth value"),
        })
    }

    /// The evidence of an outcome in the values of the whole model.
    pub(crate) fn shown(
        &mut self,
        asked: Asked<'_>,
        outcome: &mut SymbolicOutcome,
    ) -> Result<Option<Shown<'e>>, Halt> {
        let Some(found) = outcome.evidence.take() else { return Ok(None) };
        let holds = outcome.verdict == Verdict::True;
        let encodings = self.encodings;
        let shown = encodings.show(asked.part, asked.property, asked.logic, found, holds)?;
        let whole = encodings.n_parts() - 1;
        if shown.is_some() || asked.part == whole {
            return Ok(shown);
        }
        let asked = Asked { part: whole, ..asked };
        let mut again = match self.outcome(asked) {
            Ok(again) => again,
            Err(Halt::Stopped(reason)) => {
                outcome.assumptions.push(SymbolicAssumption::NoEvidence(reason));
                return Ok(None);
            }
            Err(failed) => return Err(failed),
        };
        if again.verdict != outcome.verdict {
            let text = &self.opening.model.properties()[asked.property.index()].name.text;
            return Err(Halt::Bug(format!("the model and its cone of influence disagree about {text}")));
        }
        outcome.assumptions = again.assumptions;
        match again.evidence.take() {
            Some(found) => encodings.show(whole, asked.property, asked.logic, found, holds),
            None => Ok(None),
        }
    }

    /// What was counted on a part.
    pub(crate) fn counted(&self, part: usize) -> Statistics {
        let mut statistics =
            self.checkers[part].as_ref().map_or_else(Statistics::default, SymbolicChecker::statistics);
        let (own, all) = self.encodings.n_variables(part);
        if own < all {
            statistics.set("variables", all);
            statistics.set("variables in cone", own);
        }
        statistics
    }

    /// How many states are reachable, if that is known of the whole model.
    fn reachable(&self, part: usize) -> Option<String> {
        let is_whole = part + 1 == self.encodings.n_parts();
        let checker = self.checkers[part].as_ref().filter(|_| is_whole)?;
        let known = checker.known_reachable();
        let frame = checker.model().relation.frame();
        known.complete.then(|| known.states.count(&frame.current).to_string())
    }
}

impl From<SymbolicError> for Halt {
    fn from(error: SymbolicError) -> Self {
        match error {
            SymbolicError::Stopped(reason) => Self::Stopped(reason),
            SymbolicError::Refused(refusal) => Self::Refused(refusal.to_string()),
        }
    }
}

/// Assumptions without the states they speak of, which are those of a part.
pub(crate) fn assumptions(found: Vec<SymbolicAssumption>) -> Vec<Assumption> {
    found.into_iter().map(|assumption| assumption.map(|_| None)).collect()
}

struct Symbolic<'e> {
    opening: Opening<'e>,
    inquiry: Inquiry<'e>,
    /// By part: how many steps of operations on diagrams went into looking for vacuity.
    spent: Vec<u64>,
}

impl Session for Symbolic<'_> {
    fn ask(&mut self, property: PropertyId, _: Option<&str>) -> Result<Candidate<'_>, Halt> {
        let logic = self.opening.model.properties()[property.index()].logic.clone();
        let part = self.inquiry.encodings.part_of(property);
        let asked = Asked { property, logic: &logic, part };
        let answered = if logic.has_truth_value() { self.verdict(asked) } else { self.length(asked) };
        match answered {
            Err(Halt::Stopped(reason)) => {
                let verdict = Verdict::Unknown(reason.into());
                Ok(Candidate::plain("symbolic", Outcome::new(verdict, self.inquiry.counted(part))))
            }
            answered => answered,
        }
    }

    fn order(&mut self) -> Option<Result<String, Halt>> {
        Some(self.inquiry.encodings.order())
    }
}

impl<'e> Symbolic<'e> {
    fn length(&mut self, asked: Asked<'_>) -> Result<Candidate<'e>, Halt> {
        let checker = self.inquiry.checker(asked)?;
        let found = match asked.logic {
            Logic::Longest(from, to) => checker.compute_maximum(from, to)?,
            Logic::Shortest(from, to) => checker.compute_minimum(from, to)?,
            _ => unreachable!("other properties have a truth value"),
        };
        let mut outcome = Outcome::new(Verdict::True, self.inquiry.counted(asked.part));
        outcome.length = Some(match found.quantity {
            Quantity::Finite(length) => length.to_string(),
            Quantity::Infinite => "infinite".to_owned(),
            Quantity::Undefined => "undefined".to_owned(),
        });
        outcome.assumptions = assumptions(found.assumptions);
        Ok(Candidate::plain("symbolic", outcome))
    }

    fn verdict(&mut self, asked: Asked<'_>) -> Result<Candidate<'e>, Halt> {
        let mut found = self.inquiry.outcome(asked)?;
        let shown = self.inquiry.shown(asked, &mut found)?;
        let mut outcome = Outcome::new(found.verdict, self.inquiry.counted(asked.part));
        outcome.reachable = self.inquiry.reachable(asked.part);
        outcome.assumptions = assumptions(found.assumptions);
        if found.verdict == Verdict::True && self.opening.options.vacuity != VacuityCheck::Off {
            outcome.assumptions.extend(self.vacuity(asked)?);
        }
        let mut candidate = Candidate::plain("symbolic", outcome);
        if let Some(shown) = shown {
            candidate.names = shown.names;
            candidate.outcome.evidence = Some(shown.evidence);
            candidate.replays.push(shown.replay);
        }
        Ok(candidate)
    }

    /// What there is to say about the vacuity of a true property, if it is about all paths: of others it makes little sense to ask
    /// whether they are true for no good reason.
    fn vacuity(&mut self, asked: Asked<'_>) -> Result<Option<Assumption>, Halt> {
        let branching = |property, formula| Branching { property, written: Written::new(formula) };
        match asked.logic {
            Logic::Branching(formula) if is_universal(formula) => {
                self.vacuity_of(&branching(Property::Ctl, formula), asked)
            }
            Logic::Invariant(formula) => self.vacuity_of(&branching(Property::Invariant, formula), asked),
            Logic::Linear(formula) => self.vacuity_of(&Linear { written: Written::new(formula) }, asked),
            _ => Ok(None),
        }
    }

    fn vacuity_of<S: Subject>(&mut self, subject: &S, asked: Asked<'_>) -> Result<Option<Assumption>, Halt> {
        let spent = &mut self.spent[asked.part];
        let checker = self.inquiry.checker(asked)?;
        let manager = checker.model().manager.clone();
        let before = manager.n_steps();
        let allowance = match self.opening.options.vacuity {
            VacuityCheck::Full => None,
            _ => Some((FREE_STEPS + (before - *spent) / STEPS_PER_EXTRA).saturating_sub(*spent)),
        };
        let found = subject.quick_vacuity(checker, allowance);
        *spent += manager.n_steps() - before;
        let stopped = |reason: StopReason| Ok(Some(Assumption::VacuityUnknown(reason)));
        match found {
            Ok(quick) if !quick.vacuous.is_empty() => {
                let own = &self.opening.model.properties()[asked.property.index()];
                let comments = self.opening.model.comments();
                let text = |part| written_text(&own.source, subject.written().part(part).span, comments);
                Ok(Some(Assumption::Vacuous(quick.vacuous.into_iter().map(text).collect())))
            }
            Ok(quick) => Ok((!quick.open.is_empty()).then_some(Assumption::VacuityOpen)),
            Err(SymbolicError::Stopped(reason)) => stopped(reason),
            Err(refused) => Err(refused.into()),
        }
    }
}
