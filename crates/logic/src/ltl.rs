//! Linear temporal logic with past, over propositions: what holds at a place of one infinite path \[LPZ85\].

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
#[derive(Clone, Debug, PartialEq, Eq)]
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
