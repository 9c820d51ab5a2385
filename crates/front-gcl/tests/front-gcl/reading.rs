//! What is said about models that are wrong or suspicious, and where; and what properties mean.

use tertium_explore::reachable;
use tertium_expr::Value;
use tertium_front_gcl::{Model, PropertyKind, read, read_plainly};
use tertium_program::Domain;
use tertium_support::{Context, Diagnostics, ReadError, Severity, Source};

fn read_text(text: &str) -> Result<(Model, Diagnostics), Diagnostics> {
    read(&Context::default(), &Source::new("test", text)).map_err(ReadError::into_complaints)
}

fn model(text: &str) -> Model {
    read_text(text).unwrap_or_else(|complaints| panic!("{text}\n{complaints:#?}")).0
}

/// Each complaint as the text it points at and its message.
fn shown<'t>(text: &'t str, complaints: &Diagnostics) -> Vec<(&'t str, String)> {
    complaints.iter().map(|found| (&text[found.span.range()], found.message.clone())).collect()
}

/// Expects exactly these complaints, in the order of the text: what they point at, and a part of the message.
#[track_caller]
fn wrong(text: &str, expected: &[(&str, &str)]) {
    let complaints = read_text(text).map(|(model, _)| model.to_string()).expect_err(text);
    let found = shown(text, &complaints);
    assert_eq!(found.len(), expected.len(), "{text}\n{found:#?}");
    for ((place, message), (expected_place, part)) in found.iter().zip(expected) {
        assert_eq!(place, expected_place, "{text}\n{message}");
        assert!(message.contains(part), "{text}\n{message}");
    }
}

/// Expects exactly these warnings.
#[track_caller]
fn warns(text: &str, expected: &[(&str, &str)]) {
    let (_, warnings) = read_text(text).unwrap_or_else(|complaints| panic!("{text}\n{complaints:#?}"));
    assert!(warnings.iter().all(|warning| warning.severity == Severity::Warning));
    let found = shown(text, &warnings);
    assert_eq!(found.len(), expected.len(), "{text}\n{found:#?}");
    for ((place, message), (expected_place, part)) in found.iter().zip(expected) {
        assert_eq!(place, expected_place, "{text}\n{message}");
        assert!(message.contains(part), "{text}\n{message}");
    }
}

#[test]
fn every_kind_of_item_is_read() {
    let text = "// all of them
        const N = 3; const M = N * 2 - 1;
        enum loc = { idle, wait, crit };
        control pc1, pc2: loc = idle;
        control b: bool;
        var k: 0..M = N;
        var free: int;
        var here: { up, down } = down;
        init free > 0; init !b;
        prop both = pc1 = crit && pc2 = crit;
        [take] pc1 = idle -> pc1 := wait, k := 0, free := free + k;
        [] pc1 = wait => b -> either pc1 := crit or skip or k := input, free := input 1..M;
        process left { var x: bool = false; [go] !x && k > 0 -> x := b, pc1 := idle; prop own = x; }
        property AG !both;
        invariant safe: !both || left.own;
        [in] k = 0 -> k := 1;
        reach in: free > 10;";
    let model = model(text);
    let program = &model.program;
    let names: Vec<String> = program.variables().iter().map(|own| program.terms.name(own.variable)).collect();
    assert_eq!(names, ["pc1", "pc2", "b", "k", "free", "here", "left.x"]);
    assert_eq!(program.variables()[3].domain, Domain::Range(0.into(), 5.into()));
    assert_eq!(model.initial_values[3], Some(Value::int(3)));
    assert_eq!(model.actions().collect::<Vec<_>>(), ["take", "tau", "go", "in"]);
    assert_eq!(program.commands()[1].steps.len(), 3);
    assert_eq!(program.propositions.keys().collect::<Vec<_>>(), ["both", "left.own"]);
    let kinds: Vec<PropertyKind> = model.properties.iter().map(|property| property.kind).collect();
    assert_eq!(kinds, [PropertyKind::Formula, PropertyKind::Invariant, PropertyKind::Reach]);
    assert_eq!(model.properties[1].formula_text(), "AG (!both || left.own)");
}

#[test]
fn assignments_happen_at_once() {
    let model = model("var x: 0..9 = 1; var y: 0..9 = 2; [swap] true -> x := y, y := x;");
    let found = reachable(&Context::default(), &model.program, 100).unwrap();
    assert!(found.is_complete());
    assert_eq!(found.n_states(), 2);
}

#[test]
fn names_of_a_process_come_first_inside() {
    let text = "var x: int = 5; process p { var x: int = 0; [a] x < 2 -> x := x + 1; } process q { [b] x = 5 -> p.x := x; }";
    let model = model(text);
    let found = reachable(&Context::default(), &model.program, 100).unwrap();
    let last: Vec<Value> = found.states().map(|state| state.0[1].clone()).collect();
    assert!(last.contains(&Value::int(5)) && last.contains(&Value::int(2)) && found.n_states() == 4);
}

#[test]
fn unknown_names_are_located_with_what_is_near() {
    let text = "var count: int = 0; [a] coutn > 0 -> cuont := 1; prop p = missing;";
    wrong(
        text,
        &[("coutn", "no variable or constant"), ("cuont", "no variable"), ("missing", "no variable")],
    );
    let complaints = read_text(text).unwrap_err();
    assert_eq!(complaints[0].notes, ["similar names: `count`"]);
    assert_eq!(complaints[1].notes, ["similar names: `count`"]);
    let near = read_text("process p { var count: int; [] true -> coutn := 1; }").unwrap_err();
    assert_eq!(near[0].notes, ["similar names: `count`"]);
    wrong("var x: colour;", &[("colour", "no type")]);
}

#[test]
fn types_are_checked() {
    wrong("var x: int; [] x -> skip;", &[("x", "sort int, but bool")]);
    wrong("var b: bool; [] true -> b := 1;", &[("1", "sort int, but bool")]);
    wrong("var b: bool = 3;", &[("3", "sort int")]);
    wrong("enum e = { u, v }; enum f = { w }; var x: e; init x = w;", &[("x = w", "compared")]);
    wrong("var b: bool; [] true -> b := input 0..1;", &[("0..1", "is a number")]);
    wrong(
        "var x: int; [] forall y: int. y > x -> skip;",
        &[("forall y: int. y > x ", "a quantifier over a type")].map(|(a, b)| (a.trim_end(), b)),
    );
}

#[test]
fn duplicates_are_refused_wherever_they_stand() {
    wrong("var x: int; var x: bool;", &[("x", "declared twice")]);
    wrong("const x = 1; prop x = true;", &[("x", "declared twice")]);
    wrong("enum e = { a, b, a };", &[("a", "declared twice")]);
    wrong("enum e = { a }; enum e = { b };", &[("e", "declared twice")]);
    wrong("enum e = { a }; var x: { a, b };", &[("a", "declared twice")]);
    wrong("process p { } process p { }", &[("p", "declared twice")]);
    wrong("var p.x: int; process p { var x: int; }", &[("x", "`p.x` is declared twice")]);
    wrong("invariant l: true; reach l: true;", &[("l", "used twice")]);
    wrong("var x: int; [] true -> x := 1, x := 2;", &[("x := 2", "assigned twice")]);
    wrong("var x: int; process p { [] true -> x := 1, x := input; }", &[("x := input", "assigned twice")]);
    // The same values written twice are one type, and alternatives do not conflict.
    let fine = model("var x: { a, b }; var y: { a, b }; init x = y; [] true -> either x := a or x := b;");
    assert_eq!(fine.program.variables()[0].domain, fine.program.variables()[1].domain);
}

#[test]
fn domains_and_constants_are_checked() {
    wrong("control x: int;", &[("int", "finitely many")]);
    wrong("control x: 0..4096;", &[("0..4096", "at most 4096 values")]);
    wrong("var k: 0..3 = 7;", &[("7", "not in 0..3")]);
    wrong("var k: 3..0;", &[("3..0", "empty")]);
    wrong("var k: 0..3; [] true -> k := input 3..2;", &[("3..2", "empty")]);
    wrong("var x: int; var k: 0..x;", &[("x", "has to be a constant")]);
    wrong("var x: int; var y: int = x + 1;", &[("x + 1", "has to be a constant")]);
    wrong("const A = 2; [] true -> A := 3;", &[("A", "a constant and cannot be assigned")]);
    wrong(
        "prop p = true; [] p -> p := true;",
        &[("p", "is a proposition"), ("p", "a proposition and cannot")],
    );
    wrong("var [a] true;", &[("[", "name of a variable")]);
}

#[test]
fn syntax_mistakes_cost_their_item_only() {
    let text = "const = 3;\nvar x int;\n[a] x > -> skip;\nvar y: int = 0;\n[b] y = 0 -> y = 1;\ninit y y;";
    wrong(
        text,
        &[("=", "name of a constant"), ("int", "`:`"), ("->", "an expression"), ("=", "`:=`"), ("y", "`;`")],
    );
    wrong("control pc: { idle, 3 } = idle;\nvar x: zzz;", &[("3", "name of a value"), ("zzz", "no type")]);
    wrong(
        "process p { var x: int\n  var y: zzz;\n}\nvar z: yyy;",
        &[("var", "`;`"), ("zzz", "no type"), ("yyy", "no type")],
    );
    wrong("process { var x: int; }\nvar z: yyy;", &[("{", "name of a process"), ("yyy", "no type")]);
    wrong("process p { const N = 3; }", &[("const", "outside of processes")]);
    wrong("process p { var x: int;", &[("", "`}`")]);
    wrong("}", &[("}", "an item")]);
    wrong("var mu: int;", &[("mu", "meaning of its own")]);
    wrong("property AG true", &[("", "`;`")]);
    wrong("property ;", &[(";", "a formula")]);
    wrong("var x: int; [] true -> x := input + 1;", &[("+", "an expression")]);
}

#[test]
fn many_mistakes_are_cut_off() {
    let text = "[] zzz -> skip;\n".repeat(10_000);
    assert!(read_text(&text).unwrap_err().len() <= 50);
    let text = "var ;\n".repeat(10_000);
    assert!(read_text(&text).unwrap_err().len() <= 50);
}

#[test]
fn formulas_are_located_in_the_file() {
    wrong("var x: int;\nproperty AG (x > 3 &&);", &[(")", "a formula")]);
    wrong("var x: int;\nproperty AG y > 3;", &[("y", "no variable or constant")]);
    wrong("var x: int;\nproperty AG x;", &[("x", "no proposition")]);
    wrong("var ready: bool;\nproperty AG raedy;", &[("raedy", "no proposition")]);
    wrong("var x: int;\nproperty [go] x = 1;", &[("go", "no command has the action")]);
    wrong("var x: int;\nproperty AG x % 2 = 0;", &[("%", "cannot stand in a formula")]);
    wrong("var x: int;\ninvariant AF x = 0;", &[("AF x = 0", "one state only")]);
    wrong("var b: bool;\nproperty AG b = 3;", &[("b = 3", "compared")]);
}

#[test]
fn comparisons_stand_wherever_propositions_can() {
    let model = model(
        "enum loc = { idle, crit }; var x, a1, s: int = 0; var k: 0..7 = 0; var b: bool = false;
         process left { control pc: loc = idle; var flag: bool = false; }
         prop big = x > 3; [take] true -> x := x + 1;",
    );
    for (text, atoms) in [
        ("AG !(x > 3 && left.pc = crit)", vec!["x > 3", "left.pc = crit"]),
        ("a1 + 1 <= s", vec!["a1 + 1 <= s"]),
        ("EF k in 1..3", vec!["k in 1..3"]),
        ("EF (x + 1) > 3", vec!["(x + 1) > 3"]),
        ("EF ((x > 3))", vec!["x > 3"]),
        ("EF (x) > 3 || (b)", vec!["(x) > 3", "b"]),
        ("-x < 3 && 3 < x", vec!["-x < 3", "3 < x"]),
        ("<take> x<3 || [take] left.flag", vec!["x<3", "left.flag"]),
        ("nu Z. ([take] mu Y. (big || <true> Y)) && [take] Z", vec!["big"]),
        ("mu x. b || <take> x", vec!["b"]),
        ("E[x = 1 U left.flag]", vec!["x = 1", "left.flag"]),
        ("odd(x) => AX even(x)", vec!["odd(x)", "even(x)"]),
        ("min(x, s) = 0", vec!["min(x, s) = 0"]),
        ("x mod 2 = 0 && !x = 1", vec!["x mod 2 = 0", "x = 1"]),
        ("x // a comment\n > 3", vec!["x > 3"]),
        ("b = left.flag <=> big", vec!["b = left.flag", "big"]),
        ("\"x > 3\"", vec!["x > 3"]),
    ] {
        let found =
            model.formula(&Source::new("p", text)).unwrap_or_else(|found| panic!("{text}: {found:#?}"));
        assert_eq!(found.atoms.keys().collect::<Vec<_>>(), atoms, "{text}");
    }
    let found = model.formula(&Source::new("p", "AG (x >= 3 && x > 2 && big)")).unwrap();
    assert_eq!(found.atoms[0], found.atoms[1]);
    for (text, place) in [
        ("AG (x > yy)", "yy"),
        ("x % 2 = 0 && b", "%"),
        ("mu x. x > 3", ">"),
        ("AG x", "x"),
        ("left.pc", "left.pc"),
        ("left.flga", "left.flga"),
        ("<tkae> b", "tkae"),
        ("\"x > yy\"", "\"x > yy\""),
        ("forall y: int. y = x", "forall y: int"),
    ] {
        let found =
            model.formula(&Source::new("p", text)).map(|found| found.formula.to_string()).expect_err(text);
        assert_eq!(&text[found[0].span.range()], place, "{text}: {found:#?}");
    }
}

#[test]
fn the_solver_warns_of_what_is_hardly_meant() {
    warns("var k: 0..7 = 0; [] true -> k := k + 1;", &[("k := k + 1", "can leave the range 0..7 of `k`")]);
    warns("var k: 0..7 = 0; [] k < 7 -> k := k + 1;", &[]);
    warns("var k: 0..7 = 0; [] true -> k := 9;", &[("k := 9", "always leaves")]);
    warns("var k: 0..7 = 0; [] true -> k := input 0..9;", &[("k := input 0..9", "can leave")]);
    warns("var k: 0..7 = 0; [] true -> k := input 8..9;", &[("k := input 8..9", "always leaves")]);
    warns("var k: 0..7 = 0; [] true -> k := input;", &[]);
    warns("var k: 0..7; [] k > 9 -> k := 9;", &[("k > 9", "never holds")]);
    warns("var x: int = 0; init x < 5; init x > 3;", &[("x > 3", "vacuously")]);
    warns("var k: 0..7; init k = 8;", &[("k = 8", "vacuously")]);
    let (_, warnings) = read_text("var k: 0..7 = 0; [] true -> k := k + 1;").unwrap();
    assert_eq!(warnings[0].notes, ["for example where k = 7"]);
}

#[test]
fn deep_and_huge_texts_do_no_harm() {
    for (open, close) in
        [("(", ")"), ("!", ""), ("-", ""), ("x + (", ")"), ("[a]", ""), ("<a>", ""), ("mu Z.", "")]
    {
        for n in [100, 100_000] {
            let nested = format!("{}x{}", open.repeat(n), close.repeat(n));
            let _ = read_text(&format!("var x: int;\ninit {nested} > 0;"));
            let _ = read_text(&format!("var x: int;\nproperty {nested} > 0;"));
            let _ = read_text(&format!("var x: int;\n[a] {nested} -> x := {nested};"));
        }
    }
    for text in [
        "{",
        "process p {",
        "process p { process q {",
        "[",
        "const A = ",
        "property AG (",
        "\"",
        "var x: { a, ",
        "var x: array ",
        "var x: array 0..1 of ",
    ] {
        let _ = read_text(&text.repeat(20_000));
    }
    assert!(read_text(&format!("const A = {};", "9".repeat(100_000))).is_err());
    let mut squares = "const A0 = 10;\n".to_owned();
    (1..60).for_each(|n| squares.push_str(&format!("const A{n} = A{} * A{};\n", n - 1, n - 1)));
    assert!(read_text(&squares).is_err());
    let many: String =
        (0..3000).map(|n| format!("var x{n}: int = 0; [] x{n} < 9 -> x{n} := x{n} + 1;\n")).collect();
    let (many, _) =
        read_plainly(&Context::default(), &Source::new("test", many), &[]).expect("a model can be large");
    assert_eq!(many.program.commands().len(), 3000);
}

#[test]
fn bit_vectors_and_arrays_are_read_and_printed() {
    let text = "const N = 3;
enum colour = { red, green };
var w: bits(4 + 4) = 8'd255;
var a: array 0..N of 0..7 = 5;
var flags: array colour of bool;
var table: array bool of array 0..1 of bits(2) = 2'd1;
var memory: array int of int = 0;
var i: 0..N = 0;
prop lit = flags[red];
[inc] bvult(w, 8'd9) -> w := bvadd(w, 8'd1);
[set] i < N -> a[i] := a[i + 1], a[i + 1] := a[i];
[get] true -> flags[green] := input, a[i] := input 0..1, i := input;
[put] true -> table[true][i] := 2'd0, memory[i - 5] := a[i];
[copy] flags = store(flags, red, true) -> memory := store(memory, 7, 7);
property AG (a[0] <= 7 && (flags[red] || !flags[red]));
";
    let model = model(text);
    let domains: Vec<String> = model.program.variables().iter().map(|own| own.domain.to_string()).collect();
    let expected = [
        "bits(8)",
        "array 0..3 of 0..7",
        "array colour of bool",
        "array bool of array 0..1 of bits(2)",
        "array int of int",
        "0..3",
    ];
    assert_eq!(domains, expected);
    let five = model.initial_values[1].as_ref().expect("an initial value").to_string();
    assert_eq!(five, "[0: 5, 1: 5, 2: 5, 3: 5, else 0]");
    let printed = model.to_string();
    let again = crate::reading::model(&printed);
    assert_eq!(again.to_string(), printed);
    for (first, second) in model.program.commands().iter().zip(again.program.commands()) {
        let text = |model: &Model, command: &tertium_program::Command| -> Vec<String> {
            let terms = &model.program.terms;
            command
                .steps
                .iter()
                .map(|step| format!("{} {:?}", terms.print(step.guard), step.updates.len()))
                .collect()
        };
        assert_eq!(text(&model, first), text(&again, second));
    }
}

#[test]
fn what_is_wrong_with_bit_vectors_and_arrays_is_told() {
    wrong("var x: bits(0);", &[("0", "bit-vectors have 1 to 128 bits")]);
    wrong("var x: array 0..3 bool;", &[("bool", "expected `of`")]);
    wrong(
        "var x: array int of 0..3;",
        &[("array int of 0..3", "no variables of the type array int of 0..3")],
    );
    wrong("var x: array 0..9999 of bool;", &[("array 0..9999 of bool", "there are no variables")]);
    wrong("control x: array 0..1 of bool;", &[("array 0..1 of bool", "a control variable is no array")]);
    wrong("var x: array 0..1 of 0..3 = 4;", &[("4", "not in array 0..1 of 0..3")]);
    wrong("var x: int = 0;\n[] true -> x[0] := 1;", &[("0", "only arrays have elements")]);
    let twice = "var x: array 0..1 of int = 0;\n[] true -> x[0] := 1, x := input;";
    wrong(twice, &[("x := input", "assigned twice at once")]);
    let many: Vec<String> = (0..101).map(|n| format!("x[{n}] := 0")).collect();
    let many = format!("var x: array 0..200 of int = 0;\n[] true -> {};", many.join(", "));
    wrong(&many, &[("x[100] := 0", "at most 100 elements")]);
}

#[test]
fn indices_that_an_array_does_not_have_are_warned_of() {
    let text = "var a: array 0..2 of 1..7 = 1;\nvar i: 0..3 = 0;\n";
    warns(&format!("{text}[] i < 3 -> a[i] := 7, i := i + 1;"), &[]);
    warns(&format!("{text}[] true -> a[i] := 7;"), &[("a[i] := 7", "can leave the indices 0..2 of `a`")]);
    warns(
        &format!("{text}[] a[i] = 1 -> i := 0;"),
        &[("a[i] = 1", "the index i can leave 0..2: the command is blocked then")],
    );
    // Where nothing depends on it, nothing is blocked.
    warns(&format!("{text}[] i < 3 && a[i] = 1 -> i := 0;"), &[]);
    warns(&format!("{text}[] i = 3 || a[i] = 1 -> i := 0;"), &[]);
    warns(
        &format!("{text}[] true -> i := i = 3 ? 0 : a[i] - 1;"),
        &[("i := i = 3 ? 0 : a[i] - 1", "the range 0..3")],
    );
    warns(&format!("{text}[] a[i mod 3] = 1 && a[2 - i mod 3] > 0 -> i := 0;"), &[]);
    warns(
        &format!("{text}[] i > 0 -> i := a[i] - a[0];"),
        &[("i := a[i] - a[0]", "the index i can leave 0..2"), ("i := a[i] - a[0]", "the range 0..3")],
    );
    warns(
        &format!("{text}[] i < 3 -> a[i] := a[i] + 1;"),
        &[("a[i] := a[i] + 1", "can leave the range 1..7 of the elements of `a`")],
    );
}

#[test]
fn words_of_other_languages_are_answered_with_what_is_written_here() {
    for (text, word, instead) in [
        ("var x: nat = 0;", "nat", "`0..100`"),
        ("var x: boolean;", "boolean", "`bool`"),
        ("var x: byte;", "byte", "`bits(8)`"),
        ("var x: enum { a, b };", "enum", "written in place"),
        ("var c: chan;", "chan", "arrays with counters"),
        ("int x = 0;", "int", "`var x: int = 0;`"),
        ("proctype p() { }", "proctype", "`process p { … }`"),
        ("active proctype p() { }", "active", "`process p[i in 1..N] { … }`"),
        ("fairness x = 1;", "fairness", "have no fairness yet"),
        ("chan c = 3;", "chan", "there are no channels"),
        ("process p { do x := 1; }", "do", "a step is a command"),
        ("process p { int x; }", "int", "`var x: int = 0;`"),
        ("assert x = 1;", "assert", "`invariant name: e;`"),
        ("ltl p { [] q };", "ltl", "LTLSPEC"),
        ("DEFINE x := 1;", "DEFINE", "`const N = 3;`"),
        ("var x: int; [a] x > 0 -> if x;", "x", "`x := c ? a : b`"),
    ] {
        let complaints = read_text(text).map(|(model, _)| model.to_string()).expect_err(text);
        assert_eq!(&text[complaints[0].span.range()], word, "{text}\n{complaints:#?}");
        assert!(complaints[0].notes.join(" ").contains(instead), "{text}\n{complaints:#?}");
    }
    // They are names like any where a name can stand.
    assert!(
        read_text("enum clock = { nat, byte }; var chan: clock = nat; [do] chan = nat -> chan := byte;")
            .is_ok()
    );
}

#[test]
fn warnings_about_a_template_are_told_once() {
    let text = |command: &str| {
        format!("var a: array 1..2 of 0..1 = 0;\nprocess w[i in 1..3] {{ var x: 0..3 = 0; {command} }}")
    };
    warns(&text("[] i = 1 && x < 3 -> x := x + 1;"), &[]);
    warns(&text("[] i = 4 && x < 3 -> x := x + 1;"), &[("i = 4 && x < 3", "never holds")]);
    warns(&text("[] true -> x := x + i;"), &[("x := x + i", "can leave the range 0..3 of `w[1].x`")]);
    warns(&text("[] true -> x := a[i];"), &[("x := a[i]", "can leave 1..2: the command is blocked then")]);
    let warnings = read_text(&text("[] true -> x := a[i];")).expect("it is right").1;
    assert_eq!(warnings[0].notes, ["this is so in `w[3]`"]);
}
