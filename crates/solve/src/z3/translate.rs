//! Our terms to Z3's. Each is translated once.

use rustc_hash::FxHashMap;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tertium_expr::{BigInt, BitOperation, Enumeration, Sort, Term, TermKind, Terms, Variable};
use z3::ast::{Array, BV, Bool, Dynamic, Int};

/// Sorts of the same name in one context of Z3 would be confused, so their names are numbered.
static N_SORTS: AtomicU64 = AtomicU64::new(0);

/// What was translated, and how variables and enumerations are called over there.
#[derive(Default)]
pub(super) struct Translation {
    done: FxHashMap<Term, Dynamic>,
    pub(super) variables: FxHashMap<Variable, Dynamic>,
    pub(super) enumerations: FxHashMap<Arc<Enumeration>, (z3::Sort, Vec<Dynamic>)>,
}

impl Translation {
    pub(super) fn truth(&mut self, terms: &Terms, term: Term) -> Bool {
        self.term(terms, term).as_bool().expect("the term is a truth value")
    }

    fn int(&mut self, terms: &Terms, term: Term) -> Int {
        self.term(terms, term).as_int().expect("the term is an integer")
    }

    fn bits(&mut self, terms: &Terms, term: Term) -> BV {
        self.term(terms, term).as_bv().expect("the term is a bit-vector")
    }

    fn array(&mut self, terms: &Terms, term: Term) -> Array {
        self.term(terms, term).as_array().expect("the term is an array")
    }

    pub(super) fn sort(&mut self, sort: &Sort) -> z3::Sort {
        match sort {
            Sort::Bool => z3::Sort::bool(),
            Sort::Int => z3::Sort::int(),
            Sort::Bits(width) => z3::Sort::bitvector(*width),
            Sort::Array(index, element) => z3::Sort::array(&self.sort(index), &self.sort(element)),
            Sort::Enumeration(of) => self.enumeration(of).0.clone(),
        }
    }

    fn enumeration(&mut self, of: &Arc<Enumeration>) -> &(z3::Sort, Vec<Dynamic>) {
        self.enumerations.entry(Arc::clone(of)).or_insert_with(|| {
            let n = N_SORTS.fetch_add(1, Ordering::Relaxed);
            let values: Vec<z3::Symbol> =
                (0..of.values.len()).map(|index| format!("value{n}_{index}").into()).collect();
            let (sort, constants, _) = z3::Sort::enumeration(format!("sort{n}").into(), &values);
            (sort, constants.iter().map(|constant| constant.apply(&[])).collect())
        })
    }

    pub(super) fn variable(&mut self, terms: &Terms, variable: Variable) -> Dynamic {
        if let Some(known) = self.variables.get(&variable) {
            return known.clone();
        }
        let sort = self.sort(&terms.sort_of(variable));
        let constant = Dynamic::fresh_const(&terms.name(variable), &sort);
        self.variables.insert(variable, constant.clone());
        constant
    }

    fn term(&mut self, terms: &Terms, term: Term) -> Dynamic {
        if let Some(done) = self.done.get(&term) {
            return done.clone();
        }
        let kind = terms.kind(term);
        let translated = match &kind {
            TermKind::Bool(value) => Bool::from_bool(*value).into(),
            TermKind::Int(value) => number(value).into(),
            TermKind::Bits(width, value) => {
                BV::from_str(*width, &value.to_string()).expect("digits are a number").into()
            }
            TermKind::Constant(of, index) => self.enumeration(of).1[*index].clone(),
            TermKind::Variable(variable) => self.variable(terms, *variable),
            TermKind::Not(inner) => self.truth(terms, *inner).not().into(),
            TermKind::And(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|&part| self.truth(terms, part)).collect();
                Bool::and(&parts).into()
            }
            TermKind::Or(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|&part| self.truth(terms, part)).collect();
                Bool::or(&parts).into()
            }
            TermKind::If(condition, then, otherwise) => {
                let condition = self.truth(terms, *condition);
                condition.ite(&self.term(terms, *then), &self.term(terms, *otherwise))
            }
            TermKind::Equal(left, right) => self.term(terms, *left).eq(self.term(terms, *right)).into(),
            TermKind::AtMost(form, bound) => self.int(terms, *form).le(number(bound)).into(),
            TermKind::Exactly(form, value) => self.int(terms, *form).eq(number(value)).into(),
            TermKind::Sum(constant, parts) => {
                let scaled = parts.iter().map(|(factor, part)| {
                    let part = self.int(terms, *part);
                    if *factor == BigInt::from(1) { part } else { Int::mul(&[number(factor), part]) }
                });
                let mut summands: Vec<Int> = scaled.collect();
                if *constant != BigInt::from(0) {
                    summands.push(number(constant));
                }
                Int::add(&summands).into()
            }
            TermKind::Product(factors) => {
                let factors: Vec<Int> = factors.iter().map(|&factor| self.int(terms, factor)).collect();
                Int::mul(&factors).into()
            }
            TermKind::Divide(inner, divisor) => self.int(terms, *inner).div(number(divisor)).into(),
            TermKind::Modulo(inner, divisor) => self.int(terms, *inner).modulo(number(divisor)).into(),
            TermKind::Bitwise(operation, operands) => self.bitwise(terms, *operation, operands),
            TermKind::Select(array, index) => {
                let index = self.term(terms, *index);
                self.array(terms, *array).select(&index)
            }
            TermKind::Store(array, index, element) => {
                let (index, element) = (self.term(terms, *index), self.term(terms, *element));
                self.array(terms, *array).store(&index, &element).into()
            }
            TermKind::Everywhere(index, element) => {
                let element = self.term(terms, *element);
                Array::const_array(&self.sort(index), &element).into()
            }
            TermKind::ForAll(variables, body) => {
                let bound: Vec<Dynamic> =
                    variables.iter().map(|&variable| self.variable(terms, variable)).collect();
                let bound: Vec<&dyn z3::ast::Ast> =
                    bound.iter().map(|variable| variable as &dyn z3::ast::Ast).collect();
                z3::ast::forall_const(&bound, &[], &self.truth(terms, *body)).into()
            }
        };
        self.done.insert(term, translated.clone());
        translated
    }

    fn bitwise(&mut self, terms: &Terms, operation: BitOperation, operands: &[Term]) -> Dynamic {
        use BitOperation::*;
        let first = self.bits(terms, operands[0]);
        let Some(&second) = operands.get(1) else {
            return match operation {
                Extract(high, low) => first.extract(high, low),
                ExtendZeros(more) => first.zero_ext(more),
                ExtendSign(more) => first.sign_ext(more),
                _ => first.bvnot(),
            }
            .into();
        };
        let second = self.bits(terms, second);
        match operation {
            Add => first.bvadd(second),
            Subtract => first.bvsub(second),
            Multiply => first.bvmul(second),
            DivideUnsigned => first.bvudiv(second),
            RemainderUnsigned => first.bvurem(second),
            DivideSigned => first.bvsdiv(second),
            RemainderSigned => first.bvsrem(second),
            And => first.bvand(second),
            Or => first.bvor(second),
            Xor => first.bvxor(second),
            ShiftLeft => first.bvshl(second),
            ShiftRight => first.bvlshr(second),
            ShiftRightSigned => first.bvashr(second),
            Concatenate => first.concat(second),
            LessUnsigned => return first.bvult(second).into(),
            AtMostUnsigned => return first.bvule(second).into(),
            LessSigned => return first.bvslt(second).into(),
            AtMostSigned => return first.bvsle(second).into(),
            Not | Extract(..) | ExtendZeros(_) | ExtendSign(_) => unreachable!("these have one operand"),
        }
        .into()
    }
}

fn number(value: &BigInt) -> Int {
    Int::from_str(&value.to_string()).expect("digits are a number")
}
