//! Numbers in the words of a state: the one way in which values of every language are packed.
//!
//! A language says which numbers its values are, see [`Numbers`], and gets places for them. Every place has as many bits
//! as the numbers need and lies within one word: the first word with room for it. So the words of a state are few, and a
//! number is read and written by a shift and a mask. Many numbers of one kind, as the elements of an array are, make a
//! row: they lie side by side, so that the place of each is computed from its index.
//!
//! Adding a place costs one step, however many there are: for each number of bits it is known where room may be.

/// Some numbers that follow each other, and how many bits are kept for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    low: i64,
    /// How far the last one is from the first.
    last: u64,
    bits: u8,
}

impl Numbers {
    /// The numbers from one to another, both included.
    pub fn between(low: i64, high: i64) -> Self {
        debug_assert!(low <= high, "a range is not empty");
        let last = high.wrapping_sub(low) as u64;
        Self { low, last, bits: (u64::BITS - last.leading_zeros()) as u8 }
    }

    /// Bit-vectors of this width, which is at most 64: their bits as numbers with 64 bits.
    pub fn bit_vectors(width: u32) -> Self {
        match width {
            u64::BITS => Self::between(i64::MIN, i64::MAX),
            _ => Self::between(0, (u64::MAX >> (u64::BITS - width)) as i64),
        }
    }

    /// All numbers of 64 bits but the least ones, of which there are `spare`: so many values of a word are free for
    /// something else, see [`NumberPlace::spare`].
    pub const fn all_but(spare: u64) -> Self {
        assert!(spare > 0 && spare < 1 << 63, "some are left out, not many");
        Self { low: i64::MIN.wrapping_add_unsigned(spare), last: u64::MAX - spare, bits: u64::BITS as u8 }
    }

    /// The least one.
    #[inline]
    pub fn low(&self) -> i64 {
        self.low
    }

    /// The greatest one.
    #[inline]
    pub fn high(&self) -> i64 {
        self.low.wrapping_add(self.last as i64)
    }

    /// How many bits are kept for one.
    #[inline]
    pub fn bits(&self) -> u32 {
        self.bits.into()
    }

    /// Whether a place for them may hold something else.
    #[inline]
    pub fn has_spare(&self) -> bool {
        u32::from(self.bits) == u64::BITS && self.last != u64::MAX
    }

    /// The bits of a number; nothing if it is none of these.
    #[inline]
    pub fn raw_of(&self, number: i64) -> Option<u64> {
        let raw = number.wrapping_sub(self.low) as u64;
        (raw <= self.last).then_some(raw)
    }

    /// The number that bits stand for; nothing if they stand for something else.
    #[inline]
    pub fn number_of(&self, raw: u64) -> Option<i64> {
        (raw <= self.last).then(|| self.low.wrapping_add(raw as i64))
    }
}

/// Where some bits of a state are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordPlace {
    word: u32,
    /// How many bits of the word are above it.
    above: u8,
    /// How many bits of the word do not belong to it.
    others: u8,
}

impl WordPlace {
    fn new(word: usize, shift: u32, bits: u32) -> Self {
        Self { word: word as u32, above: (u64::BITS - bits - shift) as u8, others: (u64::BITS - bits) as u8 }
    }

    /// How many bits it has.
    #[inline]
    pub fn bits(&self) -> u32 {
        u64::BITS - u32::from(self.others)
    }

    /// The bits that are there.
    #[inline]
    pub fn get(&self, words: &[u64]) -> u64 {
        if self.bits() == 0 { 0 } else { self.get_some(words) }
    }

    /// The same for a place that has bits.
    #[inline]
    pub fn get_some(&self, words: &[u64]) -> u64 {
        words[self.word as usize] << self.above >> self.others
    }

    /// Puts bits there.
    #[inline]
    pub fn set(&self, words: &mut [u64], bits: u64) {
        if self.bits() != 0 {
            debug_assert_eq!(bits & !(u64::MAX >> self.others), 0, "the bits fit into their place");
            let word = &mut words[self.word as usize];
            *word = *word & !self.mask() | bits << (self.others - self.above);
        }
    }

    /// The word that it lies in.
    #[inline]
    pub fn word(&self) -> usize {
        self.word as usize
    }

    /// The bits of the word that belong to it.
    #[inline]
    pub fn mask(&self) -> u64 {
        if self.bits() == 0 { 0 } else { u64::MAX << self.others >> self.above }
    }
}

/// Where a number of a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberPlace {
    /// The bits.
    pub place: WordPlace,
    /// The numbers that may be there.
    pub numbers: Numbers,
}

impl NumberPlace {
    /// The number that is there; nothing if it is something else.
    #[inline]
    pub fn get(&self, words: &[u64]) -> Option<i64> {
        self.numbers.number_of(self.place.get(words))
    }

    /// Puts a number there. False if it is none that may be there, and then nothing is changed.
    #[inline]
    pub fn set(&self, words: &mut [u64], number: i64) -> bool {
        let raw = self.numbers.raw_of(number);
        if let Some(raw) = raw {
            self.place.set(words, raw);
        }
        raw.is_some()
    }

    /// What is there if it is none of the numbers: which one of the spare values.
    pub fn spare(&self, words: &[u64]) -> Option<u64> {
        self.place.get(words).checked_sub(self.numbers.last)?.checked_sub(1)
    }

    /// Puts one of the spare values there.
    pub fn set_spare(&self, words: &mut [u64], spare: u64) {
        debug_assert!(self.numbers.has_spare(), "no value is spare");
        debug_assert!(spare < u64::MAX - self.numbers.last, "there are fewer spare values");
        self.place.set(words, self.numbers.last + 1 + spare);
    }
}

/// Where many numbers of one kind are, side by side. They may fill several words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberRow {
    /// The place of the first.
    first: WordPlace,
    /// So many are in a word.
    per_word: u32,
    len: u32,
    numbers: Numbers,
}

impl NumberRow {
    /// How many numbers there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The numbers that may be there.
    #[inline]
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The place of one of them.
    #[inline]
    pub fn at(&self, index: usize) -> NumberPlace {
        debug_assert!(index < self.len(), "there are fewer");
        let (words, within) = (index as u32 / self.per_word, index as u32 % self.per_word);
        let above = self.first.above - within as u8 * self.first.bits() as u8;
        let place = WordPlace { word: self.first.word + words, above, ..self.first };
        NumberPlace { place, numbers: self.numbers }
    }
}

/// Gives out places, each in the first word that has room.
#[derive(Clone, Debug)]
pub struct WordPlaces {
    /// How many bits of each word are taken.
    taken: Vec<u32>,
    /// By the number of bits: before this word there is no room. What has none for so many bits never has again.
    first: [usize; u64::BITS as usize + 1],
}

impl Default for WordPlaces {
    fn default() -> Self {
        Self::after(Vec::new())
    }
}

impl WordPlaces {
    /// Places beside the lowest bits of the first words, of which so many are taken.
    pub fn after(taken: Vec<u32>) -> Self {
        debug_assert!(taken.iter().all(|&taken| taken <= u64::BITS), "a word has 64 bits");
        Self { taken, first: [0; u64::BITS as usize + 1] }
    }

    /// A place of so many bits, at most 64.
    pub fn add(&mut self, bits: u32) -> WordPlace {
        assert!(bits <= u64::BITS, "a place lies within one word");
        if bits == 0 {
            return WordPlace::new(0, 0, 0);
        }
        let word = &mut self.first[bits as usize];
        while self.taken.get(*word).is_some_and(|&taken| taken + bits > u64::BITS) {
            *word += 1;
        }
        let word = *word;
        if word == self.taken.len() {
            self.taken.push(0);
        }
        debug_assert!(self.taken[word] + bits <= u64::BITS, "the word has room");
        let place = WordPlace::new(word, self.taken[word], bits);
        self.taken[word] += bits;
        place
    }

    /// A place for a number.
    pub fn number(&mut self, numbers: Numbers) -> NumberPlace {
        NumberPlace { place: self.add(numbers.bits()), numbers }
    }

    /// Places for so many numbers side by side: within a word if they fit there, else in words of their own.
    pub fn row(&mut self, numbers: Numbers, len: usize) -> NumberRow {
        assert!(u32::try_from(len).is_ok(), "so many numbers do not fit into memory");
        // Numbers without bits have places, too.
        let bits = numbers.bits().max(1);
        let per_word = u64::BITS / bits;
        let (word, shift) = if len <= per_word as usize {
            let all = self.add(len as u32 * bits);
            (all.word(), u32::from(all.others - all.above))
        } else {
            let word = self.taken.len();
            self.taken.resize(word + len / per_word as usize, per_word * bits);
            let rest = (len % per_word as usize) as u32 * bits;
            self.taken.extend((rest > 0).then_some(rest));
            (word, 0)
        };
        let first = WordPlace::new(word, shift, bits);
        debug_assert!(
            len == 0 || word + Self::words_of_row(numbers, len) <= self.n_words(),
            "the words of the row were given out"
        );
        NumberRow { first, per_word, len: len as u32, numbers }
    }

    /// How many words such a row would fill, if it began a word.
    pub fn words_of_row(numbers: Numbers, len: usize) -> usize {
        len.div_ceil((u64::BITS / numbers.bits().max(1)) as usize)
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
        let (mut all, mut n_bits): (Vec<NumberPlace>, u32) = Default::default();
        for _ in 0..200 {
            let numbers = match rng.below(65) {
                0 => Numbers::between(-7, -7),
                64 if rng.chance(0.5) => Numbers::all_but(1 << 32),
                width => Numbers::bit_vectors(width as u32),
            };
            match rng.chance(0.8) {
                true => all.push(places.number(numbers)),
                false => {
                    let row = places.row(numbers, rng.below(40));
                    all.extend((0..row.len()).map(|at| row.at(at)));
                }
            }
        }
        let mut words = vec![u64::MAX; places.n_words()];
        let value = |n: usize, of: &NumberPlace| match of.place.bits() {
            0 => 0,
            bits => (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits),
        };
        for (n, own) in all.iter().enumerate() {
            let raw = value(n, own).min(own.numbers.last);
            assert!(own.set(&mut words, own.numbers.low().wrapping_add(raw as i64)));
            n_bits += own.place.bits();
        }
        for (n, own) in all.iter().enumerate() {
            let raw = value(n, own).min(own.numbers.last);
            assert_eq!(own.get(&words), Some(own.numbers.low().wrapping_add(raw as i64)), "{own:?}");
        }
        let taken: u32 = places.taken().iter().sum();
        assert!(taken >= n_bits && taken <= n_bits + 64, "{taken} for {n_bits}");
    }

    #[test]
    fn numbers_know_their_ends_and_what_is_spare() {
        for (low, high, bits) in
            [(0, 0, 0), (-3, 4, 3), (0, 8, 4), (i64::MIN, i64::MAX, 64), (i64::MIN, -1, 63)]
        {
            let numbers = Numbers::between(low, high);
            assert_eq!((numbers.low(), numbers.high(), numbers.bits()), (low, high, bits));
            assert!(!numbers.has_spare());
            assert_eq!(numbers.raw_of(low), Some(0));
            assert!(low == i64::MIN || numbers.raw_of(low - 1).is_none());
            assert!(high == i64::MAX || numbers.raw_of(high + 1).is_none());
        }
        let most = Numbers::all_but(4);
        let own = WordPlaces::default().number(most);
        let mut words = [0];
        assert!(own.set(&mut words, -1) && own.get(&words) == Some(-1) && own.spare(&words).is_none());
        assert!(own.set(&mut words, i64::MIN + 4) && !own.set(&mut words, i64::MIN + 3));
        for spare in 0..4 {
            own.set_spare(&mut words, spare);
            assert_eq!((own.get(&words), own.spare(&words)), (None, Some(spare)));
        }
    }
}
