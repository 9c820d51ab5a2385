//! Which `case` expressions leave a gap: values of the variables for which no branch applies.
//!
//! Only what the conditions read is encoded, and only the types of the variables are known, not the constraints of the model: a
//! gap need not be met. A `case` inside a branch of another is asked about where that branch applies. Decision diagrams of
//! bounded size decide it; what grows beyond that, and what comes after very many others, is taken for a gap.

use super::bits::Made;
use super::evaluate::Evaluator;
use super::fault::example;
use super::interleave::order_bits;
use super::layout::{Layout, When};
use crate::interpret::parts;
use crate::{Expr, ExprKind, FlatModel, VarId, VarKind};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use tertium_dd::{Bdd, Manager};
use tertium_support::{Context, Id, Span};

/// How many nodes the diagrams of one expression may have.
const NODES: usize = 100_000;
/// How many expressions are looked at.
const EXPRESSIONS: usize = 2_000;

/// Those of the suspects, which are places of `case` expressions, that leave a gap, with an example if there is one.
pub(crate) fn gaps(model: &FlatModel, suspects: &FxHashSet<Span>) -> BTreeMap<Span, Option<String>> {
    let mut found = BTreeMap::new();
    let constraints = [&model.init, &model.invar, &model.trans, &model.justice];
    let all = (model.defines.iter().map(|define| &define.body))
        .chain(model.assigns.iter().map(|assign| &assign.value))
        .chain(constraints.into_iter().flatten())
        .chain(model.compassion.iter().flat_map(|(often, then)| [often, then]))
        .chain(
            model.specifications.iter().flat_map(|specification| &specification.atoms).map(|atom| &atom.expr),
        );
    let mut n_seen = 0;
    for expr in all {
        let is_open = |span: &Span| suspects.contains(span) && !found.contains_key(span);
        let here: Vec<Span> = cases(expr).map(|part| part.span).filter(is_open).collect();
        if here.is_empty() {
            continue;
        }
        n_seen += 1;
        let looked = if n_seen <= EXPRESSIONS { Search::new(model, expr, suspects).gaps(expr) } else { None };
        match looked {
            Some(gaps) => found.extend(gaps),
            None => found.extend(here.into_iter().map(|span| (span, None))),
        }
    }
    found
}

fn cases(expr: &Expr) -> impl Iterator<Item = &Expr> {
    expr.preorder().filter(|part| matches!(part.kind, ExprKind::Case(_)))
}

struct Search<'a> {
    evaluator: Evaluator<'a>,
    suspects: &'a FxHashSet<Span>,
    /// That all codes stand for values.
    valid: Vec<Bdd>,
    found: BTreeMap<Span, Option<String>>,
}

impl<'a> Search<'a> {
    fn new(model: &'a FlatModel, expr: &Expr, suspects: &'a FxHashSet<Span>) -> Self {
        let manager = Manager::new(&Context::default());
        manager.set_node_limit(NODES);
        let order: Vec<VarId> = reads(model, expr).into_iter().collect();
        let layout = Layout::new(&manager, model, &order_bits(model, &order));
        let evaluator = Evaluator::new(&manager, model, layout);
        Self { evaluator, suspects, valid: Vec::new(), found: BTreeMap::new() }
    }

    /// The gaps of an expression; nothing if that is too much work.
    fn gaps(mut self, expr: &Expr) -> Option<BTreeMap<Span, Option<String>>> {
        let everywhere = self.evaluator.manager.constant(true);
        self.valid_codes().ok()?;
        self.look(expr, When::Now, &everywhere).ok()?;
        Some(self.found)
    }

    fn valid_codes(&mut self) -> Made<()> {
        let Evaluator { manager, model, layout, .. } = &self.evaluator;
        for &id in &layout.kept {
            self.valid.push(layout.valid(manager, model, id, When::Now)?);
            if model.variables[id.index()].kind != VarKind::Input {
                self.valid.push(layout.valid(manager, model, id, When::Next)?);
            }
        }
        Ok(())
    }

    /// Looks at an expression that matters at these points only.
    fn look(&mut self, expr: &Expr, when: When, points: &Bdd) -> Made<()> {
        let branches = match &expr.kind {
            ExprKind::Case(branches) => branches,
            ExprKind::Next(operand) => return self.look(operand, When::Next, points),
            _ => return parts(expr).into_iter().try_for_each(|part| self.look(part, when, points)),
        };
        let mut left = points.clone();
        for (condition, value) in branches {
            self.look(condition, when, &left)?;
            let (holds, fault) = self.evaluator.truth(condition, when)?;
            if cases(value).next().is_some() {
                self.look(value, when, &left.and(&holds)?)?;
            }
            left = left.diff(&holds)?.diff(&fault)?;
        }
        if self.suspects.contains(&expr.span) && !self.found.contains_key(&expr.span) {
            for valid in &self.valid {
                left = left.and(valid)?;
            }
            if !left.is_false() {
                self.found.insert(expr.span, example(&self.evaluator, &left.support(), &left));
            }
        }
        Ok(())
    }
}

/// The variables that an expression reads, also through definitions.
fn reads(model: &FlatModel, expr: &Expr) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    let mut seen = FxHashSet::default();
    let mut waiting = vec![expr];
    while let Some(expr) = waiting.pop() {
        match &expr.kind {
            ExprKind::Variable(id) => {
                found.insert(*id);
            }
            ExprKind::Define(id) if seen.insert(*id) => waiting.push(&model.defines[id.index()].body),
            _ => waiting.extend(parts(expr)),
        }
    }
    found
}
