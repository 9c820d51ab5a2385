//! Elimination of variables against trying many values.

use std::sync::Arc;
use tertium_expr::{Enumeration, Sort, Term, Terms, Value, Variable, evaluate};
use tertium_support::Rng;
use tertium_testkit::{random_atom, random_cases, random_number, random_truth};

/// More than any formula here needs.
const PLENTY: usize = 1_000_000;
/// Values of the variable that is eliminated: bounds of the formulas here are below 150, and common periods below 150.
const WINDOW: std::ops::RangeInclusive<i32> = -320..=320;

struct World {
    terms: Terms,
    x: Variable,
    y: Variable,
    p: Variable,
    light: Variable,
    lights: Arc<Enumeration>,
}

impl World {
    fn new() -> Self {
        let terms = Terms::new();
        let lights = Arc::new(Enumeration {
            name: "light".to_owned(),
            values: ["red", "amber", "green"].map(str::to_owned).to_vec(),
        });
        let (x, y) = (terms.declare("x", &Sort::Int), terms.declare("y", &Sort::Int));
        let p = terms.declare("p", &Sort::Bool);
        let light = terms.declare("light", &Sort::Enumeration(Arc::clone(&lights)));
        Self { terms, x, y, p, light, lights }
    }

    fn holds(&self, term: Term, [x, y]: [i32; 2], p: bool, light: usize) -> bool {
        let value = |variable| {
            Some(match variable {
                v if v == self.x => Value::int(x),
                v if v == self.y => Value::int(y),
                v if v == self.p => Value::Bool(p),
                _ => Value::Constant { of: Arc::clone(&self.lights), index: light },
            })
        };
        evaluate(&self.terms, term, &value).expect("all variables have values") == Value::Bool(true)
    }

    /// That a term says where another holds for some value of x.
    fn compare_integer(&self, term: Term) {
        let without = self.terms.eliminate(self.x, term, PLENTY).expect("linear");
        assert!(!self.terms.variables_of(without).contains(&self.x));
        for y in -4..=4 {
            for p in [false, true] {
                let some = WINDOW.into_iter().any(|x| self.holds(term, [x, y], p, 0));
                let printed = || (self.terms.print(term).to_string(), self.terms.print(without).to_string());
                assert_eq!(self.holds(without, [0, y], p, 0), some, "y = {y}, p = {p}: {:?}", printed());
            }
        }
    }
}

/// A comparison with a conditional inside.
fn conditional_atom(rng: &mut Rng, world: &World) -> Term {
    let World { terms, x, y, p, .. } = world;
    let numbers = [*x, *y];
    let condition = random_atom(rng, terms, &[*x, *y, *p]);
    let (then, otherwise) = (random_number(rng, terms, &numbers, 1), random_number(rng, terms, &numbers, 1));
    terms.at_most(terms.ite(condition, then, otherwise), random_number(rng, terms, &numbers, 1))
}

#[test]
fn an_integer_is_eliminated_as_if_all_values_were_tried() {
    let mut n_open = 0;
    let run = random_cases(600, |rng| {
        let world = World::new();
        let variables = [world.x, world.y, world.p];
        let parts: Vec<Term> = (0..2).map(|_| random_truth(rng, &world.terms, &variables, 1)).collect();
        let term = match rng.below(4) {
            0 => world.terms.or(parts),
            1 => world.terms.equal(parts[0], parts[1]),
            _ => world.terms.and(parts),
        };
        world.compare_integer(term);
        let without = world.terms.eliminate(world.x, term, PLENTY).expect("linear");
        n_open += usize::from(world.terms.as_bool(without).is_none());
    });
    run.enough(n_open > 100, format_args!("only {n_open} formulas depend on other variables"));
}

#[test]
fn conditionals_are_eliminated_as_cases() {
    random_cases(200, |rng| {
        let world = World::new();
        let parts = [conditional_atom(rng, &world), random_atom(rng, &world.terms, &[world.x, world.y])];
        world.compare_integer(world.terms.and(parts));
    });
}

#[test]
fn factors_give_divisibility() {
    let world = World::new();
    let terms = &world.terms;
    let (x, y) = (terms.variable(world.x), terms.variable(world.y));
    // 3 * x = y
    let multiple = terms.equal(terms.scaled(3, x), y);
    let divisible = terms.equal(terms.modulo(y, 3), terms.integer(0));
    assert_eq!(terms.eliminate(world.x, multiple, PLENTY), Some(divisible));
    // y < 2 * x < y + 2
    let between = terms.and([terms.less(y, terms.scaled(2, x)), {
        terms.less(terms.scaled(2, x), terms.sum([y, terms.integer(2)]))
    }]);
    world.compare_integer(between);
}

#[test]
fn an_unlimited_variable_leaves_nothing() {
    let world = World::new();
    let terms = &world.terms;
    let (x, y) = (terms.variable(world.x), terms.variable(world.y));
    let odd = terms.equal(terms.modulo(x, 2), terms.integer(1));
    let term = terms.and([terms.less(y, x), odd]);
    assert_eq!(terms.eliminate(world.x, term, PLENTY), Some(terms.boolean(true)));
}

#[test]
fn truth_values_and_names_are_tried() {
    random_cases(200, |rng| {
        let world = World::new();
        let terms = &world.terms;
        let term = random_truth(rng, terms, &[world.x, world.p, world.light], 2);
        let without_p = terms.eliminate(world.p, term, PLENTY).expect("two values");
        let without_light = terms.eliminate(world.light, term, PLENTY).expect("three values");
        for x in -6..=6 {
            for light in 0..3 {
                let some = [false, true].iter().any(|&p| world.holds(term, [x, 0], p, light));
                assert_eq!(world.holds(without_p, [x, 0], false, light), some);
            }
            for p in [false, true] {
                let some = (0..3).any(|light| world.holds(term, [x, 0], p, light));
                assert_eq!(world.holds(without_light, [x, 0], p, 0), some);
            }
        }
    });
}

#[test]
fn what_is_beyond_the_method_or_the_limit_is_left() {
    let world = World::new();
    let terms = &world.terms;
    let (x, y) = (terms.variable(world.x), terms.variable(world.y));
    let square = terms.at_most(terms.product(x, x), y);
    assert_eq!(terms.eliminate(world.x, square, PLENTY), None);
    let below = terms.for_all([world.y], terms.at_most(x, y));
    assert_eq!(terms.eliminate(world.x, below, PLENTY), None);
    assert_eq!(terms.eliminate(world.y, below, PLENTY), Some(below), "it does not occur free");
    let far = terms.and([
        terms.at_most(y, terms.scaled(1_000_000_007, x)),
        terms.at_most(terms.scaled(1_000_000_009, x), terms.sum([y, terms.integer(1)])),
    ]);
    assert_eq!(terms.eliminate(world.x, far, 10_000), None);
    let both = terms.and([terms.at_most(x, y), terms.at_most(terms.integer(3), x)]);
    assert_eq!(terms.eliminate_all([world.x, world.y], both, PLENTY), Some(terms.boolean(true)));
}
