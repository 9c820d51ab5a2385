//! The two sides of a question: where a formula is necessarily true, and where its negation is.

use crate::Semantics;
use crate::equations::{Equations, Modalities};
use crate::necessity::{Necessity, Prepared, Problem, Record, solve};
use crate::ranked;
use crate::strategy::{Proof, extract};
use std::sync::Arc;
use tertium_evidence::{Ranking, Strategy};
use tertium_logic::{Formula, FormulaGraph};
use tertium_support::{Context, StopReason, beside};
use tertium_system::{Domain, StateId};

/// From so many transitions on, proof and refutation run side by side: below, starting a thread costs more.
pub(crate) const SIDE_BY_SIDE: usize = 1 << 16;

/// Which of the two sides of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// That the formula is necessarily true.
    Proof,
    /// That its negation is.
    Refutation,
}

/// The two sets of equations of one formula. Equation k of one is the dual of equation k of the other.
pub(crate) struct Question<'a> {
    pub(crate) prepared: &'a Prepared<'a>,
    pub(crate) domain: Option<&'a Domain>,
    pub(crate) graph: FormulaGraph,
    dual: FormulaGraph,
    pub(crate) equations: Equations,
    dual_equations: Equations,
    /// Whether ranks count, if there are any: thorough semantics does not know them.
    ranked: bool,
}

impl<'a> Question<'a> {
    pub(crate) fn new(prepared: &'a Prepared<'a>, formula: &Formula, semantics: Semantics) -> Self {
        let system = prepared.system();
        let graph = FormulaGraph::new(formula);
        let dual = graph.dual();
        // Where every state stands for itself, reduction changes nothing.
        let (modalities, domain) = match (semantics, system.domain()) {
            (Semantics::Ris, Some(domain)) => (Modalities::Reduced, Some(domain)),
            _ => (Modalities::Standard, None),
        };
        let equations = Equations::new(system, &graph, modalities);
        let dual_equations = Equations::new(system, &dual, modalities);
        debug_assert_eq!(equations.len(), dual_equations.len(), "equations are dual one by one");
        debug_assert_eq!(equations.root(), dual_equations.root(), "the roots are dual");
        let ranked = prepared.ranks().is_some() && semantics != Semantics::Thorough;
        Self { prepared, domain, graph, dual, equations, dual_equations, ranked }
    }

    fn side(&self, side: Side) -> (&FormulaGraph, &Equations) {
        match side {
            Side::Proof => (&self.graph, &self.equations),
            Side::Refutation => (&self.dual, &self.dual_equations),
        }
    }

    pub(crate) fn problem(&self, side: Side, record: Record) -> Problem<'_> {
        let (_, equations) = self.side(side);
        Problem { prepared: self.prepared, equations, domain: self.domain, record }
    }

    pub(crate) fn necessity(
        &self,
        context: &Context,
        side: Side,
        record: Record,
    ) -> Result<Necessity, StopReason> {
        solve(context, &self.problem(side, record))
    }

    /// Both sides. They need nothing of each other, so on a large system they run side by side; if the memory does not
    /// allow that, one after the other.
    pub(crate) fn both(
        &self,
        context: &Context,
        record: Record,
    ) -> Result<(Necessity, Necessity), StopReason> {
        if self.prepared.system().transitions().len() >= SIDE_BY_SIDE {
            let (proved, refuted) = std::thread::scope(|scope| {
                let refuted = beside(scope, || self.necessity(context, Side::Refutation, record));
                let proved = self.necessity(context, Side::Proof, record);
                (proved, refuted.join())
            });
            match (proved, refuted) {
                (Err(StopReason::MemoryLimit), _) | (_, Err(StopReason::MemoryLimit)) => {}
                (proved, refuted) => return Ok((proved?, refuted?)),
            }
        }
        let proved = self.necessity(context, Side::Proof, record)?;
        Ok((proved, self.necessity(context, Side::Refutation, record)?))
    }

    /// What more holds at these states because of ranks.
    pub(crate) fn by_ranks(
        &self,
        context: &Context,
        side: Side,
        necessity: &mut Necessity,
        states: &[StateId],
    ) -> Result<(), StopReason> {
        if self.ranked && !states.is_empty() {
            let problem = self.problem(side, Record::Moves);
            necessity.ranked = ranked::solve(context, &problem, necessity, states)?;
        }
        Ok(())
    }

    pub(crate) fn strategy(
        &self,
        context: &Context,
        side: Side,
        necessity: &Necessity,
        states: &[StateId],
    ) -> Result<Strategy, StopReason> {
        let (graph, equations) = self.side(side);
        let system = self.prepared.system();
        let proof = Proof { system, domain: self.domain, equations, necessity };
        let strategy = extract(context, &proof, graph.clone(), states)?;
        let uses = necessity.ranked.uses(equations);
        Ok(match self.prepared.ranks() {
            Some(ranks) if !uses.is_empty() => {
                strategy.with_ranking(Ranking { steps: Arc::clone(ranks), uses })
            }
            _ => strategy,
        })
    }
}
