//! The reader: one pass over the bytes, nothing allocated per line but the name.
//!
//! Grammar, with white space free between tokens:
//!
//! ```text
//! file    = [ "parity" number ";" ] { "start" number ";" | vertex }
//! vertex  = number number number [ number { "," number } ] [ '"' name '"' ] ";"
//! ```
//!
//! Where a vertex line breaks off, reading goes on behind the next `;` or at the next line, whichever comes first, so
//! that several mistakes are told at once. Positions of successors are not kept: if one turns out to be undefined, the
//! text is read a second time to find it.

use super::super::{ParityGame, Player, VertexId};
use tertium_support::{Diagnostic, Diagnostics, Id, Span};

/// What a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgFile {
    /// The game.
    pub game: ParityGame,
    /// The vertex of a `start` line, if there is one.
    pub start: Option<VertexId>,
    /// What is perhaps not meant: vertices without successors.
    pub warnings: Diagnostics,
}

/// More errors than this are not collected.
const ENOUGH: usize = 100;
/// Ids are below this, as vertices of arenas are.
const ID_LIMIT: u64 = (1 << 31) - 1;

/// Reads a game. Errors are located; there is at least one if the result is `Err`.
pub fn read_pgsolver(text: &str) -> Result<PgFile, Diagnostics> {
    let mut reader = Reader::new(text);
    reader.file();
    if reader.errors.is_empty() {
        reader.check_ids();
    }
    if reader.errors.is_empty() && reader.targets.iter().any(|&w| w as usize >= reader.vertices.len()) {
        let mut again = Reader::new(text);
        again.known = Some(reader.vertices.len() as u64);
        again.file();
        reader.errors = again.errors;
    }
    if reader.errors.is_empty() { Ok(reader.finish()) } else { Err(reader.errors) }
}

/// One vertex line; its successors reach from the end of the line before to `end` in the list of all.
struct Line {
    id: u32,
    at: Span,
    priority: u32,
    owner: Player,
    end: usize,
    name: Box<str>,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The end of the last number or name.
    token_end: usize,
    vertices: Vec<Line>,
    targets: Vec<u32>,
    highest: Option<(u64, Span)>,
    start: Option<(u64, Span)>,
    /// In the second reading, how many vertices there are: others are reported.
    known: Option<u64>,
    errors: Diagnostics,
}

/// A mistake was noted; the rest of the line is to be skipped.
struct Skip;

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            token_end: 0,
            vertices: Vec::new(),
            targets: Vec::new(),
            highest: None,
            start: None,
            known: None,
            errors: Vec::new(),
        }
    }

    fn file(&mut self) {
        if self.word("parity") {
            let header =
                self.number("the highest index, or the number of vertices", ID_LIMIT).and_then(|header| {
                    self.semicolon()?;
                    Ok(header)
                });
            match header {
                Ok(header) => self.highest = Some(header),
                Err(Skip) => self.recover(),
            }
        }
        while self.peek().is_some() && self.errors.len() < ENOUGH {
            let read = if self.word("start") { self.start_line() } else { self.vertex() };
            if let Err(Skip) = read {
                self.recover();
            }
        }
        if self.vertices.is_empty() && self.errors.is_empty() {
            let end = Span::point(self.text.len());
            let error = Diagnostic::error(end, "there is no vertex");
            self.errors.push(error.with_note("expected lines `id priority owner successors \"name\";`"));
        }
    }

    fn start_line(&mut self) -> Result<(), Skip> {
        self.start = Some(self.number("a vertex", ID_LIMIT)?);
        self.semicolon()
    }

    fn vertex(&mut self) -> Result<(), Skip> {
        let (id, at) = self.number("a vertex", ID_LIMIT)?;
        let (priority, _) = self.number("a priority", u64::from(u32::MAX))?;
        let owner = match self.number("an owner", u64::MAX)? {
            (0, _) => Player::Even,
            (1, _) => Player::Odd,
            (_, span) => return self.fail(span, "the owner is neither 0 nor 1", "0 is Even, 1 is Odd"),
        };
        if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            loop {
                let (target, span) = self.number("a successor", ID_LIMIT)?;
                if self.known.is_some_and(|n| target >= n) {
                    let message = format!("successor {target} is not defined");
                    self.errors.push(Diagnostic::error(span, message).with_related(at, "of this vertex"));
                }
                self.targets.push(target as u32);
                if self.peek() != Some(b',') {
                    break;
                }
                self.at += 1;
            }
        }
        let name = if self.peek() == Some(b'"') { self.name()? } else { "" };
        let (priority, end, name) = (priority as u32, self.targets.len(), name.into());
        self.vertices.push(Line { id: id as u32, at, priority, owner, end, name });
        self.semicolon()
    }

    /// The text between the quotation mark here and the next one on the line.
    fn name(&mut self) -> Result<&'a str, Skip> {
        let rest = &self.text[self.at + 1..];
        match rest.find(['"', '\n']) {
            Some(end) if rest.as_bytes()[end] == b'"' => {
                self.at += end + 2;
                self.token_end = self.at;
                Ok(&rest[..end])
            }
            _ => self.fail(
                Span::new(self.at, self.at + 1),
                "this name does not end",
                "expected `\"` on this line",
            ),
        }
    }

    fn semicolon(&mut self) -> Result<(), Skip> {
        let before = Span::point(self.token_end);
        match self.peek() {
            Some(b';') => {
                self.at += 1;
                Ok(())
            }
            // What stands here may well be the next line: the semicolon alone is missing.
            Some(byte) if byte.is_ascii_digit() && self.text[before.start..self.at].contains('\n') => {
                self.errors.push(Diagnostic::error(before, "expected `;`"));
                Ok(())
            }
            Some(_) => {
                let here = self.here();
                self.fail(here, "expected `;`", "a vertex line is `id priority owner successors \"name\";`")
            }
            None => self.fail(before, "the file ends inside a line", "expected `;`"),
        }
    }

    /// A number of at most `limit`.
    fn number(&mut self, what: &str, limit: u64) -> Result<(u64, Span), Skip> {
        self.peek();
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut value = 0u64;
        while let Some(digit) = bytes.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        self.token_end = self.at;
        let span = Span::new(start, self.at);
        if start == self.at {
            let (span, message) = match self.peek() {
                Some(_) => (self.here(), format!("expected {what}, a number")),
                None => (span, "the file ends inside a line".to_string()),
            };
            self.fail(span, message, "a vertex line is `id priority owner successors \"name\";`")
        } else if value > limit {
            self.fail(
                span,
                format!("{what} of this size is too large"),
                format!("the greatest allowed is {limit}"),
            )
        } else {
            Ok((value, span))
        }
    }

    /// Reads `word`, if it stands here.
    fn word(&mut self, word: &str) -> bool {
        self.peek();
        let stands = self.text[self.at..].starts_with(word);
        if stands {
            self.at += word.len();
        }
        stands
    }

    /// The next byte that is not white space, which is skipped.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// The character here.
    fn here(&self) -> Span {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        Span::new(self.at, self.at + length)
    }

    fn fail<T>(
        &mut self,
        span: Span,
        message: impl Into<String>,
        note: impl Into<String>,
    ) -> Result<T, Skip> {
        self.errors.push(Diagnostic::error(span, message).with_note(note));
        Err(Skip)
    }

    /// Goes behind the next `;` or the end of this line.
    fn recover(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find([';', '\n']).map_or(rest.len(), |end| end + 1);
    }

    /// Checks that the ids are 0 to the highest, each once.
    fn check_ids(&mut self) {
        if self.vertices.iter().enumerate().any(|(at, line)| line.id as usize != at) {
            // Stable: the first of two lines with one id stays first.
            let mut begin = 0;
            let mut targets = Vec::with_capacity(self.targets.len());
            let mut rows = Vec::with_capacity(self.vertices.len());
            for line in &self.vertices {
                rows.push(begin..line.end);
                begin = line.end;
            }
            let mut order: Vec<usize> = (0..rows.len()).collect();
            order.sort_by_key(|&at| self.vertices[at].id);
            for pair in order.windows(2) {
                let [first, second] = [&self.vertices[pair[0]], &self.vertices[pair[1]]];
                if first.id == second.id && self.errors.len() < ENOUGH {
                    let error = Diagnostic::error(second.at, format!("vertex {} is defined twice", first.id));
                    self.errors.push(error.with_related(first.at, "first here"));
                }
            }
            let mut lines: Vec<Option<Line>> =
                std::mem::take(&mut self.vertices).into_iter().map(Some).collect();
            for at in order {
                targets.extend_from_slice(&self.targets[rows[at].clone()]);
                let line = lines[at].take().expect("an order names each line once");
                self.vertices.push(Line { end: targets.len(), ..line });
            }
            self.targets = targets;
        }
        self.check_gaps();
    }

    /// Checks the sorted ids against the header and for gaps.
    fn check_gaps(&mut self) {
        let header = self.highest;
        for line in &self.vertices {
            if let Some((highest, span)) = header.filter(|&(highest, _)| u64::from(line.id) > highest)
                && self.errors.len() < ENOUGH
            {
                let message = format!("vertex {} is beyond the highest index, {highest}", line.id);
                self.errors.push(Diagnostic::error(line.at, message).with_related(span, "announced here"));
            }
        }
        let mut expected = 0;
        for line in &self.vertices {
            if line.id > expected && self.errors.len() < ENOUGH {
                let missing = format!("no line defines vertex {expected}");
                let error = Diagnostic::error(line.at, missing);
                self.errors.push(error.with_note("every index from 0 to the highest needs a line"));
            }
            expected = line.id + 1;
        }
        // A header that is one too large is the number of vertices.
        if let Some((highest, span)) = header.filter(|&(highest, _)| u64::from(expected) < highest) {
            let message = format!("no line defines the vertices from {expected} to {highest}");
            let error = Diagnostic::error(span, message);
            self.errors
                .push(error.with_note("the header holds the highest index, or the number of vertices"));
        }
        if let Some((start, span)) = self.start.filter(|&(start, _)| start >= u64::from(expected)) {
            self.errors.push(Diagnostic::error(span, format!("the start vertex {start} is not defined")));
        }
    }

    fn finish(self) -> PgFile {
        let mut warnings = Vec::new();
        let mut edges = Vec::with_capacity(self.targets.len());
        let mut begin = 0;
        for line in &self.vertices {
            let row = &self.targets[begin..line.end];
            begin = line.end;
            edges.extend(row.iter().map(|&w| (VertexId::from_raw(line.id), VertexId::from_raw(w))));
            if row.is_empty() && warnings.len() < ENOUGH {
                let message = format!("vertex {} has no successor", line.id);
                warnings.push(Diagnostic::warning(line.at, message).with_note("its owner loses there"));
            }
        }
        let vertices: Vec<_> = self.vertices.iter().map(|line| (line.priority, line.owner)).collect();
        let names = self.vertices.into_iter().map(|line| line.name).collect();
        PgFile {
            game: ParityGame::new(&vertices, &edges).with_names(names),
            start: self.start.map(|(start, _)| VertexId::new(start as usize)),
            warnings,
        }
    }
}
