//! The golden programs in C: no wrong verdict, few open ones, and every refutation runs when it is compiled.

use crate::support::{Place, shared_work};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tertium_testkit::{Expected, ProgramProperty, Task, find_tasks, skipped};

/// The work that each question may take, so that the answer is the same on every machine.
const WORK: &str = "200M";
/// So many of the questions may stay open with that work.
const MOST_OPEN: usize = 24;
/// The status of a program that was made of a counterexample, where it reaches the error.
const REACHED: i32 = 107;

/// How a question was answered.
enum Answered {
    Right,
    Open,
    /// What is wrong.
    Wrong(String),
}

fn ask(task: &Task, asked: &ProgramProperty, number: usize) -> Answered {
    let folder = Place::new();
    let input = task.sidecar.with_file_name(&task.input);
    let harness = folder.path().join(format!("harness{number}.c"));
    let model = asked.data_model.to_lowercase();
    let ask = |harness: Option<&Path>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tertium"));
        command.args(["check", "--quiet", "--work-each", WORK, "--data-model", &model]).arg(&input);
        let line = asked.name.as_deref().map(|name| format!("{name}.prp"));
        let standard = line.and_then(|file| tertium_verify::specification::standard_properties(&file));
        if let Some(formula) = asked.formula.clone().or(standard) {
            command.args(["-p", formula.trim()]);
        }
        if let Some(path) = harness {
            command.arg("--harness").arg(path);
        }
        let output = command.output().expect("the binary was built");
        String::from_utf8(output.stdout)
            .expect("we print UTF-8")
            .lines()
            .last()
            .unwrap_or_default()
            .to_owned()
    };
    let said = ask(None);
    let right = format!("RESULT: {}", asked.holds);
    if said.starts_with("RESULT: unknown(") {
        return Answered::Open;
    }
    if said != right {
        return Answered::Wrong(format!("{}: {said}, not {right}", task.sidecar.display()));
    }
    if asked.holds {
        return Answered::Right;
    }
    // Whoever is told that it is false gets a program that shows it.
    ask(Some(&harness));
    match runs_into_error(&harness, asked.data_model == "ILP32") {
        Ok(()) => Answered::Right,
        Err(why) => Answered::Wrong(format!("{}: {why}", task.sidecar.display())),
    }
}

/// Compiles and runs a program that was made of a counterexample.
fn runs_into_error(harness: &Path, is_32_bit: bool) -> Result<(), String> {
    if !harness.exists() {
        return Err("there is no harness".to_owned());
    }
    let program = harness.with_extension("run");
    let compile = |flags: &[&str]| {
        let mut command = Command::new("cc");
        command.args(flags).arg("-w").arg("-o").arg(&program).arg(harness).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !(is_32_bit && compile(&["-m32"]) || compile(&[])) {
        return Err(format!(
            "the harness does not compile:\n{}",
            fs::read_to_string(harness).unwrap_or_default()
        ));
    }
    match Command::new(&program).status().map(|status| status.code()) {
        Ok(Some(REACHED)) => Ok(()),
        other => Err(format!("the harness ends with {other:?}")),
    }
}

#[test]
fn golden_programs_are_answered_and_refutations_run() {
    if Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_err() {
        skipped("there is no C compiler");
        return;
    }
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two levels down");
    let tasks = find_tasks(&root.join("tests/tasks/c"));
    let mut asked = Vec::new();
    for task in &tasks {
        let Expected::Programs(properties) = &task.expected else { continue };
        asked.extend(properties.iter().enumerate().map(|(number, property)| (task, property, number)));
    }
    assert!(asked.len() >= 60, "{}", asked.len());
    let answers = shared_work(&asked, |(task, property, number)| ask(task, property, *number));
    let wrong: Vec<&String> = answers
        .iter()
        .filter_map(|answer| match answer {
            Answered::Wrong(why) => Some(why),
            Answered::Right | Answered::Open => None,
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let open = answers.iter().filter(|answer| matches!(answer, Answered::Open)).count();
    assert!(open <= MOST_OPEN, "{open} of {} questions stay open", answers.len());
}

/// What the module for BenchExec writes is understood by the program: words in capitals, too.
#[test]
fn the_tool_info_module_writes_command_lines_that_are_understood() {
    let place = Place::new();
    place.file("u.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    place.file("p.c", "void reach_error(void) {}\nint main(void) { reach_error(); return 0; }\n");
    place.file("foo.prp", "CHECK( init(foo()), LTL(G ! call(reach_error())) )\n");
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib");
    let line = "import sys; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True\n\
                import test_tertium as t\n\
                limits = t.Limits(20, None, 4000000000)\n\
                task = t.Task(['p.c'], 'u.prp', {'language': 'C', 'data_model': 'ILP32'})\n\
                print('\\n'.join(t.tertium.Tool().cmdline('tertium', ['--stats'], task, limits)[1:]))";
    let written = Command::new("python3").args(["-c", line]).arg(module).output();
    let Ok(written) = written else { return skipped("there is no Python") };
    let words = String::from_utf8_lossy(&written.stdout).into_owned();
    let words: Vec<&str> = words.lines().collect();
    assert!(words.contains(&"@u.prp"), "{written:?}");
    let run = place.run(&words);
    assert!(run.status == 10 && run.stdout.ends_with("RESULT: false\n"), "{run:?}");
    let other = place.run(&["check", "p.c", "-p", "@foo.prp"]);
    assert!(other.status == 2 && other.stderr.contains("programs begin with `main`"), "{other:?}");
}
