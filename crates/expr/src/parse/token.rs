//! Text to tokens, one at a time.

use tertium_support::Span;

/// The kinds of tokens. Operators of one meaning and two spellings are one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Name,
    Number,
    /// `8'd255`
    Bits,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Question,
    Colon,
    Comma,
    Dot,
    Dots,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    /// Whatever begins no expression and continues none.
    Other,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// Symbols by their text, longer ones before their prefixes.
const SYMBOLS: [(&str, TokenKind); 33] = [
    ("<=>", TokenKind::Iff),
    ("<->", TokenKind::Iff),
    ("=>", TokenKind::Implies),
    ("->", TokenKind::Implies),
    ("&&", TokenKind::And),
    ("||", TokenKind::Or),
    ("==", TokenKind::Equal),
    ("!=", TokenKind::NotEqual),
    ("<=", TokenKind::AtMost),
    (">=", TokenKind::AtLeast),
    (":=", TokenKind::Other),
    ("..", TokenKind::Dots),
    ("=", TokenKind::Equal),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    ("&", TokenKind::And),
    ("|", TokenKind::Or),
    ("!", TokenKind::Not),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Times),
    ("/", TokenKind::Divide),
    ("%", TokenKind::Modulo),
    ("?", TokenKind::Question),
    (":", TokenKind::Colon),
    (",", TokenKind::Comma),
    (".", TokenKind::Dot),
    ("(", TokenKind::OpenParen),
    (")", TokenKind::CloseParen),
    ("[", TokenKind::OpenBracket),
    ("]", TokenKind::CloseBracket),
    ("{", TokenKind::OpenBrace),
    ("}", TokenKind::CloseBrace),
];

/// The first token at or after `at`, past blanks and comments from `//` to the end of the line.
pub(super) fn token_at(text: &str, mut at: usize) -> Token {
    loop {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else {
            return Token { kind: TokenKind::End, span: Span::point(text.len()) };
        };
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            let (kind, length) = token(rest, first);
            return Token { kind, span: Span::new(at, at + length) };
        }
    }
}

fn token(rest: &str, first: char) -> (TokenKind, usize) {
    if first.is_alphabetic() || first == '_' {
        let length = name_length(rest);
        let kind = match &rest[..length] {
            "mod" => TokenKind::Modulo,
            "div" => TokenKind::Divide,
            _ => TokenKind::Name,
        };
        return (kind, length);
    }
    if first.is_ascii_digit() {
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let width = digits(rest);
        if let Some(value) = rest[width..].strip_prefix("'d")
            && digits(value) > 0
        {
            return (TokenKind::Bits, width + 2 + digits(value));
        }
        return (TokenKind::Number, width);
    }
    SYMBOLS
        .iter()
        .find(|(text, _)| rest.starts_with(text))
        .map_or((TokenKind::Other, first.len_utf8()), |&(text, kind)| (kind, text.len()))
}

/// A name may go on after a dot, as in `left.pc`, if a letter follows it at once.
fn name_length(rest: &str) -> usize {
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let goes_on = match c {
            '.' => chars.peek().is_some_and(|&(_, next)| next.is_alphabetic() || next == '_'),
            _ => c.is_alphanumeric() || c == '_',
        };
        if !goes_on {
            return at;
        }
    }
    rest.len()
}
