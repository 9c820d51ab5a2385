//! Cubes of codes as expressions in the user's variables and values.

use crate::explicit::Shown;
use tertium_explore::Exploration;
use tertium_expr::Value;
use tertium_front_gcl::Coded;
use tertium_program::Program;
use tertium_query::{Cube, Intervals};
use tertium_report::{SolutionReport, ValuesReport};
use tertium_support::Id;
use tertium_system::StateId;

/// So many integers in a row are listed; more are shown as an interval.
const LISTED: u64 = 16;

/// What a query is about, and the states it is asked of.
pub(super) struct Table<'a> {
    pub(super) program: &'a Program,
    pub(super) found: &'a Exploration,
    pub(super) columns: &'a [Coded],
}

/// Values in a row, the first and the last, as they are written.
struct Row(String, String);

impl Shown for Table<'_> {
    fn solution(&self, cubes: &[&Cube]) -> SolutionReport {
        let (mut texts, mut reports) = (Vec::new(), Vec::new());
        for cube in cubes {
            let (mut conditions, mut values) = (Vec::new(), Vec::new());
            for (column, codes) in self.columns.iter().zip(&cube.0) {
                let Some(codes) = codes else { continue };
                let rows = rows(column, codes);
                conditions.push(condition(column, &rows));
                let written = rows
                    .into_iter()
                    .map(|Row(first, last)| if first == last { first } else { format!("{first}..{last}") });
                values.push(ValuesReport { variable: column.name.clone(), values: written.collect() });
            }
            texts.push(conjunction(&conditions, cubes.len() > 1));
            reports.push(values);
        }
        let text = if texts.is_empty() { "false".to_owned() } else { texts.join(" || ") };
        SolutionReport { text, cubes: reports }
    }

    fn state(&self, state: StateId) -> SolutionReport {
        if state.index() >= self.found.n_states() {
            let text = "states that were not looked at".to_owned();
            return SolutionReport { text, cubes: vec![Vec::new()] };
        }
        let state = self.found.state(state.index());
        let variables = self.program.variables().iter().map(|own| self.program.terms.name(own.variable));
        let (mut conditions, mut values) = (Vec::new(), Vec::new());
        for (name, value) in variables.zip(&state.0) {
            conditions.push(match value {
                Value::Bool(is_true) => truth(&name, *is_true),
                value => format!("{name} = {value}"),
            });
            values.push(ValuesReport { variable: name, values: vec![value.to_string()] });
        }
        SolutionReport { text: conjunction(&conditions, false), cubes: vec![values] }
    }
}

/// The values with these codes, integers in a row together if there are many.
fn rows(column: &Coded, codes: &Intervals) -> Vec<Row> {
    let written = |code: u64| column.value(code).to_string();
    let mut rows = Vec::new();
    for &(first, last) in codes {
        // Of integers that merely occur, those with codes in a row need not follow each other.
        if column.is_integer() && !column.occurring && last - first >= LISTED {
            rows.push(Row(written(first), written(last)));
        } else {
            rows.extend((first..=last).map(|code| Row(written(code), written(code))));
        }
    }
    rows
}

fn condition(column: &Coded, rows: &[Row]) -> String {
    let name = &column.name;
    if column.is_truth() {
        // A column with two codes that are not both possible has one.
        return truth(name, rows.iter().all(|Row(value, _)| value == "true"));
    }
    let single: Vec<&str> =
        rows.iter().filter(|Row(first, last)| first == last).map(|Row(value, _)| value.as_str()).collect();
    let mut parts = match single.as_slice() {
        [] => Vec::new(),
        [one] => vec![format!("{name} = {one}")],
        many => vec![format!("{name} in {{{}}}", many.join(", "))],
    };
    let intervals = rows.iter().filter(|Row(first, last)| first != last);
    parts.extend(intervals.map(|Row(first, last)| format!("{name} in {first}..{last}")));
    if parts.len() == 1 { parts.swap_remove(0) } else { format!("({})", parts.join(" || ")) }
}

fn truth(name: &str, is_true: bool) -> String {
    let is_name = name.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '.'));
    match (is_true, is_name) {
        (true, _) => name.to_owned(),
        (false, true) => format!("!{name}"),
        (false, false) => format!("!({name})"),
    }
}

fn conjunction(conditions: &[String], in_disjunction: bool) -> String {
    match conditions {
        [] => "true".to_owned(),
        [one] => one.clone(),
        _ if in_disjunction => format!("({})", conditions.join(" && ")),
        _ => conditions.join(" && "),
    }
}
