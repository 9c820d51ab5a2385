//! Records of states that were found, and where to find them by what they are matched by.
//!
//! Records have the same number of words each, are numbered in the order in which they come, and never move: they are
//! kept in blocks. The last word of a record is its parent. Tables have only numbers; they are split by some bits of
//! the hash, so that threads can work on them side by side, and made anew from the records when one is full, after the
//! old ones are gone.

use hashbrown::HashTable;
use std::ops::Range;
use tertium_support::{Context, StopReason, beside};
use tertium_system::StepLabel;

/// Words in a block, about.
const BLOCK: usize = 1 << 14;
/// How many tables there are.
pub(crate) const N_TABLES: usize = 16;
/// Numbers from here on are not those of records.
pub(crate) const MOST: u32 = 1 << 31;
/// So many records are added at once.
pub(crate) const AT_ONCE: usize = 32;
/// The parent of what has none.
const NONE: u64 = u64::MAX;
/// The target of a step that leads to a state that is not kept.
pub(crate) const BEYOND: u32 = u32::MAX - 1;

/// Records without tables.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    n_words: usize,
    /// Records in a block are two to this power.
    power: u32,
    blocks: Vec<Vec<u64>>,
    len: usize,
}

impl Records {
    pub(crate) fn new(n_words: usize) -> Self {
        Self { n_words, power: (BLOCK / n_words).max(1).ilog2(), blocks: Vec::new(), len: 0 }
    }

    /// The record with a number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[u64] {
        debug_assert!((number as usize) < self.len, "a record that is there");
        let number = number as usize;
        let within = number & ((1 << self.power) - 1);
        &self.blocks[number >> self.power][within * self.n_words..][..self.n_words]
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn push(&mut self, context: &Context, record: &[u64]) -> Result<u32, StopReason> {
        debug_assert_eq!(record.len(), self.n_words, "records have the same number of words");
        let number = self.len;
        let block = number >> self.power;
        if block == self.blocks.len() {
            self.add_block(context)?;
        }
        self.blocks[block].extend_from_slice(record);
        self.len += 1;
        Ok(number as u32)
    }

    #[cold]
    fn add_block(&mut self, context: &Context) -> Result<(), StopReason> {
        if self.len >= MOST as usize {
            return Err(StopReason::MemoryLimit);
        }
        // Most rounds are small: the first block grows.
        let words = if self.blocks.is_empty() { 0 } else { self.n_words << self.power };
        context.reserve(8 * words as u64)?;
        self.blocks.push(Vec::with_capacity(words));
        Ok(())
    }

    /// Forgets all records after the first ones.
    pub(crate) fn truncate(&mut self, len: usize) {
        debug_assert!(len <= self.len, "records are forgotten, not made");
        let n_blocks = len.div_ceil(1 << self.power);
        self.blocks.truncate(n_blocks);
        if let Some(last) = self.blocks.last_mut() {
            last.truncate((len - ((n_blocks - 1) << self.power)) * self.n_words);
        }
        self.len = len;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| 8 * block.capacity()).sum()
    }
}

/// Records with tables.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) records: Records,
    /// What records are matched by.
    pub(crate) key: Range<usize>,
    pub(crate) tables: Vec<HashTable<u32>>,
}

impl Store {
    /// Nothing, of records with so many words that are matched by some of these.
    pub(crate) fn new(n_words: usize, key: Range<usize>) -> Self {
        debug_assert!(key.start <= key.end && key.end < n_words, "the parent is no part of the key");
        Self { records: Records::new(n_words), key, tables: vec![HashTable::new(); N_TABLES] }
    }

    /// The number of the record that is matched with one. It is added if there is none and there are fewer than `most`;
    /// else [`BEYOND`].
    #[inline]
    pub(crate) fn insert(
        &mut self,
        context: &Context,
        record: &[u64],
        most: usize,
    ) -> Result<u32, StopReason> {
        self.insert_hashed(context, record, hash(&record[self.key.clone()]), most)
    }

    fn insert_hashed(
        &mut self,
        context: &Context,
        record: &[u64],
        hash: u64,
        most: usize,
    ) -> Result<u32, StopReason> {
        let key = &record[self.key.clone()];
        debug_assert_eq!(hash, crate::store::hash(key), "the hash is that of the key");
        let table = table_of(hash);
        if self.tables[table].len() == self.tables[table].capacity() {
            self.grow(context, 1)?;
        }
        let (records, range) = (&self.records, self.key.clone());
        let same = |&number: &u32| is_same(&records.get(number)[range.clone()], key);
        match self.tables[table].find(hash, same) {
            Some(&number) => Ok(number),
            None if self.records.len() >= most => Ok(BEYOND),
            None => {
                let number = self.records.push(context, record)?;
                let (records, range) = (&self.records, self.key.clone());
                let hasher = |&number: &u32| crate::store::hash(&records.get(number)[range.clone()]);
                self.tables[table].insert_unique(hash, number, hasher);
                Ok(number)
            }
        }
    }

    /// Adds those of many records, whose parents are right, that are matched with none, and tells the number of each as
    /// [`Store::insert`] does. In three passes over a few at a time, so that the memory is asked for several tables and
    /// records at once: most of the time of a large search is spent on waiting for it.
    pub(crate) fn insert_all(
        &mut self,
        context: &Context,
        all: &[u64],
        most: usize,
        mut tell: impl FnMut(u32),
    ) -> Result<(), StopReason> {
        let n_words = self.records.n_words;
        debug_assert!(all.len().is_multiple_of(n_words), "all records are whole");
        let mut likely = [(0, None); AT_ONCE];
        for few in all.chunks(AT_ONCE * n_words) {
            for (record, likely) in few.chunks_exact(n_words).zip(&mut likely) {
                let hash = hash(&record[self.key.clone()]);
                *likely = (hash, self.tables[table_of(hash)].find(hash, |_| true).copied());
            }
            for (record, likely) in few.chunks_exact(n_words).zip(&mut likely) {
                likely.1 = likely.1.filter(|&number| {
                    is_same(&self.records.get(number)[self.key.clone()], &record[self.key.clone()])
                });
            }
            for (record, likely) in few.chunks_exact(n_words).zip(&likely) {
                tell(match likely.1 {
                    Some(number) => number,
                    None => self.insert_hashed(context, record, likely.0, most)?,
                });
            }
        }
        Ok(())
    }

    /// The number of the record that is matched with one.
    pub(crate) fn find(&self, words: &[u64]) -> Option<u32> {
        let key = &words[self.key.clone()];
        let hash = hash(key);
        let same = |&number: &u32| is_same(&self.records.get(number)[self.key.clone()], key);
        self.tables[table_of(hash)].find(hash, same).copied()
    }

    /// Makes all tables twice as large.
    #[cold]
    fn grow(&mut self, context: &Context, threads: usize) -> Result<(), StopReason> {
        let largest = self.tables.iter().map(HashTable::capacity).max().unwrap_or_default();
        let capacity = (largest + 1).next_power_of_two().max(4);
        // A bucket has five bytes, and there are eight for each seven.
        context.reserve((N_TABLES * capacity * 6) as u64)?;
        self.tables.clear();
        self.tables.resize_with(N_TABLES, || HashTable::with_capacity(capacity));
        self.fill(threads);
        debug_assert_eq!(
            self.tables.iter().map(HashTable::len).sum::<usize>(),
            self.records.len(),
            "every record is in one table"
        );
        Ok(())
    }

    /// Makes the tables larger if so many more records could be too much for one of them.
    pub(crate) fn make_room(
        &mut self,
        context: &Context,
        more: usize,
        threads: usize,
    ) -> Result<(), StopReason> {
        let each = more.div_ceil(N_TABLES);
        while self.tables.iter().any(|table| table.capacity() < table.len() + each) {
            self.grow(context, threads)?;
        }
        Ok(())
    }

    /// Fills the tables anew, by so many threads: each goes through all records and adds those of its tables.
    pub(crate) fn fill(&mut self, threads: usize) {
        let (records, key) = (&self.records, &self.key);
        let fill = |first: usize, tables: &mut [HashTable<u32>]| {
            let hash_of = |&number: &u32| hash(&records.get(number)[key.clone()]);
            tables.iter_mut().for_each(HashTable::clear);
            for number in 0..records.len() as u32 {
                let hash = hash_of(&number);
                if let Some(table) = table_of(hash).checked_sub(first).and_then(|at| tables.get_mut(at)) {
                    table.insert_unique(hash, number, hash_of);
                }
            }
        };
        let per_thread = N_TABLES.div_ceil(threads);
        if threads == 1 || records.len() < N_TABLES << 10 {
            return fill(0, &mut self.tables);
        }
        std::thread::scope(|scope| {
            for (thread, tables) in self.tables.chunks_mut(per_thread).enumerate() {
                let fill = &fill;
                beside(scope, move || fill(thread * per_thread, tables));
            }
        });
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.records.bytes() + self.tables.iter().map(HashTable::allocation_size).sum::<usize>()
    }
}

/// Whether keys are the same. They are short.
#[inline]
pub(crate) fn is_same(left: &[u64], right: &[u64]) -> bool {
    debug_assert_eq!(left.len(), right.len(), "keys have the same number of words");
    left.iter().zip(right).all(|(left, right)| left == right)
}

/// The record that one was found from, and by what.
pub(crate) fn parent_of(record: &[u64]) -> Option<(u32, StepLabel)> {
    match record[record.len() - 1] {
        NONE => None,
        parent => Some(((parent >> 32) as u32, parent as u32)),
    }
}

/// The last word of a record that was found from this one by this.
#[inline]
pub(crate) fn parent_word(parent: Option<(u32, StepLabel)>) -> u64 {
    debug_assert!(parent.is_none_or(|(number, _)| number < MOST), "a parent is a record");
    parent.map_or(NONE, |(number, label)| u64::from(number) << 32 | u64::from(label))
}

/// A hash of words. Packed states differ in high bits as often as in low ones, so products are folded.
#[inline]
pub(crate) fn hash(words: &[u64]) -> u64 {
    words.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, &word| {
        let product = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93_u128;
        product as u64 ^ (product >> 64) as u64
    })
}

/// The table for a hash, by bits that tables themselves do not look at.
#[inline]
pub(crate) fn table_of(hash: u64) -> usize {
    (hash >> 50) as usize % N_TABLES
}
