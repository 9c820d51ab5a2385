//! Our terms to Z3's. Each is translated once.
//!
//! Reading our terms and making Z3's are two steps: the second happens inside a context of Z3, where our store cannot go.
//!
//! Quantified variables that can be eliminated are: beside an array, Z3 can take a second to give up on what is plain without them.

use rustc_hash::{FxHashMap, FxHashSet};
use std::str::FromStr;
use std::sync::Arc;
use tertium_expr::{BigInt, BitOperation, Enumeration, Sort, Term, TermKind, Terms, Variable};
use z3::ast::{Array, BV, Bool, Dynamic, Int};

/// How many comparisons are looked at to say a quantified term with fewer variables.
const MOST_COMPARISONS: usize = 256;

/// What was translated, and how variables and enumerations are called over there.
#[derive(Default)]
pub(super) struct Translation {
    done: FxHashMap<Term, Dynamic>,
    /// Whether quantified variables stay.
    keeps_quantified: bool,
    pub(super) variables: FxHashMap<Variable, Dynamic>,
    pub(super) enumerations: FxHashMap<Arc<Enumeration>, (z3::Sort, Vec<Dynamic>)>,
}

/// A term to translate.
pub(super) enum Planned {
    /// With the names and sorts of variables in it.
    New { term: Term, kind: TermKind, variables: Vec<(Variable, String, Sort)> },
    /// As another, which says the same.
    Same { term: Term, other: Term },
}

impl Translation {
    /// From now on, quantified variables stay.
    pub(super) fn keep_quantified(&mut self) {
        self.keeps_quantified = true;
    }

    /// What has to be translated for a term, the parts first.
    pub(super) fn plan(&self, terms: &Terms, term: Term) -> Vec<Planned> {
        let mut plan = Vec::new();
        let mut planned = FxHashSet::default();
        // A term, and once its parts are planned, what it is translated as.
        let mut path = vec![(term, None)];
        while let Some((term, plainer)) = path.pop() {
            if self.done.contains_key(&term) || planned.contains(&term) {
                continue;
            }
            if let Some(plainer) = plainer {
                planned.insert(term);
                plan.push(Planned::new(terms, term, plainer));
                continue;
            }
            let plainer = if self.keeps_quantified {
                term
            } else {
                terms.with_fewer_quantified(term, MOST_COMPARISONS)
            };
            path.push((term, Some(plainer)));
            if plainer == term {
                path.extend(terms.kind(term).operands().into_iter().rev().map(|part| (part, None)));
            } else {
                path.push((plainer, None));
            }
        }
        plan
    }

    /// Translates what was planned, inside the context of Z3 where the rest is.
    pub(super) fn follow(&mut self, plan: Vec<Planned>) {
        for planned in plan {
            let (term, translated) = match planned {
                Planned::New { term, kind, variables } => {
                    for (variable, name, sort) in variables {
                        self.declare(variable, &name, &sort);
                    }
                    (term, self.translate(&kind))
                }
                Planned::Same { term, other } => (term, self.term(other)),
            };
            self.done.insert(term, translated);
        }
    }

    pub(super) fn truth(&self, term: Term) -> Bool {
        self.term(term).as_bool().expect("the term is a truth value")
    }

    fn term(&self, term: Term) -> Dynamic {
        self.done.get(&term).expect("parts are translated first").clone()
    }

    fn int(&self, term: Term) -> Int {
        self.term(term).as_int().expect("the term is an integer")
    }

    fn bits(&self, term: Term) -> BV {
        self.term(term).as_bv().expect("the term is a bit-vector")
    }

    fn array(&self, term: Term) -> Array {
        self.term(term).as_array().expect("the term is an array")
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

    /// Sorts of the same name in one context of Z3 would be confused, so their names are numbered.
    fn enumeration(&mut self, of: &Arc<Enumeration>) -> &(z3::Sort, Vec<Dynamic>) {
        let n = self.enumerations.len();
        self.enumerations.entry(Arc::clone(of)).or_insert_with(|| {
            let values: Vec<z3::Symbol> =
                (0..of.values.len()).map(|index| format!("value{n}_{index}").into()).collect();
            let (sort, constants, _) = z3::Sort::enumeration(format!("sort{n}").into(), &values);
            (sort, constants.iter().map(|constant| constant.apply(&[])).collect())
        })
    }

    fn declare(&mut self, variable: Variable, name: &str, sort: &Sort) {
        if !self.variables.contains_key(&variable) {
            let sort = self.sort(sort);
            self.variables.insert(variable, Dynamic::fresh_const(name, &sort));
        }
    }

    fn translate(&mut self, kind: &TermKind) -> Dynamic {
        match kind {
            TermKind::Bool(value) => Bool::from_bool(*value).into(),
            TermKind::Int(value) => number(value).into(),
            TermKind::Bits(width, value) => {
                BV::from_str(*width, &value.to_string()).expect("digits are a number").into()
            }
            TermKind::Constant(of, index) => self.enumeration(of).1[*index].clone(),
            TermKind::Variable(variable) => self.variables[variable].clone(),
            TermKind::Not(inner) => self.truth(*inner).not().into(),
            TermKind::And(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|&part| self.truth(part)).collect();
                Bool::and(&parts).into()
            }
            TermKind::Or(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|&part| self.truth(part)).collect();
                Bool::or(&parts).into()
            }
            TermKind::If(condition, then, otherwise) => {
                let condition = self.truth(*condition);
                condition.ite(&self.term(*then), &self.term(*otherwise))
            }
            TermKind::Equal(left, right) => self.term(*left).eq(self.term(*right)).into(),
            TermKind::AtMost(form, bound) => self.int(*form).le(number(bound)).into(),
            TermKind::Exactly(form, value) => self.int(*form).eq(number(value)).into(),
            TermKind::Sum(constant, parts) => {
                let scaled = parts.iter().map(|(factor, part)| {
                    let part = self.int(*part);
                    if *factor == BigInt::from(1) { part } else { Int::mul(&[number(factor), part]) }
                });
                let mut summands: Vec<Int> = scaled.collect();
                if *constant != BigInt::from(0) {
                    summands.push(number(constant));
                }
                Int::add(&summands).into()
            }
            TermKind::Product(factors) => {
                let factors: Vec<Int> = factors.iter().map(|&factor| self.int(factor)).collect();
                Int::mul(&factors).into()
            }
            TermKind::Divide(inner, divisor) => self.int(*inner).div(number(divisor)).into(),
            TermKind::Modulo(inner, divisor) => self.int(*inner).modulo(number(divisor)).into(),
            TermKind::Bitwise(operation, operands) => self.bitwise(*operation, operands),
            TermKind::Select(array, index) => {
                let index = self.term(*index);
                self.array(*array).select(&index)
            }
            TermKind::Store(array, index, element) => {
                let (index, element) = (self.term(*index), self.term(*element));
                self.array(*array).store(&index, &element).into()
            }
            TermKind::Everywhere(index, element) => {
                let element = self.term(*element);
                Array::const_array(&self.sort(index), &element).into()
            }
            TermKind::ForAll(variables, body) => {
                let bound: Vec<Dynamic> =
                    variables.iter().map(|variable| self.variables[variable].clone()).collect();
                let bound: Vec<&dyn z3::ast::Ast> =
                    bound.iter().map(|variable| variable as &dyn z3::ast::Ast).collect();
                z3::ast::forall_const(&bound, &[], &self.truth(*body)).into()
            }
        }
    }

    fn bitwise(&self, operation: BitOperation, operands: &[Term]) -> Dynamic {
        use BitOperation::*;
        let first = self.bits(operands[0]);
        let Some(&second) = operands.get(1) else {
            return match operation {
                Extract(high, low) => first.extract(high, low),
                ExtendZeros(more) => first.zero_ext(more),
                ExtendSign(more) => first.sign_ext(more),
                _ => first.bvnot(),
            }
            .into();
        };
        let second = self.bits(second);
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

impl Planned {
    fn new(terms: &Terms, term: Term, plainer: Term) -> Self {
        if plainer != term {
            return Self::Same { term, other: plainer };
        }
        let kind = terms.kind(term);
        let variables = match &kind {
            TermKind::Variable(variable) => vec![*variable],
            TermKind::ForAll(variables, _) => variables.to_vec(),
            _ => Vec::new(),
        };
        let variables = variables.into_iter();
        let variables = variables.map(|own| (own, terms.name(own), terms.sort_of(own))).collect();
        Self::New { term, kind, variables }
    }
}

fn number(value: &BigInt) -> Int {
    Int::from_str(&value.to_string()).expect("digits are a number")
}
