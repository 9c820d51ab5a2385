//! `tertium completions`: scripts that let a shell complete commands and options.

use crate::exit::Status;
use crate::output::Output;

/// Prints the script.
pub(crate) fn run(shell: clap_complete::Shell, output: &Output) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut crate::command(), "tertium", &mut script);
    output.result_bytes(script);
    Status::True
}
