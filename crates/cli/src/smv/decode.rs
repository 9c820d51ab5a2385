//! Codes of a symbolic system as values of the model it was made from.

use tertium_check::symbolic::{CtlEvidence, EvidenceKind, SymbolicEvidence};
use tertium_front_smv::{CtlTree, Encoded, Evidence, Input, State, Trace, TreeKind, Value, VarKind};
use tertium_support::Id;
use tertium_system::SymbolicTrace;

/// Turns codes into values of the variables that are encoded.
pub(super) struct Decoder<'a, 'm> {
    pub(super) encoded: &'a Encoded<'m>,
}

impl Decoder<'_, '_> {
    /// The evidence with values.
    pub(super) fn evidence(&self, evidence: &SymbolicEvidence) -> Evidence {
        match evidence {
            SymbolicEvidence::Trace(trace) => Evidence::Trace(self.trace(trace)),
            SymbolicEvidence::Tree(tree) => Evidence::Tree(self.tree(tree)),
        }
    }

    fn tree(&self, tree: &CtlEvidence) -> CtlTree {
        let kind = match &tree.kind {
            EvidenceKind::Leaf => TreeKind::Leaf,
            EvidenceKind::Assumed => TreeKind::Assumed,
            EvidenceKind::Omitted => TreeKind::Omitted,
            EvidenceKind::Parts(parts) => TreeKind::Parts(parts.iter().map(|part| self.tree(part)).collect()),
            EvidenceKind::Path { trace, at } => TreeKind::Path {
                trace: self.trace(trace),
                at: at.iter().map(|(place, tree)| (*place, self.tree(tree))).collect(),
            },
        };
        CtlTree { formula: tree.formula.clone(), state: self.state(&tree.state), kind }
    }

    fn trace(&self, trace: &SymbolicTrace) -> Trace {
        Trace {
            states: trace.states.iter().map(|codes| self.state(codes)).collect(),
            inputs: trace.inputs.iter().map(|codes| Input(self.values(codes, true))).collect(),
            loop_start: trace.loop_start,
        }
    }

    fn state(&self, codes: &[u64]) -> State {
        State(self.values(codes, false))
    }

    fn values(&self, codes: &[u64], inputs: bool) -> Box<[Value]> {
        let variables = &self.encoded.flat().variables;
        let wanted = self
            .encoded
            .variables()
            .iter()
            .filter(|variable| (variables[variable.index()].kind == VarKind::Input) == inputs);
        let value = |(variable, code): (&_, &u64)| {
            self.encoded.value(*variable, *code).expect("codes of states and inputs stand for values")
        };
        wanted.zip(codes).map(value).collect()
    }
}
