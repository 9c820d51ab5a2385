//! Standard beside reduced semantics on the block programs, symbolically: relations, times, iterations and verdicts in the layout of the
//! source \[Wei09, Tables 5.1 and 5.2\].

use crate::table::{Table, timed};
use tertium_abstraction::{PredicateAbstraction, SymbolicAbstraction, explore_symbolic};
use tertium_check::Semantics;
use tertium_check::symbolic::{MonomialChecker, MonomialOutcome};
use tertium_dd::Manager;
use tertium_expr::Term;
use tertium_front_gcl::{Model, read};
use tertium_logic::Formula;
use tertium_program::{LocId, Precision};
use tertium_solve::{Prover, ProverStatistics, Z3};
use tertium_support::{Cancel, Context, Limits, Source};
use tertium_system::monomials::RelationSizes;
use tertium_testkit::{BlockProgram, BlockProperty, BlockStart};
use tertium_truth::Verdict;

/// The numbers of blocks in the source.
pub(crate) const SIZES: [usize; 3] = [100, 200, 250];

const PROPERTIES: [(&str, BlockProperty); 4] = [
    ("EF pc = L", BlockProperty::ReachesLoop),
    ("EG pc != END", BlockProperty::NeverEnds),
    ("EG (pc != END && (x0 > 0 || ...))", BlockProperty::NeverEndsPositive),
    ("EF pc = END", BlockProperty::ReachesEnd),
];

pub(crate) fn run(sizes: &[usize]) {
    let mut relations = Table::new([
        "program",
        "blocks",
        "predicates",
        "locations",
        "solver calls",
        "read s",
        "build s",
        "SIS nodes",
        "RIS nodes",
        "SIS / RIS",
    ]);
    let mut results = Table::new([
        "property",
        "blocks",
        "SIS s",
        "iter",
        "I1",
        "I2",
        "RIS s",
        "reducing s",
        "iter",
        "I1",
        "I2",
    ]);
    for (name, program) in [("loops", BlockProgram::Loops), ("choices", BlockProgram::Choices)] {
        for &n in sizes {
            let first = Blocks::new(program, n, BlockStart::NotPositive);
            let second = Blocks::new(program, n, BlockStart::Positive);
            let (built, seconds) = timed(|| first.build());
            let (other, _) = timed(|| second.build());
            let rows = first.results(&built.found).into_iter().zip(second.results(&other.found));
            results.rows(rows.map(|((property, standard, reduced), (_, standard_2, reduced_2))| {
                [
                    property.to_owned(),
                    n.to_string(),
                    format!("{:.2}", standard.seconds),
                    standard.outcome.n_iterations.to_string(),
                    letter(standard.outcome.verdict),
                    letter(standard_2.outcome.verdict),
                    format!("{:.2}", reduced.seconds),
                    format!("{:.3}", reduced.outcome.reducing.as_secs_f64()),
                    reduced.outcome.n_iterations.to_string(),
                    letter(reduced.outcome.verdict),
                    letter(reduced_2.outcome.verdict),
                ]
            }));
            let sizes = RelationSizes::of(&context(), &built.found.system).expect("no limits");
            let (standard, reduced) = (sizes.standard.total(), sizes.reduced.total());
            relations.row([
                name.to_owned(),
                n.to_string(),
                built.found.system.frame.len().to_string(),
                built.found.system.locations.len().to_string(),
                built.solver.n_calls.to_string(),
                format!("{:.2}", first.reading),
                format!("{seconds:.2}"),
                standard.to_string(),
                reduced.to_string(),
                format!("{:.2}", standard as f64 / reduced as f64),
            ]);
        }
    }
    relations.print("relations of the block programs, as single diagrams");
    results.print("standard (SIS) and reduced (RIS) semantics: seconds without building, iterations, verdicts at both starts");
}

fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

fn letter(verdict: Verdict) -> String {
    match verdict {
        Verdict::True => "t".to_owned(),
        Verdict::False => "f".to_owned(),
        Verdict::Unknown(_) => "m".to_owned(),
    }
}

/// A program with its properties.
struct Blocks {
    program: BlockProgram,
    n: usize,
    model: Model,
    formulas: Vec<(&'static str, Formula)>,
    propositions: Vec<(String, Term)>,
    reading: f64,
}

struct Built {
    found: SymbolicAbstraction,
    solver: ProverStatistics,
}

struct Evaluated {
    outcome: MonomialOutcome,
    seconds: f64,
}

impl Blocks {
    fn new(program: BlockProgram, n: usize, start: BlockStart) -> Self {
        let source = Source::new("blocks", program.text(n, start));
        let (read, reading) = timed(|| read(&context(), &source));
        let (model, _) = read.expect("generated models are right");
        let (mut formulas, mut propositions) = (Vec::new(), Vec::<(String, Term)>::new());
        for (name, property) in PROPERTIES.into_iter().filter(|(_, property)| property.program() == program) {
            let meaning =
                model.formula(&Source::new(name, property.text(n))).expect("generated formulas are right");
            formulas.push((name, meaning.formula));
            for (name, term) in meaning.atoms {
                if !propositions.iter().any(|(known, _)| *known == name) {
                    propositions.push((name, term));
                }
            }
        }
        Self { program, n, model, formulas, propositions, reading }
    }

    fn build(&self) -> Built {
        let mut predicates = Precision::new();
        let source = Source::new("predicates", self.program.predicates(self.n));
        for (term, _) in self.model.predicates(&source).expect("generated predicates are right") {
            predicates.add(&self.model.program, term, LocId::ANYWHERE);
        }
        let prover = Prover::new(Z3::new());
        let mut abstraction = PredicateAbstraction::new(&self.model.program, predicates, prover);
        let manager = Manager::new(&context());
        let found = explore_symbolic(&context(), &mut abstraction, &self.propositions, &manager);
        Built { found: found.expect("no limits"), solver: abstraction.statistics() }
    }

    /// Each property by standard and by reduced semantics; the time includes making relations ready.
    fn results(&self, found: &SymbolicAbstraction) -> Vec<(&'static str, Evaluated, Evaluated)> {
        let evaluated = |formula: &Formula, semantics| {
            let context = context();
            let (outcome, seconds) = timed(|| {
                let mut checker =
                    MonomialChecker::new(&context, &found.system, semantics).expect("no limits");
                checker.evaluate(formula).expect("no limits")
            });
            Evaluated { outcome, seconds }
        };
        let each = self.formulas.iter().map(|(name, formula)| {
            (*name, evaluated(formula, Semantics::Sis), evaluated(formula, Semantics::Ris))
        });
        each.collect()
    }
}
