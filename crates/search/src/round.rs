//! One search with fixed predicates.
//!
//! From each state that is taken from the queue all transitions are tried, in the order of the text. A state whose key
//! is known already is not followed: the first one with the key stands for it. Whether that loses something is asked
//! afterwards, see `exactness`.
//!
//! States are packed and run by code, see `view`, and followed by the explorer of all state spaces; `naive` is the same
//! without either. Edges are not kept, since they can be found again as fast as they were found and there are many of
//! them.
//!
//! Steps whose inputs are chosen come from outside, after the others; these cannot be found again and are kept.
//!
//! Cost: for each state what its enabled transitions cost, and for each of these one look into a table and those
//! predicates that it can change.

use crate::view::View;
use crate::{Key, Machine, Matching, TransitionId};
use std::cell::RefCell;
use tertium_explore::{BatchSizes, Explored, Order, Run, Scratch, Settings, Target, Wide, explore};
use tertium_expr::Term;
use tertium_program::State;
use tertium_support::{Context, StopReason};
use tertium_system::{InitialWords, Next, StateSpace, StepLabel, Steps, Stop, StopOf};

/// How a round goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundSettings {
    /// Which state is next.
    pub order: Order,
    /// How many threads follow states. None of the results depends on it. Depth first there is only one, and where
    /// inputs are chosen as well.
    pub threads: usize,
    /// How many states are followed at most.
    pub states: usize,
    /// How much is done at once. None of the results depends on it.
    pub sizes: BatchSizes,
}

impl Default for RoundSettings {
    fn default() -> Self {
        Self { order: Order::default(), threads: 1, states: usize::MAX, sizes: BatchSizes::default() }
    }
}

/// A step between keys, by the numbers of visits that stand for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From here.
    pub source: usize,
    /// By this.
    pub transition: TransitionId,
    /// To here.
    pub target: usize,
}

/// What a round found. Visits are numbered in the order in which their states were found.
#[derive(Clone, Debug, Default)]
pub struct Round {
    view: View,
    wide: Wide,
    explored: Explored,
    /// How many states were generated, again or not.
    pub n_generated: usize,
    /// The visit where the goal holds, if one was followed; the round ended there.
    pub goal: Option<usize>,
}

impl Round {
    /// How many visits there are.
    pub fn n_visits(&self) -> usize {
        self.explored.n_states()
    }

    /// The state of a visit.
    pub fn state(&self, visit: usize) -> State {
        self.view.state(&self.wide, self.explored.words(visit))
    }

    /// What the state of a visit is matched by; if that is the state itself, its control.
    pub fn key(&self, visit: usize) -> Key {
        self.view.key_of(&self.wide, self.explored.words(visit))
    }

    /// The visit that found one, and how. Nothing where the round began.
    pub fn parent(&self, visit: usize) -> Option<(usize, TransitionId)> {
        self.explored.parent(visit).map(|(number, label)| (number, TransitionId::from_raw(label)))
    }

    /// The visits from the beginning to one.
    pub fn path_to(&self, visit: usize) -> Vec<usize> {
        self.explored.path_to(visit)
    }

    /// The run that found a visit.
    pub fn run_to(&self, machine: &Machine<'_>, visit: usize) -> Run {
        let path = self.path_to(visit);
        debug_assert!(path.is_sorted_by(|a, b| a < b), "what finds a state was found before it");
        let steps = path[1..].iter().map(|&at| {
            let (_, by) = self.parent(at).expect("all but the first have one");
            machine.transition(by).clone()
        });
        let states = path.iter().map(|&at| self.state(at)).collect();
        let run = Run { states, steps: steps.collect(), loop_start: None };
        debug_assert!(run.is_well_formed(), "each visit but the first has a step that found it");
        run
    }

    /// Whether there are states that were found and not followed, or not even kept because they are huge, though no
    /// goal was found.
    pub fn is_cut(&self) -> bool {
        self.goal.is_none() && (self.explored.left_out() || self.followed().len() < self.n_visits())
    }

    /// The visits that were followed, in that order; all of them unless the goal was found or the round was stopped or
    /// cut.
    pub fn followed(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.explored.steps().followed()
    }

    /// The steps from followed visits, in the order in which they were made, on the machine of the round.
    pub fn edges(&self, machine: &Machine<'_>) -> Vec<Edge> {
        let mut edges = Vec::new();
        let (mut scratch, mut wide) = (Scratch::default(), self.wide.clone());
        for (n, source) in self.followed().enumerate() {
            self.successors(machine, source, &mut scratch, &mut wide, |transition, target, _| {
                edges.push(Edge { source, transition, target });
            });
            edges.extend(self.chosen_at(n, source));
        }
        edges
    }

    /// Whether no two states were matched: every one of these initial states was visited itself, and every step from a
    /// followed visit leads to the very state that was visited. Nothing is said of steps whose inputs were chosen.
    /// Costs at most as much as the round did, and ends with the first two that were matched.
    pub(crate) fn tells_apart(&self, machine: &Machine<'_>, initial: &[State]) -> bool {
        let (mut scratch, mut wide) = (Scratch::default(), self.wide.clone());
        let n_words = self.view.n_state_words();
        let is_visited =
            |visit: usize, record: &[u64]| self.explored.words(visit)[..n_words] == record[..n_words];
        let begins = initial.iter().all(|state| {
            let record = self.view.record(machine, &mut wide, state);
            self.explored.find(&record).is_some_and(|visit| is_visited(visit, &record))
        });
        begins
            && self.followed().all(|source| {
                let mut apart = true;
                self.successors(machine, source, &mut scratch, &mut wide, |_, target, next| {
                    apart &= is_visited(target, next);
                });
                apart
            })
    }

    /// Finds the steps from a followed visit again, but for those whose inputs were chosen: by what, the visit that
    /// stands for where it leads, and the record of that state.
    fn successors(
        &self,
        machine: &Machine<'_>,
        source: usize,
        scratch: &mut Scratch,
        wide: &mut Wide,
        mut report: impl FnMut(TransitionId, usize, &[u64]),
    ) {
        let record = self.explored.words(source);
        let mut add = |next: Next<'_>| {
            if let Next::State(label, next) = next {
                let target = self.explored.find(next).expect("successors of followed states were visited");
                report(TransitionId::from_raw(label), target, next);
            }
        };
        let found = self.view.successors(record, scratch, |next| match next {
            Next::Ask(label) => self.view.ask(machine, wide, record, label, &mut add),
            next => add(next),
        });
        debug_assert!(found.is_ok(), "code on words does not stop");
    }

    /// Those of them whose inputs were chosen.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = Edge> + '_ {
        self.followed().enumerate().flat_map(|(n, source)| self.chosen_at(n, source))
    }

    /// The chosen steps of the visit that was followed as the n-th.
    fn chosen_at(&self, n: usize, source: usize) -> impl Iterator<Item = Edge> + '_ {
        self.explored.steps().row(n).filter_map(move |(label, target)| match target {
            Target::State(target) => {
                Some(Edge { source, transition: TransitionId::from_raw(label), target: target as usize })
            }
            Target::Beyond | Target::Open => None,
        })
    }

    /// How many bytes the states, keys, parents and tables take.
    pub fn bytes(&self) -> usize {
        self.explored.bytes()
    }
}

/// Searches from these states. Ends when a state where the goal holds was followed.
pub fn search_once(
    context: &Context,
    machine: &Machine<'_>,
    start: &[State],
    matching: Matching<'_>,
    goal: Option<Term>,
    settings: RoundSettings,
) -> Result<Round, StopReason> {
    let mut round = Round::default();
    search_open(context, machine, start, matching, goal, settings, &mut |_| Ok(Vec::new()), &mut round)?;
    Ok(round)
}

/// More successors of a state, from outside: those by steps whose inputs are chosen.
pub(crate) type Outside<'a> = dyn FnMut(&State) -> Result<Vec<(TransitionId, State)>, StopReason> + 'a;

/// The same with more successors. If it is stopped, the round has what was found until then.
#[allow(clippy::too_many_arguments, reason = "what a search is given, and what it fills")]
pub(crate) fn search_open(
    context: &Context,
    machine: &Machine<'_>,
    start: &[State],
    matching: Matching<'_>,
    goal: Option<Term>,
    settings: RoundSettings,
    outside: &mut Outside<'_>,
    round: &mut Round,
) -> Result<(), StopReason> {
    let mut wide = Wide::default();
    let view = View::new(machine, matching, goal, &mut wide);
    let start_words =
        start.iter().flat_map(|state| view.record(machine, &mut wide, state)).collect::<Vec<_>>();
    let space = Seen { machine, view, wide: RefCell::new(wide), outside: RefCell::new(outside) };
    let settings = Settings {
        order: settings.order,
        threads: settings.threads,
        followed: settings.states,
        sizes: settings.sizes,
        ..Settings::default()
    };
    let mut explored = Explored::default();
    let done = explore(context, &space, &start_words, start.len(), &settings, &mut explored);
    let (n_generated, goal) = (explored.n_generated(), explored.goal());
    debug_assert!(goal.is_none_or(|goal| goal < explored.n_states()), "the goal was visited");
    debug_assert!(explored.n_states() <= n_generated + start.len(), "what is visited was generated");
    *round = Round { view: space.view, wide: space.wide.into_inner(), explored, n_generated, goal };
    done.map_err(|stop| match stop {
        Stop::Limit(reason) => reason,
        Stop::Fault(never) => match never {},
    })
}

/// A program through the eyes of a round.
struct Seen<'a, 'p> {
    machine: &'a Machine<'p>,
    view: View,
    wide: RefCell<Wide>,
    outside: RefCell<&'a mut Outside<'a>>,
}

impl StateSpace for Seen<'_, '_> {
    type Steps = View;

    fn steps(&self) -> &View {
        &self.view
    }

    /// A round is told where it begins.
    fn initial(&self, _: &Context, _: usize) -> Result<InitialWords, StopOf<Self>> {
        Ok(InitialWords::default())
    }

    fn ask(
        &self,
        record: &[u64],
        label: StepLabel,
        report: &mut dyn FnMut(Next<'_>),
    ) -> Result<(), StopOf<Self>> {
        self.view.ask(self.machine, &mut self.wide.borrow_mut(), record, label, report);
        Ok(())
    }

    fn ask_goal(&self, record: &[u64]) -> bool {
        self.view.is_goal_asked(self.machine, &self.wide.borrow(), record)
    }

    fn has_further(&self) -> bool {
        !self.machine.open_steps().is_empty()
    }

    fn further(&self, record: &[u64], report: &mut dyn FnMut(Next<'_>)) -> Result<(), StopReason> {
        let state = self.view.state(&self.wide.borrow(), record);
        let chosen = (self.outside.borrow_mut())(&state)?;
        for (transition, state) in chosen {
            if state.is_huge() {
                report(Next::Beyond(transition.raw()));
                continue;
            }
            let next = self.view.record(self.machine, &mut self.wide.borrow_mut(), &state);
            report(Next::State(transition.raw(), &next));
        }
        Ok(())
    }
}
