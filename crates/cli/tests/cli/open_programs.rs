//! Programs in C that are left open: the answer says what it depends on, and the advice helps. Tasks say in one line each what they do not
//! ask.

use crate::support::Place;

const HEAD: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
";

/// A place with a program that has this text below the head, in `p.c`.
fn with_program(text: &str) -> Place {
    let place = Place::new();
    place.file("p.c", format!("{HEAD}{text}"));
    place
}

#[test]
fn a_function_without_body_is_named_and_a_body_helps() {
    let main = "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  assume(n > 3);\n  if (n == 2) reach_error();\n}\n";
    let place = with_program(&format!("void assume(int e);\n{main}"));
    let run = place.run(&["check", "p.c"]).ends(5, "RESULT: unknown(U-IMPRECISE)");
    assert!(run.stdout.contains("recursion, 0 predicates, 1 round\n"), "{run:?}");
    assert!(
        run.stdout.contains("  open: a run to line 8 depends on `assume` (line 7), which has no body\n"),
        "{run:?}"
    );
    assert!(run.stdout.contains("  next: give `assume` a body"), "{run:?}");
    let details = place.run(&["check", "p.c", "--json"]).json()["results"][0]["details"].clone();
    assert_eq!(details[0]["kind"], "depends_on", "{details}");
    place.file("p.c", format!("{HEAD}void assume(int e) {{ __VERIFIER_assume(e); }}\n{main}"));
    place.run(&["check", "p.c"]).ends(0, "RESULT: true");
}

#[test]
fn what_is_not_followed_is_named_with_its_text() {
    let cases = [
        (
            "union u { int i; unsigned char b[4]; };\nint main(void) {\n  union u v;\n  v.i = __VERIFIER_nondet_int();\n  \
             if (v.b[0] == 7 && v.b[1] == 9) reach_error();\n}\n",
            "(line 8: `v.b[0]`)",
        ),
        (
            "extern double __VERIFIER_nondet_double(void);\nint main(void) {\n  double d = __VERIFIER_nondet_double();\n  \
             if (d > 3.5 && d * d < 13) reach_error();\n}\n",
            "a comparison of floating numbers (line 7: `d > 3.5`)",
        ),
        (
            "int f(int n, ...);\nint main(void) {\n  int a[2] = { 0, 0 };\n  f(1, a);\n  if (a[1] == 3) reach_error();\n}\n",
            "`f` (line 7)",
        ),
    ];
    for (text, named) in cases {
        let run = with_program(text).run(&["check", "p.c"]).ends(5, "RESULT: unknown(U-IMPRECISE)");
        let words: Vec<&str> = run.stdout.split_whitespace().collect();
        assert!(words.join(" ").contains(named), "{run:?}");
    }
}

/// A proof needs a condition on all elements.
const FILLED: &str = "int main(void) {\n  int n = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int(), a[100000];\n  \
                      if (n < 1 || n > 100000) return 0;\n  for (int i = 0; i < n; i++) a[i] = c;\n  \
                      for (int i = 0; i < n; i++) if (a[i] != c) reach_error();\n}\n";

#[test]
fn after_a_limit_only_what_was_done_is_counted_and_no_useless_advice_is_given() {
    let place = with_program(FILLED);
    let run = place.run(&["check", "p.c", "--work", "3M"]).ends(5, "RESULT: unknown(U-WORK)");
    let mut reached = run.stdout.lines().filter(|line| line.starts_with("  reached: "));
    assert!(reached.all(|line| !line.contains('_') && !line.contains(" 0")), "{run:?}");
    assert!(!run.stdout.contains("--no-evidence"), "{run:?}");
}

#[test]
fn a_task_says_in_one_line_each_what_it_does_not_ask() {
    let place = with_program("int main(void) { return 0; }\n");
    let task = |properties: &[&str]| {
        let lines: String =
            properties.iter().map(|name| format!("  - property_file: ../{name}.prp\n")).collect();
        format!("format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n{lines}")
    };
    let some = ["unreach-call", "no-overflow", "termination", "valid-memsafety", "coverage-branches"];
    place.file("some.yml", task(&some)).file("none.yml", task(&["no-overflow", "coverage-branches"]));
    let run = place.run(&["check", "some.yml"]).ends(0, "RESULT: true");
    assert_eq!(
        run.stderr,
        "note: some.yml: standard properties are taken for missing files: unreach-call.prp (line 4), \
         termination.prp (line 6)\nnote: some.yml: not supported yet, so not asked: no-overflow.prp (line 5), \
         valid-memsafety.prp (line 7)\nnote: some.yml: what tests should cover, so not asked: coverage-branches.prp (line \
         8)\n"
    );
    let run = place.run(&["check", "none.yml"]).ends(2, "RESULT: error(input)");
    assert!(run.stderr.contains("error: no property of this task can be asked\n --> none.yml:4:"), "{run:?}");
}
