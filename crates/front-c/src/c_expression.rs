//! Terms as C expressions, for people and for witnesses: true in C exactly where the term is true.
//!
//! Terms count with mathematical integers, C with those of its types. So each comparison is written in the smallest of three ways in
//! which nothing overflows, by the ranges of the variables: as it is, where every part fits into `int`; with variables cast to
//! `long long`; with variables cast to `__int128`. Division and remainder round as terms do, which C does only where nothing is
//! negative. Bit-vectors are written as `unsigned long long` with the bits above cut off.
//!
//! What cannot be said is not said: other arrays than elements that certainly exist, quantifiers, names that are not in scope,
//! numbers beyond 127 bits, and what would be too long to read.

use tertium_expr::{BigInt, BitOperation, Sort, Term, TermKind, Terms, Variable};

/// A variable of a term as C sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CVariable {
    /// An expression without side effects that binds tightly: `x`, `(*p)`, `s.count`.
    pub text: String,
    /// The least value of its type, or of the type of its elements.
    pub low: i128,
    /// The largest one.
    pub high: i128,
    /// How many elements there are, if it is an array.
    pub length: Option<u64>,
}

impl CVariable {
    /// A variable of an integer type.
    pub fn integer(text: &str, bits: u32, is_signed: bool) -> Self {
        let (low, high) = match is_signed {
            true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            false => (0, (1i128 << bits.min(126)) - 1),
        };
        Self { text: text.to_owned(), low, high, length: None }
    }
}

/// The parts of a formula that are visited at most: shared parts are written each time.
const MOST_PARTS: usize = 2000;
/// How deep a formula may be.
const MOST_DEPTH: usize = 100;

/// A truth value as an expression of C; nothing if it cannot be said. `name_of` tells what is in scope.
pub fn c_expression(
    terms: &Terms,
    term: Term,
    name_of: &dyn Fn(Variable) -> Option<CVariable>,
) -> Option<String> {
    let mut writer = Writer { terms, name_of, left: MOST_PARTS };
    writer.truth(term, 0).map(|text| text.0)
}

/// The conjuncts of a truth value that can be said in C. Together they are implied by it.
pub fn c_conjuncts(
    terms: &Terms,
    term: Term,
    name_of: &dyn Fn(Variable) -> Option<CVariable>,
) -> Vec<String> {
    let parts = match terms.kind(term) {
        TermKind::And(parts) => parts.to_vec(),
        _ => vec![term],
    };
    parts.into_iter().filter_map(|part| c_expression(terms, part, name_of)).collect()
}

/// An expression, and whether it needs no parentheses anywhere.
struct Text(String, bool);

impl Text {
    fn closed(self) -> String {
        if self.1 { self.0 } else { format!("({})", self.0) }
    }
}

/// The values of an expression, and of all that is computed on the way.
#[derive(Clone, Copy)]
struct Extent {
    low: i128,
    high: i128,
    least: i128,
    largest: i128,
}

impl Extent {
    fn of(low: i128, high: i128) -> Self {
        Self { low, high, least: low.min(0), largest: high.max(0) }
    }

    /// The same after something with other values was computed.
    fn passing(mut self, other: Extent) -> Self {
        self.least = self.least.min(other.least);
        self.largest = self.largest.max(other.largest);
        self
    }

    /// The sum of both, in whatever order.
    fn plus(self, other: Extent) -> Option<Self> {
        Some(Self {
            low: self.low.checked_add(other.low)?,
            high: self.high.checked_add(other.high)?,
            least: self.least.checked_add(other.least)?,
            largest: self.largest.checked_add(other.largest)?,
        })
    }

    fn times(self, other: Extent) -> Option<Self> {
        let product = |a: i128, b: i128| a.checked_mul(b);
        let all = [
            product(self.low, other.low)?,
            product(self.low, other.high)?,
            product(self.high, other.low)?,
            product(self.high, other.high)?,
        ];
        let own = Self::of(*all.iter().min().expect("four"), *all.iter().max().expect("four"));
        Some(own.passing(self).passing(other))
    }

    fn fits(self, low: i128, high: i128) -> bool {
        low <= self.least && self.largest <= high
    }
}

/// The type in which a comparison is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Int,
    LongLong,
    Int128,
}

impl Width {
    fn of(extent: Extent) -> Option<Self> {
        if extent.fits(i32::MIN.into(), i32::MAX.into()) {
            Some(Self::Int)
        } else if extent.fits(i64::MIN.into(), i64::MAX.into()) {
            Some(Self::LongLong)
        } else {
            extent.fits(-i128::MAX / 4, i128::MAX / 4).then_some(Self::Int128)
        }
    }

    fn cast(self, text: &str) -> String {
        match self {
            Self::Int => text.to_owned(),
            Self::LongLong => format!("(long long){text}"),
            Self::Int128 => format!("(__int128){text}"),
        }
    }
}

struct Writer<'a> {
    terms: &'a Terms,
    name_of: &'a dyn Fn(Variable) -> Option<CVariable>,
    /// How many parts may still be visited.
    left: usize,
}

fn small(number: &BigInt) -> Option<i128> {
    // Literals of C go up to 64 bits.
    i64::try_from(number.clone()).ok().map(i128::from)
}

impl Writer<'_> {
    fn enter(&mut self, depth: usize) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        (depth < MOST_DEPTH).then_some(())
    }

    fn truth(&mut self, term: Term, depth: usize) -> Option<Text> {
        self.enter(depth)?;
        let depth = depth + 1;
        Some(match self.terms.kind(term) {
            TermKind::Bool(value) => Text(if value { "1" } else { "0" }.to_owned(), true),
            TermKind::Variable(variable) => Text(format!("{} != 0", (self.name_of)(variable)?.text), false),
            TermKind::Not(inner) => match self.terms.kind(inner) {
                TermKind::AtMost(form, bound) => {
                    self.comparison(form, &(bound + 1), Order::AtLeast, depth)?
                }
                TermKind::Exactly(form, value) => self.comparison(form, &value, Order::Different, depth)?,
                TermKind::Equal(left, right) => self.equality(left, right, "!=", depth)?,
                TermKind::Variable(variable) => {
                    Text(format!("{} == 0", (self.name_of)(variable)?.text), false)
                }
                _ => Text(format!("!{}", self.truth(inner, depth)?.closed()), true),
            },
            TermKind::And(parts) => self.chain(&parts, " && ", depth)?,
            TermKind::Or(parts) => self.chain(&parts, " || ", depth)?,
            TermKind::AtMost(form, bound) => self.comparison(form, &bound, Order::AtMost, depth)?,
            TermKind::Exactly(form, value) => self.comparison(form, &value, Order::Equal, depth)?,
            TermKind::Equal(left, right) => self.equality(left, right, "==", depth)?,
            TermKind::Bitwise(operation, operands) if operation.is_comparison() => {
                self.bit_comparison(operation, &operands, depth)?
            }
            _ => return None,
        })
    }

    fn chain(&mut self, parts: &[Term], operator: &str, depth: usize) -> Option<Text> {
        let parts: Option<Vec<String>> =
            parts.iter().map(|&part| self.truth(part, depth).map(Text::closed)).collect();
        Some(Text(parts?.join(operator), false))
    }

    fn equality(&mut self, left: Term, right: Term, operator: &str, depth: usize) -> Option<Text> {
        let (left, right) = match self.terms.sort(left) {
            Sort::Bool => (self.truth(left, depth)?.closed(), self.truth(right, depth)?.closed()),
            Sort::Bits(_) => (self.bits(left, depth)?.closed(), self.bits(right, depth)?.closed()),
            _ => return None,
        };
        Some(Text(format!("{left} {operator} {right}"), false))
    }

    /// A comparison of a form with a number. What is subtracted stands on the other side.
    fn comparison(&mut self, form: Term, number: &BigInt, order: Order, depth: usize) -> Option<Text> {
        let number = small(number)?;
        let parts: Vec<(i128, Term)> = match self.terms.kind(form) {
            TermKind::Sum(constant, parts) => {
                debug_assert_eq!(constant, BigInt::from(0), "forms have no constant part");
                parts.iter().map(|(factor, part)| Some((small(factor)?, *part))).collect::<Option<_>>()?
            }
            _ => vec![(1, form)],
        };
        let mut left: Vec<(i128, Term)> = parts.iter().copied().filter(|part| part.0 > 0).collect();
        let mut right: Vec<(i128, Term)> =
            parts.iter().filter(|part| part.0 < 0).map(|&(factor, part)| (-factor, part)).collect();
        let (mut number, mut order) = (number, order);
        if left.is_empty() {
            std::mem::swap(&mut left, &mut right);
            (number, order) = (-number, order.turned());
        }
        // `x <= y - 1` reads better as `x < y`.
        let word = match (order, number) {
            (Order::AtMost, -1) if !right.is_empty() => "<",
            (Order::AtLeast, 1) if !right.is_empty() => ">",
            _ => order.word(),
        };
        if ["<", ">"].contains(&word) {
            number = 0;
        }
        let extent = self.sum_extent(&left, 0, depth)?;
        let width = Width::of(extent.passing(self.sum_extent(&right, number, depth)?))?;
        let left = self.sum(&left, 0, width, depth)?;
        let right = self.sum(&right, number, width, depth)?;
        Some(Text(format!("{left} {word} {right}"), false))
    }

    /// A sum that needs no parentheses beside comparisons.
    fn sum(&mut self, parts: &[(i128, Term)], constant: i128, width: Width, depth: usize) -> Option<String> {
        let mut text = String::new();
        for &(factor, part) in parts {
            let number = self.number(part, width, depth)?.closed();
            let number = if factor.abs() == 1 { number } else { format!("{} * {number}", factor.abs()) };
            text = match (text.is_empty(), factor < 0) {
                (true, false) => number,
                (true, true) => format!("-{number}"),
                (false, false) => format!("{text} + {number}"),
                (false, true) => format!("{text} - {number}"),
            };
        }
        Some(match (text.is_empty(), constant) {
            (true, constant) => literal(constant),
            (false, 0) => text,
            (false, constant) if constant < 0 => format!("{text} - {}", literal(-constant)),
            (false, constant) => format!("{text} + {}", literal(constant)),
        })
    }

    /// The values that a sum can have.
    fn sum_extent(&mut self, parts: &[(i128, Term)], constant: i128, depth: usize) -> Option<Extent> {
        let mut extent = Extent::of(constant, constant);
        for &(factor, part) in parts {
            let part = self.extent(part, depth)?;
            extent = extent.plus(part.times(Extent::of(factor, factor))?)?.passing(part);
        }
        Some(extent)
    }

    /// The values that a number can have.
    fn extent(&mut self, term: Term, depth: usize) -> Option<Extent> {
        self.enter(depth)?;
        let depth = depth + 1;
        Some(match self.terms.kind(term) {
            TermKind::Int(value) => {
                let value = small(&value)?;
                Extent::of(value, value)
            }
            TermKind::Variable(variable) => {
                let variable = (self.name_of)(variable)?;
                Extent::of(variable.low, variable.high)
            }
            TermKind::Sum(constant, parts) => {
                let parts: Option<Vec<(i128, Term)>> =
                    parts.iter().map(|(factor, part)| Some((small(factor)?, *part))).collect();
                self.sum_extent(&parts?, small(&constant)?, depth)?
            }
            TermKind::Product(factors) => {
                let mut extent = Extent::of(1, 1);
                for factor in &factors {
                    extent = extent.times(self.extent(*factor, depth)?)?;
                }
                extent
            }
            TermKind::Divide(inner, divisor) => {
                let (inner, divisor) = (self.extent(inner, depth)?, small(&divisor)?);
                let reach = Extent::of(inner.low.checked_sub(divisor)?, inner.high.checked_add(divisor)?);
                Extent::of(inner.low.div_euclid(divisor), inner.high.div_euclid(divisor))
                    .passing(inner)
                    .passing(reach)
                    .passing(Extent::of(inner.low, inner.high.max(-inner.low)))
            }
            TermKind::Modulo(inner, divisor) => {
                let (inner, divisor) = (self.extent(inner, depth)?, small(&divisor)?);
                Extent::of(0, divisor - 1)
                    .passing(inner)
                    .passing(Extent::of(-divisor, divisor.checked_mul(2)?))
            }
            TermKind::If(_, then, otherwise) => {
                let (then, otherwise) = (self.extent(then, depth)?, self.extent(otherwise, depth)?);
                Extent::of(then.low.min(otherwise.low), then.high.max(otherwise.high))
                    .passing(then)
                    .passing(otherwise)
            }
            TermKind::Select(array, index) => {
                let (array, index) = (self.array(array)?, self.extent(index, depth)?);
                let is_inside = index.low >= 0 && index.high < i128::from(array.length?);
                if !is_inside {
                    return None;
                }
                Extent::of(array.low, array.high).passing(index)
            }
            _ => return None,
        })
    }

    fn array(&self, array: Term) -> Option<CVariable> {
        match self.terms.kind(array) {
            TermKind::Variable(variable) => (self.name_of)(variable),
            _ => None,
        }
    }

    fn number(&mut self, term: Term, width: Width, depth: usize) -> Option<Text> {
        self.enter(depth)?;
        let depth = depth + 1;
        Some(match self.terms.kind(term) {
            TermKind::Int(value) => {
                let value = small(&value)?;
                Text(literal(value), value >= 0)
            }
            TermKind::Variable(variable) => Text(width.cast(&(self.name_of)(variable)?.text), true),
            TermKind::Sum(constant, parts) => {
                let parts: Option<Vec<(i128, Term)>> =
                    parts.iter().map(|(factor, part)| Some((small(factor)?, *part))).collect();
                Text(self.sum(&parts?, small(&constant)?, width, depth)?, false)
            }
            TermKind::Product(factors) => {
                let factors: Option<Vec<String>> = factors
                    .iter()
                    .map(|&factor| self.number(factor, width, depth).map(Text::closed))
                    .collect();
                Text(factors?.join(" * "), false)
            }
            TermKind::Divide(inner, divisor) => {
                let (extent, divisor) = (self.extent(inner, depth)?, small(&divisor)?);
                let inner = self.number(inner, width, depth)?.closed();
                // C rounds towards zero, a term towards minus infinity.
                if extent.low >= 0 {
                    Text(format!("{inner} / {divisor}"), false)
                } else {
                    let below = format!("-((-{inner} + {}) / {divisor})", divisor - 1);
                    Text(format!("{inner} >= 0 ? {inner} / {divisor} : {below}"), false)
                }
            }
            TermKind::Modulo(inner, divisor) => {
                let (extent, divisor) = (self.extent(inner, depth)?, small(&divisor)?);
                let inner = self.number(inner, width, depth)?.closed();
                if extent.low >= 0 {
                    Text(format!("{inner} % {divisor}"), false)
                } else {
                    Text(format!("({inner} % {divisor} + {divisor}) % {divisor}"), false)
                }
            }
            TermKind::If(condition, then, otherwise) => {
                let condition = self.truth(condition, depth)?.closed();
                let (then, otherwise) =
                    (self.number(then, width, depth)?, self.number(otherwise, width, depth)?);
                Text(format!("{condition} ? {} : {}", then.closed(), otherwise.closed()), false)
            }
            TermKind::Select(array, index) => {
                let array = self.array(array)?;
                let index = self.number(index, width, depth)?;
                Text(width.cast(&format!("{}[{}]", array.text, index.0)), true)
            }
            _ => return None,
        })
    }

    /// A bit-vector of up to 64 bits as an unsigned number of that value.
    fn bits(&mut self, term: Term, depth: usize) -> Option<Text> {
        self.enter(depth)?;
        let depth = depth + 1;
        let Sort::Bits(width @ ..=64) = self.terms.sort(term) else { return None };
        let cut = |text: String| match width {
            64 => Text(text, false),
            _ => Text(format!("({text}) & {}ULL", (1u64 << width) - 1), false),
        };
        Some(match self.terms.kind(term) {
            TermKind::Bits(_, value) => Text(format!("{value}ULL"), true),
            TermKind::Variable(variable) => {
                cut(format!("(unsigned long long){}", (self.name_of)(variable)?.text))
            }
            TermKind::If(condition, then, otherwise) => {
                let condition = self.truth(condition, depth)?.closed();
                let (then, otherwise) = (self.bits(then, depth)?, self.bits(otherwise, depth)?);
                Text(format!("{condition} ? {} : {}", then.closed(), otherwise.closed()), false)
            }
            TermKind::Bitwise(operation, operands) => {
                let texts: Option<Vec<String>> =
                    operands.iter().map(|&operand| self.bits(operand, depth).map(Text::closed)).collect();
                let texts = texts?;
                let count = || match operands.get(1).map(|&operand| self.terms.kind(operand)) {
                    Some(TermKind::Bits(_, count)) => Some(count),
                    _ => None,
                };
                let infix = |operator: &str| texts.join(&format!(" {operator} "));
                match operation {
                    BitOperation::Add => cut(infix("+")),
                    BitOperation::Subtract => cut(infix("-")),
                    BitOperation::Multiply => cut(infix("*")),
                    BitOperation::Not => cut(format!("~{}", texts[0])),
                    BitOperation::And => Text(infix("&"), false),
                    BitOperation::Or => Text(infix("|"), false),
                    BitOperation::Xor => Text(infix("^"), false),
                    BitOperation::DivideUnsigned if count()? != 0 => Text(infix("/"), false),
                    BitOperation::RemainderUnsigned if count()? != 0 => Text(infix("%"), false),
                    BitOperation::ShiftLeft if count()? < u128::from(width) => cut(infix("<<")),
                    BitOperation::ShiftRight if count()? < u128::from(width) => Text(infix(">>"), false),
                    BitOperation::Extract(_, low) => cut(format!("{} >> {low}", texts[0])),
                    BitOperation::ExtendZeros(_) => Text(texts.into_iter().next()?, false),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn bit_comparison(&mut self, operation: BitOperation, operands: &[Term], depth: usize) -> Option<Text> {
        let Sort::Bits(width @ ..=64) = self.terms.sort(operands[0]) else { return None };
        let is_signed = matches!(operation, BitOperation::LessSigned | BitOperation::AtMostSigned);
        let is_strict = matches!(operation, BitOperation::LessSigned | BitOperation::LessUnsigned);
        let mut sides = Vec::new();
        for &operand in operands {
            let text = self.bits(operand, depth)?.closed();
            // With the highest bit turned, signed numbers are in the order of unsigned ones.
            sides.push(if is_signed { format!("({text} ^ {}ULL)", 1u64 << (width - 1)) } else { text });
        }
        Some(Text(sides.join(if is_strict { " < " } else { " <= " }), false))
    }
}

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    AtMost,
    AtLeast,
    Equal,
    Different,
}

impl Order {
    fn word(self) -> &'static str {
        match self {
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
            Self::Equal => "==",
            Self::Different => "!=",
        }
    }

    /// The order of the opposites.
    fn turned(self) -> Self {
        match self {
            Self::AtMost => Self::AtLeast,
            Self::AtLeast => Self::AtMost,
            same => same,
        }
    }
}

/// A number as C writes it: decimal literals have the first type of `int`, `long` and `long long` that they fit.
fn literal(number: i128) -> String {
    if number < -i128::from(i64::MAX) { format!("({} - 1)", number + 1) } else { number.to_string() }
}
