//! Evidence for branching time as the engines give it: a claim, and the paths that show it, as a tree.
//!
//! Claims are in the form of [`as_claim`] (`EF !p` where `AG p` fails). The validator wants claims about the formula as it
//! was written; both trees have the same shape, so [`CtlTree::about`] walks them together.

use crate::claim::{CtlClaim, CtlPath, CtlSupport, validate_claim};
use crate::interpret::{Interpreter, State};
use crate::validate::{Refusal, Trace, validate_refutation};
use crate::{Specification, SpecificationKind};
use tertium_logic::{Formula, FormulaKind, PathOperator, as_claim, is_boolean};

/// What supports an answer, whichever engine found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A path that refutes.
    Trace(Trace),
    /// A claim about an initial state, with the paths that show it.
    Tree(CtlTree),
}

impl Evidence {
    /// Whether this shows that the specification holds, or does not: asked of the interpreter alone.
    pub fn validate(
        &self,
        interpreter: &Interpreter<'_>,
        specification: &Specification,
        holds: bool,
    ) -> Result<(), Refusal> {
        match (self, &specification.kind) {
            (Self::Tree(tree), SpecificationKind::Ctl(formula)) => {
                let claim = tree.about(formula, holds);
                validate_claim(interpreter, specification, &tree.state, &claim).map(|_| ())
            }
            (Self::Trace(trace), _) if !holds => validate_refutation(interpreter, specification, trace),
            _ => Err(Refusal::WrongKind),
        }
    }
}

/// A claim that holds at a state, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CtlTree {
    /// The claim: no negation but of propositions and equivalences.
    pub formula: Formula,
    /// The state where it holds.
    pub state: State,
    /// What shows it.
    pub kind: TreeKind,
}

/// What shows a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// The state itself.
    Leaf,
    /// Claims about the same state that together imply it.
    Parts(Vec<CtlTree>),
    /// A path from the state.
    Path {
        /// The path.
        trace: Trace,
        /// Claims at states of the path, by index.
        at: Vec<(usize, CtlTree)>,
    },
    /// It was computed and no path shows it: a claim about all paths.
    Assumed,
    /// It was computed; the tree is large enough already.
    Omitted,
}

impl CtlTree {
    /// Whether a path is shown here or in a part.
    pub fn has_path(&self) -> bool {
        match &self.kind {
            TreeKind::Path { .. } => true,
            TreeKind::Parts(parts) => parts.iter().any(Self::has_path),
            TreeKind::Leaf | TreeKind::Assumed | TreeKind::Omitted => false,
        }
    }

    /// The claim that a formula holds, or does not, with the support that this evidence gives.
    pub fn about(&self, formula: &Formula, holds: bool) -> CtlClaim {
        let claim = |support| CtlClaim { formula: formula.clone(), holds, support };
        if is_boolean(formula) {
            return claim(CtlSupport::Evaluated);
        }
        match (&formula.kind, &self.kind) {
            (_, TreeKind::Assumed | TreeKind::Omitted) => claim(CtlSupport::Assumed),
            (FormulaKind::Not(inner), _) => claim(CtlSupport::Parts(vec![self.about(inner, !holds)])),
            (FormulaKind::Path(_, operator), TreeKind::Path { trace, at }) => {
                let mut claims = vec![Vec::new(); trace.states.len()];
                for (place, tree) in at {
                    claims[*place].extend(tree.about_some(&operands(operator)));
                }
                claim(CtlSupport::Path(CtlPath { trace: trace.clone(), claims }))
            }
            (_, TreeKind::Parts(parts)) => {
                let operands: Vec<&Formula> = match &formula.kind {
                    FormulaKind::And(operands) | FormulaKind::Or(operands) => operands.iter().collect(),
                    FormulaKind::Implies(f, g) | FormulaKind::Iff(f, g) => vec![f, g],
                    _ => Vec::new(),
                };
                let about = |part: &CtlTree| part.about_some(&operands);
                claim(CtlSupport::Parts(parts.iter().flat_map(about).collect()))
            }
            _ => claim(CtlSupport::Assumed),
        }
    }

    /// Claims about one of these operands, or about several at once.
    fn about_some(&self, operands: &[&Formula]) -> Vec<CtlClaim> {
        // Operands that are written differently may make the same claim.
        let meant: Vec<CtlClaim> = operands
            .iter()
            .flat_map(|operand| [(operand, true), (operand, false)])
            .filter(|(operand, sign)| as_claim(operand, *sign) == self.formula)
            .map(|(operand, sign)| self.about(operand, sign))
            .collect();
        if !meant.is_empty() {
            return meant;
        }
        match &self.kind {
            TreeKind::Parts(parts) => parts.iter().flat_map(|part| part.about_some(operands)).collect(),
            // A claim of its own, such as that a fair path goes on from here.
            _ => vec![self.about(&self.formula, true)],
        }
    }
}

fn operands(operator: &PathOperator) -> Vec<&Formula> {
    match operator {
        PathOperator::Next(f) | PathOperator::Finally(f) | PathOperator::Globally(f) => vec![f],
        PathOperator::Until(f, g) | PathOperator::WeakUntil(f, g) | PathOperator::Release(f, g) => vec![f, g],
    }
}
