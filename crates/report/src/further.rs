//! What an engine has to say besides its answer: predicates, where a solver gave up, what was seen, rounds.

use crate::names::{count, plain};
use crate::suite::{SearchRound, rounds_text};
use serde::Serialize;
use tertium_evidence::{AbstractionRound, Answer, Detail};
use tertium_truth::Verdict;

/// A list of predicates takes no more characters than this on a screen: one line.
const LONGEST_LIST: usize = 75;
/// So many terms are named that the solver gave up on.
const MOST_NAMED: usize = 3;

/// The lines below the answer.
pub(crate) fn further_text(answer: &Answer, shown: crate::Detail) -> String {
    let open = matches!(answer.outcome.verdict, Verdict::Unknown(_));
    let line = |further: &Detail| match further {
        Detail::Predicates(predicates) => predicates_text(predicates, shown),
        Detail::GaveUp(n, terms) => gave_up_text(*n, terms),
        Detail::Seen(hold, fail) if open => seen_text("hold", hold) + &seen_text("fail", fail),
        Detail::NoViolationWithin(steps) if open => {
            format!("  no violation within {}\n", count(*steps, "step"))
        }
        Detail::LeftOut(sentence) => format!("  {}\n", plain(sentence)),
        // What an unknown answer depends on stands where it says that it is open.
        Detail::Seen(..)
        | Detail::NoViolationWithin(_)
        | Detail::Rounds(_)
        | Detail::Abstractions(_)
        | Detail::DependsOn(_) => String::new(),
    };
    answer.details.iter().map(line).collect()
}

/// The lines that are shown with statistics only.
pub(crate) fn counted_text(answer: &Answer) -> String {
    let table = |further: &Detail| match further {
        Detail::Rounds(rounds) if !rounds.is_empty() => {
            rounds_text(&rounds.iter().map(SearchRound::from).collect::<Vec<_>>())
        }
        Detail::Abstractions(rounds) => abstractions_text(rounds),
        _ => String::new(),
    };
    answer.details.iter().map(table).collect()
}

/// Rounds of refinement, one on each line.
fn abstractions_text(rounds: &[AbstractionRound]) -> String {
    let mut text = "  round  abstract states     steps  predicates\n".to_owned();
    for (n, round) in rounds.iter().enumerate() {
        let AbstractionRound { abstract_states, steps, predicates } = round;
        text.push_str(&format!("  {:>5}  {abstract_states:>15}  {steps:>8}  {predicates:>10}\n", n + 1));
    }
    text
}

fn predicates_text(predicates: &[String], shown: crate::Detail) -> String {
    if predicates.is_empty() {
        return String::new();
    }
    let mut left = if shown == crate::Detail::Full { usize::MAX } else { LONGEST_LIST };
    let fits = |predicate: &&String| {
        let length = predicate.chars().count() + 2;
        let fits = length <= left;
        left = left.saturating_sub(length);
        fits
    };
    let listed: Vec<_> = predicates.iter().take_while(fits).map(|predicate| plain(predicate)).collect();
    match (listed.len(), predicates.len() - listed.len()) {
        (_, 0) => format!("  predicates: {}\n", listed.join("; ")),
        (0, more) => format!("  predicates: {more} (--full shows them)\n"),
        (_, more) => format!("  predicates: {}; {more} more (--full shows all)\n", listed.join("; ")),
    }
}

fn gave_up_text(n: u64, terms: &[(String, u64)]) -> String {
    if n == 0 {
        return String::new();
    }
    let times = |n: u64| if n == 1 { "once".to_owned() } else { format!("{n} times") };
    let named = terms.iter().take(MOST_NAMED);
    let named: Vec<String> = named.map(|(term, n)| format!("{} ({})", plain(term), times(*n))).collect();
    let about = if named.is_empty() { String::new() } else { format!(", on products: {}", named.join("; ")) };
    format!("  the solver gave up {}{about}\n", times(n))
}

fn seen_text(what: &str, names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<_> = names.iter().map(|name| plain(name)).collect();
    format!("  seen to {what}: {}\n", names.join(", "))
}

/// The same as data; `kind` says which.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FurtherReport {
    /// The predicates of the last round.
    Predicates {
        /// Each as an expression of the language of the file.
        predicates: Vec<String>,
    },
    /// The solver gave up.
    GaveUp {
        /// How often.
        times: u64,
        /// On which products.
        products: Vec<ProductReport>,
    },
    /// What was seen of the propositions.
    Seen {
        /// Those that were seen to hold.
        hold: Vec<String>,
        /// Those that were seen to fail.
        fail: Vec<String>,
    },
    /// The rounds of a search.
    Rounds {
        /// Each in numbers.
        rounds: Vec<SearchRound>,
    },
    /// The rounds of refinement.
    Abstractions {
        /// Each in numbers.
        rounds: Vec<AbstractionReport>,
    },
    /// An invariant is not violated by short runs.
    NoViolation {
        /// Runs of at most so many steps.
        steps: usize,
    },
    /// What was left out.
    LeftOut {
        /// A sentence.
        text: String,
    },
    /// What an unknown answer depends on.
    DependsOn {
        /// A sentence.
        text: String,
    },
}

/// One round of refinement in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct AbstractionReport {
    /// The states of the abstract system.
    pub abstract_states: usize,
    /// Its may steps.
    pub steps: usize,
    /// The predicates it was made with.
    pub predicates: usize,
}

/// A product that the solver gave up on.
#[derive(Clone, Debug, Serialize)]
pub struct ProductReport {
    /// The product.
    pub text: String,
    /// How often.
    pub times: u64,
}

pub(crate) fn further_report(further: &Detail) -> FurtherReport {
    match further.clone() {
        Detail::Predicates(predicates) => FurtherReport::Predicates { predicates },
        Detail::GaveUp(times, products) => FurtherReport::GaveUp {
            times,
            products: products.into_iter().map(|(text, times)| ProductReport { text, times }).collect(),
        },
        Detail::Seen(hold, fail) => FurtherReport::Seen { hold, fail },
        Detail::Rounds(rounds) => {
            FurtherReport::Rounds { rounds: rounds.iter().map(SearchRound::from).collect() }
        }
        Detail::Abstractions(rounds) => {
            let report = |round: AbstractionRound| {
                let AbstractionRound { abstract_states, steps, predicates } = round;
                AbstractionReport { abstract_states, steps, predicates }
            };
            FurtherReport::Abstractions { rounds: rounds.into_iter().map(report).collect() }
        }
        Detail::NoViolationWithin(steps) => FurtherReport::NoViolation { steps },
        Detail::LeftOut(text) => FurtherReport::LeftOut { text },
        Detail::DependsOn(text) => FurtherReport::DependsOn { text },
    }
}
