//! How far a run is, for whoever wants to show it.
//!
//! A run says which question it is about, and its parts (engines that take turns) what they do: the phase, rounds, states, nodes.
//! Whoever hands out turns says which part works now, so that the progress of the run is that of this part. Saying something costs a
//! store; nothing is decided by it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How far a run or a part of it is; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<State>);

#[derive(Debug, Default)]
struct State {
    doing: Mutex<Doing>,
    counted: [AtomicU64; Measure::ALL.len()],
    /// The part that works now.
    part: Mutex<Option<Progress>>,
}

/// What a run is doing. Counts of 0 were never told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doing {
    /// Which of how many questions it is about, from 1.
    pub question: Option<(usize, usize)>,
    /// The engine that works.
    pub engine: Option<&'static str>,
    /// The phase.
    pub phase: &'static str,
    /// Its counts, in the order of [`Measure::ALL`].
    pub counts: [u64; Measure::ALL.len()],
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Rounds of refinement, this one included.
    Rounds,
    /// States that were found in this round.
    States,
    /// Nodes of decision diagrams.
    Nodes,
    /// Units of work in this phase.
    Work,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rounds, Self::States, Self::Nodes, Self::Work];
}

impl Progress {
    /// What is being done: by the part that works now, if there is one.
    pub fn read(&self) -> Doing {
        let part = lock(&self.0.part).clone();
        let mut doing = lock(&self.0.doing).clone();
        doing.counts = Measure::ALL.map(|what| self.counter(what).load(Ordering::Relaxed));
        match part.map(|part| part.read()) {
            Some(part) => Doing {
                question: part.question.or(doing.question),
                engine: part.engine.or(doing.engine),
                ..part
            },
            None => doing,
        }
    }

    /// The run turns to one of several questions, from 1.
    pub fn turn_to(&self, question: usize, of: usize) {
        debug_assert!(question <= of, "there are not so many questions");
        lock(&self.0.doing).question = Some((question, of));
    }

    /// From now on, this part works: an engine.
    pub fn follow(&self, engine: &'static str, part: &Self) {
        lock(&part.0.doing).engine = Some(engine);
        *lock(&self.0.part) = Some(part.clone());
    }

    /// Tells how many there are now.
    pub fn count(&self, what: Measure, number: usize) {
        self.counter(what).store(number as u64, Ordering::Relaxed);
    }

    pub(crate) fn enter(&self, phase: &'static str) {
        lock(&self.0.doing).phase = phase;
        self.count(Measure::Work, 0);
    }

    pub(crate) fn add_work(&self, units: u64) {
        self.counter(Measure::Work).fetch_add(units, Ordering::Relaxed);
    }

    fn counter(&self, what: Measure) -> &AtomicU64 {
        &self.0.counted[what as usize]
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_does_what_its_part_does() {
        let (run, part, other) = (Progress::default(), Progress::default(), Progress::default());
        run.turn_to(2, 5);
        run.enter("reading");
        assert_eq!(run.read(), Doing { question: Some((2, 5)), phase: "reading", ..Doing::default() });
        run.follow("search", &part);
        part.enter("exploring");
        part.add_work(7);
        part.count(Measure::States, 3);
        part.count(Measure::States, 4);
        let doing = run.read();
        assert_eq!((doing.question, doing.engine, doing.phase), (Some((2, 5)), Some("search"), "exploring"));
        assert_eq!(doing.counts, [0, 4, 0, 7]);
        run.follow("symbolic", &other);
        assert_eq!((run.read().engine, run.read().counts), (Some("symbolic"), [0; 4]));
    }
}
