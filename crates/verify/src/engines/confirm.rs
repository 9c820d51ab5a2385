//! The validators of evidence about systems with may and must, as the door takes them.

use crate::{Flaw, Replay};
use std::sync::Arc;
use tertium_check::{Semantics, check_enumeration, check_strategy};
use tertium_evidence::{Covers, Evidence, Strategy, as_trace, check_blocking, check_trace};
use tertium_logic::{Formula, FormulaGraph};
use tertium_support::{Context, StopReason};
use tertium_system::{PartialSystem, RankedSteps, StateId};
use tertium_truth::Verdict;

/// The evidence of a verdict on a system.
pub(crate) struct OnSystem {
    pub(crate) system: Arc<PartialSystem>,
    /// What its steps do to ranks, if there are any.
    pub(crate) ranks: Option<Arc<RankedSteps>>,
    pub(crate) semantics: Semantics,
    pub(crate) formula: Formula,
    pub(crate) verdict: Verdict,
    pub(crate) evidence: Evidence,
}

impl Replay for OnSystem {
    fn by(&self) -> &'static str {
        match self.evidence {
            Evidence::Enumeration { .. } => "a second enumeration",
            Evidence::Open(_) => "replay on the system",
            _ => "the validator of strategies",
        }
    }

    fn replay(&self, context: &Context) -> Result<(), Flaw> {
        let property = FormulaGraph::new(&self.formula);
        match &self.evidence {
            Evidence::Enumeration { refinements } => {
                let found =
                    check_enumeration(context, &self.system, &self.formula, self.verdict, *refinements);
                match found {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(Flaw::Stopped(context.poll().err().unwrap_or(StopReason::TimeLimit))),
                    Err(flaw) => Err(Flaw::Wrong(format!("the enumeration does not stand: {flaw:?}"))),
                }
            }
            Evidence::Proof(strategy) => self.strategy(strategy, &property, self.system.initial()),
            Evidence::Refutation(strategy) => self.refutation(strategy, &property),
            Evidence::Contradiction { proof, refutation } => {
                self.refutation(refutation, &property)?;
                self.strategy(proof, &property, &roots(refutation))
            }
            Evidence::Open(blocking) => {
                let covers = if self.semantics == Semantics::Ris { Covers::Reduced } else { Covers::Ignored };
                check_blocking(&self.system, covers, blocking).map_err(Flaw::Wrong)
            }
            Evidence::Trace(_)
            | Evidence::Tree(_)
            | Evidence::Invariant(_)
            | Evidence::Summaries(_)
            | Evidence::WholeRun { .. }
            | Evidence::InductiveSet { .. } => {
                Err(Flaw::Wrong("this kind of evidence is not about systems".to_owned()))
            }
        }
    }
}

impl OnSystem {
    /// A refutation proves the dual at an initial state.
    fn refutation(&self, strategy: &Strategy, property: &FormulaGraph) -> Result<(), Flaw> {
        let states = roots(strategy);
        if states.is_empty() || !states.iter().all(|state| self.system.initial().contains(state)) {
            return Err(Flaw::Wrong("the refutation is about no initial state".to_owned()));
        }
        self.strategy(strategy, &property.dual(), &states)
    }

    fn strategy(&self, strategy: &Strategy, formula: &FormulaGraph, states: &[StateId]) -> Result<(), Flaw> {
        if !same_formula(strategy.formula(), formula) {
            return Err(Flaw::Wrong("the evidence is about another formula".to_owned()));
        }
        check_strategy(&self.system, self.ranks.as_deref(), self.semantics, strategy, states)
            .map_err(|flaw| Flaw::Wrong(flaw.to_string()))?;
        match as_trace(strategy) {
            Some(trace) => check_trace(&self.system, &trace).map_err(Flaw::Wrong),
            None => Ok(()),
        }
    }
}

fn roots(strategy: &Strategy) -> Vec<StateId> {
    strategy.roots().iter().map(|&root| strategy.position(root).state).collect()
}

fn same_formula(left: &FormulaGraph, right: &FormulaGraph) -> bool {
    left.root() == right.root()
        && left.nodes().eq(right.nodes())
        && left.actions() == right.actions()
        && left.propositions() == right.propositions()
}
