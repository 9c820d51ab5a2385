//! Follows the states of a state space, as far as wanted.
//!
//! States are numbered in the order in which they are found. From each state that is taken from the queue all steps are
//! tried, in the order of the space. What is found does not depend on the number of threads, and a search that was
//! stopped leaves what it found: the states so far, and the steps of those that were followed.
//!
//! Cost: for each state its words, eight bytes for its parent and about eight for the tables; if steps are kept, four
//! more for each state and eight for each step. The time is what the steps of the space take, and one look into a table
//! for each.

use crate::batches::{BatchSizes, Batches, Sink};
use crate::explored::{Explored, Followed};
use crate::rows::{OPEN, RawStep, Rows};
use crate::store::{BEYOND, Store, parent_word};
use tertium_support::{Context, Measure, Ticker};
use tertium_system::{Next, StateSpace, Steps, StopOf};

/// Which state is followed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The one that waits longest.
    #[default]
    Breadth,
    /// The one that was found last.
    Depth,
}

/// Which steps are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Keep {
    /// Those that cannot be found again, see [`StateSpace::further`], each time they are found.
    #[default]
    Further,
    /// All, each once.
    All,
}

/// How an exploration goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which state is next.
    pub order: Order,
    /// How many threads follow states. Nothing that is found depends on it. Depth first there is only one, and where
    /// there are further steps as well.
    pub threads: usize,
    /// How many states are followed at most.
    pub followed: usize,
    /// How many states are kept at most. Steps to others lead beyond.
    pub kept: usize,
    /// Which steps are kept.
    pub keep: Keep,
    /// How much is done at once.
    pub sizes: BatchSizes,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            order: Order::default(),
            threads: 1,
            followed: usize::MAX,
            kept: usize::MAX,
            keep: Keep::default(),
            sizes: BatchSizes::default(),
        }
    }
}

/// Explores a space from some states, whose words are given one after the other. If it is stopped, what was found until
/// then is there all the same.
pub fn explore<S: StateSpace>(
    context: &Context,
    space: &S,
    start: &[u64],
    n_start: usize,
    settings: &Settings,
    explored: &mut Explored,
) -> Result<(), StopOf<S>> {
    let n_words = space.steps().n_words();
    debug_assert_eq!(start.len(), n_start * n_words, "the words of all states to start from");
    let rows = (settings.keep == Keep::All || space.has_further()).then(Rows::default);
    *explored = Explored::new(n_words, Store::new(n_words + 1, space.steps().key()), rows);
    explored.n_generated = n_start;
    for n in 0..n_start {
        let mut record = start[n * n_words..][..n_words].to_vec();
        record.push(parent_word(None));
        explored.left_out |= explored.store.insert(context, &record, settings.kept)? == BEYOND;
    }
    let ticker = context.ticker("exploring");
    let mut exploration = Exploration {
        context,
        ticker,
        space,
        settings,
        explored,
        words: Vec::new(),
        record: Vec::new(),
        row: Vec::new(),
        scratch: Default::default(),
    };
    let done = match settings.order {
        Order::Breadth if !exploration.space.has_further() => exploration.breadth_first(),
        Order::Breadth => exploration.one_by_one(),
        Order::Depth => exploration.depth_first(),
    };
    drop(exploration);
    explored.kept.truncate();
    debug_assert!(explored.kept.n_followed() <= explored.n_states(), "what is followed was found");
    done
}

/// An exploration that goes on.
struct Exploration<'a, S: StateSpace> {
    context: &'a Context,
    ticker: Ticker<'a>,
    space: &'a S,
    settings: &'a Settings,
    explored: &'a mut Explored,
    /// The state that is being followed.
    words: Vec<u64>,
    /// A state that was found, with its parent.
    record: Vec<u64>,
    /// The steps of the state that is being followed.
    row: Vec<RawStep>,
    scratch: <S::Steps as Steps>::Scratch,
}

impl<S: StateSpace> Exploration<'_, S> {
    fn breadth_first(&mut self) -> Result<(), StopOf<S>> {
        let Settings { followed: most, kept, sizes, .. } = *self.settings;
        let mut batches = Batches::new(self.settings.threads.max(1), sizes);
        let mut at = 0;
        while at < self.explored.n_states().min(most) && self.explored.goal.is_none() {
            let Explored { store, kept: steps, .. } = &mut *self.explored;
            let batch = batches.next(at..store.records.len().min(most));
            let n_batch = batch.len();
            let mut sink = Sink { store, most: kept, rows: steps.rows.as_mut() };
            let done = batches.follow(self.context, self.space.steps(), &mut sink, batch)?;
            debug_assert!(
                done.n_followed <= n_batch && (done.n_followed > 0 || done.ask),
                "a batch follows states, or one of them is asked about"
            );
            at += done.n_followed;
            self.explored.n_generated += done.n_generated;
            self.explored.left_out |= done.left_out;
            self.explored.kept.followed = Followed::First(at);
            self.explored.goal = done.goal.then(|| at - 1);
            self.count();
            self.ticker.tick(64 * (done.n_followed + 1))?;
            if done.ask {
                self.follow(at as u32)?;
                at += 1;
                self.explored.kept.followed = Followed::First(at);
            }
        }
        Ok(())
    }

    /// Breadth first where there are further steps.
    fn one_by_one(&mut self) -> Result<(), StopOf<S>> {
        let mut at = 0;
        while at < self.explored.n_states().min(self.settings.followed) && self.explored.goal.is_none() {
            self.count();
            self.ticker.tick(64)?;
            self.follow(at as u32)?;
            at += 1;
            self.explored.kept.followed = Followed::First(at);
        }
        Ok(())
    }

    fn depth_first(&mut self) -> Result<(), StopOf<S>> {
        let mut waiting: Vec<u32> = (0..self.explored.n_states() as u32).collect();
        self.explored.kept.followed = Followed::Listed(Vec::new());
        while self.explored.goal.is_none()
            && self.explored.kept.n_followed() < self.settings.followed
            && let Some(at) = waiting.pop()
        {
            self.count();
            self.ticker.tick(64)?;
            let known = self.explored.n_states() as u32;
            self.follow(at)?;
            waiting.extend(known..self.explored.n_states() as u32);
            if let Followed::Listed(list) = &mut self.explored.kept.followed {
                list.push(at);
            }
        }
        Ok(())
    }

    /// Tells how many states there are.
    fn count(&self) {
        self.context.progress().count(Measure::States, self.explored.n_states());
    }

    /// Finds the steps of a state, by one thread.
    fn follow(&mut self, at: u32) -> Result<(), StopOf<S>> {
        let Explored { n_words, store, kept, left_out, n_generated, goal } = &mut *self.explored;
        let Self { context, space, settings, words, record, row, scratch, .. } = self;
        words.clear();
        words.extend_from_slice(&store.records.get(at)[..*n_words]);
        row.clear();
        let all = settings.keep == Keep::All;
        let mut stopped = None;
        let mut add = |next: Next<'_>, keep: bool| {
            let (label, target) = match next {
                Next::State(label, next) => {
                    *n_generated += 1;
                    record.clear();
                    record.extend_from_slice(next);
                    record.push(parent_word(Some((at, label))));
                    match store.insert(context, record, settings.kept) {
                        Ok(target) => (label, target),
                        Err(reason) => return stopped = Some(reason),
                    }
                }
                Next::Beyond(label) => (label, BEYOND),
                Next::Open(label) => (label, OPEN),
                Next::Ask(_) => unreachable!("asking was answered"),
            };
            *left_out |= target == BEYOND || target == OPEN;
            if keep {
                row.push((label, target));
            }
        };
        let mut asked = Ok(());
        let found = space.steps().successors(words, scratch, |next| match next {
            Next::Ask(_) if asked.is_err() => {}
            Next::Ask(label) => asked = space.ask(words, label, &mut |next| add(next, all)),
            next => add(next, all),
        });
        found?;
        asked?;
        if space.has_further() {
            space.further(words, &mut |next| add(next, true))?;
        }
        if let Some(reason) = stopped {
            return Err(reason.into());
        }
        if let Some(rows) = &mut kept.rows {
            match all {
                true => rows.push_set(context, row)?,
                false => rows.push_row(context, row.iter().copied())?,
            }
        }
        if space.steps().is_goal(words, scratch).unwrap_or_else(|| space.ask_goal(words)) {
            *goal = Some(at as usize);
        }
        Ok(())
    }
}
