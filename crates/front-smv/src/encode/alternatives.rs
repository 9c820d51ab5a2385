//! A disjunction of moves, each of which changes few variables, as a disjunction of relations.
//!
//! Models of processes written as one big `TRANS (move | move | …)` repeat in every move that all other variables stay as
//! they are. Encoded as one function, the whole relation is one part, and every image renames and quantifies everything. As
//! separate disjuncts, a move is about the variables that it changes. Moves that keep the same variables are joined again, so
//! there are as many disjuncts as there are sets of variables that change together.
//!
//! What a move keeps is read off its text: conjuncts `next(x) = x`, through definitions. They are not even evaluated, which
//! saves most of the work of encoding such models. Only disjunctions without a fault are taken apart: whether a fault counts
//! depends on the other disjuncts.

use super::encoding::Encoding;
use crate::lower::When;
use crate::{BinaryOp, Expr, ExprKind, Type, VarId};
use indexmap::IndexMap;
use std::collections::BTreeSet;
use tertium_dd::Bdd;
use tertium_encode::diagrams::circuit::Made;
use tertium_support::Id;

/// Moves that change the same variables.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    /// Conjoined, the moves.
    pub(super) parts: Vec<Bdd>,
}

/// The operands of a conjunction, or of a disjunction.
type Conjuncts<'m> = Vec<(&'m Expr, When)>;

impl<'m> Encoding<'m> {
    /// The disjuncts of a constraint on steps, joined by what they keep; `None` if it is better left in one piece.
    pub(super) fn alternatives(&mut self, expr: &'m Expr, when: When) -> Made<Option<Vec<Alternative>>> {
        let mut groups: IndexMap<BTreeSet<VarId>, Vec<Conjuncts<'m>>> = IndexMap::new();
        for (expr, when) in self.operands(BinaryOp::Or, expr, when) {
            let mut kept = BTreeSet::new();
            let mut others = Vec::new();
            for (expr, when) in self.operands(BinaryOp::And, expr, when) {
                match self.kept(expr, when) {
                    Some(id) => drop(kept.insert(id)),
                    None => others.push((expr, when)),
                }
            }
            groups.entry(kept).or_default().push(others);
        }
        // Disjuncts pay by what they keep; where most variables change in most of them, one function is better.
        let n_kept: usize = groups.keys().map(BTreeSet::len).sum();
        let n_variables = self.layout.variables.iter().filter(|variable| !variable.is_input).count();
        if groups.len() < 2 || 2 * n_kept < groups.len() * n_variables {
            return Ok(None);
        }
        let mut alternatives = Vec::new();
        for (kept, moves) in groups {
            let mut any = self.manager.constant(false);
            for conjuncts in moves {
                let mut all = self.manager.constant(true);
                for (expr, when) in conjuncts {
                    let (holds, fault) = self.truth(expr, when)?;
                    if !fault.is_false() {
                        return Ok(None);
                    }
                    all = all.and(&holds)?;
                }
                any = any.or(&all)?;
            }
            let mut parts = vec![any];
            for id in kept {
                parts.extend(self.keep(id)?.parts);
            }
            alternatives.push(Alternative { parts });
        }
        Ok(Some(alternatives))
    }

    /// The variable that stays as it is because of this conjunct, if it says just that.
    fn kept(&self, expr: &Expr, when: When) -> Option<VarId> {
        let ExprKind::Binary(BinaryOp::Equal, left, right) = &expr.kind else { return None };
        let (next, now) = match (&left.kind, &right.kind) {
            (ExprKind::Next(next), now) | (now, ExprKind::Next(next)) => (&next.kind, now),
            _ => return None,
        };
        match (next, now) {
            (ExprKind::Variable(next), ExprKind::Variable(now)) if next == now && when == When::Now => {
                Some(*now)
            }
            _ => None,
        }
    }

    /// What an expression is the conjunction or disjunction of, through definitions and `next`.
    fn operands(&self, operator: BinaryOp, expr: &'m Expr, when: When) -> Conjuncts<'m> {
        let mut waiting = vec![(expr, when)];
        let mut operands = Vec::new();
        while let Some((expr, when)) = waiting.pop() {
            match &expr.kind {
                ExprKind::Binary(here, left, right) if *here == operator && expr.ty == Type::Boolean => {
                    waiting.push((right, when));
                    waiting.push((left, when));
                }
                ExprKind::Next(operand) if when == When::Now && operand.ty == Type::Boolean => {
                    waiting.push((operand, When::Next));
                }
                ExprKind::Define(id) if expr.ty == Type::Boolean => {
                    waiting.push((&self.model.defines[id.index()].body, when));
                }
                _ => operands.push((expr, when)),
            }
        }
        operands
    }
}
