//! Answers about models of guarded commands that rest on runs or abstract systems.
//!
//! What is printed was confirmed before: runs by the interpreter, abstract systems by a fresh solver from the definitions, strategies on
//! them by their validator. What cannot be confirmed is unknown.

use super::concrete::concrete;
use crate::board::Entry;
use crate::commands::check::{Job, Readable, Trouble};
use crate::failure::Failure;
use crate::settings::{Style, Validation};
use crate::smv;
use std::time::Duration;
use tertium_abstraction::{AbstractSystem, TriState};
use tertium_check::{Record, Semantics};
use tertium_evidence::{Evidence, Outcome};
use tertium_expr::Term;
use tertium_program::{Program, Run, check_run};
use tertium_refine::{Answer, Support, recheck};
use tertium_report::{
    Origin, SearchRound, Valuation, VariableAnswer, VariableEvidence, VariableRun, rounds_text, verdict_line,
};
use tertium_support::{Id, Statistics};
use tertium_system::PartialSystem;
use tertium_truth::{Cause, Verdict};

/// So many predicates are listed below a verdict.
const MOST_LISTED: usize = 20;
/// So many terms are named that the solver gave up on.
const MOST_NAMED: usize = 3;

/// Shows answers to one question.
pub(super) struct Shower<'a> {
    pub(super) job: &'a Job,
    pub(super) program: &'a Program,
    pub(super) readable: Readable<'a>,
    pub(super) propositions: &'a [(String, Term)],
    pub(super) method: Method,
    pub(super) time: Option<Duration>,
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// By predicate abstraction.
    Predicate,
    /// By cartesian abstraction.
    Cartesian,
    /// By concrete search.
    Search,
}

impl Shower<'_> {
    /// Shows an answer, confirmed if that is wanted.
    pub(super) fn show(&self, mut answer: Answer) {
        let support = std::mem::replace(&mut answer.support, Support::Nothing);
        let shown = match support {
            Support::Run(run, goal) => self.run(&answer, &run, goal),
            Support::Abstract(system, outcome) if !matches!(answer.verdict, Verdict::Unknown(_)) => {
                self.proof(&answer, &system, *outcome)
            }
            Support::Abstract(system, outcome) => {
                self.open(&answer, &system, *outcome);
                Ok(())
            }
            Support::Nothing => {
                self.plain(&answer, answer.verdict, None, None);
                Ok(())
            }
        };
        if let Err(trouble) = shown {
            let formula = Some(self.readable.source.text());
            self.job.give_up(self.readable.file, self.readable.property, formula, &trouble);
        }
    }

    /// A verdict that a concrete run shows.
    fn run(&self, answer: &Answer, run: &Run, goal: Term) -> Result<(), Trouble> {
        let validated = self.job.settings.validation == Validation::On;
        if validated && let Err(flaw) = check_run(self.program, run, goal) {
            let what = format!("the interpreter does not replay a run of the program: {flaw:?}");
            return Err(self.job.trouble(&Failure::Bug(what)));
        }
        let evidence = (self.job.settings.record == Record::Moves)
            .then(|| VariableEvidence::Run(variable_run(self.program, run)));
        self.plain(answer, answer.verdict, evidence, validated.then_some(true));
        Ok(())
    }

    /// A verdict of an abstract system.
    fn proof(
        &self,
        answer: &Answer,
        found: &AbstractSystem<TriState>,
        mut outcome: Outcome,
    ) -> Result<(), Trouble> {
        let mut validated = None;
        if self.job.settings.validation == Validation::On {
            let again = recheck(&self.job.run.context, self.program, self.propositions, found);
            if again.map_err(Trouble::Stopped)?.is_err() {
                // The solver found it before and does not now: it is at the end of what it can do.
                self.plain(answer, Verdict::Unknown(Cause::Solver), None, None);
                return Ok(());
            }
            validated = self.job.validated(&self.readable, &found.system, &outcome)?;
        }
        let mut concrete_system = None;
        if self.job.settings.record == Record::Values {
            outcome.evidence = None;
        } else {
            let (context, formula) = (&self.job.run.context, self.readable.formula);
            let concrete = concrete(context, self.program, formula, self.propositions, found, &outcome)?;
            if let Some((system, again)) = concrete {
                validated = self.job.validated(&self.readable, &system, &again)?;
                outcome = again;
                concrete_system = Some(system);
            }
        }
        self.record(answer, concrete_system.as_ref().unwrap_or(&found.system), outcome, validated);
        Ok(())
    }

    /// No verdict, with what keeps it open in the last abstract system.
    fn open(&self, answer: &Answer, found: &AbstractSystem<TriState>, mut outcome: Outcome) {
        outcome.verdict = answer.verdict;
        let shown = self.job.settings.record == Record::Moves;
        outcome.evidence = outcome.evidence.filter(|evidence| shown && matches!(evidence, Evidence::Open(_)));
        self.record(answer, &found.system, outcome, None);
    }

    /// What a system says.
    fn record(&self, answer: &Answer, system: &PartialSystem, mut outcome: Outcome, validated: Option<bool>) {
        count(answer, &mut outcome.statistics);
        let engine = self.engine(answer);
        let shown = tertium_report::Question {
            file: self.readable.file,
            formula: self.readable.source.text().trim(),
            engine: &engine,
            system,
            origin: Origin::Abstracted,
            outcome: &outcome,
            validated,
            time: self.time,
        };
        self.job.record(&self.readable, &shown, self.readable.messages.to_vec(), &self.listed(answer));
    }

    /// A verdict with a run or nothing.
    fn plain(
        &self,
        answer: &Answer,
        verdict: Verdict,
        evidence: Option<VariableEvidence>,
        validated: Option<bool>,
    ) {
        let mut statistics = Statistics::default();
        count(answer, &mut statistics);
        let mut assumptions = Vec::new();
        if answer.nowhere {
            let note = "the model has no initial state, so everything holds at all of them";
            assumptions.push(("no-initial-state", note.to_owned()));
        }
        let engine = self.engine(answer);
        let shown = VariableAnswer {
            file: self.readable.file,
            property: self.readable.property,
            formula: self.readable.source.text().trim(),
            engine: &engine,
            verdict,
            value: None,
            states: None,
            evidence,
            assumptions,
            statistics,
            validated,
            time: self.time,
        };
        let mut lines = verdict_line(verdict, shown.formula, &shown.summary());
        if let Style::Text(detail) = self.job.settings.style {
            lines.push_str(&shown.text(detail));
            lines.push_str(&self.listed(answer));
        }
        if self.job.settings.statistics {
            lines.push_str(&shown.statistics_text());
        }
        let drawn = smv::draw(self.job, &shown);
        self.job.board.summarise(shown.formula.to_owned(), verdict);
        let entry = Entry::Verdict(verdict);
        self.job.board.record(&entry, &lines, || shown.json(self.readable.messages.to_vec()));
        if let Err(failure) = drawn {
            failure.tell(&self.job.run.output);
            self.job.board.worsen(failure.status());
        }
    }

    /// How it was found.
    fn engine(&self, answer: &Answer) -> String {
        let plural = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
        let semantics = if self.job.settings.semantics == Semantics::Ris { ", ris" } else { "" };
        let kind = match self.method {
            Method::Predicate => format!("predicate abstraction{semantics}"),
            Method::Cartesian => format!("cartesian abstraction{semantics}"),
            Method::Search => "search".to_owned(),
        };
        let predicates = plural(answer.predicates.len(), "predicate");
        format!("{kind}, {predicates}, {}", plural(answer.rounds.len(), "round"))
    }

    /// What the solver gave up on, and the predicates of the last round.
    fn listed(&self, answer: &Answer) -> String {
        if !matches!(self.job.settings.style, Style::Text(_)) {
            return String::new();
        }
        let mut lines = self.given_up(answer);
        if self.job.settings.statistics {
            lines.push_str(&searched_rounds(answer));
        }
        if matches!(answer.verdict, Verdict::Unknown(_)) {
            lines.push_str(&seen(answer));
        }
        lines.push_str(&self.predicates(answer));
        lines
    }

    fn given_up(&self, answer: &Answer) -> String {
        if answer.solver.n_gave_up == 0 {
            return String::new();
        }
        let terms = &self.program.terms;
        let times = |n: u64| if n == 1 { "once".to_owned() } else { format!("{n} times") };
        let shown = answer.hard.iter().take(MOST_NAMED);
        let shown: Vec<String> =
            shown.map(|(&term, &n)| format!("{} ({})", terms.print(term), times(n))).collect();
        let about =
            if shown.is_empty() { String::new() } else { format!(", on products: {}", shown.join("; ")) };
        format!("  the solver gave up {}{about}\n", times(answer.solver.n_gave_up))
    }

    fn predicates(&self, answer: &Answer) -> String {
        if answer.predicates.is_empty() {
            return String::new();
        }
        let terms = &self.program.terms;
        let shown = answer.predicates.iter().take(MOST_LISTED).map(|term| terms.print(term).to_string());
        let mut line = format!("  predicates: {}", shown.collect::<Vec<_>>().join("; "));
        if answer.predicates.len() > MOST_LISTED {
            line.push_str(&format!("; and {} more", answer.predicates.len() - MOST_LISTED));
        }
        line.push('\n');
        line
    }
}

/// What was seen of propositions before the search ended without an answer.
fn seen(answer: &Answer) -> String {
    let line = |what: &str, names: Vec<&str>| match names[..] {
        [] => String::new(),
        _ => format!("  seen to {what}: {}\n", names.join(", ")),
    };
    let holds = answer.seen.iter().filter(|label| label.1).map(|label| label.0.as_str()).collect();
    let fails = answer.seen.iter().filter(|label| label.2).map(|label| label.0.as_str()).collect();
    line("hold", holds) + &line("fail", fails)
}

/// The rounds of a search in numbers.
fn searched_rounds(answer: &Answer) -> String {
    let row = |round: &tertium_refine::Round| {
        round.searched.map(|counted| SearchRound {
            concrete: round.n_steps,
            abstract_states: round.n_states,
            new_predicates: round.added.len(),
            queries: counted.queries,
            hits: counted.hits,
        })
    };
    let rows: Vec<SearchRound> = answer.rounds.iter().filter_map(row).collect();
    if rows.is_empty() { String::new() } else { rounds_text(&rows) }
}

fn count(answer: &Answer, statistics: &mut Statistics) {
    statistics.set("rounds", answer.rounds.len());
    statistics.set("predicates", answer.predicates.len());
    statistics.set("abstract states", answer.rounds.last().map_or(0, |round| round.n_states));
    statistics.set("solver questions", answer.solver.n_questions);
    statistics.set("solver calls", answer.solver.n_calls);
    statistics.set("solver gave up", answer.solver.n_gave_up);
}

fn variable_run(program: &Program, run: &Run) -> VariableRun {
    let name = |variable| program.terms.name(variable);
    let values = |state: &tertium_program::State| -> Valuation {
        let pairs = program.variables().iter().zip(&state.0);
        pairs.map(|(own, value)| (name(own.variable), value.to_string())).collect()
    };
    let states = [&run.start].into_iter().chain(run.steps.iter().map(|step| &step.state)).map(values);
    let inputs = run.steps.iter().map(|step| {
        let command = &program.commands()[step.command.index()];
        vec![("action".to_owned(), command.action.clone())]
    });
    VariableRun { states: states.collect(), inputs: inputs.collect(), loop_start: None }
}
