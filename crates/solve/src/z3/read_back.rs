//! Z3's formulas to terms of ours, as far as we have such.

use rustc_hash::FxHashMap;
use tertium_expr::{BigInt, BitOperation, Sort, Term, Terms, Variable};
use z3::ast::{Ast, Dynamic};
use z3::{AstKind, DeclKind, SortKind};

/// What constants stand for.
pub(super) type Vocabulary = Vec<(Dynamic, Variable)>;

/// Formulas being read.
pub(super) struct Reading<'a> {
    terms: &'a Terms,
    done: FxHashMap<Dynamic, Term>,
}

/// More parts than this are not read.
const MOST: usize = 20_000;

impl<'a> Reading<'a> {
    /// With these constants.
    pub(super) fn new(terms: &'a Terms, vocabulary: &Vocabulary) -> Self {
        let known = vocabulary.iter().map(|(constant, own)| (constant.clone(), terms.variable(*own)));
        Self { terms, done: known.collect() }
    }

    /// The term that says the same; nothing if we have none.
    pub(super) fn term(&mut self, formula: &Dynamic) -> Option<Term> {
        let mut open = vec![formula.clone()];
        while let Some(last) = open.last().cloned() {
            if self.done.contains_key(&last) {
                open.pop();
                continue;
            }
            if self.done.len() > MOST {
                return None;
            }
            if last.kind() == AstKind::Numeral {
                let number = self.number(&last)?;
                self.done.insert(last, number);
                open.pop();
                continue;
            }
            if last.kind() != AstKind::App {
                return None;
            }
            let children = last.children();
            let before = open.len();
            open.extend(children.iter().filter(|child| !self.done.contains_key(child)).cloned());
            if open.len() > before {
                continue;
            }
            let operands: Vec<Term> = children.iter().map(|child| self.done[child]).collect();
            let term = self.applied(&last, &operands)?;
            self.done.insert(last, term);
            open.pop();
        }
        Some(self.done[formula])
    }

    fn number(&self, numeral: &Dynamic) -> Option<Term> {
        match numeral.sort_kind() {
            SortKind::Int => {
                let int = numeral.as_int()?;
                let value = int.as_i64().map(BigInt::from).or_else(|| {
                    let text = int.to_string();
                    match text.strip_prefix("(- ") {
                        Some(rest) => rest.strip_suffix(')')?.parse::<BigInt>().ok().map(|value| -value),
                        None => text.parse().ok(),
                    }
                })?;
                Some(self.terms.integer(value))
            }
            SortKind::Bv => {
                let bits = numeral.as_bv()?;
                Some(self.terms.bits(bits.get_size(), u128::from(bits.as_u64()?)))
            }
            _ => None,
        }
    }

    fn applied(&self, formula: &Dynamic, operands: &[Term]) -> Option<Term> {
        let terms = self.terms;
        let all = || operands.iter().copied();
        let is_int = |term: Term| terms.sort(term) == Sort::Int;
        let numbers = || operands.iter().all(|&operand| is_int(operand));
        Some(match (formula.safe_decl().ok()?.kind(), operands) {
            (DeclKind::True, []) => terms.boolean(true),
            (DeclKind::False, []) => terms.boolean(false),
            (DeclKind::And, _) => terms.and(all()),
            (DeclKind::Or, _) => terms.or(all()),
            (DeclKind::Not, &[inner]) => terms.not(inner),
            (DeclKind::Implies, &[left, right]) => terms.implies(left, right),
            (DeclKind::Eq | DeclKind::Iff, &[left, right]) if terms.sort(left) == terms.sort(right) => {
                terms.equal(left, right)
            }
            (DeclKind::Distinct, &[left, right]) | (DeclKind::Xor, &[left, right])
                if terms.sort(left) == terms.sort(right) =>
            {
                terms.not(terms.equal(left, right))
            }
            (DeclKind::Ite, &[condition, then, otherwise]) => terms.ite(condition, then, otherwise),
            (DeclKind::Le, &[left, right]) if numbers() => terms.at_most(left, right),
            (DeclKind::Ge, &[left, right]) if numbers() => terms.at_most(right, left),
            (DeclKind::Lt, &[left, right]) if numbers() => terms.less(left, right),
            (DeclKind::Gt, &[left, right]) if numbers() => terms.less(right, left),
            (DeclKind::Add, _) if numbers() => terms.sum(all()),
            (DeclKind::Sub, &[left, right]) if numbers() => terms.difference(left, right),
            (DeclKind::Uminus, &[inner]) if numbers() => terms.scaled(-1, inner),
            (DeclKind::Mul, &[first, ..]) if numbers() => {
                operands[1..].iter().fold(first, |product, &factor| terms.product(product, factor))
            }
            (DeclKind::Idiv, &[inner, divisor]) => terms.divide(inner, self.positive(divisor)?),
            (DeclKind::Mod | DeclKind::Rem, &[inner, divisor]) => {
                terms.modulo(inner, self.positive(divisor)?)
            }
            (DeclKind::Select, &[array, index]) => terms.select(array, index),
            (DeclKind::Store, &[array, index, element]) => terms.store(array, index, element),
            (kind, _) => return self.bitwise(kind, formula, operands),
        })
    }

    fn positive(&self, divisor: Term) -> Option<BigInt> {
        let value = self.terms.as_value(divisor)?;
        value.as_int().filter(|&value| *value > BigInt::from(0)).cloned()
    }

    fn bitwise(&self, kind: DeclKind, formula: &Dynamic, operands: &[Term]) -> Option<Term> {
        use BitOperation::*;
        let terms = self.terms;
        let chain = |operation| {
            let mut all = operands.iter().copied();
            let first = all.next()?;
            Some(all.fold(first, |left, right| terms.bitwise(operation, &[left, right])))
        };
        let turned = |operation| match *operands {
            [left, right] => Some(terms.bitwise(operation, &[right, left])),
            _ => None,
        };
        match kind {
            DeclKind::Badd => chain(Add),
            DeclKind::Bsub => chain(Subtract),
            DeclKind::Bmul => chain(Multiply),
            DeclKind::Band => chain(And),
            DeclKind::Bor => chain(Or),
            DeclKind::Bxor => chain(Xor),
            DeclKind::Concat => chain(Concatenate),
            DeclKind::Bshl => chain(ShiftLeft),
            DeclKind::Blshr => chain(ShiftRight),
            DeclKind::Bashr => chain(ShiftRightSigned),
            DeclKind::Bnot => Some(terms.bitwise(Not, operands)),
            DeclKind::Ult => chain(LessUnsigned),
            DeclKind::Uleq => chain(AtMostUnsigned),
            DeclKind::Slt => chain(LessSigned),
            DeclKind::Sleq => chain(AtMostSigned),
            DeclKind::Ugt => turned(LessUnsigned),
            DeclKind::Ugeq => turned(AtMostUnsigned),
            DeclKind::Sgt => turned(LessSigned),
            DeclKind::Sgeq => turned(AtMostSigned),
            DeclKind::Extract => {
                let text = formula.to_string();
                let mut numbers = text.strip_prefix("((_ extract ")?.split(')').next()?.split(' ');
                let (high, low) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
                Some(terms.bitwise(Extract(high, low), operands))
            }
            _ => None,
        }
    }
}
