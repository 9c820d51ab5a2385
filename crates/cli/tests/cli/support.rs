//! Running the binary on files of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The binary: the one that was built with these tests, or the one in `TERTIUM_BINARY`, such as a release.
pub(crate) fn binary() -> String {
    std::env::var("TERTIUM_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_tertium").to_owned())
}

/// What a run printed and how it ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

impl Run {
    /// The last line of standard output.
    pub(crate) fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }

    /// Standard output as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("no JSON: {error}\n{self:?}"))
    }

    /// Fails unless the run ended with this status and, if it printed a `RESULT`, with this one.
    #[track_caller]
    pub(crate) fn ends(self, status: i32, result: &str) -> Self {
        assert_eq!((self.status, self.last_line()), (status, result), "{self:?}");
        self
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).expect("we print UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("we print UTF-8"),
            status: output.status.code().expect("the process ended by itself"),
        }
    }
}

/// A directory that goes away with the value.
#[derive(Debug)]
pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the test may write in the target directory");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.0.join(name), content).expect("the test may write here");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the directory exists");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// A command that runs the binary here.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Runs the binary here.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.command(arguments).output().expect("the binary starts").into()
    }

    /// Runs the binary here, with something to read from standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        // Whoever does not read it all is not to blame.
        let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
        child.wait_with_output().expect("the binary ends").into()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A machine with something open: `done` is surely reached from `work`, but whether `idle` starts is not known.
pub(crate) const MACHINE: &str = "system machine : kmts;
propositions ready, lamp = m;
actions start, stop;
state idle : ready, !lamp;
state work : !ready;
state done : ready, lamp;
init idle;
may  idle -start-> work;
both work -stop-> done;
both done -start-> done;
";

/// A place with the machine in `m.pts`.
pub(crate) fn with_machine() -> Place {
    let place = Place::new();
    place.file("m.pts", MACHINE);
    place
}

/// A cycle of three states with the actions a, b, c.
pub(crate) const RING: &str = "des (0,3,3)\n(0,\"a\",1)\n(1,\"b\",2)\n(2,\"c\",0)\n";
