//! What may be reached, with procedures summarised: tabulation, as of Reps, Horwitz and Sagiv.
//!
//! An *activation* is a procedure with the values of its predicates at the entry; it stands for all concrete activations that begin so,
//! wherever they are called from. A *node* is an activation, a point and the values of the predicates there. An activation that
//! comes to its exit with new values goes on behind all calls that wait for it. So there is no stack, each node is expanded once,
//! and the work is linear in the nodes and the pairs of calls and ends.
//!
//! Every node knows how it was first reached, from nodes that were there before it: paths are read off from that.

use super::cubes::{Cube, literals};
use super::edges::{CallSites, EdgeSites};
use super::scopes::Scopes;
use super::vectors::Asked;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use tertium_program::{Action, EdgeId, PointId, ProcedureId};
use tertium_support::{Context, Id, StopReason, define_id};
use tertium_truth::Kleene;

define_id!(
    /// A procedure with values of its predicates at the entry.
    ActivationId
);

define_id!(
    /// An abstract state.
    NodeId
);

/// A procedure as it is called.
#[derive(Clone, Debug)]
pub(crate) struct Activation {
    pub(crate) procedure: ProcedureId,
    pub(crate) entry: Cube,
    /// Where it begins: the node at the entry.
    pub(crate) start: NodeId,
    /// Where it ends, so far.
    pub(crate) ends: Vec<NodeId>,
    /// Calls that go on where it ends.
    waiting: IndexSet<(NodeId, EdgeId), FxBuildHasher>,
}

/// An abstract state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) activation: ActivationId,
    pub(crate) point: PointId,
    pub(crate) cube: Cube,
}

/// How a node was first reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The program begins here.
    Start,
    /// By a step.
    Step(NodeId, EdgeId),
    /// By a call.
    Call(NodeId, EdgeId),
    /// After a call from this node that ended at that.
    Return(NodeId, EdgeId, NodeId),
}

impl Cause {
    /// The last edge.
    fn edge(self) -> Option<EdgeId> {
        match self {
            Self::Start => None,
            Self::Step(_, edge) | Self::Call(_, edge) | Self::Return(_, edge, _) => Some(edge),
        }
    }
}

/// Where a way on leads.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// A step leads to these.
    Step(EdgeId, Vec<NodeId>),
    /// A call begins these activations.
    Call(EdgeId, Vec<ActivationId>),
}

/// Bounds of an exploration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// So many nodes at most.
    pub(crate) nodes: usize,
    /// So many ways on from a node by one edge that are told apart.
    pub(crate) fan: usize,
}

/// Why an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Everything was explored.
    Complete,
    /// Targets were met.
    Met,
    /// There were too many nodes.
    TooMany,
}

/// What may be reached.
#[derive(Default)]
pub(crate) struct Exploration {
    pub(crate) activations: Vec<Activation>,
    known: FxHashMap<(ProcedureId, Cube), ActivationId>,
    of_procedure: FxHashMap<ProcedureId, Vec<ActivationId>>,
    /// Procedures with activations that leave values open.
    open_procedures: FxHashSet<ProcedureId>,
    pub(crate) nodes: IndexSet<Node, FxBuildHasher>,
    pub(crate) causes: Vec<Cause>,
    /// Where the program may begin.
    pub(crate) starts: Vec<NodeId>,
    /// The ways on from each node, of those that were expanded.
    pub(crate) ways: Vec<Vec<Way>>,
    /// Where control comes back to after a call, by the call and the end of the callee.
    pub(crate) returns: IndexMap<(NodeId, EdgeId, NodeId), Vec<NodeId>, FxBuildHasher>,
    /// Nodes at targets with how they were reached, each over another edge.
    pub(crate) met: Vec<(NodeId, Cause)>,
    met_over: FxHashSet<Option<EdgeId>>,
    /// What is looked for, by point.
    is_target: Vec<bool>,
    open: VecDeque<NodeId>,
}

/// The most values left open at an entry that are told apart.
const MOST_SPLIT: usize = 6;
/// So many nodes at targets are looked for, at most.
const MOST_MET: usize = 16;
/// Once one was met, so many nodes more are looked at, besides as many as there were.
const AFTER_MET: usize = 500;

/// Who explores.
pub(crate) struct Explorer<'e, 'p, 'a, 's> {
    pub(crate) context: &'e Context,
    pub(crate) scopes: &'e Scopes<'p>,
    pub(crate) sites: &'e mut EdgeSites,
    pub(crate) asked: &'e mut Asked<'a, 's>,
    pub(crate) bounds: Bounds,
    /// What is looked for, by point.
    pub(crate) is_target: &'e dyn Fn(PointId) -> bool,
}

impl Explorer<'_, '_, '_, '_> {
    /// Explores from the beginning of the program.
    pub(crate) fn run(&mut self) -> Result<(Exploration, Ended), StopReason> {
        let icfg = self.scopes.icfg;
        let is_target = PointId::first(icfg.points().len()).map(self.is_target).collect();
        let mut found = Exploration { is_target, ..Exploration::default() };
        let entry = icfg.procedure(icfg.main).entry;
        let mut starts = self.sites.start(self.scopes);
        let cubes = starts.targets(self.context, self.scopes, self.asked, &[], self.bounds.fan)?;
        for cube in cubes {
            // Main begins once, whatever is true there.
            let main = ActivationId::from_raw(0);
            let start = found.add(Node { activation: main, point: entry, cube }, Cause::Start);
            if found.activations.is_empty() {
                let (ends, waiting) = (Vec::new(), IndexSet::default());
                let begun = Activation { procedure: icfg.main, entry: Cube::default(), start, ends, waiting };
                found.activations.push(begun);
            }
            found.starts.push(start);
        }
        let mut ticker = self.context.ticker("exploring abstract states with summaries");
        let mut left = usize::MAX;
        while let Some(node) = found.open.pop_front() {
            ticker.tick(64)?;
            if found.met.len() >= MOST_MET {
                break;
            }
            if left == usize::MAX && !found.met.is_empty() {
                left = found.nodes.len() + AFTER_MET;
            }
            if found.is_target[found.node(node).point.index()] {
                continue;
            }
            if left == 0 {
                break;
            }
            left -= usize::from(left < usize::MAX);
            if found.nodes.len() > self.bounds.nodes {
                let ended = if found.met.is_empty() { Ended::TooMany } else { Ended::Met };
                return Ok((found, ended));
            }
            self.expand(&mut found, node)?;
        }
        let ended = if found.met.is_empty() { Ended::Complete } else { Ended::Met };
        Ok((found, ended))
    }

    fn expand(&mut self, found: &mut Exploration, node: NodeId) -> Result<(), StopReason> {
        let icfg = self.scopes.icfg;
        let Node { activation, point, cube } = found.node(node).clone();
        let procedure = found.activations[activation.index()].procedure;
        if point == icfg.procedure(procedure).exit {
            let own = &mut found.activations[activation.index()];
            own.ends.push(node);
            for (caller, edge) in own.waiting.clone() {
                self.come_back(found, caller, edge, node)?;
            }
        }
        let entry = &found.activations[activation.index()].entry;
        let source: Cube = entry.iter().chain(&cube).copied().collect();
        for &edge in &icfg.point(point).leaving {
            match &icfg.edge(edge).action {
                Action::Step(_) => {
                    let target = icfg.edge(edge).target;
                    let site = self.sites.step(self.scopes, edge);
                    let cubes =
                        site.targets(self.context, self.scopes, self.asked, &source, self.bounds.fan)?;
                    let reached = cubes.into_iter().map(|cube| {
                        found.add(Node { activation, point: target, cube }, Cause::Step(node, edge))
                    });
                    let reached = reached.collect();
                    found.ways[node.index()].push(Way::Step(edge, reached));
                }
                Action::Call(call) => {
                    let CallSites { into, .. } = self.sites.call(self.scopes, edge);
                    let cubes =
                        into.targets(self.context, self.scopes, self.asked, &source, self.bounds.fan)?;
                    let mut begun = Vec::new();
                    for cube in self.told_apart(call.callee, cubes)? {
                        let callee =
                            found.activation(self.scopes, call.callee, cube, Cause::Call(node, edge));
                        begun.push(callee);
                        for own in found.like(callee) {
                            found.activations[own.index()].waiting.insert((node, edge));
                            for end in found.activations[own.index()].ends.clone() {
                                self.come_back(found, node, edge, end)?;
                            }
                        }
                    }
                    found.ways[node.index()].push(Way::Call(edge, begun));
                }
            }
        }
        Ok(())
    }

    /// Beginnings of a procedure without values left open, where there are not too many: activations that overlap would mix their ends.
    fn told_apart(&mut self, procedure: ProcedureId, cubes: Vec<Cube>) -> Result<Vec<Cube>, StopReason> {
        let terms = self.scopes.terms();
        let predicates = self.sites.at(self.scopes.icfg.procedure(procedure).entry);
        let mut all: IndexSet<Cube> = IndexSet::new();
        for cube in cubes {
            let open: Vec<usize> = (0..cube.len()).filter(|&at| cube[at] == Kleene::Unknown).collect();
            if open.is_empty() || open.len() > MOST_SPLIT {
                self.asked.n_coarse += u64::from(!open.is_empty());
                all.insert(cube);
                continue;
            }
            for values in 0..1usize << open.len() {
                let mut own = cube.clone();
                for (bit, &at) in open.iter().enumerate() {
                    own[at] = Kleene::from(values >> bit & 1 == 1);
                }
                let mut said = literals(terms, predicates, &own);
                let variables: BTreeSet<_> = said.iter().flat_map(|&part| terms.variables_of(part)).collect();
                said.extend(variables.into_iter().filter_map(|variable| self.scopes.within(variable)));
                if !self.asked.vectors(self.context, terms, &said, &[])?.is_empty() {
                    all.insert(own);
                }
            }
        }
        Ok(all.into_iter().collect())
    }

    /// Goes on behind a call that ended.
    fn come_back(
        &mut self,
        found: &mut Exploration,
        caller: NodeId,
        edge: EdgeId,
        end: NodeId,
    ) -> Result<(), StopReason> {
        let (before, after) = (found.node(caller), found.node(end));
        let activation = before.activation;
        let parts = [
            &found.activations[activation.index()].entry,
            &before.cube,
            &found.activations[after.activation.index()].entry,
            &after.cube,
        ];
        let source: Cube = parts.into_iter().flatten().copied().collect();
        let CallSites { back, .. } = self.sites.call(self.scopes, edge);
        let cubes = back.targets(self.context, self.scopes, self.asked, &source, self.bounds.fan)?;
        let point = self.scopes.icfg.edge(edge).target;
        let reached = cubes
            .into_iter()
            .map(|cube| found.add(Node { activation, point, cube }, Cause::Return(caller, edge, end)));
        let reached = reached.collect();
        found.returns.insert((caller, edge, end), reached);
        Ok(())
    }
}

impl Exploration {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(crate) fn activation_of(&self, id: NodeId) -> &Activation {
        &self.activations[self.node(id).activation.index()]
    }

    fn add(&mut self, node: Node, cause: Cause) -> NodeId {
        let is_target = self.is_target[node.point.index()];
        let (at, is_new) = self.nodes.insert_full(node);
        let id = NodeId::new(at);
        if is_new {
            self.causes.push(cause);
            self.ways.push(Vec::new());
            self.open.push_back(id);
        }
        if is_target && self.met_over.insert(cause.edge()) {
            self.met.push((id, cause));
        }
        id
    }

    fn activation(
        &mut self,
        scopes: &Scopes<'_>,
        procedure: ProcedureId,
        entry: Cube,
        cause: Cause,
    ) -> ActivationId {
        if let Some(&known) = self.known.get(&(procedure, entry.clone())) {
            return known;
        }
        let id = ActivationId::new(self.activations.len());
        self.known.insert((procedure, entry.clone()), id);
        let point = scopes.icfg.procedure(procedure).entry;
        let start = self.add(Node { activation: id, point, cube: entry.clone() }, cause);
        let (ends, waiting) = (Vec::new(), IndexSet::default());
        self.activations.push(Activation { procedure, entry, start, ends, waiting });
        // Whoever waits for an activation that overlaps with this one waits for this one too.
        let waiting: Vec<_> =
            self.like(id).iter().flat_map(|other| self.activations[other.index()].waiting.clone()).collect();
        self.activations[id.index()].waiting.extend(waiting);
        let is_open = self.activations[id.index()].entry.contains(&Kleene::Unknown);
        self.of_procedure.entry(procedure).or_default().push(id);
        if is_open {
            self.open_procedures.insert(procedure);
        }
        id
    }

    /// An activation with all that overlap with it: others do only if they leave values open.
    fn like(&self, id: ActivationId) -> Vec<ActivationId> {
        let own = &self.activations[id.index()];
        let mut like = vec![id];
        if own.entry.contains(&Kleene::Unknown) || self.open_procedures.contains(&own.procedure) {
            let others = self.of_procedure.get(&own.procedure).into_iter().flatten();
            let overlaps = |other: &&ActivationId| {
                let mut pairs = self.activations[other.index()].entry.iter().zip(&own.entry);
                **other != id && pairs.all(|(&one, &other)| one == other || one.join(other).is_some())
            };
            like.extend(others.filter(overlaps).copied());
        }
        like
    }
}
