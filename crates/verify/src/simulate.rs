//! Runs of a model made step by step: at random, or as somebody wants.
//!
//! A format says where its models begin and which steps are enabled at a written state; the rest is the same for all. What can be chosen
//! is in an order that does not change, so a seed or a list of commands gives the same run each time. Cost: the enabled steps of each
//! state that is entered, once. Invariant: the run up to where one is has one state more than steps, unless it has not begun.

use crate::{Halt, Logic, Model, PropertyId, ReadOptions, Request};
use tertium_evidence::value_of;
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, as_claim, is_boolean};
use tertium_report::{
    Choice, Detail, Message, Offer, PathReport, SCHEMA, SimulationReport, StateReport, StepReport, ToolInfo,
    choices_text, cut, place_text, state_in_full,
};
use tertium_support::{Context, Diagnostic, Diagnostics, Id, Rng, Source};
use tertium_truth::{Cause, Verdict};

/// At one place no more than so many choices are looked for.
pub(crate) const MOST_CHOICES: usize = 4096;
/// What can be typed.
const HELP: &str = "\
a number takes the step, `3 n=17` step 3 with this input, `r N` N random steps, `b N` back, `j K` jump to step K, `l` all steps,
`s` the state, `t` the trace, `p` properties of the state, `?` help, `q` quit\n";

/// The steps of a model, one state after the other.
pub trait Steps {
    /// Where it begins.
    fn initial(&self, context: &Context) -> Result<Offer, Halt>;
    /// The steps that are enabled at a state that was offered.
    fn enabled(&self, context: &Context, state: &StateReport) -> Result<Offer, Halt>;
    /// A step with other inputs from such a state, or why there is none; nothing if steps are only found by listing them.
    fn with_inputs(&self, _state: &StateReport, _step: &StepReport) -> Option<Result<Choice, String>> {
        None
    }
    /// Whether a proposition of a property holds at such a state; nothing if that cannot be said of a state.
    fn holds(&self, property: PropertyId, proposition: &str, state: &StateReport) -> Option<bool>;
}

/// A run that is being made.
pub struct Simulation<'m> {
    context: &'m Context,
    read: &'m ReadOptions,
    model: &'m dyn Model,
    messages: Vec<Message>,
    steps: Box<dyn Steps + 'm>,
    rng: Rng,
    seed: u64,
    detail: Detail,
    /// The run, also what lies behind the place where one is.
    run: PathReport,
    /// By step: whether the model leaves it open.
    unsure: Vec<bool>,
    /// How many states of the run lie up to where one is.
    at: usize,
    /// Where the model begins.
    initial: Offer,
    /// What can be chosen where one is, once it was asked for.
    offer: Option<Offer>,
    /// Why not everything was considered where something was drawn.
    cut: Option<String>,
}

impl<'m> Simulation<'m> {
    /// Begins, if there is only one place to begin.
    pub fn new(
        request: &'m Request<'m>,
        (model, warnings): (&'m dyn Model, &Diagnostics),
        seed: u64,
        detail: Detail,
    ) -> Result<Self, Halt> {
        let (context, read) = (request.context, request.read);
        let messages = warnings.iter().map(|own| Message::located(model.source(), own)).collect();
        let file = model.source().name();
        let runs = model.runs().ok_or_else(|| Halt::Refused(format!("{file} has no steps to take")))?;
        let steps = runs.steps();
        let initial = steps.initial(context)?;
        if initial.choices.is_empty() {
            return Err(Halt::Refused(format!("{file} has no initial state")));
        }
        let run = nothing();
        let rng = Rng::seeded(seed);
        let (unsure, at, offer) = (Vec::new(), 0, None);
        let mut own = Self {
            context,
            read,
            model,
            messages,
            steps,
            rng,
            seed,
            detail,
            run,
            unsure,
            at,
            initial,
            offer,
            cut: None,
        };
        if own.lowest() == 1 {
            own.take(own.initial.choices[0].clone());
        }
        Ok(own)
    }

    /// No way leads further back: to the choice of a beginning, if there is one.
    fn lowest(&self) -> usize {
        usize::from(self.initial.choices.len() == 1 && self.initial.more.is_none())
    }

    /// The run up to where one is.
    fn so_far(&self) -> PathReport {
        PathReport {
            states: self.run.states[..self.at].to_vec(),
            steps: self.run.steps[..self.at.saturating_sub(1)].to_vec(),
            loop_start: None,
        }
    }

    fn state(&self) -> Option<&StateReport> {
        self.at.checked_sub(1).map(|last| &self.run.states[last])
    }

    fn offer(&mut self) -> Result<&Offer, Halt> {
        let offer = match (self.offer.take(), self.state()) {
            (Some(offer), _) => offer,
            (None, None) => self.initial.clone(),
            (None, Some(state)) => match self.steps.enabled(self.context, state) {
                // What led here is worth to be seen, all the more.
                Err(Halt::Faulty(source, complaints)) => {
                    let own = complaints.iter().map(|complaint| Message::located(&source, complaint));
                    self.messages.extend(own);
                    let told = complaints.first().map(|complaint| placed_message(&source, complaint));
                    Offer { choices: Vec::new(), more: told }
                }
                offered => offered?,
            },
        };
        Ok(self.offer.insert(offer))
    }

    fn take(&mut self, choice: Choice) {
        self.run.states.truncate(self.at);
        self.run.steps.truncate(self.at.saturating_sub(1));
        self.unsure.truncate(self.at.saturating_sub(1));
        if let Some(step) = choice.step {
            self.run.steps.push(step);
            self.unsure.push(choice.unsure);
        }
        self.run.states.push(choice.state);
        self.go(self.at + 1);
        debug_assert_eq!(self.run.states.len(), self.run.steps.len() + 1, "each step leads to a state");
    }

    fn go(&mut self, at: usize) {
        debug_assert!(at <= self.run.states.len(), "it is a place of the run");
        self.at = at;
        self.offer = None;
    }

    /// Takes up to so many random steps, and begins before if need be: first who moves how is drawn, then with which inputs and where to.
    pub fn random(&mut self, n: usize) -> Result<(), Halt> {
        let wanted = self.at.max(1).saturating_add(n);
        while self.at < wanted {
            self.context.poll()?;
            let Offer { choices, more } = self.offer()?.clone();
            self.cut = more.filter(|_| !choices.is_empty()).or(self.cut.take());
            let key =
                |own: &Choice| own.step.as_ref().map(|s| (s.process.clone(), s.action.clone(), s.command));
            let mut kinds: Vec<_> = choices.iter().map(key).collect();
            kinds.sort();
            kinds.dedup();
            if kinds.is_empty() {
                return Ok(());
            }
            let kind = self.rng.pick(&kinds).clone();
            let those: Vec<&Choice> = choices.iter().filter(|own| key(own) == kind).collect();
            let chosen = (*self.rng.pick(&those)).clone();
            self.take(chosen);
        }
        Ok(())
    }

    /// Where one is, and what can be chosen.
    pub fn show(&mut self) -> Result<String, Halt> {
        let (run, detail) = (self.so_far(), self.detail);
        let place = if self.at == 0 { String::new() } else { place_text(&run, detail) };
        Ok(place + &choices_text(run.states.last(), self.offer()?, false, detail))
    }

    /// Does what a line says, and tells what is to be shown; nothing if it is the end.
    pub fn obey(&mut self, line: &str) -> Result<Option<String>, Halt> {
        if let Some((number, inputs)) = typed(line) {
            return self.take_with(number, &inputs).map(Some);
        }
        let mut words = line.split_whitespace();
        let (word, number) = (words.next().unwrap_or(""), words.next());
        let count =
            number.map_or(Some(1), |text| text.parse::<usize>().ok()).filter(|_| words.next().is_none());
        let begun = self.at > 0;
        Ok(Some(match (word, count) {
            ("q", _) => return Ok(None),
            ("?", _) => HELP.to_owned(),
            ("r", Some(n)) => {
                let before = self.at;
                self.random(n - usize::from(!begun && n > 0))?;
                if self.at == before { "no step was taken\n".to_owned() } else { self.show()? }
            }
            ("b", Some(_)) if self.at == self.lowest() => "this is where it begins\n".to_owned(),
            ("b", Some(n)) => {
                self.go(self.at.saturating_sub(n).max(self.lowest()));
                self.show()?
            }
            ("j", Some(step)) if number.is_some() && step < self.run.states.len() => {
                self.go(step + 1);
                self.show()?
            }
            ("j", _) => match self.run.states.len() {
                0 => "there is no step to jump to yet\n".to_owned(),
                n => format!("the run has the steps 0 to {}: type `j` and one of them\n", n - 1),
            },
            ("l", _) => {
                let (from, detail) = (self.state().cloned(), self.detail);
                choices_text(from.as_ref(), self.offer()?, true, detail)
            }
            ("s" | "t" | "p", _) if !begun => "it has not begun: type the number of a state\n".to_owned(),
            ("s", _) => state_in_full(&self.so_far(), "state", Detail::Full),
            ("t", _) => {
                let left = self.offer()?.clone();
                self.record(self.so_far(), Ok(left))?.0.text(self.detail)
            }
            ("p", _) => self.properties(),
            (word, Some(_)) if number.is_none() && word.parse::<usize>().is_ok() => {
                let offer = self.offer()?;
                let n = offer.choices.len();
                match word.parse::<usize>().ok().and_then(|n| offer.choices.get(n.checked_sub(1)?)).cloned() {
                    Some(choice) => {
                        self.take(choice);
                        self.show()?
                    }
                    None if n == 0 => "there is no step to take: `b` goes back, `q` quits\n".to_owned(),
                    None => format!("there is no choice {word}: type a number from 1 to {n}, or `?`\n"),
                }
            }
            _ => format!("this is no command: {HELP}"),
        }))
    }

    /// Takes the step of a choice with these inputs in place of its own.
    fn take_with(&mut self, number: usize, inputs: &[(&str, &str)]) -> Result<String, Halt> {
        let offer = self.offer()?.clone();
        let chosen = number.checked_sub(1).and_then(|at| offer.choices.get(at));
        let Some(mut step) = chosen.and_then(|choice| choice.step.clone()) else {
            return Ok(format!("there is no step {number} to give inputs to\n"));
        };
        for (name, value) in inputs {
            let Some(own) = step.inputs.get_mut(*name) else {
                let names: Vec<&str> = step.inputs.keys().map(String::as_str).collect();
                let has =
                    if names.is_empty() { "none".to_owned() } else { format!("`{}`", names.join("`, `")) };
                return Ok(format!("step {number} has no input `{}`; it has {has}\n", cut(name)));
            };
            *own = (*value).into();
        }
        let state = self.state().expect("only a run that has begun has steps").clone();
        let is_meant = |own: &&Choice| {
            own.step.as_ref().is_some_and(|other| {
                (&other.process, &other.action, &other.inputs) == (&step.process, &step.action, &step.inputs)
            })
        };
        let found = self.steps.with_inputs(&state, &step).unwrap_or_else(|| {
            let meant: Vec<&Choice> = offer.choices.iter().filter(is_meant).collect();
            match meant.as_slice() {
                [only] => Ok((*only).clone()),
                [] => Err("no step with these inputs was found".to_owned()),
                [_, ..] => Err("several steps have these inputs: type the number of one".to_owned()),
            }
        });
        match found {
            Ok(choice) => {
                self.take(choice);
                self.show()
            }
            Err(why) => Ok(format!("{why}\n")),
        }
    }

    /// What properties say of the state: those that are about each state, or the first.
    fn properties(&self) -> String {
        let Some(state) = self.state() else { return String::new() };
        let mut text = String::new();
        for (n, property) in self.model.properties().iter().enumerate() {
            let condition = condition(&property.logic);
            let holds = |name: &str| self.steps.holds(PropertyId::new(n), name, state);
            let value = condition.as_ref().and_then(|formula| value_of(formula, &holds));
            let given = &property.name.given;
            text += &match (value, condition) {
                (Some(value), Some(formula)) => {
                    format!("    {value:<5}  {given}: {}\n", self.model.text(&Logic::Branching(formula)))
                }
                _ => format!("    path   {given}: {} is not about one state\n", property.name.text),
            };
        }
        if text.is_empty() { "the file has no properties\n".to_owned() } else { text }
    }

    /// The run as a record, and how it ended: a limit makes it unknown. Whoever ends the run sets the exit status.
    pub fn report(mut self, ended: Result<(), Halt>) -> Result<(SimulationReport, Verdict), Halt> {
        // Whether it can go on is part of the record, and a limit may be reached on the way to it.
        let left = ended.and_then(|()| self.offer().cloned());
        self.run.states.truncate(self.at);
        self.run.steps.truncate(self.at.saturating_sub(1));
        let run = std::mem::replace(&mut self.run, nothing());
        self.record(run, left)
    }

    fn record(
        &self,
        run: PathReport,
        left: Result<Offer, Halt>,
    ) -> Result<(SimulationReport, Verdict), Halt> {
        debug_assert_eq!(run.states.len(), self.at, "it is the run up to where one is");
        let verdict = match &left {
            Ok(_) => Verdict::True,
            Err(Halt::Stopped(reason)) => Verdict::Unknown(Cause::from(*reason)),
            Err(other) => return Err(other.clone()),
        };
        let steps = 0..self.at.saturating_sub(1);
        let report = SimulationReport {
            schema: SCHEMA,
            tool: ToolInfo::default(),
            command: "simulate",
            file: self.model.source().name().to_owned(),
            modal: self.read.modal,
            set: self.read.parameters.iter().map(|own| (own.name.clone(), own.value.clone())).collect(),
            seed: self.seed,
            trace: (self.at > 0).then_some(run),
            unsure: steps.filter(|&step| self.unsure[step]).map(|step| step + 1).collect(),
            deadlock: left.as_ref().is_ok_and(Offer::is_deadlock),
            cut: self.cut.clone(),
            stuck: left.ok().filter(|offer| offer.choices.is_empty()).and_then(|offer| offer.more),
            messages: self.messages.clone(),
            result: verdict.to_string(),
            exit_status: 0,
        };
        Ok((report, verdict))
    }
}

/// A run that has not begun.
fn nothing() -> PathReport {
    PathReport { states: Vec::new(), steps: Vec::new(), loop_start: None }
}

/// The number of a choice with inputs, `3 n=17`.
fn typed(line: &str) -> Option<(usize, Vec<(&str, &str)>)> {
    let mut words = line.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let inputs = words.map(|word| word.split_once('=')).collect::<Option<Vec<_>>>()?;
    (!inputs.is_empty()).then_some((number, inputs))
}

/// A complaint in one line, with its place.
fn placed_message(source: &Source, complaint: &Diagnostic) -> String {
    let (line, column) = source.line_column(complaint.span.start);
    format!("{}:{line}:{column}: {}", source.name(), complaint.message)
}

/// What a property says of each state, or of the first; nothing if it is about paths.
fn condition(logic: &Logic) -> Option<Formula> {
    let claim = match logic {
        Logic::Invariant(formula) => return Some(formula.clone()),
        Logic::Branching(formula) => as_claim(formula, true),
        _ => return None,
    };
    match claim.kind {
        FormulaKind::Path(PathQuantifier::All, PathOperator::Globally(inner)) if is_boolean(&inner) => {
            Some(*inner)
        }
        _ => is_boolean(&claim).then_some(claim),
    }
}
