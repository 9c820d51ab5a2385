//! `tertium completions` and `tertium man`: what shells and readers of manuals want to know about commands and options.

use crate::exit::Status;
use crate::output::Output;

/// Prints a script that lets a shell complete commands and options.
pub(crate) fn run(shell: clap_complete::Shell, output: &Output) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut crate::command(), "tertium", &mut script);
    output.result_bytes(script);
    Status::True
}

/// Prints the manual page of the program, or of the command with these words.
pub(crate) fn manual(words: &[String], output: &Output) -> Status {
    let mut command = crate::command().version(env!("CARGO_PKG_VERSION")).propagate_version(true);
    // Only then do commands know the words before them.
    command.build();
    for word in words {
        let Some(found) = command.find_subcommand(word) else {
            output.message(&format!(
                "error: there is no command `{}`; see `tertium --help`\n",
                words.join(" ")
            ));
            return Status::Usage;
        };
        command = found.clone();
    }
    output.stream(|out| clap_mangen::Man::new(command).render(out));
    Status::True
}
