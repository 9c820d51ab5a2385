//! Predicate-cartesian abstraction \[GHJ01\]: abstract states are vectors over 0, 1 and *, a star for a predicate that is left open.
//!
//! A vector stands for all states of the bit vectors that agree with it. Its may targets are given by the bit vectors
//! among them: the vectors that agree with one. Must targets are closed under leaving more open, so the most precise
//! ones say everything.
//!
//! Unlike bit vectors, vectors can be refined without loss: with more predicates every must step stays and no may step
//! comes back, so what is known need not be asked again; see `grow`.
//!
//! Taken literally, the definition has a may step into every vector that overlaps, up to the one that leaves everything open, and then
//! hardly anything holds of all successors. [`Form::Mixed`] has may steps into bit vectors only; each concrete successor is still
//! covered, so it is as sound, and it is what to use.

mod explore;
mod grow;
mod limited;
mod musts;
mod state;

pub use explore::{CartesianSystem, Form, concretise, explore_cartesian};
pub use state::TriState;
pub(crate) use state::weaker;

use crate::{AbstractState, LeftOut, PredicateAbstraction};
use grow::Knowledge;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Precision, Program};
use tertium_solve::{Prover, ProverStatistics};
use tertium_support::{Context, StopReason};
use tertium_truth::Kleene;

/// Where a command leads from a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriTargets {
    /// The bit vectors that some concrete state may be led to. The may targets are the vectors that agree with one of them.
    pub may: BTreeSet<AbstractState>,
    /// The most precise vectors that all concrete states can be led to. The must targets are these and all weaker ones.
    pub must: Vec<TriState>,
    /// Whether the command is enabled in all concrete states.
    pub always: bool,
}

type Known = Rc<Vec<(CommandId, TriTargets)>>;

/// A program seen through vectors, with what is known of them.
pub struct CartesianAbstraction<'p> {
    abstraction: PredicateAbstraction<'p>,
    /// How many predicates a question about a target may look at together.
    depth: Option<usize>,
    /// The inhabited bit vectors of each control.
    inhabited: FxHashMap<Box<[Value]>, Rc<Vec<AbstractState>>>,
    /// Where vectors lead.
    known: FxHashMap<TriState, Known>,
    /// What was known with fewer predicates, the most of them first.
    before: Vec<Knowledge>,
}

impl<'p> CartesianAbstraction<'p> {
    /// The program of `abstraction` through its predicates.
    pub fn new(abstraction: PredicateAbstraction<'p>) -> Self {
        Self {
            abstraction,
            depth: None,
            inhabited: FxHashMap::default(),
            known: FxHashMap::default(),
            before: Vec::new(),
        }
    }

    /// The same, with targets looked at through `depth` predicates at a time only; see `limited`.
    pub fn limited(abstraction: PredicateAbstraction<'p>, depth: usize) -> Self {
        Self { depth: Some(depth), ..Self::new(abstraction) }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.abstraction.program()
    }

    /// The predicates, with where they count.
    pub fn precision(&self) -> &Precision {
        self.abstraction.precision()
    }

    /// What the solver was asked.
    pub fn statistics(&self) -> ProverStatistics {
        self.abstraction.statistics()
    }

    /// What was left out because there was too much of it.
    pub fn left_out(&self) -> LeftOut {
        self.abstraction.left_out()
    }

    /// The prover, to ask further questions.
    pub fn prover(&mut self) -> &mut Prover<'p> {
        self.abstraction.prover()
    }

    /// The abstract states where the program may begin, each with whether it is known to stand for an initial state.
    pub fn initial(&mut self, context: &Context) -> Result<Vec<(AbstractState, bool)>, StopReason> {
        self.abstraction.initial(context)
    }

    /// The inhabited bit vectors that a state stands for, as far as the solver knows.
    pub fn below(&mut self, context: &Context, state: &TriState) -> Result<Vec<AbstractState>, StopReason> {
        if let Some(exact) = state.as_exact() {
            return Ok(vec![exact]);
        }
        let all = match self.inhabited.get(&state.control) {
            Some(all) => Rc::clone(all),
            None => {
                let all = Rc::new(self.abstraction.inhabited(context, &state.control)?);
                self.inhabited.insert(state.control.clone(), Rc::clone(&all));
                all
            }
        };
        Ok(all.iter().filter(|exact| state.covers(exact)).cloned().collect())
    }

    /// Where every command leads from a vector, in the order of commands; those that lead nowhere are left out. The
    /// vector has to stand for something.
    pub fn targets(&mut self, context: &Context, state: &TriState) -> Result<Known, StopReason> {
        if let Some(known) = self.known.get(state) {
            return Ok(Rc::clone(known));
        }
        let all = match (self.depth, self.coarser(state), state.as_exact()) {
            (Some(depth), ..) => self.limited_targets(context, state, depth)?,
            (None, coarse, Some(exact)) => self.exact_targets(context, &exact, coarse)?,
            (None, Some(coarse), None) => self.grown_targets(context, state, &coarse)?,
            (None, None, None) => {
                let nothing = self.nothing_known(context, state)?;
                self.grown_targets(context, state, &nothing)?
            }
        };
        let known = Rc::new(all);
        self.known.insert(state.clone(), Rc::clone(&known));
        Ok(known)
    }

    /// The value of a truth value at a state: what all its concrete states agree on.
    pub fn value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene {
        self.abstraction.tri_value(context, state, term)
    }
}
