//! Implications between what is known of a state and what holds after a step.
//!
//! Each question is an implication from the literals of one state to one literal. Whether the literal is a tautology is
//! looked at first, since that answer serves all states; both kinds of answers are remembered for the length of a
//! round. Published figures \[PPV07\] count a question that was not remembered as a query and a remembered one as a
//! hit, except for remembered tautologies, which cost nothing.

use crate::precision::mentions_control;
use crate::{Key, Precision, Written};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use tertium_expr::{Term, Value, Variable};
use tertium_program::Program;
use tertium_solve::{Answer, Prover};
use tertium_support::{Context, StopReason};

/// So many comparisons are looked at for the elimination of the inputs of one condition. Beyond, the solver is asked about quantifiers;
/// what it leaves open makes a loss, which is told.
const MOST_COMPARISONS: usize = 20_000;

/// Which questions are asked at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Accounting {
    /// Only those whose answer is not plain from the predicates themselves.
    #[default]
    Sparing,
    /// Those that the published figures count.
    Published,
}

/// How questions are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckSettings {
    /// Which.
    pub accounting: Accounting,
    /// Whether answers are remembered.
    pub cache: bool,
    /// Whether tautologies are looked at first.
    pub tautologies: bool,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self { accounting: Accounting::default(), cache: true, tautologies: true }
    }
}

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counted {
    /// Questions that were not remembered.
    pub queries: usize,
    /// Questions that were.
    pub hits: usize,
}

/// The part of a key that an implication can depend on: the predicates that count, those that hold, and the control if
/// predicates speak of it.
type Matched = (Vec<usize>, FixedBitSet, Option<Box<[Value]>>);

/// Answers of one round.
pub struct Checks<'c, 'p> {
    context: &'c Context,
    program: &'p Program,
    prover: &'c mut Prover<'p>,
    settings: CheckSettings,
    tautologies: FxHashMap<(Written, bool), bool>,
    implications: FxHashMap<(Matched, Written, bool), bool>,
    eliminated: FxHashMap<(Vec<Variable>, Term), Option<Term>>,
    counted: Counted,
}

impl<'c, 'p> Checks<'c, 'p> {
    /// Nothing remembered. The prover has to be new, or used for this program only.
    pub fn new(
        context: &'c Context,
        program: &'p Program,
        prover: &'c mut Prover<'p>,
        settings: CheckSettings,
    ) -> Self {
        Self {
            context,
            program,
            prover,
            settings,
            tautologies: FxHashMap::default(),
            implications: FxHashMap::default(),
            eliminated: FxHashMap::default(),
            counted: Counted::default(),
        }
    }

    /// What was asked so far.
    pub fn counted(&self) -> Counted {
        self.counted
    }

    /// Which questions are asked.
    pub fn accounting(&self) -> Accounting {
        self.settings.accounting
    }

    /// Whether all states that are matched with this key, of which these predicates count, satisfy a literal.
    pub fn implies(
        &mut self,
        precision: &Precision,
        key: &Key,
        active: &[usize],
        written: &Written,
        positive: bool,
    ) -> Result<bool, StopReason> {
        debug_assert!(active.is_sorted(), "the same question is written in one way");
        let literal = self.literal(written.term(&self.program.terms), positive);
        if self.settings.tautologies && self.is_tautology(written, positive, literal)? {
            return Ok(true);
        }
        let question = (self.matched(precision, key, active, literal), written.clone(), positive);
        if self.settings.cache
            && let Some(&known) = self.implications.get(&question)
        {
            self.counted.hits += 1;
            return Ok(known);
        }
        self.counted.queries += 1;
        let known = precision.knowledge(self.program, key, active);
        let valid = self.is_impossible(known.into_iter().chain([self.program.terms.not(literal)]))?;
        self.implications.insert(question, valid);
        Ok(valid)
    }

    /// Whether all states that are matched with this key satisfy a truth value. Not remembered.
    pub fn settles(
        &mut self,
        precision: &Precision,
        key: &Key,
        active: &[usize],
        truth: Term,
    ) -> Result<bool, StopReason> {
        self.counted.queries += 1;
        let known = precision.knowledge(self.program, key, active);
        self.is_impossible(known.into_iter().chain([self.program.terms.not(truth)]))
    }

    /// Where a truth value holds for some inputs, if that can be said without them.
    pub(crate) fn eliminate(&mut self, inputs: &[Variable], body: Term) -> Option<Term> {
        let terms = &self.program.terms;
        let compute = || terms.eliminate_all(inputs.iter().copied(), body, MOST_COMPARISONS);
        *self.eliminated.entry((inputs.to_vec(), body)).or_insert_with(compute)
    }

    fn is_tautology(&mut self, written: &Written, positive: bool, literal: Term) -> Result<bool, StopReason> {
        let question = (written.clone(), positive);
        if self.settings.cache
            && let Some(&known) = self.tautologies.get(&question)
        {
            if !known {
                self.counted.hits += 1;
            }
            return Ok(known);
        }
        self.counted.queries += 1;
        let terms = &self.program.terms;
        let valid = self.is_impossible([self.program.within(), terms.not(literal)])?;
        self.tautologies.insert(question, valid);
        Ok(valid)
    }

    fn literal(&self, term: Term, positive: bool) -> Term {
        if positive { term } else { self.program.terms.not(term) }
    }

    fn matched(&self, precision: &Precision, key: &Key, active: &[usize], literal: Term) -> Matched {
        let mixed = active.iter().any(|&number| precision.get(number).mixed)
            || mentions_control(self.program, literal);
        (active.to_vec(), key.bits.clone(), mixed.then(|| key.control.clone()))
    }

    /// Counts work that is done between questions.
    pub(crate) fn spend(&self, units: u64) -> Result<(), StopReason> {
        self.context.spend(units)?;
        self.context.poll()
    }

    fn is_impossible(&mut self, together: impl IntoIterator<Item = Term>) -> Result<bool, StopReason> {
        self.context.poll()?;
        let answer = self.prover.check(self.context, &self.program.terms, together);
        Ok(answer.unless_stopped()? == Answer::Unsatisfiable)
    }
}
