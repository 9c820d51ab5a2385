//! From terms to what they are, as functions of bits.
//!
//! Every term is encoded once and kept, so a term that many others share costs its own operation only. Terms are worked through with a
//! stack of their own: how deep they nest does not matter. Comparisons of sums put what counts negatively on the other side, so that
//! nothing is subtracted.
//!
//! A conjunction that others share is taken apart where it is first part of another one, and gets a diagram of its own only if it is met
//! again; likewise a disjunction, and a sum. So a long row of definitions, each the one before and something more, costs one
//! diagram, not one for each; and since every term is taken apart once at most, no more than twice the operations are made.
//!
//! Quantified variables get bits when they are first met, last in the order. A variable that has bits already is quantified over these:
//! its values inside and outside of the quantifier do not mix, since the result does not depend on them.

use super::circuit::{self, Made};
use super::operate::operate;
use super::{Array, Denotation, Finite, Form, Integer, Layout, Placed, Values, conjoin, disjoin};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;
use tertium_dd::{Bdd, Manager};
use tertium_expr::{BigInt, Sort, Term, TermKind, Terms, Value, Variable};
use tertium_support::StopReason;

/// Why there is no diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// A limit was reached.
    Stopped(StopReason),
    /// There is an array with too many elements.
    Arrays,
    /// This variable has infinitely many values, or too many.
    Unbounded(Variable),
}

impl From<StopReason> for EncodeError {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

/// Encodes terms of one store, which it has or borrows, over one layout.
#[derive(Debug)]
pub struct Encoder<T> {
    terms: T,
    manager: Manager,
    layout: Layout,
    /// Variables that are constants here, whether they have bits or not.
    fixed: FxHashMap<Variable, Denotation>,
    /// What is known already.
    done: FxHashMap<Term, Denotation>,
    /// Those of the known terms that are not shared.
    passing: Vec<Term>,
    /// Conjunctions, disjunctions and sums that were taken apart as parts of others.
    taken_apart: FxHashSet<Term>,
}

/// A term that waits for what it is made of.
struct Waiting {
    term: Term,
    /// How it is made, once that was looked at.
    plan: Option<Plan>,
}

/// How the denotation of a term is made of others.
enum Plan {
    /// The second where the first holds, else the third.
    Choice(Term, Term, Term),
    /// The conjunction of all, or the disjunction.
    Junction { parts: Vec<Term>, and: bool },
    /// The linear combination.
    Sum(Linear),
    /// That a linear combination is a number, or at most the number.
    Comparison { form: Linear, equal: bool, number: BigInt },
    /// As its kind says.
    Kind(TermKind),
}

/// A number and multiples of terms.
struct Linear {
    constant: BigInt,
    parts: Vec<(BigInt, Term)>,
}

impl<T: Deref<Target = Terms>> Encoder<T> {
    /// Nothing is encoded yet.
    pub fn new(terms: T, manager: &Manager, layout: Layout) -> Self {
        Self {
            terms,
            manager: manager.clone(),
            layout,
            fixed: FxHashMap::default(),
            done: FxHashMap::default(),
            passing: Vec::new(),
            taken_apart: FxHashSet::default(),
        }
    }

    /// The store of the terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The owner of the diagrams.
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// The bits of the variables.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Forgets what was encoded, so that diagrams that nobody else holds can go.
    pub fn forget(&mut self) {
        self.done.clear();
        self.passing.clear();
        self.taken_apart.clear();
    }

    /// Forgets what was encoded, but for terms that are shared: see [`Terms::share`]. Whatever was encoded is forgotten
    /// once, so this can be said after each of many terms.
    pub fn forget_passing(&mut self) {
        for term in self.passing.drain(..) {
            self.done.remove(&term);
        }
    }

    /// Says which bits stand for a variable. If these were others before, what was encoded is forgotten.
    pub fn place(&mut self, variable: Variable, placed: Placed) {
        if self.layout.get(variable).is_some_and(|known| known.bits() != placed.bits()) {
            self.forget();
        }
        self.layout.insert(variable, placed);
    }

    /// From here on these variables are constants, whether they have bits or not, and no others are. What was encoded before is
    /// forgotten.
    pub fn fix<'v>(
        &mut self,
        values: impl IntoIterator<Item = (Variable, &'v Value)>,
    ) -> Result<(), EncodeError> {
        self.forget();
        self.fixed.clear();
        for (variable, value) in values {
            let value = Denotation::constant(&self.manager, value).ok_or(EncodeError::Arrays)?;
            self.fixed.insert(variable, value);
        }
        Ok(())
    }

    /// Where a truth value holds.
    pub fn truth(&mut self, term: Term) -> Result<Bdd, EncodeError> {
        debug_assert_eq!(self.terms.sort(term), Sort::Bool, "a truth value is asked for");
        match self.denotation(term)? {
            Denotation::Truth(holds) => Ok(holds),
            _ => unreachable!("terms of sort Bool are truth values"),
        }
    }

    /// What a term is.
    pub fn denotation(&mut self, root: Term) -> Result<Denotation, EncodeError> {
        let mut waiting = vec![Waiting { term: root, plan: None }];
        while let Some(last) = waiting.last_mut() {
            let term = last.term;
            if self.done.contains_key(&term) {
                waiting.pop();
            } else if let Some(plan) = &last.plan {
                let made = self.follow(term, plan)?;
                self.done.insert(term, made);
                if !self.terms.is_shared(term) {
                    self.passing.push(term);
                }
                waiting.pop();
            } else {
                let plan = self.plan(term)?;
                let operands = Self::read_by(&plan);
                last.plan = Some(plan);
                let open = operands.into_iter().filter(|operand| !self.done.contains_key(operand));
                waiting.extend(open.map(|term| Waiting { term, plan: None }));
            }
        }
        Ok(self.done[&root].clone())
    }

    /// How a term is made. Quantified variables get bits, and conjunctions and disjunctions are taken apart.
    fn plan(&mut self, term: Term) -> Result<Plan, EncodeError> {
        if let Some((condition, then, otherwise)) = self.terms.choice(term) {
            return Ok(Plan::Choice(condition, then, otherwise));
        }
        Ok(match self.terms.kind(term) {
            TermKind::And(parts) => {
                Plan::Junction { parts: self.gathered(parts.into_vec(), true), and: true }
            }
            TermKind::Or(parts) => {
                Plan::Junction { parts: self.gathered(parts.into_vec(), false), and: false }
            }
            TermKind::Sum(constant, parts) => Plan::Sum(self.gathered_sum(constant, parts.into_vec())),
            TermKind::AtMost(form, number) => {
                Plan::Comparison { form: self.compared(form), equal: false, number }
            }
            TermKind::Exactly(form, number) => {
                Plan::Comparison { form: self.compared(form), equal: true, number }
            }
            kind => {
                if let TermKind::ForAll(variables, _) = &kind {
                    self.give_bits(variables)?;
                }
                Plan::Kind(kind)
            }
        })
    }

    /// The parts of a conjunction, or else of a disjunction, with those of the parts that are of the same kind and are met for the first
    /// time in place of these.
    fn gathered(&mut self, parts: Vec<Term>, and: bool) -> Vec<Term> {
        let mut found = Vec::with_capacity(parts.len());
        let mut open = parts;
        open.reverse();
        while let Some(part) = open.pop() {
            if !self.done.contains_key(&part)
                && let Some(inner) = self.inside(part, and)
                && self.taken_apart.insert(part)
            {
                open.extend(inner.into_vec().into_iter().rev());
            } else {
                found.push(part);
            }
        }
        found
    }

    /// What is compared, a sum in its parts.
    fn compared(&mut self, form: Term) -> Linear {
        match self.terms.kind(form) {
            TermKind::Sum(constant, parts) => self.gathered_sum(constant, parts.into_vec()),
            _ => Linear { constant: BigInt::ZERO, parts: vec![(BigInt::from(1), form)] },
        }
    }

    /// The parts of a sum, with those of the parts that are sums and are met for the first time in place of these.
    fn gathered_sum(&mut self, mut constant: BigInt, parts: Vec<(BigInt, Term)>) -> Linear {
        let mut found: BTreeMap<Term, BigInt> = BTreeMap::new();
        let mut open = parts;
        while let Some((factor, part)) = open.pop() {
            if !self.done.contains_key(&part)
                && let TermKind::Sum(more, inner) = self.terms.kind(part)
                && self.taken_apart.insert(part)
            {
                constant += &factor * more;
                open.extend(inner.into_vec().into_iter().map(|(own, term)| (own * &factor, term)));
            } else {
                *found.entry(part).or_default() += factor;
            }
        }
        found.retain(|_, factor| *factor != BigInt::ZERO);
        Linear { constant, parts: found.into_iter().map(|(term, factor)| (factor, term)).collect() }
    }

    /// The parts of a term that is a conjunction, or else a disjunction, and no choice.
    fn inside(&self, term: Term, and: bool) -> Option<Box<[Term]>> {
        match self.terms.kind(term) {
            TermKind::And(inner) if and && self.terms.choice(term).is_none() => Some(inner),
            TermKind::Or(inner) if !and => Some(inner),
            _ => None,
        }
    }

    fn follow(&mut self, term: Term, plan: &Plan) -> Result<Denotation, EncodeError> {
        match plan {
            Plan::Choice(condition, then, otherwise) => Ok(self.choose(*condition, *then, *otherwise)?),
            Plan::Junction { parts, and: true } => {
                Ok(Denotation::Truth(conjoin(&self.manager, self.known_truths(parts))?))
            }
            Plan::Junction { parts, and: false } => {
                Ok(Denotation::Truth(disjoin(&self.manager, self.known_truths(parts))?))
            }
            Plan::Sum(form) => Ok(Denotation::Number(self.combination(&form.constant, &form.parts)?)),
            Plan::Comparison { form, equal, number } => {
                let (positive, negative) = self.sides(form, number)?;
                Ok(Denotation::Truth(if *equal {
                    positive.equal(&negative)?
                } else {
                    negative.less(&positive)?.not()
                }))
            }
            Plan::Kind(kind) => self.encode(term, kind),
        }
    }

    /// The terms whose denotations one is made of.
    fn read_by(plan: &Plan) -> Vec<Term> {
        match plan {
            Plan::Choice(condition, then, otherwise) => vec![*condition, *then, *otherwise],
            Plan::Junction { parts, .. } => parts.clone(),
            Plan::Sum(form) | Plan::Comparison { form, .. } => {
                form.parts.iter().map(|(_, part)| *part).collect()
            }
            Plan::Kind(kind) => kind.operands(),
        }
    }

    /// The code of a term among these values. Anything where it is none of them.
    pub fn code(&mut self, term: Term, values: &Values) -> Result<Vec<Bdd>, EncodeError> {
        let denotation = self.denotation(term)?;
        Ok(code_of(&self.manager, &denotation, values)?)
    }

    /// The codes of a term of a form, one for each place. Anything where it is none of its values.
    pub fn codes(&mut self, term: Term, form: &Form) -> Result<Vec<Vec<Bdd>>, EncodeError> {
        let denotation = self.denotation(term)?;
        Ok(codes_of(&self.manager, &denotation, form)?)
    }

    /// Where a term is none of the values of a form.
    pub fn outside(&mut self, term: Term, form: &Form) -> Result<Bdd, EncodeError> {
        let denotation = self.denotation(term)?;
        Ok(outside_of(&self.manager, &denotation, form)?)
    }

    fn encode(&mut self, term: Term, kind: &TermKind) -> Result<Denotation, EncodeError> {
        let manager = self.manager.clone();
        let truth = |made: Made<Bdd>| Ok(Denotation::Truth(made?));
        match kind {
            TermKind::Bool(value) => Ok(Denotation::Truth(manager.constant(*value))),
            TermKind::Int(value) => Ok(Denotation::Number(Integer::constant(&manager, value))),
            TermKind::Bits(..) | TermKind::Constant(..) => {
                let value = self.terms.as_value(term).expect("constants have values");
                Denotation::constant(&manager, &value).ok_or(EncodeError::Arrays)
            }
            TermKind::Variable(variable) => match (self.fixed.get(variable), self.layout.get(*variable)) {
                (Some(fixed), _) => Ok(fixed.clone()),
                (None, Some(placed)) => Ok(placed.denotation(&manager)?),
                (None, None) => Err(EncodeError::Unbounded(*variable)),
            },
            TermKind::Not(inner) => Ok(Denotation::Truth(self.known_truth(*inner).not())),
            TermKind::And(_)
            | TermKind::Or(_)
            | TermKind::Sum(..)
            | TermKind::AtMost(..)
            | TermKind::Exactly(..) => unreachable!("what is gathered has a plan of its own"),
            TermKind::If(condition, then, otherwise) => Ok(self.choose(*condition, *then, *otherwise)?),
            TermKind::Equal(left, right) => {
                truth(Denotation::same(&manager, &self.done[left], &self.done[right]))
            }
            TermKind::Product(factors) => {
                let mut product = Integer::constant(&manager, &BigInt::from(1));
                for factor in factors {
                    product = product.multiply(self.known_number(*factor))?;
                }
                Ok(Denotation::Number(product))
            }
            TermKind::Divide(term, divisor) => {
                Ok(Denotation::Number(self.known_number(*term).divide_floor(divisor)?.0))
            }
            TermKind::Modulo(term, divisor) => {
                Ok(Denotation::Number(self.known_number(*term).divide_floor(divisor)?.1))
            }
            TermKind::Bitwise(operation, operands) => {
                let operands: Vec<&[Bdd]> =
                    operands.iter().map(|&operand| self.known_bits(operand)).collect();
                Ok(operate(&manager, *operation, &operands)?)
            }
            TermKind::Select(array, index) => {
                let array = self.known_array(*array);
                Ok(match self.terms.as_value(*index) {
                    Some(index) => array.at(&manager, &index)?,
                    None => array.select(&manager, &self.done[index])?,
                })
            }
            TermKind::Store(array, index, element) => {
                let (array, element) = (self.known_array(*array), &self.done[element]);
                let made = match self.terms.as_value(*index) {
                    Some(index) => array.stored_at(&manager, &index, element)?,
                    None => array.stored(&manager, &self.done[index], element)?,
                };
                Ok(Denotation::Array(Rc::new(made)))
            }
            TermKind::Everywhere(index, element) => {
                let made = Array::everywhere(index, &self.done[element]).ok_or(EncodeError::Arrays)?;
                Ok(Denotation::Array(Rc::new(made)))
            }
            TermKind::ForAll(variables, body) => self.for_all(variables, *body),
        }
    }

    fn choose(&self, condition: Term, then: Term, otherwise: Term) -> Made<Denotation> {
        Denotation::choose(self.known_truth(condition), &self.done[&then], &self.done[&otherwise])
    }

    /// Gives quantified variables bits, if they have none.
    fn give_bits(&mut self, variables: &[Variable]) -> Result<(), EncodeError> {
        for &variable in variables {
            if self.layout.get(variable).is_none() {
                let values = Values::of_sort(&self.terms.sort_of(variable));
                let values = values.ok_or(EncodeError::Unbounded(variable))?;
                let bits = (0..values.width()).map(|_| self.manager.add_var()).collect();
                self.layout.insert(variable, Finite { values, bits });
            }
        }
        Ok(())
    }

    fn for_all(&mut self, variables: &[Variable], body: Term) -> Result<Denotation, EncodeError> {
        let (mut bits, mut valid) = (Vec::new(), self.manager.constant(true));
        for variable in variables {
            let placed = self.layout.get(*variable).expect("quantified variables were given bits");
            let all = Values::of_sort(&self.terms.sort_of(*variable));
            let finite = match placed {
                Placed::One(finite) if all.as_ref() == Some(&finite.values) => finite,
                // It has fewer values elsewhere than its sort has, or is an array.
                _ => return Err(EncodeError::Unbounded(*variable)),
            };
            if self.fixed.contains_key(variable) {
                return Err(EncodeError::Unbounded(*variable));
            }
            valid = valid.and(&finite.valid(&self.manager)?)?;
            bits.extend(finite.bits.iter().copied());
        }
        let bits = self.manager.var_set(bits)?;
        let fails = valid.diff(self.known_truth(body))?.exists(&bits)?;
        Ok(Denotation::Truth(fails.not()))
    }

    /// What counts positively in a combination, and what counts negatively together with a bound.
    fn sides(&self, form: &Linear, bound: &BigInt) -> Made<(Integer, Integer)> {
        let (positive, negative): (Vec<_>, Vec<_>) =
            form.parts.iter().cloned().partition(|(factor, _)| *factor > BigInt::ZERO);
        let negative: Vec<_> = negative.into_iter().map(|(factor, term)| (-factor, term)).collect();
        Ok((self.combination(&form.constant, &positive)?, self.combination(bound, &negative)?))
    }

    /// A number plus multiples of terms.
    fn combination(&self, constant: &BigInt, parts: &[(BigInt, Term)]) -> Made<Integer> {
        let one = BigInt::from(1);
        let mut total = Integer::constant(&self.manager, constant);
        for (factor, term) in parts {
            let number = self.known_number(*term);
            total = if *factor == one {
                total.add(number)?
            } else {
                total.add(&number.multiply(&Integer::constant(&self.manager, factor))?)?
            };
        }
        Ok(total)
    }

    fn known_truths(&self, terms: &[Term]) -> impl Iterator<Item = &Bdd> {
        terms.iter().map(|&term| self.known_truth(term))
    }

    fn known_truth(&self, term: Term) -> &Bdd {
        match &self.done[&term] {
            Denotation::Truth(holds) => holds,
            _ => unreachable!("terms of sort Bool are truth values"),
        }
    }

    fn known_number(&self, term: Term) -> &Integer {
        match &self.done[&term] {
            Denotation::Number(number) => number,
            _ => unreachable!("terms of sort Int are numbers"),
        }
    }

    fn known_array(&self, term: Term) -> &Array {
        match &self.done[&term] {
            Denotation::Array(array) => array,
            _ => unreachable!("terms of array sorts are arrays"),
        }
    }

    fn known_bits(&self, term: Term) -> &[Bdd] {
        match &self.done[&term] {
            Denotation::Bits(bits) => bits,
            _ => unreachable!("bit-vectors are bits"),
        }
    }
}

/// The code among these values. Anything where it is none of them.
fn code_of(manager: &Manager, denotation: &Denotation, values: &Values) -> Made<Vec<Bdd>> {
    let width = values.width();
    Ok(match (denotation, values) {
        (Denotation::Truth(holds), _) => vec![holds.clone()],
        (Denotation::Bits(bits), _) => bits.clone(),
        (Denotation::Number(number), Values::Range(low, _)) => {
            number.subtract(&Integer::constant(manager, low))?.cut(width)
        }
        (Denotation::Number(number), Values::Numbers(numbers)) => {
            let mut code = circuit::constant(manager, 0, width);
            for (nth, one) in numbers.iter().enumerate().filter(|(nth, _)| *nth > 0) {
                let here = number.equal(&Integer::constant(manager, one))?;
                for (_, bit) in code.iter_mut().enumerate().filter(|(place, _)| nth >> place & 1 == 1) {
                    *bit = bit.or(&here)?;
                }
            }
            code
        }
        (Denotation::Number(_), _) => unreachable!("numbers have codes in ranges and sets of numbers"),
        (Denotation::Array(_), _) => unreachable!("arrays have codes by element"),
    })
}

fn codes_of(manager: &Manager, denotation: &Denotation, form: &Form) -> Made<Vec<Vec<Bdd>>> {
    match (form, denotation) {
        (Form::One(values), _) => Ok(vec![code_of(manager, denotation, values)?]),
        (Form::Array(form), Denotation::Array(array)) => {
            let mut codes = Vec::new();
            for at in &form.indices {
                codes.extend(codes_of(manager, &array.at(manager, at)?, &form.element)?);
            }
            Ok(codes)
        }
        (Form::Array(_), _) => unreachable!("terms of array sorts are arrays"),
    }
}

fn outside_of(manager: &Manager, denotation: &Denotation, form: &Form) -> Made<Bdd> {
    match (form, denotation) {
        (Form::One(Values::Range(low, high)), Denotation::Number(number)) => number.outside(low, high),
        (Form::One(Values::Numbers(numbers)), Denotation::Number(number)) => {
            let mut found = manager.constant(false);
            for one in numbers {
                found = found.or(&number.equal(&Integer::constant(manager, one))?)?;
            }
            Ok(found.not())
        }
        (Form::One(_), _) => Ok(manager.constant(false)),
        (Form::Array(form), Denotation::Array(array)) => {
            let (mut elements, mut outside) = (BTreeMap::new(), Vec::new());
            for at in &form.indices {
                let element = array.at(manager, at)?;
                outside.push(outside_of(manager, &element, &form.element)?);
                elements.insert(at.clone(), element);
            }
            // Elsewhere it has the one value that arrays of this form have there.
            if let Some(value) = &form.elsewhere {
                let value = Denotation::constant(manager, value).expect("a value of a form has few indices");
                outside.push(array.same(manager, &Array::listed(elements, Some(value)))?.not());
            }
            disjoin(manager, &outside)
        }
        (Form::Array(_), _) => unreachable!("terms of array sorts are arrays"),
    }
}
