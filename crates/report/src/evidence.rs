//! Evidence of every kind as text.

use crate::blocking::{culprit_text, remedy, way_lines};
use crate::names::count;
use crate::strategy::{strategy_length, strategy_lines};
use crate::trace::{trace_length, trace_lines};
use crate::{Detail, Origin};
use tertium_evidence::{Evidence, Strategy, as_trace};
use tertium_system::PartialSystem;

/// The lines of the evidence, indented, each ended by a line break.
pub(crate) fn evidence_lines(
    system: &PartialSystem,
    origin: Origin,
    evidence: &Evidence,
    detail: Detail,
) -> String {
    match evidence {
        Evidence::Proof(strategy) => strategy_text(system, "witness", "proof", strategy, detail),
        Evidence::Refutation(strategy) => {
            strategy_text(system, "counterexample", "refutation", strategy, detail)
        }
        Evidence::Open(blocking) => format!(
            "  open: {}\n{}  next: {}\n",
            culprit_text(system, blocking.culprit),
            way_lines(system, blocking, detail),
            remedy(system, blocking.culprit, origin)
        ),
        Evidence::Contradiction { proof, refutation } => {
            let mut text = "  contradiction: the system both proves and refutes it\n".to_owned();
            text.push_str(&strategy_text(system, "witness", "proof", proof, detail));
            text.push_str(&strategy_text(system, "counterexample", "refutation", refutation, detail));
            text
        }
        Evidence::Enumeration { refinements: 0 } => "  the system has no refinement\n".to_owned(),
        Evidence::Enumeration { refinements } => {
            let n = usize::try_from(*refinements).unwrap_or(usize::MAX);
            format!("  all of {} checked\n", count(n, "refinement"))
        }
    }
}

/// The same of what shows that a part of a property matters: a witness, whether it proves the changed property or refutes it.
pub(crate) fn witness_lines(system: &PartialSystem, evidence: &Evidence, detail: Detail) -> String {
    match evidence {
        Evidence::Proof(strategy) | Evidence::Refutation(strategy) => {
            strategy_text(system, "witness", "witness", strategy, detail)
        }
        other => evidence_lines(system, Origin::Given, other, detail),
    }
}

/// A strategy, as a trace where it is one.
fn strategy_text(
    system: &PartialSystem,
    trace_word: &str,
    strategy_word: &str,
    strategy: &Strategy,
    detail: Detail,
) -> String {
    match as_trace(strategy) {
        Some(trace) => {
            format!("  {trace_word}: {}\n{}", trace_length(&trace), trace_lines(system, &trace, detail))
        }
        None => {
            let lines = strategy_lines(system, strategy, detail);
            format!("  {strategy_word}: a strategy with {}\n{lines}", strategy_length(strategy))
        }
    }
}
