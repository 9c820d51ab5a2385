//! Small random symbolic systems with their explicit twins, and naive evaluation on the twins.
//!
//! Shares no code with the symbolic checkers: sets are vectors of bits, fair paths are found by strongly connected components,
//! taken apart step by step where compassion asks for it.

use std::collections::HashMap;
use tertium_check::symbolic::SymbolicTrace;
use tertium_dd::{Bdd, Frame, Manager, Relation, Var};
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, Regular, Sign};
use tertium_support::{Context, Rng};
use tertium_system::{SymbolicModel, SymbolicVariable};

pub(crate) type Set = Vec<bool>;

/// An explicit system. States and inputs are numbered; in the symbolic twin their binary digits are dealt to variables.
#[derive(Clone, Debug)]
pub(crate) struct Explicit {
    pub(crate) n_states: usize,
    pub(crate) n_inputs: usize,
    pub(crate) valid: Set,
    pub(crate) init: Set,
    pub(crate) edges: Vec<(usize, usize, usize)>,
    pub(crate) justice: Vec<Vec<Set>>,
    pub(crate) compassion: Vec<(Vec<Set>, Vec<Set>)>,
    pub(crate) propositions: Vec<(String, Set)>,
}

/// What random systems look like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) justice: usize,
    pub(crate) compassion: usize,
    pub(crate) deadlocks: bool,
}

/// A random system and its twin.
pub(crate) struct Case {
    pub(crate) explicit: Explicit,
    pub(crate) model: SymbolicModel,
}

pub(crate) fn random_case(rng: &mut Rng, shape: Shape) -> Case {
    let groups = random_widths(rng, 2, 4);
    let inputs = if rng.chance(0.5) { random_widths(rng, 1, 2) } else { Vec::new() };
    let (n_bits, n_input_bits) = (groups.iter().sum::<usize>(), inputs.iter().sum::<usize>());
    let explicit = random_explicit(rng, 1 << n_bits, 1 << n_input_bits, shape);
    let model = encode(rng, &explicit, &groups, &inputs);
    Case { explicit, model }
}

fn random_widths(rng: &mut Rng, low: usize, high: usize) -> Vec<usize> {
    let mut left = rng.between(low, high);
    let mut widths = Vec::new();
    while left > 0 {
        let width = rng.between(1, left.min(2));
        widths.push(width);
        left -= width;
    }
    widths
}

fn random_explicit(rng: &mut Rng, n_states: usize, n_inputs: usize, shape: Shape) -> Explicit {
    let mut set = |n: usize, share: f64| (0..n).map(|_| rng.chance(share)).collect::<Set>();
    let valid = set(n_states, 0.85);
    let init: Set = set(n_states, 0.2).iter().zip(&valid).map(|(a, b)| *a && *b).collect();
    let mut step_set = |share: f64| (0..n_states).map(|_| set(n_inputs, share)).collect::<Vec<_>>();
    let justice = (0..shape.justice).map(|_| step_set(0.3)).collect();
    let compassion = (0..shape.compassion).map(|_| (step_set(0.5), step_set(0.25))).collect();
    let propositions = ["p", "q", "r"].map(|name| (name.to_owned(), set(n_states, 0.5))).to_vec();
    let degree = 0.4 + 1.6 * rng.below(100) as f64 / 100.0;
    let mut edges = Vec::new();
    for s in (0..n_states).filter(|&s| valid[s]) {
        let before = edges.len();
        for i in 0..n_inputs {
            for t in (0..n_states).filter(|&t| valid[t]) {
                if rng.chance(degree / (n_states * n_inputs) as f64) {
                    edges.push((s, i, t));
                }
            }
        }
        if edges.len() == before && !(shape.deadlocks && rng.chance(0.3)) {
            let targets: Vec<usize> = (0..n_states).filter(|&t| valid[t]).collect();
            edges.push((s, rng.below(n_inputs), *rng.pick(&targets)));
        }
    }
    Explicit { n_states, n_inputs, valid, init, edges, justice, compassion, propositions }
}

fn encode(rng: &mut Rng, explicit: &Explicit, groups: &[usize], inputs: &[usize]) -> SymbolicModel {
    let manager = Manager::new(&Context::default());
    let mut variables = Vec::new();
    let mut frame = Frame::default();
    for (at, &width) in groups.iter().chain(inputs).enumerate() {
        let is_input = at >= groups.len();
        let mut variable = SymbolicVariable {
            name: format!("x{at}"),
            is_input,
            current: Vec::new(),
            next: Vec::new(),
            last_code: (1 << width) - 1,
        };
        for _ in 0..width {
            variable.current.push(manager.add_var());
            if !is_input {
                variable.next.push(manager.add_var());
            }
        }
        if is_input {
            frame.input.extend(&variable.current);
        } else {
            frame.current.extend(&variable.current);
            frame.next.extend(&variable.next);
        }
        variables.push(variable);
    }
    let bits = |vars: &[Var], value: usize| -> Vec<(Var, bool)> {
        vars.iter().enumerate().map(|(bit, &var)| (var, value >> bit & 1 == 1)).collect()
    };
    let cube = |literals: Vec<(Var, bool)>| Bdd::cube(&manager, literals).unwrap();
    let sum = |cubes: Vec<Bdd>| cubes.iter().fold(manager.constant(false), |all, one| all.or(one).unwrap());
    let states =
        |set: &Set| sum((0..set.len()).filter(|&s| set[s]).map(|s| cube(bits(&frame.current, s))).collect());
    let steps = |sets: &Vec<Set>| {
        let mut cubes = Vec::new();
        for (s, row) in sets.iter().enumerate() {
            for i in (0..row.len()).filter(|&i| row[i]) {
                cubes.push(cube([bits(&frame.current, s), bits(&frame.input, i)].concat()));
            }
        }
        sum(cubes)
    };
    let edge = |&(s, i, t): &(usize, usize, usize)| {
        cube([bits(&frame.current, s), bits(&frame.input, i), bits(&frame.next, t)].concat())
    };
    // The relation in one piece, or as conjunctions of supersets, or as a disjunction.
    let n_disjuncts = rng.between(1, 3);
    let mut disjuncts = vec![Vec::new(); n_disjuncts];
    explicit.edges.iter().for_each(|step| disjuncts[rng.below(n_disjuncts)].push(edge(step)));
    let split = rng.chance(0.5);
    let parts = disjuncts
        .into_iter()
        .map(|cubes| {
            let whole = sum(cubes);
            if !split {
                return vec![whole];
            }
            let extra = sum((0..4)
                .map(|_| {
                    edge(&(
                        rng.below(explicit.n_states),
                        rng.below(explicit.n_inputs),
                        rng.below(explicit.n_states),
                    ))
                })
                .collect());
            let extra = extra.diff(&whole).unwrap();
            let other = whole.or(&extra.not()).unwrap();
            vec![whole.or(&extra).unwrap(), other]
        })
        .collect();
    let relation = Relation::new(&manager, frame.clone(), parts).unwrap();
    SymbolicModel {
        faulty: manager.constant(false),
        init: states(&explicit.init),
        invar: states(&explicit.valid),
        justice: explicit.justice.iter().map(&steps).collect(),
        compassion: explicit.compassion.iter().map(|(p, q)| (steps(p), steps(q))).collect(),
        propositions: explicit.propositions.iter().map(|(name, set)| (name.clone(), states(set))).collect(),
        relation,
        variables,
        manager,
    }
}

/// The number of a state, or an input, from its codes.
pub(crate) fn number(model: &SymbolicModel, codes: &[u64], input: bool) -> usize {
    let widths = model.variables.iter().filter(|variable| variable.is_input == input);
    let mut value = 0;
    let mut shift = 0;
    for (variable, code) in widths.zip(codes) {
        assert!(*code < 1 << variable.current.len(), "a code has no more bits than its variable");
        value |= (*code as usize) << shift;
        shift += variable.current.len();
    }
    value
}

/// Whether a state is in a symbolic set.
pub(crate) fn contains(model: &SymbolicModel, set: &Bdd, state: usize) -> bool {
    let vars: &[Var] = &model.relation.frame().current;
    set.eval(|var| vars.iter().position(|&other| other == var).is_some_and(|bit| state >> bit & 1 == 1))
}

impl Explicit {
    pub(crate) fn has_edge(&self, s: usize, i: usize, t: usize) -> bool {
        self.edges.contains(&(s, i, t))
    }

    /// The distances from a set.
    pub(crate) fn distances(&self, from: &Set) -> Vec<Option<usize>> {
        let mut distance: Vec<Option<usize>> = from.iter().map(|&member| member.then_some(0)).collect();
        for round in 0.. {
            let mut changed = false;
            for &(s, _, t) in &self.edges {
                if distance[s] == Some(round) && distance[t].is_none() {
                    distance[t] = Some(round + 1);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        distance
    }

    pub(crate) fn reachable(&self) -> Set {
        self.distances(&self.init).iter().map(Option::is_some).collect()
    }

    /// The states of `goal` and those from which steps among `edges` lead there through `through`.
    pub(crate) fn back(&self, edges: &[(usize, usize, usize)], through: &Set, goal: &Set) -> Set {
        let mut reached = goal.clone();
        loop {
            let before = reached.clone();
            for &(s, _, t) in edges {
                reached[s] |= through[s] && reached[t];
            }
            if reached == before {
                return reached;
            }
        }
    }

    /// The states of the set where a fair path begins that stays in the set.
    pub(crate) fn fair_within(&self, set: &Set, compassion: bool) -> Set {
        let edges: Vec<_> = self.edges.iter().copied().filter(|&(s, _, t)| set[s] && set[t]).collect();
        let mut good = vec![false; self.n_states];
        self.fair_components(&edges, compassion, &mut good);
        self.back(&edges, set, &good)
    }

    /// Marks the states of fair strongly connected sub-graphs.
    fn fair_components(&self, edges: &[(usize, usize, usize)], compassion: bool, good: &mut Set) {
        for component in components(self.n_states, edges) {
            let inside: Vec<_> =
                edges.iter().copied().filter(|(s, _, t)| component[*s] && component[*t]).collect();
            if inside.is_empty() {
                continue;
            }
            let some = |table: &Vec<Set>| inside.iter().any(|&(s, i, _)| table[s][i]);
            if !self.justice.iter().all(some) {
                continue;
            }
            let bad: Vec<_> =
                self.compassion.iter().filter(|(p, q)| compassion && some(p) && !some(q)).collect();
            if bad.is_empty() {
                good.iter_mut().zip(&component).for_each(|(good, member)| *good |= *member);
            } else {
                let left: Vec<_> =
                    inside.iter().copied().filter(|&(s, i, _)| bad.iter().all(|(p, _)| !p[s][i])).collect();
                self.fair_components(&left, compassion, good);
            }
        }
    }

    /// Where a formula holds. Justice counts for CTL, compassion does not.
    pub(crate) fn evaluate(&self, formula: &Formula) -> Set {
        self.eval(formula, &mut HashMap::new())
    }

    fn constant(&self, value: bool) -> Set {
        self.valid.iter().map(|&valid| valid && value).collect()
    }

    fn negate(&self, set: &Set) -> Set {
        set.iter().zip(&self.valid).map(|(member, valid)| !member && *valid).collect()
    }

    fn eval<'f>(&self, formula: &'f Formula, environment: &mut HashMap<&'f str, Set>) -> Set {
        let join = |a: Set, b: Set, f: fn(bool, bool) -> bool| -> Set {
            a.iter().zip(&b).zip(&self.valid).map(|((a, b), valid)| f(*a, *b) && *valid).collect()
        };
        match &formula.kind {
            FormulaKind::True => self.constant(true),
            FormulaKind::False => self.constant(false),
            FormulaKind::Proposition(name) => {
                let (_, set) = self.propositions.iter().find(|(own, _)| own == name).unwrap();
                join(set.clone(), self.constant(true), |a, b| a && b)
            }
            FormulaKind::Variable(name) => environment[name.as_str()].clone(),
            FormulaKind::Not(f) => self.negate(&self.eval(f, environment)),
            FormulaKind::And(parts) => parts.iter().fold(self.constant(true), |all, part| {
                join(all, self.eval(part, environment), |a, b| a && b)
            }),
            FormulaKind::Or(parts) => parts.iter().fold(self.constant(false), |all, part| {
                join(all, self.eval(part, environment), |a, b| a || b)
            }),
            FormulaKind::Implies(f, g) => {
                join(self.eval(f, environment), self.eval(g, environment), |a, b| !a || b)
            }
            FormulaKind::Iff(f, g) => {
                join(self.eval(f, environment), self.eval(g, environment), |a, b| a == b)
            }
            FormulaKind::Modal(quantifier, regular, f) => {
                let set = self.eval(f, environment);
                match quantifier {
                    PathQuantifier::Some => self.sequence(regular, &set),
                    PathQuantifier::All => self.negate(&self.sequence(regular, &self.negate(&set))),
                }
            }
            FormulaKind::Fixpoint(sign, name, body) => {
                let outer = environment.get(name.as_str()).cloned();
                let mut current = self.constant(*sign == Sign::Greatest);
                loop {
                    environment.insert(name, current.clone());
                    let next = self.eval(body, environment);
                    if next == current {
                        break;
                    }
                    current = next;
                }
                if let Some(outer) = outer {
                    environment.insert(name, outer);
                }
                current
            }
            FormulaKind::Path(quantifier, operator) => {
                let sets: Vec<Set> =
                    operator.operands().into_iter().map(|operand| self.eval(operand, environment)).collect();
                match quantifier {
                    PathQuantifier::Some => self.some_path(operator, &sets),
                    PathQuantifier::All => self.all_paths(operator, &sets),
                }
            }
        }
    }

    fn before(&self, set: &Set) -> Set {
        let mut before = vec![false; self.n_states];
        self.edges.iter().for_each(|&(s, _, t)| before[s] |= set[t]);
        before
    }

    fn sequence(&self, regular: &Regular, next: &Set) -> Set {
        match regular {
            Regular::Step(_) => self.before(next),
            Regular::Sequence(parts) => {
                parts.iter().rev().fold(next.clone(), |next, part| self.sequence(part, &next))
            }
            Regular::Choice(parts) => parts.iter().fold(self.constant(false), |all, part| {
                all.iter().zip(self.sequence(part, next)).map(|(a, b)| *a || b).collect()
            }),
            Regular::Star(body) => {
                let mut reached = next.clone();
                loop {
                    let more = self.sequence(body, &reached);
                    let joined: Set = reached.iter().zip(more).map(|(a, b)| *a || b).collect();
                    if joined == reached {
                        return reached;
                    }
                    reached = joined;
                }
            }
            Regular::Plus(body) => {
                let star = self.sequence(&Regular::Star(body.clone()), next);
                self.sequence(body, &star)
            }
        }
    }

    /// Where fair paths begin; everywhere without justice, since finite paths count then.
    pub(crate) fn fair(&self) -> Set {
        if self.justice.is_empty() { self.constant(true) } else { self.fair_within(&self.valid, false) }
    }

    fn until(&self, f: &Set, g: &Set) -> Set {
        let goal = g.iter().zip(self.fair()).map(|(g, fair)| *g && fair).collect();
        self.back(&self.edges, f, &goal)
    }

    fn globally(&self, f: &Set) -> Set {
        self.fair_within(f, false)
    }

    fn some_path(&self, operator: &PathOperator, sets: &[Set]) -> Set {
        let or = |a: Set, b: Set| -> Set { a.iter().zip(b).map(|(a, b)| *a || b).collect() };
        match operator {
            PathOperator::Next(_) => {
                self.before(&sets[0].iter().zip(self.fair()).map(|(f, fair)| *f && fair).collect())
            }
            PathOperator::Finally(_) => self.until(&self.valid, &sets[0]),
            PathOperator::Globally(_) => self.globally(&sets[0]),
            PathOperator::Until(..) => self.until(&sets[0], &sets[1]),
            PathOperator::WeakUntil(..) => or(self.until(&sets[0], &sets[1]), self.globally(&sets[0])),
            PathOperator::Release(..) => {
                let both = sets[0].iter().zip(&sets[1]).map(|(a, b)| *a && *b).collect();
                or(self.until(&sets[1], &both), self.globally(&sets[1]))
            }
        }
    }

    /// A path violates the operator, or none does.
    fn all_paths(&self, operator: &PathOperator, sets: &[Set]) -> Set {
        let not: Vec<Set> = sets.iter().map(|set| self.negate(set)).collect();
        let none = Box::new(Formula::from(FormulaKind::False));
        let dual = match operator {
            PathOperator::Next(_) => PathOperator::Next(none),
            PathOperator::Finally(_) => PathOperator::Globally(none),
            PathOperator::Globally(_) => PathOperator::Finally(none),
            PathOperator::Until(..) => PathOperator::Release(none.clone(), none),
            PathOperator::Release(..) => PathOperator::Until(none.clone(), none),
            PathOperator::WeakUntil(..) => {
                let neither = not[0].iter().zip(&not[1]).map(|(a, b)| *a && *b).collect();
                return self.negate(&self.until(&not[1], &neither));
            }
        };
        self.negate(&self.some_path(&dual, &not))
    }
}

/// The strongly connected components of the states that have edges, by mutual reachability.
fn components(n: usize, edges: &[(usize, usize, usize)]) -> Vec<Set> {
    let mut reach = vec![vec![false; n]; n];
    (0..n).for_each(|s| reach[s][s] = true);
    edges.iter().for_each(|&(s, _, t)| reach[s][t] = true);
    for via in 0..n {
        for s in 0..n {
            if reach[s][via] {
                let further = reach[via].clone();
                reach[s].iter_mut().zip(further).for_each(|(there, more)| *there |= more);
            }
        }
    }
    let mut done = vec![false; n];
    let mut found = Vec::new();
    for s in 0..n {
        if !done[s] {
            let component: Set = (0..n).map(|t| reach[s][t] && reach[t][s]).collect();
            done.iter_mut().zip(&component).for_each(|(done, member)| *done |= *member);
            found.push(component);
        }
    }
    found
}

/// The states of a trace; panics unless each step is an edge.
pub(crate) fn replay(case: &Case, trace: &SymbolicTrace) -> Vec<usize> {
    let Case { explicit, model } = case;
    let states: Vec<usize> = trace.states.iter().map(|codes| number(model, codes, false)).collect();
    let inputs: Vec<usize> = trace.steps.iter().map(|codes| number(model, codes, true)).collect();
    assert!(!states.is_empty());
    assert_eq!(inputs.len(), states.len() - usize::from(trace.loop_start.is_none()));
    for (at, &input) in inputs.iter().enumerate() {
        let after = if at + 1 < states.len() { at + 1 } else { trace.loop_start.unwrap() };
        assert!(explicit.has_edge(states[at], input, states[after]), "step {at} of {trace:?} is none");
    }
    states
}

/// Panics unless the loop of a lasso is fair.
pub(crate) fn assert_fair_loop(case: &Case, trace: &SymbolicTrace, compassion: bool) {
    let states = replay(case, trace);
    let start = trace.loop_start.expect("the trace has a loop");
    assert!(start < states.len());
    let inputs: Vec<usize> = trace.steps.iter().map(|codes| number(&case.model, codes, true)).collect();
    let met = |table: &Vec<Set>| (start..states.len()).any(|at| table[states[at]][inputs[at]]);
    assert!(case.explicit.justice.iter().all(met), "the loop is not just: {trace:?}");
    if compassion {
        let kept = case.explicit.compassion.iter().all(|(p, q)| !met(p) || met(q));
        assert!(kept, "the loop is not compassionate: {trace:?}");
    }
}
