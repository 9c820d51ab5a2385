//! Branches that a first search did not take: a run that takes each, a proof that there is none, or why neither was found.
//!
//! Whether a branch can be taken is a question about the program: can a state be reached where the step is enabled, and the condition has
//! the value? It is answered as `check`
//! answers such questions: by predicate abstraction with refinement, then by search. A run is replayed by the interpreter, a proof is
//! asked again of a fresh solver and its strategy validated. Each question has the same budget of work. Predicates that one question
//! led to are where the next one begins.
//!
//! Of a step with inputs, what the guard and the condition say without them is asked about. Where that cannot be reached the branch cannot
//! be taken; where it can, all values of the inputs are tried, or some if there are too many.

use crate::engines::abstraction::Rechecked;
use crate::engines::confirm::OnSystem;
use crate::{Halt, Options, Replay};
use std::sync::Arc;
use tertium_check::Semantics;
use tertium_evidence::Outcome;
use tertium_explore::{Run, check_run};
use tertium_expr::{Term, Value};
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier};
use tertium_program::{Interpreter, Precision, Program, Step, StepTaken};
use tertium_refine::{Answer, Question, Support, decide, decide_by_search};
use tertium_search::{Branch, Suite};
use tertium_solve::{Prover, Z3};
use tertium_support::{Context, Limits};
use tertium_system::PartialSystem;
use tertium_truth::{Cause, Verdict};

/// The work that each question may take: about a second.
const EACH: u64 = 1 << 28;

/// Why no test takes a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// It was proved that no run does.
    Unreachable,
    /// Neither a run nor a proof was found.
    Open(Cause),
}

/// Looks for runs that take the branches that no test of the suite takes; adds them, and says why others are missing.
pub(super) fn look_for(
    context: &Context,
    program: &Program,
    options: &Options,
    searched: &tertium_search::Answer<'_>,
    given: &Precision,
    suite: &mut Suite,
) -> Result<Vec<(Branch, Missing)>, Halt> {
    let mut hints = given.clone();
    let mut missing = Vec::new();
    for at in 0..suite.coverage.branches.len() {
        let (branch, taken) = suite.coverage.branches[at];
        if taken > 0 {
            continue;
        }
        let mut look = Look { context, program, options, hints: &mut hints };
        match look.at(branch)? {
            Ok(run) => suite.add(searched, run),
            Err(why) => missing.push((branch, why)),
        }
    }
    Ok(missing)
}

struct Look<'a> {
    context: &'a Context,
    program: &'a Program,
    options: &'a Options,
    /// Where the next question begins.
    hints: &'a mut Precision,
}

impl Look<'_> {
    /// A run that ends with a step that takes the branch, or why there is none.
    fn at(&mut self, branch: Branch) -> Result<Result<Run, Missing>, Halt> {
        if let Err(reason) = self.context.poll() {
            return Ok(Err(Missing::Open(reason.into())));
        }
        let goal = goal(self.program, branch);
        let (found, _cancel) = self.context.branch_with(Limits { work: Some(EACH), ..Limits::default() });
        let answer = self.answer(&found, goal);
        self.hints.add_all(&answer.learnt.precision);
        match (answer.outcome.verdict, answer.support) {
            (Verdict::True, Support::Run((run, _))) => {
                check_run(self.program, &run, goal).map_err(|flaw| wrong(&flaw))?;
                Ok(self.taken(run, branch).ok_or(Missing::Open(Cause::Bound)))
            }
            (Verdict::False, Support::Abstract(system)) => {
                let on_system = on_system(system.system.clone(), answer.outcome);
                let propositions = vec![(GOAL.to_owned(), goal)];
                let again = Rechecked {
                    program: self.program,
                    propositions,
                    found: Arc::new(*system),
                    relied_on: Vec::new(),
                };
                unless_open(confirmed(&found, on_system, &[&again]))
            }
            (Verdict::False, Support::AllStates(all)) => {
                unless_open(confirmed(&found, on_system(all.system, answer.outcome), &[]))
            }
            (Verdict::Unknown(cause), _) => Ok(Err(Missing::Open(cause))),
            (Verdict::True | Verdict::False, _) => Ok(Err(Missing::Open(Cause::Imprecise))),
        }
    }

    /// Whether a state can be reached where the goal holds.
    fn answer(&self, context: &Context, goal: Term) -> Answer {
        let formula = reaches();
        let propositions = [(GOAL.to_owned(), goal)];
        let precision = self.hints.clone();
        let question =
            Question { program: self.program, formula: &formula, propositions: &propositions, precision };
        let settings = tertium_refine::Settings { guards: self.options.guards, ..Default::default() };
        let answer = decide(context, &question, &settings, Prover::new(Z3::new()));
        match answer.outcome.verdict {
            Verdict::Unknown(_) if context.poll().is_ok() => {
                let settings = self.options.search_settings();
                let again = decide_by_search(context, &question, &settings, Prover::new(Z3::new()));
                if matches!(again.outcome.verdict, Verdict::Unknown(_)) { answer } else { again }
            }
            _ => answer,
        }
    }

    /// The run with one more step that takes the branch; nothing if no inputs are found with which there is one.
    fn taken(&self, mut run: Run, branch: Branch) -> Option<Run> {
        let interpreter = Interpreter::new(self.program);
        let Branch { command, way, .. } = branch;
        let step = branch.step(self.program);
        let last = run.last();
        let mut inputs = step.all_inputs().unwrap_or_else(|| some_inputs(step)).into_iter();
        let (taken, state) = inputs.find_map(|inputs| {
            let taken = StepTaken { command, step: way, inputs };
            let state = interpreter.follow(last, &taken)?;
            branch.is_taken(&interpreter, last, &taken).then_some((taken, state))
        })?;
        run.push(taken, state);
        Some(run)
    }
}

/// A proof that the goal cannot be reached, on the system that it is about.
fn on_system(system: PartialSystem, outcome: Outcome) -> Option<OnSystem> {
    outcome.evidence.map(|evidence| OnSystem {
        system: Arc::new(system),
        ranks: None,
        semantics: Semantics::Sis,
        formula: reaches(),
        verdict: Verdict::False,
        evidence,
    })
}

/// Whether such a proof stands up to its validators, these and its own, or why that is open.
fn confirmed(
    context: &Context,
    on_system: Option<OnSystem>,
    others: &[&dyn Replay],
) -> Result<Result<(), Cause>, Halt> {
    let Some(on_system) = on_system else { return Ok(Err(Cause::Evidence)) };
    for replay in others.iter().copied().chain([&on_system as &dyn Replay]) {
        match replay.replay(context) {
            Ok(()) => {}
            Err(crate::Flaw::Wrong(flaw)) => return Err(wrong(&flaw)),
            Err(crate::Flaw::GaveUp | crate::Flaw::NoMeans) => return Ok(Err(Cause::Solver)),
            Err(crate::Flaw::Stopped(reason)) => return Ok(Err(reason.into())),
        }
    }
    Ok(Ok(()))
}

/// That a branch cannot be taken, if this is confirmed.
fn unless_open(confirmed: Result<Result<(), Cause>, Halt>) -> Result<Result<Run, Missing>, Halt> {
    Ok(Err(confirmed?.map_or_else(Missing::Open, |()| Missing::Unreachable)))
}

/// The name of what is to be reached.
const GOAL: &str = "goal";

/// That the goal can be reached.
fn reaches() -> Formula {
    let goal = Box::new(Formula::proposition(GOAL));
    FormulaKind::Path(PathQuantifier::Some, PathOperator::Finally(goal)).into()
}

/// Where the branch may be taken: what its guard and its condition say without inputs.
fn goal(program: &Program, branch: Branch) -> Term {
    let terms = &program.terms;
    let step = branch.step(program);
    let condition =
        branch.side.map(|(condition, holds)| if holds { condition } else { terms.not(condition) });
    let parts = terms.conjuncts(step.guard).into_iter().chain(condition);
    let has_input = |part: &Term| {
        let variables = terms.variables_of(*part);
        step.inputs.iter().any(|input| variables.contains(&input.variable))
    };
    terms.and(parts.filter(|part| !has_input(part)))
}

/// So many values of an input are tried.
const FEW: usize = 64;

/// Some values of inputs that have too many.
fn some_inputs(step: &Step) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for input in &step.inputs {
        let some = input.domain.values(FEW).unwrap_or_else(|| small_integers(FEW));
        all = all
            .iter()
            .flat_map(|before: &Vec<Value>| {
                some.iter().map(|value| [before.clone(), vec![value.clone()]].concat())
            })
            .take(FEW * FEW)
            .collect();
    }
    all.retain(|inputs| step.inputs.iter().zip(inputs).all(|(input, value)| input.domain.has(value)));
    all
}

/// 0, 1, -1, 2, -2 and so on.
fn small_integers(n: usize) -> Vec<Value> {
    let signed = |at: i64| if at % 2 == 1 { at / 2 + 1 } else { -(at / 2) };
    (0..i64::try_from(n).expect("few")).map(|at| Value::Int(signed(at).into())).collect()
}

fn wrong(flaw: &str) -> Halt {
    Halt::Bug(format!("the evidence about a branch does not stand up to its validator: {flaw}"))
}
