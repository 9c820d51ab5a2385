//! Witnesses of answers about C programs, as other tools read and write them: format 2.0, in YAML.
//!
//! A *violation witness* leads to the violation: a list of segments, each a place that the run comes to, and perhaps places that it
//! does not come to before that. A *correctness witness* is a list of invariants at places. Here they are plain data, with a writer
//! and a reader; what they mean for a program is said and checked elsewhere. The page docs/formats/witness.md tells what is written
//! and what is read.
//!
//! | file | holds |
//! |---|---|
//! | `digest` | SHA-256 of files, and names for witnesses made of it |
//! | `write` | the writer |
//! | `read` | the reader |
//! | `run` | from a run to a witness, and from a witness to values for a run |
//!
//! Libraries do not read the clock: who writes a witness says when it was made, or it says the beginning of 1970.

mod digest;
mod read;
mod run;
mod write;

pub use digest::sha256;
pub use read::{ReadWitness, read_witnesses};
pub use run::{Guide, Passed, violation_witness};
pub use write::write_witness;

/// How large the types of C are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessDataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits; `long` and pointers have 64.
    Lp64,
}

impl WitnessDataModel {
    /// The name that witnesses and task definitions use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ilp32 => "ILP32",
            Self::Lp64 => "LP64",
        }
    }

    /// The data model of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Ilp32, Self::Lp64].into_iter().find(|model| model.name() == name)
    }
}

/// A file of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The name, as the task gives it.
    pub name: String,
    /// SHA-256 of its bytes, 64 hexadecimal digits; [`sha256`] computes it.
    pub sha256: String,
}

/// What a witness is about and who made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessTask {
    /// The files of the program.
    pub input_files: Vec<InputFile>,
    /// The property: the `CHECK` line of a property file, or what stands inside of its `LTL(...)`.
    pub specification: String,
    /// How large the types are.
    pub data_model: WitnessDataModel,
    /// The name of the tool.
    pub producer: String,
    /// Its version.
    pub version: String,
    /// A name for the witness, in the form of a UUID. If nothing is said, it is made of what the witness holds.
    pub uuid: Option<String>,
    /// When it was made, as ISO 8601 with zone.
    pub creation_time: Option<String>,
}

/// A witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// What it is about.
    pub task: WitnessTask,
    /// What it says.
    pub content: WitnessContent,
}

/// What a witness says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessContent {
    /// The way to a violation: `violation_sequence`.
    Violation(Vec<Segment>),
    /// What holds where: `invariant_set`.
    Correctness(Vec<WitnessInvariant>),
}

/// A part of the way to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What the run does not pass before the last one.
    pub avoid: Vec<Waypoint>,
    /// What it passes then.
    pub last: Waypoint,
    /// Whether the last one is passed again and again: it is a part of the cycle of a run without end.
    pub is_cycle: bool,
}

impl Segment {
    /// A waypoint that the run passes next.
    pub fn follow(last: Waypoint) -> Self {
        Self { avoid: Vec::new(), last, is_cycle: false }
    }
}

/// A place of a run, with what is known there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// What is known.
    pub kind: WaypointKind,
    /// Where.
    pub location: WitnessLocation,
}

/// What a waypoint says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaypointKind {
    /// A C expression is true immediately before the place.
    Assumption(String),
    /// The statement that begins at the place goes this way.
    Branching(Way),
    /// A function is called; the place is the closing parenthesis of the call.
    FunctionEnter,
    /// A call returns, and this is true of its value `\result`; the place is the closing parenthesis of the call.
    FunctionReturn(Option<String>),
    /// The violation.
    Target,
}

/// The way that a branching statement goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// The condition is true, or it is false.
    Condition(bool),
    /// A `switch` goes to this case, or to `default`.
    Case(String),
}

/// A place in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessLocation {
    /// The file.
    pub file_name: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; if nothing is said, the first one that fits.
    pub column: Option<u32>,
    /// The function around it.
    pub function: Option<String>,
}

/// What holds at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessInvariant {
    /// Whether it is said of each round of the loop that begins at the place.
    pub kind: InvariantKind,
    /// Where.
    pub location: WitnessLocation,
    /// A C expression.
    pub value: String,
}

/// Where an invariant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvariantKind {
    /// Each time before the condition of the loop is looked at.
    Loop,
    /// Each time before the statement.
    Location,
}
