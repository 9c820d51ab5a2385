//! Commands.

use super::{Elaboration, Meaning, View};
use crate::formula::with_near;
use crate::model::{ModelCommand, UNNAMED_ACTION, Update};
use crate::syntax::{Alternative, Assignment, CommandTree, Name, ValueTree};
use tertium_expr::Sort;
use tertium_program::{Domain, Statement, VarId};
use tertium_support::{Diagnostic, Id};

impl Elaboration<'_> {
    pub(super) fn command(&mut self, tree: &CommandTree, process: Option<&str>) {
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
        let choices = alternatives.iter().map(|updates| self.statement(updates)).collect();
        self.add(action, Statement::guarded(guard, Statement::Choice(choices)), tree.span);
        self.model.commands.push(ModelCommand {
            process: process.map(str::to_owned),
            action: action.to_owned(),
            guard,
            guard_span: tree.guard.span,
            alternatives,
        });
    }

    /// All at once: terms are about the state before, and inputs come last since nothing reads them.
    fn statement(&self, updates: &[Update]) -> Statement {
        let variables = self.model.program.variables();
        let variable = |update: &Update| variables[update.variable.index()].variable;
        let assigned =
            updates.iter().filter_map(|update| Some((variable(update), *update.value.as_ref().ok()?)));
        let inputs = updates.iter().filter_map(|update| {
            Some(Statement::Havoc(variable(update), update.value.as_ref().err()?.clone()))
        });
        let assigned = Statement::Assign(assigned.collect());
        Statement::Sequence([assigned].into_iter().chain(inputs).collect())
    }

    fn updates(&mut self, alternative: &Alternative, process: Option<&str>) -> Option<Vec<Update>> {
        let mut updates: Vec<Option<Update>> = Vec::new();
        let mut seen: rustc_hash::FxHashMap<VarId, &Assignment> = rustc_hash::FxHashMap::default();
        for assignment in alternative {
            if self.is_full() {
                return None;
            }
            let Some((variable, domain)) = self.target(&assignment.target, process) else {
                updates.push(None);
                continue;
            };
            if let Some(first) = seen.insert(variable, assignment) {
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
            let value = self.value(assignment, &domain, process);
            updates.push(value.map(|value| Update { variable, value, span: assignment.span }));
        }
        updates.into_iter().collect()
    }

    fn value(
        &mut self,
        assignment: &Assignment,
        domain: &Domain,
        process: Option<&str>,
    ) -> Option<Result<tertium_expr::Term, Domain>> {
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
    fn target(&mut self, name: &Name, process: Option<&str>) -> Option<(VarId, Domain)> {
        let view = View { names: &self.model.names, process };
        let what = match view.find(&name.text).map(|known| known.meaning) {
            Some(Meaning::Variable(id, _)) => return Some((id, self.domains[id.index()].clone())),
            Some(Meaning::Value(_)) => "a constant",
            Some(Meaning::Proposition(_)) => "a proposition",
            None => {
                let complaint = Diagnostic::error(name.span, format!("there is no variable `{}`", name.text));
                let own = process.map(|process| format!("{process}."));
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
