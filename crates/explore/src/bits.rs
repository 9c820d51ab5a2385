//! Operations on bit-vectors of up to 64 bits, as SMT-LIB defines them.

use tertium_expr::BitOperation;

/// The result of an operation; a truth value is 0 or 1. The last operand has this width, and so has the first of two unless it stands
/// above the last. Bits beyond the width are zero, also in the result, which is no wider than a word. An operation on one
/// operand has it last.
#[inline]
pub(crate) fn apply(operation: BitOperation, width: u32, first: u64, last: u64) -> u64 {
    use BitOperation::*;
    let mask = u64::MAX >> (u64::BITS - width);
    let signed = |value: u64| {
        let unused = u64::BITS - width;
        ((value << unused) as i64) >> unused
    };
    debug_assert!(last <= mask, "bits beyond the width are zero");
    let result = match operation {
        Add => first.wrapping_add(last),
        Subtract => first.wrapping_sub(last),
        Multiply => first.wrapping_mul(last),
        DivideUnsigned => first.checked_div(last).unwrap_or(u64::MAX),
        RemainderUnsigned => first.checked_rem(last).unwrap_or(first),
        DivideSigned => match (signed(first), signed(last)) {
            (negative, 0) if negative < 0 => 1,
            (_, 0) => u64::MAX,
            (left, right) => left.wrapping_div(right) as u64,
        },
        RemainderSigned => match (signed(first), signed(last)) {
            (left, 0) => left as u64,
            (left, right) => left.wrapping_rem(right) as u64,
        },
        Not => !last,
        And => first & last,
        Or => first | last,
        Xor => first ^ last,
        ShiftLeft if last >= u64::from(width) => 0,
        ShiftLeft => first << last,
        ShiftRight if last >= u64::from(width) => 0,
        ShiftRight => first >> last,
        ShiftRightSigned => (signed(first) >> last.min(u64::from(width - 1))) as u64,
        Concatenate => return first << width | last,
        Extract(high, low) => return last >> low & u64::MAX >> (u64::BITS - 1 - (high - low)),
        ExtendZeros(_) => return last,
        ExtendSign(more) => return signed(last) as u64 & u64::MAX >> (u64::BITS - width - more),
        LessUnsigned => return u64::from(first < last),
        AtMostUnsigned => return u64::from(first <= last),
        LessSigned => return u64::from(signed(first) < signed(last)),
        AtMostSigned => return u64::from(signed(first) <= signed(last)),
    };
    result & mask
}

#[cfg(test)]
mod tests {
    use crate::code::tests::{both, with_variables};
    use tertium_expr::{BitOperation, Sort, Value};
    use tertium_program::Domain;
    use tertium_testkit::random_cases;

    /// Every operation, at random widths and values, alone and with constants, against the evaluator of terms.
    #[test]
    fn code_computes_what_the_evaluator_does() {
        use BitOperation::*;
        let mut n_computed = 0;
        let plain = [
            Add,
            Subtract,
            Multiply,
            DivideUnsigned,
            RemainderUnsigned,
            DivideSigned,
            RemainderSigned,
            And,
            Or,
            Xor,
            ShiftLeft,
            ShiftRight,
            ShiftRightSigned,
            LessUnsigned,
            AtMostUnsigned,
            LessSigned,
            AtMostSigned,
        ];
        let run = random_cases(400, |rng| {
            let width = *rng.pick(&[1, 2, 3, 8, 31, 32, 33, 63, 64]);
            let other = rng.between(1, 64) as u32;
            let widths = [width, width, other];
            let (program, own) = with_variables(widths.map(Domain::Bits));
            let terms = &program.terms;
            let [x, y, z] = own.map(|variable| terms.variable(variable));
            let operation = *rng.pick(&plain);
            let high = rng.below(width as usize) as u32;
            let low = rng.below(high as usize + 1) as u32;
            let more = rng.below((64 - width) as usize + 1) as u32;
            let inner = match rng.below(8) {
                0 => terms.bitwise(Not, &[x]),
                1 => terms.bitwise(Extract(high, low), &[x]),
                2 => terms.bitwise(ExtendSign(more), &[x]),
                3 => terms.bitwise(ExtendZeros(more), &[x]),
                4 if width + other <= 64 => terms.bitwise(Concatenate, &[x, z]),
                _ => terms.bitwise(operation, &[x, y]),
            };
            let term = match terms.sort(inner) {
                Sort::Bits(wide) if wide == width && rng.chance(0.5) => {
                    terms.bitwise(*rng.pick(&plain), &[inner, terms.bits(width, rng.below(5) as u128)])
                }
                _ if rng.chance(0.3) => terms.equal(inner, inner),
                _ => inner,
            };
            for _ in 0..8 {
                let bits = |rng: &mut tertium_support::Rng, width: u32| {
                    let mask = u64::MAX >> (64 - width);
                    let value = match rng.below(4) {
                        0 => rng.below(4) as u64,
                        1 => (1u64 << (width - 1)).wrapping_add(rng.below(3) as u64).wrapping_sub(1),
                        2 => u64::MAX - rng.below(3) as u64,
                        _ => (rng.below(1 << 32) as u64) << 32 | rng.below(1 << 32) as u64,
                    };
                    value & mask
                };
                let values = widths.map(|width| Value::Bits { width, value: bits(rng, width).into() });
                let (found, right) = both(&program, term, &values);
                assert!(found.is_some() && found == right, "{} at {values:?}", terms.print(term));
                n_computed += 1;
            }
        });
        run.enough(n_computed > 1000, n_computed);
    }
}
