//! Cubes of codes as expressions in the user's variables and values.
//!
//! The texts are expressions of the language of the file, so that they can stand in a property.

use tertium_query::{Cube, Intervals};
use tertium_report::{SolutionReport, ValuesReport};

/// So many numbers in a row are listed; more are shown as an interval.
const LISTED: u64 = 16;

/// Something with values that have codes.
pub struct QueryColumn<'m> {
    /// Its name.
    pub name: String,
    /// What kind of values it has.
    pub sort: Sort,
    /// The value with a code, as it is written.
    pub value: Box<dyn Fn(u64) -> String + 'm>,
}

/// Kinds of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sort {
    /// False and true; how it is said that it is true, and that it is not.
    Truth(String, String),
    /// Values of which each is named.
    Listed,
    /// Integers whose codes follow each other as they do.
    Numbers,
    /// Words of bits; the code of the first negative one, if there are such: they come after all others.
    Words(Option<u64>),
}

/// How a language writes conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// Between what holds together.
    pub and: &'static str,
    /// Between what holds by itself.
    pub or: &'static str,
    /// What always holds.
    pub yes: &'static str,
    /// What never holds.
    pub no: &'static str,
    /// Whether conjunctions in a disjunction have brackets.
    pub bracketed: bool,
}

/// Values in a row, the first and the last, as they are written.
struct Row(String, String);

/// Some columns in the notation of a language.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a, 'm> {
    pub(super) columns: &'a [QueryColumn<'m>],
    pub(super) notation: Notation,
}

impl Columns<'_, '_> {
    /// The names of the columns.
    pub(super) fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// A cube as an expression.
    pub(super) fn cube(&self, cube: &Cube) -> SolutionReport {
        self.union(std::slice::from_ref(cube))
    }

    /// Cubes as one disjunction.
    pub(super) fn union(&self, cubes: &[Cube]) -> SolutionReport {
        let notation = self.notation;
        let (mut texts, mut reports) = (Vec::new(), Vec::new());
        for cube in cubes {
            let (mut conditions, mut values) = (Vec::new(), Vec::new());
            for (column, codes) in self.columns.iter().zip(&cube.0) {
                let Some(codes) = codes else { continue };
                let rows = column.rows(codes);
                conditions.push(column.condition(&rows, notation));
                let shown = rows.into_iter().map(|Row(first, last)| match first == last {
                    true => first,
                    false => format!("{first}..{last}"),
                });
                values.push(ValuesReport { variable: column.name.clone(), values: shown.collect() });
            }
            texts.push(notation.conjunction(&conditions, cubes.len() > 1));
            reports.push(values);
        }
        let text = if texts.is_empty() { notation.no.to_owned() } else { texts.join(notation.or) };
        SolutionReport { text, cubes: reports }
    }
}

impl Notation {
    /// What holds together, perhaps beside others.
    pub(crate) fn conjunction(&self, conditions: &[String], in_disjunction: bool) -> String {
        match conditions {
            [] => self.yes.to_owned(),
            [one] => one.clone(),
            _ if in_disjunction && self.bracketed => format!("({})", conditions.join(self.and)),
            _ => conditions.join(self.and),
        }
    }
}

impl QueryColumn<'_> {
    /// The values with these codes, numbers in a row together if there are many.
    fn rows(&self, codes: &Intervals) -> Vec<Row> {
        let mut rows = Vec::new();
        for &(first, last) in codes {
            let halves = match self.sort {
                Sort::Words(Some(negative)) if first < negative && last >= negative => {
                    vec![(first, negative - 1), (negative, last)]
                }
                _ => vec![(first, last)],
            };
            for (first, last) in halves {
                let in_a_row = matches!(self.sort, Sort::Numbers | Sort::Words(_)) && last - first >= LISTED;
                if in_a_row {
                    rows.push(Row((self.value)(first), (self.value)(last)));
                } else {
                    rows.extend((first..=last).map(|code| Row((self.value)(code), (self.value)(code))));
                }
            }
        }
        rows
    }

    fn condition(&self, rows: &[Row], notation: Notation) -> String {
        let name = &self.name;
        if let (Sort::Truth(yes, no), [Row(value, _)]) = (&self.sort, rows) {
            return if *value == (self.value)(1) { yes.clone() } else { no.clone() };
        }
        let (single, intervals): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.0 == row.1);
        let single: Vec<&str> = single.into_iter().map(|row| row.0.as_str()).collect();
        let mut parts = match single.as_slice() {
            [] => Vec::new(),
            [one] => vec![format!("{name} = {one}")],
            many => vec![format!("{name} in {{{}}}", many.join(", "))],
        };
        parts.extend(intervals.into_iter().map(|Row(first, last)| match self.sort {
            Sort::Words(_) => format!("{name} >= {first}{}{name} <= {last}", notation.and),
            _ => format!("{name} in {first}..{last}"),
        }));
        if parts.len() == 1 { parts.swap_remove(0) } else { format!("({})", parts.join(notation.or)) }
    }
}
