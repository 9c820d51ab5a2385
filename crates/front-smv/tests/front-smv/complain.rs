//! What is wrong with a text is said with its place, several things at once, and nothing makes the reader fail.

use tertium_front_smv::{FlatModel, read, read_property};
use tertium_support::{Diagnostic, Source};
use tertium_testkit::random_cases;

fn errors(text: &str) -> Vec<Diagnostic> {
    match read(Source::new("test.smv", text)) {
        Ok(_) => panic!("this is accepted: {text}"),
        Err(errors) => errors,
    }
}

fn messages(text: &str) -> Vec<String> {
    errors(text).into_iter().map(|error| error.message).collect()
}

fn warnings(text: &str) -> Vec<String> {
    let (_, warnings) = read(Source::new("test.smv", text)).expect("this is accepted");
    warnings.into_iter().map(|warning| warning.message).collect()
}

fn notes_of_warnings(text: &str) -> Vec<String> {
    let (_, warnings) = read(Source::new("test.smv", text)).expect("this is accepted");
    warnings.into_iter().flat_map(|warning| warning.notes).collect()
}

/// `declarations` in main give one error, whose message contains `part`, at `place`.
fn complains(declarations: &str, place: &str, part: &str) {
    let text = format!("MODULE main {declarations}");
    let errors = errors(&text);
    assert_eq!(errors.len(), 1, "{text}: {errors:?}");
    assert!(errors[0].message.contains(part), "{text}: {}", errors[0].message);
    assert_eq!(&text[errors[0].span.range()], place, "{text}");
}

#[test]
fn names_are_checked() {
    complains("VAR request : boolean; INIT rqeuest", "rqeuest", "`rqeuest` is not declared");
    complains("VAR x : boolean; x : 0..3;", "x", "declared twice");
    complains("VAR x : boolean; DEFINE x := 1;", "x", "declared twice");
    complains("VAR x : cell;", "cell", "there is no module `cell`");
    complains("VAR x : main;", "main", "contains itself");
    complains("ISA main", "main", "includes itself");
    complains("VAR x : {a, b}; a : boolean;", "a", "symbolic constant as well");
    complains("VAR x : boolean; INIT x.y", "y", "no instance");
    complains("VAR x : boolean; INIT x[1]", "x", "no array");
    complains("VAR a : array 0..2 of boolean; INIT a[3]", "3", "outside of the array");
    complains("VAR a : array 0..2 of boolean; INIT a = TRUE", "a", "whole array");
}

#[test]
fn near_names_are_offered() {
    let errors = errors("MODULE main VAR request : boolean; INIT rqeuest");
    assert_eq!(errors[0].notes, ["did you mean `request`?"]);
}

#[test]
fn parameters_are_counted_and_cannot_stand_for_themselves() {
    let found = messages("MODULE main VAR x : m(1, 2); y : m; MODULE m(a) VAR z : boolean;");
    assert_eq!(
        found,
        [
            "the module `m` has 1 parameter, but 2 are given",
            "the module `m` has 1 parameter, but 0 are given"
        ]
    );
    let found = messages("MODULE main VAR p : m(q.x); q : m(p.x); MODULE m(x) VAR y : boolean; INIT x");
    assert_eq!(found, ["this parameter stands for itself"; 2]);
}

#[test]
fn types_are_checked() {
    complains("VAR x : 0..3; INIT x", "x", "a truth value is expected here, not the integers 0..3");
    complains("VAR x : {a, b}; INIT x < b", "x < b", "do not go together");
    complains("VAR x : {a, b}; INIT x + 1 = 2", "x + 1", "numbers are expected");
    complains("VAR x : boolean; INIT x + 1 = 2", "x + 1", "numbers are expected here, not boolean");
    complains("VAR x : boolean; INIT x = 2", "2", "a truth value is expected");
    complains("VAR x : word[4]; INIT x = 0ud5_1", "x = 0ud5_1", "do not go together");
    complains("VAR x : word[4]; INIT x[4:0] = x", "x[4:0]", "has no bits from 4 down to 0");
    complains("VAR x : word[65];", "65", "words of 65 bits are not supported");
    complains(
        "VAR x : 0..3; ASSIGN next(x) := {1, TRUE};",
        "{1, TRUE}",
        "`x` is the integers 0..3, but this is boolean",
    );
    complains("VAR x : 0..3; y : 0..3; INIT x = {1, 2} + y", "{1, 2}", "a set cannot be an operand");
    complains("VAR x : 3..0;", "3..0", "is empty");
    complains("VAR x : {a, a};", "a", "stands twice");
    complains("VAR x : 0..n;", "n", "a constant integer is expected");
    complains("VAR x : 0..3; INIT x / 0 = 1", "x / 0", "division by zero");
    complains("VAR x : 0..9223372036854775807; INIT x + 1 = 1", "x + 1", "beyond 64 bits");
}

#[test]
fn constants_must_fit_what_they_are_assigned_to() {
    complains(
        "VAR x : 0..3; ASSIGN next(x) := case x = 1 : 4; TRUE : 0; esac;",
        "4",
        "`4` is not a value of `x`",
    );
    complains("VAR x : {a, b}; y : {c}; ASSIGN init(x) := {a, c};", "c", "`c` is not a value of `x`");
    complains("VAR x : 0..3; y : 5..6; ASSIGN x := y;", "y", "is a value of `x`");
}

#[test]
fn assignments_are_checked() {
    let two = "assigned twice";
    complains("VAR x : boolean; ASSIGN next(x) := x; next(x) := !x;", "x", two);
    complains("VAR x : boolean; ASSIGN init(x) := TRUE; init(x) := TRUE;", "x", two);
    complains("VAR x : boolean; ASSIGN x := TRUE; x := FALSE;", "x", two);
    complains("VAR x : boolean; ASSIGN x := TRUE; next(x) := FALSE;", "x", "current value elsewhere");
    complains("IVAR x : boolean; ASSIGN next(x) := TRUE;", "x", "an input cannot be assigned");
    complains("FROZENVAR x : boolean; ASSIGN next(x) := TRUE;", "x", "frozen");
    complains("DEFINE x := TRUE; ASSIGN next(x) := TRUE;", "x", "a definition cannot be assigned");
    let dynamic = "VAR i : 0..1; a : array 0..1 of boolean; ASSIGN next(a[i]) := TRUE;";
    complains(dynamic, "a[i]", "not constant");
}

#[test]
fn two_instances_that_assign_the_same_are_found() {
    let text = "MODULE main VAR x : boolean; a : m(x); b : m(x); MODULE m(v) ASSIGN next(v) := TRUE;";
    assert_eq!(messages(text), ["the next value of `x` is assigned twice"]);
    assert!(read(Source::new("t", text.replace(": m(", ": process m("))).is_ok());
}

#[test]
fn circles_are_found() {
    complains("VAR x : boolean; DEFINE a := b; b := !a | x;", "b", "the definition of `a` is circular");
    complains(
        "VAR x : boolean; y : boolean; ASSIGN x := y; y := x;",
        "x",
        "the value of `x` depends on itself",
    );
    complains("VAR x : boolean; DEFINE d := !x; ASSIGN x := d;", "x", "the value of `x` depends on itself");
    complains("VAR x : boolean; ASSIGN next(x) := next(x);", "x", "the next value of `x` depends on itself");
    let mixed = "VAR x : boolean; y : boolean; ASSIGN x := y; next(y) := next(x);";
    complains(mixed, "x", "the next value of `x` depends on itself");
    let first = "VAR x : boolean; y : boolean; ASSIGN init(x) := y; init(y) := x; next(x) := y;";
    complains(first, "x", "the initial value of `x` depends on itself");
    let none =
        "MODULE main VAR x : boolean; y : boolean; ASSIGN next(x) := y; next(y) := next(x); init(x) := y;";
    assert!(read(Source::new("t", none)).is_ok());
}

#[test]
fn next_and_inputs_stand_where_they_may() {
    complains("VAR x : boolean; INIT next(x)", "next(x)", "`next` cannot stand in INIT");
    complains("VAR x : boolean; ASSIGN init(x) := next(x);", "next(x)", "`next` cannot stand in an init");
    complains("VAR x : boolean; SPEC AG next(x)", "next(x)", "`next` cannot stand in a CTL formula");
    complains("VAR x : boolean; TRANS next(next(x))", "next(next(x))", "inside of `next`");
    complains("IVAR i : boolean; TRANS next(i)", "next(i)", "inputs have no next value");
    complains("IVAR i : boolean; INVAR i", "i", "an input cannot be read in INVAR");
    complains("IVAR i : boolean; SPEC AG i", "i", "an input cannot be read in a CTL formula");
    complains("IVAR i : boolean; DEFINE d := !i; INIT d", "d", "an input cannot be read in INIT");
    let text = "MODULE main IVAR i : boolean; VAR x : boolean; ASSIGN next(x) := i; TRANS i -> x; LTLSPEC G i JUSTICE i";
    assert!(read(Source::new("t", text)).is_ok());
}

#[test]
fn logics_are_not_mixed() {
    complains("VAR p : boolean; SPEC AG F p", "F p", "an operator of LTL cannot stand in a CTL formula");
    complains("VAR p : boolean; LTLSPEC G EF p", "EF p", "an operator of CTL cannot stand in an LTL formula");
    complains("VAR p : boolean; INVARSPEC AG p", "AG p", "a temporal operator cannot stand in an invariant");
    complains("VAR p : boolean; SPEC (AG p) = p", "(AG p)", "cannot stand inside of an expression");
    complains("VAR p : boolean; SPEC EBF 0..300 p", "0..300", "too large");
}

#[test]
fn what_is_not_supported_is_named() {
    complains("PSLSPEC always TRUE", "PSLSPEC", "PSL is not supported");
    complains("VAR x : real;", "real", "`real` are not supported");
    complains("VAR x : clock;", "clock", "`clock` are not supported");
    complains("VAR x : integer;", "integer", "`integer` are not supported");
}

#[test]
fn several_mistakes_are_reported_at_once() {
    let found =
        messages("MODULE main VAR x boolean; y : 0..; z : boolean; ASSIGN next(z) = z; INIT z &; SPEC AG");
    assert_eq!(
        found,
        [
            "`boolean` stands where `:` is expected",
            "`;` stands where an expression is expected",
            "`=` stands where `:=` is expected",
            "`;` stands where an expression is expected",
            "the text ends where an expression is expected",
        ]
        .map(|message| message.replace("`boolean` stands", "the reserved word `boolean` stands"))
    );
    let found = messages("MODULE main VAR x : 0..3; INIT x & y; ASSIGN next(x) := zz; SPEC AG (x = 1 & q)");
    assert_eq!(found, ["`zz` is not declared", "`y` is not declared", "`q` is not declared"]);
    assert_eq!(messages(""), ["there is no module `main`"]);
}

#[test]
fn doubtful_things_are_warned_of() {
    let open = "MODULE main VAR x : boolean; ASSIGN next(x) := case x : FALSE; esac;";
    assert_eq!(warnings(open), ["it may be that no branch of this case applies"]);
    assert!(warnings(&open.replace("esac", "1 : x; esac")).is_empty());
    assert_eq!(notes_of_warnings(open)[0], "none does with x = FALSE");
    assert_eq!(warnings("MODULE main VAR x : boolean; MODULE m"), ["the module `m` is never used"]);
    let apart = "MODULE main VAR x : 0..3; INIT x = 4";
    assert_eq!(warnings(apart), ["the two sides are never equal: the integers 0..3 and the integer 4"]);
}

#[test]
fn deep_nesting_is_refused_and_long_rows_are_not() {
    let model =
        |expr: String| format!("MODULE main VAR x : boolean; i : 0..1; a : array 0..1 of 0..1; INIT {expr}");
    let n = 20_000;
    for deep in [
        "(".repeat(n) + "x" + &")".repeat(n),
        "!".repeat(n) + "x",
        "AX ".repeat(n) + "x",
        "next(".repeat(n) + "x" + &")".repeat(n),
        "x -> ".repeat(n) + "x",
        "i - ".repeat(n) + "i = 0",
        "{".repeat(n) + "i" + &"}".repeat(n) + " = 0",
        "case x : ".repeat(n) + "x",
        "(x | x & i + i * i = (".repeat(n),
        "a[".repeat(n),
        "E [".repeat(n),
        "x ? x : (".repeat(n),
    ] {
        let found = messages(&model(deep.clone()));
        assert!(found[0].contains("nests too deeply"), "{}: {found:?}", &deep[..20]);
    }
    for long in ["x & ".repeat(n) + "x", "x ? x : ".repeat(5000) + "x", "i + ".repeat(n) + "i = 0"] {
        assert!(read(Source::new("t", model(long))).is_ok());
    }
    // As deep as it may be: all of it works on an ordinary stack.
    let deep = "(".repeat(190) + "x" + &" & x)".repeat(190);
    assert!(read(Source::new("t", model(deep.clone()))).is_err());
    let deep = "(x & i = 0) -> (".repeat(90) + "x" + &")".repeat(90);
    assert!(read(Source::new("t", model(deep))).is_ok());
}

#[test]
fn models_that_explode_are_refused() {
    let mut doubling = "MODULE main VAR x : m0; MODULE m40 VAR z : boolean;".to_owned();
    for i in 0..40 {
        doubling += &format!(" MODULE m{i} VAR a : m{}; b : m{};", i + 1, i + 1);
    }
    assert!(messages(&doubling)[0].contains("too many instances"));
    complains("VAR a : array 0..10000000000 of boolean;", "0..10000000000", "an array cannot have");
    complains("VAR x : 0..3; INIT x in 0..10000000", "0..10000000", "more than 65536 values");
    let index =
        "VAR a : array 0..9 of 0..9; INIT ".to_owned() + &"a[".repeat(30) + "a[1]" + &"]".repeat(30) + " = 0";
    assert!(messages(&format!("MODULE main {index}"))[0].contains("too large"));
    let most = "VAR x : 0..3; INIT ".to_owned() + &"max(x, ".repeat(60) + "x" + &")".repeat(60) + " = 0";
    let _ = read(Source::new("t", format!("MODULE main {most}")));
    let mut next = "VAR x : boolean; DEFINE d0 := next(x);".to_owned();
    for i in 0..60 {
        next += &format!(" d{} := d{i} & d{i};", i + 1);
    }
    assert!(messages(&format!("MODULE main {next}"))[0].contains("too large"));
    let nested = "EBF 0..60 ".repeat(6);
    let found = messages(&format!("MODULE main VAR x : boolean; SPEC {nested} x"));
    assert!(found[0].contains("too large"), "{found:?}");
}

const MODEL: &str = "MODULE main
VAR p : process user(sem, 0); q : process user(sem, 1); sem : boolean; a : array 0..2 of {x, y, 3};
    w : word[8]; n : -1..5; r : array 1..2 of cell(self);
IVAR i : boolean; FROZENVAR f : signed word[3];
DEFINE d := case n > 2 : a[n]; TRUE : x; esac; e := {1, 2} union n;
CONSTANTS k1, k2;
ASSIGN init(sem) := FALSE; init(a[0]) := {x, 3}; next(n) := n < 5 ? n + 1 : 0; next(a[1]) := d;
INIT w[3:0] = 0b4_1010 & toint(w) + 3 mod 2 != 7 INVAR n in {1, 2} | count(sem, n = 1) = 1 -> TRUE
TRANS next(n) = n <-> !(w >> 1 = 0ud8_3) /-- block --/
FAIRNESS p.running COMPASSION (sem, n = 2); JUSTICE !sem
SPEC NAME one := AG (p.state = idle -> AF E [ sem U !(n = 3) ]); LTLSPEC G (sem -> F O H !sem)
INVARSPEC n < 4; COMPUTE MIN [sem, n = 2] CTLSPEC ABF 0..3 sem
MODULE user(s, id) VAR state : {idle, busy}; ASSIGN next(state) := case !s : {idle, busy}; 1 : idle; esac;
  next(s) := state = busy xor id = 1; FAIRNESS running
MODULE cell(top) ISA base DEFINE out := top.n + 1;
MODULE base VAR v : 0..3; ASSIGN next(v) := (v * 2 + out - 1) mod 4; -- end
";

fn model() -> FlatModel {
    let source = Source::new("t", MODEL);
    read(source.clone())
        .unwrap_or_else(|errors| panic!("{}", tertium_support::render(&source, &errors, false)))
        .0
}

const STRANGE: [&str; 11] =
    ["next(", "case ", "-1", "..", "self", "μ", "0ud65_1", "!", "U ", "\"", "running "];

/// Cuts, doubles and exchanges pieces of a text.
fn mutate(rng: &mut tertium_support::Rng, text: &str) -> String {
    let ends = [' ', '\n', ';', '(', ')', '[', ']', '{', '}', ','];
    let mut words: Vec<&str> = text.split_inclusive(ends).collect();
    for _ in 0..rng.between(1, 4) {
        let at = rng.below(words.len());
        match rng.below(4) {
            0 => {
                words.remove(at);
            }
            1 => words.insert(at, words[rng.below(words.len())]),
            2 => words[at] = words[rng.below(words.len())],
            _ => words[at] = *rng.pick(&STRANGE),
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

#[test]
fn no_text_makes_the_reader_fail() {
    model();
    random_cases(1500, |rng| {
        let text = mutate(rng, MODEL);
        let source = Source::new("fuzz", text);
        match read(source.clone()) {
            Ok((model, _)) => {
                for specification in &model.specifications {
                    let compute = if specification.text.starts_with('M') { "COMPUTE " } else { "" };
                    let again = Source::new("again", format!("{compute}{}", specification.text));
                    let again = read_property(&model, &again).expect("what is printed reads back");
                    assert_eq!(again.text, specification.text);
                }
            }
            Err(errors) => {
                assert!(!errors.is_empty());
                tertium_support::render(&source, &errors, false);
            }
        }
    });
}

#[test]
fn no_property_makes_the_reader_fail() {
    let model = model();
    let formula =
        "AG (p.state = idle & w[3:0] = 0b4_1010 -> E [ a[n mod 3] = x U G (sem S n + 1 in {1, 2}) ])";
    random_cases(1500, |rng| {
        let text = mutate(rng, formula);
        if let Err(errors) = read_property(&model, &Source::new("fuzz", text)) {
            assert!(!errors.is_empty());
        }
    });
}

#[test]
fn paths_and_arrays_are_checked() {
    complains("VAR p[1] : boolean; p : boolean;", "p[1]", "declared as well");
    complains("VAR p[1] : boolean; p[1] : boolean;", "p[1]", "declared twice");
    complains("VAR p[1] : boolean; i : 0..1; INIT p[i]", "i", "declared one by one");
    complains("VAR p[1] : boolean; INIT p[2]", "p", "`p[2]` is not declared");
    complains("VAR p.q : boolean; INIT p.r", "r", "`p.r` is not declared");
    complains("VAR p.q : boolean; INIT p", "p", "beginning of a name");
    complains("VAR p.q : boolean; ASSIGN p := TRUE;", "p", "beginning of a name");
    complains("VAR i : 0..1; p[i] : boolean;", "i", "constant");
    complains("DEFINE a := [1, 2]; INIT a[2] = 1", "2", "outside of the array");
    complains("DEFINE a := [1, [2]];", "[2]", "all arrays of one length");
    complains("DEFINE a := [[1], [2, 3]];", "[2, 3]", "all arrays of one length");
    complains("DEFINE a := [];", "]", "an expression is expected");
    complains("DEFINE a := [1]; b := a; INIT b = 1", "b", "whole array");
    complains("VAR x : m; x.v : boolean; MODULE m VAR v : boolean;", "v", "declared twice");
    complains("VAR x : boolean; LTLSPEC X [1, 2] x", "[", "has no bounds");
    complains("VAR x : boolean; SPEC x IN x", "x", "instance");
    let found = messages("MODULE main DEFINE a := b; b := a; INIT a[0] = 1");
    assert_eq!(found[0], "the definition of `a` is circular");
}

/// Whether a case with these branches is said to leave a gap.
fn leaves_gap(branches: &str) -> bool {
    let text = format!(
        "MODULE main VAR x : 0..4; y : {{a, b, c}}; p : boolean; q : boolean; w : 0..1000000; s : signed word[3];
         DEFINE small := x < 3; ASSIGN next(x) := case {branches} esac;"
    );
    !warnings(&text).is_empty()
}

#[test]
fn a_case_whose_branches_exhaust_the_types_is_not_warned_of() {
    for complete in [
        "p : 1; !p : 2;",
        "x = 0 : 1; x = 1 : 2; x = 2 : 3; x > 2 : 4;",
        "y = a : 1; y = b : 2; y = c : 3;",
        "y in {a, b} : 1; y = c : 3;",
        "small : 1; x = 3 : 2; x = 4 : 1;",
        "w < 500000 : 1; w >= 500000 : 2;",
        "p & q : 1; p & !q : 2; !p : 3;",
        "s < 0sd3_0 : 1; s >= 0sd3_0 : 2;",
        "next(y) = a : 1; next(y) != a : 2;",
        "p : case p : 1; q : 2; esac; !p : 3;",
        "p : 1; TRUE : case !p : 2; esac;",
    ] {
        assert!(!leaves_gap(complete), "{complete}");
    }
    for open in [
        "p : 1; q : 2;",
        "x = 0 : 1; x = 1 : 2; x = 2 : 3; x > 3 : 4;",
        "y = a : 1; y = b : 2;",
        "small : 1; x = 4 : 1;",
        "w < 500000 : 1; w > 500000 : 2;",
        "next(y) = a : 1; next(y) = b : 2;",
        "p : case q : 1; esac; !p : 3;",
        "x / (x - 2) = 1 : 1;",
    ] {
        assert!(leaves_gap(open), "{open}");
    }
}

#[test]
fn a_gap_that_is_too_hard_to_exclude_is_warned_of() {
    let hard = "MODULE main VAR a : word[32]; b : word[32]; x : boolean;
        ASSIGN next(x) := case a * b = b * a : TRUE; esac;";
    assert_eq!(warnings(hard), ["it may be that no branch of this case applies"]);
}

#[test]
fn modules_that_include_others_twice_end() {
    let mut text = "MODULE main ISA m0\n".to_owned();
    for i in 0..60 {
        text += &format!("MODULE m{i} ISA m{} ISA m{}\n", i + 1, i + 1);
    }
    text += "MODULE m60";
    assert_eq!(messages(&text), ["there are too many inclusions of modules"]);
}

#[test]
fn properties_of_one_instance_have_different_names() {
    complains("SPEC NAME p := TRUE; LTLSPEC NAME p := TRUE", "LTLSPEC NAME p := TRUE", "the name `p`");
    assert!(
        warnings("MODULE main VAR a : m; b : m; SPEC NAME p := TRUE MODULE m SPEC NAME p := TRUE").is_empty()
    );
}

#[test]
fn a_constant_inside_two_cases_may_be_excluded_by_the_outer_one() {
    let text = "MODULE main VAR x : 0..2; p : boolean;
        ASSIGN next(x) := case (case p : x; TRUE : 3; esac) <= 2 : case p : x; TRUE : 3; esac; TRUE : 0; esac;";
    assert!(warnings(text).is_empty());
    complains(
        &text["MODULE main ".len()..].replace("TRUE : 0; esac", "TRUE : 5; esac"),
        "5",
        "is not a value",
    );
}

#[test]
fn arrays_that_double_each_time_are_refused_when_all_elements_are_asked_for() {
    let mut text = "MODULE main VAR i : 0..1; DEFINE a0 := [1, 1];\n".to_owned();
    for i in 1..40 {
        text += &format!("a{i} := [a{}, a{}];\n", i - 1, i - 1);
    }
    text += &format!("SPEC AG a39{} = 1", "[i]".repeat(40));
    assert_eq!(messages(&text), ["the model is too large once everything is put in where it is used"]);
    assert!(warnings(&text.replace("[i]", "[1]")).is_empty());
}
