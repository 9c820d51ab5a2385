//! Terms as code over the words of states.
//!
//! Straight-line code with forward jumps around one accumulator and a stack, on 64-bit numbers. What it computes is the
//! value of the term or nothing: arithmetic is checked, and where a number does not fit, or a term is of a kind that is
//! not compiled, whoever asked has to ask the interpreter instead.
//!
//! Cost: one operation for each part of the term that matters. Shared parts are computed each time they occur, so code
//! that would become long for that reason is given up.
//!
//! Bit-vectors of up to 64 bits are their bits. Arrays are read where they have a place for each element; those that get
//! new elements are read as cases, and they are compared element by element. Wider bit-vectors and other arrays are
//! places in a side table, which can be copied and compared; everything else about them is given up.

use crate::bits::apply;
use crate::packed::{Elements, Layout, OPEN, small};
use std::collections::BTreeSet;
use tertium_expr::{BigInt, BitOperation, Sort, Term, TermKind, Terms, Value, Variable};
use tertium_system::{NumberPlace, WordPlace};

/// Longer code is given up.
const LONGEST: usize = 4096;
/// Arrays with more indices are not compared or written as a whole.
const MOST_COMPARED: usize = 256;

/// Operations. Truth values are 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Operation {
    /// The accumulator becomes a constant.
    Constant(i64),
    /// The accumulator becomes what is at a place, which has bits, plus a constant.
    Load(WordPlace, i64),
    /// The accumulator becomes the integer of this word, if it is there.
    LoadOpen(u32),
    /// The accumulator becomes an input.
    Input(u32),
    /// The accumulator becomes the element at the index that it is.
    Element(Box<Elements>),
    /// A multiple of what is at a place, which has bits, is added.
    AddScaled(i64, WordPlace),
    /// A multiple of the integer of this word is added, if it is there.
    AddOpen(i64, u32),
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
    /// Whether what is at a place, which has bits, is at most this.
    PlaceAtMost(WordPlace, u64),
    /// Whether it is this.
    PlaceExactly(WordPlace, u64),
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
    /// The code of a term over the variables of a layout.
    pub fn new(terms: &Terms, layout: &Layout, term: Term) -> Self {
        Self::with_inputs(terms, layout, &[], term)
    }

    /// The code of a term over the variables of a layout and these inputs.
    pub(crate) fn with_inputs(terms: &Terms, layout: &Layout, inputs: &[Variable], term: Term) -> Self {
        let mut compiler = Compiler { terms, layout, inputs, code: Vec::new() };
        compiler.add(term);
        compiler.finish()
    }

    /// The code of a conjunction, tested in this order.
    pub(crate) fn of_all(terms: &Terms, layout: &Layout, inputs: &[Variable], parts: &[Term]) -> Self {
        let mut compiler = Compiler { terms, layout, inputs, code: Vec::new() };
        compiler.junction(parts, false);
        compiler.finish()
    }

    /// The number that it computes whatever the state is, if there is one.
    pub(crate) fn constant(&self) -> Option<i64> {
        match &*self.0 {
            &[Operation::Constant(number)] => Some(number),
            _ => None,
        }
    }

    /// The value at the state with these words, or nothing; then there may be something left on the stack.
    #[inline]
    pub fn run(&self, words: &[u64], stack: &mut Vec<i64>) -> Option<i64> {
        self.run_with(words, &[], stack)
    }

    /// The value at the state with these words where inputs have these values.
    #[inline]
    pub(crate) fn run_with(&self, words: &[u64], inputs: &[i64], stack: &mut Vec<i64>) -> Option<i64> {
        let mut accumulator = 0i64;
        let mut at = 0;
        while let Some(operation) = self.0.get(at) {
            at += 1;
            match *operation {
                Operation::Constant(number) => accumulator = number,
                Operation::Load(place, low) => {
                    accumulator = low.wrapping_add(place.get_some(words) as i64);
                }
                Operation::LoadOpen(word) => accumulator = OPEN.number_of(words[word as usize])?,
                Operation::Input(input) => accumulator = inputs[input as usize],
                Operation::Element(ref elements) => accumulator = elements.get(words, accumulator)?,
                Operation::AddScaled(factor, place) => {
                    let number = i64::try_from(place.get_some(words)).ok()?;
                    accumulator = accumulator.checked_add(factor.checked_mul(number)?)?;
                }
                Operation::AddOpen(factor, word) => {
                    let number = OPEN.number_of(words[word as usize])?;
                    accumulator = accumulator.checked_add(factor.checked_mul(number)?)?;
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
                Operation::PlaceAtMost(place, bound) => {
                    accumulator = i64::from(place.get_some(words) <= bound);
                }
                Operation::PlaceExactly(place, raw) => {
                    accumulator = i64::from(place.get_some(words) == raw);
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

/// The elements that an array with a place for each gets with a new value, in this order: index and element. Nothing if
/// there are too many.
pub(crate) fn elements_written(
    terms: &Terms,
    layout: &Layout,
    inputs: &[Variable],
    (array, elements): (Variable, &Elements),
    term: Term,
) -> Option<Vec<(Code, Code)>> {
    let code = |term: Term| Code::with_inputs(terms, layout, inputs, term);
    let mut stores = Vec::new();
    let mut inner = term;
    while let TermKind::Store(before, at, element) = terms.kind(inner) {
        stores.push((at, element));
        inner = before;
    }
    if inner == terms.variable(array) {
        return Some(stores.into_iter().rev().map(|(at, element)| (code(at), code(element))).collect());
    }
    let Sort::Array(sort, _) = terms.sort(term) else { unreachable!("an array becomes an array") };
    let element = |index: i64| {
        let at = index_term(terms, &sort, index);
        (code(at), code(terms.select(term, at)))
    };
    (elements.indices().count() <= MOST_COMPARED).then(|| elements.indices().map(element).collect())
}

/// The index that a number is.
fn index_term(terms: &Terms, sort: &Sort, number: i64) -> Term {
    match sort {
        Sort::Bool => terms.boolean(number != 0),
        Sort::Int => terms.integer(number),
        Sort::Bits(width) => terms.bits(*width, (number as u64).into()),
        Sort::Enumeration(of) => terms.value(&Value::Constant { of: of.clone(), index: number as usize }),
        Sort::Array(..) => unreachable!("an index is no array"),
    }
}

struct Compiler<'a> {
    terms: &'a Terms,
    layout: &'a Layout,
    inputs: &'a [Variable],
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

    /// Where the value of a term stands: that of a variable, or of an element at a fixed index.
    fn place(&self, term: Term) -> Option<NumberPlace> {
        match self.terms.kind(term) {
            TermKind::Variable(variable) => self.layout.place(self.layout.id(variable)?),
            TermKind::Select(array, index) => self.elements(array)?.at(small(&self.terms.as_value(index)?)?),
            _ => None,
        }
    }

    /// Where the elements of a variable stand.
    fn elements(&self, array: Term) -> Option<Elements> {
        match self.terms.kind(array) {
            TermKind::Variable(variable) => self.layout.elements(self.layout.id(variable)?),
            _ => None,
        }
    }

    /// Code that leaves the value of a term in the accumulator and the stack as it was.
    fn add(&mut self, term: Term) {
        if self.code.len() > LONGEST {
            return;
        }
        if let Some(place) = self.place(term) {
            return self.load(&place);
        }
        match self.terms.kind(term) {
            TermKind::Bool(value) => self.push(Operation::Constant(value.into())),
            TermKind::Int(value) => self.push_with(Operation::Constant, &value),
            TermKind::Constant(_, index) => self.push(Operation::Constant(index as i64)),
            TermKind::Variable(variable) => {
                let input = self.inputs.iter().position(|&input| input == variable);
                self.push(input.map_or(Operation::Unable, |input| Operation::Input(input as u32)));
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
            TermKind::Equal(left, right) => self.equal(left, right),
            TermKind::AtMost(form, bound) => self.at_most(form, &bound),
            TermKind::Exactly(form, number) => self.exactly(form, &number),
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
            TermKind::Select(array, index) => self.select(array, index),
            TermKind::Store(..) | TermKind::Everywhere(..) | TermKind::ForAll(..) => {
                self.push(Operation::Unable)
            }
        }
    }

    /// The number at a place.
    fn load(&mut self, own: &NumberPlace) {
        self.push(match own.numbers {
            numbers if numbers.has_spare() => Operation::LoadOpen(own.place.word() as u32),
            numbers if own.place.bits() == 0 => Operation::Constant(numbers.low()),
            numbers => Operation::Load(own.place, numbers.low()),
        });
    }

    /// The element of an array at an index.
    fn select(&mut self, array: Term, index: Term) {
        if let Some(elements) = self.elements(array) {
            self.add(index);
            return self.push(Operation::Element(Box::new(elements)));
        }
        let terms = self.terms;
        match terms.kind(array) {
            TermKind::Store(before, at, element) => {
                let otherwise = terms.select(before, index);
                self.add(terms.ite(terms.equal(at, index), element, otherwise));
            }
            TermKind::If(condition, then, otherwise) => {
                let [then, otherwise] = [then, otherwise].map(|array| terms.select(array, index));
                self.add(terms.ite(condition, then, otherwise));
            }
            _ => self.push(Operation::Unable),
        }
    }

    fn equal(&mut self, left: Term, right: Term) {
        let is_array = matches!(self.terms.sort(left), Sort::Array(..));
        if is_array && let Some(by_element) = self.equal_elements(left, right) {
            return self.add(by_element);
        }
        self.add(left);
        self.push(Operation::Push);
        self.add(right);
        self.push(Operation::Equal);
    }

    /// That two arrays have the same elements, where these are known to be the same but at few indices.
    fn equal_elements(&self, left: Term, right: Term) -> Option<Term> {
        let Sort::Array(index, _) = self.terms.sort(left) else { return None };
        let mut indices = BTreeSet::new();
        let rests = [self.rest(left, &mut indices)?, self.rest(right, &mut indices)?];
        if indices.len() > MOST_COMPARED {
            return None;
        }
        let terms = self.terms;
        let at = |index: &Value| {
            let index = terms.value(index);
            terms.equal(terms.select(left, index), terms.select(right, index))
        };
        let same = terms.and(indices.iter().map(at));
        match index.count() == Some(indices.len() as u128) {
            true => Some(same),
            false => Some(terms.and([same, terms.equal(rests[0], rests[1])])),
        }
    }

    /// The element of an array at all indices but some, which are added.
    fn rest(&self, array: Term, indices: &mut BTreeSet<Value>) -> Option<Term> {
        let terms = self.terms;
        match terms.kind(array) {
            TermKind::Variable(_) => {
                let (elements, sort) = (self.elements(array)?, terms.sort(array));
                let Sort::Array(index, element) = sort else { return None };
                let values = elements.indices().map(|at| terms.as_value(index_term(terms, &index, at)));
                indices.extend(values.collect::<Option<Vec<Value>>>()?);
                Some(index_term(terms, &element, elements.first))
            }
            TermKind::Everywhere(_, element) => Some(element),
            TermKind::Store(before, at, _) => {
                indices.insert(terms.as_value(at)?);
                self.rest(before, indices)
            }
            TermKind::If(condition, then, otherwise) => {
                let then = self.rest(then, indices)?;
                Some(terms.ite(condition, then, self.rest(otherwise, indices)?))
            }
            _ => None,
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

    /// The place of a term whose numbers all stand there.
    fn closed_place(&self, term: Term) -> Option<NumberPlace> {
        self.place(term).filter(|own| !own.numbers.has_spare() && own.place.bits() > 0)
    }

    fn at_most(&mut self, form: Term, bound: &BigInt) {
        let Some(own) = self.closed_place(form) else {
            self.add(form);
            return self.push_with(Operation::AtMost, bound);
        };
        let (low, high) = (BigInt::from(own.numbers.low()), BigInt::from(own.numbers.high()));
        match u64::try_from(bound - low) {
            Ok(raw) if *bound < high => self.push(Operation::PlaceAtMost(own.place, raw)),
            Ok(_) => self.push(Operation::Constant(1)),
            Err(_) => self.push(Operation::Constant((*bound >= high).into())),
        }
    }

    fn exactly(&mut self, form: Term, number: &BigInt) {
        let Some(own) = self.closed_place(form) else {
            self.add(form);
            return self.push_with(Operation::Exactly, number);
        };
        let raw = i64::try_from(number).ok().and_then(|number| own.numbers.raw_of(number));
        self.push(raw.map_or(Operation::Constant(0), |raw| Operation::PlaceExactly(own.place, raw)));
    }

    fn sum(&mut self, constant: &BigInt, parts: &[(BigInt, Term)]) {
        // What stands at a place is counted from the least number there.
        let offset =
            |(factor, part): &(BigInt, Term)| self.closed_place(*part).map(|own| factor * own.numbers.low());
        let constant: BigInt = constant + parts.iter().filter_map(offset).sum::<BigInt>();
        self.push_with(Operation::Constant, &constant);
        for (factor, part) in parts {
            let scaled = match self.place(*part) {
                Some(own) if own.numbers.has_spare() => i64::try_from(factor)
                    .ok()
                    .map(|factor| Operation::AddOpen(factor, own.place.word() as u32)),
                Some(own) if own.place.bits() > 0 => {
                    i64::try_from(factor).ok().map(|factor| Operation::AddScaled(factor, own.place))
                }
                _ => {
                    self.push(Operation::Push);
                    self.add(*part);
                    self.push_with(Operation::Combine, factor);
                    continue;
                }
            };
            self.push(scaled.unwrap_or(Operation::Unable));
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
pub(crate) mod tests {
    use super::*;
    use crate::packed::Wide;
    use std::sync::Arc;
    use tertium_expr::evaluate;
    use tertium_program::{Domain, Program, Role, State};
    use tertium_support::{Id, Rng, Span};
    use tertium_testkit::{random_cases, random_number, random_truth};

    /// A program with variables of these domains, and what these are.
    pub(crate) fn with_variables<const N: usize>(domains: [Domain; N]) -> (Program, [Variable; N]) {
        let mut program = Program::new(Terms::new());
        for (n, domain) in domains.into_iter().enumerate() {
            program.add_variable(&format!("v{n}"), domain, Role::Data, Span::default());
        }
        let variables = std::array::from_fn(|n| program.variables()[n].variable);
        (program, variables)
    }

    /// What code computes where variables have these values, and what the evaluator does.
    pub(crate) fn both(program: &Program, term: Term, values: &[Value]) -> (Option<i64>, Option<i64>) {
        let layout = Layout::new(program);
        let mut words = vec![0; layout.n_words()];
        layout.pack(&mut Wide::default(), &State(values.into()), &mut words);
        let mut stack = vec![17];
        let found = Code::new(&program.terms, &layout, term).run(&words, &mut stack);
        assert!(found.is_none() || stack == [17]);
        let assignment = |variable| Some(values[program.id_of(variable)?.index()].clone());
        let right = evaluate(&program.terms, term, &assignment).expect("all variables have values");
        (found, small(&right))
    }

    #[test]
    fn code_computes_what_the_evaluator_does_or_nothing() {
        let (mut n_computed, mut n_given_up) = (0, 0);
        let run = random_cases(400, |rng| {
            let range = Domain::Range((-5).into(), 5.into());
            let (program, own) =
                with_variables([Domain::Int, rng.pick(&[Domain::Int, range]).clone(), Domain::Bool]);
            let terms = &program.terms;
            let condition = random_truth(rng, terms, &own, 2);
            let numbers = [(); 2].map(|()| random_number(rng, terms, &own, 3));
            let term = match rng.below(4) {
                0 => condition,
                1 => terms.equal(terms.ite(condition, numbers[0], numbers[1]), numbers[0]),
                2 => terms.product(numbers[0], numbers[1]),
                _ => terms.ite(condition, numbers[0], numbers[1]),
            };
            for _ in 0..8 {
                let mut number = |domain: &Domain| match rng.below(8) {
                    0 if *domain == Domain::Int => i64::MAX - rng.below(9) as i64,
                    1 if *domain == Domain::Int => i64::MIN + rng.below(9) as i64,
                    _ => rng.below(11) as i64 - 5,
                };
                let mut value = |n: usize| match &program.variables()[n].domain {
                    Domain::Bool => Value::Bool(number(&Domain::Bool) > 0),
                    domain => Value::int(number(domain)),
                };
                let values = [value(0), value(1), value(2)];
                let (found, right) = both(&program, term, &values);
                match found {
                    None => n_given_up += 1,
                    Some(_) => {
                        n_computed += 1;
                        assert_eq!(found, right, "{} at {values:?}", terms.print(term));
                    }
                }
            }
        });
        run.enough(n_computed > 1000 && n_given_up > 10, format_args!("{n_computed} and {n_given_up}"));
    }

    /// A random array term: of variables, with new elements, by cases.
    fn random_array(
        rng: &mut Rng,
        terms: &Terms,
        arrays: &[Variable],
        index: Variable,
        depth: usize,
    ) -> Term {
        if depth == 0 || rng.chance(0.2) {
            return match rng.below(4) {
                0 => terms.everywhere(Arc::new(Sort::Int), terms.integer(rng.below(3))),
                _ => terms.variable(*rng.pick(arrays)),
            };
        }
        let inner = random_array(rng, terms, arrays, index, depth - 1);
        let at = random_index(rng, terms, index);
        match rng.below(3) {
            0 => {
                let other = random_array(rng, terms, arrays, index, depth - 1);
                terms.ite(terms.at_most(at, terms.integer(1)), inner, other)
            }
            1 => terms.store(inner, at, terms.integer(rng.below(4))),
            _ => {
                let other = random_array(rng, terms, arrays, index, 0);
                terms.store(inner, at, terms.select(other, random_index(rng, terms, index)))
            }
        }
    }

    fn random_index(rng: &mut Rng, terms: &Terms, index: Variable) -> Term {
        match rng.below(3) {
            0 => terms.variable(index),
            1 => terms.sum([terms.variable(index), terms.integer(1)]),
            _ => terms.integer(rng.below(7) as i64 - 2),
        }
    }

    #[test]
    fn elements_of_arrays_are_read_and_compared_as_the_evaluator_does() {
        let (mut n_computed, mut n_given_up) = (0, 0);
        let run = random_cases(400, |rng| {
            let range = |low: i64, high: i64| Domain::Range(low.into(), high.into());
            let element = rng.pick(&[range(0, 3), range(1, 3), Domain::Int]).clone();
            let array = Domain::array(range(0, 3), element.clone());
            let (program, [index, v, w]) = with_variables([range(-2, 5), array.clone(), array.clone()]);
            let terms = &program.terms;
            let one = random_array(rng, terms, &[v, w], index, 3);
            let term = match rng.chance(0.7) {
                true => terms.select(one, random_index(rng, terms, index)),
                false => terms.equal(one, random_array(rng, terms, &[v, w], index, 2)),
            };
            for _ in 0..6 {
                let mut elements = || {
                    let own = (0..4).map(|_| match &element {
                        Domain::Int if rng.chance(0.05) => Value::int(i64::MIN),
                        _ => Value::int(rng.between(1, 3) as i64),
                    });
                    let own: Vec<Value> = own.collect();
                    array.array_value(own.into_iter()).expect("as many as indices")
                };
                let (v, w) = (elements(), elements());
                let values = [Value::int(rng.below(8) as i64 - 2), v, w];
                let (found, right) = both(&program, term, &values);
                match found {
                    None => n_given_up += 1,
                    Some(_) => {
                        n_computed += 1;
                        assert_eq!(found, right, "{} at {values:?}", terms.print(term));
                    }
                }
            }
        });
        run.enough(n_computed > 1200 && n_given_up > 10, format_args!("{n_computed} and {n_given_up}"));
    }

    #[test]
    fn code_that_would_be_long_or_have_huge_numbers_gives_up() {
        let (program, [x, y]) = with_variables([Domain::Int, Domain::Range(0.into(), 5.into())]);
        let terms = &program.terms;
        let mut doubled = terms.variable(x);
        for n in 0..64 {
            let condition = terms.at_most(doubled, terms.integer(n));
            doubled = terms.ite(condition, terms.divide(doubled, 3), terms.modulo(doubled, 5));
        }
        let layout = Layout::new(&program);
        let run = |term| Code::new(terms, &layout, term).run(&[0, 0], &mut Vec::new());
        assert_eq!(run(doubled), None);
        let huge = terms.integer(BigInt::from(1) << 70);
        assert_eq!(run(terms.at_most(terms.variable(x), huge)), None);
        // Of a variable that is always smaller more is known.
        assert_eq!(run(terms.at_most(terms.variable(y), huge)), Some(1));
    }
}
