//! Tests from a search: one run for each abstract state that was covered \[PPV07\].
//!
//! Predicates of a later round can hide states that an earlier one saw. So all rounds count: their states are told apart by the predicates of the
//! last one, and those that it did not see itself have the run of the round that did.

use crate::{Answer, Ending, Key};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use tertium_program::{CommandId, Run, State};
use tertium_support::{Context, Id, StopReason};

/// A run to an abstract state.
#[derive(Clone, Debug)]
pub struct Test {
    /// The run.
    pub run: Run,
    /// The abstract state, by the predicates of the last round.
    pub covers: Key,
    /// The round that found it, from 0.
    pub round: usize,
}

/// What tests cover.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Whether every reachable abstract state is covered.
    pub complete: bool,
    /// How often tests take each command.
    pub commands: Vec<usize>,
    /// Predicates that hold at a covered state, by number.
    pub seen_true: FixedBitSet,
    /// Predicates that count and do not hold at one.
    pub seen_false: FixedBitSet,
}

/// Tests with what they cover.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Those of the last round in the order in which it found states, then those of rounds before it, the latest first.
    pub tests: Vec<Test>,
    /// What they cover together.
    pub coverage: Coverage,
}

/// The tests that a search gives.
pub fn suite(context: &Context, answer: &Answer<'_>) -> Result<Suite, StopReason> {
    let machine = &answer.machine;
    let mut ticker = context.ticker("collecting tests");
    let mut known: FxHashSet<Key> = FxHashSet::default();
    let mut tests = Vec::new();
    for (number, round) in answer.rounds.iter().enumerate().rev() {
        for visit in 0..round.n_visits() {
            let covers = answer.precision.key(machine.interpreter(), &round.state(visit));
            if known.insert(covers.clone()) {
                let run = round.run_to(machine, visit);
                ticker.tick(1 + run.steps.len())?;
                tests.push(Test { run, covers, round: number });
            }
        }
    }
    let coverage = coverage(answer, &tests);
    Ok(Suite { tests, coverage })
}

fn coverage(answer: &Answer<'_>, tests: &[Test]) -> Coverage {
    let program = answer.machine.program();
    let n = answer.precision.len();
    let (mut seen_true, mut seen_false) = (FixedBitSet::with_capacity(n), FixedBitSet::with_capacity(n));
    let mut commands = vec![0; program.commands().len()];
    for test in tests {
        for number in answer.precision.active(program, test.run.last()) {
            let seen = if test.covers.bits.contains(number) { &mut seen_true } else { &mut seen_false };
            seen.insert(number);
        }
        for step in &test.run.steps {
            commands[step.command.index()] += 1;
        }
    }
    Coverage { complete: answer.ending == Ending::Exact, commands, seen_true, seen_false }
}

impl Suite {
    /// Leaves out tests whose run is the beginning of another one.
    pub fn keep_longest(&mut self) {
        let mut inner: FxHashSet<(State, Vec<(CommandId, usize, State)>)> = FxHashSet::default();
        let path = |run: &Run, len: usize| {
            let steps = run.steps[..len].iter().map(|step| (step.command, step.step, step.state.clone()));
            (run.start.clone(), steps.collect())
        };
        for Test { run, .. } in &self.tests {
            inner.extend((0..run.steps.len()).map(|len| path(run, len)));
        }
        self.tests.retain(|test| !inner.contains(&path(&test.run, test.run.steps.len())));
    }
}
