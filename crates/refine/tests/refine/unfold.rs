//! Strategies on abstract systems, followed on concrete states.

use std::collections::BTreeMap;
use tertium_abstraction::Form;
use tertium_check::{Semantics, check_naively};
use tertium_evidence::Evidence;
use tertium_expr::Term;
use tertium_program::{Interpreter, Precision, Program, State};
use tertium_refine::{Abstraction, From, Question, Settings, Support, Unfolding, decide, unfold};
use tertium_solve::{Prover, Z3};
use tertium_support::{Cancel, Context, Id, Limits};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_testkit::{
    FormulaShape, ProgramShape, random_atom, random_cases, random_formula, random_program,
};
use tertium_truth::Belnap;

fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

/// The states and the steps between them; everything else is one state of which nothing is known.
fn cut(program: &Program, unfolding: &Unfolding, propositions: &[(String, Term)]) -> PartialSystem {
    let interpreter = Interpreter::new(program);
    let ids: BTreeMap<&State, StateId> =
        unfolding.states.iter().enumerate().map(|(n, state)| (state, StateId::new(n))).collect();
    let beyond = StateId::new(unfolding.states.len());
    let mut builder = SystemBuilder::numbered(unfolding.states.len() + 1);
    (0..unfolding.n_initial).for_each(|n| builder.initial(StateId::new(n)));
    for (state, &id) in &ids {
        for successor in interpreter.successors(state).expect("bounded inputs") {
            let action = builder.action(&program.commands()[successor.command.index()].action);
            let target = ids.get(&successor.state).copied().unwrap_or(beyond);
            builder.edge(id, action, target, Modality::Both);
        }
        for (name, term) in propositions {
            let proposition = builder.proposition(name, Belnap::Unknown);
            builder.label(id, proposition, Belnap::from(interpreter.holds(state, *term)));
        }
    }
    for command in program.commands() {
        let action = builder.action(&command.action);
        builder.edge(beyond, action, beyond, Modality::May);
    }
    builder.build()
}

#[test]
fn the_states_along_a_strategy_show_what_it_shows() {
    let mut n_cut = 0;
    let run = random_cases(40, |rng| {
        let shape = ProgramShape { n_commands: 4, bounded: true, choices: rng.chance(0.3) };
        let program = random_program(rng, shape);
        let interpreter = Interpreter::new(&program);
        let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
        let propositions: Vec<(String, Term)> = ["p", "q"]
            .map(|name| (name.to_owned(), random_atom(rng, &program.terms, &variables[1..])))
            .to_vec();
        let names = vec!["p".to_owned(), "q".to_owned()];
        let formula = random_formula(rng, &FormulaShape { propositions: names, ..FormulaShape::default() });
        let question = Question {
            program: &program,
            formula: &formula,
            propositions: &propositions,
            precision: Precision::new(),
        };
        let abstraction = match rng.chance(0.5) {
            true => Abstraction::default(),
            false => Abstraction::Vectors { form: Form::default(), depth: None },
        };
        let settings = Settings { abstraction, iterations: 3, ..Settings::default() };
        let answer = decide(&context(), &question, &settings, Prover::new(Z3::new()));
        let Support::Abstract(found) = &answer.support else { return };
        let outcome = &answer.outcome;
        let (strategy, from) = match &outcome.evidence {
            Some(Evidence::Proof(strategy)) => (strategy, From::All),
            Some(Evidence::Refutation(strategy)) => (strategy, From::One),
            _ => return,
        };
        let unfolding = unfold(&context(), &program, found, strategy, from, 100).expect("no limits");
        let Some(unfolding) = unfolding else { return };
        assert!(unfolding.states[..unfolding.n_initial].iter().all(|state| interpreter.is_initial(state)));
        let again = check_naively(
            &Context::default(),
            &cut(&program, &unfolding, &propositions),
            &formula,
            Semantics::Sis,
        );
        assert_eq!(again.verdict, answer.outcome.verdict, "{formula}");
        n_cut += usize::from(unfolding.states.len() > 1);
    });
    run.enough(n_cut > 0, "some strategies lead through several states");
}
