//! One search with fixed predicates.
//!
//! From each state that is taken from the queue all transitions are tried, in the order of the text. A state whose key is known already is not
//! followed: the first one with the key stands for it. Whether that loses something is asked afterwards, see `exactness`.
//!
//! States are packed, see `packed`, and run by code, see `code`; `naive` is the same without either. Edges are not kept, since they can be found
//! again as fast as they were found and there are many of them.
//!
//! Cost: for each state what its enabled transitions cost, and for each of these one look into a table and those predicates that it can change.

use crate::moves::Scratch;
use crate::packed::Wide;
use crate::store::Store;
use crate::view::{Successor, View};
use crate::{Key, Machine, Matching, Transition, TransitionId};
use std::convert::Infallible;
use tertium_expr::Term;
use tertium_program::{Run, RunStep, State};
use tertium_support::{Context, Id, StopReason};

/// Which state is followed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The one that waits longest.
    #[default]
    Breadth,
    /// The one that was found last.
    Depth,
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
    /// How many states were generated, again or not.
    pub n_generated: usize,
    /// The visit where the goal holds, if one was followed; the round ended there.
    pub goal: Option<usize>,
}

impl Round {
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
        let parent = self.store.parent(visit as u32);
        parent.map(|(number, transition)| (number as usize, TransitionId::new(transition)))
    }

    /// The visits from the beginning to one.
    pub fn path_to(&self, visit: usize) -> Vec<usize> {
        let mut path: Vec<usize> =
            std::iter::successors(Some(visit), |&at| self.parent(at).map(|(parent, _)| parent)).collect();
        path.reverse();
        path
    }

    /// The run that found a visit, on the machine of the round.
    pub fn run_to(&self, machine: &Machine<'_>, visit: usize) -> Run {
        let path = self.path_to(visit);
        let steps = path[1..].iter().map(|&at| {
            let (_, by) = self.parent(at).expect("all but the first have one");
            let Transition { command, step, inputs } = machine.transition(by).clone();
            RunStep { command, step, inputs, state: self.state(at) }
        });
        Run { start: self.state(path[0]), steps: steps.collect() }
    }

    /// The visits that were followed, in that order; all of them unless the goal was found.
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

    /// The steps, in the order in which they were made, on the machine of the round.
    pub fn edges(&self, machine: &Machine<'_>) -> Vec<Edge> {
        let mut edges = Vec::new();
        let (mut scratch, mut wide) = (Scratch::default(), self.wide.clone());
        for source in self.followed() {
            let record = self.store.records.get(source as u32);
            let mut add = |transition: usize, next: &[u64]| {
                let target = self.store.find(next).expect("successors of followed states were visited");
                let (transition, target) = (TransitionId::new(transition), target as usize);
                edges.push(Edge { source, transition, target });
            };
            let all: Result<(), Infallible> = self.view.successors(record, &mut scratch, |successor| {
                match successor {
                    Successor::Known(transition, next) => add(transition, next),
                    Successor::Unknown(transition) => {
                        let all = self.view.ask(machine, &mut wide, record, transition);
                        all.iter().for_each(|next| add(transition, next));
                    }
                }
                Ok(())
            });
            let Ok(()) = all;
        }
        edges
    }

    /// How many bytes the states, keys, parents and tables take.
    pub fn bytes(&self) -> usize {
        let listed = match &self.followed {
            Followed::First(_) => 0,
            Followed::Listed(list) => 4 * list.capacity(),
        };
        self.store.bytes() + listed
    }
}

/// Searches from these states. Ends when a state where the goal holds was followed.
pub fn search_once(
    context: &Context,
    machine: &Machine<'_>,
    start: &[State],
    matching: Matching<'_>,
    goal: Option<Term>,
    order: Order,
) -> Result<Round, StopReason> {
    let mut wide = Wide::default();
    let view = View::new(machine, matching, goal, &mut wide);
    let mut store = Store::new(view.n_words(), view.key_words());
    for state in start {
        let mut record = view.record(machine, &mut wide, state);
        store.insert(context, &mut record, None)?;
    }
    let round =
        Round { view, wide, store, followed: Followed::First(0), n_generated: start.len(), goal: None };
    let mut search = Search { context, machine, round, record: Vec::new(), scratch: Scratch::default() };
    match order {
        Order::Breadth => search.breadth_first()?,
        Order::Depth => search.depth_first()?,
    }
    Ok(search.round)
}

/// A round that goes on.
struct Search<'a, 'p> {
    context: &'a Context,
    machine: &'a Machine<'p>,
    round: Round,
    /// The visit that is being followed.
    record: Vec<u64>,
    scratch: Scratch,
}

impl Search<'_, '_> {
    fn breadth_first(&mut self) -> Result<(), StopReason> {
        let mut ticker = self.context.ticker("searching");
        let mut at = 0;
        while at < self.round.n_visits() && self.round.goal.is_none() {
            ticker.tick(64)?;
            self.follow(at as u32)?;
            at += 1;
            self.round.followed = Followed::First(at);
        }
        Ok(())
    }

    fn depth_first(&mut self) -> Result<(), StopReason> {
        let mut ticker = self.context.ticker("searching");
        let mut waiting: Vec<u32> = (0..self.round.n_visits() as u32).collect();
        let mut followed = Vec::new();
        while let Some(at) = waiting.pop() {
            ticker.tick(64)?;
            let known = self.round.n_visits() as u32;
            followed.push(at);
            self.follow(at)?;
            waiting.extend(known..self.round.n_visits() as u32);
            if self.round.goal.is_some() {
                break;
            }
        }
        self.round.followed = Followed::Listed(followed);
        Ok(())
    }

    /// Finds the successors of a visit. What code cannot tell comes from outside: one state after the other, in the order of the transitions.
    fn follow(&mut self, at: u32) -> Result<(), StopReason> {
        let Round { view, wide, store, n_generated, goal, .. } = &mut self.round;
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
                Successor::Unknown(transition) => {
                    for mut next in view.ask(machine, wide, record, transition) {
                        *n_generated += 1;
                        store.insert(context, &mut next, Some((at, transition)))?;
                    }
                }
            }
            Ok(())
        })?;
        let found = view.is_goal(record, &mut self.scratch);
        if found.unwrap_or_else(|| view.is_goal_asked(machine, wide, record)) {
            *goal = Some(at as usize);
        }
        Ok(())
    }
}
