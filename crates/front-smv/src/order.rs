//! The order of the variables before any diagram is built, and files that hold one.
//!
//! The structure of the model is a hypergraph: one edge for each assignment (its variable and those it reads) and for each
//! conjunct of a constraint, unless it is very wide. [`arrange`] puts variables that share edges near each other. It starts from
//! the order of the declarations, which follows the instances of modules. On NuSMV's examples this avoids the bad cases, both of
//! FORCE as it was published and of the declarations.
//!
//! Variables that an order file does not name come last, in the order of their declarations.

use crate::interpret::parts;
use crate::reads::Reads;
use crate::{BinaryOp, Expr, ExprKind, FlatModel, Type, VarId};
use tertium_encode::diagrams::{arrange, read_names, write_names};
use tertium_support::{Diagnostics, Id, Source};

/// What reads more variables and definitions than this is no edge: it says little about where each of them should stand, and many
/// such edges would take quadratic room.
const WIDEST: usize = 512;

/// Where the order of the variables comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum VariableOrder {
    /// The order of the declarations.
    Declaration,
    /// The structure of the model.
    #[default]
    Structure,
    /// These first, in this order; the others follow as they are declared.
    Given(Vec<VarId>),
}

/// The variables of a model in order, each once.
pub fn order_variables(model: &FlatModel, order: &VariableOrder) -> Vec<VarId> {
    let declared: Vec<VarId> = VarId::first(model.variables.len()).collect();
    match order {
        VariableOrder::Declaration => declared,
        VariableOrder::Given(given) => complete(given, &declared),
        VariableOrder::Structure => {
            let order = arrange(declared.len(), &hypergraph(model));
            order.into_iter().map(VarId::new).collect()
        }
    }
}

fn complete(given: &[VarId], declared: &[VarId]) -> Vec<VarId> {
    let mut seen = vec![false; declared.len()];
    let all = given.iter().chain(declared).copied();
    all.filter(|id| seen.get_mut(id.index()).is_some_and(|seen| !std::mem::replace(seen, true))).collect()
}

/// Which variables occur together.
fn hypergraph(model: &FlatModel) -> Vec<Vec<usize>> {
    let reads = Reads::new(model);
    let mut edges = Vec::new();
    for assign in &model.assigns {
        if let Some(mut edge) = reads.few(&assign.value, WIDEST) {
            edge.push(assign.target);
            edges.push(edge);
        }
    }
    for constraint in model.init.iter().chain(&model.invar).chain(&model.trans) {
        edges.extend(conjuncts(constraint).into_iter().filter_map(|conjunct| reads.few(conjunct, WIDEST)));
    }
    for edge in &mut edges {
        edge.sort_unstable();
        edge.dedup();
    }
    edges.retain(|edge| edge.len() > 1);
    edges.into_iter().map(|edge| edge.into_iter().map(VarId::index).collect()).collect()
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    let (mut found, mut waiting) = (Vec::new(), vec![expr]);
    while let Some(expr) = waiting.pop() {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, ..) if expr.ty == Type::Boolean => waiting.extend(parts(expr)),
            _ => found.push(expr),
        }
    }
    found
}

/// The variables that an order file names. Unknown names and names that stand twice are errors.
pub fn read_order(model: &FlatModel, file: &Source) -> Result<Vec<VarId>, Diagnostics> {
    let order = read_names(&names(model), file)?;
    Ok(order.into_iter().map(VarId::new).collect())
}

/// An order as a file that can be read back.
pub fn write_order(model: &FlatModel, order: &[VarId]) -> String {
    write_names(&names(model), order.iter().map(|id| id.index()))
}

fn names(model: &FlatModel) -> Vec<&str> {
    model.variables.iter().map(|variable| variable.name.as_str()).collect()
}
