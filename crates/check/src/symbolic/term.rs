//! Formulas as hash-consed terms over a few operators, so that equal sub-formulas of all questions are one.
//!
//! Every CTL operator becomes a Boolean combination of `EX`, `E U`, `EG`:
//! E\[f W g\] = E\[f U g\] ∨ EG f, E\[f R g\] = E\[g W (f ∧ g)\], A dual. With justice, `EX` and `E U` lead to fair states only
//! \[EL86\]; the modalities of the mu-calculus are about all steps in any case. Conjunctions are flat, sorted and without
//! repetition, double negations are gone. A variable is the depth of its binder, counted from outside.

use super::outcome::Refusal;
use rustc_hash::FxHashMap;
use tertium_logic::{
    ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, Regular, Sign, check_well_formed,
};
use tertium_support::{Id, define_id};

define_id!(
    /// A term.
    TermId
);

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    True,
    /// States where a fair path begins.
    Fair,
    Proposition(String),
    Variable(u32),
    Not(TermId),
    And(Vec<TermId>),
    /// Some step leads there.
    Diamond(TermId),
    /// Some path, not necessarily fair, leads through the first to the second.
    Until(TermId, TermId),
    /// Some path, fair if there is justice, stays inside.
    Globally(TermId),
    Fixpoint(Sign, u32, TermId),
}

/// All terms of a checker.
#[derive(Debug)]
pub(crate) struct Terms {
    terms: Vec<Term>,
    ids: FxHashMap<Term, TermId>,
    /// The variables that are not bound inside, sorted.
    free: Vec<Vec<u32>>,
    /// Whether fair paths are not simply all paths.
    justice: bool,
}

impl Terms {
    pub(crate) fn new(justice: bool) -> Self {
        Self { terms: Vec::new(), ids: FxHashMap::default(), free: Vec::new(), justice }
    }

    pub(crate) fn term(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// Whether the value does not depend on variables.
    pub(crate) fn is_closed(&self, id: TermId) -> bool {
        self.free[id.index()].is_empty()
    }

    /// The term of a formula.
    pub(crate) fn add(&mut self, formula: &Formula) -> Result<TermId, Refusal> {
        check_well_formed(formula).map_err(|_| Refusal::IllFormed)?;
        Translation { terms: self, scope: Vec::new() }.formula(formula, 0)
    }

    /// Where fair paths begin.
    pub(crate) fn fair(&mut self) -> TermId {
        if self.justice { self.make(Term::Fair) } else { self.make(Term::True) }
    }

    pub(crate) fn make(&mut self, term: Term) -> TermId {
        if let Some(&known) = self.ids.get(&term) {
            return known;
        }
        debug_assert!(self.is_normal(&term), "conjunctions are flat, sorted and without repetition");
        let mut free: Vec<u32> = match &term {
            Term::True | Term::Fair | Term::Proposition(_) => Vec::new(),
            Term::Variable(level) => vec![*level],
            Term::Not(f) | Term::Diamond(f) | Term::Globally(f) => self.free[f.index()].clone(),
            Term::And(parts) => parts.iter().flat_map(|part| self.free[part.index()].clone()).collect(),
            Term::Until(f, g) => {
                [f, g].into_iter().flat_map(|part| self.free[part.index()].clone()).collect()
            }
            Term::Fixpoint(_, level, body) => {
                self.free[body.index()].iter().copied().filter(|other| other != level).collect()
            }
        };
        free.sort_unstable();
        free.dedup();
        debug_assert_eq!(self.free.len(), self.terms.len(), "the free variables of every term are known");
        let id = TermId::new(self.terms.len());
        self.terms.push(term.clone());
        self.free.push(free);
        self.ids.insert(term, id);
        id
    }

    fn is_normal(&self, term: &Term) -> bool {
        match term {
            Term::And(parts) => {
                parts.len() > 1
                    && parts.is_sorted_by(|one, other| one < other)
                    && !parts.iter().any(|&part| matches!(self.term(part), Term::And(_) | Term::True))
            }
            Term::Not(inner) => !matches!(self.term(*inner), Term::Not(_)),
            _ => true,
        }
    }

    pub(crate) fn not(&mut self, id: TermId) -> TermId {
        match self.term(id) {
            Term::Not(inner) => *inner,
            _ => self.make(Term::Not(id)),
        }
    }

    pub(crate) fn and(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let mut flat = Vec::new();
        for part in parts {
            match self.term(part) {
                Term::True => {}
                Term::And(inner) => flat.extend(inner.iter().copied()),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat.as_slice() {
            [] => self.make(Term::True),
            [one] => *one,
            _ => self.make(Term::And(flat)),
        }
    }

    fn or(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let negated: Vec<TermId> = parts.into_iter().map(|part| self.not(part)).collect();
        let none = self.and(negated);
        self.not(none)
    }

    /// E\[f U g\].
    fn until(&mut self, f: TermId, g: TermId) -> TermId {
        let fair = self.fair();
        let goal = self.and([g, fair]);
        self.make(Term::Until(f, goal))
    }

    /// E\[f W g\].
    fn weak_until(&mut self, f: TermId, g: TermId) -> TermId {
        let parts = [self.until(f, g), self.make(Term::Globally(f))];
        self.or(parts)
    }
}

struct Translation<'a, 'f> {
    terms: &'a mut Terms,
    scope: Vec<(&'f str, u32)>,
}

impl<'f> Translation<'_, 'f> {
    /// `depth`: how many binders are around, those of regular modalities counted too.
    fn formula(&mut self, formula: &'f Formula, depth: u32) -> Result<TermId, Refusal> {
        Ok(match &formula.kind {
            FormulaKind::True => self.terms.make(Term::True),
            FormulaKind::False => {
                let yes = self.terms.make(Term::True);
                self.terms.not(yes)
            }
            FormulaKind::Proposition(name) => self.terms.make(Term::Proposition(name.clone())),
            FormulaKind::Variable(name) => {
                let bound = self.scope.iter().rev().find(|(own, _)| own == name);
                let &(_, level) = bound.ok_or(Refusal::IllFormed)?;
                self.terms.make(Term::Variable(level))
            }
            FormulaKind::Not(f) => {
                let f = self.formula(f, depth)?;
                self.terms.not(f)
            }
            FormulaKind::And(parts) => {
                let parts = self.formulas(parts, depth)?;
                self.terms.and(parts)
            }
            FormulaKind::Or(parts) => {
                let parts = self.formulas(parts, depth)?;
                self.terms.or(parts)
            }
            FormulaKind::Implies(f, g) => {
                let (f, g) = (self.formula(f, depth)?, self.formula(g, depth)?);
                let not_f = self.terms.not(f);
                self.terms.or([not_f, g])
            }
            FormulaKind::Iff(f, g) => {
                let (f, g) = (self.formula(f, depth)?, self.formula(g, depth)?);
                let (not_f, not_g) = (self.terms.not(f), self.terms.not(g));
                let sides = [self.terms.or([not_f, g]), self.terms.or([f, not_g])];
                self.terms.and(sides)
            }
            FormulaKind::Modal(quantifier, regular, f) => {
                let f = self.formula(f, depth)?;
                self.regular(*quantifier, regular, f, depth)?
            }
            FormulaKind::Fixpoint(sign, name, body) => {
                self.scope.push((name, depth));
                let body = self.formula(body, depth + 1)?;
                self.scope.pop();
                self.terms.make(Term::Fixpoint(*sign, depth, body))
            }
            FormulaKind::Path(quantifier, operator) => self.path(*quantifier, operator, depth)?,
        })
    }

    fn formulas(&mut self, parts: &'f [Formula], depth: u32) -> Result<Vec<TermId>, Refusal> {
        parts.iter().map(|part| self.formula(part, depth)).collect()
    }

    fn path(
        &mut self,
        quantifier: PathQuantifier,
        operator: &'f PathOperator,
        depth: u32,
    ) -> Result<TermId, Refusal> {
        let mut operands = Vec::new();
        for operand in operator.operands() {
            operands.push(self.formula(operand, depth)?);
        }
        let terms = &mut *self.terms;
        Ok(match quantifier {
            PathQuantifier::Some => some_path(terms, operator, &operands),
            PathQuantifier::All => {
                let negated: Vec<TermId> = operands.into_iter().map(|operand| terms.not(operand)).collect();
                let refuted = no_path(terms, operator, &negated);
                terms.not(refuted)
            }
        })
    }

    /// `<R>f` or `[R]f`, which is dual.
    fn regular(
        &mut self,
        quantifier: PathQuantifier,
        regular: &Regular,
        next: TermId,
        depth: u32,
    ) -> Result<TermId, Refusal> {
        match quantifier {
            PathQuantifier::Some => self.some_sequence(regular, next, depth),
            PathQuantifier::All => {
                let not_next = self.terms.not(next);
                let some = self.some_sequence(regular, not_next, depth)?;
                Ok(self.terms.not(some))
            }
        }
    }

    fn some_sequence(&mut self, regular: &Regular, next: TermId, depth: u32) -> Result<TermId, Refusal> {
        Ok(match regular {
            Regular::Step(actions) => {
                if every_action(actions)? {
                    self.terms.make(Term::Diamond(next))
                } else {
                    let yes = self.terms.make(Term::True);
                    self.terms.not(yes)
                }
            }
            Regular::Sequence(parts) => {
                let mut next = next;
                for part in parts.iter().rev() {
                    next = self.some_sequence(part, next, depth)?;
                }
                next
            }
            Regular::Choice(parts) => {
                let mut choices = Vec::new();
                for part in parts {
                    choices.push(self.some_sequence(part, next, depth)?);
                }
                self.terms.or(choices)
            }
            Regular::Star(body) => {
                // mu X. next ∨ <body>X. Binders inside `next` may have the same depth: they do not see this one.
                let again = self.terms.make(Term::Variable(depth));
                let again = self.some_sequence(body, again, depth + 1)?;
                let body = self.terms.or([next, again]);
                self.terms.make(Term::Fixpoint(Sign::Least, depth, body))
            }
            Regular::Plus(body) => {
                let star = self.some_sequence(&Regular::Star(body.clone()), next, depth)?;
                self.some_sequence(body, star, depth)?
            }
        })
    }
}

/// E with the operator.
fn some_path(terms: &mut Terms, operator: &PathOperator, operands: &[TermId]) -> TermId {
    match (operator, operands) {
        (PathOperator::Next(_), &[f]) => {
            let fair = terms.fair();
            let goal = terms.and([f, fair]);
            terms.make(Term::Diamond(goal))
        }
        (PathOperator::Finally(_), &[f]) => {
            let yes = terms.make(Term::True);
            terms.until(yes, f)
        }
        (PathOperator::Globally(_), &[f]) => terms.make(Term::Globally(f)),
        (PathOperator::Until(..), &[f, g]) => terms.until(f, g),
        (PathOperator::WeakUntil(..), &[f, g]) => terms.weak_until(f, g),
        (PathOperator::Release(..), &[f, g]) => {
            let both = terms.and([f, g]);
            terms.weak_until(g, both)
        }
        _ => unreachable!("an operator has its operands"),
    }
}

/// E with the negation of the operator, whose operands are given negated.
fn no_path(terms: &mut Terms, operator: &PathOperator, negated: &[TermId]) -> TermId {
    match (operator, negated) {
        (PathOperator::Next(_), &[not_f]) => {
            let fair = terms.fair();
            let goal = terms.and([not_f, fair]);
            terms.make(Term::Diamond(goal))
        }
        (PathOperator::Finally(_), &[not_f]) => terms.make(Term::Globally(not_f)),
        (PathOperator::Globally(_), &[not_f]) => {
            let yes = terms.make(Term::True);
            terms.until(yes, not_f)
        }
        (PathOperator::Until(..), &[not_f, not_g]) => {
            let neither = terms.and([not_f, not_g]);
            terms.weak_until(not_g, neither)
        }
        (PathOperator::WeakUntil(..), &[not_f, not_g]) => {
            let neither = terms.and([not_f, not_g]);
            terms.until(not_g, neither)
        }
        (PathOperator::Release(..), &[not_f, not_g]) => terms.until(not_f, not_g),
        _ => unreachable!("an operator has its operands"),
    }
}

/// Whether the set holds every action or none; steps of a symbolic system have no names.
fn every_action(actions: &ActionFormula) -> Result<bool, Refusal> {
    Ok(match actions {
        ActionFormula::True => true,
        ActionFormula::False => false,
        ActionFormula::Action(label, _) => return Err(Refusal::NamedAction(label.clone())),
        ActionFormula::Not(inner) => !every_action(inner)?,
        ActionFormula::And(parts) => {
            parts.iter().map(every_action).collect::<Result<Vec<_>, _>>()?.into_iter().all(|every| every)
        }
        ActionFormula::Or(parts) => {
            parts.iter().map(every_action).collect::<Result<Vec<_>, _>>()?.into_iter().any(|every| every)
        }
    })
}
