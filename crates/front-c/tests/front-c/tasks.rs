//! The golden tasks in C are read, and their runs are as their sidecars say: inputs lead to the error where something is false, and
//! random ones never do where it is true.

use std::fs;
use std::path::Path;
use std::process::Command;
use tertium_front_c::interpret::{
    ChosenInputs, Ending, InputSource, Inputs, Interpreter, NoObserver, RandomInputs, Request, Run, RunLimits,
};
use tertium_front_c::ir::{DataModel, Unit};
use tertium_front_c::lower::{LowerOptions, lower};
use tertium_front_c::{ReadOptions, needs_preprocessor, read};
use tertium_support::{Context, ReadError, Source, render};
use tertium_testkit::{Expected, ProgramProperty, Task, find_tasks, random_cases, skipped};

/// Every property of every program, with the program as it is read for it. Those that need a preprocessor get the one of the system.
fn programs() -> Vec<(String, ProgramProperty, Unit)> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/front-c is two levels down");
    let mut programs = Vec::new();
    for task in find_tasks(&root.join("tests/tasks/c")) {
        let Expected::Programs(properties) = &task.expected else { panic!("{} is no program", task.input) };
        let Some(text) = text(&task) else { continue };
        for property in properties {
            let name = task.sidecar.with_file_name(&task.input).display().to_string();
            let source = Source::new(&name[..], &text[..]);
            let data_model = if property.data_model == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
            let options = ReadOptions { data_model, ..ReadOptions::default() };
            match read(&Context::default(), &source, &options) {
                Ok((unit, _)) => programs.push((name, property.clone(), unit)),
                Err(ReadError::Faulty(wrong)) => {
                    panic!("{}", render(&source, &wrong, false))
                }
                Err(other) => panic!("{name}: {other:?}"),
            }
        }
    }
    programs
}

fn text(task: &Task) -> Option<String> {
    let path = task.sidecar.with_file_name(&task.input);
    let text = fs::read_to_string(&path).expect("UTF-8");
    if !needs_preprocessor(&text) {
        return Some(text);
    }
    match Command::new("cc").arg("-E").arg(&path).output() {
        Ok(output) if output.status.success() => Some(String::from_utf8(output.stdout).expect("UTF-8")),
        _ => {
            skipped(&format!("there is no C preprocessor, as {} needs", task.input));
            None
        }
    }
}

fn run(unit: &Unit, inputs: &mut dyn Inputs, steps: u64) -> Run {
    let interpreter = Interpreter::new(unit).expect("it can run");
    let limits = RunLimits { steps, ..RunLimits::default() };
    interpreter.run(&Context::default(), inputs, &mut NoObserver, limits)
}

/// Whether it asks what most verifiers are asked: can the error be reached?
fn is_about_errors(property: &ProgramProperty) -> bool {
    property.formula.is_none() && !is_about_labels(property)
}

/// Labels are no ends of runs.
fn is_about_labels(property: &ProgramProperty) -> bool {
    property.name.as_deref() == Some("unreach-label")
}

#[test]
fn inputs_lead_to_the_error() {
    let mut n_about_errors = 0;
    for (name, property, unit) in programs() {
        if property.holds || is_about_labels(&property) {
            continue;
        }
        let mut given = property.inputs.iter();
        let mut inputs = ChosenInputs(|request: &Request| {
            let (function, value) = given.next()?;
            let InputSource::Call { by } = &request.source else { panic!("{name}: {request:?}") };
            assert_eq!(**by, *format!("__VERIFIER_nondet_{function}"), "{name}");
            Some(*value)
        });
        let ending = run(&unit, &mut inputs, 10_000_000).ending;
        assert!(matches!(ending, Ending::Failed(..)), "{name}: {ending:?}");
        n_about_errors += usize::from(is_about_errors(&property));
    }
    assert!(n_about_errors >= 30, "{n_about_errors}");
}

#[test]
fn no_random_run_contradicts_a_sidecar() {
    let programs: Vec<_> = programs().into_iter().filter(|(_, property, _)| property.holds).collect();
    let n_about_errors = programs.iter().filter(|(_, property, _)| is_about_errors(property)).count();
    assert!(n_about_errors >= 30, "{n_about_errors}");
    let (mut n_over, mut n_whole) = (0, 0);
    let cases = random_cases(20, |rng| {
        for (name, property, unit) in &programs {
            let mut inputs = RandomInputs::seeded(rng.bits());
            let run = run(unit, &mut inputs, 200_000);
            n_whole += usize::from(run.is_whole_program());
            let ending = run.ending;
            let is_wrong =
                matches!(ending, Ending::Failed(..) | Ending::Unsupported(..) | Ending::MissingBody(..));
            assert!(!is_wrong || is_about_labels(property), "{name}: {ending:?} with {:?}", inputs.given());
            n_over += usize::from(!matches!(ending, Ending::Stopped(_)));
        }
    });
    cases.enough(n_over > cases.share(500), n_over);
    assert!(n_whole >= 1, "some programs have only one run");
}

#[test]
fn nothing_in_them_is_unsupported() {
    for (name, _, unit) in programs() {
        let lowered = lower(&Context::default(), &unit, &LowerOptions::default()).expect("there is no limit");
        assert!(
            unit.unsupported.is_empty() && lowered.unsupported.is_empty(),
            "{name}: {:?}",
            lowered.unsupported
        );
    }
}
