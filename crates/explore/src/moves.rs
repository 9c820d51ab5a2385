//! Transitions as code over packed states.
//!
//! A conjunct of a guard that speaks of one variable with few values is computed beforehand for each of them: a set of
//! transitions for each value, and the transitions that can be enabled at a state are what the sets of its values have
//! in common. Only the rest of a guard is run. With one control variable for each process that leaves hardly more than
//! the enabled transitions. If there are many transitions, sets would be long: then only those are looked at whose
//! guards ask for a value that the state has, see `by_value`.
//!
//! What a transition always does, whatever the state is, is written a word at a time.

use crate::by_value::ByValue;
use crate::code::{Code, elements_written};
use crate::packed::{Elements, Layout};
use crate::ranges::{Inputs, Odometer};
use std::collections::BTreeMap;
use tertium_expr::{Term, Variable};
use tertium_program::{Input, Program};
use tertium_system::{Next, NumberPlace, StepLabel};

/// So many values may a variable have whose conjuncts are computed beforehand.
const MOST_VALUES: u64 = 1 << 10;
/// So many words of transitions are gone through for each state.
const FEW_WORDS: usize = 8;

/// A transition: where it is enabled, and what variables become. It may depend on inputs.
#[derive(Clone, Debug)]
pub struct StepTerms<'a> {
    /// What its steps are labelled with.
    pub label: StepLabel,
    /// Where it is enabled.
    pub guard: Term,
    /// What variables become.
    pub updates: Vec<(Variable, Term)>,
    /// What is chosen.
    pub inputs: &'a [Input],
}

/// What a transition asks for and does, apart from what is known beforehand.
#[derive(Clone, Debug, Default)]
struct Move {
    /// The rest of the guard, if there is one, without what inputs have a say in.
    guard: Option<Code>,
    /// What is chosen.
    inputs: Inputs,
    /// What inputs have a say in.
    input_guard: Option<Code>,
    /// What always becomes of some bits of words: which word, which bits, and what they become.
    fixed: Vec<(u32, u64, u64)>,
    /// What else changes.
    writes: Vec<Write>,
    /// The variables that it changes.
    changed: Vec<usize>,
    /// The words that it changes; if it writes elements, all.
    words: Option<Vec<u32>>,
}

/// A change of a state.
#[derive(Clone, Debug)]
enum Write {
    /// A place gets a number.
    Number(NumberPlace, Code),
    /// The element at an index gets a number.
    Element(Box<Elements>, Code, Code),
    /// Something that code cannot tell.
    Unable,
}

/// For each value of a variable the transitions that it does not forbid.
#[derive(Clone, Debug)]
struct Selector {
    place: NumberPlace,
    /// As many words for each value as sets of transitions have.
    sets: Vec<u64>,
}

/// How the transitions of a state are found that can be enabled there.
#[derive(Clone, Debug)]
enum Finding {
    /// Those that are not forbidden everywhere, and sets that leave some out.
    Sets { possible: Vec<u64>, selectors: Vec<Selector> },
    /// By values that guards ask for.
    ByValue(ByValue),
}

/// All transitions of a program.
#[derive(Clone, Debug)]
pub struct Moves {
    layout: Layout,
    labels: Vec<StepLabel>,
    moves: Vec<Move>,
    finding: Finding,
}

impl Default for Moves {
    fn default() -> Self {
        let finding = Finding::Sets { possible: Vec::new(), selectors: Vec::new() };
        Self { layout: Layout::default(), labels: Vec::new(), moves: Vec::new(), finding }
    }
}

/// What is used again from state to state.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The words of the next state, and what else is kept of it.
    pub next: Vec<u64>,
    /// For code.
    pub stack: Vec<i64>,
    /// Sets of transitions.
    sets: Vec<u64>,
    /// The transitions that can be enabled, in order.
    candidates: Vec<u32>,
    /// Next states that wait for the others of their transition.
    waiting: Vec<u64>,
    odometer: Odometer,
}

/// What comes of trying a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
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
        let n_words = steps.len().div_ceil(64);
        let mut building = Building { program, layout: &layout, n_words, selectors: BTreeMap::new() };
        let possible = |step: &StepTerms<'_>| program.terms.as_bool(step.guard) != Some(false);
        let (moves, finding) = if n_words > FEW_WORDS {
            let guards = steps.iter().map(|step| possible(step).then_some(step.guard));
            let (by_value, known) = ByValue::new(&program.terms, &layout, guards);
            let compile = |(step, known)| building.compile(step, |part| known == Some(part));
            (steps.iter().zip(known).map(compile).collect(), Finding::ByValue(by_value))
        } else {
            let mut sets = vec![0; n_words];
            let mut moves = Vec::new();
            for (n, step) in steps.iter().enumerate() {
                let selected = building.select_all(n, step);
                moves.push(building.compile(step, |part| selected.contains(&part)));
                sets[n / 64] |= u64::from(possible(step)) << (n % 64);
            }
            let selectors = building.selectors.into_values().collect();
            (moves, Finding::Sets { possible: sets, selectors })
        };
        let labels = steps.iter().map(|step| step.label).collect();
        Self { layout, labels, moves, finding }
    }

    /// Where variables are.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
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

    /// The variables that a transition changes.
    #[inline]
    pub fn changed(&self, transition: usize) -> impl Iterator<Item = usize> {
        self.moves[transition].changed.iter().copied()
    }

    /// Reports what can happen at a state, transition by transition. The words of a state may have more words behind
    /// them; `complete` gives these to the next state in the scratch, for the transition that leads there, and says
    /// whether it was able to.
    #[inline]
    pub fn successors(
        &self,
        words: &[u64],
        scratch: &mut Scratch,
        mut complete: impl FnMut(usize, &mut Scratch) -> bool,
        mut report: impl FnMut(Next<'_>),
    ) {
        scratch.next.clear();
        scratch.next.extend_from_slice(words);
        self.find(words, scratch);
        for n in 0..scratch.candidates.len() {
            let transition = scratch.candidates[n] as usize;
            let (own, label) = (&self.moves[transition], self.labels[transition]);
            match test(&own.guard, words, &[], &mut scratch.stack) {
                Tried::Disabled => continue,
                Tried::Taken => {}
                Tried::Unable => {
                    scratch.stack.clear();
                    report(Next::Ask(label));
                    continue;
                }
            }
            if !matches!(own.inputs, Inputs::None) {
                self.try_inputs(transition, words, scratch, &mut complete, &mut report);
                continue;
            }
            match own.assign(words, &[], &mut scratch.next, &mut scratch.stack) {
                Tried::Disabled => {}
                Tried::Taken if complete(transition, scratch) => report(Next::State(label, &scratch.next)),
                Tried::Taken | Tried::Unable => {
                    scratch.stack.clear();
                    report(Next::Ask(label));
                }
            }
            own.undo(words, &mut scratch.next);
        }
    }

    /// Finds the transitions that can be enabled at a state.
    #[inline]
    fn find(&self, words: &[u64], scratch: &mut Scratch) {
        let Scratch { sets, candidates, .. } = scratch;
        candidates.clear();
        let (possible, selectors) = match &self.finding {
            Finding::ByValue(by_value) => return by_value.find(words, candidates),
            Finding::Sets { possible, selectors } => (possible, selectors),
        };
        if let [possible] = possible[..] {
            // The most usual case by far.
            let own = |selector: &Selector| selector.sets[selector.place.place.get(words) as usize];
            let set = selectors.iter().fold(possible, |set, selector| set & own(selector));
            return list(0, set, candidates);
        }
        sets.clone_from(possible);
        for selector in selectors {
            let at = selector.place.place.get(words) as usize * sets.len();
            sets.iter_mut().zip(&selector.sets[at..]).for_each(|(word, &other)| *word &= other);
        }
        sets.iter().enumerate().for_each(|(n, &set)| list(64 * n as u32, set, candidates));
    }

    /// Reports what an enabled transition with inputs can do. If code is not able to tell of some values, it tells of
    /// none.
    fn try_inputs(
        &self,
        transition: usize,
        words: &[u64],
        scratch: &mut Scratch,
        complete: &mut impl FnMut(usize, &mut Scratch) -> bool,
        report: &mut impl FnMut(Next<'_>),
    ) {
        let (own, label) = (&self.moves[transition], self.labels[transition]);
        let ranges = match &own.inputs {
            Inputs::Open => return report(Next::Open(label)),
            Inputs::None | Inputs::Unable => return report(Next::Ask(label)),
            Inputs::Ranges(ranges) => ranges,
        };
        let mut waiting = std::mem::take(&mut scratch.waiting);
        let mut odometer = std::mem::take(&mut scratch.odometer);
        waiting.clear();
        odometer.start(ranges);
        let (mut able, mut n_taken) = (true, 0);
        while able && let Some(values) = odometer.next(ranges) {
            match own.assign(words, values, &mut scratch.next, &mut scratch.stack) {
                Tried::Disabled => {}
                Tried::Taken if complete(transition, scratch) => {
                    n_taken += 1;
                    waiting.extend_from_slice(&scratch.next);
                }
                Tried::Taken | Tried::Unable => able = false,
            }
            own.undo(words, &mut scratch.next);
        }
        let n_words = scratch.next.len();
        match able {
            true => {
                (0..n_taken).for_each(|n| report(Next::State(label, &waiting[n * n_words..][..n_words])));
            }
            false => {
                scratch.stack.clear();
                report(Next::Ask(label));
            }
        }
        (scratch.waiting, scratch.odometer) = (waiting, odometer);
    }
}

/// Lists the members of a set of numbers from this one on.
#[inline]
fn list(from: u32, mut set: u64, members: &mut Vec<u32>) {
    while set != 0 {
        members.push(from + set.trailing_zeros());
        set &= set - 1;
    }
}

impl Move {
    /// Makes the next state, if the inputs are such that there is one.
    #[inline]
    fn assign(&self, words: &[u64], inputs: &[i64], next: &mut [u64], stack: &mut Vec<i64>) -> Tried {
        match test(&self.input_guard, words, inputs, stack) {
            Tried::Taken => {}
            other => return other,
        }
        for &(word, mask, bits) in &self.fixed {
            let word = &mut next[word as usize];
            *word = *word & !mask | bits;
        }
        for write in &self.writes {
            if !write.apply(words, inputs, next, stack) {
                return Tried::Unable;
            }
        }
        Tried::Taken
    }

    /// Makes the next state the one that is being followed again.
    #[inline]
    fn undo(&self, words: &[u64], next: &mut [u64]) {
        match &self.words {
            Some(changed) => changed.iter().for_each(|&word| next[word as usize] = words[word as usize]),
            None => next[..words.len()].copy_from_slice(words),
        }
    }
}

impl Write {
    /// Makes the change. False if code is not able to.
    #[inline]
    fn apply(&self, words: &[u64], inputs: &[i64], next: &mut [u64], stack: &mut Vec<i64>) -> bool {
        match self {
            Self::Number(place, code) => {
                code.run_with(words, inputs, stack).is_some_and(|number| place.set(next, number))
            }
            Self::Element(elements, index, code) => {
                let (index, number) =
                    (index.run_with(words, inputs, stack), code.run_with(words, inputs, stack));
                let (Some(index), Some(number)) = (index, number) else { return false };
                match elements.at(index) {
                    Some(place) => place.set(next, number),
                    // What is written outside stays what it was, or the array leaves its domain.
                    None => number == elements.first,
                }
            }
            Self::Unable => false,
        }
    }
}

/// Whether a guard holds.
#[inline]
fn test(guard: &Option<Code>, words: &[u64], inputs: &[i64], stack: &mut Vec<i64>) -> Tried {
    match guard.as_ref().map(|guard| guard.run_with(words, inputs, stack)) {
        Some(None) => Tried::Unable,
        Some(Some(0)) => Tried::Disabled,
        Some(Some(_)) | None => Tried::Taken,
    }
}

/// Sets while they grow.
struct Building<'a> {
    program: &'a Program,
    layout: &'a Layout,
    n_words: usize,
    selectors: BTreeMap<usize, Selector>,
}

impl Building<'_> {
    /// Compiles a transition, without those conjuncts of its guard that are known to hold where it is tried.
    fn compile(&self, step: &StepTerms<'_>, is_known: impl Fn(Term) -> bool) -> Move {
        let (terms, layout) = (&self.program.terms, self.layout);
        let inputs: Vec<Variable> = step.inputs.iter().map(|input| input.variable).collect();
        let (mut rest, mut of_inputs) = (Vec::new(), Vec::new());
        for part in terms.conjuncts(step.guard).into_iter().filter(|&part| !is_known(part)) {
            let mentioned = terms.variables_of(part);
            let list =
                if inputs.iter().any(|input| mentioned.contains(input)) { &mut of_inputs } else { &mut rest };
            list.push((mentioned.len(), part));
        }
        let all = |mut parts: Vec<(usize, Term)>| {
            // What looks at less is likely to be cheaper.
            parts.sort_by_key(|&(n_mentioned, _)| n_mentioned);
            let parts: Vec<Term> = parts.into_iter().map(|(_, part)| part).collect();
            (!parts.is_empty()).then(|| Code::of_all(terms, layout, &inputs, &parts))
        };
        let mut compiled = Move {
            guard: all(rest),
            inputs: Inputs::of(step.inputs),
            input_guard: all(of_inputs),
            words: Some(Vec::new()),
            ..Move::default()
        };
        for &(variable, term) in &step.updates {
            let id = layout.id(variable).expect("only variables of the program change");
            compiled.changed.push(id);
            match layout.elements(id) {
                None => {
                    let place = layout.place(id).expect("it has one place or many");
                    compiled.add_number(place, Code::with_inputs(terms, layout, &inputs, term));
                }
                Some(elements) => {
                    match elements_written(terms, layout, &inputs, (variable, &elements), term) {
                        Some(written) => compiled.add_elements(elements, written),
                        None => compiled.writes.push(Write::Unable),
                    }
                }
            }
        }
        compiled
    }

    /// Leaves to the sets what they can say of the guard of a transition; these are the conjuncts.
    fn select_all(&mut self, transition: usize, step: &StepTerms<'_>) -> Vec<Term> {
        let terms = &self.program.terms;
        let mut selected = Vec::new();
        for part in terms.conjuncts(step.guard) {
            let mentioned = terms.variables_of(part);
            let only = mentioned.iter().next().filter(|_| mentioned.len() == 1);
            if let Some(id) = only.and_then(|&variable| self.layout.id(variable)) {
                let code = Code::new(terms, self.layout, part);
                if self.select(transition, id, &code) {
                    selected.push(part);
                }
            }
        }
        selected
    }

    /// Leaves the transition in the sets of those values only where a conjunct holds that speaks of this variable only.
    /// False if there are too many, or the code is not able to tell.
    fn select(&mut self, transition: usize, variable: usize, conjunct: &Code) -> bool {
        let Some(place) = self.layout.place(variable) else { return false };
        let (low, high) = (place.numbers.low(), place.numbers.high());
        if place.numbers.has_spare() || high.abs_diff(low) >= MOST_VALUES {
            return false;
        }
        let (mut words, mut stack) = (vec![0; self.layout.n_words()], Vec::new());
        let mut truths = Vec::new();
        for value in low..=high {
            place.set(&mut words, value);
            let Some(truth) = conjunct.run(&words, &mut stack) else { return false };
            truths.push(truth != 0);
        }
        let n_words = self.n_words;
        let selector = self
            .selectors
            .entry(variable)
            .or_insert_with(|| Selector { place, sets: vec![u64::MAX; truths.len() * n_words] });
        for (n, _) in truths.into_iter().enumerate().filter(|&(_, truth)| !truth) {
            selector.sets[n * n_words + transition / 64] &= !(1 << (transition % 64));
        }
        true
    }
}

impl Move {
    /// A place gets what code says, whatever else is written.
    fn add_number(&mut self, own: NumberPlace, code: Code) {
        self.note_word(own);
        match code.constant().and_then(|number| own.numbers.raw_of(number)) {
            Some(raw) => self.fix(own, raw),
            None => self.writes.push(Write::Number(own, code)),
        }
    }

    /// Elements of an array get what code says, in this order.
    fn add_elements(&mut self, elements: Elements, written: Vec<(Code, Code)>) {
        // What is fixed is written first: no other write to the array may come before it.
        let mut any_writes = false;
        for (index, code) in written {
            match index.constant().and_then(|index| elements.at(index)) {
                Some(place) if !any_writes && code.constant().is_some() => self.add_number(place, code),
                Some(place) => {
                    self.note_word(place);
                    self.writes.push(Write::Number(place, code));
                    any_writes = true;
                }
                None => {
                    self.words = None;
                    self.writes.push(Write::Element(Box::new(elements), index, code));
                    any_writes = true;
                }
            }
        }
    }

    /// The bits of a place become these in any case.
    fn fix(&mut self, own: NumberPlace, raw: u64) {
        let (word, mask) = (own.place.word() as u32, own.place.mask());
        if mask == 0 {
            return;
        }
        let bits = raw << mask.trailing_zeros();
        match self.fixed.iter_mut().find(|fixed| fixed.0 == word) {
            // Of several writes to one place the last counts.
            Some(fixed) => *fixed = (word, fixed.1 | mask, fixed.2 & !mask | bits),
            None => self.fixed.push((word, mask, bits)),
        }
    }

    fn note_word(&mut self, own: NumberPlace) {
        let word = own.place.word() as u32;
        if let Some(words) = &mut self.words
            && own.place.bits() > 0
            && !words.contains(&word)
        {
            words.push(word);
        }
    }
}
