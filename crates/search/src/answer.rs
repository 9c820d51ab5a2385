//! What a search comes to.

use crate::{Counted, Machine, Precision, Round};
use tertium_expr::Term;
use tertium_program::CommandId;
use tertium_solve::ProverStatistics;
use tertium_support::StopReason;

/// One round and what it led to.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// How many predicates it had.
    pub n_predicates: usize,
    /// States that were generated, again or not.
    pub n_concrete: usize,
    /// States that were followed.
    pub n_abstract: usize,
    /// What was asked.
    pub counted: Counted,
    /// Questions for inputs.
    pub n_input_questions: usize,
    /// What the solver was asked until its end.
    pub solver: ProverStatistics,
    /// Predicates that are new.
    pub added: Vec<Term>,
}

/// How the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The goal holds at this visit of the last round.
    Reached(usize),
    /// Nothing was lost in the last round: it is bisimilar to the program, and the goal cannot be reached. If nothing
    /// was visited, the program has no initial state.
    Exact,
    /// No two states were matched in the last round, and it left nothing out: it visited all reachable states one by
    /// one, and the goal holds at none of them. Its keys need not be exact, since states that cannot be reached may
    /// have them, too.
    AllStates,
    /// Neither, for this reason.
    Open(Reason),
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The rounds were used up.
    Iterations,
    /// A round had more states than allowed.
    States,
    /// There would be too many predicates.
    Predicates,
    /// It was stopped.
    Stopped(StopReason),
    /// Inputs of this command should be tried one by one, and are too many.
    TooManyInputs(CommandId),
    /// Not all values of inputs were tried, and nothing else was lost.
    Truncated,
    /// The solver gave up where inputs were chosen.
    Inputs,
    /// The solver gave up on the initial states.
    InitialStates,
    /// Exactness could not be shown, and no predicate could be told that would help.
    Unsettled,
}

/// The answer.
pub struct Answer<'p> {
    /// How it ended.
    pub ending: Ending,
    /// All rounds, if it was stopped the last as far as it came; there is one at least.
    pub rounds: Vec<Round>,
    /// What ran them.
    pub machine: Machine<'p>,
    /// The rounds in numbers.
    pub iterations: Vec<Iteration>,
    /// The predicates of the last round.
    pub precision: Precision,
}

impl Ending {
    /// Whether the last round shows everything that the program can do.
    pub fn is_complete(self) -> bool {
        matches!(self, Self::Exact | Self::AllStates)
    }
}

impl Answer<'_> {
    /// The last round.
    pub fn last(&self) -> &Round {
        self.rounds.last().expect("there is one")
    }
}
