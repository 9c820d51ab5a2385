//! A query with its model, and what is found: the solutions, initial state by initial state.

use crate::form::Direction;
use crate::placeholder::Placeholder;
use std::fmt;
use tertium_check::symbolic::{
    Options, Reachable, Refusal, SymbolicAssumption, SymbolicChecker, SymbolicError,
};
use tertium_dd::Bdd;
use tertium_logic::Formula;
use tertium_support::{Context, Statistics, StopReason};
use tertium_system::SymbolicModel;

/// A query: for which values of its variables does the placeholder make the formula true?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Limits.
    pub context: &'a Context,
    /// The model; the placeholder is one of its propositions.
    pub model: &'a SymbolicModel,
    /// The formula.
    pub formula: &'a Formula,
    /// The placeholder.
    pub placeholder: &'a Placeholder,
    /// How formulas are evaluated.
    pub options: Options,
}

/// The solutions of a query that are combinations of values.
#[derive(Clone, Debug)]
pub struct Solutions {
    /// The initial states that count.
    pub initial: Bdd,
    /// Pairs of such a state, in current bits, and a solution there, in the bits of the placeholder.
    pub relation: Bdd,
    /// The states that can be reached, if they were looked for.
    pub reachable: Option<Reachable>,
    /// What the answer relies on.
    pub assumptions: Vec<SymbolicAssumption>,
    /// What was counted.
    pub statistics: Statistics,
}

/// Why there is no answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryError {
    /// A limit was reached.
    Stopped(StopReason),
    /// The formula has no meaning here.
    Refused(Refusal),
    /// The method needs a formula that grows, or at least does not both grow and shrink, with the placeholder.
    WrongDirection(Direction),
    /// The method is for at most `most` combinations of values; `None` if their number does not even fit.
    TooMany {
        /// How many there are.
        found: Option<u128>,
        /// How many are allowed.
        most: u128,
    },
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(_) => f.write_str("a limit was reached"),
            Self::Refused(refusal) => write!(f, "{refusal}"),
            Self::WrongDirection(Direction::Growing) => f.write_str("the placeholder occurs positively only"),
            Self::WrongDirection(Direction::Shrinking) => {
                f.write_str("the placeholder stands below a negation, and this method is for positive queries")
            }
            Self::WrongDirection(Direction::Neither) => f.write_str(
                "the placeholder occurs both below a negation and not: solutions have no strongest or weakest ones, and parts of \
                 solutions need not be solutions",
            ),
            Self::TooMany { found, most } => {
                let found = found.map_or_else(|| "more than 2^128".to_owned(), |found| found.to_string());
                write!(
                    f,
                    "the variables of the placeholder have {found} combinations of values, and this method is for at most {most}"
                )
            }
        }
    }
}

impl From<StopReason> for QueryError {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

impl From<SymbolicError> for QueryError {
    fn from(error: SymbolicError) -> Self {
        match error {
            SymbolicError::Stopped(reason) => Self::Stopped(reason),
            SymbolicError::Refused(refusal) => Self::Refused(refusal),
        }
    }
}

/// What is the same for all placeholders of a model: found out once.
#[derive(Debug)]
pub(crate) struct Base {
    pub(crate) reachable: Option<Reachable>,
    pub(crate) initial: Bdd,
    pub(crate) assumptions: Vec<SymbolicAssumption>,
}

impl Base {
    pub(crate) fn solutions(self, relation: Bdd, statistics: Statistics) -> Solutions {
        let Self { reachable, initial, assumptions } = self;
        Solutions { initial, relation, reachable, assumptions, statistics }
    }
}

impl Question<'_> {
    pub(crate) fn base(&self) -> Result<Base, QueryError> {
        let mut checker = SymbolicChecker::new(self.context, self.model, self.options);
        if self.options.reachable_first {
            checker.reachable()?;
        }
        let (initial, assumptions) = checker.standpoint()?;
        let reachable = checker.known_reachable();
        Ok(Base { reachable: reachable.complete.then(|| reachable.clone()), initial, assumptions })
    }

    /// The initial states where the formula holds with this function for the placeholder, and what was counted.
    pub(crate) fn with(&self, base: &Base, function: Bdd) -> Result<(Bdd, Statistics), QueryError> {
        let mut model = self.model.clone();
        model.propositions.insert(self.placeholder.name.clone(), function);
        let mut checker = SymbolicChecker::new(self.context, &model, self.options);
        if let Some(reachable) = &base.reachable {
            checker = checker.knowing(reachable);
        }
        let holds = checker.states_of(self.formula)?.and(&base.initial)?;
        Ok((holds, checker.statistics()))
    }

    /// Says so if a reachable state has no steps and the answer would be another one if paths that end stayed where they ended. `is_same`
    /// asks the question again in that reading, and says whether the answer is the same. `reachable`: all states, if they are known.
    pub fn note_dependence(
        &self,
        reachable: Option<&Reachable>,
        assumptions: &mut Vec<SymbolicAssumption>,
        is_same: impl FnOnce(&Question<'_>) -> Result<bool, QueryError>,
    ) {
        let mut checker = SymbolicChecker::new(self.context, self.model, self.options);
        if let Some(reachable) = reachable {
            checker = checker.knowing(reachable);
        }
        checker.note_dependence_of(self.formula, assumptions, |other| {
            let question = Question { model: other.model(), ..*self };
            is_same(&question).map_err(|error| match error {
                QueryError::Stopped(reason) => SymbolicError::Stopped(reason),
                QueryError::Refused(refusal) => SymbolicError::Refused(refusal),
                // What was asked before is not too large, nor of the wrong form.
                QueryError::TooMany { .. } | QueryError::WrongDirection(_) => {
                    SymbolicError::Stopped(StopReason::NodeLimit)
                }
            })
        });
    }

    pub(crate) fn everything(&self) -> Vec<usize> {
        (0..self.placeholder.copies.len()).collect()
    }
}

impl Solutions {
    /// The solutions at every initial state that counts.
    pub fn at_all(&self, question: &Question<'_>) -> Result<Bdd, StopReason> {
        let states =
            question.model.manager.var_set(question.model.relation.frame().current.iter().copied())?;
        let valid = question.placeholder.valid(question.model, &question.everything())?;
        let missing = self.initial.diff(&self.relation)?;
        valid.diff(&missing.exists(&states)?)
    }

    /// The solutions at some initial state that counts.
    pub fn at_some(&self, question: &Question<'_>) -> Result<Bdd, StopReason> {
        let states =
            question.model.manager.var_set(question.model.relation.frame().current.iter().copied())?;
        self.relation.exists(&states)
    }
}
