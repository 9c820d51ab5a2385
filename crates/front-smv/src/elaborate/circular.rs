//! Assignments that need themselves.
//!
//! Three graphs are searched, over the variables and the definitions: current values (`x := …` needs the current values
//! it reads), first values (`init(x) := …` likewise), and next values (`next(x) := …` needs what it reads under `next`;
//! `x := …` holds in the next state as well). A cycle in one of them is a variable whose value depends on itself.

use super::Elaborator;
use crate::{Assign, AssignTime, DefineId, Expr, ExprKind, VarId};
use tertium_support::{Diagnostic, Id, Span};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    White,
    Open,
    Done,
}

impl Elaborator<'_> {
    /// Complains about the first cycle of each kind. One of current values is in the other graphs as well, so it is
    /// the only one that is reported.
    pub(super) fn refuse_circular_assigns(&mut self, assigns: &[Assign]) {
        for time in [AssignTime::Current, AssignTime::Init, AssignTime::Next] {
            let graph = self.graph(assigns, time);
            let Some(cycle) = first_cycle(&graph) else { continue };
            let variables: Vec<VarId> =
                cycle.into_iter().filter(|&node| node < self.variables.len()).map(VarId::new).collect();
            let Some(&first) = variables.first() else { continue };
            let names: Vec<String> =
                variables.iter().map(|id| format!("`{}`", self.variables[id.index()].name)).collect();
            let span = assigns.iter().find(|assign| {
                assign.target == first && (assign.time == time || assign.time == AssignTime::Current)
            });
            let span = span.map_or(Span::default(), |assign| assign.span);
            let what = match time {
                AssignTime::Current => "value",
                AssignTime::Init => "initial value",
                AssignTime::Next => "next value",
            };
            let complaint = Diagnostic::error(span, format!("the {what} of {} depends on itself", names[0]));
            let note = format!("it goes through {}", names.join(", "));
            self.complain(if names.len() > 1 { complaint.with_note(note) } else { complaint });
            if time == AssignTime::Current {
                return;
            }
        }
    }

    /// For each variable, and after them for each definition, what its value at this time needs.
    fn graph(&self, assigns: &[Assign], time: AssignTime) -> Vec<Vec<usize>> {
        let n_variables = self.variables.len();
        let mut graph = vec![Vec::new(); n_variables + self.defines.len()];
        for assign in assigns {
            let needs = &mut graph[assign.target.index()];
            match (assign.time, time) {
                (AssignTime::Current, _) | (AssignTime::Init, AssignTime::Init) => {
                    needs.extend(reads(&assign.value, n_variables));
                }
                (AssignTime::Next, AssignTime::Next) => {
                    for part in assign.value.preorder() {
                        if let ExprKind::Next(body) = &part.kind {
                            needs.extend(reads(body, n_variables));
                        }
                    }
                }
                _ => {}
            }
        }
        for id in DefineId::first(self.defines.len()) {
            graph[n_variables + id.index()].extend(reads(&self.defines[id.index()].body, n_variables));
        }
        graph
    }
}

fn reads(expr: &Expr, n_variables: usize) -> impl Iterator<Item = usize> + use<'_> {
    expr.preorder().filter_map(move |part| match part.kind {
        ExprKind::Variable(id) => Some(id.index()),
        ExprKind::Define(id) => Some(n_variables + id.index()),
        _ => None,
    })
}

/// The nodes of some cycle, in order.
fn first_cycle(graph: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut colours = vec![Colour::White; graph.len()];
    for root in 0..graph.len() {
        if colours[root] != Colour::White {
            continue;
        }
        let mut path = vec![(root, 0)];
        colours[root] = Colour::Open;
        while let Some((node, at)) = path.last_mut() {
            let Some(&next) = graph[*node].get(*at) else {
                colours[*node] = Colour::Done;
                path.pop();
                continue;
            };
            *at += 1;
            match colours[next] {
                Colour::White => {
                    colours[next] = Colour::Open;
                    path.push((next, 0));
                }
                Colour::Open => {
                    return Some(
                        path.iter().map(|(node, _)| *node).skip_while(|&node| node != next).collect(),
                    );
                }
                Colour::Done => {}
            }
        }
    }
    None
}
