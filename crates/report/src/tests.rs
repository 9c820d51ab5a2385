//! The layout of answers, by example.

use crate::page::WIDTH;
use crate::{Detail, answer_dot, answer_json, answer_text, statistics_text, verdict_line};
use std::sync::Arc;
use std::time::Duration;
use tertium_evidence::{
    Advice, Answer, Claim, Detail as Further, Evidence, Names, Origin, Outcome, PropertyName, StepName,
    Support, Table, Trace, Unchecked, Validation,
};
use tertium_logic::{Formula, parse};
use tertium_support::{Id, Source, Statistics};
use tertium_system::{ActionId, Modality, StateId, SystemBuilder, UNLABELLED};
use tertium_truth::{Belnap, Cause, Verdict};

fn answer(verdict: Verdict, names: Arc<dyn Names>, evidence: Option<Evidence>) -> Answer {
    Answer {
        property: PropertyName {
            file: "peterson.gcl".to_owned(),
            given: "mutex".to_owned(),
            label: Some("mutex".to_owned()),
            text: "AG !(in1 &\n in2)".to_owned(),
            line: Some(14),
        },
        engine: "explicit".to_owned(),
        outcome: Outcome { evidence, ..Outcome::new(verdict, Statistics::default()) },
        names,
        origin: Origin::Model,
        details: Vec::new(),
        advice: Vec::new(),
        expected: None,
        documents: Vec::new(),
        time: Duration::ZERO,
    }
}

/// States have two variables, of which the second never changes; steps are commands of a process.
fn about_variables(verdict: Verdict, evidence: Evidence<u32, u32>) -> Answer {
    let step = |&step: &u32| StepName {
        process: Some("p1".to_owned()),
        action: "inc".to_owned(),
        command: None,
        line: Some(step as usize),
        inputs: if step == 7 { vec![("go".to_owned(), "TRUE".to_owned())] } else { Vec::new() },
        open_calls: 0,
    };
    let variables = vec!["x".to_owned(), "y".to_owned()];
    let (table, evidence) = Table::of(variables, evidence, |&x| vec![x.to_string(), "a".to_owned()], step);
    answer(verdict, Arc::new(table), evidence)
}

fn screen(answer: &Answer) -> String {
    answer_text(answer, Detail::Screen)
}

fn path(n: u32) -> Trace<u32, u32> {
    Trace { states: (0..n).collect(), steps: vec![3; n as usize - 1], loop_start: None }
}

fn formula(text: &str) -> Formula {
    parse(&Source::new("f", text)).unwrap()
}

#[test]
fn the_verdict_line_has_word_property_place_and_engine() {
    let mut answer = about_variables(Verdict::True, Evidence::Invariant(Vec::new()));
    answer.outcome.statistics.set("states", 20usize);
    let line = format!("{:40}    peterson.gcl:14    explicit, 20 states\n", "TRUE  mutex: AG !(in1 & in2)");
    assert_eq!(verdict_line(&answer), line);
    answer.property = PropertyName { line: None, label: None, ..answer.property };
    answer.outcome.reachable = Some("1".to_owned());
    answer.outcome.length = Some("5".to_owned());
    answer.outcome.validation = Validation::NotRechecked(Unchecked::NoCertificate);
    let summary = "explicit, 1 state, not re-checked";
    assert_eq!(verdict_line(&answer), format!("{:40}    {summary}\n", "5  AG !(in1 & in2)"));
}

#[test]
fn a_path_shows_commands_lines_inputs_and_what_changes() {
    let trace = Trace { states: vec![0, 1, 1], steps: vec![7, 14], loop_start: None };
    let answer = about_variables(Verdict::False, Evidence::Trace(trace));
    let expected = "  counterexample: 2 steps\n    0  start        x = 0, y = a\n    1  p1.inc :7    input go = TRUE\n\
                    \x20                   x = 1\n    2  p1.inc :14   nothing changes\n";
    assert_eq!(screen(&answer), expected);
}

#[test]
fn a_lasso_shows_where_its_loop_begins_and_ends() {
    let trace = Trace { states: vec![0, 1, 2], steps: vec![3, 4, 5], loop_start: Some(1) };
    let answer = about_variables(Verdict::True, Evidence::Trace(trace));
    let expected = "  witness: 1 step, then a loop of 2 steps\n    0  start       x = 0, y = a\n       the loop starts here\n\
                    \x20   1  p1.inc :3   x = 1\n    2  p1.inc :4   x = 2\n       p1.inc :5   then back to step 1 (the loop)\n";
    assert_eq!(screen(&answer), expected);
}

#[test]
fn a_long_path_shows_its_ends_and_all_values_after_the_gap() {
    let answer = about_variables(Verdict::False, Evidence::Trace(path(100)));
    let text = screen(&answer);
    assert!(text.lines().count() <= 40, "{text}");
    assert!(
        text.contains("\n    … 70 more steps (--full shows all)\n    85  p1.inc :3   x = 85, y = a\n"),
        "{text}"
    );
    assert!(text.ends_with("99  p1.inc :3   x = 99\n"), "{text}");
    assert_eq!(text.matches("y = a").count(), 2);
    assert_eq!(answer_text(&answer, Detail::Full).lines().count(), 101);

    let hidden_loop = Trace { steps: vec![3; 100], loop_start: Some(50), ..path(100) };
    let text = screen(&about_variables(Verdict::False, Evidence::Trace(hidden_loop)));
    assert!(text.contains("(--full shows all); the loop starts at step 50\n"), "{text}");
}

#[test]
fn a_labelled_system_shows_states_by_name() {
    let mut builder = SystemBuilder::named();
    let (s, t) = (builder.state("s\u{1b}"), builder.state("t"));
    let (a, tick) = (builder.action("a"), builder.action(UNLABELLED));
    let p = builder.proposition("p", Belnap::False);
    builder.initial(s);
    builder.label(t, p, Belnap::Unknown);
    builder.edge(s, a, t, Modality::Both);
    builder.edge(t, tick, s, Modality::Both);
    let trace = Trace { states: vec![s, t], steps: vec![a, tick], loop_start: Some(0) };
    let answer = answer(Verdict::False, Arc::new(builder.build()), Some(Evidence::Trace(trace)));
    let expected = "  counterexample: 0 steps, then a loop of 2 steps\n       the loop starts here\n    0  start   s\\u{1b}: !p\n\
                    \x20   1  a       t: p?\n       step    then back to step 0 (the loop)\n";
    assert_eq!(screen(&answer), expected);
    let picture = answer_dot(&answer, "title").unwrap();
    assert!(picture.contains("s1 [label=\"t\\np?\"]"), "{picture}");
    assert!(picture.contains("s0 -> s1 [style=solid, color=\"red\", penwidth=2, label=\"a\"]"), "{picture}");
}

fn tree() -> Evidence<u32, u32> {
    let lasso = Trace { states: vec![1, 2], steps: vec![3, 4], loop_start: Some(1) };
    let inner =
        Claim { formula: formula("EG q"), state: 1, support: Support::Path { trace: lasso, at: Vec::new() } };
    let facts = ["p", "AG r"].into_iter().zip([Support::Here, Support::AllPaths]);
    let mut parts: Vec<_> =
        facts.map(|(text, support)| Claim { formula: formula(text), state: 1, support }).collect();
    parts.push(inner);
    let both = Claim { formula: formula("p && AG r && EG q"), state: 1, support: Support::Parts(parts) };
    let trace = Trace { states: vec![0, 1], steps: vec![3], loop_start: None };
    let support = Support::Path { trace, at: vec![(1, both)] };
    Evidence::Tree(Claim { formula: formula("EF (p && AG r && EG q)"), state: 0, support })
}

#[test]
fn a_tree_numbers_states_and_shows_none_twice() {
    let text = screen(&about_variables(Verdict::True, tree()));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["  witness: 5 claims", "    0  start   x = 0, y = a"], "{text}");
    assert!(
        lines[2].starts_with("    EF (") && lines[2].ends_with("  holds at 0, shown by 1 step"),
        "{text}"
    );
    assert_eq!(lines[3], "      1  p1.inc :3   x = 1", "{text}");
    assert!(lines[4].ends_with("  holds at 1, because"), "{text}");
    assert_eq!(
        lines[5..],
        [
            "        p  holds at 1",
            "        AG r  holds at 1, as computed: no single path shows it",
            "        EG q  holds at 1, shown by 1 step, then a loop of 1 step",
            "             the loop starts here",
            "          2  p1.inc :3   x = 2",
            "             p1.inc :4   then back to step 2 (the loop)",
        ],
        "{text}"
    );
}

#[test]
fn large_trees_are_cut() {
    let here = |x| Claim { formula: formula("p"), state: x, support: Support::Here };
    let computed = |x| Claim { formula: formula("AG p"), state: x, support: Support::AllPaths };
    let tree = |at| {
        let support = Support::Path { trace: path(200), at };
        Evidence::Tree(Claim { formula: formula("EG p"), state: 0, support })
    };
    let answer = about_variables(Verdict::True, tree((0..200).map(|x| (x as usize, computed(x))).collect()));
    let text = screen(&answer);
    assert!(text.lines().count() <= 38 && text.contains("more claims (--full shows all)"), "{text}");
    assert_eq!(answer_text(&answer, Detail::Full).matches("AG p  holds at").count(), 200);
    // Where only facts are claimed, it is a path like any other.
    let facts = about_variables(Verdict::True, tree((0..200).map(|x| (x as usize, here(x))).collect()));
    let alone = about_variables(Verdict::True, Evidence::Trace(path(200)));
    assert_eq!(screen(&facts), screen(&alone));
}

/// Names of any length.
struct Wide(usize);

impl Names for Wide {
    fn state(&self, _: StateId) -> String {
        "s".repeat(self.0)
    }

    fn values(&self, state: StateId) -> Vec<tertium_evidence::NamedValue> {
        let value = format!("{}{}", "v".repeat(self.0), state.index());
        (0..self.0).map(|n| tertium_evidence::NamedValue::of_variable(format!("x{n}"), &value)).collect()
    }

    fn step(&self, _: ActionId) -> StepName {
        StepName { inputs: vec![("i".repeat(self.0), "1".to_owned()); 9], ..StepName::default() }
    }

    fn proposition(&self, _: tertium_system::PropId) -> String {
        String::new()
    }

    fn concrete(&self, _: tertium_system::ConcreteId) -> String {
        String::new()
    }
}

#[test]
fn no_line_is_wider_than_a_page() {
    for size in [1, 20, 37, 150, 300] {
        let states: Vec<StateId> = StateId::first(4).collect();
        let trace = Trace { steps: vec![ActionId::new(0); 4], states, loop_start: Some(2) };
        let mut claim = Claim { formula: formula("EG p"), state: StateId::new(0), support: Support::Here };
        for _ in 0..size / 4 {
            let text = vec!["proposition"; size].join(" && ");
            let support = Support::Path { trace: trace.clone(), at: vec![(3, claim)] };
            claim = Claim { formula: formula(&text), state: StateId::new(0), support };
        }
        for evidence in [Evidence::Trace(trace), Evidence::Tree(claim)] {
            let answer = answer(Verdict::True, Arc::new(Wide(size)), Some(evidence));
            for detail in [Detail::Screen, Detail::Full] {
                let text = answer_text(&answer, detail);
                assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
                assert!(text.lines().all(|line| line.starts_with("  ")), "{text}");
            }
            let n = screen(&answer).lines().count();
            assert!(n <= 40, "{n} lines");
        }
    }
}

#[test]
fn invariants_list_their_conditions() {
    let conditions = (0..14).map(|n| format!("x{n} = 0")).collect();
    let answer = about_variables(Verdict::True, Evidence::Invariant(conditions));
    let text = screen(&answer);
    assert!(
        text.lines().count() == 14 && text.ends_with("    … 2 more conditions (--full shows all)\n"),
        "{text}"
    );
    assert_eq!(answer_dot(&answer, "title"), None);
}

#[test]
fn an_unknown_says_why_what_to_do_and_what_was_seen() {
    let mut answer = about_variables(Verdict::Unknown(Cause::Time), Evidence::Invariant(Vec::new()));
    answer.outcome.evidence = None;
    answer.advice = vec![Advice::Help("wait".to_owned())];
    answer.outcome.statistics.set("rounds", 3usize);
    answer.details = vec![
        Further::GaveUp(2, vec![("x * y".to_owned(), 1)]),
        Further::Seen(vec!["p".to_owned()], Vec::new()),
        Further::Predicates((0..21).map(|n| format!("x > {n}")).collect()),
        Further::Rounds(Vec::new()),
    ];
    let text = screen(&answer);
    assert!(
        text.starts_with("  reached: 3 rounds\n  open: the time limit was reached\n  next: wait; see"),
        "{text}"
    );
    assert!(
        text.contains("  the solver gave up 2 times, on products: x * y (once)\n  seen to hold: p\n"),
        "{text}"
    );
    assert!(text.ends_with("; x > 9; 11 more (--full shows all)\n"), "{text}");
    assert!(answer_text(&answer, Detail::Full).ends_with("; x > 19; x > 20\n"));
    assert!(statistics_text(&answer).contains("rounds               3\n"));
    let object = serde_json::to_value(answer_json(&answer, Vec::new(), Detail::Screen, false)).unwrap();
    assert_eq!(object["cause"]["next"], "wait");
    assert_eq!(object["details"][1]["kind"], "seen");
    assert!(object.get("time_ms").is_none() && object["validated"].is_null());
}

#[test]
fn json_gives_every_state_in_full() {
    let trace = Trace { states: vec![0, 1], steps: vec![7, 14], loop_start: Some(1) };
    let mut answer = about_variables(Verdict::False, Evidence::Trace(trace));
    answer.outcome.validation = Validation::Passed(vec!["interpreter"]);
    let object = serde_json::to_value(answer_json(&answer, Vec::new(), Detail::Screen, true)).unwrap();
    let expected = serde_json::json!({
        "kind": "trace",
        "role": "counterexample",
        "states": [
            {"name": "", "values": {"x": "0", "y": "a"}},
            {"name": "", "values": {"x": "1", "y": "a"}},
        ],
        "steps": [
            {"process": "p1", "action": "inc", "line": 7, "inputs": {"go": "TRUE"}},
            {"process": "p1", "action": "inc", "line": 14, "inputs": {}},
        ],
        "loop_start": 1,
    });
    assert_eq!(object["evidence"], expected);
    let property = serde_json::json!({
        "name": "mutex", "file": "peterson.gcl", "line": 14, "formula": "AG !(in1 &\n in2)"
    });
    assert_eq!(object["property"], property);
    assert_eq!((&object["validated"], &object["validated_by"][0]), (&true.into(), &"interpreter".into()));
    assert_eq!(object["time_ms"], 0);
}

#[test]
fn a_picture_of_a_tree_has_notes_at_its_states() {
    let answer = about_variables(Verdict::True, tree());
    let picture = answer_dot(&answer, "TRUE").unwrap();
    for line in [
        "s0 [label=\"0\\nx = 0\\ny = a\"]",
        "s1 [label=\"1\\nx = 1\"]",
        "s0 -> n0 [style=dotted",
        "s1 -> n1",
        "s1 -> s2 [style=solid, color=\"darkgreen\", penwidth=2, label=\"p1.inc\"]",
        "s2 -> s2",
        "(as computed; nothing is shown)",
    ] {
        assert!(picture.contains(line), "{line}\n{picture}");
    }
    let object = serde_json::to_value(answer_json(&answer, Vec::new(), Detail::Screen, false)).unwrap();
    let claims = &object["evidence"]["claims"];
    assert_eq!(claims[0]["along"][0], serde_json::json!({ "state": 1, "claim": 1 }));
    assert_eq!(claims[1]["parts"], serde_json::json!([2, 3, 4]));
    assert_eq!((&claims[3]["shown_by"], &claims[4]["path"]["loop_start"]), (&"all_paths".into(), &1.into()));
}
