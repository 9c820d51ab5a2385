//! Terms over finite domains as clauses, for the propositional solver.
//!
//! Truth values are literals, bounded integers are numbers in two's complement of exactly the width that their bounds
//! need, enumerations are codes, bit-vectors are themselves. Each term is translated once. The number of clauses is
//! linear in the size of linear arithmetic, and quadratic in the width for products and quotients of bit-vectors.
//! An array is its elements, wherever it can differ from one value. Quantifiers, integers without bounds, and arrays that can differ
//! anywhere are not translated: a question with such is given up.
//!
//! Bounds of integers and of arrays are read off from the questions themselves (`range`), so that nobody has to be believed: a variable is
//! bounded only where the question says so.
//!
//! This is what answers of the decision diagrams are validated with. It shares no code with the encoding of models into diagrams, and
//! must not.
//!
//! | file | holds |
//! |---|---|
//! | `gates` | Boolean gates |
//! | `word` | circuits on bit-vectors |
//! | `number` | bounded integers |
//! | `array` | arrays, element by element |
//! | `meaning` | what terms of any sort are among literals |
//! | `range` | bounds that a question implies |
//! | `sides` | which sides of definitions a question needs |

mod array;
mod gates;
mod meaning;
mod number;
mod range;
mod sides;
mod word;

use crate::sat::{Literal, Sat};
use crate::{Answer, Model};
use array::{Array, MOST_INDICES};
use gates::Gates;
use meaning::{Meaning, code_width};
use number::Number;
use range::{Bounds, Range, bounds, hull, variable_of};
use rustc_hash::{FxHashMap, FxHashSet};
use sides::{Sides, needed};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use tertium_expr::{BigInt, Sort, Term, TermKind, Terms, Value, Variable};
use tertium_support::Context;
use word::Word;

/// Terms translated between two looks at the limits of the run.
const BETWEEN_LOOKS: usize = 1 << 10;

/// A solver for questions about terms over finite domains. It may do so much work in its life as it was given.
pub struct Bits {
    gates: Gates,
    /// Bounds of integers and arrays, wide enough for all questions that were announced.
    announced: Bounds,
    variables: FxHashMap<Variable, Meaning>,
    done: FxHashMap<Term, Meaning>,
    quotients: FxHashMap<(Term, BigInt), (Rc<Number>, Rc<Number>)>,
    /// Definitions that are tied to their parts on the sides that questions needed so far.
    tied: FxHashMap<Variable, Tied>,
}

/// A defined truth value among literals.
#[derive(Clone, Debug)]
struct Tied {
    gate: Literal,
    body: Body,
    sides: Sides,
}

/// What a definition says.
#[derive(Clone, Debug)]
enum Body {
    /// If the first, then the second, else the third.
    Choice([Literal; 3]),
    /// All of these.
    All(Word),
    /// Some of these.
    Any(Word),
    /// Whatever it was, it is tied on both sides.
    Whole,
}

/// Why a term has no translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obstacle {
    /// It is a quantifier, or an integer or array without bounds that we can compute with.
    Unbounded,
    /// The budget is used up, or a limit of the run was reached.
    Ended,
}

/// What is asked: whether all terms can hold together, where each defined variable stands for its definition. Definitions are
/// truth values, in an order in which each uses only those before it.
#[derive(Clone, Copy, Debug)]
pub struct FiniteQuestion<'q> {
    /// The definitions.
    pub defined: &'q [(Variable, Term)],
    /// What is to hold.
    pub together: &'q [Term],
}

impl Bits {
    /// A solver that may do this much work.
    pub fn new(budget: u64) -> Self {
        Self {
            gates: Gates::new(Sat::new(budget)),
            announced: Bounds::default(),
            variables: FxHashMap::default(),
            done: FxHashMap::default(),
            quotients: FxHashMap::default(),
            tied: FxHashMap::default(),
        }
    }

    /// Says that terms will be asked about: their variables get room for the values that these can have. A question that needs more room
    /// than was announced before its variables were first met is given up.
    pub fn announce(&mut self, terms: &Terms, together: &[Term]) {
        let found = bounds(terms, together);
        // A variable that was met has the room that it has.
        let is_new = |&place: &Term| {
            variable_of(terms, place).is_some_and(|variable| !self.variables.contains_key(&variable))
        };
        for (place, range) in found.integers.into_iter().filter(|(place, _)| is_new(place)) {
            let own = self.announced.integers.entry(place).or_insert(range);
            *own = widened(*own, range);
        }
        for (place, listed) in found.arrays.into_iter().filter(|(place, _)| is_new(place)) {
            let own = self.announced.arrays.entry(place).or_insert_with(|| listed.clone());
            own.indices.extend(listed.indices);
        }
    }

    /// Whether terms can hold together. A defined variable must have the same definition in all questions.
    pub fn check(&mut self, context: &Context, terms: &Terms, question: FiniteQuestion<'_>) -> Answer {
        if question.together.iter().any(|&part| terms.as_bool(part) == Some(false)) {
            return Answer::Unsatisfiable;
        }
        self.announce(terms, question.together);
        let literals = match self.literals(context, terms, question) {
            Ok(literals) => literals,
            Err(_) => return self.gates.sat.charge(context).err().map_or(Answer::GaveUp, Answer::Stopped),
        };
        let answer = self.gates.sat.solve(context, &literals);
        debug_assert!(
            answer != Answer::Satisfiable
                || question.together.iter().all(|&part| self.model().satisfies(terms, part) == Some(true)),
            "what was found satisfies the terms as they are defined"
        );
        answer
    }

    /// After `Satisfiable`: the values of all variables that were met, defined ones among them.
    pub fn model(&self) -> Model {
        let bit = |literal: Literal| self.gates.sat.value(literal) == Some(true);
        Model::new(self.variables.iter().map(|(&variable, meaning)| (variable, meaning.value(&bit))))
    }

    /// What everything cost so far, in units of work.
    pub fn work(&self) -> u64 {
        self.gates.sat.work()
    }

    fn literals(
        &mut self,
        context: &Context,
        terms: &Terms,
        question: FiniteQuestion<'_>,
    ) -> Result<Vec<Literal>, Obstacle> {
        self.check_bounds(terms, question)?;
        let needed = needed(terms, question);
        for &(variable, term) in question.defined {
            let sides = needed[&variable];
            if sides != Sides::default() {
                self.define(context, terms, (variable, term), sides)?;
            }
        }
        question.together.iter().map(|&term| self.truth(context, terms, term)).collect()
    }

    /// Ties a defined variable to its definition, on these sides at least.
    fn define(
        &mut self,
        context: &Context,
        terms: &Terms,
        (variable, term): (Variable, Term),
        sides: Sides,
    ) -> Result<(), Obstacle> {
        if !self.tied.contains_key(&variable) {
            let tied = self.untied(context, terms, term)?;
            self.variables.insert(variable, Meaning::Truth(tied.gate));
            self.tied.insert(variable, tied);
        }
        let tied = self.tied.get_mut(&variable).expect("it was put there");
        let new = sides.without(tied.sides);
        tied.sides = tied.sides.with(new);
        match &tied.body {
            Body::Choice(parts) => self.gates.tie_choice(tied.gate, *parts, new),
            Body::All(parts) => self.gates.tie_all(tied.gate, parts, new),
            Body::Any(parts) => {
                let failing: Word = parts.iter().map(|&part| !part).collect();
                self.gates.tie_all(!tied.gate, &failing, new.swapped());
            }
            Body::Whole => {}
        }
        Ok(())
    }

    /// A literal for a definition, not tied to the parts where that can be done side by side.
    fn untied(&mut self, context: &Context, terms: &Terms, term: Term) -> Result<Tied, Obstacle> {
        let kind = terms.kind(term);
        let chosen = chosen_by(terms, &kind);
        let parts: Vec<Term> = match (&chosen, &kind) {
            (Some(chosen), _) => chosen.to_vec(),
            (None, TermKind::And(parts) | TermKind::Or(parts)) => parts.to_vec(),
            _ => Vec::new(),
        };
        let literals = parts.iter().map(|&part| self.truth(context, terms, part));
        let literals = literals.collect::<Result<Word, Obstacle>>()?;
        let distinct: FxHashSet<Literal> = literals.iter().flat_map(|&own| [own, !own]).collect();
        let is_plain = literals.iter().all(|&own| self.gates.known(own).is_none())
            && distinct.len() == 2 * literals.len();
        if literals.is_empty() || !is_plain {
            let gate = self.truth(context, terms, term)?;
            return Ok(Tied { gate, body: Body::Whole, sides: Sides::BOTH });
        }
        let body = match (chosen, kind) {
            (Some(_), _) => Body::Choice([literals[0], literals[1], literals[2]]),
            (None, TermKind::And(_)) => Body::All(literals),
            (None, _) => Body::Any(literals),
        };
        Ok(Tied { gate: self.gates.fresh(), body, sides: Sides::default() })
    }

    /// Whether the question itself bounds every integer and array that it mentions, within what the variable has room for.
    fn check_bounds(&self, terms: &Terms, question: FiniteQuestion<'_>) -> Result<(), Obstacle> {
        let here = bounds(terms, question.together);
        let mut seen = FxHashSet::default();
        let mut open: Vec<Term> = question.defined.iter().map(|&(_, term)| term).collect();
        open.extend(question.together);
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.kind(term) {
                TermKind::Variable(_) => self.check_place(terms, &here, term)?,
                kind => open.extend(kind.operands()),
            }
        }
        Ok(())
    }

    fn check_place(&self, terms: &Terms, here: &Bounds, place: Term) -> Result<(), Obstacle> {
        match terms.sort(place) {
            Sort::Int => {
                let (own, room) = (here.integers.get(&place), self.announced.integers.get(&place));
                let fits = own.zip(room).is_some_and(|(own, room)| hull(*own, *room) == *room);
                let bounded = own.is_some_and(|own| own.low.is_some() && own.high.is_some());
                if fits && bounded { Ok(()) } else { Err(Obstacle::Unbounded) }
            }
            Sort::Array(index, _) => {
                if here.arrays.get(&place) != self.announced.arrays.get(&place) {
                    return Err(Obstacle::Unbounded);
                }
                for at in self.indices(place, &index)? {
                    self.check_place(terms, here, terms.select(place, terms.value(&at)))?;
                }
                Ok(())
            }
            Sort::Bool | Sort::Bits(_) | Sort::Enumeration(_) => Ok(()),
        }
    }

    /// The indices at which an array at a place has elements of its own.
    fn indices(&self, place: Term, index: &Sort) -> Result<Vec<Value>, Obstacle> {
        let indices = match index {
            Sort::Int => self.announced.arrays.get(&place).map(|own| own.indices.iter().cloned().collect()),
            _ => index.values(MOST_INDICES),
        };
        indices.filter(|own: &Vec<Value>| own.len() <= MOST_INDICES).ok_or(Obstacle::Unbounded)
    }

    fn truth(&mut self, context: &Context, terms: &Terms, term: Term) -> Result<Literal, Obstacle> {
        let mut path = vec![(term, false)];
        let mut n_done = 0usize;
        while let Some((term, parts_done)) = path.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            let kind = terms.kind(term);
            let chosen = chosen_by(terms, &kind);
            if parts_done {
                n_done += 1;
                if self.gates.sat.is_spent()
                    || n_done.is_multiple_of(BETWEEN_LOOKS) && self.gates.sat.charge(context).is_err()
                {
                    return Err(Obstacle::Ended);
                }
                let meaning = match chosen {
                    Some([condition, yes, no]) => self.choice(condition, yes, no)?,
                    None => self.translate(terms, term, &kind)?,
                };
                self.done.insert(term, meaning);
            } else {
                path.push((term, true));
                let parts = chosen.map_or_else(|| kind.operands(), |chosen| chosen.to_vec());
                path.extend(parts.into_iter().rev().map(|part| (part, false)));
            }
        }
        Ok(self.literal(term))
    }

    fn meaning(&self, term: Term) -> &Meaning {
        self.done.get(&term).expect("parts are translated first")
    }

    fn literal(&self, term: Term) -> Literal {
        match self.meaning(term) {
            Meaning::Truth(literal) => *literal,
            other => panic!("a truth value is wanted, not {other:?}"),
        }
    }

    fn number(&self, term: Term) -> Rc<Number> {
        match self.meaning(term) {
            Meaning::Number(number) => Rc::clone(number),
            other => panic!("an integer is wanted, not {other:?}"),
        }
    }

    fn word(&self, term: Term) -> Rc<Word> {
        match self.meaning(term) {
            Meaning::Word(word) | Meaning::Choice(_, word) => Rc::clone(word),
            other => panic!("bits are wanted, not {other:?}"),
        }
    }

    fn array(&self, term: Term) -> Rc<Array> {
        match self.meaning(term) {
            Meaning::Array(array) => Rc::clone(array),
            other => panic!("an array is wanted, not {other:?}"),
        }
    }

    fn translate(&mut self, terms: &Terms, term: Term, kind: &TermKind) -> Result<Meaning, Obstacle> {
        let truth = |literal| Ok(Meaning::Truth(literal));
        let number = |number: Option<Number>| {
            number.map(|number| Meaning::Number(Rc::new(number))).ok_or(Obstacle::Unbounded)
        };
        match kind {
            TermKind::Bool(value) => truth(self.gates.constant(*value)),
            TermKind::Int(value) => number(self.gates.number(small(value)?)),
            TermKind::Bits(width, value) => Ok(Meaning::Word(Rc::new(self.gates.word(*width, *value)))),
            TermKind::Constant(of, index) => {
                let code = self.gates.word(code_width(of), *index as u128);
                Ok(Meaning::Choice(Arc::clone(of), Rc::new(code)))
            }
            TermKind::Variable(variable) => self.variable(terms, *variable),
            TermKind::Not(inner) => truth(!self.literal(*inner)),
            TermKind::And(parts) => {
                let parts: Word = parts.iter().map(|&part| self.literal(part)).collect();
                truth(self.gates.all(parts))
            }
            TermKind::Or(parts) => {
                let parts: Word = parts.iter().map(|&part| self.literal(part)).collect();
                truth(self.gates.any(parts))
            }
            TermKind::If(condition, yes, no) => self.choice(*condition, *yes, *no),
            TermKind::Equal(left, right) => {
                let (left, right) = (self.meaning(*left).clone(), self.meaning(*right).clone());
                truth(self.gates.same(&left, &right).ok_or(Obstacle::Unbounded)?)
            }
            TermKind::AtMost(form, bound) => {
                let form = self.number(*form);
                truth(self.gates.at_most(&form, small(bound)?))
            }
            TermKind::Exactly(form, value) => {
                let form = self.number(*form);
                truth(self.gates.exactly(&form, small(value)?))
            }
            TermKind::Sum(constant, parts) => number(self.sum(constant, parts)?),
            TermKind::Product(factors) => {
                let mut product = self.gates.number(1);
                for &factor in factors {
                    let factor = self.number(factor);
                    product = product.and_then(|product| self.gates.product(&product, &factor));
                }
                number(product)
            }
            TermKind::Divide(inner, divisor) => Ok(Meaning::Number(self.divided(*inner, divisor)?.0)),
            TermKind::Modulo(inner, divisor) => Ok(Meaning::Number(self.divided(*inner, divisor)?.1)),
            TermKind::Bitwise(operation, operands) => {
                let operands: Vec<Word> =
                    operands.iter().map(|&operand| self.word(operand).to_vec()).collect();
                let word = self.gates.operate(*operation, &operands);
                Ok(match terms.sort(term) {
                    Sort::Bool => Meaning::Truth(word[0]),
                    _ => Meaning::Word(Rc::new(word)),
                })
            }
            TermKind::Select(array, index) => {
                let array = self.array(*array);
                let element = match terms.as_value(*index) {
                    Some(index) => self.gates.element_at(&array, &index),
                    None => {
                        let index = self.meaning(*index).clone();
                        self.gates.element(&array, &index)
                    }
                };
                element.ok_or(Obstacle::Unbounded)
            }
            TermKind::Store(array, index, element) => {
                let (array, element) = (self.array(*array), self.meaning(*element).clone());
                let stored = match terms.as_value(*index) {
                    Some(index) => self.gates.stored_at(&array, &index, &element),
                    None => {
                        let index = self.meaning(*index).clone();
                        self.gates.stored(&array, &index, &element)
                    }
                };
                Ok(Meaning::Array(Rc::new(stored.ok_or(Obstacle::Unbounded)?)))
            }
            TermKind::Everywhere(index, element) => {
                let array = Array::everywhere(index, self.meaning(*element)).ok_or(Obstacle::Unbounded)?;
                Ok(Meaning::Array(Rc::new(array)))
            }
            TermKind::ForAll(..) => Err(Obstacle::Unbounded),
        }
    }

    fn variable(&mut self, terms: &Terms, variable: Variable) -> Result<Meaning, Obstacle> {
        if let Some(known) = self.variables.get(&variable) {
            return Ok(known.clone());
        }
        let meaning = self.place(terms, terms.variable(variable))?;
        self.variables.insert(variable, meaning.clone());
        Ok(meaning)
    }

    /// Anything that can stand at a place.
    fn place(&mut self, terms: &Terms, place: Term) -> Result<Meaning, Obstacle> {
        let gates = &mut self.gates;
        Ok(match terms.sort(place) {
            Sort::Bool => Meaning::Truth(gates.fresh()),
            Sort::Int => {
                let range = self.announced.integers.get(&place).copied().unwrap_or_default();
                let (low, high) = range.low.zip(range.high).ok_or(Obstacle::Unbounded)?;
                // Bounds that exclude each other leave no value: any one will do, for the question says so itself.
                let number = gates.any_number(low.min(high), low.max(high));
                Meaning::Number(Rc::new(number.ok_or(Obstacle::Unbounded)?))
            }
            Sort::Bits(width) => Meaning::Word(Rc::new((0..width).map(|_| gates.fresh()).collect())),
            Sort::Enumeration(of) => {
                let width = code_width(&of);
                let code: Word = (0..width).map(|_| gates.fresh()).collect();
                let last = gates.word(width, of.values.len() as u128 - 1);
                let beyond = gates.less(&last, &code);
                gates.demand(!beyond);
                Meaning::Choice(of, Rc::new(code))
            }
            Sort::Array(index, _) => {
                let mut elements = BTreeMap::new();
                for at in self.indices(place, &index)? {
                    let element = self.place(terms, terms.select(place, terms.value(&at)))?;
                    elements.insert(at, element);
                }
                let elsewhere = match self.announced.arrays.get(&place) {
                    Some(own) if *index == Sort::Int => {
                        Some(self.gates.constant_of(&own.elsewhere).ok_or(Obstacle::Unbounded)?)
                    }
                    _ => None,
                };
                Meaning::Array(Rc::new(Array::listed(&index, elements, elsewhere)))
            }
        })
    }

    fn choice(&mut self, condition: Term, yes: Term, no: Term) -> Result<Meaning, Obstacle> {
        let condition = self.literal(condition);
        let (yes, no) = (self.meaning(yes).clone(), self.meaning(no).clone());
        self.gates.choose_meaning(condition, &yes, &no).ok_or(Obstacle::Unbounded)
    }

    fn sum(&mut self, constant: &BigInt, parts: &[(BigInt, Term)]) -> Result<Option<Number>, Obstacle> {
        let mut sum = self.gates.number(small(constant)?);
        for (factor, part) in parts {
            let part = self.number(*part);
            let part = self.gates.scaled(small(factor)?, &part);
            sum = sum.zip(part).and_then(|(sum, part)| self.gates.sum(&sum, &part));
        }
        Ok(sum)
    }

    fn divided(&mut self, inner: Term, divisor: &BigInt) -> Result<(Rc<Number>, Rc<Number>), Obstacle> {
        let key = (inner, divisor.clone());
        if let Some(known) = self.quotients.get(&key) {
            return Ok(known.clone());
        }
        let dividend = self.number(inner);
        let found = self.gates.divided(&dividend, small(divisor)?).ok_or(Obstacle::Unbounded)?;
        let found = (Rc::new(found.0), Rc::new(found.1));
        self.quotients.insert(key, found.clone());
        Ok(found)
    }
}

/// Bounds that leave room for both, side by side: a side that only one of them bounds is as that one says.
fn widened(one: Range, other: Range) -> Range {
    let low = one.low.into_iter().chain(other.low).min();
    Range { low, high: one.high.into_iter().chain(other.high).max() }
}

/// The parts of a truth value that is a choice between two others: `(!c | yes) & (c | no)`, which is how terms have it.
fn chosen_by(terms: &Terms, kind: &TermKind) -> Option<[Term; 3]> {
    let TermKind::And(parts) = kind else { return None };
    let [first, second] = parts[..] else { return None };
    let two = |part: Term| match terms.kind(part) {
        TermKind::Or(parts) => <[Term; 2]>::try_from(&parts[..]).ok(),
        _ => None,
    };
    let (first, second) = (two(first)?, two(second)?);
    let opposite = |a: Term, b: Term| match (terms.kind(a), terms.kind(b)) {
        (TermKind::Not(a), _) => a == b,
        (_, TermKind::Not(b)) => a == b,
        _ => false,
    };
    for (at, other) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        if opposite(first[at], second[other]) {
            // Where the literal in the second holds, the first still needs its other part, and else the second does.
            return Some([second[other], first[1 - at], second[1 - other]]);
        }
    }
    None
}

fn small(value: &BigInt) -> Result<i128, Obstacle> {
    i128::try_from(value.clone()).map_err(|_| Obstacle::Unbounded)
}
