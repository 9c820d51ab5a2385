//! The C programs among the golden tasks of which something is false: with the inputs of their sidecars they reach the error.

use crate::harness::{compile_and_run, has_compiler, status_at};
use std::fs;
use std::path::Path;
use tertium_report::harness::{
    AskedBy, Harness, HarnessError, HarnessInput, REACHED, harness, integer_literal,
};
use tertium_testkit::{Expected, ProgramProperty, find_tasks, skipped};

/// What is asked, and where that is in the program.
fn errors(program: &str, property: &ProgramProperty) -> Vec<HarnessError> {
    let calls = || ["reach_error", "__VERIFIER_error"].map(HarnessError::call);
    match property.name.as_deref() {
        None => calls().into_iter().chain([HarnessError::Assertion]).collect(),
        Some("unreach-call") => calls().into(),
        Some("unreach-label") => {
            let label = program.find("ERROR:").expect("there is a label");
            vec![HarnessError::Place(label + "ERROR:".len())]
        }
        Some(other) => panic!("nobody knows `{other}`"),
    }
}

/// Whether programs of 32 bits can be compiled and run here.
fn links_32_bits() -> bool {
    compile_and_run("-m32", "widths", "int main(void) { return sizeof(long); }\n") == Ok(Some(4))
}

#[test]
fn inputs_in_sidecars_lead_to_the_error() {
    if !has_compiler() {
        return;
    }
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/report is two levels down");
    let has_32_bits = links_32_bits();
    let mut n_false = 0;
    for task in find_tasks(&root.join("tests/tasks/c")) {
        let Expected::Programs(properties) = &task.expected else { panic!("{} is no program", task.input) };
        let program = fs::read_to_string(task.sidecar.with_file_name(&task.input)).expect("UTF-8");
        for property in properties.iter().filter(|property| !property.holds && property.formula.is_none()) {
            n_false += 1;
            let is_32_bit = property.data_model == "ILP32";
            if is_32_bit && !has_32_bits {
                skipped(&format!("the C compiler makes no programs of 32 bits, as {} needs", task.input));
                continue;
            }
            let input = |(function, value): &(String, i128)| HarnessInput {
                by: AskedBy::Call(format!("__VERIFIER_nondet_{function}")),
                literal: integer_literal(*value),
            };
            let text = harness(&Harness {
                file_name: &task.input,
                program: &program,
                property: property.name.as_deref().unwrap_or("no error is reached"),
                is_32_bit,
                inputs: property.inputs.iter().map(input).collect(),
                errors: errors(&program, property),
                missing: Vec::new(),
            });
            let name = task.sidecar.file_stem().expect("a name").to_string_lossy();
            let found =
                status_at(if is_32_bit { &["-m32"] } else { &["-O1"] }, &format!("task-{name}"), &text);
            assert_eq!(found, Some(REACHED), "{}", task.sidecar.display());
        }
    }
    assert!(n_false >= 30, "only {n_false} programs are wrong");
}
