//! That a value is one of those that an expression stands for.
//!
//! Sets are written in set literals, mostly inside `case`. Both are taken apart before the target is compared, so that the size of
//! the result is the sum of the sizes of the sets, and not their product.

use super::evaluate::{Evaluator, When};
use super::scalar::{Alternative, Meaning, Scalar};
use super::slot::{among, outside};
use crate::{Expr, ExprKind, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use tertium_expr::{Term, Terms};
use tertium_program::Predicate;
use tertium_support::Id;

/// What was found for definitions, by their number.
type Known = FxHashMap<usize, Predicate>;

/// What is compared with a set.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    target: &'a Meaning,
    /// Values outside of this type are faults.
    ty: Option<&'a Type>,
    when: When,
}

impl Evaluator<'_> {
    /// That the target is one of the values of an expression. A value that is not of the type is a fault.
    pub(super) fn assigned(&self, target: &Meaning, ty: &Type, expr: &Expr, when: When) -> Predicate {
        self.prepare(expr, when);
        self.among(Wanted { target, ty: Some(ty), when }, expr)
    }

    /// That all values of `left` are among those of an expression.
    pub(super) fn subset(&self, left: &Meaning, right: &Expr, when: When) -> Predicate {
        let (mut all, mut faults) = (Vec::new(), vec![left.fault]);
        for Alternative { guard, scalar } in &left.alternatives {
            let target = Meaning::one(&self.terms, scalar.clone());
            let wanted = Wanted { target: &target, ty: None, when };
            let one = self.among(wanted, right);
            all.push(self.terms.implies(*guard, one.holds));
            faults.push(one.fault);
        }
        Predicate { holds: self.terms.and(all), fault: self.terms.or(faults) }
    }

    /// Each definition on the way is looked at once, after those that it uses: definitions that name others twice cost no more than what
    /// is written, and long rows of them need no deep recursion.
    fn among(&self, wanted: Wanted<'_>, expr: &Expr) -> Predicate {
        let mut known = Known::default();
        for define in self.defines_of_sets(expr) {
            let found = self.member(wanted, &self.model.defines[define].body, &known);
            known.insert(define, found);
        }
        self.member(wanted, expr, &known)
    }

    /// The definitions with sets whose elements may be elements of an expression, each after those it uses.
    fn defines_of_sets(&self, expr: &Expr) -> Vec<usize> {
        let mut found = FxHashSet::default();
        let mut waiting = vec![expr];
        while let Some(expr) = waiting.pop() {
            match &expr.kind {
                ExprKind::Define(id) if self.has_set(expr) && found.insert(id.index()) => {
                    waiting.push(&self.model.defines[id.index()].body);
                }
                ExprKind::Set(elements) => waiting.extend(elements),
                ExprKind::Case(branches) => waiting.extend(branches.iter().map(|(_, value)| value)),
                _ => {}
            }
        }
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    fn member(&self, wanted: Wanted<'_>, expr: &Expr, known: &Known) -> Predicate {
        match &expr.kind {
            ExprKind::Set(elements) => self.member_of_set(wanted, elements, known),
            ExprKind::Define(id) if known.contains_key(&id.index()) => known[&id.index()],
            ExprKind::Case(branches) if self.has_set(expr) => {
                let mut found =
                    Predicate { holds: self.terms.boolean(false), fault: self.terms.boolean(true) };
                for (condition, value) in branches.iter().rev() {
                    let decided =
                        self.meaning(condition, wanted.when).truth(&self.terms).determined(&self.terms);
                    let here = self.member(wanted, value, known);
                    let fault = self.terms.ite(decided.holds, here.fault, found.fault);
                    found = Predicate {
                        holds: self.terms.ite(decided.holds, here.holds, found.holds),
                        fault: self.terms.or([fault, decided.fault]),
                    };
                }
                found
            }
            _ => {
                let value = self.meaning(expr, wanted.when);
                compare(&self.terms, wanted, &value)
            }
        }
    }

    /// Constant integers are taken together, since many of them are ranges.
    fn member_of_set(&self, wanted: Wanted<'_>, elements: &[Expr], known: &Known) -> Predicate {
        let (mut cases, mut faults, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for element in elements {
            match element.kind {
                ExprKind::Constant(Value::Integer(n))
                    if wanted.ty.is_none_or(|ty| crate::interpret::contains(ty, Value::Integer(n))) =>
                {
                    numbers.push(n);
                }
                _ => {
                    let one = self.member(wanted, element, known);
                    cases.push(one.holds);
                    faults.push(one.fault);
                }
            }
        }
        for Alternative { guard, scalar } in &wanted.target.alternatives {
            if let Scalar::Integer(number) = scalar {
                cases.push(self.terms.and([*guard, among(&self.terms, number.term, numbers.clone())]));
            }
        }
        Predicate { holds: self.terms.or(cases), fault: self.terms.or(faults) }
    }
}

/// That the target equals one of the alternatives.
fn compare(terms: &Terms, wanted: Wanted<'_>, value: &Meaning) -> Predicate {
    let mut cases: Vec<Term> = Vec::new();
    let mut faults = vec![value.fault];
    for b in &value.alternatives {
        for a in &wanted.target.alternatives {
            cases.push(terms.and([a.guard, b.guard, a.scalar.equal(&b.scalar, terms)]));
        }
        if let Some(ty) = wanted.ty {
            faults.push(terms.and([b.guard, outside(terms, ty, &b.scalar)]));
        }
    }
    Predicate { holds: terms.or(cases), fault: terms.or(faults) }
}
