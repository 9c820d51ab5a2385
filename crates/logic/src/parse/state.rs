//! State formulas.

use super::{Binder, Parser, missing};
use crate::token::{Token, TokenKind, is_reserved_in_states, unquote};
use crate::{ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, Regular, Sign};
use tertium_support::{Diagnostic, Span};

/// The infix operators of state formulas, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Infix {
    Iff,
    Implies,
    Or,
    And,
}

impl Infix {
    fn of(kind: TokenKind) -> Option<Self> {
        match kind {
            TokenKind::Iff => Some(Self::Iff),
            TokenKind::Implies => Some(Self::Implies),
            TokenKind::Or | TokenKind::Bar => Some(Self::Or),
            TokenKind::And => Some(Self::And),
            _ => None,
        }
    }
}

const OPERATORS: &str = "the operators between formulas are `&&`, `||`, `=>` and `<=>`";
const STARTS: &str = "a formula starts with a name, a quoted name, `true`, `false`, `!`, `(`, `<`, `[`, `mu`, `nu`, \
                      `EX`, `EF`, `EG`, `AX`, `AF`, `AG`, `E[` or `A[`";

impl<'a> Parser<'a> {
    /// A whole formula, as far to the right as it goes.
    pub(super) fn formula(&mut self) -> Formula {
        self.operators(Infix::Iff)
    }

    /// A formula whose operators outside of brackets bind at least as tightly as `loosest`.
    fn operators(&mut self, loosest: Infix) -> Formula {
        let start = self.cursor.start();
        let mut left = self.operand();
        while let Some(infix) = Infix::of(self.cursor.kind()).filter(|&infix| infix >= loosest) {
            let kind = match infix {
                Infix::And => FormulaKind::And(self.chain(left, infix, Self::operand)),
                Infix::Or => FormulaKind::Or(self.chain(left, infix, |own| own.operators(Infix::And))),
                Infix::Implies => FormulaKind::Implies(Box::new(left), Box::new(self.right_side(infix))),
                Infix::Iff => FormulaKind::Iff(Box::new(left), Box::new(self.right_side(infix))),
            };
            left = Formula { kind, span: self.cursor.since(start) };
        }
        left
    }

    /// The operands of a chain of one operator that starts with `first`.
    fn chain(&mut self, first: Formula, infix: Infix, next: impl Fn(&mut Self) -> Formula) -> Vec<Formula> {
        let mut parts = vec![first];
        while Infix::of(self.cursor.kind()) == Some(infix) {
            self.cursor.bump();
            parts.push(next(self));
        }
        parts
    }

    /// The right side of an operator that associates to the right.
    fn right_side(&mut self, infix: Infix) -> Formula {
        let at = self.cursor.bump().span;
        self.nested(at, missing(at), |own| own.operators(infix))
    }

    /// An atom, a formula in brackets, or a prefix operator with its operand.
    fn operand(&mut self) -> Formula {
        let token = self.cursor.peek();
        if let Some(end) = self.atom() {
            return self.proposition_up_to(end);
        }
        match token.kind {
            TokenKind::Name => self.word(token),
            TokenKind::Quoted => {
                self.cursor.bump();
                let name = unquote(self.cursor.text_of(token.span));
                Formula { kind: FormulaKind::Proposition(name), span: token.span }
            }
            TokenKind::Not => {
                self.cursor.bump();
                let operand = self.deeper(token.span);
                self.node(token, FormulaKind::Not(operand))
            }
            TokenKind::OpenAngle => self.modality(PathQuantifier::Some, TokenKind::CloseAngle, "`>`"),
            TokenKind::OpenBracket => self.modality(PathQuantifier::All, TokenKind::CloseBracket, "`]`"),
            TokenKind::OpenParen => {
                self.cursor.bump();
                let inner = self.nested(token.span, missing(token.span), Self::formula);
                self.close(TokenKind::CloseParen, token.span, "an operator or `)`");
                inner
            }
            TokenKind::Unknown if self.at_sign("?") => self.placeholder(),
            _ => self.no_formula(),
        }
    }

    fn word(&mut self, token: Token) -> Formula {
        let word = self.cursor.text_of(token.span);
        match word {
            "E" if self.cursor.kind_after() == TokenKind::OpenBracket => {
                self.binary_path(PathQuantifier::Some)
            }
            "A" if self.cursor.kind_after() == TokenKind::OpenBracket => {
                self.binary_path(PathQuantifier::All)
            }
            "mu" => self.fixpoint(Sign::Least),
            "nu" => self.fixpoint(Sign::Greatest),
            "true" => self.constant(FormulaKind::True),
            "false" => self.constant(FormulaKind::False),
            "EX" => self.unary_path(PathQuantifier::Some, PathOperator::Next),
            "EF" => self.unary_path(PathQuantifier::Some, PathOperator::Finally),
            "EG" => self.unary_path(PathQuantifier::Some, PathOperator::Globally),
            "AX" => self.unary_path(PathQuantifier::All, PathOperator::Next),
            "AF" => self.unary_path(PathQuantifier::All, PathOperator::Finally),
            "AG" => self.unary_path(PathQuantifier::All, PathOperator::Globally),
            _ if self.refuse_in_state_formula() => self.after_refusal(token),
            _ => self.name(),
        }
    }

    fn constant(&mut self, kind: FormulaKind) -> Formula {
        Formula { kind, span: self.cursor.bump().span }
    }

    /// A variable if a fixpoint around binds it, else a proposition.
    fn name(&mut self) -> Formula {
        let span = self.cursor.bump().span;
        let name = self.cursor.text_of(span);
        let kind = if self.scope.iter().any(|binder| binder.name == name) {
            FormulaKind::Variable(name.to_owned())
        } else {
            self.free.push(Binder { name, span });
            FormulaKind::Proposition(name.to_owned())
        };
        Formula { kind, span }
    }

    /// `mu X. f` and `nu X. f`
    fn fixpoint(&mut self, sign: Sign) -> Formula {
        let operator = self.cursor.bump();
        let name = self.binder(operator.span);
        if let Some(binder) = name {
            self.refuse_parameters(binder.name);
        }
        if !self.cursor.eat(TokenKind::Dot) {
            let mistake =
                self.cursor.expected("`.`").with_note("a fixpoint is written `mu X. f` or `nu X. f`");
            self.report(mistake);
        }
        self.scope.extend(name);
        self.binders.extend(name);
        let body = self.nested(operator.span, missing(operator.span), Self::formula);
        self.scope.truncate(self.scope.len() - usize::from(name.is_some()));
        let name = name.map_or("", |binder| binder.name).to_owned();
        self.node(operator, FormulaKind::Fixpoint(sign, name, Box::new(body)))
    }

    /// The variable of a fixpoint, with the place of the binder.
    fn binder(&mut self, operator: Span) -> Option<Binder<'a>> {
        let token = self.cursor.peek();
        let name = self.cursor.text_of(token.span);
        if token.kind != TokenKind::Name {
            let mistake = self.cursor.expected("the name of a variable");
            self.report(mistake);
            return None;
        }
        if is_reserved_in_states(name) {
            self.report(Diagnostic::error(
                token.span,
                format!("`{name}` has a meaning of its own and cannot be a variable"),
            ));
        }
        self.cursor.bump();
        Some(Binder { name, span: operator.to(token.span) })
    }

    /// `<R>f` and `[R]f`; nothing between the brackets means any action.
    fn modality(&mut self, quantifier: PathQuantifier, close: TokenKind, expected: &str) -> Formula {
        let open = self.cursor.bump();
        let regular = if self.cursor.eat(close) {
            Regular::Step(ActionFormula::True)
        } else {
            let regular = self.nested(open.span, Regular::Step(ActionFormula::True), Self::regular);
            self.close(close, open.span, &format!("an operator between actions or {expected}"));
            regular
        };
        let operand = self.deeper(open.span);
        self.node(open, FormulaKind::Modal(quantifier, regular, operand))
    }

    fn unary_path(
        &mut self,
        quantifier: PathQuantifier,
        operator: fn(Box<Formula>) -> PathOperator,
    ) -> Formula {
        let start = self.cursor.bump();
        let operand = self.deeper(start.span);
        self.node(start, FormulaKind::Path(quantifier, operator(operand)))
    }

    /// `E[f U g]` and its kin.
    fn binary_path(&mut self, quantifier: PathQuantifier) -> Formula {
        let start = self.cursor.bump();
        let open = self.cursor.bump().span;
        let left = Box::new(self.nested(open, missing(open), Self::formula));
        let operator: fn(Box<Formula>, Box<Formula>) -> PathOperator = match () {
            () if self.at_word("U") => PathOperator::Until,
            () if self.at_word("W") => PathOperator::WeakUntil,
            () if self.at_word("R") => PathOperator::Release,
            () => {
                let mistake = self.cursor.expected("an operator, `U`, `W` or `R`");
                self.report(mistake.with_note("paths are written `E[f U g]`, `A[f W g]`, `E[f R g]`"));
                self.skip_to(|kind| kind == TokenKind::CloseBracket);
                self.cursor.eat(TokenKind::CloseBracket);
                return missing(start.span);
            }
        };
        self.cursor.bump();
        let right = Box::new(self.nested(open, missing(open), Self::formula));
        self.close(TokenKind::CloseBracket, open, "an operator or `]`");
        self.node(start, FormulaKind::Path(quantifier, operator(left, right)))
    }

    /// The operand of a prefix operator.
    fn deeper(&mut self, at: Span) -> Box<Formula> {
        Box::new(self.nested(at, missing(at), Self::operand))
    }

    fn node(&self, start: Token, kind: FormulaKind) -> Formula {
        Formula { kind, span: self.cursor.since(start.span.start) }
    }

    /// What follows something refused: the body of a quantifier, or nothing.
    fn after_refusal(&mut self, token: Token) -> Formula {
        match Infix::of(self.cursor.kind()) {
            None if self.starts_operand() => self.nested(token.span, missing(token.span), Self::formula),
            _ => missing(token.span),
        }
    }

    fn starts_operand(&self) -> bool {
        use TokenKind::{Name, Not, OpenAngle, OpenBracket, OpenParen, Quoted};
        matches!(self.cursor.kind(), Name | Not | OpenAngle | OpenBracket | OpenParen | Quoted)
    }

    /// Complains that no formula stands here and skips what does.
    fn no_formula(&mut self) -> Formula {
        let token = self.cursor.peek();
        let mistake = match (token.kind, self.cursor.text_of(token.span)) {
            (TokenKind::Unterminated, _) => Diagnostic::error(token.span, "this quotation has no end")
                .with_note("it must end on its line"),
            (TokenKind::Unknown, "~" | "¬" | "-") => {
                self.cursor.expected("a formula").with_note("negation is written `!`")
            }
            _ => self.cursor.expected("a formula").with_note(STARTS),
        };
        self.report(mistake);
        self.skip_to(|kind| Infix::of(kind).is_some());
        missing(token.span)
    }

    /// Complains about what follows a whole formula, and looks for further mistakes behind it.
    pub(super) fn nothing_more(&mut self, end: TokenKind, expected: &str) {
        while self.cursor.kind() != end && self.cursor.kind() != TokenKind::End {
            let mistake = match self.cursor.kind() {
                TokenKind::At => self.time_refused(),
                _ => self.cursor.expected(expected).with_note(OPERATORS),
            };
            self.report(mistake);
            self.cursor.bump();
            self.skip_to(|kind| Infix::of(kind).is_some());
            if Infix::of(self.cursor.kind()).is_some() {
                self.cursor.bump();
                self.formula();
            } else if end != TokenKind::Semicolon && self.cursor.kind() == TokenKind::Semicolon {
                self.cursor.bump();
            }
        }
    }
}
