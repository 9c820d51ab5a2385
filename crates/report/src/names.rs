//! States, steps and values in the user's names, safe to print.

use tertium_evidence::{NamedValue, Names, StepName, Trace};
use tertium_support::Id;
pub(crate) use tertium_support::plain;
use tertium_system::{ActionId, StateId};
use tertium_truth::Belnap;

/// What a state is called, on one line.
pub fn state_text(names: &dyn Names, state: StateId) -> String {
    plain(&state_name(names, state)).into_owned()
}

/// What a state is called: its name, or its values, or its number.
pub(crate) fn state_name(names: &dyn Names, state: StateId) -> String {
    let name = names.state(state);
    if !name.is_empty() {
        return name;
    }
    let values: Vec<String> = names.values(state).into_iter().map(|value| value.text).collect();
    if values.is_empty() { state.index().to_string() } else { values.join(", ") }
}

/// Who moves, and how: `p1.enter`; empty if it has no name.
pub(crate) fn step_text(step: &StepName) -> String {
    match &step.process {
        Some(process) if step.action.is_empty() => plain(process).into_owned(),
        Some(process) => format!("{}.{}", plain(process), plain(&step.action)),
        None => plain(&step.action).into_owned(),
    }
}

/// `p1.enter :14`; `step` if it has no name.
pub(crate) fn placed_step(step: &StepName) -> String {
    let text = step_text(step);
    let text = if text.is_empty() { "step".to_owned() } else { text };
    match step.line {
        Some(line) => format!("{text} :{line}"),
        None => text,
    }
}

/// `--a-->`, or `-->` for a step without name.
pub(crate) fn arrow(step: &StepName) -> String {
    match step_text(step).as_str() {
        "" => "-->".to_owned(),
        name => format!("--{name}-->"),
    }
}

/// What a step of a path is called.
pub(crate) fn step_of(names: &dyn Names, trace: &Trace, step: usize) -> StepName {
    let (&source, &target) = trace.ends(step);
    names.step_between(source, trace.steps[step], target)
}

/// `s --a--> t`.
pub(crate) fn step(names: &dyn Names, source: StateId, action: ActionId, target: StateId) -> String {
    format!("{} {}", state_text(names, source), half_step(names, source, action, target))
}

/// `--a--> t`, of a step from `source`.
pub(crate) fn half_step(names: &dyn Names, source: StateId, action: ActionId, target: StateId) -> String {
    format!("{} {}", arrow(&names.step_between(source, action, target)), state_text(names, target))
}

/// `s -a-> t`, as `.pts` files write it.
pub(crate) fn pts_step(names: &dyn Names, source: StateId, action: ActionId, target: StateId) -> String {
    let arrow = match step_text(&names.step_between(source, action, target)).as_str() {
        "" => "->".to_owned(),
        name => format!("-{name}->"),
    };
    format!("{} {arrow} {}", state_text(names, source), state_text(names, target))
}

/// The word for a value.
pub(crate) fn value_word(value: Belnap) -> &'static str {
    match value {
        Belnap::True => "true",
        Belnap::False => "false",
        Belnap::Unknown => "unknown",
        Belnap::Inconsistent => "inconsistent",
    }
}

/// The values at `state` that differ from those at `before`; all of them if there is nothing before.
pub(crate) fn changed(names: &dyn Names, before: Option<StateId>, state: StateId) -> Vec<NamedValue> {
    names.changes(before, state)
}

/// Values as one writes them, safe to print.
pub(crate) fn texts(values: &[NamedValue]) -> Vec<String> {
    values.iter().map(|value| plain(&value.text).into_owned()).collect()
}

/// `1 step`, `2 steps`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_system::SystemBuilder;

    #[test]
    fn names_cannot_forge_lines_or_drive_the_terminal() {
        assert_eq!(plain("s\nRESULT: true\u{1b}[31m"), "s\\nRESULT: true\\u{1b}[31m");
        assert_eq!(plain("in critical"), "in critical");
        let step = StepName { process: Some("p\n1".into()), action: "a\n".into(), ..StepName::default() };
        assert_eq!(step_text(&step), "p\\n1.a\\n");
    }

    #[test]
    fn only_values_that_changed_are_shown() {
        let mut builder = SystemBuilder::named();
        let (s, t) = (builder.state("s"), builder.state("t"));
        builder.initial(s);
        for index in 0..12 {
            let p = builder.proposition(&format!("p{index}"), Belnap::False);
            if index == 3 {
                builder.label(t, p, Belnap::Unknown);
            }
        }
        let system = builder.build();
        assert_eq!(texts(&changed(&system, Some(s), t)), ["p3?"]);
        assert_eq!(changed(&system, None, s).len(), 12);
        assert!(changed(&system, Some(s), s).is_empty());
    }
}
