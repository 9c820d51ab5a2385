//! What a task definition asks: a program, properties, and the verdicts that are right.

use super::prp::{is_coverage_file, is_coverage_text};
use super::{TaskInput, is_property_text, read_properties, read_task, standard_properties};
use crate::{DataModel, Given, Halt};
use std::path::{Path, PathBuf};
use tertium_report::witness::WitnessDataModel;
use tertium_support::{Diagnostic, Diagnostics, Source};

/// What a task asks.
#[derive(Clone, Debug)]
pub struct TaskAsked {
    /// The program.
    pub program: PathBuf,
    /// How many bits its types have, if the task says it.
    pub data_model: Option<DataModel>,
    /// The properties, each with the verdict that is right if somebody knows.
    pub properties: Vec<(Given, Option<bool>)>,
    /// What is odd about the task, or is not asked.
    pub warnings: Diagnostics,
}

/// Whether a file is a task definition, as its name tells.
pub fn is_task(path: &Path) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case("yml") || own.eq_ignore_ascii_case("yaml"))
}

/// What the task in this file asks. `open` reads a file of the task, and gives nothing if there is none: a standard property file is then
/// known by its name.
pub fn task_asked(
    path: &Path,
    source: &Source,
    open: &mut dyn FnMut(&Path) -> Option<Result<Source, Halt>>,
) -> Result<TaskAsked, Halt> {
    let task = read_task(source).map_err(|found| Halt::faulty(source, found))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let wrong = |span, message: String| Halt::faulty(source, vec![Diagnostic::error(span, message)]);
    let (first, rest) = task
        .input_files
        .split_first()
        .ok_or_else(|| Halt::Refused(format!("{} names no program", source.name())))?;
    if let Some(other) = rest.first().or(Some(first).filter(|own| own.is_pattern())) {
        return Err(wrong(
            other.span,
            "a task with several files is not supported: join them to one".to_owned(),
        ));
    }
    let mut asked = TaskAsked {
        program: folder.join(&first.name),
        data_model: task.data_model.map(|model| match model {
            WitnessDataModel::Ilp32 => DataModel::Ilp32,
            WitnessDataModel::Lp64 => DataModel::Lp64,
        }),
        properties: Vec::new(),
        warnings: task.warnings,
    };
    let (mut standard, mut coverage, mut unsupported) = (Vec::new(), Vec::new(), Vec::new());
    for property in &task.properties {
        let name = &property.file.name;
        let mut is_standard = false;
        let text = match open(&folder.join(name)) {
            Some(read) => read?,
            None if is_coverage_file(name) => {
                coverage.push(&property.file);
                continue;
            }
            None => {
                let Some(text) = standard_properties(name) else {
                    return Err(wrong(property.file.span, format!("there is no file {name}")));
                };
                is_standard = true;
                Source::new(name.as_str(), text)
            }
        };
        if is_coverage_text(text.text()) {
            coverage.push(&property.file);
            continue;
        }
        if is_property_text(text.text())
            && let Ok(lines) = read_properties(&text)
            && lines.iter().any(|line| line.specification.not_supported().is_some())
        {
            unsupported.push(&property.file);
            continue;
        }
        if is_standard {
            standard.push(&property.file);
        }
        asked.properties.push((Given { written: format!("@{name}"), source: Ok(text) }, property.expected));
    }
    let notes = [
        ("standard properties are taken for missing files", &standard),
        ("not supported yet, so not asked", &unsupported),
        ("what tests should cover, so not asked", &coverage),
    ];
    for (what, files) in notes {
        asked.warnings.extend(note(source, what, files));
    }
    if let (true, Some(first)) = (asked.properties.is_empty(), task.properties.first()) {
        let nothing = Diagnostic::error(first.file.span, "no property of this task can be asked");
        asked.warnings.push(nothing);
        return Err(Halt::faulty(source, asked.warnings));
    }
    Ok(asked)
}

/// What holds of these files of a task, if there are any, with their lines.
fn note(source: &Source, what: &str, files: &[&TaskInput]) -> Option<Diagnostic> {
    let place = |file: &&TaskInput| {
        let name = file.name.rsplit(['/', '\\']).next().unwrap_or(&file.name);
        format!("{name} (line {})", source.line_column(file.span.start).0)
    };
    let named: Vec<String> = files.iter().map(place).collect();
    let first = files.first()?;
    Some(Diagnostic::remark(first.span, format!("{what}: {}", named.join(", "))))
}
