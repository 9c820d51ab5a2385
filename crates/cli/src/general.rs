//! Answers of `query --method general`, of models and of systems alike: formulas instead of combinations of values.

use crate::failure::Failure;
use crate::smv::query::Wanted;
use crate::smv::shortcut::Initial;
use tertium_query::Direction;
use tertium_report::{QueryReport, SolutionReport};

/// Formulas, perhaps not all.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    pub(crate) formulas: Vec<SolutionReport>,
    pub(crate) is_cut: bool,
}

impl Listed {
    fn count(&self) -> Option<String> {
        (!self.is_cut).then(|| self.formulas.len().to_string())
    }
}

/// Complains if the query is not about all initial states at once.
pub(crate) fn require_all_initial(wanted: &Wanted) -> Result<(), Failure> {
    if wanted.initial == Initial::All {
        return Ok(());
    }
    Err(Failure::Usage(
        "--method general answers for all initial states at once: not with --per-initial, --some-initial or a shortcut for \
         some initial states"
            .to_owned(),
    ))
}

/// Writes what was found into the report.
pub(crate) fn fill(report: &mut QueryReport, direction: Direction, definite: Listed, possible: Listed) {
    report.kind = if direction == Direction::Growing { "strongest" } else { "weakest" };
    report.n_solutions = definite.count();
    report.n_possible = possible.count().filter(|_| !possible.formulas.is_empty());
    report.cut = definite.is_cut || possible.is_cut;
    report.solutions = definite.formulas;
    report.possible = possible.formulas;
}
