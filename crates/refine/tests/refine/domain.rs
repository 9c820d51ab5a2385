//! What abstract states stand for is re-checked: reduced semantics rests on it.

use tertium_abstraction::Form;
use tertium_check::Semantics;
use tertium_expr::Terms;
use tertium_program::{Domain, Precision, Program, Role, Statement};
use tertium_refine::{Abstraction, Question, Settings, Support, Unconfirmed, decide, recheck};
use tertium_solve::{Prover, Z3};
use tertium_support::{Context, Source, Span};
use tertium_truth::Verdict;

#[test]
fn a_wrong_domain_is_not_confirmed() {
    // After `x := z` it is open whether x is odd, and reduced semantics looks at both cases.
    let mut program = Program::new(Terms::new());
    for name in ["x", "z"] {
        program.add_variable(name, Domain::Int, Role::Data, Span::default());
    }
    let [x, z] = [0, 1].map(|n| program.variables()[n].variable);
    let step = Statement::Assign(vec![(x, program.terms.variable(z))]);
    program.add_command("step", step, Span::default());
    let odd =
        program.terms.equal(program.terms.modulo(program.terms.variable(x), 2), program.terms.integer(1));
    let formula = tertium_logic::parse(&Source::new("", "EX (p || !p)")).expect("it parses");
    let propositions = [("p".to_owned(), odd)];
    let question = Question {
        program: &program,
        formula: &formula,
        propositions: &propositions,
        precision: Precision::new(),
    };
    let abstraction = Abstraction::Vectors { form: Form::default(), depth: None };
    let settings = Settings { abstraction, semantics: Semantics::Ris, iterations: 1, ..Settings::default() };
    let context = Context::default();
    let answer = decide(&context, &question, &settings, Prover::new(Z3::new()));
    assert_eq!(answer.outcome.verdict, Verdict::True);
    let Support::Abstract(mut found) = answer.support else { panic!("an abstract system") };
    assert_eq!(found.concrete.len(), 2);
    assert_eq!(recheck(&context, &program, &propositions, &found, &[]), Ok(Ok(())));
    // The two exchanged: each state is said to stand for what the other does.
    found.concrete.reverse();
    let again = recheck(&context, &program, &propositions, &found, &[]);
    assert!(matches!(again, Ok(Err(Unconfirmed::Domain(_)))), "{again:?}");
}
