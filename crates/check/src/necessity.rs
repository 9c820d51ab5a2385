//! Where each node of a formula is necessarily true: the fast checker.
//!
//! The equations are solved component by component, each with the cheapest method that is right for it:
//! an equation without recursion in one pass over the system, a component with fixpoints of one sign by propagation
//! along reversed transitions (`propagation`), and a component with both signs as a parity game whose edges are
//! never stored (`product`, `game`). For a fixed formula of alternation depth 1 the whole is linear in the system.
//!
//! Memory: one bit per equation and state, the reversed transitions (8 bytes each), and inside one recursive component a
//! counter of 4 bytes per state for each universal modality. Moves are recorded only on demand, 4 bytes per state for
//! each existential operator under recursion.

use crate::equations::{EquationId, Equations, Operator, Recursion};
use crate::names::ActionSet;
use crate::ranked::RankedWins;
use crate::reversed::Reversed;
use crate::{product, propagation};
use std::sync::{Arc, OnceLock};
use tertium_logic::Sign;
use tertium_support::{Context, Id, StopReason};
use tertium_system::{ActionId, Domain, PartialSystem, RankedSteps, StateId, StateSet};

/// What does not depend on the formula: computed once per system, shared by all checks on it.
#[derive(Debug)]
pub struct Prepared<'a> {
    system: Held<'a>,
    /// Made when first needed: many questions are answered without.
    reversed: OnceLock<Reversed>,
    /// Whether every transition is both may and must, so that modalities need not look.
    pub(crate) uniform: bool,
    pub(crate) hyper: HyperIndex,
    /// What steps do to ranks, if there are any.
    ranks: Option<Arc<RankedSteps>>,
}

/// A system that somebody else keeps, or that is kept together.
#[derive(Debug)]
enum Held<'a> {
    Borrowed(&'a PartialSystem),
    Shared(Arc<PartialSystem>),
}

/// The hyper-musts seen from their targets.
#[derive(Debug, Default)]
pub(crate) struct HyperIndex {
    pub(crate) source: Vec<StateId>,
    offsets: Vec<u32>,
    positions: Vec<u32>,
}

impl HyperIndex {
    fn new(system: &PartialSystem) -> Self {
        let hyper = system.hyper_musts();
        if hyper.is_empty() {
            return Self::default();
        }
        let mut into: Vec<Vec<u32>> = vec![Vec::new(); system.n_states()];
        let mut source = vec![StateId::from_raw(0); hyper.len()];
        for state in system.states() {
            for position in hyper.range(state) {
                source[position] = state;
                for target in hyper.at(position).1 {
                    into[target.index()].push(position as u32);
                }
            }
        }
        let mut index = Self { source, offsets: vec![0], positions: Vec::new() };
        for row in into {
            index.positions.extend(row);
            index.offsets.push(index.positions.len() as u32);
        }
        debug_assert_eq!(index.offsets.len(), system.n_states() + 1, "every state has its row");
        index
    }

    /// The hyper-musts that have `state` among their targets.
    pub(crate) fn reaching(&self, state: StateId) -> &[u32] {
        if self.source.is_empty() {
            return &[];
        }
        let range = self.offsets[state.index()] as usize..self.offsets[state.index() + 1] as usize;
        &self.positions[range]
    }
}

impl<'a> Prepared<'a> {
    /// Prepares `system` for checking.
    pub fn new(context: &Context, system: &'a PartialSystem) -> Result<Self, StopReason> {
        Self::of(context, Held::Borrowed(system))
    }

    /// Prepares a system for checking, and keeps it.
    pub fn shared(context: &Context, system: Arc<PartialSystem>) -> Result<Prepared<'static>, StopReason> {
        Prepared::of(context, Held::Shared(system))
    }

    fn of(context: &Context, held: Held<'a>) -> Result<Self, StopReason> {
        context.poll()?;
        let mut prepared = Self {
            system: held,
            reversed: OnceLock::new(),
            uniform: true,
            hyper: HyperIndex::default(),
            ranks: None,
        };
        let labels = prepared.system().transitions().labels();
        prepared.uniform = labels.iter().all(|label| label.modality() == tertium_system::Modality::Both);
        prepared.hyper = HyperIndex::new(prepared.system());
        Ok(prepared)
    }

    /// The same system, with ranks: checks may rely on what steps do to them. See `ranked`.
    #[must_use]
    pub fn with_ranks(self, ranks: Arc<RankedSteps>) -> Self {
        Self { ranks: Some(ranks).filter(|ranks| ranks.n_ranks() > 0), ..self }
    }

    /// What steps do to ranks, if there are any.
    pub fn ranks(&self) -> Option<&Arc<RankedSteps>> {
        self.ranks.as_ref()
    }

    /// Makes sure that [`Prepared::reversed`] is there.
    pub(crate) fn reverse(&self, context: &Context) -> Result<(), StopReason> {
        if self.reversed.get().is_none() {
            let system = self.system();
            context.reserve(8 * system.transitions().len() as u64 + 4 * system.n_states() as u64)?;
            self.reversed.get_or_init(|| Reversed::new(system.transitions()));
        }
        Ok(())
    }

    /// Whether the transitions were reversed already.
    pub(crate) fn is_reversed(&self) -> bool {
        self.reversed.get().is_some()
    }

    /// The transitions seen from their targets; [`Prepared::reverse`] was called before.
    #[inline]
    pub(crate) fn reversed(&self) -> &Reversed {
        self.reversed.get().expect("the transitions were reversed before they are followed backwards")
    }

    /// The system.
    #[inline]
    pub fn system(&self) -> &PartialSystem {
        match &self.system {
            Held::Borrowed(system) => system,
            Held::Shared(system) => system,
        }
    }
}

/// Whether to remember how the prover wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// Only where the formula holds.
    Values,
    /// Also the moves that show it, for evidence.
    Moves,
}

/// How the prover moves at an existential operator under recursion; one entry per state.
///
/// At a disjunction: the index of the operand. At a diamond: the target of a single must, or `n_states` plus the
/// position of a hyper-must. At a cover: one entry per *concrete* state, the state that stands for it.
pub(crate) type Moves = Vec<u32>;

/// No move was recorded: the prover does not win there, or any winning move will do.
pub(crate) const NO_MOVE: u32 = u32::MAX;

/// The solution: for each equation the states where it holds.
#[derive(Debug)]
pub(crate) struct Necessity {
    pub(crate) holds: Vec<StateSet>,
    pub(crate) moves: Vec<Option<Moves>>,
    /// How many steps of the system propagation looked at.
    pub(crate) looked_at: u64,
    /// Where more holds because of ranks.
    pub(crate) ranked: RankedWins,
}

/// The problem handed to the methods for one component.
pub(crate) struct Problem<'a> {
    pub(crate) prepared: &'a Prepared<'a>,
    pub(crate) equations: &'a Equations,
    pub(crate) domain: Option<&'a Domain>,
    pub(crate) record: Record,
}

impl Problem<'_> {
    pub(crate) fn system(&self) -> &PartialSystem {
        self.prepared.system()
    }

    pub(crate) fn domain(&self) -> &Domain {
        self.domain.expect("covers occur only where a domain is given")
    }
}

/// Solves the equations. `domain` is needed when they contain covers.
pub(crate) fn solve(context: &Context, problem: &Problem<'_>) -> Result<Necessity, StopReason> {
    let n = problem.system().n_states();
    let equations = problem.equations;
    context.reserve((equations.len() * n / 8) as u64)?;
    let mut solution = Necessity::unsolved(equations);
    for (members, recursion) in equations.components() {
        solve_component(context, problem, members, *recursion, &mut solution)?;
    }
    Ok(solution)
}

/// Solves one component; those that it depends on are solved.
pub(crate) fn solve_component(
    context: &Context,
    problem: &Problem<'_>,
    members: &[EquationId],
    recursion: Recursion,
    solution: &mut Necessity,
) -> Result<(), StopReason> {
    match recursion {
        Recursion::None => {
            debug_assert_eq!(members.len(), 1, "without recursion there is one equation");
            let value = evaluate(context, problem, solution, members[0])?;
            solution.holds[members[0].index()] = value;
            Ok(())
        }
        Recursion::Single(sign) => propagation::solve(context, problem, members, sign, solution),
        Recursion::Alternating => product::solve(context, problem, members, solution),
    }
}

/// The value of an equation whose operands are known.
pub(crate) fn evaluate(
    context: &Context,
    problem: &Problem<'_>,
    solution: &Necessity,
    id: EquationId,
) -> Result<StateSet, StopReason> {
    let system = problem.system();
    let n = system.n_states();
    let holds = |operand: &EquationId| &solution.holds[operand.index()];
    debug_assert!(
        problem.equations.operator(id).operands().iter().all(|operand| holds(operand).universe() == n),
        "operands are solved before"
    );
    let mut ticker = context.ticker("checking");
    ticker.tick(n)?;
    Ok(match problem.equations.operator(id) {
        Operator::Constant(true) => StateSet::full(n),
        Operator::Constant(false) | Operator::Literal { prop: None, .. } => StateSet::empty(n),
        Operator::Literal { prop: Some(prop), negated: false } => system.labels().must(*prop).clone(),
        Operator::Literal { prop: Some(prop), negated: true } => system.labels().may(*prop).complement(),
        Operator::And(parts) => {
            let mut all = StateSet::full(n);
            parts.iter().for_each(|part| all.intersect_with(holds(part)));
            all
        }
        Operator::Or(parts) => {
            let mut any = StateSet::empty(n);
            parts.iter().for_each(|part| any.union_with(holds(part)));
            any
        }
        Operator::Diamond(set, body) => {
            let (actions, body) = (problem.equations.actions(*set), holds(body));
            let mut result = StateSet::empty(n);
            for state in system.states() {
                ticker.tick(1)?;
                if find_must(system, actions, state, body).is_some() {
                    result.insert(state);
                }
            }
            result
        }
        Operator::Box(set, body) => {
            let (actions, body) = (problem.equations.actions(*set), holds(body));
            let mut result = StateSet::empty(n);
            for state in system.states() {
                ticker.tick(1)?;
                let (labels, targets) = system.transitions().row(state);
                let all_inside = labels.iter().zip(targets).all(|(label, &target)| {
                    body.contains(target) || !label.is_may() || !actions.contains(label.action())
                });
                if all_inside {
                    result.insert(state);
                }
            }
            result
        }
        Operator::Cover(body) => {
            let domain = problem.domain();
            let covered = domain.gamma_of(holds(body).iter());
            StateSet::filter(n, |state| domain.gamma(state).is_subset(&covered))
        }
        Operator::Fixpoint { body, .. } => holds(body).clone(),
    })
}

/// A must of `state` with one of `actions`, all of whose targets are in `body`.
fn find_must(
    system: &PartialSystem,
    actions: &ActionSet,
    state: StateId,
    body: &StateSet,
) -> Option<MustStep> {
    let transitions = system.transitions();
    let (labels, targets) = transitions.row(state);
    let single = labels.iter().zip(targets).find(|(label, target)| {
        label.is_must() && body.contains(**target) && actions.contains(label.action())
    });
    if let Some((label, &target)) = single {
        return Some(MustStep::Single(label.action(), target));
    }
    let hyper = system.hyper_musts();
    hyper.range(state).find_map(|position| {
        let (action, targets) = hyper.at(position);
        (actions.contains(action) && targets.iter().all(|&target| body.contains(target)))
            .then_some(MustStep::Hyper(position))
    })
}

/// A must that the prover takes at a diamond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MustStep {
    /// To one state.
    Single(ActionId, StateId),
    /// The hyper-must at this position; the other player chooses the target.
    Hyper(usize),
}

impl Necessity {
    /// Before anything is known.
    pub(crate) fn unsolved(equations: &Equations) -> Self {
        let n = equations.len();
        Self {
            holds: vec![StateSet::empty(0); n],
            moves: vec![None; n],
            looked_at: 0,
            ranked: RankedWins::default(),
        }
    }

    /// Whether an equation holds at `state`, with ranks or without.
    pub(crate) fn contains(&self, id: EquationId, state: StateId) -> bool {
        self.holds[id.index()].contains(state) || self.ranked.contains(id, state)
    }

    /// The operand by which a disjunction holds at `state`.
    pub(crate) fn operand(&self, equations: &Equations, id: EquationId, state: StateId) -> EquationId {
        if let Some(chosen) = self.ranked.operand(id, state) {
            return chosen;
        }
        let operands = equations.operator(id).operands();
        match self.recorded(id, state.index()) {
            Some(index) => {
                let chosen = operands[index];
                debug_assert!(self.holds[chosen.index()].contains(state), "the recorded operand holds");
                chosen
            }
            None => *operands
                .iter()
                .find(|operand| self.holds[operand.index()].contains(state))
                .expect("a disjunction that holds has an operand that holds"),
        }
    }

    /// The must by which a diamond holds at `state`.
    pub(crate) fn step(
        &self,
        system: &PartialSystem,
        equations: &Equations,
        id: EquationId,
        state: StateId,
    ) -> MustStep {
        let Operator::Diamond(set, body) = equations.operator(id) else {
            unreachable!("steps belong to diamonds")
        };
        if let Some(chosen) = self.ranked.step(id, state) {
            return chosen;
        }
        let actions = equations.actions(*set);
        match self.recorded(id, state.index()) {
            Some(target) if target < system.n_states() => {
                let target = StateId::new(target);
                debug_assert!(
                    self.holds[body.index()].contains(target),
                    "the recorded must leads into the body"
                );
                let (action, _) = system
                    .must(state)
                    .find(|&(action, other)| other == target && actions.contains(action))
                    .expect("the recorded must exists");
                MustStep::Single(action, target)
            }
            Some(hyper) => {
                let position = hyper - system.n_states();
                debug_assert!(
                    system.hyper_musts().range(state).contains(&position),
                    "the recorded hyper-must leaves the state"
                );
                MustStep::Hyper(position)
            }
            None => find_must(system, actions, state, &self.holds[body.index()])
                .expect("a diamond that holds has a must into its body"),
        }
    }

    /// The state in the body of a cover that stands for `concrete`.
    pub(crate) fn pick(
        &self,
        domain: &Domain,
        equations: &Equations,
        id: EquationId,
        concrete: tertium_system::ConcreteId,
    ) -> StateId {
        if let Some(chosen) = self.ranked.pick(id, concrete) {
            return chosen;
        }
        let body = equations.operator(id).operands()[0];
        match self.recorded(id, concrete.index()) {
            Some(state) => {
                let state = StateId::new(state);
                debug_assert!(domain.gamma(state).contains(concrete), "the recorded state stands for it");
                state
            }
            None => domain
                .abstractions(concrete)
                .find(|&state| self.holds[body.index()].contains(state))
                .expect("a cover that holds covers its concretisation"),
        }
    }

    fn recorded(&self, id: EquationId, index: usize) -> Option<usize> {
        let moves = self.moves[id.index()].as_ref()?;
        (moves[index] != NO_MOVE).then_some(moves[index] as usize)
    }
}

/// Whether an operator lets the prover choose in a component of this sign, so that moves must be recorded there: a
/// least fixpoint must make progress, a greatest one need only stay where it holds.
pub(crate) fn records(record: Record, sign: Sign) -> bool {
    record == Record::Moves && sign == Sign::Least
}
