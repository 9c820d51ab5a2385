//! PL from outside: what is refused and where, what is printed and read back, and what becomes of calls and scopes.

use tertium_program::{Action, Icfg, pl};
use tertium_support::{Context, ReadError, Rng, Source};
use tertium_testkit::{fuzz_cases, random_cases};

fn source(text: &str) -> Source {
    Source::new("test.pl", text)
}

/// The complaints about a text: the text of the place, and the message.
fn complaints(text: &str) -> Vec<(String, String)> {
    match pl::read(&Context::default(), &source(text)) {
        Ok(_) => Vec::new(),
        Err(ReadError::Stopped(reason)) => panic!("stopped: {reason:?}"),
        Err(ReadError::Faulty(list)) => {
            list.into_iter().map(|mistake| (text[mistake.span.range()].to_owned(), mistake.message)).collect()
        }
    }
}

#[track_caller]
fn refused(text: &str, place: &str, message: &str) {
    let found = complaints(text);
    assert!(
        found.iter().any(|(at, own)| at == place && own.contains(message)),
        "expected `{message}` at `{place}`, found {found:?}"
    );
}

#[test]
fn ill_typed_uses_of_every_operator_are_refused_where_they_stand() {
    // Product: one variable gets two values.
    refused("m() { var x; x, x := 1, 2; }", "x", "both factors give values to {x}");
    // Scope extension: no value for z, and what is needed is not there.
    let increment = "({x, y} -> {x, z}) x := x + 1;";
    refused(&format!("m() {{ var x, y; {increment} }}"), "x := x + 1;", "{z} has no value");
    let narrow = "m() { var x, y; ({y} -> {x, y}) x := x + 1; }";
    refused(narrow, "x := x + 1;", "it needs {x}, which is not in {y}");
    let lost = "m() { var x, y; ({x, y} -> {y}) x := 1; }";
    refused(lost, "x := 1;", "it gives values to {x}, which is not in {y}");
    // Composition: the scope that is written is not the one that is there.
    let wrong = "m() { var x, y; ({x} -> {x}) x := 1; }";
    refused(wrong, "x := 1;", "{x} is expected before it, but {x, y} is in scope");
    let grows = "m() { while (true) { var x; } }";
    refused(grows, "while (true) { var x; }", "{} is expected before it, but {x} is in scope");
    // Choice: both branches have one type.
    let either = "either { var x; } or { skip; }";
    refused(&format!("m() {{ {either} }}"), either, "one branch is of type {} -> {x}");
    let branch = "if (x > 0) { kill x; }";
    refused(&format!("m() {{ var x; {branch} }}"), branch, "one branch is of type {x} -> {}");
    // Declaration and its opposite.
    refused("m() { var x; var x; }", "var x;", "`x` is in scope already");
    refused("m() { kill x; }", "kill x;", "it needs {x}");
    // Assume, assignment and call speak of what is in scope, and of the right sorts.
    refused("m() { assume(x > 0); }", "x", "there is no variable or constant `x`");
    refused("m() { var x; assume(x); }", "x", "this is of sort int, but bool is expected");
    refused("m() { var x; kill x; x := 1; }", "x", "there is no variable `x` in scope");
    refused("m() { var b : bool; b := 1; }", "1", "this is of sort int, but bool is expected");
    refused("m() { var x, y; x, y := 1; }", "x, y := 1;", "2 variables, but 1 values");
}

#[test]
fn wrong_calls_and_procedures_are_refused() {
    let with_f = |body: &str| format!("m() {{ {body} }} f(a : 0..3) : a {{ skip; }}");
    refused(&with_f("g(1);"), "g", "there is no procedure `g`");
    refused(&with_f("f();"), "f();", "`f` takes 1 arguments");
    refused(&with_f("var x, y; x, y := f(1);"), "x, y := f(1);", "`f` returns 1 values");
    refused(&with_f("var x : 0..2; x := f(1);"), "x", "values that `f` returns do not fit in `x`");
    refused(&with_f("var x; x := f(true);"), "true", "this is of sort bool, but int is expected");
    refused("m() { m(); }", "m", "`m` is main, and never called");
    refused("m(x) { skip; }", "m", "`m` is main: it takes and returns nothing");
    refused("m() { skip; } m() { skip; }", "m", "there are two procedures `m`");
    refused("m() { skip; } f() : r { skip; }", "r", "there is no variable `r`");
    refused("m() { skip; } f() : r { var r; kill r; }", "}", "`r` is returned, but not in scope here");
    refused("m() { l: skip; l: skip; }", "l", "there are two labels `l`");
    refused("global g; m() { kill g; }", "g", "`g` is a global, and no variable of a scope");
    refused("global g; m() { g, g := 1, 2; }", "g", "`g` gets two values");
    refused("", "", "there is no procedure");
}

#[test]
fn mistakes_of_writing_are_told_with_their_place() {
    refused("m() { x := ; }", ";", "expected");
    refused("m() { skip }", "}", "expected `;`, found `}`");
    refused("m() { var x : 3..1; }", "3..1", "`x` has no values");
    refused("m() { var x : 0..n; }", "n", "a range has numbers as bounds");
    refused("m() { skip;", "", "expected `}`, found the end of the text");
    refused("m() { ({} -> {}) { skip; } }", "{", "expected a statement");
    let two = complaints("m() { x = 1; skip y; kill ; }");
    assert_eq!(two.len(), 3, "one complaint for each statement: {two:?}");
    let deep = format!("m() {{ {} skip; {} }}", "while (true) {".repeat(5000), "}".repeat(5000));
    assert!(complaints(&deep).iter().any(|(_, message)| message.contains("nested too deeply")));
}

fn read(text: &str) -> Icfg {
    pl::read(&Context::default(), &source(text)).expect("the text is right")
}

#[test]
fn every_call_has_a_return_point_of_its_own_and_keeps_to_domains() {
    let icfg = read("m() { var x : 0..9; x := f(x); f(x); } f(a : 0..3) : a { var t; f(a); t := a; }");
    let mut targets = Vec::new();
    for edge in icfg.edges() {
        let Action::Call(call) = &edge.action else { continue };
        assert!(!targets.contains(&edge.target), "two calls return to one point");
        targets.push(edge.target);
        let within = icfg.point(edge.source).entering.iter().any(|&before| {
            matches!(&icfg.edge(before).action, Action::Step(step) if icfg.terms.as_bool(step.guard).is_none())
        });
        let is_from_main = icfg.point(edge.source).procedure == icfg.main;
        assert_eq!(within, is_from_main, "a guard stands before arguments that may not fit");
        assert_eq!(call.results.len(), 1);
    }
    assert_eq!(targets.len(), 3);
}

#[test]
fn scopes_that_are_written_out_may_bring_and_drop_variables() {
    let icfg = read("m() { var y; ({y} -> {x, y}) x := y + 1; ({x, y} -> {x}) x := y; assume(x > 0); }");
    assert_eq!(icfg.procedures()[0].variables.len(), 2);
    refused("m() { var y; ({y} -> {}) skip; y := 1; }", "y", "there is no variable `y` in scope");
}

/// A random program: with mistakes in scopes now and then.
fn random_text(rng: &mut Rng) -> String {
    let mut text = String::new();
    if rng.chance(0.5) {
        text.push_str("global g : -1..2;\n");
    }
    for index in 0..rng.between(1, 3) {
        let head = if index == 0 { "p0()".to_owned() } else { format!("p{index}(a : 0..1, b) : a, b") };
        text.push_str(&format!("{head} {{ var x : bool, c, d : -2..2;\n"));
        random_block(rng, &mut text, 3);
        text.push_str("}\n");
    }
    text
}

fn random_block(rng: &mut Rng, text: &mut String, depth: usize) {
    for _ in 0..rng.between(1, 3) {
        let simple = [
            "skip;",
            "c := c + 1;",
            "c, d := d, c;",
            "assume(c < d || x);",
            "l: x := !x;",
            "p1(1, c);",
            "d, c := p1(0, d);",
            "({c, d, x} -> {c, d, x}) c := d;",
            "kill d; var d : -2..2;",
            "x := c = d ? true : false;",
        ];
        if depth == 0 || rng.chance(0.6) {
            text.push_str(rng.pick::<&str>(&simple));
            continue;
        }
        let (open, middle) =
            *rng.pick(&[("if (x) {", "} else {"), ("while (c > 0) {", ""), ("either {", "} or {")]);
        text.push_str(open);
        random_block(rng, text, depth - 1);
        if !middle.is_empty() && rng.chance(0.7) {
            text.push_str(middle);
            random_block(rng, text, depth - 1);
        }
        text.push('}');
    }
}

#[test]
fn what_is_printed_reads_back() {
    let context = Context::default();
    let mut right = 0;
    random_cases(200, |rng| {
        let text = random_text(rng);
        let tree = pl::read_tree(&context, &source(&text)).expect("the text is well formed");
        let printed = tree.to_string();
        let again = pl::read_tree(&context, &source(&printed)).expect("what is printed can be read");
        assert_eq!(again.to_string(), printed);
        match (pl::read(&context, &source(&text)), pl::read(&context, &source(&printed))) {
            (Ok(one), Ok(other)) => {
                right += 1;
                assert_eq!(one.points().len(), other.points().len());
                let actions = |icfg: &Icfg| {
                    icfg.edges().iter().map(|edge| format!("{:?}", edge.action)).collect::<Vec<_>>()
                };
                assert_eq!(actions(&one), actions(&other));
            }
            (Err(one), Err(other)) => {
                let messages = |error: ReadError| {
                    error.into_complaints().into_iter().map(|mistake| mistake.message).collect::<Vec<_>>()
                };
                assert_eq!(messages(one), messages(other));
            }
            (one, other) => panic!("one is right, the other is not: {one:?} {other:?}"),
        }
    })
    .enough(right > 20, right);
}

#[test]
fn cut_and_changed_texts_are_no_reason_to_panic() {
    fuzz_cases(|rng| {
        let mut text = random_text(rng);
        for _ in 0..rng.between(1, 4) {
            let at = rng.below(text.len() + 1);
            match rng.below(3) {
                0 => text.truncate(at),
                1 => text.insert_str(at, rng.pick::<&str>(&["{", "}", ":=", ";", "x", "(", "->", ":", "é"])),
                _ if at < text.len() => {
                    text.remove(at);
                }
                _ => {}
            }
            if !text.is_char_boundary(text.len()) || !text.is_ascii() {
                break;
            }
        }
        let _ = complaints(&text);
    });
}
