//! Positive normal form as a table of shared terms: the step between the tree and the graph.
//!
//! Negations are pushed down to propositions, with the variable of a fixpoint replaced by its negation as the
//! fixpoint is dualised: `!mu Z. f(Z)` is `nu Z. !f(!Z)`. Since formulas are monotone, a variable then always occurs
//! with the sign of its binder and needs no negation of its own. Abbreviations are removed on the way, each operand
//! translated once: `<R+S>f` refers twice to one term for `f`, so nested choices do not blow up.
//!
//! Binders are numbered from inside: a binder gets a number greater than all binders inside its body, and a variable
//! is the number of its binder. Binders around a place have strictly growing numbers, so nothing is captured; and
//! a fixpoint without free variables is the same term wherever it stands and however its variables are called.
//!
//! Simplifications hold for Kleene and Belnap values too: units and zeros of `&&` and `||`, doubled operands,
//! `<a>false`, `[a]true`, and binders whose variable does not occur. (`p && !p` is not false: `p` may be unknown.)
//!
//! Cost: linear in the size of the tree, apart from the sets of free variables.

use crate::{
    ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, PropositionId, Regular, Sign,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tertium_support::{Id, Interner, define_id};

define_id!(
    /// A term of a [`Terms`] table.
    TermId
);

/// The number of a binder.
pub(crate) type Binder = u32;

/// A term with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    True,
    False,
    Literal { proposition: PropositionId, negated: bool },
    And(Rc<[TermId]>),
    Or(Rc<[TermId]>),
    Diamond(usize, TermId),
    Box(usize, TermId),
    Fixpoint(Sign, Binder, TermId),
    Variable(Binder),
}

/// What is known of a term.
#[derive(Clone, Debug)]
struct Facts {
    /// The free variables, ascending.
    free: Rc<[Binder]>,
    /// Greater than all binders inside, whose numbers start at 0.
    height: Binder,
}

/// Terms without duplicates. Operands stand before the terms that use them.
#[derive(Default)]
pub(crate) struct Terms {
    terms: Vec<Term>,
    facts: Vec<Facts>,
    known: FxHashMap<Term, TermId>,
    /// The name that the user first gave to the variable of a fixpoint.
    names: FxHashMap<TermId, String>,
    pub(crate) propositions: Interner<PropositionId>,
    pub(crate) actions: Vec<ActionFormula>,
    known_actions: FxHashMap<ActionFormula, usize>,
    no_variables: Option<Rc<[Binder]>>,
}

/// Whether a formula is meant as it is or negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reading {
    AsIs,
    Negated,
}

impl Reading {
    fn flip(self) -> Self {
        match self {
            Self::AsIs => Self::Negated,
            Self::Negated => Self::AsIs,
        }
    }
}

impl Terms {
    pub(crate) fn term(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// The free variables of a term, ascending: the innermost binder comes first.
    pub(crate) fn free(&self, id: TermId) -> &[Binder] {
        &self.facts[id.index()].free
    }

    /// The name for the variable of a fixpoint.
    pub(crate) fn name(&self, fixpoint: TermId) -> &str {
        self.names.get(&fixpoint).map_or("Z", String::as_str)
    }

    /// Adds the normal form of a closed, monotone formula. Panics if it is not.
    pub(crate) fn translate(&mut self, formula: &Formula, reading: Reading) -> TermId {
        let mut heights = FxHashMap::default();
        binder_height(formula, &mut heights);
        Translation { terms: self, heights, scope: Vec::new(), both: FxHashMap::default() }
            .formula(formula, reading)
    }

    fn height(&self, id: TermId) -> Binder {
        self.facts[id.index()].height
    }

    fn add(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.known.get(&term) {
            return id;
        }
        let facts = self.facts_of(&term);
        let id = TermId::new(self.terms.len());
        self.known.insert(term.clone(), id);
        self.terms.push(term);
        self.facts.push(facts);
        id
    }

    fn facts_of(&mut self, term: &Term) -> Facts {
        match term {
            Term::True | Term::False | Term::Literal { .. } => {
                let none = self.no_variables.get_or_insert_with(|| Rc::from([]));
                Facts { free: none.clone(), height: 0 }
            }
            Term::Variable(binder) => Facts { free: Rc::from([*binder]), height: 0 },
            Term::Diamond(_, body) | Term::Box(_, body) => self.facts[body.index()].clone(),
            Term::And(parts) | Term::Or(parts) => self.facts_of_parts(parts),
            Term::Fixpoint(_, binder, body) => {
                let free: Vec<Binder> =
                    self.free(*body).iter().copied().filter(|own| own != binder).collect();
                debug_assert!(
                    self.height(*body) <= *binder,
                    "a binder has a greater number than those inside"
                );
                Facts { free: free.into(), height: binder + 1 }
            }
        }
    }

    fn facts_of_parts(&self, parts: &[TermId]) -> Facts {
        let height = parts.iter().map(|&part| self.height(part)).max().unwrap_or(0);
        let mut open = parts.iter().filter(|&&part| !self.free(part).is_empty());
        let (first, second) = (open.next(), open.next());
        let free = match (first, second) {
            (None, _) => self.facts[parts[0].index()].free.clone(),
            (Some(only), None) => self.facts[only.index()].free.clone(),
            _ => {
                let mut all: Vec<Binder> = parts.iter().flat_map(|&part| self.free(part)).copied().collect();
                all.sort_unstable();
                all.dedup();
                all.into()
            }
        };
        Facts { free, height }
    }

    /// The conjunction, or the disjunction if `reading` says that a conjunction is negated.
    fn conjunction(&mut self, reading: Reading, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let (unit, zero) = match reading {
            Reading::AsIs => (self.add(Term::True), self.add(Term::False)),
            Reading::Negated => (self.add(Term::False), self.add(Term::True)),
        };
        let mut seen = FxHashSet::default();
        let mut kept = Vec::new();
        for part in parts {
            if part == zero {
                return zero;
            }
            if part != unit && seen.insert(part) {
                kept.push(part);
            }
        }
        match (kept.as_slice(), reading) {
            ([], _) => unit,
            ([only], _) => *only,
            (_, Reading::AsIs) => self.add(Term::And(kept.into())),
            (_, Reading::Negated) => self.add(Term::Or(kept.into())),
        }
    }

    fn disjunction(&mut self, reading: Reading, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.conjunction(reading.flip(), parts)
    }

    /// One step: `quantifier` is that of the normal form.
    fn step(&mut self, quantifier: PathQuantifier, actions: &ActionFormula, body: TermId) -> TermId {
        let vacuous = match quantifier {
            PathQuantifier::Some => self.add(Term::False),
            PathQuantifier::All => self.add(Term::True),
        };
        if body == vacuous || *actions == ActionFormula::False {
            return vacuous;
        }
        let index = self.action_index(actions);
        self.add(match quantifier {
            PathQuantifier::Some => Term::Diamond(index, body),
            PathQuantifier::All => Term::Box(index, body),
        })
    }

    fn action_index(&mut self, actions: &ActionFormula) -> usize {
        if let Some(&index) = self.known_actions.get(actions) {
            return index;
        }
        let index = self.actions.len();
        self.actions.push(actions.clone());
        self.known_actions.insert(actions.clone(), index);
        index
    }

    fn fixpoint(&mut self, sign: Sign, binder: Binder, body: TermId) -> TermId {
        if self.free(body).binary_search(&binder).is_err() {
            return body;
        }
        self.add(Term::Fixpoint(sign, binder, body))
    }

    /// The regular modality in normal form: `next` is what holds afterwards, already in normal form.
    fn regular(&mut self, quantifier: PathQuantifier, regular: &Regular, next: TermId) -> TermId {
        // `<…>` is a disjunction over sequences with least fixpoints, `[…]` the dual.
        let (join, sign) = match quantifier {
            PathQuantifier::Some => (Reading::AsIs, Sign::Least),
            PathQuantifier::All => (Reading::Negated, Sign::Greatest),
        };
        match regular {
            Regular::Step(actions) => self.step(quantifier, actions, next),
            Regular::Sequence(parts) => {
                parts.iter().rev().fold(next, |next, part| self.regular(quantifier, part, next))
            }
            Regular::Choice(parts) => {
                let parts: Vec<TermId> =
                    parts.iter().map(|part| self.regular(quantifier, part, next)).collect();
                self.disjunction(join, parts)
            }
            Regular::Star(body) => {
                // <R*>f = mu X. f || <R>X
                let binder = self.height(next).max(regular_height(body, 0));
                let variable = self.add(Term::Variable(binder));
                let again = self.regular(quantifier, body, variable);
                let unfolded = self.disjunction(join, [next, again]);
                self.fixpoint(sign, binder, unfolded)
            }
            Regular::Plus(body) => {
                // <R+>f = mu X. <R>(f || X), which is <R><R*>f without writing R twice
                let binder = regular_height(body, self.height(next));
                let variable = self.add(Term::Variable(binder));
                let after = self.disjunction(join, [next, variable]);
                let unfolded = self.regular(quantifier, body, after);
                self.fixpoint(sign, binder, unfolded)
            }
        }
    }
}

/// The height of `<R>f` where that of `f` is `next`.
fn regular_height(regular: &Regular, next: Binder) -> Binder {
    match regular {
        Regular::Step(_) => next,
        Regular::Sequence(parts) => parts.iter().rev().fold(next, |next, part| regular_height(part, next)),
        Regular::Choice(parts) => parts.iter().map(|part| regular_height(part, next)).max().unwrap_or(next),
        Regular::Star(body) => next.max(regular_height(body, 0)) + 1,
        Regular::Plus(body) => regular_height(body, next) + 1,
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
