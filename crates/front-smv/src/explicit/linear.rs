//! Linear properties on explored states: is there a fair path on which the negation holds?
//!
//! The product of positions with the tableau of the negation is built from the initial states on; a fair cycle in it is a
//! counterexample.

use super::position::{NodeId, Positions};
use super::streett::fair_lasso;
use super::tableau::{Bits, Refused, Tableau};
use crate::Atom;
use crate::explore::{ExploreError, Explored};
use crate::interpret::Interpreter;
use crate::validate::Trace;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tertium_logic::{Ltl, LtlUnary};
use tertium_support::{Context, Id, IdSet};

/// A fair path from an initial state on which the formula is false, if there is one.
pub(super) fn counterexample(
    context: &Context,
    interpreter: &Interpreter<'_>,
    explored: &Explored,
    atoms: &[Atom],
    formula: &Ltl,
) -> Result<Option<Trace>, ExploreError> {
    let stopped = |reason| ExploreError::Stopped(reason, explored.n_states());
    let number = |name: &str| atoms.iter().position(|atom| atom.name == name);
    let negation = Ltl::unary(LtlUnary::Not, formula.clone());
    let tableau = Tableau::new(&negation, &number).map_err(|refused| match refused {
        Refused::UnknownProposition(span) => ExploreError::NotUnderstood(span),
        Refused::TooLarge => ExploreError::TooLarge(explored.n_states()),
    })?;
    let positions = Positions::new(context, interpreter, explored, atoms)?;
    let mut ticker = context.ticker("building the product");
    let mut product = Product { tableau: &tableau, guesses: FxHashMap::default() };
    let mut nodes: IndexSet<(usize, Bits), FxBuildHasher> = IndexSet::default();
    for state in explored.initial() {
        for &at in &positions.of_state[state.index()] {
            for bits in product.all_bits(tableau.first_past()) {
                let values = tableau.values(&positions.all[at].atoms, bits);
                if values.last() == Some(&true) {
                    nodes.insert((at, bits));
                }
            }
        }
    }
    let first: Vec<NodeId> = NodeId::first(nodes.len()).collect();
    let mut successors: Vec<Vec<NodeId>> = Vec::new();
    let mut fulfils = Vec::new();
    while successors.len() < nodes.len() {
        let (at, bits) = nodes[successors.len()];
        let values = tableau.values(&positions.all[at].atoms, bits);
        fulfils.push(tableau.fulfils(&values));
        let past = tableau.past_after(&values);
        let mut row = Vec::new();
        for target in &positions.targets[at] {
            for &next in &positions.of_state[target.index()] {
                for &future in product.fitting(&positions.all[next].atoms, past, bits.future) {
                    ticker.tick(1).map_err(stopped)?;
                    row.push(NodeId::new(nodes.insert_full((next, Bits { future, past })).0));
                }
            }
        }
        successors.push(row);
    }
    let places: Vec<usize> = nodes.iter().map(|(at, _)| *at).collect();
    let mut acceptance = positions.acceptance(&places);
    let fulfilment = |k| IdSet::filter(nodes.len(), |node: NodeId| fulfils[node.index()] >> k & 1 == 1);
    acceptance.justice.extend((0..tableau.n_fulfilments()).map(fulfilment));
    let Some(lasso) = fair_lasso(&successors, &first, &acceptance) else { return Ok(None) };
    let path: Vec<usize> = lasso.nodes.iter().map(|node| places[node.index()]).collect();
    Ok(Some(positions.lasso(&path, lasso.loop_start)?))
}

/// Guesses at a place by the guesses before that they make right.
type ByGuess = FxHashMap<u64, Vec<u64>>;

/// The guesses that are possible at a place, sorted by what they say about the guesses before.
struct Product<'t> {
    tableau: &'t Tableau,
    guesses: FxHashMap<(Box<[bool]>, u64), ByGuess>,
}

impl Product<'_> {
    fn all_bits(&self, past: u64) -> impl Iterator<Item = Bits> + use<> {
        (0..1_u64 << self.tableau.n_future()).map(move |future| Bits { future, past })
    }

    /// The guesses at a place with these propositions and facts, if `guessed` was guessed at the place before.
    fn fitting(&mut self, atoms: &[bool], past: u64, guessed: u64) -> &[u64] {
        let tableau = self.tableau;
        let by_guess = self.guesses.entry((atoms.into(), past)).or_insert_with(|| {
            let mut sorted = ByGuess::default();
            for future in 0..1_u64 << tableau.n_future() {
                let values = tableau.values(atoms, Bits { future, past });
                sorted.entry(tableau.guessed_before(&values)).or_default().push(future);
            }
            sorted
        });
        by_guess.get(&guessed).map_or(&[], Vec::as_slice)
    }
}
