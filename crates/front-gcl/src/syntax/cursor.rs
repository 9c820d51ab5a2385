//! A place in a text, and what can be read there.

use super::{MOST_COMPLAINTS, Name, RESERVED};
use tertium_expr::Expression;
use tertium_support::{Context, Diagnostic, Diagnostics, Span, Watch};

/// Why an item could not be read; it becomes a complaint where reading goes on.
pub(super) type Reading<T> = Result<T, Box<Diagnostic>>;

/// Reads the expression that begins at a place of a text, and says where it ends.
pub(super) type Reader = fn(&str, usize) -> Reading<(Expression, usize)>;

pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    /// Never inside of blanks or comments: at something, or at the end.
    pub(super) at: usize,
    /// The end of what was read last.
    pub(super) last_end: usize,
    pub(super) complaints: Diagnostics,
    /// Says when a limit of the run is reached: then the text seems to end.
    pub(super) watch: Watch<'a>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(context: &'a Context, text: &'a str) -> Self {
        let watch = Watch::new(context, "reading");
        let mut cursor = Self { text, at: 0, last_end: 0, complaints: Vec::new(), watch };
        cursor.skip_blanks();
        cursor
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn at_end(&self) -> bool {
        self.at == self.text.len()
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.rest().starts_with("//") {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Goes on at `end`.
    pub(super) fn move_to(&mut self, end: usize) {
        self.at = end;
        self.last_end = end;
        self.skip_blanks();
    }

    pub(super) fn complain(&mut self, complaint: Diagnostic) {
        if self.complaints.len() < MOST_COMPLAINTS {
            self.complaints.push(complaint);
        }
    }

    /// The name that stands here, perhaps with dots.
    pub(super) fn peek_word(&self) -> &'a str {
        &self.rest()[..name_length(self.rest())]
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.peek_word() == word
    }

    /// Whether this symbol stands here, and not a longer one that begins with it.
    pub(super) fn at_symbol(&self, symbol: &str) -> bool {
        let after = self.rest().strip_prefix(symbol);
        after.is_some_and(|after| !(symbol == "=" && after.starts_with(['=', '>'])))
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.move_to(self.at + word.len());
        }
        found
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.move_to(self.at + symbol.len());
        }
        found
    }

    pub(super) fn require(&mut self, symbol: &str, expected: &str) -> Reading<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// Complains that something else stands here.
    pub(super) fn expected(&self, what: &str) -> Box<Diagnostic> {
        let rest = self.rest();
        let word = self.peek_word();
        let length = match rest.chars().next() {
            None => 0,
            Some(_) if !word.is_empty() => word.len(),
            Some(first) => [":=", "->", "..", "<=", ">=", "!=", "=="]
                .iter()
                .find(|symbol| rest.starts_with(**symbol))
                .map_or(first.len_utf8(), |symbol| symbol.len()),
        };
        let found =
            if length == 0 { "the end of the text".to_owned() } else { format!("`{}`", &rest[..length]) };
        let span = Span::new(self.at, self.at + length);
        Box::new(Diagnostic::error(span, format!("expected {what}, found {found}")))
    }

    /// A name that is being declared or referred to.
    pub(super) fn name(&mut self, what: &str) -> Reading<Name> {
        let word = self.peek_word();
        if word.is_empty() {
            return Err(self.expected(what));
        }
        let span = Span::new(self.at, self.at + word.len());
        if RESERVED.contains(&word) {
            let message = format!("expected {what}, found `{word}`, which has a meaning of its own");
            return Err(Box::new(Diagnostic::error(span, message)));
        }
        self.move_to(span.end);
        Ok(Name { text: word.to_owned(), span })
    }

    /// The name of an action, or a label: words that have a meaning elsewhere are free here.
    pub(super) fn label(&mut self, what: &str) -> Reading<Name> {
        let word = self.peek_word();
        if word.is_empty() || ["true", "false"].contains(&word) {
            return Err(self.expected(what));
        }
        let span = Span::new(self.at, self.at + word.len());
        self.move_to(span.end);
        Ok(Name { text: word.to_owned(), span })
    }

    /// What one of the readers of expressions reads here.
    pub(super) fn expression(&mut self, reader: Reader) -> Reading<Expression> {
        let (expression, end) = reader(self.text, self.at)?;
        self.move_to(end);
        Ok(expression)
    }

    /// After a mistake in the item that begins at `start`: goes on after its `;`, at a brace that closes what is around it, or where, after the
    /// mistake, a line begins like an item. A process ends with its brace.
    pub(super) fn recover(&mut self, start: usize, mistake: usize) {
        self.at = start;
        let is_process = self.at_word("process");
        let mut open = 0usize;
        while let Some(c) = self.rest().chars().next() {
            let word = self.peek_word();
            let begins_line = self.text[..self.at].trim_end_matches([' ', '\t']).ends_with('\n');
            if self.at >= mistake
                && self.at > start
                && begins_line
                && (c == '[' || ITEM_WORDS.contains(&word))
            {
                return;
            }
            match c {
                ';' if !is_process => return self.move_to(self.at + 1),
                '{' => open += 1,
                '}' if open == 0 => return,
                '}' if open == 1 && is_process => return self.move_to(self.at + 1),
                '}' => open -= 1,
                _ => {}
            }
            self.move_to(self.at + c.len_utf8().max(word.len()));
        }
    }
}

/// What items begin with, besides `[`.
const ITEM_WORDS: [&str; 10] =
    ["const", "enum", "control", "var", "init", "prop", "process", "property", "invariant", "reach"];

/// How long the name is that `text` begins with. It may go on after a dot if a letter follows it at once, as in expressions.
pub(crate) fn name_length(text: &str) -> usize {
    let starts = |c: char| c.is_alphabetic() || c == '_';
    if !text.starts_with(starts) {
        return 0;
    }
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let goes_on = match c {
            '.' => chars.peek().is_some_and(|&(_, next)| starts(next)),
            _ => c.is_alphanumeric() || c == '_',
        };
        if !goes_on {
            return at;
        }
    }
    text.len()
}
