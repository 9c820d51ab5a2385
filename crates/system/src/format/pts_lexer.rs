//! Tokens of `.pts`: names, quoted names, and a handful of marks. Blanks and comments (`//` or `#` to the end of the
//! line) only separate.

use std::borrow::Cow;
use tertium_support::{Diagnostic, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, digits, `_`, `.` and `'`.
    Name,
    /// A name in quotes.
    Quoted,
    Arrow,
    Dash,
    OpenBrace,
    CloseBrace,
    Comma,
    Semicolon,
    Colon,
    Equals,
    Not,
    Question,
    /// The end of the file.
    End,
}

impl Kind {
    /// How messages speak of it.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Kind::Name | Kind::Quoted => "a name",
            Kind::Arrow => "`->`",
            Kind::Dash => "`-`",
            Kind::OpenBrace => "`{`",
            Kind::CloseBrace => "`}`",
            Kind::Comma => "`,`",
            Kind::Semicolon => "`;`",
            Kind::Colon => "`:`",
            Kind::Equals => "`=`",
            Kind::Not => "`!`",
            Kind::Question => "`?`",
            Kind::End => "the end of the file",
        }
    }
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Whether it is the first of its line: where a parser that lost its way looks for the next statement.
    pub(super) starts_line: bool,
}

/// Whether a name can be written without quotes.
pub(super) fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_name_char)
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '\'')
}

/// What a `Name` or `Quoted` token names. Escapes were checked when the token was made.
pub(super) fn name_of<'s>(text: &'s str, token: Token) -> Cow<'s, str> {
    let written = &text[token.span.range()];
    if token.kind != Kind::Quoted {
        return Cow::Borrowed(written);
    }
    let inner = &written[1..written.len() - 1];
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut name = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        name.push(if c == '\\' { chars.next().and_then(unescape).unwrap_or(c) } else { c });
    }
    Cow::Owned(name)
}

fn unescape(c: char) -> Option<char> {
    match c {
        '"' | '\\' => Some(c),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        _ => None,
    }
}

/// The way a name is written: bare if it can be, else in quotes.
pub(super) fn written(name: &str) -> Cow<'_, str> {
    if is_plain_name(name) {
        return Cow::Borrowed(name);
    }
    let mut quoted = String::with_capacity(name.len() + 2);
    quoted.push('"');
    for c in name.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    Cow::Owned(quoted)
}

/// Cuts a text into tokens, one at a time.
#[derive(Debug)]
pub(super) struct Lexer<'s> {
    text: &'s str,
    at: usize,
}

impl<'s> Lexer<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self { text, at: if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 } }
    }

    /// The next token. After an error the offending text is behind us, so that calling again makes progress.
    pub(super) fn next(&mut self) -> Result<Token, Diagnostic> {
        let starts_line = self.skip_blanks();
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        let (kind, length) = match rest {
            [] => (Kind::End, 0),
            [b'-', b'>', ..] => (Kind::Arrow, 2),
            [b'-', ..] => (Kind::Dash, 1),
            [b'{', ..] => (Kind::OpenBrace, 1),
            [b'}', ..] => (Kind::CloseBrace, 1),
            [b',', ..] => (Kind::Comma, 1),
            [b';', ..] => (Kind::Semicolon, 1),
            [b':', ..] => (Kind::Colon, 1),
            [b'=', ..] => (Kind::Equals, 1),
            [b'!', ..] => (Kind::Not, 1),
            [b'?', ..] => (Kind::Question, 1),
            [b'"', ..] => (Kind::Quoted, self.quoted_length()?),
            _ => match self.run_length(is_name_char) {
                0 => return Err(self.stray()),
                length => (Kind::Name, length),
            },
        };
        self.at += length;
        Ok(Token { kind, span: Span::new(start, self.at), starts_line })
    }

    /// Skips blanks and comments; gives whether the next token is the first of its line.
    fn skip_blanks(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let mut starts_line = self.at == 0;
        loop {
            match &bytes[self.at..] {
                [b'\n', ..] => {
                    starts_line = true;
                    self.at += 1;
                }
                [b' ' | b'\t' | b'\r', ..] => self.at += 1,
                [b'#', ..] | [b'/', b'/', ..] => self.at += self.run_length(|c| c != '\n'),
                _ => return starts_line,
            }
        }
    }

    fn run_length(&self, member: impl Fn(char) -> bool) -> usize {
        let rest = &self.text[self.at..];
        rest.find(|c| !member(c)).unwrap_or(rest.len())
    }

    /// The length of the quoted name that starts here, quotes included.
    fn quoted_length(&mut self) -> Result<usize, Diagnostic> {
        let start = self.at;
        let mut chars = self.text[start..].char_indices().skip(1);
        let mut bad_escape = None;
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    let length = offset + 1;
                    return match bad_escape {
                        None => Ok(length),
                        Some(span) => {
                            self.at += length;
                            Err(Diagnostic::error(span, "unknown escape in a quoted name")
                                .with_note("the escapes are `\\\"`, `\\\\`, `\\n`, `\\r` and `\\t`"))
                        }
                    };
                }
                '\n' => break,
                '\\' => match chars.next() {
                    Some((_, escaped)) if unescape(escaped).is_some() => {}
                    Some((end, escaped)) if escaped != '\n' => {
                        let span = Span::new(start + offset, start + end + escaped.len_utf8());
                        bad_escape = bad_escape.or(Some(span));
                    }
                    _ => break,
                },
                _ => {}
            }
        }
        self.at += self.run_length(|c| c != '\n');
        Err(Diagnostic::error(Span::new(start, start + 1), "this quoted name does not end on its line"))
    }

    /// Complains about a run of characters that begin no token, as one.
    fn stray(&mut self) -> Diagnostic {
        let start = self.at;
        let stray = |c: char| !is_name_char(c) && !c.is_ascii_whitespace() && !"-{},;:=!?\"#/".contains(c);
        let length = self.run_length(stray);
        let first = self.text[start..].chars().next().expect("the end of the file is a token");
        self.at += length.max(first.len_utf8());
        let shown = first.escape_debug();
        Diagnostic::error(Span::new(start, self.at), format!("unexpected character `{shown}`"))
            .with_note("names with other characters than letters, digits, `_`, `.` and `'` stand in quotes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let mut lexer = Lexer::new(text);
        let mut kinds = Vec::new();
        loop {
            match lexer.next().unwrap().kind {
                Kind::End => return kinds,
                kind => kinds.push(kind),
            }
        }
    }

    #[test]
    fn an_arrow_with_an_action_is_dash_name_arrow() {
        use Kind::{Arrow, Dash, Name, Quoted, Semicolon};
        assert_eq!(kinds("may s-a->t;"), [Name, Name, Dash, Name, Arrow, Name, Semicolon]);
        assert_eq!(kinds("s -> \"t u\" // c -> d\n# x"), [Name, Arrow, Quoted]);
    }

    #[test]
    fn any_name_survives_being_written_and_read() {
        for name in
            ["a", "", "a b", "\"", "\\", "\\n", "a\nb\r\t", "é", "0", "x'", "->", "// x", "\u{0}\u{7f}"]
        {
            let text = written(name);
            let token = Lexer::new(&text).next().unwrap();
            assert_eq!(name_of(&text, token), name, "{text}");
            assert_eq!(token.span.end, text.len());
        }
    }

    #[test]
    fn a_fault_is_left_behind() {
        let mut lexer = Lexer::new("@@@ \"a\\q\" \"open\nb");
        assert_eq!(lexer.next().unwrap_err().span, Span::new(0, 3));
        assert_eq!(lexer.next().unwrap_err().span, Span::new(6, 8));
        assert_eq!(lexer.next().unwrap_err().span, Span::new(10, 11));
        let token = lexer.next().unwrap();
        assert!(token.kind == Kind::Name && token.starts_line);
    }
}
