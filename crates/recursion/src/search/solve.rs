//! Questions of the search to the solver: for which inputs a way can be taken.

use super::Search;
use super::state::{Cells, Seen, State};
use tertium_expr::{Substitution, Term, Value, Variable, evaluate};
use tertium_solve::{Answer, Solver, Z3};
use tertium_support::{Context, Id, StopReason};

/// Steps of the solver for a question at first. What it gives up on is asked again when nothing else is left, with more.
pub(super) const FIRST: u32 = Z3::STEPS / 32;

/// A solver is made anew after so many questions: it remembers all terms that it has seen.
const MOST_QUESTIONS: usize = 2_000;

/// Where a way leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Possible {
    Yes,
    No,
    Unknown,
}

impl Search<'_> {
    /// Gives inputs values for which a condition holds too.
    pub(super) fn satisfy(
        &mut self,
        context: &Context,
        state: &mut State,
        condition: Term,
    ) -> Result<Possible, StopReason> {
        let terms = &self.icfg.terms;
        if state.bounds.exclude(terms, condition) {
            return Ok(Possible::No);
        }
        let together = self.paths.together(terms, state.condition, &state.bounds, condition);
        if self.guess(state, &together) {
            self.statistics.guesses += 1;
            self.refresh(state);
            return Ok(Possible::Yes);
        }
        if self.is_settled(state, &together) {
            return Ok(Possible::No);
        }
        self.statistics.questions += 1;
        if self.statistics.questions.is_multiple_of(MOST_QUESTIONS) {
            self.solver = Z3::with_steps(self.patience);
        }
        self.solver.push();
        let (assumed, asserted): (Vec<Term>, Vec<Term>) =
            together.iter().copied().partition(|&part| terms.is_nonlinear(part));
        asserted.iter().for_each(|&part| self.solver.assert(terms, part));
        let answer = self.solver.check(context, terms, &assumed);
        self.solver.pop();
        match answer {
            Answer::Unsatisfiable => Ok(Possible::No),
            Answer::GaveUp => Ok(Possible::Unknown),
            Answer::Stopped(reason) => Err(reason),
            Answer::Satisfiable => {
                let Some(model) = self.solver.model(terms) else { return Ok(Possible::Unknown) };
                for &part in &together {
                    for variable in terms.variables_of(part) {
                        if let Some(value) = model.get(variable) {
                            state.chosen.insert(variable.index(), value.clone());
                        }
                    }
                }
                self.refresh(state);
                // A model is checked like everything else that comes from a solver.
                let holds = |&part: &Term| self.value(state, part) == Some(Value::Bool(true));
                Ok(if together.iter().all(holds) { Possible::Yes } else { Possible::Unknown })
            }
        }
    }

    /// The value of a term over inputs.
    pub(super) fn value(&self, state: &State, term: Term) -> Option<Value> {
        evaluate(&self.icfg.terms, term, &|variable| Some(self.input_value(state, variable))).ok()
    }

    /// The value of an input.
    pub(super) fn input_value(&self, state: &State, variable: Variable) -> Value {
        let usual = || self.usual.get(&variable).cloned();
        let first = || Value::default_of(&self.icfg.terms.sort_of(variable));
        state.chosen.get(variable.index()).cloned().or_else(usual).unwrap_or_else(first)
    }

    /// Computes the values of the running activation and the globals again.
    pub(super) fn refresh(&mut self, state: &mut State) {
        self.epoch += 1;
        state.epoch = self.epoch;
        let mut globals = state.globals.clone();
        let mut own = state.top.cells.clone();
        self.refresh_cells(state, &mut globals);
        self.refresh_cells(state, &mut own);
        (state.globals, state.top.cells) = (globals, own);
    }

    pub(super) fn refresh_cells(&mut self, state: &State, cells: &mut Cells) {
        let terms = &self.icfg.terms;
        for (variable, term) in cells.dependent() {
            let inputs = self.paths.variables_of(terms, term);
            let known = inputs.iter().filter_map(|&input| Some((input, state.bounds.only(input)?)));
            let known: Vec<(Variable, Term)> =
                known.map(|(input, value)| (input, terms.integer(value))).collect();
            let term = if known.is_empty() { term } else { Substitution::new(known).apply(terms, term) };
            let Some(value) = self.value(state, term) else { continue };
            let is_fixed = self.paths.variables_of(terms, term).is_empty();
            cells.insert(variable, Seen { value, term: (!is_fixed).then_some(term) });
        }
    }
}
