//! Refinement between systems: the relation, or the formula that tells them apart.

use crate::Detail;
use crate::model::ModelEvidence;
use crate::names::{count, state_text};
use tertium_system::PartialSystem;
use tertium_system::relation::Refinement;

/// The lines below the verdict line. `right_name` is what the second system is called.
pub fn refinement_text(
    left: &PartialSystem,
    right: &PartialSystem,
    right_name: &str,
    refinement: &Refinement,
    detail: Detail,
) -> String {
    match refinement {
        Refinement::Holds { relation } => {
            let n = relation.count();
            let mut text = format!("  relation: {}\n", count(n, "pair"));
            for (p, q) in relation.pairs().take(detail.limit()) {
                text.push_str(&format!("    {} refines {}\n", state_text(left, p), state_text(right, q)));
            }
            if n > detail.limit() {
                text.push_str(&format!("    … {} more (--full shows all)\n", n - detail.limit()));
            }
            text
        }
        Refinement::Fails { unmatched, formula } => {
            let state = state_text(left, *unmatched);
            let mut text = format!("  `{state}` refines no initial state of {right_name}\n");
            text.push_str(&match formula {
                Some(formula) => format!("  this formula is true there and not at `{state}`: {formula}\n"),
                None => "  the formula that tells them apart is too large to write down\n".to_owned(),
            });
            text
        }
    }
}

/// The evidence as data.
pub fn refinement_evidence(
    left: &PartialSystem,
    right: &PartialSystem,
    refinement: &Refinement,
) -> ModelEvidence {
    match refinement {
        Refinement::Holds { relation } => ModelEvidence::Relation {
            pairs: relation
                .pairs()
                .map(|(p, q)| (left.state_name(p).into_owned(), right.state_name(q).into_owned()))
                .collect(),
        },
        Refinement::Fails { unmatched, formula } => ModelEvidence::Distinguishing {
            unmatched: left.state_name(*unmatched).into_owned(),
            formula: formula.as_ref().map(ToString::to_string),
        },
    }
}
