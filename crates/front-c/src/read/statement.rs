//! Statements: blocks and where control goes between them.

use super::draft::{Jump, Switch};
use super::elaborate::{Elaborator, Outcome, Reported};
use super::expression::{Access, Operand};
use crate::ir::{
    Argument, Asking, BinaryOperator, BlockId, End, Expression, ExpressionKind, InstructionKind, Type, TypeId,
};
use lang_c::ast;
use lang_c::span::Node;
use std::collections::BTreeMap;
use tertium_support::{Diagnostic, Id, Span};

/// Ranges of cases with more values become comparisons.
const LONGEST_RANGE: i128 = 64;

impl Elaborator<'_> {
    /// Reads a statement. What is wrong inside was said.
    pub(super) fn statement(&mut self, statement: &Node<ast::Statement>) {
        if !self.watch.goes_on(1) {
            return;
        }
        let span = self.span(statement.span);
        // What was said is enough: the next statement may be right.
        let _: Result<(), Reported> = match &statement.node {
            ast::Statement::Labeled(labelled) => {
                // Labels before labels are read in a loop: `case 1: case 2: …`.
                let mut current = labelled;
                loop {
                    let _: Result<(), Reported> = self.label(&current.node.label);
                    match &current.node.statement.node {
                        ast::Statement::Labeled(next) => current = next,
                        _ => break,
                    }
                }
                self.statement(&current.node.statement);
                Ok(())
            }
            ast::Statement::Compound(items) => {
                self.scopes.enter();
                self.items(items);
                self.scopes.leave();
                Ok(())
            }
            ast::Statement::Expression(None) => {
                if let Some(&start) = self.prepared.marks.assembly.get(&span.start) {
                    let span = Span::new(start, span.start);
                    let number = self.unsupported(span, "inline assembly");
                    self.draft.emit(InstructionKind::Unsupported(number), span);
                }
                Ok(())
            }
            ast::Statement::Expression(Some(expression)) => self.expression_statement(expression, span),
            ast::Statement::If(_) => self.if_statement(statement),
            ast::Statement::Switch(switch) => self.switch(&switch.node, span),
            ast::Statement::While(own) => self.while_statement(&own.node, span),
            ast::Statement::DoWhile(own) => self.do_statement(&own.node, span),
            ast::Statement::For(own) => {
                self.scopes.enter();
                let done = self.for_statement(&own.node, span);
                self.scopes.leave();
                done
            }
            ast::Statement::Goto(name) => {
                let place = self.span(name.span);
                let label = self.draft.label(&name.node.name);
                label.used = label.used.or(Some(place));
                let block = label.block;
                self.draft.leave(End::Goto(block), span);
                Ok(())
            }
            ast::Statement::Continue => {
                match self.draft.jumps.iter().rev().find_map(|jump| jump.to_continue) {
                    Some(target) => self.draft.leave(End::Goto(target), span),
                    None => {
                        self.error(span, "`continue` is not inside of a loop");
                    }
                }
                Ok(())
            }
            ast::Statement::Break => {
                match self.draft.jumps.last().map(|jump| jump.to_break) {
                    Some(target) => self.draft.leave(End::Goto(target), span),
                    None => {
                        self.error(span, "`break` is not inside of a loop or `switch`");
                    }
                }
                Ok(())
            }
            ast::Statement::Return(value) => self.return_statement(value.as_deref(), span),
            ast::Statement::Asm(_) => {
                let number = self.unsupported(span, "inline assembly");
                self.draft.emit(InstructionKind::Unsupported(number), span);
                Ok(())
            }
        };
    }

    /// Reads the items of a block.
    pub(super) fn items(&mut self, items: &[Node<ast::BlockItem>]) {
        for item in items {
            match &item.node {
                ast::BlockItem::Declaration(declaration) => self.declaration(declaration),
                ast::BlockItem::StaticAssert(assertion) => {
                    let _: Result<(), Reported> = self.static_assertion(assertion);
                }
                ast::BlockItem::Statement(statement) => self.statement(statement),
            }
        }
    }

    fn expression_statement(&mut self, expression: &Node<ast::Expression>, span: Span) -> Outcome<()> {
        let place = self.span(expression.span);
        if self.prepared.marks.computed.contains(&place.start) {
            let number = self.unsupported(span, "a jump to a computed label");
            self.draft.leave(End::Unsupported(number), span);
            return Ok(());
        }
        self.discard(expression)
    }

    fn label(&mut self, label: &Node<ast::Label>) -> Outcome<()> {
        let span = self.span(label.span);
        match &label.node {
            ast::Label::Identifier(name) => {
                let label = self.draft.label(&name.node.name);
                let (block, before) = (label.block, label.defined);
                label.defined = Some(span);
                if let Some(before) = before {
                    let found =
                        Diagnostic::error(span, format!("the label `{}` stands twice", name.node.name));
                    return Err(self.complain(found.with_related(before, "first here")));
                }
                self.draft.end(End::Goto(block), span);
                self.draft.go_on(block);
                Ok(())
            }
            ast::Label::Case(expression) => {
                let value = self.case_value(expression)?;
                self.case(value, value, span)
            }
            ast::Label::CaseRange(range) => {
                let low = self.case_value(&range.node.low)?;
                let high = self.case_value(&range.node.high)?;
                if low > high {
                    self.warn(span, "this range is empty");
                }
                self.case(low, high, span)
            }
            ast::Label::Default => {
                let block = self.here(span);
                match self.draft.switches.last_mut() {
                    None => Err(self.error(span, "`default` is not inside of a `switch`")),
                    Some(Switch { default: Some((_, before)), .. }) => {
                        let found = Diagnostic::error(span, "`default` stands twice")
                            .with_related(*before, "first here");
                        Err(self.complain(found))
                    }
                    Some(switch) => {
                        switch.default = Some((block, span));
                        Ok(())
                    }
                }
            }
        }
    }

    /// A block that begins here; control falls into it.
    fn here(&mut self, span: Span) -> BlockId {
        let block = self.draft.new_block();
        self.draft.end(End::Goto(block), span);
        self.draft.go_on(block);
        block
    }

    fn case_value(&mut self, expression: &Node<ast::Expression>) -> Outcome<i128> {
        let (value, _) = self.constant(expression, "the value of a `case`")?;
        let ty = self.draft.switches.last().map(|switch| switch.ty);
        Ok(ty.and_then(|ty| self.types.integer(ty)).map_or(value, |integer| integer.wrap(value)))
    }

    fn case(&mut self, low: i128, high: i128, span: Span) -> Outcome<()> {
        let block = self.here(span);
        match self.draft.switches.last_mut() {
            None => Err(self.error(span, "`case` is not inside of a `switch`")),
            Some(switch) => {
                switch.cases.push((low, high, block, span));
                Ok(())
            }
        }
    }

    /// A condition as a scalar.
    fn condition(&mut self, expression: &Node<ast::Expression>) -> Outcome<Expression> {
        self.scalar(expression)
    }

    /// `if`, with all `else if` behind it in a loop.
    fn if_statement(&mut self, statement: &Node<ast::Statement>) -> Outcome<()> {
        let after = self.draft.new_block();
        let mut current = statement;
        while let ast::Statement::If(own) = &current.node {
            if !self.watch.goes_on(1) {
                return Err(Reported);
            }
            let span = self.span(current.span);
            let (then, otherwise) = (self.draft.new_block(), self.draft.new_block());
            // A wrong condition is as good as none: both sides are read.
            let condition = match self.condition(&own.node.condition) {
                Ok(condition) => condition,
                Err(Reported) => self.int(1, span),
            };
            let place = self.span(own.node.condition.span);
            self.branch(condition, then, otherwise, Asking::If(span), place);
            self.draft.go_on(then);
            self.statement(&own.node.then_statement);
            self.draft.end(End::Goto(after), span);
            self.draft.go_on(otherwise);
            match &own.node.else_statement {
                Some(next) => current = next,
                None => {
                    self.draft.end(End::Goto(after), span);
                    self.draft.go_on(after);
                    return Ok(());
                }
            }
        }
        let span = self.span(current.span);
        self.statement(current);
        self.draft.end(End::Goto(after), span);
        self.draft.go_on(after);
        Ok(())
    }

    fn while_statement(&mut self, own: &ast::WhileStatement, span: Span) -> Outcome<()> {
        let head = self.here(span);
        self.draft.head_of(head, span);
        let (body, after) = (self.draft.new_block(), self.draft.new_block());
        let condition = match self.condition(&own.expression) {
            Ok(condition) => condition,
            Err(Reported) => self.int(1, span),
        };
        let place = self.span(own.expression.span);
        self.branch(condition, body, after, Asking::Loop(span), place);
        self.draft.go_on(body);
        self.body_of_loop(&own.statement, after, head);
        self.draft.end(End::Goto(head), span);
        self.draft.go_on(after);
        Ok(())
    }

    fn do_statement(&mut self, own: &ast::DoWhileStatement, span: Span) -> Outcome<()> {
        let body = self.here(span);
        self.draft.head_of(body, span);
        let (test, after) = (self.draft.new_block(), self.draft.new_block());
        self.body_of_loop(&own.statement, after, test);
        self.draft.end(End::Goto(test), span);
        self.draft.go_on(test);
        let place = self.span(own.expression.span);
        let condition = match self.condition(&own.expression) {
            Ok(condition) => condition,
            Err(Reported) => self.int(0, span),
        };
        self.branch(condition, body, after, Asking::Loop(span), place);
        self.draft.go_on(after);
        Ok(())
    }

    fn for_statement(&mut self, own: &ast::ForStatement, span: Span) -> Outcome<()> {
        match &own.initializer.node {
            ast::ForInitializer::Empty => {}
            ast::ForInitializer::Expression(expression) => self.try_discard(expression),
            ast::ForInitializer::Declaration(declaration) => self.declaration(declaration),
            ast::ForInitializer::StaticAssert(assertion) => {
                let _: Result<(), Reported> = self.static_assertion(assertion);
            }
        }
        let head = self.here(span);
        self.draft.head_of(head, span);
        let (body, step, after) = (self.draft.new_block(), self.draft.new_block(), self.draft.new_block());
        match &own.condition {
            None => self.draft.end(End::Goto(body), span),
            Some(expression) => {
                let place = self.span(expression.span);
                let condition = match self.condition(expression) {
                    Ok(condition) => condition,
                    Err(Reported) => self.int(1, span),
                };
                self.branch(condition, body, after, Asking::Loop(span), place);
            }
        }
        self.draft.go_on(body);
        self.body_of_loop(&own.statement, after, step);
        self.draft.end(End::Goto(step), span);
        self.draft.go_on(step);
        if let Some(expression) = &own.step {
            self.try_discard(expression);
        }
        self.draft.end(End::Goto(head), span);
        self.draft.go_on(after);
        Ok(())
    }

    /// A wrong part was complained about; the others are read all the same.
    fn try_discard(&mut self, expression: &Node<ast::Expression>) {
        let _: Result<(), Reported> = self.discard(expression);
    }

    fn body_of_loop(&mut self, body: &Node<ast::Statement>, to_break: BlockId, to_continue: BlockId) {
        self.draft.jumps.push(Jump { to_break, to_continue: Some(to_continue) });
        self.statement(body);
        self.draft.jumps.pop();
    }

    fn switch(&mut self, own: &ast::SwitchStatement, span: Span) -> Outcome<()> {
        let value = self.scalar(&own.expression)?;
        let place = self.span(own.expression.span);
        if self.types.integer(value.ty).is_none() {
            return Err(self.error(place, "a `switch` needs an integer"));
        }
        let ty = self.types.promoted(value.ty);
        let value = self.convert(value, ty);
        let head = self.draft.current;
        let (body, after) = (self.draft.new_block(), self.draft.new_block());
        self.draft.go_on(body);
        self.draft.jumps.push(Jump { to_break: after, to_continue: None });
        self.draft.switches.push(Switch { ty, cases: Vec::new(), default: None });
        self.statement(&own.statement);
        let switch = self.draft.switches.pop().expect("it was just pushed");
        self.draft.jumps.pop();
        self.draft.end(End::Goto(after), span);
        self.draft.go_on(BlockId::new(head));
        self.end_of_switch(value, switch, after, place);
        self.draft.go_on(after);
        Ok(())
    }

    /// Ends the block before a `switch`.
    fn end_of_switch(&mut self, value: Expression, switch: Switch, after: BlockId, span: Span) {
        let otherwise = switch.default.map_or(after, |(block, _)| block);
        let mut single = BTreeMap::new();
        let mut ranges = Vec::new();
        for (low, high, block, place) in switch.cases {
            if high - low >= LONGEST_RANGE {
                ranges.push((low, high, block));
                continue;
            }
            for number in low..=high {
                if let Some((_, before)) = single.insert(number, (block, place)) {
                    let found = Diagnostic::error(place, format!("there is a `case {number}` already"));
                    self.complain(found.with_related(before, "first here"));
                }
            }
        }
        if let ExpressionKind::Integer(number) = value.kind {
            let in_range = ranges.iter().find(|(low, high, _)| (*low..=*high).contains(&number));
            let target =
                single.get(&number).map(|(block, _)| *block).or(in_range.map(|(_, _, block)| *block));
            return self.draft.end(End::Goto(target.unwrap_or(otherwise)), span);
        }
        let cases: Vec<(i128, BlockId)> =
            single.into_iter().map(|(number, (block, _))| (number, block)).collect();
        let value = if ranges.is_empty() { value } else { self.in_temporary(value) };
        let mut next = if ranges.is_empty() { otherwise } else { self.draft.new_block() };
        self.draft.end(End::Switch { value: value.clone(), cases, otherwise: next }, span);
        let n = ranges.len();
        for (number, (low, high, block)) in ranges.into_iter().enumerate() {
            self.draft.go_on(next);
            next = if number + 1 == n { otherwise } else { self.draft.new_block() };
            let int = self.types.int();
            let (low, high) = (self.integer(low, value.ty, span), self.integer(high, value.ty, span));
            let above = self.binary(BinaryOperator::AtMost, low, value.clone(), int, span);
            let below = self.binary(BinaryOperator::AtMost, value.clone(), high, int, span);
            let inside = self.binary(BinaryOperator::LogicalAnd, above, below, int, span);
            self.branch(inside, block, next, Asking::Operator, span);
        }
    }

    fn return_statement(&mut self, value: Option<&Node<ast::Expression>>, span: Span) -> Outcome<()> {
        let returns = self.draft.returns.expect("statements stand in functions");
        let Some(expression) = value else {
            if !self.types.is_void(returns) {
                self.warn(span, "this function should return a value");
            }
            self.draft.leave(End::Return(None), span);
            return Ok(());
        };
        if self.types.is_void(returns) {
            if !matches!(self.returned(expression)?, Operand::Void(_)) {
                self.warn(span, "this function returns no value");
            }
            self.draft.leave(End::Return(None), span);
            return Ok(());
        }
        let operand = self.operand(expression)?;
        let argument = match operand {
            Operand::Place(place, _) if self.types.is_composite(returns) && place.ty == returns => {
                Argument::Copied(place)
            }
            operand => {
                let value = self.value_of(operand)?.expression;
                Argument::Value(self.assigned(value, returns, "this return value")?)
            }
        };
        self.draft.leave(End::Return(Some(argument)), span);
        Ok(())
    }

    /// What a function without value returns all the same.
    fn returned(&mut self, expression: &Node<ast::Expression>) -> Outcome<Operand> {
        match self.operand(expression)? {
            Operand::Value(value) => {
                let span = value.expression.span;
                self.draft.emit(InstructionKind::Evaluate(value.expression.clone()), span);
                Ok(Operand::Value(value))
            }
            other => Ok(other),
        }
    }

    /// `({ … })`: the value of the last statement.
    pub(super) fn statement_expression(
        &mut self,
        statement: &Node<ast::Statement>,
        span: Span,
    ) -> Outcome<Operand> {
        let ast::Statement::Compound(items) = &statement.node else {
            return Err(self.error(span, "a block is needed here"));
        };
        if self.draft.is_outside() {
            return Err(self.error(span, "this cannot stand outside of functions"));
        }
        self.scopes.enter();
        let (last, before) = match items.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &items[..]),
        };
        self.items(before);
        let result = match last.map(|last| &last.node) {
            Some(ast::BlockItem::Statement(Node {
                node: ast::Statement::Expression(Some(expression)),
                ..
            })) => self.operand(expression).map(|operand| match operand {
                Operand::Place(place, access) if !matches!(self.types.get(place.ty), Type::Array(..)) => {
                    Operand::Place(place, Access { is_result: true, ..access })
                }
                other => other,
            }),
            _ => {
                last.into_iter().for_each(|last| self.items(std::slice::from_ref(last)));
                Ok(Operand::Void(span))
            }
        };
        self.scopes.leave();
        result
    }

    /// The end of a function body.
    pub(super) fn end_of_body(&mut self, returns: TypeId, is_main: bool, span: Span) {
        let value = if is_main && self.types.integer(returns).is_some() {
            let zero = self.int(0, span);
            Some(Argument::Value(self.convert(zero, returns)))
        } else {
            None
        };
        self.draft.end(End::Return(value), span);
    }
}
