//! Advice in words, and as data that a program can follow.

use crate::answer::verdict_word;
use crate::cause::next_step;
use crate::names::{plain, pts_step, state_name, state_text};
use serde::{Deserialize, Serialize};
use tertium_evidence::{Advice, Change, Names, OpenPart, Settling};
use tertium_truth::Cause;

/// A piece of advice; `kind` says which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AdviceReport {
    /// Ask again with other options.
    Options {
        /// Arguments to give; they replace those of the same option.
        with: Vec<String>,
        /// Options to leave out.
        without: Vec<String>,
        /// Whether it only raises a limit.
        raises_limit: bool,
        /// The same in words.
        text: String,
    },
    /// Run another command.
    Command {
        /// Its words after `tertium`.
        words: Vec<String>,
        /// The same in words.
        text: String,
    },
    /// Settle what a system leaves open.
    Settle {
        /// Steps and labels.
        parts: Vec<PartReport>,
        /// How they can be settled, and what the answer is then.
        ways: Vec<WayReport>,
        /// The same in words.
        text: String,
    },
    /// What has no form that a program could follow.
    Words {
        /// The words.
        text: String,
    },
}

/// A step or a label that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PartReport {
    /// A step that is possible and not guaranteed.
    Step {
        /// Where it begins.
        source: String,
        /// What it is called.
        action: String,
        /// Where it ends.
        target: String,
    },
    /// A label that is neither true nor false.
    Label {
        /// Where.
        state: String,
        /// Which.
        proposition: String,
    },
}

/// A way to settle all parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WayReport {
    /// Of each part, whether the step is there or the label true.
    pub settled: Vec<bool>,
    /// The answer then: `true` or `false`.
    pub verdict: String,
}

impl AdviceReport {
    /// The advice in the user's names.
    pub fn new(advice: &Advice, names: &dyn Names) -> Self {
        match advice {
            Advice::Ask(change) => {
                let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
                let with = change.with.iter().flat_map(|(flag, value)| argument(flag, value)).collect();
                let (without, raises_limit) = (owned(&change.without), change.raises_limit);
                Self::Options { with, without, raises_limit, text: change_text(change) }
            }
            Advice::Run(words) => {
                Self::Command { words: words.clone(), text: format!("`tertium {}`", plain(&words.join(" "))) }
            }
            Advice::Settle(settling) => Self::settle(settling, names),
            Advice::NothingSettles { most, all } => Self::Words { text: nothing_settles(*most, *all) },
            Advice::Help(text) => Self::Words { text: plain(text).into_owned() },
        }
    }

    /// All of it in the user's names.
    pub fn all(advice: &[Advice], names: &dyn Names) -> Vec<Self> {
        advice.iter().map(|advice| Self::new(advice, names)).collect()
    }

    /// In words.
    pub fn text(&self) -> &str {
        match self {
            Self::Options { text, .. }
            | Self::Command { text, .. }
            | Self::Settle { text, .. }
            | Self::Words { text } => text,
        }
    }

    fn settle(settling: &Settling, names: &dyn Names) -> Self {
        let part = |&part: &OpenPart| match part {
            OpenPart::Step { source, action, target } => PartReport::Step {
                source: state_name(names, source),
                action: names.step_between(source, action, target).action,
                target: state_name(names, target),
            },
            OpenPart::Label { state, proposition } => PartReport::Label {
                state: state_name(names, state),
                proposition: names.proposition(proposition),
            },
        };
        let ways = settling
            .ways
            .iter()
            .map(|(settled, verdict)| WayReport { settled: settled.clone(), verdict: verdict.to_string() });
        Self::Settle {
            parts: settling.parts.iter().map(part).collect(),
            ways: ways.collect(),
            text: settle_text(settling, names),
        }
    }
}

/// All advice in one sentence.
pub fn advice_text(advice: &[AdviceReport]) -> String {
    advice.iter().map(AdviceReport::text).collect::<Vec<_>>().join("; or ")
}

/// Advice for whatever limit may end a question, completed by what helps against this one.
pub(crate) fn against(cause: Cause, advice: &[AdviceReport]) -> Vec<AdviceReport> {
    let general = AdviceReport::Words { text: next_step(cause).to_owned() };
    let applies = if cause == Cause::Interrupted { &[] } else { advice };
    applies.iter().cloned().chain([general]).collect()
}

fn argument(flag: &str, value: &str) -> Vec<String> {
    let words = [flag, value];
    words.into_iter().filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn change_text(change: &Change) -> String {
    let option = |(flag, value): &(&str, String)| format!("`{}`", argument(flag, value).join(" "));
    let with: Vec<String> = change.with.iter().map(option).collect();
    let without: Vec<String> = change.without.iter().map(|flag| format!("`{flag}`")).collect();
    match (with.is_empty(), without.is_empty()) {
        (false, true) => with.join(" "),
        (true, _) => format!("the same without {}", without.join(" and ")),
        (false, false) => format!("{} without {}", with.join(" "), without.join(" and ")),
    }
}

fn settle_text(settling: &Settling, names: &dyn Names) -> String {
    let parts: Vec<String> = settling.parts.iter().map(|&part| part_text(part, names)).collect();
    let way = |(settled, verdict): &(Vec<bool>, _)| {
        let words = settling.parts.iter().zip(settled).map(|(part, &is_so)| match (part, is_so) {
            (OpenPart::Step { .. }, true) => "must",
            (OpenPart::Step { .. }, false) => "absent",
            (OpenPart::Label { .. }, true) => "true",
            (OpenPart::Label { .. }, false) => "false",
        });
        format!("{}: {}", words.collect::<Vec<_>>().join(", "), verdict_word(*verdict))
    };
    let ways: Vec<String> = settling.ways.iter().map(way).collect();
    format!("settle {} ({})", parts.join(" and "), ways.join("; "))
}

fn part_text(part: OpenPart, names: &dyn Names) -> String {
    match part {
        OpenPart::Step { source, action, target } => {
            format!("`may {}`", pts_step(names, source, action, target))
        }
        OpenPart::Label { state, proposition } => {
            format!("`{}` at `{}`", plain(&names.proposition(proposition)), state_text(names, state))
        }
    }
}

fn nothing_settles(most: usize, all: bool) -> String {
    let which = if all { "" } else { " that was tried" };
    format!(
        "settle what is open: no set of at most {most} steps and labels{which} decides it whichever way they are settled"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_options_are_told_as_they_are_typed() {
        let change = |without: &[&'static str], with: &[(&'static str, &str)]| Change {
            without: without.to_vec(),
            with: with.iter().map(|&(flag, value)| (flag, value.to_owned())).collect(),
            raises_limit: false,
        };
        assert_eq!(change_text(&change(&[], &[("--engine", "search")])), "`--engine search`");
        assert_eq!(change_text(&change(&["--light"], &[])), "the same without `--light`");
        let both = change(&["--nodes", "--order"], &[("--engine", "explicit"), ("--no-evidence", "")]);
        assert_eq!(change_text(&both), "`--engine explicit` `--no-evidence` without `--nodes` and `--order`");
    }
}
