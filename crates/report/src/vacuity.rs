//! Which parts of a property do not matter, as text and as JSON. The text shows the property as the user wrote it, with
//! the parts underlined.

use crate::json::{Message, SCHEMA, ToolInfo};
use crate::relevance::Relevance;
use serde::Serialize;
use tertium_support::{Source, Span};

/// All answers about the properties of a file.
#[derive(Clone, Debug, Serialize)]
pub struct VacuityReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Which program wrote this.
    pub tool: ToolInfo,
    /// The command.
    pub command: &'static str,
    /// The file, as given.
    pub file: String,
    /// The method.
    pub method: &'static str,
    /// One entry for each property.
    pub results: Vec<VacuityAnswer>,
    /// What was to be said about the file and the properties.
    pub messages: Vec<Message>,
    /// All answers together, as on the last line of the text.
    pub result: String,
    /// The exit status.
    pub exit_status: u8,
}

impl VacuityReport {
    /// A report on a file.
    pub fn new(
        file: String,
        method: &'static str,
        results: Vec<VacuityAnswer>,
        messages: Vec<Message>,
        result: String,
        exit_status: u8,
    ) -> Self {
        let (schema, tool, command) = (SCHEMA, ToolInfo::default(), "vacuity");
        Self { schema, tool, command, file, method, results, messages, result, exit_status }
    }
}

/// The answer about one property.
#[derive(Clone, Debug, Serialize)]
pub struct VacuityAnswer {
    /// The property, as given: the name or the number of a specification, or the formula.
    pub property: String,
    /// The property as text, names with their instances.
    pub formula: String,
    /// `true`, `false`, `unknown` or `error`.
    pub verdict: &'static str,
    /// Verdict and vacuity in words.
    pub words: String,
    /// `none`, `some` or `all`: how many of the atoms do not matter; `null` if that is not known.
    pub extent: Option<&'static str>,
    /// The vacuous parts.
    pub vacuous: Vec<PlacedPart>,
    /// The parts of which the system does not say whether they matter; only of partial systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<PlacedPart>,
    /// Where the verdict is unknown: the parts that matter nevertheless.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisive: Vec<PlacedPart>,
    /// The largest sets of parts that do not matter together; only where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutual: Option<Vec<Vec<String>>>,
    /// The formula that is left when vacuous parts are replaced by constants, which has the same verdict.
    pub left: Option<String>,
    /// Why parts matter: one that does, or all atoms that do.
    pub matters: Vec<Relevance>,
    /// How many formulas were decided.
    pub witnesses: usize,
    /// In how many passes.
    pub runs: usize,
}

/// A part of a property.
#[derive(Clone, Debug, Serialize)]
pub struct PlacedPart {
    /// As it is written, on one line.
    pub text: String,
    /// Its line in the file or the argument, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
}

impl PlacedPart {
    /// The part at this place.
    pub fn new(source: &Source, span: Span) -> Self {
        let (line, column) = source.line_column(span.start);
        Self { text: written_text(source, span), line, column }
    }
}

/// What stands at a place, on one line and without brackets around it.
pub fn written_text(source: &Source, span: Span) -> String {
    let text = source.text()[span.range()].split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = text.as_str();
    while let Some(inside) = without_brackets(rest) {
        rest = inside.trim();
    }
    rest.to_owned()
}

/// What is between the first and the last sign, if these are brackets that belong to each other.
fn without_brackets(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_i32;
    for sign in inside.chars() {
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        if depth < 0 {
            return None;
        }
    }
    Some(inside)
}

/// The lines on which a property stands, each with an underline below the parts that are on it.
pub fn underlined(source: &Source, whole: Span, parts: &[Span]) -> String {
    let text = source.text();
    let start = text[..whole.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[whole.end..].find('\n').map_or(text.len(), |newline| whole.end + newline);
    let mut shown = String::new();
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut at = start;
    for line in text[start..end].split('\n') {
        let mut written = String::new();
        let mut marks = String::new();
        for (offset, sign) in line.char_indices() {
            let place = at + offset;
            let inside = place >= whole.start && place < whole.end;
            // What stands around the property on its lines is not part of it.
            written.push(if !inside || sign.is_whitespace() { ' ' } else { sign });
            let marked = inside && parts.iter().any(|part| part.range().contains(&place));
            marks.push(if marked { '~' } else { ' ' });
        }
        at += line.len() + 1;
        lines.push((written.trim_end().to_owned(), trim_marks(&written, &marks)));
    }
    let used = lines.iter().filter(|(written, _)| !written.is_empty());
    let indent = used.map(|(written, _)| written.len() - written.trim_start().len()).min().unwrap_or(0);
    for (written, marks) in lines.iter().filter(|(written, _)| !written.is_empty()) {
        shown.push_str(&format!("    {}\n", &written[indent..]));
        if !marks.is_empty() {
            shown.push_str(&format!("    {}\n", &marks[indent..]));
        }
    }
    shown
}

/// Marks under signs only at the ends of a line: not under the indentation of a part that began above.
fn trim_marks(written: &str, marks: &str) -> String {
    let first = written.chars().position(|sign| sign != ' ').unwrap_or(0);
    let last = written.trim_end().chars().count();
    let kept: String = marks
        .chars()
        .enumerate()
        .map(|(at, mark)| if at < first || at >= last { ' ' } else { mark })
        .collect();
    kept.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_underlined_on_every_line_they_stand_on() {
        let source = Source::new("test", "SPEC\n  AG (a | -- why\n    (b &\n     c)) ;\n");
        let at = |text: &str| source.text().find(text).unwrap();
        let whole = Span { start: at("AG"), end: at(" ;") };
        let part = Span { start: at("(b"), end: at(") ;") };
        assert_eq!(
            underlined(&source, whole, &[part]),
            "    AG (a | -- why\n      (b &\n      ~~~~\n       c))\n       ~~\n"
        );
        assert_eq!(written_text(&source, part), "b & c");
        assert_eq!(written_text(&source, whole), "AG (a | -- why (b & c))");
    }

    #[test]
    fn only_brackets_that_belong_together_are_taken_away() {
        let text = |text: &str| written_text(&Source::new("test", text), Span { start: 0, end: text.len() });
        assert_eq!(text("((a | b))"), "a | b");
        assert_eq!(text("(a) | (b)"), "(a) | (b)");
    }
}
