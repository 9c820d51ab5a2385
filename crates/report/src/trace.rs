//! Traces as text: one line per step, with the labels that changed.

use crate::Detail;
use crate::names::{changed_line, count, state_text, step};
use std::fmt::Write;
use tertium_evidence::Trace;
use tertium_system::PartialSystem;

/// The lines of a trace, each ended by a line break. A long trace shows its beginning and its end.
pub(crate) fn trace_lines(system: &PartialSystem, trace: &Trace, detail: Detail) -> String {
    let states: Vec<_> = trace.states().collect();
    let lines: Vec<(String, String)> = (0..states.len())
        .map(|index| match index.checked_sub(1) {
            None => {
                (format!("start at {}", state_text(system, states[0])), changed_line(system, None, states[0]))
            }
            Some(before) => (
                step(system, states[before], trace.steps[before].0, states[index]),
                changed_line(system, Some(states[before]), states[index]),
            ),
        })
        .collect();
    let mut out = String::new();
    table(&lines, detail, &mut out);
    if let Some(loop_start) = trace.loop_start {
        let target = state_text(system, states[loop_start]);
        writeln!(out, "    loop back to {target}, {}", after(loop_start)).expect("strings take all text");
    }
    out
}

/// `3 steps`, or `2 steps, then a loop of 1 step`.
pub(crate) fn trace_length(trace: &Trace) -> String {
    match trace.loop_start {
        None => count(trace.steps.len(), "step"),
        Some(start) => {
            format!("{}, then a loop of {}", count(start, "step"), count(trace.steps.len() - start, "step"))
        }
    }
}

fn after(steps: usize) -> String {
    if steps == 0 { "the start".to_owned() } else { format!("as after step {steps}") }
}

/// Two columns. Lines in the middle of a long table are counted, not shown.
fn table(lines: &[(String, String)], detail: Detail, out: &mut String) {
    let hidden = lines.len().saturating_sub(detail.limit());
    let head = if hidden == 0 { lines.len() } else { detail.limit() / 2 };
    let shown = || lines[..head].iter().chain(&lines[(head + hidden).min(lines.len())..]);
    let width = shown().map(|(left, _)| left.chars().count()).max().unwrap_or(0).min(48);
    for (index, (left, right)) in shown().enumerate() {
        if index == head && hidden > 0 {
            writeln!(out, "    … {} (--full shows all)", count(hidden, "more step"))
                .expect("strings take all text");
        }
        let line = format!("    {left:width$}    {right}");
        writeln!(out, "{}", line.trim_end()).expect("strings take all text");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::Id;
    use tertium_system::{Modality, StateId, SystemBuilder, UNLABELLED};
    use tertium_truth::Belnap;

    fn ring(n: usize) -> PartialSystem {
        let mut builder = SystemBuilder::numbered(n);
        let (a, tick) = (builder.action("a"), builder.action(UNLABELLED));
        let p = builder.proposition("p", Belnap::False);
        builder.initial(StateId::new(0));
        builder.label(StateId::new(0), p, Belnap::True);
        for state in 0..n {
            let action = if state == 0 { a } else { tick };
            builder.edge(StateId::new(state), action, StateId::new((state + 1) % n), Modality::Both);
        }
        builder.build()
    }

    fn around(system: &PartialSystem, loop_start: Option<usize>) -> Trace {
        let mut trace = Trace { start: StateId::new(0), steps: Vec::new(), loop_start };
        let mut state = trace.start;
        for _ in 0..system.n_states() {
            let (action, next) = system.must(state).next().unwrap();
            trace.steps.push((action, next));
            state = next;
        }
        trace
    }

    #[test]
    fn a_lasso_shows_steps_changes_and_where_it_closes() {
        let system = ring(3);
        let trace = around(&system, Some(0));
        assert_eq!(trace_length(&trace), "0 steps, then a loop of 3 steps");
        assert_eq!(
            trace_lines(&system, &trace, Detail::Screen),
            "    start at 0    p\n    0 --a--> 1    !p\n    1 --> 2\n    2 --> 0       p\n    loop back to 0, the start\n"
        );
    }

    #[test]
    fn a_long_trace_shows_both_ends_and_counts_the_middle() {
        let system = ring(100);
        let trace = around(&system, None);
        let shown = trace_lines(&system, &trace, Detail::Screen);
        assert_eq!(shown.lines().count(), 31, "{shown}");
        assert!(
            shown.contains("    start at 0")
                && shown.contains("… 71 more steps")
                && shown.contains("99 --> 0")
        );
        assert_eq!(trace_lines(&system, &trace, Detail::Full).lines().count(), 101);
    }
}
