//! A place in the tokens of a text, and what is wrong with the grammar so far.
//!
//! A parsing function that fails has left its complaint here and returns [`Failed`]; whoever can go on skips to the
//! next place where something begins.

use super::token::{SECTIONS, TokenKind, Tokens};
use super::tree::{Expr, ExprKind, Name};
use tertium_support::{Complaints, Context, Cursor, Diagnostic, Diagnostics, Span, StopReason};

/// How deep expressions may nest. Everything behind the parser recurses over expressions, on stacks of the usual two
/// megabytes; rows of `&`, `|`, `+`, `union` and `? :` do not nest, however long.
pub(crate) const NESTING: u32 = 200;

/// Rows up to this length keep the shape in which they were written, to the left; longer ones become balanced trees.
pub(crate) const ROW: usize = 8;

/// How many expressions may be open at once while they are read. A pair of brackets opens one or two, an operator one.
const OPEN: usize = 2 * NESTING as usize;

/// How many complaints are kept, and how many of them about characters.
const KEPT: usize = 100;
const KEPT_OF_CHARACTERS: usize = 50;

/// The complaint has been made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

/// What a parsing function gives.
pub(crate) type Parsed<T> = Result<T, Failed>;

/// A place in the tokens of a text. The cursor has the complaints about characters, which are told before the others.
pub(crate) struct Reader<'a> {
    cursor: Cursor<'a, Tokens>,
    /// What is wrong with the grammar.
    mistakes: Complaints,
    /// Whether `U` ends the expression: between `E [` and `]`, outside further brackets.
    pub(super) until_ends: bool,
}

impl<'a> Reader<'a> {
    /// The beginning of a text. Where a limit of the run is reached, it seems to end.
    pub(crate) fn new(context: &'a Context, text: &'a str) -> Self {
        let cursor = Cursor::new(text, 0, KEPT_OF_CHARACTERS).watched(context, "reading");
        Self { cursor, mistakes: Complaints::at_most(KEPT), until_ends: false }
    }

    /// Fails if a limit of the run was reached.
    pub(crate) fn check(&self) -> Result<(), StopReason> {
        self.cursor.check()
    }

    /// Whether there are no complaints, also about the characters of the rest of the text.
    pub(crate) fn nothing_wrong(&mut self) -> bool {
        self.cursor.skip_until(|_| false);
        self.cursor.complaints.is_empty() && self.mistakes.is_empty()
    }

    /// What is wrong: characters first, then the grammar.
    pub(crate) fn into_complaints(mut self) -> Diagnostics {
        self.cursor.skip_until(|_| false);
        let mut complaints = self.cursor.complaints.into_list();
        complaints.extend(self.mistakes.into_list());
        complaints.truncate(KEPT);
        complaints
    }

    /// The kind of the token here.
    pub(crate) fn kind(&self) -> TokenKind {
        self.cursor.kind()
    }

    /// The kind of the token after the next one.
    pub(crate) fn kind_after(&self) -> TokenKind {
        self.cursor.kind_after()
    }

    /// Where the token here stands.
    pub(crate) fn span(&self) -> Span {
        self.cursor.span()
    }

    /// From `start` to the end of the token before this one.
    pub(crate) fn since(&self, start: Span) -> Span {
        self.cursor.since(start.start).to(start)
    }

    /// The text of the token here.
    pub(crate) fn word(&self) -> &'a str {
        self.cursor.word()
    }

    /// Whether this token is the reserved word or operator.
    pub(crate) fn is_at(&self, fixed: &str) -> bool {
        matches!(self.kind(), TokenKind::Fixed(word) if word == fixed)
    }

    /// Whether the text ends here.
    pub(crate) fn is_at_end(&self) -> bool {
        self.cursor.is_at_end()
    }

    /// Whether a part of a module begins here, or the text ends.
    pub(crate) fn is_at_section(&self) -> bool {
        match self.kind() {
            TokenKind::End => true,
            TokenKind::Fixed(word) => SECTIONS.contains(&word),
            _ => false,
        }
    }

    /// Goes past the token.
    pub(crate) fn advance(&mut self) {
        self.cursor.bump();
    }

    /// Goes past the reserved word or operator if it is here.
    pub(crate) fn accept(&mut self, fixed: &str) -> bool {
        let here = self.is_at(fixed);
        if here {
            self.advance();
        }
        here
    }

    /// Goes past the reserved word or operator, or complains.
    pub(crate) fn expect(&mut self, fixed: &str) -> Parsed<()> {
        if self.accept(fixed) { Ok(()) } else { self.unexpected(&format!("`{fixed}`")) }
    }

    /// A name.
    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.kind() != TokenKind::Name {
            return self.unexpected(what);
        }
        let name = Name { text: self.word().to_owned(), span: self.span() };
        self.advance();
        Ok(name)
    }

    /// Complains that something else was expected here.
    pub(crate) fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let message = match self.kind() {
            TokenKind::End => format!("the text ends where {expected} is expected"),
            TokenKind::Fixed(word) if word.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                format!("the reserved word `{word}` stands where {expected} is expected")
            }
            _ => format!("`{}` stands where {expected} is expected", self.word()),
        };
        self.fail(Diagnostic::error(self.span(), message))
    }

    /// Complains.
    pub(crate) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.mistakes.push(diagnostic);
        Err(Failed)
    }

    /// Goes on after the next `;`, or to where the next part of a module begins.
    pub(crate) fn skip_item(&mut self) {
        while !self.is_at_section() {
            if self.accept(";") {
                return;
            }
            self.advance();
        }
    }

    /// Goes to where the next part of a module begins.
    pub(crate) fn skip_section(&mut self) {
        while !self.is_at_section() {
            self.advance();
        }
    }

    /// Reads a part of an expression, unless it is inside too many others.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if !self.cursor.enter(OPEN) {
            let span = self.span();
            return self.fail(too_deep(span));
        }
        let read = read(self);
        self.cursor.leave();
        read
    }

    /// An expression one deeper than its deepest operand.
    pub(super) fn make(&mut self, span: Span, kind: ExprKind) -> Parsed<Expr> {
        let mut expr = Expr { kind, span, depth: 0 };
        // A row nests when it is written out with two operands each.
        let levels = match &expr.kind {
            ExprKind::Chain(_, parts) => parts.len().min(ROW) as u32 + (parts.len() / ROW + 1).ilog2(),
            _ => 1,
        };
        expr.depth = expr.children().iter().map(|child| child.depth + levels).max().unwrap_or(0);
        if expr.depth > NESTING { self.fail(too_deep(span)) } else { Ok(expr) }
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(span, "this expression nests too deeply")
        .with_note(format!("at most {NESTING} levels are read; give parts a name with DEFINE"))
}
