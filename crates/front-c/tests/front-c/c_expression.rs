//! Terms as C expressions: the compiler of the machine computes the same truth values as the evaluation of terms.

use std::process::Command;
use std::{env, fs, process};
use tertium_expr::{BitOperation, Sort, Term, Terms, Value, Variable, evaluate};
use tertium_front_c::c_expression::{CVariable, c_conjuncts, c_expression};
use tertium_support::Rng;
use tertium_testkit::{random_cases, random_number, random_truth, skipped};

/// The variables of the test: name, C type, bits, whether signed; and whether a term sees it as bits.
const VARIABLES: [(&str, &str, u32, bool, bool); 7] = [
    ("a", "int", 32, true, false),
    ("b", "unsigned int", 32, false, false),
    ("c", "signed char", 8, true, false),
    ("d", "long long", 64, true, false),
    ("e", "unsigned short", 16, false, false),
    ("p", "unsigned char", 8, false, true),
    ("q", "int", 32, true, true),
];

struct World {
    terms: Terms,
    variables: Vec<Variable>,
}

impl World {
    fn new() -> Self {
        let terms = Terms::new();
        let declare = |&(name, _, bits, _, is_bits): &(&str, &str, u32, bool, bool)| {
            terms.declare(name, &if is_bits { Sort::Bits(bits) } else { Sort::Int })
        };
        let variables = VARIABLES.iter().map(declare).collect();
        Self { terms, variables }
    }

    fn name_of(&self, variable: Variable) -> Option<CVariable> {
        let at = self.variables.iter().position(|&other| other == variable)?;
        let (name, _, bits, is_signed, _) = VARIABLES[at];
        Some(CVariable::integer(name, bits, is_signed))
    }

    fn text(&self, term: Term) -> Option<String> {
        c_expression(&self.terms, term, &|variable| self.name_of(variable))
    }

    /// A truth value over numbers, or over bit-vectors.
    fn random(&self, rng: &mut Rng) -> Term {
        let numbers = &self.variables[..5];
        if rng.chance(0.7) {
            let depth = rng.below(3);
            return random_truth(rng, &self.terms, numbers, depth);
        }
        if rng.chance(0.3) {
            let product = self.terms.product(
                random_number(rng, &self.terms, numbers, 1),
                random_number(rng, &self.terms, numbers, 1),
            );
            return self.terms.at_most(product, random_number(rng, &self.terms, numbers, 1));
        }
        let variable = *rng.pick(&self.variables[5..]);
        let (left, right) = (self.random_bits(rng, variable, 2), self.random_bits(rng, variable, 1));
        let comparisons = [
            BitOperation::LessSigned,
            BitOperation::AtMostSigned,
            BitOperation::LessUnsigned,
            BitOperation::AtMostUnsigned,
        ];
        match rng.below(5) {
            4 => self.terms.equal(left, right),
            at => self.terms.bitwise(comparisons[at], &[left, right]),
        }
    }

    fn random_bits(&self, rng: &mut Rng, variable: Variable, depth: usize) -> Term {
        use BitOperation as Op;
        let Sort::Bits(width) = self.terms.sort_of(variable) else { unreachable!("it is one") };
        let constant = |rng: &mut Rng, least: usize| {
            self.terms.bits(width, (least + rng.below(width as usize - least)) as u128)
        };
        if depth == 0 {
            return if rng.chance(0.3) { constant(rng, 0) } else { self.terms.variable(variable) };
        }
        let left = self.random_bits(rng, variable, depth - 1);
        let plain = [Op::Add, Op::Subtract, Op::Multiply, Op::And, Op::Or, Op::Xor];
        let by_constant = [Op::ShiftLeft, Op::ShiftRight, Op::DivideUnsigned, Op::RemainderUnsigned];
        match rng.below(11) {
            at @ 0..=5 => {
                let right = self.random_bits(rng, variable, depth - 1);
                self.terms.bitwise(plain[at], &[left, right])
            }
            at @ 6..=9 => self.terms.bitwise(by_constant[at - 6], &[left, constant(rng, 1)]),
            _ => self.terms.bitwise(Op::Not, &[left]),
        }
    }
}

/// A value of a type, near its ends or near zero, as it is in C.
fn random_value(rng: &mut Rng, bits: u32, is_signed: bool) -> i128 {
    let variable = CVariable::integer("", bits, is_signed);
    match rng.below(4) {
        0 => variable.low + rng.below(3) as i128,
        1 => variable.high - rng.below(3) as i128,
        _ => (rng.below(21) as i128 - 10).max(variable.low),
    }
}

#[test]
fn expressions_mean_what_terms_mean() {
    if !Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return skipped("there is no C compiler `cc`");
    }
    let world = World::new();
    let mut program = String::from("int printf(const char *, ...);\n");
    let mut main = String::new();
    let mut expected = String::new();
    let (mut said, mut n) = (0, 0);
    let run = random_cases(400, |rng| {
        let term = world.random(rng);
        n += 1;
        let Some(text) = world.text(term) else { return };
        let parameters: Vec<String> =
            VARIABLES.iter().map(|variable| format!("{} {}", variable.1, variable.0)).collect();
        program += &format!("int f{said}({}) {{ return {text}; }}\n", parameters.join(", "));
        for _ in 0..8 {
            let values: Vec<i128> =
                VARIABLES.iter().map(|variable| random_value(rng, variable.2, variable.3)).collect();
            let assignment = |variable: Variable| {
                let at = world.variables.iter().position(|&other| other == variable)?;
                let (_, _, bits, _, is_bits) = VARIABLES[at];
                let value = values[at];
                Some(match is_bits {
                    true => Value::Bits { width: bits, value: value as u128 & ((1u128 << bits) - 1) },
                    false => Value::Int(value.into()),
                })
            };
            let value = evaluate(&world.terms, term, &assignment).expect("all have values");
            expected += if value == Value::Bool(true) { "1" } else { "0" };
            let arguments: Vec<String> = values.iter().map(|value| format!("{value}LL")).collect();
            let arguments =
                arguments.join(", ").replace("-9223372036854775808LL", "(-9223372036854775807LL - 1)");
            main += &format!("  printf(\"%d\", !!f{said}({arguments}));\n");
        }
        expected += "\n";
        main += "  printf(\"\\n\");\n";
        said += 1;
    });
    run.enough(said * 10 >= n * 8, (said, n));
    let program = format!("{program}int main(void) {{\n{main}  return 0;\n}}\n");
    let found = output(&program);
    for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        let text = program.lines().find(|line| line.starts_with(&format!("int f{number}(")));
        assert_eq!(found, expected, "{}", text.unwrap_or_default());
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}

/// What a program prints, compiled such that it ends where something is undefined.
fn output(program: &str) -> String {
    let folder = env::temp_dir().join(format!("tertium-expressions-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    let (text, binary) = (folder.join("p.c"), folder.join("p"));
    fs::write(&text, program).expect("it can be written");
    let mut command = Command::new("cc");
    let sanitized = command.args(["-w", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o"]);
    let compiled = sanitized.arg(&binary).arg(&text).output().expect("the compiler runs");
    let mut errors = String::from_utf8_lossy(&compiled.stderr).into_owned();
    if !compiled.status.success() && errors.contains("ubsan") {
        skipped("the C compiler has no sanitizer; undefined behaviour would not be seen");
        let plain = Command::new("cc").args(["-w", "-o"]).arg(&binary).arg(&text).output();
        errors = String::from_utf8_lossy(&plain.expect("the compiler runs").stderr).into_owned();
    }
    assert!(binary.exists(), "{errors}");
    let output = Command::new(&binary).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    fs::remove_dir_all(&folder).ok();
    String::from_utf8(output.stdout).expect("digits")
}

#[test]
fn expressions_read_well() {
    let world = World::new();
    let t = &world.terms;
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|at: usize| t.variable(world.variables[at]));
    let text = |term: Term| world.text(term).expect("it can be said");
    let number = |value: i64| t.integer(value);
    assert_eq!(text(t.at_most(a, number(5))), "a <= 5");
    assert_eq!(text(t.less(c, e)), "c < e");
    let both = t.and([t.at_most(number(0), c), t.equal(e, number(3))]);
    assert_eq!(text(both), "(c >= 0) && (e == 3)");
    let sum = t.sum([t.scaled(2, c), t.scaled(3, e)]);
    assert_eq!(text(t.equal(sum, number(7))), "2 * c + 3 * e == 7");
    assert_eq!(text(t.equal(t.modulo(e, 2), number(1))), "(e % 2) == 1");
    assert_eq!(text(t.at_most(b, number(5))), "(long long)b <= 5");
    assert_eq!(text(t.less(a, b)), "(long long)a < (long long)b");
    assert_eq!(text(t.less(t.sum([a, d]), b)), "(__int128)a + (__int128)d < (__int128)b");
    assert_eq!(text(t.not(t.equal(a, d))), "(long long)a != (long long)d");
}

#[test]
fn what_is_not_in_scope_is_not_said() {
    let world = World::new();
    let ghost = world.terms.declare("a@entry", &Sort::Int);
    let (a, ghost) = (world.terms.variable(world.variables[0]), world.terms.variable(ghost));
    let about_ghost = world.terms.equal(a, ghost);
    assert_eq!(world.text(about_ghost), None);
    let positive = world.terms.at_most(world.terms.integer(1), a);
    let both = world.terms.and([about_ghost, positive]);
    assert_eq!(c_conjuncts(&world.terms, both, &|variable| world.name_of(variable)), ["a >= 1"]);
    // Nothing grows without bound, however often parts are shared.
    let mut term = positive;
    for round in 0..60 {
        let other = world.terms.equal(a, world.terms.integer(round));
        term = world.terms.equal(world.terms.or([term, other]), world.terms.and([term, other]));
    }
    assert!(world.text(term).is_none_or(|text| text.len() < 100_000));
}
