//! Refinement where what is open is how often a run goes round.
//!
//! A lasso of the abstract system is in the way of a least fixpoint. If no run takes it, the predicates that exclude it are wanted, as
//! for any path. Otherwise ranks are looked for: of the component that the cycle lies in, first without what is known of predicates,
//! the same at all states with one control; then one for each abstract state; then of the cycle alone. Conditions that hold where the
//! stem ends and that no step of the component changes help, and become predicates if they did. Where a run can go round and be where
//! it was, its states are told apart from all others.

use crate::by_predicates::{ByPredicates, Wanted};
use crate::hops::{between, relations};
use crate::path::{AbstractPath, Execution, exclude, execute};
use crate::program_abstraction::ProgramAbstraction;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tertium_abstraction::{AbstractSystem, Rank, RankPiece, TriState};
use tertium_check::{OpenLasso, Prepared, Side, open_lasso};
use tertium_expr::{Sort, Term, Variable};
use tertium_program::{CommandId, Role};
use tertium_ranking::{Hop, Ranking, Relation, Settings, rank};
use tertium_solve::Answer;
use tertium_support::{Context, Id, StopReason};
use tertium_system::{RankedSteps, StateId};

type Step = tertium_system::Step;

/// In components with more steps, only what commands do is looked at, and not what is known of predicates.
const MOST_HOPS: usize = 120;
/// A rank is a sum of so many variables at most.
const MOST_MEASURES: usize = 24;
/// So many lassos are looked at in one round, for each side.
const MOST_LASSOS: usize = 4;
/// So many ways along the steps of a lasso are looked at, where several commands lead along.
const MOST_WAYS: usize = 16;
/// So many values of variables at points of a lasso become predicates.
const MOST_PINNED: usize = 64;
/// So many steps of a cycle are shown.
const MOST_SHOWN: usize = 4;
/// What a step costs more for each time that it lay on a lasso that taught nothing.
const TRIED: u64 = 8;

/// What a lasso taught.
#[derive(Debug, Default)]
pub(crate) struct Taught {
    pub(crate) predicates: Vec<Wanted>,
    pub(crate) ranks: Vec<Rank>,
}

impl Taught {
    pub(crate) fn is_nothing(&self) -> bool {
        self.predicates.is_empty() && self.ranks.is_empty()
    }
}

/// A way along some steps: after each, and before the first, what was done so far.
type Way = Vec<Relation>;

/// How the nodes of hops are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Apart {
    /// By control, and each step of a command between two controls is one hop, whatever predicates hold.
    Commands,
    /// By control.
    Controls,
    /// By the whole abstract state.
    States,
}

impl<'p, V: ProgramAbstraction<'p>> ByPredicates<'_, 'p, V> {
    /// What the lassos teach that are in the way of one side or the other.
    pub(crate) fn go_round(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
    ) -> Result<Taught, StopReason> {
        let mut prepared = Prepared::new(context, &found.system)?;
        if let Some(ranked) = &found.ranked {
            prepared = prepared.with_ranks(ranked.steps.clone());
        }
        self.goes_round = None;
        for side in [Side::Proof, Side::Refutation] {
            let mut tried: FxHashMap<Step, u64> = FxHashMap::default();
            for _ in 0..MOST_LASSOS {
                let cost = |step: Step| 1 + TRIED * tried.get(&step).copied().unwrap_or(0);
                let formula = self.question.formula;
                let lasso = open_lasso(context, &prepared, formula, self.semantics, side, &cost)?;
                let Some(lasso) = lasso else { break };
                let taught = self.learn(context, found, &lasso)?;
                if !taught.is_nothing() {
                    return Ok(taught);
                }
                if self.goes_round.is_none() {
                    self.goes_round = Some(self.in_words(found, &lasso));
                }
                for &step in &lasso.cycle {
                    *tried.entry(step).or_default() += 1;
                }
            }
        }
        Ok(Taught::default())
    }

    /// A lasso that taught nothing.
    fn in_words(&self, found: &AbstractSystem<TriState>, lasso: &OpenLasso) -> String {
        let program = self.question.program;
        let state = |id: StateId| {
            let own = &found.states[id.index()];
            format!("#{} ({})", id.index(), own.describe(program, &found.precision))
        };
        let mut round = state(lasso.cycle[0].0);
        for &(_, action, target) in lasso.cycle.iter().take(MOST_SHOWN) {
            round += &format!(" --{}--> {}", found.system.actions().name(action), state(target));
        }
        if lasso.cycle.len() > MOST_SHOWN {
            round += " …";
        }
        format!("runs may go round for ever: {round}; no number was found that falls in every round")
    }

    fn learn(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
        lasso: &OpenLasso,
    ) -> Result<Taught, StopReason> {
        if lasso.chosen {
            // A run along it shows nothing: the prover need not go this way.
            return self.look_for_ranks(context, found, lasso, &[Apart::Commands]);
        }
        let program = self.question.program;
        // A cycle that runs only once round, or twice, is no cycle.
        let anything = program.terms.boolean(true);
        for times in 1..=2 {
            let round = (0..times).flat_map(|_| &lasso.cycle);
            let steps: Vec<Step> = lasso.stem.iter().chain(round).copied().collect();
            let path = path(found, lasso.start, &steps);
            let execution = execute(context, &mut self.paths, program, &path, anything)?;
            if let Execution::Impossible(_) = execution {
                let known = self.seen.precision();
                let wanted = exclude(context, &mut self.paths, program, &path, anything, known, &self.live)?;
                let predicates = self.new_ones(context, wanted);
                if !predicates.is_empty() {
                    return Ok(Taught { predicates, ranks: Vec::new() });
                }
                break;
            }
            if times == 1 {
                let wanted = self.pin(context, found, lasso)?;
                let predicates = self.new_ones(context, wanted);
                if !predicates.is_empty() {
                    return Ok(Taught { predicates, ranks: Vec::new() });
                }
                let all = [Apart::Commands, Apart::Controls, Apart::States];
                let taught = self.look_for_ranks(context, found, lasso, &all)?;
                if !taught.is_nothing() {
                    return Ok(taught);
                }
            }
        }
        Ok(Taught::default())
    }

    /// Ranks for the component of a lasso, or for its cycle.
    fn look_for_ranks(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
        lasso: &OpenLasso,
        ways: &[Apart],
    ) -> Result<Taught, StopReason> {
        if self.ranks.len() >= RankedSteps::MOST {
            return Ok(Taught::default());
        }
        let mut cycle = lasso.cycle.clone();
        cycle.sort_unstable();
        cycle.dedup();
        for steps in [&lasso.component, &cycle] {
            for &apart in ways {
                if apart != Apart::Commands && steps.len() > MOST_HOPS {
                    continue;
                }
                let graph = self.graph(found, steps, apart);
                // What commands do stays the same, whatever predicates there are.
                let is_known = apart == Apart::Commands && !self.ranked_graphs.insert(graph.signature());
                if is_known || graph.hops.len() > MOST_HOPS {
                    continue;
                }
                let ranking = self.rank(context, &graph, &graph.hops)?;
                let mut taught = self.taught(context, &graph, &ranking);
                if !ranking.left.is_empty() && !lasso.chosen {
                    // What is known where the stem ends may be what is missing.
                    let more = self.with_facts(context, found, lasso, &graph, &ranking)?;
                    taught = if more.is_nothing() { taught } else { more };
                }
                if !taught.is_nothing() {
                    return Ok(taught);
                }
            }
        }
        Ok(Taught::default())
    }

    fn rank(&mut self, context: &Context, graph: &Graph, hops: &[Hop]) -> Result<Ranking, StopReason> {
        let terms = &self.question.program.terms;
        let prover = self.seen.prover();
        rank(context, terms, prover, hops, &graph.measures, &Settings::default())
    }

    /// Ranks that are new, with the conditions that they need.
    fn taught(&mut self, context: &Context, graph: &Graph, ranking: &Ranking) -> Taught {
        let room = RankedSteps::MOST - self.ranks.len();
        let ranks = ranking.ranks.iter().map(|rank| graph.rank(rank));
        let ranks: Vec<Rank> = ranks.filter(|rank| !self.ranks.contains(rank)).take(room).collect();
        if ranks.is_empty() {
            return Taught::default();
        }
        let program = self.question.program;
        let place = |&(node, term): &(usize, Term)| {
            (term, self.live.location(program, &graph.nodes[node].control, term))
        };
        let wanted = ranking.splits.iter().map(place).collect();
        let predicates = self.new_ones(context, wanted);
        Taught { predicates, ranks }
    }

    /// Ranks that are found where conditions hold that hold where the stem ends and that no step changes; these become predicates.
    fn with_facts(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
        lasso: &OpenLasso,
        graph: &Graph,
        without: &Ranking,
    ) -> Result<Taught, StopReason> {
        let facts = self.facts(context, found, lasso, graph)?;
        if facts.is_empty() {
            return Ok(Taught::default());
        }
        let with = |facts: &[Term]| -> Vec<Hop> {
            let add = |hop: &Hop| {
                let relation = facts.iter().fold(hop.relation.clone(), |relation, &fact| relation.from(fact));
                Hop { relation, ..hop.clone() }
            };
            graph.hops.iter().map(add).collect()
        };
        let ranking = self.rank(context, graph, &with(&facts))?;
        if ranking.left.len() >= without.left.len() {
            return Ok(Taught::default());
        }
        // Facts that are not needed would only split states.
        let mut needed = facts.clone();
        for fact in facts {
            let fewer: Vec<Term> = needed.iter().copied().filter(|&other| other != fact).collect();
            if self.rank(context, graph, &with(&fewer))?.left.len() <= ranking.left.len() {
                needed = fewer;
            }
        }
        let ranking = self.rank(context, graph, &with(&needed))?;
        let mut taught = self.taught(context, graph, &ranking);
        let program = self.question.program;
        let places =
            graph.nodes.iter().flat_map(|node| needed.iter().map(move |&fact| (fact, &node.control)));
        let wanted =
            places.map(|(fact, control)| (fact, self.live.location(program, control, fact))).collect();
        taught.predicates.extend(self.new_ones(context, wanted));
        Ok(taught)
    }

    /// Conditions on variables that hold where the stem ends and that no step of the component ends.
    fn facts(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
        lasso: &OpenLasso,
        graph: &Graph,
    ) -> Result<Vec<Term>, StopReason> {
        let program = self.question.program;
        let terms = &program.terms;
        let Some(stems) = self.stems(found, lasso) else { return Ok(Vec::new()) };
        let mut facts: BTreeSet<Term> = BTreeSet::new();
        for &measure in &graph.measures[0] {
            for (low, high) in [(0, 0), (1, -1)] {
                facts.insert(terms.at_most(terms.integer(low), measure));
                facts.insert(terms.at_most(measure, terms.integer(high)));
            }
        }
        let mut kept = Vec::new();
        for fact in facts {
            let mut holds = true;
            for stem in &stems {
                holds = holds && self.follows(context, &stem[stem.len() - 1], fact)?;
            }
            kept.extend(holds.then_some(fact));
        }
        loop {
            let before = kept.len();
            for hop in &graph.hops {
                let relation = kept.iter().fold(hop.relation.clone(), |own, &fact| own.from(fact));
                let mut still = Vec::new();
                for &fact in &kept {
                    if self.follows(context, &relation, fact)? {
                        still.push(fact);
                    }
                }
                kept = still;
            }
            if kept.len() == before {
                return Ok(kept);
            }
        }
    }

    /// Whether something holds after a hop.
    fn follows(&mut self, context: &Context, relation: &Relation, fact: Term) -> Result<bool, StopReason> {
        let terms = &self.question.program.terms;
        let against = terms.not(relation.after(terms, fact));
        let together = relation.given.iter().copied().chain([against]);
        let answer = self.seen.prover().check(context, terms, together).unless_stopped()?;
        Ok(answer == Answer::Unsatisfiable)
    }

    /// The ways along these steps, behind one that was gone; nothing if they are too many.
    fn ways(&self, found: &AbstractSystem<TriState>, gone: Way, steps: &[Step]) -> Option<Vec<Way>> {
        let program = self.question.program;
        let mut ways = vec![gone];
        for &(source, action, target) in steps {
            let (from, to) = (&found.states[source.index()], &found.states[target.index()]);
            let name = found.system.actions().name(action);
            let own = commands(found, source, target).into_iter();
            let own = own.filter(|command| program.commands()[command.index()].action == name);
            let next: Vec<Relation> = own
                .flat_map(|command| relations(program, from, command, to))
                .map(|(_, relation)| between(program, &found.precision, &relation, from, to))
                .collect();
            let longer = ways.iter().flat_map(|way| {
                next.iter().map(|next| {
                    let whole = way[way.len() - 1].then(&program.terms, next);
                    way.iter().cloned().chain([whole]).collect()
                })
            });
            ways = longer.collect();
            if ways.len() > MOST_WAYS {
                return None;
            }
        }
        Some(ways)
    }

    /// The ways along the stem of a lasso, from where the program begins.
    fn stems(&self, found: &AbstractSystem<TriState>, lasso: &OpenLasso) -> Option<Vec<Way>> {
        let program = self.question.program;
        let start = &found.states[lasso.start.index()];
        let begin = Relation::default().from(start.at_control(program, program.initial));
        let known = start.conditions(program, &found.precision).into_iter();
        self.ways(found, vec![known.fold(begin, Relation::from)], &lasso.stem)
    }

    /// Predicates that tell the states of a run apart from all others that takes a lasso and has come back to a state: its steps must
    /// exist then.
    fn pin(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
        lasso: &OpenLasso,
    ) -> Result<Vec<Wanted>, StopReason> {
        let program = self.question.program;
        let terms = &program.terms;
        let own = program.variables().iter().filter(|own| own.role == Role::Data);
        let data: Vec<Term> = own.map(|own| terms.variable(own.variable)).collect();
        let mut states = vec![lasso.start];
        states.extend(lasso.stem.iter().chain(&lasso.cycle).map(|&(_, _, target)| target));
        if data.len() * states.len() > MOST_PINNED {
            return Ok(Vec::new());
        }
        for stem in self.stems(found, lasso).unwrap_or_default() {
            let head = stem.len() - 1;
            for way in self.ways(found, stem, &lasso.cycle).unwrap_or_default() {
                let (before, after) = (&way[head], &way[way.len() - 1]);
                let same =
                    data.iter().map(|&own| terms.equal(before.after(terms, own), after.after(terms, own)));
                let together = after.given.iter().copied().chain(same);
                let (answer, model) = self.seen.prover().find(context, terms, together);
                answer.unless_stopped()?;
                let Some(model) = model else { continue };
                let mut wanted = Vec::new();
                for (point, state) in way.iter().zip(&states) {
                    let control = &found.states[state.index()].control;
                    for &own in &data {
                        let Ok(value) = model.evaluate(terms, point.after(terms, own)) else { continue };
                        let pinned = terms.equal(own, terms.value(&value));
                        wanted.push((pinned, self.live.location(program, control, pinned)));
                    }
                }
                return Ok(wanted);
            }
        }
        Ok(Vec::new())
    }

    /// The steps of a system as hops.
    fn graph(&self, found: &AbstractSystem<TriState>, steps: &[Step], apart: Apart) -> Graph {
        let program = self.question.program;
        let terms = &program.terms;
        let mut graph = Graph::default();
        let mut numbers: BTreeMap<Node, usize> = BTreeMap::new();
        let mut node = |graph: &mut Graph, state: StateId| {
            let own = &found.states[state.index()];
            let given: Vec<Term> = match apart {
                Apart::Commands | Apart::Controls => Vec::new(),
                Apart::States => own.literals(program, &found.precision).collect(),
            };
            let key = Node { control: own.control.clone(), given };
            *numbers.entry(key.clone()).or_insert_with(|| {
                graph.nodes.push(key);
                graph.nodes.len() - 1
            })
        };
        let mut variables: BTreeSet<Variable> = BTreeSet::new();
        let mut seen: BTreeSet<(usize, usize, CommandId, usize)> = BTreeSet::new();
        for &(source, action, target) in steps {
            let (from, to) = (&found.states[source.index()], &found.states[target.index()]);
            let name = found.system.actions().name(action);
            let own = commands(found, source, target).into_iter();
            for command in own.filter(|command| program.commands()[command.index()].action == name) {
                for (number, mut relation) in relations(program, from, command, to) {
                    let read = relation.given.iter().chain(relation.updates.values());
                    variables.extend(read.flat_map(|&term| terms.variables_of(term)));
                    let (source, target) = (node(&mut graph, source), node(&mut graph, target));
                    if apart != Apart::Commands {
                        relation = between(program, &found.precision, &relation, from, to);
                    } else if !seen.insert((source, target, command, number)) {
                        continue;
                    }
                    graph.hops.push(Hop { source, target, relation });
                }
            }
        }
        let own = variables
            .into_iter()
            .filter(|&variable| program.id_of(variable).is_some() && terms.sort_of(variable) == Sort::Int);
        let measures: Vec<Term> = own.map(|variable| terms.variable(variable)).take(MOST_MEASURES).collect();
        graph.measures = vec![measures; graph.nodes.len().max(1)];
        graph
    }
}

/// What a node of hops stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Node {
    control: Box<[tertium_expr::Value]>,
    given: Vec<Term>,
}

/// Hops between abstract states, or between their controls.
#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    hops: Vec<Hop>,
    measures: Vec<Vec<Term>>,
}

/// What a graph of commands is told apart by.
pub(crate) type Signature = Vec<(Node, Node, Relation)>;

impl Graph {
    /// Its hops between what their nodes stand for.
    fn signature(&self) -> Signature {
        let own = |hop: &Hop| {
            (self.nodes[hop.source].clone(), self.nodes[hop.target].clone(), hop.relation.clone())
        };
        self.hops.iter().map(own).collect()
    }

    /// A rank of the nodes as one of the program.
    fn rank(&self, rank: &tertium_ranking::Rank) -> Rank {
        let pieces = rank.at.iter().map(|(&node, &term)| {
            let Node { control, given } = self.nodes[node].clone();
            RankPiece { control, given, term }
        });
        Rank { pieces: pieces.collect() }
    }
}

fn commands(found: &AbstractSystem<TriState>, source: StateId, target: StateId) -> Vec<CommandId> {
    let edges = found.edges_of(source).iter().filter(|&&(_, _, to)| to == target);
    edges.map(|&(_, command, _)| command).collect()
}

fn path<'a>(found: &'a AbstractSystem<TriState>, start: StateId, steps: &[Step]) -> AbstractPath<'a> {
    let steps = steps
        .iter()
        .map(|&(source, _, target)| (commands(found, source, target), &found.states[target.index()]));
    AbstractPath { start: &found.states[start.index()], steps: steps.collect() }
}
