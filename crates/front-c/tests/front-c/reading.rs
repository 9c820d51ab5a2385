//! What the reader makes of small programs, compared as text.

use tertium_front_c::ir::{DataModel, Unit};
use tertium_front_c::{ReadOptions, read};
use tertium_support::{Context, Diagnostic, Severity, Source, render};

fn unit(text: &str) -> Unit {
    let source = Source::new("test.c", text);
    match read(&Context::default(), &source, &ReadOptions::default()) {
        Ok((unit, _)) => unit,
        Err(error) => panic!("{}", render(&source, &error.into_complaints(), false)),
    }
}

/// The body of `main` as text.
fn body(text: &str) -> String {
    let unit = unit(text);
    let shown = unit.show_function(unit.function(unit.main));
    shown.split_once("0:\n").expect("there is a first block").1.trim_end().to_owned()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = body(text);
    let expected = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>();
    assert_eq!(found.lines().map(str::trim).collect::<Vec<_>>(), expected, "{found}");
}

#[test]
fn side_effects_are_instructions_in_order() {
    check(
        "int f(int); int main(void) { int x = 1, y = 2; x = y++ + f(x); return x; }",
        "x = 1
         y = 2
         .0 = y
         y = (.0 + 1)
         .1 = f(x)
         x = (.0 + .1)
         return x",
    );
}

#[test]
fn what_a_call_may_change_is_read_before_it() {
    check(
        "int g; int f(void); int main(void) { int l = g; return g * f() + l * f(); }",
        "l = g
         .1 = g
         .0 = f()
         .2 = f()
         return ((.1 * .0) + (l * .2))",
    );
}

#[test]
fn operators_that_skip_effects_are_branches() {
    check(
        "int f(void); int main(void) { int x = 0; if (x && f()) x = 2; return x || 1; }",
        "x = 0
         if x goto 2 else 1
         1:
         .0 = 0
         goto 3
         2:
         .1 = f()
         .0 = (.1 != 0)
         goto 3
         3:
         if .0 goto 4 else 5
         4:
         x = 2
         goto 5
         5:
         return (x || 1)",
    );
}

#[test]
fn conventions_of_verification_tasks_are_known() {
    check(
        "int main() { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); assert(x != 3); \
         if (x == 5) reach_error(); if (x == 6) abort(); exit(1); }",
        "x = __VERIFIER_nondet_int()
         assume (0 < x)
         if (x != 3) goto 2 else 1
         1:
         assertion fails
         2:
         if (x == 5) goto 3 else 4
         3:
         error
         4:
         if (x == 6) goto 5 else 6
         5:
         abort
         6:
         exit",
    );
}

fn complaints(text: &str) -> Vec<String> {
    let source = Source::new("test.c", text);
    let Err(error) = read(&Context::default(), &source, &ReadOptions::default()) else {
        panic!("{text} is read")
    };
    let shown = |found: &Diagnostic| {
        let (line, column) = source.line_column(found.span.start);
        format!("{line}:{column} {}", found.message)
    };
    let errors = error.into_complaints();
    errors.iter().filter(|found| found.severity == Severity::Error).map(shown).collect()
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_all_at_once() {
    let text = "int f(int a);\nconst int k = 3;\nint main() {\n  int y = undeclard;\n  f(1, 2);\n  3 = y;\n  k = 4;\n\
                  break;\n  goto nowhere;\n  int y;\n  switch (y) { case 1: case 1: ; }\n  *y = 3;\n}\n";
    assert_eq!(
        complaints(text),
        [
            "4:11 `undeclard` is not declared",
            "5:3 too many arguments: 2 are given",
            "6:3 this cannot be assigned: it is not a place",
            "7:3 this is `const` and cannot be assigned",
            "8:1 `break` is not inside of a loop or `switch`",
            "9:8 there is no label `nowhere` in this function",
            "10:7 `y` is declared twice",
            "11:24 there is a `case 1` already",
            "12:3 this needs a pointer, not `int`",
        ]
    );
}

#[test]
fn wrong_texts_are_refused() {
    for (text, message) in [
        ("int f() { return 0; }", "1:1 there is no function `main`"),
        ("int main() { return 0;", "1:12 this `{` is not closed"),
        ("int main() { return (0; }", "1:25 this `}` does not close the `(` that is open"),
        ("int main() { return 0 }", "1:23 `}` cannot stand here"),
        ("int main() { /* }", "1:14 this comment is not closed"),
        ("#include <stdio.h>\nint main() { }", "1:1 `#include <stdio.h>` is for the preprocessor"),
        ("struct s x; int main() { }", "1:10 `x` has the incomplete type `struct s`"),
        ("int x; double x; int main() { }", "1:15 `x` was declared with another type before"),
        ("int f(void) { } int f(void) { } int main() { }", "1:21 `f` is defined twice"),
        ("int a[-1]; int main() { }", "1:6 the length of this array is negative"),
        ("int y; int x = y; int main() { }", "1:16 this initialiser must be constant"),
        ("struct s { int a; int a; }; int main() { }", "1:23 there is a member `a` already"),
        (
            "int main() { struct { int a; } s; return s; }",
            "1:42 a number or pointer is needed here, not `struct .1`",
        ),
    ] {
        assert_eq!(complaints(text), [message], "{text}");
    }
}

#[test]
fn old_programs_are_read() {
    check(
        "static x = 1; add(a, b) char b; { return a + b; } main(argc, argv) char **argv; { int (*p)() = add; \
         x = unknown(x, 'c'); return p(1, 2) + add(x); }",
        "p = add
         x = unknown(x, 99)
         .1 = *p(1, 2)
         .2 = add(x, .missing)
         return (.1 + .2)",
    );
}

#[test]
fn places_are_right_where_something_was_inserted() {
    let text = "static x = 1;\nmain() { int a = x ?: z; l: }\nf() { return y; }\n";
    assert_eq!(complaints(text), ["2:23 `z` is not declared", "3:14 `y` is not declared"]);
    let text = "# 7 \"a.h\"\nint x;\n# 3 \"b.c\" 2\nint main() { ; ; __asm__(\"nop\"); return x; }\n";
    let unit = unit(text);
    let [found] = unit.unsupported.as_slice() else { panic!("{:?}", unit.unsupported) };
    let place = unit.origins.start(found.span);
    assert_eq!((place.file.as_deref(), place.line, place.column), (Some("b.c"), 3, 18));
}

#[test]
fn every_kind_of_nesting_has_stack_enough() {
    const N: usize = 900;
    for (open, close) in [
        ("(", ")"),
        ("a[", "]"),
        ("f(", ")"),
        ("-(", ")"),
        ("(int)(", ")"),
        ("sizeof(", ")"),
        ("(x ? ", " : 2)"),
        ("(x = ", ")"),
        ("({ 1; ", "; })"),
        ("(x && f(", "))"),
        ("(int){", "}"),
        ("*&(", ")"),
    ] {
        let nested = format!("{}x{}", open.repeat(N / 3), close.repeat(N / 3));
        let text = format!("int f(); int a[3]; int main() {{ int x; x = {nested}; }}");
        let _ = read(&Context::default(), &Source::new("test.c", text), &ReadOptions::default());
    }
    for (open, close) in [
        ("{", "}"),
        ("if (x) {", "}"),
        ("while (x) {", "}"),
        ("for (;;) {", "}"),
        ("do {", "} while (x);"),
        ("switch (x) { case 1:", "}"),
        ("l: {", "}"),
        ("if (x) ; else {", "}"),
    ] {
        let nested = format!("{}x = 1;{}", open.repeat(N), close.repeat(N));
        let text = format!("int main() {{ int x; {nested} }}");
        let _ = read(&Context::default(), &Source::new("test.c", text), &ReadOptions::default());
    }
    for (open, middle, close) in [
        ("struct { ", "int a; ", "} a;"),
        ("union { int b; struct { ", "int a; ", "}; };"),
        ("int (*", "x", ")(void)"),
        ("int (*", "x", ")[2]"),
        ("typeof(", "int", ")"),
        ("{", "1", "}"),
        ("int f(int (*", "x", ")(int))"),
    ] {
        let nested = format!("{}{middle}{}", open.repeat(N / 2), close.repeat(N / 2));
        for text in [format!("{nested} y; int main() {{ }}"), format!("int y = {nested}; int main() {{ }}")] {
            let _ = read(&Context::default(), &Source::new("test.c", text), &ReadOptions::default());
        }
    }
}

#[test]
fn depth_is_no_danger_and_long_chains_are_legal() {
    let deep = |open: &str, close: &str, n: usize| {
        format!("int main() {{ int x = 1; x = {}1{}; return x; }}", open.repeat(n), close.repeat(n))
    };
    unit(&deep("(", ")", 900));
    assert!(complaints(&deep("(", ")", 100_000))[0].contains("brackets are open"));
    for (open, close) in [
        ("- ", ""),
        ("x + ", ""),
        ("x - f(", ")"),
        ("x && ", ""),
        ("(int) ", ""),
        ("x ? 1 : ", ""),
        ("x = ", ""),
        ("!", ""),
    ] {
        let n = if close.is_empty() { 10_000 } else { 900 };
        unit(&deep(open, close, n));
    }
    assert_eq!(complaints(&deep("- ", "", 1_000_000)).len(), 1);
    let chain = "if (x == 1) x = 2; else ".repeat(10_000);
    unit(&format!("int main() {{ int x = 1; {chain}; return x; }}"));
    unit(&format!(
        "int main() {{ switch (3) {{ {} ; }} }}",
        (0..10_000).map(|n| format!("case {n}: ")).collect::<String>()
    ));
    unit(&format!("int main() {{ {} ; }}", "if (1) ".repeat(5_000)));
}

#[test]
fn structures_have_the_layout_of_the_machine() {
    let text = "struct a { char c; long long l; }; struct b { int x : 3; int y : 30; char z; }; struct c { char c; double d; \
                char e; }; struct __attribute__((packed)) d { char c; int i; }; struct e { unsigned a : 1; unsigned : 0; \
                unsigned b : 1; }; union u { int i; char c[5]; }; struct f { char c; union { int i; short s; }; int a[]; };\
                int main() { int s[] = { sizeof(struct a), sizeof(struct b), sizeof(struct c), sizeof(struct d), \
                sizeof(struct e), sizeof(union u), sizeof(struct f), sizeof(long), __builtin_offsetof(struct c, e) }; }";
    let values = |model| {
        let source = Source::new("test.c", text);
        let options = ReadOptions { data_model: model, ..ReadOptions::default() };
        let (unit, _) = read(&Context::default(), &source, &options).expect("it is right");
        let shown = unit.to_string();
        let lines = shown.lines().filter_map(|line| line.trim().strip_prefix("s[")?.split(" = ").nth(1));
        lines.map(|value| value.parse().expect("a number")).collect::<Vec<u32>>()
    };
    assert_eq!(values(DataModel::Ilp32), [12, 12, 16, 5, 8, 8, 8, 4, 12]);
    assert_eq!(values(DataModel::Lp64), [16, 12, 24, 5, 8, 8, 8, 8, 16]);
}
