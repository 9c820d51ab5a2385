//! Transitions by the location that they leave from.

use crate::packed::Layout;
use tertium_program::{LocId, Locations};
use tertium_support::Id;

/// A control variable whose values are locations.
#[derive(Clone, Copy, Debug)]
struct Counter {
    variable: usize,
    /// Its first value as a number.
    low: i64,
    /// The location of that value.
    first: usize,
}

/// The transitions of each location.
#[derive(Clone, Debug)]
pub(crate) struct Edges {
    counters: Vec<Counter>,
    /// Where those of each location begin; one more at the end.
    starts: Vec<u32>,
    /// By source, in order.
    transitions: Vec<u32>,
}

impl Edges {
    /// The transitions with these sources, without those that are not possible anywhere.
    pub(crate) fn new(
        locations: &Locations,
        layout: &Layout,
        sources: impl Iterator<Item = LocId>,
        possible: &[u64],
    ) -> Self {
        let sources: Vec<(usize, u32)> = sources
            .zip(0u32..)
            .filter(|&(_, n)| possible[n as usize / 64] >> (n % 64) & 1 == 1)
            .map(|(source, n)| (source.index(), n))
            .collect();
        let mut starts = vec![0; locations.len() + 1];
        sources.iter().for_each(|&(source, _)| starts[source + 1] += 1);
        (0..locations.len()).for_each(|n| starts[n + 1] += starts[n]);
        let mut ordered = sources;
        ordered.sort_unstable();
        let counters = locations.counters().iter().map(|counter| Counter {
            variable: counter.variable.index(),
            low: layout.field(counter.variable.index()).base(),
            first: counter.first.index(),
        });
        let transitions = ordered.into_iter().map(|(_, transition)| transition).collect();
        Self { counters: counters.collect(), starts, transitions }
    }

    /// The transitions that leave from the locations of a state with these values.
    #[inline]
    pub(crate) fn at(&self, values: &[i64]) -> impl Iterator<Item = &u32> {
        let own = self
            .counters
            .iter()
            .map(|counter| counter.first + values[counter.variable].abs_diff(counter.low) as usize);
        let locations = [LocId::ANYWHERE.index()].into_iter().chain(own);
        locations.flat_map(|n| &self.transitions[self.starts[n] as usize..self.starts[n + 1] as usize])
    }
}
