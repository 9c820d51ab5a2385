//! From formulas to terms in positive normal form.
//!
//! Negations are pushed down to propositions, with the variable of a fixpoint replaced by its negation as the
//! fixpoint is dualised: `!mu Z. f(Z)` is `nu Z. !f(!Z)`. Since formulas are monotone, a variable then always occurs
//! with the sign of its binder and needs no negation of its own. Abbreviations are removed on the way, each operand
//! translated once: `<R+S>f` refers twice to one term for `f`, so nested choices do not blow up.
//!
//! Cost: linear in the size of the tree, apart from the sets of free variables.

use crate::term::{Binder, Term, TermId, Terms, regular_height};
use crate::{ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, Sign};
use rustc_hash::FxHashMap;

/// Whether a formula is meant as it is or negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reading {
    AsIs,
    Negated,
}

impl Reading {
    pub(crate) fn flip(self) -> Self {
        match self {
            Self::AsIs => Self::Negated,
            Self::Negated => Self::AsIs,
        }
    }
}

impl Terms {
    /// Adds the normal form of a closed, monotone formula. Panics if it is not.
    pub(crate) fn translate(&mut self, formula: &Formula, reading: Reading) -> TermId {
        let mut heights = FxHashMap::default();
        binder_height(formula, &mut heights);
        Translation { terms: self, heights, scope: Vec::new(), both: FxHashMap::default() }
            .formula(formula, reading)
    }
}

/// A bound on the height of the normal form, noted for every fixpoint that the user wrote: the number of its binder.
/// Equal up to names gives equal numbers.
fn binder_height(formula: &Formula, heights: &mut FxHashMap<*const Formula, Binder>) -> Binder {
    let below = formula.children().into_iter().map(|child| binder_height(child, heights)).max().unwrap_or(0);
    match &formula.kind {
        FormulaKind::Modal(_, regular, _) => regular_height(regular, below),
        FormulaKind::Path(_, PathOperator::Next(_)) => below,
        FormulaKind::Path(..) => below + 1,
        FormulaKind::Fixpoint(..) => {
            heights.insert(formula, below);
            below + 1
        }
        _ => below,
    }
}

struct Translation<'a, 'f> {
    terms: &'a mut Terms,
    heights: FxHashMap<*const Formula, Binder>,
    scope: Vec<(&'f str, Binder, Reading)>,
    /// The sides of equivalences, which are needed with both signs: without this, nested ones would be translated
    /// exponentially often.
    both: FxHashMap<(*const Formula, Reading), TermId>,
}

impl<'f> Translation<'_, 'f> {
    fn formula(&mut self, formula: &'f Formula, reading: Reading) -> TermId {
        match &formula.kind {
            FormulaKind::True => self.terms.conjunction(reading, []),
            FormulaKind::False => self.terms.disjunction(reading, []),
            FormulaKind::Proposition(name) => {
                let proposition = self.terms.propositions.intern(name);
                self.terms.add(Term::Literal { proposition, negated: reading == Reading::Negated })
            }
            FormulaKind::Variable(name) => self.variable(name, reading),
            FormulaKind::Not(f) => self.formula(f, reading.flip()),
            FormulaKind::And(parts) => {
                let parts = self.formulas(parts, reading);
                self.terms.conjunction(reading, parts)
            }
            FormulaKind::Or(parts) => {
                let parts = self.formulas(parts, reading);
                self.terms.disjunction(reading, parts)
            }
            FormulaKind::Implies(f, g) => {
                let parts = [self.formula(f, reading.flip()), self.formula(g, reading)];
                self.terms.disjunction(reading, parts)
            }
            FormulaKind::Iff(f, g) => self.equivalence(f, g, reading),
            FormulaKind::Modal(quantifier, regular, f) => {
                let next = self.formula(f, reading);
                self.terms.regular(dual_if_negated(*quantifier, reading), regular, next)
            }
            FormulaKind::Fixpoint(sign, name, body) => {
                let binder = self.heights[&(formula as *const Formula)];
                self.scope.push((name, binder, reading));
                let body = self.formula(body, reading);
                self.scope.pop();
                let sign = if reading == Reading::AsIs { *sign } else { sign.dual() };
                let id = self.terms.fixpoint(sign, binder, body);
                if matches!(self.terms.term(id), Term::Fixpoint(_, own, _) if *own == binder) {
                    self.terms.names.entry(id).or_insert_with(|| name.clone());
                }
                id
            }
            FormulaKind::Path(quantifier, operator) => self.path(*quantifier, operator, reading),
        }
    }

    fn formulas(&mut self, parts: &'f [Formula], reading: Reading) -> Vec<TermId> {
        parts.iter().map(|part| self.formula(part, reading)).collect()
    }

    fn variable(&mut self, name: &str, reading: Reading) -> TermId {
        let &(_, binder, sign) =
            self.scope.iter().rev().find(|(own, ..)| *own == name).expect("the formula is closed");
        assert!(sign == reading, "the formula is monotone");
        self.terms.add(Term::Variable(binder))
    }

    /// `f <=> g` is `(!f || g) && (!g || f)`, and its negation `(f && !g) || (g && !f)`. Over four values "both or neither"
    /// would be something else.
    fn equivalence(&mut self, f: &'f Formula, g: &'f Formula, reading: Reading) -> TermId {
        let [f_true, f_false] = [Reading::AsIs, Reading::Negated].map(|sign| self.either_sign(f, sign));
        let [g_true, g_false] = [Reading::AsIs, Reading::Negated].map(|sign| self.either_sign(g, sign));
        let (forth, back) = match reading {
            Reading::AsIs => ([f_false, g_true], [g_false, f_true]),
            Reading::Negated => ([f_true, g_false], [g_true, f_false]),
        };
        let forth = self.terms.disjunction(reading, forth);
        let back = self.terms.disjunction(reading, back);
        self.terms.conjunction(reading, [forth, back])
    }

    fn either_sign(&mut self, side: &'f Formula, reading: Reading) -> TermId {
        let key = (side as *const Formula, reading);
        if let Some(&id) = self.both.get(&key) {
            return id;
        }
        let id = self.formula(side, reading);
        self.both.insert(key, id);
        id
    }

    /// CTL operators are these fixpoints, on all systems, with or without deadlocks.
    fn path(&mut self, quantifier: PathQuantifier, operator: &'f PathOperator, reading: Reading) -> TermId {
        let quantifier = dual_if_negated(quantifier, reading);
        let operands: Vec<TermId> =
            operator.operands().into_iter().map(|operand| self.formula(operand, reading)).collect();
        let terms = &mut *self.terms;
        let any = ActionFormula::True;
        let binder = operands.iter().map(|&operand| terms.height(operand)).max().unwrap_or(0);
        let again = |terms: &mut Terms| {
            let variable = terms.add(Term::Variable(binder));
            terms.step(quantifier, &any, variable)
        };
        let (sign, body) = match (operator, operands.as_slice()) {
            (PathOperator::Next(_), &[f]) => return terms.step(quantifier, &any, f),
            (PathOperator::Finally(_), &[f]) => {
                let again = again(terms);
                (Sign::Least, terms.disjunction(reading, [f, again]))
            }
            (PathOperator::Globally(_), &[f]) => {
                let again = again(terms);
                (Sign::Greatest, terms.conjunction(reading, [f, again]))
            }
            (PathOperator::Until(..) | PathOperator::WeakUntil(..), &[f, g]) => {
                let weak = matches!(operator, PathOperator::WeakUntil(..));
                let again = again(terms);
                let stay = terms.conjunction(reading, [f, again]);
                let sign = if weak { Sign::Greatest } else { Sign::Least };
                (sign, terms.disjunction(reading, [g, stay]))
            }
            (PathOperator::Release(..), &[f, g]) => {
                let again = again(terms);
                let stay = terms.disjunction(reading, [f, again]);
                (Sign::Greatest, terms.conjunction(reading, [g, stay]))
            }
            _ => unreachable!("operands() gives one or two formulas, as the operator has"),
        };
        let sign = if reading == Reading::AsIs { sign } else { sign.dual() };
        self.terms.fixpoint(sign, binder, body)
    }
}

fn dual_if_negated(quantifier: PathQuantifier, reading: Reading) -> PathQuantifier {
    match (quantifier, reading) {
        (PathQuantifier::Some, Reading::AsIs) | (PathQuantifier::All, Reading::Negated) => {
            PathQuantifier::Some
        }
        _ => PathQuantifier::All,
    }
}
