//! Summaries on demand: the inner least fixpoint of D, Dex and the environment of summaries \[Wei09, §4.5\], corrected.
//!
//! A *pair* of a node and a set of exit states says: from here the procedure can be brought to its exit, in one of these
//! states. Pairs are found backward, from demanded exits: that is `⟦f⟧ ∘ assume(Dex(f))`, composed from the right. A pair at
//! an entry is a summary. The nodes that have a pair are the set D of the corrected system: from them a demanded exit
//! is reached inside of the procedure, without call and return edges. An exit is demanded if a return with its result is
//! wanted, or has a pair itself. The printed system has the first half of that only, and loses nested calls.
//!
//! On the may-side all sets are singletons. On the must-side a way with several targets joins their sets. Only sets without
//! smaller ones are kept, and at most [`MOST_SETS`] with several elements at one node: a set that is left out makes the
//! must-side smaller, which is sound.
//!
//! Pairs are never taken back. The order in which they are found does not matter.
//!
//! Cost: on the may-side a pair is looked at once for each way into its node and each entering; there are at most
//! |states of f| · |demanded exits of f| pairs in a procedure f.

use super::graph::{Graph, KeptId, Node, NodeId, WayId};
use super::{ResultId, StateId};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::VecDeque;
use tertium_support::{Id, IdSet, StopReason, Ticker, define_id};

/// How many sets with several exits are kept at a node.
const MOST_SETS: usize = 32;

define_id!(
    /// A node with a set of exits that can be enforced from there.
    PairId
);

define_id!(
    /// A set of exit states.
    SetId
);

/// A pair with its reason.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) node: NodeId,
    set: SetId,
    pub(super) why: Why,
}

/// Why a pair holds. Reasons are older than what they are reasons of.
#[derive(Debug)]
pub(super) enum Why {
    /// The node is the exit.
    Exit,
    /// Along this way, and then by these pairs of its targets.
    Way(WayId, Box<[PairId]>),
    /// Over the callee by this pair of its entry, and then by these pairs of the returns.
    Over(PairId, Box<[PairId]>),
}

/// What is known of summaries.
#[derive(Debug)]
pub(super) struct Pairs {
    sets: IndexSet<Box<[StateId]>, FxBuildHasher>,
    pairs: Vec<Pair>,
    of: Vec<Vec<PairId>>,
    known: FxHashMap<(NodeId, SetId), PairId>,
    demanded: IdSet<StateId>,
    queue: VecDeque<PairId>,
    /// How many sets were left out.
    pub(super) n_left_out: usize,
    /// Unions of sets that were made, and not counted yet.
    n_unions: usize,
}

impl Pairs {
    pub(super) fn new(graph: &Graph<'_>) -> Self {
        Self {
            sets: IndexSet::default(),
            pairs: Vec::new(),
            of: vec![Vec::new(); graph.nodes.len()],
            known: FxHashMap::default(),
            demanded: IdSet::empty(graph.program.states().len()),
            queue: VecDeque::new(),
            n_left_out: 0,
            n_unions: 0,
        }
    }

    pub(super) fn pair(&self, id: PairId) -> &Pair {
        &self.pairs[id.index()]
    }

    pub(super) fn set(&self, id: PairId) -> &[StateId] {
        &self.sets[self.pair(id).set.index()]
    }

    /// The pairs of a node.
    pub(super) fn of(&self, node: NodeId) -> &[PairId] {
        &self.of[node.index()]
    }

    pub(super) fn n_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Whether an exit state is demanded.
    pub(super) fn is_demanded(&self, exit: StateId) -> bool {
        self.demanded.contains(exit)
    }

    /// Demands the exits that lead to this return.
    pub(super) fn demand(&mut self, graph: &Graph<'_>, kept: KeptId, result: ResultId) {
        for &exit in graph.exits_with(graph.kept[kept.index()].site, result) {
            if self.demanded.insert(exit) {
                let (set, _) = self.sets.insert_full(Box::new([exit]));
                self.add(graph.node(exit), SetId::new(set), || Why::Exit);
            }
        }
    }

    /// Looks at one pair that was not looked at yet, and gives it; nothing if there is none.
    pub(super) fn step(
        &mut self,
        graph: &Graph<'_>,
        ticker: &mut Ticker<'_>,
    ) -> Result<Option<PairId>, StopReason> {
        let Some(id) = self.queue.pop_front() else { return Ok(None) };
        let node = self.pair(id).node;
        ticker.tick(1 + graph.into[node.index()].len() + std::mem::take(&mut self.n_unions))?;
        for &way in &graph.into[node.index()] {
            let source = graph.ways[way.index()].source;
            for (set, picks) in self.joined(&graph.ways[way.index()].targets, node, id) {
                self.add(source, set, || Why::Way(way, picks));
            }
        }
        match graph.nodes[node.index()] {
            Node::State => {
                ticker.tick(graph.callers[node.index()].len())?;
                for &entering in &graph.callers[node.index()] {
                    self.over(graph, entering, id, None);
                }
            }
            Node::Return { kept, result } => {
                self.demand(graph, kept, result);
                for &entering in &graph.kept[kept.index()].enterings {
                    let Node::Entering { entering: way, .. } = graph.nodes[entering.index()] else {
                        unreachable!("a frame lists enterings")
                    };
                    let entry = graph.node(way.entry);
                    ticker.tick(self.of(entry).len())?;
                    for index in 0..self.of(entry).len() {
                        let summary = self.of(entry)[index];
                        let concerned =
                            |&exit: &StateId| graph.program.site(way.site).result(exit) == Some(result);
                        if self.set(summary).iter().any(concerned) {
                            self.over(graph, entering, summary, Some((node, id)));
                        }
                    }
                }
            }
            Node::Entering { .. } => {}
        }
        Ok(Some(id))
    }

    /// Adds the pairs of an entering that jump over the callee by this summary, and by this pair of a return if one is given.
    fn over(
        &mut self,
        graph: &Graph<'_>,
        entering: NodeId,
        summary: PairId,
        fixed: Option<(NodeId, PairId)>,
    ) {
        let Node::Entering { kept, .. } = graph.nodes[entering.index()] else {
            unreachable!("the node is an entering")
        };
        let Some(returns) = graph.returns_of(kept, self.set(summary)) else { return };
        let joined = match fixed {
            Some((node, pair)) => self.joined(&returns, node, pair),
            None => {
                let first = returns[0];
                let pairs = self.of(first).to_vec();
                pairs.into_iter().flat_map(|pair| self.joined(&returns, first, pair)).collect()
            }
        };
        for (set, picks) in joined {
            self.add(entering, set, || Why::Over(summary, picks));
        }
    }

    /// The joined sets of all nodes, one pair of each, where `fixed` takes this pair.
    fn joined(&mut self, nodes: &[NodeId], fixed: NodeId, pair: PairId) -> Vec<(SetId, Box<[PairId]>)> {
        if nodes.len() == 1 {
            return vec![(self.pair(pair).set, Box::new([pair]))];
        }
        let mut joined: Vec<(Vec<StateId>, Vec<PairId>)> = vec![Default::default()];
        let mut unions = 0;
        for &node in nodes {
            let choices = if node == fixed { &[pair][..] } else { self.of(node) };
            let mut longer: Vec<(Vec<StateId>, Vec<PairId>)> = Vec::new();
            unions += joined.len() * choices.len();
            for (set, picks) in &joined {
                for &choice in choices {
                    let mut set = [set, self.set(choice)].concat();
                    set.sort_unstable();
                    set.dedup();
                    if longer.iter().all(|(other, _)| !is_subset(other, &set)) {
                        longer.push((set, [picks, &[choice][..]].concat()));
                    }
                }
            }
            if longer.len() > MOST_SETS {
                self.n_left_out += longer.len() - MOST_SETS;
                longer.sort_by_key(|(set, _)| set.len());
                longer.truncate(MOST_SETS);
            }
            joined = longer;
        }
        self.n_unions += unions;
        let sets = joined.into_iter();
        sets.map(|(set, picks)| (SetId::new(self.sets.insert_full(set.into()).0), picks.into())).collect()
    }

    /// Adds a pair unless a smaller set is known.
    fn add(&mut self, node: NodeId, set: SetId, why: impl FnOnce() -> Why) {
        if self.known.contains_key(&(node, set)) {
            return;
        }
        let own = &self.sets[set.index()];
        if own.len() > 1 {
            let of = &self.of[node.index()];
            let several = of.iter().filter(|&&pair| self.set(pair).len() > 1).count();
            if of.iter().any(|&pair| is_subset(self.set(pair), own)) {
                return;
            }
            if several >= MOST_SETS {
                self.n_left_out += 1;
                return;
            }
        }
        let id = PairId::new(self.pairs.len());
        self.pairs.push(Pair { node, set, why: why() });
        self.known.insert((node, set), id);
        self.of[node.index()].push(id);
        self.queue.push_back(id);
    }
}

/// Whether one ascending list is part of another.
fn is_subset(one: &[StateId], other: &[StateId]) -> bool {
    one.iter().all(|state| other.binary_search(state).is_ok())
}
