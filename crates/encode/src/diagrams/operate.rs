//! Operations on bit-vectors, as SMT-LIB defines them: for all values at once.

use super::Denotation;
use super::circuit::{self, Made};
use tertium_dd::{Bdd, Manager};
use tertium_expr::BitOperation;

/// The result of an operation. The operands have the widths that it wants.
pub(super) fn operate(manager: &Manager, operation: BitOperation, operands: &[&[Bdd]]) -> Made<Denotation> {
    use BitOperation::*;
    let a = operands[0];
    let b = operands.get(1).copied().unwrap_or_default();
    let sign = &a[a.len() - 1];
    let bits = match operation {
        Add => circuit::add(a, b, manager.constant(false))?,
        Subtract => circuit::subtract(manager, a, b)?,
        Multiply => circuit::multiply(manager, a, b)?,
        // With a divisor of zero every digit fits: the quotient is all ones, and the remainder the dividend.
        DivideUnsigned => circuit::divide(manager, a, b)?.0,
        RemainderUnsigned => circuit::divide(manager, a, b)?.1,
        DivideSigned => {
            let quotient = circuit::divide(manager, &magnitude(manager, a)?, &magnitude(manager, b)?)?.0;
            negate_where(manager, &sign.xor(&b[b.len() - 1])?, &quotient)?
        }
        RemainderSigned => {
            let rest = circuit::divide(manager, &magnitude(manager, a)?, &magnitude(manager, b)?)?.1;
            negate_where(manager, sign, &rest)?
        }
        Not => circuit::not(a),
        And => circuit::zip(a, b, Bdd::and)?,
        Or => circuit::zip(a, b, Bdd::or)?,
        Xor => circuit::zip(a, b, Bdd::xor)?,
        ShiftLeft => circuit::shift_up(manager, a, b)?,
        ShiftRight => circuit::shift_down(a, b, &manager.constant(false))?,
        ShiftRightSigned => circuit::shift_down(a, b, sign)?,
        Concatenate => [b, a].concat(),
        Extract(high, low) => a[low as usize..=high as usize].to_vec(),
        ExtendZeros(more) => circuit::extend_unsigned(manager, a, a.len() + more as usize),
        ExtendSign(more) => circuit::extend_signed(a, a.len() + more as usize),
        LessUnsigned => return Ok(Denotation::Truth(circuit::less_unsigned(manager, a, b)?)),
        AtMostUnsigned => return Ok(Denotation::Truth(circuit::less_unsigned(manager, b, a)?.not())),
        LessSigned => return Ok(Denotation::Truth(less_signed(manager, a, b)?)),
        AtMostSigned => return Ok(Denotation::Truth(less_signed(manager, b, a)?.not())),
    };
    Ok(Denotation::Bits(bits))
}

/// The absolute value without a sign; that of the lowest number is itself.
fn magnitude(manager: &Manager, a: &[Bdd]) -> Made<Vec<Bdd>> {
    negate_where(manager, &a[a.len() - 1], a)
}

fn negate_where(manager: &Manager, condition: &Bdd, a: &[Bdd]) -> Made<Vec<Bdd>> {
    circuit::ite(condition, &circuit::negate(manager, a)?, a)
}

/// Moving both up by half of all numbers makes the order that of numbers without sign.
fn less_signed(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Made<Bdd> {
    let moved = |a: &[Bdd]| {
        let mut moved = a.to_vec();
        moved[a.len() - 1] = a[a.len() - 1].not();
        moved
    };
    circuit::less_unsigned(manager, &moved(a), &moved(b))
}
