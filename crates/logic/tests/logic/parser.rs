//! What the parser reads, and what it says about what it does not read.

use tertium_logic::{ActionFormula, Formula, FormulaGraph, FormulaKind, Regular, parse, to_formula};
use tertium_support::{Diagnostics, Source};

fn formula(text: &str) -> Formula {
    parse(&Source::new("test", text)).unwrap_or_else(|mistakes| panic!("{text}\n{mistakes:#?}"))
}

fn mistakes(text: &str) -> Diagnostics {
    match parse(&Source::new("test", text)) {
        Ok(formula) => panic!("`{text}` was read as {formula}"),
        Err(mistakes) => mistakes,
    }
}

/// Expects exactly these mistakes: the text they point at, and a part of the message.
fn check(text: &str, expected: &[(&str, &str)]) {
    let found = mistakes(text);
    let shown: Vec<(&str, &str)> =
        found.iter().map(|mistake| (&text[mistake.span.range()], mistake.message.as_str())).collect();
    assert_eq!(shown.len(), expected.len(), "{text}\n{shown:#?}");
    for ((place, message), (expected_place, expected_message)) in shown.iter().zip(expected) {
        assert_eq!(place, expected_place, "{text}\n{message}");
        assert!(message.contains(expected_message), "{text}\n{message}");
    }
}

#[test]
fn operators_bind_as_documented() {
    for (text, explicit) in [
        ("a && b || c => d <=> e", "((((a && b) || c) => d) <=> e)"),
        ("a => b => c", "a => (b => c)"),
        ("a <=> b <=> c", "a <=> (b <=> c)"),
        ("!a && b", "(!a) && b"),
        ("<x>a && b", "(<x>a) && b"),
        ("EF a && b", "(EF a) && b"),
        ("!<x>!a", "!(<x>(!a))"),
        ("a && mu X. b || X", "a && (mu X. (b || X))"),
        ("<x>mu X. b || X", "<x>(mu X. (b || X))"),
        ("E[a || b U c => d]", "E[(a || b) U (c => d)]"),
        ("a & b | c -> d <-> e", "a && b || c => d <=> e"),
        ("<x || y . z*>p", "<(x || y) . (z*)>p"),
        ("<x || y*>p", "<(x || y)*>p"),
        ("<x . y + z>p", "<(x . y) + z>p"),
        ("<!x && y || z>p", "<((!x) && y) || z>p"),
        ("<x => y>p", "<!x || y>p"),
        ("<x+ + y+>p", "<(x+) + (y+)>p"),
        ("<x+ . y+>p", "<(x+) . (y+)>p"),
        ("<true>p", "<>p"),
    ] {
        assert_eq!(formula(text), formula(explicit), "{text}");
    }
}

#[test]
fn a_plus_is_infix_exactly_if_an_operand_follows() {
    let step = |name: &str| Regular::Step(ActionFormula::action(name));
    let plus = |body: Regular| Regular::Plus(Box::new(body));
    for (text, regular) in [
        ("<x+y>p", Regular::Choice(vec![step("x"), step("y")])),
        ("<x+>p", plus(step("x"))),
        ("<x++y>p", Regular::Choice(vec![plus(step("x")), step("y")])),
        ("<x++>p", plus(plus(step("x")))),
        ("<x+.y>p", Regular::Sequence(vec![plus(step("x")), step("y")])),
        ("<x+(y)>p", Regular::Choice(vec![step("x"), step("y")])),
        (
            "<x+!y>p",
            Regular::Choice(vec![
                step("x"),
                Regular::Step(ActionFormula::Not(Box::new(ActionFormula::action("y")))),
            ]),
        ),
    ] {
        let FormulaKind::Modal(_, found, _) = formula(text).kind else { panic!("{text}") };
        assert_eq!(found, regular, "{text}");
    }
}

#[test]
fn names_are_variables_inside_their_fixpoint_and_propositions_elsewhere() {
    let FormulaKind::Fixpoint(_, _, body) = formula("mu X. X || Y || \"X\"").kind else { panic!() };
    let FormulaKind::Or(parts) = body.kind else { panic!() };
    assert_eq!(parts[0], Formula::variable("X"));
    assert_eq!(parts[1], Formula::proposition("Y"));
    assert_eq!(parts[2], Formula::proposition("X"));
}

#[test]
fn multi_actions_are_sorted_and_lose_tau() {
    for (text, label) in
        [("<b|a>p", "a|b"), ("<tau|b>p", "b"), ("<tau|tau>p", "tau"), ("<\"x y\"|b>p", "b|x y")]
    {
        assert_eq!(formula(text).action_labels()[0].0, label, "{text}");
    }
}

#[test]
fn spans_cover_what_was_written() {
    let text = "AG (request => AF \"grant 1\") && <send . \"ack\">true";
    let formula = formula(text);
    let at = |(name, span): &(&str, tertium_support::Span)| (name.to_string(), text[span.range()].to_owned());
    let found: Vec<_> = formula.propositions().iter().chain(&formula.action_labels()).map(at).collect();
    let expected = [("request", "request"), ("grant 1", "\"grant 1\""), ("send", "send"), ("ack", "\"ack\"")];
    assert_eq!(found, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
    assert_eq!(&text[formula.span.range()], text);
}

#[test]
fn formulas_of_mcrl2_without_data_are_read_as_they_are() {
    assert_eq!(
        formula("nu X. <a>X && mu Y. ([b]Y || (<c || !d>true => X))").to_string(),
        "nu X. <a>X && mu Y. [b]Y || (<c || !d>true => X)"
    );
    assert_eq!(formula("E[sum U lambda]"), formula("E[\"sum\" U \"lambda\"]"));
    assert_eq!(formula("init && act"), formula("\"init\" && \"act\""));
}

#[test]
fn data_and_time_are_refused_by_name() {
    check("forall n: Nat. <a>true", &[("forall n: Nat", "quantifier `forall` over data")]);
    check("<exists n: Nat. a(n)>p", &[("exists n: Nat", "`exists`")]);
    check("val(n < 3) && p", &[("val(n < 3)", "`val(…)`")]);
    check("<val(true)>p", &[("val(true)", "`val(…)`")]);
    check(
        "mu X(n: Nat = 0). <a>X(n + 1)",
        &[("(n: Nat = 0)", "data parameters of `X`"), ("X(n + 1)", "arguments of the variable `X`")],
    );
    check("p(1) || q", &[("p(1)", "arguments of the proposition `p`")]);
    check("delay && yaled @ 3", &[("delay", "`delay`"), ("yaled", "`yaled`")]);
    check("<a @ 3>p", &[("@", "time stamps `@`")]);
    check("<nil . a>p", &[("nil", "`nil`")]);
    check("inf n: Nat. p", &[("inf n: Nat", "`inf`")]);
}

#[test]
fn actions_with_arguments_are_labels_as_they_are_written() {
    let labels = |text: &str| -> Vec<String> {
        formula(text).action_labels().iter().map(|(label, _)| (*label).to_owned()).collect()
    };
    assert_eq!(labels("<send(1, \"x\")>true"), ["send(1, \"x\")"]);
    assert_eq!(labels("[true* . send(f(1,\n  2)) . b]false"), ["send(f(1, 2))", "b"]);
    assert_eq!(labels("<b(2) | a(1)>true"), ["a(1)|b(2)"]);
    assert_eq!(labels("<\"send(1)\">true"), ["send(1)"]);
    check("<a(1>p", &[("(", "no end"), ("", "`>`")]);
}

#[test]
fn blanks_between_arguments_and_the_order_of_parts_do_not_count() {
    let means = |formula: &str, label: &str| ActionFormula::action(formula).contains(label);
    assert!(means("send(1,true)", "send(1, true)"));
    assert!(means("b(2)|a", "a|b( 2 )"));
    assert!(!means("send(1)", "send(2)") && !means("send", "send(1)") && !means("a(1)", "a(1)|b"));
    // Inside a quotation every letter counts, and a bar inside brackets separates nothing.
    assert!(!means("send(\"a b\")", "send(\"ab\")"));
    assert!(!means("a(x|y)", "a(y|x)"));
}

#[test]
fn mistakes_are_located_and_say_what_was_expected() {
    check("", &[("", "expected a formula, found nothing")]);
    check("  % only a comment\n", &[("", "expected a formula, found nothing")]);
    check("p &&", &[("", "expected a formula, found the end of the text")]);
    check("(p && q", &[("", "expected an operator or `)`")]);
    check("p q", &[("q", "expected an operator or the end of the formula, found `q`")]);
    check("p)", &[(")", "expected an operator or the end of the formula, found `)`")]);
    check("<a p", &[("p", "expected an operator between actions or `>`")]);
    check("<a + >p && <. b>q", &[(".", "expected an action")]);
    check("mu . p", &[(".", "expected the name of a variable")]);
    check("mu X p", &[("p", "expected `.`")]);
    check("mu true. p", &[("true", "cannot be a variable")]);
    check("E[p V q] && A[p]", &[("V", "`U`, `W` or `R`"), ("]", "`U`, `W` or `R`")]);
    check("E(p U q)", &[("E(p U q)", "square brackets")]);
    check("\"abc", &[("\"abc", "no end")]);
    check("<\"abc\n>p", &[("\"abc", "no end")]);
    check("~p", &[("~", "expected a formula")]);
    check("12", &[("12", "the number `12`")]);
    check("<(a . b) && c>p", &[("(a . b)", "sequences of actions")]);
    check("<!(a*)>p", &[("(a*)", "sequences of actions")]);
}

#[test]
fn several_mistakes_are_found_at_once() {
    check(
        "(p q) && (&& r) || <a b>s",
        &[
            ("q", "expected an operator or `)`"),
            ("&&", "expected a formula"),
            ("b", "expected an operator between actions or `>`"),
        ],
    );
    check("p q && ) || r s", &[("q", "operator"), (")", "expected a formula"), ("s", "operator")]);
    assert_eq!(mistakes(&"(".repeat(100)).len(), 1);
    assert!(mistakes(&"p) ".repeat(1000)).len() <= 20);
}

#[test]
fn a_variable_out_of_its_scope_is_shown_with_its_binder() {
    let text = "(mu X. p || <>X) && X";
    let found = &mistakes(text)[0];
    assert_eq!((&text[found.span.range()], found.span.start), ("X", 20));
    assert_eq!(&text[found.related[0].0.range()], "mu X");
    // Free names that are bound nowhere are propositions, whatever their first letter.
    assert_eq!(formula("X && y").propositions().len(), 2);
    assert_eq!(formula("(mu X. p || <>X) && \"X\"").propositions().len(), 2);
}

#[test]
fn formulas_that_are_not_monotone_show_the_variable_and_the_negations() {
    let related = |text: &str| {
        let found = mistakes(text);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(found[0].message.contains("not monotone"));
        let places = found[0].related.iter().map(|(span, _)| text[span.range()].trim().to_owned());
        (found[0].span.start, places.collect::<Vec<_>>())
    };
    assert_eq!(related("mu X. !X"), (7, vec!["mu X.".to_owned(), "!".to_owned()]));
    assert_eq!(related("mu X. X => p"), (6, vec!["mu X.".to_owned(), "X".to_owned()]));
    assert_eq!(
        related("!nu Y. p && !<a>(q => !(Y => r))"),
        (24, ["nu Y.", "!", "!(", "Y"].map(String::from).to_vec())
    );
    assert_eq!(related("mu X. p <=> X").1.len(), 2);
    for text in
        ["!mu X. p || <>X", "mu X. !!X", "nu X. !(p => !X)", "mu X. (X => p) => X", "mu X. !mu X. !!X"]
    {
        formula(text);
    }
    // The inner X is another variable: what counts is the binder it belongs to.
    assert_eq!(related("mu X. !nu X. !(p && X)").1.len(), 2);
}

#[test]
fn long_chains_are_read_and_translated() {
    for operator in [" && ", " || "] {
        let names: Vec<String> = (0..100_000).map(|n| format!("p{n}")).collect();
        let graph = FormulaGraph::new(&formula(&names.join(operator)));
        assert_eq!(graph.n_nodes(), 100_001);
    }
    let actions: Vec<String> = (0..100_000).map(|n| format!("a{n}")).collect();
    let graph = FormulaGraph::new(&formula(&format!("<{}>p", actions.join(" + "))));
    assert_eq!(graph.n_nodes(), 100_002);
    let graph = FormulaGraph::new(&formula(&format!("nu X. [{}]X", actions.join(" || "))));
    assert_eq!(graph.n_nodes(), 2);
}

#[test]
fn nested_choices_and_equivalences_do_not_blow_up() {
    let choices = vec!["(a + b)"; 100].join(" . ");
    assert!(FormulaGraph::new(&formula(&format!("<{choices}>p"))).n_nodes() < 400);
    let repeated = format!("[{}a{}]p", "(".repeat(60), "+ . b)+".repeat(60));
    assert!(FormulaGraph::new(&formula(&repeated)).n_nodes() < 1000);
    let equivalences: Vec<String> = (0..100).map(|n| format!("p{n}")).collect();
    assert!(FormulaGraph::new(&formula(&equivalences.join(" <=> "))).n_nodes() < 1000);
}

#[test]
fn equal_closed_fixpoints_share_their_nodes_whatever_their_names() {
    let one = FormulaGraph::new(&formula("mu X. p || <>X")).n_nodes();
    let two = FormulaGraph::new(&formula("[a](mu X. p || <>X) && [b](mu Y. p || <>Y) && nu W. <>W && EF p"));
    let rest = FormulaGraph::new(&formula("[a]q && [b]q && nu W. <>W && q")).n_nodes();
    assert_eq!(two.n_nodes(), one + rest - 1);
}

/// Deep formulas, one per way to nest.
fn deep(n: usize) -> Vec<String> {
    let around =
        |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(n), close.repeat(n));
    vec![
        around("(", "p", ")"),
        around("!!", "p", ""),
        around("<a>", "p", ""),
        around("[a.b]", "p", ""),
        around("p => ", "p", ""),
        around("p <=> ", "p", ""),
        around("mu X. ", "p", ""),
        around("EX ", "p", ""),
        around("E[p U ", "q", "]"),
        around("A[", "q", " W p]"),
        around("p && (q || (p => (q <=> ", "p", ")))"),
        around("((", "p", " => q <=> q) && p || q)"),
        format!("<{}a{}>p", "(".repeat(n), ")".repeat(n)),
        format!("<{}a>p", "!".repeat(n)),
        format!("<{}a>p", "b => ".repeat(n)),
        format!("<a{}>p", "*".repeat(n)),
        format!("<a{}>p", "+".repeat(n)),
        format!("<{}a{}>p", "(".repeat(n), "* . b)*".repeat(n)),
        format!("<a{}>p", " . a".repeat(n)),
    ]
}

/// Texts that open much and close nothing.
fn unclosed(n: usize) -> Vec<String> {
    vec![
        "(".repeat(n),
        "<".repeat(n),
        "[".repeat(n),
        "A[".repeat(n),
        "<!(".repeat(n),
        "forall x: S. ".repeat(n),
        "<forall x: S. ".repeat(n),
    ]
}

/// Runs `case` on a stack of two megabytes, as threads have.
fn on_a_small_stack(case: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(case).unwrap().join().unwrap();
}

#[test]
fn too_deep_texts_are_refused() {
    on_a_small_stack(|| {
        for text in deep(100_000) {
            let found = mistakes(&text);
            assert!(found.iter().any(|mistake| mistake.message.contains("nested too deeply")), "{found:?}");
        }
        unclosed(100_000).iter().for_each(|text| drop(mistakes(text)));
    });
}

#[test]
fn what_is_not_too_deep_is_handled_on_a_small_stack() {
    on_a_small_stack(|| {
        for n in (1..=500).rev().step_by(49) {
            for text in deep(n) {
                if let Ok(formula) = parse(&Source::new("deep", text.as_str())) {
                    assert_eq!(formula, parse(&Source::new("printed", formula.to_string())).unwrap());
                    let graph = FormulaGraph::new(&formula);
                    assert_eq!(
                        FormulaGraph::new(&formula.clone().negated().negated()).n_nodes(),
                        graph.n_nodes()
                    );
                    // An equivalence doubles with every level when it is written out.
                    if !text.contains("<=>") {
                        assert_eq!(FormulaGraph::new(&formula.expand()).n_nodes(), graph.n_nodes());
                        assert_eq!(FormulaGraph::new(&to_formula(&graph)).n_nodes(), graph.n_nodes());
                    }
                }
            }
        }
    });
}
