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
        Self { block_of, n_blocks: blocks.len() }
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
        least
    }

    /// First this partition, then one of its blocks.
    #[must_use]
    pub fn then(&self, coarser: &Partition) -> Self {
        Self {
            block_of: self.block_of.iter().map(|&block| coarser.block_of(block)).collect(),
            n_blocks: coarser.n_blocks,
        }
    }
}
