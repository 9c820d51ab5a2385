//! Positions of paths: a state with what one of its steps says about propositions and fairness constraints, all of which may
//! read inputs. A graph of positions has its fairness at its nodes, and a walk in it gives back the states and inputs.

use super::streett::Acceptance;
use crate::Atom;
use crate::explore::{ExploreError, Explored, ExploredEdge, MarksId};
use crate::interpret::{Fault, Interpreter};
use crate::validate::Trace;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tertium_support::{Context, Id, IdSet, define_id};
use tertium_system::StateId;

define_id!(
    /// A node of a graph of positions.
    NodeId
);

/// A state with the step that is taken from it, as far as it can be told apart.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Position {
    pub(super) state: StateId,
    pub(super) atoms: Box<[bool]>,
    pub(super) marks: MarksId,
}

/// All positions of the explored states.
pub(super) struct Positions<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    explored: &'a Explored,
    propositions: &'a [Atom],
    pub(super) all: IndexSet<Position, FxBuildHasher>,
    /// By position: where its steps lead.
    pub(super) targets: Vec<Vec<StateId>>,
    /// By state: its positions.
    pub(super) of_state: Vec<Vec<usize>>,
}

impl<'a, 'm> Positions<'a, 'm> {
    pub(super) fn new(
        context: &Context,
        interpreter: &'a Interpreter<'m>,
        explored: &'a Explored,
        propositions: &'a [Atom],
    ) -> Result<Self, ExploreError> {
        let n = explored.n_states();
        let mut ticker = context.ticker("evaluating propositions");
        let mut positions = Self {
            interpreter,
            explored,
            propositions,
            all: IndexSet::default(),
            targets: Vec::new(),
            of_state: vec![Vec::new(); n],
        };
        for state in StateId::first(n) {
            for edge in explored.edges(state) {
                ticker.tick(1).map_err(|reason| ExploreError::Stopped(reason, n))?;
                let atoms = positions.truth(state, edge)?;
                let (at, new) = positions.all.insert_full(Position { state, atoms, marks: edge.marks });
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

    fn truth(&self, state: StateId, edge: &ExploredEdge) -> Result<Box<[bool]>, Fault> {
        if self.propositions.is_empty() {
            return Ok(Box::new([]));
        }
        let values = self.explored.state(state);
        let mut place = self.interpreter.at(&values, Some(self.explored.input(edge.input)));
        self.propositions.iter().map(|atom| place.holds(&atom.expr)).collect()
    }

    /// What the fairness constraints of the model say about nodes, given their positions.
    pub(super) fn acceptance(&self, positions: &[usize]) -> Acceptance {
        let marks = |node: NodeId| self.explored.marks(self.all[positions[node.index()]].marks);
        let set = |member: &dyn Fn(NodeId) -> bool| IdSet::filter(positions.len(), member);
        let model = self.interpreter.model();
        let pair =
            |k: usize| (set(&|node| marks(node).compassion[k].0), set(&|node| marks(node).compassion[k].1));
        Acceptance {
            justice: (0..model.justice.len()).map(|k| set(&|node| marks(node).justice[k])).collect(),
            compassion: (0..model.compassion.len()).map(pair).collect(),
        }
    }

    /// The path through these positions, the last of which leads back to the one at `loop_start`.
    pub(super) fn lasso(&self, path: &[usize], loop_start: usize) -> Result<Trace, Fault> {
        let mut inputs = Vec::with_capacity(path.len());
        for (at, &place) in path.iter().enumerate() {
            let position = &self.all[place];
            let next = self.all[path[if at + 1 < path.len() { at + 1 } else { loop_start }]].state;
            for edge in self.explored.edges(position.state) {
                let fits = edge.target == next && edge.marks == position.marks;
                if fits && self.truth(position.state, edge)? == position.atoms {
                    inputs.push(self.explored.input(edge.input).clone());
                    break;
                }
            }
        }
        let states = path.iter().map(|&place| self.explored.state(self.all[place].state)).collect();
        Ok(Trace { states, steps: inputs, loop_start: Some(loop_start) })
    }
}
