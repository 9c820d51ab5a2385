//! What occurs in a term.

use crate::{Sort, Term, TermKind, Terms, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

impl TermKind {
    /// The terms that it is made of, in order.
    pub fn operands(&self) -> Vec<Term> {
        match self {
            Self::Bool(_) | Self::Int(_) | Self::Bits(..) | Self::Constant(..) | Self::Variable(_) => {
                Vec::new()
            }
            Self::Not(term)
            | Self::AtMost(term, _)
            | Self::Exactly(term, _)
            | Self::Divide(term, _)
            | Self::Modulo(term, _)
            | Self::Everywhere(_, term)
            | Self::ForAll(_, term) => vec![*term],
            Self::And(terms) | Self::Or(terms) | Self::Product(terms) | Self::Bitwise(_, terms) => {
                terms.to_vec()
            }
            Self::Sum(_, parts) => parts.iter().map(|(_, term)| *term).collect(),
            Self::Equal(left, right) | Self::Select(left, right) => vec![*left, *right],
            Self::If(first, second, third) | Self::Store(first, second, third) => {
                vec![*first, *second, *third]
            }
        }
    }
}

impl Terms {
    /// How many operations and leaves a term has as text, where what is shared counts as often as it stands there; saturates. Variables
    /// count as `of_variable` says. Linear in the parts of the term.
    pub fn length_of(&self, term: Term, of_variable: &dyn Fn(Variable) -> usize) -> usize {
        let mut lengths: FxHashMap<Term, usize> = FxHashMap::default();
        let mut open = vec![term];
        while let Some(&last) = open.last() {
            let kind = self.kind(last);
            let operands = kind.operands();
            let before = open.len();
            open.extend(operands.iter().filter(|operand| !lengths.contains_key(operand)));
            if open.len() > before {
                continue;
            }
            let own = if let TermKind::Variable(variable) = kind { of_variable(variable) } else { 1 };
            let length = operands.iter().fold(own, |sum, operand| sum.saturating_add(lengths[operand]));
            lengths.insert(last, length);
            open.pop();
        }
        lengths[&term]
    }

    /// The variables that occur free, in the order of their declaration.
    pub fn variables_of(&self, term: Term) -> BTreeSet<Variable> {
        let mut free = BTreeSet::new();
        // Terms are shared, so each is visited once for each set of variables bound around it; that is once where nothing is bound.
        let mut seen = FxHashSet::default();
        let mut open = vec![(term, BTreeSet::new())];
        while let Some((term, bound)) = open.pop() {
            if !seen.insert((term, bound.clone())) {
                continue;
            }
            match self.kind(term) {
                TermKind::Variable(variable) if !bound.contains(&variable) => {
                    free.insert(variable);
                }
                TermKind::ForAll(variables, body) => {
                    let mut inside = bound;
                    inside.extend(variables);
                    open.push((body, inside));
                }
                kind => open.extend(kind.operands().into_iter().map(|operand| (operand, bound.clone()))),
            }
        }
        free
    }

    /// The truth values that a term is a Boolean combination of: no conjunctions, disjunctions, negations or equivalences, each
    /// once, in the order in which they were first made.
    pub fn atoms_of(&self, term: Term) -> BTreeSet<Term> {
        let mut atoms = BTreeSet::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.kind(term) {
                TermKind::Bool(_) => {}
                TermKind::Not(inner) => open.push(inner),
                TermKind::And(parts) | TermKind::Or(parts) => open.extend(parts),
                TermKind::Equal(left, right) if self.sort(left) == Sort::Bool => open.extend([left, right]),
                kind => {
                    atoms.insert(term);
                    // The conditions of conditionals inside are truth values too.
                    open.extend(kind.operands().into_iter().flat_map(|operand| self.conditions_of(operand)));
                }
            }
        }
        atoms
    }

    /// The conditions of all conditionals in a term that is no truth value.
    pub fn conditions_of(&self, term: Term) -> Vec<Term> {
        let mut conditions = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if !seen.insert(term) || self.sort(term) == Sort::Bool {
                continue;
            }
            let kind = self.kind(term);
            if let TermKind::If(condition, ..) = kind {
                conditions.push(condition);
            }
            open.extend(kind.operands());
        }
        conditions
    }

    /// Whether a product of variables, or of other terms that are no constants, occurs: what solvers of linear arithmetic may fail on.
    pub fn is_nonlinear(&self, term: Term) -> bool {
        self.has(term, |kind| matches!(kind, TermKind::Product(_)))
    }

    /// Whether a quotient or a remainder occurs.
    pub fn has_division(&self, term: Term) -> bool {
        self.has(term, |kind| matches!(kind, TermKind::Divide(..) | TermKind::Modulo(..)))
    }

    /// Whether a conditional, a quotient or a remainder occurs: what cases make simpler.
    pub fn has_choices(&self, term: Term) -> bool {
        self.has(term, |kind| matches!(kind, TermKind::If(..) | TermKind::Divide(..) | TermKind::Modulo(..)))
    }

    /// Whether a term of some kind occurs.
    fn has(&self, term: Term, is_one: impl Fn(&TermKind) -> bool) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let kind = self.kind(term);
            if is_one(&kind) {
                return true;
            }
            open.extend(kind.operands());
        }
        false
    }
}
