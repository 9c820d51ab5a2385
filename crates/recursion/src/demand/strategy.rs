//! How the goal is reached, or an infinite run found: strategies, paths and lassos of the mixed graph.
//!
//! A [`Position`] is a state with what is intended there: to come to the goal (or to go on for ever), or to bring the
//! procedure to its exit by a pair. [`Strategy::next`] says what to do. Where that leads to several targets, a concrete
//! run decides which of them it is in; it goes on at the position of that target. So whoever has concrete states can
//! play a strategy of the must-side: it never gets stuck. A call is entered and forgotten ([`Passage::Into`]), or jumped
//! over ([`Passage::Over`]), with a position for what happens inside. Call trees are built from the latter, level by level:
//! written out at once they can be exponential.
//!
//! Every position of a strategy for a goal, or for an exit, was found later than those it leads to. So all plays end.

use super::graph::{Graph, Kind, Node, NodeId, WayId};
use super::pairs::{PairId, Pairs, Why};
use super::{Diverging, Entering, Move, Reaching, StateId, reach};
use rustc_hash::FxHashMap;
use tertium_support::Id;

/// A state, with what is intended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Where the run is.
    pub state: StateId,
    intent: Intent,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Intent {
    /// To the goal, or on for ever.
    Goal,
    /// To the exit, by this pair.
    Exit(PairId),
}

impl Position {
    /// Whether the intent is to come to the exit of the procedure.
    pub fn is_inside(self) -> bool {
        self.intent != Intent::Goal
    }
}

/// What to do at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Nothing: this is the goal, or the exit.
    Arrived,
    /// One of these steps is possible.
    Moves(Vec<(Move, Position)>),
    /// One of these calls is possible.
    Calls(Vec<(Entering, Passage)>),
}

/// How to pass a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Passage {
    /// What is intended happens in the callee, or further in. The caller is forgotten.
    Into(Position),
    /// The callee is brought to its exit first.
    Over {
        /// How to come to the exit.
        inside: Position,
        /// For each exit state in which it may arrive: where control comes back.
        after: Vec<(StateId, Vec<Position>)>,
    },
}

/// What can be followed.
pub trait Strategy {
    /// Positions one of which the program begins in; nothing if there is no strategy.
    fn start(&self) -> Option<Vec<Position>>;

    /// What to do at a position that this strategy has led to.
    fn next(&self, position: Position) -> Next;
}

impl Reaching<'_> {
    /// How to come to the goal from a state of RS.
    pub fn from_state(&self, state: StateId) -> Option<Position> {
        self.contains(state).then_some(Position { state, intent: Intent::Goal })
    }

    fn passage(&self, node: NodeId) -> (Entering, Passage) {
        let (entering, why) = (entering(&self.graph, node), self.why[node.index()]);
        let passage = match why.expect("the way was followed when all its targets were found") {
            reach::Why::Over(summary) => {
                over(&self.graph, &self.pairs, node, summary, |back| match self.why[back.index()] {
                    Some(reach::Why::Way(way)) => (way, None),
                    _ => unreachable!("a return is found by a way"),
                })
            }
            _ => Passage::Into(Position { state: entering.entry, intent: Intent::Goal }),
        };
        (entering, passage)
    }
}

impl Strategy for Reaching<'_> {
    fn start(&self) -> Option<Vec<Position>> {
        Some(goals(self.initial()?))
    }

    fn next(&self, position: Position) -> Next {
        if let Intent::Exit(pair) = position.intent {
            return inside(&self.graph, &self.pairs, pair);
        }
        match self.why[position.state.index()] {
            Some(reach::Why::Way(way)) => along(&self.graph, way, &|_| Intent::Goal, &|n| self.passage(n)),
            _ => Next::Arrived,
        }
    }
}

impl Diverging<'_> {
    /// How to go on for ever from a state of NT.
    pub fn from_state(&self, state: StateId) -> Option<Position> {
        self.contains(state).then_some(Position { state, intent: Intent::Goal })
    }

    fn passage(&self, node: NodeId) -> (Entering, Passage) {
        let entering = entering(&self.graph, node);
        let passage = match self.summary_of(node) {
            Some(summary) => over(&self.graph, &self.pairs, node, summary, |back| {
                (self.live_way(back).expect("a return in NT leads to NT"), None)
            }),
            None => Passage::Into(Position { state: entering.entry, intent: Intent::Goal }),
        };
        (entering, passage)
    }
}

impl Strategy for Diverging<'_> {
    fn start(&self) -> Option<Vec<Position>> {
        Some(goals(self.initial()?))
    }

    fn next(&self, position: Position) -> Next {
        if let Intent::Exit(pair) = position.intent {
            return inside(&self.graph, &self.pairs, pair);
        }
        match self.live_way(self.graph.node(position.state)) {
            Some(way) => along(&self.graph, way, &|_| Intent::Goal, &|n| self.passage(n)),
            None => Next::Arrived,
        }
    }
}

fn goals(states: &[StateId]) -> Vec<Position> {
    states.iter().map(|&state| Position { state, intent: Intent::Goal }).collect()
}

fn entering(graph: &Graph<'_>, node: NodeId) -> Entering {
    match graph.nodes[node.index()] {
        Node::Entering { entering, .. } => entering,
        _ => unreachable!("the node is an entering"),
    }
}

/// What a way from a state is, with what is intended at its targets.
fn along(
    graph: &Graph<'_>,
    way: WayId,
    intent: &dyn Fn(NodeId) -> Intent,
    passage: &dyn Fn(NodeId) -> (Entering, Passage),
) -> Next {
    let way = &graph.ways[way.index()];
    let state = graph.state(way.source).expect("positions are states");
    match way.kind {
        Kind::Moves(index) => {
            let moves = graph.program.state(state).moves.on(graph.side).nth(index as usize);
            let moves = moves.expect("the way was made from it").iter();
            let position = |step: &Move| {
                (*step, Position { state: step.target, intent: intent(graph.node(step.target)) })
            };
            Next::Moves(moves.map(position).collect())
        }
        Kind::Enterings => Next::Calls(way.targets.iter().map(|&node| passage(node)).collect()),
        Kind::Returns => unreachable!("positions are states"),
    }
}

/// What to do to come to the exit by a pair of a state.
fn inside(graph: &Graph<'_>, pairs: &Pairs, pair: PairId) -> Next {
    match &pairs.pair(pair).why {
        Why::Exit => Next::Arrived,
        Why::Way(way, picks) => {
            let pick = |node: NodeId| pick(pairs, picks, node);
            let passage = |node: NodeId| {
                let Why::Over(summary, back) = &pairs.pair(pick(node)).why else {
                    unreachable!("an entering has pairs over its callee only")
                };
                let passage = over(graph, pairs, node, *summary, |of| {
                    let Why::Way(way, picks) = &pairs.pair(self::pick(pairs, back, of)).why else {
                        unreachable!("a return has pairs along ways only")
                    };
                    (*way, Some(picks))
                });
                (entering(graph, node), passage)
            };
            along(graph, *way, &|node| Intent::Exit(pick(node)), &passage)
        }
        Why::Over(..) => unreachable!("positions are states"),
    }
}

/// Of some pairs, that of a node.
fn pick(pairs: &Pairs, picks: &[PairId], node: NodeId) -> PairId {
    let found = picks.iter().copied().find(|&pair| pairs.pair(pair).node == node);
    found.expect("there is a pair for each target")
}

/// The passage over a callee, where `way` gives the way from each return, with the pairs of its targets if an exit is intended.
fn over<'a>(
    graph: &Graph<'_>,
    pairs: &Pairs,
    node: NodeId,
    summary: PairId,
    way: impl Fn(NodeId) -> (WayId, Option<&'a [PairId]>),
) -> Passage {
    let Node::Entering { kept, entering } = graph.nodes[node.index()] else {
        unreachable!("the node is an entering")
    };
    let inside = Position { state: entering.entry, intent: Intent::Exit(summary) };
    let back = |&exit: &StateId| {
        let back = graph.return_of(kept, exit).expect("the summary was used");
        let (way, picks) = way(back);
        let targets = graph.ways[way.index()].targets.iter();
        let position = |&target: &NodeId| Position {
            state: graph.state(target).expect("returns lead to states"),
            intent: picks.map_or(Intent::Goal, |picks| Intent::Exit(pick(pairs, picks, target))),
        };
        (exit, targets.map(position).collect())
    };
    Passage::Over { inside, after: pairs.set(summary).iter().map(back).collect() }
}

/// A step of a path in the mixed graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathStep {
    /// Along an edge.
    Move(Move),
    /// Into a callee; the path does not come back.
    Enter(Entering),
    /// Over a callee.
    Over {
        /// The call.
        entering: Entering,
        /// How to come to its exit, to be followed by itself.
        inside: Position,
        /// The exit state.
        exit: StateId,
        /// The state after the return.
        target: StateId,
    },
}

/// A path that begins at a state, and perhaps goes on for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// Where it begins.
    pub start: StateId,
    /// Its steps.
    pub steps: Vec<PathStep>,
    /// The steps from here on are taken again and again, if there is one. A cycle through a call goes ever deeper.
    pub cycle: Option<usize>,
}

/// Follows a strategy, and always the first of several targets, until it arrives or comes back. On the may-side, and wherever
/// alternatives have one target, that is the whole truth; else it is one possibility of many.
pub fn follow(strategy: &impl Strategy, start: Position) -> Path {
    let mut path = Path { start: start.state, steps: Vec::new(), cycle: None };
    let (mut position, mut seen) = (start, FxHashMap::default());
    loop {
        if let Some(&at) = seen.get(&position) {
            path.cycle = Some(at);
            return path;
        }
        seen.insert(position, path.steps.len());
        let (step, next) = match strategy.next(position) {
            Next::Arrived => return path,
            Next::Moves(moves) => (PathStep::Move(moves[0].0), moves[0].1),
            Next::Calls(calls) => match &calls[0] {
                (entering, Passage::Into(next)) => (PathStep::Enter(*entering), *next),
                (entering, Passage::Over { inside, after }) => {
                    let (exit, next) = (after[0].0, after[0].1[0]);
                    let (entering, inside, target) = (*entering, *inside, next.state);
                    (PathStep::Over { entering, inside, exit, target }, next)
                }
            },
        };
        path.steps.push(step);
        position = next;
    }
}
