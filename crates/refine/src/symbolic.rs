//! Predicate abstraction as decision diagrams, as the loop goes round it: once, since nothing says what to refine.
//!
//! There is no strategy that could be validated: a definite verdict rests on the relations as the solver gave them and on the fixpoints
//! over them.

use crate::by_predicates::Question;
use crate::predicates::first_precision;
use crate::refinement::{Diagnosis, Learnt, Refinable, Refined, Round, refine};
use std::convert::Infallible;
use tertium_abstraction::{PredicateAbstraction, SymbolicAbstraction, explore_symbolic};
use tertium_check::Semantics;
use tertium_check::symbolic::MonomialChecker;
use tertium_dd::Manager;
use tertium_evidence::{Assumption, Outcome};
use tertium_solve::Prover;
use tertium_support::{Context, Statistics, StopReason};

/// Answers the question on diagrams of `manager`, which has to be new. `prover` has to be new, or used for this program only.
pub fn decide_symbolically<'p>(
    context: &Context,
    question: &Question<'p>,
    semantics: Semantics,
    manager: &Manager,
    mut prover: Prover<'p>,
) -> Refined<SymbolicAbstraction, Infallible> {
    let live = question.live();
    let mut precision = first_precision(context, question, &live, true, &mut prover);
    precision.make_global();
    let bits = PredicateAbstraction::new(question.program, precision, prover);
    refine(context, OnDiagrams { question, semantics, manager, bits }, 1)
}

struct OnDiagrams<'a, 'p> {
    question: &'a Question<'p>,
    semantics: Semantics,
    manager: &'a Manager,
    bits: PredicateAbstraction<'p>,
}

impl Refinable for OnDiagrams<'_, '_> {
    type System = SymbolicAbstraction;
    type Run = Infallible;
    type Refinement = Infallible;

    fn abstract_system(&mut self, context: &Context) -> Result<(SymbolicAbstraction, Round), StopReason> {
        let found = explore_symbolic(context, &mut self.bits, self.question.propositions, self.manager)?;
        let n_predicates = self.bits.precision().len();
        let n_states = found.system.locations.len();
        let round = Round { n_states, n_steps: 0, n_predicates, searched: None };
        Ok((found, round))
    }

    fn check(&mut self, context: &Context, found: &SymbolicAbstraction) -> Result<Outcome, StopReason> {
        let mut checker = MonomialChecker::new(context, &found.system, self.semantics)?;
        let checked = checker.evaluate(self.question.formula)?;
        let mut statistics = Statistics::default();
        statistics.set("predicates", self.bits.precision().len());
        statistics.set("locations", found.system.locations.len());
        statistics.set("fixpoint iterations", checked.n_iterations);
        statistics.set("peak nodes", self.manager.peak_nodes());
        let mut outcome = Outcome::new(checked.verdict, statistics);
        if !found.begins {
            outcome.assumptions.push(Assumption::NoInitialState);
        }
        Ok(outcome)
    }

    fn diagnose(
        &mut self,
        _: &Context,
        _: &SymbolicAbstraction,
        _: &Outcome,
    ) -> Result<Diagnosis<Infallible, Infallible>, StopReason> {
        Ok(Diagnosis::Final)
    }

    fn refine(self, refinement: Infallible) -> Self {
        match refinement {}
    }

    fn learnt(&mut self) -> Learnt {
        Learnt {
            precision: self.bits.precision().clone(),
            solver: self.bits.statistics(),
            hard: self.bits.prover().hard().clone(),
            seen: Vec::new(),
            left_out: self.bits.left_out(),
            n_open_paths: 0,
            stopped_short: None,
            goes_round: None,
        }
    }
}
