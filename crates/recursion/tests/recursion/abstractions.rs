//! Random abstractions of random programs: definite answers on demand are right for all concrete states, sets of targets make
//! the must-side stronger, and strategies of the must-side are played on concrete states without getting stuck.

use crate::partial_twin::Full;
use crate::random_programs::random_program;
use std::collections::{BTreeMap, BTreeSet};
use tertium_program::{Action, PointId};
use tertium_recursion::demand::{
    Diverging, Entering, FrameId, Goal, Move, Next, PartialProgram, Passage, Position, Reaching, Side,
    SiteId, StateId, Strategy, diverging, reaching,
};
use tertium_recursion::finite::{FiniteProgram, ThreeSteps};
use tertium_support::{Context, Id, Rng};
use tertium_testkit::long_random_cases;

/// Whether sets of several targets are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Musts {
    Plain,
    Sets,
}

/// A partition of the concrete states, point by point, and what follows from it.
struct Abstraction {
    program: PartialProgram,
    /// By concrete state.
    class: Vec<StateId>,
    members: Vec<Vec<usize>>,
}

fn random_classes(rng: &mut Rng, program: &FiniteProgram<'_>) -> (PartialProgram, Vec<StateId>) {
    let (icfg, mut partial) = (program.icfg(), PartialProgram::new());
    let mut class = Vec::new();
    for (point, of) in PointId::first(icfg.points().len()).zip(icfg.points()) {
        let is_exit = icfg.procedure(of.procedure).exit == point;
        let (most, mut classes) = (rng.between(1, 9), BTreeMap::new());
        for _ in program.states_at(point) {
            let own = classes.entry(rng.below(most)).or_insert_with(|| {
                if is_exit {
                    partial.add_exit(of.procedure, point)
                } else {
                    partial.add_state(of.procedure, point)
                }
            });
            class.push(*own);
        }
    }
    (partial, class)
}

/// Sets of targets one of which is possible from each member: `targets` has those of each.
fn musts<T: Copy + Ord>(rng: &mut Rng, targets: &[Vec<T>], musts: Musts) -> Vec<Vec<T>> {
    let all: BTreeSet<T> = targets.iter().flatten().copied().collect();
    let common = all.into_iter().filter(|target| targets.iter().all(|own| own.contains(target)));
    let mut sets: Vec<Vec<T>> = common.map(|target| vec![target]).collect();
    if musts == Musts::Sets && targets.iter().all(|own| !own.is_empty()) {
        for _ in 0..2 {
            let picked: BTreeSet<T> = targets.iter().map(|own| *rng.pick(own)).collect();
            sets.push(picked.into_iter().collect());
        }
    }
    sets
}

fn random_abstraction(rng: &mut Rng, program: &FiniteProgram<'_>, kind: Musts) -> Abstraction {
    let (mut partial, class) = random_classes(rng, program);
    let mut members = vec![Vec::new(); partial.states().len()];
    for (state, own) in class.iter().enumerate() {
        members[own.index()].push(state);
    }
    let mut sites: BTreeMap<_, SiteId> = BTreeMap::new();
    let mut frames: BTreeMap<(SiteId, StateId, StateId), FrameId> = BTreeMap::new();
    for (id, own) in StateId::first(members.len()).zip(&members) {
        let moves = |&state: &usize| {
            let steps = program.steps(state).iter();
            steps.map(|&(edge, target)| Move { edge, target: class[target] }).collect::<Vec<Move>>()
        };
        let moves: Vec<Vec<Move>> = own.iter().map(moves).collect();
        let all: BTreeSet<Move> = moves.iter().flatten().copied().collect();
        all.into_iter().for_each(|step| partial.state_mut(id).moves.add_may(step));
        for set in musts(rng, &moves, kind) {
            partial.state_mut(id).moves.add_must(set);
        }
        let mut enterings = Vec::new();
        for &state in own {
            let mut ways = Vec::new();
            for (edge, entries) in program.calls(state) {
                let Action::Call(call) = &program.icfg().edge(*edge).action else { continue };
                let site = *sites.entry(*edge).or_insert_with(|| partial.add_site(*edge, call.callee));
                for &entry in entries {
                    let key = (site, id, class[entry]);
                    let frame = *frames.entry(key).or_insert_with(|| partial.site_mut(site).add_frame());
                    ways.push(Entering { site, frame, entry: class[entry] });
                }
            }
            enterings.push(ways);
        }
        let all: BTreeSet<Entering> = enterings.iter().flatten().copied().collect();
        all.into_iter().for_each(|way| partial.state_mut(id).enterings.add_may(way));
        for set in musts(rng, &enterings, kind) {
            partial.state_mut(id).enterings.add_must(set);
        }
    }
    for (&edge, &site) in &sites {
        let callee = partial.site(site).callee;
        for exit in partial.exits(callee).to_vec() {
            let result = partial.site_mut(site).add_result();
            partial.site_mut(site).set_result(exit, result);
            for (&(_, caller, _), &frame) in frames.iter().filter(|((own, ..), _)| *own == site) {
                // All members count, also those that do not lead to this entry: that is weaker, and simple.
                let back: Vec<Option<usize>> = members[caller.index()]
                    .iter()
                    .filter(|&&state| program.calls(state).iter().any(|(own, _)| *own == edge))
                    .flat_map(|&state| {
                        members[exit.index()].iter().map(move |&exit| program.after_return(state, edge, exit))
                    })
                    .collect();
                let targets: BTreeSet<StateId> = back.iter().flatten().map(|&after| class[after]).collect();
                let returns = partial.site_mut(site).returns_mut(frame, result);
                targets.iter().for_each(|&target| returns.add_may(target));
                if back.iter().all(Option::is_some) && (kind == Musts::Sets || targets.len() == 1) {
                    returns.add_must(targets.into_iter().collect::<Vec<_>>());
                }
            }
        }
    }
    for state in program.initial() {
        partial.initial.add_exact(class[state]);
    }
    Abstraction { program: partial, class, members }
}

/// Counts of definite answers: true, false.
type Counts = [usize; 2];

fn compare(
    abstraction: &Abstraction,
    concrete: &[bool],
    at: impl Fn(StateId) -> tertium_truth::Belnap,
) -> Counts {
    let mut counts = [0; 2];
    for (id, members) in StateId::first(abstraction.members.len()).zip(&abstraction.members) {
        let value = at(id);
        if value.must() {
            assert!(members.iter().all(|&state| concrete[state]), "must holds for all of {id:?}");
            counts[0] += 1;
        }
        if !value.may() {
            assert!(members.iter().all(|&state| !concrete[state]), "may fails for all of {id:?}");
            counts[1] += 1;
        }
    }
    counts
}

#[test]
fn definite_answers_of_abstractions_are_right_and_strategies_can_be_played() {
    let context = Context::default();
    let mut counts = BTreeMap::from([(false, [0; 4]), (true, [0; 4])]);
    let run = long_random_cases(2000, |rng| {
        let icfg = random_program(rng);
        let program = FiniteProgram::new(&context, &icfg).expect("the program is finite");
        let three = ThreeSteps::new(&program);
        let kind = *rng.pick(&[Musts::Plain, Musts::Sets]);
        let abstraction = random_abstraction(rng, &program, kind);
        let point = PointId::new(rng.below(icfg.points().len()));
        let is_goal = |state: usize| program.point(state) == point;
        let goal = Goal::at(&abstraction.program, &[point]);
        let reach = reaching(&context, &abstraction.program, &goal).expect("there is no limit");
        let own = counts.get_mut(&(kind == Musts::Sets)).expect("both kinds are counted");
        let found = compare(&abstraction, &three.reaching(is_goal), |state| reach.at(state));
        (own[0], own[1]) = (own[0] + found[0], own[1] + found[1]);
        let nt = diverging(&context, &abstraction.program).expect("there is no limit");
        let found = compare(&abstraction, &three.diverging(), |state| nt.at(state));
        (own[2], own[3]) = (own[2] + found[0], own[3] + found[1]);
        for state in 0..program.n_states() {
            let class = abstraction.class[state];
            if let Some(position) = reach.must.from_state(class) {
                let end =
                    Play::new(&program, &abstraction, &reach.must).play(rng, state, position, usize::MAX);
                assert!(is_goal(end), "a play ends in the goal");
            }
            if let Some(position) = nt.must.from_state(class) {
                Play::new(&program, &abstraction, &nt.must).play(rng, state, position, 30);
            }
        }
    });
    let (plain, sets) = (counts[&false], counts[&true]);
    run.enough(plain.iter().chain(&sets).all(|&n| n >= run.share(2000)), (plain, sets));
    run.enough(sets[0] > plain[0] && sets[2] > plain[2], (plain, sets));
}

#[test]
fn demand_loses_nothing_where_ways_have_several_targets() {
    let context = Context::default();
    let (mut compared, mut several) = (0, 0);
    let run = long_random_cases(2000, |rng| {
        let icfg = random_program(rng);
        let program = FiniteProgram::new(&context, &icfg).expect("the program is finite");
        let partial = random_abstraction(rng, &program, Musts::Sets).program;
        let goal = Goal::at(&partial, &[PointId::new(rng.below(icfg.points().len()))]);
        for side in [Side::Must, Side::May] {
            let Some(full) = Full::new(&partial, side) else { continue };
            let reach = Reaching::solve(&context, &partial, &goal, side).expect("there is no limit");
            let nt = Diverging::solve(&context, &partial, side).expect("there is no limit");
            if reach.statistics().n_left_out + nt.statistics().n_left_out > 0 {
                continue;
            }
            let (expected_reach, expected_nt) = (full.reaching(goal.on(side)), full.diverging());
            for id in StateId::first(partial.states().len()) {
                assert_eq!(reach.contains(id), expected_reach[id.index()], "RS at {id:?}, {side:?}");
                assert_eq!(nt.contains(id), expected_nt[id.index()], "NT at {id:?}, {side:?}");
            }
            compared += 1;
            let sets = [reach.summaries(), nt.summaries()].concat();
            several += usize::from(sets.iter().any(|summary| summary.exits.len() > 1));
        }
    });
    run.enough(compared >= run.share(2000) && several >= run.share(100), (compared, several));
}

/// A play of a strategy on concrete states.
struct Play<'a, S> {
    program: &'a FiniteProgram<'a>,
    abstraction: &'a Abstraction,
    strategy: &'a S,
}

impl<'a, S: Strategy> Play<'a, S> {
    fn new(program: &'a FiniteProgram<'a>, abstraction: &'a Abstraction, strategy: &'a S) -> Self {
        Self { program, abstraction, strategy }
    }

    /// Plays until the strategy has arrived, or so many steps were made; gives the last state.
    fn play(&self, rng: &mut Rng, mut state: usize, mut position: Position, most: usize) -> usize {
        for _ in 0..most {
            assert_eq!(self.abstraction.class[state], position.state, "the state is one of the position");
            (state, position) = match self.strategy.next(position) {
                Next::Arrived => return state,
                Next::Moves(moves) => {
                    let mut ways = Vec::new();
                    for &(edge, target) in self.program.steps(state) {
                        let step = Move { edge, target: self.abstraction.class[target] };
                        let own = moves.iter().filter(|(own, _)| *own == step);
                        ways.extend(own.map(|&(_, next)| (target, next)));
                    }
                    *rng.pick(&ways)
                }
                Next::Calls(calls) => {
                    let mut ways = Vec::new();
                    for (edge, entries) in self.program.calls(state) {
                        for &entry in entries {
                            let class = self.abstraction.class[entry];
                            let fits = |way: &Entering| {
                                way.entry == class && self.abstraction.program.site(way.site).edge == *edge
                            };
                            let own = calls.iter().filter(|(way, _)| fits(way));
                            ways.extend(own.map(|(_, passage)| (*edge, entry, passage)));
                        }
                    }
                    let (edge, entry, passage) = *rng.pick(&ways);
                    match passage {
                        Passage::Into(next) => (entry, *next),
                        Passage::Over { inside, after } => {
                            let exit = self.play(rng, entry, *inside, usize::MAX);
                            let class = self.abstraction.class[exit];
                            let (_, targets) =
                                after.iter().find(|(own, _)| *own == class).expect("the exit is foreseen");
                            let back = self.program.after_return(state, edge, exit).expect("it returns");
                            let class = self.abstraction.class[back];
                            let next = targets.iter().find(|next| next.state == class);
                            (back, *next.expect("the return is foreseen"))
                        }
                    }
                }
            };
        }
        state
    }
}
