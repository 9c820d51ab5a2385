//! What is wrong with an input, where, and what was expected: collected, several at once, shown with the line.
//!
//! Messages are lower case, name the thing, and say what was expected. [`render`] is the only place that lays them
//! out; it looks at the lines around each span only, so that a mistake in a very large file costs nothing extra.

use crate::plain::message as told;
use crate::{Source, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but is perhaps not what was meant.
    Warning,
    /// The input is used as it is meant, and this is good to know. It takes one line.
    Note,
}

/// One located complaint about an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where it is.
    pub span: Span,
    /// What is wrong, lower case, without a full stop.
    pub message: String,
    /// Further places that matter, with a word on each.
    pub related: Vec<(Span, String)>,
    /// What was expected, or what to do.
    pub notes: Vec<String>,
}

/// The complaints about one input, in order of discovery. Invariant of every front end: a result of `Err` holds at
/// least one error.
pub type Diagnostics = Vec<Diagnostic>;

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            span,
            message: told(message.into()),
            related: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Something that is good to know. The message says where it is; the span is for programs.
    pub fn remark(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(span, message) }
    }

    /// The same with a further note.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(told(note.into()));
        self
    }

    /// The same with a further place that matters.
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, told(label.into())));
        self
    }
}

/// How many complaints are shown before the rest is only counted.
const SHOWN: usize = 20;
/// Longer lines are cut to a window around the span: nobody reads a megabyte of one line in a terminal.
const WINDOW: usize = 160;

/// Lays out complaints about one source as text, with colours or without.
pub fn render(source: &Source, diagnostics: &[Diagnostic], colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(SHOWN) {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => {
                let text = format!("{}: {}", source.name(), diagnostic.message);
                let title = Level::NOTE.primary_title(text.as_str());
                out.push_str(&renderer.render(&[Group::with_title(title)]));
                out.push('\n');
                continue;
            }
        };
        // Places that are in sight of the complaint are marked in the same lines, the others get their own.
        let window = window(source, diagnostic.span);
        let (near, far): (Vec<_>, Vec<_>) = diagnostic
            .related
            .iter()
            .partition(|(span, _)| window.start <= span.start && span.start < window.end);
        let mut group = level.primary_title(diagnostic.message.as_str()).element(snippet(
            source,
            diagnostic.span,
            None,
            &near,
        ));
        for (span, label) in far {
            group = group.element(snippet(source, *span, Some(label), &[]));
        }
        let (_, column) = source.line_column(diagnostic.span.start);
        let cut = format!("the line is long and shown in part; this is column {column}");
        if column > WINDOW {
            group = group.element(Level::HELP.message(cut.as_str()));
        }
        for note in &diagnostic.notes {
            group = group.element(Level::HELP.message(note.as_str()));
        }
        out.push_str(&renderer.render(&[group]));
        out.push('\n');
    }
    if diagnostics.len() > SHOWN {
        out.push_str(&format!("… and {} more\n", diagnostics.len() - SHOWN));
    }
    out
}

/// The line that holds the start of `span`, or as much of it as is shown.
fn window(source: &Source, span: Span) -> Range<usize> {
    let text = source.text();
    let start = source.floor(span.start);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let from = if start - line_start > WINDOW { source.floor(start - WINDOW / 2) } else { line_start };
    let to = if line_end - start > WINDOW { source.floor(start + WINDOW) } else { line_end };
    from..to
}

/// The window of `span`, with `span` marked, and the places `near` it.
fn snippet<'a>(
    source: &'a Source,
    span: Span,
    label: Option<&'a str>,
    near: &[&'a (Span, String)],
) -> Snippet<'a, Annotation<'a>> {
    let window = window(source, span);
    let place = |span: Span| {
        let start = source.floor(span.start).clamp(window.start, window.end);
        let end = source.floor(span.end).clamp(start, window.end);
        start - window.start..end - window.start
    };
    let line = source.line(source.floor(span.start));
    let marker = AnnotationKind::Primary.span(place(span));
    let marker = match label {
        Some(label) => marker.label(label),
        None => marker,
    };
    let mut snippet = Snippet::source(&source.text()[window.clone()])
        .line_start(line)
        .path(source.name())
        .annotation(marker);
    for (span, label) in near {
        snippet = snippet.annotation(AnnotationKind::Context.span(place(*span)).label(label.as_str()));
    }
    snippet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_shows_file_line_column_text_and_note() {
        let source = Source::new("m.pts", "state a;\nstate a;\n");
        let shown = render(
            &source,
            &[Diagnostic::error(Span::new(15, 16), "duplicate state `a`").with_note("the first is here")],
            false,
        );
        assert!(shown.contains("error: duplicate state `a`"), "{shown}");
        assert!(shown.contains("m.pts:2:7"), "{shown}");
        assert!(shown.contains("state a;"), "{shown}");
        assert!(shown.contains("help: the first is here"), "{shown}");
    }

    #[test]
    fn a_remark_takes_one_line() {
        let source = Source::new("t.yml", "a: 1\nb: 2\n");
        let remark = Diagnostic::remark(Span::new(5, 6), "`b` is passed over (line 2)");
        assert_eq!(render(&source, &[remark], false), "note: t.yml: `b` is passed over (line 2)\n");
    }

    #[test]
    fn related_places_in_the_same_line_are_marked_there() {
        let source = Source::new("f", "mu X. !X\nother");
        let complaint = Diagnostic::error(Span::new(7, 8), "odd")
            .with_related(Span::new(0, 4), "bound here")
            .with_related(Span::new(9, 14), "elsewhere");
        let shown = render(&source, &[complaint], false);
        assert_eq!(shown.matches("mu X. !X").count(), 1, "{shown}");
        assert!(shown.contains("bound here") && shown.contains("elsewhere"), "{shown}");
    }

    #[test]
    fn spans_outside_the_text_and_endless_lines_do_no_harm() {
        let source = Source::new("x", "μ".repeat(5000));
        for (start, end) in [(0, 9999), (5001, 5002), (20_000, 30_000)] {
            let shown = render(&source, &[Diagnostic::error(Span::new(start, end), "bad")], false);
            assert!(shown.len() < 3000, "{}", shown.len());
        }
        render(&Source::new("x", ""), &[Diagnostic::error(Span::new(0, 0), "empty")], false);
    }

    #[test]
    fn many_complaints_are_counted_not_all_shown() {
        let source = Source::new("x", "a");
        let many = vec![Diagnostic::error(Span::new(0, 1), "bad"); 50];
        assert!(render(&source, &many, false).contains("… and 30 more"));
    }
}
