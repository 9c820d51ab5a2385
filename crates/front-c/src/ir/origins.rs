//! From offsets in a text to the places that the user knows.
//!
//! A preprocessor leaves marks in its output that say which file and line the next line comes from. Offsets and spans always speak of
//! the text that was read; [`Origins::place`] says where that was written.

use tertium_support::Span;

/// Where something was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, if a line mark names one; else it is the text itself.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1. The preprocessor may have changed it.
    pub column: usize,
}

/// What line marks say about a text.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// Where lines begin, in order; the first at 0.
    lines: Vec<usize>,
    /// Bytes that do not begin a character, in order.
    inner: Vec<usize>,
    /// The files that are named.
    files: Vec<String>,
    /// Line marks, in order of the lines they speak of.
    marks: Vec<Mark>,
}

/// From some line of the text on, lines come from elsewhere.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// The first line of the text, from 0.
    from: usize,
    /// What that line is in the file.
    line: usize,
    /// Which file, if it is named.
    file: Option<usize>,
}

impl Origins {
    /// The lines of a text, without marks yet.
    pub fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(breaks).collect();
        let inner = (0..text.len()).filter(|&at| !text.is_char_boundary(at)).collect();
        Self { lines, inner, ..Self::default() }
    }

    /// Notes that the line after the one at `offset` is this line of this file; without a name, of the same file as before.
    /// Marks have to come in order.
    pub(crate) fn mark(&mut self, offset: usize, line: usize, file: Option<&str>) {
        let from = self.line_at(offset) + 1;
        let file = match file {
            Some(name) => Some(self.files.iter().position(|file| file == name).unwrap_or_else(|| {
                self.files.push(name.to_owned());
                self.files.len() - 1
            })),
            None => self.marks.last().and_then(|mark| mark.file),
        };
        self.marks.push(Mark { from, line, file });
    }

    /// The line of the text, from 0.
    fn line_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// Whether the text has line marks: places differ from those in the text.
    pub fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Where the byte at an offset was written.
    pub fn place(&self, offset: usize) -> Place {
        let own = self.line_at(offset);
        let start = self.lines.get(own).copied().unwrap_or(0);
        let inner =
            self.inner.partition_point(|&at| at < offset) - self.inner.partition_point(|&at| at < start);
        let column = offset - start - inner + 1;
        let after = self.marks.partition_point(|mark| mark.from <= own);
        let Some(mark) = after.checked_sub(1).map(|index| self.marks[index]) else {
            return Place { file: None, line: own + 1, column };
        };
        let file = mark.file.map(|file| self.files[file].clone());
        Place { file, line: mark.line + (own - mark.from), column }
    }

    /// Where a span begins.
    pub fn start(&self, span: Span) -> Place {
        self.place(span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_rename_the_lines_after_them() {
        let text = "a\n# 7 \"f.c\"\nμb\nc\n# 3\nd\n";
        let mut origins = Origins::new(text);
        origins.mark(2, 7, Some("f.c"));
        origins.mark(text.find("# 3").expect("it is there"), 3, None);
        let at = |what: &str| origins.place(text.find(what).expect("it is there"));
        let place = |file: Option<&str>, line, column| Place { file: file.map(str::to_owned), line, column };
        assert_eq!(at("a"), place(None, 1, 1));
        assert_eq!(at("b"), place(Some("f.c"), 7, 2));
        assert_eq!(at("c\n"), place(Some("f.c"), 8, 1));
        assert_eq!(at("d"), place(Some("f.c"), 3, 1));
    }
}
