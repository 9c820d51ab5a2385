//! Symbolic predicate abstraction against exploring state by state, and against all concrete states.

use tertium_abstraction::{
    AbstractState, CartesianAbstraction, CartesianSystem, Form, LeftOut, MostAsked, PredicateAbstraction,
    SymbolicAbstraction, concretise, explore_cartesian, explore_symbolic,
};
use tertium_check::symbolic::{MonomialChecker, MonomialLabelling};
use tertium_check::{Labelling, Semantics, evaluate, evaluate_reduced};
use tertium_dd::Manager;
use tertium_expr::{Term, Value};
use tertium_program::{Interpreter, LocId, Precision, Program};
use tertium_solve::{GivesUp, Prover, Z3};
use tertium_support::{Cancel, Context, Id, Limits, Rng};
use tertium_system::StateId;
use tertium_system::monomials::LocationId;
use tertium_testkit::{
    FormulaShape, ProgramShape, concrete_system, random_atom, random_cases, random_formula, random_program,
    random_truth,
};
use tertium_truth::{Belnap, Kleene, Verdict};

fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

struct Case {
    program: Program,
    predicates: Precision,
    propositions: Vec<(String, Term)>,
}

/// A random program with predicates and propositions: predicates, combinations of them, and what has nothing to do with them.
fn random_case(rng: &mut Rng, bounded: bool) -> Case {
    let shape = ProgramShape { n_commands: 4, bounded, choices: rng.chance(0.6) };
    let program = random_program(rng, shape);
    let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
    let mut predicates = Precision::new();
    let wanted = rng.between(1, 3);
    for _ in 0..20 {
        if predicates.len() < wanted {
            predicates.add(&program, random_atom(rng, &program.terms, &variables[1..]), LocId::ANYWHERE);
        }
    }
    let mut propositions: Vec<Term> = predicates.iter().copied().collect();
    propositions.push(program.terms.or(predicates.iter().copied().take(2)));
    propositions.push(random_truth(rng, &program.terms, &variables, 1));
    let propositions =
        propositions.into_iter().enumerate().map(|(n, term)| (format!("p{n}"), term)).collect();
    Case { program, predicates, propositions }
}

impl Case {
    /// The abstract system state by state, with what its states stand for.
    fn explored(&self) -> CartesianSystem {
        let bits = PredicateAbstraction::new(&self.program, self.predicates.clone(), Prover::new(Z3::new()));
        let mut abstraction = CartesianAbstraction::new(bits);
        let found = explore_cartesian(&context(), &mut abstraction, &self.propositions, Form::Mixed);
        concretise(&context(), &mut abstraction, found.expect("no limits")).expect("no limits")
    }

    fn formula(&self, rng: &mut Rng) -> tertium_logic::Formula {
        let names = self.propositions.iter().map(|(name, _)| name.clone()).collect();
        let actions = ["a", "b", "c"].map(str::to_owned).into();
        random_formula(rng, &FormulaShape { propositions: names, actions, ..FormulaShape::default() })
    }
}

fn symbolic(case: &Case, prover: Prover<'static>) -> SymbolicAbstraction {
    let mut abstraction = PredicateAbstraction::new(&case.program, case.predicates.clone(), prover);
    explore_symbolic(&context(), &mut abstraction, &case.propositions, &Manager::new(&context()))
        .expect("no limits")
}

/// The value at an abstract state, if control may reach it.
fn value_at(
    found: &SymbolicAbstraction,
    checker: &MonomialChecker<'_>,
    labelling: &MonomialLabelling,
    control: &[Value],
    bits: &[bool],
) -> Option<Belnap> {
    let location = LocationId::new(found.controls.get_index_of(control)?);
    Some(checker.at(labelling, location, bits))
}

/// A semantics by its definition.
type Oracle = fn(&tertium_system::PartialSystem, &tertium_logic::Formula) -> Labelling;

const BOTH: [(Semantics, Oracle); 2] = [(Semantics::Sis, evaluate), (Semantics::Ris, evaluate_reduced)];

#[test]
fn values_are_those_of_the_explored_system_at_all_minterms() {
    random_cases(40, |rng| {
        let mut case = random_case(rng, false);
        // From everywhere, so that the explored system has all minterms and reduction can use them.
        case.program.initial = case.program.terms.boolean(true);
        let case = case;
        let explored = case.explored();
        let found = symbolic(&case, Prover::new(Z3::new()));
        let context = context();
        for (semantics, oracle) in BOTH {
            let mut checker = MonomialChecker::new(&context, &found.system, semantics).expect("no limits");
            for _ in 0..6 {
                let formula = case.formula(rng);
                let outcome = checker.evaluate(&formula).expect("no limits");
                let expected = oracle(&explored.system, &formula);
                for (n, state) in explored.states.iter().enumerate() {
                    let bits: Option<Vec<bool>> = state
                        .vector
                        .components()
                        .iter()
                        .map(|c| c.is_definite().then_some(*c == Kleene::True))
                        .collect();
                    let Some(bits) = bits else { continue };
                    let value = value_at(&found, &checker, &outcome.labelling, &state.control, &bits);
                    let value = value.expect("control reaches everything");
                    assert_eq!(value, expected.at(StateId::new(n)), "{semantics:?} {formula} at {state:?}");
                }
            }
        }
    });
}

#[test]
fn verdicts_say_at_least_what_the_explored_system_says() {
    random_cases(40, |rng| {
        let case = random_case(rng, false);
        let explored = case.explored();
        let found = symbolic(&case, Prover::new(Z3::new()));
        assert_eq!(found.begins, !explored.system.initial().is_empty());
        let context = context();
        for (semantics, _) in BOTH {
            let mut checker = MonomialChecker::new(&context, &found.system, semantics).expect("no limits");
            for _ in 0..6 {
                let formula = case.formula(rng);
                let verdict = checker.evaluate(&formula).expect("no limits").verdict;
                let expected =
                    tertium_check::check_naively(&Context::default(), &explored.system, &formula, semantics)
                        .verdict;
                match semantics {
                    // States that were not explored do not matter to standard semantics.
                    Semantics::Sis => assert_eq!(verdict, expected, "{formula}"),
                    _ if !matches!(expected, Verdict::Unknown(_)) => {
                        assert_eq!(verdict, expected, "{formula}")
                    }
                    _ => {}
                }
            }
        }
    });
}

/// Where less is asked, less is known: no verdict turns round, and one that is lost was counted.
#[test]
fn what_is_left_out_is_counted_and_costs_answers_only() {
    let (mut n_lost, mut n_kept, mut kinds) = (0, 0, LeftOut::default());
    let run = random_cases(60, |rng| {
        let case = random_case(rng, false);
        let all = symbolic(&case, Prover::new(Z3::new()));
        let prover = Prover::new(Z3::new());
        let most = MostAsked { valuations: rng.below(3), searched: rng.below(2) };
        let abstraction = PredicateAbstraction::new(&case.program, case.predicates.clone(), prover);
        let mut abstraction = abstraction.asking(most);
        let manager = Manager::new(&context());
        let few = explore_symbolic(&context(), &mut abstraction, &case.propositions, &manager);
        let few = few.expect("no limits");
        let left_out = abstraction.left_out();
        assert_eq!(left_out.total() == 0, left_out.sentences().is_empty());
        kinds += left_out;
        let context = context();
        let mut with_all = MonomialChecker::new(&context, &all.system, Semantics::Sis).expect("no limits");
        let mut with_few = MonomialChecker::new(&context, &few.system, Semantics::Sis).expect("no limits");
        for _ in 0..6 {
            let formula = case.formula(rng);
            let expected = with_all.evaluate(&formula).expect("no limits").verdict;
            let verdict = with_few.evaluate(&formula).expect("no limits").verdict;
            if !matches!(verdict, Verdict::Unknown(_)) {
                assert_eq!(verdict, expected, "{formula}");
                n_kept += 1;
            } else if !matches!(expected, Verdict::Unknown(_)) {
                assert!(left_out.total() > 0, "{formula} is lost, and nothing was left out");
                n_lost += 1;
            }
        }
    });
    let met = [n_lost, n_kept, kinds.groups, kinds.steps, kinds.labels];
    run.enough(met.iter().all(|&n| n >= run.share(5) as u64), met);
}

#[test]
fn definite_values_are_those_of_all_concrete_states() {
    random_cases(40, |rng| {
        let case = random_case(rng, true);
        let Some(concrete) = concrete_system(&case.program, &case.propositions) else { return };
        let interpreter = Interpreter::new(&case.program);
        // A solver that gives up may cost answers, but no answer turns round.
        let prover = match rng.chance(0.5) {
            true => Prover::new(GivesUp::new(Z3::new(), rng.between(1, 4))),
            false => Prover::new(Z3::new()),
        };
        let found = symbolic(&case, prover);
        let context = context();
        for (semantics, _) in BOTH {
            let mut checker = MonomialChecker::new(&context, &found.system, semantics).expect("no limits");
            for _ in 0..4 {
                let formula = case.formula(rng);
                let outcome = checker.evaluate(&formula).expect("no limits");
                let truth = evaluate(&concrete.system, &formula);
                let mut at_initial = Vec::new();
                for (n, state) in concrete.states.iter().enumerate() {
                    let exact =
                        AbstractState::of(&interpreter, &case.predicates, state).expect("domains are small");
                    let bits: Vec<bool> =
                        (0..case.predicates.len()).map(|n| exact.bits.contains(n)).collect();
                    let value = value_at(&found, &checker, &outcome.labelling, &exact.control, &bits);
                    let truth = truth.at(StateId::new(n));
                    if interpreter.is_initial(state) {
                        at_initial.push(truth);
                        assert!(value.is_some(), "control begins there");
                    }
                    if let Some(value) = value
                        && value != Belnap::Unknown
                    {
                        assert_eq!(value, truth, "{semantics:?} {formula}");
                    }
                }
                match outcome.verdict {
                    Verdict::True => {
                        assert!(at_initial.iter().all(|&truth| truth == Belnap::True), "{formula}")
                    }
                    Verdict::False => assert!(at_initial.contains(&Belnap::False), "{formula}"),
                    Verdict::Unknown(_) => {}
                }
            }
        }
    });
}
