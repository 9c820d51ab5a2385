//! Arrays as functions of bits: an element for each index that counts, and what holds elsewhere.
//!
//! Over a sort with finitely many indices, every index has its element. Over the integers some have; at all others the array has one
//! element, but for *stray* writes: those whose index depends on bits and may be none of the listed ones. They are kept in their order, the
//! last that applies counts. So everything here is exact, as the evaluator of terms has it, however far an index can stray, and costs
//! nothing where it cannot.
//!
//! A read is a choice between the elements by the index, a write a choice at each element. Both cost one comparison for each listed
//! index, or nothing if the index is a constant.
//!
//! Invariant: there are no strays over finitely many indices; where a stray applies, its index is not listed.

use super::circuit::Made;
use super::{Denotation, conjoin};
use std::collections::BTreeMap;
use tertium_dd::{Bdd, Manager};
use tertium_expr::{Sort, Value};

/// Sorts with more indices than this have no arrays here.
const MOST_INDICES: usize = 4096;

/// An array that depends on the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// By index that is listed.
    elements: BTreeMap<Value, Denotation>,
    /// At all other indices, if there are any.
    elsewhere: Option<Elsewhere>,
}

/// An array where no index is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Elsewhere {
    element: Denotation,
    strays: Vec<Stray>,
}

/// A write to an index that is not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stray {
    applies: Bdd,
    at: Denotation,
    element: Denotation,
}

impl Array {
    /// One element everywhere; nothing if there are too many indices, though finitely many.
    pub fn everywhere(index: &Sort, element: &Denotation) -> Option<Self> {
        debug_assert!(!matches!(index, Sort::Array(..)), "indices are no arrays");
        if *index == Sort::Int {
            let elsewhere = Elsewhere { element: element.clone(), strays: Vec::new() };
            return Some(Self { elements: BTreeMap::new(), elsewhere: Some(elsewhere) });
        }
        let indices = index.values(MOST_INDICES)?;
        let elements = indices.into_iter().map(|at| (at, element.clone())).collect();
        Some(Self { elements, elsewhere: None })
    }

    /// These elements at these indices, and one value at all others if there are any.
    pub(super) fn listed(elements: BTreeMap<Value, Denotation>, elsewhere: Option<Denotation>) -> Self {
        let elsewhere = elsewhere.map(|element| Elsewhere { element, strays: Vec::new() });
        Self { elements, elsewhere }
    }

    /// Writes an element at a constant index.
    pub(super) fn put(&mut self, at: &Value, element: Denotation) {
        debug_assert!(
            self.elsewhere.as_ref().is_none_or(|own| own.strays.is_empty()) || self.elements.contains_key(at),
            "strays are not listed"
        );
        self.elements.insert(at.clone(), element);
    }

    /// The listed indices with their elements.
    pub fn elements(&self) -> &BTreeMap<Value, Denotation> {
        &self.elements
    }

    /// The element at a constant index.
    pub fn at(&self, manager: &Manager, index: &Value) -> Made<Denotation> {
        match self.elements.get(index) {
            Some(element) => Ok(element.clone()),
            None => self.unlisted(manager, &constant(manager, index)),
        }
    }

    /// The element at an index.
    pub(super) fn select(&self, manager: &Manager, index: &Denotation) -> Made<Denotation> {
        let mut listed = self.elements.iter().rev();
        let mut found = match &self.elsewhere {
            Some(_) => self.unlisted(manager, index)?,
            // Codes that stand for no index may have any element.
            None => listed.next().expect("a sort has values").1.clone(),
        };
        for (at, element) in listed {
            let here = Denotation::same(manager, index, &constant(manager, at))?;
            found = Denotation::choose(&here, element, &found)?;
        }
        Ok(found)
    }

    /// The element at an index that is not listed.
    fn unlisted(&self, manager: &Manager, index: &Denotation) -> Made<Denotation> {
        let own = self.elsewhere.as_ref().expect("not every index is listed");
        let mut found = own.element.clone();
        for stray in &own.strays {
            let here = Denotation::same(manager, index, &stray.at)?.and(&stray.applies)?;
            found = Denotation::choose(&here, &stray.element, &found)?;
        }
        Ok(found)
    }

    /// The array with another element at a constant index.
    pub(super) fn stored_at(&self, manager: &Manager, index: &Value, element: &Denotation) -> Made<Self> {
        let mut made = self.listing(manager, [index])?;
        made.put(index, element.clone());
        Ok(made)
    }

    /// The array with another element at an index.
    pub(super) fn stored(&self, manager: &Manager, index: &Denotation, element: &Denotation) -> Made<Self> {
        let mut made = self.clone();
        let mut applies = manager.constant(true);
        for (at, own) in &mut made.elements {
            let here = Denotation::same(manager, index, &constant(manager, at))?;
            *own = Denotation::choose(&here, element, own)?;
            applies = applies.diff(&here)?;
        }
        if let Some(own) = &mut made.elsewhere
            && !applies.is_false()
        {
            own.strays.push(Stray { applies, at: index.clone(), element: element.clone() });
        }
        Ok(made)
    }

    /// The same array with these indices among the listed ones.
    fn listing<'v>(&self, manager: &Manager, indices: impl IntoIterator<Item = &'v Value>) -> Made<Self> {
        let mut made = self.clone();
        for index in indices {
            if made.elements.contains_key(index) {
                continue;
            }
            let element = made.at(manager, index)?;
            made.elements.insert(index.clone(), element);
            let index = constant(manager, index);
            let strays = made.elsewhere.iter_mut().flat_map(|own| own.strays.iter_mut());
            for stray in strays {
                stray.applies = stray.applies.diff(&Denotation::same(manager, &stray.at, &index)?)?;
            }
        }
        Ok(made)
    }

    /// `if condition then yes else no`.
    pub(super) fn choose(condition: &Bdd, yes: &Self, no: &Self) -> Made<Self> {
        let manager = condition.manager();
        let yes = yes.listing(manager, no.elements.keys())?;
        let no = no.listing(manager, yes.elements.keys())?;
        let both = yes.elements.iter().zip(no.elements.values());
        let elements = both.map(|((at, yes), no)| Ok((at.clone(), Denotation::choose(condition, yes, no)?)));
        let elements = elements.collect::<Made<BTreeMap<_, _>>>()?;
        let elsewhere = match (&yes.elsewhere, &no.elsewhere) {
            (Some(yes), Some(no)) => Some(Elsewhere::choose(condition, yes, no)?),
            _ => None,
        };
        Ok(Self { elements, elsewhere })
    }

    /// Where both are the same function: at all listed indices, at those of strays, and at the others, of which there are always some.
    pub(super) fn same(&self, manager: &Manager, other: &Self) -> Made<Bdd> {
        let left = self.listing(manager, other.elements.keys())?;
        let right = other.listing(manager, left.elements.keys())?;
        let mut parts = Vec::new();
        for (one, other) in left.elements.values().zip(right.elements.values()) {
            parts.push(Denotation::same(manager, one, other)?);
        }
        if let (Some(one), Some(other)) = (&left.elsewhere, &right.elsewhere) {
            parts.push(Denotation::same(manager, &one.element, &other.element)?);
            for stray in one.strays.iter().chain(&other.strays) {
                let (here, there) = (left.unlisted(manager, &stray.at)?, right.unlisted(manager, &stray.at)?);
                parts.push(stray.applies.not().or(&Denotation::same(manager, &here, &there)?)?);
            }
        }
        conjoin(manager, &parts)
    }
}

impl Elsewhere {
    fn choose(condition: &Bdd, yes: &Self, no: &Self) -> Made<Self> {
        let element = Denotation::choose(condition, &yes.element, &no.element)?;
        // What both have first is kept once, so that many choices between arrays do not double it again and again.
        let alike = |(one, other): &(&Stray, &Stray)| one.at == other.at && one.element == other.element;
        let shared = yes.strays.iter().zip(&no.strays).take_while(alike).count();
        let mut strays = Vec::new();
        for (one, other) in yes.strays.iter().zip(&no.strays).take(shared) {
            strays.push(Stray { applies: condition.ite(&one.applies, &other.applies)?, ..one.clone() });
        }
        for own in &yes.strays[shared..] {
            strays.push(Stray { applies: own.applies.and(condition)?, ..own.clone() });
        }
        for own in &no.strays[shared..] {
            strays.push(Stray { applies: own.applies.diff(condition)?, ..own.clone() });
        }
        strays.retain(|stray| !stray.applies.is_false());
        Ok(Self { element, strays })
    }
}

fn constant(manager: &Manager, index: &Value) -> Denotation {
    Denotation::constant(manager, index).expect("indices are no arrays")
}
