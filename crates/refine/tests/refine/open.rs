//! What keeps an answer open is named: the step that may but need not exist, or the label that is not known.

use tertium_abstraction::Form;
use tertium_evidence::{Culprit, Evidence};
use tertium_expr::{Term, Terms};
use tertium_program::{Domain, Precision, Program, Role, Statement};
use tertium_refine::{Abstraction, Answer, Question, Settings, Support, decide};
use tertium_solve::{GivesUp, Prover, Z3};
use tertium_support::{Context, Id, Source, Span};
use tertium_truth::Verdict;

/// x and z, begun where x is odd, with the statement `x := z`.
fn copy() -> Program {
    let mut program = Program::new(Terms::new());
    for name in ["x", "z"] {
        program.add_variable(name, Domain::Int, Role::Data, Span::default());
    }
    let [x, z] = [0, 1].map(|n| program.variables()[n].variable);
    program.initial = odd(&program, program.terms.variable(x));
    let step = Statement::Assign(vec![(x, program.terms.variable(z))]);
    program.add_command("step", step, Span::default());
    program
}

fn odd(program: &Program, number: Term) -> Term {
    program.terms.equal(program.terms.modulo(number, 2), program.terms.integer(1))
}

fn abstractions() -> [Abstraction; 2] {
    [Abstraction::default(), Abstraction::Vectors { form: Form::default(), depth: None }]
}

/// The answer about a proposition p after one round, with a solver that gives up on every `every`-th question.
fn once(program: &Program, p: Term, text: &str, abstraction: Abstraction, every: usize) -> Answer {
    let formula = tertium_logic::parse(&Source::new("", text)).expect("it parses");
    let propositions = [("p".to_owned(), p)];
    let question =
        Question { program, formula: &formula, propositions: &propositions, precision: Precision::new() };
    let settings = Settings { abstraction, iterations: 1, ..Settings::default() };
    decide(&Context::default(), &question, &settings, Prover::new(GivesUp::new(Z3::new(), every)))
}

#[test]
fn an_open_step_is_named_with_its_states() {
    let program = copy();
    let x = program.terms.variable(program.variables()[0].variable);
    for abstraction in abstractions() {
        let answer = once(&program, odd(&program, x), "AX p", abstraction, usize::MAX);
        assert!(matches!(answer.outcome.verdict, Verdict::Unknown(_)));
        let Support::Abstract(found) = &answer.support else { panic!("an abstract system") };
        let outcome = &answer.outcome;
        let Some(Evidence::Open(blocking)) = &outcome.evidence else { panic!("something blocks") };
        let Culprit::MayOnly { source, action, target } = blocking.culprit else { panic!("a step does") };
        assert_eq!(found.system.actions().name(action), "step");
        // From where x is odd to where it is not.
        let vector = |state: tertium_system::StateId| found.states[state.index()].vector.to_string();
        assert_eq!([vector(source), vector(target)], ["1", "0"], "{abstraction:?}");
    }
}

#[test]
fn an_open_label_is_named_where_the_solver_does_not_decide_it() {
    let program = copy();
    let [x, z] = [0, 1].map(|n| program.terms.variable(program.variables()[n].variable));
    let equal = program.terms.equal(odd(&program, x), odd(&program, z));
    for abstraction in abstractions() {
        let answer = once(&program, equal, "p", abstraction, 1);
        assert!(matches!(answer.outcome.verdict, Verdict::Unknown(_)));
        let Support::Abstract(found) = &answer.support else { panic!("an abstract system") };
        let outcome = &answer.outcome;
        let Some(Evidence::Open(blocking)) = &outcome.evidence else { panic!("something blocks") };
        let Culprit::Label { proposition, .. } = blocking.culprit else { panic!("a label does") };
        assert_eq!(found.system.labels().names().name(proposition), "p", "{abstraction:?}");
    }
}
