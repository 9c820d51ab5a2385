//! `tertium model show` on a guarded-command model: the model, or the states that a search finds.

use super::{gap_texts, load, named_system};
use crate::exit::Status;
use crate::failure::Failure;
use crate::run::Run;
use std::path::Path;
use tertium_explore::{Exploration, reachable, state_text};
use tertium_front_gcl::Model;
use tertium_support::Id;
use tertium_system::format::{DotOptions, print_dot};

/// Prints the model, or if `reach` says how many, its states with their steps.
pub(crate) fn show(run: &Run, path: &Path, reach: Option<usize>, dot: bool) -> Result<Status, Failure> {
    let (source, model, warnings) = load(&run.context, path)?;
    if !warnings.is_empty() {
        run.output.complaints(&source, &warnings);
    }
    let Some(most) = reach else {
        run.output.result(&model.to_string());
        return Ok(Status::True);
    };
    let found = reachable(&run.context, &model.program, most)?;
    if dot {
        let system = named_system(&model, &found);
        run.output.result(&print_dot(&system, &DotOptions::default()));
    } else {
        run.output.result(&listing(&model, &found));
    }
    Ok(Status::True)
}

/// Every state with its number and its steps, and whether these are all.
fn listing(model: &Model, found: &Exploration) -> String {
    let program = &model.program;
    let mut out = String::new();
    let mut steps = found.steps().peekable();
    let mut unfollowed = found.unfollowed().peekable();
    let action = |command: tertium_program::CommandId| &program.commands()[command.index()].action;
    for (number, state) in found.states().enumerate() {
        let initial = if number < found.n_initial { "  (initial)" } else { "" };
        out.push_str(&format!("{number}: {}{initial}\n", state_text(program, &state)));
        let mut n_steps = 0;
        while let Some(step) = steps.next_if(|step| step.source == number) {
            n_steps += 1;
            let target =
                step.target.map_or_else(|| "a state beyond the bound".to_owned(), |to| to.to_string());
            out.push_str(&format!("    {} -> {target}\n", action(step.command)));
        }
        while let Some((_, command)) = unfollowed.next_if(|(source, _)| *source == number) {
            n_steps += 1;
            out.push_str(&format!(
                "    {} needs an input without bounds and is not followed\n",
                action(command)
            ));
        }
        if n_steps == 0 {
            out.push_str("    no step\n");
        }
    }
    let states = match found.n_states() {
        1 => "1 state".to_owned(),
        n => format!("{n} states"),
    };
    match &gap_texts(model, found)[..] {
        [] => out.push_str(&format!("complete: {states}\n")),
        gaps => out.push_str(&format!("cut after {states}: {}\n", gaps.join("; "))),
    }
    out
}
