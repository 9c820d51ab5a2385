//! `tertium model`: looking at, comparing and converting systems.
//!
//! `questions` answers with yes or no, `transform` makes another system; `target` is where that system goes.

mod questions;
mod target;
mod transform;

use crate::args::{ModelArgs, ModelCommand};
use crate::exit::Status;
use crate::failure::Failure;
use crate::gcl;
use crate::input::{ModelFile, Titled};
use crate::output::Output;
use crate::run::{Run, settle};
use crate::settings::{is_gcl, is_smv, limits};
use std::sync::Arc;
use target::Target;
use tertium_system::PartialSystem;
use tertium_system::partial::PartialError;
use transform::Transform;

/// Runs a command.
pub(crate) fn run(command: &ModelCommand, output: &Arc<Output>) -> Status {
    match command.clone() {
        ModelCommand::Show { model, reach, dot, .. } if is_gcl(&model.file) => {
            show_commands(model, reach, dot, output)
        }
        ModelCommand::Show { model, reachable, reach, dot } => {
            if reach.is_some() {
                let failure = Failure::Usage("--reach is for .gcl models".to_owned());
                failure.tell(output);
                return failure.status();
            }
            if is_smv(&model.file) != reachable {
                let what = if reachable {
                    "--reachable is for .smv models"
                } else {
                    "an .smv model is shown by its states, of which there can be very many: ask for them with --reachable"
                };
                let failure = Failure::Usage(what.to_owned());
                failure.tell(output);
                return failure.status();
            }
            transform(model, Target::shown(dot), Transform::None, output)
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

/// Shows a model of guarded commands.
fn show_commands(model: ModelArgs, reach: Option<usize>, dot: bool, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&model.limits), output);
    let job = run.clone();
    settle(&run, move || {
        if dot && reach.is_none() {
            return Err(Failure::Usage(
                "of a .gcl model states are drawn: say how many with --reach".to_owned(),
            ));
        }
        gcl::show(&job, &model.file, reach, dot)
    })
}

/// Reads a system, makes another one of it, and writes that.
fn transform(model: ModelArgs, target: Target, transform: Transform, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&model.limits), output);
    let job = run.clone();
    settle(&run, move || {
        let file = ModelFile::new(&model.file, model.reading.modal)?;
        let writer = target.writer(&file, &transform)?;
        let Titled { system, name, family } = file.load_titled(&job.context)?;
        // What the file promises about the family holds for its own system only.
        let family = family.filter(|_| matches!(transform, Transform::None));
        let system = transform.apply(&job, &file, system)?;
        job.context.poll()?;
        writer.write(&job, &Titled { system, name, family })
    })
}

/// What is wrong with a system that an operation over its domain refuses, in the user's names.
fn refused(file: &ModelFile, system: &PartialSystem, error: &PartialError) -> Failure {
    let mut text = format!("{}: {error}", file.name());
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
