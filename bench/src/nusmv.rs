//! NuSMV beside Tertium: the program `NuSMV` if it is on the PATH, else the library inside the Python package `pynusmv`.
//!
//! Both read the same file, check every property in it and print `-- specification … is true` or `… is false`; with the
//! package the process is a Python interpreter, which adds its start (some tenths of a second) and its memory.

use crate::child::{self, Ended};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How NuSMV can be run here.
pub(crate) enum Nusmv {
    Program,
    /// The interpreter that has the package.
    Package(&'static str),
}

/// Checks all properties of the model named by the first argument, by the commands of NuSMV's own shell.
const SCRIPT: &str = "
import sys
import pynusmv.init
from pynusmv_lower_interface.nusmv.cmd.cmd import Cmd_SecureCommandExecute as execute
pynusmv.init.init_nusmv()
for command in ['read_model -i ' + sys.argv[1], 'go', 'check_property']:
    if execute(command) != 0:
        sys.exit(1)
";

/// What NuSMV said to one model.
pub(crate) struct Answers {
    pub(crate) ended: Ended,
    /// In the order of printing: by kind (CTL, LTL, invariants), not as in the file. None if the model was refused, or
    /// time was up: then some may be missing.
    pub(crate) verdicts: Option<Vec<bool>>,
}

impl Nusmv {
    /// Looks for the program, then for the package.
    pub(crate) fn find() -> Option<Self> {
        let brief = Duration::from_secs(20);
        let says = |command: &mut Command, words: &str| {
            child::run(command, brief)
                .is_ok_and(|ended| ended.output.contains(words) || ended.errors.contains(words))
        };
        if says(Command::new("NuSMV").arg("-h"), "This is NuSMV") {
            return Some(Self::Program);
        }
        ["python3.6", "python3"].into_iter().map(Self::Package).find(|nusmv| match nusmv {
            Self::Program => false,
            Self::Package(python) => {
                let script = "import pynusmv.init; print('found it')";
                says(Command::new(python).args(["-c", script]), "found it")
            }
        })
    }

    /// Runs it on the model in `file`; `options` are for the program only.
    pub(crate) fn check(&self, file: &Path, options: &[String], limit: Duration) -> std::io::Result<Answers> {
        let mut command = match self {
            Self::Program => {
                let mut command = Command::new("NuSMV");
                command.args(options);
                command
            }
            Self::Package(python) => {
                let mut command = Command::new(python);
                command.args(["-c", SCRIPT]);
                command
            }
        };
        let ended = child::run(command.arg(file), limit)?;
        let verdicts = answers(&ended.output);
        let complete = ended.in_time && ended.succeeded;
        Ok(Answers { ended, verdicts: complete.then_some(verdicts) })
    }
}

impl std::fmt::Display for Nusmv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program => write!(f, "the program NuSMV"),
            Self::Package(python) => {
                write!(f, "NuSMV in the package pynusmv of {python}, with the start of Python")
            }
        }
    }
}

/// The answers in what NuSMV printed. A property may go over several lines (`case` does); the verdict ends the last.
fn answers(output: &str) -> Vec<bool> {
    let mut verdicts = Vec::new();
    let mut open = false;
    for line in output.lines().map(str::trim_end) {
        open |= line.starts_with("-- specification ") || line.starts_with("-- invariant ");
        if open && (line.ends_with(" is true") || line.ends_with(" is false")) {
            verdicts.push(line.ends_with(" is true"));
            open = false;
        }
    }
    verdicts
}
