//! Terms copied from one store to another.
//!
//! A store belongs to one thread. Who wants to ask about terms in another thread, with a solver of its own, copies them first. Variables
//! keep their names and sorts, and terms are put together again by the constructors of the other store.

use crate::{Term, TermKind, Terms, Variable};
use rustc_hash::FxHashMap;

/// A copy on its way. It remembers what it did, so that terms that share parts cost each part once.
#[derive(Debug)]
pub struct Transplant<'a> {
    from: &'a Terms,
    to: &'a Terms,
    done: FxHashMap<Term, Term>,
}

impl<'a> Transplant<'a> {
    /// From the first store to the second.
    pub fn new(from: &'a Terms, to: &'a Terms) -> Self {
        Self { from, to, done: FxHashMap::default() }
    }

    /// The variable of the same name and sort.
    pub fn variable(&self, variable: Variable) -> Variable {
        self.to.declare(&self.from.name(variable), &self.from.sort_of(variable))
    }

    /// The same term.
    pub fn term(&mut self, term: Term) -> Term {
        if let Some(&done) = self.done.get(&term) {
            return done;
        }
        let copy = match self.from.kind(term) {
            TermKind::Variable(variable) => self.to.variable(self.variable(variable)),
            TermKind::ForAll(variables, body) => {
                let body = self.term(body);
                self.to.for_all(variables.iter().map(|&variable| self.variable(variable)), body)
            }
            kind => match self.from.as_value(term) {
                Some(value) => self.to.value(&value),
                None => {
                    let operands: Vec<Term> =
                        kind.operands().into_iter().map(|operand| self.term(operand)).collect();
                    self.to.rebuild(&kind, &operands)
                }
            },
        };
        if self.from.is_shared(term) {
            self.to.share(copy);
        }
        self.done.insert(term, copy);
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BitOperation, Sort, Value};

    #[test]
    fn a_copy_is_printed_like_the_term_and_copied_back_it_is_the_term() {
        let from = Terms::new();
        let [x, y] = ["x", "y"].map(|name| from.variable(from.declare(name, &Sort::Int)));
        let b = from.variable(from.declare("b", &Sort::Bits(4)));
        let sum = from.sum([from.scaled(3, x), from.product(x, y), from.integer(7)]);
        let chosen = from.ite(from.less(x, y), from.divide(sum, 5), from.modulo(y, 3));
        let bits = from.bitwise(BitOperation::LessUnsigned, &[b, from.bits(4, 9)]);
        let all = from.for_all([from.declare("x", &Sort::Int)], from.at_most(x, y));
        let term = from.or([from.equal(chosen, x), from.not(bits), all, from.value(&Value::Bool(false))]);
        let to = Terms::new();
        // In another order, so that numbers of terms differ.
        to.variable(to.declare("y", &Sort::Int));
        let copy = Transplant::new(&from, &to).term(term);
        assert_eq!(Transplant::new(&to, &from).term(copy), term);
    }
}
