//! Queries about models of guarded commands: on the states that a search finds.
//!
//! What the placeholder is about has codes, whose bits are propositions of the explored system; solutions are turned back into values. If the
//! search is cut, what lies beyond is open: solutions that are definite hold for the whole model, and there are no others than those
//! that are possible.

use super::values::Table;
use super::{explore_some, gap_notes, load};
use crate::explicit::Reply;
use crate::failure::Failure;
use crate::smv::query::{Found, Wanted};
use tertium_check::{Prepared, Semantics, assumptions};
use tertium_explore::{CodedBits, Exploration};
use tertium_front_gcl::{Coded, Model, ResolvedQuery};
use tertium_program::{Interpreter, State};
use tertium_query::{Code, ExplicitQuestion};
use tertium_report::{AssumptionReport, Message, assumption_report};
use tertium_support::{Context, Diagnostic};
use tertium_system::PartialSystem;
use tertium_truth::Cause;

/// Solves a query.
pub(crate) fn solve_query(context: &Context, wanted: &Wanted) -> Result<Found, Failure> {
    let file = wanted.file.display().to_string();
    let (source, model, warnings) = load(context, &wanted.file)?;
    let faulty = |complaints| Failure::Faulty(Box::new(wanted.source.clone()), complaints);
    let query = model.query(&wanted.source).map_err(faulty)?;
    let found = explore_some(context, &file, &model, wanted.states)?;
    let columns = columns(&model, &found, &query).map_err(|complaint| faulty(vec![complaint]))?;
    let atoms = query.atoms.iter().map(|(name, &term)| (name.as_str(), term));
    let interpreter = Interpreter::new(&model.program);
    let numbers: Vec<_> =
        columns.iter().map(|column| |state: &State| column.code(&interpreter, state)).collect();
    let bits: Vec<CodedBits<'_>> = columns
        .iter()
        .zip(&numbers)
        .map(|(column, code)| CodedBits { names: column.bit_names(), code })
        .collect();
    let system = found.to_coded_system(&model.program, atoms, &bits);
    let codes: Vec<Code> = columns.iter().map(|column| code(&system, column)).collect();
    let prepared = Prepared::new(context, &system)?;
    let question =
        ExplicitQuestion::about_codes(context, &prepared, &query.formula, &query.placeholder, &codes);
    let mut report = wanted.report();
    report.messages = warnings.iter().map(|warning| Message::located(&source, warning)).collect();
    report.variables = columns.iter().map(|column| column.name.clone()).collect();
    report.assumptions = assumptions(&system, &query.formula, Semantics::Sis)
        .into_iter()
        .map(|assumption| assumption_report(&system, assumption))
        .chain(notes(&model, &found, &columns))
        .collect();
    let table = Table { program: &model.program, found: &found, columns: &columns };
    let reply = Reply {
        context,
        wanted,
        question,
        system: &system,
        shown: &table,
        open: if found.is_complete() { Cause::Imprecise } else { Cause::Bound },
        every_value: !columns.iter().any(|column| column.occurring),
    };
    let verdict = reply.fill(&mut report)?;
    let names = model.program.variables().iter().map(|own| model.program.terms.name(own.variable));
    let warnings = (!warnings.is_empty()).then_some((source, warnings));
    Ok(Found { verdict, report, state_variables: names.collect(), warnings })
}

/// What the placeholder is about, with codes; or a complaint about what has too many values.
fn columns(model: &Model, found: &Exploration, query: &ResolvedQuery) -> Result<Vec<Coded>, Diagnostic> {
    let coded = |subject| {
        Coded::new(&model.program, subject, |variable| found.occurring(variable)).ok_or_else(|| {
            let name = &subject.name;
            let message = format!("`{name}` has no bounds, and not all of its values are known");
            let n = found.n_states();
            Diagnostic::error(subject.span, message)
                .with_note(format!("{n} states were looked at, and there are more: allow more with --states"))
                .with_note("or list other variables, or conditions such as `?{x > 0}`")
        })
    };
    query.subjects.iter().map(coded).collect()
}

fn code(system: &PartialSystem, column: &Coded) -> Code {
    let names = system.labels().names();
    let bits = column.bit_names().iter().filter_map(|name| names.get(name)).collect();
    Code { bits, last_code: column.last_code() }
}

/// What the answer relies on.
fn notes(model: &Model, found: &Exploration, columns: &[Coded]) -> Vec<AssumptionReport> {
    let bound = |note: String| AssumptionReport {
        code: "bound",
        text: format!("{note}; what lies beyond is open: allow more with --states"),
    };
    let mut notes: Vec<AssumptionReport> = gap_notes(model, found).into_iter().map(bound).collect();
    for column in columns.iter().filter(|column| column.occurring) {
        let text = match column.last_code() {
            0 => format!("`{}` has no bounds and stands for its only value that occurs", column.name),
            last => {
                format!("`{}` has no bounds and stands for its {} values that occur", column.name, last + 1)
            }
        };
        notes.push(AssumptionReport { code: "occurring-values", text });
    }
    notes
}
