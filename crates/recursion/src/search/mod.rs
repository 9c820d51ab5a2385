//! A search for runs to given points: dynamic symbolic execution \[GLM08\].
//!
//! A state has concrete values, and terms over the inputs of the path beside them. A run goes on by the values; wherever other inputs,
//! or another choice, would lead elsewhere, that way is noted with the state before it. A way that is taken later is first asked of
//! the solver: conditions that share inputs with it, and its own, and the answer gives inputs new values. So nothing is executed twice,
//! and all ways together are the whole program, unless its tree is infinite.
//!
//! What an input does to a long run is mostly an interval: see `bounds`. An input with one value left is no input any more, so that a
//! deep recursion runs as fast as without inputs once the path has settled how deep.
//!
//! Every run is replayed before it is told. If no way is left, all were followed to their ends, and the targets cannot be reached; steps
//! that are not exact only add ways.
//!
//! Cost: some microseconds for a step, a question to the solver for a way that intervals do not exclude. Memory: a few words for each
//! step of all runs, and a state for each place where ways are left.

mod bounds;
mod cases;
mod distance;
mod follow;
mod guess;
mod path;
mod persistent;
mod pool;
mod solve;
mod state;

use crate::{Configuration, IcfgRun, Values};
use bounds::Bounds;
use distance::Distances;
use path::Paths;
use persistent::Map;
use pool::{Pool, Way};
use rustc_hash::FxHashMap;
use solve::{FIRST, Possible};
use state::{Cells, Frame, Seen, State, Waiting};
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::{Substitution, Term, TermKind, Value, Variable, evaluate};
use tertium_program::{Action, Icfg, PointId};
use tertium_solve::Z3;
use tertium_support::{Context, Id, Limits, StopReason};

/// A run to a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The run. It was replayed in the graph.
    pub run: IcfgRun,
    /// The state that it ends in.
    pub end: Configuration,
    /// Whether all its steps are exact; else the program has to confirm it.
    pub is_exact: bool,
}

/// How far a search has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A run was found. The search can go on to find others.
    Found(Box<Refutation>),
    /// All runs were followed to their ends, and none that was not told leads to a target.
    Exhausted,
    /// The budget was used up.
    Working,
    /// What is left was too hard for the solver, or something was left out on the way.
    Stuck,
    /// A limit of the run was reached.
    Stopped(StopReason),
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStatistics {
    /// How often a run was begun or gone on with.
    pub runs: usize,
    /// Steps of all runs.
    pub steps: usize,
    /// Ways that guessed inputs lead to.
    pub guesses: usize,
    /// Questions to the solver.
    pub questions: usize,
    /// Runs to targets that could not be replayed.
    pub mismatches: usize,
}

/// What an edge reads, and when it can be taken.
struct EdgeFacts {
    reads: Vec<Variable>,
    guard: Term,
}

/// A search that can be gone on with.
pub struct Search<'a> {
    icfg: &'a Icfg,
    is_target: Vec<bool>,
    distances: Distances,
    facts: Vec<EdgeFacts>,
    /// Globals whose values at the beginning the program says.
    fixed: Values,
    /// How often each edge was taken.
    taken: Vec<u64>,
    pool: Pool,
    /// Ways that the solver gave up on.
    hard: Vec<Way>,
    patience: u32,
    paths: Paths,
    waiting: Vec<Waiting>,
    usual: FxHashMap<Variable, Value>,
    depths: FxHashMap<Term, u32>,
    solver: Z3,
    epoch: u64,
    versions: u64,
    is_complete: bool,
    statistics: SearchStatistics,
    /// Steps of runs that had slept.
    slept: usize,
}

/// Runs that have slept get one step of so many.
const SHARE: usize = 2;

impl<'a> Search<'a> {
    /// A search for runs to any of these points.
    pub fn new(icfg: &'a Icfg, targets: &[PointId]) -> Self {
        let mut search = Self {
            icfg,
            is_target: Self::targets_of(icfg.points().len(), targets),
            distances: Distances::new(icfg, targets),
            facts: icfg.edges().iter().map(|edge| EdgeFacts::new(icfg, &edge.action)).collect(),
            fixed: Values::new(),
            taken: vec![0; icfg.edges().len()],
            pool: Pool::default(),
            hard: Vec::new(),
            patience: FIRST,
            paths: Paths::default(),
            waiting: Vec::new(),
            usual: FxHashMap::default(),
            depths: FxHashMap::default(),
            solver: Z3::with_steps(FIRST),
            epoch: 0,
            versions: 0,
            is_complete: true,
            statistics: SearchStatistics::default(),
            slept: 0,
        };
        search.begin();
        search
    }

    /// What was done so far.
    pub fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    /// How many ways are left.
    pub fn n_left(&self) -> usize {
        self.pool.len() + self.hard.len()
    }

    /// Goes on for so many units of work.
    pub fn step(&mut self, context: &Context, budget: u64) -> Progress {
        let (part, _) = context.branch_with(Limits { work: Some(budget), ..Limits::default() });
        loop {
            match self.next(&part) {
                Ok(Some(progress)) => return progress,
                Ok(None) => {}
                Err(_) => {
                    return context.poll().err().map_or(Progress::Working, Progress::Stopped);
                }
            }
        }
    }

    /// Takes the next way that is left.
    fn next(&mut self, context: &Context) -> Result<Option<Progress>, StopReason> {
        context.poll()?;
        let taken = &self.taken;
        let is_late = self.slept > self.statistics.steps / SHARE;
        let mut way = if is_late { self.pool.take(|edge| taken[edge.index()]) } else { None };
        let mut is_awake = way.is_some();
        if way.is_none() {
            way = self.pool.wake();
        }
        if way.is_none() {
            way = self.pool.take(|edge| taken[edge.index()]);
            is_awake = true;
        }
        let Some(way) = way else { return Ok(self.nothing_left()) };
        let before = self.statistics.steps;
        let turns = way.state.turns;
        let progress = self.go(context, way);
        if !is_awake {
            let steps = self.statistics.steps - before;
            self.slept += steps;
            self.pool.slept(turns, steps);
        }
        progress
    }

    /// Goes one way.
    fn go(&mut self, context: &Context, way: Way) -> Result<Option<Progress>, StopReason> {
        let mut state = (*way.state).clone();
        if let Some(condition) = way.condition
            && self.value(&state, condition) != Some(Value::Bool(true))
        {
            match self.satisfy(context, &mut state, condition) {
                Ok(Possible::Yes) => {}
                Ok(Possible::No) => return Ok(None),
                Ok(Possible::Unknown) => {
                    self.hard.push(way);
                    return Ok(None);
                }
                Err(reason) => {
                    self.leave(way);
                    return Err(reason);
                }
            }
        }
        if way.edge.is_some() {
            // Another run begins here.
            state.turns = 0;
        }
        if let Some(case) = way.case {
            self.assume(&mut state, case);
        }
        let gone_on = match (way.edge, way.condition) {
            (Some(edge), _) => self.take(&mut state, edge),
            (None, Some(condition)) => {
                self.assume(&mut state, condition);
                Some(())
            }
            (None, None) => Some(()),
        };
        match gone_on {
            Some(()) => {
                let found = self.follow(context, state)?;
                Ok(found.map(|refutation| Progress::Found(Box::new(refutation))))
            }
            None => {
                self.is_complete = false;
                Ok(None)
            }
        }
    }

    /// Notes a way.
    fn leave(&mut self, way: Way) {
        self.is_complete &= self.pool.add(way);
    }

    /// What there is to say when no way is left, if that is the end.
    fn nothing_left(&mut self) -> Option<Progress> {
        if self.hard.is_empty() {
            return Some(if self.is_complete { Progress::Exhausted } else { Progress::Stuck });
        }
        if self.patience >= Z3::STEPS {
            return Some(Progress::Stuck);
        }
        self.patience = self.patience.saturating_mul(8).min(Z3::STEPS);
        self.solver = Z3::with_steps(self.patience);
        std::mem::take(&mut self.hard).into_iter().for_each(|way| self.leave(way));
        None
    }

    /// The state that the program begins in, as a way.
    fn begin(&mut self) {
        let icfg = self.icfg;
        let terms = &icfg.terms;
        let main = icfg.procedure(icfg.main);
        let Some(distance) = self.distances.from(main.entry, None) else { return };
        let mut globals = Cells::default();
        let mut others = Vec::new();
        for part in terms.conjuncts(icfg.initial) {
            match constant(icfg, part) {
                Some((variable, value)) if globals.get(variable).is_none() => {
                    self.fixed.insert(variable, value.clone());
                    globals.insert(variable, Seen { value, term: None });
                }
                _ => others.push(part),
            }
        }
        let top = Frame {
            procedure: icfg.main,
            point: main.entry,
            called_by: None,
            beyond: None,
            cells: Cells::default(),
            begun: None,
        };
        let mut state = State {
            globals,
            top,
            below: None,
            depth: 1,
            path: None,
            condition: None,
            bounds: Bounds::default(),
            chosen: Map::default(),
            epoch: 0,
            version: 0,
            turns: 0,
            n_inputs: 0,
            looked_at: Vec::new(),
            is_exact: true,
        };
        let others = terms.and(others);
        terms
            .variables_of(others)
            .into_iter()
            .for_each(|variable| self.look_at_variable(&mut state, variable));
        let read = terms.variables_of(others).into_iter();
        let known = read.filter_map(|variable| {
            let seen = state.globals.get(variable)?;
            Some((variable, seen.term.unwrap_or_else(|| terms.value(&seen.value))))
        });
        let condition = Substitution::new(known).apply(terms, others);
        let condition = (terms.as_bool(condition) != Some(true)).then_some(condition);
        self.leave(Way { state: Rc::new(state), edge: None, condition, case: None, distance });
    }
}

impl EdgeFacts {
    fn new(icfg: &Icfg, action: &Action) -> Self {
        let terms = &icfg.terms;
        let mut reads: BTreeSet<Variable> = BTreeSet::new();
        let guard = match action {
            Action::Step(step) => {
                reads.extend(step.updates.values().flat_map(|&term| terms.variables_of(term)));
                step.guard
            }
            Action::Call(call) => {
                // A call is one where arguments are of the domains of the formals.
                let formals = &icfg.procedure(call.callee).formals;
                let given = formals.iter().copied().zip(call.arguments.iter().copied());
                reads.extend(call.arguments.iter().flat_map(|&term| terms.variables_of(term)));
                Substitution::new(given).apply(terms, icfg.within(formals.iter().copied()))
            }
        };
        reads.extend(terms.variables_of(guard));
        reads.retain(|&variable| icfg.cell(variable).is_some());
        Self { reads: reads.into_iter().collect(), guard }
    }
}

/// A variable and its value, if a condition says just that.
fn constant(icfg: &Icfg, condition: Term) -> Option<(Variable, Value)> {
    let terms = &icfg.terms;
    let variable = |term| match terms.kind(term) {
        TermKind::Variable(variable) if icfg.globals().contains(&variable) => Some(variable),
        _ => None,
    };
    let fixed = |term| {
        let is_fixed = terms.variables_of(term).is_empty();
        is_fixed.then(|| evaluate(terms, term, &|_| None).ok()).flatten()
    };
    let (variable, value) = match terms.kind(condition) {
        TermKind::Variable(_) => (variable(condition)?, Value::Bool(true)),
        TermKind::Not(inner) => (variable(inner)?, Value::Bool(false)),
        TermKind::Exactly(form, value) => (variable(form)?, Value::Int(value)),
        TermKind::Equal(left, right) => match (variable(left), variable(right)) {
            (Some(own), _) if fixed(right).is_some() => (own, fixed(right)?),
            (_, Some(own)) => (own, fixed(left)?),
            _ => return None,
        },
        _ => return None,
    };
    icfg.cell(variable)?.domain.has(&value).then_some((variable, value))
}
