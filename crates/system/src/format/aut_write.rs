//! Writing Aldebaran files, and refusing by name what they cannot carry.
//!
//! Reading what was written gives the same states, initial state and transitions. What `.aut` has no word for and
//! nobody misses is dropped: names of states (they become their numbers) and actions without a transition.

use super::AutMode;
use super::aut_label::{MAY, MUST};
use crate::{Edge, Modality, PartialSystem, StateId};
use std::io;
use tertium_support::Id;

/// Why a system was not written.
#[derive(Debug)]
pub enum AutError {
    /// The system has no states.
    NoStates,
    /// There is more than one initial state; these are two of them.
    SeveralInitialStates(StateId, StateId),
    /// There are propositions; this is the name of one.
    Propositions(String),
    /// There are hyper-musts; this state has one.
    HyperMust(StateId),
    /// There is an abstract domain.
    Domain,
    /// An edge is must and not may.
    MustOnly(StateId, Edge),
    /// An edge is may and not must, and the mode is plain.
    MayOnly(StateId, Edge),
    /// The name of this action holds a line break.
    LineBreak(String),
    /// The writer failed.
    Io(io::Error),
}

impl From<io::Error> for AutError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl std::fmt::Display for AutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let refusal = match self {
            Self::NoStates => "a system without states".to_owned(),
            Self::SeveralInitialStates(s, t) => {
                format!("several initial states ({} and {} among them)", s.index(), t.index())
            }
            Self::Propositions(name) => format!("propositions (`{name}` among them)"),
            Self::HyperMust(s) => format!("hyper-musts (state {} has one)", s.index()),
            Self::Domain => "concretisations".to_owned(),
            Self::MustOnly(s, edge) => {
                format!("musts that are no mays (from state {} to {})", s.index(), edge.other.index())
            }
            Self::MayOnly(s, edge) => {
                let (s, t) = (s.index(), edge.other.index());
                return write!(
                    f,
                    "plain .aut cannot carry may-only transitions (from state {s} to {t}); modal .aut can"
                );
            }
            Self::LineBreak(name) => format!("a line break in the name of an action ({name:?})"),
            Self::Io(error) => return error.fmt(f),
        };
        write!(f, ".aut cannot carry {refusal}")
    }
}

impl std::error::Error for AutError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// Writes a system as an Aldebaran file. Nothing is written if the system is refused. Line by line, so `out` had
/// better be buffered.
pub fn write_aut(system: &PartialSystem, mode: AutMode, out: &mut impl io::Write) -> Result<(), AutError> {
    let initial = check(system, mode)?;
    let labels: Vec<[String; 2]> = system.actions().names().map(|name| written_labels(name, mode)).collect();
    let n_transitions = system.transitions().len();
    writeln!(out, "des ({},{n_transitions},{})", initial.index(), system.n_states())?;
    for state in system.states() {
        for edge in system.edges(state) {
            let label = &labels[edge.action.index()][usize::from(edge.modality.is_must())];
            writeln!(out, "({},\"{label}\",{})", state.index(), edge.other.index())?;
        }
    }
    Ok(())
}

/// How an action is written on a may-only edge and on one that is both.
fn written_labels(name: &str, mode: AutMode) -> [String; 2] {
    let looks_prefixed = name.starts_with(MAY) || name.starts_with(MUST);
    let both = match mode {
        AutMode::Modal if looks_prefixed => format!("{MUST}{name}"),
        _ => name.to_owned(),
    };
    [format!("{MAY}{name}"), both]
}

/// The initial state, if the format can carry all of the system.
fn check(system: &PartialSystem, mode: AutMode) -> Result<StateId, AutError> {
    let initial = match *system.initial() {
        [] => return Err(AutError::NoStates),
        [initial] => initial,
        [first, second, ..] => return Err(AutError::SeveralInitialStates(first, second)),
    };
    if let Some(name) = system.labels().names().names().next() {
        return Err(AutError::Propositions(name.to_owned()));
    }
    if let Some(state) = system.states().find(|&state| !system.hyper_musts().range(state).is_empty()) {
        return Err(AutError::HyperMust(state));
    }
    if system.domain().is_some() {
        return Err(AutError::Domain);
    }
    if let Some(name) = system.actions().names().find(|name| name.contains('\n')) {
        return Err(AutError::LineBreak(name.to_owned()));
    }
    for state in system.states() {
        for edge in system.edges(state) {
            match edge.modality {
                Modality::Must => return Err(AutError::MustOnly(state, edge)),
                Modality::May if mode == AutMode::Plain => return Err(AutError::MayOnly(state, edge)),
                _ => {}
            }
        }
    }
    Ok(initial)
}
