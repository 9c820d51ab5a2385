//! The question: does this formula hold at the initial states of this system?
//!
//! A formula is *proved* at a state if it is necessarily true there, *refuted* if its negation is. The value is
//! Belnap's for this pair of bits, and the verdict says it for all initial states together. Definite verdicts come
//! with a strategy, unknown ones with what blocks them; see `strategy`, `blocking`.

use crate::blocking::{self, Halves};
use crate::naive::{Labelling, evaluate_with};
use crate::necessity::{Necessity, Prepared, Record};
use crate::question::{Question, Side};
use crate::reduced::evaluate_reduced_within;
use crate::thorough::{NotEnumerated, evaluate_thorough};
use tertium_evidence::{Assumption, Evidence, Outcome};
use tertium_logic::{Formula, Staying, staying_at_ends};
use tertium_support::{Context, Id, Statistics, StopReason};
use tertium_system::{PartialSystem, StateId, StateSet};
use tertium_truth::{Belnap, Cause, Verdict};

/// Which semantics of partial systems answers the question. Each is at least as precise as the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Semantics {
    /// Standard inductive semantics: operator by operator.
    #[default]
    Sis,
    /// Reduced inductive semantics: uses what states stand for at every modality.
    Ris,
    /// Thorough semantics: true or false iff so in every refinement; by enumeration.
    Thorough,
}

impl Semantics {
    /// The word for it, as options take it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sis => "sis",
            Self::Ris => "ris",
            Self::Thorough => "thorough",
        }
    }
}

/// What to do besides answering. Where the system was prepared with ranks, the inductive semantics use them for what they
/// leave open without; see `ranked`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which semantics.
    pub semantics: Semantics,
    /// Whether to collect evidence.
    pub record: Record,
}

impl Default for Settings {
    fn default() -> Self {
        Self { semantics: Semantics::Sis, record: Record::Moves }
    }
}

/// Answers the question within the limits of `context`. A proposition that the system does not have is unknown
/// everywhere, an action that it does not have is one that no step has; complain about them first with `unknown_names`.
/// A limit that is reached while evidence is collected costs the evidence, not the verdict.
pub fn check(context: &Context, prepared: &Prepared<'_>, formula: &Formula, settings: &Settings) -> Outcome {
    let system = prepared.system();
    let mut outcome = Outcome::new(Verdict::Unknown(Cause::Interrupted), sizes(system));
    outcome.assumptions = assumptions(system, formula, settings.semantics);
    let answered = match settings.semantics {
        Semantics::Thorough => thoroughly(context, prepared, formula, settings, &mut outcome),
        Semantics::Sis | Semantics::Ris => inductively(context, prepared, formula, settings, &mut outcome),
    };
    if let Err(reason) = answered {
        outcome.verdict = Verdict::Unknown(reason.into());
    }
    note_dependence(&mut outcome, || {
        let Staying::Other(staying) = staying_at_ends(formula) else { return Ok(None) };
        let semantics = if settings.semantics == Semantics::Ris { Semantics::Ris } else { Semantics::Sis };
        let mut other = Outcome::new(Verdict::Unknown(Cause::Imprecise), Statistics::default());
        let settings = Settings { semantics, record: Record::Values };
        inductively(context, prepared, &staying, &settings, &mut other).map(|()| Some(other.verdict))
    });
    outcome
}

/// Keeps the note about a state without successor if the answer is definite and would be another one, or none, if paths that end there
/// stayed there. `other` is the verdict on what the formula says then; nothing if that takes too long to say.
fn note_dependence(outcome: &mut Outcome, other: impl FnOnce() -> Result<Option<Verdict>, StopReason>) {
    let is_deadlock = |assumption: &Assumption| matches!(assumption, Assumption::Deadlock { .. });
    if !outcome.assumptions.iter().any(is_deadlock) {
        return;
    }
    if !outcome.is_definite() {
        outcome.assumptions.retain(|assumption| !is_deadlock(assumption));
        return;
    }
    let depends = match other() {
        Ok(Some(other)) => Ok(other != outcome.verdict),
        Ok(None) => Err(None),
        Err(reason) => Err(Some(reason)),
    };
    if depends != Ok(true) {
        outcome.assumptions.retain(|assumption| !is_deadlock(assumption));
    }
    if let Err(reason) = depends {
        outcome.assumptions.push(Assumption::DeadlocksUnknown(reason));
    }
}

/// Answers the question by the oracle, without evidence: for small systems, and to compare. Thorough semantics has no oracle of
/// its own; it counts as the standard one.
pub fn check_naively(
    context: &Context,
    system: &PartialSystem,
    formula: &Formula,
    semantics: Semantics,
) -> Outcome {
    let labelling = |formula: &Formula| match semantics {
        Semantics::Ris => evaluate_reduced_within(context, system, formula),
        Semantics::Sis | Semantics::Thorough => evaluate_with(context, system, formula, |_, found| found),
    };
    let initially = |labelling: &Labelling| -> Vec<_> {
        system.initial().iter().map(|&state| (state, labelling.at(state))).collect()
    };
    let mut outcome = match labelling(formula) {
        Ok(labelling) => {
            let values = initially(&labelling);
            Outcome { values: values.clone(), ..Outcome::new(verdict(&values), sizes(system)) }
        }
        Err(reason) => Outcome::new(Verdict::Unknown(reason.into()), sizes(system)),
    };
    outcome.assumptions = assumptions(system, formula, semantics);
    note_dependence(&mut outcome, || match staying_at_ends(formula) {
        Staying::Other(staying) => labelling(&staying).map(|labelling| Some(verdict(&initially(&labelling)))),
        _ => Ok(None),
    });
    outcome
}

/// What is counted before anything is done.
fn sizes(system: &PartialSystem) -> Statistics {
    let mut statistics = Statistics::default();
    statistics.set("states", system.n_states());
    statistics.set("transitions", system.transitions().len() + system.hyper_musts().len());
    statistics
}

/// The value of the formula at every state, without evidence, by an inductive semantics. Thorough semantics has
/// `evaluate_thorough`; here it counts as the standard one, which is what its evidence is collected by.
pub fn label(
    context: &Context,
    prepared: &Prepared<'_>,
    formula: &Formula,
    semantics: Semantics,
) -> Result<crate::Labelling, StopReason> {
    let question = Question::new(prepared, formula, semantics);
    let (proved, refuted) = question.both(context, Record::Values)?;
    let root = question.equations.root().index();
    Ok(crate::Labelling { must: proved.holds[root].clone(), may: refuted.holds[root].complement() })
}

/// What any answer to a question may rely on besides the input.
pub fn assumptions(system: &PartialSystem, formula: &Formula, semantics: Semantics) -> Vec<Assumption> {
    let mut assumptions = Vec::new();
    if staying_at_ends(formula) != Staying::Same {
        let among = |reached: &StateSet| system.deadlocks().find(|&state| reached.contains(state));
        let deadlock = |state, sure| Assumption::Deadlock { state: Some(state), steps: None, sure };
        let possible = || among(&system.reachable()).map(|state| deadlock(state, false));
        let certain = among(&system.surely_reachable()).map(|state| deadlock(state, true));
        assumptions.extend(certain.or_else(possible));
    }
    if semantics != Semantics::Sis && system.domain().is_none() {
        assumptions.push(Assumption::FlatDomain);
    }
    assumptions
}

fn inductively(
    context: &Context,
    prepared: &Prepared<'_>,
    formula: &Formula,
    settings: &Settings,
    outcome: &mut Outcome,
) -> Result<(), StopReason> {
    let system = prepared.system();
    let question = Question::new(prepared, formula, settings.semantics);
    outcome.statistics.set("formula nodes", question.graph.n_nodes());
    outcome.statistics.set("alternation depth", question.graph.alternation_depth());
    let root = question.equations.root();
    let standard = settings.semantics != Semantics::Ris;
    let nothing_open = standard && system.is_complete() && !question.equations.has_unknown_proposition();
    // Where something is open, both sides will mostly be asked for.
    let (mut proved, mut refuted) = if nothing_open {
        (question.necessity(context, Side::Proof, settings.record)?, None)
    } else {
        let (proved, refuted) = question.both(context, settings.record)?;
        (proved, Some(refuted))
    };
    outcome.statistics.add("steps looked at", proved.looked_at);
    let everywhere = system.initial().iter().all(|&state| proved.contains(root, state));
    if nothing_open && !everywhere {
        if settings.record == Record::Values {
            // What is not proved is refuted.
            let value = |&state| (state, Belnap::from(proved.contains(root, state)));
            outcome.values = system.initial().iter().map(value).collect();
            outcome.verdict = Verdict::False;
            return Ok(());
        }
        refuted = Some(question.necessity(context, Side::Refutation, settings.record)?);
        debug_assert!(
            refuted
                .as_ref()
                .is_none_or(|refuted| refuted.holds[root.index()].complement() == proved.holds[root.index()]),
            "where nothing is open, what is not proved is refuted"
        );
    }
    if let Some(refuted) = &refuted {
        outcome.statistics.add("steps looked at", refuted.looked_at);
    }
    let value = |&state: &StateId| {
        let is_refuted = refuted.as_ref().is_some_and(|refuted| refuted.contains(root, state));
        (state, Belnap::from_bits(proved.contains(root, state), !is_refuted))
    };
    outcome.values = system.initial().iter().map(value).collect();
    outcome.verdict = verdict(&outcome.values);
    if let (Verdict::Unknown(Cause::Imprecise), Some(refuted)) = (outcome.verdict, &mut refuted) {
        for (side, settled) in [(Side::Proof, Belnap::True), (Side::Refutation, Belnap::False)] {
            let necessity = if side == Side::Proof { &mut proved } else { &mut *refuted };
            let open = outcome.values.iter().filter(|(_, value)| *value == Belnap::Unknown);
            let states: Vec<StateId> = open.map(|&(state, _)| state).collect();
            question.by_ranks(context, side, necessity, &states)?;
            // What was settled before stays so: with ranks, the second side looks beyond what it was asked.
            for (state, value) in &mut outcome.values {
                if *value == Belnap::Unknown && necessity.contains(root, *state) {
                    *value = settled;
                }
            }
        }
        outcome.verdict = verdict(&outcome.values);
    }
    if settings.record == Record::Values {
        return Ok(());
    }
    match evidence(context, &question, outcome, &proved, refuted.as_ref()) {
        Ok(evidence) => outcome.evidence = evidence,
        Err(reason) => outcome.assumptions.push(Assumption::NoEvidence(reason)),
    }
    if let Some(Evidence::Proof(strategy) | Evidence::Refutation(strategy)) = &outcome.evidence {
        outcome.statistics.set("evidence positions", strategy.n_positions());
    }
    Ok(())
}

/// What supports the verdict that was found.
fn evidence(
    context: &Context,
    question: &Question<'_>,
    outcome: &Outcome,
    proved: &Necessity,
    refuted: Option<&Necessity>,
) -> Result<Option<Evidence>, StopReason> {
    let system = question.prepared.system();
    let first = |wanted: Belnap| {
        let found = outcome.values.iter().find(|&&(_, value)| value == wanted);
        found.map(|&(state, _)| state).expect("a verdict has a state that gives it")
    };
    let refuted = || refuted.expect("what is not proved everywhere was tried to refute");
    let proof = |states: &[StateId]| question.strategy(context, Side::Proof, proved, states);
    let refutation = |state| question.strategy(context, Side::Refutation, refuted(), &[state]);
    Ok(match outcome.verdict {
        Verdict::True => Some(Evidence::Proof(proof(system.initial())?)),
        Verdict::False => Some(Evidence::Refutation(refutation(first(Belnap::False))?)),
        Verdict::Unknown(Cause::Inconsistent) => {
            let state = first(Belnap::Inconsistent);
            Some(Evidence::Contradiction { proof: proof(&[state])?, refutation: refutation(state)? })
        }
        Verdict::Unknown(_) => {
            let halves = Halves {
                system,
                domain: question.domain,
                equations: &question.equations,
                proved,
                refuted: refuted(),
            };
            blocking::find(context, &halves, first(Belnap::Unknown))?.map(Evidence::Open)
        }
    })
}

/// All initial states together. A contradiction anywhere is reported as such: nothing can be concluded from it.
pub(crate) fn verdict(values: &[(StateId, Belnap)]) -> Verdict {
    let has = |wanted: Belnap| values.iter().any(|&(_, value)| value == wanted);
    if has(Belnap::Inconsistent) {
        Verdict::Unknown(Cause::Inconsistent)
    } else if has(Belnap::False) {
        Verdict::False
    } else if has(Belnap::Unknown) {
        Verdict::Unknown(Cause::Imprecise)
    } else {
        Verdict::True
    }
}

/// How many free steps and labels thorough semantics enumerates: 2 to this many refinements are a matter of minutes.
const MAX_FREE_BITS: usize = 22;

/// Whether the system has all propositions of the formula.
fn has_propositions_of(system: &PartialSystem, formula: &Formula) -> bool {
    formula.propositions().iter().all(|(name, _)| system.labels().names().get(name).is_some())
}

/// Thorough semantics, with the evidence of the standard one where that is definite already.
fn thoroughly(
    context: &Context,
    prepared: &Prepared<'_>,
    formula: &Formula,
    settings: &Settings,
    outcome: &mut Outcome,
) -> Result<(), StopReason> {
    let system = prepared.system();
    if system.is_complete() && system.domain().is_none() && has_propositions_of(system, formula) {
        // Its own only refinement: the standard semantics is the thorough one.
        outcome.statistics.set("refinements", 1u64);
        return inductively(context, prepared, formula, settings, outcome);
    }
    let thorough = match evaluate_thorough(context, system, formula, MAX_FREE_BITS) {
        Ok(thorough) => thorough,
        Err(too_large) => {
            match too_large {
                NotEnumerated::TooLarge { free_bits } => {
                    outcome.statistics.set("free steps and labels", free_bits)
                }
                NotEnumerated::TooManyStates { concrete } => {
                    outcome.statistics.set("concrete states", concrete)
                }
                NotEnumerated::Stopped(reason) => return Err(reason),
            }
            outcome.verdict = Verdict::Unknown(Cause::Bound);
            return Ok(());
        }
    };
    outcome.statistics.set("refinements", thorough.refinements);
    outcome.values = system.initial().iter().map(|&state| (state, thorough.labelling.at(state))).collect();
    outcome.verdict = verdict(&outcome.values);
    outcome.evidence = Some(Evidence::Enumeration { refinements: thorough.refinements });
    // What is open under thorough semantics is open under the standard one, which can say why.
    if settings.record == Record::Moves && outcome.verdict != Verdict::Unknown(Cause::Inconsistent) {
        let mut standard = outcome.clone();
        let found = inductively(context, prepared, formula, settings, &mut standard);
        debug_assert!(
            found.is_err()
                || matches!(standard.verdict, Verdict::Unknown(_))
                || standard.verdict == outcome.verdict,
            "what the standard semantics decides, the thorough one decides alike"
        );
        if found.is_ok() && standard.verdict == outcome.verdict && standard.evidence.is_some() {
            outcome.evidence = standard.evidence;
        }
    }
    Ok(())
}
