//! The naive engine: the labelling of the definition, turned into an outcome without evidence.

use tertium_check::{Outcome, Semantics, evaluate, evaluate_reduced};
use tertium_logic::Formula;
use tertium_support::Statistics;
use tertium_system::PartialSystem;
use tertium_truth::{Belnap, Cause, Verdict};

/// Answers by direct evaluation. Thorough semantics is refused before.
pub(crate) fn check_naively(system: &PartialSystem, formula: &Formula, semantics: Semantics) -> Outcome {
    let labelling = match semantics {
        Semantics::Ris => evaluate_reduced(system, formula),
        Semantics::Sis | Semantics::Thorough => evaluate(system, formula),
    };
    let values: Vec<_> = system.initial().iter().map(|&state| (state, labelling.at(state))).collect();
    let mut statistics = Statistics::default();
    statistics.set("states", system.n_states());
    statistics.set("transitions", system.transitions().len() + system.hyper_musts().len());
    let has = |wanted| values.iter().any(|&(_, value)| value == wanted);
    let verdict = if has(Belnap::Inconsistent) {
        Verdict::Unknown(Cause::Inconsistent)
    } else if has(Belnap::False) {
        Verdict::False
    } else if has(Belnap::Unknown) {
        Verdict::Unknown(Cause::Imprecise)
    } else {
        Verdict::True
    };
    Outcome { verdict, values, evidence: None, assumptions: Vec::new(), statistics }
}
