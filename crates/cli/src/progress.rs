//! A line on standard error that says how far a long run is; only on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;
use tertium_support::Context;

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The line. It disappears when the value does.
#[derive(Debug)]
pub(crate) struct Spinner {
    bar: Option<ProgressBar>,
    terminal: bool,
}

impl Spinner {
    /// Nothing shown yet.
    pub(crate) fn new() -> Self {
        Self { bar: None, terminal: std::io::stderr().is_terminal() }
    }

    /// Shows phase, work done and time, if the run is a long one and somebody watches.
    pub(crate) fn show(&mut self, context: &Context) {
        if !self.terminal || context.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(start);
        let (phase, done) = context.progress().read();
        bar.set_message(describe(phase, done, context.elapsed()));
        bar.tick();
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn start() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // The template is a constant; should a release of the library refuse it, its default serves.
    let style = ProgressStyle::with_template("{spinner} {msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

fn describe(phase: &str, done: u64, elapsed: Duration) -> String {
    let phase = if phase.is_empty() { "working" } else { phase };
    let seconds = elapsed.as_secs();
    if done == 0 { format!("{phase}, {seconds} s") } else { format!("{phase}: {}, {seconds} s", short(done)) }
}

/// A count in three digits or so.
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
    fn the_line_names_phase_work_and_time() {
        let line = describe("reading transitions", 2_500_000, Duration::from_secs(3));
        assert_eq!(line, "reading transitions: 2500 thousand, 3 s");
        assert_eq!(describe("", 0, Duration::from_secs(1)), "working, 1 s");
    }
}
