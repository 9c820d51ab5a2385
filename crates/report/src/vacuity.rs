//! Which parts of a property do not matter, as text and as JSON. The text shows the property as the user wrote it, with
//! the parts underlined.

use crate::cause::cause_text;
use crate::json::{AssumptionReport, Message, PropertyReport, SCHEMA, ToolInfo};
use crate::json_answer::property_report;
use crate::relevance::Relevance;
use serde::Serialize;
use tertium_evidence::PropertyName;
use tertium_support::{Source, Span};
use tertium_truth::Cause;

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
    /// What was to be said about the file.
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
    /// The property.
    pub property: PropertyReport,
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
    /// Whether there are more such sets.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mutual_cut: bool,
    /// The formula that is left when vacuous parts are replaced by constants, which has the same verdict; `null` if that is a constant.
    pub left: Option<String>,
    /// Why parts matter: one that does, or all atoms that do.
    pub matters: Vec<Relevance>,
    /// What the answer relies on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<AssumptionReport>,
    /// How many formulas were decided.
    pub witnesses: usize,
    /// In how many passes.
    pub runs: usize,
    /// Why there is no answer, if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    /// The property with its name, as it is shown.
    #[serde(skip)]
    pub title: String,
    /// Where something is open: why.
    #[serde(skip)]
    pub cause: Option<Cause>,
    /// The property as it is written, with the vacuous parts underlined; see [`underlined`].
    #[serde(skip)]
    pub marked: String,
}

impl VacuityAnswer {
    /// An answer that says nothing yet.
    pub fn blank(name: &PropertyName) -> Self {
        Self {
            property: property_report(name),
            title: name.title(),
            verdict: "unknown",
            words: String::new(),
            extent: None,
            vacuous: Vec::new(),
            open: Vec::new(),
            decisive: Vec::new(),
            mutual: None,
            mutual_cut: false,
            left: None,
            matters: Vec::new(),
            assumptions: Vec::new(),
            witnesses: 0,
            runs: 0,
            messages: Vec::new(),
            cause: None,
            marked: String::new(),
        }
    }

    /// Nothing was found out for this reason.
    pub fn stopped(name: &PropertyName, cause: Cause) -> Self {
        let words = cause_text(cause).to_owned();
        Self { words, cause: Some(cause), ..Self::blank(name) }
    }

    /// There is no answer because something is wrong.
    pub fn failed(name: &PropertyName, messages: Vec<Message>) -> Self {
        Self { verdict: "error", messages, ..Self::blank(name) }
    }
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
    pub fn new(source: &Source, span: Span, comments: Comments) -> Self {
        let blank = comments.blanked(&source.text()[span.range()]);
        // Blanks are as many as what they replace, so places stay; before what is inside are blanks and brackets only.
        let before = blank.find(|sign: char| sign != '(' && !sign.is_whitespace()).unwrap_or(0);
        let n_kept = inside(&blank).find(|sign: char| sign != '(' && !sign.is_whitespace()).unwrap_or(0);
        let (line, column) = source.line_column(span.start + before.saturating_sub(n_kept));
        Self { text: written_text(source, span, comments), line, column }
    }
}

/// How comments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// In models: after `--`, and between `/--` and `--/`.
    Model,
    /// In formulas about systems: after `%` and after `//`.
    Formula,
}

impl Comments {
    /// The text with as many blanks in place of each comment as it has bytes. Names in quotation marks are no comments.
    fn blanked(self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(sign) = rest.chars().next() {
            let length = self.comment(rest);
            if length > 0 {
                shown.extend(std::iter::repeat_n(' ', length));
                rest = &rest[length..];
            } else {
                let length = if sign == '"' { quoted(rest) } else { word(rest).max(sign.len_utf8()) };
                shown.push_str(&rest[..length]);
                rest = &rest[length..];
            }
        }
        shown
    }

    /// How long the comment is with which the text begins.
    fn comment(self, text: &str) -> usize {
        let line = text.find('\n').unwrap_or(text.len());
        match self {
            Self::Model if text.starts_with("/--") => text[3..].find("--/").map_or(text.len(), |end| end + 6),
            Self::Model if text.starts_with("--") => line,
            Self::Formula if text.starts_with('%') || text.starts_with("//") => line,
            _ => 0,
        }
    }
}

/// How long the name in quotation marks is with which the text begins.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// How long the name is with which the text begins.
fn word(text: &str) -> usize {
    let is_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.find(|sign| !is_name(sign)).unwrap_or(text.len())
}

/// What stands at a place, on one line, without comments and without brackets around it.
pub fn written_text(source: &Source, span: Span, comments: Comments) -> String {
    let blank = comments.blanked(&source.text()[span.range()]);
    inside(&blank).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without blanks and brackets around it.
fn inside(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some(inside) = without_brackets(rest) {
        rest = inside.trim();
    }
    rest
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
        assert_eq!(written_text(&source, part, Comments::Model), "b & c");
        assert_eq!(written_text(&source, whole, Comments::Model), "AG (a | (b & c))");
        let placed = PlacedPart::new(&source, part, Comments::Model);
        assert_eq!((placed.line, placed.column), (3, 6), "where the text begins, not the bracket");
    }

    #[test]
    fn only_brackets_that_belong_together_are_taken_away() {
        let part = |text: &str| {
            let span = Span { start: 0, end: text.len() };
            PlacedPart::new(&Source::new("test", text), span, Comments::Model)
        };
        let text = |written: &str| part(written).text;
        assert_eq!(text("((a | b))"), "a | b");
        assert_eq!(text("(a) | (b)"), "(a) | (b)");
        assert_eq!(
            (part("( (a | b))").column, part("((a) | (b))").column, part("(a) | b").column),
            (4, 2, 1)
        );
    }

    #[test]
    fn comments_are_left_out_and_names_are_not() {
        let text = |text: &str, comments: Comments| {
            written_text(&Source::new("test", text), Span { start: 0, end: text.len() }, comments)
        };
        assert_eq!(text("(a | -- ä (\n /-- ) --/ b)", Comments::Model), "a | b");
        assert_eq!(text("(a || // (\n \"%--\" % x)\n)", Comments::Formula), "a || \"%--\"");
    }
}
