//! The tokens of formulas.
//!
//! Every text has a token sequence: what cannot start any token becomes [`TokenKind::Unknown`], a quotation without
//! end becomes [`TokenKind::Unterminated`]. So only the parser complains, and only about what it looks at: data
//! expressions that it refuses and skips may hold any characters.

use tertium_support::{Complaints, Lexer, Span, Symbols, run_length, skip_blanks};

/// The kinds of tokens. `&` and `&&` are one kind, and so are `=>` and `->`, `<=>` and `<->`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    Quoted,
    Unterminated,
    Number,
    OpenParen,
    CloseParen,
    OpenAngle,
    CloseAngle,
    OpenBracket,
    CloseBracket,
    Not,
    And,
    Or,
    Bar,
    Implies,
    Iff,
    Dot,
    Plus,
    Star,
    Comma,
    Semicolon,
    Colon,
    At,
    Unknown,
    End,
}

/// A token of a formula.
pub(crate) type Token = tertium_support::Token<TokenKind>;

const SYMBOLS: Symbols<TokenKind> = Symbols::new(&[
    ("<=>", TokenKind::Iff),
    ("<->", TokenKind::Iff),
    ("&&", TokenKind::And),
    ("||", TokenKind::Or),
    ("=>", TokenKind::Implies),
    ("->", TokenKind::Implies),
    ("(", TokenKind::OpenParen),
    (")", TokenKind::CloseParen),
    ("<", TokenKind::OpenAngle),
    (">", TokenKind::CloseAngle),
    ("[", TokenKind::OpenBracket),
    ("]", TokenKind::CloseBracket),
    ("!", TokenKind::Not),
    ("&", TokenKind::And),
    ("|", TokenKind::Bar),
    (".", TokenKind::Dot),
    ("+", TokenKind::Plus),
    ("*", TokenKind::Star),
    (",", TokenKind::Comma),
    (";", TokenKind::Semicolon),
    (":", TokenKind::Colon),
    ("@", TokenKind::At),
    ("=", TokenKind::Unknown),
]);

/// Comments go from `%` or `//` to the end of the line.
#[derive(Debug)]
pub(crate) struct Tokens;

impl Lexer for Tokens {
    type Kind = TokenKind;
    const END: TokenKind = TokenKind::End;

    fn token(text: &str, at: usize, _: &mut Complaints) -> Token {
        let at = skip_blanks(text, at, char::is_whitespace, &["%", "//"]);
        let rest = &text[at..];
        let (kind, length) = rest.chars().next().map_or((TokenKind::End, 0), |first| token(rest, first));
        Token { kind, span: Span::new(at, at + length) }
    }

    fn describe(text: &str, token: Token) -> String {
        let word = &text[token.span.range()];
        match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Unterminated => "a quotation without end".to_owned(),
            TokenKind::Number => format!("the number `{word}`"),
            _ => format!("`{word}`"),
        }
    }
}

/// The token at the start of `rest`, with its length.
fn token(rest: &str, first: char) -> (TokenKind, usize) {
    if is_name_start(first) {
        (TokenKind::Name, run_length(rest, is_name_part))
    } else if first.is_ascii_digit() {
        (TokenKind::Number, run_length(rest, |c| c.is_ascii_digit()))
    } else if first == '"' {
        quotation(rest)
    } else {
        SYMBOLS.find(rest).unwrap_or((TokenKind::Unknown, first.len_utf8()))
    }
}

/// A quotation ends at the next quotation mark that no backslash stands before, on the same line.
fn quotation(rest: &str) -> (TokenKind, usize) {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return (TokenKind::Unterminated, at),
            '"' if !escaped => return (TokenKind::Quoted, at + 1),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    (TokenKind::Unterminated, rest.len())
}

/// The name that a quotation stands for: a backslash before `"` or `\` is dropped, elsewhere it stands for itself.
pub(crate) fn unquote(quoted: &str) -> String {
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut name = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                name.push(next);
                chars.next();
            }
            _ => name.push(c),
        }
    }
    name
}

/// The quotation that stands for `name`.
pub(crate) fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Whether `text` is one name token.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(is_name_start) && text.chars().all(is_name_part)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\''
}

/// Words that are no proposition in a state formula, unless quoted.
pub(crate) fn is_reserved_in_states(name: &str) -> bool {
    matches!(name, "true" | "false" | "mu" | "nu" | "EX" | "EF" | "EG" | "AX" | "AF" | "AG")
        || matches!(name, "forall" | "exists" | "delay" | "yaled")
}

/// Words that are no proposition in a formula of linear time, unless quoted.
pub(crate) fn is_reserved_in_paths(name: &str) -> bool {
    matches!(name, "X" | "F" | "G" | "Y" | "Z" | "O" | "H" | "U" | "V" | "R" | "S" | "T" | "xor" | "xnor")
        || matches!(name, "true" | "false" | "TRUE" | "FALSE")
}

/// Words that are no label in an action formula, unless quoted.
pub(crate) fn is_reserved_in_actions(name: &str) -> bool {
    matches!(name, "true" | "false" | "nil" | "forall" | "exists")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::Cursor;

    fn kinds(text: &str) -> Vec<TokenKind> {
        Cursor::<Tokens>::new(text, 0, 0).ahead().map(|token| token.kind).collect()
    }

    #[test]
    fn symbols_take_the_longest_match_and_comments_vanish() {
        use TokenKind::*;
        assert_eq!(kinds("<=> => <> % x\n|| | // y"), [Iff, Implies, OpenAngle, CloseAngle, Or, Bar, End]);
        assert_eq!(kinds("X1' 12 ~ \"a"), [Name, Number, Unknown, Unterminated, End]);
        assert_eq!(kinds("%"), [End]);
    }

    #[test]
    fn quoting_and_unquoting_are_inverse() {
        for name in ["in critical", "a\"b", "\\", "\\\"", "", "x\\y", "ä"] {
            let quoted = quote(name);
            assert_eq!(kinds(&quoted), [TokenKind::Quoted, TokenKind::End], "{quoted}");
            assert_eq!(unquote(&quoted), name);
        }
    }
}
