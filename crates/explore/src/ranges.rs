//! Values of inputs as small numbers, one combination after the other.
//!
//! The order is that of [`Input::combinations`]: the last input changes first, from its least value to its greatest.

use crate::packed::numbers_of;
use std::ops::RangeInclusive;
use tertium_program::Input;

/// What becomes of the inputs of a transition.
#[derive(Clone, Debug, Default)]
pub(crate) enum Inputs {
    /// There are none.
    #[default]
    None,
    /// All combinations of these are tried.
    Ranges(Vec<RangeInclusive<i64>>),
    /// They have infinitely or too many values.
    Open,
    /// Some values are no small numbers.
    Unable,
}

impl Inputs {
    /// What becomes of these.
    pub(crate) fn of(inputs: &[Input]) -> Self {
        if inputs.is_empty() {
            return Self::None;
        }
        if !Input::are_few(inputs) {
            return Self::Open;
        }
        inputs
            .iter()
            .map(|input| numbers_of(&input.domain).map(|numbers| numbers.low()..=numbers.high()))
            .collect::<Option<_>>()
            .map_or(Self::Unable, Self::Ranges)
    }
}

/// Goes through all combinations of values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Odometer {
    values: Vec<i64>,
    /// Whether the values are those of the next combination.
    ready: bool,
}

impl Odometer {
    /// Begins with the least values.
    pub(crate) fn start(&mut self, ranges: &[RangeInclusive<i64>]) {
        self.values.clear();
        self.values.extend(ranges.iter().map(RangeInclusive::start));
        debug_assert!(ranges.iter().all(|range| !range.is_empty()), "domains are not empty");
        self.ready = true;
    }

    /// The next combination.
    pub(crate) fn next(&mut self, ranges: &[RangeInclusive<i64>]) -> Option<&[i64]> {
        debug_assert_eq!(ranges.len(), self.values.len(), "every range has a value");
        if !self.ready {
            // Back to the least value where the greatest was, from the last one on.
            let at = ranges.iter().zip(&self.values).rposition(|(range, value)| value < range.end())?;
            self.values[at] += 1;
            for (value, range) in self.values.iter_mut().zip(ranges).skip(at + 1) {
                *value = *range.start();
            }
        }
        self.ready = false;
        Some(&self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_combinations_come_in_the_order_of_the_program() {
        let ranges = [0..=1, -1..=1, 5..=5];
        let mut odometer = Odometer::default();
        odometer.start(&ranges);
        let mut found = Vec::new();
        while let Some(values) = odometer.next(&ranges) {
            found.push(values.to_vec());
        }
        let mut right = Vec::new();
        for a in 0..=1 {
            for b in -1..=1 {
                right.push(vec![a, b, 5]);
            }
        }
        assert_eq!(found, right);
    }
}
