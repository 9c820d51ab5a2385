//! Evidence for branching time, as the checker gives it, turned into claims about the property as it was written.
//!
//! The checker speaks of claims in positive form (`EF !p` where `AG p` fails); the validator wants claims about the formula
//! itself. Both trees have the same shape, so this walks them together.

use super::names::Names;
use tertium_check::symbolic::{CtlEvidence, EvidenceKind, as_claim};
use tertium_front_smv::{CtlClaim, CtlPath, CtlSupport, formula_text};
use tertium_logic::{Formula, FormulaKind, PathOperator};
use tertium_report::{Claim, Shown};

impl Names<'_, '_> {
    /// The claim that the formula holds, or does not, with the support that the evidence gives.
    pub(super) fn claim(&self, formula: &Formula, holds: bool, evidence: &CtlEvidence) -> CtlClaim {
        let claim = |support| CtlClaim { formula: formula.clone(), holds, support };
        if is_boolean(formula) {
            return claim(CtlSupport::Evaluated);
        }
        match (&formula.kind, &evidence.kind) {
            (_, EvidenceKind::Assumed | EvidenceKind::Omitted) => claim(CtlSupport::Assumed),
            (FormulaKind::Not(inner), _) => {
                claim(CtlSupport::Parts(vec![self.claim(inner, !holds, evidence)]))
            }
            (FormulaKind::Path(_, operator), EvidenceKind::Path { trace, at }) => {
                let mut claims = vec![Vec::new(); trace.states.len()];
                for (place, evidence) in at {
                    claims[*place].extend(self.about(&operands(operator), evidence));
                }
                claim(CtlSupport::Path(CtlPath { trace: self.trace(trace), claims }))
            }
            (_, EvidenceKind::Parts(parts)) => {
                let operands: Vec<&Formula> = match &formula.kind {
                    FormulaKind::And(operands) | FormulaKind::Or(operands) => operands.iter().collect(),
                    FormulaKind::Implies(f, g) | FormulaKind::Iff(f, g) => vec![f, g],
                    _ => Vec::new(),
                };
                let about = |part| self.about(&operands, part);
                claim(CtlSupport::Parts(parts.iter().flat_map(about).collect()))
            }
            _ => claim(CtlSupport::Assumed),
        }
    }

    /// Evidence for claims about one of these operands, or about several at once.
    fn about(&self, operands: &[&Formula], evidence: &CtlEvidence) -> Vec<CtlClaim> {
        // Operands that are written differently may make the same claim.
        let meant: Vec<CtlClaim> = operands
            .iter()
            .flat_map(|operand| [(operand, true), (operand, false)])
            .filter(|(operand, sign)| as_claim(operand, *sign) == evidence.formula)
            .map(|(operand, sign)| self.claim(operand, sign, evidence))
            .collect();
        if !meant.is_empty() {
            return meant;
        }
        match &evidence.kind {
            EvidenceKind::Parts(parts) => parts.iter().flat_map(|part| self.about(operands, part)).collect(),
            // A claim of its own, such as that a fair path goes on from here.
            _ => vec![self.claim(&evidence.formula, true, evidence)],
        }
    }

    /// The evidence as it is shown.
    pub(super) fn shown(&self, evidence: &CtlEvidence) -> Claim {
        let shown = match &evidence.kind {
            EvidenceKind::Leaf => Shown::Values,
            EvidenceKind::Assumed | EvidenceKind::Omitted => Shown::AllRuns,
            EvidenceKind::Parts(parts) => Shown::Parts(parts.iter().map(|part| self.shown(part)).collect()),
            EvidenceKind::Path { trace, at } => {
                let run = self.run(&self.trace(trace));
                Shown::Run(run, at.iter().map(|(place, evidence)| (*place, self.shown(evidence))).collect())
            }
        };
        Claim { formula: formula_text(&evidence.formula), shown }
    }
}

fn operands(operator: &PathOperator) -> Vec<&Formula> {
    match operator {
        PathOperator::Next(f) | PathOperator::Finally(f) | PathOperator::Globally(f) => vec![f],
        PathOperator::Until(f, g) | PathOperator::WeakUntil(f, g) | PathOperator::Release(f, g) => vec![f, g],
    }
}

/// Whether the formula speaks of one state only.
fn is_boolean(formula: &Formula) -> bool {
    !formula.preorder().any(|part| matches!(part.kind, FormulaKind::Path(..)))
}
