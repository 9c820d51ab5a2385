//! What tokens are, and what the lexers of our languages share: tables of symbols, blanks and comments, runs of characters.
//!
//! A language says with a [`Lexer`] what its tokens are. A lexer has no state: the token at a place is a function of the text and the
//! place, so that whoever reads may look ahead, go back, or hand a place over to the reader of another language.

use crate::{Complaints, Span};

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// Where it stands.
    pub span: Span,
}

/// The tokens of a language.
pub trait Lexer {
    /// What tokens can be.
    type Kind: Copy + PartialEq;
    /// The kind of the token at the end of a text, which is empty.
    const END: Self::Kind;

    /// The first token at or after `at`, past blanks and comments. Law: it ends after `at`, unless it is the end. Text that
    /// belongs to no token is complained about and skipped, or it is a token of a kind that no grammar asks for.
    fn token(text: &str, at: usize, complaints: &mut Complaints) -> Token<Self::Kind>;

    /// How messages call a token that stands where something else was expected.
    fn describe(text: &str, token: Token<Self::Kind>) -> String {
        if token.kind == Self::END {
            return "the end of the text".to_owned();
        }
        format!("`{}`", &text[token.span.range()])
    }
}

/// Symbols by their text. Invariant: longer ones stand before their beginnings, so the first that fits is the longest.
#[derive(Clone, Copy, Debug)]
pub struct Symbols<K: 'static>(&'static [(&'static str, K)]);

impl<K: Copy> Symbols<K> {
    /// A table. Does not compile as a constant if a symbol stands behind one of its beginnings.
    pub const fn new(symbols: &'static [(&'static str, K)]) -> Self {
        let mut later = 0;
        while later < symbols.len() {
            let mut earlier = 0;
            while earlier < later {
                let begins = begins_with(symbols[later].0.as_bytes(), symbols[earlier].0.as_bytes());
                assert!(!begins, "a symbol stands behind one of its beginnings");
                earlier += 1;
            }
            later += 1;
        }
        Self(symbols)
    }

    /// The longest symbol that `rest` begins with, and its length.
    #[inline]
    pub fn find(&self, rest: &str) -> Option<(K, usize)> {
        let found = self.0.iter().find(|(text, _)| rest.starts_with(text));
        found.map(|&(text, kind)| (kind, text.len()))
    }
}

const fn begins_with(text: &[u8], beginning: &[u8]) -> bool {
    if beginning.len() > text.len() {
        return false;
    }
    let mut at = 0;
    while at < beginning.len() {
        if text[at] != beginning[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// How many bytes at the beginning of `text` are characters of this kind.
#[inline]
pub fn run_length(text: &str, member: impl Fn(char) -> bool) -> usize {
    text.find(|c| !member(c)).unwrap_or(text.len())
}

/// The first place at or after `at` that is neither blank nor inside of a comment. A comment goes from one of the `openers` to the
/// end of its line.
#[inline]
pub fn skip_blanks(text: &str, mut at: usize, blank: impl Fn(char) -> bool, openers: &[&str]) -> usize {
    loop {
        at += run_length(&text[at..], &blank);
        let rest = &text[at..];
        if !openers.iter().any(|opener| rest.starts_with(opener)) {
            return at;
        }
        at += run_length(rest, |c| c != '\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_symbol_is_found() {
        const SYMBOLS: Symbols<u8> = Symbols::new(&[("<=>", 0), ("<=", 1), ("=>", 2), ("<", 3), ("=", 4)]);
        for (rest, found) in
            [("<=>", Some((0, 3))), ("<==", Some((1, 2))), ("<", Some((3, 1))), (">=", None), ("", None)]
        {
            assert_eq!(SYMBOLS.find(rest), found, "{rest}");
        }
    }

    #[test]
    #[should_panic(expected = "behind one of its beginnings")]
    fn a_table_in_the_wrong_order_is_refused() {
        Symbols::new(&[("=", 0), ("=>", 1)]);
    }

    #[test]
    fn blanks_and_comments_are_skipped_up_to_the_end() {
        let skip = |text: &str| skip_blanks(text, 0, char::is_whitespace, &["//", "%"]);
        for (text, at) in
            [("", 0), ("x", 0), (" \u{a0}\nx", 4), ("// a\n % b\n c", 11), ("/ x", 0), (" //", 3)]
        {
            assert_eq!(skip(text), at, "{text:?}");
        }
    }
}
