//! What the solver finds suspicious in a model that is right: warnings.
//!
//! About all states within the ranges, reachable or not: an initial condition that nothing satisfies, guards that never
//! hold, assignments that leave the range of their variable or of the indices of an array, which block their command,
//! and reads where an array has no index, which block, too. Where the solver gives up there is no warning.

use crate::elaborate::{Bounds, domain_of};
use crate::model::{Absence, Model, ModelCommand, Update};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tertium_expr::{Term, TermKind, Value, Variable};
use tertium_program::{CommandId, Domain};
use tertium_solve::{Answer, Model as Found, Prover, Z3};
use tertium_support::{Context, Diagnostic, Diagnostics, Id, Span, StopReason};

/// More questions are not asked.
const MOST_QUESTIONS: usize = 3000;

/// After so many questions a new solver is used: each question leaves something behind, and they have little in common.
const RENEWED: usize = 40;

/// What is suspicious, in the order of the text of each kind.
pub fn warnings(context: &Context, model: &Model) -> Result<Diagnostics, StopReason> {
    let mut search = Search {
        context,
        model,
        prover: Prover::new(Z3::new()),
        domains: model.program.variables().iter().map(|own| (own.variable, &own.domain)).collect(),
        n_questions: 0,
        warnings: Vec::new(),
        copies: FxHashMap::default(),
    };
    for command in &model.commands {
        search.copies.entry(command.guard_span).or_default().left += 1;
    }
    search.initial();
    let mut ticker = context.ticker("looking for mistakes");
    for (id, command) in CommandId::first(model.commands.len()).zip(&model.commands) {
        ticker.tick(1)?;
        search.copy(id, command);
    }
    // A solver that was stopped had no answer: then somebody might miss a warning.
    context.poll()?;
    Ok(search.warnings)
}

struct Search<'m> {
    context: &'m Context,
    model: &'m Model,
    prover: Prover<'static>,
    domains: FxHashMap<Variable, &'m Domain>,
    n_questions: usize,
    warnings: Diagnostics,
    /// The copies of each command that stands in a template, by the place of its guard; others have one.
    copies: FxHashMap<Span, Copies>,
}

/// What was found about the copies of a command.
#[derive(Default)]
struct Copies {
    /// How many were not looked at.
    left: usize,
    /// Whether the guard of one can hold.
    can_hold: bool,
    /// Whether something was said about one.
    told: bool,
}

impl Search<'_> {
    fn ask(&mut self, together: &[Term]) -> (Answer, Option<Found>) {
        if self.n_questions == MOST_QUESTIONS {
            return (Answer::GaveUp, None);
        }
        self.n_questions += 1;
        if self.n_questions.is_multiple_of(RENEWED) {
            self.prover = Prover::new(Z3::new());
        }
        let program = &self.model.program;
        let terms = &program.terms;
        // Ranges of variables that are not spoken of can be kept whatever the others do.
        let variables: BTreeSet<_> = together.iter().flat_map(|&term| terms.variables_of(term)).collect();
        let within = variables.into_iter().map(|variable| match self.domains.get(&variable) {
            Some(domain) => domain.contains(terms, terms.variable(variable)),
            None => terms.boolean(true),
        });
        let all: Vec<Term> = within.chain(together.iter().copied()).collect();
        self.prover.find(self.context, terms, all)
    }

    fn never(&mut self, together: &[Term]) -> bool {
        self.ask(together).0 == Answer::Unsatisfiable
    }

    /// The first condition that cannot hold together with what is said before it. Initial values are within the ranges, so variables
    /// that no condition speaks of are not looked at.
    fn initial(&mut self) {
        let program = &self.model.program;
        let terms = &program.terms;
        let conditions = &self.model.conditions;
        let mentioned: BTreeSet<_> =
            conditions.iter().flat_map(|&(condition, _)| terms.variables_of(condition)).collect();
        let values = program.variables().iter().zip(&self.model.initial_values).filter_map(|(own, value)| {
            let value = value.as_ref().filter(|_| mentioned.contains(&own.variable))?;
            Some(terms.equal(terms.variable(own.variable), terms.value(value)))
        });
        let mut said: Vec<Term> = values.collect();
        let all: Vec<Term> = said.iter().copied().chain(conditions.iter().map(|&(term, _)| term)).collect();
        if conditions.is_empty() || !self.never(&all) {
            return;
        }
        let mut place = Span::default();
        for &(condition, span) in conditions {
            said.push(condition);
            place = span;
            if self.never(&said) {
                break;
            }
        }
        self.warnings.push(
            Diagnostic::warning(
                place,
                "no state satisfies the initial condition: every property holds vacuously",
            )
            .with_note(
                "this condition contradicts itself, the ranges, the initial values, or a condition before it",
            ),
        );
    }

    /// Looks at one copy of a command. What is suspicious is told about the first copy that it is true of; that a guard never holds, if
    /// it is so of all.
    fn copy(&mut self, id: CommandId, command: &ModelCommand) {
        let place = command.guard_span;
        let before = self.warnings.len();
        let told = self.copies.get(&place).is_some_and(|own| own.told);
        let can_hold = told || !self.never(&[command.guard]);
        if can_hold && !told {
            self.command(command);
        }
        let is_copy = self.model.program.commands()[id.index()]
            .process
            .is_some_and(|process| self.model.program.processes()[process.index()].instance.is_some());
        if let (true, Some(who)) = (is_copy, self.model.program.taker(id)) {
            let note = format!("this is so in `{who}`");
            self.warnings[before..].iter_mut().for_each(|warning| warning.notes.push(note.clone()));
        }
        let own = self.copies.entry(place).or_default();
        own.left = own.left.saturating_sub(1);
        own.can_hold |= can_hold;
        own.told |= self.warnings.len() > before;
        if own.left == 0 && !own.can_hold {
            self.warnings
                .push(Diagnostic::warning(place, "this guard never holds: the command is never taken"));
        }
    }

    fn command(&mut self, command: &ModelCommand) {
        let (program, terms) = (&self.model.program, &self.model.program.terms);
        for absence in &command.absences {
            self.absence(absence);
        }
        let mut bounds = Bounds::new(program);
        let (holds, fails) = bounds.truth(command.guard);
        self.reads(&bounds, terms.not(terms.or([holds, fails])), [command.guard], command.guard_span);
        // An assignment to a process that is chosen is one to each of them: what is said of one is not said again.
        let mut told: Option<Span> = None;
        for update in command.alternatives.iter().flatten() {
            if told == Some(update.span) {
                continue;
            }
            let before = self.warnings.len();
            let certain = terms.and(update.read().map(|term| bounds.certain(term)));
            self.reads(&bounds, terms.and([holds, terms.not(certain)]), update.read(), update.span);
            self.indices(command.guard, update);
            self.update(command.guard, update);
            told = (self.warnings.len() > before).then_some(update.span);
        }
    }

    /// A process that is chosen and not there.
    fn absence(&mut self, absence: &Absence) {
        let terms = &self.model.program.terms;
        let message = format!(
            "the index {} can leave {}: the command is blocked then",
            terms.print(absence.index),
            absence.numbers
        );
        // Several variables of one process may be read.
        let is_told = |own: &Diagnostic| own.span == absence.span && own.message == message;
        if self.warnings.iter().any(is_told) {
            return;
        }
        let (answer, found) = self.ask(&[absence.uncertain, terms.not(absence.inside)]);
        if answer != Answer::Satisfiable {
            return;
        }
        let warning = Diagnostic::warning(absence.span, message);
        self.warnings.push(match found.and_then(|found| self.example(absence.index, &found)) {
            Some(example) => warning.with_note(format!("for example where {example}")),
            None => warning,
        });
    }

    /// Elements of arrays that are read where these have none, and what reads them is not certain for that.
    fn reads(
        &mut self,
        bounds: &Bounds<'_>,
        uncertain: Term,
        read: impl IntoIterator<Item = Term>,
        span: Span,
    ) {
        let terms = &self.model.program.terms;
        if uncertain == terms.boolean(false) {
            return;
        }
        let mut seen = BTreeSet::new();
        let mut open: Vec<Term> = read.into_iter().collect();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            open.extend(terms.kind(term).operands());
            let kind = terms.kind(term);
            let (TermKind::Select(array, at), Some(inside)) = (&kind, bounds.demand(&kind)) else { continue };
            let (answer, found) = self.ask(&[uncertain, terms.not(inside)]);
            if answer == Answer::Satisfiable {
                let indices = match domain_of(&self.model.program, *array) {
                    Some(Domain::Array(index, _)) => index.to_string(),
                    _ => format!("the indices of {}", terms.print(*array)),
                };
                let message = format!(
                    "the index {} can leave {indices}: the command is blocked then",
                    terms.print(*at)
                );
                let example = found.and_then(|found| self.example(*at, &found));
                let warning = Diagnostic::warning(span, message);
                self.warnings.push(match example {
                    Some(example) => warning.with_note(format!("for example where {example}")),
                    None => warning,
                });
            }
        }
    }

    /// Indices that are assigned to and are none.
    fn indices(&mut self, guard: Term, update: &Update) {
        let program = &self.model.program;
        let own = &program.variables()[update.variable.index()];
        let mut domain = &own.domain;
        for &at in &update.indices {
            let Domain::Array(index, element) = domain else { return };
            let inside = index.contains(&program.terms, at);
            let (answer, found) = self.ask(&[guard, program.terms.not(inside)]);
            if answer == Answer::Satisfiable {
                let what = if self.never(&[guard, inside]) { "always leaves" } else { "can leave" };
                let message = format!(
                    "the index {} {what} the indices {index} of `{}`: the command is blocked then",
                    program.terms.print(at),
                    program.terms.name(own.variable)
                );
                let example = found.and_then(|found| self.example(at, &found));
                let warning = Diagnostic::warning(update.span, message);
                self.warnings.push(match example.filter(|_| what == "can leave") {
                    Some(example) => warning.with_note(format!("for example where {example}")),
                    None => warning,
                });
            }
            domain = element;
        }
    }

    fn update(&mut self, guard: Term, update: &Update) {
        let program = &self.model.program;
        let own = &program.variables()[update.variable.index()];
        let Some(domain @ Domain::Range(low, high)) = update.target(program) else { return };
        let name = program.terms.name(own.variable);
        let whose = if update.indices.is_empty() { "" } else { "the elements of " };
        let warning = |what: &str| {
            let message = format!(
                "this assignment {what} the range {low}..{high} of {whose}`{name}`: the command is blocked then"
            );
            Diagnostic::warning(update.span, message)
        };
        let leaves = match &update.value {
            Ok(term) => {
                let inside = domain.contains(&program.terms, *term);
                let (answer, found) = self.ask(&[guard, program.terms.not(inside)]);
                if answer != Answer::Satisfiable {
                    return;
                }
                if self.never(&[guard, inside]) {
                    warning("always leaves")
                } else {
                    match found.and_then(|found| self.example(*term, &found)) {
                        Some(example) => {
                            warning("can leave").with_note(format!("for example where {example}"))
                        }
                        None => warning("can leave"),
                    }
                }
            }
            Err(Domain::Range(from, to)) if low <= from && to <= high => return,
            Err(Domain::Range(from, to)) if to < low || high < from => warning("always leaves"),
            Err(_) => warning("can leave"),
        };
        self.warnings.push(leaves);
    }

    /// The values of the variables of a term.
    fn example(&self, term: Term, found: &Found) -> Option<String> {
        let terms = &self.model.program.terms;
        let value = |variable| {
            found.get(variable).cloned().unwrap_or_else(|| Value::default_of(&terms.sort_of(variable)))
        };
        let variables = terms.variables_of(term);
        let values: Vec<String> = variables
            .into_iter()
            .map(|variable| format!("{} = {}", terms.name(variable), value(variable)))
            .collect();
        (!values.is_empty()).then(|| values.join(" and "))
    }
}
