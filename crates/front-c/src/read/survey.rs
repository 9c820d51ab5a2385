//! A look at a function before it is read: which expressions write instructions, which are very deep, whose addresses are taken.
//!
//! `&&`, `||` and `?:` become branches where an operand that may be skipped writes something. Very deep expressions are cut by
//! temporaries, so that whoever walks over the result needs no more stack than [`HEIGHT`] levels.

use super::draft::Draft;
use lang_c::ast;
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

/// No expression of the result is higher than about this.
const HEIGHT: usize = 100;

/// The address of an expression in the tree, as its name.
pub(super) fn key(expression: &ast::Expression) -> usize {
    std::ptr::from_ref(expression) as usize
}

/// Looks at the body of a function.
pub(super) fn survey_statement(draft: &mut Draft, statement: &Node<ast::Statement>) {
    Survey { draft, height: 0, impure: false }.visit_statement(&statement.node, &statement.span);
}

/// Looks at a declaration outside of functions.
pub(super) fn survey_declaration(draft: &mut Draft, declaration: &Node<ast::Declaration>) {
    Survey { draft, height: 0, impure: false }.visit_declaration(&declaration.node, &declaration.span);
}

struct Survey<'a> {
    draft: &'a mut Draft,
    /// The height of the highest of the operands so far, and whether one of them writes.
    height: usize,
    impure: bool,
}

impl<'ast> Visit<'ast> for Survey<'_> {
    fn visit_expression(&mut self, expression: &'ast ast::Expression, span: &'ast Span) {
        let (height, impure) = (std::mem::take(&mut self.height), std::mem::take(&mut self.impure));
        visit::visit_expression(self, expression, span);
        if let ast::Expression::UnaryOperator(unary) = expression
            && unary.node.operator.node == ast::UnaryOperator::Address
            && let Some(name) = root(&unary.node.operand.node)
        {
            self.draft.address_taken.insert(name.to_owned());
        }
        self.height += 1;
        self.impure |= writes(expression);
        if self.height > HEIGHT {
            self.draft.too_deep.insert(key(expression));
            self.height = 1;
            self.impure = true;
        }
        if self.impure {
            self.draft.impure.insert(key(expression));
        }
        self.height = self.height.max(height);
        self.impure |= impure;
    }
}

/// Whether an expression writes instructions by itself.
fn writes(expression: &ast::Expression) -> bool {
    use ast::BinaryOperator::{
        Assign, AssignBitwiseAnd, AssignBitwiseOr, AssignBitwiseXor, AssignDivide, AssignMinus, AssignModulo,
        AssignMultiply, AssignPlus, AssignShiftLeft, AssignShiftRight,
    };
    use ast::UnaryOperator::{PostDecrement, PostIncrement, PreDecrement, PreIncrement};
    match expression {
        ast::Expression::Call(_)
        | ast::Expression::CompoundLiteral(_)
        | ast::Expression::VaArg(_)
        | ast::Expression::Statement(_) => true,
        ast::Expression::UnaryOperator(unary) => {
            matches!(unary.node.operator.node, PostDecrement | PostIncrement | PreDecrement | PreIncrement)
        }
        ast::Expression::BinaryOperator(binary) => matches!(
            binary.node.operator.node,
            Assign
                | AssignBitwiseAnd
                | AssignBitwiseOr
                | AssignBitwiseXor
                | AssignDivide
                | AssignMinus
                | AssignModulo
                | AssignMultiply
                | AssignPlus
                | AssignShiftLeft
                | AssignShiftRight
        ),
        _ => false,
    }
}

/// The variable that a place is a part of.
fn root(mut expression: &ast::Expression) -> Option<&str> {
    loop {
        expression = match expression {
            ast::Expression::Identifier(name) => return Some(&name.node.name),
            ast::Expression::Member(member) if member.node.operator.node == ast::MemberOperator::Direct => {
                &member.node.expression.node
            }
            ast::Expression::BinaryOperator(binary)
                if binary.node.operator.node == ast::BinaryOperator::Index =>
            {
                &binary.node.lhs.node
            }
            _ => return None,
        };
    }
}
