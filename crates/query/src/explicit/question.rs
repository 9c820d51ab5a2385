//! Queries about explicit systems: which combinations of values of propositions can stand for the placeholder.
//!
//! What the placeholder is about are columns of a table: a proposition is one with two values; a variable with more values is several
//! propositions, the bits of its code. Codes that stand for no value are in no combination.
//!
//! The value of the formula with a combination in the place of the placeholder is that of the standard semantics. It is
//! definite or, where the system leaves it open, not: then the combination is a *possible* solution. A definite
//! solution is one in everything that the system stands for, and what is neither definite nor possible is one in
//! nothing of it.

use super::combinations::{Combinations, union};
use crate::question::QueryError;
use tertium_check::{Further, FurtherValues, Prepared, check_instances};
use tertium_dd::{Bdd, Manager, Var};
use tertium_logic::Formula;
use tertium_support::{Context, StopReason};
use tertium_system::{PropId, StateId};
use tertium_truth::{Belnap, Verdict};

use crate::cubes::{Column, at_most};

/// Propositions that together are the code of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The bits, the lowest first.
    pub bits: Vec<PropId>,
    /// The highest code that stands for a value.
    pub last_code: u64,
}

/// A query about an explicit system.
#[derive(Clone, Debug)]
pub struct ExplicitQuestion<'a> {
    /// Limits.
    pub context: &'a Context,
    /// The system.
    pub prepared: &'a Prepared<'a>,
    /// The formula.
    pub formula: &'a Formula,
    /// The proposition that stands for the placeholder in the formula.
    pub placeholder: &'a str,
    /// The propositions that it is about, and a variable for each.
    pub(super) propositions: Vec<(PropId, Var)>,
    /// The variables by column, in the same order.
    pub(super) columns: Vec<Column>,
    pub(super) manager: Manager,
}

/// Sets of combinations, as functions of the variables of the propositions.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The solutions.
    pub definite: Bdd,
    /// What the system leaves open.
    pub possible: Bdd,
}

/// The value of the formula with each combination, at each initial state.
#[derive(Clone, Debug)]
pub struct ExplicitSolutions {
    pub(super) manager: Manager,
    pub(super) initial: Vec<StateId>,
    /// Combinations with the same values.
    pub(super) classes: Vec<Bdd>,
    /// By initial state and class.
    pub(super) values: Vec<Vec<Belnap>>,
    /// How many formulas were decided.
    pub n_instances: usize,
    /// In how many passes.
    pub runs: usize,
}

impl<'a> ExplicitQuestion<'a> {
    /// A query about these propositions.
    pub fn new(
        context: &'a Context,
        prepared: &'a Prepared<'a>,
        formula: &'a Formula,
        placeholder: &'a str,
        propositions: &[PropId],
    ) -> Self {
        let code = |&prop: &PropId| Code { bits: vec![prop], last_code: 1 };
        let codes: Vec<Code> = propositions.iter().map(code).collect();
        Self::about_codes(context, prepared, formula, placeholder, &codes)
    }

    /// A query about variables of which propositions are the bits.
    pub fn about_codes(
        context: &'a Context,
        prepared: &'a Prepared<'a>,
        formula: &'a Formula,
        placeholder: &'a str,
        codes: &[Code],
    ) -> Self {
        let manager = Manager::new(context);
        let mut propositions = Vec::new();
        let mut columns = Vec::new();
        for code in codes {
            debug_assert!(
                code.last_code.checked_shr(code.bits.len() as u32).unwrap_or(0) == 0,
                "the bits are enough for all codes"
            );
            let bits: Vec<Var> = code.bits.iter().map(|_| manager.add_var()).collect();
            propositions.extend(code.bits.iter().copied().zip(bits.iter().copied()));
            columns.push(Column { bits, last_code: code.last_code });
        }
        Self { context, prepared, formula, placeholder, propositions, columns, manager }
    }

    /// What the placeholder is about, as columns of a table of values.
    pub fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    /// The set with one combination of codes.
    pub fn combination(&self, codes: &[u64]) -> Result<Bdd, StopReason> {
        debug_assert_eq!(codes.len(), self.columns.len(), "every column has a code");
        let bits = self.columns.iter().zip(codes).flat_map(|(column, &code)| {
            column.bits.iter().enumerate().map(move |(place, &var)| (var, code >> place & 1 == 1))
        });
        Bdd::cube(&self.manager, bits)
    }

    /// The combinations of codes that stand for values, in some columns.
    pub(super) fn valid(&self, columns: &[Column]) -> Result<Bdd, StopReason> {
        columns.iter().try_fold(self.manager.constant(true), |valid, column| {
            valid.and(&at_most(&self.manager, &column.bits, column.last_code)?)
        })
    }

    /// The variables of the propositions.
    pub fn vars(&self) -> Vec<Var> {
        self.propositions.iter().map(|&(_, var)| var).collect()
    }

    /// The solutions, all combinations in one pass.
    pub fn solve(&self) -> Result<ExplicitSolutions, QueryError> {
        self.solve_among(&self.propositions, &self.valid(&self.columns)?)
    }

    /// The solutions among some combinations of some of the propositions.
    pub(super) fn solve_among(
        &self,
        propositions: &[(PropId, Var)],
        allowed: &Bdd,
    ) -> Result<ExplicitSolutions, QueryError> {
        let system = self.prepared.system();
        let combinations = Combinations::new(self.context, system, propositions, allowed)?;
        let n = combinations.classes.len();
        debug_assert!(
            combinations.classes.iter().all(|class| !class.members.is_false()),
            "no class is empty"
        );
        let table = &combinations.table;
        let word = |state: StateId, number: usize| table.word(state, number);
        let further = [Further { name: self.placeholder.to_owned(), values: FurtherValues::ByState(&word) }];
        let instances = check_instances(self.context, self.prepared, self.formula, &further, n)?;
        let at = |number: usize| (0..n).map(|class| instances.at(number, class)).collect();
        Ok(ExplicitSolutions {
            manager: self.manager.clone(),
            initial: system.initial().to_vec(),
            values: (0..system.initial().len()).map(at).collect(),
            classes: combinations.classes.into_iter().map(|class| class.members).collect(),
            n_instances: n,
            runs: 1,
        })
    }
}

impl ExplicitSolutions {
    /// The solutions at every initial state.
    pub fn at_all(&self) -> Result<Answer, StopReason> {
        self.collect(|class| {
            let has = |wanted: Belnap| self.values.iter().any(|values| values[class] == wanted);
            match (has(Belnap::False), has(Belnap::Unknown) || has(Belnap::Inconsistent)) {
                // As for properties, nothing is concluded from a contradiction.
                (true, _) if has(Belnap::Inconsistent) => Belnap::Inconsistent,
                (true, _) => Belnap::False,
                (_, true) => Belnap::Unknown,
                _ => Belnap::True,
            }
        })
    }

    /// The solutions at some initial state.
    pub fn at_some(&self) -> Result<Answer, StopReason> {
        self.collect(|class| {
            let has = |wanted: Belnap| self.values.iter().any(|values| values[class] == wanted);
            if has(Belnap::True) {
                Belnap::True
            } else if has(Belnap::Unknown) || has(Belnap::Inconsistent) {
                Belnap::Unknown
            } else {
                Belnap::False
            }
        })
    }

    /// The initial states by their solutions, each with the states that have them.
    pub fn by_initial(&self) -> Result<Vec<(Vec<StateId>, Answer)>, StopReason> {
        let mut groups: Vec<(usize, Vec<StateId>)> = Vec::new();
        for (number, &state) in self.initial.iter().enumerate() {
            match groups.iter_mut().find(|(first, _)| self.values[*first] == self.values[number]) {
                Some((_, states)) => states.push(state),
                None => groups.push((number, vec![state])),
            }
        }
        let answer = |(first, states): (usize, Vec<StateId>)| {
            Ok((states, self.collect(|class| self.values[first][class])?))
        };
        groups.into_iter().map(answer).collect()
    }

    /// Whether the system contradicts itself about some combination.
    pub fn is_inconsistent(&self) -> bool {
        self.values.iter().flatten().any(|&value| value == Belnap::Inconsistent)
    }

    fn collect(&self, value: impl Fn(usize) -> Belnap) -> Result<Answer, StopReason> {
        let (mut definite, mut possible) = (Vec::new(), Vec::new());
        for (number, class) in self.classes.iter().enumerate() {
            match value(number) {
                Belnap::True => definite.push(class.clone()),
                Belnap::Unknown | Belnap::Inconsistent => possible.push(class.clone()),
                Belnap::False => {}
            }
        }
        Ok(Answer { definite: union(&self.manager, definite)?, possible: union(&self.manager, possible)? })
    }
}

impl Answer {
    /// The same about fewer or more: the verdict on whether there is a solution.
    pub fn verdict(&self, cause: tertium_truth::Cause) -> Verdict {
        if !self.definite.is_false() {
            Verdict::True
        } else if self.possible.is_false() {
            Verdict::False
        } else {
            Verdict::Unknown(cause)
        }
    }
}
