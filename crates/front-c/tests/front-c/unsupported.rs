//! What attributes, assembler names and functions without body may do, and what is not followed because of it.

use tertium_front_c::lower::{LowerOptions, lower};
use tertium_front_c::{ReadOptions, read};
use tertium_support::{Context, Source};

/// What is not supported and control may come to, by name.
fn met(text: &str) -> Vec<String> {
    let text = format!(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
         extern int printf(const char *, ...);\n{text}"
    );
    let (unit, _) = read(&Context::default(), &Source::new("test.c", text), &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error:?}"));
    let lowered = lower(&Context::default(), &unit, &LowerOptions::default()).expect("there is no limit");
    lowered.unsupported.into_iter().map(|(_, construct)| construct.what).collect()
}

fn is_met(text: &str, what: &str) {
    let found = met(text);
    assert!(!found.is_empty() && found.iter().all(|own| own.contains(what)), "{text}: {found:?}");
}

fn is_fine(text: &str) {
    assert_eq!(met(text), [""; 0], "{text}");
}

#[test]
fn what_runs_without_a_call() {
    let cleanup = "void cl(int *p) { if (*p) reach_error(); }\n";
    for declaration in [
        "int x __attribute__((cleanup(cl))) = 1;",
        "__attribute__((__cleanup__(cl))) int x = 1;",
        "int __attribute__((cleanup(cl), aligned(8))) x = 1;",
        "for (int i __attribute__((cleanup(cl))) = 0; i < 1; i++) ;",
    ] {
        is_met(&format!("{cleanup}int main(void) {{ {declaration} return 0; }}"), "cleanup");
        is_fine(&format!("{cleanup}int main(void) {{ return 0; {declaration} }}"));
    }
    for word in ["constructor", "destructor", "__destructor__(101), aligned(8)"] {
        is_met(
            &format!(
                "__attribute__(({word})) void f(void) {{ reach_error(); }} int main(void) {{ return 0; }}"
            ),
            "functions that run",
        );
    }
    is_met(
        "struct s { int a; } __attribute__((destructor)) f(void) { struct s x; reach_error(); return x; } \
         int main(void) { return 0; }",
        "functions that run",
    );
}

#[test]
fn names_of_something_else() {
    is_met(
        "int x; extern int y __attribute__((alias(\"x\"))); int main(void) { y = 1; return x; }",
        "`y` with the attribute `alias`",
    );
    is_met(
        "int x; extern int z __asm__(\"x\"); int main(void) { z = 1; return x; }",
        "`z` with an assembler",
    );
    is_met(
        "int x; extern int z __asm__(\"x\"); int *p = &z; int main(void) { *p = 1; return x; }",
        "`z` with an assembler",
    );
    is_met(
        "int x; int main(void) { extern int z __asm__(\"x\"); z = 1; return x; }",
        "`z` with an assembler",
    );
    is_met("extern void boom(void) __asm__(\"reach_error\"); int main(void) { boom(); }", "`boom`");
    is_met("void f(void) {} extern void g(void) __asm__(\"f\"); int main(void) { g(); }", "`g`");
    is_met("void f(void) __asm__(\"g\"); void f(void) {} void g(void); int main(void) { g(); }", "`f`");
    is_met(
        "void f(void) {} void g(void) __attribute__((alias(\"f\"))); int main(void) { g(); }",
        "`g` with the attribute `alias`",
    );
    // Declared only, or names of the library.
    is_fine("int x; extern int z __asm__(\"x\"); int main(void) { return x + sizeof z; }");
    is_fine("void f(void) {} void g(void) __attribute__((alias(\"f\"))); int main(void) { f(); }");
    is_fine(
        "extern int sscanf(const char *, const char *, ...) __asm__(\"\" \"__isoc99_sscanf\"); \
         int main(void) { int x; return sscanf(\"1\", \"%d\", &x); }",
    );
}

#[test]
fn functions_that_may_be_called_back() {
    let h = "void h(void) { reach_error(); }\n";
    is_met(
        &format!("{h}extern int atexit(void (*)(void)); int main(void) {{ atexit(h); return 0; }}"),
        "atexit",
    );
    is_met(
        &format!(
            "{h}struct s {{ void (*f)(void); }}; extern void ext(struct s *); \
                  int main(void) {{ struct s own; own.f = h; ext(&own); return 0; }}"
        ),
        "`ext`",
    );
    is_met(
        &format!(
            "{h}extern void ext(void (*)(void)); void (*p)(void (*)(void)) = ext; \
                  int main(void) {{ p(h); return 0; }}"
        ),
        "`ext`",
    );
    is_fine(&format!(
        "{h}extern int rand(void); int main(void) {{ void (*p)(void) = h; p(); return rand(); }}"
    ));
    // A pointer to a function without body.
    is_fine("extern void f(int); void (*p)(int) = f; int main(void) { p(1); return 0; }");
}

#[test]
fn formats_that_write() {
    is_met("int main(void) { int n; printf(\"abc%n\", &n); return n; }", "%n");
    is_met("int main(void) { long n; printf(\"abc%-5ln\", &n); return n; }", "%n");
    is_met("const char *s; int main(void) { int n = 0; printf(s, &n); return n; }", "unknown format");
    is_fine(
        "int main(int c, char **v) { printf(\"%d %s\\n\", c, \"x\"); printf(c ? \"a\" : \"b\"); return 0; }",
    );
    is_fine("const char *s; int main(int c, char **v) { printf(s, c, s); return 0; }");
}

#[test]
fn lengths_that_types_do_not_say() {
    is_met("struct s { int n; int d[]; } g = { 2, { 5, 6 } }; int main(void) { return g.d[1]; }", "flexible");
    is_met(
        "int main(void) { static struct { int n; char d[]; } g = { 2, \"ab\" }; return g.d[1]; }",
        "flexible",
    );
    is_met(
        "int f(int n, int a[n][n]) { return a[1][1]; } int main(void) { int a[4]; return f(2, a); }",
        "length",
    );
    // Compilers differ from the standard here.
    is_met(
        "struct s { struct { int a, b; } p; int z; } x, y; int main(void) { struct s t = { .p = x.p, .p.a = 1 }; return t.z; }",
        "whole",
    );
    is_fine(
        "struct s { struct { int a, b; } p; int z; } x, y; int main(void) { struct s t = { .p.a = 1, .p = x.p }; return t.z; }",
    );
    is_fine("int f(int n, int a[n]) { return a[n - 1]; } int main(void) { int a[2]; return f(2, a); }");
    is_fine("int f(int n, int a[n][n]); int main(void) { return 0; }");
    is_fine("struct s { int n; int d[]; } g = { 2 }; int main(void) { return g.n; }");
}
