//! Expressions and temporal formulas, by precedence climbing.
//!
//! From weakest to strongest, as the NuSMV manual has it: `->` (to the right), `<->`, `? :`, `| xor xnor`, `&`, the
//! binary operators of LTL, the prefix temporal operators, comparisons, `in`, `union`, `..`, shifts, `+ -`, `* / mod`,
//! `::`, unary minus and `!`, indices. So `AF x = 1` is `AF (x = 1)` and `!x = y` is `(!x) = y`. Unary minus stands where
//! NuSMV has it, not where its manual does: `-u :: v` is `(-u) :: v`.

use super::reader::{Parsed, Reader};
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
pub(crate) fn expression(reader: &mut Reader<'_>) -> Parsed<Expr> {
    climb(reader, 0)
}

/// An expression of operators at least this strong that cannot be a range: the bounds of types.
pub(crate) fn bound(reader: &mut Reader<'_>) -> Parsed<Expr> {
    climb(reader, SHIFT)
}

/// `a.b[3].c` with names and indices: what can be assigned to or defined.
pub(crate) fn reference(reader: &mut Reader<'_>) -> Parsed<Expr> {
    if reader.kind() != TokenKind::Name && !reader.is_at("self") {
        return reader.unexpected("a name");
    }
    let start = reader.span();
    let first = primary(reader)?;
    let reference = postfix(reader, first, start)?;
    if reference.is_reference() {
        return Ok(reference);
    }
    let message = "this is no variable; a name is expected, with `.` and indices";
    reader.fail(Diagnostic::error(reference.span, message))
}

fn climb(reader: &mut Reader<'_>, weakest: u32) -> Parsed<Expr> {
    reader.nested(|reader| climb_on(reader, weakest))
}

fn climb_on(reader: &mut Reader<'_>, weakest: u32) -> Parsed<Expr> {
    let start = reader.span();
    let mut left = prefix(reader)?;
    while let Some((operator, strength)) = infix(reader) {
        if strength < weakest {
            break;
        }
        reader.advance();
        left = operands(reader, left, operator, strength, start)?;
    }
    Ok(left)
}

/// Reads what stands to the right of an infix operator.
fn operands(
    reader: &mut Reader<'_>,
    left: Expr,
    operator: Infix,
    strength: u32,
    start: Span,
) -> Parsed<Expr> {
    let kind = match operator {
        Infix::Choice => return choice(reader, left, start),
        Infix::Union => ExprKind::Set(row(reader, left, operator, strength)?),
        Infix::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Add)) => {
            ExprKind::Chain(op, row(reader, left, operator, strength)?)
        }
        // To the right: the right operand may begin another implication.
        Infix::Binary(BinaryOp::Implies) => {
            let right = climb(reader, IMPLIES)?;
            ExprKind::Binary(BinaryOp::Implies, Box::new(left), Box::new(right))
        }
        Infix::Binary(op) => ExprKind::Binary(op, Box::new(left), Box::new(climb(reader, strength + 1)?)),
        Infix::Linear(op) => ExprKind::LtlBinary(op, Box::new(left), Box::new(climb(reader, strength + 1)?)),
        Infix::Range => ExprKind::Range(Box::new(left), Box::new(climb(reader, strength + 1)?)),
    };
    let span = reader.since(start);
    reader.make(span, kind)
}

/// The operands of a row of the same operator, the first of which was read; stands after the first operator.
fn row(reader: &mut Reader<'_>, first: Expr, operator: Infix, strength: u32) -> Parsed<Vec<Expr>> {
    let mut operands = vec![first];
    loop {
        operands.push(climb(reader, strength + 1)?);
        if infix(reader).is_none_or(|(next, _)| next != operator) {
            return Ok(operands);
        }
        reader.advance();
    }
}

/// `c ? a : d ? b : e` as one case with three arms; stands after the first `?`.
fn choice(reader: &mut Reader<'_>, first: Expr, start: Span) -> Parsed<Expr> {
    let mut arms = Vec::new();
    let mut condition = first;
    loop {
        let value = climb(reader, CHOICE)?;
        reader.expect(":")?;
        arms.push((condition, value));
        let otherwise = climb(reader, OR)?;
        if !reader.accept("?") {
            let always = ExprKind::Constant(Value::Boolean(true));
            let span = Span::point(otherwise.span.start);
            arms.push((Expr { kind: always, span, depth: 0 }, otherwise));
            break;
        }
        condition = otherwise;
    }
    let span = reader.since(start);
    reader.make(span, ExprKind::Case(arms))
}

fn infix(reader: &Reader<'_>) -> Option<(Infix, u32)> {
    let TokenKind::Fixed(word) = reader.kind() else { return None };
    let binary = |op, strength| Some((Infix::Binary(op), strength));
    let linear = |op| (!reader.until_ends).then_some((Infix::Linear(op), LINEAR));
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

fn prefix(reader: &mut Reader<'_>) -> Parsed<Expr> {
    let start = reader.span();
    let TokenKind::Fixed(word) = reader.kind() else {
        let first = primary(reader)?;
        return postfix(reader, first, start);
    };
    let operand = |reader: &mut Reader<'_>, strength| {
        reader.advance();
        climb(reader, strength).map(Box::new)
    };
    let kind = if let Some(op) = linear_prefix(word) {
        reader.advance();
        let steps = if reader.is_at("[") { Some(linear_bounds(reader, word)?) } else { None };
        let body = Box::new(climb(reader, COMPARISON)?);
        match steps {
            Some(steps) => ExprKind::LtlBounded(op, steps, body),
            None => ExprKind::LtlUnary(op, body),
        }
    } else if let Some((quantifier, op)) = branching_prefix(word) {
        ExprKind::CtlUnary(quantifier, op, operand(reader, COMPARISON)?)
    } else if let Some((quantifier, op)) = bounded_prefix(word) {
        reader.advance();
        let bounds = bounds(reader)?;
        let body = climb(reader, COMPARISON)?;
        ExprKind::CtlBounded(quantifier, op, bounds, Box::new(body))
    } else {
        match word {
            "!" => ExprKind::Unary(UnaryOp::Not, operand(reader, NOT)?),
            "-" => ExprKind::Unary(UnaryOp::Minus, operand(reader, NOT)?),
            // A sign before a number, and before nothing else.
            "+" if reader.kind_after() == TokenKind::Number => {
                reader.advance();
                return primary(reader);
            }
            "E" => until(reader, PathQuantifier::Some)?,
            "A" => until(reader, PathQuantifier::All)?,
            _ => {
                let first = primary(reader)?;
                return postfix(reader, first, start);
            }
        }
    };
    let span = reader.since(start);
    reader.make(span, kind)
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
fn until(reader: &mut Reader<'_>, quantifier: PathQuantifier) -> Parsed<ExprKind> {
    reader.advance();
    reader.expect("[")?;
    let outside = std::mem::replace(&mut reader.until_ends, true);
    let left = expression(reader);
    reader.until_ends = outside;
    let left = Box::new(left?);
    let bounds = if reader.accept("BU") {
        Some(bounds(reader)?)
    } else if reader.accept("U") {
        None
    } else {
        return reader.unexpected("`U` or `BU`");
    };
    let right = Box::new(bracketed(reader, expression)?);
    reader.expect("]")?;
    Ok(match bounds {
        Some(bounds) => ExprKind::CtlBoundedUntil(quantifier, bounds, left, right),
        None => ExprKind::CtlUntil(quantifier, left, right),
    })
}

/// `low..high`
fn bounds(reader: &mut Reader<'_>) -> Parsed<Bounds> {
    let start = reader.span();
    let low = natural(reader)?;
    reader.expect("..")?;
    let high = natural(reader)?;
    checked_bounds(reader, low, high, start)
}

/// `[low, high]`
fn linear_bounds(reader: &mut Reader<'_>, operator: &str) -> Parsed<Bounds> {
    let start = reader.span();
    if !matches!(operator, "F" | "G" | "O" | "H") {
        let message = format!("`{operator}` has no bounds");
        return reader.fail(Diagnostic::error(start, message).with_note("F, G, O and H can have them"));
    }
    reader.advance();
    let low = natural(reader)?;
    reader.expect(",")?;
    let high = natural(reader)?;
    reader.expect("]")?;
    checked_bounds(reader, low, high, start)
}

/// Bounded operators are written out step by step, so that their bounds nest.
fn checked_bounds(reader: &mut Reader<'_>, low: i64, high: i64, start: Span) -> Parsed<Bounds> {
    let span = reader.since(start);
    match (u32::try_from(low), u32::try_from(high)) {
        (Ok(low), Ok(high)) if high <= super::reader::NESTING => {
            if low > high {
                return reader.fail(Diagnostic::error(span, "the first bound is greater than the second"));
            }
            Ok(Bounds { low, high })
        }
        _ => {
            let message = "the bounds of this operator are too large";
            let note = format!("bounded operators reach at most {} steps", super::reader::NESTING);
            reader.fail(Diagnostic::error(span, message).with_note(note))
        }
    }
}

fn natural(reader: &mut Reader<'_>) -> Parsed<i64> {
    if reader.is_at("+") && reader.kind_after() == TokenKind::Number {
        reader.advance();
    }
    if reader.kind() != TokenKind::Number {
        return reader.unexpected("a number");
    }
    let (word, span) = (reader.word(), reader.span());
    let Ok(number) = word.parse() else {
        return reader.fail(Diagnostic::error(span, "this number does not fit in 64 bits"));
    };
    reader.advance();
    Ok(number)
}

/// Inside brackets `U` has its usual meaning again.
fn bracketed<T>(reader: &mut Reader<'_>, read: impl FnOnce(&mut Reader<'_>) -> Parsed<T>) -> Parsed<T> {
    let outside = std::mem::replace(&mut reader.until_ends, false);
    let read = read(reader);
    reader.until_ends = outside;
    read
}

fn primary(reader: &mut Reader<'_>) -> Parsed<Expr> {
    let start = reader.span();
    let kind = match reader.kind() {
        TokenKind::Number => ExprKind::Constant(Value::Integer(natural(reader)?)),
        TokenKind::Word => {
            let constant = match word_constant(reader.word()) {
                Ok(value) => value,
                Err(message) => return reader.fail(Diagnostic::error(start, message)),
            };
            reader.advance();
            ExprKind::Constant(constant)
        }
        TokenKind::Name => {
            let word = reader.word();
            let function = Function::ALL.iter().find(|(name, _)| *name == word);
            reader.advance();
            match function {
                Some((_, function)) if reader.is_at("(") => ExprKind::Call(*function, arguments(reader)?),
                _ => ExprKind::Name(word.to_owned()),
            }
        }
        TokenKind::Fixed("(") => {
            reader.advance();
            let mut inner = bracketed(reader, expression)?;
            reader.expect(")")?;
            // The brackets belong to it, but not to the rows it may begin.
            inner.span = reader.since(start);
            return Ok(inner);
        }
        TokenKind::Fixed("TRUE") => constant(reader, true),
        TokenKind::Fixed("FALSE") => constant(reader, false),
        TokenKind::Fixed("self") => {
            reader.advance();
            ExprKind::SelfInstance
        }
        TokenKind::Fixed("next") => {
            reader.advance();
            reader.expect("(")?;
            let body = bracketed(reader, expression)?;
            reader.expect(")")?;
            ExprKind::Next(Box::new(body))
        }
        TokenKind::Fixed("case") => case(reader)?,
        // Where an operand is expected; between operands it chooses.
        TokenKind::Fixed("?") => {
            reader.advance();
            ExprKind::Placeholder(if reader.accept("{") { Some(names(reader)?) } else { None })
        }
        TokenKind::Fixed("{") => {
            reader.advance();
            let elements = bracketed(reader, |reader| list(reader, "}"))?;
            ExprKind::Set(elements)
        }
        _ => return reader.unexpected("an expression"),
    };
    let span = reader.since(start);
    reader.make(span, kind)
}

/// Names of variables with commas up to the closing bracket.
fn names(reader: &mut Reader<'_>) -> Parsed<Vec<Expr>> {
    let mut names = vec![reference(reader)?];
    while reader.accept(",") {
        names.push(reference(reader)?);
    }
    reader.expect("}")?;
    Ok(names)
}

fn constant(reader: &mut Reader<'_>, value: bool) -> ExprKind {
    reader.advance();
    ExprKind::Constant(Value::Boolean(value))
}

fn case(reader: &mut Reader<'_>) -> Parsed<ExprKind> {
    reader.advance();
    let mut arms = Vec::new();
    while !reader.accept("esac") {
        let arm = bracketed(reader, |reader| {
            let condition = expression(reader)?;
            reader.expect(":")?;
            let value = expression(reader)?;
            reader.expect(";")?;
            Ok((condition, value))
        })?;
        arms.push(arm);
    }
    if arms.is_empty() {
        let span = reader.span();
        return reader.fail(Diagnostic::error(span, "this case has no branch"));
    }
    Ok(ExprKind::Case(arms))
}

/// `(a, b)`; stands at the bracket.
pub(super) fn arguments(reader: &mut Reader<'_>) -> Parsed<Vec<Expr>> {
    reader.expect("(")?;
    if reader.accept(")") {
        return Ok(Vec::new());
    }
    bracketed(reader, |reader| list(reader, ")"))
}

/// `[a, b]`, whose elements may be of the same form; stands at the bracket.
pub(super) fn array(reader: &mut Reader<'_>) -> Parsed<Expr> {
    let start = reader.span();
    reader.expect("[")?;
    let mut elements = Vec::new();
    loop {
        let nested = reader.is_at("[");
        elements.push(if nested { reader.nested(array)? } else { expression(reader)? });
        if !reader.accept(",") {
            break;
        }
    }
    reader.expect("]")?;
    let span = reader.since(start);
    reader.make(span, ExprKind::Array(elements))
}

/// Expressions with commas up to the closing bracket.
pub(super) fn list(reader: &mut Reader<'_>, close: &str) -> Parsed<Vec<Expr>> {
    let mut elements = vec![expression(reader)?];
    while reader.accept(",") {
        elements.push(expression(reader)?);
    }
    reader.expect(close)?;
    Ok(elements)
}

fn postfix(reader: &mut Reader<'_>, first: Expr, start: Span) -> Parsed<Expr> {
    let mut expr = first;
    loop {
        let kind = if reader.is_at(".") {
            reader.advance();
            ExprKind::Member(Box::new(expr), member(reader)?)
        } else if reader.is_at("[") {
            reader.advance();
            let index = Box::new(bracketed(reader, expression)?);
            let low = if reader.accept(":") { Some(bracketed(reader, expression)?) } else { None };
            reader.expect("]")?;
            match low {
                Some(low) => ExprKind::Bits(Box::new(expr), index, Box::new(low)),
                None => ExprKind::Index(Box::new(expr), index),
            }
        } else {
            return Ok(expr);
        };
        let span = reader.since(start);
        expr = reader.make(span, kind)?;
    }
}

fn member(reader: &mut Reader<'_>) -> Parsed<Name> {
    // An old form numbers members: `a.3`.
    if reader.kind() == TokenKind::Number {
        let name = Name { text: reader.word().to_owned(), span: reader.span() };
        reader.advance();
        return Ok(name);
    }
    reader.name("a name after the `.`")
}
