//! A line on standard error that says how far a long run is; only on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;
use tertium_report::progress_text;
use tertium_support::{Context, memory_of_process};

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
        if !self.terminal || text.is_empty() || context.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(start);
        bar.set_message(text.to_owned());
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
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// What a run is doing, in this process.
pub(crate) fn describe(context: &Context) -> String {
    let memory = memory_of_process(std::process::id());
    progress_text(&context.progress().read(), memory, context.elapsed(), context.limits().time)
}
