//! The table of formats: how files become models.
//!
//! A format is found by the extension of a file name, else by its content. Adding one is adding a row: a reader, what its models
//! offer, and names.

use crate::{Halt, Model};
use std::path::Path;
use tertium_support::{Context, Diagnostics, without_marks};

/// A file that was read but not understood yet.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name, for messages.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// What the file itself holds, byte for byte, where that is something else.
    pub original: Option<Vec<u8>>,
}

impl Input {
    /// A file of this name, without a byte-order mark and with lines that end with `\n`.
    pub fn new(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        let is_changed = bytes.starts_with(b"\xef\xbb\xbf") || bytes.contains(&b'\r');
        let original = is_changed.then(|| bytes.clone());
        Self { name: name.into(), bytes: without_marks(bytes), original }
    }

    /// The same file after its text went through a preprocessor.
    #[must_use]
    pub fn preprocessed(self, bytes: Vec<u8>) -> Self {
        let original = self.original.unwrap_or(self.bytes);
        Self { name: self.name, bytes, original: Some(original) }
    }
}

/// A value for a parameter of a model, which it has in place of the one that is written in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: String,
    /// The value, as text; the format says what can be one.
    pub value: String,
    /// How the user gave it, for refusals.
    pub written: String,
}

impl Parameter {
    /// From `NAME=VALUE`, as the user wrote it behind an option.
    ///
    /// # Errors
    ///
    /// Text without `=`, with an example.
    pub fn given(option: &str, text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("write a name and a value, for example N=5")?;
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        Ok(Self { name, value, written: format!("{option} {text}") })
    }
}

/// How files are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Whether labels of steps carry modalities.
    pub modal: bool,
    /// Values of parameters of the model.
    pub parameters: Vec<Parameter>,
    /// Whether propositions and actions that a system does not have may stand in formulas.
    pub unknown_names: bool,
    /// Whether to look for what is suspicious, which may take a solver.
    pub warnings: bool,
    /// For programs that run on a machine: how that counts.
    pub machine: Machine,
}

/// How programs count, where their language leaves that to the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// How many bits types have; if nothing is said, the file may say it.
    pub data_model: Option<DataModel>,
    /// What integers are.
    pub integers: Integers,
}

/// How many bits types have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// 32 bits for `int`, `long` and pointers.
    Ilp32,
    /// 32 bits for `int`, 64 for `long` and pointers.
    Lp64,
}

/// What integers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integers {
    /// As on the machine: signed ones have bounds, which no step may leave; unsigned ones begin anew at zero.
    #[default]
    Machine,
    /// Mathematical integers, without bounds.
    Mathematical,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            modal: false,
            parameters: Vec::new(),
            unknown_names: false,
            warnings: true,
            machine: Machine::default(),
        }
    }
}

/// A model with what is suspicious about it.
pub type Read = (Box<dyn Model>, Diagnostics);

/// A format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its short name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// The extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether its files have properties of their own.
    pub has_properties: bool,
    /// Whether labels of its steps can carry modalities.
    pub modal: bool,
    /// Whether its models have parameters that can be set from outside.
    pub has_parameters: bool,
    /// What its texts go through before they are read, if they need it.
    pub preprocessing: Option<Preprocessing>,
    /// Whether its programs run on a machine, so that [`ReadOptions::machine`] matters.
    pub on_machine: bool,
    /// The format in which systems made of its models are written if nothing is said.
    pub written_as: &'static str,
    /// Whether a content looks like this format.
    pub looks_like: fn(&[u8]) -> bool,
    /// Reads a file.
    pub read: fn(&Context, Input, &ReadOptions) -> Result<Read, Halt>,
}

/// What texts go through before they are read.
#[derive(Clone, Copy, Debug)]
pub struct Preprocessing {
    /// Whether a text needs it.
    pub is_needed: fn(&[u8]) -> bool,
    /// Programs with their arguments, each of which gives the text that is read; the first that works is used.
    pub commands: fn(&ReadOptions, &Path) -> Vec<Vec<String>>,
}

/// The extensions of files of formulas.
const FORMULAS: [&str; 2] = ["mcf", "prp"];

/// The table.
#[derive(Clone, Debug)]
pub struct Formats(Vec<Format>);

impl Formats {
    /// All formats of this crate.
    pub fn standard() -> Self {
        Self(crate::formats::ALL.to_vec())
    }

    /// The table with one more row.
    #[must_use]
    pub fn with(mut self, format: Format) -> Self {
        self.0.push(format);
        self
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = &Format> {
        self.0.iter()
    }

    /// The format that a file name announces.
    pub fn by_name(&self, path: &Path) -> Option<&Format> {
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        self.iter().find(|format| format.extensions.contains(&extension.as_str()))
    }

    /// Whether a file holds formulas instead of a model, as its name tells.
    pub fn are_formulas(path: &Path) -> bool {
        let is_known = |known: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(known));
        FORMULAS.into_iter().any(is_known)
    }

    /// The format of a file: that of its name, else the first that its content looks like.
    pub fn find(&self, path: &Path, bytes: &[u8]) -> Result<&Format, Halt> {
        let found = self.by_name(path).or_else(|| self.iter().find(|format| (format.looks_like)(bytes)));
        found.ok_or_else(|| Halt::Refused(self.unknown(path)))
    }

    fn unknown(&self, path: &Path) -> String {
        let found = match path.extension() {
            Some(other) => format!("the extension .{}", other.to_string_lossy()),
            None => "no extension".to_owned(),
        };
        let known: Vec<String> =
            self.iter().map(|format| format!(".{} ({})", format.extensions[0], format.title)).collect();
        let (last, first) = known.split_last().expect("there is a format");
        format!(
            "{} has {found} and does not look like a format we know; models are read from {} and {last} files, see `tertium formats`",
            path.display(),
            first.join(", ")
        )
    }
}
