//! The `vacuity` suite: VAQUOT beside the naive method and plain model checking, with the columns of a published table \[Bob09\].
//!
//! Models are those of the corpus (not part of this repository: `../shared/corpus/nusmv`, skipped if it is not there),
//! examples, families and an elevator. Conjunctions at the top are split into formulas. Each method starts from
//! encodings of its own on the same cones of influence. The naive method shares the reachable and fair states among its
//! 2k + 1 checks; *kept* is the same method with the sets of all sub-formulas kept as well. Besides times there are
//! steps of operations on diagrams, which are the same in every run.

mod models;

use crate::MEMORY;
use crate::table::{Table, processor_timed};
use std::time::{Duration, Instant};
use tertium_check::symbolic::{Options, SymbolicChecker, SymbolicError};
use tertium_front_smv::{
    EncodeError, EncodeOptions, FlatModel, Outline, SharedCone, Specification, SpecificationKind, encode,
    read, share_cones,
};
use tertium_logic::{Formula, FormulaKind, Written};
use tertium_query::{Extent, Findings, Property, Rigid, VacuityChecker};
use tertium_support::{Cancel, Context, Limits, Source};

/// Seconds that each method has for one model unless something else is asked for.
pub(crate) const LIMIT: u64 = 10;

/// Formulas with fewer atoms are left out of the second table.
const MANY_ATOMS: usize = 5;

/// The methods take turns so often, at most, and as long as one model has not taken so many seconds; the shortest times count.
const ROUNDS: usize = 300;
const ENOUGH: f64 = 4.0;

/// Prints both tables: `limit` seconds for each method and model, only models whose name contains `filter`.
pub(crate) fn run(limit: u64, filter: &str) {
    let mut all = Table::new([
        "Model",
        "Formulas",
        "Vacuous",
        "MC mem",
        "MC time",
        "Witnesses",
        "Naive time",
        "VAQUOT time",
        "VAQUOT / naive",
        "kept time",
        "VAQUOT / kept",
    ]);
    let mut many = Table::new([
        "model",
        "formulas",
        "atoms",
        "witnesses",
        "naive s",
        "VAQUOT s",
        "VAQUOT / naive",
        "kept s",
        "VAQUOT / kept",
        "steps: VAQUOT / naive",
        "VAQUOT / kept",
    ]);
    for (name, text) in models::all().into_iter().filter(|(name, _)| name.contains(filter)) {
        let Ok((flat, _)) = read(Source::new(&name, text)) else {
            println!("vacuity: {name} could not be read: skipped");
            continue;
        };
        let formulas = formulas(&flat);
        if formulas.is_empty() {
            continue;
        }
        let subject = Subject { flat: &flat, formulas: &formulas, limit };
        let [checked, naive, kept, vaquot] = subject.best();
        agree(&name, &naive, &vaquot);
        agree(&name, &kept, &vaquot);
        all.row(row(&name, &formulas, &checked, [&naive, &kept, &vaquot]));
        many.rows(row_of_many(&name, &formulas, [&naive, &kept, &vaquot]));
    }
    all.print(&format!(
        "Vacuity; times in s, at most {limit}, with encoding and reachable states; memory in MB"
    ));
    many.print(&format!(
        "Formulas with at least {MANY_ATOMS} atoms; times without encoding, reachable and fair states"
    ));
}

/// A formula of a model by itself.
struct Asked {
    specification: Specification,
    property: Property,
    written: Written,
}

impl Asked {
    fn n_atoms(&self) -> usize {
        self.written.atoms().len()
    }
}

/// The formulas of CTL and the invariants of a model, conjunctions at the top split.
fn formulas(flat: &FlatModel) -> Vec<Asked> {
    let mut asked = Vec::new();
    for specification in &flat.specifications {
        let (property, formula) = match &specification.kind {
            SpecificationKind::Ctl(formula) => (Property::Ctl, formula),
            SpecificationKind::Invariant(formula) => (Property::Invariant, formula),
            _ => continue,
        };
        let mut parts = Vec::new();
        conjuncts(formula, &mut parts);
        for part in parts {
            let written = Written::new(&part);
            let kind = match property {
                Property::Ctl => SpecificationKind::Ctl(part),
                Property::Invariant => SpecificationKind::Invariant(part),
            };
            let specification = Specification { kind, ..specification.clone() };
            asked.push(Asked { specification, property, written });
        }
    }
    asked
}

fn conjuncts(formula: &Formula, found: &mut Vec<Formula>) {
    match &formula.kind {
        FormulaKind::And(parts) => parts.iter().for_each(|part| conjuncts(part, found)),
        _ => found.push(formula.clone()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Check,
    Naive,
    Kept,
    Vaquot,
}

const METHODS: [Method; 4] = [Method::Check, Method::Naive, Method::Kept, Method::Vaquot];

/// What one method made of one formula: seconds, steps of operations on diagrams, and the findings unless it only checks.
struct Answer {
    seconds: f64,
    steps: u64,
    findings: Option<Findings>,
}

/// What one method made of one model.
struct Run {
    /// Encoding, reachable and fair states.
    preparation: f64,
    /// For every formula; `None` if a limit was reached.
    answers: Option<Vec<Answer>>,
    /// The peak of the heap, in bytes.
    memory: usize,
}

impl Run {
    fn improve(&mut self, again: Run) {
        self.preparation = self.preparation.min(again.preparation);
        for (one, other) in self.answers.iter_mut().flatten().zip(again.answers.into_iter().flatten()) {
            one.seconds = one.seconds.min(other.seconds);
        }
    }

    fn seconds(&self) -> Option<f64> {
        let answers = self.answers.as_ref()?;
        Some(self.preparation + answers.iter().map(|answer| answer.seconds).sum::<f64>())
    }
}

struct Subject<'a> {
    flat: &'a FlatModel,
    formulas: &'a [Asked],
    limit: u64,
}

impl Subject<'_> {
    /// The best runs of the methods, formula by formula.
    fn best(&self) -> [Run; 4] {
        let start = Instant::now();
        let mut best = METHODS.map(|method| self.run(method));
        for _ in 1..ROUNDS {
            if start.elapsed().as_secs_f64() > ENOUGH {
                break;
            }
            for (best, method) in best.iter_mut().zip(METHODS) {
                best.improve(self.run(method));
            }
        }
        best
    }

    fn run(&self, method: Method) -> Run {
        let context = Context::new(
            Limits {
                time: Some(Duration::from_secs(self.limit)),
                memory: Some(4 << 30),
                ..Limits::default()
            },
            Cancel::default(),
        );
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let specifications: Vec<&Specification> =
            self.formulas.iter().map(|one| &one.specification).collect();
        let mut answers: Vec<Option<Answer>> = self.formulas.iter().map(|_| None).collect();
        let (cones, mut preparation) =
            processor_timed(|| share_cones(self.flat, &Outline::new(self.flat), &specifications));
        for cone in cones {
            match self.on_cone(&context, method, &cone, &mut answers) {
                Some(seconds) => preparation += seconds,
                None => return Run { preparation, answers: None, memory: 0 },
            }
        }
        let answers = answers.into_iter().map(|answer| answer.expect("each is in one cone")).collect();
        Run { preparation, answers: Some(answers), memory: MEMORY.peak_usage() - before }
    }

    /// Answers the formulas of one cone, and says how long the preparation took; `None` if a limit was reached.
    fn on_cone(
        &self,
        context: &Context,
        method: Method,
        cone: &SharedCone,
        answers: &mut [Option<Answer>],
    ) -> Option<f64> {
        let options = EncodeOptions {
            keep: cone.keep.clone(),
            reorder_from: Some(200_000),
            ..EncodeOptions::default()
        };
        let (encoded, mut preparation) = processor_timed(|| {
            let mut encoded = encode(context, self.flat, &options)?;
            for &at in &cone.specifications {
                encoded.register(&self.formulas[at].specification)?;
            }
            Ok(encoded)
        });
        let encoded = match encoded {
            Ok(encoded) => encoded,
            Err(EncodeError::Stopped(_)) => return None,
            Err(EncodeError::Model(complaint)) => panic!("the models have a meaning: {complaint:?}"),
        };
        let options = Options { evidence: 0, find_deadlocks: false, ..Options::default() };
        let mut checker = SymbolicChecker::new(context, &encoded.model, options);
        let (prepared, seconds) = processor_timed(|| {
            checker.reachable()?;
            checker.fair_states()
        });
        preparation += seconds;
        prepared.ok()?;
        let mut rigid = Rigid::default();
        for &at in &cone.specifications {
            let before = encoded.model.manager.n_steps();
            let (findings, seconds) =
                processor_timed(|| self.formulas[at].answer(method, &mut checker, &mut rigid));
            let steps = encoded.model.manager.n_steps() - before;
            answers[at] = Some(Answer { seconds, steps, findings: findings.ok()? });
        }
        Some(preparation)
    }
}

impl Asked {
    fn answer(
        &self,
        method: Method,
        checker: &mut SymbolicChecker<'_>,
        rigid: &mut Rigid,
    ) -> Result<Option<Findings>, SymbolicError> {
        let atoms = self.written.atoms();
        let (property, written) = (self.property, &self.written);
        if method == Method::Check {
            return match property {
                Property::Ctl => checker.check_ctl(written.formula()).map(|_| None),
                Property::Invariant => checker.check_invariant(written.formula()).map(|_| None),
            };
        }
        let mut vacuity = VacuityChecker::new(checker, rigid);
        let findings = match method {
            Method::Kept => vacuity.naive_with_kept_sets(property, written, &atoms)?,
            Method::Vaquot => vacuity.vaquot(property, written, &atoms)?,
            _ => vacuity.naive(property, written, &atoms)?,
        };
        Ok(Some(findings))
    }
}

/// Stops everything if the methods differ.
fn agree(name: &str, naive: &Run, vaquot: &Run) {
    let (Some(naive), Some(vaquot)) = (&naive.answers, &vaquot.answers) else { return };
    for (one, other) in naive.iter().zip(vaquot) {
        let (Some(one), Some(other)) = (&one.findings, &other.findings) else { continue };
        assert_eq!((one.holds, &one.vacuous), (other.holds, &other.vacuous), "{name}: both methods agree");
    }
}

fn row(name: &str, formulas: &[Asked], checked: &Run, [naive, kept, vaquot]: [&Run; 3]) -> [String; 11] {
    let time = |run: &Run| run.seconds().map_or("-".to_owned(), |seconds| format!("{seconds:.3}"));
    let findings = [vaquot, naive].into_iter().find_map(|run| run.answers.as_ref());
    let is_vacuous = |(asked, answer): &(&Asked, &Answer)| {
        answer.findings.as_ref().is_some_and(|found| found.extent(&asked.written) != Extent::None)
    };
    let n_vacuous = findings.map(|answers| formulas.iter().zip(answers).filter(is_vacuous).count());
    let witnesses: usize = formulas.iter().map(|asked| 2 * asked.n_atoms() + 1).sum();
    [
        name.to_owned(),
        formulas.len().to_string(),
        n_vacuous.map_or("-".to_owned(), |n| n.to_string()),
        format!("{:.1}", checked.memory as f64 / 1e6),
        time(checked),
        witnesses.to_string(),
        time(naive),
        time(vaquot),
        ratio(naive.seconds(), vaquot.seconds()),
        time(kept),
        ratio(kept.seconds(), vaquot.seconds()),
    ]
}

fn ratio(naive: Option<f64>, vaquot: Option<f64>) -> String {
    match (naive, vaquot) {
        (Some(naive), Some(vaquot)) => format!("{:.2}", vaquot / naive.max(1e-9)),
        _ => "-".to_owned(),
    }
}

/// The row of the second table, if the model has such formulas.
fn row_of_many(name: &str, formulas: &[Asked], [naive, kept, vaquot]: [&Run; 3]) -> Option<[String; 11]> {
    let places: Vec<usize> = (0..formulas.len()).filter(|&at| formulas[at].n_atoms() >= MANY_ATOMS).collect();
    if places.is_empty() {
        return None;
    }
    let seconds = |run: &Run, at: usize| run.answers.as_ref().map(|answers| answers[at].seconds);
    let total = |run: &Run| places.iter().map(|&at| seconds(run, at)).sum::<Option<f64>>();
    let steps = |run: &Run| {
        let answers = run.answers.as_ref()?;
        Some(places.iter().map(|&at| answers[at].steps as f64).sum::<f64>())
    };
    let n_atoms: usize = places.iter().map(|&at| formulas[at].n_atoms()).sum();
    let shown = |seconds: Option<f64>| seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.4}"));
    Some([
        name.to_owned(),
        places.len().to_string(),
        n_atoms.to_string(),
        (2 * n_atoms + places.len()).to_string(),
        shown(total(naive)),
        shown(total(vaquot)),
        ratio(total(naive), total(vaquot)),
        shown(total(kept)),
        ratio(total(kept), total(vaquot)),
        ratio(steps(naive), steps(vaquot)),
        ratio(steps(kept), steps(vaquot)),
    ])
}
