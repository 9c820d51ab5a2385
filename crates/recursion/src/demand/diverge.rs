//! Non-termination on demand: the greatest NT of the corrected system, with least summaries \[Wei09, §4.5.2\].
//!
//! NT is where an infinite run is possible: in the mixed semantics, a state is in NT if a way leads to NT. At a call that is
//! the entry of the callee, or the return, over a summary. NT begins as everything and shrinks. States without ways are
//! not in it, so neither are the exits, where paths of the mixed semantics end.
//!
//! **Order.** A pre-image of NT over a summary that is not complete would lose runs for ever. So an entering counts as
//! possible until its summary is complete for its demand: for all returns with its frame that are in NT now. It is
//! completed only if the entry of its callee has left NT, else it needs no summary. Since NT only shrinks, the summary
//! stays complete, and is never taken back. Inside of [`Pairs`] any order is right.
//!
//! Cost: each way and each call edge is looked at once when its target leaves NT; an entering looks for another summary each
//! time the one it relies on fails.

use super::graph::{Graph, Node, NodeId};
use super::pairs::{PairId, Pairs};
use super::{PartialProgram, Side, StateId, Statistics, Summary};
use std::collections::VecDeque;
use tertium_support::{Context, Id, StopReason, Ticker};

/// What is known of an entering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Over {
    /// Its summary was not asked for.
    Open,
    /// Its summary is complete for its demand, and this one leads to NT, if one does.
    Complete(Option<PairId>),
}

/// Where infinite runs begin, on one side.
#[derive(Debug)]
pub struct Diverging<'p> {
    pub(super) graph: Graph<'p>,
    pub(super) pairs: Pairs,
    alive: Vec<bool>,
    /// By way, whether all targets are in NT; by node, how many such ways there are.
    live: Vec<bool>,
    n_live: Vec<usize>,
    /// By frame, how many returns are in NT.
    returns_alive: Vec<usize>,
    over: Vec<Over>,
    dying: VecDeque<NodeId>,
    /// Enterings that need a summary.
    waiting: VecDeque<NodeId>,
}

impl<'p> Diverging<'p> {
    /// Solves the system on one side.
    pub fn solve(context: &Context, program: &'p PartialProgram, side: Side) -> Result<Self, StopReason> {
        let mut ticker = context.ticker("non-termination on demand");
        let graph = Graph::new(program, side);
        ticker.tick(graph.ways.len())?;
        let n = graph.nodes.len();
        let mut diverging = Self {
            pairs: Pairs::new(&graph),
            alive: vec![true; n],
            live: vec![true; graph.ways.len()],
            n_live: graph.from.iter().map(Vec::len).collect(),
            returns_alive: graph.kept.iter().map(|kept| kept.returns.len()).collect(),
            over: vec![Over::Open; n],
            dying: VecDeque::new(),
            waiting: VecDeque::new(),
            graph,
        };
        for node in NodeId::first(n) {
            let is_entering = matches!(diverging.graph.nodes[node.index()], Node::Entering { .. });
            if !is_entering && diverging.n_live[node.index()] == 0 {
                diverging.kill(node);
            }
        }
        loop {
            while let Some(node) = diverging.dying.pop_front() {
                diverging.spread(node, &mut ticker)?;
            }
            let Some(entering) = diverging.waiting.pop_front() else { return Ok(diverging) };
            if diverging.alive[entering.index()] {
                diverging.complete(entering, &mut ticker)?;
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

    /// Whether a state is in NT.
    pub fn contains(&self, state: StateId) -> bool {
        self.alive[state.index()]
    }

    /// The states of NT, in order.
    pub fn states(&self) -> impl Iterator<Item = StateId> + '_ {
        StateId::first(self.program().states().len()).filter(|&state| self.contains(state))
    }

    /// Whether the program begins in NT: surely on the must-side, possibly on the may-side.
    pub fn holds(&self) -> bool {
        self.initial().is_some()
    }

    /// States that the program begins in one of, all of them in NT.
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

    /// A way from a node of NT that stays in it.
    pub(super) fn live_way(&self, node: NodeId) -> Option<super::graph::WayId> {
        self.graph.from[node.index()].iter().copied().find(|way| self.live[way.index()])
    }

    /// The summary by which an entering stays in NT; nothing if it goes into the callee.
    pub(super) fn summary_of(&self, entering: NodeId) -> Option<PairId> {
        match self.over[entering.index()] {
            Over::Complete(summary) => summary,
            Over::Open => None,
        }
    }

    fn kill(&mut self, node: NodeId) {
        if std::mem::replace(&mut self.alive[node.index()], false) {
            self.dying.push_back(node);
        }
    }

    /// Goes backward from a node that has left NT.
    fn spread(&mut self, node: NodeId, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        ticker.tick(1 + self.graph.into[node.index()].len())?;
        for index in 0..self.graph.into[node.index()].len() {
            let way = self.graph.into[node.index()][index];
            if std::mem::replace(&mut self.live[way.index()], false) {
                let source = self.graph.ways[way.index()].source;
                self.n_live[source.index()] -= 1;
                if self.n_live[source.index()] == 0 {
                    self.kill(source);
                }
            }
        }
        let concerned = match self.graph.nodes[node.index()] {
            Node::State => self.graph.callers[node.index()].clone(),
            Node::Return { kept, .. } => {
                self.returns_alive[kept.index()] -= 1;
                self.graph.kept[kept.index()].enterings.clone()
            }
            Node::Entering { .. } => Vec::new(),
        };
        for entering in concerned {
            self.look(entering, ticker)?;
        }
        Ok(())
    }

    /// Looks at an entering whose entry, or a return of which, has left NT.
    fn look(&mut self, entering: NodeId, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        let Node::Entering { kept, entering: way } = self.graph.nodes[entering.index()] else {
            unreachable!("the node is an entering")
        };
        ticker.tick(1)?;
        if !self.alive[entering.index()] || self.alive[way.entry.index()] {
            return Ok(());
        }
        match self.over[entering.index()] {
            Over::Open if self.returns_alive[kept.index()] == 0 => self.kill(entering),
            Over::Open => self.waiting.push_back(entering),
            Over::Complete(Some(summary)) if self.leads_to_nt(entering, summary) => {}
            Over::Complete(_) => self.find_summary(entering, ticker)?,
        }
        Ok(())
    }

    /// Completes the summary of an entering for its demand.
    fn complete(&mut self, entering: NodeId, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        if self.over[entering.index()] != Over::Open {
            return Ok(());
        }
        let Node::Entering { kept, .. } = self.graph.nodes[entering.index()] else {
            unreachable!("only enterings wait")
        };
        for (&result, node) in &self.graph.kept[kept.index()].returns {
            if self.alive[node.index()] {
                self.pairs.demand(&self.graph, kept, result);
            }
        }
        while self.pairs.step(&self.graph, ticker)?.is_some() {}
        self.find_summary(entering, ticker)
    }

    fn find_summary(&mut self, entering: NodeId, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        let Node::Entering { entering: way, .. } = self.graph.nodes[entering.index()] else {
            unreachable!("the node is an entering")
        };
        let summaries = self.pairs.of(self.graph.node(way.entry));
        ticker.tick(summaries.len())?;
        let summary = summaries.iter().copied().find(|&summary| self.leads_to_nt(entering, summary));
        self.over[entering.index()] = Over::Complete(summary);
        if summary.is_none() {
            self.kill(entering);
        }
        Ok(())
    }

    /// Whether all returns of a summary are in NT.
    fn leads_to_nt(&self, entering: NodeId, summary: PairId) -> bool {
        let Node::Entering { kept, .. } = self.graph.nodes[entering.index()] else {
            unreachable!("the node is an entering")
        };
        let mut exits = self.pairs.set(summary).iter();
        exits.all(|&exit| self.graph.return_of(kept, exit).is_some_and(|node| self.alive[node.index()]))
    }
}
