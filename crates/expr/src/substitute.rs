//! Variables replaced by terms, all at once.

use crate::{Term, TermKind, Terms, Variable};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A simultaneous replacement of variables by terms of their sorts. It remembers what it did, so that replacing in many
/// terms that share parts costs each part once.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    replacements: BTreeMap<Variable, Term>,
    done: FxHashMap<Term, Term>,
}

impl Substitution {
    /// Each variable by its term.
    pub fn new(replacements: impl IntoIterator<Item = (Variable, Term)>) -> Self {
        Self { replacements: replacements.into_iter().collect(), done: FxHashMap::default() }
    }

    /// Replaces one more variable, or one by another term than before. What was remembered is forgotten.
    pub fn insert(&mut self, variable: Variable, term: Term) {
        self.replacements.insert(variable, term);
        self.done.clear();
    }

    /// What replaces a variable.
    pub fn get(&self, variable: Variable) -> Option<Term> {
        self.replacements.get(&variable).copied()
    }

    /// The term with all variables replaced.
    pub fn apply(&mut self, terms: &Terms, term: Term) -> Term {
        if let Some(&done) = self.done.get(&term) {
            return done;
        }
        let kind = terms.kind(term);
        let result = match &kind {
            TermKind::Variable(variable) => self.get(*variable).unwrap_or(term),
            TermKind::ForAll(variables, body) => self.apply_below(terms, variables, *body),
            _ => {
                let operands = kind.operands();
                if operands.is_empty() {
                    term
                } else {
                    let replaced: Vec<Term> =
                        operands.iter().map(|&operand| self.apply(terms, operand)).collect();
                    if replaced == operands { term } else { terms.rebuild(&kind, &replaced) }
                }
            }
        };
        self.done.insert(term, result);
        result
    }

    /// Bound variables are not replaced, and renamed where a replacement mentions them.
    fn apply_below(&self, terms: &Terms, variables: &[Variable], body: Term) -> Term {
        let free = terms.variables_of(body);
        let mut inner: BTreeMap<Variable, Term> = self
            .replacements
            .iter()
            .filter(|(variable, _)| free.contains(variable) && !variables.contains(variable))
            .map(|(&variable, &term)| (variable, term))
            .collect();
        let mentioned: Vec<Variable> = inner.values().flat_map(|&term| terms.variables_of(term)).collect();
        let renamed: Vec<Variable> = variables
            .iter()
            .map(|&variable| {
                if !mentioned.contains(&variable) {
                    return variable;
                }
                let fresh = terms.fresh(&terms.name(variable), &terms.sort_of(variable));
                inner.insert(variable, terms.variable(fresh));
                fresh
            })
            .collect();
        terms.for_all(renamed, Substitution::new(inner).apply(terms, body))
    }
}

impl Terms {
    /// The term of this kind with other operands, in normal form. Not for variables and quantifiers.
    pub(crate) fn rebuild(&self, kind: &TermKind, operands: &[Term]) -> Term {
        match kind {
            TermKind::Not(_) => self.not(operands[0]),
            TermKind::And(_) => self.and(operands.iter().copied()),
            TermKind::Or(_) => self.or(operands.iter().copied()),
            TermKind::If(..) => self.ite(operands[0], operands[1], operands[2]),
            TermKind::Equal(..) => self.equal(operands[0], operands[1]),
            TermKind::AtMost(_, bound) => self.at_most(operands[0], self.integer(bound.clone())),
            TermKind::Exactly(_, value) => self.equal(operands[0], self.integer(value.clone())),
            TermKind::Sum(constant, parts) => {
                let scaled =
                    parts.iter().zip(operands).map(|((factor, _), &term)| self.scaled(factor.clone(), term));
                self.sum(scaled.chain([self.integer(constant.clone())]))
            }
            TermKind::Product(_) => {
                operands[1..].iter().fold(operands[0], |product, &factor| self.product(product, factor))
            }
            TermKind::Divide(_, divisor) => self.divide(operands[0], divisor.clone()),
            TermKind::Modulo(_, divisor) => self.modulo(operands[0], divisor.clone()),
            TermKind::Bitwise(operation, _) => self.bitwise(*operation, operands),
            TermKind::Select(..) => self.select(operands[0], operands[1]),
            TermKind::Store(..) => self.store(operands[0], operands[1], operands[2]),
            TermKind::Everywhere(index, _) => self.everywhere(index.clone(), operands[0]),
            TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Bits(..)
            | TermKind::Constant(..)
            | TermKind::Variable(_)
            | TermKind::ForAll(..) => unreachable!("these have no operands, or are treated before"),
        }
    }
}
