//! Transition systems as terms: what holds at the beginning, and what holds of a step.
//!
//! Every variable has two copies, one for the state before a step and one for the state after it. Inputs belong to a step. A front
//! end may have states or steps in which the model means nothing, such as a division by zero; they are kept apart as *faults*,
//! so that whoever proves something also proves that none is met.
//!
//! Programs give such a system in linear size: one input says which step of which command is taken, and a variable keeps its value unless
//! that step updates it.

use crate::{Program, Step};
use std::collections::BTreeMap;
use tertium_expr::{BitOperation, Sort, Substitution, Term, Terms, Value, Variable};
use tertium_support::Id;

/// A variable of a system, before and after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemVariable {
    /// Before, or in the only state that a term is about.
    pub current: Variable,
    /// After.
    pub next: Variable,
}

/// A transition system over the terms of one store.
///
/// Invariants: `initial` implies `invariant`, and `step` implies `invariant` of the state after it and the domains of
/// its inputs. So `invariant` holds in every state that the system can be in. It may be assumed before a step, and
/// `step` need not repeat it.
#[derive(Clone, Debug)]
pub struct TermSystem {
    /// The variables.
    pub variables: Vec<SystemVariable>,
    /// What is chosen in a step.
    pub inputs: Vec<Variable>,
    /// What every state satisfies: the domains of variables, and what the model demands of all states. Over current copies.
    pub invariant: Term,
    /// That inputs are within their domains.
    pub input_domain: Term,
    /// Where the system begins. Over current copies.
    pub initial: Term,
    /// The steps. Over current copies, inputs and next copies.
    pub step: Term,
    /// States that nothing excludes from being initial, and where the initial condition has no meaning.
    pub initial_fault: Term,
    /// Steps that nothing excludes, and which have no meaning.
    pub step_fault: Term,
}

impl TermSystem {
    /// The replacement of current copies by next ones.
    pub fn primed(&self, terms: &Terms) -> Substitution {
        Substitution::new(self.variables.iter().map(|own| (own.current, terms.variable(own.next))))
    }
}

/// A truth value of a state or a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Where it holds; says nothing where there is a fault.
    pub holds: Term,
    /// Where it has no meaning.
    pub fault: Term,
}

impl Predicate {
    /// One that has a meaning everywhere.
    pub fn plain(terms: &Terms, holds: Term) -> Self {
        Self { holds, fault: terms.boolean(false) }
    }

    /// Where it holds and has a meaning.
    pub fn certain(&self, terms: &Terms) -> Term {
        terms.and([self.holds, terms.not(self.fault)])
    }
}

/// A program as a term system.
#[derive(Clone, Debug)]
pub struct ProgramSystem {
    /// The system. Its variables are those of the program, in their order.
    pub system: TermSystem,
    /// The input that says which step is taken.
    pub selector: Variable,
    /// The steps that it can say, by command and number in the command.
    pub steps: Vec<(usize, usize)>,
}

impl ProgramSystem {
    /// The command and the step in it that a value of the selector stands for.
    pub fn step_of(&self, value: &Value) -> Option<(usize, usize)> {
        match value {
            Value::Bits { value, .. } => self.steps.get(usize::try_from(*value).ok()?).copied(),
            _ => None,
        }
    }
}

impl Program {
    /// The program as a term system. Its size is linear in that of the program.
    pub fn term_system(&self) -> ProgramSystem {
        let terms = &self.terms;
        let variables: Vec<SystemVariable> = self
            .variables()
            .iter()
            .map(|own| SystemVariable {
                current: own.variable,
                next: terms.declare(&format!("{}'", terms.name(own.variable)), &terms.sort_of(own.variable)),
            })
            .collect();
        let within = self.within();
        let places: Vec<(usize, usize, &Step)> = self
            .commands()
            .iter()
            .enumerate()
            .flat_map(|(at, command)| command.steps.iter().enumerate().map(move |(n, step)| (at, n, step)))
            .collect();
        let width = usize::BITS - places.len().leading_zeros();
        let selector = terms.declare("step taken", &Sort::Bits(width.max(1)));
        let (step, inputs, input_domain) = self.relation(&variables, &places, selector);
        let never = terms.boolean(false);
        let mut system = TermSystem {
            variables,
            inputs,
            invariant: within,
            input_domain,
            initial: terms.and([within, self.initial]),
            step,
            initial_fault: never,
            step_fault: never,
        };
        let within_next = system.primed(terms).apply(terms, within);
        system.step = terms.and([system.step, within_next]);
        let steps = places.into_iter().map(|(command, n, _)| (command, n)).collect();
        ProgramSystem { system, selector, steps }
    }

    /// The steps without the domains after them, the inputs, and the domains of inputs.
    fn relation(
        &self,
        variables: &[SystemVariable],
        places: &[(usize, usize, &Step)],
        selector: Variable,
    ) -> (Term, Vec<Variable>, Term) {
        let terms = &self.terms;
        let Sort::Bits(width) = terms.sort_of(selector) else { unreachable!("the selector is a bit-vector") };
        let selected = terms.variable(selector);
        let next: BTreeMap<Variable, Term> =
            variables.iter().map(|own| (own.current, terms.variable(own.next))).collect();
        let mut updaters: BTreeMap<Variable, Vec<Term>> = BTreeMap::new();
        let n_steps = terms.bits(width, places.len() as u128);
        let known = terms.bitwise(BitOperation::LessUnsigned, &[selected, n_steps]);
        let (mut parts, mut domains) = (vec![known], vec![known]);
        // By input: the domains that it has in some step.
        let mut inputs: BTreeMap<Variable, Vec<Term>> = BTreeMap::new();
        for (number, (_, _, step)) in places.iter().enumerate() {
            let taken = terms.equal(selected, terms.bits(width, number as u128));
            let mut demands = vec![step.guard];
            for (&variable, &value) in &step.updates {
                demands.push(terms.equal(next[&variable], value));
                updaters.entry(variable).or_default().push(taken);
            }
            parts.push(terms.implies(taken, terms.and(demands)));
            for input in &step.inputs {
                // The guard says it of the inputs of the step that is taken.
                let inside = input.domain.contains(terms, terms.variable(input.variable));
                domains.push(terms.implies(taken, inside));
                inputs.entry(input.variable).or_default().push(inside);
            }
        }
        // Other inputs do not matter. That they have some value of their own keeps bounded programs bounded as terms.
        for inside in inputs.values() {
            let any = terms.or(inside.iter().copied());
            parts.push(any);
            domains.push(any);
        }
        for own in variables {
            let kept = terms.equal(terms.variable(own.next), terms.variable(own.current));
            let updated = updaters.remove(&own.current).unwrap_or_default();
            parts.push(terms.or(updated.into_iter().chain([kept])));
        }
        let mut all: Vec<Variable> = inputs.into_keys().chain([selector]).collect();
        all.sort_unstable_by_key(|variable| variable.index());
        (terms.and(parts), all, terms.and(domains))
    }
}
