//! Terms as diagrams against their evaluation, at every value of the variables that they read.

use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_dd::{Bdd, Manager, Var};
use tertium_encode::diagrams::{Denotation, EncodeError, Encoder, Form, Layout, Placed, Values};
use tertium_expr::{BigInt, BitOperation, Enumeration, Sort, Term, Terms, Value, Variable, evaluate};
use tertium_support::{Context, Rng};
use tertium_testkit::random_cases;

/// A few variables of every sort that has diagrams.
pub(crate) struct World {
    pub(crate) terms: Terms,
    pub(crate) manager: Manager,
    pub(crate) layout: Layout,
    pub(crate) variables: Vec<Variable>,
    /// By variable.
    forms: Vec<Form>,
    pub(crate) colour: Arc<Enumeration>,
}

/// The value of each variable, with the bits that say so.
type Point = (BTreeMap<Variable, Value>, BTreeMap<Var, bool>);

impl World {
    fn new() -> Self {
        let colour = colours();
        let numbers = [-5, 0, 2, 9, 30].map(BigInt::from).to_vec();
        let all = [
            ("p", Values::Bool),
            ("q", Values::Bool),
            ("x", Values::Range((-3).into(), 2.into())),
            ("y", Values::Range(0.into(), 4.into())),
            ("n", Values::Numbers(numbers)),
            ("c", Values::Enumeration(Arc::clone(&colour))),
            ("d", Values::Enumeration(Arc::clone(&colour))),
            ("v", Values::Bits(3)),
            ("w", Values::Bits(3)),
        ];
        Self::of(all.map(|(name, values)| (name, Form::One(values))))
    }

    /// Variables of these names and forms.
    pub(crate) fn of<'n>(all: impl IntoIterator<Item = (&'n str, Form)>) -> Self {
        let (terms, manager) = (Terms::new(), Manager::new(&Context::default()));
        let (mut layout, mut variables, mut forms) = (Layout::new(), Vec::new(), Vec::new());
        for (name, form) in all {
            let sort = form.value(&vec![0; form.n_places()]).expect("there is a value").sort();
            let variable = terms.declare(name, &sort);
            let mut bits = |values: &Values| (0..values.width()).map(|_| manager.add_var()).collect();
            layout.insert(variable, Placed::new(&form, &mut bits));
            variables.push(variable);
            forms.push(form);
        }
        Self { terms, manager, layout, variables, forms, colour: colours() }
    }

    pub(crate) fn named(&self, name: &str) -> Term {
        let found = self.variables.iter().find(|&&variable| self.terms.name(variable) == name);
        self.terms.variable(*found.expect("the variable is declared"))
    }

    /// Every assignment of the variables, with the bits that say so.
    pub(crate) fn points(&self, variables: &[Variable]) -> Vec<Point> {
        let mut points: Vec<Point> = vec![(BTreeMap::new(), BTreeMap::new())];
        for &variable in variables {
            let at = self.variables.iter().position(|&own| own == variable).expect("it is declared");
            let places = self.layout.get(variable).expect("it has bits").places();
            let mut next = Vec::new();
            for codes in all_codes(&self.forms[at]) {
                let value = self.forms[at].value(&codes).expect("codes of a value");
                for (assigned, set) in &points {
                    let (mut assigned, mut set) = (assigned.clone(), set.clone());
                    assigned.insert(variable, value.clone());
                    for (place, code) in places.iter().zip(&codes) {
                        set.extend(
                            place.bits.iter().enumerate().map(|(at, &bit)| (bit, code >> at & 1 == 1)),
                        );
                    }
                    next.push((assigned, set));
                }
            }
            points = next;
        }
        points
    }

    /// Compares a term with its evaluation at every value of its variables.
    pub(crate) fn compare(&self, encoder: &mut Encoder<&Terms>, term: Term) {
        let shown = || self.terms.print(term).to_string();
        let made = encoder.denotation(term).unwrap_or_else(|error| panic!("{}: {error:?}", shown()));
        let variables: Vec<Variable> = self.terms.variables_of(term).into_iter().collect();
        for (assigned, set) in self.points(&variables) {
            let wanted = evaluate(&self.terms, term, &|variable| assigned.get(&variable).cloned());
            let at = |bit: &Bdd| bit.eval(|var| set.get(&var).copied().unwrap_or_default());
            let wanted = wanted.expect("every variable has a value");
            assert_eq!(found(&self.manager, &made, &at, &wanted), wanted, "{} at {assigned:?}", shown());
        }
    }
}

fn colours() -> Arc<Enumeration> {
    let values = ["red", "green", "blue"].map(str::to_owned).to_vec();
    Arc::new(Enumeration { name: "colour".to_owned(), values })
}

/// The codes of all values of a form.
fn all_codes(form: &Form) -> Vec<Vec<u64>> {
    form.places().into_iter().fold(vec![Vec::new()], |before, values| {
        let with = |code: u64| before.iter().map(move |own| [own.clone(), vec![code]].concat());
        (0..=values.last_code()).flat_map(with).collect()
    })
}

/// The value at a point, read as one of the sort that is wanted.
fn found(manager: &Manager, made: &Denotation, at: &dyn Fn(&Bdd) -> bool, wanted: &Value) -> Value {
    let unsigned = |bits: &[Bdd]| (0..bits.len()).fold(0u128, |sum, k| sum | u128::from(at(&bits[k])) << k);
    match (made, wanted) {
        (Denotation::Truth(holds), _) => Value::Bool(at(holds)),
        (Denotation::Number(number), _) => {
            let digits = number.bits().iter().enumerate();
            let sum = digits.fold(BigInt::from(0), |sum, (k, bit)| {
                let digit = BigInt::from(u8::from(at(bit))) << k;
                if k + 1 == number.bits().len() { sum - digit } else { sum + digit }
            });
            Value::Int(sum)
        }
        (Denotation::Bits(bits), Value::Constant { of, .. }) => {
            Value::Constant { of: Arc::clone(of), index: unsigned(bits) as usize }
        }
        (Denotation::Bits(bits), _) => Value::Bits { width: bits.len() as u32, value: unsigned(bits) },
        (Denotation::Array(array), Value::Array { index, rest, entries }) => {
            // All indices that anything is said about, and more; far away there is the rest.
            let near = index.values(100).unwrap_or_else(|| (-20..=20).map(Value::int).collect());
            let listed = near.into_iter().chain(array.elements().keys().chain(entries.keys()).cloned());
            let element = |index: &Value, wanted: &Value| {
                found(manager, &array.at(manager, index).expect("there is no limit"), at, wanted)
            };
            let elements = listed.map(|at| (at.clone(), element(&at, entries.get(&at).unwrap_or(rest))));
            let elements: BTreeMap<Value, Value> = elements.collect();
            let rest = match **index {
                Sort::Int => element(&Value::int(1_000_000), rest),
                _ => (**rest).clone(),
            };
            Value::array(Arc::clone(index), rest, elements)
        }
        (Denotation::Array(_), _) => panic!("an array is no {wanted}"),
    }
}

/// Operations on two bit-vectors of one width that give a third.
const BINARY: [BitOperation; 13] = [
    BitOperation::Add,
    BitOperation::Subtract,
    BitOperation::Multiply,
    BitOperation::DivideUnsigned,
    BitOperation::RemainderUnsigned,
    BitOperation::DivideSigned,
    BitOperation::RemainderSigned,
    BitOperation::And,
    BitOperation::Or,
    BitOperation::Xor,
    BitOperation::ShiftLeft,
    BitOperation::ShiftRight,
    BitOperation::ShiftRightSigned,
];

/// Comparisons of bit-vectors.
const COMPARISONS: [BitOperation; 4] = [
    BitOperation::LessUnsigned,
    BitOperation::AtMostUnsigned,
    BitOperation::LessSigned,
    BitOperation::AtMostSigned,
];

/// A random term of a sort; `depth` bounds how deep it nests.
fn random_term(rng: &mut Rng, world: &World, sort: &Sort, depth: usize) -> Term {
    let terms = &world.terms;
    if depth == 0 || rng.chance(0.15) {
        let variables: Vec<Variable> =
            world.variables.iter().copied().filter(|&own| terms.sort_of(own) == *sort).collect();
        return if rng.chance(0.75) {
            terms.variable(*rng.pick(&variables))
        } else {
            terms.value(&random_value(rng, sort))
        };
    }
    let mut of = |sort: &Sort| random_term(rng, world, sort, depth - 1);
    if sort != &Sort::Bool {
        let (condition, then, otherwise) = (of(&Sort::Bool), of(sort), of(sort));
        if rng.chance(0.2) {
            return terms.ite(condition, then, otherwise);
        }
    }
    let mut of = |sort: &Sort| random_term(rng, world, sort, depth - 1);
    let bits = Sort::Bits(3);
    match sort {
        Sort::Bool => {
            let (a, b, c) = (of(&Sort::Bool), of(&Sort::Bool), of(&Sort::Bool));
            let (m, n) = (of(&Sort::Int), of(&Sort::Int));
            let (v, w) = (of(&bits), of(&bits));
            let colour = Sort::Enumeration(Arc::clone(&world.colour));
            let (d, e) = (of(&colour), of(&colour));
            match rng.below(10) {
                0 => terms.not(a),
                1 => terms.and([a, b, c]),
                2 => terms.or([a, b, c]),
                3 => terms.equal(a, b),
                4 => terms.at_most(m, n),
                5 => terms.equal(m, n),
                6 => terms.equal(v, w),
                7 => terms.equal(d, e),
                8 => terms.bitwise(*rng.pick(&COMPARISONS), &[v, w]),
                _ => terms.ite(a, b, c),
            }
        }
        Sort::Int => {
            let (m, n) = (of(&Sort::Int), of(&Sort::Int));
            let k = rng.below(9) as i64 - 4;
            match rng.below(6) {
                0 => terms.sum([m, n, terms.integer(k)]),
                1 => terms.difference(m, n),
                2 => terms.scaled(k, m),
                3 => terms.product(m, n),
                4 => terms.divide(m, if k == 0 { 7 } else { k }),
                _ => terms.modulo(m, if k == 0 { 7 } else { k }),
            }
        }
        Sort::Bits(_) => {
            let (v, w) = (of(&bits), of(&bits));
            match rng.below(6) {
                0 => terms.bitwise(BitOperation::Not, &[v]),
                1 => {
                    let wide = terms.bitwise(BitOperation::Concatenate, &[v, w]);
                    let low = rng.below(4) as u32;
                    terms.bitwise(BitOperation::Extract(low + 2, low), &[wide])
                }
                2 => {
                    let extend = [BitOperation::ExtendZeros(2), BitOperation::ExtendSign(2)];
                    let wide = terms.bitwise(*rng.pick(&extend), &[v]);
                    terms.bitwise(BitOperation::Extract(4, 2), &[wide])
                }
                _ => terms.bitwise(*rng.pick(&BINARY), &[v, w]),
            }
        }
        _ => of(sort),
    }
}

fn random_value(rng: &mut Rng, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(rng.chance(0.5)),
        Sort::Int => Value::int(rng.below(15) as i64 - 7),
        Sort::Bits(width) => Value::Bits { width: *width, value: rng.below(1 << width) as u128 },
        Sort::Enumeration(of) => Value::Constant { of: Arc::clone(of), index: rng.below(of.values.len()) },
        Sort::Array(..) => unreachable!("there are no arrays here"),
    }
}

#[test]
fn random_terms_are_what_they_evaluate_to() {
    let mut kinds = BTreeMap::new();
    let run = random_cases(300, |rng| {
        let world = World::new();
        let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
        let colour = Sort::Enumeration(Arc::clone(&world.colour));
        let sort = rng.pick(&[Sort::Bool, Sort::Int, Sort::Bits(3), colour]).clone();
        let term = random_term(rng, &world, &sort, 3);
        if world.points(&world.terms.variables_of(term).into_iter().collect::<Vec<_>>()).len() > 5_000 {
            return;
        }
        world.compare(&mut encoder, term);
        let name = format!("{:?}", world.terms.kind(term));
        *kinds.entry(name.split('(').next().unwrap_or_default().to_owned()).or_insert(0) += 1;
    });
    let wanted = ["If", "Sum", "Product", "Divide", "Modulo", "Bitwise", "And", "Or", "AtMost", "Exactly"];
    run.enough(wanted.iter().all(|kind| kinds.contains_key(*kind)), &kinds);
}

#[test]
fn every_operation_on_bit_vectors_is_right_at_all_values() {
    let world = World::new();
    let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
    let (v, w) = (world.named("v"), world.named("w"));
    for operation in BINARY.iter().chain(&COMPARISONS).chain([&BitOperation::Concatenate]) {
        world.compare(&mut encoder, world.terms.bitwise(*operation, &[v, w]));
    }
    for high in 0..3 {
        for low in 0..=high {
            world.compare(&mut encoder, world.terms.bitwise(BitOperation::Extract(high, low), &[v]));
        }
    }
    for operation in [
        BitOperation::Not,
        BitOperation::ExtendZeros(2),
        BitOperation::ExtendSign(2),
        BitOperation::ExtendSign(60),
    ] {
        world.compare(&mut encoder, world.terms.bitwise(operation, &[v]));
    }
}

#[test]
fn quotients_and_remainders_are_right_for_every_small_divisor() {
    let world = World::new();
    let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
    let terms = &world.terms;
    let number = terms.sum([terms.scaled(7, world.named("x")), world.named("n")]);
    for divisor in (-11..=11).filter(|&divisor| divisor != 0) {
        world.compare(&mut encoder, terms.divide(number, divisor));
        world.compare(&mut encoder, terms.modulo(number, divisor));
    }
}

#[test]
fn constants_beyond_64_bits_are_exact() {
    let world = World::new();
    let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
    let terms = &world.terms;
    let huge = terms.integer(BigInt::from(3) << 200);
    let x = world.named("x");
    let product = terms.product(huge, x);
    world.compare(&mut encoder, terms.sum([product, world.named("n")]));
    world.compare(&mut encoder, terms.at_most(terms.product(x, product), huge));
    world.compare(&mut encoder, terms.divide(product, BigInt::from(5) << 90));
}

#[test]
fn quantifiers_are_about_all_values_of_their_sorts() {
    let world = World::new();
    let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
    let terms = &world.terms;
    let inside = terms.declare("inside", &Sort::Enumeration(Arc::clone(&world.colour)));
    let c = terms.equal(terms.variable(inside), world.named("c"));
    let d = terms.equal(terms.variable(inside), world.named("d"));
    // Some colour is neither.
    let neither = terms.exists([inside], terms.and([terms.not(c), terms.not(d)]));
    // Every bit-vector that is below v is below w.
    let below = terms.declare("below", &Sort::Bits(3));
    let less = |name| terms.bitwise(BitOperation::LessUnsigned, &[terms.variable(below), world.named(name)]);
    let between = terms.for_all([below], terms.implies(less("v"), less("w")));
    for term in [neither, between, terms.and([neither, between])] {
        world.compare(&mut encoder, term);
    }
    // A variable with bits of its own may be quantified too.
    let q = terms.variables_of(world.named("q"));
    let body = terms.equal(world.named("q"), world.named("p"));
    world.compare(&mut encoder, terms.or([terms.exists(q, body), world.named("q")]));
}

#[test]
fn a_deep_chain_is_encoded_without_deep_recursion() {
    let world = World::new();
    let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
    let terms = &world.terms;
    let (p, c) = (world.named("p"), world.named("c"));
    let colour = |index| terms.value(&Value::Constant { of: Arc::clone(&world.colour), index });
    let mut chain = c;
    for step in 0..30_000 {
        let condition = if step % 2 == 0 { p } else { terms.not(terms.equal(chain, colour(0))) };
        chain = terms.ite(condition, colour(step % 3), chain);
    }
    assert!(encoder.denotation(chain).is_ok());
}

#[test]
fn what_has_no_diagram_is_named() {
    let world = World::new();
    let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
    let terms = &world.terms;
    let array = terms.variable(terms.declare("a", &Sort::array(Sort::Int, Sort::Int)));
    let element = terms.select(array, world.named("x"));
    let unbounded = Err(EncodeError::Unbounded(terms.declare("a", &Sort::array(Sort::Int, Sort::Int))));
    assert_eq!(encoder.truth(terms.at_most(element, terms.integer(0))), unbounded);
    let wide = terms.everywhere(Arc::new(Sort::Bits(64)), world.named("p"));
    let code = terms.bitwise(BitOperation::Concatenate, &[terms.bits(61, 0), world.named("v")]);
    let stored = terms.store(wide, code, world.named("q"));
    let read = terms.select(stored, terms.bits(64, 3));
    assert_eq!(encoder.truth(read), Err(EncodeError::Arrays));
    let number = terms.declare("z", &Sort::Int);
    let unbounded = terms.at_most(terms.variable(number), world.named("x"));
    assert_eq!(encoder.truth(unbounded), Err(EncodeError::Unbounded(number)));
    assert_eq!(encoder.truth(terms.exists([number], unbounded)), Err(EncodeError::Unbounded(number)));
}

#[test]
fn codes_of_terms_are_those_of_their_values() {
    let world = World::new();
    let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
    let terms = &world.terms;
    let sum = terms.sum([world.named("x"), world.named("y")]);
    for values in
        [Values::Range((-2).into(), 3.into()), Values::Numbers([-3, -1, 0, 4, 6].map(BigInt::from).to_vec())]
    {
        let code = encoder.code(sum, &values).expect("there is no limit");
        let outside = encoder.outside(sum, &Form::One(values.clone())).expect("there is no limit");
        let variables: Vec<Variable> = terms.variables_of(sum).into_iter().collect();
        for (assigned, set) in world.points(&variables) {
            let at = |bit: &Bdd| bit.eval(|var| set.get(&var).copied().unwrap_or_default());
            let value = evaluate(terms, sum, &|variable| assigned.get(&variable).cloned()).expect("a value");
            let wanted = values.code(&value);
            assert_eq!(at(&outside), wanted.is_none());
            if let Some(wanted) = wanted {
                let found = (0..code.len()).fold(0, |sum, k| sum | u64::from(at(&code[k])) << k);
                assert_eq!(found, wanted, "{value}");
            }
        }
    }
}

#[test]
fn a_sum_that_is_kept_can_be_compared_when_its_parts_are_forgotten() {
    let world = World::new();
    let mut encoder = Encoder::new(&world.terms, &world.manager, world.layout.clone());
    let terms = &world.terms;
    let sum = terms.sum([world.named("x"), world.named("y")]);
    terms.share(sum);
    encoder.denotation(sum).expect("there is no limit");
    encoder.forget_passing();
    world.compare(&mut encoder, terms.at_most(sum, terms.integer(2)));
    encoder.forget_passing();
    world.compare(&mut encoder, terms.equal(sum, terms.integer(1)));
}

#[test]
fn rows_of_definitions_are_what_they_say_however_they_are_shared() {
    random_cases(40, |rng| {
        let world = World::new();
        let terms = &world.terms;
        let named = ["x", "y", "n"].map(|name| world.named(name));
        let remainder = |k: u32| named.map(|number| terms.modulo(number, k));
        let mut numbers: Vec<Term> = named.into_iter().chain((2..9).flat_map(remainder)).collect();
        let mut truths = vec![world.named("p"), world.named("q"), terms.at_most(named[0], named[1])];
        for _ in 0..60 {
            let (row, other) = (truths[truths.len() - 1], *rng.pick(&truths));
            let other = if rng.chance(0.3) { terms.not(other) } else { other };
            let (sum, number) = (numbers[numbers.len() - 1], *rng.pick(&numbers));
            let made = match rng.below(6) {
                0 => terms.and([row, other]),
                1 => terms.or([row, other]),
                2 => terms.at_most(sum, number),
                3 => terms.equal(terms.difference(sum, number), *rng.pick(&numbers)),
                4 => terms.difference(sum, number),
                _ => terms.sum([sum, number]),
            };
            if rng.chance(0.8) {
                terms.share(made);
            }
            if terms.sort(made) == Sort::Int { numbers.push(made) } else { truths.push(made) }
        }
        let mut encoder = Encoder::new(terms, &world.manager, world.layout.clone());
        for _ in 0..6 {
            world.compare(&mut encoder, *rng.pick(&truths));
            world.compare(&mut encoder, *rng.pick(&numbers));
            if rng.chance(0.5) {
                encoder.forget_passing();
            }
        }
    });
}
