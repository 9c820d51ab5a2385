//! The models of the published examples.

use tertium_expr::Term;
use tertium_front_gcl::{Model, read};
use tertium_search::{
    Accounting, Answer, CheckSettings, Identity, Settings, search_with_refinement, starting_predicates,
};
use tertium_solve::{Prover, Z3};
use tertium_support::{Cancel, Context, Limits, Source};

pub(crate) fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

pub(crate) fn model(text: &str) -> Model {
    match read(&context(), &Source::new("test", text)) {
        Ok((model, _)) => model,
        Err(complaints) => panic!("{complaints:?}"),
    }
}

pub(crate) fn error_of(model: &Model) -> Term {
    model.program.propositions["error"]
}

/// Searches for the error of a model.
pub(crate) fn search<'p>(model: &'p Model, settings: &Settings) -> Answer<'p> {
    let goal = error_of(model);
    let start = starting_predicates(&model.program, goal, settings);
    let mut prover = Prover::new(Z3::new());

    search_with_refinement(&context(), &model.program, Some(goal), start, settings, &mut prover)
}

/// The search as it was published.
pub(crate) fn published() -> Settings {
    Settings {
        identity: Identity::Written,
        checks: CheckSettings { accounting: Accounting::Published, ..CheckSettings::default() },
        values_after: None,
        ..Settings::default()
    }
}
