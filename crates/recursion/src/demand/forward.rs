//! Where runs may come from where the program begins: states per activation, forward.
//!
//! A pair of an entry state and a state says: an activation that began in the first may be in the second. It holds for
//! pairs (start, start) of the program, for pairs (entry, entry) of what is called, along moves, and over a call if the
//! callee may come from its entry to an exit whose return leads there. For each procedure these pairs are an invariant that
//! relates entry and point; at its exit they are a summary. They prove that what is not reached is unreachable.
//!
//! Cost: |entries| · |states| pairs for each procedure, each looked at once for each way from its state.

use super::graph::{Graph, KeptId, Node, NodeId};
use super::{PartialProgram, Side, StateId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use tertium_support::{Context, Id, StopReason};

/// The activations that there may be.
#[derive(Debug)]
pub struct Activations {
    pairs: Vec<(StateId, StateId)>,
    known: FxHashSet<(StateId, StateId)>,
}

impl Activations {
    /// Explores the may-side from the initial states.
    pub fn explore(context: &Context, program: &PartialProgram) -> Result<Self, StopReason> {
        let mut ticker = context.ticker("activations");
        let graph = Graph::new(program, Side::May);
        let mut found = Self { pairs: Vec::new(), known: FxHashSet::default() };
        let mut queue = VecDeque::new();
        // By entry: who called there, as (entry of the caller, frame), and the exits that were reached.
        let mut calls: FxHashMap<StateId, Vec<(StateId, KeptId)>> = FxHashMap::default();
        let mut calls_known = FxHashSet::default();
        let mut exits: FxHashMap<StateId, Vec<StateId>> = FxHashMap::default();
        for &start in program.initial.on(Side::May).flatten() {
            found.add(&mut queue, start, start);
        }
        while let Some((entry, state)) = queue.pop_front() {
            for &way in &graph.from[graph.node(state).index()] {
                let target = graph.ways[way.index()].targets[0];
                ticker.tick(1)?;
                let Node::Entering { kept, entering } = graph.nodes[target.index()] else {
                    let target = graph.state(target).expect("ways of states lead to states and enterings");
                    found.add(&mut queue, entry, target);
                    continue;
                };
                found.add(&mut queue, entering.entry, entering.entry);
                if calls_known.insert((entering.entry, entry, kept)) {
                    calls.entry(entering.entry).or_default().push((entry, kept));
                    for &exit in exits.get(&entering.entry).into_iter().flatten() {
                        ticker.tick(1)?;
                        found.come_back(&graph, &mut queue, entry, graph.return_of(kept, exit));
                    }
                }
            }
            let procedure = program.state(state).procedure;
            if program.exits(procedure).binary_search(&state).is_ok() {
                exits.entry(entry).or_default().push(state);
                for &(caller, kept) in calls.get(&entry).into_iter().flatten() {
                    ticker.tick(1)?;
                    found.come_back(&graph, &mut queue, caller, graph.return_of(kept, state));
                }
            }
        }
        found.pairs.sort_unstable_by_key(|&(entry, state)| (state, entry));
        Ok(found)
    }

    /// The pairs of an entry and a state, by the state.
    pub fn pairs(&self) -> &[(StateId, StateId)] {
        &self.pairs
    }

    /// The entries of the activations that may be in a state.
    pub fn entries(&self, state: StateId) -> impl Iterator<Item = StateId> + '_ {
        let first = self.pairs.partition_point(|&(_, other)| other < state);
        self.pairs[first..].iter().take_while(move |&&(_, other)| other == state).map(|&(entry, _)| entry)
    }

    /// Whether a state may be reached.
    pub fn reaches(&self, state: StateId) -> bool {
        self.entries(state).next().is_some()
    }

    fn add(&mut self, queue: &mut VecDeque<(StateId, StateId)>, entry: StateId, state: StateId) {
        if self.known.insert((entry, state)) {
            self.pairs.push((entry, state));
            queue.push_back((entry, state));
        }
    }

    fn come_back(
        &mut self,
        graph: &Graph<'_>,
        queue: &mut VecDeque<(StateId, StateId)>,
        entry: StateId,
        back: Option<NodeId>,
    ) {
        for &way in back.map_or(&[][..], |node| &graph.from[node.index()]) {
            let target = graph.ways[way.index()].targets[0];
            self.add(queue, entry, graph.state(target).expect("returns lead to states"));
        }
    }
}
