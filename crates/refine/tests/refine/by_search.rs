//! Definite answers of the search against explicit enumeration.

use tertium_check::{Semantics, check_naively};
use tertium_explore::check_run;
use tertium_expr::{Term, Terms};
use tertium_logic::Formula;
use tertium_program::{Domain, Precision, Program, Role, Statement};
use tertium_refine::{Question, Support, decide_by_search, recheck};
use tertium_search::{LossSettings, Order, Settings, Start};
use tertium_solve::{GivesUp, Prover, Z3};
use tertium_support::{Cancel, Context, Limits, Rng, Source, Span};
use tertium_testkit::{
    ConcreteSystem, FormulaShape, ProgramShape, concrete_system, random_atom, random_cases, random_formula,
    random_program,
};
use tertium_truth::Verdict;

fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

fn random_property(rng: &mut Rng) -> Formula {
    if rng.chance(0.5) {
        let texts = ["AG p", "AG (p || q)", "EF p", "EF (p && !q)", "AG (p => AF q)", "AG EF p", "!EF q"];
        let text = *rng.pick::<&str>(&texts);
        return tertium_logic::parse(&Source::new("", text)).expect("it parses");
    }
    let shape = FormulaShape {
        actions: vec!["a".into(), "b".into()],
        propositions: vec!["p".into(), "q".into()],
        ..FormulaShape::default()
    };
    random_formula(rng, &shape)
}

fn random_settings(rng: &mut Rng) -> Settings {
    Settings {
        order: *rng.pick(&[Order::Breadth, Order::Depth]),
        losses: LossSettings { by_location: rng.chance(0.3), unasked: rng.chance(0.2) },
        start: *rng.pick(&[Start::Guards, Start::Goal]),
        values_after: Some(2),
        iterations: 12,
        ..Settings::default()
    }
}

#[test]
fn definite_answers_are_those_of_all_states() {
    let (mut n_definite, mut n_unknown, mut n_runs, mut n_exact, mut n_all) = (0, 0, 0, 0, 0);
    let run = random_cases(300, |rng| {
        let shape = ProgramShape { n_commands: 4, bounded: true, choices: rng.chance(0.3) };
        let program = random_program(rng, shape);
        let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
        let propositions: Vec<(String, Term)> =
            ["p", "q"].map(|name| (name.to_owned(), random_atom(rng, &program.terms, &variables))).to_vec();
        let Some(ConcreteSystem { system, .. }) = concrete_system(&program, &propositions) else { return };
        let formula = random_property(rng);
        let question = Question {
            program: &program,
            formula: &formula,
            propositions: &propositions,
            precision: Precision::new(),
        };
        let settings = random_settings(rng);
        let faulty = rng.chance(0.2);
        let prover = if faulty { Prover::new(GivesUp::new(Z3::new(), 5)) } else { Prover::new(Z3::new()) };
        let answer = decide_by_search(&context(), &question, &settings, prover);
        match answer.outcome.verdict {
            Verdict::Unknown(_) => n_unknown += 1,
            verdict => {
                let expected = check_naively(&Context::default(), &system, &formula, Semantics::Sis).verdict;
                assert_eq!(verdict, expected, "{formula} {settings:?}");
                n_definite += 1;
            }
        }
        match &answer.support {
            Support::Abstract(found) => {
                n_exact += 1;
                let again = recheck(&context(), &program, &propositions, found, &[]);
                assert_eq!(again, Ok(Ok(())), "{formula} {settings:?}");
            }
            Support::Run((run, goal)) => {
                assert_eq!(check_run(&program, run, *goal), Ok(()));
                n_runs += 1;
            }
            Support::AllStates(found) => {
                n_all += 1;
                assert_eq!(found.system.n_states(), system.reachable().iter().count());
            }
            Support::Nothing => {}
        }
    });
    run.enough(n_definite > n_unknown, format_args!("{n_definite} definite, {n_unknown} unknown"));
    run.enough(
        n_runs > 20 && n_exact > 20 && n_all > 0,
        format_args!("{n_runs} runs, {n_exact} exact, {n_all} by all states"),
    );
}

#[test]
fn an_input_without_bounds_is_proved_about_and_the_proof_rechecked() {
    let mut program = Program::new(Terms::new());
    let place = Span::default();
    program.add_variable("pc", Domain::Range(0.into(), 2.into()), Role::Control, place);
    program.add_variable("x", Domain::Int, Role::Data, place);
    let [pc, x] = [0, 1].map(|n| program.variables()[n].variable);
    let terms = &program.terms;
    let at = |n: i32| terms.equal(terms.variable(pc), terms.integer(n));
    let go = |n: i32| Statement::Assign(vec![(pc, terms.integer(n))]);
    let low = terms.at_most(terms.variable(x), terms.integer(7));
    let commands = [
        Statement::Sequence(vec![Statement::Assume(at(0)), Statement::Havoc(x, Domain::Int), go(1)]),
        Statement::guarded(terms.and([at(1), low]), go(0)),
        Statement::guarded(terms.and([at(1), terms.not(low)]), go(2)),
    ];
    let initial = terms.and([at(0), terms.equal(terms.variable(x), terms.integer(0))]);
    let propositions = [("done", at(2)), ("low", low)].map(|(name, term)| (name.to_owned(), term));
    program.initial = initial;
    for (action, statement) in ["in", "back", "on"].into_iter().zip(commands) {
        program.add_command(action, statement, place);
    }
    let formulas = [
        ("AG (done => !low)", Verdict::True),
        ("AG EF done || AF done", Verdict::True),
        ("AF done", Verdict::False),
        ("EF (done && low)", Verdict::False),
    ];
    for (text, expected) in formulas {
        let formula = tertium_logic::parse(&Source::new("", text)).expect("it parses");
        let question = Question {
            program: &program,
            formula: &formula,
            propositions: &propositions,
            precision: Precision::new(),
        };
        let answer = decide_by_search(&context(), &question, &Settings::default(), Prover::new(Z3::new()));
        assert_eq!(answer.outcome.verdict, expected, "{text}");
        let Support::Abstract(found) = &answer.support else { panic!("{text}") };
        assert_eq!(recheck(&context(), &program, &propositions, found, &[]), Ok(Ok(())), "{text}");
    }
}
