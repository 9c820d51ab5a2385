//! The judge of proofs that points are not reached.
//!
//! It takes conditions at points and shows every obligation by itself, in a thread of its own with a context of Z3 of its own and copies
//! of the terms. It knows nothing about where the conditions come from: an abstraction, a hint of Spacer, a file. A solver that gives
//! up leaves the obligation open, and so does a limit: the proof then does not stand, and neither does it fail.

use crate::obligations::{Obligation, Question, questions};
use crate::{Entries, Invariants};
use std::collections::BTreeSet;
use tertium_expr::{Terms, Transplant, Variable};
use tertium_program::{Icfg, PointId};
use tertium_solve::{Answer, Model, Solver, Z3};
use tertium_support::{Context, StopReason};

/// What the judge says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// All obligations were shown: the targets are not reached.
    Stands,
    /// An obligation fails.
    Fails {
        /// Which.
        obligation: Obligation,
        /// Where, if the solver can tell. Variables of a callee and values after a call have names of their own.
        model: Option<Model>,
    },
    /// The condition at this point speaks of something that is not in scope there.
    Malformed(PointId),
    /// The solver did not answer this.
    GaveUp(Obligation),
    /// A limit of the run was reached. Nothing is said about the proof.
    Stopped(StopReason),
}

/// Whether conditions prove that targets are not reached. Costs a question for each edge that leaves where a condition is not false, and
/// two for a call.
pub fn validate(
    context: &Context,
    icfg: &Icfg,
    entries: &Entries,
    invariants: &Invariants,
    targets: &[PointId],
) -> Judgement {
    if let Some(point) = malformed(icfg, entries, invariants) {
        return Judgement::Malformed(point);
    }
    let copies = Terms::new();
    let mut transplant = Transplant::new(&icfg.terms, &copies);
    let questions: Vec<Question> = questions(icfg, entries, invariants, targets)
        .into_iter()
        .map(|question| Question {
            together: question.together.into_iter().map(|part| transplant.term(part)).collect(),
            ..question
        })
        .collect();
    let judged = std::thread::scope(|scope| {
        let work = move || (all_shown(context, &copies, &questions), copies);
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    // A thread is refused where there is no room for its stack.
    let Ok((judgement, copies)) = judged else { return Judgement::Stopped(StopReason::MemoryLimit) };
    match judgement {
        Judgement::Fails { obligation, model } => {
            let back = Transplant::new(&copies, &icfg.terms);
            let model = model.map(|model| {
                Model::new(model.iter().map(|(variable, value)| (back.variable(variable), value.clone())))
            });
            Judgement::Fails { obligation, model }
        }
        other => other,
    }
}

/// Translating deep terms is recursive.
const STACK: usize = 256 << 20;

/// A point whose condition speaks of something else than variables in scope and ghosts of its procedure.
fn malformed(icfg: &Icfg, entries: &Entries, invariants: &Invariants) -> Option<PointId> {
    let is_wrong = |point: PointId, procedure| {
        let ghosts = entries.of_procedure(icfg, procedure).map(|(_, ghost)| ghost);
        let known: BTreeSet<Variable> = icfg.in_scope(procedure).chain(ghosts).collect();
        !icfg.terms.variables_of(invariants.get(icfg, point)).is_subset(&known)
    };
    invariants.at.keys().copied().find(|&point| is_wrong(point, icfg.point(point).procedure))
}

/// Asks one question after the other until one is not answered by "no".
fn all_shown(context: &Context, terms: &Terms, questions: &[Question]) -> Judgement {
    let mut shared = Z3::with_steps(FIRST);
    for question in questions {
        if let Err(reason) = context.poll() {
            return Judgement::Stopped(reason);
        }
        let mut answer = ask(context, terms, question, &mut shared);
        let mut patient;
        let mut solver = &mut shared;
        if answer == Answer::GaveUp {
            patient = Z3::new();
            solver = &mut patient;
            answer = ask(context, terms, question, solver);
        }
        match answer {
            Answer::Unsatisfiable => {}
            Answer::Satisfiable => {
                return Judgement::Fails { obligation: question.obligation, model: solver.model(terms) };
            }
            Answer::GaveUp => return Judgement::GaveUp(question.obligation),
            Answer::Stopped(reason) => return Judgement::Stopped(reason),
        }
    }
    Judgement::Stands
}

/// The steps of a first try, which is made with one solver for all questions. A second has a solver of its own.
const FIRST: u32 = Z3::STEPS / 16;

fn ask(context: &Context, terms: &Terms, question: &Question, solver: &mut Z3) -> Answer {
    solver.push();
    let (assumed, asserted): (Vec<_>, Vec<_>) =
        question.together.iter().copied().partition(|&part| terms.is_nonlinear(part));
    asserted.iter().for_each(|&part| solver.assert(terms, part));
    let answer = solver.check(context, terms, &assumed);
    solver.pop();
    answer
}
