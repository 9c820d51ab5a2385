//! An engine whose evidence does not stand up: the answer is unknown, and other engines are advised that have one.

use std::path::Path;
use tertium_check::Semantics;
use tertium_evidence::{Advice, Answer, Evidence, Outcome, PropertyName};
use tertium_support::{Context, Diagnostic, Source, Statistics};
use tertium_truth::{Cause, Verdict};
use tertium_verify::*;

/// Says that everything is true, and shows a set that nobody accepts.
const BROKEN: Engine = Engine {
    name: "broken",
    title: "an engine with a bug",
    fits: |_| true,
    semantics: &[Semantics::Sis],
    takes: &[],
    on_bounded: None,
    on_unbounded: None,
    open: |_, work| {
        work(&mut Broken);
        Ok(())
    },
    suits: |_, _| true,
    advise: |_| Vec::new(),
};

struct Broken;

impl Session for Broken {
    fn ask(&mut self, _: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let mut outcome = Outcome::new(Verdict::True, Statistics::default());
        outcome.evidence = Some(Evidence::InductiveSet { nodes: 1 });
        let mut candidate = Candidate::plain("broken", outcome);
        candidate.replays.push(Box::new(Broken));
        Ok(candidate)
    }
}

impl Replay for Broken {
    fn by(&self) -> &'static str {
        "a test"
    }

    fn replay(&self, _: &Context) -> Result<(), Flaw> {
        Err(Flaw::Wrong("the set is not inductive".to_owned()))
    }
}

#[derive(Default)]
struct Heard(Vec<Answer>);

impl Listener for Heard {
    fn warnings(&mut self, _: &Source, _: &[Diagnostic]) {}
    fn questions(&mut self, _: &[Question]) -> Result<(), Halt> {
        Ok(())
    }
    fn answer(&mut self, admitted: Admitted) {
        self.0.push(admitted.answer);
    }
    fn trouble(&mut self, name: &PropertyName, halt: Halt) {
        panic!("{}: {halt:?}", name.text);
    }
}

fn ask(engine: Option<&str>) -> Answer {
    let tables = Tables { engines: Engines::standard().with(BROKEN), ..Tables::default() };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/peterson.gcl");
    let bytes = std::fs::read(path).expect("the example is there");
    let mut heard = Heard::default();
    let request = Request {
        tables: &tables,
        context: &Context::default(),
        path: Path::new("peterson.gcl"),
        input: &Input { name: "peterson.gcl".to_owned(), bytes, original: None },
        read: &ReadOptions::default(),
        given: &[],
        chosen: &Chosen { indices: vec![1], ..Chosen::default() },
        options: &Options { engine: engine.map(str::to_owned), ..Options::default() },
        time_each: None,
        work_each: None,
    };
    check(&request, &mut heard).expect("answers");
    heard.0.remove(0)
}

#[test]
fn evidence_that_does_not_stand_up_sends_to_engines_that_have_an_answer() {
    let open = ask(Some("broken"));
    assert_eq!(open.outcome.verdict, Verdict::Unknown(Cause::Evidence));
    let engines = open.advice.iter().filter_map(|advice| match advice {
        Advice::Ask(change) if change.without == ["--engine"] => Some(None),
        Advice::Ask(change) => {
            change.with.iter().find(|(flag, _)| *flag == "--engine").map(|(_, name)| Some(name.as_str()))
        }
        _ => None,
    });
    let engines: Vec<Option<&str>> = engines.collect();
    assert!(engines.len() > 1 && engines[0].is_none(), "{:?}", open.advice);
    assert_eq!(ask(engines[0]).outcome.verdict, Verdict::True);
    assert_eq!(ask(engines[1]).outcome.verdict, Verdict::True);
    assert!(ask(None).advice.is_empty(), "a definite answer has no advice");
}
