//! Reading texts within limits: how it fails, and a ticker for readers.

use crate::{Context, Diagnostics, StopReason, Ticker};

/// Why a text was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// A limit was reached first; the text may be fine.
    Stopped(StopReason),
    /// The text is wrong: at least one complaint is an error.
    Faulty(Diagnostics),
}

impl ReadError {
    /// What is wrong with the text; nothing if a limit was reached.
    pub fn into_complaints(self) -> Diagnostics {
        match self {
            Self::Stopped(_) => Vec::new(),
            Self::Faulty(complaints) => complaints,
        }
    }
}

impl From<StopReason> for ReadError {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

impl From<Diagnostics> for ReadError {
    fn from(complaints: Diagnostics) -> Self {
        Self::Faulty(complaints)
    }
}

/// A ticker that remembers why reading has to stop, for readers whose functions complain about texts and nothing else: they go on as
/// if the text ended, and whoever called them asks.
#[derive(Debug)]
pub struct Watch<'a> {
    ticker: Ticker<'a>,
    stopped: Option<StopReason>,
}

impl<'a> Watch<'a> {
    /// Starts a phase of the run.
    pub fn new(context: &'a Context, phase: &'static str) -> Self {
        Self { ticker: context.ticker(phase), stopped: None }
    }

    /// Notes `work` units done. Whether reading may go on; once it may not, it never may again.
    #[inline]
    pub fn goes_on(&mut self, work: usize) -> bool {
        if self.stopped.is_none() {
            self.stopped = self.ticker.tick(work).err();
        }
        self.stopped.is_none()
    }

    /// Fails if reading had to stop.
    pub fn check(&self) -> Result<(), StopReason> {
        self.stopped.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cancel, Limits};

    #[test]
    fn a_watch_remembers_why_reading_stopped() {
        let limits = Limits { work: Some(1 << 15), ..Limits::default() };
        let context = Context::new(limits, Cancel::default());
        let mut watch = Watch::new(&context, "test");
        let passed = (0..1 << 20).take_while(|_| watch.goes_on(1)).count();
        assert!((1 << 15..1 << 16).contains(&(passed + 1)), "{passed}");
        assert!(!watch.goes_on(0));
        assert_eq!(watch.check(), Err(StopReason::WorkLimit));
        assert_eq!(ReadError::from(StopReason::WorkLimit).into_complaints(), []);
    }
}
