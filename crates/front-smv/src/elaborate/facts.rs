//! What is known of an expression without evaluating it: whether it has `next`, reads inputs, is a set.

use super::Elaborator;
use crate::{Expr, ExprKind, FlatModel, VarKind};
use tertium_support::Id;

/// What is known of an expression.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Facts {
    /// Whether it reads an input.
    pub(super) inputs: bool,
    /// Whether it may stand for several values.
    pub(super) set: bool,
}

impl Elaborator<'_> {
    /// What is known of a finished expression.
    pub(super) fn facts_of(&self, expr: &Expr) -> Facts {
        Facts { inputs: self.input_in(expr).is_some(), set: self.is_set(expr) }
    }

    /// A part of the expression that reads an input.
    pub(super) fn input_in<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        expr.preorder().find(|part| match &part.kind {
            ExprKind::Variable(id) => self.variables[id.index()].kind == VarKind::Input,
            ExprKind::Define(id) => self.facts[id.index()].inputs,
            _ => false,
        })
    }

    /// Whether the expression may stand for several values.
    pub(super) fn is_set(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Set(_) => true,
            ExprKind::Case(arms) => arms.iter().any(|(_, value)| self.is_set(value)),
            ExprKind::Define(id) => self.facts[id.index()].set,
            ExprKind::Next(body) => self.is_set(body),
            _ => false,
        }
    }

    /// The facts of the definitions of a finished model.
    pub(super) fn facts_of_model(&mut self, model: &FlatModel) {
        for define in &model.defines {
            let facts = self.facts_of(&define.body);
            self.facts.push(facts);
        }
    }
}

/// Looking through an expression.
impl Expr {
    /// The operands, from left to right.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Define(_) => Vec::new(),
            ExprKind::Next(e) | ExprKind::Unary(_, e) | ExprKind::Bits(e, _, _) => vec![e],
            ExprKind::Binary(_, e, f) => vec![e, f],
            ExprKind::Case(arms) => arms.iter().flat_map(|(condition, value)| [condition, value]).collect(),
            ExprKind::Set(parts) | ExprKind::Count(parts) => parts.iter().collect(),
        }
    }

    /// This expression and all inside it, each before its operands. Definitions are not entered.
    pub fn preorder(&self) -> impl Iterator<Item = &Expr> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let expr = waiting.pop()?;
            waiting.extend(expr.children().into_iter().rev());
            Some(expr)
        })
    }

    /// Whether there is a `next` in it.
    pub fn has_next(&self) -> bool {
        self.preorder().any(|part| matches!(part.kind, ExprKind::Next(_)))
    }

    /// How deep it nests.
    pub(super) fn depth(&self) -> u32 {
        let mut deepest = 0;
        let mut waiting = vec![(self, 0)];
        while let Some((expr, depth)) = waiting.pop() {
            deepest = deepest.max(depth);
            waiting.extend(expr.children().into_iter().map(|child| (child, depth + 1)));
        }
        deepest
    }

    /// How many expressions it is made of.
    pub(super) fn size(&self) -> usize {
        self.preorder().count()
    }
}
