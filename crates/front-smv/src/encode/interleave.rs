//! Which variables share their bits: those that are added, compared or copied.
//!
//! The diagram of x + y, or of x = y, has a size linear in the width if the bits of both alternate in the order, and an
//! exponential one if all bits of x come before those of y. So the wide variables that meet in arithmetic, in
//! comparisons and in assignments form classes, and the bits of a class alternate, aligned at the lowest, the highest first. The
//! bits of all other variables stay together.

use super::layout::width_of;
use crate::interpret::parts;
use crate::{BinaryOp, Expr, ExprKind, FlatModel, VarId};
use tertium_support::Id;

/// Variables with fewer bits keep them together: their diagrams are small either way.
const WIDE: usize = 5;

/// The bits of the variables, numbered from the lowest, in the order in which they are to be made.
pub(super) fn order_bits(model: &FlatModel, order: &[VarId]) -> Vec<(VarId, usize)> {
    let mut classes = Classes::new(model);
    let mut members: Vec<Vec<VarId>> = vec![Vec::new(); model.variables.len()];
    order.iter().for_each(|&id| members[classes.find(id.index())].push(id));
    let mut bits = Vec::new();
    for &id in order {
        // A class stands where its first member does.
        let class = std::mem::take(&mut members[classes.find(id.index())]);
        let width = |id: VarId| width_of(&model.variables[id.index()].ty);
        let widest = class.iter().map(|&id| width(id)).max().unwrap_or(0);
        for bit in (0..widest).rev() {
            bits.extend(class.iter().filter(|&&id| bit < width(id)).map(|&id| (id, bit)));
        }
    }
    bits
}

/// A partition of the variables, as a forest.
struct Classes(Vec<usize>);

impl Classes {
    fn new(model: &FlatModel) -> Self {
        let mut classes = Self((0..model.variables.len()).collect());
        // By definition: the wide variables that its value is computed from.
        let mut defines: Vec<Vec<usize>> = Vec::with_capacity(model.defines.len());
        for define in &model.defines {
            let sources = classes.visit(model, &define.body, &defines);
            defines.push(sources);
        }
        let constraints = model.init.iter().chain(&model.invar).chain(&model.trans).chain(&model.justice);
        let pairs = model.compassion.iter().flat_map(|(often, then)| [often, then]);
        let atoms = model.specifications.iter().flat_map(|specification| &specification.atoms);
        for expr in constraints.chain(pairs).chain(atoms.map(|atom| &atom.expr)) {
            classes.visit(model, expr, &defines);
        }
        for assign in &model.assigns {
            let mut sources = classes.visit(model, &assign.value, &defines);
            if is_wide(model, assign.target) {
                sources.push(assign.target.index());
                classes.join(&sources);
            }
        }
        classes
    }

    /// The wide variables whose bits become bits of the value; joins those that meet inside.
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
                self.join(&sources);
                // A truth value has no bits of its operands.
                if expr.ty == crate::Type::Boolean { Vec::new() } else { sources }
            }
        }
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, sources: &[usize]) {
        for pair in sources.windows(2) {
            let (a, b) = (self.find(pair[0]), self.find(pair[1]));
            self.0[a.max(b)] = a.min(b);
        }
    }
}

fn is_wide(model: &FlatModel, id: VarId) -> bool {
    width_of(&model.variables[id.index()].ty) >= WIDE
}
