//! One predicate abstraction of a program as decision diagrams, without refinement.
//!
//! There is no strategy that could be validated: a definite verdict rests on the relations as the solver gave them and on the
//! fixpoints over them.

use super::abstraction::{given_predicates, offered, written};
use super::{count, explicit};
use crate::{Candidate, Engine, Halt, OffersProgram, Opening, PropertyId, Session, Taken, Work};
use tertium_abstraction::{PredicateAbstraction, Predicates, explore_symbolic};
use tertium_check::Semantics;
use tertium_check::symbolic::MonomialChecker;
use tertium_dd::Manager;
use tertium_evidence::{Assumption, Outcome};
use tertium_refine::{Question, first_predicates};
use tertium_solve::{Prover, Z3};
use tertium_support::Statistics;
use tertium_truth::{Cause, Verdict};

/// The row of the table.
pub(crate) const MONOMIALS: Engine = Engine {
    name: "symbolic",
    title: "one abstraction by predicates as decision diagrams, without refinement",
    fits: |model| model.program().is_some() && model.symbolic().is_none(),
    semantics: &[Semantics::Sis, Semantics::Ris],
    takes: &[Taken::Predicates, Taken::Nodes],
    rank: None,
    open,
    advise: |cause, options| {
        let ris = match options.semantics {
            Semantics::Ris => "",
            _ => "`--semantics ris` is more precise, ",
        };
        (cause == Cause::Imprecise).then(|| {
            format!(
                "this engine does not refine: {ris}`--engine predicate` refines, and `--predicates` helps both"
            )
        })
    },
};

struct Monomials<'m> {
    opening: Opening<'m>,
    offer: &'m dyn OffersProgram,
    given: Predicates,
}

fn open(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer = offered(&opening)?;
    let given = given_predicates(&opening, offer)?;
    work(&mut Monomials { opening, offer, given });
    Ok(())
}

impl Session for Monomials<'_> {
    fn ask(&mut self, property: PropertyId, _: Option<&str>) -> Result<Candidate<'_>, Halt> {
        let formula = explicit::formula(&self.opening, property)?;
        let Opening { context, options, .. } = self.opening;
        let program = self.offer.program();
        let propositions = self.offer.propositions(property);
        let question = Question {
            program,
            formula: &formula,
            propositions: &propositions,
            predicates: self.given.clone(),
        };
        let mut prover = Prover::new(Z3::new());
        let predicates = first_predicates(context, &question, true, &mut prover);
        let learnt = written(program, &predicates);
        let n_predicates = predicates.len();
        let mut abstraction = PredicateAbstraction::new(program, predicates, prover);
        let manager = Manager::new(context);
        if let Some(nodes) = options.symbolic.nodes {
            manager.set_node_limit(nodes);
        }
        let abstracted = explore_symbolic(context, &mut abstraction, &propositions, &manager)?;
        let mut checker = MonomialChecker::new(context, &abstracted.system, options.semantics)?;
        let found = checker.evaluate(&formula)?;
        let solver = abstraction.statistics();
        let mut statistics = Statistics::default();
        statistics.set("predicates", n_predicates);
        statistics.set("locations", abstracted.system.locations.len());
        statistics.set("fixpoint iterations", found.n_iterations);
        statistics.set("peak nodes", manager.peak_nodes());
        statistics.set("solver questions", solver.n_questions);
        statistics.set("solver calls", solver.n_calls);
        statistics.set("solver gave up", solver.n_gave_up);
        let verdict = match found.verdict {
            Verdict::Unknown(Cause::Imprecise) if solver.n_gave_up > 0 => Verdict::Unknown(Cause::Solver),
            other => other,
        };
        let mut outcome = Outcome::new(verdict, statistics);
        if !abstracted.begins {
            outcome.assumptions.push(Assumption::NoInitialState);
        }
        let semantics = if options.semantics == Semantics::Ris { "ris" } else { "sis" };
        let words =
            format!("symbolic predicate abstraction, {semantics}, {}", count(n_predicates, "predicate"));
        let mut candidate = Candidate::plain(words, outcome);
        candidate.learnt = Some(learnt);
        Ok(candidate)
    }
}
