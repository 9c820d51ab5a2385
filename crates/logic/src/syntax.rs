//! What the two logics have in common as trees of operators: operands, places, and how truth depends on operands.
//!
//! Branching and linear time have trees of their own. Questions about the parts of a formula ask only what stands here.

use crate::written::LONGEST_CHAIN;
use crate::{
    Formula, FormulaKind, Ltl, LtlBinary, LtlKind, LtlUnary, PathOperator, Polarity, fold_constants,
};
use tertium_support::Span;

/// A formula as a tree of operators.
///
/// Laws: a formula is [`Syntax::with_operands`] of its own operands, and depends on each as [`Syntax::polarity_of`] says.
pub trait Syntax: Clone + PartialEq {
    /// The direct parts, from left to right.
    fn operands(&self) -> Vec<&Self>;

    /// The same operator at the same place over other operands, as many as it has.
    #[must_use]
    fn with_operands(&self, operands: Vec<Self>) -> Self;

    /// Where it stands in the text.
    fn span(&self) -> Span;

    /// The same formula at another place.
    #[must_use]
    fn at(self, span: Span) -> Self;

    /// The constant.
    fn constant(value: bool) -> Self;

    /// Whether it is a constant or a bound variable, of which nobody asks whether it matters.
    fn is_given(&self) -> bool;

    /// How its truth depends on the operand with this number.
    fn polarity_of(&self, operand: usize) -> Polarity;

    /// If it says that its two operands are equivalent, `Positive`; if that they are not, `Negative`.
    fn equivalence(&self) -> Option<Polarity>;

    /// An equivalence, or its negation, written as two implications: from the first pair of operands and from the second.
    #[must_use]
    fn implications(&self, there: [Self; 2], back: [Self; 2]) -> Self;

    /// The same with conjunctions and disjunctions of several associated to the right, unless they are very long.
    #[must_use]
    fn to_the_right(&self) -> Self;

    /// An equivalent formula without superfluous constants.
    #[must_use]
    fn folded(&self) -> Self;
}

impl Syntax for Formula {
    fn operands(&self) -> Vec<&Self> {
        self.children()
    }

    fn with_operands(&self, operands: Vec<Self>) -> Self {
        Self { kind: with_children(&self.kind, operands), span: self.span }
    }

    fn span(&self) -> Span {
        self.span
    }

    fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }

    fn constant(value: bool) -> Self {
        if value { FormulaKind::True } else { FormulaKind::False }.into()
    }

    fn is_given(&self) -> bool {
        matches!(self.kind, FormulaKind::True | FormulaKind::False | FormulaKind::Variable(_))
    }

    fn polarity_of(&self, operand: usize) -> Polarity {
        match (&self.kind, operand) {
            (FormulaKind::Not(_), _) | (FormulaKind::Implies(..), 0) => Polarity::Negative,
            (FormulaKind::Iff(..), _) => Polarity::Mixed,
            _ => Polarity::Positive,
        }
    }

    fn equivalence(&self) -> Option<Polarity> {
        matches!(self.kind, FormulaKind::Iff(..)).then_some(Polarity::Positive)
    }

    fn implications(&self, there: [Self; 2], back: [Self; 2]) -> Self {
        let implication = |[f, g]: [Self; 2]| Self {
            kind: FormulaKind::Implies(Box::new(f), Box::new(g)),
            span: self.span,
        };
        Self { kind: FormulaKind::And(vec![implication(there), implication(back)]), span: self.span }
    }

    fn to_the_right(&self) -> Self {
        let chain: fn(Vec<Self>) -> FormulaKind = match &self.kind {
            FormulaKind::And(_) => FormulaKind::And,
            FormulaKind::Or(_) => FormulaKind::Or,
            _ => |_| unreachable!("no chain"),
        };
        let mut operands: Vec<Self> = self.children().into_iter().map(Self::to_the_right).collect();
        let kind = match &self.kind {
            FormulaKind::And(_) | FormulaKind::Or(_) if operands.len() <= LONGEST_CHAIN => {
                while operands.len() > 2 {
                    let pair = operands.split_off(operands.len() - 2);
                    let span = around(pair[0].span, pair[1].span);
                    operands.push(Self { kind: chain(pair), span });
                }
                chain(operands)
            }
            _ => with_children(&self.kind, operands),
        };
        Self { kind, span: self.span }
    }

    fn folded(&self) -> Self {
        fold_constants(self)
    }
}

impl Syntax for Ltl {
    fn operands(&self) -> Vec<&Self> {
        self.children().collect()
    }

    fn with_operands(&self, operands: Vec<Self>) -> Self {
        let mut operands = operands.into_iter();
        let mut next = || Box::new(operands.next().expect("as many operands as before"));
        let kind = match &self.kind {
            LtlKind::True | LtlKind::False | LtlKind::Proposition(_) => self.kind.clone(),
            LtlKind::Unary(operator, _) => LtlKind::Unary(*operator, next()),
            LtlKind::Binary(operator, ..) => LtlKind::Binary(*operator, next(), next()),
        };
        Self { kind, span: self.span }
    }

    fn span(&self) -> Span {
        self.span
    }

    fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }

    fn constant(value: bool) -> Self {
        if value { LtlKind::True } else { LtlKind::False }.into()
    }

    fn is_given(&self) -> bool {
        matches!(self.kind, LtlKind::True | LtlKind::False)
    }

    fn polarity_of(&self, operand: usize) -> Polarity {
        match (&self.kind, operand) {
            (LtlKind::Unary(LtlUnary::Not, _), _) | (LtlKind::Binary(LtlBinary::Implies, ..), 0) => {
                Polarity::Negative
            }
            (LtlKind::Binary(LtlBinary::Iff | LtlBinary::Xor, ..), _) => Polarity::Mixed,
            _ => Polarity::Positive,
        }
    }

    fn equivalence(&self) -> Option<Polarity> {
        match self.kind {
            LtlKind::Binary(LtlBinary::Iff, ..) => Some(Polarity::Positive),
            LtlKind::Binary(LtlBinary::Xor, ..) => Some(Polarity::Negative),
            _ => None,
        }
    }

    fn implications(&self, there: [Self; 2], back: [Self; 2]) -> Self {
        let joined = |operator, [f, g]: [Self; 2]| Self { span: self.span, ..Self::binary(operator, f, g) };
        let both = [there, back].map(|pair| joined(LtlBinary::Implies, pair));
        let equivalent = joined(LtlBinary::And, both);
        match self.equivalence() {
            Some(Polarity::Negative) => equivalent.negated(),
            _ => equivalent,
        }
    }

    fn to_the_right(&self) -> Self {
        let operands: Vec<Self> = self.links().into_iter().map(Self::to_the_right).collect();
        let LtlKind::Binary(operator @ (LtlBinary::And | LtlBinary::Or), ..) = self.kind else {
            return self.with_operands(operands);
        };
        if operands.len() > LONGEST_CHAIN {
            return self.with_operands(self.children().map(Self::to_the_right).collect());
        }
        let join = |right: Self, left: Self| {
            let span = around(left.span, right.span);
            Self { span, ..Self::binary(operator, left, right) }
        };
        let chained = operands.into_iter().rev().reduce(join).expect("a chain has operands");
        Self { span: self.span, ..chained }
    }

    fn folded(&self) -> Self {
        self.without_constants()
    }
}

impl Ltl {
    /// The operands; of a conjunction or disjunction those of the whole chain, as far as it is written without brackets.
    fn links(&self) -> Vec<&Self> {
        let LtlKind::Binary(operator @ (LtlBinary::And | LtlBinary::Or), ..) = self.kind else {
            return self.children().collect();
        };
        let mut links = Vec::new();
        let mut waiting: Vec<&Self> = self.children().rev().collect();
        while let Some(formula) = waiting.pop() {
            match &formula.kind {
                // With brackets it is larger than its operands.
                LtlKind::Binary(own, left, right)
                    if *own == operator && formula.span == around(left.span, right.span) =>
                {
                    waiting.extend([&**right, &**left]);
                }
                _ => links.push(formula),
            }
        }
        links
    }
}

/// From one place to the other, if both are places.
fn around(left: Span, right: Span) -> Span {
    let placed = left != Span::default() && right != Span::default();
    if placed { left.to(right) } else { Span::default() }
}

/// The same operator over other operands, as many as it has.
pub(crate) fn with_children(kind: &FormulaKind, children: Vec<Formula>) -> FormulaKind {
    let mut children = children.into_iter();
    let mut next = || Box::new(children.next().expect("as many operands as before"));
    match kind {
        FormulaKind::True | FormulaKind::False | FormulaKind::Proposition(_) | FormulaKind::Variable(_) => {
            kind.clone()
        }
        FormulaKind::Not(_) => FormulaKind::Not(next()),
        FormulaKind::And(_) => FormulaKind::And(children.collect()),
        FormulaKind::Or(_) => FormulaKind::Or(children.collect()),
        FormulaKind::Implies(..) => FormulaKind::Implies(next(), next()),
        FormulaKind::Iff(..) => FormulaKind::Iff(next(), next()),
        FormulaKind::Modal(quantifier, regular, _) => {
            FormulaKind::Modal(*quantifier, regular.clone(), next())
        }
        FormulaKind::Fixpoint(sign, name, _) => FormulaKind::Fixpoint(*sign, name.clone(), next()),
        FormulaKind::Path(quantifier, operator) => FormulaKind::Path(
            *quantifier,
            match operator {
                PathOperator::Next(_) => PathOperator::Next(next()),
                PathOperator::Finally(_) => PathOperator::Finally(next()),
                PathOperator::Globally(_) => PathOperator::Globally(next()),
                PathOperator::Until(..) => PathOperator::Until(next(), next()),
                PathOperator::WeakUntil(..) => PathOperator::WeakUntil(next(), next()),
                PathOperator::Release(..) => PathOperator::Release(next(), next()),
            },
        ),
    }
}
