//! Laws on random systems and formulas: every outcome can be shown in every way, what is shown replays, and the ways
//! agree with each other.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tertium_check::{Prepared, Semantics, Settings, check};
use tertium_evidence::{
    Answer, Covers, Evidence, Origin, Outcome, PropertyName, as_trace, check_blocking, check_trace,
};
use tertium_logic::Formula;
use tertium_report::{Detail, answer_dot, answer_json, answer_text, verdict_line};
use tertium_support::Context;
use tertium_system::PartialSystem;
use tertium_testkit::{
    CasesRun, DomainShape, FormulaShape, SystemShape, random_cases, random_domain_system, random_formula,
    random_system,
};

/// Calls `judge` on the outcomes of many random questions.
fn outcomes(cases: usize, mut judge: impl FnMut(&PartialSystem, &Formula, Semantics, &Outcome)) -> CasesRun {
    let context = Context::default();
    random_cases(cases, |rng| {
        let states = 1 + rng.below(7);
        let shapes = [SystemShape::complete(states), SystemShape::kmts(states), SystemShape::gkmts(states)];
        let system = match rng.below(shapes.len() + 1) {
            3 => random_domain_system(rng, DomainShape { propositions: 2, ..DomainShape::mixed(states) }),
            shape => random_system(rng, shapes[shape]),
        };
        let formula = random_formula(rng, &FormulaShape { depth: 3, ..FormulaShape::over(2, 2) });
        let prepared = Prepared::new(&context, &system).expect("there is no limit");
        for semantics in [Semantics::Sis, Semantics::Ris] {
            let settings = Settings { semantics, ..Settings::default() };
            judge(&system, &formula, semantics, &check(&context, &prepared, &formula, &settings));
        }
    })
}

#[test]
fn traces_and_blocking_steps_replay_on_the_system() {
    let (mut traces, mut blocked) = (0, [0, 0]);
    let run = outcomes(600, |system, formula, semantics, outcome| match &outcome.evidence {
        Some(Evidence::Proof(strategy) | Evidence::Refutation(strategy)) => {
            if let Some(trace) = as_trace(strategy) {
                traces += 1;
                assert_eq!(check_trace(system, &trace), Ok(()), "{formula}\n{system:?}");
            }
        }
        Some(Evidence::Open(blocking)) => {
            blocked[usize::from(semantics == Semantics::Ris && system.domain().is_some())] += 1;
            let covers = if semantics == Semantics::Ris { Covers::Reduced } else { Covers::Ignored };
            assert_eq!(check_blocking(system, covers, blocking), Ok(()), "{formula}\n{system:?}");
        }
        _ => {}
    });
    let counts = format_args!("{traces} traces, {blocked:?} blocking steps");
    run.enough(traces > 10 && blocked.iter().all(|&n| n > 10), counts);
}

#[test]
fn every_outcome_has_a_text_a_picture_and_an_object_that_agree() {
    outcomes(200, |system, formula, _, outcome| {
        let written = formula.to_string();
        let answer = Answer {
            property: PropertyName {
                file: "m.pts".to_owned(),
                given: written.clone(),
                text: written.clone(),
                ..PropertyName::default()
            },
            engine: "explicit".to_owned(),
            outcome: outcome.clone(),
            names: Arc::new(system.clone()),
            origin: Origin::Given,
            details: Vec::new(),
            advice: Vec::new(),
            expected: None,
            documents: Vec::new(),
            time: Duration::ZERO,
        };
        let line = verdict_line(&answer);
        let object = serde_json::to_value(answer_json(&answer, Vec::new(), Detail::Screen, false))
            .expect("it is plain data");
        assert!(line.to_lowercase().starts_with(object["verdict"].as_str().unwrap()), "{line}\n{object}");
        let short = answer_text(&answer, Detail::Screen);
        let full = answer_text(&answer, Detail::Full);
        assert!(short.lines().count() <= full.lines().count() + 2, "{short}\n{full}");
        assert!(short.lines().chain(full.lines()).all(|line| line.starts_with("  ")), "{full}");
        let lines = evidence_lines(&short).chain(evidence_lines(&full));
        lines.for_each(|line| assert!(line.chars().count() <= 120, "{line}"));
        assert_eq!(outcome.evidence.is_none(), object["evidence"].is_null());
        match answer_dot(&answer, &written) {
            Some(picture) => check_picture(&picture),
            None => {
                let stateless = matches!(outcome.evidence, None | Some(Evidence::Enumeration { .. }));
                assert!(stateless, "{:?}", outcome.evidence);
            }
        }
        check_indices(&object["evidence"]);
    });
}

/// All lines but sentences of advice and notes.
fn evidence_lines(text: &str) -> impl Iterator<Item = &str> {
    let is_sentence = |line: &&str| line.starts_with("  or: ") || line.starts_with("  note: ");
    text.lines().filter(move |line| !is_sentence(line))
}

/// Edges join nodes that are drawn.
fn check_picture(picture: &str) {
    let mut nodes = BTreeSet::new();
    for line in picture.lines().map(str::trim) {
        match line.split_once(" -> ") {
            Some((source, rest)) if line.starts_with(['s', 'i']) => {
                let target = rest.split([' ', ';']).next().unwrap();
                assert!(nodes.contains(source) && nodes.contains(target), "{line}\n{picture}");
            }
            _ if line.starts_with(['s', 'i']) => {
                nodes.insert(line.split(' ').next().unwrap().to_owned());
            }
            _ => {}
        }
    }
    assert!(picture.starts_with("digraph") && picture.ends_with("}\n"), "{picture}");
}

/// Claims point to claims and formulas that exist.
fn check_indices(evidence: &serde_json::Value) {
    let Some(claims) = evidence.get("claims").and_then(|claims| claims.as_array()) else { return };
    let formulas = evidence["formulas"].as_array().unwrap().len() as u64;
    for claim in claims {
        assert!(claim["formula"].as_u64().unwrap() < formulas);
        for step in claim["moves"].as_array().unwrap() {
            assert!(step["to"].as_u64().unwrap() < claims.len() as u64);
        }
    }
}
