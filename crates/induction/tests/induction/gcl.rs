//! Proofs by induction on guarded commands, held against states that are enumerated one by one.

use std::collections::BTreeSet;
use tertium_front_gcl::read;
use tertium_induction::{Finding, Obligation, Patience, Proof, prove_as_written, validate};
use tertium_program::{Interpreter, Predicate, State};
use tertium_support::{Context, Source, render};
use tertium_testkit::{ProgramShape, concrete_system, random_cases, random_program, random_truth};

const SHAPE: ProgramShape = ProgramShape { n_commands: 5, bounded: true, choices: true };

#[test]
fn proofs_are_found_exactly_where_the_enumeration_finds_the_claim_inductive() {
    let (mut n_proved, mut n_violated, mut n_open) = (0, 0, 0);
    let run = random_cases(150, |rng| {
        let program = random_program(rng, SHAPE);
        let variables: Vec<_> = program.variables().iter().map(|own| own.variable).skip(1).take(2).collect();
        let holds = program.terms.or((0..2).map(|_| random_truth(rng, &program.terms, &variables, 2)));
        let Some(concrete) = concrete_system(&program, &[]) else { return };
        let interpreter = Interpreter::new(&program);
        let good: BTreeSet<&State> =
            concrete.states.iter().filter(|state| interpreter.holds(state, holds)).collect();
        let mut inductive = true;
        let mut begins = true;
        for state in &concrete.states {
            begins &= !interpreter.is_initial(state) || good.contains(state);
            let successors = interpreter.successors(state).unwrap();
            inductive &= !good.contains(state) || successors.iter().all(|next| good.contains(&next.state));
        }
        let made = program.term_system();
        let claim = Predicate::plain(&program.terms, holds);
        let context = Context::default();
        let proof = prove_as_written(&context, &program.terms, &made.system, &claim, Patience::Whole);
        let growing = prove_as_written(&context, &program.terms, &made.system, &claim, Patience::Growing);
        assert_eq!(growing, proof);
        match proof {
            Proof::Proved { set, .. } => {
                assert!(begins && inductive);
                let judged =
                    validate(&context, &program.terms, &made.system, &set, &claim, Patience::Growing);
                assert_eq!(judged, Finding::Stands);
                n_proved += 1;
            }
            Proof::Violated { .. } => {
                assert!(!begins);
                n_violated += 1;
            }
            Proof::NotInductive { obligation, .. } => {
                assert_eq!(obligation, Obligation::Stays);
                assert!(begins && !inductive);
                n_open += 1;
            }
            other => panic!("{other:?}"),
        }
    });
    run.enough(
        n_proved > 5 && n_violated > 5 && n_open > 2,
        format_args!("{n_proved} {n_violated} {n_open}"),
    );
}

#[test]
fn unbounded_counters_stay_equal_and_a_difference_is_kept() {
    let text = "var a : int = 0; var b : int = 0;
[step] true -> a := a + 1, b := b + 1;
[reset] a > 10 -> a := 0, b := 0;
invariant a = b;
property AG (a != -1);
property AG (a >= 0);
property EF (a = 3);
";
    let context = Context::default();
    let source = Source::new("counters.gcl", text);
    let (model, _) = match read(&context, &source) {
        Ok(read) => read,
        Err(error) => panic!("{}", render(&source, &error.into_complaints(), false)),
    };
    let terms = &model.program.terms;
    let made = model.program.term_system();
    let claims: Vec<Option<Predicate>> =
        model.properties.iter().map(|property| property.meaning.branching()?.claim(terms)).collect();
    assert!(claims[3].is_none(), "this is not about all reachable states");
    let prove = |n: usize| {
        prove_as_written(&context, terms, &made.system, claims[n].as_ref().unwrap(), Patience::Whole)
    };
    assert!(matches!(prove(0), Proof::Proved { .. }));
    assert!(matches!(prove(1), Proof::NotInductive { obligation: Obligation::Stays, .. }));
    assert!(matches!(prove(2), Proof::Proved { .. }));
}
