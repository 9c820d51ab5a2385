//! Counting the points of a set.
//!
//! Exact while the number fits 128 bits, and as a binary logarithm always. Both marks of a node are counted separately: every
//! intermediate number is then at most the final one, so nothing overflows that need not. Cost: one step for each node and
//! mark.

use crate::bdd::Bdd;
use crate::edge::{Edge, FALSE, TRUE};
use crate::store::{BOTTOM, Store, Var};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::fmt;

/// A number of points, which may be very large.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// The number itself, if it fits.
    exact: Option<u128>,
    /// Its binary logarithm; minus infinity for 0.
    log2: f64,
}

impl Count {
    const ZERO: Self = Self { exact: Some(0), log2: f64::NEG_INFINITY };
    const ONE: Self = Self { exact: Some(1), log2: 0.0 };

    /// The number, if it fits 128 bits.
    pub fn exact(self) -> Option<u128> {
        self.exact
    }

    /// The binary logarithm of the number, minus infinity for 0.
    pub fn log2(self) -> f64 {
        self.log2
    }

    fn plus(self, other: Self) -> Self {
        let (less, more) =
            if self.log2 < other.log2 { (self.log2, other.log2) } else { (other.log2, self.log2) };
        let log2 = if less == f64::NEG_INFINITY {
            more
        } else {
            more + (less - more).exp2().ln_1p() / std::f64::consts::LN_2
        };
        Self { exact: self.exact.zip(other.exact).and_then(|(x, y)| x.checked_add(y)), log2 }
    }

    /// Times 2^n.
    fn doubled(self, n: u32) -> Self {
        let shift = |x: u128| {
            if x == 0 { Some(0) } else { 1u128.checked_shl(n).and_then(|power| x.checked_mul(power)) }
        };
        Self { exact: self.exact.and_then(shift), log2: self.log2 + f64::from(n) }
    }
}

impl PartialEq for Count {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Count {}

impl PartialOrd for Count {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Count {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.exact, other.exact) {
            (Some(x), Some(y)) => x.cmp(&y),
            // What does not fit is larger than what does.
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.log2.total_cmp(&other.log2),
        }
    }
}

/// All digits if the number fits 128 bits, else like `1.234e56`; a precision sets the digits after the point.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(exact) = self.exact {
            return f.pad_integral(true, "", &exact.to_string());
        }
        let log10 = self.log2 * std::f64::consts::LOG10_2;
        let digits = f.precision().unwrap_or(3);
        let mantissa = format!("{:.digits$}", 10f64.powf(log10.fract()));
        // Rounding may have made it 10.
        let text = if mantissa.starts_with("10") {
            format!("{:.digits$}e{}", 1.0, log10.trunc() + 1.0)
        } else {
            format!("{mantissa}e{}", log10.trunc())
        };
        f.pad_integral(true, "", &text)
    }
}

impl Bdd {
    /// How many assignments to `vars` satisfy the function, which must depend on no other variables.
    pub fn count(&self, vars: &[Var]) -> Count {
        debug_assert!(self.support().iter().all(|var| vars.contains(var)), "a variable is not counted");
        let store = self.manager.0.borrow();
        let mut levels: Vec<u32> = vars.iter().map(|var| store.level_of[var.index()]).collect();
        levels.sort_unstable();
        levels.dedup();
        debug_assert_eq!(levels.len(), vars.len(), "a variable is counted once");
        let mut counting = Counting { store: &store, levels, known: FxHashMap::default() };
        let below = counting.count(self.edge);
        below.doubled(counting.rank(self.edge))
    }
}

struct Counting<'s> {
    store: &'s Store,
    /// The levels of the counted variables.
    levels: Vec<u32>,
    known: FxHashMap<Edge, Count>,
}

impl Counting<'_> {
    /// How many counted variables lie above the edge.
    fn rank(&self, edge: Edge) -> u32 {
        let level = self.store.level(edge);
        if level == BOTTOM {
            self.levels.len() as u32
        } else {
            self.levels.partition_point(|&other| other < level) as u32
        }
    }

    /// The number of assignments to the counted variables at and below the edge.
    fn count(&mut self, edge: Edge) -> Count {
        if edge == TRUE {
            return Count::ONE;
        }
        if edge == FALSE {
            return Count::ZERO;
        }
        if let Some(&known) = self.known.get(&edge) {
            return known;
        }
        let below = self.rank(edge) + 1;
        let (low, high) = self.store.children(edge);
        let mut side = |child: Edge| self.count(child).doubled(self.rank(child) - below);
        let (low, high) = (side(low), side(high));
        let sum = low.plus(high);
        self.known.insert(edge, sum);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_print_all_digits_while_they_fit_and_a_power_of_ten_beyond() {
        let power = |n| Count::ONE.doubled(n);
        assert_eq!(power(70).to_string(), "1180591620717411303424");
        assert_eq!(power(127).exact(), Some(1 << 127));
        assert_eq!(power(128).exact(), None);
        assert_eq!(power(128).to_string(), "3.403e38");
        assert_eq!(format!("{:.1}", power(400)), "2.6e120");
        assert_eq!(Count::ZERO.doubled(500).to_string(), "0");
        assert!((power(1000).plus(power(1000)).log2() - 1001.0).abs() < 1e-9);
    }

    #[test]
    fn what_does_not_fit_is_larger_than_what_does() {
        let power = |n| Count::ONE.doubled(n);
        assert!(power(128) > power(127) && power(129) > power(128) && power(3) > power(2));
        assert_eq!(power(300), power(300));
        assert!(power(127).plus(power(127)).exact().is_none());
    }
}
