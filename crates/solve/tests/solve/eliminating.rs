//! Elimination of variables against the solver: with the variable in a range, and with quantifiers.

use tertium_expr::{Sort, Substitution, Term, Terms, Variable};
use tertium_solve::{Answer, Solver, Z3};
use tertium_support::{Cancel, Context, Limits};
use tertium_testkit::{long_random_cases, random_cases, random_truth};

const PLENTY: usize = 1_000_000;

fn differ(terms: &Terms, left: Term, right: Term) -> Answer {
    let context = Context::new(Limits::default(), Cancel::default());
    let mut solver = Z3::new();
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
