//! Consistency of a system: the refinement that was constructed, or what rules every one out.

use crate::model::ModelEvidence;
use crate::names::{arrow, count, state_text};
use tertium_evidence::Names;
use tertium_system::partial::{Consistency, Contradiction};
use tertium_system::{PartialSystem, StateId};

/// The lines below the verdict line.
pub fn consistency_text(system: &PartialSystem, consistency: &Consistency) -> String {
    let state = |state: StateId| state_text(system, state);
    match consistency {
        Consistency::Consistent(refinement) => format!(
            "  a refinement with {} and {}\n",
            count(refinement.n_states(), "state"),
            count(refinement.transitions().len(), "transition")
        ),
        Consistency::Inconsistent(Contradiction::Label { concrete, proposition, holds, fails }) => format!(
            "  `{p}` holds at `{}` and fails at `{}`, and both stand for `{}`\n",
            state(*holds),
            state(*fails),
            system.domain_or_flat().concrete().name(*concrete),
            p = system.labels().names().name(*proposition),
        ),
        Consistency::Inconsistent(Contradiction::Must(must)) => {
            let targets: Vec<_> = must.targets.iter().map(|&target| state(target)).collect();
            let targets =
                if targets.len() == 1 { targets[0].clone() } else { format!("{{{}}}", targets.join(", ")) };
            format!(
                "  the must {} {} {targets} can be kept by no step that may be taken from `{0}`\n  \
                 if `p` holds exactly there, the system both proves and refutes {} at `{0}`\n",
                state(must.state),
                arrow(&Names::step(system, must.action)),
                must.formula
            )
        }
    }
}

/// The evidence as data.
pub fn consistency_evidence(system: &PartialSystem, consistency: &Consistency) -> ModelEvidence {
    let state = |state: StateId| system.state_name(state).into_owned();
    match consistency {
        Consistency::Consistent(refinement) => ModelEvidence::Refinement {
            states: refinement.n_states(),
            transitions: refinement.transitions().len(),
        },
        Consistency::Inconsistent(Contradiction::Label { concrete, proposition, holds, fails }) => {
            ModelEvidence::LabelContradiction {
                concrete: system.domain_or_flat().concrete().name(*concrete).to_owned(),
                proposition: system.labels().names().name(*proposition).to_owned(),
                holds: state(*holds),
                fails: state(*fails),
            }
        }
        Consistency::Inconsistent(Contradiction::Must(must)) => ModelEvidence::MustContradiction {
            state: state(must.state),
            action: system.actions().name(must.action).to_owned(),
            targets: must.targets.iter().map(|&target| state(target)).collect(),
            formula: must.formula.to_string(),
        },
    }
}
