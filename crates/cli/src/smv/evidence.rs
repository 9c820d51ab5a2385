//! Evidence about a model in its own values, whichever engine found it: validated on the model, and shown in its names.

use super::engine::Reply;
use crate::failure::Failure;
use crate::settings::Validation;
use tertium_front_smv::{
    CtlTree, Evidence, Interpreter, Specification, State, Trace, TreeKind, Value, VarId, formula_text,
    value_text,
};
use tertium_report::{Claim, Shown, Valuation, VariableEvidence, VariableRun};
use tertium_support::Id;
use tertium_truth::Verdict;

/// Adds evidence to an answer, once it was replayed on the model itself, unless nobody wants that.
pub(super) fn supported(
    validation: Validation,
    interpreter: &Interpreter<'_>,
    specification: &Specification,
    evidence: &Evidence,
    reply: &mut Reply,
) -> Result<(), Failure> {
    if validation == Validation::On {
        validate(interpreter, specification, evidence, reply.verdict == Verdict::True)?;
        reply.validated = Some(true);
    }
    reply.evidence = Some(shown(interpreter, evidence));
    Ok(())
}

/// Replays evidence on the model itself. If that fails we made a mistake.
pub(super) fn validate(
    interpreter: &Interpreter<'_>,
    specification: &Specification,
    evidence: &Evidence,
    holds: bool,
) -> Result<(), Failure> {
    evidence.validate(interpreter, specification, holds).map_err(|refusal| {
        Failure::Bug(format!(
            "the evidence for {} does not stand up to its validator: {}",
            specification.text,
            refusal.text(interpreter.model())
        ))
    })
}

/// Evidence in the names of the model.
pub(super) fn shown(interpreter: &Interpreter<'_>, evidence: &Evidence) -> VariableEvidence {
    let names = Names { interpreter };
    match evidence {
        Evidence::Trace(trace) => VariableEvidence::Run(names.run(trace)),
        Evidence::Tree(tree) => VariableEvidence::Tree(names.state(&tree.state), names.claim(tree)),
    }
}

struct Names<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
}

impl Names<'_, '_> {
    fn claim(&self, tree: &CtlTree) -> Claim {
        let shown = match &tree.kind {
            TreeKind::Leaf => Shown::Values,
            TreeKind::Assumed | TreeKind::Omitted => Shown::AllRuns,
            TreeKind::Parts(parts) => Shown::Parts(parts.iter().map(|part| self.claim(part)).collect()),
            TreeKind::Path { trace, at } => {
                let claims = at.iter().map(|(place, tree)| (*place, self.claim(tree)));
                Shown::Run(self.run(trace), claims.collect())
            }
        };
        Claim { formula: formula_text(&tree.formula), shown }
    }

    fn run(&self, trace: &Trace) -> VariableRun {
        let inputs = self.interpreter.input_variables();
        VariableRun {
            states: trace.states.iter().map(|state| self.state(state)).collect(),
            inputs: trace.inputs.iter().map(|input| self.valuation(inputs, &input.0)).collect(),
            loop_start: trace.loop_start,
        }
    }

    fn state(&self, state: &State) -> Valuation {
        self.valuation(self.interpreter.state_variables(), &state.0)
    }

    fn valuation(&self, variables: &[VarId], values: &[Value]) -> Valuation {
        let model = self.interpreter.model();
        let written = |(variable, value): (&VarId, &Value)| {
            (model.variables[variable.index()].name.clone(), value_text(model, *value))
        };
        variables.iter().zip(values).map(written).collect()
    }
}
