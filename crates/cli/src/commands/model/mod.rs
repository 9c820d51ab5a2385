//! `tertium model`: looking at, comparing and converting systems.
//!
//! `questions` answers with yes or no, `transform` makes another system; `target` is where that system goes.

mod questions;
mod show;
mod target;
mod transform;

use crate::args::{ModelArgs, ModelCommand};
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{Titled, load_system, shown};
use crate::output::Output;
use crate::run::{Run, settle};
use crate::settings::limits;
use show::Shown;
use std::path::Path;
use std::sync::Arc;
use target::Target;
use tertium_system::PartialSystem;
use tertium_system::partial::PartialError;
use transform::Transform;

/// Runs a command.
pub(crate) fn run(command: &ModelCommand, output: &Arc<Output>) -> Status {
    match command.clone() {
        ModelCommand::Show { model, reachable, reach, dot } => {
            let run = Run::start(limits(&model.limits), output);
            let job = run.clone();
            settle(&run, None, move || show::show(&job, &model, Shown { reachable, reach, dot }))
        }
        ModelCommand::Minimise { model, target, by } => {
            transform(model, target.into(), Transform::Minimise(by), output)
        }
        ModelCommand::Monotone { model, target } => {
            transform(model, target.into(), Transform::Monotone, output)
        }
        ModelCommand::Convert { model, target, to } => {
            transform(model, target.into(), to.map_or(Transform::None, Transform::Family), output)
        }
        ModelCommand::Abstract { model, target, relation } => {
            transform(model, target.into(), Transform::Abstract(relation), output)
        }
        ModelCommand::Classify { model, json } => questions::classify(&model, json, output),
        ModelCommand::Refines { left, right, reading, limits, json, full } => {
            questions::refines(&questions::Refines { left, right, reading, limits, json, full }, output)
        }
        ModelCommand::Consistent { model, json, output: file } => {
            questions::consistent(&model, json, file, output)
        }
    }
}

/// Reads a system, makes another one of it, and writes that.
fn transform(model: ModelArgs, target: Target, transform: Transform, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&model.limits), output);
    let job = run.clone();
    settle(&run, None, move || {
        target.keep_apart([Some(model.file.as_path()), transform.file()].into_iter().flatten())?;
        let titled = load_system(&job.context, &model.file, &model.reading)?;
        let writer = target.writer(titled.written_as, &transform)?;
        // What the file promises about the family holds for its own system only.
        let family = titled.family.filter(|_| matches!(transform, Transform::None));
        let system = transform.apply(&job, &model.file, titled.system)?;
        job.context.poll()?;
        writer.write(&job, &Titled { system, family, ..titled })
    })
}

/// What is wrong with a system that an operation over its domain refuses, in the user's names.
fn refused(file: &Path, system: &PartialSystem, error: &PartialError) -> Failure {
    let mut text = format!("{}: {error}", shown(file));
    match error {
        PartialError::Domain(flaws) => {
            for flaw in flaws.iter().take(8) {
                text.push_str(&format!("\n  {}", flaw.describe(system)));
            }
        }
        PartialError::TooManyCovers { state, .. } => {
            text.push_str(&format!("\n  at `{}`", system.state_name(*state)));
        }
    }
    Failure::Input(text)
}
