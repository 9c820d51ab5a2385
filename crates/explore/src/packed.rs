//! States as words of bits.
//!
//! A variable with finitely many values has a field of as many bits as these need, and no field straddles two words. An
//! integer without bounds has a word. Numbers that do not fit there are kept once in a side table, and the word says
//! which: its smallest values are reserved for that. Arrays, and bit-vectors that are wider than a word, are always kept
//! there, and their field is the place. So every state has exactly one form, and two states are equal iff their words
//! are.
//!
//! Control variables come first, so that the words of a state begin with its control.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;
use tertium_expr::{Enumeration, Value};
use tertium_program::{Domain, Program, Role, State};

/// Words of integers below this are places in the side table.
const LEAST: i64 = i64::MIN + (1 << 32);

/// The places of the side table have so many bits.
const PLACE_BITS: u32 = 32;

/// Values that do not fit into a word, each once.
#[derive(Clone, Debug, Default)]
pub struct Wide(IndexSet<Value, FxBuildHasher>);

impl Wide {
    fn place(&mut self, value: &Value) -> u64 {
        let place = match self.0.get_index_of(value) {
            Some(place) => place,
            None => self.0.insert_full(value.clone()).0,
        };
        assert!(place < 1 << PLACE_BITS, "so many values do not fit into memory");
        place as u64
    }
}

/// What the number in a field means.
#[derive(Clone, Debug)]
enum Meaning {
    Truth,
    Number,
    /// A bit-vector of this width, at most that of a word.
    Bits(u32),
    Constant(Arc<Enumeration>),
    /// The place of a value in the side table.
    Place,
}

/// Where a variable is.
#[derive(Clone, Debug)]
pub struct Field {
    word: usize,
    shift: u32,
    /// As many ones as the field has bits.
    mask: u64,
    /// The value of the field if all its bits are zero.
    base: i64,
    /// The least value.
    low: i64,
    /// The greatest value.
    high: i64,
    /// Whether it is a word of its own, and may say where in the side table its value is.
    open: bool,
    meaning: Meaning,
}

impl Field {
    /// Its bits in a state.
    #[inline]
    pub fn raw(&self, words: &[u64]) -> u64 {
        words[self.word] >> self.shift & self.mask
    }

    #[inline]
    fn set_raw(&self, words: &mut [u64], raw: u64) {
        let word = &mut words[self.word];
        *word = *word & !(self.mask << self.shift) | raw << self.shift;
    }

    /// Sets its value. False if that has no place in it.
    #[inline]
    pub fn set(&self, words: &mut [u64], value: i64) -> bool {
        let fits = self.low <= value && value <= self.high;
        if fits {
            self.set_raw(words, value.wrapping_sub(self.base) as u64);
        }
        fits
    }

    /// The value if all its bits are zero.
    pub(crate) fn base(&self) -> i64 {
        self.base
    }

    /// Its values from the least to the greatest, if there are at most `most`.
    #[inline]
    pub fn values(&self, most: u64) -> Option<std::ops::RangeInclusive<i64>> {
        (!self.open && self.high.abs_diff(self.low) < most).then_some(self.low..=self.high)
    }

    fn value(&self, wide: &Wide, words: &[u64]) -> Value {
        self.value_of(wide, self.raw(words))
    }

    /// The value that bits stand for.
    pub fn value_of(&self, wide: &Wide, raw: u64) -> Value {
        match &self.meaning {
            Meaning::Truth => Value::Bool(raw != 0),
            Meaning::Constant(of) => Value::Constant { of: Arc::clone(of), index: raw as usize },
            Meaning::Number if self.open && (raw as i64) < LEAST => {
                wide.0[(raw as i64).abs_diff(i64::MIN) as usize].clone()
            }
            Meaning::Number => Value::int(self.base.wrapping_add(raw as i64)),
            Meaning::Bits(width) => Value::Bits { width: *width, value: raw.into() },
            Meaning::Place => wide.0[raw as usize].clone(),
        }
    }

    /// The bits for a value of the domain.
    pub fn raw_of(&self, wide: &mut Wide, value: &Value) -> u64 {
        match (&self.meaning, value) {
            (Meaning::Truth, Value::Bool(value)) => u64::from(*value),
            (Meaning::Constant(_), Value::Constant { index, .. }) => *index as u64,
            (Meaning::Bits(_), Value::Bits { value, .. }) => *value as u64,
            (Meaning::Number, Value::Int(number)) => match i64::try_from(number) {
                Ok(small) if self.low <= small && small <= self.high => small.wrapping_sub(self.base) as u64,
                _ => {
                    assert!(self.open, "values are of the domains of their variables");
                    i64::MIN.wrapping_add(wide.place(value) as i64) as u64
                }
            },
            (Meaning::Place, value) => wide.place(value),
            _ => unreachable!("values are of the domains of their variables"),
        }
    }
}

/// Where the variables are, by id.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    fields: Vec<Field>,
    n_words: usize,
    /// The bits of control in the first words.
    control: Vec<u64>,
    /// The control variables.
    control_fields: Vec<usize>,
}

impl Layout {
    /// Finds places for the variables of a program.
    pub fn new(program: &Program) -> Self {
        let mut used: Vec<u32> = Vec::new();
        let mut first = [0; u64::BITS as usize + 1];
        let mut fields: Vec<Option<Field>> = vec![None; program.variables().len()];
        let mut control = Vec::new();
        let of_role = |role| {
            let variables = program.variables().iter().enumerate();
            variables.filter(move |(_, own)| own.role == role)
        };
        for role in [Role::Control, Role::Data] {
            for (n, own) in of_role(role) {
                let Shape { base, low, high, open, bits, meaning } = Shape::of(&own.domain);
                // The first word with room. One that has none for so many bits never has again.
                let word = &mut first[bits as usize];
                while used.get(*word).is_some_and(|&taken| taken + bits > u64::BITS) {
                    *word += 1;
                }
                let word = *word;
                if word == used.len() {
                    used.push(0);
                }
                // A field without bits is nowhere; its shift must be one all the same.
                let shift = if bits == 0 { 0 } else { used[word] };
                let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
                used[word] += bits;
                fields[n] = Some(Field { word, shift, mask, base, low, high, open, meaning });
            }
            if role == Role::Control {
                control =
                    used.iter().map(|&taken| if taken == 64 { u64::MAX } else { (1 << taken) - 1 }).collect();
            }
        }
        let control_fields = of_role(Role::Control).map(|(n, _)| n).collect();
        let fields = fields.into_iter().map(|field| field.expect("every variable has a role")).collect();
        Self { fields, n_words: used.len(), control, control_fields }
    }

    /// How many words a state has.
    #[inline]
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The place of a variable.
    #[inline]
    pub fn field(&self, variable: usize) -> &Field {
        &self.fields[variable]
    }

    /// The bits of control in the first words.
    #[inline]
    pub fn control(&self) -> &[u64] {
        &self.control
    }

    /// The values as small numbers: those of truth values are 0 and 1, those of named ones their places, those of
    /// bit-vectors their bits, those of what is in the side table its place there. False if an integer does not fit.
    #[inline]
    pub fn numbers(&self, words: &[u64], numbers: &mut [i64]) -> bool {
        let mut all = true;
        for (field, number) in self.fields.iter().zip(numbers) {
            let raw = field.raw(words) as i64;
            all &= !field.open || raw >= LEAST;
            *number = raw.wrapping_add(field.base);
        }
        all
    }

    /// A state as words.
    pub fn pack(&self, wide: &mut Wide, state: &State, words: &mut [u64]) {
        words.fill(0);
        for (field, value) in self.fields.iter().zip(&state.0) {
            let raw = field.raw_of(wide, value);
            field.set_raw(words, raw);
        }
    }

    /// The state that words stand for.
    pub fn state(&self, wide: &Wide, words: &[u64]) -> State {
        State(self.fields.iter().map(|field| field.value(wide, words)).collect())
    }

    /// The control of words, or of the words of a key.
    pub fn control_of(&self, wide: &Wide, words: &[u64]) -> Box<[Value]> {
        self.control_fields.iter().map(|&n| self.fields[n].value(wide, words)).collect()
    }
}

/// What a field looks like, apart from where it is.
struct Shape {
    base: i64,
    low: i64,
    high: i64,
    open: bool,
    bits: u32,
    meaning: Meaning,
}

impl Shape {
    fn of(domain: &Domain) -> Self {
        match domain {
            Domain::Bool => Self::counted(0, 1, Meaning::Truth),
            Domain::Enumeration(of) => {
                Self::counted(0, of.values.len() as i64 - 1, Meaning::Constant(Arc::clone(of)))
            }
            Domain::Int => Self::open(),
            Domain::Range(low, high) => match (i64::try_from(low), i64::try_from(high)) {
                // The least numbers are reserved in words, and a field with all 64 bits would be no smaller.
                (Ok(low), Ok(high)) if high.abs_diff(low) < 1 << 63 => {
                    Self::counted(low, high, Meaning::Number)
                }
                _ => Self::open(),
            },
            &Domain::Bits(width) if width < u64::BITS => {
                Self::counted(0, (1 << width) - 1, Meaning::Bits(width))
            }
            &Domain::Bits(width) if width == u64::BITS => Self {
                base: 0,
                low: i64::MIN,
                high: i64::MAX,
                open: false,
                bits: width,
                meaning: Meaning::Bits(width),
            },
            Domain::Bits(_) | Domain::Array(..) => Self::counted(0, (1 << PLACE_BITS) - 1, Meaning::Place),
        }
    }

    /// Numbers from one to another.
    fn counted(low: i64, high: i64, meaning: Meaning) -> Self {
        let bits = u64::BITS - high.abs_diff(low).leading_zeros();
        Self { base: low, low, high, open: false, bits, meaning }
    }

    /// Integers that may have no place in a word.
    fn open() -> Self {
        Self { base: 0, low: LEAST, high: i64::MAX, open: true, bits: u64::BITS, meaning: Meaning::Number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_expr::{BigInt, Terms};
    use tertium_support::Span;

    fn program(domains: Vec<(Role, Domain)>) -> Program {
        let mut program = Program::new(Terms::new());
        for (n, (role, domain)) in domains.into_iter().enumerate() {
            program.add_variable(&format!("v{n}"), domain, role, Span::default());
        }
        program
    }

    fn range(low: impl Into<BigInt>, high: impl Into<BigInt>) -> Domain {
        Domain::Range(low.into(), high.into())
    }

    #[test]
    fn small_domains_share_a_word_and_control_comes_first() {
        let colours =
            Arc::new(Enumeration { name: "c".into(), values: vec!["r".into(), "g".into(), "b".into()] });
        let program = program(vec![
            (Role::Data, range(-3, 4)),
            (Role::Control, Domain::Enumeration(Arc::clone(&colours))),
            (Role::Data, Domain::Bool),
            (Role::Data, range(7, 7)),
            (Role::Data, Domain::Int),
            (Role::Control, range(0, 9)),
        ]);
        let layout = Layout::new(&program);
        assert_eq!((layout.n_words(), layout.control()), (2, &[0b11_1111][..]));
        let green = Value::Constant { of: colours, index: 1 };
        let values = [Value::int(-2), green, Value::Bool(true), Value::int(7), Value::int(-1), Value::int(9)];
        let state = State(values.into());
        let (mut wide, mut words, mut numbers) = (Wide::default(), [9; 2], [0; 6]);
        layout.pack(&mut wide, &state, &mut words);
        assert_eq!(words, [0b10_0110_0101, u64::MAX]);
        assert_eq!(layout.state(&wide, &words), state);
        assert_eq!(*layout.control_of(&wide, &words), [state.0[1].clone(), Value::int(9)]);
        assert!(layout.numbers(&words, &mut numbers));
        assert_eq!(numbers, [-2, 1, 1, 7, -1, 9]);
        assert!(layout.field(0).set(&mut words, 4) && !layout.field(0).set(&mut words, 5));
        assert_eq!(layout.field(0).value(&wide, &words), Value::int(4));
    }

    #[test]
    fn numbers_that_do_not_fit_come_back_and_have_one_form() {
        let huge: BigInt = BigInt::from(1) << 100;
        let domains =
            [Domain::Int, range(-huge.clone(), huge.clone()), range(i64::MIN, i64::MAX), range(i64::MIN, -1)];
        let program = program(domains.map(|domain| (Role::Data, domain)).into());
        let layout = Layout::new(&program);
        let least = BigInt::from(i64::MIN);
        for [a, b, c, d] in [
            [huge.clone(), -huge.clone(), BigInt::from(i64::MAX), least.clone()],
            [least.clone(), least.clone(), least.clone(), least.clone()],
            [least.clone() - 1, BigInt::from(LEAST - 1), BigInt::from(LEAST), BigInt::from(-1)],
        ] {
            let state = State([a, b, c, d].map(Value::Int).into());
            let (mut wide, mut words, mut again) = (Wide::default(), [0; 4], [0; 4]);
            layout.pack(&mut wide, &state, &mut words);
            layout.pack(&mut wide, &state, &mut again);
            assert_eq!(layout.state(&wide, &words), state);
            assert_eq!(words, again);
            assert!(!layout.numbers(&words, &mut [0; 4]));
        }
        let field = layout.field(0);
        assert!(field.set(&mut [0; 4], LEAST) && !field.set(&mut [0; 4], LEAST - 1));
    }
}
