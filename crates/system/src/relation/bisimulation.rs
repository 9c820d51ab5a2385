//! The coarsest bisimulation of one system, by refining a partition with signatures.
//!
//! Two states are bisimilar iff they have the same labels, the same concretisation if there is a domain, may steps
//! into the same blocks with the same actions, and musts into the same *sets* of blocks with the same actions. The
//! signature of a state is all this relative to a partition; splitting every block by signatures until nothing
//! changes gives the coarsest stable partition. A hyper-must whose targets lie in one block counts as a single must.
//!
//! Signatures are those of \[BO05\]. Only states with a successor that changed its block are looked at again, and a
//! block that splits keeps its name for its largest part, so a state changes its block at most log n times: about
//! O(m log n) signature entries are computed. The naive twin recomputes everything in every round.

use super::Partition;
use crate::{PartialSystem, StateId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};
use tertium_support::{Context, Id, StopReason, Ticker};

/// What never changes about states while a partition is refined: labels, and concretisations if there is a domain.
pub(super) fn observations(system: &PartialSystem) -> Partition {
    let mut partition = Partition::by_key(system.states().map(|_| ()));
    for prop in system.labels().names().ids() {
        let value = |s| system.labels().get(prop, s);
        partition = Partition::by_key(system.states().map(|s| (partition.block_of(s), value(s))));
    }
    if let Some(domain) = system.domain() {
        partition = Partition::by_key(system.states().map(|s| (partition.block_of(s), domain.gamma(s))));
    }
    partition
}

/// The coarsest bisimulation.
pub fn bisimulation(context: &Context, system: &PartialSystem) -> Result<Partition, StopReason> {
    Refiner::new(context, system).run()
}

/// A partition being refined.
struct Refiner<'a> {
    system: &'a PartialSystem,
    ticker: Ticker<'a>,
    predecessors: Predecessors,
    /// All states; the members of a block are neighbours, those to look at (`marked`) first.
    members: Vec<StateId>,
    /// Where each state stands in `members`.
    position: Vec<u32>,
    block_of: Vec<u32>,
    blocks: Vec<Block>,
    /// Blocks with marked members.
    dirty: VecDeque<u32>,
}

#[derive(Clone, Copy)]
struct Block {
    start: u32,
    end: u32,
    /// Members from `start` to here may have a new signature. The others all have the same one.
    marked: u32,
}

impl<'a> Refiner<'a> {
    fn new(context: &'a Context, system: &'a PartialSystem) -> Self {
        let initial = observations(system);
        let mut members: Vec<StateId> = system.states().collect();
        members.sort_by_key(|&s| initial.block_of(s));
        let mut position = vec![0; members.len()];
        let mut blocks: Vec<Block> = Vec::new();
        for (at, &state) in members.iter().enumerate() {
            let at = at as u32;
            position[state.index()] = at;
            if initial.block_of(state).index() == blocks.len() {
                blocks.push(Block { start: at, end: at, marked: at });
            }
            let block = blocks.last_mut().expect("the block of the first member is new");
            (block.end, block.marked) = (at + 1, at + 1);
        }
        debug_assert_eq!(blocks.len(), initial.n_blocks(), "members of a block are neighbours");
        Self {
            system,
            ticker: context.ticker("bisimulation"),
            predecessors: Predecessors::new(system),
            block_of: system.states().map(|s| initial.block_of(s).raw()).collect(),
            members,
            position,
            dirty: (0..blocks.len() as u32).collect(),
            blocks,
        }
    }

    fn run(mut self) -> Result<Partition, StopReason> {
        let mut signature = Signature::default();
        let mut parts: FxHashMap<Box<[u64]>, u32> = FxHashMap::default();
        while let Some(block) = self.dirty.pop_front() {
            let Block { start, end, marked } = self.blocks[block as usize];
            debug_assert!(start < marked && marked <= end, "a dirty block has marked members");
            // Part 0 is that of the members whose signature did not change, if there are any.
            parts.clear();
            if marked < end {
                parts.insert(
                    signature.of(self.system, &self.block_of, self.members[marked as usize]).into(),
                    0,
                );
            }
            let mut part_of: Vec<(u32, StateId)> = Vec::with_capacity((marked - start) as usize);
            for at in start..marked {
                let state = self.members[at as usize];
                let entries = signature.of(self.system, &self.block_of, state);
                self.ticker.tick(1 + entries.len())?;
                let part = match parts.get(entries) {
                    Some(&part) => part,
                    None => {
                        let part = parts.len() as u32;
                        parts.insert(entries.into(), part);
                        part
                    }
                };
                part_of.push((part, state));
            }
            self.blocks[block as usize].marked = start;
            if parts.len() > 1 {
                self.split(block, parts.len(), part_of, end - marked);
            }
        }
        debug_assert!(
            self.blocks.iter().all(|block| block.marked == block.start),
            "no signature is left to look at"
        );
        debug_assert!(
            self.members.iter().zip(0..).all(|(state, at)| self.position[state.index()] == at),
            "states stand where they are said to stand"
        );
        Ok(Partition::by_key(self.block_of))
    }

    /// Splits a block into parts; `part_of` tells those of the members that were marked, and the `n_unmarked` others
    /// are in part 0.
    fn split(&mut self, block: u32, n_parts: usize, mut part_of: Vec<(u32, StateId)>, n_unmarked: u32) {
        let Block { start, end, .. } = self.blocks[block as usize];
        let mut sizes = vec![0u32; n_parts];
        sizes[0] = n_unmarked;
        part_of.iter().for_each(|&(part, _)| sizes[part as usize] += 1);
        debug_assert!(sizes.iter().all(|&size| size > 0), "no part is empty");
        // Members of part 0 go last, beside the unmarked ones that stand there already.
        part_of.sort_by_key(|&(part, _)| std::cmp::Reverse(part));
        for (at, &(_, state)) in (start..).zip(&part_of) {
            self.members[at as usize] = state;
            self.position[state.index()] = at;
        }
        let largest = (0..n_parts).max_by_key(|&part| sizes[part]).expect("there are parts");
        let mut at = start;
        let mut moved = Vec::with_capacity(n_parts - 1);
        for part in (0..n_parts).rev() {
            let range = Block { start: at, end: at + sizes[part], marked: at };
            at = range.end;
            if part == largest {
                self.blocks[block as usize] = range;
            } else {
                moved.push(self.blocks.len() as u32);
                self.blocks.push(range);
            }
        }
        debug_assert_eq!(at, end, "the parts make up the block");
        for &new in &moved {
            let Block { start, end, .. } = self.blocks[new as usize];
            for at in start..end {
                self.block_of[self.members[at as usize].index()] = new;
            }
        }
        // Only now, when all names are settled: marking reorders the members of blocks.
        for new in moved {
            let Block { start, end, .. } = self.blocks[new as usize];
            let states: Vec<StateId> = self.members[start as usize..end as usize].to_vec();
            for state in states {
                for at in self.predecessors.range(state) {
                    self.mark(self.predecessors.sources[at]);
                }
            }
        }
    }

    /// Says that the signature of a state may have changed.
    fn mark(&mut self, state: StateId) {
        let id = self.block_of[state.index()];
        let block = &mut self.blocks[id as usize];
        let at = self.position[state.index()];
        // A block of one member cannot split, however often its signature changes.
        if at < block.marked || block.end - block.start == 1 {
            return;
        }
        if block.marked == block.start {
            self.dirty.push_back(id);
        }
        let boundary = block.marked;
        block.marked += 1;
        let other = self.members[boundary as usize];
        self.members.swap(at as usize, boundary as usize);
        self.position[state.index()] = boundary;
        self.position[other.index()] = at;
    }
}

/// For each state, who has a transition of any kind into it.
struct Predecessors {
    offsets: Vec<u32>,
    sources: Vec<StateId>,
}

impl Predecessors {
    fn new(system: &PartialSystem) -> Self {
        fn each(system: &PartialSystem, mut visit: impl FnMut(StateId, StateId)) {
            for source in system.states() {
                system.transitions().row(source).1.iter().for_each(|&target| visit(source, target));
                let hyper = system.hyper_musts().of(source);
                hyper.flat_map(|(_, targets)| targets).for_each(|&target| visit(source, target));
            }
        }
        let mut offsets = vec![0u32; system.n_states() + 1];
        each(system, |_, target| offsets[target.index() + 1] += 1);
        for state in 0..system.n_states() {
            offsets[state + 1] += offsets[state];
        }
        let mut fill = offsets.clone();
        let mut sources = vec![StateId::from_raw(0); offsets[system.n_states()] as usize];
        each(system, |source, target| {
            sources[fill[target.index()] as usize] = source;
            fill[target.index()] += 1;
        });
        debug_assert!(fill.iter().zip(&offsets[1..]).all(|(filled, end)| filled == end), "rows are full");
        Self { offsets, sources }
    }

    fn range(&self, state: StateId) -> std::ops::Range<usize> {
        self.offsets[state.index()] as usize..self.offsets[state.index() + 1] as usize
    }
}

/// The signature of one state at a time, in buffers that are used again.
#[derive(Default)]
struct Signature {
    entries: Vec<u64>,
    hyper: BTreeSet<(u32, Vec<u32>)>,
}

impl Signature {
    const MAY: u64 = 1;
    const MUST: u64 = 2;

    /// Single steps as words (block, action, relations), sorted, one for each block and action; then a separator and
    /// the hyper-musts, if there are any.
    fn of(&mut self, system: &PartialSystem, block_of: &[u32], state: StateId) -> &[u64] {
        self.entries.clear();
        self.hyper.clear();
        let word = |block: u32, action: u32, relations: u64| {
            u64::from(block) << 32 | u64::from(action) << 2 | relations
        };
        let (labels, others) = system.transitions().row(state);
        for (label, other) in labels.iter().zip(others) {
            let may = if label.is_may() { Self::MAY } else { 0 };
            let must = if label.is_must() { Self::MUST } else { 0 };
            self.entries.push(word(block_of[other.index()], label.action().raw(), may | must));
        }
        for (action, targets) in system.hyper_musts().of(state) {
            let mut blocks: Vec<u32> = targets.iter().map(|target| block_of[target.index()]).collect();
            blocks.sort_unstable();
            blocks.dedup();
            match blocks[..] {
                [block] => self.entries.push(word(block, action.raw(), Self::MUST)),
                _ => {
                    self.hyper.insert((action.raw(), blocks));
                }
            }
        }
        self.entries.sort_unstable();
        self.entries.dedup_by(|next, kept| {
            let same = *next >> 2 == *kept >> 2;
            if same {
                *kept |= *next;
            }
            same
        });
        for (action, blocks) in &self.hyper {
            self.entries.extend([u64::MAX, u64::from(*action)]);
            self.entries.extend(blocks.iter().map(|&block| u64::from(block)));
        }
        &self.entries
    }
}

/// The coarsest bisimulation, with all signatures computed anew in every round: the oracle.
pub fn bisimulation_naive(context: &Context, system: &PartialSystem) -> Result<Partition, StopReason> {
    let mut ticker = context.ticker("bisimulation");
    let mut partition = observations(system);
    loop {
        let mut keys = Vec::with_capacity(system.n_states());
        for state in system.states() {
            ticker.tick(1)?;
            let block = |s: &StateId| partition.block_of(*s);
            let may: BTreeSet<_> = system.may(state).map(|(x, t)| (x, block(&t))).collect();
            let musts = system.must_sets(state);
            let musts: BTreeSet<(_, BTreeSet<_>)> =
                musts.map(|(x, targets)| (x, targets.iter().map(block).collect())).collect();
            keys.push((partition.block_of(state), may, musts));
        }
        let next = Partition::by_key(keys);
        debug_assert!(next.n_blocks() >= partition.n_blocks(), "rounds split blocks");
        if next.n_blocks() == partition.n_blocks() {
            return Ok(partition);
        }
        partition = next;
    }
}
