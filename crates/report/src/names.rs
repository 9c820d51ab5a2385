//! States, steps and labels in the user's names.
//!
//! Labels: `p` is true, `!p` false, `p?` unknown, `p#` inconsistent (claimed both true and false).

use tertium_system::{ActionId, PartialSystem, PropId, StateId, UNLABELLED};
use tertium_truth::Belnap;

/// More labels than this on one line are counted, not shown.
const LABELS_ON_A_LINE: usize = 8;

/// `--a-->`, or `-->` for a step without action.
pub(crate) fn arrow(system: &PartialSystem, action: ActionId) -> String {
    match system.actions().name(action) {
        UNLABELLED => "-->".to_owned(),
        name => format!("--{name}-->"),
    }
}

/// `s --a--> t`.
pub(crate) fn step(system: &PartialSystem, source: StateId, action: ActionId, target: StateId) -> String {
    format!("{} {}", system.state_name(source), half_step(system, action, target))
}

/// `--a--> t`.
pub(crate) fn half_step(system: &PartialSystem, action: ActionId, target: StateId) -> String {
    format!("{} {}", arrow(system, action), system.state_name(target))
}

/// `s -a-> t`, as `.pts` files write it.
pub(crate) fn pts_step(system: &PartialSystem, source: StateId, action: ActionId, target: StateId) -> String {
    let arrow = match system.actions().name(action) {
        UNLABELLED => "->".to_owned(),
        name => format!("-{name}->"),
    };
    format!("{} {arrow} {}", system.state_name(source), system.state_name(target))
}

/// One label.
pub(crate) fn literal(name: &str, value: Belnap) -> String {
    match value {
        Belnap::True => name.to_owned(),
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
