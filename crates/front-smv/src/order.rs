//! The order of the variables before any diagram is built, and files that hold one.
//!
//! Diagrams are small where variables that occur together stand together. The structure of the model is a hypergraph: one
//! edge for each assignment (its variable and those it reads) and for each conjunct of a constraint. FORCE \[AMS03\] places the
//! variables on a line: again and again each edge pulls its variables towards its centre, until the sum of the
//! lengths of the edges gets no smaller. This is a few passes over the text of the model, and deterministic. It starts from the
//! order of the declarations, which is often good already, as it follows the instances of modules; the better of both is taken.
//! Other than in FORCE, an edge of k variables pulls with 1 / (k - 1): what few variables say about each other counts for more
//! than that many meet somewhere. On NuSMV's examples this is what avoids the bad cases, both of FORCE and of the declarations.
//!
//! An order file has one name of a variable per line, and comments from `#` or `--` to the end of a line. Variables that it
//! does not name come last, in the order of their declarations.

use crate::encode::Reads;
use crate::interpret::parts;
use crate::{BinaryOp, Expr, ExprKind, FlatModel, Type, VarId};
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
        VariableOrder::Structure => force(declared, &hypergraph(model)),
    }
}

fn complete(given: &[VarId], declared: &[VarId]) -> Vec<VarId> {
    let mut seen = vec![false; declared.len()];
    let all = given.iter().chain(declared).copied();
    all.filter(|id| seen.get_mut(id.index()).is_some_and(|seen| !std::mem::replace(seen, true))).collect()
}

/// Which variables occur together.
fn hypergraph(model: &FlatModel) -> Vec<Vec<VarId>> {
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
    edges
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

/// The sum of the lengths of the edges.
fn span(places: &[f64], edges: &[Vec<VarId>]) -> f64 {
    let length = |edge: &Vec<VarId>| {
        let at = edge.iter().map(|id| places[id.index()]);
        at.clone().fold(f64::MIN, f64::max) - at.fold(f64::MAX, f64::min)
    };
    edges.iter().map(length).sum()
}

/// Moves variables that share edges together.
fn force(start: Vec<VarId>, edges: &[Vec<VarId>]) -> Vec<VarId> {
    let n = start.len();
    let places_of = |order: &[VarId]| {
        let mut places = vec![0.0; n];
        order.iter().enumerate().for_each(|(place, id)| places[id.index()] = place as f64);
        places
    };
    let mut places = places_of(&start);
    let mut best = (span(&places, edges), start);
    // The length settles after few rounds; those without gain in between are common.
    let patience = 10;
    let mut idle = 0;
    while idle < patience {
        let mut pull = vec![(0.0, 0.0); n];
        for edge in edges {
            let centre = edge.iter().map(|id| places[id.index()]).sum::<f64>() / edge.len() as f64;
            let strength = 1.0 / (edge.len() - 1) as f64;
            for id in edge {
                let (sum, total) = &mut pull[id.index()];
                (*sum, *total) = (*sum + strength * centre, *total + strength);
            }
        }
        let aim = |id: VarId| match pull[id.index()] {
            (_, 0.0) => places[id.index()],
            (sum, total) => sum / total,
        };
        let mut order: Vec<VarId> = VarId::first(n).collect();
        // Ties keep the places they have.
        order.sort_by(|&a, &b| {
            aim(a).total_cmp(&aim(b)).then(places[a.index()].total_cmp(&places[b.index()]))
        });
        places = places_of(&order);
        let length = span(&places, edges);
        if length < best.0 {
            best = (length, order);
            idle = 0;
        } else {
            idle += 1;
        }
    }
    best.1
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
