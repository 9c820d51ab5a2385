//! Reading inputs: files under the limits of the run, systems and models by the table of formats, formulas from the command
//! line or from files.

use crate::args::ReadingArgs;
use crate::ask::Ask;
use crate::failure::Failure;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tertium_supervise::{Unfiltered, filter};
use tertium_support::{Context, Id, Source, plain};
use tertium_system::PartialSystem;
use tertium_system::format::Family;
use tertium_verify::{Formats, Given, Input, Model, PropertyId, ReadOptions, Tables};

/// The argument that stands for standard input in place of a file.
pub(crate) const STANDARD_INPUT: &str = "-";

/// What messages call a file.
pub(crate) fn shown(path: &Path) -> String {
    if path == Path::new(STANDARD_INPUT) {
        "<standard input>".to_owned()
    } else {
        plain(&path.to_string_lossy()).into_owned()
    }
}

/// So many states of a model are listed to make a system of it.
const MOST_LISTED: usize = 50_000;

/// A system with the name and the family that its file gives it.
#[derive(Clone, Debug)]
pub(crate) struct Titled {
    /// The system.
    pub(crate) system: Arc<PartialSystem>,
    /// Its name.
    pub(crate) name: Option<String>,
    /// The family it promises to belong to.
    pub(crate) family: Option<Family>,
    /// The format in which it is written if nothing is said.
    pub(crate) written_as: &'static str,
}

/// Reads a model, with what is suspicious about it left out.
pub(crate) fn load_model(
    context: &Context,
    path: &Path,
    reading: &ReadingArgs,
) -> Result<Box<dyn Model>, Failure> {
    let mut ask = Ask::new(context, path, reading)?;
    ask.read.warnings = false;
    Ok(tertium_verify::read(&ask.request(context))?.0)
}

/// The system that a file is, or that the reachable states of its model make.
pub(crate) fn load_system(context: &Context, path: &Path, reading: &ReadingArgs) -> Result<Titled, Failure> {
    let model = load_model(context, path, reading)?;
    let refused = |why: &str| Failure::Input(format!("{} {why}", shown(path)));
    let offer =
        model.system().ok_or_else(|| refused("has fairness, which a transition system cannot carry"))?;
    // What the properties speak of stays a proposition.
    let properties: Vec<_> = PropertyId::first(model.properties().len()).collect();
    let found = offer.system(context, &properties, MOST_LISTED)?;
    if found.system.initial().is_empty() && !offer.is_given() {
        return Err(refused("has no initial state"));
    }
    let (name, family) = offer.title();
    let tables = Tables::default();
    let written_as = tables.formats.by_name(path).map_or("pts", |format| format.written_as);
    Ok(Titled { system: found.system, name: name.map(str::to_owned), family, written_as })
}

/// A file, sent through what texts of its format go through before they are read.
pub(crate) fn input(context: &Context, path: &Path, options: &ReadOptions) -> Result<Input, Failure> {
    let input = Input::new(shown(path), read_file(context, path)?);
    let format = Tables::default().formats.find(path, &input.bytes).ok().copied();
    let Some(needed) = format.and_then(|format| format.preprocessing) else { return Ok(input) };
    if !(needed.is_needed)(&input.bytes) {
        return Ok(input);
    }
    let commands = (needed.commands)(options, path.parent().unwrap_or(Path::new("")));
    match filter(context, &commands, &input.bytes) {
        Ok(bytes) => Ok(input.preprocessed(bytes)),
        Err(Unfiltered::Stopped(reason)) => Err(reason.into()),
        Err(Unfiltered::Missing) => Err(Failure::Input(format!(
            "{} has to be preprocessed, and there is no program for it: install a C compiler, or preprocess it with `cc -E`",
            input.name
        ))),
        Err(Unfiltered::Refused(said)) => {
            // It was given the text, not the file.
            let said = said.replace("<stdin>", &input.name);
            Err(Failure::Input(format!("{} could not be preprocessed:\n{said}", input.name)))
        }
    }
}

/// The text of a file, which must be UTF-8.
pub(crate) fn read_text(context: &Context, path: &Path) -> Result<Source, Failure> {
    let bytes = read_file(context, path)?;
    Source::from_bytes(shown(path), bytes).map_err(|wrong| Failure::Faulty(Box::new(wrong.0), vec![wrong.1]))
}

/// How much is read between two looks at the limits.
const CHUNK: u64 = 4 << 20;

/// The bytes of a file.
pub(crate) fn read_file(context: &Context, path: &Path) -> Result<Vec<u8>, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::Input(format!("cannot read {}: {error}", shown(path)));
    let (mut file, length): (Box<dyn Read>, u64) = if path == Path::new(STANDARD_INPUT) {
        (Box::new(std::io::stdin().lock()), 0)
    } else {
        let file = File::open(path).map_err(|error| failed(&error))?;
        let known = file.metadata().map_err(|error| failed(&error))?;
        if known.is_dir() {
            return Err(failed(&"it is a directory"));
        }
        (Box::new(file), known.len())
    };
    context.poll()?;
    context.reserve(length)?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(|error| failed(&error))?);
    while (&mut file).take(CHUNK).read_to_end(&mut bytes).map_err(|error| failed(&error))? > 0 {
        context.poll()?;
    }
    Ok(bytes)
}

/// A property as the user gave it.
#[derive(Clone, Debug)]
pub(crate) enum PropertySource {
    /// On the command line.
    Text(String),
    /// In a file.
    File(PathBuf),
}

impl PropertySource {
    /// The file, if it is in one.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::Text(_) => None,
            Self::File(path) => Some(path),
        }
    }

    /// From an argument: `@FILE`, a file whose name says that it holds formulas, `-`, or the formula itself.
    pub(crate) fn new(argument: &str) -> Self {
        let is_file =
            || Formats::are_formulas(Path::new(argument)) && !argument.contains(char::is_whitespace);
        match argument.strip_prefix('@') {
            Some(path) => Self::File(path.into()),
            None if argument == STANDARD_INPUT || is_file() => Self::File(argument.into()),
            None => Self::Text(argument.to_owned()),
        }
    }

    /// The property as the middle takes it.
    pub(crate) fn given(&self, context: &Context, number: usize) -> Given {
        Given { written: self.written(), source: self.read(context, number).map_err(Into::into) }
    }

    /// The argument that gave it.
    pub(crate) fn written(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::File(path) => format!("@{}", shown(path)),
        }
    }

    /// The text, with the name for messages. `number` counts properties from 1.
    pub(crate) fn read(&self, context: &Context, number: usize) -> Result<Source, Failure> {
        match self {
            Self::Text(text) => Ok(Source::new(format!("<property {number}>"), text.as_str())),
            Self::File(path) => read_text(context, path),
        }
    }
}
