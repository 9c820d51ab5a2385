//! Following one run, and noting all ways that it did not take.

use super::bounds::Noted;
use super::cases::Cases;
use super::distance::Distance;
use super::path::Taken;
use super::pool::Way;
use super::state::{Cells, Frame, Seen, State, Waiting};
use super::{Refutation, Search};
use crate::Move;
use std::rc::Rc;
use tertium_expr::{Substitution, Term, Value, Variable, evaluate};
use tertium_program::{Action, Call, Domain, EdgeId, PointId};
use tertium_support::{Context, Id, StopReason};

/// A run waits for others after so many steps, and after twice as many whenever it has waited.
const TURN: usize = 250;
/// Turns get no longer after so many, which are all that are counted.
const MOST_TURNS: u32 = 8;
/// Terms that are nested deeper are replaced by their values, and the search is no longer complete.
const DEEPEST: u32 = 200;
/// Units of work for a step, besides those for the terms in it.
const STEP_UNITS: u64 = 2_000;
/// The limits are looked at after so many steps.
const BETWEEN_LOOKS: usize = 32;

/// What is known of an edge from a state.
struct Attempt {
    edge: EdgeId,
    /// Whether it can be taken with the values of inputs as they are.
    holds: bool,
    /// When it can be taken, where that depends on inputs.
    condition: Option<Term>,
}

/// An edge that is being taken.
struct Taking {
    before: State,
    edge: EdgeId,
    /// Cases that inputs are in, which were told apart on the way.
    cases: Vec<Term>,
}

impl Search<'_> {
    /// Follows a run to its end, to a target, or until others have their turn.
    pub(super) fn follow(
        &mut self,
        context: &Context,
        mut state: State,
    ) -> Result<Option<Refutation>, StopReason> {
        self.statistics.runs += 1;
        let mut mark = (state.clone(), 1usize);
        let turn = TURN << state.turns;
        for step in 0..turn {
            if step % BETWEEN_LOOKS == 0
                && let Err(reason) =
                    context.spend(STEP_UNITS * BETWEEN_LOOKS as u64).and_then(|()| context.poll())
            {
                self.keep(state);
                return Err(reason);
            }
            if self.is_target[state.top.point.index()] {
                return Ok(self.refutation(&state));
            }
            self.statistics.steps += 1;
            let gone_on = if state.top.point == self.icfg.procedure(state.top.procedure).exit {
                self.come_back(&mut state)
            } else {
                self.go_on(&mut state)
            };
            if gone_on.is_none() || repeats(&state, &mark.0) {
                return Ok(None);
            }
            if step == mark.1 {
                mark = (state.clone(), 2 * step);
            }
        }
        state.turns = MOST_TURNS.min(state.turns + 1);
        self.keep(state);
        Ok(None)
    }

    /// Puts a run back to be gone on with later.
    pub(super) fn keep(&mut self, state: State) {
        let Some(distance) = self.distances.from(state.top.point, state.top.beyond) else { return };
        self.leave(Way { state: Rc::new(state), edge: None, condition: None, case: None, distance });
    }

    fn go_on(&mut self, state: &mut State) -> Option<()> {
        let icfg = self.icfg;
        let leaving = icfg.point(state.top.point).leaving.iter().copied();
        let leaving: Vec<EdgeId> = leaving.filter(|&edge| self.way_of(state, edge).is_some()).collect();
        // Inputs are numbered: all that is read is looked at before any edge is.
        leaving.iter().for_each(|&edge| self.look_at(state, edge));
        let mut attempts: Vec<Attempt> = Vec::new();
        for edge in leaving {
            attempts.extend(self.attempt(state, edge));
        }
        let enabled = attempts.iter().enumerate().filter(|(_, attempt)| attempt.holds);
        // What was taken least often comes first; the order among edges decides between equals.
        let chosen =
            enabled.min_by_key(|(_, attempt)| self.taken[attempt.edge.index()].min(1)).map(|(at, _)| at);
        let chosen = chosen.map(|at| attempts.remove(at));
        if !attempts.is_empty() {
            let before = Rc::new(state.clone());
            for attempt in attempts {
                let distance = self.way_of(&before, attempt.edge).expect("others were left out");
                let (edge, condition) = (Some(attempt.edge), attempt.condition);
                self.leave(Way { state: Rc::clone(&before), edge, condition, case: None, distance });
            }
        }
        self.take(state, chosen?.edge)
    }

    /// How far it is to a target along an edge.
    fn way_of(&self, state: &State, edge: EdgeId) -> Distance {
        let edge = self.icfg.edge(edge);
        match &edge.action {
            Action::Step(_) => self.distances.from(edge.target, state.top.beyond),
            Action::Call(call) => {
                let beyond = self.distances.from(edge.target, state.top.beyond);
                self.distances.from(self.icfg.procedure(call.callee).entry, beyond)
            }
        }
    }

    /// Whether an edge can be taken; nothing if it cannot for any inputs.
    fn attempt(&mut self, state: &State, edge: EdgeId) -> Option<Attempt> {
        let guard = self.facts[edge.index()].guard;
        let inputs = self.inputs(state, edge);
        let Some(value) = self.evaluated(state, &inputs, guard) else {
            self.is_complete = false;
            return None;
        };
        let holds = value == Value::Bool(true);
        let condition = self.symbolic(state, &inputs, guard);
        match condition {
            None => holds.then_some(Attempt { edge, holds, condition: None }),
            Some(condition) if !holds && state.bounds.exclude(&self.icfg.terms, condition) => None,
            Some(condition) => Some(Attempt { edge, holds, condition: Some(condition) }),
        }
    }

    /// What stands for the inputs of an edge from here.
    fn inputs(&mut self, state: &State, edge: EdgeId) -> Vec<(Variable, Variable)> {
        let icfg = self.icfg;
        match &icfg.edge(edge).action {
            Action::Step(step) => {
                let inputs = step.inputs.iter().enumerate();
                inputs
                    .map(|(at, input)| (input.variable, self.input(state.n_inputs + at, &input.domain)))
                    .collect()
            }
            Action::Call(_) => Vec::new(),
        }
    }

    /// The input of a path with this number and domain.
    fn input(&mut self, number: usize, domain: &Domain) -> Variable {
        let input = self.icfg.terms.declare(&format!("input {number} of {domain}"), &domain.sort());
        let zero = Value::int(0);
        let usual = || if domain.sort() == zero.sort() && domain.has(&zero) { zero } else { domain.first() };
        self.usual.entry(input).or_insert_with(usual);
        input
    }

    /// Gives a value to all variables that an edge reads and that have none yet: any of their domains.
    fn look_at(&mut self, state: &mut State, edge: EdgeId) {
        for at in 0..self.facts[edge.index()].reads.len() {
            let variable = self.facts[edge.index()].reads[at];
            self.look_at_variable(state, variable);
        }
    }

    pub(super) fn look_at_variable(&mut self, state: &mut State, variable: Variable) {
        if Self::seen(state, variable).is_some() {
            return;
        }
        let Some(cell) = self.icfg.cell(variable) else { return };
        let is_global = cell.owner.is_none();
        let input = self.input(state.n_inputs, &cell.domain);
        state.n_inputs += 1;
        self.enter(state, input, &cell.domain);
        let begun = if is_global { None } else { state.top.begun };
        state.looked_at.push((begun, variable, input));
        let seen =
            Seen { value: self.input_value(state, input), term: Some(self.icfg.terms.variable(input)) };
        let cells = if is_global { &mut state.globals } else { &mut state.top.cells };
        cells.insert(variable, seen);
    }

    /// Notes that an input is of its domain.
    fn enter(&mut self, state: &mut State, input: Variable, domain: &Domain) {
        state.bounds.enter(input, domain);
        if matches!(domain, Domain::Array(..)) && !domain.is_whole() {
            let within = domain.contains(&self.icfg.terms, self.icfg.terms.variable(input));
            state.condition = Some(self.paths.condition(&self.icfg.terms, state.condition, within));
        }
    }

    fn seen(state: &State, variable: Variable) -> Option<&Seen> {
        state.top.cells.get(variable).or_else(|| state.globals.get(variable))
    }

    /// The value of a term of the program.
    fn evaluated(&self, state: &State, inputs: &[(Variable, Variable)], term: Term) -> Option<Value> {
        let known = |variable| {
            if let Some(seen) = Self::seen(state, variable) {
                return Some(seen.value.clone());
            }
            let (_, input) = inputs.iter().find(|(own, _)| *own == variable)?;
            Some(self.input_value(state, *input))
        };
        evaluate(&self.icfg.terms, term, &known).ok()
    }

    /// A term of the program as one over inputs; nothing if it does not depend on them.
    fn symbolic(&mut self, state: &State, inputs: &[(Variable, Variable)], term: Term) -> Option<Term> {
        let terms = &self.icfg.terms;
        let read = self.paths.variables_of(terms, term);
        let depends = |variable: &Variable| match Self::seen(state, *variable) {
            Some(seen) => seen.term.is_some(),
            None => true,
        };
        if !read.iter().any(depends) {
            return None;
        }
        let mut known = Vec::new();
        for &variable in read.iter() {
            let is = match Self::seen(state, variable) {
                Some(seen) => seen.term.unwrap_or_else(|| terms.value(&seen.value)),
                None => match inputs.iter().find(|(own, _)| *own == variable) {
                    Some(&(_, input)) => terms.variable(input),
                    None => continue,
                },
            };
            known.push((variable, is));
        }
        let mut term = Substitution::new(known).apply(terms, term);
        let inputs = self.paths.variables_of(terms, term);
        let known =
            inputs.iter().filter_map(|&input| Some((input, terms.integer(state.bounds.only(input)?))));
        let known: Vec<(Variable, Term)> = known.collect();
        if !known.is_empty() {
            term = Substitution::new(known).apply(terms, term);
        }
        if terms.has_choices(term) {
            term = self.simplified(&state.bounds, term);
        }
        (!self.paths.variables_of(terms, term).is_empty()).then_some(term)
    }

    /// What a term of the program is, in the case that inputs are in; deep terms are replaced by their values.
    fn looked_up(
        &mut self,
        state: &mut State,
        taking: &mut Taking,
        inputs: &[(Variable, Variable)],
        term: Term,
    ) -> Option<Seen> {
        let value = self.evaluated(state, inputs, term)?;
        loop {
            let Some(symbolic) = self.symbolic(state, inputs, term) else {
                return Some(Seen { value, term: None });
            };
            if let Some(cases) = self.cases(state, symbolic) {
                self.split(state, taking, inputs, cases);
                continue;
            }
            if self.depth(symbolic) <= DEEPEST {
                return Some(Seen { value, term: Some(symbolic) });
            }
            let terms = &self.icfg.terms;
            let same = terms.equal(symbolic, terms.value(&value));
            self.assume(state, same);
            self.is_complete = false;
            return Some(Seen { value, term: None });
        }
    }

    /// Goes on in one case, and leaves the others.
    fn split(
        &mut self,
        state: &mut State,
        taking: &mut Taking,
        inputs: &[(Variable, Variable)],
        cases: Cases,
    ) {
        let terms = &self.icfg.terms;
        let guard = self.facts[taking.edge.index()].guard;
        let guard = self.symbolic(&taking.before, inputs, guard).unwrap_or_else(|| terms.boolean(true));
        let distance = self.way_of(&taking.before, taking.edge);
        for other in cases.others {
            let Some(distance) = distance else { continue };
            let case = terms.and(taking.cases.iter().copied().chain([other]).collect::<Vec<Term>>());
            let (edge, condition) = (Some(taking.edge), Some(terms.and([guard, case])));
            let state = Rc::new(taking.before.clone());
            self.leave(Way { state, edge, condition, case: Some(case), distance });
        }
        taking.cases.push(cases.is);
        self.assume(state, cases.is);
    }

    /// How deeply a term is nested.
    fn depth(&mut self, term: Term) -> u32 {
        let mut open = vec![term];
        while let Some(&last) = open.last() {
            if self.depths.contains_key(&last) {
                open.pop();
                continue;
            }
            let parts = self.icfg.terms.kind(last).operands();
            let before = open.len();
            open.extend(parts.iter().filter(|part| !self.depths.contains_key(part)));
            if open.len() == before {
                let depth = parts.iter().map(|part| self.depths[part]).max().map_or(0, |depth| depth + 1);
                self.depths.insert(last, depth);
                open.pop();
            }
        }
        self.depths[&term]
    }

    /// Notes a condition that holds for the values of inputs.
    pub(super) fn assume(&mut self, state: &mut State, condition: Term) {
        let terms = &self.icfg.terms;
        let mut is_known = false;
        for part in terms.conjuncts(condition) {
            let variables = self.paths.variables_of(terms, part);
            let only = variables.first().copied().filter(|_| variables.len() == 1);
            let before = only.and_then(|variable| state.bounds.only(variable));
            match state.bounds.note(terms, part) {
                Noted::Whole => {}
                Noted::Partly => {
                    state.condition = Some(self.paths.condition(terms, state.condition, part));
                }
            }
            is_known |=
                before.is_none() && only.is_some_and(|variable| state.bounds.only(variable).is_some());
        }
        self.versions += 1;
        state.version = self.versions;
        if is_known {
            // The only value is what it has now, but terms can be said without it.
            self.refresh(state);
        }
    }

    /// Takes an edge that can be taken with the values of inputs as they are.
    pub(super) fn take(&mut self, state: &mut State, edge: EdgeId) -> Option<()> {
        let icfg = self.icfg;
        self.taken[edge.index()] += 1;
        self.look_at(state, edge);
        let mut taking = Taking { before: state.clone(), edge, cases: Vec::new() };
        let inputs = self.inputs(state, edge);
        if let Some(condition) = self.symbolic(state, &inputs, self.facts[edge.index()].guard) {
            if let Action::Step(step) = &icfg.edge(edge).action {
                for (input, &(_, own)) in step.inputs.iter().zip(&inputs) {
                    self.enter(state, own, &input.domain);
                }
            }
            self.assume(state, condition);
        }
        state.n_inputs += inputs.len();
        state.is_exact &= icfg.edge(edge).is_exact;
        match &icfg.edge(edge).action {
            Action::Step(step) => {
                let mut new = Vec::new();
                for (&variable, &term) in &step.updates {
                    new.push((variable, self.looked_up(state, &mut taking, &inputs, term)?));
                }
                new.into_iter().for_each(|(variable, seen)| self.set(state, variable, seen));
                self.note(state, edge, Move::Step, inputs);
                state.top.point = icfg.edge(edge).target;
            }
            Action::Call(call) => self.enter_callee(state, &mut taking, call)?,
        }
        Some(())
    }

    fn set(&self, state: &mut State, variable: Variable, seen: Seen) {
        let is_global = self.icfg.cell(variable).is_none_or(|cell| cell.owner.is_none());
        let cells = if is_global { &mut state.globals } else { &mut state.top.cells };
        cells.insert(variable, seen);
    }

    fn note(&mut self, state: &mut State, edge: EdgeId, what: Move, inputs: Vec<(Variable, Variable)>) {
        let arbitrary = std::mem::take(&mut state.looked_at).into_boxed_slice();
        let taken =
            Taken { before: state.path, edge, what, depth: state.depth, inputs: inputs.into(), arbitrary };
        state.path = Some(self.paths.step(taken));
    }

    fn enter_callee(&mut self, state: &mut State, taking: &mut Taking, call: &Call) -> Option<()> {
        let edge = taking.edge;
        let callee = self.icfg.procedure(call.callee);
        let mut cells = Cells::default();
        for (&formal, &argument) in callee.formals.iter().zip(&call.arguments) {
            cells.insert(formal, self.looked_up(state, taking, &[], argument)?);
        }
        self.note(state, edge, Move::Call, Vec::new());
        let frame = Frame {
            procedure: call.callee,
            point: callee.entry,
            called_by: Some(edge),
            beyond: self.distances.from(self.icfg.edge(edge).target, state.top.beyond),
            cells,
            begun: state.path,
        };
        let frame = std::mem::replace(&mut state.top, frame);
        self.waiting.push(Waiting { frame, epoch: state.epoch, below: state.below });
        state.below = Some(self.waiting.len() - 1);
        state.depth += 1;
        Some(())
    }

    /// Goes on where the running activation was called.
    fn come_back(&mut self, state: &mut State) -> Option<()> {
        let icfg = self.icfg;
        let edge = state.top.called_by?;
        let Action::Call(call) = &icfg.edge(edge).action else { return None };
        let results = &icfg.procedure(call.callee).results;
        let mut taken = Vec::new();
        for (&result, taker) in results.iter().zip(&call.results) {
            if let Some(taker) = taker {
                self.look_at_variable(state, result);
                taken.push((*taker, Self::seen(state, result)?.clone()));
            }
        }
        self.note(state, edge, Move::Return, Vec::new());
        let waiting = self.waiting[state.below?].clone();
        state.top = waiting.frame;
        state.below = waiting.below;
        state.depth -= 1;
        if waiting.epoch != state.epoch {
            let mut cells = state.top.cells.clone();
            self.refresh_cells(state, &mut cells);
            state.top.cells = cells;
        }
        taken.into_iter().for_each(|(variable, seen)| self.set(state, variable, seen));
        state.top.point = icfg.edge(edge).target;
        Some(())
    }

    /// The run to a state at a target, if it is one.
    fn refutation(&mut self, state: &State) -> Option<Refutation> {
        let value = |input| self.input_value(state, input);
        let mut run = self.paths.run(state.path, &state.looked_at, &value);
        let fixed = self.fixed.iter().map(|(&variable, value)| (variable, value.clone()));
        run.initial.extend(fixed);
        match run.replay(self.icfg) {
            Ok(end) if self.is_target[end.point().index()] => {
                Some(Refutation { is_exact: state.is_exact, run, end })
            }
            _ => {
                self.statistics.mismatches += 1;
                self.is_complete = false;
                None
            }
        }
    }

    /// Points, for those who make a search.
    pub(super) fn targets_of(n_points: usize, targets: &[PointId]) -> Vec<bool> {
        let mut is_target = vec![false; n_points];
        targets.iter().for_each(|target| is_target[target.index()] = true);
        is_target
    }
}

/// Whether a state is one that the run was in before: then it goes on so forever.
fn repeats(now: &State, before: &State) -> bool {
    now.path != before.path
        && now.top.point == before.top.point
        && now.below == before.below
        && now.version == before.version
        && now.n_inputs == before.n_inputs
        && now.top.cells.is_same(&before.top.cells)
        && now.globals.is_same(&before.globals)
}
