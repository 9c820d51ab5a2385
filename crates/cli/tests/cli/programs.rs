//! The golden programs in C: no wrong verdict, few open ones, and every refutation runs when it is compiled.

use crate::support::{Place, Run};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tertium_testkit::{Expected, ProgramProperty, Task, find_tasks, shared_work, skipped, some_of};

/// The work that each question may take, so that the answer is the same on every machine.
const WORK: &str = "200M";
/// So many of the questions may stay open with that work.
const MOST_OPEN: usize = 18;
/// The status of a program that was made of a counterexample, where it reaches the error.
const REACHED: i32 = 107;

/// How a question was answered.
enum Answered {
    Right,
    Open,
    /// What is wrong.
    Wrong(String),
}

fn ask(task: &Task, asked: &ProgramProperty) -> Answered {
    let folder = Place::new();
    let input = task.sidecar.with_file_name(&task.input);
    let model = asked.data_model.to_lowercase();
    let mut command = folder.command(&["check", "--quiet", "--work-each", WORK, "--data-model", &model]);
    command.arg(&input);
    if let Some(formula) = formula(asked) {
        command.args(["-p", formula.trim()]);
    }
    if !asked.holds {
        // Whoever is told that it is false gets a program that shows it.
        command.args(["--harness", "harness.c"]);
    }
    let run = Run::from(command.output().expect("the binary was built"));
    let (said, right) = (run.last_line(), format!("RESULT: {}", asked.holds));
    // Where there is no run, the file that is wanted cannot be written.
    let is_without = !asked.holds && said == "RESULT: error(input)" && run.stdout.starts_with("UNKNOWN ");
    if said.starts_with("RESULT: unknown(") || is_without {
        return Answered::Open;
    }
    if said != right {
        return Answered::Wrong(format!("{}: {run:?}, not {right}", task.sidecar.display()));
    }
    if asked.holds {
        return Answered::Right;
    }
    let harness = folder.path().join("harness.c");
    match runs_into_error(&harness, asked.data_model == "ILP32") {
        Ok(()) => Answered::Right,
        Err(why) => Answered::Wrong(format!("{}: {why}", task.sidecar.display())),
    }
}

/// What is asked, as it can be given to the program; the property of the file, if there is nothing.
fn formula(asked: &ProgramProperty) -> Option<String> {
    let line = asked.name.as_deref().map(|name| format!("{name}.prp"));
    let standard = line.and_then(|file| tertium_verify::specification::standard_properties(&file));
    asked.formula.clone().or(standard)
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
        asked.extend(properties.iter().map(|property| (task, property)));
    }
    assert!(asked.len() >= 60, "{}", asked.len());
    let asked = some_of(asked);
    let answers = shared_work(&asked, |(task, property)| ask(task, property));
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

/// So many golden questions of each kind have their witness read back.
const SAMPLE: usize = 10;
/// The work for an answer whose witness is wanted: such answers come soon.
const LITTLE: &str = "30M";

/// Writes the witness of a golden question and reads it back. Nothing if there is no answer with so little work, or no witness of it.
fn read_back(task: &Task, asked: &ProgramProperty) -> Option<Result<(), String>> {
    let place = Place::new();
    let input = task.sidecar.with_file_name(&task.input).to_string_lossy().into_owned();
    let model = asked.data_model.to_lowercase();
    let formula = formula(asked);
    let mut words = vec!["check", "--quiet", "--work-each", LITTLE, "--data-model", &model, &input];
    words.extend(["--witness", "w.yml"]);
    words.extend(formula.iter().flat_map(|formula| ["-p", formula.trim()]));
    let run = place.run(&words);
    if run.last_line() != format!("RESULT: {}", asked.holds) || !place.path().join("w.yml").exists() {
        return None;
    }
    let run = place.run(&["replay", &input, "w.yml", "--time", "100s"]);
    Some(if run.status == 0 { Ok(()) } else { Err(format!("{}: {run:?}", task.sidecar.display())) })
}

#[test]
fn witnesses_of_golden_programs_are_read_back_and_fit() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two levels down");
    let tasks = find_tasks(&root.join("tests/tasks/c"));
    for holds in [true, false] {
        let mut asked = Vec::new();
        for task in &tasks {
            let Expected::Programs(properties) = &task.expected else { continue };
            asked.extend(properties.iter().filter(|own| own.holds == holds).map(|own| (task, own)));
        }
        let chosen: Vec<_> = asked.iter().step_by((asked.len() / (2 * SAMPLE)).max(1)).copied().collect();
        let read = shared_work(&chosen, |(task, property)| read_back(task, property));
        let read: Vec<Result<(), String>> = read.into_iter().flatten().collect();
        let wrong: Vec<&String> = read.iter().filter_map(|own| own.as_ref().err()).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(read.len() >= SAMPLE / 2, "{} of {} when they are {holds}", read.len(), chosen.len());
    }
}

const COUNTED: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0;
  while (x < n) x++;
  if (x != n) reach_error();
  return 0;
}
";

const SUM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a == 11 && b == a + 5) {
    reach_error();
  }
  return 0;
}
";

/// Replays a witness after a change, and gives what was said first.
fn tampered(place: &Place, program: &str, from: &str, to: &str) -> String {
    let written = place.read("w.yml");
    assert!(written.contains(from), "{written}");
    place.file("changed.yml", written.replacen(from, to, 1));
    let run = place.run(&["replay", program, "changed.yml", "--time", "100s"]).ends(10, "RESULT: false");
    // Long lines are broken.
    run.stdout.replace("\n    ", " ").lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_changed_witness_of_a_violation_is_refused() {
    let place = Place::new();
    place.file("sum.c", SUM);
    place.run(&["check", "sum.c", "--quiet", "--witness", "w.yml"]).ends(10, "RESULT: false");
    let run = place.run(&["replay", "sum.c", "w.yml"]).ends(0, "RESULT: true");
    let line = "REPLAYED  unreach-call: 3 waypoints; it still shows that the property is false\n";
    assert_eq!(run.stdout, format!("{line}REPLAY  1 of 1 witness fits\nRESULT: true\n"));
    let changed = |from: &str, to: &str| tampered(&place, "sum.c", from, to);
    assert_eq!(changed("== 16", "== 17"), "DIFFERS   unreach-call: main returns");
    let said = changed("line: 4", "line: 5");
    assert_eq!(said, "DIFFERS   unreach-call: main returns, and waypoint 2, in line 5, is not passed");
    let said = changed("line: 7", "line: 8");
    assert_eq!(said, "DIFFERS   unreach-call: the violation is in line 7 of main, not at the target");
    place.file("other.c", SUM.replace("return 0", "return 1"));
    let said = place.run(&["replay", "other.c", "w.yml"]).ends(10, "RESULT: false").stdout;
    assert!(said.starts_with("DIFFERS   unreach-call: it is about another program"), "{said}");
    let json = place.run(&["replay", "other.c", "w.yml", "--json"]).json();
    assert_eq!((&json["results"][0]["outcome"], &json["exit_status"]), (&"differs".into(), &10.into()));
}

#[test]
fn a_changed_witness_of_a_proof_is_refused() {
    let place = Place::new();
    place.file("counted.c", COUNTED);
    place.run(&["check", "counted.c", "--quiet", "--witness", "w.yml"]).ends(0, "RESULT: true");
    place.run(&["replay", "counted.c", "w.yml"]).ends(0, "RESULT: true");
    let written = place.read("w.yml");
    let value = written.lines().find_map(|line| line.trim().strip_prefix("value: ")).expect("an invariant");
    let changed = |to: &str| tampered(&place, "counted.c", value, &format!("\"{to}\""));
    let words = |what: &str| format!("DIFFERS   unreach-call: the invariant `{what}` of the loop in line 5");
    assert_eq!(changed("x < n"), format!("{} does not hold", words("x < n")));
    let effects = "this is no C expression without effects";
    assert_eq!(changed("x = n"), format!("{}: {effects}", words("x = n")));
    assert_eq!(changed("1) || (n"), format!("{}: {effects}", words("1) || (n")));
    assert_eq!(changed("y > 0"), format!("{}: `y` is not declared", words("y > 0")));
    let said = tampered(&place, "counted.c", "line: 5", "line: 6");
    assert!(said.contains("the loop in line 6: there is no such loop"), "{said}");
    let said = tampered(&place, "counted.c", "\"counted.c\": \"", "\"counted.c\": \"0");
    assert!(said.contains("it is about another program"), "{said}");
}

#[test]
fn conditions_before_statements_are_judged_where_they_stand() {
    let place = Place::new();
    let head = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n";
    let body = "  int x = __VERIFIER_nondet_int(), y = 0;\n  if (x > 3)\n    y = x;\n  else y = 4;\n  L: y = y + 0;\n";
    let end = "  if (y < 4) reach_error();\n  return 0;\n}\n";
    place.file("p.c", format!("{head}{body}{end}"));
    let said = |line: u32, column: u32, value: &str| {
        let at = format!("location: {{file_name: p.c, line: {line}, column: {column}, function: main}}");
        let what = format!("type: location_invariant, {at}, value: '{value}', format: c_expression");
        let about = "task: {specification: 'G ! call(reach_error())', data_model: ILP32}";
        let text = format!(
            "- {{entry_type: invariant_set, metadata: {{{about}}}, content: [{{invariant: {{{what}}}}}]}}\n"
        );
        place.file("w.yml", text);
        let run = place.run(&["replay", "p.c", "w.yml", "--time", "100s"]);
        (run.status, run.stdout)
    };
    // A part of an `if`, a label and the statement after it, and where control never comes.
    for (line, column, value) in [
        (6, 5, "x > 3"),
        (7, 8, "x <= 3"),
        (8, 3, "y >= 4"),
        (8, 6, "y >= 4"),
        (9, 14, "y < 4"),
        (11, 1, "0"),
    ] {
        assert_eq!(said(line, column, value).0, 0, "{line} {column} {value}");
    }
    for (line, column, value) in [(6, 5, "x > 4"), (7, 8, "x < 3"), (8, 3, "y > 4"), (10, 3, "y > 4")] {
        let (status, stdout) = said(line, column, value);
        assert!(status == 10 && stdout.contains("does not hold"), "{line} {column} {value}: {stdout}");
    }
}

#[test]
fn a_conditions_effect_on_a_run_does_not_count() {
    // Whoever divides by zero must not make the error unreachable.
    let place = Place::new();
    let text = COUNTED.replace("x != n", "x == n");
    place.file("wrong.c", &text);
    place.file("counted.c", COUNTED);
    place.run(&["check", "counted.c", "--quiet", "--witness", "w.yml"]).ends(0, "RESULT: true");
    let written = place.read("w.yml");
    let value = written.lines().find_map(|line| line.trim().strip_prefix("value: ")).expect("an invariant");
    let is_hash = |line: &&str| !line.contains("\"counted.c\": ");
    let lines: Vec<&str> = written.lines().filter(is_hash).collect();
    place.file("w.yml", lines.join("\n").replace(value, "\"1 / 0\""));
    let said = place.run(&["replay", "wrong.c", "w.yml"]).ends(10, "RESULT: false").stdout;
    assert!(said.starts_with("DIFFERS   unreach-call: the property does not hold"), "{said}");
}

const FAILING: &str = "\
extern int __VERIFIER_nondet_int(void);
void assert(int c);
int main(void) { assert(__VERIFIER_nondet_int() != 5); return 0; }
";

/// What stands at the label, and what stands before it, may go elsewhere.
const LABELLED: &str = "\
extern void exit(int);
extern int __VERIFIER_nondet_int(void);
int stop(void) { exit(3); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 5) {
    L: while (stop()) n = 2;
    n = 3;
  }
  return 0;
}
";

#[test]
fn evidence_for_a_label_is_about_the_place_of_the_label() {
    let place = Place::new();
    place.file("p.c", LABELLED);
    let asked = ["check", "p.c", "-p", "AG !at(L)", "--harness", "h.c", "--witness", "w.yml"];
    let run = place.run(&asked).ends(10, "RESULT: false");
    assert!(run.stdout.contains("main :7   here\n"), "{run:?}");
    assert!(
        place.read("h.c").contains("    L: tertium_reached(); while (stop()) n = 2;\n"),
        "{}",
        place.read("h.c")
    );
    place.run(&["replay", "p.c", "w.yml"]).ends(0, "RESULT: true");
    assert!(place.read("w.yml").contains("line: 7\n"), "{}", place.read("w.yml"));
    if Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_err() {
        skipped("there is no C compiler");
        return;
    }
    runs_into_error(&place.path().join("h.c"), true).unwrap_or_else(|why| panic!("{why}"));
}

const MEMORY: &str = "\
void *malloc(unsigned long n);
extern void reach_error(void);
int main(void) { int *p = malloc(8); if (p[1] == 6) reach_error(); return 0; }
";

#[test]
fn what_no_witness_or_harness_can_say_is_refused_with_the_reason() {
    let place = Place::new();
    place.file("failing.c", FAILING);
    let run = place.run(&["check", "failing.c", "--quiet", "--witness", "w.yml", "--harness", "h.c"]);
    assert!(
        run.stderr.contains("an assertion fails, and witnesses speak of calls of the error function"),
        "{run:?}"
    );
    assert!(place.read("h.c").contains("main"), "what cannot be written costs no other file");
    place.file("memory.c", MEMORY);
    let run = place.run(&["check", "memory.c", "--quiet", "--harness", "h.c"]);
    assert!(run.stderr.contains("the run reads memory that nobody wrote in line 3"), "{run:?}");
    place.file("called.c", "int g;\nvoid f(void) { g = 1; }\nint main(void) { f(); return 0; }\n");
    for formula in ["AG !call(f)", "AG (g == 0)"] {
        let run = place.run(&["check", "called.c", "--quiet", "-p", formula, "--harness", "h.c"]);
        assert!(run.stderr.contains("the run leads to no call of the error function"), "{run:?}");
    }
}

#[test]
fn a_harness_gives_values_to_arrays_and_to_the_parameters_of_main() {
    if Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_err() {
        skipped("there is no C compiler");
        return;
    }
    let place = Place::new();
    let head = "extern void reach_error(void);\n";
    let array = format!("{head}int main(void) {{ int a[4]; if (a[2] == 7) reach_error(); return 0; }}\n");
    let argument =
        format!("{head}int main(int argc, char **argv) {{ if (argc == 5) reach_error(); return 0; }}\n");
    for text in [array, argument] {
        place.file("p.c", &text);
        place.run(&["check", "p.c", "--quiet", "--harness", "h.c"]).ends(10, "RESULT: false");
        runs_into_error(&place.path().join("h.c"), true).unwrap_or_else(|why| panic!("{why}\n{text}"));
    }
}
