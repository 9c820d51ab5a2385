//! Queries on random graphs and on the flower, against searches and a simulation that know nothing of decision diagrams.
//!
//! A graph is a model with one variable `s`, the node, which starts at 0; `?{s}` is then about single nodes.

use crate::common::{candidates, codes, holds_with, with_query};
use std::sync::Arc;
use tertium_explore::list;
use tertium_front_smv::{Interpreter, SmvSpace, read};
use tertium_query::{Question, distributes_over_disjunction, solve, solve_generally};
use tertium_support::{Context, Rng, Source};
use tertium_system::StateGraph;
use tertium_testkit::{SmvShape, random_cases, random_ctl_text, random_smv};

/// The successors of every node; each has one.
struct Graph(Vec<Vec<usize>>);

impl Graph {
    fn random(rng: &mut Rng, n: usize) -> Self {
        let row = |rng: &mut Rng| {
            let mut row: Vec<usize> = (0..rng.between(1, 3)).map(|_| rng.below(n)).collect();
            row.sort_unstable();
            row.dedup();
            row
        };
        Self((0..n).map(|_| row(rng)).collect())
    }

    fn text(&self) -> String {
        let list = |nodes: &[usize]| nodes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let rows = self.0.iter().enumerate().map(|(at, next)| format!("s = {at} : {{{}}};", list(next)));
        let last = self.0.len() - 1;
        format!(
            "MODULE main\nVAR s : 0..{last};\nASSIGN init(s) := 0; next(s) := case {} esac;\n\
             DEFINE low := s <= {}; even := s mod 2 = 0;\n",
            rows.collect::<Vec<_>>().join(" "),
            last / 2,
        )
    }

    /// The nodes that paths from 0 come to without passing through `avoided`; none if they start there.
    fn reached(&self, avoided: Option<usize>) -> Vec<usize> {
        let mut found: Vec<usize> = if avoided == Some(0) { Vec::new() } else { vec![0] };
        let mut at = 0;
        while at < found.len() {
            for &next in &self.0[found[at]] {
                if Some(next) != avoided && !found.contains(&next) {
                    found.push(next);
                }
            }
            at += 1;
        }
        found.sort_unstable();
        found
    }

    /// Whether every infinite path from 0 passes through the node: what is reached without it has no cycle, so can be taken away
    /// node by node from the ends.
    fn is_on_all_paths(&self, node: usize) -> bool {
        let mut left = self.reached(Some(node));
        while let Some(end) = left.iter().position(|&at| !self.0[at].iter().any(|next| left.contains(next))) {
            left.remove(end);
        }
        left.is_empty()
    }
}

fn nodes(question: &Question<'_>) -> Vec<usize> {
    let found = solve(question).unwrap().at_all(question).unwrap();
    codes(question, &found).iter().map(|codes| codes[0] as usize).collect()
}

#[test]
fn reachable_nodes_and_nodes_on_all_paths_are_those_that_a_search_finds() {
    random_cases(120, |rng| {
        let n = rng.between(1, 12);
        let graph = Graph::random(rng, n);
        with_query(&graph.text(), "EF ?{s}", |question| {
            assert_eq!(nodes(question), graph.reached(None), "{}", graph.text());
        });
        with_query(&graph.text(), "AF ?{s}", |question| {
            let expected: Vec<usize> = (0..n).filter(|&node| graph.is_on_all_paths(node)).collect();
            assert_eq!(nodes(question), expected, "{}", graph.text());
        });
    });
}

#[test]
fn reachable_states_of_models_are_as_many_as_their_interpreter_finds() {
    let mut compared = 0;
    let run = random_cases(60, |rng| {
        let shape = SmvShape { n_states: 80, fairness: false, ..SmvShape::default() };
        let text = random_smv(rng, &shape).text;
        let (flat, _) = read(Source::new("m.smv", text.as_str())).expect("random models are right");
        let space = SmvSpace::new(&Context::default(), Arc::new(Interpreter::new(&flat)));
        let Ok(listing) = list(&Context::default(), &space, usize::MAX) else { return };
        with_query(&text, "EF ?", |question| {
            compared += 1;
            let some = solve(question).unwrap().at_some(question).unwrap();
            let n = some.count(&question.placeholder.bits()).exact();
            assert_eq!(n, Some(listing.n_states() as u128), "{text}");
        });
    });
    run.enough(compared > 20, format_args!("{compared}"));
}

/// γ ::= ? | θ ∧ γ | θ ∨ γ | γ ∨ γ | EX γ | EF γ | E\[θ U γ\], where θ is without placeholder.
fn distributive(rng: &mut Rng, atoms: &[String], depth: usize) -> String {
    if depth == 0 {
        return "?{s}".to_owned();
    }
    let theta = random_ctl_text(rng, atoms, 1);
    let gamma = distributive(rng, atoms, depth - 1);
    match rng.below(6) {
        0 => format!("({theta} & {gamma})"),
        1 => format!("({theta} | {gamma})"),
        2 => format!("({gamma} | {})", distributive(rng, atoms, depth - 1)),
        3 => format!("EX {gamma}"),
        4 => format!("EF {gamma}"),
        _ => format!("E [{theta} U {gamma}]"),
    }
}

#[test]
fn strongest_solutions_of_queries_that_distribute_over_disjunction_are_single_nodes() {
    let atoms = ["low".to_owned(), "even".to_owned()];
    let (mut several, mut vacuous) = (0, 0);
    let run = random_cases(150, |rng| {
        let n = rng.between(2, 7);
        let text = Graph::random(rng, n).text();
        let depth = rng.between(1, 5);
        let query = distributive(rng, &atoms, depth);
        with_query(&text, &query, |question| {
            assert!(distributes_over_disjunction(question.formula, &question.placeholder.name), "{query}");
            let found = solve_generally(question, 1000).unwrap().solutions;
            let sizes: Vec<usize> = found.iter().map(|set| codes(question, set).len()).collect();
            assert!(sizes.iter().all(|&size| size <= 1), "{sizes:?}\n{query}\n{text}");
            several += usize::from(sizes.len() > 1);
            vacuous += usize::from(sizes == [0]);
        });
    });
    run.enough(several > 20 && vacuous > 5, format_args!("{several} {vacuous}"));
}

#[test]
fn eventually_does_not_distribute_which_small_graphs_show() {
    let mut counterexamples = 0;
    let run = random_cases(80, |rng| {
        let n = rng.between(2, 5);
        let text = Graph::random(rng, n).text();
        with_query(&text, "AF ?{s}", |question| {
            assert!(!distributes_over_disjunction(question.formula, &question.placeholder.name));
            for set in solve_generally(question, 1000).unwrap().solutions {
                let members = codes(question, &set);
                if members.len() > 1 {
                    counterexamples += 1;
                    assert!(holds_with(question, question.formula, &members), "{text}");
                    let alone = |codes: &Vec<u64>| {
                        holds_with(question, question.formula, std::slice::from_ref(codes))
                    };
                    assert!(!members.iter().any(alone), "a disjunction solves it, its parts do not\n{text}");
                }
            }
        });
    });
    run.enough(counterexamples > 5, format_args!("{counterexamples}"));
}

#[test]
fn all_occurrences_of_a_placeholder_stand_for_the_same() {
    random_cases(60, |rng| {
        let n = rng.between(2, 8);
        let graph = Graph::random(rng, n);
        with_query(&graph.text(), "EF (?{s} & AX ?{s})", |question| {
            let chosen: Vec<Vec<u64>> =
                candidates(question).into_iter().filter(|_| rng.chance(0.5)).collect();
            let inside = |node: usize| chosen.iter().any(|codes| codes[0] == node as u64);
            let expected = graph
                .reached(None)
                .into_iter()
                .any(|at| inside(at) && graph.0[at].iter().all(|&next| inside(next)));
            assert_eq!(holds_with(question, question.formula, &chosen), expected, "{}", graph.text());
        });
    });
}

#[test]
fn a_switch_that_goes_on_and_off_eventually_has_both_values() {
    let blinking = "MODULE main\nVAR switch : boolean;\nASSIGN next(switch) := !switch;\n";
    with_query(blinking, "AF ?{switch}", |question| {
        assert_eq!(codes(question, &solve(question).unwrap().at_all(question).unwrap()), [[0], [1]]);
    });
}

#[test]
fn words_and_ranges_have_their_own_values_and_no_others() {
    let text = "MODULE main\nVAR w : unsigned word[3]; x : 2..6;\nASSIGN init(w) := 0ud3_1; next(w) := w + 0ud3_2;\n\
                init(x) := 3; next(x) := x < 6 ? x + 1 : x;\n";
    with_query(text, "EF ?{w}", |question| {
        let odd: Vec<Vec<u64>> = [1, 3, 5, 7].map(|code| vec![code]).to_vec();
        assert_eq!(codes(question, &solve(question).unwrap().at_all(question).unwrap()), odd);
    });
    with_query(text, "EF AG !?{x}", |question| {
        // In the end x is 6, the fifth value: all others are left for good. Three codes of x stand for nothing.
        let found = solve(question).unwrap().at_all(question).unwrap();
        assert_eq!(codes(question, &found), [[0], [1], [2], [3]]);
        assert_eq!(found.count(&question.placeholder.bits()).exact(), Some(4));
    });
    with_query(text, "EF ?{w, x}", |question| {
        // w = 1 with x = 3, then 3 with 4, 5 with 5, 7 with 6, and from then on any odd w with x = 6.
        let found = solve(question).unwrap().at_all(question).unwrap();
        let expected = [[1, 1], [1, 4], [3, 2], [3, 4], [5, 3], [5, 4], [7, 4]];
        assert_eq!(codes(question, &found), expected);
    });
}

/// One step of the network of examples/flower.smv with no gene knocked out, in the order of its variables.
fn flower_step(on: [bool; 13]) -> [bool; 13] {
    let [ap3, ufo, _, ft, emf1, sep, ap1, lfy, ap2, wus, tfl1, ag, pi] = on;
    let together = pi && sep && ap3;
    [
        (ag || ap1) && together || lfy && ufo,
        ufo,
        !(ap1 || tfl1),
        !emf1,
        !lfy,
        lfy,
        !ag && (!tfl1 || lfy || ft),
        !(tfl1 && emf1),
        !tfl1,
        wus && !(sep && ag),
        emf1 && !ap1 && !lfy,
        lfy && (ag && sep || wus || !ap1 || !ap2) || !(ap2 || tfl1),
        (ap1 || ag) && together || lfy && (ag || ap3),
    ]
}

#[test]
fn every_cell_of_the_flower_settles_where_a_simulation_ends() {
    let text = include_str!("../../../../examples/flower.smv");
    with_query(text, "EF AG ?", |question| {
        let found = solve(question).unwrap();
        let current = &question.model.relation.frame().current;
        let bits = [current.as_slice(), &question.placeholder.bits()].concat();
        assert_eq!(found.relation.count(&bits).exact(), Some(1 << 13), "one for each initial state");
        for number in 0..1_u32 << 13 {
            let start: [bool; 13] = std::array::from_fn(|gene| number >> gene & 1 == 1);
            let mut end = start;
            for _ in 0..64 {
                end = flower_step(end);
            }
            assert_eq!(flower_step(end), end, "every attractor is a fixed point");
            // The variables stand in the order of the file, then what is knocked out, which is nothing.
            let values = |on: [bool; 13]| [on.map(u64::from).as_slice(), &[0]].concat();
            let state = question.model.state(&values(start)).unwrap();
            let solution = question.placeholder.minterm(&question.model.manager, &values(end)).unwrap();
            let pair = state.and(&solution).unwrap();
            assert!(!pair.is_disjoint(&found.relation).unwrap(), "{start:?} settles at {end:?}");
        }
    });
}
