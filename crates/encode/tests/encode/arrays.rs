//! Arrays as diagrams against their evaluation, at every value of the variables that they read.

use super::terms::World;
use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_dd::Bdd;
use tertium_encode::diagrams::{Encoder, Form};
use tertium_expr::{Sort, Term, Variable, evaluate};
use tertium_program::Domain;
use tertium_support::Rng;
use tertium_testkit::random_cases;

fn range(low: i32, high: i32) -> Domain {
    Domain::Range(low.into(), high.into())
}

/// Numbers, truth values, and arrays of several shapes over them.
fn world() -> World {
    let row = Domain::array(range(1, 2), Domain::Bool);
    let all = [
        ("i", range(-1, 2)),
        ("j", range(0, 2)),
        ("p", Domain::Bool),
        ("a", Domain::array(range(0, 1), range(0, 2))),
        ("b", Domain::array(range(-1, 1), range(1, 2))),
        ("c", Domain::array(Domain::Bool, range(-1, 0))),
        ("r", row.clone()),
        ("m", Domain::array(range(0, 1), row)),
    ];
    World::of(all.map(|(name, domain)| (name, Form::of_domain(&domain).expect("it is finite"))))
}

fn numbers() -> Sort {
    Sort::array(Sort::Int, Sort::Int)
}

fn rows() -> Sort {
    Sort::array(Sort::Int, Sort::Bool)
}

/// A random term of a sort; `depth` bounds how deep it nests.
fn random_term(rng: &mut Rng, world: &World, sort: &Sort, depth: usize) -> Term {
    let terms = &world.terms;
    let fitting: Vec<Variable> =
        world.variables.iter().copied().filter(|&own| terms.sort_of(own) == *sort).collect();
    if depth == 0 || rng.chance(0.15) {
        return terms.variable(*rng.pick(&fitting));
    }
    let mut of = |sort: &Sort| random_term(rng, world, sort, depth - 1);
    let (condition, one, other) = (of(&Sort::Bool), of(sort), of(sort));
    let (number, more) = (of(&Sort::Int), of(&Sort::Int));
    match sort {
        Sort::Bool => {
            let (rows_one, rows_other) = (of(&rows()), of(&rows()));
            let (numbers_one, numbers_other) = (of(&numbers()), of(&numbers()));
            match rng.below(6) {
                0 => terms.not(one),
                1 => terms.and([one, other]),
                2 => terms.at_most(number, more),
                3 => terms.select(rows_one, number),
                4 => terms.equal(rows_one, rows_other),
                _ => terms.equal(numbers_one, numbers_other),
            }
        }
        Sort::Int => {
            let (array, flags) = (of(&numbers()), of(&Sort::array(Sort::Bool, Sort::Int)));
            match rng.below(6) {
                0 => terms.sum([one, other]),
                1 => terms.difference(one, terms.integer(rng.below(4))),
                2 => terms.ite(condition, one, other),
                3 => terms.integer(rng.below(5) as i64 - 2),
                4 => terms.select(flags, condition),
                _ => terms.select(array, number),
            }
        }
        Sort::Array(index, element) => {
            let (at, own) = (of(index), of(element));
            let table = (*sort == rows()).then(|| of(&Sort::array(Sort::Int, rows())));
            match (rng.below(6), table) {
                (0, _) => terms.ite(condition, one, other),
                (1, _) => terms.everywhere(Arc::clone(index), own),
                (2, Some(table)) => terms.select(table, number),
                _ => terms.store(one, at, own),
            }
        }
        _ => unreachable!("no other sorts here"),
    }
}

#[test]
fn random_arrays_are_what_they_evaluate_to() {
    let mut kinds = BTreeMap::new();
    let run = random_cases(150, |rng| {
        let world = world();
        let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
        let sorts = [Sort::Bool, Sort::Int, numbers(), rows(), Sort::array(Sort::Int, rows())];
        let sort = rng.pick(&sorts).clone();
        let term = random_term(rng, &world, &sort, 3);
        if world.points(&world.terms.variables_of(term).into_iter().collect::<Vec<_>>()).len() > 1_000 {
            return;
        }
        world.compare(&mut encoder, term);
        let name = format!("{:?}", world.terms.kind(term));
        *kinds.entry(name.split('(').next().unwrap_or_default().to_owned()).or_insert(0) += 1;
    });
    let wanted = ["If", "Select", "Store", "Everywhere", "Equal"];
    run.enough(wanted.iter().all(|kind| kinds.contains_key(*kind)), &kinds);
}

#[test]
fn reads_and_writes_are_exact_wherever_the_index_goes() {
    let world = world();
    let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
    let terms = &world.terms;
    let [a, b, i, j, p] = ["a", "b", "i", "j", "p"].map(|name| world.named(name));
    // Far outside of all indices, where no element is listed.
    let far = terms.sum([terms.scaled(700, i), j]);
    for at in [i, j, far, terms.integer(0), terms.integer(9)] {
        let written = terms.store(a, at, j);
        for read in [i, j, far, terms.integer(0), terms.integer(9)] {
            world.compare(&mut encoder, terms.select(written, read));
        }
        // Another write to the same places, or the one before undone.
        let again = terms.store(written, far, i);
        let undone = terms.store(written, at, terms.select(a, at));
        for (one, other) in [(written, a), (again, written), (undone, a), (again, b)] {
            world.compare(&mut encoder, terms.equal(one, other));
            world.compare(&mut encoder, terms.equal(terms.ite(p, one, other), terms.ite(p, other, one)));
            world.compare(&mut encoder, terms.select(terms.ite(p, one, other), far));
        }
    }
}

#[test]
fn codes_of_arrays_are_those_of_their_elements() {
    let world = world();
    let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
    let terms = &world.terms;
    let [a, b, i, j] = ["a", "b", "i", "j"].map(|name| world.named(name));
    let form = Form::of_domain(&Domain::array(range(0, 1), range(0, 2))).expect("it is finite");
    let far = terms.scaled(50, i);
    for term in [
        a,
        b,
        terms.store(a, i, j),
        terms.store(terms.store(a, far, i), j, i),
        terms.store(terms.store(a, far, i), far, terms.integer(0)),
        terms.everywhere(Arc::new(Sort::Int), i),
    ] {
        let codes = encoder.codes(term, &form).expect("there is no limit");
        let outside = encoder.outside(term, &form).expect("there is no limit");
        let variables: Vec<Variable> = terms.variables_of(term).into_iter().collect();
        for (assigned, set) in world.points(&variables) {
            let at = |bit: &Bdd| bit.eval(|var| set.get(&var).copied().unwrap_or_default());
            let value = evaluate(terms, term, &|variable| assigned.get(&variable).cloned()).expect("a value");
            let wanted = form.codes(&value);
            assert_eq!(at(&outside), wanted.is_none(), "{} is {value}", terms.print(term));
            if let Some(wanted) = wanted {
                let number =
                    |code: &Vec<Bdd>| (0..code.len()).fold(0, |sum, k| sum | u64::from(at(&code[k])) << k);
                assert_eq!(codes.iter().map(number).collect::<Vec<u64>>(), wanted, "{value}");
            }
        }
    }
}
