//! What a task definition asks: a program, properties, and the verdicts that are right.

use super::prp::{is_coverage_file, is_coverage_text};
use super::{is_property_text, read_properties, read_task, standard_properties};
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

/// Why a goal of tests is passed over.
const COVERAGE: &str = "what tests should cover is no property";

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
    for property in &task.properties {
        let name = &property.file.name;
        let warning = |said: String| Diagnostic::warning(property.file.span, said);
        let pass_over = |why: &str| warning(format!("{why}: it is not asked"));
        let text = match open(&folder.join(name)) {
            Some(read) => read?,
            None if is_coverage_file(name) => {
                asked.warnings.push(pass_over(COVERAGE));
                continue;
            }
            None => {
                let Some(standard) = standard_properties(name) else {
                    return Err(wrong(property.file.span, format!("there is no file {name}")));
                };
                let said = format!("there is no file {name}: the standard property of this name is taken");
                asked.warnings.push(warning(said));
                Source::new(name.as_str(), standard)
            }
        };
        if is_coverage_text(text.text()) {
            asked.warnings.push(pass_over(COVERAGE));
            continue;
        }
        if is_property_text(text.text())
            && let Ok(lines) = read_properties(&text)
            && let Some(why) = lines.iter().find_map(|line| line.specification.not_supported())
        {
            asked.warnings.push(pass_over(&why));
            continue;
        }
        asked.properties.push((Given { written: format!("@{name}"), source: Ok(text) }, property.expected));
    }
    if asked.properties.is_empty() && !task.properties.is_empty() {
        return Err(Halt::faulty(source, asked.warnings));
    }
    Ok(asked)
}
