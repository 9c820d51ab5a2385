//! Commands.

use super::{Bounds, Elaboration, Inside, Meaning, View};
use crate::formula::with_near;
use crate::model::{ModelCommand, UNNAMED_ACTION, Update};
use crate::syntax::{Alternative, Assignment, CommandTree, Name, ValueTree};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tertium_expr::{Sort, Term, Terms};
use tertium_program::{Domain, Input, Statement, Step, VarId};
use tertium_support::{Diagnostic, Id};

/// So many elements of one array are assigned at once: more would nest too deeply.
const MOST_ELEMENTS: usize = 100;

impl Elaboration<'_> {
    pub(super) fn command(&mut self, tree: &CommandTree, process: Option<&Inside>) {
        if let Some(action) = &tree.action {
            self.refuse_dots(action, "an action");
        }
        let guard = self.term(&tree.guard, process, &Sort::Bool);
        let alternatives: Vec<Option<Vec<Update>>> =
            tree.alternatives.iter().map(|alternative| self.updates(alternative, process)).collect();
        let alternatives: Option<Vec<Vec<Update>>> = alternatives.into_iter().collect();
        let action = tree.action.as_ref().map_or(UNNAMED_ACTION, |action| action.text.as_str());
        // Known also if something is wrong, so that formulas can mention it.
        self.model.names.actions.insert(action.to_owned());
        let Some((guard, alternatives)) = guard.zip(alternatives) else { return };
        let mut bounds = Bounds::new(&self.model.program);
        let choices = alternatives.iter().map(|updates| self.statement(&mut bounds, updates)).collect();
        let certainly = bounds.truth(guard).0;
        self.add(process, action, Statement::guarded(certainly, Statement::Choice(choices)), tree.span);
        self.model.commands.push(ModelCommand {
            action: action.to_owned(),
            guard,
            guard_span: tree.guard.span,
            alternatives,
        });
    }

    /// All at once: terms are about the state before, and inputs come last since nothing reads them. What is written or read at no
    /// index of an array blocks.
    fn statement(&self, bounds: &mut Bounds<'_>, updates: &[Update]) -> Statement {
        let (program, terms) = (&self.model.program, self.terms());
        let mut demands = Vec::new();
        let mut inputs = Vec::new();
        let mut taken = Step { guard: terms.boolean(true), inputs: Vec::new(), updates: BTreeMap::new() };
        for update in updates {
            let own = &program.variables()[update.variable.index()];
            demands.extend(update.read().map(|term| bounds.certain(term)));
            if update.indices.is_empty() {
                match &update.value {
                    Ok(term) => drop(taken.updates.insert(own.variable, *term)),
                    Err(domain) => inputs.push(Statement::Havoc(own.variable, domain.clone())),
                }
                continue;
            }
            let value = match &update.value {
                Ok(term) => *term,
                Err(domain) => {
                    let name = format!("{}_in", terms.name(own.variable));
                    let variable = terms.fresh(&name, &domain.sort());
                    demands.push(domain.contains(terms, terms.variable(variable)));
                    taken.inputs.push(Input { variable, domain: domain.clone() });
                    terms.variable(variable)
                }
            };
            let mut domain = &own.domain;
            for &at in &update.indices {
                let Domain::Array(index, element) = domain else { unreachable!("only arrays have elements") };
                demands.push(index.contains(terms, at));
                domain = element;
            }
            let array = taken.updates.entry(own.variable).or_insert_with(|| terms.variable(own.variable));
            *array = stored(terms, *array, &update.indices, value);
        }
        taken.guard = terms.and(demands);
        let first = match taken.inputs.is_empty() {
            true => Statement::guarded(taken.guard, Statement::Assign(taken.updates.into_iter().collect())),
            false => Statement::Step(taken),
        };
        Statement::Sequence([first].into_iter().chain(inputs).collect())
    }

    fn updates(&mut self, alternative: &Alternative, process: Option<&Inside>) -> Option<Vec<Update>> {
        let mut updates: Vec<Option<Update>> = Vec::new();
        let mut seen: FxHashMap<VarId, &Assignment> = FxHashMap::default();
        let mut n_elements: FxHashMap<VarId, usize> = FxHashMap::default();
        for assignment in alternative {
            if self.is_full() {
                return None;
            }
            let Some((variable, domain)) = self.target(assignment, process) else {
                updates.push(None);
                continue;
            };
            // Several elements of an array can be assigned at once.
            if let Some(first) = seen.insert(variable, assignment)
                && (first.indices.is_empty() || assignment.indices.is_empty())
            {
                let complaint = Diagnostic::error(
                    assignment.span,
                    format!("`{}` is assigned twice at once", assignment.target.text),
                );
                self.complain(complaint.with_related(first.span, "the first is here").with_note(
                    "the assignments of a command happen together; a choice is written `either … or …`",
                ));
                updates.push(None);
                continue;
            }
            if !assignment.indices.is_empty() {
                let n = n_elements.entry(variable).or_insert(0);
                *n += 1;
                if *n == MOST_ELEMENTS + 1 {
                    let message =
                        format!("at most {MOST_ELEMENTS} elements of an array are assigned at once");
                    self.complain(Diagnostic::error(assignment.span, message));
                    return None;
                }
            }
            updates.push(self.update(assignment, variable, &domain, process));
        }
        updates.into_iter().collect()
    }

    /// The assignment to a variable of this domain, or to an element of it.
    fn update(
        &mut self,
        assignment: &Assignment,
        variable: VarId,
        domain: &Domain,
        process: Option<&Inside>,
    ) -> Option<Update> {
        let mut domain = domain;
        let mut indices = Vec::new();
        for expression in &assignment.indices {
            let Domain::Array(index, element) = domain else {
                let message = format!("only arrays have elements; this is an index into {domain}");
                self.complain(Diagnostic::error(expression.span, message));
                return None;
            };
            indices.push(self.term(expression, process, &index.sort()));
            domain = element;
        }
        let value = self.value(assignment, domain, process);
        let indices = indices.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Update { variable, indices, value: value?, span: assignment.span })
    }

    fn value(
        &mut self,
        assignment: &Assignment,
        domain: &Domain,
        process: Option<&Inside>,
    ) -> Option<Result<Term, Domain>> {
        match &assignment.value {
            ValueTree::Expression(expression) => self.term(expression, process, &domain.sort()).map(Ok),
            ValueTree::Input(None) => Some(Err(domain.clone())),
            ValueTree::Input(Some((low, high))) => {
                let range = self.range(low, high, process)?;
                if domain.sort() != Sort::Int {
                    let message = format!(
                        "an input from a range is a number, but `{}` is {domain}",
                        assignment.target.text
                    );
                    self.complain(Diagnostic::error(low.span.to(high.span), message));
                    return None;
                }
                Some(Err(range))
            }
        }
    }

    /// The variable that is assigned.
    fn target(&mut self, assignment: &Assignment, process: Option<&Inside>) -> Option<(VarId, Domain)> {
        let name = &self.target_name(assignment, process)?;
        let view = View::inside(&self.model.names, process);
        let what = match view.find(&name.text).map(|known| known.meaning) {
            Some(Meaning::Variable(id, _)) => return Some((id, self.domains[id.index()].clone())),
            Some(Meaning::Value(_)) => "a constant",
            Some(Meaning::Proposition(_)) => "a proposition",
            None => {
                let complaint = Diagnostic::error(name.span, format!("there is no variable `{}`", name.text));
                let own = process.map(|inside| format!("{}.", inside.name));
                let known = self
                    .model
                    .names
                    .iter()
                    .filter(|(_, known)| matches!(known.meaning, Meaning::Variable(..)));
                let known = known.flat_map(|(full, _)| {
                    let short = own.as_ref().and_then(|own| full.strip_prefix(own.as_str()));
                    [Some(full), short].into_iter().flatten()
                });
                let complaint = with_near(complaint, &name.text, known);
                self.complain(complaint);
                return None;
            }
        };
        self.complain(Diagnostic::error(
            name.span,
            format!("`{}` is {what} and cannot be assigned", name.text),
        ));
        None
    }
}

impl Elaboration<'_> {
    /// The name of what is assigned, with the number of its process if that is chosen by an index.
    fn target_name(&mut self, assignment: &Assignment, process: Option<&Inside>) -> Option<Name> {
        let target = &assignment.target;
        let Some((index, member)) = &assignment.member else { return Some(target.clone()) };
        let term = self.term(index, process, &Sort::Int)?;
        let Some(number) = self.terms().as_value(term) else {
            let complaint = Diagnostic::error(index.span, "a process is chosen by a constant index");
            self.complain(complaint.with_note("an array can have an element for each process: `a[e] := …`"));
            return None;
        };
        Some(Name {
            text: format!("{}[{number}].{}", target.text, member.text),
            span: target.span.to(member.span),
        })
    }
}

/// An array with another element at the end of some indices.
fn stored(terms: &Terms, array: Term, indices: &[Term], value: Term) -> Term {
    let [at, inner @ ..] = indices else { return value };
    terms.store(array, *at, stored(terms, terms.select(array, *at), inner, value))
}
