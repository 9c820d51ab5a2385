//! What a run is doing, in one line.

use std::time::Duration;
use tertium_support::{Doing, Measure};

/// One line: the question, the engine, what it does and has, memory, and time. Unless there is anything better, work is counted.
pub fn progress_text(
    doing: &Doing,
    memory: Option<u64>,
    elapsed: Duration,
    limit: Option<Duration>,
) -> String {
    let question = doing.question.filter(|(_, of)| *of > 1);
    let mut parts: Vec<String> =
        question.map(|(at, of)| format!("property {at} of {of}")).into_iter().collect();
    parts.extend(doing.engine.map(str::to_owned));
    let told = Measure::ALL.into_iter().zip(doing.counts).filter(|(_, count)| *count > 0);
    let (work, things): (Vec<_>, Vec<_>) = told.partition(|(what, _)| *what == Measure::Work);
    let shown = |(what, count): (Measure, u64)| match what {
        Measure::Rounds => format!("round {count}"),
        Measure::States => format!("{} states", short(count)),
        Measure::Nodes => format!("{} nodes", short(count)),
        Measure::Work => format!("{} steps", short(count)),
    };
    parts.push(if doing.phase.is_empty() { "working".to_owned() } else { doing.phase.to_owned() });
    parts.extend((if things.is_empty() { work } else { things }).into_iter().map(shown));
    parts.extend(memory.map(|bytes| format!("{} MB", bytes >> 20)));
    parts.push(match limit {
        Some(limit) => format!("{} s of {} s left", limit.saturating_sub(elapsed).as_secs(), limit.as_secs()),
        None => format!("{} s", elapsed.as_secs()),
    });
    parts.join(", ")
}

/// A count in four digits or so.
fn short(count: u64) -> String {
    match count {
        0..=9_999 => count.to_string(),
        10_000..=9_999_999 => format!("{} thousand", count / 1_000),
        _ => format!("{} million", count / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_question_engine_counts_memory_and_time() {
        let seconds = Duration::from_secs;
        let doing = Doing {
            question: Some((2, 5)),
            engine: Some("search"),
            phase: "exploring",
            counts: [3, 2_500_000, 0, 77],
        };
        assert_eq!(
            progress_text(&doing, Some(310 << 20), seconds(48), Some(seconds(60))),
            "property 2 of 5, search, exploring, round 3, 2500 thousand states, 310 MB, 12 s of 60 s left"
        );
        let doing = Doing {
            question: Some((1, 1)),
            phase: "reading transitions",
            counts: [0, 0, 0, 12],
            ..Doing::default()
        };
        assert_eq!(progress_text(&doing, None, seconds(3), None), "reading transitions, 12 steps, 3 s");
        assert_eq!(progress_text(&Doing::default(), None, seconds(1), None), "working, 1 s");
    }
}
