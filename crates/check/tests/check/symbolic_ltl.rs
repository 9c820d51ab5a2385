//! Linear time on symbolic systems: verdicts against an explicit tableau, counterexamples against the definition.
//!
//! The oracle shares nothing with the checker: it guesses a truth value for every sub-formula at every step of an explicit
//! graph, abbreviations included, asks justice of every future operator, and decides by strongly connected components.

use std::collections::{BTreeMap, BTreeSet};
use tertium_check::symbolic::SymbolicTrace;
use tertium_check::symbolic::{
    Options, Refusal, SymbolicAssumption, SymbolicChecker, SymbolicError, SymbolicEvidence, check_ltl,
};
use tertium_dd::{Bdd, Frame, Manager, Relation, Var};
use tertium_logic::{Ltl, LtlBinary, LtlKind, LtlUnary, holds_on_lasso, parse_ltl};
use tertium_support::{Context, Rng, Source, StopReason};
use tertium_system::{SymbolicModel, SymbolicVariable};
use tertium_testkit::{random_cases, random_ltl};
use tertium_truth::Verdict;

/// A state and an input.
type Step = (usize, usize);

/// An explicit system whose steps have inputs.
#[derive(Clone, Debug)]
struct Graph {
    n_states: usize,
    n_inputs: usize,
    initial: Vec<usize>,
    edges: BTreeSet<(usize, usize, usize)>,
    justice: Vec<BTreeSet<Step>>,
    compassion: Vec<(BTreeSet<Step>, BTreeSet<Step>)>,
    propositions: BTreeMap<&'static str, BTreeSet<Step>>,
}

const STATE_BITS: usize = 3;

impl Graph {
    fn random(rng: &mut Rng) -> Self {
        let n_states = rng.between(1, 6);
        let n_inputs = rng.between(1, 2);
        let density = if rng.chance(0.3) { 0.6 } else { 0.25 };
        let steps = |rng: &mut Rng, share: f64| -> BTreeSet<Step> {
            let all = (0..n_states).flat_map(|state| (0..n_inputs).map(move |input| (state, input)));
            all.filter(|_| rng.chance(share)).collect()
        };
        let mut edges = BTreeSet::new();
        for state in 0..n_states {
            for input in 0..n_inputs {
                edges.extend((0..n_states).filter(|_| rng.chance(density)).map(|next| (state, input, next)));
            }
        }
        let justice = (0..rng.below(3)).map(|_| steps(rng, 0.6)).collect();
        let compassion = (0..rng.below(3)).map(|_| (steps(rng, 0.4), steps(rng, 0.3))).collect();
        let mut propositions = BTreeMap::from([("a", steps(rng, 0.5)), ("b", steps(rng, 0.4))]);
        // One proposition is about states alone.
        let of_states: Vec<bool> = (0..n_states).map(|_| rng.chance(0.5)).collect();
        let of_states =
            (0..n_states).flat_map(|s| (0..n_inputs).map(move |i| (s, i))).filter(|&(s, _)| of_states[s]);
        propositions.insert("c", of_states.collect());
        let initial = (0..n_states).filter(|_| rng.chance(0.4)).collect();
        Self { n_states, n_inputs, initial, edges, justice, compassion, propositions }
    }

    /// The same with decision diagrams, the steps in as many disjuncts as are asked for.
    fn symbolic(&self, disjuncts: usize) -> SymbolicModel {
        let manager = Manager::new(&Context::default());
        let mut frame = Frame { input: vec![manager.add_var()], ..Frame::default() };
        for _ in 0..STATE_BITS {
            frame.current.push(manager.add_var());
            frame.next.push(manager.add_var());
        }
        let code = |vars: &[Var], value: usize| {
            let bits = vars.iter().enumerate().map(|(bit, &var)| (var, value >> bit & 1 == 1));
            Bdd::cube(&manager, bits).unwrap()
        };
        let union =
            |sets: Vec<Bdd>| sets.iter().fold(manager.constant(false), |all, set| all.or(set).unwrap());
        let step =
            |&(state, input): &Step| code(&frame.current, state).and(&code(&frame.input, input)).unwrap();
        let steps = |set: &BTreeSet<Step>| union(set.iter().map(step).collect());
        let mut parts = vec![Vec::new(); disjuncts];
        for (at, &(state, input, next)) in self.edges.iter().enumerate() {
            parts[at % disjuncts].push(step(&(state, input)).and(&code(&frame.next, next)).unwrap());
        }
        let variable = |name: &str, is_input, current: &[Var], next: &[Var]| SymbolicVariable {
            name: name.to_owned(),
            is_input,
            current: current.to_vec(),
            next: next.to_vec(),
            last_code: (1 << current.len()) - 1,
        };
        let states = |states: &mut dyn Iterator<Item = usize>| {
            union(states.map(|state| code(&frame.current, state)).collect())
        };
        SymbolicModel {
            faulty: manager.constant(false),
            variables: vec![
                variable("i", true, &frame.input, &[]),
                variable("s", false, &frame.current, &frame.next),
            ],
            init: states(&mut self.initial.iter().copied()),
            invar: states(&mut (0..self.n_states)),
            justice: self.justice.iter().map(steps).collect(),
            compassion: self.compassion.iter().map(|(p, q)| (steps(p), steps(q))).collect(),
            propositions: self
                .propositions
                .iter()
                .map(|(name, set)| (name.to_string(), steps(set)))
                .collect(),
            relation: Relation::new(
                &manager,
                frame.clone(),
                parts.into_iter().map(|part| vec![union(part)]).collect(),
            )
            .unwrap(),
            manager: manager.clone(),
        }
    }

    /// Whether the trace is a fair lasso from an initial state that does not satisfy the formula.
    fn is_refuted_by(&self, formula: &Ltl, trace: &SymbolicTrace) -> bool {
        let Some(start) = trace.loop_start else { return false };
        let n = trace.states.len();
        let place = |at: usize| (trace.states[at][0] as usize, trace.steps[at][0] as usize);
        let after = |at: usize| place(if at + 1 == n { start } else { at + 1 }).0;
        let again = |set: &BTreeSet<Step>| (start..n).any(|at| set.contains(&place(at)));
        trace.steps.len() == n
            && self.initial.contains(&place(0).0)
            && (0..n).all(|at| self.edges.contains(&(place(at).0, place(at).1, after(at))))
            && self.justice.iter().all(again)
            && self.compassion.iter().all(|(p, q)| !again(p) || again(q))
            && !holds_on_lasso(formula, n, start, |at, name| self.propositions[name].contains(&place(at)))
    }

    /// Whether some fair path satisfies the formula: an explicit tableau.
    fn has_path(&self, formula: &Ltl) -> bool {
        let parts: Vec<&Ltl> = formula.preorder().collect();
        let root = parts.iter().position(|part| std::ptr::eq(*part, formula)).unwrap();
        let mut tableau =
            Oracle { graph: self, parts, index: BTreeMap::new(), nodes: Vec::new(), successors: Vec::new() };
        let mut waiting: Vec<usize> = Vec::new();
        for &state in &self.initial {
            for node in tableau.nodes_at(state, None) {
                if node.1[root] {
                    waiting.push(tableau.number(node));
                }
            }
        }
        let mut done = BTreeSet::new();
        while let Some(at) = waiting.pop() {
            if !done.insert(at) {
                continue;
            }
            let ((state, input), before) = tableau.nodes[at].clone();
            for next in 0..self.n_states {
                if self.edges.contains(&(state, input, next)) {
                    for node in tableau.nodes_at(next, Some(&before)) {
                        let to = tableau.number(node);
                        tableau.successors[at].push(to);
                        waiting.push(to);
                    }
                }
            }
        }
        let mut justice: Vec<Vec<bool>> = Vec::new();
        for set in &self.justice {
            justice.push(tableau.nodes.iter().map(|(step, _)| set.contains(step)).collect());
        }
        for part in 0..tableau.parts.len() {
            justice.extend(tableau.promise(part));
        }
        let side = |set: &BTreeSet<Step>| tableau.nodes.iter().map(|(step, _)| set.contains(step)).collect();
        let pairs: Vec<(Vec<bool>, Vec<bool>)> =
            self.compassion.iter().map(|(p, q)| (side(p), side(q))).collect();
        let all: BTreeSet<usize> = (0..tableau.nodes.len()).collect();
        has_fair_component(&tableau.successors, all, &justice, &pairs)
    }
}

type Guess = (Step, Vec<bool>);

/// Steps of the graph, each with a truth value for every sub-formula (of `parts`, operators before operands).
struct Oracle<'a> {
    graph: &'a Graph,
    parts: Vec<&'a Ltl>,
    index: BTreeMap<Guess, usize>,
    nodes: Vec<Guess>,
    successors: Vec<Vec<usize>>,
}

impl Oracle<'_> {
    fn number(&mut self, node: Guess) -> usize {
        let next = self.nodes.len();
        let number = *self.index.entry(node.clone()).or_insert(next);
        if number == next {
            self.nodes.push(node);
            self.successors.push(Vec::new());
        }
        number
    }

    /// The places of the operands of a part.
    fn operands(&self, part: usize) -> Vec<usize> {
        let place = |child: &Ltl| self.parts.iter().position(|other| std::ptr::eq(*other, child)).unwrap();
        self.parts[part].children().map(place).collect()
    }

    /// All guesses for a state that fit the guesses of the step before, if there was one.
    fn nodes_at(&self, state: usize, before: Option<&Vec<bool>>) -> Vec<Guess> {
        let mut found = Vec::new();
        for input in 0..self.graph.n_inputs {
            let step = (state, input);
            let mut partial = vec![vec![false; self.parts.len()]];
            // Operands stand behind their operators.
            for part in (0..self.parts.len()).rev() {
                let mut longer = Vec::new();
                for values in partial {
                    for value in [false, true] {
                        if self.fits(part, value, step, &values, before) {
                            let mut values = values.clone();
                            values[part] = value;
                            longer.push(values);
                        }
                    }
                }
                partial = longer;
            }
            let partial = partial.into_iter().filter(|values| before.is_none_or(|b| self.follows(b, values)));
            found.extend(partial.map(|values| (step, values)));
        }
        found
    }

    /// Whether a part may have this value, as far as this step and the one before say; operands have values.
    fn fits(&self, part: usize, value: bool, step: Step, now: &[bool], before: Option<&Vec<bool>>) -> bool {
        let operands = self.operands(part);
        let (f, g) = (operands.first().map(|&f| now[f]), operands.get(1).map(|&g| now[g]));
        let (f, g) = (f.unwrap_or_default(), g.unwrap_or_default());
        let memory = |otherwise: bool, at: usize| before.map_or(otherwise, |before| before[at]);
        let expected = match &self.parts[part].kind {
            LtlKind::True => true,
            LtlKind::False => false,
            LtlKind::Proposition(name) => self.graph.propositions[name.as_str()].contains(&step),
            LtlKind::Unary(operator, _) => match operator {
                LtlUnary::Not => !f,
                LtlUnary::Previous => memory(false, operands[0]),
                LtlUnary::WeakPrevious => memory(true, operands[0]),
                LtlUnary::Once => f || memory(false, part),
                LtlUnary::Historically => f && memory(true, part),
                LtlUnary::Next | LtlUnary::Finally | LtlUnary::Globally => value,
            },
            LtlKind::Binary(operator, ..) => match operator {
                LtlBinary::And => f && g,
                LtlBinary::Or => f || g,
                LtlBinary::Xor => f != g,
                LtlBinary::Implies => !f || g,
                LtlBinary::Iff => f == g,
                LtlBinary::Since => g || f && memory(false, part),
                LtlBinary::Triggered => g && (f || memory(true, part)),
                LtlBinary::Until | LtlBinary::Releases => value,
            },
        };
        value == expected
    }

    /// Whether the future operators of one step agree with the values at the next.
    fn follows(&self, now: &[bool], after: &[bool]) -> bool {
        (0..self.parts.len()).all(|part| {
            let operands = self.operands(part);
            let value = |at: usize| now[operands[at]];
            match &self.parts[part].kind {
                LtlKind::Unary(LtlUnary::Next, _) => now[part] == after[operands[0]],
                LtlKind::Unary(LtlUnary::Finally, _) => now[part] == (value(0) || after[part]),
                LtlKind::Unary(LtlUnary::Globally, _) => now[part] == (value(0) && after[part]),
                LtlKind::Binary(LtlBinary::Until, ..) => now[part] == (value(1) || value(0) && after[part]),
                LtlKind::Binary(LtlBinary::Releases, ..) => {
                    now[part] == (value(1) && (value(0) || after[part]))
                }
                _ => true,
            }
        })
    }

    /// Where a part does not claim what it must not claim for ever.
    fn promise(&self, part: usize) -> Option<Vec<bool>> {
        let operands = self.operands(part);
        let wanted: fn(bool, bool) -> bool = match &self.parts[part].kind {
            LtlKind::Unary(LtlUnary::Finally, _) | LtlKind::Binary(LtlBinary::Until, ..) => {
                |own, last| !own || last
            }
            LtlKind::Unary(LtlUnary::Globally, _) | LtlKind::Binary(LtlBinary::Releases, ..) => {
                |own, last| own || !last
            }
            _ => return None,
        };
        let last = *operands.last()?;
        Some(self.nodes.iter().map(|(_, values)| wanted(values[part], values[last])).collect())
    }
}

/// Whether some strongly connected part of the nodes meets all justice constraints and all pairs.
fn has_fair_component(
    successors: &[Vec<usize>],
    nodes: BTreeSet<usize>,
    justice: &[Vec<bool>],
    pairs: &[(Vec<bool>, Vec<bool>)],
) -> bool {
    components(successors, &nodes).into_iter().any(|component| {
        let lone = component.len() == 1;
        if lone && component.iter().all(|&node| !successors[node].contains(&node)) {
            return false;
        }
        if !justice.iter().all(|set| component.iter().any(|&node| set[node])) {
            return false;
        }
        let bad = pairs
            .iter()
            .find(|(p, q)| component.iter().any(|&node| p[node]) && !component.iter().any(|&node| q[node]));
        match bad {
            None => true,
            Some((p, _)) => {
                let rest = component.into_iter().filter(|&node| !p[node]).collect();
                has_fair_component(successors, rest, justice, pairs)
            }
        }
    })
}

/// Strongly connected components by two depth-first searches.
fn components(successors: &[Vec<usize>], nodes: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for &node in nodes {
        successors[node].iter().filter(|to| nodes.contains(to)).for_each(|&to| predecessors[to].push(node));
    }
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for &root in nodes {
        let mut stack = vec![(root, false)];
        while let Some((node, finished)) = stack.pop() {
            if finished {
                order.push(node);
            } else if seen.insert(node) {
                stack.push((node, true));
                stack.extend(successors[node].iter().filter(|to| nodes.contains(to)).map(|&to| (to, false)));
            }
        }
    }
    let mut left = nodes.clone();
    let mut found = Vec::new();
    for &root in order.iter().rev() {
        if left.contains(&root) {
            let mut component = BTreeSet::new();
            let mut stack = vec![root];
            while let Some(node) = stack.pop() {
                if left.remove(&node) {
                    component.insert(node);
                    stack.extend(&predecessors[node]);
                }
            }
            found.push(component);
        }
    }
    found
}

/// Checks a formula, and the counterexample if there is one.
fn holds(graph: &Graph, formula: &Ltl, disjuncts: usize) -> bool {
    let outcome = check_ltl(&Context::default(), &graph.symbolic(disjuncts), formula).unwrap();
    match (outcome.verdict, outcome.evidence) {
        (Verdict::True, None) => true,
        (Verdict::False, Some(SymbolicEvidence::Trace(trace))) => {
            assert!(
                graph.is_refuted_by(formula, &trace),
                "{trace:?} is no counterexample to {formula} in {graph:?}"
            );
            false
        }
        other => panic!("{other:?}"),
    }
}

fn read(text: &str) -> Ltl {
    parse_ltl(&Source::new("test", text)).unwrap()
}

const NAMES: [&str; 3] = ["a", "b", "c"];

#[test]
fn verdicts_are_those_of_an_explicit_tableau() {
    let (mut n_true, mut n_false) = (0, 0);
    let run = random_cases(3000, |rng| {
        let graph = Graph::random(rng);
        let size = rng.between(1, 8);
        let formula = random_ltl(rng, &NAMES, size);
        let disjuncts = rng.between(1, 3);
        let expected = !graph.has_path(&formula.clone().negated());
        assert_eq!(holds(&graph, &formula, disjuncts), expected, "{formula} in {graph:?}");
        *(if expected { &mut n_true } else { &mut n_false }) += 1;
    });
    // Both happen often, or the comparison says little.
    run.enough(n_true > n_false / 5 && n_false > n_true / 5, format_args!("{n_true} true, {n_false} false"));
}

#[test]
fn larger_formulas_without_fairness_agree_too() {
    random_cases(1000, |rng| {
        let graph = Graph { justice: Vec::new(), compassion: Vec::new(), ..Graph::random(rng) };
        let size = rng.between(6, 11);
        let formula = random_ltl(rng, &NAMES, size);
        let expected = !graph.has_path(&formula.clone().negated());
        assert_eq!(holds(&graph, &formula, 1), expected, "{formula} in {graph:?}");
    });
}

#[test]
fn a_lasso_that_refutes_the_formula_is_never_missed() {
    random_cases(1500, |rng| {
        let graph = Graph::random(rng);
        let size = rng.between(1, 8);
        let formula = random_ltl(rng, &NAMES, size);
        if let Some(trace) = random_lasso(rng, &graph).filter(|trace| graph.is_refuted_by(&formula, trace)) {
            assert!(!holds(&graph, &formula, 1), "{trace:?} refutes {formula} in {graph:?}");
        }
    });
}

/// A random walk until it meets one of its own states, if it does not end before.
fn random_lasso(rng: &mut Rng, graph: &Graph) -> Option<SymbolicTrace> {
    let mut state = *graph.initial.first()?;
    let mut trace = SymbolicTrace { states: Vec::new(), steps: Vec::new(), loop_start: None };
    for _ in 0..12 {
        let steps: Vec<_> = graph.edges.iter().filter(|(from, ..)| *from == state).collect();
        if steps.is_empty() {
            return None;
        }
        let &&(_, input, next) = rng.pick(&steps);
        trace.states.push(vec![state as u64]);
        trace.steps.push(vec![input as u64]);
        state = next;
        let met = trace.states.iter().position(|known| known[0] == state as u64);
        // Now and then go round once more, so that loops are not always the shortest.
        if met.is_some() && rng.chance(0.7) {
            trace.loop_start = met;
            return Some(trace);
        }
    }
    None
}

#[test]
fn laws_hold_in_every_system() {
    let laws = [
        "F a <-> !G !a",
        "O a <-> !H !a",
        "a V b <-> !(!a U !b)",
        "a T b <-> !(!a S !b)",
        "a U b <-> b | a & X (a U b)",
        "a V b <-> b & (a | X (a V b))",
        "a S b <-> b | a & Y (a S b)",
        "a T b <-> b & (a | Z (a T b))",
        "Y X a <-> Y TRUE & a",
        "X Y a <-> a",
        "F (b & O a) <-> O a & F b | F (a & F b)",
        "F G a -> G F a",
    ];
    for text in laws {
        let law = read(&format!("G ({text})"));
        random_cases(60, |rng| {
            let graph = Graph::random(rng);
            assert!(holds(&graph, &law, 1), "{law} in {graph:?}");
        });
    }
}

#[test]
fn a_formula_and_its_positive_form_get_the_same_verdict() {
    random_cases(500, |rng| {
        let graph = Graph::random(rng);
        let size = rng.between(2, 9);
        let formula = random_ltl(rng, &NAMES, size);
        assert_eq!(holds(&graph, &formula, 1), holds(&graph, &formula.positive(), 1), "{formula}");
    });
}

/// States 0 → 1 → 2 → 2, and 1 → 1; `a` in 0, `b` in 2, `c` in 1.
fn waiting() -> Graph {
    let only = |state: usize| BTreeSet::from([(state, 0)]);
    Graph {
        n_states: 3,
        n_inputs: 1,
        initial: vec![0],
        edges: BTreeSet::from([(0, 0, 1), (1, 0, 1), (1, 0, 2), (2, 0, 2)]),
        justice: Vec::new(),
        compassion: Vec::new(),
        propositions: BTreeMap::from([("a", only(0)), ("b", only(2)), ("c", only(1))]),
    }
}

#[test]
fn precedence_and_response_are_told_apart() {
    let graph = waiting();
    for (text, expected) in [
        ("G (b -> O a)", true),
        ("G (b -> O c)", true),
        ("G (b -> Y c)", false),
        ("G (b -> Y (c | b))", true),
        ("G (a -> F b)", false),
        ("G (b -> c S a)", false),
        ("G (b -> b S (c S a))", true),
        ("!(c U b) & X (c V (c | b))", true),
        ("G (Z FALSE <-> a)", true),
        ("G (b -> H !a)", false),
    ] {
        assert_eq!(holds(&graph, &read(text), 1), expected, "{text}");
    }
}

#[test]
fn justice_and_compassion_make_waiting_end() {
    let steps = |states: &[usize]| -> BTreeSet<Step> { states.iter().map(|&state| (state, 0)).collect() };
    let response = read("G (a -> F b)");
    assert!(!holds(&waiting(), &response, 1));
    assert!(holds(&Graph { justice: vec![steps(&[0, 2])], ..waiting() }, &response, 1));
    assert!(holds(&Graph { compassion: vec![(steps(&[1]), steps(&[2]))], ..waiting() }, &response, 1));
    assert!(!holds(&Graph { compassion: vec![(steps(&[2]), steps(&[1]))], ..waiting() }, &read("F b"), 1));
    // No path is fair, so all of them satisfy everything.
    assert!(holds(&Graph { justice: vec![steps(&[0])], ..waiting() }, &read("FALSE"), 1));
}

#[test]
fn paths_that_end_do_not_count() {
    let mut graph = waiting();
    graph.edges.remove(&(2, 0, 2));
    assert!(holds(&graph, &read("G !b"), 1));
    graph.edges.remove(&(1, 0, 1));
    assert!(holds(&graph, &read("FALSE"), 1));
}

/// What is true has a note where a path can end and the formula fails once it stays there: by the definition of both readings.
#[test]
fn what_is_true_depends_on_ends_iff_it_fails_where_they_stay() {
    let (mut n_noted, mut n_not) = (0, 0);
    let run = random_cases(3000, |rng| {
        let graph = Graph::random(rng);
        let size = rng.between(1, 6);
        let formula = random_ltl(rng, &NAMES, size);
        let (context, model) = (Context::default(), graph.symbolic(rng.between(1, 3)));
        let mut checker = SymbolicChecker::new(&context, &model, Options::default());
        let outcome = checker.check_ltl(&formula).unwrap();
        let is_note =
            |assumption: &SymbolicAssumption| matches!(assumption, SymbolicAssumption::Deadlock { .. });
        let noted = outcome.assumptions.iter().any(is_note);
        let mut other = Graph { n_inputs: 2, ..graph.clone() };
        for state in (0..graph.n_states).filter(|&s| graph.edges.iter().all(|edge| edge.0 != s)) {
            other.edges.extend([(state, 0, state), (state, 1, state)]);
        }
        let negated = formula.clone().negated();
        let depends = !graph.has_path(&negated) && other.has_path(&negated);
        assert_eq!(noted, depends, "{formula} in {graph:?}");
        *(if noted { &mut n_noted } else { &mut n_not }) += 1;
        // The next question is not disturbed.
        let again = checker.check_ltl(&formula).unwrap();
        assert_eq!((again.verdict, again.assumptions), (outcome.verdict, outcome.assumptions));
    });
    run.enough(n_noted.min(n_not) >= run.share(200), (n_noted, n_not));
}

#[test]
fn counterexamples_are_short() {
    let outcome = check_ltl(&Context::default(), &waiting().symbolic(1), &read("G (a -> F b)")).unwrap();
    let expected =
        SymbolicTrace { states: vec![vec![0], vec![1]], steps: vec![vec![0], vec![0]], loop_start: Some(1) };
    assert!(matches!(outcome.evidence, Some(SymbolicEvidence::Trace(found)) if found == expected));
}

#[test]
fn missing_propositions_and_initial_states_are_said() {
    let refused = check_ltl(&Context::default(), &waiting().symbolic(1), &read("F d")).unwrap_err();
    assert_eq!(refused, SymbolicError::Refused(Refusal::UnknownProposition("d".into())));
    let empty = Graph { initial: Vec::new(), ..waiting() };
    let outcome = check_ltl(&Context::default(), &empty.symbolic(1), &read("FALSE")).unwrap();
    assert_eq!(outcome.verdict, Verdict::True);
    assert_eq!(outcome.assumptions, [SymbolicAssumption::NoInitialState]);
}

#[test]
fn a_limit_is_an_error_and_not_a_verdict() {
    let model = waiting().symbolic(1);
    model.manager.set_node_limit(model.manager.n_nodes());
    let stopped = check_ltl(&Context::default(), &model, &read("G (a -> F b)")).unwrap_err();
    assert_eq!(stopped, SymbolicError::Stopped(StopReason::NodeLimit));
}

#[test]
fn formulas_that_come_apart_keep_their_verdict() {
    random_cases(1500, |rng| {
        let graph = Graph::random(rng);
        let mut parts = (0..rng.between(1, 3)).map(|_| {
            let size = rng.between(1, 4);
            let body = random_ltl(rng, &NAMES, size);
            match rng.below(4) {
                0 => body,
                1 => Ltl::unary(LtlUnary::Not, Ltl::unary(LtlUnary::Finally, body)),
                _ => Ltl::unary(LtlUnary::Globally, body),
            }
        });
        let first = parts.next().unwrap();
        let formula = parts.fold(first, |all, part| Ltl::binary(LtlBinary::And, all, part));
        let expected = !graph.has_path(&formula.clone().negated());
        assert_eq!(holds(&graph, &formula, 1), expected, "{formula} in {graph:?}");
    });
}
