//! Values in sets: whether a value is one of an expression's, whether all of its values are, and which leave a type.
//!
//! Sets are followed to their elements, through `case` and definitions, so that a set of many constants is compared with as
//! ranges and never becomes a list of alternatives. Each definition on the way is looked at once, after those that it
//! uses: definitions that name others twice cost no more than what is written, and long rows of them need no deep recursion.

use super::evaluate::Evaluator;
use super::layout::{When, code_of};
use super::scalar::{Alternative, Meaning, Scalar};
use crate::{Expr, ExprKind, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use tertium_dd::Bdd;
use tertium_encode::diagrams::circuit::Made;
use tertium_support::Id;

/// What is known of definitions that are written with sets.
type Known<T> = FxHashMap<usize, T>;

impl Evaluator<'_> {
    /// Where some value of `target` is one of an expression, and where the expression has no meaning.
    pub(super) fn member(&mut self, target: &Meaning, expr: &Expr, when: When) -> Made<(Bdd, Bdd)> {
        let model = self.model;
        let mut known = Known::default();
        for define in self.defines_of_sets(expr) {
            let found = self.member_of(target, &model.defines[define].body, when, &known)?;
            known.insert(define, found);
        }
        self.member_of(target, expr, when, &known)
    }

    /// Where all values of `target` are among those of an expression, and where one of the two has no meaning.
    pub(super) fn subset(&mut self, target: &Meaning, expr: &Expr, when: When) -> Made<(Bdd, Bdd)> {
        let mut fault = target.fault.clone();
        let mut all = self.manager.constant(true);
        for Alternative { guard, scalar } in &target.alternatives {
            let one = Meaning::one(&self.manager, scalar.clone());
            let (here, undefined) = self.member(&one, expr, when)?;
            all = all.and(&guard.not().or(&here)?)?;
            fault = fault.or(&undefined)?;
        }
        Ok((all, fault))
    }

    /// Where some value of an expression is not of the type.
    pub(super) fn outside(&mut self, ty: &Type, expr: &Expr) -> Made<Bdd> {
        let model = self.model;
        let mut known = Known::default();
        for define in self.defines_of_sets(expr) {
            let found = self.outside_of(ty, &model.defines[define].body, &known)?;
            known.insert(define, found);
        }
        self.outside_of(ty, expr, &known)
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

    fn member_of(
        &mut self,
        target: &Meaning,
        expr: &Expr,
        when: When,
        known: &Known<(Bdd, Bdd)>,
    ) -> Made<(Bdd, Bdd)> {
        let manager = self.manager.clone();
        let empty = manager.constant(false);
        match &expr.kind {
            ExprKind::Set(elements) => {
                let (mut numbers, mut others) = (Vec::new(), Vec::new());
                for element in elements {
                    match element.kind {
                        ExprKind::Constant(Value::Integer(n)) => numbers.push(n),
                        _ => others.push(element),
                    }
                }
                let (mut yes, mut fault) = (in_numbers(target, numbers)?.unwrap_or(empty.clone()), empty);
                for element in others {
                    let (here, undefined) = self.member_of(target, element, when, known)?;
                    yes = yes.or(&here)?;
                    fault = fault.or(&undefined)?;
                }
                Ok((yes, fault))
            }
            ExprKind::Define(id) if known.contains_key(&id.index()) => Ok(known[&id.index()].clone()),
            ExprKind::Case(branches) if self.has_set(expr) => {
                let (mut yes, mut fault) = (empty, manager.constant(true));
                for (condition, value) in branches.iter().rev() {
                    let (holds, undetermined) =
                        self.meaning(condition, when)?.truth(&manager)?.determined()?;
                    let (here, undefined) = self.member_of(target, value, when, known)?;
                    yes = holds.ite(&here, &yes)?;
                    fault = holds.ite(&undefined, &fault)?.or(&undetermined)?;
                }
                Ok((yes, fault))
            }
            _ => {
                let value = self.meaning(expr, when)?;
                let mut yes = empty;
                for a in &target.alternatives {
                    for b in &value.alternatives {
                        let equal = a.scalar.equal(&b.scalar, &manager)?;
                        yes = yes.or(&equal.and(&a.guard)?.and(&b.guard)?)?;
                    }
                }
                Ok((yes, value.fault.clone()))
            }
        }
    }

    fn outside_of(&mut self, ty: &Type, expr: &Expr, known: &Known<Bdd>) -> Made<Bdd> {
        let manager = self.manager.clone();
        let empty = manager.constant(false);
        match &expr.kind {
            ExprKind::Constant(value) => Ok(manager.constant(code_of(ty, *value).is_none())),
            ExprKind::Set(elements) => {
                elements.iter().try_fold(empty, |any, element| any.or(&self.outside_of(ty, element, known)?))
            }
            ExprKind::Define(id) if known.contains_key(&id.index()) => Ok(known[&id.index()].clone()),
            ExprKind::Case(branches) if self.has_set(expr) => {
                let mut outside = empty;
                for (condition, value) in branches.iter().rev() {
                    let (holds, _) = self.truth(condition, When::Now)?;
                    outside = holds.ite(&self.outside_of(ty, value, known)?, &outside)?;
                }
                Ok(outside)
            }
            _ => {
                let value = self.evaluate(expr, When::Now)?;
                let mut any = empty;
                for Alternative { guard, scalar } in &value.alternatives {
                    any = any.or(&guard.and(&self.scalar_code(ty, scalar)?.1)?)?;
                }
                Ok(any)
            }
        }
    }
}

/// Where some integer of `target` is one of the numbers; `None` if there are none.
fn in_numbers(target: &Meaning, mut numbers: Vec<i64>) -> Made<Option<Bdd>> {
    numbers.sort_unstable();
    numbers.dedup();
    // Numbers without a gap need two comparisons only.
    let stretches = numbers.chunk_by(|a, b| b.wrapping_sub(*a) == 1);
    let mut found: Option<Bdd> = None;
    for stretch in stretches {
        let (Some(&low), Some(&high)) = (stretch.first(), stretch.last()) else { continue };
        for Alternative { guard, scalar } in &target.alternatives {
            let here = match scalar {
                Scalar::Integer(number) => number.outside(&low.into(), &high.into())?.not().and(guard)?,
                _ => guard.manager().constant(false),
            };
            found = Some(match found {
                Some(found) => found.or(&here)?,
                None => here,
            });
        }
    }
    Ok(found)
}
