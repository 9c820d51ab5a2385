//! Random C programs: the interpreter against the C compiler of this machine.
//!
//! The programs do nothing undefined and leave nothing unspecified, so there is one right result: a checksum of all that they compute.
//! In a second test each program does one undefined thing, which the interpreter and the sanitizers must name alike.

mod compiler;
mod expressions;
mod generate;
mod planted;
mod statements;
mod types;

use compiler::{Build, compile, works};
pub(crate) use generate::{Generator, prelude};
use planted::{HERE, Plant, named};
use tertium_front_c::interpret::{Ending, Interpreter, NoInputs, NoObserver, Run, RunLimits};
use tertium_front_c::ir::DataModel;
use tertium_front_c::{ReadOptions, read};
use tertium_support::{Context, Rng, Source};
use tertium_testkit::{long_random_batches, skipped};

/// So many programs share one call of the compiler at most.
const SHARED: usize = 64;
/// So many do where it adds sanitizers.
const SANITIZED: usize = 25;

/// What the interpreter says of a program, or why it cannot read it.
fn interpreted(text: &str, prefix: &str, data_model: DataModel) -> Result<Run, String> {
    let context = Context::default();
    let source = Source::new("program.c", text);
    let options = ReadOptions { data_model, main: format!("{prefix}main") };
    let (unit, _) = read(&context, &source, &options).map_err(|error| format!("{error:?}"))?;
    let interpreter = Interpreter::new(&unit).map_err(|unfit| format!("{unfit:?}"))?;
    let limits = RunLimits { steps: 100_000_000, ..RunLimits::default() };
    Ok(interpreter.run(&context, &mut NoInputs, &mut NoObserver, limits))
}

/// Where somebody can look at a program that failed.
fn kept(text: &str, prefix: &str, build: Build) -> String {
    let path = format!("{}/{prefix}{build:?}.c", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, text).expect("the folder for tests is there");
    path
}

/// Some programs, compiled together and interpreted alone: those that differ.
fn differences(rng: &mut Rng, build: Build, n_programs: usize) -> Vec<String> {
    let prefixes: Vec<String> = (0..n_programs).map(|at| format!("p{at}_")).collect();
    let prelude = prelude(build.model());
    let programs: Vec<String> =
        prefixes.iter().map(|prefix| Generator::new(rng, prefix, build.model()).program()).collect();
    let whole = prelude.clone() + &programs.concat();
    let compiled = compile(&format!("random-{build:?}"), build, &whole, &prefixes);
    let expected = compiled.and_then(|compiled| compiled.run_all()).expect("the compiler takes all programs");
    assert_eq!(expected.len(), n_programs);
    let mut differences = Vec::new();
    for ((program, prefix), expected) in programs.iter().zip(&prefixes).zip(expected) {
        let text = prelude.clone() + program;
        let found = interpreted(&text, prefix, build.model());
        let is_same = found
            .as_ref()
            .is_ok_and(|run| run.ending == Ending::Finished(expected) && run.is_whole_program());
        if !is_same {
            let what = found.map(|run| (run.ending, run.is_machine_bound));
            differences.push(format!("{expected} is {what:?}: {}", kept(&text, prefix, build)));
        }
    }
    differences
}

fn compare_with_compiler(n_programs: usize, build: Build) {
    let mut all = 0;
    long_random_batches(n_programs, SHARED, |rng, n_programs| {
        let differences = differences(rng, build, n_programs);
        assert!(differences.is_empty(), "{} programs:\n{}", differences.len(), differences.join("\n"));
        all += n_programs;
    });
    assert!(all > 0);
}

#[test]
fn programs_of_64_bits_do_what_the_compiler_makes_of_them() {
    compare_with_compiler(5_000, Build::Lp64);
}

#[test]
fn programs_of_32_bits_do_what_the_compiler_makes_of_them() {
    if !works(Build::Ilp32) {
        return skipped("the C compiler links no programs of 32 bits here (Debian: gcc-multilib)");
    }
    compare_with_compiler(2_500, Build::Ilp32);
}

#[test]
fn undefined_operations_have_the_names_that_sanitizers_give_them() {
    if !works(Build::Sanitized) {
        return skipped("the C compiler has no sanitizers here");
    }
    long_random_batches(500, SANITIZED, |rng, n_programs| {
        let model = DataModel::Lp64;
        let prefixes: Vec<String> = (0..n_programs).map(|at| format!("p{at}_")).collect();
        let prelude = prelude(model);
        let plants: Vec<&Plant> = prefixes.iter().map(|_| Plant::any(rng)).collect();
        let programs: Vec<String> = prefixes
            .iter()
            .zip(&plants)
            .map(|(prefix, plant)| {
                let mut generator = Generator::new(rng, prefix, model);
                generator.planted = Some(plant.text(prefix));
                plant.before.replace('#', prefix) + &generator.program()
            })
            .collect();
        let whole = prelude.clone() + &programs.concat();
        let compiled =
            compile("planted", Build::Sanitized, &whole, &prefixes).expect("the compiler takes all");
        let mut differences = Vec::new();
        for (at, ((program, prefix), plant)) in programs.iter().zip(&prefixes).zip(&plants).enumerate() {
            let complaint = compiled.complaint(at);
            let text = prelude.clone() + program;
            let found = interpreted(&text, prefix, model).map(|run| run.ending);
            let is_here = |at: usize| {
                let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
                text[line..].lines().next().is_some_and(|line| line.contains(HERE))
            };
            let is_same = named(&complaint) == Some(plant.what)
                && matches!(found, Ok(Ending::Undefined(what, span)) if what == plant.what && is_here(span.start));
            if !is_same {
                let path = kept(&text, prefix, Build::Sanitized);
                let complaint = complaint.lines().find(|line| line.contains("rror")).unwrap_or_default();
                differences.push(format!("{:?}: {found:?}, {complaint}: {path}", plant.what));
            }
        }
        assert!(differences.is_empty(), "{} programs:\n{}", differences.len(), differences.join("\n"));
    });
}
