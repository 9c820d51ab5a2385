//! Definite answers of the loop against explicit enumeration.

use tertium_abstraction::{Form, Musts};
use tertium_check::{Semantics, check_naively};
use tertium_explore::check_run;
use tertium_expr::{Term, Terms};
use tertium_logic::Formula;
use tertium_program::{Domain, LocId, Precision, Program, Role, Statement};
use tertium_refine::{Abstraction, Question, Settings, Support, decide, recheck, relied_on_ranks};
use tertium_solve::{GivesUp, Prover, Z3};
use tertium_support::{Cancel, Context, Id, Limits, Rng, Source, Span};
use tertium_testkit::{
    ConcreteSystem, FormulaShape, ProgramShape, concrete_system, long_random_cases, random_atom,
    random_formula, random_program,
};
use tertium_truth::Verdict;

fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

fn formula(text: &str) -> Formula {
    tertium_logic::parse(&Source::new("", text)).expect("it parses")
}

/// An abstraction of either kind with its semantics.
fn random_abstraction(rng: &mut Rng) -> (Abstraction, Semantics) {
    let semantics = if rng.chance(0.5) { Semantics::Sis } else { Semantics::Ris };
    let abstraction = match rng.below(4) {
        0 => Abstraction::Bits(Musts::Single),
        1 => Abstraction::Bits(Musts::Sets),
        2 => Abstraction::Vectors { form: Form::Mixed, depth: None },
        _ => {
            let form = *rng.pick(&[Form::Mixed, Form::Literal, Form::Reduced]);
            Abstraction::Vectors { form, depth: rng.chance(0.5).then(|| rng.between(1, 2)) }
        }
    };
    (abstraction, semantics)
}

fn random_property(rng: &mut Rng) -> Formula {
    if rng.chance(0.3) {
        let texts = ["AG p", "AG (p || q)", "EF p", "EF (p && !q)", "AG (p => AF q)", "AG EF p"];
        return formula(rng.pick::<&str>(&texts));
    }
    let shape = FormulaShape {
        actions: vec!["a".into(), "b".into()],
        propositions: vec!["p".into(), "q".into()],
        ..FormulaShape::default()
    };
    random_formula(rng, &shape)
}

#[test]
fn definite_answers_are_those_of_thousands_of_programs() {
    let (mut n_definite, mut n_unknown, mut n_runs, mut n_local) = (0, 0, 0, 0);
    let run = long_random_cases(4000, |rng| {
        let shape = ProgramShape { n_commands: 3, bounded: true, choices: rng.chance(0.3) };
        let program = random_program(rng, shape);
        let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
        let propositions: Vec<(String, Term)> = ["p", "q"]
            .map(|name| (name.to_owned(), random_atom(rng, &program.terms, &variables[1..])))
            .to_vec();
        let Some(ConcreteSystem { system, .. }) = concrete_system(&program, &propositions) else { return };
        let formula = random_property(rng);
        // Some begin with predicates that count at one location only.
        let mut precision = Precision::new();
        for _ in 0..rng.below(3) {
            let atom = random_atom(rng, &program.terms, &variables[1..]);
            precision.add(&program, atom, LocId::new(rng.below(program.locations().len())));
        }
        let question =
            Question { program: &program, formula: &formula, propositions: &propositions, precision };
        let (abstraction, semantics) = random_abstraction(rng);
        // There can be 3^n vectors of n predicates, and the literal form has them all.
        let (iterations, guards) = match abstraction {
            Abstraction::Vectors { form: Form::Literal, .. } => (1, false),
            Abstraction::Vectors { .. } => (2, rng.chance(0.5)),
            Abstraction::Bits(_) => (3, rng.chance(0.5)),
        };
        let settings = Settings { abstraction, semantics, iterations, guards, ranks: rng.chance(0.9) };
        let faulty = rng.chance(0.2);
        let prover = if faulty { Prover::new(GivesUp::new(Z3::new(), 5)) } else { Prover::new(Z3::new()) };
        let answer = decide(&context(), &question, &settings, prover);
        match answer.outcome.verdict {
            Verdict::Unknown(_) => n_unknown += 1,
            verdict => {
                let expected = check_naively(&Context::default(), &system, &formula, Semantics::Sis).verdict;
                assert_eq!(verdict, expected, "{formula} {settings:?}");
                n_definite += 1;
                n_local += usize::from(!answer.learnt.precision.is_all_global());
            }
        }
        match &answer.support {
            Support::Abstract(found) if rng.chance(0.2) => {
                let relied_on = relied_on_ranks(&answer.outcome, found);
                let again = recheck(&context(), &program, &propositions, found, &relied_on);
                assert_eq!(again, Ok(Ok(())), "{formula} {settings:?}");
            }
            Support::Run((run, goal)) => {
                assert_eq!(check_run(&program, run, *goal), Ok(()));
                n_runs += 1;
            }
            Support::Abstract(_) | Support::AllStates(_) | Support::Nothing => {}
        }
    });
    run.enough(n_definite > n_unknown, format_args!("{n_definite} definite, {n_unknown} unknown"));
    run.enough(n_runs > 0, "no run");
    run.enough(
        n_local > 100,
        format_args!("{n_local} definite with predicates that count at some locations only"),
    );
}

#[test]
fn a_boolean_property_is_about_initial_states_only() {
    // x begins at 0 and grows; a run to where `x = 0` fails says nothing, also if the solver never answers.
    let mut program = Program::new(Terms::new());
    program.add_variable("x", Domain::Int, Role::Data, Span::default());
    let variable = program.variables()[0].variable;
    let x = program.terms.variable(variable);
    let zero = program.terms.equal(x, program.terms.integer(0));
    program.initial = zero;
    let up = Statement::Assign(vec![(variable, program.terms.sum([x, program.terms.integer(1)]))]);
    program.add_command("up", up, Span::default());
    let propositions = [("p".to_owned(), zero)];
    let formula = formula("p");
    for (every, expected) in [(1, None), (usize::MAX, Some(Verdict::True))] {
        let question = Question {
            program: &program,
            formula: &formula,
            propositions: &propositions,
            precision: Precision::new(),
        };
        let prover = Prover::new(GivesUp::new(Z3::new(), every));
        let verdict = decide(&context(), &question, &Settings::default(), prover).outcome.verdict;
        match expected {
            Some(expected) => assert_eq!(verdict, expected),
            None => assert_ne!(verdict, Verdict::False),
        }
    }
}
