//! Formulas of linear time, in the syntax of SMV.
//!
//! From tight to loose: prefix operators; `U V S T`; `&`; `|`, `xor` and `xnor`; `<->`; `->`. All associate to the left except
//! `->`. `R` is another word for `V`, and the longer symbols of state formulas (`&&`, `||`, `=>`, `<=>`) are read too. What
//! the words of the syntax are cannot be a proposition unless quoted; the text of an SMV expression always is.

use super::{Atoms, NESTING_LIMIT, Parser, too_deep};
use crate::ltl::Level;
use crate::token::{Token, TokenKind, unquote};
use crate::{Ltl, LtlBinary, LtlKind, LtlUnary};
use tertium_support::{Diagnostics, Source, Span};

const OPERATORS: &str =
    "the operators between formulas are `&`, `|`, `xor`, `xnor`, `->`, `<->`, `U`, `V`, `S` and `T`";
const STARTS: &str = "a formula starts with a name, a quoted name, `TRUE`, `FALSE`, `(`, `!`, `X`, `F`, `G`, `Y`, `Z`, \
                      `O` or `H`";

/// The words of the syntax.
const WORDS: [&str; 18] = [
    "X", "F", "G", "Y", "Z", "O", "H", "U", "V", "R", "S", "T", "xor", "xnor", "TRUE", "true", "FALSE",
    "false",
];

/// Reads a formula of linear time. Otherwise gives everything that is wrong, located, at least one error.
pub fn parse_ltl(source: &Source) -> Result<Ltl, Diagnostics> {
    let whole = Span::new(0, source.text().len());
    parse_ltl_with_atoms(source, whole, &|_, _| None)
}

/// Reads the formula of linear time that stands in a part of a text, where propositions can also be atoms of the language around, as
/// [`crate::parse_with_atoms`] does.
pub fn parse_ltl_with_atoms(source: &Source, part: Span, atoms: &Atoms<'_>) -> Result<Ltl, Diagnostics> {
    let mut parser = Parser::new(&source.text()[..part.end], part.start, atoms);
    let Deep { formula, .. } = parser.path_operators(Level::Implies);
    if parser.cursor.kind() != TokenKind::End {
        let mistake = parser.cursor.expected("an operator or the end").with_note(OPERATORS);
        parser.report(mistake);
    }
    if parser.cursor.complaints.is_empty() { Ok(formula) } else { Err(parser.cursor.complaints.into_list()) }
}

/// A formula and how deep it nests.
struct Deep {
    formula: Ltl,
    depth: usize,
}

impl Deep {
    fn leaf(kind: LtlKind, span: Span) -> Self {
        Self { formula: Ltl { kind, span }, depth: 1 }
    }

    /// Stands where an operand is missing; never leaves the parser.
    fn missing(at: Span) -> Self {
        Self::leaf(LtlKind::True, at)
    }
}

impl Parser<'_> {
    /// A formula whose operators outside of brackets bind at least as tightly as `loosest`.
    fn path_operators(&mut self, loosest: Level) -> Deep {
        let start = self.cursor.start();
        let mut left = self.path_operand();
        while let Some((operator, level)) = self.infix().filter(|&(_, level)| level >= loosest) {
            let at = self.cursor.bump().span;
            let right = if operator == LtlBinary::Implies {
                self.nested(at, Deep::missing(at), |own| own.path_operators(Level::Implies))
            } else {
                self.path_operators(level.tighter())
            };
            let depth = left.depth.max(right.depth);
            let kind = LtlKind::Binary(operator, Box::new(left.formula), Box::new(right.formula));
            left = self.above(kind, self.cursor.since(start), depth);
        }
        left
    }

    /// The operator between formulas that comes next, and how tightly it binds.
    fn infix(&self) -> Option<(LtlBinary, Level)> {
        let token = self.cursor.peek();
        let operator = match token.kind {
            TokenKind::Iff => LtlBinary::Iff,
            TokenKind::Implies => LtlBinary::Implies,
            TokenKind::Or | TokenKind::Bar => LtlBinary::Or,
            TokenKind::And => LtlBinary::And,
            TokenKind::Name => match self.cursor.text_of(token.span) {
                "xor" => LtlBinary::Xor,
                // The same as `<->`, but it binds as `xor` does.
                "xnor" => return Some((LtlBinary::Iff, Level::Or)),
                "U" => LtlBinary::Until,
                "V" | "R" => LtlBinary::Releases,
                "S" => LtlBinary::Since,
                "T" => LtlBinary::Triggered,
                _ => return None,
            },
            _ => return None,
        };
        Some((operator, operator.level()))
    }

    /// An atom, a formula in brackets, or a prefix operator with its operand.
    fn path_operand(&mut self) -> Deep {
        let token = self.cursor.peek();
        let text = self.cursor.text_of(token.span);
        if !WORDS.contains(&text)
            && let Some(end) = self.atom()
        {
            let (name, span) = self.text_up_to(end);
            return Deep::leaf(LtlKind::Proposition(name), span);
        }
        // `<a>`, if the language around knows actions.
        if token.kind == TokenKind::OpenAngle
            && let Some(end) = (self.atoms)(self.cursor.text(), token.span.start)
        {
            let (name, span) = self.text_up_to(end);
            return Deep::leaf(LtlKind::Proposition(name), span);
        }
        match (token.kind, text) {
            (TokenKind::Not, _) => self.prefix(LtlUnary::Not),
            (TokenKind::Name, "X") => self.prefix(LtlUnary::Next),
            (TokenKind::Name, "F") => self.prefix(LtlUnary::Finally),
            (TokenKind::Name, "G") => self.prefix(LtlUnary::Globally),
            (TokenKind::Name, "Y") => self.prefix(LtlUnary::Previous),
            (TokenKind::Name, "Z") => self.prefix(LtlUnary::WeakPrevious),
            (TokenKind::Name, "O") => self.prefix(LtlUnary::Once),
            (TokenKind::Name, "H") => self.prefix(LtlUnary::Historically),
            (TokenKind::Name, "TRUE" | "true") => self.path_leaf(LtlKind::True),
            (TokenKind::Name, "FALSE" | "false") => self.path_leaf(LtlKind::False),
            (TokenKind::Name, _) if self.infix().is_none() => {
                self.path_leaf(LtlKind::Proposition(text.to_owned()))
            }
            (TokenKind::Quoted, _) => self.path_leaf(LtlKind::Proposition(unquote(text))),
            (TokenKind::OpenParen, _) => {
                self.cursor.bump();
                let missing = Deep::missing(token.span);
                let inner = self.nested(token.span, missing, |own| own.path_operators(Level::Implies));
                self.close(TokenKind::CloseParen, token.span, "an operator or `)`");
                inner
            }
            _ => self.no_path_formula(token),
        }
    }

    fn path_leaf(&mut self, kind: LtlKind) -> Deep {
        Deep::leaf(kind, self.cursor.bump().span)
    }

    fn prefix(&mut self, operator: LtlUnary) -> Deep {
        let at = self.cursor.bump().span;
        let operand = self.nested(at, Deep::missing(at), Self::path_operand);
        let kind = LtlKind::Unary(operator, Box::new(operand.formula));
        self.above(kind, self.cursor.since(at.start), operand.depth)
    }

    /// A formula over operands that nest `depth` deep. It must not become too deep even for a moment: to free it is to walk it.
    fn above(&mut self, kind: LtlKind, span: Span, depth: usize) -> Deep {
        if depth < NESTING_LIMIT {
            return Deep { formula: Ltl { kind, span }, depth: depth + 1 };
        }
        self.report(too_deep(span, NESTING_LIMIT, "operators"));
        self.abandon();
        Deep::missing(span)
    }

    fn no_path_formula(&mut self, token: Token) -> Deep {
        let mistake = self.cursor.expected("a formula").with_note(STARTS);
        let mistake = match token.kind {
            TokenKind::OpenAngle | TokenKind::OpenBracket => mistake
                .with_note("formulas of linear time have no modalities; `F` and `G` are written as letters"),
            _ => mistake,
        };
        self.report(mistake);
        // What separates or ends formulas is left to those who wait for it.
        if !self.abandoned && self.infix().is_none() && !matches!(token.kind, TokenKind::CloseParen) {
            self.cursor.bump();
        }
        Deep::missing(token.span)
    }
}
