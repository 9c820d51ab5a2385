//! States, steps and labels in the user's names.
//!
//! Labels: `p` is true, `!p` false, `p?` unknown, `p#` inconsistent (claimed both true and false).

use std::borrow::Cow;
use tertium_system::{ActionId, PartialSystem, PropId, StateId, UNLABELLED};
use tertium_truth::Belnap;

/// More labels than this on one line are counted, not shown.
const LABELS_ON_A_LINE: usize = 8;

/// A name on one line of text: control characters are written as escapes, so that a name can neither look like a line of
/// ours nor talk to the terminal.
pub(crate) fn plain(name: &str) -> Cow<'_, str> {
    if name.chars().any(char::is_control) {
        let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
        name.chars().map(escape).collect::<String>().into()
    } else {
        name.into()
    }
}

/// What a state is called, on one line.
pub fn state_text(system: &PartialSystem, state: StateId) -> String {
    plain(&system.state_name(state)).into_owned()
}

/// `--a-->`, or `-->` for a step without action.
pub(crate) fn arrow(system: &PartialSystem, action: ActionId) -> String {
    match system.actions().name(action) {
        UNLABELLED => "-->".to_owned(),
        name => format!("--{}-->", plain(name)),
    }
}

/// `s --a--> t`.
pub(crate) fn step(system: &PartialSystem, source: StateId, action: ActionId, target: StateId) -> String {
    format!("{} {}", state_text(system, source), half_step(system, action, target))
}

/// `--a--> t`.
pub(crate) fn half_step(system: &PartialSystem, action: ActionId, target: StateId) -> String {
    format!("{} {}", arrow(system, action), state_text(system, target))
}

/// `s -a-> t`, as `.pts` files write it.
pub(crate) fn pts_step(system: &PartialSystem, source: StateId, action: ActionId, target: StateId) -> String {
    let arrow = match system.actions().name(action) {
        UNLABELLED => "->".to_owned(),
        name => format!("-{}->", plain(name)),
    };
    format!("{} {arrow} {}", state_text(system, source), state_text(system, target))
}

/// One label.
pub(crate) fn literal(name: &str, value: Belnap) -> String {
    let name = plain(name);
    match value {
        Belnap::True => name.into_owned(),
        Belnap::False => format!("!{name}"),
        Belnap::Unknown => format!("{name}?"),
        Belnap::Inconsistent => format!("{name}#"),
    }
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

/// The propositions whose value at `state` differs from that at `before`; all of them if there is nothing before.
pub(crate) fn changed(
    system: &PartialSystem,
    before: Option<StateId>,
    state: StateId,
) -> impl Iterator<Item = (PropId, Belnap)> + '_ {
    let labels = system.labels();
    labels
        .names()
        .ids()
        .map(move |prop| (prop, labels.get(prop, state)))
        .filter(move |&(prop, value)| before.is_none_or(|before| labels.get(prop, before) != value))
}

/// The changed labels on one line; empty if nothing changed.
pub(crate) fn changed_line(system: &PartialSystem, before: Option<StateId>, state: StateId) -> String {
    let names = system.labels().names();
    let mut shown: Vec<String> =
        changed(system, before, state).map(|(prop, value)| literal(names.name(prop), value)).collect();
    if shown.len() > LABELS_ON_A_LINE {
        let rest = shown.len() - LABELS_ON_A_LINE;
        shown.truncate(LABELS_ON_A_LINE);
        shown.push(format!("… {rest} more"));
    }
    shown.join(", ")
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
    }

    #[test]
    fn only_labels_that_changed_are_shown_and_many_are_counted() {
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
        assert_eq!(changed_line(&system, Some(s), t), "p3?");
        assert!(changed_line(&system, None, s).ends_with("!p7, … 4 more"));
        assert_eq!(changed_line(&system, Some(s), s), "");
    }
}
