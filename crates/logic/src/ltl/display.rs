//! Formulas of linear time as text in the syntax of SMV, with as few brackets as the grammar needs.
//!
//! From tight to loose: prefix operators; `U V S T`; `&`; `|` and `xor`; `<->`; `->`. All associate to the left except
//! `->`. Propositions that are no plain names, or are words of the syntax, are quoted; the parser reads them back.

use super::{Ltl, LtlBinary, LtlKind, LtlUnary};
use crate::token::{is_name, is_reserved_in_paths, quote};
use std::fmt::{self, Display, Formatter, Write};

/// How tightly the outermost operator binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Implies,
    Iff,
    Or,
    And,
    Until,
    Operand,
}

impl Level {
    /// The next tighter one.
    pub(crate) fn tighter(self) -> Self {
        match self {
            Self::Implies => Self::Iff,
            Self::Iff => Self::Or,
            Self::Or => Self::And,
            Self::And => Self::Until,
            Self::Until | Self::Operand => Self::Operand,
        }
    }
}

impl LtlBinary {
    pub(crate) fn level(self) -> Level {
        match self {
            Self::Implies => Level::Implies,
            Self::Iff => Level::Iff,
            Self::Or | Self::Xor => Level::Or,
            Self::And => Level::And,
            Self::Until | Self::Releases | Self::Since | Self::Triggered => Level::Until,
        }
    }
}

impl Display for Ltl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        formula(f, self, Level::Implies)
    }
}

impl Display for LtlUnary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Not => "!",
            Self::Next => "X",
            Self::Finally => "F",
            Self::Globally => "G",
            Self::Previous => "Y",
            Self::WeakPrevious => "Z",
            Self::Once => "O",
            Self::Historically => "H",
        })
    }
}

impl Display for LtlBinary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "xor",
            Self::Implies => "->",
            Self::Iff => "<->",
            Self::Until => "U",
            Self::Releases => "V",
            Self::Since => "S",
            Self::Triggered => "T",
        })
    }
}

fn formula(f: &mut Formatter<'_>, ltl: &Ltl, loosest: Level) -> fmt::Result {
    match &ltl.kind {
        LtlKind::True => f.write_str("TRUE"),
        LtlKind::False => f.write_str("FALSE"),
        LtlKind::Proposition(name) if is_name(name) && !is_reserved_in_paths(name) => f.write_str(name),
        LtlKind::Proposition(name) => f.write_str(&quote(name)),
        LtlKind::Unary(operator, operand) => {
            write!(f, "{operator}")?;
            if *operator != LtlUnary::Not {
                f.write_char(' ')?;
            }
            formula(f, operand, Level::Operand)
        }
        LtlKind::Binary(operator, left, right) => {
            let own = operator.level();
            let (left_loosest, right_loosest) = match operator {
                LtlBinary::Implies => (own.tighter(), own),
                _ => (own, own.tighter()),
            };
            let brackets = own < loosest;
            f.write_str(if brackets { "(" } else { "" })?;
            formula(f, left, left_loosest)?;
            write!(f, " {operator} ")?;
            formula(f, right, right_loosest)?;
            f.write_str(if brackets { ")" } else { "" })
        }
    }
}
