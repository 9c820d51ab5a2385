//! The tokens of SMV.
//!
//! Names hold letters, digits and `_ $ # - \`, so `a-1` is one name and `a - 1` is a difference, as in NuSMV. A name
//! ends before `->` and before `--`: otherwise `a->b` would be `a-` greater than `b`.
//!
//! A name may also stand in double quotes, which then belong to it. Lines such as `# 12 "file"`, which the C
//! preprocessor leaves behind, are blanks; so is a byte order mark. Replacement characters, which stand for bytes that are
//! not UTF-8, are read in comments only.
//!
//! Words that NuSMV reserves for functions, such as `count` or `extend`, are names here; the parser knows them by the
//! bracket that follows. So models that were written before these functions existed are still read.

use tertium_support::{Complaints, Diagnostic, Lexer, Span, Symbols, run_length};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name.
    Name,
    /// An integer without a sign.
    Number,
    /// A word constant such as `0ud8_5`.
    Word,
    /// A reserved word or an operator.
    Fixed(&'static str),
    /// The end of the text.
    End,
}

/// A token of a model.
pub(crate) type Token = tertium_support::Token<TokenKind>;

/// The reserved words.
const RESERVED: &[&str] = &[
    "MODULE",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "CONSTANTS",
    "ASSIGN",
    "INIT",
    "INVAR",
    "TRANS",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "ISA",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "INVARSPEC",
    "COMPUTE",
    "PSLSPEC",
    "NAME",
    "MIN",
    "MAX",
    "MDEFINE",
    "CONSTRAINT",
    "PRED",
    "PREDICATES",
    "MIRROR",
    "process",
    "array",
    "of",
    "boolean",
    "case",
    "esac",
    "mod",
    "next",
    "init",
    "union",
    "in",
    "xor",
    "xnor",
    "self",
    "TRUE",
    "FALSE",
    "EX",
    "AX",
    "EF",
    "AF",
    "EG",
    "AG",
    "E",
    "A",
    "F",
    "G",
    "X",
    "Y",
    "Z",
    "O",
    "H",
    "U",
    "V",
    "S",
    "T",
    "BU",
    "EBF",
    "ABF",
    "EBG",
    "ABG",
];

/// The words with which a part of a module begins.
pub(crate) const SECTIONS: &[&str] = &[
    "MODULE",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "CONSTANTS",
    "ASSIGN",
    "INIT",
    "INVAR",
    "TRANS",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "ISA",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "INVARSPEC",
    "COMPUTE",
    "PSLSPEC",
    "MDEFINE",
    "CONSTRAINT",
    "PRED",
    "PREDICATES",
    "MIRROR",
];

/// Operators and brackets.
const OPERATORS: Symbols<TokenKind> = Symbols::new(&[
    fixed("<->"),
    fixed("<<<"),
    fixed(">>>"),
    fixed("->"),
    fixed(":="),
    fixed("::"),
    fixed(".."),
    fixed("!="),
    fixed("<="),
    fixed(">="),
    fixed("<<"),
    fixed(">>"),
    fixed("("),
    fixed(")"),
    fixed("["),
    fixed("]"),
    fixed("{"),
    fixed("}"),
    fixed(","),
    fixed(";"),
    fixed(":"),
    fixed("."),
    fixed("="),
    fixed("<"),
    fixed(">"),
    fixed("+"),
    fixed("-"),
    fixed("*"),
    fixed("/"),
    fixed("&"),
    fixed("|"),
    fixed("!"),
    fixed("?"),
]);

const fn fixed(operator: &'static str) -> (&'static str, TokenKind) {
    (operator, TokenKind::Fixed(operator))
}

/// What begins no token is complained about and skipped.
#[derive(Debug)]
pub(crate) struct Tokens;

impl Lexer for Tokens {
    type Kind = TokenKind;
    const END: TokenKind = TokenKind::End;

    fn token(text: &str, at: usize, complaints: &mut Complaints) -> Token {
        let mut place = Place { text, at: at + remainder(text, at), complaints };
        loop {
            if let Some((kind, length)) = place.token() {
                return Token { kind, span: Span::new(place.at, place.at + length) };
            }
        }
    }
}

/// Where a token is looked for.
struct Place<'a> {
    text: &'a str,
    at: usize,
    complaints: &'a mut Complaints,
}

impl Place<'_> {
    /// The token here and its length, or goes past a comment or what is wrong.
    fn token(&mut self) -> Option<(TokenKind, usize)> {
        self.at += run_length(&self.text[self.at..], char::is_whitespace);
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return Some((TokenKind::End, 0)) };
        if first.is_ascii_alphabetic() || first == '_' {
            return Some(name(rest));
        }
        if first.is_ascii_digit() {
            return Some(self.number(rest));
        }
        if first == '"' {
            return self.quoted_name(rest);
        }
        if rest.starts_with("/--") {
            self.block_comment(rest);
        } else if rest.starts_with("--") || self.is_line_marker(rest) {
            self.at += run_length(rest, |c| c != '\n');
        } else if let Some(operator) = OPERATORS.find(rest) {
            return Some(operator);
        } else if first == '\u{fffd}' {
            self.at += self.foreign(self.at, rest);
        } else {
            let span = Span::new(self.at, self.at + first.len_utf8());
            self.complaints.push(Diagnostic::error(span, format!("`{first}` has no meaning here")));
            self.at += first.len_utf8();
        }
        None
    }

    /// Complains about replacement characters, which stand for bytes in another encoding; gives their length.
    fn foreign(&mut self, start: usize, rest: &str) -> usize {
        let length = run_length(rest, |c| c == '\u{fffd}');
        let complaint = Diagnostic::error(Span::new(start, start + length), "this is not UTF-8 text");
        self.complaints.push(complaint.with_note("only comments may be in another encoding"));
        length
    }

    fn block_comment(&mut self, rest: &str) {
        match rest[3..].find("--/") {
            Some(end) => self.at += 3 + end + 3,
            None => {
                let complaint = Diagnostic::error(Span::new(self.at, self.at + 3), "this comment has no end");
                self.complaints.push(complaint.with_note("it ends with `--/`"));
                self.at = self.text.len();
            }
        }
    }

    /// `# 12 …` from the beginning of a line.
    fn is_line_marker(&self, rest: &str) -> bool {
        let number = rest.strip_prefix("# ").map(|rest| rest.trim_start_matches(' '));
        let before = &self.text[..self.at];
        let begins_line = || before.is_empty() || before.ends_with('\n');
        number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) && begins_line()
    }

    fn quoted_name(&mut self, rest: &str) -> Option<(TokenKind, usize)> {
        match rest[1..].find(['"', '\n']) {
            Some(length) if rest[1 + length..].starts_with('"') && length > 0 => {
                // Different names could look the same.
                if let Some(at) = rest[..1 + length].find('\u{fffd}') {
                    self.foreign(self.at + at, &rest[at..]);
                }
                return Some((TokenKind::Name, length + 2));
            }
            Some(0) if rest.starts_with("\"\"") => {
                let span = Span::new(self.at, self.at + 2);
                self.complaints.push(Diagnostic::error(span, "a name cannot be empty"));
                self.at += 2;
            }
            end => {
                let complaint = Diagnostic::error(Span::new(self.at, self.at + 1), "this name has no end");
                self.complaints.push(complaint.with_note("it ends with `\"`"));
                self.at += 1 + end.unwrap_or(rest.len() - 1);
            }
        }
        None
    }

    /// A number, or a word constant. Letters that follow a number without a blank are complained about, and belong to no
    /// token: see [`remainder`].
    fn number(&mut self, rest: &str) -> (TokenKind, usize) {
        let digits = run_length(rest, |c| c.is_ascii_digit());
        let word = run_length(rest, |c| c.is_ascii_alphanumeric() || c == '_');
        let after = rest[digits..].chars().next();
        if after.is_some_and(|c| "uUsSbBoOdDhH".contains(c)) && &rest[..digits] == "0" {
            return (TokenKind::Word, word);
        }
        if word > digits {
            let span = Span::new(self.at, self.at + word);
            let message = format!("`{}` is neither a number nor a name", &rest[..word]);
            let complaint = Diagnostic::error(span, message);
            self.complaints.push(complaint.with_note("names begin with a letter or `_`"));
            return (TokenKind::Number, digits);
        }
        let fraction = rest[digits..].strip_prefix('.');
        if fraction.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            let span = Span::new(self.at, self.at + digits + 1);
            self.complaints.push(Diagnostic::error(span, "real numbers are not supported"));
        }
        (TokenKind::Number, digits)
    }
}

/// How many letters follow a number that ends at `at`. No other token leaves a letter behind a digit.
fn remainder(text: &str, at: usize) -> usize {
    let follows_digit = text[..at].ends_with(|c: char| c.is_ascii_digit());
    if follows_digit { run_length(&text[at..], |c| c.is_ascii_alphanumeric() || c == '_') } else { 0 }
}

/// The name or reserved word at the beginning of `rest`.
fn name(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let inside = |at: usize| match bytes.get(at) {
        Some(b'-') => !matches!(bytes.get(at + 1), Some(b'-' | b'>')),
        Some(byte) => byte.is_ascii_alphanumeric() || b"_$#\\".contains(byte),
        None => false,
    };
    let length = (0..).find(|&at| !inside(at)).unwrap_or(rest.len());
    let word = &rest[..length];
    let reserved = RESERVED.iter().find(|known| **known == word);
    (reserved.map_or(TokenKind::Name, |known| TokenKind::Fixed(known)), length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::{Cursor, Diagnostics};

    /// The words of a text, and what is wrong with its characters.
    fn all(text: &str) -> (Vec<&str>, Diagnostics) {
        let mut cursor: Cursor<'_, Tokens> = Cursor::new(text, 0, 50);
        let mut words = Vec::new();
        while !cursor.is_at_end() {
            words.push(cursor.word());
            cursor.bump();
        }
        (words, cursor.complaints.into_list())
    }

    fn words(text: &str) -> Vec<&str> {
        let (words, complaints) = all(text);
        assert_eq!(complaints, [], "{text}");
        words
    }

    #[test]
    fn a_minus_without_blanks_belongs_to_the_name() {
        assert_eq!(words("e-1.u a - 1 2-a"), ["e-1", ".", "u", "a", "-", "1", "2", "-", "a"]);
    }

    #[test]
    fn a_name_ends_before_an_arrow_and_before_a_comment() {
        assert_eq!(words("a->b a--b\nc-d"), ["a", "->", "b", "a", "c-d"]);
    }

    #[test]
    fn comments_are_left_out() {
        assert_eq!(words("a -- b\n/-- c\n d --/ e"), ["a", "e"]);
    }

    #[test]
    fn line_markers_are_left_out() {
        assert_eq!(words("# 1 \"x.smv\"\na\n# 12 \"y.smv\" 2\nb"), ["a", "b"]);
        assert!(!all("a # 1").1.is_empty());
        assert!(!all("#line 3").1.is_empty());
    }

    #[test]
    fn what_is_not_utf8_is_read_in_comments_only() {
        assert_eq!(words("a -- caf\u{fffd}\n/-- \u{fffd} --/ b"), ["a", "b"]);
        for (wrong, start, end) in [("a \u{fffd}\u{fffd} b", 2, 8), ("\"x\u{fffd}\"", 2, 5)] {
            let (_, complaints) = all(wrong);
            assert_eq!(complaints.len(), 1, "{wrong}");
            assert_eq!(complaints[0].span, Span::new(start, end), "{wrong}");
        }
    }

    #[test]
    fn quotes_belong_to_the_name() {
        assert_eq!(words("\"a b\".c"), ["\"a b\"", ".", "c"]);
        for wrong in ["\"", "\"\"", "\"a\nb\"", "a \"b"] {
            assert!(!all(wrong).1.is_empty(), "{wrong}");
        }
    }

    #[test]
    fn letters_behind_a_number_belong_to_no_token() {
        let (words, complaints) = all("12ab + 3_c d4");
        assert_eq!(words, ["12", "+", "3", "d4"]);
        assert_eq!(complaints.len(), 2);
    }

    #[test]
    fn ranges_are_not_fractions() {
        assert_eq!(words("1..3 0ud8_5 x[3:1]"), ["1", "..", "3", "0ud8_5", "x", "[", "3", ":", "1", "]"]);
    }
}
