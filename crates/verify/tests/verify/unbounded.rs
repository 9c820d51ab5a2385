//! Vacuity and queries on programs that no search exhausts, against the same programs without what makes them infinite.
//!
//! A counter that nothing else reads makes a random program with few states infinite. It adds steps that change nothing else, so
//! claims about reachable states have the same truth, the same vacuous parts and the same solutions. What is said of the infinite
//! program comes from the engines, what is said of the finite one from all of its states.

use std::collections::BTreeSet;
use std::path::Path;
use tertium_support::{Context, Rng, Source};
use tertium_testkit::{long_random_cases, random_gcl};
use tertium_verify::{
    Chosen, Given, Halt, Input, Options, QueryMethod, QueryWanted, ReadOptions, Request, Tables,
    VacuityMethod, VacuityOptions, check_vacuity, solve_query,
};

const COUNTER: &str = "var endless: int = 0;\n[] true -> endless := endless + 1;\n";

/// Asks something about a program with these properties.
fn ask<T>(text: &str, properties: &[String], question: impl FnOnce(&Request<'_>) -> T) -> T {
    let given =
        |text: &String| Given { written: text.clone(), source: Ok(Source::new("<property>", text.as_str())) };
    question(&Request {
        tables: &Tables::default(),
        context: &Context::default(),
        path: Path::new("m.gcl"),
        input: &Input { name: "m.gcl".to_owned(), bytes: text.as_bytes().to_vec(), original: None },
        read: &ReadOptions::default(),
        given: &properties.iter().map(given).collect::<Vec<_>>(),
        chosen: &Chosen::default(),
        options: &Options::default(),
        time_each: None,
        work_each: Some(1 << 27),
    })
}

const ATOMS: [&str; 9] = ["p", "q", "r", "t", "c = red", "c != blue", "x > 0", "x < y", "y = 1"];

fn atom(rng: &mut Rng) -> &'static str {
    let picked: &&str = rng.pick(&ATOMS);
    picked
}

/// For each property whether it holds, if that is known, its vacuous parts and its open ones.
fn parts(text: &str, properties: &[String], method: VacuityMethod) -> Vec<(String, BTreeSet<String>, usize)> {
    let options = VacuityOptions { method, evidence: true, ..OPTIONS };
    let found = ask(text, properties, |request| check_vacuity(request, &options)).expect("answers");
    let one = |own: tertium_verify::PropertyVacuity| {
        assert!(!matches!(own.all_matter, Err(Halt::Bug(_))), "{own:?}");
        let vacuous =
            own.answer.vacuous.iter().map(|part| format!("{}:{}", part.column, part.text)).collect();
        (own.answer.verdict.to_owned(), vacuous, own.answer.open.len())
    };
    found.answers.into_iter().map(one).collect()
}

#[test]
fn parts_that_do_not_matter_are_the_same_where_engines_find_them() {
    let (mut settled, mut vacuous) = (0, 0);
    let run = long_random_cases(60, |rng| {
        let finite = random_gcl(rng);
        let infinite = format!("{finite}{COUNTER}");
        let (a, b, c) = (atom(rng), atom(rng), atom(rng));
        let properties = [
            format!("AG ({a} || {b} || {c})"),
            format!("EF ({a} && !({b}) && {c})"),
            format!("AG ({a} => {b} && {c})"),
        ];
        let method = *rng.pick(&[VacuityMethod::Refine, VacuityMethod::Vaquot, VacuityMethod::Naive]);
        if ask(&finite, &properties, |request| check_vacuity(request, &OPTIONS)).is_err() {
            return; // no initial state
        }
        let expected = parts(&finite, &properties, method);
        for (own, known) in parts(&infinite, &properties, method).into_iter().zip(expected) {
            if own.0 == "unknown" || own.2 > 0 {
                continue;
            }
            assert_eq!(own, known, "{properties:?} {method:?}\n{infinite}");
            settled += 1;
            vacuous += usize::from(!own.1.is_empty());
        }
    });
    run.enough(settled > 0 && vacuous > 0, (settled, vacuous));
}

const OPTIONS: VacuityOptions = VacuityOptions {
    method: VacuityMethod::Vaquot,
    all: false,
    evidence: false,
    detail: tertium_report::Detail::Screen,
};

#[test]
fn solutions_are_the_same_where_engines_find_them() {
    let mut settled = 0;
    let run = long_random_cases(60, |rng| {
        let finite = random_gcl(rng);
        let infinite = format!("{finite}{COUNTER}");
        let (a, b, c) = (atom(rng), atom(rng), atom(rng));
        let subjects = if a == b { a.to_owned() } else { format!("{a}, {b}") };
        let query = *rng.pick(&["EF", "AG !", "EF EF", "AG"]);
        let text = match rng.chance(0.5) {
            true => format!("{query} ?{{{subjects}}}"),
            false => format!("{query} ({c} || ?{{{subjects}}})"),
        };
        let initial = *rng.pick(&[None, Some(tertium_verify::Initial::Some)]);
        let wanted = QueryWanted::new(&text, initial, QueryMethod::Tlq, 100).expect("a query");
        let solve = |program: &str| ask(program, &[], |request| solve_query(request, &wanted));
        let Ok(expected) = solve(&finite) else { return }; // no initial state
        let found = solve(&infinite).expect("an answer");
        if found.report.n_possible.is_some() {
            return;
        }
        let texts = |own: &tertium_verify::QueryFound| -> Vec<String> {
            own.report.solutions.iter().map(|solution| solution.text.clone()).collect()
        };
        assert_eq!(found.verdict, expected.verdict, "{text}\n{infinite}");
        assert_eq!(texts(&found), texts(&expected), "{text} {initial:?}\n{infinite}");
        settled += 1;
    });
    run.enough(settled > 0, settled);
}
