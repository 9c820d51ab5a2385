//! What the supervisor knows of the terminal, and its worker, behind pipes, does not.

use crate::args::ColorArg;
use serde::{Deserialize, Serialize};
use std::io::{self, IsTerminal};

/// The variable by which a supervisor tells a process that it is a worker, and what the terminal is like.
const VARIABLE: &str = "TERTIUM_WORKER";
/// The width of a line where there is no terminal.
const WIDTH: usize = 120;

/// What the terminal is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Terminal {
    /// Messages on standard error are coloured.
    pub(crate) messages_in_colour: bool,
    /// Results on standard output are coloured.
    pub(crate) results_in_colour: bool,
    /// No line of a result is wider.
    pub(crate) width: usize,
}

impl Terminal {
    /// The terminal of this process. What goes to a terminal is coloured, unless `NO_COLOR` or the user says otherwise.
    pub(crate) fn here(color: ColorArg) -> Self {
        let is_allowed = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let in_colour = |is_terminal: bool| match color {
            ColorArg::Auto => is_terminal && is_allowed,
            ColorArg::Always => true,
            ColorArg::Never => false,
        };
        let (stdout, stderr) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let width = if stdout { terminal_size::terminal_size_of(io::stdout()) } else { None };
        Self {
            messages_in_colour: in_colour(stderr),
            results_in_colour: in_colour(stdout),
            width: width.map_or(WIDTH, |(width, _)| width.0.into()),
        }
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
