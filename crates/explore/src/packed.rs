//! The values of programs as numbers in words.
//!
//! A variable with finitely many values has a place of as many bits as these need. An integer without bounds has a word.
//! Numbers that do not fit there are kept once in a side table, and the word says which: some of its values are spare
//! for that. An array with few indices has a place for each element. Other arrays, and bit-vectors that are wider than a
//! word, are always kept in the side table, and their number is the place there. So every state has exactly one form,
//! and two states are equal iff their words are.
//!
//! Control variables come first, so that the words of a state begin with its control.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::Arc;
use tertium_expr::{Enumeration, Sort, Value, Variable};
use tertium_program::{Domain, Program, Role, State};
use tertium_system::{NumberPlace, NumberRow, Numbers, WordPlace, WordPlaces};

/// So many places has the side table at most.
const MOST_WIDE: u64 = 1 << 32;

/// Integers without bounds, as far as they fit into a word.
pub(crate) const OPEN: Numbers = Numbers::all_but(MOST_WIDE);

/// An array whose elements would fill more words is kept in the side table: states that have it in common share it there.
const MOST_WORDS: usize = 32;

/// Values that do not fit into a word, each once.
#[derive(Clone, Debug, Default)]
pub struct Wide(IndexSet<Value, FxBuildHasher>);

impl Wide {
    fn place(&mut self, value: &Value) -> u64 {
        let place = match self.0.get_index_of(value) {
            Some(place) => place,
            None => self.0.insert_full(value.clone()).0,
        };
        assert!((place as u64) < MOST_WIDE, "so many values do not fit into memory");
        place as u64
    }
}

/// What a number means.
#[derive(Clone, Debug)]
enum Meaning {
    Truth,
    Integer,
    /// A bit-vector of this width, at most that of a word.
    Bits(u32),
    Constant(Arc<Enumeration>),
    /// The place of a value in the side table.
    Place,
}

/// The numbers that the values of a domain are, if each is one: those of truth values are 0 and 1, those of named values
/// their places, those of bit-vectors their bits.
pub(crate) fn numbers_of(domain: &Domain) -> Option<Numbers> {
    match domain {
        Domain::Bool => Some(Numbers::between(0, 1)),
        Domain::Enumeration(of) => Some(Numbers::between(0, of.values.len() as i64 - 1)),
        Domain::Range(low, high) => {
            Some(Numbers::between(i64::try_from(low).ok()?, i64::try_from(high).ok()?))
        }
        &Domain::Bits(width) => (width <= u64::BITS).then(|| Numbers::bit_vectors(width)),
        Domain::Int | Domain::Array(..) => None,
    }
}

/// The number that a value is, if it is one.
pub(crate) fn small(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(truth) => Some((*truth).into()),
        Value::Int(number) => i64::try_from(number).ok(),
        Value::Constant { index, .. } => Some(*index as i64),
        Value::Bits { width, value } => (*width <= u64::BITS).then_some(*value as i64),
        Value::Array { .. } => None,
    }
}

impl Meaning {
    /// What the numbers of a domain mean, and which ones there are.
    fn of(domain: &Domain) -> (Self, Numbers) {
        let place = (Self::Place, Numbers::between(0, MOST_WIDE as i64 - 1));
        match (domain, numbers_of(domain)) {
            (Domain::Bool, Some(numbers)) => (Self::Truth, numbers),
            (Domain::Enumeration(of), Some(numbers)) => (Self::Constant(Arc::clone(of)), numbers),
            (&Domain::Bits(width), Some(numbers)) => (Self::Bits(width), numbers),
            (Domain::Range(..) | Domain::Int, numbers) => (Self::Integer, numbers.unwrap_or(OPEN)),
            _ => place,
        }
    }

    /// The value at a place.
    fn get(&self, at: &NumberPlace, wide: &Wide, words: &[u64]) -> Value {
        let Some(number) = at.get(words) else {
            let place = at.spare(words).expect("what is no number is spare");
            return wide.0[place as usize].clone();
        };
        match self {
            Self::Truth => Value::Bool(number != 0),
            Self::Integer => Value::int(number),
            Self::Bits(width) => Value::Bits { width: *width, value: (number as u64).into() },
            Self::Constant(of) => Value::Constant { of: Arc::clone(of), index: number as usize },
            Self::Place => wide.0[number as usize].clone(),
        }
    }

    /// Puts a value of the domain there.
    fn set(&self, at: &NumberPlace, wide: &mut Wide, words: &mut [u64], value: &Value) {
        let number = match self {
            Self::Place => Some(wide.place(value) as i64),
            _ => small(value),
        };
        if !number.is_some_and(|number| at.set(words, number)) {
            assert!(at.numbers.has_spare(), "values are of the domains of their variables");
            at.set_spare(words, wide.place(value));
        }
    }
}

/// Where the elements of an array are, as code sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Elements {
    row: NumberRow,
    index: Numbers,
    /// The element where there is no index.
    pub(crate) first: i64,
}

impl Elements {
    /// The place of the element at an index; nothing if there is no such index.
    #[inline]
    pub(crate) fn at(&self, index: i64) -> Option<NumberPlace> {
        self.index.raw_of(index).map(|at| self.row.at(at as usize))
    }

    /// The element at an index; nothing if that is in the side table.
    #[inline]
    pub(crate) fn get(&self, words: &[u64], index: i64) -> Option<i64> {
        self.at(index).map_or(Some(self.first), |place| place.get(words))
    }

    /// The indices, in order.
    pub(crate) fn indices(&self) -> impl Iterator<Item = i64> {
        self.index.low()..=self.index.high()
    }
}

/// An array with a place for each element.
#[derive(Clone, Debug)]
struct Array {
    elements: Elements,
    element: Meaning,
    sort: Arc<Sort>,
    indices: Vec<Value>,
    /// The element where there is no index.
    rest: Value,
}

impl Array {
    /// Finds places for the elements; nothing if the array is to be kept in the side table.
    fn new(places: &mut WordPlaces, domain: &Domain) -> Option<Self> {
        let Domain::Array(index, element) = domain else { return None };
        let (meaning, numbers) = Meaning::of(element);
        let first = match (&meaning, &**element) {
            (Meaning::Place, _) => return None,
            (_, Domain::Range(low, _)) => i64::try_from(low).ok()?,
            _ => 0,
        };
        let (indices, index_numbers) = (index.values(Domain::MOST_ELEMENTS)?, numbers_of(index)?);
        if WordPlaces::words_of_row(numbers, indices.len()) > MOST_WORDS {
            return None;
        }
        let elements = Elements { row: places.row(numbers, indices.len()), index: index_numbers, first };
        let sort = Arc::new(index.sort());
        Some(Self { elements, element: meaning, sort, indices, rest: element.first() })
    }

    fn get(&self, wide: &Wide, words: &[u64]) -> Value {
        let row = &self.elements.row;
        let value = |at| self.element.get(&row.at(at), wide, words);
        let entries = self.indices.iter().enumerate().map(|(at, index)| (index.clone(), value(at)));
        Value::array(Arc::clone(&self.sort), self.rest.clone(), entries.collect())
    }

    fn set(&self, wide: &mut Wide, words: &mut [u64], value: &Value) {
        let Value::Array { rest, entries, .. } = value else {
            unreachable!("values are of the domains of their variables")
        };
        for (at, index) in self.indices.iter().enumerate() {
            let own = entries.get(index).unwrap_or(rest);
            self.element.set(&self.elements.row.at(at), wide, words, own);
        }
    }
}

/// Where a variable is.
#[derive(Clone, Debug)]
enum Field {
    One(Meaning, NumberPlace),
    Array(Box<Array>),
}

impl Field {
    fn get(&self, wide: &Wide, words: &[u64]) -> Value {
        match self {
            Self::One(meaning, place) => meaning.get(place, wide, words),
            Self::Array(array) => array.get(wide, words),
        }
    }

    fn set(&self, wide: &mut Wide, words: &mut [u64], value: &Value) {
        match self {
            Self::One(meaning, place) => meaning.set(place, wide, words, value),
            Self::Array(array) => array.set(wide, words, value),
        }
    }
}

/// Where the variables are, by id.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    fields: Vec<Field>,
    /// The ids of variables.
    variables: FxHashMap<Variable, usize>,
    n_words: usize,
    /// The bits of control in the first words.
    control: Vec<u64>,
    /// The control variables.
    control_fields: Vec<usize>,
}

impl Layout {
    /// Finds places for the variables of a program.
    pub fn new(program: &Program) -> Self {
        let mut places = WordPlaces::default();
        let mut fields: Vec<Option<Field>> = vec![None; program.variables().len()];
        let mut control = Vec::new();
        let of_role = |role| {
            let variables = program.variables().iter().enumerate();
            variables.filter(move |(_, own)| own.role == role)
        };
        for role in [Role::Control, Role::Data] {
            for (n, own) in of_role(role) {
                fields[n] = Some(match Array::new(&mut places, &own.domain) {
                    Some(array) => Field::Array(Box::new(array)),
                    None => {
                        let (meaning, numbers) = Meaning::of(&own.domain);
                        Field::One(meaning, places.number(numbers))
                    }
                });
            }
            if role == Role::Control {
                let ones = |&taken: &u32| u64::MAX.checked_shr(u64::BITS - taken).unwrap_or(0);
                control = places.taken().iter().map(ones).collect();
            }
        }
        Self {
            fields: fields.into_iter().map(|field| field.expect("every variable has a role")).collect(),
            variables: program.variables().iter().map(|own| own.variable).zip(0..).collect(),
            n_words: places.n_words(),
            control,
            control_fields: of_role(Role::Control).map(|(n, _)| n).collect(),
        }
    }

    /// How many words a state has.
    #[inline]
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The bits of control in the first words.
    #[inline]
    pub fn control(&self) -> &[u64] {
        &self.control
    }

    /// The id of a variable of the program.
    pub fn id(&self, variable: Variable) -> Option<usize> {
        self.variables.get(&variable).copied()
    }

    /// The place of a variable with this id, unless each of its elements has one.
    pub(crate) fn place(&self, id: usize) -> Option<NumberPlace> {
        match &self.fields[id] {
            Field::One(_, place) => Some(*place),
            Field::Array(_) => None,
        }
    }

    /// The places of the elements of an array, if each has one.
    pub(crate) fn elements(&self, id: usize) -> Option<Elements> {
        match &self.fields[id] {
            Field::One(..) => None,
            Field::Array(array) => Some(array.elements),
        }
    }

    /// The bits that say that a variable has a value, if it is one that needs no side table.
    pub(crate) fn raw_of(&self, id: usize, value: &Value) -> Option<u64> {
        match &self.fields[id] {
            Field::One(Meaning::Place, _) | Field::Array(_) => None,
            Field::One(_, at) => at.numbers.raw_of(small(value)?),
        }
    }

    /// The bits that say that a control variable has a value of its domain, and where they are.
    pub fn control_bits(&self, wide: &mut Wide, id: usize, value: &Value) -> (WordPlace, u64) {
        let Field::One(meaning, at) = &self.fields[id] else { unreachable!("no control is an array") };
        let mut words = vec![0; self.n_words];
        meaning.set(at, wide, &mut words, value);
        (at.place, at.place.get(&words))
    }

    /// A state as words.
    pub fn pack(&self, wide: &mut Wide, state: &State, words: &mut [u64]) {
        words.fill(0);
        for (field, value) in self.fields.iter().zip(&state.0) {
            field.set(wide, words, value);
        }
    }

    /// The value of a variable.
    pub(crate) fn value(&self, wide: &Wide, words: &[u64], id: usize) -> Value {
        self.fields[id].get(wide, words)
    }

    /// The state that words stand for.
    pub fn state(&self, wide: &Wide, words: &[u64]) -> State {
        State(self.fields.iter().map(|field| field.get(wide, words)).collect())
    }

    /// The control of words, or of the words of a key.
    pub fn control_of(&self, wide: &Wide, words: &[u64]) -> Box<[Value]> {
        self.control_fields.iter().map(|&id| self.value(wide, words, id)).collect()
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
        let (mut wide, mut words) = (Wide::default(), [9; 2]);
        layout.pack(&mut wide, &state, &mut words);
        assert_eq!(words[0], 0b10_0110_0101);
        assert_eq!(layout.state(&wide, &words), state);
        assert_eq!(*layout.control_of(&wide, &words), [state.0[1].clone(), Value::int(9)]);
        let place = layout.place(0).expect("it is no array");
        assert!(place.set(&mut words, 4) && !place.set(&mut words, 5));
        assert_eq!(layout.value(&wide, &words, 0), Value::int(4));
    }

    #[test]
    fn numbers_that_do_not_fit_come_back_and_have_one_form() {
        let huge: BigInt = BigInt::from(1) << 100;
        let domains =
            [Domain::Int, range(-huge.clone(), huge.clone()), range(i64::MIN, i64::MAX), range(i64::MIN, -1)];
        let program = program(domains.map(|domain| (Role::Data, domain)).into());
        let layout = Layout::new(&program);
        let (least, low) = (BigInt::from(i64::MIN), BigInt::from(OPEN.low()));
        for ([a, b, c, d], fits) in [
            ([huge.clone(), -huge.clone(), BigInt::from(i64::MAX), least.clone()], [false, false]),
            ([least.clone(), least.clone(), least.clone(), least.clone()], [false, false]),
            ([least.clone() - 1, low.clone() - 1, low.clone(), BigInt::from(-1)], [false, false]),
            ([low.clone(), BigInt::from(i64::MAX), low, BigInt::from(-1)], [true, true]),
        ] {
            let state = State([a, b, c, d].map(Value::Int).into());
            let (mut wide, mut words, mut again) = (Wide::default(), [0; 4], [0; 4]);
            layout.pack(&mut wide, &state, &mut words);
            layout.pack(&mut wide, &state, &mut again);
            assert_eq!(layout.state(&wide, &words), state);
            assert_eq!(words, again);
            let is_number = |id| layout.place(id).is_some_and(|place| place.get(&words).is_some());
            assert_eq!([is_number(0), is_number(1)], fits);
            assert!(is_number(2) && is_number(3));
        }
    }

    #[test]
    fn arrays_have_a_place_for_each_element_unless_there_are_many() {
        let huge: BigInt = BigInt::from(1) << 100;
        let array = |index: Domain, element: Domain| (Role::Data, Domain::array(index, element));
        let program = program(vec![
            array(range(-1, 3), range(5, 9)),
            array(Domain::Bits(6), range(0, 4)),
            array(Domain::Bool, Domain::Int),
            array(range(0, 4), range(7, 7)),
            array(range(0, 4000), Domain::Bool),
            array(Domain::Int, Domain::Int),
            array(range(0, 1), range(-huge.clone(), huge.clone())),
        ]);
        let layout = Layout::new(&program);
        let rows: Vec<bool> = (0..7).map(|id| layout.elements(id).is_some()).collect();
        assert_eq!(rows, [true, true, true, true, false, false, false]);
        let first = |n: usize| program.variables()[n].domain.first();
        let mut state = State((0..7).map(first).collect());
        let set = |state: &mut State, id: usize, index: Value, element: Value| {
            let Value::Array { index: sort, rest, mut entries } = state.0[id].clone() else {
                panic!("an array")
            };
            entries.insert(index, element);
            state.0[id] = Value::array(sort, *rest, entries);
        };
        set(&mut state, 0, Value::int(-1), Value::int(9));
        set(&mut state, 0, Value::int(3), Value::int(6));
        for n in 0..64u8 {
            set(&mut state, 1, Value::Bits { width: 6, value: n.into() }, Value::int(n % 5));
        }
        set(&mut state, 2, Value::Bool(true), Value::Int(huge));
        set(&mut state, 4, Value::int(4000), Value::Bool(true));
        set(&mut state, 5, Value::int(-8), Value::int(8));
        let (mut wide, mut words) = (Wide::default(), vec![u64::MAX; layout.n_words()]);
        layout.pack(&mut wide, &state, &mut words);
        assert_eq!(layout.state(&wide, &words), state);
        let elements = layout.elements(0).expect("it has places");
        assert_eq!(elements.indices().collect::<Vec<_>>(), [-1, 0, 1, 2, 3]);
        let found = [-2, -1, 0, 3, 4].map(|index| elements.get(&words, index));
        assert_eq!(found, [5, 9, 5, 6, 5].map(Some));
        let elements = layout.elements(2).expect("it has places");
        assert_eq!([0, 1].map(|index| elements.get(&words, index)), [Some(0), None]);
    }
}
