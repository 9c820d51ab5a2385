//! Which parts of properties do not matter: by decision diagrams where a model becomes such, else on its system.
//!
//! Every property has an answer of its own. One that could not be read, or broke, costs only itself. Lengths have no parts: those of
//! the file are passed over, those that are given are refused. So are properties of linear time where there are no diagrams.
//!
//! Why a part matters is shown for the last atom that does, or for all of them: with the constant in its place that could change the
//! verdict, the property has the other verdict, and what shows that is a run on which the property does not hold, or fail, for no
//! reason. An atom is shown rather than a larger part because by monotonicity its run serves for every part around it as well;
//! the last, because that is where a property says what is promised.

mod by_engines;
mod by_system;
mod notes;
mod property_parts;
mod subject;
mod symbolic;

pub(crate) use notes::VacuityNotes;

use crate::check::{expect_properties, read};
use crate::model::{is_bounded, is_made_for_diagrams};
use crate::refusal::refuse_unused;
use crate::{Flaw, Halt, Logic, Model, PropertyId, Question, Replay, Request, questions};
use tertium_evidence::PropertyName;
use tertium_logic::{Formula, Written};
use tertium_query::{Extent, Findings};
use tertium_report::{Detail, Message, VacuityAnswer};
use tertium_support::{Context, Diagnostics, Id, Source};
use tertium_truth::Verdict;

/// Why a length has no parts that matter or not.
const NO_TRUTH_VALUE: &str = "it is a length, and vacuity is about what is true or false";
/// Why some models have no answer about a property of linear time.
const BY_DIAGRAMS: &str = "it is of linear time, which takes decision diagrams, and this model has none";

/// So many sets of parts that do not matter together are listed.
pub(crate) const MOST_SETS: usize = 1_000;

/// How vacuous parts are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VacuityMethod {
    /// All parts at once.
    Vaquot,
    /// One after the other.
    Naive,
    /// All parts at once, and sets of them.
    Mutual,
    /// From large parts to small ones.
    Refine,
}

impl VacuityMethod {
    /// As in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Vaquot => "vaquot",
            Self::Naive => "naive",
            Self::Mutual => "mutual",
            Self::Refine => "refine",
        }
    }
}

/// What is wanted of an answer.
#[derive(Clone, Copy, Debug)]
pub struct VacuityOptions {
    /// How parts are looked for.
    pub method: VacuityMethod,
    /// Whether everything inside the vacuous parts is listed, and every atom that matters.
    pub all: bool,
    /// Whether it is shown why atoms matter.
    pub evidence: bool,
    /// How much of that is shown.
    pub detail: Detail,
}

/// What was found out about one property.
#[derive(Clone, Debug)]
pub struct PropertyVacuity {
    /// The answer as a record.
    pub answer: VacuityAnswer,
    /// Whether every part matters, or why there is no answer.
    pub all_matter: Result<Verdict, Halt>,
}

/// All answers about a file.
#[derive(Clone, Debug, Default)]
pub struct VacuityAnswers {
    /// One for each property.
    pub answers: Vec<PropertyVacuity>,
    /// What is suspicious about the file and the properties.
    pub warnings: Vec<(Source, Diagnostics)>,
    /// What else there is to say, in a sentence each.
    pub notes: Vec<String>,
    /// What was left out of the model, in a sentence each.
    pub left_out: Vec<String>,
}

/// Answers about every property of the file, or about those that were given.
pub fn check_vacuity(request: &Request<'_>, options: &VacuityOptions) -> Result<VacuityAnswers, Halt> {
    expect_properties(request)?;
    let (mut model, warnings) = read(request)?;
    refuse_unused(model.as_ref(), request.options)?;
    let mut answers = VacuityAnswers::default();
    if !warnings.is_empty() {
        answers.warnings.push((model.source().clone(), warnings));
    }
    let asked = questions(model.as_mut(), request.given, request.chosen)?;
    let asked = with_parts(request, model.as_ref(), asked, &mut answers)?;
    answers.warnings.extend(asked.iter().filter_map(|question| question.warnings.clone()));
    if is_made_for_diagrams(model.as_ref()) {
        symbolic::answer_all(request, model.as_ref(), options, &asked, &mut answers)?;
        return Ok(answers);
    }
    let own =
        |question: &Question| question.property.as_ref().is_ok_and(|&own| is_linear(model.as_ref(), own));
    let (linear, branching): (Vec<Question>, Vec<Question>) = asked.iter().cloned().partition(own);
    if !branching.is_empty() {
        by_system::answer_all(request, model.as_ref(), options, &branching, &mut answers)?;
    }
    if !linear.is_empty() {
        let mut before = std::mem::take(&mut answers.answers).into_iter();
        // Diagrams that cannot be made cost only the properties that need them.
        if let Err(halt) = symbolic::answer_all(request, model.as_ref(), options, &linear, &mut answers) {
            answers.answers = linear.iter().map(|own| unanswered(&own.name, halt.clone())).collect();
        }
        let mut found = std::mem::take(&mut answers.answers).into_iter();
        let in_order =
            asked.iter().filter_map(|question| if own(question) { found.next() } else { before.next() });
        answers.answers = in_order.collect();
        debug_assert_eq!(answers.answers.len(), asked.len(), "every question has an answer");
    }
    Ok(answers)
}

fn is_linear(model: &dyn Model, property: PropertyId) -> bool {
    matches!(model.properties()[property.index()].logic, Logic::Linear(_))
}

/// The questions without lengths, and without linear time where there are no diagrams for it.
fn with_parts(
    request: &Request<'_>,
    model: &dyn Model,
    asked: Vec<Question>,
    answers: &mut VacuityAnswers,
) -> Result<Vec<Question>, Halt> {
    let is_given = !request.given.is_empty();
    let is_length = |property: PropertyId| !model.properties()[property.index()].logic.has_truth_value();
    let has_diagrams = model.symbolic().is_some() && (is_made_for_diagrams(model) || is_bounded(model));
    let is_beyond = |property: PropertyId| !has_diagrams && is_linear(model, property);
    let mut kept = Vec::new();
    for mut question in asked {
        let lacking = question.property.as_ref().ok().and_then(|&property| match () {
            () if is_length(property) => Some(NO_TRUTH_VALUE),
            () if is_beyond(property) => Some(BY_DIAGRAMS),
            () => None,
        });
        if let Some(why) = lacking {
            let PropertyName { given, text, .. } = &question.name;
            if !is_given {
                answers.notes.push(format!("{given} is passed over: {why}"));
                continue;
            }
            question.property = Err(Halt::Refused(format!("{text} has no parts to look at: {why}")));
        }
        kept.push(question);
    }
    if kept.is_empty() {
        return Err(Halt::Refused(format!(
            "{} has no specification whose parts can be looked at; give a formula with -p, such as -p 'AG (req -> AF ack)'",
            model.source().name()
        )));
    }
    Ok(kept)
}

/// Whether every part matters. If some are open and none is known to be vacuous, the answer says that it may be so.
fn concluded(answer: &mut VacuityAnswer, findings: &Findings, written: &Written<Formula>) -> Verdict {
    match (findings.extent(written), answer.cause) {
        (Extent::None, None) => Verdict::True,
        (Extent::None, Some(cause)) => {
            let word = if findings.holds { "true" } else { "false" };
            answer.extent = None;
            answer.words = format!("perhaps vacuously {word}");
            Verdict::Unknown(cause)
        }
        (Extent::Some | Extent::All, _) => Verdict::False,
    }
}

/// The answer where there is none; a limit becomes a verdict.
fn unanswered(name: &PropertyName, halt: Halt) -> PropertyVacuity {
    if let Halt::Stopped(reason) = halt {
        let answer = VacuityAnswer::stopped(name, reason.into());
        return PropertyVacuity { answer, all_matter: Ok(Verdict::Unknown(reason.into())) };
    }
    let messages = match &halt {
        Halt::Faulty(source, complaints) => {
            complaints.iter().map(|complaint| Message::located(source, complaint)).collect()
        }
        Halt::Usage(why) | Halt::Refused(why) | Halt::Bug(why) => vec![Message::error(why)],
        Halt::Stopped(_) => Vec::new(),
    };
    PropertyVacuity { answer: VacuityAnswer::failed(name, messages), all_matter: Err(halt) }
}

/// Confirms what shows that the changed property `text` has its verdict; `false` if a limit was reached before that.
fn confirmed(context: &Context, replay: &dyn Replay, text: &str) -> Result<bool, Halt> {
    match replay.replay(context) {
        Ok(()) => Ok(true),
        Err(Flaw::GaveUp | Flaw::NoMeans | Flaw::Stopped(_)) => Ok(false),
        Err(Flaw::Wrong(flaw)) => {
            Err(Halt::Bug(format!("the evidence for {text} does not stand up to its validator: {flaw}")))
        }
    }
}
