//! Programs as state spaces: states as words, steps as code on them, and the interpreter where code cannot tell.
//!
//! A label is a way through a command: its number among the steps of all commands, in the order of the text. So whoever
//! made a step is known, and the values of its inputs can be found again. Steps whose inputs have infinitely or too
//! many values are not followed; states that have become huge, see [`State::is_huge`], are beyond.

use crate::moves::{Moves, Scratch, StepTerms};
use crate::packed::{Layout, Wide};
use crate::propositions::{Seen, states_where};
use std::cell::RefCell;
use std::convert::Infallible;
use std::sync::Arc;
use tertium_expr::Term;
use tertium_program::{CommandId, Interpreter, Program, State, initial_states};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{InitialWords, Next, StateGraph, StateSet, StateSpace, StepLabel, Steps, Stop, StopOf};

/// A program with its states as words.
#[derive(Debug)]
pub struct ProgramSpace<'p> {
    interpreter: Interpreter<'p>,
    steps: ProgramSteps,
    /// The command of each label, and which of its steps it is.
    labels: Vec<(CommandId, usize)>,
    wide: RefCell<Wide>,
}

/// The steps of a program as code.
#[derive(Clone, Debug, Default)]
pub struct ProgramSteps(Arc<Moves>);

impl<'p> ProgramSpace<'p> {
    /// Compiles a program.
    pub fn new(program: &'p Program) -> Self {
        let commands = CommandId::first(program.commands().len());
        let labels: Vec<(CommandId, usize)> = commands
            .flat_map(|command| {
                (0..program.commands()[command.index()].steps.len()).map(move |step| (command, step))
            })
            .collect();
        let compiled = labels.iter().enumerate().map(|(label, &(command, step))| {
            let step = &program.commands()[command.index()].steps[step];
            let updates = step.updates.iter().map(|(&variable, &term)| (variable, term)).collect();
            StepTerms { label: label as StepLabel, guard: step.guard, updates, inputs: &step.inputs }
        });
        let steps = ProgramSteps(Arc::new(Moves::new(program, compiled)));
        Self { interpreter: Interpreter::new(program), steps, labels, wide: RefCell::default() }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.interpreter.program()
    }

    /// The program as code.
    pub fn moves(&self) -> &Moves {
        &self.steps.0
    }

    /// The command of a label, and which of its steps it is.
    pub fn way(&self, label: StepLabel) -> (CommandId, usize) {
        self.labels[label as usize]
    }

    /// The state that words stand for.
    pub fn state(&self, words: &[u64]) -> State {
        self.layout().state(&self.wide.borrow(), words)
    }

    /// Adds the words of states to a list.
    pub fn pack<'s>(&self, states: impl IntoIterator<Item = &'s State>, words: &mut Vec<u64>) {
        let (n_words, mut wide) = (self.layout().n_words(), self.wide.borrow_mut());
        for state in states {
            let start = words.len();
            words.resize(start + n_words, 0);
            self.layout().pack(&mut wide, state, &mut words[start..]);
        }
    }

    /// The states of a graph of this space where terms hold, by term.
    pub fn states_where<G: StateGraph>(
        &self,
        context: &Context,
        graph: &G,
        terms: &[Term],
    ) -> Result<Vec<StateSet>, StopReason> {
        let mut ticker = context.ticker("evaluating propositions");
        let wide = self.wide.borrow();
        let seen = Seen { interpreter: &self.interpreter, moves: self.moves(), wide: &wide };
        states_where(&seen, graph, graph.n_states(), terms, |work| ticker.tick(work))
    }

    fn layout(&self) -> &Layout {
        self.steps.0.layout()
    }

    /// What is needed to read the words of its states when the program is gone.
    pub(crate) fn into_parts(self) -> (Arc<Moves>, Vec<(CommandId, usize)>, Wide) {
        (self.steps.0, self.labels, self.wide.into_inner())
    }
}

impl Steps for ProgramSteps {
    type Scratch = Scratch;
    type Fault = Infallible;

    #[inline]
    fn n_words(&self) -> usize {
        self.0.layout().n_words()
    }

    #[inline]
    fn successors(
        &self,
        words: &[u64],
        scratch: &mut Scratch,
        report: impl FnMut(Next<'_>),
    ) -> Result<(), Stop<Infallible>> {
        self.0.successors(words, scratch, |_, _| true, report);
        Ok(())
    }
}

impl StateSpace for ProgramSpace<'_> {
    type Steps = ProgramSteps;

    fn steps(&self) -> &ProgramSteps {
        &self.steps
    }

    fn initial(&self, context: &Context, most: usize) -> Result<InitialWords, StopOf<Self>> {
        let start = initial_states(context, self.program(), most)?;
        let mut words = Vec::new();
        self.pack(&start.states, &mut words);
        Ok(InitialWords { words, n_states: start.states.len(), complete: start.complete })
    }

    fn ask(
        &self,
        words: &[u64],
        label: StepLabel,
        report: &mut dyn FnMut(Next<'_>),
    ) -> Result<(), StopOf<Self>> {
        let (command, step) = self.way(label);
        let Some(successors) = self.interpreter.successors_by(&self.state(words), command, step) else {
            report(Next::Open(label));
            return Ok(());
        };
        let mut next = Vec::new();
        for successor in &successors {
            if successor.state.is_huge() {
                report(Next::Beyond(label));
                continue;
            }
            next.clear();
            self.pack([&successor.state], &mut next);
            report(Next::State(label, &next));
        }
        Ok(())
    }
}
