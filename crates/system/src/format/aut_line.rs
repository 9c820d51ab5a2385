//! The two kinds of lines of an `.aut` file.
//!
//! A quoted label ends at the last quote before `,to)`, an unquoted one at the last comma, so labels may hold commas,
//! parentheses and quotes. [`transition`] first tries the usual form `(from,"label",to)` in one forward scan and only
//! falls back on the careful reading, which knows where to point, for anything else.

use memchr::memchr;
use tertium_support::{Diagnostic, Span};

/// A number and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: u32,
    pub(super) span: Span,
}

/// `des (first, transitions, states)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) first: Number,
    pub(super) transitions: Number,
    pub(super) states: Number,
}

/// `(from, label, to)`; `end` is where the search for the next line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transition<'b> {
    pub(super) from: u32,
    pub(super) label: &'b [u8],
    pub(super) to: u32,
    pub(super) end: usize,
}

/// Moves `at` to the next byte that is not white space, the start of a line's content, and gives it.
#[inline]
pub(super) fn next_line(bytes: &[u8], at: &mut usize) -> Option<usize> {
    while let Some(byte) = bytes.get(*at) {
        if !matches!(byte, b'\n' | b'\r' | b' ' | b'\t') {
            return Some(*at);
        }
        *at += 1;
    }
    None
}

/// The end of the line that holds `start`: its line break or the end of the file.
pub(super) fn line_end(bytes: &[u8], start: usize) -> usize {
    memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |length| start + length)
}

/// Reads the header and moves `at` behind it.
pub(super) fn header(bytes: &[u8], at: &mut usize) -> Result<Header, Diagnostic> {
    let Some(start) = next_line(bytes, at) else {
        return Err(Diagnostic::error(Span::point(bytes.len()), "the file is empty").with_note(HEADER));
    };
    let end = line_end(bytes, start);
    let mut line = Line { bytes, at: start, end: trim_end(bytes, start, end) };
    *at = end;
    let read = (|| {
        line.expect(b"des")?;
        line.expect(b"(")?;
        let first = line.number()?;
        line.expect(b",")?;
        let transitions = line.number()?;
        line.expect(b",")?;
        let states = line.number()?;
        line.expect(b")")?;
        line.skip_blanks();
        if line.at < line.end {
            return Err(line.fault("unexpected text after the header"));
        }
        Ok(Header { first, transitions, states })
    })();
    read.map_err(|fault| fault.with_note(HEADER))
}

const HEADER: &str = "the first line is `des (initial state, number of transitions, number of states)`";
const TRANSITION: &str = "a transition is `(from, \"label\", to)` on a line of its own";

/// Reads the transition at `start`.
#[inline]
pub(super) fn transition(bytes: &[u8], start: usize) -> Result<Transition<'_>, Diagnostic> {
    match usual_transition(bytes, start) {
        Some(transition) => Ok(transition),
        None => careful_transition(bytes, start).map(|(transition, ..)| transition),
    }
}

/// The two states of the transition at `start`, with their places.
pub(super) fn end_points(bytes: &[u8], start: usize) -> Result<(Number, Number), Diagnostic> {
    careful_transition(bytes, start).map(|(_, source, target)| (source, target))
}

/// `(digits,"label",digits)` with no blank, no quote in the label, and at most nine digits; else nothing. What it
/// accepts, the careful reading accepts alike: no quote follows the one that ended the label.
#[inline]
fn usual_transition(bytes: &[u8], start: usize) -> Option<Transition<'_>> {
    let rest = bytes[start..].strip_prefix(b"(")?;
    let (from, rest) = short_number(rest)?;
    let rest = rest.strip_prefix(b",\"")?;
    let length = rest.iter().position(|&byte| byte == b'"' || byte == b'\n')?;
    let (label, rest) = rest.split_at(length);
    let (to, rest) = short_number(rest.strip_prefix(b"\",")?)?;
    let rest = rest.strip_prefix(b")")?;
    match rest {
        [] | [b'\n', ..] | [b'\r', b'\n', ..] => {
            Some(Transition { from, label, to, end: bytes.len() - rest.len() })
        }
        _ => None,
    }
}

/// A number of one to nine digits, and what follows it.
#[inline(always)]
fn short_number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let mut value = 0u32;
    for (length, &byte) in bytes.iter().enumerate().take(10) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return (length > 0).then_some((value, &bytes[length..]));
        }
        value = value.wrapping_mul(10).wrapping_add(u32::from(digit));
    }
    None
}

#[cold]
fn careful_transition(bytes: &[u8], start: usize) -> Result<(Transition<'_>, Number, Number), Diagnostic> {
    let end = line_end(bytes, start);
    let mut line = Line { bytes, at: start, end: trim_end(bytes, start, end) };
    let read = (|| {
        line.expect(b"(")?;
        let source = line.number()?;
        line.expect(b",")?;
        line.skip_blanks();
        let target = line.last_number()?;
        let label = line.label()?;
        Ok((Transition { from: source.value, label, to: target.value, end }, source, target))
    })();
    read.map_err(|fault: Diagnostic| fault.with_note(TRANSITION))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The end of `bytes[start..end]` without trailing blanks.
fn trim_end(bytes: &[u8], start: usize, end: usize) -> usize {
    start + bytes[start..end].iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1)
}

/// What is left of a line, from both sides: `bytes[at..end]`, without trailing blanks.
struct Line<'b> {
    bytes: &'b [u8],
    at: usize,
    end: usize,
}

impl<'b> Line<'b> {
    fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at..self.end]
    }

    /// A complaint about what comes next.
    fn fault(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Span::new(self.at, (self.at + 1).min(self.end).max(self.at)), message)
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().iter().take_while(|&&byte| is_blank(byte)).count();
    }

    fn expect(&mut self, wanted: &[u8]) -> Result<(), Diagnostic> {
        self.skip_blanks();
        if !self.rest().starts_with(wanted) {
            return Err(self.fault(format!("expected `{}`", String::from_utf8_lossy(wanted))));
        }
        self.at += wanted.len();
        Ok(())
    }

    fn number(&mut self) -> Result<Number, Diagnostic> {
        self.skip_blanks();
        let length = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let span = Span::new(self.at, self.at + length);
        if length == 0 {
            return Err(self.fault("expected a number"));
        }
        self.at += length;
        self.value(span)
    }

    /// The target state and the closing parenthesis, read from the end of the line, with the comma before it.
    fn last_number(&mut self) -> Result<Number, Diagnostic> {
        self.expect_last(b')', "expected `)` at the end of the transition")?;
        self.trim();
        let length = self.rest().iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let span = Span::new(self.end - length, self.end);
        if length == 0 {
            return Err(Diagnostic::error(span, "expected the number of the target state before `)`"));
        }
        let number = self.value(span)?;
        self.end -= length;
        self.trim();
        self.expect_last(b',', "expected `,` between the label and the target state")?;
        self.trim();
        Ok(number)
    }

    fn expect_last(&mut self, wanted: u8, message: &str) -> Result<(), Diagnostic> {
        if self.rest().last() != Some(&wanted) {
            let at = self.end.saturating_sub(1).max(self.at);
            return Err(Diagnostic::error(Span::new(at, self.end), message));
        }
        self.end -= 1;
        Ok(())
    }

    fn trim(&mut self) {
        self.end = trim_end(self.bytes, self.at, self.end);
    }

    fn label(&mut self) -> Result<&'b [u8], Diagnostic> {
        match self.rest() {
            [] => Err(self.fault("expected a label").with_note("an empty label is written `\"\"`")),
            [b'"', label @ .., b'"'] => Ok(label),
            [b'"', ..] => Err(self.fault("this quoted label does not end before the target state")),
            label => Ok(label),
        }
    }

    fn value(&self, span: Span) -> Result<Number, Diagnostic> {
        let value = self.bytes[span.range()]
            .iter()
            .try_fold(0u32, |value, byte| value.checked_mul(10)?.checked_add(u32::from(byte - b'0')));
        value.map(|value| Number { value, span }).ok_or_else(|| {
            Diagnostic::error(span, format!("this number is too large: at most {} is possible", u32::MAX))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<(u32, &str, u32), String> {
        match transition(line.as_bytes(), 0) {
            Ok(t) => Ok((t.from, std::str::from_utf8(t.label).unwrap(), t.to)),
            Err(fault) => Err(fault.message),
        }
    }

    #[test]
    fn labels_may_be_quoted_or_not_and_hold_almost_anything() {
        assert_eq!(read("(0,\"a\",1)"), Ok((0, "a", 1)));
        assert_eq!(read("( 0 ,\t\"a b\" , 1 ) \r"), Ok((0, "a b", 1)));
        assert_eq!(read("(0,a,1)"), Ok((0, "a", 1)));
        assert_eq!(read("(0,  send(1, 2)  ,1)"), Ok((0, "send(1, 2)", 1)));
        assert_eq!(read("(0,\"x\",3)\",1)"), Ok((0, "x\",3)", 1)));
        assert_eq!(read("(0,\"\"\",1)"), Ok((0, "\"", 1)));
        assert_eq!(read("(0,\"\",1)"), Ok((0, "", 1)));
        assert_eq!(read("(0,a\"b,1)"), Ok((0, "a\"b", 1)));
        assert_eq!(read("(0,\"é ∧\",4294967295)"), Ok((0, "é ∧", u32::MAX)));
    }

    #[test]
    fn the_usual_form_is_read_alike_by_the_careful_reading() {
        for line in ["(0,\"a\",1)", "(12,\"\",345)\r\n", "(7,\"a,(b)\",8)\n", "(000000001,\"x\",999999999)"] {
            let usual = usual_transition(line.as_bytes(), 0).unwrap();
            let (careful, ..) = careful_transition(line.as_bytes(), 0).unwrap();
            assert_eq!((usual.from, usual.label, usual.to), (careful.from, careful.label, careful.to));
        }
    }

    #[test]
    fn wrong_lines_say_what_was_expected() {
        for (line, message) in [
            ("0,\"a\",1)", "expected `(`"),
            ("(x,\"a\",1)", "expected a number"),
            ("(0 \"a\",1)", "expected `,`"),
            ("(0,\"a\",1", "expected `)` at the end of the transition"),
            ("(0,\"a\",1) x", "expected `)` at the end of the transition"),
            ("(0,\"a\",)", "expected the number of the target state before `)`"),
            ("(0,\"a\" 1)", "expected `,` between the label and the target state"),
            ("(0,\"a,1)", "this quoted label does not end before the target state"),
            ("(0,\",1)", "this quoted label does not end before the target state"),
            ("(0,,1)", "expected a label"),
            ("(0,1)", "expected `,` between the label and the target state"),
            ("(0,\"a\",4294967296)", "this number is too large: at most 4294967295 is possible"),
        ] {
            assert_eq!(read(line), Err(message.to_owned()), "{line}");
        }
    }
}
