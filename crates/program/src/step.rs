//! Statements taken apart: each way through a statement as one guarded simultaneous assignment.

use crate::statement::for_all;
use crate::{Domain, Statement};
use std::collections::BTreeMap;
use tertium_expr::{Substitution, Term, Terms, Value, Variable};

/// How many values the inputs of one step may have together.
const INPUT_LIMIT: usize = 1 << 16;

/// A value from outside, chosen anew each time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Stands for it in guard and updates; no variable of the program.
    pub variable: Variable,
    /// What it can be.
    pub domain: Domain,
}

impl Input {
    /// Every combination of values of several inputs, if there are at most `most`.
    pub fn combinations(inputs: &[Self], most: usize) -> Option<Vec<Vec<Value>>> {
        let mut all = vec![Vec::new()];
        for input in inputs {
            let values = input.domain.values(most / all.len())?;
            all = all
                .iter()
                .flat_map(|before: &Vec<Value>| {
                    values.iter().map(|value| [before.clone(), vec![value.clone()]].concat())
                })
                .collect();
        }
        Some(all)
    }
}

impl Input {
    /// Whether all combinations of values of several inputs are tried, because they are not too many.
    pub fn are_few(inputs: &[Self]) -> bool {
        let mut left = INPUT_LIMIT;
        inputs.iter().all(|input| {
            let count = input.domain.count(left);
            left /= count.unwrap_or(1).max(1);
            count.is_some()
        })
    }
}

/// One way through a statement: where the guard holds for the inputs, variables get values at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Over variables and inputs. It includes that inputs are of their domains.
    pub guard: Term,
    /// What is chosen.
    pub inputs: Vec<Input>,
    /// The new values, of variables that change only.
    pub updates: BTreeMap<Variable, Term>,
}

impl Step {
    /// What `eta` says of the states after the step, as a condition on the state before and the inputs.
    pub fn after(&self, terms: &Terms, eta: Term) -> Term {
        self.substitution().apply(terms, eta)
    }

    /// The replacement of variables by their new values; remembers what it did, for many terms.
    pub fn substitution(&self) -> Substitution {
        Substitution::new(self.updates.iter().map(|(&variable, &term)| (variable, term)))
    }

    /// Where all ends of the step satisfy `eta`.
    pub fn pre(&self, terms: &Terms, eta: Term) -> Term {
        let inside = terms.implies(self.guard, self.after(terms, eta));
        self.inputs
            .iter()
            .rev()
            .fold(inside, |inside, input| for_all(terms, input.variable, &input.domain, inside))
    }

    /// Every combination of values of the inputs, if there are not too many.
    pub fn all_inputs(&self) -> Option<Vec<Vec<Value>>> {
        Input::are_few(&self.inputs).then_some(())?;
        Input::combinations(&self.inputs, INPUT_LIMIT)
    }

    /// Where the step can be taken.
    pub fn enabled(&self, terms: &Terms) -> Term {
        terms.not(self.pre(terms, terms.boolean(false)))
    }
}

impl Statement {
    /// All ways through. They have the same ends as the statement, and the same precondition in conjunction.
    pub fn steps(&self, terms: &Terms) -> Vec<Step> {
        let start = Step { guard: terms.boolean(true), inputs: Vec::new(), updates: BTreeMap::new() };
        let mut steps = self.extend(terms, vec![start]);
        steps.retain(|step| terms.as_bool(step.guard) != Some(false));
        for step in &mut steps {
            // What gets its own value does not change.
            step.updates.retain(|&variable, &mut term| term != terms.variable(variable));
        }
        steps
    }

    fn extend(&self, terms: &Terms, before: Vec<Step>) -> Vec<Step> {
        match self {
            Self::Skip => before,
            Self::Assign(updates) => map(before, |step| {
                let mut substitution = step.substitution();
                let new: Vec<_> = updates
                    .iter()
                    .map(|&(variable, term)| (variable, substitution.apply(terms, term)))
                    .collect();
                step.updates.extend(new);
            }),
            Self::Assume(guard) => map(before, |step| {
                step.guard = terms.and([step.guard, step.after(terms, *guard)]);
            }),
            Self::Havoc(variable, domain) => map(before, |step| {
                let input = terms.fresh(&format!("{}_in", terms.name(*variable)), &domain.sort());
                let term = terms.variable(input);
                step.guard = terms.and([step.guard, domain.contains(terms, term)]);
                step.updates.insert(*variable, term);
                step.inputs.push(Input { variable: input, domain: domain.clone() });
            }),
            Self::Sequence(parts) => parts.iter().fold(before, |steps, part| part.extend(terms, steps)),
            Self::Choice(parts) => parts.iter().flat_map(|part| part.extend(terms, before.clone())).collect(),
            Self::If(condition, then, otherwise) => {
                let first = Self::guarded(*condition, (**then).clone());
                let second = Self::guarded(terms.not(*condition), (**otherwise).clone());
                Self::Choice(vec![first, second]).extend(terms, before)
            }
            Self::Step(taken) => map(before, |step| {
                let mut substitution = step.substitution();
                step.guard = terms.and([step.guard, substitution.apply(terms, taken.guard)]);
                let updates = taken.updates.iter();
                let new: Vec<_> =
                    updates.map(|(&variable, &term)| (variable, substitution.apply(terms, term))).collect();
                step.updates.extend(new);
                step.inputs.extend(taken.inputs.iter().cloned());
            }),
        }
    }
}

fn map(mut steps: Vec<Step>, mut change: impl FnMut(&mut Step)) -> Vec<Step> {
    steps.iter_mut().for_each(&mut change);
    steps
}
