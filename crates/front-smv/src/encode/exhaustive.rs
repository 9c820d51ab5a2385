//! Which `case` expressions leave a gap: values of the variables for which no branch applies.
//!
//! Only what the conditions read is encoded, and only the types of the variables are known, not the constraints of the model: a
//! gap need not be met. A `case` inside a branch of another is asked about where that branch applies. Decision diagrams of
//! bounded size decide it; what grows beyond that, and what comes after very many others, is taken for a gap.

use super::encoding::Encoding;
use super::fault::example;
use super::interleave::order_bits;
use super::layout::Layout;
use crate::interpret::parts;
use crate::lower::{When, lower_part};
use crate::{Expr, ExprKind, FlatModel, Outline, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tertium_dd::{Bdd, Manager, Var};
use tertium_encode::diagrams::circuit::Made;
use tertium_support::{Context, Id, Span};

/// How many nodes there may be at once.
const NODES: usize = 200_000;
/// How many expressions are looked at.
const EXPRESSIONS: usize = 20_000;
/// How many of them may grow too large before no more are looked at.
const FAILURES: usize = 20;
/// How many variables they may read altogether.
const VARIABLES: usize = 5_000;

/// Those of the suspects, which are places of `case` expressions, that leave a gap, with an example if there is one.
pub(crate) fn gaps(model: &FlatModel, suspects: &FxHashSet<Span>) -> BTreeMap<Span, Option<String>> {
    let constraints = [&model.init, &model.invar, &model.trans, &model.justice];
    let all = (model.defines.iter().map(|define| &define.body))
        .chain(model.assigns.iter().map(|assign| &assign.value))
        .chain(constraints.into_iter().flatten())
        .chain(model.compassion.iter().flat_map(|(often, then)| [often, then]))
        .chain(
            model.specifications.iter().flat_map(|specification| &specification.atoms).map(|atom| &atom.expr),
        );
    let is_suspect = |part: &Expr| suspects.contains(&part.span);
    let all: Vec<&Expr> = all.filter(|expr| cases(expr).any(is_suspect)).collect();
    let order: Vec<VarId> = reads(model, &all).into_iter().collect();
    if order.len() > VARIABLES {
        return suspects.iter().map(|&span| (span, None)).collect();
    }
    let mut search = Search::new(model, &order, suspects);
    let mut failures = 0;
    for (nth, expr) in all.into_iter().enumerate() {
        let everywhere = search.encoding.manager.constant(true);
        let give_up = nth >= EXPRESSIONS || failures >= FAILURES;
        if give_up || search.look(expr, When::Now, &everywhere).is_err() {
            failures += 1;
            let here = cases(expr).filter(|part| is_suspect(part)).map(|part| (part.span, None));
            here.for_each(|(span, gap)| {
                search.found.entry(span).or_insert(gap);
            });
        }
    }
    search.found
}

fn cases(expr: &Expr) -> impl Iterator<Item = &Expr> {
    expr.preorder().filter(|part| matches!(part.kind, ExprKind::Case(_)))
}

struct Search<'a> {
    encoding: Encoding<'a>,
    suspects: &'a FxHashSet<Span>,
    /// Whose bit each is, before or after a step.
    owners: FxHashMap<Var, (VarId, When)>,
    found: BTreeMap<Span, Option<String>>,
}

impl<'a> Search<'a> {
    fn new(model: &'a FlatModel, order: &[VarId], suspects: &'a FxHashSet<Span>) -> Self {
        let manager = Manager::new(&Context::default());
        manager.set_node_limit(NODES);
        let outline = Rc::new(Outline::new(model));
        let layout = Layout::new(&manager, model, &order_bits(model, &outline, order));
        let mut owners = FxHashMap::default();
        for &id in &layout.kept {
            for when in [When::Now, When::Next] {
                owners.extend(layout.vars(id, when).iter().map(|&var| (var, (id, when))));
            }
        }
        let keep: BTreeSet<VarId> = layout.kept.iter().copied().collect();
        let lowered = lower_part(model, &outline, Some(&keep));
        let encoding = Encoding::new(&manager, layout, lowered);
        Self { encoding, suspects, owners, found: BTreeMap::new() }
    }

    /// Those of the points whose codes stand for values.
    fn valid(&self, points: &Bdd) -> Made<Bdd> {
        let Encoding { manager, model, layout, .. } = &self.encoding;
        let mut seen = FxHashSet::default();
        let mut valid = points.clone();
        for owner in points.support().iter().filter_map(|var| self.owners.get(var)) {
            if seen.insert(*owner) {
                let &(id, when) = owner;
                valid = valid.and(&layout.valid(manager, model, id, when)?)?;
            }
        }
        Ok(valid)
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
            let (holds, fault) = self.encoding.truth(condition, when)?;
            if cases(value).next().is_some() {
                self.look(value, when, &left.and(&holds)?)?;
            }
            left = left.diff(&holds)?.diff(&fault)?;
        }
        if self.suspects.contains(&expr.span) && !self.found.contains_key(&expr.span) {
            let gap = self.valid(&left)?;
            if !gap.is_false() {
                self.found.insert(expr.span, example(&self.encoding, &gap.support(), &gap));
            }
        }
        Ok(())
    }
}

/// The variables that expressions read, also through definitions.
fn reads(model: &FlatModel, all: &[&Expr]) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    let mut seen = FxHashSet::default();
    let mut waiting = all.to_vec();
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
