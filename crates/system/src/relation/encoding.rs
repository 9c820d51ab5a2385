//! What the two encodings between labels and transitions share: fresh names and the walk over formulas.

use tertium_logic::{ActionFormula, Formula, FormulaKind, Regular};
use tertium_support::Span;

/// A formula that an encoding does not translate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untranslatable {
    /// A regular modality or a CTL operator stands here; expand the formula first.
    NotCore(Span),
    /// The system has no such proposition.
    UnknownProposition(String, Span),
}

/// The first of `base`, `base_`, `base__`, … that is not taken.
pub(super) fn fresh(base: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = base.to_owned();
    while taken(&name) {
        name.push('_');
    }
    name
}

/// Whether the action of this name is in the set.
pub(super) fn matches(actions: &ActionFormula, name: &str) -> bool {
    match actions {
        ActionFormula::True => true,
        ActionFormula::False => false,
        ActionFormula::Action(action, _) => action == name,
        ActionFormula::Not(part) => !matches(part, name),
        ActionFormula::And(parts) => parts.iter().all(|part| matches(part, name)),
        ActionFormula::Or(parts) => parts.iter().any(|part| matches(part, name)),
    }
}

/// What an encoding does to propositions and modalities; everything else stays.
pub(super) trait Encoding {
    fn proposition(&self, name: &str, span: Span) -> Result<FormulaKind, Untranslatable>;
    fn diamond(&self, actions: &ActionFormula, body: Formula) -> Formula;
    fn box_(&self, actions: &ActionFormula, body: Formula) -> Formula;
}

/// The formula with propositions and modalities replaced.
pub(super) fn encode(encoding: &impl Encoding, formula: &Formula) -> Result<Formula, Untranslatable> {
    use tertium_logic::PathQuantifier::{All, Some};
    let one = |part: &Formula| encode(encoding, part).map(Box::new);
    let many = |parts: &[Formula]| parts.iter().map(|part| encode(encoding, part)).collect::<Result<_, _>>();
    let kind = match &formula.kind {
        kind @ (FormulaKind::True | FormulaKind::False | FormulaKind::Variable(_)) => kind.clone(),
        FormulaKind::Proposition(name) => encoding.proposition(name, formula.span)?,
        FormulaKind::Not(part) => FormulaKind::Not(one(part)?),
        FormulaKind::And(parts) => FormulaKind::And(many(parts)?),
        FormulaKind::Or(parts) => FormulaKind::Or(many(parts)?),
        FormulaKind::Implies(a, b) => FormulaKind::Implies(one(a)?, one(b)?),
        FormulaKind::Iff(a, b) => FormulaKind::Iff(one(a)?, one(b)?),
        FormulaKind::Modal(Some, Regular::Step(actions), body) => encoding.diamond(actions, *one(body)?).kind,
        FormulaKind::Modal(All, Regular::Step(actions), body) => encoding.box_(actions, *one(body)?).kind,
        FormulaKind::Fixpoint(sign, name, body) => FormulaKind::Fixpoint(*sign, name.clone(), one(body)?),
        FormulaKind::Modal(..) | FormulaKind::Path(..) => return Err(Untranslatable::NotCore(formula.span)),
    };
    Ok(Formula { kind, span: formula.span })
}
