//! `tertium model show`: a system or model as it is written, or the states of a model with their steps.

use super::target::Target;
use super::transform::Transform;
use crate::args::ModelArgs;
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{load_model, load_system};
use crate::run::Run;
use tertium_support::Id;
use tertium_system::format::{DotOptions, print_dot};
use tertium_system::{Modality, PartialSystem, StateId, UNLABELLED};
use tertium_verify::FoundSystem;

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
            let text = if dot { print_dot(&found.system, &DotOptions::default()) } else { listing(&found) };
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

/// Every state with its number and its steps, and whether these are all.
fn listing(found: &FoundSystem) -> String {
    let system = &found.system;
    let n_states = system.n_states() - usize::from(!found.is_complete());
    let mut out = String::new();
    for state in StateId::first(n_states) {
        let initial = if system.initial().contains(&state) { "  (initial)" } else { "" };
        out.push_str(&format!("{}: {}{initial}\n", state.index(), system.state_name(state)));
        let steps = steps(system, state, n_states);
        out.push_str(if steps.is_empty() { "    no step\n" } else { &steps });
    }
    let states = if n_states == 1 { "1 state".to_owned() } else { format!("{n_states} states") };
    if found.is_complete() {
        return out + &format!("complete: {states}\n");
    }
    let left_out: Vec<&str> = found
        .left_out
        .iter()
        .map(|text| text.split_once("; ").map_or(text.as_str(), |(_, gap)| gap))
        .collect();
    out + &format!("cut after {states}: {}\n", left_out.join("; "))
}

/// The steps of a state. What lies beyond the states that were found has the number after them.
fn steps(system: &PartialSystem, state: StateId, n_states: usize) -> String {
    let line = |edge: tertium_system::Edge| {
        let action = match system.actions().name(edge.action) {
            UNLABELLED => "step",
            name => name,
        };
        match (edge.other.index() < n_states, edge.modality) {
            (true, _) => format!("    {action} -> {}\n", edge.other.index()),
            (false, Modality::May) => {
                format!("    {action} needs an input without bounds and is not followed\n")
            }
            (false, _) => format!("    {action} -> a state beyond the bound\n"),
        }
    };
    system.edges(state).map(line).collect()
}
