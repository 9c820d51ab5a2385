//! Shipped models with small changes, through every engine that takes them: no bug, evidence that stands up, and no two engines
//! of different opinions.
//!
//! Found cases become tests where their bug was. `TERTIUM_FUZZ_SECONDS` sets how long each of the two tests goes on; if
//! nothing is said, both together take a minute.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tertium_evidence::PropertyName;
use tertium_support::{Context, Diagnostic, Limits, Rng, Source};
use tertium_testkit::{fuzz_cases_for, mutated};
use tertium_truth::Verdict;
use tertium_verify::{
    Admitted, Chosen, Given, Halt, Input, Listener, Options, Question, ReadOptions, Request, Tables, check,
    read,
};

/// Larger files are left alone: there are enough small ones.
const LARGEST: u64 = 6_000;
/// What each property may cost with each engine, and a run as a whole.
const WORK_EACH: u64 = 2_000_000;
const WORK: u64 = 10_000_000;
/// So many changes are tried to find one that leaves a model.
const TRIES: usize = 30;
/// Formulas about systems, which have none of their own.
const FORMULAS: [&str; 5] =
    ["AG EF true", "[true*]<true>true", "nu X. mu Y. <true>X || <true>Y", "EF [true]false", "AF [true]false"];

/// The verdicts of one engine, by property.
#[derive(Default)]
struct Verdicts(BTreeMap<String, Verdict>);

impl Listener for Verdicts {
    fn warnings(&mut self, _: &Source, _: &[Diagnostic]) {}

    fn questions(&mut self, _: &[Question]) -> Result<(), Halt> {
        Ok(())
    }

    fn answer(&mut self, admitted: Admitted) {
        assert_eq!(admitted.bug, None, "evidence stands up");
        let answer = &admitted.answer;
        // Whatever was found can be shown.
        let _ = tertium_report::answer_text(answer, tertium_report::Detail::Screen);
        self.0.insert(format!("{} {}", answer.property.given, answer.property.text), answer.outcome.verdict);
    }

    fn trouble(&mut self, name: &PropertyName, halt: Halt) {
        assert!(!matches!(halt, Halt::Bug(_)), "{}: {halt:?}", name.text);
    }
}

/// All shipped models of a moderate size, with or without properties of their own: programs, or systems.
fn models(own: bool) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut open = vec![root.join("examples"), root.join("tests/tasks")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("readable") {
            let entry = entry.expect("readable");
            let (path, known) = (entry.path(), entry.metadata().expect("readable"));
            let tables = Tables::default();
            let is_model = tables.formats.by_name(&path).is_some_and(|format| format.has_properties == own);
            if known.is_dir() {
                open.push(path);
            } else if is_model && known.len() <= LARGEST {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Does something with what is asked about a changed model.
fn with_request<T>(path: &Path, text: &str, engine: Option<&str>, work: impl FnOnce(&Request<'_>) -> T) -> T {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    let tables = Tables::default();
    let has_own = tables.formats.by_name(path).is_some_and(|format| format.has_properties);
    let formulas = if has_own { &[][..] } else { &FORMULAS };
    let given =
        |text: &&str| Given { written: (*text).to_owned(), source: Ok(Source::new("<property>", *text)) };
    let limits = Limits { work: Some(WORK), ..Limits::default() };
    work(&Request {
        tables: &tables,
        context: &Context::new(limits, Default::default()),
        path,
        input: &Input::new(name, text.as_bytes().to_vec()),
        read: &ReadOptions { warnings: false, ..ReadOptions::default() },
        given: &formulas.iter().map(given).collect::<Vec<_>>(),
        chosen: &Chosen::default(),
        options: &Options { engine: engine.map(str::to_owned), iterations: 6, ..Options::default() },
        time_each: None,
        work_each: Some(WORK_EACH),
    })
}

/// A changed model that can be read, and has something to be asked about.
fn mutant(rng: &mut Rng, path: &Path, text: &str) -> Option<String> {
    (0..TRIES).map(|_| mutated(rng, text)).find(|mutant| {
        with_request(path, mutant, None, |request| match read(request) {
            Ok((model, _)) => !request.given.is_empty() || !model.properties().is_empty(),
            Err(Halt::Bug(bug)) => panic!("{}: {bug}\n{mutant}", path.display()),
            Err(_) => false,
        })
    })
}

#[test]
fn changed_programs_meet_no_bug_and_no_two_opinions() {
    let models = models(true);
    assert!(models.len() > 100, "only {} models were found", models.len());
    meet_no_bug_and_no_two_opinions(&models, 45);
}

#[test]
fn changed_systems_meet_no_bug_and_no_two_opinions() {
    let models = models(false);
    assert!(models.len() > 30, "only {} models were found", models.len());
    meet_no_bug_and_no_two_opinions(&models, 15);
}

fn meet_no_bug_and_no_two_opinions(models: &[PathBuf], seconds: u64) {
    let (mut n_models, mut n_agreements) = (0, 0);
    fuzz_cases_for(seconds, |rng| {
        let path = rng.pick(models);
        let text = fs::read_to_string(path).expect("shipped models are text");
        let Some(mutant) = mutant(rng, path, &text) else { return };
        n_models += 1;
        let mut known: BTreeMap<String, (Verdict, &str)> = BTreeMap::new();
        let tables = Tables::default();
        let engines: Vec<&str> = tables.engines.iter().map(|engine| engine.name).collect();
        for engine in [None].into_iter().chain(engines.into_iter().map(Some)) {
            let mut verdicts = Verdicts::default();
            let ended = with_request(path, &mutant, engine, |request| check(request, &mut verdicts));
            let word = engine.unwrap_or("auto");
            if let Err(Halt::Bug(bug)) = ended {
                panic!("{} with {word}: {bug}\n{mutant}", path.display());
            }
            for (property, verdict) in verdicts.0 {
                if !matches!(verdict, Verdict::True | Verdict::False) {
                    continue;
                }
                match known.get(&property) {
                    Some((other, by)) => {
                        assert_eq!(
                            *other,
                            verdict,
                            "{property} by {by} and {word} in {}\n{mutant}",
                            path.display()
                        );
                        n_agreements += 1;
                    }
                    None => drop(known.insert(property, (verdict, word))),
                }
            }
        }
    });
    assert!(n_models == 0 || n_agreements >= n_models, "{n_agreements} agreements on {n_models} models");
}
