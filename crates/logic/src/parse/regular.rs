//! Regular formulas and action formulas: what stands inside modalities.
//!
//! The two share brackets: whether `(a` opens an action formula or a regular formula shows only later. So both are
//! read as regular formulas, and an operator on actions asks its operands to be single steps.
//!
//! A `+` is infix if what follows it can start a regular formula, else postfix: `a + b` is a choice, `a+ . b` and
//! `a+ + b` repeat `a`. One token of lookahead decides, since two operands never stand side by side.

use super::Parser;
use crate::token::{TokenKind, is_reserved_in_actions, unquote};
use crate::{ActionFormula, Regular};
use tertium_support::{Diagnostic, Span};

/// The infix operators of action formulas, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Infix {
    Implies,
    Or,
    And,
}

impl Infix {
    fn of(kind: TokenKind) -> Option<Self> {
        match kind {
            TokenKind::Implies => Some(Self::Implies),
            TokenKind::Or => Some(Self::Or),
            TokenKind::And => Some(Self::And),
            _ => None,
        }
    }
}

const STARTS: &str = "inside `<…>` and `[…]` stand actions such as `a`, `\"send(1)\"`, `a|b`, `true`, `!a`, joined by \
                      `&&`, `||`, `=>`, `.`, `+`, `*`";

impl Parser<'_> {
    /// Choices of sequences of repeated action formulas.
    pub(super) fn regular(&mut self) -> Regular {
        let mut choices = Vec::new();
        loop {
            let mut steps = vec![self.repeated()];
            while self.cursor.eat(TokenKind::Dot) {
                steps.push(self.repeated());
            }
            choices.push(if steps.len() == 1 { steps.remove(0) } else { Regular::Sequence(steps) });
            if self.cursor.kind() != TokenKind::Plus {
                break;
            }
            self.cursor.bump();
        }
        if choices.len() == 1 { choices.remove(0) } else { Regular::Choice(choices) }
    }

    /// An action formula or regular formula in brackets, with its postfix operators.
    fn repeated(&mut self) -> Regular {
        let mut body = self.actions(Infix::Implies);
        let mut depth = self.cursor.depth();
        loop {
            let token = self.cursor.peek();
            let repeat: fn(Box<Regular>) -> Regular = match token.kind {
                TokenKind::Star => Regular::Star,
                TokenKind::Plus if !self.starts_regular_after() => Regular::Plus,
                TokenKind::At => {
                    let mistake = self.time_refused();
                    self.report(mistake);
                    self.skip_to(|kind| matches!(kind, TokenKind::Dot | TokenKind::Plus));
                    return body;
                }
                _ => return body,
            };
            depth += 1;
            if depth > super::BRACKET_LIMIT {
                self.report(super::too_deep(token.span, super::BRACKET_LIMIT, "repetition"));
                self.abandon();
                return body;
            }
            self.cursor.bump();
            body = repeat(Box::new(body));
        }
    }

    /// Whether a regular formula can start at the token after the next one.
    fn starts_regular_after(&self) -> bool {
        use TokenKind::{Name, Not, Number, OpenParen, Quoted, Unknown, Unterminated};
        matches!(self.cursor.kind_after(), Name | Not | Number | OpenParen | Quoted | Unknown | Unterminated)
    }

    /// Action formulas whose operators outside of brackets bind at least as tightly as `loosest`; or one regular
    /// formula in brackets.
    fn actions(&mut self, loosest: Infix) -> Regular {
        let start = self.cursor.start();
        let mut left = self.action_operand();
        while let Some(infix) = Infix::of(self.cursor.kind()).filter(|&infix| infix >= loosest) {
            let first = self.single_step(left, start);
            left = Regular::Step(match infix {
                Infix::And => ActionFormula::And(self.action_chain(first, infix, Self::action_operand)),
                Infix::Or => {
                    ActionFormula::Or(self.action_chain(first, infix, |own| own.actions(Infix::And)))
                }
                Infix::Implies => {
                    let at = self.cursor.bump().span;
                    let start = self.cursor.start();
                    let right = self.nested(at, nothing(), |own| own.actions(Infix::Implies));
                    let right = self.single_step(right, start);
                    ActionFormula::Or(vec![ActionFormula::Not(Box::new(first)), right])
                }
            });
        }
        left
    }

    fn action_chain(
        &mut self,
        first: ActionFormula,
        infix: Infix,
        next: impl Fn(&mut Self) -> Regular,
    ) -> Vec<ActionFormula> {
        let mut parts = vec![first];
        while Infix::of(self.cursor.kind()) == Some(infix) {
            self.cursor.bump();
            let start = self.cursor.start();
            let part = next(self);
            parts.push(self.single_step(part, start));
        }
        parts
    }

    fn action_operand(&mut self) -> Regular {
        let token = self.cursor.peek();
        match token.kind {
            TokenKind::Not => {
                self.cursor.bump();
                let start = self.cursor.start();
                let operand = self.nested(token.span, nothing(), Self::action_operand);
                Regular::Step(ActionFormula::Not(Box::new(self.single_step(operand, start))))
            }
            TokenKind::OpenParen => {
                self.cursor.bump();
                let inner = self.nested(token.span, nothing(), Self::regular);
                self.close(TokenKind::CloseParen, token.span, "an operator between actions or `)`");
                inner
            }
            TokenKind::Name if self.at_word("true") => {
                self.cursor.bump();
                Regular::Step(ActionFormula::True)
            }
            TokenKind::Name if self.at_word("false") => {
                self.cursor.bump();
                Regular::Step(ActionFormula::False)
            }
            TokenKind::Name | TokenKind::Quoted => {
                if self.refuse_in_action_formula() {
                    return self.after_action_refusal();
                }
                self.multi_action()
            }
            _ => self.no_action(),
        }
    }

    /// `a|b|c`: the parts sorted and joined; `tau` is the empty multi-action.
    fn multi_action(&mut self) -> Regular {
        let start = self.cursor.start();
        let mut parts = Vec::new();
        loop {
            parts.extend(self.label());
            if !self.cursor.eat(TokenKind::Bar) {
                break;
            }
        }
        if parts.len() > 1 {
            parts.retain(|part| part != "tau");
            parts.sort();
        }
        let label = if parts.is_empty() { "tau".to_owned() } else { parts.join("|") };
        Regular::Step(ActionFormula::Action(label, self.cursor.since(start)))
    }

    /// One part of a multi-action.
    fn label(&mut self) -> Option<String> {
        let token = self.cursor.peek();
        let text = self.cursor.text_of(token.span);
        match token.kind {
            TokenKind::Quoted => {
                self.cursor.bump();
                Some(unquote(text))
            }
            TokenKind::Name if !is_reserved_in_actions(text) => {
                self.cursor.bump();
                Some(self.with_arguments(token.span))
            }
            _ => {
                self.no_action();
                None
            }
        }
    }

    /// The label that begins with a name: with the arguments behind it, as they are written, on one line.
    fn with_arguments(&mut self, name: Span) -> String {
        let label = if self.cursor.kind() == TokenKind::OpenParen {
            let open = self.cursor.span();
            if self.partner_ends().is_none() {
                let mistake = Diagnostic::error(open, "these arguments have no end");
                self.report(mistake.with_note("a label that is no name and no call is written in quotes"));
            }
            name.to(self.skip_arguments())
        } else {
            name
        };
        self.cursor.text_of(label).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The action formula that `operand` is, or a complaint that it is none.
    fn single_step(&mut self, operand: Regular, start: usize) -> ActionFormula {
        if let Regular::Step(actions) = operand {
            return actions;
        }
        let mistake =
            Diagnostic::error(self.cursor.since(start), "this describes sequences of actions, not actions")
                .with_note("`!`, `&&`, `||` and `=>` work on action formulas; join sequences by `.` and `+`");
        self.report(mistake);
        ActionFormula::True
    }

    fn after_action_refusal(&mut self) -> Regular {
        let at = self.cursor.span();
        match self.cursor.kind() {
            TokenKind::Name | TokenKind::Quoted | TokenKind::Not | TokenKind::OpenParen => {
                self.nested(at, nothing(), |own| own.actions(Infix::Implies))
            }
            _ => nothing(),
        }
    }

    /// Complains that no action stands here and skips what does.
    fn no_action(&mut self) -> Regular {
        let token = self.cursor.peek();
        let mistake = match token.kind {
            TokenKind::Unterminated => Diagnostic::error(token.span, "this quotation has no end")
                .with_note("it must end on its line"),
            _ => self.cursor.expected("an action").with_note(STARTS),
        };
        self.report(mistake);
        self.skip_to(|kind| {
            Infix::of(kind).is_some() || matches!(kind, TokenKind::Dot | TokenKind::Plus | TokenKind::Star)
        });
        nothing()
    }

    /// The complaint about a time stamp.
    pub(super) fn time_refused(&self) -> Diagnostic {
        let at: Span = self.cursor.span();
        Diagnostic::error(at, "time stamps `@` are not supported").with_note(super::refuse::NO_DATA)
    }
}

/// Stands where an action is missing; never leaves the parser.
fn nothing() -> Regular {
    Regular::Step(ActionFormula::True)
}
