//! `tertium model show`: a system or model as it is written, or the states of a model with their steps.

use super::target::Target;
use super::transform::Transform;
use crate::args::ModelArgs;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{load_model, load_system};
use crate::run::Run;
use tertium_report::states_text;
use tertium_system::format::{DotOptions, print_dot};

/// What is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// All reachable states, as a system.
    pub(crate) reachable: bool,
    /// Up to so many states, as a list.
    pub(crate) reach: Option<usize>,
    /// As a picture.
    pub(crate) dot: bool,
}

/// Shows a file.
pub(crate) fn show(run: &Run, args: &ModelArgs, shown: Shown) -> Result<Status, Failure> {
    let model = load_model(&run.context, &args.file, &args.reading)?;
    let is_given = model.system().is_some_and(|offer| offer.is_given());
    let usage = |text: &str| Err(Failure::Usage(text.to_owned()));
    match shown {
        Shown { reachable: false, reach: None, dot } if is_given => {
            drop(model);
            let titled = load_system(&run.context, &args.file, &args.reading)?;
            Target::shown(dot).writer(titled.written_as, &Transform::None)?.write(run, &titled)
        }
        _ if is_given => usage("--reach and --reachable are for models, whose states have to be found first"),
        Shown { reachable: true, dot, .. } => {
            let titled = load_system(&run.context, &args.file, &args.reading)?;
            Target::shown(dot).writer(titled.written_as, &Transform::None)?.write(run, &titled)
        }
        Shown { reach: Some(most), dot, .. } => {
            let Some(offer) = model.system() else {
                return Err(Failure::Input("a model with fairness is not shown by its states".to_owned()));
            };
            let found = offer.system(&run.context, &[], most)?;
            let (system, is_complete) = (&found.system, found.is_complete());
            let text = match dot {
                true => print_dot(system, &DotOptions::default()),
                false => states_text(system, is_complete, &found.left_out),
            };
            run.output.result(&text);
            Ok(Status::True)
        }
        Shown { dot: true, .. } => {
            usage("of a model states are drawn: say how many with --reach, or all with --reachable")
        }
        _ => match model.print() {
            Some(text) => {
                run.output.result(&text);
                Ok(Status::True)
            }
            None => usage(
                "this model is shown by its states, of which there can be very many: ask for them with --reachable",
            ),
        },
    }
}
