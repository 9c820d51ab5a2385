//! What a round does with packed states: their successors, and what it matches them by.
//!
//! A record is the words of a state and then those of its key. The key begins with the words of control; predicates
//! take what bits these leave, and more words if needed. If states are matched by themselves, the state is the key, and
//! nothing is kept twice.
//!
//! Where code is not able to tell, the interpreter is asked, so a record never depends on who made it.

use crate::precision::Scope;
use crate::{Key, Machine, Precision, TransitionId};
use fixedbitset::FixedBitSet;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;
use tertium_explore::{Code, Moves, Scratch, Tried, Wide};
use tertium_expr::Term;
use tertium_program::State;
use tertium_support::Id;
use tertium_system::{Next, StepLabel, Steps, Stop};

/// What states are matched by.
#[derive(Clone, Copy, Debug)]
pub enum Matching<'a> {
    /// By themselves: an ordinary search.
    States,
    /// By control and predicates.
    Predicates(&'a Precision),
}

/// A predicate in keys.
#[derive(Clone, Debug)]
struct Seen {
    term: Term,
    code: Code,
    /// Where it counts: everywhere, or where one of these variables has these bits.
    places: Option<Vec<(usize, u64)>>,
    /// Its bit in keys.
    word: usize,
    bit: u32,
}

/// What a round does with states. Threads share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    moves: Arc<Moves>,
    matching: bool,
    predicates: Vec<Seen>,
    /// For each transition the predicates that it can change.
    affected: Vec<Vec<usize>>,
    n_key_words: usize,
    goal: Option<(Term, Code)>,
}

impl View {
    /// For a machine and its states.
    pub(crate) fn new(
        machine: &Machine<'_>,
        matching: Matching<'_>,
        goal: Option<Term>,
        wide: &mut Wide,
    ) -> Self {
        let (moves, program) = (machine.moves(), machine.program());
        let (terms, variables, layout) = (&program.terms, moves.variables(), moves.layout());
        // Predicates take the bits that control leaves.
        let mut used: Vec<u32> = layout.control().iter().map(|mask| mask.count_ones()).collect();
        let mut affected = vec![Vec::new(); moves.len()];
        let mut predicates = Vec::new();
        let precision = match matching {
            Matching::States => None,
            Matching::Predicates(precision) => Some(precision),
        };
        for (number, predicate) in precision.into_iter().flat_map(Precision::iter).enumerate() {
            let mut place = |scope: &Scope| match scope {
                Scope::Everywhere => None,
                Scope::Location(id, value) => {
                    let inside = program.variables()[id.index()].domain.has(value);
                    let bits = |wide| (id.index(), layout.field(id.index()).raw_of(wide, value));
                    Some(inside.then(|| bits(wide)))
                }
            };
            let places: Option<Vec<_>> = predicate.scopes().map(&mut place).collect();
            let places: Option<Vec<(usize, u64)>> = places.map(|all| all.into_iter().flatten().collect());
            let mut looked_at: Vec<usize> =
                terms.variables_of(predicate.term).iter().map(|own| variables[own] as usize).collect();
            looked_at.extend(places.iter().flatten().map(|&(variable, _)| variable));
            for (transition, list) in affected.iter_mut().enumerate() {
                if moves.changed(transition).any(|variable| looked_at.contains(&variable)) {
                    list.push(number);
                }
            }
            let word = used.iter().position(|&taken| taken < 64).unwrap_or(used.len());
            if word == used.len() {
                used.push(0);
            }
            let (term, code) = (predicate.term, Code::new(terms, variables, predicate.term));
            predicates.push(Seen { term, code, places, word, bit: used[word] });
            used[word] += 1;
        }
        let goal = goal.map(|goal| (goal, Code::new(terms, variables, goal)));
        let matching = precision.is_some();
        let n_key_words = if matching { used.len() } else { 0 };
        Self { moves: Arc::clone(moves), matching, predicates, affected, n_key_words, goal }
    }

    /// How many words of a record are the state.
    #[inline]
    pub(crate) fn n_state_words(&self) -> usize {
        self.moves.layout().n_words()
    }

    /// The state of a record.
    pub(crate) fn state(&self, wide: &Wide, record: &[u64]) -> State {
        self.moves.layout().state(wide, record)
    }

    /// The key of a record. Without predicates it is the control.
    pub(crate) fn key_of(&self, wide: &Wide, record: &[u64]) -> Key {
        let words = &record[self.key()];
        let mut bits = FixedBitSet::with_capacity(self.predicates.len());
        for (number, own) in self.predicates.iter().enumerate() {
            bits.set(number, words[own.word] >> own.bit & 1 == 1);
        }
        Key { control: self.moves.layout().control_of(wide, record), bits }
    }

    /// A record of a state, made by the interpreter.
    pub(crate) fn record(&self, machine: &Machine<'_>, wide: &mut Wide, state: &State) -> Vec<u64> {
        let mut record = vec![0; Steps::n_words(self)];
        let n_state_words = self.n_state_words();
        self.moves.layout().pack(wide, state, &mut record[..n_state_words]);
        let (words, rest) = record.split_at_mut(n_state_words);
        if self.matching {
            let key = &mut rest[..self.n_key_words];
            key.iter_mut().zip(self.moves.layout().control()).zip(&*words).for_each(
                |((word, control), all)| {
                    *word = all & control;
                },
            );
            for own in self.predicates.iter().filter(|own| self.counts(own, words)) {
                key[own.word] |= u64::from(machine.interpreter().holds(state, own.term)) << own.bit;
            }
        }
        record
    }

    /// Whether a predicate counts at a state.
    #[inline]
    fn counts(&self, own: &Seen, words: &[u64]) -> bool {
        own.places.as_ref().is_none_or(|places| {
            places.iter().any(|&(variable, bits)| self.moves.layout().field(variable).raw(words) == bits)
        })
    }

    /// Makes the key of the next state in the scratch from that of the state it comes from. False if code is not able
    /// to.
    #[inline]
    fn see(&self, transition: usize, scratch: &mut Scratch) -> bool {
        let (next, key) = scratch.next.split_at_mut(self.n_state_words());
        let before = &scratch.words[self.key()];
        let key = &mut key[..self.n_key_words];
        key.copy_from_slice(before);
        for ((word, control), all) in key.iter_mut().zip(self.moves.layout().control()).zip(&*next) {
            *word = *word & !control | all & control;
        }
        for &number in &self.affected[transition] {
            let own = &self.predicates[number];
            let truth = match self.counts(own, next) {
                true => match own.code.run(&scratch.next_values, &mut scratch.stack) {
                    Some(truth) => truth as u64,
                    None => return false,
                },
                false => 0,
            };
            key[own.word] = key[own.word] & !(1 << own.bit) | truth << own.bit;
        }
        true
    }

    /// Where the interpreter says that a transition leads.
    pub(crate) fn ask(
        &self,
        machine: &Machine<'_>,
        wide: &mut Wide,
        record: &[u64],
        label: StepLabel,
        report: impl FnOnce(Next<'_>),
    ) {
        match machine.follow(&self.state(wide, record), TransitionId::from_raw(label)) {
            None => {}
            Some(next) if next.is_huge() => report(Next::Beyond(label)),
            Some(next) => report(Next::State(label, &self.record(machine, wide, &next))),
        }
    }

    /// Whether the interpreter says that the goal holds.
    pub(crate) fn is_goal_asked(&self, machine: &Machine<'_>, wide: &Wide, record: &[u64]) -> bool {
        self.goal
            .as_ref()
            .is_some_and(|&(goal, _)| machine.interpreter().holds(&self.state(wide, record), goal))
    }
}

impl Steps for View {
    type Scratch = Scratch;
    type Fault = Infallible;

    #[inline]
    fn n_words(&self) -> usize {
        self.n_state_words() + self.n_key_words
    }

    #[inline]
    fn key(&self) -> Range<usize> {
        match self.matching {
            true => self.n_state_words()..self.n_state_words() + self.n_key_words,
            false => 0..self.n_state_words(),
        }
    }

    #[inline]
    fn successors(
        &self,
        record: &[u64],
        scratch: &mut Scratch,
        mut report: impl FnMut(Next<'_>),
    ) -> Result<(), Stop<Infallible>> {
        if !self.moves.enter(record, scratch) {
            (0..self.moves.len()).for_each(|transition| report(Next::Ask(self.moves.label(transition))));
            return Ok(());
        }
        for n in 0..scratch.enabled.len() {
            let mut left = scratch.enabled[n];
            while left != 0 {
                let transition = n * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let label = self.moves.label(transition);
                match self.moves.attempt(transition, scratch) {
                    Tried::Disabled => continue,
                    Tried::Taken if !self.matching || self.see(transition, scratch) => {
                        report(Next::State(label, &scratch.next));
                    }
                    Tried::Taken | Tried::Unable => report(Next::Ask(label)),
                }
                self.moves.undo(transition, scratch);
            }
        }
        Ok(())
    }

    #[inline]
    fn is_goal(&self, record: &[u64], scratch: &mut Scratch) -> Option<bool> {
        let Some((_, code)) = &self.goal else { return Some(false) };
        if !self.moves.layout().numbers(record, &mut scratch.values) {
            return None;
        }
        let truth = code.run(&scratch.values, &mut scratch.stack);
        scratch.stack.clear();
        truth.map(|truth| truth != 0)
    }
}
