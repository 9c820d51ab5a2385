//! Names in formulas against names in systems: action formulas become sets of actions, and names that the system
//! does not know are complained about where they stand, with the nearest known ones.

use tertium_logic::{ActionFormula, Formula, has_structure};
use tertium_support::{Diagnostic, Diagnostics, IdSet, Severity, Span, nearest_names};
use tertium_system::{ActionId, PartialSystem, UNLABELLED};

/// A set of actions of one system, with the frequent case kept cheap.
#[derive(Clone, Debug)]
pub(crate) enum ActionSet {
    /// Every action of the system.
    All,
    /// One action.
    One(ActionId),
    /// These actions.
    Some(IdSet<ActionId>),
}

impl ActionSet {
    /// The actions of `system` that satisfy `formula`.
    pub(crate) fn new(system: &PartialSystem, formula: &ActionFormula) -> Self {
        let actions = system.actions();
        // The common case, without a look at every label.
        if let ActionFormula::Action(name, _) = formula
            && !has_structure(name)
            && let Some(action) = actions.get(name)
        {
            return ActionSet::One(action);
        }
        let set = IdSet::filter(actions.len(), |action| formula.contains(actions.name(action)));
        if set.count() == actions.len() { ActionSet::All } else { ActionSet::Some(set) }
    }

    #[inline]
    pub(crate) fn contains(&self, action: ActionId) -> bool {
        match self {
            ActionSet::All => true,
            ActionSet::One(one) => action == *one,
            ActionSet::Some(set) => set.contains(action),
        }
    }
}

/// A complaint for each occurrence of a proposition or action that `system` does not have.
pub fn unknown_names(system: &PartialSystem, formula: &Formula, severity: Severity) -> Diagnostics {
    let mut complaints = Complaints { system, severity, found: Vec::new() };
    complaints.propositions(formula);
    complaints.actions(formula);
    complaints.found
}

struct Complaints<'a> {
    system: &'a PartialSystem,
    severity: Severity,
    found: Diagnostics,
}

impl Complaints<'_> {
    fn propositions(&mut self, formula: &Formula) {
        let known = self.system.labels().names();
        for (name, span) in formula.propositions() {
            if known.get(name).is_none() {
                self.complain("proposition", name, span, known.names().collect());
            }
        }
    }

    fn actions(&mut self, formula: &Formula) {
        let known = self.system.actions();
        for (name, span) in formula.action_labels() {
            let wanted = ActionFormula::action(name);
            if known.get(name).is_none() && !known.names().any(|label| wanted.contains(label)) {
                self.complain(
                    "action",
                    name,
                    span,
                    known.names().filter(|&name| name != UNLABELLED).collect(),
                );
            }
        }
    }

    fn complain(&mut self, what: &str, name: &str, span: Span, known: Vec<&str>) {
        let note = match nearest_names(name, known.iter().copied())[..] {
            [] if known.is_empty() => format!("the system has no {what}s"),
            [] => {
                let shown: Vec<_> = known.iter().take(8).map(|name| format!("`{name}`")).collect();
                let dots = if known.len() > 8 { ", …" } else { "" };
                format!("the system has the {what}s {}{dots}", shown.join(", "))
            }
            ref near => {
                let near: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
                format!("did you mean {}?", near.join(" or "))
            }
        };
        self.found.push(Diagnostic {
            severity: self.severity,
            ..Diagnostic::error(span, format!("the system has no {what} `{name}`")).with_note(note)
        });
    }
}
