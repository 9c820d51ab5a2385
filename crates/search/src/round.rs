//! One search with fixed predicates.
//!
//! From each state that is taken from the queue all transitions are tried, in the order of the text. A state whose key is known already is not
//! followed: the first one with the key stands for it. Whether that loses something is asked afterwards, see `exactness`.
//!
//! States are packed, see `packed`, and run by code, see `code`; `naive` is the same without either. Edges are not kept, since they can be found
//! again as fast as they were found and there are many of them.
//!
//! Steps whose inputs are chosen come from outside, after the others; these cannot be found again and are kept.
//!
//! Cost: for each state what its enabled transitions cost, and for each of these one look into a table and those predicates that it can change.

use crate::moves::Scratch;
use crate::packed::Wide;
use crate::parallel::Batches;
use crate::store::Store;
use crate::view::{Huge, Successor, View};
use crate::{Key, Machine, Matching, Transition, TransitionId};
use std::convert::Infallible;
use tertium_expr::Term;
use tertium_program::{Run, RunStep, State};
use tertium_support::{Context, StopReason};

/// Which state is followed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The one that waits longest.
    #[default]
    Breadth,
    /// The one that was found last.
    Depth,
}

/// How a round goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundSettings {
    /// Which state is next.
    pub order: Order,
    /// How many threads follow states. None of the results depends on it. Depth first there is only one, and where inputs are chosen as well.
    pub threads: usize,
    /// How many states are followed at most.
    pub states: usize,
}

impl Default for RoundSettings {
    fn default() -> Self {
        Self { order: Order::default(), threads: 1, states: usize::MAX }
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

/// Which visits were followed.
#[derive(Clone, Debug)]
enum Followed {
    /// The first ones, in order.
    First(usize),
    /// These.
    Listed(Vec<u32>),
}

/// What a round found. Visits are numbered in the order in which their states were found.
#[derive(Clone, Debug)]
pub struct Round {
    view: View,
    wide: Wide,
    store: Store,
    followed: Followed,
    chosen: Vec<Edge>,
    /// Whether a state was left out because it is huge.
    huge: bool,
    /// How many states were generated, again or not.
    pub n_generated: usize,
    /// The visit where the goal holds, if one was followed; the round ended there.
    pub goal: Option<usize>,
}

impl Default for Round {
    fn default() -> Self {
        Self::new(View::default(), Wide::default())
    }
}

impl Round {
    /// Nothing found yet.
    fn new(view: View, wide: Wide) -> Self {
        let store = Store::new(view.n_words(), view.key_words());
        let (followed, chosen) = (Followed::First(0), Vec::new());
        Self { view, wide, store, followed, chosen, huge: false, n_generated: 0, goal: None }
    }

    /// How many visits there are.
    pub fn n_visits(&self) -> usize {
        self.store.records.len()
    }

    /// The state of a visit.
    pub fn state(&self, visit: usize) -> State {
        self.view.state(&self.wide, self.store.records.get(visit as u32))
    }

    /// What the state of a visit is matched by; if that is the state itself, its control.
    pub fn key(&self, visit: usize) -> Key {
        self.view.key(&self.wide, self.store.records.get(visit as u32))
    }

    /// The visit that found one, and how. Nothing where the round began.
    pub fn parent(&self, visit: usize) -> Option<(usize, TransitionId)> {
        self.store.parent(visit as u32).map(|(number, transition)| (number as usize, transition))
    }

    /// The visits from the beginning to one.
    pub fn path_to(&self, visit: usize) -> Vec<usize> {
        let mut path: Vec<usize> =
            std::iter::successors(Some(visit), |&at| self.parent(at).map(|(parent, _)| parent)).collect();
        path.reverse();
        path
    }

    /// The run that found a visit.
    pub fn run_to(&self, machine: &Machine<'_>, visit: usize) -> Run {
        let path = self.path_to(visit);
        let steps = path[1..].iter().map(|&at| {
            let (_, by) = self.parent(at).expect("all but the first have one");
            let Transition { command, step, inputs } = machine.transition(by).clone();
            RunStep { command, step, inputs, state: self.state(at) }
        });
        Run { start: self.state(path[0]), steps: steps.collect() }
    }

    /// Whether there are states that were found and not followed, or not even kept because they are huge, though no goal was found.
    pub fn is_cut(&self) -> bool {
        self.goal.is_none() && (self.huge || self.followed().len() < self.n_visits())
    }

    /// The visits that were followed, in that order; all of them unless the goal was found or the round was stopped or cut.
    pub fn followed(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        let n = match &self.followed {
            Followed::First(n) => *n,
            Followed::Listed(list) => list.len(),
        };
        (0..n).map(|at| match &self.followed {
            Followed::First(_) => at,
            Followed::Listed(list) => list[at] as usize,
        })
    }

    /// The steps from followed visits, in the order in which they were made, on the machine of the round.
    pub fn edges(&self, machine: &Machine<'_>) -> Vec<Edge> {
        let mut edges = Vec::new();
        let (mut scratch, mut wide) = (Scratch::default(), self.wide.clone());
        let mut chosen = self.chosen.iter().peekable();
        for source in self.followed() {
            let record = self.store.records.get(source as u32);
            let mut add = |transition: TransitionId, next: &[u64]| {
                let target = self.store.find(next).expect("successors of followed states were visited");
                edges.push(Edge { source, transition, target: target as usize });
            };
            let all: Result<(), Infallible> = self.view.successors(record, &mut scratch, |successor| {
                match successor {
                    Successor::Known(transition, next) => add(transition, next),
                    Successor::Unknown(transition) => {
                        if let Ok(Some(next)) = self.view.ask(machine, &mut wide, record, transition) {
                            add(transition, &next);
                        }
                    }
                }
                Ok(())
            });
            let Ok(()) = all;
            while let Some(&edge) = chosen.next_if(|edge| edge.source == source) {
                edges.push(edge);
            }
        }
        edges
    }

    /// Those of them whose inputs were chosen.
    pub(crate) fn chosen(&self) -> &[Edge] {
        &self.chosen
    }

    /// How many bytes the states, keys, parents and tables take.
    pub fn bytes(&self) -> usize {
        let listed = match &self.followed {
            Followed::First(_) => 0,
            Followed::Listed(list) => list.capacity() * size_of::<u32>(),
        };
        self.store.bytes() + listed + self.chosen.capacity() * size_of::<Edge>()
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
    *round = Round::new(view, wide);
    round.n_generated = start.len();
    for state in start {
        let mut record = round.view.record(machine, &mut round.wide, state);
        round.store.insert(context, &mut record, None)?;
    }
    let mut search =
        Search { context, machine, outside, round, record: Vec::new(), scratch: Scratch::default() };
    match settings.order {
        Order::Breadth if machine.open_steps().is_empty() => {
            search.breadth_first(settings.threads.max(1), settings.states)
        }
        Order::Breadth => search.one_by_one(settings.states),
        Order::Depth => search.depth_first(settings.states),
    }
}

/// A round that goes on.
struct Search<'a, 'p> {
    context: &'a Context,
    machine: &'a Machine<'p>,
    outside: &'a mut Outside<'a>,
    round: &'a mut Round,
    /// The visit that is being followed.
    record: Vec<u64>,
    scratch: Scratch,
}

impl Search<'_, '_> {
    fn breadth_first(&mut self, threads: usize, most: usize) -> Result<(), StopReason> {
        let mut ticker = self.context.ticker("searching");
        let mut batches = Batches::new(threads);
        let mut at = 0;
        while at < self.round.n_visits().min(most) && self.round.goal.is_none() {
            let Round { view, store, .. } = &mut *self.round;
            let batch = batches.next(at..store.records.len().min(most));
            let done = batches.follow(self.context, view, store, batch)?;
            at += done.n_followed;
            self.round.n_generated += done.n_generated;
            self.round.followed = Followed::First(at);
            self.round.goal = done.goal.then(|| at - 1);
            ticker.tick(64 * (done.n_followed + 1))?;
            if done.unknown {
                self.follow(at as u32)?;
                at += 1;
                self.round.followed = Followed::First(at);
            }
        }
        Ok(())
    }

    /// Breadth first where inputs are chosen.
    fn one_by_one(&mut self, most: usize) -> Result<(), StopReason> {
        let mut ticker = self.context.ticker("searching");
        let mut at = 0;
        while at < self.round.n_visits().min(most) && self.round.goal.is_none() {
            ticker.tick(64)?;
            self.follow(at as u32)?;
            at += 1;
            self.round.followed = Followed::First(at);
        }
        Ok(())
    }

    fn depth_first(&mut self, most: usize) -> Result<(), StopReason> {
        let mut ticker = self.context.ticker("searching");
        let mut waiting: Vec<u32> = (0..self.round.n_visits() as u32).collect();
        self.round.followed = Followed::Listed(Vec::new());
        while self.round.goal.is_none()
            && self.round.followed().len() < most
            && let Some(at) = waiting.pop()
        {
            ticker.tick(64)?;
            let known = self.round.n_visits() as u32;
            self.follow(at)?;
            waiting.extend(known..self.round.n_visits() as u32);
            if let Followed::Listed(list) = &mut self.round.followed {
                list.push(at);
            }
        }
        Ok(())
    }

    /// Finds the successors of a visit.
    fn follow(&mut self, at: u32) -> Result<(), StopReason> {
        let Round { view, wide, store, chosen, huge, n_generated, goal, .. } = &mut *self.round;
        let (context, machine) = (self.context, self.machine);
        let record = &mut self.record;
        record.clear();
        record.extend_from_slice(store.records.get(at));
        view.successors(record, &mut self.scratch, |successor| {
            match successor {
                Successor::Known(transition, next) => {
                    *n_generated += 1;
                    store.insert(context, next, Some((at, transition)))?;
                }
                Successor::Unknown(transition) => match view.ask(machine, wide, record, transition) {
                    Ok(Some(mut next)) => {
                        *n_generated += 1;
                        store.insert(context, &mut next, Some((at, transition)))?;
                    }
                    Ok(None) => {}
                    Err(Huge) => *huge = true,
                },
            }
            Ok(())
        })?;
        if !machine.open_steps().is_empty() {
            for (transition, state) in (self.outside)(&view.state(wide, record))? {
                if state.is_huge() {
                    *huge = true;
                    continue;
                }
                *n_generated += 1;
                let mut next = view.record(machine, wide, &state);
                let target = store.insert(context, &mut next, Some((at, transition)))?;
                chosen.push(Edge { source: at as usize, transition, target: target as usize });
            }
        }
        let found = view.is_goal(record, &mut self.scratch);
        if found.unwrap_or_else(|| view.is_goal_asked(machine, wide, record)) {
            *goal = Some(at as usize);
        }
        Ok(())
    }
}
