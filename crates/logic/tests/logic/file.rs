//! Files of formulas: cut into formulas, with names and places.

use tertium_logic::{formulas_of, parse};
use tertium_support::{Source, Span};

/// The names and texts of the formulas of a file.
fn cut(text: &str) -> Vec<(Option<String>, String)> {
    let found =
        formulas_of(&Source::new("test", text)).unwrap_or_else(|mistakes| panic!("{text}\n{mistakes:#?}"));
    found.into_iter().map(|own| (own.label, own.source.text().trim().to_owned())).collect()
}

/// Expects exactly these mistakes: the text they point at, and a part of the message.
fn check(text: &str, expected: &[(&str, &str)]) {
    let found = formulas_of(&Source::new("test", text)).expect_err(text);
    assert_eq!(found.len(), expected.len(), "{text}\n{found:#?}");
    for (mistake, (place, message)) in found.iter().zip(expected) {
        assert_eq!(&text[mistake.span.range()], *place, "{text}\n{}", mistake.message);
        assert!(mistake.message.contains(message), "{text}\n{}", mistake.message);
    }
}

fn one(text: &str) -> Vec<(Option<String>, String)> {
    vec![(None, text.to_owned())]
}

#[test]
fn a_file_is_a_formula_or_sections() {
    let deadlock_free = one("[true*]<true>true");
    assert_eq!(cut("[true*]<true>true\n"), deadlock_free);
    assert_eq!(cut("form [true*]<true>true;"), deadlock_free);
    assert_eq!(cut("act a, b: Nat # Bool;\n    c;\nform [true*]<true>true;"), deadlock_free);
    assert_eq!(cut("form [true*]<true>true; act a;"), deadlock_free);
    assert_eq!(cut("% first\nform % inside\n p;"), one("p"));
    // Where no section can be meant, its word is a name like others.
    for text in ["init && act", "form < 3", "map[3] > 0", "form = act", "init", "LTLSPEC G form"] {
        assert_eq!(cut(text), one(text), "{text}");
    }
}

#[test]
fn formulas_have_names_and_any_language() {
    let text = "form live: [true*]<true>true;\nform \"never both\": AG !(a & b);\nform INVARSPEC case a : b; TRUE : c; esac;";
    assert_eq!(
        cut(text),
        [
            (Some("live".to_owned()), "[true*]<true>true".to_owned()),
            (Some("never both".to_owned()), "AG !(a & b)".to_owned()),
            (None, "INVARSPEC case a : b; TRUE : c; esac".to_owned()),
        ]
    );
}

#[test]
fn places_are_those_of_the_file() {
    let text = "act a;\nform p;\nform q: p &&;\n";
    let formulas = formulas_of(&Source::new("test", text)).expect("it can be cut");
    let source = &formulas[1].source;
    let mistakes = parse(source).expect_err("an operand is missing");
    assert_eq!(source.line_column(mistakes[0].span.start), (3, 13));
}

#[test]
fn what_is_wrong_with_sections_is_located() {
    check(
        "sort D; map f: D -> D; g: D; form true;",
        &[("sort D;", "section `sort`"), ("map f: D -> D; g: D;", "section `map`")],
    );
    check(
        "cons c: D; var x: D; eqn f(x) = c; form true;",
        &[
            ("cons c: D;", "section `cons`"),
            ("var x: D;", "section `var`"),
            ("eqn f(x) = c;", "section `eqn`"),
        ],
    );
    check("act a;", &[("", "there is no formula")]);
    check("act a; p;", &[("", "there is no formula")]);
    check("form p", &[("", "expected `;`")]);
    check("form a: p; form b: q; form a: r;", &[("a", "another formula is called `a`")]);
}

#[test]
fn the_examples_of_the_documentation_are_read() {
    let page = include_str!("../../../../docs/formats/mcf.md");
    let examples: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        for formula in formulas_of(&Source::new("page", example)).expect(example) {
            drop(parse(&formula.source).expect(example));
        }
    }
}

#[test]
fn a_part_is_a_source_of_its_own() {
    let source = Source::new("test", "form p;");
    assert_eq!(source.part(Span::new(5, 6)).text(), "     p");
}
