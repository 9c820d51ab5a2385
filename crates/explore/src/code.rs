//! Terms as code over 64-bit numbers.
//!
//! Straight-line code with forward jumps around one accumulator and a stack. What it computes is the value of the term
//! or nothing: arithmetic is checked, and where a number does not fit, or a term is of a kind that is not compiled,
//! whoever asked has to ask the interpreter instead.
//!
//! Cost: one operation for each part of the term that matters. Shared parts are computed each time they occur, so code
//! that would become long for that reason is given up.
//!
//! Bit-vectors of up to 64 bits are their bits. Wider ones and arrays are places in a side table, which can be copied and
//! compared; everything else about them is given up.

use crate::bits::apply;
use rustc_hash::FxHashMap;
use tertium_expr::{BigInt, BitOperation, Sort, Term, TermKind, Terms, Variable};

/// Longer code is given up.
const LONGEST: usize = 4096;

/// Operations. Variables are numbers of a state; truth values are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    /// The accumulator becomes a constant.
    Constant(i64),
    /// The accumulator becomes a variable.
    Load(u32),
    /// A multiple of a variable is added.
    AddScaled(i64, u32),
    /// The accumulator goes on the stack.
    Push,
    /// What is on the stack, with a multiple of the accumulator.
    Combine(i64),
    /// What is on the stack times the accumulator.
    Multiply,
    /// Rounded towards minus infinity, by a positive number.
    Divide(i64),
    /// The remainder of that.
    Modulo(i64),
    /// Whether the accumulator is at most this.
    AtMost(i64),
    /// Whether it is this.
    Exactly(i64),
    /// Whether a variable is at most this.
    VariableAtMost(u32, i64),
    /// Whether a variable is this.
    VariableExactly(u32, i64),
    /// Whether the accumulator is what is on the stack.
    Equal,
    /// An operation on bit-vectors: the accumulator, or what is on the stack and it. The number is its width.
    Bitwise(BitOperation, u32),
    /// The other truth value.
    Not,
    /// Goes on there if the accumulator has this truth value.
    JumpIf(bool, u32),
    /// Goes on there.
    Jump(u32),
    /// Gives up.
    Unable,
}

/// The code of a term.
#[derive(Clone, Debug)]
pub struct Code(Box<[Operation]>);

impl Code {
    /// The code of a term over these variables.
    pub fn new(terms: &Terms, variables: &FxHashMap<Variable, u32>, term: Term) -> Self {
        let mut compiler = Compiler { terms, variables, code: Vec::new() };
        compiler.add(term);
        compiler.finish()
    }

    /// The code of a conjunction, tested in this order.
    pub fn of_all(terms: &Terms, variables: &FxHashMap<Variable, u32>, parts: &[Term]) -> Self {
        let mut compiler = Compiler { terms, variables, code: Vec::new() };
        compiler.junction(parts, false);
        compiler.finish()
    }

    /// The value where variables have these values, or nothing; then there may be something left on the stack.
    #[inline]
    pub fn run(&self, values: &[i64], stack: &mut Vec<i64>) -> Option<i64> {
        let value = |variable: u32| values[variable as usize];
        let mut accumulator = 0i64;
        let mut at = 0;
        while let Some(&operation) = self.0.get(at) {
            at += 1;
            match operation {
                Operation::Constant(number) => accumulator = number,
                Operation::Load(variable) => accumulator = value(variable),
                Operation::AddScaled(factor, variable) => {
                    accumulator = accumulator.checked_add(factor.checked_mul(value(variable))?)?;
                }
                Operation::Push => stack.push(accumulator),
                Operation::Combine(factor) => {
                    accumulator = stack.pop()?.checked_add(factor.checked_mul(accumulator)?)?;
                }
                Operation::Multiply => accumulator = stack.pop()?.checked_mul(accumulator)?,
                Operation::Divide(divisor) => accumulator = accumulator.checked_div_euclid(divisor)?,
                Operation::Modulo(divisor) => accumulator = accumulator.checked_rem_euclid(divisor)?,
                Operation::AtMost(bound) => accumulator = i64::from(accumulator <= bound),
                Operation::Exactly(number) => accumulator = i64::from(accumulator == number),
                Operation::VariableAtMost(variable, bound) => {
                    accumulator = i64::from(value(variable) <= bound)
                }
                Operation::VariableExactly(variable, number) => {
                    accumulator = i64::from(value(variable) == number);
                }
                Operation::Equal => accumulator = i64::from(stack.pop()? == accumulator),
                Operation::Bitwise(operation, width) => {
                    let first = if operation.arity() == 2 { stack.pop()? } else { 0 };
                    accumulator = apply(operation, width, first as u64, accumulator as u64) as i64;
                }
                Operation::Not => accumulator ^= 1,
                Operation::JumpIf(truth, target) => {
                    if (accumulator != 0) == truth {
                        at = target as usize;
                    }
                }
                Operation::Jump(target) => at = target as usize,
                Operation::Unable => return None,
            }
        }
        Some(accumulator)
    }
}

struct Compiler<'a> {
    terms: &'a Terms,
    variables: &'a FxHashMap<Variable, u32>,
    code: Vec<Operation>,
}

impl Compiler<'_> {
    fn finish(self) -> Code {
        match self.code.len() > LONGEST {
            true => Code(Box::new([Operation::Unable])),
            false => Code(self.code.into()),
        }
    }

    fn push(&mut self, operation: Operation) {
        self.code.push(operation);
    }

    /// An operation with a number, if that fits.
    fn push_with(&mut self, operation: fn(i64) -> Operation, number: &BigInt) {
        self.push(i64::try_from(number).map_or(Operation::Unable, operation));
    }

    fn variable(&self, term: Term) -> Option<u32> {
        match self.terms.kind(term) {
            TermKind::Variable(variable) => self.variables.get(&variable).copied(),
            _ => None,
        }
    }

    /// Code that leaves the value of a term in the accumulator and the stack as it was.
    fn add(&mut self, term: Term) {
        if self.code.len() > LONGEST {
            return;
        }
        match self.terms.kind(term) {
            TermKind::Bool(value) => self.push(Operation::Constant(value.into())),
            TermKind::Int(value) => self.push_with(Operation::Constant, &value),
            TermKind::Constant(_, index) => self.push(Operation::Constant(index as i64)),
            TermKind::Variable(variable) => {
                let known = self.variables.get(&variable);
                self.push(known.map_or(Operation::Unable, |&own| Operation::Load(own)));
            }
            TermKind::Not(inner) => {
                self.add(inner);
                self.push(Operation::Not);
            }
            TermKind::And(parts) => self.junction(&parts, false),
            TermKind::Or(parts) => self.junction(&parts, true),
            TermKind::If(condition, then, otherwise) => {
                self.add(condition);
                let to_otherwise = self.jump();
                self.add(then);
                let to_end = self.jump();
                self.land(to_otherwise, |target| Operation::JumpIf(false, target));
                self.add(otherwise);
                self.land(to_end, Operation::Jump);
            }
            TermKind::Equal(left, right) => {
                self.add(left);
                self.push(Operation::Push);
                self.add(right);
                self.push(Operation::Equal);
            }
            TermKind::AtMost(form, bound) => {
                self.compare(form, &bound, Operation::AtMost, Operation::VariableAtMost);
            }
            TermKind::Exactly(form, number) => {
                self.compare(form, &number, Operation::Exactly, Operation::VariableExactly);
            }
            TermKind::Sum(constant, parts) => self.sum(&constant, &parts),
            TermKind::Product(factors) => {
                self.add(factors[0]);
                for &factor in &factors[1..] {
                    self.push(Operation::Push);
                    self.add(factor);
                    self.push(Operation::Multiply);
                }
            }
            TermKind::Divide(term, divisor) => {
                self.add(term);
                self.push_with(Operation::Divide, &divisor);
            }
            TermKind::Modulo(term, divisor) => {
                self.add(term);
                self.push_with(Operation::Modulo, &divisor);
            }
            TermKind::Bits(width, value) => {
                let fits = width <= u64::BITS;
                self.push(if fits { Operation::Constant(value as i64) } else { Operation::Unable });
            }
            TermKind::Bitwise(operation, operands) => self.bitwise(term, operation, &operands),
            TermKind::Select(..) | TermKind::Store(..) | TermKind::Everywhere(..) | TermKind::ForAll(..) => {
                self.push(Operation::Unable)
            }
        }
    }

    /// An operation on bit-vectors, if these are no wider than a word.
    fn bitwise(&mut self, term: Term, operation: BitOperation, operands: &[Term]) {
        let width = |term: Term| match self.terms.sort(term) {
            Sort::Bits(width) => width,
            _ => 1,
        };
        if operands.iter().chain([&term]).any(|&part| width(part) > u64::BITS) {
            return self.push(Operation::Unable);
        }
        let last = width(operands[operands.len() - 1]);
        for (n, &operand) in operands.iter().enumerate() {
            if n > 0 {
                self.push(Operation::Push);
            }
            self.add(operand);
        }
        self.push(Operation::Bitwise(operation, last));
    }

    /// The first part with the decisive truth value decides.
    fn junction(&mut self, parts: &[Term], decisive: bool) {
        let mut jumps = Vec::new();
        for (n, &part) in parts.iter().enumerate() {
            self.add(part);
            if n + 1 < parts.len() {
                jumps.push(self.jump());
            }
        }
        for jump in jumps {
            self.land(jump, |target| Operation::JumpIf(decisive, target));
        }
    }

    fn compare(
        &mut self,
        form: Term,
        number: &BigInt,
        general: fn(i64) -> Operation,
        plain: fn(u32, i64) -> Operation,
    ) {
        match (self.variable(form), i64::try_from(number)) {
            (Some(variable), Ok(number)) => self.push(plain(variable, number)),
            _ => {
                self.add(form);
                self.push_with(general, number);
            }
        }
    }

    fn sum(&mut self, constant: &BigInt, parts: &[(BigInt, Term)]) {
        self.push_with(Operation::Constant, constant);
        for (factor, part) in parts {
            match self.variable(*part) {
                Some(variable) => {
                    let scaled = i64::try_from(factor).map(|factor| Operation::AddScaled(factor, variable));
                    self.push(scaled.unwrap_or(Operation::Unable));
                }
                None => {
                    self.push(Operation::Push);
                    self.add(*part);
                    self.push_with(Operation::Combine, factor);
                }
            }
        }
    }

    /// Room for a jump.
    fn jump(&mut self) -> usize {
        self.push(Operation::Unable);
        self.code.len() - 1
    }

    /// That jump goes here.
    fn land(&mut self, jump: usize, operation: impl FnOnce(u32) -> Operation) {
        self.code[jump] = operation(self.code.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_expr::{Sort, Value, evaluate};
    use tertium_testkit::{random_cases, random_number, random_truth};

    #[test]
    fn code_computes_what_the_evaluator_does_or_nothing() {
        let (mut n_computed, mut n_given_up) = (0, 0);
        let run = random_cases(400, |rng| {
            let terms = Terms::new();
            let own = [("x", Sort::Int), ("y", Sort::Int), ("b", Sort::Bool)];
            let own = own.map(|(name, sort)| terms.declare(name, &sort));
            let variables = own.iter().copied().zip(0..).collect();
            let condition = random_truth(rng, &terms, &own, 2);
            let numbers = [(); 2].map(|()| random_number(rng, &terms, &own, 3));
            let term = match rng.below(4) {
                0 => condition,
                1 => terms.equal(terms.ite(condition, numbers[0], numbers[1]), numbers[0]),
                2 => terms.product(numbers[0], numbers[1]),
                _ => terms.ite(condition, numbers[0], numbers[1]),
            };
            let code = Code::new(&terms, &variables, term);
            for _ in 0..8 {
                let mut number = || match rng.below(8) {
                    0 => i64::MAX - rng.below(9) as i64,
                    1 => i64::MIN + rng.below(9) as i64,
                    _ => rng.below(11) as i64 - 5,
                };
                let values = [number(), number(), i64::from(number() > 0)];
                let mut stack = vec![17];
                let found = code.run(&values, &mut stack);
                let assignment = |variable| match own.iter().position(|&other| other == variable)? {
                    2 => Some(Value::Bool(values[2] != 0)),
                    n => Some(Value::int(values[n])),
                };
                let right = evaluate(&terms, term, &assignment).expect("all variables have values");
                match found {
                    None => n_given_up += 1,
                    Some(found) => {
                        n_computed += 1;
                        assert_eq!(stack, [17]);
                        match right {
                            Value::Bool(truth) => assert_eq!(found, i64::from(truth)),
                            right => assert_eq!(Value::int(found), right),
                        }
                    }
                }
            }
        });
        run.enough(n_computed > 1000 && n_given_up > 10, format_args!("{n_computed} and {n_given_up}"));
    }

    #[test]
    fn code_that_would_be_long_or_have_huge_numbers_gives_up() {
        let terms = Terms::new();
        let x = terms.declare("x", &Sort::Int);
        let variables = FxHashMap::from_iter([(x, 0)]);
        let mut doubled = terms.variable(x);
        for n in 0..64 {
            let condition = terms.at_most(doubled, terms.integer(n));
            doubled = terms.ite(condition, terms.divide(doubled, 3), terms.modulo(doubled, 5));
        }
        assert_eq!(Code::new(&terms, &variables, doubled).run(&[1], &mut Vec::new()), None);
        let huge = terms.at_most(terms.variable(x), terms.integer(BigInt::from(1) << 70));
        assert_eq!(Code::new(&terms, &variables, huge).run(&[1], &mut Vec::new()), None);
    }
}
