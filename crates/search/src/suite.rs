//! Tests from a search: one run for each branch that was taken, or for each abstract state that was covered \[PPV07\].
//!
//! Predicates of a later round can hide states that an earlier one saw. So all rounds count: their states are told
//! apart by the predicates of the last one, and those that it did not see itself have the run of the round that did.

use crate::branch::{Branch, branches};
use crate::{Answer, Key};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use tertium_explore::Run;
use tertium_program::{CommandId, State};
use tertium_support::{Context, Id, StopReason};

/// What has a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Cover {
    /// Every branch that was taken: ways through commands, and sides of conditions.
    #[default]
    Branches,
    /// Every abstract state that was found.
    States,
    /// Also every step between two of them, by command: the test ends with it.
    Steps,
}

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
    /// How many abstract states are covered.
    pub n_states: usize,
    /// How often tests take each command.
    pub commands: Vec<usize>,
    /// All branches of the program, with how often tests take each.
    pub branches: Vec<(Branch, usize)>,
    /// Predicates that hold at a covered state, by number.
    pub seen_true: FixedBitSet,
    /// Predicates that count and do not hold at one.
    pub seen_false: FixedBitSet,
}

/// Tests with what they cover.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Those of the last round in the order in which it found states, then those of rounds before it, the latest first;
    /// then those for steps.
    pub tests: Vec<Test>,
    /// What they cover together.
    pub coverage: Coverage,
}

/// The tests that a search gives.
pub fn suite(context: &Context, answer: &Answer<'_>, cover: Cover) -> Result<Suite, StopReason> {
    if cover == Cover::Branches {
        let tests = by_branch(context, answer)?;
        let coverage = coverage(answer, answer.last().followed().len(), &tests);
        return Ok(Suite { tests, coverage });
    }
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
    let n_states = tests.len();
    debug_assert_eq!(n_states, known.len(), "every abstract state has one test");
    if cover == Cover::Steps {
        add_steps(context, answer, &mut tests)?;
    }
    let coverage = coverage(answer, n_states, &tests);
    Ok(Suite { tests, coverage })
}

/// A test for each branch that some round took, unless an earlier test takes it already. Shorter runs come first.
fn by_branch(context: &Context, answer: &Answer<'_>) -> Result<Vec<Test>, StopReason> {
    let mut ticker = context.ticker("collecting tests");
    let Answer { machine, precision, .. } = answer;
    let interpreter = machine.interpreter();
    let mut untaken = branches(machine.program());
    let mut tests = Vec::new();
    for (number, round) in answer.rounds.iter().enumerate() {
        for edge in round.edges(machine) {
            let last = machine.transition(edge.transition);
            ticker.tick(1)?;
            if !untaken.iter().any(|branch| (branch.command, branch.way) == (last.command, last.step)) {
                continue;
            }
            let source = round.state(edge.source);
            let Some(state) = interpreter.follow(&source, last) else { continue };
            if !untaken.iter().any(|branch| branch.is_taken(interpreter, &source, last)) {
                continue;
            }
            let mut run = round.run_to(machine, edge.source);
            let covers = precision.key(interpreter, &state);
            run.push(last.clone(), state);
            ticker.tick(run.steps.len())?;
            for (before, step, _) in run.moves() {
                untaken.retain(|branch| !branch.is_taken(interpreter, before, step));
            }
            tests.push(Test { run, covers, round: number });
        }
    }
    Ok(tests)
}

/// Adds a test for each step between abstract states that is the last one of none yet. The state before it was
/// followed, so the step was executed.
fn add_steps(context: &Context, answer: &Answer<'_>, tests: &mut Vec<Test>) -> Result<(), StopReason> {
    let mut ticker = context.ticker("collecting tests");
    let Answer { machine, precision, .. } = answer;
    let interpreter = machine.interpreter();
    let key = |state: &State| precision.key(interpreter, state);
    let mut known: FxHashSet<(Key, CommandId, Key)> = FxHashSet::default();
    for Test { run, covers, .. } in tests.iter() {
        if let Some((source, last, _)) = run.moves().last() {
            known.insert((key(source), last.command, covers.clone()));
        }
    }
    for (number, round) in answer.rounds.iter().enumerate().rev() {
        for edge in round.edges(machine) {
            let taken = machine.transition(edge.transition);
            let source = round.state(edge.source);
            let Some(state) = interpreter.follow(&source, taken) else { continue };
            let covers = key(&state);
            if known.insert((key(&source), taken.command, covers.clone())) {
                let mut run = round.run_to(machine, edge.source);
                run.push(taken.clone(), state);
                ticker.tick(1 + run.steps.len())?;
                tests.push(Test { run, covers, round: number });
            }
        }
    }
    Ok(())
}

fn coverage(answer: &Answer<'_>, n_states: usize, tests: &[Test]) -> Coverage {
    let program = answer.machine.program();
    let n = answer.precision.len();
    let (seen_true, seen_false) = (FixedBitSet::with_capacity(n), FixedBitSet::with_capacity(n));
    let mut coverage = Coverage {
        complete: answer.ending.is_complete(),
        n_states,
        commands: vec![0; program.commands().len()],
        branches: branches(program).into_iter().map(|branch| (branch, 0)).collect(),
        seen_true,
        seen_false,
    };
    for test in tests {
        for number in answer.precision.active(program, test.run.last()) {
            let is_true = test.covers.bits.contains(number);
            let seen = if is_true { &mut coverage.seen_true } else { &mut coverage.seen_false };
            seen.insert(number);
        }
        coverage.count(answer, &test.run);
    }
    coverage
}

impl Coverage {
    fn count(&mut self, answer: &Answer<'_>, run: &Run) {
        for (before, step, _) in run.moves() {
            self.commands[step.command.index()] += 1;
            for (branch, taken) in &mut self.branches {
                *taken += usize::from(branch.is_taken(answer.machine.interpreter(), before, step));
            }
        }
    }
}

/// The states of a run, and its steps without their inputs.
type Path = (Vec<State>, Vec<(CommandId, usize)>);

impl Suite {
    /// Adds a test that was found in another way: a run of the program.
    pub fn add(&mut self, answer: &Answer<'_>, run: Run) {
        debug_assert!(run.is_well_formed(), "a run has a step between any two states");
        self.coverage.count(answer, &run);
        let covers = answer.precision.key(answer.machine.interpreter(), run.last());
        self.tests.push(Test { run, covers, round: answer.rounds.len() });
    }

    /// Leaves out tests whose run is the beginning of another one.
    pub fn keep_longest(&mut self) {
        let mut inner: FxHashSet<Path> = FxHashSet::default();
        let path = |run: &Run, len: usize| -> Path {
            let steps = run.steps[..len].iter().map(|step| (step.command, step.step));
            (run.states[..=len].to_vec(), steps.collect())
        };
        for Test { run, .. } in &self.tests {
            inner.extend((0..run.steps.len()).map(|len| path(run, len)));
        }
        self.tests.retain(|test| !inner.contains(&path(&test.run, test.run.steps.len())));
    }
}
