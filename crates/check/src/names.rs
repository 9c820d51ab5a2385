//! Names in formulas against names in systems: action formulas become sets of actions, and names that the system
//! does not know are complained about where they stand, with the nearest known ones.

use tertium_logic::{ActionFormula, Formula, FormulaKind, PathOperator, Regular};
use tertium_support::{Diagnostic, Diagnostics, IdSet, Severity, Span, nearest_names};
use tertium_system::{ActionId, PartialSystem, UNLABELLED};

/// A set of actions of one system, with the frequent case kept cheap.
#[derive(Clone, Debug)]
pub(crate) enum ActionSet {
    /// Every action of the system.
    All,
    /// These actions.
    Some(IdSet<ActionId>),
}

impl ActionSet {
    /// The actions of `system` that satisfy `formula`.
    pub(crate) fn new(system: &PartialSystem, formula: &ActionFormula) -> Self {
        let actions = system.actions();
        let set = IdSet::filter(actions.len(), |action| matches(formula, actions.name(action)));
        if set.count() == actions.len() { ActionSet::All } else { ActionSet::Some(set) }
    }

    #[inline]
    pub(crate) fn contains(&self, action: ActionId) -> bool {
        match self {
            ActionSet::All => true,
            ActionSet::Some(set) => set.contains(action),
        }
    }
}

/// Whether an action with this label satisfies the formula.
pub(crate) fn matches(formula: &ActionFormula, label: &str) -> bool {
    match formula {
        ActionFormula::True => true,
        ActionFormula::False => false,
        ActionFormula::Action(name, _) => same_action(name, label),
        ActionFormula::Not(inner) => !matches(inner, label),
        ActionFormula::And(parts) => parts.iter().all(|part| matches(part, label)),
        ActionFormula::Or(parts) => parts.iter().any(|part| matches(part, label)),
    }
}

/// Whether a name from a formula means this label. The parts of a multi-action `a|b` may come in any order.
fn same_action(name: &str, label: &str) -> bool {
    let parts = |text: &str| {
        let mut parts: Vec<String> = text.split('|').map(|part| part.trim().to_owned()).collect();
        parts.sort_unstable();
        parts
    };
    name == label || (name.contains('|') && label.contains('|') && parts(name) == parts(label))
}

/// A complaint for each occurrence of a proposition or action that `system` does not have.
pub fn unknown_names(system: &PartialSystem, formula: &Formula, severity: Severity) -> Diagnostics {
    let mut complaints = Complaints { system, severity, found: Vec::new() };
    complaints.formula(formula);
    complaints.found
}

struct Complaints<'a> {
    system: &'a PartialSystem,
    severity: Severity,
    found: Diagnostics,
}

impl Complaints<'_> {
    fn formula(&mut self, formula: &Formula) {
        match &formula.kind {
            FormulaKind::True | FormulaKind::False | FormulaKind::Variable(_) => {}
            FormulaKind::Proposition(name) => {
                let known = self.system.labels().names();
                if known.get(name).is_none() {
                    self.complain("proposition", name, formula.span, known.names().collect());
                }
            }
            FormulaKind::Not(inner) | FormulaKind::Fixpoint(_, _, inner) => self.formula(inner),
            FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().for_each(|part| self.formula(part)),
            FormulaKind::Implies(left, right) | FormulaKind::Iff(left, right) => {
                self.formula(left);
                self.formula(right);
            }
            FormulaKind::Modal(_, regular, inner) => {
                self.regular(regular);
                self.formula(inner);
            }
            FormulaKind::Path(_, operator) => match operator {
                PathOperator::Next(inner) | PathOperator::Finally(inner) | PathOperator::Globally(inner) => {
                    self.formula(inner);
                }
                PathOperator::Until(left, right)
                | PathOperator::WeakUntil(left, right)
                | PathOperator::Release(left, right) => {
                    self.formula(left);
                    self.formula(right);
                }
            },
        }
    }

    fn regular(&mut self, regular: &Regular) {
        match regular {
            Regular::Step(actions) => self.actions(actions),
            Regular::Sequence(parts) | Regular::Choice(parts) => {
                parts.iter().for_each(|part| self.regular(part));
            }
            Regular::Star(inner) | Regular::Plus(inner) => self.regular(inner),
        }
    }

    fn actions(&mut self, formula: &ActionFormula) {
        match formula {
            ActionFormula::True | ActionFormula::False => {}
            ActionFormula::Action(name, span) => {
                let known = self.system.actions();
                if !known.names().any(|label| same_action(name, label)) {
                    self.complain(
                        "action",
                        name,
                        *span,
                        known.names().filter(|&name| name != UNLABELLED).collect(),
                    );
                }
            }
            ActionFormula::Not(inner) => self.actions(inner),
            ActionFormula::And(parts) | ActionFormula::Or(parts) => {
                parts.iter().for_each(|part| self.actions(part));
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
