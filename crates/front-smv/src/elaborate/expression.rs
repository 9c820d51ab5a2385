//! Expressions: names resolved, types checked, abbreviations written out.

use super::facts::Facts;
use super::resolve::type_of;
use super::typing::VALUES;
use super::{Elaborator, InstanceId};
use crate::syntax::tree::{Expr as Tree, ExprKind as TreeKind, Function};
use crate::syntax::{NESTING, ROW};
use crate::{BinaryOp, Expr, ExprKind, Type, UnaryOp, Value};
use tertium_support::{Diagnostic, Span};

/// How many expressions a model may have after everything was put in where it is used.
const SIZE: usize = 5_000_000;

impl Elaborator<'_> {
    /// The typed expression. Nothing if there was a complaint, or if it waits for a definition.
    pub(super) fn expr(&mut self, scope: InstanceId, tree: &Tree) -> Option<Expr> {
        self.grow(1, tree.span)?;
        // The tree is bounded, but an index of an array that is a parameter begins another one.
        if self.depth > 2 * NESTING {
            return self.refuse(Diagnostic::error(tree.span, "parameters nest too deeply here"));
        }
        self.depth += 1;
        let expr = self.expr_of_kind(scope, tree);
        self.depth -= 1;
        expr
    }

    /// Counts the expressions that are about to be made.
    pub(super) fn grow(&mut self, n: usize, span: Span) -> Option<()> {
        if !self.goes_on(n) {
            return None;
        }
        self.size = self.size.saturating_add(n);
        if self.size <= SIZE {
            return Some(());
        }
        let message = "the model is too large once everything is put in where it is used";
        if self.diagnostics.iter().any(|known| known.message == message) {
            return None;
        }
        self.refuse(Diagnostic::error(span, message))
    }

    fn expr_of_kind(&mut self, scope: InstanceId, tree: &Tree) -> Option<Expr> {
        let span = tree.span;
        match &tree.kind {
            TreeKind::Constant(value) => Some(constant(*value, span)),
            TreeKind::Name(_) | TreeKind::SelfInstance | TreeKind::Member(..) | TreeKind::Index(..) => {
                let place = self.resolve(scope, tree)?;
                self.place_value(place, span)
            }
            TreeKind::Bits(word, high, low) => self.bits(scope, word, high, low, span),
            TreeKind::Next(body) => self.next(scope, body, span),
            TreeKind::Unary(op, operand) => {
                let operand = self.expr(scope, operand)?;
                let operand = self.single(operand)?;
                self.unary(*op, operand, span)
            }
            TreeKind::Binary(op, left, right) => {
                let (left, right) = (self.expr(scope, left), self.expr(scope, right));
                self.binary(*op, left?, right?, span)
            }
            TreeKind::Chain(op, operands) => {
                let operands = self.exprs(scope, operands)?;
                self.row(*op, operands, span)
            }
            TreeKind::Case(arms) => self.case(scope, arms, span),
            TreeKind::Set(elements) => {
                let elements = self.exprs(scope, elements)?;
                self.set(elements, span)
            }
            TreeKind::Range(low, high) => self.range(scope, low, high, span),
            TreeKind::Call(function, arguments) => self.call(scope, *function, arguments, span),
            TreeKind::Placeholder(_) => self.misplaced_placeholder(span),
            _ => {
                let message = "a temporal operator cannot stand inside of an expression";
                let note = "temporal operators stand in SPEC, CTLSPEC and LTLSPEC, below temporal operators and ! & | xor xnor -> <->";
                self.refuse(Diagnostic::error(span, message).with_note(note))
            }
        }
    }

    /// All of the expressions, with the complaints about all of them.
    fn exprs(&mut self, scope: InstanceId, trees: &[Tree]) -> Option<Vec<Expr>> {
        let exprs: Vec<Option<Expr>> = trees.iter().map(|tree| self.expr(scope, tree)).collect();
        exprs.into_iter().collect()
    }

    /// A row of operands of an associative operator.
    fn row(&mut self, op: BinaryOp, mut operands: Vec<Expr>, span: Span) -> Option<Expr> {
        if operands.len() > ROW {
            let right = operands.split_off(operands.len() / 2);
            let (left, right) = (self.row(op, operands, span), self.row(op, right, span));
            return self.binary(op, left?, right?, span);
        }
        let mut operands = operands.into_iter();
        let first = operands.next()?;
        operands.try_fold(first, |left, right| {
            let span = left.span.to(right.span);
            self.binary(op, left, right, span)
        })
    }

    fn next(&mut self, scope: InstanceId, body: &Tree, span: Span) -> Option<Expr> {
        let body = self.expr(scope, body)?;
        if body.has_next() {
            return self.refuse(Diagnostic::error(span, "`next` inside of `next`"));
        }
        let Facts { inputs, .. } = self.facts_of(&body);
        if inputs {
            let message = "inputs have no next value";
            return self.refuse(Diagnostic::error(span, message));
        }
        if matches!(body.kind, ExprKind::Constant(_)) {
            return Some(body);
        }
        let ty = body.ty.clone();
        Some(Expr { kind: ExprKind::Next(Box::new(body)), ty, span })
    }

    fn case(&mut self, scope: InstanceId, arms: &[(Tree, Tree)], span: Span) -> Option<Expr> {
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        for (condition, value) in arms {
            let condition = self.expr(scope, condition).and_then(|condition| self.condition(condition));
            conditions.push(condition);
            values.push(self.expr(scope, value));
        }
        let conditions: Vec<Expr> = conditions.into_iter().collect::<Option<_>>()?;
        let (values, ty) = self.unify(values.into_iter().collect::<Option<_>>()?)?;
        let always = ExprKind::Constant(Value::Boolean(true));
        if !conditions.iter().any(|condition| condition.kind == always) {
            self.open_cases.insert(span);
        }
        Some(Expr { kind: ExprKind::Case(conditions.into_iter().zip(values).collect()), ty, span })
    }

    /// The expression as the truth value it must be.
    pub(super) fn condition(&mut self, expr: Expr) -> Option<Expr> {
        let expr = self.single(expr)?;
        self.truth(expr)
    }

    fn set(&mut self, elements: Vec<Expr>, span: Span) -> Option<Expr> {
        let (elements, ty) = self.unify(elements)?;
        let mut parts = Vec::new();
        for element in elements {
            match element.kind {
                ExprKind::Set(inner) => parts.extend(inner),
                _ => parts.push(element),
            }
        }
        if parts.len() == 1 {
            return parts.pop();
        }
        Some(Expr { kind: ExprKind::Set(parts), ty, span })
    }

    fn range(&mut self, scope: InstanceId, low: &Tree, high: &Tree, span: Span) -> Option<Expr> {
        let (from, to) = (self.bound(scope, low), self.bound(scope, high));
        let (from, to) = (from?, to?);
        if from > to {
            return self.refuse(Diagnostic::error(span, format!("the range {from}..{to} is empty")));
        }
        if i128::from(to) - i128::from(from) >= VALUES {
            let message = format!("a set of more than {VALUES} values is not supported");
            return self.refuse(Diagnostic::error(span, message));
        }
        self.set((from..=to).map(|value| constant(Value::Integer(value), span)).collect(), span)
    }

    fn bits(&mut self, scope: InstanceId, word: &Tree, high: &Tree, low: &Tree, span: Span) -> Option<Expr> {
        let word = self.expr(scope, word);
        let (high, low) = (self.bound(scope, high), self.bound(scope, low));
        let (word, high, low) = (self.single(word?)?, high?, low?);
        let Type::Word { width, .. } = word.ty else {
            let message = format!("bits are taken of a word, not of {}", self.type_text(&word.ty));
            return self.refuse(Diagnostic::error(word.span, message));
        };
        match (u32::try_from(high), u32::try_from(low)) {
            (Ok(high), Ok(low)) if low <= high && high < width => {
                let ty = Type::Word { width: high - low + 1, signed: false };
                Some(Expr { kind: ExprKind::Bits(Box::new(word), high, low), ty, span })
            }
            _ => {
                let message = format!("a word of {width} bits has no bits from {high} down to {low}");
                self.refuse(Diagnostic::error(span, message))
            }
        }
    }

    fn call(
        &mut self,
        scope: InstanceId,
        function: Function,
        arguments: &[Tree],
        span: Span,
    ) -> Option<Expr> {
        let expected = match function {
            Function::Count => arguments.len(),
            Function::Extend
            | Function::Resize
            | Function::SignedConstant
            | Function::UnsignedConstant
            | Function::Minimum
            | Function::Maximum => 2,
            _ => 1,
        };
        if arguments.len() != expected || arguments.is_empty() {
            let message =
                format!("`{}` has {} arguments, not {}", function.name(), expected.max(1), arguments.len());
            return self.refuse(Diagnostic::error(span, message));
        }
        match function {
            Function::Count => self.count(scope, arguments, span),
            Function::SignedConstant | Function::UnsignedConstant => {
                let signed = function == Function::SignedConstant;
                self.word_constant(scope, &arguments[0], &arguments[1], signed, span)
            }
            Function::Extend | Function::Resize => {
                let word = self.operand(scope, &arguments[0])?;
                let n = self.bound(scope, &arguments[1])?;
                self.resize(function, word, n, span)
            }
            Function::Minimum | Function::Maximum => {
                let left = self.operand(scope, &arguments[0]);
                let right = self.operand(scope, &arguments[1]);
                self.extreme(function, left?, right?, span)
            }
            _ => {
                let operand = self.operand(scope, &arguments[0])?;
                self.cast(function, operand, span)
            }
        }
    }

    fn operand(&mut self, scope: InstanceId, tree: &Tree) -> Option<Expr> {
        let expr = self.expr(scope, tree)?;
        self.single(expr)
    }

    fn count(&mut self, scope: InstanceId, arguments: &[Tree], span: Span) -> Option<Expr> {
        let operands = self.exprs(scope, arguments)?;
        let operands: Vec<Expr> =
            operands.into_iter().map(|operand| self.condition(operand)).collect::<Option<_>>()?;
        let ty = Type::Range(0, operands.len() as i64);
        Some(Expr { kind: ExprKind::Count(operands), ty, span })
    }

    fn word_constant(
        &mut self,
        scope: InstanceId,
        value: &Tree,
        width: &Tree,
        signed: bool,
        span: Span,
    ) -> Option<Expr> {
        let (value, width) = (self.bound(scope, value), self.bound(scope, width));
        let (value, width) = (value?, width?);
        let Some(width) = u32::try_from(width).ok().filter(|width| (1..=64).contains(width)) else {
            let message = format!("words of {width} bits are not supported");
            return self.refuse(Diagnostic::error(span, message).with_note("words of 1 to 64 bits are"));
        };
        // As NuSMV has it: a negative number stands for its bits in an unsigned word as well.
        let low = -(1_i128 << (width - 1));
        let high = if signed { -low - 1 } else { (1_i128 << width) - 1 };
        if !(low..=high).contains(&i128::from(value)) {
            let message = format!("{value} does not fit in a word of {width} bits");
            return self.refuse(Diagnostic::error(span, message));
        }
        let bits = value as u64 & (u64::MAX >> (64 - width));
        Some(constant(Value::Word { bits, width, signed }, span))
    }

    fn resize(&mut self, function: Function, word: Expr, n: i64, span: Span) -> Option<Expr> {
        let Type::Word { width, signed } = word.ty else {
            let message = format!("`{}` is for words, not for {}", function.name(), self.type_text(&word.ty));
            return self.refuse(Diagnostic::error(word.span, message));
        };
        let target = if function == Function::Extend { n.saturating_add(i64::from(width)) } else { n };
        let valid = n >= 0 && (1..=64).contains(&target);
        if !valid {
            let message = format!("words of {target} bits are not supported");
            return self.refuse(Diagnostic::error(span, message).with_note("words of 1 to 64 bits are"));
        }
        let ty = Type::Word { width: target as u32, signed };
        Some(Expr { kind: ExprKind::Unary(UnaryOp::Resize, Box::new(word)), ty, span })
    }
}

/// A constant with its type.
pub(super) fn constant(value: Value, span: Span) -> Expr {
    Expr { kind: ExprKind::Constant(value), ty: type_of(value), span }
}
