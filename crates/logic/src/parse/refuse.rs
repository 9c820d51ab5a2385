//! What is known from `.mcf` and refused: data and time. Each is named, located, and skipped, so that what follows
//! is read as well.

use super::Parser;
use crate::token::{TokenKind, quote};
use tertium_support::{Diagnostic, Span};

pub(super) const NO_DATA: &str = "formulas are read without data and time";

impl Parser<'_> {
    /// Refuses data where a state formula starts with a name. Gives whether there was any.
    pub(super) fn refuse_in_state_formula(&mut self) -> bool {
        let token = self.peek();
        let word = self.text_of(token.span);
        match word {
            "delay" | "yaled" => {
                self.next();
                self.report(
                    Diagnostic::error(token.span, format!("`{word}` speaks of time and is not supported"))
                        .with_note(format!("a proposition of this name is written in quotes: \"{word}\"")),
                );
                if self.eat(TokenKind::At) {
                    self.next();
                }
                true
            }
            _ if self.refuse_quantifier() || self.refuse_value() => true,
            _ if self.kind_after() == TokenKind::OpenParen => {
                self.next();
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
            let span = self.next().span;
            self.report(
                Diagnostic::error(span, "the empty sequence `nil` is not supported")
                    .with_note("write `false*`, the sequences of no steps; a label of this name is \"nil\""),
            );
            return true;
        }
        self.peek().kind == TokenKind::Name && (self.refuse_quantifier() || self.refuse_value())
    }

    /// `forall x: S.` and `exists x: S.`, also the quantitative ones: skipped with the dot.
    fn refuse_quantifier(&mut self) -> bool {
        let token = self.peek();
        let word = self.text_of(token.span);
        let certain = matches!(word, "forall" | "exists");
        let typed = self.tokens.get(self.at + 2).is_some_and(|token| {
            self.kind_after() == TokenKind::Name && matches!(token.kind, TokenKind::Colon | TokenKind::Comma)
        });
        let perhaps = typed && matches!(word, "inf" | "sup" | "sum" | "lambda");
        if !certain && !perhaps {
            return false;
        }
        self.next();
        self.skip_to(|kind| kind == TokenKind::Dot);
        let span = self.span_from(token.span.start);
        self.report(
            Diagnostic::error(span, format!("the quantifier `{word}` over data is not supported"))
                .with_note(NO_DATA),
        );
        self.eat(TokenKind::Dot);
        true
    }

    /// `val(…)`
    fn refuse_value(&mut self) -> bool {
        let token = self.peek();
        if !self.at_word("val") || self.kind_after() != TokenKind::OpenParen {
            return false;
        }
        self.next();
        let span = token.span.to(self.skip_arguments());
        self.report(
            Diagnostic::error(span, "the data expression `val(…)` is not supported").with_note(NO_DATA),
        );
        true
    }

    /// `mu X(n: Nat = 0).`
    pub(super) fn refuse_parameters(&mut self, variable: &str) {
        if self.peek().kind == TokenKind::OpenParen {
            let span = self.skip_arguments();
            self.report(
                Diagnostic::error(span, format!("the data parameters of `{variable}` are not supported"))
                    .with_note(NO_DATA),
            );
        }
    }

    /// `a(1)` after its name: refused with the quotation that is meant, if a label is meant.
    pub(super) fn refuse_arguments(&mut self, name: Span, what: &str) {
        if self.peek().kind != TokenKind::OpenParen {
            return;
        }
        let arguments = self.skip_arguments();
        let whole = name.to(arguments);
        let mut mistake = Diagnostic::error(
            whole,
            format!("data arguments of the {what} `{}` are not supported", self.text_of(name)),
        );
        mistake = match what {
            "variable" => mistake.with_note(NO_DATA),
            _ => mistake.with_note(format!(
                "the {what} with exactly this text is written in quotes: {}",
                quote(self.text_of(whole))
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
    fn skip_arguments(&mut self) -> Span {
        let start = self.peek().span.start;
        let mut open = 0usize;
        loop {
            match self.next().kind {
                TokenKind::OpenParen => open += 1,
                TokenKind::CloseParen if open <= 1 => break,
                TokenKind::CloseParen => open -= 1,
                TokenKind::End => break,
                _ => {}
            }
        }
        self.span_from(start)
    }
}
