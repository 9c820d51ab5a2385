//! JSON as it is printed: indented, and with escapes for all that does not show itself, which JSON itself allows in texts.

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::io::{self, Write};
use tertium_support::is_unprintable;

/// Writes an object and the end of the line.
pub fn write_json(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    object.serialize(&mut Serializer::with_formatter(&mut *out, Printable(PrettyFormatter::new())))?;
    out.write_all(b"\n")
}

/// The usual layout, with other texts.
struct Printable(PrettyFormatter<'static>);

impl Formatter for Printable {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some(at) = rest.find(is_unprintable) {
            out.write_all(&rest.as_bytes()[..at])?;
            let odd = rest[at..].chars().next().expect("it was found");
            let mut units = [0; 2];
            for unit in odd.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + odd.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn nothing_but_the_escapes_differs_from_the_usual_form() {
        let odd =
            json!({ "a\u{202e}": ["\u{1b}[2J", "\u{9b}", "ä\n\"\\"], "b": { "c": [], "d": {} }, "e": 1.5 });
        let mut out = Vec::new();
        write_json(&mut out, &odd).expect("a vector takes everything");
        let text = String::from_utf8(out).expect("it is UTF-8");
        assert!(text.chars().all(|c| c == '\n' || !is_unprintable(c)), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).expect("it is JSON"), odd);
        let plain = json!({ "a": [1, { "b": null }], "c": "ä\n" });
        let mut out = Vec::new();
        write_json(&mut out, &plain).expect("a vector takes everything");
        let usual = serde_json::to_string_pretty(&plain).expect("it can be written");
        assert_eq!(String::from_utf8(out).expect("UTF-8"), format!("{usual}\n"));
    }
}
