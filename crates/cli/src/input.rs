//! Reading inputs: files under the limits of the run, systems by the extension of their name, formulas from the
//! command line or from files.

use crate::failure::Failure;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use tertium_logic::{Formula, parse};
use tertium_support::{Context, Source};
use tertium_system::PartialSystem;
use tertium_system::format::{AutMode, Family, ReadError, read_aut, read_pts, source_of_bytes};

/// Formats that systems are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelFormat {
    /// Our own.
    Pts,
    /// Aldebaran.
    Aut,
    /// The language of NuSMV: the reachable states of a model.
    Smv,
    /// Guarded commands: the states of a model that a search finds.
    Gcl,
}

/// Why `--modal` is refused beside a model.
pub(crate) const MODAL_MODEL: &str = "--modal is about labels of .aut files; models have none";

/// A system that is still to be read.
#[derive(Clone, Debug)]
pub(crate) struct ModelFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// How it is written.
    pub(crate) format: ModelFormat,
    /// How labels of `.aut` files are read.
    pub(crate) mode: AutMode,
}

impl ModelFile {
    /// A file whose format follows from its name.
    pub(crate) fn new(path: &Path, modal: bool) -> Result<Self, Failure> {
        let mode = if modal { AutMode::Modal } else { AutMode::Plain };
        let format = format_of(path)?;
        if modal && matches!(format, ModelFormat::Smv | ModelFormat::Gcl) {
            return Err(Failure::Usage(MODAL_MODEL.to_owned()));
        }
        Ok(Self { path: path.to_owned(), format, mode })
    }

    /// The name for messages.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Reads the system.
    pub(crate) fn load(&self, context: &Context) -> Result<PartialSystem, Failure> {
        self.load_titled(context).map(|titled| titled.system)
    }

    /// Reads the system with what the file says about it besides.
    pub(crate) fn load_titled(&self, context: &Context) -> Result<Titled, Failure> {
        let bytes = read_file(context, &self.path)?;
        match self.format {
            ModelFormat::Smv => {
                let system = crate::smv::reachable_system(context, model_text(self.name(), bytes))?;
                Ok(Titled { system, name: None, family: None })
            }
            ModelFormat::Gcl => {
                let system = crate::gcl::reachable_system(context, text(self.name(), bytes)?)?;
                Ok(Titled { system, name: None, family: None })
            }
            ModelFormat::Aut => read_aut(context, &bytes, self.mode)
                .map(|system| Titled { system, name: None, family: None })
                .map_err(|error| unread(error, || source_of_bytes(self.name(), bytes))),
            ModelFormat::Pts => {
                let source = text(self.name(), bytes)?;
                read_pts(context, &source)
                    .map(|file| Titled { system: file.system, name: file.name, family: file.family })
                    .map_err(|error| unread(error, || source))
            }
        }
    }
}

/// A system with the name and the family that its file gives it.
#[derive(Clone, Debug)]
pub(crate) struct Titled {
    /// The system.
    pub(crate) system: PartialSystem,
    /// Its name.
    pub(crate) name: Option<String>,
    /// The family it promises to belong to.
    pub(crate) family: Option<Family>,
}

/// Why a system was not read. Complaints take the source along, so that its lines can be shown.
fn unread(error: ReadError, source: impl FnOnce() -> Source) -> Failure {
    match error {
        ReadError::Stopped(reason) => Failure::Stopped(reason),
        ReadError::Faulty(faults) => Failure::Faulty(Box::new(source()), faults),
    }
}

/// The text of a file, which must be UTF-8.
pub(crate) fn text(name: String, bytes: Vec<u8>) -> Result<Source, Failure> {
    Source::from_bytes(name, bytes).map_err(|wrong| Failure::Faulty(Box::new(wrong.0), vec![wrong.1]))
}

/// The text of an SMV model. Its comments may be in any encoding; elsewhere the reader refuses what is not UTF-8, which it
/// finds as replacement characters.
pub(crate) fn model_text(name: String, bytes: Vec<u8>) -> Source {
    let text = String::from_utf8(bytes);
    Source::new(name, text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// The format that a file name announces.
fn format_of(path: &Path) -> Result<ModelFormat, Failure> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("pts") => Ok(ModelFormat::Pts),
        Some("aut") => Ok(ModelFormat::Aut),
        Some("smv") => Ok(ModelFormat::Smv),
        Some("gcl") => Ok(ModelFormat::Gcl),
        other => {
            let found =
                other.map_or_else(|| "no extension".to_owned(), |other| format!("the extension .{other}"));
            Err(Failure::Input(format!(
                "{} has {found}; systems are read from .pts (partial transition systems), .aut (Aldebaran), .smv (NuSMV) and .gcl (guarded commands) files, \
                 see `tertium formats`",
                path.display()
            )))
        }
    }
}

/// How much is read between two looks at the limits.
const CHUNK: u64 = 4 << 20;

/// The bytes of a file.
pub(crate) fn read_file(context: &Context, path: &Path) -> Result<Vec<u8>, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::Input(format!("cannot read {}: {error}", path.display()));
    let mut file = File::open(path).map_err(|error| failed(&error))?;
    let known = file.metadata().map_err(|error| failed(&error))?;
    if known.is_dir() {
        return Err(failed(&"it is a directory"));
    }
    context.poll()?;
    context.reserve(known.len())?;
    let mut bytes = Vec::with_capacity(usize::try_from(known.len()).map_err(|error| failed(&error))?);
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

    /// From an argument: `@FILE`, or the formula itself.
    pub(crate) fn new(argument: &str) -> Self {
        match argument.strip_prefix('@') {
            Some(path) => Self::File(path.into()),
            None => Self::Text(argument.to_owned()),
        }
    }

    /// The argument that gave it.
    pub(crate) fn written(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::File(path) => format!("@{}", path.display()),
        }
    }

    /// The text, with the name for messages. `number` counts properties from 1.
    pub(crate) fn read(&self, context: &Context, number: usize) -> Result<Source, Failure> {
        match self {
            Self::Text(text) => Ok(Source::new(format!("<property {number}>"), text.as_str())),
            Self::File(path) => text(path.display().to_string(), read_file(context, path)?),
        }
    }
}

/// Reads a formula.
pub(crate) fn parse_property(source: &Source) -> Result<Formula, Failure> {
    parse(source).map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))
}
