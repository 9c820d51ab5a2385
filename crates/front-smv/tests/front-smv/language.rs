//! What models mean, from text to verdicts: each construct with properties that tell its meanings apart.

use crate::listed::Listed;
use tertium_front_smv::{FlatModel, read, read_property};
use tertium_support::{Context, Source, render};

fn flat(text: &str) -> FlatModel {
    let source = Source::new("test.smv", text);
    match read(source.clone()) {
        Ok((model, _)) => model,
        Err(errors) => panic!("{}", render(&source, &errors, false)),
    }
}

/// The answers to the properties of a model, `T` and `F`, in their order.
fn verdicts(text: &str) -> String {
    let model = flat(text);
    let listed = Listed::new(&model);
    let answer = |specification| if listed.holds(specification) { 'T' } else { 'F' };
    model.specifications.iter().map(answer).collect()
}

#[test]
fn in_asks_whether_all_values_of_the_left_are_on_the_right() {
    let text = "MODULE main VAR x : 0..5;
        SPEC {1, 2} in {1, 2, 3} SPEC {1, 2, 4} in {1, 2, 3} SPEC {4, 5} in {1, 2, 3} SPEC AG x in 0..5
        SPEC AG (x = 1 -> {1, x} in 1) SPEC AG {1, x} in 0..4";
    assert_eq!(verdicts(text), "TFFTTF");
}

#[test]
fn arrays_can_be_defined_and_named_again() {
    let text = "MODULE main
        VAR i : 0..1; j : 0..2; z : sum(d); y : array 0..1 of 0..3; w : sum(y);
        DEFINE a := [[1, 2, 3], [4, 5, i]]; d := [1, 2]; e := d; f := [e, g]; g := [i, j];
        SPEC AG a[1][2] = i SPEC AG (i = 1 & j = 2 -> a[i][j] = 1) SPEC AG a[i][j] > 0
        SPEC z.s = 3 SPEC AG w.s <= 6 SPEC AG w.s < 6 SPEC e[1] = 2 SPEC AG f[1][1] = j SPEC f[0][0] = 1
        MODULE sum(a) DEFINE s := a[0] + a[1];";
    assert_eq!(verdicts(text), "TTTTTFTTT");
    let text = "MODULE main VAR b : boolean; x : 0..3; MDEFINE a := [b, !b, next(b)];
        DEFINE s := [{1, 2}, {2, 3}];
        TRANS a[2] = b; ASSIGN next(x) := s[0];
        SPEC AG (a[0] != a[1]) SPEC AG (b -> AX b) SPEC AG AX x in {1, 2} SPEC AG AX x = 1";
    assert_eq!(verdicts(text), "TTTF");
}

#[test]
fn names_can_be_declared_as_paths() {
    let text = "MODULE main
        VAR p.0 : cell(1); p.1 : cell(2); q[1] : 0..1; q[3] : 0..2; r : cell(0); r.more : 0..2; l : look(r, q);
        DEFINE s[0] := q[1]; t.u := q[3];
        ASSIGN init(q[1]) := 0; next(q[3]) := q[1];
        SPEC AG EF p.0.v = 1 SPEC EF p.0.v = 2 -> p.0.v = 2 SPEC AG q[1 + 2] < 3 SPEC q[1] = 0
        SPEC AG AX q[3] < 2 SPEC AG s[0] = q[1] SPEC AG t.u = q[3] SPEC AG r.more < 2
        SPEC AG (l.sum = r.more + q[3])
        MODULE cell(i) VAR v : 0..2; ASSIGN next(v) := i;
        MODULE look(r, q) DEFINE sum := r.more + q[3];";
    assert_eq!(verdicts(text), "TTTTTTTFT");
    let model = flat(text);
    for (property, expected) in [("AG q[3] < 3", true), ("AG (q[1] = 5)", true), ("AG q[2] = 0", false)] {
        let source = Source::new("<property>", property);
        assert_eq!(read_property(&model, &source).is_ok(), expected, "{property}");
    }
}

#[test]
fn an_index_may_be_a_word_or_a_defined_constant() {
    let text = "MODULE main VAR a : array 0..3 of boolean; i : word[2]; DEFINE k := 1;
        ASSIGN next(a[k]) := TRUE; next(a[k - 1]) := FALSE;
        SPEC AG a[i] SPEC AG (i = 0ud2_2 -> a[i] = a[2]) SPEC AX (a[1] & !a[0])";
    assert_eq!(verdicts(text), "FTT");
}

#[test]
fn bounded_operators_of_ltl_count_steps() {
    let text = "MODULE main VAR x : 0..7; ASSIGN init(x) := 0; next(x) := x < 7 ? x + 1 : 7;
        LTLSPEC F [3, 3] x = 3 LTLSPEC F [0, 2] x = 3 LTLSPEC G [1, 4] x in 1..4 LTLSPEC G [1, 4] x in 1..3
        LTLSPEC G (x = 5 -> O [2, 3] x = 3) LTLSPEC G (x = 5 -> O [3, 9] x = 3) LTLSPEC O [1, 2] TRUE
        LTLSPEC H [1, 2] FALSE LTLSPEC G (x = 5 -> H [1, 3] x in 2..4) LTLSPEC G (x = 5 -> H [0, 3] x in 2..4)";
    assert_eq!(verdicts(text), "TFTFTFFTTF");
}

#[test]
fn a_property_can_use_the_names_of_an_instance() {
    let text = "MODULE main VAR a : m; b : array 0..1 of m;
        SPEC AG v < 3 IN a LTLSPEC NAME x.y := G v < 2 IN a; INVARSPEC v < 3 IN b[1]
        MODULE m VAR v : 0..2;";
    assert_eq!(verdicts(text), "TFT");
}

#[test]
fn widths_may_be_sizes_and_constants_of_words_negative() {
    let text = "MODULE main VAR w : word[5]; s : signed word[4];
        SPEC AG uwconst(1, sizeof(w)) = 0ud5_1 SPEC uwconst(-3, 4) = 0ud4_13 SPEC swconst(-8, 4) = -0sd4_8
        SPEC AG w[sizeof(w) - 1:0] = w SPEC AG resize(s, sizeof(s)) = s";
    assert_eq!(verdicts(text), "TTTTT");
}

#[test]
fn quoted_names_and_line_markers_are_read() {
    let text = "# 1 \"main.smv\"\nMODULE main\n# 7 \"main.smv\" 2\nVAR \"a b\" : {\"x.y\", z};
        SPEC AG \"a b\" = z SPEC AG \"a b\" in {z, \"x.y\"}";
    assert_eq!(verdicts(text), "FT");
}

#[test]
fn definitions_of_sets_that_double_each_time_are_no_obstacle() {
    let mut text = "MODULE main VAR x : 0..3; DEFINE d0 := {1, x};\n".to_owned();
    for i in 1..60 {
        text += &format!("d{i} := x = 1 ? d{} : d{} union 2;\n", i - 1, i - 1);
    }
    text += "ASSIGN next(x) := d59; SPEC AG (x = 1 -> AX x = 1)";
    let model = flat(&text);
    let options = tertium_front_smv::EncodeOptions::default();
    assert!(tertium_front_smv::encode(&Context::default(), &model, &options).is_ok());
    assert_eq!(verdicts(&text), "T");
}
