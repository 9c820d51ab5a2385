//! Terms in normal form mean what was built, print to what parses back, and substitute as they evaluate.

use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_expr::{
    BigInt, BitOperation, Enumeration, Scope, Sort, Substitution, Term, TermKind, Terms, Value, Variable,
    evaluate, parse,
};
use tertium_support::{Rng, Source};
use tertium_testkit::random_cases;

/// Variables of each sort, with their names.
struct World {
    terms: Terms,
    colour: Arc<Enumeration>,
    variables: Vec<Variable>,
}

impl World {
    fn new() -> Self {
        let terms = Terms::new();
        let colour = Arc::new(Enumeration {
            name: "colour".to_owned(),
            values: ["red", "green", "blue"].map(str::to_owned).to_vec(),
        });
        let sorts = [
            ("p", Sort::Bool),
            ("q", Sort::Bool),
            ("x", Sort::Int),
            ("y", Sort::Int),
            ("left.z", Sort::Int),
            ("c", Sort::Enumeration(Arc::clone(&colour))),
            ("d", Sort::Enumeration(Arc::clone(&colour))),
            ("v", Sort::Bits(4)),
            ("w", Sort::Bits(4)),
            ("a", Sort::array(Sort::Int, Sort::Int)),
        ];
        let variables = sorts.iter().map(|(name, sort)| terms.declare(name, sort)).collect();
        Self { terms, colour, variables }
    }

    fn of_sort(&self, sort: &Sort) -> Vec<Variable> {
        self.variables.iter().copied().filter(|&variable| self.terms.sort_of(variable) == *sort).collect()
    }

    fn parse(&self, text: &str) -> Term {
        let source = Source::new("test", text);
        parse(&self.terms, self, &source).unwrap_or_else(|mistakes| {
            panic!("{text}: {:?}", mistakes.iter().map(|m| &m.message).collect::<Vec<_>>())
        })
    }

    fn mistakes(&self, text: &str) -> Vec<String> {
        let mistakes = parse(&self.terms, self, &Source::new("test", text)).expect_err(text);
        mistakes.into_iter().map(|mistake| mistake.message).collect()
    }
}

impl Scope for World {
    fn term(&self, name: &str) -> Option<Term> {
        let constant = |index| self.terms.value(&Value::Constant { of: Arc::clone(&self.colour), index });
        let variable = self.variables.iter().find(|&&variable| self.terms.name(variable) == name);
        variable
            .map(|&variable| self.terms.variable(variable))
            .or_else(|| self.colour.values.iter().position(|value| value == name).map(constant))
    }
    fn sort(&self, name: &str) -> Option<Sort> {
        (name == self.colour.name).then(|| Sort::Enumeration(Arc::clone(&self.colour)))
    }
    fn names(&self) -> Vec<String> {
        self.variables.iter().map(|&variable| self.terms.name(variable)).collect()
    }
}

type Assignment = BTreeMap<Variable, Value>;

fn random_value(rng: &mut Rng, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(rng.chance(0.5)),
        Sort::Int => Value::int(rng.below(13) as i64 - 6),
        Sort::Bits(width) => Value::Bits { width: *width, value: rng.below(1 << width) as u128 },
        Sort::Enumeration(of) => Value::Constant { of: Arc::clone(of), index: rng.below(of.values.len()) },
        Sort::Array(index, element) => {
            let rest = random_value(rng, element);
            let entries = (0..rng.below(3)).map(|_| (random_value(rng, index), random_value(rng, element)));
            let entries = entries.filter(|(_, value)| *value != rest).collect();
            Value::Array { index: Arc::clone(index), rest: Box::new(rest), entries }
        }
    }
}

/// A term together with its value under each assignment, computed on the way by plain arithmetic.
#[derive(Clone)]
struct Twin {
    term: Term,
    values: Vec<Value>,
}

struct Maker<'a> {
    world: &'a World,
    assignments: &'a [Assignment],
}

impl Maker<'_> {
    fn map(&self, term: Term, operands: &[&Twin], value: impl Fn(&[&Value]) -> Value) -> Twin {
        let values = (0..self.assignments.len())
            .map(|n| value(&operands.iter().map(|operand| &operand.values[n]).collect::<Vec<_>>()))
            .collect();
        Twin { term, values }
    }

    fn leaf(&self, rng: &mut Rng, sort: &Sort) -> Twin {
        let variables = self.world.of_sort(sort);
        if variables.is_empty() || rng.chance(0.3) {
            let value = random_value(rng, sort);
            let values = vec![value.clone(); self.assignments.len()];
            return Twin { term: self.world.terms.value(&value), values };
        }
        let variable = *rng.pick(&variables);
        let values = self.assignments.iter().map(|assignment| assignment[&variable].clone()).collect();
        Twin { term: self.world.terms.variable(variable), values }
    }

    fn make(&self, rng: &mut Rng, sort: &Sort, depth: usize) -> Twin {
        if depth == 0 || rng.chance(0.1) {
            return self.leaf(rng, sort);
        }
        if *sort != Sort::Bool && rng.chance(0.15) {
            let condition = self.make(rng, &Sort::Bool, depth - 1);
            let (then, otherwise) = (self.make(rng, sort, depth - 1), self.make(rng, sort, depth - 1));
            let term = self.world.terms.ite(condition.term, then.term, otherwise.term);
            return self.map(term, &[&condition, &then, &otherwise], |v| {
                if v[0].as_bool() == Some(true) { v[1].clone() } else { v[2].clone() }
            });
        }
        match sort {
            Sort::Bool => self.truth(rng, depth - 1),
            Sort::Int => self.number(rng, depth - 1),
            Sort::Bits(_) => self.bits(rng, depth - 1),
            Sort::Array(index, element) => {
                let array = self.make(rng, sort, depth - 1);
                let (at, new) = (self.make(rng, index, depth - 1), self.make(rng, element, depth - 1));
                let term = self.world.terms.store(array.term, at.term, new.term);
                self.map(term, &[&array, &at, &new], |v| {
                    let Value::Array { index, rest, entries } = v[0] else { unreachable!() };
                    let mut entries = entries.clone();
                    entries.insert(v[1].clone(), v[2].clone());
                    entries.retain(|_, value| value != &**rest);
                    Value::Array { index: Arc::clone(index), rest: rest.clone(), entries }
                })
            }
            Sort::Enumeration(_) => self.leaf(rng, sort),
        }
    }

    fn truth(&self, rng: &mut Rng, depth: usize) -> Twin {
        let terms = &self.world.terms;
        let int = |value: &Value| value.as_int().expect("an integer").clone();
        match rng.below(8) {
            0 => {
                let inner = self.make(rng, &Sort::Bool, depth);
                self.map(terms.not(inner.term), &[&inner], |v| Value::Bool(v[0] == &Value::Bool(false)))
            }
            1 | 2 => {
                let parts: Vec<Twin> =
                    (0..rng.between(0, 3)).map(|_| self.make(rng, &Sort::Bool, depth)).collect();
                let operands: Vec<&Twin> = parts.iter().collect();
                let and = rng.chance(0.5);
                let all = parts.iter().map(|part| part.term);
                let term = if and { terms.and(all) } else { terms.or(all) };
                self.map(term, &operands, |v| {
                    let mut truths = v.iter().map(|value| value.as_bool() == Some(true));
                    Value::Bool(if and { truths.all(|t| t) } else { truths.any(|t| t) })
                })
            }
            3 => {
                let sorts =
                    [Sort::Bool, Sort::Int, Sort::Bits(4), Sort::Enumeration(Arc::clone(&self.world.colour))];
                let sort = rng.pick(&sorts);
                let (left, right) = (self.make(rng, sort, depth), self.make(rng, sort, depth));
                self.map(terms.equal(left.term, right.term), &[&left, &right], |v| Value::Bool(v[0] == v[1]))
            }
            4 => {
                let operations = [
                    BitOperation::LessUnsigned,
                    BitOperation::AtMostUnsigned,
                    BitOperation::LessSigned,
                    BitOperation::AtMostSigned,
                ];
                let operation = *rng.pick(&operations);
                let (left, right) =
                    (self.make(rng, &Sort::Bits(4), depth), self.make(rng, &Sort::Bits(4), depth));
                self.map(terms.bitwise(operation, &[left.term, right.term]), &[&left, &right], |v| {
                    let (a, b) = (nibble(v[0]), nibble(v[1]));
                    let signed = |n: i64| if n >= 8 { n - 16 } else { n };
                    Value::Bool(match operation {
                        BitOperation::LessUnsigned => a < b,
                        BitOperation::AtMostUnsigned => a <= b,
                        BitOperation::LessSigned => signed(a) < signed(b),
                        _ => signed(a) <= signed(b),
                    })
                })
            }
            _ => {
                let (left, right) = (self.make(rng, &Sort::Int, depth), self.make(rng, &Sort::Int, depth));
                let strict = rng.chance(0.5);
                let term = if strict {
                    terms.less(left.term, right.term)
                } else {
                    terms.at_most(left.term, right.term)
                };
                self.map(term, &[&left, &right], |v| {
                    let (a, b) = (int(v[0]), int(v[1]));
                    Value::Bool(if strict { a < b } else { a <= b })
                })
            }
        }
    }

    fn number(&self, rng: &mut Rng, depth: usize) -> Twin {
        let terms = &self.world.terms;
        let int = |value: &Value| value.as_int().expect("an integer").clone();
        match rng.below(7) {
            0 | 1 => {
                let (left, right) = (self.make(rng, &Sort::Int, depth), self.make(rng, &Sort::Int, depth));
                self.map(terms.sum([left.term, right.term]), &[&left, &right], |v| {
                    Value::Int(int(v[0]) + int(v[1]))
                })
            }
            2 => {
                let (left, right) = (self.make(rng, &Sort::Int, depth), self.make(rng, &Sort::Int, depth));
                let term = terms.difference(left.term, right.term);
                self.map(term, &[&left, &right], |v| Value::Int(int(v[0]) - int(v[1])))
            }
            3 => {
                let (left, right) = (self.make(rng, &Sort::Int, depth), self.make(rng, &Sort::Int, depth));
                let term = terms.product(left.term, right.term);
                self.map(term, &[&left, &right], |v| Value::Int(int(v[0]) * int(v[1])))
            }
            4 | 5 => {
                let inner = self.make(rng, &Sort::Int, depth);
                let divisor = *rng.pick(&[-4, -3, -2, -1, 1, 2, 3, 4, 6]);
                let divide = rng.chance(0.5);
                let term = if divide {
                    terms.divide(inner.term, divisor)
                } else {
                    terms.modulo(inner.term, divisor)
                };
                self.map(term, &[&inner], |v| {
                    // Counted down or up until the remainder lies where it should.
                    let number: i128 = int(v[0]).try_into().expect("numbers stay small");
                    let (quotient, remainder) = (number.div_euclid(divisor), number.rem_euclid(divisor));
                    Value::Int(BigInt::from(if divide { quotient } else { remainder }))
                })
            }
            _ => {
                let sort = Sort::array(Sort::Int, Sort::Int);
                let (array, index) = (self.make(rng, &sort, depth.min(2)), self.make(rng, &Sort::Int, depth));
                self.map(terms.select(array.term, index.term), &[&array, &index], |v| {
                    let Value::Array { rest, entries, .. } = v[0] else { unreachable!() };
                    entries.get(v[1]).unwrap_or(rest).clone()
                })
            }
        }
    }

    fn bits(&self, rng: &mut Rng, depth: usize) -> Twin {
        use BitOperation::*;
        let terms = &self.world.terms;
        let operation = *rng.pick(&[
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
        ]);
        let (left, right) = (self.make(rng, &Sort::Bits(4), depth), self.make(rng, &Sort::Bits(4), depth));
        let term = terms.bitwise(operation, &[left.term, right.term]);
        self.map(term, &[&left, &right], |v| {
            let (a, b) = (nibble(v[0]), nibble(v[1]));
            let signed = |n: i64| if n >= 8 { n - 16 } else { n };
            let (sa, sb) = (signed(a), signed(b));
            let result = match operation {
                Add => a + b,
                Subtract => a - b,
                Multiply => a * b,
                DivideUnsigned => {
                    if b == 0 {
                        15
                    } else {
                        a / b
                    }
                }
                RemainderUnsigned => {
                    if b == 0 {
                        a
                    } else {
                        a % b
                    }
                }
                DivideSigned => {
                    if sb == 0 {
                        if sa < 0 { 1 } else { -1 }
                    } else {
                        sa / sb
                    }
                }
                RemainderSigned => {
                    if sb == 0 {
                        sa
                    } else {
                        sa % sb
                    }
                }
                And => a & b,
                Or => a | b,
                Xor => a ^ b,
                ShiftLeft => {
                    if b > 3 {
                        0
                    } else {
                        a << b
                    }
                }
                ShiftRight => {
                    if b > 3 {
                        0
                    } else {
                        a >> b
                    }
                }
                _ => sa >> b.min(3),
            };
            Value::Bits { width: 4, value: u128::try_from(result.rem_euclid(16)).expect("not negative") }
        })
    }
}

fn nibble(value: &Value) -> i64 {
    let Value::Bits { value, .. } = value else { panic!("a bit-vector") };
    i64::try_from(*value).expect("four bits")
}

fn random_twin(rng: &mut Rng, world: &World, n_assignments: usize) -> (Twin, Vec<Assignment>) {
    let assignments: Vec<Assignment> = (0..n_assignments)
        .map(|_| {
            let value = |&variable: &Variable| (variable, random_value(rng, &world.terms.sort_of(variable)));
            world.variables.iter().map(value).collect()
        })
        .collect();
    let maker = Maker { world, assignments: &assignments };
    let sorts = [Sort::Bool, Sort::Bool, Sort::Int, Sort::Bits(4), Sort::array(Sort::Int, Sort::Int)];
    let sort = rng.pick(&sorts).clone();
    let twin = maker.make(rng, &sort, 4);
    (twin, assignments)
}

#[test]
fn the_normal_form_has_the_value_of_what_was_built() {
    random_cases(3000, |rng| {
        let world = World::new();
        let (twin, assignments) = random_twin(rng, &world, 6);
        for (assignment, expected) in assignments.iter().zip(&twin.values) {
            let value = evaluate(&world.terms, twin.term, &|variable| assignment.get(&variable).cloned());
            assert_eq!(value.as_ref(), Ok(expected), "{}", world.terms.print(twin.term));
        }
    });
}

#[test]
fn what_is_printed_parses_back_to_the_same_term() {
    random_cases(3000, |rng| {
        let world = World::new();
        let (twin, _) = random_twin(rng, &world, 1);
        let text = world.terms.print(twin.term).to_string();
        assert_eq!(world.parse(&text), twin.term, "{text}\n{}", world.terms.print(world.parse(&text)));
    });
}

#[test]
fn substituting_first_is_evaluating_the_replacements() {
    random_cases(2000, |rng| {
        let world = World::new();
        let (twin, assignments) = random_twin(rng, &world, 2);
        let maker = Maker { world: &world, assignments: &assignments };
        let replaced: Vec<Variable> = world.variables.iter().copied().filter(|_| rng.chance(0.4)).collect();
        let images: Vec<Twin> =
            replaced.iter().map(|&variable| maker.make(rng, &world.terms.sort_of(variable), 2)).collect();
        let pairs = replaced.iter().copied().zip(images.iter().map(|image| image.term));
        let result = Substitution::new(pairs).apply(&world.terms, twin.term);
        for (n, assignment) in assignments.iter().enumerate() {
            let mut after = assignment.clone();
            after.extend(replaced.iter().copied().zip(images.iter().map(|image| image.values[n].clone())));
            let expected = evaluate(&world.terms, twin.term, &|variable| after.get(&variable).cloned());
            let value = evaluate(&world.terms, result, &|variable| assignment.get(&variable).cloned());
            assert_eq!(value, expected, "{}", world.terms.print(twin.term));
        }
    });
}

#[test]
fn comparisons_that_mean_the_same_over_the_integers_are_one_term() {
    let world = World::new();
    for same in [
        &["x < 5", "!(x >= 5)", "2*x <= 9", "x + x < 10", "4 >= x", "x - 4 <= 0", "-x > -5"][..],
        &["x < y", "x + 1 <= y", "!(y <= x)", "y - x > 0", "3*x < 3*y", "x - y <= -1"],
        &["x = y", "y = x", "2*x - 2*y = 0", "!(x != y)", "x <= y <-> true && x = y || x < y"][..4],
        &[
            "odd(x)",
            "x mod 2 = 1",
            "!even(x)",
            "(x + 2) mod 2 = 1",
            "(-x) mod 2 = 1",
            "x mod 2 > 0",
            "(3*x) % 2 != 0",
        ],
        &["false", "2*x = 2*y + 1", "x mod 3 = 5", "x < x", "c = red && c != red", "x*y < y*x"],
        &["p -> q", "!p || q", "q || !p", "p ? q : true"],
        &["c = red", "red = c", "!(c != red)", "c in {red}"],
        &["x in 2..4", "2 <= x && x <= 4", "x > 1 && x < 5"],
        &["(x + 1) * (x + 1)", "x*x + 2*x + 1"],
        &["a[1]", "store(a, 2, x)[1]", "store(store(a, 2, 5), 3, 6)[1]"],
        &["forall k: int. k < x", "forall k: int, m: bool. k + 1 <= x"],
    ] {
        let terms: Vec<Term> = same.iter().map(|text| world.parse(text)).collect();
        for (text, term) in same.iter().zip(&terms) {
            assert_eq!(*term, terms[0], "{text} and {}", same[0]);
        }
    }
}

#[test]
fn text_is_as_a_person_would_write_it() {
    let world = World::new();
    for (text, printed) in [
        ("!(x <= y)", "x > y"),
        ("x - y < 0", "x < y"),
        ("x - y <= -3", "x + 3 <= y"),
        ("x >= y + 2", "x > y + 1"),
        ("!(x = 3) && (p | q)", "(p || q) && x != 3"),
        ("x = -3", "x = -3"),
        ("2*x - 3*y + 1 + left.z", "2*x - 3*y + left.z + 1"),
        ("c = green -> odd(x)", "x mod 2 = 1 || c != green"),
        ("exists k: int. k*k = x", "exists k: int. x = k*k"),
        ("a[x + 1] = 8 && v = 4'd9", "a[x + 1] = 8 && v = 4'd9"),
        ("(p ? x : y) / 2", "(p ? x : y) / 2"),
    ] {
        let term = world.parse(text);
        let found = world.terms.print(term).to_string();
        let parts = |text: &str| {
            let mut parts: Vec<String> =
                text.split(" && ").flat_map(|part| part.split(" || ")).map(str::to_owned).collect();
            parts.sort();
            parts
        };
        assert_eq!(parts(&found), parts(printed), "{text} gives {found}");
        assert_eq!(world.parse(&found), term);
    }
}

#[test]
fn mistakes_are_named_and_several_at_once() {
    let world = World::new();
    for (text, expected) in [
        ("x +", &["expected an expression, found the end of the text"][..]),
        ("x < y < 3", &["comparisons do not chain"]),
        ("xx + p", &["there is no variable or constant `xx`", "this is of sort bool, but int is expected"]),
        ("x / y", &["the divisor has to be a constant"]),
        ("x mod 0", &["nothing can be divided by zero"]),
        ("c = 3", &["a term of sort colour is compared with one of sort int"]),
        ("bvadd(v, 3'd1)", &["`bvadd` does not take operands of sort bits(4) and bits(3)"]),
        ("3'd8", &["this number does not fit in 3 bits"]),
        ("f(x)", &["there is no function `f` of this many operands"]),
        ("x[3]", &["only arrays have elements; this is of sort int"]),
        ("(x < 3", &["expected an operator or `)`, found the end of the text"]),
        ("x = 3 y", &["expected an operator or the end, found `y`"]),
        ("forall k: nat. k > 0", &["there is no sort `nat`", "there is no variable or constant `k`"]),
    ] {
        assert_eq!(world.mistakes(text), expected, "{text}");
    }
    let deep = format!("{}x{}", "(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(world.mistakes(&deep), ["the expression is nested too deeply"]);
}

#[test]
fn arbitrary_text_gives_a_term_or_a_mistake() {
    let pieces = [
        "x", "y", "p", "c", "red", "3", "4'd5", "(", ")", "[", "]", "{", "}", "..", "in", "forall",
        "k: int.", "+", "-", "*", "/", "mod", "=", "<", ">=", "!", "&&", "||", "->", "<->", "?", ":", ",",
        "store", "odd(", "v", "é", "'", "0",
    ];
    random_cases(5000, |rng| {
        let world = World::new();
        let text: Vec<&str> = (0..rng.between(1, 12)).map(|_| *rng.pick(&pieces)).collect();
        let text = text.join(" ");
        if let Err(mistakes) = parse(&world.terms, &world, &Source::new("test", text.clone())) {
            assert!(!mistakes.is_empty(), "{text}");
            assert!(mistakes.iter().all(|mistake| mistake.span.end <= text.len()), "{text}");
        }
    });
}

#[test]
fn long_chains_are_read_and_what_is_longer_is_refused_without_harm() {
    let world = World::new();
    for operator in [" && ", " || "] {
        let chain = |n: usize| vec!["(p && !q)"; n].join(operator);
        world.parse(&chain(1500));
        assert_eq!(world.mistakes(&chain(100_000)), ["the expression is too long"]);
    }
    let sum = |n: usize| format!("{} = 0", vec!["x"; n].join(" + "));
    assert_eq!(world.parse(&sum(1500)), world.parse("1500*x = 0"));
    assert_eq!(world.parse("x - y - x - 1 - y < 0"), world.parse("-2*y < 1"));
    assert_eq!(world.mistakes(&vec!["p"; 100_000].join(" <-> ")), ["the expression is too long"]);
    assert_eq!(
        world.mistakes(&format!("{} = 0", vec!["x"; 100_000].join(" * "))),
        ["the expression is too long"]
    );
    // Chains inside chains: each level is short, but the tree is high.
    let mut text = "p".to_owned();
    for _ in 0..150 {
        text = format!("({text}{})", " && p || q".repeat(100));
    }
    assert_eq!(world.mistakes(&text), ["the expression is too long"]);
    let mut text = "x".to_owned();
    for _ in 0..100 {
        text = format!("({text}{})", " * x".repeat(100));
    }
    assert_eq!(world.mistakes(&format!("{text} = 0")), ["the expression is too long"]);
}

#[test]
fn a_guard_ends_at_its_arrow_and_a_bound_before_a_comparison() {
    let end_of =
        |read: Result<(tertium_expr::Expression, usize), _>| read.map(|(_, end)| end).map_err(|_: Box<_>| ());
    let text = "p => (q -> p) -> x := 1";
    assert_eq!(end_of(tertium_expr::read_guard(text, 0)), Ok("p => (q -> p)".len()));
    assert_eq!(end_of(tertium_expr::read("p -> q := 1", 0)), Ok("p -> q".len()));
    assert_eq!(end_of(tertium_expr::read_operand("n + 1 = 3", 0)), Ok("n + 1".len()));
    assert_eq!(tertium_expr::read_comparison("x + 1 > 3 && p", 0), Some("x + 1 > 3".len()));
    assert_eq!(tertium_expr::read_comparison("odd(x) && p", 0), Some("odd(x)".len()));
    assert_eq!(tertium_expr::read_comparison("a[x][1] && p", 0), Some("a[x][1]".len()));
    assert_eq!(tertium_expr::read_comparison("p && x > 3", 0), None);
}

#[test]
fn arrays_are_equal_iff_they_are_equal_everywhere() {
    let (mut n_equal, mut n_different) = (0, 0);
    let run = random_cases(1000, |rng| {
        let colours = ["r", "g", "b"][..rng.between(1, 3)].iter().map(|&name| name.into()).collect();
        let of = Arc::new(Enumeration { name: "c".into(), values: colours });
        let sort = match rng.below(3) {
            0 => Sort::Bool,
            1 => Sort::Bits(rng.between(1, 3) as u32),
            _ => Sort::Enumeration(Arc::clone(&of)),
        };
        let index = |n: usize| match &sort {
            Sort::Bool => Value::Bool(n == 1),
            Sort::Bits(width) => Value::Bits { width: *width, value: n as u128 },
            _ => Value::Constant { of: Arc::clone(&of), index: n },
        };
        let size = sort.count().expect("a finite sort") as usize;
        let terms = Terms::new();
        let mut random_array = || {
            let rest = rng.below(2);
            let mut elements = vec![rest; size];
            let mut array = terms.everywhere(Arc::new(sort.clone()), terms.integer(rest));
            for _ in 0..rng.below(2 * size) {
                let (at, own) = (rng.below(size), rng.below(2));
                elements[at] = own;
                array = terms.store(array, terms.value(&index(at)), terms.integer(own));
            }
            (elements, evaluate(&terms, array, &|_| None).expect("no variables"))
        };
        let ((left, first), (right, second)) = (random_array(), random_array());
        assert_eq!(left == right, first == second, "{first} and {second}");
        assert_eq!(evaluate(&terms, terms.value(&first), &|_| None), Ok(first));
        *(if left == right { &mut n_equal } else { &mut n_different }) += 1;
    });
    run.enough(n_equal > 50 && n_different > 50, format_args!("{n_equal} and {n_different}"));
}

/// A store, with the terms that were made in it.
struct Row {
    terms: Terms,
    numbers: Vec<Term>,
    truths: Vec<Term>,
}

impl Row {
    fn new() -> Self {
        let terms = Terms::new();
        let number = |k: usize| terms.variable(terms.declare(&format!("x{k}"), &Sort::Int));
        let numbers: Vec<Term> = (0..30).map(number).collect();
        let truths = vec![terms.at_most(numbers[0], numbers[1])];
        Self { terms, numbers, truths }
    }

    /// The value of a number or truth value if every variable has the value of its place in the list.
    fn value(&self, term: Term, values: &[i64]) -> Value {
        let of = |variable| {
            let name = self.terms.name(variable);
            name[1..].parse().ok().map(|place: usize| Value::int(values[place]))
        };
        evaluate(&self.terms, term, &of).expect("every variable has a value")
    }
}

#[test]
fn sharing_changes_no_value() {
    random_cases(300, |rng| {
        let (mut shared, mut plain) = (Row::new(), Row::new());
        for _ in 0..80 {
            let (operation, is_shared) = (rng.below(9), rng.chance(0.8));
            let (any, other) = (rng.below(shared.numbers.len()), rng.below(shared.numbers.len()));
            let some = rng.below(shared.truths.len());
            for (row, is_shared) in [(&mut shared, is_shared), (&mut plain, false)] {
                let Row { terms, numbers, truths } = row;
                let (sum, last) = (numbers[numbers.len() - 1], truths[truths.len() - 1]);
                let made = match operation {
                    0 => terms.at_most(sum, numbers[any]),
                    1 => terms.equal(terms.difference(sum, numbers[any]), numbers[other]),
                    2 => terms.and([last, terms.not(truths[some])]),
                    3 => terms.or([last, truths[some]]),
                    4 => terms.difference(sum, numbers[any]),
                    5 => terms.divide(terms.sum([sum, numbers[any]]), 3),
                    6 => terms.sum([sum, terms.scaled(2, numbers[any]), terms.integer(1)]),
                    _ => terms.sum([sum, numbers[any]]),
                };
                if is_shared {
                    terms.share(made);
                }
                if terms.sort(made) == Sort::Int { numbers.push(made) } else { truths.push(made) }
            }
        }
        let values: Vec<i64> = (0..30).map(|_| rng.below(7) as i64 - 3).collect();
        for (&one, &other) in shared.numbers.iter().zip(&plain.numbers) {
            assert_eq!(shared.value(one, &values), plain.value(other, &values));
        }
        for (&one, &other) in shared.truths.iter().zip(&plain.truths) {
            assert_eq!(shared.value(one, &values), plain.value(other, &values));
        }
    });
}

#[test]
fn a_long_row_of_sums_has_linear_size() {
    let terms = Terms::new();
    let mut sum = terms.integer(0);
    for k in 0..2000 {
        sum = terms.sum([sum, terms.variable(terms.declare(&format!("x{k}"), &Sort::Int))]);
        terms.share(sum);
        let size = match terms.kind(sum) {
            TermKind::Sum(_, parts) => parts.len(),
            _ => 1,
        };
        assert!(size < 20, "{size} parts");
    }
    assert_eq!(terms.variables_of(sum).len(), 2000);
    assert_eq!(terms.difference(sum, sum), terms.integer(0));
    assert_eq!(terms.equal(sum, sum), terms.boolean(true));
}
