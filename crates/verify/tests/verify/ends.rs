//! Notes about paths that end: there iff the answer is another one on the model where they stay where they ended.
//!
//! Random machines are written out twice, as they are and with a step to itself at each state without steps, as symbolic models and as
//! programs. Checks, vacuity and queries are asked about both.

use crate::asking::Heard;
use std::path::Path;
use tertium_report::AssumptionReport;
use tertium_support::{Context, Rng, Source};
use tertium_testkit::{CasesRun, random_cases};
use tertium_truth::Verdict;
use tertium_verify::{
    Chosen, Given, Initial, Input, Options, QueryMethod, QueryWanted, ReadOptions, Request, Tables,
    VacuityCheck, VacuityMethod, VacuityOptions, check, check_vacuity, solve_query,
};

/// A machine with the states 0 to n.
struct Machine {
    last: usize,
    initial: usize,
    edges: Vec<(usize, usize)>,
    /// States up to this one are visited infinitely often on fair paths.
    justice: Option<usize>,
}

impl Machine {
    fn random(rng: &mut Rng, fair: bool) -> Self {
        let last = rng.between(1, 5);
        let mut edges = Vec::new();
        for source in 0..=last {
            edges.extend((0..=last).filter(|_| rng.chance(0.3)).map(|target| (source, target)));
        }
        let justice = (fair && rng.chance(0.7)).then(|| rng.below(last + 1));
        Self { last, initial: rng.below(last + 1), edges, justice }
    }

    /// The same where paths that end stay.
    fn staying(&self) -> Self {
        let dead = (0..=self.last).filter(|&state| self.edges.iter().all(|edge| edge.0 != state));
        let edges = self.edges.iter().copied().chain(dead.map(|state| (state, state))).collect();
        Self { edges, ..*self }
    }

    fn smv(&self) -> String {
        let Self { last, initial, edges, justice } = self;
        let steps = edges.iter().map(|(from, to)| format!("(s = {from} & next(s) = {to}) | "));
        let steps: String = steps.collect();
        let justice = justice.map_or(String::new(), |most| format!("JUSTICE s <= {most}\n"));
        format!("MODULE main\nVAR s : 0..{last};\nINIT s = {initial}\nTRANS {steps}FALSE\n{justice}")
    }

    fn gcl(&self) -> String {
        let Self { last, initial, edges, .. } = self;
        let steps = edges.iter().map(|(from, to)| format!("[go] s = {from} -> s := {to};\n"));
        format!("var s: 0..{last} = {initial};\n{}", steps.collect::<String>())
    }
}

/// A formula of branching time; `atom` is one of its atoms in place of the first.
fn branching(rng: &mut Rng, depth: usize, and: [&str; 2], atom: &mut Option<&str>) -> String {
    if depth == 0 {
        let value = rng.below(5);
        let own = if rng.chance(0.5) { format!("s = {value}") } else { format!("s <= {value}") };
        return atom.take().map_or(own, str::to_owned);
    }
    let f = branching(rng, depth - 1, and, atom);
    match rng.below(6) {
        0 => format!("!({f})"),
        1 => format!("(({f}) {} ({}))", rng.pick(&and), branching(rng, depth - 1, and, atom)),
        2 => format!("A[{} U {f}]", branching(rng, 0, and, atom)),
        _ => format!("{} ({f})", rng.pick(&["AX", "EX", "AF", "EF", "AG", "EG"])),
    }
}

fn linear(rng: &mut Rng, depth: usize, and: [&str; 2]) -> String {
    if depth == 0 {
        return branching(rng, 0, and, &mut None);
    }
    let f = linear(rng, depth - 1, and);
    match rng.below(5) {
        0 => format!("!({f})"),
        1 => format!("(({f}) {} ({}))", rng.pick(&and), linear(rng, depth - 1, and)),
        _ => format!("{} ({f})", rng.pick(&["G", "F", "X"])),
    }
}

fn ask<T>(
    file: &str,
    text: &str,
    property: &str,
    options: &Options,
    ask: impl FnOnce(&Request<'_>) -> T,
) -> T {
    ask(&Request {
        tables: &Tables::default(),
        context: &Context::default(),
        path: Path::new(file),
        input: &Input { name: file.to_owned(), bytes: text.as_bytes().to_vec(), original: None },
        read: &ReadOptions { warnings: false, ..ReadOptions::default() },
        given: &[Given { written: property.to_owned(), source: Ok(Source::new("<property>", property)) }],
        chosen: &Chosen::default(),
        options,
        time_each: None,
        work_each: None,
    })
}

/// The verdict of an engine, and whether it says that a path may end.
fn checked(file: &str, text: &str, property: &str, engine: &str) -> (Verdict, bool) {
    let options =
        Options { engine: Some(engine.to_owned()), vacuity: VacuityCheck::Off, ..Options::default() };
    let mut heard = Heard::default();
    ask(file, text, property, &options, |request| check(request, &mut heard)).expect("it can be checked");
    let (_, verdict, shown) = heard.answers.pop().expect("one answer");
    assert!(!shown.contains("would take longer to find out"), "{shown}");
    (verdict, shown.contains("a path may end there"))
}

/// How often there was a note, how often a path could end and there was none.
#[derive(Debug, Default)]
struct Met {
    noted: usize,
    not: usize,
}

impl Met {
    fn count(&mut self, noted: bool) {
        *(if noted { &mut self.noted } else { &mut self.not }) += 1;
    }

    fn enough(&self, run: CasesRun, noted: usize) {
        run.enough(self.noted >= run.share(noted) && self.not > self.noted, self);
    }
}

#[test]
fn a_check_has_a_note_iff_the_verdict_is_another_one_where_ends_stay() {
    let mut met = Met::default();
    let run = random_cases(300, |rng| {
        let machine = Machine::random(rng, true);
        let (own, other) = (machine.smv(), machine.staying().smv());
        for property in [
            format!("SPEC {}", branching(rng, 2, ["&", "|"], &mut None)),
            format!("LTLSPEC {}", linear(rng, 3, ["&", "|"])),
        ] {
            for engine in ["symbolic", "explicit"] {
                let (verdict, noted) = checked("m.smv", &own, &property, engine);
                let depends = verdict != checked("m.smv", &other, &property, engine).0;
                assert_eq!(noted, depends, "{engine} {property}\n{own}");
                met.count(noted);
            }
        }
        let machine = Machine::random(rng, false);
        let (own, other) = (machine.gcl(), machine.staying().gcl());
        for property in
            [branching(rng, 2, ["&&", "||"], &mut None), format!("LTLSPEC {}", linear(rng, 3, ["&&", "||"]))]
        {
            for engine in ["symbolic", "explicit"] {
                let (verdict, noted) = checked("m.gcl", &own, &property, engine);
                let depends = verdict != checked("m.gcl", &other, &property, engine).0;
                assert_eq!(noted, depends, "{engine} {property}\n{own}");
                met.count(noted);
            }
        }
    });
    met.enough(run, 100);
}

fn is_noted(assumptions: &[AssumptionReport]) -> bool {
    assert!(assumptions.iter().all(|own| own.code != "deadlocks-unknown"));
    assumptions.iter().any(|own| own.code == "deadlock")
}

#[test]
fn a_query_has_a_note_iff_its_solutions_are_others_where_ends_stay() {
    let mut met = Met::default();
    let run = random_cases(200, |rng| {
        let initial = *rng.pick(&[Initial::All, Initial::Some, Initial::Each]);
        for file in ["m.smv", "m.gcl"] {
            let machine = Machine::random(rng, file == "m.smv");
            let and = if file == "m.smv" { ["&", "|"] } else { ["&&", "||"] };
            let query = branching(rng, 2, and, &mut Some("?{s}"));
            let wanted = QueryWanted::new(&query, Some(initial), QueryMethod::Tlq, 100).expect("a query");
            let solved = |machine: &Machine| {
                let text = if file == "m.smv" { machine.smv() } else { machine.gcl() };
                let found = ask(file, &text, "", &Options::default(), |request| {
                    solve_query(&Request { given: &[], ..*request }, &wanted)
                });
                let found = found.unwrap_or_else(|halt| panic!("{query}: {halt:?}\n{text}")).report;
                let texts = |solutions: &[tertium_report::SolutionReport]| {
                    solutions.iter().map(|solution| solution.text.clone()).collect::<Vec<_>>()
                };
                let classes = found.classes.iter();
                let classes: Vec<_> =
                    classes.map(|class| (texts(&class.initial), texts(&class.solutions))).collect();
                ((texts(&found.solutions), classes), is_noted(&found.assumptions))
            };
            let (own, noted) = solved(&machine);
            let depends = own != solved(&machine.staying()).0;
            assert_eq!(noted, depends, "{query} {initial:?}\n{}", machine.smv());
            met.count(noted);
        }
    });
    met.enough(run, 30);
}

#[test]
fn vacuity_has_a_note_iff_what_it_finds_is_something_else_where_ends_stay() {
    let options = VacuityOptions {
        method: VacuityMethod::Vaquot,
        all: false,
        evidence: false,
        detail: tertium_report::Detail::Screen,
    };
    let mut met = Met::default();
    let run = random_cases(200, |rng| {
        let machine = Machine::random(rng, true);
        type Written = fn(&Machine) -> String;
        let (smv, gcl): (Written, Written) = (Machine::smv, Machine::gcl);
        for (file, write, property) in [
            ("m.smv", smv, format!("SPEC {}", branching(rng, 2, ["&", "|"], &mut None))),
            ("m.smv", smv, format!("LTLSPEC {}", linear(rng, 3, ["&", "|"]))),
            ("m.gcl", gcl, branching(rng, 2, ["&&", "||"], &mut None)),
            ("m.gcl", gcl, format!("LTLSPEC {}", linear(rng, 3, ["&&", "||"]))),
        ] {
            let found = |machine: &Machine| {
                let answers = ask(file, &write(machine), &property, &Options::default(), |request| {
                    check_vacuity(request, &options)
                });
                let answers = answers.unwrap_or_else(|halt| panic!("{property}: {halt:?}"));
                let answer = &answers.answers[0].answer;
                let vacuous: Vec<_> =
                    answer.vacuous.iter().map(|part| (part.text.clone(), part.column)).collect();
                ((answer.verdict, vacuous), is_noted(&answer.assumptions))
            };
            let (own, noted) = found(&machine);
            let depends = own != found(&machine.staying()).0;
            assert_eq!(noted, depends, "{property}\n{}", write(&machine));
            met.count(noted);
        }
    });
    met.enough(run, 30);
}
