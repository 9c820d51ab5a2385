//! Random formulas of linear time, of a given size, over given propositions.

use tertium_logic::{Ltl, LtlBinary, LtlKind, LtlUnary};
use tertium_support::Rng;

const UNARY: [LtlUnary; 8] = [
    LtlUnary::Not,
    LtlUnary::Next,
    LtlUnary::Finally,
    LtlUnary::Globally,
    LtlUnary::Previous,
    LtlUnary::WeakPrevious,
    LtlUnary::Once,
    LtlUnary::Historically,
];
const BINARY: [LtlBinary; 9] = [
    LtlBinary::And,
    LtlBinary::Or,
    LtlBinary::Xor,
    LtlBinary::Implies,
    LtlBinary::Iff,
    LtlBinary::Until,
    LtlBinary::Releases,
    LtlBinary::Since,
    LtlBinary::Triggered,
];

/// A random formula of exactly this size, at least 1. There is at least one proposition.
pub fn random_ltl(rng: &mut Rng, propositions: &[&str], size: usize) -> Ltl {
    match size {
        0 | 1 if rng.chance(0.06) => {
            if rng.chance(0.5) {
                LtlKind::True.into()
            } else {
                LtlKind::False.into()
            }
        }
        0 | 1 => Ltl::proposition(*rng.pick(propositions)),
        2 => Ltl::unary(*rng.pick(&UNARY), random_ltl(rng, propositions, 1)),
        _ if rng.chance(0.5) => Ltl::unary(*rng.pick(&UNARY), random_ltl(rng, propositions, size - 1)),
        _ => {
            let left = rng.between(1, size - 2);
            let (left, right) =
                (random_ltl(rng, propositions, left), random_ltl(rng, propositions, size - 1 - left));
            Ltl::binary(*rng.pick(&BINARY), left, right)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_cases;

    #[test]
    fn random_formulas_have_the_size_asked_for() {
        random_cases(200, |rng| {
            let size = rng.between(1, 12);
            assert_eq!(random_ltl(rng, &["a", "b"], size).size(), size);
        });
    }
}
