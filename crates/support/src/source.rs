//! Source texts and positions in them.
//!
//! A [`Span`] is a byte range; lines and columns are computed only when someone asks. Columns count characters. Clones of a source share
//! its text: every property of a file has the source of the file.

use crate::Diagnostic;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

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

/// A source text with the name under which messages speak of it. Clones share the text.
#[derive(Clone, Debug)]
pub struct Source(Arc<Named>);

#[derive(Debug)]
struct Named {
    name: String,
    text: String,
    /// How many lines stand before the text, where it is a part of another.
    lines_before: usize,
    /// Where the lines begin, once somebody asked for a line: sorted.
    lines: OnceLock<Vec<usize>>,
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.name() == other.name() && self.text() == other.text())
    }
}

impl Eq for Source {}

impl Source {
    /// A text that is already known to be valid UTF-8, such as a command-line argument.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::behind(name.into(), text.into(), 0)
    }

    fn behind(name: String, text: String, lines_before: usize) -> Self {
        Self(Arc::new(Named { name, text, lines_before, lines: OnceLock::new() }))
    }

    /// A part of the text as a source of its own, in which lines and columns are those of the whole: blanks stand for what is before it in
    /// its first line.
    pub fn part(&self, part: Span) -> Self {
        let (line, column) = self.line_column(part.start);
        let text = format!("{}{}", " ".repeat(column - 1), &self.text()[part.range()]);
        Self::behind(self.name().to_owned(), text, line - 1)
    }

    /// The text of a file. Bytes that are not UTF-8 give a source with replacement characters and the located
    /// complaint about it.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Box<(Self, Diagnostic)>> {
        let name = name.into();
        let is_wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let note = if is_wide {
            "this looks like UTF-16; save it as UTF-8"
        } else {
            "Tertium reads text files in UTF-8"
        };
        String::from_utf8(without_marks(bytes)).map(|text| Self::new(name.as_str(), text)).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let diagnostic =
                Diagnostic::error(Span::new(at, at + 1), "this is not UTF-8 text").with_note(note);
            Box::new((Self::new(name.as_str(), text), diagnostic))
        })
    }

    /// The name for messages: a path, or a word such as `<property>`.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Line and column of a byte offset, both counted from 1. The column is counted along the line; see [`Self::line`].
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let (line, start) = self.line_and_start(offset);
        (line, self.text()[start..self.floor(offset)].chars().count() + 1)
    }

    /// The line of a byte offset, counted from 1, by a binary search: for many places of a line that may be long.
    pub fn line(&self, offset: usize) -> usize {
        self.line_and_start(offset).0
    }

    /// The line of a byte offset, counted from 1, and the offset where it begins.
    fn line_and_start(&self, offset: usize) -> (usize, usize) {
        let lines = self.0.lines.get_or_init(|| {
            let breaks = self.text().bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        });
        let line = lines.partition_point(|&start| start <= self.floor(offset));
        debug_assert!(line > 0, "the first line begins at 0");
        (self.0.lines_before + line, lines[line - 1])
    }

    /// The nearest character boundary at or below `offset`, inside the text.
    pub(crate) fn floor(&self, offset: usize) -> usize {
        let mut at = offset.min(self.text().len());
        while !self.text().is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// The bytes of a file without the byte-order mark that some editors put first, and with one kind of line end: `\n` in place of
/// `\r\n` and `\r`. So all formats have the same lines and columns.
pub fn without_marks(mut bytes: Vec<u8>) -> Vec<u8> {
    const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    if bytes.contains(&b'\r') {
        let mut last = 0;
        let mut kept = 0;
        for at in 0..bytes.len() {
            let byte = bytes[at];
            if !(byte == b'\n' && last == b'\r') {
                bytes[kept] = if byte == b'\r' { b'\n' } else { byte };
                kept += 1;
            }
            last = byte;
        }
        bytes.truncate(kept);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_line_ends_leave_no_trace() {
        let clean = |text: &str| String::from_utf8(without_marks(text.into())).expect("still UTF-8");
        assert_eq!(clean("\u{feff}a\r\nb\rc\n\r\n\rd"), "a\nb\nc\n\n\nd");
        assert_eq!(clean("a\n\u{feff}b"), "a\n\u{feff}b");
        let source = Source::from_bytes("f", "\u{feff}a\r\nb".into()).expect("UTF-8");
        assert_eq!((source.text(), source.line_column(2)), ("a\nb", (2, 1)));
        let (_, wide) = *Source::from_bytes("f", vec![0xff, 0xfe, b'a', 0]).unwrap_err();
        assert!(wide.notes[0].contains("UTF-16"));
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        let source = Source::new("f", "ab\nμν X");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column("ab\nμν ".len()), (2, 4));
        assert_eq!(source.line_column(1000), (2, 5));
        assert_eq!((source.line_column(2), source.line_column(3)), ((1, 3), (2, 1)));
        assert!((0..1000).all(|at| source.line(at) == source.line_column(at).0));
    }

    #[test]
    fn places_in_a_part_are_those_of_the_whole() {
        let source = Source::new("f", "a;\nμ b\nc; d");
        let part = source.part(Span::new("a;\nμ ".len(), "a;\nμ b\nc".len()));
        assert_eq!(part.text(), "  b\nc");
        assert_eq!((part.line_column(2), part.line_column(4)), ((2, 3), (3, 1)));
        assert_eq!(part.part(Span::new(4, 5)).line_column(0), (3, 1));
    }

    #[test]
    fn clones_share_their_text_and_are_equal() {
        let source = Source::new("f", "a\nb");
        let clone = source.clone();
        assert_eq!(source.line_column(2), (2, 1));
        assert_eq!(source.text().as_ptr(), clone.text().as_ptr());
        assert_eq!(source, Source::new("f", "a\nb"));
        assert_ne!(source, Source::new("g", "a\nb"));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_located() {
        let (source, diagnostic) = *Source::from_bytes("f", b"ab\n\xffc".to_vec()).unwrap_err();
        assert_eq!(source.line_column(diagnostic.span.start), (2, 1));
    }
}
