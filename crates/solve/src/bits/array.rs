//! Arrays among literals: an element for each index that counts, and what holds elsewhere.
//!
//! Over a sort with finitely many indices, every index has its element. Over the integers some have, and all others share one, but for
//! writes whose index may be none of the listed ones: these *strays* are kept in their order, and the last that applies counts. So
//! reads, writes and comparisons are exact. Each costs a choice or a comparison for each listed index; a constant index costs one.
//!
//! Invariant: there are no strays over finitely many indices; where a stray applies, its index is not listed.

use super::gates::Gates;
use super::meaning::Meaning;
use crate::sat::Literal;
use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_expr::{Sort, Value};

/// Sorts with more indices than this are not dealt with.
pub(super) const MOST_INDICES: usize = 4096;

/// An array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Array {
    index: Arc<Sort>,
    /// By index that is listed.
    elements: BTreeMap<Value, Meaning>,
    /// At all other indices, if there are any.
    elsewhere: Option<Elsewhere>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Elsewhere {
    element: Meaning,
    strays: Vec<Stray>,
}

/// A write to an index that is not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stray {
    applies: Literal,
    at: Meaning,
    element: Meaning,
}

impl Array {
    /// One element everywhere; nothing if there are too many indices, though finitely many.
    pub(super) fn everywhere(index: &Arc<Sort>, element: &Meaning) -> Option<Self> {
        if **index == Sort::Int {
            return Some(Self::listed(index, BTreeMap::new(), Some(element.clone())));
        }
        let indices = index.values(MOST_INDICES)?;
        Some(Self::listed(index, indices.into_iter().map(|at| (at, element.clone())).collect(), None))
    }

    /// These elements at these indices, and one at all others if there are any.
    pub(super) fn listed(
        index: &Arc<Sort>,
        elements: BTreeMap<Value, Meaning>,
        elsewhere: Option<Meaning>,
    ) -> Self {
        debug_assert_eq!(elsewhere.is_some(), **index == Sort::Int, "only integers leave some indices out");
        let elsewhere = elsewhere.map(|element| Elsewhere { element, strays: Vec::new() });
        Self { index: Arc::clone(index), elements, elsewhere }
    }

    /// Writes an element at a constant index of an array without strays, or at a listed one.
    pub(super) fn put(&mut self, at: &Value, element: Meaning) {
        debug_assert!(
            self.elsewhere.as_ref().is_none_or(|own| own.strays.is_empty()) || self.elements.contains_key(at),
            "strays are not listed"
        );
        self.elements.insert(at.clone(), element);
    }

    /// The value, given those of the literals.
    pub(super) fn value(&self, bit: &dyn Fn(Literal) -> bool) -> Value {
        let mut entries = BTreeMap::new();
        let rest = self.elsewhere.as_ref().map(|own| {
            // The later of two writes to one index counts.
            let applying = own.strays.iter().filter(|stray| bit(stray.applies));
            entries.extend(applying.map(|stray| (stray.at.value(bit), stray.element.value(bit))));
            own.element.value(bit)
        });
        entries.extend(self.elements.iter().map(|(at, element)| (at.clone(), element.value(bit))));
        let rest = rest.or_else(|| entries.values().next().cloned()).expect("an array has elements");
        Value::array(Arc::clone(&self.index), rest, entries)
    }
}

impl Gates {
    /// Whether an index is a constant.
    fn is_index(&mut self, index: &Meaning, at: &Value) -> Option<Literal> {
        let at = self.constant_of(at)?;
        self.same(index, &at)
    }

    /// The element at a constant index.
    pub(super) fn element_at(&mut self, array: &Array, index: &Value) -> Option<Meaning> {
        match array.elements.get(index) {
            Some(element) => Some(element.clone()),
            None => {
                let index = self.constant_of(index)?;
                self.unlisted(array, &index)
            }
        }
    }

    /// The element at an index.
    pub(super) fn element(&mut self, array: &Array, index: &Meaning) -> Option<Meaning> {
        let mut listed = array.elements.iter().rev();
        let mut found = match &array.elsewhere {
            Some(_) => self.unlisted(array, index)?,
            // There are no other indices, so the last case needs no condition.
            None => listed.next().expect("a sort has values").1.clone(),
        };
        for (at, element) in listed {
            let here = self.is_index(index, at)?;
            found = self.choose_meaning(here, element, &found)?;
        }
        Some(found)
    }

    /// The element at an index that is not listed.
    fn unlisted(&mut self, array: &Array, index: &Meaning) -> Option<Meaning> {
        let own = array.elsewhere.as_ref().expect("not every index is listed");
        let mut found = own.element.clone();
        for stray in &own.strays {
            let same = self.same(index, &stray.at)?;
            let here = self.and(same, stray.applies);
            found = self.choose_meaning(here, &stray.element, &found)?;
        }
        Some(found)
    }

    /// The array with another element at a constant index.
    pub(super) fn stored_at(&mut self, array: &Array, index: &Value, element: &Meaning) -> Option<Array> {
        let mut made = self.listing(array, [index])?;
        made.put(index, element.clone());
        Some(made)
    }

    /// The array with another element at an index.
    pub(super) fn stored(&mut self, array: &Array, index: &Meaning, element: &Meaning) -> Option<Array> {
        let mut made = array.clone();
        let mut elsewhere = Vec::with_capacity(made.elements.len());
        for (at, own) in &mut made.elements {
            let here = self.is_index(index, at)?;
            *own = self.choose_meaning(here, element, own)?;
            elsewhere.push(!here);
        }
        if let Some(own) = &mut made.elsewhere {
            let applies = self.all(elsewhere);
            if self.known(applies) != Some(false) {
                own.strays.push(Stray { applies, at: index.clone(), element: element.clone() });
            }
        }
        Some(made)
    }

    /// The same array with these indices among the listed ones.
    fn listing<'v>(&mut self, array: &Array, indices: impl IntoIterator<Item = &'v Value>) -> Option<Array> {
        let mut made = array.clone();
        for index in indices {
            if made.elements.contains_key(index) {
                continue;
            }
            let element = self.element_at(&made, index)?;
            made.elements.insert(index.clone(), element);
            for stray in made.elsewhere.iter_mut().flat_map(|own| own.strays.iter_mut()) {
                let here = self.is_index(&stray.at, index)?;
                stray.applies = self.and(stray.applies, !here);
            }
        }
        Some(made)
    }

    /// `if condition then yes else no`.
    pub(super) fn choose_array(&mut self, condition: Literal, yes: &Array, no: &Array) -> Option<Array> {
        let yes = self.listing(yes, no.elements.keys())?;
        let no = self.listing(no, yes.elements.keys())?;
        let mut elements = BTreeMap::new();
        for ((at, yes), no) in yes.elements.iter().zip(no.elements.values()) {
            elements.insert(at.clone(), self.choose_meaning(condition, yes, no)?);
        }
        let elsewhere = match (&yes.elsewhere, &no.elsewhere) {
            (Some(yes), Some(no)) => Some(self.choose_elsewhere(condition, yes, no)?),
            _ => None,
        };
        Some(Array { index: yes.index, elements, elsewhere })
    }

    fn choose_elsewhere(&mut self, condition: Literal, yes: &Elsewhere, no: &Elsewhere) -> Option<Elsewhere> {
        let element = self.choose_meaning(condition, &yes.element, &no.element)?;
        // What both have first is kept once, so that many choices do not double it again and again.
        let alike = |(one, other): &(&Stray, &Stray)| one.at == other.at && one.element == other.element;
        let shared = yes.strays.iter().zip(&no.strays).take_while(alike).count();
        let mut strays = Vec::new();
        for (one, other) in yes.strays.iter().zip(&no.strays).take(shared) {
            let applies = self.choose(condition, one.applies, other.applies);
            strays.push(Stray { applies, ..one.clone() });
        }
        for (own, side) in [(&yes.strays[shared..], condition), (&no.strays[shared..], !condition)] {
            for own in own {
                let applies = self.and(own.applies, side);
                strays.push(Stray { applies, ..own.clone() });
            }
        }
        strays.retain(|stray| self.known(stray.applies) != Some(false));
        Some(Elsewhere { element, strays })
    }

    /// Whether both are the same function: at all listed indices, at those of strays, and at the others, of which there are always some.
    pub(super) fn same_array(&mut self, left: &Array, right: &Array) -> Option<Literal> {
        let left = self.listing(left, right.elements.keys())?;
        let right = self.listing(right, left.elements.keys())?;
        let mut parts = Vec::new();
        for (one, other) in left.elements.values().zip(right.elements.values()) {
            parts.push(self.same(one, other)?);
        }
        if let (Some(one), Some(other)) = (&left.elsewhere, &right.elsewhere) {
            parts.push(self.same(&one.element, &other.element)?);
            for stray in one.strays.iter().chain(&other.strays) {
                let (here, there) = (self.unlisted(&left, &stray.at)?, self.unlisted(&right, &stray.at)?);
                let same = self.same(&here, &there)?;
                parts.push(self.or(!stray.applies, same));
            }
        }
        Some(self.all(parts))
    }
}
