//! Proofs by ranks as text, JSON and pictures.

use std::sync::Arc;
use std::time::Duration;
use tertium_check::{Prepared, Settings, check};
use tertium_evidence::{Answer, Origin, PropertyName};
use tertium_logic::parse;
use tertium_report::{Detail, answer_dot, answer_json, answer_text};
use tertium_support::{Context, Source};
use tertium_system::{Modality, PartialSystem, RankedSteps, SystemBuilder};
use tertium_testkit::check_schema;
use tertium_truth::{Belnap, Verdict};

/// Two nested loops, with a rank for each and one that is of no use: from the head into the inner loop, round, back, and out.
fn nested_loops() -> (PartialSystem, RankedSteps) {
    let mut builder = SystemBuilder::named();
    let [head, inner, end] = ["head", "inner", "end"].map(|name| builder.state(name));
    let [enter, again, back, out] = ["enter", "again", "back", "out"].map(|name| builder.action(name));
    let done = builder.proposition("done", Belnap::False);
    builder.initial(head);
    builder.label(end, done, Belnap::True);
    let mut ranks = RankedSteps::new(["n - i", "m - j", "useless"].map(String::from).to_vec());
    let steps = [
        (head, enter, inner, 0b001, 0b110),
        (inner, again, inner, 0b010, 0b100),
        (inner, back, head, 0, 0b100),
        (head, out, end, 0, 0),
    ];
    for (source, action, target, falls, may_grow) in steps {
        builder.edge(source, action, target, Modality::May);
        ranks.set(source, action, target, falls, may_grow);
    }
    (builder.build(), ranks)
}

fn answer(property: &str) -> Answer {
    let (system, ranks) = nested_loops();
    let context = Context::default();
    let prepared = Prepared::new(&context, &system).expect("no limit").with_ranks(Arc::new(ranks));
    let formula = parse(&Source::new("f", property)).expect("a formula");
    let outcome = check(&context, &prepared, &formula, &Settings::default());
    let text = property.to_owned();
    Answer {
        property: PropertyName { given: text.clone(), text, ..PropertyName::default() },
        engine: "predicate".to_owned(),
        outcome,
        names: Arc::new(system),
        origin: Origin::Given,
        details: Vec::new(),
        advice: Vec::new(),
        expected: None,
        documents: Vec::new(),
        time: Duration::ZERO,
    }
}

#[test]
fn a_proof_by_ranks_names_them_in_their_order() {
    let answer = answer("AF done");
    assert_eq!(answer.outcome.verdict, Verdict::True);
    let short = "  proof: a strategy with 3 claims (--full shows it)\n    \
                 ranked by n - i, then m - j: every cycle of mu Z. done || []Z\n";
    let text = answer_text(&answer, Detail::Screen);
    assert!(text.starts_with(short), "{text}");
    let full = answer_text(&answer, Detail::Full);
    assert!(full.contains("\n    ranked by n - i, then m - j: every cycle of mu Z. done || []Z\n"), "{full}");
}

#[test]
fn a_refutation_by_ranks_names_them_too() {
    let answer = answer("EG !done");
    assert_eq!(answer.outcome.verdict, Verdict::False);
    let text = answer_text(&answer, Detail::Screen);
    let begin = "  refutation: a strategy with 3 claims\n    ranked by n - i, then m - j: every cycle of mu ";
    assert!(text.starts_with(begin), "{text}");
}

#[test]
fn only_three_fixpoints_are_shown_on_a_screen() {
    let answer = answer("AF done && AF AX done && AX AF done && AF (done || AX false) && AF AX AX done");
    let (short, full) = (answer_text(&answer, Detail::Screen), answer_text(&answer, Detail::Full));
    let ranked = |text: &str| text.lines().filter(|line| line.contains("ranked by")).count();
    assert_eq!(answer.outcome.verdict, Verdict::True);
    assert!(ranked(&full) > 3 && ranked(&short) == 3, "{full}");
    assert!(short.contains("more fixpoint"), "{short}");
}

#[test]
fn json_lists_ranks_by_fixpoint_and_fits_the_schema() {
    let answer = answer("AF done");
    let report = answer_json(&answer, Vec::new(), Detail::Screen, false);
    let evidence = &serde_json::to_value(report).expect("it is plain data")["evidence"];
    let ranks = evidence["ranks"].as_array().expect("there are ranks");
    assert_eq!(ranks.len(), 1);
    assert_eq!(ranks[0]["ranks"], serde_json::json!(["n - i", "m - j"]));
    let fixpoint = ranks[0]["formula"].as_u64().expect("a number") as usize;
    assert_eq!(evidence["formulas"][fixpoint]["definition"], "mu Z. done || []Z");
    let schema: serde_json::Value = serde_json::from_str(tertium_report::JSON_SCHEMA).expect("it is JSON");
    let strategy = &schema["$defs"]["strategy"];
    assert_eq!(check_schema(strategy, evidence), Ok(()));
}

#[test]
fn a_picture_says_which_ranks_fall_on_which_steps() {
    let picture = answer_dot(&answer("AF done"), "AF done").expect("it has states");
    let label = |step: &str| {
        let line = picture.lines().find(|line| line.contains(&format!("label=\"{step}")));
        line.unwrap_or_else(|| panic!("{step} is drawn: {picture}"))
    };
    assert!(label("enter").contains("enter\\nn - i falls\""), "{picture}");
    assert!(label("again").contains("again\\nm - j falls\""), "{picture}");
    assert!(!label("back").contains("falls") && !picture.contains("useless"), "{picture}");
}
