//! Named counters of a run, in the order in which they were first set. Nothing here prints.

/// What a run counted. Names are stable words such as `states` or `game vertices`; values are exact counts, never times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    entries: Vec<(&'static str, u64)>,
}

impl Statistics {
    /// Sets a counter.
    pub fn set(&mut self, name: &'static str, value: impl TryInto<u64>) {
        *self.entry(name) = value.try_into().unwrap_or(u64::MAX);
    }

    /// Adds to a counter.
    pub fn add(&mut self, name: &'static str, value: impl TryInto<u64>) {
        let entry = self.entry(name);
        *entry = entry.saturating_add(value.try_into().unwrap_or(u64::MAX));
    }

    /// The value of a counter, if it was set.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.entries.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }

    /// All counters, in order of first use.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.entries.iter().copied()
    }

    /// Adds all counters of another part of the run.
    pub fn absorb(&mut self, other: &Statistics) {
        other.iter().for_each(|(name, value)| self.add(name, value));
    }

    fn entry(&mut self, name: &'static str) -> &mut u64 {
        let at = self.entries.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            self.entries.push((name, 0));
            self.entries.len() - 1
        });
        &mut self.entries[at].1
    }
}

#[cfg(test)]
mod tests {
    use super::Statistics;

    #[test]
    fn absorbing_adds_counter_by_counter() {
        let mut all = Statistics::default();
        all.set("states", 3usize);
        let mut part = Statistics::default();
        part.add("states", 4usize);
        part.add("edges", 1usize);
        all.absorb(&part);
        assert_eq!(all.iter().collect::<Vec<_>>(), [("states", 7), ("edges", 1)]);
    }
}
