//! Questions about systems alone: classify, refines, consistent.

use super::refused;
use super::target::Target;
use super::transform::Transform;
use crate::args::{LimitArgs, ModelArgs, ReadingArgs, TargetArgs};
use crate::exit::Status;
use crate::failure::Failure;
use crate::input::{Titled, load_system, shown};
use crate::output::Output;
use crate::question::{Reply, YesNo, ask};
use crate::run::{Run, settle};
use crate::settings::{detail, limits};
use crate::tell::print_json;
use std::path::PathBuf;
use std::sync::Arc;
use tertium_check::evaluate;
use tertium_report::{
    ClassificationReport, classification_text, consistency_evidence, consistency_text, refinement_evidence,
    refinement_text,
};
use tertium_system::PartialSystem;
use tertium_system::partial::{
    ConcreteBts, Consistency, Contradiction, classify as classify_system, consistency, refinement_violation,
};
use tertium_system::relation::{Refinement, check_refinement, refines as decide_refinement};
use tertium_truth::Belnap;

/// `model classify`.
pub(crate) fn classify(model: &ModelArgs, json: bool, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&model.limits), output);
    let (job, model) = (run.clone(), model.clone());
    settle(&run, json.then_some("model classify"), move || {
        let system = load_system(&job.context, &model.file, &model.reading)?.system;
        let file = shown(&model.file);
        let found = classify_system(&system);
        if json {
            print_json(&job.output, &ClassificationReport::new(&file, &system, &found));
        } else {
            job.output.result(&classification_text(&system, &found));
        }
        Ok(Status::True)
    })
}

/// What `model refines` takes.
#[derive(Clone, Debug)]
pub(crate) struct Refines {
    pub(crate) left: PathBuf,
    pub(crate) right: PathBuf,
    pub(crate) reading: ReadingArgs,
    pub(crate) limits: LimitArgs,
    pub(crate) json: bool,
    pub(crate) full: bool,
}

/// `model refines`.
pub(crate) fn refines(args: &Refines, output: &Arc<Output>) -> Status {
    let run = Run::start(limits(&args.limits), output);
    let names = [shown(&args.left), shown(&args.right)];
    let question = YesNo {
        command: "model refines",
        text: format!("{} refines {}", names[0], names[1]),
        files: names.to_vec(),
        json: args.json,
    };
    let (job, args) = (run.clone(), args.clone());
    ask(&run, question, move || {
        let load = |path| load_system(&job.context, path, &args.reading).map(|titled| titled.system);
        let (left, right) = (load(&args.left)?, load(&args.right)?);
        let refinement = decide_refinement(&job.context, &left, &right)?;
        validate_refinement(&left, &right, &refinement).map_err(Failure::Bug)?;
        Ok(Reply {
            holds: matches!(refinement, Refinement::Holds { .. }),
            text: refinement_text(&left, &right, &shown(&args.right), &refinement, detail(args.full)),
            evidence: refinement_evidence(&left, &right, &refinement),
        })
    })
}

/// A relation is checked clause by clause, a formula by direct evaluation on both systems.
fn validate_refinement(
    left: &PartialSystem,
    right: &PartialSystem,
    refinement: &Refinement,
) -> Result<(), String> {
    match refinement {
        Refinement::Holds { relation } => {
            let related = |p| right.initial().iter().any(|&q| relation.contains(p, q));
            if !left.initial().iter().all(|&p| related(p)) {
                return Err("the relation leaves out an initial state".to_owned());
            }
            check_refinement(left, right, relation)
                .map_err(|violation| format!("no refinement: {violation:?}"))
        }
        Refinement::Fails { formula: None, .. } => Ok(()),
        Refinement::Fails { unmatched, formula: Some(formula) } => {
            let there = evaluate(right, formula);
            let here = evaluate(left, formula);
            let proved_there = right.initial().iter().all(|&state| there.must.contains(state));
            if proved_there && !here.must.contains(*unmatched) {
                Ok(())
            } else {
                Err(format!("the formula {formula} does not tell the systems apart"))
            }
        }
    }
}

/// `model consistent`.
pub(crate) fn consistent(
    model: &ModelArgs,
    json: bool,
    file: Option<PathBuf>,
    output: &Arc<Output>,
) -> Status {
    let run = Run::start(limits(&model.limits), output);
    let name = shown(&model.file);
    let question =
        YesNo { command: "model consistent", text: format!("{name} is consistent"), files: vec![name], json };
    let (job, model) = (run.clone(), model.clone());
    ask(&run, question, move || {
        let target = Target::from(TargetArgs { output: file.clone(), format: None });
        target.keep_apart([model.file.as_path()])?;
        let titled = load_system(&job.context, &model.file, &model.reading)?;
        let writer = target.writer(titled.written_as, &Transform::Monotone)?;
        let system = Arc::clone(&titled.system);
        // A system that leaves nothing open refines itself; no table of pairs is needed to see that.
        let found = if system.is_complete() && system.domain().is_none() {
            Consistency::Consistent(Box::new(PartialSystem::clone(&system)))
        } else {
            let concrete = system.domain().map_or(system.n_states(), |domain| domain.n_concrete()) as u64;
            job.context
                .reserve(concrete * concrete * system.actions().len() as u64 / 4)
                .map_err(Failure::Stopped)?;
            let found = consistency(&system).map_err(|error| refused(&model.file, &system, &error))?;
            validate_consistency(&system, &found).map_err(Failure::Bug)?;
            found
        };
        if let (Some(_), Consistency::Consistent(refinement)) = (&file, &found) {
            let system = Arc::new(refinement.as_ref().clone());
            writer.write(&job, &Titled { system, name: None, family: None, ..titled })?;
        }
        Ok(Reply {
            holds: matches!(found, Consistency::Consistent(_)),
            text: consistency_text(&system, &found),
            evidence: consistency_evidence(&system, &found),
        })
    })
}

/// A refinement is checked against the definition, a contradiction by direct evaluation.
fn validate_consistency(system: &PartialSystem, found: &Consistency) -> Result<(), String> {
    match found {
        Consistency::Consistent(refinement) => {
            let concrete = ConcreteBts::of(refinement, system).map_err(|error| format!("{error:?}"))?;
            match refinement_violation(&concrete, system) {
                None => Ok(()),
                Some(violation) => Err(violation.describe(system)),
            }
        }
        Consistency::Inconsistent(Contradiction::Must(must)) => {
            match evaluate(&must.labelled, &must.formula).at(must.state) {
                Belnap::Inconsistent => Ok(()),
                value => Err(format!("the formula {} has the value {value:?}", must.formula)),
            }
        }
        Consistency::Inconsistent(Contradiction::Label { concrete, proposition, holds, fails }) => {
            let domain = system.domain_or_flat();
            let both = domain.gamma(*holds).contains(*concrete) && domain.gamma(*fails).contains(*concrete);
            let labels = system.labels();
            let claimed = labels.get(*proposition, *holds).must() && !labels.get(*proposition, *fails).may();
            if both && claimed { Ok(()) } else { Err("the labels do not contradict each other".to_owned()) }
        }
    }
}
