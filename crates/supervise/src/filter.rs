//! A text sent through a program of the machine, such as a preprocessor.
//!
//! The program gets the text on its standard input and gives the result on its standard output. It is ended when the time
//! is over or the run is to end; what it says to its standard error is kept for a message.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread::Builder;
use std::time::Duration;
use tertium_support::Context;

/// Why a text did not come through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfiltered {
    /// None of the programs is on this machine.
    Missing,
    /// The last one that could be started refused the text and said this.
    Refused(String),
    /// The run is to end.
    Stopped(tertium_support::StopReason),
}

/// How long a program works before we look at the limits.
const LOOK: Duration = Duration::from_millis(2);
/// The stack of a thread that reads or writes a pipe.
const STACK: usize = 256 << 10;

/// Sends a text through the first of several command lines that accepts it.
///
/// # Errors
///
/// See [`Unfiltered`].
pub fn filter(context: &Context, commands: &[Vec<String>], text: &[u8]) -> Result<Vec<u8>, Unfiltered> {
    let mut failure = Unfiltered::Missing;
    for command in commands {
        match run(context, command, text) {
            Ok(result) => return Ok(result),
            Err(stopped @ Unfiltered::Stopped(_)) => return Err(stopped),
            // What the first program complains about is what its user knows.
            Err(Unfiltered::Refused(said)) if failure == Unfiltered::Missing => {
                failure = Unfiltered::Refused(said);
            }
            Err(_) => {}
        }
    }
    Err(failure)
}

fn run(context: &Context, command: &[String], text: &[u8]) -> Result<Vec<u8>, Unfiltered> {
    let (program, arguments) = command.split_first().ok_or(Unfiltered::Missing)?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|_| Unfiltered::Missing)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let came = std::thread::scope(|scope| {
        let thread = || Builder::new().stack_size(STACK);
        let feed =
            thread().spawn_scoped(scope, move || stdin.is_some_and(|mut pipe| pipe.write_all(text).is_ok()));
        let result = thread().spawn_scoped(scope, move || all_of(stdout));
        let said = thread().spawn_scoped(scope, move || all_of(stderr));
        let (Ok(_), Ok(result), Ok(said)) = (feed, result, said) else {
            // There is no room for threads. Those that are there end with the program.
            let _ = child.kill();
            return None;
        };
        let mut stopped = None;
        while !(result.is_finished() && said.is_finished()) {
            if let Err(reason) = context.poll() {
                stopped = Some(reason);
                // It may have ended by itself meanwhile.
                let _ = child.kill();
            }
            std::thread::sleep(LOOK);
        }
        Some((result.join().unwrap_or_default(), said.join().unwrap_or_default(), stopped))
    });
    let status = child.wait().map_err(|_| Unfiltered::Missing)?;
    let (result, said, stopped) = came.ok_or(Unfiltered::Missing)?;
    match stopped {
        Some(reason) => Err(Unfiltered::Stopped(reason)),
        None if status.success() => Ok(result),
        None => Err(Unfiltered::Refused(String::from_utf8_lossy(&said).trim().to_owned())),
    }
}

fn all_of(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What came before a failure counts.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}
