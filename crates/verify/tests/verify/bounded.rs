//! Bounded programs on decision diagrams against the explicit engine and the definition, on random models and formulas.

use crate::asking::Heard;
use std::path::Path;
use tertium_logic::Formula;
use tertium_support::{Context, Rng, Source};
use tertium_testkit::{FormulaShape, random_cases, random_formula};
use tertium_truth::Verdict;
use tertium_verify::{Chosen, Given, Input, Options, ReadOptions, Request, Tables, check};

/// What propositions of random formulas mean.
const ATOMS: [&str; 6] = ["x > y", "x + y = 2", "b", "c = blue", "c != red && !b", "y in {0, 3}"];

/// A random expression of a number.
fn number(rng: &mut Rng) -> String {
    let leaf = |rng: &mut Rng| match rng.below(4) {
        0 => format!("{}", rng.below(5) as i64 - 1),
        1 => "(b ? 2 : 0)".to_owned(),
        2 => "y".to_owned(),
        _ => "x".to_owned(),
    };
    let (a, b) = (leaf(rng), leaf(rng));
    match rng.below(7) {
        0 => format!("{a} + {b}"),
        1 => format!("{a} - {b}"),
        2 => format!("({a} * {b}) mod 3"),
        3 => format!("max({a}, {b}) / 2"),
        4 => format!("3 - {a}"),
        _ => a,
    }
}

/// A random model whose variables all have bounds. Some assignments leave the range and block, so states without steps are common.
fn random_text(rng: &mut Rng) -> String {
    let mut text =
        "var x: -1..3 = 0;\nvar y: 0..3;\nvar b: bool = false;\nvar c: {red, green, blue} = red;\n"
            .to_owned();
    if rng.chance(0.7) {
        text += "init y < 2;\n";
    }
    for _ in 0..rng.between(1, 5) {
        let guard = match rng.below(4) {
            0 => "true".to_owned(),
            1 => (*rng.pick(&ATOMS)).to_owned(),
            2 => format!("{} <= {}", number(rng), number(rng)),
            _ => format!("!({})", rng.pick(&ATOMS)),
        };
        let updates = |rng: &mut Rng| {
            let mut all = Vec::new();
            if rng.chance(0.6) {
                let value = if rng.chance(0.2) { "input".to_owned() } else { number(rng) };
                all.push(format!("x := {value}"));
            }
            if rng.chance(0.5) {
                let value = if rng.chance(0.2) { "input 1..5".to_owned() } else { number(rng) };
                all.push(format!("y := {value}"));
            }
            if rng.chance(0.4) {
                let value = if rng.chance(0.3) { "input" } else { rng.pick(&ATOMS) };
                all.push(format!("b := {value}"));
            }
            if rng.chance(0.4) {
                all.push(format!("c := {}", rng.pick(&["red", "blue", "input", "b ? green : c"])));
            }
            if all.is_empty() { "skip".to_owned() } else { all.join(", ") }
        };
        let one = updates(rng);
        let both = if rng.chance(0.3) { format!("either {one} or {}", updates(rng)) } else { one };
        text += &format!("[step] {guard} -> {both};\n");
    }
    text
}

/// A formula in the words of the models.
fn written(formula: &Formula) -> String {
    let mut text = formula.to_string();
    for (at, atom) in ATOMS.iter().enumerate() {
        text = text.replace(&format!("atom{at}"), &format!("({atom})"));
    }
    text
}

/// What an engine says about all formulas; evidence has to stand up.
fn answers(engine: &str, text: &str, formulas: &[String]) -> Vec<(String, Verdict, String)> {
    let given =
        |text: &String| Given { written: text.clone(), source: Ok(Source::new("<property>", text.as_str())) };
    let mut heard = Heard::default();
    let request = Request {
        tables: &Tables::default(),
        context: &Context::default(),
        path: Path::new("m.gcl"),
        input: &Input { name: "m.gcl".to_owned(), bytes: text.as_bytes().to_vec(), original: None },
        read: &ReadOptions { warnings: false, ..ReadOptions::default() },
        given: &formulas.iter().map(given).collect::<Vec<_>>(),
        chosen: &Chosen::default(),
        options: &Options { engine: Some(engine.to_owned()), ..Options::default() },
        time_each: None,
        work_each: None,
    };
    check(&request, &mut heard).unwrap_or_else(|halt| panic!("{engine}: {halt:?}\n{text}"));
    heard.answers
}

/// The verdicts, which were found on states.
fn verdicts(engine: &str, text: &str, formulas: &[String]) -> Vec<Verdict> {
    let answers = answers(engine, text, formulas);
    assert!(answers.iter().all(|(_, _, answer)| !answer.contains("abstraction")), "{answers:?}\n{text}");
    answers.into_iter().map(|(_, verdict, _)| verdict).collect()
}

#[test]
fn diagrams_agree_with_the_explicit_engine_and_the_definition() {
    let (mut n_true, mut n_false) = (0, 0);
    let run = random_cases(60, |rng| {
        let text = random_text(rng);
        let shape = FormulaShape {
            propositions: (0..ATOMS.len()).map(|at| format!("atom{at}")).collect(),
            actions: Vec::new(),
            depth: 4,
            fixpoints: 2,
            ..FormulaShape::default()
        };
        let mut formulas: Vec<String> = (0..6).map(|_| written(&random_formula(rng, &shape))).collect();
        // States without steps satisfy every AX and no EX.
        formulas
            .extend(["AG EX true", "AX false", "EF AX false", "AF (c = blue)", "EG !b"].map(str::to_owned));
        let symbolic = verdicts("symbolic", &text, &formulas);
        for engine in ["explicit", "naive"] {
            let others = verdicts(engine, &text, &formulas);
            for ((formula, own), other) in formulas.iter().zip(&symbolic).zip(&others) {
                assert_eq!(own, other, "{engine}: {formula}\n{text}");
            }
        }
        n_true += symbolic.iter().filter(|&&verdict| verdict == Verdict::True).count();
        n_false += symbolic.iter().filter(|&&verdict| verdict == Verdict::False).count();
    });
    run.enough(n_true >= run.share(100) && n_false >= run.share(100), (n_true, n_false));
}

#[test]
fn formulas_about_actions_are_left_to_the_abstraction() {
    let text = "var x: 0..3 = 0;\n[up] x < 3 -> x := x + 1;\n[down] x > 0 -> x := x - 1;\n";
    let formulas = ["AG (x < 3 => <up> true)", "AG EF (x = 3)"].map(str::to_owned);
    let answers = answers("symbolic", text, &formulas);
    let [by_action, on_states] = &answers[..] else { panic!("there are two answers") };
    assert_eq!(by_action.1, Verdict::True);
    assert!(by_action.2.contains("symbolic predicate abstraction"), "{}", by_action.2);
    assert_eq!(on_states.1, Verdict::True);
    assert!(on_states.2.contains("symbolic, 4 states"), "{}", on_states.2);
}

#[test]
fn true_claims_about_all_states_are_checked_again() {
    let mut n_true = 0;
    let run = random_cases(60, |rng| {
        let text = random_text(rng);
        let mut formulas: Vec<String> = Vec::new();
        for _ in 0..4 {
            let (one, other) = (rng.pick(&ATOMS), rng.pick(&ATOMS));
            formulas.push(format!("AG (({one}) || ({other}))"));
            formulas.push(format!("LTLSPEC G (!({one}) || ({other}))"));
        }
        let explicit = verdicts("explicit", &text, &formulas);
        for ((formula, (_, verdict, answer)), expected) in
            formulas.iter().zip(answers("symbolic", &text, &formulas)).zip(explicit)
        {
            assert_eq!(verdict, expected, "{formula}\n{text}");
            // A state that violates a claim of linear time may lie on no infinite path.
            if verdict == Verdict::True && (formula.starts_with("AG") || answer.contains("inductive set")) {
                assert!(answer.contains("re-checked by SAT on the terms"), "{formula}: {answer}\n{text}");
                n_true += 1;
            }
        }
    });
    run.enough(n_true >= run.share(100), n_true);
}
