//! Flat models as state spaces: states as words, steps found by the interpreter, inputs as labels.
//!
//! A label is the input of a step, as the bits of its values. Inputs with more bits than a label has are numbered in the
//! order in which they are met; their steps have to be asked for, by one thread.
//!
//! A step is one input and one target; two inputs to the same target are two steps. What propositions and fairness
//! constraints say of states and steps is evaluated afterwards, on what was listed.

use crate::interpret::{Buffers, Fault, Halt, Input, Interpreter, State, Valuation, When, parts, value_text};
use crate::pack::Packing;
use crate::{Atom, Expr, ExprKind, Value, VarId};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::RefCell;
use std::sync::Arc;
use tertium_support::{Context, Id, IdSet, StopReason, Ticker};
use tertium_system::{
    ActionId, InitialWords, Modality, Next, PartialSystem, StateGraph, StateId, StateSet, StateSpace,
    StepFairness, StepId, StepLabel, StepSet, Steps, Stop, StopOf, SystemBuilder, UNLABELLED,
};
use tertium_truth::Belnap;

/// So many values are tried between two looks at the limits.
const BETWEEN: u32 = 1 << 12;

/// A model with its states as words.
#[derive(Debug)]
pub struct SmvSpace<'m> {
    steps: SmvSteps<'m>,
    /// Inputs that are no labels by themselves, in the order in which they were met.
    wide: RefCell<IndexSet<Box<[u64]>, FxBuildHasher>>,
}

/// The steps of a model.
#[derive(Debug)]
pub struct SmvSteps<'m> {
    context: Context,
    interpreter: Arc<Interpreter<'m>>,
    states: Packing,
    inputs: Packing,
    /// By definition: whether it reads inputs.
    reads_input: Vec<bool>,
}

/// Memory that is used again.
#[derive(Debug, Default)]
pub struct SmvScratch {
    buffers: Buffers,
    input: Vec<u64>,
    next: Vec<u64>,
    /// How many values were tried since the last look at the limits.
    tried: u32,
}

impl From<Halt> for Stop<Fault> {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Fault(fault) => Stop::Fault(fault),
            Halt::Stopped(reason) => Stop::Limit(reason),
        }
    }
}

impl<'m> SmvSpace<'m> {
    /// The space of a model.
    pub fn new(context: &Context, interpreter: Arc<Interpreter<'m>>) -> Self {
        let model = interpreter.model();
        let mut reads_input: Vec<bool> = Vec::with_capacity(model.defines.len());
        for define in &model.defines {
            let reads = mentions_input(&interpreter, &reads_input, &define.body);
            reads_input.push(reads);
        }
        let states = Packing::new(model, interpreter.state_variables());
        let inputs = Packing::new(model, interpreter.input_variables());
        let steps = SmvSteps { context: context.clone(), interpreter, states, inputs, reads_input };
        Self { steps, wide: RefCell::default() }
    }

    /// Who finds its steps.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.steps.interpreter
    }

    /// The state that words stand for.
    pub fn state(&self, words: &[u64]) -> State {
        State(self.steps.states.values(words))
    }

    /// The input that a label stands for.
    pub fn input(&self, label: StepLabel) -> Input {
        Input(self.steps.inputs.values(&self.input_words(label)))
    }

    fn input_words(&self, label: StepLabel) -> Vec<u64> {
        match self.steps.has_wide_inputs() {
            true => self.wide.borrow()[label as usize].to_vec(),
            false => vec![u64::from(label)],
        }
    }

    /// Where expressions hold, at all states of a graph.
    pub fn state_sets<G: StateGraph>(
        &self,
        context: &Context,
        graph: &G,
        exprs: &[&Expr],
    ) -> Result<Vec<StateSet>, Halt> {
        let mut sets = vec![StateSet::empty(graph.n_states()); exprs.len()];
        if exprs.is_empty() {
            return Ok(sets);
        }
        let mut places = Evaluation::new(context, self);
        for state in StateId::first(graph.n_states()) {
            places.enter(graph.words(state))?;
            for (expr, set) in exprs.iter().zip(&mut sets) {
                if places.valuation.truth(expr, When::Now)? {
                    set.insert(state);
                }
            }
        }
        Ok(sets)
    }

    /// At which steps of a graph expressions hold. At a state without steps, what has no meaning does not hold: no step needs it. What
    /// reads inputs holds at steps only.
    pub fn step_sets<G: StateGraph>(
        &self,
        context: &Context,
        graph: &G,
        exprs: &[&Expr],
    ) -> Result<Vec<StepSet>, Halt> {
        let by_state = |expr: &&Expr| match self.steps.reads_input(expr) {
            true => StepSet::Steps(IdSet::empty(graph.n_steps())),
            false => StepSet::From(StateSet::empty(graph.n_states())),
        };
        let mut sets: Vec<StepSet> = exprs.iter().map(by_state).collect();
        if exprs.is_empty() {
            return Ok(sets);
        }
        let mut places = Evaluation::new(context, self);
        // What the last input said.
        let mut known = vec![false; exprs.len()];
        for state in StateId::first(graph.n_states()) {
            let steps = graph.steps(state);
            let is_end = steps.is_empty();
            if is_end && !graph.is_followed(state) {
                continue;
            }
            places.enter(graph.words(state))?;
            for (expr, set) in exprs.iter().zip(&mut sets) {
                let StepSet::From(states) = set else { continue };
                let holds = match places.valuation.truth(expr, When::Now) {
                    Err(_) if is_end => false,
                    found => found?,
                };
                if holds {
                    states.insert(state);
                }
            }
            if sets.iter().all(|set| set.states().is_some()) {
                continue;
            }
            let mut last = None;
            for step in steps {
                let label = graph.step(step).0;
                let is_same = last == Some(label);
                if !is_same {
                    places.input(label);
                    last = Some(label);
                }
                for (at, set) in sets.iter_mut().enumerate() {
                    if let StepSet::Steps(own) = set {
                        if !is_same {
                            known[at] = places.valuation.truth(exprs[at], When::Now)?;
                        }
                        if known[at] {
                            own.insert(StepId::new(step));
                        }
                    }
                }
            }
        }
        Ok(sets)
    }

    /// The steps of the fairness constraints of the model.
    pub fn fairness<G: StateGraph>(&self, context: &Context, graph: &G) -> Result<StepFairness, Halt> {
        let model = self.steps.interpreter.model();
        let pairs = model.compassion.iter().flat_map(|(p, q)| [p, q]);
        let exprs: Vec<&Expr> = model.justice.iter().chain(pairs).collect();
        let mut sets = self.step_sets(context, graph, &exprs)?.into_iter();
        let justice = sets.by_ref().take(model.justice.len()).collect();
        let mut compassion = Vec::with_capacity(model.compassion.len());
        while let (Some(p), Some(q)) = (sets.next(), sets.next()) {
            compassion.push((p, q));
        }
        Ok(StepFairness { justice, compassion })
    }

    /// The ordinary system of a graph without open states, with these propositions. States are called by their values, actions by the
    /// values of inputs.
    pub fn to_system<G: StateGraph>(
        &self,
        context: &Context,
        graph: &G,
        atoms: &[Atom],
    ) -> Result<PartialSystem, Halt> {
        let interpreter = &self.steps.interpreter;
        let exprs: Vec<&Expr> = atoms.iter().map(|atom| &atom.expr).collect();
        let sets = self.state_sets(context, graph, &exprs)?;
        let mut builder = SystemBuilder::named();
        for state in StateId::first(graph.n_states()) {
            let values = self.state(graph.words(state));
            let name = assignment_text(interpreter, interpreter.state_variables(), &values.0);
            builder.state(if name == UNLABELLED { "state" } else { &name });
        }
        StateId::first(graph.n_initial()).for_each(|state| builder.initial(state));
        let mut actions: FxHashMap<StepLabel, ActionId> = FxHashMap::default();
        let propositions: Vec<_> =
            atoms.iter().map(|atom| builder.proposition(&atom.name, Belnap::False)).collect();
        for state in StateId::first(graph.n_states()) {
            for step in graph.steps(state) {
                let (label, target) = graph.step(step);
                let action = *actions.entry(label).or_insert_with(|| {
                    let input = self.input(label);
                    builder.action(&assignment_text(interpreter, interpreter.input_variables(), &input.0))
                });
                builder.edge(state, action, target.expect("no state is open"), Modality::Both);
            }
            for (set, &proposition) in sets.iter().zip(&propositions) {
                if set.contains(state) {
                    builder.label(state, proposition, Belnap::True);
                }
            }
        }
        Ok(builder.build())
    }
}

/// Expressions are evaluated at one state after the other.
struct Evaluation<'s, 'm> {
    space: &'s SmvSpace<'m>,
    valuation: Valuation<'s, 'm>,
    ticker: Ticker<'s>,
}

impl<'s, 'm> Evaluation<'s, 'm> {
    fn new(context: &'s Context, space: &'s SmvSpace<'m>) -> Self {
        let valuation = Valuation::new(&space.steps.interpreter);
        Self { space, valuation, ticker: context.ticker("evaluating propositions") }
    }

    /// Goes to a state, where no input is given.
    fn enter(&mut self, words: &[u64]) -> Result<(), StopReason> {
        self.ticker.tick(64)?;
        self.space.steps.states.load(words, &mut self.valuation);
        Ok(())
    }

    fn input(&mut self, label: StepLabel) {
        self.space.steps.inputs.add(&self.space.input_words(label), &mut self.valuation);
    }
}

impl SmvSteps<'_> {
    /// Whether inputs have more bits than labels.
    fn has_wide_inputs(&self) -> bool {
        self.inputs.n_bits() > StepLabel::BITS
    }

    fn reads_input(&self, expr: &Expr) -> bool {
        mentions_input(&self.interpreter, &self.reads_input, expr)
    }

    /// Finds the steps of a state: the words of the input, and those of the target.
    fn each(
        &self,
        words: &[u64],
        scratch: &mut SmvScratch,
        mut tell: impl FnMut(&[u64], &[u64]),
    ) -> Result<(), Halt> {
        let SmvScratch { buffers, input, next, tried } = scratch;
        let mut valuation = Valuation::within(&self.interpreter, std::mem::take(buffers));
        self.states.load(words, &mut valuation);
        let mut tick = || {
            *tried += 1;
            if (*tried).is_multiple_of(BETWEEN) { self.context.poll() } else { Ok(()) }
        };
        let found = self.interpreter.each_step(&mut valuation, &mut tick, &mut |valuation| {
            self.inputs.pack(valuation, When::Now, input);
            self.states.pack(valuation, When::Next, next);
            tell(input, next);
            true
        });
        // A search that failed leaves values behind.
        if found.is_ok() {
            *buffers = valuation.into_buffers();
        }
        found
    }
}

impl Steps for SmvSteps<'_> {
    type Scratch = SmvScratch;
    type Fault = Fault;

    fn n_words(&self) -> usize {
        self.states.n_words()
    }

    fn successors(
        &self,
        words: &[u64],
        scratch: &mut SmvScratch,
        mut report: impl FnMut(Next<'_>),
    ) -> Result<(), Stop<Fault>> {
        if self.has_wide_inputs() {
            report(Next::Ask(0));
            return Ok(());
        }
        let label = |input: &[u64]| input.first().map_or(0, |&bits| bits as StepLabel);
        Ok(self.each(words, scratch, |input, next| report(Next::State(label(input), next)))?)
    }
}

impl<'m> StateSpace for SmvSpace<'m> {
    type Steps = SmvSteps<'m>;

    fn steps(&self) -> &SmvSteps<'m> {
        &self.steps
    }

    fn initial(&self, context: &Context, most: usize) -> Result<InitialWords, StopOf<Self>> {
        let mut found = InitialWords { complete: true, ..InitialWords::default() };
        let mut words = Vec::new();
        let mut ticker = context.ticker("initial states");
        let interpreter = &self.steps.interpreter;
        let mut valuation = Valuation::new(interpreter);
        interpreter.each_initial(&mut valuation, &mut || ticker.tick(1), &mut |valuation| {
            if found.n_states == most {
                found.complete = false;
                return false;
            }
            self.steps.states.pack(valuation, When::Now, &mut words);
            found.words.extend_from_slice(&words);
            found.n_states += 1;
            true
        })?;
        Ok(found)
    }

    fn ask(&self, words: &[u64], _: StepLabel, report: &mut dyn FnMut(Next<'_>)) -> Result<(), StopOf<Self>> {
        let mut wide = self.wide.borrow_mut();
        self.steps.each(words, &mut SmvScratch::default(), |input, next| {
            let label = wide.get_index_of(input).unwrap_or_else(|| wide.insert_full(input.into()).0);
            report(Next::State(label as StepLabel, next));
        })?;
        Ok(())
    }
}

/// Whether an expression reads inputs, given which of the definitions that it may use do.
fn mentions_input(interpreter: &Interpreter<'_>, defines: &[bool], expr: &Expr) -> bool {
    let mut waiting = vec![expr];
    while let Some(expr) = waiting.pop() {
        let found = match &expr.kind {
            ExprKind::Variable(variable) => interpreter.input_variables().contains(variable),
            ExprKind::Define(define) => defines[define.index()],
            _ => false,
        };
        if found {
            return true;
        }
        waiting.extend(parts(expr));
    }
    false
}

/// `x = 1, y = TRUE`; without variables the empty text, which names the unlabelled action.
fn assignment_text(interpreter: &Interpreter<'_>, variables: &[VarId], values: &[Value]) -> String {
    let model = interpreter.model();
    let one = |(variable, value): (&VarId, &Value)| {
        format!("{} = {}", model.variables[variable.index()].name, value_text(model, *value))
    };
    let all: Vec<String> = variables.iter().zip(values).map(one).collect();
    if all.is_empty() { UNLABELLED.to_owned() } else { all.join(", ") }
}
