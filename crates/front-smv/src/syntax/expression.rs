//! Expressions and temporal formulas, by precedence climbing.
//!
//! From weakest to strongest, as the NuSMV manual has it: `->` (to the right), `<->`, `? :`, `| xor xnor`, `&`, the
//! binary operators of LTL, the prefix temporal operators, comparisons, `in`, `union`, `..`, shifts, `+ -`, `* / mod`,
//! `::`, unary minus and `!`, indices. So `AF x = 1` is `AF (x = 1)` and `!x = y` is `(!x) = y`. Unary minus stands where
//! NuSMV has it, not where its manual does: `-u :: v` is `(-u) :: v`.

use super::cursor::{Cursor, Parsed};
use super::token::TokenKind;
use super::tree::{Bounds, CtlUnary, Expr, ExprKind, Function, Name};
use super::word::word_constant;
use crate::{BinaryOp, UnaryOp, Value};
use tertium_logic::{LtlBinary, LtlUnary, PathQuantifier};
use tertium_support::{Diagnostic, Span};

/// Strengths of operators.
const IMPLIES: u32 = 1;
const IFF: u32 = 2;
const CHOICE: u32 = 3;
const OR: u32 = 4;
const AND: u32 = 5;
const LINEAR: u32 = 6;
const COMPARISON: u32 = 8;
const IN: u32 = 9;
const UNION: u32 = 10;
const RANGE: u32 = 11;
const SHIFT: u32 = 12;
const SUM: u32 = 13;
const PRODUCT: u32 = 14;
const CONCATENATE: u32 = 15;
const NOT: u32 = 16;

/// What an infix operator makes of its operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    Binary(BinaryOp),
    Linear(LtlBinary),
    Union,
    Range,
    Choice,
}

/// A whole expression.
pub(crate) fn expression(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    climb(cursor, 0)
}

/// An expression of operators at least this strong that cannot be a range: the bounds of types.
pub(crate) fn bound(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    climb(cursor, SHIFT)
}

/// `a.b[3].c` with names and indices: what can be assigned to or defined.
pub(crate) fn reference(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    if cursor.kind() != TokenKind::Name && !cursor.is_at("self") {
        return cursor.unexpected("a name");
    }
    let start = cursor.span();
    let first = primary(cursor)?;
    let reference = postfix(cursor, first, start)?;
    if reference.is_reference() {
        return Ok(reference);
    }
    let message = "this is no variable; a name is expected, with `.` and indices";
    cursor.fail(Diagnostic::error(reference.span, message))
}

fn climb(cursor: &mut Cursor<'_>, weakest: u32) -> Parsed<Expr> {
    cursor.nested(|cursor| climb_on(cursor, weakest))
}

fn climb_on(cursor: &mut Cursor<'_>, weakest: u32) -> Parsed<Expr> {
    let start = cursor.span();
    let mut left = prefix(cursor)?;
    while let Some((operator, strength)) = infix(cursor) {
        if strength < weakest {
            break;
        }
        cursor.advance();
        left = operands(cursor, left, operator, strength, start)?;
    }
    Ok(left)
}

/// Reads what stands to the right of an infix operator.
fn operands(
    cursor: &mut Cursor<'_>,
    left: Expr,
    operator: Infix,
    strength: u32,
    start: Span,
) -> Parsed<Expr> {
    let kind = match operator {
        Infix::Choice => return choice(cursor, left, start),
        Infix::Union => ExprKind::Set(row(cursor, left, operator, strength)?),
        Infix::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Add)) => {
            ExprKind::Chain(op, row(cursor, left, operator, strength)?)
        }
        // To the right: the right operand may begin another implication.
        Infix::Binary(BinaryOp::Implies) => {
            let right = climb(cursor, IMPLIES)?;
            ExprKind::Binary(BinaryOp::Implies, Box::new(left), Box::new(right))
        }
        Infix::Binary(op) => ExprKind::Binary(op, Box::new(left), Box::new(climb(cursor, strength + 1)?)),
        Infix::Linear(op) => ExprKind::LtlBinary(op, Box::new(left), Box::new(climb(cursor, strength + 1)?)),
        Infix::Range => ExprKind::Range(Box::new(left), Box::new(climb(cursor, strength + 1)?)),
    };
    let span = cursor.since(start);
    cursor.make(span, kind)
}

/// The operands of a row of the same operator, the first of which was read; stands after the first operator.
fn row(cursor: &mut Cursor<'_>, first: Expr, operator: Infix, strength: u32) -> Parsed<Vec<Expr>> {
    let mut operands = vec![first];
    loop {
        operands.push(climb(cursor, strength + 1)?);
        if infix(cursor).is_none_or(|(next, _)| next != operator) {
            return Ok(operands);
        }
        cursor.advance();
    }
}

/// `c ? a : d ? b : e` as one case with three arms; stands after the first `?`.
fn choice(cursor: &mut Cursor<'_>, first: Expr, start: Span) -> Parsed<Expr> {
    let mut arms = Vec::new();
    let mut condition = first;
    loop {
        let value = climb(cursor, CHOICE)?;
        cursor.expect(":")?;
        arms.push((condition, value));
        let otherwise = climb(cursor, OR)?;
        if !cursor.accept("?") {
            let always = ExprKind::Constant(Value::Boolean(true));
            let span = Span::point(otherwise.span.start);
            arms.push((Expr { kind: always, span, depth: 0 }, otherwise));
            break;
        }
        condition = otherwise;
    }
    let span = cursor.since(start);
    cursor.make(span, ExprKind::Case(arms))
}

fn infix(cursor: &Cursor<'_>) -> Option<(Infix, u32)> {
    let TokenKind::Fixed(word) = cursor.kind() else { return None };
    let binary = |op, strength| Some((Infix::Binary(op), strength));
    let linear = |op| (!cursor.until_ends).then_some((Infix::Linear(op), LINEAR));
    match word {
        "->" => binary(BinaryOp::Implies, IMPLIES),
        "<->" => binary(BinaryOp::Xnor, IFF),
        "?" => Some((Infix::Choice, CHOICE)),
        "|" => binary(BinaryOp::Or, OR),
        "xor" => binary(BinaryOp::Xor, OR),
        "xnor" => binary(BinaryOp::Xnor, OR),
        "&" => binary(BinaryOp::And, AND),
        "U" => linear(LtlBinary::Until),
        "V" => linear(LtlBinary::Releases),
        "S" => linear(LtlBinary::Since),
        "T" => linear(LtlBinary::Triggered),
        "=" => binary(BinaryOp::Equal, COMPARISON),
        "!=" => binary(BinaryOp::NotEqual, COMPARISON),
        "<" => binary(BinaryOp::Less, COMPARISON),
        "<=" => binary(BinaryOp::LessEqual, COMPARISON),
        ">" => binary(BinaryOp::Greater, COMPARISON),
        ">=" => binary(BinaryOp::GreaterEqual, COMPARISON),
        "in" => binary(BinaryOp::In, IN),
        "union" => Some((Infix::Union, UNION)),
        ".." => Some((Infix::Range, RANGE)),
        "<<" => binary(BinaryOp::ShiftLeft, SHIFT),
        ">>" => binary(BinaryOp::ShiftRight, SHIFT),
        "+" => binary(BinaryOp::Add, SUM),
        "-" => binary(BinaryOp::Subtract, SUM),
        "*" => binary(BinaryOp::Multiply, PRODUCT),
        "/" => binary(BinaryOp::Divide, PRODUCT),
        "mod" => binary(BinaryOp::Modulo, PRODUCT),
        "::" => binary(BinaryOp::Concatenate, CONCATENATE),
        _ => None,
    }
}

fn prefix(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let start = cursor.span();
    let TokenKind::Fixed(word) = cursor.kind() else {
        let first = primary(cursor)?;
        return postfix(cursor, first, start);
    };
    let operand = |cursor: &mut Cursor<'_>, strength| {
        cursor.advance();
        climb(cursor, strength).map(Box::new)
    };
    let kind = if let Some(op) = linear_prefix(word) {
        cursor.advance();
        let steps = if cursor.is_at("[") { Some(linear_bounds(cursor, word)?) } else { None };
        let body = Box::new(climb(cursor, COMPARISON)?);
        match steps {
            Some(steps) => ExprKind::LtlBounded(op, steps, body),
            None => ExprKind::LtlUnary(op, body),
        }
    } else if let Some((quantifier, op)) = branching_prefix(word) {
        ExprKind::CtlUnary(quantifier, op, operand(cursor, COMPARISON)?)
    } else if let Some((quantifier, op)) = bounded_prefix(word) {
        cursor.advance();
        let bounds = bounds(cursor)?;
        let body = climb(cursor, COMPARISON)?;
        ExprKind::CtlBounded(quantifier, op, bounds, Box::new(body))
    } else {
        match word {
            "!" => ExprKind::Unary(UnaryOp::Not, operand(cursor, NOT)?),
            "-" => ExprKind::Unary(UnaryOp::Minus, operand(cursor, NOT)?),
            // A sign before a number, and before nothing else.
            "+" if cursor.ahead(1) == TokenKind::Number => {
                cursor.advance();
                return primary(cursor);
            }
            "E" => until(cursor, PathQuantifier::Some)?,
            "A" => until(cursor, PathQuantifier::All)?,
            _ => {
                let first = primary(cursor)?;
                return postfix(cursor, first, start);
            }
        }
    };
    let span = cursor.since(start);
    cursor.make(span, kind)
}

fn linear_prefix(word: &str) -> Option<LtlUnary> {
    Some(match word {
        "X" => LtlUnary::Next,
        "F" => LtlUnary::Finally,
        "G" => LtlUnary::Globally,
        "Y" => LtlUnary::Previous,
        "Z" => LtlUnary::WeakPrevious,
        "O" => LtlUnary::Once,
        "H" => LtlUnary::Historically,
        _ => return None,
    })
}

fn branching_prefix(word: &str) -> Option<(PathQuantifier, CtlUnary)> {
    Some(match word {
        "EX" => (PathQuantifier::Some, CtlUnary::Next),
        "AX" => (PathQuantifier::All, CtlUnary::Next),
        "EF" => (PathQuantifier::Some, CtlUnary::Finally),
        "AF" => (PathQuantifier::All, CtlUnary::Finally),
        "EG" => (PathQuantifier::Some, CtlUnary::Globally),
        "AG" => (PathQuantifier::All, CtlUnary::Globally),
        _ => return None,
    })
}

fn bounded_prefix(word: &str) -> Option<(PathQuantifier, CtlUnary)> {
    Some(match word {
        "EBF" => (PathQuantifier::Some, CtlUnary::Finally),
        "ABF" => (PathQuantifier::All, CtlUnary::Finally),
        "EBG" => (PathQuantifier::Some, CtlUnary::Globally),
        "ABG" => (PathQuantifier::All, CtlUnary::Globally),
        _ => return None,
    })
}

/// `E [f U g]`, `A [f BU low..high g]`; stands at the quantifier.
fn until(cursor: &mut Cursor<'_>, quantifier: PathQuantifier) -> Parsed<ExprKind> {
    cursor.advance();
    cursor.expect("[")?;
    let outside = std::mem::replace(&mut cursor.until_ends, true);
    let left = expression(cursor);
    cursor.until_ends = outside;
    let left = Box::new(left?);
    let bounds = if cursor.accept("BU") {
        Some(bounds(cursor)?)
    } else if cursor.accept("U") {
        None
    } else {
        return cursor.unexpected("`U` or `BU`");
    };
    let right = Box::new(bracketed(cursor, expression)?);
    cursor.expect("]")?;
    Ok(match bounds {
        Some(bounds) => ExprKind::CtlBoundedUntil(quantifier, bounds, left, right),
        None => ExprKind::CtlUntil(quantifier, left, right),
    })
}

/// `low..high`
fn bounds(cursor: &mut Cursor<'_>) -> Parsed<Bounds> {
    let start = cursor.span();
    let low = natural(cursor)?;
    cursor.expect("..")?;
    let high = natural(cursor)?;
    checked_bounds(cursor, low, high, start)
}

/// `[low, high]`
fn linear_bounds(cursor: &mut Cursor<'_>, operator: &str) -> Parsed<Bounds> {
    let start = cursor.span();
    if !matches!(operator, "F" | "G" | "O" | "H") {
        let message = format!("`{operator}` has no bounds");
        return cursor.fail(Diagnostic::error(start, message).with_note("F, G, O and H can have them"));
    }
    cursor.advance();
    let low = natural(cursor)?;
    cursor.expect(",")?;
    let high = natural(cursor)?;
    cursor.expect("]")?;
    checked_bounds(cursor, low, high, start)
}

/// Bounded operators are written out step by step, so that their bounds nest.
fn checked_bounds(cursor: &mut Cursor<'_>, low: i64, high: i64, start: Span) -> Parsed<Bounds> {
    let span = cursor.since(start);
    match (u32::try_from(low), u32::try_from(high)) {
        (Ok(low), Ok(high)) if high <= super::cursor::NESTING => {
            if low > high {
                return cursor.fail(Diagnostic::error(span, "the first bound is greater than the second"));
            }
            Ok(Bounds { low, high })
        }
        _ => {
            let message = "the bounds of this operator are too large";
            let note = format!("bounded operators reach at most {} steps", super::cursor::NESTING);
            cursor.fail(Diagnostic::error(span, message).with_note(note))
        }
    }
}

fn natural(cursor: &mut Cursor<'_>) -> Parsed<i64> {
    if cursor.ahead(1) == TokenKind::Number {
        cursor.accept("+");
    }
    if cursor.kind() != TokenKind::Number {
        return cursor.unexpected("a number");
    }
    let (word, span) = (cursor.word(), cursor.span());
    let Ok(number) = word.parse() else {
        return cursor.fail(Diagnostic::error(span, "this number does not fit in 64 bits"));
    };
    cursor.advance();
    Ok(number)
}

/// Inside brackets `U` has its usual meaning again.
fn bracketed<T>(cursor: &mut Cursor<'_>, read: impl FnOnce(&mut Cursor<'_>) -> Parsed<T>) -> Parsed<T> {
    let outside = std::mem::replace(&mut cursor.until_ends, false);
    let read = read(cursor);
    cursor.until_ends = outside;
    read
}

fn primary(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let start = cursor.span();
    let kind = match cursor.kind() {
        TokenKind::Number => ExprKind::Constant(Value::Integer(natural(cursor)?)),
        TokenKind::Word => {
            let constant = match word_constant(cursor.word()) {
                Ok(value) => value,
                Err(message) => return cursor.fail(Diagnostic::error(start, message)),
            };
            cursor.advance();
            ExprKind::Constant(constant)
        }
        TokenKind::Name => {
            let word = cursor.word();
            let function = Function::ALL.iter().find(|(name, _)| *name == word);
            cursor.advance();
            match function {
                Some((_, function)) if cursor.is_at("(") => ExprKind::Call(*function, arguments(cursor)?),
                _ => ExprKind::Name(word.to_owned()),
            }
        }
        TokenKind::Fixed("(") => {
            cursor.advance();
            let mut inner = bracketed(cursor, expression)?;
            cursor.expect(")")?;
            // The brackets belong to it, but not to the rows it may begin.
            inner.span = cursor.since(start);
            return Ok(inner);
        }
        TokenKind::Fixed("TRUE") => constant(cursor, true),
        TokenKind::Fixed("FALSE") => constant(cursor, false),
        TokenKind::Fixed("self") => {
            cursor.advance();
            ExprKind::SelfInstance
        }
        TokenKind::Fixed("next") => {
            cursor.advance();
            cursor.expect("(")?;
            let body = bracketed(cursor, expression)?;
            cursor.expect(")")?;
            ExprKind::Next(Box::new(body))
        }
        TokenKind::Fixed("case") => case(cursor)?,
        // Where an operand is expected; between operands it chooses.
        TokenKind::Fixed("?") => {
            cursor.advance();
            ExprKind::Placeholder(if cursor.accept("{") { Some(names(cursor)?) } else { None })
        }
        TokenKind::Fixed("{") => {
            cursor.advance();
            let elements = bracketed(cursor, |cursor| list(cursor, "}"))?;
            ExprKind::Set(elements)
        }
        _ => return cursor.unexpected("an expression"),
    };
    let span = cursor.since(start);
    cursor.make(span, kind)
}

/// Names of variables with commas up to the closing bracket.
fn names(cursor: &mut Cursor<'_>) -> Parsed<Vec<Expr>> {
    let mut names = vec![reference(cursor)?];
    while cursor.accept(",") {
        names.push(reference(cursor)?);
    }
    cursor.expect("}")?;
    Ok(names)
}

fn constant(cursor: &mut Cursor<'_>, value: bool) -> ExprKind {
    cursor.advance();
    ExprKind::Constant(Value::Boolean(value))
}

fn case(cursor: &mut Cursor<'_>) -> Parsed<ExprKind> {
    cursor.advance();
    let mut arms = Vec::new();
    while !cursor.accept("esac") {
        let arm = bracketed(cursor, |cursor| {
            let condition = expression(cursor)?;
            cursor.expect(":")?;
            let value = expression(cursor)?;
            cursor.expect(";")?;
            Ok((condition, value))
        })?;
        arms.push(arm);
    }
    if arms.is_empty() {
        let span = cursor.span();
        return cursor.fail(Diagnostic::error(span, "this case has no branch"));
    }
    Ok(ExprKind::Case(arms))
}

/// `(a, b)`; stands at the bracket.
pub(super) fn arguments(cursor: &mut Cursor<'_>) -> Parsed<Vec<Expr>> {
    cursor.expect("(")?;
    if cursor.accept(")") {
        return Ok(Vec::new());
    }
    bracketed(cursor, |cursor| list(cursor, ")"))
}

/// `[a, b]`, whose elements may be of the same form; stands at the bracket.
pub(super) fn array(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let start = cursor.span();
    cursor.expect("[")?;
    let mut elements = Vec::new();
    loop {
        let nested = cursor.is_at("[");
        elements.push(if nested { cursor.nested(array)? } else { expression(cursor)? });
        if !cursor.accept(",") {
            break;
        }
    }
    cursor.expect("]")?;
    let span = cursor.since(start);
    cursor.make(span, ExprKind::Array(elements))
}

/// Expressions with commas up to the closing bracket.
pub(super) fn list(cursor: &mut Cursor<'_>, close: &str) -> Parsed<Vec<Expr>> {
    let mut elements = vec![expression(cursor)?];
    while cursor.accept(",") {
        elements.push(expression(cursor)?);
    }
    cursor.expect(close)?;
    Ok(elements)
}

fn postfix(cursor: &mut Cursor<'_>, first: Expr, start: Span) -> Parsed<Expr> {
    let mut expr = first;
    loop {
        let kind = if cursor.is_at(".") {
            cursor.advance();
            ExprKind::Member(Box::new(expr), member(cursor)?)
        } else if cursor.is_at("[") {
            cursor.advance();
            let index = Box::new(bracketed(cursor, expression)?);
            let low = if cursor.accept(":") { Some(bracketed(cursor, expression)?) } else { None };
            cursor.expect("]")?;
            match low {
                Some(low) => ExprKind::Bits(Box::new(expr), index, Box::new(low)),
                None => ExprKind::Index(Box::new(expr), index),
            }
        } else {
            return Ok(expr);
        };
        let span = cursor.since(start);
        expr = cursor.make(span, kind)?;
    }
}

fn member(cursor: &mut Cursor<'_>) -> Parsed<Name> {
    // An old form numbers members: `a.3`.
    if cursor.kind() == TokenKind::Number {
        let name = Name { text: cursor.word().to_owned(), span: cursor.span() };
        cursor.advance();
        return Ok(name);
    }
    cursor.name("a name after the `.`")
}
