//! One property of a model, by abstraction and refinement and by a search through concrete states.

use crate::table::timed;
use std::time::Duration;
use tertium_check::{Prepared, Semantics, check};
use tertium_explore::check_run;
use tertium_explore::reachable;
use tertium_expr::Term;
use tertium_front_gcl::{Model, Property};
use tertium_refine::{Answer, Question, Settings, Support, decide, recheck, relied_on_ranks};
use tertium_solve::{Prover, Z3};
use tertium_support::{Cancel, Context, Limits, StopReason};
use tertium_truth::Verdict;

/// The search is cut at so many states.
pub(crate) const STATES: usize = 2_000;

/// What the loop said.
pub(crate) struct ByLoop {
    pub(crate) answer: Answer,
    pub(crate) seconds: f64,
    /// Whether its evidence was confirmed; nothing if there is none.
    pub(crate) confirmed: Option<bool>,
}

/// What the search said.
pub(crate) struct BySearch {
    pub(crate) verdict: Verdict,
    pub(crate) n_states: usize,
    pub(crate) seconds: f64,
}

fn limited(limit: Duration) -> Context {
    Context::new(Limits { time: Some(limit), ..Limits::default() }, Cancel::default())
}

fn propositions(property: &Property) -> Vec<(String, Term)> {
    property.meaning.atoms().iter().map(|(name, &term)| (name.clone(), term)).collect()
}

/// Abstracts, checks and refines. The evidence is confirmed afterwards, which is not timed: runs are replayed, abstract
/// systems asked for anew.
pub(crate) fn by_loop(model: &Model, property: &Property, limit: Duration) -> ByLoop {
    let propositions = propositions(property);
    let question = Question {
        program: &model.program,
        formula: &property.meaning.branching().expect("of branching time").formula,
        propositions: &propositions,
        precision: Default::default(),
    };
    let context = limited(limit);
    let (answer, seconds) =
        timed(|| decide(&context, &question, &Settings::default(), Prover::new(Z3::new())));
    let confirmed = match &answer.support {
        _ if matches!(answer.outcome.verdict, Verdict::Unknown(_)) => None,
        Support::Run((run, goal)) => Some(check_run(&model.program, run, *goal).is_ok()),
        Support::Abstract(found) => {
            let relied_on = relied_on_ranks(&answer.outcome, found);
            let again = recheck(&limited(limit), &model.program, &propositions, found, &relied_on);
            again.ok().map(|result| result.is_ok())
        }
        Support::AllStates(_) | Support::Nothing => None,
    };
    ByLoop { answer, seconds, confirmed }
}

/// Searches up to [`STATES`] states and checks what was found; what lies beyond is open.
pub(crate) fn by_search(model: &Model, property: &Property, limit: Duration) -> BySearch {
    let context = limited(limit);
    let (result, seconds) = timed(|| search(&context, model, property));
    let (verdict, n_states) = result.unwrap_or_else(|reason| (Verdict::Unknown(reason.into()), 0));
    BySearch { verdict, n_states, seconds }
}

fn search(context: &Context, model: &Model, property: &Property) -> Result<(Verdict, usize), StopReason> {
    let found = reachable(context, &model.program, STATES)?;
    let atoms = property.meaning.atoms().iter().map(|(name, &term)| (name.as_str(), term));
    let system = found.to_system(&model.program, atoms);
    let prepared = Prepared::new(context, &system)?;
    let settings = tertium_check::Settings { semantics: Semantics::Sis, ..Default::default() };
    Ok((
        check(
            context,
            &prepared,
            &property.meaning.branching().expect("of branching time").formula,
            &settings,
        )
        .verdict,
        found.n_states(),
    ))
}
