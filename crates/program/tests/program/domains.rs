//! Domains: their values, and the terms that say what they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tertium_expr::{Enumeration, Sort, Terms, Value, evaluate};
use tertium_program::Domain;
use tertium_support::Rng;
use tertium_testkit::random_cases;

fn simple(rng: &mut Rng) -> Domain {
    let low = rng.below(3) as i64 - 1;
    match rng.below(5) {
        0 => Domain::Bool,
        1 | 2 => Domain::Range(low.into(), (low + rng.below(3) as i64).into()),
        3 => Domain::Bits(rng.between(1, 2) as u32),
        _ => {
            let values = ["r", "g", "b"][..rng.between(1, 3)].iter().map(|&name| name.into()).collect();
            Domain::Enumeration(Arc::new(Enumeration { name: "colour".into(), values }))
        }
    }
}

fn random_domain(rng: &mut Rng, depth: usize) -> Domain {
    if depth == 0 || rng.chance(0.3) {
        return simple(rng);
    }
    Domain::array(simple(rng), random_domain(rng, depth - 1))
}

/// Any value of a sort, in the domain or not.
fn random_value(rng: &mut Rng, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(rng.chance(0.5)),
        Sort::Int => Value::int(rng.below(5) as i64 - 2),
        Sort::Bits(width) => Value::Bits { width: *width, value: rng.below(1 << width) as u128 },
        Sort::Enumeration(of) => Value::Constant { of: of.clone(), index: rng.below(of.values.len()) },
        Sort::Array(index, element) => {
            let n = rng.below(4);
            let entries: BTreeMap<_, _> =
                (0..n).map(|_| (random_value(rng, index), random_value(rng, element))).collect();
            Value::array(Arc::clone(index), random_value(rng, element), entries)
        }
    }
}

#[test]
fn terms_say_what_values_a_domain_has() {
    let (mut n_inside, mut n_outside, mut n_listed) = (0, 0, 0);
    let run = random_cases(300, |rng| {
        let domain = random_domain(rng, 2);
        let terms = Terms::new();
        let variable = terms.declare("v", &domain.sort());
        let says = domain.contains(&terms, terms.variable(variable));
        let said = |value: &Value| evaluate(&terms, says, &|_| Some(value.clone())) == Ok(Value::Bool(true));
        assert!(domain.has(&domain.first()));
        let values = domain.values(300);
        assert_eq!(values.as_ref().map(Vec::len), domain.count(300));
        for value in values.iter().flatten() {
            assert!(value.sort() == domain.sort() && domain.has(value) && said(value), "{value} of {domain}");
            n_listed += 1;
        }
        let distinct: Option<BTreeSet<&Value>> = values.as_ref().map(|values| values.iter().collect());
        assert_eq!(distinct.as_ref().map(BTreeSet::len), domain.count(300));
        for _ in 0..10 {
            let value = random_value(rng, &domain.sort());
            assert_eq!(domain.has(&value), said(&value), "{value} of {domain}");
            if let Some(distinct) = &distinct {
                assert_eq!(distinct.contains(&value), domain.has(&value), "{value} of {domain}");
            }
            *(if domain.has(&value) { &mut n_inside } else { &mut n_outside }) += 1;
        }
    });
    run.enough(n_inside > 300 && n_outside > 300 && n_listed > 3000, format_args!("{n_inside}, {n_outside}"));
}

#[test]
fn what_keeps_an_array_in_its_domain_is_that_it_is_in_it() {
    let (mut n_kept, mut n_left) = (0, 0);
    let run = random_cases(300, |rng| {
        let index = simple(rng);
        let element = random_domain(rng, 1);
        let domain = Domain::array(index.clone(), element.clone());
        let Some(values) = domain.values(3000) else { return };
        let terms = Terms::new();
        let array = terms.variable(terms.declare("a", &domain.sort()));
        let at = terms.variable(terms.declare("i", &index.sort()));
        let own = terms.variable(terms.declare("e", &element.sort()));
        let mut after = terms.store(array, at, own);
        if rng.chance(0.5) {
            let also = terms.value(&random_value(rng, &index.sort()));
            after = terms.store(after, also, terms.value(&random_value(rng, &element.sort())));
        }
        let guard = index.contains(&terms, at);
        let known = BTreeSet::from_iter(terms.conjuncts(guard));
        let kept = domain.keeps(&terms, &BTreeSet::new(), array, after);
        let kept_if_index = domain.keeps(&terms, &known, array, after);
        let inside = domain.contains(&terms, after);
        for _ in 0..10 {
            let before = [
                rng.pick(&values).clone(),
                random_value(rng, &index.sort()),
                random_value(rng, &element.sort()),
            ];
            let value = |term| {
                let of = |variable| {
                    let name = terms.name(variable);
                    ["a", "i", "e"].iter().position(|&own| own == name).map(|n| before[n].clone())
                };
                evaluate(&terms, term, &of).expect("all variables have values") == Value::Bool(true)
            };
            assert_eq!(value(kept), value(inside), "{} of {domain} at {before:?}", terms.print(after));
            if value(guard) {
                assert_eq!(value(kept_if_index), value(inside));
            }
            *(if value(inside) { &mut n_kept } else { &mut n_left }) += 1;
        }
    });
    run.enough(n_kept > 200 && n_left > 200, format_args!("{n_kept} and {n_left}"));
}

#[test]
fn domains_that_need_quantifiers_are_not_sayable() {
    let small = Domain::Range(0.into(), 3.into());
    for (domain, sayable) in [
        (Domain::array(Domain::Int, Domain::Int), true),
        (Domain::array(Domain::Bits(64), Domain::Bits(8)), true),
        (Domain::array(small.clone(), Domain::Int), true),
        (Domain::array(Domain::Int, small.clone()), false),
        (Domain::array(Domain::Bits(64), small.clone()), false),
        (Domain::array(Domain::array(small.clone(), small.clone()), small), false),
    ] {
        assert_eq!(domain.is_sayable(), sayable, "{domain}");
    }
}
