//! The tokens of expressions.

use tertium_support::{Complaints, Lexer, Span, Symbols, run_length, skip_blanks};

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

/// A token of an expression.
pub(super) type Token = tertium_support::Token<TokenKind>;

const SYMBOLS: Symbols<TokenKind> = Symbols::new(&[
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
]);

/// Comments go from `//` to the end of the line. No text is complained about.
#[derive(Debug)]
pub(super) struct Tokens;

impl Lexer for Tokens {
    type Kind = TokenKind;
    const END: TokenKind = TokenKind::End;

    fn token(text: &str, at: usize, _: &mut Complaints) -> Token {
        let at = skip_blanks(text, at, char::is_whitespace, &["//"]);
        let rest = &text[at..];
        let (kind, length) = rest.chars().next().map_or((TokenKind::End, 0), |first| token(rest, first));
        Token { kind, span: Span::new(at, at + length) }
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
        let digits = |text: &str| run_length(text, |c| c.is_ascii_digit());
        let width = digits(rest);
        if let Some(value) = rest[width..].strip_prefix("'d")
            && digits(value) > 0
        {
            return (TokenKind::Bits, width + 2 + digits(value));
        }
        return (TokenKind::Number, width);
    }
    SYMBOLS.find(rest).unwrap_or((TokenKind::Other, first.len_utf8()))
}

/// How long the name is that a text begins with; 0 if it begins with none. It may go on after a dot, as in `left.pc`, and after a
/// number in brackets and a dot, as in `worker[2].pc`, if a letter follows at once.
pub fn name_length(text: &str) -> usize {
    let starts = |c: char| c.is_alphabetic() || c == '_';
    if !text.starts_with(starts) {
        return 0;
    }
    let mut at = 0;
    loop {
        at += run_length(&text[at..], |c| c.is_alphanumeric() || c == '_');
        let rest = &text[at..];
        let member = &rest[index_length(rest)..];
        match member.strip_prefix('.') {
            Some(inner) if inner.starts_with(starts) => at = text.len() - inner.len(),
            _ => return at,
        }
    }
}

/// How long the number in brackets is that a text begins with, `[2]` or `[-1]`; 0 if there is none.
fn index_length(text: &str) -> usize {
    let Some(inner) = text.strip_prefix('[') else { return 0 };
    let digits = inner.strip_prefix('-').unwrap_or(inner);
    let n_digits = run_length(digits, |c| c.is_ascii_digit());
    match digits[n_digits..].strip_prefix(']') {
        Some(rest) if n_digits > 0 => text.len() - rest.len(),
        _ => 0,
    }
}
