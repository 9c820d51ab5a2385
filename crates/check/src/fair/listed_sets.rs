//! Sets of listed states, for the builder of evidence. Lassos satisfy justice; compassion has no part in branching time.

use super::ctl::{Ctl, Side};
use super::places::{NodeId, Once, PlaceId, Places};
use super::streett::{Arcs, fair_lasso};
use super::walk::shortest;
use super::{FairError, GraphTrace};
use crate::explain::StateSets;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tertium_logic::Formula;
use tertium_support::{Id, Ticker};
use tertium_system::{StateGraph, StateId, StateSet, StepFairness, StepId};

/// The sets of one graph.
pub(super) struct ListedSets<'a, 'g, G> {
    ctl: Ctl<'a, 'g, G>,
    /// What is known already.
    known: Vec<(Formula, StateSet)>,
    /// Made when the first lasso is looked for.
    places: Option<Places<'g, G>>,
}

impl<'a, 'g, G: StateGraph> ListedSets<'a, 'g, G> {
    pub(super) fn new(ctl: Ctl<'a, 'g, G>) -> Self {
        Self { ctl, known: Vec::new(), places: None }
    }
}

impl<G: StateGraph> StateSets for ListedSets<'_, '_, G> {
    type State = StateId;
    type Step = StepId;
    type Set = StateSet;
    type Error = FairError;

    fn tick(&mut self) -> Result<(), FairError> {
        self.ctl.tick(1)
    }

    fn holds(&mut self, formula: &Formula) -> Result<StateSet, FairError> {
        if let Some((_, set)) = self.known.iter().find(|(known, _)| known == formula) {
            return Ok(set.clone());
        }
        let set = self.ctl.states(formula, Side::Surely)?;
        self.known.push((formula.clone(), set.clone()));
        Ok(set)
    }

    fn holds_fairly(&mut self, formula: &Formula) -> Result<StateSet, FairError> {
        Ok(self.holds(formula)?.intersection(self.ctl.fair(Side::Surely)))
    }

    fn both(&self, one: &StateSet, other: &StateSet) -> Result<StateSet, FairError> {
        Ok(one.intersection(other))
    }

    fn only(&self, state: &StateId) -> Result<StateSet, FairError> {
        Ok(StateSet::of(self.ctl.graph.n_states(), [*state]))
    }

    fn pick(&self, set: &StateSet) -> Option<StateId> {
        set.iter().next()
    }

    fn contains(&self, set: &StateSet, state: &StateId) -> bool {
        set.contains(*state)
    }

    fn step(&mut self, from: &StateId, goal: &StateSet) -> Result<GraphTrace, FairError> {
        let graph = self.ctl.graph;
        let target = |step: usize| graph.step(step).1.filter(|target| goal.contains(*target));
        let found = graph.steps(*from).find_map(|step| Some((StepId::new(step), target(step)?)));
        let (step, target) = found.expect("the claim holds");
        Ok(GraphTrace { states: vec![*from, target], steps: vec![step], loop_start: None })
    }

    fn shortest(
        &mut self,
        from: &StateSet,
        through: &StateSet,
        goal: &StateSet,
    ) -> Result<GraphTrace, FairError> {
        Ok(shortest(self.ctl.graph, from, through, goal).expect("the claim holds"))
    }

    fn lasso(&mut self, from: &StateSet, inside: &StateSet) -> Result<GraphTrace, FairError> {
        let Ctl { graph, context, fairness, .. } = self.ctl;
        if self.places.is_none() {
            let justice = StepFairness { justice: fairness.justice.clone(), compassion: Vec::new() };
            self.places = Some(Places::new(context, graph, &justice, &[])?);
        }
        let places = self.places.as_ref().expect("it was made");
        let mut ticker: Ticker<'_> = context.ticker("looking for a lasso");
        let mut nodes: IndexSet<PlaceId, FxBuildHasher> = IndexSet::default();
        from.iter().for_each(|state| nodes.extend(places.of_state(state)));
        let first: Vec<NodeId> = NodeId::first(nodes.len()).collect();
        let mut arcs = Arcs::default();
        let mut once = Once::new(graph.n_states());
        while arcs.len() < nodes.len() {
            once.begin();
            for (_, target) in places.steps(nodes[arcs.len()]) {
                if inside.contains(target) && once.is_new(target) {
                    for next in places.of_state(target) {
                        ticker.tick(1)?;
                        arcs.add(NodeId::new(nodes.insert_full(next).0));
                    }
                }
            }
            arcs.close_row();
        }
        let nodes: Vec<PlaceId> = nodes.into_iter().collect();
        let lasso = fair_lasso(&mut ticker, &arcs, &first, &places.acceptance(&nodes))?;
        let lasso = lasso.expect("the claim holds");
        let path: Vec<PlaceId> = lasso.nodes.iter().map(|node| nodes[node.index()]).collect();
        Ok(places.lasso(&path, lasso.loop_start))
    }

    fn has_justice(&self) -> bool {
        !self.ctl.fairness.justice.is_empty()
    }
}
