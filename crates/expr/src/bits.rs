//! Bit-vectors of up to 128 bits.

use crate::{BitOperation, Sort, Term, TermKind, Terms};

impl Terms {
    /// A bit-vector: its width, and its value as an unsigned number, of which the bits beyond the width are dropped.
    pub fn bits(&self, width: u32, value: u128) -> Term {
        assert!((1..=128).contains(&width), "bit-vectors have 1 to 128 bits");
        self.intern(TermKind::Bits(width, value & mask(width)), Sort::Bits(width))
    }

    /// An operation on bit-vectors. Their widths have to go together.
    pub fn bitwise(&self, operation: BitOperation, operands: &[Term]) -> Term {
        let widths: Vec<u32> = operands.iter().map(|&operand| self.width(operand)).collect();
        let width = operation.width(&widths).expect("the widths go together");
        let values: Option<Vec<u128>> = operands.iter().map(|&operand| self.as_bits(operand)).collect();
        let sort = if operation.is_comparison() { Sort::Bool } else { Sort::Bits(width) };
        match values {
            Some(values) => match compute(operation, &widths, &values) {
                value if operation.is_comparison() => self.boolean(value != 0),
                value => self.bits(width, value),
            },
            None => self.intern(TermKind::Bitwise(operation, operands.into()), sort),
        }
    }

    fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            other => panic!("a bit-vector is wanted, not {other}"),
        }
    }

    fn as_bits(&self, term: Term) -> Option<u128> {
        self.with_kind(term, |kind| match kind {
            TermKind::Bits(_, value) => Some(*value),
            _ => None,
        })
    }
}

/// All bits of this width.
pub(crate) fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The number that the bits stand for if the highest counts negatively.
fn signed(width: u32, value: u128) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// The result of an operation on values of these widths; a truth value is 0 or 1.
pub(crate) fn compute(operation: BitOperation, widths: &[u32], values: &[u128]) -> u128 {
    use BitOperation::*;
    let width = widths[0];
    let first = values[0];
    let second = values.get(1).copied().unwrap_or_default();
    let (left, right) = (signed(width, first), signed(*widths.last().expect("an operand"), second));
    let shift = |by: u128| u32::try_from(by).ok().filter(|&by| by < width);
    let result = match operation {
        Add => first.wrapping_add(second),
        Subtract => first.wrapping_sub(second),
        Multiply => first.wrapping_mul(second),
        DivideUnsigned => first.checked_div(second).unwrap_or(u128::MAX),
        RemainderUnsigned => first.checked_rem(second).unwrap_or(first),
        DivideSigned if right == 0 => {
            if left < 0 {
                1
            } else {
                u128::MAX
            }
        }
        DivideSigned => left.wrapping_div(right) as u128,
        RemainderSigned if right == 0 => first,
        RemainderSigned => left.wrapping_rem(right) as u128,
        Not => !first,
        And => first & second,
        Or => first | second,
        Xor => first ^ second,
        ShiftLeft => shift(second).map_or(0, |by| first << by),
        ShiftRight => shift(second).map_or(0, |by| first >> by),
        ShiftRightSigned => (left >> shift(second).unwrap_or(width - 1)) as u128,
        Concatenate => return (first << widths[1]) | second,
        Extract(high, low) => return (first >> low) & mask(high - low + 1),
        ExtendZeros(_) => return first,
        ExtendSign(more) => return (left as u128) & mask(width + more),
        LessUnsigned => return u128::from(first < second),
        AtMostUnsigned => return u128::from(first <= second),
        LessSigned => return u128::from(left < right),
        AtMostSigned => return u128::from(left <= right),
    };
    result & mask(width)
}
