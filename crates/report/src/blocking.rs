//! What leaves an answer open, as text: the culprit, the way to it, and what would settle it.

use crate::names::{half_step, plain, pts_step, state_text, step};
use crate::{Detail, Origin};
use tertium_evidence::{Blocking, Culprit};
use tertium_system::{ActionId, PartialSystem, StateId};

/// The culprit in one sentence.
pub(crate) fn culprit_text(system: &PartialSystem, culprit: Culprit) -> String {
    match culprit {
        Culprit::MayOnly { source, action, target } => {
            format!("the step {} is possible but not guaranteed", step(system, source, action, target))
        }
        Culprit::Label { state, proposition } => format!(
            "whether `{}` holds at `{}` is not known",
            plain(system.labels().names().name(proposition)),
            state_text(system, state)
        ),
        Culprit::MissingProposition { state } => format!(
            "the formula asks at `{}` for a proposition that the system does not have",
            state_text(system, state)
        ),
    }
}

/// What would settle it.
pub(crate) fn remedy(system: &PartialSystem, culprit: Culprit, origin: Origin) -> String {
    match culprit {
        Culprit::MayOnly { source, .. } if origin == Origin::Abstracted => format!(
            "a predicate that tells the states of `{}` with this step from those without it",
            state_text(system, source)
        ),
        Culprit::Label { state, proposition } if origin == Origin::Abstracted => format!(
            "a predicate that decides `{}` at `{}`",
            plain(system.labels().names().name(proposition)),
            state_text(system, state)
        ),
        Culprit::MayOnly { source, action, target } => {
            format!("make `may {}` a must, or drop it", pts_step(system, source, action, target))
        }
        Culprit::Label { state, proposition } => format!(
            "make `{}` true or false at `{}`",
            plain(system.labels().names().name(proposition)),
            state_text(system, state)
        ),
        Culprit::MissingProposition { .. } => "declare the proposition, or correct its name".to_owned(),
    }
}

/// The way from an initial state to the culprit, one line per step.
pub(crate) fn way_lines(system: &PartialSystem, blocking: &Blocking, detail: Detail) -> String {
    let mut out = format!("    start at {}\n", state_text(system, blocking.start));
    let mut before = blocking.start;
    for (index, &(action, state)) in blocking.steps.iter().enumerate() {
        if index < detail.limit() {
            out.push_str(&format!("    {}\n", way_step(system, before, action, state)));
        } else if index == detail.limit() {
            out.push_str(&format!("    … {} more (--full shows all)\n", blocking.steps.len() - index));
        }
        before = state;
    }
    out
}

/// A step. Under reduced semantics the way may go on from another state that stands for the same.
fn way_step(system: &PartialSystem, source: StateId, action: ActionId, target: StateId) -> String {
    if is_step(system, source, action, target) {
        step(system, source, action, target)
    } else {
        format!("… {}", half_step(system, action, target))
    }
}

/// Whether the system has this step, of any modality, also as one of the targets of a hyper-must.
pub(crate) fn is_step(system: &PartialSystem, source: StateId, action: ActionId, target: StateId) -> bool {
    system.transitions().find(source, action, target).is_some()
        || system.hyper_musts().of(source).any(|(a, targets)| a == action && targets.contains(&target))
}
