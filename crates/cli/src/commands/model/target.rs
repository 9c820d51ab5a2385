//! Where a system goes, and in which format.

use super::transform::Transform;
use crate::args::TargetArgs;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{Titled, shown};
use crate::run::Run;
use crate::write::{keep_apart, write_atomically};
use std::io::Write;
use std::path::{Path, PathBuf};
use tertium_system::format::{SystemFormat, Unwritten};

/// What the user said about the result.
#[derive(Debug)]
pub(crate) struct Target {
    file: Option<PathBuf>,
    format: Option<SystemFormat>,
}

impl From<TargetArgs> for Target {
    fn from(args: TargetArgs) -> Self {
        Self { file: args.output, format: args.format }
    }
}

impl Target {
    /// Standard output, as a picture or as `.pts`, which can carry everything.
    pub(crate) fn shown(dot: bool) -> Self {
        Self { file: None, format: Some(if dot { SystemFormat::Dot } else { SystemFormat::Pts }) }
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
        let by_name = self.file.as_deref().and_then(SystemFormat::by_name);
        if let (Some(path), None, None) = (&self.file, by_name, self.format) {
            return Err(Failure::Usage(format!(
                "the name {} does not say in which format to write: end it in .pts, .aut or .dot, or give --format",
                shown(path)
            )));
        }
        let by_input = match (transform, written_as) {
            (Transform::Family(_), _) => SystemFormat::Pts,
            (_, "aut") => SystemFormat::Aut,
            _ => SystemFormat::Pts,
        };
        Ok(Writer { file: self.file, format: self.format.or(by_name).unwrap_or(by_input) })
    }
}

/// Writes a system.
#[derive(Debug)]
pub(crate) struct Writer {
    file: Option<PathBuf>,
    format: SystemFormat,
}

impl Writer {
    /// Writes to the file, whole or not at all, or to standard output.
    pub(crate) fn write(&self, run: &Run, titled: &Titled) -> Result<Status, Failure> {
        match &self.file {
            Some(path) => write_atomically(&run.output, path, |out| self.print(titled, out))?,
            None => {
                // Into memory first: a refusal must not leave half a system on standard output.
                let mut text = Vec::new();
                self.print(titled, &mut text).map_err(|error| match error {
                    Unwritten::Io(error) => Failure::Input(error.to_string()),
                    Unwritten::Refused(reason) => Failure::Input(reason),
                })?;
                run.output.stream(|out| out.write_all(&text));
            }
        }
        Ok(Status::True)
    }

    fn print(&self, titled: &Titled, out: &mut impl Write) -> Result<(), Unwritten> {
        let Titled { system, name, family, .. } = titled;
        self.format.write(system, name.as_deref(), *family, out)
    }
}
