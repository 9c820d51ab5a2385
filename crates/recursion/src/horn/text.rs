//! Clauses as text: SMT-LIB with `(set-logic HORN)`, as solvers of Horn clauses read it.

use super::blocks::variables;
use super::smt::{name, sort, symbol, term};
use super::{Application, Clause, Horn, Relation, Special};
use std::fmt::Write;
use tertium_expr::Terms;
use tertium_program::Icfg;
use tertium_solve::HornRelation;
use tertium_support::Span;

impl Horn {
    /// The clauses, with a comment for each that says where it comes from. `place` names places of the source.
    pub fn text(&self, icfg: &Icfg, place: &dyn Fn(Span) -> String) -> String {
        let mut listed: Vec<usize> = self.of_point.values().copied().collect();
        listed.sort_unstable();
        Script { icfg, relations: &self.relations, listed: &listed, clauses: &self.clauses }.text(place)
    }

    /// A relation as the text calls it.
    pub(crate) fn named(icfg: &Icfg, relation: &Relation) -> HornRelation {
        HornRelation {
            name: symbol(&relation.name),
            sorts: relation.arguments.iter().map(|&own| sort(&icfg.terms.sort_of(own))).collect(),
            arguments: relation.arguments.clone(),
        }
    }
}

impl Special {
    /// The clauses.
    pub fn text(&self, icfg: &Icfg) -> String {
        let (relations, clauses) = (&self.relations, &self.clauses);
        Script { icfg, relations, listed: &self.left, clauses }.text(&|_| String::new())
    }
}

/// What a text is made of.
struct Script<'a> {
    icfg: &'a Icfg,
    relations: &'a [Relation],
    /// The relations that clauses speak of, by number.
    listed: &'a [usize],
    clauses: &'a [Clause],
}

impl Script<'_> {
    fn text(&self, place: &dyn Fn(Span) -> String) -> String {
        let icfg = self.icfg;
        let mut text = String::from("(set-logic HORN)\n");
        for of in self.listed.iter().map(|&number| &self.relations[number]) {
            let HornRelation { name, sorts, .. } = Horn::named(icfg, of);
            let names = of.arguments.iter().map(|&own| icfg.terms.name(own)).collect::<Vec<_>>().join(", ");
            let names = one_line(&names);
            let at = one_line(&place(icfg.point(of.point).span));
            let _ = write!(text, "\n; {}: {names}", if at.is_empty() { "somewhere" } else { &at });
            let _ = write!(text, "\n(declare-fun {name} ({}) Bool)", sorts.join(" "));
        }
        text.push('\n');
        for clause in self.clauses {
            let _ = write!(text, "\n; {}\n{}\n", one_line(&clause.note), self.clause(&icfg.terms, clause));
        }
        text.push_str("\n(check-sat)\n");
        text
    }

    fn clause(&self, terms: &Terms, clause: &Clause) -> String {
        let applied = |application: &Application| self.applied(terms, application);
        let mut body: Vec<String> = clause.body.iter().map(applied).collect();
        if terms.as_bool(clause.condition) != Some(true) {
            body.push(term(terms, clause.condition));
        }
        let body = match &body[..] {
            [] => "true".to_owned(),
            [only] => only.clone(),
            _ => format!("(and {})", body.join(" ")),
        };
        let head = clause.head.as_ref().map_or_else(|| "false".to_owned(), applied);
        let variables = variables(terms, clause);
        let implication = format!("(=> {body} {head})");
        if variables.is_empty() {
            return format!("(assert {implication})");
        }
        let bound = variables.iter();
        let bound = bound.map(|&own| format!("({} {})", name(terms, own), sort(&terms.sort_of(own))));
        format!("(assert (forall ({})\n  {implication}))", bound.collect::<Vec<_>>().join(" "))
    }

    fn applied(&self, terms: &Terms, application: &Application) -> String {
        let relation = symbol(&self.relations[application.relation].name);
        if application.values.is_empty() {
            return relation;
        }
        let values = application.values.iter().map(|&value| term(terms, value)).collect::<Vec<_>>();
        format!("({relation} {})", values.join(" "))
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
