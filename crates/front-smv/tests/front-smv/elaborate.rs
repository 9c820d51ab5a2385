//! From text to the flat model, one construct at a time.

use tertium_front_smv::{
    AssignTime, ExprKind, FlatModel, Specification, SpecificationKind, Type, Value, VarKind, read,
    read_property,
};
use tertium_support::{Id, Source, render};

fn flat(text: &str) -> FlatModel {
    let source = Source::new("test.smv", text);
    match read(source.clone()) {
        Ok((model, _)) => model,
        Err(errors) => panic!("{}", render(&source, &errors, false)),
    }
}

fn property(model: &FlatModel, text: &str) -> Specification {
    let source = Source::new("<property>", text);
    read_property(model, &source).unwrap_or_else(|errors| panic!("{}", render(&source, &errors, false)))
}

/// The names of the variables, in order.
fn names(model: &FlatModel) -> Vec<&str> {
    model.variables.iter().map(|variable| variable.name.as_str()).collect()
}

/// The assignments as text, in order.
fn assigns(model: &FlatModel) -> Vec<String> {
    let text = |assign: &tertium_front_smv::Assign| {
        let name = &model.variables[assign.target.index()].name;
        let value = model.expr_text(&assign.value);
        let process =
            assign.process.map_or(String::new(), |process| format!("{}: ", model.symbols.name(process)));
        match assign.time {
            AssignTime::Init => format!("{process}init({name}) := {value}"),
            AssignTime::Current => format!("{process}{name} := {value}"),
            AssignTime::Next => format!("{process}next({name}) := {value}"),
        }
    };
    model.assigns.iter().map(text).collect()
}

/// The expression of one INIT constraint over a few variables, as text.
fn expression(text: &str) -> String {
    let model = flat(&format!(
        "MODULE main VAR a : boolean; b : boolean; c : boolean; i : 0..7; j : -2..5; s : {{x, y, 3}};
         u : word[8]; v : unsigned word[8]; w : signed word[4]; t : array 1..3 of 0..9; INIT {text}"
    ));
    model.expr_text(&model.init[0])
}

#[test]
fn operators_bind_as_in_the_manual() {
    for (text, expected) in [
        ("a -> b -> c", "(a -> (b -> c))"),
        ("a <-> b <-> c", "((a <-> b) <-> c)"),
        ("a | b & c", "(a | (b & c))"),
        ("a & b | c xor a", "(((a & b) | c) xor a)"),
        ("a -> b <-> c", "(a -> (b <-> c))"),
        ("!a & b", "(!a & b)"),
        ("!a = b", "!a = b"),
        ("!(a = b)", "!(a = b)"),
        ("i + 1 = j * 2 - 1", "i + 1 = j * 2 - 1"),
        ("i - (j - 1) = 0", "i - (j - 1) = 0"),
        ("i + 2 * j mod 3 < 4", "i + 2 * j mod 3 < 4"),
        ("i in 1..3 union 5", "i in {1, 2, 3, 5}"),
        ("s in {x, 3}", "s in {x, 3}"),
        ("a ? b : c", "a ? b : c"),
        ("a ? b : c ? a : b", "case a : b; c : a; TRUE : b; esac"),
        ("-i < -1", "-i < -1"),
        ("-u :: v = u :: -v", "-u :: v = u :: -v"),
        ("-(u :: v) = u :: v", "-(u :: v) = u :: v"),
        ("-u[3:1] = -(u[3:1])", "-u[3:1] = -u[3:1]"),
        ("i < +3 + +1", "i < 4"),
        ("case a : b; TRUE : c; esac", "a ? b : c"),
        ("u[3:1] = 0b3_101", "u[3:1] = 0ud3_5"),
        ("u :: v[1:0] = uwconst(3, 10)", "u :: v[1:0] = 0ud10_3"),
        ("(u & !v) = u + v << 2", "(u & !v) = u + v << 2"),
        ("w = swconst(-1, 4)", "w = 0sd4_15"),
        ("resize(w, 8) = extend(w, 4)", "resize(w, 8) = resize(w, 8)"),
        ("toint(u) + toint(a) > count(a, b, c)", "toint(u) + toint(a) > count(a, b, c)"),
        ("unsigned(w) = 0ub4_1 & signed(v[3:0]) = w", "(unsigned(w) = 0ud4_1 & signed(v[3:0]) = w)"),
        ("word1(a) = 0b1_1 & bool(0b1_1) & sizeof(u) = 8", "((word1(a) = 0ud1_1 & bool(0ud1_1)) & 8 = 8)"),
        ("a xnor b", "(a <-> b)"),
    ] {
        assert_eq!(expression(text), expected, "{text}");
    }
}

#[test]
fn what_is_printed_reads_back_the_same() {
    for text in [
        "(i - (j - 1)) * 2 = (i mod 3) mod 2",
        "a = (b = c)",
        "(a = b) = c",
        "case a : b; b : c; TRUE : a; esac & (a ? b : c)",
        "(a ? i : j) + 1 in {1, -1, 3}",
        "-(-i) = - (i + 1)",
        "max(i, j) > min(i, 3) & abs(j) = 2",
        "t[i mod 3 + 1] = 4",
        "!(u = v) & (u -> v) = (u <-> v) & u >> 1 < v",
    ] {
        let once = expression(text);
        assert_eq!(expression(&once), once, "{text}");
    }
}

#[test]
fn zero_and_one_are_truth_values_where_these_are_expected() {
    for (text, expected) in [
        ("a = 1", "a = TRUE"),
        ("a & 0 | 1", "((a & FALSE) | TRUE)"),
        ("a in {0, 1}", "a in {FALSE, TRUE}"),
        ("case a : 1; 1 : b; esac", "a ? TRUE : b"),
        ("a != (i = 1)", "a != (i = 1)"),
        ("t[1] mod 2", "bool(t[1] mod 2)"),
    ] {
        assert_eq!(expression(text), expected, "{text}");
    }
    let model =
        flat("MODULE main VAR a : boolean; ASSIGN init(a) := 0; next(a) := case a : {0, 1}; 1 : 1; esac;");
    assert_eq!(assigns(&model), ["init(a) := FALSE", "next(a) := a ? {FALSE, TRUE} : TRUE"]);
}

#[test]
fn instances_are_unfolded_in_the_order_of_their_declarations() {
    let model = flat(
        "MODULE main VAR x : boolean; p : cell(x, !x); y : boolean; q : cell(p.v, TRUE);
         MODULE cell(left, other) VAR v : boolean; w : array 0..1 of boolean;
         ASSIGN next(v) := left & other; init(w[1]) := other;",
    );
    assert_eq!(names(&model), ["x", "p.v", "p.w[0]", "p.w[1]", "y", "q.v", "q.w[0]", "q.w[1]"]);
    let expected = [
        "next(p.v) := (x & p.other)",
        "init(p.w[1]) := p.other",
        "next(q.v) := (p.v & TRUE)",
        "init(q.w[1]) := TRUE",
    ];
    assert_eq!(assigns(&model), expected);
    assert_eq!(model.defines.len(), 1);
    assert_eq!(model.expr_text(&model.defines[0].body), "!x");
}

#[test]
fn parameters_may_be_assigned_and_instances_passed() {
    let model = flat(
        "MODULE main VAR x : 0..3; a : sub(x, self); b : reader(a);
         MODULE sub(v, outer) VAR y : 0..3; ASSIGN next(v) := outer.x; y := v;
         MODULE reader(who) ASSIGN init(who.v) := 2; SPEC who.y = who.outer.x",
    );
    assert_eq!(assigns(&model), ["next(x) := x", "a.y := x", "init(x) := 2"]);
    assert_eq!(model.specifications[0].text, "a.y = x");
}

#[test]
fn a_definition_may_be_made_in_another_instance() {
    let model = flat(
        "MODULE main VAR a : user; x : boolean; DEFINE a.ack := x & late; late := !x;
         MODULE user VAR r : boolean; ASSIGN next(r) := ack;",
    );
    let defines: Vec<&str> = model.defines.iter().map(|define| define.name.as_str()).collect();
    assert_eq!(defines, ["late", "a.ack"]);
    assert_eq!(assigns(&model), ["next(a.r) := a.ack"]);
}

#[test]
fn a_definition_with_next_is_put_in_where_it_is_used() {
    let model = flat("MODULE main VAR x : 0..3; DEFINE up := next(x) = x + 1; ok := up | x = 3; TRANS ok");
    assert!(model.defines.is_empty());
    assert_eq!(model.expr_text(&model.trans[0]), "(next(x) = x + 1 | x = 3)");
}

#[test]
fn long_rows_of_definitions_in_the_wrong_order_do_no_harm() {
    let mut text = "MODULE main VAR x : boolean; DEFINE\n".to_owned();
    for i in 0..5000 {
        text += &format!("d{i} := !d{};\n", i + 1);
    }
    let model = flat(&(text + "d5000 := x;"));
    assert_eq!(model.defines[0].name, "d5000");
    assert_eq!(model.defines[5000].name, "d0");
}

#[test]
fn a_dynamic_index_becomes_a_case() {
    let model = flat(
        "MODULE main VAR a : array 0..2 of boolean; p : array 1..2 of cell(i); i : 0..2; j : 0..7;
         INIT a[i]; INIT a[j]; INIT p[i].v = 1; INIT a[1 + 1]
         MODULE cell(n) VAR v : 0..1; ASSIGN init(v) := n;",
    );
    let init: Vec<String> = model.init.iter().map(|expr| model.expr_text(expr)).collect();
    assert_eq!(init[0], "case i = 0 : a[0]; i = 1 : a[1]; TRUE : a[2]; esac");
    assert_eq!(init[1], "case j = 0 : a[0]; j = 1 : a[1]; j = 2 : a[2]; esac");
    assert_eq!(init[2], "(case i = 1 : p[1].v; i = 2 : p[2].v; esac) = 1".replace(['(', ')'], ""));
    assert_eq!(init[3], "a[2]");
}

#[test]
fn types_are_read_with_constant_bounds() {
    let model = flat(
        "MODULE main CONSTANTS red, green; DEFINE N := 4; M := N * 2 - 1;
         VAR r : 0..M; e : {a, -1, 5}; b : {FALSE, TRUE}; m : array -1..0 of array 1..2 of sub(N);
         FROZENVAR f : signed word[N]; IVAR k : boolean; INVAR e != red
         MODULE sub(n) VAR x : 1..n;",
    );
    let expected = ["r", "e", "b", "m[-1][1].x", "m[-1][2].x", "m[0][1].x", "m[0][2].x", "f", "k"];
    assert_eq!(names(&model), expected);
    assert_eq!(model.variables[0].ty, Type::Range(0, 7));
    assert_eq!(model.type_text(&model.variables[1].ty), "{a, -1, 5}");
    assert_eq!(model.variables[2].ty, Type::Boolean);
    assert_eq!(model.variables[3].ty, Type::Range(1, 4));
    assert_eq!(model.variables[7].ty, Type::Word { width: 4, signed: true });
    assert_eq!(model.variables[7].kind, VarKind::Frozen);
    assert_eq!(model.variables[8].kind, VarKind::Input);
}

const PROCESSES: &str = "MODULE main VAR x : boolean; p : process user(x); q : process user(x); s : watch(p);
     ASSIGN next(x) := !x; FAIRNESS running
     MODULE user(v) VAR i : inner(v); FAIRNESS running
     MODULE inner(v) VAR y : boolean; ASSIGN next(y) := v; TRANS running -> y
     MODULE watch(p) FAIRNESS p.running";

#[test]
fn processes_have_a_selector_and_running_compares_with_it() {
    let model = flat(PROCESSES);
    let selector = &model.variables[model.selector.expect("there are processes").index()];
    assert_eq!(selector.name, "_process_selector_");
    assert_eq!(selector.kind, VarKind::Input);
    assert_eq!(model.type_text(&selector.ty), "{main, p, q}");
    let expected = ["main: next(x) := !x", "p: next(p.i.y) := x", "q: next(q.i.y) := x"];
    assert_eq!(assigns(&model), expected);
    let justice: Vec<String> = model.justice.iter().map(|expr| model.expr_text(expr)).collect();
    assert_eq!(justice, ["running", "p.running", "q.running", "p.running"]);
    assert_eq!(model.expr_text(&model.trans[0]), "(p.running -> p.i.y)");
}

#[test]
fn properties_may_speak_of_processes() {
    let model = flat(PROCESSES);
    let formula = property(&model, "G (p.running | _process_selector_ = q -> F running)");
    assert_eq!(formula.text, "G ((p.running | q.running) -> F running)");
    assert!(matches!(formula.kind, SpecificationKind::Ltl(_)));
}

#[test]
fn isa_puts_declarations_here() {
    let model = flat(
        "MODULE main VAR p : both(x); x : boolean; MODULE both(in1) ISA base VAR z : boolean; ASSIGN init(y) := z;
         MODULE base VAR y : boolean; ASSIGN next(y) := in1; SPEC AG y",
    );
    assert_eq!(names(&model), ["p.y", "p.z", "x"]);
    assert_eq!(assigns(&model), ["next(p.y) := x", "init(p.y) := p.z"]);
    assert_eq!(model.specifications[0].text, "AG p.y");
    assert_eq!(model.specifications[0].instance, "p");
}

#[test]
fn properties_come_in_the_order_of_the_text_and_of_instances_inside_out() {
    let model = flat(
        "MODULE main COMPUTE MIN [a.x, !a.x] INVARSPEC a.x LTLSPEC NAME far := G a.x; SPEC a.x VAR a : m; b : m;
         MODULE m VAR x : boolean; n : deep; CTLSPEC x LTLSPEC x
         MODULE deep VAR z : boolean; SPEC EF z",
    );
    let texts: Vec<&str> =
        model.specifications.iter().map(|specification| specification.text.as_str()).collect();
    let main = ["MIN [a.x, !a.x]", "a.x", "G a.x", "a.x"];
    let instances = ["a.x", "b.x", "a.x", "b.x", "EF a.n.z", "EF b.n.z"];
    assert_eq!(texts, [&main[..], &instances].concat());
    assert_eq!(model.specifications[2].name.as_deref(), Some("far"));
}

#[test]
fn formulas_are_printed_in_the_way_of_nusmv() {
    let model = flat("MODULE main VAR x : {a, b}; p : boolean; q : boolean;");
    for (text, expected) in [
        ("AG(x = a -> AF x = b)", "AG (x = a -> AF x = b)"),
        ("AG AF p", "AG (AF p)"),
        ("!EF(p & !q)", "!(EF (p & !q))"),
        ("A[!(x = a) U p & q]", "A [ !(x = a) U (p & q) ]"),
        ("E[p -> q U q]", "E [ (p -> q) U q ]"),
        ("!E[p U q]", "!E [ p U q ]"),
        ("AG p & EX q | AX p", "((AG p & EX q) | AX p)"),
        ("G(X x = a | O p)", "G (X x = a | O p)"),
        ("p U q S p V q T p", "((((p U q) S p) V q) T p)"),
        ("F p U G q", "(F p U G q)"),
        ("!G H Y Z p", "!(G (H (Y (Z p))))"),
        ("p xor X q", "(p xor X q)"),
        ("AG (p xor q)", "AG !(p <-> q)"),
        ("TRUE", "TRUE"),
        ("p | q | p & q & p | AG p", "(p | q | (p & q & p) | AG p)"),
        ("(p | q) | (p | x = a)", "((p | q) | (p | x = a))"),
        ("G (p | X q | x = a)", "G (p | X q | x = a)"),
        ("p & (X q & p) & q", "(p & (X q & p) & q)"),
        ("X p|q|p|q|p|q|p|q|p|q", "(X p | q | p | q | p | q | p | q | p | q)"),
    ] {
        let formula = property(&model, text);
        assert_eq!(formula.text, expected, "{text}");
        assert_eq!(property(&model, expected).text, expected);
    }
}

#[test]
fn bounded_operators_are_written_out() {
    let model = flat("MODULE main VAR p : boolean; q : boolean;");
    for (text, expected) in [
        ("EBF 0..0 p", "p"),
        ("EBF 0..1 p", "(p | EX p)"),
        ("ABF 1..2 p", "AX (p | AX p)"),
        ("ABG 0..2 p", "(p & AX (p & AX p))"),
        ("EBG 2..2 p", "EX (EX p)"),
        ("E[p BU 0..1 q]", "(q | (p & EX q))"),
        ("A[p BU 1..2 q]", "(p & AX (q | (p & AX q)))"),
    ] {
        assert_eq!(property(&model, text).text, expected, "{text}");
    }
}

#[test]
fn keywords_choose_the_logic_and_without_one_it_is_found_out() {
    let model = flat("MODULE main VAR p : boolean; x : 0..3;");
    let is = |text: &str| match property(&model, text).kind {
        SpecificationKind::Ctl(_) => "ctl",
        SpecificationKind::Ltl(_) => "ltl",
        SpecificationKind::Invariant(_) => "invariant",
        SpecificationKind::ComputeMinimum(..) => "minimum",
        SpecificationKind::ComputeMaximum(..) => "maximum",
    };
    assert_eq!(is("AG p"), "ctl");
    assert_eq!(is("p"), "ctl");
    assert_eq!(is("G p;"), "ltl");
    assert_eq!(is("LTLSPEC p"), "ltl");
    assert_eq!(is("SPEC NAME n := p"), "ctl");
    assert_eq!(is("INVARSPEC x < 3"), "invariant");
    assert_eq!(is("COMPUTE MIN [p, x = 3]"), "minimum");
    assert_eq!(is("COMPUTE MAX [p, x = 3]"), "maximum");
}

#[test]
fn equal_propositions_are_one_and_constants_are_none() {
    let model = flat("MODULE main VAR x : 0..3; SPEC AG (x = 1 & TRUE -> EF (x=1))");
    let atoms = &model.specifications[0].atoms;
    assert_eq!(atoms.len(), 1);
    assert_eq!(atoms[0].name, "x = 1");
    assert_eq!(atoms[0].expr.ty, Type::Boolean);
}

#[test]
fn types_of_arithmetic_are_the_bounds_of_its_values() {
    let model = flat("MODULE main VAR x : 0..3; y : {-2, 5}; INIT (x + 1) * y - x = 0");
    let ExprKind::Binary(_, left, right) = &model.init[0].kind else { panic!("a comparison") };
    assert_eq!(left.ty, Type::Range(-11, 20));
    assert_eq!(right.kind, ExprKind::Constant(Value::Integer(0)));
}

#[test]
fn the_example_of_the_documentation_is_read_without_a_warning() {
    let page = include_str!("../../../../docs/formats/smv.md");
    let example = page.split("```").nth(1).expect("the page has an example");
    let (model, warnings) = read(Source::new("smv.md", example)).expect("the example is right");
    assert_eq!(warnings, []);
    assert_eq!(names(&model), ["lock", "p.state", "q.state", "_process_selector_"]);
    assert_eq!(model.specifications[1].name.as_deref(), Some("served"));
}
