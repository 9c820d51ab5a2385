//! Queries: CTL formulas with a placeholder, and the variables that the placeholder is about.
//!
//! `?` asks about all variables of states, `?{a, b}` about these; an array or an instance of a module stands for all variables
//! inside. The placeholder may occur several times, each time about the same variables: it stands for one unknown. In the
//! formula it is a proposition with a name that no expression has. Nowhere but in a query has it a meaning.

use super::instance::Entry;
use super::resolve::{Place, STEPS};
use super::{Elaborator, InstanceId};
use crate::syntax::parse_property;
use crate::syntax::tree::Expr as Tree;
use crate::{FlatModel, Specification, SpecificationKind, VarId, VarKind};
use tertium_support::{Diagnostic, Id, Severity, Source, Span};

/// A formula with a placeholder.
#[derive(Clone, Debug)]
pub struct Query {
    /// The formula, of CTL; the placeholder is a proposition that is not among its atoms.
    pub specification: Specification,
    /// The name of that proposition.
    pub placeholder: String,
    /// The variables that the placeholder is about: of states, each once, in the order in which they were written.
    pub variables: Vec<VarId>,
}

/// The placeholder of the query that is being read.
#[derive(Debug, Default)]
pub(super) struct Placeholder {
    found: Option<Found>,
}

#[derive(Debug)]
struct Found {
    name: String,
    variables: Vec<VarId>,
    span: Span,
}

/// Reads a query in the context of `main`. Places in what is wrong belong to the text of the query.
pub fn read_query(model: &FlatModel, source: &Source) -> Result<Query, Vec<Diagnostic>> {
    let tree = parse_property(source.text())?;
    let mut elaborator = Elaborator::of_model(model);
    elaborator.placeholder = Some(Placeholder::default());
    let specification = elaborator.specification(InstanceId::new(0), &tree);
    let found = elaborator.placeholder.take().and_then(|placeholder| placeholder.found);
    let mut errors = elaborator.diagnostics;
    errors.retain(|diagnostic| diagnostic.severity == Severity::Error);
    let Some(specification) = specification.filter(|_| errors.is_empty()) else { return Err(errors) };
    if !matches!(specification.kind, SpecificationKind::Ctl(_)) {
        return Err(vec![Diagnostic::error(tree.span, "queries are formulas of CTL")]);
    }
    match found {
        Some(Found { name, variables, .. }) => Ok(Query { specification, placeholder: name, variables }),
        None => {
            let complaint =
                Diagnostic::error(tree.span, "there is nothing to find: a query has a placeholder");
            Err(vec![complaint.with_note("write `?` for all variables, or `?{a, b}` for some")])
        }
    }
}

impl Elaborator<'_> {
    /// The name of the proposition that a placeholder is, if it may stand here.
    pub(super) fn placeholder(
        &mut self,
        scope: InstanceId,
        names: Option<&[Tree]>,
        span: Span,
    ) -> Option<String> {
        if self.placeholder.is_none() {
            return self.misplaced_placeholder(span);
        }
        let variables = match names {
            None => self.state_variables(|_| true),
            Some(names) => self.named_variables(scope, names)?,
        };
        if variables.is_empty() {
            return self.refuse(Diagnostic::error(span, "there is no variable of states here"));
        }
        let set = |variables: &[VarId]| {
            let mut sorted = variables.to_vec();
            sorted.sort_unstable();
            sorted
        };
        let known = self.placeholder.as_ref().and_then(|placeholder| placeholder.found.as_ref());
        if let Some(first) = known {
            if set(&first.variables) == set(&variables) {
                return Some(first.name.clone());
            }
            let message = "a query has one placeholder: all its occurrences are about the same variables";
            let complaint = Diagnostic::error(span, message);
            let related = first.span;
            return self.refuse(complaint.with_related(related, "the first one"));
        }
        let names_of = |id: &VarId| self.variables[id.index()].name.as_str();
        let name = match names {
            None => "?".to_owned(),
            Some(_) => format!("?{{{}}}", variables.iter().map(names_of).collect::<Vec<_>>().join(", ")),
        };
        self.placeholder = Some(Placeholder { found: Some(Found { name: name.clone(), variables, span }) });
        Some(name)
    }

    /// Complains about a placeholder where none can be.
    pub(super) fn misplaced_placeholder<T>(&mut self, span: Span) -> Option<T> {
        let (message, note) = if self.placeholder.is_some() {
            let note = "it stands below temporal operators and ! & | xor xnor -> <->, like a truth value";
            ("the placeholder `?` cannot stand inside of an expression", note)
        } else {
            (
                "the placeholder `?` belongs to queries",
                "`tertium query FILE 'EF ?'` asks what can stand for it",
            )
        };
        self.refuse(Diagnostic::error(span, message).with_note(note))
    }

    fn state_variables(&self, wanted: impl Fn(&str) -> bool) -> Vec<VarId> {
        let is_wanted = |id: &VarId| {
            let variable = &self.variables[id.index()];
            variable.kind != VarKind::Input && wanted(&variable.name)
        };
        VarId::first(self.variables.len()).filter(is_wanted).collect()
    }

    fn named_variables(&mut self, scope: InstanceId, names: &[Tree]) -> Option<Vec<VarId>> {
        let mut all: Vec<VarId> = Vec::new();
        let mut complete = true;
        for name in names {
            let found = self.resolve(scope, name).and_then(|place| self.variables_at(place, name.span));
            complete &= found.is_some();
            for id in found.unwrap_or_default() {
                if !all.contains(&id) {
                    all.push(id);
                }
            }
        }
        complete.then_some(all)
    }

    fn variables_at(&mut self, place: Place<'_>, span: Span) -> Option<Vec<VarId>> {
        match place {
            Place::Variable(id) if self.variables[id.index()].kind == VarKind::Input => {
                let message = "the placeholder is about states, and inputs belong to steps";
                self.refuse(Diagnostic::error(span, message))
            }
            Place::Variable(id) => Some(vec![id]),
            Place::Instance(instance) => {
                let path = self.instances[instance.index()].path.clone();
                let inside = |name: &str| {
                    path.is_empty()
                        || name.strip_prefix(&path).is_some_and(|rest| rest.starts_with(['.', '[']))
                };
                Some(self.state_variables(inside))
            }
            Place::Array(_, elements) => {
                let mut all = Vec::new();
                for element in elements.iter() {
                    let place = match element {
                        Entry::Variable(id) => Place::Variable(*id),
                        Entry::Array(low, inner) => Place::Array(*low, inner.clone()),
                        Entry::Instance(id) => Place::Instance(*id),
                        Entry::Definition(id) => Place::Definition(*id),
                        Entry::Parameter(actual, caller) => {
                            let place = self.resolve_within(*caller, actual, STEPS)?;
                            all.extend(self.variables_at(place, span)?);
                            continue;
                        }
                    };
                    all.extend(self.variables_at(place, span)?);
                }
                Some(all)
            }
            Place::Beginning(full) => {
                let inside =
                    |name: &str| name.strip_prefix(&full).is_some_and(|rest| rest.starts_with(['.', '[']));
                Some(self.state_variables(inside))
            }
            Place::Definition(_) | Place::Constant(_) | Place::Running(_) | Place::Select(..) => {
                let complaint =
                    Diagnostic::error(span, "the placeholder is about variables, and this is none");
                self.refuse(complaint.with_note("definitions and constants follow from the variables"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    const MODEL: &str = "MODULE cell\nVAR x : 0..2; on : boolean;\n\
        MODULE main\nVAR a : boolean; b : boolean; c : cell; row : array 0..1 of boolean;\nIVAR i : boolean;\nDEFINE d := a & b;\n";

    fn query(text: &str) -> Result<(String, Vec<String>), Vec<String>> {
        let (model, _) = read(Source::new("m.smv", MODEL)).expect("the model is right");
        let found = read_query(&model, &Source::new("<query>", text));
        let found =
            found.map_err(|errors| errors.into_iter().map(|error| error.message).collect::<Vec<_>>())?;
        let names = found.variables.iter().map(|id| model.variables[id.index()].name.clone()).collect();
        Ok((found.specification.text, names))
    }

    #[test]
    fn a_placeholder_is_about_all_variables_of_states_or_about_those_that_are_named() {
        let (text, all) = query("EF AG ?").expect("a query");
        assert_eq!(text, "EF (AG ?)");
        assert_eq!(all, ["a", "b", "c.x", "c.on", "row[0]", "row[1]"]);
        let (text, some) = query("EF AG ?{b, c, row, a, b}").expect("a query");
        assert_eq!(some, ["b", "c.x", "c.on", "row[0]", "row[1]", "a"]);
        assert_eq!(text, "EF (AG ?{b, c.x, c.on, row[0], row[1], a})");
    }

    #[test]
    fn occurrences_are_one_placeholder_and_the_choice_operator_stays() {
        let (text, _) = query("EF (?{a, b} & AX ?{b, a})").expect("a query");
        assert_eq!(text, "EF (?{a, b} & AX ?{a, b})");
        query("EF ((a ? b : !b) & !?)").expect("both kinds of `?`");
        query("EBF 0..2 ?{a} | E [! ? {a} U ?{a}]").expect("below every operator");
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        for (wrong, why) in [
            ("EF a", "nothing to find"),
            ("EF ?{d}", "this is none"),
            ("EF ?{i}", "inputs belong to steps"),
            ("EF ?{nobody}", "not declared"),
            ("EF (?{a} & ?{b})", "one placeholder"),
            ("EF (?{a} & ?)", "one placeholder"),
            ("EF (? = a)", "inside of an expression"),
            ("EF ((a ? ? : b) = b)", "inside of an expression"),
            ("F ?", "inside of an expression"),
            ("EF ?{}", "name"),
        ] {
            let errors = query(wrong).expect_err(wrong);
            assert!(errors.iter().any(|error| error.contains(why)), "{wrong}: {errors:?}");
        }
    }

    #[test]
    fn a_placeholder_in_a_model_is_refused() {
        for wrong in ["SPEC EF ?", "DEFINE e := ?;", "INVARSPEC ?{a}", "LTLSPEC F ?", "INIT ?"] {
            let errors = read(Source::new("m.smv", format!("{MODEL}{wrong}\n"))).expect_err(wrong);
            assert!(
                errors.iter().any(|error| error.message.contains("belongs to queries")),
                "{wrong}: {errors:?}"
            );
        }
    }
}
