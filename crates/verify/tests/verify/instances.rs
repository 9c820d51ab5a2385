//! Every engine against the listed states, on random models of arrays and process templates: what is definite agrees.

use crate::asking::Heard;
use std::path::Path;
use tertium_support::{Context, Rng, Source};
use tertium_testkit::long_random_cases;
use tertium_truth::Verdict;
use tertium_verify::{Chosen, Given, Input, Options, Parameter, ReadOptions, Request, Tables, check};

/// A random number, read from inside of a process; indices may leave the array.
fn number(rng: &mut Rng) -> &'static str {
    let numbers =
        ["0", "1", "i", "n", "k", "a[i]", "a[k]", "a[n + i]", "a[a[k]]", "w[N - i].n", "1 - n", "k + 1"];
    numbers[rng.below(numbers.len())]
}

fn condition(rng: &mut Rng) -> String {
    match rng.below(7) {
        0 => "k > 1 || a[k] = n".to_owned(),
        1 => "forall j in 0..N: w[j].n <= a[j]".to_owned(),
        2 => "exists j in 0..N, j != i: w[j].pc = here".to_owned(),
        3 => format!("!(a[{}] = {})", number(rng), number(rng)),
        4 => "pc = there".to_owned(),
        _ => format!("{} {} {}", number(rng), rng.pick(&["<", "=", "!="]), number(rng)),
    }
}

fn update(rng: &mut Rng) -> String {
    match rng.below(6) {
        0 => format!("a[{}] := {}", number(rng), number(rng)),
        1 => format!("n := {}", number(rng)),
        2 => "w[N - i].n := n".to_owned(),
        3 => "pc := pc = here ? there : here".to_owned(),
        4 => format!("k := {}", rng.pick(&["k + 1", "0", "input 0..1", "i", "a[k]"])),
        _ => format!("a[{}] := {}, k := {}", number(rng), number(rng), number(rng)),
    }
}

fn random_text(rng: &mut Rng) -> String {
    let mut text =
        "const N = 7;\nvar a: array 0..N of 0..N;\ninit forall j in 0..N: a[j] = 0;\nvar k: 0..2 = 0;\n\
                    process w[i in 0..N] {\n  control pc: { here, there } = here;\n  var n: 0..1 = 0;\n"
            .to_owned();
    for _ in 0..rng.between(1, 3) {
        text += &format!("  [step] {} -> {};\n", condition(rng), update(rng));
    }
    text + "}\n"
}

/// What an engine says about each formula. The constant that everything hangs on is set from outside.
fn verdicts(engine: &str, text: &str, formulas: &[&str]) -> Vec<Verdict> {
    let mut heard = Heard::default();
    let given =
        |text: &&str| Given { written: (*text).to_owned(), source: Ok(Source::new("<property>", *text)) };
    let one = Parameter { name: "N".to_owned(), value: "1".to_owned(), written: "--set N=1".to_owned() };
    let request = Request {
        tables: &Tables::default(),
        context: &Context::default(),
        path: Path::new("m.gcl"),
        input: &Input { name: "m.gcl".to_owned(), bytes: text.as_bytes().to_vec(), original: None },
        read: &ReadOptions { warnings: false, parameters: vec![one], ..ReadOptions::default() },
        given: &formulas.iter().map(given).collect::<Vec<_>>(),
        chosen: &Chosen::default(),
        options: &Options { engine: Some(engine.to_owned()), iterations: 5, ..Options::default() },
        time_each: None,
        // These end, the others need not.
        work_each: (!["naive", "explicit"].contains(&engine)).then_some(2_000_000),
    };
    check(&request, &mut heard).unwrap_or_else(|halt| panic!("{engine}: {halt:?}\n{text}"));
    heard.answers.into_iter().map(|(_, verdict, _)| verdict).collect()
}

const CLAIMS: [&str; 4] = [
    "AG (forall i in 0..N: w[i].n = 0)",
    "AG (exists i in 0..N: w[i].pc = here)",
    "AG (forall i in 0..N, a[i] > 0: w[i].n <= a[i])",
    "EF (a[k] = 1 && w[1].pc = there)",
];

const OTHERS: [&str; 3] =
    ["AG EF (k = 0)", "AF (a[0] + a[1] > 0)", "EG (forall i, j in 0..N, i < j: a[i] <= a[j])"];

#[test]
fn all_engines_agree_on_models_of_arrays_and_templates() {
    let mut definite = 0;
    let run = long_random_cases(60, |rng| {
        let text = random_text(rng);
        let all = [&CLAIMS[..], &OTHERS].concat();
        let truth = verdicts("naive", &text, &all);
        assert!(
            truth.iter().all(|verdict| matches!(verdict, Verdict::True | Verdict::False)),
            "{truth:?}\n{text}"
        );
        for engine in ["explicit", "symbolic", "predicate", "cartesian", "search", "induction"] {
            let asked = if ["search", "induction"].contains(&engine) { &CLAIMS[..] } else { &all };
            for ((formula, found), truth) in asked.iter().zip(verdicts(engine, &text, asked)).zip(&truth) {
                if !matches!(found, Verdict::Unknown(_)) {
                    assert_eq!(found, *truth, "{engine}: {formula}\n{text}");
                    definite += 1;
                } else {
                    assert_ne!(engine, "explicit", "{engine}: {formula}: {found:?}\n{text}");
                }
            }
        }
    });
    run.enough(definite >= run.share(700), definite);
}
