//! The model as a program of guarded commands: one command for each process, or one for all steps.
//!
//! A variable whose next value is determined by its assignment is updated by that term. Any other one becomes an input of its
//! domain, and the guard says which of its values are allowed; so do the constraints, with the new values in place of
//! `next`. Inputs that nothing reads are left out.
//!
//! Programs have no faults. A model is turned into one only if the solver shows that none of its states has one, reachable or
//! not; whoever needs less has to take the transition system.

use super::evaluate::When;
use super::laws::Origin;
use super::{Lowered, slot};
use crate::{AssignTime, Type, Value, VarId, VarKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tertium_expr::{Sort, Substitution, Term, Terms, Transplant, Variable};
use tertium_program::{Domain, Input, Program, Role, Statement, Step};
use tertium_solve::{Answer, Solver, Z3};
use tertium_support::{Context, Id, Span};

/// Why a model is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// Programs have no variables of this type.
    Type(VarId),
    /// Some state, reachable or not, or some step may have no meaning.
    Fault,
}

impl Lowered<'_> {
    /// The model as a program. Its variables are those of the system, in the same order and with the same names; its states are those of
    /// the model, and its steps lead where those of the model do.
    pub fn program(&self, context: &Context) -> Result<Program, ProgramError> {
        let domains = self.domains()?;
        if !self.is_without_faults(context) {
            return Err(ProgramError::Fault);
        }
        let mut program = Program::new(Terms::new());
        for id in self.state_variables() {
            let own = &self.flat().variables[id.index()];
            program.add_variable(&own.name, domains[&self.current(id)].clone(), Role::Data, own.span);
        }
        for (name, process) in self.processes() {
            let step = self.step_of(process, &domains);
            let step = transplanted(self.terms(), &program.terms, &step);
            let who = self.flat().selector.map(|_| program.add_process(name.clone()));
            program.add_command_of(who, name, Statement::Step(step), Span::default());
        }
        program.initial = Transplant::new(self.terms(), &program.terms).term(self.system().initial);
        Ok(program)
    }

    /// A term of this model as one of a program that was made from it.
    pub fn in_program(&self, program: &Program, term: Term) -> Term {
        Transplant::new(self.terms(), &program.terms).term(term)
    }

    fn state_variables(&self) -> impl Iterator<Item = VarId> {
        self.evaluator
            .kept
            .iter()
            .copied()
            .filter(|id| self.flat().variables[id.index()].kind != VarKind::Input)
    }

    /// The domain of every variable of terms.
    fn domains(&self) -> Result<BTreeMap<Variable, Domain>, ProgramError> {
        let mut domains = BTreeMap::new();
        for &id in &self.evaluator.kept {
            let own = self.evaluator.slot(id);
            let domain = match (&self.flat().variables[id.index()].ty, &own.sort) {
                (Type::Boolean, _) => Domain::Bool,
                (Type::Range(low, high), _) => Domain::Range((*low).into(), (*high).into()),
                (Type::Enumeration(_), Sort::Enumeration(of)) => Domain::Enumeration(Arc::clone(of)),
                (Type::Enumeration(values), _) => {
                    let numbers = values.iter().filter_map(|value| match value {
                        Value::Integer(n) => Some(*n),
                        _ => None,
                    });
                    let (low, high) = (numbers.clone().min(), numbers.max());
                    let (Some(low), Some(high)) = (low, high) else { return Err(ProgramError::Type(id)) };
                    Domain::Range(low.into(), high.into())
                }
                (Type::Word { width, .. }, _) => Domain::Bits(*width),
            };
            domains.extend(own.next.map(|next| (next, domain.clone())));
            domains.insert(own.now, domain);
        }
        Ok(domains)
    }

    fn is_without_faults(&self, context: &Context) -> bool {
        let (terms, system) = (self.terms(), self.system());
        let never = |together: &[Term]| {
            together.iter().any(|&part| terms.as_bool(part) == Some(false))
                || Z3::new().check(context, terms, together) == Answer::Unsatisfiable
        };
        never(&[system.initial_fault]) && never(&[system.invariant, system.step_fault])
    }

    /// The processes with their names; one without if there are none.
    fn processes(&self) -> Vec<(String, Option<Value>)> {
        let model = self.flat();
        let Some(selector) = model.selector else { return vec![("step".to_owned(), None)] };
        let values = crate::interpret::values_of(&model.variables[selector.index()].ty);
        values.map(|value| (crate::value_text(model, value), Some(value))).collect()
    }

    /// The steps in which a process runs.
    fn step_of(&self, process: Option<Value>, domains: &BTreeMap<Variable, Domain>) -> Step {
        let terms = self.terms();
        let mut choice = Substitution::default();
        if let (Some(selector), Some(process)) = (self.flat().selector, process) {
            let own = self.evaluator.slot(selector);
            let ty = &self.flat().variables[selector.index()].ty;
            let value = slot::to_terms(ty, &own.sort, process).expect("a value of its type");
            choice.insert(own.now, terms.value(&value));
        }
        let (updates, settled) = self.updates(&mut choice);
        let mut substitution = choice;
        for (&next, &term) in &updates {
            substitution.insert(next, term);
        }
        let mut parts: Vec<Term> = Vec::new();
        for (number, law) in self.demands().steps.iter().enumerate() {
            if !settled.contains(&number) {
                parts.push(substitution.apply(terms, law.predicate.certain(terms)));
            }
        }
        let mut step = Step { guard: terms.and(parts), inputs: Vec::new(), updates: BTreeMap::new() };
        for own in &self.system().variables {
            let new = updates.get(&own.next).copied().unwrap_or_else(|| terms.variable(own.next));
            step.updates.insert(own.current, new);
        }
        self.add_inputs(&mut step, domains);
        step
    }

    /// The next values that assignments determine, over the state, inputs and values that are chosen; and the laws that say no more than
    /// that. What is already chosen is put into them.
    fn updates(&self, choice: &mut Substitution) -> (BTreeMap<Variable, Term>, BTreeSet<usize>) {
        let terms = self.terms();
        let mut waiting: BTreeMap<Variable, (usize, Term)> = BTreeMap::new();
        for (number, law) in self.demands().steps.iter().enumerate() {
            if let Some((next, term)) = self.determined(law.origin, choice) {
                waiting.entry(next).or_insert((number, term));
            }
        }
        // A value is settled once it reads no value that waits; what waits in a circle is chosen.
        let (mut updates, mut settled) = (BTreeMap::new(), BTreeSet::new());
        let mut known = Substitution::default();
        loop {
            let ready = |term: Term| terms.variables_of(term).iter().all(|read| !waiting.contains_key(read));
            let Some((&next, &(number, term))) = waiting.iter().find(|(_, (_, term))| ready(*term)) else {
                break;
            };
            waiting.remove(&next);
            let term = known.apply(terms, term);
            known.insert(next, term);
            updates.insert(next, term);
            settled.insert(number);
        }
        (updates, settled)
    }

    /// The next value that a law determines, if it does so wherever the chosen process runs.
    fn determined(&self, origin: Origin<'_>, choice: &mut Substitution) -> Option<(Variable, Term)> {
        let terms = self.terms();
        match origin {
            Origin::Constraint => None,
            Origin::Kept(id) => {
                let own = self.evaluator.slot(id);
                let assigns = self.flat().assigns.iter();
                let runs = assigns
                    .filter(|assign| assign.target == id && assign.time == AssignTime::Next)
                    .map(|assign| choice.apply(terms, self.evaluator.runs(assign)));
                let is_frozen = self.flat().variables[id.index()].kind == VarKind::Frozen;
                let nobody = terms.as_bool(terms.or(runs)) == Some(false);
                (is_frozen || nobody).then_some((own.next?, terms.variable(own.now)))
            }
            Origin::Assign(assign) => {
                let own = self.evaluator.slot(assign.target);
                let runs = choice.apply(terms, self.evaluator.runs(assign));
                let when = if assign.time == AssignTime::Current { When::Next } else { When::Now };
                if terms.as_bool(runs) != Some(true) || self.evaluator.has_set(&assign.value) {
                    return None;
                }
                let term = self.evaluator.value(assign.target, &assign.value, when);
                Some((own.next?, choice.apply(terms, term)))
            }
        }
    }

    /// The inputs that guard and updates read, with their domains in the guard.
    fn add_inputs(&self, step: &mut Step, domains: &BTreeMap<Variable, Domain>) {
        let terms = self.terms();
        let current: BTreeSet<Variable> = self.system().variables.iter().map(|own| own.current).collect();
        let mut read = terms.variables_of(step.guard);
        step.updates.values().for_each(|&term| read.extend(terms.variables_of(term)));
        let mut parts = vec![step.guard];
        for variable in read.into_iter().filter(|variable| !current.contains(variable)) {
            let domain = domains[&variable].clone();
            parts.push(domain.contains(terms, terms.variable(variable)));
            step.inputs.push(Input { variable, domain });
        }
        step.guard = terms.and(parts);
    }
}

fn transplanted(from: &Terms, to: &Terms, step: &Step) -> Step {
    let mut transplant = Transplant::new(from, to);
    let guard = transplant.term(step.guard);
    let updates = step.updates.iter().map(|(&variable, &term)| {
        let variable = transplant.variable(variable);
        (variable, transplant.term(term))
    });
    let updates = updates.collect();
    let inputs = step
        .inputs
        .iter()
        .map(|input| Input { variable: transplant.variable(input.variable), domain: input.domain.clone() });
    Step { guard, inputs: inputs.collect(), updates }
}
