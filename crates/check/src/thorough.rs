//! Thorough semantics by enumeration: what holds in every concrete system that refines a partial one.
//!
//! For the set C\[M\] of all refinements of M through its domain [Wei09, Def. 5.1]:
//!
//! ```text
//! must = {a | γ(a) ⊆ ‖φ‖ in every B ∈ C[M]}        may = {a | γ(a) meets ‖φ‖ in some B ∈ C[M]}
//! ```
//!
//! If there is no refinement, everything is proved and refuted. This is the most precise sound semantics and the most
//! expensive one: every choice of the free steps and labels is tried, so it is for small systems and as a yardstick. A
//! bound on the free bits is a parameter, and exceeding it is an answer. Ordinary two-valued evaluation is written out
//! here on sets of concrete states and shares nothing with the three-valued evaluators.

use crate::naive::Labelling;
use crate::names::ActionSet;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use tertium_logic::{Formula, FormulaKind, PathQuantifier, Regular, Sign};
use tertium_support::{Context, IdSet, StopReason};
use tertium_system::partial::{ConcreteBts, Refinements, TooManyFreeBits};
use tertium_system::{ActionId, ConcreteId, PartialSystem, StateSet};
use tertium_truth::Belnap;

/// The answer of thorough semantics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thorough {
    /// The value at every state.
    pub labelling: Labelling,
    /// How many refinements were looked at; propositions that do not occur in the formula do not count.
    pub refinements: u64,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotEnumerated {
    /// So many steps and labels are free, more than the bound.
    TooLarge {
        /// How many.
        free_bits: usize,
    },
    /// There are so many concrete states, more than is enumerated.
    TooManyStates {
        /// How many.
        concrete: usize,
    },
    /// A limit was reached.
    Stopped(StopReason),
}

/// More concrete states than this are refused: the tables of the enumeration are quadratic in them.
const MAX_CONCRETE: usize = 1 << 12;

/// The value of a closed formula at every state, by thorough semantics, if at most `max_free_bits` steps and labels are
/// free.
pub fn evaluate_thorough(
    context: &Context,
    system: &PartialSystem,
    formula: &Formula,
    max_free_bits: usize,
) -> Result<Thorough, NotEnumerated> {
    let concrete = system.domain().map_or(system.n_states(), |domain| domain.n_concrete());
    if concrete > MAX_CONCRETE {
        return Err(NotEnumerated::TooManyStates { concrete });
    }
    let formula = formula.expand();
    let system = &with_propositions(system, &formula);
    let names = system.labels().names();
    let occurring = formula.propositions().into_iter().filter_map(|(name, _)| names.get(name));
    let refinements = Refinements::varying(system, occurring);
    let domain = system.domain_or_flat();
    let n = domain.n_concrete();
    let mut answer = Thorough {
        labelling: Labelling::everywhere(system.n_states(), Belnap::Inconsistent),
        refinements: 0,
    };
    // Where the formula held in every refinement, and where in some.
    let mut always = IdSet::full(n);
    let mut sometimes = IdSet::empty(n);
    let mut ticker = context.ticker("enumerate refinements");
    let mut stopped = None;
    let work = formula.preorder().count() * (n + 1);
    refinements
        .visit(max_free_bits, |concrete| {
            let holds = Evaluation { system, concrete, environment: FxHashMap::default() }.evaluate(&formula);
            always.intersect_with(&holds);
            sometimes.union_with(&holds);
            answer.refinements += 1;
            match ticker.tick(work) {
                Ok(()) => ControlFlow::Continue(()),
                Err(reason) => {
                    stopped = Some(reason);
                    ControlFlow::Break(())
                }
            }
        })
        .map_err(|TooManyFreeBits(free_bits)| NotEnumerated::TooLarge { free_bits })?;
    if let Some(reason) = stopped {
        return Err(NotEnumerated::Stopped(reason));
    }
    debug_assert!(
        answer.refinements == 0 || always.is_subset(&sometimes),
        "what holds in every refinement holds in some"
    );
    answer.labelling.must = StateSet::filter(system.n_states(), |a| domain.gamma(a).is_subset(&always));
    answer.labelling.may = StateSet::filter(system.n_states(), |a| !domain.gamma(a).is_disjoint(&sometimes));
    Ok(answer)
}

/// The system with every proposition of the formula; one that it does not have is unknown everywhere.
fn with_propositions(system: &PartialSystem, formula: &Formula) -> PartialSystem {
    let mut builder = system.to_builder();
    for (name, _) in formula.propositions() {
        builder.proposition(name, Belnap::Unknown);
    }
    builder.build()
}

/// Two-valued evaluation of core formulas.
struct Evaluation<'a> {
    system: &'a PartialSystem,
    concrete: &'a ConcreteBts,
    environment: FxHashMap<&'a str, IdSet<ConcreteId>>,
}

impl<'a> Evaluation<'a> {
    fn evaluate(&mut self, formula: &'a Formula) -> IdSet<ConcreteId> {
        let n = self.concrete.n_states();
        match &formula.kind {
            FormulaKind::True => IdSet::full(n),
            FormulaKind::False => IdSet::empty(n),
            FormulaKind::Proposition(name) => {
                let proposition = self.system.labels().names().get(name).expect("propositions were added");
                self.concrete.holds(proposition).clone()
            }
            FormulaKind::Variable(name) => self.environment[&name[..]].clone(),
            FormulaKind::Not(inner) => self.evaluate(inner).complement(),
            FormulaKind::And(parts) => {
                let mut all = IdSet::full(n);
                parts.iter().for_each(|part| all.intersect_with(&self.evaluate(part)));
                all
            }
            FormulaKind::Or(parts) => {
                let mut any = IdSet::empty(n);
                parts.iter().for_each(|part| any.union_with(&self.evaluate(part)));
                any
            }
            FormulaKind::Modal(quantifier, Regular::Step(actions), inner) => {
                let actions = ActionSet::new(self.system, actions);
                let target = self.evaluate(inner);
                match quantifier {
                    PathQuantifier::Some => self.some_step(&actions, &target),
                    PathQuantifier::All => self.some_step(&actions, &target.complement()).complement(),
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

    /// The concrete states with a step into `target`.
    fn some_step(&self, actions: &ActionSet, target: &IdSet<ConcreteId>) -> IdSet<ConcreteId> {
        let actions: Vec<ActionId> =
            self.system.actions().ids().filter(|&action| actions.contains(action)).collect();
        IdSet::filter(self.concrete.n_states(), |c| {
            actions.iter().any(|&action| !self.concrete.successors(c, action).is_disjoint(target))
        })
    }

    fn fixpoint(&mut self, sign: Sign, name: &'a str, body: &'a Formula) -> IdSet<ConcreteId> {
        let n = self.concrete.n_states();
        let mut current = match sign {
            Sign::Least => IdSet::empty(n),
            Sign::Greatest => IdSet::full(n),
        };
        let shadowed = self.environment.remove(name);
        loop {
            self.environment.insert(name, current.clone());
            let next = self.evaluate(body);
            if next == current {
                break;
            }
            debug_assert!(
                match sign {
                    Sign::Least => current.is_subset(&next),
                    Sign::Greatest => next.is_subset(&current),
                },
                "rounds of a fixpoint go one way"
            );
            current = next;
        }
        match shadowed {
            Some(outer) => self.environment.insert(name, outer),
            None => self.environment.remove(name),
        };
        current
    }
}
