//! Solutions of a query as comma-separated values, for spreadsheets.

use crate::names::plain;
use crate::query::{QueryReport, SolutionReport};

/// One row for each cube that is shown; `*` is any value, several values have a blank between them. The first column numbers formulas
/// or groups of initial states, the second says whether a row is about initial states or solutions. A formula that no
/// combination makes true has a row with `-` for all its variables. `states` are the variables of initial states.
pub fn query_csv(report: &QueryReport, states: &[String]) -> String {
    let by_state = report.initial == "each";
    let names = if by_state { states } else { &report.variables };
    let mut text = String::new();
    push_row(&mut text, ["group", "role"].into_iter().chain(names.iter().map(String::as_str)));
    let mut table = Table { text, names };
    for (at, class) in report.classes.iter().enumerate() {
        table.rows(at + 1, "initial", states, &class.initial);
        table.rows(at + 1, "solution", &report.variables, &class.solutions);
        table.rows(at + 1, "possible", &report.variables, &class.possible);
    }
    for (role, solutions) in [("solution", &report.solutions), ("possible", &report.possible)] {
        for (at, solution) in solutions.iter().enumerate() {
            table.rows(at + 1, role, &report.variables, std::slice::from_ref(solution));
        }
    }
    table.text
}

struct Table<'a> {
    text: String,
    names: &'a [String],
}

impl Table<'_> {
    /// The rows of solutions that are about some of the columns.
    fn rows(&mut self, group: usize, role: &str, own: &[String], solutions: &[SolutionReport]) {
        let cubes = solutions.iter().flat_map(|solution| match solution.cubes.as_slice() {
            [] => vec![None],
            cubes => cubes.iter().map(Some).collect(),
        });
        for cube in cubes {
            let cell = |name: &String| match cube.map(|cube| cube.iter().find(|own| own.variable == *name)) {
                Some(Some(values)) => values.values.join(" "),
                _ if !own.contains(name) => String::new(),
                Some(None) => "*".to_owned(),
                None => "-".to_owned(),
            };
            let cells: Vec<String> = self.names.iter().map(cell).collect();
            let group = group.to_string();
            push_row(
                &mut self.text,
                [group.as_str(), role].into_iter().chain(cells.iter().map(String::as_str)),
            );
        }
    }
}

fn push_row<'a>(text: &mut String, cells: impl Iterator<Item = &'a str>) {
    let quoted = cells.map(plain).map(|cell| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.into_owned()
        }
    });
    text.push_str(&quoted.collect::<Vec<_>>().join(","));
    text.push('\n');
}
