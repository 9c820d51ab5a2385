//! Having evidence checked before it is shown: strategies by their validator, traces and blocking steps by replay.

use tertium_check::{Semantics, check_enumeration, check_strategy};
use tertium_evidence::{Evidence, Outcome, Strategy, as_trace};
use tertium_logic::{Formula, FormulaGraph};
use tertium_report::{check_blocking, check_trace};
use tertium_support::Context;
use tertium_system::{PartialSystem, StateId};

/// Checks the evidence of an outcome. `Ok(true)` says that there was some and that it stands; `Err` says what is wrong,
/// which is a bug.
pub(crate) fn validate(
    context: &Context,
    system: &PartialSystem,
    semantics: Semantics,
    formula: &Formula,
    outcome: &Outcome,
) -> Result<bool, String> {
    let property = FormulaGraph::new(formula);
    let judge = Judge { system, semantics, property: &property };
    match &outcome.evidence {
        None => return Ok(false),
        Some(Evidence::Enumeration { refinements }) => {
            return check_enumeration(context, system, formula, outcome.verdict, *refinements)
                .map_err(|flaw| format!("the enumeration does not stand: {flaw:?}"));
        }
        Some(Evidence::Proof(strategy)) => judge.strategy(strategy, &property, system.initial())?,
        Some(Evidence::Refutation(strategy)) => judge.refutation(strategy)?,
        Some(Evidence::Contradiction { proof, refutation }) => {
            judge.refutation(refutation)?;
            judge.strategy(proof, &property, &roots(refutation))?;
        }
        Some(Evidence::Open(blocking)) => check_blocking(system, semantics, blocking)?,
    }
    Ok(true)
}

struct Judge<'a> {
    system: &'a PartialSystem,
    semantics: Semantics,
    property: &'a FormulaGraph,
}

impl Judge<'_> {
    /// A refutation proves the dual at an initial state.
    fn refutation(&self, strategy: &Strategy) -> Result<(), String> {
        let states = roots(strategy);
        if states.is_empty() || !states.iter().all(|state| self.system.initial().contains(state)) {
            return Err("the refutation is about no initial state".to_owned());
        }
        self.strategy(strategy, &self.property.dual(), &states)
    }

    fn strategy(
        &self,
        strategy: &Strategy,
        formula: &FormulaGraph,
        states: &[StateId],
    ) -> Result<(), String> {
        if !same_formula(strategy.formula(), formula) {
            return Err("the evidence is about another formula".to_owned());
        }
        check_strategy(self.system, self.semantics, strategy, states).map_err(|flaw| flaw.to_string())?;
        match as_trace(strategy) {
            Some(trace) => check_trace(self.system, &trace),
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
