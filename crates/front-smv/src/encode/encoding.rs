//! The expressions of a model as functions of the bits: by way of terms.
//!
//! [`mod@crate::lower`] says what expressions are among terms, and [`Encoder`] makes diagrams of these. Between two
//! laws only the diagrams of definitions are kept: other laws are made of these, too.

use super::layout::Layout;
use crate::lower::When;
use crate::{Expr, FlatModel, Lowered, VarId};
use std::rc::Rc;
use tertium_dd::{Bdd, Manager};
use tertium_encode::diagrams::circuit::Made;
use tertium_encode::diagrams::{self, EncodeError, Encoder, Finite, Values};
use tertium_expr::{Term, Terms};
use tertium_program::Predicate;

/// A model on its way to diagrams.
#[derive(Debug)]
pub(super) struct Encoding<'m> {
    pub(super) manager: Manager,
    pub(super) model: &'m FlatModel,
    pub(super) layout: Layout,
    pub(super) lowered: Lowered<'m>,
    encoder: Encoder<Rc<Terms>>,
    /// By variable that is encoded: its values.
    values: Vec<Values>,
}

impl<'m> Encoding<'m> {
    /// The variables of the layout have to be among those that are lowered.
    pub(super) fn new(manager: &Manager, layout: Layout, lowered: Lowered<'m>) -> Self {
        let model = lowered.flat();
        let mut places = diagrams::Layout::new();
        let mut values = Vec::with_capacity(layout.kept.len());
        for (&id, variable) in layout.kept.iter().zip(&layout.variables) {
            let own = lowered.evaluator.values(id);
            debug_assert_eq!(own.last_code(), variable.last_code, "both count the same values");
            let finite = |bits: &[_]| Finite { values: own.clone(), bits: bits.to_vec() };
            places.insert(
                lowered.evaluator.copy(id, When::Now).expect("before a step"),
                finite(&variable.current),
            );
            if let Some(next) = lowered.evaluator.copy(id, When::Next) {
                places.insert(next, finite(&variable.next));
            }
            values.push(own);
        }
        let encoder = Encoder::new(Rc::clone(&lowered.evaluator.terms), manager, places);
        Self { manager: manager.clone(), model, layout, lowered, encoder, values }
    }

    /// Where an expression has exactly one truth value, and where it has none or two.
    pub(super) fn truth(&mut self, expr: &Expr, when: When) -> Made<(Bdd, Bdd)> {
        let Predicate { holds, fault } = self.lowered.evaluator.truth(expr, when);
        let made = (self.term(holds)?, self.term(fault)?);
        self.encoder.forget_passing();
        Ok(made)
    }

    /// Where a variable, at the given state, has one of the values of an expression before the step, as parts of a relation; and where the
    /// expression has no meaning or a value that is not of the type.
    pub(super) fn assigned(&mut self, id: VarId, target: When, expr: &Expr) -> Made<(Vec<Bdd>, Bdd)> {
        let Predicate { holds, fault } = self.lowered.evaluator.assigned_to(id, target, expr, When::Now);
        let fault = self.term(fault)?;
        let parts = if self.lowered.evaluator.has_set(expr) {
            vec![self.term(holds)?]
        } else {
            let value = self.lowered.evaluator.value(id, expr, When::Now);
            let values = &self.values[self.layout.place(id).expect("the variable is encoded")];
            let code = self.encoder.code(value, values).map_err(limit)?;
            let bits = self.layout.bits(&self.manager, id, target)?;
            diagrams::equations(&self.manager, &bits, &code)?
        };
        self.encoder.forget_passing();
        Ok((parts, fault))
    }

    fn term(&mut self, term: Term) -> Made<Bdd> {
        self.encoder.truth(term).map_err(limit)
    }
}

fn limit(error: EncodeError) -> tertium_support::StopReason {
    match error {
        EncodeError::Stopped(reason) => reason,
        EncodeError::Arrays | EncodeError::Unbounded(_) => {
            unreachable!("terms of a model are over finite variables that are kept")
        }
    }
}
