//! Linear properties on listed states: is there a fair path on which the negation holds?
//!
//! The product of places with the tableau of the negation is built from the initial states on; a fair cycle in it is a
//! counterexample. Only listed steps are followed, so a counterexample is one of the whole model.
//!
//! Cost: a node is a place with its bits; the guesses that fit are looked up by colour.

use super::places::{ColourId, NodeId, Once, PlaceId, Places};
use super::streett::{Arcs, fair_lasso};
use super::tableau::{Bits, Refused, Tableau};
use super::{FairError, GraphTrace, Propositions};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tertium_logic::{Ltl, LtlUnary};
use tertium_support::{Context, Id, IdSet, StopReason, Ticker};
use tertium_system::{StateGraph, StateId, StepFairness, StepSet};

/// A fair path from an initial state on which the formula is false, if there is one.
pub(super) fn counterexample<G: StateGraph>(
    context: &Context,
    graph: &G,
    fairness: &StepFairness,
    propositions: &Propositions,
    formula: &Ltl,
) -> Result<Option<GraphTrace>, FairError> {
    let names: Vec<&String> = propositions.keys().collect();
    let sets: Vec<&StepSet> = propositions.values().collect();
    let number = |name: &str| names.iter().position(|other| *other == name);
    let negation = Ltl::unary(LtlUnary::Not, formula.clone());
    let tableau = Tableau::new(&negation, &number).map_err(|refused| match refused {
        Refused::UnknownProposition(span) => FairError::NotUnderstood(span),
        Refused::TooLarge => FairError::TooLarge,
    })?;
    let places = Places::new(context, graph, fairness, &sets)?;
    let mut ticker = context.ticker("building the product");
    let truth: Vec<Vec<bool>> =
        ColourId::first(places.n_colours()).map(|id| places.propositions(id)).collect();
    let truth_at = |place: PlaceId| &truth[places.colour(place).index()];
    let mut guesses = Guesses { tableau: &tableau, truth: &truth, by_colour: FxHashMap::default() };
    let mut nodes: IndexSet<(PlaceId, Bits), FxBuildHasher> = IndexSet::default();
    for state in StateId::first(graph.n_initial()) {
        for place in places.of_state(state) {
            for future in 0..1_u64 << tableau.n_future() {
                ticker.tick(1)?;
                let bits = Bits { future, past: tableau.first_past() };
                if tableau.values(truth_at(place), bits).last() == Some(&true) {
                    nodes.insert((place, bits));
                }
            }
        }
    }
    let first: Vec<NodeId> = NodeId::first(nodes.len()).collect();
    let mut arcs = Arcs::default();
    let mut fulfils = Vec::new();
    let mut once = Once::new(graph.n_states());
    while arcs.len() < nodes.len() {
        let (place, bits) = nodes[arcs.len()];
        let values = tableau.values(truth_at(place), bits);
        fulfils.push(tableau.fulfils(&values));
        let past = tableau.past_after(&values);
        once.begin();
        for (_, target) in places.steps(place).filter(|&(_, target)| once.is_new(target)) {
            for next in places.of_state(target) {
                let fitting = guesses.fitting(&mut ticker, places.colour(next), past, bits.future)?;
                for &future in fitting {
                    ticker.tick(1)?;
                    arcs.add(NodeId::new(nodes.insert_full((next, Bits { future, past })).0));
                }
            }
        }
        arcs.close_row();
    }
    debug_assert_eq!(fulfils.len(), arcs.len(), "every node says what it fulfils");
    let of_node: Vec<PlaceId> = nodes.iter().map(|(place, _)| *place).collect();
    drop(nodes);
    let mut acceptance = places.acceptance(&of_node);
    let fulfilment = |k| IdSet::filter(of_node.len(), |node: NodeId| fulfils[node.index()] >> k & 1 == 1);
    acceptance.justice.extend((0..tableau.n_fulfilments()).map(fulfilment));
    let Some(lasso) = fair_lasso(&mut ticker, &arcs, &first, &acceptance)? else { return Ok(None) };
    let path: Vec<PlaceId> = lasso.nodes.iter().map(|node| of_node[node.index()]).collect();
    Ok(Some(places.lasso(&path, lasso.loop_start)))
}

/// Guesses at a place by the guesses before that they make right.
type ByGuess = FxHashMap<u64, Vec<u64>>;

/// The guesses that are possible at a place, sorted by what they say about the guesses before.
struct Guesses<'t> {
    tableau: &'t Tableau,
    /// The propositions, by colour.
    truth: &'t [Vec<bool>],
    by_colour: FxHashMap<(ColourId, u64), ByGuess>,
}

impl Guesses<'_> {
    /// The guesses at a place with this colour and these facts, if `guessed` was guessed at the place before.
    fn fitting(
        &mut self,
        ticker: &mut Ticker<'_>,
        colour: ColourId,
        past: u64,
        guessed: u64,
    ) -> Result<&[u64], StopReason> {
        let (tableau, truth) = (self.tableau, self.truth);
        if !self.by_colour.contains_key(&(colour, past)) {
            ticker.tick(1 << tableau.n_future())?;
        }
        let by_guess = self.by_colour.entry((colour, past)).or_insert_with(|| {
            let mut sorted = ByGuess::default();
            for future in 0..1_u64 << tableau.n_future() {
                let values = tableau.values(&truth[colour.index()], Bits { future, past });
                sorted.entry(tableau.guessed_before(&values)).or_default().push(future);
            }
            sorted
        });
        Ok(by_guess.get(&guessed).map_or(&[], Vec::as_slice))
    }
}
