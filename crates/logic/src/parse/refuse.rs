//! What is known from `.mcf` and refused: data and time. Each is named, located, and skipped, so that what follows
//! is read as well.

use super::Parser;
use crate::token::{TokenKind, quote};
use tertium_support::{Diagnostic, Span};

pub(super) const NO_DATA: &str = "formulas are read without data and time";

impl Parser<'_> {
    /// Refuses data where a state formula starts with a name. Gives whether there was any.
    pub(super) fn refuse_in_state_formula(&mut self) -> bool {
        let token = self.cursor.peek();
        let word = self.cursor.text_of(token.span);
        match word {
            "delay" | "yaled" => {
                self.cursor.bump();
                self.report(
                    Diagnostic::error(token.span, format!("`{word}` speaks of time and is not supported"))
                        .with_note(format!("a proposition of this name is written in quotes: \"{word}\"")),
                );
                if self.cursor.eat(TokenKind::At) {
                    self.cursor.bump();
                }
                true
            }
            _ if self.refuse_quantifier() || self.refuse_value() => true,
            _ if self.cursor.kind_after() == TokenKind::OpenParen => {
                self.cursor.bump();
                if matches!(word, "E" | "A") {
                    self.refuse_round_path(token.span, word);
                } else if self.scope.iter().any(|binder| binder.name == word) {
                    self.refuse_arguments(token.span, "variable");
                } else {
                    self.refuse_arguments(token.span, "proposition");
                }
                true
            }
            _ => false,
        }
    }

    /// Refuses data where an action formula starts with a name. Gives whether there was any.
    pub(super) fn refuse_in_action_formula(&mut self) -> bool {
        if self.at_word("nil") {
            let span = self.cursor.bump().span;
            self.report(
                Diagnostic::error(span, "the empty sequence `nil` is not supported")
                    .with_note("write `false*`, the sequences of no steps; a label of this name is \"nil\""),
            );
            return true;
        }
        self.cursor.kind() == TokenKind::Name && (self.refuse_quantifier() || self.refuse_value())
    }

    /// `forall x: S.` and `exists x: S.`, also the quantitative ones: skipped with the dot.
    fn refuse_quantifier(&mut self) -> bool {
        let token = self.cursor.peek();
        let word = self.cursor.text_of(token.span);
        let certain = matches!(word, "forall" | "exists");
        let typed = || {
            let after: Vec<TokenKind> = self.cursor.ahead().skip(1).take(2).map(|token| token.kind).collect();
            matches!(after[..], [TokenKind::Name, TokenKind::Colon | TokenKind::Comma])
        };
        let perhaps = matches!(word, "inf" | "sup" | "sum" | "lambda") && typed();
        if !certain && !perhaps {
            return false;
        }
        self.cursor.bump();
        self.skip_to(|kind| kind == TokenKind::Dot);
        let span = self.cursor.since(token.span.start);
        self.report(
            Diagnostic::error(span, format!("the quantifier `{word}` over data is not supported"))
                .with_note(NO_DATA),
        );
        self.cursor.eat(TokenKind::Dot);
        true
    }

    /// `val(…)`
    fn refuse_value(&mut self) -> bool {
        let token = self.cursor.peek();
        if !self.at_word("val") || self.cursor.kind_after() != TokenKind::OpenParen {
            return false;
        }
        self.cursor.bump();
        let span = token.span.to(self.skip_arguments());
        self.report(
            Diagnostic::error(span, "the data expression `val(…)` is not supported").with_note(NO_DATA),
        );
        true
    }

    /// `mu X(n: Nat = 0).`
    pub(super) fn refuse_parameters(&mut self, variable: &str) {
        if self.cursor.kind() == TokenKind::OpenParen {
            let span = self.skip_arguments();
            self.report(
                Diagnostic::error(span, format!("the data parameters of `{variable}` are not supported"))
                    .with_note(NO_DATA),
            );
        }
    }

    /// `p(1)` after its name: refused with the quotation that is meant, if a proposition is meant.
    pub(super) fn refuse_arguments(&mut self, name: Span, what: &str) {
        if self.cursor.kind() != TokenKind::OpenParen {
            return;
        }
        let arguments = self.skip_arguments();
        let whole = name.to(arguments);
        let mut mistake = Diagnostic::error(
            whole,
            format!("data arguments of the {what} `{}` are not supported", self.cursor.text_of(name)),
        );
        mistake = match what {
            "variable" => mistake.with_note(NO_DATA),
            _ => mistake.with_note(format!(
                "the {what} with exactly this text is written in quotes: {}",
                quote(self.cursor.text_of(whole))
            )),
        };
        self.report(mistake);
    }

    /// `E(f U g)`
    fn refuse_round_path(&mut self, quantifier: Span, word: &str) {
        let span = quantifier.to(self.skip_arguments());
        self.report(
            Diagnostic::error(span, format!("`{word}` takes square brackets"))
                .with_note(format!("write `{word}[f U g]`, `{word}[f W g]` or `{word}[f R g]`")),
        );
    }

    /// Skips a list in round brackets, whatever it holds.
    pub(super) fn skip_arguments(&mut self) -> Span {
        let start = self.cursor.start();
        let mut open = 0usize;
        loop {
            match self.cursor.bump().kind {
                TokenKind::OpenParen => open += 1,
                TokenKind::CloseParen if open <= 1 => break,
                TokenKind::CloseParen => open -= 1,
                TokenKind::End => break,
                _ => {}
            }
        }
        self.cursor.since(start)
    }
}
