//! Arrays as clauses against the evaluator, at all valuations of small domains.

use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_expr::{Sort, Term, Terms, Value, Variable, evaluate};
use tertium_solve::{Answer, Bits, FiniteQuestion};
use tertium_support::Context;
use tertium_testkit::{random_array_program, random_array_truth, random_cases};

fn ask(bits: &mut Bits, terms: &Terms, together: &[Term]) -> Answer {
    let answer = bits.check(&Context::default(), terms, FiniteQuestion { defined: &[], together });
    if answer == Answer::Satisfiable {
        let all = terms.and(together.iter().copied());
        assert_eq!(bits.model().satisfies(terms, all), Some(true), "{}", terms.print(all));
    }
    answer
}

fn is_satisfiable(bits: &mut Bits, terms: &Terms, together: &[Term]) -> bool {
    match ask(bits, terms, together) {
        Answer::Satisfiable => true,
        Answer::Unsatisfiable => false,
        other => panic!("{other:?}"),
    }
}

/// All valuations of variables with these values.
fn valuations(variables: &[(Variable, Vec<Value>)]) -> Vec<BTreeMap<Variable, Value>> {
    variables.iter().fold(vec![BTreeMap::new()], |before, (variable, values)| {
        let with = |value: &Value| {
            let value = value.clone();
            before.iter().map(move |own| {
                let mut own = own.clone();
                own.insert(*variable, value.clone());
                own
            })
        };
        values.iter().flat_map(with).collect()
    })
}

/// Compares a truth value with its evaluation; how often it holds, and how often it does not.
fn compare(terms: &Terms, domain: Term, variables: &[(Variable, Vec<Value>)], term: Term) -> [usize; 2] {
    let mut bits = Bits::new(u64::MAX);
    bits.announce(terms, &[domain]);
    let all = valuations(variables);
    let holds = |own: &BTreeMap<Variable, Value>| {
        let value = evaluate(terms, term, &|variable| own.get(&variable).cloned());
        value.expect("every variable has a value").as_bool().expect("a truth value")
    };
    let expected: Vec<bool> = all.iter().map(holds).collect();
    assert_eq!(is_satisfiable(&mut bits, terms, &[domain, term]), expected.contains(&true));
    assert_eq!(is_satisfiable(&mut bits, terms, &[domain, terms.not(term)]), expected.contains(&false));
    for (own, &expected) in all.iter().zip(&expected) {
        let point =
            own.iter().map(|(&variable, value)| terms.equal(terms.variable(variable), terms.value(value)));
        let together: Vec<Term> = point.chain([domain, term]).collect();
        assert_eq!(is_satisfiable(&mut bits, terms, &together), expected, "{own:?}: {}", terms.print(term));
    }
    [true, false].map(|wanted| expected.iter().filter(|&&own| own == wanted).count())
}

#[test]
fn clauses_say_what_the_evaluator_says_of_arrays() {
    let (mut n_true, mut n_false) = (0, 0);
    let run = random_cases(60, |rng| {
        let program = random_array_program(rng, 1);
        let terms = &program.terms;
        let term = random_array_truth(rng, &program);
        let read = terms.variables_of(term);
        let own = program.variables().iter().filter(|own| read.contains(&own.variable));
        let variables: Vec<(Variable, Vec<Value>)> =
            own.map(|own| (own.variable, own.domain.values(100).expect("there are few"))).collect();
        let [holds, fails] = compare(terms, program.within(), &variables, term);
        (n_true, n_false) = (n_true + holds, n_false + fails);
    });
    run.enough(n_true > 10 && n_false > 10, (n_true, n_false));
}

/// A table with rows 0 and 1, each with a number from 1 to 2 for each truth value, and what says so.
fn table(terms: &Terms) -> (Variable, Term) {
    let row = Sort::array(Sort::Bool, Sort::Int);
    let variable = terms.declare("t", &Sort::array(Sort::Int, row));
    let table = terms.variable(variable);
    let nothing =
        terms.everywhere(Arc::new(Sort::Int), terms.everywhere(Arc::new(Sort::Bool), terms.integer(1)));
    let (mut parts, mut whole) = (Vec::new(), nothing);
    for at in 0..2 {
        let row = terms.select(table, terms.integer(at));
        whole = terms.store(whole, terms.integer(at), row);
        for side in [false, true] {
            let number = terms.select(row, terms.boolean(side));
            parts.extend([terms.at_most(terms.integer(1), number), terms.at_most(number, terms.integer(2))]);
        }
    }
    parts.push(terms.equal(table, whole));
    (variable, terms.and(parts))
}

#[test]
fn arrays_of_arrays_are_clauses_too() {
    let terms = &Terms::new();
    let (variable, domain) = table(terms);
    let table = terms.variable(variable);
    let (i, p) = (terms.declare("i", &Sort::Int), terms.declare("p", &Sort::Bool));
    let (at, side) = (terms.variable(i), terms.variable(p));
    let within =
        terms.and([domain, terms.at_most(terms.integer(-1), at), terms.at_most(at, terms.integer(2))]);
    let row = |one: i32, other: i32| {
        let entries = [(false, one), (true, other)].map(|(at, own)| (Value::Bool(at), Value::int(own)));
        Value::array(Arc::new(Sort::Bool), Value::int(1), entries.into())
    };
    let rows: Vec<Value> = [(1, 1), (1, 2), (2, 1), (2, 2)].map(|(one, other)| row(one, other)).into();
    let tables = rows.iter().flat_map(|one| {
        rows.iter().map(|other| {
            let entries = [(Value::int(0), one.clone()), (Value::int(1), other.clone())];
            Value::array(Arc::new(Sort::Int), row(1, 1), entries.into())
        })
    });
    let variables = [
        (variable, tables.collect()),
        (i, (-1..=2).map(Value::int).collect()),
        (p, vec![Value::Bool(false), Value::Bool(true)]),
    ];
    let own = terms.select(table, at);
    let flipped = terms.store(own, side, terms.integer(2));
    let written = terms.store(table, at, flipped);
    let two = terms.integer(2);
    for term in [
        terms.equal(terms.select(own, side), two),
        terms.equal(terms.select(terms.select(written, terms.sum([at, terms.integer(1)])), side), two),
        terms.equal(written, table),
        terms.equal(terms.ite(side, written, table), terms.ite(side, table, written)),
    ] {
        compare(terms, within, &variables, term);
    }
}

#[test]
fn an_array_that_the_question_does_not_bound_is_given_up() {
    let terms = &Terms::new();
    let a = terms.variable(terms.declare("a", &Sort::array(Sort::Int, Sort::Bool)));
    let first = terms.select(a, terms.integer(0));
    let nothing = terms.everywhere(Arc::new(Sort::Int), terms.boolean(false));
    let domain = terms.equal(a, terms.store(nothing, terms.integer(0), first));
    let mut bits = Bits::new(u64::MAX);
    bits.announce(terms, &[domain]);
    let other = terms.select(a, terms.integer(1));
    assert_eq!(ask(&mut bits, terms, &[first]), Answer::GaveUp);
    assert_eq!(ask(&mut bits, terms, &[domain, first]), Answer::Satisfiable);
    assert_eq!(ask(&mut bits, terms, &[domain, other]), Answer::Unsatisfiable);
    assert_eq!(ask(&mut bits, terms, &[first, other]), Answer::GaveUp);
    // Elements without bounds, and more indices than are listed.
    let numbers = terms.variable(terms.declare("n", &Sort::array(Sort::Bool, Sort::Int)));
    let number = terms.select(numbers, terms.boolean(true));
    assert_eq!(ask(&mut bits, terms, &[terms.at_most(number, terms.integer(3))]), Answer::GaveUp);
    let many = terms.variable(terms.declare("m", &Sort::array(Sort::Bits(40), Sort::Bool)));
    assert_eq!(ask(&mut bits, terms, &[terms.select(many, terms.bits(40, 7))]), Answer::GaveUp);
}
