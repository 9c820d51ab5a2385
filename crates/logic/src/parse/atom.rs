//! Atoms of the language around a formula.
//!
//! The language around knows where its atoms end; here is decided where it is asked. Not at words that mean something in formulas,
//! but for quantifiers, nor at variables of fixpoints; not at a negation, which the formula applies to the atom behind it; and
//! brackets that hold an atom and nothing else are those of the formula.

use super::Parser;
use crate::token::{TokenKind, is_reserved_in_states};
use crate::{Formula, FormulaKind};
use tertium_support::{Diagnostic, Span};

impl Parser<'_> {
    /// Where the atom that begins at the next token ends.
    pub(super) fn atom(&self) -> Option<usize> {
        let token = self.cursor.peek();
        match token.kind {
            // Quantifiers are those of the language around, or of nobody.
            TokenKind::Name if ["forall", "exists"].contains(&self.cursor.text_of(token.span)) => {}
            TokenKind::Name if self.has_meaning(self.cursor.text_of(token.span)) => return None,
            TokenKind::Name | TokenKind::Number | TokenKind::Unknown | TokenKind::OpenParen => {}
            _ => return None,
        }
        let (text, start) = (self.cursor.text(), token.span.start);
        let end = (self.atoms)(text, start).filter(|&end| start < end && end <= text.len())?;
        let only_brackets = token.kind == TokenKind::OpenParen && self.partner_ends() == Some(end);
        (text.is_char_boundary(end) && !only_brackets).then_some(end)
    }

    fn has_meaning(&self, word: &str) -> bool {
        is_reserved_in_states(word) || self.scope.iter().any(|binder| binder.name == word)
    }

    /// The end of the bracket that closes the next token.
    pub(super) fn partner_ends(&self) -> Option<usize> {
        let mut open = 0usize;
        for token in self.cursor.ahead() {
            match token.kind {
                TokenKind::OpenParen => open += 1,
                TokenKind::CloseParen if open == 1 => return Some(token.span.end),
                TokenKind::CloseParen => open -= 1,
                _ => {}
            }
        }
        None
    }

    /// The proposition with the text up to `end`, whatever tokens that is.
    pub(super) fn proposition_up_to(&mut self, end: usize) -> Formula {
        let (name, span) = self.text_up_to(end);
        Formula { kind: FormulaKind::Proposition(name), span }
    }

    /// The text up to `end`, on one line, and its place.
    pub(super) fn text_up_to(&mut self, end: usize) -> (String, Span) {
        let span = Span::new(self.cursor.start(), end);
        let text = self.cursor.text_of(span);
        if let Some(at) = text.find('%') {
            let at = span.start + at;
            let mistake = Diagnostic::error(Span::new(at, at + 1), "`%` begins a comment in formulas");
            self.report(mistake.with_note("the remainder of a division is written `mod`"));
        }
        while self.cursor.start() < end && self.cursor.kind() != TokenKind::End {
            self.cursor.bump();
        }
        (on_one_line(text), span)
    }
}

/// Without comments and superfluous blanks, so that atoms that differ only in these are one proposition.
fn on_one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}
