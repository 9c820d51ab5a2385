//! The order of the variables before any diagram is built, and files that hold one.
//!
//! The structure of the model is a hypergraph: one edge for each assignment (its variable and those it reads) and for each
//! conjunct of a constraint. [`arrange`] puts variables that share edges near each other. It starts from the order of the
//! declarations, which follows the instances of modules. On NuSMV's examples this avoids the bad cases, both of FORCE as it was
//! published and of the declarations.
//!
//! An order file has one name of a variable per line, and comments from `#` or `--` to the end of a line. Variables that it
//! does not name come last, in the order of their declarations.

use crate::encode::Reads;
use crate::interpret::parts;
use crate::{BinaryOp, Expr, ExprKind, FlatModel, Type, VarId};
use tertium_encode::diagrams::arrange;
use tertium_support::{Diagnostic, Diagnostics, Id, Source, Span, nearest_names};

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
        let mut edge = reads.all(&assign.value);
        edge.push(assign.target);
        edges.push(edge);
    }
    for constraint in model.init.iter().chain(&model.invar).chain(&model.trans) {
        edges.extend(conjuncts(constraint).into_iter().map(|conjunct| reads.all(conjunct)));
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
    let names = model.variables.iter().map(|variable| variable.name.as_str());
    let ids: rustc_hash::FxHashMap<&str, VarId> =
        names.clone().zip(VarId::first(model.variables.len())).collect();
    let mut lines: Vec<Option<Span>> = vec![None; model.variables.len()];
    let (mut order, mut complaints) = (Vec::new(), Vec::new());
    let mut start = 0;
    for line in file.text().split_inclusive('\n') {
        let end = [line.find('#'), line.find("--")].into_iter().flatten().min().unwrap_or(line.len());
        let name = line[..end].trim();
        let at = start + (line[..end].len() - line[..end].trim_start().len());
        let span = Span::new(at, at + name.len());
        start += line.len();
        if name.is_empty() {
            continue;
        }
        match ids.get(name) {
            Some(&id) => match lines[id.index()].replace(span) {
                None => order.push(id),
                Some(first) => complaints.push(
                    Diagnostic::error(span, format!("variable `{name}` stands here again"))
                        .with_related(first, "first here"),
                ),
            },
            None => {
                let near = nearest_names(name, names.clone());
                let complaint = Diagnostic::error(span, format!("unknown variable `{name}`"));
                complaints.push(if near.is_empty() {
                    complaint.with_note("an order file has one variable of the model per line")
                } else {
                    complaint.with_note(format!("did you mean `{}`?", near.join("`, `")))
                });
            }
        }
    }
    if complaints.is_empty() { Ok(order) } else { Err(complaints) }
}

/// An order as a file that can be read back.
pub fn write_order(model: &FlatModel, order: &[VarId]) -> String {
    order.iter().map(|id| format!("{}\n", model.variables[id.index()].name)).collect()
}
