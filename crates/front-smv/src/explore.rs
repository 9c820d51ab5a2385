//! The reachable states of a flat model, one by one, breadth first.
//!
//! States are numbered in the order of their discovery, so that no state has a smaller number than one that is nearer to
//! the initial states. An edge carries its input and which fairness constraints its step satisfies: they may read inputs. An
//! edge is one input and one target; two inputs to the same target are two edges.

use crate::interpret::{Fault, Halt, Input, Interpreter, State, value_text};
use crate::pack::Packing;
use crate::{Atom, VarId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tertium_support::{Context, Id, Span, StopReason, define_id};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder, UNLABELLED};
use tertium_truth::Belnap;

define_id!(
    /// An input that occurs on an edge.
    InputId
);

define_id!(
    /// A set of fairness constraints that occurs on an edge.
    MarksId
);

/// How much may be explored.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExploreLimits {
    /// At most so many states.
    pub n_states: Option<usize>,
    /// At most so many edges.
    pub n_edges: Option<usize>,
}

/// Why something is not known of the explicit states of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExploreError {
    /// The model has no meaning in some state.
    Fault(Fault),
    /// Time, memory or patience ran out, after so many states.
    Stopped(StopReason, usize),
    /// There are more states or edges than allowed, after so many states; or a formula has too many parts.
    TooLarge(usize),
    /// The formula has an operator that is not of this logic, or a proposition that nobody defined.
    NotUnderstood(Span),
}

impl From<Fault> for ExploreError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExploredEdge {
    /// Its input.
    pub input: InputId,
    /// Where it leads.
    pub target: StateId,
    /// Which fairness constraints it satisfies.
    pub marks: MarksId,
}

/// Which fairness constraints a step satisfies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Marks {
    /// By justice constraint.
    pub justice: Box<[bool]>,
    /// By compassion constraint: the premise and the conclusion.
    pub compassion: Box<[(bool, bool)]>,
}

/// The reachable part of a model.
#[derive(Debug)]
pub struct Explored {
    packing: Packing,
    states: IndexSet<Box<[u64]>, FxBuildHasher>,
    inputs: IndexSet<Input, FxBuildHasher>,
    marks: IndexSet<Marks, FxBuildHasher>,
    n_initial: usize,
    /// By state: where its edges start; one more entry than states.
    rows: Vec<usize>,
    edges: Vec<ExploredEdge>,
}

/// Explores a model.
pub fn explore(
    context: &Context,
    interpreter: &Interpreter<'_>,
    limits: ExploreLimits,
) -> Result<Explored, ExploreError> {
    let mut explored = Explored {
        packing: Packing::new(interpreter),
        states: IndexSet::default(),
        inputs: IndexSet::default(),
        marks: IndexSet::default(),
        n_initial: 0,
        rows: vec![0],
        edges: Vec::new(),
    };
    let mut ticker = context.ticker("exploring states");
    let Explored { packing, states, .. } = &mut explored;
    let result = interpreter.for_each_initial(&mut ticker, |state| {
        states.insert(packing.pack(&state));
    });
    explored.n_initial = explored.states.len();
    result.map_err(|halt| error(halt, explored.states.len()))?;
    let mut next = 0;
    while next < explored.states.len() {
        let too_many_states = limits.n_states.is_some_and(|most| explored.states.len() > most);
        if too_many_states || limits.n_edges.is_some_and(|most| explored.edges.len() > most) {
            return Err(ExploreError::TooLarge(explored.states.len()));
        }
        let state = explored.state(StateId::new(next));
        let mut steps = Vec::new();
        let result = interpreter.for_each_successor(&mut ticker, &state, |input, target| {
            steps.push((input, target));
        });
        result.map_err(|halt| error(halt, explored.states.len()))?;
        for (input, target) in steps {
            let marks = marks(interpreter, &state, &input)?;
            let marks = MarksId::new(explored.marks.insert_full(marks).0);
            let input = InputId::new(explored.inputs.insert_full(input).0);
            let target = StateId::new(explored.states.insert_full(explored.packing.pack(&target)).0);
            explored.edges.push(ExploredEdge { input, target, marks });
        }
        explored.rows.push(explored.edges.len());
        next += 1;
    }
    Ok(explored)
}

fn error(halt: Halt, n_states: usize) -> ExploreError {
    match halt {
        Halt::Fault(fault) => ExploreError::Fault(fault),
        Halt::Stopped(reason) => ExploreError::Stopped(reason, n_states),
    }
}

fn marks(interpreter: &Interpreter<'_>, state: &State, input: &Input) -> Result<Marks, Fault> {
    let model = interpreter.model();
    if model.justice.is_empty() && model.compassion.is_empty() {
        return Ok(Marks { justice: Box::new([]), compassion: Box::new([]) });
    }
    let mut place = interpreter.at(state, Some(input));
    let justice = model.justice.iter().map(|expr| place.holds(expr)).collect::<Result<_, _>>()?;
    let mut pair = |(p, q)| Ok((place.holds(p)?, place.holds(q)?));
    let compassion = model.compassion.iter().map(|(p, q)| pair((p, q))).collect::<Result<_, Fault>>()?;
    Ok(Marks { justice, compassion })
}

impl Explored {
    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// How many edges there are.
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// The initial states.
    pub fn initial(&self) -> impl Iterator<Item = StateId> + use<> {
        StateId::first(self.n_initial)
    }

    /// The values at a state.
    pub fn state(&self, state: StateId) -> State {
        self.packing.unpack(&self.states[state.index()])
    }

    /// The number of a state, if it is reachable. Its values must be of their types.
    pub fn find(&self, state: &State) -> Option<StateId> {
        self.states.get_index_of(&self.packing.pack(state)).map(StateId::new)
    }

    /// The values of an input.
    pub fn input(&self, input: InputId) -> &Input {
        &self.inputs[input.index()]
    }

    /// The fairness constraints behind an edge.
    pub fn marks(&self, marks: MarksId) -> &Marks {
        &self.marks[marks.index()]
    }

    /// The steps from a state.
    pub fn edges(&self, state: StateId) -> &[ExploredEdge] {
        &self.edges[self.rows[state.index()]..self.rows[state.index() + 1]]
    }

    /// The states without a step.
    pub fn deadlocks(&self) -> impl Iterator<Item = StateId> + '_ {
        StateId::first(self.n_states()).filter(|&state| self.edges(state).is_empty())
    }

    /// The ordinary system of the reachable states, with these propositions. States are called by their values, actions by
    /// the values of inputs.
    pub fn to_system(&self, interpreter: &Interpreter<'_>, atoms: &[Atom]) -> Result<PartialSystem, Fault> {
        let mut builder = SystemBuilder::named();
        for state in StateId::first(self.n_states()) {
            let name = assignment_text(interpreter, interpreter.state_variables(), &self.state(state).0);
            builder.state(if name == UNLABELLED { "state" } else { &name });
        }
        self.initial().for_each(|state| builder.initial(state));
        let actions: Vec<_> = self
            .inputs
            .iter()
            .map(|input| {
                builder.action(&assignment_text(interpreter, interpreter.input_variables(), &input.0))
            })
            .collect();
        let propositions: Vec<_> =
            atoms.iter().map(|atom| builder.proposition(&atom.name, Belnap::False)).collect();
        for state in StateId::first(self.n_states()) {
            for edge in self.edges(state) {
                builder.edge(state, actions[edge.input.index()], edge.target, Modality::Both);
            }
            let values = self.state(state);
            let mut place = interpreter.at(&values, None);
            for (atom, &proposition) in atoms.iter().zip(&propositions) {
                if place.holds(&atom.expr)? {
                    builder.label(state, proposition, Belnap::True);
                }
            }
        }
        Ok(builder.build())
    }
}

/// `x = 1, y = TRUE`; without variables the empty text, which names the unlabelled action.
pub fn assignment_text(
    interpreter: &Interpreter<'_>,
    variables: &[VarId],
    values: &[crate::Value],
) -> String {
    let model = interpreter.model();
    let one = |(variable, value): (&VarId, &crate::Value)| {
        format!("{} = {}", model.variables[variable.index()].name, value_text(model, *value))
    };
    let all: Vec<String> = variables.iter().zip(values).map(one).collect();
    if all.is_empty() { UNLABELLED.to_owned() } else { all.join(", ") }
}
