//! Linear temporal logic with past, over propositions: what holds at a place of one infinite path \[LPZ85\].
//!
//! Here is the tree; `display` prints it, `fold` takes constants out of it, `lasso` says what it means on a path with a
//! loop, and the parser stands with the others in `parse`. Walks over formulas may recurse: the parser bounds how deep
//! they nest.

mod display;
mod fold;
mod lasso;

pub(crate) use display::Level;
pub use lasso::holds_on_lasso;

use std::hash::{Hash, Hasher};
use tertium_support::Span;

/// A formula of linear temporal logic.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// What it is.
    pub kind: LtlKind,
    /// Where it stands in its source.
    pub span: Span,
}

/// The kinds of formulas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LtlKind {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// A proposition.
    Proposition(String),
    /// An operator with one operand.
    Unary(LtlUnary, Box<Ltl>),
    /// An operator with two operands.
    Binary(LtlBinary, Box<Ltl>, Box<Ltl>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LtlUnary {
    /// Negation.
    Not,
    /// `X`: at the next place.
    Next,
    /// `F`: now or later.
    Finally,
    /// `G`: now and always later.
    Globally,
    /// `Y`: there is a place before, and it holds there.
    Previous,
    /// `Z`: if there is a place before, it holds there.
    WeakPrevious,
    /// `O`: now or earlier.
    Once,
    /// `H`: now and always earlier.
    Historically,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LtlBinary {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive disjunction.
    Xor,
    /// Implication.
    Implies,
    /// Equivalence.
    Iff,
    /// `f U g`: g now or later, and f until then.
    Until,
    /// `f V g`, also `R`: g up to and including where f holds, or always.
    Releases,
    /// `f S g`: g now or earlier, and f since then.
    Since,
    /// `f T g`: g back to and including where f held, or always before.
    Triggered,
}

/// Formulas are equal when they are written alike, wherever they stand.
impl PartialEq for Ltl {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Ltl {}

impl Hash for Ltl {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl From<LtlKind> for Ltl {
    fn from(kind: LtlKind) -> Self {
        Self { kind, span: Span::default() }
    }
}

/// Builders for formulas that the program makes itself.
impl Ltl {
    /// The proposition with this name.
    pub fn proposition(name: impl Into<String>) -> Self {
        LtlKind::Proposition(name.into()).into()
    }

    /// An operator with one operand.
    #[must_use]
    pub fn unary(operator: LtlUnary, operand: Ltl) -> Self {
        LtlKind::Unary(operator, Box::new(operand)).into()
    }

    /// An operator with two operands.
    #[must_use]
    pub fn binary(operator: LtlBinary, left: Ltl, right: Ltl) -> Self {
        LtlKind::Binary(operator, Box::new(left), Box::new(right)).into()
    }
}

/// Walks and transformations.
impl Ltl {
    /// The operands, none to two.
    pub fn children(&self) -> impl DoubleEndedIterator<Item = &Ltl> {
        let (left, right) = match &self.kind {
            LtlKind::True | LtlKind::False | LtlKind::Proposition(_) => (None, None),
            LtlKind::Unary(_, operand) => (Some(&**operand), None),
            LtlKind::Binary(_, left, right) => (Some(&**left), Some(&**right)),
        };
        left.into_iter().chain(right)
    }

    /// The formula and everything below it, each before its operands.
    pub fn preorder(&self) -> impl Iterator<Item = &Ltl> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let formula = waiting.pop()?;
            waiting.extend(formula.children().rev());
            Some(formula)
        })
    }

    /// The propositions with their places, in order, as often as they are written.
    pub fn propositions(&self) -> impl Iterator<Item = (&str, Span)> {
        self.preorder().filter_map(|formula| match &formula.kind {
            LtlKind::Proposition(name) => Some((name.as_str(), formula.span)),
            _ => None,
        })
    }

    /// How many operators, propositions and constants are written.
    pub fn size(&self) -> usize {
        self.preorder().count()
    }

    /// How many past operators stand one inside the other at most.
    pub fn past_depth(&self) -> usize {
        let own = match &self.kind {
            LtlKind::Unary(operator, _) => operator.is_past(),
            LtlKind::Binary(operator, ..) => operator.is_past(),
            _ => false,
        };
        usize::from(own) + self.children().map(Ltl::past_depth).max().unwrap_or(0)
    }

    /// The negation; two negations cancel out.
    #[must_use]
    pub fn negated(self) -> Self {
        match self.kind {
            LtlKind::Unary(LtlUnary::Not, operand) => *operand,
            LtlKind::True => Self { kind: LtlKind::False, span: self.span },
            LtlKind::False => Self { kind: LtlKind::True, span: self.span },
            _ => Self { span: self.span, ..Self::unary(LtlUnary::Not, self) },
        }
    }

    /// An equivalent formula in which negation stands only before propositions. Implications become disjunctions;
    /// `xor` and `<->` remain, so that the size at most doubles.
    #[must_use]
    pub fn positive(&self) -> Self {
        self.signed(true)
    }

    /// This formula, or its negation, in positive form.
    fn signed(&self, sign: bool) -> Self {
        let kind = match &self.kind {
            LtlKind::True | LtlKind::False => {
                let value = (self.kind == LtlKind::True) == sign;
                if value { LtlKind::True } else { LtlKind::False }
            }
            LtlKind::Proposition(_) if sign => self.kind.clone(),
            LtlKind::Proposition(_) => LtlKind::Unary(LtlUnary::Not, Box::new(self.clone())),
            LtlKind::Unary(LtlUnary::Not, operand) => return operand.signed(!sign),
            LtlKind::Unary(operator, operand) => {
                let operator = if sign { *operator } else { operator.dual() };
                LtlKind::Unary(operator, Box::new(operand.signed(sign)))
            }
            LtlKind::Binary(operator, left, right) => {
                // An exclusive disjunction or an equivalence carries its sign itself.
                let (operator, left_sign, right_sign) = match (operator, sign) {
                    (LtlBinary::Implies, true) => (LtlBinary::Or, false, true),
                    (LtlBinary::Implies, false) => (LtlBinary::And, true, false),
                    (LtlBinary::Xor | LtlBinary::Iff, false) => (operator.dual(), true, true),
                    (_, false) => (operator.dual(), false, false),
                    (_, true) => (*operator, true, true),
                };
                LtlKind::Binary(
                    operator,
                    Box::new(left.signed(left_sign)),
                    Box::new(right.signed(right_sign)),
                )
            }
        };
        Self { kind, span: self.span }
    }
}

impl LtlUnary {
    /// Whether it looks back.
    pub fn is_past(self) -> bool {
        matches!(self, Self::Previous | Self::WeakPrevious | Self::Once | Self::Historically)
    }

    /// The operator that it becomes when negation moves inwards; negation itself stays.
    #[must_use]
    pub fn dual(self) -> Self {
        match self {
            Self::Not => Self::Not,
            Self::Next => Self::Next,
            Self::Finally => Self::Globally,
            Self::Globally => Self::Finally,
            Self::Previous => Self::WeakPrevious,
            Self::WeakPrevious => Self::Previous,
            Self::Once => Self::Historically,
            Self::Historically => Self::Once,
        }
    }
}

impl LtlBinary {
    /// Whether it looks back.
    pub fn is_past(self) -> bool {
        matches!(self, Self::Since | Self::Triggered)
    }

    /// The operator that it becomes when negation moves into both operands; of `xor` and `<->`, when it moves nowhere else;
    /// an implication has none and stays.
    #[must_use]
    fn dual(self) -> Self {
        match self {
            Self::And => Self::Or,
            Self::Or => Self::And,
            Self::Xor => Self::Iff,
            Self::Iff => Self::Xor,
            Self::Implies => Self::Implies,
            Self::Until => Self::Releases,
            Self::Releases => Self::Until,
            Self::Since => Self::Triggered,
            Self::Triggered => Self::Since,
        }
    }
}
