//! A hop as polyhedra.
//!
//! What holds on a hop is a Boolean combination of atoms. It is taken apart into *cases*, each a conjunction of atoms: a model of the
//! solver says which, and the next model is one of no case before. In a case conditionals are decided, and linear atoms are rows of
//! inequalities over *columns*, terms that are taken for unknown numbers: variables, products, elements of arrays, quotients. A quotient
//! and a remainder by a constant have the rows that define them; what else a column is, is left out. So a case says no more than the
//! hop, and what follows from all cases follows from it.
//!
//! Cost: one solver call for each case.

use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{BigInt, Sort, Term, TermKind, Terms};
use tertium_solve::{Answer, Model, Prover};
use tertium_support::{Context, StopReason};

/// A sum of multiples of columns and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Form {
    pub(crate) constant: BigInt,
    pub(crate) parts: BTreeMap<Term, BigInt>,
}

impl Form {
    fn number(constant: BigInt) -> Self {
        Self { constant, parts: BTreeMap::new() }
    }

    fn column(term: Term) -> Self {
        Self { constant: BigInt::ZERO, parts: BTreeMap::from([(term, BigInt::from(1))]) }
    }

    fn add(&mut self, factor: &BigInt, other: &Self) {
        self.constant += factor * &other.constant;
        for (&column, by) in &other.parts {
            let own = self.parts.entry(column).or_default();
            *own += factor * by;
            if *own == BigInt::ZERO {
                self.parts.remove(&column);
            }
        }
    }

    fn scaled(&self, factor: i32) -> Self {
        let mut scaled = Self::default();
        scaled.add(&factor.into(), self);
        scaled
    }
}

/// One conjunction of atoms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    /// What holds: a form, and whether it is zero; else it is at least zero.
    pub(crate) rows: BTreeSet<(Form, bool)>,
    /// What was asked for, as forms.
    pub(crate) wanted: Vec<Form>,
}

/// The cases of a hop, with these numbers as forms in each; nothing if they are more than `most`, or the solver does not tell.
pub(crate) fn cases(
    context: &Context,
    terms: &Terms,
    prover: &mut Prover<'_>,
    given: &[Term],
    wanted: &[Term],
    most: usize,
) -> Result<Option<Vec<Case>>, StopReason> {
    let mut cases = Vec::new();
    let mut others: Vec<Term> = Vec::new();
    loop {
        context.poll()?;
        let together = given.iter().chain(&others).copied();
        let (answer, model) = prover.find(context, terms, together);
        match answer.unless_stopped()? {
            Answer::Unsatisfiable => return Ok(Some(cases)),
            Answer::Satisfiable if cases.len() < most => {}
            _ => return Ok(None),
        }
        let Some(model) = model.filter(|model| {
            given.iter().chain(&others).all(|&part| model.satisfies(terms, part) == Some(true))
        }) else {
            return Ok(None);
        };
        let mut taking = Taking { terms, model: &model, literals: BTreeSet::new(), case: Case::default() };
        let taken = given.iter().all(|&part| taking.holds(part, true).is_some());
        let forms: Option<Vec<Form>> = wanted.iter().map(|&number| taking.form(number)).collect();
        let (true, Some(forms)) = (taken, forms) else { return Ok(None) };
        taking.case.wanted = forms;
        others.push(terms.not(terms.and(taking.literals.iter().copied())));
        cases.push(taking.case);
    }
}

/// Takes terms apart as a model decides.
struct Taking<'a> {
    terms: &'a Terms,
    model: &'a Model,
    literals: BTreeSet<Term>,
    case: Case,
}

impl Taking<'_> {
    fn truth(&self, term: Term) -> Option<bool> {
        self.model.satisfies(self.terms, term)
    }

    /// Notes why a term has this truth value.
    fn holds(&mut self, term: Term, value: bool) -> Option<()> {
        match self.terms.kind(term) {
            TermKind::Bool(_) => {}
            TermKind::Not(inner) => self.holds(inner, !value)?,
            TermKind::And(parts) if value => parts.iter().try_for_each(|&part| self.holds(part, true))?,
            TermKind::Or(parts) if !value => parts.iter().try_for_each(|&part| self.holds(part, false))?,
            TermKind::And(parts) | TermKind::Or(parts) => {
                // One part decides: false of a conjunction, true of a disjunction.
                let decides = parts.iter().copied().find(|&part| self.truth(part) == Some(value))?;
                self.holds(decides, value)?;
            }
            TermKind::Equal(left, right) if self.terms.sort(left) == Sort::Bool => {
                for part in [left, right] {
                    let value = self.truth(part)?;
                    self.holds(part, value)?;
                }
            }
            kind => self.atom(term, &kind, value)?,
        }
        Some(())
    }

    fn atom(&mut self, term: Term, kind: &TermKind, value: bool) -> Option<()> {
        let terms = self.terms;
        let literal = if value { term } else { terms.not(term) };
        match kind {
            TermKind::AtMost(form, bound) => {
                self.literals.insert(literal);
                let form = self.form(*form)?;
                let mut row = form.scaled(if value { -1 } else { 1 });
                row.constant += if value { bound.clone() } else { BigInt::from(-1) - bound };
                self.case.rows.insert((row, false));
            }
            TermKind::Exactly(form, number) if value => {
                self.literals.insert(literal);
                let mut row = self.form(*form)?;
                row.constant -= number;
                self.case.rows.insert((row, true));
            }
            TermKind::Exactly(form, number) => {
                // Below or above. The terms that say so may be equations again, of remainders.
                let below = terms.at_most(*form, terms.integer(number - 1));
                let is_below = self.truth(below)?;
                self.literals.insert(literal);
                self.literals.insert(if is_below { below } else { terms.not(below) });
                let mut row = self.form(*form)?.scaled(if is_below { -1 } else { 1 });
                row.constant += if is_below { number - 1 } else { BigInt::from(-1) - number };
                self.case.rows.insert((row, false));
            }
            _ => {
                self.literals.insert(literal);
            }
        }
        Some(())
    }

    /// A number as a form. Conditionals are decided as the model does.
    fn form(&mut self, term: Term) -> Option<Form> {
        Some(match self.terms.kind(term) {
            TermKind::Int(number) => Form::number(number),
            TermKind::Sum(constant, parts) => {
                let mut sum = Form::number(constant);
                for (factor, part) in &parts {
                    let part = self.form(*part)?;
                    sum.add(factor, &part);
                }
                sum
            }
            TermKind::If(condition, then, otherwise) => {
                let value = self.truth(condition)?;
                self.holds(condition, value)?;
                self.form(if value { then } else { otherwise })?
            }
            TermKind::Divide(inner, divisor) => {
                self.divided(inner, &divisor)?;
                Form::column(term)
            }
            TermKind::Modulo(inner, divisor) => {
                let mut rest = self.form(inner)?;
                let quotient = self.divided(inner, &divisor)?;
                rest.add(&-divisor, &quotient);
                rest
            }
            _ => Form::column(term),
        })
    }

    /// The quotient by a positive number, with the rows that define it.
    fn divided(&mut self, inner: Term, divisor: &BigInt) -> Option<Form> {
        let quotient = self.terms.divide(inner, divisor.clone());
        let column = match self.terms.kind(quotient) {
            TermKind::Divide(..) => Form::column(quotient),
            // The store took it apart; what it is made of has its own rows.
            _ => return self.form(quotient),
        };
        let mut rest = self.form(inner)?;
        rest.add(&-divisor, &column);
        let mut room = rest.scaled(-1);
        room.constant += divisor - 1;
        self.case.rows.insert((rest, false));
        self.case.rows.insert((room, false));
        Some(column)
    }
}
