//! Evidence about a model, and its validation by the interpreter alone.
//!
//! Claims are in the form of [`as_claim`] (`EF !p` where `AG p` fails). The validator wants claims about the formula as it
//! was written; both trees have the same shape, so `about` walks them together.

use crate::claim::{CtlClaim, CtlPath, CtlSupport, validate_claim};
use crate::interpret::{Input, Interpreter, State};
use crate::validate::{Refusal, validate_refutation};
use crate::{Specification, SpecificationKind};
use tertium_evidence::Support;
use tertium_logic::{Formula, FormulaKind, PathOperator, as_claim, is_boolean};

/// What supports an answer about a model.
pub type Evidence = tertium_evidence::Evidence<State, Input>;
/// A claim about a state of a model.
pub type CtlTree = tertium_evidence::Claim<State, Input>;

/// Whether evidence shows that the specification holds, or does not: asked of the interpreter alone.
pub fn validate_evidence(
    evidence: &Evidence,
    interpreter: &Interpreter<'_>,
    specification: &Specification,
    holds: bool,
) -> Result<(), Refusal> {
    match (evidence, &specification.kind) {
        (Evidence::Tree(tree), SpecificationKind::Ctl(formula)) => {
            let claim = about(tree, formula, holds);
            validate_claim(interpreter, specification, &tree.state, &claim).map(|_| ())
        }
        (Evidence::Trace(trace), _) if !holds => validate_refutation(interpreter, specification, trace),
        _ => Err(Refusal::WrongKind),
    }
}

/// The claim that a formula holds, or does not, with the support that a tree gives.
fn about(tree: &CtlTree, formula: &Formula, holds: bool) -> CtlClaim {
    let claim = |support| CtlClaim { formula: formula.clone(), holds, support };
    if is_boolean(formula) {
        return claim(CtlSupport::Evaluated);
    }
    match (&formula.kind, &tree.support) {
        (_, Support::AllPaths | Support::Omitted) => claim(CtlSupport::Assumed),
        (FormulaKind::Not(inner), _) => claim(CtlSupport::Parts(vec![about(tree, inner, !holds)])),
        (FormulaKind::Path(_, operator), Support::Path { trace, at }) => {
            let mut claims = vec![Vec::new(); trace.states.len()];
            for (place, tree) in at {
                claims[*place].extend(about_some(tree, &operands(operator)));
            }
            claim(CtlSupport::Path(CtlPath { trace: trace.clone(), claims }))
        }
        (_, Support::Parts(parts)) => {
            let operands: Vec<&Formula> = match &formula.kind {
                FormulaKind::And(operands) | FormulaKind::Or(operands) => operands.iter().collect(),
                FormulaKind::Implies(f, g) | FormulaKind::Iff(f, g) => vec![f, g],
                _ => Vec::new(),
            };
            let parts = parts.iter().flat_map(|part| about_some(part, &operands));
            claim(CtlSupport::Parts(parts.collect()))
        }
        _ => claim(CtlSupport::Assumed),
    }
}

/// Claims about one of these operands, or about several at once.
fn about_some(tree: &CtlTree, operands: &[&Formula]) -> Vec<CtlClaim> {
    // Operands that are written differently may make the same claim.
    let meant: Vec<CtlClaim> = operands
        .iter()
        .flat_map(|operand| [(operand, true), (operand, false)])
        .filter(|(operand, sign)| as_claim(operand, *sign) == tree.formula)
        .map(|(operand, sign)| about(tree, operand, sign))
        .collect();
    if !meant.is_empty() {
        return meant;
    }
    match &tree.support {
        Support::Parts(parts) => parts.iter().flat_map(|part| about_some(part, operands)).collect(),
        // A claim of its own, such as that a fair path goes on from here.
        _ => vec![about(tree, &tree.formula, true)],
    }
}

fn operands(operator: &PathOperator) -> Vec<&Formula> {
    match operator {
        PathOperator::Next(f) | PathOperator::Finally(f) | PathOperator::Globally(f) => vec![f],
        PathOperator::Until(f, g) | PathOperator::WeakUntil(f, g) | PathOperator::Release(f, g) => vec![f, g],
    }
}
