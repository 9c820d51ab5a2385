//! Where a system goes, and in which format.

use super::transform::Transform;
use crate::args::{FormatArg, TargetArgs};
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{Titled, shown};
use crate::run::Run;
use crate::write::{WriteError, keep_apart, write_atomically};
use std::io::Write;
use std::path::{Path, PathBuf};
use tertium_system::PartialSystem;
use tertium_system::format::{AutError, AutMode, DotOptions, print_dot, print_pts, write_aut};

/// What the user said about the result.
#[derive(Debug)]
pub(crate) struct Target {
    file: Option<PathBuf>,
    format: Option<FormatArg>,
}

impl From<TargetArgs> for Target {
    fn from(args: TargetArgs) -> Self {
        Self { file: args.output, format: args.format }
    }
}

impl Target {
    /// Standard output, as a picture or as `.pts`, which can carry everything.
    pub(crate) fn shown(dot: bool) -> Self {
        Self { file: None, format: Some(if dot { FormatArg::Dot } else { FormatArg::Pts }) }
    }

    /// Refuses to write one of the inputs.
    pub(crate) fn keep_apart<'a>(
        &'a self,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<(), Failure> {
        keep_apart(&[("--output", self.file.as_deref())], inputs)
    }

    /// Fixes the format: the one asked for, else that of the file name, else that of the input, unless the result is
    /// of a family that the input's format seldom carries.
    pub(crate) fn writer(self, written_as: &str, transform: &Transform) -> Result<Writer, Failure> {
        let by_name = match &self.file {
            None => None,
            Some(path) => match path.extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
                Some("pts") => Some(FormatArg::Pts),
                Some("aut") => Some(FormatArg::Aut),
                Some("dot" | "gv") => Some(FormatArg::Dot),
                _ if self.format.is_some() => None,
                _ => {
                    let name = shown(&path);
                    return Err(Failure::Usage(format!(
                        "the name {name} does not say in which format to write: end it in .pts, .aut or .dot, or \
                         give --format"
                    )));
                }
            },
        };
        let by_input = match (transform, written_as) {
            (Transform::Family(_), _) => FormatArg::Pts,
            (_, "aut") => FormatArg::Aut,
            _ => FormatArg::Pts,
        };
        Ok(Writer { file: self.file, format: self.format.or(by_name).unwrap_or(by_input) })
    }
}

/// Writes a system.
#[derive(Debug)]
pub(crate) struct Writer {
    file: Option<PathBuf>,
    format: FormatArg,
}

impl Writer {
    /// Writes to the file, whole or not at all, or to standard output.
    pub(crate) fn write(&self, run: &Run, titled: &Titled) -> Result<Status, Failure> {
        match &self.file {
            Some(path) => write_atomically(&run.output, path, |out| print(titled, self.format, out))?,
            None => {
                // Into memory first: a refusal must not leave half a system on standard output.
                let mut text = Vec::new();
                print(titled, self.format, &mut text).map_err(|error| match error {
                    WriteError::Io(error) => Failure::Input(error.to_string()),
                    WriteError::Refused(reason) => Failure::Input(reason),
                })?;
                run.output.stream(|out| out.write_all(&text));
            }
        }
        Ok(Status::True)
    }
}

fn print(titled: &Titled, format: FormatArg, out: &mut impl Write) -> Result<(), WriteError> {
    let system = &titled.system;
    match format {
        FormatArg::Pts => {
            let text = print_pts(system, titled.name.as_deref(), titled.family)
                .map_err(|error| WriteError::Refused(error.to_string()))?;
            Ok(out.write_all(text.as_bytes())?)
        }
        FormatArg::Dot => {
            let options = DotOptions { name: titled.name.clone(), ..DotOptions::default() };
            Ok(out.write_all(print_dot(system, &options).as_bytes())?)
        }
        FormatArg::Aut => write_aut(system, aut_mode(system), out).map_err(|error| match error {
            AutError::Io(error) => WriteError::Io(error),
            refusal => WriteError::Refused(format!("{refusal}; .pts can carry it: --format pts")),
        }),
    }
}

/// Modalities are written only where there are some to write.
fn aut_mode(system: &PartialSystem) -> AutMode {
    let ordinary = system.transitions().labels().iter().all(|label| label.is_must());
    if ordinary { AutMode::Plain } else { AutMode::Modal }
}
