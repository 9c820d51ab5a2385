//! Functions of the compiler that compute: they count bits, say whether arithmetic has room, or read and write at once.
//!
//! All become expressions and assignments, so nobody else knows them. There is one thread, so what is atomic is as good as anything
//! else: the order that is asked for does not matter. As in gcc, atomic arithmetic does not overflow.

use super::elaborate::{Elaborator, Outcome};
use super::expression::{Operand, Value};
use crate::ir::{Expression, ExpressionKind, Place, Rank, TypeId};
use lang_c::ast;
use lang_c::span::Node;
use tertium_support::Span;

/// A function of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Computed {
    /// `popcount`: how many bits are set.
    Ones,
    /// `parity`: whether their number is odd.
    Parity,
    /// `clz`: the zeros before the first bit that is set, the highest being the first.
    LeadingZeros,
    /// `ctz`: the zeros below the last.
    TrailingZeros,
    /// `ffs`: which bit is the last that is set, the lowest being 1; 0 if there is none.
    LastOne,
    /// `abs`.
    Absolute,
    /// `add_overflow` and its kin: writes the result, and says whether it had no room.
    Overflow(Operation, Operands),
    /// An atomic operation on what the first argument points to.
    Atomic(Atomic),
}

/// An atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atomic {
    Fence,
    Load,
    Store,
    /// Writes zero.
    Clear,
    /// Gives what was there.
    Exchange,
    /// Computes with what was there, and gives it as it was, or as it is then.
    Update(Operation, Gives),
    /// Writes the third argument if the second is there.
    Compare(Gives),
    /// The same, where the second argument points to what is expected, and gets what was there.
    CompareAt,
}

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Add,
    Subtract,
    Multiply,
    Or,
    And,
    Xor,
    Nand,
}

/// Which types operands have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// Their own.
    Any,
    /// That of the result.
    OfResult,
}

/// What an operation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    Old,
    New,
}

/// The function of the compiler with this name.
pub(super) fn computed(name: &str) -> Option<Computed> {
    if let Some(rest) = name.strip_prefix("__builtin_") {
        return builtin(rest);
    }
    let atomic = match (name.strip_prefix("__sync_"), name.strip_prefix("__atomic_")) {
        (Some(rest), _) => match rest {
            "synchronize" => Atomic::Fence,
            "lock_test_and_set" => Atomic::Exchange,
            "lock_release" => Atomic::Clear,
            "val_compare_and_swap" => Atomic::Compare(Gives::Old),
            "bool_compare_and_swap" => Atomic::Compare(Gives::New),
            _ => update(rest, "fetch_and_", "_and_fetch")?,
        },
        (_, Some(rest)) => match rest {
            "thread_fence" | "signal_fence" => Atomic::Fence,
            "load_n" => Atomic::Load,
            "store_n" => Atomic::Store,
            "exchange_n" => Atomic::Exchange,
            "compare_exchange_n" => Atomic::CompareAt,
            _ => update(rest, "fetch_", "_fetch")?,
        },
        _ => return None,
    };
    Some(Computed::Atomic(atomic))
}

fn builtin(name: &str) -> Option<Computed> {
    if let Some(word) = name.strip_suffix("_overflow") {
        let operation = |word: &str| match word {
            "add" => Some(Operation::Add),
            "sub" => Some(Operation::Subtract),
            "mul" => Some(Operation::Multiply),
            _ => None,
        };
        let of_type = || operation(word.strip_prefix(['s', 'u'])?.trim_end_matches('l'));
        return match operation(word) {
            Some(any) => Some(Computed::Overflow(any, Operands::Any)),
            None => of_type().map(|own| Computed::Overflow(own, Operands::OfResult)),
        };
    }
    let plain = name.trim_end_matches('l');
    if name.len() - plain.len() > 2 {
        return None;
    }
    Some(match plain {
        "popcount" => Computed::Ones,
        "parity" => Computed::Parity,
        "clz" => Computed::LeadingZeros,
        "ctz" => Computed::TrailingZeros,
        "ffs" => Computed::LastOne,
        _ => return None,
    })
}

/// `fetch_and_add` and its kin.
fn update(name: &str, old: &str, new: &str) -> Option<Atomic> {
    let (word, gives) = match (name.strip_prefix(old), name.strip_suffix(new)) {
        (Some(word), _) => (word, Gives::Old),
        (None, Some(word)) => (word, Gives::New),
        _ => return None,
    };
    let operation = match word {
        "add" => Operation::Add,
        "sub" => Operation::Subtract,
        "or" => Operation::Or,
        "and" => Operation::And,
        "xor" => Operation::Xor,
        "nand" => Operation::Nand,
        _ => return None,
    };
    Some(Atomic::Update(operation, gives))
}

impl Elaborator<'_> {
    /// What a function of the compiler gives. Those that count take the type of their argument as `known` says.
    pub(super) fn computed(
        &mut self,
        which: Computed,
        known: Option<TypeId>,
        arguments: &[Node<ast::Expression>],
        span: Span,
    ) -> Outcome<Operand> {
        match which {
            Computed::Atomic(atomic) => self.atomic(atomic, arguments, span),
            Computed::Overflow(operation, types) => self.with_overflow(operation, types, arguments, span),
            _ => {
                let [argument] = arguments else {
                    return Err(self.error(span, "one argument is needed here"));
                };
                let value = self.scalar(argument)?;
                let ty = known.unwrap_or(value.ty);
                let value = self.assigned(value, ty, "this argument")?;
                let value = self.in_temporary(value);
                let found = match which {
                    Computed::Absolute => self.absolute(value, span)?,
                    _ => self.counted(which, value, span)?,
                };
                Ok(found.into())
            }
        }
    }

    fn absolute(&mut self, value: Expression, span: Span) -> Outcome<Expression> {
        let zero = self.int(0, span);
        let negative =
            self.arithmetic(&ast::BinaryOperator::Minus, zero.clone().into(), value.clone().into(), span)?;
        let is_negative =
            self.arithmetic(&ast::BinaryOperator::Less, value.clone().into(), zero.into(), span)?;
        Ok(self.choice(is_negative.expression, negative.expression, value))
    }

    fn counted(&mut self, which: Computed, value: Expression, span: Span) -> Outcome<Expression> {
        let Some(own) = self.types.integer(value.ty) else {
            return Err(self.error(span, "an integer is needed here"));
        };
        let unsigned = self.types.standard(own.rank, false);
        let value = self.convert(value, unsigned);
        let n = i128::from(own.bits);
        let mut bits = Vec::new();
        for number in 0..n {
            let (by, one) = (self.int(number, span), self.int(1, span));
            let bit =
                self.arithmetic(&ast::BinaryOperator::ShiftRight, value.clone().into(), by.into(), span)?;
            let bit = self.arithmetic(&ast::BinaryOperator::BitwiseAnd, bit, one.into(), span)?;
            bits.push(bit.expression);
        }
        if matches!(which, Computed::Ones | Computed::Parity) {
            let operator = match which {
                Computed::Ones => ast::BinaryOperator::Plus,
                _ => ast::BinaryOperator::BitwiseXor,
            };
            let mut sum: Value = self.int(0, span).into();
            for bit in bits {
                let int = self.types.int();
                let bit = self.convert(bit, int);
                sum = self.arithmetic(&operator, sum, bit.into(), span)?;
            }
            return Ok(sum.expression);
        }
        // Undefined for zero, but for `LastOne`.
        let mut found = self.int(if which == Computed::LastOne { 0 } else { n }, span);
        let mut all: Vec<(i128, Expression)> = (0..n).zip(bits).collect();
        if which != Computed::LeadingZeros {
            all.reverse();
        }
        for (number, bit) in all {
            let here = match which {
                Computed::LeadingZeros => n - 1 - number,
                Computed::LastOne => number + 1,
                _ => number,
            };
            let here = self.int(here, span);
            found = self.choice(bit, here, found);
        }
        Ok(found)
    }

    /// `condition ? then : otherwise`, of the same type and without effects.
    fn choice(&mut self, condition: Expression, then: Expression, otherwise: Expression) -> Expression {
        match condition.kind {
            ExpressionKind::Integer(0) => otherwise,
            ExpressionKind::Integer(_) => then,
            _ => {
                let (ty, span) = (then.ty, condition.span);
                let parts = (Box::new(condition), Box::new(then), Box::new(otherwise));
                Expression { kind: ExpressionKind::Conditional(parts.0, parts.1, parts.2), ty, span }
            }
        }
    }

    fn with_overflow(
        &mut self,
        operation: Operation,
        types: Operands,
        arguments: &[Node<ast::Expression>],
        span: Span,
    ) -> Outcome<Operand> {
        let [one, other, to] = arguments else {
            return Err(self.error(span, "three arguments are needed here"));
        };
        let mark = self.draft.mark();
        let one = self.scalar(one)?;
        let one = self.in_temporary(one);
        let other = self.scalar(other)?;
        let other = self.in_temporary(other);
        let (place, rest) = self.pointed_place(to, &[], span)?;
        debug_assert!(rest.is_empty(), "no more was asked for");
        let place = self.protect_place(mark, place);
        let (one, other) = match types {
            Operands::Any => (one, other),
            Operands::OfResult => (self.convert(one, place.ty), self.convert(other, place.ty)),
        };
        let all = [self.types.integer(one.ty), self.types.integer(other.ty), self.types.integer(place.ty)];
        let [Some(a), Some(b), Some(_)] = all else {
            return Err(self.error(span, "integers are needed here"));
        };
        // The exact result must have room.
        let bits = a.bits.max(b.bits);
        let rank = if bits < 32 || bits == 32 && operation != Operation::Multiply {
            Rank::LongLong
        } else {
            Rank::Int128
        };
        if bits > 64 || bits == 64 && operation == Operation::Multiply && !(a.signed && b.signed) {
            let int = self.types.int();
            return self.unsupported_of_type(span, "a product of so many bits", int);
        }
        let wide = self.types.standard(rank, true);
        let (one, other) = (self.convert(one, wide), self.convert(other, wide));
        let exact = self.operated(operation, one, other, span)?;
        let exact = self.in_temporary(exact);
        let result = self.convert(exact.clone(), place.ty);
        let result = self.in_temporary(result);
        self.assign(place, result.clone(), span);
        let back = self.convert(result, wide);
        let differs = self.arithmetic(&ast::BinaryOperator::NotEquals, back.into(), exact.into(), span)?;
        Ok(Operand::Value(differs))
    }

    fn operated(
        &mut self,
        operation: Operation,
        one: Expression,
        other: Expression,
        span: Span,
    ) -> Outcome<Expression> {
        let operator = match operation {
            Operation::Add => ast::BinaryOperator::Plus,
            Operation::Subtract => ast::BinaryOperator::Minus,
            Operation::Multiply => ast::BinaryOperator::Multiply,
            Operation::Or => ast::BinaryOperator::BitwiseOr,
            Operation::And | Operation::Nand => ast::BinaryOperator::BitwiseAnd,
            Operation::Xor => ast::BinaryOperator::BitwiseXor,
        };
        let found = self.arithmetic(&operator, one.into(), other.into(), span)?.expression;
        if operation != Operation::Nand {
            return Ok(found);
        }
        let ones = self.int(-1, span);
        Ok(self.arithmetic(&ast::BinaryOperator::BitwiseXor, found.into(), ones.into(), span)?.expression)
    }

    /// What the first argument points to, and the values of some others, converted to its type. The rest is only evaluated.
    fn pointed_place(
        &mut self,
        pointer: &Node<ast::Expression>,
        values: &[Node<ast::Expression>],
        span: Span,
    ) -> Outcome<(Place, Vec<Expression>)> {
        let pointer = self.value(pointer)?;
        let Operand::Place(place, _) = self.target(pointer, span)? else {
            return Err(self.error(span, "a pointer to an object is needed here"));
        };
        if !self.types.is_scalar(place.ty) {
            let shown = self.types.show(place.ty);
            return Err(self.error(span, format!("a number or pointer is needed here, not `{shown}`")));
        }
        let mark = self.draft.mark();
        let mut found = Vec::new();
        for value in values {
            let value = self.scalar(value)?;
            let value = self.assigned(value, place.ty, "this argument")?;
            found.push(self.in_temporary(value));
        }
        Ok((self.protect_place(mark, place), found))
    }

    fn atomic(
        &mut self,
        atomic: Atomic,
        arguments: &[Node<ast::Expression>],
        span: Span,
    ) -> Outcome<Operand> {
        if atomic == Atomic::Fence {
            arguments.iter().try_for_each(|argument| self.discard(argument))?;
            return Ok(Operand::Void(span));
        }
        let n_values = match atomic {
            Atomic::Fence | Atomic::Load | Atomic::Clear | Atomic::CompareAt => 0,
            Atomic::Store | Atomic::Exchange | Atomic::Update(..) => 1,
            Atomic::Compare(_) => 2,
        };
        let n_more = if atomic == Atomic::CompareAt { 2 } else { 0 };
        if arguments.len() < 1 + n_values + n_more {
            return Err(self.error(span, "more arguments are needed here"));
        }
        let (first, rest) = arguments.split_first().expect("they were counted");
        let mark = self.draft.mark();
        let (place, values) = self.pointed_place(first, &rest[..n_values], span)?;
        let expected = match atomic {
            Atomic::CompareAt => Some(self.pointed_place(&rest[0], &rest[1..2], span)?),
            _ => None,
        };
        rest[n_values + n_more..].iter().try_for_each(|argument| self.discard(argument))?;
        let place = self.protect_place(mark, place);
        if matches!(atomic, Atomic::Update(..)) && self.types.integer(place.ty).is_none() {
            let ty = place.ty;
            return self.unsupported_of_type(span, "atomic arithmetic on what is no integer", ty);
        }
        let old = self.read(place.clone());
        let old = self.in_temporary(old);
        let (new, result) = match (atomic, &values[..], expected) {
            (Atomic::Load, ..) => return Ok(old.into()),
            (Atomic::Store, [value], _) => (value.clone(), None),
            (Atomic::Exchange, [value], _) => (value.clone(), Some(old)),
            (Atomic::Update(operation, gives), [value], _) => {
                let new = self.updated(operation, old.clone(), value.clone(), place.ty, span)?;
                let new = self.in_temporary(new);
                (new.clone(), Some(if gives == Gives::Old { old } else { new }))
            }
            (Atomic::Compare(gives), [expected, wanted], _) => {
                let is_there = self.is_there(&old, expected, span)?;
                let new = self.choice(is_there.clone(), wanted.clone(), old.clone());
                (new, Some(if gives == Gives::Old { old } else { is_there }))
            }
            (Atomic::CompareAt, _, Some((expected, wanted))) => {
                let before = self.read(expected.clone());
                let before = self.in_temporary(before);
                let is_there = self.is_there(&old, &before, span)?;
                let wanted = self.convert(wanted[0].clone(), place.ty);
                let new = self.choice(is_there.clone(), wanted, old.clone());
                let seen = self.convert(old, expected.ty);
                let seen = self.choice(is_there.clone(), before, seen);
                self.assign(expected, seen, span);
                (new, Some(is_there))
            }
            _ => {
                let zero = self.int(0, span);
                (self.convert(zero, place.ty), None)
            }
        };
        self.assign(place, new, span);
        Ok(result.map_or(Operand::Void(span), Into::into))
    }

    fn is_there(&mut self, found: &Expression, expected: &Expression, span: Span) -> Outcome<Expression> {
        let (found, expected) = (found.clone().into(), expected.clone().into());
        let is_there = self.arithmetic(&ast::BinaryOperator::Equals, found, expected, span)?;
        Ok(self.in_temporary(is_there.expression))
    }

    /// The result of atomic arithmetic, which begins anew where it has no room.
    fn updated(
        &mut self,
        operation: Operation,
        old: Expression,
        value: Expression,
        ty: TypeId,
        span: Span,
    ) -> Outcome<Expression> {
        let rank = self.types.integer(ty).map_or(Rank::Int, |own| own.rank.max(Rank::Int));
        let unsigned = self.types.standard(rank, false);
        let (old, value) = (self.convert(old, unsigned), self.convert(value, unsigned));
        let new = self.operated(operation, old, value, span)?;
        Ok(self.convert(new, ty))
    }
}
