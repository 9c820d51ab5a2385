//! Runs of C programs by the interpreter: with inputs that are tried, or with those of a run of the graph.
//!
//! The interpreter knows nothing of the graph, so a run that was found there and that it follows to the same end is confirmed.

use super::documents::Shown;
use super::goal::{Asked, asked, plan};
use super::meaning::{ASSERTION, ERROR, ERROR_CALL, is_error_call, points_of};
use super::recorder::Recorder;
use super::shown::{line_of, undefined_words};
use super::{CProgram, Graph};
use crate::{
    Executed, Flaw, Followed, Goal, Halt, Logic, OffersExecution, Posed, PropertyId, Replay, ShownRun,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use tertium_evidence::{Assumption, DocumentKind};
use tertium_expr::Value;
use tertium_front_c::interpret::{
    self, Ending, Holder, InputSource, Inputs, IntegerModel, Interpreter, ListedInputs, NoInputs, NoObserver,
    Observer, RandomInputs, Request, Run, RunLimits, Then, Unfit,
};
use tertium_front_c::ir::{BlockId, End, Exit, Failure, FunctionId, LocalId, Unit};
use tertium_front_c::lower::{self, InputOrigin};
use tertium_logic::FormulaKind;
use tertium_recursion::IcfgRun;
use tertium_support::{Context, Diagnostic, Id};

/// The steps of the first run with inputs; later ones may be longer.
const FIRST_STEPS: u64 = 50_000;
/// After so many runs they may have twice as many steps.
const DOUBLED_AFTER: u64 = 50;
/// The bytes of a run with inputs: it is one of many.
const MEMORY: u64 = 16 << 20;

/// What the interpreter can see of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Visible {
    /// Whether a call of the error function is asked for.
    pub(super) error_call: bool,
    /// Whether an assertion that fails is asked for.
    pub(super) assertion: bool,
    /// Blocks that are asked for.
    pub(super) blocks: BTreeSet<(FunctionId, BlockId)>,
    /// Whether that is all that is asked for.
    is_all: bool,
    /// Whether the property holds if there is such a run.
    holds: bool,
}

/// A program made for a goal: it fails where the goal is, and nowhere else.
type Made = (Visible, Rc<Result<Interpreter, Unfit>>);

/// Programs that were made for goals.
#[derive(Default)]
pub(super) struct Programs(RefCell<Vec<Made>>);

impl Visible {
    /// Nothing is asked for.
    pub(super) fn nothing() -> Self {
        Self { error_call: false, assertion: false, blocks: BTreeSet::new(), is_all: true, holds: false }
    }

    /// Whether a run that ends somewhere shows that the property fails.
    pub(super) fn can_fail(&self) -> bool {
        !self.holds && (self.error_call || self.assertion || !self.blocks.is_empty())
    }
}

fn shows(ending: &Ending) -> bool {
    matches!(ending, Ending::Failed(..))
}

impl CProgram {
    /// What the interpreter can see of what is asked; nothing if it is no goal.
    pub(super) fn visible(&self, property: PropertyId, logic: &Logic) -> Option<Visible> {
        let graph = &self.graph;
        let icfg = &graph.icfg;
        let asked = asked(logic);
        let plan = plan(icfg, self.meaning(property), &asked)?;
        let holds = plan.goal.holds();
        let none = Visible { holds, ..Visible::nothing() };
        let Goal::Reach { targets, .. } = plan.goal else { return Some(none) };
        let (errors, assertions) = (points_of(icfg, [ERROR_CALL]), points_of(icfg, [ASSERTION]));
        let mut visible = Visible { is_all: plan.watched.is_empty(), ..none };
        // The graph has no point for what is never reached, as it thinks. Runs of the program do not depend on that.
        if let Asked::Reach { state, .. } = &asked
            && let FormulaKind::Proposition(name) = &state.kind
        {
            visible.assertion = name == ERROR;
            visible.error_call = name == ERROR || is_error_call(name);
        }
        for point in targets {
            let function = graph.functions.get(&icfg.point(point).procedure);
            match (function, graph.blocks.get(&point)) {
                _ if errors.contains(&point) => visible.error_call = true,
                _ if assertions.contains(&point) => visible.assertion = true,
                (Some(&function), Some(&block)) => {
                    visible.blocks.insert((function, block));
                }
                _ => visible.is_all = false,
            }
        }
        Some(visible)
    }

    /// The program with what is asked for as its only failures.
    fn made_for(&self, visible: &Visible) -> Unit {
        let mut unit = self.unit.clone();
        for (number, function) in unit.functions.iter_mut().enumerate() {
            let Some(body) = &mut function.body else { continue };
            for (block, own) in body.blocks.iter_mut().enumerate() {
                let id = BlockId::new(block);
                if visible.blocks.contains(&(FunctionId::new(number), id)) {
                    let first = own.instructions.first().map_or(own.span, |first| first.span);
                    own.span = body.label_spans.get(&id).copied().unwrap_or(first);
                    own.instructions.clear();
                    own.end = End::Error(Failure::ErrorCall);
                    continue;
                }
                let is_wanted = match own.end {
                    End::Error(Failure::ErrorCall) => visible.error_call,
                    End::Error(Failure::Assertion) => visible.assertion,
                    _ => true,
                };
                if !is_wanted {
                    own.end = End::Exit(Exit::Abort);
                }
            }
        }
        unit
    }

    fn interpreter(&self, visible: &Visible) -> Result<Rc<Result<Interpreter, Unfit>>, Halt> {
        let mut programs = self.programs.0.borrow_mut();
        let known = programs.iter().find(|(own, _)| own == visible).map(|(_, program)| Rc::clone(program));
        let program = known.unwrap_or_else(|| {
            let model = match self.how.integers {
                lower::IntegerModel::Machine => IntegerModel::Machine,
                lower::IntegerModel::Mathematical => IntegerModel::Mathematical,
            };
            let made = Rc::new(Interpreter::with_integers(&self.made_for(visible), model));
            programs.push((visible.clone(), Rc::clone(&made)));
            made
        });
        let (what, span) = match program.as_ref() {
            Ok(_) => return Ok(program),
            Err(Unfit::TooLarge(span)) => ("this object is larger than memory", *span),
            Err(Unfit::BadInitial(span)) => ("this initial value is undefined", *span),
        };
        Err(Halt::faulty(&self.source, vec![Diagnostic::error(span, what)]))
    }

    /// Runs the program once.
    pub(super) fn execute(
        &self,
        context: &Context,
        visible: &Visible,
        inputs: &mut dyn Inputs,
        observer: &mut dyn Observer,
        limits: RunLimits,
    ) -> Result<Run, Halt> {
        let program = self.interpreter(visible)?;
        let program =
            program.as_ref().as_ref().map_err(|_| Halt::Bug("it could be run before".to_owned()))?;
        let run = program.run(context, inputs, observer, limits);
        match run.ending {
            Ending::Stopped(interpret::Halt::Context(reason)) => Err(Halt::Stopped(reason)),
            _ => Ok(run),
        }
    }

    /// Runs the program again with the inputs of a run that shows something, and keeps what it does; how it ends, if it shows nothing.
    fn recorded(
        &self,
        context: &Context,
        inputs: &Answers,
        visible: &Visible,
        (property, wanted): (PropertyId, &[DocumentKind]),
    ) -> Result<Result<ShownRun<'_>, Ending>, Halt> {
        let mut recorder = Recorder::new(&self.source, &self.unit);
        let limits = RunLimits::default();
        let run = self.execute(context, visible, &mut inputs.clone(), &mut recorder, limits)?;
        let Ending::Failed(failure, end, function) = run.ending else { return Ok(Err(run.ending)) };
        let note = match failure {
            _ if !visible.blocks.is_empty() => "here".to_owned(),
            Failure::ErrorCall => "the error function is called".to_owned(),
            Failure::Assertion => "the assertion fails".to_owned(),
        };
        let given = std::mem::take(&mut recorder.given);
        let documents = self.documents_of_run(
            wanted,
            &Shown {
                visible,
                given: &given,
                end,
                failure,
                function: &self.unit.function(function).name,
                property: &self.properties[property.index()].name.text,
            },
        );
        let (names, evidence) = recorder.finish(end, function, &note);
        let replay = Rerun { program: self, inputs: inputs.clone(), visible: visible.clone() };
        let (names, replay) = (Arc::new(names), Box::new(replay));
        Ok(Ok(ShownRun { names, evidence, documents, replay }))
    }
}

/// Answers to what a program asks: calls in their order, and values of variables that were not written, each by its holder.
#[derive(Clone, Debug, Default)]
struct Answers {
    calls: VecDeque<i128>,
    uninitialised: BTreeMap<(FunctionId, LocalId), VecDeque<i128>>,
    /// Answers to everything in order, instead.
    listed: Option<VecDeque<i128>>,
}

impl Inputs for Answers {
    fn next(&mut self, request: &Request) -> Option<i128> {
        if let Some(listed) = &mut self.listed {
            return Some(listed.pop_front().unwrap_or(0));
        }
        let answer = match &request.source {
            InputSource::Call { .. } => self.calls.pop_front(),
            InputSource::Uninitialised(Holder::Local(function, local)) => {
                self.uninitialised.get_mut(&(*function, *local)).and_then(VecDeque::pop_front)
            }
            InputSource::Uninitialised(_) => None,
        };
        Some(answer.unwrap_or(0))
    }
}

impl Answers {
    /// The inputs of a run of a graph.
    fn of_run(graph: &Graph, run: &IcfgRun) -> Self {
        let mut answers = Self::default();
        for step in &run.steps {
            for (variable, value) in &step.inputs {
                let Some(number) = number(value) else { continue };
                match graph.inputs.get(variable) {
                    Some(InputOrigin::Call { .. }) => answers.calls.push_back(number),
                    Some(InputOrigin::Uninitialised { function, local }) => {
                        answers.uninitialised.entry((*function, *local)).or_default().push_back(number);
                    }
                    _ => {}
                }
            }
        }
        answers
    }
}

/// A value of the graph as the interpreter takes it.
fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(value) => Some(i128::from(*value)),
        Value::Int(value) => i128::try_from(value).ok(),
        // It is taken modulo the width.
        Value::Bits { value, .. } => Some(*value as i128),
        Value::Constant { .. } | Value::Array { .. } => None,
    }
}

/// Keeps what it hands on.
struct Kept<'i> {
    inputs: &'i mut dyn Inputs,
    given: VecDeque<i128>,
}

impl Inputs for Kept<'_> {
    fn next(&mut self, request: &Request) -> Option<i128> {
        let value = self.inputs.next(request)?;
        self.given.push_back(value);
        Some(value)
    }
}

impl OffersExecution for CProgram {
    fn attempt(
        &self,
        context: &Context,
        property: PropertyId,
        logic: &Logic,
        number: u64,
        wanted: &[DocumentKind],
    ) -> Result<Executed<'_>, Halt> {
        let Some(visible) = self.visible(property, logic) else { return Ok(Executed::Open(false)) };
        // First without any answers: if it asks for nothing, there is no other run.
        let limits = match number {
            0 => RunLimits::default(),
            _ => RunLimits {
                steps: FIRST_STEPS << (number / DOUBLED_AFTER).min(8),
                memory: MEMORY,
                ..RunLimits::default()
            },
        };
        let mut inputs: Box<dyn Inputs> = match number {
            0 => Box::new(NoInputs),
            1 => Box::new(ListedInputs::new(Vec::new(), Then::Always(0))),
            _ => Box::new(RandomInputs::seeded(number)),
        };
        let mut kept = Kept { inputs: inputs.as_mut(), given: VecDeque::new() };
        let run = self.execute(context, &visible, &mut kept, &mut NoObserver, limits)?;
        if shows(&run.ending) {
            let answers = Answers { listed: Some(kept.given), ..Answers::default() };
            return Ok(match self.recorded(context, &answers, &visible, (property, wanted))? {
                Ok(shown) => Executed::Shows(Box::new(shown), visible.holds),
                Err(_) => Executed::Open(true),
            });
        }
        if number == 0 && run.is_only_run() && visible.is_all {
            let mut assumptions = Vec::new();
            if let Ending::Undefined(what, span) = &run.ending {
                let line = line_of(&self.source, &self.unit, *span);
                let place = line.map_or(String::new(), |line| format!(", in line {line}"));
                let words = undefined_words(*what);
                assumptions.push(Assumption::UndefinedEnds(format!(
                    "undefined behaviour ends the run: {words}{place}"
                )));
            }
            return Ok(Executed::Whole { instructions: run.steps, holds: !visible.holds, assumptions });
        }
        let asks = number > 0 || matches!(run.ending, Ending::OutOfInputs(_));
        let can_fail = visible.error_call || visible.assertion || !visible.blocks.is_empty();
        Ok(Executed::Open(asks && can_fail))
    }

    fn sees(&self, property: PropertyId, logic: &Logic) -> bool {
        self.visible(property, logic).is_some_and(|visible| visible.is_all)
    }

    fn follow(
        &self,
        context: &Context,
        property: PropertyId,
        logic: &Logic,
        posed: &Posed,
        run: &IcfgRun,
        wanted: &[DocumentKind],
    ) -> Result<Followed<'_>, Halt> {
        let others = self.others.borrow();
        let is_own = |graph: &&Graph| Rc::ptr_eq(&graph.icfg, &posed.icfg);
        let graph = [&self.graph].into_iter().chain(others.iter()).find(is_own);
        let graph = graph.ok_or_else(|| Halt::Bug("the run is of another program".to_owned()))?;
        let Some(visible) = self.visible(property, logic) else {
            return Ok(Followed::Differs(self.doubts(graph, run, None)));
        };
        let shown = self.recorded(context, &Answers::of_run(graph, run), &visible, (property, wanted))?;
        Ok(match shown {
            Ok(shown) => Followed::Shows(Box::new(shown)),
            Err(ending) => Followed::Differs(self.doubts(graph, run, Some(&ending))),
        })
    }
}

/// A run with its inputs, to be run again.
struct Rerun<'m> {
    program: &'m CProgram,
    inputs: Answers,
    visible: Visible,
}

impl Replay for Rerun<'_> {
    fn by(&self) -> &'static str {
        "the interpreter"
    }

    fn replay(&self, context: &Context) -> Result<(), Flaw> {
        let mut inputs = self.inputs.clone();
        let limits = RunLimits::default();
        match self.program.execute(context, &self.visible, &mut inputs, &mut NoObserver, limits) {
            Ok(run) if shows(&run.ending) => Ok(()),
            Ok(run) => Err(Flaw::Wrong(format!("the program ends another way: {:?}", run.ending))),
            Err(Halt::Stopped(reason)) => Err(Flaw::Stopped(reason)),
            Err(_) => Err(Flaw::Wrong("the program cannot be run".to_owned())),
        }
    }
}
