//! Formulas of linear time without constants that can be seen to be superfluous.
//!
//! Only laws that hold at every place of every infinite path are used. There is always a next place, so `X TRUE` is `TRUE`; at
//! the first place there is none before, so `Y TRUE` and `Z FALSE` stay.

use super::{Ltl, LtlBinary, LtlKind, LtlUnary};

impl Ltl {
    /// The formula with constants folded.
    #[must_use]
    pub fn without_constants(&self) -> Self {
        let kind = match &self.kind {
            LtlKind::True | LtlKind::False | LtlKind::Proposition(_) => self.kind.clone(),
            LtlKind::Unary(operator, f) => unary(*operator, f.without_constants()),
            LtlKind::Binary(operator, f, g) => {
                binary(*operator, f.without_constants(), g.without_constants())
            }
        };
        Self { kind, span: self.span }
    }

    fn value(&self) -> Option<bool> {
        match self.kind {
            LtlKind::True => Some(true),
            LtlKind::False => Some(false),
            _ => None,
        }
    }
}

fn constant(value: bool) -> LtlKind {
    if value { LtlKind::True } else { LtlKind::False }
}

fn unary(operator: LtlUnary, f: Ltl) -> LtlKind {
    use LtlUnary::{Finally, Globally, Historically, Next, Not, Once, Previous, WeakPrevious};
    match (operator, f.value()) {
        (Not, Some(value)) => constant(!value),
        (Next | Finally | Globally | Once | Historically, Some(value)) => constant(value),
        (Previous, Some(false)) | (WeakPrevious, Some(true)) => f.kind,
        _ => LtlKind::Unary(operator, Box::new(f)),
    }
}

fn binary(operator: LtlBinary, f: Ltl, g: Ltl) -> LtlKind {
    use LtlBinary::{And, Iff, Implies, Or, Releases, Since, Triggered, Until, Xor};
    match (operator, f.value(), g.value()) {
        (And, Some(false), _) | (And, _, Some(false)) | (Implies, Some(true), Some(false)) => LtlKind::False,
        (Or, Some(true), _) | (Or, _, Some(true)) => LtlKind::True,
        (Implies, Some(false), _) | (Implies, _, Some(true)) => LtlKind::True,
        (And | Or | Implies, Some(_), _) => g.kind,
        (And | Or, _, Some(_)) => f.kind,
        (Implies, _, Some(_)) => unary(LtlUnary::Not, f),
        (Iff, Some(value), _) => signed(g, value),
        (Iff, _, Some(value)) => signed(f, value),
        (Xor, Some(value), _) => signed(g, !value),
        (Xor, _, Some(value)) => signed(f, !value),
        // The second operand alone can decide; without anything to wait through, only now counts.
        (Until | Releases | Since | Triggered, _, Some(value)) => constant(value),
        (Until | Since, Some(false), _) | (Releases | Triggered, Some(true), _) => g.kind,
        (Until, Some(true), _) => unary(LtlUnary::Finally, g),
        (Releases, Some(false), _) => unary(LtlUnary::Globally, g),
        (Since, Some(true), _) => unary(LtlUnary::Once, g),
        (Triggered, Some(false), _) => unary(LtlUnary::Historically, g),
        (_, None, None) => LtlKind::Binary(operator, Box::new(f), Box::new(g)),
    }
}

/// The formula, or its negation if `sign` is false.
fn signed(formula: Ltl, sign: bool) -> LtlKind {
    if sign { formula.kind } else { unary(LtlUnary::Not, formula) }
}

#[cfg(test)]
mod tests {
    use crate::parse_ltl;
    use tertium_support::Source;

    #[test]
    fn constants_go_where_no_path_can_tell_the_difference() {
        let fold =
            |text: &str| parse_ltl(&Source::new("test", text)).unwrap().without_constants().to_string();
        assert_eq!(fold("G (p -> FALSE)"), "G !p");
        assert_eq!(fold("G (p -> F TRUE) & q"), "q");
        assert_eq!(fold("(TRUE <-> p) | (FALSE xor q) | !(p <-> FALSE)"), "p | q | !!p");
        assert_eq!(fold("TRUE U p & (FALSE V q) & (TRUE S p) & (FALSE T q)"), "F p & G q & O p & H q");
        assert_eq!(fold("p U FALSE | (FALSE U q) | X FALSE | O FALSE"), "q");
        for kept in ["Y TRUE", "Z FALSE", "p U q", "F p"] {
            assert_eq!(fold(kept), kept);
        }
    }
}
