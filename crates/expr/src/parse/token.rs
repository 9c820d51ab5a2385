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
