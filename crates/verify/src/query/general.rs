//! Formulas instead of combinations of values, on diagrams and on systems alike.

use tertium_query::Direction;
use tertium_report::{QueryReport, SolutionReport};

/// Formulas, perhaps not all.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub(super) formulas: Vec<SolutionReport>,
    pub(super) is_cut: bool,
}

impl Listed {
    fn count(&self) -> Option<String> {
        (!self.is_cut).then(|| self.formulas.len().to_string())
    }
}

/// Writes what was found into the report.
pub(super) fn fill(report: &mut QueryReport, direction: Direction, definite: Listed, possible: Listed) {
    report.kind = if direction == Direction::Growing { "strongest" } else { "weakest" };
    report.n_solutions = definite.count();
    report.n_possible = possible.count().filter(|_| !possible.formulas.is_empty());
    report.cut = definite.is_cut || possible.is_cut;
    report.solutions = definite.formulas;
    report.possible = possible.formulas;
}
