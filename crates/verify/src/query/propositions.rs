//! Queries about the propositions of a system, for every model that makes one: columns with two values.
//!
//! Solutions are printed as formulas, so that they can stand in a property.

use super::{AskedOf, Notation, QueriedSystem, QueryColumn, ReadQuery, Sort};
use crate::{Halt, Model, found_system};
use std::sync::Arc;
use tertium_check::unknown_names;
use tertium_logic::{Formula, FormulaKind, Query, parse_query};
use tertium_query::Code;
use tertium_report::{SolutionReport, ValuesReport, state_text};
use tertium_support::{Context, Diagnostic, Id, Severity, Source};
use tertium_system::{PartialSystem, PropId, StateId};
use tertium_truth::Belnap;

/// How formulas are written.
pub(crate) const FORMULAS: Notation =
    Notation { and: " && ", or: " || ", yes: "true", no: "false", bracketed: false };

/// Reads a query about a system.
pub(super) fn query(
    context: &Context,
    model: &dyn Model,
    source: &Source,
    most: Option<usize>,
) -> Result<ReadQuery<'static>, Halt> {
    let found = found_system(context, model, &[], most)?;
    let query = parse_query(source).map_err(|complaints| Halt::faulty(source, complaints))?;
    let propositions = propositions(&found.system, &query, source)?;
    let names = |prop: PropId| found.system.labels().names().name(prop).to_owned();
    let labels: Vec<String> = PropId::first(found.system.labels().names().len()).map(names).collect();
    let mut state_column = "state".to_owned();
    while labels.contains(&state_column) {
        state_column.push('_');
    }
    let state_variables = std::iter::once(state_column.clone()).chain(labels).collect();
    let system = Arc::clone(&found.system);
    let code = |&prop: &PropId| Code { bits: vec![prop], last_code: 1 };
    Ok(ReadQuery {
        formula: query.formula,
        columns: propositions.iter().map(|&prop| column(names(prop))).collect(),
        notation: FORMULAS,
        asked_of: AskedOf::System(QueriedSystem {
            placeholder: query.placeholder,
            codes: propositions.iter().map(code).collect(),
            state_variables,
            show: Box::new(move |state| shown(&system, &state_column, state)),
            assumptions: found.beyond(),
            every_value: true,
            found,
        }),
    })
}

fn column(name: String) -> QueryColumn<'static> {
    let is_true = Formula::proposition(name.as_str());
    let sort = Sort::Truth(is_true.to_string(), is_true.negated().to_string());
    QueryColumn { name, sort, value: Box::new(|code| (code == 1).to_string()) }
}

/// Complains about names that the system does not have, where they stand.
fn check_names(system: &PartialSystem, formula: &Formula, source: &Source) -> Result<(), Halt> {
    let complaints = unknown_names(system, formula, Severity::Error);
    if complaints.is_empty() { Ok(()) } else { Err(Halt::faulty(source, complaints)) }
}

/// The propositions that the placeholder is about. Complains about names that the system does not have.
fn propositions(system: &PartialSystem, query: &Query, source: &Source) -> Result<Vec<PropId>, Halt> {
    check_names(system, &without(&query.formula, &query.placeholder), source)?;
    let known = system.labels().names();
    let Some(listed) = &query.propositions else {
        if known.is_empty() {
            let complaint =
                Diagnostic::error(query.span, "the file has no propositions that `?` could be about")
                    .with_note("labels of steps are actions; these are asked about with `tertium check`");
            return Err(Halt::faulty(source, vec![complaint]));
        }
        return Ok(PropId::first(known.len()).collect());
    };
    let named = listed.iter().map(|(name, span)| {
        let kind = FormulaKind::Proposition(name.clone());
        Formula { kind, span: *span }
    });
    check_names(system, &Formula::all(named.collect()), source)?;
    Ok(listed.iter().filter_map(|(name, _)| known.get(name)).collect())
}

/// The formula without its placeholder, for complaints about names.
fn without(formula: &Formula, placeholder: &str) -> Formula {
    match &formula.kind {
        FormulaKind::Proposition(name) if name == placeholder => FormulaKind::True.into(),
        _ => formula.map_children(|child| without(child, placeholder)),
    }
}

/// A state: its name, and its labels as far as they are definite.
fn shown(system: &PartialSystem, state_column: &str, state: StateId) -> SolutionReport {
    let text = state_text(system, state);
    let mut values = vec![ValuesReport { variable: state_column.to_owned(), values: vec![text.clone()] }];
    let labels = system.labels();
    for prop in PropId::first(labels.names().len()) {
        let value = match labels.get(prop, state) {
            Belnap::True => "true",
            Belnap::False => "false",
            Belnap::Unknown | Belnap::Inconsistent => continue,
        };
        let variable = labels.names().name(prop).to_owned();
        values.push(ValuesReport { variable, values: vec![value.to_owned()] });
    }
    SolutionReport { text, cubes: vec![values] }
}
