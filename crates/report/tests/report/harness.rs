//! Harnesses are compiled with the compiler of the machine and run: their exit status says what happened.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, process};
use tertium_report::harness::{
    ASSUMED, AskedBy, Harness, HarnessError, HarnessInput, NO_INPUT, REACHED, harness, integer_literal,
};
use tertium_testkit::skipped;

/// Whether there is a compiler; says so if not.
pub(crate) fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        skipped("there is no C compiler `cc`");
    }
    found
}

/// The exit status of a harness, the same at two levels of optimisation.
fn status(name: &str, text: &str) -> Option<i32> {
    status_at(&["-O0", "-O2"], name, text)
}

/// The exit status of a harness, the same with all these options of the compiler.
pub(crate) fn status_at(options: &[&str], name: &str, text: &str) -> Option<i32> {
    let run = |option: &&str| {
        compile_and_run(option, name, text).unwrap_or_else(|errors| panic!("{name}: {errors}\n{text}"))
    };
    let found: Vec<Option<i32>> = options.iter().map(run).collect();
    assert!(found.iter().all(|status| *status == found[0]), "{name}: {found:?}");
    found[0]
}

/// The exit status of a program, none if a signal ends it; or what the compiler says against it.
pub(crate) fn compile_and_run(option: &str, name: &str, text: &str) -> Result<Option<i32>, String> {
    let folder = env::temp_dir().join(format!("tertium-harness-{}-{name}", process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    let file = |extension: &str| -> PathBuf { folder.join(format!("{name}.{extension}")) };
    fs::write(file("c"), text).expect("it can be written");
    let compiled = Command::new("cc").args(["-w", option, "-o"]).arg(file("run")).arg(file("c")).output();
    let compiled = compiled.expect("the compiler runs");
    let status = match compiled.status.success() {
        true => Ok(Command::new(file("run")).output().expect("it runs").status.code()),
        false => Err(String::from_utf8_lossy(&compiled.stderr).into_owned()),
    };
    fs::remove_dir_all(&folder).ok();
    status
}

fn of(program: &str) -> Harness<'_> {
    Harness {
        file_name: "p.c",
        program,
        property: "G ! call(reach_error())",
        is_32_bit: false,
        inputs: Vec::new(),
        errors: vec![HarnessError::call("reach_error"), HarnessError::call("__VERIFIER_error")],
        missing: Vec::new(),
    }
}

fn calls(inputs: &[(&str, i128)]) -> Vec<HarnessInput> {
    let input = |&(function, value): &(&str, i128)| HarnessInput {
        by: AskedBy::Call(format!("__VERIFIER_nondet_{function}")),
        literal: integer_literal(value),
    };
    inputs.iter().map(input).collect()
}

const SUM: &str = "
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar();
extern void __VERIFIER_assume(int);
void reach_error() { }
int main() {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x != 5);
  unsigned char c = __VERIFIER_nondet_uchar();
  int y = __VERIFIER_nondet_int();
  if (x + c + y == 255 - 2147483648) { reach_error(); }
  return x == 1 ? 107 : 3;
}";

#[test]
fn the_status_says_whether_the_error_is_reached() {
    if !has_compiler() {
        return;
    }
    let with = |name: &str, inputs: &[(&str, i128)]| {
        status(name, &harness(&Harness { inputs: calls(inputs), ..of(SUM) }))
    };
    assert_eq!(with("reached", &[("int", -2147483648), ("uchar", 255), ("int", 0)]), Some(REACHED));
    assert_eq!(with("not-reached", &[("int", 2), ("uchar", 255), ("int", 0)]), Some(3));
    assert_eq!(with("assumed", &[("int", 5), ("uchar", 255), ("int", 0)]), Some(ASSUMED));
    assert_eq!(with("too-few", &[("int", 2), ("uchar", 255)]), Some(NO_INPUT));
    assert_eq!(with("other-order", &[("int", 2), ("int", 0), ("uchar", 255)]), Some(NO_INPUT));
    // A program that ends with such a status by itself has not reached anything.
    assert_eq!(with("own-status", &[("int", 1), ("uchar", 255), ("int", 0)]), Some(1));
}

#[test]
fn errors_are_calls_assertions_and_places() {
    if !has_compiler() {
        return;
    }
    let one = || calls(&[("int", 1)]);
    // Neither declared nor defined, as in old programs.
    let old = "int main() { int x = __VERIFIER_nondet_int(); if (x) __VERIFIER_error(); return 0; }";
    assert_eq!(status("old", &harness(&Harness { inputs: one(), ..of(old) })), Some(REACHED));
    let with_types = "typedef unsigned long size_t; typedef _Bool bool;\n\
        extern size_t __VERIFIER_nondet_ulong(); bool __VERIFIER_nondet_bool(void);\n\
        extern void reach_error(void) __attribute__((__noreturn__));\n\
        int main() { if (__VERIFIER_nondet_ulong() == 18446744073709551615UL && __VERIFIER_nondet_bool()) reach_error(); }";
    let inputs = calls(&[("ulong", u64::MAX.into()), ("bool", 1)]);
    assert_eq!(status("types", &harness(&Harness { inputs, ..of(with_types) })), Some(REACHED));

    let assertion = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
        int main() { int x = __VERIFIER_nondet_int(); assert(x != 1); return 0; }";
    let errors = vec![HarnessError::Assertion];
    let text = harness(&Harness { inputs: one(), errors: errors.clone(), ..of(assertion) });
    assert_eq!(status("assert", &text), Some(REACHED));
    // Where it is not the error, it aborts.
    assert_eq!(status("abort", &harness(&Harness { inputs: one(), ..of(assertion) })), None);
    let plain = "void assert(int); extern int __VERIFIER_nondet_int(void);\n\
        int main() { assert(1); assert(__VERIFIER_nondet_int() != 1); return 0; }";
    assert_eq!(status("plain", &harness(&Harness { inputs: one(), errors, ..of(plain) })), Some(REACHED));

    let label = "extern int __VERIFIER_nondet_int(void);\nint main() {\n  if (__VERIFIER_nondet_int() == 1) goto ERROR;\n  \
        return 0;\nERROR:\n  return 1;\n}";
    let errors = vec![HarnessError::Place(label.find("ERROR:").expect("it is there") + 6)];
    assert_eq!(status("label", &harness(&Harness { inputs: one(), errors, ..of(label) })), Some(REACHED));
}

#[test]
fn variables_without_value_get_one_and_missing_functions_give_zero() {
    if !has_compiler() {
        return;
    }
    let program = "extern int ask(void); extern int nothing(int); void reach_error(void);\n\
        int f(void) { int x, y; y = x; return y; }\n\
        int main() { if (f() == 4 && f() == -1 && ask() == 9 && !nothing(1)) reach_error(); return 0; }";
    let after_x = program.find("int x").expect("it is there") + 5;
    let variable =
        |value: i128| HarnessInput { by: AskedBy::Variable(after_x), literal: integer_literal(value) };
    let ask = HarnessInput { by: AskedBy::Call("ask".into()), literal: integer_literal(9) };
    let text = harness(&Harness {
        inputs: vec![variable(4), variable(-1), ask],
        missing: vec!["ask".into(), "nothing".into()],
        ..of(program)
    });
    assert_eq!(status("variables", &text), Some(REACHED));
}

#[test]
fn literals_have_their_values() {
    if !has_compiler() {
        return;
    }
    let values = [0, -1, i32::MIN.into(), i64::MIN.into(), i64::MAX.into()];
    let mut program =
        String::from("extern long long __VERIFIER_nondet_longlong();\nvoid reach_error();\nint main() {\n");
    for value in values {
        program += &format!("  if (__VERIFIER_nondet_longlong() != {}) return 1;\n", integer_literal(value));
    }
    program += "  reach_error();\n}\n";
    let inputs: Vec<(&str, i128)> = values.iter().map(|&value| ("longlong", value)).collect();
    assert_eq!(
        status("literals", &harness(&Harness { inputs: calls(&inputs), ..of(&program) })),
        Some(REACHED)
    );
    assert_eq!(integer_literal(u64::MAX.into()), "18446744073709551615ULL");
    assert_eq!(integer_literal(-3_000_000_000), "-3000000000LL");
}

#[test]
fn the_comment_says_what_it_is() {
    let text = harness(&Harness { inputs: calls(&[("int", 7)]), file_name: "dir/*/p.c", ..of(SUM) });
    let comment = text.split("*/").next().expect("a part");
    assert!(
        comment.contains("exit status is 107") && comment.contains("7 for __VERIFIER_nondet_int()"),
        "{text}"
    );
    assert!(comment.contains("cc -w"));
    assert!(text.contains("#line 1 \"dir/*/p.c\"\n"));
}
