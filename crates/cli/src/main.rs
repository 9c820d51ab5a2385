//! The binary `tertium`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(tertium_cli::run(std::env::args_os()).code())
}
