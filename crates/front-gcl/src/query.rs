//! Queries: formulas with a placeholder that is about variables and truth values of a program.
//!
//! `?` is about all variables. In `?{x, both, y > 3}` stand variables, named propositions, and whatever else can be a
//! proposition of a formula.

use crate::Model;
use crate::elaborate::Meaning;
use crate::formula::{atom, atom_end, meanings};
use indexmap::IndexMap;
use tertium_expr::Term;
use tertium_logic::{Formula, parse_query_with_atoms};
use tertium_program::VarId;
use tertium_support::{Diagnostic, Diagnostics, Id, Source, Span};

/// A query and the meaning of its propositions.
#[derive(Clone, Debug)]
pub struct ResolvedQuery {
    /// The formula; the placeholder is a proposition in it.
    pub formula: Formula,
    /// The name of that proposition.
    pub placeholder: String,
    /// What each other proposition means, in the order of first occurrence.
    pub atoms: IndexMap<String, Term>,
    /// What the placeholder is about.
    pub subjects: Vec<Subject>,
}

/// Something that the placeholder is about.
#[derive(Clone, Debug)]
pub struct Subject {
    /// As it is shown.
    pub name: String,
    /// What it is.
    pub kind: SubjectKind,
    /// Where it stands in the query; for all variables the place of the placeholder.
    pub span: Span,
}

/// What the placeholder can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    /// A variable.
    Variable(VarId),
    /// A truth value.
    Truth(Term),
}

impl Model {
    /// Reads a query about this model.
    pub fn query(&self, source: &Source) -> Result<ResolvedQuery, Diagnostics> {
        let query = parse_query_with_atoms(source, &atom_end)?;
        let terms = &self.program.terms;
        let mut complaints = Vec::new();
        let atoms = meanings(terms, &self.names, source, &query.formula, Some(&query.placeholder));
        let atoms = atoms.unwrap_or_else(|found| {
            complaints.extend(found);
            IndexMap::new()
        });
        let mut subjects = Vec::new();
        match &query.propositions {
            None => subjects.extend(self.all_variables(query.span)),
            Some(listed) => {
                for (name, span) in listed {
                    match self.subject(source, name, *span) {
                        Ok(kind) => subjects.push(Subject { name: name.clone(), kind, span: *span }),
                        Err(found) => complaints.extend(found),
                    }
                }
            }
        }
        if subjects.is_empty() && complaints.is_empty() {
            complaints
                .push(Diagnostic::error(query.span, "the model has no variables that `?` could be about"));
        }
        if !complaints.is_empty() {
            return Err(complaints);
        }
        Ok(ResolvedQuery { formula: query.formula, placeholder: query.placeholder, atoms, subjects })
    }

    fn all_variables(&self, span: Span) -> impl Iterator<Item = Subject> {
        let program = &self.program;
        VarId::first(program.variables().len()).map(move |id| {
            let name = program.terms.name(program.variables()[id.index()].variable);
            Subject { name, kind: SubjectKind::Variable(id), span }
        })
    }

    fn subject(&self, source: &Source, name: &str, span: Span) -> Result<SubjectKind, Diagnostics> {
        if let Some(Meaning::Variable(id, _)) = self.names.get(name).map(|known| known.meaning) {
            return Ok(SubjectKind::Variable(id));
        }
        atom(&self.program.terms, &self.names, source, name, span).map(SubjectKind::Truth)
    }
}
