//! Circuits on vectors of diagrams: what hardware does with wires, done with functions.
//!
//! A vector has its lowest bit first. Nothing here knows of signs except where a name says so; a result has the width of its
//! operands unless stated, and what does not fit is cut. Sums cost one pass over the bits. Products and quotients by other than
//! constants have diagrams of exponential size in any order of the variables \[Bry91\]; they are right, and the limits of the
//! manager end them.

use tertium_dd::{Bdd, Manager};
use tertium_support::StopReason;

/// What an operation makes, unless a limit is reached.
pub type Made<T> = Result<T, StopReason>;

/// The lowest `width` bits of a number.
pub fn constant(manager: &Manager, value: i128, width: usize) -> Vec<Bdd> {
    (0..width).map(|bit| manager.constant(value >> bit.min(127) & 1 == 1)).collect()
}

/// `a + b`, or `a + b + 1`.
pub fn add(a: &[Bdd], b: &[Bdd], carry: Bdd) -> Made<Vec<Bdd>> {
    debug_assert_eq!(a.len(), b.len(), "operands have one width");
    let mut carry = carry;
    let mut sum = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        let half = a.xor(b)?;
        sum.push(half.xor(&carry)?);
        carry = half.ite(&carry, a)?;
    }
    Ok(sum)
}

/// `a - b`.
pub fn subtract(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Made<Vec<Bdd>> {
    add(a, &not(b), manager.constant(true))
}

/// Every bit the other way round.
pub fn not(a: &[Bdd]) -> Vec<Bdd> {
    a.iter().map(Bdd::not).collect()
}

/// `-a`.
pub fn negate(manager: &Manager, a: &[Bdd]) -> Made<Vec<Bdd>> {
    add(&not(a), &constant(manager, 0, a.len()), manager.constant(true))
}

/// `a * b`.
pub fn multiply(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Made<Vec<Bdd>> {
    debug_assert_eq!(a.len(), b.len(), "factors have one width");
    let width = a.len();
    let mut product = constant(manager, 0, width);
    for (place, digit) in b.iter().enumerate().take(width) {
        if digit.is_false() {
            continue;
        }
        let mut row = constant(manager, 0, place);
        for bit in &a[..width - place] {
            row.push(bit.and(digit)?);
        }
        product = add(&product, &row, manager.constant(false))?;
    }
    Ok(product)
}

/// Quotient and remainder of numbers without sign, digit by digit from the highest. Any result where `b` is zero.
pub fn divide(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Made<(Vec<Bdd>, Vec<Bdd>)> {
    let width = b.len();
    let wide = extend_unsigned(manager, b, width + 1);
    let mut rest = constant(manager, 0, width);
    let mut quotient = Vec::with_capacity(a.len());
    for digit in a.iter().rev() {
        rest.insert(0, digit.clone());
        let fits = less_unsigned(manager, &rest, &wide)?.not();
        let reduced = subtract(manager, &rest, &wide)?;
        rest = ite(&fits, &reduced, &rest)?;
        // Less than b again, so the highest bit is not needed.
        rest.pop();
        quotient.push(fits);
    }
    quotient.reverse();
    debug_assert_eq!(
        (quotient.len(), rest.len()),
        (a.len(), width),
        "quotients are as wide as what is divided"
    );
    Ok((quotient, rest))
}

/// `a = b`.
pub fn equal(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Made<Bdd> {
    debug_assert_eq!(a.len(), b.len(), "operands have one width");
    // The lowest bits are the last in the order, so the conjunction grows from its leaves.
    a.iter().zip(b).try_fold(manager.constant(true), |all, (a, b)| all.and(&a.iff(b)?))
}

/// `a < b` for numbers without sign.
pub fn less_unsigned(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> Made<Bdd> {
    debug_assert_eq!(a.len(), b.len(), "operands have one width");
    a.iter().zip(b).try_fold(manager.constant(false), |less, (a, b)| a.xor(b)?.ite(b, &less))
}

/// `if condition then yes else no`.
pub fn ite(condition: &Bdd, yes: &[Bdd], no: &[Bdd]) -> Made<Vec<Bdd>> {
    debug_assert_eq!(yes.len(), no.len(), "both sides have one width");
    yes.iter().zip(no).map(|(yes, no)| condition.ite(yes, no)).collect()
}

/// Each pair of bits through `operator`.
pub fn zip(a: &[Bdd], b: &[Bdd], operator: impl Fn(&Bdd, &Bdd) -> Made<Bdd>) -> Made<Vec<Bdd>> {
    debug_assert_eq!(a.len(), b.len(), "operands have one width");
    a.iter().zip(b).map(|(a, b)| operator(a, b)).collect()
}

/// Some bit is one.
pub fn any(manager: &Manager, a: &[Bdd]) -> Made<Bdd> {
    a.iter().try_fold(manager.constant(false), |any, bit| any.or(bit))
}

/// The same number without sign in `width` bits, or its lowest bits.
pub fn extend_unsigned(manager: &Manager, a: &[Bdd], width: usize) -> Vec<Bdd> {
    let zeros = std::iter::repeat_with(|| manager.constant(false));
    a.iter().cloned().chain(zeros).take(width).collect()
}

/// The same number in two's complement in `width` bits, or its lowest bits. There is at least one bit.
pub fn extend_signed(a: &[Bdd], width: usize) -> Vec<Bdd> {
    debug_assert!(!a.is_empty(), "there is a sign");
    let signs = std::iter::repeat(&a[a.len() - 1]);
    a.iter().chain(signs).take(width).cloned().collect()
}

/// The bits moved to higher places by the number `by` without sign.
pub fn shift_up(manager: &Manager, a: &[Bdd], by: &[Bdd]) -> Made<Vec<Bdd>> {
    let mut shifted = a.to_vec();
    for (stage, digit) in by.iter().enumerate() {
        let distance = distance(stage, a.len());
        let mut moved = constant(manager, 0, distance);
        moved.extend_from_slice(&shifted[..a.len() - distance]);
        shifted = ite(digit, &moved, &shifted)?;
    }
    Ok(shifted)
}

/// The bits moved to lower places by the number `by` without sign, with `fill` from above.
pub fn shift_down(a: &[Bdd], by: &[Bdd], fill: &Bdd) -> Made<Vec<Bdd>> {
    let mut shifted = a.to_vec();
    for (stage, digit) in by.iter().enumerate() {
        let distance = distance(stage, a.len());
        let mut moved = shifted[distance..].to_vec();
        moved.resize(a.len(), fill.clone());
        shifted = ite(digit, &moved, &shifted)?;
    }
    Ok(shifted)
}

/// How far bit number `stage` of a distance moves, at most the whole width.
fn distance(stage: usize, width: usize) -> usize {
    if stage < 16 { (1usize << stage).min(width) } else { width }
}
