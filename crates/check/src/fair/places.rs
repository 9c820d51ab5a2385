//! Places of paths: a state with what one of its steps says about propositions and fairness constraints, which may differ
//! between steps. A graph of places has its fairness at its nodes, and a walk in it gives back states and steps.
//!
//! What a step says is its colour. Where all sets are sets of states, every state with a step has one place.
//!
//! Cost: eight bytes for each place, four for each state, and four for each step where steps of one state differ.

use super::GraphTrace;
use super::streett::Acceptance;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tertium_support::{Context, Id, IdSet, StopReason, define_id};
use tertium_system::{StateGraph, StateId, StepFairness, StepId, StepSet};

define_id!(
    /// A node of a graph of places.
    NodeId
);
define_id!(
    /// A state with what one of its steps says.
    PlaceId
);
define_id!(
    /// What a step says.
    ColourId
);

/// The places of the listed states.
pub(super) struct Places<'g, G> {
    graph: &'g G,
    n_justice: usize,
    n_compassion: usize,
    n_propositions: usize,
    /// Bits: the propositions, then justice, then the pairs of compassion.
    colours: IndexSet<Box<[u64]>, FxBuildHasher>,
    /// By place.
    all: Vec<(StateId, ColourId)>,
    /// By state: where its places begin; one more entry than states.
    starts: Vec<u32>,
    /// By step, if the steps of one state may differ.
    of_step: Option<Vec<ColourId>>,
}

impl<'g, G: StateGraph> Places<'g, G> {
    pub(super) fn new(
        context: &Context,
        graph: &'g G,
        fairness: &StepFairness,
        propositions: &[&StepSet],
    ) -> Result<Self, StopReason> {
        let pairs = fairness.compassion.iter().flat_map(|(p, q)| [p, q]);
        let sets: Vec<&StepSet> =
            propositions.iter().copied().chain(&fairness.justice).chain(pairs).collect();
        let differ = sets.iter().any(|set| set.states().is_none());
        let mut places = Self {
            graph,
            n_justice: fairness.justice.len(),
            n_compassion: fairness.compassion.len(),
            n_propositions: propositions.len(),
            colours: IndexSet::default(),
            all: Vec::new(),
            starts: vec![0],
            of_step: differ.then(|| Vec::with_capacity(graph.n_steps())),
        };
        let mut ticker = context.ticker("places of paths");
        let mut colour = vec![0_u64; sets.len().div_ceil(64)];
        for state in StateId::first(graph.n_states()) {
            let first = places.all.len();
            let steps = graph.steps(state);
            ticker.tick(1 + steps.len())?;
            let n = if differ { steps.len() } else { steps.len().min(1) };
            for step in steps.take(n) {
                colour.fill(0);
                for (at, set) in sets.iter().enumerate() {
                    colour[at / 64] |= u64::from(set.contains(state, step)) << (at % 64);
                }
                let id = match places.colours.get_index_of(&colour[..]) {
                    Some(known) => known,
                    None => places.colours.insert_full(colour.clone().into()).0,
                };
                let id = ColourId::new(id);
                if let Some(of_step) = &mut places.of_step {
                    of_step.push(id);
                }
                if !places.all[first..].iter().any(|&(_, other)| other == id) {
                    places.all.push((state, id));
                }
            }
            places.starts.push(places.all.len() as u32);
        }
        debug_assert!(
            places.of_step.as_ref().is_none_or(|of_step| of_step.len() == graph.n_steps()),
            "every step has a colour"
        );
        debug_assert_eq!(places.starts.len(), graph.n_states() + 1, "every state has a row of places");
        debug_assert!(places.colours.len() <= places.all.len(), "every colour is that of a place");
        Ok(places)
    }

    /// The places of a state.
    pub(super) fn of_state(&self, state: StateId) -> impl ExactSizeIterator<Item = PlaceId> + use<G> {
        (self.starts[state.index()]..self.starts[state.index() + 1]).map(PlaceId::from_raw)
    }

    /// What a place says.
    pub(super) fn colour(&self, place: PlaceId) -> ColourId {
        self.all[place.index()].1
    }

    /// How many colours there are.
    pub(super) fn n_colours(&self) -> usize {
        self.colours.len()
    }

    /// The propositions of a colour.
    pub(super) fn propositions(&self, colour: ColourId) -> Vec<bool> {
        (0..self.n_propositions).map(|at| self.bit(colour, at)).collect()
    }

    fn bit(&self, colour: ColourId, at: usize) -> bool {
        self.colours[colour.index()][at / 64] >> (at % 64) & 1 == 1
    }

    /// The steps of a place, with their listed targets.
    pub(super) fn steps(&self, place: PlaceId) -> impl Iterator<Item = (StepId, StateId)> + '_ {
        let (state, colour) = self.all[place.index()];
        let fits = move |step: &usize| self.of_step.as_ref().is_none_or(|of| of[*step] == colour);
        let target = |step| Some((StepId::new(step), self.graph.step(step).1?));
        self.graph.steps(state).filter(fits).filter_map(target)
    }

    /// What the fairness constraints say about nodes, given their places.
    pub(super) fn acceptance(&self, places: &[PlaceId]) -> Acceptance {
        let set = |at: usize| {
            IdSet::filter(places.len(), |node: NodeId| self.bit(self.colour(places[node.index()]), at))
        };
        let justice = self.n_propositions;
        let compassion = justice + self.n_justice;
        let pair = |k: usize| (set(compassion + 2 * k), set(compassion + 2 * k + 1));
        Acceptance {
            justice: (justice..compassion).map(set).collect(),
            compassion: (0..self.n_compassion).map(pair).collect(),
        }
    }

    /// The path through these places, the last of which leads back to the one at `loop_start`.
    pub(super) fn lasso(&self, path: &[PlaceId], loop_start: usize) -> GraphTrace {
        debug_assert!(loop_start < path.len(), "the loop begins on the path");
        let state = |place: PlaceId| self.all[place.index()].0;
        let step = |(at, &place): (usize, &PlaceId)| {
            let next = state(path[if at + 1 < path.len() { at + 1 } else { loop_start }]);
            let step = self.steps(place).find(|&(_, target)| target == next);
            step.expect("places of a path are joined by steps").0
        };
        let steps = path.iter().enumerate().map(step).collect();
        GraphTrace {
            states: path.iter().map(|&place| state(place)).collect(),
            steps,
            loop_start: Some(loop_start),
        }
    }
}

/// Removes what a list has twice; its memory is used again.
pub(super) struct Once(Vec<u32>, u32);

impl Once {
    pub(super) fn new(n_states: usize) -> Self {
        Self(vec![0; n_states], 0)
    }

    /// Begins with a new list.
    pub(super) fn begin(&mut self) {
        self.1 += 1;
    }

    /// Whether a state comes for the first time.
    pub(super) fn is_new(&mut self, state: StateId) -> bool {
        std::mem::replace(&mut self.0[state.index()], self.1) != self.1
    }
}
