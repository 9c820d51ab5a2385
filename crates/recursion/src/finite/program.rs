//! The base semantics of a program with finite domains: its states, and what its edges relate.
//!
//! A state is a control point with a value for each variable in scope. States are numbered point by point. A step is a
//! relation of states at its two points; a call relates a state of the caller to the states at the entry of the callee
//! (locals that are no formals have any values), and a state of the caller with an exit state to the state after the
//! return. A call whose argument is not in the domain of its formal is not enabled; nor is a return of such a result.
//!
//! Cost: one evaluation for each state, step that leaves it, and combination of inputs.

use rustc_hash::FxHashMap;
use std::fmt;
use tertium_expr::{Term, Value, Variable, evaluate};
use tertium_program::{Action, Call, Domain, EdgeId, Icfg, PointId, ProcedureId, Step};
use tertium_support::{Context, Id, StopReason};

/// At most so many states are written out.
const MOST_STATES: usize = 1 << 22;

/// Why a program is not written out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotFinite {
    /// This variable or input has infinitely many values.
    Unbounded(String),
    /// There are more states than can be kept.
    TooMany,
    /// A limit of the run was reached.
    Stopped(StopReason),
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unbounded(name) => write!(f, "`{name}` has infinitely or too many values"),
            Self::TooMany => write!(f, "there are more than {MOST_STATES} states"),
            Self::Stopped(reason) => write!(f, "stopped: {reason:?}"),
        }
    }
}

impl From<StopReason> for NotFinite {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

/// The variables in scope in a procedure, with their values.
#[derive(Clone, Debug)]
struct Frame {
    variables: Vec<(Variable, Vec<Value>)>,
    place: FxHashMap<Variable, usize>,
    n_valuations: usize,
}

impl Frame {
    /// The values of a valuation, as numbers of values.
    fn digits(&self, mut valuation: usize) -> Vec<usize> {
        let mut digits = vec![0; self.variables.len()];
        for (digit, (_, values)) in digits.iter_mut().zip(&self.variables) {
            *digit = valuation % values.len();
            valuation /= values.len();
        }
        digits
    }

    fn valuation(&self, digits: &[usize]) -> usize {
        let places = self.variables.iter().zip(digits).rev();
        places.fold(0, |valuation, ((_, values), digit)| valuation * values.len() + digit)
    }

    /// The number of a value of a variable; nothing if it is none of its domain.
    fn digit(&self, place: usize, value: &Value) -> Option<usize> {
        self.variables[place].1.binary_search(value).ok()
    }
}

/// A program with finite domains, written out.
#[derive(Debug)]
pub struct FiniteProgram<'p> {
    icfg: &'p Icfg,
    frames: Vec<Frame>,
    /// By point, its first state; one more at the end.
    first: Vec<usize>,
    /// By state, in order: the steps that can be taken.
    steps: Vec<Vec<(EdgeId, usize)>>,
    /// By state, in order: the calls that can be made, each with all states at the entry.
    calls: Vec<Vec<(EdgeId, Vec<usize>)>>,
}

impl<'p> FiniteProgram<'p> {
    /// Writes a program out.
    pub fn new(context: &Context, icfg: &'p Icfg) -> Result<Self, NotFinite> {
        let frames = (0..icfg.procedures().len()).map(|id| frame(icfg, ProcedureId::new(id)));
        let frames = frames.collect::<Result<Vec<Frame>, NotFinite>>()?;
        let (mut first, mut n) = (Vec::new(), 0);
        for point in icfg.points() {
            first.push(n);
            n += frames[point.procedure.index()].n_valuations;
            if n > MOST_STATES {
                return Err(NotFinite::TooMany);
            }
        }
        first.push(n);
        let (steps, calls) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        let mut program = Self { icfg, frames, first, steps, calls };
        let mut ticker = context.ticker("states of a finite program");
        for (id, edge) in EdgeId::first(icfg.edges().len()).zip(icfg.edges()) {
            for state in program.states_at(edge.source) {
                match &edge.action {
                    Action::Step(step) => {
                        let inputs = step.all_inputs().ok_or_else(|| unbounded(icfg, step))?;
                        ticker.tick(inputs.len())?;
                        let ends =
                            inputs.iter().filter_map(|inputs| program.take(state, step, inputs, edge.target));
                        let ends: Vec<_> = ends.map(|end| (id, end)).collect();
                        program.steps[state].extend(ends);
                    }
                    Action::Call(call) => {
                        let entries = program.entries(state, call);
                        ticker.tick(1 + entries.len())?;
                        if !entries.is_empty() {
                            program.calls[state].push((id, entries));
                        }
                    }
                }
            }
        }
        for steps in &mut program.steps {
            steps.sort_unstable();
            steps.dedup();
        }
        Ok(program)
    }

    /// The program.
    pub fn icfg(&self) -> &'p Icfg {
        self.icfg
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.steps.len()
    }

    /// The states at a point.
    pub fn states_at(&self, point: PointId) -> std::ops::Range<usize> {
        self.first[point.index()]..self.first[point.index() + 1]
    }

    /// The point of a state.
    pub fn point(&self, state: usize) -> PointId {
        PointId::new(self.first.partition_point(|&first| first <= state) - 1)
    }

    /// The steps from a state.
    pub fn steps(&self, state: usize) -> &[(EdgeId, usize)] {
        &self.steps[state]
    }

    /// The calls from a state, with the states at the entry of the callee.
    pub fn calls(&self, state: usize) -> &[(EdgeId, Vec<usize>)] {
        &self.calls[state]
    }

    /// The value of a variable in a state; nothing if it is not in scope.
    pub fn value(&self, state: usize, variable: Variable) -> Option<&Value> {
        let (frame, digits) = self.digits(state);
        let place = *frame.place.get(&variable)?;
        Some(&frame.variables[place].1[digits[place]])
    }

    /// Whether a condition over the variables in scope holds in a state.
    pub fn holds(&self, state: usize, condition: Term) -> bool {
        let value = evaluate(&self.icfg.terms, condition, &|variable| self.value(state, variable).cloned());
        value.expect("the condition is about variables in scope") == Value::Bool(true)
    }

    /// The states that the program begins in.
    pub fn initial(&self) -> impl Iterator<Item = usize> + '_ {
        let entry = self.icfg.procedure(self.icfg.main).entry;
        self.states_at(entry).filter(|&state| self.holds(state, self.icfg.initial))
    }

    /// What the return needs of the caller: the values of its own variables that the call does not assign.
    pub(super) fn kept(&self, caller: usize, call: &Call) -> Vec<usize> {
        let (frame, mut digits) = self.digits(caller);
        let n_globals = self.icfg.globals().len();
        for result in call.results.iter().flatten() {
            digits[frame.place[result]] = usize::MAX;
        }
        digits.split_off(n_globals)
    }

    /// What the return needs of the exit: the values of globals and of caller's variables after it, where it decides
    /// them. Nothing if a result is not in the domain of the variable that takes it.
    pub(super) fn given(&self, caller: ProcedureId, exit: usize, call: &Call) -> Option<Vec<usize>> {
        let (callee, after) = self.digits(exit);
        let (frame, n_globals) = (&self.frames[caller.index()], self.icfg.globals().len());
        let mut given = vec![usize::MAX; frame.variables.len()];
        given[..n_globals].copy_from_slice(&after[..n_globals]);
        for (result, taker) in self.icfg.procedure(call.callee).results.iter().zip(&call.results) {
            if let Some(taker) = taker {
                let place = callee.place[result];
                let taker = frame.place[taker];
                given[taker] = frame.digit(taker, &callee.variables[place].1[after[place]])?;
            }
        }
        Some(given)
    }

    /// The state after a return.
    pub fn after_return(&self, caller: usize, edge: EdgeId, exit: usize) -> Option<usize> {
        let edge = self.icfg.edge(edge);
        let Action::Call(call) = &edge.action else { return None };
        let procedure = self.icfg.point(edge.source).procedure;
        let given = self.given(procedure, exit, call)?;
        let (frame, before) = self.digits(caller);
        let digits: Vec<usize> = before
            .iter()
            .zip(&given)
            .map(|(&before, &given)| if given == usize::MAX { before } else { given })
            .collect();
        Some(self.first[edge.target.index()] + frame.valuation(&digits))
    }

    fn digits(&self, state: usize) -> (&Frame, Vec<usize>) {
        let point = self.point(state);
        let frame = &self.frames[self.icfg.point(point).procedure.index()];
        (frame, frame.digits(state - self.first[point.index()]))
    }

    fn take(&self, state: usize, step: &Step, inputs: &[Value], target: PointId) -> Option<usize> {
        let (frame, mut digits) = self.digits(state);
        let before = digits.clone();
        let value = |variable: Variable| {
            let input = step.inputs.iter().position(|input| input.variable == variable);
            let own = || frame.place.get(&variable).map(|&at| frame.variables[at].1[before[at]].clone());
            input.map(|at| inputs[at].clone()).or_else(own)
        };
        let compute = |term| {
            evaluate(&self.icfg.terms, term, &value).expect("steps are about variables in scope and inputs")
        };
        if compute(step.guard) != Value::Bool(true) {
            return None;
        }
        for (variable, &term) in &step.updates {
            let place = frame.place[variable];
            digits[place] = frame.digit(place, &compute(term))?;
        }
        Some(self.first[target.index()] + frame.valuation(&digits))
    }

    /// The states at the entry of the callee.
    fn entries(&self, state: usize, call: &Call) -> Vec<usize> {
        let (frame, digits) = self.digits(state);
        let callee = &self.frames[call.callee.index()];
        let procedure = self.icfg.procedure(call.callee);
        let value = |variable: Variable| {
            frame.place.get(&variable).map(|&at| frame.variables[at].1[digits[at]].clone())
        };
        let n_globals = self.icfg.globals().len();
        let mut fixed = vec![None; callee.variables.len()];
        for (place, &digit) in digits[..n_globals].iter().enumerate() {
            fixed[place] = Some(digit);
        }
        for (formal, &argument) in procedure.formals.iter().zip(&call.arguments) {
            let value =
                evaluate(&self.icfg.terms, argument, &value).expect("arguments are about variables in scope");
            let place = callee.place[formal];
            let Some(digit) = callee.digit(place, &value) else { return Vec::new() };
            fixed[place] = Some(digit);
        }
        let mut all = vec![Vec::new()];
        for (fixed, (_, values)) in fixed.iter().zip(&callee.variables) {
            let choices = fixed.map_or(0..values.len(), |digit| digit..digit + 1);
            all = all
                .iter()
                .flat_map(|before: &Vec<usize>| choices.clone().map(|digit| [&before[..], &[digit]].concat()))
                .collect();
        }
        let first = self.first[procedure.entry.index()];
        all.iter().map(|digits| first + callee.valuation(digits)).collect()
    }
}

fn frame(icfg: &Icfg, procedure: ProcedureId) -> Result<Frame, NotFinite> {
    let (mut variables, mut place, mut n_valuations) = (Vec::new(), FxHashMap::default(), 1usize);
    for variable in icfg.in_scope(procedure) {
        let cell = icfg.cell(variable).expect("a variable in scope is declared");
        let values =
            cell.domain.values(MOST_STATES).ok_or_else(|| NotFinite::Unbounded(cell.name.clone()))?;
        n_valuations = n_valuations.checked_mul(values.len()).ok_or(NotFinite::TooMany)?;
        place.insert(variable, variables.len());
        variables.push((variable, values));
    }
    if n_valuations > MOST_STATES {
        return Err(NotFinite::TooMany);
    }
    Ok(Frame { variables, place, n_valuations })
}

fn unbounded(icfg: &Icfg, step: &Step) -> NotFinite {
    let infinite = step.inputs.iter().find(|input| !Domain::is_finite(&input.domain));
    infinite.map_or(NotFinite::TooMany, |input| NotFinite::Unbounded(icfg.terms.name(input.variable)))
}
