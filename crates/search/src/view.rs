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
use tertium_explore::{Code, Moves, Scratch, Wide};
use tertium_expr::Term;
use tertium_program::State;
use tertium_support::Id;
use tertium_system::{Next, StepLabel, Steps, Stop, WordPlace, WordPlaces};

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
    /// Where it counts: everywhere, or where one of these places has these bits.
    counts: Option<Vec<(WordPlace, u64)>>,
    /// Its bit in keys.
    place: WordPlace,
}

impl Seen {
    /// Whether it counts at a state.
    #[inline]
    fn counts(&self, words: &[u64]) -> bool {
        let Some(counts) = &self.counts else { return true };
        counts.iter().any(|(place, bits)| place.get(words) == *bits)
    }
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
        let (terms, layout) = (&program.terms, moves.layout());
        // Predicates take the bits that control leaves.
        let mut keys = WordPlaces::after(layout.control().iter().map(|mask| mask.count_ones()).collect());
        let mut affected = vec![Vec::new(); moves.len()];
        let mut predicates = Vec::new();
        let precision = match matching {
            Matching::States => None,
            Matching::Predicates(precision) => Some(precision),
        };
        for (number, (predicate, scopes)) in precision.into_iter().flat_map(Precision::scoped).enumerate() {
            let mut looked_at: Vec<usize> =
                terms.variables_of(predicate.term).iter().filter_map(|&own| layout.id(own)).collect();
            let mut counts = |scope: &Scope| match scope {
                Scope::Everywhere => None,
                Scope::Location(id, value) => {
                    looked_at.push(id.index());
                    let inside = program.variables()[id.index()].domain.has(value);
                    Some(inside.then(|| layout.control_bits(wide, id.index(), value)))
                }
            };
            let counts: Option<Vec<_>> = scopes.iter().map(&mut counts).collect();
            let counts = counts.map(|all| all.into_iter().flatten().collect());
            for (transition, list) in affected.iter_mut().enumerate() {
                if moves.changed(transition).any(|variable| looked_at.contains(&variable)) {
                    list.push(number);
                }
            }
            let (term, code) = (predicate.term, Code::new(terms, layout, predicate.term));
            predicates.push(Seen { term, code, counts, place: keys.add(1) });
        }
        let goal = goal.map(|goal| (goal, Code::new(terms, layout, goal)));
        let matching = precision.is_some();
        let n_key_words = if matching { keys.n_words() } else { 0 };
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
        debug_assert!(record.len() >= Steps::n_words(self), "a record has a state and its key");
        let words = &record[self.key()];
        let mut bits = FixedBitSet::with_capacity(self.predicates.len());
        for (number, own) in self.predicates.iter().enumerate() {
            bits.set(number, own.place.get(words) == 1);
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
            for own in self.predicates.iter().filter(|own| own.counts(words)) {
                own.place.set(key, u64::from(machine.interpreter().holds(state, own.term)));
            }
        }
        record
    }

    /// Makes the key of the next state in the scratch from that of the state it comes from. False if code is not able
    /// to.
    #[inline]
    fn see(&self, transition: usize, record: &[u64], scratch: &mut Scratch) -> bool {
        let (next, key) = scratch.next.split_at_mut(self.n_state_words());
        key.copy_from_slice(&record[self.key()]);
        for ((word, control), all) in key.iter_mut().zip(self.moves.layout().control()).zip(&*next) {
            *word = *word & !control | all & control;
        }
        for &number in &self.affected[transition] {
            let own = &self.predicates[number];
            let truth = match own.counts(next) {
                true => match own.code.run(next, &mut scratch.stack) {
                    Some(truth) => truth as u64,
                    None => return false,
                },
                false => 0,
            };
            own.place.set(key, truth);
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
        report: impl FnMut(Next<'_>),
    ) -> Result<(), Stop<Infallible>> {
        let complete = |transition: usize, scratch: &mut Scratch| {
            !self.matching || self.see(transition, record, scratch)
        };
        self.moves.successors(record, scratch, complete, report);
        Ok(())
    }

    #[inline]
    fn is_goal(&self, record: &[u64], scratch: &mut Scratch) -> Option<bool> {
        let Some((_, code)) = &self.goal else { return Some(false) };
        let truth = code.run(record, &mut scratch.stack);
        scratch.stack.clear();
        truth.map(|truth| truth != 0)
    }
}
