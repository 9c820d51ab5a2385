//! Occurrences: the places of sub-formulas in the written formula, numbered in preorder, with their polarity.
//!
//! The polarity says how the truth of the whole depends on that of the part: it grows with a positive occurrence and
//! shrinks with a negative one; below an equivalence it may do both. Bound variables do not change this, since they
//! occur with the polarity of their fixpoint.

use crate::{Formula, Syntax};
use tertium_support::{Id, Span, define_id};

define_id!(
    /// The place of a sub-formula: its number in preorder, 0 for the whole.
    OccurrenceId
);

/// How the truth of the whole depends on a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// Below an even number of negations.
    Positive,
    /// Below an odd number of negations.
    Negative,
    /// Below an equivalence.
    Mixed,
}

impl Polarity {
    /// The polarity one negation further down.
    #[must_use]
    pub fn flip(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
            Self::Mixed => Self::Mixed,
        }
    }

    /// How the whole depends on a part of a part, if it depends on the part like this and the part on its own like the other.
    #[must_use]
    pub(crate) fn below(self, part: Self) -> Self {
        match part {
            Self::Positive => self,
            Self::Negative => self.flip(),
            Self::Mixed => Self::Mixed,
        }
    }
}

/// A sub-formula at its place.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<'a, F = Formula> {
    /// Its number.
    pub id: OccurrenceId,
    /// The occurrence of which it is a direct part; none for the whole.
    pub parent: Option<OccurrenceId>,
    /// Where it stands in the text.
    pub span: Span,
    /// How the whole depends on it.
    pub polarity: Polarity,
    /// What stands there.
    pub formula: &'a F,
}

/// All occurrences of a formula; each stands at the index of its id.
pub fn occurrences<F: Syntax>(formula: &F) -> Vec<Occurrence<'_, F>> {
    let mut found: Vec<Occurrence<'_, F>> = Vec::new();
    let mut waiting = vec![(formula, None, Polarity::Positive)];
    while let Some((formula, parent, polarity)) = waiting.pop() {
        let id = OccurrenceId::new(found.len());
        found.push(Occurrence { id, parent, span: formula.span(), polarity, formula });
        for (position, operand) in formula.operands().into_iter().enumerate().rev() {
            waiting.push((operand, Some(id), polarity.below(formula.polarity_of(position))));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use tertium_support::Source;

    #[test]
    fn occurrences_are_numbered_in_preorder_with_place_and_polarity() {
        let text = "!p => mu X. q && <>X || (r <=> !s)";
        let formula = parse(&Source::new("test", text)).unwrap();
        let all = occurrences(&formula);
        let shown: Vec<(&str, Polarity)> = all.iter().map(|o| (&text[o.span.range()], o.polarity)).collect();
        use Polarity::{Mixed, Negative, Positive};
        assert_eq!(
            shown,
            [
                (text, Positive),
                ("!p", Negative),
                ("p", Positive),
                ("mu X. q && <>X || (r <=> !s)", Positive),
                ("q && <>X || (r <=> !s)", Positive),
                ("q && <>X", Positive),
                ("q", Positive),
                ("<>X", Positive),
                ("X", Positive),
                ("r <=> !s", Positive),
                ("r", Mixed),
                ("!s", Mixed),
                ("s", Mixed),
            ]
        );
        assert!(all.iter().enumerate().all(|(index, o)| o.id.index() == index));
        assert_eq!(all[5].parent, Some(OccurrenceId::new(4)));
    }
}
