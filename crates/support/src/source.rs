//! Source texts and positions in them.
//!
//! A [`Span`] is a byte range; lines and columns are computed only when a message is shown. Columns count characters.

use crate::Diagnostic;
use std::ops::Range;

/// A byte range of a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range from `start` to before `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The empty range at `at`.
    pub const fn point(at: usize) -> Self {
        Self { start: at, end: at }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range of byte offsets.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A source text with the name under which messages speak of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
}

impl Source {
    /// A text that is already known to be valid UTF-8, such as a command-line argument.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// The text of a file. Bytes that are not UTF-8 give a source with replacement characters and the located
    /// complaint about it.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Box<(Self, Diagnostic)>> {
        let name = name.into();
        String::from_utf8(bytes).map(|text| Self { name: name.clone(), text }).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let diagnostic = Diagnostic::error(Span::new(at, at + 1), "this is not UTF-8 text")
                .with_note("Tertium reads text files in UTF-8");
            Box::new((Self { name, text }, diagnostic))
        })
    }

    /// The name for messages: a path, or a word such as `<property>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte offset, both counted from 1.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.text[..self.floor(offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.bytes().filter(|&b| b == b'\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// The nearest character boundary at or below `offset`, inside the text.
    pub(crate) fn floor(&self, offset: usize) -> usize {
        let mut at = offset.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        let source = Source::new("f", "ab\nμν X");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column("ab\nμν ".len()), (2, 4));
        assert_eq!(source.line_column(1000), (2, 5));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_located() {
        let (source, diagnostic) = *Source::from_bytes("f", b"ab\n\xffc".to_vec()).unwrap_err();
        assert_eq!(source.line_column(diagnostic.span.start), (2, 1));
    }
}
