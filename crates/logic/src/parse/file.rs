//! Whole texts: a bare formula, or the sections of an `.mcf` file.

use super::{Parser, missing};
use crate::Formula;
use crate::token::TokenKind;
use tertium_support::{Diagnostic, Span};

impl Parser<'_> {
    /// A bare formula, or sections of which exactly one is `form f;`.
    pub(super) fn file(&mut self) -> Formula {
        if self.section().is_none() {
            if self.cursor.kind() == TokenKind::End {
                self.report(Diagnostic::error(self.cursor.span(), "expected a formula, found nothing"));
                return missing(self.cursor.span());
            }
            let formula = self.formula();
            self.nothing_more(TokenKind::End, "an operator or the end of the formula");
            return formula;
        }
        let mut form: Option<(Formula, Span)> = None;
        while let Some(word) = self.section() {
            let start = self.cursor.bump().span;
            match word {
                "form" => {
                    let formula = self.formula();
                    self.nothing_more(TokenKind::Semicolon, "an operator or `;`");
                    self.semicolon("`;` at the end of the formula");
                    match &form {
                        Some((_, first)) => {
                            let mistake = Diagnostic::error(start, "there is more than one formula")
                                .with_related(*first, "the first is here");
                            self.report(mistake);
                        }
                        None => form = Some((formula, start)),
                    }
                }
                "act" => self.actions_section(),
                _ => self.data_section(start, word),
            }
        }
        if self.cursor.kind() != TokenKind::End {
            let mistake = self.cursor.expected("`form`, `act` or the end of the file");
            self.report(mistake.with_note("after declarations the formula is written `form f;`"));
        } else if form.is_none() {
            self.report(
                Diagnostic::error(self.cursor.span(), "there is no formula")
                    .with_note("after declarations the formula is written `form f;`"),
            );
        }
        form.map_or_else(|| missing(self.cursor.span()), |(formula, _)| formula)
    }

    /// The section that starts here. Its word is one only if something follows that no operator separates from it:
    /// `init` alone or in `init && p` is a proposition, and so is what the language around says.
    fn section(&self) -> Option<&'static str> {
        const SECTIONS: [&str; 10] =
            ["form", "act", "sort", "cons", "map", "glob", "var", "eqn", "proc", "init"];
        use TokenKind::{Name, Not, Number, OpenAngle, OpenBracket, OpenParen, Quoted};
        let follows = || {
            matches!(
                self.cursor.kind_after(),
                Name | Not | Number | OpenAngle | OpenBracket | OpenParen | Quoted
            )
        };
        SECTIONS.into_iter().find(|word| self.at_word(word) && follows() && self.atom().is_none())
    }

    /// `act a, b;` as often as it goes: names only. What a system does not have is found when it is checked.
    fn actions_section(&mut self) {
        loop {
            loop {
                if !self.cursor.eat(TokenKind::Name) {
                    let mistake = self.cursor.expected("the name of an action");
                    self.report(mistake);
                    break;
                }
                if !self.cursor.eat(TokenKind::Comma) {
                    break;
                }
            }
            if self.cursor.kind() == TokenKind::Colon {
                let start = self.cursor.bump().span.start;
                self.skip_to(|_| false);
                let span = self.cursor.since(start);
                self.report(
                    Diagnostic::error(span, "actions with data are not supported")
                        .with_note("a label with data is written in quotes in the formula: \"send(1)\""),
                );
            }
            self.semicolon("`,` or `;` after the name of an action");
            use TokenKind::{Colon, Comma, Name, Semicolon};
            if self.cursor.kind() != Name || !matches!(self.cursor.kind_after(), Comma | Colon | Semicolon) {
                return;
            }
        }
    }

    /// A section that declares data: refused and skipped up to the next section.
    fn data_section(&mut self, word: Span, name: &str) {
        let mut end = word;
        while self.cursor.kind() != TokenKind::End {
            let token = self.cursor.bump();
            end = token.span;
            if token.kind == TokenKind::Semicolon && self.section().is_some() {
                break;
            }
        }
        self.report(
            Diagnostic::error(word.to(end), format!("the section `{name}` is not supported"))
                .with_note(super::refuse::NO_DATA),
        );
    }

    fn semicolon(&mut self, expected: &str) {
        if !self.cursor.eat(TokenKind::Semicolon) {
            let mistake = self.cursor.expected(expected);
            self.report(mistake);
            self.skip_to(|_| false);
            self.cursor.eat(TokenKind::Semicolon);
        }
    }
}
