//! Least fixpoints that only ranks prove: against enumeration, and with evidence that is not what it should be.

use std::sync::Arc;
use tertium_abstraction::{AbstractSystem, Form, TriState};
use tertium_check::{Semantics, check_naively, check_strategy};
use tertium_evidence::{Evidence, Strategy};
use tertium_expr::{Term, Terms};
use tertium_logic::Formula;
use tertium_program::{Domain, Precision, Program, Role, Statement};
use tertium_refine::{
    Abstraction, Answer, Question, Settings, Support, Unconfirmed, decide, recheck, relied_on_ranks,
};
use tertium_solve::{GivesUp, Prover, Z3};
use tertium_support::{Context, Rng, Source, Span};
use tertium_system::RankedSteps;
use tertium_testkit::{
    ConcreteSystem, FormulaShape, ProgramShape, concrete_system, long_random_cases, random_atom,
    random_formula, random_program,
};
use tertium_truth::Verdict;

fn formula(text: &str) -> Formula {
    tertium_logic::parse(&Source::new("", text)).expect("it parses")
}

/// `x > 0 -> x := x - 1`, with p for `x <= 0`, and its answer to `AF p`.
fn countdown() -> (Program, Vec<(String, Term)>) {
    let mut program = Program::new(Terms::new());
    program.add_variable("x", Domain::Int, Role::Data, Span::default());
    let variable = program.variables()[0].variable;
    let terms = &program.terms;
    let x = terms.variable(variable);
    let positive = terms.less(terms.integer(0), x);
    let down = Statement::Assign(vec![(variable, terms.difference(x, terms.integer(1)))]);
    let propositions = vec![("p".to_owned(), terms.not(positive))];
    program.add_command("down", Statement::guarded(positive, down), Span::default());
    (program, propositions)
}

fn answer<'p>(
    program: &'p Program,
    propositions: &[(String, Term)],
    formula: &Formula,
    settings: &Settings,
    prover: Prover<'p>,
) -> Answer {
    let question = Question { program, formula, propositions, precision: Precision::new() };
    decide(&Context::default(), &question, settings, prover)
}

fn proof(answer: &Answer) -> (&Strategy, &AbstractSystem<TriState>) {
    let Some(Evidence::Proof(strategy)) = &answer.outcome.evidence else { panic!("a proof") };
    let Support::Abstract(found) = &answer.support else { panic!("an abstract system") };
    (strategy, found)
}

#[test]
fn a_proof_by_ranks_is_rechecked_and_wrong_ranks_are_not_confirmed() {
    let (program, propositions) = countdown();
    let prover = Prover::new(Z3::new());
    let mut answer = answer(&program, &propositions, &formula("AF p"), &Settings::default(), prover);
    assert_eq!(answer.outcome.verdict, Verdict::True);
    let relied_on = {
        let (_, found) = proof(&answer);
        relied_on_ranks(&answer.outcome, found)
    };
    assert!(relied_on.iter().any(|(_, reliance)| reliance.falls != 0), "some step makes a rank fall");
    let (_, found) = proof(&answer);
    assert_eq!(recheck(&Context::default(), &program, &propositions, found, &relied_on), Ok(Ok(())));
    // Another number in its place: -x grows.
    let Support::Abstract(found) = &mut answer.support else { panic!("an abstract system") };
    let ranked = found.ranked.as_mut().expect("there are ranks");
    for piece in ranked.ranks.iter_mut().flat_map(|rank| &mut rank.pieces) {
        piece.term = program.terms.scaled(-1, piece.term);
    }
    let again = recheck(&Context::default(), &program, &propositions, found, &relied_on);
    assert!(matches!(again, Ok(Err(Unconfirmed::Rank(_)))), "{again:?}");
    // No number at all.
    found.ranked = None;
    let again = recheck(&Context::default(), &program, &propositions, found, &relied_on);
    assert!(matches!(again, Ok(Err(Unconfirmed::Rank(_)))), "{again:?}");
}

#[test]
fn without_what_is_known_of_steps_the_strategy_is_not_accepted() {
    let (program, propositions) = countdown();
    let prover = Prover::new(Z3::new());
    let answer = answer(&program, &propositions, &formula("AF p"), &Settings::default(), prover);
    let (strategy, found) = proof(&answer);
    let ranked = found.ranked.as_ref().expect("there are ranks");
    let states = found.system.initial();
    let check = |ranks| check_strategy(&found.system, ranks, Semantics::Sis, strategy, states);
    assert_eq!(check(Some(&*ranked.steps)), Ok(()));
    assert!(check(None).is_err());
    let names = (0..ranked.steps.n_ranks()).map(|rank| ranked.steps.name(rank).to_owned());
    let mut growing = RankedSteps::new(names.collect());
    for ((source, action, target), _) in ranked.steps.steps() {
        growing.set(source, action, target, 0, growing.all());
    }
    assert!(check(Some(&*Arc::new(growing))).is_err());
}

#[test]
fn a_rank_is_not_found_where_a_step_may_leave_the_number_as_it_is() {
    let (mut program, propositions) = countdown();
    program.add_command("idle", Statement::Skip, Span::default());
    let prover = Prover::new(Z3::new());
    let answer = answer(&program, &propositions, &formula("AF p"), &Settings::default(), prover);
    assert_eq!(answer.outcome.verdict, Verdict::False);
}

fn random_property(rng: &mut Rng) -> Formula {
    if rng.chance(0.7) {
        let texts = [
            "AF p",
            "EG p",
            "AG (p => AF q)",
            "AF AG p",
            "A[p U q]",
            "AG EF q",
            "EF EG p",
            "nu X. (mu Y. (p || [true] Y)) && [true] X",
            "mu X. (nu Y. (p && [true] Y)) || [a] X",
            "AG AF (p || q)",
            "AF p || EG q",
        ];
        return formula(rng.pick::<&str>(&texts));
    }
    let shape = FormulaShape {
        actions: vec!["a".into(), "b".into()],
        propositions: vec!["p".into(), "q".into()],
        ..FormulaShape::default()
    };
    random_formula(rng, &shape)
}

/// Two numbers in a small range that go up and down, and perhaps a control variable: programs in which something happens in the end.
fn counters(rng: &mut Rng) -> Program {
    let mut program = Program::new(Terms::new());
    let n_places = rng.between(1, 2) as i64;
    program.add_variable(
        "pc",
        Domain::Range(0.into(), (n_places - 1).into()),
        Role::Control,
        Span::default(),
    );
    for name in ["x", "y"] {
        program.add_variable(name, Domain::Range((-3).into(), 4.into()), Role::Data, Span::default());
    }
    let [pc, x, y] = [0, 1, 2].map(|n| program.variables()[n].variable);
    let terms = &program.terms;
    let number = |of| terms.variable(of);
    let mut commands = Vec::new();
    for at in 0..rng.between(1, 3) {
        let place = terms.equal(number(pc), terms.integer(rng.below(n_places as usize) as i64));
        let guard = terms.and([place, random_atom(rng, terms, &[x, y])]);
        let step = |rng: &mut Rng, own| {
            let by = *rng.pick(&[-1, -1, 0, 1, 2]);
            (own, terms.sum([number(own), terms.integer(by)]))
        };
        let mut updates = vec![step(rng, x), step(rng, y)];
        if rng.chance(0.2) {
            updates[0].1 = number(y);
        }
        if n_places > 1 && rng.chance(0.5) {
            updates.push((pc, terms.integer(rng.below(2) as i64)));
        }
        commands.push((["a", "b", "c"][at], Statement::guarded(guard, Statement::Assign(updates))));
    }
    if rng.chance(0.5) {
        program.initial = random_atom(rng, terms, &[x, y]);
    }
    for (action, statement) in commands {
        program.add_command(action, statement, Span::default());
    }
    program
}

#[test]
fn what_ranks_prove_is_so() {
    let (mut n_definite, mut n_unknown, mut n_ranked) = (0, 0, 0);
    let run = long_random_cases(3000, |rng| {
        let shape = ProgramShape { n_commands: rng.between(1, 3), bounded: true, choices: rng.chance(0.3) };
        let program = if rng.chance(0.8) { counters(rng) } else { random_program(rng, shape) };
        let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
        let propositions: Vec<(String, Term)> = ["p", "q"]
            .map(|name| (name.to_owned(), random_atom(rng, &program.terms, &variables[1..])))
            .to_vec();
        let Some(ConcreteSystem { system, .. }) = concrete_system(&program, &propositions) else { return };
        let formula = random_property(rng);
        let abstraction = match rng.below(3) {
            0 => Abstraction::Vectors { form: Form::Mixed, depth: None },
            _ => Abstraction::default(),
        };
        let semantics = if rng.chance(0.8) { Semantics::Sis } else { Semantics::Ris };
        let settings =
            Settings { abstraction, semantics, iterations: 5, guards: rng.chance(0.5), ranks: true };
        let faulty = rng.chance(0.2);
        let prover = if faulty { Prover::new(GivesUp::new(Z3::new(), 5)) } else { Prover::new(Z3::new()) };
        let answer = answer(&program, &propositions, &formula, &settings, prover);
        let verdict = answer.outcome.verdict;
        if matches!(verdict, Verdict::Unknown(_)) {
            n_unknown += 1;
            return;
        }
        n_definite += 1;
        let expected = check_naively(&Context::default(), &system, &formula, Semantics::Sis).verdict;
        assert_eq!(verdict, expected, "{formula} {settings:?}");
        if let Support::Abstract(found) = &answer.support {
            let relied_on = relied_on_ranks(&answer.outcome, found);
            n_ranked += usize::from(!relied_on.is_empty());
            if !relied_on.is_empty() || rng.chance(0.1) {
                let again = recheck(&Context::default(), &program, &propositions, found, &relied_on);
                assert_eq!(again, Ok(Ok(())), "{formula} {settings:?}");
            }
        }
    });
    run.enough(n_definite > n_unknown, format_args!("{n_definite} definite, {n_unknown} unknown"));
    run.enough(n_ranked > 20, format_args!("{n_ranked} by ranks"));
}
