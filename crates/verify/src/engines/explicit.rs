//! The explicit engine: propagation and parity games on a system with may and must, given or found by a search.
//!
//! Of a model, the states that a search finds make the system; what lies beyond its bound is open in it, so definite verdicts hold
//! for the whole model. The bound grows in stages as long as something stays open, up to the bound that was asked for. So what lies near
//! the initial states is answered before the rest is looked at, and a limit that ends a stage leaves what the stages before it found. All
//! stages together cost at most a seventh more than the last one alone. The naive engine evaluates the definition on the same system: slow,
//! without evidence, for cross-checking.

use super::confirm::OnSystem;
use super::depth::{clear_of, near};
use super::listed::Listed;
use crate::advice::with;
use crate::model::{is_made_for_diagrams, relied_on};
use crate::{
    Asked, Candidate, Engine, FoundSystem, Halt, Logic, OffersSystem, Opening, Property, Session, Situation,
    Taken, Turn, Wanted, Work,
};
use std::sync::Arc;
use tertium_check::{
    MOST_SETTLED, Prepared, Record, Semantics, Settings, Settled, check, check_naively, open_parts, settle,
};
use tertium_evidence::{Advice, Detail, Origin, Outcome};
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier};
use tertium_support::{Id, Limits};
use tertium_truth::{Cause, Verdict};

/// So many states are looked at if nothing is said.
pub(crate) const MOST_STATES: usize = 50_000;
/// So many states the first stage looks at, and by so much the bound grows from stage to stage.
const FIRST_STATES: usize = 2_000;
const GROWTH: usize = 8;
/// The work that may be done to find out what would make an answer definite: less than a second.
const MOST_TRIED: u64 = 1 << 25;
/// Of a model that may have infinitely many states, a scheduler lets it grow up to here.
const MOST_UNBOUNDED: usize = FIRST_STATES * GROWTH * GROWTH * GROWTH;

/// The row of the fast checker.
pub(crate) const EXPLICIT: Engine = Engine {
    name: "explicit",
    title: "states one by one",
    fits: |model| model.system().is_some() && !is_made_for_diagrams(model),
    semantics: &[Semantics::Sis, Semantics::Ris, Semantics::Thorough],
    takes: &[Taken::States, Taken::Dot],
    on_bounded: Some(Turn::whole(0)),
    on_unbounded: Some(Turn::quarter(0)),
    open: |opening, work| open(opening, Method::Fast, work),
    suits: |model, property| match model.properties()[property.index()].logic {
        Logic::Branching(_) | Logic::Invariant(_) => true,
        Logic::Linear(_) => model.states().is_some(),
        Logic::Shortest(..) | Logic::Longest(..) => false,
    },
    advise,
};

/// The row of the oracle.
pub(crate) const NAIVE: Engine = Engine {
    name: "naive",
    title: "direct evaluation of the definition: slow, without evidence",
    fits: |model| model.system().is_some() && !is_made_for_diagrams(model),
    semantics: &[Semantics::Sis, Semantics::Ris],
    takes: &[Taken::States],
    on_bounded: None,
    on_unbounded: None,
    open: |opening, work| open(opening, Method::Naive, work),
    suits: |_, _| false,
    advise,
};

/// What the cause leaves to do on a system of states.
fn advise(situation: &Situation<'_>) -> Vec<Advice> {
    match situation.cause {
        Cause::Bound if situation.options.semantics == Semantics::Thorough => {
            vec![with("--semantics", Semantics::Ris.word())]
        }
        Cause::Inconsistent => vec![situation.on_the_file("consistent")],
        _ => Vec::new(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Fast,
    Naive,
}

struct Explicit<'m> {
    opening: Opening<'m>,
    offer: &'m dyn OffersSystem,
    method: Method,
    /// What was found last, and within which bound.
    found: Option<(Arc<FoundSystem>, Prepared<'static>, usize)>,
    /// For properties of linear time.
    listed: Listed<'m>,
}

fn open(opening: Opening<'_>, method: Method, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer = opening.model.system().ok_or_else(|| Halt::Bug("the model offers no system".to_owned()))?;
    work(&mut Explicit { opening, offer, method, found: None, listed: Listed::new(opening) });
    Ok(())
}

impl Session for Explicit<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let lists = self.method == Method::Fast && self.opening.model.states().is_some();
        if lists && matches!(asked.logic, Logic::Linear(_)) {
            return self.on_paths(asked);
        }
        let formula = formula(&self.opening, asked)?;
        let record = asked.record(self.opening.options);
        let last = self.last_bound();
        let mut most = if self.offer.is_given() { last } else { last.min(FIRST_STATES) };
        let mut before: Option<Arc<FoundSystem>> = None;
        loop {
            let (found, outcome) = match (self.try_within(&formula, record, most), before) {
                (Ok(tried), _) => tried,
                (Err(Halt::Stopped(reason)), Some(found)) => {
                    let outcome = Outcome::unknown(reason);
                    return Ok(self.candidate(found, asked.logic, formula, outcome));
                }
                (Err(Halt::Stopped(reason)), None) if asked.wanted == Wanted::Everything => {
                    let Opening { context, model, options, .. } = self.opening;
                    let clear = near(context, model, options, asked.property, asked.logic);
                    let mut candidate = Candidate::plain(self.words(), Outcome::unknown(reason));
                    candidate.details.extend(clear);
                    return Ok(candidate);
                }
                (Err(halt), _) => return Err(halt),
            };
            let is_open = matches!(outcome.verdict, Verdict::Unknown(Cause::Bound));
            if !is_open || most >= last {
                let is_given = self.offer.is_given() && asked.wanted == Wanted::Everything;
                let advice = match outcome.verdict {
                    Verdict::Unknown(Cause::Imprecise) if is_given => self.more_precise(&found, &formula),
                    _ => Vec::new(),
                };
                let candidate = self.candidate(found, asked.logic, formula, outcome);
                return Ok(Candidate { advice, ..candidate });
            }
            most = most.saturating_mul(GROWTH).min(last);
            before = Some(found);
        }
    }
}

impl Explicit<'_> {
    fn last_bound(&self) -> usize {
        match (self.opening.options.states, self.opening.growing) {
            (Some(most), _) => most,
            (None, true) if self.offer.is_bounded() => usize::MAX,
            (None, true) => MOST_UNBOUNDED,
            (None, false) => MOST_STATES,
        }
    }

    /// What makes the answer on a given system definite, each tried: another semantics, or settling what is open.
    fn more_precise(&self, found: &FoundSystem, formula: &Formula) -> Vec<Advice> {
        let limits = Limits { work: Some(MOST_TRIED), ..Limits::default() };
        let (context, _cancel) = self.opening.context.branch_with(limits);
        let own = self.opening.options.semantics;
        let mut advice = Vec::new();
        let Ok(prepared) = Prepared::shared(&context, Arc::clone(&found.system)) else { return advice };
        let later =
            [Semantics::Ris, Semantics::Thorough].into_iter().skip(usize::from(own == Semantics::Ris));
        for semantics in later.filter(|_| own != Semantics::Thorough) {
            let settings = Settings { semantics, record: Record::Values };
            if check(&context, &prepared, formula, &settings).is_definite() {
                advice.push(with("--semantics", semantics.word()));
                break;
            }
        }
        let settled = if open_parts(&found.system, formula).is_empty() {
            None
        } else {
            settle(&context, &found.system, formula, own).ok()
        };
        advice.extend(settled.map(|settled| match settled {
            Settled::By(settling) => Advice::Settle(settling),
            Settled::Nothing { all } => Advice::NothingSettles { most: MOST_SETTLED, all },
        }));
        advice
    }

    /// The answer to a property of linear time, in the same stages.
    fn on_paths(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let last = self.last_bound();
        let mut most = last.min(FIRST_STATES);
        loop {
            let found = self.listed.find(asked, most)?;
            let is_open = matches!(found.0.verdict, Verdict::Unknown(Cause::Bound));
            if !is_open || most >= last {
                return self.listed.candidate(asked, found);
            }
            most = most.saturating_mul(GROWTH).min(last);
        }
    }

    fn try_within(
        &mut self,
        formula: &Formula,
        record: Record,
        most: usize,
    ) -> Result<(Arc<FoundSystem>, Outcome), Halt> {
        let context = self.opening.context;
        let known = self.found.take().filter(|(found, _, bound)| found.is_complete() || *bound >= most);
        let (found, prepared, bound) = match known {
            Some(known) => known,
            None => {
                let found = Arc::new(self.offer.system(context, self.opening.asked, most)?);
                let prepared = Prepared::shared(context, Arc::clone(&found.system))?;
                (found, prepared, most)
            }
        };
        let options = self.opening.options;
        let mut outcome = match self.method {
            Method::Naive => check_naively(context, prepared.system(), formula, options.semantics),
            Method::Fast => {
                let settings = Settings { semantics: options.semantics, record };
                check(context, &prepared, formula, &settings)
            }
        };
        let cut = !found.is_complete();
        self.found = Some((Arc::clone(&found), prepared, bound));
        if cut && outcome.verdict == Verdict::Unknown(Cause::Imprecise) {
            // The model leaves nothing open, the bound does; what blocks is a state that is not there.
            outcome.verdict = Verdict::Unknown(Cause::Bound);
            outcome.evidence = None;
        }
        Ok((found, outcome))
    }

    /// Which engine this is.
    fn words(&self) -> String {
        let semantics = match self.opening.options.semantics {
            Semantics::Sis => "",
            Semantics::Ris => ", ris",
            Semantics::Thorough => ", thorough",
        };
        let name = if self.method == Method::Naive { "naive" } else { "explicit" };
        format!("{name}{semantics}")
    }

    fn candidate(
        &self,
        found: Arc<FoundSystem>,
        logic: &Logic,
        formula: Formula,
        outcome: Outcome,
    ) -> Candidate<'_> {
        let options = self.opening.options;
        let mut candidate = Candidate::plain(self.words(), outcome);
        candidate.names = Arc::clone(&found.names);
        candidate.origin = if self.offer.is_given() { Origin::Given } else { Origin::Model };
        if matches!(candidate.outcome.verdict, Verdict::Unknown(_)) {
            candidate.details.extend(found.left_out.iter().cloned().map(Detail::LeftOut));
            candidate.details.extend(clear_of(self.opening.context, &found.system, logic));
        }
        if candidate.outcome.is_definite() {
            candidate.outcome.assumptions.extend(relied_on(self.opening.model));
        }
        if let Some(evidence) = &candidate.outcome.evidence {
            candidate.replays.push(Box::new(OnSystem {
                system: Arc::clone(&found.system),
                ranks: None,
                semantics: options.semantics,
                formula,
                verdict: candidate.outcome.verdict,
                evidence: evidence.clone(),
            }));
        }
        candidate
    }
}

/// The formula of a property of branching time; an invariant is one.
pub(super) fn formula(opening: &Opening<'_>, asked: Asked<'_>) -> Result<Formula, Halt> {
    branching(&opening.model.properties()[asked.property.index()], asked.logic)
}

/// The same of what a property says, or of what it says with other parts.
pub(crate) fn branching(own: &Property, logic: &Logic) -> Result<Formula, Halt> {
    match logic {
        Logic::Branching(formula) => Ok(formula.clone()),
        Logic::Invariant(formula) => {
            let always = PathOperator::Globally(Box::new(formula.clone()));
            Ok(Formula { kind: FormulaKind::Path(PathQuantifier::All, always), span: formula.span })
        }
        Logic::Linear(_) | Logic::Shortest(..) | Logic::Longest(..) => Err(Halt::Refused(format!(
            "{} is not a property of branching time, which this engine is for",
            own.name.text
        ))),
    }
}
