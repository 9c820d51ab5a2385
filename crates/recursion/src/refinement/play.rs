//! Runs that never end, played by a strategy of what must be possible.
//!
//! A concrete state is led along the strategy: of several targets of a step, it is in one, and inputs are chosen such that it is. So the
//! run can be made as long as one likes. It is ended where it has come back to a state, if need be with more calls open than before, or
//! is long enough.

use crate::abstraction::cubes::literals;
use crate::abstraction::edges::EdgeSites;
use crate::abstraction::explore::{Exploration, NodeId};
use crate::abstraction::partial;
use crate::abstraction::scopes::Scopes;
use crate::demand::{Diverging, Next, Passage, Position, StateId, Strategy};
use crate::{Configuration, IcfgRun, Move, RunStep, Values};
use tertium_expr::{Substitution, Term, Value, Variable, evaluate};
use tertium_program::{Action, EdgeId};
use tertium_solve::{Answer, Solver, Z3};
use tertium_support::{Context, StopReason};

/// Of a run that does not come back to a state so many moves are told.
const TOLD_MOVES: usize = 400;
/// It is played for so many moves, and so many more for each edge of the program: it may have to go through all of it.
const MOVES: usize = 2_000;
const MOVES_FOR_AN_EDGE: usize = 8;

/// A run, and after how many moves it was where it is at the end.
type Played = (IcfgRun, Option<usize>);

struct Play<'a, 'p> {
    context: &'a Context,
    scopes: &'a Scopes<'p>,
    sites: &'a EdgeSites,
    found: &'a Exploration,
    now: Configuration,
    /// What ghosts are in each activation.
    ghosts: Vec<Values>,
    run: IcfgRun,
}

/// Where calls that are brought to their exits go on, by the end of the callee.
type After = Vec<(StateId, Vec<Position>)>;

/// A run that goes on for as long as is looked at; nothing if the solver does not find the way.
pub(super) fn play(
    context: &Context,
    scopes: &Scopes<'_>,
    sites: &EdgeSites,
    found: &Exploration,
    strategy: &Diverging<'_>,
) -> Result<Option<Played>, StopReason> {
    let Some(starts) = strategy.start() else { return Ok(None) };
    let icfg = scopes.icfg;
    let terms = scopes.terms();
    let begin = [icfg.initial, icfg.within(icfg.in_scope(icfg.main))];
    let Some((at, initial)) = starts.into_iter().find_map(|start| {
        let own = found.node(partial::node(start.state));
        let together = begin.into_iter().chain(literals(terms, sites.at(own.point), &own.cube));
        Some((start, model(context, scopes, &together.collect::<Vec<_>>())?))
    }) else {
        return Ok(None);
    };
    let Some(now) = Configuration::initial(icfg, &initial) else { return Ok(None) };
    let run = IcfgRun { initial, steps: Vec::new() };
    let mut play = Play { context, scopes, sites, found, now, ghosts: Vec::new(), run };
    play.begin();
    play.go(strategy, at)
}

/// Values of variables for which all of these hold.
fn model(context: &Context, scopes: &Scopes<'_>, together: &[Term]) -> Option<Values> {
    let mut solver = Z3::new();
    if solver.check(context, scopes.terms(), together) != Answer::Satisfiable {
        return None;
    }
    let model = solver.model(scopes.terms())?;
    Some(model.iter().map(|(variable, value)| (variable, value.clone())).collect())
}

impl Play<'_, '_> {
    /// Remembers what an activation begins with.
    fn begin(&mut self) {
        let entries = &self.scopes.entries;
        let own = entries.of_procedure(self.scopes.icfg, self.now.top().procedure);
        let values = own.filter_map(|(variable, ghost)| Some((ghost, self.now.value(variable)?.clone())));
        self.ghosts.push(values.collect());
    }

    fn go(&mut self, strategy: &Diverging<'_>, start: Position) -> Result<Option<Played>, StopReason> {
        let mut at = start;
        let mut waiting: Vec<(EdgeId, After)> = Vec::new();
        // What was there some moves ago: seen again, it is a cycle. It is renewed ever less often. While no call waits for its end,
        // nobody comes back to the activations below.
        let mut mark = (0, at, self.now.head());
        let most = MOVES + MOVES_FOR_AN_EDGE * self.scopes.icfg.edges().len();
        while self.run.steps.len() < most {
            self.context.poll()?;
            let next = match strategy.next(at) {
                Next::Moves(moves) => {
                    let targets: Vec<Position> = moves.iter().map(|&(_, position)| position).collect();
                    let Some((first, _)) = moves.first() else { return Ok(None) };
                    self.step(first.edge, &targets)
                }
                Next::Calls(calls) => self.call(strategy, &calls, &mut waiting),
                Next::Arrived => match waiting.pop() {
                    Some((edge, after)) => self.come_back(edge, at, &after),
                    None => None,
                },
            };
            let Some(next) = next else { return Ok(None) };
            at = next;
            if waiting.is_empty() {
                let n = self.run.steps.len();
                if mark.1 == at && mark.2.is_like(&self.now) {
                    return Ok(Some((std::mem::take(&mut self.run), Some(mark.0))));
                }
                if n >= 2 * mark.0 {
                    mark = (n, at, self.now.head());
                }
            }
        }
        let mut run = std::mem::take(&mut self.run);
        run.steps.truncate(TOLD_MOVES);
        Ok(Some((run, None)))
    }

    /// The first position whose state the concrete one is in.
    fn among(&self, positions: &[Position]) -> Option<Position> {
        positions.iter().copied().find(|position| self.is_in(partial::node(position.state)))
    }

    fn is_in(&self, node: NodeId) -> bool {
        let own = self.found.node(node);
        let literals = literals(self.scopes.terms(), self.sites.at(own.point), &own.cube);
        let ghosts = self.ghosts.last().expect("main is always there");
        let known = |variable: Variable| ghosts.get(&variable).or_else(|| self.now.value(variable)).cloned();
        let holds = |literal: &Term| evaluate(self.scopes.terms(), *literal, &known) == Ok(Value::Bool(true));
        own.point == self.now.point() && literals.iter().all(holds)
    }

    /// Makes a move.
    fn make(&mut self, what: Move, edge: EdgeId, inputs: Vec<(Variable, Value)>) -> Option<()> {
        let depth = self.now.stack.len();
        let step = RunStep { edge, what, depth, inputs };
        self.now.follow(self.scopes.icfg, &step)?;
        self.run.steps.push(step);
        match what {
            Move::Step => {}
            Move::Call => self.begin(),
            Move::Return => {
                self.ghosts.pop();
            }
        }
        Some(())
    }

    fn step(&mut self, edge: EdgeId, targets: &[Position]) -> Option<Position> {
        let Action::Step(step) = &self.scopes.icfg.edge(edge).action else { return None };
        let mut inputs = Vec::new();
        if !step.inputs.is_empty() {
            let terms = self.scopes.terms();
            let mut after = step.substitution();
            let target = |position: &Position| {
                let own = self.found.node(partial::node(position.state));
                terms.and(literals(terms, self.sites.at(own.point), &own.cube))
            };
            let targets = terms.or(targets.iter().map(target).collect::<Vec<_>>());
            let wanted = terms.and([step.guard, after.apply(terms, targets)]);
            let ghosts = self.ghosts.last().expect("main is always there");
            let value = |variable| {
                let value = ghosts.get(&variable).or_else(|| self.now.value(variable))?;
                Some((variable, terms.value(value)))
            };
            let known: Vec<_> = terms.variables_of(wanted).into_iter().filter_map(value).collect();
            let wanted = Substitution::new(known).apply(terms, wanted);
            let found = model(self.context, self.scopes, &[wanted])?;
            let own = step.inputs.iter();
            inputs =
                own.filter_map(|input| Some((input.variable, found.get(&input.variable)?.clone()))).collect();
        }
        self.make(Move::Step, edge, inputs)?;
        self.among(targets)
    }

    fn call(
        &mut self,
        strategy: &Diverging<'_>,
        calls: &[(crate::demand::Entering, Passage)],
        waiting: &mut Vec<(EdgeId, After)>,
    ) -> Option<Position> {
        let edge = strategy.program().site(calls.first()?.0.site).edge;
        self.make(Move::Call, edge, Vec::new())?;
        let own = calls.iter().find(|(entering, _)| self.is_in(partial::node(entering.entry)));
        match &own?.1 {
            Passage::Into(next) => Some(*next),
            Passage::Over { inside, after } => {
                waiting.push((edge, after.clone()));
                Some(*inside)
            }
        }
    }

    fn come_back(&mut self, edge: EdgeId, at: Position, after: &After) -> Option<Position> {
        self.make(Move::Return, edge, Vec::new())?;
        let (_, positions) = after.iter().find(|(end, _)| *end == at.state)?;
        self.among(positions)
    }
}
