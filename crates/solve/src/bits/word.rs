//! Circuits on bit-vectors, the lowest bit first.
//!
//! Sums and comparisons are chains of gates, linear in the width. Products and quotients are the ones of school,
//! quadratic in it: a product adds shifted copies, a quotient subtracts the divisor wherever it goes. With a divisor of
//! zero that gives what SMT-LIB demands: all ones, and the dividend as the remainder.

use super::gates::Gates;
use crate::sat::Literal;
use tertium_expr::BitOperation;

/// Bits, the lowest first.
pub(super) type Word = Vec<Literal>;

impl Gates {
    /// A bit-vector with a known value.
    pub(super) fn word(&self, width: u32, value: u128) -> Word {
        (0..width).map(|at| self.constant(value >> at & 1 == 1)).collect()
    }

    /// The sum of two words of one width and a carry, without the carry out.
    pub(super) fn add(&mut self, a: &[Literal], b: &[Literal], mut carry: Literal) -> Word {
        debug_assert_eq!(a.len(), b.len(), "summands have one width");
        let mut sum = Word::with_capacity(a.len());
        for (at, (&x, &y)) in a.iter().zip(b).enumerate() {
            sum.push(self.odd(x, y, carry));
            if at + 1 < a.len() {
                carry = self.majority(x, y, carry);
            }
        }
        sum
    }

    pub(super) fn subtract(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        let b: Word = b.iter().map(|&bit| !bit).collect();
        self.add(a, &b, self.constant(true))
    }

    pub(super) fn negate(&mut self, a: &[Literal]) -> Word {
        let zero = vec![self.constant(false); a.len()];
        self.subtract(&zero, a)
    }

    /// The product modulo two to the width.
    pub(super) fn multiply(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        debug_assert_eq!(a.len(), b.len(), "factors have one width");
        let width = a.len();
        let none = self.constant(false);
        let mut product = vec![none; width];
        for (at, &bit) in b.iter().enumerate() {
            if self.known(bit) == Some(false) {
                continue;
            }
            let row: Word = a[..width - at].iter().map(|&x| self.and(x, bit)).collect();
            let upper = self.add(&product[at..], &row, none);
            product.truncate(at);
            product.extend(upper);
        }
        product
    }

    /// Whether the first is less, as unsigned numbers.
    pub(super) fn less(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        debug_assert_eq!(a.len(), b.len(), "only words of one width are in order");
        let mut less = self.constant(false);
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            less = self.choose(differ, y, less);
        }
        less
    }

    pub(super) fn equal(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        debug_assert_eq!(a.len(), b.len(), "only words of one width are compared");
        let bits: Word = a.iter().zip(b).map(|(&x, &y)| self.iff(x, y)).collect();
        self.all(bits)
    }

    pub(super) fn choose_word(&mut self, condition: Literal, yes: &[Literal], no: &[Literal]) -> Word {
        debug_assert_eq!(yes.len(), no.len(), "both sides have one width");
        yes.iter().zip(no).map(|(&yes, &no)| self.choose(condition, yes, no)).collect()
    }

    /// Quotient and remainder of unsigned numbers.
    fn divide(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        debug_assert_eq!(a.len(), b.len(), "dividend and divisor have one width");
        let width = a.len();
        let none = self.constant(false);
        // One bit more, for what is shifted in before the divisor is taken away.
        let divisor: Word = b.iter().copied().chain([none]).collect();
        let mut rest = vec![none; width];
        let mut quotient = vec![none; width];
        for at in (0..width).rev() {
            let shifted: Word = [a[at]].into_iter().chain(rest).collect();
            let fits = !self.less(&shifted, &divisor);
            let reduced = self.subtract(&shifted, &divisor);
            rest = self.choose_word(fits, &reduced[..width], &shifted[..width]);
            quotient[at] = fits;
        }
        (quotient, rest)
    }

    /// The number without its sign, as an unsigned one.
    fn magnitude(&mut self, a: &[Literal]) -> Word {
        let negated = self.negate(a);
        self.choose_word(*a.last().expect("words have bits"), &negated, a)
    }

    fn divide_signed(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        let (sign_a, sign_b) = (*a.last().expect("words have bits"), *b.last().expect("words have bits"));
        let (positive_a, positive_b) = (self.magnitude(a), self.magnitude(b));
        let (quotient, rest) = self.divide(&positive_a, &positive_b);
        let differ = self.xor(sign_a, sign_b);
        let negated = self.negate(&quotient);
        let quotient = self.choose_word(differ, &negated, &quotient);
        let negated = self.negate(&rest);
        (quotient, self.choose_word(sign_a, &negated, &rest))
    }

    /// The bits `by` places below, and `fill` where there are none; with `upwards`, above.
    fn shift(&mut self, a: &[Literal], by: &[Literal], fill: Literal, upwards: bool) -> Word {
        let width = a.len();
        let mut shifted = a.to_vec();
        for (stage, &bit) in by.iter().enumerate() {
            let distance = 1usize.checked_shl(u32::try_from(stage).unwrap_or(u32::MAX)).unwrap_or(usize::MAX);
            let moved: Word = (0..width)
                .map(|at| {
                    let from = if upwards {
                        at.checked_sub(distance)
                    } else {
                        at.checked_add(distance).filter(|&from| from < width)
                    };
                    from.map_or(fill, |from| shifted[from])
                })
                .collect();
            shifted = self.choose_word(bit, &moved, &shifted);
        }
        shifted
    }

    /// The word with its sign turned: signed numbers are in the order that their turned words have as unsigned ones.
    fn turned(a: &[Literal]) -> Word {
        let mut turned = a.to_vec();
        if let Some(sign) = turned.last_mut() {
            *sign = !*sign;
        }
        turned
    }

    /// The result of an operation; a truth value is a word of one bit.
    pub(super) fn operate(&mut self, operation: BitOperation, operands: &[Word]) -> Word {
        use BitOperation::*;
        let a = &operands[0][..];
        let b = operands.get(1).map_or(&[][..], |word| &word[..]);
        let none = self.constant(false);
        debug_assert!(
            operands.len() == 1 || operation == Concatenate || a.len() == b.len(),
            "operands have one width"
        );
        match operation {
            Add => self.add(a, b, none),
            Subtract => self.subtract(a, b),
            Multiply => self.multiply(a, b),
            DivideUnsigned => self.divide(a, b).0,
            RemainderUnsigned => self.divide(a, b).1,
            DivideSigned => self.divide_signed(a, b).0,
            RemainderSigned => self.divide_signed(a, b).1,
            Not => a.iter().map(|&bit| !bit).collect(),
            And => a.iter().zip(b).map(|(&x, &y)| self.and(x, y)).collect(),
            Or => a.iter().zip(b).map(|(&x, &y)| self.or(x, y)).collect(),
            Xor => a.iter().zip(b).map(|(&x, &y)| self.xor(x, y)).collect(),
            ShiftLeft => self.shift(a, b, none, true),
            ShiftRight => self.shift(a, b, none, false),
            ShiftRightSigned => self.shift(a, b, *a.last().expect("words have bits"), false),
            Concatenate => b.iter().chain(a).copied().collect(),
            Extract(high, low) => a[low as usize..=high as usize].to_vec(),
            ExtendZeros(more) => a.iter().copied().chain((0..more).map(|_| none)).collect(),
            ExtendSign(more) => {
                let sign = *a.last().expect("words have bits");
                a.iter().copied().chain((0..more).map(|_| sign)).collect()
            }
            LessUnsigned => vec![self.less(a, b)],
            AtMostUnsigned => vec![!self.less(b, a)],
            LessSigned => vec![self.less(&Self::turned(a), &Self::turned(b))],
            AtMostSigned => vec![!self.less(&Self::turned(b), &Self::turned(a))],
        }
    }
}
