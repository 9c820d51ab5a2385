//! Linear time on programs: the explicit engine against a naive enumeration of lassos by the interpreter.

use crate::asking::Heard;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tertium_explore::reachable;
use tertium_front_gcl::{Model, ResolvedLinear, read_plainly};
use tertium_logic::holds_on_lasso;
use tertium_program::{Interpreter, State, initial_states};
use tertium_support::{Context, Source};
use tertium_system::format::print_pts;
use tertium_testkit::{random_cases, random_gcl, random_ltl_text};
use tertium_truth::{Cause, Verdict};
use tertium_verify::{Chosen, Given, Input, Options, ReadOptions, Request, Tables, check};

/// Lassos have at most so many places.
const LENGTH: usize = 5;
/// So many lassos are tried.
const LASSOS: usize = 1_000;

/// The verdicts of the explicit engine about a program, with what would be printed.
fn answers(text: &str, properties: &[String], states: Option<usize>) -> Vec<(Verdict, String)> {
    answers_about("random.gcl", text, properties, states)
}

/// The same about any file.
fn answers_about(
    file: &str,
    text: &str,
    properties: &[String],
    states: Option<usize>,
) -> Vec<(Verdict, String)> {
    let mut heard = Heard::default();
    let given =
        |text: &String| Given { written: text.clone(), source: Ok(Source::new("<property>", text.as_str())) };
    let request = Request {
        tables: &Tables::default(),
        context: &Context::default(),
        path: Path::new(file),
        input: &Input { name: file.to_owned(), bytes: text.as_bytes().to_vec(), original: None },
        read: &ReadOptions { warnings: false, ..ReadOptions::default() },
        given: &properties.iter().map(given).collect::<Vec<_>>(),
        chosen: &Chosen::default(),
        options: &Options { engine: Some("explicit".to_owned()), states, ..Options::default() },
        time_each: None,
        work_each: None,
    };
    check(&request, &mut heard).expect("random models can be checked");
    heard.answers.into_iter().map(|(_, verdict, text)| (verdict, text)).collect()
}

/// Tries lassos from the end of a path on.
struct Lassos<'a> {
    interpreter: Interpreter<'a>,
    /// The successors of states, each once.
    successors: BTreeMap<State, Vec<State>>,
    property: &'a ResolvedLinear,
    left: usize,
}

impl Lassos<'_> {
    /// Whether a lasso that goes on from this path breaks the property.
    fn breaks(&mut self, path: &mut Vec<State>) -> bool {
        let last = path.last().expect("a path has a state");
        if !self.successors.contains_key(last) {
            let found = self.interpreter.successors(last).expect("inputs have few values");
            let found: BTreeSet<State> = found.into_iter().map(|successor| successor.state).collect();
            self.successors.insert(last.clone(), found.into_iter().collect());
        }
        for target in self.successors[last].clone() {
            for start in (0..path.len()).filter(|&place| path[place] == target) {
                self.left = self.left.saturating_sub(1);
                let at = |place: usize, name: &str| {
                    self.interpreter.holds(&path[place], self.property.atoms[name])
                };
                if !holds_on_lasso(&self.property.formula, path.len(), start, at) {
                    return true;
                }
            }
            if path.len() < LENGTH && self.left > 0 {
                path.push(target);
                if self.breaks(path) {
                    return true;
                }
                path.pop();
            }
        }
        false
    }
}

fn is_broken_on_a_short_lasso(model: &Model, property: &ResolvedLinear) -> bool {
    let starts = initial_states(&Context::default(), &model.program, 4).expect("no limits");
    let interpreter = Interpreter::new(&model.program);
    let mut lassos = Lassos { interpreter, successors: BTreeMap::new(), property, left: LASSOS };
    starts.states.into_iter().any(|state| lassos.breaks(&mut vec![state]))
}

#[test]
fn a_property_of_linear_time_fails_iff_a_lasso_breaks_it_and_that_lasso_replays() {
    let atoms = ["p", "q", "x > 0", "y = x", "t", "c != red"].map(str::to_owned);
    // By verdict: whether a short lasso breaks it.
    let mut counts = [[0; 2]; 2];
    let mut cut = [0; 2];
    let run = random_cases(60, |rng| {
        let text = random_gcl(rng);
        let source = Source::new("random.gcl", text.as_str());
        let (model, _) = read_plainly(&Context::default(), &source, &[]).expect("random models are right");
        let properties: Vec<String> =
            (0..4).map(|_| format!("LTLSPEC {}", random_ltl_text(rng, &atoms, 2))).collect();
        let whole = answers(&text, &properties, None);
        let most = rng.between(1, 12);
        let part = answers(&text, &properties, Some(most));
        for ((property, (verdict, shown)), (within, _)) in properties.iter().zip(&whole).zip(&part) {
            let own = model.linear_formula(&Source::new("property", property.as_str()));
            let own = own.expect("it begins with the word").expect("it is right");
            let broken = is_broken_on_a_short_lasso(&model, &own);
            let holds = match verdict {
                Verdict::True => true,
                Verdict::False => false,
                Verdict::Unknown(_) => panic!("{property} is open\n{text}"),
            };
            assert!(!(holds && broken), "{property} is broken\n{text}");
            assert!(holds || !shown.contains("not re-checked"), "{shown}\n{text}");
            counts[usize::from(holds)][usize::from(broken)] += 1;
            match within {
                Verdict::Unknown(cause) => assert_eq!(*cause, Cause::Bound, "{property}\n{text}"),
                definite => assert_eq!(definite, verdict, "{property} within {most}\n{text}"),
            }
            cut[usize::from(within == verdict)] += 1;
        }
    });
    let enough =
        counts[1][0] > 20 && counts[0][1] > 30 && counts[0][0] < counts[0][1] && cut.iter().all(|&n| n > 20);
    run.enough(enough, format_args!("{counts:?} {cut:?}"));
}

/// The system that the reachable states of a program make, as a text.
fn as_system(text: &str) -> String {
    let source = Source::new("random.gcl", text);
    let (model, _) = read_plainly(&Context::default(), &source, &[]).expect("random models are right");
    let found = reachable(&Context::default(), &model.program, 100_000).expect("no limits");
    let propositions = model.program.propositions.iter().map(|(name, &term)| (name.as_str(), term));
    print_pts(&found.to_system(&model.program, propositions), None, None).expect("it can be written")
}

#[test]
fn a_system_that_is_given_has_the_properties_of_linear_time_of_the_program_that_it_was_made_from() {
    let atoms = ["p", "q", "r"].map(str::to_owned);
    let mut counts = [0; 2];
    let run = random_cases(60, |rng| {
        let text = random_gcl(rng);
        let properties: Vec<String> =
            (0..4).map(|_| format!("LTLSPEC {}", random_ltl_text(rng, &atoms, 2))).collect();
        let system = as_system(&text);
        let given = answers_about("random.pts", &system, &properties, None);
        for ((property, (expected, _)), (found, shown)) in
            properties.iter().zip(answers(&text, &properties, None)).zip(given)
        {
            assert_eq!(found, expected, "{property}\n{text}");
            assert!(found == Verdict::True || !shown.contains("not re-checked"), "{shown}\n{text}");
            counts[usize::from(found == Verdict::True)] += 1;
        }
    });
    run.enough(counts.iter().all(|&n| n >= run.share(30)), format_args!("{counts:?}"));
}

#[test]
fn linear_time_speaks_of_the_next_action_of_a_given_system() {
    // Coins are paid in turn with tea and with coffee; from the last state on nothing happens but waiting.
    let system = "des (0,6,5)\n(0,\"coin\",1)\n(1,\"tea\",2)\n(2,\"coin\",3)\n(3,\"coffee\",0)\n(2,\"give up\",4)\n\
                  (4,\"wait\",4)\n";
    for (property, verdict) in [
        ("G (<coin> -> X (<tea> | <coffee>))", Verdict::True),
        ("G (<tea> -> X <coin>)", Verdict::False),
        ("G (<tea> -> X (<coin> | <\"give up\">))", Verdict::True),
        ("G F <coin>", Verdict::False),
        ("G F <coin> | F <\"give up\">", Verdict::True),
        ("F G <wait> -> F <\"give up\">", Verdict::True),
        ("<coin> & X X O <coin>", Verdict::True),
        ("G !(<coin> & <tea>)", Verdict::True),
        ("<tea>", Verdict::False),
    ] {
        let found = answers_about("m.aut", system, &[format!("LTLSPEC {property}")], None);
        assert_eq!(found[0].0, verdict, "{property}\n{}", found[0].1);
        assert!(verdict == Verdict::True || !found[0].1.contains("not re-checked"), "{}", found[0].1);
    }
}
