//! The solver against enumeration, with models, cores, scopes, a memory, and faults.

use std::sync::Arc;
use tertium_expr::{Enumeration, Sort, Term, Terms, Value, Variable, evaluate};
use tertium_solve::{Answer, GivesUp, Model, Prover, Solver, Z3};
use tertium_support::{Cancel, Context, Limits, Rng};
use tertium_testkit::{random_cases, random_truth};

fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

/// Small integers, a truth value and an enumeration: few enough states to try them all.
struct World {
    terms: Terms,
    variables: Vec<Variable>,
    domains: Vec<Vec<Value>>,
}

impl World {
    fn new() -> Self {
        let terms = Terms::new();
        let of = Arc::new(Enumeration {
            name: "light".to_owned(),
            values: ["red", "amber", "green"].map(str::to_owned).to_vec(),
        });
        let numbers = || (-3..=3).map(Value::int).collect::<Vec<_>>();
        let domains = vec![
            numbers(),
            numbers(),
            vec![Value::Bool(false), Value::Bool(true)],
            (0..3).map(|index| Value::Constant { of: Arc::clone(&of), index }).collect(),
        ];
        let names = ["x", "y", "p", "c"];
        let variables =
            names.iter().zip(&domains).map(|(name, domain)| terms.declare(name, &domain[0].sort())).collect();
        Self { terms, variables, domains }
    }

    /// That every variable lies in its domain.
    fn bounds(&self) -> Vec<Term> {
        let numbers = self.variables.iter().filter(|&&v| self.terms.sort_of(v) == Sort::Int);
        numbers
            .map(|&variable| {
                let number = self.terms.variable(variable);
                let low = self.terms.at_most(self.terms.integer(-3), number);
                self.terms.and([low, self.terms.at_most(number, self.terms.integer(3))])
            })
            .collect()
    }

    fn satisfiable(&self, question: &[Term]) -> bool {
        let whole = self.terms.and(question.iter().copied());
        let n_points: usize = self.domains.iter().map(Vec::len).product();
        (0..n_points).any(|point| {
            let mut rest = point;
            let values: Vec<Value> = self
                .domains
                .iter()
                .map(|domain| {
                    let value = domain[rest % domain.len()].clone();
                    rest /= domain.len();
                    value
                })
                .collect();
            let value = |variable| {
                let at = self.variables.iter().position(|&other| other == variable)?;
                Some(values[at].clone())
            };
            evaluate(&self.terms, whole, &value) == Ok(Value::Bool(true))
        })
    }

    fn question(&self, rng: &mut Rng) -> Vec<Term> {
        let mut parts = self.bounds();
        parts.extend((0..rng.between(1, 5)).map(|_| random_truth(rng, &self.terms, &self.variables, 2)));
        parts
    }
}

#[test]
fn answers_models_and_cores_are_right_on_bounded_domains() {
    random_cases(120, |rng| {
        let world = World::new();
        let mut solver = Z3::new();
        for _ in 0..5 {
            let question = world.question(rng);
            let expected = world.satisfiable(&question);
            match solver.check(&context(), &world.terms, &question) {
                Answer::GaveUp | Answer::Stopped(_) => panic!("nothing here is hard"),
                Answer::Satisfiable => {
                    assert!(expected);
                    let model = solver.model(&world.terms).expect("all sorts have values");
                    for &part in &question {
                        assert_eq!(
                            model.satisfies(&world.terms, part),
                            Some(true),
                            "{}",
                            world.terms.print(part)
                        );
                    }
                }
                Answer::Unsatisfiable => {
                    assert!(!expected);
                    let core = solver.core();
                    assert!(core.iter().all(|part| question.contains(part)));
                    assert!(!world.satisfiable(&[world.bounds(), core].concat()));
                }
            }
        }
    });
}

#[test]
fn a_memory_changes_no_answer_and_saves_calls() {
    random_cases(40, |rng| {
        let world = World::new();
        let mut prover = Prover::new(Z3::new());
        for _ in 0..30 {
            let question = world.question(rng);
            let (answer, model) = prover.find(&context(), &world.terms, question.iter().copied());
            assert_eq!(answer == Answer::Satisfiable, world.satisfiable(&question));
            let confirmed = |model: &Model| {
                question.iter().all(|&part| model.satisfies(&world.terms, part) == Some(true))
            };
            assert_eq!(model.as_ref().map(confirmed), (answer == Answer::Satisfiable).then_some(true));
            if answer == Answer::Unsatisfiable {
                let core = prover.core_of(&world.terms, question.iter().copied());
                assert!(!world.satisfiable(&core) || core.is_empty());
            }
            assert_eq!(prover.check(&context(), &world.terms, question), answer, "asked again");
        }
        let statistics = prover.statistics();
        assert!(2 * statistics.n_calls <= statistics.n_questions, "each question came twice: {statistics:?}");
    });
}

#[test]
fn scopes_take_back_what_was_asserted_in_them() {
    let terms = Terms::new();
    let x = terms.variable(terms.declare("x", &Sort::Int));
    let above = |n: i32| terms.less(terms.integer(n), x);
    let mut solver = Z3::new();
    solver.assert(&terms, above(3));
    solver.push();
    solver.assert(&terms, terms.not(above(2)));
    assert_eq!(solver.check(&context(), &terms, &[]), Answer::Unsatisfiable);
    assert_eq!(solver.check(&context(), &terms, &[above(9)]), Answer::Unsatisfiable);
    solver.pop();
    assert_eq!(solver.check(&context(), &terms, &[above(9)]), Answer::Satisfiable);
    assert_eq!(solver.check(&context(), &terms, &[above(9), terms.not(above(10))]), Answer::Satisfiable);
    assert_eq!(
        solver.model(&terms).and_then(|model| model.satisfies(&terms, terms.equal(x, terms.integer(10)))),
        Some(true)
    );
}

#[test]
fn large_numbers_bit_vectors_arrays_and_quantifiers_have_models() {
    let terms = Terms::new();
    let x = terms.variable(terms.declare("x", &Sort::Int));
    let v = terms.variable(terms.declare("v", &Sort::Bits(100)));
    let a = terms.variable(terms.declare("a", &Sort::array(Sort::Int, Sort::Int)));
    let bound = terms.declare("k", &Sort::Int);
    let k = terms.variable(bound);
    let huge: tertium_expr::BigInt =
        "-123456789012345678901234567890123456789012345".parse().expect("digits");
    let half = terms.bits(100, (1 << 99) + 5);
    let question = [
        terms.equal(x, terms.integer(huge)),
        terms.equal(terms.bitwise(tertium_expr::BitOperation::Add, &[v, v]), terms.bits(100, 10)),
        terms.equal(v, half),
        terms.equal(terms.select(a, terms.integer(3)), terms.integer(7)),
        terms.equal(terms.select(a, terms.integer(4)), x),
    ];
    let mut solver = Z3::new();
    assert_eq!(solver.check(&context(), &terms, &question), Answer::Satisfiable);
    let model = solver.model(&terms).expect("a model");
    for part in question {
        assert_eq!(model.satisfies(&terms, part), Some(true), "{}", terms.print(part));
    }
    let least = terms.for_all([bound], terms.at_most(x, k));
    assert_eq!(solver.check(&context(), &terms, &[least]), Answer::Unsatisfiable);
}

#[test]
fn giving_up_is_an_answer_and_is_counted() {
    let world = World::new();
    let mut prover = Prover::new(GivesUp::new(Z3::new(), 1));
    let part = world.bounds()[0];
    assert_eq!(prover.check(&context(), &world.terms, [part]), Answer::GaveUp);
    assert!(Answer::GaveUp.may_be_satisfiable());
    assert_eq!(prover.statistics().n_gave_up, 1);

    // Beyond any solver: x^3 + y^3 + z^3 = 114 has no known answer.
    let terms = Terms::new();
    let cube = |name: &str| {
        let x = terms.variable(terms.declare(name, &Sort::Int));
        terms.product(x, terms.product(x, x))
    };
    let question = terms.equal(terms.sum(["x", "y", "z"].map(cube)), terms.integer(114));
    let mut solver = Z3::new();
    assert_eq!(solver.check(&context(), &terms, &[question]), Answer::GaveUp);
}

#[test]
fn remainders_of_earlier_questions_do_not_matter() {
    // Many more than are kept; the answers are those of arithmetic, and the core is about this question.
    let terms = Terms::new();
    let x = terms.variable(terms.declare("x", &Sort::Int));
    let mut solver = Z3::new();
    for modulus in 2..40 {
        let remains = |value: i64| terms.equal(terms.modulo(x, modulus), terms.integer(value));
        let fixed = terms.equal(x, terms.integer(41));
        let right = solver.check(&context(), &terms, &[fixed, remains(41 % i64::from(modulus))]);
        assert_eq!(right, Answer::Satisfiable);
        let wrong = remains((41 + 1) % i64::from(modulus));
        assert_eq!(solver.check(&context(), &terms, &[fixed, wrong]), Answer::Unsatisfiable);
        let mut core = solver.core();
        core.sort_unstable();
        let mut expected = vec![fixed, wrong];
        expected.sort_unstable();
        assert_eq!(core, expected);
    }
}

#[test]
fn what_is_asserted_is_kept_however_much_is_asked() {
    let terms = Terms::new();
    let x = terms.variable(terms.declare("x", &Sort::Int));
    let even = |term| terms.equal(terms.modulo(term, 2), terms.integer(0));
    let mut solver = Z3::new();
    solver.assert(&terms, even(x));
    for n in 0..40 {
        let odd = terms.not(even(terms.sum([x, terms.integer(2 * n)])));
        assert_eq!(solver.check(&context(), &terms, &[odd]), Answer::Unsatisfiable);
    }
}

#[test]
fn a_new_solver_knows_nothing_of_one_that_is_gone() {
    let terms = Terms::new();
    let x = terms.variable(terms.declare("x", &Sort::Int));
    let positive = terms.less(terms.integer(0), x);
    for _ in 0..10 {
        let mut solver = Z3::new();
        assert_eq!(solver.check(&context(), &terms, &[positive]), Answer::Satisfiable);
        solver.assert(&terms, terms.not(positive));
        solver.push();
        assert_eq!(solver.check(&context(), &terms, &[positive]), Answer::Unsatisfiable);
    }
}
