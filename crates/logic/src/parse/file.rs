//! Files of formulas: one formula, or sections as in `.mcf` files, with any number of formulas that may have names.
//!
//! A file is only cut into its formulas here. Who reads them decides in which language they are, so that a file can hold formulas about
//! whatever model: a formula ends at a `;` behind which a section begins, or nothing. One pass.

use super::{MISTAKE_LIMIT, refuse::NO_DATA};
use crate::token::{TokenKind, Tokens, unquote};
use std::collections::BTreeMap;
use tertium_support::{Cursor, Diagnostic, Diagnostics, Source, Span};

/// A formula of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiledFormula {
    /// Its name.
    pub label: Option<String>,
    /// Its text, in which places are those of the file.
    pub source: Source,
}

/// The formulas of a text, at least one: the text itself, or those of its sections. Otherwise everything that is wrong with these.
pub fn formulas_of(source: &Source) -> Result<Vec<FiledFormula>, Diagnostics> {
    let cursor = Cursor::new(source.text(), 0, MISTAKE_LIMIT);
    let mut file = File { cursor, found: Vec::new(), labels: BTreeMap::new() };
    if !file.has_sections() {
        return Ok(vec![FiledFormula { label: None, source: source.clone() }]);
    }
    file.sections();
    if !file.cursor.complaints.is_empty() {
        return Err(file.cursor.complaints.into_list());
    }
    Ok(file
        .found
        .into_iter()
        .map(|(label, part)| FiledFormula { label, source: source.part(part) })
        .collect())
}

struct File<'a> {
    cursor: Cursor<'a, Tokens>,
    found: Vec<(Option<String>, Span)>,
    /// Where names stand.
    labels: BTreeMap<String, Span>,
}

const SECTIONS: [&str; 10] = ["form", "act", "sort", "cons", "map", "glob", "var", "eqn", "proc", "init"];

impl File<'_> {
    /// Whether the text is no formula as it stands. All words of sections can be names of propositions or variables too, but then no
    /// name follows them, and the text does not end with `;`.
    fn has_sections(&self) -> bool {
        let ends = || self.cursor.text().trim_end().ends_with(';');
        self.section().is_some() && (self.cursor.kind_after() == TokenKind::Name || ends())
    }

    /// The section that starts here.
    fn section(&self) -> Option<&'static str> {
        use TokenKind::{Name, Not, Number, OpenAngle, OpenBracket, OpenParen, Quoted};
        let follows = [Name, Not, Number, OpenAngle, OpenBracket, OpenParen, Quoted]
            .contains(&self.cursor.kind_after());
        SECTIONS.into_iter().find(|word| follows && self.cursor.is_at(TokenKind::Name, word))
    }

    fn sections(&mut self) {
        while let Some(word) = self.section() {
            let start = self.cursor.bump().span;
            match word {
                "form" => self.formula(),
                // Whether a system has an action, and with which arguments, is found out when it is checked.
                "act" => drop(self.rest_of_section()),
                _ => {
                    let end = self.rest_of_section();
                    let mistake =
                        Diagnostic::error(start.to(end), format!("the section `{word}` is not supported"));
                    self.cursor.complaints.push(mistake.with_note(NO_DATA));
                }
            }
        }
        const FORM: &str = "formulas are written `form f;` or `form name: f;`";
        if self.cursor.kind() != TokenKind::End {
            let mistake = self.cursor.expected("`form`, `act` or the end of the file");
            self.cursor.complaints.push(mistake.with_note(FORM));
        } else if self.found.is_empty() && self.cursor.complaints.is_empty() {
            let mistake = Diagnostic::error(self.cursor.span(), "there is no formula");
            self.cursor.complaints.push(mistake.with_note(FORM));
        }
    }

    /// What follows `form`.
    fn formula(&mut self) {
        let mut label = None;
        let label_span = self.cursor.span();
        if matches!(self.cursor.kind(), TokenKind::Name | TokenKind::Quoted)
            && self.cursor.kind_after() == TokenKind::Colon
        {
            let text = self.cursor.text_of(label_span);
            label =
                Some(if self.cursor.kind() == TokenKind::Quoted { unquote(text) } else { text.to_owned() });
            self.cursor.bump();
            self.cursor.bump();
        }
        if let Some(name) = &label
            && let Some(first) = self.labels.insert(name.clone(), label_span)
        {
            let mistake = Diagnostic::error(label_span, format!("another formula is called `{name}`"));
            self.cursor.complaints.push(mistake.with_related(first, "here"));
        }
        let start = self.cursor.start();
        let end = self.rest_of_section().start;
        self.found.push((label, Span::new(start, end)));
    }

    /// Skips to what follows the section, and gives the place of the `;` that ends it.
    fn rest_of_section(&mut self) -> Span {
        loop {
            let token = self.cursor.peek();
            if token.kind == TokenKind::End {
                let mistake = self.cursor.expected("`;` at the end of the section");
                self.cursor.complaints.push(mistake);
                return token.span;
            }
            self.cursor.bump();
            let is_over = || self.cursor.kind() == TokenKind::End || self.section().is_some();
            if token.kind == TokenKind::Semicolon && is_over() {
                return token.span;
            }
        }
    }
}
