//! One side of a partial program as an and-or graph: what the systems on demand are solved on.
//!
//! Nodes are the states, and for each call two more kinds: an *entering* (caller left, callee at its entry, a frame kept)
//! and a *return* (a frame and a result). A [`Way`] leads from a state or a return to a set of nodes: at a node one may
//! choose the way, along a way one may not choose the target. On the may-side all ways have one target. How an entering
//! goes on is for the solvers to say: into the callee, or over it by a summary.
//!
//! Cost: linear in the partial program.

use super::{Entering, PartialProgram, ResultId, Side, SiteId, StateId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tertium_support::{Id, define_id};

define_id!(
    /// A node of the and-or graph. The first ones are the states.
    NodeId
);

define_id!(
    /// A way from a node.
    WayId
);

define_id!(
    /// A frame, of whatever site.
    KeptId
);

/// What a node is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    State,
    Entering { kept: KeptId, entering: Entering },
    Return { kept: KeptId, result: ResultId },
}

/// Which alternative of the partial program a way is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Of the moves of a state, this one.
    Moves(u32),
    /// Of the enterings of a state.
    Enterings,
    /// Of the returns.
    Returns,
}

/// A way: one of the targets is reached.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) source: NodeId,
    /// Not empty, without repetition.
    pub(super) targets: Box<[NodeId]>,
    pub(super) kind: Kind,
}

/// What is kept during a call.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) site: SiteId,
    pub(super) enterings: Vec<NodeId>,
    pub(super) returns: BTreeMap<ResultId, NodeId>,
}

/// One side of a partial program.
#[derive(Debug)]
pub(super) struct Graph<'p> {
    pub(super) program: &'p PartialProgram,
    pub(super) side: Side,
    pub(super) nodes: Vec<Node>,
    pub(super) ways: Vec<Way>,
    pub(super) kept: Vec<Kept>,
    /// By node: the ways that lead there, and those from there.
    pub(super) into: Vec<Vec<WayId>>,
    pub(super) from: Vec<Vec<WayId>>,
    /// By state: the enterings that begin there.
    pub(super) callers: Vec<Vec<NodeId>>,
    /// By site and result: the exit states that give it back.
    exits: Vec<FxHashMap<ResultId, Vec<StateId>>>,
}

impl<'p> Graph<'p> {
    pub(super) fn new(program: &'p PartialProgram, side: Side) -> Self {
        let n = program.states().len();
        let mut graph = Self {
            program,
            side,
            nodes: vec![Node::State; n],
            ways: Vec::new(),
            kept: Vec::new(),
            into: vec![Vec::new(); n],
            from: vec![Vec::new(); n],
            callers: vec![Vec::new(); n],
            exits: vec![FxHashMap::default(); program.sites().len()],
        };
        let mut kept = FxHashMap::default();
        let mut enterings: FxHashMap<Entering, NodeId> = FxHashMap::default();
        for id in StateId::first(n) {
            let (state, source) = (program.state(id), graph.node(id));
            for (index, moves) in state.moves.on(side).enumerate() {
                let targets = moves.iter().map(|step| graph.node(step.target)).collect();
                graph.add_way(source, targets, Kind::Moves(index as u32));
            }
            for ways in state.enterings.on(side) {
                let mut targets = Vec::new();
                for &entering in ways {
                    let known = enterings.get(&entering).copied();
                    let node = known.unwrap_or_else(|| graph.add_entering(entering, &mut kept));
                    enterings.insert(entering, node);
                    targets.push(node);
                }
                graph.add_way(source, targets, Kind::Enterings);
            }
        }
        for (site, call) in SiteId::first(program.sites().len()).zip(program.sites()) {
            for (exit, result) in call.results() {
                graph.exits[site.index()].entry(result).or_default().push(exit);
            }
            for (frame, result, after) in call.all_returns() {
                // A frame that nobody keeps is never gone back to.
                let Some(&id) = kept.get(&(site, frame)) else { continue };
                let mut node = None;
                for targets in after.on(side) {
                    let node = *node.get_or_insert_with(|| graph.add_node(Node::Return { kept: id, result }));
                    let targets = targets.iter().map(|&target| graph.node(target)).collect();
                    graph.add_way(node, targets, Kind::Returns);
                }
                if let Some(node) = node {
                    graph.kept[id.index()].returns.insert(result, node);
                }
            }
        }
        graph
    }

    /// The node of a state.
    pub(super) fn node(&self, state: StateId) -> NodeId {
        NodeId::from_raw(state.raw())
    }

    /// The state of a node that is one.
    pub(super) fn state(&self, node: NodeId) -> Option<StateId> {
        (node.index() < self.program.states().len()).then(|| StateId::from_raw(node.raw()))
    }

    /// The exit states that give back this result.
    pub(super) fn exits_with(&self, site: SiteId, result: ResultId) -> &[StateId] {
        self.exits[site.index()].get(&result).map_or(&[], Vec::as_slice)
    }

    /// Where a call with this frame goes on when the callee is at this exit; nothing if it does not.
    pub(super) fn return_of(&self, kept: KeptId, exit: StateId) -> Option<NodeId> {
        let kept = &self.kept[kept.index()];
        let result = self.program.site(kept.site).result(exit)?;
        kept.returns.get(&result).copied()
    }

    /// Where a call with this frame goes on for all these exits, without repetition; nothing if it does not for one of them.
    pub(super) fn returns_of(&self, kept: KeptId, exits: &[StateId]) -> Option<Vec<NodeId>> {
        let mut nodes =
            exits.iter().map(|&exit| self.return_of(kept, exit)).collect::<Option<Vec<NodeId>>>()?;
        nodes.sort_unstable();
        nodes.dedup();
        Some(nodes)
    }

    fn add_node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.into.push(Vec::new());
        self.from.push(Vec::new());
        NodeId::new(self.nodes.len() - 1)
    }

    fn add_entering(
        &mut self,
        entering: Entering,
        kept: &mut FxHashMap<(SiteId, super::FrameId), KeptId>,
    ) -> NodeId {
        let id = *kept.entry((entering.site, entering.frame)).or_insert_with(|| {
            let (enterings, returns) = (Vec::new(), BTreeMap::new());
            self.kept.push(Kept { site: entering.site, enterings, returns });
            KeptId::new(self.kept.len() - 1)
        });
        let node = self.add_node(Node::Entering { kept: id, entering });
        self.kept[id.index()].enterings.push(node);
        self.callers[entering.entry.index()].push(node);
        node
    }

    fn add_way(&mut self, source: NodeId, mut targets: Vec<NodeId>, kind: Kind) {
        targets.sort_unstable();
        targets.dedup();
        let id = WayId::new(self.ways.len());
        for target in &targets {
            self.into[target.index()].push(id);
        }
        self.from[source.index()].push(id);
        self.ways.push(Way { source, targets: targets.into(), kind });
    }
}
