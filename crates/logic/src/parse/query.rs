//! Queries: formulas with a placeholder `?`, or `?{p, q}` to name the propositions that it is about.
//!
//! The placeholder becomes a proposition with a name that the text does not use. It may occur several times, always about
//! the same propositions. Where the formula can have atoms of a language around it, so can the list.

use super::{Atoms, Parser, finish, missing};
use crate::token::{Token, TokenKind, unquote};
use crate::{Formula, FormulaKind};
use tertium_support::{Diagnostic, Diagnostics, Source, Span};

/// Propositions, with their places.
type Names = Vec<(String, Span)>;

/// A formula with a placeholder.
#[derive(Clone, Debug)]
pub struct Query {
    /// The formula; the placeholder is a proposition in it.
    pub formula: Formula,
    /// The name of that proposition.
    pub placeholder: String,
    /// Where the placeholder first stands.
    pub span: Span,
    /// The propositions that it is about, with their places; `None` for all that there are.
    pub propositions: Option<Vec<(String, Span)>>,
}

/// The placeholder as far as it was read.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    name: String,
    /// Where it first stands, and what it is about there.
    first: Option<(Span, Option<Names>)>,
}

/// Reads a query; as [`parse`](super::parse) otherwise.
pub fn parse_query(source: &Source) -> Result<Query, Diagnostics> {
    parse_query_with_atoms(source, &|_, _| None)
}

/// Reads a query where propositions can also be atoms of the language around; see [`parse_with_atoms`](super::parse_with_atoms).
pub fn parse_query_with_atoms(source: &Source, atoms: &Atoms<'_>) -> Result<Query, Diagnostics> {
    let mut name = "?".to_owned();
    while source.text().contains(&format!("\"{name}\"")) {
        name.push('?');
    }
    let mut parser = Parser::new(source.text(), 0, atoms);
    parser.placeholder = Some(Draft { name, first: None });
    let formula = parser.whole();
    let draft = parser.placeholder.take();
    let formula = finish(parser, formula)?;
    match draft {
        Some(Draft { name, first: Some((span, propositions)) }) => {
            Ok(Query { formula, placeholder: name, span, propositions })
        }
        _ => {
            let complaint =
                Diagnostic::error(formula.span, "there is nothing to find: a query has a placeholder");
            Err(vec![complaint.with_note("write `?` for all propositions, or `?{p, q}` for some")])
        }
    }
}

impl Parser<'_> {
    /// `?` with what it is about.
    pub(super) fn placeholder(&mut self) -> Formula {
        let start = self.cursor.bump();
        let names = if self.at_sign("{") { Some(self.names_in_braces()) } else { None };
        let span = self.cursor.since(start.span.start);
        let Some(draft) = &mut self.placeholder else {
            let mistake = Diagnostic::error(span, "the placeholder `?` belongs to queries");
            self.report(mistake.with_note("queries are answered by `tertium query`"));
            return missing(span);
        };
        let name = draft.name.clone();
        match &draft.first {
            None => draft.first = Some((span, names)),
            Some((first, known)) if !same(known.as_ref(), names.as_ref()) => {
                let message =
                    "a query has one placeholder: all its occurrences are about the same propositions";
                let mistake = Diagnostic::error(span, message).with_related(*first, "the first one");
                self.report(mistake);
            }
            Some(_) => {}
        }
        Formula { kind: FormulaKind::Proposition(name), span }
    }

    /// `{p, q}`
    fn names_in_braces(&mut self) -> Names {
        let open = self.cursor.bump().span;
        let mut names = Names::new();
        loop {
            let Token { kind, span } = self.cursor.peek();
            let (name, span) = match (self.atom(), kind) {
                (Some(end), _) => match self.proposition_up_to(end) {
                    Formula { kind: FormulaKind::Proposition(name), span } => (name, span),
                    _ => unreachable!("an atom is a proposition"),
                },
                (None, TokenKind::Name) => {
                    self.cursor.bump();
                    (self.cursor.text_of(span).to_owned(), span)
                }
                (None, TokenKind::Quoted) => {
                    self.cursor.bump();
                    (unquote(self.cursor.text_of(span)), span)
                }
                (None, _) => {
                    let mistake = self.cursor.expected("the name of a proposition");
                    self.report(mistake.with_related(open, "the brace opened here"));
                    break;
                }
            };
            // As in models, where lists may overlap, it is about each of them once.
            if !names.iter().any(|(other, _)| *other == name) {
                names.push((name, span));
            }
            if !self.cursor.eat(TokenKind::Comma) {
                break;
            }
        }
        if self.at_sign("}") {
            self.cursor.bump();
        } else {
            let mistake = self.cursor.expected("`,` or `}`").with_related(open, "the brace opened here");
            self.report(mistake);
        }
        names
    }

    /// Whether this character, which means nothing elsewhere, comes next.
    pub(super) fn at_sign(&self, sign: &str) -> bool {
        self.cursor.kind() == TokenKind::Unknown && self.cursor.word() == sign
    }
}

/// Whether two lists have the same names, in any order.
fn same(one: Option<&Names>, other: Option<&Names>) -> bool {
    let sorted = |names: &Names| {
        let mut names: Vec<String> = names.iter().map(|(name, _)| name.clone()).collect();
        names.sort_unstable();
        names
    };
    one.map(sorted) == other.map(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn query(text: &str) -> Result<Query, Diagnostics> {
        parse_query(&Source::new("<query>", text))
    }

    #[test]
    fn the_placeholder_is_a_proposition_with_a_name_of_its_own() {
        let found = query("EF (p && ?) -> [a]?").unwrap();
        assert_eq!((found.placeholder.as_str(), found.propositions), ("?", None));
        assert_eq!(found.formula.propositions().iter().filter(|(name, _)| *name == "?").count(), 2);
        let quoted = query("EF (\"?\" && ?{ q , \"in it\"})").unwrap();
        assert_eq!(quoted.placeholder, "??");
        let names: Vec<String> = quoted.propositions.unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["q", "in it"]);
        assert!(query("?{p, q} && ?{q, p}").is_ok());
        let twice = query("EF ?{p,p}").unwrap().propositions.unwrap();
        assert_eq!(twice.len(), 1, "{twice:?}");
    }

    #[test]
    fn atoms_of_a_language_around_stand_in_the_formula_and_in_the_list() {
        let atoms = |text: &str, at: usize| {
            let length = text[at..].find([',', '}', '&', ')']).unwrap_or(text.len() - at);
            let atom = text[at..at + length].trim_end();
            (atom.starts_with(char::is_alphabetic) && atom.contains(['=', '.'])).then_some(at + atom.len())
        };
        let source = Source::new("<query>", "EF (pc = done && ?{x, p.y , z  = 3,w})");
        let found = parse_query_with_atoms(&source, &atoms).unwrap();
        let names = |(name, span): &(String, Span)| {
            assert_eq!(source.text()[span.range()].replace("  ", " "), *name);
            name.clone()
        };
        let listed: Vec<String> = found.propositions.iter().flatten().map(names).collect();
        assert_eq!(listed, ["x", "p.y", "z = 3", "w"]);
        let all: Vec<&str> = found.formula.propositions().iter().map(|(name, _)| *name).collect();
        assert_eq!(all, ["pc = done", "?"]);
    }

    #[test]
    fn wrong_queries_are_complained_about_where_they_are_wrong() {
        for (text, at, what) in [
            ("EF p", 0, "nothing to find"),
            ("? && ?{p}", 5, "one placeholder"),
            ("EF ?{p", 6, "expected `,` or `}`"),
            ("EF ?{}", 5, "expected the name"),
            ("EF ? p", 5, "expected an operator"),
            ("mu X. !X || ?", 7, "not monotone"),
        ] {
            let complaints = query(text).unwrap_err();
            assert_eq!(complaints[0].span.start, at, "{text}: {complaints:?}");
            assert!(complaints[0].message.contains(what), "{text}: {complaints:?}");
        }
        let complaints = parse(&Source::new("test", "EF ?{p}")).unwrap_err();
        assert!(complaints.len() == 1 && complaints[0].message.contains("belongs to queries"));
    }
}
