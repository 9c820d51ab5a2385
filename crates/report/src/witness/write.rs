//! The writer of witnesses: block style, every text in double quotes, keys in the order of the format.
//!
//! The same witness gives the same text, byte for byte.

use super::digest::uuid_of;
use super::{
    InvariantKind, Segment, Way, Waypoint, WaypointKind, Witness, WitnessContent, WitnessInvariant,
    WitnessLocation,
};
use std::fmt::Write;
use tertium_support::is_unprintable;

/// When witnesses were made of which nobody says so.
const NO_TIME: &str = "1970-01-01T00:00:00Z";

/// The text of a witness: a file with one entry.
pub fn write_witness(witness: &Witness) -> String {
    let about = about(witness);
    let content = content(&witness.content);
    let task = &witness.task;
    let uuid = task.uuid.clone().unwrap_or_else(|| uuid_of(format!("{about}{content}").as_bytes()));
    let mut page = Page::default();
    page.line(0, "- entry_type", entry_type(&witness.content));
    page.open(1, "metadata");
    page.line(2, "format_version", format_version(&witness.content));
    page.line(2, "uuid", &uuid);
    page.line(2, "creation_time", task.creation_time.as_deref().unwrap_or(NO_TIME));
    page.open(2, "producer");
    page.line(3, "name", &task.producer);
    page.line(3, "version", &task.version);
    page.0.push_str(&about);
    page.0.push_str(&content);
    page.0
}

fn entry_type(content: &WitnessContent) -> &'static str {
    match content {
        WitnessContent::Violation(_) => "violation_sequence",
        WitnessContent::Correctness(_) => "invariant_set",
    }
}

/// Cycles came with 2.1.
fn format_version(content: &WitnessContent) -> &'static str {
    match content {
        WitnessContent::Violation(segments) if segments.iter().any(|segment| segment.is_cycle) => "2.1",
        _ => "2.0",
    }
}

/// The task.
fn about(witness: &Witness) -> String {
    let task = &witness.task;
    let mut page = Page::default();
    page.open(2, "task");
    if task.input_files.is_empty() {
        page.bare(3, "input_files", "[]");
        page.bare(3, "input_file_hashes", "{}");
    } else {
        page.open(3, "input_files");
        for file in &task.input_files {
            page.item(4, &file.name);
        }
        page.open(3, "input_file_hashes");
        for file in &task.input_files {
            page.line(4, &quoted(&file.name), &file.sha256);
        }
    }
    page.line(3, "specification", &task.specification);
    page.line(3, "data_model", task.data_model.name());
    page.line(3, "language", "C");
    page.0
}

fn content(content: &WitnessContent) -> String {
    let mut page = Page::default();
    match content {
        WitnessContent::Violation(segments) if !segments.is_empty() => {
            page.open(1, "content");
            segments.iter().for_each(|segment| page.segment(segment));
        }
        WitnessContent::Correctness(invariants) if !invariants.is_empty() => {
            page.open(1, "content");
            invariants.iter().for_each(|invariant| page.invariant(invariant));
        }
        _ => page.bare(1, "content", "[]"),
    }
    page.0
}

/// Lines at levels of two blanks each.
#[derive(Default)]
struct Page(String);

impl Page {
    /// A key with a text.
    fn line(&mut self, level: usize, key: &str, text: &str) {
        self.bare(level, key, &quoted(text));
    }

    /// A key with something that needs no quotes.
    fn bare(&mut self, level: usize, key: &str, value: &str) {
        writeln!(self.0, "{}{key}: {value}", "  ".repeat(level)).expect("texts take all that is written");
    }

    /// A key with what follows below.
    fn open(&mut self, level: usize, key: &str) {
        writeln!(self.0, "{}{key}:", "  ".repeat(level)).expect("texts take all that is written");
    }

    fn item(&mut self, level: usize, text: &str) {
        writeln!(self.0, "{}- {}", "  ".repeat(level), quoted(text)).expect("texts take all that is written");
    }

    fn segment(&mut self, segment: &Segment) {
        self.open(2, "- segment");
        segment.avoid.iter().for_each(|waypoint| self.waypoint(waypoint, "avoid"));
        self.waypoint(&segment.last, if segment.is_cycle { "cycle" } else { "follow" });
    }

    fn waypoint(&mut self, waypoint: &Waypoint, action: &str) {
        let (kind, constraint, format) = match &waypoint.kind {
            WaypointKind::Assumption(expression) => ("assumption", Some(expression.clone()), true),
            WaypointKind::Branching(Way::Condition(value)) => ("branching", Some(value.to_string()), false),
            WaypointKind::Branching(Way::Case(value)) => ("branching", Some(value.clone()), false),
            WaypointKind::FunctionEnter => ("function_enter", None, false),
            WaypointKind::FunctionReturn(expression) => ("function_return", expression.clone(), true),
            WaypointKind::Target => ("target", None, false),
        };
        self.open(4, "- waypoint");
        self.line(6, "type", kind);
        self.line(6, "action", action);
        if let Some(value) = constraint {
            self.open(6, "constraint");
            self.line(7, "value", &value);
            if format {
                let language = if kind == "function_return" { "ext_c_expression" } else { "c_expression" };
                self.line(7, "format", language);
            }
        }
        self.location(6, &waypoint.location);
    }

    fn location(&mut self, level: usize, location: &WitnessLocation) {
        self.open(level, "location");
        self.line(level + 1, "file_name", &location.file_name);
        self.bare(level + 1, "line", &location.line.to_string());
        if let Some(column) = location.column {
            self.bare(level + 1, "column", &column.to_string());
        }
        if let Some(function) = &location.function {
            self.line(level + 1, "function", function);
        }
    }

    fn invariant(&mut self, invariant: &WitnessInvariant) {
        self.open(2, "- invariant");
        let kind = match invariant.kind {
            InvariantKind::Loop => "loop_invariant",
            InvariantKind::Location => "location_invariant",
        };
        self.line(4, "type", kind);
        self.location(4, &invariant.location);
        self.line(4, "value", &invariant.value);
        self.line(4, "format", "c_expression");
    }
}

/// A text in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || is_unprintable(c) => {
                write!(out, "\\U{:08x}", u32::from(c)).expect("texts take all that is written");
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
