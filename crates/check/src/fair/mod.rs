//! CTL with justice, and linear time with justice and compassion, on the listed states of a model.
//!
//! The checker sees a [`StateGraph`], the steps where propositions hold, and the steps of each fairness constraint. It
//! knows nothing of where they come from. The rules for paths that end, and for fairness:
//!
//! - Without justice constraints CTL is read by its fixpoint equations: a state without steps satisfies no `EX f`, every
//!   `AX f`, and no `EG f`.
//! - With justice, path quantifiers range over fair paths, which are infinite: `EX f` and `E[f U g]` end in states where
//!   a fair path starts. Compassion has no part in CTL.
//! - Linear properties are about infinite paths that satisfy justice and compassion. Their propositions may differ
//!   between the steps of one state.
//! - Invariants and lengths of paths are about all reachable states.
//!
//! A graph may be cut. What is listed is really there, so a state, a path or a lasso that is found decides as it does in
//! the whole. In CTL every set is computed from both sides: where a formula surely holds, and where it may hold if open
//! states have the steps that suit it. So every definite answer holds for the whole model, and the others are `None`.

mod ctl;
mod lengths;
mod listed_sets;
mod ltl;
mod places;
mod predecessors;
mod staying;
mod streett;
mod tableau;
mod walk;

pub use lengths::Length;
pub use staying::Staying;

use crate::explain::Explanation;
use ctl::{Ctl, Side};
use listed_sets::ListedSets;
use predecessors::Predecessors;
use std::collections::BTreeMap;
use tertium_evidence::{Evidence, Trace};
use tertium_logic::{Formula, Ltl, as_claim};
use tertium_support::{Context, Id, Span, StopReason};
use tertium_system::{StateGraph, StateId, StateSet, StepFairness, StepId, StepSet};

/// Where propositions hold, by name.
pub type Propositions = BTreeMap<String, StepSet>;
/// Evidence about the states and steps of a graph.
pub type GraphEvidence = Evidence<StateId, StepId>;
/// A path of a graph.
pub type GraphTrace = Trace<StateId, StepId>;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FairError {
    /// A limit was reached.
    Stopped(StopReason),
    /// The formula has too many operators.
    TooLarge,
    /// The formula has an operator that is not of this logic, or a proposition that is not given, or not for states.
    NotUnderstood(Span),
}

impl From<StopReason> for FairError {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

/// What was found out about a property.
#[derive(Clone, Debug)]
pub struct FairAnswer {
    /// Whether it holds; nothing if what is not listed decides.
    pub holds: Option<bool>,
    /// Why it fails, or the paths that it claims to exist.
    pub evidence: Option<GraphEvidence>,
}

/// What several questions about one graph share. It is about the graph that it was first used with.
#[derive(Debug, Default)]
pub struct FairMemory {
    /// States that may have steps that are not listed.
    open: Option<StateSet>,
    predecessors: Option<Predecessors>,
    /// By side: the states where a fair path starts, once that was asked for.
    fair: [Option<StateSet>; 2],
}

/// A graph with its fairness.
#[derive(Debug)]
pub struct FairChecker<'g, G> {
    graph: &'g G,
    fairness: &'g StepFairness,
    open: StateSet,
    memory: &'g mut FairMemory,
}

impl<'g, G: StateGraph> FairChecker<'g, G> {
    /// Prepares a graph. The memory is new, or was used with the same graph and the same fairness.
    pub fn new(graph: &'g G, fairness: &'g StepFairness, memory: &'g mut FairMemory) -> Self {
        let open = memory.open.get_or_insert_with(|| graph.open_states()).clone();
        Self { graph, fairness, open, memory }
    }

    /// Whether all reachable states and steps are listed.
    pub fn is_complete(&self) -> bool {
        self.graph.has_all_initial() && self.open.is_empty()
    }

    fn initial(&self) -> StateSet {
        StateSet::of(self.graph.n_states(), StateId::first(self.graph.n_initial()))
    }

    /// Whether a formula holds at all initial states where a fair path starts. Evidence has at most `most_claims` claims;
    /// with 0 there is none.
    pub fn check_ctl(
        &mut self,
        context: &Context,
        propositions: &Propositions,
        formula: &Formula,
        most_claims: usize,
    ) -> Result<FairAnswer, FairError> {
        let (initial, all_initial) = (self.initial(), self.graph.has_all_initial());
        let mut ctl = Ctl::new(context, self, propositions)?;
        let surely = ctl.states(formula, Side::Surely)?;
        let possibly = if ctl.is_cut() { ctl.states(formula, Side::Possibly)? } else { surely.clone() };
        debug_assert!(surely.is_subset(&possibly), "what surely holds may hold");
        let counted = initial.intersection(ctl.fair(Side::Surely));
        let may_count = initial.intersection(ctl.fair(Side::Possibly));
        let failing = counted.intersection(&possibly.complement());
        let holds = if !failing.is_empty() {
            Some(false)
        } else {
            (all_initial && may_count.is_subset(&surely)).then_some(true)
        };
        let from = match holds {
            Some(true) => counted,
            Some(false) => failing,
            None => StateSet::empty(initial.universe()),
        };
        let mut evidence = None;
        if let Some(holds) = holds
            && most_claims > 0
            && !from.is_empty()
        {
            let claim = as_claim(formula, holds);
            let tree = Explanation::new(ListedSets::new(ctl), most_claims).explain(&claim, &from)?;
            // Of a property that holds, only paths are worth showing.
            evidence = (!holds || tree.has_path()).then_some(Evidence::Tree(tree));
        }
        Ok(FairAnswer { holds, evidence })
    }

    /// The listed states that satisfy a CTL formula, whatever is not listed.
    pub fn satisfying_states(
        &mut self,
        context: &Context,
        propositions: &Propositions,
        formula: &Formula,
    ) -> Result<StateSet, FairError> {
        Ctl::new(context, self, propositions)?.states(formula, Side::Surely)
    }

    /// Whether a formula without temporal operators holds at all reachable states. The evidence is a shortest path.
    pub fn check_invariant(
        &mut self,
        context: &Context,
        propositions: &Propositions,
        formula: &Formula,
    ) -> Result<FairAnswer, FairError> {
        let bad = Ctl::new(context, self, propositions)?.states(formula, Side::Possibly)?.complement();
        if bad.is_empty() {
            return Ok(FairAnswer { holds: self.is_complete().then_some(true), evidence: None });
        }
        let everywhere = StateSet::full(self.graph.n_states());
        let path = walk::shortest(self.graph, &self.initial(), &everywhere, &bad);
        Ok(FairAnswer { holds: Some(false), evidence: path.map(Evidence::Trace) })
    }

    /// Whether a formula holds on all fair paths from initial states. The evidence is a lasso.
    pub fn check_ltl(
        &self,
        context: &Context,
        propositions: &Propositions,
        formula: &Ltl,
    ) -> Result<FairAnswer, FairError> {
        let lasso = ltl::counterexample(context, self.graph, self.fairness, propositions, formula)?;
        let holds = if lasso.is_some() { Some(false) } else { self.is_complete().then_some(true) };
        Ok(FairAnswer { holds, evidence: lasso.map(Evidence::Trace) })
    }

    /// The length of a shortest path from `f` to `g`; nothing if the graph is cut.
    pub fn shortest(
        &mut self,
        context: &Context,
        propositions: &Propositions,
        f: &Formula,
        g: &Formula,
    ) -> Result<Option<Length>, FairError> {
        self.length(context, propositions, (f, g), lengths::minimum)
    }

    /// The length of a longest path from `f` to `g`; nothing if the graph is cut.
    pub fn longest(
        &mut self,
        context: &Context,
        propositions: &Propositions,
        f: &Formula,
        g: &Formula,
    ) -> Result<Option<Length>, FairError> {
        self.length(context, propositions, (f, g), lengths::maximum)
    }

    fn length(
        &mut self,
        context: &Context,
        propositions: &Propositions,
        (f, g): (&Formula, &Formula),
        measure: fn(&mut Ctl<'_, 'g, G>, &StateSet, &StateSet) -> Result<Length, FairError>,
    ) -> Result<Option<Length>, FairError> {
        if !self.is_complete() {
            return Ok(None);
        }
        let mut ctl = Ctl::new(context, self, propositions)?;
        let (f, g) = (ctl.states(f, Side::Surely)?, ctl.states(g, Side::Surely)?);
        measure(&mut ctl, &f, &g).map(Some)
    }

    /// Whether at some initial state surely no fair path begins.
    pub fn has_unfair_initial_state(&mut self, context: &Context) -> Result<bool, FairError> {
        let initial = self.initial();
        let none = Propositions::new();
        let ctl = Ctl::new(context, self, &none)?;
        Ok(!initial.is_subset(ctl.fair(Side::Possibly)))
    }

    /// How many steps it is to the nearest listed state that has none, if there is one.
    pub fn steps_to_deadlock(&self) -> Option<usize> {
        let dead = self.graph.deadlocks();
        let everywhere = StateSet::full(self.graph.n_states());
        let path = walk::shortest(self.graph, &self.initial(), &everywhere, &dead)?;
        Some(path.states.len() - 1)
    }
}
