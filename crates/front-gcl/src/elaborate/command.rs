//! Commands.

use super::{Bounds, Choice, Choices, Elaboration, Inside, Meaning, View};
use crate::formula::with_near;
use crate::model::{Absence, ModelCommand, UNNAMED_ACTION, Update};
use crate::syntax::{Alternative, Assignment, CommandTree, Name, ValueTree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{BigInt, Chosen, Scope, Sort, Term, Terms};
use tertium_program::{Domain, Input, Statement, Step, VarId};
use tertium_support::{Diagnostic, Id, Span};

/// So many elements of one array are assigned at once: more would nest too deeply.
const MOST_ELEMENTS: usize = 100;

/// The assignments of an alternative.
struct Updates {
    updates: Vec<Update>,
    /// The processes that are chosen to be assigned to.
    targets: Vec<(Choice, Span)>,
}

/// What is assigned.
enum Target {
    One(VarId),
    /// A variable of a process that is chosen by a variable, in each of them.
    Chosen(Choice, Vec<(BigInt, VarId)>),
}

impl Elaboration<'_> {
    pub(super) fn command(&mut self, tree: &CommandTree, process: Option<&Inside>) {
        if let Some(action) = &tree.action {
            self.refuse_dots(action, "an action");
        }
        self.choices = Some(Choices::default());
        let guard = self.term(&tree.guard, process, &Sort::Bool);
        let alternatives: Vec<Option<Updates>> =
            tree.alternatives.iter().map(|alternative| self.updates(alternative, process)).collect();
        let choices = self.choices.take().unwrap_or_default();
        let alternatives: Option<Vec<Updates>> = alternatives.into_iter().collect();
        let action = tree.action.as_ref().map_or(UNNAMED_ACTION, |action| action.text.as_str());
        // Known also if something is wrong, so that formulas can mention it.
        self.model.names.actions.insert(action.to_owned());
        let Some((guard, alternatives)) = guard.zip(alternatives) else { return };
        let written = ModelCommand {
            action: action.to_owned(),
            guard,
            guard_span: tree.guard.span,
            alternatives: Vec::new(),
            absences: Vec::new(),
        };
        for command in self.with_processes(&choices, written, alternatives) {
            let mut bounds = Bounds::new(&self.model.program);
            let choices =
                command.alternatives.iter().map(|updates| self.statement(&mut bounds, updates)).collect();
            let certainly = bounds.truth(command.guard).0;
            self.add(process, action, Statement::guarded(certainly, Statement::Choice(choices)), tree.span);
            self.model.commands.push(command);
        }
    }

    /// A command with the processes written out that are chosen by variables. Where something depends on one that is not there, it
    /// blocks: the guard says so. If the alternatives depend on different ones, each becomes a command of its own.
    fn with_processes(
        &self,
        choices: &Choices,
        command: ModelCommand,
        alternatives: Vec<Updates>,
    ) -> Vec<ModelCommand> {
        let terms = self.terms();
        if choices.is_empty() && alternatives.iter().all(|own| own.targets.is_empty()) {
            let alternatives = alternatives.into_iter().map(|own| own.updates).collect();
            return vec![ModelCommand { alternatives, ..command }];
        }
        let mut bounds = Bounds::of_choices(&self.model.program, choices);
        let mut written_out = choices.written_out(terms);
        let (holds, fails) = bounds.truth(command.guard);
        let uncertain = terms.not(terms.or([holds, fails]));
        let absences = self.absences(&bounds, uncertain, vec![command.guard], command.guard_span);
        let mut commands: Vec<ModelCommand> = Vec::new();
        for Updates { mut updates, targets } in alternatives {
            let mut absences = absences.clone();
            let mut demands = vec![holds];
            for (choice, span) in &targets {
                let Some(inside) = bounds.is_there(choice) else { continue };
                demands.extend([bounds.certain(choice.index), inside]);
                absences.push(absence(choice, holds, *span));
                let uncertain = terms.and([holds, terms.not(bounds.certain(choice.index))]);
                absences.extend(self.absences(&bounds, uncertain, vec![choice.index], *span));
            }
            for update in &updates {
                let certain = terms.and(update.read().map(|term| bounds.certain(term)));
                let uncertain = terms.and([holds, terms.not(certain)]);
                absences.extend(self.absences(&bounds, uncertain, update.read().collect(), update.span));
                demands.push(certain);
            }
            for update in &mut updates {
                update.indices.iter_mut().for_each(|at| *at = written_out.apply(terms, *at));
                update.value.iter_mut().for_each(|value| *value = written_out.apply(terms, *value));
            }
            for own in &mut absences {
                for term in [&mut own.uncertain, &mut own.index, &mut own.inside] {
                    *term = written_out.apply(terms, *term);
                }
            }
            let guard = written_out.apply(terms, terms.and(demands));
            match commands.last_mut().filter(|before| before.guard == guard) {
                Some(before) => before.alternatives.push(updates),
                None => {
                    commands.push(ModelCommand {
                        guard,
                        alternatives: vec![updates],
                        absences,
                        ..command.clone()
                    });
                }
            }
        }
        commands
    }

    /// The processes that terms read and that may not be there.
    fn absences(&self, bounds: &Bounds<'_>, uncertain: Term, read: Vec<Term>, span: Span) -> Vec<Absence> {
        let terms = self.terms();
        let (mut open, mut seen, mut found) = (read, BTreeSet::new(), Vec::new());
        while let Some(term) = open.pop().filter(|_| uncertain != terms.boolean(false)) {
            if !seen.insert(term) {
                continue;
            }
            let kind = terms.kind(term);
            open.extend(kind.operands());
            if let Some(choice) = bounds.choice(&kind) {
                open.push(choice.index);
                found.extend(bounds.is_there(&choice).map(|_| absence(&choice, uncertain, span)));
            }
        }
        found
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

    fn updates(&mut self, alternative: &Alternative, process: Option<&Inside>) -> Option<Updates> {
        let (mut updates, mut targets): (Vec<Option<Update>>, Vec<_>) = (Vec::new(), Vec::new());
        let mut seen: FxHashMap<VarId, &Assignment> = FxHashMap::default();
        // Variables of processes that are chosen by a variable.
        let mut chosen: FxHashSet<VarId> = FxHashSet::default();
        let mut n_elements: FxHashMap<VarId, usize> = FxHashMap::default();
        for assignment in alternative {
            if self.is_full() {
                return None;
            }
            let Some(target) = self.targets(assignment, process) else {
                updates.push(None);
                continue;
            };
            let Some(variable) = self.assigned_once(assignment, &target, &mut seen, &mut chosen) else {
                updates.push(None);
                continue;
            };
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
            let domain = self.domains[variable.index()].clone();
            let update = self.update(assignment, variable, &domain, process);
            match (target, update) {
                (Target::Chosen(choice, copies), Some(update)) => {
                    if !self.can_write_out(&choice, &update) {
                        return None;
                    }
                    updates.extend(self.in_chosen(&choice, &copies, &update).into_iter().map(Some));
                    targets.push((choice, update.span));
                }
                (_, update) => updates.push(update),
            }
        }
        Some(Updates { updates: updates.into_iter().collect::<Option<_>>()?, targets })
    }

    /// The first variable of a target, unless one of them is assigned already.
    fn assigned_once<'t>(
        &mut self,
        assignment: &'t Assignment,
        target: &Target,
        seen: &mut FxHashMap<VarId, &'t Assignment>,
        chosen: &mut FxHashSet<VarId>,
    ) -> Option<VarId> {
        let (variables, is_chosen) = match target {
            Target::One(variable) => (vec![*variable], false),
            Target::Chosen(_, copies) => (copies.iter().map(|&(_, variable)| variable).collect(), true),
        };
        for &variable in &variables {
            let was_chosen = if is_chosen { !chosen.insert(variable) } else { chosen.contains(&variable) };
            // Several elements of an array can be assigned at once.
            if let Some(first) = seen.insert(variable, assignment)
                && (is_chosen || was_chosen || first.indices.is_empty() || assignment.indices.is_empty())
            {
                let what = match (is_chosen || was_chosen, &assignment.member) {
                    (true, Some((_, member))) => {
                        format!("`{}` of one process can be assigned twice at once", member.text)
                    }
                    (true, None) => format!("`{}` can be assigned twice at once", assignment.target.text),
                    _ => format!("`{}` is assigned twice at once", assignment.target.text),
                };
                let complaint = Diagnostic::error(assignment.span, what);
                self.complain(complaint.with_related(first.span, "the first is here").with_note(
                    "the assignments of a command happen together; a choice is written `either … or …`",
                ));
                return None;
            }
        }
        variables.first().copied()
    }

    /// Whether an assignment to each of the processes is not too long; else a complaint is made.
    fn can_write_out(&mut self, choice: &Choice, update: &Update) -> bool {
        let view = View::outside(&self.model.names).choosing(self.choices.as_ref());
        let each = update.read().chain([choice.index]).map(|term| view.length(self.terms(), term));
        let each = each.fold(1usize, usize::saturating_add);
        let is_short = view.expands(choice.numbers.len().saturating_mul(each));
        if !is_short {
            let message = "processes that are chosen up to here are too many to be written out";
            let note = "an assignment to a process that is chosen is one to each of them";
            self.complain(Diagnostic::error(update.span, message).with_note(note));
        }
        is_short
    }

    /// An assignment to a variable of the process that is chosen: each of them gets the value where it is the one, and keeps its own
    /// elsewhere.
    fn in_chosen(&self, choice: &Choice, copies: &[(BigInt, VarId)], update: &Update) -> Vec<Update> {
        let terms = self.terms();
        let of_copy = |(number, variable): &(BigInt, VarId)| {
            let own = terms.variable(self.model.program.variables()[variable.index()].variable);
            let own = update.indices.iter().fold(own, |array, &at| terms.select(array, at));
            let here = terms.equal(choice.index, terms.integer(number.clone()));
            let value = update.value.clone().map(|value| terms.ite(here, value, own));
            Update { variable: *variable, value, ..update.clone() }
        };
        copies.iter().map(of_copy).collect()
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

    /// What is assigned.
    fn targets(&mut self, assignment: &Assignment, process: Option<&Inside>) -> Option<Target> {
        let target = &assignment.target;
        let Some((index, member)) = &assignment.member else {
            return self.target(target, process).map(Target::One);
        };
        let term = self.term(index, process, &Sort::Int)?;
        let span = target.span.to(member.span);
        if let Some(number) = self.terms().as_value(term) {
            let name = Name { text: format!("{}[{number}].{}", target.text, member.text), span };
            return self.target(&name, process).map(Target::One);
        }
        let numbers: Vec<BigInt> = (self.model.names.copies(&target.text, &member.text).into_iter())
            .map(|(number, _)| number)
            .collect();
        let complain = |own: &mut Self, message: String, note: &str| {
            own.complain(Diagnostic::error(span, message).with_note(note));
        };
        if numbers.is_empty() {
            let message = format!("no process `{}[…]` has a variable `{}`", target.text, member.text);
            complain(self, message, "processes with an index are declared `process p[i in 1..3] { … }`");
            return None;
        }
        if matches!(assignment.value, ValueTree::Input(_)) {
            let message = "an input is assigned to a process with a constant index".to_owned();
            complain(self, message, "an array can have an element for each process: `a[e] := input`");
            return None;
        }
        let mut copies = Vec::new();
        for number in &numbers {
            let name = Name { text: format!("{}[{number}].{}", target.text, member.text), span };
            copies.push((number.clone(), self.target(&name, process)?));
        }
        let domains: Vec<&Domain> = copies.iter().map(|(_, own)| &self.domains[own.index()]).collect();
        // An index that is one in some of the processes only would have to block in these only.
        let alike = |pair: &[&Domain]| match assignment.indices.is_empty() {
            true => pair[0].sort() == pair[1].sort(),
            false => pair[0] == pair[1],
        };
        if !domains.windows(2).all(alike) {
            let message = format!("`{}` is not of one type in all processes `{}`", member.text, target.text);
            complain(
                self,
                message,
                "a process that is chosen by a variable has the same types as all others",
            );
            return None;
        }
        let chosen = Chosen { index: term, numbers, value: term, length: 1 };
        Some(Target::Chosen(Choice::new(self.terms(), chosen), copies))
    }

    /// The variable of a name.
    fn target(&mut self, name: &Name, process: Option<&Inside>) -> Option<VarId> {
        let view = View::inside(&self.model.names, process);
        let what = match view.find(&name.text).map(|known| known.meaning) {
            Some(Meaning::Variable(id, _)) => return Some(id),
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

/// A process that is chosen, as the guard and the warnings see it.
fn absence(choice: &Choice, uncertain: Term, span: Span) -> Absence {
    Absence { uncertain, index: choice.index, inside: choice.inside, numbers: choice.numbers(), span }
}

/// An array with another element at the end of some indices.
fn stored(terms: &Terms, array: Term, indices: &[Term], value: Term) -> Term {
    let [at, inner @ ..] = indices else { return value };
    terms.store(array, *at, stored(terms, terms.select(array, *at), inner, value))
}
