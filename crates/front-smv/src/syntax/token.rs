//! Text to tokens.
//!
//! Names hold letters, digits and `_ $ # - \`, so `a-1` is one name and `a - 1` is a difference, as in NuSMV. A name
//! ends before `->` and before `--`: otherwise `a->b` would be `a-` greater than `b`.
//!
//! A name may also stand in double quotes, which then belong to it. Lines such as `# 12 "file"`, which the C preprocessor leaves
//! behind, are blanks; so is a byte order mark. Replacement characters, which stand for bytes that are not UTF-8, are read in comments
//! only.
//!
//! Words that NuSMV reserves for functions, such as `count` or `extend`, are names here; the parser knows them by the
//! bracket that follows. So models that were written before these functions existed are still read.

use tertium_support::{Diagnostic, Span, Watch};

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

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// Where it stands.
    pub(crate) span: Span,
}

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

/// Operators and brackets, longer ones before their beginnings.
const OPERATORS: &[&str] = &[
    "<->", "<<<", ">>>", "->", ":=", "::", "..", "!=", "<=", ">=", "<<", ">>", "(", ")", "[", "]", "{", "}",
    ",", ";", ":", ".", "=", "<", ">", "+", "-", "*", "/", "&", "|", "!", "?",
];

/// The tokens of `text`, the last one `End`, and what could not be read.
pub(crate) fn tokens(text: &str, watch: &mut Watch<'_>) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new(), diagnostics: Vec::new() };
    while watch.goes_on(1) && lexer.token() {}
    lexer.push(TokenKind::End, text.len());
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    /// Reads one token or comment; false at the end.
    fn token(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return false };
        if first.is_whitespace() || first == '\u{feff}' && self.at == 0 {
            self.at += first.len_utf8();
        } else if self.is_line_marker(rest) {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if first == '"' {
            self.quoted_name(rest);
        } else if rest.starts_with("/--") {
            self.block_comment(rest);
        } else if rest.starts_with("--") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if first.is_ascii_alphabetic() || first == '_' {
            self.name(rest);
        } else if first.is_ascii_digit() {
            self.number(rest);
        } else if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
            self.push(TokenKind::Fixed(operator), operator.len());
        } else if first == '\u{fffd}' {
            self.at += self.foreign(self.at, rest);
        } else {
            let span = Span::new(self.at, self.at + first.len_utf8());
            self.complain(Diagnostic::error(span, format!("`{first}` has no meaning here")));
            self.at += first.len_utf8();
        }
        true
    }

    /// Complains about replacement characters, which stand for bytes in another encoding; gives their length.
    fn foreign(&mut self, start: usize, rest: &str) -> usize {
        let length = rest.len() - rest.trim_start_matches('\u{fffd}').len();
        let complaint = Diagnostic::error(Span::new(start, start + length), "this is not UTF-8 text");
        self.complain(complaint.with_note("only comments may be in another encoding"));
        length
    }

    fn block_comment(&mut self, rest: &str) {
        match rest[3..].find("--/") {
            Some(end) => self.at += 3 + end + 3,
            None => {
                let span = Span::new(self.at, self.at + 3);
                self.complain(
                    Diagnostic::error(span, "this comment has no end").with_note("it ends with `--/`"),
                );
                self.at = self.text.len();
            }
        }
    }

    /// `# 12 …` from the beginning of a line.
    fn is_line_marker(&self, rest: &str) -> bool {
        let before = self.text[..self.at].trim_start_matches('\u{feff}');
        let begins_line = before.is_empty() || before.ends_with('\n');
        let number = rest.strip_prefix("# ").map(|rest| rest.trim_start_matches(' '));
        begins_line && number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    }

    fn quoted_name(&mut self, rest: &str) {
        match rest[1..].find(['"', '\n']) {
            Some(length) if rest[1 + length..].starts_with('"') && length > 0 => {
                // Different names could look the same.
                if let Some(at) = rest[..1 + length].find('\u{fffd}') {
                    self.foreign(self.at + at, &rest[at..]);
                }
                self.push(TokenKind::Name, length + 2);
            }
            Some(0) if rest.starts_with("\"\"") => {
                let span = Span::new(self.at, self.at + 2);
                self.complain(Diagnostic::error(span, "a name cannot be empty"));
                self.at += 2;
            }
            end => {
                let length = 1 + end.unwrap_or(rest.len() - 1);
                let span = Span::new(self.at, self.at + 1);
                self.complain(Diagnostic::error(span, "this name has no end").with_note("it ends with `\"`"));
                self.at += length;
            }
        }
    }

    fn name(&mut self, rest: &str) {
        let bytes = rest.as_bytes();
        let inside = |at: usize| match bytes.get(at) {
            Some(b'-') => !matches!(bytes.get(at + 1), Some(b'-' | b'>')),
            Some(byte) => byte.is_ascii_alphanumeric() || b"_$#\\".contains(byte),
            None => false,
        };
        let length = (0..).find(|&at| !inside(at)).unwrap_or(rest.len());
        let word = &rest[..length];
        let kind = RESERVED
            .iter()
            .find(|known| **known == word)
            .map_or(TokenKind::Name, |known| TokenKind::Fixed(known));
        self.push(kind, length);
    }

    fn number(&mut self, rest: &str) {
        let length = |text: &str, inside: fn(char) -> bool| text.find(|c| !inside(c)).unwrap_or(text.len());
        let digits = length(rest, |c| c.is_ascii_digit());
        let word = length(rest, |c| c.is_ascii_alphanumeric() || c == '_');
        let after = rest[digits..].chars().next();
        if after.is_some_and(|c| "uUsSbBoOdDhH".contains(c)) && &rest[..digits] == "0" {
            self.push(TokenKind::Word, word);
        } else if word > digits {
            let span = Span::new(self.at, self.at + word);
            self.complain(
                Diagnostic::error(span, format!("`{}` is neither a number nor a name", &rest[..word]))
                    .with_note("names begin with a letter or `_`"),
            );
            self.push(TokenKind::Number, digits);
            self.at += word - digits;
        } else {
            let fraction = rest[digits..]
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            if fraction {
                let span = Span::new(self.at, self.at + digits + 1);
                self.complain(Diagnostic::error(span, "real numbers are not supported"));
            }
            self.push(TokenKind::Number, digits);
        }
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let start = self.at.min(self.text.len());
        let end = (start + length).min(self.text.len());
        self.tokens.push(Token { kind, span: Span::new(start, end) });
        self.at = end;
    }

    /// A text that is not SMV at all should not give a complaint for each of its characters.
    fn complain(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < 50 {
            self.diagnostics.push(diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::Context;

    fn all(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
        tokens(text, &mut Watch::new(&Context::default(), "test"))
    }

    fn words(text: &str) -> Vec<&str> {
        let (tokens, diagnostics) = all(text);
        assert_eq!(diagnostics, [], "{text}");
        tokens.iter().map(|token| &text[token.span.range()]).filter(|word| !word.is_empty()).collect()
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
    fn line_markers_and_byte_order_marks_are_left_out() {
        assert_eq!(words("\u{feff}# 1 \"x.smv\"\na\n# 12 \"y.smv\" 2\nb"), ["a", "b"]);
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
    fn ranges_are_not_fractions() {
        assert_eq!(words("1..3 0ud8_5 x[3:1]"), ["1", "..", "3", "0ud8_5", "x", "[", "3", ":", "1", "]"]);
    }
}
