//! What leaves an answer open, as text: the culprit, the way to it, and what would settle it.

use crate::names::{plain, state_text, step};
use tertium_evidence::{Blocking, Culprit, Names, Origin, Trace};

/// The culprit in one sentence.
pub(crate) fn culprit_text(names: &dyn Names, culprit: Culprit) -> String {
    match culprit {
        Culprit::MayOnly { source, action, target } => {
            format!("the step {} is possible but not guaranteed", step(names, source, action, target))
        }
        Culprit::Label { state, proposition } => format!(
            "whether `{}` holds at `{}` is not known",
            plain(&names.proposition(proposition)),
            state_text(names, state)
        ),
        Culprit::MissingProposition { state } => format!(
            "the formula asks at `{}` for a proposition that the system does not have",
            state_text(names, state)
        ),
    }
}

/// What would settle the culprit, where that is known. What is open in a system that was given is told as advice, after it was tried.
pub(crate) fn remedy(names: &dyn Names, culprit: Culprit, origin: Origin) -> Option<String> {
    match culprit {
        Culprit::MissingProposition { .. } => Some("declare the proposition, or correct its name".to_owned()),
        _ if origin != Origin::Abstracted => None,
        Culprit::MayOnly { source, .. } => Some(format!(
            "a predicate that tells the states of `{}` with this step from those without it",
            state_text(names, source)
        )),
        Culprit::Label { state, proposition } => Some(format!(
            "a predicate that decides `{}` at `{}`",
            plain(&names.proposition(proposition)),
            state_text(names, state)
        )),
    }
}

/// The way from an initial state to the culprit, as a path.
pub(crate) fn way(blocking: &Blocking) -> Trace {
    let mut trace = Trace::at(blocking.start);
    for &(action, state) in &blocking.steps {
        trace.steps.push(action);
        trace.states.push(state);
    }
    trace
}
