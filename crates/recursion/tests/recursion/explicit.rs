//! Programs of finite domains, enumerated: what is reached, and whether sets of states are a proof.

use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Term, Value, Variable, evaluate};
use tertium_program::{Action, Call, EdgeId, Icfg, Input, PointId, ProcedureId};
use tertium_recursion::{Entries, Invariants, Values};
use tertium_support::Id;

/// What was at the beginning of the activation, and what is.
pub(crate) type Element = (Values, Values);

/// Elements by point. The first half has ghosts.
pub(crate) type Sets = BTreeMap<PointId, BTreeSet<Element>>;

pub(crate) struct Explicit<'a> {
    pub(crate) icfg: &'a Icfg,
    pub(crate) entries: &'a Entries,
}

impl Explicit<'_> {
    fn value(&self, term: Term, values: &Values) -> Value {
        evaluate(&self.icfg.terms, term, &|variable| values.get(&variable).cloned()).expect("all have values")
    }

    fn holds(&self, term: Term, values: &Values) -> bool {
        self.value(term, values) == Value::Bool(true)
    }

    /// All values of some variables.
    pub(crate) fn all(&self, variables: impl Iterator<Item = Variable>) -> Vec<Values> {
        variables.fold(vec![Values::new()], |before, variable| {
            let values = self.icfg.cell(variable).expect("declared").domain.values(100).expect("finite");
            let with = |one: &Values, value: &Value| {
                let mut more = one.clone();
                more.insert(variable, value.clone());
                more
            };
            before.iter().flat_map(|one| values.iter().map(move |value| with(one, value))).collect()
        })
    }

    fn ghosts_of(&self, procedure: ProcedureId, values: &Values) -> Values {
        let pairs = self.entries.of_procedure(self.icfg, procedure);
        pairs.map(|(variable, ghost)| (ghost, values[&variable].clone())).collect()
    }

    /// Where main can begin.
    pub(crate) fn beginning(&self) -> BTreeSet<Element> {
        let main = self.icfg.main;
        let all = self.all(self.icfg.in_scope(main)).into_iter();
        let fine = all.filter(|values| self.holds(self.icfg.initial, values));
        fine.map(|values| (self.ghosts_of(main, &values), values)).collect()
    }

    fn entering(&self, call: &Call, state: &Values) -> BTreeSet<Element> {
        let callee = self.icfg.procedure(call.callee);
        let arguments = callee.formals.iter().zip(&call.arguments);
        let given: Values = arguments.map(|(&formal, &term)| (formal, self.value(term, state))).collect();
        let globals = self.icfg.globals().iter().map(|&global| (global, state[&global].clone()));
        let given: Values = given.into_iter().chain(globals).collect();
        let others = self.icfg.in_scope(call.callee).filter(|variable| !given.contains_key(variable));
        let others = self.all(others).into_iter();
        let whole = others.map(|other| other.into_iter().chain(given.clone()).collect::<Values>());
        whole.map(|values| (self.ghosts_of(call.callee, &values), values)).collect()
    }

    fn returning(&self, call: &Call, state: &Values, exits: &BTreeSet<Element>) -> Vec<Values> {
        let Some(ghosts) = self.entering(call, state).into_iter().next().map(|(ghosts, _)| ghosts) else {
            return Vec::new();
        };
        let fitting = exits.iter().filter(|(entry, _)| *entry == ghosts);
        let back = fitting.map(|(_, end)| {
            let mut after = state.clone();
            for &global in self.icfg.globals() {
                after.insert(global, end[&global].clone());
            }
            for (result, taker) in self.icfg.procedure(call.callee).results.iter().zip(&call.results) {
                if let Some(taker) = taker {
                    after.insert(*taker, end[result].clone());
                }
            }
            after
        });
        back.collect()
    }

    /// What follows from some elements in one move, by point.
    pub(crate) fn post(&self, sets: &Sets) -> Vec<(PointId, Element)> {
        let nothing = BTreeSet::new();
        let main = self.icfg.procedure(self.icfg.main).entry;
        let mut after: Vec<(PointId, Element)> =
            self.beginning().into_iter().map(|element| (main, element)).collect();
        for index in 0..self.icfg.edges().len() {
            let edge = self.icfg.edge(EdgeId::new(index));
            for (ghosts, state) in sets.get(&edge.source).unwrap_or(&nothing) {
                match &edge.action {
                    Action::Step(step) => {
                        for inputs in Input::combinations(&step.inputs, 1000).expect("few") {
                            let inputs = step.inputs.iter().map(|input| input.variable).zip(inputs);
                            let whole: Values = state.clone().into_iter().chain(inputs).collect();
                            if self.holds(step.guard, &whole) {
                                let mut new = state.clone();
                                for (&variable, &term) in &step.updates {
                                    new.insert(variable, self.value(term, &whole));
                                }
                                after.push((edge.target, (ghosts.clone(), new)));
                            }
                        }
                    }
                    Action::Call(call) => {
                        let callee = self.icfg.procedure(call.callee);
                        let entering = self.entering(call, state).into_iter();
                        after.extend(entering.map(|element| (callee.entry, element)));
                        let exits = sets.get(&callee.exit).unwrap_or(&nothing);
                        let back = self.returning(call, state, exits).into_iter();
                        after.extend(back.map(|new| (edge.target, (ghosts.clone(), new))));
                    }
                }
            }
        }
        after
    }

    /// Whether nothing follows from the sets that is not in them.
    pub(crate) fn is_inductive(&self, sets: &Sets) -> bool {
        self.post(sets)
            .iter()
            .all(|(point, element)| sets.get(point).is_some_and(|set| set.contains(element)))
    }

    /// All that is reached.
    pub(crate) fn reached(&self) -> Sets {
        let mut sets = Sets::new();
        loop {
            let mut changed = false;
            for (point, element) in self.post(&sets) {
                changed |= sets.entry(point).or_default().insert(element);
            }
            if !changed {
                return sets;
            }
        }
    }

    /// The sets as conditions.
    pub(crate) fn as_invariants(&self, sets: &Sets) -> Invariants {
        let terms = &self.icfg.terms;
        let is = |values: &Values| {
            let parts = values.iter();
            terms.and(
                parts
                    .map(|(&own, value)| terms.equal(terms.variable(own), terms.value(value)))
                    .collect::<Vec<_>>(),
            )
        };
        let condition = |set: &BTreeSet<Element>| {
            terms.or(set.iter().map(|(ghosts, state)| terms.and([is(ghosts), is(state)])).collect::<Vec<_>>())
        };
        Invariants { at: sets.iter().map(|(&point, set)| (point, condition(set))).collect() }
    }
}
