//! Predicate-cartesian abstraction \[GHJ01\]: abstract states are vectors over 0, 1 and *, a star for a predicate that is left open.
//!
//! A vector stands for all states of the bit vectors that agree with it. So its may targets are the union of theirs, and a vector is
//! a must target iff it is one of each; both come from what is known of bit vectors without another solver call. Must targets are
//! closed under leaving more open, so the most precise ones say everything.
//!
//! Unlike bit vectors, vectors can be refined without loss: with more predicates every must step stays and no may step comes back, so what is
//! known need not be asked again; see `grow`.
//!
//! Taken literally, the definition has a may step into every vector that overlaps, up to the one that leaves everything open, and then
//! hardly anything holds of all successors. [`Form::Mixed`] has may steps into bit vectors only; each concrete successor is still
//! covered, so it is as sound, and it is what to use.

mod explore;
mod grow;
mod limited;
mod musts;
mod state;

pub use explore::{CartesianSystem, Form, explore_cartesian};
pub use state::TriState;
pub(crate) use state::weaker;

use crate::{AbstractState, PredicateAbstraction, Predicates};
use grow::Knowledge;
use rustc_hash::FxHashMap;
use state::most_precise;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Program};
use tertium_solve::{Prover, ProverStatistics};
use tertium_support::{Context, StopReason};
use tertium_truth::{Kleene, TriVector};

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

/// A program seen through vectors, with what is known of bit vectors.
pub struct CartesianAbstraction<'p> {
    abstraction: PredicateAbstraction<'p>,
    /// How many predicates a question about a target may look at together.
    depth: Option<usize>,
    /// The inhabited bit vectors of each control.
    inhabited: FxHashMap<Box<[Value]>, Rc<Vec<AbstractState>>>,
    /// Where bit vectors lead.
    known: FxHashMap<AbstractState, Known>,
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

    /// The predicates.
    pub fn predicates(&self) -> &Predicates {
        self.abstraction.predicates()
    }

    /// What the solver was asked.
    pub fn statistics(&self) -> ProverStatistics {
        self.abstraction.statistics()
    }

    /// The prover, to ask further questions.
    pub fn prover(&mut self) -> &mut Prover<'p> {
        self.abstraction.prover()
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

    /// Where every command leads from a bit vector, in the order of commands; those that lead nowhere are left out.
    pub fn exact_targets(&mut self, context: &Context, state: &AbstractState) -> Result<Known, StopReason> {
        if let Some(known) = self.known.get(state) {
            return Ok(Rc::clone(known));
        }
        let all = match (self.depth, self.coarser(state)) {
            (Some(depth), _) => self.limited_targets(context, state, depth)?,
            (None, Some(coarse)) => self.grown_targets(context, state, &coarse)?,
            (None, None) => self.new_targets(context, state)?,
        };
        let known = Rc::new(all);
        self.known.insert(state.clone(), Rc::clone(&known));
        Ok(known)
    }

    fn new_targets(
        &mut self,
        context: &Context,
        state: &AbstractState,
    ) -> Result<Vec<(CommandId, TriTargets)>, StopReason> {
        let mut all = Vec::new();
        for (command, targets) in self.abstraction.successors(context, state)? {
            let must = self.abstraction.cartesian_musts(context, state, command, &targets)?;
            all.push((command, TriTargets { may: targets.may, must, always: targets.always }));
        }
        Ok(all)
    }

    /// Where every command leads from a vector, in the order of commands; those that lead nowhere are left out.
    pub fn targets(
        &mut self,
        context: &Context,
        state: &TriState,
    ) -> Result<Vec<(CommandId, TriTargets)>, StopReason> {
        let below = self.below(context, state)?;
        let mut all: Vec<(CommandId, TriTargets)> = Vec::new();
        for (n, exact) in below.iter().enumerate() {
            let known = self.exact_targets(context, exact)?;
            // A command that one of them lacks has no must target.
            for (command, targets) in &mut all {
                if !known.iter().any(|(other, _)| other == command) {
                    targets.must.clear();
                    targets.always = false;
                }
            }
            for (command, targets) in known.iter() {
                match all.iter_mut().find(|(other, _)| other == command) {
                    None => {
                        let mut targets = targets.clone();
                        if n > 0 {
                            targets.must.clear();
                            targets.always = false;
                        }
                        all.push((*command, targets));
                    }
                    Some((_, known)) => {
                        known.may.extend(targets.may.iter().cloned());
                        known.must = in_both(&known.must, &targets.must);
                        known.always &= targets.always;
                    }
                }
            }
        }
        all.sort_by_key(|(command, _)| *command);
        Ok(all)
    }

    /// The value of a truth value at a state: what all its concrete states agree on.
    pub fn value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene {
        self.abstraction.tri_value(context, state, term)
    }
}

/// What is weaker than one of the first and than one of the second, by its most precise members.
fn in_both(first: &[TriState], second: &[TriState]) -> Vec<TriState> {
    let mut by_control: Vec<(Box<[Value]>, Vec<TriVector>)> = Vec::new();
    for one in first {
        for other in second.iter().filter(|other| other.control == one.control) {
            let vector = one.vector.align(&other.vector);
            match by_control.iter_mut().find(|(control, _)| *control == one.control) {
                Some((_, vectors)) => vectors.push(vector),
                None => by_control.push((one.control.clone(), vec![vector])),
            }
        }
    }
    let states = by_control.into_iter().flat_map(|(control, vectors)| {
        most_precise(vectors).into_iter().map(move |vector| TriState { control: control.clone(), vector })
    });
    states.collect()
}
