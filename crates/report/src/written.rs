//! Results that were written as JSON, read back: the runs in them, to be replayed.
//!
//! Only what a replay needs is read, and only from files of this version of the schema. What is read is checked for its shape: every
//! path is well formed, values are texts, and a path in a tree goes on from the state that its claim is about. Nothing else is
//! promised: the file may be anybody's.

use crate::json::SCHEMA;
use crate::json_path::{ClaimReport, PathReport, StateReport};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The runs of a file.
#[derive(Clone, Debug)]
pub struct WrittenRuns {
    /// Whether labels of steps carried modalities.
    pub modal: bool,
    /// The parameters that were set, with their values.
    pub set: BTreeMap<String, String>,
    /// One entry for each property or test, in the order of the file.
    pub entries: Vec<WrittenRun>,
}

/// A property with the runs that were shown for it, or a test.
#[derive(Clone, Debug)]
pub struct WrittenRun {
    /// The property: its name, or its number, or its formula; or `test 3`.
    pub name: String,
    /// The property; nothing for a test.
    pub property: Option<WrittenProperty>,
    /// Its runs, or why there are none.
    pub runs: Result<Vec<PathReport>, String>,
    /// The tree of claims that the runs stand in, if they do.
    pub tree: Option<WrittenTree>,
}

/// A tree of claims: every claim but the first is referred to once, by one before it.
#[derive(Clone, Debug)]
pub struct WrittenTree {
    /// What the first claim is about.
    pub initial: StateReport,
    /// The claims.
    pub claims: Vec<ClaimReport>,
}

/// A property as it was written.
#[derive(Clone, Debug)]
pub struct WrittenProperty {
    /// The formula, if it was read.
    pub formula: Option<String>,
    /// Whether it stood in the file of the model.
    pub of_file: bool,
    /// Whether it was true or false; nothing if it was neither.
    pub verdict: Option<bool>,
}

/// Reads a file of this name, or says what is wrong with it.
pub fn read_written(name: &str, text: &str) -> Result<WrittenRuns, String> {
    let name = cut(name);
    let wrong = |error: serde_json::Error| {
        let why = error.to_string();
        let why = cut(why.rsplit_once(" at line ").map_or(why.as_str(), |(why, _)| why));
        let place = if error.line() == 0 {
            String::new()
        } else {
            format!(":{}:{}", error.line(), error.column().max(1))
        };
        format!("{name}{place}: this is no JSON result of ours: {why}")
    };
    let head: Head = serde_json::from_str(text).map_err(wrong)?;
    if head.schema != SCHEMA {
        let schema = cut(&head.schema);
        return Err(format!("{name} is of schema `{schema}`; this version reads `{SCHEMA}`"));
    }
    let malformed = |why: String| format!("{name} is no JSON result of ours: {why}");
    match head.command.as_str() {
        "check" => serde_json::from_str::<CheckFile>(text).map_err(wrong)?.runs().map_err(malformed),
        "tests" => serde_json::from_str::<TestsFile>(text).map_err(wrong)?.runs().map_err(malformed),
        "simulate" => serde_json::from_str::<SimulateFile>(text).map_err(wrong)?.runs().map_err(malformed),
        other => Err(format!(
            "{name} is the result of `tertium {}`, which has no runs; give one of `check`, `tests` or `simulate`",
            cut(other)
        )),
    }
}

/// A text from a file of anybody's, short enough for a message; what is left out has a mark.
pub fn cut(name: &str) -> String {
    const LONGEST: usize = 60;
    let plain = crate::names::plain(name);
    match plain.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &plain[..end]),
        None => plain.into_owned(),
    }
}

#[derive(Deserialize)]
struct Head {
    schema: String,
    command: String,
}

#[derive(Deserialize)]
struct CheckFile {
    settings: Settings,
    results: Vec<CheckEntry>,
}

#[derive(Deserialize)]
struct Settings {
    modal: bool,
    semantics: String,
    #[serde(default)]
    set: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct CheckEntry {
    property: Named,
    verdict: String,
    evidence: Option<Kept>,
    origin: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    file: Option<String>,
    formula: Option<String>,
}

#[derive(Deserialize)]
struct TestsFile {
    tests: Vec<PathReport>,
}

#[derive(Deserialize)]
struct SimulateFile {
    modal: bool,
    set: BTreeMap<String, String>,
    trace: Option<PathReport>,
}

/// Evidence, as far as a replay needs it.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", expecting = "evidence")]
enum Kept {
    Trace {
        #[serde(flatten)]
        path: PathReport,
    },
    Tree {
        initial: StateReport,
        claims: Vec<ClaimReport>,
    },
    Open {
        #[serde(flatten)]
        path: PathReport,
    },
    Contradiction {
        proof: Box<Kept>,
        refutation: Box<Kept>,
    },
    Strategy {},
    Invariant {},
    InductiveSet {},
    Enumeration {},
}

impl CheckFile {
    fn runs(self) -> Result<WrittenRuns, String> {
        let reduced = self.settings.semantics == "ris";
        let entries = self.results.into_iter().map(|entry| entry.run(reduced));
        let entries = entries.collect::<Result<_, String>>()?;
        Ok(WrittenRuns { modal: self.settings.modal, set: self.settings.set, entries })
    }
}

impl CheckEntry {
    fn run(self, reduced: bool) -> Result<WrittenRun, String> {
        let verdict = match self.verdict.as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        let wrong = |why: String| format!("a trace of `{}` {why}", cut(&self.property.name));
        let lacking = match &self.evidence {
            None => Some("no evidence was written"),
            Some(Kept::Open { .. }) if reduced => {
                Some("under reduced semantics the way to what is open may jump between states")
            }
            Some(kept) => {
                let of_sets = Some("its states are abstract, and each stands for many of the model");
                kept.lacks_runs().or(of_sets.filter(|_| self.origin.as_deref() == Some("abstract")))
            }
        };
        let tree = match &self.evidence {
            Some(Kept::Tree { initial, claims }) if lacking.is_none() => {
                Some(WrittenTree { initial: initial.clone(), claims: claims.clone() })
            }
            _ => None,
        };
        let runs = match (lacking, self.evidence) {
            (None, Some(kept)) => Ok(kept.paths().map_err(wrong)?),
            (why, _) => Err(why.unwrap_or_default().to_owned()),
        };
        for path in runs.iter().flatten() {
            check(path).map_err(wrong)?;
        }
        let property = WrittenProperty {
            formula: self.property.formula,
            of_file: self.property.file.is_some(),
            verdict,
        };
        Ok(WrittenRun { name: self.property.name, property: Some(property), runs, tree })
    }
}

impl TestsFile {
    fn runs(self) -> Result<WrittenRuns, String> {
        let entry = |(n, path): (usize, PathReport)| {
            let name = format!("test {}", n + 1);
            check(&path).map_err(|why| format!("{name} {why}"))?;
            Ok(WrittenRun { name, property: None, runs: Ok(vec![path]), tree: None })
        };
        let entries = self.tests.into_iter().enumerate().map(entry).collect::<Result<_, String>>()?;
        Ok(WrittenRuns { modal: false, set: BTreeMap::new(), entries })
    }
}

impl SimulateFile {
    fn runs(self) -> Result<WrittenRuns, String> {
        let name = "run".to_owned();
        self.trace.as_ref().map_or(Ok(()), check).map_err(|why| format!("the {name} {why}"))?;
        let runs = self.trace.map(|path| vec![path]).ok_or_else(|| "it ended before it began".to_owned());
        let entries = vec![WrittenRun { name, property: None, runs, tree: None }];
        Ok(WrittenRuns { modal: self.modal, set: self.set, entries })
    }
}

impl Kept {
    /// Why there is no run in it, if that is so.
    fn lacks_runs(&self) -> Option<&'static str> {
        match self {
            Self::Trace { .. } | Self::Tree { .. } | Self::Open { .. } => None,
            Self::Contradiction { proof, refutation } => refutation.lacks_runs().and(proof.lacks_runs()),
            Self::Strategy {} => Some("a strategy is no single run"),
            Self::Invariant {} | Self::InductiveSet {} => Some("an invariant is about all runs"),
            Self::Enumeration {} => Some("an enumeration of refinements is no run"),
        }
    }

    /// The runs: the first begins where the model does, the others at a state of one before.
    fn paths(self) -> Result<Vec<PathReport>, String> {
        match self {
            Self::Trace { path } | Self::Open { path } => Ok(vec![path]),
            Self::Tree { initial, claims } => {
                let mut paths = collect(claims, &initial)?;
                if paths.is_empty() {
                    paths.push(PathReport { states: vec![initial], steps: Vec::new(), loop_start: None });
                }
                Ok(paths)
            }
            Self::Contradiction { proof, refutation } => {
                if refutation.lacks_runs().is_none() {
                    refutation.paths()
                } else {
                    proof.paths()
                }
            }
            Self::Strategy {} | Self::Invariant {} | Self::InductiveSet {} | Self::Enumeration {} => {
                Ok(Vec::new())
            }
        }
    }
}

/// The paths of a tree. Every claim but the first is referred to once, by one before it, which says what state it is about.
fn collect(claims: Vec<ClaimReport>, initial: &StateReport) -> Result<Vec<PathReport>, String> {
    let mut about: Vec<Option<StateReport>> = vec![None; claims.len()];
    *about.first_mut().ok_or_else(|| "has no claim".to_owned())? = Some(initial.clone());
    let mut paths = Vec::new();
    for (number, claim) in claims.into_iter().enumerate() {
        let astray = || "has a claim that no one before it rests on".to_owned();
        let state = about[number].take().ok_or_else(astray)?;
        let mut rests_on = |other: usize, state: &StateReport| match about.get_mut(other) {
            Some(place @ None) if other > number => {
                *place = Some(state.clone());
                Ok(())
            }
            _ => Err(astray()),
        };
        claim.parts.iter().try_for_each(|&part| rests_on(part, &state))?;
        let Some(path) = claim.path else { continue };
        if path.states.first() != Some(&state) {
            return Err("begins elsewhere than its claim".to_owned());
        }
        for along in &claim.along {
            let at = path.states.get(along.state);
            rests_on(along.claim, at.ok_or_else(|| "has a claim about none of its states".to_owned())?)?;
        }
        paths.push(path);
    }
    Ok(paths)
}

/// Refuses a path that is none, or whose values are no texts.
fn check(path: &PathReport) -> Result<(), String> {
    if !path.trace().is_well_formed() {
        return Err("has too few or too many steps, or its loop starts nowhere".to_owned());
    }
    let states = path.states.iter().map(|state| &state.values);
    let other = |values: &&Map<String, Value>| values.values().any(|value| !value.is_string());
    match states.chain(path.steps.iter().map(|step| &step.inputs)).find(other) {
        None => Ok(()),
        Some(_) => Err("has a value that is no text".to_owned()),
    }
}
