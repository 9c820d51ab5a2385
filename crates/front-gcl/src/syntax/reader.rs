//! Tokens of a file, and what can be read at a place.
//!
//! Between expressions there are few kinds of tokens: words, and symbols. A symbol is asked for by its text, since `:` begins a type
//! also where `=` follows it.

use super::{MOST_COMPLAINTS, Name, RESERVED};
use tertium_expr::{Expression, name_length};
use tertium_support::{Complaints, Context, Cursor, Diagnostic, Lexer, Span, Symbols, Token, skip_blanks};

/// Why an item could not be read; it becomes a complaint where reading goes on.
pub(super) type Reading<T> = Result<T, Box<Diagnostic>>;

/// Reads the expression that begins at a place of a text, and says where it ends.
pub(super) type ReadExpression = fn(&str, usize) -> Reading<(Expression, usize)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name, perhaps with dots, or a word with a meaning.
    Word,
    /// An operator, or any other character.
    Symbol,
    End,
}

/// Symbols of two characters.
const SYMBOLS: Symbols<TokenKind> = Symbols::new(&[
    (":=", TokenKind::Symbol),
    ("->", TokenKind::Symbol),
    ("..", TokenKind::Symbol),
    ("<=", TokenKind::Symbol),
    (">=", TokenKind::Symbol),
    ("!=", TokenKind::Symbol),
    ("==", TokenKind::Symbol),
]);

/// Comments go from `//` to the end of the line. No text is complained about.
#[derive(Debug)]
pub(super) struct Tokens;

impl Lexer for Tokens {
    type Kind = TokenKind;
    const END: TokenKind = TokenKind::End;

    fn token(text: &str, at: usize, _: &mut Complaints) -> Token<TokenKind> {
        let at = skip_blanks(text, at, char::is_whitespace, &["//"]);
        let rest = &text[at..];
        let (kind, length) = match (name_length(rest), rest.chars().next()) {
            (0, None) => (TokenKind::End, 0),
            (0, Some(first)) => SYMBOLS.find(rest).unwrap_or((TokenKind::Symbol, first.len_utf8())),
            (length, _) => (TokenKind::Word, length),
        };
        Token { kind, span: Span::new(at, at + length) }
    }
}

/// Reads items. Work is counted by item: see [`Reader::items`].
pub(super) struct Reader<'a> {
    pub(super) cursor: Cursor<'a, Tokens>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(context: &'a Context, text: &'a str) -> Self {
        Self { cursor: Cursor::new(text, 0, MOST_COMPLAINTS).watched(context, "reading") }
    }

    /// The name that stands here, perhaps with dots; empty if none does.
    pub(super) fn peek_word(&self) -> &'a str {
        if self.cursor.kind() == TokenKind::Word { self.cursor.word() } else { "" }
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.cursor.is_at(TokenKind::Word, word)
    }

    /// Whether this symbol stands here, and not a longer one that begins with it.
    pub(super) fn at_symbol(&self, symbol: &str) -> bool {
        let after = self.cursor.rest().strip_prefix(symbol);
        after.is_some_and(|after| !(symbol == "=" && after.starts_with(['=', '>'])))
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.cursor.seek(self.cursor.start() + word.len());
        }
        found
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.cursor.seek(self.cursor.start() + symbol.len());
        }
        found
    }

    pub(super) fn require(&mut self, symbol: &str, expected: &str) -> Reading<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// Complains that something else stands here.
    pub(super) fn expected(&self, what: &str) -> Box<Diagnostic> {
        Box::new(self.cursor.expected(what))
    }

    /// A name that is being declared or referred to.
    pub(super) fn name(&mut self, what: &str) -> Reading<Name> {
        let Token { kind, span } = self.cursor.peek();
        let word = self.cursor.word();
        if kind != TokenKind::Word {
            return Err(self.expected(what));
        }
        if RESERVED.contains(&word) {
            let message = format!("expected {what}, found `{word}`, which has a meaning of its own");
            return Err(Box::new(Diagnostic::error(span, message)));
        }
        self.cursor.seek(span.end);
        Ok(Name { text: word.to_owned(), span })
    }

    /// The name of an action, or a label: words that have a meaning elsewhere are free here.
    pub(super) fn label(&mut self, what: &str) -> Reading<Name> {
        let Token { kind, span } = self.cursor.peek();
        let word = self.cursor.word();
        if kind != TokenKind::Word || ["true", "false"].contains(&word) {
            return Err(self.expected(what));
        }
        self.cursor.seek(span.end);
        Ok(Name { text: word.to_owned(), span })
    }

    /// What one of the readers of expressions reads here.
    pub(super) fn expression(&mut self, read: ReadExpression) -> Reading<Expression> {
        let (expression, end) = read(self.cursor.text(), self.cursor.start())?;
        self.cursor.seek(end);
        Ok(expression)
    }

    /// After a mistake in the item that begins at `start`: goes on after its `;`, at a brace that closes what is around it, or where,
    /// after the mistake, a line begins like an item. A process ends with its brace.
    pub(super) fn recover(&mut self, start: usize, mistake: usize) {
        self.cursor.seek(start);
        let is_process = self.at_word("process");
        let mut open = 0usize;
        while !self.cursor.is_at_end() {
            let at = self.cursor.start();
            let word = self.cursor.word();
            let begins_line = || self.cursor.text()[..at].trim_end_matches([' ', '\t']).ends_with('\n');
            if at >= mistake && at > start && (word == "[" || ITEM_WORDS.contains(&word)) && begins_line() {
                return;
            }
            match word {
                ";" if !is_process => return self.cursor.seek(at + 1),
                "{" => open += 1,
                "}" if open == 0 => return,
                "}" if open == 1 && is_process => return self.cursor.seek(at + 1),
                "}" => open -= 1,
                _ => {}
            }
            self.cursor.seek(at + word.len());
        }
    }
}

/// What items begin with, besides `[`.
const ITEM_WORDS: [&str; 10] =
    ["const", "enum", "control", "var", "init", "prop", "process", "property", "invariant", "reach"];
