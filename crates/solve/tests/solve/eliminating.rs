//! Elimination of variables against the solver: with the variable in a range, and with quantifiers.

use tertium_expr::{Sort, Substitution, Term, Terms, Variable};
use tertium_solve::{Answer, Prover, Solver, Z3};
use tertium_support::{Cancel, Context, Limits};
use tertium_testkit::{long_random_cases, random_cases, random_truth};

const PLENTY: usize = 1_000_000;

fn differ(terms: &Terms, left: Term, right: Term) -> Answer {
    let context = Context::new(Limits::default(), Cancel::default());
    // A solver that eliminates by itself would agree with any elimination.
    let mut solver = Z3::new().as_written();
    solver.assert(terms, terms.not(terms.equal(left, right)));
    solver.check(&context, terms, &[])
}

fn variables(terms: &Terms) -> [Variable; 3] {
    [("x", Sort::Int), ("y", Sort::Int), ("p", Sort::Bool)].map(|(name, sort)| terms.declare(name, &sort))
}

#[test]
fn in_a_range_it_is_the_disjunction_over_all_values() {
    let mut n_compared = 0;
    let run = random_cases(60, |rng| {
        let terms = Terms::new();
        let [x, y, p] = variables(&terms);
        let formula = random_truth(rng, &terms, &[x, y, p], 2);
        let (low, high) = (terms.integer(-3), terms.integer(3));
        let term = terms.and([
            formula,
            terms.at_most(low, terms.variable(x)),
            terms.at_most(terms.variable(x), high),
        ]);
        let without = terms.eliminate(x, term, PLENTY).expect("linear");
        let at = |value: i32| Substitution::new([(x, terms.integer(value))]).apply(&terms, formula);
        let tried = terms.or((-3..=3).map(at));
        let answer = differ(&terms, without, tried);
        assert_ne!(answer, Answer::Satisfiable);
        n_compared += usize::from(answer == Answer::Unsatisfiable);
    });
    run.enough(n_compared > 50, format_args!("the solver decided {n_compared}"));
}

#[test]
fn without_a_range_it_is_the_quantifier() {
    let mut n_compared = 0;
    let run = long_random_cases(60, |rng| {
        let terms = Terms::new();
        let [x, y, p] = variables(&terms);
        let term = random_truth(rng, &terms, &[x, y, p], 2);
        let without = terms.eliminate(x, term, PLENTY).expect("linear");
        let answer = differ(&terms, without, terms.exists([x], term));
        assert_ne!(answer, Answer::Satisfiable);
        n_compared += usize::from(answer == Answer::Unsatisfiable);
    });
    run.enough(n_compared > run.share(40), format_args!("the solver decided {n_compared}"));
}

#[test]
fn an_equation_says_what_an_index_of_an_array_is() {
    let terms = Terms::new();
    let [x, y, _] = variables(&terms);
    let integers = Sort::Array(Sort::Int.into(), Sort::Int.into());
    let array = terms.variable(terms.declare("a", &integers));
    let (at_x, at_y) = (terms.select(array, terms.variable(x)), terms.select(array, terms.variable(y)));
    let read = |element| terms.equal(element, terms.integer(1));
    let same = terms.equal(terms.variable(x), terms.variable(y));

    let known = terms.and([same, read(at_x)]);
    assert_eq!(terms.eliminate(x, known, PLENTY), Some(read(at_y)));
    assert_eq!(terms.eliminate_some([x, y], known, PLENTY), (read(at_y), vec![y]));
    assert_eq!(terms.eliminate_all([x, y], known, PLENTY), None);

    // Some y differs from x in any case: the second pass has nothing left of it.
    let other = terms.and([terms.not(same), read(at_x)]);
    assert_eq!(terms.eliminate_some([x, y], other, PLENTY), (read(at_x), vec![x]));
}

#[test]
fn what_is_kept_is_quantified_like_before() {
    let mut n_compared = 0;
    let run = random_cases(60, |rng| {
        let terms = Terms::new();
        let [x, y, p] = variables(&terms);
        let integers = Sort::Array(Sort::Int.into(), Sort::Int.into());
        let array = terms.variable(terms.declare("a", &integers));
        let at_x = terms.select(array, terms.variable(x));
        let equal = terms.equal(terms.variable(x), terms.variable(y));
        let sign = if rng.below(2) == 0 { equal } else { terms.not(equal) };
        let term =
            terms.and([random_truth(rng, &terms, &[x, y, p], 1), sign, terms.equal(at_x, terms.integer(1))]);
        let (without, kept) = terms.eliminate_some([x, y], term, PLENTY);
        assert!(kept.len() < 2, "one of them is an index at most");
        let answer = differ(&terms, terms.exists(kept, without), terms.exists([x, y], term));
        assert_ne!(answer, Answer::Satisfiable);
        n_compared += usize::from(answer == Answer::Unsatisfiable);
    });
    run.enough(n_compared > 20, format_args!("the solver decided {n_compared}"));
}

#[test]
fn quantifiers_beside_arrays_are_asked_without_what_can_be_eliminated() {
    let terms = Terms::new();
    let [x, y, _] = variables(&terms);
    let z = terms.declare("z", &Sort::Int);
    let integers = Sort::Array(Sort::Int.into(), Sort::Int.into());
    let array = terms.variable(terms.declare("a", &integers));
    let read = |index| terms.equal(terms.select(array, terms.variable(index)), terms.integer(1));
    let same = terms.equal(terms.variable(x), terms.variable(y));
    let context = Context::new(Limits::default(), Cancel::default());
    for sign in [same, terms.not(same)] {
        let inside = terms.for_all([y], terms.implies(sign, read(x)));
        let all = terms.for_all([x], inside);
        let mut prover = Prover::new(Z3::with_steps(10_000));
        let question = [terms.not(read(z)), all];
        assert_eq!(prover.check(&context, &terms, question), Answer::Unsatisfiable);
        let mut core = prover.core_of(&terms, question);
        core.sort_unstable();
        let mut both = question.to_vec();
        both.sort_unstable();
        assert_eq!(core, both, "cores speak of what was asked");
    }
}
