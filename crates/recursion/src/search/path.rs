//! Paths, as what was done and what has to hold; those that begin alike share their beginnings.

use super::bounds::Bounds;
use crate::{IcfgRun, Move, RunStep, Values};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tertium_expr::{Term, Terms, Value, Variable};
use tertium_program::EdgeId;

/// A step of a path.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    pub(super) before: Option<usize>,
    pub(super) edge: EdgeId,
    pub(super) what: Move,
    pub(super) depth: usize,
    /// Inputs of the step, with what stands for them along this path.
    pub(super) inputs: Box<[(Variable, Variable)]>,
    /// Arbitrary values that were looked at first in this step: the step that began the activation, the variable, what stands for it.
    pub(super) arbitrary: Box<[(Option<usize>, Variable, Variable)]>,
}

/// A condition of a path.
#[derive(Clone, Debug)]
struct Condition {
    before: Option<usize>,
    term: Term,
    variables: Rc<BTreeSet<Variable>>,
}

/// All steps and conditions of all paths.
#[derive(Debug, Default)]
pub(super) struct Paths {
    steps: Vec<Taken>,
    conditions: Vec<Condition>,
    variables: FxHashMap<Term, Rc<BTreeSet<Variable>>>,
}

impl Paths {
    pub(super) fn step(&mut self, step: Taken) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// The variables of a term, remembered.
    pub(super) fn variables_of(&mut self, terms: &Terms, term: Term) -> Rc<BTreeSet<Variable>> {
        let made = self.variables.entry(term).or_insert_with(|| Rc::new(terms.variables_of(term)));
        Rc::clone(made)
    }

    pub(super) fn condition(&mut self, terms: &Terms, before: Option<usize>, term: Term) -> usize {
        let variables = self.variables_of(terms, term);
        self.conditions.push(Condition { before, term, variables });
        self.conditions.len() - 1
    }

    /// What has to hold together with a condition for its inputs: conditions that share inputs with it, directly or not, and the
    /// intervals of these. What is left out holds for other inputs already.
    pub(super) fn together(
        &mut self,
        terms: &Terms,
        last: Option<usize>,
        bounds: &Bounds,
        condition: Term,
    ) -> Vec<Term> {
        let mut reached: BTreeSet<Variable> = (*self.variables_of(terms, condition)).clone();
        let mut together = vec![condition];
        let mut open = Vec::new();
        let mut at = last;
        while let Some(number) = at {
            open.push(number);
            at = self.conditions[number].before;
        }
        loop {
            let before = open.len();
            open.retain(|&number| {
                let condition = &self.conditions[number];
                let shares = condition.variables.iter().any(|variable| reached.contains(variable));
                if shares {
                    reached.extend(condition.variables.iter().copied());
                    together.push(condition.term);
                }
                !shares
            });
            if open.len() == before {
                break;
            }
        }
        together.extend(reached.iter().flat_map(|&variable| bounds.conditions(terms, variable)));
        together
    }

    /// The run along a path, where inputs have these values.
    pub(super) fn run(
        &self,
        last: Option<usize>,
        arbitrary_now: &[(Option<usize>, Variable, Variable)],
        value: &dyn Fn(Variable) -> Value,
    ) -> IcfgRun {
        let mut numbers = Vec::new();
        let mut at = last;
        while let Some(number) = at {
            numbers.push(number);
            at = self.steps[number].before;
        }
        numbers.reverse();
        let mut given: BTreeMap<Option<usize>, Values> = BTreeMap::new();
        let all = numbers.iter().flat_map(|&number| &self.steps[number].arbitrary).chain(arbitrary_now);
        for &(begun, variable, input) in all {
            given.entry(begun).or_default().insert(variable, value(input));
        }
        let steps = numbers.iter().map(|&number| {
            let step = &self.steps[number];
            let inputs = step.inputs.iter().map(|&(input, own)| (input, value(own)));
            let locals = match step.what {
                Move::Call => given.get(&Some(number)).cloned().unwrap_or_default(),
                _ => Values::new(),
            };
            let inputs = inputs.chain(locals).collect();
            RunStep { edge: step.edge, what: step.what, depth: step.depth, inputs }
        });
        IcfgRun { initial: given.get(&None).cloned().unwrap_or_default(), steps: steps.collect() }
    }
}
