//! Witnesses that were written down, by us or by others, judged on a program.
//!
//! A witness of a violation leads a run of the program itself: it gives the values from outside, and the run has to end with the
//! violation. The conditions of a witness of correctness are not believed: they are put into the text of the program, and every engine
//! may show that no run breaks one of them, and that the property holds. What is definite passed its validators, as in every check.

use crate::check::{check, read};
use crate::specification::read_properties;
use crate::{
    Admitted, Given, Halt, Input, Listener, Machine, Options, PropertyId, Question, ReadOptions, Replayed,
    Request, questions,
};
use crate::{DataModel, Tables};
use std::path::Path;
use tertium_evidence::PropertyName;
use tertium_report::witness::{
    ReadWitness, Witness, WitnessContent, WitnessDataModel, WitnessInvariant, WitnessTask, read_witnesses,
};
use tertium_report::{Message, ReplayEntry, ReplayReport};
use tertium_support::{Context, Diagnostic, Source};
use tertium_truth::Verdict;

/// Models that others write witnesses about.
pub trait OffersWitnesses {
    /// Whether a witness is about this file, or what is different.
    fn is_about(&self, task: &WitnessTask) -> Result<(), String>;

    /// The property that a witness is about, as a text that the model reads.
    fn specification(&self, task: &WitnessTask) -> String;

    /// Leads runs along a witness of a violation.
    fn lead(&self, context: &Context, property: PropertyId, witness: &Witness) -> Result<Led, Halt>;

    /// The file with conditions in its text, or what is wrong with them.
    fn with_conditions(
        &self,
        context: &Context,
        conditions: &[WitnessInvariant],
    ) -> Result<Result<Conditioned, Vec<String>>, Halt>;

    /// The formula that says that a property holds and none of these states is reached; nothing if the property asks for something else
    /// than that states are not reached.
    fn together(&self, property: PropertyId, never: &[String]) -> Option<String>;
}

/// How far a witness led a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Led {
    /// How many waypoints were passed.
    pub passed: usize,
    /// Whether the run shows the violation, or why not.
    pub outcome: Result<(), String>,
    /// Whether that may be because the witness leaves values from outside open.
    pub is_open: bool,
}

/// A file with conditions in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditioned {
    /// The text. Every run of the file is one of this, unless it is the only one.
    pub text: String,
    /// A state that is reached if a condition does not hold, for each one at a place where control can come.
    pub broken: Vec<String>,
    /// What each of these is called in messages.
    pub names: Vec<String>,
    /// Whether the program asks for nothing from outside. Then the text has only one run, too, which ends where a condition has no
    /// value: the property is asked of the file as it is.
    pub is_alone: bool,
}

/// Whether a file holds witnesses, and no result of ours.
pub fn is_witness(text: &str) -> bool {
    !text.trim_start().starts_with('{') && text.contains("entry_type")
}

/// Witnesses of a file, with how programs have to be read to be judged by them.
pub fn read_witness_file(
    source: &Source,
    path: &Path,
    options: &ReadOptions,
) -> Result<(ReadWitness, ReadOptions), Halt> {
    let found = read_witnesses(source).map_err(|wrong| Halt::faulty(source, wrong))?;
    let mut options = options.clone();
    let on_machine = Tables::default().formats.by_name(path).is_none_or(|format| format.on_machine);
    if let (Some(first), true) = (found.witnesses.first(), on_machine) {
        let model = match first.task.data_model {
            WitnessDataModel::Ilp32 => DataModel::Ilp32,
            WitnessDataModel::Lp64 => DataModel::Lp64,
        };
        if options.machine.data_model.is_some_and(|own| own != model) {
            let (file, name) = (source.name(), first.task.data_model.name());
            return Err(Halt::Usage(format!("{file} is about machines of the data model {name}")));
        }
        options.machine = Machine { data_model: Some(model), ..options.machine };
    }
    Ok((found, options))
}

/// Judges the witnesses of a file called `run`: those about properties with these names, or all.
pub fn replay_witnesses(
    request: &Request<'_>,
    run: &str,
    witnesses: &[Witness],
    names: &[String],
) -> Result<Replayed, Halt> {
    let (mut model, warnings) = read(request)?;
    let mut results = Vec::new();
    for witness in witnesses {
        let judge = Judge { request, witness };
        let offer = model.witnesses().ok_or_else(|| {
            Halt::Refused(format!("{} is no program that witnesses are written about", request.input.name))
        })?;
        let about = offer.is_about(&witness.task);
        let line = offer.specification(&witness.task);
        let given = judge.given(&line);
        let asked = questions(model.as_mut(), std::slice::from_ref(&given), request.chosen)?;
        let Some(Question { name, property, .. }) = asked.into_iter().next() else {
            return Err(Halt::Refused(format!("{run} names no property")));
        };
        let (title, property) = (short(&line).unwrap_or(name.given), property?);
        if !names.is_empty() && !names.contains(&title) {
            continue;
        }
        let offer = model.witnesses().ok_or_else(|| Halt::Bug("it was a program before".to_owned()))?;
        results.push(match about {
            Err(why) => judge.entry(title, 0, Judged::Differs(why)),
            Ok(()) => judge.judged(offer, title, &given, property)?,
        });
    }
    if results.is_empty() {
        return Err(Halt::Refused(format!("{run} has no witness about a property of this name")));
    }
    let messages = warnings.iter().map(|warning| Message::located(model.source(), warning)).collect();
    let report = ReplayReport::new(request.input.name.clone(), run.to_owned(), results, messages);
    let warnings = (!warnings.is_empty()).then(|| (model.source().clone(), warnings));
    Ok(Replayed { report, warnings })
}

/// The short name of a line of a property file.
fn short(line: &str) -> Option<String> {
    let lines = read_properties(&Source::new("<specification>", line)).ok()?;
    Some(lines.first()?.specification.name().to_owned())
}

/// What is said about a witness.
enum Judged {
    Shows,
    Differs(String),
    Open(String),
}

struct Judge<'a> {
    request: &'a Request<'a>,
    witness: &'a Witness,
}

impl Judge<'_> {
    fn given(&self, text: &str) -> Given {
        Given { written: text.to_owned(), source: Ok(Source::new("<specification>", text)) }
    }

    fn entry(&self, property: String, steps: usize, judged: Judged) -> ReplayEntry {
        let (holds, counted) = match self.witness.content {
            WitnessContent::Violation(_) => (false, "waypoint"),
            WitnessContent::Correctness(_) => (true, "invariant"),
        };
        let (outcome, shows, reason) = match judged {
            Judged::Shows => ("fits", Some(true), None),
            Judged::Differs(why) => ("differs", Some(false), Some(why)),
            Judged::Open(why) => ("fits", None, Some(why)),
        };
        ReplayEntry { property, verdict: Some(holds), outcome, steps, shows, reason, misfit: None, counted }
    }

    fn judged(
        &self,
        offer: &dyn OffersWitnesses,
        title: String,
        given: &Given,
        property: PropertyId,
    ) -> Result<ReplayEntry, Halt> {
        let conditions = match &self.witness.content {
            WitnessContent::Violation(_) => {
                let led = offer.lead(self.request.context, property, self.witness)?;
                let judged = match led.outcome {
                    Ok(()) => Judged::Shows,
                    Err(why) if led.is_open => {
                        Judged::Open(format!("it leaves values open, and with those that were tried {why}"))
                    }
                    Err(why) => Judged::Differs(why),
                };
                return Ok(self.entry(title, led.passed, judged));
            }
            WitnessContent::Correctness(conditions) => conditions,
        };
        let conditioned = match offer.with_conditions(self.request.context, conditions)? {
            Ok(conditioned) => conditioned,
            Err(wrong) => return Ok(self.entry(title, 0, Judged::Differs(wrong.join("; ")))),
        };
        let together = offer.together(property, &conditioned.broken);
        let judged = self.shown(&conditioned, together, given)?;
        Ok(self.entry(title, conditions.len(), judged))
    }

    /// Whether the conditions hold and the property does: first all at once, and if that is not shown one after the other.
    fn shown(
        &self,
        conditioned: &Conditioned,
        together: Option<String>,
        given: &Given,
    ) -> Result<Judged, Halt> {
        let file = self.request.input;
        let changed = Input { bytes: conditioned.text.clone().into_bytes(), ..file.clone() };
        let each: Vec<Given> =
            conditioned.broken.iter().map(|state| self.given(&format!("AG !{state}"))).collect();
        let all = together.map(|formula| self.given(&formula));
        if let Some(all) = &all
            && !conditioned.is_alone
            && let [Some(Verdict::True)] = self.verdicts(&changed, std::slice::from_ref(all), None)?[..]
        {
            return Ok(Judged::Shows);
        }
        let most = all.is_some().then_some(self.request.work_each.unwrap_or(WORK_EACH));
        let most = if conditioned.is_alone { None } else { most };
        let mut found = self.verdicts(&changed, &each, most)?;
        let names = conditioned.names.iter().map(String::as_str).chain(["the property"]);
        let broken = |found: &[Option<Verdict>], verdict: fn(&Verdict) -> bool, words: &str| {
            let those = names.clone().zip(found).filter(|(_, own)| own.as_ref().is_some_and(verdict));
            let those: Vec<String> = those.map(|(name, _)| format!("{name} {words}")).collect();
            (!those.is_empty()).then(|| those.join("; "))
        };
        let is_false = |own: &Verdict| *own == Verdict::False;
        if let Some(why) = broken(&found, is_false, "does not hold") {
            return Ok(Judged::Differs(why));
        }
        found.extend(self.verdicts(file, std::slice::from_ref(given), most)?);
        if let Some(why) = broken(&found, is_false, "does not hold") {
            return Ok(Judged::Differs(why));
        }
        if found.iter().all(|own| *own == Some(Verdict::True)) {
            return Ok(Judged::Shows);
        }
        let open: Vec<Option<Verdict>> = found
            .into_iter()
            .map(|own| own.or(Some(Verdict::Unknown(tertium_truth::Cause::Imprecise))))
            .collect();
        let why = broken(&open, |own| matches!(own, Verdict::Unknown(_)), "was not shown");
        Ok(Judged::Open(why.unwrap_or_default()))
    }

    /// The verdicts of questions about a file.
    fn verdicts(
        &self,
        input: &Input,
        given: &[Given],
        most: Option<u64>,
    ) -> Result<Vec<Option<Verdict>>, Halt> {
        if given.is_empty() {
            return Ok(Vec::new());
        }
        let read = ReadOptions { warnings: false, ..self.request.read.clone() };
        let options = Options::default();
        let work_each = most.or(self.request.work_each);
        let request = Request { input, given, read: &read, options: &options, work_each, ..*self.request };
        let mut heard = Heard::default();
        check(&request, &mut heard)?;
        match heard.wrong {
            Some(halt) => Err(halt),
            None => Ok(heard.verdicts),
        }
    }
}

/// The work for each question that only says which condition is not shown.
const WORK_EACH: u64 = 1 << 31;

/// The verdicts, in order.
#[derive(Default)]
struct Heard {
    verdicts: Vec<Option<Verdict>>,
    wrong: Option<Halt>,
}

impl Listener for Heard {
    fn warnings(&mut self, _: &Source, _: &[Diagnostic]) {}

    fn questions(&mut self, _: &[Question]) -> Result<(), Halt> {
        Ok(())
    }

    fn answer(&mut self, admitted: Admitted) {
        if let Some(bug) = admitted.bug {
            self.wrong = Some(Halt::Bug(bug));
        }
        self.verdicts.push(Some(admitted.answer.outcome.verdict));
    }

    fn trouble(&mut self, _: &PropertyName, halt: Halt) {
        self.verdicts.push(None);
        if !matches!(halt, Halt::Stopped(_)) {
            self.wrong = Some(halt);
        }
    }
}
