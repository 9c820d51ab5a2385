//! Transitions as code over packed states.
//!
//! A conjunct of a guard that speaks of one variable with few values is computed beforehand for each of them: a set of transitions for each value, and the
//! transitions that can be enabled at a state are what the sets of its values have in common. Only the rest of a guard is run. With one
//! control variable for each process that leaves hardly more than the enabled transitions.

use crate::TransitionId;
use crate::code::Code;
use crate::packed::Layout;
use crate::transition::Deterministic;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tertium_expr::{Term, Variable};
use tertium_program::Program;

/// So many values may a variable have whose conjuncts are computed beforehand.
const MOST_VALUES: u64 = 1 << 10;
/// So many words may the sets of one variable take.
const MOST_WORDS: usize = 1 << 14;

/// What a transition asks for and does, apart from what the sets say.
#[derive(Clone, Debug)]
struct Move {
    /// The rest of the guard, if there is one.
    guard: Option<Code>,
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
pub(crate) struct Moves {
    layout: Layout,
    variables: FxHashMap<Variable, u32>,
    ids: Vec<TransitionId>,
    moves: Vec<Move>,
    /// Those that are not forbidden everywhere.
    possible: Vec<u64>,
    selectors: Vec<Selector>,
}

/// A state that is being followed, and the next one. Reused from state to state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Its words, and what else is kept of it.
    pub(crate) words: Vec<u64>,
    /// Its values.
    pub(crate) values: Vec<i64>,
    /// The transitions that can be enabled.
    pub(crate) enabled: Vec<u64>,
    /// Those of the next state.
    pub(crate) next: Vec<u64>,
    /// The values of the next state.
    pub(crate) next_values: Vec<i64>,
    /// For code.
    pub(crate) stack: Vec<i64>,
}

/// What comes of trying a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tried {
    /// It is not enabled.
    Disabled,
    /// It leads to the next state in the scratch.
    Taken,
    /// The code cannot tell.
    Unable,
}

impl Moves {
    /// Compiles transitions.
    pub(crate) fn new(program: &Program, transitions: &[(TransitionId, Deterministic<'_>)]) -> Self {
        let terms = &program.terms;
        let layout = Layout::new(program);
        let variables: FxHashMap<Variable, u32> =
            program.variables().iter().map(|own| own.variable).zip(0..).collect();
        let n_words = transitions.len().div_ceil(64);
        let mut building = Building {
            layout: &layout,
            stack: Vec::new(),
            values: vec![0; program.variables().len()],
            n_words,
            selectors: BTreeMap::new(),
        };
        let mut possible = vec![0; n_words];
        let mut moves = Vec::new();
        for (n, (_, own)) in transitions.iter().enumerate() {
            let mut rest: Vec<Term> = Vec::new();
            for part in terms.conjuncts(own.guard) {
                let mentioned = terms.variables_of(part);
                let only = mentioned.iter().next().and_then(|variable| variables.get(variable));
                let only = only.filter(|_| mentioned.len() == 1);
                let code = Code::new(terms, &variables, part);
                if !only.is_some_and(|&variable| building.select(n, variable as usize, &code)) {
                    rest.push(part);
                }
            }
            if terms.as_bool(own.guard) != Some(false) {
                possible[n / 64] |= 1 << (n % 64);
            }
            // What looks at less is likely to be cheaper.
            rest.sort_by_key(|&part| terms.variables_of(part).len());
            let guard = (!rest.is_empty()).then(|| Code::of_all(terms, &variables, &rest));
            let updates = own
                .updates
                .iter()
                .map(|&(variable, term)| (variables[&variable] as usize, Code::new(terms, &variables, term)));
            moves.push(Move { guard, updates: updates.collect() });
        }
        let selectors = building.selectors.into_values().collect();
        let ids = transitions.iter().map(|(id, _)| *id).collect();
        Self { layout, variables, ids, moves, possible, selectors }
    }

    /// Where variables are.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The numbers of variables.
    pub(crate) fn variables(&self) -> &FxHashMap<Variable, u32> {
        &self.variables
    }

    /// How many transitions there are.
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The id of a transition.
    #[inline]
    pub(crate) fn id(&self, transition: usize) -> TransitionId {
        self.ids[transition]
    }

    /// The variables that a transition changes.
    pub(crate) fn changed(&self, transition: usize) -> impl Iterator<Item = usize> {
        self.moves[transition].updates.iter().map(|&(variable, _)| variable)
    }

    /// Goes to a state, given by words that begin with it. Says whether its values are small enough for code; if not, nothing may be tried.
    #[inline]
    pub(crate) fn enter(&self, words: &[u64], scratch: &mut Scratch) -> bool {
        scratch.words.clear();
        scratch.words.extend_from_slice(words);
        scratch.next.clear();
        scratch.next.extend_from_slice(words);
        scratch.values.resize(self.variables.len(), 0);
        if !self.layout.numbers(words, &mut scratch.values) {
            return false;
        }
        scratch.next_values.clone_from(&scratch.values);
        scratch.enabled.clone_from(&self.possible);
        for selector in &self.selectors {
            let value = scratch.values[selector.variable].abs_diff(selector.low) as usize;
            let n_words = scratch.enabled.len();
            let set = &selector.sets[value * n_words..][..n_words];
            scratch.enabled.iter_mut().zip(set).for_each(|(word, &other)| *word &= other);
        }
        true
    }

    /// Tries a transition that the sets allow. The next state is in the scratch until [`Moves::undo`].
    #[inline]
    pub(crate) fn attempt(&self, transition: usize, scratch: &mut Scratch) -> Tried {
        let own = &self.moves[transition];
        let Scratch { values, next, next_values, stack, .. } = scratch;
        if let Some(guard) = &own.guard {
            match guard.run(values, stack) {
                None => return Tried::Unable,
                Some(0) => return Tried::Disabled,
                Some(_) => {}
            }
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
    pub(crate) fn undo(&self, transition: usize, scratch: &mut Scratch) {
        let n_words = self.layout.n_words();
        scratch.next[..n_words].copy_from_slice(&scratch.words[..n_words]);
        scratch.stack.clear();
        for (variable, _) in &self.moves[transition].updates {
            scratch.next_values[*variable] = scratch.values[*variable];
        }
    }
}

/// Sets while they grow.
struct Building<'a> {
    layout: &'a Layout,
    stack: Vec<i64>,
    values: Vec<i64>,
    n_words: usize,
    selectors: BTreeMap<usize, Selector>,
}

impl Building<'_> {
    /// Leaves the transition in the sets of those values only where a conjunct holds that speaks of this variable only. False if there are too
    /// many, or the code is not able to tell.
    fn select(&mut self, transition: usize, variable: usize, conjunct: &Code) -> bool {
        let Some(domain) = self.layout.field(variable).values(MOST_VALUES) else { return false };
        let mut truths = Vec::new();
        for value in domain.clone() {
            self.values[variable] = value;
            let Some(truth) = conjunct.run(&self.values, &mut self.stack) else { return false };
            truths.push(truth != 0);
        }
        let n_words = self.n_words;
        if truths.len() * n_words > MOST_WORDS {
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
