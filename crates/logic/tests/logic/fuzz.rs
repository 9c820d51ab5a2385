//! Whatever the text, the parser ends, does not panic, and points at places inside the text.

use tertium_logic::{FormulaGraph, check_well_formed, formulas_of, parse};
use tertium_support::{Diagnostic, Rng, Severity, Source, render};
use tertium_testkit::{FormulaShape, fuzz_cases, random_formula};

const TOKENS: [&str; 66] = [
    "true", "false", "mu", "nu", "X", "Y", "p", "q", "EX", "EF", "EG", "AX", "AF", "AG", "E", "A", "E[",
    "A[", "U", "W", "R", "(", ")", "<", ">", "[", "]", "<>", "[]", "!", "&&", "||", "&", "|", "=>", "->",
    "<=>", "<->", ".", "+", "*", ",", ";", ":", "@", "=", "-", "\"a b\"", "\"", "\\", "%", "//", "\n", "12",
    "forall", "exists", "val(", "delay", "nil", "tau", "act", "form", "sort", "map", "mu X.", "nu Y.",
];

/// Checks what must hold for every text: for its formulas, if it is a file of them, or for what is wrong with it.
fn check(text: &str) {
    let source = Source::new("fuzz", text);
    match formulas_of(&source) {
        Ok(formulas) => formulas.iter().for_each(|own| check_formula(&own.source)),
        Err(mistakes) => check_mistakes(&source, &mistakes),
    }
}

fn check_formula(source: &Source) {
    let text = source.text();
    match parse(source) {
        Ok(formula) => {
            assert_eq!(check_well_formed(&formula), Ok(()), "{text}");
            assert_eq!(parse(&Source::new("printed", formula.to_string())).as_ref(), Ok(&formula), "{text}");
            FormulaGraph::new(&formula);
        }
        Err(mistakes) => check_mistakes(source, &mistakes),
    }
}

fn check_mistakes(source: &Source, mistakes: &[Diagnostic]) {
    let text = source.text();
    assert!(mistakes.iter().any(|mistake| mistake.severity == Severity::Error), "{text}");
    for mistake in mistakes {
        let spans = mistake.related.iter().map(|(span, _)| *span).chain([mistake.span]);
        for span in spans {
            assert!(span.start <= span.end && span.end <= text.len(), "{text}\n{mistake:?}");
            assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end), "{text}");
        }
    }
    render(source, mistakes, false);
}

fn token_soup(rng: &mut Rng) -> String {
    let n = rng.between(0, 40);
    let separator = if rng.chance(0.8) { " " } else { "" };
    (0..n).map(|_| *rng.pick(&TOKENS)).collect::<Vec<_>>().join(separator)
}

fn printed_formula(rng: &mut Rng) -> String {
    let text = random_formula(rng, &FormulaShape::default()).to_string();
    if rng.chance(0.2) { format!("act a, b;\nform {text};") } else { text }
}

#[test]
fn token_soups() {
    fuzz_cases(|rng| check(&token_soup(rng)));
}

#[test]
fn truncated_formulas() {
    fuzz_cases(|rng| {
        let text = printed_formula(rng);
        check(&text[..rng.between(0, text.len())]);
        check(&text[rng.between(0, text.len())..]);
    });
}

#[test]
fn formulas_with_tokens_put_in_taken_out_and_exchanged() {
    fuzz_cases(|rng| {
        let text = printed_formula(rng);
        let mut words: Vec<&str> = text.split_inclusive([' ', '(', ')', '<', '>', '.', '!']).collect();
        for _ in 0..rng.between(1, 3) {
            let at = rng.below(words.len());
            match rng.below(3) {
                0 => words.insert(at, rng.pick::<&str>(&TOKENS)),
                1 if words.len() > 1 => drop(words.remove(at)),
                _ => words[at] = rng.pick::<&str>(&TOKENS),
            }
        }
        check(&words.concat());
    });
}

#[test]
fn mutated_bytes() {
    fuzz_cases(|rng| {
        let mut bytes = printed_formula(rng).into_bytes();
        for _ in 0..rng.between(1, 4) {
            let at = rng.below(bytes.len());
            bytes[at] = rng.bits() as u8;
        }
        match Source::from_bytes("fuzz", bytes) {
            Ok(source) => check(source.text()),
            Err(refused) => check(refused.0.text()),
        }
    });
}

#[test]
fn repeated_pieces() {
    fuzz_cases(|rng| {
        let n_pieces = rng.between(1, 4);
        let piece: String = (0..n_pieces).map(|_| *rng.pick(&TOKENS)).collect::<Vec<_>>().join(" ");
        check(&format!("{piece} ").repeat(rng.between(1, 2000)));
    });
}
