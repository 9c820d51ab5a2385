//! The store that keeps every term once.

use crate::{Sort, Term, TermKind, Value, Variable};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;
use tertium_support::Id;

/// Terms and variables. Building needs no exclusive access, so that constructors nest.
#[derive(Debug, Default)]
pub struct Terms {
    inner: RefCell<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    terms: Vec<(TermKind, Sort)>,
    ids: FxHashMap<TermKind, Term>,
    variables: Vec<(String, Sort)>,
    named: FxHashMap<(String, Sort), Variable>,
    /// The names of variables.
    names: FxHashSet<String>,
    /// The number that the last fresh variable with a stem had.
    numbers: FxHashMap<String, usize>,
    /// See [`Terms::share`].
    shared: FxHashSet<Term>,
}

impl Terms {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many different terms there are.
    pub fn len(&self) -> usize {
        self.inner.borrow().terms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a term is.
    pub fn kind(&self, term: Term) -> TermKind {
        self.inner.borrow().terms[term.index()].0.clone()
    }

    /// Says that many other terms are made of this one, and of what it negates. A conjunction, a disjunction or a long sum that is shared
    /// stays whole as a part of others: a long row of definitions, each made of the one before, has linear size.
    pub fn share(&self, term: Term) {
        let negated = self.negated(term);
        self.inner.borrow_mut().shared.extend([term].into_iter().chain(negated));
    }

    /// Whether [`Self::share`] was said of a term.
    pub fn is_shared(&self, term: Term) -> bool {
        self.inner.borrow().shared.contains(&term)
    }

    /// Looks at what a term is, without a copy. No terms can be made meanwhile.
    pub(crate) fn with_kind<T>(&self, term: Term, look: impl FnOnce(&TermKind) -> T) -> T {
        look(&self.inner.borrow().terms[term.index()].0)
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.inner.borrow().terms[term.index()].1.clone()
    }

    /// The variable of this name and sort.
    pub fn declare(&self, name: &str, sort: &Sort) -> Variable {
        let mut inner = self.inner.borrow_mut();
        let key = (name.to_owned(), sort.clone());
        if let Some(&variable) = inner.named.get(&key) {
            return variable;
        }
        let variable = Variable::new(inner.variables.len());
        inner.names.insert(name.to_owned());
        inner.variables.push(key.clone());
        inner.named.insert(key, variable);
        variable
    }

    /// A variable of this sort that no term mentions yet, with a name made from `stem`.
    pub fn fresh(&self, stem: &str, sort: &Sort) -> Variable {
        let name = {
            let Inner { names, numbers, .. } = &mut *self.inner.borrow_mut();
            let number = numbers.entry(stem.to_owned()).or_default();
            loop {
                *number += 1;
                let name = format!("{stem}_{number}");
                if !names.contains(&name) {
                    break name;
                }
            }
        };
        self.declare(&name, sort)
    }

    /// The name of a variable.
    pub fn name(&self, variable: Variable) -> String {
        self.inner.borrow().variables[variable.index()].0.clone()
    }

    /// The sort of a variable.
    pub fn sort_of(&self, variable: Variable) -> Sort {
        self.inner.borrow().variables[variable.index()].1.clone()
    }

    /// A variable as a term.
    pub fn variable(&self, variable: Variable) -> Term {
        let sort = self.sort_of(variable);
        self.intern(TermKind::Variable(variable), sort)
    }

    /// A truth value.
    pub fn boolean(&self, value: bool) -> Term {
        self.intern(TermKind::Bool(value), Sort::Bool)
    }

    /// An integer.
    pub fn integer(&self, value: impl Into<BigInt>) -> Term {
        self.intern(TermKind::Int(value.into()), Sort::Int)
    }

    /// The term that stands for a value.
    pub fn value(&self, value: &Value) -> Term {
        match value {
            Value::Bool(value) => self.boolean(*value),
            Value::Int(value) => self.integer(value.clone()),
            Value::Bits { width, value } => self.bits(*width, *value),
            Value::Constant { of, index } => {
                self.intern(TermKind::Constant(of.clone(), *index), Sort::Enumeration(of.clone()))
            }
            Value::Array { index, rest, entries } => {
                let everywhere = self.everywhere(Arc::clone(index), self.value(rest));
                entries.iter().fold(everywhere, |array, (at, element)| {
                    self.store(array, self.value(at), self.value(element))
                })
            }
        }
    }

    /// The value that a term is, if it is a constant and no array.
    pub fn as_value(&self, term: Term) -> Option<Value> {
        self.with_kind(term, |kind| match kind {
            TermKind::Bool(value) => Some(Value::Bool(*value)),
            TermKind::Int(value) => Some(Value::Int(value.clone())),
            TermKind::Bits(width, value) => Some(Value::Bits { width: *width, value: *value }),
            TermKind::Constant(of, index) => Some(Value::Constant { of: of.clone(), index: *index }),
            _ => None,
        })
    }

    /// The truth value that a term is, if it is a constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        self.with_kind(term, |kind| match kind {
            TermKind::Bool(value) => Some(*value),
            _ => None,
        })
    }

    /// The one term of this kind, which has to be in normal form.
    pub(crate) fn intern(&self, kind: TermKind, sort: Sort) -> Term {
        let mut inner = self.inner.borrow_mut();
        if let Some(&term) = inner.ids.get(&kind) {
            return term;
        }
        let term = Term::new(inner.terms.len());
        inner.terms.push((kind.clone(), sort));
        inner.ids.insert(kind, term);
        term
    }
}
