//! Writing files whole or not at all: into a temporary file beside the target, which then takes its name.

use crate::failure::Failure;
use crate::input::{STANDARD_INPUT, shown};
use crate::output::Output;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tertium_supervise::Writing;
use tertium_system::format::Unwritten;

/// A file that is written, with the option that says so.
pub(crate) type Named<'a> = (&'static str, Option<&'a Path>);

/// Refuses an output that is an input or another output, whatever they are called: whoever asks for it has mistyped
/// something. Devices and pipes can be both.
pub(crate) fn keep_apart<'a>(
    outputs: &[Named<'a>],
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    let inputs: Vec<(&Path, Identity)> =
        inputs.into_iter().filter_map(|path| identity(path).map(|known| (path, known))).collect();
    let mut before: Vec<(&str, Identity)> = Vec::new();
    for &(option, path) in outputs {
        if path == Some(Path::new(STANDARD_INPUT)) {
            let advice = "leave it out for standard output, or write ./- for a file of that name";
            return Err(Failure::Usage(format!("{option} - is no file: {advice}")));
        }
        let Some((path, known)) = path.and_then(|path| identity(path).map(|known| (path, known))) else {
            continue;
        };
        let name = shown(path);
        if let Some((input, _)) = inputs.iter().find(|(_, input)| *input == known) {
            let input = shown(input);
            return Err(Failure::Usage(format!("{option} would overwrite {input}, which is an input")));
        }
        if let Some((other, _)) = before.iter().find(|(_, other)| *other == known) {
            return Err(Failure::Usage(format!("{option} and {other} would both write {name}")));
        }
        before.push((option, known));
    }
    Ok(())
}

/// What tells files apart: where they are on the disk or, if they are not there yet, where they will be.
#[derive(PartialEq, Eq)]
enum Identity {
    #[cfg(unix)]
    Known(u64, u64),
    Named(PathBuf),
}

/// Nothing for what is no file.
fn identity(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(known) if !known.is_file() => None,
        #[cfg(unix)]
        Ok(known) => {
            use std::os::unix::fs::MetadataExt;
            Some(Identity::Known(known.dev(), known.ino()))
        }
        #[cfg(not(unix))]
        Ok(_) => Some(Identity::Named(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))),
        Err(_) => {
            let folder =
                path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
            Some(Identity::Named(folder.join(path.file_name()?)))
        }
    }
}

/// Writes a file with what `fill` prints. If anything fails, the target is as it was before.
pub(crate) fn write_atomically<E>(
    output: &Output,
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), Failure>
where
    E: Into<Unwritten>,
{
    let failed = |error: Unwritten| match error {
        Unwritten::Io(error) => Failure::Input(format!("cannot write {}: {error}", shown(path))),
        Unwritten::Refused(reason) => Failure::Input(format!("cannot write {}: {reason}", shown(path))),
    };
    // Whoever watches knows what to clear away if this takes too long.
    let writing = |part: Option<&Path>| {
        let part = part.map(Path::to_owned);
        output.writing(Some(Writing { target: path.to_owned(), part }));
    };
    // A link stays a link; a device, a pipe or a terminal cannot be replaced, only written to.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&target) {
        Ok(known) if known.is_dir() => {
            return Err(failed(Unwritten::Refused("it is a directory".to_owned())));
        }
        Ok(known) if !known.is_file() => {
            writing(None);
            let file = fs::OpenOptions::new().write(true).open(&target).map_err(|e| failed(e.into()))?;
            let written = fill_and_flush(file, fill).map(drop).map_err(failed);
            output.writing(None);
            return written;
        }
        _ => {}
    }
    let temporary = beside(&target);
    writing(Some(&temporary));
    let file = File::create_new(&temporary).map_err(|error| failed(error.into()))?;
    let written = fill_and_flush(file, fill)
        .and_then(|file| keep_permissions(&target, &file).map_err(Unwritten::Io))
        .and_then(|()| fs::rename(&temporary, &target).map_err(Unwritten::Io));
    let written = written.map_err(|error| {
        // The message is about the first failure; a temporary file that cannot be removed either adds nothing to it.
        let _ = fs::remove_file(&temporary);
        failed(error)
    });
    output.writing(None);
    written
}

fn fill_and_flush<E: Into<Unwritten>>(
    file: File,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<File, Unwritten> {
    let mut out = BufWriter::new(file);
    fill(&mut out).map_err(Into::into)?;
    out.flush()?;
    out.into_inner().map_err(|error| Unwritten::Io(error.into_error()))
}

/// A file that is replaced keeps its permissions.
fn keep_permissions(target: &Path, file: &File) -> io::Result<()> {
    match fs::metadata(target) {
        Ok(known) => file.set_permissions(known.permissions()),
        Err(_) => Ok(()),
    }
}

/// Removes what was written of a file that is given up.
pub(crate) fn clear_away(path: &Path) {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // It may be gone already, or never have been made.
    let _ = fs::remove_file(beside(&target));
}

/// A name in the same directory that no other run uses.
fn beside(target: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    target.with_file_name(name)
}
