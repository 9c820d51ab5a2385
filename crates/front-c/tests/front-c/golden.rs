//! The C programs among the golden tasks, run: the inputs of sidecars lead to the error, random ones never do where there is none.

use std::fs;
use std::path::Path;
use tertium_front_c::interpret::{
    Ending, Inputs, Interpreter, ListedInputs, NoObserver, RandomInputs, Run, RunLimits, Then,
};
use tertium_front_c::ir::DataModel;
use tertium_front_c::{ReadOptions, needs_preprocessor, read};
use tertium_support::{Context, Source};
use tertium_testkit::{Expected, ProgramProperty, find_tasks};

/// How many random runs there are of a program without error.
const RUNS: u64 = 20;

fn prepared(name: &str, text: &str, property: &ProgramProperty) -> Interpreter {
    let data_model = if property.data_model == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
    let options = ReadOptions { data_model, ..ReadOptions::default() };
    let read = read(&Context::default(), &Source::new(name, text), &options);
    let (unit, _) = read.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    Interpreter::new(&unit).unwrap_or_else(|unfit| panic!("{name}: {unfit:?}"))
}

fn run(interpreter: &Interpreter, inputs: &mut dyn Inputs, steps: u64) -> Run {
    let limits = RunLimits { steps, ..RunLimits::default() };
    interpreter.run(&Context::default(), inputs, &mut NoObserver, limits)
}

#[test]
fn golden_programs_run_to_their_errors_and_to_no_others() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/front-c is two levels down");
    let (mut n_false, mut n_true, mut n_whole) = (0, 0, 0);
    for task in find_tasks(&root.join("tests/tasks/c")) {
        let Expected::Programs(properties) = &task.expected else { panic!("{} is no program", task.input) };
        let text = fs::read_to_string(task.sidecar.with_file_name(&task.input)).expect("UTF-8");
        let asked = properties.iter().filter(|property| {
            property.formula.is_none() && property.name.as_deref().is_none_or(|name| name == "unreach-call")
        });
        for property in asked.filter(|_| !needs_preprocessor(&text)) {
            let interpreter = prepared(&task.input, &text, property);
            if !property.holds {
                n_false += 1;
                let values = property.inputs.iter().map(|input| input.1).collect();
                let run = run(&interpreter, &mut ListedInputs::new(values, Then::End), u64::MAX);
                assert!(matches!(run.ending, Ending::Failed(..)), "{}: {:?}", task.input, run.ending);
                continue;
            }
            n_true += 1;
            for seed in 0..RUNS {
                let run = run(&interpreter, &mut RandomInputs::seeded(seed), 200_000);
                assert!(!matches!(run.ending, Ending::Failed(..)), "{}: {seed}", task.input);
                if run.is_whole_program() {
                    n_whole += 1;
                    break;
                }
            }
        }
    }
    assert!(n_false >= 30 && n_true >= 30 && n_whole >= 1, "{n_false} {n_true} {n_whole}");
}
