//! Reachability on demand: the least solution of the corrected system for RS, D, Dex and summaries \[Wei09, §4.5.1\].
//!
//! RS is where the goal can be reached, in the mixed semantics: a call is entered (and the caller forgotten), or jumped over
//! by a summary. A return that is in RS demands the exits that lead there; the summaries that this needs are found by
//! [`Pairs`]. One solution on each side: on the must-side each state of RS can certainly reach the goal, on the may-side
//! no other state can. A return demands nothing if all states that the call is made from are in RS already.
//!
//! Cost: each way, and each pair of an entering and a summary, is looked at once for each of its targets.

use super::graph::{Graph, Node, NodeId, WayId};
use super::pairs::{PairId, Pairs};
use super::{Goal, PartialProgram, Side, StateId, Statistics, Summary};
use std::collections::VecDeque;
use tertium_support::{Context, Id, StopReason, Ticker};

/// Why a node is in RS. Reasons are older than what they are reasons of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Why {
    Goal,
    Way(WayId),
    /// Into the callee.
    Into,
    /// Over the callee by this summary.
    Over(PairId),
}

/// Where a goal can be reached, on one side.
#[derive(Debug)]
pub struct Reaching<'p> {
    pub(super) graph: Graph<'p>,
    pub(super) pairs: Pairs,
    pub(super) why: Vec<Option<Why>>,
    queue: VecDeque<NodeId>,
}

impl<'p> Reaching<'p> {
    /// Solves the system on one side.
    pub fn solve(
        context: &Context,
        program: &'p PartialProgram,
        goal: &Goal,
        side: Side,
    ) -> Result<Self, StopReason> {
        let mut ticker = context.ticker("reachability on demand");
        let graph = Graph::new(program, side);
        ticker.tick(graph.ways.len())?;
        let (pairs, why) = (Pairs::new(&graph), vec![None; graph.nodes.len()]);
        let mut reaching = Self { graph, pairs, why, queue: VecDeque::new() };
        for &state in goal.on(side) {
            reaching.add(reaching.graph.node(state), Why::Goal);
        }
        loop {
            while let Some(node) = reaching.queue.pop_front() {
                reaching.follow(node, &mut ticker)?;
            }
            match reaching.pairs.step(&reaching.graph, &mut ticker)? {
                Some(pair) => reaching.use_summary(pair),
                None => return Ok(reaching),
            }
        }
    }

    /// The program that was solved.
    pub fn program(&self) -> &'p PartialProgram {
        self.graph.program
    }

    /// Which side was solved.
    pub fn side(&self) -> Side {
        self.graph.side
    }

    /// Whether a state is in RS.
    pub fn contains(&self, state: StateId) -> bool {
        self.why[state.index()].is_some()
    }

    /// The states of RS, in order.
    pub fn states(&self) -> impl Iterator<Item = StateId> + '_ {
        StateId::first(self.program().states().len()).filter(|&state| self.contains(state))
    }

    /// Whether the program begins in RS: surely on the must-side, possibly on the may-side.
    pub fn holds(&self) -> bool {
        self.initial().is_some()
    }

    /// States that the program begins in one of, all of them in RS.
    pub fn initial(&self) -> Option<&'p [StateId]> {
        let ways = self.program().initial.on(self.side());
        ways.into_iter().find(|way| way.iter().all(|&state| self.contains(state)))
    }

    /// The summaries that were computed.
    pub fn summaries(&self) -> Vec<Summary> {
        Summary::all(&self.graph, &self.pairs)
    }

    /// What solving took.
    pub fn statistics(&self) -> Statistics {
        Statistics::of(&self.graph, &self.pairs)
    }

    fn contains_node(&self, node: NodeId) -> bool {
        self.why[node.index()].is_some()
    }

    fn add(&mut self, node: NodeId, why: Why) {
        if !self.contains_node(node) {
            self.why[node.index()] = Some(why);
            self.queue.push_back(node);
        }
    }

    /// Goes backward from a node that is new in RS.
    fn follow(&mut self, node: NodeId, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        ticker.tick(1 + self.graph.into[node.index()].len())?;
        for index in 0..self.graph.into[node.index()].len() {
            let id = self.graph.into[node.index()][index];
            let way = &self.graph.ways[id.index()];
            if way.targets.iter().all(|&target| self.contains_node(target)) {
                self.add(way.source, Why::Way(id));
            }
        }
        match self.graph.nodes[node.index()] {
            Node::State => {
                for index in 0..self.graph.callers[node.index()].len() {
                    self.add(self.graph.callers[node.index()][index], Why::Into);
                }
            }
            Node::Return { kept, result } => {
                let mut enterings = self.graph.kept[kept.index()].enterings.iter();
                if enterings.any(|&entering| self.is_needed(entering)) {
                    self.pairs.demand(&self.graph, kept, result);
                }
                for index in 0..self.graph.kept[kept.index()].enterings.len() {
                    let entering = self.graph.kept[kept.index()].enterings[index];
                    let Node::Entering { entering: way, .. } = self.graph.nodes[entering.index()] else {
                        unreachable!("a frame lists enterings")
                    };
                    let entry = self.graph.node(way.entry);
                    ticker.tick(self.pairs.of(entry).len())?;
                    for index in 0..self.pairs.of(entry).len() {
                        self.try_over(entering, self.pairs.of(entry)[index]);
                    }
                }
            }
            Node::Entering { .. } => {}
        }
        Ok(())
    }

    /// Whether RS could grow by an entering: it is not in RS, and neither is a state that it is entered from. Both only become less so,
    /// so that what is not demanded for this reason need never be.
    fn is_needed(&self, entering: NodeId) -> bool {
        let mut ways = self.graph.into[entering.index()].iter();
        let source = |way: &WayId| self.graph.ways[way.index()].source;
        !self.contains_node(entering) && ways.any(|way| !self.contains_node(source(way)))
    }

    /// Uses a pair that is new, if it is a summary.
    fn use_summary(&mut self, pair: PairId) {
        let node = self.pairs.pair(pair).node;
        if let Some(state) = self.graph.state(node) {
            for index in 0..self.graph.callers[state.index()].len() {
                self.try_over(self.graph.callers[state.index()][index], pair);
            }
        }
    }

    /// Adds an entering if all returns of a summary are in RS.
    fn try_over(&mut self, entering: NodeId, summary: PairId) {
        if self.contains_node(entering) {
            return;
        }
        let Node::Entering { kept, .. } = self.graph.nodes[entering.index()] else {
            unreachable!("the node is an entering")
        };
        let exits = self.pairs.set(summary).iter();
        let inside = |exit| self.graph.return_of(kept, exit).is_some_and(|node| self.contains_node(node));
        if exits.copied().all(inside) {
            self.add(entering, Why::Over(summary));
        }
    }
}
