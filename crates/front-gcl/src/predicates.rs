//! Predicates over the variables of a model, in a text of their own.
//!
//! ```text
//! x <= y + 1;
//! x = 0 at pc = A, pc = B;
//! ```
//!
//! Each is a truth value, followed by `;`. Behind the word `at` stand the locations where it counts, separated by commas: a
//! control variable with one of its values. Without them it counts everywhere.

use crate::Model;
use crate::elaborate::{View, forbidden};
use tertium_expr::{Sort, Term, name_length};
use tertium_program::{LocId, pinned};
use tertium_support::{Diagnostic, Diagnostics, Source, Span};

/// What locations stand behind.
const AT: &str = "at";

impl Model {
    /// Reads predicates, each with the locations where it counts.
    pub fn predicates(&self, source: &Source) -> Result<Vec<(Term, Vec<LocId>)>, Diagnostics> {
        let text = source.text();
        let mut reader = Reader { model: self, text, at: skip_blanks(text, 0), complaints: Vec::new() };
        let mut predicates = Vec::new();
        while reader.at < text.len() {
            let Some((term, locations)) = reader.predicate() else { break };
            predicates.extend(term.map(|term| (term, locations)));
        }
        if reader.complaints.is_empty() { Ok(predicates) } else { Err(reader.complaints) }
    }

    /// The location that a condition describes.
    fn location(&self, condition: Term) -> Option<LocId> {
        let (variable, value) = pinned(&self.program.terms, condition)?;
        self.program.locations().find(&self.program, self.program.id_of(variable)?, &value)
    }
}

struct Reader<'m> {
    model: &'m Model,
    text: &'m str,
    /// The next character that is no blank.
    at: usize,
    complaints: Diagnostics,
}

impl Reader<'_> {
    /// A predicate with its locations and the `;`. Nothing if what is written is none, so that it is not known where the next one begins;
    /// no term if it means nothing.
    fn predicate(&mut self) -> Option<(Option<Term>, Vec<LocId>)> {
        let term = self.truth()?;
        let mut locations = Vec::new();
        if self.text[self.at..self.at + name_length(&self.text[self.at..])] == *AT {
            self.skip(AT.len());
            locations.extend(self.location()?);
            while self.text[self.at..].starts_with(',') {
                self.skip(1);
                locations.extend(self.location()?);
            }
        } else {
            locations.push(LocId::ANYWHERE);
        }
        if self.text[self.at..].starts_with(';') {
            self.skip(1);
            return Some((term, locations));
        }
        let next = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        let here = Span::new(self.at, self.at + next);
        self.complaints.push(Diagnostic::error(here, "expected `;` after a predicate"));
        None
    }

    /// A location, if what is written is one of the program.
    fn location(&mut self) -> Option<Option<LocId>> {
        let start = self.at;
        let Some(condition) = self.truth()? else { return Some(None) };
        let location = self.model.location(condition);
        if location.is_none() {
            let here = Span::new(start, start + self.text[start..self.at].trim_end().len());
            let message =
                "expected a location: a control variable that guards ask for, with one of its values";
            self.complaints.push(Diagnostic::error(here, message));
        }
        Some(location)
    }

    /// A truth value, if what is written is one.
    fn truth(&mut self) -> Option<Option<Term>> {
        let read = tertium_expr::read(self.text, self.at);
        let (expression, end) = read.map_err(|complaint| self.complaints.push(*complaint)).ok()?;
        self.at = skip_blanks(self.text, end);
        let view = View::outside(&self.model.names);
        let lowered = forbidden(&expression, &view)
            .and_then(|()| expression.lower_to(&self.model.program.terms, &view, &Sort::Bool));
        Some(lowered.map_err(|found| self.complaints.extend(found)).ok())
    }

    /// Past so many bytes, and blanks.
    fn skip(&mut self, n: usize) {
        self.at = skip_blanks(self.text, self.at + n);
    }
}

/// Past blanks and comments.
fn skip_blanks(text: &str, at: usize) -> usize {
    tertium_support::skip_blanks(text, at, char::is_whitespace, &["//"])
}
