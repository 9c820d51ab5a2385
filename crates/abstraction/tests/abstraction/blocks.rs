//! The programs of the source on which reduced semantics proves more \[Wei09, §5.8\]: the verdicts state by state and
//! on diagrams, how iterations grow with the number of blocks, and the sizes of relations.

use tertium_abstraction::{
    CartesianAbstraction, Form, PredicateAbstraction, SymbolicAbstraction, concretise, explore_cartesian,
    explore_symbolic,
};
use tertium_check::symbolic::{MonomialChecker, MonomialOutcome};
use tertium_check::{Prepared, Record, Semantics, Settings, check};
use tertium_dd::Manager;
use tertium_expr::Term;
use tertium_front_gcl::{Model, read};
use tertium_logic::Formula;
use tertium_program::{LocId, Precision};
use tertium_solve::{Prover, Z3};
use tertium_support::{Cancel, Context, Limits, Source};
use tertium_system::monomials::RelationSizes;
use tertium_testkit::BlockProperty::{NeverEnds, NeverEndsPositive, ReachesEnd, ReachesLoop};
use tertium_testkit::BlockStart::{NotPositive, Positive};
use tertium_testkit::{BlockProgram, BlockProperty, BlockStart};
use tertium_truth::{Cause, Verdict};

fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

const OPEN: Verdict = Verdict::Unknown(Cause::Imprecise);

/// For each property and start: the verdict of standard and of reduced semantics.
const VERDICTS: [(BlockProperty, BlockStart, Verdict, Verdict); 8] = [
    (ReachesLoop, NotPositive, Verdict::True, Verdict::True),
    (ReachesLoop, Positive, OPEN, Verdict::True),
    (NeverEnds, NotPositive, Verdict::True, Verdict::True),
    (NeverEnds, Positive, OPEN, Verdict::True),
    (NeverEndsPositive, NotPositive, Verdict::False, Verdict::False),
    (NeverEndsPositive, Positive, Verdict::False, Verdict::False),
    (ReachesEnd, NotPositive, OPEN, Verdict::True),
    (ReachesEnd, Positive, Verdict::True, Verdict::True),
];

/// A program with its properties.
struct Blocks {
    program: BlockProgram,
    n: usize,
    model: Model,
    formulas: Vec<(BlockProperty, Formula)>,
    propositions: Vec<(String, Term)>,
}

impl Blocks {
    fn new(program: BlockProgram, n: usize, start: BlockStart) -> Self {
        let source = Source::new("blocks", program.text(n, start));
        let (model, _) = read(&context(), &source).expect("it is a model");
        let mut blocks = Self { program, n, model, formulas: Vec::new(), propositions: Vec::new() };
        for property in ALL.into_iter().filter(|property| property.program() == program) {
            let source = Source::new("property", property.text(n));
            let meaning = blocks.model.formula(&source).expect("it is a formula");
            blocks.formulas.push((property, meaning.formula));
            for (name, term) in meaning.atoms {
                if !blocks.propositions.iter().any(|(known, _)| *known == name) {
                    blocks.propositions.push((name, term));
                }
            }
        }
        blocks
    }

    fn abstraction(&self) -> PredicateAbstraction<'_> {
        let mut predicates = Precision::new();
        let terms = self.model.predicates(&Source::new("predicates", self.program.predicates(self.n)));
        for (term, _) in terms.expect("they are predicates") {
            predicates.add(&self.model.program, term, LocId::ANYWHERE);
        }
        PredicateAbstraction::new(&self.model.program, predicates, Prover::new(Z3::new()))
    }

    fn symbolic(&self) -> SymbolicAbstraction {
        let manager = Manager::new(&context());
        explore_symbolic(&context(), &mut self.abstraction(), &self.propositions, &manager)
            .expect("no limits")
    }

    /// Every property with what standard and reduced semantics say on diagrams.
    fn on_diagrams(&self) -> Vec<(BlockProperty, MonomialOutcome, MonomialOutcome)> {
        let found = self.symbolic();
        let context = context();
        let checker =
            |semantics| MonomialChecker::new(&context, &found.system, semantics).expect("no limits");
        let (mut standard, mut reduced) = (checker(Semantics::Sis), checker(Semantics::Ris));
        let evaluated = self.formulas.iter().map(|(property, formula)| {
            let standard = standard.evaluate(formula).expect("no limits");
            (*property, standard, reduced.evaluate(formula).expect("no limits"))
        });
        evaluated.collect()
    }
}

const ALL: [BlockProperty; 4] = [ReachesLoop, NeverEnds, NeverEndsPositive, ReachesEnd];

/// What the source says, standard before reduced.
fn expected(property: BlockProperty, start: BlockStart) -> (Verdict, Verdict) {
    let (_, _, standard, reduced) =
        VERDICTS.into_iter().find(|&(p, s, ..)| (p, s) == (property, start)).expect("all are listed");
    (standard, reduced)
}

const PROGRAMS: [BlockProgram; 2] = [BlockProgram::Loops, BlockProgram::Choices];
const STARTS: [BlockStart; 2] = [NotPositive, Positive];

#[test]
fn verdicts_state_by_state_are_those_of_the_source() {
    for (n, program, start) in each(1..=5) {
        let blocks = Blocks::new(program, n, start);
        let mut abstraction = CartesianAbstraction::new(blocks.abstraction());
        let found = explore_cartesian(&context(), &mut abstraction, &blocks.propositions, Form::Mixed);
        let found = concretise(&context(), &mut abstraction, found.expect("no limits")).expect("no limits");
        let context = context();
        let prepared = Prepared::new(&context, &found.system).expect("no limits");
        for (property, formula) in &blocks.formulas {
            let verdict = |semantics| {
                let settings = Settings { semantics, record: Record::Values };
                check(&context, &prepared, formula, &settings).verdict
            };
            let verdicts = (verdict(Semantics::Sis), verdict(Semantics::Ris));
            assert_eq!(verdicts, expected(*property, start), "{property:?} {start:?}, {n} blocks");
        }
    }
}

#[test]
fn verdicts_on_diagrams_are_those_of_the_source() {
    for (n, program, start) in each([1, 2, 3, 4, 5, 12]) {
        for (property, standard, reduced) in Blocks::new(program, n, start).on_diagrams() {
            let verdicts = (standard.verdict, reduced.verdict);
            assert_eq!(verdicts, expected(property, start), "{property:?} {start:?}, {n} blocks");
        }
    }
}

fn each(sizes: impl IntoIterator<Item = usize>) -> Vec<(usize, BlockProgram, BlockStart)> {
    let all = |n| PROGRAMS.into_iter().flat_map(move |program| STARTS.map(move |start| (n, program, start)));
    sizes.into_iter().flat_map(all).collect()
}

#[test]
fn iterations_grow_with_each_block_as_the_source_says() {
    // Iterations per block, and once, for standard and for reduced semantics.
    let growth = |property| match property {
        ReachesLoop => ((3, 1), (4, 1)),
        NeverEnds => ((2, 1), (0, 2)),
        NeverEndsPositive => ((4, 0), (4, 0)),
        ReachesEnd => ((6, 1), (4, 2)),
    };
    for (n, program, start) in each([4, 5, 9]) {
        for (property, standard, reduced) in Blocks::new(program, n, start).on_diagrams() {
            let all = |(each, once)| each * n as u64 + once;
            let (by_standard, by_reduced) = growth(property);
            let found = (standard.n_iterations, reduced.n_iterations);
            assert_eq!(found, (all(by_standard), all(by_reduced)), "{property:?} {start:?}, {n} blocks");
        }
    }
}

#[test]
fn relations_for_reduced_semantics_are_smaller() {
    for (n, program, start) in each([3, 12]) {
        let found = Blocks::new(program, n, start).symbolic();
        let sizes = RelationSizes::of(&context(), &found.system).expect("no limits");
        assert!(sizes.reduced.may < sizes.standard.may, "{sizes:?}");
        assert!(sizes.reduced.must < sizes.standard.must, "{sizes:?}");
        assert!(sizes.reduced.total() < sizes.standard.total(), "{sizes:?}");
    }
}
