//! States with their steps, one below the other.

use crate::names::plain;
use tertium_support::Id;
use tertium_system::{Edge, Modality, PartialSystem, StateId, UNLABELLED};

/// Every state with its number and its steps, and whether these are all. If they are not, the last state stands for the rest, and
/// `left_out` says why.
pub fn states_text(system: &PartialSystem, is_complete: bool, left_out: &[String]) -> String {
    let n_states = system.n_states() - usize::from(!is_complete);
    let mut out = String::new();
    for state in StateId::first(n_states) {
        let initial = if system.initial().contains(&state) { "  (initial)" } else { "" };
        out.push_str(&format!("{}: {}{initial}\n", state.index(), plain(&system.state_name(state))));
        let steps = steps(system, state, n_states);
        out.push_str(if steps.is_empty() { "    no step\n" } else { &steps });
    }
    let states = if n_states == 1 { "1 state".to_owned() } else { format!("{n_states} states") };
    if is_complete {
        return out + &format!("complete: {states}\n");
    }
    let gap = |text: &'_ String| text.split_once("; ").map_or(text.clone(), |(_, gap)| gap.to_owned());
    let left_out: Vec<String> = left_out.iter().map(gap).collect();
    out + &format!("cut after {states}: {}\n", left_out.join("; "))
}

/// The steps of a state. What lies beyond the states that were found has the number after them.
fn steps(system: &PartialSystem, state: StateId, n_states: usize) -> String {
    let line = |edge: Edge| {
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
