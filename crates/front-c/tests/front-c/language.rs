//! A program that checks the language piece by piece: the interpreter runs it as the machine does.

use std::process::Command;
use tertium_front_c::interpret::{Ending, Interpreter, NoInputs, NoObserver, RunLimits};
use tertium_front_c::ir::DataModel;
use tertium_front_c::{ReadOptions, read};
use tertium_support::{Context, Source, render};

const PROGRAM: &str = include_str!("programs/language.c");

fn ending(text: &str, data_model: DataModel) -> Ending {
    let source = Source::new("language.c", text);
    let options = ReadOptions { data_model, ..ReadOptions::default() };
    let (unit, _) = match read(&Context::default(), &source, &options) {
        Ok(read) => read,
        Err(error) => panic!("{}", render(&source, &error.into_complaints(), false)),
    };
    assert!(unit.unsupported.is_empty(), "{:?}", unit.unsupported);
    let interpreter = Interpreter::new(&unit).expect("the program can be run");
    interpreter.run(&Context::default(), &mut NoInputs, &mut NoObserver, RunLimits::default()).ending
}

#[test]
fn every_piece_of_the_language_means_what_it_should() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        assert_eq!(ending(PROGRAM, model), Ending::Finished(0), "{model:?}");
    }
}

/// The checks themselves are right only if a compiler says so too.
#[test]
#[allow(clippy::print_stderr, reason = "a test that is left out says so")]
fn the_compiler_of_this_machine_agrees() {
    let folder = std::env::temp_dir().join(format!("tertium-language-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let (text, program) = (folder.join("language.c"), folder.join("language"));
    std::fs::write(&text, PROGRAM).expect("the program is written");
    let compiled = Command::new("cc").args(["-w", "-std=gnu11", "-o"]).arg(&program).arg(&text).status();
    let code = match compiled {
        Ok(status) if status.success() => Command::new(&program).status().expect("it runs").code(),
        _ => {
            eprintln!("left out: there is no C compiler that takes the program");
            Some(0)
        }
    };
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
    assert_eq!(code, Some(0), "the number of the check that fails");
}
