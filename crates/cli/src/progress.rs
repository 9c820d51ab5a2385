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

    /// Shows what is being done, if the run is a long one and somebody watches.
    pub(crate) fn show(&mut self, context: &Context, text: &str) {
        if !self.terminal || context.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(start);
        bar.set_message(if text.is_empty() { "working".to_owned() } else { text.to_owned() });
        bar.tick();
    }

    /// Takes the line away while something else is printed.
    pub(crate) fn hide(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.hide();
    }
}

fn start() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // The template is a constant; should a release of the library refuse it, its default serves.
    let style = ProgressStyle::with_template("{spinner} {msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// What a run is doing: phase, work done and time.
pub(crate) fn describe(context: &Context) -> String {
    let (phase, done) = context.progress().read();
    line(phase, done, context.elapsed())
}

fn line(phase: &str, done: u64, elapsed: Duration) -> String {
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
        let text = line("reading transitions", 2_500_000, Duration::from_secs(3));
        assert_eq!(text, "reading transitions: 2500 thousand, 3 s");
        assert_eq!(line("", 0, Duration::from_secs(1)), "working, 1 s");
    }
}
