//! Partitions of the states of a system.

use crate::StateId;
use rustc_hash::FxHashMap;
use tertium_support::Id;

/// States sorted into disjoint blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The block of each state. Blocks are numbered by their least members.
    block_of: Vec<StateId>,
    n_blocks: usize,
}

impl Partition {
    /// The partition where states with equal keys share a block.
    pub fn by_key<K: std::hash::Hash + Eq>(keys: impl IntoIterator<Item = K>) -> Self {
        let mut blocks: FxHashMap<K, StateId> = FxHashMap::default();
        let mut block_of = Vec::new();
        for key in keys {
            let fresh = StateId::new(blocks.len());
            block_of.push(*blocks.entry(key).or_insert(fresh));
        }
        let found = Self { block_of, n_blocks: blocks.len() };
        debug_assert!(found.is_canonical(), "blocks are numbered by their least members");
        found
    }

    /// How many blocks there are.
    pub fn n_blocks(&self) -> usize {
        self.n_blocks
    }

    /// The block of a state.
    #[inline]
    pub fn block_of(&self, state: StateId) -> StateId {
        self.block_of[state.index()]
    }

    /// The block of every state.
    pub fn blocks(&self) -> &[StateId] {
        &self.block_of
    }

    /// The least member of every block.
    pub fn representatives(&self) -> Vec<StateId> {
        let mut least = Vec::with_capacity(self.n_blocks);
        for (state, block) in StateId::first(self.block_of.len()).zip(&self.block_of) {
            if block.index() == least.len() {
                least.push(state);
            }
        }
        debug_assert_eq!(least.len(), self.n_blocks, "every block has a least member");
        least
    }

    /// First this partition, then one of its blocks.
    #[must_use]
    pub fn then(&self, coarser: &Partition) -> Self {
        debug_assert_eq!(coarser.block_of.len(), self.n_blocks, "blocks are put together");
        let found = Self {
            block_of: self.block_of.iter().map(|&block| coarser.block_of(block)).collect(),
            n_blocks: coarser.n_blocks,
        };
        debug_assert!(found.is_canonical(), "blocks are numbered by their least members");
        found
    }

    /// Whether there are as many blocks as it says, in the order of their least members.
    fn is_canonical(&self) -> bool {
        let mut n_met = 0;
        self.block_of.iter().all(|block| {
            n_met = n_met.max(block.index() + 1).min(n_met + 1);
            block.index() < n_met
        }) && n_met == self.n_blocks
    }
}
