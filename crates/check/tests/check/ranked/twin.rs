//! The slow twin of checking with ranks: all memoryless strategies of the prover, and for each all sets of ranks.
//!
//! It reads the formula and the system, and builds its own game. A strategy loses if the other player can go round for
//! ever with an odd highest priority such that every rank that falls on the way may grow as well. If there is such a way, then it
//! is a whole strong component of the moves where only those ranks fall; so it is enough to try each set of ranks.

use std::collections::BTreeMap;
use tertium_logic::{FormulaGraph, Node, NodeId};
use tertium_support::IdSet;
use tertium_system::{ActionId, PartialSystem, RankChange, RankedSteps, StateId};

/// Cases with more strategies are left out.
const MOST_STRATEGIES: usize = 4000;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Claim(NodeId, StateId),
    Hyper(NodeId, StateId, usize),
}

struct Spot {
    is_prover: bool,
    priority: u32,
    moves: Vec<(usize, RankChange)>,
}

/// A game of a formula at one state.
pub(crate) struct Twin<'a> {
    system: &'a PartialSystem,
    ranks: &'a RankedSteps,
    graph: &'a FormulaGraph,
    allowed: Vec<IdSet<ActionId>>,
    spots: Vec<Spot>,
}

/// Whether the prover wins the formula at `state`; nothing if there are too many strategies.
pub(crate) fn wins(
    system: &PartialSystem,
    ranks: &RankedSteps,
    graph: &FormulaGraph,
    state: StateId,
) -> Option<bool> {
    let n = system.actions().len();
    let allowed = graph
        .actions()
        .iter()
        .map(|formula| IdSet::filter(n, |action| formula.contains(system.actions().name(action))));
    let mut twin = Twin { system, ranks, graph, allowed: allowed.collect(), spots: Vec::new() };
    twin.build(state);
    twin.decide()
}

impl Twin<'_> {
    fn build(&mut self, state: StateId) {
        let mut places = vec![Place::Claim(self.graph.root(), state)];
        let mut known: BTreeMap<Place, usize> = BTreeMap::from([(places[0], 0)]);
        while self.spots.len() < places.len() {
            let (is_prover, priority, moves) = self.moves(places[self.spots.len()]);
            let moves = moves.into_iter().map(|(place, change)| {
                let next = *known.entry(place).or_insert_with(|| {
                    places.push(place);
                    places.len() - 1
                });
                (next, change)
            });
            let moves = moves.collect();
            self.spots.push(Spot { is_prover, priority, moves });
        }
    }

    fn moves(&self, place: Place) -> (bool, u32, Vec<(Place, RankChange)>) {
        let stay = |node: &NodeId, state| (Place::Claim(*node, state), RankChange::NONE);
        let step = |body, source, action, target| {
            (Place::Claim(body, target), self.ranks.of(source, action, target))
        };
        let (node, state) = match place {
            Place::Hyper(body, source, must) => {
                let (action, targets) = self.system.hyper_musts().at(must);
                let moves = targets.iter().map(|&target| step(body, source, action, target));
                return (false, 0, moves.collect());
            }
            Place::Claim(node, state) => (node, state),
        };
        let priority = self.graph.node(node).priority();
        match self.graph.node(node) {
            Node::True => (false, 0, Vec::new()),
            Node::False => (true, 0, Vec::new()),
            Node::Literal { proposition, negated } => {
                let name = self.graph.propositions().name(*proposition);
                let known = self.system.labels().names().get(name).is_some_and(|prop| {
                    let value = self.system.labels().get(prop, state);
                    if *negated { !value.may() } else { value.must() }
                });
                (!known, 0, Vec::new())
            }
            Node::And(parts) => (false, 0, parts.iter().map(|part| stay(part, state)).collect()),
            Node::Or(parts) => (true, 0, parts.iter().map(|part| stay(part, state)).collect()),
            Node::Fixpoint { body, .. } => (true, priority, vec![stay(body, state)]),
            Node::Box(set, body) => {
                let steps = self.system.may(state).filter(|(action, _)| self.allowed[*set].contains(*action));
                (false, 0, steps.map(|(action, target)| step(*body, state, action, target)).collect())
            }
            Node::Diamond(set, body) => {
                let steps =
                    self.system.must(state).filter(|(action, _)| self.allowed[*set].contains(*action));
                let mut moves: Vec<_> =
                    steps.map(|(action, target)| step(*body, state, action, target)).collect();
                let hyper = self.system.hyper_musts();
                let musts = hyper.range(state).filter(|&must| self.allowed[*set].contains(hyper.at(must).0));
                moves.extend(musts.map(|must| (Place::Hyper(*body, state, must), RankChange::NONE)));
                (true, 0, moves)
            }
        }
    }

    /// The moves of the prover that are worth a try: one to where nothing is left to show, or all that are not lost at once.
    fn options(&self, spot: usize) -> Vec<usize> {
        let ends = |target: usize| self.spots[target].moves.is_empty();
        let moves = &self.spots[spot].moves;
        let won = (0..moves.len()).find(|&at| ends(moves[at].0) && !self.spots[moves[at].0].is_prover);
        match won {
            Some(won) => vec![won],
            None => (0..moves.len()).filter(|&at| !ends(moves[at].0)).collect(),
        }
    }

    /// Tries strategies, choosing only where they lead.
    fn decide(&self) -> Option<bool> {
        let mut waiting: Vec<Vec<Option<usize>>> = vec![vec![None; self.spots.len()]];
        let mut n_strategies = 0;
        while let Some(strategy) = waiting.pop() {
            match self.undecided(&strategy) {
                Err(()) => {}
                Ok(Some(spot)) => waiting.extend(self.options(spot).into_iter().map(|option| {
                    let mut next = strategy.clone();
                    next[spot] = Some(option);
                    next
                })),
                Ok(None) if self.is_winning(&strategy) => return Some(true),
                Ok(None) => {}
            }
            n_strategies += 1;
            if n_strategies > MOST_STRATEGIES {
                return None;
            }
        }
        Some(false)
    }

    fn taken(&self, strategy: &[Option<usize>], spot: usize) -> Vec<(usize, RankChange)> {
        match strategy[spot] {
            Some(option) => vec![self.spots[spot].moves[option]],
            None => self.spots[spot].moves.clone(),
        }
    }

    /// A place of the prover that is reached and where nothing is chosen. An error if the prover is stuck somewhere.
    fn undecided(&self, strategy: &[Option<usize>]) -> Result<Option<usize>, ()> {
        let mut is_reached = vec![false; self.spots.len()];
        let mut stack = vec![0];
        while let Some(spot) = stack.pop() {
            if std::mem::replace(&mut is_reached[spot], true) {
                continue;
            }
            if self.spots[spot].is_prover {
                match (self.options(spot).len(), strategy[spot]) {
                    (0, _) => return Err(()),
                    (_, None) => return Ok(Some(spot)),
                    _ => {}
                }
            }
            stack.extend(self.taken(strategy, spot).into_iter().map(|(next, _)| next));
        }
        Ok(None)
    }

    fn is_winning(&self, strategy: &[Option<usize>]) -> bool {
        let is_reached = self.reach(0, &|spot| self.taken(strategy, spot));
        let highest = self.spots.iter().map(|spot| spot.priority).max().unwrap_or(0);
        let spots = || (0..self.spots.len()).filter(|&spot| is_reached[spot]);
        (1..=highest).step_by(2).all(|odd| {
            (0..=self.ranks.all()).all(|falling| {
                let moves = |spot: usize| -> Vec<(usize, RankChange)> {
                    let mut moves = self.taken(strategy, spot);
                    moves.retain(|&(next, change)| {
                        self.spots[next].priority <= odd && change.falls & !falling == 0
                    });
                    moves
                };
                let low = spots().filter(|&spot| self.spots[spot].priority == odd);
                { low }.all(|head| {
                    let ahead = self.reach_by_move(head, &moves);
                    let component: Vec<usize> = spots()
                        .filter(|&spot| ahead[spot] && self.reach_by_move(spot, &moves)[head])
                        .collect();
                    let inner = component.iter().flat_map(|&spot| moves(spot));
                    let inner = inner.filter(|(next, _)| component.contains(next));
                    let (falls, may_grow) = inner.fold((0, 0), |(falls, may_grow), (_, change)| {
                        (falls | change.falls, may_grow | change.may_grow)
                    });
                    component.is_empty() || falls & !may_grow != 0
                })
            })
        })
    }

    fn reach(&self, from: usize, moves: &dyn Fn(usize) -> Vec<(usize, RankChange)>) -> Vec<bool> {
        let mut reached = self.reach_by_move(from, moves);
        reached[from] = true;
        reached
    }

    /// What can be reached by one move at least.
    fn reach_by_move(&self, from: usize, moves: &dyn Fn(usize) -> Vec<(usize, RankChange)>) -> Vec<bool> {
        let mut reached = vec![false; self.spots.len()];
        let mut stack = vec![from];
        while let Some(spot) = stack.pop() {
            for (next, _) in moves(spot) {
                if !std::mem::replace(&mut reached[next], true) {
                    stack.push(next);
                }
            }
        }
        reached
    }
}
