//! An exploration with what must be possible, for the systems on demand.
//!
//! What was explored is what may happen. A step whose guard is implied must be possible, and then leads to one of the nodes it may lead
//! to: all of these together are a target of a must transition. So a set of nodes that has them all is in the must pre-image
//! also where no single one must be reached; that is red_U \[Wei09, §5.2\] on nodes. Where a step has inputs, values of the predicates that
//! depend on them can be chosen, if for each state some inputs have this effect. Calls and returns have no choice.

use super::cubes::Cube;
use super::edges::{CallSites, EdgeSites};
use super::explore::{ActivationId, Exploration, NodeId, Way};
use super::scopes::Scopes;
use super::vectors::Asked;
use crate::demand::{Entering, FrameId, Move, PartialProgram, ResultId, SiteId, StateId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tertium_program::{Action, EdgeId};
use tertium_solve::Answer;
use tertium_support::{Context, Id, StopReason};

/// The most choices of inputs of a step that are looked at.
const MOST_CHOICES: usize = 64;

/// Makes a partial program of an exploration.
pub(crate) struct Making<'m, 'p, 'a, 's> {
    pub(crate) context: &'m Context,
    pub(crate) scopes: &'m Scopes<'p>,
    pub(crate) sites: &'m mut EdgeSites,
    pub(crate) asked: &'m mut Asked<'a, 's>,
    pub(crate) found: &'m Exploration,
}

/// The state that a node is.
pub(crate) fn state(node: NodeId) -> StateId {
    StateId::new(node.index())
}

/// The node that a state is.
pub(crate) fn node(state: StateId) -> NodeId {
    NodeId::new(state.index())
}

impl Making<'_, '_, '_, '_> {
    /// The partial program. Its states are the nodes, with the same numbers.
    pub(crate) fn partial(&mut self) -> Result<PartialProgram, StopReason> {
        let found = self.found;
        let icfg = self.scopes.icfg;
        let mut partial = PartialProgram::new();
        let mut calls: BTreeMap<EdgeId, SiteId> = BTreeMap::new();
        let mut frames: FxHashMap<(NodeId, EdgeId, ActivationId), FrameId> = FxHashMap::default();
        let mut ticker = self.context.ticker("finding what must be possible");
        for own in &found.nodes {
            let procedure = found.activations[own.activation.index()].procedure;
            let is_exit = own.point == icfg.procedure(procedure).exit;
            let state = if is_exit {
                partial.add_exit(procedure, own.point)
            } else {
                partial.add_state(procedure, own.point)
            };
            debug_assert!(state.index() < found.nodes.len(), "a state for each node");
        }
        for id in NodeId::first(found.nodes.len()) {
            for way in &found.ways[id.index()] {
                ticker.tick(64)?;
                match way {
                    Way::Step(edge, targets) => {
                        let moves = |nodes: &[NodeId]| -> Vec<Move> {
                            nodes.iter().map(|&target| Move { edge: *edge, target: state(target) }).collect()
                        };
                        let musts = self.steps(id, *edge, targets)?;
                        let own = &mut partial.state_mut(state(id)).moves;
                        moves(targets).into_iter().for_each(|target| own.add_may(target));
                        musts.iter().for_each(|must| own.add_must(moves(must)));
                    }
                    Way::Call(edge, begun) => {
                        let Action::Call(call) = &icfg.edge(*edge).action else {
                            unreachable!("it is a call")
                        };
                        let site =
                            *calls.entry(*edge).or_insert_with(|| partial.add_site(*edge, call.callee));
                        let mut enterings = Vec::new();
                        for &activation in begun {
                            let frame = partial.site_mut(site).add_frame();
                            frames.insert((id, *edge, activation), frame);
                            let entry = state(found.activations[activation.index()].start);
                            enterings.push(Entering { site, frame, entry });
                        }
                        let source = self.source(id);
                        let CallSites { enters, .. } = self.sites.call(self.scopes, *edge);
                        let is_sure = icfg.edge(*edge).is_exact
                            && enters.must_hold(self.context, self.scopes, self.asked, &source)?;
                        let own = &mut partial.state_mut(state(id)).enterings;
                        enterings.iter().for_each(|&entering| own.add_may(entering));
                        if is_sure {
                            own.add_must(enterings);
                        }
                    }
                }
            }
        }
        let mut results: FxHashMap<(SiteId, NodeId), ResultId> = FxHashMap::default();
        for (&(caller, edge, end), targets) in &found.returns {
            ticker.tick(64)?;
            let site = calls[&edge];
            let callee = found.node(end).activation;
            // Ends of activations that only overlap with those that are called are among the ends of these.
            let Some(&frame) = frames.get(&(caller, edge, callee)) else { continue };
            let result = *results.entry((site, end)).or_insert_with(|| {
                let result = partial.site_mut(site).add_result();
                partial.site_mut(site).set_result(state(end), result);
                result
            });
            let mut source: Vec<_> = self.source(caller).into();
            source.extend(&*self.source(end));
            let CallSites { fits, .. } = self.sites.call(self.scopes, edge);
            let is_sure =
                icfg.edge(edge).is_exact && fits.must_hold(self.context, self.scopes, self.asked, &source)?;
            let own = partial.site_mut(site).returns_mut(frame, result);
            let targets: Vec<StateId> = targets.iter().map(|&target| state(target)).collect();
            targets.iter().for_each(|&target| own.add_may(target));
            if is_sure {
                own.add_must(targets);
            }
        }
        self.begin(&mut partial)?;
        Ok(partial)
    }

    /// What is known at a node: of its entry, and there.
    fn source(&self, id: NodeId) -> Cube {
        let own = self.found.node(id);
        self.found.activation_of(id).entry.iter().chain(&own.cube).copied().collect()
    }

    /// Where the program must be able to begin.
    fn begin(&mut self, partial: &mut PartialProgram) -> Result<(), StopReason> {
        let terms = self.scopes.terms();
        let icfg = self.scopes.icfg;
        let entry = icfg.procedure(icfg.main).entry;
        let mut within = vec![icfg.initial, icfg.within(icfg.in_scope(icfg.main))];
        for &start in &self.found.starts {
            partial.initial.add_may(state(start));
            let cube = &self.found.node(start).cube;
            let literals = super::cubes::literals(terms, self.sites.at(entry), cube);
            let n = within.len();
            within.extend(literals);
            let answer = self.asked.prover.check(self.context, terms, within.iter().copied());
            if answer.unless_stopped()? == Answer::Satisfiable {
                partial.initial.add_must([state(start)]);
            }
            within.truncate(n);
        }
        Ok(())
    }

    /// Sets of targets of a step that must be reachable by it.
    fn steps(
        &mut self,
        id: NodeId,
        edge: EdgeId,
        targets: &[NodeId],
    ) -> Result<Vec<Vec<NodeId>>, StopReason> {
        let known = self.scopes.icfg.edge(edge);
        let Action::Step(step) = &known.action else { unreachable!("it is a step") };
        if !known.is_exact || targets.is_empty() {
            return Ok(Vec::new());
        }
        let source = self.source(id);
        let mut musts = Vec::new();
        if self.is_possible(edge, &source, &[])? {
            musts.push(targets.to_vec());
        }
        if step.inputs.is_empty() || targets.len() < 2 {
            return Ok(musts);
        }
        let dependent = self.sites.dependent(self.scopes, edge).to_vec();
        let mut choices: BTreeMap<Vec<u8>, (Cube, Vec<NodeId>)> = BTreeMap::new();
        for &target in targets {
            let cube = &self.found.node(target).cube;
            let values: Cube = dependent.iter().map(|&n| cube[n]).collect();
            let key = values.iter().map(|&value| value as u8).collect();
            choices.entry(key).or_insert_with(|| (values, Vec::new())).1.push(target);
        }
        if choices.len() < 2 || choices.len() > MOST_CHOICES {
            return Ok(musts);
        }
        for (values, targets) in choices.into_values() {
            if self.is_possible(edge, &source, &values)? {
                musts.push(targets);
            }
        }
        Ok(musts)
    }

    fn is_possible(
        &mut self,
        edge: EdgeId,
        source: &Cube,
        values: &[tertium_truth::Kleene],
    ) -> Result<bool, StopReason> {
        match self.sites.possible(self.scopes, edge, values) {
            Some(site) => site.must_hold(self.context, self.scopes, self.asked, source),
            None => Ok(false),
        }
    }
}
