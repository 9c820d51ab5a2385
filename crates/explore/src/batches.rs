//! Many states followed at once by several threads, with the same outcome as one after the other.
//!
//! A batch is a part of the queue. Each thread finds the successors of the states in its part of the batch. Then the
//! candidates are shared out by the tables that they belong to: equal ones belong to the same table, whose thread goes
//! through them in the order in which one thread alone would have found them, so the first one wins. At last the
//! winners are numbered in that order. Until then they stand in the tables with what they are in the batch.
//!
//! A batch ends early at a state where the goal holds, and before one that the space has to be asked about: only one
//! thread can do that.
//!
//! If steps are kept, each thread lists those of its states. Their targets are numbers of states, or what candidates
//! are in the batch until these have numbers.

use crate::part::{End, PENDING, Part};
use crate::rows::{RawStep, Rows};
use crate::store::{AT_ONCE, BEYOND, MOST, Store, hash, is_same, table_of};
use std::ops::Range;
use tertium_support::{Beside, Context, StopReason, beside};
use tertium_system::Steps;

/// How much is done at once. Nothing that is found depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchSizes {
    /// So many states has each thread in a batch at most.
    pub largest: usize,
    /// So many states are in a batch of one thread alone: what they lead to should stay in the caches.
    pub alone: usize,
    /// For fewer states per thread it is not worth while to start threads.
    pub smallest: usize,
    /// So many words of candidates are enough for each thread.
    pub words: usize,
    /// Of so many candidates a thread remembers where it has them; a power of two.
    pub recent: usize,
}

impl Default for BatchSizes {
    fn default() -> Self {
        Self { largest: 1 << 13, alone: 1 << 6, smallest: 1 << 8, words: 1 << 20, recent: 1 << 14 }
    }
}

impl BatchSizes {
    /// So little at once that small models show what can go wrong between threads.
    pub fn tiny() -> Self {
        Self { largest: 5, alone: 4, smallest: 1, words: 20, recent: 8 }
    }
}

/// What came of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Batch {
    /// So many states were followed.
    pub(crate) n_followed: usize,
    /// So many were generated.
    pub(crate) n_generated: usize,
    /// Whether the goal holds at the last one that was followed.
    pub(crate) goal: bool,
    /// Whether the space has to be asked about the one after it.
    pub(crate) ask: bool,
    /// Whether something was left out.
    pub(crate) left_out: bool,
}

/// What batches are made into.
pub(crate) struct Sink<'a> {
    pub(crate) store: &'a mut Store,
    /// So many states are kept.
    pub(crate) most: usize,
    /// The steps, if they are kept.
    pub(crate) rows: Option<&'a mut Rows>,
}

/// How large batches are.
pub(crate) struct Batches<T: Steps> {
    threads: usize,
    sizes: BatchSizes,
    size: usize,
    /// What each thread finds; their memory is used again. One thread alone has the first.
    parts: Vec<Part<T>>,
}

impl<T: Steps> Batches<T> {
    /// For so many threads.
    pub(crate) fn new(threads: usize, sizes: BatchSizes) -> Self {
        let size = if threads == 1 { sizes.alone } else { sizes.largest * threads };
        let parts = (0..threads).map(|_| Part::default()).collect();
        Self { threads, sizes, size, parts }
    }

    /// The next batch.
    pub(crate) fn next(&self, waiting: Range<usize>) -> Range<usize> {
        let n = waiting.len().min(self.size);
        let n = if n >= self.sizes.smallest * self.threads { n } else { n.min(self.sizes.alone) };
        waiting.start..waiting.start + n
    }

    /// Follows the states of a batch, perhaps not all.
    pub(crate) fn follow(
        &mut self,
        context: &Context,
        steps: &T,
        sink: &mut Sink<'_>,
        batch: Range<usize>,
    ) -> Result<Batch, StopReason> {
        let (keep, sizes) = (sink.rows.is_some(), self.sizes);
        if self.threads == 1 || batch.len() < sizes.smallest * self.threads {
            let alone = &mut self.parts[0];
            alone.follow(context, steps, sink.store, batch, 1, keep, sizes)?;
            alone.insert(context, sink)?;
            return Ok(alone.outcome());
        }
        let each = batch.len().div_ceil(self.threads);
        let ranges = batch.clone().step_by(each).map(|first| first..(first + each).min(batch.end));
        let n_ranges = ranges.len();
        {
            let (store, threads) = (&*sink.store, self.threads);
            std::thread::scope(|scope| {
                let running: Vec<_> = self
                    .parts
                    .iter_mut()
                    .zip(ranges)
                    .map(|(part, range)| {
                        beside(scope, move || part.follow(context, steps, store, range, threads, keep, sizes))
                    })
                    .collect();
                running.into_iter().try_for_each(Beside::join)
            })?;
        }
        // Parts after one that ended early are not in order.
        let parts = &self.parts[..n_ranges];
        let n_parts =
            parts.iter().position(|part| part.end != End::Whole).map_or(parts.len(), |last| last + 1);
        let parts = &parts[..n_parts];
        let mut outcome = Batch::default();
        for part in parts.iter().map(Part::outcome) {
            outcome.n_followed += part.n_followed;
            outcome.n_generated += part.n_generated;
            outcome.left_out |= part.left_out;
            (outcome.goal, outcome.ask) = (part.goal, part.ask);
        }
        debug_assert!(outcome.n_followed <= batch.len(), "no state is followed twice");
        // Where the space is asked often, large batches are in vain.
        self.size = match outcome.n_followed == batch.len() {
            true => (2 * self.size).min(sizes.largest * self.threads),
            false => outcome.n_followed.max(sizes.smallest * self.threads),
        };
        outcome.left_out |= insert(context, self.threads, parts, sink)?;
        Ok(outcome)
    }
}

/// What a thread found about the candidates of its tables.
#[derive(Default)]
struct Shared {
    /// Candidates that are new.
    fresh: Vec<u32>,
    /// The others, with what they are matched with. Only if steps are kept.
    same: Vec<(u32, u32)>,
}

/// Adds those candidates that are not known, and the rows. Says whether candidates were left out because there are
/// enough states.
fn insert<T: Steps>(
    context: &Context,
    threads: usize,
    parts: &[Part<T>],
    sink: &mut Sink<'_>,
) -> Result<bool, StopReason> {
    let candidates = Candidates::new(parts);
    sink.store.make_room(context, candidates.len(), threads)?;
    let shared = share(threads, &candidates, sink.store, sink.rows.is_some());
    let mut numbers = vec![MOST; candidates.len()];
    shared.iter().flat_map(|own| &own.fresh).for_each(|&candidate| numbers[candidate as usize] = 0);
    let mut left_out = false;
    if let Err(reason) = number(context, &candidates, sink, &mut numbers, &mut left_out) {
        // The tables name candidates that are no records.
        sink.store.fill(threads);
        return Err(reason);
    }
    debug_assert!(
        shared.iter().flat_map(|own| &own.fresh).all(|&candidate| numbers[candidate as usize] != MOST),
        "every new candidate has its number"
    );
    rename(threads, &candidates, sink.store, &shared, &numbers);
    if let Some(rows) = &mut sink.rows {
        for &(candidate, other) in shared.iter().flat_map(|own| &own.same) {
            let known = other.checked_sub(MOST);
            numbers[candidate as usize] = known.map_or(other, |fresh| numbers[fresh as usize]);
        }
        for (part, first) in parts.iter().zip(&candidates.firsts) {
            let resolve = |(label, target): RawStep| match target {
                candidate @ MOST..PENDING => (label, numbers[(first + (candidate - MOST)) as usize]),
                other => (label, other),
            };
            part.push_rows(context, rows, resolve)?;
        }
    }
    Ok(left_out)
}

/// Finds the new candidates, table by table.
fn share<T: Steps>(
    threads: usize,
    candidates: &Candidates<'_, T>,
    store: &mut Store,
    keep: bool,
) -> Vec<Shared> {
    let per_thread = store.tables.len().div_ceil(threads);
    let (records, key) = (&store.records, &store.key);
    let key_of = |number: u32| match number.checked_sub(MOST) {
        Some(candidate) => &candidates.get(candidate)[key.clone()],
        None => &records.get(number)[key.clone()],
    };
    let key_of = &key_of;
    std::thread::scope(|scope| {
        let running: Vec<_> = store
            .tables
            .chunks_mut(per_thread)
            .enumerate()
            .map(|(thread, tables)| {
                beside(scope, move || {
                    let mut shared = Shared::default();
                    // In passes over a few at a time, as in `Store::insert_all`.
                    let mut likely = [(0, None); AT_ONCE];
                    for (part, first) in candidates.parts.iter().zip(&candidates.firsts) {
                        for few in part.shares[thread].chunks(AT_ONCE) {
                            for (&local, likely) in few.iter().zip(&mut likely) {
                                let hash = hash(&part.record(local)[key.clone()]);
                                let table = &tables[table_of(hash) - thread * per_thread];
                                *likely = (hash, table.find(hash, |_| true).copied());
                            }
                            for (&local, likely) in few.iter().zip(&mut likely) {
                                let own = &part.record(local)[key.clone()];
                                likely.1 = likely.1.filter(|&number| is_same(key_of(number), own));
                            }
                            for (&local, &(hash, known)) in few.iter().zip(&likely) {
                                let own = &part.record(local)[key.clone()];
                                let same = |&number: &u32| is_same(key_of(number), own);
                                let table = &mut tables[table_of(hash) - thread * per_thread];
                                match known.or_else(|| table.find(hash, same).copied()) {
                                    Some(other) if keep => shared.same.push((first + local, other)),
                                    Some(_) => {}
                                    None => {
                                        let hasher = |&number: &u32| crate::store::hash(key_of(number));
                                        table.insert_unique(hash, MOST + first + local, hasher);
                                        shared.fresh.push(first + local);
                                    }
                                }
                            }
                        }
                    }
                    shared
                })
            })
            .collect();
        running.into_iter().map(Beside::join).collect()
    })
}

/// Makes records of the new candidates, which have the number zero, in order.
fn number<T: Steps>(
    context: &Context,
    candidates: &Candidates<'_, T>,
    sink: &mut Sink<'_>,
    numbers: &mut [u32],
    left_out: &mut bool,
) -> Result<(), StopReason> {
    for (part, first) in candidates.parts.iter().zip(&candidates.firsts) {
        for local in 0..part.len() as u32 {
            let number = &mut numbers[(first + local) as usize];
            if *number == 0 {
                let full = sink.store.records.len() >= sink.most;
                *left_out |= full;
                *number = if full { BEYOND } else { sink.store.records.push(context, part.record(local))? };
            }
        }
    }
    Ok(())
}

/// Gives the new candidates their numbers in the tables.
fn rename<T: Steps>(
    threads: usize,
    candidates: &Candidates<'_, T>,
    store: &mut Store,
    shared: &[Shared],
    numbers: &[u32],
) {
    let (per_thread, key) = (store.tables.len().div_ceil(threads), &store.key);
    std::thread::scope(|scope| {
        for (thread, (tables, shared)) in store.tables.chunks_mut(per_thread).zip(shared).enumerate() {
            beside(scope, move || {
                for &candidate in &shared.fresh {
                    let hash = hash(&candidates.get(candidate)[key.clone()]);
                    let table = &mut tables[table_of(hash) - thread * per_thread];
                    let entry = table.find_entry(hash, |&number| number == MOST + candidate);
                    let Ok(mut entry) = entry else { unreachable!("it was added") };
                    match numbers[candidate as usize] {
                        BEYOND => drop(entry.remove()),
                        number => *entry.get_mut() = number,
                    }
                }
            });
        }
    });
}

/// The candidates of all parts, numbered through.
struct Candidates<'a, T: Steps> {
    parts: &'a [Part<T>],
    firsts: Vec<u32>,
}

impl<'a, T: Steps> Candidates<'a, T> {
    fn new(parts: &'a [Part<T>]) -> Self {
        let mut next = 0;
        let firsts = parts.iter().map(|part| {
            let first = next;
            next += part.len() as u32;
            first
        });
        Self { parts, firsts: firsts.collect() }
    }

    fn len(&self) -> usize {
        self.parts.iter().map(Part::len).sum()
    }

    fn get(&self, candidate: u32) -> &[u64] {
        let part = self.firsts.partition_point(|&first| first <= candidate) - 1;
        self.parts[part].record(candidate - self.firsts[part])
    }
}
