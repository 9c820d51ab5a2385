//! Places of bits in the words of a state.
//!
//! Every place has as many bits as asked for and lies within one word: the first word with room for it. So the words of
//! a state are few, and a value is read and written by a shift and a mask.

/// Where some bits of a state are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordPlace {
    word: usize,
    shift: u32,
    mask: u64,
}

impl WordPlace {
    /// The bits that are there.
    #[inline]
    pub fn get(&self, words: &[u64]) -> u64 {
        if self.mask == 0 { 0 } else { words[self.word] >> self.shift & self.mask }
    }

    /// Puts bits there.
    #[inline]
    pub fn set(&self, words: &mut [u64], bits: u64) {
        debug_assert_eq!(bits & !self.mask, 0, "the bits fit into their place");
        if self.mask != 0 {
            let word = &mut words[self.word];
            *word = *word & !(self.mask << self.shift) | bits << self.shift;
        }
    }

    /// The word, and the bits of it that belong to the place.
    pub fn bits(&self) -> (usize, u64) {
        (self.word, self.mask << self.shift)
    }
}

/// Gives out places, each in the first word that has room.
#[derive(Clone, Debug, Default)]
pub struct WordPlaces {
    /// How many bits of each word are taken.
    taken: Vec<u32>,
}

impl WordPlaces {
    /// A place of so many bits, at most 64.
    pub fn add(&mut self, bits: u32) -> WordPlace {
        assert!(bits <= u64::BITS, "a place lies within one word");
        if bits == 0 {
            return WordPlace { word: 0, shift: 0, mask: 0 };
        }
        let room = self.taken.iter().position(|&taken| taken + bits <= u64::BITS);
        let word = room.unwrap_or(self.taken.len());
        if word == self.taken.len() {
            self.taken.push(0);
        }
        let shift = self.taken[word];
        self.taken[word] += bits;
        WordPlace { word, shift, mask: u64::MAX >> (u64::BITS - bits) }
    }

    /// How many words there are.
    pub fn n_words(&self) -> usize {
        self.taken.len()
    }

    /// How many bits of each word are taken, the lowest ones.
    pub fn taken(&self) -> &[u32] {
        &self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::Rng;

    #[test]
    fn places_do_not_touch_each_other() {
        let mut rng = Rng::seeded(7);
        let mut places = WordPlaces::default();
        let all: Vec<(u32, WordPlace)> = (0..200)
            .map(|_| {
                let bits = rng.below(65) as u32;
                (bits, places.add(bits))
            })
            .collect();
        let mut words = vec![u64::MAX; places.n_words()];
        let value = |n: usize, bits: u32| match bits {
            0 => 0,
            bits => (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits),
        };
        for (n, (bits, place)) in all.iter().enumerate() {
            place.set(&mut words, value(n, *bits));
        }
        for (n, (bits, place)) in all.iter().enumerate() {
            assert_eq!(place.get(&words), value(n, *bits));
        }
        let bits: u32 = all.iter().map(|(bits, _)| bits).sum();
        assert_eq!(places.taken().iter().sum::<u32>(), bits);
    }
}
