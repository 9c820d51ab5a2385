//! Labels as transitions: a partial Kripke structure, or any labelled system, as a modal transition system.
//!
//! Each proposition p becomes an action `obs_p` that loops at the states where p may or must hold: a may and must loop
//! where p is true, may only where it is unknown, must only where it is inconsistent, none where it is false \[GHJ01\].
//! Then `<obs_p> true` has the value of p everywhere, and, between systems with the same propositions, refinement of
//! the results is refinement of the inputs.

use super::encoding::{Encoding, Untranslatable, encode, fresh, matches};
use crate::{Modality, PartialSystem, SystemBuilder};
use tertium_logic::{ActionFormula, Formula, FormulaKind};
use tertium_support::Span;
use tertium_truth::Belnap;

/// A system without labels, and how formulas speak about it.
#[derive(Clone, Debug)]
pub struct LabelsAsActions {
    /// The same states and transitions, with loops instead of labels.
    pub system: PartialSystem,
    /// For each proposition its observing action.
    pub observations: Vec<(String, String)>,
}

/// Turns labels into observing loops. A domain is kept.
pub fn labels_to_actions(system: &PartialSystem) -> LabelsAsActions {
    let mut builder: SystemBuilder = without_labels(system);
    let mut observations: Vec<(String, String)> = Vec::new();
    for (prop, name) in system.labels().names().ids().zip(system.labels().names().names()) {
        let action = fresh(&format!("obs_{name}"), |candidate| {
            system.actions().get(candidate).is_some() || observations.iter().any(|(_, a)| a == candidate)
        });
        let id = builder.action(&action);
        for state in system.states() {
            let modality = match system.labels().get(prop, state) {
                Belnap::True => Modality::Both,
                Belnap::Unknown => Modality::May,
                Belnap::Inconsistent => Modality::Must,
                Belnap::False => continue,
            };
            builder.edge(state, id, state, modality);
        }
        observations.push((name.to_owned(), action));
    }
    LabelsAsActions { system: builder.build(), observations }
}

/// A builder that holds everything of a system but its labels.
fn without_labels(system: &PartialSystem) -> SystemBuilder {
    let mut bare = system.clone();
    bare.labels = crate::Labels::none(system.n_states());
    bare.to_builder()
}

impl LabelsAsActions {
    /// The formula about the new system that has the value of `formula` about the old one, at every state. Regular
    /// modalities and CTL must have been expanded.
    pub fn translate(&self, formula: &Formula) -> Result<Formula, Untranslatable> {
        encode(self, formula)
    }

    /// The same set of actions without the observing ones.
    fn proper(&self, actions: &ActionFormula) -> ActionFormula {
        let observing = self.observations.iter().map(|(_, action)| action);
        let mut caught: Vec<ActionFormula> = observing
            .filter(|action| matches(actions, action))
            .map(|action| ActionFormula::Action(action.clone(), Span::default()))
            .collect();
        let caught = match caught.len() {
            0 => return actions.clone(),
            1 => caught.remove(0),
            _ => ActionFormula::Or(caught),
        };
        ActionFormula::And(vec![actions.clone(), ActionFormula::Not(Box::new(caught))])
    }
}

impl Encoding for LabelsAsActions {
    fn proposition(&self, name: &str, span: Span) -> Result<FormulaKind, Untranslatable> {
        let observation = self.observations.iter().find(|(proposition, _)| proposition == name);
        let (_, action) =
            observation.ok_or_else(|| Untranslatable::UnknownProposition(name.to_owned(), span))?;
        let action = ActionFormula::Action(action.clone(), span);
        Ok(Formula::diamond(action, FormulaKind::True.into()).kind)
    }

    fn diamond(&self, actions: &ActionFormula, body: Formula) -> Formula {
        Formula::diamond(self.proper(actions), body)
    }

    fn box_(&self, actions: &ActionFormula, body: Formula) -> Formula {
        Formula::box_(self.proper(actions), body)
    }
}
