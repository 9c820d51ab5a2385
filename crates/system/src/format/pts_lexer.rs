//! Tokens of `.pts`: names, quoted names, and a handful of marks. Blanks and comments (`//` or `#` to the end of the
//! line) only separate.

use super::faults::quoted;
use std::borrow::Cow;
use tertium_support::{Complaints, Diagnostic, Lexer, Span, run_length};

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

/// A token of a file.
pub(super) type Token = tertium_support::Token<Kind>;

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

/// A byte order mark before the first token is a blank. Once there are enough complaints, the text seems to end.
#[derive(Debug)]
pub(super) struct Tokens;

impl Lexer for Tokens {
    type Kind = Kind;
    const END: Kind = Kind::End;

    #[inline]
    fn token(text: &str, mut at: usize, complaints: &mut Complaints) -> Token {
        while !complaints.is_full() {
            let start = skip_blanks(text, at);
            match cut(text, start) {
                Ok((kind, length)) => return Token { kind, span: Span::new(start, start + length) },
                Err(fault) => {
                    at = fault.end;
                    complaints.push(fault.complaint);
                }
            }
        }
        Token { kind: Kind::End, span: Span::point(at) }
    }

    fn describe(text: &str, token: Token) -> String {
        match token.kind {
            Kind::Name | Kind::Quoted => quoted(&name_of(text, token)),
            kind => kind.describe().to_owned(),
        }
    }
}

/// Text that is no token, up to `end`.
struct Fault {
    complaint: Diagnostic,
    end: usize,
}

/// The token that begins at `start`, and its length.
#[inline]
fn cut(text: &str, start: usize) -> Result<(Kind, usize), Box<Fault>> {
    Ok(match &text.as_bytes()[start..] {
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
        [b'"', ..] => (Kind::Quoted, quoted_length(text, start)?),
        _ => match run_length(&text[start..], is_name_char) {
            0 => return Err(Box::new(stray(text, start))),
            length => (Kind::Name, length),
        },
    })
}

/// The first place at or after `at` that is neither blank nor inside of a comment. Blanks here are single bytes, and nearly
/// every token of a large file has one before it, so they are not decoded as characters.
#[inline]
fn skip_blanks(text: &str, at: usize) -> usize {
    let mut at = if at == 0 && text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { at };
    loop {
        match &text.as_bytes()[at..] {
            [b' ' | b'\t' | b'\r' | b'\n', ..] => at += 1,
            [b'#', ..] | [b'/', b'/', ..] => at += run_length(&text[at..], |c| c != '\n'),
            _ => return at,
        }
    }
}

/// Whether the token at `start` is the first of its line: where a parser that lost its way looks for the next statement.
pub(super) fn starts_line(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '\t', '\r']);
    before.is_empty() || before.ends_with('\n')
}

/// The length of the quoted name that begins at `start`, quotes included.
fn quoted_length(text: &str, start: usize) -> Result<usize, Box<Fault>> {
    let mut chars = text[start..].char_indices().skip(1);
    let mut bad_escape = None;
    while let Some((offset, c)) = chars.next() {
        match c {
            '"' => {
                let length = offset + 1;
                let Some(span) = bad_escape else { return Ok(length) };
                let complaint = Diagnostic::error(span, "unknown escape in a quoted name")
                    .with_note("the escapes are `\\\"`, `\\\\`, `\\n`, `\\r` and `\\t`");
                return Err(Box::new(Fault { complaint, end: start + length }));
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
    let complaint =
        Diagnostic::error(Span::new(start, start + 1), "this quoted name does not end on its line");
    Err(Box::new(Fault { complaint, end: start + run_length(&text[start..], |c| c != '\n') }))
}

/// Complains about a run of characters that begin no token, as one.
fn stray(text: &str, start: usize) -> Fault {
    let is_stray = |c: char| !is_name_char(c) && !c.is_ascii_whitespace() && !"-{},;:=!?\"#/".contains(c);
    let rest = &text[start..];
    let first = rest.chars().next().expect("the end of the file is a token");
    let end = start + run_length(rest, is_stray).max(first.len_utf8());
    let shown = first.escape_debug();
    let complaint = Diagnostic::error(Span::new(start, end), format!("unexpected character `{shown}`"))
        .with_note("names with other characters than letters, digits, `_`, `.` and `'` stand in quotes");
    Fault { complaint, end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::Cursor;

    fn kinds(text: &str) -> Vec<Kind> {
        let cursor: Cursor<'_, Tokens> = Cursor::new(text, 0, 1);
        cursor.ahead().map(|token| token.kind).filter(|&kind| kind != Kind::End).collect()
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
            let token = Cursor::<Tokens>::new(&text, 0, 1).peek();
            assert_eq!(name_of(&text, token), name, "{text}");
            assert_eq!(token.span.end, text.len());
        }
    }

    #[test]
    fn a_fault_is_left_behind() {
        let text = "@@@ \"a\\q\" \"open\nb";
        let cursor: Cursor<'_, Tokens> = Cursor::new(text, 0, 9);
        assert!(cursor.kind() == Kind::Name && starts_line(text, cursor.start()));
        let spans: Vec<Span> = cursor.complaints.into_list().iter().map(|fault| fault.span).collect();
        assert_eq!(spans, [Span::new(0, 3), Span::new(6, 8), Span::new(10, 11)]);
    }
}
