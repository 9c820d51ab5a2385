//! What is printed parses back to an equal formula.

use tertium_logic::{Formula, FormulaKind, parse};
use tertium_support::Source;
use tertium_testkit::{FormulaShape, random_cases, random_formula};

/// Names that need care: words of the language, names of variables, labels that are no identifiers.
fn awkward() -> FormulaShape {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    FormulaShape {
        propositions: names(&["p", "in critical", "EX", "X", "E", "U", "form", "val", "", "a\"\\b", "ä1'"]),
        actions: names(&["a", "send(1)", "a|b", "b|a", "tau|a", "true", "nil", "forall", "tau", "\\", "%"]),
        ..FormulaShape::default()
    }
}

#[test]
fn random_formulas_parse_back() {
    for shape in [FormulaShape::default(), awkward()] {
        random_cases(5000, |rng| {
            let formula = random_formula(rng, &shape);
            let text = formula.to_string();
            let back = parse(&Source::new("printed", text.as_str()));
            assert_eq!(back.as_ref(), Ok(&formula), "{text}");
            assert_eq!(back.unwrap().to_string(), text);
        });
    }
}

#[test]
fn no_bracket_can_be_left_out() {
    // Taking away one pair of round brackets outside of modalities gives another formula, or none.
    random_cases(2000, |rng| {
        let shape = FormulaShape { regular: false, actions: vec![], ..FormulaShape::default() };
        let formula = random_formula(rng, &shape);
        let text = formula.to_string();
        for (open, close) in bracket_pairs(&text) {
            let mut fewer = text.clone();
            fewer.replace_range(close..=close, " ");
            fewer.replace_range(open..=open, " ");
            assert_ne!(parse(&Source::new("fewer", fewer)).as_ref(), Ok(&formula), "{text}");
        }
    });
}

fn bracket_pairs(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => pairs.push((open.pop().unwrap(), at)),
            _ => {}
        }
    }
    pairs
}

#[test]
fn chains_that_only_programs_make_print_as_what_they_mean() {
    let print = |kind: FormulaKind| Formula::from(kind).to_string();
    let p = || Formula::proposition("p");
    assert_eq!(print(FormulaKind::And(vec![])), "true");
    assert_eq!(print(FormulaKind::Or(vec![])), "false");
    assert_eq!(Formula::any(vec![FormulaKind::And(vec![p()]).into(), p()]).to_string(), "p || p");
}
