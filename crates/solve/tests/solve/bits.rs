//! Terms as clauses against the evaluator: random terms of all kinds, and all valuations of small domains.

use std::sync::Arc;
use tertium_expr::{BitOperation, Enumeration, Sort, Term, Terms, Value, Variable, evaluate};
use tertium_solve::{Answer, Bits, FiniteQuestion};
use tertium_support::{Cancel, Context, Limits, Rng, StopReason};
use tertium_testkit::random_cases;

/// Variables with small domains, and what says so.
struct Small {
    terms: Terms,
    variables: Vec<(Variable, Vec<Value>)>,
    domain: Term,
    of: Arc<Enumeration>,
    width: u32,
}

impl Small {
    fn new(rng: &mut Rng) -> Self {
        let terms = Terms::new();
        let values = (0..rng.between(1, 5)).map(|at| format!("v{at}")).collect();
        let of = Arc::new(Enumeration { name: "colour".to_owned(), values });
        let width = rng.between(1, 5) as u32;
        let mut made = Self { domain: terms.boolean(true), terms, variables: Vec::new(), of, width };
        let mut domains = Vec::new();
        for at in 0..3 {
            let sort = match rng.below(4) {
                0 => Sort::Bool,
                1 => Sort::Enumeration(Arc::clone(&made.of)),
                2 => Sort::Bits(made.width),
                _ => Sort::Int,
            };
            let variable = made.terms.declare(&format!("x{at}"), &sort);
            let low = rng.below(14) as i64 - 9;
            let high = low + rng.below(8) as i64;
            let values = match &sort {
                Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
                Sort::Enumeration(of) => {
                    (0..of.values.len()).map(|index| Value::Constant { of: Arc::clone(of), index }).collect()
                }
                Sort::Bits(width) => {
                    (0..1u128 << width).map(|value| Value::Bits { width: *width, value }).collect()
                }
                _ => (low..=high).map(Value::int).collect(),
            };
            if sort == Sort::Int {
                let term = made.terms.variable(variable);
                domains.push(made.terms.at_most(made.terms.integer(low), term));
                domains.push(made.terms.at_most(term, made.terms.integer(high)));
            }
            made.variables.push((variable, values));
        }
        made.domain = made.terms.and(domains);
        made
    }

    fn of_sort(&self, rng: &mut Rng, sort: &Sort) -> Option<Term> {
        let fitting: Vec<Variable> =
            self.variables.iter().map(|own| own.0).filter(|&own| self.terms.sort_of(own) == *sort).collect();
        (!fitting.is_empty() && rng.chance(0.7)).then(|| self.terms.variable(*rng.pick(&fitting)))
    }

    fn number(&self, rng: &mut Rng, depth: usize) -> Term {
        let terms = &self.terms;
        if depth == 0 {
            return self.of_sort(rng, &Sort::Int).unwrap_or_else(|| terms.integer(rng.below(15) as i64 - 7));
        }
        let (a, b) = (self.number(rng, depth - 1), self.number(rng, depth - 1));
        match rng.below(8) {
            0 => terms.sum([a, b]),
            1 => terms.difference(a, b),
            2 => terms.scaled(rng.below(13) as i64 - 6, a),
            3 => terms.divide(a, rng.between(1, 9)),
            4 => terms.modulo(a, rng.between(1, 9)),
            5 => terms.product(a, b),
            6 => terms.ite(self.truth(rng, depth - 1), a, b),
            _ => a,
        }
    }

    fn word(&self, rng: &mut Rng, depth: usize) -> Term {
        use BitOperation::*;
        let terms = &self.terms;
        if depth == 0 {
            let constant = u128::from(rng.bits());
            return self
                .of_sort(rng, &Sort::Bits(self.width))
                .unwrap_or_else(|| terms.bits(self.width, constant));
        }
        let (a, b) = (self.word(rng, depth - 1), self.word(rng, depth - 1));
        let plain = [
            Add,
            Subtract,
            Multiply,
            DivideUnsigned,
            RemainderUnsigned,
            DivideSigned,
            RemainderSigned,
            And,
            Or,
            Xor,
            ShiftLeft,
            ShiftRight,
            ShiftRightSigned,
        ];
        match rng.below(9) {
            0 => terms.bitwise(Not, &[a]),
            1 => terms.ite(self.truth(rng, depth - 1), a, b),
            2 => {
                let above = terms.bitwise(Concatenate, &[a, b]);
                let low = rng.below(self.width as usize + 1) as u32;
                terms.bitwise(Extract(low + self.width - 1, low), &[above])
            }
            3 => {
                let extend = if rng.chance(0.5) { ExtendZeros(3) } else { ExtendSign(3) };
                let low = rng.below(4) as u32;
                terms.bitwise(Extract(low + self.width - 1, low), &[terms.bitwise(extend, &[a])])
            }
            _ => terms.bitwise(*rng.pick(&plain), &[a, b]),
        }
    }

    fn choice(&self, rng: &mut Rng, depth: usize) -> Term {
        let sort = Sort::Enumeration(Arc::clone(&self.of));
        if depth > 0 && rng.chance(0.4) {
            let condition = self.truth(rng, depth - 1);
            return self.terms.ite(condition, self.choice(rng, depth - 1), self.choice(rng, depth - 1));
        }
        let index = rng.below(self.of.values.len());
        let constant = Value::Constant { of: Arc::clone(&self.of), index };
        self.of_sort(rng, &sort).unwrap_or_else(|| self.terms.value(&constant))
    }

    fn truth(&self, rng: &mut Rng, depth: usize) -> Term {
        use BitOperation::*;
        let terms = &self.terms;
        if depth == 0 {
            return self.of_sort(rng, &Sort::Bool).unwrap_or_else(|| terms.boolean(rng.chance(0.5)));
        }
        match rng.below(9) {
            0 => terms.not(self.truth(rng, depth - 1)),
            1 => terms.and((0..3).map(|_| self.truth(rng, depth - 1)).collect::<Vec<_>>()),
            2 => terms.or((0..3).map(|_| self.truth(rng, depth - 1)).collect::<Vec<_>>()),
            3 => terms.equal(self.truth(rng, depth - 1), self.truth(rng, depth - 1)),
            4 => terms.equal(self.choice(rng, depth), self.choice(rng, depth)),
            5 => terms.equal(self.number(rng, depth), self.number(rng, depth)),
            6 => terms.at_most(self.number(rng, depth), self.number(rng, depth)),
            7 => terms.equal(self.word(rng, depth), self.word(rng, depth)),
            _ => {
                let operation = *rng.pick(&[LessUnsigned, AtMostUnsigned, LessSigned, AtMostSigned]);
                terms.bitwise(operation, &[self.word(rng, depth), self.word(rng, depth)])
            }
        }
    }

    /// All valuations of the variables.
    fn valuations(&self) -> Vec<Vec<Value>> {
        self.variables.iter().fold(vec![Vec::new()], |found, (_, values)| {
            let with = |before: Vec<Value>| {
                values.iter().map(move |value| before.iter().cloned().chain([value.clone()]).collect())
            };
            found.into_iter().flat_map(with).collect()
        })
    }

    fn holds(&self, term: Term, valuation: &[Value]) -> bool {
        let value = |variable: Variable| {
            let at = self.variables.iter().position(|own| own.0 == variable)?;
            Some(valuation[at].clone())
        };
        evaluate(&self.terms, term, &value).unwrap().as_bool().unwrap()
    }
}

fn ask(bits: &mut Bits, small: &Small, together: &[Term]) -> bool {
    let question = FiniteQuestion { defined: &[], together };
    match bits.check(&Context::default(), &small.terms, question) {
        Answer::Satisfiable => true,
        Answer::Unsatisfiable => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn clauses_say_what_the_evaluator_says_at_all_valuations() {
    let (mut n_true, mut n_false) = (0, 0);
    random_cases(600, |rng| {
        let small = Small::new(rng);
        let terms = &small.terms;
        let term = small.truth(rng, 3);
        let mut bits = Bits::new(u64::MAX);
        bits.announce(terms, &[small.domain]);
        let valuations = small.valuations();
        let expected: Vec<bool> = valuations.iter().map(|each| small.holds(term, each)).collect();
        assert_eq!(ask(&mut bits, &small, &[small.domain, term]), expected.contains(&true));
        assert_eq!(ask(&mut bits, &small, &[small.domain, terms.not(term)]), expected.contains(&false));
        for (valuation, &expected) in valuations.iter().zip(&expected).take(64) {
            let mut together: Vec<Term> = small
                .variables
                .iter()
                .zip(valuation)
                .map(|((variable, _), value)| terms.equal(terms.variable(*variable), terms.value(value)))
                .collect();
            together.extend([small.domain, term]);
            assert_eq!(ask(&mut bits, &small, &together), expected, "{valuation:?}");
            *(if expected { &mut n_true } else { &mut n_false }) += 1;
        }
    });
    assert!(n_true > 10 && n_false > 10, "{n_true} hold, {n_false} do not");
}

#[test]
fn models_satisfy_what_was_asked() {
    random_cases(200, |rng| {
        let small = Small::new(rng);
        let term = small.truth(rng, 3);
        let mut bits = Bits::new(u64::MAX);
        if ask(&mut bits, &small, &[small.domain, term]) {
            let model = bits.model();
            assert_eq!(model.satisfies(&small.terms, small.terms.and([small.domain, term])), Some(true));
        }
    });
}

#[test]
fn definitions_stand_for_what_defines_them() {
    random_cases(200, |rng| {
        let small = Small::new(rng);
        let terms = &small.terms;
        let (one, other) = (small.truth(rng, 2), small.truth(rng, 2));
        let names = ["first", "second"].map(|name| terms.declare(name, &Sort::Bool));
        let first = terms.variable(names[0]);
        let defined = [(names[0], one), (names[1], terms.equal(first, other))];
        let second = terms.variable(names[1]);
        let question = FiniteQuestion { defined: &defined, together: &[small.domain, second] };
        let answer = Bits::new(u64::MAX).check(&Context::default(), terms, question);
        let both = terms.equal(one, other);
        let expected = small.valuations().iter().any(|valuation| small.holds(both, valuation));
        assert_eq!(answer, if expected { Answer::Satisfiable } else { Answer::Unsatisfiable });
    });
}

/// x with bounds that the question does not imply.
#[test]
fn an_integer_that_the_question_does_not_bound_is_given_up() {
    let terms = Terms::new();
    let x = terms.variable(terms.declare("x", &Sort::Int));
    let (zero, nine) = (terms.integer(0), terms.integer(9));
    let domain = terms.and([terms.at_most(zero, x), terms.at_most(x, nine)]);
    let large = terms.less(nine, x);
    let mut bits = Bits::new(u64::MAX);
    bits.announce(&terms, &[domain]);
    let mut check = |together: &[Term]| {
        bits.check(&Context::default(), &terms, FiniteQuestion { defined: &[], together })
    };
    assert_eq!(check(&[domain, large]), Answer::Unsatisfiable);
    assert_eq!(check(&[large]), Answer::GaveUp);
    assert_eq!(check(&[large, terms.at_most(x, terms.integer(20))]), Answer::GaveUp);
    assert_eq!(check(&[domain]), Answer::Satisfiable);
}

/// The factors of a prime, for which there is no short way.
fn factors(terms: &Terms) -> Term {
    let word = |name: &str| terms.variable(terms.declare(name, &Sort::Bits(40)));
    let (a, b) = (word("a"), word("b"));
    let small = |x: Term| terms.bitwise(BitOperation::LessUnsigned, &[x, terms.bits(40, 1 << 20)]);
    let large = |x: Term| terms.bitwise(BitOperation::LessUnsigned, &[terms.bits(40, 1), x]);
    let product =
        terms.equal(terms.bitwise(BitOperation::Multiply, &[a, b]), terms.bits(40, 1_000_000_016_531));
    terms.and([small(a), small(b), large(a), large(b), product])
}

#[test]
fn a_budget_is_an_end_and_a_time_limit_is_called_a_time_limit() {
    let terms = Terms::new();
    let hard = factors(&terms);
    let ask = |context: &Context, budget: u64| {
        let mut bits = Bits::new(budget);
        let answer = bits.check(context, &terms, FiniteQuestion { defined: &[], together: &[hard] });
        (answer, bits.work())
    };
    let free = Context::default();
    assert_eq!(ask(&free, 1 << 10).0, Answer::GaveUp);
    let (answer, work) = ask(&free, 1 << 21);
    assert_eq!(answer, Answer::GaveUp);
    assert_eq!(ask(&free, 1 << 21), (answer, work), "the same budget ends at the same place");
    let time = std::time::Duration::from_millis(30);
    let timed = Context::new(Limits { time: Some(time), ..Limits::default() }, Cancel::default());
    assert_eq!(ask(&timed, u64::MAX).0, Answer::Stopped(StopReason::TimeLimit));
}
