//! The methods against each other, against one check per candidate, and on worked examples.

use crate::common::{candidates, codes, holds_with, with_query};
use tertium_front_smv::read;
use tertium_query::{
    Cube, Direction, QueryError, classes, cubes, direction, distributes_over_disjunction, solve,
    solve_by_refinement, solve_generally, solve_naively,
};
use tertium_support::{Rng, Source};
use tertium_testkit::{SmvShape, random_cases, random_ctl_text, random_smv};

/// The states s0, s1, s2 with s0 before both others, which stay.
const THREE: &str = "MODULE main
VAR s : {s0, s1, s2}; p : boolean; q : boolean; r : boolean;
INIT s = s0
TRANS s = s0 ? next(s) != s0 : next(s) = s
INVAR p = (s != s1) & q = (s != s0) & r
";

fn random_query(rng: &mut Rng) -> (String, String) {
    let shape = SmvShape { n_states: 60, words: false, ..SmvShape::default() };
    let model = random_smv(rng, &shape);
    let (flat, _) = read(Source::new("m.smv", model.text.as_str())).expect("random models are right");
    let states: Vec<&str> = flat
        .variables
        .iter()
        .filter(|variable| variable.kind != tertium_front_smv::VarKind::Input)
        .map(|variable| variable.name.as_str())
        .collect();
    let mut chosen = vec![*rng.pick(&states)];
    let other = *rng.pick(&states);
    if other != chosen[0] {
        chosen.push(other);
    }
    let placeholder = format!("?{{{}}}", chosen.join(", "));
    let mut atoms = model.atoms.clone();
    atoms.truncate(3);
    atoms.extend(std::iter::repeat_n(placeholder.clone(), 3));
    let depth = rng.between(1, 3);
    let mut query = random_ctl_text(rng, &atoms, depth);
    if !query.contains(&placeholder) {
        query = format!("EF ({query} & {placeholder})");
    }
    (model.text, query)
}

#[test]
fn one_evaluation_gives_what_one_check_per_combination_gives_whatever_the_polarity() {
    let (mut growing, mut shrinking, mut neither) = (0, 0, 0);
    let run = random_cases(150, |rng| {
        let (model, query) = random_query(rng);
        with_query(&model, &query, |question| {
            let found = solve(question).unwrap();
            let naive = solve_naively(question).unwrap();
            assert_eq!(found.relation, naive.relation, "{model}\n{query}");
            let all = codes(question, &found.at_all(question).unwrap());
            let checked: Vec<Vec<u64>> = candidates(question)
                .into_iter()
                .filter(|codes| holds_with(question, question.formula, std::slice::from_ref(codes)))
                .collect();
            assert_eq!(all, checked, "{model}\n{query}");
            let n = found.at_all(question).unwrap().count(&question.placeholder.bits()).exact();
            assert_eq!(n, Some(all.len() as u128), "spare codes are no solutions\n{model}\n{query}");
            match direction(question.formula, &question.placeholder.name) {
                Direction::Growing => {
                    growing += 1;
                    let refined = solve_by_refinement(question).unwrap();
                    assert_eq!(refined.solutions.relation, found.relation, "{model}\n{query}");
                }
                other => {
                    if other == Direction::Shrinking {
                        shrinking += 1
                    } else {
                        neither += 1
                    }
                    let refused = solve_by_refinement(question).map(drop);
                    assert_eq!(refused, Err(QueryError::WrongDirection(other)));
                }
            }
        });
    });
    run.enough(growing > 5 && shrinking > 5 && neither > 5, format_args!("{growing} {shrinking} {neither}"));
}

#[test]
fn the_general_solver_finds_the_extreme_sets_of_all_sets_of_combinations() {
    let mut exact = 0;
    let run = random_cases(80, |rng| {
        let (model, query) = random_query(rng);
        with_query(&model, &query, |question| {
            let all = candidates(question);
            let direction = direction(question.formula, &question.placeholder.name);
            if all.len() > 6 || direction == Direction::Neither {
                return;
            }
            let growing = direction == Direction::Growing;
            let chosen = |mask: u32| -> Vec<Vec<u64>> {
                let inside = all.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
                inside.map(|(_, codes)| codes.clone()).collect()
            };
            let solves: Vec<u32> = (0..1 << all.len())
                .filter(|&mask| holds_with(question, question.formula, &chosen(mask)))
                .collect();
            let beyond = |one: u32, other: u32| {
                one != other && if growing { one & other == one } else { one & other == other }
            };
            let extreme = |&mask: &u32| !solves.iter().any(|&other| beyond(other, mask));
            let mut expected: Vec<Vec<Vec<u64>>> =
                solves.iter().copied().filter(|mask| extreme(mask)).map(chosen).collect();
            let found = solve_generally(question, 1000).unwrap();
            let mut solutions: Vec<Vec<Vec<u64>>> =
                found.solutions.iter().map(|set| codes(question, set)).collect();
            expected.sort();
            solutions.sort();
            assert_eq!(solutions, expected, "{model}\n{query}");
            let tlq = solve(question).unwrap();
            let n_initial = tlq.initial.count(&question.model.relation.frame().current).exact();
            let name = &question.placeholder.name;
            if n_initial == Some(1) && distributes_over_disjunction(question.formula, name) {
                exact += 1;
                assert!(solutions.iter().all(|solution| solution.len() <= 1), "{model}\n{query}");
            }
        });
    });
    run.enough(exact > 0, "some query is known to be exact");
}

#[test]
fn classes_of_initial_states_have_the_solutions_of_their_states() {
    random_cases(60, |rng| {
        let (model, query) = random_query(rng);
        with_query(&model, &query, |question| {
            let found = solve(question).unwrap();
            let mut seen = question.model.manager.constant(false);
            for class in classes(question, &found).unwrap() {
                let class = class.unwrap();
                assert!(seen.is_disjoint(&class.initial).unwrap());
                seen = seen.or(&class.initial).unwrap();
                let expected = class.initial.and(&class.solutions).unwrap();
                assert_eq!(found.relation.and(&class.initial).unwrap(), expected, "{model}\n{query}");
            }
            assert_eq!(seen, found.initial);
        });
    });
}

fn values(query: &str) -> Vec<Vec<u64>> {
    let mut found = Vec::new();
    with_query(THREE, query, |question| {
        found = codes(question, &solve(question).unwrap().at_all(question).unwrap());
    });
    found
}

fn extremes(query: &str) -> Vec<Vec<Vec<u64>>> {
    let mut found = Vec::new();
    with_query(THREE, query, |question| {
        let sets = solve_generally(question, 1000).unwrap().solutions;
        found = sets.iter().map(|set| codes(question, set)).collect();
    });
    found.sort();
    found
}

#[test]
fn eventually_on_three_states_has_one_state_and_two_strongest_formulas() {
    assert_eq!(values("AF ?{p, q, r}"), [[1, 0, 1]]);
    assert_eq!(values("AF ?{p, q}"), [[1, 0]]);
    assert_eq!(values("AF ?{p}"), [[1]]);
    // p & !q & r, and q & r.
    assert_eq!(extremes("AF ?{p, q, r}"), [vec![vec![0, 1, 1], vec![1, 1, 1]], vec![vec![1, 0, 1]]]);
    assert_eq!(extremes("AF ?{p, q}"), [vec![vec![0, 1], vec![1, 1]], vec![vec![1, 0]]]);
    assert_eq!(extremes("AF ?{p}"), [vec![vec![1]]]);
    with_query(THREE, "AF ?{r}", |question| {
        assert!(!holds_with(question, question.formula, &[vec![0]]), "!r is no solution");
    });
    with_query(THREE, "AF ?{p, q, r}", |question| {
        let solves = |formula: &dyn Fn(&[u64]) -> bool| {
            let chosen: Vec<Vec<u64>> =
                candidates(question).into_iter().filter(|codes| formula(codes)).collect();
            holds_with(question, question.formula, &chosen)
        };
        assert!(solves(&|_| true) && solves(&|codes| codes[0] == 1), "TRUE and p are weaker than a solution");
        assert!(solves(&|codes| codes[1] == 1 || codes[2] == 1), "so is q | r");
        assert!(!solves(&|codes| codes == [0, 1, 1]) && !solves(&|codes| codes == [1, 1, 1]), "s1, s2 alone");
    });
}

#[test]
fn a_negative_query_on_three_states_has_all_combinations() {
    assert_eq!(values("AF !?{p, q}").len(), 4);
    assert_eq!(values("EF (?{p} & AX ?{p})"), [[0], [1]]);
    // All occurrences are replaced: from s0 one step leads to both values of p.
    assert_eq!(values("?{p} & AX ?{p}"), [[0; 1]; 0]);
}

#[test]
fn refinement_on_three_states_asks_about_one_then_two_then_three() {
    with_query(THREE, "AF ?{p, q, r}", |question| {
        let refined = solve_by_refinement(question).unwrap();
        let asked: Vec<(Vec<usize>, u128)> = refined
            .stages
            .iter()
            .map(|stage| {
                let bits: Vec<_> = stage
                    .copies
                    .iter()
                    .flat_map(|&at| question.placeholder.copies[at].bits.clone())
                    .collect();
                (stage.copies.clone(), stage.candidates.count(&bits).exact().unwrap())
            })
            .collect();
        let expected = [(vec![0], 1), (vec![1], 2), (vec![2], 1), (vec![0, 1], 1), (vec![0, 1, 2], 1)];
        assert_eq!(asked, expected);
    });
}

#[test]
fn a_formula_is_vacuous_where_false_or_true_solves_the_query() {
    // `p` never matters after `q | `: the first is true; below AF it does.
    assert_eq!(extremes("AG (r | ?{p})"), [Vec::<Vec<u64>>::new()], "FALSE is the strongest solution");
    assert_eq!(extremes("AG (?{p} -> r)"), [vec![vec![0], vec![1]]], "TRUE is the weakest solution");
    assert_ne!(extremes("AF ?{p}"), [Vec::<Vec<u64>>::new()]);
}

#[test]
fn titles_of_papers_by_an_author_are_found_in_a_tree() {
    let tree = |author: &str| {
        format!(
            "MODULE main\nVAR at : {{paper, title, name, author, {author}}};\nASSIGN init(at) := paper;\n\
             next(at) := case at = paper : {{title, author}}; at = title : name; at = author : {author}; TRUE : at; esac;\n"
        )
    };
    let query = |who: &str| format!("at = paper & EX (at = title & EX ?) & EX (at = author & EX at = {who})");
    with_query(&tree("chandra"), &query("chandra"), |question| {
        let set = solve(question).unwrap().at_all(question).unwrap();
        let found: Vec<Cube> =
            cubes(&set, question.placeholder.columns(question.model)).map(Result::unwrap).collect();
        assert_eq!(found, [Cube(vec![Some(vec![(2, 2)])])], "the node `name` only");
    });
    with_query(
        &tree("somebody, chandra").replace(": somebody, chandra;", ": somebody;"),
        &query("chandra"),
        |question| {
            assert!(solve(question).unwrap().at_all(question).unwrap().is_false());
        },
    );
}

#[test]
fn methods_for_few_combinations_refuse_many() {
    let many = "MODULE main\nVAR x : 0..99; y : 0..99999;\n";
    with_query(many, "EF ?{x}", |question| {
        let refused = solve_generally(question, 10).map(drop);
        assert_eq!(refused, Err(QueryError::TooMany { found: Some(100), most: 64 }));
    });
    with_query(many, "EF ?", |question| {
        let refused = solve_naively(question).map(drop);
        assert_eq!(refused, Err(QueryError::TooMany { found: Some(10_000_000), most: 1_000_000 }));
    });
}
