//! Transitions as code over packed states.
//!
//! A conjunct of a guard that speaks of one variable with few values is computed beforehand for each of them: a set of
//! transitions for each value, and the transitions that can be enabled at a state are what the sets of its values have
//! in common. Only the rest of a guard is run. With one control variable for each process that leaves hardly more than
//! the enabled transitions. If there are many transitions, only those that leave from the locations of a state are looked
//! at.

use crate::code::Code;
use crate::edges::Edges;
use crate::packed::Layout;
use crate::ranges::{Inputs, Odometer};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tertium_expr::{Term, Variable};
use tertium_program::{Input, LocId, Program};
use tertium_system::{Next, StepLabel};

/// So many values may a variable have whose conjuncts are computed beforehand.
const MOST_VALUES: u64 = 1 << 10;
/// So many words of transitions are gone through without regard to locations.
const FEW_WORDS: usize = 8;
/// So many words may the sets of one variable take.
const MOST_WORDS: usize = 1 << 14;
/// So many words of sets are looked at for each state, however few transitions there are.
const FEW_TESTS: usize = 1 << 10;

/// A transition: where it is enabled, and what variables become. It may depend on inputs.
#[derive(Clone, Debug)]
pub struct StepTerms<'a> {
    /// The location that it leaves from.
    pub source: LocId,
    /// What its steps are labelled with.
    pub label: StepLabel,
    /// Where it is enabled.
    pub guard: Term,
    /// What variables become.
    pub updates: Vec<(Variable, Term)>,
    /// What is chosen.
    pub inputs: &'a [Input],
}

/// What a transition asks for and does, apart from what the sets say.
#[derive(Clone, Debug)]
struct Move {
    /// The rest of the guard, if there is one, without what inputs have a say in.
    guard: Option<Code>,
    /// What is chosen.
    inputs: Inputs,
    /// What inputs have a say in.
    input_guard: Option<Code>,
    /// What variables become.
    updates: Vec<(usize, Code)>,
}

/// For each value of a variable the transitions that it does not forbid.
#[derive(Clone, Debug)]
struct Selector {
    variable: usize,
    low: i64,
    /// As many words for each value as sets of transitions have.
    sets: Vec<u64>,
}

/// All transitions of a program.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    layout: Layout,
    variables: FxHashMap<Variable, u32>,
    /// How many values code has at most: those of the variables, and then those of inputs.
    n_values: usize,
    labels: Vec<StepLabel>,
    moves: Vec<Move>,
    /// Those that are not forbidden everywhere.
    possible: Vec<u64>,
    /// Which of them leave from where, if there are many.
    edges: Option<Edges>,
    selectors: Vec<Selector>,
}

/// A state that is being followed, and the next one. Reused from state to state.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Its words, and what else is kept of it.
    pub words: Vec<u64>,
    /// Its values, and those of inputs.
    pub values: Vec<i64>,
    /// The transitions that can be enabled.
    pub enabled: Vec<u64>,
    /// The words of the next state.
    pub next: Vec<u64>,
    /// The values of the next state.
    pub next_values: Vec<i64>,
    /// For code.
    pub stack: Vec<i64>,
    /// Next states that wait for the others of their transition.
    waiting: Vec<u64>,
    odometer: Odometer,
}

/// What comes of trying a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It is not enabled.
    Disabled,
    /// It leads to the next state in the scratch.
    Taken,
    /// The code cannot tell.
    Unable,
}

impl Moves {
    /// Compiles transitions.
    pub fn new<'a>(program: &Program, steps: impl IntoIterator<Item = StepTerms<'a>>) -> Self {
        let steps: Vec<StepTerms<'a>> = steps.into_iter().collect();
        let layout = Layout::new(program);
        let variables: FxHashMap<Variable, u32> =
            program.variables().iter().map(|own| own.variable).zip(0..).collect();
        let n_words = steps.len().div_ceil(64);
        let n_values = variables.len() + steps.iter().map(|step| step.inputs.len()).max().unwrap_or_default();
        let n_variables = variables.len();
        let mut building = Building {
            program,
            layout: &layout,
            variables,
            stack: Vec::new(),
            values: vec![0; n_values],
            n_words,
            selectors: BTreeMap::new(),
        };
        let mut possible = vec![0; n_words];
        let mut moves = Vec::new();
        for (n, step) in steps.iter().enumerate() {
            moves.push(building.compile(n, step));
            if program.terms.as_bool(step.guard) != Some(false) {
                possible[n / 64] |= 1 << (n % 64);
            }
        }
        let (selectors, variables) = (building.selectors.into_values().collect(), building.variables);
        debug_assert_eq!(variables.len(), n_variables, "inputs are gone");
        let labels = steps.iter().map(|step| step.label).collect();
        let edges = (n_words > FEW_WORDS).then(|| {
            let sources = steps.iter().map(|step| step.source);
            Edges::new(program.locations(), &layout, sources, &possible)
        });
        Self { layout, variables, n_values, labels, moves, possible, edges, selectors }
    }

    /// Where variables are.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The numbers of variables.
    #[inline]
    pub fn variables(&self) -> &FxHashMap<Variable, u32> {
        &self.variables
    }

    /// How many transitions there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// What the steps of a transition are labelled with.
    #[inline]
    pub fn label(&self, transition: usize) -> StepLabel {
        self.labels[transition]
    }

    /// The variables that a transition changes.
    #[inline]
    pub fn changed(&self, transition: usize) -> impl Iterator<Item = usize> {
        self.moves[transition].updates.iter().map(|&(variable, _)| variable)
    }

    /// Goes to a state, given by words that begin with it. Says whether its values are small enough for code; if not,
    /// nothing may be tried.
    #[inline]
    pub fn enter(&self, words: &[u64], scratch: &mut Scratch) -> bool {
        scratch.words.clear();
        scratch.words.extend_from_slice(words);
        scratch.next.clear();
        scratch.next.extend_from_slice(words);
        scratch.values.resize(self.n_values, 0);
        if !self.layout.numbers(words, &mut scratch.values) {
            return false;
        }
        scratch.next_values.clone_from(&scratch.values);
        match &self.edges {
            None => scratch.enabled.clone_from(&self.possible),
            Some(edges) => {
                scratch.enabled.clear();
                scratch.enabled.resize(self.possible.len(), 0);
                for &transition in edges.at(&scratch.values) {
                    scratch.enabled[transition as usize / 64] |= 1 << (transition % 64);
                }
            }
        }
        for selector in &self.selectors {
            let value = scratch.values[selector.variable].abs_diff(selector.low) as usize;
            let n_words = scratch.enabled.len();
            let set = &selector.sets[value * n_words..][..n_words];
            scratch.enabled.iter_mut().zip(set).for_each(|(word, &other)| *word &= other);
        }
        true
    }

    /// Reports what can happen at a state, transition by transition.
    pub fn successors(&self, words: &[u64], scratch: &mut Scratch, mut report: impl FnMut(Next<'_>)) {
        if !self.enter(words, scratch) {
            return self.labels.iter().for_each(|&label| report(Next::Ask(label)));
        }
        for n in 0..scratch.enabled.len() {
            let mut left = scratch.enabled[n];
            while left != 0 {
                let transition = n * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let label = self.labels[transition];
                if !matches!(self.moves[transition].inputs, Inputs::None) {
                    self.try_inputs(transition, scratch, &mut report);
                    continue;
                }
                match self.attempt(transition, scratch) {
                    Tried::Disabled => continue,
                    Tried::Taken => report(Next::State(label, &scratch.next)),
                    Tried::Unable => report(Next::Ask(label)),
                }
                self.undo(transition, scratch);
            }
        }
    }

    /// Reports what a transition with inputs can do. If code is not able to tell of some values, it tells of none.
    fn try_inputs(&self, transition: usize, scratch: &mut Scratch, report: &mut impl FnMut(Next<'_>)) {
        let (own, label) = (&self.moves[transition], self.labels[transition]);
        match (test(&own.guard, &scratch.values, &mut scratch.stack), &own.inputs) {
            (Tried::Disabled, _) => {}
            (Tried::Taken, Inputs::Open) => report(Next::Open(label)),
            (Tried::Taken, Inputs::Ranges(ranges)) => {
                let mut waiting = std::mem::take(&mut scratch.waiting);
                let mut odometer = std::mem::take(&mut scratch.odometer);
                waiting.clear();
                odometer.start(ranges);
                let (mut able, mut n_taken) = (true, 0);
                while able && let Some(values) = odometer.next(ranges) {
                    scratch.values[self.variables.len()..][..values.len()].copy_from_slice(values);
                    let tried = self.assign(own, scratch);
                    able = tried != Tried::Unable;
                    if tried == Tried::Taken {
                        n_taken += 1;
                        waiting.extend_from_slice(&scratch.next);
                    }
                    self.undo(transition, scratch);
                }
                let n_words = scratch.next.len();
                match able {
                    true => (0..n_taken)
                        .for_each(|n| report(Next::State(label, &waiting[n * n_words..][..n_words]))),
                    false => report(Next::Ask(label)),
                }
                (scratch.waiting, scratch.odometer) = (waiting, odometer);
            }
            (Tried::Unable, _) | (Tried::Taken, Inputs::None | Inputs::Unable) => report(Next::Ask(label)),
        }
        scratch.stack.clear();
    }

    /// Tries a transition without inputs that the sets allow. The next state is in the scratch until [`Moves::undo`].
    #[inline]
    pub fn attempt(&self, transition: usize, scratch: &mut Scratch) -> Tried {
        let own = &self.moves[transition];
        match test(&own.guard, &scratch.values, &mut scratch.stack) {
            Tried::Taken => self.assign(own, scratch),
            other => other,
        }
    }

    /// Makes the next state, if the inputs are such that there is one.
    #[inline]
    fn assign(&self, own: &Move, scratch: &mut Scratch) -> Tried {
        let Scratch { values, next, next_values, stack, .. } = scratch;
        match test(&own.input_guard, values, stack) {
            Tried::Taken => {}
            other => return other,
        }
        for (variable, code) in &own.updates {
            let Some(value) = code.run(values, stack) else { return Tried::Unable };
            if !self.layout.field(*variable).set(next, value) {
                return Tried::Unable;
            }
            next_values[*variable] = value;
        }
        Tried::Taken
    }

    /// Makes the next state the one that is being followed again.
    #[inline]
    pub fn undo(&self, transition: usize, scratch: &mut Scratch) {
        let n_words = self.layout.n_words();
        scratch.next[..n_words].copy_from_slice(&scratch.words[..n_words]);
        scratch.stack.clear();
        for (variable, _) in &self.moves[transition].updates {
            scratch.next_values[*variable] = scratch.values[*variable];
        }
    }
}

/// Whether a guard holds.
#[inline]
fn test(guard: &Option<Code>, values: &[i64], stack: &mut Vec<i64>) -> Tried {
    match guard.as_ref().map(|guard| guard.run(values, stack)) {
        Some(None) => Tried::Unable,
        Some(Some(0)) => Tried::Disabled,
        Some(Some(_)) | None => Tried::Taken,
    }
}

/// Sets while they grow.
struct Building<'a> {
    program: &'a Program,
    layout: &'a Layout,
    /// The variables of the program; inputs while a transition that has them is compiled.
    variables: FxHashMap<Variable, u32>,
    stack: Vec<i64>,
    values: Vec<i64>,
    n_words: usize,
    selectors: BTreeMap<usize, Selector>,
}

impl Building<'_> {
    /// Compiles a transition, and leaves of its guard to the sets what they can say.
    fn compile(&mut self, transition: usize, step: &StepTerms<'_>) -> Move {
        let terms = &self.program.terms;
        let (mut rest, mut of_inputs): (Vec<Term>, Vec<Term>) = Default::default();
        for part in terms.conjuncts(step.guard) {
            let mentioned = terms.variables_of(part);
            if step.inputs.iter().any(|input| mentioned.contains(&input.variable)) {
                of_inputs.push(part);
                continue;
            }
            let only = mentioned.iter().next().and_then(|variable| self.variables.get(variable).copied());
            let only = only.filter(|_| mentioned.len() == 1);
            let code = Code::new(terms, &self.variables, part);
            if !only.is_some_and(|variable| self.select(transition, variable as usize, &code)) {
                rest.push(part);
            }
        }
        let n_variables = self.variables.len() as u32;
        self.variables.extend(step.inputs.iter().map(|input| input.variable).zip(n_variables..));
        let all = |mut parts: Vec<Term>| {
            // What looks at less is likely to be cheaper.
            parts.sort_by_key(|&part| terms.variables_of(part).len());
            (!parts.is_empty()).then(|| Code::of_all(terms, &self.variables, &parts))
        };
        let updates = step.updates.iter().map(|&(variable, term)| {
            (self.variables[&variable] as usize, Code::new(terms, &self.variables, term))
        });
        let compiled = Move {
            guard: all(rest),
            inputs: Inputs::of(step.inputs),
            input_guard: all(of_inputs),
            updates: updates.collect(),
        };
        for input in step.inputs {
            self.variables.remove(&input.variable);
        }
        compiled
    }

    /// Every state looks at a set of each selector, which should not take longer than to run all guards.
    fn most_tests(&self) -> usize {
        FEW_TESTS + 4 * 64 * self.n_words
    }

    /// Leaves the transition in the sets of those values only where a conjunct holds that speaks of this variable only.
    /// False if there are too many, or the code is not able to tell.
    fn select(&mut self, transition: usize, variable: usize, conjunct: &Code) -> bool {
        let Some(domain) = self.layout.field(variable).values(MOST_VALUES) else { return false };
        let mut truths = Vec::new();
        for value in domain.clone() {
            self.values[variable] = value;
            let Some(truth) = conjunct.run(&self.values, &mut self.stack) else { return false };
            truths.push(truth != 0);
        }
        let n_words = self.n_words;
        let is_new = !self.selectors.contains_key(&variable);
        if truths.len() * n_words > MOST_WORDS || is_new && self.selectors.len() * n_words > self.most_tests()
        {
            return false;
        }
        let selector = self.selectors.entry(variable).or_insert_with(|| Selector {
            variable,
            low: *domain.start(),
            sets: vec![u64::MAX; truths.len() * n_words],
        });
        for (n, _) in truths.into_iter().enumerate().filter(|&(_, truth)| !truth) {
            selector.sets[n * n_words + transition / 64] &= !(1 << (transition % 64));
        }
        true
    }
}
