//! What one thread finds when it follows the states of its part of a batch.

use crate::batches::{Batch, BatchSizes, Sink};
use crate::rows::{OPEN, RawStep, Rows};
use crate::store::{AT_ONCE, BEYOND, MOST, Store, hash, is_same, parent_word, table_of};
use std::ops::Range;
use tertium_support::{Context, StopReason};
use tertium_system::{Next, Steps};

/// Between so many states threads look at the limits.
const BETWEEN: usize = 1 << 7;
/// The target of a step whose candidate was not looked up yet.
pub(crate) const PENDING: u32 = u32::MAX - 2;

/// Why a part of a batch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// All its states were followed.
    Whole,
    /// The goal holds at the last one.
    Goal,
    /// There are many candidates already.
    Full,
    /// The space has to be asked about the next one, or that one is faulty.
    Ask,
}

/// What one thread found.
pub(crate) struct Part<T: Steps> {
    n_words: usize,
    /// The candidates in order. Where there are several threads, those that were known before the batch are left out.
    records: Vec<u64>,
    /// Candidates that were not looked up yet.
    pending: Vec<u64>,
    /// Where candidates are that were kept not long ago, by some bits of their hash; `u32::MAX` is nowhere.
    recent: Vec<u32>,
    /// For each thread the candidates that belong to its tables.
    pub(crate) shares: Vec<Vec<u32>>,
    /// The steps, if they are kept. A target from [`MOST`] on is a candidate.
    steps: Vec<RawStep>,
    /// How many steps each state has.
    lengths: Vec<u32>,
    /// Steps before this one are looked up.
    n_looked_up: usize,
    scratch: T::Scratch,
    n_followed: usize,
    n_generated: usize,
    left_out: bool,
    pub(crate) end: End,
}

impl<T: Steps> Default for Part<T> {
    fn default() -> Self {
        Self {
            n_words: 1,
            records: Vec::new(),
            pending: Vec::new(),
            recent: Vec::new(),
            shares: Vec::new(),
            steps: Vec::new(),
            lengths: Vec::new(),
            n_looked_up: 0,
            scratch: T::Scratch::default(),
            n_followed: 0,
            n_generated: 0,
            left_out: false,
            end: End::Whole,
        }
    }
}

impl<T: Steps> Part<T> {
    pub(crate) fn len(&self) -> usize {
        self.records.len() / self.n_words
    }

    #[inline]
    pub(crate) fn record(&self, local: u32) -> &[u64] {
        &self.records[local as usize * self.n_words..][..self.n_words]
    }

    /// What came of it.
    pub(crate) fn outcome(&self) -> Batch {
        Batch {
            n_followed: self.n_followed,
            n_generated: self.n_generated,
            goal: self.end == End::Goal,
            ask: self.end == End::Ask,
            left_out: self.left_out,
        }
    }

    fn clear(&mut self, n_words: usize, threads: usize, recent: usize) {
        self.n_words = n_words;
        self.records.clear();
        self.pending.clear();
        self.steps.clear();
        self.lengths.clear();
        self.shares.resize_with(threads, Vec::new);
        self.shares.iter_mut().for_each(Vec::clear);
        if threads > 1 {
            self.recent.clear();
            self.recent.resize(recent, u32::MAX);
        }
        (self.n_followed, self.n_generated, self.n_looked_up) = (0, 0, 0);
        (self.left_out, self.end) = (false, End::Whole);
    }

    /// Finds the candidates of states, after those of others are forgotten.
    #[allow(clippy::too_many_arguments, reason = "what all threads share, and what this one does")]
    pub(crate) fn follow(
        &mut self,
        context: &Context,
        steps: &T,
        store: &Store,
        range: Range<usize>,
        threads: usize,
        keep: bool,
        sizes: BatchSizes,
    ) -> Result<(), StopReason> {
        let per_thread = store.tables.len().div_ceil(threads);
        let n_words = steps.n_words() + 1;
        self.clear(n_words, threads, sizes.recent);
        let mut scratch = std::mem::take(&mut self.scratch);
        let part = self;
        for at in range {
            if part.n_followed.is_multiple_of(BETWEEN) {
                context.poll()?;
            }
            if threads > 1 && part.pending.len() >= AT_ONCE * n_words {
                part.look_up(store, per_thread, keep);
            }
            let found = if threads > 1 { &mut part.pending } else { &mut part.records };
            let (before, n_steps, left_out) = (found.len(), part.steps.len(), part.left_out);
            let words = &store.records.get(at as u32)[..n_words - 1];
            let mut ask = false;
            let mut keep_step = |label, target| {
                if keep {
                    part.steps.push((label, target));
                }
            };
            let followed = steps.successors(words, &mut scratch, |next| match next {
                Next::State(label, next) => {
                    found.extend_from_slice(next);
                    found.push(parent_word(Some((at as u32, label))));
                    keep_step(label, PENDING);
                }
                Next::Beyond(label) => {
                    part.left_out = true;
                    keep_step(label, BEYOND);
                }
                Next::Open(label) => {
                    part.left_out = true;
                    keep_step(label, OPEN);
                }
                Next::Ask(_) => ask = true,
            });
            match steps.is_goal(words, &mut scratch) {
                Some(goal) if followed.is_ok() && !ask => {
                    part.n_followed += 1;
                    part.n_generated += (found.len() - before) / n_words;
                    if keep {
                        part.lengths.push((part.steps.len() - n_steps) as u32);
                    }
                    if goal || part.records.len() > sizes.words {
                        part.end = if goal { End::Goal } else { End::Full };
                        break;
                    }
                }
                _ => {
                    // One thread begins with this state anew.
                    found.truncate(before);
                    part.steps.truncate(n_steps);
                    part.left_out = left_out;
                    part.end = End::Ask;
                    break;
                }
            }
        }
        debug_assert!(
            !keep || part.lengths.len() == part.n_followed,
            "every state that was followed has a row"
        );
        part.scratch = scratch;
        if threads > 1 {
            part.look_up(store, per_thread, keep);
        }
        Ok(())
    }

    /// Keeps those of the pending candidates that are not in the tables, and not among those that were kept just
    /// before. In passes over a few at a time, as in `Store::insert_all`.
    fn look_up(&mut self, store: &Store, per_thread: usize, keep: bool) {
        let key = &store.key;
        let mut likely = [(0, None); AT_ONCE];
        debug_assert!(self.recent.len().is_power_of_two(), "places are found by a mask");
        let mask = self.recent.len() - 1;
        for few in self.pending.chunks(AT_ONCE * self.n_words) {
            for (record, likely) in few.chunks_exact(self.n_words).zip(&mut likely) {
                let hash = hash(&record[key.clone()]);
                *likely = (hash, store.tables[table_of(hash)].find(hash, |_| true).copied());
            }
            for (record, &(hash, likely)) in few.chunks_exact(self.n_words).zip(&likely) {
                let own = &record[key.clone()];
                let same = |number: &u32| is_same(&store.records.get(*number)[key.clone()], own);
                let find = || store.tables[table_of(hash)].find(hash, same).copied();
                let known = likely.and_then(|number| if same(&number) { Some(number) } else { find() });
                let recent = &mut self.recent[hash as usize & mask];
                let target = known.unwrap_or_else(|| {
                    let kept = self.records.get(*recent as usize * self.n_words..);
                    let kept = kept
                        .is_some_and(|kept| kept.len() >= self.n_words && is_same(&kept[key.clone()], own));
                    if !kept {
                        let local = (self.records.len() / self.n_words) as u32;
                        self.shares[table_of(hash) / per_thread].push(local);
                        *recent = local;
                        self.records.extend_from_slice(record);
                    }
                    MOST + *recent
                });
                if keep {
                    self.n_looked_up = resolve_next(&mut self.steps, self.n_looked_up, target);
                }
            }
        }
        self.pending.clear();
    }

    /// Adds what one thread alone found, and the rows.
    pub(crate) fn insert(&mut self, context: &Context, sink: &mut Sink<'_>) -> Result<(), StopReason> {
        let Self { records, steps, n_looked_up, left_out, .. } = self;
        let keep = sink.rows.is_some();
        if !keep && sink.most == usize::MAX {
            return sink.store.insert_all(context, records, sink.most, |_| {});
        }
        sink.store.insert_all(context, records, sink.most, |target| {
            *left_out |= target == BEYOND;
            if keep {
                *n_looked_up = resolve_next(steps, *n_looked_up, target);
            }
        })?;
        debug_assert!(steps[*n_looked_up..].iter().all(|&(_, to)| to != PENDING), "every step was looked up");
        match &mut sink.rows {
            Some(rows) => self.push_rows(context, rows, |step| step),
            None => Ok(()),
        }
    }

    /// Adds the rows of the states, with targets that are numbers of states.
    pub(crate) fn push_rows(
        &self,
        context: &Context,
        rows: &mut Rows,
        resolve: impl Fn(RawStep) -> RawStep,
    ) -> Result<(), StopReason> {
        let (mut row, mut start) = (Vec::new(), 0);
        for &length in &self.lengths {
            row.clear();
            row.extend(self.steps[start..start + length as usize].iter().map(|&step| resolve(step)));
            debug_assert!(
                row.iter().all(|&(_, to)| to < MOST || to == BEYOND || to == OPEN),
                "every candidate has its number"
            );
            rows.push_set(context, &row)?;
            start += length as usize;
        }
        debug_assert_eq!(start, self.steps.len(), "every step is in a row");
        Ok(())
    }
}

/// Gives the next pending step its target. Says which one comes after it.
fn resolve_next(steps: &mut [RawStep], from: usize, target: u32) -> usize {
    let mut at = from;
    while steps[at].1 != PENDING {
        at += 1;
    }
    steps[at].1 = target;
    at + 1
}
