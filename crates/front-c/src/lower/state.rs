//! What a path from a point has done so far: the step that it will be.

use super::options::Doubt;
use super::ranges::Env;
use std::collections::BTreeMap;
use tertium_expr::{Term, Terms, Variable};
use tertium_program::{Input, Step};
use tertium_support::Span;

/// A path from a point: values and conditions are over the variables as they are at the point, and inputs.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    guard: Vec<Term>,
    pub(super) inputs: Vec<Input>,
    pub(super) updates: BTreeMap<Variable, Term>,
    /// Under which an expression is evaluated that is a part of another.
    conditions: Vec<Term>,
    /// Whether it may do more than the program.
    pub(super) is_approximate: bool,
    /// Why, as far as it is known, and what else is not followed.
    pub(super) doubts: Vec<Doubt>,
    /// Intervals that hold by the guard and the domains alone.
    pub(super) local: Env,
    /// Intervals that hold where the program comes by.
    pub(super) flow: Env,
    /// What of the text it stands for.
    pub(super) span: Option<Span>,
    /// The length of its longest term.
    longest: usize,
    /// The length of its guard.
    demanded: usize,
}

impl State {
    /// Nothing was done, and this is known.
    pub(super) fn new(flow: Env) -> Self {
        Self { flow, ..Self::default() }
    }

    /// Whether nothing was done.
    pub(super) fn is_empty(&self) -> bool {
        self.guard.is_empty() && self.updates.is_empty() && self.inputs.is_empty() && !self.is_approximate
    }

    /// Whether control never comes here.
    pub(super) fn is_impossible(&self, terms: &Terms) -> bool {
        self.guard.iter().any(|&part| terms.as_bool(part) == Some(false))
    }

    /// What a variable is by now.
    pub(super) fn value_of(&self, terms: &Terms, variable: Variable) -> Term {
        self.updates.get(&variable).copied().unwrap_or_else(|| terms.variable(variable))
    }

    /// A variable becomes this.
    pub(super) fn set(&mut self, terms: &Terms, variable: Variable, term: Term) {
        self.updates.insert(variable, term);
        self.longest = self.longest.max(terms.length_of(term, &|_| 1));
    }

    /// The path goes on only where this holds, if it is evaluated at all.
    pub(super) fn demand(&mut self, terms: &Terms, condition: Term) {
        let under = terms.and(self.conditions.iter().copied());
        let demanded = terms.implies(under, condition);
        if terms.as_bool(demanded) != Some(true) && !self.guard.contains(&demanded) {
            self.demanded += terms.length_of(demanded, &|_| 1);
            self.guard.push(demanded);
        }
    }

    /// What another state that began as this one demands beyond it, and what inputs it has beyond: these are taken over.
    pub(super) fn take_over(&mut self, other: Self) {
        for demand in other.guard {
            if !self.guard.contains(&demand) {
                self.guard.push(demand);
            }
        }
        for input in other.inputs {
            if !self.inputs.contains(&input) {
                self.inputs.push(input);
            }
        }
        self.is_approximate |= other.is_approximate;
        other.doubts.into_iter().for_each(|doubt| self.doubt(doubt));
        self.demanded = self.demanded.max(other.demanded);
    }

    /// Something is done that is not followed.
    pub(super) fn doubt(&mut self, doubt: Doubt) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    /// What follows is evaluated only where this holds.
    pub(super) fn enter(&mut self, condition: Term) {
        self.conditions.push(condition);
    }

    /// The end of what [`State::enter`] began.
    pub(super) fn leave(&mut self) {
        self.conditions.pop();
    }

    /// More of the text.
    pub(super) fn extend_span(&mut self, span: Span) {
        self.span = Some(self.span.map_or(span, |own| own.to(span)));
    }

    /// Whether it is better to make it an edge now.
    pub(super) fn is_large(&self, most: usize) -> bool {
        self.longest > most || self.demanded > most || self.updates.len() > most
    }

    /// The step, with what changes only.
    pub(super) fn step(&self, terms: &Terms) -> Step {
        let changes = |&(&variable, &term): &(&Variable, &Term)| term != terms.variable(variable);
        let updates =
            self.updates.iter().filter(changes).map(|(&variable, &term)| (variable, term)).collect();
        let inside =
            self.inputs.iter().map(|input| input.domain.contains(terms, terms.variable(input.variable)));
        let guard = terms.and(inside.chain(self.guard.iter().copied()).collect::<Vec<Term>>());
        Step { guard, inputs: self.inputs.clone(), updates }
    }
}
