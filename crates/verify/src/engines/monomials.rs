//! One predicate abstraction of a program as decision diagrams, without refinement.
//!
//! A bounded program also has an engine of this name on its states, which comes first. This one answers formulas about actions, and where
//! options are given that the other does not take.
//!
//! There is no strategy that could be validated: a definite verdict rests on the relations as the solver gave them and on the
//! fixpoints over them.

use super::abstraction::{given_predicates, has_branching_time, help_with_predicates, offered, written};
use super::{count, explicit};
use crate::advice::with;
use crate::{Asked, Candidate, Engine, Halt, OffersProgram, Opening, Session, Taken, Work};
use tertium_check::Semantics;
use tertium_dd::Manager;
use tertium_evidence::Detail;
use tertium_program::Precision;
use tertium_refine::{Question, decide_symbolically};
use tertium_solve::{Prover, Z3};
use tertium_truth::Cause;

/// The row of the table.
pub(crate) const MONOMIALS: Engine = Engine {
    name: "symbolic",
    title: "one abstraction by predicates as decision diagrams, without refinement",
    fits: |model| model.program().is_some(),
    semantics: &[Semantics::Sis, Semantics::Ris],
    takes: &[Taken::Predicates, Taken::Nodes],
    on_bounded: None,
    on_unbounded: None,
    open,
    suits: has_branching_time,
    advise: |situation| {
        let more_precise =
            situation.cause == Cause::Imprecise && situation.options.semantics == Semantics::Sis;
        let ris = more_precise.then(|| with("--semantics", Semantics::Ris.word()));
        ris.into_iter().chain(help_with_predicates(situation)).collect()
    },
};

struct Monomials<'m> {
    opening: Opening<'m>,
    offer: &'m dyn OffersProgram,
    given: Precision,
}

pub(super) fn open(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer = offered(&opening)?;
    let given = given_predicates(&opening, offer)?;
    work(&mut Monomials { opening, offer, given });
    Ok(())
}

impl Session for Monomials<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let formula = explicit::formula(&self.opening, asked)?;
        let Opening { context, options, .. } = self.opening;
        let program = self.offer.program();
        let propositions = self.offer.propositions(asked.property);
        let question = Question {
            program,
            formula: &formula,
            propositions: &propositions,
            precision: self.given.clone(),
        };
        let manager = Manager::new(context);
        if let Some(nodes) = options.symbolic.nodes {
            manager.set_node_limit(nodes);
        }
        let prover = Prover::new(Z3::new());
        let found = decide_symbolically(context, &question, options.semantics, &manager, prover);
        let (mut outcome, learnt) = (found.outcome, found.learnt);
        outcome.statistics.set("solver questions", learnt.solver.n_questions);
        outcome.statistics.set("solver calls", learnt.solver.n_calls);
        outcome.statistics.set("solver gave up", learnt.solver.n_gave_up);
        if learnt.left_out.total() > 0 {
            outcome.statistics.set("left out", learnt.left_out.total());
        }
        let semantics = if options.semantics == Semantics::Ris { "ris" } else { "sis" };
        let predicates = count(learnt.precision.len(), "predicate");
        let words = format!("symbolic predicate abstraction, {semantics}, {predicates}");
        let mut candidate = Candidate::plain(words, outcome);
        if !candidate.outcome.is_definite() {
            candidate.details.extend(learnt.sentences().into_iter().map(Detail::LeftOut));
        }
        if learnt.solver.n_gave_up > 0 {
            let products = learnt.hard.iter().map(|(&term, &n)| (program.terms.print(term).to_string(), n));
            candidate.details.push(Detail::GaveUp(learnt.solver.n_gave_up, products.collect()));
        }
        candidate.learnt = Some(written(program, &learnt.precision));
        Ok(candidate)
    }
}
