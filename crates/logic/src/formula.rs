//! The syntax tree: what the user wrote, with positions.
//!
//! Core: constants, propositions, variables, `!`, `&&`, `||`, modalities with a single step, `mu`, `nu`. The rest is
//! an abbreviation that `expand` removes: `=>`, `<=>`, regular modalities, CTL.

use crate::{ActionFormula, Regular};
use tertium_support::Span;

/// A formula with its place in the text.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What it is.
    pub kind: FormulaKind,
    /// Where it stands. Formulas made by the program carry the span of what they were made from, or the default.
    pub span: Span,
}

/// Least or greatest fixpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `mu`
    Least,
    /// `nu`
    Greatest,
}

/// `E` (some) or `A` (all): over paths in CTL, over steps in modalities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathQuantifier {
    /// `E`, `<…>`
    Some,
    /// `A`, `[…]`
    All,
}

/// What a CTL quantifier says of its paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathOperator {
    /// `X f`
    Next(Box<Formula>),
    /// `F f`
    Finally(Box<Formula>),
    /// `G f`
    Globally(Box<Formula>),
    /// `f U g`
    Until(Box<Formula>, Box<Formula>),
    /// `f W g`
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `f R g`
    Release(Box<Formula>, Box<Formula>),
}

/// The kinds of formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaKind {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// A state proposition.
    Proposition(String),
    /// A variable bound by an enclosing fixpoint.
    Variable(String),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction of two or more.
    And(Vec<Formula>),
    /// Disjunction of two or more.
    Or(Vec<Formula>),
    /// Implication.
    Implies(Box<Formula>, Box<Formula>),
    /// Equivalence.
    Iff(Box<Formula>, Box<Formula>),
    /// `<R>f` (some sequence of R leads to f) or `[R]f` (all sequences of R lead to f).
    Modal(PathQuantifier, Regular, Box<Formula>),
    /// `mu X. f` or `nu X. f`.
    Fixpoint(Sign, String, Box<Formula>),
    /// `E` or `A` with a path operator.
    Path(PathQuantifier, PathOperator),
}

/// Formulas are equal when they are written alike, wherever they stand.
impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Formula {}

impl From<FormulaKind> for Formula {
    fn from(kind: FormulaKind) -> Self {
        Self { kind, span: Span::default() }
    }
}

/// Builders for formulas that the program makes itself.
impl Formula {
    /// The proposition with this name.
    pub fn proposition(name: impl Into<String>) -> Self {
        FormulaKind::Proposition(name.into()).into()
    }

    /// The variable with this name.
    pub fn variable(name: impl Into<String>) -> Self {
        FormulaKind::Variable(name.into()).into()
    }

    /// Negation.
    #[must_use]
    pub fn negated(self) -> Self {
        FormulaKind::Not(Box::new(self)).into()
    }

    /// Conjunction of any number; `true` for none.
    pub fn all(mut parts: Vec<Formula>) -> Self {
        match parts.len() {
            0 => FormulaKind::True.into(),
            1 => parts.remove(0),
            _ => FormulaKind::And(parts).into(),
        }
    }

    /// Disjunction of any number; `false` for none.
    pub fn any(mut parts: Vec<Formula>) -> Self {
        match parts.len() {
            0 => FormulaKind::False.into(),
            1 => parts.remove(0),
            _ => FormulaKind::Or(parts).into(),
        }
    }

    /// `<actions> body`
    pub fn diamond(actions: ActionFormula, body: Formula) -> Self {
        FormulaKind::Modal(PathQuantifier::Some, Regular::Step(actions), Box::new(body)).into()
    }

    /// `[actions] body`
    pub fn box_(actions: ActionFormula, body: Formula) -> Self {
        FormulaKind::Modal(PathQuantifier::All, Regular::Step(actions), Box::new(body)).into()
    }

    /// `mu name. body` or `nu name. body`
    pub fn fixpoint(sign: Sign, name: impl Into<String>, body: Formula) -> Self {
        FormulaKind::Fixpoint(sign, name.into(), Box::new(body)).into()
    }
}

/// Looking through a formula.
impl Formula {
    /// The direct sub-formulas, from left to right.
    pub fn children(&self) -> Vec<&Formula> {
        match &self.kind {
            FormulaKind::True
            | FormulaKind::False
            | FormulaKind::Proposition(_)
            | FormulaKind::Variable(_) => Vec::new(),
            FormulaKind::Not(f) | FormulaKind::Modal(_, _, f) | FormulaKind::Fixpoint(_, _, f) => vec![f],
            FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().collect(),
            FormulaKind::Implies(f, g) | FormulaKind::Iff(f, g) => vec![f, g],
            FormulaKind::Path(_, operator) => operator.operands(),
        }
    }

    /// The same operator over other operands, at the same place.
    #[must_use]
    pub fn map_children(&self, other: impl FnMut(&Formula) -> Formula) -> Formula {
        let children = self.children().into_iter().map(other).collect();
        Formula { kind: crate::syntax::with_children(&self.kind, children), span: self.span }
    }

    /// This formula and all sub-formulas, each before its parts, parts from left to right.
    pub fn preorder(&self) -> impl Iterator<Item = &Formula> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let formula = waiting.pop()?;
            waiting.extend(formula.children().into_iter().rev());
            Some(formula)
        })
    }

    /// The propositions with their places, in order, as often as they are written.
    pub fn propositions(&self) -> Vec<(&str, Span)> {
        self.preorder()
            .filter_map(|formula| match &formula.kind {
                FormulaKind::Proposition(name) => Some((name.as_str(), formula.span)),
                _ => None,
            })
            .collect()
    }

    /// The action labels with their places, in order, as often as they are written.
    pub fn action_labels(&self) -> Vec<(&str, Span)> {
        let mut labels = Vec::new();
        for formula in self.preorder() {
            if let FormulaKind::Modal(_, regular, _) = &formula.kind {
                regular.for_each_label(&mut |label, span| labels.push((label, span)));
            }
        }
        labels
    }
}

impl PathOperator {
    /// The state formulas it joins, from left to right.
    pub fn operands(&self) -> Vec<&Formula> {
        match self {
            Self::Next(f) | Self::Finally(f) | Self::Globally(f) => vec![f],
            Self::Until(f, g) | Self::WeakUntil(f, g) | Self::Release(f, g) => vec![f, g],
        }
    }
}

impl Sign {
    /// Least for greatest and greatest for least.
    #[must_use]
    pub fn dual(self) -> Self {
        match self {
            Self::Least => Self::Greatest,
            Self::Greatest => Self::Least,
        }
    }
}
