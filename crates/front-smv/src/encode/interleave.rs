//! Which variables share their bits: those that are added, compared or copied. See [`interleave`].

use super::layout::width_of;
use crate::interpret::parts;
use crate::{BinaryOp, Expr, ExprKind, FlatModel, Outline, VarId};
use tertium_encode::diagrams::{Classes, WIDE, interleave};
use tertium_support::Id;

/// The bits of the variables, numbered from the lowest, in the order in which they are to be made.
pub(super) fn order_bits(model: &FlatModel, outline: &Outline, order: &[VarId]) -> Vec<(VarId, usize)> {
    let order: Vec<usize> = order.iter().map(|id| id.index()).collect();
    let classes = outline.classes(model);
    let width = |variable: usize| width_of(&model.variables[variable].ty);
    let bits = interleave(&order, width, |variable| classes[variable]);
    bits.into_iter().map(|(variable, bit)| (VarId::new(variable), bit)).collect()
}

/// By variable: the class whose bits alternate.
pub(crate) fn bit_classes(model: &FlatModel) -> Vec<usize> {
    let mut meetings = Meetings(Classes::new(model.variables.len()));
    // By definition: the wide variables that its value is computed from.
    let mut defines: Vec<Vec<usize>> = Vec::with_capacity(model.defines.len());
    for define in &model.defines {
        let sources = meetings.visit(model, &define.body, &defines);
        defines.push(sources);
    }
    let constraints = model.init.iter().chain(&model.invar).chain(&model.trans).chain(&model.justice);
    let pairs = model.compassion.iter().flat_map(|(often, then)| [often, then]);
    let atoms = model.specifications.iter().flat_map(|specification| &specification.atoms);
    for expr in constraints.chain(pairs).chain(atoms.map(|atom| &atom.expr)) {
        meetings.visit(model, expr, &defines);
    }
    for assign in &model.assigns {
        let mut sources = meetings.visit(model, &assign.value, &defines);
        if is_wide(model, assign.target) {
            sources.push(assign.target.index());
            meetings.0.join(&sources);
        }
    }
    (0..model.variables.len()).map(|variable| meetings.0.find(variable)).collect()
}

/// The wide variables that met so far.
struct Meetings(Classes);

impl Meetings {
    /// The wide variables whose bits become bits of the value, one for all that are joined already; joins those that meet inside.
    fn visit(&mut self, model: &FlatModel, expr: &Expr, defines: &[Vec<usize>]) -> Vec<usize> {
        match &expr.kind {
            ExprKind::Variable(id) if is_wide(model, *id) => vec![id.index()],
            ExprKind::Define(id) => defines[id.index()].clone(),
            ExprKind::Case(branches) => {
                let mut sources = Vec::new();
                for (condition, value) in branches {
                    self.visit(model, condition, defines);
                    sources.extend(self.visit(model, value, defines));
                }
                sources.sort_unstable();
                sources.dedup();
                sources
            }
            // Shifts and concatenations do not align the bits, and products are large in any order.
            ExprKind::Binary(
                operator @ (BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::Concatenate
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Modulo),
                left,
                right,
            ) => {
                let sources = self.visit(model, left, defines);
                let others = self.visit(model, right, defines);
                if *operator == BinaryOp::Concatenate { Vec::new() } else { [sources, others].concat() }
            }
            _ => {
                let mut sources = Vec::new();
                for part in parts(expr) {
                    sources.extend(self.visit(model, part, defines));
                }
                sources.sort_unstable();
                sources.dedup();
                self.0.join(&sources);
                sources.truncate(1);
                // A truth value has no bits of its operands.
                if expr.ty == crate::Type::Boolean { Vec::new() } else { sources }
            }
        }
    }
}

fn is_wide(model: &FlatModel, id: VarId) -> bool {
    width_of(&model.variables[id.index()].ty) >= WIDE
}
