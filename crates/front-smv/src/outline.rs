//! What every part of a model has to know of the whole, found once.
//!
//! A model is checked in parts, as many as there are different cones of influence. With an outline, a part costs what its own variables
//! and the constraints cost, not what the whole model does: many small parts of a large model are cheap together. Each thing is found
//! when it is first asked for, in time and memory linear in the size of the model.
//!
//! Invariant: an outline is asked about the model that it was made of.

use crate::encode::{Influence, bit_classes};
use crate::interpret::parts;
use crate::order::{VariableOrder, order_variables};
use crate::{Assign, Expr, ExprKind, FlatModel, VarId};
use std::cell::OnceCell;
use tertium_support::Id;

/// What is known of a whole model.
#[derive(Debug)]
pub struct Outline {
    /// By definition: whether it is written with sets.
    has_set: Vec<bool>,
    /// By variable: the places of its assignments among those of the model.
    assigns: Vec<Vec<usize>>,
    influence: OnceCell<Influence>,
    /// By variable: its place in the order that the structure of the model gives.
    places: OnceCell<Vec<usize>>,
    /// By variable: the class whose bits alternate with its own.
    classes: OnceCell<Vec<usize>>,
}

impl Outline {
    /// The outline of a model.
    pub fn new(model: &FlatModel) -> Self {
        let mut has_set = Vec::with_capacity(model.defines.len());
        for define in &model.defines {
            has_set.push(mentions_set(&define.body, &has_set));
        }
        let mut assigns = vec![Vec::new(); model.variables.len()];
        for (place, assign) in model.assigns.iter().enumerate() {
            assigns[assign.target.index()].push(place);
        }
        Self {
            has_set,
            assigns,
            influence: OnceCell::new(),
            places: OnceCell::new(),
            classes: OnceCell::new(),
        }
    }

    /// Whether an expression is written with sets, so that it may have several values.
    pub(crate) fn has_set(&self, expr: &Expr) -> bool {
        mentions_set(expr, &self.has_set)
    }

    /// The assignments to these variables, in the order of the model.
    pub(crate) fn assigns<'m>(&self, model: &'m FlatModel, variables: &[VarId]) -> Vec<&'m Assign> {
        self.belongs_to(model);
        let mut places: Vec<usize> =
            variables.iter().flat_map(|id| self.assigns[id.index()].iter().copied()).collect();
        places.sort_unstable();
        places.into_iter().map(|place| &model.assigns[place]).collect()
    }

    /// Who reads whom.
    pub(crate) fn influence(&self, model: &FlatModel) -> &Influence {
        self.belongs_to(model);
        self.influence.get_or_init(|| Influence::new(model))
    }

    /// These variables, which are sorted, in an order of all variables.
    pub(crate) fn ordered(&self, model: &FlatModel, order: &VariableOrder, kept: &[VarId]) -> Vec<VarId> {
        self.belongs_to(model);
        match order {
            VariableOrder::Declaration => kept.to_vec(),
            VariableOrder::Structure => {
                let places = self.places.get_or_init(|| {
                    let mut places = vec![0; model.variables.len()];
                    let order = order_variables(model, order);
                    order.into_iter().enumerate().for_each(|(place, id)| places[id.index()] = place);
                    places
                });
                let mut ordered = kept.to_vec();
                ordered.sort_unstable_by_key(|id| places[id.index()]);
                ordered
            }
            VariableOrder::Given(_) => {
                let mut ordered = order_variables(model, order);
                ordered.retain(|id| kept.binary_search(id).is_ok());
                ordered
            }
        }
    }

    /// By variable: the class whose bits alternate with its own.
    pub(crate) fn classes(&self, model: &FlatModel) -> &[usize] {
        self.belongs_to(model);
        self.classes.get_or_init(|| bit_classes(model))
    }

    fn belongs_to(&self, model: &FlatModel) {
        debug_assert_eq!(
            (self.assigns.len(), self.has_set.len()),
            (model.variables.len(), model.defines.len()),
            "an outline is one of its own model"
        );
    }
}

fn mentions_set(expr: &Expr, defines: &[bool]) -> bool {
    let mut waiting = vec![expr];
    while let Some(expr) = waiting.pop() {
        match &expr.kind {
            ExprKind::Set(_) => return true,
            ExprKind::Define(id) if defines[id.index()] => return true,
            _ => waiting.extend(parts(expr)),
        }
    }
    false
}
