//! What the supervisor knows of the terminal, and its worker, behind pipes, does not.

use serde::{Deserialize, Serialize};
use std::io::{self, IsTerminal};

/// The variable by which a supervisor tells a process that it is a worker, and what the terminal is like.
const VARIABLE: &str = "TERTIUM_WORKER";

/// What the terminal is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Terminal {
    /// Messages on standard error are coloured.
    pub(crate) colours: bool,
    /// Somebody watches standard error, and wants to know what is being done.
    pub(crate) watched: bool,
}

impl Terminal {
    /// The terminal of this process. Messages are coloured on a terminal, unless `NO_COLOR` says otherwise.
    pub(crate) fn here() -> Self {
        let watched = io::stderr().is_terminal();
        let colours = watched && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { colours, watched }
    }

    /// The terminal of the supervisor, if this process is a worker.
    pub(crate) fn of_supervisor() -> Option<Self> {
        let text = std::env::var(VARIABLE).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// What makes a process a worker.
    pub(crate) fn for_worker(self) -> (&'static str, String) {
        (VARIABLE, serde_json::to_string(&self).unwrap_or_default())
    }
}
