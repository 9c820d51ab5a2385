//! Sets of tuples of values as readable cubes: for each variable a set of values, or any.
//!
//! Variables are looked at in the given order. Values of one variable after which the same is left for the others are taken
//! together, so the cubes are disjoint and are the paths of a multi-valued diagram. A set of values is a list of intervals of
//! codes; nothing is enumerated that is not printed. A set with more than [`MOST_INTERVALS`] intervals is divided among several
//! cubes.

use tertium_dd::{Bdd, Manager, Var};
use tertium_support::StopReason;

/// More intervals than this are not put into one cube.
const MOST_INTERVALS: usize = 64;

/// A variable of a table: its bits, the lowest first, and the highest code that stands for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The bits.
    pub bits: Vec<Var>,
    /// The highest code.
    pub last_code: u64,
}

/// Codes as disjoint intervals, first and last code of each, in order.
pub type Intervals = Vec<(u64, u64)>;

/// For each column the codes, or `None` for any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cube(pub Vec<Option<Intervals>>);

impl Cube {
    /// The tuples of codes in the cube, the last column counting fastest.
    pub fn tuples(&self, columns: &[Column]) -> impl Iterator<Item = Vec<u64>> + use<> {
        debug_assert_eq!(self.0.len(), columns.len(), "a cube has codes for every column");
        let any = |column: &Column| vec![(0, column.last_code)];
        let rows = self.0.iter().zip(columns);
        let rows: Vec<Intervals> =
            rows.map(|(codes, column)| codes.clone().unwrap_or_else(|| any(column))).collect();
        debug_assert!(rows.iter().all(|row| !row.is_empty()), "every column has codes");
        let mut next = Some(rows.iter().map(|row| row[0].0).collect::<Vec<u64>>());
        std::iter::from_fn(move || {
            let found = next.take()?;
            let mut codes = found.clone();
            for (code, row) in codes.iter_mut().zip(&rows).rev() {
                if let Some(larger) = after(row, *code) {
                    *code = larger;
                    next = Some(codes);
                    break;
                }
                *code = row[0].0;
            }
            Some(found)
        })
    }
}

/// The smallest code in the intervals that is larger than one of theirs.
fn after(row: &Intervals, code: u64) -> Option<u64> {
    let at = row.iter().position(|&(_, last)| code <= last)?;
    if code < row[at].1 { Some(code + 1) } else { row.get(at + 1).map(|&(first, _)| first) }
}

/// The cubes of a set, which depends on the bits of the columns only and contains no code that stands for no value.
pub fn cubes(set: &Bdd, columns: Vec<Column>) -> Cubes {
    Cubes { columns, left: vec![(Vec::new(), set.clone())] }
}

/// See [`cubes`].
#[derive(Debug)]
pub struct Cubes {
    columns: Vec<Column>,
    /// What is still to be shown: the codes of the first columns, each with what is possible for the others.
    left: Vec<(Vec<Option<Intervals>>, Bdd)>,
}

impl Iterator for Cubes {
    type Item = Result<Cube, StopReason>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (done, rest) = self.left.pop()?;
            if rest.is_false() {
                continue;
            }
            let Some(column) = self.columns.get(done.len()) else { return Some(Ok(Cube(done))) };
            match split(column, &rest) {
                Ok((codes, inside, outside)) => {
                    self.left.push((done.clone(), outside));
                    let mut with = done;
                    with.push(codes);
                    self.left.push((with, inside));
                }
                Err(reason) => {
                    self.left.clear();
                    return Some(Err(reason));
                }
            }
        }
    }
}

/// The codes of a column with the same rest as the smallest code, that rest, and what is left for other codes.
fn split(column: &Column, set: &Bdd) -> Result<(Option<Intervals>, Bdd, Bdd), StopReason> {
    debug_assert!(!set.is_false(), "there is a smallest code");
    let manager = set.manager();
    let others = set.support().into_iter().filter(|var| !column.bits.contains(var));
    let others = manager.var_set(others)?;
    let own = manager.var_set(column.bits.iter().copied())?;
    let first = smallest(&set.exists(&others)?, &column.bits)?;
    let rest = set.and_exists(&first, &own)?;
    let valid = at_most(manager, &column.bits, column.last_code)?;
    let mut same = set.xor(&rest)?.exists(&others)?.not().and(&valid)?;
    if same == valid {
        return Ok((None, rest, manager.constant(false)));
    }
    let mut intervals = Vec::new();
    if !collect(&same, &column.bits, 0, &mut intervals)? {
        let (_, end) = intervals[intervals.len() - 1];
        same = same.and(&at_most(manager, &column.bits, end)?)?;
    }
    debug_assert!(
        intervals.iter().all(|(first, last)| first <= last)
            && intervals.is_sorted_by(|(_, last), (first, _)| last < first),
        "intervals are disjoint and in order"
    );
    Ok((Some(intervals), rest, set.diff(&same)?))
}

/// The smallest code of a set that is not empty, as a set.
fn smallest(codes: &Bdd, bits: &[Var]) -> Result<Bdd, StopReason> {
    let manager = codes.manager();
    let mut left = codes.clone();
    let mut code = manager.constant(true);
    for &bit in bits.iter().rev() {
        let high = manager.var(bit)?;
        let low = left.diff(&high)?;
        let (literal, next) = if low.is_false() { (high, left) } else { (high.not(), low) };
        left = next;
        code = code.and(&literal)?;
    }
    Ok(code)
}

/// Appends the intervals of a set of codes, those above `base` first bit by bit; false if there were too many.
fn collect(codes: &Bdd, bits: &[Var], base: u64, intervals: &mut Intervals) -> Result<bool, StopReason> {
    if codes.is_false() {
        return Ok(true);
    }
    let Some((&bit, lower)) = bits.split_last().filter(|_| !codes.is_true()) else {
        let end = base + u64::MAX.checked_shr(u64::BITS - bits.len() as u32).unwrap_or(0);
        let n_intervals = intervals.len();
        match intervals.last_mut() {
            Some((_, last)) if *last + 1 == base => *last = end,
            _ if n_intervals == MOST_INTERVALS => return Ok(false),
            _ => intervals.push((base, end)),
        }
        return Ok(true);
    };
    let high = codes.manager().var(bit)?;
    let low_half = codes.constrain(&high.not())?;
    let high_half = codes.constrain(&high)?;
    Ok(collect(&low_half, lower, base, intervals)?
        && collect(&high_half, lower, base + (1 << lower.len()), intervals)?)
}

/// The codes up to a number.
pub(crate) fn at_most(manager: &Manager, bits: &[Var], last: u64) -> Result<Bdd, StopReason> {
    debug_assert!(last.checked_shr(bits.len() as u32).unwrap_or(0) == 0, "the last code fits the bits");
    bits.iter().enumerate().try_fold(manager.constant(true), |below, (place, &bit)| {
        let low = manager.var(bit)?.not();
        if last >> place & 1 == 1 { low.or(&below) } else { low.and(&below) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::Context;
    use tertium_testkit::random_cases;

    #[test]
    fn cubes_of_random_sets_are_disjoint_and_cover_the_set() {
        random_cases(200, |rng| {
            let manager = Manager::new(&Context::default());
            let columns: Vec<Column> = [1usize, 2, 3]
                .iter()
                .map(|&width| Column {
                    bits: (0..width).map(|_| manager.add_var()).collect(),
                    last_code: rng.between(1 << (width - 1), (1 << width) - 1) as u64,
                })
                .collect();
            let mut set = manager.constant(false);
            let mut expected = std::collections::BTreeSet::new();
            for a in 0..=columns[0].last_code {
                for b in 0..=columns[1].last_code {
                    for c in 0..=columns[2].last_code {
                        if rng.chance(0.5) {
                            continue;
                        }
                        expected.insert([a, b, c]);
                        let literals = columns.iter().zip([a, b, c]).flat_map(|(column, code)| {
                            column.bits.iter().enumerate().map(move |(k, &bit)| (bit, code >> k & 1 == 1))
                        });
                        set = set.or(&Bdd::cube(&manager, literals).unwrap()).unwrap();
                    }
                }
            }
            let mut found = std::collections::BTreeSet::new();
            for cube in cubes(&set, columns.clone()) {
                for tuple in cube.unwrap().tuples(&columns) {
                    let [a, b, c] = tuple[..] else { panic!("three columns: {tuple:?}") };
                    assert!(found.insert([a, b, c]), "twice: {a} {b} {c}");
                }
            }
            assert_eq!(found, expected);
        });
    }

    #[test]
    fn wide_variables_are_shown_by_intervals_and_many_intervals_by_several_cubes() {
        let manager = Manager::new(&Context::default());
        let bits: Vec<Var> = (0..64).map(|_| manager.add_var()).collect();
        let column = Column { bits: bits.clone(), last_code: u64::MAX };
        let small = at_most(&manager, &bits, 9).unwrap();
        let shown =
            |set: &Bdd| cubes(set, vec![column.clone()]).take(3).collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(shown(&small.not()), [Cube(vec![Some(vec![(10, u64::MAX)])])]);
        assert_eq!(shown(&manager.constant(true)), [Cube(vec![None])]);
        let even = manager.var(bits[0]).unwrap().not();
        let first = shown(&even);
        assert_eq!(first.len(), 3);
        let Some(intervals) = &first[1].0[0] else { panic!("not every code is even") };
        assert_eq!((intervals[0], intervals.len()), ((128, 128), 64));
    }
}
