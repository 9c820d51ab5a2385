//! Linear properties on explored states: is there a fair path on which the negation holds?
//!
//! A path is a sequence of positions: a state with what one of its steps says about the propositions and the fairness
//! constraints, all of which may read inputs. The product with the tableau of the negation is built from the initial
//! states on; a fair cycle in it is a counterexample.

use super::streett::{Acceptance, NodeId, has_fair_cycle};
use super::tableau::{Bits, Refused, Tableau};
use crate::Atom;
use crate::explore::{ExploreError, Explored, MarksId};
use crate::interpret::Interpreter;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tertium_logic::{Ltl, LtlUnary};
use tertium_support::{Context, Id, IdSet};
use tertium_system::StateId;

/// A state with the step that is taken from it, as far as it can be told apart.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Position {
    state: StateId,
    atoms: Box<[bool]>,
    marks: MarksId,
}

struct Positions {
    all: IndexSet<Position, FxBuildHasher>,
    /// By position: where its steps lead.
    targets: Vec<Vec<StateId>>,
    /// By state: its positions.
    of_state: Vec<Vec<usize>>,
}

pub(super) fn holds_on_all_paths(
    context: &Context,
    interpreter: &Interpreter<'_>,
    explored: &Explored,
    atoms: &[Atom],
    formula: &Ltl,
) -> Result<bool, ExploreError> {
    let stopped = |reason| ExploreError::Stopped(reason, explored.n_states());
    let number = |name: &str| atoms.iter().position(|atom| atom.name == name);
    let negation = Ltl::unary(LtlUnary::Not, formula.clone());
    let tableau = Tableau::new(&negation, &number).map_err(|refused| match refused {
        Refused::UnknownProposition(span) => ExploreError::NotUnderstood(span),
        Refused::TooLarge => ExploreError::TooLarge(explored.n_states()),
    })?;
    let positions = positions(context, interpreter, explored, atoms)?;
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
    let marks = |node: usize| explored.marks(positions.all[nodes[node].0].marks);
    let n = nodes.len();
    let set = |member: &dyn Fn(usize) -> bool| IdSet::filter(n, |node: NodeId| member(node.index()));
    let model = interpreter.model();
    let mut justice: Vec<_> =
        (0..tableau.n_fulfilments()).map(|k| set(&|node| fulfils[node] >> k & 1 == 1)).collect();
    justice.extend((0..model.justice.len()).map(|k| set(&|node| marks(node).justice[k])));
    let pair =
        |k: usize| (set(&|node| marks(node).compassion[k].0), set(&|node| marks(node).compassion[k].1));
    let compassion = (0..model.compassion.len()).map(pair).collect();
    Ok(!has_fair_cycle(&successors, &Acceptance { justice, compassion }))
}

fn positions(
    context: &Context,
    interpreter: &Interpreter<'_>,
    explored: &Explored,
    atoms: &[Atom],
) -> Result<Positions, ExploreError> {
    let n = explored.n_states();
    let mut ticker = context.ticker("evaluating propositions");
    let mut positions =
        Positions { all: IndexSet::default(), targets: Vec::new(), of_state: vec![Vec::new(); n] };
    for state in StateId::first(n) {
        let values = explored.state(state);
        for edge in explored.edges(state) {
            ticker.tick(1).map_err(|reason| ExploreError::Stopped(reason, n))?;
            let mut place = interpreter.at(&values, Some(explored.input(edge.input)));
            let truth = atoms.iter().map(|atom| place.holds(&atom.expr)).collect::<Result<_, _>>()?;
            let (at, new) = positions.all.insert_full(Position { state, atoms: truth, marks: edge.marks });
            if new {
                positions.targets.push(Vec::new());
                positions.of_state[state.index()].push(at);
            }
            if !positions.targets[at].contains(&edge.target) {
                positions.targets[at].push(edge.target);
            }
        }
    }
    Ok(positions)
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
