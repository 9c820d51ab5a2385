//! Direct evaluation of a formula on a partial system: the oracle.
//!
//! A labelling is a pair of state sets: `must` (the formula is true here) and `may` (it is not false here). It is
//! computed bottom-up on the syntax tree as written, negation included; fixpoints are iterated on pairs from the
//! bottom or the top of the truth order, and inner fixpoints restart each time. The three-valued semantics is that of
//! \[BG99\], over four values that of \[Wei09\]; hyper-musts as in \[SG04\]. See docs/semantics/checking.md.
//!
//! Cost |S|^d for nesting depth d. Everything here is meant to be obviously right; `check` is the fast one.

use crate::names::ActionSet;
use rustc_hash::FxHashMap;
use tertium_logic::{Formula, FormulaKind, PathQuantifier, Regular, Sign};
use tertium_support::{Context, StopReason, Ticker};
use tertium_system::{PartialSystem, StateId, StateSet};
use tertium_truth::Belnap;

/// Where a formula is certainly true, and where it is not certainly false. For systems with must ⊆ may and consistent
/// labels, `must` ⊆ `may`; in general not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelling {
    /// Where the formula is proved.
    pub must: StateSet,
    /// Where the formula is not refuted.
    pub may: StateSet,
}

impl Labelling {
    /// The same value at all of `n` states.
    pub fn everywhere(n: usize, value: Belnap) -> Self {
        let set = |member| if member { StateSet::full(n) } else { StateSet::empty(n) };
        Self { must: set(value.must()), may: set(value.may()) }
    }

    /// The value at one state.
    pub fn at(&self, state: StateId) -> Belnap {
        Belnap::from_bits(self.must.contains(state), self.may.contains(state))
    }

    /// The negation: the two sets change places, both complemented.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { must: self.may.complement(), may: self.must.complement() }
    }

    fn intersect_with(&mut self, other: &Self) {
        self.must.intersect_with(&other.must);
        self.may.intersect_with(&other.may);
    }

    fn union_with(&mut self, other: &Self) {
        self.must.union_with(&other.must);
        self.may.union_with(&other.may);
    }
}

/// The value of a closed formula at every state, by standard inductive semantics.
pub fn evaluate(system: &PartialSystem, formula: &Formula) -> Labelling {
    evaluate_with(&Context::default(), system, formula, |_, labelling| labelling).expect("there is no limit")
}

/// The same, with `adjust` applied to the argument and to the result of every modality `<A>f`. (A box is evaluated
/// as the negation of a diamond.) The identity gives standard semantics, the reduction operator the reduced one.
pub fn evaluate_with(
    context: &Context,
    system: &PartialSystem,
    formula: &Formula,
    adjust: impl Fn(&PartialSystem, Labelling) -> Labelling,
) -> Result<Labelling, StopReason> {
    let ticker = context.ticker("evaluating the definition");
    let mut evaluation =
        Evaluation { system, adjust, environment: FxHashMap::default(), ticker, stopped: None };
    let labelling = evaluation.evaluate(&formula.expand());
    evaluation.stopped.map_or(Ok(labelling), Err)
}

struct Evaluation<'a, F> {
    system: &'a PartialSystem,
    adjust: F,
    environment: FxHashMap<String, Labelling>,
    ticker: Ticker<'a>,
    /// Why it ends early: then no fixpoint goes on, and what is found counts for nothing.
    stopped: Option<StopReason>,
}

impl<F: Fn(&PartialSystem, Labelling) -> Labelling> Evaluation<'_, F> {
    fn evaluate(&mut self, formula: &Formula) -> Labelling {
        let n = self.system.n_states();
        match &formula.kind {
            FormulaKind::True => Labelling::everywhere(n, Belnap::True),
            FormulaKind::False => Labelling::everywhere(n, Belnap::False),
            FormulaKind::Proposition(name) => self.proposition(name),
            FormulaKind::Variable(name) => self.environment[name].clone(),
            FormulaKind::Not(inner) => self.evaluate(inner).negated(),
            FormulaKind::And(parts) => {
                let mut all = Labelling::everywhere(n, Belnap::True);
                parts.iter().for_each(|part| all.intersect_with(&self.evaluate(part)));
                all
            }
            FormulaKind::Or(parts) => {
                let mut any = Labelling::everywhere(n, Belnap::False);
                parts.iter().for_each(|part| any.union_with(&self.evaluate(part)));
                any
            }
            FormulaKind::Modal(quantifier, Regular::Step(actions), inner) => {
                let actions = ActionSet::new(self.system, actions);
                let value = self.evaluate(inner);
                match quantifier {
                    PathQuantifier::Some => self.diamond(&actions, value),
                    PathQuantifier::All => self.diamond(&actions, value.negated()).negated(),
                }
            }
            FormulaKind::Fixpoint(sign, name, body) => self.fixpoint(*sign, name, body),
            FormulaKind::Modal(..)
            | FormulaKind::Implies(..)
            | FormulaKind::Iff(..)
            | FormulaKind::Path(..) => {
                unreachable!("expanded formulas have no abbreviations")
            }
        }
    }

    /// A proposition the system does not have is unknown everywhere.
    fn proposition(&self, name: &str) -> Labelling {
        let labels = self.system.labels();
        match labels.names().get(name) {
            Some(prop) => Labelling { must: labels.must(prop).clone(), may: labels.may(prop).clone() },
            None => Labelling::everywhere(self.system.n_states(), Belnap::Unknown),
        }
    }

    /// `must`: some must into `must`, all targets of a hyper-must at once. `may`: some may into `may`.
    fn diamond(&mut self, actions: &ActionSet, value: Labelling) -> Labelling {
        let work = self.system.n_states() + self.system.transitions().len();
        self.stopped = self.stopped.or(self.ticker.tick(work).err());
        let value = (self.adjust)(self.system, value);
        let n = self.system.n_states();
        let result = Labelling {
            must: StateSet::filter(n, |state| {
                self.system.must_sets(state).any(|(action, targets)| {
                    actions.contains(action) && targets.iter().all(|&target| value.must.contains(target))
                })
            }),
            may: StateSet::filter(n, |state| {
                self.system
                    .may(state)
                    .any(|(action, target)| actions.contains(action) && value.may.contains(target))
            }),
        };
        (self.adjust)(self.system, result)
    }

    fn fixpoint(&mut self, sign: Sign, name: &str, body: &Formula) -> Labelling {
        let start = match sign {
            Sign::Least => Belnap::False,
            Sign::Greatest => Belnap::True,
        };
        let shadowed = self.environment.remove(name);
        let mut current = Labelling::everywhere(self.system.n_states(), start);
        loop {
            self.environment.insert(name.to_owned(), current.clone());
            let next = self.evaluate(body);
            if next == current || self.stopped.is_some() {
                break;
            }
            debug_assert!(
                match sign {
                    Sign::Least => current.must.is_subset(&next.must) && current.may.is_subset(&next.may),
                    Sign::Greatest => next.must.is_subset(&current.must) && next.may.is_subset(&current.may),
                },
                "rounds go one way in the truth order"
            );
            current = next;
        }
        match shadowed {
            Some(outer) => self.environment.insert(name.to_owned(), outer),
            None => self.environment.remove(name),
        };
        current
    }
}
