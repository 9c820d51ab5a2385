//! Which formulas have a meaning: closed, monotone, and not nested without bound.
//!
//! A formula is monotone if every variable stands below an even number of negations inside its fixpoint, where the
//! left side of an implication counts as one negation and an equivalence as both signs at once \[Koz83\].

use crate::parse::too_deep;
use crate::{Formula, FormulaKind, PathOperator, Regular};
use tertium_support::{Diagnostic, Diagnostics, Span};

/// Says of each variable occurrence that is free or below an odd number of negations where it is, where its binder
/// is, and where the negations in between are. Recurses as deep as the formula nests.
pub fn check_well_formed(formula: &Formula) -> Result<(), Diagnostics> {
    let mut walk = Walk { binders: Vec::new(), negations: Vec::new(), mistakes: Vec::new() };
    walk.visit(formula);
    if walk.mistakes.is_empty() { Ok(()) } else { Err(walk.mistakes) }
}

struct Walk<'a> {
    /// The variables in scope, where they are bound, and how many negations are around the binder.
    binders: Vec<(&'a str, Span, usize)>,
    /// The negations around the current place, outermost first.
    negations: Vec<Negation>,
    mistakes: Diagnostics,
}

#[derive(Clone, Copy)]
struct Negation {
    span: Span,
    kind: NegationKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NegationKind {
    Not,
    LeftOfImplication,
    Equivalence,
}

impl<'a> Walk<'a> {
    fn visit(&mut self, formula: &'a Formula) {
        match &formula.kind {
            FormulaKind::Variable(name) => self.variable(name, formula.span),
            FormulaKind::Not(f) => {
                self.below(Span::new(formula.span.start, f.span.start), NegationKind::Not, f);
            }
            FormulaKind::Implies(f, g) => {
                self.below(f.span, NegationKind::LeftOfImplication, f);
                self.visit(g);
            }
            FormulaKind::Iff(f, g) => {
                self.below(formula.span, NegationKind::Equivalence, f);
                self.below(formula.span, NegationKind::Equivalence, g);
            }
            FormulaKind::Fixpoint(_, name, body) => {
                let binder = Span::new(formula.span.start, body.span.start.max(formula.span.start));
                self.binders.push((name, binder, self.negations.len()));
                self.visit(body);
                self.binders.pop();
            }
            _ => formula.children().into_iter().for_each(|child| self.visit(child)),
        }
    }

    fn below(&mut self, span: Span, kind: NegationKind, operand: &'a Formula) {
        let span = Span::new(span.start, span.end.max(span.start));
        self.negations.push(Negation { span, kind });
        self.visit(operand);
        self.negations.pop();
    }

    fn variable(&mut self, name: &str, span: Span) {
        let Some(&(_, binder, outside)) = self.binders.iter().rev().find(|(own, ..)| *own == name) else {
            self.mistakes.push(Diagnostic::error(span, format!("the variable `{name}` is free here")));
            return;
        };
        let between = &self.negations[outside..];
        let both_signs = between.iter().any(|negation| negation.kind == NegationKind::Equivalence);
        if !both_signs && between.len().is_multiple_of(2) {
            return;
        }
        let why = if both_signs { "in an equivalence" } else { "below an odd number of negations" };
        let mut mistake = Diagnostic::error(
            span,
            format!("the formula is not monotone: the variable `{name}` stands {why}"),
        )
        .with_related(binder, format!("`{name}` is bound here"));
        for negation in between {
            let label = match negation.kind {
                NegationKind::Not => "a negation",
                NegationKind::LeftOfImplication => "the left side of an implication counts as a negation",
                NegationKind::Equivalence => "an equivalence uses its sides with both signs",
            };
            mistake = mistake.with_related(negation.span, label);
        }
        self.mistakes.push(mistake.with_note(
            "a variable must stand below an even number of negations inside its fixpoint, else there need be no \
             fixpoint",
        ));
    }
}

/// Says where a formula first nests deeper than `limit`, abbreviations counted as what they stand for. Does not
/// recurse into formulas, only into regular formulas.
pub(crate) fn check_nesting(formula: &Formula, limit: usize) -> Result<(), Diagnostic> {
    let mut waiting = vec![(formula, 1)];
    while let Some((formula, depth)) = waiting.pop() {
        let below = depth + levels(formula);
        if below - 1 > limit {
            return Err(too_deep(
                formula.span,
                limit,
                "operators, abbreviations counted as what they stand for",
            ));
        }
        waiting.extend(formula.children().into_iter().rev().map(|child| (child, below)));
    }
    Ok(())
}

/// How many operators stand above the operands once abbreviations are removed.
fn levels(formula: &Formula) -> usize {
    match &formula.kind {
        FormulaKind::Modal(_, regular, _) => regular_levels(regular),
        FormulaKind::Path(_, PathOperator::Next(_)) => 1,
        FormulaKind::Path(_, PathOperator::Finally(_) | PathOperator::Globally(_)) => 2,
        FormulaKind::Path(..) | FormulaKind::Iff(..) => 3,
        FormulaKind::Implies(..) => 2,
        _ => 1,
    }
}

fn regular_levels(regular: &Regular) -> usize {
    match regular {
        Regular::Step(_) => 1,
        Regular::Sequence(parts) => parts.iter().map(regular_levels).sum(),
        Regular::Choice(parts) => 1 + parts.iter().map(regular_levels).max().unwrap_or(0),
        Regular::Star(body) | Regular::Plus(body) => 2 + regular_levels(body),
    }
}
